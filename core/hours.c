/*
 * hours.c - opening hours -> the times offered on a day.
 */
#include "hours.h"

#include "zone.h"

#include <assert.h>

size_t hours_times(const struct hours_day *day, int slot_minutes, const char *zone, struct date date,
		   struct hours_time times[HOURS_TIMES_MAX])
{
	const char *offered[DAY_MINUTES] = {NULL}; /* the label, where a time is offered */
	size_t n = 0;
	int64_t instant;

	assert(slot_minutes > 0 && day->count <= HOURS_SPANS_MAX);
	for (size_t i = 0; i < day->count; i++)
		for (int m = day->spans[i].opens; m + slot_minutes <= day->spans[i].closes; m += slot_minutes)
			if (!offered[m])
				offered[m] = day->spans[i].label;
	for (int m = 0; m < DAY_MINUTES && n < HOURS_TIMES_MAX; m++)
		if (offered[m] && zone_to_utc(zone, date, m, &instant))
			times[n++] = (struct hours_time){m, offered[m]};
	return n;
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

enum err hours_check(const struct settings *s, const struct hours_day *day, const char *zone, struct date date,
		     int minute, int64_t now_s, int64_t *starts_s)
{
	struct hours_time times[HOURS_TIMES_MAX];
	size_t n, i = 0;
	int64_t starts;
	enum err e = hours_check_date(s, zone, date, now_s);

	if (e != ERR_OK)
		return e;
	if (day->count == 0)
		return ERR_CLOSED_DAY;
	n = hours_times(day, s->slot_minutes, zone, date, times);
	while (i < n && times[i].minute != minute)
		i++;
	if (i == n || !zone_to_utc(zone, date, minute, &starts))
		return ERR_NO_SUCH_TIME;
	if (starts <= now_s)
		return ERR_PAST;
	if (starts - now_s < (int64_t)s->lead_minutes * 60)
		return ERR_TOO_SOON;
	*starts_s = starts;
	return ERR_OK;
}
