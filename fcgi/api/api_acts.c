/*
 * api_acts.c - the desk says what happens to a reservation, or changes it.
 */
#include "route.h"

#include "api.h"
#include "desk.h"
#include "money.h"
#include "reasons.h"
#include "room.h"

#include <assert.h>
#include <string.h>

enum { SHORTEST_MIN = 5 }; /* the shortest stay that the book knows */

/* Refusals that say what the reservation is now. */
static bool shows_row(enum err e)
{
	return e == ERR_STALE || e == ERR_PAID_TOO_LATE || e == ERR_AMOUNT_CHANGED;
}

/* The tables that were asked for, where the act named none. */
static enum err find_tables(struct call *c, const struct ticket_act *a, bool sits, int64_t tables[TICKET_TABLES])
{
	if (a->act == ACT_UNDO)
		return desk_undo_tables(c->db, a->reservation_id, tables);
	if (tables[0] || (a->act == ACT_CHANGE && !a->change.same_tables && !sits))
		return ERR_OK;
	return sitters_own(c->db, a->with_id ? a->with_id : a->reservation_id, tables);
}

/* A swap is refused for either of the two. */
static enum err find_swap(struct call *c, const struct ticket_act *a, int64_t own[TICKET_TABLES], struct reasons_ask *ask)
{
	struct reservation other;
	enum err e = booking_get(c->db, a->with_id, c->now_s, &other);

	if (e == ERR_OK)
		e = sitters_own(c->db, a->reservation_id, own);
	ask->own = own;
	ask->other_sits = e == ERR_OK && strcmp(other.visit_status, "SEATED") == 0;
	return e;
}

/* Another place that cannot be had: why, and what could be had instead. */
static void explain_place(struct call *c, const struct ticket_act *a, const struct ticket_outcome *outcome)
{
	struct ticket_want want = a->change.want;
	struct reasons_ask ask = {.want = &want, .who = ROOM_HOLDER, .self = a->reservation_id, .beside = a->with_id};
	enum err e = (enum err)outcome->err;
	struct reservation v;
	int64_t own[TICKET_TABLES];

	if (booking_get(c->db, a->reservation_id, c->now_s, &v) != ERR_OK)
		return;
	if (a->with_id && find_swap(c, a, own, &ask) != ERR_OK)
		return;
	ask.sits = a->act == ACT_SEAT || strcmp(v.visit_status, "SEATED") == 0 ||
		   (a->act == ACT_UNDO && want.starts_s <= c->now_s);
	if (want.party > v.party && a->act == ACT_CHANGE)
		ask.who = ROOM_STAFF;
	if (a->act == ACT_UNDO && v.sitting_minutes > want.sitting_minutes) /* who left early would stay to the end again */
		want.sitting_minutes = (int32_t)v.sitting_minutes;
	if (e == ERR_SLOT_FULL)
		api_explain(c, &want, outcome);
	if (find_tables(c, a, ask.sits, want.tables) != ERR_OK)
		return;
	api_give_reasons(c, &ask, e);
}

enum err api_answer_desk(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	const struct ticket_act *a = &ticket->u.act;
	enum err e = (enum err)outcome->err;
	struct desk_row now;

	assert(ticket->kind == TICKET_ACT);
	/* A ticket tells every client that has it how it ended; what staff see is for staff. */
	if (c->who.user.type < USER_STAFF)
		return call_done(c, e);
	if (e == ERR_OK)
		return api_answer_row(c, 200, outcome->id);
	if (shows_row(e) && desk_one(c->db, outcome->id, c->now_s, &now) == ERR_OK) {
		struct json *extra = reply_extra(c->reply);

		json_put(extra, "reservation", api_row_json(&now));
		json_text(extra, "changedBy", now.changed_by);
		json_text(extra, "changedAt", now.v.updated_at);
		if (e == ERR_AMOUNT_CHANGED)
			json_int(extra, "amountDue", now.change_due ? now.change_due : now.v.total);
	}
	if (a->change.want.party)
		explain_place(c, a, outcome);
	return e;
}

/* Every act says which state of the reservation it is about. */
static void begin_act(struct call *c, enum ticket_act_kind kind, struct ticket_request *ticket)
{
	struct ticket_act *a = &ticket->u.act;

	memset(ticket, 0, sizeof *ticket);
	ticket->kind = TICKET_ACT;
	a->act = (int32_t)kind;
	a->reservation_id = c->reservation.id;
	in_int(&c->body, "version", IN_REQUIRED, 1, INT64_MAX - 1, &a->version);
	call_actor(c, 0, a->actor);
}

static enum err draw_act(struct call *c, const struct ticket_request *ticket)
{
	enum err e = call_body(c);

	return e == ERR_OK ? api_draw(c, ticket, c->reservation.restaurant_id) : e;
}

/* A change to what is there already; the caller then changes what it wants. */
static enum err begin_change(struct call *c, struct ticket_change *t, struct restaurant *r)
{
	const struct reservation *v = &c->reservation;
	int64_t starts = 0, ends = 0;
	struct settings set;
	enum err e = restaurants_get(c->db, v->restaurant_id, r);

	if (e == ERR_OK)
		e = restaurants_at(c->db, r, v->date, v->time, &set);
	if (e != ERR_OK || !clock_parse_iso(v->starts_at, &starts) || !clock_parse_iso(v->ends_at, &ends))
		return e == ERR_OK ? ERR_INTERNAL : e;
	t->reservation_id = v->id;
	t->want = ticket_want(&set, restaurants_seats(r), r->id, v->date, v->time, starts, v->party);
	t->want.sitting_minutes = (int32_t)((ends - starts) / 60);
	t->terms = ticket_terms(&set, r->currency, NULL, v->deposit);
	t->by_staff = 1;
	call_actor(c, 0, t->actor);
	return ERR_OK;
}

/* What dishes count against: the deposit, or what a card that a house asks for instead would be good for (api_price). */
static int64_t asked_beside(const struct restaurant *r, const struct settings *set, const struct reservation *v, int party)
{
	if (!r->guarantee || strcmp(v->type, booking_type_word(TICKET_PREPAY)) != 0)
		return money_deposit(set, party);
	return money_is_asked(set, party, 0) ? r->guarantee * party : 0;
}

/*
 * Another size, or a service in which parties stay for another time: another sitting, unless the desk says how long they stay, and
 * another deposit for a hold.
 */
static enum err follow_service(struct call *c, struct ticket_change *t, const struct restaurant *r, int64_t minutes)
{
	const struct reservation *v = &c->reservation;
	struct ticket_want *w = &t->want;
	struct settings was, set;
	enum err e = restaurants_at(c->db, r, v->date, v->time, &was);

	if (e == ERR_OK)
		e = restaurants_at(c->db, r, w->date, w->time, &set);
	if (e != ERR_OK)
		return e;
	w->capacity = set.reservation_limit;
	if (w->party != v->party || room_sitting(&set, w->party) != room_sitting(&was, w->party))
		w->sitting_minutes = room_sitting(&set, w->party);
	if (minutes)
		w->sitting_minutes = (int32_t)minutes;
	if (t->terms.deposit && (w->party != v->party || money_deposit(&set, w->party) != money_deposit(&was, w->party)))
		t->terms.deposit = money_beside(asked_beside(r, &set, v, w->party), v->prepay);
	return ERR_OK;
}

/* Another time: any minute of that day's hours. */
static enum err take_change(struct call *c, struct ticket_change *t, const struct restaurant *r)
{
	struct ticket_want *w = &t->want;
	struct in_slot slot;
	struct hours_day hours;
	int64_t party = w->party, minutes = 0;
	bool share = false;
	enum err e;

	memcpy(slot.day, w->date, sizeof slot.day);
	memcpy(slot.time, w->time, sizeof slot.time);
	in_slot(&c->body, IN_OPTIONAL, &slot);
	in_int(&c->body, "partySize", IN_OPTIONAL, 1, 1000, &party);
	in_int(&c->body, "sittingMinutes", IN_OPTIONAL, SHORTEST_MIN, DAY_MINUTES, &minutes);
	in_flag(&c->body, "share", IN_OPTIONAL, &share);
	api_take_tables(&c->body, w->tables);
	api_take_overbook(c, t->overbook);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	w->party = (int32_t)party;
	t->share = share;
	if (!in_has(&c->body, "slotDate") && !in_has(&c->body, "slotTime")) {
		t->same_tables = minutes && w->party == c->reservation.party;
		return follow_service(c, t, r, minutes);
	}
	e = restaurants_day(c->db, w->restaurant_id, slot.date, &hours);
	if (e == ERR_OK)
		api_by_evening(&hours, &slot);
	if (e == ERR_OK)
		e = hours_check_staff(&hours, r->zone, slot.date, slot.minute, c->now_s, &w->starts_s);
	memcpy(w->date, slot.day, sizeof w->date);
	memcpy(w->time, slot.time, sizeof w->time);
	return e == ERR_OK ? follow_service(c, t, r, minutes) :
			     reply_field(c->reply, e, e == ERR_CLOSED_DAY ? "slotDate" : "slotTime");
}

enum err api_acts_change(struct call *c)
{
	struct ticket_request ticket;
	struct restaurant r;
	enum err e;

	in_only(&c->body, "version", "slotDate", "slotTime", "partySize", "sittingMinutes", "tables", "share", "overbook",
		NULL);
	begin_act(c, ACT_CHANGE, &ticket);
	e = call_body(c);
	if (e == ERR_OK)
		e = begin_change(c, &ticket.u.act.change, &r);
	if (e == ERR_OK)
		e = take_change(c, &ticket.u.act.change, &r);
	return e == ERR_OK ? draw_act(c, &ticket) : e;
}

/* Whom it changes tables with is of the same restaurant, or not there. */
static enum err check_other(struct call *c, int64_t id)
{
	struct reservation other;
	enum err e = c->body.e == ERR_OK ? booking_get(c->db, id, c->now_s, &other) : ERR_OK;

	if (c->body.e == ERR_OK && e == ERR_OK && other.restaurant_id != c->reservation.restaurant_id)
		e = ERR_NO_SUCH_RESERVATION;
	return e == ERR_NO_SUCH_RESERVATION ? reply_field(c->reply, e, "with") : e;
}

enum err api_acts(struct call *c)
{
	enum ticket_act_kind kind = desk_act(c->req->path_word);
	struct ticket_request ticket;
	struct ticket_act *a = &ticket.u.act;
	struct in *in = &c->body;
	int64_t refund_all = 1, again = 0;
	bool share = false;
	struct restaurant r;
	enum err e = ERR_OK;

	if (kind == ACT__MAX || kind == ACT_CHANGE)
		return ERR_NOT_FOUND;
	begin_act(c, kind, &ticket);
	if (kind == ACT_CANCEL) {
		in_only(in, "version", "reason", "refundAll", NULL);
		in_text(in, "reason", IN_OPTIONAL, LENGTHS_REASON, a->move.reason, sizeof a->move.reason);
		in_int(in, "refundAll", IN_OPTIONAL, 0, 1, &refund_all);
		a->move.kind = MOVE_CANCEL;
		a->move.by = BY_RESTAURANT;
		a->move.by_terms = !refund_all;
	} else if (kind == ACT_NOTE) {
		in_only(in, "version", "note", "guestName", "tags", NULL);
		in_lines(in, "note", IN_OPTIONAL, LENGTHS_NOTE, a->note, sizeof a->note);
		in_text(in, "guestName", IN_OPTIONAL, LENGTHS_NAME, a->name, sizeof a->name);
		in_tags(in, "tags", &a->tags);
		a->has_tags = in_has(in, "tags");
	} else if (kind == ACT_SEAT) {
		in_only(in, "version", "tables", "share", NULL);
		e = begin_change(c, &a->change, &r);
		api_take_tables(in, a->change.want.tables);
		in_flag(in, "share", IN_OPTIONAL, &share);
		a->change.share = share;
	} else if (kind == ACT_SWAP) {
		in_only(in, "version", "with", "withVersion", NULL);
		in_int(in, "with", IN_REQUIRED, 1, INT64_MAX - 1, &a->with_id);
		in_int(in, "withVersion", IN_REQUIRED, 1, INT64_MAX - 1, &a->with_version);
		e = check_other(c, a->with_id);
		if (e == ERR_OK)
			e = begin_change(c, &a->change, &r);
	} else if (kind == ACT_CONFIRM) {
		in_only(in, "version", "again", "amount", NULL);
		in_int(in, "again", IN_OPTIONAL, 0, 1, &again);
		in_int(in, "amount", IN_OPTIONAL, 1, INT64_MAX - 1, &a->move.amount);
		a->move.kind = MOVE_CONFIRM;
		a->move.again = (int32_t)again;
	} else {
		in_only(in, "version", NULL);
		if (kind == ACT_UNDO)
			e = begin_change(c, &a->change, &r); /* for a refusal that says why */
	}
	a->move.reservation_id = a->reservation_id;
	memcpy(a->move.actor, a->actor, sizeof a->move.actor);
	return e == ERR_OK ? draw_act(c, &ticket) : e;
}
