/*
 * e2e_words.c - what a guest says of themselves, by the API: tags that staff see, and of whom a deposit is asked.
 */
#include "appliance.h"
#include "guests.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static struct appliance box;
static struct ran ran;
static char owner[256], day[TEXT_DATE_SIZE];

static void log_in(void)
{
	char token[HTTP_TEXT];

	appliance_run(&box, &ran, NULL, "staff", "add", "owner@example.com", "Kim", "--password", "correct horse 7", "--dir",
		      box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	appliance_sql(&box, "UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com'");
	http_text(http_post(box.port, "/api/login", "{\"email\":\"owner@example.com\",\"password\":\"correct horse 7\"}"),
		  "accessToken", token);
	snprintf(owner, sizeof owner, "Authorization: Bearer %.160s\r\nContent-Type: application/json\r\n", token);
}

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 4);
	guests_day(3, day);
	log_in();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

static void expect(const struct http_answer *a, int status, const char *part)
{
	if (a->status != status || !strstr(a->body, part))
		fail_msg("%d, not %d with %s: %.900s", a->status, status, part, a->body);
}

/* A booking of this party, with more fields. */
static const struct http_answer *book(const char *phone, const char *time, int party, const char *more)
{
	static int number;
	char body[900], headers[120];

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: words-%d\r\n", ++number);
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Kim\",\"phone\":\"%s\"}%s}",
		 day, time, party, phone, more);
	return http_ask(box.port, (struct http_call){.path = "/api/reservations", .headers = headers, .body = body});
}

static const struct http_answer *desk(const char *method, const char *path, const char *body)
{
	return http_ask(box.port, (struct http_call){.method = method, .path = path, .headers = owner, .body = body});
}

static const struct http_answer *settle(const char *settings)
{
	return desk("PUT", "/api/desk/settings?restaurantId=1", settings);
}

static int64_t rows(void)
{
	return appliance_number(&box, "SELECT count(*) FROM reservations");
}

/* ---- tags ---- */

static void tags_reach_the_guest_the_desk_and_the_list(void **state)
{
	const struct http_answer *a = book("010-6660-0001", "12:00", 2, ",\"tags\":[\"birthday\",\"nuts\",\"nuts\"]");
	char path[200], token[HTTP_TEXT], headers[600];

	(void)state;
	expect(a, 201, "\"tags\":[\"nuts\",\"birthday\"]");
	snprintf(headers, sizeof headers, "X-Manage-Token: %.400s\r\n", http_text(a, "manageToken", token));
	snprintf(path, sizeof path, "/api/reservations/%lld", (long long)http_int(a, "reservationId"));
	expect(http_ask(box.port, (struct http_call){.path = path, .headers = headers}), 200,
	       "\"tags\":[\"nuts\",\"birthday\"]");
	snprintf(path, sizeof path, "/api/desk/day?restaurantId=1&date=%s", day);
	expect(desk("GET", path, NULL), 200, "\"tags\":[\"nuts\",\"birthday\"]");
	snprintf(path, sizeof path, "/api/desk/export/reservations.csv?restaurantId=1&from=%s&to=%s", day, day);
	expect(desk("GET", path, NULL), 200, "\"nuts,birthday\"");
}

static void a_tag_that_is_not_known_is_named_and_nothing_is_saved(void **state)
{
	static const struct {
		const char *tags, *code;
	} bad[] = {
		{"[\"lactose\"]", "BAD_TAG"},
		{"[\"nuts\",\"Nuts\"]", "BAD_TAG"},
		{"[\"\"]", "BAD_TAG"},
		{"[\"nuts,milk\"]", "BAD_TAG"},
		{"[1]", "WRONG_TYPE"},
		{"\"nuts\"", "WRONG_TYPE"},
		{"{\"nuts\":true}", "WRONG_TYPE"},
		{"[[\"nuts\"]]", "WRONG_TYPE"},
		{"[null]", "WRONG_TYPE"},
		{"[\"nuts\\u0000milk\"]", "BAD_JSON"},
	};
	int64_t before = rows();
	char more[100], text[HTTP_TEXT];

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		const struct http_answer *a;

		snprintf(more, sizeof more, ",\"tags\":%s", bad[i].tags);
		a = book("010-6660-0002", "13:00", 2, more);
		if (a->status != 400 ||
		    (strcmp(http_text(a, "code", text), bad[i].code) != 0 && strcmp(bad[i].code, "BAD_JSON") != 0))
			fail_msg("%s: %d %s", bad[i].tags, a->status, a->body);
		if (strcmp(bad[i].code, "BAD_JSON") != 0)
			assert_string_equal(http_text(a, "field", text), "tags");
	}
	assert_int_equal(rows(), before);
}

static void a_key_that_comes_with_other_tags_is_another_booking(void **state)
{
	static const char first[] =
		"{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"14:00\",\"partySize\":1,\"reservationType\":"
		"\"RESERVATION_DEPOSIT\",\"tags\":[%s],\"guest\":{\"name\":\"Kim\",\"phone\":\"010-6660-0003\"}}";
	struct http_call call = {.path = "/api/reservations",
				 .headers = "Content-Type: application/json\r\nIdempotency-Key: tagged\r\n"};
	char body[500];

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET user_lock_ms = 0");
	snprintf(body, sizeof body, first, day, "\"egg\"");
	call.body = body;
	expect(http_ask(box.port, call), 201, "\"tags\":[\"egg\"]");
	expect(http_ask(box.port, call), 201, "\"tags\":[\"egg\"]");
	snprintf(body, sizeof body, first, day, "\"egg\",\"milk\"");
	expect(http_ask(box.port, call), 409, "KEY_REUSED");
}

static void staff_give_tags_and_change_them(void **state)
{
	char path[200], body[300];
	const struct http_answer *a;
	int64_t id;

	(void)state;
	snprintf(
		body, sizeof body,
		"{\"slotDate\":\"%s\",\"slotTime\":\"12:00\",\"partySize\":2,\"guestName\":\"Lee\",\"phone\":\"010-6660-0004\","
		"\"tags\":[\"wheelchair\"]}",
		day);
	a = desk("POST", "/api/desk/reservations?restaurantId=1", body);
	expect(a, 201, "\"tags\":[\"wheelchair\"]");
	id = http_int(a, "reservationId");
	snprintf(path, sizeof path, "/api/desk/reservations/%lld/note", (long long)id);
	snprintf(body, sizeof body, "{\"version\":%lld,\"note\":\"by the door\"}", (long long)http_int(a, "version"));
	a = desk("POST", path, body);
	expect(a, 200, "\"tags\":[\"wheelchair\"]");
	snprintf(body, sizeof body, "{\"version\":%lld,\"tags\":[\"soy\"]}", (long long)http_int(a, "version"));
	a = desk("POST", path, body);
	expect(a, 200, "\"tags\":[\"soy\"]");
	snprintf(body, sizeof body, "{\"version\":%lld,\"tags\":[\"lactose\"]}", (long long)http_int(a, "version"));
	expect(desk("POST", path, body), 400, "BAD_TAG");
	snprintf(path, sizeof path, "/api/desk/guests/%lld/erase?restaurantId=1",
		 (long long)appliance_number(&box, "SELECT user_id FROM reservations WHERE reservation_id = %lld",
					     (long long)id));
	appliance_sql(&box, "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = %lld", (long long)id);
	assert_int_equal(desk("POST", path, "{}")->status, 200);
	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM reservations WHERE reservation_id = %lld AND tags IS NULL",
					  (long long)id),
			 1);
	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM desk_acts WHERE reservation_id = %lld AND before LIKE"
					  " '%%wheelchair%%'",
					  (long long)id),
			 0);
}

/* ---- deposits ---- */

static void a_deposit_is_asked_of_large_parties_alone(void **state)
{
	(void)state;
	expect(settle("{\"depositFrom\":5,\"depositPerPerson\":7000}"), 200, "");
	expect(http_get(box.port, "/api/restaurants/1"), 200, "\"depositFrom\":5");
	expect(book("010-6660-0005", "17:00", 4, ",\"totalAmount\":0"), 201, "\"status\":\"CONFIRMED\"");
	expect(book("010-6660-0006", "17:00", 5, ",\"totalAmount\":0"), 409, "\"amountDue\":35000");
	expect(book("010-6660-0006", "17:00", 5, ",\"totalAmount\":35000"), 201, "\"amountDue\":35000");
	expect(settle("{\"depositFrom\":0}"), 200, "");
	expect(book("010-6660-0007", "17:00", 6, ""), 201, "\"amountDue\":0");
	expect(settle("{\"depositFrom\":1}"), 200, "");
	expect(book("010-6660-0008", "17:00", 1, ""), 201, "\"amountDue\":7000");
	assert_int_equal(settle("{\"depositFrom\":1001}")->status, 400);
}

static void a_party_that_grows_into_a_deposit_waits_for_it(void **state)
{
	const struct http_answer *a;
	char path[100], headers[600], token[HTTP_TEXT];
	int64_t id;

	(void)state;
	expect(settle("{\"depositFrom\":5,\"depositPerPerson\":7000}"), 200, "");
	a = book("010-6660-0009", "18:00", 4, "");
	expect(a, 201, "\"status\":\"CONFIRMED\"");
	id = http_int(a, "reservationId");
	snprintf(path, sizeof path, "/api/reservations/%lld/change", (long long)id);
	snprintf(headers, sizeof headers, "X-Manage-Token: %.400s\r\nContent-Type: application/json\r\n",
		 http_text(a, "manageToken", token));
	expect(http_ask(box.port, (struct http_call){.path = path, .headers = headers, .body = "{\"partySize\":3}"}), 200,
	       "\"partySize\":3,");
	expect(http_ask(box.port, (struct http_call){.path = path, .headers = headers, .body = "{\"partySize\":6}"}), 202,
	       "\"amountDue\":42000");
	/* And one whose hold becomes a party without a deposit has the table. */
	a = book("010-6660-0010", "18:00", 5, "");
	expect(a, 201, "\"status\":\"TEMPORARY\"");
	snprintf(path, sizeof path, "/api/reservations/%lld/change", (long long)http_int(a, "reservationId"));
	snprintf(headers, sizeof headers, "X-Manage-Token: %.400s\r\nContent-Type: application/json\r\n",
		 http_text(a, "manageToken", token));
	expect(http_ask(box.port, (struct http_call){.path = path, .headers = headers, .body = "{\"partySize\":2}"}), 200,
	       "\"status\":\"CONFIRMED\"");
}

/* The guest of 010-6660-0011, on some day of the past. */
static void did_not_come(const char *code)
{
	appliance_sql(&box,
		      "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time,"
		      " max_capacity) VALUES (9%s000, 1, '2026-01-0%s', '12:00', 20);"
		      "INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status)"
		      " SELECT 'PAST%s', 9%s000, user_id, 2, 'RESERVATION_DEPOSIT', 'NO_SHOW' FROM users"
		      " WHERE phone_key = 821066600011",
		      code, code, code, code);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE status = 'NO_SHOW'"), code[0] - '0');
}

static void a_number_that_did_not_come_pays_ahead(void **state)
{
	int64_t before;

	(void)state;
	expect(settle("{\"depositFrom\":0,\"depositNoShows\":2,\"depositPerPerson\":7000}"), 200, "");
	expect(book("010-6660-0011", "12:00", 2, ""), 201, "\"amountDue\":0");
	did_not_come("1");
	expect(book("010-6660-0011", "13:00", 2, ",\"totalAmount\":0"), 201, "\"amountDue\":0"); /* once is not twice */
	did_not_come("2");
	before = rows();
	expect(book("+82 10 6660 0011", "20:00", 2, ",\"totalAmount\":0"), 409, "\"amountDue\":14000");
	assert_int_equal(rows(), before);
	expect(book("+82 10 6660 0011", "20:00", 2, ",\"totalAmount\":14000"), 201, "\"status\":\"TEMPORARY\"");
	expect(book("010-6660-0012", "20:00", 2, ",\"totalAmount\":0"), 201, "\"status\":\"CONFIRMED\"");
	expect(settle("{\"depositFrom\":1,\"depositNoShows\":0}"), 200, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_reach_the_guest_the_desk_and_the_list),
		cmocka_unit_test(a_tag_that_is_not_known_is_named_and_nothing_is_saved),
		cmocka_unit_test(a_key_that_comes_with_other_tags_is_another_booking),
		cmocka_unit_test(staff_give_tags_and_change_them),
		cmocka_unit_test(a_deposit_is_asked_of_large_parties_alone),
		cmocka_unit_test(a_party_that_grows_into_a_deposit_waits_for_it),
		cmocka_unit_test(a_number_that_did_not_come_pays_ahead),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
