/*
 * api_watch.c - for the person or program that watches the box: can bookings be saved, and what has been counted.
 */
#include "route.h"

#include "overview.h"
#include "serving.h"
#include "version.h"
#include "watch.h"

#include <stdio.h>
#include <string.h>

/* Why bookings cannot be saved; ERR_OK: they can. */
static enum err look_at_health(struct call *c)
{
	struct hall *h = &c->door->hall;
	int64_t version;
	enum err e = c->hall_lost ? ERR_NO_MEMORY : door_need_book(c->door);

	if (e == ERR_OK)
		e = stmt_number(c->db, SQL_DATA_VERSION, &version, "");
	if (e == ERR_OK && writes_fault(h->writes) != ERR_OK && !serving_pid(h->dir))
		watch_disk(c->db, c->now_s); /* there is no keeper to do it */
	return e == ERR_OK ? watch_health(h) : e;
}

enum err api_health(struct call *c)
{
	enum err e = look_at_health(c);
	struct json *j;

	if (e != ERR_OK) {
		json_text(reply_extra(c->reply), "status", "fault");
		return e;
	}
	j = json_new();
	json_text(j, "status", "ok");
	return call_answer(c, ERR_OK, j);
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

static void put_counters(struct counters *counters, struct buf *out)
{
	char name[64], last[64] = "";

	for (int i = 0; i < COUNTER__MAX; i++) {
		enum counter c = (enum counter)i;
		const char *label = counters_row(c)->label;

		snprintf(name, sizeof name, "%s_total", counters_row(c)->metric);
		if (strcmp(name, last) != 0)
			put_head(out, name, "counter", counters_row(c)->help);
		memcpy(last, name, sizeof last);
		buf_fmt(out, *label ? "jari_%s{%s} %llu\n" : "jari_%s%s %llu\n", name, label,
			(unsigned long long)counters_get(counters, c));
	}
}

/*
 * Waits are counted in whole milliseconds, rounded down: buckets that end within the same one are one, and a guest who
 * waited k of them waited less than k + 1.
 */
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
			buf_fmt(out, "jari_ticket_wait_seconds_bucket{le=\"%d.%03d\"} %llu\n", (ms + 1) / 1000, (ms + 1) % 1000,
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

	for (int i = 0; i < BOARD_POSTS; i++) {
		struct board_post p = board_read(b, i);

		workers += p.kind == BOARD_WORKER;
		busy += p.kind == BOARD_WORKER && p.busy_since_ms > 0;
	}
	put_gauge(out, "workers", "workers at their place", workers);
	put_gauge(out, "workers_busy", "workers with a request", busy);
}

/* What only the book knows; nothing of it where the book cannot be read. */
static void put_book(struct call *c, struct buf *out)
{
	struct overview book;
	enum err e = db_read_begin(c->db);

	if (e != ERR_OK)
		return;
	e = overview_read(c->db, c->door->dir, c->now_s, &book);
	db_read_end(c->db);
	if (e != ERR_OK)
		return;
	put_gauge(out, "holds", "reservations that wait for their payment", book.holds);
	put_gauge(out, "messages_queued", "messages to be sent", book.messages_queued);
	put_gauge(out, "messages_failed", "messages given up in the last week", book.messages_failed);
	put_gauge(out, "waitlist", "parties on the waitlist", book.waiters);
	put_gauge(out, "parties_today", "parties that come today", book.parties_today);
}

static void put_box(struct call *c, struct buf *out, bool writable)
{
	struct board *b = c->door->hall.board;
	int64_t free_bytes = watch_free_bytes(c->door->dir), started_s = board_started_s(b);
	struct overview book;

	overview_files(c->door->dir, &book);
	put_gauge(out, "writable", "1: bookings can be saved", writable);
	put_gauge(out, "courier_alive", "1: the courier was heard of in the last half minute", board_courier_seen(b));
	put_gauge(out, "cashier_alive", "1: the cashier was heard of in the last half minute", board_cashier_seen(b));
	put_gauge(out, "book_bytes", "size of the book with its log", book.bytes);
	put_gauge(out, "wal_bytes", "size of the book's log alone", book.log_bytes);
	if (free_bytes >= 0)
		put_gauge(out, "disk_free_bytes", "free on the disk of the book", free_bytes);
	if (started_s)
		put_gauge(out, "start_time_seconds", "when jari was started, in seconds since 1970", started_s);
	if (book.backup_s)
		put_gauge(out, "backup_age_seconds", "since the last backup was made",
			  c->now_s > book.backup_s ? c->now_s - book.backup_s : 0);
	put_head(out, "spare_age_seconds", "gauge", "how long ago the spare was known to have everything, where there is one");
	if (book.spare_s)
		buf_fmt(out, "jari_spare_age_seconds %lld\n",
			(long long)(c->now_s > book.spare_s ? c->now_s - book.spare_s : 0));
}

enum err api_metrics(struct call *c)
{
	struct hall *h = &c->door->hall;
	struct buf *out = &c->reply->body;
	struct tally_read st;
	enum err health;

	if (req_source(c->req)) /* how busy the house is is its own affair */
		return ERR_FORBIDDEN;
	health = look_at_health(c);
	c->reply->type = "text/plain; version=0.0.4; charset=utf-8";
	put_head(out, "build_info", "gauge", "which jari this is");
	buf_fmt(out, "jari_build_info{version=\"%s\",book=\"%d\"} 1\n", JARI_VERSION, DB_VERSION);
	put_counters(h->counters, out);
	put_workers(h->board, out);
	tally_read(line_tally(h->line), &st);
	put_gauge(out, "line_tickets", "tickets waiting", (int64_t)line_length(h->line));
	put_waits(&st, out);
	put_batches(&st, out);
	put_box(c, out, health == ERR_OK);
	if (c->door->book_open && !c->db->gone)
		put_book(c, out);
	return ERR_OK;
}
