/*
 * stmt.h - the engine that prepares, binds and steps the statements of db/sql/.
 *
 * Every statement of jari is one entry SQL(NAME, text) in a list of db/sql/, one list per area; the entry makes
 * SQL_NAME below and its text in stmt.c.  Nothing outside db/ contains SQL.  A statement is prepared when it is first
 * used and kept for the life of the connection.  The signature of a call names the types of its parameters, one letter for each:
 * i for an int64_t, t for a text (NULL is NULL), m for a moment (an int64_t, in seconds) and d for a struct date, which the book
 * keeps as texts.
 *
 *	s = stmt_use(db, SQL_MENU_OF, "i", restaurant_id);
 *	while (stmt_row(db, s, &e))
 *		stmt_take(s, "it", &id, name, sizeof name);
 *	return e;
 *
 * A row is gone at the next step: copy what must live longer.  Columns have no numbers outside of here: they are taken in
 * order, or by a list of rows.h, or passed on by their names (stmt_rows).
 */
#ifndef JARI_STMT_H
#define JARI_STMT_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sql_id {
#define SQL(name, ...) SQL_##name,
#include "sql/all.inc"
#undef SQL
	SQL__MAX
};

struct db;
struct sqlite3_stmt;

struct sqlite3_stmt *stmt_use(struct db *db, enum sql_id id, const char *types, ...);
/* True while there is a row; when false, the statement is reset and *e says how it ended. */
bool stmt_row(struct db *db, struct sqlite3_stmt *s, enum err *e);
/* Leaves a statement before its last row. */
void stmt_done(struct sqlite3_stmt *s);
/* For a statement that gives no rows. */
enum err stmt_run(struct db *db, enum sql_id id, const char *types, ...);
/* The first column of the first row; *out stays as it is when there is no row. */
enum err stmt_number(struct db *db, enum sql_id id, int64_t *out, const char *types, ...);

/*
 * The columns of a row, in order: i int64_t *, n int *, b bool * (is it not 0?), s bool * (is it not NULL?), t char * and
 * its size, w const char ** (a word of the row itself, "" for NULL), m int64_t * (the moment of a time, 0 for NULL),
 * x const void ** and int * (bytes, and how many); - passes one over.  It takes all of them, unless the types end with *: then the caller goes on with the column that it returns.
 */
int stmt_take(struct sqlite3_stmt *s, const char *types, ...);
/* The same for a statement that gives one row at the most; without one nothing is taken, and that is `none`. */
enum err stmt_get(struct db *db, struct sqlite3_stmt *s, enum err none, const char *types, ...);

/* Every row's first column, this many at most; the rest is skipped. */
enum err stmt_ids(struct db *db, struct sqlite3_stmt *s, int64_t *out, int most, int *count);

/* A row whose columns have the names of their fields: C passes it on as it is. */
struct stmt_cell {
	const char *name;
	enum { STMT_NULL, STMT_NUMBER, STMT_TEXT } kind;
	int64_t number;
	const char *text; /* "" for NULL */
};
typedef void stmt_each(void *arg, const struct stmt_cell *cells, int count);
enum err stmt_rows(struct db *db, struct sqlite3_stmt *s, stmt_each *each, void *arg);
/* The cell of that name, which must be there. */
const struct stmt_cell *stmt_cell(const struct stmt_cell *cells, int count, const char *name);

/* For the readers that a list of rows.h makes. */
int64_t stmt_int(struct sqlite3_stmt *s, int column);
const char *stmt_text(struct sqlite3_stmt *s, int column); /* "" for NULL */
bool stmt_null(struct sqlite3_stmt *s, int column);
void stmt_copy(struct sqlite3_stmt *s, int column, char *out, size_t size);

/* For LIKE ... ESCAPE '\': whatever has this text in it; %, _ and \ of the text mean themselves. */
void stmt_pattern(const char *text, char *out, size_t size);

int64_t stmt_last_id(struct db *db);
int stmt_changes(struct db *db);
int64_t stmt_total_changes(struct db *db); /* of this connection, ever */

/* Prepares what guests ask for most, so that no request waits for it on the way to the line. */
enum err stmt_warm(struct db *db);
/* Does the book have every table and column that jari asks for?  What is missing is said on the board. */
enum err stmt_prove(struct db *db);
/* When the connection closes. */
void stmt_finalize_all(struct db *db);

/* For the test that every statement prepares and searches. */
const char *stmt_source(enum sql_id id);

#endif
