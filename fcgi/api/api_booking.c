/*
 * api_booking.c - POST /api/reservations: from the request to a ticket, and what its outcome answers.
 *
 * Everything that needs no lock is checked here, before the line: fields, hours, party, prices, the restaurant's own
 * limit, the guest's lock, and an early refusal for a slot that is full already.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "hours.h"
#include "money.h"
#include "slots.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
	ALTERNATIVES = 3, /* free times named to a guest whose slot is full */
	KEY_MAX = TICKET_KEY_SIZE - 1,
	QUANTITY_MAX = 100, /* of one dish */
};

struct order {
	struct ticket_request ticket;
	struct ticket_book *b; /* the ticket's */
	const struct restaurant_day *day;
	struct in_slot slot;
	struct auth_card card; /* of a guest */
	enum ticket_type type;
	int64_t restaurant_id, user_id, total, party; /* user_id: as the caller says */
	bool has_total, has_guest;
};

static void take_item(struct in *in, void *arg)
{
	struct ticket_book *b = arg;
	int64_t menu = 0, quantity = 0;

	in_int(in, "menuId", IN_REQUIRED, 1, INT64_MAX - 1, &menu);
	in_int(in, "quantity", IN_REQUIRED, 1, QUANTITY_MAX, &quantity);
	if (in->e != ERR_OK)
		return;
	for (int i = 0; i < b->item_count; i++)
		if (b->items[i].menu_id == menu) {
			b->items[i].quantity += (int32_t)quantity; /* the same dish twice is more of it */
			if (b->items[i].quantity > QUANTITY_MAX)
				in_fail(in, ERR_OUT_OF_RANGE, "quantity");
			return;
		}
	b->items[b->item_count++] = (struct ticket_item){.menu_id = menu, .quantity = (int32_t)quantity};
}

static void take_type(struct in *in, struct order *o)
{
	char word[32];

	in_text(in, "reservationType", IN_REQUIRED, 30, word, sizeof word);
	if (in->e != ERR_OK)
		return;
	o->type = strcmp(word, booking_type_word(TICKET_PREPAY)) == 0 ? TICKET_PREPAY : TICKET_DEPOSIT;
	if (strcmp(word, booking_type_word(o->type)) != 0)
		in_fail(in, ERR_OUT_OF_RANGE, "reservationType");
}

/* Which slot, for how many, and who. */
static void take_slot(struct in *in, struct order *o)
{
	in_int(in, "restaurantId", IN_REQUIRED, 1, INT64_MAX - 1, &o->restaurant_id);
	in_slot(in, IN_REQUIRED, &o->slot);
	in_int(in, "partySize", IN_REQUIRED, 1, 1000, &o->party);
	o->has_guest = in_has(in, "guest");
	in_object(in, "guest", IN_OPTIONAL, api_take_guest, &o->card.guest);
}

/* The body, field by field. */
static void take_fields(struct in *in, struct order *o)
{
	in_only(in, "restaurantId", "slotDate", "slotTime", "partySize", "reservationType", "requestMessage", "tags",
		"menuItems", "totalAmount", "userId", "guest", NULL);
	take_slot(in, o);
	take_type(in, o);
	in_lines(in, "requestMessage", IN_OPTIONAL, LENGTHS_REQUEST, o->b->message, sizeof o->b->message);
	in_tags(in, "tags", &o->b->tags);
	in_list(in, "menuItems", o->type == TICKET_PREPAY ? IN_REQUIRED : IN_OPTIONAL, TICKET_ITEMS_MAX, take_item, o->b);
	if (in->e == ERR_OK && o->type == TICKET_DEPOSIT && o->b->item_count)
		in_fail(in, ERR_BAD_REQUEST, "menuItems");
	o->has_total = in_has(in, "totalAmount");
	in_int(in, "totalAmount", IN_OPTIONAL, 0, INT64_C(1000000000000), &o->total);
	in_int(in, "userId", IN_OPTIONAL, 1, INT64_MAX - 1, &o->user_id);
}

enum err api_take_key(struct call *c, char out[TICKET_KEY_SIZE])
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:";
	const char *key = c->req->header(c->req, "HTTP_IDEMPOTENCY_KEY");

	if (!key || !*key)
		return ERR_OK;
	if (strlen(key) > KEY_MAX || strspn(key, allowed) != strlen(key))
		return reply_field(c->reply, ERR_BAD_TEXT, "Idempotency-Key");
	snprintf(out, TICKET_KEY_SIZE, "%s", key);
	return ERR_OK;
}

/*
 * A guest who introduces themselves with the booking.  Their card is the one they carry if it says the same, else one
 * that follows from what they say and their key: a second request is then known as their own.
 */
static void take_newcomer(struct call *c, struct order *o)
{
	const struct ticket_guest *g = &o->card.guest, *carried = &c->who.card.guest;
	const char *texts[] = {g->name, g->phone, g->email, o->b->key};

	o->card.id = token_card_of(c->door->key, texts, sizeof texts / sizeof texts[0]);
	if (c->who.card.id && strcmp(g->name, carried->name) == 0 && strcmp(g->phone, carried->phone) == 0)
		o->card.id = c->who.card.id;
}

/*
 * Whose booking?  That of a login, or of a guest: by the card they carry, or by introducing themselves with the booking.
 * Newcomers enter the line with one ticket for both: if the introduction came first, guests who are known already would
 * overtake them.
 */
static enum err take_caller(struct call *c, struct order *o)
{
	const struct auth *who = &c->who;
	int64_t id = who->user.id ? who->user.id : who->card.id;

	if (o->user_id && (o->has_guest || (id && o->user_id != id)))
		return reply_field(c->reply, ERR_FORBIDDEN, "userId");
	if (o->has_guest) {
		if (!o->b->key[0])
			return reply_field(c->reply, ERR_MISSING_FIELD, "Idempotency-Key");
		o->card.guest.lang = (int32_t)c->req->lang;
		take_newcomer(c, o);
		return ERR_OK;
	}
	o->card = who->card;
	return id ? ERR_OK : ERR_UNAUTHORIZED;
}

/* The number identifies a guest; one without a country is of the restaurant's. */
static enum err take_number(struct call *c, struct order *o)
{
	const struct user *u = &c->who.user;
	uint64_t network = req_network(c->req);
	int64_t key;

	if (!o->has_guest && u->id) {
		o->b->who = ticket_who_login(u->id, u->token_version, c->who.login);
		o->b->who.network = network == RATE_ELSEWHERE ? 0 : network;
		return ERR_OK;
	}
	key = text_phone_key(o->card.guest.phone, o->day->restaurant.set.calling_code);
	if (key <= 0)
		return reply_field(c->reply, ERR_BAD_PHONE, "phone");
	o->b->who = ticket_who_guest(&o->card.guest, o->card.id, key);
	o->b->who.network = network == RATE_ELSEWHERE ? 0 : network;
	return ERR_OK;
}

enum err api_check_slot(struct call *c, const struct restaurant_day *day, const struct in_slot *slot, int party,
			struct ticket_want *out)
{
	const struct restaurant *rest = &day->restaurant;
	struct settings set;
	int64_t starts_s;
	enum err e;

	hours_settings(&rest->set, hours_service(&day->hours, &rest->set, slot->minute), &set);
	if (party < set.party_min || party > set.party_max)
		return reply_field(c->reply, ERR_PARTY_SIZE, "partySize");
	if (rest->paused_until_s > c->now_s)
		return ERR_PAUSED;
	e = api_check_open(c, day);
	if (e != ERR_OK)
		return e;
	e = hours_check(&rest->set, &day->hours, rest->zone, slot->date, slot->minute, c->now_s, &starts_s);
	if (e != ERR_OK)
		return reply_field(c->reply, e, e == ERR_NO_SUCH_TIME || e == ERR_TOO_SOON ? "slotTime" : "slotDate");
	*out = ticket_want(&set, restaurants_seats(rest), rest->id, slot->day, slot->time, starts_s, party);
	return ERR_OK;
}

/* The dishes at the prices of the menu. */
static enum err price_items(struct call *c, struct ticket_book *b)
{
	enum err e = b->item_count ? db_read_begin(c->db) : ERR_OK;
	int64_t each;

	if (e != ERR_OK || b->item_count == 0)
		return e;
	for (int i = 0; i < b->item_count && e == ERR_OK; i++) {
		e = restaurants_price(c->db, b->want.restaurant_id, b->items[i].menu_id, &each);
		b->items[i].unit_price = (int32_t)each;
		b->terms.prepay += each * b->items[i].quantity;
	}
	db_read_end(c->db);
	return e == ERR_OK ? e : reply_field(c->reply, e, "menuItems");
}

/*
 * Who orders ahead pays the dishes instead of a deposit, or of leaving a card.  What the dishes do not come to is a deposit, or
 * one bowl of rice would hold a table for twelve.
 */
void api_price(const struct restaurant *r, const struct settings *set, int party, bool dishes, int64_t prepay,
	       struct ticket_terms *t)
{
	int64_t guarantee = money_is_asked(set, party, t->no_shows) ? r->guarantee * party : 0;
	int64_t deposit = r->guarantee ? 0 : money_due(set, party, t->no_shows);

	t->guarantee = guarantee;
	t->deposit = dishes ? money_beside(deposit + guarantee, prepay) : deposit;
}

/* What is due, by the book's prices; the client's own sum must agree. */
static enum err price(struct call *c, struct order *o)
{
	const struct restaurant *rest = &o->day->restaurant;
	struct ticket_terms *t = &o->b->terms;
	bool dishes = o->type == TICKET_PREPAY;
	int no_shows = 0;
	struct settings set;
	enum err e = booking_no_shows_of(c->db, rest, &o->b->who, &no_shows);

	if (e != ERR_OK)
		return e;
	hours_settings(&rest->set, hours_service(&o->day->hours, &rest->set, o->slot.minute), &set);
	*t = ticket_terms(&set, rest->currency, o->day->policy, 0);
	t->no_shows = no_shows;
	t->type = (int32_t)o->type;
	e = price_items(c, o->b);
	if (e != ERR_OK)
		return e;
	api_price(rest, &set, (int)o->party, dishes, t->prepay, t);
	if (dishes)
		t->guarantee = 0;
	if (o->has_total && o->total != t->deposit + t->prepay) {
		json_int(reply_extra(c->reply), "amountDue", t->deposit + t->prepay);
		return reply_field(c->reply, ERR_AMOUNT_CHANGED, "totalAmount");
	}
	return ERR_OK;
}

/* Must they prove who they are?  Not where there is no way to send them a code. */
static enum err check_proof(struct call *c, struct order *o)
{
	const struct settings *set = &o->day->restaurant.set;
	enum api_way way;
	enum err e;

	if (!set->prove_contact || o->b->who.user_id >= 0)
		return ERR_OK;
	e = api_code_way(c, set, &way);
	if (e != ERR_OK || way == API_WAY_NONE)
		return e;
	if (way == API_WAY_MAIL && !o->b->who.guest.email[0])
		return reply_field(c->reply, ERR_NO_WAY_TO_REACH, "email");
	o->b->terms.prove_s = set->prove_seconds;
	return ERR_OK;
}

/* What a booking and a wish to wait have in common, once the body is read: who asks, and for which slot. */
static enum err read_wish(struct call *c, struct order *o)
{
	enum err e = call_body(c);

	if (e == ERR_OK)
		call_trace_slot(c, o->restaurant_id, o->slot.day, o->slot.time, (int)o->party);
	if (e == ERR_OK)
		e = api_take_key(c, o->b->key);
	if (e == ERR_OK)
		e = take_caller(c, o);
	if (e != ERR_OK)
		return e;
	e = restaurants_kept(c->db, o->restaurant_id, o->slot.date, &o->day);
	return e == ERR_OK ? e : reply_field(c->reply, e, "restaurantId");
}

/* The request as a whole ticket, or what is wrong with it. */
static enum err read_order(struct call *c, struct order *o)
{
	enum err e;

	memset(o, 0, sizeof *o);
	o->ticket.kind = TICKET_BOOK;
	o->b = &o->ticket.u.book;
	take_fields(&c->body, o);
	e = read_wish(c, o);
	if (e == ERR_OK)
		e = take_number(c, o);
	if (e == ERR_OK)
		e = api_check_slot(c, o->day, &o->slot, (int)o->party, &o->b->want);
	if (e == ERR_OK)
		e = price(c, o);
	return e == ERR_OK ? check_proof(c, o) : e;
}

enum err api_take_wait(struct call *c, struct ticket_request *ticket, int64_t *wait_ms)
{
	struct order o = {.b = &ticket->u.book};
	const struct restaurant *rest;
	enum err e;

	*ticket = (struct ticket_request){.kind = TICKET_WAIT};
	take_slot(&c->body, &o);
	e = read_wish(c, &o);
	if (e != ERR_OK)
		return e;
	rest = &o.day->restaurant;
	if (!rest->set.waitlist_per_guest)
		return ERR_NO_WAITLIST;
	e = take_number(c, &o);
	if (e == ERR_OK)
		e = api_check_slot(c, o.day, &o.slot, (int)o.party, &o.b->want);
	o.b->terms = ticket_terms(&rest->set, rest->currency, o.day->policy, 0);
	if (e == ERR_OK)
		e = check_proof(c, &o);
	o.b->key[0] = '\0'; /* a guest who waits twice is told of the first */
	*wait_ms = rest->set.wait_ms;
	return e;
}

/*
 * Every reservation stays in the book, cancelled ones too.  A script that books and cancels all day would fill the disk within
 * days, so one network has as many as no opening sells to it, and then one in two seconds.
 */
enum err api_count_made(struct call *c)
{
	uint64_t network = req_network(c->req);

	if (!network || network == RATE_ELSEWHERE ||
	    rate_within(c->door->hall.rate, RATE_MADE, network, &c->reply->retry_after_s))
		return ERR_OK;
	return ERR_RATE_LIMITED;
}

/* The restaurant's own limit, where it has one. */
static enum err check_restaurant_limit(struct call *c, const struct restaurant *rest)
{
	int per_s = rest->set.rate_limit_per_sec;

	if (per_s == 0 ||
	    rate_take(c->door->hall.rate, RATE_RESTAURANT, (uint64_t)rest->id, per_s, per_s, &c->reply->retry_after_s))
		return ERR_OK;
	return ERR_RATE_LIMITED;
}

/* Reveal an earlier booking only to a login or card that is still valid; for a new ticket the writer checks it. */
static enum err check_login(struct call *c, const struct ticket_who *w)
{
	struct user u;
	bool proven;

	return w->user_id < 0 ? users_check_card(c->db, w->card_id, -w->user_id, &proven) :
				users_by_token(c->db, w->user_id, w->token_version, w->card_id, &u);
}

/*
 * Early refusal from the committed book; skipped when the hint shows room.  False: draw a ticket.  Otherwise *e is the
 * answer: refused, or a key that was used for this booking before.
 */
static bool answer_early(struct call *c, const struct order *o, enum err *e)
{
	struct ticket_outcome outcome = {0};
	bool early;

	assert(!c->db->reading);
	if (hint_for(c->door->hall.hint, &o->b->want))
		return false;
	*e = db_read_begin(c->db);
	if (*e != ERR_OK)
		return true;
	*e = booking_precheck(c->db, o->day, o->b, c->now_s, &outcome);
	early = *e != ERR_OK || outcome.err != ERR_OK || outcome.id;
	if (early && *e == ERR_OK)
		*e = answer_outcome(c, &o->ticket, &outcome);
	db_read_end(c->db);
	return early;
}

void api_uncount_made(struct call *c)
{
	uint64_t network = req_network(c->req);

	if (network && network != RATE_ELSEWHERE)
		rate_give_back(c->door->hall.rate, RATE_MADE, network);
}

/* What is refused has written nothing, and does not count: the writer gives it back (batch.c) to who had a ticket. */
static enum err draw(struct call *c, const struct order *o)
{
	enum err e = api_count_made(c);

	if (e != ERR_OK)
		return e;
	e = answer_draw(c, &o->ticket, o->day->restaurant.set.wait_ms);
	if (e != ERR_OK && !c->trace.ticket)
		api_uncount_made(c);
	return e;
}

/* A whole order to its ticket, and what came of it. */
static enum err book(struct call *c, const struct order *o)
{
	uint64_t number;
	enum err e = line_find(c->door->hall.line, &o->ticket, &number);

	if (e != ERR_OK) {
		counters_count(c->door->hall.counters, COUNTER_user_lock_hits);
		return e;
	}
	if (number) {
		e = check_login(c, &o->b->who);
		return e == ERR_OK ? answer_again(c, number, o->day->restaurant.set.wait_ms) : e;
	}
	return answer_early(c, o, &e) ? e : draw(c, o);
}

enum err api_book(struct call *c)
{
	struct order o;
	enum err e = read_order(c, &o);

	if (e == ERR_OK)
		e = check_restaurant_limit(c, &o.day->restaurant);
	if (e == ERR_OK)
		e = book(c, &o);
	api_count_booking(c, o.restaurant_id, e);
	return e;
}

/* ---- the outcome ---- */

/* The free times of the day nearest to the one that is full. */
static struct json *alternatives(struct call *c, const struct ticket_want *w, const struct restaurant_day *rest)
{
	const struct slot_view *nearest[ALTERNATIVES];
	const struct slots_day *day;
	struct json *list = json_list(), *j;
	char time[TEXT_TIME_SIZE];
	int minute;
	size_t n;

	if (!text_time(w->time, &minute) ||
	    slots_of_day_kept(c->db, &rest->restaurant, rest->date, w->party, c->now_s, &day) != ERR_OK)
		return list;
	n = slots_nearest(day, minute, nearest, ALTERNATIVES);
	for (size_t i = 0; i < n; i++) {
		j = json_new();
		text_put_time(nearest[i]->minute, time);
		json_text(j, "slotDate", w->date);
		json_text(j, "slotTime", time);
		json_moment(j, "startsAt", nearest[i]->starts_s);
		json_int(j, "remaining", nearest[i]->remaining);
		json_push(list, j);
	}
	return list;
}

/* What a guest can do instead: another time, or wait for this one where waiting may help. */
static void offer_instead(struct call *c, const struct ticket_want *w, bool wait, struct json *extra)
{
	const struct restaurant_day *rest;
	struct date date;

	if (!text_date(w->date, &date) || restaurants_kept(c->db, w->restaurant_id, date, &rest) != ERR_OK)
		return;
	json_put(extra, "alternatives", alternatives(c, w, rest));
	json_flag(extra, "waitlist", wait && rest->restaurant.set.waitlist_per_guest > 0);
}

void api_explain(struct call *c, const struct ticket_want *w, const struct ticket_outcome *outcome)
{
	struct json *extra = reply_extra(c->reply);
	struct reservation v;

	if (outcome->err == ERR_SLOT_FULL) {
		json_int(extra, "remaining", outcome->remaining);
		offer_instead(c, w, true, extra);
	}
	if (outcome->err == ERR_TIME_BLOCKED)
		offer_instead(c, w, false, extra);
	if (outcome->err == ERR_DUPLICATE && outcome->id && booking_get(c->db, outcome->id, c->now_s, &v) == ERR_OK) {
		json_int(extra, "reservationId", v.id);
		json_text(extra, "reservationCode", v.code);
	}
}

enum err api_answer_booking(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	const struct ticket_book *b = &ticket->u.book;
	struct reservation v;
	struct json *j;
	enum err e = (enum err)outcome->err;

	assert(ticket->kind == TICKET_BOOK || ticket->kind == TICKET_SEAT);
	/* A ticket tells anybody who has it how it ended; what staff see is for staff. */
	if (ticket->kind == TICKET_SEAT && c->who.user.type < USER_STAFF)
		return call_done(c, e);
	if (e != ERR_OK) {
		api_explain(c, &b->want, outcome);
		if (e == ERR_SLOT_FULL && ticket->kind == TICKET_BOOK)
			api_count_refusal(c, &b->want);
		if (ticket->kind == TICKET_SEAT)
			api_explain_seat(c, b, e);
		return e;
	}
	if (outcome->made_s)
		booking_from_ticket(b, outcome, &v);
	else
		e = booking_get(c->db, outcome->id, c->now_s, &v);
	if (e != ERR_OK)
		return e;
	if (ticket->kind == TICKET_SEAT)
		return api_answer_seat(c, v.id);
	j = api_reservation_json(&v);
	api_add_manage_token(c, v.id, j);
	if (b->who.user_id < 0) /* a newcomer's booking is their introduction as well */
		api_hand_card(c, b->who.card_id, &b->who.guest, j);
	return call_made(c, ERR_OK, j);
}
