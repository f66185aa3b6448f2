/*
 * race_fifo.c - first come, first served, however long the pen is away and in whatever order clients poll.
 */
#include "guests.h"

#include "unit.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GUESTS = 200, HELD_MS = 1000, WORKERS = 32 };

/*
 * From the guest's finger to the line there are nginx and a socket; where others want the cores too, one of two
 * requests sent 2 ms apart may lose its turn there.  So the crowd may try again and, if it must, with more room
 * between them; the line itself may not err once.
 */
static const int apart_ms[] = {2, 2, 2, 2, 5, 10, 20};
enum { TRIES = COUNT(apart_ms) };

static struct appliance box;
static struct crowd_guest guests[GUESTS];

static int start(void **state)
{
	(void)state;
	srand(20260120);
	/* If we may: what is measured is the order, not the neighbours. */
	sched_setscheduler(0, SCHED_RR, &(struct sched_param){.sched_priority = 1});
	appliance_new(&box);
	appliance_up(&box, WORKERS);
	guests_users(&box, GUESTS * TRIES + 10);
	appliance_sql(&box, "UPDATE restaurants SET reservation_limit = 1000");
	return 0;
}

static int stop(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/* The pen in this process's own hand, until its time is up. */
static struct {
	struct hall *hall;
	int64_t until_ms;
} held;

static void hold_pen(int64_t ms)
{
	bool inherited;

	held.hall = guests_hall(&box);
	held.until_ms = ms;
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
	if (held.hall && ms >= held.until_ms)
		release_pen();
}

/* How many came into the book before a guest who had sent their request earlier. */
static int64_t overtakers(int first_user)
{
	return appliance_number(&box,
				"SELECT count(*) FROM (SELECT user_id - lag(user_id) OVER (ORDER BY ticket) AS step"
				" FROM reservations WHERE user_id BETWEEN %d AND %d) WHERE step < 0",
				GUESTS_FROM + first_user, GUESTS_FROM + first_user + GUESTS - 1);
}

/* One rush of guests who come in the order of their ids; how many were overtaken on the way to the line. */
static int64_t rush(int round)
{
	struct crowd c = {.port = box.port,
			  .apart_ms = apart_ms[round],
			  .follow = true,
			  .poll_min_ms = 5,
			  .poll_max_ms = 400,
			  .tick = watch_pen};
	char day[TEXT_DATE_SIZE];

	guests_day(round, day);
	for (int i = 0; i < GUESTS; i++)
		guests_wants(&box, &guests[i], round * GUESTS + i, day, "18:00", 2);
	hold_pen(GUESTS * apart_ms[round] > HELD_MS ? GUESTS * apart_ms[round] + HELD_MS : HELD_MS);
	assert_true(guests_run(&c, guests, GUESTS));
	guests_print("one by one", guests, GUESTS);
	assert_int_equal(guests_count(guests, GUESTS, 201, NULL), GUESTS);
	assert_int_equal(guests_unknown(guests, GUESTS), 0);
	guests_expect(guests_judge(&box, guests, GUESTS)); /* service is in the order of tickets, always */
	return overtakers(round * GUESTS);
}

static void two_hundred_are_served_in_the_order_they_came(void **state)
{
	int64_t swapped = 1;

	(void)state;
	for (int i = 0; i < TRIES && swapped; i++) {
		swapped = rush(i);
		print_message("# sent %d ms apart: %lld overtaken before the line\n", apart_ms[i], (long long)swapped);
	}
	assert_int_equal(swapped, 0);
}

static void some_waited_and_asked_in_any_order(void **state)
{
	int waits = 0;

	(void)state;
	for (int i = 0; i < GUESTS; i++)
		waits += guests[i].waits > 0;
	print_message("# %d of %d were told their place first\n", waits, GUESTS);
	assert_true(waits > GUESTS / 2); /* else nothing was proved */
}

/* ---- leaving ---- */

static const struct http_answer *with_ticket(const char *method, const char *ticket)
{
	char path[160];

	snprintf(path, sizeof path, "/api/tickets/%s", ticket);
	return http_ask(box.port, (struct http_call){.method = method, .path = path});
}

static void a_guest_who_leaves_the_line_books_nothing_and_is_told_so(void **state)
{
	struct crowd c = {.port = box.port, .limit_ms = 15000};
	struct crowd_guest three[3];
	char day[TEXT_DATE_SIZE], word[HTTP_TEXT];
	const struct http_answer *a;

	(void)state;
	guests_day(TRIES, day);
	for (int i = 0; i < 3; i++) {
		guests_wants(&box, &three[i], GUESTS * TRIES + i, day, "19:00", 4);
		three[i].at_ms = i * 20;
	}
	hold_pen(INT64_MAX);
	assert_true(guests_run(&c, three, 3));
	assert_int_equal(guests_count(three, 3, 429, "WAITING"), 3);
	a = with_ticket("GET", three[1].ticket);
	assert_int_equal(a->status, 429);
	assert_int_equal(http_int(a, "position"), 2);
	assert_int_equal(http_int(a, "waitingCount"), 3);
	assert_true(http_int(a, "etaSeconds") >= 1);
	assert_int_equal(with_ticket("DELETE", three[1].ticket)->status, 200);
	a = with_ticket("GET", three[1].ticket);
	assert_int_equal(a->status, 410);
	assert_string_equal(http_text(a, "code", word), "LEFT_LINE");
	assert_int_equal(http_int(with_ticket("GET", three[2].ticket), "position"), 2);
	release_pen();
	WITHIN(5000, with_ticket("GET", three[2].ticket)->status == 201);
	assert_int_equal(with_ticket("GET", three[0].ticket)->status, 201);
	assert_int_equal(with_ticket("GET", three[1].ticket)->status, 410);
	assert_int_equal(with_ticket("DELETE", three[0].ticket)->status, 201); /* too late: this is how it ended */
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE user_id = %d",
					  GUESTS_FROM + GUESTS * TRIES + 1),
			 0);
	/* He may come again at once. */
	guests_wants(&box, &three[1], GUESTS * TRIES + 1, day, "19:00", 4);
	assert_true(guests_run(&c, &three[1], 1));
	assert_int_equal(three[1].status, 201);
}

static void a_forged_ticket_is_no_ticket(void **state)
{
	char ticket[TOKEN_TEXT_SIZE], *end;

	(void)state;
	snprintf(ticket, sizeof ticket, "%s", guests_token(&box, 1)); /* signed, but for another purpose */
	assert_int_equal(with_ticket("GET", ticket)->status, 404);
	assert_int_equal(with_ticket("DELETE", "1")->status, 404);
	end = ticket + strlen(ticket) - 1;
	*end = *end == 'A' ? 'B' : 'A';
	assert_int_equal(with_ticket("GET", ticket)->status, 404);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_hundred_are_served_in_the_order_they_came),
		cmocka_unit_test(some_waited_and_asked_in_any_order),
		cmocka_unit_test(a_guest_who_leaves_the_line_books_nothing_and_is_told_so),
		cmocka_unit_test(a_forged_ticket_is_no_ticket),
	};
	int failed = cmocka_run_group_tests(tests, start, stop);

	release_pen();
	if (box.pid)
		appliance_free(&box);
	return failed;
}
