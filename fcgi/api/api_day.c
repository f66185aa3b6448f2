/*
 * api_day.c - the desk looks at a day, and at one reservation of it.
 */
#include "route.h"

#include "api.h"
#include "country.h"
#include "currency.h"
#include "desk.h"
#include "sent.h"
#include "slots.h"
#include "zone.h"

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
	json_int(j, "currencyDigits", currency_digits(r->v.currency));
	json_ids(j, "tables", r->tables);
	if (r->shared[0])
		json_ids(j, "sharedTables", r->shared);
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

static struct json *house_json(const struct restaurant *r, int64_t now_s)
{
	struct json *j = json_new();

	json_int(j, "restaurantId", r->id);
	json_text(j, "name", r->name);
	json_text_or_null(j, "nameEn", r->name_en);
	json_text(j, "timezone", r->zone);
	json_text(j, "currency", r->currency);
	json_int(j, "currencyDigits", currency_digits(r->currency));
	json_text(j, "language", r->lang == LANG_KO ? "ko" : "en");
	json_int(j, "firstWeekday", r->set.first_weekday);
	json_int(j, "callingCode", r->set.calling_code);
	json_text(j, "phoneExample", country_phone(r->country, r->set.calling_code));
	json_int(j, "slotMinutes", r->set.slot_minutes);
	json_int(j, "seats", r->set.seats ? r->set.seats : r->set.reservation_limit);
	json_int(j, "partyMax", r->set.party_max);
	json_int(j, "depositPerPerson", r->set.deposit_per_person);
	if (r->provider != INTENT_DESK)
		json_flag(j, "payments", true);
	json_flag(j, "paused", r->paused_until_s > 0);
	json_moment_or_null(j, "pausedUntil", r->paused_until_s > now_s ? r->paused_until_s : 0);
	return j;
}

/* Which evening it is, and until when, where it lasts past midnight. */
static enum err add_evening(struct call *c, struct json *j)
{
	const struct restaurant *r = &c->restaurant;
	struct hours_day hours;
	struct date evening;
	int64_t until;
	int minute, closes = 0;
	enum err e = restaurants_evening(c->db, r, c->now_s, &evening, &minute);

	if (e == ERR_OK)
		e = restaurants_day(c->db, r->id, evening, &hours);
	if (e != ERR_OK)
		return e;
	json_date(j, "today", evening);
	for (size_t i = 0; i < hours.count; i++)
		closes = hours.spans[i].closes > closes ? hours.spans[i].closes : closes;
	while (closes > DAY_MINUTES && !zone_to_utc(r->zone, evening, closes, &until))
		closes--; /* the clock skips that time */
	if (closes > DAY_MINUTES) {
		json_moment(j, "todayUntil", until);
	}
	return ERR_OK;
}

/* How many wait at the door just now, and how many of them were called. */
static enum err add_door(struct call *c, struct json *j)
{
	struct json *door = json_new();
	int64_t waiting, called;
	enum err e = doorlist_count(c->db, c->restaurant.id, &waiting, &called);

	json_int(door, "waiting", waiting);
	json_int(door, "called", called);
	json_put(j, "door", door);
	return e;
}

enum err api_day(struct call *c)
{
	static struct slots_desk slots;
	struct json *rows = json_list(), *tables = json_list(), *waiters = json_list(), *j = json_new();
	struct json *blocks = json_list();
	const struct restaurant *r = &c->restaurant;
	char day[TEXT_DATE_SIZE] = "", said[204] = "";
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
		e = slots_for_desk(c->db, r, date, c->now_s, &slots);
	if (e == ERR_OK)
		e = api_waiters_of_day(c, r->id, day, waiters);
	if (e == ERR_OK)
		e = api_blocks_json(c, blocks);
	if (e == ERR_OK)
		e = sent_failed(c->db, r->id, c->now_s, &failed);
	if (e == ERR_OK)
		e = sent_stuck(c->db, r->id, &waiting, said);
	if (e == ERR_OK)
		e = api_add_next_opening(c, j);
	if (e == ERR_OK)
		e = api_add_daynote(c, day, j);
	if (e == ERR_OK)
		e = api_add_dishes(c, j);
	json_moment(j, "now", c->now_s);
	json_text(j, "date", day);
	if (e == ERR_OK)
		e = add_evening(c, j);
	if (e == ERR_OK)
		e = add_door(c, j);
	json_put(j, "house", house_json(r, c->now_s));
	json_text_if(j, "note", slots.day.hours.note);
	json_put(j, "slots", api_desk_slots_json(&r->set, &slots));
	json_put(j, "tables", tables);
	json_put(j, "reservations", rows);
	json_put(j, "waitlist", waiters);
	json_put(j, "blocks", blocks);
	json_int(j, "messagesFailed", failed);
	json_int(j, "messagesWaiting", waiting);
	json_text_or_null(j, "messagesAnswer", waiting ? said : "");
	json_int(j, "line", c->line);
	json_flag(j, "clockDoubted", clockwatch_doubted(c->door->hall.clock) != 0);
	return call_answer(c, e, j);
}
