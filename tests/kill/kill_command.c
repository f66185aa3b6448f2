/*
 * kill_command.c - the pen in the hand of a process that is no child of the supervisor.
 *
 * Workers and keeper are its children, and it hears when one is stopped.  Of a command it hears nothing:
 * it has to look who holds the pen.
 */
#include "guests.h"

#include "clock.h"
#include "kid.h"
#include "unit.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	WORKERS = 8,
	GUESTS = 60,
	WINNERS = 10,
	STOPPED_MS = 1000, /* after this long the supervisor ends a process that is stopped with the pen */
	LONG_MS = STOPPED_MS + 400,
};

static struct appliance box;
static struct crowd_guest guests[GUESTS];
static char day[TEXT_DATE_SIZE];

/* A slot for ten parties of four, and in another the hold of one who is not in the crowd. */
static int begin(void **state)
{
	(void)state;
	guests_day(0, day);
	appliance_new(&box);
	appliance_up(&box, WORKERS);
	guests_users(&box, GUESTS + 1);
	appliance_sql(
		&box,
		"INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
		" VALUES (1, 1, '%s', '18:00', 40), (2, 1, '%s', '19:00', %d);"
		"INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size, reservation_type,"
		" status, hold_expires_at) VALUES (1, 'HOLD-1', 1, %d, 2, 'RESERVATION_DEPOSIT', 'TEMPORARY',"
		" strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '+7 minutes'))",
		day, day, 4 * WINNERS, GUESTS_FROM + GUESTS);
	return 0;
}

static int end(void **state)
{
	(void)state;
	unsetenv("JARI_FAILPOINT");
	appliance_free(&box);
	return 0;
}

static bool is_stopped(pid_t pid)
{
	int status;

	return waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status);
}

/* Writes for longer than a process may be stopped, and is stopped only after that. */
static int write_long_then_stop(void *arg)
{
	static struct hall hall;
	bool inherited;

	(void)arg;
	if (hall_attach(&hall, box.dir) != ERR_OK || pen_take(hall.pen, 5000, &inherited) != ERR_OK)
		return 1;
	clock_sleep_ms(LONG_MS);
	pen_release(hall.pen);
	raise(SIGSTOP);
	return 0;
}

/* `jari confirm`, to be stopped where the failpoint says. */
static pid_t start_at(const char *failpoint)
{
	const char *argv[] = {appliance_program(&box), "confirm", "HOLD-1", "--dir", box.dir, NULL};
	char log[APPLIANCE_PATH];
	pid_t pid;

	appliance_path(&box, "confirm.log", log);
	setenv("JARI_FAILPOINT", failpoint, 1);
	pid = appliance_spawn(log, argv);
	unsetenv("JARI_FAILPOINT");
	return pid;
}

/*
 * The same, stopped.  The keeper may be awake and faster, and serve the command's ticket itself; then the command ends, and
 * another one says the same.
 */
static pid_t start_stopped_at(const char *failpoint)
{
	for (int tries = 0; tries < 10; tries++) {
		pid_t pid = start_at(failpoint);

		if (is_stopped(pid))
			return pid;
	}
	fail_msg("never stopped at %s", failpoint);
	return 0;
}

/* With the pen in hand and a transaction begun. */
static pid_t start_stopped_command(void)
{
	return start_stopped_at("batch.before_commit:stop:1");
}

/* Inside the queue lock no other process can even draw a ticket. */
static void a_command_stopped_in_the_queue_lock_is_ended_and_the_rush_goes_on(void **state)
{
	struct crowd c = {.port = box.port, .follow = true, .limit_ms = 10000};
	pid_t command = start_stopped_at("line.locked:stop:1");

	(void)state;
	for (int i = 0; i < GUESTS; i++)
		guests_wants(&box, &guests[i], i, day, "19:00", 4);
	assert_true(guests_run(&c, guests, GUESTS));
	assert_int_equal(appliance_wait(command, 0), 128 + SIGKILL);
	guests_expect(guests_judge(&box, guests, GUESTS));
	assert_int_equal(guests_count(guests, GUESTS, 201, NULL), WINNERS);
	appliance_down(&box);
}

static void a_command_stopped_with_the_pen_is_ended_and_the_rush_goes_on(void **state)
{
	struct crowd c = {.port = box.port, .follow = true, .limit_ms = 10000};
	pid_t command = start_stopped_command();

	(void)state;
	assert_int_equal(pen_holder(guests_hall(&box)->pen), command);
	for (int i = 0; i < GUESTS; i++)
		guests_wants(&box, &guests[i], i, day, "19:00", 4);
	assert_true(guests_run(&c, guests, GUESTS)); /* everybody has their outcome */
	assert_int_equal(appliance_wait(command, 0), 128 + SIGKILL);
	assert_int_equal(appliance_counter(&box, "worker_hangs"), 1);
	assert_int_equal(appliance_counter(&box, "pen_inherited"), 1);
	guests_expect(guests_judge(&box, guests, GUESTS));
	assert_int_equal(guests_count(guests, GUESTS, 201, NULL), WINNERS);
	/* What the command wanted had a place in the line, and is done. */
	assert_int_equal(appliance_number(&box, "SELECT status = 'CONFIRMED' FROM reservations WHERE reservation_id = 1"), 1);
	appliance_down(&box);
}

/* The house closes in the same second: no ticket in the line is forgotten all the same. */
static void a_command_stopped_with_the_pen_does_not_keep_the_house_from_closing(void **state)
{
	pid_t command = start_stopped_command();
	int64_t from = appliance_now_ms();

	(void)state;
	appliance_down(&box); /* exit 0, and the book is sound */
	assert_true(appliance_now_ms() - from < 6000);
	assert_int_equal(appliance_wait(command, 0), 128 + SIGKILL);
	assert_int_equal(appliance_number(&box, "SELECT status = 'CONFIRMED' FROM reservations WHERE reservation_id = 1"), 1);
}

static void a_process_that_writes_long_or_is_stopped_without_the_pen_is_left_alone(void **state)
{
	pid_t kid = kid_start(write_long_then_stop, NULL);

	(void)state;
	assert_true(is_stopped(kid)); /* not killed while it wrote */
	clock_sleep_ms(LONG_MS);
	assert_true(appliance_alive(kid));
	assert_int_equal(appliance_counter(&box, "worker_hangs"), 0);
	appliance_signal(kid, SIGCONT);
	assert_int_equal(kid_end(kid), 0);
	appliance_down(&box);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_command_stopped_with_the_pen_is_ended_and_the_rush_goes_on),
		TEST(a_command_stopped_in_the_queue_lock_is_ended_and_the_rush_goes_on),
		TEST(a_command_stopped_with_the_pen_does_not_keep_the_house_from_closing),
		TEST(a_process_that_writes_long_or_is_stopped_without_the_pen_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
