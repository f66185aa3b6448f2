/*
 * kill_rush.c - workers die in the middle of the rush, at random and at every named point.
 *
 * Each guest keeps a history: what they were told, and how often they were left without an answer.  A guest
 * without one asks again.  Afterwards the histories are held against the book.
 */
#include "guests.h"

#include "clock.h"
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	WORKERS = 16,
	KILLS = 60, /* `make torture` has ten rounds of them */
	EVERY_MS = 20,
	RUSH = 1000,   /* guests while workers are killed at random */
	CLICKS = 1600, /* requests of guests who press eight times each */
	WINNERS = 10,  /* of the small slot */
	WAIT_MS = 2000,
	STOPPED_MS = 1000, /* after this long the supervisor ends a stopped process */
	SLACK_MS = 2000,   /* this machine is not ours alone */
};

static struct appliance box;
static struct crowd_guest guests[CLICKS];
static char day[TEXT_DATE_SIZE], fuse[APPLIANCE_PATH];

static int begin(void **state)
{
	(void)state;
	srand(20260120);
	guests_day(0, day);
	appliance_new(&box);
	appliance_path(&box, "fuse", fuse);
	return 0;
}

static int end(void **state)
{
	(void)state;
	unsetenv("JARI_FAILPOINT");
	unsetenv("JARI_FAILPOINT_FUSE");
	unsetenv("JARI_WITHOUT");
	appliance_free(&box);
	return 0;
}

/* An appliance with this in its environment, and two slots: 18:00 with room for all, 19:00 for ten parties. */
static void open_house(const char *variable, const char *value, int users)
{
	if (variable)
		setenv(variable, value, 1);
	setenv("JARI_FAILPOINT_FUSE", fuse, 1);
	appliance_up(&box, WORKERS);
	if (variable)
		unsetenv(variable);
	unsetenv("JARI_FAILPOINT_FUSE");
	guests_users(&box, users);
	appliance_sql(&box,
		      "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
		      " VALUES (1, 1, '%s', '18:00', 100000), (2, 1, '%s', '19:00', %d)",
		      day, day, 4 * WINNERS);
}

static int64_t booked(int slot)
{
	return appliance_number(&box, "SELECT count(*) FROM reservations WHERE slot_id = %d AND is_active = 1", slot);
}

/* What holds, no matter which process was killed when. */
static void expect_sound(size_t n)
{
	WITHIN(10000, line_length(guests_hall(&box)->line) == 0);
	guests_expect(guests_judge(&box, guests, n));
	/* A newcomer is served as if nothing had been. */
	guests_wants(&box, &guests[0], 8000, day, "18:00", 4);
	assert_true(guests_run(&(struct crowd){.port = box.port, .persist = true, .follow = true}, guests, 1));
	assert_int_equal(guests[0].status, 201);
	appliance_down(&box); /* exit 0, clean logs, jari check content */
}

/* ---- at random ---- */

static struct {
	struct hall *hall;
	int64_t last_ms;
	int kills, holders;
} reaper;

/* Every 20 ms one of them, every third time the holder of the pen. */
static void kill_somebody(void *arg, int64_t ms, size_t over)
{
	struct board_post victim;
	int holder = pen_holder(reaper.hall->pen);

	(void)over;
	(void)arg;
	if (reaper.kills >= KILLS || ms - reaper.last_ms < EVERY_MS)
		return;
	do
		victim = board_read(reaper.hall->board, rand() % WORKERS);
	while (victim.pid <= 0);
	for (int i = 0; i < WORKERS; i++)
		if (reaper.kills % 3 == 0 && board_read(reaper.hall->board, i).pid == holder && holder > 0) {
			victim.pid = holder;
			reaper.holders++;
		}
	appliance_signal(victim.pid, SIGKILL);
	reaper.last_ms = ms;
	reaper.kills++;
}

static void a_worker_is_killed_every_20_ms(void **state)
{
	struct crowd c = {.port = box.port, .follow = true, .persist = true, .tick = kill_somebody, .limit_ms = 60000};
	enum { SMALL = 100 };

	(void)state;
	assert_true(RUSH + SMALL <= CLICKS);
	open_house(NULL, NULL, RUSH + SMALL);
	appliance_sql(&box, "INSERT INTO users (user_id, user_type, name, email) VALUES (18000, 'ACCOUNT', 'late', "
			    "'late@example.com')");
	c.port = box.port;
	memset(&reaper, 0, sizeof reaper);
	reaper.hall = guests_hall(&box);
	for (int i = 0; i < RUSH; i++) {
		guests_wants(&box, &guests[i], i, day, "18:00", 4);
		guests[i].at_ms = i * (KILLS * EVERY_MS * 5 / 4) / RUSH;
	}
	for (int i = 0; i < SMALL; i++) {
		guests_wants(&box, &guests[RUSH + i], RUSH + i, day, "19:00", 4);
		guests[RUSH + i].at_ms = 500 + i * 2;
	}
	assert_true(guests_run(&c, guests, RUSH + SMALL)); /* no guest is stuck */
	guests_print("killed at random", guests, RUSH + SMALL);
	print_message("# %d kills, %d of them with the pen in hand; the pen was inherited %lld times\n", reaper.kills,
		      reaper.holders, (long long)appliance_counter(&box, "pen_inherited"));
	assert_in_range(reaper.kills, KILLS / 2, KILLS); /* a busy machine does not look every 20 ms */
	for (int i = 0; i < RUSH + SMALL; i++)           /* there is always a guest at the door */
		assert_in_range(guests[i].slowest_us / 1000, 0, WAIT_MS + SLACK_MS);
	assert_int_equal(booked(1), RUSH);
	assert_int_equal(booked(2), WINNERS);
	expect_sound(RUSH + SMALL);
}

/* ---- at every named point ---- */

static struct {
	int laid, limit;
	int64_t last_ms;
} fuses;

/* Lays a fuse whenever the last one was taken. */
static void lay_fuse(void *arg, int64_t ms, size_t over)
{
	(void)over;
	(void)arg;
	if (access(fuse, F_OK) == 0 || fuses.laid >= fuses.limit || ms - fuses.last_ms < 60)
		return;
	appliance_write(fuse, "");
	fuses.laid++;
	fuses.last_ms = ms;
}

static int burnt(void)
{
	return fuses.laid - (access(fuse, F_OK) == 0);
}

/* The rush with a failpoint: 240 for the large slot over a second, 60 for the small one in the middle. */
static void rush_with(const char *failpoint, int most)
{
	struct crowd c = {.follow = true, .persist = true, .tick = lay_fuse, .limit_ms = 40000};
	enum { LARGE = 240, SMALL = 60 };

	open_house("JARI_FAILPOINT", failpoint, LARGE + SMALL);
	appliance_sql(&box, "INSERT INTO users (user_id, user_type, name, email) VALUES (18000, 'ACCOUNT', 'late', "
			    "'late@example.com')");
	c.port = box.port;
	memset(&fuses, 0, sizeof fuses);
	fuses.limit = most;
	for (int i = 0; i < LARGE; i++) {
		guests_wants(&box, &guests[i], i, day, "18:00", 4);
		guests[i].at_ms = i * 4;
	}
	for (int i = 0; i < SMALL; i++) {
		guests_wants(&box, &guests[LARGE + i], LARGE + i, day, "19:00", 4);
		guests[LARGE + i].at_ms = 300 + i;
	}
	assert_true(guests_run(&c, guests, LARGE + SMALL));
	guests_print(failpoint, guests, LARGE + SMALL);
	print_message("# it happened %d times\n", burnt());
	assert_true(burnt() > 0); /* without a fault nothing is proved */
	unlink(fuse);
	assert_int_equal(booked(1), LARGE);
	assert_int_equal(booked(2), WINNERS);
}

static void killed_at(const char *failpoint)
{
	rush_with(failpoint, 8);
	expect_sound(300);
}

#define KILLED_AT(name, point) \
	static void name(void **state) \
	{ \
		(void)state; \
		killed_at(point ":kill:1"); \
	}

KILLED_AT(a_guest_is_killed_filling_a_place, "line.filling")
KILLED_AT(a_guest_is_killed_before_their_ticket_counts, "line.filled")
KILLED_AT(a_guest_is_killed_with_the_lock_of_the_line, "line.locked")
KILLED_AT(a_guest_is_killed_with_their_ticket_in_hand, "line.drawn")
KILLED_AT(the_holder_is_killed_as_it_begins, "batch.begun")
KILLED_AT(the_holder_is_killed_among_its_tickets, "batch.written")
KILLED_AT(the_holder_is_killed_before_the_commit, "batch.before_commit")
KILLED_AT(the_holder_is_killed_after_the_commit, "batch.committed")
KILLED_AT(the_holder_is_killed_while_it_tells_the_outcomes, "batch.published")

/* ---- stopped ---- */

static void stopped_at(const char *failpoint, int others_wait_ms)
{
	int64_t slowest = 0;

	rush_with(failpoint, 1);
	for (int i = 0; i < 300; i++)
		slowest = guests[i].slowest_us > slowest ? guests[i].slowest_us : slowest;
	print_message("# slowest answer %lld ms\n", (long long)slowest / 1000);
	assert_in_range(slowest / 1000, 0, others_wait_ms + SLACK_MS);
	assert_true(appliance_counter(&box, "worker_hangs") >= 1); /* ended, not raced */
	expect_sound(300);
}

static void a_stopped_holder_of_the_pen_delays_no_client_past_wait_ms(void **state)
{
	(void)state;
	stopped_at("batch.before_commit:stop:1", WAIT_MS);
}

static void a_holder_stopped_after_the_commit_delays_no_client_past_wait_ms(void **state)
{
	(void)state;
	stopped_at("batch.committed:stop:1", WAIT_MS);
}

static void a_guest_stopped_with_the_lock_of_the_line_delays_everybody_a_second(void **state)
{
	(void)state;
	stopped_at("line.locked:stop:1", WAIT_MS + STOPPED_MS);
}

/* ---- controls: without the mechanism the same checks fail ---- */

static void hold_them_up(void *arg, int64_t ms, size_t over)
{
	struct hall **held = arg;

	(void)over;
	if (*held && ms > 700) {
		pen_release((*held)->pen);
		*held = NULL;
	}
}

/* A crowd that is let in at one stroke; what the judge says. */
static struct guests_verdict verdict_of_rush(const char *time, int first_user, int each, size_t n, bool at_one_stroke)
{
	struct hall *hall = at_one_stroke ? guests_hall(&box) : NULL;
	struct crowd c = {
		.port = box.port, .follow = true, .persist = true, .limit_ms = 15000, .tick = hold_them_up, .arg = &hall};
	bool inherited;

	for (size_t i = 0; i < n; i++)
		guests_wants(&box, &guests[i], first_user + (int)i / each, day, time, 4);
	if (hall)
		assert_int_equal(pen_take(hall->pen, 5000, &inherited), ERR_OK);
	if (!guests_run(&c, guests, n))
		print_message("## a guest is stuck\n");
	guests_print("control", guests, n);
	return guests_judge(&box, guests, n);
}

static void without_the_pen_the_order_is_lost(void **state)
{
	struct guests_verdict v = {0};

	(void)state;
	open_house("JARI_WITHOUT", "pen", 300);
	for (int i = 0; i < 5 && !v.text[0]; i++) {
		const char *const times[] = {"18:00", "19:00", "20:00", "17:00", "12:00"};

		v = verdict_of_rush(times[i], 0, 1, 300, false);
	}
	print_message("# without the pen: %s\n", v.text);
	assert_true(v.text[0] != '\0');
}

static void without_sum_and_trigger_the_slot_is_overbooked(void **state)
{
	struct guests_verdict v;
	struct ran ran;

	(void)state;
	open_house("JARI_WITHOUT", "sum", 100);
	appliance_sql(&box, "DROP TRIGGER reservations_insert");
	v = verdict_of_rush("19:00", 0, 1, 100, true);
	print_message("# without the sum: %s, %lld booked for %d places\n", v.text, (long long)booked(2), WINNERS);
	assert_string_equal(v.text, "a slot is overbooked");
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.out, "WRONG  no slot is overbooked"));
}

static void the_trigger_alone_keeps_the_slot_from_overbooking(void **state)
{
	(void)state;
	open_house("JARI_WITHOUT", "sum", 100);
	guests_expect(verdict_of_rush("19:00", 0, 1, 100, true));
	assert_int_equal(booked(2), WINNERS);
	appliance_down(&box);
}

static void without_look_and_index_guests_are_booked_twice(void **state)
{
	struct guests_verdict v = {0};
	struct ran ran;

	(void)state;
	open_house("JARI_WITHOUT", "duplicate", 20 * 200);
	appliance_sql(&box, "DROP INDEX reservations_person; DROP TRIGGER reservations_no_replace; UPDATE restaurants SET "
			    "user_lock_ms = 0");
	for (int i = 0; i < 20 && strcmp(v.text, "a guest is booked twice into one slot") != 0; i++) {
		v = verdict_of_rush("18:00", i * 200, 8, CLICKS, false);
	}
	print_message("# without the look: %s\n", v.text);
	assert_string_equal(v.text, "a guest is booked twice into one slot");
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.out, "WRONG  no guest is booked twice into one slot"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_worker_is_killed_every_20_ms),
		TEST(a_guest_is_killed_filling_a_place),
		TEST(a_guest_is_killed_before_their_ticket_counts),
		TEST(a_guest_is_killed_with_the_lock_of_the_line),
		TEST(a_guest_is_killed_with_their_ticket_in_hand),
		TEST(the_holder_is_killed_as_it_begins),
		TEST(the_holder_is_killed_among_its_tickets),
		TEST(the_holder_is_killed_before_the_commit),
		TEST(the_holder_is_killed_after_the_commit),
		TEST(the_holder_is_killed_while_it_tells_the_outcomes),
		TEST(a_stopped_holder_of_the_pen_delays_no_client_past_wait_ms),
		TEST(a_holder_stopped_after_the_commit_delays_no_client_past_wait_ms),
		TEST(a_guest_stopped_with_the_lock_of_the_line_delays_everybody_a_second),
		TEST(without_the_pen_the_order_is_lost),
		TEST(without_sum_and_trigger_the_slot_is_overbooked),
		TEST(the_trigger_alone_keeps_the_slot_from_overbooking),
		TEST(without_look_and_index_guests_are_booked_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
