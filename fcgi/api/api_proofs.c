/*
 * api_proofs.c - a code that proves a number or an address: asking for one, entering it.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "mailserver.h"
#include "proofs.h"
#include "run.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { WAIT_MS = 2000, CODE_DIGITS = 6 };

bool api_sends_texts(struct call *c, const struct settings *set)
{
	char path[RUN_PATH];

	return set->sms_guests && run_find(c->door->dir, "send-sms", path);
}

enum err api_code_way(struct call *c, const struct settings *set, enum api_way *way)
{
	struct mailserver m;
	enum err e;

	*way = api_sends_texts(c, set) ? API_WAY_SMS : API_WAY_NONE;
	if (*way != API_WAY_NONE || !set->mail_guests)
		return ERR_OK;
	e = db_read_begin(c->db);
	if (e != ERR_OK)
		return e;
	e = mailserver_get(c->db, &m);
	db_read_end(c->db);
	if (e == ERR_OK && strcmp(m.way, "OFF") != 0)
		*way = API_WAY_MAIL;
	return e;
}

/*
 * Not too many from one address, nor from one network, before the box's own limit is asked.  A guest whose seats wait for
 * the code is counted apart from those who have none.  Behind a tunnel that tells no addresses, the box's limit is left.
 */
static enum err count_ask(struct call *c, int64_t card_id)
{
	uint64_t source = req_source(c->req), network = req_network(c->req);
	struct rate *rate = c->door->hall.rate;
	int *retry_s = &c->reply->retry_after_s;
	bool awaited = false;
	enum err e = proofs_awaited(c->db, card_id, c->now_s, &awaited);

	if (e != ERR_OK || !source || source == RATE_ELSEWHERE)
		return e;
	if (awaited ? rate_within(rate, RATE_PROVE_HOLD, source, retry_s) &&
			      rate_within(rate, RATE_PROVE_HOLD_NEAR, network, retry_s) :
		      rate_within(rate, RATE_PROVE, source, retry_s) && rate_within(rate, RATE_PROVE_NEAR, network, retry_s))
		return ERR_OK;
	return ERR_TOO_MANY_CODES;
}

/* Whose number?  That of the card which the caller carries, or of the guest in the body, who gets a card of their own. */
static enum err take_card(struct call *c, struct auth_card *card, bool *fresh)
{
	struct ticket_guest guest = {0};
	bool given = in_has(&c->body, "guest");
	enum err e;

	in_object(&c->body, "guest", IN_OPTIONAL, api_take_guest, &guest);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	*card = c->who.card;
	*fresh = given && (!card->id || strcmp(guest.phone, card->guest.phone) != 0);
	if (*fresh)
		card->id = token_new_card();
	if (given)
		card->guest = guest;
	card->guest.lang = (int32_t)c->req->lang;
	return card->id && card->guest.phone[0] ? ERR_OK : ERR_UNAUTHORIZED;
}

enum err api_proof_ask(struct call *c)
{
	struct ticket_request ticket = {.kind = TICKET_PROVE};
	struct ticket_prove *p = &ticket.u.prove;
	struct auth_card card;
	struct restaurant rest;
	int64_t restaurant = 0;
	enum api_way way = API_WAY_NONE;
	bool fresh = false;
	enum err e;

	in_only(&c->body, "restaurantId", "guest", NULL);
	in_int(&c->body, "restaurantId", IN_REQUIRED, 1, INT64_MAX - 1, &restaurant);
	e = take_card(c, &card, &fresh);
	if (e == ERR_OK)
		e = restaurants_get(c->db, restaurant, &rest);
	if (e == ERR_OK)
		e = api_code_way(c, &rest.set, &way);
	if (e != ERR_OK)
		return e;
	p->restaurant_id = restaurant;
	p->card_id = card.id;
	p->phone_key = text_phone_key(card.guest.phone, rest.set.calling_code);
	p->by_mail = way != API_WAY_SMS;
	p->lang = card.guest.lang;
	p->network = req_network(c->req);
	snprintf(p->address, sizeof p->address, "%s", p->by_mail ? card.guest.email : card.guest.phone);
	if (p->phone_key <= 0)
		return reply_field(c->reply, ERR_BAD_PHONE, "phone");
	if (p->by_mail && (way == API_WAY_NONE || !card.guest.email[0]))
		return reply_field(c->reply, ERR_NO_WAY_TO_REACH, "email");
	c->who.card = card;
	e = count_ask(c, card.id);
	return e == ERR_OK ? answer_draw(c, &ticket, WAIT_MS) : e;
}

enum err api_proof_enter(struct call *c)
{
	struct ticket_request ticket = {.kind = TICKET_CODE};
	struct ticket_prove *p = &ticket.u.prove;
	char code[32], right[TOKEN_CODE_SIZE];
	struct restaurant rest;
	struct proof proof;
	enum err e;

	in_only(&c->body, "code", NULL);
	in_text(&c->body, "code", IN_REQUIRED, CODE_DIGITS + 2, code, sizeof code);
	e = call_body(c);
	if (e == ERR_OK && !c->who.card.id)
		e = ERR_UNAUTHORIZED;
	if (e == ERR_OK)
		e = proofs_get(c->db, c->req->path_ids[0], c->now_s, &proof);
	if (e == ERR_NOT_FOUND || (e == ERR_OK && (proof.over || proof.card_id != c->who.card.id)))
		return ERR_CODE_OVER;
	if (e == ERR_OK)
		e = restaurants_get(c->db, proof.restaurant_id, &rest);
	if (e != ERR_OK)
		return e;
	token_code(c->door->key, proof.id, proof.card_id, right);
	*p = (struct ticket_prove){
		.proof_id = proof.id,
		.restaurant_id = proof.restaurant_id,
		.card_id = proof.card_id,
		.phone_key = proof.phone_key,
		.right = token_same_text(code, right),
		.hold_s = rest.set.hold_seconds,
	};
	return answer_draw(c, &ticket, WAIT_MS);
}

/* The request hands the card over; who asks after the ticket later has it already, or is another client. */
enum err api_answer_proofs(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	const struct ticket_prove *p = &ticket->u.prove;
	struct json *j;
	enum err e = (enum err)outcome->err;

	assert(ticket->kind == TICKET_PROVE || ticket->kind == TICKET_CODE);
	if (e != ERR_OK)
		return e;
	j = json_new();
	json_int(j, "proofId", outcome->id);
	if (ticket->kind == TICKET_CODE) {
		json_flag(j, "proven", true);
		return call_answer(c, ERR_OK, j);
	}
	json_text(j, "channel", p->by_mail ? "MAIL" : "SMS");
	json_moment(j, "expiresAt", outcome->hold_until_s);
	if (c->who.card.id == p->card_id)
		api_hand_card(c, c->who.card.id, &c->who.card.guest, j);
	return call_made(c, ERR_OK, j);
}
