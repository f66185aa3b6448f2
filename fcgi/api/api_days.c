/*
 * api_days.c - GET /api/reservations/days: a month at a glance.
 *
 * Every process keeps the days that it has looked up for all others (core/glance.h), under a version that is made of what
 * they depend on: the day's number (core/edition) and those of its neighbours, whose guests may stay past midnight; the edition
 * of the settings; and the second, by which holds run out, days open, times come too near, and what is written at the sqlite3
 * shell shows.  So a day is read once for each change of it, and once a second at most while nothing changes.
 */
#include "route.h"

#include "api.h"
#include "failpoint.h"
#include "hash.h"
#include "openings.h"
#include "slots.h"

#include <assert.h>

enum {
	FEW_PCT = 20, /* a day with this share of its seats left, or less, is "few" */
	MONTH_DAYS = 31,
	NEIGHBOURS = 2, /* days before and after whose guests may be there: who comes after midnight may stay for a day */
};

#define STATES(X) \
	X(PAST, "past") X(FAR, "far") X(CLOSED, "closed") X(FULL, "full") X(FEW, "few") X(OPEN, "open") X(NOT_YET, "notYet")
enum state {
#define X(name, word) DAY_##name,
	STATES(X)
#undef X
};

struct day_view {
	enum state state;
	int64_t remaining; /* seats at the times this party can still book; DAY_NOT_YET: the second in which it opens */
};

/* Of a day that has not opened only the hours are told. */
static enum err look_at_hours(struct call *c, struct date date, struct day_view *out)
{
	struct hours_day hours;
	enum err e = restaurants_day(c->db, c->restaurant.id, date, &hours);

	out->state = hours.count ? DAY_NOT_YET : DAY_CLOSED;
	out->remaining = hours.count ? out->remaining : 0;
	return e;
}

static enum err look_at_day(struct call *c, struct date date, int party, struct day_view *out)
{
	static struct slots_day day;
	const struct restaurant *rest = &c->restaurant;
	int64_t capacity = 0, starts;
	enum err e = hours_check_date(rest->zone, date, c->now_s), open = ERR_OK;

	*out = (struct day_view){.state = e == ERR_PAST ? DAY_PAST : DAY_FAR};
	if (e == ERR_PAST && hours_may_last(rest->zone, date, c->now_s))
		e = ERR_OK;
	if (e == ERR_OK)
		e = openings_look(c->db, rest, date, c->now_s, &open, &out->remaining);
	if (e == ERR_PAST || open == ERR_TOO_FAR)
		return ERR_OK;
	if (e == ERR_OK && open == ERR_NOT_YET)
		return look_at_hours(c, date, out);
	out->remaining = 0;
	if (e == ERR_OK)
		e = slots_of_day(c->db, rest, date, party, c->now_s, &day);
	if (e != ERR_OK)
		return e;
	counters_count(c->door->hall.counters, COUNTER_days_read);
	for (size_t i = 0; i < day.count; i++) {
		capacity += day.slots[i].capacity;
		out->remaining += day.slots[i].available ? day.slots[i].remaining : 0;
	}
	if (day.count == 0)
		out->state = DAY_CLOSED;
	else if (out->remaining > 0)
		out->state = out->remaining * 100 <= capacity * FEW_PCT ? DAY_FEW : DAY_OPEN;
	else /* nothing is free: because the day is over, or because it is sold */
		out->state = hours_check(&rest->set, &day.hours, rest->zone, date, day.slots[day.count - 1].minute, c->now_s,
					 &starts) == ERR_OK ?
				     DAY_FULL :
				     DAY_PAST;
	return ERR_OK;
}

/* Where each day of the month is kept, and under which version; true: what is read now may be kept there. */
static bool name_days(struct call *c, int64_t first, int64_t party, uint64_t what[MONTH_DAYS], uint64_t version[MONTH_DAYS])
{
	struct edition *n = c->door->hall.edition;
	uint64_t numbers[MONTH_DAYS + 2 * NEIGHBOURS], edition = edition_settings(n);
	char date[TEXT_DATE_SIZE];

	for (int i = 0; i < MONTH_DAYS + 2 * NEIGHBOURS; i++) {
		text_put_date(text_from_days(first + i - NEIGHBOURS), date);
		numbers[i] = edition_day(n, c->restaurant.id, date);
	}
	for (int i = 0; i < MONTH_DAYS; i++) {
		uint64_t h = hash_word(hash_word(HASH_START, (uint64_t)c->restaurant.id), (uint64_t)party);

		h = what[i] = hash_word(h, (uint64_t)(first + i));
		h = hash_word(hash_word(h, edition), (uint64_t)c->now_s);
		for (int k = 0; k < 1 + 2 * NEIGHBOURS; k++)
			h = hash_word(h, numbers[i + k]);
		version[i] = h;
	}
	/* The book was opened before these numbers were asked for: none of them may have changed since. */
	return edition_changes(n) == c->changes && !WITHOUT("glance");
}

static enum err find_day(struct call *c, struct date date, int party, uint64_t what, uint64_t version, bool keep,
			 struct day_view *out)
{
	struct glance *g = c->door->hall.glance;
	uint64_t answer;
	enum err e;

	if (glance_find(g, what, version, &answer)) {
		*out = (struct day_view){(enum state)(answer & 7), (int64_t)(answer >> 3)};
		return ERR_OK;
	}
	e = look_at_day(c, date, party, out);
	if (e == ERR_OK && keep)
		glance_keep(g, what, version, (uint64_t)out->remaining << 3 | out->state);
	return e;
}

static struct json *day_json(struct date date, const struct day_view *view, const char *note)
{
	static const char *const words[] = {
#define X(name, word) [DAY_##name] = word,
		STATES(X)
#undef X
	};
	struct json *j = json_new();
	char opens[CLOCK_MS_SIZE];

	json_date(j, "date", date);
	json_text(j, "state", words[view->state]);
	json_int(j, "remaining", view->state == DAY_NOT_YET ? 0 : view->remaining);
	if (view->state == DAY_NOT_YET) {
		clock_iso_ms(view->remaining * 1000, opens);
		json_text(j, "opensAt", opens);
	}
	json_text_if(j, "note", note);
	return j;
}

enum err api_days(struct call *c)
{
	uint64_t what[MONTH_DAYS], version[MONTH_DAYS];
	restaurants_note notes[MONTH_DAYS];
	struct json *list, *j;
	struct day_view view;
	struct date first, date;
	int64_t party;
	bool keep;
	enum err e = call_int(c, "partySize", 1, 1000, 1, &party);

	assert(c->restaurant.id > 0);
	if (e == ERR_OK)
		e = call_month(c, "month", &first);
	if (e != ERR_OK)
		return e;
	e = restaurants_notes(c->db, c->restaurant.id, first, MONTH_DAYS, notes);
	keep = name_days(c, text_days(first), party, what, version);
	list = json_list();
	for (date = first; e == ERR_OK && date.month == first.month; date = text_from_days(text_days(date) + 1)) {
		e = find_day(c, date, (int)party, what[date.day - 1], version[date.day - 1], keep, &view);
		if (e == ERR_OK)
			json_push(list, day_json(date, &view, notes[date.day - 1]));
	}
	j = json_new();
	json_put(j, "days", list);
	api_add_moment(j, 0);
	return call_answer(c, e, j);
}
