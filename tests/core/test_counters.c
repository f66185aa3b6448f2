/*
 * test_counters.c - the counters count exactly, however many processes count.
 */
#include "counters.h"

#include "kid.h"
#include "unit.h"

#include <string.h>

static int make(void **state)
{
	*state = kid_share(counters_part.size);
	return 0;
}

static int leave(void **state)
{
	kid_unshare(*state, counters_part.size);
	return 0;
}

static int count_much(void *arg)
{
	for (int i = 0; i < 20000; i++) {
		counters_count(arg, COUNTER_requests);
		counters_add(arg, COUNTER_holds_expired, 3);
	}
	return 0;
}

static void counts_of_many_processes_add_up(void **state)
{
	pid_t kids[4];

	for (size_t i = 0; i < COUNT(kids); i++)
		kids[i] = kid_start(count_much, *state);
	for (size_t i = 0; i < COUNT(kids); i++)
		assert_int_equal(kid_end(kids[i]), 0);
	assert_int_equal(counters_get(*state, COUNTER_requests), 80000);
	assert_int_equal(counters_get(*state, COUNTER_holds_expired), 240000);
	assert_int_equal(counters_get(*state, COUNTER_logins), 0);
}

static void every_counter_has_a_name_of_its_own_and_help(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTER__MAX; i++) {
		const char *name = counters_row((enum counter)i)->name;

		assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_"), strlen(name));
		/* The counters of one metric stand together, and the first of them says what it is. */
		if (i == 0 || strcmp(counters_row((enum counter)i)->metric, counters_row((enum counter)(i - 1))->metric) != 0)
			assert_true(strlen(counters_row((enum counter)i)->help) > 4);
		else
			assert_true(strlen(counters_row((enum counter)i)->label) > 4);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(name, counters_row((enum counter)k)->name);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(counts_of_many_processes_add_up),
		TEST(every_counter_has_a_name_of_its_own_and_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
