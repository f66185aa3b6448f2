/*
 * api_day.c - the desk looks at a day, and at one reservation of it.
 */
#include "route.h"

#include "api.h"
#include "desk.h"
#include "sent.h"
#include "slots.h"

#include <stdlib.h>

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

struct json *api_row_json(const struct desk_row *r)
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
	json_push(arg, api_row_json(r));
}

/* The reservation as the desk sees it, and after a refusal what stands in the way. */
enum err api_answer_row(struct call *c, int status, int64_t id)
{
	struct desk_row r;
	enum err e = desk_one(c->db, id, c->now_s, &r);

	if (e == ERR_OK)
		reply_json(c->reply, status, api_row_json(&r));
	return e;
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

enum err api_day(struct call *c)
{
	static struct slots_day slots;
	struct json *rows = json_list(), *tables = json_list(), *waiters = json_list(), *j = json_new();
	const struct restaurant *r = &c->restaurant;
	char day[TEXT_DATE_SIZE] = "", now[CLOCK_ISO_SIZE], said[204] = "";
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
	return call_answer(c, e, j);
}
