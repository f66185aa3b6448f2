/*
 * test_room.c - what fits into a house: never more people than seats, never two parties at a table.
 */
#include "room.h"

#include "unit.h"

#include <stdlib.h>

static void a_sitting_is_a_slot_unless_it_is_set(void **state)
{
	struct settings s;

	(void)state;
	settings_init(&s);
	assert_int_equal(room_sitting(&s, 2), 60);
	assert_int_equal(room_sitting(&s, 12), 60);
	assert_int_equal(room_seats(&s), ROOM_UNLIMITED); /* then only who starts counts, as ever */
	s.sitting_minutes = 90;
	assert_int_equal(room_sitting(&s, 12), 90);
	assert_int_equal(room_seats(&s), 20); /* as many as may start */
	s.sitting_large_from = 5;
	s.sitting_large_minutes = 150;
	s.seats = 34;
	assert_int_equal(room_sitting(&s, 4), 90);
	assert_int_equal(room_sitting(&s, 5), 150);
	assert_int_equal(room_seats(&s), 34);
	s.sitting_minutes = s.sitting_large_minutes = s.seats = 0;
	s.sitting_large_minutes = 61;
	assert_int_equal(room_seats(&s), 20);
}

static void whoever_is_still_there_takes_seats(void **state)
{
	struct room r = {.seats = 10};
	struct room_stay stay = {.id = 1, .starts_s = 0, .ends_s = 90, .party = 6},
			 next = {.starts_s = 60, .ends_s = 150, .party = 5};

	(void)state;
	assert_true(room_add(&r, &stay));
	assert_int_equal(room_left(&r, 60, 150), 4);
	assert_false(room_fits(&r, &next));
	assert_int_equal(room_left(&r, 90, 180), 10); /* they leave in the moment the others come */
	next.starts_s = 90;
	assert_true(room_fits(&r, &next));
	/* Somebody who comes later is met as well. */
	next = (struct room_stay){.starts_s = -60, .ends_s = 30, .party = 5};
	assert_false(room_fits(&r, &next));
	next.ends_s = 0;
	assert_true(room_fits(&r, &next));
	room_remove(&r, 1);
	assert_int_equal(room_left(&r, 0, 90), 10);
	room_clear(&r);
}

static void a_table_is_taken_from_beginning_to_end(void **state)
{
	struct room r = {
		.seats = ROOM_UNLIMITED,
		.plan = {.table_count = 2, .tables = {{1, 1, 4}, {2, 1, 4}}, .set_count = 1, .sets = {{5, 8, 2, {1, 2}}}}};
	struct room_stay a = {.id = 1, .starts_s = 0, .ends_s = 90, .party = 4},
			 big = {.starts_s = 60, .ends_s = 150, .party = 8};

	(void)state;
	assert_true(room_fits(&r, &a));
	assert_true(a.table_count == 1 && a.tables[0] == 1);
	assert_true(room_add(&r, &a));
	assert_false(room_fits(&r, &big));
	big.starts_s = 90;
	big.ends_s = 180;
	assert_true(room_fits(&r, &big));
	assert_int_equal(big.table_count, 2);
	big.id = 2;
	assert_true(room_add(&r, &big));
	a = (struct room_stay){.starts_s = 150, .ends_s = 240, .party = 2};
	assert_false(room_fits(&r, &a));
	room_remove(&r, 2);
	assert_true(room_fits(&r, &a));
	room_clear(&r);
}

/* Every minute, one by one. */
static void no_minute_has_more_people_than_seats(void **state)
{
	unsigned seed = 11;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct room r = {.seats = 20};

		for (int i = 0; i < 60; i++) {
			int64_t starts = rand_r(&seed) % 300;
			struct room_stay stay = {.id = i,
						 .starts_s = starts,
						 .ends_s = starts + rand_r(&seed) % 150 + 1,
						 .party = rand_r(&seed) % 8 + 1};
			int most = 0;

			for (int64_t at = stay.starts_s; at < stay.ends_s; at++) {
				int there = 0;

				for (size_t k = 0; k < r.count; k++)
					if (r.stays[k].starts_s <= at && at < r.stays[k].ends_s)
						there += r.stays[k].party;
				most = there > most ? there : most;
			}
			assert_int_equal(room_left(&r, stay.starts_s, stay.ends_s), 20 - most);
			assert_int_equal(room_fits(&r, &stay), most + stay.party <= 20);
			if (most + stay.party <= 20)
				assert_true(room_add(&r, &stay));
		}
		room_clear(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sitting_is_a_slot_unless_it_is_set),
		cmocka_unit_test(whoever_is_still_there_takes_seats),
		cmocka_unit_test(a_table_is_taken_from_beginning_to_end),
		cmocka_unit_test(no_minute_has_more_people_than_seats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
