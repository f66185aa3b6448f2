/*
 * db.c - the book: connections and transactions.
 */
#include "db.h"

#include "clock.h"
#include "failpoint.h"
#include "heap.h"
#include "log.h"
#include "migrate.h"
#include "pragmas.h"
#include "shown.h"
#include "swap.h"
#include "wal.h"
#include "watch.h"
#include "zone.h"

#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	FOREIGN_BUSY_MS = 50,
	LOOK_MS = 100,  /* a read looks this often whether the file is still there */
	OPEN_TRIES = 5, /* of a book that is being replaced meanwhile */
};

const char *const db_shell_setup[] = {"PRAGMA wal_autocheckpoint=0; PRAGMA foreign_keys=ON;", ".dbconfig no_ckpt_on_close on"};
static_assert(sizeof db_shell_setup / sizeof db_shell_setup[0] == DB_SHELL_SETUP, "as db.h says");

void db_path(const char *dir, char out[4096])
{
	snprintf(out, 4096, "%s/jari.db", dir);
}

/* What it means that a unique index is broken, by the end of SQLite's message, which names columns or index. */
static const struct {
	const char *broken;
	enum err means;
} uniques[] = {
	{"reservations.user_id, reservations.slot_id, reservations.is_active, reservations.change_beside", ERR_DUPLICATE},
	{"reservations.change_of, reservations.is_active", ERR_BAD_MOVE},
	{"reservations.user_id, reservations.idempotency_key", ERR_KEY_REUSED},
	{"reservations.restaurant_id, reservations.desk_key", ERR_KEY_REUSED},
	{"reservations.slot_id, reservations.table_id", ERR_WRONG_TABLE},
	{"reservations.reservation_code", ERR_CODE_TAKEN},
	{"index 'users_login'", ERR_DUPLICATE},
};

static enum err broken_rule(int rc, const char *text)
{
	const char *what = strstr(text, "failed: ");

	if (rc == SQLITE_CONSTRAINT_TRIGGER)
		return err_from_text(text);
	if (rc != SQLITE_CONSTRAINT_UNIQUE || !what)
		return ERR_OK;
	for (size_t i = 0; i < sizeof uniques / sizeof uniques[0]; i++)
		if (strcmp(what + strlen("failed: "), uniques[i].broken) == 0)
			return uniques[i].means;
	return ERR_OK;
}

enum err db_error(sqlite3 *handle, int rc)
{
	const char *text = handle ? sqlite3_errmsg(handle) : sqlite3_errstr(rc);
	enum err e;

	switch (rc & 0xff) {
	case SQLITE_OK:
	case SQLITE_ROW:
	case SQLITE_DONE:
		return ERR_OK;
	case SQLITE_CONSTRAINT:
		e = broken_rule(rc, text);
		if (e != ERR_OK)
			return e;
		e = ERR_INTERNAL;
		break;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		e = ERR_BOOK_BUSY;
		break;
	case SQLITE_READONLY:
	case SQLITE_FULL:
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
		e = ERR_BOOK_UNWRITABLE;
		break;
	case SQLITE_CORRUPT:
		e = ERR_BOOK_DAMAGED;
		break;
	case SQLITE_NOTADB:
		e = ERR_BOOK_FOREIGN;
		break;
	case SQLITE_NOMEM:
		e = ERR_NO_MEMORY;
		break;
	default:
		e = ERR_INTERNAL;
	}
	log_error("book.error", "rc=%d means=%s text=\"%s\"", rc, err_word(e), text);
	return e;
}

const char *db_message(const struct db *db)
{
	return sqlite3_errmsg(db->handle);
}

enum err db_exec(sqlite3 *handle, const char *sql)
{
	return db_error(handle, sqlite3_exec(handle, sql, NULL, NULL, NULL));
}

enum err db_ask_text(sqlite3 *handle, const char *sql, char out[64])
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(handle, sql, -1, &s, NULL);

	out[0] = '\0';
	if (rc == SQLITE_OK)
		rc = sqlite3_step(s);
	if (rc == SQLITE_ROW)
		stmt_take(s, "t", out, (size_t)64);
	sqlite3_finalize(s);
	return db_error(handle, rc);
}

enum err db_ask(sqlite3 *handle, const char *sql, int64_t *out)
{
	char text[64];
	enum err e = db_ask_text(handle, sql, text);

	if (e == ERR_OK && *text)
		*out = strtoll(text, NULL, 10);
	return e;
}

/* utc_of(date, time, zone, offset): the instant of a local time; by the offset where the zone does not say. */
static void utc_of(sqlite3_context *context, int count, sqlite3_value **cells)
{
	const char *date = (const char *)sqlite3_value_text(cells[0]), *time = (const char *)sqlite3_value_text(cells[1]);
	const char *zone = (const char *)sqlite3_value_text(cells[2]);
	char out[CLOCK_ISO_SIZE];
	struct date day;
	int64_t utc;
	int minute;

	assert(count == 4);
	if (!date || !time || !zone || !text_date(date, &day) || !text_time(time, &minute))
		return;
	if (!zone_to_utc(zone, day, minute, &utc))
		utc = text_days(day) * 86400 + (minute - sqlite3_value_int64(cells[3])) * 60;
	clock_iso(utc, out);
	sqlite3_result_text(context, out, -1, SQLITE_TRANSIENT);
}

enum err db_open_plain(const char *path, int flags, sqlite3 **handle)
{
	int how = flags & SQLITE_OPEN_READONLY ? SQLITE_OPEN_EXRESCODE : SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE;
	int rc = sqlite3_open_v2(path, handle, how | flags, NULL);
	enum err e = db_error(*handle, rc);

	if (e != ERR_OK)
		return e;
	sqlite3_create_function(*handle, "utc_of", 4, SQLITE_UTF8, NULL, utc_of, NULL, NULL); /* for migrations */
	shown_add(*handle);
	return pragmas_set(*handle, PRAGMAS_PLAIN);
}

enum err db_identify(sqlite3 *handle, int64_t *version)
{
	int64_t id = 0;
	enum err e = db_ask(handle, "PRAGMA application_id", &id);

	if (e == ERR_OK)
		e = db_ask(handle, "PRAGMA user_version", version);
	if (e != ERR_OK)
		return e;
	if (id != DB_APPLICATION_ID)
		return ERR_BOOK_FOREIGN;
	return *version > DB_VERSION ? ERR_BOOK_NEWER : ERR_OK;
}

/* Were they ours that made it?  The same number alone may be another draft. */
static enum err check_scripts(sqlite3 *handle, int64_t version)
{
	char sql[120];
	int64_t ours = 0;
	enum err e = ERR_OK;

	if (version < DB_VERSION)
		return ERR_BOOK_OLDER; /* its migration has not run */
	snprintf(sql, sizeof sql, "SELECT hash = '%s' FROM migrations WHERE version = %d", migrate_hash(DB_VERSION),
		 DB_VERSION);
	e = db_ask(handle, sql, &ours);
	return e == ERR_OK && !ours ? ERR_BOOK_OLDER : e;
}

static int remember_wal_pages(void *arg, sqlite3 *handle, const char *name, int pages)
{
	struct db *db = arg;

	(void)handle;
	(void)name;
	if (db->hall) {
		writes_set_log_pages(db->hall->writes, pages);
		writes_saved(db->hall->writes); /* only a commit that wrote something comes here */
	}
	return SQLITE_OK;
}

static enum err open_now(struct db *db, const char *dir, struct hall *hall)
{
	char path[4096];
	int64_t version = 0;
	enum err e;
	int rc;

	*db = (struct db){.hall = hall, .checkpoint_at = DB_CHECKPOINT_PAGES, .told_pages = DB_LOG_LONG_PAGES};
	db_path(dir, path);
	/* jari's processes have one thread.  SQLite refuses this once it is in use, which does no harm. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	heap_keep();
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* its use of memory is never asked; counting costs each allocation */
	rc = sqlite3_open_v2(path, &db->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
	e = (rc & 0xff) == SQLITE_CANTOPEN && access(path, F_OK) != 0 && errno == ENOENT ? ERR_BOOK_GONE :
											   db_error(db->handle, rc);
	/* From the first read on: after a crash one process repairs the log and the others wait for it. */
	if (e == ERR_OK)
		sqlite3_busy_timeout(db->handle, DB_BUSY_MS); /* without memory there is no handle */
	if (e == ERR_OK)
		shown_add(db->handle);
	if (e == ERR_OK)
		e = db_identify(db->handle, &version);
	if (e == ERR_OK)
		e = check_scripts(db->handle, version);
	if (e == ERR_OK)
		e = pragmas_set(db->handle, PRAGMAS_SERVE);
	if (e != ERR_OK) {
		db_close(db);
		return e;
	}
	if (!hall && (e = db_exec(db->handle, "PRAGMA query_only=ON")) != ERR_OK) {
		db_close(db);
		return e;
	}
	/* After wal_autocheckpoint=0, which would take the hook away again. */
	sqlite3_wal_hook(db->handle, remember_wal_pages, db);
	/* The pages of the schema's words were read for the parser and are not needed again: a tenth of what a worker has. */
	sqlite3_db_release_memory(db->handle);
	malloc_trim(0);
	return ERR_OK;
}

static bool is_moved(const struct db *db)
{
	int moved = 0;

	return sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

/*
 * A restore that a crash has cut short is finished first.  One that begins while we open may leave us with the old file
 * and the new one's log, or with the new file and a log that the restore has removed: then we open again.
 */
enum err db_open(struct db *db, const char *dir, struct hall *hall)
{
	enum err e;

	for (int i = 0; i < OPEN_TRIES; i++) {
		uint64_t id = swap_book_id(dir);

		e = swap_finish(dir);
		if (e != ERR_OK)
			return e;
		FAILPOINT("db.open");
		e = open_now(db, dir, hall);
		FAILPOINT("db.open");
		if (!swap_pending(dir) && swap_book_id(dir) == id && (e != ERR_OK || !is_moved(db)))
			return e;
		if (e == ERR_OK)
			db_close(db);
	}
	return ERR_BOOK_BUSY;
}

enum err db_keep_more(struct db *db)
{
	return db_exec(db->handle, "PRAGMA cache_size=-8000");
}

void db_close(struct db *db)
{
	assert(!db->reading);
	stmt_finalize_all(db);
	sqlite3_close(db->handle);
	*db = (struct db){0};
}

bool db_is_gone(struct db *db)
{
	db->looked_ms = clock_mono_ms();
	if (!db->gone && is_moved(db) && !WITHOUT("gone")) {
		db->gone = true;
		log_error("book.gone", "file=%s it was moved, removed or replaced; nothing is written to it any more",
			  sqlite3_db_filename(db->handle, "main"));
	}
	return db->gone;
}

bool db_seems_gone(struct db *db)
{
	return db->gone || (clock_mono_ms() - db->looked_ms >= LOOK_MS && db_is_gone(db));
}

enum err db_tell_board(struct db *db, enum err e)
{
	int error = sqlite3_system_errno(db->handle);

	if (e == ERR_BOOK_UNWRITABLE || e == ERR_UNKNOWN)
		writes_failed(db->hall->writes, watch_reason(db->hall->dir, error));
	else if (e == ERR_BOOK_GONE || e == ERR_BOOK_DAMAGED || e == ERR_BOOK_FOREIGN)
		writes_failed(db->hall->writes, e);
	return e;
}

enum err db_begin_locked(struct db *db)
{
	enum err e;

	assert(db->hall && !db->poisoned && !db->reading && pen_is_ours(db->hall->pen));
	if (db_is_gone(db))
		return db_tell_board(db, ERR_BOOK_GONE);
	db->settings_changed = false;
	/* Only a foreign writer can be in the way; do not block the line on another program's lock. */
	sqlite3_busy_timeout(db->handle, FOREIGN_BUSY_MS);
	e = stmt_run(db, SQL_BEGIN, "");
	sqlite3_busy_timeout(db->handle, DB_BUSY_MS);
	return db_tell_board(db, e);
}

enum err db_begin(struct db *db)
{
	enum err e = hall_take_pen(db->hall, DB_PEN_MS);

	if (e != ERR_OK)
		return e;
	e = db_begin_locked(db);
	if (e != ERR_OK)
		hall_pass_pen(db->hall);
	return e;
}

void db_touch_settings(struct db *db)
{
	assert(!sqlite3_get_autocommit(db->handle));
	db->settings_changed = true;
}

enum err db_read_begin(struct db *db)
{
	enum err e = ERR_OK;

	if (db->reading == 0)
		e = stmt_run(db, SQL_READ, "");
	db->reading += e == ERR_OK;
	return e;
}

static void roll_back(struct db *db)
{
	if (!sqlite3_get_autocommit(db->handle))
		stmt_run(db, SQL_ROLLBACK, "");
}

/* A read that stayed open would keep the log from ever beginning anew, and the next one would see the same old moment. */
void db_read_end(struct db *db)
{
	assert(db->reading > 0);
	if (--db->reading > 0)
		return;
	if (stmt_run(db, SQL_COMMIT, "") != ERR_OK)
		roll_back(db);
	assert(sqlite3_get_autocommit(db->handle));
}

static enum err commit(struct db *db)
{
	enum err e = stmt_run(db, SQL_COMMIT, "");
	int rc = sqlite3_extended_errcode(db->handle);

	if (e == ERR_OK)
		return e;
	roll_back(db);
	if ((rc & 0xff) == SQLITE_BUSY || (rc & 0xff) == SQLITE_FULL)
		return e;
	/* A failed flush may or may not have reached the disk: only a fresh look at the book can tell. */
	db->poisoned = true;
	log_error("book.commit_unknown", "rc=%d", rc);
	return ERR_UNKNOWN;
}

enum err db_end_locked(struct db *db, enum err e)
{
	assert(pen_is_ours(db->hall->pen));
	if (e == ERR_OK)
		e = commit(db);
	else
		roll_back(db);
	if (e == ERR_OK && db->settings_changed)
		edition_new_settings(db->hall->edition);
	return db_tell_board(db, e);
}

enum err db_end(struct db *db, enum err e)
{
	e = db_end_locked(db, e);
	if (e == ERR_OK)
		wal_tidy_locked(db, 1);
	hall_pass_pen(db->hall);
	return e;
}

enum err db_sweep(struct db *db, enum sql_id any, enum sql_id forget, int64_t before_s)
{
	bool old = false;
	enum err e = stmt_get(db, stmt_use(db, any, "m", before_s), ERR_OK, "b", &old);

	if (e == ERR_OK && old)
		e = db_begin(db);
	return e == ERR_OK && old ? db_end(db, stmt_run(db, forget, "m", before_s)) : e;
}

bool db_poisoned(const struct db *db)
{
	return db->poisoned;
}
