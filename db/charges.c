/*
 * charges.c - what the cashier says, and what follows from it.
 */
#include "charges.h"

#include "failpoint.h"
#include "moves.h"
#include "outbox.h"
#include "refunds.h"

#include <assert.h>
#include <string.h>

#define CASHIER "cashier"

enum {
	CONFIRMS_MAX = 4, /* tries to confirm what was authorised; then it is let go */
	AGAIN_S = 60,
	WINDOW_S = 300,        /* after the end of a hold its guest may still be at the provider */
	SESSION_S = 36 * 60,   /* Stripe's page is over by then */
	SURE_LOOKS = 3,        /* that found nothing of what a guest came back from ... */
	UNSURE_S = 5,          /* ... with so long between them */
	LATE_S = 900,          /* so long a charge that nobody has answered may still arrive */
	UNKNOWN_MAX_S = 86400, /* what the cashier may ask for at most */
};

/* One report under way. */
struct telling {
	struct txn *t;
	const struct ticket_cashier *c;
	int64_t number;
	struct intents_row i;
	struct ticket_outcome *out;
};

static enum err next(const struct telling *w, enum intent_todo todo, int64_t at_s)
{
	return intents_todo(w->t, w->i.id, todo, at_s);
}

static enum err over(const struct telling *w)
{
	return next(w, INTENT_TO__NOTHING, 0);
}

static enum err move(struct telling *w, enum intent to)
{
	enum err e = intents_move(w->t, &w->i, to, INTENT_BY_CASHIER, CASHIER);

	if (e == ERR_OK)
		w->i.state = to;
	return e;
}

static enum err say_words(const struct telling *w, const char *words)
{
	return stmt_run(w->t->db, SQL_INTENT_WORDS, "ittt", w->i.id, CASHIER, w->t->now, text_has_control(words) ? "" : words);
}

static enum err settle(const struct telling *w)
{
	return stmt_run(w->t->db, SQL_INTENT_SETTLED, "ittt", w->i.id, CASHIER, w->t->now, w->c->ref);
}

/* ---- nothing has happened yet ---- */

/*
 * When it is looked at, counted from the end of its hold: at once, a minute, five minutes later; Stripe's page lives half an hour;
 * then daily for a week.  Nobody need come back, and no event need arrive.
 */
static int64_t next_look(const struct intents_row *i, int64_t now_s)
{
	static const int64_t after_s[] = {0, 60, 300, 35 * 60};
	enum { FIRST = sizeof after_s / sizeof after_s[0], DAYS = 7, DAY_S = 86400 };
	int64_t end_s = i->ends_s ? i->ends_s : i->created_s;

	for (size_t k = 0; k < FIRST; k++)
		if (end_s + after_s[k] > now_s && (k < 3 || i->provider == INTENT_STRIPE))
			return end_s + after_s[k];
	return now_s + DAY_S > end_s + DAYS * DAY_S ? 0 : now_s + DAY_S;
}

/* Who makes us look again and again waits longer for it. */
static enum err count_look(const struct telling *w)
{
	return WITHOUT("looks") ?
		       ERR_OK :
		       stmt_run(w->t->db, SQL_INTENT_LOOKED, "itti", w->i.id, CASHIER, w->t->now, (int64_t)SURE_LOOKS);
}

/*
 * The guest came back with nothing to confirm it with, and the provider knows of nothing: after some looks it is so, and they may go
 * there again.
 */
static bool is_unsure(const struct intents_row *i)
{
	return i->state == INTENT_READY && i->back && !i->token[0] && i->looks + 1 < SURE_LOOKS && !WITHOUT("unsure");
}

static enum err look_later(struct telling *w)
{
	int64_t at_s = is_unsure(&w->i) ? w->t->now_s + UNSURE_S : next_look(&w->i, w->t->now_s);
	enum err e = count_look(w);

	if (e == ERR_OK && at_s)
		return next(w, INTENT_TO_LOOK, at_s);
	if (e == ERR_OK && w->i.state == INTENT_READY)
		e = move(w, INTENT_FAILED);
	return e == ERR_OK ? over(w) : e;
}

/* ---- may it be charged? ---- */

/*
 * A hold that ran out is one again, if its seats are free.  What was brought to pay with is only the guest's word until now: where it
 * was for nothing once, the seats are not held for another.
 */
static enum err hold_again(struct telling *w, const struct reservation *v, int64_t seconds, bool *theirs)
{
	int64_t until_s = w->t->now_s + seconds, vain = 0;
	enum err why = ERR_OK, e = stmt_number(w->t->db, SQL_INTENTS_IN_VAIN, &vain, "i", v->id);

	*theirs = vain == 0 || WITHOUT("stretch-once");
	if (e != ERR_OK || !*theirs)
		return e;
	e = moves_hold_again(w->t, v, until_s, CASHIER, &why);
	*theirs = why == ERR_OK;
	return e == ERR_OK && *theirs ? stmt_run(w->t->db, SQL_INTENT_STRETCH, "ittm", w->i.id, CASHIER, w->t->now, until_s) :
					e;
}

/*
 * A change whose hold ran out: would its money change anything?  It is tried, and taken back.  One that is done already (the desk
 * confirmed it) wants no more money.
 */
static enum err may_be_changed(const struct telling *w, const struct reservation *hold, bool *theirs)
{
	enum err why = ERR_OK, e, undone;

	*theirs = false;
	if (hold->change_done)
		return ERR_OK;
	e = txn_mark(w->t);
	if (e != ERR_OK)
		return e;
	e = moves_paid(w->t, hold, w->i.amount, 0, CASHIER, &why);
	undone = txn_undo(w->t);
	*theirs = why == ERR_OK;
	return e == ERR_OK ? undone : e;
}

/* Is it still what they owe, and are the seats theirs? */
static enum err find_seats(struct telling *w, bool *theirs)
{
	struct paysettings set;
	struct reservation v;
	int64_t owed;
	enum err e = booking_get(w->t->db, w->i.reservation_id, w->t->now_s, &v);

	*theirs = false;
	if (e == ERR_OK)
		e = paysettings_get(w->t->db, w->i.restaurant_id, &set);
	if (e != ERR_OK)
		return e;
	owed = w->i.purpose == INTENT_FOR_CARD ? v.guarantee : v.total;
	if (owed != w->i.amount || (v.status != LIFE_TEMPORARY && v.status != LIFE_EXPIRED))
		return ERR_OK;
	*theirs = true;
	if (v.status == LIFE_TEMPORARY)
		return intents_stretch(w->t, &w->i, &v);
	if (v.change_of)
		return may_be_changed(w, &v, theirs);
	return hold_again(w, &v, set.stretch_s, theirs);
}

/*
 * What was authorised is not wanted.  Without a confirmation of ours it never becomes a charge; only if one may have arrived, and at
 * Stripe, where the card is blocked until it is let go, somebody has to speak to the provider first.
 */
static enum err let_go(struct telling *w)
{
	enum err e = ERR_OK;

	if (w->i.doubt && !WITHOUT("doubt"))
		return next(w, INTENT_TO_LOOK, w->t->now_s);
	if (w->i.provider == INTENT_STRIPE && w->i.purpose != INTENT_FOR_CARD)
		return next(w, INTENT_TO_VOID, w->t->now_s);
	if (w->i.state == INTENT_READY)
		e = move(w, INTENT_FAILED);
	else if (w->i.state == INTENT_AUTHORISED)
		e = move(w, INTENT_VOIDED);
	if (e == ERR_OK)
		e = settle(w);
	if (e == ERR_OK && w->i.attempts && w->i.purpose != INTENT_FOR_CARD &&
	    !WITHOUT("late")) /* what was sent, and never answered, may arrive yet */
		return next(w, INTENT_TO_LOOK, w->t->now_s + AGAIN_S);
	return e == ERR_OK ? over(w) : e;
}

static enum err begin_charge(struct telling *w)
{
	bool theirs = w->i.purpose == INTENT_FOR_TRY;
	enum err e = ERR_OK;

	if (w->i.state != INTENT_READY && w->i.state != INTENT_AUTHORISED)
		return ERR_BAD_MOVE;
	if (w->i.purpose == INTENT_FOR_CHARGE)
		theirs = w->t->now_s < w->i.charge_until_s && w->i.card_ref[0];
	else if (!theirs)
		e = find_seats(w, &theirs);
	if (e != ERR_OK || theirs)
		return e;
	w->out->err = ERR_BAD_MOVE;
	return let_go(w);
}

/* As long as it is not known whether a card was charged, it is what the charge can be looked for by. */
static enum err begin_forgetting(struct telling *w)
{
	int64_t live = 0;
	enum err e = stmt_number(w->t->db, SQL_CARD_LIVE, &live, "i", w->i.id);

	if (e != ERR_OK || !live || WITHOUT("forget"))
		return e;
	w->out->err = ERR_BAD_MOVE;
	return next(w, INTENT_TO_FORGET_CARD, w->t->now_s + AGAIN_S);
}

static enum err begin_refund(struct telling *w)
{
	struct refunds_row r;
	enum err e = refunds_get(w->t->db, w->c->refund_id, &r);

	if (e == ERR_OK && (strcmp(r.state, "QUEUED") != 0 || r.intent_id != w->i.id))
		w->out->err = ERR_BAD_MOVE;
	return e == ERR_OK && w->out->err == ERR_OK ? stmt_run(w->t->db, SQL_REFUND_STARTED, "it", r.id, w->t->now) : e;
}

/* A call is about to be made.  From here on the row is in doubt, until it is said how it went. */
static enum err start(struct telling *w)
{
	enum err e = ERR_OK;

	if (w->c->refund_id)
		return begin_refund(w);
	if (w->i.todo == INTENT_TO__NOTHING)
		e = ERR_BAD_MOVE;
	else if (w->i.todo == INTENT_TO_CHARGE)
		e = begin_charge(w);
	else if (w->i.todo == INTENT_TO_FORGET_CARD)
		e = begin_forgetting(w);
	if (e == ERR_BAD_MOVE)
		return w->out->err = ERR_BAD_MOVE, ERR_OK;
	return e == ERR_OK && w->out->err == ERR_OK ?
		       stmt_run(w->t->db, SQL_INTENT_STARTED, "itt", w->i.id, CASHIER, w->t->now) :
		       e;
}

/* ---- it was charged ---- */

/* Where the money of a trial goes: back. */
static enum err give_back_trial(struct telling *w)
{
	enum err e = move(w, INTENT_PAID);

	if (e == ERR_OK)
		e = move(w, INTENT_REFUND_DUE);
	return e == ERR_OK ? stmt_run(w->t->db, SQL_REFUND_ADD, "iitt", w->i.id, w->i.amount, CASHIER, w->t->now) : e;
}

/* All of it is due back, and says why. */
static enum err give_back(const struct telling *w, int64_t payment_id, const char *why)
{
	enum err e = stmt_run(w->t->db, SQL_PAYMENT_MOVE, "iit", payment_id, w->c->amount, CASHIER);

	return e == ERR_OK ? say_words(w, why) : e;
}

/* It is what was asked for: the seats are theirs, or it goes back in this very transaction. */
static enum err use_money(const struct telling *w, int64_t payment_id)
{
	struct reservation v;
	enum err why = ERR_OK, e = booking_get(w->t->db, w->i.reservation_id, w->t->now_s, &v);

	if (e == ERR_OK && w->i.purpose == INTENT_FOR_CHARGE) {
		txn_touch_day(w->t, v.restaurant_id, v.date);
		return outbox_tell(w->t, OUTBOX_CHARGED, v.restaurant_id, v.id, 0);
	}
	if (e == ERR_OK)
		e = moves_paid(w->t, &v, w->i.amount, payment_id, CASHIER, &why);
	if (e != ERR_OK || why == ERR_OK)
		return e;
	txn_touch_day(w->t, v.restaurant_id, v.date);
	return give_back(w, payment_id, "came when the seats were no longer theirs");
}

/* Is that what the provider calls a payment of another intent? */
static enum err check_other(const struct telling *w, bool *other)
{
	int64_t found = 0;
	enum err e = ERR_OK;

	if (w->c->ref[0])
		e = stmt_number(w->t->db, SQL_INTENT_OF_REF, &found, "tt", intent_provider_word(w->i.provider), w->c->ref);
	*other = found && found != w->i.id;
	return e;
}

static enum err receive(struct telling *w)
{
	const struct ticket_cashier *c = w->c;
	bool right = (c->amount == w->i.amount && strcmp(c->currency, w->i.currency) == 0) || WITHOUT("amount");
	int64_t payment_id;
	enum err e = settle(w);

	if (e == ERR_OK)
		e = over(w);
	if (e == ERR_OK && w->i.purpose == INTENT_FOR_TRY)
		return give_back_trial(w);
	if (e == ERR_OK)
		e = stmt_run(w->t->db, SQL_INTENT_PAID, "iittt", w->i.id, c->amount, c->currency, w->t->now, CASHIER);
	if (e != ERR_OK)
		return e;
	payment_id = stmt_last_id(w->t->db);
	return right ? use_money(w, payment_id) : give_back(w, payment_id, "another amount than was asked for");
}

static enum err charged(struct telling *w)
{
	const struct ticket_cashier *c = w->c;
	bool other;
	enum err e = check_other(w, &other);

	if (e != ERR_OK)
		return e;
	if (other || c->amount <= 0 || strlen(c->currency) != 3)
		return ERR_BAD_MOVE;
	if (w->i.purpose == INTENT_FOR_CARD)
		return say_words(w, "charged, and nobody asked for it: please look at the provider");
	if (intent_charged(w->i.state)) {
		e = c->returned == w->i.money.returned ? count_look(w) : ERR_OK;
		if (e == ERR_OK)
			e = over(w);
	} else {
		e = receive(w);
	}
	if (e == ERR_OK)
		e = intents_get(w->t->db, w->i.id, &w->i);
	return e == ERR_OK && c->returned > 0 ? refunds_settle(w->t, &w->i, c->returned) : e;
}

/* ---- it was not ---- */

static enum err begun(const struct telling *w)
{
	int64_t end_s = w->i.ends_s > w->t->now_s ? w->i.ends_s : w->t->now_s + AGAIN_S, page_s = w->t->now_s + SESSION_S;
	enum err e;

	/* A link to pay by is good for a day, and the page that was made for it is not: then it is time for another. */
	if (end_s > page_s && !WITHOUT("session"))
		end_s = page_s;
	e = stmt_run(w->t->db, SQL_INTENT_SESSION, "itttt", w->i.id, CASHIER, w->t->now, w->c->ref, w->c->url);

	return e == ERR_OK ? next(w, INTENT_TO_LOOK, end_s) : e;
}

/* The cashier captures no other amount than the book's, so nobody will. */
static bool is_other_amount(const struct telling *w)
{
	return w->c->amount > 0 && (w->c->amount != w->i.amount || strcmp(w->c->currency, w->i.currency) != 0);
}

/* The provider would pay.  It is charged if the seats are theirs (START asks); what nobody waits for is let go. */
static enum err authorised(struct telling *w)
{
	enum err e = ERR_OK;

	if (intent_charged(w->i.state))
		return over(w); /* late: it was charged since */
	if (w->c->secret[0] || w->c->ref[0])
		e = stmt_run(w->t->db, SQL_INTENT_BACK, "itttt", w->i.id, CASHIER, w->t->now, w->c->ref, w->c->secret);
	w->i.doubt = false; /* it was looked at: it is not charged */
	if (e == ERR_OK && is_other_amount(w))
		e = say_words(w, "another amount than was asked for");
	if (e != ERR_OK)
		return e;
	if (is_other_amount(w) || w->i.state == INTENT_FAILED || w->i.state == INTENT_VOIDED || w->i.todo == INTENT_TO_VOID ||
	    w->i.attempts >= CONFIRMS_MAX)
		return w->i.provider == INTENT_STRIPE ? next(w, INTENT_TO_VOID, w->t->now_s) : let_go(w);
	if (w->i.purpose != INTENT_FOR_CARD)
		e = move(w, INTENT_AUTHORISED);
	return e == ERR_OK ? next(w, INTENT_TO_CHARGE, w->t->now_s) : e;
}

/* A kept card was not charged so far.  Until it is sure that it will not be, the desk must not charge it anew. */
static enum err charge_again(struct telling *w)
{
	if (w->i.attempts < CONFIRMS_MAX)
		return next(w, INTENT_TO_CHARGE, w->t->now_s);
	return w->t->now_s < w->i.created_s + LATE_S ? next(w, INTENT_TO_LOOK, w->t->now_s + AGAIN_S) : let_go(w);
}

/* Nothing has come of it so far. */
static enum err open(struct telling *w)
{
	w->i.doubt = false;
	if (intent_charged(w->i.state))
		return over(w);
	if (w->i.todo == INTENT_TO_VOID)
		return w->i.state == INTENT_AUTHORISED ? move(w, INTENT_VOIDED) == ERR_OK ? over(w) : ERR_BAD_MOVE :
							 look_later(w);
	/* What was to confirm it with is there: the confirmation did not arrive. */
	if (w->i.token[0] &&
	    (w->i.state == INTENT_AUTHORISED || (w->i.purpose == INTENT_FOR_CARD && w->i.state == INTENT_READY)) &&
	    w->i.attempts < CONFIRMS_MAX)
		return next(w, INTENT_TO_CHARGE, w->t->now_s);
	if (w->i.state == INTENT_AUTHORISED && w->i.purpose != INTENT_FOR_CARD)
		return let_go(w);
	if (w->i.purpose == INTENT_FOR_CHARGE && w->i.state == INTENT_READY)
		return charge_again(w);
	return look_later(w);
}

/* By this payment nothing will be charged any more. */
static enum err ended(struct telling *w, enum intent to)
{
	enum err e = ERR_OK;

	if (intent_charged(w->i.state))
		return over(w);
	if (w->i.state == INTENT_FAILED || w->i.state == INTENT_VOIDED)
		e = count_look(w); /* known before: asked once more in vain */
	else if (w->i.state == INTENT_READY)
		e = move(w, INTENT_FAILED);
	else if (w->i.state == INTENT_AUTHORISED && w->i.purpose != INTENT_FOR_CARD)
		e = move(w, w->i.todo == INTENT_TO_VOID ? INTENT_VOIDED : to);
	if (e == ERR_OK && w->c->words[0])
		e = say_words(w, w->c->words);
	if (e == ERR_OK)
		e = settle(w);
	return e == ERR_OK ? over(w) : e;
}

/*
 * The provider knows no such payment.  A charge of a kept card that was sent may arrive yet.  Where we confirm, the guest may be in
 * the window still, and nothing is known of it until they have done their part: who is in it when the hold ends gets a little time.
 */
static enum err gone(struct telling *w)
{
	int64_t end_s = w->i.ends_s ? w->i.ends_s : w->i.created_s;

	if (w->i.state != INTENT_READY || WITHOUT("gone"))
		return ended(w, INTENT_FAILED);
	if (w->i.purpose == INTENT_FOR_CHARGE && w->i.attempts && w->i.todo != INTENT_TO_VOID &&
	    w->t->now_s < w->i.created_s + LATE_S)
		return open(w);
	if (w->i.provider != INTENT_STRIPE && !w->i.back && w->t->now_s < end_s + WINDOW_S)
		return look_later(w);
	return ended(w, INTENT_FAILED);
}

/* No answer.  A charge that may have been made is looked for before it is made again; all else is asked once more. */
static enum err unknown(struct telling *w)
{
	int64_t soon_s = w->t->now_s + 1, late_s = w->t->now_s + UNKNOWN_MAX_S, at_s = w->c->retry_s;
	enum err e = w->c->words[0] ? say_words(w, w->c->words) : ERR_OK;

	if (e != ERR_OK || w->i.todo == INTENT_TO__NOTHING)
		return e;
	at_s = at_s < soon_s ? soon_s : at_s > late_s ? late_s : at_s;
	return next(w, w->i.todo == INTENT_TO_CHARGE ? INTENT_TO_LOOK : w->i.todo, at_s);
}

/* ---- a card that is kept ---- */

/* The seats are theirs by it, if it stands for all that is asked of them by now. */
static enum err seat_by_card(const struct telling *w, enum err *why)
{
	struct reservation v;
	enum err e = booking_get(w->t->db, w->i.reservation_id, w->t->now_s, &v);

	*why = ERR_AMOUNT_CHANGED;
	if (e != ERR_OK || v.total > 0 || v.guarantee != w->i.amount)
		return e;
	return moves_paid(w->t, &v, 0, 0, CASHIER, why);
}

/* A card that they left after all, when it was over: nobody waits for it, and it is forgotten at once. */
static enum err keep_card(struct telling *w)
{
	bool waits = w->i.state == INTENT_READY;
	enum err why = ERR_BAD_MOVE, e;

	if (w->i.purpose != INTENT_FOR_CARD || !w->c->secret[0])
		return ERR_BAD_MOVE;
	if (w->i.state == INTENT_AUTHORISED)
		return ERR_OK; /* said twice */
	e = stmt_run(w->t->db, SQL_INTENT_CARD, "itttt", w->i.id, CASHIER, w->t->now, w->c->secret, w->c->label);
	if (e == ERR_OK && waits)
		e = move(w, INTENT_AUTHORISED);
	if (e == ERR_OK && waits)
		e = seat_by_card(w, &why);
	if (e == ERR_OK && why != ERR_OK)
		e = say_words(w, why == ERR_AMOUNT_CHANGED ? "another amount than was asked for" :
							     "came when the seats were no longer theirs");
	return e == ERR_OK ? next(w, INTENT_TO_FORGET_CARD, why == ERR_OK ? w->i.charge_until_s : w->t->now_s) : e;
}

static enum err forgotten(struct telling *w)
{
	enum err e = stmt_run(w->t->db, SQL_INTENT_FORGET, "itt", w->i.id, CASHIER, w->t->now);

	if (e == ERR_OK && w->i.state == INTENT_AUTHORISED)
		e = move(w, INTENT_VOIDED);
	return e == ERR_OK ? over(w) : e;
}

/* ---- a refund ---- */

static enum err tell_refund(struct telling *w)
{
	struct refunds_row r;
	char at[CLOCK_ISO_SIZE];
	int64_t returned, at_s = w->c->retry_s > w->t->now_s ? w->c->retry_s : w->t->now_s + 1;
	enum err e = refunds_get(w->t->db, w->c->refund_id, &r);

	if (e == ERR_OK && r.intent_id != w->i.id)
		e = ERR_BAD_MOVE;
	if (e != ERR_OK)
		return e;
	clock_iso(at_s, at);
	if (w->c->told == TOLD_REFUND_REFUSED)
		e = stmt_run(w->t->db, SQL_REFUND_REFUSED, "it", r.id, w->c->words);
	if (w->c->told == TOLD_REFUND_UNKNOWN)
		e = stmt_run(w->t->db, SQL_REFUND_LATER, "itt", r.id, at, w->c->words);
	/* What the provider has may be other than we believe: it is looked at before anything is sent again. */
	if (e == ERR_OK && w->c->told != TOLD_REFUNDED && w->c->returned < 0 && w->i.todo == INTENT_TO__NOTHING)
		return next(w, INTENT_TO_LOOK, at_s);
	if (e != ERR_OK || (w->c->told != TOLD_REFUNDED && w->c->returned < 0))
		return e;
	/* Where the provider's sum is not known, it is what the book has and this. */
	returned = w->c->returned;
	if (returned < 0)
		returned = strcmp(r.state, "DONE") == 0 ? 0 : r.returned + r.amount;
	e = refunds_settle(w->t, &w->i, returned);
	/* If it is still open, its sum was counted for another one: a person compares. */
	return e == ERR_OK ? stmt_run(w->t->db, SQL_REFUND_REFUSED, "it", w->c->told == TOLD_REFUNDED ? r.id : (int64_t)0,
				      "sent, and not among what the provider gave back") :
			     e;
}

static enum err tell(struct telling *w)
{
	switch ((enum ticket_told)w->c->told) {
	case TOLD_START:
		return start(w);
	case TOLD_BEGUN:
		return w->i.todo == INTENT_TO_BEGIN ? begun(w) : ERR_OK;
	case TOLD_OPEN:
		return open(w);
	case TOLD_AUTHORISED:
		return authorised(w);
	case TOLD_CHARGED:
		return charged(w);
	case TOLD_REFUSED:
		return ended(w, INTENT_FAILED);
	case TOLD_GONE:
		return gone(w);
	case TOLD_VOIDED:
		return ended(w, INTENT_VOIDED);
	case TOLD_UNKNOWN:
		return unknown(w);
	case TOLD_CARD:
		return keep_card(w);
	case TOLD_FORGOTTEN:
		return forgotten(w);
	case TOLD_REFUNDED:
	case TOLD_REFUND_REFUSED:
	case TOLD_REFUND_UNKNOWN:
		return tell_refund(w);
	}
	return ERR_INTERNAL;
}

/* What was said cannot be, and would be said again at once: the provider is asked a little later. */
static enum err put_off(struct telling *w)
{
	enum err e = intents_get(w->t->db, w->i.id, &w->i);

	if (e != ERR_OK || w->c->told == TOLD_START || w->c->refund_id || w->i.todo == INTENT_TO__NOTHING)
		return e;
	return next(w, w->i.todo == INTENT_TO_CHARGE ? INTENT_TO_LOOK : w->i.todo, w->t->now_s + AGAIN_S);
}

enum err charges_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	struct telling w = {.t = t, .c = &r->u.cashier, .number = (int64_t)number, .out = out};
	enum err e = intents_get(t->db, r->u.cashier.intent_id, &w.i);

	assert(r->kind == TICKET_CASHIER);
	out->id = r->u.cashier.intent_id;
	if (e == ERR_PAYMENT_UNKNOWN) {
		out->err = (int32_t)e;
		return ERR_OK;
	}
	if (e == ERR_OK)
		e = txn_mark(t);
	if (e != ERR_OK)
		return e;
	e = tell(&w);
	if (!txn_refuses_one(e) && e != ERR_NOT_FOUND)
		return e == ERR_OK ? txn_keep(t) : e;
	out->err = (int32_t)e;
	e = txn_undo(t);
	return e == ERR_OK ? put_off(&w) : e;
}
