/*
 * api_waitlist.c - waiting for a slot that is full: joining, seeing one's rank, leaving; and what staff do with the list.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "proofs.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static struct json *waiter_json(const struct waiter *w)
{
	struct json *j = json_new();

	json_int(j, "waitlistId", w->id);
	json_int(j, "restaurantId", w->restaurant_id);
	json_text(j, "slotDate", w->date);
	json_text(j, "slotTime", w->time);
	json_text(j, "startsAt", w->starts_at);
	json_int(j, "partySize", w->party);
	json_text(j, "status", w->status);
	json_int(j, "rank", w->rank);
	json_flag(j, "removed", w->removed);
	json_text(j, "guestName", w->guest);
	json_text_or_null(j, "offerExpiresAt", strcmp(w->status, "OFFERED") == 0 ? w->offer_expires_at : "");
	if (w->reservation_id)
		json_int(j, "reservationId", w->reservation_id);
	json_text(j, "createdAt", w->created_at);
	return j;
}

/* What staff see besides. */
static void add_waiter_at_desk(void *list, const struct waiter *w)
{
	struct json *j = waiter_json(w);

	json_text_or_null(j, "phone", w->phone);
	json_push(list, j);
}

enum err api_waiters_of_day(struct call *c, int64_t restaurant_id, const char *date, struct json *list)
{
	return waitlist_of_day(c->db, restaurant_id, date, add_waiter_at_desk, list);
}

/* With the token of the seats that are offered: the page shows them by it. */
static void answer_waiter(struct call *c, int status, const struct waiter *w, struct json *j)
{
	json_moment(j, "now", c->now_s);
	if (c->by_guest && w->reservation_id)
		api_add_manage_token(c, w->reservation_id, j);
	reply_json(c->reply, status, j);
}

/*
 * Guests who have proven nothing are not put on lists by the hundred from one address, nor from many of one network.  Those whose address is not known,
 * behind a tunnel, are many in one: there the share of each slot is the limit.
 */
static enum err check_address(struct call *c, const struct ticket_who *w)
{
	uint64_t address = req_source(c->req);
	bool proven = false;
	char email[256];
	enum err e = ERR_OK;

	if (!address || address == RATE_ELSEWHERE)
		return ERR_OK;
	if (w->user_id < 0)
		e = proofs_of_card(c->db, w->card_id, -w->user_id, &proven, email);
	if (e != ERR_OK || proven)
		return e;
	return rate_within(c->door->hall.rate, RATE_WAIT, address, &c->reply->retry_after_s) &&
			       rate_within(c->door->hall.rate, RATE_WAIT_NEAR, req_network(c->req), &c->reply->retry_after_s) ?
		       ERR_OK :
		       ERR_WAITS_FROM_HERE;
}

enum err api_wait(struct call *c)
{
	struct ticket_request ticket;
	int64_t wait_ms = 0;
	enum err e;

	in_only(&c->body, "restaurantId", "slotDate", "slotTime", "partySize", "guest", NULL);
	e = api_take_wait(c, &ticket, &wait_ms);
	if (e == ERR_OK)
		e = check_address(c, &ticket.u.book.who);
	return e == ERR_OK ? answer_draw(c, &ticket, wait_ms) : e;
}

static void add_own(void *list, const struct waiter *w)
{
	json_push(list, waiter_json(w));
}

enum err api_waits_my(struct call *c)
{
	struct json *list = json_list();
	enum err e = c->who.user.id ? waitlist_of_user(c->db, c->who.user.id, add_own, list) :
				      waitlist_of_card(c->db, c->who.card.id, add_own, list);

	return call_list(c, e, "waitlist", list);
}

enum err api_wait_get(struct call *c)
{
	assert(c->waiter.id > 0);
	answer_waiter(c, 200, &c->waiter, waiter_json(&c->waiter));
	return ERR_OK;
}

static enum err draw_waiter(struct call *c, enum ticket_waiter_act act)
{
	struct ticket_request ticket = {.kind = TICKET_WAITER};
	struct ticket_waiter *q = &ticket.u.waiter;

	q->waitlist_id = c->waiter.id;
	q->act = (int32_t)act;
	q->by = c->by_guest ? BY_GUEST : BY_RESTAURANT;
	call_actor(c, c->waiter.user_id, q->actor);
	return api_draw(c, &ticket, c->waiter.restaurant_id);
}

enum err api_wait_leave(struct call *c)
{
	return draw_waiter(c, WAITER_LEAVES);
}

/* ---- the desk ---- */

/* A guest at the door or on the telephone. */
enum err api_desk_wait(struct call *c)
{
	struct ticket_request ticket = {.kind = TICKET_WAIT};
	struct ticket_book *b = &ticket.u.book;
	struct in_slot slot = {0};
	struct settings set;
	int64_t party = 0;
	enum err e;

	in_only(&c->body, "slotDate", "slotTime", "partySize", "guestName", "phone", NULL);
	in_slot(&c->body, IN_REQUIRED, &slot);
	in_int(&c->body, "partySize", IN_REQUIRED, 1, 1000, &party);
	api_take_desk_guest(c, false, &b->who);
	e = call_body(c);
	if (e == ERR_OK && !b->who.user_id)
		e = reply_field(c->reply, ERR_BAD_PHONE, "phone"); /* or staff could not call them */
	if (e == ERR_OK)
		e = api_desk_want(c, &slot, (int)party, &set, &b->want);
	if (e == ERR_OK && b->want.starts_s <= c->now_s + WAITLIST_CLOSE_S)
		e = reply_field(c->reply, ERR_TOO_SOON, "slotTime");
	return e == ERR_OK ? answer_draw(c, &ticket, c->restaurant.set.wait_ms) : e;
}

enum err api_desk_waiter(struct call *c)
{
	enum err e;

	in_only(&c->body, NULL);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	c->by_guest = false;
	if (strcmp(c->req->path_word, "offer") == 0)
		return draw_waiter(c, WAITER_IS_OFFERED);
	return strcmp(c->req->path_word, "remove") == 0 ? draw_waiter(c, WAITER_LEAVES) : ERR_NOT_FOUND;
}

/* Everybody who waits for one slot is taken off the list. */
enum err api_desk_wait_clear(struct call *c)
{
	struct ticket_request ticket = {.kind = TICKET_WAITER};
	struct ticket_waiter *q = &ticket.u.waiter;
	struct in_slot slot = {0};
	enum err e;

	in_only(&c->body, "slotDate", "slotTime", NULL);
	in_slot(&c->body, IN_REQUIRED, &slot);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	q->act = WAITER_ALL_LEAVE;
	q->by = BY_RESTAURANT;
	q->restaurant_id = c->restaurant.id;
	memcpy(q->date, slot.day, sizeof q->date);
	memcpy(q->time, slot.time, sizeof q->time);
	call_actor(c, 0, q->actor);
	return answer_draw(c, &ticket, c->restaurant.set.wait_ms);
}

/* ---- the outcome ---- */

/* Hands a newcomer their card as a booking does, so that they can ask for their rank. */
enum err api_answer_waitlist(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	const struct ticket_book *b = &ticket->u.book;
	bool joined = ticket->kind == TICKET_WAIT;
	struct waiter w;
	struct json *j;
	enum err e = (enum err)outcome->err;

	if (e == ERR_PROVE_FIRST) /* the code is asked for with the card that the entry will be of */
		api_hand_card(c, b->who.card_id, &b->who.guest, reply_extra(c->reply));
	if (e == ERR_OK)
		e = waitlist_get(c->db, outcome->id, &w);
	if (e != ERR_OK)
		return e;
	if (joined ? b->who.staff_id != 0 : ticket->u.waiter.by != BY_GUEST) {
		/* A ticket tells every client that has it how it ended; what staff see is for staff. */
		reply_json(c->reply, joined ? 201 : 200, c->who.user.type >= USER_STAFF ? waiter_json(&w) : json_new());
		return ERR_OK;
	}
	j = waiter_json(&w);
	if (joined && b->who.user_id < 0)
		api_hand_card(c, b->who.card_id, &b->who.guest, j);
	c->by_guest = true;
	answer_waiter(c, joined ? 201 : 200, &w, j);
	return ERR_OK;
}
