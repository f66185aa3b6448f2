/*
 * calendar.c - a reservation, or the opening of a day, as a calendar entry (RFC 5545).
 */
#include "calendar.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
	FOLD_OCTETS = 75, /* RFC 5545, 3.1 */
	REMIND_MINUTES = 120,
	OPENING_MINUTES = 10,
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

static void describe(const struct restaurant *rest, const struct reservation *v, const char *link, enum lang lang,
		     struct buf *out)
{
	bool ko = lang == LANG_KO;

	buf_fmt(out, ko ? "예약번호 %s\n%d명" : "Reservation %s\nParty of %d", v->code, v->party);
	if (rest->phone[0])
		buf_fmt(out, ko ? "\n전화 %s" : "\nPhone %s", rest->phone);
	if (v->request[0])
		buf_fmt(out, ko ? "\n요청 %s" : "\nRequest %s", v->request);
	if (*link)
		buf_fmt(out, ko ? "\n예약 확인·변경·취소 %s" : "\nSee, change or cancel: %s", link);
}

static void put_alarm(struct buf *out, int minutes, const char *summary)
{
	buf_str(out, "BEGIN:VALARM\r\nACTION:DISPLAY\r\n");
	buf_fmt(out, "TRIGGER:-PT%dM\r\n", minutes);
	put_text(out, "DESCRIPTION", summary);
	buf_str(out, "END:VALARM\r\n");
}

/* An invitation by mail names organizer and attendee: without, no calendar would let it be withdrawn. */
static void put_people(struct buf *out, const struct calendar *c)
{
	char line[700];

	if (!c->organizer)
		return;
	snprintf(line, sizeof line, "ORGANIZER:mailto:%s", c->organizer);
	put_line(out, line);
	snprintf(line, sizeof line, "ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:%s", c->attendee);
	put_line(out, line);
}

static void put_event(struct buf *out, const struct calendar *c)
{
	const struct restaurant *rest = c->restaurant;
	const struct reservation *v = c->reservation;
	const char *link = c->link;
	enum lang lang = c->lang;
	const char *name = restaurants_words(rest, lang, rest->name, rest->name_en);
	const char *address = restaurants_words(rest, lang, rest->address, rest->address_en);
	const char *status = calendar_status(v->status);
	char summary[400], uid[BOOKING_CODE_SIZE + 32], made[CLOCK_ISO_SIZE], url[CALENDAR_LINK_SIZE + 8];
	struct buf text = {0};
	int64_t made_s = 0;

	/* The code is unique in this book, the second it was made tells books apart. */
	clock_parse_iso(v->created_at, &made_s);
	snprintf(made, sizeof made, "%lld", (long long)made_s);
	snprintf(url, sizeof url, "URL:%s", link);
	snprintf(uid, sizeof uid, "%s.%s@jari", v->code, made);
	snprintf(summary, sizeof summary, lang == LANG_KO ? "%s %d명" : "%s, party of %d", name, v->party);
	describe(rest, v, link, lang, &text);
	buf_str(out, "BEGIN:VEVENT\r\n");
	put_text(out, "UID", uid);
	buf_fmt(out, "SEQUENCE:%lld\r\nSTATUS:%s\r\n", (long long)v->version - 1, status);
	put_people(out, c);
	put_instant(out, "DTSTAMP", v->updated_at);
	put_instant(out, "DTSTART", v->starts_at);
	put_instant(out, "DTEND", v->ends_at);
	put_text(out, "SUMMARY", summary);
	if (address[0])
		put_text(out, "LOCATION", address);
	put_text(out, "DESCRIPTION", buf_ok(&text) ? text.data : "");
	if (*link)
		put_line(out, url);
	if (strcmp(status, "CANCELLED") != 0)
		put_alarm(out, REMIND_MINUTES, summary);
	buf_str(out, "END:VEVENT\r\n");
	buf_free(&text);
}

static void put_head(struct buf *out, const char *method)
{
	buf_fmt(out, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//jari//reservation//EN\r\nCALSCALE:GREGORIAN\r\nMETHOD:%s\r\n",
		method);
}

void calendar_put_opening(struct buf *out, const struct restaurant *rest, struct date date, int64_t opens_s, const char *link,
			  enum lang lang)
{
	const char *name = lang == LANG_EN && rest->name_en[0] ? rest->name_en : rest->name;
	char summary[400], day[TEXT_DATE_SIZE], opens[CLOCK_ISO_SIZE], uid[80], url[CALENDAR_LINK_SIZE + 8];

	assert(strlen(link) < CALENDAR_LINK_SIZE);
	text_put_date(date, day);
	clock_iso(opens_s, opens);
	snprintf(summary, sizeof summary, lang == LANG_KO ? "%s %s 예약 시작" : "%s: booking opens for %s", name, day);
	snprintf(uid, sizeof uid, "opening-%lld-%s-%lld@jari", (long long)rest->id, day, (long long)opens_s);
	snprintf(url, sizeof url, "URL:%s", link);
	put_head(out, "PUBLISH");
	buf_str(out, "BEGIN:VEVENT\r\n");
	put_text(out, "UID", uid);
	put_instant(out, "DTSTAMP", opens);
	put_instant(out, "DTSTART", opens);
	buf_str(out, "DURATION:PT5M\r\n");
	put_text(out, "SUMMARY", summary);
	if (*link)
		put_line(out, url);
	put_alarm(out, OPENING_MINUTES, summary);
	buf_str(out, "END:VEVENT\r\nEND:VCALENDAR\r\n");
}

void calendar_put(struct buf *out, const struct calendar *c)
{
	assert(c->restaurant && c->reservation && strlen(c->link) < CALENDAR_LINK_SIZE);
	put_head(out, c->method);
	put_event(out, c);
	buf_str(out, "END:VCALENDAR\r\n");
}
