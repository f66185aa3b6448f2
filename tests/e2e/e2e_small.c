/*
 * e2e_small.c - what a small box pays: how often an appliance that rests wakes, and how much a booking writes.
 *
 * Counted by the kernel, not timed, and the bounds are generous: docs/performance.md has the numbers.
 */
#include "appliance.h"
#include "guests.h"

#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	WORKERS = 8,
	REST_S = 4,
	WAKES_S = 15, /* twice what it does */
	BOOKINGS = 60,
	BOOKING_BYTES = 40000, /* half as much again */
	FAMILY = 64,
};

static struct appliance box;

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, WORKERS);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/* A number of /proc/PID/FILE, by the word before it. */
static int64_t number_of(pid_t pid, const char *file, const char *word)
{
	char path[64], text[4096];
	const char *at;
	long long n = -1;

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
	at = strstr(appliance_read(path, text, sizeof text), word);
	if (!at || sscanf(at + strlen(word), "%lld", &n) != 1)
		fail_msg("no %s in %s: %s", word, path, text);
	return n;
}

/* Of the supervisor and all that it has started, the web server too. */
static int64_t sum_of(const char *file, const char *word, int *count)
{
	pid_t family[FAMILY];
	int64_t sum = number_of(box.pid, file, word);

	*count = appliance_descendants(box.pid, family, FAMILY);
	for (int i = 0; i < *count; i++)
		sum += number_of(family[i], file, word);
	return sum;
}

static void a_box_that_rests_hardly_wakes(void **state)
{
	int before_count, count;
	int64_t before, wakes;

	(void)state;
	usleep(1500000); /* what a start leaves to be done is done */
	before = sum_of("status", "\nvoluntary_ctxt_switches:", &before_count);
	usleep(REST_S * 1000000);
	wakes = sum_of("status", "\nvoluntary_ctxt_switches:", &count) - before;
	print_message("# %lld times in %d s, %d processes\n", (long long)wakes, REST_S, count + 1);
	assert_int_equal(count, before_count);
	assert_true(count > WORKERS + 4); /* couriers, cashier, keeper, nginx */
	assert_in_range(wakes, REST_S, REST_S * WAKES_S);
}

static void a_lone_booking_writes_little(void **state)
{
	int64_t before, bytes;
	int count;

	(void)state;
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	before = sum_of("io", "\nwchar:", &count);
	for (int i = 0; i < BOOKINGS; i++)
		assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	bytes = (sum_of("io", "\nwchar:", &count) - before) / BOOKINGS;
	print_message("# %lld bytes a booking\n", (long long)bytes);
	assert_in_range(bytes, 1000, BOOKING_BYTES);
}

/* Two buffers of nginx's are emptied when its logs are opened anew. */
static char *log_text(void)
{
	static char text[1 << 16];
	char path[APPLIANCE_PATH], number[16];

	appliance_path(&box, "run/nginx.pid", path);
	appliance_signal(atoi(appliance_read(path, number, sizeof number)), SIGUSR1);
	appliance_path(&box, "run/access.log", path);
	return appliance_read(path, text, sizeof text);
}

static void what_a_tablet_asks_each_second_is_not_written_down(void **state)
{
	static struct ran ran;
	char token[HTTP_TEXT], header[HTTP_TEXT + 40], day[TEXT_DATE_SIZE], path[120];

	(void)state;
	appliance_run(&box, &ran, NULL, "staff", "add", "desk@example.com", "Desk", "--password", "a long password", "--dir",
		      box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	http_text(http_post(box.port, "/api/login", "{\"email\":\"desk@example.com\",\"password\":\"a long password\"}"),
		  "accessToken", token);
	snprintf(header, sizeof header, "Authorization: Bearer %s\r\n", token);
	guests_day(0, day);
	snprintf(path, sizeof path, "/api/desk/day?restaurantId=1&date=%s", day);
	for (int i = 0; i < 20; i++)
		assert_int_equal(http_ask(box.port, (struct http_call){.path = path, .headers = header})->status, 200);
	for (int i = 0; i < 5; i++)
		assert_int_equal(http_get(box.port, path)->status, 401);
	WITHIN(10000, strstr(log_text(), "status=401"));
	assert_non_null(strstr(log_text(), "path=/api/login"));
	assert_null(strstr(log_text(), "status=200 worker=200 method=GET path=/api/desk/day"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_box_that_rests_hardly_wakes),
		cmocka_unit_test(a_lone_booking_writes_little),
		cmocka_unit_test(what_a_tablet_asks_each_second_is_not_written_down),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
