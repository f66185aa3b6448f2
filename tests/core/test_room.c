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
	/* A party that comes later is met as well. */
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
	seats_index(&r.plan);
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

static void an_empty_house_seats_what_its_seats_and_tables_take(void **state)
{
	struct room r = {.seats = 6, .plan = {.table_count = 2, .tables = {{1, 1, 4}, {2, 1, 8}}}};
	struct room_stay there = {.id = 1, .starts_s = 0, .ends_s = 90, .party = 2, .table_count = 1, .tables = {2}};

	(void)state;
	seats_index(&r.plan);
	assert_true(room_add(&r, &there)); /* it does not matter who is there */
	assert_true(room_could_fit(&r, 6));
	assert_false(room_could_fit(&r, 7)); /* seats */
	r.seats = ROOM_UNLIMITED;
	assert_true(room_could_fit(&r, 8));
	assert_false(room_could_fit(&r, 9)); /* tables */
	room_clear(&r);
}

static void what_a_move_leaves_free_is_what_it_had_and_has_no_more(void **state)
{
	struct room_stay a = {.starts_s = 60, .ends_s = 180, .party = 4, .table_count = 2, .tables = {1, 2}}, b = a, out;

	(void)state;
	assert_false(room_minus(&a, &b, &out));
	b.party = 3; /* a smaller party, at one of its tables */
	b.table_count = 1;
	assert_true(room_minus(&a, &b, &out) && out.party == 1 && out.ends_s == 180 && out.table_count == 1);
	assert_int_equal(out.tables[0], 2);
	assert_false(room_minus(&b, &a, &out));
	b.starts_s = 120; /* an hour later */
	b.ends_s = 240;
	assert_true(room_minus(&a, &b, &out) && out.starts_s == 60 && out.ends_s == 120 && out.party == 4);
	assert_true(room_minus(&b, &a, &out) && out.starts_s == 180 && out.ends_s == 240 && out.party == 3);
	b.starts_s = 180; /* another time altogether */
	assert_true(room_minus(&a, &b, &out) && out.starts_s == 60 && out.ends_s == 180 && out.table_count == 2);
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

/* Was this table anybody's at any moment of the stay?  As one would count by hand. */
static bool was_taken(const struct room *r, const struct room_stay *stay, int64_t table)
{
	for (size_t i = 0; i < r->count; i++)
		for (size_t k = 0; k < r->stays[i].table_count; k++)
			if (r->stays[i].tables[k] == table && r->stays[i].starts_s < stay->ends_s &&
			    stay->starts_s < r->stays[i].ends_s)
				return true;
	return false;
}

static bool could_sit(const struct room *r, const struct room_stay *stay)
{
	bool could = false;

	for (size_t i = 0; i < r->plan.table_count; i++)
		could |= r->plan.tables[i].seats_max >= stay->party && !was_taken(r, stay, r->plan.tables[i].id);
	for (size_t i = 0; i < r->plan.set_count; i++) {
		bool free = r->plan.sets[i].seats_max >= stay->party;

		for (size_t k = 0; k < r->plan.sets[i].count; k++)
			free &= !was_taken(r, stay, r->plan.sets[i].tables[k]);
		could |= free;
	}
	return could;
}

/* Seventy tables, more than fit into one word of a mask, two in a row may be joined. */
static void fill_plan(struct seats_plan *p)
{
	p->table_count = 70;
	p->set_count = 35;
	for (size_t i = 0; i < p->table_count; i++)
		p->tables[i] = (struct seats_table){(int64_t)(1000 - 3 * i), 1, i < 40 ? 2 : 4};
	for (size_t i = 0; i < p->set_count; i++)
		p->sets[i] = (struct seats_set){5, 6, 2, {p->tables[2 * i].id, p->tables[2 * i + 1].id}};
	seats_index(p);
}

static void no_table_has_two_parties_and_none_is_left_out(void **state)
{
	static struct room r;
	unsigned seed = 23;

	(void)state;
	for (int round = 0; round < 20; round++) {
		room_init(&r);
		fill_plan(&r.plan);
		for (int i = 1; i <= 300; i++) {
			int64_t starts = rand_r(&seed) % 200;
			struct room_stay stay = {.id = i,
						 .starts_s = starts,
						 .ends_s = starts + rand_r(&seed) % 90 + 1,
						 .party = rand_r(&seed) % 6 + 1};
			bool fits = room_fits(&r, &stay);

			assert_int_equal(fits, could_sit(&r, &stay));
			for (size_t k = 0; fits && k < stay.table_count; k++)
				assert_false(was_taken(&r, &stay, stay.tables[k]));
			if (fits)
				assert_true(room_fits_at(&r, &stay) && room_add(&r, &stay));
			if (i % 3 == 0)
				room_remove(&r, rand_r(&seed) % i + 1);
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
		cmocka_unit_test(an_empty_house_seats_what_its_seats_and_tables_take),
		cmocka_unit_test(what_a_move_leaves_free_is_what_it_had_and_has_no_more),
		cmocka_unit_test(no_minute_has_more_people_than_seats),
		cmocka_unit_test(no_table_has_two_parties_and_none_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
