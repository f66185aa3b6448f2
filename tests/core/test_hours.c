/*
 * test_hours.c - which times a day offers, and which of them can be booked at this moment.
 */
#include "hours.h"

#include "unit.h"
#include "zone.h"

#include <stdio.h>
#include <string.h>

static const char seoul[] = "Asia/Seoul", berlin[] = "Europe/Berlin";
static const struct date tuesday = {2026, 1, 20};

static const struct hours_day lunch_and_dinner = {
	.count = 2,
	.spans = {{17 * 60, 22 * 60, "dinner"}, {11 * 60, 14 * 60 + 30, "lunch"}},
};
static const struct hours_day all_night = {.count = 1, .spans = {{0, 6 * 60, ""}}};
static const struct hours_day closed = {.count = 0};

/* "11:00 11:30 ..." */
static void offers(const struct hours_day *day, int slot_minutes, const char *zone, struct date date, const char *want)
{
	struct hours_time times[HOURS_TIMES_MAX];
	char got[HOURS_TIMES_MAX * TEXT_TIME_SIZE + 1] = "";
	size_t n = hours_times(day, slot_minutes, zone, date, times);

	for (size_t i = 0; i < n; i++) {
		text_put_time(times[i].minute, got + 6 * i);
		got[6 * i + 5] = i + 1 < n ? ' ' : '\0';
	}
	assert_string_equal(got, want);
}

static int64_t at(const char *zone, struct date date, const char *time)
{
	int64_t instant;
	int minute;

	assert_true(text_time(time, &minute));
	assert_true(zone_to_utc(zone, date, minute, &instant));
	return instant;
}

static struct settings policy(int lead_minutes, int window_days)
{
	struct settings s;

	settings_init(&s);
	s.lead_minutes = lead_minutes;
	s.window_days = window_days;
	return s;
}

/* hours_check with the promise that *starts_s is touched by success alone. */
static enum err check(const struct settings *s, const struct hours_day *day, const char *zone, struct date date,
		      const char *time, int64_t now_s)
{
	int64_t starts = 99;
	int minute;
	enum err e;

	assert_true(text_time(time, &minute));
	e = hours_check(s, day, zone, date, minute, now_s, &starts);
	assert_true(starts == (e == ERR_OK ? at(zone, date, time) : 99));
	return e;
}

static void lunch_and_dinner_are_offered_in_order(void **state)
{
	(void)state;
	offers(&lunch_and_dinner, 60, seoul, tuesday, "11:00 12:00 13:00 17:00 18:00 19:00 20:00 21:00");
}

static void a_stay_ends_by_closing_time(void **state)
{
	(void)state;
	offers(&lunch_and_dinner, 90, seoul, tuesday, "11:00 12:30 17:00 18:30 20:00");
	offers(&lunch_and_dinner, 210, seoul, tuesday, "11:00 17:00");
	offers(&lunch_and_dinner, 211, seoul, tuesday, "17:00");
	offers(&lunch_and_dinner, 301, seoul, tuesday, "");
}

static void a_house_may_close_at_midnight(void **state)
{
	const struct hours_day late = {.count = 1, .spans = {{22 * 60, DAY_MINUTES, ""}}};

	(void)state;
	offers(&late, 60, seoul, tuesday, "22:00 23:00");
	offers(&late, 50, seoul, tuesday, "22:00 22:50");
}

static void a_closed_day_offers_nothing(void **state)
{
	(void)state;
	offers(&closed, 60, seoul, tuesday, "");
}

static void overlapping_spans_offer_a_time_once(void **state)
{
	const struct hours_day day = {.count = 3, .spans = {{600, 780, "lunch"}, {660, 840, ""}, {690, 840, "dinner"}}};
	struct hours_time times[HOURS_TIMES_MAX];

	(void)state;
	offers(&day, 60, seoul, tuesday, "10:00 11:00 11:30 12:00 12:30 13:00");
	assert_int_equal(hours_times(&day, 60, seoul, tuesday, times), 6);
	assert_string_equal(times[1].label, "lunch"); /* of the first span that has it */
}

static void a_time_carries_the_label_of_its_span(void **state)
{
	struct hours_time times[HOURS_TIMES_MAX];
	size_t n = hours_times(&lunch_and_dinner, 60, seoul, tuesday, times);

	(void)state;
	assert_int_equal(n, 8);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(times[i].label, times[i].minute < 15 * 60 ? "lunch" : "dinner");
}

static void many_overlapping_spans_do_not_push_the_evening_out(void **state)
{
	struct hours_time times[HOURS_TIMES_MAX];
	struct hours_day day = {.count = HOURS_SPANS_MAX};
	size_t n;

	(void)state;
	for (int i = 0; i < HOURS_SPANS_MAX; i++)
		day.spans[i] = (struct hours_span){i * 5, i + 1 < HOURS_SPANS_MAX ? 1200 : DAY_MINUTES, ""};
	n = hours_times(&day, 5, seoul, tuesday, times);
	assert_int_equal(n, HOURS_TIMES_MAX);
	assert_int_equal(times[n - 1].minute, DAY_MINUTES - 5);
}

static void the_hour_the_clock_skips_is_left_out(void **state)
{
	const struct date spring = {2026, 3, 29}, autumn = {2026, 10, 25};
	struct settings s = policy(0, 365);
	int64_t now = at(berlin, (struct date){2026, 3, 28}, "12:00");

	(void)state;
	offers(&all_night, 60, berlin, spring, "00:00 01:00 03:00 04:00 05:00");
	offers(&all_night, 60, berlin, autumn, "00:00 01:00 02:00 03:00 04:00 05:00");
	offers(&all_night, 60, seoul, spring, "00:00 01:00 02:00 03:00 04:00 05:00");
	assert_int_equal(check(&s, &all_night, berlin, spring, "02:00", now), ERR_NO_SUCH_TIME);
	assert_int_equal(check(&s, &all_night, berlin, spring, "03:00", now), ERR_OK);
	assert_int_equal(check(&s, &all_night, berlin, autumn, "02:00", now), ERR_OK);
}

static void only_an_offered_time_can_be_booked(void **state)
{
	struct settings s = policy(30, 60);
	int64_t now = at(seoul, tuesday, "08:00");

	(void)state;
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "11:00", now), ERR_OK);
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "21:00", now), ERR_OK);
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "11:01", now), ERR_NO_SUCH_TIME);
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "14:00", now), ERR_NO_SUCH_TIME);
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "22:00", now), ERR_NO_SUCH_TIME);
	assert_int_equal(check(&s, &closed, seoul, tuesday, "11:00", now), ERR_CLOSED_DAY);
}

static void bookings_close_the_lead_time_before_the_slot(void **state)
{
	struct settings s = policy(30, 60);
	int64_t eleven = at(seoul, tuesday, "11:00");

	(void)state;
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "11:00", eleven - 1800), ERR_OK);
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "11:00", eleven - 1799), ERR_TOO_SOON);
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "11:00", eleven - 1), ERR_TOO_SOON);
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "11:00", eleven), ERR_PAST);
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "12:00", eleven), ERR_OK);
	s.lead_minutes = 0;
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "11:00", eleven - 1), ERR_OK);
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "11:00", eleven), ERR_PAST);
	s.lead_minutes = 525600;
	s.window_days = 730;
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "11:00", eleven - 525600 * 60 + 1), ERR_TOO_SOON);
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, tuesday, "11:00", eleven - 525600 * 60), ERR_OK);
}

/* Midnight in Seoul is 15:00 in UTC: the day must turn there and nowhere else. */
static void the_window_counts_local_calendar_days(void **state)
{
	const struct date yesterday = {2026, 1, 19}, tomorrow = {2026, 1, 21}, after = {2026, 1, 22};
	struct settings s = policy(30, 1);
	int64_t midnight = at(seoul, tomorrow, "00:00");

	(void)state;
	for (int64_t now = at(seoul, tuesday, "00:00"); now < midnight; now += 599) {
		assert_int_equal(hours_check_date(&s, seoul, yesterday, now), ERR_PAST);
		assert_int_equal(hours_check_date(&s, seoul, tuesday, now), ERR_OK);
		assert_int_equal(hours_check_date(&s, seoul, tomorrow, now), ERR_OK);
		assert_int_equal(hours_check_date(&s, seoul, after, now), ERR_TOO_FAR);
	}
	assert_int_equal(hours_check_date(&s, seoul, after, midnight - 1), ERR_TOO_FAR);
	assert_int_equal(hours_check_date(&s, seoul, after, midnight), ERR_OK);
	assert_int_equal(hours_check_date(&s, seoul, tuesday, midnight), ERR_PAST);
	s.window_days = 0;
	assert_int_equal(hours_check_date(&s, seoul, tomorrow, midnight - 1), ERR_TOO_FAR);
	assert_int_equal(hours_check_date(&s, seoul, tomorrow, midnight), ERR_OK);
}

static void the_window_opens_on_the_day_however_long_the_days_were(void **state)
{
	struct settings s = policy(30, 60);
	const struct date day = {2026, 4, 20}, opens = {2026, 2, 19};

	(void)state;
	assert_int_equal(text_days(day) - text_days(opens), 60);
	assert_int_equal(hours_check_date(&s, berlin, day, at(berlin, opens, "00:00")), ERR_OK);
	assert_int_equal(hours_check_date(&s, berlin, day, at(berlin, opens, "00:00") - 1), ERR_TOO_FAR);
}

static void a_day_out_of_reach_says_so_before_the_hours_do(void **state)
{
	struct settings s = policy(30, 60);
	int64_t now = at(seoul, tuesday, "08:00");

	(void)state;
	assert_int_equal(check(&s, &closed, seoul, (struct date){2026, 1, 19}, "03:00", now), ERR_PAST);
	assert_int_equal(check(&s, &closed, seoul, (struct date){2026, 3, 22}, "03:00", now), ERR_TOO_FAR);
	assert_int_equal(check(&s, &lunch_and_dinner, seoul, (struct date){2026, 3, 21}, "11:00", now), ERR_OK);
}

static void an_unknown_zone_is_our_fault_not_the_guests(void **state)
{
	struct settings s = policy(30, 60);
	int64_t starts = 99;

	(void)state;
	assert_int_equal(hours_check(&s, &lunch_and_dinner, "Mars/Olympus", tuesday, 660, 0, &starts), ERR_INTERNAL);
	assert_int_equal(starts, 99);
}

static void quiet_hours_end_in_the_morning_of_the_restaurant(void **state)
{
	struct settings s;
	int64_t noon = INT64_C(1768878000); /* 2026-01-20T03:00:00Z, noon in Seoul */

	(void)state;
	settings_init(&s);
	assert_int_equal(s.quiet_from, 21);
	assert_int_equal(hours_awake(&s, "Asia/Seoul", noon), noon);
	assert_int_equal(hours_awake(&s, "Asia/Seoul", noon + 9 * 3600 - 1), noon + 9 * 3600 - 1);  /* 20:59:59 */
	assert_int_equal(hours_awake(&s, "Asia/Seoul", noon + 9 * 3600), noon + 20 * 3600);         /* 21:00 */
	assert_int_equal(hours_awake(&s, "Asia/Seoul", noon + 15 * 3600 + 1234), noon + 20 * 3600); /* after midnight */
	assert_int_equal(hours_awake(&s, "Asia/Seoul", noon + 20 * 3600), noon + 20 * 3600);        /* 08:00 */
	s.quiet_from = s.quiet_to = 0;
	assert_int_equal(hours_awake(&s, "Asia/Seoul", noon + 15 * 3600), noon + 15 * 3600);
	s.quiet_from = 1;
	s.quiet_to = 5; /* within one day */
	assert_int_equal(hours_awake(&s, "Asia/Seoul", noon + 14 * 3600), noon + 17 * 3600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lunch_and_dinner_are_offered_in_order),
		cmocka_unit_test(a_stay_ends_by_closing_time),
		cmocka_unit_test(a_house_may_close_at_midnight),
		cmocka_unit_test(a_closed_day_offers_nothing),
		cmocka_unit_test(overlapping_spans_offer_a_time_once),
		cmocka_unit_test(a_time_carries_the_label_of_its_span),
		cmocka_unit_test(many_overlapping_spans_do_not_push_the_evening_out),
		cmocka_unit_test(the_hour_the_clock_skips_is_left_out),
		cmocka_unit_test(only_an_offered_time_can_be_booked),
		cmocka_unit_test(bookings_close_the_lead_time_before_the_slot),
		cmocka_unit_test(the_window_counts_local_calendar_days),
		cmocka_unit_test(the_window_opens_on_the_day_however_long_the_days_were),
		cmocka_unit_test(a_day_out_of_reach_says_so_before_the_hours_do),
		cmocka_unit_test(an_unknown_zone_is_our_fault_not_the_guests),
		cmocka_unit_test(quiet_hours_end_in_the_morning_of_the_restaurant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
