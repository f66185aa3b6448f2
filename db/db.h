/*
 * db.h - the book: opening it, writing to it, and the one place where SQLite's codes become ours.
 *
 * A write is
 *
 *	e = db_begin(db);
 *	if (e != ERR_OK)
 *		return e;
 *	e = ...;
 *	return db_end(db, e);
 *
 * db_begin takes the pen and starts BEGIN IMMEDIATE; db_end commits when e is ERR_OK, rolls back otherwise,
 * checkpoints when it is time, and gives the pen back.  No network, no JSON and no other lock inside.  Whatever counts
 * seats begins with txn_begin() instead (txn.h), which first releases the holds that have run out.
 */
#ifndef JARI_DB_H
#define JARI_DB_H

#include "err.h"
#include "hall.h"
#include "stmt.h"

#include <stdbool.h>
#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;

enum {
	DB_VERSION = 13,                /* user_version: the number of the last migration */
	DB_APPLICATION_ID = 0x6A617269, /* "jari" */
	DB_BUSY_MS = 2000,
	DB_PEN_MS = 10000,                           /* how long a writer waits for the pen before it gives up with BOOK_BUSY */
	DB_PAGE_SIZE = 2048,                         /* of a new book (docs/decisions.md) */
	DB_CHECKPOINT_PAGES = 4 * 1024 / 2,          /* 4 MB */
	DB_LOG_LONG_PAGES = 8 * DB_CHECKPOINT_PAGES, /* a process has been reading for long */
};

struct db {
	struct sqlite3 *handle;
	struct hall *hall; /* NULL: this connection never writes */
	struct sqlite3_stmt *statements[SQL__MAX];
	int64_t tried_ms;      /* when a checkpoint last failed or met a reader; 0: the last one did neither */
	int told_pages;        /* the length of the log from which on it is said who keeps it from beginning anew */
	int checkpoint_at;     /* the length of the log, in pages, from which on it is time to checkpoint */
	int reading;           /* how many db_read_begin are open */
	enum err unprepared;   /* why the last statement that could not be prepared or bound could not */
	bool settings_changed; /* by the transaction under way */
	bool poisoned;         /* a COMMIT failed in a way that leaves its outcome unknown */
	bool gone;             /* the file was moved, removed or replaced */
	int64_t looked_ms;     /* when that was last looked at */
};

/* What a writing sqlite3 shell must be told before anything else. */
enum { DB_SHELL_SETUP = 2 };
extern const char *const db_shell_setup[DB_SHELL_SETUP];

void db_path(const char *dir, char out[4096]);

/*
 * Opens DIR/jari.db, sets every pragma that the book needs and reads each back; a connection that is not exactly as it
 * should be is an error.  Opens only a book of the present version.
 */
enum err db_open(struct db *db, const char *dir, struct hall *hall);
/* For the process that writes most: caches 8 MB of the book instead of 1. */
enum err db_keep_more(struct db *db);
void db_close(struct db *db);

/*
 * For migrations, checks and copies: any book file, as it is, with the settings that keep it from harm and nothing
 * more.  flags are SQLITE_OPEN_CREATE, SQLITE_OPEN_READONLY and the like.  *handle is the caller's to close, also after a failure.
 */
enum err db_open_plain(const char *path, int flags, struct sqlite3 **handle);
/* Is this a book, of a version that we know?  ERR_BOOK_FOREIGN, ERR_BOOK_NEWER. */
enum err db_identify(struct sqlite3 *handle, int64_t *version);
/* One or more statements without results. */
enum err db_exec(struct sqlite3 *handle, const char *sql);
/* The first column of the first row as text, "" when there is none. */
enum err db_ask_text(struct sqlite3 *handle, const char *sql, char out[64]);
/* The same as a number; *out stays as it is when there is none. */
enum err db_ask(struct sqlite3 *handle, const char *sql, int64_t *out);

enum err db_begin(struct db *db);
enum err db_end(struct db *db, enum err e);
/*
 * What is older than a moment is forgotten: `forget` in a transaction of its own, if `any` says that there is something.  So a
 * chore with nothing to do leaves the pen alone.
 */
enum err db_sweep(struct db *db, enum sql_id any, enum sql_id forget, int64_t before_s);
/* The transaction under way changes hours or policies: once it is committed, every worker reads them again. */
void db_touch_settings(struct db *db);

/* The same for a caller that holds the pen already and keeps it. */
enum err db_begin_locked(struct db *db);
enum err db_end_locked(struct db *db, enum err e);
/*
 * All reads between these see one moment of the book.  The function that begins one ends it; they nest.  Never
 * wait for anything inside.
 */
enum err db_read_begin(struct db *db);
void db_read_end(struct db *db);

/*
 * Is the file that is open no longer the one at its path?  Then what is written into it is lost: a process that
 * notices must end, and a fresh one opens what is there.  Every write asks by itself.
 */
bool db_is_gone(struct db *db);
/* The same for reads, which ask often: looks at the file ten times a second at most. */
bool db_seems_gone(struct db *db);

/* After a COMMIT whose outcome is unknown this connection must not be used: end the process. */
bool db_poisoned(const struct db *db);

/*
 * Turns SQLite's last result into ours.  A broken unique index means what that index stands for; a trigger's word is
 * taken as it is.  Logs what is a fault of the box rather than a rule of the book.
 */
enum err db_error(struct sqlite3 *handle, int rc);
/*
 * Leaves e on the board if it is a fault of the disk or of the file, which lasts until it is repaired; a booking that breaks
 * a rule of the book is refused, and no fault.  Returns e.
 */
enum err db_tell_board(struct db *db, enum err e);
/* What SQLite said last, for a person. */
const char *db_message(const struct db *db);

#endif
