/*
 * check.c - is the book sound?
 */
#include "check.h"

#include "db.h"
#include "migrate.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum { FINDINGS_PER_RULE = 20 };

/* A rule holds when its statement gives no row; each row is a finding in words. */
static const struct {
	const char *rule, *sql;
} rules[] = {
	{"the file is whole", "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'"},
	{"every row has its parents",
	 "SELECT printf('%s row %s has no %s', \"table\", rowid, parent) FROM pragma_foreign_key_check"},
	{"no slot is overbooked",
	 "SELECT printf('slot %d (%s %s): %d of %d seats taken', s.slot_id, s.slot_date, s.slot_time, sum(v.party_size),"
	 " s.max_capacity) FROM restaurant_reservation_slots s JOIN reservations v ON v.slot_id = s.slot_id"
	 " WHERE v.is_active = 1 GROUP BY s.slot_id HAVING sum(v.party_size) > s.max_capacity"},
	{"no table is given twice",
	 "SELECT printf('slot %d, table %d: %d reservations', slot_id, table_id, count(*)) FROM reservations"
	 " WHERE is_active = 1 AND table_id IS NOT NULL GROUP BY slot_id, table_id HAVING count(*) > 1"},
	{"nobody is booked twice into one slot",
	 "SELECT printf('user %d, slot %d: %d reservations', user_id, slot_id, count(*)) FROM reservations"
	 " WHERE is_active = 1 GROUP BY user_id, slot_id HAVING count(*) > 1"},
	{"every hold has its end",
	 "SELECT printf('%s is a hold without an end', reservation_code) FROM reservations"
	 " WHERE status = 'TEMPORARY' AND hold_expires_at IS NULL"},
	{"no ticket booked twice",
	 "SELECT printf('ticket %d: %d reservations', ticket, count(*)) FROM reservations"
	 " WHERE ticket IS NOT NULL GROUP BY ticket HAVING count(*) > 1"},
	{"money in = kept + returned + due back",
	 "SELECT printf('payment %d: %d in, %d kept, %d returned, %d due back', payment_id, amount, kept_amount,"
	 " refunded_amount, due_back_amount) FROM payments WHERE status NOT IN ('READY', 'FAILED')"
	 " AND amount <> kept_amount + refunded_amount + due_back_amount"},
	{"no late payment is lost",
	 "SELECT printf('payment %d of %s: kept %d although the hold expired', p.payment_id, v.reservation_code,"
	 " p.kept_amount) FROM payments p JOIN reservations v USING (reservation_id)"
	 " WHERE v.status = 'EXPIRED' AND p.status = 'PAID' AND p.kept_amount > 0"},
	{"totals are sums of what was ordered",
	 "SELECT printf('%s: prepaid %d, dishes %d', v.reservation_code, v.prepay_amount, sum(i.line_amount))"
	 " FROM reservations v JOIN reservation_menu_items i USING (reservation_id)"
	 " WHERE v.reservation_type = 'PREORDER_PREPAY' AND v.source <> 'IMPORT' GROUP BY v.reservation_id"
	 " HAVING sum(i.line_amount) <> v.prepay_amount"},
	{"every reservation was written down",
	 "SELECT printf('%s has no audit row for its creation', v.reservation_code) FROM reservations v"
	 " WHERE NOT EXISTS (SELECT 1 FROM audit a WHERE a.entity = 'reservation' AND a.entity_id = v.reservation_id"
	 " AND a.change = 'created')"},
	{"no reservation has vanished",
	 "SELECT printf('reservation %d was written down and is gone', a.entity_id) FROM audit a"
	 " WHERE a.entity = 'reservation' AND a.change = 'created'"
	 " AND NOT EXISTS (SELECT 1 FROM reservations v WHERE v.reservation_id = a.entity_id)"},
	{"every change was written down",
	 "SELECT printf('%s is %s, but the audit ends with %s', v.reservation_code, v.status, a.to_value)"
	 " FROM reservations v JOIN audit a ON a.audit_id = (SELECT max(audit_id) FROM audit WHERE"
	 " entity = 'reservation' AND entity_id = v.reservation_id AND change IN ('created', 'status'))"
	 " WHERE a.to_value <> v.status"},
};

/* The book's own tables, indexes, triggers and views against those a new book would have. */
static const char compare_schema[] =
	"SELECT printf('%s %s is missing or not as jari made it', w.type, w.name) FROM fresh.sqlite_schema w"
	" LEFT JOIN main.sqlite_schema m ON m.type = w.type AND m.name = w.name"
	" WHERE w.name NOT LIKE 'sqlite_%' AND m.sql IS NOT w.sql";

struct telling {
	void (*tell)(void *, const char *, const char *);
	void *arg;
	struct check_report *report;
};

static void apply_rule(sqlite3 *handle, const char *rule, const char *sql, struct telling *t)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(handle, sql, -1, &s, NULL), n = 0;

	if (rc == SQLITE_OK)
		while ((rc = sqlite3_step(s)) == SQLITE_ROW && n++ < FINDINGS_PER_RULE)
			t->tell(t->arg, rule, (const char *)sqlite3_column_text(s, 0));
	t->report->rules++;
	/* A rule that cannot be asked (a table is gone, the file is damaged) is a finding too. */
	if (rc != SQLITE_DONE && rc != SQLITE_ROW) {
		t->tell(t->arg, rule, sqlite3_errmsg(handle));
		n++;
	}
	sqlite3_finalize(s);
	t->report->findings += n;
	if (n == 0)
		t->tell(t->arg, rule, NULL);
}

static enum err compare(sqlite3 *handle, struct telling *t)
{
	static const char fresh_book[] = "file:jari-fresh?mode=memory&cache=shared";
	sqlite3 *fresh = NULL;
	enum err e = db_open_plain(fresh_book, SQLITE_OPEN_URI | SQLITE_OPEN_CREATE, &fresh);

	for (int v = 1; e == ERR_OK && v <= DB_VERSION; v++)
		e = db_exec(fresh, migrate_schema(v));
	if (e == ERR_OK)
		e = db_exec(handle, "ATTACH 'file:jari-fresh?mode=memory&cache=shared' AS fresh");
	if (e == ERR_OK) {
		apply_rule(handle, "the book's own defences stand", compare_schema, t);
		e = db_exec(handle, "DETACH fresh");
	}
	sqlite3_close(fresh);
	return e;
}

enum err check_book(const char *path, void (*tell)(void *arg, const char *rule, const char *finding), void *arg,
		    struct check_report *out)
{
	struct telling t = {tell, arg, out};
	sqlite3 *handle = NULL;
	int64_t version = 0;
	enum err e;

	*out = (struct check_report){0};
	sqlite3_config(SQLITE_CONFIG_URI, 1);
	e = db_open_plain(path, SQLITE_OPEN_URI, &handle);
	if (e == ERR_OK)
		e = db_identify(handle, &version);
	for (size_t i = 0; e == ERR_OK && i < sizeof rules / sizeof rules[0]; i++)
		apply_rule(handle, rules[i].rule, rules[i].sql, &t);
	if (e == ERR_OK && version == DB_VERSION)
		e = compare(handle, &t);
	sqlite3_close(handle);
	return e;
}
