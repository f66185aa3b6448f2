/*
 * hours.c - opening hours -> the times offered on a day.
 */
#include "hours.h"

#include "zone.h"

#include <assert.h>
#include <string.h>

enum { STAFF_BACK_S = 43200 }; /* how late staff may still write down who came */

/* Keeps the list rising and without repeats; the first to name a time keeps it. */
static size_t insert(struct hours_time *times, size_t n, struct hours_time t)
{
	size_t i = n;

	assert(n <= HOURS_TIMES_MAX);
	while (i > 0 && times[i - 1].minute >= t.minute)
		i--;
	if (n == HOURS_TIMES_MAX || (i < n && times[i].minute == t.minute))
		return n;
	memmove(&times[i + 1], &times[i], (n - i) * sizeof times[0]);
	times[i] = t;
	return n + 1;
}

size_t hours_times(const struct hours_day *day, int slot_minutes, const char *zone, struct date date,
		   struct hours_time times[HOURS_TIMES_MAX])
{
	size_t n = 0;
	int64_t instant;

	assert(slot_minutes > 0 && day->count <= HOURS_SPANS_MAX);
	for (size_t i = 0; i < day->count; i++)
		for (int m = day->spans[i].opens; m + slot_minutes <= day->spans[i].closes; m += slot_minutes)
			if (zone_to_utc(zone, date, m, &instant))
				n = insert(times, n, (struct hours_time){m, day->spans[i].label});
	return n;
}

/* The span in which a stay may begin at that minute, or NULL. */
static const struct hours_span *offers(const struct hours_day *day, int slot_minutes, int minute)
{
	for (size_t i = 0; i < day->count; i++) {
		const struct hours_span *s = &day->spans[i];

		if (minute >= s->opens && minute + slot_minutes <= s->closes && (minute - s->opens) % slot_minutes == 0)
			return s;
	}
	return NULL;
}

enum err hours_check_date(const struct settings *s, const char *zone, struct date date, int64_t now_s)
{
	struct date today;
	int64_t ahead;
	int minute;

	if (!zone_to_local(zone, now_s, &today, &minute))
		return ERR_INTERNAL;
	ahead = text_days(date) - text_days(today);
	if (ahead < 0)
		return ERR_PAST;
	return ahead > s->window_days ? ERR_TOO_FAR : ERR_OK;
}

enum err hours_check(const struct settings *s, const struct hours_day *day, const char *zone, struct date date, int minute,
		     int64_t now_s, int64_t *starts_s)
{
	int64_t starts;
	enum err e = hours_check_date(s, zone, date, now_s);

	assert(minute >= 0 && minute < DAY_MINUTES);
	if (e != ERR_OK)
		return e;
	if (day->count == 0)
		return ERR_CLOSED_DAY;
	if (!offers(day, s->slot_minutes, minute) || !zone_to_utc(zone, date, minute, &starts))
		return ERR_NO_SUCH_TIME;
	if (starts <= now_s)
		return ERR_PAST;
	if (starts - now_s < (int64_t)s->lead_minutes * 60)
		return ERR_TOO_SOON;
	*starts_s = starts;
	return ERR_OK;
}

enum err hours_check_staff(const struct hours_day *day, const char *zone, struct date date, int minute, int64_t now_s,
			   int64_t *starts_s)
{
	bool open = false;

	assert(minute >= 0 && minute < DAY_MINUTES);
	if (day->count == 0)
		return ERR_CLOSED_DAY;
	for (size_t i = 0; i < day->count; i++)
		open |= minute >= day->spans[i].opens && minute < day->spans[i].closes;
	if (!open || !zone_to_utc(zone, date, minute, starts_s))
		return ERR_NO_SUCH_TIME;
	return *starts_s < now_s - STAFF_BACK_S ? ERR_PAST : ERR_OK;
}

int64_t hours_awake(const struct settings *s, const char *zone, int64_t now_s)
{
	int minute, from = s->quiet_from * 60, to = s->quiet_to * 60, left;
	struct date day;
	bool quiet;

	if (from == to || !zone_to_local(zone, now_s, &day, &minute))
		return now_s;
	quiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
	if (!quiet)
		return now_s;
	left = (to - minute + DAY_MINUTES) % DAY_MINUTES;
	return now_s - now_s % 60 + left * INT64_C(60);
}
