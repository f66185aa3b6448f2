/*
 * shape.h - the shape of a book: the words of its tables, indexes, triggers and views.
 *
 * The version of a book says which migrations it has seen, not in which draft, nor what was changed at the shell since.
 * What a new book looks like is written on the page (page.h); what an older one looked like is found out by running this
 * program's migrations on an empty book in memory.  Letters count: a table or index is the same as another only if no more than
 * comments and blanks tell them apart, and after an upgrade it has the page's letters.
 */
#ifndef JARI_SHAPE_H
#define JARI_SHAPE_H

#include "buf.h"
#include "err.h"

#include <stdbool.h>
#include <stdint.h>

struct sqlite3;

enum { SHAPE_SIZE = 17 }; /* of a hash as text */

/* From this migration on a script changes tables and rows only, and runs on a book without triggers and views. */
enum { SHAPE_BARE = 10 };

/* Runs the script of that version on a book of the one before. */
enum err shape_step(struct sqlite3 *handle, int version);

/*
 * A new book as `fresh` beside the open one, and as `was` how a book of its present version should look; not within a
 * transaction, and the connection must take URIs.  They stay in memory as long as this process.
 */
enum err shape_attach(struct sqlite3 *handle, int version);
enum err shape_detach(struct sqlite3 *handle);

/* For the check: one row of words for each difference between the book and `fresh`. */
extern const char shape_findings[];
/* Says every difference from `fresh` in the log; ERR_BOOK_ODD if there is one. */
enum err shape_prove(struct sqlite3 *handle);

/*
 * How much is otherwise than in `was`; and of that, how many tables.  Of a version from SHAPE_BARE on, but the newest, only tables
 * are in `was`: all else is made anew anyway.
 */
enum err shape_differs(struct sqlite3 *handle, int64_t *all, int64_t *tables);

/*
 * Takes out the indexes and views that the owner added, and remembers them.  An index or view of an earlier jari goes for
 * good, and so does every trigger that is not jari's, because it would act behind jari's back.
 */
enum err shape_put_aside(struct sqlite3 *handle, struct buf *own);
/* ... and back, as far as their names are free and what they speak of is still there. */
void shape_put_back(struct sqlite3 *handle, const struct buf *own);

/* Takes out every trigger and view, and the indexes that are not as in `was`: shape_repair makes them anew. */
enum err shape_clear(struct sqlite3 *handle);
/* The last step: indexes, triggers and views as on the page, and its letters for all. */
enum err shape_dress(struct sqlite3 *handle);
/* After shape_put_aside: a table of the owner with a name that a migration takes becomes NAME_own, and the log says so. */
enum err shape_make_way(struct sqlite3 *handle);

/*
 * After shape_clear: brings a book into the shape of `was`, every row kept.  Within a transaction, with foreign keys off.  A column that is
 * not jari's goes with its values to a table of its own, TABLE_own (or TABLE_own2, ...), and the log says so.
 */
enum err shape_repair(struct sqlite3 *handle);

/* How many rows each table has, and how many of them lack their parents (0 where that was not asked). */
struct shape_rows {
	int count;
	bool asked;
	int64_t orphans;
	struct {
		char table[64];
		int64_t rows;
	} of[64];
};

enum err shape_count(struct sqlite3 *handle, bool orphans, struct shape_rows *out);
/* None of those tables has lost a row, and none a parent; ERR_BOOK_ODD otherwise.  Tables that are gone are not asked. */
enum err shape_prove_rows(struct sqlite3 *handle, const struct shape_rows *had);

/* A hash of everything that the book has, as text. */
enum err shape_hash(struct sqlite3 *handle, char out[SHAPE_SIZE]);

/*
 * Did a jari ever make something of that name?  The page has what there is, CREATE TABLE name (, CREATE ... INDEX name ON, CREATE
 * VIEW name AS, and migrations have what there was: from SHAPE_BARE on as DROP ... IF EXISTS name ;, which is why it stands there.
 */
bool shape_once_ours(const char *type, const char *name);

#endif
