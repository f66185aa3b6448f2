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
	const struct seats_plan p = {
		.table_count = 4,
		.tables = {{1, 1, 8, SEATS_ONLINE}, {2, 1, 2, SEATS_ONLINE}, {3, 1, 4, SEATS_ONLINE}, {4, 1, 4, SEATS_ONLINE}}};

	(void)state;
	assert_int_equal(given(&p, none, 1), 2);
	assert_int_equal(given(&p, none, 2), 2);
	assert_int_equal(given(&p, none, 3), 3); /* the first of equals */
	assert_int_equal(given(&p, none, 5), 1);
	assert_int_equal(given(&p, none, 9), 0);
}

static void a_taken_table_is_not_given(void **state)
{
	const struct seats_plan p = {.table_count = 3,
				     .tables = {{1, 1, 2, SEATS_ONLINE}, {2, 1, 4, SEATS_ONLINE}, {3, 1, 6, SEATS_ONLINE}}};
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
	const struct seats_plan p = {.table_count = 2, .tables = {{1, 4, 6, SEATS_ONLINE}, {2, 1, 8, SEATS_ONLINE}}};
	const struct seats_mask taken = {{2}};

	(void)state;
	assert_int_equal(given(&p, none, 2), 2); /* larger, but meant for two as well */
	assert_int_equal(given(&p, none, 4), 1);
	assert_int_equal(given(&p, taken, 2), 1); /* no party is sent away */
}

static void tables_that_join_are_filled_last(void **state)
{
	const struct seats_plan p = {
		.table_count = 4,
		.tables = {{1, 1, 2, SEATS_ONLINE}, {2, 1, 2, SEATS_ONLINE}, {3, 1, 4, SEATS_ONLINE}, {4, 1, 6, SEATS_ONLINE}},
		.set_count = 3,
		.sets = {{3, 5, 2, {1, 2}}, {3, 4, 2, {2, 1}}, {3, 7, 2, {3, 9}}}};
	const struct seats_mask free_taken = {{12}};

	(void)state;
	assert_int_equal(given(&p, none, 2), 3); /* larger, but 1 and 2 may be needed together; 9 is not there */
	assert_int_equal(given(&p, free_taken, 2), 1);
	assert_int_equal(given(&p, free_taken, 3), 21); /* the tighter set */
	assert_int_equal(given(&p, free_taken, 5), 12);
}

static void a_table_is_closed_to_those_before_whom_it_is_for(void **state)
{
	static struct seats_plan p = {.table_count = 3,
				      .tables = {{1, 1, 2, SEATS_ONLINE}, {2, 1, 2, SEATS_STAFF}, {3, 1, 2, SEATS_WALK_IN}}};
	enum seats_who who = SEATS_ONLINE;

	(void)state;
	seats_index(&p);
	assert_int_equal(p.closed[SEATS_ONLINE].words[0], 6);
	assert_int_equal(p.closed[SEATS_STAFF].words[0], 4);
	assert_int_equal(p.closed[SEATS_WALK_IN].words[0], 0);
	assert_true(seats_who("WALK_IN", &who) && who == SEATS_WALK_IN);
	assert_false(seats_who("walk-in", &who));
}

static void tables_are_joined_only_where_one_does_not_do(void **state)
{
	const struct seats_plan p = {.table_count = 3,
				     .tables = {{1, 1, 4, SEATS_ONLINE}, {2, 1, 4, SEATS_ONLINE}, {3, 1, 6, SEATS_ONLINE}},
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

			p.tables[i] = (struct seats_table){(int64_t)i + 1, rand_r(&seed) % most + 1, most, SEATS_ONLINE};
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
		cmocka_unit_test(tables_that_join_are_filled_last),
		cmocka_unit_test(a_table_is_closed_to_those_before_whom_it_is_for),
		cmocka_unit_test(tables_are_joined_only_where_one_does_not_do),
		cmocka_unit_test(no_other_table_would_have_been_better),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
