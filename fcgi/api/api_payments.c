/*
 * api_payments.c - a guest pays: pressing the button, coming back from the provider, asking how it stands.
 *
 * The key of a payment is its own proof: nobody guesses it, and a bank's app may bring the guest back in another browser than the
 * one that went.  It shows what the payment is for and how it stands, and nothing of the guest.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "currency.h"
#include "intents.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* What the provider's script, or the browser's way there, needs.  All of it is public. */
static struct json *page_json(const struct intents_row *i, const struct paysettings *set)
{
	struct json *p = json_new();

	switch (i->provider) {
	case INTENT_PORTONE:
		json_text(p, "storeId", set->store_id);
		json_text(p, "channelKey", set->channel_key);
		break;
	case INTENT_TOSS:
		json_text(p, "clientKey", set->client_key);
		json_text(p, "customerKey", i->pay_key);
		break;
	case INTENT_STRIPE:
		json_text_if(p, "sessionUrl", i->session_url);
		break;
	case INTENT_DESK:
	case INTENT_PROVIDERS_MAX:
		break;
	}
	return p;
}

static void add_way(const struct intents_row *i, const struct intents_about *a, const struct paysettings *set, struct json *j)
{
	char name[INTENTS_NAME_SIZE];

	intents_order_name(i, a, name);
	json_text(j, "orderName", name);
	json_put(j, "page", page_json(i, set));
	if (i->purpose != INTENT_FOR_CARD)
		return;
	json_text(j, "terms", i->terms);
	json_int(j, "mostAmount", i->amount);
	json_int(j, "chargeHours", set->guarantee_hours);
}

static enum err add_reservation(struct call *c, const struct intents_row *i, struct json *j, bool *lives)
{
	struct reservation v;
	struct json *r;
	enum err e;

	*lives = false;
	if (!i->reservation_id)
		return ERR_OK;
	e = booking_get(c->db, i->reservation_id, c->now_s, &v);
	*lives = e == ERR_OK && v.status == LIFE_TEMPORARY;
	if (e == ERR_OK && *lives)
		json_text(j, "holdExpiresAt", v.hold_expires_at);
	if (e == ERR_OK && v.change_of) /* of a change, what it changes */
		e = booking_get(c->db, v.change_of, c->now_s, &v);
	if (e != ERR_OK)
		return e;
	r = json_new();
	json_int(r, "reservationId", v.id);
	json_text(r, "reservationCode", v.code);
	json_text(r, "status", life_word(v.status));
	json_text(r, "slotDate", v.date);
	json_text(r, "slotTime", v.time);
	json_int(r, "partySize", v.party);
	if (v.status == LIFE_TEMPORARY)
		json_text(r, "holdExpiresAt", v.hold_expires_at);
	json_put(j, "reservation", r);
	return ERR_OK;
}

/* A payment as its guest sees it; of the reservation's own guest also what a provider asks them for. */
static enum err tell(struct call *c, int status, const struct intents_row *i, bool own)
{
	struct json *j = json_new(), *guest;
	struct intents_about about;
	struct paysettings set = {0};
	bool lives, has_keys;
	enum err e = intents_about(c->db, i, &about);

	if (e == ERR_OK)
		e = paysettings_of(c->db, i->restaurant_id, i->provider, &set, &has_keys);
	if (e == ERR_OK)
		e = add_reservation(c, i, j, &lives);
	if (e != ERR_OK)
		return json_free(j), e;
	json_text(j, "paymentId", i->pay_key);
	json_int(j, "restaurantId", i->restaurant_id);
	json_text(j, "purpose", intent_purpose_word(i->purpose));
	json_text(j, "provider", intent_provider_word(i->provider));
	json_text(j, "state", i->told);
	json_int(j, "amount", i->amount);
	json_text(j, "currency", i->currency);
	json_int(j, "currencyDigits", currency_digits(i->currency));
	if (i->test)
		json_flag(j, "test", true);
	if (i->state == INTENT_READY && !i->back)
		add_way(i, &about, &set, j);
	if ((i->state == INTENT_FAILED || i->state == INTENT_VOIDED) && lives)
		json_flag(j, "retry", true);
	if (i->state == INTENT_FAILED)
		json_text_if(j, "words", i->words);
	if (own && i->reservation_id) {
		guest = json_new();
		json_text(guest, "name", about.guest);
		json_text_if(guest, "phone", about.phone);
		json_text_if(guest, "email", about.email);
		json_put(j, "guest", guest);
	}
	api_add_moment(j, 0);
	reply_json(c->reply, status, j);
	return ERR_OK;
}

void api_pay_ticket(struct call *c, enum ticket_pay_act act, const char *about, struct ticket_request *ticket)
{
	struct ticket_pay *p = &ticket->u.pay;
	char site[CALL_SITE_SIZE];

	*ticket = (struct ticket_request){.kind = TICKET_PAY, .u.pay = {.act = (int32_t)act, .by = BY_RESTAURANT}};
	token_pay_seed(c->door->key, about, p->seed);
	if (call_site(c, site) && strlen(site) < sizeof p->site)
		strcpy(p->site, site);
}

/*
 * Every hold counts when it is made, so its first payment, and coming back from it, need not count again: whoever won the rush can
 * pay.  What they do again does.
 */
static enum err count_again(struct call *c, bool again)
{
	return again ? api_count_made(c) : ERR_OK;
}

static enum err draw_counted(struct call *c, const struct ticket_request *ticket, int64_t restaurant_id, bool counted)
{
	enum err e = api_draw(c, ticket, restaurant_id);

	if (e != ERR_OK && e != ERR_WAITING && counted)
		api_uncount_made(c);
	return e;
}

enum err api_pay_begin(struct call *c)
{
	const struct reservation *v = &c->reservation;
	struct ticket_request ticket;
	struct reservation what = *v;
	int32_t lang = LANG_KO;
	bool again = false;
	enum err e;

	in_only(&c->body, "lang", NULL);
	in_lang(&c->body, "lang", &lang);
	e = call_body(c);
	if (e == ERR_OK && !board_cashier_seen(c->door->hall.board)) /* nobody could confirm it */
		e = ERR_PAYMENTS_AWAY;
	if (e == ERR_OK && v->change_id) /* what is paid is the change */
		e = booking_get(c->db, v->change_id, c->now_s, &what);
	if (e == ERR_OK && c->by_guest)
		e = intents_tried(c->db, what.id, &again);
	if (e == ERR_OK)
		e = count_again(c, again);
	if (e != ERR_OK)
		return e;
	api_pay_ticket(c, PAY_BEGIN, what.code, &ticket);
	ticket.u.pay.by = c->by_guest ? BY_GUEST : BY_RESTAURANT;
	ticket.u.pay.reservation_id = v->id;
	ticket.u.pay.lang = lang;
	call_actor(c, v->user_id, ticket.u.pay.actor);
	return draw_counted(c, &ticket, v->restaurant_id, again);
}

enum err api_pay_get(struct call *c)
{
	struct intents_row i;
	enum err e = intents_by_key(c->db, c->req->path_word, &i);

	return e == ERR_OK ? tell(c, 200, &i, false) : e;
}

enum { TOKEN_MAX = 500, CODE_MAX = 60, MESSAGE_MAX = 120 };

/* What a provider made: letters of ASCII.  Out has one byte more than most. */
static void take_ascii(struct in *in, const char *name, size_t most, char *out)
{
	char text[4 * TOKEN_MAX + 4] = "";

	if (!in_has(in, name))
		return;
	in_text(in, name, IN_OPTIONAL, most, text, sizeof text);
	if (in->e == ERR_OK && strlen(text) > most)
		in_fail(in, ERR_BAD_TEXT, name);
	snprintf(out, most + 1, "%.*s", (int)most, in->e == ERR_OK ? text : "");
}

/*
 * What the provider gave them, under whichever name it has there, to confirm it with.  What the provider calls the payment is read
 * and not kept: a guest could name another payment of theirs.  The cashier asks by our own key.
 */
static void take_back(struct call *c, struct ticket_pay *p)
{
	static const char *const tokens[] = {"token", "paymentKey", "authKey"}, *const unused[] = {"txId", "session",
												   "customerKey"};
	char token[TOKEN_MAX + 1] = "", other[TOKEN_MAX + 1], message[4 * MESSAGE_MAX + 4] = "";
	int64_t amount;

	in_only(&c->body, "token", "txId", "paymentKey", "amount", "authKey", "customerKey", "session", "code", "message",
		NULL);
	for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++)
		take_ascii(&c->body, tokens[i], TOKEN_MAX, token);
	for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++)
		take_ascii(&c->body, unused[i], TOKEN_MAX, other);
	in_int(&c->body, "amount", IN_OPTIONAL, 0, INT64_MAX - 1, &amount); /* what is due the book knows */
	take_ascii(&c->body, "code", CODE_MAX, p->code);
	in_text(&c->body, "message", IN_OPTIONAL, MESSAGE_MAX, message, sizeof message);
	snprintf(p->words, sizeof p->words, "%.*s", text_fit(message, sizeof p->words - 5), message);
	if (c->body.e == ERR_OK && token[0])
		token_seal(c->door->key, token, strlen(token), p->token);
}

enum err api_pay_back(struct call *c)
{
	struct ticket_request ticket;
	struct intents_row i;
	bool again = false;
	enum err e;

	api_pay_ticket(c, PAY_BACK, "", &ticket);
	ticket.u.pay.by = BY_GUEST;
	take_back(c, &ticket.u.pay);
	e = call_body(c);
	if (e == ERR_OK)
		e = intents_by_key(c->db, c->req->path_word, &i);
	if (e == ERR_OK) {
		again = i.back || i.state != INTENT_READY;
		e = count_again(c, again);
	}
	if (e != ERR_OK)
		return e;
	memcpy(ticket.u.pay.pay_key, i.pay_key, sizeof i.pay_key);
	snprintf(ticket.u.pay.actor, sizeof ticket.u.pay.actor, "guest");
	return draw_counted(c, &ticket, i.restaurant_id, again);
}

/* ---- answers ---- */

enum err api_answer_intents(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	const struct ticket_pay *p = &ticket->u.pay;
	struct intents_row i;
	enum err e = (enum err)outcome->err;

	assert(ticket->kind == TICKET_PAY);
	if (e != ERR_OK)
		return e;
	if (p->act == PAY_LINK)
		return api_answer_row(c, 200, outcome->id);
	if (p->act == PAY_CHARGE)
		return api_answer_row(c, 202, p->reservation_id);
	if (p->act == PAY_AGAIN || p->act == PAY_BY_HAND)
		return call_done(c, ERR_OK);
	e = intents_get(c->db, outcome->id, &i);
	return e == ERR_OK ? tell(c, p->act == PAY_BACK ? 200 : 201, &i, p->act == PAY_BEGIN && p->by == BY_GUEST) : e;
}

/* The cashier's reports come from no request. */
enum err api_answer_charges(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	assert(ticket->kind == TICKET_CASHIER);
	return call_done(c, (enum err)outcome->err);
}

enum err api_answer_payevents(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	assert(ticket->kind == TICKET_EVENT);
	return call_done(c, (enum err)outcome->err);
}
