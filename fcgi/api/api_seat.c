/*
 * api_seat.c - the desk books for guests who call, and seats those who walk in.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "money.h"
#include "reasons.h"
#include "room.h"
#include "slots.h"
#include "zone.h"

#include <stdio.h>
#include <string.h>

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

void api_take_tables(struct in *in, int64_t tables[TICKET_TABLES])
{
	in_list(in, "tables", IN_OPTIONAL, TICKET_TABLES, take_table, tables);
}

void api_take_overbook(struct call *c, char out[TICKET_OVERBOOK_SIZE])
{
	in_text(&c->body, "overbook", IN_OPTIONAL, LENGTHS_OVERBOOK, out, TICKET_OVERBOOK_SIZE);
	if (c->body.e == ERR_OK && out[0] && c->who.user.type < USER_MANAGER)
		in_fail(&c->body, ERR_FORBIDDEN, "overbook");
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

void api_by_evening(const struct hours_day *hours, struct in_slot *slot)
{
	slot->minute = hours_minute(hours, slot->minute);
	text_put_time(slot->minute, slot->time);
}

enum err api_desk_want(struct call *c, struct in_slot *slot, int party, struct settings *set, struct ticket_want *out)
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
		api_by_evening(&hours, slot);
	if (e == ERR_OK)
		e = hours_check_staff(&hours, r->zone, slot->date, slot->minute, c->now_s, &starts_s);
	if (e != ERR_OK)
		return reply_field(c->reply, e, e == ERR_CLOSED_DAY ? "slotDate" : "slotTime");
	hours_settings(&r->set, hours_service(&hours, &r->set, slot->minute), set);
	*out = ticket_want(set, restaurants_seats(r), r->id, slot->day, slot->time, starts_s, party);
	return ERR_OK;
}

/* What is the same for every booking of the desk. */
static enum err draw_seat(struct call *c, struct ticket_request *ticket, const struct settings *set, bool waive)
{
	struct ticket_book *b = &ticket->u.book;
	const struct restaurant *r = &c->restaurant;
	enum err e = api_take_key(c, b->key);

	if (e != ERR_OK)
		return e;
	b->terms = ticket_terms(set, r->currency, NULL, waive || r->guarantee ? 0 : money_deposit(set, b->want.party));
	b->terms.guarantee = waive ? 0 : r->guarantee * b->want.party;
	return answer_draw(c, ticket, r->set.wait_ms);
}

enum err api_seat_book(struct call *c)
{
	struct ticket_request ticket = {.kind = TICKET_SEAT};
	struct ticket_book *b = &ticket.u.book;
	struct in *in = &c->body;
	struct in_slot slot = {0};
	struct settings set;
	int64_t tables[TICKET_TABLES] = {0}, party = 0, waive = 1;
	enum err e;

	in_only(in, "slotDate", "slotTime", "partySize", "guestName", "phone", "requestMessage", "note", "tags", "tables",
		"waiveDeposit", "overbook", NULL);
	in_slot(in, IN_REQUIRED, &slot);
	in_int(in, "partySize", IN_REQUIRED, 1, 1000, &party);
	in_int(in, "waiveDeposit", IN_OPTIONAL, 0, 1, &waive);
	in_lines(in, "requestMessage", IN_OPTIONAL, LENGTHS_REQUEST, b->message, sizeof b->message);
	in_lines(in, "note", IN_OPTIONAL, LENGTHS_NOTE, b->note, sizeof b->note);
	in_tags(in, "tags", &b->tags);
	api_take_tables(in, tables);
	api_take_overbook(c, b->overbook);
	api_take_desk_guest(c, false, &b->who);
	e = call_body(c);
	if (e == ERR_OK)
		e = api_desk_want(c, &slot, (int)party, &set, &b->want);
	memcpy(b->want.tables, tables, sizeof tables);
	return e == ERR_OK ? draw_seat(c, &ticket, &set, waive != 0) : e;
}

/* The minute that it is, of the evening that it is, and the settings of its service. */
static enum err begin_now(struct call *c, struct in_slot *now, int64_t *starts_s, struct settings *set)
{
	const struct restaurant *r = &c->restaurant;
	enum err e = db_read_begin(c->db);

	if (e != ERR_OK)
		return e;
	e = restaurants_evening(c->db, r, c->now_s, &now->date, &now->minute);
	text_put_date(now->date, now->day);
	text_put_time(now->minute, now->time);
	if (e == ERR_OK)
		e = restaurants_at(c->db, r, now->day, now->time, set);
	db_read_end(c->db);
	if (e == ERR_OK && !zone_to_utc(r->zone, now->date, now->minute, starts_s))
		e = ERR_INTERNAL;
	return e;
}

/* What the desk may say of a party that is here, but who they are. */
struct here {
	int64_t party, minutes, tables[TICKET_TABLES];
};

static void take_here(struct call *c, struct ticket_book *b, struct here *h)
{
	struct in *in = &c->body;
	bool share = false;

	in_int(in, "sittingMinutes", IN_OPTIONAL, SLOTS_SHORTEST, 1440, &h->minutes);
	in_lines(in, "note", IN_OPTIONAL, LENGTHS_NOTE, b->note, sizeof b->note);
	in_flag(in, "share", IN_OPTIONAL, &share);
	api_take_tables(in, h->tables);
	api_take_overbook(c, b->overbook);
	b->share = share;
}

/* They are here: only those who are here can be in their way. */
static enum err draw_here(struct call *c, struct ticket_request *ticket, const struct here *h)
{
	struct ticket_book *b = &ticket->u.book;
	const struct restaurant *r = &c->restaurant;
	struct in_slot now;
	struct settings set;
	int64_t starts_s;
	enum err e = begin_now(c, &now, &starts_s, &set);

	if (e != ERR_OK)
		return e;
	b->want = ticket_want(&set, restaurants_seats(r), r->id, now.day, now.time, starts_s, (int)h->party);
	memcpy(b->want.tables, h->tables, sizeof b->want.tables);
	b->want.seats = r->set.seats ? r->set.seats : r->set.reservation_limit;
	if (h->minutes)
		b->want.sitting_minutes = (int32_t)h->minutes;
	return draw_seat(c, ticket, &set, true);
}

enum err api_seat_walk_in(struct call *c)
{
	struct ticket_request ticket = {.kind = TICKET_SEAT, .u.book.walk_in = 1};
	struct here h = {0};
	enum err e;

	in_only(&c->body, "partySize", "guestName", "phone", "note", "tables", "sittingMinutes", "share", "overbook", NULL);
	in_int(&c->body, "partySize", IN_REQUIRED, 1, 1000, &h.party);
	take_here(c, &ticket.u.book, &h);
	api_take_desk_guest(c, true, &ticket.u.book.who);
	e = call_body(c);
	return e == ERR_OK ? draw_here(c, &ticket, &h) : e;
}

enum err api_seat_from_door(struct call *c)
{
	struct ticket_request ticket = {.kind = TICKET_SEAT, .u.book.walk_in = 1};
	struct ticket_book *b = &ticket.u.book;
	const struct door_party *p = &c->party;
	struct ticket_guest guest = {.lang = (int32_t)p->lang};
	struct here h = {.party = p->party};
	enum err e;

	in_only(&c->body, "version", "note", "tables", "sittingMinutes", "share", "overbook", NULL);
	in_int(&c->body, "version", IN_REQUIRED, 1, INT64_MAX - 1, &b->door_version);
	take_here(c, b, &h);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	b->door_id = p->id;
	snprintf(guest.name, sizeof guest.name, "%s", p->guest[0] ? p->guest : c->req->lang == LANG_KO ? "워크인" : "Walk-in");
	snprintf(guest.phone, sizeof guest.phone, "%s", p->phone);
	b->who = ticket_who_guest(&guest, 0, p->phone_key);
	b->who.staff_id = c->who.user.id;
	return draw_here(c, &ticket, &h);
}

static void tell_short_stay(struct call *c, const struct ticket_book *b)
{
	struct room_stay wish;
	int minutes;

	booking_stay(&b->want, &wish);
	if (slots_longest_stay(c->db, &b->want, &wish, c->now_s, &minutes) == ERR_OK && minutes)
		json_int(reply_extra(c->reply), "sittingMinutes", minutes);
}

void api_explain_seat(struct call *c, const struct ticket_book *b, enum err refused)
{
	const struct reasons_ask ask = {
		.want = &b->want, .who = b->walk_in ? ROOM_WALK_IN : ROOM_STAFF, .sits = b->walk_in != 0};

	if (b->walk_in && (refused == ERR_SLOT_FULL || refused == ERR_TABLE_TAKEN))
		tell_short_stay(c, b);
	api_give_reasons(c, &ask, refused);
}

enum err api_answer_seat(struct call *c, int64_t reservation_id)
{
	enum err e = db_read_begin(c->db);

	if (e != ERR_OK)
		return e;
	e = api_answer_row(c, 201, reservation_id);
	db_read_end(c->db);
	return e;
}
