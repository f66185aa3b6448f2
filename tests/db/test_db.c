/*
 * test_db.c - connections are as they should be, writes happen in the pen's hand, failures have our names.
 */
#include "db.h"

#include "book.h"
#include "clock.h"
#include "holders.h"
#include "kid.h"
#include "staff.h"
#include "unit.h"
#include "users.h"
#include "wal.h"

#include <sqlite3.h>
#include <sys/wait.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What two processes of one test tell each other. */
struct talk {
	struct book *book;
	_Atomic int ready, go, wrote;
};

static struct talk *talk;

static int setup_talk(void **state)
{
	book_setup_closed(state);
	talk = kid_share(sizeof *talk);
	talk->book = *state;
	return 0;
}

static int teardown_talk(void **state)
{
	kid_unshare(talk, sizeof *talk);
	return book_teardown(state);
}

static void ask_text(sqlite3 *handle, const char *sql, char out[64])
{
	sqlite3_stmt *s;

	assert_int_equal(sqlite3_prepare_v2(handle, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	snprintf(out, 64, "%s", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
}

/* ---- opening ---- */

static void every_pragma_is_in_force(void **state)
{
	static const struct {
		const char *name, *value;
	} expected[] = {
		{"busy_timeout", "2000"},
		{"foreign_keys", "1"},
		{"synchronous", "2"},
		{"wal_autocheckpoint", "0"},
		{"cache_spill", "0"},
		{"trusted_schema", "0"},
		{"mmap_size", "0"},
		{"cell_size_check", "1"},
		{"temp_store", "2"},
		{"journal_mode", "wal"},
		{"application_id", "1784771177"},
	};
	struct book *b = *state;
	char sql[64], got[64];

	assert_int_equal(DB_APPLICATION_ID, 1784771177);
	assert_int_equal(DB_VERSION, book_int(b->db.handle, "SELECT max(version) FROM migrations"));
	for (size_t i = 0; i < COUNT(expected); i++) {
		snprintf(sql, sizeof sql, "PRAGMA %s", expected[i].name);
		ask_text(b->db.handle, sql, got);
		if (strcmp(got, expected[i].value) != 0)
			fail_msg("%s is %s", expected[i].name, got);
	}
}

static void every_switch_and_limit_is_in_force(void **state)
{
	static const int on[] = {SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE};
	static const int off[] = {SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML};
	static const int limited[] = {SQLITE_LIMIT_LENGTH,
				      SQLITE_LIMIT_SQL_LENGTH,
				      SQLITE_LIMIT_COLUMN,
				      SQLITE_LIMIT_EXPR_DEPTH,
				      SQLITE_LIMIT_VDBE_OP,
				      SQLITE_LIMIT_ATTACHED,
				      SQLITE_LIMIT_FUNCTION_ARG,
				      SQLITE_LIMIT_TRIGGER_DEPTH,
				      SQLITE_LIMIT_COMPOUND_SELECT,
				      SQLITE_LIMIT_VARIABLE_NUMBER,
				      SQLITE_LIMIT_LIKE_PATTERN_LENGTH};
	struct book *b = *state;
	sqlite3 *plain = book_plain(b->path);
	int value;

	for (size_t i = 0; i < COUNT(on); i++) {
		sqlite3_db_config(b->db.handle, on[i], -1, &value);
		assert_int_equal(value, 1);
	}
	for (size_t i = 0; i < COUNT(off); i++) {
		sqlite3_db_config(b->db.handle, off[i], -1, &value);
		assert_int_equal(value, 0);
	}
	for (size_t i = 0; i < COUNT(limited); i++)
		assert_true(sqlite3_limit(b->db.handle, limited[i], -1) < sqlite3_limit(plain, limited[i], -1));
	assert_true(sqlite3_hard_heap_limit64(-1) > 0);
	assert_int_not_equal(book_try(b->db.handle, "SELECT \"no such column\""), SQLITE_OK);
	assert_int_not_equal(book_try(b->db.handle, "ATTACH ':memory:' AS other"), SQLITE_OK);
	sqlite3_close(plain);
}

static enum err open_and_close(const char *dir)
{
	struct db db;
	enum err e = db_open(&db, dir, NULL);

	if (e == ERR_OK)
		db_close(&db);
	assert_null(db.handle);
	return e;
}

static void a_missing_book_is_refused_and_not_made(void **state)
{
	char dir[64], path[4096];

	(void)state;
	book_make_dir(dir);
	db_path(dir, path);
	assert_int_equal(open_and_close(dir), ERR_BOOK_GONE);
	assert_int_not_equal(access(path, F_OK), 0);
	book_remove_dir(dir);
}

static void garbage_is_foreign(void **state)
{
	char dir[64], path[4096], garbage[8192];

	(void)state;
	book_make_dir(dir);
	db_path(dir, path);
	memset(garbage, 'x', sizeof garbage);
	book_write_file(path, garbage, sizeof garbage);
	assert_int_equal(open_and_close(dir), ERR_BOOK_FOREIGN);
	book_write_file(path, "", 0); /* an empty file is no book yet */
	assert_int_equal(open_and_close(dir), ERR_BOOK_FOREIGN);
	book_remove_dir(dir);
}

static void other_peoples_and_newer_books_are_refused(void **state)
{
	struct book *b = *state;
	sqlite3 *plain = book_plain(b->path);

	assert_int_equal(open_and_close(b->dir), ERR_OK);
	book_exec(plain, "PRAGMA user_version=%d", DB_VERSION + 1);
	assert_int_equal(open_and_close(b->dir), ERR_BOOK_NEWER);
	book_exec(plain, "PRAGMA user_version=0"); /* waits for its migration */
	assert_int_equal(open_and_close(b->dir), ERR_BOOK_OLDER);
	book_exec(plain, "PRAGMA user_version=%d; PRAGMA application_id=1", DB_VERSION);
	assert_int_equal(open_and_close(b->dir), ERR_BOOK_FOREIGN);
	book_exec(plain, "PRAGMA application_id=%d", DB_APPLICATION_ID);
	assert_int_equal(open_and_close(b->dir), ERR_OK);
	sqlite3_close(plain);
}

static void a_book_that_is_not_in_wal_mode_is_refused(void **state)
{
	struct book *b = *state;
	sqlite3 *plain = book_plain(b->path);

	book_exec(plain, "PRAGMA journal_mode=DELETE");
	sqlite3_close(plain);
	assert_int_equal(open_and_close(b->dir), ERR_INTERNAL);
	plain = book_plain(b->path);
	book_exec(plain, "PRAGMA journal_mode=WAL");
	sqlite3_close(plain);
}

static int keep_the_file(void *arg)
{
	sqlite3 *plain = NULL;

	(void)arg;
	sqlite3_open(talk->book->path, &plain);
	if (sqlite3_exec(plain, "PRAGMA locking_mode=EXCLUSIVE; BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
		return 1;
	atomic_store(&talk->ready, 1);
	clock_sleep_ms(150);
	sqlite3_close(plain);
	return 0;
}

/* After a crash the first opener repairs the log and the others must wait for it, not give up. */
static void opening_waits_for_who_has_the_file_for_itself(void **state)
{
	struct book *b = *state;
	pid_t kid = kid_start(keep_the_file, NULL);

	assert_true(kid_wait(&talk->ready));
	assert_int_equal(open_and_close(b->dir), ERR_OK);
	assert_int_equal(kid_end(kid), 0);
}

/* ---- what SQLite says and what we say ---- */

static void each_code_has_its_meaning(void **state)
{
	static const struct {
		int rc;
		enum err e;
	} rows[] = {
		{SQLITE_OK, ERR_OK},
		{SQLITE_ROW, ERR_OK},
		{SQLITE_DONE, ERR_OK},
		{SQLITE_BUSY, ERR_BOOK_BUSY},
		{SQLITE_BUSY_SNAPSHOT, ERR_BOOK_BUSY},
		{SQLITE_BUSY_RECOVERY, ERR_BOOK_BUSY},
		{SQLITE_LOCKED, ERR_BOOK_BUSY},
		{SQLITE_FULL, ERR_BOOK_UNWRITABLE},
		{SQLITE_READONLY, ERR_BOOK_UNWRITABLE},
		{SQLITE_READONLY_DBMOVED, ERR_BOOK_UNWRITABLE},
		{SQLITE_IOERR_READ, ERR_BOOK_UNWRITABLE},
		{SQLITE_CANTOPEN, ERR_BOOK_UNWRITABLE},
		{SQLITE_PERM, ERR_BOOK_UNWRITABLE},
		{SQLITE_CORRUPT, ERR_BOOK_DAMAGED},
		{SQLITE_CORRUPT_INDEX, ERR_BOOK_DAMAGED},
		{SQLITE_NOTADB, ERR_BOOK_FOREIGN},
		{SQLITE_NOMEM, ERR_NO_MEMORY},
		{SQLITE_IOERR_NOMEM, ERR_BOOK_UNWRITABLE},
		{SQLITE_CONSTRAINT_UNIQUE, ERR_INTERNAL}, /* of an index that no statement may break */
		{SQLITE_CONSTRAINT_PRIMARYKEY, ERR_INTERNAL},
		{SQLITE_CONSTRAINT_CHECK, ERR_INTERNAL},
		{SQLITE_CONSTRAINT_FOREIGNKEY, ERR_INTERNAL},
		{SQLITE_ERROR, ERR_INTERNAL},
		{SQLITE_MISUSE, ERR_INTERNAL},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(db_error(NULL, rows[i].rc), rows[i].e);
}

static enum err meaning(sqlite3 *handle, const char *sql)
{
	return db_error(handle, book_try(handle, "%s", sql));
}

static void the_word_of_a_trigger_becomes_the_failure(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;

	book_slot(h, 1, "2026-01-20", "11:00", 4);
	book_reservation(h, 1, 1, 1, 3, "CONFIRMED", "");
	assert_int_equal(meaning(h, "INSERT INTO reservations (reservation_code, slot_id, user_id, party_size,"
				    " reservation_type, status) VALUES ('R2', 1, 2, 2, 'RESERVATION_DEPOSIT', 'CONFIRMED')"),
			 ERR_SLOT_FULL);
	assert_int_equal(meaning(h, "UPDATE reservations SET status = 'EXPIRED'"), ERR_BAD_MOVE);
	assert_int_equal(meaning(h, "DELETE FROM reservations"), ERR_NEVER_DELETED);
	book_exec(h, "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_max) VALUES (1, 1, 'A', 2)");
	assert_int_equal(meaning(h, "UPDATE reservations SET table_id = 1"), ERR_WRONG_TABLE);
	assert_int_equal(meaning(h, "UPDATE reservations SET party_size = 0"), ERR_INTERNAL);
	assert_int_equal(meaning(h, "UPDATE reservations SET user_id = 99"), ERR_INTERNAL);
}

static void a_unique_failure_means_what_its_index_stands_for(void **state)
{
	static const char add[] = "INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type,"
				  " status, table_id, idempotency_key, ticket) VALUES ";
	static const struct {
		const char *row;
		enum err means;
	} rows[] = {
		{"('R2', 1, 1, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED', NULL, NULL, NULL)", ERR_DUPLICATE},
		{"('R2', 2, 1, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED', NULL, 'key', NULL)", ERR_KEY_REUSED},
		{"('R2', 1, 2, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED', 1, NULL, NULL)", ERR_WRONG_TABLE},
		{"('R1', 1, 2, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED', NULL, NULL, NULL)", ERR_CODE_TAKEN},
		{"('R2', 1, 2, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED', NULL, NULL, 7)", ERR_NEVER_DELETED},
	};
	struct book *b = *state;
	char sql[512];
	int64_t id = 0, other = -7;

	book_slot(b->db.handle, 1, "2026-01-20", "11:00", 40);
	book_slot(b->db.handle, 2, "2026-01-20", "12:00", 40);
	book_exec(b->db.handle, "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_max) VALUES (1, 1, 'A', 4)");
	book_exec(b->db.handle, "%s('R1', 1, 1, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED', 1, 'key', 7)", add);
	for (size_t i = 0; i < COUNT(rows); i++) {
		snprintf(sql, sizeof sql, "%s%s", add, rows[i].row);
		assert_int_equal(meaning(b->db.handle, sql), rows[i].means);
	}

	assert_int_equal(staff_add(&b->db, USER_STAFF, "A", "a@example.com", NULL, false, "test", 0, &id), ERR_OK);
	assert_int_equal(staff_add(&b->db, USER_OWNER, "B", "A@Example.com", NULL, false, "test", 0, &other), ERR_DUPLICATE);
	assert_int_equal(other, -7);
	assert_true(sqlite3_get_autocommit(b->db.handle));
}

static void a_full_disk_is_unwritable_and_nothing_is_half_written(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;
	enum err e = ERR_OK;
	int64_t before;
	int n = 0;

	book_exec(h, "PRAGMA max_page_count=%lld", (long long)book_int(h, "PRAGMA page_count"));
	while (n++ < 500 && e == ERR_OK) {
		before = book_int(h, "SELECT count(*) FROM users");
		e = book_add_guest(&b->db);
	}
	assert_int_equal(e, ERR_BOOK_UNWRITABLE);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users"), before);
	assert_false(db_poisoned(&b->db));
	book_exec(h, "PRAGMA max_page_count=100000"); /* the disk has room again */
	assert_int_equal(book_add_guest(&b->db), ERR_OK);
}

static void a_read_only_book_is_unwritable(void **state)
{
	struct book *b = *state;

	book_exec(b->db.handle, "PRAGMA query_only=1");
	assert_int_equal(book_add_guest(&b->db), ERR_BOOK_UNWRITABLE);
	book_exec(b->db.handle, "PRAGMA query_only=0");
	assert_int_equal(book_add_guest(&b->db), ERR_OK);
}

static int hold_sqlite_lock(void *arg)
{
	sqlite3 *plain = NULL;

	(void)arg;
	sqlite3_open(talk->book->path, &plain);
	sqlite3_busy_timeout(plain, 2000);
	if (sqlite3_exec(plain, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
		return 1;
	atomic_store(&talk->ready, 1);
	kid_wait(&talk->go);
	return 0; /* with its process go its locks */
}

static void a_foreign_writer_makes_it_busy_and_the_pen_is_given_back(void **state)
{
	struct book *b = *state;
	pid_t kid = kid_start(hold_sqlite_lock, NULL);
	bool inherited;

	assert_true(kid_wait(&talk->ready));
	book_open(b);
	sqlite3_busy_timeout(b->db.handle, 20);
	assert_int_equal(db_begin(&b->db), ERR_BOOK_BUSY);
	assert_int_equal(pen_take(b->hall.pen, 0, &inherited), ERR_OK);
	pen_release(b->hall.pen);
	atomic_store(&talk->go, 1);
	assert_int_equal(kid_end(kid), 0);
	assert_int_equal(book_add_guest(&b->db), ERR_OK);
}

/* ---- transactions ---- */

static void what_ends_well_is_kept_and_what_does_not_is_gone(void **state)
{
	struct book *b = *state;
	sqlite3 *other = book_plain(b->path);

	assert_int_equal(db_begin(&b->db), ERR_OK);
	book_exec(b->db.handle, "UPDATE users SET note = 'kept' WHERE user_id = 1");
	assert_int_equal(book_int(other, "SELECT count(*) FROM users WHERE note IS NOT NULL"), 0);
	assert_int_equal(db_end(&b->db, ERR_OK), ERR_OK);
	assert_int_equal(book_int(other, "SELECT count(*) FROM users WHERE note = 'kept'"), 1);

	assert_int_equal(db_begin(&b->db), ERR_OK);
	book_exec(b->db.handle, "UPDATE users SET note = 'gone'");
	assert_int_equal(db_end(&b->db, ERR_SLOT_FULL), ERR_SLOT_FULL);
	assert_true(sqlite3_get_autocommit(b->db.handle));
	assert_int_equal(book_int(other, "SELECT count(*) FROM users WHERE note = 'gone'"), 0);
	assert_int_equal(pen_holder(b->hall.pen), 0);
	sqlite3_close(other);
}

static void a_transaction_that_sqlite_rolled_back_itself_ends_too(void **state)
{
	struct book *b = *state;

	assert_int_equal(db_begin(&b->db), ERR_OK);
	book_exec(b->db.handle, "ROLLBACK"); /* as after a full disk */
	assert_int_equal(db_end(&b->db, ERR_BOOK_UNWRITABLE), ERR_BOOK_UNWRITABLE);
	assert_int_equal(book_add_guest(&b->db), ERR_OK);
}

static int write_second(void *arg)
{
	struct db db;
	int late;

	(void)arg;
	if (db_open(&db, talk->book->dir, &talk->book->hall) != ERR_OK)
		return 1;
	atomic_store(&talk->ready, 1);
	kid_wait(&talk->go);
	if (db_begin(&db) != ERR_OK)
		return 2;
	late = atomic_load(&talk->wrote);
	if (sqlite3_exec(db.handle, "UPDATE users SET note = note || ', second' WHERE user_id = 1", NULL, NULL, NULL))
		return 3;
	if (db_end(&db, ERR_OK) != ERR_OK)
		return 4;
	db_close(&db);
	return late ? 0 : 5;
}

static void no_other_process_writes_between_begin_and_end(void **state)
{
	struct book *b = *state;
	pid_t kid = kid_start(write_second, NULL);

	book_open(b);
	assert_true(kid_wait(&talk->ready));
	assert_int_equal(db_begin(&b->db), ERR_OK);
	atomic_store(&talk->go, 1);
	clock_sleep_ms(60); /* long enough for the other to be at the pen */
	book_exec(b->db.handle, "UPDATE users SET note = 'first' WHERE user_id = 1");
	atomic_store(&talk->wrote, 1);
	assert_int_equal(db_end(&b->db, ERR_OK), ERR_OK);
	assert_int_equal(kid_end(kid), 0);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM users WHERE note = 'first, second'"), 1);
}

static int die_writing(void *arg)
{
	struct db db;

	(void)arg;
	if (db_open(&db, talk->book->dir, &talk->book->hall) != ERR_OK || db_begin(&db) != ERR_OK)
		return 1;
	if (sqlite3_exec(db.handle, "UPDATE users SET note = 'half'", NULL, NULL, NULL) != SQLITE_OK)
		return 2;
	kid_die();
}

static void a_killed_writer_leaves_the_pen_and_an_unchanged_book(void **state)
{
	struct book *b = *state;

	for (int i = 1; i <= 3; i++) {
		assert_true(kid_run(die_writing, NULL) > KID_KILLED);
		book_open(b);
		assert_int_equal(book_add_guest(&b->db), ERR_OK);
		assert_int_equal(counters_get(b->hall.counters, COUNTER_pen_inherited), i);
		assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM users WHERE note IS NOT NULL"), 0);
		assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM users"), 2 + i);
		book_close(b);
	}
}

/* ---- the log ---- */

static int64_t wal_bytes(const struct book *b)
{
	char path[4200];
	struct stat st;

	snprintf(path, sizeof path, "%s-wal", b->path);
	return stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
}

enum { FRAME = DB_PAGE_SIZE + 24, COMMITS = 20000, SLACK_PAGES = 64 };

static void the_log_stays_small_over_twenty_thousand_commits(void **state)
{
	struct book *b = *state;
	int64_t largest = 0, bytes;

	for (int i = 0; i < COMMITS; i++) {
		assert_int_equal(db_begin(&b->db), ERR_OK);
		assert_int_equal(stmt_run(&b->db, SQL_PASSWORD_SET, "iti", (int64_t)1, "x", (int64_t)i + 1), ERR_OK);
		assert_int_equal(db_end(&b->db, ERR_OK), ERR_OK);
		if (i % 100 == 0 && (bytes = wal_bytes(b)) > largest)
			largest = bytes;
	}
	assert_int_equal(book_int(b->db.handle, "SELECT token_version FROM users WHERE user_id = 1"), COMMITS + 1);
	assert_true(largest <= (DB_CHECKPOINT_PAGES + SLACK_PAGES) * (int64_t)FRAME);
	assert_true(counters_get(b->hall.counters, COUNTER_checkpoints) >= COMMITS / (DB_CHECKPOINT_PAGES + SLACK_PAGES));
}

/* The control: without db_end's checkpoint the same commits make the log grow past the bound. */
static void without_the_checkpoint_the_log_would_grow(void **state)
{
	struct book *b = *state;

	for (int i = 0; i < 3 * DB_CHECKPOINT_PAGES; i++)
		book_exec(b->db.handle, "UPDATE users SET token_version = token_version + 1 WHERE user_id = 1");
	assert_true(wal_bytes(b) > (DB_CHECKPOINT_PAGES + SLACK_PAGES) * (int64_t)FRAME);
	assert_int_equal(book_add_guest(&b->db), ERR_OK); /* and here it is emptied */
	assert_int_equal(counters_get(b->hall.counters, COUNTER_checkpoints), 1);
}

static int refuse_commit(void *arg, int action, const char *what, const char *b, const char *c, const char *d)
{
	(void)arg, (void)b, (void)c, (void)d;
	return action == SQLITE_TRANSACTION && strcmp(what, "COMMIT") == 0 ? SQLITE_DENY : SQLITE_OK;
}

static void a_read_that_cannot_be_committed_ends_too(void **state)
{
	struct book *b = *state;

	assert_int_equal(db_read_begin(&b->db), ERR_OK);
	sqlite3_finalize(b->db.statements[SQL_COMMIT]);
	b->db.statements[SQL_COMMIT] = NULL;
	sqlite3_set_authorizer(b->db.handle, refuse_commit, NULL);
	db_read_end(&b->db);
	sqlite3_set_authorizer(b->db.handle, NULL, NULL);
	assert_true(sqlite3_get_autocommit(b->db.handle));
	assert_int_equal(db_read_begin(&b->db), ERR_OK);
	db_read_end(&b->db);
}

static void a_reader_delays_the_checkpoint_and_loses_nothing(void **state)
{
	struct book *b = *state;
	sqlite3 *reader = book_plain(b->path);
	bool inherited;

	book_exec(reader, "BEGIN; SELECT count(*) FROM users");
	assert_int_equal(book_add_guest(&b->db), ERR_OK);
	assert_int_equal(pen_take(b->hall.pen, 0, &inherited), ERR_OK);
	assert_int_equal(wal_checkpoint_locked(&b->db, true), ERR_BOOK_BUSY);
	assert_int_equal(book_int(reader, "SELECT count(*) FROM users"), 2);
	book_exec(reader, "COMMIT");
	assert_int_equal(wal_checkpoint_locked(&b->db, true), ERR_OK);
	assert_int_equal(wal_bytes(b), 0);
	pen_release(b->hall.pen);
	assert_int_equal(book_int(reader, "SELECT count(*) FROM users"), 3);
	sqlite3_close(reader);
}

/* The book's own file, which cannot be written; its log can. */
static struct {
	sqlite3_file *file;
	const sqlite3_io_methods *real;
	sqlite3_io_methods full;
} book_file;

static int refuse_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 offset)
{
	(void)f, (void)bytes, (void)n, (void)offset;
	return SQLITE_FULL;
}

static void fill_disk(struct db *db)
{
	assert_int_equal(sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_FILE_POINTER, &book_file.file), SQLITE_OK);
	book_file.real = book_file.file->pMethods;
	book_file.full = *book_file.real;
	book_file.full.xWrite = refuse_write;
	book_file.file->pMethods = &book_file.full;
}

static void a_checkpoint_that_fails_is_told_and_tried_again_after_a_while(void **state)
{
	struct book *b = *state;
	struct writes *w = b->hall.writes;

	fill_disk(&b->db);
	b->db.checkpoint_at = 1;
	assert_int_equal(book_add_guest(&b->db), ERR_OK); /* the commit stands */
	assert_int_equal(counters_get(b->hall.counters, COUNTER_checkpoints), 1);
	assert_int_not_equal(writes_fault(w), ERR_OK);
	for (int i = 0; i < 5; i++)
		assert_int_equal(book_add_guest(&b->db), ERR_OK);
	writes_empty_log(w); /* a guest was erased: it must be empty, but not at the price of a try in every turn */
	assert_int_equal(wal_tidy(&b->db), ERR_OK);
	assert_int_equal(counters_get(b->hall.counters, COUNTER_checkpoints), 1);
	setenv("JARI_MONO_SHIFT_MS", "10000", 1);
	assert_int_equal(wal_tidy(&b->db), ERR_BOOK_UNWRITABLE);
	assert_int_not_equal(writes_fault(w), ERR_OK);
	book_file.file->pMethods = book_file.real;
	setenv("JARI_MONO_SHIFT_MS", "20000", 1);
	assert_int_equal(wal_tidy(&b->db), ERR_OK);
	unsetenv("JARI_MONO_SHIFT_MS");
	assert_int_equal(counters_get(b->hall.counters, COUNTER_checkpoints), 3);
	assert_false(writes_log_to_empty(w));
	assert_int_equal(wal_bytes(b), 0);
}

/* ---- the hall ---- */

static void a_writer_follows_the_hall_when_it_is_removed(void **state)
{
	struct book *b = *state;
	struct hall other = {0};

	assert_int_equal(book_add_guest(&b->db), ERR_OK);
	assert_int_equal(shm_unlink(b->hall.shm.name), 0);
	assert_int_equal(hall_attach(&other, b->dir), ERR_OK); /* a newcomer makes the next one */
	assert_int_equal(db_begin(&b->db), ERR_OK);
	assert_false(shm_gone(&b->hall.shm));
	assert_int_equal(pen_holder(other.pen), getpid()); /* one pen again */
	assert_int_equal(db_end(&b->db, ERR_OK), ERR_OK);
	assert_int_equal(counters_get(other.counters, COUNTER_pen_takes), 1);
	hall_detach(&other);
}

static void a_hall_that_cannot_be_found_again_is_an_error_until_it_can(void **state)
{
	struct book *b = *state;
	char away[80];

	snprintf(away, sizeof away, "%s-away", b->dir);
	assert_int_equal(shm_unlink(b->hall.shm.name), 0);
	assert_int_equal(rename(b->dir, away), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(db_begin(&b->db), ERR_BOOK_UNWRITABLE);
	assert_int_equal(rename(away, b->dir), 0);
	assert_int_equal(book_add_guest(&b->db), ERR_OK);
}

#define OPEN(name) cmocka_unit_test_setup_teardown(name, book_setup, book_teardown)
#define TALK(name) cmocka_unit_test_setup_teardown(name, setup_talk, teardown_talk)

/* A reader that stays: its process is named, and once it has left the log gives its space back. */
static void a_log_that_grew_beside_a_reader_gives_its_space_back(void **state)
{
	struct book *b = *state;
	int go[2], there[2];
	char byte = 0, log[4200];
	struct stat st;
	pid_t reader;

	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(there), 0);
	reader = fork();
	assert_true(reader >= 0);
	if (reader == 0) {
		sqlite3 *h = book_plain(b->path);

		book_exec(h, "BEGIN; SELECT count(*) FROM users");
		if (write(there[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 1)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(read(there[0], &byte, 1), 1);
	for (int i = 0; i < 12; i++) {
		assert_int_equal(db_begin(&b->db), ERR_OK);
		book_exec(b->db.handle,
			  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)"
			  " INSERT INTO audit (at, actor, entity, entity_id, change, reason) SELECT '2026-01-01T00:00:00Z',"
			  " 'test', 'box', 1, 'log', hex(zeroblob(1950)) FROM n");
		assert_int_equal(db_end(&b->db, ERR_OK), ERR_OK);
	}
	snprintf(log, sizeof log, "%s-wal", b->path);
	assert_int_equal(stat(log, &st), 0);
	assert_true(st.st_size > (off_t)DB_LOG_LONG_PAGES * DB_PAGE_SIZE);
	assert_int_equal(holders_reader(b->path), reader);
	assert_int_equal(write(go[1], &byte, 1), 1);
	assert_int_equal(waitpid(reader, NULL, 0), reader);
	assert_int_equal(holders_reader(b->path), 0);
	setenv("JARI_MONO_SHIFT_MS", "10000", 1); /* the keeper looks again after a while, also when no guest books */
	assert_int_equal(wal_tidy(&b->db), ERR_OK);
	unsetenv("JARI_MONO_SHIFT_MS");
	assert_int_equal(stat(log, &st), 0);
	assert_int_equal(st.st_size, 0);
	for (int i = 0; i < 4; i++)
		close((int[]){go[0], go[1], there[0], there[1]}[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OPEN(every_pragma_is_in_force),
		OPEN(every_switch_and_limit_is_in_force),
		cmocka_unit_test(a_missing_book_is_refused_and_not_made),
		cmocka_unit_test(garbage_is_foreign),
		TALK(other_peoples_and_newer_books_are_refused),
		TALK(a_book_that_is_not_in_wal_mode_is_refused),
		TALK(opening_waits_for_who_has_the_file_for_itself),
		cmocka_unit_test(each_code_has_its_meaning),
		OPEN(the_word_of_a_trigger_becomes_the_failure),
		OPEN(a_unique_failure_means_what_its_index_stands_for),
		OPEN(a_full_disk_is_unwritable_and_nothing_is_half_written),
		OPEN(a_read_only_book_is_unwritable),
		TALK(a_foreign_writer_makes_it_busy_and_the_pen_is_given_back),
		OPEN(what_ends_well_is_kept_and_what_does_not_is_gone),
		OPEN(a_transaction_that_sqlite_rolled_back_itself_ends_too),
		TALK(no_other_process_writes_between_begin_and_end),
		TALK(a_killed_writer_leaves_the_pen_and_an_unchanged_book),
		OPEN(the_log_stays_small_over_twenty_thousand_commits),
		OPEN(without_the_checkpoint_the_log_would_grow),
		OPEN(a_read_that_cannot_be_committed_ends_too),
		OPEN(a_reader_delays_the_checkpoint_and_loses_nothing),
		OPEN(a_checkpoint_that_fails_is_told_and_tried_again_after_a_while),
		OPEN(a_writer_follows_the_hall_when_it_is_removed),
		OPEN(a_hall_that_cannot_be_found_again_is_an_error_until_it_can),
		cmocka_unit_test_setup_teardown(a_log_that_grew_beside_a_reader_gives_its_space_back, book_setup,
						book_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
