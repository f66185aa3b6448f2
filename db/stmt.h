/*
 * sql.h - every statement of jari, by name.
 *
 * The texts stand in sql.c, one table; nothing outside db/ contains SQL.  A statement is prepared at
 * its first use and kept.  The signature of a call names the types of its parameters: i an int64_t,
 * t a text (NULL for NULL), and must be as long as the statement has parameters.
 *
 *	s = sql_use(db, SQL_MENU_OF, "i", restaurant_id);
 *	while (sql_row(db, s, &e))
 *		... sql_int(s, 0), sql_text(s, 1) ...
 *	return e;
 *
 * A row dies at the next step: copy what must live longer.
 */
#ifndef JARI_SQL_H
#define JARI_SQL_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

enum { SQL_BOOK_VERSION = 1 }; /* user_version: the last migration */

enum sql_id {
	SQL_BEGIN,
	SQL_COMMIT,
	SQL_ROLLBACK,
	SQL_READ,
	SQL_SAVEPOINT,
	SQL_RELEASE,
	SQL_ROLLBACK_TO,
	SQL_DATA_VERSION,
	/* restaurants */
	SQL_RESTAURANT_GET,
	SQL_RESTAURANT_ZONES,
	SQL_RESTAURANT_OFFSET_SET,
	SQL_RESTAURANT_COUNT,
	SQL_HOURS_OF_WEEK,
	SQL_HOURS_OF_WEEKDAY,
	SQL_SPECIAL_OF_DAY,
	SQL_SPECIAL_FROM,
	SQL_MENU_OF,
	SQL_MENU_PRICE,
	SQL_TABLES_OF,
	/* slots */
	SQL_SLOTS_OF_DAY,
	SQL_TABLES_TAKEN_OF_DAY,
	SQL_SLOT_FIND,
	SQL_SLOT_ADD,
	SQL_SLOT_TAKEN,
	SQL_TABLES_TAKEN_OF_SLOT,
	/* users */
	SQL_USER_GET,
	SQL_USER_BY_LOGIN,
	SQL_GUEST_ADD,
	SQL_LOGIN_ADD,
	SQL_PASSWORD_SET,
	SQL_STAFF_LIST,
	SQL_OWNER_COUNT,
	/* reservations */
	SQL_RESERVATION_GET,
	SQL_RESERVATIONS_OF_USER,
	SQL_ITEMS_OF,
	SQL_RESERVATION_BY_CODE,
	SQL_ACTIVE_OF_USER,
	SQL_ACTIVE_OF_USER_NOW,
	SQL_BY_TICKET,
	SQL_BY_KEY,
	SQL_BY_KEY_OF_GUEST,
	SQL_MAX_TICKET,
	SQL_RESERVATION_ADD,
	SQL_NEXT_ID,
	SQL_ITEM_ADD,
	SQL_MOVE,
	SQL_TABLE_SET,
	SQL_MOVED_BY_TICKET,
	SQL_GUEST_BY_TICKET,
	SQL_PAYMENT_LATE,
	SQL_CANCELLATION_ADD,
	SQL_REFUND_OF,
	SQL_PAYMENT_ADD,
	SQL_PAID_OF,
	SQL_PAYMENT_DUE_BACK,
	SQL_EXPIRE_DUE,
	SQL_DUE_COUNT,
	/* a rehearsal */
	SQL_TICKETS_OF_SLOT,
	SQL_STAGE_RESTAURANT,
	SQL_STAGE_HOLDS,
	SQL_STAGE_OUTBOX,
	SQL__MAX
};

struct db;
struct sqlite3_stmt;

struct sqlite3_stmt *sql_use(struct db *db, enum sql_id id, const char *types, ...);
/* True while there is a row; when false the statement is reset and *e says how it ended. */
bool sql_row(struct db *db, struct sqlite3_stmt *s, enum err *e);
/* Leaves a statement before its last row. */
void sql_done(struct sqlite3_stmt *s);
/* A statement that gives no rows. */
enum err sql_run(struct db *db, enum sql_id id, const char *types, ...);

int64_t sql_int(struct sqlite3_stmt *s, int column);
const char *sql_text(struct sqlite3_stmt *s, int column); /* "" for NULL */
bool sql_null(struct sqlite3_stmt *s, int column);
void sql_copy(struct sqlite3_stmt *s, int column, char *out, size_t size);

int64_t sql_last_id(struct db *db);
int sql_changes(struct db *db);
int64_t sql_total_changes(struct db *db); /* of this connection, ever */

/* Prepares whatever is not yet, so that no request waits for it. */
enum err sql_prepare_all(struct db *db);

/* For the check that every statement prepares and searches: its text and how UNIQUE failures read. */
const char *sql_statement_text(enum sql_id id);

#endif
