/*
 * test_swap.c - what a restore leaves in the folder, and for how long.
 */
#include "swap.h"

#include "book.h"
#include "clock.h"
#include "copies.h"
#include "unit.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DAY_S = 86400 };

static char dir[64];

static int make(void **state)
{
	(void)state;
	book_make_dir(dir);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	book_remove_dir(dir);
	return 0;
}

static void lay(const char *name, const char *text)
{
	char path[4200];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	book_write_file(path, text, strlen(text));
}

static bool is_there(const char *name)
{
	char path[4200];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return access(path, F_OK) == 0;
}

static bool holds(const char *name, const char *text)
{
	char path[4200], *bytes;
	size_t n;
	bool same;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	bytes = book_read_file(path, &n);
	same = n == strlen(text) && memcmp(bytes, text, n) == 0;
	free(bytes);
	return same;
}

static int files_like(const char *shape)
{
	DIR *d = opendir(dir);
	const struct dirent *entry;
	int n = 0;

	assert_non_null(d);
	while ((entry = readdir(d)))
		n += entry->d_name[0] != '.' && fnmatch(shape, entry->d_name, 0) == 0;
	closedir(d);
	return n;
}

static void book_and_key_change_places_and_the_old_ones_are_kept(void **state)
{
	struct swap s = {.key = true};
	bool begun;

	(void)state;
	lay("jari.db", "old");
	lay("jari.db-wal", "old log");
	lay("jari.db-shm", "index");
	lay("secret.key", "old key");
	lay("jari.db.restored", "new");
	lay("secret.key.restored", "new key");
	swap_choose_tail(&s, dir, 1790000000);
	assert_int_equal(swap_make(&s, dir, &begun), ERR_OK);
	assert_true(holds("jari.db", "new") && holds("secret.key", "new key"));
	assert_true(holds("jari.db.before-restore-2026-09-21T14:13:20Z", "old"));
	assert_true(
		holds("jari.db.before-restore-2026-09-21T14:13:20Z-wal", "old log")); /* a file is nothing without its log */
	assert_true(holds("secret.key.before-restore-2026-09-21T14:13:20Z", "old key"));
	assert_int_equal(files_like("*"), 5);
	swap_choose_tail(&s, dir, 1790000000);
	assert_string_equal(s.tail, ".before-restore-2026-09-21T14:13:20Z-2");
}

static void a_book_alone_leaves_the_key_alone(void **state)
{
	struct swap s = {.key = false};
	bool begun;

	(void)state;
	lay("jari.db", "old");
	lay("jari.db-wal", "");
	lay("secret.key", "key");
	lay("jari.db.restored", "new");
	swap_choose_tail(&s, dir, 1790000000);
	assert_int_equal(swap_make(&s, dir, &begun), ERR_OK);
	assert_true(holds("jari.db", "new") && holds("secret.key", "key"));
	assert_int_equal(files_like("*"), 3); /* an empty log is not kept */
}

/* A note that jari did not write names no file outside the folder, and stops everything until a person has looked. */
static void a_strange_note_is_not_obeyed(void **state)
{
	static const char *const notes[] = {
		"", "rm -rf /", "jari restores a book; the next start finishes it\n.before-restore-/../../etc/x\nbook\nend\n",
		"jari restores a book; the next start finishes it\n.before-restore-2026\nbook\n"};

	(void)state;
	lay("jari.db", "old");
	lay("jari.db.restored", "new");
	for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
		lay("restore.todo", notes[i]);
		assert_int_equal(swap_finish(dir), ERR_BOOK_UNWRITABLE);
		assert_true(holds("jari.db", "old") && is_there("restore.todo"));
	}
	lay("restore.todo", "jari restores a book; the next start finishes it\n.before-restore-2026\nbook\nend\n");
	assert_int_equal(swap_finish(dir), ERR_OK);
	assert_true(holds("jari.db", "new") && !is_there("restore.todo"));
	assert_int_equal(swap_finish(dir), ERR_OK); /* there is nothing to do any more */
}

/* Two files with their keys, and what they are to be. */
static void lay_a_restore(struct swap *s)
{
	*s = (struct swap){.key = true};
	lay("jari.db", "old");
	lay("jari.db-wal", "old log");
	lay("jari.db-shm", "index");
	lay("secret.key", "old key");
	lay("jari.db.restored", "new");
	lay("secret.key.restored", "new key");
	swap_choose_tail(s, dir, 1790000000);
}

static enum err make_failing(const char *step, bool *begun)
{
	struct swap s;
	enum err e;

	lay_a_restore(&s);
	setenv("JARI_FAILPOINT", step, 1);
	e = swap_make(&s, dir, begun);
	unsetenv("JARI_FAILPOINT");
	return e;
}

static void a_first_step_that_fails_is_undone_and_the_old_book_stays(void **state)
{
	bool begun = true;

	(void)state;
	assert_int_equal(make_failing("swap.keep:fail", &begun), ERR_BOOK_UNWRITABLE);
	assert_false(begun || swap_pending(dir));
	swap_clear(dir);
	assert_true(holds("jari.db", "old") && holds("secret.key", "old key"));
	assert_true(holds("jari.db-wal", "old log") && is_there("jari.db-shm"));
	assert_int_equal(files_like("*"), 4);
}

/* The book has its second name already when the key's cannot be given. */
static void names_that_were_given_are_taken_back(void **state)
{
	struct swap s;
	char path[SWAP_PATH];
	bool begun = true;

	(void)state;
	lay_a_restore(&s);
	setenv("JARI_FAILPOINT", "swap.keep.key:fail", 1);
	assert_int_equal(swap_make(&s, dir, &begun), ERR_BOOK_UNWRITABLE);
	unsetenv("JARI_FAILPOINT");
	swap_kept_path(&s, dir, path);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_true(!begun && !swap_pending(dir) && holds("jari.db", "old"));
}

static void a_later_step_that_fails_leaves_the_note_and_is_finished_later(void **state)
{
	bool begun = false;

	(void)state;
	assert_int_equal(make_failing("swap.put:fail", &begun), ERR_RESTORE_BEGUN);
	assert_true(begun && swap_pending(dir));
	assert_int_equal(swap_finish(dir), ERR_OK);
	assert_true(holds("jari.db", "new") && holds("secret.key", "new key") && !swap_pending(dir));
	assert_true(holds("jari.db.before-restore-2026-09-21T14:13:20Z-wal", "old log"));
}

static void a_note_that_stays_too_long_does_not_cost_the_new_book_its_log(void **state)
{
	bool begun = false;

	(void)state;
	assert_int_equal(make_failing("swap.end:fail", &begun), ERR_RESTORE_BEGUN);
	assert_true(holds("jari.db", "new") && swap_pending(dir));
	lay("jari.db-wal", "bookings");
	lay("jari.db-shm", "index");
	assert_int_equal(swap_finish(dir), ERR_OK);
	assert_true(holds("jari.db-wal", "bookings") && is_there("jari.db-shm") && !swap_pending(dir));
}

static void a_note_that_is_no_file_stops_no_process_for_ever(void **state)
{
	char todo[4200];

	(void)state;
	snprintf(todo, sizeof todo, "%s/restore.todo", dir);
	assert_int_equal(mkfifo(todo, 0600), 0);
	alarm(20); /* instead of waiting for a writer */
	assert_int_equal(swap_finish(dir), ERR_BOOK_UNWRITABLE);
	alarm(0);
}

static void what_a_dead_restore_left_is_cleared_but_not_what_is_still_to_come(void **state)
{
	static const char *const left[] = {"jari.db.restored",     "jari.db.restored-journal", "jari.db.restored-wal",
					   "jari.db.restored-shm", "secret.key.restored",      "restore.todo.part"};

	char todo[4200];

	(void)state;
	for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
		lay(left[i], "x");
	lay("restore.todo", "x");
	copies_tidy(dir, clock_now_s());
	assert_int_equal(files_like("*"), 7);
	snprintf(todo, sizeof todo, "%s/restore.todo", dir);
	assert_int_equal(unlink(todo), 0);
	copies_tidy(dir, clock_now_s());
	assert_int_equal(files_like("*"), 0);
}

/* An owner sent half a backup to the set-up page, and left. */
static void an_abandoned_upload_goes_after_an_hour(void **state)
{
	(void)state;
	lay("restore.part", "half a book, and a key");
	copies_tidy(dir, clock_now_s() + 3000);
	assert_true(is_there("restore.part"));
	copies_tidy(dir, clock_now_s() + 4000);
	assert_false(is_there("restore.part"));
	lay("restore.part", "sent while the clock was a day ahead");
	copies_tidy(dir, clock_now_s() - DAY_S);
	assert_false(is_there("restore.part"));
}

static void of_old_copies_the_newest_three_of_each_kind_stay(void **state)
{
	char name[100];
	int64_t now = clock_now_s();

	(void)state;
	lay("jari.db", "the book");
	for (int i = 1; i <= 5; i++) { /* each a little younger than the one before */
		snprintf(name, sizeof name, "jari.db.before-restore-2026-01-0%dT00:00:00Z", i);
		lay(name, "x");
		snprintf(name, sizeof name, "jari.db.before-restore-2026-01-0%dT00:00:00Z-wal", i);
		lay(name, "x");
		snprintf(name, sizeof name, "secret.key.before-restore-2026-01-0%dT00:00:00Z", i);
		lay(name, "x");
		snprintf(name, sizeof name, "jari.db.before-000%d", i);
		lay(name, "x");
		clock_sleep_ms(20);
	}
	lay("jari.db.before-restore-2026-02-01T00:00:00Z", ""); /* the disk was full */
	lay("jari.db.mine", "x");
	copies_tidy(dir, now + 20 * DAY_S);
	assert_int_equal(files_like("*.before-*"), 20);
	copies_tidy(dir, now + 31 * DAY_S);
	assert_int_equal(files_like("jari.db.before-restore-*Z"), 3);
	assert_int_equal(files_like("jari.db.before-restore-*Z-wal"), 3);
	assert_int_equal(files_like("secret.key.before-restore-*"), 3);
	assert_int_equal(files_like("jari.db.before-000*"), 3);
	assert_true(is_there("jari.db.before-restore-2026-01-05T00:00:00Z") && is_there("jari.db.before-0003"));
	assert_true(is_there("jari.db") && is_there("jari.db.mine"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(book_and_key_change_places_and_the_old_ones_are_kept),
		TEST(a_book_alone_leaves_the_key_alone),
		TEST(a_strange_note_is_not_obeyed),
		TEST(a_first_step_that_fails_is_undone_and_the_old_book_stays),
		TEST(names_that_were_given_are_taken_back),
		TEST(a_later_step_that_fails_leaves_the_note_and_is_finished_later),
		TEST(a_note_that_stays_too_long_does_not_cost_the_new_book_its_log),
		TEST(a_note_that_is_no_file_stops_no_process_for_ever),
		TEST(what_a_dead_restore_left_is_cleared_but_not_what_is_still_to_come),
		TEST(an_abandoned_upload_goes_after_an_hour),
		TEST(of_old_copies_the_newest_three_of_each_kind_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
