/*
 * api_proofs.c - a code that proves a number or an address: asking for one, entering it.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "outbox.h"
#include "proofs.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { WAIT_MS = 2000, CODE_DIGITS = 6 };

enum err api_has_mail(struct call *c, bool *mail)
{
	struct outbox_mail m;
	enum err e = db_read_begin(c->db);

	if (e != ERR_OK)
		return e;
	e = outbox_get_mail(c->db, &m);
	db_read_end(c->db);
	*mail = e == ERR_OK && strcmp(m.way, "OFF") != 0;
	return e;
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
	bool fresh = false, mail = false;
	enum err e;

	in_only(&c->body, "restaurantId", "guest", NULL);
	in_int(&c->body, "restaurantId", IN_REQUIRED, 1, INT64_MAX - 1, &restaurant);
	e = take_card(c, &card, &fresh);
	if (e == ERR_OK)
		e = restaurants_get(c->db, restaurant, &rest);
	if (e == ERR_OK)
		e = api_has_mail(c, &mail);
	if (e != ERR_OK)
		return e;
	p->restaurant_id = restaurant;
	p->card_id = card.id;
	p->phone_key = text_phone_key(card.guest.phone, rest.set.calling_code);
	p->by_mail = !rest.set.sms_guests;
	p->lang = card.guest.lang;
	snprintf(p->address, sizeof p->address, "%s", p->by_mail ? card.guest.email : card.guest.phone);
	if (p->phone_key <= 0)
		return reply_field(c->reply, ERR_BAD_PHONE, "phone");
	if (p->by_mail && (!mail || !rest.set.mail_guests || !card.guest.email[0]))
		return reply_field(c->reply, ERR_NO_WAY_TO_REACH, "email");
	c->who.card = card;
	return answer_draw(c, &ticket, WAIT_MS);
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

/* Asking hands the card over; whoever asks after the ticket later has it already, or is somebody else. */
enum err api_answer_proofs(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	const struct ticket_prove *p = &ticket->u.prove;
	char until[CLOCK_ISO_SIZE];
	struct json *j;
	enum err e = (enum err)outcome->err;

	assert(ticket->kind == TICKET_PROVE || ticket->kind == TICKET_CODE);
	if (e != ERR_OK)
		return e;
	j = json_new();
	json_int(j, "proofId", outcome->id);
	if (ticket->kind == TICKET_CODE) {
		json_flag(j, "proven", true);
		reply_json(c->reply, 200, j);
		return ERR_OK;
	}
	clock_iso(outcome->hold_until_s, until);
	json_text(j, "channel", p->by_mail ? "MAIL" : "SMS");
	json_text(j, "expiresAt", until);
	if (c->who.card.id == p->card_id)
		api_hand_card(c, &c->who.card, j);
	reply_json(c->reply, 201, j);
	return ERR_OK;
}
