/*
 * intents.c - payments before they are money: what guests and the desk ask of them.
 */
#include "intents.h"

#include "failpoint.h"
#include "outbox.h"
#include "refunds.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum {
	TRIES_MAX = 20,        /* of one reservation; each is a row, and a page at the provider */
	LOOKS_AT_ONCE = 10,    /* that found nothing; then who comes back waits a little */
	LOOK_LATE_S = 60,      /* and so long at most */
	EVENTS_S = 30 * 86400, /* events are kept so long */
};

/* ---- reading ---- */

/* Of a trial there is no payment: the intent itself says what went back. */
static void count_trial(struct intents_row *i, int64_t returned)
{
	if (i->purpose != INTENT_FOR_TRY || !intent_charged(i->state))
		return;
	i->money = (struct intent_money){.received = i->amount, .returned = returned};
	if (i->state == INTENT_REFUND_DUE)
		i->money.due_back = i->amount - returned;
	else
		i->money.kept = i->amount - returned;
}

static enum err take(struct db *db, struct sqlite3_stmt *s, struct intents_row *i)
{
	const char *purpose, *state, *provider, *lang, *todo;
	int64_t returned;
	enum err e;

	i->id = 0;
	while (stmt_row(db, s, &e)) {
		stmt_take(s, "iiiwwwbttiiwwmbnnbbmmmitttttttttiiiit", &i->id, &i->restaurant_id, &i->reservation_id, &purpose,
			  &state, &provider, &i->test, i->pay_key, sizeof i->pay_key, i->currency, sizeof i->currency,
			  &i->amount, &returned, &lang, &todo, &i->todo_s, &i->doubt, &i->attempts, &i->looks, &i->back,
			  &i->stretched, &i->created_s, &i->ends_s, &i->charge_until_s, &i->card_of, i->site, sizeof i->site,
			  i->provider_ref, sizeof i->provider_ref, i->session_ref, sizeof i->session_ref, i->session_url,
			  sizeof i->session_url, i->token, sizeof i->token, i->card_ref, sizeof i->card_ref, i->card_label,
			  sizeof i->card_label, i->words, sizeof i->words, i->terms, sizeof i->terms, &i->money.received,
			  &i->money.kept, &i->money.returned, &i->money.due_back, i->told, sizeof i->told);
		if (!intent_purpose_parse(purpose, &i->purpose) || !intent_parse(state, &i->state) ||
		    !intent_provider_parse(provider, &i->provider))
			return stmt_done(s), ERR_INTERNAL;
		i->todo = intent_todo_parse(todo);
		i->lang = strcmp(lang, "en") == 0 ? LANG_EN : LANG_KO;
		count_trial(i, returned);
	}
	return e;
}

static enum err must(enum err e, const struct intents_row *i)
{
	return e == ERR_OK && !i->id ? ERR_PAYMENT_UNKNOWN : e;
}

enum err intents_get(struct db *db, int64_t id, struct intents_row *out)
{
	return must(take(db, stmt_use(db, SQL_INTENT_GET, "i", id), out), out);
}

enum err intents_by_key(struct db *db, const char *pay_key, struct intents_row *out)
{
	return must(take(db, stmt_use(db, SQL_INTENT_BY_KEY, "t", pay_key), out), out);
}

enum err intents_tried(struct db *db, int64_t reservation_id, bool *out)
{
	int64_t tried = 0;
	enum err e = stmt_number(db, SQL_INTENTS_TRIED, &tried, "i", reservation_id);

	*out = tried > 0;
	return e;
}

enum err intents_charged(struct db *db, int64_t reservation_id, int64_t *amount)
{
	*amount = 0;
	return stmt_number(db, SQL_INTENT_CHARGED, amount, "i", reservation_id);
}

enum err intents_trial(struct db *db, int64_t restaurant_id, struct intents_row *out)
{
	return take(db, stmt_use(db, SQL_INTENT_TRIAL, "i", restaurant_id), out);
}

enum err intents_due(struct db *db, int64_t now_s, int64_t *ids, int most, int *count)
{
	assert(most > 0);
	return stmt_ids(db, stmt_use(db, SQL_INTENTS_DUE, "mi", now_s, (int64_t)most), ids, most, count);
}

enum err intents_paid_since(struct db *db, const struct paysettings *set, int64_t since_s, int64_t after, int64_t *ids,
			    int most, int *count)
{
	assert(most > 0);
	return stmt_ids(db,
			stmt_use(db, SQL_INTENTS_PAID_SINCE, "itmii", set->restaurant_id, intent_provider_word(set->provider),
				 since_s, after, (int64_t)most),
			ids, most, count);
}

enum err intents_about(struct db *db, const struct intents_row *i, struct intents_about *out)
{
	struct restaurant r;
	enum err e = restaurants_get(db, i->restaurant_id, &r);

	*out = (struct intents_about){0};
	if (e != ERR_OK)
		return e;
	snprintf(out->house, sizeof out->house, "%s", restaurants_words(&r, i->lang, r.name, r.name_en));
	if (!i->reservation_id)
		return ERR_OK;
	return stmt_get(db, stmt_use(db, SQL_INTENT_ABOUT, "i", i->reservation_id), ERR_OK, "tttnttt", out->code,
			sizeof out->code, out->date, sizeof out->date, out->time, sizeof out->time, &out->party, out->guest,
			sizeof out->guest, out->phone, sizeof out->phone, out->email, sizeof out->email);
}

void intents_order_name(const struct intents_row *i, const struct intents_about *a, char out[INTENTS_NAME_SIZE])
{
	static const char *const what[INTENT_FOR__MAX][2] = {
		[INTENT_FOR_DEPOSIT] = {[LANG_KO] = "예약금", [LANG_EN] = "deposit"},
		[INTENT_FOR_CARD] = {[LANG_KO] = "카드 등록", [LANG_EN] = "card guarantee"},
		[INTENT_FOR_CHARGE] = {[LANG_KO] = "위약금", [LANG_EN] = "no-show charge"},
		[INTENT_FOR_TRY] = {[LANG_KO] = "결제 시험", [LANG_EN] = "payment test"},
	};
	char rest[60] = "", people[16];

	snprintf(people, sizeof people, i->lang == LANG_EN ? "%d people" : "%d명", a->party);
	if (a->date[0])
		snprintf(rest, sizeof rest, " (%s %s, %s)", a->date, a->time, people);
	snprintf(out, INTENTS_NAME_SIZE, "%.*s %s%s", text_fit(a->house, 40), a->house, what[i->purpose][i->lang], rest);
}

/* ---- steps that several take ---- */

enum err intents_todo(struct txn *t, int64_t id, enum intent_todo todo, int64_t at_s)
{
	char at[CLOCK_ISO_SIZE];

	clock_iso(at_s, at);
	return stmt_run(t->db, SQL_INTENT_TODO, "itttt", id, "cashier", t->now, intent_todo_word(todo),
			todo == INTENT_TO__NOTHING ? NULL : at);
}

int intents_patience(const struct intents_row *i)
{
	if (i->looks < LOOKS_AT_ONCE || WITHOUT("looks"))
		return 0;
	return i->looks < LOOK_LATE_S ? i->looks : LOOK_LATE_S;
}

enum err intents_move(struct txn *t, const struct intents_row *i, enum intent to, enum intent_who who, const char *actor)
{
	if (i->state == to)
		return ERR_OK;
	if (!intent_may(i->state, to, who))
		return ERR_BAD_MOVE;
	return stmt_run(t->db, SQL_INTENT_MOVE, "ittt", i->id, actor, t->now, intent_word(to));
}

enum err intents_stretch(struct txn *t, const struct intents_row *i, const struct reservation *v)
{
	struct paysettings p;
	char until[CLOCK_ISO_SIZE];
	int64_t before = 0;
	enum err e = stmt_number(t->db, SQL_INTENT_STRETCHED, &before, "i", v->id);

	if (e == ERR_OK)
		e = paysettings_get(t->db, v->restaurant_id, &p);
	if (e != ERR_OK || (before && !WITHOUT("stretch-once")))
		return e;
	clock_iso(t->now_s + p.stretch_s, until);
	if (strcmp(until, v->hold_expires_at) <= 0)
		return ERR_OK;
	e = stmt_run(t->db, SQL_INTENT_STRETCH, "ittt", i->id, "cashier", t->now, until);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_HOLD_UNTIL, "ittti", v->id, until, "cashier", t->now, (int64_t)0);
	txn_touch_day(t, v->restaurant_id, v->date);
	return e;
}

/* ---- a guest presses "pay" ---- */

/* One ticket under way. */
struct asking {
	struct txn *t;
	const struct ticket_pay *p;
	int64_t number;
	struct paysettings set;
	struct reservation v;
	struct ticket_outcome *out;
};

/* That a ticket did it stands in the audit, so that its outcome is found again. */
static enum err note(const struct asking *w, int64_t intent_id, const char *what)
{
	w->out->id = intent_id;
	return stmt_run(w->t->db, SQL_AUDIT_ADD, "tttitti", w->t->now, w->p->actor, "intent", intent_id, "asked", what,
			w->number);
}

/* What is it that they would pay?  A change that waits for its money comes first: the reservation itself is paid. */
static enum err find_due(struct asking *w, enum intent_purpose *purpose, int64_t *amount)
{
	struct reservation *v = &w->v;
	enum err e = booking_get(w->t->db, w->p->reservation_id, w->t->now_s, v);

	if (e == ERR_OK && v->change_id)
		e = booking_get(w->t->db, v->change_id, w->t->now_s, v);
	if (e != ERR_OK)
		return e;
	if (v->status != LIFE_TEMPORARY || v->offered || v->unproven)
		return ERR_PAYMENT_NOT_DUE;
	*purpose = v->total > 0 ? INTENT_FOR_DEPOSIT : INTENT_FOR_CARD;
	*amount = v->total > 0 ? v->total : v->guarantee;
	return *amount > 0 ? ERR_OK : ERR_PAYMENT_NOT_DUE;
}

/* What is written of a new one, beside who asks for it. */
struct fresh {
	enum intent_purpose purpose;
	int64_t reservation_id, number, amount, card_of;
	const char *currency, *terms, *ends_at;
	char charge_until[CLOCK_ISO_SIZE];
	enum intent_todo todo;
	int64_t todo_s;
};

/* The row, before the provider hears of it. */
static enum err add(const struct asking *w, const struct fresh *f)
{
	const struct ticket_pay *p = w->p;
	char about[48], pay_key[TICKET_PAY_KEY_SIZE];
	enum err e;

	snprintf(about, sizeof about, "%s %lld", intent_purpose_word(f->purpose), (long long)f->reservation_id);
	token_pay_key(p->seed, about, f->number, pay_key);
	e = stmt_run(w->t->db, SQL_INTENT_ADD, "iitittitittttitmttt", w->set.restaurant_id, f->reservation_id,
		     intent_purpose_word(f->purpose), f->number, pay_key, intent_provider_word(w->set.provider),
		     (int64_t)w->set.test, f->currency, f->amount, p->lang == LANG_EN ? "en" : "ko", p->site,
		     f->terms ? f->terms : "", f->charge_until[0] ? f->charge_until : NULL, f->card_of,
		     intent_todo_word(f->todo), f->todo_s, w->t->now, f->ends_at, p->actor);
	return e == ERR_OK ? note(w, stmt_last_id(w->t->db), intent_purpose_word(f->purpose)) : e;
}

/*
 * One that lives already.  It is the same however often the button is pressed, unless something else is due by now and nobody has
 * come back from the provider: then it is given up, and what an old tab may still authorise is let go when it is found.
 */
static enum err use_live(const struct asking *w, const struct intents_row *live, int64_t amount, bool *used)
{
	bool same = live->amount == amount && live->provider == w->set.provider && live->test == w->set.test;
	int64_t look_s = live->ends_s > w->t->now_s ? live->ends_s : w->t->now_s;
	enum err e;

	*used = same || live->state != INTENT_READY || live->back;
	if (*used) { /* nothing is written: it may be pressed all day */
		w->out->id = live->id;
		return ERR_OK;
	}
	e = intents_move(w->t, live, INTENT_FAILED, INTENT_BY_GUEST, w->p->actor);
	return e == ERR_OK ? intents_todo(w->t, live->id, INTENT_TO_LOOK, look_s) : e;
}

static enum err begin(struct asking *w)
{
	struct fresh f = {.todo = INTENT_TO_LOOK};
	struct intents_row live;
	bool used = false;
	int64_t starts_s = 0, tries = 0, end_s = 0;
	enum err e = find_due(w, &f.purpose, &f.amount);

	if (e == ERR_OK)
		e = paysettings_get(w->t->db, w->v.restaurant_id, &w->set);
	if (e == ERR_OK && (!paysettings_online(&w->set) || !paysettings_takes(&w->set, w->v.currency)))
		e = ERR_PAID_AT_THE_HOUSE;
	if (e == ERR_OK)
		e = take(w->t->db, stmt_use(w->t->db, SQL_INTENT_LIVE, "it", w->v.id, intent_purpose_word(f.purpose)), &live);
	if (e == ERR_OK && live.id)
		e = use_live(w, &live, f.amount, &used);
	if (e == ERR_OK && !used)
		e = stmt_number(w->t->db, SQL_INTENT_TRIES, &tries, "it", w->v.id, intent_purpose_word(f.purpose));
	if (e != ERR_OK || used)
		return e;
	if (tries >= TRIES_MAX)
		return ERR_TOO_MANY_TRIES;
	if (!clock_parse_iso(w->v.hold_expires_at, &end_s) || !clock_parse_iso(w->v.starts_at, &starts_s))
		return ERR_INTERNAL;
	f.reservation_id = w->v.id;
	f.number = tries + 1;
	f.currency = w->v.currency;
	f.ends_at = w->v.hold_expires_at;
	if (f.purpose == INTENT_FOR_CARD) {
		f.terms = w->set.guarantee_terms;
		clock_iso(starts_s + w->set.guarantee_hours * INT64_C(3600), f.charge_until);
	}
	/* The others have no page of ours to make; nobody comes back: it is looked at when the hold ends. */
	f.todo = w->set.provider == INTENT_STRIPE ? INTENT_TO_BEGIN : INTENT_TO_LOOK;
	f.todo_s = f.todo == INTENT_TO_BEGIN ? w->t->now_s : end_s;
	return add(w, &f);
}

/* ---- a guest comes back ---- */

/* Of Stripe they bring nothing that is worth anything: whether they have paid at its page is only to be looked up. */
static const char *brought(const struct asking *w, const struct intents_row *i)
{
	return i->provider == INTENT_STRIPE ? "" : w->p->token;
}

/*
 * When the cashier goes on with it.  At once; but each look is a question to the provider, which answers so many of them to the whole
 * house.  Who comes back and has not paid, again and again, waits longer each time.
 */
static int64_t go_on_at(const struct asking *w, const struct intents_row *i, enum intent_todo todo)
{
	int64_t at_s = w->t->now_s;

	if (todo != INTENT_TO_LOOK || !intents_patience(i))
		return at_s;
	at_s += intents_patience(i);
	return i->todo == INTENT_TO_LOOK && i->todo_s < at_s ? i->todo_s : at_s;
}

/* What they brought is written down, and the cashier goes on with it. */
static enum err go_on(const struct asking *w, const struct intents_row *i, enum intent_todo todo)
{
	enum err e = stmt_run(w->t->db, SQL_INTENT_BACK, "itttt", i->id, w->p->actor, w->t->now, "", brought(w, i));

	return e == ERR_OK ? intents_todo(w->t, i->id, todo, go_on_at(w, i, todo)) : e;
}

/* They hold their seats while it is asked whether they have paid. */
static enum err hold_on(struct asking *w, const struct intents_row *i)
{
	enum err e = i->reservation_id ? booking_get(w->t->db, i->reservation_id, w->t->now_s, &w->v) : ERR_OK;

	return e == ERR_OK && i->reservation_id && w->v.status == LIFE_TEMPORARY ? intents_stretch(w->t, i, &w->v) : e;
}

/*
 * It was refused, or they closed the window: another try may begin at once.  That word is theirs alone, so what the provider thinks
 * of it is asked when the hold is over; only Stripe's page could still bring anything, and what it brings is let go.
 */
static enum err decline(const struct asking *w, const struct intents_row *i)
{
	int64_t look_s = i->ends_s > w->t->now_s ? i->ends_s : w->t->now_s;
	enum err e = intents_move(w->t, i, INTENT_FAILED, INTENT_BY_GUEST, w->p->actor);

	if (e == ERR_OK)
		e = stmt_run(w->t->db, SQL_INTENT_WORDS, "ittt", i->id, w->p->actor, w->t->now,
			     w->p->words[0] ? w->p->words : w->p->code);
	return e == ERR_OK ? intents_todo(w->t, i->id, INTENT_TO_LOOK, look_s) : e;
}

static enum err come_back(struct asking *w)
{
	const struct ticket_pay *p = w->p;
	struct intents_row i;
	enum err e = intents_by_key(w->t->db, p->pay_key, &i);

	if (e != ERR_OK)
		return e;
	w->out->id = i.id;
	if (i.purpose == INTENT_FOR_CHARGE || i.state == INTENT_AUTHORISED || intent_charged(i.state) ||
	    i.todo == INTENT_TO_CHARGE)
		return ERR_OK;       /* said twice, or late: it is so, or is being done */
	if (i.state != INTENT_READY) /* an old tab: it may have been authorised all the same */
		return i.todo == INTENT_TO_VOID || i.todo == INTENT_TO_FORGET_CARD ? ERR_OK : go_on(w, &i, INTENT_TO_LOOK);
	if (p->code[0])
		return i.back ? ERR_OK : decline(w, &i);
	e = hold_on(w, &i);
	if (e != ERR_OK || !brought(w, &i)[0])
		return e == ERR_OK ? go_on(w, &i, INTENT_TO_LOOK) : e;
	e = go_on(w, &i, INTENT_TO_CHARGE);
	return e == ERR_OK && i.purpose != INTENT_FOR_CARD ?
		       intents_move(w->t, &i, INTENT_AUTHORISED, INTENT_BY_GUEST, p->actor) :
		       e;
}

/* ---- the desk and the owner ---- */

/* Seats that were booked by telephone wait as long as the link is good, and no longer than until they would be taken. */
static enum err send_link(struct asking *w)
{
	char until[CLOCK_ISO_SIZE];
	enum intent_purpose purpose;
	int64_t amount, starts_s;
	enum err e = find_due(w, &purpose, &amount);

	if (e == ERR_OK)
		e = paysettings_get(w->t->db, w->v.restaurant_id, &w->set);
	if (e == ERR_OK && !paysettings_online(&w->set))
		e = ERR_PAID_AT_THE_HOUSE;
	if (e != ERR_OK)
		return e;
	if (!clock_parse_iso(w->v.starts_at, &starts_s))
		return ERR_INTERNAL;
	clock_iso(w->t->now_s + w->set.phone_hold_hours * INT64_C(3600), until);
	if (strcmp(until, w->v.starts_at) > 0)
		memcpy(until, w->v.starts_at, sizeof until);
	if (strcmp(until, w->v.hold_expires_at) > 0)
		e = stmt_run(w->t->db, SQL_HOLD_UNTIL, "ittti", w->v.id, until, w->p->actor, w->t->now, (int64_t)0);
	if (e == ERR_OK)
		e = outbox_tell(w->t, OUTBOX_HELD, w->v.restaurant_id, w->v.id, 0);
	txn_touch_day(w->t, w->v.restaurant_id, w->v.date);
	w->out->id = w->v.id;
	return e == ERR_OK ? stmt_run(w->t->db, SQL_AUDIT_ADD, "tttitti", w->t->now, w->p->actor, "intent", w->v.id, "asked",
				      "LINK", w->number) :
			     e;
}

/* A person charges a card: once the party was to come, as much as was said at most, while it may be. */
static enum err charge(struct asking *w)
{
	struct fresh f = {.purpose = INTENT_FOR_CHARGE, .todo = INTENT_TO_CHARGE, .todo_s = w->t->now_s};
	struct intents_row card;
	int64_t charged = 0, tries = 0, id = 0, starts_s = 0, refused = 0;
	enum err e = booking_get(w->t->db, w->p->reservation_id, w->t->now_s, &w->v);

	if (e == ERR_OK)
		e = stmt_number(w->t->db, SQL_REFUSED_BY_HOUSE, &refused, "i", w->v.id);
	if (e == ERR_OK)
		e = stmt_number(w->t->db, SQL_CARD_OF, &id, "i", w->v.id);
	if (e == ERR_OK && !id)
		e = ERR_CHARGE_OVER;
	if (e == ERR_OK)
		e = intents_get(w->t->db, id, &card);
	if (e == ERR_OK)
		e = stmt_number(w->t->db, SQL_CARD_CHARGED, &charged, "i", id);
	if (e == ERR_OK)
		e = stmt_number(w->t->db, SQL_INTENT_TRIES, &tries, "it", w->v.id, intent_purpose_word(f.purpose));
	if (e == ERR_OK)
		e = paysettings_get(w->t->db, w->v.restaurant_id, &w->set);
	if (e != ERR_OK)
		return e;
	if (!clock_parse_iso(w->v.starts_at, &starts_s))
		return ERR_INTERNAL;
	if (w->t->now_s < starts_s)
		return ERR_TOO_EARLY;
	if (refused && !WITHOUT("refused"))
		return ERR_CHARGE_OVER; /* it was the house that did not come */
	if (charged + w->p->most != card.amount)
		return ERR_STALE; /* somebody has charged it since, or the answer was lost */
	if (w->p->amount <= 0 || charged + w->p->amount > card.amount || w->t->now_s >= card.charge_until_s ||
	    !card.card_ref[0])
		return ERR_CHARGE_OVER;
	if (card.todo == INTENT_TO_FORGET_CARD && card.doubt)
		return ERR_CHARGE_OVER; /* it is being forgotten */
	if (tries >= TRIES_MAX)
		return ERR_TOO_MANY_TRIES;
	w->set.provider = card.provider; /* whose card it is, whatever the house takes by now */
	w->set.test = card.test;
	f.reservation_id = w->v.id;
	f.number = tries + 1;
	f.amount = w->p->amount;
	f.currency = card.currency;
	f.card_of = id;
	txn_touch_day(w->t, w->v.restaurant_id, w->v.date);
	return add(w, &f);
}

/* The smallest amount that providers take, through all that a guest's payment goes through. */
static enum err try_it(struct asking *w)
{
	struct fresh f = {.purpose = INTENT_FOR_TRY, .number = (int64_t)w->number, .amount = w->p->amount};
	struct restaurant r;
	enum err e = restaurants_get(w->t->db, w->p->restaurant_id, &r);

	if (e == ERR_OK)
		e = paysettings_get(w->t->db, w->p->restaurant_id, &w->set);
	if (e == ERR_OK && !paysettings_online(&w->set))
		e = ERR_PAID_AT_THE_HOUSE;
	if (e == ERR_OK && !paysettings_takes(&w->set, r.currency))
		e = ERR_WON_ONLY;
	if (e != ERR_OK)
		return e;
	f.currency = r.currency;
	f.todo = w->set.provider == INTENT_STRIPE ? INTENT_TO_BEGIN : INTENT_TO_LOOK;
	f.todo_s = w->t->now_s + (f.todo == INTENT_TO_BEGIN ? 0 : r.set.hold_seconds);
	return add(w, &f);
}

/* A refund that needs somebody; staff of one restaurant see only its own. */
static enum err see_to_refund(const struct asking *w)
{
	const struct ticket_pay *p = w->p;
	struct refunds_row r;
	struct intents_row i;
	enum err e = refunds_get(w->t->db, p->refund_id, &r);

	if (e == ERR_OK)
		e = intents_get(w->t->db, r.intent_id, &i);
	if (e == ERR_NOT_FOUND || (e == ERR_OK && p->restaurant_id && i.restaurant_id != p->restaurant_id))
		e = ERR_PAYMENT_UNKNOWN;
	if (e == ERR_OK)
		e = p->act == PAY_AGAIN ? refunds_again(w->t, r.id, p->actor) : refunds_by_hand(w->t, r.id, p->actor);
	return e == ERR_OK ? note(w, i.id, p->act == PAY_AGAIN ? "AGAIN" : "BY_HAND") : e;
}

static enum err act(struct asking *w)
{
	switch ((enum ticket_pay_act)w->p->act) {
	case PAY_BEGIN:
		return begin(w);
	case PAY_BACK:
		return come_back(w);
	case PAY_LINK:
		return send_link(w);
	case PAY_CHARGE:
		return charge(w);
	case PAY_TRY:
		return try_it(w);
	case PAY_AGAIN:
	case PAY_BY_HAND:
		return see_to_refund(w);
	}
	return ERR_INTERNAL;
}

/* Does this say no to one ticket, and leave its neighbours alone? */
static bool refuses(enum err e)
{
	return txn_refuses_one(e) || err_status(e) == 404 || e == ERR_PAYMENT_NOT_DUE || e == ERR_PAID_AT_THE_HOUSE ||
	       e == ERR_TOO_MANY_TRIES || e == ERR_CHARGE_OVER || e == ERR_ON_ITS_WAY_BACK || e == ERR_STALE ||
	       e == ERR_WON_ONLY;
}

enum err intents_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	struct asking w = {.t = t, .p = &r->u.pay, .number = (int64_t)number, .out = out};
	enum err e = txn_mark(t);

	assert(r->kind == TICKET_PAY);
	if (e == ERR_OK)
		e = act(&w);
	if (e == ERR_OK || !refuses(e))
		return e == ERR_OK ? txn_keep(t) : e;
	out->err = (int32_t)e;
	return txn_undo(t);
}

/* ---- the keeper ---- */

enum err intents_tidy(struct db *db, int64_t now_s)
{
	return db_sweep(db, SQL_EVENTS_ANY_OLD, SQL_EVENTS_OLD, now_s - EVENTS_S);
}
