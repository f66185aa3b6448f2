/*
 * opening.h - the instant from which a date can be booked online.
 *
 * By the restaurant's rule a new date opens each day at opens_at_minute, window_days ahead.  A date that an opening of the
 * book covers opens at that opening's instant instead, whatever the window says; of several the earliest counts.
 *
 * Nothing here is a flag that is set at the moment: the instant at which the web server had the request is compared with the
 * instant at which the date opens, so no process is early or late.
 */
#ifndef JARI_OPENING_H
#define JARI_OPENING_H

#include "err.h"
#include "settings.h"
#include "text.h"

enum {
	OPENING_ROWS_MAX = 100, /* that an owner may keep */
	OPENING_DAYS_MAX = 730, /* how far ahead their dates may lie: as far as a window may reach */
	OPENING_TOLD_DAYS = 31, /* so far ahead the daily rule names its moments; later ones are too far away */
};

/* When a date opens.  It depends on settings and date alone, so it can be kept with them. */
struct opening {
	int64_t opens_s;
	bool known;   /* false: jari does not know the zone */
	bool by_rule; /* each day at a time of day; false: by an opening of the book */
	bool told;    /* false: a new day simply begins at midnight, as in a book that has no openings */
};

/* row_s: the earliest opening of the book that covers the date; 0: none does. */
struct opening opening_of(const struct settings *s, const char *zone, struct date date, int64_t row_s);

/*
 * For a request that came at that millisecond.  ERR_OK: the date can be booked.  ERR_NOT_YET: at *opens_s it can.
 * ERR_TOO_FAR: no rule names a moment near enough to tell.  ERR_CLOCK_WRONG: the clock was set, and only one of its two times
 * is past the moment.  ERR_INTERNAL: unknown zone.
 *
 * step_s: by how many seconds the clock was set, while it is not believed yet; 0: it is.  Then what the clock said before
 * counts as well: a moment that lies between the two has come by one clock and not by the other.
 *
 * *opens_s is 0 where the moment is not told.
 */
enum err opening_check(const struct opening *o, int64_t at_ms, int64_t step_s, int64_t *opens_s);

/* The instant of a local time; if the clock skips it that day, the first one after it.  False: unknown zone. */
bool opening_instant(const char *zone, struct date date, int minute, int64_t *utc_s);

#endif
