/*
 * api_reservations.c - a guest's reservations.
 */
#include "route.h"

#include "auth.h"
#include "booking.h"
#include "clock.h"
#include "money.h"
#include "answer.h"

#include <stdio.h>

enum { MY_LIMIT = 100 };

struct json *api_reservation_json(const struct reservation *v)
{
	struct json *j = json_new();

	json_int(j, "reservationId", v->id);
	json_text(j, "reservationCode", v->code);
	json_int(j, "slotId", v->slot_id);
	json_int(j, "userId", v->user_id);
	json_int(j, "restaurantId", v->restaurant_id);
	json_text(j, "slotDate", v->date);
	json_text(j, "slotTime", v->time);
	json_int(j, "partySize", v->party);
	json_text(j, "reservationType", v->type);
	json_text(j, "status", life_word(v->status));
	json_text_or_null(j, "requestMessage", v->request);
	json_text_or_null(j, "holdExpiresAt", v->status == LIFE_TEMPORARY ? v->hold_expires_at : "");
	json_int(j, "amountDue", v->status == LIFE_TEMPORARY ? v->total : 0);
	json_int(j, "totalAmount", v->total);
	json_text(j, "currency", v->currency);
	json_text(j, "visitStatus", v->visit_status);
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

enum err api_reservations_my(struct door *d, struct req *r, const struct user *user, struct reply *reply)
{
	struct json *list = json_list(), *j;
	enum err e = booking_of_user(&d->db, user->id, MY_LIMIT, clock_now_s(), add_reservation, list);

	(void)r;
	if (e != ERR_OK) {
		json_free(list);
		return e;
	}
	j = json_new();
	json_put(j, "reservations", list);
	reply_json(reply, 200, j);
	return ERR_OK;
}

enum err api_may_see(struct door *d, const struct req *r, const struct reservation *v)
{
	struct user u;
	enum err e;

	if (auth_may_manage(d, r, v->id))
		return ERR_OK;
	e = auth_user(d, r, &u);
	if (e != ERR_OK)
		return e;
	if (u.id == v->user_id)
		return ERR_OK;
	return u.type >= USER_STAFF && (!u.restaurant_id || u.restaurant_id == v->restaurant_id) ? ERR_OK :
												   ERR_NO_SUCH_RESERVATION;
}

/* What a guest who thinks of cancelling wants to know, and the clock a hold is counted by. */
static enum err add_terms(struct door *d, const struct reservation *v, int64_t now_s, struct json *j)
{
	struct money_terms terms;
	int64_t paid, refund, back = 0;
	char now[CLOCK_ISO_SIZE];
	struct json *policy;
	enum err e = booking_refund_now(&d->db, v, now_s, &paid, &refund);

	if (e == ERR_OK && v->status == LIFE_CANCELED)
		e = booking_refunded(&d->db, v->id, &back);
	if (e != ERR_OK)
		return e;
	clock_iso(now_s, now);
	json_text(j, "now", now);
	json_int(j, "paidAmount", paid);
	json_int(j, "refundIfCancelledNow", refund);
	json_int(j, "refundAmount", back);
	json_flag(j, "cancellable", life_may(v->status, LIFE_CANCELED));
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

/* The guest, not the staff, also gets the token of the manage link. */
static void add_manage_token(struct door *d, const struct req *r, const struct reservation *v, struct json *j)
{
	char token[TOKEN_TEXT_SIZE];
	struct user u;

	if (!auth_may_manage(d, r, v->id) && (auth_user(d, r, &u) != ERR_OK || u.id != v->user_id))
		return;
	auth_sign_manage(d, v->id, token);
	json_text(j, "manageToken", token);
}

enum err api_reservation_get(struct door *d, struct req *r, const struct user *user, struct reply *reply)
{
	struct json *j, *items;
	struct reservation v = {.id = r->path_id};
	int64_t now_s = clock_now_s();
	enum err found = booking_get(&d->db, r->path_id, now_s, &v);
	enum err e = found == ERR_OK || found == ERR_NO_SUCH_RESERVATION ? api_may_see(d, r, &v) : found;

	(void)user;
	if (e == ERR_OK)
		e = found;
	if (e != ERR_OK)
		return e;
	items = json_list();
	e = booking_items(&d->db, v.id, add_item, items);
	j = api_reservation_json(&v);
	json_put(j, "menuItems", items);
	if (e == ERR_OK)
		e = add_terms(d, &v, now_s, j);
	add_manage_token(d, r, &v, j);
	reply_json(reply, 200, j);
	return e;
}

enum err api_reservation_cancel(struct door *d, struct req *r, const struct user *user, struct reply *reply)
{
	struct ticket_request ticket = {.kind = TICKET_MOVE, .u.move = {.reservation_id = r->path_id, .kind = MOVE_CANCEL}};
	struct ticket_move *m = &ticket.u.move;
	struct reservation v = {.id = r->path_id};
	struct user u = {0};
	struct in in;
	enum err e, found;

	(void)user;
	in_open(&in, r->body.len ? r->body.data : "{}", r->body.len ? r->body.len : 2);
	in_only(&in, "reason", NULL);
	in_text(&in, "reason", IN_OPTIONAL, 100, m->reason, sizeof m->reason);
	in_close(&in);
	if (in.e != ERR_OK)
		return reply_field(reply, in.e, in.field);
	found = booking_get(&d->db, r->path_id, clock_now_s(), &v);
	e = found == ERR_OK || found == ERR_NO_SUCH_RESERVATION ? api_may_see(d, r, &v) : found;
	if (e != ERR_OK || found != ERR_OK)
		return e == ERR_OK ? found : e;
	m->by = BY_GUEST;
	if (!auth_may_manage(d, r, v.id) && auth_user(d, r, &u) == ERR_OK && u.id != v.user_id)
		m->by = BY_RESTAURANT;
	snprintf(m->actor, sizeof m->actor, "user:%lld", (long long)(u.id ? u.id : v.user_id));
	if (v.status == LIFE_EXPIRED)
		return ERR_BAD_MOVE;
	return answer_write(d, r, &ticket, reply);
}
