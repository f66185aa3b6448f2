/*
 * api_hours.c - when a restaurant is open: its week, special days, and how many may start at one time.
 */
#include "route.h"

#include "api.h"
#include "zone.h"

#include <string.h>

enum { HOURS_MAX = 40 };

/* Spans of hours, while they are read. */
struct week {
	bool special; /* of one day, so that they name no weekday */
	struct json *list;
	size_t count;
	struct {
		int64_t weekday;
		int opens;
	} seen[HOURS_MAX];
};

/* One of them: of a weekday, or of a special day. */
static void take_span(struct in *in, void *arg)
{
	struct week *w = arg;
	char opens[16], closes[16], label[16];
	struct json *j = json_new();
	int64_t weekday = 0;
	int from = 0, to = 0;

	in_only(in, "weekday", "opens", "closes", "label", NULL);
	in_int(in, "weekday", w->special ? IN_OPTIONAL : IN_REQUIRED, 1, 7, &weekday);
	in_text(in, "opens", IN_REQUIRED, 5, opens, sizeof opens);
	in_text(in, "closes", IN_REQUIRED, 5, closes, sizeof closes);
	in_text(in, "label", IN_OPTIONAL, 10, label, sizeof label);
	if (in->e == ERR_OK && !text_time(opens, &from))
		in_fail(in, ERR_BAD_TIME, "opens");
	if (in->e == ERR_OK && strcmp(closes, "24:00") != 0 && (!text_time(closes, &to) || to <= from))
		in_fail(in, ERR_BAD_TIME, "closes");
	for (size_t i = 0; i < w->count; i++)
		if (w->seen[i].weekday == weekday && w->seen[i].opens == from)
			in_fail(in, ERR_NAMED_TWICE, "hours");
	w->seen[w->count].weekday = weekday;
	w->seen[w->count++].opens = from;
	if (weekday)
		json_int(j, "weekday", weekday);
	json_text(j, "opens", opens);
	json_text(j, "closes", closes);
	json_text(j, "label",
		  strcmp(label, "lunch") == 0 || strcmp(label, "dinner") == 0 || strcmp(label, "breakfast") == 0 ? label : "");
	json_push(w->list, j);
}

enum err api_hours(struct call *c)
{
	struct week week = {.list = json_list()};
	struct json *j = json_new();

	in_only(&c->body, "hours", NULL);
	in_list(&c->body, "hours", IN_NAMED, HOURS_MAX, take_span, &week);
	json_put(j, "hours", week.list);
	return api_house_write(c, HOUSE_HOURS, j);
}

enum err api_hours_special_day(struct call *c)
{
	struct week spans = {.special = true, .list = json_list()};
	struct json *j = json_new();
	struct in *in = &c->body;
	char day[16], note[LENGTHS_SIZE(LENGTHS_DAY_NOTE)];
	struct date date;
	int64_t closed = 0;

	in_only(in, "day", "closed", "hours", "note", NULL);
	in_text(in, "day", IN_REQUIRED, 10, day, sizeof day);
	if (in->e == ERR_OK && !text_date(day, &date))
		in_fail(in, ERR_BAD_DATE, "day");
	in_int(in, "closed", IN_OPTIONAL, 0, 1, &closed);
	in_list(in, "hours", IN_OPTIONAL, 6, take_span, &spans);
	in_text(in, "note", IN_OPTIONAL, LENGTHS_DAY_NOTE, note, sizeof note);
	json_text(j, "day", day);
	json_int(j, "closed", closed);
	json_text_or_null(j, "note", note);
	json_put(j, "hours", spans.list);
	return api_house_write(c, HOUSE_SPECIAL_DAY, j);
}

/* How many may start at one time of one day: more, and those who wait get them; fewer than are booked is refused. */
enum err api_hours_slot(struct call *c)
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
