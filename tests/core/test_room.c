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

static void a_party_that_is_still_there_takes_seats(void **state)
{
	struct room r = {.rules = {.seats = 10}};
	struct room_stay stay = {.id = 1, .starts_s = 0, .ends_s = 90, .party = 6},
			 next = {.starts_s = 60, .ends_s = 150, .party = 5};

	(void)state;
	assert_true(room_add(&r, &stay));
	assert_int_equal(room_left(&r, ROOM_ONLINE, 60, 150), 4);
	assert_false(room_fits(&r, ROOM_ONLINE, &next));
	assert_int_equal(room_left(&r, ROOM_ONLINE, 90, 180), 10); /* they leave in the moment the others come */
	next.starts_s = 90;
	assert_true(room_fits(&r, ROOM_ONLINE, &next));
	/* A party that comes later is met as well. */
	next = (struct room_stay){.starts_s = -60, .ends_s = 30, .party = 5};
	assert_false(room_fits(&r, ROOM_ONLINE, &next));
	next.ends_s = 0;
	assert_true(room_fits(&r, ROOM_ONLINE, &next));
	room_remove(&r, 1);
	assert_int_equal(room_left(&r, ROOM_ONLINE, 0, 90), 10);
	room_clear(&r);
}

static void a_table_is_taken_from_beginning_to_end(void **state)
{
	struct room r = {.rules = {.seats = ROOM_UNLIMITED},
			 .plan = {.table_count = 2,
				  .tables = {{1, 1, 4, SEATS_ONLINE}, {2, 1, 4, SEATS_ONLINE}},
				  .set_count = 1,
				  .sets = {{5, 8, 2, {1, 2}}}}};
	struct room_stay a = {.id = 1, .starts_s = 0, .ends_s = 90, .party = 4},
			 big = {.starts_s = 60, .ends_s = 150, .party = 8};

	(void)state;
	seats_index(&r.plan);
	assert_true(room_fits(&r, ROOM_ONLINE, &a));
	assert_true(a.table_count == 1 && a.tables[0] == 1);
	assert_true(room_add(&r, &a));
	assert_false(room_fits(&r, ROOM_ONLINE, &big));
	big.starts_s = 90;
	big.ends_s = 180;
	assert_true(room_fits(&r, ROOM_ONLINE, &big));
	assert_int_equal(big.table_count, 2);
	big.id = 2;
	assert_true(room_add(&r, &big));
	a = (struct room_stay){.starts_s = 150, .ends_s = 240, .party = 2};
	assert_false(room_fits(&r, ROOM_ONLINE, &a));
	room_remove(&r, 2);
	assert_true(room_fits(&r, ROOM_ONLINE, &a));
	room_clear(&r);
}

static void an_empty_house_seats_what_its_seats_and_tables_take(void **state)
{
	struct room r = {.rules = {.seats = 6},
			 .plan = {.table_count = 2, .tables = {{1, 1, 4, SEATS_ONLINE}, {2, 1, 8, SEATS_ONLINE}}}};
	struct room_stay there = {.id = 1, .starts_s = 0, .ends_s = 90, .party = 2, .table_count = 1, .tables = {2}};

	(void)state;
	seats_index(&r.plan);
	assert_true(room_add(&r, &there)); /* it does not matter who is there */
	assert_true(room_could_fit(&r, ROOM_ONLINE, 6));
	assert_false(room_could_fit(&r, ROOM_ONLINE, 7)); /* seats */
	r.rules.seats = ROOM_UNLIMITED;
	assert_true(room_could_fit(&r, ROOM_ONLINE, 8));
	assert_false(room_could_fit(&r, ROOM_ONLINE, 9)); /* tables */
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
		struct room r = {.rules = {.seats = 20}};

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
			assert_int_equal(room_left(&r, ROOM_ONLINE, stay.starts_s, stay.ends_s), 20 - most);
			assert_int_equal(room_fits(&r, ROOM_ONLINE, &stay), most + stay.party <= 20);
			if (most + stay.party <= 20)
				assert_true(room_add(&r, &stay));
		}
		room_clear(&r);
	}
}

/* ---- tables, counted by hand ---- */

/* Was this table anybody's at any moment of the stay, or of the buffer around it? */
static bool was_taken(const struct room *r, const struct room_stay *stay, int64_t table, int buffer_s)
{
	for (size_t i = 0; i < r->count; i++)
		for (size_t k = 0; k < r->stays[i].table_count; k++)
			if (r->stays[i].tables[k] == table && r->stays[i].starts_s < stay->ends_s + buffer_s &&
			    stay->starts_s < r->stays[i].ends_s + buffer_s)
				return true;
	return false;
}

/* A block as the test knows it. */
struct closure {
	int64_t starts_s, ends_s, tables[3];
	size_t count;
	bool online;
};

static bool is_closed(const struct closure *c, size_t count, enum room_who who, const struct room_stay *stay, int64_t table)
{
	for (size_t i = 0; i < count; i++) {
		bool meant = c[i].count == 0;

		for (size_t k = 0; k < c[i].count; k++)
			meant |= c[i].tables[k] == table;
		if (meant && (who == ROOM_ONLINE || !c[i].online) && c[i].starts_s < stay->ends_s &&
		    stay->starts_s < c[i].ends_s)
			return true;
	}
	return false;
}

/* May who asks sit there, by every rule? */
static bool may_sit(const struct room *r, const struct closure *c, size_t closures, enum room_who who,
		    const struct room_stay *stay, int64_t table)
{
	for (size_t i = 0; i < r->plan.table_count; i++)
		if (r->plan.tables[i].id == table && (int)r->plan.tables[i].open_to > (int)who)
			return false;
	return !was_taken(r, stay, table, r->rules.buffer_s) && !is_closed(c, closures, who, stay, table);
}

static bool could_sit(const struct room *r, const struct closure *c, size_t closures, enum room_who who,
		      const struct room_stay *stay)
{
	bool could = false;

	for (size_t i = 0; i < r->plan.table_count; i++)
		could |= r->plan.tables[i].seats_max >= stay->party && may_sit(r, c, closures, who, stay, r->plan.tables[i].id);
	for (size_t i = 0; i < r->plan.set_count; i++) {
		bool free = r->plan.sets[i].seats_max >= stay->party;

		for (size_t k = 0; k < r->plan.sets[i].count; k++)
			free &= may_sit(r, c, closures, who, stay, r->plan.sets[i].tables[k]);
		could |= free;
	}
	return could;
}

/* Every moment: so many are there, and so many of the seats are still to be had by who asks? */
static bool has_seats(const struct room *r, enum room_who who, const struct room_stay *stay)
{
	bool kept = who == ROOM_ONLINE && stay->starts_s > r->rules.released_s;

	for (int64_t at = stay->starts_s; at < stay->ends_s; at++) {
		int there = 0, staff = 0, held;

		for (size_t k = 0; k < r->count; k++)
			if (r->stays[k].starts_s <= at && at < r->stays[k].ends_s) {
				there += r->stays[k].party;
				staff += r->stays[k].by_staff ? r->stays[k].party : 0;
			}
		held = kept && r->rules.staff_seats > staff ? r->rules.staff_seats - staff : 0;
		if (there + held + stay->party > r->rules.seats)
			return false;
	}
	return true;
}

/* Was a table that can be joined given away while another that is in no set would have done? */
static bool joins_too_early(const struct room *r, const struct closure *c, size_t closures, enum room_who who,
			    const struct room_stay *stay)
{
	bool joins = stay->table_count > 1;

	for (size_t i = 0; i < r->plan.set_count; i++)
		for (size_t k = 0; k < r->plan.sets[i].count; k++)
			joins |= r->plan.sets[i].tables[k] == stay->tables[0];
	for (size_t i = 0; joins && i < r->plan.table_count; i++) {
		const struct seats_table *t = &r->plan.tables[i];
		bool in_set = false;

		for (size_t s = 0; s < r->plan.set_count; s++)
			for (size_t k = 0; k < r->plan.sets[s].count; k++)
				in_set |= r->plan.sets[s].tables[k] == t->id;
		if (!in_set && t->seats_max >= stay->party && may_sit(r, c, closures, who, stay, t->id))
			return true;
	}
	return false;
}

/* Seventy tables, more than fit into one word of a mask, of which the first sixty may be joined two by two. */
static void fill_plan(struct seats_plan *p, unsigned *seed)
{
	p->table_count = 70;
	p->set_count = 30;
	for (size_t i = 0; i < p->table_count; i++)
		p->tables[i] = (struct seats_table){(int64_t)(1000 - 3 * i), 1, i < 40 ? 2 : 4,
						    seed && i % 4 == 3 ? (enum seats_who)(rand_r(seed) % 3) : SEATS_ONLINE};
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
		fill_plan(&r.plan, NULL);
		for (int i = 1; i <= 300; i++) {
			int64_t starts = rand_r(&seed) % 200;
			struct room_stay stay = {.id = i,
						 .starts_s = starts,
						 .ends_s = starts + rand_r(&seed) % 90 + 1,
						 .party = rand_r(&seed) % 6 + 1};
			bool fits = room_fits(&r, ROOM_ONLINE, &stay);

			assert_int_equal(fits, could_sit(&r, NULL, 0, ROOM_ONLINE, &stay));
			for (size_t k = 0; fits && k < stay.table_count; k++)
				assert_false(was_taken(&r, &stay, stay.tables[k], 0));
			if (fits)
				assert_true(room_fits_at(&r, ROOM_ONLINE, &stay) == ROOM_FITS && room_add(&r, &stay));
			if (i % 3 == 0)
				room_remove(&r, rand_r(&seed) % i + 1);
		}
		room_clear(&r);
	}
}

/* Some blocks of the house or of a few tables, in the room and as the test knows them. */
static void close_some(struct room *r, unsigned *seed, struct closure *c, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t starts = rand_r(seed) % 250;

		c[i] = (struct closure){
			.starts_s = starts, .ends_s = starts + 1 + rand_r(seed) % 40, .online = rand_r(seed) % 2};
		c[i].count = (size_t)(rand_r(seed) % 4);
		for (size_t k = 0; k < c[i].count; k++)
			c[i].tables[k] = r->plan.tables[(unsigned)rand_r(seed) % r->plan.table_count].id;
		assert_true(room_block(
			r, &(struct room_block){.starts_s = c[i].starts_s, .ends_s = c[i].ends_s, .online = c[i].online},
			c[i].tables, c[i].count));
	}
}

/* One party of anybody's, at any time: does the room say what one counts by hand? */
static void ask_one(struct room *r, unsigned *seed, const struct closure *c, size_t closures, int id)
{
	enum room_who who = (enum room_who)(rand_r(seed) % 3);
	int64_t starts = rand_r(seed) % 250;
	struct room_stay stay = {.id = id,
				 .starts_s = starts,
				 .ends_s = starts + rand_r(seed) % 60 + 1,
				 .party = rand_r(seed) % 6 + 1,
				 .by_staff = who != ROOM_ONLINE};
	bool blocked = is_closed(c, closures, who, &stay, -1),
	     expected = !blocked && has_seats(r, who, &stay) && could_sit(r, c, closures, who, &stay),
	     fits = room_fits(r, who, &stay);

	assert_int_equal(room_blocked(r, who, stay.starts_s, stay.ends_s), blocked);
	assert_int_equal(fits, expected);
	if (blocked)
		assert_int_equal(room_left(r, who, stay.starts_s, stay.ends_s), 0);
	for (size_t k = 0; fits && k < stay.table_count; k++)
		assert_true(may_sit(r, c, closures, who, &stay, stay.tables[k]));
	if (fits) {
		assert_false(joins_too_early(r, c, closures, who, &stay));
		assert_true(room_fits_at(r, who, &stay) == ROOM_FITS && room_add(r, &stay));
	}
}

static void who_asks_buffers_blocks_and_seats_of_the_staff_are_as_counted_by_hand(void **state)
{
	static struct room r;
	unsigned seed = 41;

	(void)state;
	for (int round = 0; round < 60; round++) {
		struct closure closures[5];
		size_t count = (size_t)(round % 6);

		room_init(&r);
		fill_plan(&r.plan, &seed);
		r.rules = (struct room_rules){.seats = round % 2 ? 60 : 130,
					      .buffer_s = rand_r(&seed) % 20,
					      .staff_seats = rand_r(&seed) % 30,
					      .released_s = round % 3 ? rand_r(&seed) % 250 : ROOM_NEVER};
		close_some(&r, &seed, closures, count);
		for (int i = 1; i <= 170; i++) {
			ask_one(&r, &seed, closures, count, i);
			if (i % 4 == 0)
				room_remove(&r, rand_r(&seed) % i + 1);
		}
		room_clear(&r);
	}
}

static void who_has_seats_already_is_not_concerned_by_what_is_said_about_new_guests(void **state)
{
	struct room r = {.rules = {.seats = 10, .buffer_s = 10, .staff_seats = 8, .released_s = ROOM_NEVER},
			 .plan = {.table_count = 2, .tables = {{1, 1, 4, SEATS_ONLINE}, {2, 1, 4, SEATS_WALK_IN}}}};
	struct room_stay before = {.id = 1, .starts_s = 0, .ends_s = 60, .party = 4, .table_count = 1, .tables = {1}},
			 own = {.starts_s = 60, .ends_s = 120, .party = 4};

	(void)state;
	seats_index(&r.plan);
	assert_true(room_add(&r, &before));
	assert_true(room_block(&r, &(struct room_block){.starts_s = 0, .ends_s = 200}, NULL, 0));
	assert_false(room_fits(&r, ROOM_ONLINE, &own) || room_fits(&r, ROOM_WALK_IN, &own));
	assert_true(room_fits(&r, ROOM_HOLDER, &own)); /* at a table that guests would not get, or that is still to rest */
	room_unblock(&r);
	assert_false(room_fits(&r, ROOM_STAFF, &own));
	assert_true(room_fits(&r, ROOM_WALK_IN, &own) && own.tables[0] == 2);
	own.tables[0] = 1;
	assert_int_equal(room_fits_at(&r, ROOM_STAFF, &own), ROOM_FITS); /* staff see that the table is still to rest */
	room_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sitting_is_a_slot_unless_it_is_set),
		cmocka_unit_test(a_party_that_is_still_there_takes_seats),
		cmocka_unit_test(a_table_is_taken_from_beginning_to_end),
		cmocka_unit_test(an_empty_house_seats_what_its_seats_and_tables_take),
		cmocka_unit_test(what_a_move_leaves_free_is_what_it_had_and_has_no_more),
		cmocka_unit_test(no_minute_has_more_people_than_seats),
		cmocka_unit_test(no_table_has_two_parties_and_none_is_left_out),
		cmocka_unit_test(who_asks_buffers_blocks_and_seats_of_the_staff_are_as_counted_by_hand),
		cmocka_unit_test(who_has_seats_already_is_not_concerned_by_what_is_said_about_new_guests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
