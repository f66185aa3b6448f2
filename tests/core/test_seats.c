/*
 * test_seats.c - the smallest table that fits, and nobody sent away while one does.
 */
#include "seats.h"

#include "unit.h"

#include <stdlib.h>

static void the_smallest_table_that_fits_is_given(void **state)
{
	const struct seats_table t[] = {{1, 1, 8, false}, {2, 1, 2, false}, {3, 1, 4, false}, {4, 1, 4, false}};

	(void)state;
	assert_int_equal(seats_pick(t, COUNT(t), 1), 1);
	assert_int_equal(seats_pick(t, COUNT(t), 2), 1);
	assert_int_equal(seats_pick(t, COUNT(t), 3), 2); /* the first of equals */
	assert_int_equal(seats_pick(t, COUNT(t), 5), 0);
	assert_int_equal(seats_pick(t, COUNT(t), 9), -1);
}

static void a_taken_table_is_not_given(void **state)
{
	const struct seats_table t[] = {{1, 1, 2, true}, {2, 1, 4, true}, {3, 1, 6, false}};

	(void)state;
	assert_int_equal(seats_pick(t, COUNT(t), 2), 2);
	assert_int_equal(seats_pick(t, 2, 2), -1);
	assert_int_equal(seats_pick(t, 0, 2), -1);
}

static void a_table_meant_for_many_is_kept_for_them_while_another_fits(void **state)
{
	struct seats_table t[] = {{1, 4, 6, false}, {2, 1, 8, false}};

	(void)state;
	assert_int_equal(seats_pick(t, COUNT(t), 2), 1); /* larger, but meant for two as well */
	assert_int_equal(seats_pick(t, COUNT(t), 4), 0);
	t[1].taken = true;
	assert_int_equal(seats_pick(t, COUNT(t), 2), 0); /* nobody is sent away */
}

/* Against the plainest reading of the rule, over random rooms. */
static void no_other_table_would_have_been_better(void **state)
{
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct seats_table t[6];
		int party = rand_r(&seed) % 9 + 1, best;

		for (size_t i = 0; i < COUNT(t); i++) {
			int most = rand_r(&seed) % 9 + 1;

			t[i] = (struct seats_table){(int64_t)i + 1, rand_r(&seed) % most + 1, most, rand_r(&seed) % 3 == 0};
		}
		best = seats_pick(t, COUNT(t), party);
		for (int i = 0; i < (int)COUNT(t); i++) {
			if (t[i].taken || t[i].seats_max < party)
				assert_true(best != i);
			else {
				assert_true(best >= 0);
				assert_false(party >= t[i].seats_min && party < t[best].seats_min);
				if ((party >= t[i].seats_min) == (party >= t[best].seats_min))
					assert_true(t[best].seats_max < t[i].seats_max ||
						    (t[best].seats_max == t[i].seats_max && best <= i));
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_smallest_table_that_fits_is_given),
		cmocka_unit_test(a_taken_table_is_not_given),
		cmocka_unit_test(a_table_meant_for_many_is_kept_for_them_while_another_fits),
		cmocka_unit_test(no_other_table_would_have_been_better),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
