/*
 * test_commit_unknown.c - a COMMIT that fails in the flush is unknown, one that found the disk full has failed.
 */
#include "book.h"
#include "kid.h"
#include "unit.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>

/* The log's file, with a write or flush that fails as often as asked. */
static struct {
	const sqlite3_io_methods *real;
	sqlite3_io_methods ours;
	sqlite3_file *file;
	int fail_sync, fail_write; /* the code, 0 for none */
} log_file;

static int sync_it(sqlite3_file *f, int flags)
{
	return log_file.fail_sync ? log_file.fail_sync : log_file.real->xSync(f, flags);
}

static int write_it(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 offset)
{
	return log_file.fail_write ? log_file.fail_write : log_file.real->xWrite(f, bytes, n, offset);
}

static int setup(void **state)
{
	struct book *b;

	book_setup(state);
	b = *state;
	assert_int_equal(book_add_guest(&b->db), ERR_OK); /* the log is open from here on */
	log_file.fail_sync = log_file.fail_write = 0;
	sqlite3_file_control(b->db.handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log_file.file);
	log_file.real = log_file.file->pMethods;
	log_file.ours = *log_file.real;
	log_file.ours.xSync = sync_it;
	log_file.ours.xWrite = write_it;
	log_file.file->pMethods = &log_file.ours;
	return 0;
}

static int teardown(void **state)
{
	log_file.file->pMethods = log_file.real;
	return book_teardown(state);
}

/* Guests in the book if the machine stopped at this moment. */
static int64_t guests_after_a_crash(struct book *b)
{
	char from[4200], to[4200];
	sqlite3 *handle;
	int64_t guests;

	snprintf(from, sizeof from, "%s-wal", b->path);
	snprintf(to, sizeof to, "%s.crashed-wal", b->path);
	book_copy_file(from, to);
	snprintf(to, sizeof to, "%s.crashed", b->path);
	book_copy_file(b->path, to);
	handle = book_plain(to);
	guests = book_int(handle, "SELECT count(*) FROM users");
	assert_true(book_whole(handle));
	sqlite3_close(handle);
	return guests;
}

static void a_flush_that_fails_at_commit_leaves_the_outcome_unknown(void **state)
{
	struct book *b = *state;

	log_file.fail_sync = SQLITE_IOERR_FSYNC;
	assert_int_equal(book_add_guest(&b->db), ERR_UNKNOWN);
	assert_true(db_poisoned(&b->db));
	assert_int_equal(pen_holder(b->hall.pen), 0);
	/* That must not be called a failure: this connection does not see the guest, a fresh start does. */
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM users"), 3);
	assert_int_equal(guests_after_a_crash(b), 4);
}

static void a_write_that_fails_at_commit_is_unknown_too(void **state)
{
	struct book *b = *state;

	log_file.fail_write = SQLITE_IOERR_WRITE;
	assert_int_equal(book_add_guest(&b->db), ERR_UNKNOWN);
	assert_true(db_poisoned(&b->db));
}

static void a_full_disk_at_commit_is_a_definite_failure(void **state)
{
	struct book *b = *state;

	log_file.fail_write = SQLITE_FULL;
	assert_int_equal(book_add_guest(&b->db), ERR_BOOK_UNWRITABLE);
	assert_false(db_poisoned(&b->db));
	assert_true(sqlite3_get_autocommit(b->db.handle));
	assert_int_equal(guests_after_a_crash(b), 3);
	log_file.fail_write = 0; /* the disk has room again */
	assert_int_equal(book_add_guest(&b->db), ERR_OK);
	assert_int_equal(guests_after_a_crash(b), 4);
}

static int begin_again(void *arg)
{
	struct book *b = arg;

	signal(SIGABRT, SIG_DFL);
	return (int)db_begin(&b->db);
}

static void a_poisoned_connection_writes_no_more(void **state)
{
	struct book *b = *state;

	log_file.fail_sync = SQLITE_IOERR_FSYNC;
	assert_int_equal(book_add_guest(&b->db), ERR_UNKNOWN);
	log_file.fail_sync = 0;
	assert_int_equal(kid_run(begin_again, b), KID_KILLED + SIGABRT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_flush_that_fails_at_commit_leaves_the_outcome_unknown),
		TEST(a_write_that_fails_at_commit_is_unknown_too),
		TEST(a_full_disk_at_commit_is_a_definite_failure),
		TEST(a_poisoned_connection_writes_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
