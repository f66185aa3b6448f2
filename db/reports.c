/*
 * reports.c - the owner's numbers and lists, and forgetting somebody.
 */
#include "reports.h"

#include "clock.h"

#include <assert.h>
#include <sqlite3.h>

enum {
	FORGET_MAX = 200, /* guests in one go ... */
	FORGET_MS = 40,   /* ... and how long the pen is held for them; the keeper comes again */
};

enum err reports_days(struct db *db, const struct reports_span *s, void (*each)(void *arg, const struct reports_day *),
		      void *arg)
{
	struct sqlite3_stmt *q = stmt_use(db, SQL_REPORT_DAYS, "itt", s->restaurant_id, s->from, s->to);
	enum err e;

	while (stmt_row(db, q, &e))
		each(arg, &(struct reports_day){stmt_text(q, 0), (int)stmt_int(q, 1), (int)stmt_int(q, 2), (int)stmt_int(q, 3),
						(int)stmt_int(q, 4)});
	return e;
}

enum err reports_hours(struct db *db, const struct reports_span *s, void (*each)(void *arg, const char *hour, int covers),
		       void *arg)
{
	struct sqlite3_stmt *q = stmt_use(db, SQL_REPORT_HOURS, "itt", s->restaurant_id, s->from, s->to);
	enum err e;

	while (stmt_row(db, q, &e))
		each(arg, stmt_text(q, 0), (int)stmt_int(q, 1));
	return e;
}

enum err reports_money(struct db *db, const struct reports_span *s, struct reports_money *out)
{
	struct sqlite3_stmt *q = stmt_use(db, SQL_REPORT_MONEY, "itt", s->restaurant_id, s->from, s->to);
	enum err e;

	*out = (struct reports_money){0};
	while (stmt_row(db, q, &e))
		*out = (struct reports_money){stmt_int(q, 0), stmt_int(q, 1), stmt_int(q, 2), stmt_int(q, 3)};
	assert(e != ERR_OK || out->in == out->kept + out->returned + out->due_back);
	return e;
}

enum err reports_lead(struct db *db, const struct reports_span *s, int64_t *hours, int64_t *of)
{
	struct sqlite3_stmt *q = stmt_use(db, SQL_REPORT_LEAD, "itt", s->restaurant_id, s->from, s->to);
	enum err e;

	*hours = *of = 0;
	while (stmt_row(db, q, &e)) {
		*hours = stmt_int(q, 0);
		*of = stmt_int(q, 1);
	}
	return e;
}

enum err reports_export(struct db *db, enum reports_list list, const struct reports_span *s,
			bool (*each)(void *arg, const char *cell, bool is_text, bool last), void *arg)
{
	static const enum sql_id statements[REPORTS__LISTS] = {SQL_EXPORT_RESERVATIONS, SQL_EXPORT_GUESTS, SQL_EXPORT_PAYMENTS};
	struct sqlite3_stmt *q;
	bool more = true;
	int columns;
	enum err e;

	assert(list < REPORTS__LISTS);
	q = stmt_use(db, statements[list], "itt", s->restaurant_id, s->from, s->to);
	columns = sqlite3_column_count(q); /* 0 where it could not be prepared */
	for (int i = 0; i < columns; i++)
		more = each(arg, sqlite3_column_name(q, i), true, i + 1 == columns);
	while (more && stmt_row(db, q, &e))
		for (int i = 0; i < columns; i++)
			more = each(arg, stmt_text(q, i), sqlite3_column_type(q, i) == SQLITE_TEXT, i + 1 == columns);
	if (!more)
		stmt_done(q);
	return more ? e : ERR_UNKNOWN;
}

enum err reports_due(struct db *db, int64_t restaurant_id, void (*each)(void *arg, const struct reports_due *), void *arg)
{
	struct sqlite3_stmt *q = stmt_use(db, SQL_DUE_BACK, "i", restaurant_id);
	enum err e;

	while (stmt_row(db, q, &e))
		each(arg, &(struct reports_due){stmt_int(q, 0), stmt_int(q, 1), stmt_text(q, 2), stmt_text(q, 3),
						stmt_text(q, 4), stmt_text(q, 5)});
	return e;
}

enum err reports_given_back(struct db *db, int64_t restaurant_id, int64_t payment_id, const char *actor, int64_t now_s)
{
	char now[CLOCK_ISO_SIZE];
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	clock_iso(now_s, now);
	e = stmt_run(db, SQL_GIVEN_BACK, "iitt", payment_id, restaurant_id, now, actor);
	if (e == ERR_OK && !stmt_changes(db))
		e = ERR_NOT_FOUND;
	return db_end(db, e);
}

/* Inside a transaction. */
static enum err erase(struct db *db, int64_t user_id, const char *actor, const char *now)
{
	enum err e = stmt_run(db, SQL_ERASE_PROOFS, "i", user_id);

	if (e == ERR_OK)
		e = stmt_run(db, SQL_ERASE_CARDS, "i", user_id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_ERASE_USER, "it", user_id, now);
	if (e == ERR_OK && !stmt_changes(db))
		e = ERR_NOT_FOUND;
	if (e == ERR_OK)
		e = stmt_run(db, SQL_ERASE_RESERVATIONS, "itt", user_id, actor, now);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_ERASE_ACTS, "i", user_id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_ERASE_WAITS, "itt", user_id, actor, now);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_AUDIT_ADD, "tttitti", now, actor, "user", user_id, "erased", NULL, (int64_t)0);
	return e;
}

/* Ends the transaction, and tells the screens that may show the forgotten guest. */
static enum err end_erasing(struct db *db, enum err e)
{
	e = db_end(db, e);
	if (e == ERR_OK)
		board_touch_all_days(db->hall->board);
	return e;
}

enum err reports_erase(struct db *db, int64_t user_id, const char *actor, int64_t now_s)
{
	char now[CLOCK_ISO_SIZE];
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	clock_iso(now_s, now);
	return end_erasing(db, erase(db, user_id, actor, now));
}

enum err reports_forget(struct db *db, int64_t now_s, bool *more)
{
	int64_t ids[FORGET_MAX], until;
	char now[CLOCK_ISO_SIZE];
	struct sqlite3_stmt *q;
	int n = 0, done = 0;
	enum err e;

	*more = line_length(db->hall->line) > 0;
	if (*more)
		return ERR_OK;
	clock_iso(now_s, now);
	q = stmt_use(db, SQL_FORGETTABLE, "ti", now, (int64_t)FORGET_MAX);
	while (stmt_row(db, q, &e))
		if (n < FORGET_MAX)
			ids[n++] = stmt_int(q, 0);
	if (e == ERR_OK && n)
		e = db_begin(db);
	if (e != ERR_OK || !n)
		return e;
	until = clock_mono_ms() + FORGET_MS;
	while (e == ERR_OK && done < n && (done == 0 || clock_mono_ms() < until))
		e = erase(db, ids[done++], "keeper", now);
	*more = done < n || n == FORGET_MAX;
	return end_erasing(db, e);
}
