/*
 * race_rush.c - the opening rush through nginx: no guest twice, no seat twice, the first come.
 */
#include "guests.h"

#include "kid.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORKERS = 32, USERS = 6000, AT_ONCE = 512, INSTANT = 2000, TRIES = 10 };

static struct appliance box;
static struct crowd_guest guests[6000];
static int next_user; /* every test takes guests who were never here */

static int start(void **state)
{
	(void)state;
	srand(20260120);
	appliance_new(&box);
	appliance_up(&box, WORKERS);
	guests_users(&box, USERS);
	appliance_sql(&box, "INSERT INTO restaurants (restaurant_id, name, reservation_limit) VALUES (2, 'Other', 12);"
			    "INSERT INTO opening_hours (restaurant_id, weekday, opens, closes)"
			    " SELECT 2, weekday, opens, closes FROM opening_hours WHERE restaurant_id = 1");
	return 0;
}

static int stop(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/* The number that the next ticket will have. */
static uint64_t next_ticket(void)
{
	return line_tail(guests_hall(&box)->line);
}

static struct crowd rush(void)
{
	return (struct crowd){.port = box.port, .follow = true, .limit_ms = 60000};
}

static int64_t in_slot(const char *what, const char *day, const char *time)
{
	return appliance_number(
		&box,
		"SELECT %s FROM reservations JOIN restaurant_reservation_slots USING (slot_id)"
		" WHERE reservations.restaurant_id = 1 AND is_active = 1 AND slot_date = '%s' AND slot_time = '%s'",
		what, day, time);
}

/* ---- seats and tables ---- */

static void a_hundred_guests_and_ten_tables_make_ten_and_the_first_ten(void **state)
{
	struct crowd c = rush();
	char day[TEXT_DATE_SIZE];
	uint64_t first;

	(void)state;
	guests_day(0, day);
	appliance_sql(&box,
		      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) INSERT INTO dining_tables"
		      " (restaurant_id, name, seats_min, seats_max) SELECT 1, 'T' || i, 1, 4 FROM n");
	for (int i = 0; i < 100; i++)
		guests_wants(&box, &guests[i], next_user++, day, "18:00", 2); /* twenty seats stay free, but no table */
	first = next_ticket();
	assert_true(guests_run(&c, guests, 100));
	guests_print("100 x 10 tables", guests, 100);
	assert_int_equal(guests_count(guests, 100, 201, NULL), 10);
	assert_int_equal(guests_count(guests, 100, 409, "SLOT_FULL"), 90);
	guests_expect(guests_judge(&box, guests, 100));
	guests_expect(guests_judge_first(&box, day, "18:00", first, 10));
	assert_int_equal(in_slot("count(DISTINCT table_id)", day, "18:00"), 10);
	appliance_sql(&box, "UPDATE dining_tables SET is_deleted = 1");
}

static void two_thousand_guests_three_requests_each_make_ten(void **state)
{
	struct crowd c = rush();
	char day[TEXT_DATE_SIZE];
	uint64_t first;
	int booked = 0;

	(void)state;
	guests_day(1, day);
	for (int i = 0; i < 6000; i++)
		guests_wants(&box, &guests[i], next_user + i % 2000, day, "18:00", 4);
	next_user += 2000;
	c.at_once = AT_ONCE;
	first = next_ticket();
	assert_true(guests_run(&c, guests, 6000));
	guests_print("2,000 x 3", guests, 6000);
	assert_int_equal(guests_unknown(guests, 6000), 0); /* no 5xx, no cut answer */
	assert_int_equal(in_slot("count(*)", day, "18:00"), 10);
	guests_expect(guests_judge_first(&box, day, "18:00", first, 10));
	for (int i = 0; i < 6000; i++) {
		const struct crowd_guest *g = &guests[i];

		booked += g->status == 201;
		if (g->status != 201 && g->status != 409)
			fail_msg("guest %d: %d %s", i, g->status, g->code);
		if (g->slowest_us > 2500000 + 1000000)
			fail_msg("guest %d waited %lld ms for an answer", i, (long long)g->slowest_us / 1000);
	}
	assert_in_range(booked, 10, 30); /* a repeated request may share its first one's ticket and its answer */
}

static void everybody_in_the_same_instant_gets_an_answer(void **state)
{
	struct crowd c = rush();
	char day[TEXT_DATE_SIZE];
	uint64_t first;

	(void)state;
	guests_day(2, day);
	for (int i = 0; i < INSTANT; i++)
		guests_wants(&box, &guests[i], next_user++, day, "18:00", 4);
	first = next_ticket();
	assert_true(guests_run(&c, guests, INSTANT)); /* this many open connections */
	guests_print("in one instant", guests, INSTANT);
	assert_int_equal(guests_unknown(guests, INSTANT), 0);
	assert_int_equal(guests_count(guests, INSTANT, 201, NULL), 10);
	assert_int_equal(guests_count(guests, INSTANT, 409, "SLOT_FULL"), INSTANT - 10);
	guests_expect(guests_judge(&box, guests, INSTANT));
	guests_expect(guests_judge_first(&box, day, "18:00", first, 10));
}

static void mixed_parties_fill_to_the_last_seat_and_not_one_over(void **state)
{
	struct crowd c = rush();
	char day[TEXT_DATE_SIZE];

	(void)state;
	guests_day(3, day);
	for (int i = 0; i < 300; i++)
		guests_wants(&box, &guests[i], next_user++, day, "18:00", i % 5 == 4 ? 1 : 1 + rand() % 12);
	assert_true(guests_run(&c, guests, 300));
	guests_print("mixed parties", guests, 300);
	assert_int_equal(in_slot("sum(party_size)", day, "18:00"), 40); /* ones enough to fill any gap */
	guests_expect(guests_judge(&box, guests, 300));
}

static void two_restaurants_and_many_slots_do_not_mix(void **state)
{
	static const char *const times[] = {"11:00", "12:00", "13:00", "17:00", "18:00", "19:00"};
	struct crowd c = rush();
	char day[TEXT_DATE_SIZE];
	int n = 0;

	(void)state;
	guests_day(4, day);
	for (int round = 0; round < 40; round++)
		for (size_t t = 0; t < COUNT(times); t++)
			for (int restaurant = 1; restaurant <= 2; restaurant++, n++) {
				char *at;

				guests_wants(&box, &guests[n], next_user + n % 400, day, times[t], 4);
				at = strstr(guests[n].body, "\"restaurantId\":1");
				at[strlen("\"restaurantId\":")] = (char)('0' + restaurant);
			}
	next_user += 400;
	assert_true(guests_run(&c, guests, (size_t)n));
	guests_print("2 restaurants x 6 slots", guests, (size_t)n);
	assert_int_equal(guests_unknown(guests, (size_t)n), 0);
	for (size_t t = 0; t < COUNT(times); t++) {
		assert_int_equal(in_slot("sum(party_size)", day, times[t]), 40);
		assert_int_equal(
			appliance_number(
				&box,
				"SELECT sum(party_size) FROM reservations JOIN restaurant_reservation_slots USING (slot_id)"
				" WHERE reservations.restaurant_id = 2 AND is_active = 1 AND slot_time = '%s'",
				times[t]),
			12);
	}
	assert_int_equal(guests_count(guests, (size_t)n, 201, NULL), 6 * (10 + 3));
}

/* ---- the same guest again ---- */

static void a_guest_who_clicks_fifty_times_has_one_reservation(void **state)
{
	struct crowd c = rush();
	char day[TEXT_DATE_SIZE];
	int64_t id = 0;

	(void)state;
	guests_day(5, day);
	for (int i = 0; i < 50; i++)
		guests_wants(&box, &guests[i], next_user, day, "18:00", 2);
	next_user++;
	assert_true(guests_run(&c, guests, 50));
	guests_print("50 clicks", guests, 50);
	assert_int_equal(in_slot("count(*)", day, "18:00"), 1);
	for (int i = 0; i < 50; i++) {
		if (guests[i].status == 201) {
			id = id ? id : guests[i].reservation;
			assert_int_equal(guests[i].reservation, id); /* a click that joined the ticket hears the same */
		} else if (guests[i].status != 409 ||
			   (strcmp(guests[i].code, "IN_PROGRESS") != 0 && strcmp(guests[i].code, "DUPLICATE") != 0))
			fail_msg("click %d: %d %s", i, guests[i].status, guests[i].code);
	}
	assert_true(id > 0);
	for (int i = 0; i < 50; i++) /* afterwards it is said once and for all */
		guests_wants(&box, &guests[i], next_user - 1, day, "18:00", 2);
	assert_true(guests_run(&c, guests, 50));
	assert_int_equal(guests_count(guests, 50, 409, "DUPLICATE"), 50);
	assert_int_equal(in_slot("count(*)", day, "18:00"), 1);
}

static void a_key_that_is_sent_again_names_the_same_reservation(void **state)
{
	struct crowd c = rush();
	char day[TEXT_DATE_SIZE];

	(void)state;
	guests_day(5, day);
	for (int i = 0; i < 20; i++) {
		guests_wants(&box, &guests[i], next_user, day, "19:00", 2);
		guests[i].key = "0b6f2a6e-rush";
	}
	assert_true(guests_run(&c, guests, 20));
	assert_int_equal(guests_count(guests, 20, 201, NULL), 20);
	for (int i = 1; i < 20; i++)
		assert_int_equal(guests[i].reservation, guests[0].reservation);
	assert_int_equal(in_slot("count(*)", day, "19:00"), 1);
	guests_wants(&box, &guests[0], next_user, day, "20:00", 2); /* the same key for another booking */
	guests[0].key = "0b6f2a6e-rush";
	assert_true(guests_run(&c, guests, 1));
	assert_int_equal(guests_count(guests, 1, 409, "KEY_REUSED"), 1);
	next_user++;
}

static struct {
	struct hall *hall;
	int64_t until_ms;
} held;

static void watch_pen(void *arg, int64_t ms, size_t over)
{
	(void)over;
	(void)arg;
	if (held.hall && ms >= held.until_ms) {
		pen_release(held.hall->pen);
		held.hall = NULL;
	}
}

static void a_client_that_only_sends_again_keeps_its_place(void **state)
{
	struct crowd c = rush();
	char day[TEXT_DATE_SIZE];
	uint64_t first;
	bool inherited;

	(void)state;
	guests_day(5, day);
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 4 WHERE restaurant_id = 1");
	for (int i = 0; i < 12; i++) {
		guests_wants(&box, &guests[i], next_user++, day, "13:00", 4);
		guests[i].at_ms = i ? 300 : 0;       /* the others come a little later, */
		guests[i].patience_ms = i ? 0 : 500; /* while the first hangs up and calls again */
	}
	held.hall = guests_hall(&box);
	held.until_ms = 2600;
	assert_int_equal(pen_take(held.hall->pen, 5000, &inherited), ERR_OK);
	first = line_tail(held.hall->line);
	c.tick = watch_pen;
	assert_true(guests_run(&c, guests, 12));
	guests_print("sends again every half second", guests, 12);
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 40 WHERE restaurant_id = 1");
	assert_int_equal(guests[0].status, 201);
	assert_int_equal(guests_count(guests, 12, 409, "SLOT_FULL"), 11);
	guests_expect(guests_judge_first(&box, day, "13:00", first, 1));
}

/* A guest who has never been here has a place from the first press on, like those who are known. */
static void newcomers_are_not_overtaken(void **state)
{
	static char keys[6][24];
	struct crowd c = rush();
	char day[TEXT_DATE_SIZE];
	uint64_t first;
	bool inherited;

	(void)state;
	guests_day(6, day);
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 24 WHERE restaurant_id = 1");
	for (int i = 0; i < 12; i++) {
		guests_wants(&box, &guests[i], next_user++, day, "13:00", 4);
		guests[i].at_ms = i * 30;
		if (i >= 6)
			continue; /* the six newcomers come first */
		snprintf(keys[i], sizeof keys[i], "newcomer-%d", i);
		guests[i].key = keys[i];
		guests[i].token = "";
		snprintf(guests[i].body + strlen(guests[i].body) - 1, sizeof guests[i].body - strlen(guests[i].body) + 1,
			 ",\"guest\":{\"name\":\"New %d\",\"phone\":\"0105555000%d\"}}", i, i);
	}
	held.hall = guests_hall(&box);
	held.until_ms = 2600;
	assert_int_equal(pen_take(held.hall->pen, 5000, &inherited), ERR_OK);
	first = line_tail(held.hall->line);
	c.tick = watch_pen;
	assert_true(guests_run(&c, guests, 12));
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 40 WHERE restaurant_id = 1");
	assert_int_equal(guests_count(guests, 6, 201, NULL), 6);
	assert_int_equal(guests_count(guests + 6, 6, 409, "SLOT_FULL"), 6);
	guests_expect(guests_judge_first(&box, day, "13:00", first, 6));
}

/* ---- cancel and book again ---- */

/* The nth guest who has seats there, and by which reservation. */
static int holder(int nth, const char *day, const char *time, int64_t *reservation)
{
	char text[512];

	snprintf(text, sizeof text,
		 "FROM reservations JOIN restaurant_reservation_slots USING (slot_id) WHERE reservations.restaurant_id = 1"
		 " AND is_active = 1 AND slot_date = '%s' AND slot_time = '%s' ORDER BY reservation_id LIMIT 1 OFFSET %d",
		 day, time, nth);
	*reservation = appliance_number(&box, "SELECT reservation_id %s", text);
	return (int)appliance_number(&box, "SELECT user_id %s", text) - GUESTS_FROM;
}

static void a_cancel_waits_no_longer_than_the_restaurant_says(void **state)
{
	struct crowd c = rush();
	struct crowd_guest *booked = &guests[0], *cancels = &guests[1];
	char day[TEXT_DATE_SIZE], path[64];
	bool inherited;

	(void)state;
	guests_day(8, day);
	guests_wants(&box, booked, next_user++, day, "12:00", 2);
	assert_true(guests_run(&c, booked, 1));
	assert_int_equal(booked->status, 201);
	snprintf(path, sizeof path, "/api/reservations/%lld/cancel", (long long)booked->reservation);
	*cancels = (struct crowd_guest){.token = booked->token, .path = path, .body = "{}"};
	appliance_sql(&box, "UPDATE restaurants SET wait_ms = 100 WHERE restaurant_id = 1");
	held.hall = guests_hall(&box);
	held.until_ms = 1500;
	assert_int_equal(pen_take(held.hall->pen, 5000, &inherited), ERR_OK);
	c.tick = watch_pen;
	assert_true(guests_run(&c, cancels, 1));
	appliance_sql(&box, "UPDATE restaurants SET wait_ms = 2000 WHERE restaurant_id = 1");
	assert_int_equal(cancels->first_status, 429);
	assert_in_range(cancels->first_us, 100 * 1000, 1000 * 1000); /* not two seconds, whatever the restaurant says */
	assert_int_equal(cancels->status, 200);
	assert_int_equal(in_slot("count(*)", day, "12:00"), 0);
}

static void guests_cancel_and_book_again_in_the_middle_of_the_rush(void **state)
{
	enum { CANCELS = 5, PUSHERS = 60, ALL = 2 * CANCELS + PUSHERS };
	struct crowd c = rush();
	static char paths[CANCELS][64];
	char day[TEXT_DATE_SIZE];
	int64_t reservation;

	(void)state;
	guests_day(6, day);
	for (int i = 0; i < 10; i++)
		guests_wants(&box, &guests[i], next_user++, day, "18:00", 4);
	assert_true(guests_run(&c, guests, 10));
	assert_int_equal(guests_count(guests, 10, 201, NULL), 10);
	/* Full.  Half of those who are in cancel and book again in the same moment, while others push. */
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < CANCELS; i++) {
			int user = holder(i * 2, day, "18:00", &reservation);

			snprintf(paths[i], sizeof paths[i], "/api/reservations/%lld/cancel", (long long)reservation);
			guests[i] = (struct crowd_guest){
				.token = guests_token(&box, user), .path = paths[i], .body = "{}", .at_ms = 5 * i};
			guests_wants(&box, &guests[CANCELS + i], user, day, "18:00", 4);
			guests[CANCELS + i].after = &guests[i];
		}
		for (int i = 0; i < PUSHERS; i++) {
			guests_wants(&box, &guests[2 * CANCELS + i], next_user++, day, "18:00", 4);
			guests[2 * CANCELS + i].at_ms = rand() % 50;
		}
		assert_true(guests_run(&c, guests, ALL));
		guests_print("cancel and book again", guests, ALL);
		assert_int_equal(guests_unknown(guests, ALL), 0);
		assert_int_equal(guests_count(guests, CANCELS, 200, NULL), CANCELS);
		/* A guest who cancelled is like any other now: booked or refused for lack of seats, never a
		 * duplicate. */
		assert_int_equal(guests_count(guests + CANCELS, CANCELS, 201, NULL) +
					 guests_count(guests + CANCELS, CANCELS, 409, "SLOT_FULL"),
				 CANCELS);
		assert_int_equal(guests_count(guests, ALL, 201, NULL), CANCELS);
		assert_int_equal(in_slot("sum(party_size)", day, "18:00"), 40);
	}
	guests_expect(guests_judge(&box, guests, 0));
}

/* ---- limits ---- */

static void a_restaurant_may_ask_for_ten_a_second(void **state)
{
	struct crowd c = {.port = box.port, .limit_ms = 20000};
	char day[TEXT_DATE_SIZE];

	(void)state;
	guests_day(7, day);
	appliance_sql(&box, "UPDATE restaurants SET rate_limit_per_sec = 10 WHERE restaurant_id = 1");
	for (int i = 0; i < 100; i++)
		guests_wants(&box, &guests[i], next_user++, day, "18:00", 1);
	assert_true(guests_run(&c, guests, 100));
	guests_print("10 a second", guests, 100);
	appliance_sql(&box, "UPDATE restaurants SET rate_limit_per_sec = 0 WHERE restaurant_id = 1");
	assert_in_range(guests_count(guests, 100, 201, NULL), 10, 40); /* ten at once and ten for each second it took */
	assert_int_equal(guests_count(guests, 100, 201, NULL) + guests_count(guests, 100, 429, "RATE_LIMITED"), 100);
	for (int i = 0; i < 100; i++)
		if (guests[i].status == 429)
			assert_int_equal(guests[i].retry_s, 1);
}

/* Asks by plain CGI as from another address; the status of the answer. */
static int ask_from(const char *address, int user, const char *body, char *answer, size_t size)
{
	char length[24], bearer[128], *status;
	struct ran ran;

	snprintf(length, sizeof length, "%zu", strlen(body));
	snprintf(bearer, sizeof bearer, "Bearer %s", guests_token(&box, user));
	setenv("REQUEST_METHOD", "POST", 1);
	setenv("PATH_INFO", "/api/reservations", 1);
	setenv("CONTENT_TYPE", "application/json", 1);
	setenv("CONTENT_LENGTH", length, 1);
	setenv("HTTP_AUTHORIZATION", bearer, 1);
	setenv("REMOTE_ADDR", address, 1);
	appliance_run(&box, &ran, body, "cgi", "--dir", box.dir, NULL);
	snprintf(answer, size, "%.*s", (int)size - 1, ran.out);
	unsetenv("REMOTE_ADDR");
	status = strstr(ran.out, "Status: ");
	return status ? atoi(status + strlen("Status: ")) : 0;
}

/* A flood of one kind beside the question: other clients of the same bucket find it empty. */
static struct flood {
	const struct rate_wish {
		enum rate_kind kind;
		uint64_t id;
		int per_s, burst;
	} * wish;
	struct rate *rate;
} flood;

static int keep_flooding(void *arg)
{
	const struct flood *f = arg;
	int retry;

	for (;;)
		rate_take(f->rate, f->wish->kind, f->wish->id, f->wish->per_s, f->wish->burst, &retry);
	return 0;
}

static pid_t start_flood(const struct rate_wish *wish)
{
	int retry;

	flood = (struct flood){wish, guests_hall(&box)->rate};
	while (rate_take(flood.rate, wish->kind, wish->id, wish->per_s, wish->burst, &retry))
		;
	return kid_start(keep_flooding, &flood);
}

static void one_guest_cannot_flood_from_afar_but_the_box_itself_may(void **state)
{
	struct rate_wish own = {RATE_USER, (uint64_t)(GUESTS_FROM + next_user), 20, 60};
	char day[TEXT_DATE_SIZE], answer[1024];
	struct crowd_guest g;
	pid_t kid;

	(void)state;
	guests_day(7, day);
	guests_wants(&box, &g, next_user, day, "19:00", 1);
	kid = start_flood(&own);
	for (int i = 0; i < TRIES && ask_from("192.0.2.7", next_user, g.body, answer, sizeof answer) != 429; i++)
		; /* on a busy machine the flood may pause just then */
	assert_non_null(strstr(answer, "RATE_LIMITED"));
	assert_non_null(strcasestr(answer, "Retry-After: 1"));
	for (int i = 0; i < TRIES; i++)
		assert_int_not_equal(ask_from("127.0.0.1", next_user, g.body, answer, sizeof answer), 429);
	assert_int_equal(ask_from("192.0.2.7", next_user + 1, g.body, answer, sizeof answer), 201); /* their neighbour */
	kid_kill(kid);
	next_user += 2;
}

static void one_address_cannot_flood_with_many_guests(void **state)
{
	struct rate_wish theirs = {RATE_ADDRESS, rate_address("2001:db8:9::1"), 200, 2000};
	char day[TEXT_DATE_SIZE], answer[1024];
	struct crowd_guest g;
	pid_t kid;

	(void)state;
	guests_day(7, day);
	guests_wants(&box, &g, next_user, day, "20:00", 1);
	kid = start_flood(&theirs);
	for (int i = 0; i < TRIES && ask_from("2001:db8:9::77", next_user, g.body, answer, sizeof answer) != 429; i++)
		next_user++; /* the same network, other guests */
	assert_non_null(strstr(answer, "RATE_LIMITED"));
	assert_int_equal(ask_from("192.0.2.8", next_user++, g.body, answer, sizeof answer), 201);
	kid_kill(kid);
}

#define TEST(name) cmocka_unit_test(name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_hundred_guests_and_ten_tables_make_ten_and_the_first_ten),
		TEST(two_thousand_guests_three_requests_each_make_ten),
		TEST(everybody_in_the_same_instant_gets_an_answer),
		TEST(mixed_parties_fill_to_the_last_seat_and_not_one_over),
		TEST(two_restaurants_and_many_slots_do_not_mix),
		TEST(a_guest_who_clicks_fifty_times_has_one_reservation),
		TEST(a_key_that_is_sent_again_names_the_same_reservation),
		TEST(a_client_that_only_sends_again_keeps_its_place),
		TEST(newcomers_are_not_overtaken),
		TEST(a_cancel_waits_no_longer_than_the_restaurant_says),
		TEST(guests_cancel_and_book_again_in_the_middle_of_the_rush),
		TEST(a_restaurant_may_ask_for_ten_a_second),
		TEST(one_guest_cannot_flood_from_afar_but_the_box_itself_may),
		TEST(one_address_cannot_flood_with_many_guests),
	};
	int failed = cmocka_run_group_tests(tests, start, stop);

	if (held.hall)
		pen_release(held.hall->pen);
	if (box.pid)
		appliance_free(&box);
	return failed;
}
