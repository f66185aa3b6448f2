/*
 * e2e_people.c - a telephone number is one person, and typing it proves nothing: what a stranger who knows a number, or
 * makes up many, can take and can see.
 */
#include "appliance.h"
#include "clock.h"
#include "guests.h"
#include "http.h"
#include "token.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static struct appliance box;

/* A whole request to book, with everything that it points to. */
struct wish {
	char headers[HTTP_TEXT + 200], body[512];
};

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 4);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/* By an introduction with the booking (guest), or by the token of one (bearer). */
static struct http_call wants(struct wish *w, int day, const char *time, const char *guest, const char *bearer, const char *key)
{
	char date[TEXT_DATE_SIZE];

	guests_day(day, date);
	snprintf(w->headers, sizeof w->headers, "Content-Type: application/json\r\n%s%s%s%s%s%s",
		 *bearer ? "Authorization: Bearer " : "", bearer, *bearer ? "\r\n" : "", *key ? "Idempotency-Key: " : "", key,
		 *key ? "\r\n" : "");
	snprintf(w->body, sizeof w->body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":2,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\"%s%s}",
		 date, time, *guest ? ",\"guest\":" : "", guest);
	return (struct http_call){.path = "/api/reservations", .headers = w->headers, .body = w->body};
}

static const struct http_answer *book(int day, const char *time, const char *guest, const char *bearer, const char *key)
{
	static struct wish w;

	return http_ask(box.port, wants(&w, day, time, guest, bearer, key));
}

static void expect(const struct http_answer *a, int status, const char *code)
{
	char text[HTTP_TEXT];

	if (a->status != status || (*code && strcmp(http_text(a, "code", text), code) != 0))
		fail_msg("%d %s, not %d %s", a->status, a->body ? a->body : "", status, code);
}

static const struct http_answer *introduce(const char *name, const char *phone, char token[HTTP_TEXT])
{
	char body[256];
	const struct http_answer *a;

	snprintf(body, sizeof body, "{\"name\":\"%s\",\"phone\":\"%s\"}", name, phone);
	a = http_post(box.port, "/api/guests", body);
	expect(a, 200, "");
	http_text(a, "accessToken", token);
	return a;
}

static const struct http_answer *ask_as(const char *method, const char *path, const char *token)
{
	static char headers[HTTP_TEXT + 60];

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n", token);
	return http_ask(box.port, (struct http_call){.method = method, .path = path, .headers = headers});
}

/* ---- one number, one place ---- */

static void sixty_at_once_with_one_number_take_one_place(void **state)
{
	enum { MANY = 60 };
	static struct wish w[MANY];
	static const char *const spellings[] = {"010-9000-0001", "01090000001", "+82 10 9000 0001", "+82(0)10.9000.0001",
						"0082 10 90000001"};
	struct http_call calls[MANY];
	struct http_answer answers[MANY];
	int booked = 0;

	(void)state;
	for (int i = 0; i < MANY; i++) {
		char guest[160], key[32];

		snprintf(guest, sizeof guest, "{\"name\":\"Guest %d\",\"phone\":\"%s\"}", i,
			 spellings[(size_t)i % COUNT(spellings)]);
		snprintf(key, sizeof key, "sixty-%d", i);
		calls[i] = wants(&w[i], 0, "18:00", guest, "", key);
	}
	http_many(box.port, calls, MANY, MANY, answers);
	for (int i = 0; i < MANY; i++) {
		char code[HTTP_TEXT];

		if (answers[i].status == 201)
			booked++;
		else if (answers[i].status != 409 ||
			 (strcmp(http_text(&answers[i], "code", code), "DUPLICATE") != 0 && strcmp(code, "IN_PROGRESS") != 0))
			fail_msg("%d %s", answers[i].status, answers[i].body ? answers[i].body : "");
		http_free(&answers[i]);
	}
	assert_int_equal(booked, 1);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE is_active = 1"), 1);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM users WHERE phone_key = 821090000001"), 1);
}

static void one_number_cannot_take_the_house(void **state)
{
	static const char guest[] = "{\"name\":\"Greedy\",\"phone\":\"010-9000-0002\"}";
	static const char *const times[] = {"11:00", "12:00", "13:00", "14:00", "17:00", "18:00", "19:00", "20:00"};
	int booked = 0;

	(void)state;
	for (int i = 0; i < 40; i++) {
		char key[32];
		const struct http_answer *a;

		snprintf(key, sizeof key, "greedy-%d", i);
		a = book(1 + i / 8, times[i % 8], guest, "", key);
		if (a->status == 201)
			booked++;
		else
			expect(a, 409, "TOO_MANY_HOLDS");
	}
	assert_int_equal(booked, 2);
	appliance_sql(&box,
		      "UPDATE reservations SET status = 'CONFIRMED' WHERE guest_name = 'Greedy' AND status = 'TEMPORARY'");
	expect(book(10, "18:00", guest, "", "greedy-41"), 201, "");
	expect(book(10, "19:00", guest, "", "greedy-42"), 201, "");
	expect(book(11, "18:00", guest, "", "greedy-43"), 409, "TOO_MANY_HOLDS");
	appliance_sql(&box,
		      "UPDATE reservations SET status = 'CONFIRMED' WHERE guest_name = 'Greedy' AND status = 'TEMPORARY'");
	expect(book(11, "18:00", guest, "", "greedy-44"), 409, "TOO_MANY_UPCOMING");
	/* In the slot that they have, the better answer is that they have it. */
	expect(book(10, "18:00", guest, "", "greedy-45"), 409, "DUPLICATE");
	/* What is past does not count, and what is cancelled does not. */
	appliance_sql(&box, "UPDATE reservations SET starts_at = '2020-01-01T00:00:00Z' WHERE reservation_id ="
			    " (SELECT min(reservation_id) FROM reservations WHERE guest_name = 'Greedy')");
	expect(book(11, "18:00", guest, "", "greedy-46"), 201, "");
	appliance_sql(&box, "UPDATE reservations SET starts_at = (SELECT s.starts_at FROM restaurant_reservation_slots s"
			    " WHERE s.slot_id = reservations.slot_id)");
	appliance_sql(&box, "UPDATE restaurants SET holds_per_guest = 0, upcoming_per_guest = 0");
	usleep(300000); /* a setting changed at the shell is read within 200 ms */
	expect(book(12, "18:00", guest, "", "greedy-47"), 201, "");
	expect(book(12, "19:00", guest, "", "greedy-48"), 201, "");
	expect(book(12, "20:00", guest, "", "greedy-49"), 201, "");
	appliance_sql(&box, "UPDATE restaurants SET holds_per_guest = 2, upcoming_per_guest = 4");
}

/* ---- a card sees what was made with it ---- */

static void a_stranger_who_types_a_number_sees_nothing_of_its_owner(void **state)
{
	char owner[HTTP_TEXT], thief[HTTP_TEXT], code[HTTP_TEXT], path[128], text[HTTP_TEXT];
	const struct http_answer *a;
	int64_t id, card;

	(void)state;
	introduce("주인", "010-9000-0003", owner);
	a = book(2, "18:00", "", owner, "mine-1");
	expect(a, 201, "");
	id = http_int(a, "reservationId");
	card = http_int(a, "userId");
	http_text(a, "reservationCode", code);
	assert_non_null(strstr(ask_as("GET", "/api/reservations/my", owner)->body, code));

	a = introduce("주인", "+82 10 9000 0003", thief); /* even with the same name */
	assert_true(http_int(a, "id") != card);
	assert_null(strstr(ask_as("GET", "/api/reservations/my", thief)->body, code));
	snprintf(path, sizeof path, "/api/reservations/%lld", (long long)id);
	expect(ask_as("GET", path, thief), 404, "NO_SUCH_RESERVATION");
	strcat(path, "/cancel");
	expect(ask_as("POST", path, thief), 404, "NO_SUCH_RESERVATION");
	/* The same slot: DUPLICATE, and not a word more. */
	a = book(2, "18:00", "", thief, "thief-1");
	expect(a, 409, "DUPLICATE");
	assert_null(strstr(a->body, code));
	assert_null(strstr(a->body, "reservationId"));
	sleep(6); /* the guest's lock in the line is over: now the book answers */
	a = book(2, "18:00", "", thief, "thief-2");
	expect(a, 409, "DUPLICATE");
	assert_null(strstr(a->body, code));
	assert_null(strstr(a->body, "reservationId"));
	/* The owner's key, should it be guessed, opens nothing either. */
	expect(book(2, "18:00", "", thief, "mine-1"), 409, "KEY_REUSED");
	/* The owner is told which one it is. */
	a = book(2, "18:00", "", owner, "mine-2");
	expect(a, 409, "DUPLICATE");
	assert_string_equal(http_text(a, "reservationCode", text), code);
	expect(book(2, "18:00", "", owner, "mine-1"), 201, "");
	/* Another slot is the thief's own booking: it shows that one, and not whose number it is. */
	a = book(3, "18:00", "", thief, "thief-3");
	expect(a, 201, "");
	assert_true(http_int(a, "userId") > card / 1000000 && http_int(a, "userId") != card);
	assert_null(strstr(ask_as("GET", "/api/reservations/my", thief)->body, code));
	assert_int_equal(appliance_number(&box, "SELECT count(DISTINCT user_id) FROM reservations WHERE guest_name = '주인'"),
			 1);
}

/* Both in flight at once: the second does not get the first one's ticket, outcome or manage link. */
static void no_card_rides_on_the_ticket_of_another(void **state)
{
	static struct wish w[2];
	static const char guest[] = "{\"name\":\"Twin\",\"phone\":\"010-9000-0004\"}";
	struct http_call calls[2] = {wants(&w[0], 4, "18:00", guest, "", "twin-a"),
				     wants(&w[1], 4, "18:00", guest, "", "twin-b")};
	struct http_answer answers[2];
	char token[HTTP_TEXT];
	int booked = 0;

	(void)state;
	http_many(box.port, calls, 2, 2, answers);
	for (int i = 0; i < 2; i++) {
		booked += answers[i].status == 201;
		if (answers[i].status != 201)
			assert_string_equal(http_text(&answers[i], "manageToken", token), "");
		http_free(&answers[i]);
	}
	assert_int_equal(booked, 1);
}

static void a_blocked_number_is_told_to_call(void **state)
{
	static const char guest[] = "{\"name\":\"Blocked\",\"phone\":\"010-9000-0005\"}";

	(void)state;
	expect(book(5, "18:00", guest, "", "blocked-1"), 201, "");
	appliance_sql(&box, "UPDATE users SET is_blocked = 1 WHERE phone_key = 821090000005");
	expect(book(5, "19:00", "{\"name\":\"Somebody else\",\"phone\":\"+821090000005\"}", "", "blocked-2"), 403, "BLOCKED");
}

/* ---- the end of a card ---- */

static void logging_out_ends_the_token_wherever_it_is(void **state)
{
	char token[HTTP_TEXT], other[HTTP_TEXT], path[64];
	int64_t cards = appliance_number(&box, "SELECT count(*) FROM cards"), rows;
	const struct http_answer *a;

	(void)state;
	introduce("Out", "010-9000-0006", token);
	expect(ask_as("POST", "/api/logout", token), 200, ""); /* nothing was made with it: nothing is written */
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM cards"), cards);
	introduce("Out", "010-9000-0006", other);
	a = book(6, "18:00", "", token, "out-1");
	expect(a, 201, "");
	snprintf(path, sizeof path, "/api/reservations/%lld", (long long)http_int(a, "reservationId"));
	expect(ask_as("GET", path, token), 200, "");
	expect(ask_as("POST", "/api/logout", token), 200, "");
	rows = appliance_number(&box, "SELECT count(*) FROM audit");
	for (int i = 0; i < 3; i++)
		expect(ask_as("POST", "/api/logout", token), 200, ""); /* said again: a script writes nothing by it */
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM audit"), rows);
	expect(ask_as("GET", path, token), 401, "UNAUTHORIZED");
	expect(ask_as("GET", "/api/reservations/my", token), 401, "UNAUTHORIZED");
	expect(book(6, "19:00", "", token, "out-2"), 401, "UNAUTHORIZED");
	expect(ask_as("GET", "/api/reservations/my", other), 200, "");
}

static void a_token_becomes_a_cookie_only_for_the_browser_that_has_it(void **state)
{
	char token[HTTP_TEXT], headers[HTTP_TEXT + 128];

	(void)state;
	introduce("Cookie", "010-9000-0007", token);
	expect(ask_as("POST", "/api/cookie", token), 200, "");
	assert_true(http_header_has(ask_as("POST", "/api/cookie", token), "Set-Cookie", token));
	expect(ask_as("POST", "/api/cookie", "nonsense"), 401, "UNAUTHORIZED");
	assert_false(http_header_has(ask_as("POST", "/api/cookie", "nonsense"), "Set-Cookie", "jari"));
	/* Another site can send no token of its own choice: it has no header, and the cookie alone counts for nothing there. */
	snprintf(headers, sizeof headers, "Cookie: jari=%s\r\nOrigin: http://elsewhere.example\r\nContent-Length: 0\r\n",
		 token);
	expect(http_ask(box.port, (struct http_call){.method = "POST", .path = "/api/cookie", .headers = headers}), 403,
	       "CROSS_SITE");
}

static void a_token_that_was_bent_is_no_person(void **state)
{
	char token[HTTP_TEXT];

	(void)state;
	introduce("Bent", "010-9000-0007", token);
	for (size_t i = 0; token[i]; i += 7) {
		char was = token[i];

		token[i] = was == 'x' ? 'y' : 'x';
		expect(ask_as("GET", "/api/reservations/my", token), 401, "UNAUTHORIZED");
		token[i] = was;
	}
	expect(ask_as("GET", "/api/reservations/my", token), 200, "");
}

/* ---- a password proves a number ---- */

static void a_login_sees_everything_under_its_number(void **state)
{
	static const char guest[] = "{\"name\":\"By phone\",\"phone\":\"010-9000-0008\"}";
	static struct ran ran;
	char token[HTTP_TEXT], code[HTTP_TEXT];
	const struct http_answer *a;

	(void)state;
	appliance_run(&box, &ran, NULL, "token", "--users", "1", "--dir", box.dir, NULL);
	assert_int_equal(sscanf(ran.out, "%*d\t%87s", token), 1);
	appliance_sql(&box, "UPDATE users SET phone = '010-9000-0008' WHERE email = 'loadtest.user0001@example.com'");
	a = book(7, "18:00", guest, "", "login-1");
	expect(a, 201, "");
	http_text(a, "reservationCode", code);
	assert_non_null(strstr(ask_as("GET", "/api/reservations/my", token)->body, code));
	/* And is one person with any guest who types it. */
	sleep(1);
	expect(book(7, "18:00", "", token, ""), 409, "DUPLICATE");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sixty_at_once_with_one_number_take_one_place),
		cmocka_unit_test(one_number_cannot_take_the_house),
		cmocka_unit_test(a_stranger_who_types_a_number_sees_nothing_of_its_owner),
		cmocka_unit_test(no_card_rides_on_the_ticket_of_another),
		cmocka_unit_test(a_blocked_number_is_told_to_call),
		cmocka_unit_test(logging_out_ends_the_token_wherever_it_is),
		cmocka_unit_test(a_token_becomes_a_cookie_only_for_the_browser_that_has_it),
		cmocka_unit_test(a_token_that_was_bent_is_no_person),
		cmocka_unit_test(a_login_sees_everything_under_its_number),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
