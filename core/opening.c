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

struct opening opening_of(const struct settings *s, const char *zone, struct date date, int64_t row_s)
{
	struct opening o = {.opens_s = row_s, .known = true, .by_rule = !row_s, .told = row_s || s->opens_at_minute};

	if (o.by_rule)
		o.known = opening_instant(zone, text_from_days(text_days(date) - s->window_days), s->opens_at_minute,
					  &o.opens_s);
	return o;
}

enum err opening_check(const struct opening *o, int64_t at_ms, int64_t step_s, int64_t *opens_s)
{
	bool come = has_come(o->opens_s, at_ms);

	*opens_s = 0;
	if (!o->known)
		return ERR_INTERNAL;
	if (WITHOUT("opening"))
		return ERR_OK;
	if (o->told && step_s && come != has_come(o->opens_s, at_ms - step_s * 1000) && !WITHOUT("opening-clock"))
		return ERR_CLOCK_WRONG;
	if (!come && (!o->told || (o->by_rule && o->opens_s - at_ms / 1000 > OPENING_TOLD_DAYS * INT64_C(86400))))
		return ERR_TOO_FAR;
	*opens_s = o->told ? o->opens_s : 0;
	return come ? ERR_OK : ERR_NOT_YET;
}
