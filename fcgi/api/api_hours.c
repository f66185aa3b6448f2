/*
 * api_hours.c - when a restaurant is open: its week, special days, and how many may start at one time.
 */
#include "route.h"

#include "api.h"
#include "zone.h"

#include <string.h>

enum { HOURS_MAX = 7 * HOURS_SPANS_MAX, RANGE_MAX = 366, MONDAY = 1 };

/* Services, while they are read: of the week, or of a special day, where they name no weekday. */
struct services {
	bool special;
	const struct settings *house;
	struct json *list;
	size_t count;
	struct {
		int from, to; /* minutes of the week, or of the day */
	} seen[HOURS_MAX];
};

/* From, to and last seating.  A closing time that is not after the opening is one of the morning after: 17:30 to 02:00. */
static void take_times(struct in *in, struct json *j, int *from, int *to)
{
	char opens[16], closes[16], last[16], text[TEXT_TIME_SIZE];
	int minute = 0;

	in_text(in, "opens", IN_REQUIRED, 5, opens, sizeof opens);
	in_text(in, "closes", IN_REQUIRED, 5, closes, sizeof closes);
	in_text(in, "lastSeating", IN_OPTIONAL, 5, last, sizeof last);
	if (in->e == ERR_OK && (!text_time(opens, from) || *from >= DAY_MINUTES))
		in_fail(in, ERR_BAD_TIME, "opens");
	if (in->e == ERR_OK && !text_closing(closes, to))
		in_fail(in, ERR_BAD_TIME, "closes");
	*to += *to <= *from ? DAY_MINUTES : 0;
	if (in->e == ERR_OK && *to > NIGHT_MINUTES)
		in_fail(in, ERR_BAD_CLOSING, "closes");
	if (in->e == ERR_OK && *last && !text_closing(last, &minute))
		in_fail(in, ERR_BAD_TIME, "lastSeating");
	minute += minute < *from ? DAY_MINUTES : 0;
	if (in->e == ERR_OK && *last && minute > *to)
		in_fail(in, ERR_LAST_SEATING, "lastSeating");
	if (in->e != ERR_OK)
		return;
	json_text(j, "opens", opens);
	text_put_time(*to, text);
	json_text(j, "closes", text);
	if (*last)
		text_put_time(minute, text);
	json_text_or_null(j, "lastSeating", *last ? text : "");
}

/* The numbers that differ from the house's. */
static void take_numbers(struct in *in, const struct settings *house, struct json *j)
{
	struct hours_span span = {0};
	struct settings set;
	int64_t value;

#define X(name, json, min, max) \
	value = -1; \
	in_int(in, json, IN_OPTIONAL, min, max, &value); \
	if (value >= 0) { \
		hours_set_own(&span, HOURS_OWN_##name, (int)value); \
		json_int(j, json, value); \
	}
	SETTINGS_OF_SERVICE(X)
#undef X
	hours_settings(house, &span, &set);
	if (set.party_min > set.party_max)
		in_fail(in, ERR_OUT_OF_RANGE, in_has(in, "partyMin") ? "partyMin" : "partyMax");
}

/* Two services of one day, or of a night and the day after; those of the week go round from Sunday to Monday. */
static bool overlap(const struct services *w, int from, int to)
{
	enum { WEEK = 7 * DAY_MINUTES };

	for (size_t i = 0; i < w->count; i++)
		for (int turn = w->special ? 0 : -WEEK; turn <= (w->special ? 0 : WEEK); turn += WEEK)
			if (from < w->seen[i].to + turn && w->seen[i].from + turn < to)
				return true;
	return false;
}

#define FIELD(name, json, min, max) , json
static void take_service(struct in *in, void *arg)
{
	struct services *w = arg;
	char label[LENGTHS_SIZE(LENGTHS_SERVICE)];
	struct json *j = json_new();
	int64_t weekday = MONDAY;
	int from = 0, to = 0, day;

	in_only(in, "weekday", "opens", "closes", "label", "lastSeating" SETTINGS_OF_SERVICE(FIELD), NULL);
	in_int(in, "weekday", w->special ? IN_OPTIONAL : IN_REQUIRED, MONDAY, 7, &weekday);
	in_text(in, "label", IN_OPTIONAL, LENGTHS_SERVICE, label, sizeof label);
	take_times(in, j, &from, &to);
	take_numbers(in, w->house, j);
	day = w->special ? 0 : (int)(weekday - MONDAY) * DAY_MINUTES;
	for (size_t i = 0; i < w->count; i++)
		if (w->seen[i].from == day + from)
			in_fail(in, ERR_NAMED_TWICE, "hours");
	if (in->e == ERR_OK && overlap(w, day + from, day + to))
		in_fail(in, ERR_HOURS_OVERLAP, "opens");
	w->seen[w->count].from = day + from;
	w->seen[w->count++].to = day + to;
	json_int(j, "weekday", weekday);
	json_text(j, "label", label);
	json_push(w->list, j);
}

enum err api_hours(struct call *c)
{
	struct services week = {.list = json_list(), .house = &c->restaurant.set};
	struct json *j = json_new();

	in_only(&c->body, "hours", NULL);
	in_list(&c->body, "hours", IN_NAMED, HOURS_MAX, take_service, &week);
	json_put(j, "hours", week.list);
	return api_house_write(c, HOUSE_HOURS, j);
}

/* One day ("day"), or all from one to another. */
static void take_range(struct in *in, struct json *j)
{
	bool one = in_has(in, "day");
	struct date first = {.year = 2000, .month = 1, .day = 1}, last = first;

	in_date(in, one ? "day" : "from", IN_REQUIRED, &first);
	in_date(in, one ? "day" : "to", IN_REQUIRED, &last);
	if (in->e == ERR_OK && text_days(last) < text_days(first))
		in_fail(in, ERR_WRONG_WAY_ROUND, "to");
	if (in->e == ERR_OK && text_days(last) - text_days(first) >= RANGE_MAX)
		in_fail(in, ERR_OUT_OF_RANGE, "to");
	json_date(j, "from", first);
	json_date(j, "to", last);
}

/* A deposit of the day is everybody's, unless it says otherwise for large parties. */
static void take_deposit(struct in *in, struct json *j)
{
	int64_t each = -1, large = -1;

	in_int(in, "depositPerPerson", IN_OPTIONAL, 0, 1000000000, &each);
	in_int(in, "depositLargePerPerson", IN_OPTIONAL, 0, 1000000000, &large);
	if (each >= 0)
		json_int(j, "depositPerPerson", each);
	if (each >= 0 || large >= 0)
		json_int(j, "depositLargePerPerson", large >= 0 ? large : each);
}

/* Days that differ from their week: closed, with services of their own, or as usual with a note or a deposit; else as ever. */
enum err api_hours_special_day(struct call *c)
{
	struct services own = {.special = true, .list = json_list(), .house = &c->restaurant.set};
	struct json *j = json_new();
	struct in *in = &c->body;
	char note[LENGTHS_SIZE(LENGTHS_DAY_NOTE)];
	bool closed = false, as_week = false;

	in_only(in, "day", "from", "to", "closed", "hours", "services", "asWeek", "note", "depositPerPerson",
		"depositLargePerPerson", NULL);
	take_range(in, j);
	in_yes(in, "closed", &closed);
	in_yes(in, "asWeek", &as_week);
	in_list(in, in_has(in, "services") ? "services" : "hours", IN_OPTIONAL, HOURS_SPANS_MAX, take_service, &own);
	in_text(in, "note", IN_OPTIONAL, LENGTHS_DAY_NOTE, note, sizeof note);
	take_deposit(in, j);
	if (in->e == ERR_OK && closed + as_week + (own.count > 0) > 1)
		in_fail(in, ERR_NAMED_TWICE, own.count ? "services" : "asWeek");
	json_int(j, "closed", closed);
	json_int(j, "asWeek", as_week);
	json_text_or_null(j, "note", note);
	json_put(j, "hours", own.list);
	return api_house_write(c, HOUSE_SPECIAL_DAY, j);
}

/* How many may start at one time of one day: more, and those who wait get them; fewer than are booked is refused. */
enum err api_hours_slot(struct call *c)
{
	const struct restaurant *r = &c->restaurant;
	struct in_slot slot = {0};
	struct ticket_want want;
	struct settings set;
	int64_t capacity = 0, starts_s;
	enum err e;

	in_only(&c->body, "slotDate", "slotTime", "capacity", NULL);
	in_slot(&c->body, IN_REQUIRED, &slot);
	in_int(&c->body, "capacity", IN_REQUIRED, 0, 10000, &capacity);
	e = call_body(c);
	if (e == ERR_OK && !zone_to_utc(r->zone, slot.date, slot.minute, &starts_s))
		e = reply_field(c->reply, ERR_NO_SUCH_TIME, "slotTime");
	if (e == ERR_OK)
		e = restaurants_at(c->db, r, slot.day, slot.time, &set);
	if (e != ERR_OK)
		return e;
	want = ticket_want(&set, restaurants_seats(r), r->id, slot.day, slot.time, starts_s, 1);
	return call_done(c, house_set_slot(c->db, &want, capacity, call_by(c)));
}
