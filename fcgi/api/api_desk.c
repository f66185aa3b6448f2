/*
 * api_desk.c - what staff see and do: the day, phone bookings, walk-ins, and every act on a reservation.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "desk.h"
#include "house.h"
#include "money.h"
#include "sent.h"
#include "room.h"
#include "slots.h"
#include "zone.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the day ---- */

static struct json *table_ids(const char *list)
{
	struct json *j = json_list();

	while (*list) {
		char *end;

		json_push(j, json_number(strtoll(list, &end, 10)));
		list = *end == ',' ? end + 1 : end;
	}
	return j;
}

static struct json *row_json(const struct desk_row *r)
{
	struct json *j = json_new();

	{
		const struct reservation *v = &r->v;

		ROWS_RESERVATION(JSON_TO_DESK)
	}
	{
		const struct desk_row *v = r;

		ROWS_DESK(JSON_TO_DESK)
	}
	json_put(j, "tables", table_ids(r->tables));
	json_text_if(j, "contradicts", r->contradicts);
	return j;
}

void api_add_row(void *arg, const struct desk_row *r)
{
	json_push(arg, row_json(r));
}

static struct json *slots_json(const struct slots_day *day)
{
	struct json *list = json_list();
	char time[TEXT_TIME_SIZE];

	for (size_t i = 0; i < day->count; i++) {
		struct json *j = json_new();

		text_put_time(day->slots[i].minute, time);
		json_text(j, "slotTime", time);
		json_text(j, "label", day->slots[i].label);
		json_int(j, "capacity", day->slots[i].capacity);
		json_int(j, "remaining", day->slots[i].remaining);
		json_int(j, "waiting", day->slots[i].waiting);
		json_push(list, j);
	}
	return list;
}

static struct json *house_json(const struct restaurant *r)
{
	struct json *j = json_new();

	json_int(j, "restaurantId", r->id);
	json_text(j, "name", r->name);
	json_text(j, "timezone", r->zone);
	json_text(j, "currency", r->currency);
	json_int(j, "slotMinutes", r->set.slot_minutes);
	json_int(j, "seats", r->set.seats ? r->set.seats : r->set.reservation_limit);
	json_int(j, "partyMax", r->set.party_max);
	json_int(j, "depositPerPerson", r->set.deposit_per_person);
	json_flag(j, "paused", r->paused_until_s > 0);
	return j;
}

enum err api_desk_me(struct call *c)
{
	const struct user *u = &c->who.user;
	struct json *j = json_new();

	json_int(j, "userId", u->id);
	json_text(j, "name", u->name);
	json_text(j, "userType", users_type_word(u->type));
	if (u->restaurant_id)
		json_int(j, "restaurantId", u->restaurant_id);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

enum err api_desk_day(struct call *c)
{
	static struct slots_day slots;
	struct json *rows = json_list(), *tables = json_list(), *waiters = json_list(), *j;
	const struct restaurant *r = &c->restaurant;
	char day[TEXT_DATE_SIZE], now[CLOCK_ISO_SIZE], said[204] = "";
	struct date date;
	int64_t failed = 0, waiting = 0;
	enum err e = call_date(c, "date", &date);

	if (e == ERR_OK)
		text_put_date(date, day);
	if (e == ERR_OK)
		e = desk_day(c->db, r->id, day, c->now_s, api_add_row, rows);
	if (e == ERR_OK)
		e = desk_tables(c->db, r->id, json_row, tables);
	if (e == ERR_OK)
		e = slots_of_day(c->db, r, date, 1, c->now_s, &slots);
	if (e == ERR_OK)
		e = api_waiters_of_day(c, r->id, day, waiters);
	if (e == ERR_OK)
		e = sent_failed(c->db, r->id, c->now_s, &failed);
	if (e == ERR_OK)
		e = sent_stuck(c->db, r->id, &waiting, said);
	if (e != ERR_OK) {
		json_free(rows);
		json_free(tables);
		json_free(waiters);
		return e;
	}
	j = json_new();
	clock_iso(c->now_s, now);
	json_text(j, "now", now);
	json_text(j, "date", day);
	json_put(j, "house", house_json(r));
	json_put(j, "slots", slots_json(&slots));
	json_put(j, "tables", tables);
	json_put(j, "reservations", rows);
	json_put(j, "waitlist", waiters);
	json_int(j, "messagesFailed", failed);
	json_int(j, "messagesWaiting", waiting);
	json_text_or_null(j, "messagesAnswer", waiting ? said : "");
	json_int(j, "line", (int64_t)line_length(c->door->hall.line));
	json_flag(j, "clockDoubted", clockwatch_doubted(c->door->hall.clock) != 0);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

/* ---- booking for a guest ---- */

static void take_table(struct in *in, void *arg)
{
	int64_t *tables = arg, id = 0;
	int n = 0;

	in_only(in, "tableId", NULL);
	in_int(in, "tableId", IN_REQUIRED, 1, INT64_MAX - 1, &id);
	while (n < TICKET_TABLES && tables[n])
		n++;
	if (n < TICKET_TABLES)
		tables[n] = id;
}

static void take_tables(struct in *in, int64_t tables[TICKET_TABLES])
{
	in_list(in, "tables", IN_OPTIONAL, TICKET_TABLES, take_table, tables);
}

/* Who they are; a walk-in is not asked. */
void api_take_desk_guest(struct call *c, bool walk_in, struct ticket_who *who)
{
	struct ticket_guest guest = {.lang = (int32_t)c->req->lang};
	char phone[LENGTHS_SIZE(LENGTHS_PHONE)] = "";
	struct in *in = &c->body;
	int64_t key = 0;

	in_text(in, "guestName", walk_in ? IN_OPTIONAL : IN_REQUIRED, LENGTHS_NAME, guest.name, sizeof guest.name);
	in_text(in, "phone", IN_OPTIONAL, LENGTHS_PHONE, phone, sizeof phone);
	if (in->e == ERR_OK && *phone && text_phone(phone, guest.phone))
		key = text_phone_key(guest.phone, c->restaurant.set.calling_code);
	if (in->e == ERR_OK && *phone && key <= 0)
		in_fail(in, ERR_BAD_PHONE, "phone");
	if (!guest.name[0])
		snprintf(guest.name, sizeof guest.name, "%s", c->req->lang == LANG_KO ? "워크인" : "Walk-in");
	*who = ticket_who_guest(&guest, 0, key > 0 ? key : 0);
	who->staff_id = c->who.user.id;
}

enum err api_desk_want(struct call *c, const struct in_slot *slot, int party, struct ticket_want *out)
{
	const struct restaurant *r = &c->restaurant;
	struct hours_day hours;
	int64_t starts_s;
	enum err e = db_read_begin(c->db);

	if (e != ERR_OK)
		return e;
	e = restaurants_day(c->db, r->id, slot->date, &hours);
	db_read_end(c->db);
	if (e == ERR_OK)
		e = hours_check_staff(&hours, r->zone, slot->date, slot->minute, c->now_s, &starts_s);
	if (e != ERR_OK)
		return reply_field(c->reply, e, e == ERR_CLOSED_DAY ? "slotDate" : "slotTime");
	*out = ticket_want(&r->set, r->id, slot->day, slot->time, starts_s, party);
	return ERR_OK;
}

/* What is the same for every booking of the desk. */
static enum err draw_seat(struct call *c, struct ticket_request *ticket, bool waive)
{
	struct ticket_book *b = &ticket->u.book;
	const struct restaurant *r = &c->restaurant;
	enum err e = api_take_key(c, b->key);

	if (e != ERR_OK)
		return e;
	b->terms = ticket_terms(&r->set, r->currency, NULL, waive ? 0 : money_deposit(&r->set, b->want.party));
	return answer_draw(c, ticket, r->set.wait_ms);
}

enum err api_desk_book(struct call *c)
{
	struct ticket_request ticket = {.kind = TICKET_SEAT};
	struct ticket_book *b = &ticket.u.book;
	struct in *in = &c->body;
	struct in_slot slot = {0};
	int64_t tables[TICKET_TABLES] = {0}, party = 0, waive = 1;
	enum err e;

	in_only(in, "slotDate", "slotTime", "partySize", "guestName", "phone", "requestMessage", "note", "tables",
		"waiveDeposit", NULL);
	in_slot(in, IN_REQUIRED, &slot);
	in_int(in, "partySize", IN_REQUIRED, 1, 1000, &party);
	in_int(in, "waiveDeposit", IN_OPTIONAL, 0, 1, &waive);
	in_lines(in, "requestMessage", IN_OPTIONAL, LENGTHS_REQUEST, b->message, sizeof b->message);
	in_lines(in, "note", IN_OPTIONAL, LENGTHS_NOTE, b->note, sizeof b->note);
	take_tables(in, tables);
	api_take_desk_guest(c, false, &b->who);
	e = call_body(c);
	if (e == ERR_OK)
		e = api_desk_want(c, &slot, (int)party, &b->want);
	memcpy(b->want.tables, tables, sizeof tables);
	return e == ERR_OK ? draw_seat(c, &ticket, waive != 0) : e;
}

/* They are here: only those who are here can be in their way. */
enum err api_desk_walk_in(struct call *c)
{
	struct ticket_request ticket = {.kind = TICKET_SEAT, .u.book.walk_in = 1};
	struct ticket_book *b = &ticket.u.book;
	const struct restaurant *r = &c->restaurant;
	struct in *in = &c->body;
	struct in_slot now;
	int64_t tables[TICKET_TABLES] = {0}, party = 0, minutes = 0, starts_s;
	enum err e;

	in_only(in, "partySize", "guestName", "phone", "note", "tables", "sittingMinutes", NULL);
	in_int(in, "partySize", IN_REQUIRED, 1, 1000, &party);
	in_int(in, "sittingMinutes", IN_OPTIONAL, SLOTS_SHORTEST, 1440, &minutes);
	in_lines(in, "note", IN_OPTIONAL, LENGTHS_NOTE, b->note, sizeof b->note);
	take_tables(in, tables);
	api_take_desk_guest(c, true, &b->who);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	if (!zone_to_local(r->zone, c->now_s, &now.date, &now.minute) || !zone_to_utc(r->zone, now.date, now.minute, &starts_s))
		return ERR_INTERNAL;
	text_put_date(now.date, now.day);
	text_put_time(now.minute, now.time);
	b->want = ticket_want(&r->set, r->id, now.day, now.time, starts_s, (int)party);
	memcpy(b->want.tables, tables, sizeof tables);
	b->want.seats = r->set.seats ? r->set.seats : r->set.reservation_limit;
	if (minutes)
		b->want.sitting_minutes = (int32_t)minutes;
	return draw_seat(c, &ticket, true);
}

void api_tell_short_stay(struct call *c, const struct ticket_book *b)
{
	struct room_stay wish;
	int minutes;

	assert(b->walk_in);
	booking_stay(&b->want, &wish);
	if (slots_longest_stay(c->db, b->want.restaurant_id, b->want.date, b->want.seats, &wish, c->now_s, &minutes) ==
		    ERR_OK &&
	    minutes)
		json_int(reply_extra(c->reply), "sittingMinutes", minutes);
}

/* How many may start at one time of one day: more, and those who wait get them; fewer than are booked is refused. */
enum err api_desk_slot(struct call *c)
{
	const struct restaurant *r = &c->restaurant;
	struct in_slot slot = {0};
	struct ticket_want want;
	char actor[CALL_ACTOR_SIZE];
	int64_t capacity = 0, starts_s;
	enum err e;

	in_only(&c->body, "slotDate", "slotTime", "capacity", NULL);
	in_slot(&c->body, IN_REQUIRED, &slot);
	in_int(&c->body, "capacity", IN_REQUIRED, 0, 10000, &capacity);
	e = call_body(c);
	if (e == ERR_OK && !zone_to_utc(r->zone, slot.date, slot.minute, &starts_s))
		e = reply_field(c->reply, ERR_NO_SUCH_TIME, "slotTime");
	if (e != ERR_OK)
		return e;
	want = ticket_want(&r->set, r->id, slot.day, slot.time, starts_s, 1);
	call_actor(c, 0, actor);
	return call_done(c, house_set_slot(c->db, &want, capacity, actor));
}

/* ---- acts ---- */

/* The reservation as the desk sees it, and after a refusal what stands in the way. */
static enum err answer_row(struct call *c, int status, int64_t id)
{
	struct desk_row r;
	enum err e = desk_one(c->db, id, c->now_s, &r);

	if (e == ERR_OK)
		reply_json(c->reply, status, row_json(&r));
	return e;
}

enum err api_answer_seat(struct call *c, int64_t reservation_id)
{
	enum err e = db_read_begin(c->db);

	if (e != ERR_OK)
		return e;
	e = answer_row(c, 201, reservation_id);
	db_read_end(c->db);
	return e;
}

/* Refusals that say what the reservation is now. */
static bool shows_row(enum err e)
{
	return e == ERR_STALE || e == ERR_PAID_TOO_LATE || e == ERR_AMOUNT_CHANGED;
}

enum err api_answer_desk(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	const struct ticket_act *a = &ticket->u.act;
	enum err e = (enum err)outcome->err;
	struct desk_row now;

	assert(ticket->kind == TICKET_ACT);
	/* A ticket tells anybody who has it how it ended; what staff see is for staff. */
	if (c->who.user.type < USER_STAFF)
		return call_done(c, e);
	if (e == ERR_OK)
		return answer_row(c, 200, outcome->id);
	if (shows_row(e) && desk_one(c->db, outcome->id, c->now_s, &now) == ERR_OK) {
		struct json *extra = reply_extra(c->reply);

		json_put(extra, "reservation", row_json(&now));
		json_text(extra, "changedBy", now.changed_by);
		json_text(extra, "changedAt", now.v.updated_at);
		if (e == ERR_AMOUNT_CHANGED)
			json_int(extra, "amountDue", now.change_due ? now.change_due : now.v.total);
	}
	if (e == ERR_SLOT_FULL && a->change.want.party)
		api_explain(c, &a->change.want, outcome);
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
	struct restaurant r;
	enum err e = call_body(c);

	if (e == ERR_OK)
		e = restaurants_get(c->db, c->reservation.restaurant_id, &r);
	return e == ERR_OK ? answer_draw(c, ticket, r.set.wait_ms) : e;
}

/* A change to what is there already; the caller then changes what it wants. */
static enum err begin_change(struct call *c, struct ticket_change *t, struct restaurant *r)
{
	const struct reservation *v = &c->reservation;
	int64_t starts = 0, ends = 0;
	enum err e = restaurants_get(c->db, v->restaurant_id, r);

	if (e != ERR_OK || !clock_parse_iso(v->starts_at, &starts) || !clock_parse_iso(v->ends_at, &ends))
		return e == ERR_OK ? ERR_INTERNAL : e;
	t->reservation_id = v->id;
	t->want = ticket_want(&r->set, r->id, v->date, v->time, starts, v->party);
	t->want.sitting_minutes = (int32_t)((ends - starts) / 60);
	t->terms = ticket_terms(&r->set, r->currency, NULL, v->deposit);
	t->by_staff = 1;
	call_actor(c, 0, t->actor);
	return ERR_OK;
}

/* Another time: any minute of that day's hours.  Another size: another sitting, and another deposit for a hold. */
static enum err take_change(struct call *c, struct ticket_change *t, const struct restaurant *r)
{
	struct ticket_want *w = &t->want;
	struct in_slot slot;
	struct hours_day hours;
	int64_t party = w->party;
	enum err e;

	memcpy(slot.day, w->date, sizeof slot.day);
	memcpy(slot.time, w->time, sizeof slot.time);
	in_slot(&c->body, IN_OPTIONAL, &slot);
	in_int(&c->body, "partySize", IN_OPTIONAL, 1, 1000, &party);
	take_tables(&c->body, w->tables);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	if (party != w->party) {
		w->party = (int32_t)party;
		w->sitting_minutes = room_sitting(&r->set, w->party);
		t->terms.deposit = t->terms.deposit ? money_deposit(&r->set, w->party) : 0;
	}
	if (!in_has(&c->body, "slotDate") && !in_has(&c->body, "slotTime"))
		return ERR_OK;
	e = restaurants_day(c->db, w->restaurant_id, slot.date, &hours);
	if (e == ERR_OK)
		e = hours_check_staff(&hours, r->zone, slot.date, slot.minute, c->now_s, &w->starts_s);
	memcpy(w->date, slot.day, sizeof w->date);
	memcpy(w->time, slot.time, sizeof w->time);
	return e == ERR_OK ? e : reply_field(c->reply, e, e == ERR_CLOSED_DAY ? "slotDate" : "slotTime");
}

enum err api_desk_change(struct call *c)
{
	struct ticket_request ticket;
	struct restaurant r;
	enum err e;

	in_only(&c->body, "version", "slotDate", "slotTime", "partySize", "tables", NULL);
	begin_act(c, ACT_CHANGE, &ticket);
	e = call_body(c);
	if (e == ERR_OK)
		e = begin_change(c, &ticket.u.act.change, &r);
	if (e == ERR_OK)
		e = take_change(c, &ticket.u.act.change, &r);
	return e == ERR_OK ? draw_act(c, &ticket) : e;
}

enum err api_desk_act(struct call *c)
{
	enum ticket_act_kind kind = desk_act(c->req->path_word);
	struct ticket_request ticket;
	struct ticket_act *a = &ticket.u.act;
	struct in *in = &c->body;
	int64_t refund_all = 1, again = 0;
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
		in_only(in, "version", "note", "guestName", NULL);
		in_lines(in, "note", IN_OPTIONAL, LENGTHS_NOTE, a->note, sizeof a->note);
		in_text(in, "guestName", IN_OPTIONAL, LENGTHS_NAME, a->name, sizeof a->name);
	} else if (kind == ACT_SEAT) {
		in_only(in, "version", "tables", NULL);
		e = begin_change(c, &a->change, &r);
		take_tables(in, a->change.want.tables);
	} else if (kind == ACT_CONFIRM) {
		in_only(in, "version", "again", "amount", NULL);
		in_int(in, "again", IN_OPTIONAL, 0, 1, &again);
		in_int(in, "amount", IN_OPTIONAL, 1, INT64_MAX - 1, &a->move.amount);
		a->move.kind = MOVE_CONFIRM;
		a->move.again = (int32_t)again;
	} else {
		in_only(in, "version", NULL);
	}
	a->move.reservation_id = a->reservation_id;
	memcpy(a->move.actor, a->actor, sizeof a->move.actor);
	return e == ERR_OK ? draw_act(c, &ticket) : e;
}
