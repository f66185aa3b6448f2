/*
 * test_walreset.c - a checkpoint never meets a commit.
 *
 * SQLite up to 3.51.2 damages a book when one connection checkpoints PASSIVE while another commits
 * and begins the log anew between two looks of the checkpoint.  A hook in the checkpointing
 * connection's file brings that moment about: first with plain connections, which must break the
 * file or this test proves nothing, then with jari's own.
 */
#include "backup.h"
#include "book.h"
#include "check.h"
#include "clock.h"
#include "kid.h"
#include "migrate.h"
#include "unit.h"
#include "wal.h"

#include <glob.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The hook: runs `meanwhile` once, inside the next checkpoint of the connection it hangs on. */
static struct {
	const sqlite3_io_methods *real;
	sqlite3_io_methods ours;
	sqlite3_file *file;
	void (*meanwhile)(void *arg);
	void *arg;
	int fired;
} hook;

static int unfetch(sqlite3_file *f, sqlite3_int64 offset, void *page)
{
	void (*meanwhile)(void *) = hook.meanwhile;

	hook.meanwhile = NULL;
	if (meanwhile) {
		hook.fired++;
		meanwhile(hook.arg);
	}
	return hook.real->xUnfetch(f, offset, page);
}

static void hook_on(sqlite3 *handle)
{
	memset(&hook, 0, sizeof hook);
	sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &hook.file);
	hook.real = hook.file->pMethods;
	hook.ours = *hook.real;
	hook.ours.xUnfetch = unfetch;
	hook.file->pMethods = &hook.ours;
}

static void hook_off(void)
{
	hook.file->pMethods = hook.real;
}

static bool sqlite_is_fixed(void)
{
	int v = sqlite3_libversion_number();

	return v >= 3051003 || (v >= 3050007 && v < 3051000) || (v >= 3044006 && v < 3045000);
}

/* ---- the control ---- */

static void add_blobs(sqlite3 *handle, int n)
{
	book_exec(handle, "BEGIN IMMEDIATE");
	for (int i = 0; i < n; i++)
		book_exec(handle, "INSERT INTO t (v) VALUES (randomblob(3000))");
	book_exec(handle, "COMMIT");
}

static void commit_meanwhile(void *arg)
{
	add_blobs(arg, 2);
}

static void passive(sqlite3 *handle)
{
	sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

static void a_passive_checkpoint_beside_a_commit_breaks_the_file(void **state)
{
	char dir[64], path[4096];
	sqlite3 *writer, *checkpointer;
	int refused = 0;

	(void)state;
	if (sqlite_is_fixed())
		skip();
	book_make_dir(dir);
	db_path(dir, path);
	writer = book_plain(path);
	book_exec(writer, "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;"
			  "CREATE TABLE t (id INTEGER PRIMARY KEY, v BLOB); CREATE INDEX t_v ON t (v)");
	checkpointer = book_plain(path);
	book_exec(checkpointer, "PRAGMA wal_autocheckpoint=0; SELECT count(*) FROM t");
	add_blobs(writer, 40);
	hook_on(checkpointer);
	passive(checkpointer);
	hook.meanwhile = commit_meanwhile;
	hook.arg = writer;
	passive(checkpointer);
	assert_int_equal(hook.fired, 1);
	for (int i = 0; i < 30; i++) /* 3.46 notices it here: an error of a disk that has none */
		refused += book_try(writer, "INSERT INTO t (v) VALUES (randomblob(3000))") != SQLITE_OK;
	for (int i = 0; i < 2; i++) { /* the log begins anew over pages that never reached the file */
		passive(checkpointer);
		book_try(writer, "INSERT INTO t (v) VALUES (randomblob(3000))");
	}
	hook_off();
	sqlite3_close(checkpointer);
	sqlite3_close(writer);
	writer = book_plain(path);
	assert_true(refused || !book_whole(writer));
	sqlite3_close(writer);
	book_remove_dir(dir);
}

/* ---- jari's way ---- */

static void add_guests(struct db *db, int n)
{
	while (n-- > 0)
		assert_int_equal(book_add_guest(db), ERR_OK);
}

static void checkpoint_in_hand(struct db *db)
{
	assert_int_equal(wal_checkpoint_locked(db, false), ERR_OK);
}

static void take_pen(struct book *b)
{
	bool inherited;

	assert_int_equal(pen_take(b->hall.pen, 1000, &inherited), ERR_OK);
}

static int intruder_rc;

/* An sqlite3 shell, which knows nothing of the pen. */
static void intrude(void *arg)
{
	intruder_rc = sqlite3_exec(arg, "UPDATE users SET note = 'x'", NULL, NULL, NULL);
}

static void a_writer_without_the_pen_is_kept_out_by_sqlites_own_lock(void **state)
{
	struct book *b = *state;
	sqlite3 *shell = book_plain(b->path);
	struct db writer;

	sqlite3_busy_timeout(shell, 0);
	book_exec(shell, "PRAGMA wal_autocheckpoint=0");
	assert_int_equal(db_open(&writer, b->dir, &b->hall), ERR_OK);
	add_guests(&writer, 40);
	hook_on(b->db.handle);
	take_pen(b);
	checkpoint_in_hand(&b->db);
	hook.meanwhile = intrude;
	hook.arg = shell;
	checkpoint_in_hand(&b->db);
	pen_release(b->hall.pen);
	assert_int_equal(hook.fired, 1);
	assert_int_equal(intruder_rc, SQLITE_BUSY);
	add_guests(&writer, 30);
	take_pen(b);
	checkpoint_in_hand(&b->db);
	pen_release(b->hall.pen);
	hook_off();
	assert_int_equal(book_int(shell, "SELECT count(*) FROM users"), 72);
	assert_true(book_whole(shell));
	sqlite3_close(shell);
	db_close(&writer);
}

struct talk {
	struct book *book;
	_Atomic int ready, go, wrote;
};

static struct talk *talk;

static int write_when_told(void *arg)
{
	struct db db;
	enum err e;

	(void)arg;
	if (db_open(&db, talk->book->dir, &talk->book->hall) != ERR_OK)
		return 1;
	atomic_store(&talk->ready, 1);
	kid_wait(&talk->go);
	e = book_add_guest(&db);
	atomic_store(&talk->wrote, 1);
	db_close(&db);
	return e == ERR_OK ? 0 : 2;
}

static void let_the_other_try(void *arg)
{
	(void)arg;
	atomic_store(&talk->go, 1);
	clock_sleep_ms(80);
	assert_int_equal(atomic_load(&talk->wrote), 0);
}

static void a_writer_with_the_pen_in_mind_waits_for_the_checkpoint(void **state)
{
	struct book *b = *state;
	struct db writer;
	pid_t kid;

	talk = kid_share(sizeof *talk);
	talk->book = b;
	kid = kid_start(write_when_told, NULL); /* before any connection of ours */
	assert_true(kid_wait(&talk->ready));
	book_open(b);
	assert_int_equal(db_open(&writer, b->dir, &b->hall), ERR_OK);
	add_guests(&writer, 40);
	hook_on(b->db.handle);
	take_pen(b);
	checkpoint_in_hand(&b->db);
	hook.meanwhile = let_the_other_try;
	checkpoint_in_hand(&b->db);
	hook_off();
	pen_release(b->hall.pen);
	assert_int_equal(hook.fired, 1);
	assert_int_equal(kid_end(kid), 0);
	add_guests(&writer, 30);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM users"), 73);
	assert_true(book_whole(b->db.handle));
	db_close(&writer);
	kid_unshare(talk, sizeof *talk);
}

/* ---- no other process checkpoints ---- */

static void hush(void *arg, const char *rule, const char *finding)
{
	(void)arg;
	(void)rule;
	(void)finding;
}

/* The file itself, which only a checkpoint writes to, is still as it was. */
static void file_is(const struct book *b, const char *bytes, size_t n, const char *after)
{
	size_t now_n;
	char *now = book_read_file(b->path, &now_n);

	if (now_n != n || memcmp(now, bytes, n) != 0)
		fail_msg("%s has checkpointed", after);
	free(now);
}

/* A log long enough for SQLite's habit of checkpointing at a commit past 1000 pages, and at the last close. */
static void no_command_checkpoints_by_itself(void **state)
{
	struct book *b = *state;
	struct check_report report;
	char copy[4200], *bytes;
	struct backup_report came_back;
	size_t n;
	bool made;

	book_open(b);
	for (int i = 0; i < 1200; i++)
		book_exec(b->db.handle, "UPDATE users SET note = '%d' WHERE user_id = 1", i);
	bytes = book_read_file(b->path, &n);
	book_close(b);
	file_is(b, bytes, n, "db_close");
	assert_int_equal(migrate_book(b->dir, &made), ERR_OK);
	file_is(b, bytes, n, "migrate_book");
	assert_int_equal(migrate_add_restaurant(b->dir, "둘째 집"), ERR_OK);
	file_is(b, bytes, n, "migrate_add_restaurant");
	assert_int_equal(check_book(b->path, hush, NULL, &report), ERR_OK);
	file_is(b, bytes, n, "check_book");
	snprintf(copy, sizeof copy, "%s/copy", b->dir);
	assert_int_equal(backup_make(b->dir, copy), ERR_OK);
	file_is(b, bytes, n, "backup_make");
	assert_int_equal(backup_restore(b->dir, "/nowhere/at/all", &came_back), ERR_BOOK_UNWRITABLE);
	file_is(b, bytes, n, "backup_restore");
	free(bytes);
}

/* The control: an ordinary connection does exactly that when it is closed. */
static void an_ordinary_connection_would_checkpoint(void **state)
{
	struct book *b = *state;
	size_t before_n, after_n;
	char *before = book_read_file(b->path, &before_n), *after;
	sqlite3 *shell;

	assert_int_equal(sqlite3_open(b->path, &shell), SQLITE_OK);
	book_exec(shell, "UPDATE users SET note = 'x'");
	sqlite3_close(shell);
	after = book_read_file(b->path, &after_n);
	assert_true(before_n != after_n || memcmp(before, after, before_n) != 0);
	free(before);
	free(after);
}

static int count_in(const char *pattern, const char *word)
{
	glob_t g;
	int count = 0;

	assert_int_equal(glob(pattern, 0, NULL, &g), 0); /* tests run from the root of the tree */
	for (size_t i = 0; i < g.gl_pathc; i++) {
		size_t n;
		char *text = book_read_file(g.gl_pathv[i], &n);

		for (const char *p = text; (p = strstr(p, word)); p += strlen(word))
			count++;
		free(text);
	}
	globfree(&g);
	return count;
}

static void one_line_of_jari_checkpoints(void **state)
{
	(void)state;
	assert_int_equal(count_in("db/*.c", "sqlite3_wal_checkpoint"), 1);
	assert_int_equal(count_in("db/wal.c", "sqlite3_wal_checkpoint_v2("), 1);
	assert_int_equal(count_in("core/*.[ch]", "wal_checkpoint"), 0);
	assert_int_equal(count_in("fcgi/*/*.[ch]", "wal_checkpoint"), 0);
	assert_int_equal(count_in("db/*.[ch]", "PRAGMA wal_checkpoint"), 0);
	assert_int_equal(count_in("db/*.sql", "wal_checkpoint"), 0);
	assert_int_equal(count_in("db/*.[ch]", "SQLITE_CHECKPOINT_PASSIVE"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_passive_checkpoint_beside_a_commit_breaks_the_file),
		cmocka_unit_test_setup_teardown(a_writer_without_the_pen_is_kept_out_by_sqlites_own_lock, book_setup,
						book_teardown),
		cmocka_unit_test_setup_teardown(a_writer_with_the_pen_in_mind_waits_for_the_checkpoint, book_setup_closed,
						book_teardown),
		cmocka_unit_test_setup_teardown(no_command_checkpoints_by_itself, book_setup_closed, book_teardown),
		cmocka_unit_test_setup_teardown(an_ordinary_connection_would_checkpoint, book_setup_closed, book_teardown),
		cmocka_unit_test(one_line_of_jari_checkpoints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
