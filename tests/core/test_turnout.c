/*
 * test_turnout.c - who waits for an opening is counted once, and what comes in each second after it.
 */
#include "turnout.h"

#include "hash.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { NOW = 1800000000 };

static struct turnout *t;
static struct turnout_sums sums;

static int set_up(void **state)
{
	(void)state;
	t = calloc(1, turnout_part.size);
	assert_non_null(t);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	free(t);
	return 0;
}

static uint64_t device(uint64_t n)
{
	return hash_word(HASH_START, n);
}

static struct turnout_key at(int64_t opens_s)
{
	return (struct turnout_key){1, opens_s};
}

static void a_device_that_asks_again_is_no_second_one(void **state)
{
	static const int crowds[] = {1, 30, 2000, 8000};

	(void)state;
	for (size_t i = 0; i < COUNT(crowds); i++) {
		struct turnout_key key = at(NOW + 600 + (int64_t)i);

		for (int n = 0; n < 3 * crowds[i]; n++)
			turnout_look(t, key, device((uint64_t)(n % crowds[i])), NOW + n % 100);
		assert_true(turnout_read(t, key, NOW + 100, &sums));
		assert_in_range(sums.watching, crowds[i] * 9 / 10, crowds[i] * 11 / 10 + 1);
	}
}

static void one_address_is_a_few_devices_whatever_it_says(void **state)
{
	(void)state;
	for (uint64_t n = 0; n < 5000; n++)
		turnout_look(t, at(NOW + 600), turnout_device(7, device(n)), NOW);
	assert_true(turnout_read(t, at(NOW + 600), NOW, &sums));
	assert_in_range(sums.watching, TURNOUT_OF_ADDRESS / 2, TURNOUT_OF_ADDRESS + 2);
}

static void who_left_two_minutes_ago_looks_no_more(void **state)
{
	struct turnout_key key = at(NOW + 3600);

	(void)state;
	turnout_look(t, key, 1, NOW);
	turnout_look(t, key, 2, NOW + 60);
	assert_true(turnout_read(t, key, NOW + 120, &sums));
	assert_int_equal(sums.watching, 2);
	assert_true(turnout_read(t, key, NOW + 121, &sums));
	assert_int_equal(sums.watching, 1);
	turnout_look(t, key, 3, NOW + 3590);
	assert_true(turnout_read(t, key, NOW + 9999, &sums)); /* afterwards it is those who looked before the moment */
	assert_int_equal(sums.watching, 1);
	turnout_look(t, at(NOW + TURNOUT_AHEAD_S + 1), 1, NOW); /* far away, nobody waits */
	assert_false(turnout_read(t, at(NOW + TURNOUT_AHEAD_S + 1), NOW, &sums));
}

static void what_comes_is_counted_by_the_second(void **state)
{
	struct turnout_key key = at(NOW), found;

	(void)state;
	turnout_early(t, key, NOW - 1);
	turnout_arrived(t, key, NOW * INT64_C(1000) - 1, NOW * INT64_C(1000), true); /* before: not counted here */
	turnout_arrived(t, key, NOW * INT64_C(1000), NOW * INT64_C(1000) + 40, true);
	turnout_arrived(t, key, NOW * INT64_C(1000) + 999, NOW * INT64_C(1000) + 1005, true);
	turnout_arrived(t, key, NOW * INT64_C(1000) + 2000, NOW * INT64_C(1000) + 2001, false);
	turnout_arrived(t, key, (NOW + TURNOUT_SECONDS) * INT64_C(1000), NOW * INT64_C(1000), false);
	turnout_refused(t, key);
	assert_true(turnout_read(t, key, NOW + 5, &sums));
	assert_int_equal(sums.seconds, 3);
	assert_int_equal(sums.arrivals[0], 2);
	assert_int_equal(sums.arrivals[1], 0);
	assert_int_equal(sums.arrivals[2], 1);
	assert_int_equal(sums.early, 1);
	assert_int_equal(sums.refused, 1);
	assert_int_equal(sums.slowest_ms, 40);
	assert_int_equal(sums.last_booked_ms, 1005);
	assert_true(turnout_running(t, 1, NOW + 5, &found));
	assert_false(turnout_running(t, 2, NOW + 5, &found));
	assert_false(turnout_over(t, NOW + TURNOUT_SECONDS - 1, &found));
	assert_true(turnout_over(t, NOW + TURNOUT_SECONDS, &found));
	assert_int_equal(found.opens_s, NOW);
	turnout_forget(t, found);
	assert_false(turnout_over(t, NOW + TURNOUT_SECONDS, &found));
	turnout_refused(t, key); /* of one that is not counted: nothing */
	assert_false(turnout_read(t, key, NOW, &sums));
}

static void the_opening_that_is_furthest_away_gives_way(void **state)
{
	(void)state;
	for (int i = 1; i <= TURNOUT_AT_ONCE; i++)
		turnout_look(t, at(NOW + i * 100), 1, NOW);
	turnout_look(t, at(NOW + 5000), 1, NOW); /* later than all: no place */
	assert_false(turnout_read(t, at(NOW + 5000), NOW, &sums));
	turnout_look(t, at(NOW + 50), 1, NOW);
	assert_true(turnout_read(t, at(NOW + 50), NOW, &sums));
	assert_false(turnout_read(t, at(NOW + TURNOUT_AT_ONCE * 100), NOW, &sums));
	assert_true(turnout_read(t, at(NOW + 100), NOW, &sums));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_device_that_asks_again_is_no_second_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_address_is_a_few_devices_whatever_it_says, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_left_two_minutes_ago_looks_no_more, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_comes_is_counted_by_the_second, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_opening_that_is_furthest_away_gives_way, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
