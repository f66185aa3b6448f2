/*
 * db.c - the book: connections, transactions, checkpoints.
 */
#include "db.h"

#include "clock.h"
#include "failpoint.h"
#include "log.h"
#include "migrate.h"
#include "swap.h"
#include "watch.h"
#include "zone.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FOREIGN_BUSY_MS = 50,
	CHECKPOINT_BUSY_MS = 50, /* a reader may not delay the pen's holder longer than this */
	FOLD_BUSY_MS = 200,      /* the same when a book is about to give way, and its log would have to be kept as well */
	TRY_AGAIN_MS = 5000,
	LOOK_MS = 100, /* a read looks this often whether the file is still there */
	HEAP_LIMIT = 96 * 1024 * 1024,
	OPEN_TRIES = 5, /* of a book that is being replaced meanwhile */
};

const char *const db_shell_setup[] = {"PRAGMA wal_autocheckpoint=0; PRAGMA foreign_keys=ON;", ".dbconfig no_ckpt_on_close on"};
static_assert(sizeof db_shell_setup / sizeof db_shell_setup[0] == DB_SHELL_SETUP, "as db.h says");

void db_path(const char *dir, char out[4096])
{
	snprintf(out, 4096, "%s/jari.db", dir);
}

bool db_is_written_by(const char *path, int pid)
{
	/* Of the log's index, as SQLite's file format has them: the writer's, the checkpointer's and the repairer's byte. */
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 120, .l_len = 3};
	char shm[4200];
	int fd;
	bool found;

	snprintf(shm, sizeof shm, "%s-shm", path);
	fd = open(shm, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return false;
	found = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK && lock.l_pid == pid;
	close(fd);
	return found;
}

/* What it means that a unique index is broken, by the end of SQLite's message, which names columns or index. */
static const struct {
	const char *broken;
	enum err means;
} uniques[] = {
	{"reservations.user_id, reservations.slot_id, reservations.is_active, reservations.change_beside", ERR_DUPLICATE},
	{"reservations.change_of", ERR_BAD_MOVE},
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

/* The first column of the first row as text, "" when there is none. */
static enum err ask_text(sqlite3 *handle, const char *sql, char out[64])
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(handle, sql, -1, &s, NULL);

	out[0] = '\0';
	if (rc == SQLITE_OK)
		rc = sqlite3_step(s);
	if (rc == SQLITE_ROW && sqlite3_column_text(s, 0))
		snprintf(out, 64, "%s", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	return db_error(handle, rc);
}

enum err db_ask(sqlite3 *handle, const char *sql, int64_t *out)
{
	char text[64];
	enum err e = ask_text(handle, sql, text);

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
	sqlite3_busy_timeout(*handle, DB_BUSY_MS);
	sqlite3_create_function(*handle, "utc_of", 4, SQLITE_UTF8, NULL, utc_of, NULL, NULL); /* for migrations */
	sqlite3_db_config(*handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);                /* looking changes nothing */
	return db_exec(*handle, "PRAGMA wal_autocheckpoint=0; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
				"PRAGMA cache_spill=OFF;");
}

enum err db_distrust(sqlite3 *handle)
{
	sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	return db_exec(handle, "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0");
}

/* What every connection must be like, whatever this SQLite was built with. */
static const struct {
	const char *set, *get, *expected;
} pragmas[] = {
	{"PRAGMA busy_timeout=2000", "PRAGMA busy_timeout", "2000"},
	{"PRAGMA foreign_keys=ON", "PRAGMA foreign_keys", "1"},
	{"PRAGMA synchronous=FULL", "PRAGMA synchronous", "2"},            /* an answered 201 survives a power cut */
	{"PRAGMA wal_autocheckpoint=0", "PRAGMA wal_autocheckpoint", "0"}, /* only the pen's holder does */
	{"PRAGMA cache_spill=OFF", "PRAGMA cache_spill", "0"},             /* spill + ROLLBACK TO loses commits before 3.50.2 */
	{"PRAGMA trusted_schema=OFF", "PRAGMA trusted_schema", "0"},
	{"PRAGMA cell_size_check=ON", "PRAGMA cell_size_check", "1"},
	{"PRAGMA mmap_size=0", "PRAGMA mmap_size", "0"},
	{"PRAGMA cache_size=-1000", "PRAGMA cache_size", "-1000"},
	{"PRAGMA temp_store=MEMORY", "PRAGMA temp_store", "2"},
	{"PRAGMA secure_delete=ON", "PRAGMA secure_delete", "1"}, /* who is erased does not stay in free pages */
	{NULL, "PRAGMA journal_mode", "wal"},
};

static const struct {
	int option, value;
} configs[] = {
	{SQLITE_DBCONFIG_DEFENSIVE, 1},
	{SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1},
	{SQLITE_DBCONFIG_DQS_DDL, 0},
	{SQLITE_DBCONFIG_DQS_DML, 0},
};

static const struct {
	int id, value;
} limits[] = {
	{SQLITE_LIMIT_LENGTH, 1000000},
	{SQLITE_LIMIT_SQL_LENGTH, 100000},
	{SQLITE_LIMIT_COLUMN, 100},
	{SQLITE_LIMIT_EXPR_DEPTH, 40},
	{SQLITE_LIMIT_COMPOUND_SELECT, 5},
	{SQLITE_LIMIT_VDBE_OP, 25000},
	{SQLITE_LIMIT_FUNCTION_ARG, 8},
	{SQLITE_LIMIT_ATTACHED, 0},
	{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 400}, /* a name to search for, in bytes */
	{SQLITE_LIMIT_VARIABLE_NUMBER, 64},
	{SQLITE_LIMIT_TRIGGER_DEPTH, 10},
};

static enum err set_up(sqlite3 *handle)
{
	char got[64];
	enum err e;

	for (size_t i = 0; i < sizeof configs / sizeof configs[0]; i++) {
		int now = -1;

		sqlite3_db_config(handle, configs[i].option, configs[i].value, &now);
		if (now != configs[i].value) {
			log_error("book.config", "option=%d wanted=%d got=%d", configs[i].option, configs[i].value, now);
			return ERR_INTERNAL;
		}
	}
	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
		sqlite3_limit(handle, limits[i].id, limits[i].value);
	for (size_t i = 0; i < sizeof pragmas / sizeof pragmas[0]; i++) {
		if (pragmas[i].set && (e = ask_text(handle, pragmas[i].set, got)) != ERR_OK)
			return e;
		e = ask_text(handle, pragmas[i].get, got);
		if (e != ERR_OK)
			return e;
		if (strcmp(got, pragmas[i].expected) != 0) {
			log_error("book.pragma", "%s wanted=%s got=%s", pragmas[i].get, pragmas[i].expected, got);
			return ERR_INTERNAL;
		}
	}
	sqlite3_hard_heap_limit64(HEAP_LIMIT);
	return ERR_OK;
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
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* nobody asks how much memory it uses; counting costs each allocation */
	rc = sqlite3_open_v2(path, &db->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
	e = (rc & 0xff) == SQLITE_CANTOPEN && access(path, F_OK) != 0 && errno == ENOENT ? ERR_BOOK_GONE :
											   db_error(db->handle, rc);
	/* From the first read on: after a crash one process repairs the log and the others wait for it. */
	sqlite3_busy_timeout(db->handle, DB_BUSY_MS);
	if (e == ERR_OK)
		e = db_identify(db->handle, &version);
	if (e == ERR_OK)
		e = check_scripts(db->handle, version);
	if (e == ERR_OK)
		e = set_up(db->handle);
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

/*
 * The board shows faults of the disk and of the file, which last until they are repaired.  A booking that breaks a rule of
 * the book is refused, and no fault.
 */
static enum err tell_board(struct db *db, enum err e)
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
		return tell_board(db, ERR_BOOK_GONE);
	db->settings_changed = false;
	/* Only a foreign writer can be in the way; do not block the line on another program's lock. */
	sqlite3_busy_timeout(db->handle, FOREIGN_BUSY_MS);
	e = stmt_run(db, SQL_BEGIN, "");
	sqlite3_busy_timeout(db->handle, DB_BUSY_MS);
	return tell_board(db, e);
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

void db_read_end(struct db *db)
{
	assert(db->reading > 0);
	if (--db->reading == 0)
		stmt_run(db, SQL_COMMIT, "");
}

static void roll_back(struct db *db)
{
	if (!sqlite3_get_autocommit(db->handle))
		stmt_run(db, SQL_ROLLBACK, "");
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
	return tell_board(db, e);
}

/* A log that a reader kept from beginning anew is long, and that reader may have left. */
static bool is_overdue(const struct db *db, int pages)
{
	return pages >= DB_LOG_LONG_PAGES && db->tried_ms && clock_mono_ms() - db->tried_ms >= TRY_AGAIN_MS;
}

void db_tidy_locked(struct db *db, int times)
{
	int pages = writes_log_pages(db->hall->writes);

	/* One that grew beside a long reader gives its space back; after that, it begins anew in the same file. */
	if (pages >= times * db->checkpoint_at || is_overdue(db, pages))
		db_checkpoint_locked(db, pages >= DB_LOG_LONG_PAGES);
}

/* What was erased stands in the log as well until it is empty.  A reader that is in the way is asked again after a while. */
static bool is_to_empty(const struct db *db)
{
	return writes_log_to_empty(db->hall->writes) && (!db->tried_ms || clock_mono_ms() - db->tried_ms >= TRY_AGAIN_MS);
}

enum err db_tidy(struct db *db)
{
	int pages = writes_log_pages(db->hall->writes);
	enum err e;

	if (pages < db->checkpoint_at && !is_overdue(db, pages) && !is_to_empty(db))
		return ERR_OK;
	e = hall_take_pen(db->hall, DB_PEN_MS);
	if (e != ERR_OK)
		return e;
	if (is_to_empty(db))
		db_checkpoint_locked(db, true);
	else
		db_tidy_locked(db, 1);
	hall_pass_pen(db->hall);
	return ERR_OK;
}

enum err db_end(struct db *db, enum err e)
{
	e = db_end_locked(db, e);
	if (e == ERR_OK)
		db_tidy_locked(db, 1);
	hall_pass_pen(db->hall);
	return e;
}

bool db_poisoned(const struct db *db)
{
	return db->poisoned;
}

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

int db_log_reader(const char *path)
{
	enum { READS_FROM = 123, READS_TO = 127 }; /* bytes of the log's index, as SQLite's file format has them */
	char shm[4200], line[200];
	unsigned long long inode, from, to;
	struct stat st;
	int pid, found = 0;
	FILE *f;

	snprintf(shm, sizeof shm, "%s-shm", path);
	if (stat(shm, &st) != 0)
		return 0;
	f = fopen("/proc/locks", "re"); /* opening the index itself would take our own locks away */
	while (f && !found && fgets(line, sizeof line, f))
		if (sscanf(line, "%*d: POSIX %*s %*s %d %*x:%*x:%llu %llu %llu", &pid, &inode, &from, &to) == 4 &&
		    inode == st.st_ino && to >= READS_FROM && from <= READS_TO && pid != getpid())
			found = pid;
	if (f)
		fclose(f);
	return found;
}

/* Its log cannot begin anew until that process is done; each time it has grown to twice the size. */
static void tell_who_reads(struct db *db)
{
	int pages = writes_log_pages(db->hall->writes);

	if (pages < db->told_pages)
		return;
	db->told_pages = 2 * pages;
	log_warn("book.log_grows", "pages=%d reader=%d it reads the book without an end, and the log grows until it is done",
		 pages, db_log_reader(sqlite3_db_filename(db->handle, "main")));
}

enum err db_checkpoint_locked(struct db *db, bool truncate)
{
	int rc;

	assert(pen_is_ours(db->hall->pen) && sqlite3_get_autocommit(db->handle));
	FAILPOINT("db.checkpoint");
	rc = checkpoint(db->handle, truncate, CHECKPOINT_BUSY_MS);
	counters_count(db->hall->counters, COUNTER_checkpoints);
	db->tried_ms = rc == SQLITE_BUSY ? clock_mono_ms() : 0;
	/* A reader is in the way (a backup): let the log grow by as much again before the next attempt. */
	if (rc == SQLITE_BUSY)
		tell_who_reads(db);
	db->checkpoint_at = (rc == SQLITE_BUSY ? writes_log_pages(db->hall->writes) : 0) + DB_CHECKPOINT_PAGES;
	if (rc == SQLITE_OK) {
		writes_set_log_pages(db->hall->writes, 0);
		db->told_pages = DB_LOG_LONG_PAGES;
		if (truncate)
			writes_log_emptied(db->hall->writes);
	}
	if (rc == SQLITE_BUSY)
		return ERR_BOOK_BUSY;
	return db_error(db->handle, rc);
}

enum err db_fold_log_locked(const char *path)
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

enum err db_settle(struct db *db)
{
	enum err e = hall_take_pen(db->hall, DB_PEN_MS);

	if (e != ERR_OK)
		return e;
	e = db_checkpoint_locked(db, true);
	hall_pass_pen(db->hall);
	return e;
}
