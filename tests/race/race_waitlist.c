/*
 * race_waitlist.c - the waitlist under a cancelling rush: two hundred waiters of mixed sizes, fifty cancellations and fifty
 * lapses at once through nginx, and newcomers who try to get in between.
 *
 * Order is strict, no slot is ever over its capacity, and no seat stays idle while the first who waits fits.
 */
#include "appliance.h"
#include "clock.h"
#include "guests.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEATS = 50, SLOTS = 2, HAVE = 50, WAIT = 200, NEW = 150, LAPSES = 50, USERS = SLOTS * HAVE + WAIT + NEW };

static struct appliance box;
static char day[TEXT_DATE_SIZE], staff[256];
static const char *const times[SLOTS] = {"18:00", "19:00"};
static int64_t reservations[SLOTS * HAVE];

struct wish {
	char headers[400], body[256], path[80];
};

static struct http_call wish(struct wish *w, int user, const char *path, const char *time, int party)
{
	snprintf(w->headers, sizeof w->headers, "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n",
		 guests_token(&box, user));
	snprintf(w->path, sizeof w->path, "%s", path);
	snprintf(w->body, sizeof w->body, "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d%s}",
		 day, time, party, strcmp(path, "/api/waitlist") == 0 ? "" : ",\"reservationType\":\"RESERVATION_DEPOSIT\"");
	return (struct http_call){.path = w->path, .headers = w->headers, .body = w->body};
}

/* Staff put them on the list, so that they are known: they keep back what they cannot use yet. */
static struct http_call wish_to_wait(struct wish *w, int nth, const char *time, int party)
{
	snprintf(w->body, sizeof w->body,
		 "{\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,\"guestName\":\"W%d\",\"phone\":\"010-2000-%04d\"}",
		 day, time, party, nth, nth);
	return (struct http_call){.path = "/api/desk/waitlist?restaurantId=1", .headers = staff, .body = w->body};
}

/* Sends them all, and again those who are told to wait for their ticket, until each has an outcome. */
static void send_all(const struct http_call *calls, struct http_answer *answers, int n, int at_once)
{
	http_many(box.port, calls, (size_t)n, (size_t)at_once, answers);
	for (int i = 0; i < n; i++)
		for (int tries = 0; answers[i].status == 429 && tries < 100; tries++) {
			usleep(50000);
			http_free(&answers[i]);
			http_many(box.port, &calls[i], 1, 1, &answers[i]);
		}
}

static void fill_and_queue(void)
{
	static struct wish w[USERS];
	static struct http_call calls[USERS];
	static struct http_answer answers[USERS];

	for (int i = 0; i < SLOTS * HAVE; i++)
		calls[i] = wish(&w[i], i, "/api/reservations", times[i % SLOTS], 1);
	send_all(calls, answers, SLOTS * HAVE, 40);
	for (int i = 0; i < SLOTS * HAVE; i++) {
		assert_int_equal(answers[i].status, 201);
		reservations[i] = http_int(&answers[i], "reservationId");
		http_free(&answers[i]);
	}
	/* Yesterday, so that what they give up is kept as long as the house says. */
	appliance_sql(&box, "UPDATE reservations SET created_at = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', created_at, '-1 day')");
	for (int i = 0; i < WAIT; i++)
		calls[i] = wish_to_wait(&w[i], i, times[i % SLOTS], 1 + i * 7 % 5);
	send_all(calls, answers, WAIT, 40);
	for (int i = 0; i < WAIT; i++) {
		if (answers[i].status != 201)
			fail_msg("%d %s", answers[i].status, answers[i].body);
		http_free(&answers[i]);
	}
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM waitlist WHERE status = 'WAITING'"), WAIT);
}

/* Fifty cancel while 150 newcomers press book, all in the same moment. */
static int cancel_in_a_rush(void)
{
	static struct wish w[HAVE + NEW];
	static struct http_call calls[HAVE + NEW];
	static struct http_answer answers[HAVE + NEW];
	int got_in = 0;

	for (int i = 0; i < HAVE + NEW; i++) {
		if (i % 4 == 0) {
			int k = i / 4;

			calls[i] = wish(&w[i], k, "", "", 0);
			snprintf(w[i].path, sizeof w[i].path, "/api/reservations/%lld/cancel", (long long)reservations[k]);
			calls[i].body = "{}";
		} else
			calls[i] = wish(&w[i], SLOTS * HAVE + WAIT + i - i / 4 - 1, "/api/reservations", times[i % SLOTS],
					1 + i % 2);
	}
	send_all(calls, answers, HAVE + NEW, 100);
	for (int i = 0; i < HAVE + NEW; i++) {
		if (i % 4 == 0 && answers[i].status != 200)
			fail_msg("cancel: %d %s", answers[i].status, answers[i].body ? answers[i].body : "");
		got_in += i % 4 != 0 && answers[i].status == 201;
		http_free(&answers[i]);
	}
	return got_in;
}

/* Times with seats enough for the first who waits for them. */
static int64_t idle_times(void)
{
	return appliance_number(&box, "SELECT count(*) FROM (SELECT w.slot_time, w.party_size, (SELECT 50 - "
				      "sum(v.party_size) FROM reservations v JOIN"
				      " restaurant_reservation_slots s USING (slot_id) WHERE v.is_active = 1 AND "
				      "s.slot_time = w.slot_time AND s.slot_date ="
				      " w.slot_date) AS free FROM waitlist w WHERE w.waitlist_id IN (SELECT "
				      "min(waitlist_id) FROM waitlist WHERE status ="
				      " 'WAITING' GROUP BY slot_date, slot_time)) WHERE free >= party_size");
}

/* What must be true at any moment when no transaction is under way. */
static void is_in_order(const char *when)
{
	/* No guest who still waits came before one of the same slot who was asked. */
	int64_t overtaken = appliance_number(
		&box,
		"SELECT count(*) FROM waitlist a WHERE a.status = 'WAITING' AND EXISTS (SELECT 1 FROM waitlist b WHERE"
		" b.slot_time = a.slot_time AND b.slot_date = a.slot_date AND b.waitlist_id > a.waitlist_id AND b.status <>"
		" 'WAITING')");

	/* What is kept is free, and of a time that has waiters. */
	int64_t too_much = appliance_number(&box,
					    "SELECT count(*) FROM (SELECT sum(k.party_size) AS kept, (SELECT 50 -"
					    " sum(v.party_size) FROM reservations v JOIN restaurant_reservation_slots s USING"
					    " (slot_id) WHERE v.is_active = 1 AND s.slot_time = k.slot_time AND s.slot_date ="
					    " k.slot_date) AS free FROM kept_seats k GROUP BY k.slot_time) WHERE kept > free");

	if (overtaken || too_much)
		fail_msg("%s: %lld overtaken, %lld times with too much kept", when, (long long)overtaken, (long long)too_much);
	appliance_check(&box);
}

static void two_hundred_waiters_are_served_in_order_in_a_cancelling_rush(void **state)
{
	int lapsed = 0, rounds = 0;

	(void)state;
	fill_and_queue();
	assert_int_equal(cancel_in_a_rush(), 0); /* no newcomer gets in between */
	assert_int_equal(idle_times(), 0);
	is_in_order("after the rush");
	print_message("# offered after the rush: %lld\n",
		      (long long)appliance_number(&box, "SELECT count(*) FROM waitlist WHERE status = 'OFFERED'"));
	/* Offers lapse, some at the same time, and pass on. */
	while (lapsed < LAPSES && rounds++ < 40) {
		int64_t now = appliance_number(&box, "SELECT count(*) FROM waitlist WHERE status = 'OFFERED'");

		if (!now)
			break;
		appliance_sql(&box,
			      "UPDATE reservations SET hold_expires_at = '2026-01-01T00:00:00Z' WHERE reservation_id IN (SELECT"
			      " reservation_id FROM waitlist WHERE status = 'OFFERED' ORDER BY waitlist_id LIMIT 5)");
		WITHIN(15000, appliance_number(&box, "SELECT count(*) FROM reservations WHERE status = 'TEMPORARY' AND"
						     " hold_expires_at < '2026-06-01'") == 0);
		WITHIN(15000, idle_times() == 0); /* a sweep more, in case the seats were freed by one */
		is_in_order("after lapses");
		lapsed = (int)appliance_number(&box, "SELECT count(*) FROM waitlist WHERE status = 'OFFER_EXPIRED'");
	}
	print_message("# %d offers lapsed, %lld still wait\n", lapsed,
		      (long long)appliance_number(&box, "SELECT count(*) FROM waitlist WHERE status = 'WAITING'"));
	assert_true(lapsed >= LAPSES);
}

static int set_up(void **state)
{
	static struct ran ran;
	char token[HTTP_TEXT];

	(void)state;
	appliance_new(&box);
	appliance_up(&box, 16);
	appliance_sql(&box,
		      "UPDATE restaurants SET reservation_limit = %d, deposit_per_person = 0, deposit_large_per_person = 0,"
		      " holds_per_guest = 0, upcoming_per_guest = 0, quiet_from = 0, quiet_to = 0",
		      SEATS);
	guests_users(&box, USERS);
	appliance_run(&box, &ran, NULL, "staff", "add", "kim@example.com", "Kim", "--password", "correct horse 7", "--dir",
		      box.dir, NULL);
	http_text(http_post(box.port, "/api/login", "{\"email\":\"kim@example.com\",\"password\":\"correct horse 7\"}"),
		  "accessToken", token);
	snprintf(staff, sizeof staff, "Authorization: Bearer %.160s\r\nContent-Type: application/json\r\n", token);
	guests_day(1, day);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(two_hundred_waiters_are_served_in_order_in_a_cancelling_rush)};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
