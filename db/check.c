/*
 * check.c - is the book sound?
 */
#include "check.h"

#include "clock.h"
#include "db.h"
#include "settings.h"
#include "shape.h"
#include "tags.h"
#include "text.h"
#include "timeset.h"
#include "zone.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum { FINDINGS_PER_RULE = 20 };

static const struct {
	const char *rule, *sql;
} rules[] = {
#define RULE(rule, ...) {rule, __VA_ARGS__},
#include "sql/check.inc"
#undef RULE
};

static const char *const notes[] = {
#define NOTE(...) __VA_ARGS__,
#include "sql/notes.inc"
#undef NOTE
};

struct telling {
	void (*tell)(void *, const char *, const char *);
	void *arg;
	struct check_report *report;
};

/* begins(zone, date, time): the instant at which a slot begins; NULL where the clock skips it, or the zone is not known here. */
static void begins(sqlite3_context *context, int n, sqlite3_value **args)
{
	const char *zone = (const char *)sqlite3_value_text(args[0]), *day = (const char *)sqlite3_value_text(args[1]),
		   *time = (const char *)sqlite3_value_text(args[2]);
	char iso[CLOCK_ISO_SIZE];
	struct date date;
	int64_t instant;
	int minute;

	(void)n;
	if (!zone || !day || !time || !text_date(day, &date) || !text_time(time, &minute) ||
	    !zone_to_utc(zone, date, minute, &instant))
		return;
	clock_iso(instant, iso);
	sqlite3_result_text(context, iso, -1, SQLITE_TRANSIENT);
}

static void apply_rule(sqlite3 *handle, const char *rule, const char *sql, struct telling *t)
{
	sqlite3_stmt *s = NULL;
	const char *finding;
	int rc = sqlite3_prepare_v2(handle, sql, -1, &s, NULL), n = 0;

	if (rc == SQLITE_OK)
		while ((rc = sqlite3_step(s)) == SQLITE_ROW && n++ < FINDINGS_PER_RULE) {
			stmt_take(s, "w*", &finding);
			t->tell(t->arg, rule, finding);
		}
	t->report->rules++;
	/* A rule that cannot be asked (a table is gone, the file is damaged) is a finding too. */
	if (rc != SQLITE_DONE && rc != SQLITE_ROW) {
		t->tell(t->arg, rule, sqlite3_errmsg(handle));
		n++;
	}
	sqlite3_finalize(s);
	t->report->findings += n;
	if (n == 0)
		t->tell(t->arg, rule, NULL);
}

/* The book's own tables, indexes, triggers and views against those a new book would have. */
static enum err compare(sqlite3 *handle, struct telling *t)
{
	enum err e = shape_attach(handle, DB_VERSION);

	if (e == ERR_OK) {
		apply_rule(handle, "the book's own defences stand", shape_findings, t);
		e = shape_detach(handle);
	}
	return e;
}

enum err check_book(const char *path, void (*tell)(void *arg, const char *rule, const char *finding), void *arg,
		    struct check_report *out)
{
	struct telling t = {tell, arg, out};
	sqlite3 *handle = NULL;
	int64_t version = 0;
	enum err e;

	*out = (struct check_report){0};
	sqlite3_config(SQLITE_CONFIG_URI, 1);
	e = db_open_plain(path, SQLITE_OPEN_URI, &handle);
	if (e == ERR_OK)
		e = db_identify(handle, &version);
	if (e == ERR_OK && version < DB_VERSION)
		e = ERR_BOOK_OLDER; /* its rules were others */
	if (e == ERR_OK && sqlite3_create_function(handle, "begins", 3, SQLITE_UTF8, NULL, begins, NULL, NULL) != SQLITE_OK)
		e = ERR_NO_MEMORY;
	for (size_t i = 0; e == ERR_OK && i < sizeof rules / sizeof rules[0]; i++)
		apply_rule(handle, rules[i].rule, rules[i].sql, &t);
	if (e == ERR_OK && version == DB_VERSION)
		e = compare(handle, &t);
	sqlite3_close(handle);
	return e;
}

static enum err tell_notes(sqlite3 *handle, const char *sql, const char *late, void (*tell)(void *arg, const char *note),
			   void *arg)
{
	sqlite3_stmt *s = NULL;
	const char *note;
	int rc = sqlite3_prepare_v2(handle, sql, -1, &s, NULL), n = 0;

	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text(s, 1, late, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK)
		while ((rc = sqlite3_step(s)) == SQLITE_ROW && n++ < FINDINGS_PER_RULE) {
			stmt_take(s, "w*", &note);
			tell(arg, note);
		}
	sqlite3_finalize(s);
	return rc == SQLITE_DONE || rc == SQLITE_ROW ? ERR_OK : ERR_INTERNAL;
}

enum err check_notes(const char *path, int64_t now_s, void (*tell)(void *arg, const char *note), void *arg)
{
	char late[CLOCK_ISO_SIZE];
	sqlite3 *handle = NULL;
	enum err e = db_open_plain(path, SQLITE_OPEN_URI, &handle);

	clock_iso(now_s + TIMESET_SLACK_S, late);
	for (size_t i = 0; e == ERR_OK && i < sizeof notes / sizeof notes[0]; i++)
		e = tell_notes(handle, notes[i], late, tell, arg);
	sqlite3_close(handle);
	return e;
}
