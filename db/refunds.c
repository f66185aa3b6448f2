/*
 * refunds.c - money that goes back by the way it came.
 */
#include "refunds.h"

#include "failpoint.h"

#include <assert.h>
#include <sqlite3.h>
#include <string.h>

enum { NEEDY_S = 3600 };

enum err refunds_due(struct db *db, int64_t now_s, int64_t *ids, int most, int *count)
{
	assert(most > 0);
	return stmt_ids(db, stmt_use(db, SQL_REFUNDS_DUE, "mi", now_s, (int64_t)most), ids, most, count);
}

enum err refunds_get(struct db *db, int64_t id, struct refunds_row *out)
{
	enum err e;

	out->id = 0;
	e = stmt_get(db, stmt_use(db, SQL_REFUND_GET, "i", id), ERR_OK, "iiiiiittbnt", &out->id, &out->intent_id,
		     &out->payment_id, &out->amount, &out->cancellable, &out->returned, out->refund_key, sizeof out->refund_key,
		     out->state, sizeof out->state, &out->doubt, &out->attempts, out->words, sizeof out->words);
	return e == ERR_OK && !out->id ? ERR_NOT_FOUND : e;
}

/* A refund that has been refused in one way or another since then is not on its way. */
static void long_ago(int64_t now_s, char out[CLOCK_ISO_SIZE])
{
	clock_iso(WITHOUT("needy") ? 0 : now_s - NEEDY_S, out);
}

enum err refunds_need(struct db *db, int64_t restaurant_id, int64_t now_s, stmt_each *each, void *arg)
{
	char before[CLOCK_ISO_SIZE];

	long_ago(now_s, before);
	return stmt_rows(db, stmt_use(db, SQL_REFUNDS_NEED, "it", restaurant_id, before), each, arg);
}

enum err refunds_newest(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_REFUNDS_NEWEST, "i", restaurant_id), each, arg);
}

enum err refunds_needy(struct db *db, int64_t now_s, int64_t *count)
{
	char before[CLOCK_ISO_SIZE];

	long_ago(now_s, before);
	return stmt_number(db, SQL_REFUNDS_NEEDY, count, "t", before);
}

enum err refunds_wait(struct txn *t, int64_t reservation_id, int64_t seconds)
{
	return stmt_run(t->db, SQL_REFUNDS_WAIT, "im", reservation_id, t->now_s + seconds);
}

/* ---- what went back ---- */

/* Of the payment: so much of what was due back, and of what was kept. */
static enum err take_out(struct txn *t, const struct intents_row *i, int64_t due, int64_t kept)
{
	int64_t payment_id = 0;
	enum err e = stmt_number(t->db, SQL_INTENT_PAYMENT, &payment_id, "i", i->id);

	if (e != ERR_OK)
		return e;
	if (payment_id)
		return stmt_run(t->db, SQL_PAYMENT_RETURNED, "iiitt", payment_id, due, kept, t->now, "cashier");
	if (i->purpose != INTENT_FOR_TRY)
		return ERR_INTERNAL;
	e = stmt_run(t->db, SQL_INTENT_RETURNED, "itti", i->id, "cashier", t->now, i->money.returned + due + kept);
	return e == ERR_OK && i->money.returned + due + kept == i->amount ?
		       intents_move(t, i, INTENT_REFUNDED, INTENT_BY_CASHIER, "cashier") :
		       e;
}

/* How much of it the provider has given back, as far as the book knows: what a person gave back in cash is not its. */
static enum err known(struct txn *t, const struct intents_row *i, int64_t *out)
{
	int64_t by_hand = 0;
	enum err e = stmt_number(t->db, SQL_REFUNDED_BY_HAND, &by_hand, "i", i->id);

	*out = i->money.returned - by_hand;
	return e;
}

/* Less went back than a refund was to be: another row has the rest of it. */
static enum err take_part(struct txn *t, struct intents_row *i, int64_t *fresh)
{
	int64_t id = 0;
	enum err e = stmt_number(t->db, SQL_REFUND_LARGER, &id, "ii", i->id, *fresh);

	if (e != ERR_OK || !id)
		return e;
	e = stmt_run(t->db, SQL_REFUND_REST, "iit", id, *fresh, t->now);
	if (e == ERR_OK) /* whoever may have sent it has said how that went */
		e = stmt_run(t->db, SQL_REFUND_REFUSED, "it", id, "");
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_REFUND_WITHDRAWN, "i", id);
	if (e == ERR_OK)
		e = take_out(t, i, *fresh, 0);
	*fresh = 0;
	return e == ERR_OK ? intents_get(t->db, i->id, i) : e;
}

enum err refunds_settle(struct txn *t, const struct intents_row *was, int64_t returned)
{
	struct intents_row i = *was;
	int64_t before, fresh, id, amount;
	enum err e = known(t, &i, &before);

	for (fresh = returned - before; e == ERR_OK && fresh > 0; fresh -= amount) {
		id = 0;
		e = stmt_get(t->db, stmt_use(t->db, SQL_REFUND_OLDEST, "ii", i.id, fresh), ERR_OK, "ii", &id, &amount);
		if (e != ERR_OK || !id)
			break;
		e = stmt_run(t->db, SQL_REFUND_DONE, "it", id, t->now);
		if (e == ERR_OK)
			e = take_out(t, &i, amount, 0);
		if (e == ERR_OK)
			e = intents_get(t->db, i.id, &i);
	}
	/* Somebody at the provider's console: of what was due back anyway, or of what was kept. */
	if (e == ERR_OK && fresh > 0)
		e = take_part(t, &i, &fresh);
	if (e != ERR_OK || fresh <= 0)
		return e;
	/* As long as one of ours is under way, that looks first and sends what is missing. */
	e = stmt_number(t->db, SQL_REFUNDS_OPEN, &id, "i", i.id);
	if (e != ERR_OK || id)
		return e;
	amount = fresh < i.money.kept ? fresh : i.money.kept;
	e = amount > 0 ? take_out(t, &i, 0, amount) : ERR_OK;
	return e == ERR_OK && amount < fresh ? stmt_run(t->db, SQL_INTENT_WORDS, "ittt", i.id, "cashier", t->now,
							"more went back than was due: please compare with the provider") :
					       e;
}

/* ---- the desk ---- */

static enum err find_open(struct txn *t, int64_t id, struct refunds_row *r)
{
	enum err e = refunds_get(t->db, id, r);

	return e == ERR_NOT_FOUND ? ERR_PAYMENT_UNKNOWN : e;
}

enum err refunds_again(struct txn *t, int64_t id, const char *actor)
{
	struct refunds_row r;
	enum err e = find_open(t, id, &r);

	if (e != ERR_OK || strcmp(r.state, "QUEUED") == 0)
		return e; /* said twice: it is so */
	return strcmp(r.state, "FAILED") == 0 ? stmt_run(t->db, SQL_REFUND_AGAIN, "it", id, actor) : ERR_BAD_MOVE;
}

enum err refunds_by_hand(struct txn *t, int64_t id, const char *actor)
{
	struct refunds_row r;
	struct intents_row i;
	enum err e = find_open(t, id, &r);

	if (e != ERR_OK || strcmp(r.state, "BY_HAND") == 0)
		return e;
	if (strcmp(r.state, "QUEUED") == 0 && r.attempts)
		return ERR_ON_ITS_WAY_BACK;
	if (strcmp(r.state, "QUEUED") != 0 && strcmp(r.state, "FAILED") != 0)
		return ERR_BAD_MOVE;
	e = intents_get(t->db, r.intent_id, &i);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_REFUND_BY_HAND, "itt", id, t->now, actor);
	return e == ERR_OK ? take_out(t, &i, r.amount, 0) : e;
}
