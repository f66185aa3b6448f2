/*
 * zone.c - the restaurant's clock on the wall, by the C library and the system's tzdata.
 *
 * The C library knows one zone at a time, so switch_to() changes it when another restaurant asks.
 * jari's processes have one thread; nothing else in them uses local time.
 */
#include "zone.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NAME_MAX_LEN = 64 };

bool zone_exists(const char *zone)
{
	char path[32 + NAME_MAX_LEN], magic[4];
	FILE *f;
	bool ok;

	/* The zones below right/ count leap seconds, which the book does not. */
	if (!*zone || strlen(zone) >= NAME_MAX_LEN || *zone == '/' || strncmp(zone, "right/", 6) == 0 ||
	    strspn(zone, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/") != strlen(zone))
		return false;
	snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", zone);
	/* A folder ("America") or a table ("leapseconds") would be taken for UTC. */
	f = fopen(path, "rb");
	if (!f)
		return false;
	ok = fread(magic, 1, sizeof magic, f) == sizeof magic && memcmp(magic, "TZif", sizeof magic) == 0;
	fclose(f);
	return ok;
}

bool zone_is_public(const char *zone)
{
	static const char *const ours[] = {"posix/", "posixrules", "localtime", "Factory"};

	for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
		if (strncmp(zone, ours[i], strlen(ours[i])) == 0)
			return false;
	return zone_exists(zone);
}

static bool switch_to(const char *zone)
{
	static char current[NAME_MAX_LEN];

	if (strcmp(zone, current) == 0)
		return true;
	if (!zone_exists(zone) || setenv("TZ", zone, 1) != 0)
		return false;
	tzset();
	snprintf(current, sizeof current, "%s", zone);
	return true;
}

/* Does the clock on the wall show exactly this at t? */
static bool shows(time_t t, struct date day, int minute_of_day)
{
	struct tm tm;

	return localtime_r(&t, &tm) && tm.tm_year + 1900 == day.year && tm.tm_mon + 1 == day.month && tm.tm_mday == day.day &&
	       tm.tm_hour * 60 + tm.tm_min == minute_of_day;
}

/*
 * A local time is UTC by the offset that holds a day before or by the one that holds a day after:
 * whatever the clock does in between, forwards or back, by an hour or by half of one.  mktime()
 * picks either of two and remembers its last guess, so it is not asked.
 */
static bool ask_library(struct date day, int minute_of_day, int64_t *utc_s)
{
	time_t as_utc = (time_t)(text_days(day) * 86400 + minute_of_day * 60);
	time_t before = as_utc - 86400, after = as_utc + 86400, early, late;
	struct tm tm;

	if (!localtime_r(&before, &tm))
		return false;
	early = as_utc - tm.tm_gmtoff;
	if (!localtime_r(&after, &tm))
		return false;
	late = as_utc - tm.tm_gmtoff;
	if (late < early) {
		time_t swap = early;

		early = late;
		late = swap;
	}
	if (shows(early, day, minute_of_day))
		*utc_s = early;
	else if (shows(late, day, minute_of_day))
		*utc_s = late;
	else
		return false;
	return true;
}

/*
 * On most days the clock goes straight on: the offset of the day before is that of the day after, and
 * every time exists once.  Those days are remembered, because a list of slots asks about one of them
 * again and again.
 */
static bool steady_offset(const char *zone, int64_t day, int64_t *offset_s)
{
	static struct {
		char zone[NAME_MAX_LEN];
		int64_t day, offset_s;
	} days[16];
	time_t before = (time_t)((day - 1) * 86400), after = (time_t)((day + 2) * 86400);
	size_t i = (size_t)day % 16;
	struct tm a, b;

	if (days[i].day != day || strcmp(days[i].zone, zone) != 0) {
		if (!switch_to(zone) || !localtime_r(&before, &a) || !localtime_r(&after, &b) || a.tm_gmtoff != b.tm_gmtoff)
			return false;
		snprintf(days[i].zone, sizeof days[i].zone, "%s", zone);
		days[i].day = day;
		days[i].offset_s = a.tm_gmtoff;
	}
	*offset_s = days[i].offset_s;
	return true;
}

bool zone_to_utc(const char *zone, struct date day, int minute, int64_t *utc_s)
{
	int64_t days = text_days(day), offset_s;

	assert(minute >= 0 && minute <= NIGHT_MINUTES);
	if (minute >= DAY_MINUTES) {
		minute -= DAY_MINUTES;
		day = text_from_days(++days);
	}
	if (steady_offset(zone, days, &offset_s)) {
		*utc_s = days * 86400 + minute * 60 - offset_s;
		return true;
	}
	return switch_to(zone) && ask_library(day, minute, utc_s);
}

bool zone_to_local(const char *zone, int64_t utc_s, struct date *day, int *minute_of_day)
{
	time_t t = (time_t)utc_s;
	int64_t offset_s, local;
	struct tm tm;

	if (utc_s > 2 * 86400 && steady_offset(zone, utc_s / 86400, &offset_s)) {
		local = utc_s + offset_s;
		*day = text_from_days(local / 86400);
		*minute_of_day = (int)(local % 86400 / 60);
		return true;
	}
	if (!switch_to(zone) || !localtime_r(&t, &tm))
		return false;
	*day = (struct date){tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday};
	*minute_of_day = tm.tm_hour * 60 + tm.tm_min;
	return true;
}

int zone_offset_minutes(const char *zone, int64_t utc_s)
{
	time_t t = (time_t)utc_s;
	struct tm tm;

	if (!switch_to(zone) || !localtime_r(&t, &tm))
		return 0;
	return (int)(tm.tm_gmtoff / 60);
}
