/*
 * api_public.c - what anybody may read: a restaurant, its free times.
 */
#include "route.h"

#include "slots.h"
#include "zone.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static struct json *policies(const struct settings *s)
{
	struct json *j = json_new();

	json_int(j, "partyMin", s->party_min);
	json_int(j, "partyMax", s->party_max);
	json_int(j, "slotMinutes", s->slot_minutes);
	json_int(j, "leadMinutes", s->lead_minutes);
	json_int(j, "windowDays", s->window_days);
	json_int(j, "holdSeconds", s->hold_seconds);
	json_flag(j, "waitlist", s->waitlist_per_guest > 0);
	json_flag(j, "proveContact", s->prove_contact != 0);
	json_int(j, "depositPerPerson", s->deposit_per_person);
	json_int(j, "depositLargeFrom", s->deposit_large_from);
	json_int(j, "depositLargePerPerson", s->deposit_large_per_person);
	json_int(j, "refundDayBeforePct", s->refund_day_before_pct);
	json_int(j, "refundSameDayPct", s->refund_same_day_pct);
	json_int(j, "refundCutoffMinutes", s->refund_cutoff_minutes);
	json_int(j, "refundLatePct", s->refund_late_pct);
	json_int(j, "refundLargeFrom", s->refund_large_from);
	json_int(j, "refundLateLargePct", s->refund_late_large_pct);
	return j;
}

static struct json *identity(const struct restaurant *r, struct date today, int64_t now_s)
{
	struct json *j = json_new();
	char text[CLOCK_ISO_SIZE];

	json_int(j, "restaurantId", r->id);
	json_text(j, "name", r->name);
	json_text_or_null(j, "nameEn", r->name_en);
	json_text_or_null(j, "phone", r->phone);
	json_text_or_null(j, "paymentText", r->payment_text);
	json_text_or_null(j, "address", r->address);
	json_text_or_null(j, "addressEn", r->address_en);
	json_text(j, "timezone", r->zone);
	json_text(j, "currency", r->currency);
	clock_iso(now_s, text);
	json_text(j, "now", text);
	text_put_date(today, text);
	json_text(j, "today", text);
	json_flag(j, "paused", r->paused_until_s > now_s);
	json_put(j, "policies", policies(&r->set));
	return j;
}

struct listing {
	struct db *db;
	struct json *list;
	enum err e;
};

static void add_restaurant(void *arg, int64_t id)
{
	struct listing *l = arg;
	struct restaurant r;
	struct json *j;

	if (l->e == ERR_OK)
		l->e = restaurants_get(l->db, id, &r);
	if (l->e != ERR_OK)
		return;
	j = json_new();
	json_int(j, "restaurantId", r.id);
	json_text(j, "name", r.name);
	json_text_or_null(j, "nameEn", r.name_en);
	json_push(l->list, j);
}

enum err api_restaurants(struct call *c)
{
	struct listing l = {.db = c->db, .list = json_list()};
	enum err e = restaurants_all(c->db, add_restaurant, &l);

	if (e == ERR_OK)
		e = l.e;
	return call_list(c, e, "restaurants", l.list);
}

enum err api_restaurant(struct call *c)
{
	struct json *hours = json_list(), *special = json_list(), *menu = json_list(), *j;
	const struct restaurant *rest = &c->restaurant;
	struct date today, last;
	bool opened = false;
	int minute;
	enum err e;

	assert(c->restaurant.id > 0);
	/* A zone that this machine does not know: nothing can be booked, but the owner must see it to put it right. */
	if (!zone_to_local(rest->zone, c->now_s, &today, &minute))
		today = text_from_days(c->now_s / 86400);
	last = text_from_days(text_days(today) + rest->set.window_days);
	e = restaurants_week(c->db, rest->id, json_row, hours);
	if (e == ERR_OK)
		e = restaurants_special(c->db, rest->id, today, last, json_row, special);
	if (e == ERR_OK)
		e = restaurants_menu(c->db, rest->id, json_row, menu);
	if (e == ERR_OK)
		e = restaurants_was_open(c->db, rest->id, &opened);
	j = identity(rest, today, c->now_s);
	json_put(j, "hours", hours);
	json_put(j, "specialDays", special);
	json_put(j, "menu", menu);
	json_flag(j, "opened", opened);
	return call_answer(c, e, j);
}

static struct json *slot_list(const struct slots_day *day)
{
	struct json *list = json_list();

	for (size_t i = 0; i < day->count; i++) {
		const struct slot_view *v = &day->slots[i];
		struct json *j = json_new();
		char time[TEXT_TIME_SIZE];

		text_put_time(v->minute, time);
		json_text(j, "slotTime", time);
		json_text(j, "label", v->label);
		json_int(j, "capacity", v->capacity);
		json_int(j, "remaining", v->remaining);
		json_flag(j, "available", v->available);
		json_int(j, "waiting", v->waiting);
		json_push(list, j);
	}
	return list;
}

enum err api_slots(struct call *c)
{
	const struct slots_day *day;
	struct date date;
	char text[TEXT_DATE_SIZE];
	int64_t party;
	struct json *j;
	enum err e = call_date(c, "slotDate", &date);

	assert(c->restaurant.id > 0);
	if (e == ERR_OK)
		e = call_int(c, "partySize", 1, 1000, 1, &party);
	if (e == ERR_OK)
		e = slots_of_day_kept(c->db, &c->restaurant, date, (int)party, c->now_s, &day);
	if (e != ERR_OK)
		return e;
	text_put_date(date, text);
	j = json_new();
	json_int(j, "restaurantId", c->restaurant.id);
	json_text(j, "slotDate", text);
	json_int(j, "partySize", party);
	json_flag(j, "closed", day->hours.count == 0);
	json_put(j, "slots", slot_list(day));
	reply_json(c->reply, 200, j);
	return ERR_OK;
}
