/*
 * import_job.c - the tools of an import: its statements, its report, its maps.
 *
 * The statements stand here and not in sql.c because a worker keeps those prepared for as long as it
 * lives, and these serve one command on one day; everything else is as there, a name and a table.
 */
#include "import_job.h"

#include "hash.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS_TOLD = 100 };

static const int64_t repairs_told[REPAIR__MAX] = {
#define X(word, told, title) [REPAIR_##word] = told,
    IMPORT_REPAIR_LIST(X)
#undef X
};

/* clang-format off */
static const char *const texts[IMPORT_SQL__MAX] = {
[IMPORT_BOOK_IN_USE] =
	"SELECT EXISTS (SELECT 1 FROM users WHERE user_type IN ('GUEST', 'ACCOUNT') /*scan*/)"
	" OR EXISTS (SELECT 1 FROM restaurant_reservation_slots /*scan*/) OR EXISTS (SELECT 1 FROM reservations /*scan*/)",
[IMPORT_EXPIRE_DUE] =
	"UPDATE reservations SET status = 'EXPIRED', version = version + 1, changed_by = 'import', updated_at = ?1"
	" WHERE status = 'TEMPORARY' AND hold_expires_at <= ?1",
[IMPORT_SEEN] =
	"SELECT at FROM audit WHERE entity = 'import' AND to_value = ?1",
[IMPORT_COUNT] =
	"SELECT count(*) FROM audit WHERE entity = 'import'",
[IMPORT_AUDIT] =
	"INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, reason)"
	" VALUES (?1, 'import', ?2, ?3, ?4, ?5, ?6, ?7)",

[IMPORT_FIRST_RESTAURANT] = "SELECT min(restaurant_id) FROM restaurants",
[IMPORT_RESTAURANT_MAX] =   "SELECT max(restaurant_id) FROM restaurants",
[IMPORT_RESTAURANT_THERE] = "SELECT 1 FROM restaurants WHERE restaurant_id = ?1",
[IMPORT_RESTAURANT_BY_NAME] =
	"SELECT restaurant_id FROM restaurants WHERE name = ?1 ORDER BY restaurant_id LIMIT 1 /*scan*/",

[IMPORT_MENU_MAX] =   "SELECT max(menu_id) FROM menus",
[IMPORT_MENU_THERE] = "SELECT 1 FROM menus WHERE menu_id = ?1",
[IMPORT_MENU_ALL] =   "SELECT menu_id FROM menus /*scan*/",
[IMPORT_MENU_GET] =   "SELECT name, price FROM menus WHERE menu_id = ?1",
[IMPORT_MENU_ADD] =
	"INSERT INTO menus (menu_id, restaurant_id, name, name_en, description, price, position, is_deleted)"
	" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",

[IMPORT_USER_MAX] =   "SELECT max(user_id) FROM users",
[IMPORT_USER_THERE] = "SELECT 1 FROM users WHERE user_id = ?1",
[IMPORT_USER_ALL] =   "SELECT user_id FROM users /*scan*/",
[IMPORT_USER_LOGIN] =
	"SELECT user_id FROM users WHERE lower(email) = lower(?1) AND user_type <> 'GUEST' AND email IS NOT NULL",
[IMPORT_USER_ADD] =
	"INSERT INTO users (user_id, user_type, restaurant_id, name, phone, email, language, is_blocked, note, created_at,"
	" erased_at) VALUES (?1, ?2, nullif(?3, 0), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",

[IMPORT_SLOT_MAX] =   "SELECT max(slot_id) FROM restaurant_reservation_slots",
[IMPORT_SLOT_THERE] = "SELECT 1 FROM restaurant_reservation_slots WHERE slot_id = ?1",
[IMPORT_SLOT_ALL] =
	"SELECT slot_id, max_capacity, restaurant_id, slot_date, slot_time FROM restaurant_reservation_slots /*scan*/",
[IMPORT_SLOT_FIND] =
	"SELECT slot_id, max_capacity FROM restaurant_reservation_slots"
	" WHERE restaurant_id = ?1 AND slot_date = ?2 AND slot_time = ?3",
[IMPORT_SLOT_ADD] =
	"INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity, created_at,"
	" updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
[IMPORT_SLOT_SOLD] =
	"SELECT sum(party_size) FROM reservations WHERE slot_id = ?1 AND is_active = 1",
[IMPORT_SLOT_RAISE] =
	"UPDATE restaurant_reservation_slots SET max_capacity = ?2, updated_at = ?3 WHERE slot_id = ?1",

[IMPORT_BOOKING_MAX] =   "SELECT max(reservation_id) FROM reservations",
[IMPORT_BOOKING_THERE] = "SELECT 1 FROM reservations WHERE reservation_id = ?1",
[IMPORT_BOOKING_ALL] =
	"SELECT v.reservation_id, v.status, s.restaurant_id FROM reservations v"
	" JOIN restaurant_reservation_slots s USING (slot_id) /*scan*/",
[IMPORT_BOOKING_ACTIVE] =
	"SELECT reservation_id FROM reservations WHERE user_id = ?1 AND slot_id = ?2 AND is_active = 1",
[IMPORT_BOOKING_CODE] =
	"SELECT source = 'IMPORT' AND created_at = ?2 FROM reservations WHERE reservation_code = ?1",
[IMPORT_BOOKING_BY_CODE] =
	"SELECT reservation_id FROM reservations WHERE reservation_code = ?1",
[IMPORT_BOOKING_ADD] =
	"INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size, reservation_type, status,"
	" request_message, deposit_amount, prepay_amount, total_amount, currency, refund_policy, hold_expires_at,"
	" visit_status, source, changed_by, created_at, updated_at)"
	" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?9 + ?10, ?11, ?12, ?13, ?14, 'IMPORT', 'import', ?15, ?16)",
[IMPORT_CANCELLATION_ADD] =
	"INSERT INTO reservation_cancellations (reservation_id, canceled_by, reason, refund_amount, created_at)"
	" VALUES (?1, 'SYSTEM', ?2, ?3, ?4)",

[IMPORT_PAYMENT_MAX] =   "SELECT max(payment_id) FROM payments",
[IMPORT_PAYMENT_THERE] = "SELECT 1 FROM payments WHERE payment_id = ?1",
[IMPORT_PAYMENT_ONCE] =  "SELECT payment_id FROM payments WHERE provider = ?1 AND provider_payment_id = ?2",
[IMPORT_PAYMENT_ADD] =
	"INSERT INTO payments (payment_id, reservation_id, provider, provider_payment_id, amount, currency, status,"
	" kept_amount, refunded_amount, due_back_amount, paid_at, refunded_at, note, created_at)"
	" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
[IMPORT_ITEM_ADD] =
	"INSERT INTO reservation_menu_items AS i (reservation_id, menu_id, menu_name, unit_price, quantity, line_amount)"
	" VALUES (?1, ?2, ?3, ?4, ?5, ?4 * ?5) ON CONFLICT (reservation_id, menu_id) DO UPDATE SET"
	" quantity = i.quantity + excluded.quantity, line_amount = i.unit_price * (i.quantity + excluded.quantity)",
};
/* clang-format on */

static sqlite3_stmt *bind(struct import_job *j, enum import_sql id, const char *types, va_list ap)
{
	sqlite3_stmt **s = &j->statements[id];

	if (j->e != ERR_OK)
		return NULL;
	if (!*s) {
		j->e = db_error(j->db->handle,
				sqlite3_prepare_v3(j->db->handle, texts[id], -1, SQLITE_PREPARE_PERSISTENT, s, NULL));
		if (j->e != ERR_OK)
			return NULL;
	}
	assert(!sqlite3_stmt_busy(*s));
	assert((int)strlen(types) == sqlite3_bind_parameter_count(*s));
	for (int i = 1; types[i - 1]; i++) {
		if (types[i - 1] == 'i')
			sqlite3_bind_int64(*s, i, va_arg(ap, int64_t));
		else
			sqlite3_bind_text(*s, i, va_arg(ap, const char *), -1, SQLITE_TRANSIENT);
	}
	return *s;
}

sqlite3_stmt *import_use(struct import_job *j, enum import_sql id, const char *types, ...)
{
	sqlite3_stmt *s;
	va_list ap;

	va_start(ap, types);
	s = bind(j, id, types, ap);
	va_end(ap);
	return s;
}

bool import_step(struct import_job *j, sqlite3_stmt *s)
{
	int rc;

	if (!s)
		return false;
	rc = sqlite3_step(s);
	if (rc == SQLITE_ROW)
		return true;
	j->e = db_error(j->db->handle, rc);
	sqlite3_reset(s);
	return false;
}

void import_run(struct import_job *j, const struct import_file *f, enum import_sql id, const char *types, ...)
{
	sqlite3_stmt *s;
	va_list ap;
	int rc;

	va_start(ap, types);
	s = bind(j, id, types, ap);
	va_end(ap);
	if (!s)
		return;
	rc = sqlite3_step(s);
	if (f && (rc & 0xff) == SQLITE_CONSTRAINT) {
		import_problem(j, f, "the book refuses this row: %s", sqlite3_errmsg(j->db->handle));
		j->e = ERR_BAD_REQUEST;
	} else
		j->e = db_error(j->db->handle, rc);
	sqlite3_reset(s);
}

int64_t import_ask(struct import_job *j, enum import_sql id, const char *types, ...)
{
	int64_t value = 0;
	sqlite3_stmt *s;
	va_list ap;

	va_start(ap, types);
	s = bind(j, id, types, ap);
	va_end(ap);
	if (import_step(j, s)) {
		value = sqlite3_column_int64(s, 0);
		sqlite3_reset(s);
	}
	return value;
}

void import_audit(struct import_job *j, const char *entity, int64_t id, const char *change, const char *from,
		  const char *to, const char *reason)
{
	import_run(j, NULL, IMPORT_AUDIT, "ttitttt", j->now, entity, id, change, from, to, reason);
}

void import_problem(struct import_job *j, const struct import_file *f, const char *format, ...)
{
	va_list ap;

	if (++j->problem_count > PROBLEMS_TOLD)
		return;
	if (f && f->csv.line)
		buf_fmt(&j->problems, "%s line %lld: ", f->name, (long long)f->csv.line);
	else if (f)
		buf_fmt(&j->problems, "%s: ", f->name);
	va_start(ap, format);
	buf_vfmt(&j->problems, format, ap);
	va_end(ap);
	buf_str(&j->problems, "\n");
}

void import_repaired(struct import_job *j, enum import_repair kind, const struct import_file *f, int64_t line,
		     const char *format, ...)
{
	struct buf *b = &j->repairs[kind];
	va_list ap;

	if (j->planning || ++j->repair_count[kind] > repairs_told[kind])
		return;
	buf_str(b, "    ");
	if (f && line)
		buf_fmt(b, "%s line %lld: ", f->name, (long long)line);
	va_start(ap, format);
	buf_vfmt(b, format, ap);
	va_end(ap);
	buf_str(b, "\n");
}

static size_t place(const struct import_map *m, int64_t key)
{
	size_t i = (size_t)((uint64_t)key * 0x9E3779B97F4A7C15u >> 20) & (m->cap - 1);

	while (m->cells[i].key && m->cells[i].key != key)
		i = (i + 1) & (m->cap - 1);
	return i;
}

bool import_map_get(const struct import_map *m, int64_t key, int64_t *value)
{
	size_t i;

	if (!m->cap)
		return false;
	i = place(m, key);
	if (!m->cells[i].key)
		return false;
	*value = m->cells[i].value;
	return true;
}

void import_map_put(struct import_job *j, struct import_map *m, int64_t key, int64_t value)
{
	size_t i;

	assert(key > 0);
	if (m->count * 2 >= m->cap) {
		struct import_map wider = {.cap = m->cap ? m->cap * 2 : 64};

		wider.cells = calloc(wider.cap, sizeof wider.cells[0]);
		if (!wider.cells) {
			j->e = ERR_NO_MEMORY;
			return;
		}
		for (i = 0; i < m->cap; i++)
			if (m->cells[i].key)
				wider.cells[place(&wider, m->cells[i].key)] = m->cells[i];
		wider.count = m->count;
		free(m->cells);
		*m = wider;
	}
	i = place(m, key);
	m->count += m->cells[i].key == 0;
	m->cells[i].key = key;
	m->cells[i].value = value;
}

void *import_grow(struct import_job *j, void *array, size_t count, size_t size)
{
	void *wider;

	if (count & (count - 1)) /* full only at powers of two */
		return array;
	wider = realloc(array, (count ? count * 2 : 1) * size);
	if (!wider)
		j->e = ERR_NO_MEMORY;
	return wider;
}

int64_t import_hash(const char *text)
{
	return (int64_t)(hash_text(HASH_START, text) >> 1 | 1);
}

int64_t import_hash_pair(int64_t a, int64_t b)
{
	char text[48];

	snprintf(text, sizeof text, "%lld %lld", (long long)a, (long long)b);
	return import_hash(text);
}

int64_t import_new_id(struct import_job *j, enum import_table t, int64_t from, enum import_sql there)
{
	const struct import_file *f = &j->files[t];
	int64_t other;

	if (import_map_get(&j->ids[t], from, &other)) {
		import_problem(j, f, "%s %lld is there twice", f->id, (long long)from);
		return 0;
	}
	if (!j->keep_ids)
		return j->next_id[t]++;
	if (!import_ask(j, there, "i", from))
		return from;
	import_repaired(j, REPAIR_ID, f, f->csv.line, "%s %lld is taken in the book and became %lld.", f->id,
			(long long)from, (long long)j->next_id[t]);
	return j->next_id[t]++;
}
