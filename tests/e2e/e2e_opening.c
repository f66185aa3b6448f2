/*
 * e2e_opening.c - a day opens for guests at its moment: not a millisecond earlier or later, whichever process decides, and
 * no guest gains by having been early.
 */
#include "appliance.h"
#include "clock.h"
#include "guests.h"
#include "http.h"
#include "unit.h"
#include "zone.h"

#include <json-c/json.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { EARLY_BURST = 300, MANY = 400 };

static struct appliance box;
static struct ran ran;
static char owner[256], day[TEXT_DATE_SIZE], last[TEXT_DATE_SIZE];
static const char PASSWORD[] = "correct horse 7";
static const char ZONE[] = "Asia/Seoul";

/* ---- the stage ---- */

/* Sets the clock of every process of the box, and of this one. */
static void set_clock(long seconds)
{
	char path[APPLIANCE_PATH], next[APPLIANCE_PATH], text[32];

	appliance_path(&box, "clock", path);
	appliance_path(&box, "clock.next", next);
	snprintf(text, sizeof text, "%ld\n", seconds);
	appliance_write(next, text);
	assert_int_equal(rename(next, path), 0);
}

static int set_up(void **state)
{
	char path[APPLIANCE_PATH], body[200], token[HTTP_TEXT];

	(void)state;
	appliance_new(&box);
	appliance_path(&box, "clock", path);
	setenv("JARI_CLOCK_FILE", path, 1);
	setenv("JARI_CLOCK_SETTLES_MS", "2500", 1);
	set_clock(0);
	appliance_up(&box, 4);
	appliance_run(&box, &ran, NULL, "staff", "add", "owner@example.com", "Kim", "--password", PASSWORD, "--dir", box.dir,
		      NULL);
	assert_int_equal(ran.exit, 0);
	appliance_sql(&box, "UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com'; UPDATE restaurants SET"
			    " window_days = 30, holds_per_guest = 0, upcoming_per_guest = 0, tell_owner = 0");
	snprintf(body, sizeof body, "{\"email\":\"owner@example.com\",\"password\":\"%s\"}", PASSWORD);
	http_text(http_post(box.port, "/api/login", body), "accessToken", token);
	assert_true(*token);
	snprintf(owner, sizeof owner, "Authorization: Bearer %.160s\r\nContent-Type: application/json\r\n", token);
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

/* A day of its own for every test, further away than the window reaches. */
static int begin(void **state)
{
	static int nth = 100;
	struct date date;

	(void)state;
	appliance_sql(&box, "DELETE FROM openings");
	guests_day(nth++, day);
	assert_true(text_date(day, &date));
	text_put_date(text_from_days(text_days(date) + 3), last);
	return 0;
}

static void open_at(int64_t instant_s)
{
	char at[CLOCK_ISO_SIZE];

	clock_iso(instant_s, at);
	appliance_sql(&box,
		      "DELETE FROM openings; INSERT INTO openings (restaurant_id, first_date, last_date, opens_at)"
		      " VALUES (1, '%s', '%s', '%s')",
		      day, last, at);
}

/* The body of a guest with a number of their own. */
static const char *wish(int guest, int party)
{
	static char body[400];

	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"18:00\",\"partySize\":%d,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Guest\",\"phone\":\"010-74%02d-%04d\"}}",
		 day, party, guest / 10000, guest % 10000);
	return body;
}

static int next_guest(void)
{
	static int n;

	return ++n;
}

static struct http_call booking_from(const char *address)
{
	static char headers[MANY][200], bodies[MANY][400];
	static int n;
	char *h = headers[n % MANY], *body = bodies[n++ % MANY];

	snprintf(h, 200, "Content-Type: application/json\r\nIdempotency-Key: open-%d-%d\r\n%s%s%s", (int)getpid(), n,
		 address ? "X-Forwarded-For: " : "", address ? address : "", address ? "\r\n" : "");
	snprintf(body, sizeof bodies[0], "%s", wish(next_guest(), 1));
	return (struct http_call){.method = "POST", .path = "/api/reservations", .headers = h, .body = body};
}

static const struct http_answer *book(void)
{
	return http_ask(box.port, booking_from(NULL));
}

static void says(const struct http_answer *a, int status, const char *code)
{
	char got[HTTP_TEXT];

	http_text(a, "code", got);
	if (a->status != status || strcmp(got, code) != 0)
		fail_msg("%d %s, not %d %s: %.300s", a->status, got, status, code, a->body);
}

/* ---- one request with a stamp of the web server's ---- */

static size_t put_pair(unsigned char *out, const char *name, const char *value)
{
	size_t a = strlen(name), b = strlen(value);

	assert_true(a < 128 && b < 128);
	out[0] = (unsigned char)a;
	out[1] = (unsigned char)b;
	memcpy(out + 2, name, a);
	memcpy(out + 2 + a, value, b);
	return a + b + 2;
}

static void send_record(int fd, int type, const void *bytes, size_t n)
{
	unsigned char head[8] = {1, (unsigned char)type, 0, 1, (unsigned char)(n >> 8), (unsigned char)(n & 255), 0, 0};

	assert_int_equal(write(fd, head, sizeof head), sizeof head);
	if (n)
		assert_int_equal(write(fd, bytes, n), n);
}

/* What a worker answers to a booking that the web server stamped with this millisecond: the whole text. */
static const char *worker_says(int64_t stamp_ms)
{
	static char out[8192];
	static const unsigned char begin_request[8] = {0, 1};
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	unsigned char params[1024], head[8];
	char stamp[32], length[24], key[32];
	const char *body = wish(next_guest(), 1);
	size_t n = 0, got = 0;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(to.sun_path, sizeof to.sun_path, "%s/jari.sock", box.dir);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
	snprintf(stamp, sizeof stamp, "%lld.%03lld", (long long)stamp_ms / 1000, (long long)stamp_ms % 1000);
	snprintf(length, sizeof length, "%zu", strlen(body));
	snprintf(key, sizeof key, "raw-%d-%d", (int)getpid(), next_guest());
	n += put_pair(params + n, "REQUEST_METHOD", "POST");
	n += put_pair(params + n, "PATH_INFO", "/api/reservations");
	n += put_pair(params + n, "CONTENT_TYPE", "application/json");
	n += put_pair(params + n, "CONTENT_LENGTH", length);
	n += put_pair(params + n, "REMOTE_ADDR", "127.0.0.1");
	n += put_pair(params + n, "HTTP_IDEMPOTENCY_KEY", key);
	n += put_pair(params + n, "REQ_MSEC", stamp);
	send_record(fd, 1, begin_request, sizeof begin_request);
	send_record(fd, 4, params, n);
	send_record(fd, 4, NULL, 0);
	send_record(fd, 5, body, strlen(body));
	send_record(fd, 5, NULL, 0);
	while (recv(fd, head, sizeof head, MSG_WAITALL) == (ssize_t)sizeof head) {
		size_t more = (size_t)head[4] << 8 | head[5], pad = head[6];
		char skip[256];

		if (head[1] == 6 && more) {
			assert_true(got + more < sizeof out);
			assert_int_equal(recv(fd, out + got, more, MSG_WAITALL), more);
			got += more;
		} else if (more) {
			assert_int_equal(recv(fd, skip, more, MSG_WAITALL), more);
		}
		if (pad)
			assert_int_equal(recv(fd, skip, pad, MSG_WAITALL), pad);
	}
	close(fd);
	out[got] = '\0';
	return out;
}

/* The same from a CGI process of its own. */
static const char *cgi_says(int64_t stamp_ms)
{
	const char *body = wish(next_guest(), 1);
	char stamp[48], length[32], key[64];
	static const char *const names[] = {"REQUEST_METHOD", "PATH_INFO",   "CONTENT_TYPE",
					    "CONTENT_LENGTH", "REMOTE_ADDR", "HTTP_IDEMPOTENCY_KEY",
					    "REQ_MSEC"};
	const char *values[] = {"POST", "/api/reservations", "application/json", length, "127.0.0.1", key, stamp};

	snprintf(stamp, sizeof stamp, "%lld.%03lld", (long long)stamp_ms / 1000, (long long)stamp_ms % 1000);
	snprintf(length, sizeof length, "%zu", strlen(body));
	snprintf(key, sizeof key, "cgi-%d-%d", (int)getpid(), next_guest());
	for (size_t i = 0; i < COUNT(names); i++)
		setenv(names[i], values[i], 1);
	appliance_run(&box, &ran, body, "cgi", "--dir", box.dir, NULL);
	for (size_t i = 0; i < COUNT(names); i++)
		unsetenv(names[i]);
	return ran.out;
}

static void has(const char *answer, const char *words)
{
	if (!strstr(answer, words))
		fail_msg("no \"%s\" in: %.600s", words, answer);
}

/* ---- exactness ---- */

/* The moment is some seconds ago when it is asked: the requests stood in a queue, or the process was late. */
static void what_counts_is_the_millisecond_in_which_the_web_server_had_the_request(void **state)
{
	int64_t moment = clock_now_s() - 5;

	(void)state;
	open_at(moment);
	has(worker_says(moment * 1000 - 1), "NOT_YET");
	has(worker_says(moment * 1000), "201 Created");
	has(worker_says(moment * 1000 + 1), "201 Created");
	has(cgi_says(moment * 1000 - 1), "NOT_YET");
	has(cgi_says(moment * 1000), "201 Created");
	/* A stamp of another clock, later than now, counts as now. */
	open_at(clock_now_s() + 60);
	has(worker_says((clock_now_s() + 120) * 1000), "NOT_YET");
}

static void without_the_stamp_an_early_request_that_stood_in_a_queue_would_win(void **state)
{
	int64_t moment = clock_now_s() - 5;

	(void)state;
	open_at(moment);
	setenv("JARI_WITHOUT", "received", 1);
	has(cgi_says(moment * 1000 - 1), "201 Created");
	unsetenv("JARI_WITHOUT");
	has(cgi_says(moment * 1000 - 1), "NOT_YET");
}

static void the_answer_before_the_moment_says_when_it_is_and_what_time_it_is_now(void **state)
{
	char at[CLOCK_MS_SIZE], text[HTTP_TEXT];
	int64_t moment = clock_now_s() + 3600, now;
	const struct http_answer *a;

	(void)state;
	open_at(moment);
	now = clock_now_ms();
	a = book();
	says(a, 409, "NOT_YET");
	clock_iso_ms(moment * 1000, at);
	assert_string_equal(http_text(a, "opensAt", text), at);
	clock_iso_ms(now, at);
	assert_true(strcmp(http_text(a, "serverTime", text), at) >= 0);
	clock_iso_ms(clock_now_ms(), at);
	assert_true(strcmp(http_text(a, "serverTime", text), at) <= 0);
	assert_string_equal(http_text(a, "field", text), "slotDate");
}

/* "state" of the test's day in its month, with its opensAt. */
static void day_is(const char *state, bool has_moment)
{
	char path[160], want[160];
	const struct http_answer *a;
	const char *found;

	snprintf(path, sizeof path, "/api/reservations/days?restaurantId=1&partySize=2&month=%.7s", day);
	a = http_get(box.port, path);
	snprintf(want, sizeof want, "{\"date\":\"%s\",\"state\":\"%s\"", day, state);
	found = strstr(a->body, want);
	if (!found)
		fail_msg("no %s in %.2000s", want, a->body);
	assert_true(strstr(a->body, "\"serverTime\":\"20") != NULL);
	found = strchr(found, '}') - 30 > found ? strstr(found, "opensAt") : NULL;
	assert_int_equal(found && found < strchr(strstr(a->body, want), '}'), has_moment);
}

static void days_slots_and_the_restaurant_open_in_the_same_second(void **state)
{
	int64_t moment = clock_now_s() + 4;
	char path[160], text[HTTP_TEXT];
	const struct http_answer *a;

	(void)state;
	open_at(moment);
	usleep(1000000);
	day_is("notYet", true);
	snprintf(path, sizeof path, "/api/reservations/slots?restaurantId=1&partySize=2&slotDate=%s", day);
	a = http_get(box.port, path);
	assert_true(*http_text(a, "opensAt", text));
	has(a->body, "\"available\":false");
	assert_null(strstr(a->body, "\"available\":true"));
	has(http_get(box.port, "/api/restaurants/1")->body, "\"nextOpening\":{\"from\"");
	says(book(), 409, "NOT_YET");
	while (clock_now_ms() < moment * 1000)
		usleep(1000);
	assert_int_equal(book()->status, 201); /* the first look after it, in whichever process */
	day_is("open", false);
	a = http_get(box.port, path);
	assert_string_equal(http_text(a, "opensAt", text), "");
	has(a->body, "\"available\":true");
	assert_null(strstr(http_get(box.port, "/api/restaurants/1")->body, "nextOpening"));
}

static void a_month_that_was_kept_does_not_outlive_the_moment(void **state)
{
	int64_t moment;

	(void)state;
	moment = clock_now_s() + 3;
	open_at(moment);
	usleep(1000000); /* an edit at the sqlite3 shell shows within a second */
	while (clock_now_ms() < moment * 1000 - 200)
		day_is("notYet", true);
	while (clock_now_ms() < moment * 1000)
		usleep(100);
	day_is("open", false);
}

static void a_day_opens_at_its_time_of_day_where_the_owner_says_so(void **state)
{
	struct date today, date;
	int64_t now = clock_now_s();
	char path[160];
	int minute;

	(void)state;
	assert_true(text_date(day, &date));
	assert_true(zone_to_local(ZONE, now, &today, &minute));
	/* The day is as far away as the window reaches: it opens today at that minute. */
	appliance_sql(&box, "UPDATE restaurants SET window_days = %d, opens_at_minute = %d",
		      (int)(text_days(date) - text_days(today)), minute < 1439 ? minute + 1 : minute);
	says(book(), minute < 1439 ? 409 : 201, minute < 1439 ? "NOT_YET" : "");
	appliance_sql(&box, "UPDATE restaurants SET opens_at_minute = %d", minute ? minute - 1 : 0);
	assert_int_equal(book()->status, 201);
	snprintf(path, sizeof path, "/api/reservations/days?restaurantId=1&month=%.7s", day);
	has(http_get(box.port, path)->body, "\"days\"");
	appliance_sql(&box, "UPDATE restaurants SET window_days = 30, opens_at_minute = 0");
	says(book(), 400, "TOO_FAR");
}

/* ---- nothing is left behind ---- */

static void an_early_request_draws_no_ticket_and_locks_out_no_guest(void **state)
{
	int64_t moment = clock_now_s() + 2, tickets, rows;
	struct http_call call;

	(void)state;
	open_at(moment);
	tickets = appliance_counter(&box, "outcomes_ok") + appliance_counter(&box, "outcomes_full") +
		  appliance_counter(&box, "outcomes_other") + appliance_counter(&box, "outcomes_duplicate");
	rows = appliance_number(&box, "SELECT count(*) FROM audit");
	call = booking_from(NULL);
	for (int i = 0; i < 50; i++)
		says(http_ask(box.port, call), 409, "NOT_YET");
	assert_int_equal(appliance_counter(&box, "outcomes_ok") + appliance_counter(&box, "outcomes_full") +
				 appliance_counter(&box, "outcomes_other") + appliance_counter(&box, "outcomes_duplicate"),
			 tickets);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM audit"), rows);
	while (clock_now_ms() < moment * 1000)
		usleep(1000);
	assert_int_equal(http_ask(box.port, call)->status, 201);
}

/*
 * Many guests behind one address press early, more often than their own limits would allow: at the moment each has as many
 * tokens as one who did not.
 */
static void early_requests_have_a_limit_of_their_own(void **state)
{
	static struct http_call calls[MANY];
	static struct http_answer answers[MANY];
	int64_t moment = clock_now_s() + 60;
	int early = 0, limited = 0;

	(void)state;
	open_at(moment);
	for (int i = 0; i < MANY; i++)
		calls[i] = booking_from("203.0.113.9");
	http_many(box.port, calls, MANY, 40, answers);
	for (int i = 0; i < MANY; i++) {
		char code[HTTP_TEXT];

		http_text(&answers[i], "code", code);
		early += strcmp(code, "NOT_YET") == 0;
		limited += answers[i].status == 429;
		http_free(&answers[i]);
	}
	assert_int_equal(early + limited, MANY);
	assert_in_range(early, EARLY_BURST, MANY - 1);
	open_at(clock_now_s() - 60);
	assert_int_equal(http_ask(box.port, booking_from("203.0.113.9"))->status, 201);
}

/* The waitlist, and a reservation that is moved there. */
static void neither_a_wait_nor_a_change_gets_there_earlier(void **state)
{
	char path[80], headers[HTTP_TEXT + 100], body[200], token[HTTP_TEXT], open_day[TEXT_DATE_SIZE];
	const struct http_answer *a;

	(void)state;
	open_at(clock_now_s() + 600);
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: wait-%d\r\n", (int)getpid());
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"18:00\",\"partySize\":2,\"guest\":{\"name\":\"Guest\","
		 "\"phone\":\"010-7599-0001\"}}",
		 day);
	says(http_ask(box.port,
		      (struct http_call){.method = "POST", .path = "/api/waitlist", .headers = headers, .body = body}),
	     409, "NOT_YET");
	guests_day(1, open_day);
	snprintf(body, sizeof body, "%s", day);
	snprintf(day, sizeof day, "%s", open_day);
	a = book();
	snprintf(day, sizeof day, "%.10s", body);
	assert_int_equal(a->status, 201);
	http_text(a, "manageToken", token);
	snprintf(path, sizeof path, "/api/reservations/%lld/change", (long long)http_int(a, "reservationId"));
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nX-Manage-Token: %.600s\r\n", token);
	snprintf(body, sizeof body, "{\"slotDate\":\"%.10s\"}", day);
	says(http_ask(box.port, (struct http_call){.method = "POST", .path = path, .headers = headers, .body = body}), 409,
	     "NOT_YET");
}

/* Guests who waited before the owner chose the moment: what comes free is not theirs before it. */
static void what_comes_free_before_the_moment_is_offered_after_it(void **state)
{
	char path[80], headers[HTTP_TEXT + 100], body[400], token[HTTP_TEXT];
	const struct http_answer *a;
	int64_t wait;

	(void)state;
	guests_day(20, day);
	guests_day(21, last);
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 1, window_days = 60");
	a = book();
	assert_int_equal(a->status, 201);
	http_text(a, "manageToken", token);
	snprintf(path, sizeof path, "/api/reservations/%lld/cancel", (long long)http_int(a, "reservationId"));
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"18:00\",\"partySize\":1,\"guest\":{\"name\":\"Guest\","
		 "\"phone\":\"010-7599-0007\"}}",
		 day);
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: later-%d\r\n", (int)getpid());
	a = http_ask(box.port, (struct http_call){.method = "POST", .path = "/api/waitlist", .headers = headers, .body = body});
	assert_int_equal(a->status, 201);
	wait = http_int(a, "waitlistId");
	appliance_sql(&box, "UPDATE waitlist SET proven = 1 WHERE waitlist_id = %lld",
		      (long long)wait); /* has entered a code */
	open_at(clock_now_s() + 600);
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nX-Manage-Token: %.600s\r\n", token);
	assert_int_equal(http_ask(box.port, (struct http_call){.method = "POST", .path = path, .headers = headers})->status,
			 200);
	usleep(1500000); /* the keeper has looked */
	assert_int_equal(
		appliance_number(&box, "SELECT status = 'WAITING' FROM waitlist WHERE waitlist_id = %lld", (long long)wait), 1);
	appliance_sql(&box, "DELETE FROM openings");
	WITHIN(15000, appliance_number(&box, "SELECT status = 'OFFERED' FROM waitlist WHERE waitlist_id = %lld",
				       (long long)wait) == 1);
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 20, window_days = 30");
}

static void staff_book_before_the_moment(void **state)
{
	char body[300];
	const struct http_answer *a;

	(void)state;
	open_at(clock_now_s() + 600);
	snprintf(body, sizeof body,
		 "{\"slotDate\":\"%s\",\"slotTime\":\"18:00\",\"partySize\":2,\"guestName\":\"Kim\",\"phone\":\"010-7599-"
		 "0002\"}",
		 day);
	a = http_ask(box.port, (struct http_call){.method = "POST",
						  .path = "/api/desk/reservations?restaurantId=1",
						  .headers = owner,
						  .body = body});
	assert_int_equal(a->status, 201);
}

/* ---- a clock that is set ---- */

static void a_clock_that_jumps_over_the_moment_opens_nothing(void **state)
{
	(void)state;
	open_at(clock_now_s() + 3600);
	says(book(), 409, "NOT_YET");
	set_clock(2 * 3600);
	says(book(), 503, "CLOCK_WRONG"); /* noticed before any transaction has */
	set_clock(0);
	WITHIN(30000, book()->status == 409); /* set right again: the countdown goes on */
	says(book(), 409, "NOT_YET");
}

/* ---- how it went ---- */

static const struct http_answer *desk_sees(void)
{
	return http_ask(box.port, (struct http_call){.path = "/api/desk/opening?restaurantId=1", .headers = owner});
}

/* Looks at the day as a device of its own. */
static void look(int device)
{
	char path[120], agent[80];

	snprintf(path, sizeof path, "/api/reservations/slots?restaurantId=1&partySize=1&slotDate=%s", day);
	snprintf(agent, sizeof agent, "User-Agent: phone %d\r\n", device);
	assert_int_equal(http_ask(box.port, (struct http_call){.path = path, .headers = agent})->status, 200);
}

/* An opening so soon that nobody waits long for it, and as far away as thirty devices need that look at it before, twice each: a
 * machine that does other things as well may take many seconds for them.  A third of the time is left for what comes next. */
static int64_t opens_when_all_have_looked(void)
{
	for (int64_t ahead_ms = 3000;; ahead_ms *= 2) {
		int64_t moment = clock_now_s() + ahead_ms / 1000;

		open_at(moment);
		for (int i = 0; i < 60; i++)
			look(i % 30);
		if (clock_now_ms() < moment * 1000 - ahead_ms / 3)
			return moment;
		assert_true(ahead_ms < 90000); /* who looked two minutes ago does not look any more */
	}
}

static void the_desk_sees_who_looks_and_afterwards_how_it_went(void **state)
{
	int64_t moment, watching;

	(void)state;
	appliance_sql(&box, "DELETE FROM opening_results; UPDATE restaurants SET reservation_limit = 3");
	moment = opens_when_all_have_looked(); /* a device that asks again is no second one */
	watching = http_int(desk_sees(), "watching");
	assert_in_range(watching, 29, 31);
	says(book(), 409, "NOT_YET");
	while (clock_now_ms() < moment * 1000)
		usleep(1000);
	for (int i = 0; i < 5; i++)
		says(book(), i < 3 ? 201 : 409, i < 3 ? "" : "SLOT_FULL");
	has(desk_sees()->body, "\"booked\":3,\"refused\":2");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM opening_results"), 0);
	set_clock(601); /* it is over; the clock is believed a while later */
	WITHIN(30000, appliance_number(&box, "SELECT count(*) FROM opening_results WHERE strftime('%%s', opens_at) = '%lld'",
				       (long long)moment) == 1);
	assert_int_equal(
		appliance_number(&box,
				 "SELECT count(*) FROM opening_results WHERE strftime('%%s', opens_at) = '%lld' AND watching"
				 " BETWEEN 29 AND 31 AND early = 1 AND booked = 3 AND refused = 2 AND out_of_order = 0"
				 " AND sold_out_ms IS NULL AND (SELECT sum(value) FROM json_each(arrivals)) = 5",
				 (long long)moment),
		1);
	has(desk_sees()->body, "\"outOfOrder\":0");
	set_clock(0);
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 20");
	usleep(3000000); /* until the clock is believed again */
}

/* ---- the owner's list ---- */

static const struct http_answer *put(const char *body)
{
	return http_ask(box.port,
			(struct http_call){
				.method = "PUT", .path = "/api/desk/openings?restaurantId=1", .headers = owner, .body = body});
}

static void the_owner_keeps_a_list_whole_or_not_at_all(void **state)
{
	char text[HTTP_TEXT], body[400], at[CLOCK_ISO_SIZE];
	static const struct {
		const char *from, *to, *at, *code, *field;
	} bad[] = {
		{"2030-12-31", "2030-12-01", "%", "WRONG_WAY_ROUND", "to"},
		{"2030-12-01", "2099-12-31", "%", "OUT_OF_RANGE", "to"},
		{"%", "%", "2020-11-01T10:00", "PAST", "opensAt"},
		{"%", "%", "2020-11-01T10:00Z", "TOO_LONG", "opensAt"},
		{"%", "%", "2020-11-01 10:00", "BAD_TIME", "opensAt"},
		{"%", "%", "2020-11-31T10:00", "BAD_DATE", "opensAt"},
		{"%", "%", "2020-11-01T25:00", "BAD_TIME", "opensAt"},
		{"2026-13-01", "%", "%", "BAD_DATE", "from"},
		{"%", "%", "2098-11-01T10:00", "OPENS_TOO_LATE", "opensAt"},
	};
	struct date today, tomorrow;
	char local[32];
	int minute;

	(void)state;
	assert_true(zone_to_local(ZONE, clock_now_s(), &today, &minute));
	tomorrow = text_from_days(text_days(today) + 1);
	text_put_date(tomorrow, local);
	strcat(local, "T10:00");
	snprintf(body, sizeof body, "{\"openings\":[{\"from\":\"%s\",\"to\":\"%s\",\"opensAt\":\"%s\"}]}", day, last, local);
	assert_int_equal(put(body)->status, 200);
	clock_iso(appliance_number(&box, "SELECT strftime('%%s', opens_at) FROM openings"), at);
	assert_string_equal(at + 11, "01:00:00Z");
	says(book(), 409, "NOT_YET");
	has(http_ask(box.port, (struct http_call){.path = "/api/desk/house?restaurantId=1", .headers = owner})->body, local);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM audit WHERE change = 'opening' AND actor LIKE 'user:%%'"),
			 1);
	for (size_t i = 0; i < COUNT(bad); i++) {
		char wrong[400];
		const struct http_answer *a;

		snprintf(wrong, sizeof wrong, "{\"openings\":[{\"from\":\"%s\",\"to\":\"%s\",\"opensAt\":\"%s\"}]}",
			 *bad[i].from == '%' ? day : bad[i].from, *bad[i].to == '%' ? last : bad[i].to,
			 *bad[i].at == '%' ? local : bad[i].at);
		a = put(wrong);
		says(a, 400, bad[i].code);
		assert_string_equal(http_text(a, "field", text), bad[i].field);
	}
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM openings"), 1);
	/* What is in the book stays, also when its moment has passed; its audit has no new row. */
	open_at(clock_now_s() / 60 * 60 - 3600);
	has(http_ask(box.port, (struct http_call){.path = "/api/desk/house?restaurantId=1", .headers = owner})->body,
	    "openings");
	assert_int_equal(put("{\"openings\":[]}")->status, 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM openings"), 0);
	says(book(), 400, "TOO_FAR");
}

static void a_row_whose_moment_has_passed_is_kept_when_the_list_is_saved_again(void **state)
{
	struct json_object *j, *list = NULL, *wrapped = json_object_new_object();
	int64_t rows;

	(void)state;
	open_at(clock_now_s() / 60 * 60 - 3600);
	j = http_json(http_ask(box.port, (struct http_call){.path = "/api/desk/house?restaurantId=1", .headers = owner}));
	assert_true(json_object_object_get_ex(j, "openings", &list));
	json_object_object_add(wrapped, "openings", json_object_get(list));
	rows = appliance_number(&box, "SELECT count(*) FROM audit WHERE change = 'opening'");
	assert_int_equal(put(json_object_to_json_string(wrapped))->status, 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM audit WHERE change = 'opening'"), rows);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM openings"), 1);
	json_object_put(wrapped);
	json_object_put(j);
}

/* ---- a request that comes in parts ---- */

/* Sends a booking on a connection of its own, but for its last bytes. */
static int send_but(size_t last_bytes)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)box.port)};
	struct http_call call = booking_from(NULL);
	size_t n = strlen(call.body);
	char text[1024];
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
	n = (size_t)snprintf(text, sizeof text, "POST %s HTTP/1.1\r\nHost: jari\r\n%sContent-Length: %zu\r\n\r\n%s", call.path,
			     call.headers, n, call.body);
	assert_true(n < sizeof text && last_bytes < n);
	assert_int_equal(write(fd, text, n - last_bytes), n - last_bytes);
	return fd;
}

/* The rest of it, and what it is answered: its status. */
static int send_rest(int fd, const char *rest)
{
	char answer[64] = "";
	int status = 0;

	assert_int_equal(write(fd, rest, strlen(rest)), strlen(rest));
	assert_true(recv(fd, answer, sizeof answer - 1, 0) > 12);
	assert_int_equal(sscanf(answer, "HTTP/1.1 %d", &status), 1);
	close(fd);
	return status;
}

/* Its head, and all but a byte, are there before the moment: neither too early nor in front of who comes whole. */
static void a_request_is_as_late_as_its_last_byte(void **state)
{
	int64_t moment = clock_now_s() + 3;
	int early, eager, other;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 2");
	open_at(moment);
	early = send_but(1);
	assert_int_equal(send_rest(early, "}"), 409); /* whole before the moment */
	eager = send_but(1);
	other = send_but(1);
	while (clock_now_ms() < moment * 1000)
		usleep(1000);
	assert_int_equal(book()->status, 201);
	assert_int_equal(send_rest(other, "}"), 201);
	assert_int_equal(send_rest(eager, "}"), 409);
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 20");
}

/* ---- what a guest who is too eager tries ---- */

#define TRICKS(X) X(CLOCK_AHEAD) X(NEW_ADDRESS) X(NEW_CARD) X(SECOND_DEVICE) X(RELOADING)
enum trick {
#define X(name) name,
	TRICKS(X) TRICK__MAX
#undef X
};
static const char *const tricks[] = {
#define X(name) #name,
	TRICKS(X)
#undef X
};

/* The eager guest presses before the moment, in the way of the trick; 201 if that was enough. */
static int press_early(enum trick trick, struct http_call call)
{
	static char headers[400];
	char address[32];
	int status = 0;

	for (int i = 0; i < 10 && status != 201; i++) {
		struct http_call c = call;

		snprintf(address, sizeof address, "198.51.100.%d", i + 1);
		if (trick == NEW_ADDRESS || trick == NEW_CARD || trick == SECOND_DEVICE)
			snprintf(headers, sizeof headers,
				 "Content-Type: application/json\r\nIdempotency-Key: trick-%d-%d-%d\r\nX-Forwarded-For: %s\r\n"
				 "User-Agent: device %d\r\n",
				 (int)getpid(), (int)trick, i, trick == NEW_ADDRESS ? address : "198.51.100.99",
				 trick == SECOND_DEVICE ? i : 0);
		if (trick != CLOCK_AHEAD && trick != RELOADING)
			c.headers = headers;
		if (trick == RELOADING)
			look(i);
		status = http_ask(box.port, c)->status;
	}
	return status;
}

/* One seat: an honest guest presses at the moment, the eager one right behind.  Who has it? */
static bool eager_one_wins(enum trick trick)
{
	struct http_call honest, eager;
	int64_t moment = clock_now_s() + 2;
	const struct http_answer *first, *second;
	int early;

	begin(NULL);
	open_at(moment);
	honest = booking_from(NULL);
	eager = booking_from(NULL);
	early = press_early(trick, eager);
	while (clock_now_ms() < moment * 1000)
		usleep(1000);
	first = http_ask(box.port, honest);
	second = http_ask(box.port, eager);
	if (early == 201)
		return first->status == 409;
	assert_int_equal(first->status, 201);
	says(second, 409, "SLOT_FULL");
	return false;
}

static void nothing_that_is_tried_before_the_moment_improves_a_place(void **state)
{
	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 1");
	for (int i = 0; i < TRICK__MAX; i++)
		if (eager_one_wins((enum trick)i))
			fail_msg("%s", tricks[i]);
}

static void without_the_moment_each_of_it_would(void **state)
{
	(void)state;
	appliance_down(&box);
	setenv("JARI_WITHOUT", "opening", 1);
	appliance_up(&box, 4);
	for (int i = 0; i < TRICK__MAX; i++)
		if (!eager_one_wins((enum trick)i))
			fail_msg("%s", tricks[i]);
	appliance_down(&box);
	unsetenv("JARI_WITHOUT");
	appliance_up(&box, 4);
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 20");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(what_counts_is_the_millisecond_in_which_the_web_server_had_the_request, begin),
		cmocka_unit_test_setup(without_the_stamp_an_early_request_that_stood_in_a_queue_would_win, begin),
		cmocka_unit_test_setup(the_answer_before_the_moment_says_when_it_is_and_what_time_it_is_now, begin),
		cmocka_unit_test_setup(days_slots_and_the_restaurant_open_in_the_same_second, begin),
		cmocka_unit_test_setup(a_month_that_was_kept_does_not_outlive_the_moment, begin),
		cmocka_unit_test_setup(a_day_opens_at_its_time_of_day_where_the_owner_says_so, begin),
		cmocka_unit_test_setup(an_early_request_draws_no_ticket_and_locks_out_no_guest, begin),
		cmocka_unit_test_setup(early_requests_have_a_limit_of_their_own, begin),
		cmocka_unit_test_setup(neither_a_wait_nor_a_change_gets_there_earlier, begin),
		cmocka_unit_test_setup(what_comes_free_before_the_moment_is_offered_after_it, begin),
		cmocka_unit_test_setup(staff_book_before_the_moment, begin),
		cmocka_unit_test_setup(a_clock_that_jumps_over_the_moment_opens_nothing, begin),
		cmocka_unit_test_setup(the_desk_sees_who_looks_and_afterwards_how_it_went, begin),
		cmocka_unit_test_setup(the_owner_keeps_a_list_whole_or_not_at_all, begin),
		cmocka_unit_test_setup(a_row_whose_moment_has_passed_is_kept_when_the_list_is_saved_again, begin),
		cmocka_unit_test_setup(a_request_is_as_late_as_its_last_byte, begin),
		cmocka_unit_test(nothing_that_is_tried_before_the_moment_improves_a_place),
		cmocka_unit_test(without_the_moment_each_of_it_would),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
