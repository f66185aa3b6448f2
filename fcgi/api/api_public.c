/*
 * api_public.c - what every client may read: a restaurant, its free times.
 */
#include "route.h"

#include "api.h"
#include "country.h"
#include "currency.h"
#include "mailserver.h"
#include "openings.h"
#include "slots.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static struct json *policies(const struct restaurant *r)
{
	const struct settings *s = &r->set;
	struct json *j = json_new();

	json_int(j, "partyMin", s->party_min);
	json_int(j, "partyMax", s->party_max);
	json_int(j, "slotMinutes", s->slot_minutes);
	json_int(j, "leadMinutes", s->lead_minutes);
	json_int(j, "windowDays", s->window_days);
	json_int(j, "holdSeconds", s->hold_seconds);
	json_flag(j, "waitlist", s->waitlist_per_guest > 0);
	json_flag(j, "tellsEnd", restaurants_tells_end(r));
	json_flag(j, "proveContact", s->prove_contact != 0);
	json_int(j, "depositPerPerson", s->deposit_per_person);
	json_int(j, "depositFrom", s->deposit_from);
	json_int(j, "depositNoShows", s->deposit_no_shows);
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

/* Who takes the money online.  Where nobody does there is no word of it. */
static struct json *payments(const struct restaurant *r)
{
	struct json *j = json_new();

	json_text(j, "provider", intent_provider_word(r->provider));
	json_flag(j, "test", r->pay_test);
	json_int_if(j, "guarantee", r->guarantee);
	return j;
}

static struct json *identity(const struct restaurant *r, struct date today, int64_t now_s)
{
	struct json *j = json_new();

	json_int(j, "restaurantId", r->id);
	json_text(j, "name", r->name);
	json_text_or_null(j, "nameEn", r->name_en);
	json_text_or_null(j, "phone", r->phone);
	json_text_or_null(j, "paymentText", r->payment_text);
	json_text_or_null(j, "address", r->address);
	json_text_or_null(j, "addressEn", r->address_en);
	json_text(j, "timezone", r->zone);
	json_text(j, "currency", r->currency);
	json_int(j, "currencyDigits", currency_digits(r->currency));
	json_text_or_null(j, "country", r->country);
	json_text(j, "language", r->lang == LANG_KO ? "ko" : "en");
	json_int(j, "firstWeekday", r->set.first_weekday);
	json_int(j, "callingCode", r->set.calling_code);
	json_text(j, "phoneExample", country_phone(r->country, r->set.calling_code));
	json_moment(j, "now", now_s);
	json_date(j, "today", today);
	json_flag(j, "paused", r->paused_until_s > now_s);
	json_put(j, "policies", policies(r));
	if (r->provider != INTENT_DESK)
		json_put(j, "payments", payments(r));
	return j;
}

enum err api_restaurants(struct call *c)
{
	struct json *list = json_list();
	int64_t ids[RESTAURANTS_MAX];
	struct restaurant r;
	int count = 0;
	enum err e = restaurants_all(c->db, ids, &count);

	for (int i = 0; i < count && e == ERR_OK; i++) {
		struct json *j;

		e = restaurants_get(c->db, ids[i], &r);
		if (e != ERR_OK)
			break;
		j = json_new();
		json_int(j, "restaurantId", r.id);
		json_text(j, "name", r.name);
		json_text_or_null(j, "nameEn", r.name_en);
		json_push(list, j);
	}
	return call_list(c, e, "restaurants", list);
}

enum err api_restaurant(struct call *c)
{
	struct json *hours = json_list(), *special = json_list(), *menu = json_list(), *j;
	const struct restaurant *rest = &c->restaurant;
	struct mailserver mail = {.way = "OFF"};
	struct date today, last;
	bool opened = false;
	int minute;
	enum err e;

	assert(c->restaurant.id > 0);
	/* A zone that this machine does not know: nothing can be booked, but the owner must see it to put it right. */
	if (restaurants_evening(c->db, rest, c->now_s, &today, &minute) != ERR_OK)
		today = text_from_days(c->now_s / 86400);
	e = openings_last(c->db, rest, today, &last);
	if (e == ERR_OK)
		e = restaurants_week(c->db, rest->id, json_row, hours);
	if (e == ERR_OK)
		e = restaurants_special(c->db, rest->id, today, last, json_row, special);
	if (e == ERR_OK)
		e = restaurants_menu(c->db, rest->id, json_row, menu);
	if (e == ERR_OK)
		e = restaurants_was_open(c->db, rest->id, &opened);
	if (e == ERR_OK)
		e = mailserver_get(c->db, &mail);
	j = identity(rest, today, c->now_s);
	json_put(j, "hours", hours);
	json_put(j, "specialDays", special);
	json_put(j, "menu", menu);
	json_flag(j, "opened", opened);
	json_flag(j, "mails", strcmp(mail.way, "OFF") != 0);
	json_flag(j, "sendsCodes", (rest->set.mail_guests && strcmp(mail.way, "OFF") != 0) || api_sends_texts(c, &rest->set));
	json_date(j, "lastDate", last);
	if (e == ERR_OK)
		e = api_add_next_opening(c, j);
	return call_answer(c, e, j);
}

/* What counts in its service and not in the house, as far as guests and staff need it beforehand. */
static void add_differences(struct json *j, const struct settings *house, const struct hours_span *span)
{
	struct settings set;

	hours_settings(house, span, &set);
	if (set.party_min != house->party_min)
		json_int(j, "partyMin", set.party_min);
	if (set.party_max != house->party_max)
		json_int(j, "partyMax", set.party_max);
	if (set.lead_minutes != house->lead_minutes)
		json_int(j, "leadMinutes", set.lead_minutes);
	if (set.deposit_per_person != house->deposit_per_person)
		json_int(j, "depositPerPerson", set.deposit_per_person);
	if (set.deposit_large_per_person != house->deposit_large_per_person)
		json_int(j, "depositLargePerPerson", set.deposit_large_per_person);
}

/* A time as guests read it, or as staff do: for them a party of no particular size is asked about. */
static struct json *slot_json(const struct settings *house, const struct slot_view *v, bool to_guest)
{
	char time[TEXT_TIME_SIZE];
	struct json *j = json_new();

	text_put_time(v->minute, time);
	json_text(j, "slotTime", time);
	json_text(j, "label", v->span->label);
	json_int(j, "capacity", v->capacity);
	json_int(j, "remaining", v->remaining);
	if (to_guest)
		json_flag(j, "available", v->available);
	json_int(j, "waiting", v->waiting);
	if (v->blocked)
		json_flag(j, "blocked", true);
	json_moment(j, "startsAt", v->starts_s);
	json_int(j, "sittingMinutes", v->sitting_minutes);
	add_differences(j, house, v->span);
	return j;
}

static struct json *free_json(const struct slots_free *f)
{
	struct json *j = json_new();

	json_int(j, "seats", f->seats);
	json_int(j, "largest", f->largest);
	return j;
}

struct json *api_desk_slots_json(const struct settings *house, const struct slots_desk *desk)
{
	struct json *list = json_list();

	for (size_t i = 0; i < desk->day.count; i++) {
		struct json *j = slot_json(house, &desk->day.slots[i], false);

		json_put(j, "online", free_json(&desk->online[i]));
		json_put(j, "staff", free_json(&desk->staff[i]));
		json_push(list, j);
	}
	return list;
}

static struct json *slots_json(const struct settings *house, const struct slots_day *day)
{
	struct json *list = json_list();

	for (size_t i = 0; i < day->count; i++)
		json_push(list, slot_json(house, &day->slots[i], true));
	return list;
}

enum err api_slots(struct call *c)
{
	const struct slots_day *day;
	struct date date;
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
	j = json_new();
	json_int(j, "restaurantId", c->restaurant.id);
	json_date(j, "slotDate", date);
	json_int(j, "partySize", party);
	json_flag(j, "closed", day->hours.count == 0);
	json_flag(j, "tooFar", day->open == ERR_TOO_FAR);
	json_text_if(j, "note", day->hours.note);
	json_put(j, "slots", slots_json(&c->restaurant.set, day));
	api_add_moment(j, day->open == ERR_NOT_YET ? day->opens_s : 0);
	if (day->open == ERR_NOT_YET)
		api_count_look(c, day->opens_s);
	return call_answer(c, ERR_OK, j);
}
