/*
 * sql.c - every statement of jari.
 *
 * A row also says what it means when the statement breaks a unique index, so that a UNIQUE failure
 * can mean one thing only.  A statement that must read a whole table says so in its text: scan in a
 * comment; a test refuses any other full scan.
 */
#include "stmt.h"

#include "db.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>

/* Seats count until the second their hold is due, whether or not it has been swept. */
#define STILL_TAKEN(v, now) v ".is_active = 1 AND NOT (" v ".status = 'TEMPORARY' AND " v ".hold_expires_at <= " now ")"

/*
 * The seats taken in a slot: four short searches of reservations_slot, which covers them.  (It could
 * not for the generated is_active, and for IN (...) SQLite builds a little table each time.)
 */
#define SUM_OF(slot, word) \
	"(SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = " slot " AND status = '" word "')"
#define SUM_ACTIVE(slot) \
	SUM_OF(slot, "TEMPORARY") " + " SUM_OF(slot, "CONFIRMED") " + " SUM_OF(slot, "PREPAY_CONFIRM") " + " \
	SUM_OF(slot, "REFUND_PENDING")

/* The same at this moment: less the few whose hold is due. */
#define TAKEN_NOW(slot, now) \
	SUM_ACTIVE(slot) " - (SELECT ifnull(sum(party_size), 0) FROM reservations" \
	" WHERE status = 'TEMPORARY' AND hold_expires_at <= " now " AND +slot_id = " slot ")"

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
[SQL_READ] =         {"BEGIN", 0},
[SQL_SAVEPOINT] =    {"SAVEPOINT ticket", 0},
[SQL_RELEASE] =      {"RELEASE ticket", 0},
[SQL_ROLLBACK_TO] =  {"ROLLBACK TO ticket", 0},
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
[SQL_MENU_PRICE] = {
	"SELECT price FROM menus WHERE menu_id = ?1 AND restaurant_id = ?2 AND is_deleted = 0", 0},
[SQL_TABLES_OF] = {
	"SELECT table_id, seats_min, seats_max FROM dining_tables"
	" WHERE restaurant_id = ?1 AND is_deleted = 0 ORDER BY seats_max, table_id", 0},

[SQL_SLOTS_OF_DAY] = {
	"SELECT s.slot_time, s.max_capacity, " TAKEN_NOW("s.slot_id", "?3") ", s.slot_id"
	" FROM restaurant_reservation_slots s WHERE s.restaurant_id = ?1 AND s.slot_date = ?2", 0},
[SQL_TABLES_TAKEN_OF_DAY] = {
	"SELECT s.slot_time, v.table_id FROM restaurant_reservation_slots s"
	" JOIN reservations v ON v.slot_id = s.slot_id AND " STILL_TAKEN("v", "?3")
	" WHERE s.restaurant_id = ?1 AND s.slot_date = ?2 AND v.table_id IS NOT NULL", 0},

[SQL_SLOT_FIND] = {
	"SELECT slot_id, max_capacity FROM restaurant_reservation_slots"
	" WHERE restaurant_id = ?1 AND slot_date = ?2 AND slot_time = ?3", 0},
[SQL_SLOT_ADD] = {
	"INSERT INTO restaurant_reservation_slots (restaurant_id, slot_date, slot_time, max_capacity, created_at, updated_at)"
	" VALUES (?1, ?2, ?3, ?4, ?5, ?5)", 0},
/* Inside a transaction that has expired what was due: strictly what is active. */
[SQL_SLOT_TAKEN] = {
	"SELECT " SUM_ACTIVE("?1"), 0},
[SQL_TABLES_TAKEN_OF_SLOT] = {
	"SELECT table_id FROM reservations WHERE slot_id = ?1 AND is_active = 1 AND table_id IS NOT NULL", 0},

[SQL_USER_GET] = {
	USER " WHERE user_id = ?1", 0},
[SQL_USER_BY_LOGIN] = {
	USER " WHERE lower(email) = lower(?1) AND user_type <> 'GUEST' AND email IS NOT NULL", 0},
[SQL_GUEST_ADD] = {
	"INSERT INTO users (user_type, name, phone, email, language, created_at, ticket)"
	" VALUES ('GUEST', ?1, ?2, ?3, ?4, ?5, nullif(?6, 0))", 0},
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
[SQL_RESERVATION_BY_CODE] = {
	"SELECT reservation_id FROM reservations WHERE reservation_code = ?1", 0},
[SQL_ACTIVE_OF_USER] = {
	"SELECT reservation_id FROM reservations WHERE user_id = ?1 AND slot_id = ?2 AND is_active = 1", 0},
[SQL_ACTIVE_OF_USER_NOW] = {
	"SELECT v.reservation_id FROM reservations v WHERE v.user_id = ?1 AND v.slot_id = ?2 AND " STILL_TAKEN("v", "?3"), 0},
[SQL_BY_TICKET] = {
	"SELECT reservation_id, hold_expires_at FROM reservations WHERE ticket = ?1", 0},
[SQL_BY_KEY] = {
	"SELECT v.reservation_id, v.party_size, s.restaurant_id, s.slot_date, s.slot_time, v.hold_expires_at, v.reservation_type"
	" FROM reservations v JOIN restaurant_reservation_slots s USING (slot_id)"
	" WHERE v.user_id = ?1 AND v.idempotency_key = ?2 AND v.idempotency_key IS NOT NULL", 0},
[SQL_BY_KEY_OF_GUEST] = {
	"SELECT v.reservation_id, v.party_size, s.restaurant_id, s.slot_date, s.slot_time, v.hold_expires_at, v.reservation_type"
	" FROM users u JOIN reservations v ON v.user_id = u.user_id AND v.idempotency_key = ?3"
	" JOIN restaurant_reservation_slots s USING (slot_id) WHERE u.phone = ?1 AND u.name = ?2 AND u.user_type = 'GUEST'", 0},
[SQL_MAX_TICKET] = {
	"SELECT max((SELECT ifnull(max(ticket), 0) FROM reservations), (SELECT ifnull(max(ticket), 0) FROM users))", 0},
[SQL_NEXT_ID] = {
	"SELECT ifnull(max(reservation_id), 0) + 1 FROM reservations", 0},
[SQL_RESERVATION_ADD] = {
	"INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size, reservation_type, status,"
	" request_message, deposit_amount, prepay_amount, total_amount, currency, refund_policy, hold_expires_at,"
	" table_id, ticket, idempotency_key, changed_by, created_at, updated_at)"
	" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?9 + ?10, ?11, ?12, ?13, nullif(?14, 0), ?15, ?16, ?17, ?18, ?18)",
	ERR_DUPLICATE},
[SQL_ITEM_ADD] = {
	"INSERT INTO reservation_menu_items (reservation_id, menu_id, menu_name, unit_price, quantity, line_amount)"
	" SELECT ?1, menu_id, name, ?3, ?4, ?3 * ?4 FROM menus WHERE menu_id = ?2", 0},
[SQL_MOVE] = {
	"UPDATE reservations SET status = ?2, version = version + 1, changed_by = ?3, updated_at = ?4, changed_ticket = ?5"
	" WHERE reservation_id = ?1", ERR_DUPLICATE},
[SQL_TABLE_SET] = {
	"UPDATE reservations SET table_id = nullif(?2, 0), version = version + 1, changed_by = ?3, updated_at = ?4"
	" WHERE reservation_id = ?1", ERR_DUPLICATE},
[SQL_MOVED_BY_TICKET] = {
	"SELECT 1 FROM audit WHERE entity = 'reservation' AND entity_id = ?1 AND ticket = ?2", 0},
[SQL_GUEST_BY_TICKET] = {
	"SELECT user_id FROM users WHERE ticket = ?1", 0},
[SQL_PAYMENT_LATE] = {
	"INSERT INTO payments (reservation_id, provider, amount, currency, status, due_back_amount, paid_at, created_at, note)"
	" SELECT ?1, 'desk', ?2, ?3, 'REFUND_DUE', ?2, ?4, ?4, 'came after the hold; the seats were gone'"
	" WHERE NOT EXISTS (SELECT 1 FROM payments WHERE reservation_id = ?1)", 0},
[SQL_CANCELLATION_ADD] = {
	"INSERT INTO reservation_cancellations (reservation_id, canceled_by, reason, refund_amount, created_at)"
	" VALUES (?1, ?2, nullif(?3, ''), ?4, ?5)", 0},
[SQL_REFUND_OF] = {
	"SELECT ifnull(sum(refund_amount), 0) FROM reservation_cancellations WHERE reservation_id = ?1", 0},
[SQL_PAYMENT_ADD] = {
	"INSERT INTO payments (reservation_id, provider, amount, currency, status, kept_amount, paid_at, created_at)"
	" VALUES (?1, 'desk', ?2, ?3, 'PAID', ?2, ?4, ?4)", 0},
[SQL_PAID_OF] = {
	"SELECT payment_id, kept_amount FROM payments WHERE reservation_id = ?1 AND status = 'PAID'", 0},
[SQL_PAYMENT_DUE_BACK] = {
	"UPDATE payments SET due_back_amount = ?2, kept_amount = kept_amount - ?2, status = 'REFUND_DUE'"
	" WHERE payment_id = ?1 AND status = 'PAID' AND ?2 BETWEEN 1 AND kept_amount", 0},
[SQL_EXPIRE_DUE] = {
	"UPDATE reservations SET status = 'EXPIRED', version = version + 1, changed_by = ?2, updated_at = ?1"
	" WHERE status = 'TEMPORARY' AND hold_expires_at <= ?1", 0},
[SQL_DUE_COUNT] = {
	"SELECT count(*) FROM reservations WHERE status = 'TEMPORARY' AND hold_expires_at <= ?1", 0},

[SQL_TICKETS_OF_SLOT] = {
	"SELECT v.ticket, v.user_id, v.reservation_id, v.party_size"
	" FROM restaurant_reservation_slots s JOIN reservations v ON v.slot_id = s.slot_id AND v.is_active = 1"
	" WHERE s.restaurant_id = ?1 AND s.slot_date = ?2 AND s.slot_time = ?3 AND v.ticket >= ?4 ORDER BY v.ticket", 0},
[SQL_STAGE_RESTAURANT] = {
	"UPDATE restaurants SET paused_until = NULL, hold_seconds = max(hold_seconds, ?2) WHERE restaurant_id = ?1", 0},
[SQL_STAGE_HOLDS] = {
	"UPDATE reservations SET hold_expires_at = ?2"
	" WHERE status = 'TEMPORARY' AND hold_expires_at > ?1 AND hold_expires_at < ?2", 0},
[SQL_STAGE_OUTBOX] = {
	"UPDATE outbox SET status = 'SKIPPED' WHERE status = 'QUEUED' AND next_attempt_at > ''", 0},
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

static enum err prepare(struct db *db, enum sql_id id)
{
	sqlite3_stmt **s = &db->statements[id];

	if (*s)
		return ERR_OK;
	return db_error(db->handle,
			sqlite3_prepare_v3(db->handle, statements[id].text, -1, SQLITE_PREPARE_PERSISTENT, s, NULL),
			ERR_INTERNAL);
}

enum err sql_prepare_all(struct db *db)
{
	enum err e = ERR_OK;

	for (int i = 0; i < SQL__MAX && e == ERR_OK; i++)
		e = prepare(db, (enum sql_id)i);
	return e;
}

static sqlite3_stmt *bind(struct db *db, enum sql_id id, const char *types, va_list ap)
{
	sqlite3_stmt **s = &db->statements[id];

	if (prepare(db, id) != ERR_OK)
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
	const char *text = sql_text(s, column);
	size_t n = (size_t)sqlite3_column_bytes(s, column);

	if (n >= size)
		n = size - 1;
	memcpy(out, text, n);
	out[n] = '\0';
}

int64_t sql_last_id(struct db *db)
{
	return sqlite3_last_insert_rowid(db->handle);
}

int64_t sql_total_changes(struct db *db)
{
	return sqlite3_total_changes64(db->handle);
}

int sql_changes(struct db *db)
{
	return sqlite3_changes(db->handle);
}
