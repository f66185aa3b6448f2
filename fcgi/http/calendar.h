/*
 * calendar.h - a reservation, or the opening of a day, as a calendar entry (RFC 5545): for download, and as part of a mail.
 */
#ifndef JARI_CALENDAR_H
#define JARI_CALENDAR_H

#include "booking.h"
#include "buf.h"

enum { CALENDAR_LINK_SIZE = 400 };

struct calendar {
	const struct restaurant *restaurant;
	const struct reservation *reservation;
	const char *link;                 /* where it is managed; "": nowhere */
	const char *method;               /* PUBLISH for a download; REQUEST, and CANCEL to take it back, in a mail */
	const char *organizer, *attendee; /* addresses; NULL for a download */
	enum lang lang;
};

void calendar_put(struct buf *out, const struct calendar *c);

/* The moment at which a day opens for guests: whoever wants that day is reminded ten minutes before.  link: the page. */
void calendar_put_opening(struct buf *out, const struct restaurant *rest, struct date date, int64_t opens_s, const char *link,
			  enum lang lang);

#endif
