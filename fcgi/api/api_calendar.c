/*
 * api_calendar.c - GET /api/reservations/{id}/calendar.ics: a reservation as a calendar entry (RFC 5545).
 */
#include "route.h"

#include "zone.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
	FOLD_OCTETS = 75, /* RFC 5545, 3.1 */
	REMIND_MINUTES = 120,
};

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
	return status == LIFE_CONFIRMED || status == LIFE_PREPAY_CONFIRM || status == LIFE_COMPLETED ? "CONFIRMED" :
												       "CANCELLED";
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
	put_instant(out, "DTEND", v->ends_at);
	put_text(out, "SUMMARY", summary);
	if (address[0])
		put_text(out, "LOCATION", address);
	put_text(out, "DESCRIPTION", buf_ok(&text) ? text.data : "");
	if (strcmp(status, "CANCELLED") != 0)
		put_alarm(out, summary);
	buf_str(out, "END:VEVENT\r\n");
	buf_free(&text);
}

enum err api_calendar(struct call *c)
{
	const struct reservation *v = &c->reservation;
	struct buf *out = &c->reply->body;
	struct restaurant rest;
	struct date date;
	char disposition[80];
	int minute;
	int64_t starts;
	enum err e = restaurants_get(c->db, v->restaurant_id, &rest);

	assert(c->reservation.id > 0);
	if (e != ERR_OK)
		return e;
	if (!text_date(v->date, &date) || !text_time(v->time, &minute) || !zone_to_utc(rest.zone, date, minute, &starts))
		return ERR_INTERNAL;
	buf_str(out, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//jari//reservation//EN\r\nCALSCALE:GREGORIAN\r\n"
		     "METHOD:PUBLISH\r\n");
	put_event(out, &rest, v, starts, c->req->lang);
	buf_str(out, "END:VCALENDAR\r\n");
	snprintf(disposition, sizeof disposition, "inline; filename=\"%s.ics\"", v->code);
	reply_header(c->reply, "Content-Disposition", disposition);
	c->reply->type = "text/calendar; charset=utf-8";
	return ERR_OK;
}
