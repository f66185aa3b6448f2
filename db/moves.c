/*
 * moves.c - a reservation changes its status.
 */
#include "moves.h"

#include "changes.h"
#include "failpoint.h"
#include "kept.h"
#include "outbox.h"
#include "payments.h"
#include "refunds.h"
#include "slots.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* When a guest may say that they are late, or here; and how often. */
enum { LATE_BEFORE_S = 2 * 3600, LATE_AFTER_S = 30 * 60, HERE_BEFORE_S = 30 * 60, SAID_MAX = 6 };

/* A change of status under way. */
struct moving {
	struct txn *t;
	const struct ticket_move *m;
	const struct reservation *v; /* as it was before */
	int64_t number;              /* of the ticket */
};

static enum err set_status(const struct moving *w, enum life to)
{
	if (!life_may(w->v->status, to))
		return ERR_BAD_MOVE;
	return stmt_run(w->t->db, SQL_MOVE, "itttii", w->v->id, life_word(to), w->m->actor, w->t->now, w->number, (int64_t)-1);
}

/* A hold that ran out gave up its seats and tables: the party gets whatever fits now. */
static enum err revive(const struct moving *w, enum life to)
{
	const struct reservation *v = w->v;
	struct room_stay stay = {.party = v->party};
	struct restaurant r;
	enum err why = ERR_OK;
	struct ticket_want want;
	int left;
	enum err e = restaurants_get(w->t->db, v->restaurant_id, &r);

	if (e == ERR_OK && (!clock_parse_iso(v->starts_at, &stay.starts_s) || !clock_parse_iso(v->ends_at, &stay.ends_s)))
		e = ERR_INTERNAL;
	if (e != ERR_OK)
		return e;
	want = ticket_want(&r.set, restaurants_seats(&r), v->restaurant_id, v->date, v->time, stay.starts_s, v->party);
	e = slots_find_room(w->t, &want, ROOM_HOLDER, KEPT_PAST, &stay, &left, &why);
	if (e == ERR_OK)
		e = why;
	for (size_t i = 0; i < stay.table_count && e == ERR_OK; i++)
		e = stmt_run(w->t->db, SQL_TABLE_TAKE, "iitt", v->id, stay.tables[i], v->starts_at, v->ends_at);
	if (e != ERR_OK)
		return e;
	return stmt_run(w->t->db, SQL_MOVE, "itttii", v->id, life_word(to), w->m->actor, w->t->now, w->number, stay.tables[0]);
}

/*
 * Money that is not theirs to pay is due back.  More than was written down can be said once for each version that the desk
 * saw: a request that is sent again finds another one.
 */
static enum err owe(const struct moving *w, bool *written)
{
	enum err e = payments_not_theirs(w->t, w->v, w->m->again, w->m->actor, written);

	if (e != ERR_OK || !w->m->again || !*written)
		return e;
	return stmt_run(w->t->db, SQL_MOVE, "itttii", w->v->id, life_word(w->v->status), w->m->actor, w->t->now, w->number,
			(int64_t)-1);
}

static enum err confirm(const struct moving *w)
{
	const struct reservation *v = w->v;
	bool prepaid = strcmp(v->type, booking_type_word(TICKET_PREPAY)) == 0, written;
	enum life to = prepaid ? LIFE_PREPAY_CONFIRM : LIFE_CONFIRMED;
	enum err e;

	if (w->m->amount && w->m->amount != v->total)
		return ERR_AMOUNT_CHANGED;
	if (v->change_of && !(v->change_done && w->m->again))
		return changes_paid(w->t, v, w->m->again, w->m->payment, w->m->actor, w->number);
	if (w->m->payment && (v->status == to || v->change_done))
		return ERR_BAD_MOVE;           /* it is paid: this is other money */
	if (v->status == to || v->change_done) /* said twice: it is so */
		return w->m->again ? owe(w, &written) : ERR_OK;
	if (!life_may(v->status, to) || (v->status == LIFE_EXPIRED && booking_has_begun(v, w->t->now_s)))
		return ERR_BAD_MOVE;
	e = v->status == LIFE_EXPIRED ? revive(w, to) : set_status(w, to);
	if (e == ERR_OK)
		e = outbox_tell(w->t, OUTBOX_CONFIRMED, v->restaurant_id, v->id, 0);
	return e == ERR_OK ? payments_received(w->t, v, w->m->again, w->m->actor) : e;
}

/*
 * Taking seats from the waitlist is booking them: the limits of one guest count, or one number would have as many as it
 * waits for.  What is offered stays so until its time, so they may give up another and take it then.
 */
static enum err check_taker(const struct moving *w)
{
	const struct reservation *v = w->v;
	struct restaurant r;
	int64_t holds = 0, upcoming = 0;
	enum err e = restaurants_get(w->t->db, v->restaurant_id, &r);

	if (e != ERR_OK || w->m->by != BY_GUEST || !v->user_id || WITHOUT("limits"))
		return e;
	e = stmt_get(w->t->db, stmt_use(w->t->db, SQL_STANDING_BESIDES, "iti", v->user_id, w->t->now, v->id), ERR_OK, "ii",
		     &holds, &upcoming);
	if (e == ERR_OK && r.set.holds_per_guest && v->total > 0 && holds >= r.set.holds_per_guest)
		return ERR_TOO_MANY_HOLDS;
	return e == ERR_OK && r.set.upcoming_per_guest && upcoming >= r.set.upcoming_per_guest ? ERR_TOO_MANY_UPCOMING : e;
}

/* Seats from the waitlist: with nothing due they are theirs, else they wait for the payment as any other hold. */
static enum err take(const struct moving *w)
{
	const struct reservation *v = w->v;
	enum err e;

	if (v->status == LIFE_CONFIRMED || (v->status == LIFE_TEMPORARY && !v->offered))
		return ERR_OK; /* said twice: it is so */
	if (v->status != LIFE_TEMPORARY)
		return v->status == LIFE_EXPIRED ? ERR_OFFER_OVER : ERR_BAD_MOVE;
	e = check_taker(w);
	if (e != ERR_OK)
		return e;
	e = booking_has_to_pay(v) ? stmt_run(w->t->db, SQL_HOLD_UNTIL, "imtti", v->id, w->t->now_s + w->m->hold_s, w->m->actor,
					     w->t->now, w->number) :
				    set_status(w, LIFE_CONFIRMED);
	if (e == ERR_OK && booking_has_to_pay(v))
		e = stmt_run(w->t->db, SQL_WAIT_TAKEN, "itt", v->id, w->m->actor, w->t->now);
	if (e == ERR_OK)
		e = outbox_tell(w->t, booking_has_to_pay(v) ? OUTBOX_HELD : OUTBOX_CONFIRMED, v->restaurant_id, v->id, 0);
	return e == ERR_OK ? outbox_tell_owner(w->t, v->restaurant_id, v->id) : e;
}

static enum err come(const struct moving *w)
{
	const struct reservation *v = w->v;
	enum err e;

	if (v->status != LIFE_CONFIRMED && v->status != LIFE_PREPAY_CONFIRM)
		return ERR_BAD_MOVE;
	if (v->coming)
		return ERR_OK;
	e = stmt_run(w->t->db, SQL_COMING, "itti", v->id, w->m->actor, w->t->now, w->number);
	return e == ERR_OK ? stmt_run(w->t->db, SQL_AUDIT_ADD, "tttitti", w->t->now, w->m->actor, "reservation", v->id,
				      "coming", NULL, w->number) :
			     e;
}

/*
 * On the day, of a party that is expected.  Each word costs a flush and a line at the desk, so a guest has a few; staff, who
 * pass on what they heard on the telephone, have as many as they like.
 */
static enum err say(const struct moving *w, enum sql_id sql, const char *change, int64_t from_s, int64_t until_s)
{
	const struct reservation *v = w->v;
	char said[12];
	int64_t times = 0;
	enum err e;

	if ((v->status != LIFE_CONFIRMED && v->status != LIFE_PREPAY_CONFIRM) || strcmp(v->visit_status, "PENDING") != 0)
		return ERR_BAD_MOVE;
	if ((w->t->now_s < from_s || w->t->now_s > until_s) && !WITHOUT("said-when"))
		return ERR_NOT_THE_TIME;
	e = stmt_get(w->t->db, stmt_use(w->t->db, SQL_SAID, "i", v->id), ERR_OK, "i", &times);
	if (e == ERR_OK && w->m->by == BY_GUEST && times >= SAID_MAX && !WITHOUT("said-often"))
		return ERR_SAID_OFTEN;
	if (e == ERR_OK)
		e = stmt_run(w->t->db, sql, "ittii", v->id, w->m->actor, w->t->now, w->number, (int64_t)w->m->said);
	snprintf(said, sizeof said, "%d", w->m->said);
	return e == ERR_OK ? stmt_run(w->t->db, SQL_AUDIT_ADD, "tttitti", w->t->now, w->m->actor, "reservation", v->id, change,
				      said, w->number) :
			     e;
}

static enum err be_late(const struct moving *w)
{
	int64_t starts_s;

	if (!clock_parse_iso(w->v->starts_at, &starts_s))
		return ERR_INTERNAL;
	return w->v->late_minutes == w->m->said ?
		       ERR_OK :
		       say(w, SQL_SAY_LATE, "late", starts_s - LATE_BEFORE_S, starts_s + LATE_AFTER_S);
}

static enum err be_here(const struct moving *w)
{
	int64_t starts_s, ends_s;

	if (!clock_parse_iso(w->v->starts_at, &starts_s) || !clock_parse_iso(w->v->ends_at, &ends_s))
		return ERR_INTERNAL;
	return w->v->here == (w->m->said != 0) ? ERR_OK : say(w, SQL_SAY_HERE, "here", starts_s - HERE_BEFORE_S, ends_s);
}

static enum err cancel(const struct moving *w)
{
	static const char *const by[] = {[BY_GUEST] = "GUEST", [BY_RESTAURANT] = "RESTAURANT", [BY_SYSTEM] = "SYSTEM"};
	struct payments_due due;
	bool by_guest;
	enum err e;

	assert(w->m->by >= BY_GUEST && w->m->by <= BY_SYSTEM);
	by_guest = w->m->by == BY_GUEST;
	if (w->v->change_of)
		return changes_withdraw(w->t, w->v->id, w->m->actor, w->number);
	if (w->v->status == LIFE_CANCELED)
		return ERR_OK;
	if (!life_may(w->v->status, LIFE_CANCELED))
		return ERR_BAD_MOVE;
	if (by_guest && booking_sits(w->v))
		return ERR_BEGUN;
	e = w->v->change_id ? changes_withdraw(w->t, w->v->change_id, w->m->actor, 0) : ERR_OK;
	if (e == ERR_OK)
		e = payments_if_cancelled(w->t->db, w->v, by_guest || w->m->by_terms, w->t->now_s, &due);
	if (e == ERR_OK && w->m->amount > due.refund)
		return ERR_AMOUNT_CHANGED; /* they were told of more, before the time for it was over */
	/* The seats are free at once; the money stands in the list of what is due back. */
	if (e == ERR_OK)
		e = payments_set_due_back(w->t, w->v->id, due.refund, w->m->actor);
	if (e == ERR_OK && due.refund > 0 &&
	    !by_guest) /* and what came by a card is sent when it can no longer be taken back */
		e = refunds_wait(w->t, w->v->id, MOVES_SECOND_THOUGHT_S);
	if (e == ERR_OK && due.refund > 0 && life_may(w->v->status, LIFE_REFUND_PENDING)) /* of a hold all money is due back */
		e = set_status(w, LIFE_REFUND_PENDING);
	if (e == ERR_OK)
		e = set_status(w, LIFE_CANCELED);
	if (e == ERR_OK)
		e = stmt_run(w->t->db, SQL_CANCELLATION_ADD, "ittit", w->v->id, by[w->m->by], w->m->reason, due.refund,
			     w->t->now);
	if (e != ERR_OK)
		return e;
	txn_free_guest(w->t, w->v->user_id, w->v->phone_key, w->v->restaurant_id, w->v->date, w->v->time);
	if (w->v->offered || w->v->unproven)
		return ERR_OK; /* they never had it */
	/* What the desk said it may take back within a few seconds. */
	return outbox_tell(w->t, by_guest ? OUTBOX_CANCELLED : OUTBOX_REFUSED, w->v->restaurant_id, w->v->id,
			   by_guest ? 0 : MOVES_SECOND_THOUGHT_S);
}

enum err moves_refuse(struct txn *t, const struct ticket_move *m, const struct reservation *v, int64_t number, enum err *why)
{
	bool over = v->status == LIFE_EXPIRED || v->status == LIFE_CANCELED || v->change_of, written = false;
	enum err e = txn_undo(t);

	if (e == ERR_OK && m->kind == MOVE_CONFIRM && *why != ERR_AMOUNT_CHANGED && (over || m->again))
		e = owe(&(struct moving){.t = t, .m = m, .v = v, .number = number}, &written);
	if (written)
		*why = ERR_PAID_TOO_LATE;
	return e;
}

/* Inside a savepoint of its own; *why says that it cannot be, and then nothing has changed. */
static enum err try_move(struct txn *t, const struct reservation *v, enum err (*move)(const struct moving *w),
			 const struct moving *w, enum err *why)
{
	struct kept_place place;
	enum err e = txn_mark(t);

	*why = ERR_OK;
	if (e == ERR_OK)
		e = kept_begin(t, v->id, &place);
	if (e == ERR_OK)
		e = move(w);
	if (e == ERR_OK)
		e = kept_end(t, &place, true);
	txn_forget(t); /* seats and tables may be free or taken now */
	txn_touch_day(t, v->restaurant_id, v->date);
	if (!txn_refuses_one(e))
		return e == ERR_OK ? txn_keep(t) : e;
	*why = e;
	return txn_undo(t);
}

enum err moves_paid(struct txn *t, const struct reservation *v, int64_t amount, int64_t payment, const char *actor,
		    enum err *why)
{
	struct ticket_move m = {
		.reservation_id = v->id, .kind = MOVE_CONFIRM, .by = BY_GUEST, .amount = amount, .payment = payment};

	assert(strlen(actor) < sizeof m.actor);
	strcpy(m.actor, actor);
	return try_move(t, v, confirm, &(struct moving){.t = t, .m = &m, .v = v}, why);
}

static enum err hold_again(const struct moving *w)
{
	if (w->v->status != LIFE_EXPIRED || w->v->change_of || booking_has_begun(w->v, w->t->now_s))
		return ERR_BAD_MOVE;
	return revive(w, LIFE_TEMPORARY);
}

enum err moves_hold_again(struct txn *t, const struct reservation *v, int64_t until_s, const char *actor, enum err *why)
{
	struct ticket_move m = {.reservation_id = v->id, .kind = MOVE_CONFIRM, .by = BY_GUEST};
	enum err e;

	assert(strlen(actor) < sizeof m.actor && until_s > t->now_s);
	strcpy(m.actor, actor);
	e = try_move(t, v, hold_again, &(struct moving){.t = t, .m = &m, .v = v}, why);
	if (e != ERR_OK || *why != ERR_OK)
		return e;
	return stmt_run(t->db, SQL_HOLD_UNTIL, "imtti", v->id, until_s, actor, t->now, (int64_t)0);
}

enum err moves_apply(struct txn *t, const struct ticket_move *m, const struct reservation *v, int64_t number)
{
	struct moving w = {.t = t, .m = m, .v = v, .number = number};

	txn_touch_day(t, v->restaurant_id, v->date);
	switch ((enum ticket_move_kind)m->kind) {
	case MOVE_CONFIRM:
		return confirm(&w);
	case MOVE_CANCEL:
		return cancel(&w);
	case MOVE_TAKE:
		return take(&w);
	case MOVE_COMING:
		return come(&w);
	case MOVE_LATE:
		return be_late(&w);
	case MOVE_HERE:
		return be_here(&w);
	}
	return ERR_INTERNAL;
}

enum err moves_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	struct kept_place place;
	struct reservation v;
	struct moving w = {.t = t, .m = &r->u.move, .v = &v, .number = (int64_t)number};
	enum err why, e = booking_get(t->db, r->u.move.reservation_id, t->now_s, &v);

	assert(r->kind == TICKET_MOVE && !r->u.move.again);
	out->id = r->u.move.reservation_id;
	if (e == ERR_NO_SUCH_RESERVATION) {
		out->err = (int32_t)e;
		return ERR_OK;
	}
	if (e == ERR_OK && w.m->kind == MOVE_CONFIRM)
		e = changes_find_waiting(t->db, w.m->amount, t->now_s, &v);
	if (e == ERR_OK)
		e = txn_mark(t);
	if (e != ERR_OK)
		return e;
	e = kept_begin(t, v.id, &place);
	place.by_house = w.m->by != BY_GUEST;
	if (e == ERR_OK)
		e = moves_apply(t, w.m, &v, w.number);
	if (e == ERR_OK)
		e = kept_end(t, &place, true);
	txn_forget(t); /* seats and tables may be free or taken now */
	if (!txn_refuses_one(e) && e != ERR_OFFER_OVER)
		return e == ERR_OK ? txn_keep(t) : e;
	why = e;
	e = moves_refuse(t, w.m, &v, w.number, &why);
	out->err = (int32_t)why;
	return e;
}
