/*
 * cli_book.c - making a book and checking it: init, check.
 */
#include "cli.h"

#include "check.h"
#include "clock.h"
#include "restaurants.h"
#include "setup.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void count_span(void *arg, const struct stmt_cell *row, int count)
{
	(void)row;
	(void)count;
	++*(int *)arg;
}

static void tell_if_closed(struct db *db, int64_t id, const char *before)
{
	struct restaurant r;
	int spans = 0;

	if (restaurants_get(db, id, &r) == ERR_OK && restaurants_week(db, id, count_span, &spans) == ERR_OK && spans == 0)
		printf("%s%s has no opening hours yet, so that no guest can book: Settings, Opening hours, at the desk\n",
		       before, r.name);
}

void cli_tell_closed(const char *dir, const char *before)
{
	int64_t ids[RESTAURANTS_MAX];
	struct db db;
	int count = 0;

	if (db_open(&db, dir, NULL) != ERR_OK)
		return;
	if (restaurants_all(&db, ids, &count) == ERR_OK && count == 0)
		printf("%sthere is no restaurant in the book yet: the first page of the desk asks for it (`jari up` and "
		       "`jari link` print the link)\n",
		       before);
	for (int i = 0; i < count; i++)
		tell_if_closed(&db, ids[i], before);
	db_close(&db);
}

int cli_init(const struct cli_options *o)
{
	struct setup_made made;
	enum err e;

	if (o->demo && o->name)
		return CLI_USAGE;
	if (cli_leave_root(o) != CLI_OK || !cli_make_folder(o->dir))
		return CLI_FAILED;
	e = setup_make(o->dir, o->demo, o->name, &made);
	if (e != ERR_OK)
		return cli_not_made(o, e);
	printf("%s %s/jari.db\n", made.book ? "made" : "found", o->dir);
	if (made.password[0])
		printf("owner %s, one-time password %s\n", made.owner, made.password);
	cli_tell_closed(o->dir, "next: ");
	return CLI_OK;
}

static void tell(void *arg, const char *rule, const char *finding)
{
	(void)arg;
	if (finding)
		printf("WRONG  %s: %s\n", rule, finding);
	else
		printf("ok     %s\n", rule);
}

static void tell_note(void *arg, const char *note)
{
	(void)arg;
	printf("note   %s\n", note);
}

int cli_check(const struct cli_options *o)
{
	char path[4096];
	struct check_report report;
	enum err e;

	if (o->count == 0 && !cli_book_there(o))
		return CLI_FAILED;
	if (cli_be_owner_of(o->count ? o->args[0] : o->dir) != CLI_OK) /* a backup may be root's own */
		return CLI_FAILED;
	db_path(o->dir, path);
	if (o->count)
		snprintf(path, sizeof path, "%s", o->args[0]);
	if (access(path, F_OK) != 0)
		return cli_fail(ERR_OK, "%s: %s", path, strerror(errno));
	e = check_book(path, tell, NULL, &report);
	if (e != ERR_OK)
		return cli_fail(e, "%s", path);
	check_notes(path, clock_now_s(), tell_note, NULL); /* a rule has said so if it cannot be read */
	if (o->count == 0)
		cli_tell_closed(o->dir, "note   ");
	printf("%d rules, %d findings\n", report.rules, report.findings);
	return report.findings ? CLI_FAILED : CLI_OK;
}
