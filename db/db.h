/*
 * db.h - the book: opening it, writing to it, and the one place where SQLite's words become ours.
 *
 * A write is
 *
 *	e = db_begin(db);
 *	if (e != ERR_OK)
 *		return e;
 *	e = ...;
 *	return db_end(db, e);
 *
 * db_begin takes the pen and starts BEGIN IMMEDIATE; db_end commits when e is ERR_OK, rolls back
 * otherwise, checkpoints when it is time, and gives the pen back.  No network, no JSON and no other
 * lock inside.
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
	DB_APPLICATION_ID = 0x6A617269, /* "jari" */
	DB_BUSY_MS = 2000,
	DB_PEN_MS = 10000, /* how long a writer waits for the pen before it says BOOK_BUSY */
	DB_CHECKPOINT_PAGES = 1000,
};

struct db {
	struct sqlite3 *handle;
	struct hall *hall; /* NULL: this connection never writes */
	struct sqlite3_stmt *statements[SQL__MAX];
	int checkpoint_at; /* from how many pages in the log on it is time to checkpoint */
	bool reading;
	bool poisoned; /* a COMMIT failed in a way that leaves its outcome unknown */
};

/* What a writing sqlite3 shell must be told before anything else. */
extern const char db_shell_setup[];

void db_path(const char *dir, char out[4096]);

/*
 * Opens DIR/jari.db, sets every pragma that the book needs and reads each back; a connection that is
 * not exactly as it should be is an error.  Opens only a book of the present version.
 */
enum err db_open(struct db *db, const char *dir, struct hall *hall);
/* For the one who writes most: keeps 8 MB of the book in memory instead of 1. */
enum err db_keep_more(struct db *db);
void db_close(struct db *db);

enum err db_begin(struct db *db);
enum err db_end(struct db *db, enum err e);

/* The same for one who holds the pen already; they leave it in his hand. */
enum err db_begin_locked(struct db *db);
enum err db_end_locked(struct db *db, enum err e);
/* Checkpoints when the log is `times` as long as it should be; for when nobody waits any more. */
void db_tidy_locked(struct db *db, int times);
/* The same with the pen taken for it: for the keeper. */
enum err db_tidy(struct db *db);

/* All reads between these see one moment of the book.  Never wait for anything inside. */
enum err db_read_begin(struct db *db); /* does nothing when one is begun */
void db_read_end(struct db *db); /* does nothing when none was begun */

/* After a COMMIT whose outcome is unknown this connection must not be used: end the process. */
bool db_poisoned(const struct db *db);

/*
 * The only checkpoint in jari.  The caller holds the pen.  truncate: also give the file's space back.
 * ERR_BOOK_BUSY when a reader kept part of the log; nothing is lost, a later one goes on.
 */
enum err db_checkpoint_locked(struct db *db, bool truncate);

/*
 * Everything into jari.db itself, its log empty: at the end of a day's work, so that somebody who
 * copies the one file has the whole book.  Takes the pen.
 */
enum err db_settle(struct db *db);

/* Turns what SQLite said last into ours; logs what is a fault of the box rather than a rule of the book. */
enum err db_error(struct sqlite3 *handle, int rc, enum err unique_means);

#endif
