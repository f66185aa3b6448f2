/*
 * payments.c - the money of a reservation.
 */
#include "payments.h"

#include "money.h"
#include "zone.h"

#include <assert.h>

/* All payments of a reservation together. */
struct sums {
	int64_t in, kept, due_back;
	int64_t in_the_house; /* of what is due back: the rest goes back by itself, to the card that it came from */
};

static enum err sum(struct db *db, int64_t reservation_id, struct sums *out)
{
	*out = (struct sums){0};
	return stmt_get(db, stmt_use(db, SQL_PAYMENTS_OF, "i", reservation_id), ERR_OK, "iiii", &out->in, &out->kept,
			&out->due_back, &out->in_the_house);
}

int payments_percent(struct db *db, const struct reservation *v, int64_t now_s)
{
	struct restaurant r;
	struct date day, today;
	int minute, now_minute, percent = 100;
	int64_t starts;

	if (restaurants_get(db, v->restaurant_id, &r) == ERR_OK && text_date(v->date, &day) && text_time(v->time, &minute) &&
	    zone_to_utc(r.zone, day, minute, &starts) && zone_to_local(r.zone, now_s, &today, &now_minute))
		percent = money_percent(v->refund_policy, v->party, text_days(day) - text_days(today), (starts - now_s) / 60);
	if (percent < 0) /* a policy that was written by hand */
		percent = 0;
	return percent < v->refund_cap ? percent : v->refund_cap;
}

enum err payments_if_cancelled(struct db *db, const struct reservation *v, bool by_terms, int64_t now_s,
			       struct payments_due *out)
{
	struct sums all;
	int64_t theirs;
	enum err e = sum(db, v->id, &all);

	*out = (struct payments_due){.paid = all.kept, .owed = all.due_back};
	if (e != ERR_OK || out->paid <= 0)
		return e;
	if (v->status == LIFE_TEMPORARY)
		by_terms = false; /* no terms yet: what came for a hold is all theirs */
	/* A refund at the shell may have left less than the house could keep. */
	theirs = out->paid > v->forfeited ? out->paid - v->forfeited : 0;
	out->refund = by_terms ? money_refund(theirs, payments_percent(db, v, now_s)) : out->paid;
	assert(out->refund >= 0 && out->refund <= out->paid);
	return e;
}

enum err payments_refunded(struct db *db, int64_t reservation_id, int64_t *amount)
{
	*amount = 0;
	return stmt_number(db, SQL_REFUND_OF, amount, "i", reservation_id);
}

/* Moves `amount` from what is kept to what is due back (1) or the other way (-1), payment by payment. */
static enum err shift(struct txn *t, int64_t reservation_id, enum sql_id find, int64_t amount, int sign, const char *actor)
{
	enum err e = ERR_OK;

	while (amount > 0 && e == ERR_OK) {
		struct sqlite3_stmt *s = stmt_use(t->db, find, "i", reservation_id);
		int64_t id, part, most;

		if (!stmt_row(t->db, s, &e))
			return e == ERR_OK ? ERR_INTERNAL : e; /* the caller has summed them up */
		stmt_take(s, "ii", &id, &most);
		part = most < amount ? most : amount;
		stmt_done(s);
		e = stmt_run(t->db, SQL_PAYMENT_MOVE, "iit", id, sign * part, actor);
		amount -= part;
	}
	return e;
}

enum err payments_set_due_back(struct txn *t, int64_t reservation_id, int64_t amount, const char *actor)
{
	assert(amount >= 0);
	return shift(t, reservation_id, SQL_PAYMENT_KEPT, amount, 1, actor);
}

enum err payments_received(struct txn *t, const struct reservation *v, bool again, const char *actor)
{
	struct sums all;
	int64_t owed, there;
	enum err e = sum(t->db, v->id, &all);

	owed = v->total - all.kept;
	if (e != ERR_OK || owed <= 0)
		return e;
	there = again || all.in_the_house < 0 ? 0 : all.in_the_house < owed ? all.in_the_house : owed;
	e = shift(t, v->id, SQL_PAYMENT_DUE, there, -1, actor);
	if (e != ERR_OK || owed == there)
		return e;
	return stmt_run(t->db, SQL_PAYMENT_ADD, "iittit", v->id, owed - there, v->currency, t->now, v->restaurant_id, actor);
}

enum err payments_of_change(struct txn *t, const struct reservation *v, const struct reservation *hold, bool again,
			    const char *actor)
{
	enum err e = ERR_OK;

	if (hold->total <= 0)
		return ERR_OK; /* a hold that the shell made free */
	if (!again)
		e = stmt_run(t->db, SQL_PAYMENT_ADOPT, "iiit", hold->id, v->id, hold->total, actor);
	if (e != ERR_OK || (!again && stmt_changes(t->db)))
		return e;
	return stmt_run(t->db, SQL_PAYMENT_ADD, "iittit", v->id, hold->total, v->currency, t->now, v->restaurant_id, actor);
}

enum err payments_adopt(struct txn *t, const struct reservation *v, int64_t payment, const char *actor)
{
	assert(payment > 0);
	return stmt_run(t->db, SQL_PAYMENT_ADOPT_THIS, "iit", payment, v->id, actor);
}

enum err payments_came_before(struct db *db, int64_t reservation_id, int64_t payment, bool *any)
{
	*any = false;
	return stmt_get(db, stmt_use(db, SQL_PAYMENT_OF_OTHERS, "ii", reservation_id, payment), ERR_OK, "b", any);
}

enum err payments_came(struct db *db, int64_t reservation_id, bool *any, bool *due_back)
{
	struct sums all;
	enum err e = sum(db, reservation_id, &all);

	*any = all.in > 0;
	*due_back = all.due_back > 0;
	return e;
}

enum err payments_not_theirs(struct txn *t, const struct reservation *v, bool again, const char *actor, bool *written)
{
	struct sums all;
	enum err e = sum(t->db, v->id, &all);

	*written = e == ERR_OK && all.due_back > 0;
	if (e != ERR_OK || v->total == 0 || (all.in > 0 && !again))
		return e;
	*written = true;
	return stmt_run(t->db, SQL_PAYMENT_NOT_THEIRS, "iittitt", v->id, v->total, v->currency, t->now, v->restaurant_id, actor,
			all.in > 0 ? "paid once more" : "came when the seats were no longer theirs");
}
