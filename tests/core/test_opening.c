/*
 * test_opening.c - from which instant on a date can be booked: by the window, by an opening, across changes of the clock.
 */
#include "opening.h"

#include "clock.h"
#include "unit.h"
#include "zone.h"

#include <stdlib.h>

static const char seoul[] = "Asia/Seoul", berlin[] = "Europe/Berlin";
enum { HOUR = 3600 };

static int64_t at(const char *zone, const char *day, const char *time)
{
	struct date date;
	int64_t instant;
	int minute = 0;

	assert_true(text_date(day, &date) && text_time(time, &minute));
	assert_true(zone_to_utc(zone, date, minute, &instant));
	return instant;
}

static struct settings rule(int window_days, int opens_at_minute)
{
	struct settings s;

	settings_init(&s);
	s.window_days = window_days;
	s.opens_at_minute = opens_at_minute;
	return s;
}

static enum err ask(const struct settings *s, const char *zone, const char *day, int64_t row_s, int64_t at_ms, int64_t *opens_s)
{
	struct opening o;
	struct date date;

	assert_true(text_date(day, &date));
	o = opening_of(s, zone, date, row_s);
	return opening_check(&o, at_ms, 0, opens_s);
}

/* The day can be booked from that instant on, and not a millisecond earlier: before, this is said. */
static void opens(const struct settings *s, const char *zone, const char *day, int64_t row_s, int64_t instant, enum err before)
{
	int64_t opens_s = 99;

	assert_int_equal(ask(s, zone, day, row_s, instant * 1000 - 1, &opens_s), before);
	assert_int_equal(opens_s, before == ERR_NOT_YET ? instant : 0);
	assert_int_equal(ask(s, zone, day, row_s, instant * 1000, &opens_s), ERR_OK);
	assert_int_equal(opens_s, before == ERR_NOT_YET ? instant : 0);
}

static void without_a_rule_of_its_own_the_window_opens_at_midnight_and_tells_no_moment(void **state)
{
	struct settings s = rule(1, 0), today_only = rule(0, 0), two_months = rule(60, 0);
	int64_t opens_s;

	(void)state;
	for (int64_t now = at(seoul, "2026-01-20", "00:00"); now < at(seoul, "2026-01-21", "00:00"); now += 599) {
		assert_int_equal(ask(&s, seoul, "2026-01-21", 0, now * 1000, &opens_s), ERR_OK);
		assert_int_equal(ask(&s, seoul, "2026-01-22", 0, now * 1000, &opens_s), ERR_TOO_FAR);
	}
	opens(&s, seoul, "2026-01-22", 0, at(seoul, "2026-01-21", "00:00"), ERR_TOO_FAR);
	opens(&today_only, seoul, "2026-01-22", 0, at(seoul, "2026-01-22", "00:00"), ERR_TOO_FAR);
	/* however long the days in between were */
	opens(&two_months, berlin, "2026-04-20", 0, at(berlin, "2026-02-19", "00:00"), ERR_TOO_FAR);
	assert_int_equal(ask(&s, seoul, "2099-01-20", 0, at(seoul, "2026-01-20", "12:00") * 1000, &opens_s), ERR_TOO_FAR);
}

static void a_new_day_opens_at_its_time_of_day(void **state)
{
	struct settings s = rule(30, 10 * 60);
	int64_t ten = at(seoul, "2026-11-01", "10:00"), opens_s;

	(void)state;
	opens(&s, seoul, "2026-12-01", 0, ten, ERR_NOT_YET);
	assert_int_equal(ask(&s, seoul, "2026-11-30", 0, ten * 1000 - 1, &opens_s), ERR_OK);
	/* Moments of the next month are told, later ones are not. */
	assert_int_equal(ask(&s, seoul, "2027-01-01", 0, ten * 1000, &opens_s), ERR_NOT_YET);
	assert_int_equal(opens_s, ten + 31 * 24 * HOUR);
	assert_int_equal(ask(&s, seoul, "2027-01-02", 0, ten * 1000, &opens_s), ERR_TOO_FAR);
	assert_int_equal(opens_s, 0);
}

static void an_opening_counts_whatever_the_window_says(void **state)
{
	struct settings near = rule(3, 0), far = rule(300, 600);
	int64_t moment = at(seoul, "2026-11-01", "10:00"), opens_s;

	(void)state;
	opens(&near, seoul, "2026-12-24", moment, moment, ERR_NOT_YET); /* earlier than the window would */
	opens(&far, seoul, "2026-12-24", moment, moment, ERR_NOT_YET);  /* later */
	assert_int_equal(ask(&near, seoul, "2028-11-01", moment, moment * 1000 - 1000 * INT64_C(86400) * 365, &opens_s),
			 ERR_NOT_YET);
}

static void a_time_that_the_clock_skips_means_the_first_one_after_it(void **state)
{
	struct settings s = rule(0, 2 * 60 + 30), beirut = rule(0, 0);
	int64_t instant;

	(void)state;
	/* In Berlin 02:00 is 03:00 on 29 March 2026; in Beirut the same day has no midnight. */
	opens(&s, berlin, "2026-03-29", 0, at(berlin, "2026-03-29", "03:00"), ERR_NOT_YET);
	opens(&beirut, "Asia/Beirut", "2026-03-29", 0, at("Asia/Beirut", "2026-03-29", "01:00"), ERR_TOO_FAR);
	/* What it shows twice is the first. */
	assert_true(opening_instant(berlin, (struct date){2026, 10, 25}, 150, &instant));
	assert_int_equal(instant, at(berlin, "2026-10-25", "01:59") + 31 * 60);
	/* Samoa had no 30 December 2011. */
	assert_true(opening_instant("Pacific/Apia", (struct date){2011, 12, 30}, 600, &instant));
	assert_int_equal(instant, at("Pacific/Apia", "2011-12-31", "00:00"));
	assert_false(opening_instant("Mars/Olympus", (struct date){2026, 1, 1}, 600, &instant));
}

/* The clock was set by step_s and is not believed yet. */
static enum err doubted(const struct settings *s, int64_t row_s, int64_t now_s, int64_t step_s)
{
	struct opening o = opening_of(s, seoul, (struct date){2026, 12, 24}, row_s);
	int64_t opens_s;

	return opening_check(&o, now_s * 1000, step_s, &opens_s);
}

static void what_only_one_of_two_clocks_has_opened_is_not_open(void **state)
{
	struct settings s = rule(60, 0);
	int64_t moment = at(seoul, "2026-11-01", "10:00"), midnight = at(seoul, "2026-10-25", "00:00");

	(void)state;
	assert_int_equal(doubted(&s, moment, moment + HOUR, 2 * HOUR), ERR_CLOCK_WRONG); /* jumped over the moment */
	assert_int_equal(doubted(&s, moment, moment + 3 * HOUR, 2 * HOUR), ERR_OK);
	assert_int_equal(doubted(&s, moment, moment - 1, 2 * HOUR), ERR_NOT_YET);
	assert_int_equal(doubted(&s, moment, moment - HOUR, -2 * HOUR), ERR_CLOCK_WRONG); /* fell back behind it */
	assert_int_equal(doubted(&s, moment, moment + HOUR, -2 * HOUR), ERR_OK);
	assert_int_equal(doubted(&s, moment, moment - 3 * HOUR, -2 * HOUR), ERR_NOT_YET);
	assert_int_equal(doubted(&s, 0, midnight + HOUR, 2 * HOUR), ERR_OK); /* where nothing is told nothing changes */
	setenv("JARI_WITHOUT", "opening-clock", 1);
	assert_int_equal(doubted(&s, moment, moment + HOUR, 2 * HOUR), ERR_OK);
	unsetenv("JARI_WITHOUT");
}

static void an_unknown_zone_opens_nothing(void **state)
{
	struct settings s = rule(60, 600);
	int64_t opens_s;

	(void)state;
	assert_int_equal(ask(&s, "Mars/Olympus", "2026-01-20", 0, 0, &opens_s), ERR_INTERNAL);
	assert_int_equal(opens_s, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_rule_of_its_own_the_window_opens_at_midnight_and_tells_no_moment),
		cmocka_unit_test(a_new_day_opens_at_its_time_of_day),
		cmocka_unit_test(an_opening_counts_whatever_the_window_says),
		cmocka_unit_test(a_time_that_the_clock_skips_means_the_first_one_after_it),
		cmocka_unit_test(what_only_one_of_two_clocks_has_opened_is_not_open),
		cmocka_unit_test(an_unknown_zone_opens_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
