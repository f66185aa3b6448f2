/*
 * api_days.c - GET /api/reservations/days: a month at a glance.
 */
#include "route.h"

#include "slots.h"

#include <assert.h>

enum { FEW_PCT = 20 }; /* a day with this share of its seats left, or less, is "few" */

struct day_view {
	const char *state;
	int64_t remaining; /* seats at the times this party can still book */
};

static enum err look_at_day(struct call *c, struct date date, int party, struct day_view *out)
{
	static struct slots_day day;
	const struct restaurant *rest = &c->restaurant;
	int64_t capacity = 0, starts;
	enum err e = hours_check_date(&rest->set, rest->zone, date, c->now_s);

	*out = (struct day_view){.state = e == ERR_PAST ? "past" : "far"};
	if (e == ERR_PAST || e == ERR_TOO_FAR)
		return ERR_OK;
	if (e == ERR_OK)
		e = slots_of_day(c->db, rest, date, party, c->now_s, &day);
	if (e != ERR_OK)
		return e;
	for (size_t i = 0; i < day.count; i++) {
		capacity += day.slots[i].capacity;
		out->remaining += day.slots[i].available ? day.slots[i].remaining : 0;
	}
	if (day.count == 0)
		out->state = "closed";
	else if (out->remaining > 0)
		out->state = out->remaining * 100 <= capacity * FEW_PCT ? "few" : "open";
	else /* nothing is free: because the day is over, or because it is sold */
		out->state = hours_check(&rest->set, &day.hours, rest->zone, date, day.slots[day.count - 1].minute, c->now_s,
					 &starts) == ERR_OK ?
				     "full" :
				     "past";
	return ERR_OK;
}

static struct json *day_json(struct date date, const struct day_view *view)
{
	struct json *j = json_new();
	char text[TEXT_DATE_SIZE];

	text_put_date(date, text);
	json_text(j, "date", text);
	json_text(j, "state", view->state);
	json_int(j, "remaining", view->remaining);
	return j;
}

enum err api_days(struct call *c)
{
	struct json *list, *j;
	struct day_view view;
	struct date first, date;
	int64_t party;
	enum err e = call_int(c, "partySize", 1, 1000, 1, &party);

	assert(c->restaurant.id > 0);
	if (e == ERR_OK)
		e = call_month(c, "month", &first);
	if (e != ERR_OK)
		return e;
	list = json_list();
	for (date = first; e == ERR_OK && date.month == first.month; date = text_from_days(text_days(date) + 1)) {
		e = look_at_day(c, date, (int)party, &view);
		if (e == ERR_OK)
			json_push(list, day_json(date, &view));
	}
	j = json_new();
	json_put(j, "days", list);
	reply_json(c->reply, 200, j);
	return e;
}
