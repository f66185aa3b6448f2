/*
 * test_clock.c - instants are written and read one way, and the tests can shift the clock.
 */
#include "clock.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void instants_are_written_in_utc(void **state)
{
	static const struct {
		int64_t at;
		const char *want;
	} rows[] = {
		{0, "1970-01-01T00:00:00Z"},          {1768874400, "2026-01-20T02:00:00Z"},
		{951782400, "2000-02-29T00:00:00Z"},  {INT64_C(2147483648), "2038-01-19T03:14:08Z"},
		{2208988800, "2040-01-01T00:00:00Z"}, {INT64_C(4294967296), "2106-02-07T06:28:16Z"},
		{4102444799, "2099-12-31T23:59:59Z"}, {253402300799, "9999-12-31T23:59:59Z"},
	};
	char text[CLOCK_ISO_SIZE];

	(void)state;
	setenv("TZ", "Asia/Seoul", 1);
	tzset();
	for (size_t i = 0; i < COUNT(rows); i++) {
		clock_iso(rows[i].at, text);
		assert_string_equal(text, rows[i].want);
	}
	unsetenv("TZ");
	tzset();
}

static void an_instant_past_the_calendar_is_the_last_one(void **state)
{
	static const int64_t absurd[] = {253402300800, INT64_MAX, INT64_MIN};
	char text[CLOCK_ISO_SIZE];

	(void)state;
	for (size_t i = 0; i < COUNT(absurd); i++) {
		clock_iso(absurd[i], text);
		assert_string_equal(text, "9999-12-31T23:59:59Z");
	}
}

static void what_is_written_is_read_back(void **state)
{
	char text[CLOCK_ISO_SIZE];
	int64_t again;

	(void)state;
	for (int64_t at = 0; at <= 253402300799; at += 86400 * 11 + 3607) {
		clock_iso(at, text);
		assert_true(clock_parse_iso(text, &again));
		assert_true(again == at);
	}
}

static void only_what_would_be_written_is_read(void **state)
{
	static const char *const bad[] = {
		"",
		"2026-01-20",
		"2026-01-20T02:00Z",
		"2026-01-20T02:00:00",
		"2026-01-20 02:00:00Z",
		"2026-01-20T02:00:00z",
		"2026-01-20T02:00:00+00:00",
		"2026-01-20T02:00:00.000Z",
		"2026-01-20T02:00:00ZZ",
		" 2026-01-20T02:00:00Z",
		"2026-01-20T02:00:00Z ",
		"2026-02-30T02:00:00Z",
		"2026-01-20T24:00:00Z",
		"2026-01-20T23:60:00Z",
		"2026-01-20T23:59:60Z",
		"2026-1-20T02:00:00Z",
		"2026-01-20T2:00:00Z",
		"26-01-20T02:00:00Z",
		"+2026-01-20T02:00:00Z",
		"2026-01- 2T02:00:00Z",
		"now",
	};
	int64_t at = 99;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		if (clock_parse_iso(bad[i], &at))
			fail_msg("taken: %s", bad[i]);
	assert_int_equal(at, 99);
}

static void the_wall_clock_is_the_systems_unless_shifted(void **state)
{
	int64_t real;

	(void)state;
	unsetenv("JARI_CLOCK_SHIFT");
	real = (int64_t)time(NULL);
	assert_in_range(clock_now_s() - real + 1, 0, 3);
	assert_in_range(clock_now_ms() / 1000 - real + 1, 0, 3);
	setenv("JARI_CLOCK_SHIFT", "86400", 1);
	assert_in_range(clock_now_s() - real - 86400 + 1, 0, 3);
	setenv("JARI_CLOCK_SHIFT", "-3600", 1);
	assert_in_range(clock_now_s() - real + 3600 + 1, 0, 3);
	unsetenv("JARI_CLOCK_SHIFT");
}

static void the_age_of_a_foreign_stamp_is_not_shifted(void **state)
{
	int64_t stamp = clock_now_ms() - 1500;

	(void)state;
	setenv("JARI_CLOCK_SHIFT", "86400", 1);
	assert_in_range(clock_age_ms(stamp), 1490, 11500);
	unsetenv("JARI_CLOCK_SHIFT");
}

static void waiting_time_ignores_the_shift_and_never_runs_back(void **state)
{
	int64_t before = clock_mono_us(), after;

	(void)state;
	setenv("JARI_CLOCK_SHIFT", "-86400", 1);
	after = clock_mono_us();
	unsetenv("JARI_CLOCK_SHIFT");
	assert_true(after >= before && after - before < 10 * 1000000);
	assert_in_range(clock_mono_ms() - after / 1000, 0, 10000);
	for (int i = 0; i < 1000; i++, before = after) {
		after = clock_mono_us();
		assert_true(after >= before);
	}
}

static void sleep_lasts_as_long_as_was_asked(void **state)
{
	int64_t before = clock_mono_us();

	(void)state;
	clock_sleep_ms(20);
	assert_true(clock_mono_us() - before >= 20000);
	before = clock_mono_us();
	clock_sleep_ms(0);
	clock_sleep_ms(-5);
	assert_true(clock_mono_us() - before < 5 * 1000000);
}

static void the_offset_changes_only_when_the_clock_is_set(void **state)
{
	int64_t before = clock_offset_ms();

	(void)state;
	clock_sleep_ms(30);
	assert_in_range(clock_offset_ms() - before + 10, 0, 20);
	setenv("JARI_CLOCK_SHIFT", "86400", 1);
	assert_in_range(clock_offset_ms() - before - 86400000 + 10, 0, 20);
	setenv("JARI_MONO_SHIFT_MS", "86400000", 1); /* a day has passed, for both */
	assert_in_range(clock_offset_ms() - before + 10, 0, 20);
	unsetenv("JARI_MONO_SHIFT_MS");
	unsetenv("JARI_CLOCK_SHIFT");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instants_are_written_in_utc),
		cmocka_unit_test(an_instant_past_the_calendar_is_the_last_one),
		cmocka_unit_test(what_is_written_is_read_back),
		cmocka_unit_test(only_what_would_be_written_is_read),
		cmocka_unit_test(the_wall_clock_is_the_systems_unless_shifted),
		cmocka_unit_test(the_age_of_a_foreign_stamp_is_not_shifted),
		cmocka_unit_test(waiting_time_ignores_the_shift_and_never_runs_back),
		cmocka_unit_test(sleep_lasts_as_long_as_was_asked),
		cmocka_unit_test(the_offset_changes_only_when_the_clock_is_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
