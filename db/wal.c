/*
 * wal.c - the book's log: when it is folded into the book, and by whom.
 */
#include "wal.h"

#include "clock.h"
#include "failpoint.h"
#include "holders.h"
#include "log.h"

#include <assert.h>
#include <sqlite3.h>

enum {
	CHECKPOINT_BUSY_MS = 50, /* a reader may not delay the pen's holder longer than this */
	FOLD_BUSY_MS = 200,      /* the same when a book is about to give way, and its log would have to be kept as well */
	TRY_AGAIN_MS = 5000,
};

/*
 * Not PASSIVE: FULL and TRUNCATE hold SQLite's own writer lock as well, so that even a foreign
 * writer (a plain sqlite3 shell) cannot commit into the checkpoint.
 */
static int checkpoint(sqlite3 *handle, bool truncate, int busy_ms)
{
	int mode = truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_FULL, rc;

	sqlite3_busy_timeout(handle, busy_ms);
	rc = sqlite3_wal_checkpoint_v2(handle, "main", mode, NULL, NULL);
	sqlite3_busy_timeout(handle, DB_BUSY_MS);
	return rc;
}

/* Its log cannot begin anew until that process is done; each time it has grown to twice the size. */
static void tell_who_reads(struct db *db)
{
	int pages = writes_log_pages(db->hall->writes);

	if (pages < db->told_pages)
		return;
	db->told_pages = 2 * pages;
	log_warn("book.log_grows", "pages=%d reader=%d it reads the book without an end, and the log grows until it is done",
		 pages, holders_reader(sqlite3_db_filename(db->handle, "main")));
}

enum err wal_checkpoint_locked(struct db *db, bool truncate)
{
	enum err e;
	int rc;

	assert(pen_is_ours(db->hall->pen) && sqlite3_get_autocommit(db->handle));
	FAILPOINT("db.checkpoint");
	rc = checkpoint(db->handle, truncate, CHECKPOINT_BUSY_MS);
	counters_count(db->hall->counters, COUNTER_checkpoints);
	e = rc == SQLITE_BUSY ? ERR_BOOK_BUSY : db_tell_board(db, db_error(db->handle, rc));
	/* A reader is in the way (a backup), or the disk is full: let the log grow by as much again before the next attempt. */
	db->tried_ms = e == ERR_OK ? 0 : clock_mono_ms();
	db->checkpoint_at = (e == ERR_OK ? 0 : writes_log_pages(db->hall->writes)) + DB_CHECKPOINT_PAGES;
	if (e == ERR_BOOK_BUSY)
		tell_who_reads(db);
	if (e == ERR_OK) {
		writes_set_log_pages(db->hall->writes, 0);
		db->told_pages = DB_LOG_LONG_PAGES;
		if (truncate)
			writes_log_emptied(db->hall->writes);
	}
	return e;
}

/* A log that a reader kept from beginning anew is long, and that reader may have left. */
static bool is_overdue(const struct db *db, int pages)
{
	return pages >= DB_LOG_LONG_PAGES && db->tried_ms && clock_mono_ms() - db->tried_ms >= TRY_AGAIN_MS;
}

enum err wal_tidy_locked(struct db *db, int times)
{
	int pages = writes_log_pages(db->hall->writes);

	if (pages < times * db->checkpoint_at && !is_overdue(db, pages))
		return ERR_OK;
	/* One that grew beside a long reader gives its space back; after that, it begins anew in the same file. */
	return wal_checkpoint_locked(db, pages >= DB_LOG_LONG_PAGES);
}

/* What was erased stands in the log as well until it is empty.  What was in the way is tried again after a while. */
static bool is_to_empty(const struct db *db)
{
	return writes_log_to_empty(db->hall->writes) && (!db->tried_ms || clock_mono_ms() - db->tried_ms >= TRY_AGAIN_MS);
}

enum err wal_tidy(struct db *db)
{
	int pages = writes_log_pages(db->hall->writes);
	enum err e;

	if (pages < db->checkpoint_at && !is_overdue(db, pages) && !is_to_empty(db))
		return ERR_OK;
	e = hall_take_pen(db->hall, DB_PEN_MS);
	if (e != ERR_OK)
		return e;
	e = is_to_empty(db) ? wal_checkpoint_locked(db, true) : wal_tidy_locked(db, 1);
	hall_pass_pen(db->hall);
	return e == ERR_BOOK_BUSY ? ERR_OK : e; /* a reader is no fault: a later checkpoint goes on */
}

enum err wal_fold_locked(const char *path)
{
	sqlite3 *handle = NULL;
	enum err e = db_open_plain(path, 0, &handle);
	int rc;

	if (e == ERR_OK) {
		rc = checkpoint(handle, true, FOLD_BUSY_MS);
		e = rc == SQLITE_BUSY ? ERR_BOOK_BUSY : db_error(handle, rc);
	}
	sqlite3_close(handle);
	return e;
}

enum err wal_settle(struct db *db)
{
	enum err e = hall_take_pen(db->hall, DB_PEN_MS);

	if (e != ERR_OK)
		return e;
	e = wal_checkpoint_locked(db, true);
	hall_pass_pen(db->hall);
	return e;
}
