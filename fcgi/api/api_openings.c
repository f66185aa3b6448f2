/*
 * api_openings.c - from when on guests can book a day: what they are told before, and the owner's list of openings.
 */
#include "route.h"

#include "api.h"
#include "calendar.h"
#include "hash.h"
#include "openings.h"
#include "results.h"
#include "timeset.h"
#include "zone.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void api_add_moment(struct json *j, int64_t opens_s)
{
	char text[CLOCK_MS_SIZE];

	if (opens_s) {
		clock_iso_ms(opens_s * 1000, text);
		json_text(j, "opensAt", text);
	}
	clock_iso_ms(clock_now_ms(), text);
	json_text(j, "serverTime", text);
}

/*
 * The tokens that a booking costs are given back: a guest who pressed too early has them when the day opens.  Early requests
 * have a limit of their own, so that a script that sends nothing else is held back.
 */
static enum err refuse_early(struct call *c, int64_t restaurant_id, int64_t opens_s)
{
	uint64_t address = req_source(c->req);

	door_give_back(c);
	turnout_early(c->door->hall.turnout, (struct turnout_key){restaurant_id, opens_s}, c->now_s);
	if (address && !rate_within(c->door->hall.rate, RATE_EARLY, address, &c->reply->retry_after_s))
		return ERR_RATE_LIMITED;
	api_add_moment(reply_extra(c->reply), opens_s);
	return reply_field(c->reply, ERR_NOT_YET, "slotDate");
}

enum err api_check_open(struct call *c, const struct restaurant_day *day)
{
	struct clockwatch *clock = c->door->hall.clock;
	const struct opening opening = day->opening; /* day is a kept one, and what is asked below may read another */
	int64_t restaurant_id = day->restaurant.id, step_s = 0, opens_s;
	enum err e = ERR_OK;

	assert(!c->db->reading);
	/* Nothing opens by a clock that has not been compared with the book; where a keeper is at work it was, long ago. */
	if (opening.told && !clockwatch_compared(clock))
		e = timeset_look(c->db, c->now_s);
	if (opening.told && e == ERR_OK)
		step_s = clockwatch_doubtful_step(clock);
	if (e == ERR_OK)
		e = opening_check(&opening, c->received_ms, step_s, &opens_s);
	if (e == ERR_NOT_YET)
		return refuse_early(c, restaurant_id, opens_s);
	c->opened_s = e == ERR_OK ? opens_s : 0;
	return e == ERR_TOO_FAR ? reply_field(c->reply, e, "slotDate") : e;
}

/* ---- what is counted ---- */

/* A device, by its address and what it says of itself; two that are the same in all of it are taken for one. */
void api_count_look(struct call *c, int64_t opens_s)
{
	const char *agent = c->req->header(c->req, "HTTP_USER_AGENT"), *cookie = c->req->header(c->req, "HTTP_COOKIE");
	uint64_t said = hash_text(hash_text(HASH_START, agent ? agent : ""), cookie ? cookie : "");
	uint64_t device = turnout_device(req_source(c->req), said);

	turnout_look(c->door->hall.turnout, (struct turnout_key){c->restaurant.id, opens_s}, device, c->now_s);
}

void api_count_booking(struct call *c, int64_t restaurant_id, enum err e)
{
	if (c->opened_s)
		turnout_arrived(c->door->hall.turnout, (struct turnout_key){restaurant_id, c->opened_s}, c->received_ms,
				clock_now_ms(), e == ERR_OK);
}

void api_count_refusal(struct call *c, const struct ticket_want *w)
{
	const struct restaurant_day *day;
	struct date date;
	int64_t opens_s;

	if (!text_date(w->date, &date) || restaurants_kept(c->db, w->restaurant_id, date, &day) != ERR_OK)
		return;
	if (opening_check(&day->opening, c->received_ms, 0, &opens_s) == ERR_OK && opens_s)
		turnout_refused(c->door->hall.turnout, (struct turnout_key){w->restaurant_id, opens_s});
}

/* ---- what is told ---- */

enum err api_add_next_opening(struct call *c, struct json *j)
{
	struct openings_row next;
	struct json *o;
	enum err e = openings_next(c->db, &c->restaurant, c->now_s, &next);

	if (e != ERR_OK || !next.opens_s)
		return e;
	o = json_new();
	json_date(o, "from", next.first);
	json_date(o, "to", next.last);
	api_add_moment(o, next.opens_s);
	json_put(j, "nextOpening", o);
	return ERR_OK;
}

/* What was counted so far of one that has begun less than ten minutes ago. */
static enum err add_running(struct call *c, struct turnout_key key, struct json *j)
{
	static struct turnout_sums sums; /* static for its size only */
	struct results_sums book;
	struct json *arrivals, *o;
	char text[CLOCK_MS_SIZE];
	enum err e;

	if (!turnout_read(c->door->hall.turnout, key, c->now_s, &sums) || key.opens_s > c->now_s)
		return ERR_OK;
	e = results_count(c->db, key, &book);
	if (e != ERR_OK)
		return e;
	o = json_new();
	arrivals = json_list();
	clock_iso_ms(key.opens_s * 1000, text);
	json_text(o, "opensAt", text);
	json_int(o, "watching", sums.watching);
	json_int(o, "early", sums.early);
	for (int i = 0; i < sums.seconds; i++)
		json_push(arrivals, json_number(sums.arrivals[i]));
	json_put(o, "arrivals", arrivals);
	json_int(o, "booked", book.booked);
	json_int(o, "refused", sums.refused);
	json_int(o, "slowestMs", sums.slowest_ms);
	json_int(o, "outOfOrder", book.out_of_order);
	json_put(j, "running", o);
	return ERR_OK;
}

/* The desk: the next opening with the devices that look at it, the one that runs, and how the last ones went. */
enum err api_desk_opening(struct call *c)
{
	static struct turnout_sums sums; /* static for its size only */
	struct json *j = json_new(), *results = json_list();
	struct turnout *t = c->door->hall.turnout;
	struct turnout_key running;
	struct openings_row next;
	enum err e = openings_next(c->db, &c->restaurant, c->now_s, &next);

	if (e == ERR_OK)
		e = api_add_next_opening(c, j);
	if (e == ERR_OK && next.opens_s) {
		turnout_read(t, (struct turnout_key){c->restaurant.id, next.opens_s}, c->now_s, &sums);
		json_int(j, "watching", sums.watching);
	}
	if (e == ERR_OK && turnout_running(t, c->restaurant.id, c->now_s, &running))
		e = add_running(c, running, j);
	if (e == ERR_OK)
		e = results_each(c->db, c->restaurant.id, json_row, results);
	json_put(j, "results", results);
	json_flag(j, "clockDoubted", !clockwatch_settled(c->door->hall.clock));
	api_add_moment(j, 0);
	return call_answer(c, e, j);
}

/* For everybody's own calendar; nothing in it is about who asks. */
enum err api_opening_calendar(struct call *c)
{
	char site[CALL_SITE_SIZE], link[CALENDAR_LINK_SIZE] = "", day[TEXT_DATE_SIZE], file[64];
	struct date date;
	int64_t opens_s;
	enum err open, e = call_date(c, "slotDate", &date);

	if (e == ERR_OK)
		e = openings_look(c->db, &c->restaurant, date, c->now_s, &open, &opens_s);
	if (e != ERR_OK)
		return e;
	if (!opens_s)
		return reply_field(c->reply, open == ERR_TOO_FAR ? ERR_TOO_FAR : ERR_NOT_FOUND, "slotDate");
	text_put_date(date, day);
	if (call_site(c, site))
		snprintf(link, sizeof link, "%s/?restaurant=%lld&date=%s", site, (long long)c->restaurant.id, day);
	calendar_put_opening(&c->reply->body, &c->restaurant, date, opens_s, link, c->req->lang);
	snprintf(file, sizeof file, "inline; filename=\"opening-%s.ics\"", day);
	reply_header(c->reply, "Content-Disposition", file);
	c->reply->type = "text/calendar; charset=utf-8";
	return ERR_OK;
}

enum { LOCAL_SIZE = TEXT_DATE_SIZE + TEXT_TIME_SIZE }; /* "2026-11-01T10:00" */

struct listing {
	const char *zone;
	struct json *list;
};

/* The moment as the owner typed it, and as an instant. */
static void add_row(void *arg, const struct openings_row *row)
{
	struct listing *l = arg;
	struct json *j = json_new();
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE], local[LOCAL_SIZE];
	struct date day = text_from_days(row->opens_s / 86400);
	int minute = 0;

	json_date(j, "from", row->first);
	json_date(j, "to", row->last);
	zone_to_local(l->zone, row->opens_s, &day, &minute);
	text_put_date(day, date);
	text_put_time(minute, time);
	snprintf(local, sizeof local, "%sT%s", date, time);
	json_text(j, "opensAt", local);
	json_moment(j, "opensAtUtc", row->opens_s);
	json_push(l->list, j);
}

enum err api_add_openings(struct call *c, struct json *j)
{
	struct listing l = {.zone = c->restaurant.zone, .list = json_list()};

	json_put(j, "openings", l.list);
	return openings_each(c->db, c->restaurant.id, add_row, &l);
}

/* ---- the owner's list ---- */

struct wishes {
	struct call *c;
	struct json *list;
	int64_t last_day; /* on which an opening may end */
};

/* "2026-11-01T10:00", by the restaurant's clock. */
static void take_moment(struct in *in, const char *zone, int64_t *opens_s)
{
	char text[24];
	struct date day;
	int minute;

	in_text(in, "opensAt", IN_REQUIRED, LOCAL_SIZE - 1, text, sizeof text);
	if (in->e != ERR_OK)
		return;
	if (strlen(text) != LOCAL_SIZE - 1 || text[TEXT_DATE_SIZE - 1] != 'T') {
		in_fail(in, ERR_BAD_TIME, "opensAt");
		return;
	}
	text[TEXT_DATE_SIZE - 1] = '\0';
	if (!text_date(text, &day))
		in_fail(in, ERR_BAD_DATE, "opensAt");
	else if (!text_time(text + TEXT_DATE_SIZE, &minute) || minute >= DAY_MINUTES)
		in_fail(in, ERR_BAD_TIME, "opensAt");
	else if (!zone_to_utc(zone, day, minute, opens_s))
		in_fail(in, ERR_SKIPPED_TIME, "opensAt");
}

/* Two instants and a clock decide; what is in the book already may lie in the past. */
static void check_wish(struct in *in, const struct wishes *w, const struct openings_row *row)
{
	struct call *c = w->c;
	bool stands = false;
	int64_t over_s;
	enum err e;

	if (text_days(row->last) < text_days(row->first))
		in_fail(in, ERR_WRONG_WAY_ROUND, "to");
	else if (text_days(row->last) > w->last_day)
		in_fail(in, ERR_OUT_OF_RANGE, "to");
	else if (opening_instant(c->restaurant.zone, text_from_days(text_days(row->last) + 1), 0, &over_s) &&
		 row->opens_s >= over_s)
		in_fail(in, ERR_OPENS_TOO_LATE, "opensAt");
	if (in->e != ERR_OK || row->opens_s > c->now_s)
		return;
	e = db_read_begin(c->db);
	if (e == ERR_OK) {
		e = openings_stands(c->db, c->restaurant.id, row, &stands);
		db_read_end(c->db);
	}
	if (e != ERR_OK || !stands)
		in_fail(in, e == ERR_OK ? ERR_PAST : e, "opensAt");
}

static void take_wish(struct in *in, void *arg)
{
	struct wishes *w = arg;
	struct openings_row row = {0};
	struct json *j;

	in_only(in, "from", "to", "opensAt", "opensAtUtc", NULL);
	in_date(in, "from", IN_REQUIRED, &row.first);
	in_date(in, "to", IN_REQUIRED, &row.last);
	take_moment(in, w->c->restaurant.zone, &row.opens_s);
	if (in->e == ERR_OK)
		check_wish(in, w, &row);
	if (in->e != ERR_OK)
		return;
	j = json_new();
	json_date(j, "from", row.first);
	json_date(j, "to", row.last);
	json_moment(j, "opensAt", row.opens_s);
	json_push(w->list, j);
}

enum err api_openings(struct call *c)
{
	struct wishes w = {.c = c, .list = json_list()};
	struct json *j = json_new();
	struct date today;
	int minute;

	if (!zone_to_local(c->restaurant.zone, c->now_s, &today, &minute))
		today = text_from_days(c->now_s / 86400);
	w.last_day = text_days(today) + OPENING_DAYS_MAX;
	in_only(&c->body, "openings", NULL);
	in_list(&c->body, "openings", IN_NAMED, OPENING_ROWS_MAX, take_wish, &w);
	json_put(j, "openings", w.list);
	return api_house_write(c, HOUSE_OPENINGS, j);
}
