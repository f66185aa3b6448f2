/*
 * api_change.c - /api/reservations/{id}/change: another time or another size, in one step, or once it is paid.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "hours.h"
#include "money.h"
#include "room.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* What it is to be; what the body does not name stays as it is. */
static enum err read_change(struct call *c, struct ticket_change *t, struct date *date, int *minute)
{
	const struct reservation *v = &c->reservation;
	struct in *in = &c->body;
	char day[16], time[16];
	int64_t party = v->party;

	snprintf(day, sizeof day, "%s", v->date);
	snprintf(time, sizeof time, "%s", v->time);
	in_only(in, "slotDate", "slotTime", "partySize", NULL);
	if (in_has(in, "slotDate"))
		in_text(in, "slotDate", IN_REQUIRED, 10, day, sizeof day);
	if (in->e == ERR_OK && !text_date(day, date))
		in_fail(in, ERR_BAD_DATE, "slotDate");
	if (in_has(in, "slotTime"))
		in_text(in, "slotTime", IN_REQUIRED, 8, time, sizeof time);
	if (in->e == ERR_OK && !text_time(time, minute))
		in_fail(in, ERR_BAD_TIME, "slotTime");
	in_int(in, "partySize", IN_OPTIONAL, 1, 1000, &party);
	if (in->e != ERR_OK)
		return call_body(c);
	*t = (struct ticket_change){.reservation_id = v->id, .restaurant_id = v->restaurant_id, .party = (int32_t)party};
	text_put_date(*date, t->date);
	text_put_time(*minute, t->time);
	call_trace_slot(c, t->restaurant_id, t->date, t->time, t->party);
	return ERR_OK;
}

/* The rules of a booking: the restaurant's hours, limits and prices of today. */
static enum err check_change(struct call *c, const struct restaurant_day *day, struct ticket_change *t, struct date date,
			     int minute)
{
	const struct settings *set = &day->restaurant.set;
	enum err e;

	if (t->party < set->party_min || t->party > set->party_max)
		return reply_field(c->reply, ERR_PARTY_SIZE, "partySize");
	if (day->restaurant.paused_until_s > c->now_s)
		return ERR_PAUSED;
	e = hours_check(set, &day->hours, day->restaurant.zone, date, minute, c->now_s, &t->starts_s);
	if (e != ERR_OK)
		return reply_field(c->reply, e, e == ERR_NO_SUCH_TIME || e == ERR_TOO_SOON ? "slotTime" : "slotDate");
	t->capacity = set->reservation_limit;
	t->seats = room_seats(set);
	t->pass_waiters = set->waitlist_skip;
	t->hold_s = set->hold_seconds;
	t->holds_max = set->holds_per_guest;
	t->sitting_minutes = room_sitting(set, t->party);
	if (strcmp(c->reservation.type, booking_type_word(TICKET_DEPOSIT)) == 0)
		t->deposit = money_deposit(set, t->party);
	return ERR_OK;
}

enum err api_reservation_change(struct call *c)
{
	const struct reservation *v = &c->reservation;
	struct ticket_request ticket = {.kind = TICKET_CHANGE};
	struct ticket_change *t = &ticket.u.change;
	const struct restaurant_day *day;
	char now[CLOCK_ISO_SIZE];
	struct date date;
	int minute;
	enum err e = read_change(c, t, &date, &minute);

	assert(v->id > 0);
	clock_iso(c->now_s, now);
	if (e != ERR_OK)
		return e;
	if (v->status != LIFE_TEMPORARY && v->status != LIFE_CONFIRMED && v->status != LIFE_PREPAY_CONFIRM)
		return ERR_BAD_MOVE;
	if (strcmp(v->starts_at, now) <= 0)
		return ERR_BEGUN;
	e = restaurants_kept(c->db, v->restaurant_id, date, &day);
	if (e == ERR_OK)
		e = check_change(c, day, t, date, minute);
	call_actor(c, v->user_id, t->actor);
	return e == ERR_OK ? answer_draw(c, &ticket, day->restaurant.set.wait_ms) : e;
}

/* What was asked for and waits for its money is not wanted any more; with nothing of that kind, it is so already. */
enum err api_change_withdraw(struct call *c)
{
	const struct reservation *v = &c->reservation;
	struct ticket_request ticket = {
		.kind = TICKET_MOVE,
		.u.move = {.reservation_id = v->change_id, .kind = MOVE_CANCEL, .by = c->by_guest ? BY_GUEST : BY_RESTAURANT}};
	struct restaurant rest;
	enum err e;

	if (!v->change_id)
		return api_tell_reservation(c, v->id, c->by_guest, false);
	call_actor(c, v->user_id, ticket.u.move.actor);
	e = restaurants_get(c->db, v->restaurant_id, &rest);
	return e == ERR_OK ? answer_draw(c, &ticket, rest.set.wait_ms) : e;
}

enum err api_answer_changes(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	const struct ticket_change *t = &ticket->u.change;
	enum err e = (enum err)outcome->err;

	assert(ticket->kind == TICKET_CHANGE);
	if (e != ERR_OK) {
		struct ticket_outcome told = *outcome;

		told.id = e == ERR_DUPLICATE ? 0 : told.id; /* its own number would be no help */
		api_explain(c, &(struct api_wish){t->restaurant_id, t->date, t->time, t->party}, &told);
		return e;
	}
	return api_tell_reservation(c, outcome->id, c->by_guest, true);
}
