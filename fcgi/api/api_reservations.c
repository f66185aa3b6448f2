/*
 * api_reservations.c - a guest's reservations: seeing them, cancelling one.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "auth.h"
#include "hash.h"
#include "money.h"
#include "payments.h"
#include "proofs.h"

#include <assert.h>
#include <stdio.h>

enum { MY_LIMIT = 100 };

struct json *api_reservation_json(const struct reservation *v)
{
	struct json *j = json_new();

	json_int(j, "reservationId", v->id);
	json_text(j, "reservationCode", v->code);
	json_int(j, "slotId", v->slot_id);
	json_int(j, "userId", v->card_id ? v->card_id : v->user_id); /* whose number it is, a card does not learn */
	json_int(j, "restaurantId", v->restaurant_id);
	json_text(j, "slotDate", v->date);
	json_text(j, "slotTime", v->time);
	json_int(j, "partySize", v->party);
	json_int(j, "sittingMinutes", v->sitting_minutes);
	json_text(j, "reservationType", v->type);
	json_text(j, "status", life_word(v->status));
	json_text_or_null(j, "requestMessage", v->request);
	json_text_or_null(j, "holdExpiresAt", v->status == LIFE_TEMPORARY ? v->hold_expires_at : "");
	json_int(j, "amountDue", v->status == LIFE_TEMPORARY ? v->total : 0);
	json_int(j, "totalAmount", v->total);
	json_text(j, "currency", v->currency);
	json_text(j, "visitStatus", v->visit_status);
	/* Always there: whoever lays a new answer over an old one must see that they are over. */
	json_flag(j, "offered", v->offered);
	json_flag(j, "unproven", v->unproven && v->status == LIFE_TEMPORARY);
	json_flag(j, "coming", v->coming);
	if (v->guest[0])
		json_text(j, "guestName", v->guest);
	json_text(j, "createdAt", v->created_at);
	return j;
}

static void add_item(void *arg, int64_t menu_id, const char *name, int64_t price, int64_t quantity)
{
	struct json *j = json_new();

	json_int(j, "menuId", menu_id);
	json_text(j, "name", name);
	json_int(j, "unitPrice", price);
	json_int(j, "quantity", quantity);
	json_push(arg, j);
}

static void add_reservation(void *arg, const struct reservation *v)
{
	json_push(arg, api_reservation_json(v));
}

/* With a manage token: whoever has proven that the number is theirs may open and cancel each of them. */
static void add_managed(void *arg, const struct reservation *v)
{
	struct managed {
		struct call *c;
		struct json *list;
	} *m = arg;
	struct json *j = api_reservation_json(v);

	api_add_manage_token(m->c, v->id, j);
	json_push(m->list, j);
}

/* What a card may see: what was made with it, or, once it is proven, everything of its number or address. */
static enum err list_of_card(struct call *c, struct json *list)
{
	struct {
		struct call *c;
		struct json *list;
	} m = {c, list};
	const struct auth_card *card = &c->who.card;
	struct restaurant rest;
	bool proven = false;
	char email[256];
	int64_t first = 0, key = 0;
	enum err e = restaurants_first(c->db, &first);

	if (e == ERR_OK)
		e = restaurants_get(c->db, first, &rest);
	if (e == ERR_OK && card->guest.phone[0])
		key = text_phone_key(card->guest.phone, rest.set.calling_code);
	if (e == ERR_OK && key > 0)
		e = proofs_of_card(c->db, card->id, key, &proven, email);
	if (e != ERR_OK && e != ERR_NO_SUCH_RESTAURANT)
		return e;
	return proven ? proofs_reservations(c->db, key, email, card->id, MY_LIMIT, c->now_s, add_managed, &m) :
			booking_of_card(c->db, card->id, MY_LIMIT, c->now_s, add_reservation, list);
}

enum err api_reservations_my(struct call *c)
{
	struct json *list = json_list(), *j;
	const struct auth *who = &c->who;
	enum err e = who->user.id ? booking_of_user(c->db, who->user.id, MY_LIMIT, c->now_s, add_reservation, list) :
				    list_of_card(c, list);

	if (e != ERR_OK) {
		json_free(list);
		return e;
	}
	j = json_new();
	json_put(j, "reservations", list);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

/* What a guest who thinks of cancelling wants to know, and the clock a hold is counted by. */
static enum err add_terms(struct call *c, struct json *j)
{
	const struct reservation *v = &c->reservation;
	struct money_terms terms;
	struct payments_due due;
	int64_t back = 0;
	char now[CLOCK_ISO_SIZE];
	struct json *policy;
	enum err e = payments_if_cancelled(c->db, v, BY_GUEST, c->now_s, &due);

	if (e == ERR_OK && v->status == LIFE_CANCELED)
		e = payments_refunded(c->db, v->id, &back);
	if (e != ERR_OK)
		return e;
	clock_iso(c->now_s, now);
	json_text(j, "now", now);
	json_int(j, "paidAmount", due.paid);
	json_int(j, "refundIfCancelledNow", due.refund);
	json_int(j, "refundAmount", back);
	json_flag(j, "cancellable", life_may(v->status, LIFE_CANCELED));
	json_flag(j, "changeable",
		  v->status == LIFE_TEMPORARY || v->status == LIFE_CONFIRMED || v->status == LIFE_PREPAY_CONFIRM);
	if (!money_terms(v->refund_policy, v->party, &terms))
		return ERR_OK;
	policy = json_new();
	json_int(policy, "dayBeforePct", terms.day_before_pct);
	json_int(policy, "sameDayPct", terms.same_day_pct);
	json_int(policy, "cutoffMinutes", terms.cutoff_minutes);
	json_int(policy, "latePct", terms.late_pct);
	json_put(j, "refundPolicy", policy);
	return ERR_OK;
}

void api_add_manage_token(struct call *c, int64_t reservation_id, struct json *j)
{
	char token[TOKEN_TEXT_SIZE];

	auth_sign_manage(c->door, reservation_id, token);
	json_text(j, "manageToken", token);
}

enum err api_reservation_get(struct call *c)
{
	struct json *j = api_reservation_json(&c->reservation), *items = json_list();
	enum err e = booking_items(c->db, c->reservation.id, add_item, items);

	assert(c->reservation.id > 0);
	json_put(j, "menuItems", items);
	if (e == ERR_OK)
		e = add_terms(c, j);
	if (c->by_guest)
		api_add_manage_token(c, c->reservation.id, j);
	reply_json(c->reply, 200, j);
	return e;
}

/* Whoever knows both had the confirmation in their hands.  A code that is not there, and a number that is not its own, answer alike. */
enum err api_reservation_find(struct call *c)
{
	char code[164], given[44], phone[TEXT_PHONE_SIZE];
	struct restaurant rest;
	int64_t id = 0;
	enum err e;

	in_only(&c->body, "reservationCode", "phone", NULL);
	in_text(&c->body, "reservationCode", IN_REQUIRED, 40, code, sizeof code);
	in_text(&c->body, "phone", IN_REQUIRED, 40, given, sizeof given);
	if (c->body.e == ERR_OK && !text_phone(given, phone))
		in_fail(&c->body, ERR_BAD_PHONE, "phone");
	e = call_body(c);
	if (e == ERR_OK && !rate_within(c->door->hall.rate, RATE_FIND, hash_text(HASH_START, code), &c->reply->retry_after_s))
		e = ERR_RATE_LIMITED; /* one code at a time cannot be tried with many numbers, from wherever */
	if (e == ERR_OK)
		e = booking_by_code(c->db, code, &id);
	if (e == ERR_OK)
		e = booking_get(c->db, id, c->now_s, &c->reservation);
	if (e == ERR_OK)
		e = restaurants_get(c->db, c->reservation.restaurant_id, &rest);
	if (e == ERR_OK &&
	    (!c->reservation.phone_key || text_phone_key(phone, rest.set.calling_code) != c->reservation.phone_key))
		e = ERR_NO_SUCH_RESERVATION;
	if (e != ERR_OK)
		return e;
	c->by_guest = true;
	return api_reservation_get(c);
}

enum err api_reservation_cancel(struct call *c)
{
	const struct reservation *v = &c->reservation;
	struct ticket_request ticket = {.kind = TICKET_MOVE};
	struct ticket_move *m = &ticket.u.move;
	struct restaurant rest;
	enum err e;

	*m = (struct ticket_move){.reservation_id = v->id, .kind = MOVE_CANCEL, .by = c->by_guest ? BY_GUEST : BY_RESTAURANT};
	call_actor(c, v->user_id, m->actor);
	in_only(&c->body, "reason", NULL);
	in_text(&c->body, "reason", IN_OPTIONAL, 100, m->reason, sizeof m->reason);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	if (v->status == LIFE_EXPIRED)
		return ERR_BAD_MOVE;
	e = restaurants_get(c->db, v->restaurant_id, &rest);
	return e == ERR_OK ? answer_draw(c, &ticket, rest.set.wait_ms) : e;
}

/* One word about a reservation that its guest says. */
static enum err draw_word(struct call *c, enum ticket_move_kind kind)
{
	const struct reservation *v = &c->reservation;
	struct ticket_request ticket = {.kind = TICKET_MOVE};
	struct ticket_move *m = &ticket.u.move;
	struct restaurant rest;
	enum err e;

	in_only(&c->body, NULL);
	e = call_body(c);
	if (e == ERR_OK)
		e = restaurants_get(c->db, v->restaurant_id, &rest);
	if (e != ERR_OK)
		return e;
	*m = (struct ticket_move){
		.reservation_id = v->id, .kind = (int32_t)kind, .by = BY_GUEST, .hold_s = rest.set.hold_seconds};
	call_actor(c, v->user_id, m->actor);
	return answer_draw(c, &ticket, rest.set.wait_ms);
}

enum err api_reservation_take(struct call *c)
{
	return draw_word(c, MOVE_TAKE);
}

enum err api_reservation_coming(struct call *c)
{
	return draw_word(c, MOVE_COMING);
}

/* The reservation as it is now; for a guest also with its manage token, but not for the staff who moved it. */
enum err api_answer_moves(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	struct reservation v;
	struct json *j;
	enum err e = (enum err)outcome->err;

	assert(ticket->kind == TICKET_MOVE);
	if (e == ERR_OK)
		e = booking_get(c->db, outcome->id, c->now_s, &v);
	if (e != ERR_OK)
		return e;
	j = api_reservation_json(&v);
	if (ticket->u.move.by == BY_GUEST)
		api_add_manage_token(c, v.id, j);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}
