/*
 * e2e_codes.c - reservation codes and six digits: what one stranger with a script can find out or use up, and that honest
 * guests do not notice.
 */
#include "appliance.h"
#include "code.h"
#include "guests.h"
#include "proofs.h"
#include "street.h"
#include "token.h"
#include "unit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOME "203.0.113.10"

static struct appliance box;

/* One box for all tests: each has numbers and networks of its own. */
static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 4);
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 500");
	return token_init() ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/* The answer, once it is no longer that they wait in the line: this machine may be busy. */
static const struct http_answer *settled(const char *address, const struct http_answer *a)
{
	char word[HTTP_TEXT], ticket[HTTP_TEXT], path[HTTP_TEXT + 32];

	for (int i = 0; i < 300 && a->status == 429 && strcmp(http_text(a, "code", word), "WAITING") == 0; i++) {
		snprintf(path, sizeof path, "/api/tickets/%s", http_text(a, "ticket", ticket));
		usleep(50000);
		a = street_ask(&box, address, (struct http_call){.path = path});
	}
	return a;
}

/* A guest with that number books one seat. */
static const struct http_answer *book(const char *address, const char *phone, const char *email)
{
	static int count;
	char date[TEXT_DATE_SIZE], body[512], headers[120];

	guests_day(count / 20 % 20, date);
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: codes-%d\r\n", count++);
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"19:00\",\"partySize\":1,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Kim\",\"phone\":\"%s\"%s%s%s}}",
		 date, phone, *email ? ",\"email\":\"" : "", email, *email ? "\"" : "");
	return settled(address, street_ask(&box, address,
					   (struct http_call){.path = "/api/reservations", .headers = headers, .body = body}));
}

static const struct http_answer *ask_for_code(const char *address, const char *token, const char *body)
{
	return settled(address, street_post(&box, address, "/api/proofs", token, body));
}

static const struct http_answer *find(const char *address, const char *code, const char *phone)
{
	char body[256];

	snprintf(body, sizeof body, "{\"reservationCode\":\"%s\",\"phone\":\"%s\"}", code, phone);
	return street_post(&box, address, "/api/reservations/find", "", body);
}

/* Books with that number; its code. */
static void book_one(const char *phone, char code[HTTP_TEXT])
{
	const struct http_answer *a = book(HOME, phone, "");

	assert_int_equal(a->status, 201);
	http_text(a, "reservationCode", code);
}

/* A well-formed code that no reservation has. */
static void make_code(char code[CODE_SIZE])
{
	struct code_pool pool = {0};

	code_make(&pool, code);
}

/* ---- by code and number ---- */

/* The codes of earlier versions were counted, and stay valid: from the newest backwards it would be the 89th. */
static void one_number_against_many_codes_finds_nothing(void **state)
{
	char code[HTTP_TEXT], guess[32];
	int tried = 0, status;

	(void)state;
	book_one("010-7100-0001", code);
	appliance_sql(&box, "UPDATE reservations SET reservation_code = 'R20260120-0111' WHERE reservation_code = '%s'", code);
	for (int i = 0; i < 200; i++) {
		snprintf(guess, sizeof guess, i % 2 ? "r20260120 %04d" : "R20260120-%04d", 200 - i);
		status = find("198.51.1.5", guess, i % 3 ? "010-7100-0001" : "+82 10 7100 0001")->status;
		assert_true(status == 404 || status == 429);
		tried += status == 404;
	}
	assert_in_range(tried, 10, 16);
	/* Another address of the same network begins nothing anew, and another network has five more. */
	assert_int_equal(find("198.51.1.77", "R20260120-0111", "01071000001")->status, 429);
	for (tried = 0; tried < 50 && find("2001:db8:7::1", "R20260120-0001", "010-7100-0001")->status == 404;)
		tried++;
	assert_in_range(tried, 4, 6);
	assert_int_equal(find(HOME, "r202601200111", "010-7100-0001")->status, 200);
}

static void one_code_against_many_numbers_finds_nothing(void **state)
{
	char code[HTTP_TEXT], phone[32];
	int tried = 0, status;

	(void)state;
	book_one("010-7200-0150", code);
	for (int i = 0; i < 200; i++) {
		snprintf(phone, sizeof phone, "010-7200-%04d", i);
		status = find("198.51.2.5", code, phone)->status;
		assert_true(status == 404 || status == 429);
		tried += status == 404;
	}
	assert_in_range(tried, 10, 16);
	assert_int_equal(find(HOME, code, "010-7200-0150")->status, 200);
}

static void one_address_with_many_of_both_is_limited_too(void **state)
{
	char code[CODE_SIZE], phone[32];
	int tried = 0;

	(void)state;
	for (int i = 0; i < 100; i++) {
		make_code(code);
		snprintf(phone, sizeof phone, "010-7001-%04d", i);
		tried += find("198.51.3.5", code, phone)->status == 404;
	}
	assert_in_range(tried, 20, 22);
	assert_int_equal(find("198.51.3.6", code, phone)->status, 404);
}

static void a_guest_who_mistypes_gets_in(void **state)
{
	char code[HTTP_TEXT], wrong[HTTP_TEXT], word[HTTP_TEXT];
	const struct http_answer *a;

	(void)state;
	book_one("010-7300-0001", code);
	for (int i = 0; i < 3; i++) {
		strcpy(wrong, code);
		wrong[i] = wrong[i] == '7' ? '9' : '7';
		a = find(HOME, wrong, "010-7300-0001");
		assert_int_equal(a->status, 400);
		assert_string_equal(http_text(a, "code", word), "MISTYPED_CODE");
		assert_string_equal(http_text(a, "field", word), "reservationCode");
	}
	assert_int_equal(find(HOME, code, "010-7300-0002")->status, 404);
	for (int i = 0; i < 30; i++) /* what is right is not counted */
		assert_int_equal(find(HOME, code, "010 7300 0001")->status, 200);
}

static void what_is_not_there_and_what_is_not_theirs_answer_alike(void **state)
{
	char code[HTTP_TEXT], slip[HTTP_TEXT], unknown[CODE_SIZE], word[HTTP_TEXT];
	const struct http_answer *a, *b;

	(void)state;
	book_one("010-7400-0001", code);
	make_code(unknown);
	a = find("198.51.4.5", code, "010-7400-0009");
	b = find("198.51.4.5", unknown, "010-7400-0009");
	assert_int_equal(a->status, 404);
	assert_int_equal(b->status, 404);
	assert_string_equal(a->body, b->body);
	/* A code of an import that our check takes for a slip: only its guest learns that it is there. */
	strcpy(slip, code);
	slip[0] = slip[0] == '7' ? '9' : '7';
	a = find("198.51.4.5", slip, "010-7400-0009");
	appliance_sql(&box, "UPDATE reservations SET reservation_code = '%s' WHERE reservation_code = '%s'", slip, code);
	b = find("198.51.4.5", slip, "010-7400-0009");
	assert_string_equal(http_text(a, "code", word), "MISTYPED_CODE");
	assert_string_equal(a->body, b->body);
	assert_int_equal(find(HOME, slip, "010-7400-0001")->status, 200);
}

static void strangers_do_not_lock_a_guest_out(void **state)
{
	char code[HTTP_TEXT], guess[CODE_SIZE], address[32];
	int limited = 0;

	(void)state;
	book_one("010-7500-0001", code);
	for (int i = 0; i < 200; i++) {
		snprintf(address, sizeof address, "192.0.%d.1", i % 20);
		make_code(guess);
		limited += find(address, i % 2 ? code : guess, i % 2 ? "010-7500-0002" : "010-7500-0001")->status == 429;
	}
	assert_true(limited > 0);
	assert_int_equal(find(HOME, code, "010-7500-0001")->status, 200);
}

/* ---- at the desk and by command ---- */

static void staff_find_a_code_as_they_hear_it(void **state)
{
	char code[HTTP_TEXT], token[HTTP_TEXT], lower[32] = "", body[64], headers[HTTP_TEXT + 100];
	struct http_call call = {.path = "/api/desk/search?restaurantId=1", .headers = headers, .body = body};
	const struct http_answer *a;
	struct ran ran;

	(void)state;
	book_one("010-7700-0001", code);
	for (size_t i = 0; code[i]; i++)
		snprintf(lower + strlen(lower), 4, "%c%s", tolower((unsigned char)code[i]), i == 1 ? " " : "");
	appliance_run(&box, &ran, NULL, "staff", "add", "staff@example.com", "Kim", "--password", "a long password", "--dir",
		      box.dir, NULL);
	http_text(http_post(box.port, "/api/login", "{\"email\":\"staff@example.com\",\"password\":\"a long password\"}"),
		  "accessToken", token);
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n", token);
	snprintf(body, sizeof body, "{\"q\":\"%s\"}", lower);
	a = street_ask(&box, HOME, call);
	assert_int_equal(a->status, 200);
	assert_non_null(strstr(a->body, code));
	assert_non_null(strstr(a->body, "\"mistypedCode\":false"));
	appliance_run(&box, &ran, NULL, "cancel", lower, "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	lower[0] = lower[0] == '7' ? '9' : '7';
	snprintf(body, sizeof body, "{\"q\":\"%s\"}", lower);
	a = street_ask(&box, HOME, call);
	assert_non_null(strstr(a->body, "\"reservations\":[]"));
	assert_non_null(strstr(a->body, "\"mistypedCode\":true"));
	appliance_run(&box, &ran, NULL, "cancel", lower, "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.err, "mistyped"));
}

/* ---- six digits ---- */

static void write_hook(mode_t mode)
{
	char path[200], fresh[200];

	snprintf(path, sizeof path, "%s/send-sms", box.dir);
	snprintf(fresh, sizeof fresh, "%s/send-sms.new", box.dir);
	appliance_write(fresh, "#!/bin/sh\ncat > /dev/null\n"); /* the courier may be running the one that is there */
	assert_int_equal(chmod(fresh, mode), 0);
	assert_int_equal(rename(fresh, path), 0);
}

/* What was sent before was sent long ago. */
static void ask_for_codes(void)
{
	write_hook(0700);
	appliance_sql(&box, "UPDATE restaurants SET prove_contact = 1, prove_seconds = 3600, sms_guests = 1;"
			    "UPDATE proofs SET created_at = '2026-01-20T00:00:00Z'");
}

/* A guest who has booked nothing asks for a code to a number of theirs. */
static int ask_open(const char *address, int number)
{
	char body[160];

	snprintf(body, sizeof body, "{\"restaurantId\":1,\"guest\":{\"name\":\"x\",\"phone\":\"010-8%03d-%04d\"}}",
		 number / 10000, number % 10000);
	return ask_for_code(address, "", body)->status;
}

/* A guest books, and asks for the code that their seats wait for. */
static int ask_held(const char *address, int number)
{
	char phone[32], token[HTTP_TEXT];
	const struct http_answer *a;

	snprintf(phone, sizeof phone, "010-9%03d-%04d", number / 10000, number % 10000);
	a = book(address, phone, "");
	assert_int_equal(a->status, 201);
	assert_non_null(strstr(a->body, "\"unproven\":true"));
	http_text(a, "accessToken", token);
	return ask_for_code(address, token, "{\"restaurantId\":1}")->status;
}

static void thirty_honest_guests_get_their_codes(void)
{
	static int number = 500000;
	char address[32];

	for (int i = 0; i < 30; i++) {
		snprintf(address, sizeof address, "203.0.%d.9", i);
		assert_int_equal(ask_held(address, number++), 201);
	}
}

static void a_flood_of_codes_from_one_address_keeps_no_guest_from_theirs(void **state)
{
	int sent = 0;

	(void)state;
	ask_for_codes();
	for (int i = 0; i < 200; i++)
		sent += ask_open("198.51.5.5", i) == 201;
	assert_in_range(sent, 20, 25);
	thirty_honest_guests_get_their_codes();
	assert_int_equal(ask_open("203.0.113.77", 9000), 201); /* nor those who have booked nothing */
}

static void a_third_of_the_boxs_codes_is_kept_for_seats_that_wait(void **state)
{
	char address[32];
	int sent = 0;

	(void)state;
	ask_for_codes();
	for (int i = 0; i < 180; i++) {
		snprintf(address, sizeof address, "192.1.%d.%d", i / 30, i % 2);
		sent += ask_open(address, 1000 + i) == 201;
	}
	assert_int_equal(sent, PROOFS_A_MINUTE_OPEN);
	thirty_honest_guests_get_their_codes();
}

static void made_up_bookings_from_one_network_do_not_use_that_third_up(void **state)
{
	char address[32];
	int sent = 0;

	(void)state;
	ask_for_codes();
	for (int i = 0; i < 100; i++) {
		snprintf(address, sizeof address, "198.52.100.%d", i % 50);
		sent += ask_held(address, i) == 201;
	}
	assert_in_range(sent, 30, 60);
	thirty_honest_guests_get_their_codes();
}

/* Three codes to a guest's number, asked for by a stranger, do not keep the guest from booking with it. */
static void codes_that_a_stranger_asks_for_leave_the_guest_some(void **state)
{
	char token[HTTP_TEXT];
	const struct http_answer *a;

	(void)state;
	ask_for_codes();
	for (int i = 0; i < 4; i++)
		assert_int_equal(ask_open("198.51.6.5", 3000), i < PROOFS_MAX ? 201 : 429);
	a = book(HOME, "010-8000-3000", "");
	http_text(a, "accessToken", token);
	assert_int_equal(ask_for_code(HOME, token, "{\"restaurantId\":1}")->status, 201);
}

static bool is_unproven(const char *phone, const char *email)
{
	const struct http_answer *a = book(HOME, phone, email);

	assert_int_equal(a->status, 201);
	return strstr(a->body, "\"unproven\":true") != NULL;
}

static void without_a_way_to_send_a_code_no_guest_waits_for_one(void **state)
{
	char path[200], word[HTTP_TEXT], token[HTTP_TEXT];
	const struct http_answer *a;

	(void)state;
	snprintf(path, sizeof path, "%s/send-sms", box.dir);
	unlink(path);
	appliance_sql(&box, "UPDATE restaurants SET prove_contact = 1, sms_guests = 1");
	assert_false(is_unproven("010-7600-0001", "")); /* no command */
	assert_false(is_unproven("010-7600-0002", "kim@example.com"));
	write_hook(0600);
	assert_false(is_unproven("010-7600-0003", "")); /* none that can be run */
	write_hook(0722);
	assert_false(is_unproven("010-7600-0004", "")); /* none that only its owner can change */
	write_hook(0700);
	assert_true(is_unproven("010-7600-0005", ""));
	/* Text messages are on, but only mail can be sent: then the code goes there, and an address is needed. */
	write_hook(0600);
	appliance_sql(&box, "INSERT INTO mail_server (one, way, host, sender, updated_at) VALUES (1, 'SMTP', '127.0.0.1',"
			    " 'jari@example.com', '2026-01-20T00:00:00Z')");
	a = book(HOME, "010-7600-0006", "");
	assert_int_equal(a->status, 409);
	assert_string_equal(http_text(a, "code", word), "NO_WAY_TO_REACH");
	a = book(HOME, "010-7600-0007", "kim@example.com");
	assert_non_null(strstr(a->body, "\"unproven\":true"));
	http_text(a, "accessToken", token);
	a = ask_for_code(HOME, token, "{\"restaurantId\":1}");
	assert_int_equal(a->status, 201);
	assert_string_equal(http_text(a, "channel", word), "MAIL");
}

/* ---- messages to addresses that a stranger has typed ---- */

static void one_network_makes_the_house_write_to_a_few_and_other_guests_get_theirs_at_once(void **state)
{
	char address[32], phone[32], email[40];
	int made = 0;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET prove_contact = 0, sms_guests = 0, mail_guests = 1;"
			    "UPDATE outbox SET status = 'SKIPPED' WHERE status = 'QUEUED'");
	for (int i = 0; i < 80; i++) {
		snprintf(address, sizeof address, "198.51.77.%d", i % 2 ? 5 : i);
		snprintf(phone, sizeof phone, "010-6100-%04d", i);
		snprintf(email, sizeof email, "victim%d@example.com", i);
		made += book(address, phone, email)->status == 201;
	}
	assert_int_equal(made, 80);
	/* (A reminder of the hold, which the keeper plans meanwhile, waits for something else.) */
#define WAITS "event = 'held' AND tried_at IS NULL AND strftime('%%s', next_attempt_at) - strftime('%%s', created_at)"
	assert_in_range(appliance_number(&box, "SELECT count(*) FROM outbox WHERE " WAITS " >= 60"), 6, 15);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM outbox WHERE " WAITS " > 200"), 0);
	assert_int_equal(book("198.51.78.5", "010-6101-0001", "honest@example.com")->status, 201);
	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM outbox WHERE outbox_id = (SELECT max(outbox_id) FROM outbox)"
					  " AND next_attempt_at > created_at AND attempts = 0"),
			 0);
#undef WAITS
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_number_against_many_codes_finds_nothing),
		cmocka_unit_test(one_code_against_many_numbers_finds_nothing),
		cmocka_unit_test(one_address_with_many_of_both_is_limited_too),
		cmocka_unit_test(a_guest_who_mistypes_gets_in),
		cmocka_unit_test(what_is_not_there_and_what_is_not_theirs_answer_alike),
		cmocka_unit_test(strangers_do_not_lock_a_guest_out),
		cmocka_unit_test(staff_find_a_code_as_they_hear_it),
		cmocka_unit_test(a_flood_of_codes_from_one_address_keeps_no_guest_from_theirs),
		cmocka_unit_test(a_third_of_the_boxs_codes_is_kept_for_seats_that_wait),
		cmocka_unit_test(made_up_bookings_from_one_network_do_not_use_that_third_up),
		cmocka_unit_test(codes_that_a_stranger_asks_for_leave_the_guest_some),
		cmocka_unit_test(without_a_way_to_send_a_code_no_guest_waits_for_one),
		cmocka_unit_test(one_network_makes_the_house_write_to_a_few_and_other_guests_get_theirs_at_once),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
