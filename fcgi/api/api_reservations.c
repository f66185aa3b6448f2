/*
 * api_reservations.c - a guest's reservations: seeing them, cancelling one.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "currency.h"
#include "auth.h"
#include "code.h"
#include "hash.h"
#include "money.h"
#include "payments.h"
#include "proofs.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { MY_LIMIT = 100, LATE_STEP_MIN = 10, LATE_MAX_MIN = 30 };

struct json *api_reservation_json(const struct reservation *v)
{
	bool held = v->status == LIFE_TEMPORARY;
	struct json *j = json_new();

	ROWS_RESERVATION(JSON_TO_GUEST)
	json_int(j, "userId", v->card_id ? v->card_id : v->user_id); /* whose number it is, a card does not learn */
	json_text_or_null(j, "holdExpiresAt", held ? v->hold_expires_at : "");
	json_int(j, "amountDue", held ? v->total : 0);
	json_int(j, "currencyDigits", currency_digits(v->currency));
	json_flag(j, "unproven", held && v->unproven); /* always there: a page that merges answers must see that it is over */
	json_text_if(j, "guestName", v->guest);
	return j;
}

enum err api_add_pending(struct call *c, const struct reservation *v, struct json *j)
{
	struct reservation hold = {.status = LIFE_EXPIRED};
	struct json *p;
	enum err e = v->change_id ? booking_get(c->db, v->change_id, c->now_s, &hold) : ERR_OK;

	if (e != ERR_OK || hold.status != LIFE_TEMPORARY) {
		json_text_or_null(j, "pendingChange", "");
		return e;
	}
	p = json_new();
	json_text(p, "slotDate", hold.date);
	json_text(p, "slotTime", hold.time);
	json_text(p, "startsAt", hold.starts_at);
	json_int(p, "partySize", hold.change_party);
	json_int(p, "amountDue", hold.total);
	json_text(p, "holdExpiresAt", hold.hold_expires_at);
	json_put(j, "pendingChange", p);
	return ERR_OK;
}

static void add_reservation(void *arg, const struct reservation *v)
{
	json_push(arg, api_reservation_json(v));
}

/* With a manage token: a guest who has proven the number may open and cancel each of them. */
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
	struct json *list = json_list();
	const struct auth *who = &c->who;
	enum err e = who->user.id ? booking_of_user(c->db, who->user.id, MY_LIMIT, c->now_s, add_reservation, list) :
				    list_of_card(c, list);

	return call_list(c, e, "reservations", list);
}

static int at_most(int cap, int percent)
{
	return percent < cap ? percent : cap;
}

/* What a guest who thinks of cancelling wants to know, and the clock a hold is counted by. */
static enum err add_terms(struct call *c, struct json *j)
{
	const struct reservation *v = &c->reservation;
	struct money_terms terms;
	struct payments_due due;
	int64_t back = 0;
	bool by_house = false;
	char now[CLOCK_ISO_SIZE];
	struct json *policy;
	enum err e = payments_if_cancelled(c->db, v, true, c->now_s, &due);

	if (e == ERR_OK && v->status == LIFE_CANCELED)
		e = payments_refunded(c->db, v->id, &back);
	if (e == ERR_OK && v->status == LIFE_CANCELED)
		e = booking_cancelled_by_house(c->db, v->id, &by_house);
	if (e != ERR_OK)
		return e;
	clock_iso(c->now_s, now);
	json_text(j, "now", now);
	json_int(j, "paidAmount", due.paid);
	json_int(j, "dueBackAmount", due.owed);
	json_int(j, "refundIfCancelledNow", due.refund);
	json_int(j, "refundPercentNow", payments_percent(c->db, v, c->now_s));
	json_int(j, "refundAmount", back);
	json_flag(j, "cancelledByRestaurant", by_house);
	json_flag(j, "cancellable", life_may(v->status, LIFE_CANCELED) && !booking_sits(v));
	json_flag(j, "changeable",
		  !booking_sits(v) &&
			  ((v->status == LIFE_TEMPORARY && !v->from_waitlist) || v->status == LIFE_CONFIRMED ||
			   v->status == LIFE_PREPAY_CONFIRM) &&
			  strcmp(v->starts_at, now) > 0);
	if (!money_terms(v->refund_policy, v->party, &terms))
		return ERR_OK;
	policy = json_new(); /* what they are told is what they would get */
	json_int(policy, "dayBeforePct", at_most(v->refund_cap, terms.day_before_pct));
	json_int(policy, "sameDayPct", at_most(v->refund_cap, terms.same_day_pct));
	json_int(policy, "cutoffMinutes", terms.cutoff_minutes);
	json_int(policy, "latePct", at_most(v->refund_cap, terms.late_pct));
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
	struct json *j, *items = json_list();
	enum err e;

	assert(c->reservation.id > 0);
	j = api_reservation_json(&c->reservation);
	e = booking_items(c->db, c->reservation.id, json_row, items);
	json_put(j, "menuItems", items);
	if (e == ERR_OK)
		e = add_terms(c, j);
	if (e == ERR_OK)
		e = api_add_pending(c, &c->reservation, j);
	if (c->by_guest)
		api_add_manage_token(c, c->reservation.id, j);
	return call_answer(c, e, j);
}

/* ---- by code and number ---- */

/* The tokens that one try has taken. */
struct tries {
	struct {
		enum rate_kind kind;
		uint64_t id;
	} taken[5];
	int count;
};

static bool take_token(struct call *c, struct tries *t, enum rate_kind kind, uint64_t id)
{
	assert(t->count < (int)(sizeof t->taken / sizeof t->taken[0]));
	if (!rate_within(c->door->hall.rate, kind, id, &c->reply->retry_after_s))
		return false;
	t->taken[t->count].kind = kind;
	t->taken[t->count++].id = id;
	return true;
}

/* It was right, or it was not made at all. */
static void give_back(struct call *c, struct tries *t)
{
	while (t->count > 0) {
		t->count--;
		rate_give_back(c->door->hall.rate, t->taken[t->count].kind, t->taken[t->count].id);
	}
}

/*
 * Of one number, or one code, each network has a few tries of its own, so that no guest is kept out by what strangers try from
 * elsewhere; after those it shares a few with all other networks.
 */
static bool take_tries(struct call *c, struct tries *t, uint64_t subject)
{
	return take_token(c, t, RATE_FIND_NEAR, hash_number(subject, req_network(c->req))) ||
	       take_token(c, t, RATE_FIND_ANY, subject);
}

/* May this be tried?  A number counts by its last eight digits, however its country is spelled. */
static enum err count_try(struct call *c, const char *code, const char *phone, struct tries *t)
{
	size_t n = strlen(phone);
	uint64_t source = req_source(c->req);

	*t = (struct tries){0};
	if ((!source || source == RATE_ELSEWHERE || take_token(c, t, RATE_FIND, source)) &&
	    take_tries(c, t, hash_text(hash_number(HASH_START, 'n'), phone + (n > 8 ? n - 8 : 0))) &&
	    take_tries(c, t, hash_text(hash_number(HASH_START, 'c'), code))) {
		c->reply->retry_after_s = 0;
		return ERR_OK;
	}
	give_back(c, t);
	return ERR_RATE_LIMITED;
}

/*
 * Do they belong together?  A code that is not there takes the steps of one that is, with the newest reservation in its
 * place, so that the time it takes does not tell which codes there are.
 */
static enum err match(struct call *c, const char *typed, const char *phone, bool *right)
{
	struct reservation *v = &c->reservation;
	struct restaurant rest;
	int64_t id = 0, newest = 0;
	bool there;
	enum err e = booking_by_code(c->db, typed, &id);

	there = e == ERR_OK;
	if (e == ERR_NO_SUCH_RESERVATION || e == ERR_MISTYPED_CODE)
		e = ERR_OK;
	if (e == ERR_OK)
		e = booking_newest(c->db, &newest);
	if (e == ERR_OK)
		e = booking_get(c->db, there ? id : newest, c->now_s, v);
	if (e == ERR_OK)
		e = restaurants_get(c->db, v->restaurant_id, &rest);
	*right = e == ERR_OK && there && !v->change_of && v->phone_key &&
		 text_phone_key(phone, rest.set.calling_code) == v->phone_key;
	return e == ERR_NO_SUCH_RESERVATION ? ERR_OK : e;
}

/*
 * A guest who knows both has had the confirmation.  A code that is not there, and a number that is not its own, answer
 * alike.  That a code is mistyped is said of what was typed alone, whatever is in the book, unless both were right: an
 * import may have brought a code that our check takes for a slip.
 */
enum err api_reservation_find(struct call *c)
{
	char typed[LENGTHS_SIZE(LENGTHS_CODE)], phone[TEXT_PHONE_SIZE];
	struct code_typed code;
	struct tries tries;
	bool right = false;
	enum err e;

	in_only(&c->body, "reservationCode", "phone", NULL);
	in_text(&c->body, "reservationCode", IN_REQUIRED, LENGTHS_CODE, typed, sizeof typed);
	in_phone(&c->body, "phone", IN_REQUIRED, phone);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	code_read(typed, &code);
	e = count_try(c, code.plain, phone, &tries);
	if (e == ERR_OK)
		e = match(c, typed, phone, &right);
	if (e != ERR_OK)
		return e;
	if (!right)
		return code.mistyped ? reply_field(c->reply, ERR_MISTYPED_CODE, "reservationCode") : ERR_NO_SUCH_RESERVATION;
	give_back(c, &tries);
	c->by_guest = true;
	return api_reservation_get(c);
}

enum err api_reservation_cancel(struct call *c)
{
	const struct reservation *v = &c->reservation;
	struct ticket_request ticket = {.kind = TICKET_MOVE};
	struct ticket_move *m = &ticket.u.move;
	enum err e;

	*m = (struct ticket_move){.reservation_id = v->id, .kind = MOVE_CANCEL, .by = c->by_guest ? BY_GUEST : BY_RESTAURANT};
	call_actor(c, v->user_id, m->actor);
	in_only(&c->body, "reason", "refund", NULL);
	in_text(&c->body, "reason", IN_OPTIONAL, LENGTHS_REASON, m->reason, sizeof m->reason);
	in_int(&c->body, "refund", IN_OPTIONAL, 0, INT64_MAX - 1, &m->amount);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	if (v->status == LIFE_EXPIRED)
		return ERR_BAD_MOVE;
	return api_draw(c, &ticket, v->restaurant_id);
}

/* One word about a reservation that its guest says. */
static enum err draw_word(struct call *c, enum ticket_move_kind kind, int64_t said)
{
	const struct reservation *v = &c->reservation;
	struct ticket_request ticket = {.kind = TICKET_MOVE};
	struct ticket_move *m = &ticket.u.move;
	struct restaurant rest;
	enum err e;

	e = call_body(c);
	if (e == ERR_OK)
		e = restaurants_get(c->db, v->restaurant_id, &rest);
	if (e != ERR_OK)
		return e;
	*m = (struct ticket_move){.reservation_id = v->id,
				  .kind = (int32_t)kind,
				  .by = c->by_guest ? BY_GUEST : BY_RESTAURANT,
				  .hold_s = rest.set.hold_seconds,
				  .said = (int32_t)said};
	call_actor(c, v->user_id, m->actor);
	return answer_draw(c, &ticket, rest.set.wait_ms);
}

enum err api_reservation_take(struct call *c)
{
	in_only(&c->body, NULL);
	return draw_word(c, MOVE_TAKE, 0);
}

enum err api_reservation_coming(struct call *c)
{
	in_only(&c->body, NULL);
	return draw_word(c, MOVE_COMING, 0);
}

/* On the day: so many minutes late; 0: in time after all. */
enum err api_reservation_late(struct call *c)
{
	int64_t minutes = 0;

	in_only(&c->body, "minutes", NULL);
	in_int(&c->body, "minutes", IN_REQUIRED, 0, LATE_MAX_MIN, &minutes);
	if (c->body.e == ERR_OK && minutes % LATE_STEP_MIN)
		in_fail(&c->body, ERR_OUT_OF_RANGE, "minutes");
	return draw_word(c, MOVE_LATE, minutes);
}

/* At the door; 0: not yet, it was a slip of the finger. */
enum err api_reservation_here(struct call *c)
{
	int64_t here = 1;

	in_only(&c->body, "here", NULL);
	in_int(&c->body, "here", IN_OPTIONAL, 0, 1, &here);
	return draw_word(c, MOVE_HERE, here);
}

enum err api_tell_reservation(struct call *c, int64_t id, bool guest, bool asked)
{
	struct reservation v;
	struct json *j;
	enum err e = booking_get(c->db, id, c->now_s, &v);

	if (e == ERR_OK && v.change_of) /* of a change that waited, what it was to change */
		e = booking_get(c->db, v.change_of, c->now_s, &v);
	if (e != ERR_OK)
		return e;
	j = api_reservation_json(&v);
	e = api_add_pending(c, &v, j);
	if (guest && (v.id == id || v.id == c->reservation.id)) /* signed is only what the caller was let in for */
		api_add_manage_token(c, v.id, j);
	reply_json(c->reply, asked && v.change_id ? 202 : 200, j);
	return e;
}

/* For a guest also with its manage token, but not for the staff who moved it. */
enum err api_answer_moves(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	enum err e = (enum err)outcome->err;

	assert(ticket->kind == TICKET_MOVE);
	return e == ERR_OK ? api_tell_reservation(c, outcome->id, ticket->u.move.by == BY_GUEST, false) : e;
}
