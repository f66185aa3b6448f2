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

void hours_set_own(struct hours_span *span, enum hours_own which, int value)
{
	assert(which < HOURS__OWN);
	span->own |= 1u << which;
	span->numbers[which] = value;
}

static int number_of(const struct hours_span *span, enum hours_own which, int of_house)
{
	return span->own & 1u << which ? span->numbers[which] : of_house;
}

void hours_settings(const struct settings *house, const struct hours_span *span, struct settings *out)
{
	*out = *house;
	if (!span)
		return;
#define X(name, json, min, max) out->name = number_of(span, HOURS_OWN_##name, house->name);
	SETTINGS_OF_SERVICE(X)
#undef X
}

bool hours_takes(const struct hours_span *span, int party)
{
	return party >= number_of(span, HOURS_OWN_party_min, party) && party <= number_of(span, HOURS_OWN_party_max, party);
}

/* The first minute at which no guest is seated any more, by slots of that length. */
static int end_of(const struct hours_span *s, int slot_minutes)
{
	int end = s->has_last ? s->last + 1 : s->closes - slot_minutes + 1;

	return end < s->closes ? end : s->closes;
}

size_t hours_times(const struct hours_day *day, int slot_minutes, const char *zone, struct date date,
		   struct hours_time times[HOURS_TIMES_MAX])
{
	size_t n = 0;
	int64_t instant;

	assert(slot_minutes > 0 && day->count <= HOURS_SPANS_MAX);
	for (size_t i = 0; i < day->count; i++) {
		const struct hours_span *s = &day->spans[i];
		int step = number_of(s, HOURS_OWN_slot_minutes, slot_minutes), end = end_of(s, step);

		for (int m = s->opens; m < end; m += step)
			if (zone_to_utc(zone, date, m, &instant))
				n = insert(times, n, (struct hours_time){m, s});
	}
	return n;
}

/* The service in which a guest may begin at that minute, or NULL. */
static const struct hours_span *offers(const struct hours_day *day, int slot_minutes, int minute)
{
	for (size_t i = 0; i < day->count; i++) {
		const struct hours_span *s = &day->spans[i];
		int step = number_of(s, HOURS_OWN_slot_minutes, slot_minutes);

		if (minute >= s->opens && minute < end_of(s, step) && (minute - s->opens) % step == 0)
			return s;
	}
	return NULL;
}

const struct hours_span *hours_service(const struct hours_day *day, const struct settings *house, int minute)
{
	const struct hours_span *s = offers(day, house->slot_minutes, minute);

	for (size_t i = 0; i < day->count && !s; i++)
		if (minute >= day->spans[i].opens && minute < day->spans[i].closes)
			s = &day->spans[i];
	return s;
}

int hours_evenings_back(const struct hours_day *before, int minute)
{
	assert(minute >= 0 && minute < DAY_MINUTES);
	for (size_t i = 0; i < before->count; i++)
		if (minute + DAY_MINUTES < before->spans[i].closes)
			return 1;
	return 0;
}

/* After midnight the evening of the day before is not past. */
static enum err check_date(const char *zone, struct date date, int minute, int64_t now_s)
{
	struct date today;
	int now_minute;

	if (!zone_to_local(zone, now_s, &today, &now_minute))
		return ERR_INTERNAL;
	return text_days(date) + minute / DAY_MINUTES < text_days(today) ? ERR_PAST : ERR_OK;
}

enum err hours_check_date(const char *zone, struct date date, int64_t now_s)
{
	return check_date(zone, date, 0, now_s);
}

int hours_minute(const struct hours_day *day, int minute)
{
	bool by_day = false, by_night = false;

	assert(minute >= 0 && minute < NIGHT_MINUTES);
	for (size_t i = 0; i < day->count; i++) {
		const struct hours_span *s = &day->spans[i];

		by_day |= minute >= s->opens && minute < s->closes;
		by_night |= minute + DAY_MINUTES >= s->opens && minute + DAY_MINUTES < s->closes;
	}
	return by_night && !by_day ? minute + DAY_MINUTES : minute;
}

bool hours_may_last(const char *zone, struct date date, int64_t now_s)
{
	struct date today;
	int minute;

	return zone_to_local(zone, now_s, &today, &minute) && text_days(date) + 1 == text_days(today) &&
	       minute + DAY_MINUTES < NIGHT_MINUTES;
}

enum err hours_check(const struct settings *house, const struct hours_day *day, const char *zone, struct date date, int minute,
		     int64_t now_s, int64_t *starts_s)
{
	const struct hours_span *span;
	int64_t starts;
	enum err e;

	assert(minute >= 0 && minute < NIGHT_MINUTES);
	e = check_date(zone, date, minute, now_s);
	if (e != ERR_OK)
		return e;
	if (day->count == 0)
		return ERR_CLOSED_DAY;
	span = offers(day, house->slot_minutes, minute);
	if (!span || !zone_to_utc(zone, date, minute, &starts))
		return ERR_NO_SUCH_TIME;
	if (starts <= now_s)
		return ERR_PAST;
	if (starts - now_s < number_of(span, HOURS_OWN_lead_minutes, house->lead_minutes) * INT64_C(60))
		return ERR_TOO_SOON;
	*starts_s = starts;
	return ERR_OK;
}

enum err hours_check_staff(const struct hours_day *day, const char *zone, struct date date, int minute, int64_t now_s,
			   int64_t *starts_s)
{
	bool open = false;

	assert(minute >= 0 && minute < NIGHT_MINUTES);
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
	int minute, from = s->quiet_from * 60, to = s->quiet_to * 60;
	int64_t awake_s = now_s;
	struct date day;
	bool quiet;

	if (from == to || !zone_to_local(zone, now_s, &day, &minute))
		return now_s;
	quiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
	if (!quiet)
		return now_s;
	if (minute >= to)
		day = text_from_days(text_days(day) + 1);
	/* An hour that the clock skips: the next minute that it has. */
	while (to < NIGHT_MINUTES && !zone_to_utc(zone, day, to, &awake_s))
		to++;
	return awake_s;
}
