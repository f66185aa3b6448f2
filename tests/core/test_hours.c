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
	.spans = {{.opens = 17 * 60, .closes = 22 * 60, .label = "dinner"},
		  {.opens = 11 * 60, .closes = 14 * 60 + 30, .label = "lunch"}},
};
static const struct hours_day all_night = {.count = 1, .spans = {{.opens = 0, .closes = 6 * 60, .label = ""}}};
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
	const struct hours_day late = {.count = 1, .spans = {{.opens = 22 * 60, .closes = DAY_MINUTES, .label = ""}}};

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
	const struct hours_day day = {.count = 3,
				      .spans = {{.opens = 600, .closes = 780, .label = "lunch"},
						{.opens = 660, .closes = 840, .label = ""},
						{.opens = 690, .closes = 840, .label = "dinner"}}};
	struct hours_time times[HOURS_TIMES_MAX];

	(void)state;
	offers(&day, 60, seoul, tuesday, "10:00 11:00 11:30 12:00 12:30 13:00");
	assert_int_equal(hours_times(&day, 60, seoul, tuesday, times), 6);
	assert_string_equal(times[1].span->label, "lunch"); /* of the first span that has it */
}

static void a_time_carries_the_label_of_its_span(void **state)
{
	struct hours_time times[HOURS_TIMES_MAX];
	size_t n = hours_times(&lunch_and_dinner, 60, seoul, tuesday, times);

	(void)state;
	assert_int_equal(n, 8);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(times[i].span->label, times[i].minute < 15 * 60 ? "lunch" : "dinner");
}

static void many_overlapping_spans_do_not_push_the_evening_out(void **state)
{
	struct hours_time times[HOURS_TIMES_MAX];
	struct hours_day day = {.count = HOURS_SPANS_MAX};
	size_t n;

	(void)state;
	for (int i = 0; i < HOURS_SPANS_MAX; i++)
		day.spans[i] = (struct hours_span){.opens = i * 5, .closes = i + 1 < HOURS_SPANS_MAX ? 1200 : NIGHT_MINUTES};
	n = hours_times(&day, 5, seoul, tuesday, times);
	assert_int_equal(n, HOURS_TIMES_MAX);
	assert_int_equal(times[n - 1].minute, NIGHT_MINUTES - 5);
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
static void a_day_is_over_at_the_restaurants_midnight(void **state)
{
	const struct date yesterday = {2026, 1, 19}, tomorrow = {2026, 1, 21};
	int64_t midnight = at(seoul, tomorrow, "00:00");

	(void)state;
	for (int64_t now = at(seoul, tuesday, "00:00"); now < midnight; now += 599) {
		assert_int_equal(hours_check_date(seoul, yesterday, now), ERR_PAST);
		assert_int_equal(hours_check_date(seoul, tuesday, now), ERR_OK);
		assert_int_equal(hours_check_date(seoul, tomorrow, now), ERR_OK);
	}
	assert_int_equal(hours_check_date(seoul, tuesday, midnight), ERR_PAST);
}

static void a_day_that_is_over_says_so_before_the_hours_do(void **state)
{
	struct settings s = policy(30, 60);
	int64_t now = at(seoul, tuesday, "08:00");

	(void)state;
	assert_int_equal(check(&s, &closed, seoul, (struct date){2026, 1, 19}, "03:00", now), ERR_PAST);
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

static void quiet_hours_end_by_the_clock_on_the_wall(void **state)
{
	const struct date autumn = {2026, 10, 24}, spring = {2027, 3, 27};
	struct settings s;

	(void)state;
	settings_init(&s); /* 21:00 to 08:00 */
	assert_int_equal(hours_awake(&s, berlin, at(berlin, autumn, "22:00")), at(berlin, autumn, "22:00") + 11 * 3600);
	assert_int_equal(hours_awake(&s, berlin, at(berlin, spring, "22:00")), at(berlin, spring, "22:00") + 9 * 3600);
}

/* Saturday in Berlin: dinner until two in the morning. */
static const struct hours_day late_night = {.count = 1, .spans = {{.opens = 22 * 60, .closes = 28 * 60, .label = "dinner"}}};

static void an_evening_goes_on_past_midnight(void **state)
{
	(void)state;
	offers(&late_night, 60, seoul, tuesday, "22:00 23:00 24:00 25:00 26:00 27:00");
	/* The hour that Berlin has twice is offered once, at its first time; the one that it skips is not. */
	offers(&late_night, 60, berlin, (struct date){2026, 10, 24}, "22:00 23:00 24:00 25:00 26:00 27:00");
	offers(&late_night, 60, berlin, (struct date){2027, 3, 27}, "22:00 23:00 24:00 25:00 27:00");
}

static void a_time_after_midnight_can_be_booked_until_it_begins(void **state)
{
	struct settings s = policy(30, 1);
	const struct date wednesday = {2026, 1, 21};
	int64_t midnight = at(seoul, tuesday, "24:00");

	(void)state;
	assert_int_equal(check(&s, &late_night, seoul, tuesday, "25:00", midnight - 3600), ERR_OK);
	assert_int_equal(check(&s, &late_night, seoul, tuesday, "25:00", midnight + 1800), ERR_OK); /* it is Wednesday by now */
	assert_int_equal(check(&s, &late_night, seoul, tuesday, "25:00", midnight + 1801), ERR_TOO_SOON);
	assert_int_equal(check(&s, &late_night, seoul, tuesday, "25:00", midnight + 3600), ERR_PAST);
	assert_int_equal(check(&s, &late_night, seoul, tuesday, "23:00", midnight), ERR_PAST);
	assert_true(hours_may_last(seoul, tuesday, midnight) && hours_may_last(seoul, tuesday, midnight + 6 * 3600 - 1));
	assert_false(hours_may_last(seoul, tuesday, midnight - 1) || hours_may_last(seoul, tuesday, midnight + 6 * 3600) ||
		     hours_may_last(seoul, wednesday, midnight));
}

static void staff_may_use_every_minute_of_the_night(void **state)
{
	int64_t starts, midnight = at(seoul, tuesday, "24:00");

	(void)state;
	assert_int_equal(hours_check_staff(&late_night, seoul, tuesday, 27 * 60 + 59, midnight, &starts), ERR_OK);
	assert_int_equal(starts, midnight + 4 * 3600 - 60);
	assert_int_equal(hours_check_staff(&late_night, seoul, tuesday, 28 * 60, midnight, &starts), ERR_NO_SUCH_TIME);
}

static void it_is_the_evening_before_while_its_service_lasts(void **state)
{
	(void)state;
	assert_int_equal(hours_evenings_back(&late_night, 0), 1);
	assert_int_equal(hours_evenings_back(&late_night, 3 * 60 + 59), 1);
	assert_int_equal(hours_evenings_back(&late_night, 4 * 60), 0);
	assert_int_equal(hours_evenings_back(&late_night, 23 * 60), 0);
	assert_int_equal(hours_evenings_back(&lunch_and_dinner, 0), 0);
	assert_int_equal(hours_evenings_back(&closed, 0), 0);
}

static void a_clocks_time_after_midnight_is_one_of_the_evening(void **state)
{
	const struct hours_day both = {.count = 2,
				       .spans = {{.opens = 1 * 60, .closes = 3 * 60, .label = ""},
						 {.opens = 22 * 60, .closes = 28 * 60, .label = "dinner"}}};

	(void)state;
	assert_int_equal(hours_minute(&late_night, 30), 24 * 60 + 30);
	assert_int_equal(hours_minute(&late_night, 4 * 60), 4 * 60);
	assert_int_equal(hours_minute(&late_night, 23 * 60), 23 * 60);
	assert_int_equal(hours_minute(&late_night, 25 * 60), 25 * 60);
	assert_int_equal(hours_minute(&both, 2 * 60), 2 * 60);
	assert_int_equal(hours_minute(&closed, 30), 30);
}

static void guests_are_seated_up_to_the_last_seating(void **state)
{
	struct hours_day day = {.count = 1, .spans = {{17 * 60, 23 * 60, "dinner", .has_last = true, .last = 21 * 60 + 30}}};
	struct settings s = policy(0, 60);
	int64_t now = at(seoul, tuesday, "10:00"), starts;

	(void)state;
	offers(&day, 60, seoul, tuesday, "17:00 18:00 19:00 20:00 21:00");
	assert_int_equal(check(&s, &day, seoul, tuesday, "22:00", now), ERR_NO_SUCH_TIME);
	assert_int_equal(hours_check_staff(&day, seoul, tuesday, 22 * 60, now, &starts),
			 ERR_OK);         /* staff know whom they let in */
	day.spans[0].last = 22 * 60 + 30; /* a stay may end after closing then */
	offers(&day, 90, seoul, tuesday, "17:00 18:30 20:00 21:30");
	day.spans[0].last = 23 * 60; /* nobody comes when the house closes */
	offers(&day, 60, seoul, tuesday, "17:00 18:00 19:00 20:00 21:00 22:00");
}

static void a_service_has_its_own_numbers_or_the_houses(void **state)
{
	struct hours_day day = lunch_and_dinner;
	struct hours_span *dinner = &day.spans[0];
	struct settings house = policy(30, 60), set;
	int64_t now = at(seoul, tuesday, "16:00");

	(void)state;
	hours_settings(&house, dinner, &set);
	assert_memory_equal(&set, &house, sizeof set);
	hours_set_own(dinner, HOURS_OWN_slot_minutes, 90);
	hours_set_own(dinner, HOURS_OWN_lead_minutes, 120);
	hours_set_own(dinner, HOURS_OWN_party_max, 4);
	hours_set_own(dinner, HOURS_OWN_deposit_per_person, 0);
	offers(&day, 60, seoul, tuesday, "11:00 12:00 13:00 17:00 18:30 20:00");
	hours_settings(&house, hours_service(&day, &house, 18 * 60 + 30), &set);
	assert_int_equal(set.slot_minutes, 90);
	assert_int_equal(set.lead_minutes, 120);
	assert_int_equal(set.deposit_per_person, 0);
	assert_int_equal(set.reservation_limit, house.reservation_limit);
	assert_ptr_equal(hours_service(&day, &house, 18 * 60 + 7), dinner); /* staff's minutes belong to it as well */
	assert_null(hours_service(&day, &house, 15 * 60));
	hours_settings(&house, NULL, &set);
	assert_memory_equal(&set, &house, sizeof set);
	assert_int_equal(check(&house, &day, seoul, tuesday, "17:00", now), ERR_TOO_SOON);
	assert_int_equal(check(&house, &day, seoul, tuesday, "18:00", now), ERR_NO_SUCH_TIME);
	assert_int_equal(check(&house, &day, seoul, tuesday, "18:30", now), ERR_OK);
	assert_true(hours_takes(dinner, 4) && !hours_takes(dinner, 5) && hours_takes(&day.spans[1], 1000));
	hours_set_own(dinner, HOURS_OWN_party_min, 2);
	assert_true(hours_takes(dinner, 2) && !hours_takes(dinner, 1));
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
		cmocka_unit_test(a_day_is_over_at_the_restaurants_midnight),
		cmocka_unit_test(a_day_that_is_over_says_so_before_the_hours_do),
		cmocka_unit_test(an_unknown_zone_is_our_fault_not_the_guests),
		cmocka_unit_test(an_evening_goes_on_past_midnight),
		cmocka_unit_test(a_time_after_midnight_can_be_booked_until_it_begins),
		cmocka_unit_test(staff_may_use_every_minute_of_the_night),
		cmocka_unit_test(it_is_the_evening_before_while_its_service_lasts),
		cmocka_unit_test(a_clocks_time_after_midnight_is_one_of_the_evening),
		cmocka_unit_test(guests_are_seated_up_to_the_last_seating),
		cmocka_unit_test(a_service_has_its_own_numbers_or_the_houses),
		cmocka_unit_test(quiet_hours_end_in_the_morning_of_the_restaurant),
		cmocka_unit_test(quiet_hours_end_by_the_clock_on_the_wall),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
