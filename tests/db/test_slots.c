/*
 * test_slots.c - what is free on a day, to the seat and to the second.
 */
#include "slots.h"

#include "book.h"
#include "clock.h"
#include "life.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct date tuesday = {2026, 1, 20};
static struct slots_day day; /* large */

/* Noon of the day before, in Seoul, unless a test says otherwise. */
static const char day_before[] = "2026-01-19T03:00:00Z";

static void look(struct book *b, int party, const char *now)
{
	struct restaurant r;
	int64_t now_s = 0;

	assert_true(clock_parse_iso(now, &now_s));
	assert_int_equal(restaurants_get(&b->db, 1, &r), ERR_OK);
	assert_int_equal(slots_of_day(&b->db, &r, tuesday, party, now_s, &day), ERR_OK);
}

static const struct slot_view *at(int hour)
{
	for (size_t i = 0; i < day.count; i++)
		if (day.slots[i].minute == hour * 60)
			return &day.slots[i];
	fail_msg("no slot at %d", hour);
	return NULL;
}

static int available(void)
{
	int n = 0;

	for (size_t i = 0; i < day.count; i++)
		n += day.slots[i].available;
	return n;
}

static void an_empty_day_offers_every_time_whole(void **state)
{
	static const int hours[] = {11, 12, 13, 14, 17, 18, 19, 20, 21};

	look(*state, 2, day_before);
	assert_int_equal(day.count, COUNT(hours));
	for (size_t i = 0; i < COUNT(hours); i++) {
		assert_int_equal(day.slots[i].minute, hours[i] * 60);
		assert_int_equal(day.slots[i].capacity, 40);
		assert_int_equal(day.slots[i].remaining, 40);
		assert_true(day.slots[i].available);
		assert_string_equal(day.slots[i].span->label, hours[i] < 15 ? "lunch" : "dinner");
	}
}

static void sold_seats_are_gone_from_their_slot_only(void **state)
{
	struct book *b = *state;

	book_slot(b->db.handle, 1, "2026-01-20", "12:00", 10);
	book_slot(b->db.handle, 2, "2026-01-21", "12:00", 10);
	book_reservation(b->db.handle, 1, 1, 1, 6, "CONFIRMED", "");
	book_reservation(b->db.handle, 2, 2, 1, 10, "CONFIRMED", "");
	look(b, 4, day_before);
	assert_int_equal(at(12)->capacity, 10); /* the slot's own, not today's policy */
	assert_int_equal(at(12)->remaining, 4);
	assert_true(at(12)->available);
	assert_int_equal(at(11)->remaining, 40);
	look(b, 5, day_before);
	assert_false(at(12)->available);
	assert_true(at(13)->available);
}

static void released_seats_are_free(void **state)
{
	static const char *const released[] = {"EXPIRED", "COMPLETED", "REFUNDED", "NO_SHOW", "CANCELED"};
	static const char *const taken[] = {"CONFIRMED", "PREPAY_CONFIRM", "REFUND_PENDING", "TEMPORARY"};
	struct book *b = *state;

	book_slot(b->db.handle, 1, "2026-01-20", "12:00", 10);
	for (int i = 0; i < (int)COUNT(released); i++)
		book_reservation(b->db.handle, i + 1, 1, 1, 2, released[i], "");
	look(b, 2, day_before);
	assert_int_equal(at(12)->remaining, 10);
	for (int i = 0; i < (int)COUNT(taken); i++) {
		book_exec(b->db.handle, "INSERT INTO users (user_id, user_type, name) VALUES (%d, 'GUEST', 'x')", i + 10);
		book_reservation(b->db.handle, i + 10, 1, i + 10, 2, taken[i], "2026-01-19T04:00:00Z");
	}
	look(b, 2, day_before);
	assert_int_equal(at(12)->remaining, 2);
}

#define ADD \
	"INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status)" \
	" VALUES ('N%d', %lld, 2, %d, 'RESERVATION_DEPOSIT', 'CONFIRMED')"

/* By statements and by the book's own rule, which add up by the words of the states. */
static void each_state_that_takes_seats_is_counted_and_no_other(void **state)
{
	struct book *b = *state;

	for (enum life s = 0; s < LIFE__MAX; s++) {
		int64_t slot = s + 1;
		int left = life_active(s) ? 4 : 10;
		char time[6];

		snprintf(time, sizeof time, "%d:00", 11 + s);
		book_slot(b->db.handle, slot, "2026-01-20", time, 10);
		book_reservation(b->db.handle, 10 * slot, slot, 1, 6, life_word(s), "2099-01-01T00:00:00Z");
		look(b, 1, day_before);
		if (s < 4 || s > 5) /* nothing is sold at 15:00 and 16:00 */
			assert_int_equal(at(11 + (int)s)->remaining, left);
		assert_int_equal(book_try(b->db.handle, ADD, (int)s, (long long)slot, left + 1), SQLITE_CONSTRAINT_TRIGGER);
		assert_int_equal(book_try(b->db.handle, ADD, (int)s, (long long)slot, left), SQLITE_OK);
	}
}

static void a_hold_stops_counting_at_its_second(void **state)
{
	struct book *b = *state;

	book_slot(b->db.handle, 1, "2026-01-20", "12:00", 10);
	book_reservation(b->db.handle, 1, 1, 1, 10, "TEMPORARY", "2026-01-19T03:07:00Z");
	look(b, 1, "2026-01-19T03:06:59Z");
	assert_int_equal(at(12)->remaining, 0);
	assert_false(at(12)->available);
	look(b, 1, "2026-01-19T03:07:00Z"); /* not swept yet */
	assert_int_equal(at(12)->remaining, 10);
	assert_true(at(12)->available);
}

static void a_paused_restaurant_shows_its_times_and_sells_none(void **state)
{
	struct book *b = *state;

	book_exec(b->db.handle, "UPDATE restaurants SET paused_until = '2026-01-19T04:00:00Z'");
	look(b, 2, "2026-01-19T03:59:59Z");
	assert_int_equal(day.count, 9);
	assert_int_equal(available(), 0);
	assert_int_equal(at(12)->remaining, 40);
	look(b, 2, "2026-01-19T04:00:00Z");
	assert_int_equal(available(), 9);
}

static void times_close_when_their_lead_begins(void **state)
{
	struct book *b = *state;

	look(b, 2, "2026-01-20T01:30:00Z"); /* 10:30 in Seoul, half an hour before eleven */
	assert_true(at(11)->available);
	look(b, 2, "2026-01-20T01:30:01Z");
	assert_false(at(11)->available);
	assert_true(at(12)->available);
	look(b, 2, "2026-01-20T13:00:00Z");
	assert_int_equal(available(), 0);
	look(b, 2, "2025-11-01T00:00:00Z"); /* not open for booking yet */
	assert_int_equal(available(), 0);
}

static void a_closed_day_has_no_slots(void **state)
{
	struct book *b = *state;

	book_exec(b->db.handle, "INSERT INTO special_days (restaurant_id, day) VALUES (1, '2026-01-20')");
	look(b, 2, day_before);
	assert_int_equal(day.count, 0);
}

static void a_booking_outside_todays_hours_disturbs_nothing(void **state)
{
	struct book *b = *state;

	book_slot(b->db.handle, 1, "2026-01-20", "16:30", 10);
	book_reservation(b->db.handle, 1, 1, 1, 6, "CONFIRMED", "");
	look(b, 2, day_before);
	assert_int_equal(available(), 9);
}

static void a_slot_that_was_shrunk_by_hand_never_shows_less_than_nothing(void **state)
{
	struct book *b = *state;

	book_slot(b->db.handle, 1, "2026-01-20", "12:00", 10);
	book_reservation(b->db.handle, 1, 1, 1, 8, "CONFIRMED", "");
	book_exec(b->db.handle, "DROP TRIGGER slots_keep_their_people;"
				"UPDATE restaurant_reservation_slots SET max_capacity = 4");
	b->damaged = true;
	look(b, 1, day_before);
	assert_int_equal(at(12)->remaining, 0);
	assert_false(at(12)->available);
}

static void give_tables(struct book *b)
{
	book_exec(b->db.handle, "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_max) VALUES"
				" (1, 1, 'two', 2), (2, 1, 'four', 4)");
}

static void with_tables_a_time_is_free_when_one_fits(void **state)
{
	struct book *b = *state;

	give_tables(b);
	book_slot(b->db.handle, 1, "2026-01-20", "12:00", 10);
	book_reservation(b->db.handle, 1, 1, 1, 3, "CONFIRMED", "");
	book_exec(b->db.handle, "UPDATE reservations SET table_id = 2");
	look(b, 2, day_before);
	assert_true(at(12)->available);
	look(b, 3, day_before);
	assert_false(at(12)->available); /* seats enough, but no table */
	assert_true(at(13)->available);
	look(b, 5, day_before);
	assert_int_equal(available(), 0);
}

static void the_table_of_a_due_hold_is_free(void **state)
{
	struct book *b = *state;

	give_tables(b);
	book_slot(b->db.handle, 1, "2026-01-20", "12:00", 10);
	book_reservation(b->db.handle, 1, 1, 1, 3, "TEMPORARY", "2026-01-19T03:07:00Z");
	book_exec(b->db.handle, "UPDATE reservations SET table_id = 2");
	look(b, 3, "2026-01-19T03:06:59Z");
	assert_false(at(12)->available);
	look(b, 3, "2026-01-19T03:07:00Z");
	assert_true(at(12)->available);
}

static void a_kept_day_is_of_the_policies_it_was_asked_with(void **state)
{
	struct book *b = *state;
	const struct slots_day *kept;
	struct restaurant r;
	int64_t now_s = 0;

	assert_true(clock_parse_iso(day_before, &now_s));
	assert_int_equal(restaurants_get(&b->db, 1, &r), ERR_OK);
	assert_int_equal(slots_of_day_kept(&b->db, &r, tuesday, 2, now_s, &kept), ERR_OK);
	assert_true(kept->slots[0].available);
	r.paused_until_s = now_s + 3600; /* another reader had seen the pause already */
	assert_int_equal(slots_of_day_kept(&b->db, &r, tuesday, 2, now_s, &kept), ERR_OK);
	assert_false(kept->slots[0].available);
	r.paused_until_s = 0;
	r.set.reservation_limit = 7;
	assert_int_equal(slots_of_day_kept(&b->db, &r, tuesday, 2, now_s, &kept), ERR_OK);
	assert_int_equal(kept->slots[0].capacity, 7);
}

/* The slot by itself and the whole day, which slots_look takes once it is cached, say the same about noon. */
static void noon_is(struct book *b, int party, const char *now, int64_t slot_id, int remaining, bool available)
{
	const struct restaurant_day *rest;
	const struct slots_day *whole;
	int64_t now_s = 0;

	assert_true(clock_parse_iso(now, &now_s));
	book_exec(b->db.handle, "UPDATE restaurants SET phone = phone"); /* whatever day was cached is no longer the book's */
	edition_new_settings(b->hall.edition);
	for (int i = 0; i < 2; i++) {
		struct slot_view v;

		assert_int_equal(restaurants_kept(&b->db, 1, tuesday, &rest), ERR_OK);
		assert_int_equal(slots_look(&b->db, rest, 12 * 60, party, now_s, &v), ERR_OK);
		assert_int_equal(v.slot_id, slot_id);
		assert_int_equal(v.remaining, remaining);
		assert_int_equal(v.available, available);
		assert_int_equal(slots_of_day_kept(&b->db, &rest->restaurant, tuesday, party, now_s, &whole), ERR_OK);
	}
}

static void one_slot_and_the_whole_day_agree(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;

	noon_is(b, 40, day_before, 0, 40, true);
	noon_is(b, 41, day_before, 0, 40, false);
	book_slot(h, 1, "2026-01-20", "12:00", 10);
	book_reservation(h, 1, 1, 1, 6, "CONFIRMED", "");
	book_reservation(h, 2, 1, 2, 3, "TEMPORARY", "2026-01-19T03:07:00Z");
	noon_is(b, 1, day_before, 1, 1, true);
	noon_is(b, 2, day_before, 1, 1, false);
	noon_is(b, 4, "2026-01-19T03:07:00Z", 1, 4, true); /* the hold has run out this second */
	book_exec(
		h,
		"INSERT INTO waitlist (restaurant_id, user_id, slot_date, slot_time, party_size) VALUES (1, 2, "
		"'2026-01-20', '12:00', 8); INSERT INTO kept_seats (restaurant_id, slot_date, slot_time, party_size, starts_at,"
		" ends_at, kept_until, made_at) VALUES (1, '2026-01-20', '12:00', 1, '2026-01-20T03:00:00Z',"
		" '2026-01-20T04:00:00Z', '2026-01-19T03:30:00Z', '2026-01-19T03:00:00Z')");
	noon_is(b, 1, day_before, 1, 1, true); /* no guest who waits is proven */
	book_exec(h, "UPDATE waitlist SET proven = 1");
	noon_is(b, 1, day_before, 1, 0, false); /* what came free is for those who wait ... */
	noon_is(b, 3, "2026-01-19T03:29:00Z", 1, 3, true);
	noon_is(b, 4, "2026-01-19T03:30:00Z", 1, 4, true); /* ... and is everybody's after its time */
	book_exec(h, "UPDATE restaurants SET waitlist_skip = 1");
	noon_is(b, 1, day_before, 1, 1, true);
	book_exec(h, "UPDATE restaurants SET waitlist_skip = 0; UPDATE waitlist SET status = 'LEFT'");
	book_exec(h, "UPDATE restaurants SET seats = 7"); /* six of them are here at noon, and three whose hold still counts */
	noon_is(b, 1, day_before, 1, 0, false);
	book_exec(h, "UPDATE restaurants SET seats = 0; UPDATE reservations SET status = 'CANCELED'");
	give_tables(b);
	noon_is(b, 4, day_before, 1, 10, true);
	noon_is(b, 9, day_before, 1, 10, false); /* there are seats, but no table for nine */
}

/* ---- a house with forty tables ---- */

enum { FORTY = 50, PLAIN = 52, WEEK = 7 };

/* The houses of the bench, with twelve days of bookings from the day after Monday on. */
static void add_houses(struct book *b)
{
	size_t n;
	char *sql = book_read_file("bench/forty_tables.sql", &n), *at;

	at = strstr(sql, "date('now',");
	assert_non_null(at);
	memcpy(at, "date( ?19 ,", 11);
	at = strstr(sql, "k < 40");
	assert_non_null(at);
	memcpy(at, "k < 12", 6);
	at = strstr(sql, "date( ?19 ,");
	*at = '\0';
	book_exec(b->db.handle, "%sdate('2026-01-19',%s", sql, at + 11);
	free(sql);
}

static void look_at(struct book *b, int64_t restaurant, int nth, struct slots_day *out)
{
	struct restaurant r;
	int64_t now_s = 0;

	assert_true(clock_parse_iso(day_before, &now_s));
	assert_int_equal(restaurants_get(&b->db, restaurant, &r), ERR_OK);
	assert_int_equal(slots_of_day(&b->db, &r, text_from_days(text_days(tuesday) + nth), 2, now_s, out), ERR_OK);
	assert_int_equal(out->count, 44);
}

static int64_t steps;

static int count_steps(void *arg)
{
	(void)arg;
	steps++;
	return 0;
}

/* What a week costs, in steps of SQLite's machine: time would say little on a busy one. */
static int64_t week_costs(struct book *b, int64_t restaurant)
{
	steps = 0;
	sqlite3_progress_handler(b->db.handle, 1, count_steps, NULL);
	for (int i = 0; i < WEEK; i++)
		look_at(b, restaurant, i, &day);
	sqlite3_progress_handler(b->db.handle, 0, NULL, NULL);
	return steps;
}

static void tables_and_sittings_cost_little_more(void **state)
{
	struct book *b = *state;
	int64_t forty, plain;

	add_houses(b);
	forty = week_costs(b, FORTY);
	plain = week_costs(b, PLAIN);
	printf("# a week with forty tables: %lld steps; without: %lld\n", (long long)forty, (long long)plain);
	assert_true(forty <= 3 * plain);
}

/* Stays that end on the next day, and the days asked for in every order: what is still known of the last one changes nothing. */
static void a_day_is_the_same_whichever_was_asked_for_before(void **state)
{
	static struct slots_day alone[WEEK];
	struct book *b = *state;
	unsigned seed = 3;

	add_houses(b);
	book_exec(b->db.handle, "UPDATE restaurants SET seats = 44 WHERE restaurant_id = 50");
	book_exec(b->db.handle, "UPDATE reservations SET sitting_minutes = 1020, ends_at = "
				"strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', starts_at, '+17 hours')"
				" WHERE restaurant_id = 50 AND starts_at LIKE '%%T10:15:00Z'");
	for (int i = 0; i < WEEK; i++) {
		look_at(b, PLAIN, i, &day); /* another house: nothing is known of this one */
		look_at(b, FORTY, i, &alone[i]);
	}
	for (int i = 0; i < 300; i++) {
		int nth = rand_r(&seed) % WEEK;

		look_at(b, FORTY, nth, &day);
		for (size_t k = 0; k < day.count; k++) {
			assert_int_equal(day.slots[k].remaining, alone[nth].slots[k].remaining);
			assert_int_equal(day.slots[k].available, alone[nth].slots[k].available);
		}
	}
	assert_true(alone[1].slots[0].remaining < 40); /* a party is still there in the morning */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, book_setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_empty_day_offers_every_time_whole),
		TEST(a_kept_day_is_of_the_policies_it_was_asked_with),
		TEST(sold_seats_are_gone_from_their_slot_only),
		TEST(one_slot_and_the_whole_day_agree),
		TEST(released_seats_are_free),
		TEST(each_state_that_takes_seats_is_counted_and_no_other),
		TEST(a_hold_stops_counting_at_its_second),
		TEST(a_paused_restaurant_shows_its_times_and_sells_none),
		TEST(times_close_when_their_lead_begins),
		TEST(a_closed_day_has_no_slots),
		TEST(a_booking_outside_todays_hours_disturbs_nothing),
		TEST(a_slot_that_was_shrunk_by_hand_never_shows_less_than_nothing),
		TEST(with_tables_a_time_is_free_when_one_fits),
		TEST(the_table_of_a_due_hold_is_free),
		TEST(tables_and_sittings_cost_little_more),
		TEST(a_day_is_the_same_whichever_was_asked_for_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
