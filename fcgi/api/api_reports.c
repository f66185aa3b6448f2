/*
 * api_reports.c - the owner's numbers, lists as CSV, and forgetting a guest.
 */
#include "route.h"

#include "csv.h"
#include "currency.h"
#include "forget.h"
#include "reports.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static enum err take_span(struct call *c, struct reports_span *s, char from[TEXT_DATE_SIZE], char to[TEXT_DATE_SIZE])
{
	struct date first, last;
	enum err e = call_date(c, "from", &first);

	if (e == ERR_OK)
		e = call_date(c, "to", &last);
	if (e != ERR_OK)
		return e;
	if (text_days(last) < text_days(first) || text_days(last) - text_days(first) >= REPORTS_DAYS_MAX)
		return reply_field(c->reply, ERR_OUT_OF_RANGE, "to");
	text_put_date(first, from);
	text_put_date(last, to);
	*s = (struct reports_span){c->restaurant.id, from, to};
	return ERR_OK;
}

/* One of the dates; open: it has services, by the hours of today. */
static enum err day_json(struct call *c, const struct reports_sum *sum, size_t i, struct date date, struct json *days)
{
	struct hours_day hours;
	struct json *j;
	enum err e = restaurants_day(c->db, c->restaurant.id, date, &hours);

	if (e != ERR_OK)
		return e;
	j = json_new();
	json_date(j, "date", date);
	json_flag(j, "open", hours.count > 0);
	json_int(j, "covers", sum->days[i].came.covers);
	json_int(j, "parties", sum->days[i].came.parties);
	json_int(j, "noShows", sum->days[i].no_shows);
	json_int(j, "cancelled", sum->days[i].cancelled);
	json_push(days, j);
	return ERR_OK;
}

static void count_json(struct json *list, struct json *j, const struct reports_count *count)
{
	json_int(j, "parties", count->parties);
	json_int(j, "covers", count->covers);
	json_push(list, j);
}

/* The hours of the week at which somebody came. */
static struct json *hours_json(const struct reports_sum *sum)
{
	struct json *list = json_list();

	for (int weekday = 1; weekday <= 7; weekday++)
		for (int hour = 0; hour < REPORTS_HOURS; hour++)
			if (sum->hours[weekday][hour].parties) {
				struct json *j = json_new();

				json_int(j, "weekday", weekday);
				json_int(j, "hour", hour);
				count_json(list, j, &sum->hours[weekday][hour]);
			}
	return list;
}

static struct json *sources_json(const struct reports_sum *sum)
{
	struct json *list = json_list();

	for (int i = 0; i < REPORTS__SOURCES; i++) {
		struct json *j = json_new();

		json_text(j, "source", reports_sources[i]);
		count_json(list, j, &sum->sources[i]);
	}
	return list;
}

/* How far ahead: up to so many days, and the last without a number. */
static struct json *leads_json(const struct reports_sum *sum)
{
	struct json *list = json_list();

	for (int i = 0; i < REPORTS_LEADS; i++) {
		struct json *j = json_new();

		if (i < REPORTS_LEADS - 1)
			json_int(j, "days", reports_lead_days[i]);
		json_int(j, "parties", sum->leads[i]);
		json_push(list, j);
	}
	return list;
}

static struct json *guests_json(const struct reports_sum *sum)
{
	struct json *j = json_new();

	json_int(j, "first", sum->first);
	json_int(j, "again", sum->again);
	json_int(j, "unknown", sum->unknown);
	return j;
}

enum err api_due_back(struct call *c)
{
	struct json *list = json_list();

	return call_list(c, reports_due(c->db, c->restaurant.id, json_row, list), "due", list);
}

enum err api_given_back(struct call *c)
{
	int64_t payment = 0, amount = 0;
	enum err e;

	in_only(&c->body, "paymentId", "amount", NULL);
	in_int(&c->body, "paymentId", IN_REQUIRED, 1, INT64_MAX - 1, &payment);
	in_int(&c->body, "amount", IN_OPTIONAL, 1, INT64_MAX - 1, &amount);
	e = call_body(c);
	if (e == ERR_OK)
		e = reports_given_back(c->db, c->restaurant.id, payment, amount, call_by(c), c->now_s);
	return call_done(c, e);
}

enum err api_reports(struct call *c)
{
	static struct reports_sum sum;
	struct json *days = json_list(), *money = json_new(), *j = json_new();
	char from[TEXT_DATE_SIZE], to[TEXT_DATE_SIZE], first[TEXT_DATE_SIZE] = "";
	struct reports_span s;
	struct date date = {0};
	enum err e = take_span(c, &s, from, to);

	sum.day_count = 0;
	if (e == ERR_OK)
		e = reports_sum(c->db, &s, c->restaurant.zone, c->now_s, &sum);
	if (e == ERR_OK)
		e = reports_money(c->db, &s, json_take_row, money);
	if (e == ERR_OK)
		e = reports_first(c->db, c->restaurant.id, first);
	if (e == ERR_OK && !text_date(from, &date))
		e = ERR_INTERNAL;
	for (size_t i = 0; i < sum.day_count && e == ERR_OK; i++)
		e = day_json(c, &sum, i, text_from_days(text_days(date) + (int64_t)i), days);
	json_text_or_null(j, "firstDate", first);
	json_int(j, "firstWeekday", c->restaurant.set.first_weekday);
	json_text(j, "currency", c->restaurant.currency);
	json_int(j, "currencyDigits", currency_digits(c->restaurant.currency));
	json_put(j, "days", days);
	json_put(j, "hours", hours_json(&sum));
	json_int(j, "begun", sum.begun);
	json_put(j, "sources", sources_json(&sum));
	json_put(j, "leads", leads_json(&sum));
	json_put(j, "guests", guests_json(&sum));
	json_put(j, "money", money);
	return call_answer(c, e, j);
}

/* A list on its way out. */
struct sheet {
	enum reports_list list;
	struct reports_span span;
	struct call *call;
	call_part *part;
};

/* One cell, and with the last of a line the line. */
static bool put_cell(void *arg, const char *cell, bool is_text, bool last)
{
	const struct sheet *s = arg;

	csv_put(&s->call->reply->body, cell, is_text, last);
	return !last || s->part(s->call);
}

static enum err write_sheet(struct call *c, call_part *part, const void *list)
{
	struct sheet s = *(const struct sheet *)list;

	s.call = c;
	s.part = part;
	buf_str(&c->reply->body, CSV_MARK);
	return reports_export(c->db, s.list, &s.span, put_cell, &s);
}

enum err api_export(struct call *c)
{
	static const char *const lists[REPORTS__LISTS] = {"reservations.csv", "guests.csv", "payments.csv"};
	char from[TEXT_DATE_SIZE], to[TEXT_DATE_SIZE], disposition[100];
	struct sheet s = {0};
	int list = text_word(lists, REPORTS__LISTS, c->req->path_word);
	enum err e;

	if (list == REPORTS__LISTS)
		return ERR_NOT_FOUND;
	s.list = (enum reports_list)list;
	e = take_span(c, &s.span, from, to);
	if (e == ERR_OK)
		e = db_read_begin(c->db); /* a booking between counting and sending would make the length a lie */
	if (e != ERR_OK)
		return e;
	snprintf(disposition, sizeof disposition, "attachment; filename=\"%s\"", lists[list]);
	reply_header(c->reply, "Content-Disposition", disposition);
	c->reply->type = "text/csv; charset=utf-8";
	e = call_send_list(c, write_sheet, &s);
	db_read_end(c->db);
	return e;
}

enum err api_erase(struct call *c)
{
	enum err e;

	in_only(&c->body, NULL);
	e = call_body(c);
	if (e == ERR_OK)
		e = forget_guest(c->db, c->req->path_ids[0], call_by(c), c->now_s);
	return call_done(c, e);
}
