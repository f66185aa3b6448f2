/*
 * test_seats.c - the smallest table that fits, joined ones where none does, and no party sent away while one does.
 */
#include "seats.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

static const struct seats_mask none;

/* The ids that a party is given, as a number: 12 for tables 1 and 2; 0 for none. */
static int given(const struct seats_plan *plan, struct seats_mask taken, int party)
{
	struct seats_plan p = *plan;
	int64_t ids[SEATS_JOIN_MAX];
	size_t n;
	int told = 0;

	seats_index(&p);
	n = seats_pick(&p, &taken, party, ids);

	for (size_t i = 0; i < n; i++)
		told = 10 * told + (int)ids[i];
	return told;
}

static void the_smallest_table_that_fits_is_given(void **state)
{
	const struct seats_plan p = {.table_count = 4, .tables = {{1, 1, 8}, {2, 1, 2}, {3, 1, 4}, {4, 1, 4}}};

	(void)state;
	assert_int_equal(given(&p, none, 1), 2);
	assert_int_equal(given(&p, none, 2), 2);
	assert_int_equal(given(&p, none, 3), 3); /* the first of equals */
	assert_int_equal(given(&p, none, 5), 1);
	assert_int_equal(given(&p, none, 9), 0);
}

static void a_taken_table_is_not_given(void **state)
{
	const struct seats_plan p = {.table_count = 3, .tables = {{1, 1, 2}, {2, 1, 4}, {3, 1, 6}}};
	const int64_t ids[] = {1, 2, 99}; /* 99 is no table of this house (any more) */
	struct seats_mask taken = none;

	(void)state;
	seats_take(&p, ids, 3, &taken);
	assert_int_equal(given(&p, taken, 2), 3);
	seats_take(&p, &p.tables[2].id, 1, &taken);
	assert_int_equal(given(&p, taken, 2), 0);
	assert_int_equal(given(&(struct seats_plan){0}, none, 2), 0);
}

static void a_table_meant_for_many_is_kept_for_them_while_another_fits(void **state)
{
	const struct seats_plan p = {.table_count = 2, .tables = {{1, 4, 6}, {2, 1, 8}}};
	const struct seats_mask taken = {{2}};

	(void)state;
	assert_int_equal(given(&p, none, 2), 2); /* larger, but meant for two as well */
	assert_int_equal(given(&p, none, 4), 1);
	assert_int_equal(given(&p, taken, 2), 1); /* no party is sent away */
}

static void tables_are_joined_only_where_one_does_not_do(void **state)
{
	const struct seats_plan p = {.table_count = 3,
				     .tables = {{1, 1, 4}, {2, 1, 4}, {3, 1, 6}},
				     .set_count = 3,
				     .sets = {{5, 10, 3, {1, 2, 3}}, {5, 8, 2, {1, 2}}, {5, 9, 2, {2, 9}}}};
	const struct seats_mask one_taken = {{1}}, six_taken = {{4}};

	(void)state;
	assert_int_equal(given(&p, none, 5), 3);
	assert_int_equal(given(&p, none, 7), 12); /* the smaller set */
	assert_int_equal(given(&p, none, 10), 123);
	assert_int_equal(given(&p, none, 11), 0);
	assert_int_equal(given(&p, one_taken, 7), 0); /* table 9 is not there, table 1 is taken */
	assert_int_equal(given(&p, six_taken, 5), 12);
	assert_int_equal(given(&p, six_taken, 9), 0);
}

/* Against the plainest reading of the rule, over random rooms. */
static void no_other_table_would_have_been_better(void **state)
{
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct seats_plan p = {.table_count = 6};
		struct seats_mask taken = none;
		int party = rand_r(&seed) % 9 + 1, best;

		for (size_t i = 0; i < p.table_count; i++) {
			int most = rand_r(&seed) % 9 + 1;

			p.tables[i] = (struct seats_table){(int64_t)i + 1, rand_r(&seed) % most + 1, most};
			if (rand_r(&seed) % 3 == 0)
				seats_take(&p, &p.tables[i].id, 1, &taken);
		}
		best = given(&p, taken, party) - 1;
		for (int i = 0; i < (int)p.table_count; i++) {
			const struct seats_table *t = p.tables;

			if (taken.words[0] >> i & 1 || t[i].seats_max < party)
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
		cmocka_unit_test(tables_are_joined_only_where_one_does_not_do),
		cmocka_unit_test(no_other_table_would_have_been_better),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
