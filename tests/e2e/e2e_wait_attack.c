/*
 * e2e_wait_attack.c - what one stranger can do with the waitlist, through nginx: wait for what can never be, wait with
 * made-up numbers at night, starve another time of the day.  The house stays open to everybody else.
 */
#include "appliance.h"
#include "clock.h"
#include "guests.h"
#include "http.h"
#include "talk.h"
#include "unit.h"
#include "zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct appliance box;
static struct ran ran;
static char day[TEXT_DATE_SIZE], staff[256];
static int people;

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 6);
	appliance_sql(&box,
		      "DELETE FROM opening_hours; INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 1,"
		      " value, '10:00', '23:00' FROM json_each('[1,2,3,4,5,6,7]')");
	talk_add_staff(&box, "kim@example.com", staff);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/* Each test has a day of its own, and a house as jari makes it, but for the deposit. */
static int begin(void **state)
{
	static int nth;

	(void)state;
	guests_day(nth++, day);
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 40, party_max = 12, deposit_per_person = 0,"
			    " deposit_large_per_person = 0, holds_per_guest = 0, upcoming_per_guest = 0, waitlist_skip = 0,"
			    " waitlist_keep_minutes = 30, sitting_minutes = 0, seats = 0, staff_seats = 0, quiet_from = 0,"
			    " quiet_to = 0;"
			    " UPDATE dining_tables SET is_deleted = 1, name = '-' || table_id WHERE is_deleted = 0");
	return 0;
}

/* An unused number; it may be made up. */
static const char *body_of(const char *time, int party, bool book)
{
	static char body[400];

	people++;
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d%s,\"guest\":{\"name\":\"G%d\","
		 "\"phone\":\"010-6%03d-%04d\"}}",
		 day, time, party, book ? ",\"reservationType\":\"RESERVATION_DEPOSIT\"" : "", people, people / 10000,
		 people % 10000);
	return body;
}

static const struct http_answer *wants(const char *path, const char *time, int party)
{
	char headers[120];
	const char *body = body_of(time, party, strcmp(path, "/api/reservations") == 0);

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: attack-%d\r\n", people);
	return http_ask(box.port, (struct http_call){.method = "POST", .path = path, .headers = headers, .body = body});
}

static int64_t expect(const struct http_answer *a, int status, const char *code)
{
	char text[HTTP_TEXT];

	if (a->status != status || (*code && strcmp(http_text(a, "code", text), code) != 0))
		fail_msg("%d %s, not %d %s", a->status, a->body ? a->body : "", status, code);
	return status == 201 ? http_int(a, strstr(a->body, "waitlistId") ? "waitlistId" : "reservationId") : 0;
}

/* Yesterday, so that what is given up is kept as long as the house says. */
static void booked_yesterday(int64_t id)
{
	appliance_sql(&box,
		      "UPDATE reservations SET created_at = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', created_at, '-1 day') WHERE"
		      " reservation_id = %lld",
		      (long long)id);
}

static int64_t book(const char *time, int party)
{
	int64_t id = expect(wants("/api/reservations", time, party), 201, "");

	booked_yesterday(id);
	return id;
}

static int64_t wait_for(const char *time, int party)
{
	return expect(wants("/api/waitlist", time, party), 201, "");
}

static void prove(int64_t id)
{
	appliance_sql(&box, "UPDATE waitlist SET proven = 1 WHERE waitlist_id = %lld", (long long)id);
}

static void cancel(int64_t id)
{
	char path[80], body[40];

	snprintf(path, sizeof path, "/api/desk/reservations/%lld/cancel", (long long)id);
	snprintf(body, sizeof body, "{\"version\":%lld}",
		 (long long)appliance_number(&box, "SELECT version FROM reservations WHERE reservation_id = %lld",
					     (long long)id));
	assert_int_equal(
		http_ask(box.port, (struct http_call){.method = "POST", .path = path, .headers = staff, .body = body})->status,
		200);
}

static int64_t with_status(const char *status)
{
	return appliance_number(&box, "SELECT count(*) FROM waitlist WHERE slot_date = '%s' AND status = '%s'", day, status);
}

static bool is_offered(int64_t id)
{
	return appliance_number(&box, "SELECT count(*) FROM waitlist WHERE waitlist_id = %lld AND status = 'OFFERED'",
				(long long)id) == 1;
}

/* The offers of the day run out; what became of them is in the book when this returns. */
static void lapse_offers(void)
{
	appliance_sql(&box,
		      "UPDATE reservations SET hold_expires_at = '2026-01-01T00:00:00Z' WHERE reservation_id IN (SELECT"
		      " reservation_id FROM waitlist WHERE status = 'OFFERED' AND slot_date = '%s')",
		      day);
	WITHIN(5000, appliance_number(&box, "SELECT count(*) FROM reservations WHERE status = 'TEMPORARY' AND"
					    " hold_expires_at < '2026-06-01'") == 0);
}

/* The deadline of everything that came free passes. */
static void pass_deadlines(void)
{
	appliance_sql(&box, "UPDATE kept_seats SET kept_until = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '-2 seconds');"
			    " UPDATE waitlist SET kept_until = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '-2 seconds') WHERE"
			    " status = 'OFFERED'");
}

static int remaining(const char *time)
{
	char path[120], find[40];
	const char *at;

	snprintf(path, sizeof path, "/api/reservations/slots?restaurantId=1&slotDate=%s&partySize=1", day);
	snprintf(find, sizeof find, "\"slotTime\":\"%s\"", time);
	at = strstr(http_get(box.port, path)->body, find);
	at = at ? strstr(at, "\"remaining\":") : NULL;
	assert_non_null(at);
	return atoi(at + 12);
}

/* ---- waiting for what can never be ---- */

static void no_guest_waits_for_what_an_empty_house_could_not_seat(void **state)
{
	static const char *const times[] = {"11:00", "12:00", "13:00", "17:00", "18:00", "19:00"};

	(void)state;
	appliance_sql(&box, "INSERT INTO dining_tables (restaurant_id, name, seats_min, seats_max) VALUES (1, 'two', 1, 2),"
			    " (1, 'four', 1, 4)");
	for (size_t i = 0; i < COUNT(times); i++)
		expect(wants("/api/waitlist", times[i], 12), 409, "NEVER_FITS");
	for (size_t i = 0; i < COUNT(times); i++)
		book(times[i], 2);
	/* What fits one day is waited for. */
	book("18:00", 3);
	wait_for("18:00", 4);
	assert_int_equal(with_status("WAITING"), 1);
}

static void no_guest_waits_for_more_than_may_start(void **state)
{
	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 10");
	expect(wants("/api/waitlist", "18:00", 12), 409, "NEVER_FITS");
	expect(wants("/api/waitlist", "18:00", 10), 409, "HAS_ROOM");
	book("18:00", 2);
	wait_for("18:00", 10);
	book("18:00", 8); /* seats that were free all along are open to all, even while others wait */
	expect(wants("/api/reservations", "18:00", 1), 409, "SLOT_FULL");
}

/* ---- what is kept, from whom and how long ---- */

static void seats_that_come_free_are_kept_for_the_proven_and_for_a_time(void **state)
{
	int64_t has, first, small;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 10");
	book("18:00", 4);
	has = book("18:00", 3);
	first = wait_for("18:00", 10);
	assert_int_equal(remaining("18:00"), 3);
	cancel(has); /* an unproven guest keeps nothing */
	assert_int_equal(remaining("18:00"), 6);
	prove(first);
	assert_int_equal(remaining("18:00"), 3); /* what had come free is theirs from now on, what was free all along is not */
	expect(wants("/api/reservations", "18:00", 4), 409, "SLOT_FULL");
	small = wait_for("18:00", 4);
	prove(small);
	book("18:00", 3);
	assert_int_equal(remaining("18:00"), 0);
	assert_false(is_offered(first) || is_offered(small)); /* a seven is not overtaken by a four */
	pass_deadlines();
	assert_int_equal(remaining("18:00"), 3); /* it does not depend on the keeper */
	book("18:00", 3);
	assert_int_equal(with_status("WAITING"), 2);
}

static void a_party_behind_gets_what_is_everybodys(void **state)
{
	int64_t has, small;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 10");
	book("18:00", 6);
	has = book("18:00", 4);
	prove(wait_for("18:00", 10));
	small = wait_for("18:00", 4);
	prove(small);
	cancel(has);
	assert_false(is_offered(small));
	pass_deadlines();
	WITHIN(5000, is_offered(small));
}

static void a_house_that_keeps_nothing_offers_and_sells(void **state)
{
	int64_t has, first, second;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 10, waitlist_keep_minutes = 0");
	book("18:00", 6);
	has = book("18:00", 4);
	prove(wait_for("18:00", 10));
	first = wait_for("18:00", 2);
	second = wait_for("18:00", 2);
	cancel(has);
	assert_true(is_offered(first) && is_offered(second));
	lapse_offers();
	assert_int_equal(with_status("OFFERED"), 0); /* no guest is asked twice about the same seats */
	book("18:00", 4);
}

/* ---- places that were had for a moment ---- */

/* Nine tables for four and a large one that is taken; staff have put a caller on the list for it. */
static void a_caller_waits_for_the_large_table(void)
{
	char body[160];

	appliance_sql(&box,
		      "UPDATE restaurants SET sitting_minutes = 120; INSERT INTO dining_tables (restaurant_id, name, seats_min,"
		      " seats_max) SELECT 1, 'T' || value || '%s', 1, CASE value WHEN 0 THEN 8 ELSE 4 END FROM"
		      " json_each('[0,1,2,3,4,5,6,7,8,9]')",
		      day);
	book("19:00", 8);
	snprintf(body, sizeof body,
		 "{\"slotDate\":\"%s\",\"slotTime\":\"19:00\",\"partySize\":8,\"guestName\":\"Lee\",\"phone\":\"010-1111-"
		 "2222\"}",
		 day);
	expect(http_ask(box.port,
			(struct http_call){
				.method = "POST", .path = "/api/desk/waitlist?restaurantId=1", .headers = staff, .body = body}),
	       201, "");
}

/* A stranger's own act, with the token of what they booked. */
static const struct http_answer *with_token(int64_t id, const char *token, const char *act, const char *body)
{
	char path[80], headers[HTTP_TEXT + 80];

	snprintf(path, sizeof path, "/api/reservations/%lld/%s", (long long)id, act);
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nX-Manage-Token: %s\r\n", token);
	return http_ask(box.port, (struct http_call){.method = "POST", .path = path, .headers = headers, .body = body});
}

static void what_was_had_for_a_moment_closes_nothing(void **state)
{
	static const char *const times[] = {"17:00", "18:00", "19:00", "20:00", "21:00"};
	const struct http_answer *a;
	char token[HTTP_TEXT];
	int64_t id;

	(void)state;
	a_caller_waits_for_the_large_table();
	for (size_t i = 0; i < 9 * COUNT(times); i++) {
		a = wants("/api/reservations", times[i / 9], 1);
		id = expect(a, 201, "");
		http_text(a, "manageToken", token);
		expect(with_token(id, token, "cancel", "{}"), 200, "");
	}
	for (size_t i = 0; i < COUNT(times); i++)
		assert_true(remaining(times[i]) >= 32);
	a = wants("/api/reservations", "17:00", 1);
	id = expect(a, 201, "");
	http_text(a, "manageToken", token);
	for (int i = 0; i < 12; i++)
		expect(with_token(id, token, "change", i % 2 ? "{\"slotTime\":\"18:00\"}" : "{\"slotTime\":\"20:00\"}"), 200,
		       "");
	for (size_t i = 0; i < COUNT(times); i++)
		assert_true(remaining(times[i]) >= 31);
}

/* Even if they had it since yesterday: what the caller cannot use is not kept for them, nor more than they need. */
static void no_more_is_kept_than_those_who_wait_could_use(void **state)
{
	int64_t has[9];

	(void)state;
	a_caller_waits_for_the_large_table();
	for (size_t i = 0; i < COUNT(has); i++)
		has[i] = book("19:00", 1);
	for (size_t i = 0; i < 4; i++)
		cancel(has[i]);
	for (size_t i = 0; i < 4; i++) /* a table for four does not seat eight */
		has[i] = book("19:00", 1);
	appliance_sql(&box,
		      "INSERT INTO table_sets (set_id, restaurant_id, seats_min, seats_max) VALUES (1, 1, 5, 8), (2, 1, 5, 8), "
		      "(3, 1, 5, 8);"
		      " INSERT INTO table_set_members SELECT 1 + (row_number() OVER (ORDER BY table_id) - 1) / 2, table_id FROM"
		      " dining_tables WHERE is_deleted = 0 AND seats_max = 4 ORDER BY table_id LIMIT 6");
	for (size_t i = 0; i < COUNT(has); i += 2)
		cancel(has[i]);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM kept_seats WHERE slot_date = '%s'", day), 5);
	for (int i = 0; i < 3; i++) /* two of the five that came free would be enough for them */
		book("19:00", 4);
	expect(wants("/api/reservations", "19:00", 4), 409, "SLOT_FULL");
	appliance_sql(&box, "DELETE FROM table_set_members; DELETE FROM table_sets");
}

/* ---- what the house takes back ---- */

static void closes(const char *how)
{
	expect(http_ask(box.port, (struct http_call){.method = "PUT",
						     .path = "/api/desk/special-days?restaurantId=1",
						     .headers = staff,
						     .body = how}),
	       200, "");
}

/* The owner closes a day and calls those who have booked: as they are cancelled, nobody who waits is invited to it. */
static void a_day_that_the_owner_closes_is_offered_to_no_guest(void **state)
{
	char body[200];
	int64_t has, waits;

	(void)state;
	appliance_sql(&box, "UPDATE users SET user_type = 'OWNER' WHERE email = 'kim@example.com'; UPDATE restaurants SET"
			    " reservation_limit = 10, sitting_minutes = 120");
	has = book("18:00", 10);
	waits = wait_for("19:00", 4);
	prove(waits);
	snprintf(body, sizeof body, "{\"from\":\"%s\",\"to\":\"%s\",\"closed\":true}", day, day);
	closes(body);
	cancel(has);
	usleep(1100000); /* the keeper has come by */
	assert_false(is_offered(waits));
	appliance_check(&box);
	/* Open again, but not at their time: nothing is kept for them, and every guest may have it. */
	snprintf(body, sizeof body, "{\"from\":\"%s\",\"to\":\"%s\",\"services\":[{\"opens\":\"10:00\",\"closes\":\"19:00\"}]}",
		 day, day);
	closes(body);
	assert_false(is_offered(waits));
	book("18:00", 10);
	snprintf(body, sizeof body, "{\"from\":\"%s\",\"to\":\"%s\"}", day, day);
	closes(body);
	cancel(appliance_number(&box, "SELECT max(reservation_id) FROM reservations"));
	assert_true(is_offered(waits));
}

/* Who waits for a blocked time has nothing kept before it: a stay that ends as the block begins is everybody's. */
static void nothing_is_kept_for_a_time_that_is_blocked(void **state)
{
	char body[200];
	int64_t has, block;
	const struct http_answer *a;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 10, sitting_minutes = 120");
	has = book("18:00", 10);
	prove(wait_for("19:00", 10));
	snprintf(body, sizeof body, "{\"from\":\"%sT20:00\",\"to\":\"%sT23:00\",\"online\":true}", day, day);
	a = http_ask(box.port,
		     (struct http_call){
			     .method = "POST", .path = "/api/desk/blocks?restaurantId=1", .headers = staff, .body = body});
	assert_int_equal(a->status, 201);
	block = http_int(a, "blockId");
	cancel(has);
	assert_int_equal(with_status("OFFERED"), 0);
	assert_int_equal(remaining("18:00"), 10);
	book("18:00", 4);
	snprintf(body, sizeof body, "/api/desk/blocks/%lld", (long long)block);
	assert_int_equal(http_ask(box.port, (struct http_call){.method = "DELETE", .path = body, .headers = staff})->status,
			 200);
	assert_int_equal(remaining("18:00"), 0); /* what came free is theirs again, for its half hour */
}

/* ---- seats that are kept for staff ---- */

/* By telephone. */
static int64_t staff_book(const char *time, int party)
{
	char body[200];

	people++;
	snprintf(body, sizeof body,
		 "{\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,\"guestName\":\"Caller\",\"phone\":\"010-6%03d-"
		 "%04d\"}",
		 day, time, party, people / 10000, people % 10000);
	return expect(http_ask(box.port, (struct http_call){.method = "POST",
							    .path = "/api/desk/reservations?restaurantId=1",
							    .headers = staff,
							    .body = body}),
		      201, "");
}

/*
 * A caller gives up seats that are not for guests online, and a guest waits whom those left online are too few for.  They are
 * staff's again: no seat that a guest could book before is away.
 */
static void what_staff_had_booked_closes_no_seat_to_guests_online(void **state)
{
	static const char *const houses[] = {"sitting_minutes = 0, seats = 0", "sitting_minutes = 120, seats = 10"};
	int64_t called;

	(void)state;
	for (size_t i = 0; i < COUNT(houses); i++) {
		begin(NULL);
		appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 10, staff_seats = 4, staff_seats_hours = 0, %s",
			      houses[i]);
		book("18:00", 3);
		called = staff_book("18:00", 4);
		assert_int_equal(remaining("18:00"), 3);
		prove(wait_for("18:00", 4));
		cancel(called);
		assert_int_equal(with_status("OFFERED"), 0);
		assert_int_equal(remaining("18:00"), 3);
		assert_int_equal(remaining("17:00"), i ? 3 : 6);
		book("18:00", 3);
		expect(wants("/api/reservations", "18:00", 1), 409, "SLOT_FULL");
		assert_int_equal(staff_book("18:00", 4) > 0, 1);
	}
}

/* ---- one after the other ---- */

/* Taken, with a payment due that does not come. */
static void take_and_do_not_pay(int64_t id)
{
	int64_t reservation = appliance_number(&box, "SELECT reservation_id FROM waitlist WHERE waitlist_id = %lld",
					       (long long)id);

	appliance_sql(&box,
		      "UPDATE waitlist SET status = 'BOOKED' WHERE waitlist_id = %lld;"
		      " UPDATE reservations SET hold_expires_at = '2026-01-01T00:00:00Z', version = version + 1 WHERE"
		      " reservation_id = %lld",
		      (long long)id, (long long)reservation);
	WITHIN(5000,
	       appliance_number(&box, "SELECT count(*) FROM reservations WHERE reservation_id = %lld AND status = 'EXPIRED'",
				(long long)reservation) == 1);
}

static void an_offer_that_is_taken_and_not_paid_is_no_new_deadline(void **state)
{
	int64_t has, first, second;
	int number;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 4");
	has = book("18:00", 4);
	first = wait_for("18:00", 4);
	number = people;
	second = wait_for("18:00", 4);
	cancel(has);
	assert_true(is_offered(first));
	pass_deadlines();
	take_and_do_not_pay(first);
	usleep(1100000); /* the keeper has come by */
	assert_false(is_offered(second));
	book("18:00", 4);
	/* Nor may they wait for it again at once. */
	people = number - 1;
	expect(wants("/api/waitlist", "18:00", 4), 409, "OFFERED_BEFORE");
	people = number + 20;
}

/* A hold that is never paid, booked anew in the second in which it ends: who waits comes first, proven or not. */
static void a_hold_that_is_booked_anew_when_it_ends_goes_to_who_waits(void **state)
{
	int64_t waits;
	int number;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 4, deposit_per_person = 5000");
	number = people;
	expect(wants("/api/reservations", "18:00", 4), 201, "");
	waits = wait_for("18:00", 4);
	appliance_sql(&box,
		      "UPDATE reservations SET hold_expires_at = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '1 seconds') WHERE"
		      " reservation_id = (SELECT max(reservation_id) FROM reservations)");
	for (int tries = 0; tries < 40; tries++) {
		people = number + 5000 + tries; /* another key each time */
		expect(wants("/api/reservations", "18:00", 4), 409, "SLOT_FULL");
		if (is_offered(waits))
			break;
		usleep(50000);
	}
	people = number + 5100;
	assert_true(is_offered(waits));
}

/* ---- made-up numbers at night ---- */

/* It is night at the restaurant now, and for five hours more. */
static void make_it_night(void)
{
	struct date date;
	int minute;

	assert_true(zone_to_local("Asia/Seoul", clock_now_s(), &date, &minute));
	appliance_sql(&box, "UPDATE restaurants SET quiet_from = %d, quiet_to = %d", (minute / 60 + 23) % 24,
		      (minute / 60 + 5) % 24);
}

static void made_up_numbers_close_nothing_for_the_night(void **state)
{
	static const char *const times[] = {"17:00", "18:00", "19:00", "20:00", "21:00"};
	int64_t holds[COUNT(times)];
	char first[40], second[40];

	(void)state;
	make_it_night();
	for (size_t i = 0; i < COUNT(times); i++) {
		book(times[i], 12);
		book(times[i], 12);
		book(times[i], 4);
		holds[i] = book(times[i], 12);
		for (int k = 0; k < 7; k++)
			wait_for(times[i], 12);
	}
	for (size_t i = 0; i < COUNT(times); i++)
		cancel(holds[i]);
	assert_int_equal(with_status("OFFERED"), COUNT(times));
	/* A quarter of an hour each, not until the morning; and all that come after have the deadline of the first. */
	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM waitlist WHERE slot_date = '%s' AND status = 'OFFERED' AND"
					  " offer_expires_at <= strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', updated_at, '15 minutes')"
					  " AND kept_until <= strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', updated_at, '30 minutes')",
					  day),
			 COUNT(times));
	snprintf(first, sizeof first, "%lld",
		 (long long)appliance_number(&box,
					     "SELECT strftime('%%s', max(kept_until)) FROM waitlist WHERE slot_date = '%s' AND"
					     " status = 'OFFERED'",
					     day));
	usleep(1100000); /* another second */
	lapse_offers();
	assert_int_equal(with_status("OFFERED"), COUNT(times));
	snprintf(second, sizeof second, "%lld",
		 (long long)appliance_number(&box,
					     "SELECT strftime('%%s', max(kept_until)) FROM waitlist WHERE slot_date = '%s' AND"
					     " status = 'OFFERED'",
					     day));
	assert_string_equal(first, second);
	/* Then they are open to all, even while others wait. */
	pass_deadlines();
	lapse_offers();
	assert_int_equal(with_status("OFFERED"), 0);
	for (size_t i = 0; i < COUNT(times); i++)
		book(times[i], 12);
	appliance_check(&box);
}

/* Leaving, or another booking and its cancellation, is no new chance for seats whose time is over. */
static void a_chain_of_made_up_numbers_cannot_be_begun_again(void **state)
{
	int64_t has, other;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 12");
	has = book("18:00", 12);
	other = book("12:00", 2);
	for (int k = 0; k < 5; k++)
		wait_for("18:00", 12);
	cancel(has);
	assert_int_equal(with_status("OFFERED"), 1);
	pass_deadlines();
	lapse_offers();
	assert_int_equal(with_status("OFFERED"), 0);
	cancel(other); /* of another time */
	appliance_sql(&box, "UPDATE restaurants SET phone = phone || '1'");
	assert_int_equal(with_status("OFFERED"), 0);
	book("18:00", 12);
}

/* Proven numbers have what came free for its half hour and one offer more; then everybody has as long to book it. */
static void a_chain_of_proven_numbers_leaves_the_seats_to_everybody(void **state)
{
	int64_t has, other;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 12");
	has = book("18:00", 12);
	other = book("12:00", 2);
	for (int k = 0; k < 6; k++)
		prove(wait_for("18:00", 12));
	cancel(has);
	lapse_offers(); /* within the half hour: the next is asked at once */
	assert_int_equal(with_status("OFFERED"), 1);
	pass_deadlines();
	lapse_offers();
	cancel(other);
	usleep(11000000); /* the keeper has come by, and the check looks at a book that rests */
	assert_int_equal(with_status("OFFERED"), 0);
	assert_int_equal(remaining("18:00"), 12);
	appliance_check(&box); /* it knows that they are left to everybody */
	/* No guest took them: those who wait are asked again. */
	appliance_sql(&box, "UPDATE left_seats SET left_at = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '-31 minutes')");
	WITHIN(15000, with_status("OFFERED") == 1);
	pass_deadlines();
	lapse_offers();
	assert_int_equal(with_status("OFFERED"), 0);
	has = book("18:00", 12);
	cancel(has); /* what comes free anew is theirs */
	assert_int_equal(with_status("OFFERED"), 1);
}

/* Each says no in the last second and waits again: past the deadline that passes nothing on, however few they are. */
static void two_proven_numbers_that_say_no_in_turn_keep_no_guest_out(void **state)
{
	char token[HTTP_TEXT], path[80], headers[HTTP_TEXT + 40];
	const struct http_answer *first;
	int64_t has;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 12");
	has = book("18:00", 12);
	first = wants("/api/waitlist", "18:00", 12);
	snprintf(path, sizeof path, "/api/waitlist/%lld", (long long)expect(first, 201, ""));
	snprintf(headers, sizeof headers, "Authorization: Bearer %s\r\n", http_text(first, "accessToken", token));
	prove(http_int(first, "waitlistId"));
	prove(wait_for("18:00", 12));
	cancel(has);
	assert_int_equal(with_status("OFFERED"), 1);
	pass_deadlines();
	assert_int_equal(http_ask(box.port, (struct http_call){.method = "DELETE", .path = path, .headers = headers})->status,
			 200);
	assert_int_equal(with_status("OFFERED"), 0);
	assert_int_equal(remaining("18:00"), 12);
	usleep(11000000); /* the keeper has come by, and the check looks at a book that rests */
	assert_int_equal(with_status("OFFERED"), 0);
	appliance_check(&box);
	book("18:00", 12);
}

/* Declining passes the seats on at once, so it is open to guests who changed their mind, and not to a script in a loop. */
static void who_says_no_three_times_waits_again_tomorrow(void **state)
{
	char token[HTTP_TEXT], path[80], headers[HTTP_TEXT + 40];
	const struct http_answer *a;
	int64_t has;
	int number;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 12");
	for (int i = 0; i < 4; i++) {
		has = book("18:00", 12);
		number = people;
		people = 9000; /* the same each time */
		a = wants("/api/waitlist", "18:00", 12);
		people = number;
		if (i == 3) {
			expect(a, 409, "OFFERED_BEFORE");
			return;
		}
		snprintf(path, sizeof path, "/api/waitlist/%lld", (long long)expect(a, 201, ""));
		snprintf(headers, sizeof headers, "Authorization: Bearer %s\r\n", http_text(a, "accessToken", token));
		cancel(has);
		assert_int_equal(with_status("OFFERED"), 1);
		assert_int_equal(
			http_ask(box.port, (struct http_call){.method = "DELETE", .path = path, .headers = headers})->status,
			200);
	}
}

/*
 * Seats that are left to everybody: one of them, or all, booked and given up in the same moment ask no guest, neither proven nor
 * made-up numbers.  Else a third number would begin the chain again whenever it ends.
 */
static void what_is_left_to_everybody_and_given_up_at_once_stays_so(void **state)
{
	static const int parties[] = {1, 12};
	const struct http_answer *a;
	char token[HTTP_TEXT];
	int64_t has, id;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 12");
	has = book("18:00", 12);
	prove(wait_for("18:00", 12));
	for (int k = 0; k < 2; k++)
		wait_for("18:00", 12);
	prove(wait_for("18:00", 12));
	cancel(has);
	assert_int_equal(with_status("OFFERED"), 1);
	pass_deadlines();
	lapse_offers();
	assert_int_equal(with_status("OFFERED"), 0);
	for (size_t i = 0; i < COUNT(parties); i++) {
		a = wants("/api/reservations", "18:00", parties[i]);
		id = expect(a, 201, "");
		http_text(a, "manageToken", token);
		expect(with_token(id, token, "cancel", "{}"), 200, "");
		assert_int_equal(with_status("OFFERED"), 0);
		assert_int_equal(remaining("18:00"), 12);
	}
	book("18:00", 12);
}

/* The owner saves a word, or fewer seats: that is no room made, and no new chance. */
static void only_settings_that_make_room_ask_made_up_numbers_again(void **state)
{
	static const struct {
		const char *words; /* of the settings; NULL: what one time takes */
		int capacity;
		bool room;
	} saved[] = {
		{"{\"paymentText\":\"cash\"}", 0, false},
		{"{\"reservationLimit\":12,\"holdSeconds\":300}", 0, false},
		{NULL, 12, false},
		{NULL, 13, true},
	};
	struct http_call put = {.method = "PUT", .headers = staff};
	char body[120];
	int64_t has;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 12; UPDATE users SET user_type = 'OWNER' WHERE email ="
			    " 'kim@example.com'");
	has = book("18:00", 12);
	for (int k = 0; k < 3; k++)
		wait_for("18:00", 12);
	cancel(has);
	pass_deadlines();
	lapse_offers();
	assert_int_equal(with_status("OFFERED"), 0);
	for (size_t i = 0; i < COUNT(saved); i++) {
		snprintf(body, sizeof body, "{\"slotDate\":\"%s\",\"slotTime\":\"18:00\",\"capacity\":%d}", day,
			 saved[i].capacity);
		put.path = saved[i].words ? "/api/desk/settings?restaurantId=1" : "/api/desk/slots?restaurantId=1";
		put.body = saved[i].words ? saved[i].words : body;
		expect(http_ask(box.port, put), 200, "");
		assert_int_equal(with_status("OFFERED"), saved[i].room);
	}
}

/* ---- how many ---- */

static void a_slot_takes_a_few_unproven_guests_and_the_desk_clears_it(void **state)
{
	char body[120], path[80];
	struct http_call clear = {.method = "POST", .path = "/api/desk/waitlist/clear?restaurantId=1", .body = body};
	int64_t has;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 4");
	has = book("18:00", 4);
	for (int i = 0; i < 20; i++)
		wait_for("18:00", 4);
	expect(wants("/api/waitlist", "18:00", 4), 409, "WAITLIST_FULL");
	cancel(has);
	assert_int_equal(with_status("OFFERED"), 1);
	snprintf(body, sizeof body, "{\"slotDate\":\"%s\",\"slotTime\":\"18:00\"}", day);
	clear.headers = "Content-Type: application/json\r\n";
	expect(http_ask(box.port, clear), 401, "");
	clear.headers = staff;
	expect(http_ask(box.port, clear), 200, "");
	assert_int_equal(with_status("LEFT"), 20);
	snprintf(path, sizeof path, "/api/waitlist/%lld",
		 (long long)appliance_number(&box, "SELECT max(waitlist_id) FROM waitlist WHERE status = 'LEFT'"));
	assert_non_null(
		strstr(http_ask(box.port, (struct http_call){.path = path, .headers = staff})->body, "\"removed\":true"));
	snprintf(path, sizeof path, "/api/waitlist/%lld",
		 (long long)appliance_number(&box, "SELECT max(waitlist_id) FROM waitlist WHERE reservation_id IS NOT NULL"));
	assert_non_null(
		strstr(http_ask(box.port, (struct http_call){.path = path, .headers = staff})->body, "\"removed\":true"));
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM audit WHERE entity = 'waitlist' AND change = 'act' AND"
						" to_value = 'all of the slot left' AND actor LIKE 'user:%%'"),
			 1);
	expect(http_ask(box.port, clear), 404, "NO_SUCH_WAIT");
	book("18:00", 4);
}

/* As plain CGI, so that the address can be chosen. */
static int ask_from(const char *address, const char *path, const char *body)
{
	char length[24], key[40];
	const char *status;

	snprintf(length, sizeof length, "%zu", strlen(body));
	snprintf(key, sizeof key, "attack-%d", people);
	setenv("REQUEST_METHOD", "POST", 1);
	setenv("PATH_INFO", path, 1);
	setenv("CONTENT_TYPE", "application/json", 1);
	setenv("CONTENT_LENGTH", length, 1);
	setenv("HTTP_IDEMPOTENCY_KEY", key, 1);
	setenv("REMOTE_ADDR", address, 1);
	appliance_run(&box, &ran, body, "cgi", "--dir", box.dir, NULL);
	unsetenv("REMOTE_ADDR");
	status = strstr(ran.out, "Status: ");
	return status ? atoi(status + 8) : 0;
}

static int wait_from(const char *address, const char *time)
{
	return ask_from(address, "/api/waitlist", body_of(time, 2, false));
}

static void one_address_enters_a_few_unproven_waits(void **state)
{
	int taken = 0;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 2");
	book("18:00", 2);
	book("19:00", 2);
	while (taken < 40 && wait_from("203.0.113.77", taken % 2 ? "18:00" : "19:00") == 201)
		taken++;
	assert_in_range(taken, 20, 23);
	assert_non_null(strstr(ran.out, "WAITS_FROM_HERE"));
	assert_non_null(strstr(ran.out, "Retry-After: "));
	assert_int_equal(wait_from("198.51.100.8", "18:00"), 201);
}

/* Rows stay in the book, so a script that books, cancels and changes all day would fill the disk. */
static void what_one_network_writes_is_bounded(void **state)
{
	struct hall *hall = guests_hall(&box);
	const struct http_answer *a = wants("/api/reservations", "18:00", 2);
	char token[HTTP_TEXT], path[80];
	int64_t id = expect(a, 201, "");
	int retry_s, left = 0;

	(void)state;
	http_text(a, "manageToken", token);
	snprintf(path, sizeof path, "/api/reservations/%lld/change", (long long)id);
	while (rate_within(hall->rate, RATE_MADE, rate_network("203.0.113.77"), &retry_s))
		left++;
	assert_in_range(left, 2000, 2010);
	setenv("HTTP_X_MANAGE_TOKEN", token, 1);
	assert_int_equal(ask_from("203.0.113.5", "/api/reservations", body_of("18:00", 2, true)), 429);
	assert_non_null(strstr(ran.out, "Retry-After: "));
	assert_int_equal(ask_from("203.0.113.6", path, "{\"partySize\":3}"), 429);
	assert_non_null(strstr(ran.out, "Retry-After: "));
	assert_int_equal(ask_from("198.51.100.8", path, "{\"partySize\":3}"), 200);
	assert_int_equal(ask_from("198.51.100.8", "/api/reservations", body_of("18:00", 2, true)), 201);
	unsetenv("HTTP_X_MANAGE_TOKEN");
}

static void one_network_enters_a_few_unproven_waits(void **state)
{
	static const char *const times[] = {"12:00", "13:00", "18:00", "19:00"};
	char address[40];
	int taken = 0;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 2");
	for (size_t i = 0; i < COUNT(times); i++)
		book(times[i], 2);
	do
		snprintf(address, sizeof address, "2001:db8:1:%x::1", (unsigned)taken);
	while (wait_from(address, times[taken % 4]) == 201 && taken++ < 60);
	assert_in_range(taken, 40, 45);
	assert_non_null(strstr(ran.out, "WAITS_FROM_HERE"));
	assert_int_equal(wait_from("2001:db8:2::1", "18:00"), 201);
}

/* ---- another time of the day ---- */

static void two_hundred_who_wait_for_one_time_do_not_starve_another(void **state)
{
	int64_t has, honest;

	(void)state;
	for (int i = 0; i < 3; i++)
		book("21:00", 12);
	book("21:00", 2);
	appliance_sql(
		&box,
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 205) INSERT INTO users (user_type,"
		" name, phone, phone_key) SELECT 'GUEST', 'W' || i, '010555' || (10000 + i), 821055510000 + i FROM n;"
		" INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size, proven) SELECT 1, '%s',"
		" '21:00', user_id, 12, user_id %% 2 FROM users WHERE name LIKE 'W%%' AND phone_key > 821055510000",
		day);
	for (int i = 0; i < 3; i++)
		book("12:00", 12);
	has = book("12:00", 4);
	honest = wait_for("12:00", 4);
	cancel(has);
	assert_true(is_offered(honest));
	appliance_sql(&box, "UPDATE waitlist SET status = 'LEFT' WHERE guest_name LIKE 'W%%'");
	appliance_check(&box);
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(no_guest_waits_for_what_an_empty_house_could_not_seat),
		TEST(no_guest_waits_for_more_than_may_start),
		TEST(seats_that_come_free_are_kept_for_the_proven_and_for_a_time),
		TEST(a_party_behind_gets_what_is_everybodys),
		TEST(a_house_that_keeps_nothing_offers_and_sells),
		TEST(what_was_had_for_a_moment_closes_nothing),
		TEST(no_more_is_kept_than_those_who_wait_could_use),
		TEST(a_day_that_the_owner_closes_is_offered_to_no_guest),
		TEST(nothing_is_kept_for_a_time_that_is_blocked),
		TEST(what_staff_had_booked_closes_no_seat_to_guests_online),
		TEST(an_offer_that_is_taken_and_not_paid_is_no_new_deadline),
		TEST(a_hold_that_is_booked_anew_when_it_ends_goes_to_who_waits),
		TEST(made_up_numbers_close_nothing_for_the_night),
		TEST(a_chain_of_made_up_numbers_cannot_be_begun_again),
		TEST(a_chain_of_proven_numbers_leaves_the_seats_to_everybody),
		TEST(two_proven_numbers_that_say_no_in_turn_keep_no_guest_out),
		TEST(who_says_no_three_times_waits_again_tomorrow),
		TEST(what_is_left_to_everybody_and_given_up_at_once_stays_so),
		TEST(only_settings_that_make_room_ask_made_up_numbers_again),
		TEST(a_slot_takes_a_few_unproven_guests_and_the_desk_clears_it),
		TEST(one_address_enters_a_few_unproven_waits),
		TEST(what_one_network_writes_is_bounded),
		TEST(one_network_enters_a_few_unproven_waits),
		TEST(two_hundred_who_wait_for_one_time_do_not_starve_another),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
