/*
 * stmt.c - the engine that prepares, binds and steps the statements of db/sql/.
 */
#include "stmt.h"

#include "db.h"
#include "rows.h"
#include "settings.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>

enum { CELLS_MAX = 20 };

/* ---- what several statements share ---- */

/* A seat is taken until the second its hold runs out, whether or not the hold has been swept. */
#define STILL_TAKEN(v, now) v ".is_active = 1 AND NOT (" v ".status = 'TEMPORARY' AND " v ".hold_expires_at <= " now ")"

/*
 * The seats taken in a slot: three short searches of reservations_slot, which covers them.  (It cannot cover the
 * generated is_active, and for IN (...) SQLite builds a small table each time.)  REFUND_PENDING and TEMPORARY are the last two
 * states of the alphabet, so one search finds both, and compares no word with each row.
 */
#define SUM_OF(slot, states) \
	"(SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = " slot " AND status " states ")"
#define SUM_ACTIVE(slot) \
	SUM_OF(slot, ">= 'REFUND_PENDING'") " + " SUM_OF(slot, "= 'CONFIRMED'") " + " SUM_OF(slot, "= 'PREPAY_CONFIRM'")

/* The same at this moment: less the few whose hold has run out. */
#define TAKEN_NOW(slot, now) \
	SUM_ACTIVE(slot) \
	" - (SELECT ifnull(sum(party_size), 0) FROM reservations" \
	" WHERE status = 'TEMPORARY' AND hold_expires_at <= " now " AND +slot_id = " slot ")"

/* One reservation, as booking_take() reads it: the first column is nothing, so that each of the list has its comma. */
#define RESERVATION_FROM \
	" FROM reservations v JOIN restaurant_reservation_slots s USING (slot_id) JOIN users u ON u.user_id = v.user_id"
#define RESERVATION "SELECT 0" ROWS_RESERVATION(ROWS_COLUMN) RESERVATION_FROM

/* What user u may do, as a word of users.h. */
#define ROLE(u) "CASE WHEN " u ".user_type = 'STAFF' AND " u ".is_manager = 1 THEN 'MANAGER' ELSE " u ".user_type END"

/* One user, column by column as users.c reads it. */
#define USER \
	"SELECT user_id, " ROLE("users") ", restaurant_id, name, token_version, is_blocked, erased_at, password_hash," \
					 " phone_of, password_once, password_until, blocked_by > 0 FROM users"

/* Does this restaurant take no bookings from user u?  Only those few are looked up whom some restaurant blocks. */
#define BLOCKED(u, restaurant) \
	"(" u ".is_blocked = 1 OR (" u ".blocked_by > 0 AND EXISTS (SELECT 1 FROM restaurant_guests g WHERE g.user_id = " u \
	".user_id" \
	" AND g.restaurant_id = " restaurant " AND g.is_blocked = 1)))"

/* Has user u, or had, a reservation or a place on the waitlist of this restaurant? */
#define GUEST_OF(u, restaurant) \
	"(EXISTS (SELECT 1 FROM reservations o WHERE o.user_id = " u ".user_id AND o.restaurant_id = " restaurant \
	") OR EXISTS" \
	" (SELECT 1 FROM waitlist o WHERE o.user_id = " u ".user_id AND o.restaurant_id = " restaurant "))"

/*
 * A statement that must read a whole table says so in its text, scan in a comment; a test refuses any other full scan.
 */
static const char *const sources[SQL__MAX] = {
#define SQL(name, ...) [SQL_##name] = __VA_ARGS__,
#include "sql/all.inc"
#undef SQL
};

const char *stmt_source(enum sql_id id)
{
	assert(id < SQL__MAX);
	return sources[id];
}

/* A damaged book is more than this request's trouble. */
static enum err failed(struct db *db, int rc)
{
	enum err e = db_error(db->handle, rc);

	if (db->hall && e == ERR_BOOK_DAMAGED)
		writes_set_book_fault(db->hall->writes, e);
	return e;
}

/* So is one without a table or column that jari asks for. */
static enum err not_prepared(struct db *db, int rc)
{
	if (db->hall && rc == SQLITE_ERROR)
		writes_set_book_fault(db->hall->writes, ERR_BOOK_DAMAGED);
	return failed(db, rc);
}

static enum err prepare(struct db *db, enum sql_id id)
{
	sqlite3_stmt **s;

	assert(id < SQL__MAX);
	s = &db->statements[id];
	if (*s)
		return ERR_OK;
	db->unprepared = not_prepared(db, sqlite3_prepare_v3(db->handle, sources[id], -1, SQLITE_PREPARE_PERSISTENT, s, NULL));
	return db->unprepared;
}

enum err stmt_prove(struct db *db)
{
	sqlite3_stmt *s = NULL;
	enum err e = ERR_OK;

	for (int i = 0; i < SQL_IMPORT_JOB && e == ERR_OK; i++) { /* the steps of an import ask for tables of its own */
		e = not_prepared(db, sqlite3_prepare_v2(db->handle, sources[i], -1, &s, NULL));
		sqlite3_finalize(s);
	}
	sqlite3_db_release_memory(db->handle);
	return e;
}

/*
 * What a guest's page and a booking ask for before the pen is taken.  The others are prepared where they are used: all that
 * read would be another sixth of a megabyte in each of 32 workers, and those that write carry the programs of their triggers.
 */
static const enum sql_id warm[] = {
	SQL_READ,           SQL_COMMIT,         SQL_DATA_VERSION,     SQL_TICKET_MAX,     SQL_RESTAURANT_FIRST,
	SQL_RESTAURANT_GET, SQL_HOURS_OF_WEEK,  SQL_HOURS_OF_WEEKDAY, SQL_SPECIAL_OF_DAY, SQL_SPECIAL_FROM,
	SQL_MENU_OF,        SQL_SLOTS_OF_DAY,   SQL_SLOT_NOW,         SQL_HAS_TABLES,     SQL_TABLES_OF,
	SQL_STANDING,       SQL_ACTIVE_OF_USER, SQL_USER_BY_TOKEN,    SQL_WAITERS_OF_DAY,
};

enum err stmt_warm(struct db *db)
{
	enum err e = ERR_OK;

	for (size_t i = 0; i < sizeof warm / sizeof warm[0] && e == ERR_OK; i++)
		e = prepare(db, warm[i]);
	sqlite3_db_release_memory(db->handle); /* the pages of the schema: it has been parsed, they are not read again */
	return e;
}

void stmt_finalize_all(struct db *db)
{
	for (int i = 0; i < SQL__MAX; i++) {
		sqlite3_finalize(db->statements[i]);
		db->statements[i] = NULL;
	}
}

/* One parameter by its letter. */
static int bind_one(sqlite3_stmt *s, int place, char type, va_list *ap, sqlite3_destructor_type keep)
{
	char text[CLOCK_ISO_SIZE];

	static_assert((int)TEXT_DATE_SIZE <= (int)CLOCK_ISO_SIZE, "a date fits where a moment does");
	assert(type == 'i' || type == 't' || type == 'm' || type == 'd');
	if (type == 'i')
		return sqlite3_bind_int64(s, place, va_arg(*ap, int64_t));
	if (type == 't')
		return sqlite3_bind_text(s, place, va_arg(*ap, const char *), -1, keep);
	if (type == 'm')
		clock_iso(va_arg(*ap, int64_t), text);
	else
		text_put_date(va_arg(*ap, struct date), text);
	return sqlite3_bind_text(s, place, text, -1, SQLITE_TRANSIENT);
}

/*
 * keep: SQLITE_STATIC where the statement is run to its end before the caller goes on, else SQLITE_TRANSIENT.  A copy is an
 * allocation for each text, and a booking has twenty.
 */
static sqlite3_stmt *bind(struct db *db, enum sql_id id, const char *types, va_list *ap, sqlite3_destructor_type keep)
{
	sqlite3_stmt *s;
	int rc = SQLITE_OK;

	assert(!db->poisoned);
	if (prepare(db, id) != ERR_OK)
		return NULL;
	s = db->statements[id];
	assert(!sqlite3_stmt_busy(s));
	assert((int)strlen(types) == sqlite3_bind_parameter_count(s));
	for (int i = 1; types[i - 1] && rc == SQLITE_OK; i++)
		rc = bind_one(s, i, types[i - 1], ap, keep);
	if (rc == SQLITE_OK)
		return s;
	db->unprepared = failed(db, rc); /* no memory, or too long a text: the parameter would be NULL */
	return NULL;
}

sqlite3_stmt *stmt_use(struct db *db, enum sql_id id, const char *types, ...)
{
	sqlite3_stmt *s;
	va_list ap;

	va_start(ap, types);
	s = bind(db, id, types, &ap, SQLITE_TRANSIENT);
	va_end(ap);
	return s;
}

bool stmt_row(struct db *db, sqlite3_stmt *s, enum err *e)
{
	int rc;

	if (!s) {
		assert(db->unprepared != ERR_OK); /* it was logged */
		*e = db->unprepared;
		return false;
	}
	rc = sqlite3_step(s);
	if (rc == SQLITE_ROW)
		return true;
	*e = failed(db, rc);
	sqlite3_reset(s);
	return false;
}

void stmt_done(sqlite3_stmt *s)
{
	sqlite3_reset(s);
}

/* One step of a statement; true when it gave a row, which the caller must leave. */
static bool first_row(struct db *db, enum sql_id id, const char *types, va_list *ap, sqlite3_stmt **s, enum err *e)
{
	*s = bind(db, id, types, ap, SQLITE_STATIC);
	*e = ERR_OK;
	return stmt_row(db, *s, e);
}

enum err stmt_run(struct db *db, enum sql_id id, const char *types, ...)
{
	sqlite3_stmt *s;
	enum err e;
	va_list ap;

	va_start(ap, types);
	if (first_row(db, id, types, &ap, &s, &e))
		sqlite3_reset(s);
	va_end(ap);
	return e;
}

enum err stmt_number(struct db *db, enum sql_id id, int64_t *out, const char *types, ...)
{
	sqlite3_stmt *s;
	enum err e;
	va_list ap;

	va_start(ap, types);
	if (first_row(db, id, types, &ap, &s, &e)) {
		*out = stmt_int(s, 0);
		sqlite3_reset(s);
	}
	va_end(ap);
	return e;
}

/* One column by its letter. */
static void take_one(sqlite3_stmt *s, int column, char type, va_list *ap)
{
	int64_t *moment;
	char *text;

	switch (type) {
	case 'i':
		*va_arg(*ap, int64_t *) = stmt_int(s, column);
		return;
	case 'n':
		*va_arg(*ap, int *) = (int)stmt_int(s, column);
		return;
	case 'b':
		*va_arg(*ap, bool *) = stmt_int(s, column) != 0;
		return;
	case 's':
		*va_arg(*ap, bool *) = !stmt_null(s, column);
		return;
	case 't':
		text = va_arg(*ap, char *);
		stmt_copy(s, column, text, va_arg(*ap, size_t));
		return;
	case 'w':
		*va_arg(*ap, const char **) = stmt_text(s, column);
		return;
	case 'm':
		moment = va_arg(*ap, int64_t *);
		if (!clock_parse_iso(stmt_text(s, column), moment))
			*moment = 0;
		return;
	case 'x':
		*va_arg(*ap, const void **) = sqlite3_column_blob(s, column);
		*va_arg(*ap, int *) = sqlite3_column_bytes(s, column);
		return;
	default:
		assert(type == '-');
	}
}

static int take_all(sqlite3_stmt *s, const char *types, va_list *ap)
{
	int column = 0;

	for (; types[column] && types[column] != '*'; column++)
		take_one(s, column, types[column], ap);
	assert(types[column] || column == sqlite3_column_count(s));
	return column;
}

int stmt_take(sqlite3_stmt *s, const char *types, ...)
{
	int column;
	va_list ap;

	va_start(ap, types);
	column = take_all(s, types, &ap);
	va_end(ap);
	return column;
}

enum err stmt_get(struct db *db, sqlite3_stmt *s, enum err none, const char *types, ...)
{
	bool found = false;
	enum err e;
	va_list ap;

	assert(!strpbrk(types, "wx*")); /* they would point into a row that is gone */
	while (stmt_row(db, s, &e)) {
		va_start(ap, types);
		take_all(s, types, &ap);
		va_end(ap);
		found = true;
	}
	return e == ERR_OK && !found ? none : e;
}

enum err stmt_ids(struct db *db, sqlite3_stmt *s, int64_t *out, int most, int *count)
{
	enum err e;

	*count = 0;
	while (stmt_row(db, s, &e))
		if (*count < most)
			out[(*count)++] = stmt_int(s, 0);
	return e;
}

enum err stmt_rows(struct db *db, sqlite3_stmt *s, stmt_each *each, void *arg)
{
	struct stmt_cell cells[CELLS_MAX];
	enum err e;

	while (stmt_row(db, s, &e)) {
		int count = sqlite3_column_count(s);

		assert(count <= CELLS_MAX);
		for (int i = 0; i < count; i++) {
			int type = sqlite3_column_type(s, i);

			assert(type == SQLITE_NULL || type == SQLITE_INTEGER || type == SQLITE_TEXT);
			cells[i].name = sqlite3_column_name(s, i);
			cells[i].kind = type == SQLITE_NULL ? STMT_NULL : type == SQLITE_TEXT ? STMT_TEXT : STMT_NUMBER;
			cells[i].number = type == SQLITE_INTEGER ? stmt_int(s, i) : 0;
			cells[i].text = stmt_text(s, i);
		}
		each(arg, cells, count);
	}
	return e;
}

const struct stmt_cell *stmt_cell(const struct stmt_cell *cells, int count, const char *name)
{
	int i = 0;

	while (i < count && strcmp(cells[i].name, name) != 0)
		i++;
	assert(i < count);
	return &cells[i];
}

int64_t stmt_int(sqlite3_stmt *s, int column)
{
	assert(column < sqlite3_column_count(s));
	return sqlite3_column_int64(s, column);
}

const char *stmt_text(sqlite3_stmt *s, int column)
{
	const unsigned char *text;

	assert(column < sqlite3_column_count(s));
	text = sqlite3_column_text(s, column);
	return text ? (const char *)text : "";
}

bool stmt_null(sqlite3_stmt *s, int column)
{
	return sqlite3_column_type(s, column) == SQLITE_NULL;
}

void stmt_copy(sqlite3_stmt *s, int column, char *out, size_t size)
{
	const char *text = stmt_text(s, column);
	size_t n = (size_t)text_fit(text, size - 1);

	memcpy(out, text, n);
	out[n] = '\0';
}

void stmt_pattern(const char *text, char *out, size_t size)
{
	size_t n = 0;

	out[n++] = '%';
	for (; *text && n + 4 < size; text++) {
		if (*text == '%' || *text == '_' || *text == '\\')
			out[n++] = '\\';
		out[n++] = *text;
	}
	out[n++] = '%';
	out[n] = '\0';
}

int64_t stmt_last_id(struct db *db)
{
	return sqlite3_last_insert_rowid(db->handle);
}

int64_t stmt_total_changes(struct db *db)
{
	return sqlite3_total_changes64(db->handle);
}

int stmt_changes(struct db *db)
{
	return sqlite3_changes(db->handle);
}
