/*
 * api_public.c - what anybody may read: health, metrics, a restaurant, its free times.
 */
#include "route.h"

#include "overview.h"
#include "slots.h"
#include "version.h"
#include "zone.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum err api_health(struct call *c)
{
	int64_t version;
	struct json *j;
	enum err e = stmt_number(c->db, SQL_DATA_VERSION, &version, "");

	if (e != ERR_OK)
		return e;
	j = json_new();
	json_text(j, "status", "ok");
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

/* ---- metrics, in Prometheus' text format: base units, one HELP and TYPE for each metric, before its samples ---- */

static void put_head(struct buf *out, const char *name, const char *type, const char *help)
{
	buf_fmt(out, "# HELP jari_%s %s\n# TYPE jari_%s %s\n", name, help, name, type);
}

static void put_gauge(struct buf *out, const char *name, const char *help, int64_t value)
{
	put_head(out, name, "gauge", help);
	buf_fmt(out, "jari_%s %lld\n", name, (long long)value);
}

static void put_counters(struct board *b, struct buf *out)
{
	char name[64], last[64] = "";

	for (int i = 0; i < BOARD__MAX; i++) {
		enum board_counter c = (enum board_counter)i;
		const char *label = board_counter_label(c);

		snprintf(name, sizeof name, "%s_total", board_counter_metric(c));
		if (strcmp(name, last) != 0)
			put_head(out, name, "counter", board_counter_help(c));
		memcpy(last, name, sizeof last);
		buf_fmt(out, *label ? "jari_%s{%s} %llu\n" : "jari_%s%s %llu\n", name, label,
			(unsigned long long)board_get(b, c));
	}
}

/* Buckets are counted in whole milliseconds: those that end within the same one are one. */
static void put_waits(const struct tally_read *st, struct buf *out)
{
	uint64_t sum = 0;
	int told = -1;

	put_head(out, "ticket_wait_seconds", "histogram", "how long tickets waited");
	for (int i = 0; i < TALLY_BUCKETS - 1; i++) {
		int ms = (int)tally_bucket_ms(i);

		sum += st->waits[i];
		if (i + 1 < TALLY_BUCKETS - 1 && (int)tally_bucket_ms(i + 1) == ms)
			continue;
		if (ms > told)
			buf_fmt(out, "jari_ticket_wait_seconds_bucket{le=\"%d.%03d\"} %llu\n", ms / 1000, ms % 1000,
				(unsigned long long)sum);
		told = ms;
	}
	sum += st->waits[TALLY_BUCKETS - 1];
	buf_fmt(out,
		"jari_ticket_wait_seconds_bucket{le=\"+Inf\"} %llu\njari_ticket_wait_seconds_sum %llu.%03d\n"
		"jari_ticket_wait_seconds_count %llu\n",
		(unsigned long long)sum, (unsigned long long)st->waited_ms / 1000, (int)(st->waited_ms % 1000),
		(unsigned long long)sum);
}

static void put_batches(const struct tally_read *st, struct buf *out)
{
	uint64_t sum = 0;

	put_head(out, "batch_tickets", "histogram", "tickets served in one transaction");
	for (int i = 0; i < 12; i++)
		buf_fmt(out, "jari_batch_tickets_bucket{le=\"%d\"} %llu\n", 1 << i, (unsigned long long)(sum += st->sizes[i]));
	for (int i = 12; i < TALLY_BUCKETS; i++)
		sum += st->sizes[i];
	buf_fmt(out,
		"jari_batch_tickets_bucket{le=\"+Inf\"} %llu\njari_batch_tickets_sum %llu\njari_batch_tickets_count %llu\n",
		(unsigned long long)sum, (unsigned long long)st->served, (unsigned long long)sum);
}

static void put_workers(struct board *b, struct buf *out)
{
	int busy = 0, workers = 0;

	for (int i = 0; i < BOARD_PLACES; i++) {
		struct board_place p = board_read(b, i);

		workers += p.kind == BOARD_WORKER;
		busy += p.kind == BOARD_WORKER && p.busy_since_ms > 0;
	}
	put_gauge(out, "workers", "workers at their place", workers);
	put_gauge(out, "workers_busy", "workers with a request", busy);
}

enum err api_metrics(struct call *c)
{
	struct hall *h = &c->door->hall;
	struct buf *out = &c->reply->body;
	struct overview book;
	struct tally_read st;
	enum err e = overview_read(c->db, c->door->dir, c->now_s, &book);

	if (e != ERR_OK)
		return e;
	c->reply->type = "text/plain; version=0.0.4; charset=utf-8";
	put_head(out, "build_info", "gauge", "which jari this is");
	buf_fmt(out, "jari_build_info{version=\"%s\",book=\"%d\"} 1\n", JARI_VERSION, DB_VERSION);
	put_counters(h->board, out);
	put_workers(h->board, out);
	tally_read(line_tally(h->line), &st);
	put_gauge(out, "line_tickets", "tickets waiting", (int64_t)line_length(h->line));
	put_waits(&st, out);
	put_batches(&st, out);
	put_gauge(out, "book_bytes", "size of the book with its log", book.bytes);
	put_gauge(out, "holds", "reservations that wait for their payment", book.holds);
	put_gauge(out, "messages_queued", "messages to be sent", book.messages_queued);
	put_gauge(out, "messages_failed", "messages given up in the last week", book.messages_failed);
	put_gauge(out, "waitlist", "parties on the waitlist", book.waiters);
	put_gauge(out, "parties_today", "parties that come today", book.parties_today);
	if (book.backup_s)
		put_gauge(out, "backup_age_seconds", "since the last backup was made", c->now_s - book.backup_s);
	return ERR_OK;
}

static void add_week(void *arg, const struct week_span *w)
{
	struct json *j = json_new();
	char time[TEXT_TIME_SIZE];

	json_int(j, "weekday", w->weekday);
	text_put_time(w->span.opens, time);
	json_text(j, "opens", time);
	text_put_time(w->span.closes, time);
	json_text(j, "closes", time);
	json_text(j, "label", w->span.label);
	json_push(arg, j);
}

static void add_special(void *arg, const struct special_day *d)
{
	struct json *j = json_new();

	json_text(j, "day", d->day);
	json_text_or_null(j, "opens", d->opens);
	json_text_or_null(j, "closes", d->closes);
	json_text(j, "label", d->label);
	json_text_or_null(j, "note", d->note);
	json_push(arg, j);
}

static void add_dish(void *arg, const struct menu_item *m)
{
	struct json *j = json_new();

	json_int(j, "menuId", m->id);
	json_text(j, "name", m->name);
	json_text_or_null(j, "nameEn", m->name_en);
	json_text_or_null(j, "description", m->description);
	json_text_or_null(j, "descriptionEn", m->description_en);
	json_int(j, "price", m->price);
	json_flag(j, "soldOut", m->sold_out);
	json_push(arg, j);
}

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
	struct json *j;

	if (e == ERR_OK)
		e = l.e;
	if (e != ERR_OK) {
		json_free(l.list);
		return e;
	}
	j = json_new();
	json_put(j, "restaurants", l.list);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

enum err api_restaurant(struct call *c)
{
	struct json *hours = json_list(), *special = json_list(), *menu = json_list(), *j;
	const struct restaurant *rest = &c->restaurant;
	struct date today, last;
	int minute;
	enum err e = zone_to_local(rest->zone, c->now_s, &today, &minute) ? ERR_OK : ERR_INTERNAL;

	assert(c->restaurant.id > 0);
	if (e == ERR_OK) {
		last = text_from_days(text_days(today) + rest->set.window_days);
		e = restaurants_week(c->db, rest->id, add_week, hours);
	}
	if (e == ERR_OK)
		e = restaurants_special(c->db, rest->id, today, last, add_special, special);
	if (e == ERR_OK)
		e = restaurants_menu(c->db, rest->id, add_dish, menu);
	if (e != ERR_OK) {
		json_free(hours);
		json_free(special);
		json_free(menu);
		return e;
	}
	j = identity(rest, today, c->now_s);
	json_put(j, "hours", hours);
	json_put(j, "specialDays", special);
	json_put(j, "menu", menu);
	reply_json(c->reply, 200, j);
	return ERR_OK;
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
