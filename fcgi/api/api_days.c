/*
 * api_guest_extras.c - what makes a guest's page pleasant: a month at a glance, a calendar entry, a
 * QR code, and the reservation behind a manage link.
 */
#include "route.h"

#include "auth.h"
#include "clock.h"
#include "answer.h"
#include "restaurants.h"
#include "slots.h"
#include "zone.h"

#include <qrencode.h>
#include <stdio.h>
#include <string.h>

enum {
	FEW_PCT = 20,	   /* a day with so little left, or less, is "few" */
	FOLD_OCTETS = 75,  /* RFC 5545, 3.1 */
	QUIET_MODULES = 4, /* white around a QR code, so that cameras find it */
	REMIND_MINUTES = 120,
};

/* ---- the month ---- */

struct day_view {
	const char *state;
	int64_t remaining; /* seats at the times this party can still book */
};

static enum err look_at_day(struct door *d, const struct restaurant *rest, struct date date, int party, int64_t now_s,
			    struct day_view *out)
{
	static struct slots_day day;
	int64_t capacity = 0, starts;
	enum err e = hours_check_date(&rest->set, rest->zone, date, now_s);

	*out = (struct day_view){.state = e == ERR_PAST ? "past" : "far"};
	if (e == ERR_PAST || e == ERR_TOO_FAR)
		return ERR_OK;
	if (e == ERR_OK)
		e = slots_of_day(&d->db, rest, date, party, now_s, &day);
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
		out->state = hours_check(&rest->set, &day.hours, rest->zone, date, day.slots[day.count - 1].minute,
					 now_s, &starts) == ERR_OK
				 ? "full"
				 : "past";
	return ERR_OK;
}

/* restaurantId and partySize; the party is 1 where it is not said. */
static enum err take_number(const struct req *r, const char *name, int64_t max, int64_t fallback, int64_t *out,
			    struct reply *reply)
{
	char text[24];
	enum err e = req_param(r, name, text, sizeof text);

	*out = fallback;
	if (e == ERR_MISSING_FIELD && fallback)
		return ERR_OK;
	if (e == ERR_OK && !text_int(text, 1, max, out))
		e = ERR_OUT_OF_RANGE;
	return e == ERR_OK ? e : reply_field(reply, e, name);
}

/* "2026-11" as its first day. */
static enum err take_month(const struct req *r, struct date *first, struct reply *reply)
{
	char text[8], day[TEXT_DATE_SIZE];
	enum err e = req_param(r, "month", text, sizeof text);

	if (e == ERR_OK) {
		snprintf(day, sizeof day, "%.7s-01", text);
		e = text_date(day, first) ? ERR_OK : ERR_BAD_DATE;
	}
	return e == ERR_OK ? e : reply_field(reply, e == ERR_TOO_LONG ? ERR_BAD_DATE : e, "month");
}

enum err api_days(struct door *d, struct req *r, const struct user *user, struct reply *reply)
{
	struct json *list, *j;
	struct restaurant rest;
	struct date first, date;
	int64_t id, party, now_s = clock_now_s();
	enum err e = take_number(r, "restaurantId", INT64_MAX, 0, &id, reply);

	(void)user;
	if (e == ERR_OK)
		e = take_number(r, "partySize", 1000, 1, &party, reply);
	if (e == ERR_OK)
		e = take_month(r, &first, reply);
	if (e != ERR_OK)
		return e;
	e = restaurants_get(&d->db, id, &rest);
	if (e != ERR_OK)
		return reply_field(reply, e, "restaurantId");
	list = json_list();
	for (date = first; e == ERR_OK && date.month == first.month; date = text_from_days(text_days(date) + 1)) {
		struct day_view view;
		char text[TEXT_DATE_SIZE];

		e = look_at_day(d, &rest, date, (int)party, now_s, &view);
		if (e != ERR_OK)
			break;
		j = json_new();
		text_put_date(date, text);
		json_text(j, "date", text);
		json_text(j, "state", view.state);
		json_int(j, "remaining", view.remaining);
		json_push(list, j);
	}
	j = json_new();
	json_put(j, "days", list);
	reply_json(reply, 200, j);
	return e;
}

/* ---- one reservation, for whoever may see it ---- */

static enum err find(struct door *d, const struct req *r, struct reservation *v)
{
	enum err found, e;

	*v = (struct reservation){.id = r->path_id};
	found = booking_get(&d->db, r->path_id, clock_now_s(), v);
	e = found == ERR_OK || found == ERR_NO_SUCH_RESERVATION ? api_may_see(d, r, v) : found;
	return e == ERR_OK ? found : e;
}

enum err api_managed(struct door *d, struct req *r, const struct user *user, struct reply *reply)
{
	const char *text = r->header(r, "HTTP_X_MANAGE_TOKEN");
	struct token t;

	if (!text || !token_check(d->key, TOKEN_MANAGE, text, clock_now_s(), &t))
		return ERR_NO_SUCH_RESERVATION;
	r->path_id = t.id;
	return api_reservation_get(d, r, user, reply);
}

/* ---- the calendar ---- */

/* One content line.  Folded between characters, never inside one: 75 octets, then CRLF and a blank. */
static void put_line(struct buf *out, const char *line)
{
	size_t column = 0;

	while (*line) {
		size_t n = 1;

		while (((unsigned char)line[n] & 0xc0) == 0x80)
			n++;
		if (column + n > FOLD_OCTETS) {
			buf_str(out, "\r\n ");
			column = 1;
		}
		buf_add(out, line, n);
		column += n;
		line += n;
	}
	buf_str(out, "\r\n");
}

/* The value of a TEXT property: RFC 5545, 3.3.11. */
static void put_escaped(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			buf_str(out, "\\n");
		else if (*text == '\\' || *text == ';' || *text == ',')
			buf_fmt(out, "\\%c", *text);
		else if (*text != '\r')
			buf_add(out, text, 1);
	}
}

static void put_text(struct buf *out, const char *name, const char *text)
{
	struct buf line = {0};

	buf_fmt(&line, "%s:", name);
	put_escaped(&line, text);
	if (buf_ok(&line))
		put_line(out, line.data);
	else
		out->failed = true;
	buf_free(&line);
}

/* 2026-01-20T02:00:00Z as 20260120T020000Z. */
static void put_instant(struct buf *out, const char *name, const char *iso)
{
	buf_fmt(out, "%s:", name);
	for (; *iso; iso++)
		if (*iso != '-' && *iso != ':')
			buf_add(out, iso, 1);
	buf_str(out, "\r\n");
}

static const char *calendar_status(enum life status)
{
	if (status == LIFE_TEMPORARY)
		return "TENTATIVE";
	return status == LIFE_CONFIRMED || status == LIFE_PREPAY_CONFIRM || status == LIFE_COMPLETED ? "CONFIRMED"
												     : "CANCELLED";
}

static void describe(const struct restaurant *rest, const struct reservation *v, enum lang lang, struct buf *out)
{
	bool ko = lang == LANG_KO;

	buf_fmt(out, ko ? "예약번호 %s\n%d명" : "Reservation %s\nParty of %d", v->code, v->party);
	if (rest->phone[0])
		buf_fmt(out, ko ? "\n전화 %s" : "\nPhone %s", rest->phone);
	if (v->request[0])
		buf_fmt(out, ko ? "\n요청 %s" : "\nRequest %s", v->request);
}

static void put_alarm(struct buf *out, const char *summary)
{
	buf_str(out, "BEGIN:VALARM\r\nACTION:DISPLAY\r\n");
	buf_fmt(out, "TRIGGER:-PT%dM\r\n", REMIND_MINUTES);
	put_text(out, "DESCRIPTION", summary);
	buf_str(out, "END:VALARM\r\n");
}

static void put_event(struct buf *out, const struct restaurant *rest, const struct reservation *v, int64_t starts,
		      enum lang lang)
{
	const char *name = lang == LANG_EN && rest->name_en[0] ? rest->name_en : rest->name;
	const char *address = lang == LANG_EN && rest->address_en[0] ? rest->address_en : rest->address;
	const char *status = calendar_status(v->status);
	char iso[CLOCK_ISO_SIZE], summary[400], uid[80], made[CLOCK_ISO_SIZE];
	struct buf text = {0};
	int64_t made_s = 0;

	/* The code is unique in this book, the second it was made tells books apart. */
	clock_parse_iso(v->created_at, &made_s);
	snprintf(made, sizeof made, "%lld", (long long)made_s);
	snprintf(uid, sizeof uid, "%s.%s@jari", v->code, made);
	snprintf(summary, sizeof summary, lang == LANG_KO ? "%s %d명" : "%s, party of %d", name, v->party);
	describe(rest, v, lang, &text);
	buf_str(out, "BEGIN:VEVENT\r\n");
	put_text(out, "UID", uid);
	buf_fmt(out, "SEQUENCE:%lld\r\nSTATUS:%s\r\n", (long long)v->version - 1, status);
	put_instant(out, "DTSTAMP", v->updated_at);
	clock_iso(starts, iso);
	put_instant(out, "DTSTART", iso);
	clock_iso(starts + (int64_t)rest->set.slot_minutes * 60, iso);
	put_instant(out, "DTEND", iso);
	put_text(out, "SUMMARY", summary);
	if (address[0])
		put_text(out, "LOCATION", address);
	put_text(out, "DESCRIPTION", buf_ok(&text) ? text.data : "");
	if (strcmp(status, "CANCELLED") != 0)
		put_alarm(out, summary);
	buf_str(out, "END:VEVENT\r\n");
	buf_free(&text);
}

enum err api_calendar(struct door *d, struct req *r, const struct user *user, struct reply *reply)
{
	struct restaurant rest;
	struct reservation v;
	struct date date;
	char disposition[80];
	int minute;
	int64_t starts;
	enum err e = find(d, r, &v);

	(void)user;
	if (e == ERR_OK)
		e = restaurants_get(&d->db, v.restaurant_id, &rest);
	if (e != ERR_OK)
		return e;
	if (!text_date(v.date, &date) || !text_time(v.time, &minute) || !zone_to_utc(rest.zone, date, minute, &starts))
		return ERR_INTERNAL;
	buf_str(&reply->body,
		"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//jari//reservation//EN\r\nCALSCALE:GREGORIAN\r\n"
		"METHOD:PUBLISH\r\n");
	put_event(&reply->body, &rest, &v, starts, r->lang);
	buf_str(&reply->body, "END:VCALENDAR\r\n");
	snprintf(disposition, sizeof disposition, "inline; filename=\"%s.ics\"", v.code);
	reply_header(reply, "Content-Disposition", disposition);
	reply->type = "text/calendar; charset=utf-8";
	return ERR_OK;
}

/* ---- the QR code ---- */

/* What the code says: where to manage the reservation, or its code when we do not know our own name. */
static void link_text(struct door *d, const struct req *r, const struct reservation *v, char *out, size_t size)
{
	static const char of_a_host[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-:[]";
	const char *host = r->header(r, "HTTP_HOST");
	char token[TOKEN_TEXT_SIZE];

	if (!host || !*host || strlen(host) > 260 || strspn(host, of_a_host) != strlen(host)) {
		snprintf(out, size, "%s", v->code);
		return;
	}
	auth_sign_manage(d, v->id, token);
	snprintf(out, size, "%s://%s/r#%s", r->https ? "https" : "http", host, token);
}

/* Dark modules, one stroke for each run of them in a row. */
static void put_modules(struct buf *out, const QRcode *code)
{
	for (int y = 0; y < code->width; y++)
		for (int x = 0, run; x < code->width; x += run ? run : 1) {
			for (run = 0; x + run < code->width && code->data[y * code->width + x + run] & 1; run++)
				;
			if (run)
				buf_fmt(out, "M%d %dh%dv1h-%dz", x + QUIET_MODULES, y + QUIET_MODULES, run, run);
		}
}

enum err api_qr(struct door *d, struct req *r, const struct user *user, struct reply *reply)
{
	char text[400];
	struct reservation v;
	QRcode *code;
	enum err e = find(d, r, &v);

	(void)user;
	if (e != ERR_OK)
		return e;
	link_text(d, r, &v, text, sizeof text);
	code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M);
	if (!code)
		return ERR_NO_MEMORY;
	buf_fmt(&reply->body,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" shape-rendering=\"crispEdges\">"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/><path fill=\"#000\" d=\"",
		code->width + 2 * QUIET_MODULES, code->width + 2 * QUIET_MODULES);
	put_modules(&reply->body, code);
	buf_str(&reply->body, "\"/></svg>\n");
	QRcode_free(code);
	reply->type = "image/svg+xml";
	return ERR_OK;
}
