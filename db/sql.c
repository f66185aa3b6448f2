/*
 * sql.c - every statement of jari.
 *
 * A row also says what it means when the statement breaks a unique index, so that a UNIQUE failure
 * can mean one thing only.  A statement that must read a whole table says so in its text: scan in a
 * comment; a test refuses any other full scan.
 */
#include "sql.h"

#include "db.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Seats count until the second their hold is due, whether or not it has been swept. */
#define STILL_TAKEN(v, now) v ".is_active = 1 AND NOT (" v ".status = 'TEMPORARY' AND " v ".hold_expires_at <= " now ")"

/* One reservation as booking.c reads it, column by column. */
#define RESERVATION \
	"SELECT v.reservation_id, v.reservation_code, v.slot_id, v.user_id, s.restaurant_id, s.slot_date, s.slot_time," \
	" v.party_size, v.reservation_type, v.status, v.request_message, v.hold_expires_at, v.deposit_amount," \
	" v.prepay_amount, v.total_amount, v.currency, v.refund_policy, v.visit_status, v.table_id, v.version," \
	" v.created_at, v.updated_at, u.name" \
	" FROM reservations v JOIN restaurant_reservation_slots s USING (slot_id) JOIN users u ON u.user_id = v.user_id"

/* One user as users.c reads it. */
#define USER \
	"SELECT user_id, user_type, restaurant_id, name, token_version, is_blocked, erased_at, password_hash FROM users"

/* clang-format off */
static const struct {
	const char *text;
	enum err unique_means;
} statements[SQL__MAX] = {
[SQL_BEGIN] =        {"BEGIN IMMEDIATE", 0},
[SQL_COMMIT] =       {"COMMIT", 0},
[SQL_ROLLBACK] =     {"ROLLBACK", 0},
[SQL_DATA_VERSION] = {"PRAGMA data_version", 0},

[SQL_RESTAURANT_GET] = {
	"SELECT * FROM restaurants WHERE restaurant_id = ?1", 0},
[SQL_RESTAURANT_ZONES] = {
	"SELECT restaurant_id, timezone, utc_offset_minutes FROM restaurants /*scan*/", 0},
[SQL_RESTAURANT_OFFSET_SET] = {
	"UPDATE restaurants SET utc_offset_minutes = ?2 WHERE restaurant_id = ?1", 0},
[SQL_RESTAURANT_COUNT] = {
	"SELECT count(*) FROM restaurants /*scan*/", 0},
[SQL_HOURS_OF_WEEK] = {
	"SELECT weekday, opens, closes, label FROM opening_hours WHERE restaurant_id = ?1 ORDER BY weekday, opens", 0},
[SQL_HOURS_OF_WEEKDAY] = {
	"SELECT opens, closes, label FROM opening_hours WHERE restaurant_id = ?1 AND weekday = ?2 ORDER BY opens", 0},
[SQL_SPECIAL_OF_DAY] = {
	"SELECT opens, closes, label FROM special_days WHERE restaurant_id = ?1 AND day = ?2 ORDER BY opens", 0},
[SQL_SPECIAL_FROM] = {
	"SELECT day, opens, closes, label, note FROM special_days"
	" WHERE restaurant_id = ?1 AND day BETWEEN ?2 AND ?3 ORDER BY day, opens", 0},
[SQL_MENU_OF] = {
	"SELECT menu_id, name, name_en, description, price FROM menus"
	" WHERE restaurant_id = ?1 AND is_deleted = 0 ORDER BY position, menu_id", 0},
[SQL_TABLES_OF] = {
	"SELECT table_id, seats_min, seats_max FROM dining_tables"
	" WHERE restaurant_id = ?1 AND is_deleted = 0 ORDER BY seats_max, table_id", 0},

[SQL_SLOTS_OF_DAY] = {
	"SELECT s.slot_time, s.max_capacity, ifnull(sum(v.party_size), 0)"
	" FROM restaurant_reservation_slots s"
	" LEFT JOIN reservations v ON v.slot_id = s.slot_id AND " STILL_TAKEN("v", "?3")
	" WHERE s.restaurant_id = ?1 AND s.slot_date = ?2 GROUP BY s.slot_id", 0},
[SQL_TABLES_TAKEN_OF_DAY] = {
	"SELECT s.slot_time, v.table_id FROM restaurant_reservation_slots s"
	" JOIN reservations v ON v.slot_id = s.slot_id AND " STILL_TAKEN("v", "?3")
	" WHERE s.restaurant_id = ?1 AND s.slot_date = ?2 AND v.table_id IS NOT NULL", 0},

[SQL_USER_GET] = {
	USER " WHERE user_id = ?1", 0},
[SQL_USER_BY_LOGIN] = {
	USER " WHERE lower(email) = lower(?1) AND user_type <> 'GUEST' AND email IS NOT NULL", 0},
[SQL_GUEST_ADD] = {
	"INSERT INTO users (user_type, name, phone, email, language, created_at) VALUES ('GUEST', ?1, ?2, ?3, ?4, ?5)", 0},
[SQL_LOGIN_ADD] = {
	"INSERT INTO users (user_type, name, email, password_hash, created_at) VALUES (?1, ?2, ?3, ?4, ?5)", ERR_DUPLICATE},
[SQL_PASSWORD_SET] = {
	"UPDATE users SET password_hash = ?2, token_version = token_version + 1 WHERE user_id = ?1", 0},
[SQL_STAFF_LIST] = {
	"SELECT user_id, user_type, name, email, created_at FROM users"
	" WHERE user_type IN ('STAFF', 'OWNER') AND erased_at IS NULL ORDER BY user_id /*scan*/", 0},
[SQL_OWNER_COUNT] = {
	"SELECT count(*) FROM users WHERE user_type = 'OWNER' AND erased_at IS NULL /*scan*/", 0},

[SQL_RESERVATION_GET] = {
	RESERVATION
	" WHERE v.reservation_id = ?1", 0},
[SQL_RESERVATIONS_OF_USER] = {
	RESERVATION
	" WHERE v.user_id = ?1 ORDER BY v.reservation_id DESC LIMIT ?2", 0},
[SQL_ITEMS_OF] = {
	"SELECT menu_id, menu_name, unit_price, quantity, line_amount FROM reservation_menu_items"
	" WHERE reservation_id = ?1", 0},
[SQL_EXPIRE_DUE] = {
	"UPDATE reservations SET status = 'EXPIRED', version = version + 1, changed_by = ?2, updated_at = ?1"
	" WHERE status = 'TEMPORARY' AND hold_expires_at <= ?1", 0},
[SQL_DUE_COUNT] = {
	"SELECT count(*) FROM reservations WHERE status = 'TEMPORARY' AND hold_expires_at <= ?1", 0},
};
/* clang-format on */

const char *sql_statement_text(enum sql_id id)
{
	return statements[id].text;
}

static enum sql_id id_of(const struct db *db, const sqlite3_stmt *s)
{
	int i = 0;

	while (i < SQL__MAX && db->statements[i] != s)
		i++;
	return (enum sql_id)i;
}

static sqlite3_stmt *bind(struct db *db, enum sql_id id, const char *types, va_list ap)
{
	sqlite3_stmt **s = &db->statements[id];

	if (!*s && db_error(db->handle,
			    sqlite3_prepare_v3(db->handle, statements[id].text, -1, SQLITE_PREPARE_PERSISTENT, s, NULL),
			    ERR_INTERNAL) != ERR_OK)
		return NULL;
	assert(!sqlite3_stmt_busy(*s));
	assert((int)strlen(types) == sqlite3_bind_parameter_count(*s));
	for (int i = 1; types[i - 1]; i++) {
		if (types[i - 1] == 'i')
			sqlite3_bind_int64(*s, i, va_arg(ap, int64_t));
		else {
			assert(types[i - 1] == 't');
			sqlite3_bind_text(*s, i, va_arg(ap, const char *), -1, SQLITE_TRANSIENT);
		}
	}
	return *s;
}

sqlite3_stmt *sql_use(struct db *db, enum sql_id id, const char *types, ...)
{
	sqlite3_stmt *s;
	va_list ap;

	va_start(ap, types);
	s = bind(db, id, types, ap);
	va_end(ap);
	return s;
}

bool sql_row(struct db *db, sqlite3_stmt *s, enum err *e)
{
	enum sql_id id = id_of(db, s);
	int rc;

	if (!s) {
		*e = ERR_INTERNAL; /* its preparation failed and was logged */
		return false;
	}
	rc = sqlite3_step(s);
	if (rc == SQLITE_ROW)
		return true;
	*e = db_error(db->handle, rc, id < SQL__MAX && statements[id].unique_means ? statements[id].unique_means : ERR_INTERNAL);
	sqlite3_reset(s);
	return false;
}

void sql_done(sqlite3_stmt *s)
{
	sqlite3_reset(s);
}

enum err sql_run(struct db *db, enum sql_id id, const char *types, ...)
{
	sqlite3_stmt *s;
	enum err e;
	va_list ap;

	va_start(ap, types);
	s = bind(db, id, types, ap);
	va_end(ap);
	if (sql_row(db, s, &e)) {
		sqlite3_reset(s);
		e = ERR_OK;
	}
	return e;
}

int64_t sql_int(sqlite3_stmt *s, int column)
{
	return sqlite3_column_int64(s, column);
}

const char *sql_text(sqlite3_stmt *s, int column)
{
	const unsigned char *text = sqlite3_column_text(s, column);

	return text ? (const char *)text : "";
}

bool sql_null(sqlite3_stmt *s, int column)
{
	return sqlite3_column_type(s, column) == SQLITE_NULL;
}

void sql_copy(sqlite3_stmt *s, int column, char *out, size_t size)
{
	snprintf(out, size, "%s", sql_text(s, column));
}

int64_t sql_last_id(struct db *db)
{
	return sqlite3_last_insert_rowid(db->handle);
}

int sql_changes(struct db *db)
{
	return sqlite3_changes(db->handle);
}
