/*
 * e2e_dear.c - what one stranger can do with requests that cost a lot: ask for months of a house with forty tables, hang up and
 * ask again.  And a month is always right, although it is not read anew for everybody.
 */
#include "appliance.h"
#include "board.h"
#include "clock.h"
#include "guests.h"
#include "http.h"
#include "kid.h"
#include "unit.h"

#include <arpa/inet.h>
#include <json-c/json.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WORKERS = 8, HOUSE = 50 };

static struct appliance box;
static char day[TEXT_DATE_SIZE];

static int set_up(void **state)
{
	static char sql[16384];

	(void)state;
	appliance_new(&box);
	appliance_up(&box, WORKERS);
	appliance_read("bench/forty_tables.sql", sql, sizeof sql);
	assert_true(*sql);
	appliance_sql(&box, "%s", sql);
	appliance_sql(&box, "UPDATE restaurants SET holds_per_guest = 0, upcoming_per_guest = 0");
	text_put_date(text_from_days(clock_now_s() / 86400 + 20), day);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/* ---- a month is right ---- */

/* The seats that are left on that day for two, as the month says; -1: the day is not there. */
static int64_t left_by_month(const char *state)
{
	char path[160];
	struct json_object *all, *days, *d, *v;
	int64_t left = -1;

	snprintf(path, sizeof path, "/api/reservations/days?restaurantId=%d&month=%.7s&partySize=2", HOUSE, day);
	all = http_json(http_get(box.port, path));
	assert_true(all && json_object_object_get_ex(all, "days", &days));
	for (size_t i = 0; i < json_object_array_length(days); i++) {
		d = json_object_array_get_idx(days, i);
		if (!json_object_object_get_ex(d, "date", &v) || strcmp(json_object_get_string(v), day) != 0)
			continue;
		assert_true(json_object_object_get_ex(d, "state", &v));
		if (state)
			assert_string_equal(json_object_get_string(v), state);
		assert_true(json_object_object_get_ex(d, "remaining", &v));
		left = json_object_get_int64(v);
	}
	json_object_put(all);
	return left;
}

/* The same as the times of the day add up to; they are not kept for others. */
static int64_t left_by_times(void)
{
	char path[160];
	struct json_object *all, *slots, *available, *v;
	int64_t left = 0;

	snprintf(path, sizeof path, "/api/reservations/slots?restaurantId=%d&slotDate=%s&partySize=2", HOUSE, day);
	all = http_json(http_get(box.port, path));
	assert_true(all && json_object_object_get_ex(all, "slots", &slots));
	for (size_t i = 0; i < json_object_array_length(slots); i++) {
		struct json_object *s = json_object_array_get_idx(slots, i);

		assert_true(json_object_object_get_ex(s, "available", &available) &&
			    json_object_object_get_ex(s, "remaining", &v));
		left += json_object_get_boolean(available) ? json_object_get_int64(v) : 0;
	}
	json_object_put(all);
	return left;
}

static const struct http_answer *book(int guest, int timeout_ms)
{
	static char body[8][400], headers[8][120];
	static int turn;
	char *b = body[++turn % 8], *h = headers[turn % 8];

	snprintf(h, sizeof headers[0], "Content-Type: application/json\r\nIdempotency-Key: dear-%d\r\n", guest);
	snprintf(b, sizeof body[0],
		 "{\"restaurantId\":%d,\"slotDate\":\"%s\",\"slotTime\":\"%02d:%02d\",\"partySize\":2,"
		 "\"reservationType\":\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Guest %d\",\"phone\":\"010-4444-%04d\"}}",
		 HOUSE, day, 11 + guest / 4 % 9, guest % 4 * 15, guest, guest);
	return http_ask(box.port,
			(struct http_call){.path = "/api/reservations", .headers = h, .body = b, .timeout_ms = timeout_ms});
}

static void a_month_shows_every_booking_at_once(void **state)
{
	int64_t before = left_by_month("open"), after;

	(void)state;
	assert_true(before > 0);
	for (int i = 0; i < 20; i++) {
		const struct http_answer *a = book(i, 0);

		if (a->status != 201)
			fail_msg("%d: %s", a->status, a->body);
		after = left_by_month("open");
		assert_true(after < before);
		assert_int_equal(after, left_by_times());
		before = after;
	}
}

static void a_month_is_not_read_anew_for_everybody(void **state)
{
	enum { ASKED = 60 };
	int64_t read = appliance_counter(&box, "days_read"), begun = clock_now_s(), most;

	(void)state;
	for (int i = 0; i < ASKED; i++)
		left_by_month("open");
	most = 31 * (clock_now_s() - begun + 1);
	read = appliance_counter(&box, "days_read") - read;
	/* Each second anew at most; on a machine that takes a second for each answer nothing can be shown. */
	if (read > most)
		fail_msg("%lld days were read for %d months", (long long)read, ASKED);
}

static void a_month_notices_the_shell_within_a_second(void **state)
{
	int64_t before = left_by_month("open");

	(void)state;
	appliance_sql(&box,
		      "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = (SELECT min(reservation_id) FROM "
		      "reservations"
		      " JOIN restaurant_reservation_slots USING (slot_id) WHERE slot_date = '%s' AND is_active = 1 AND"
		      " reservations.restaurant_id = %d)",
		      day, HOUSE);
	WITHIN(3000, left_by_month("open") > before);
	appliance_sql(&box, "INSERT INTO special_days (restaurant_id, day) VALUES (%d, '%s')", HOUSE, day);
	WITHIN(3000, left_by_month(NULL) == 0);
	left_by_month("closed");
	appliance_sql(&box, "DELETE FROM special_days WHERE restaurant_id = %d", HOUSE);
	WITHIN(3000, left_by_month(NULL) > before);
}

static void a_hold_that_ran_out_is_free_in_the_month_as_well(void **state)
{
	int64_t before = left_by_month("open");

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET deposit_per_person = 1000, hold_seconds = 2 WHERE restaurant_id = %d",
		      HOUSE);
	assert_int_equal(book(100, 0)->status, 201);
	assert_true(left_by_month("open") < before);
	WITHIN(8000, left_by_month("open") == before);
	appliance_sql(&box, "UPDATE restaurants SET deposit_per_person = 0, hold_seconds = 420 WHERE restaurant_id = %d",
		      HOUSE);
}

/* ---- a flood of what is left behind ---- */

static struct flood {
	_Atomic int stop;
	_Atomic long sent;
} * flood;

static int reach(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)box.port)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Months that were not asked for yet, each left behind after ten milliseconds. */
static int hang_up_again_and_again(void *arg)
{
	unsigned seed = *(unsigned *)arg;

	while (!atomic_load(&flood->stop)) {
		int fd = reach(), n;
		char text[256];

		n = snprintf(text, sizeof text,
			     "GET /api/reservations/days?restaurantId=%d&month=%.7s&partySize=%d HTTP/1.1\r\nHost: x\r\n\r\n",
			     HOUSE, day, rand_r(&seed) % 1000 + 1);
		if (fd < 0)
			continue;
		if (send(fd, text, (size_t)n, MSG_NOSIGNAL) == n)
			atomic_fetch_add(&flood->sent, 1);
		poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 10);
		close(fd);
	}
	return 0;
}

static void guests_book_within_seconds_while_a_stranger_floods_and_hangs_up(void **state)
{
	enum { LANES = 24, HONEST = 8, PATIENCE_MS = 5000 };
	unsigned seeds[LANES];
	pid_t lanes[LANES];
	int64_t read = appliance_counter(&box, "days_read"), left = appliance_counter(&box, "stale_requests"), slowest = 0;
	char told[400] = "";
	long sent;

	(void)state;
	flood = kid_share(sizeof *flood);
	for (int i = 0; i < LANES; i++) {
		seeds[i] = (unsigned)i + 1;
		lanes[i] = kid_start(hang_up_again_and_again, &seeds[i]);
	}
	WITHIN(10000, atomic_load(&flood->sent) > 500);
	for (int i = 0; i < HONEST && !*told; i++) {
		const struct http_answer *a = book(200 + i, PATIENCE_MS);

		slowest = a->us > slowest ? a->us : slowest;
		if (a->end != HTTP_WHOLE || a->status != 201)
			snprintf(told, sizeof told, "guest %d: %d after %lld ms", i, a->status, (long long)a->us / 1000);
		usleep(200000);
	}
	atomic_store(&flood->stop, 1);
	for (int i = 0; i < LANES; i++)
		kid_end(lanes[i]);
	sent = atomic_load(&flood->sent);
	read = appliance_counter(&box, "days_read") - read;
	left = appliance_counter(&box, "stale_requests") - left;
	kid_unshare(flood, sizeof *flood);
	printf("# %ld months left behind, %lld of them not served, %lld days read; the slowest booking took %lld ms\n", sent,
	       (long long)left, (long long)read, (long long)slowest / 1000);
	if (*told)
		fail_msg("%s", told);
	assert_true(left > 0);
	assert_true(read < sent * 30 / 2); /* half of them would be a lot already */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_month_shows_every_booking_at_once),
		cmocka_unit_test(a_month_is_not_read_anew_for_everybody),
		cmocka_unit_test(a_month_notices_the_shell_within_a_second),
		cmocka_unit_test(a_hold_that_ran_out_is_free_in_the_month_as_well),
		cmocka_unit_test(guests_book_within_seconds_while_a_stranger_floods_and_hangs_up),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
