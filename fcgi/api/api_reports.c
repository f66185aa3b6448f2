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

enum { DAYS_MAX = 800 };

static enum err take_span(struct call *c, struct reports_span *s, char from[TEXT_DATE_SIZE], char to[TEXT_DATE_SIZE])
{
	struct date first, last;
	enum err e = call_date(c, "from", &first);

	if (e == ERR_OK)
		e = call_date(c, "to", &last);
	if (e != ERR_OK)
		return e;
	if (text_days(last) < text_days(first) || text_days(last) - text_days(first) > DAYS_MAX)
		return reply_field(c->reply, ERR_OUT_OF_RANGE, "to");
	text_put_date(first, from);
	text_put_date(last, to);
	*s = (struct reports_span){c->restaurant.id, from, to};
	return ERR_OK;
}

/* How many could have started from the one date to the other, by the hours and settings of today. */
static enum err seats_offered(struct call *c, struct date first, struct date last, int64_t *seats)
{
	struct hours_time times[HOURS_TIMES_MAX];
	struct hours_day hours;
	struct settings set;
	size_t n;
	enum err e = ERR_OK;

	*seats = 0;
	for (int64_t day = text_days(first); day <= text_days(last) && e == ERR_OK; day++) {
		struct date date = text_from_days(day);

		e = restaurants_day(c->db, c->restaurant.id, date, &hours);
		n = e == ERR_OK ? hours_times(&hours, c->restaurant.set.slot_minutes, c->restaurant.zone, date, times) : 0;
		for (size_t i = 0; i < n; i++) {
			hours_settings(&c->restaurant.set, times[i].span, &set);
			*seats += set.reservation_limit;
		}
	}
	return e;
}

/* How the line did since the shared memory was made: the longest waits are those of the last rush. */
static struct json *rush_json(struct call *c)
{
	struct json *j = json_new();
	struct tally_read st;
	uint64_t sum = 0, all = 0;
	int at = 0;

	tally_read(line_tally(c->door->hall.line), &st);
	for (int i = 0; i < TALLY_BUCKETS; i++)
		all += st.waits[i];
	while (at < TALLY_BUCKETS - 1 && (sum += st.waits[at]) * 100 < all * 95)
		at++;
	json_int(j, "tickets", (int64_t)all);
	json_int(j, "waitMs95", all ? (int64_t)tally_bucket_ms(at) : 0);
	return j;
}

enum err api_due_back(struct call *c)
{
	struct json *list = json_list();

	return call_list(c, reports_due(c->db, c->restaurant.id, json_row, list), "due", list);
}

enum err api_given_back(struct call *c)
{
	char actor[32];
	int64_t payment = 0, amount = 0;
	enum err e;

	in_only(&c->body, "paymentId", "amount", NULL);
	in_int(&c->body, "paymentId", IN_REQUIRED, 1, INT64_MAX - 1, &payment);
	in_int(&c->body, "amount", IN_OPTIONAL, 1, INT64_MAX - 1, &amount);
	e = call_body(c);
	call_actor(c, 0, actor);
	if (e == ERR_OK)
		e = reports_given_back(c->db, c->restaurant.id, payment, amount, actor, c->now_s);
	return call_done(c, e);
}

enum err api_reports(struct call *c)
{
	struct json *days = json_list(), *hours = json_list(), *money = json_new(), *j = json_new();
	char from[TEXT_DATE_SIZE], to[TEXT_DATE_SIZE];
	struct reports_span s;
	struct date first, last;
	int64_t lead = 0, led = 0, seats = 0;
	enum err e = take_span(c, &s, from, to);

	if (e == ERR_OK)
		e = reports_days(c->db, &s, json_row, days);
	if (e == ERR_OK)
		e = reports_hours(c->db, &s, json_row, hours);
	if (e == ERR_OK)
		e = reports_money(c->db, &s, json_take_row, money);
	if (e == ERR_OK)
		e = reports_lead(c->db, &s, &lead, &led);
	if (e == ERR_OK && text_date(from, &first) && text_date(to, &last))
		e = seats_offered(c, first, last, &seats);
	json_put(j, "days", days);
	json_put(j, "hours", hours);
	json_put(j, "money", money);
	json_text(j, "currency", c->restaurant.currency);
	json_int(j, "currencyDigits", currency_digits(c->restaurant.currency));
	json_int(j, "leadHours", lead);
	json_int(j, "leadParties", led);
	json_int(j, "seatsOffered", seats);
	json_put(j, "rush", rush_json(c));
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
	int list = 0;
	enum err e;

	while (list < REPORTS__LISTS && strcmp(lists[list], c->req->path_word) != 0)
		list++;
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
	char actor[32];
	enum err e;

	in_only(&c->body, NULL);
	e = call_body(c);
	call_actor(c, 0, actor);
	if (e == ERR_OK)
		e = forget_guest(c->db, c->req->path_ids[0], actor, c->now_s);
	return call_done(c, e);
}
