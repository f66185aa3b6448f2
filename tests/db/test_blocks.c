/*
 * test_blocks.c - nothing new in a time that is blocked, tables and seats for whom they are, and what the pen makes of it.
 */
#include "blocks.h"

#include "clock.h"
#include "noon.h"
#include "slots.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the stage: noon of 2031-05-06 in Seoul, the wish is for 18:00 and an hour ---- */

static struct ticket_request as_staff(struct ticket_request r)
{
	r.kind = TICKET_SEAT;
	r.u.book.terms.deposit = 0;
	r.u.book.who = (struct ticket_who){.staff_id = 7};
	strcpy(r.u.book.who.guest.name, "Kim");
	return r;
}

/* Who walks in comes now: it begins at noon. */
static struct ticket_request as_walk_in(struct ticket_request r)
{
	r = as_staff(r);
	r.u.book.walk_in = 1;
	strcpy(r.u.book.want.time, "12:00");
	r.u.book.want.starts_s -= 6 * 3600;
	return r;
}

static struct ticket_request at_hour(struct ticket_request r, int hour)
{
	snprintf(r.u.book.want.time, sizeof r.u.book.want.time, "%02d:00", hour);
	r.u.book.want.starts_s += (hour - 18) * 3600;
	return r;
}

static int book(struct book *b, struct ticket_request r)
{
	return noon_done(b, r).err;
}

static struct block block(const char *from, const char *to)
{
	struct block made = {.online = true};

	snprintf(made.from, sizeof made.from, "%s", from);
	snprintf(made.to, sizeof made.to, "%s", to);
	return made;
}

static int64_t add(struct book *b, struct block made, int *contradicts)
{
	int64_t ids[BLOCKS_CONTRADICTS_MAX], id = 0;
	int count = 0;

	assert_int_equal(blocks_add(&b->db, 1, &made, "user:7", &id, ids, &count), ERR_OK);
	assert_true(id > 0);
	if (contradicts)
		*contradicts = count;
	return id;
}

static void lift(struct book *b, int64_t id)
{
	assert_int_equal(blocks_lift(&b->db, 0, id, "user:7"), ERR_OK);
}

/* Is that hour of that day to be had online, for two? */
static bool is_free(struct book *b, struct date date, int hour)
{
	static struct slots_day day;
	const struct slot_view *v;
	struct restaurant r;

	assert_int_equal(restaurants_get(&b->db, 1, &r), ERR_OK);
	assert_int_equal(slots_of_day(&b->db, &r, date, 2, clock_now_s(), &day), ERR_OK);
	v = slots_at(&day, hour * 60);
	assert_non_null(v);
	assert_false(v->available && v->blocked);
	return v->available;
}

static const struct date today = {2031, 5, 6};

static void make_tables(struct book *b)
{
	is_free(b, today, 18); /* what is cached of the house is of this book, not of the one of the test before */
	book_exec(b->db.handle, "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max) VALUES"
				" (1, 1, 'A', 1, 4), (2, 1, 'B', 1, 4)");
}

/* ---- blocks ---- */

static void a_block_of_the_house_is_for_guests_online_and_counts_at_once(void **state)
{
	struct book *b = *state;
	int64_t id;
	int count;

	assert_int_equal(book(b, noon_wish(1, 2)), ERR_OK);
	id = add(b, block("2031-05-06T17:30", "2031-05-06T19:00"), &count);
	assert_int_equal(count, 1); /* who is in it stays, and is named */
	assert_int_equal(noon_count(b, "status = 'TEMPORARY'"), 1);
	assert_int_equal(book(b, noon_wish(2, 2)), ERR_TIME_BLOCKED);
	assert_int_equal(book(b, at_hour(noon_wish(2, 2), 17)), ERR_TIME_BLOCKED); /* they would stay until 18:00 */
	assert_int_equal(book(b, at_hour(noon_wish(2, 2), 19)), ERR_OK);
	assert_false(is_free(b, today, 17) || is_free(b, today, 18));
	assert_true(is_free(b, today, 19) && is_free(b, today, 20));
	assert_int_equal(book(b, as_staff(noon_wish(0, 2))), ERR_OK); /* staff may */
	lift(b, id);
	assert_int_equal(book(b, noon_wish(3, 2)), ERR_OK);
	assert_int_equal(blocks_lift(&b->db, 0, id, "user:7"), ERR_NOT_FOUND);
	assert_int_equal(book_int(b->db.handle,
				  "SELECT count(*) FROM audit WHERE entity = 'block' AND entity_id = %lld"
				  " AND actor = 'user:7' AND change IN ('made', 'lifted')",
				  (long long)id),
			 2);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM blocks WHERE lifted_at IS NOT NULL"), 1);
}

static void nothing_at_all_is_for_nobody(void **state)
{
	struct book *b = *state;
	struct block all = block("2031-05-06T11:00", "2031-05-06T19:00");

	all.online = false;
	assert_int_equal(book(b, as_walk_in(noon_wish(0, 2))), ERR_OK);
	add(b, all, NULL);
	assert_int_equal(book(b, noon_wish(1, 2)), ERR_TIME_BLOCKED);
	assert_int_equal(book(b, as_staff(noon_wish(0, 2))), ERR_TIME_BLOCKED);
	assert_int_equal(book(b, as_walk_in(noon_wish(0, 2))), ERR_TIME_BLOCKED);
	assert_int_equal(book(b, as_staff(at_hour(noon_wish(0, 2), 19))), ERR_OK);
}

static void a_blocked_table_is_simply_not_there(void **state)
{
	struct book *b = *state;
	struct block one = block("2031-05-06T18:30", "2031-05-06T19:30");
	struct ticket_request named = as_staff(noon_wish(0, 2));
	int64_t id;
	int count;

	make_tables(b);
	one.tables[one.table_count++] = 1;
	assert_int_equal(book(b, noon_wish(1, 2)), ERR_OK); /* at A */
	id = add(b, one, &count);
	assert_int_equal(count, 1);
	assert_int_equal(book(b, noon_wish(2, 2)), ERR_OK);
	assert_int_equal(noon_count(b, "user_id = 2 AND table_id = 2"), 1);
	assert_int_equal(book(b, at_hour(noon_wish(3, 2), 19)), ERR_OK);
	assert_int_equal(noon_count(b, "user_id = 3 AND table_id = 2"), 1);
	assert_int_equal(book(b, at_hour(noon_wish(4, 2), 19)), ERR_SLOT_FULL); /* fewer tables, and no word of a block */
	named = at_hour(named, 19);
	named.u.book.want.tables[0] = 1;
	assert_int_equal(book(b, named), ERR_OK); /* blocked online only */
	lift(b, id);
	one.online = false;
	strcpy(one.from, "2031-05-06T20:00");
	strcpy(one.to, "2031-05-06T22:00");
	add(b, one, &count);
	assert_int_equal(count, 0);
	named = at_hour(as_staff(noon_wish(0, 2)), 20);
	named.u.book.want.tables[0] = 1;
	assert_int_equal(book(b, named), ERR_TIME_BLOCKED);
}

static void each_week_at_the_same_time_of_day_across_a_change_of_the_clock(void **state)
{
	struct book *b = *state;
	struct block weekly = block("2031-03-24T18:00", "2031-03-24T19:00");
	struct restaurant r;
	static struct room room;
	int64_t starts = 0, ends = 0, id;

	/* Berlin's clocks go forward on Sunday, 2031-03-30. */
	book_exec(b->db.handle, "UPDATE restaurants SET timezone = 'Europe/Berlin' WHERE restaurant_id = 1");
	assert_int_equal(restaurants_get(&b->db, 1, &r), ERR_OK);
	weekly.weekly = true;
	id = add(b, weekly, NULL);
	room_init(&room);
	assert_int_equal(blocks_look(&b->db, 1, text_days((struct date){2031, 3, 24}), &room), ERR_OK);
	assert_int_equal(room.block_count, 1);
	assert_true(clock_parse_iso("2031-03-24T17:00:00Z", &starts) && clock_parse_iso("2031-03-24T18:00:00Z", &ends));
	assert_true(room.blocks[0].starts_s == starts && room.blocks[0].ends_s == ends && room.blocks[0].house);
	assert_int_equal(blocks_look(&b->db, 1, text_days((struct date){2031, 3, 31}), &room), ERR_OK);
	assert_true(clock_parse_iso("2031-03-31T16:00:00Z", &starts));
	assert_true(room.block_count == 1 && room.blocks[0].starts_s == starts);
	assert_int_equal(blocks_look(&b->db, 1, text_days((struct date){2032, 12, 27}), &room), ERR_OK);
	assert_int_equal(room.block_count, 1); /* for as long as it is not lifted */
	assert_int_equal(blocks_look(&b->db, 1, text_days((struct date){2031, 3, 17}), &room), ERR_OK);
	assert_int_equal(room.block_count, 0); /* but not before */
	lift(b, id);
	/* Times that the clock skips, or shows twice. */
	add(b, block("2032-03-28T02:30", "2032-03-28T03:30"), NULL);
	assert_int_equal(blocks_look(&b->db, 1, text_days((struct date){2032, 3, 28}), &room), ERR_OK);
	assert_true(clock_parse_iso("2032-03-28T01:00:00Z", &starts) && clock_parse_iso("2032-03-28T01:30:00Z", &ends));
	assert_true(room.block_count == 1 && room.blocks[0].starts_s == starts && room.blocks[0].ends_s == ends);
	add(b, block("2031-10-26T02:30", "2031-10-26T02:45"), NULL);
	assert_int_equal(blocks_look(&b->db, 1, text_days((struct date){2031, 10, 26}), &room), ERR_OK);
	assert_true(clock_parse_iso("2031-10-26T00:30:00Z", &starts) && clock_parse_iso("2031-10-26T01:45:00Z", &ends));
	assert_true(room.block_count == 1 && room.blocks[0].starts_s == starts && room.blocks[0].ends_s == ends);
	room_clear(&room);
}

static void another_restaurants_tables_and_too_many_blocks_are_refused_whole(void **state)
{
	struct book *b = *state;
	struct block made = block("2031-05-06T18:00", "2031-05-06T19:00");
	int64_t ids[BLOCKS_CONTRADICTS_MAX], id;
	int count;

	make_tables(b);
	book_exec(b->db.handle, "INSERT INTO restaurants (restaurant_id, name) VALUES (2, 'other');"
				"INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max) VALUES"
				" (9, 2, 'Z', 1, 4)");
	made.tables[0] = 1;
	made.tables[1] = 9;
	made.table_count = 2;
	assert_int_equal(blocks_add(&b->db, 1, &made, "user:7", &id, ids, &count), ERR_NO_SUCH_TABLE);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM blocks"), 0);
	made.table_count = 0;
	for (int i = 0; i < BLOCKS_MAX; i++)
		book_exec(b->db.handle, "INSERT INTO blocks (restaurant_id, from_at, to_at) VALUES"
					" (1, '2031-06-06T18:00', '2031-06-06T19:00')");
	assert_int_equal(blocks_add(&b->db, 1, &made, "user:7", &id, ids, &count), ERR_TOO_MANY_BLOCKS);
	assert_int_equal(blocks_lift(&b->db, 2, 1, "user:7"), ERR_NOT_FOUND); /* of another house */
}

/* ---- tables and seats for whom they are ---- */

static void a_table_is_given_to_those_whom_it_is_for(void **state)
{
	struct book *b = *state;

	make_tables(b);
	book_exec(b->db.handle,
		  "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max, open_to) VALUES"
		  " (3, 1, 'C', 1, 2, 'STAFF'), (4, 1, 'D', 1, 2, 'WALK_IN');"
		  "UPDATE dining_tables SET is_deleted = 1 WHERE table_id = 2");
	assert_int_equal(book(b, noon_wish(1, 2)), ERR_OK);
	assert_int_equal(noon_count(b, "user_id = 1 AND table_id = 1"), 1); /* although C is smaller */
	assert_int_equal(book(b, noon_wish(2, 2)), ERR_SLOT_FULL);
	assert_false(is_free(b, today, 18));
	assert_int_equal(book(b, as_staff(noon_wish(0, 2))), ERR_OK);
	assert_int_equal(noon_count(b, "source = 'DESK' AND table_id = 3"), 1);
	assert_int_equal(book(b, as_staff(noon_wish(0, 2))), ERR_SLOT_FULL);
	for (int i = 0; i < 3; i++)
		assert_int_equal(book(b, as_walk_in(noon_wish(0, 2))), ERR_OK);
	assert_int_equal(noon_count(b, "source = 'WALK_IN' AND table_id = 4"), 1);
}

static void a_table_rests_between_two_parties_unless_staff_name_it(void **state)
{
	struct book *b = *state;
	struct ticket_request next = at_hour(noon_wish(2, 2), 19), named;

	make_tables(b);
	book_exec(b->db.handle, "UPDATE dining_tables SET is_deleted = 1 WHERE table_id = 2;"
				"UPDATE restaurants SET buffer_minutes = 15 WHERE restaurant_id = 1");
	next.u.book.want.buffer_minutes = 15;
	assert_int_equal(book(b, noon_wish(1, 2)), ERR_OK);
	assert_int_equal(book(b, next), ERR_SLOT_FULL);
	assert_false(is_free(b, today, 17) || is_free(b, today, 19));
	assert_true(is_free(b, today, 20));
	named = as_staff(next);
	named.u.book.want.tables[0] = 1;
	assert_int_equal(book(b, as_staff(next)), ERR_SLOT_FULL);
	assert_int_equal(book(b, named), ERR_OK);
}

static void seats_of_the_staff_are_not_sold_online_until_they_are_released(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 30);

	book_exec(b->db.handle, "UPDATE restaurants SET staff_seats = 10, staff_seats_hours = 4, party_max = 100"
				" WHERE restaurant_id = 1");
	r.u.book.want.staff_seats = 10;
	r.u.book.want.staff_seats_hours = 4;
	assert_int_equal(book(b, r), ERR_OK);
	r.u.book.want.party = 1;
	r.u.book.who.user_id = 2;
	assert_int_equal(book(b, r), ERR_SLOT_FULL);
	assert_false(is_free(b, today, 18));
	assert_int_equal(book(b, as_staff(noon_wish(0, 4))), ERR_OK); /* of those that are theirs */
	assert_int_equal(book(b, r), ERR_SLOT_FULL);
	noon_stand_at("2031-05-06T05:00:00Z"); /* 14:00, four hours before */
	assert_true(is_free(b, today, 18));
	assert_int_equal(book(b, r), ERR_OK);
	/* Where those count who are present, the same. */
	book_exec(b->db.handle, "UPDATE restaurants SET seats = 12, staff_seats_hours = 0 WHERE restaurant_id = 1");
	r = at_hour(noon_wish(3, 2), 20);
	r.u.book.want.seats = 12;
	r.u.book.want.staff_seats = 10;
	assert_int_equal(book(b, r), ERR_OK);
	r.u.book.who.user_id = 4;
	assert_int_equal(book(b, r), ERR_SLOT_FULL);
	assert_false(is_free(b, today, 20));
	r = as_staff(r);
	r.u.book.want.party = 10;
	assert_int_equal(book(b, r), ERR_OK);
}

/* ---- who sat down before their time ---- */

static void a_party_is_in_the_house_from_when_it_sat_down(void **state)
{
	struct book *b = *state;
	struct ticket_request walk_in = as_walk_in(noon_wish(0, 2));

	book_exec(b->db.handle, "UPDATE restaurants SET seats = 5 WHERE restaurant_id = 1");
	assert_int_equal(book(b, as_staff(noon_wish(0, 4))), ERR_OK); /* at 18:00 */
	walk_in.u.book.want.seats = 5;
	book_exec(b->db.handle, "UPDATE reservations SET visit_status = 'SEATED', seated_at = '2031-05-06T02:50:00Z'");
	assert_int_equal(book(b, walk_in), ERR_SLOT_FULL);
	assert_false(is_free(b, today, 13) || is_free(b, today, 17));
	assert_true(is_free(b, today, 19));
	setenv("JARI_WITHOUT", "room", 1); /* the book itself refuses it as well */
	assert_int_equal(book(b, walk_in), ERR_SLOT_FULL);
	unsetenv("JARI_WITHOUT");
	book_exec(b->db.handle, "UPDATE reservations SET visit_status = 'PENDING', seated_at = NULL");
	assert_int_equal(book(b, walk_in), ERR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_block_of_the_house_is_for_guests_online_and_counts_at_once),
		TEST(nothing_at_all_is_for_nobody),
		TEST(a_blocked_table_is_simply_not_there),
		TEST(each_week_at_the_same_time_of_day_across_a_change_of_the_clock),
		TEST(another_restaurants_tables_and_too_many_blocks_are_refused_whole),
		TEST(a_table_is_given_to_those_whom_it_is_for),
		TEST(a_table_rests_between_two_parties_unless_staff_name_it),
		TEST(seats_of_the_staff_are_not_sold_online_until_they_are_released),
		TEST(a_party_is_in_the_house_from_when_it_sat_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
