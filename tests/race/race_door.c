/*
 * race_door.c - the door never closes, however long the pen is away; and no ticket is dropped at the end.
 */
#include "guests.h"

#include "clock.h"
#include "kid.h"
#include "unit.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	WORKERS = 32,
	GUESTS = 500,
	HELD_MS = 6000,
	WAIT_MS = 2000,  /* the restaurant's */
	SLACK_MS = 1500, /* 500 on a machine of our own */
	READ_MS = 500,   /* 100 there */
	AFTER_MS = 5000, /* 2000 there */
};

static struct appliance box;
static struct crowd_guest guests[GUESTS];

static int start(void **state)
{
	(void)state;
	srand(20260120);
	appliance_new(&box);
	appliance_up(&box, WORKERS);
	guests_users(&box, 4 * GUESTS);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	if (box.pid)
		appliance_down(&box);
	appliance_free(&box);
	return 0;
}

static struct {
	struct hall *hall;
	int64_t until_ms, released_ms;
} held;

static void hold_pen(int64_t until_ms)
{
	bool inherited;

	held.hall = guests_hall(&box);
	held.until_ms = until_ms;
	held.released_ms = 0;
	assert_int_equal(pen_take(held.hall->pen, 5000, &inherited), ERR_OK);
}

static void release_pen(void)
{
	if (held.hall)
		pen_release(held.hall->pen);
	held.hall = NULL;
}

static void watch_pen(void *arg, int64_t ms, size_t over)
{
	(void)over;
	(void)arg;
	if (held.hall && ms >= held.until_ms) {
		held.released_ms = ms;
		release_pen();
	}
}

/* Free times, read over and over by another process while the pen is away. */
static struct reader {
	_Atomic int stop;
	_Atomic long reads, failed, slowest_us, sum_us;
	char path[128];
} * reader;

static int keep_reading(void *arg)
{
	struct reader *r = arg;

	while (!r->stop) {
		const struct http_answer *a = http_get(box.port, r->path);

		r->reads++;
		r->sum_us += a->us;
		r->failed += a->status != 200;
		if (a->us > r->slowest_us)
			r->slowest_us = (long)a->us;
		usleep(20000);
	}
	return 0;
}

static void five_hundred_come_while_the_pen_is_away(void **state)
{
	struct crowd c = {.port = box.port,
			  .follow = true,
			  .poll_min_ms = 300,
			  .poll_max_ms = 1500,
			  .tick = watch_pen,
			  .limit_ms = 60000};
	char day[TEXT_DATE_SIZE];
	int64_t slowest = 0, last = 0;
	pid_t kid;

	(void)state;
	guests_day(0, day);
	for (int i = 0; i < GUESTS; i++) {
		guests_wants(&box, &guests[i], i, day, "18:00", 4);
		guests[i].at_ms = i * 4; /* over two seconds */
	}
	reader = kid_share(sizeof *reader);
	snprintf(reader->path, sizeof reader->path, "/api/reservations/slots?restaurantId=1&slotDate=%s&partySize=2", day);
	hold_pen(HELD_MS);
	kid = kid_start(keep_reading, reader);
	assert_true(guests_run(&c, guests, GUESTS));
	reader->stop = 1;
	assert_int_equal(kid_end(kid), 0);
	guests_print("the pen away for six seconds", guests, GUESTS);
	for (int i = 0; i < GUESTS; i++) {
		slowest = guests[i].slowest_us > slowest ? guests[i].slowest_us : slowest;
		last = guests[i].over_us > last ? guests[i].over_us : last;
		if (guests[i].first_status != 429)
			fail_msg("guest %d was first told %d", i, guests[i].first_status);
	}
	print_message("# slowest answer %lld ms (wait_ms is %d); last outcome %lld ms after the pen came back; %ld "
		      "reads, mean %ld ms, slowest %ld ms\n",
		      (long long)slowest / 1000, WAIT_MS, (long long)last / 1000 - held.released_ms, (long)reader->reads,
		      reader->reads ? reader->sum_us / reader->reads / 1000 : 0, reader->slowest_us / 1000);
	assert_int_equal(guests_unknown(guests, GUESTS), 0);
	assert_in_range(slowest / 1000, 0, WAIT_MS + SLACK_MS);
	assert_int_equal(reader->failed, 0);
	assert_true(reader->reads > 50);
	assert_in_range(reader->sum_us / reader->reads / 1000, 0, READ_MS);
	assert_in_range(last / 1000 - held.released_ms, 0, AFTER_MS);
	assert_int_equal(guests_count(guests, GUESTS, 201, NULL), 10);
	assert_int_equal(guests_count(guests, GUESTS, 409, "SLOT_FULL"), GUESTS - 10);
	guests_expect(guests_judge(&box, guests, GUESTS));
	kid_unshare(reader, sizeof *reader);
}

/* No client asks any more: the tickets are served all the same, as soon as the pen is there. */
static void tickets_that_no_client_waits_for_are_served_at_once(void **state)
{
	struct crowd c = {.port = box.port, .limit_ms = 30000};
	char day[TEXT_DATE_SIZE];
	uint64_t first;
	int64_t begun;

	(void)state;
	guests_day(1, day);
	for (int i = 0; i < 100; i++)
		guests_wants(&box, &guests[i], GUESTS + i, day, "18:00", 4);
	hold_pen(INT64_MAX);
	first = line_tail(held.hall->line);
	assert_true(guests_run(&c, guests, 100));
	assert_int_equal(guests_count(guests, 100, 429, "WAITING"), 100);
	assert_int_equal(line_length(held.hall->line), 100);
	begun = clock_mono_ms();
	release_pen();
	WITHIN(AFTER_MS, line_length(guests_hall(&box)->line) == 0);
	print_message("# a hundred without a client waiting were served %lld ms after the pen came back\n",
		      (long long)(clock_mono_ms() - begun));
	guests_expect(guests_judge_first(&box, day, "18:00", first, 10));
}

/* ---- the end ---- */

static void no_ticket_is_dropped_when_the_appliance_is_told_to_stop(void **state)
{
	struct crowd c = {.port = box.port, .limit_ms = 30000};
	char day[TEXT_DATE_SIZE];
	uint64_t first;

	(void)state;
	guests_day(2, day);
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 1000");
	for (int i = 0; i < 200; i++)
		guests_wants(&box, &guests[i], 2 * GUESTS + i, day, "18:00", 4);
	hold_pen(INT64_MAX);
	first = line_tail(held.hall->line);
	assert_true(guests_run(&c, guests, 200));
	assert_int_equal(guests_count(guests, 200, 429, "WAITING"), 200);
	appliance_signal(box.pid, SIGTERM);
	clock_sleep_ms(3000); /* longer than any worker's patience with the pen, for once */
	release_pen();
	assert_int_equal(appliance_wait(box.pid, 40000), 0);
	box.pid = 0;
	appliance_check(&box);
	guests_expect(guests_judge_first(&box, day, "18:00", first, 200));
}

static void a_ticket_of_yesterday_finds_its_reservation_in_the_book(void **state)
{
	char path[160];
	const struct http_answer *a;

	(void)state;
	appliance_up(&box, 4);
	snprintf(path, sizeof path, "/api/tickets/%s", guests[7].ticket);
	a = http_get(box.port, path);
	assert_int_equal(a->status, 201);
	assert_int_equal(http_int(a, "userId"), GUESTS_FROM + 2 * GUESTS + 7);
}

/* A ticket's link may be opened by every reader who sees it: asking tells the token, but logs no browser in. */
static void a_get_sets_no_cookie(void **state)
{
	static const char headers[] = "Content-Type: application/json\r\nIdempotency-Key: cookie-1\r\n";
	char body[300], day[TEXT_DATE_SIZE], ticket[HTTP_TEXT], path[300], token[HTTP_TEXT];
	const struct http_answer *a;

	(void)state;
	guests_day(9, day);
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"18:00\",\"partySize\":2,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"New\",\"phone\":\"01077778888\"}}",
		 day);
	hold_pen(0);
	a = http_ask(box.port, (struct http_call){.path = "/api/reservations", .headers = headers, .body = body});
	assert_int_equal(a->status, 429);
	snprintf(path, sizeof path, "/api/tickets/%s", http_text(a, "ticket", ticket));
	release_pen();
	for (int i = 0; i < 100 && (a = http_get(box.port, path))->status == 429; i++)
		usleep(50000);
	assert_int_equal(a->status, 201);
	assert_true(strlen(http_text(a, "accessToken", token)) > 20);
	assert_false(http_header_has(a, "Set-Cookie", "="));
	/* The POST itself logs its own browser in. */
	a = http_ask(box.port, (struct http_call){.path = "/api/reservations", .headers = headers, .body = body});
	assert_int_equal(a->status, 201);
	assert_true(http_header_has(a, "Set-Cookie", "jari="));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(five_hundred_come_while_the_pen_is_away),
		cmocka_unit_test(tickets_that_no_client_waits_for_are_served_at_once),
		cmocka_unit_test(no_ticket_is_dropped_when_the_appliance_is_told_to_stop),
		cmocka_unit_test(a_ticket_of_yesterday_finds_its_reservation_in_the_book),
		cmocka_unit_test(a_get_sets_no_cookie),
	};
	int failed = cmocka_run_group_tests(tests, start, stop);

	release_pen();
	if (box.base[0])
		appliance_free(&box);
	return failed;
}
