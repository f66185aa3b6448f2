/*
 * e2e_clock.c - the clock of a box that serves is set: no guest loses a hold, a place on the waitlist or a message by it.
 */
#include "appliance.h"
#include "guests.h"
#include "http.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOUR = 3600, A_DAY = 86400, SOON = 30000 };

static struct appliance box;
static struct ran ran;
static char day[TEXT_DATE_SIZE];

/* Sets the clock of every process of the box: it differs by `seconds` from the right time. */
static void set_clock(long seconds)
{
	char path[APPLIANCE_PATH], next[APPLIANCE_PATH], text[32];

	appliance_path(&box, "clock", path);
	appliance_path(&box, "clock.next", next);
	snprintf(text, sizeof text, "%ld\n", seconds);
	appliance_write(next, text);
	assert_int_equal(rename(next, path), 0); /* no process reads half of it */
}

static int set_up(void **state)
{
	char path[APPLIANCE_PATH];

	(void)state;
	appliance_new(&box);
	appliance_path(&box, "clock", path);
	setenv("JARI_CLOCK_FILE", path, 1);
	setenv("JARI_CLOCK_SETTLES_MS", "2500", 1);
	set_clock(0);
	appliance_up(&box, 4);
	appliance_sql(&box,
		      "UPDATE restaurants SET reservation_limit = 4, deposit_per_person = 5000, quiet_from = 0, quiet_to = 0,"
		      " holds_per_guest = 0, upcoming_per_guest = 0, tell_owner = 0, day_sheet_hour = 0");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	set_clock(0);
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

static int begin(void **state)
{
	static int nth = 1; /* not today: a slot must not begin while the clock runs ahead by an hour */

	(void)state;
	guests_day(nth++, day);
	return 0;
}

/* A new guest asks; the id of what they got. */
static int64_t wish(const char *path, int party, const char *id)
{
	static int people;
	char body[400], headers[160];
	const struct http_answer *a;

	people++;
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: clock-%d-%d\r\n", (int)getpid(),
		 people);
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"18:00\",\"partySize\":%d%s,\"guest\":{\"name\":"
		 "\"Guest\","
		 "\"phone\":\"010-7300-%04d\",\"email\":\"guest%d@example.com\"}}",
		 day, party, strcmp(id, "reservationId") == 0 ? ",\"reservationType\":\"RESERVATION_DEPOSIT\"" : "", people,
		 people);
	a = http_ask(box.port, (struct http_call){.method = "POST", .path = path, .headers = headers, .body = body});
	if (a->status != 201)
		fail_msg("%d %s", a->status, a->body ? a->body : "");
	return http_int(a, id);
}

static int64_t book(int party)
{
	return wish("/api/reservations", party, "reservationId");
}

/* Is it so in the book? */
static bool is(const char *table, const char *key, int64_t id, const char *what)
{
	return appliance_number(&box, "SELECT count(*) FROM %s WHERE %s = %lld AND %s", table, key, (long long)id, what) == 1;
}

static void a_hold_outlives_a_clock_that_jumps_forward_and_back(void **state)
{
	int64_t id, end;

	(void)state;
	id = book(2);
	end = appliance_number(&box, "SELECT strftime('%%s', hold_expires_at) FROM reservations WHERE reservation_id = %lld",
			       (long long)id);
	set_clock(HOUR);
	WITHIN(SOON,
	       appliance_number(&box, "SELECT strftime('%%s', hold_expires_at) FROM reservations WHERE reservation_id = %lld",
				(long long)id) >= end + HOUR - 5);
	assert_true(is("reservations", "reservation_id", id, "status = 'TEMPORARY'"));
	appliance_run(&box, &ran, NULL, "status", "--dir", box.dir, NULL);
	assert_non_null(strstr(ran.out, "clock        set forward by"));
	set_clock(-A_DAY); /* and the other way, past where it came from */
	WITHIN(SOON,
	       appliance_number(&box, "SELECT strftime('%%s', hold_expires_at) FROM reservations WHERE reservation_id = %lld",
				(long long)id) <= end - A_DAY + 5);
	set_clock(0);
	WITHIN(SOON, appliance_number(&box,
				      "SELECT abs(strftime('%%s', hold_expires_at) - %lld) <= 5 FROM reservations WHERE"
				      " reservation_id = %lld",
				      (long long)end, (long long)id) == 1);
	assert_true(is("reservations", "reservation_id", id, "status = 'TEMPORARY'"));
}

static void guests_who_waited_wait_again_when_the_clock_is_right(void **state)
{
	int64_t first, second;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET deposit_per_person = 0");
	book(4);
	first = wish("/api/waitlist", 2, "waitlistId");
	second = wish("/api/waitlist", 2, "waitlistId");
	set_clock(30 * A_DAY);
	WITHIN(SOON, is("waitlist", "waitlist_id", second, "status = 'CLOSED'")); /* it has been believed */
	set_clock(0);
	WITHIN(SOON, is("waitlist", "waitlist_id", first, "status = 'WAITING'"));
	assert_true(is("waitlist", "waitlist_id", second, "status = 'WAITING'"));
}

static void a_message_is_neither_given_up_nor_forgotten_by_a_clock_that_was_set(void **state)
{
	int64_t id;

	(void)state;
	appliance_sql(&box,
		      "UPDATE restaurants SET deposit_per_person = 0; INSERT INTO mail_server (one, way, host, port, security, "
		      "sender,"
		      " updated_at) VALUES (1, 'SMTP', '127.0.0.1', %d, 'NONE', 'table@house.example', '2026-01-01T00:00:00Z')",
		      appliance_free_port());
	id = book(2);
	WITHIN(SOON, is("outbox", "reservation_id", id, "event = 'confirmed' AND attempts >= 1"));
	set_clock(2 * A_DAY);
	WITHIN(SOON, is("outbox", "reservation_id", id, "event = 'confirmed' AND attempts >= 2"));
	assert_true(is("outbox", "reservation_id", id, "event = 'confirmed' AND status = 'QUEUED'"));
	set_clock(0); /* its next try is in two days */
	WITHIN(SOON, is("outbox", "reservation_id", id, "event = 'confirmed' AND attempts >= 3"));
	assert_true(is("outbox", "reservation_id", id,
		       "event = 'confirmed' AND status = 'QUEUED' AND julianday(next_attempt_at) < julianday('now') + 0.1"));
}

/* A link is good for half an hour, not for half an hour and the year that the clock was ahead. */
static void a_link_that_was_made_while_the_clock_ran_ahead_is_over(void **state)
{
	static const char login[] =
		"{\"email\":\"kim@example.com\",\"password\":\"correct horse 7\",\"newPassword\":\"correct horse 8\"}";
	const struct http_answer *a;
	char text[HTTP_TEXT];

	(void)state;
	appliance_run(&box, &ran, NULL, "staff", "add", "kim@example.com", "Kim", "--password", "correct horse 7", "--dir",
		      box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	appliance_sql(
		&box,
		"UPDATE users SET password_once = 1, password_until = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '1 year')"
		" WHERE email = 'kim@example.com'");
	a = http_post(box.port, "/api/login", login);
	assert_string_equal(http_text(a, "code", text), "LINK_OVER");
	appliance_sql(&box, "UPDATE users SET password_until = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '20 minutes')"
			    " WHERE email = 'kim@example.com'");
	assert_int_equal(http_post(box.port, "/api/login", login)->status, 200);
}

static void log_in(char headers[300])
{
	const struct http_answer *a = http_post(box.port, "/api/login",
						"{\"email\":\"kim@example.com\",\"password\":\"correct horse 8\"}");
	char token[HTTP_TEXT];

	snprintf(headers, 300, "Authorization: Bearer %.160s\r\nContent-Type: application/json\r\n",
		 http_text(a, "accessToken", token));
}

/* The box was off, and starts with a clock of another day: who looks at the desk is told, until they have done something there. */
static void a_doubted_clock_is_named_wherever_one_looks(void **state)
{
	char headers[300], path[100], note[100];
	const struct http_answer *a;

	(void)state;
	log_in(headers);
	snprintf(path, sizeof path, "/api/desk/day?restaurantId=1&date=%s", day);
	snprintf(note, sizeof note, "/api/desk/reservations/%lld/note", (long long)book(2));
	a = http_ask(box.port, (struct http_call){.method = "GET", .path = path, .headers = headers});
	assert_non_null(strstr(a->body, "\"clockDoubted\":false"));
	appliance_down(&box);
	set_clock(40 * A_DAY); /* past the thirty days of before */
	setenv("JARI_WITHOUT", "timesync", 1);
	appliance_up(&box, 4);
	log_in(headers); /* that of then is over */
	WITHIN(SOON, strstr(http_ask(box.port, (struct http_call){.method = "GET", .path = path, .headers = headers})->body,
			    "\"clockDoubted\":true"));
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	assert_non_null(strstr(ran.out, "days past the newest row of the book when jari started"));
	appliance_run(&box, &ran, NULL, "status", "--dir", box.dir, NULL);
	assert_non_null(strstr(ran.out, "days past the newest row of the book: is it right?"));
	a = http_ask(box.port,
		     (struct http_call){.path = note, .headers = headers, .body = "{\"version\":1,\"note\":\"here\"}"});
	assert_int_equal(a->status, 200);
	WITHIN(SOON, strstr(http_ask(box.port, (struct http_call){.method = "GET", .path = path, .headers = headers})->body,
			    "\"clockDoubted\":false"));
	unsetenv("JARI_WITHOUT");
}

static void the_check_says_what_a_wrong_clock_did(void **state)
{
	(void)state;
	set_clock(2 * HOUR);
	book(2);
	set_clock(0);
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	assert_non_null(strstr(ran.out, "note   reservations dated later than now: 1, up to "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_hold_outlives_a_clock_that_jumps_forward_and_back, begin),
		cmocka_unit_test_setup(guests_who_waited_wait_again_when_the_clock_is_right, begin),
		cmocka_unit_test_setup(a_message_is_neither_given_up_nor_forgotten_by_a_clock_that_was_set, begin),
		cmocka_unit_test_setup(a_link_that_was_made_while_the_clock_ran_ahead_is_over, begin),
		cmocka_unit_test_setup(the_check_says_what_a_wrong_clock_did, begin),
		cmocka_unit_test_setup(a_doubted_clock_is_named_wherever_one_looks, begin),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
