/*
 * test_nightly.c - the backups that make themselves: when, which stay, how they leave the box, and whether they would help.
 */
#include "nightly.h"

#include "backup.h"
#include "book.h"
#include "clock.h"
#include "copies.h"
#include "drill.h"
#include "facts.h"
#include "role.h"
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DAY_S = 86400, PATH = 4500 };

static struct nightly_report report;

/* 04:15 of some winter night, by the clock of this machine. */
static int64_t night(void)
{
	struct tm at = {.tm_year = 126, .tm_mon = 10, .tm_mday = 19, .tm_hour = 4, .tm_min = 15, .tm_isdst = -1};

	return mktime(&at);
}

static int files_like(const struct book *b, const char *shape)
{
	char path[PATH];
	const struct dirent *entry;
	int n = 0;
	DIR *d;

	snprintf(path, sizeof path, "%s/backups", b->dir);
	d = opendir(path);
	while (d && (entry = readdir(d)))
		n += fnmatch(shape, entry->d_name, FNM_PERIOD) == 0;
	if (d)
		closedir(d);
	return n;
}

static void run_at(const struct book *b, int64_t now_s)
{
	assert_int_equal(nightly_run(b->dir, now_s, false, &report), ERR_OK);
}

static void one_is_made_a_night_and_none_before_four(void **state)
{
	const struct book *b = *state;

	run_at(b, night());
	assert_non_null(strstr(report.made, "/jari-2026-11-19.db"));
	assert_int_equal(report.findings, 0);
	assert_int_equal(facts_get(b->dir, FACT_BACKUP, NULL, 0), night());
	run_at(b, night() + 300);
	assert_string_equal(report.made, "");
	run_at(b, night() + DAY_S - 1200); /* five to four */
	assert_string_equal(report.made, "");
	run_at(b, night() + DAY_S - 840);
	assert_non_null(strstr(report.made, "/jari-2026-11-20.db"));
	run_at(b, night() + 3 * DAY_S + 50000); /* the box was off at night: as soon as it is on */
	assert_non_null(strstr(report.made, "/jari-2026-11-22.db"));
	assert_int_equal(files_like(b, "*"), 3);
}

static void nobody_but_the_owner_can_look_at_them(void **state)
{
	const struct book *b = *state;
	char path[PATH];
	struct stat st;

	run_at(b, night());
	snprintf(path, sizeof path, "%s/backups", b->dir);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(stat(report.made, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void before_an_update_one_is_made_and_three_stay(void **state)
{
	const struct book *b = *state;

	run_at(b, night());
	for (int i = 0; i < 5; i++) {
		assert_int_equal(nightly_run(b->dir, night() + i * 60, true, &report), ERR_OK);
		assert_non_null(strstr(report.made, "/before-update-"));
	}
	assert_int_equal(files_like(b, "before-update-*.db"), 3);
	assert_int_equal(files_like(b, "jari-*.db"), 1);
	assert_int_equal(access(report.made, F_OK), 0); /* the newest one */
}

/* A year of nights: seven days, and back from there to more than four weeks, one a week. */
static void days_and_weeks_stay(void **state)
{
	int64_t days[400], kept[400];
	bool stays[400];
	size_t n = 0;

	(void)state;
	for (int64_t today = 20000; today < 20365; today++) {
		memmove(days + 1, days, n * sizeof days[0]);
		days[0] = today;
		copies_choose(days, ++n, today, stays);
		size_t left = 0;

		for (size_t i = 0; i < n; i++)
			if (stays[i])
				kept[left++] = days[i];
		memcpy(days, kept, left * sizeof days[0]);
		n = left;
		for (size_t i = 0; i < 7 && today > 20007; i++)
			assert_int_equal(days[i], today - (int64_t)i);
		if (today < 20060)
			continue;
		assert_int_equal(n, 11);
		assert_in_range(today - days[10], 28, 35);
		for (size_t i = 8; i < 11; i++)
			assert_int_equal(days[i - 1] - days[i], 7);
	}
}

static void a_clock_that_ran_ahead_takes_no_place(void **state)
{
	const int64_t days[] = {30004, 30003, 30002, 30001, 20000, 19999, 19998, 19997, 19996, 19995, 19994, 19993};
	bool stays[COUNT(days)];

	(void)state;
	copies_choose(days, COUNT(days), 20000, stays);
	for (size_t i = 0; i < COUNT(days); i++)
		assert_int_equal(stays[i], i != 3);
}

/* ---- out of the box ---- */

static void put_command(const struct book *b, const char *script)
{
	char path[PATH];

	snprintf(path, sizeof path, "%s/copy-away", b->dir);
	book_write_file(path, script, strlen(script));
	assert_int_equal(chmod(path, 0755), 0);
}

static void change_something(struct book *b)
{
	assert_int_equal(book_add_guest(&b->db), ERR_OK);
	assert_int_equal(hall_take_pen(&b->hall, 1000), ERR_OK);
	book_exec(b->db.handle, "INSERT INTO audit (at, actor, entity, entity_id, change) "
				"VALUES ('2026-11-19T00:00:00Z', 'test', 'user', 1, 'created')");
	hall_pass_pen(&b->hall);
}

static void what_has_changed_leaves_the_box_and_nothing_else(void **state)
{
	struct book *b = *state;
	char script[PATH];

	run_at(b, night());
	assert_int_equal(report.away, NIGHTLY_NO_COMMAND);
	snprintf(script, sizeof script, "#!/bin/sh\ncp \"$1\" %s/away-$2.db\n", b->dir);
	put_command(b, script);
	run_at(b, night() + 300);
	assert_int_equal(report.away, NIGHTLY_SENT);
	run_at(b, night() + 600);
	assert_int_equal(report.away, NIGHTLY_NOTHING_NEW);
	change_something(b);
	run_at(b, night() + 900);
	assert_int_equal(report.away, NIGHTLY_SENT);
	assert_int_equal(facts_get(b->dir, FACT_AWAY, NULL, 0), night() + 900);
	run_at(b, night() + DAY_S); /* and each night, so that its age says something */
	assert_int_equal(report.away, NIGHTLY_SENT);
	snprintf(script, sizeof script, "%s/away-night.db", b->dir);
	assert_int_equal(access(script, F_OK), 0);
	assert_int_equal(files_like(b, "*"), 2); /* nothing is left of what was sent */
	change_something(b);                     /* once a spare has taken over, the new box sends */
	assert_true(role_set_replaced(b->dir, &(struct role_replaced){.when_s = night(), .epoch = 1}));
	run_at(b, night() + DAY_S + 300);
	assert_int_equal(report.away, NIGHTLY_NO_COMMAND);
}

static void a_copy_that_did_not_leave_is_tried_again_and_told(void **state)
{
	struct book *b = *state;
	char why[400];

	run_at(b, night());
	put_command(b, "#!/bin/sh\necho 'the stick is gone' >&2\nexit 3\n");
	run_at(b, night() + 300);
	assert_int_equal(report.away, NIGHTLY_NOT_SENT);
	run_at(b, night() + 600);
	assert_int_equal(report.away, NIGHTLY_NOT_SENT);
	assert_int_equal(facts_get(b->dir, FACT_AWAY_BAD, why, sizeof why), night() + 600);
	assert_non_null(strstr(why, "the stick is gone"));
}

static void two_at_a_time_are_one(void **state)
{
	const struct book *b = *state;
	char path[PATH];
	int fd;

	run_at(b, night());
	snprintf(path, sizeof path, "%s/backups", b->dir);
	fd = open(path, O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(nightly_run(b->dir, night() + DAY_S, false, &report), ERR_BOOK_BUSY);
	close(fd);
}

/* ---- the drill ---- */

static struct drill_report drilled;

static int scratches(const struct book *b)
{
	DIR *d = opendir(b->dir);
	const struct dirent *entry;
	int n = 0;

	while (d && (entry = readdir(d)))
		n += strncmp(entry->d_name, "drill-", 6) == 0;
	closedir(d);
	return n;
}

static void a_backup_that_would_help_is_told_so(void **state)
{
	struct book *b = *state;
	char newest[NIGHTLY_PATH];

	assert_false(nightly_newest(b->dir, newest));
	run_at(b, night());
	assert_true(nightly_newest(b->dir, newest));
	assert_string_equal(newest, report.made);
	drill_run(b->dir, newest, night(), true, &drilled);
	assert_int_equal(drilled.outcome, DRILL_WELL);
	assert_true(drilled.rules > 30);
	assert_int_equal(facts_get(b->dir, FACT_DRILL, NULL, 0), night());
	assert_int_equal(scratches(b), 0);
}

static void one_that_would_not_is_told_as_well(void **state)
{
	struct book *b = *state;
	char why[400];
	int fd;

	run_at(b, night());
	fd = open(report.made, O_WRONLY);
	assert_int_equal(pwrite(fd, "this is no page of a book", 25, 4096), 25); /* where a page begins, whatever its size */
	close(fd);
	drill_run(b->dir, report.made, night(), true, &drilled);
	assert_int_not_equal(drilled.outcome, DRILL_WELL);
	assert_int_equal(facts_get(b->dir, FACT_DRILL_BAD, why, sizeof why), night());
	assert_non_null(strstr(why, "jari-2026-11-19.db cannot be restored"));
	assert_int_equal(scratches(b), 0);
}

/* A book whose reservations of before are gone, or the backup of another house: nobody would notice by opening it. */
static void one_of_another_book_is_noticed(void **state)
{
	struct book *b = *state;

	run_at(b, night());
	book_slot(b->db.handle, 901, "2027-01-20", "19:00", 10);
	book_reservation(b->db.handle, 1, 901, 1, 2, "CONFIRMED", "");
	assert_int_equal(nightly_run(b->dir, night() + 60, true, &report), ERR_OK);
	b->damaged = true; /* on purpose */
	book_exec(b->db.handle, "PRAGMA foreign_keys=OFF; DROP TRIGGER reservations_stay; DELETE FROM reservations");
	drill_run(b->dir, report.made, night() + 120, true, &drilled);
	assert_int_equal(drilled.outcome, DRILL_GAP);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, book_setup, book_teardown)
	const struct CMUnitTest tests[] = {
		T(one_is_made_a_night_and_none_before_four),
		T(nobody_but_the_owner_can_look_at_them),
		T(before_an_update_one_is_made_and_three_stay),
		cmocka_unit_test(days_and_weeks_stay),
		cmocka_unit_test(a_clock_that_ran_ahead_takes_no_place),
		T(what_has_changed_leaves_the_box_and_nothing_else),
		T(a_copy_that_did_not_leave_is_tried_again_and_told),
		T(two_at_a_time_are_one),
		T(a_backup_that_would_help_is_told_so),
		T(one_that_would_not_is_told_as_well),
		T(one_of_another_book_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
