/*
 * hours.h - opening hours -> the times offered on a day, and whether one of them can be booked now.
 */
#ifndef JARI_HOURS_H
#define JARI_HOURS_H

#include "err.h"
#include "lengths.h"
#include "settings.h"
#include "text.h"

enum {
	HOURS_SPANS_MAX = 12, /* services of one day: rows of opening_hours or special_days */
	HOURS_TIMES_MAX = NIGHT_MINUTES / 5,
};

/* The numbers that a service may have of its own, as bits of hours_span.own. */
enum hours_own {
#define X(name, json, min, max) HOURS_OWN_##name,
	SETTINGS_OF_SERVICE(X) HOURS__OWN
#undef X
};

/*
 * A service: lunch, dinner.  Its minutes are those of its evening, whose clock goes on past midnight: 17:30 to 26:00 ends at two
 * in the morning after, and 24:30 is a time of that evening.
 */
struct hours_span {
	int opens, closes;                         /* closes up to NIGHT_MINUTES */
	char label[LENGTHS_SIZE(LENGTHS_SERVICE)]; /* "lunch", "dinner", the owner's own word, or nothing */
	bool has_last;
	int last;     /* no guest books a later time */
	unsigned own; /* which of its numbers are its own; the others are the house's */
	int numbers[HOURS__OWN];
};

/* One day of one restaurant, as the book tells it. */
struct hours_day {
	size_t count;
	struct hours_span spans[HOURS_SPANS_MAX];
	char note[LENGTHS_SIZE(LENGTHS_DAY_NOTE)]; /* of a special day, for its guests */
};

struct hours_time {
	int minute;                    /* of the evening */
	const struct hours_span *span; /* it lies in; lives as long as the day */
};

/* Gives a service a number of its own. */
void hours_set_own(struct hours_span *span, enum hours_own which, int value);

/* The service that a time belongs to, at which a party may begin or be there already; NULL: none. */
const struct hours_span *hours_service(const struct hours_day *day, const struct settings *house, int minute);

/* The settings that count in a service: its own where it has them, else the house's.  Without a service: the house's. */
void hours_settings(const struct settings *house, const struct hours_span *span, struct settings *out);

/* Does a service take parties of this size, by limits of its own? */
bool hours_takes(const struct hours_span *span, int party);

/*
 * The times offered on that day, rising, without repeats: from each opening on in steps of the service's slot_minutes, up to its
 * last seating, or as long as a whole slot ends by closing time.  A time the clock skips that night is left out.  Returns how
 * many.
 */
size_t hours_times(const struct hours_day *day, int slot_minutes, const char *zone, struct date date,
		   struct hours_time times[HOURS_TIMES_MAX]);

/*
 * Which evening is it?  The day's own, or still that of the day before while one of its services lasts past midnight.
 * `before` are the hours of the day before, `minute` is of the clock on the wall; returns 0 or 1 days back.
 */
int hours_evenings_back(const struct hours_day *before, int minute);

/* Is this date still to come, or today?  ERR_OK or ERR_PAST.  From when on it can be booked is for opening.h to say. */
enum err hours_check_date(const char *zone, struct date date, int64_t now_s);

/*
 * The minute of an evening that a clock's time means: 00:30 is its 24:30, if a service lasts until then and none of that day
 * begins with it.
 */
int hours_minute(const struct hours_day *day, int minute);

/* Is it the night after that day?  Then its evening may still last, and be booked. */
bool hours_may_last(const char *zone, struct date date, int64_t now_s);

/*
 * May this time of that day be booked, by the settings of its service?  After midnight the evening before is not
 * past.  Also ERR_CLOSED_DAY, ERR_NO_SUCH_TIME, ERR_TOO_SOON.
 * On ERR_OK *starts_s is the instant the slot begins.
 */
enum err hours_check(const struct settings *house, const struct hours_day *day, const char *zone, struct date date, int minute,
		     int64_t now_s, int64_t *starts_s);

/*
 * The same for staff: any minute of that day's hours, however soon or far, and up to half a day ago.  ERR_CLOSED_DAY,
 * ERR_NO_SUCH_TIME, ERR_PAST.
 */
enum err hours_check_staff(const struct hours_day *day, const char *zone, struct date date, int minute, int64_t now_s,
			   int64_t *starts_s);

/* The first moment from now on that is not in the restaurant's quiet hours: now itself, or the morning. */
int64_t hours_awake(const struct settings *s, const char *zone, int64_t now_s);

#endif
