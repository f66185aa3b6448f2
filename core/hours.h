/*
 * hours.h - opening hours -> the times offered on a day, and whether one of them can be booked now.
 */
#ifndef JARI_HOURS_H
#define JARI_HOURS_H

#include "err.h"
#include "settings.h"
#include "text.h"

enum {
	HOURS_SPANS_MAX = 12, /* rows of opening_hours or special_days for one day */
	HOURS_TIMES_MAX = 24 * 12,
};

struct hours_span {
	int opens, closes; /* minutes of the day; closes up to 24:00 */
	char label[12];    /* "lunch", "dinner" or nothing */
};

/* One day of one restaurant, as the book tells it. */
struct hours_day {
	size_t count;
	struct hours_span spans[HOURS_SPANS_MAX];
};

struct hours_time {
	int minute;        /* of the day */
	const char *label; /* of the span it lies in; lives as long as the day */
};

/*
 * The times offered on that day, rising, without repeats: from each opening on in steps of
 * slot_minutes, as long as a whole stay ends by closing time.  A time the clock skips that day is
 * left out.  Returns how many.
 */
size_t hours_times(const struct hours_day *day, int slot_minutes, const char *zone, struct date date,
		   struct hours_time times[HOURS_TIMES_MAX]);

/*
 * May this date be booked at all, at this moment?  ERR_OK, ERR_PAST or ERR_TOO_FAR.  The window
 * counts calendar days of the restaurant, not spans of 24 hours.
 */
enum err hours_check_date(const struct settings *s, const char *zone, struct date date, int64_t now_s);

/*
 * May this time of that day be booked?  Also ERR_CLOSED_DAY, ERR_NO_SUCH_TIME, ERR_TOO_SOON.
 * On ERR_OK *starts_s is the instant the slot begins.
 */
enum err hours_check(const struct settings *s, const struct hours_day *day, const char *zone, struct date date, int minute,
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
