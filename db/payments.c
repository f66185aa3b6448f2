/*
 * payments.c - the money of a reservation.
 */
#include "payments.h"

#include "money.h"
#include "zone.h"

#include <assert.h>

/* How much of `paid` the policy frozen into the reservation gives back to a guest who cancels now. */
static int64_t guest_refund(struct db *db, const struct reservation *v, int64_t paid, int64_t now_s)
{
	struct restaurant r;
	struct date day, today;
	int minute, now_minute;
	int64_t starts;

	/* In doubt everything goes back. */
	if (restaurants_get(db, v->restaurant_id, &r) != ERR_OK || !text_date(v->date, &day) || !text_time(v->time, &minute) ||
	    !zone_to_utc(r.zone, day, minute, &starts) || !zone_to_local(r.zone, now_s, &today, &now_minute))
		return paid;
	return money_refund(v->refund_policy, v->party, paid, text_days(day) - text_days(today), (starts - now_s) / 60);
}

enum err payments_if_cancelled(struct db *db, const struct reservation *v, enum ticket_by by, int64_t now_s,
			       struct payments_due *out)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_PAID_OF, "i", v->id);
	enum err e;

	*out = (struct payments_due){0};
	while (stmt_row(db, s, &e)) {
		out->payment_id = stmt_int(s, 0);
		out->paid = stmt_int(s, 1);
	}
	if (e == ERR_OK && out->paid > 0)
		out->refund = by == BY_GUEST ? guest_refund(db, v, out->paid, now_s) : out->paid;
	assert(out->refund >= 0 && out->refund <= out->paid);
	return e;
}

enum err payments_refunded(struct db *db, int64_t reservation_id, int64_t *amount)
{
	*amount = 0;
	return stmt_number(db, SQL_REFUND_OF, amount, "i", reservation_id);
}

enum err payments_received(struct txn *t, const struct reservation *v, const char *actor)
{
	assert(v->total >= 0);
	if (v->total == 0)
		return ERR_OK;
	return stmt_run(t->db, SQL_PAYMENT_ADD, "iittit", v->id, v->total, v->currency, t->now, v->restaurant_id, actor);
}

enum err payments_too_late(struct txn *t, const struct reservation *v, const char *actor)
{
	if (v->total == 0)
		return ERR_OK;
	return stmt_run(t->db, SQL_PAYMENT_LATE, "iittit", v->id, v->total, v->currency, t->now, v->restaurant_id, actor);
}

enum err payments_set_due_back(struct txn *t, const struct payments_due *due, const char *actor)
{
	assert(due->refund > 0 && due->refund <= due->paid);
	return stmt_run(t->db, SQL_PAYMENT_DUE_BACK, "iit", due->payment_id, due->refund, actor);
}
