/*
 * api_change.c - /api/reservations/{id}/change: another time or another size, in one step, or once it is paid.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "hours.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* What it is to be; what the body does not name stays as it is. */
static enum err read_change(struct call *c, struct in_slot *slot, int64_t *party)
{
	const struct reservation *v = &c->reservation;
	enum err e;

	memcpy(slot->day, v->date, sizeof slot->day);
	memcpy(slot->time, v->time, sizeof slot->time);
	*party = v->party;
	in_only(&c->body, "slotDate", "slotTime", "partySize", NULL);
	in_slot(&c->body, IN_OPTIONAL, slot);
	in_int(&c->body, "partySize", IN_OPTIONAL, 1, 1000, party);
	e = call_body(c);
	if (e == ERR_OK)
		call_trace_slot(c, v->restaurant_id, slot->day, slot->time, (int)*party);
	return e;
}

/* The rules of a booking: the restaurant's hours, limits and prices of today. */
static enum err check_change(struct call *c, const struct restaurant_day *day, const struct in_slot *slot, int party,
			     struct ticket_change *t)
{
	bool dishes = strcmp(c->reservation.type, booking_type_word(TICKET_PREPAY)) == 0;
	const struct restaurant *r = &day->restaurant;
	struct settings set;
	int no_shows = 0;
	enum err e = api_check_slot(c, day, slot, party, &t->want);

	if (e == ERR_OK)
		e = booking_no_shows(c->db, r, c->reservation.user_id, &no_shows);
	hours_settings(&r->set, hours_service(&day->hours, &r->set, slot->minute), &set);
	t->terms = ticket_terms(&set, r->currency, day->policy, 0);
	t->terms.no_shows = no_shows;
	api_price(r, &set, party, dishes, c->reservation.prepay, &t->terms);
	return e;
}

enum err api_reservation_change(struct call *c)
{
	const struct reservation *v = &c->reservation;
	struct ticket_request ticket = {.kind = TICKET_CHANGE, .u.change.reservation_id = v->id};
	const struct restaurant_day *day;
	char now[CLOCK_ISO_SIZE];
	struct in_slot slot;
	int64_t party;
	enum err e = read_change(c, &slot, &party);

	assert(v->id > 0);
	clock_iso(c->now_s, now);
	if (e != ERR_OK)
		return e;
	if (v->status != LIFE_TEMPORARY && v->status != LIFE_CONFIRMED && v->status != LIFE_PREPAY_CONFIRM)
		return ERR_BAD_MOVE;
	if (strcmp(v->starts_at, now) <= 0)
		return ERR_BEGUN;
	e = restaurants_kept(c->db, v->restaurant_id, slot.date, &day);
	if (e == ERR_OK)
		e = check_change(c, day, &slot, (int)party, &ticket.u.change);
	if (e == ERR_OK && c->by_guest)
		e = api_count_made(c);
	call_actor(c, v->user_id, ticket.u.change.actor);
	if (e != ERR_OK)
		return e;
	e = answer_draw(c, &ticket, day->restaurant.set.wait_ms);
	if (e != ERR_OK && e != ERR_WAITING && c->by_guest)
		api_uncount_made(c);
	return e;
}

/* What was asked for and waits for its money is not wanted any more; with nothing of that kind, it is so already. */
enum err api_change_withdraw(struct call *c)
{
	const struct reservation *v = &c->reservation;
	struct ticket_request ticket = {
		.kind = TICKET_MOVE,
		.u.move = {.reservation_id = v->change_id, .kind = MOVE_CANCEL, .by = c->by_guest ? BY_GUEST : BY_RESTAURANT}};

	if (!v->change_id)
		return api_tell_reservation(c, v->id, c->by_guest, false);
	call_actor(c, v->user_id, ticket.u.move.actor);
	return api_draw(c, &ticket, v->restaurant_id);
}

enum err api_answer_changes(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	const struct ticket_change *t = &ticket->u.change;
	enum err e = (enum err)outcome->err;

	assert(ticket->kind == TICKET_CHANGE);
	if (e != ERR_OK) {
		struct ticket_outcome told = *outcome;

		told.id = e == ERR_DUPLICATE ? 0 : told.id; /* its own number would be no help */
		api_explain(c, &t->want, &told);
		return e;
	}
	return api_tell_reservation(c, outcome->id, c->by_guest, true);
}
