/*
 * opening.c - the instant from which a date can be booked online.
 */
#include "opening.h"

#include "failpoint.h"
#include "zone.h"

#include <assert.h>

bool opening_instant(const char *zone, struct date date, int minute, int64_t *utc_s)
{
	struct date today;
	int now;

	assert(minute >= 0 && minute < DAY_MINUTES);
	if (!zone_to_local(zone, 0, &today, &now))
		return false;
	/* The clock goes forward by an hour or two; once, on some islands, by a whole day. */
	for (int i = 0; i <= 2 * DAY_MINUTES; i++) {
		int m = minute + i;

		if (zone_to_utc(zone, text_from_days(text_days(date) + m / DAY_MINUTES), m % DAY_MINUTES, utc_s))
			return true;
	}
	return false;
}

/* Whether the moment has come, by a clock that says this. */
static bool has_come(int64_t opens_s, int64_t at_ms)
{
	return at_ms >= opens_s * 1000;
}

enum err opening_check(const struct opening_question *q, int64_t *opens_s)
{
	const struct settings *s = q->set;
	bool told = q->row_s || s->opens_at_minute;
	int64_t opens = q->row_s;

	*opens_s = 0;
	if (!opens &&
	    !opening_instant(q->zone, text_from_days(text_days(q->date) - s->window_days), s->opens_at_minute, &opens))
		return ERR_INTERNAL;
	if (WITHOUT("opening"))
		return ERR_OK;
	if (told && q->step_s && has_come(opens, q->at_ms) != has_come(opens, q->at_ms - q->step_s * 1000) &&
	    !WITHOUT("opening-clock"))
		return ERR_CLOCK_WRONG;
	if (has_come(opens, q->at_ms)) {
		*opens_s = told ? opens : 0;
		return ERR_OK;
	}
	if (!told || (!q->row_s && opens - q->at_ms / 1000 > OPENING_TOLD_DAYS * INT64_C(86400)))
		return ERR_TOO_FAR;
	*opens_s = opens;
	return ERR_NOT_YET;
}
