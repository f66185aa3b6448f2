/*
 * api_public.c - what anybody may read: health, metrics, a restaurant, its free times.
 */
#include "route.h"

#include "slots.h"
#include "zone.h"

#include <assert.h>

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

/* The line: its length, how long tickets waited, how many a batch served. */
static void line_metrics(struct line *l, struct buf *out)
{
	struct tally_read st;
	uint64_t sum = 0;

	tally_read(line_tally(l), &st);
	buf_fmt(out,
		"# HELP jari_line_length tickets waiting\n# TYPE jari_line_length gauge\njari_line_length %llu\n"
		"# HELP jari_batches_total transactions that served the line\n# TYPE jari_batches_total counter\n"
		"jari_batches_total %llu\n"
		"# HELP jari_tickets_served_total tickets served\n# TYPE jari_tickets_served_total counter\n"
		"jari_tickets_served_total %llu\n"
		"# HELP jari_ticket_wait_milliseconds how long tickets waited\n"
		"# TYPE jari_ticket_wait_milliseconds histogram\n",
		(unsigned long long)line_length(l), (unsigned long long)st.batches, (unsigned long long)st.served);
	for (int i = 0; i < TALLY_BUCKETS - 1; i++)
		buf_fmt(out, "jari_ticket_wait_milliseconds_bucket{le=\"%.1f\"} %llu\n", tally_bucket_ms(i),
			(unsigned long long)(sum += st.waits[i]));
	sum += st.waits[TALLY_BUCKETS - 1];
	buf_fmt(out, "jari_ticket_wait_milliseconds_bucket{le=\"+Inf\"} %llu\njari_ticket_wait_milliseconds_count %llu\n",
		(unsigned long long)sum, (unsigned long long)sum);
	buf_fmt(out, "# HELP jari_batch_size tickets in a batch\n# TYPE jari_batch_size histogram\n");
	sum = 0;
	for (int i = 0; i < 12; i++)
		buf_fmt(out, "jari_batch_size_bucket{le=\"%d\"} %llu\n", 1 << i, (unsigned long long)(sum += st.sizes[i]));
	buf_fmt(out, "jari_batch_size_bucket{le=\"+Inf\"} %llu\njari_batch_size_count %llu\n", (unsigned long long)st.batches,
		(unsigned long long)st.batches);
}

enum err api_metrics(struct call *c)
{
	struct hall *h = &c->door->hall;
	struct buf *out = &c->reply->body;
	int busy = 0, workers = 0;

	for (int i = 0; i < BOARD_PLACES; i++) {
		struct board_place p = board_read(h->board, i);

		workers += p.kind == BOARD_WORKER;
		busy += p.kind == BOARD_WORKER && p.busy_since_ms > 0;
	}
	c->reply->type = "text/plain; version=0.0.4; charset=utf-8";
	for (int i = 0; i < BOARD__MAX; i++) {
		const char *name = board_counter_name((enum board_counter)i);

		buf_fmt(out, "# HELP jari_%s_total %s\n# TYPE jari_%s_total counter\njari_%s_total %llu\n", name,
			board_counter_help((enum board_counter)i), name, name,
			(unsigned long long)board_get(h->board, (enum board_counter)i));
	}
	buf_fmt(out,
		"# HELP jari_workers workers at their place\n# TYPE jari_workers gauge\njari_workers %d\n"
		"# HELP jari_workers_busy workers with a request\n# TYPE jari_workers_busy gauge\njari_workers_busy %d\n",
		workers, busy);
	line_metrics(h->line, out);
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
	json_int(j, "price", m->price);
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
