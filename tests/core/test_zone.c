/*
 * test_zone.c - local times in the nights when the clock jumps, and zone names that are none.
 */
#include "zone.h"

#include "clock.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static int64_t instant(const char *iso)
{
	int64_t at;

	assert_true(clock_parse_iso(iso, &at));
	return at;
}

static bool to_utc(const char *zone, const char *day, const char *time, int64_t *at)
{
	struct date d;
	int minute;

	assert_true(text_date(day, &d));
	assert_true(text_time(time, &minute));
	return zone_to_utc(zone, d, minute, at);
}

static void means(const char *zone, const char *day, const char *time, const char *iso)
{
	char text[CLOCK_ISO_SIZE];
	int64_t at;

	assert_true(to_utc(zone, day, time, &at));
	clock_iso(at, text);
	assert_string_equal(text, iso);
}

static void is_skipped(const char *zone, const char *day, const char *time)
{
	int64_t at = 99;

	assert_false(to_utc(zone, day, time, &at));
	assert_int_equal(at, 99);
}

static void seoul_is_nine_hours_ahead(void **state)
{
	(void)state;
	means("Asia/Seoul", "2026-01-20", "11:00", "2026-01-20T02:00:00Z");
	means("Asia/Seoul", "2026-07-20", "00:00", "2026-07-19T15:00:00Z");
	means("Asia/Seoul", "1970-01-01", "09:00", "1970-01-01T00:00:00Z");
	assert_int_equal(zone_offset_minutes("Asia/Seoul", 0), 540);
}

/* Past the last second that 32 bits hold, signed (2038) and unsigned (2106). */
static void the_calendar_goes_on_where_32_bits_end(void **state)
{
	struct date day;
	int minute;

	(void)state;
	means("Asia/Seoul", "2040-02-29", "18:00", "2040-02-29T09:00:00Z");
	means("Asia/Seoul", "2110-12-31", "18:00", "2110-12-31T09:00:00Z");
	means("Europe/Berlin", "2040-07-01", "18:00", "2040-07-01T16:00:00Z");
	is_skipped("Europe/Berlin", "2040-03-25", "02:30");
	assert_true(zone_to_local("Europe/Berlin", INT64_C(4449510000), &day, &minute));
	assert_int_equal(day.year, 2111);
	assert_int_equal(minute, 0);
}

static void a_skipped_time_does_not_exist(void **state)
{
	(void)state;
	means("Europe/Berlin", "2026-03-29", "01:59", "2026-03-29T00:59:00Z");
	is_skipped("Europe/Berlin", "2026-03-29", "02:00");
	is_skipped("Europe/Berlin", "2026-03-29", "02:30");
	is_skipped("Europe/Berlin", "2026-03-29", "02:59");
	means("Europe/Berlin", "2026-03-29", "03:00", "2026-03-29T01:00:00Z");
	is_skipped("America/New_York", "2026-03-08", "02:30");
	means("America/New_York", "2026-03-08", "03:00", "2026-03-08T07:00:00Z");
	means("Asia/Seoul", "2026-03-29", "02:30", "2026-03-28T17:30:00Z");
}

/* Summer and winter are asked in between, so that no guess the C library remembers can help. */
static void a_time_shown_twice_means_the_first(void **state)
{
	static const char *const seasons[] = {"2026-01-15", "2026-07-15"};
	int64_t at;

	(void)state;
	for (size_t i = 0; i < COUNT(seasons); i++) {
		assert_true(to_utc("Europe/Berlin", seasons[i], "12:00", &at));
		means("Europe/Berlin", "2026-10-25", "02:30", "2026-10-25T00:30:00Z");
		means("Europe/Berlin", "2026-10-25", "02:00", "2026-10-25T00:00:00Z");
		means("Europe/Berlin", "2026-10-25", "03:00", "2026-10-25T02:00:00Z");
		assert_true(to_utc("America/New_York", seasons[i], "12:00", &at));
		means("America/New_York", "2026-11-01", "01:30", "2026-11-01T05:30:00Z");
	}
}

static void lord_howe_jumps_by_half_an_hour(void **state)
{
	(void)state;
	means("Australia/Lord_Howe", "2026-04-05", "01:29", "2026-04-04T14:29:00Z");
	means("Australia/Lord_Howe", "2026-04-05", "01:30", "2026-04-04T14:30:00Z");
	means("Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-04T14:45:00Z");
	means("Australia/Lord_Howe", "2026-04-05", "02:00", "2026-04-04T15:30:00Z");
	is_skipped("Australia/Lord_Howe", "2026-10-04", "02:15");
	means("Australia/Lord_Howe", "2026-10-04", "02:30", "2026-10-03T15:30:00Z");
}

static void a_skipped_day_has_no_times(void **state)
{
	(void)state;
	means("Pacific/Apia", "2011-12-29", "23:59", "2011-12-30T09:59:00Z");
	is_skipped("Pacific/Apia", "2011-12-30", "00:00");
	is_skipped("Pacific/Apia", "2011-12-30", "12:00");
	means("Pacific/Apia", "2011-12-31", "00:00", "2011-12-30T10:00:00Z");
}

/* The definition itself, by walking UTC: first[] is when the wall first shows each local quarter hour. */
static void every_local_time_means_its_first_instant_or_nothing(void **state)
{
	static const char *const zones[] = {
		"Europe/Berlin",     "America/New_York",   "Asia/Seoul",        "Australia/Lord_Howe", "America/Santiago",
		"Africa/Casablanca", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu",      "America/St_Johns"};
	enum { QUARTERS = 367 * 96 };
	int64_t begin = instant("2025-12-31T00:00:00Z"), *first = malloc(QUARTERS * sizeof *first);
	struct date day;
	int minute;

	(void)state;
	assert_non_null(first);
	for (size_t z = 0; z < COUNT(zones); z++) {
		for (size_t i = 0; i < QUARTERS; i++)
			first[i] = 0;
		for (int64_t at = begin - 86400; at < begin + QUARTERS * 900 + 86400; at += 900) {
			int64_t i;

			assert_true(zone_to_local(zones[z], at, &day, &minute));
			i = (text_days(day) - begin / 86400) * 96 + minute / 15;
			assert_int_equal(minute % 15, 0);
			if (i >= 0 && i < QUARTERS && !first[i])
				first[i] = at;
		}
		for (int i = 0; i < QUARTERS; i++) {
			int64_t at = 0;
			bool exists = zone_to_utc(zones[z], text_from_days(begin / 86400 + i / 96), i % 96 * 15, &at);

			assert_true(exists == (first[i] != 0));
			assert_true(at == first[i]);
		}
	}
	free(first);
}

static void instants_become_local_days_and_minutes(void **state)
{
	struct date day;
	int minute;

	(void)state;
	assert_true(zone_to_local("Asia/Seoul", instant("2026-01-19T15:00:59Z"), &day, &minute));
	assert_true(day.year == 2026 && day.month == 1 && day.day == 20 && minute == 0);
	assert_true(zone_to_local("America/New_York", instant("2027-01-01T04:59:00Z"), &day, &minute));
	assert_true(day.year == 2026 && day.month == 12 && day.day == 31 && minute == DAY_MINUTES - 1);
}

static void offsets_follow_the_season(void **state)
{
	int64_t winter = instant("2026-01-15T00:00:00Z"), summer = instant("2026-07-15T00:00:00Z");

	(void)state;
	assert_int_equal(zone_offset_minutes("Europe/Berlin", winter), 60);
	assert_int_equal(zone_offset_minutes("Europe/Berlin", summer), 120);
	assert_int_equal(zone_offset_minutes("America/St_Johns", winter), -210);
	assert_int_equal(zone_offset_minutes("Asia/Kathmandu", summer), 345);
	assert_int_equal(zone_offset_minutes("Mars/Olympus", summer), 0);
}

static void names_that_are_no_zones_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"Mars/Olympus",
		"Europe",
		"America",
		"America/Argentina",
		"Europe/",
		"leapseconds",
		"zone.tab",
		"/etc/passwd",
		"/usr/share/zoneinfo/Asia/Seoul",
		"../../../etc/passwd",
		"Europe/../Europe/Berlin",
		"..",
		".",
		"Asia/Seoul ",
		" Asia/Seoul",
		"Asia/Seoul\n",
		":Asia/Seoul",
		"KST-9",
		"<KST>-9",
		"asia/seoul\\",
		"Asia/S\xC3\xA9oul",
		"right/Asia/Seoul",
		"Asia////////////////////////////////////////////////////////////Seoul",
		"Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	};
	struct date day = {2026, 1, 20};
	int64_t at = 99;
	int minute = 99;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		if (zone_exists(bad[i]))
			fail_msg("taken: %s", bad[i]);
		assert_false(zone_to_utc(bad[i], day, 0, &at));
		assert_false(zone_to_local(bad[i], 0, &day, &minute));
	}
	assert_true(at == 99 && minute == 99 && day.year == 2026);
}

static void names_that_only_this_machine_knows_are_not_public(void **state)
{
	static const char *const ours[] = {"posix/Asia/Seoul", "posixrules", "localtime", "Factory", "Mars/Olympus", ""};

	(void)state;
	assert_true(zone_is_public("Asia/Seoul") && zone_is_public("Etc/GMT-9") && zone_is_public("UTC"));
	for (size_t i = 0; i < COUNT(ours); i++)
		assert_false(zone_is_public(ours[i]));
}

static void a_time_past_midnight_is_one_of_the_day_after(void **state)
{
	(void)state;
	means("Asia/Seoul", "2026-01-20", "24:00", "2026-01-20T15:00:00Z");
	means("Asia/Seoul", "2026-12-31", "24:30", "2026-12-31T15:30:00Z");
	means("Asia/Seoul", "2026-01-20", "29:59", "2026-01-20T20:59:00Z");
	/* Berlin shows 02:00 to 03:00 twice in the night to 25 October 2026, ... */
	means("Europe/Berlin", "2026-10-24", "24:30", "2026-10-24T22:30:00Z");
	means("Europe/Berlin", "2026-10-24", "26:30", "2026-10-25T00:30:00Z");
	means("Europe/Berlin", "2026-10-24", "27:00", "2026-10-25T02:00:00Z");
	means("Europe/Berlin", "2026-10-25", "24:30", "2026-10-25T23:30:00Z");
	/* ... and skips that hour in the night to 28 March 2027. */
	means("Europe/Berlin", "2027-03-27", "25:59", "2027-03-28T00:59:00Z");
	is_skipped("Europe/Berlin", "2027-03-27", "26:00");
	is_skipped("Europe/Berlin", "2027-03-27", "26:59");
	means("Europe/Berlin", "2027-03-27", "27:00", "2027-03-28T01:00:00Z");
}

static void a_refused_name_does_not_disturb_the_next(void **state)
{
	(void)state;
	means("Asia/Seoul", "2026-01-20", "11:00", "2026-01-20T02:00:00Z");
	assert_false(zone_exists("Mars/Olympus"));
	assert_int_equal(zone_offset_minutes("Mars/Olympus", 0), 0);
	means("Asia/Seoul", "2026-01-20", "11:00", "2026-01-20T02:00:00Z");
	means("UTC", "2026-01-20", "11:00", "2026-01-20T11:00:00Z");
	means("Asia/Seoul", "2026-01-20", "11:00", "2026-01-20T02:00:00Z");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seoul_is_nine_hours_ahead),
		cmocka_unit_test(the_calendar_goes_on_where_32_bits_end),
		cmocka_unit_test(a_skipped_time_does_not_exist),
		cmocka_unit_test(a_time_shown_twice_means_the_first),
		cmocka_unit_test(lord_howe_jumps_by_half_an_hour),
		cmocka_unit_test(a_skipped_day_has_no_times),
		cmocka_unit_test(every_local_time_means_its_first_instant_or_nothing),
		cmocka_unit_test(instants_become_local_days_and_minutes),
		cmocka_unit_test(offsets_follow_the_season),
		cmocka_unit_test(names_that_are_no_zones_are_refused),
		cmocka_unit_test(names_that_only_this_machine_knows_are_not_public),
		cmocka_unit_test(a_time_past_midnight_is_one_of_the_day_after),
		cmocka_unit_test(a_refused_name_does_not_disturb_the_next),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
