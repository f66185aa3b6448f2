/*
 * test_spill.c - a savepoint rolled back in a large transaction costs no commit.
 *
 * SQLite before 3.50.2 loses what was committed when pages spill into the log, ROLLBACK TO takes
 * them back, and the machine then stops before a checkpoint.  jari's connections never spill.
 */
#include "book.h"
#include "unit.h"
#include "wal.h"

#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

enum { ROWS_KEPT = 4 }; /* 1, 2, 8 and 9 */

/* Rows 2 and 8 in one transaction around a rolled-back savepoint much larger than the cache. */
static void book_with_a_savepoint(sqlite3 *handle)
{
	book_exec(handle, "INSERT INTO spill VALUES (2, randomblob(2048)); SAVEPOINT ticket");
	for (int i = 3; i <= 7; i++)
		book_exec(handle, "INSERT INTO spill VALUES (%d, randomblob(2048))", i);
	for (int i = 5; i <= 7; i++)
		book_exec(handle, "UPDATE spill SET pad = randomblob(2048) WHERE id = %d", i);
	book_exec(handle, "ROLLBACK TO ticket; INSERT INTO spill VALUES (8, NULL)");
}

/* Rows of the table after a crash at this moment: what db and log say to a process that begins anew. */
static int64_t rows_after_a_crash(const char *path)
{
	static const char *const tails[] = {"", "-wal"};
	char from[4200], to[4200];
	sqlite3 *handle;
	int64_t rows;

	for (int i = 0; i < 2; i++) {
		snprintf(from, sizeof from, "%s%s", path, tails[i]);
		snprintf(to, sizeof to, "%s.crashed%s", path, tails[i]);
		book_copy_file(from, to);
	}
	snprintf(to, sizeof to, "%s.crashed", path);
	handle = book_plain(to);
	rows = book_int(handle, "SELECT count(*) FROM spill WHERE id IN (1, 2, 8, 9)");
	sqlite3_close(handle);
	return rows;
}

static void with_spilling_commits_are_lost_in_a_crash(void **state)
{
	char dir[64], path[4096];
	sqlite3 *handle;

	(void)state;
	if (sqlite3_libversion_number() >= 3050002)
		skip();
	book_make_dir(dir);
	db_path(dir, path);
	handle = book_plain(path);
	book_exec(handle, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=1;"
			  "CREATE TABLE spill (id INTEGER PRIMARY KEY, pad BLOB)");
	sqlite3_wal_checkpoint_v2(handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	book_exec(handle, "INSERT INTO spill VALUES (1, randomblob(2048)); BEGIN IMMEDIATE");
	book_with_a_savepoint(handle);
	book_exec(handle, "COMMIT; INSERT INTO spill VALUES (9, NULL)");
	assert_int_equal(book_int(handle, "SELECT count(*) FROM spill"), ROWS_KEPT);
	assert_true(rows_after_a_crash(path) < ROWS_KEPT);
	sqlite3_close(handle);
	book_remove_dir(dir);
}

static void on_a_connection_of_ours_every_commit_survives(void **state)
{
	struct book *b = *state;
	sqlite3 *handle = b->db.handle;
	bool inherited;

	book_exec(handle, "PRAGMA cache_size=1; CREATE TABLE spill (id INTEGER PRIMARY KEY, pad BLOB)");
	assert_int_equal(pen_take(b->hall.pen, 0, &inherited), ERR_OK);
	assert_int_equal(wal_checkpoint_locked(&b->db, false), ERR_OK);
	pen_release(b->hall.pen);
	book_exec(handle, "INSERT INTO spill VALUES (1, randomblob(2048))");
	assert_int_equal(db_begin(&b->db), ERR_OK);
	book_with_a_savepoint(handle);
	assert_int_equal(db_end(&b->db, ERR_OK), ERR_OK);
	book_exec(handle, "INSERT INTO spill VALUES (9, NULL)");
	assert_int_equal(book_int(handle, "SELECT count(*) FROM spill"), ROWS_KEPT);
	assert_int_equal(rows_after_a_crash(b->path), ROWS_KEPT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(with_spilling_commits_are_lost_in_a_crash),
		cmocka_unit_test_setup_teardown(on_a_connection_of_ours_every_commit_survives, book_setup, book_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
