/*
 * api_booking.c - POST /api/reservations: from the request to a ticket.
 *
 * Everything that needs no lock is done here, before the line: fields, hours, party, prices, limits,
 * the guest's own lock, and a kind no for a slot that is full already.
 */
#include "route.h"

#include "clock.h"
#include "hash.h"
#include "hours.h"
#include "money.h"
#include "answer.h"
#include "restaurants.h"
#include "zone.h"

#include <stdio.h>
#include <string.h>

enum {
	USER_PER_S = 20,
	USER_BURST = 60,
	ADDRESS_PER_S = 200, /* a whole carrier may stand behind one address */
	ADDRESS_BURST = 2000,
	KEY_MAX = TICKET_KEY_SIZE - 1,
	QUANTITY_MAX = 100, /* of one dish */
};

struct wish {
	struct ticket_request ticket;
	struct ticket_book *b; /* the ticket's */
	struct date date;
	char type[32];
	int64_t user_id, total, party;
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

static void take_type(struct in *in, struct wish *w)
{
	in_text(in, "reservationType", IN_REQUIRED, 30, w->type, sizeof w->type);
	if (in->e != ERR_OK)
		return;
	if (strcmp(w->type, "RESERVATION_DEPOSIT") == 0)
		w->b->type = TICKET_DEPOSIT;
	else if (strcmp(w->type, "PREORDER_PREPAY") == 0)
		w->b->type = TICKET_PREPAY;
	else
		in_fail(in, ERR_OUT_OF_RANGE, "reservationType");
}

/* The body, field by field. */
static void take_fields(struct in *in, struct wish *w)
{
	char time[16];
	int minute = 0;

	in_only(in, "restaurantId", "slotDate", "slotTime", "partySize", "reservationType", "requestMessage", "menuItems",
		"totalAmount", "userId", "guest", NULL);
	in_int(in, "restaurantId", IN_REQUIRED, 1, INT64_MAX - 1, &w->b->restaurant_id);
	in_text(in, "slotDate", IN_REQUIRED, 10, w->b->date, sizeof w->b->date);
	if (in->e == ERR_TOO_LONG || (in->e == ERR_OK && !text_date(w->b->date, &w->date)))
		in->e = ERR_OK, in_fail(in, ERR_BAD_DATE, "slotDate");
	in_text(in, "slotTime", IN_REQUIRED, 8, time, sizeof time);
	if (in->e == ERR_OK && !text_time(time, &minute))
		in_fail(in, ERR_BAD_TIME, "slotTime");
	text_put_time(minute, w->b->time);
	in_int(in, "partySize", IN_REQUIRED, 1, 1000, &w->party);
	w->b->party = (int32_t)w->party;
	take_type(in, w);
	in_text(in, "requestMessage", IN_OPTIONAL, 50, w->b->message, sizeof w->b->message);
	in_list(in, "menuItems", w->b->type == TICKET_PREPAY ? IN_REQUIRED : IN_OPTIONAL, TICKET_ITEMS_MAX, take_item, w->b);
	if (in->e == ERR_OK && w->b->type == TICKET_DEPOSIT && w->b->item_count)
		in_fail(in, ERR_BAD_REQUEST, "menuItems");
	w->has_total = in_has(in, "totalAmount");
	in_int(in, "totalAmount", IN_OPTIONAL, 0, INT64_C(1000000000000), &w->total);
	in_int(in, "userId", IN_OPTIONAL, 1, INT64_MAX - 1, &w->user_id);
	w->has_guest = in_has(in, "guest");
	in_object(in, "guest", IN_OPTIONAL, api_take_guest, &w->b->guest);
}

static enum err take_key(const struct req *r, struct wish *w, struct reply *reply)
{
	const char *key = r->header(r, "HTTP_IDEMPOTENCY_KEY");

	if (!key || !*key)
		return ERR_OK;
	if (strlen(key) > KEY_MAX || strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:") != strlen(key))
		return reply_field(reply, ERR_BAD_TEXT, "Idempotency-Key");
	snprintf(w->b->key, sizeof w->b->key, "%s", key);
	return ERR_OK;
}

/*
 * Whose booking?  That of a login; or of a newcomer, who comes into the line with one ticket for himself and
 * his booking: were he written first, those who are known already would overtake him.  His key is what makes
 * a second request his own.
 */
static enum err take_caller(const struct req *r, const struct user *user, struct wish *w, struct reply *reply)
{
	struct ticket_guest *g = &w->b->guest;
	uint64_t h;

	if (!w->has_guest) {
		w->b->user_id = user->id;
		w->b->token_version = user->token_version;
		if (w->user_id && user->id && w->user_id != user->id)
			return reply_field(reply, ERR_FORBIDDEN, "userId");
		return user->id ? ERR_OK : ERR_UNAUTHORIZED;
	}
	if (w->user_id)
		return reply_field(reply, ERR_FORBIDDEN, "userId");
	if (!w->b->key[0])
		return reply_field(reply, ERR_MISSING_FIELD, "Idempotency-Key");
	g->lang = (int32_t)r->lang;
	h = hash_text(hash_text(hash_text(hash_text(HASH_START, g->name), g->phone), g->email), w->b->key);
	w->b->user_id = -(int64_t)(h >> 2) - 1;
	return ERR_OK;
}

/* May this slot be booked by this party now? */
static enum err check_slot(const struct restaurant_day *day, struct wish *w, int64_t now_s, struct reply *reply)
{
	const struct restaurant *rest = &day->restaurant;
	struct date today;
	int minute, now_minute;
	int64_t starts;
	enum err e;

	if (w->party < rest->set.party_min || w->party > rest->set.party_max)
		return reply_field(reply, ERR_PARTY_SIZE, "partySize");
	if (rest->paused_until_s > now_s)
		return ERR_PAUSED;
	if (!text_time(w->b->time, &minute) || !zone_to_local(rest->zone, now_s, &today, &now_minute))
		return ERR_INTERNAL;
	e = hours_check(&rest->set, &day->hours, rest->zone, w->date, minute, now_s, &starts);
	if (e != ERR_OK)
		return reply_field(reply, e, e == ERR_NO_SUCH_TIME || e == ERR_TOO_SOON ? "slotTime" : "slotDate");
	snprintf(w->b->today, sizeof w->b->today, "%04u%02u%02u", (unsigned)today.year % 10000, (unsigned)today.month % 100,
		 (unsigned)today.day % 100);
	return ERR_OK;
}

/* What is due, by the book's prices; the client's own sum must agree. */
static enum err price(struct door *d, const struct restaurant *rest, struct wish *w, struct reply *reply)
{
	enum err e = w->b->item_count ? db_read_begin(&d->db) : ERR_OK;

	if (e != ERR_OK)
		return e;
	if (w->b->type == TICKET_DEPOSIT)
		w->b->deposit = money_deposit(&rest->set, w->b->party);
	for (int i = 0; i < w->b->item_count; i++) {
		struct ticket_item *item = &w->b->items[i];
		int64_t each;

		e = restaurants_price(&d->db, rest->id, item->menu_id, &each);
		if (e != ERR_OK)
			return reply_field(reply, e, "menuItems");
		item->unit_price = (int32_t)each;
		w->b->prepay += each * item->quantity;
	}
	if (w->has_total && w->total != w->b->deposit + w->b->prepay) {
		json_int(reply_extra(reply), "amountDue", w->b->deposit + w->b->prepay);
		return reply_field(reply, ERR_AMOUNT_CHANGED, "totalAmount");
	}
	return ERR_OK;
}

/* Not too often: per guest, per address, and per restaurant where it says so. */
static enum err check_rate(struct door *d, const struct req *r, int64_t user_id, const struct restaurant *rest,
			   struct reply *reply)
{
	uint64_t address = rate_address(r->client);
	int retry = 1;
	bool ok = true;

	if (address)
		ok = rate_take(d->hall.rate, RATE_ADDRESS, address, ADDRESS_PER_S, ADDRESS_BURST, &retry) &&
		     rate_take(d->hall.rate, RATE_USER, (uint64_t)user_id, USER_PER_S, USER_BURST, &retry);
	if (ok && rest->set.rate_limit_per_sec > 0)
		ok = rate_take(d->hall.rate, RATE_RESTAURANT, (uint64_t)rest->id, rest->set.rate_limit_per_sec,
			       rest->set.rate_limit_per_sec, &retry);
	reply->retry_after_s = retry;
	return ok ? ERR_OK : ERR_RATE_LIMITED;
}

/* The request as a whole ticket, or what is wrong with it. */
static enum err read_wish(struct door *d, struct req *r, const struct user *user, struct wish *w,
			  const struct restaurant_day **day, struct reply *reply)
{
	const struct restaurant *rest;
	int64_t now_s = clock_now_s();
	struct in in;
	enum err e;

	memset(w, 0, sizeof *w);
	w->ticket.kind = TICKET_BOOK;
	w->b = &w->ticket.u.book;
	in_open(&in, r->body.data, r->body.len);
	take_fields(&in, w);
	in_close(&in);
	if (in.e != ERR_OK)
		return reply_field(reply, in.e, in.field);
	e = take_key(r, w, reply);
	if (e == ERR_OK)
		e = take_caller(r, user, w, reply);
	if (e != ERR_OK)
		return e;
	e = restaurants_kept(&d->db, w->b->restaurant_id, w->date, day);
	if (e != ERR_OK)
		return reply_field(reply, e, "restaurantId");
	rest = &(*day)->restaurant;
	e = check_slot(*day, w, now_s, reply);
	if (e == ERR_OK)
		e = price(d, rest, w, reply);
	w->b->capacity = rest->set.reservation_limit;
	w->b->hold_s = rest->set.hold_seconds;
	w->b->lock_ms = rest->set.user_lock_ms;
	memcpy(w->b->currency, rest->currency, sizeof w->b->currency);
	memcpy(w->b->policy, (*day)->policy, sizeof w->b->policy);
	return e;
}

/* The kind no, by the book, for whoever cannot hope by the chalk marks.  A key is the pen's to look up as well. */
static enum err look_first(struct door *d, const struct restaurant_day *day, const struct wish *w,
			   struct ticket_outcome *outcome)
{
	enum err e;

	if (hint_for(d->hall.hint, w->b))
		return ERR_OK;
	e = db_read_begin(&d->db);
	if (e == ERR_OK)
		e = booking_precheck(&d->db, day, w->b, clock_now_s(), outcome);
	outcome->err = (int32_t)e;
	return e;
}

/*
 * What was booked before is told only to him whose login still holds; a new ticket the pen looks at.  A newcomer
 * has shown his key.
 */
static enum err still_welcome(struct door *d, const struct ticket_book *b)
{
	struct user u;
	enum err e = b->user_id < 0 ? ERR_OK : db_read_begin(&d->db);

	if (b->user_id < 0 || e != ERR_OK)
		return e;
	e = users_get(&d->db, b->user_id, &u);
	return e == ERR_NOT_FOUND || (e == ERR_OK && !users_may_enter(&u, b->token_version)) ? ERR_UNAUTHORIZED : e;
}

enum err api_book(struct door *d, struct req *r, const struct user *user, struct reply *reply)
{
	struct ticket_outcome outcome = {0};
	const struct restaurant_day *day = NULL;
	struct wish w;
	uint64_t number;
	int64_t wait_ms;
	enum err e = read_wish(d, r, user, &w, &day, reply);

	if (e == ERR_OK)
		e = check_rate(d, r, w.b->user_id, &day->restaurant, reply);
	if (e != ERR_OK)
		return e;
	wait_ms = day->restaurant.set.wait_ms;
	e = line_find(d->hall.line, &w.ticket, &number);
	if (e != ERR_OK) {
		board_count(d->hall.board, BOARD_user_lock_hits);
		return e;
	}
	if (number) {
		e = still_welcome(d, w.b);
		return e == ERR_OK ? answer_answer(d, r, number, ANSWER_FOUND, wait_ms, reply) : e;
	}
	e = look_first(d, day, &w, &outcome);
	if (outcome.id && still_welcome(d, w.b) != ERR_OK)
		return ERR_UNAUTHORIZED;
	if (e != ERR_OK || outcome.id)
		return answer_outcome(d, r, &w.ticket, &outcome, reply);
	e = line_draw(d->hall.line, &w.ticket, &number);
	return e == ERR_OK ? answer_answer(d, r, number, ANSWER_DRAWN, wait_ms, reply) : e;
}
