/*
 * test_writes.c - what the last writes left, for every process.
 */
#include "writes.h"

#include "clock.h"
#include "kid.h"
#include "unit.h"

static int make(void **state)
{
	*state = kid_share(writes_part.size);
	writes_part.init(*state);
	return 0;
}

static int leave(void **state)
{
	kid_unshare(*state, writes_part.size);
	return 0;
}

static void a_failure_stays_until_a_write_is_saved(void **state)
{
	struct writes *w = *state;

	assert_int_equal(writes_fault(w), ERR_OK);
	writes_failed(w, ERR_DISK_FULL);
	writes_failed(w, ERR_BOOK_UNWRITABLE); /* which says less */
	assert_int_equal(writes_fault(w), ERR_DISK_FULL);
	writes_saved(w);
	assert_int_equal(writes_fault(w), ERR_OK);
	assert_in_range(writes_quiet_ms(w), 0, 5000);
}

static void a_fault_of_the_book_is_not_cleared_by_a_write(void **state)
{
	struct writes *w = *state;

	writes_set_book_fault(w, ERR_BOOK_DAMAGED);
	writes_saved(w);
	assert_int_equal(writes_book_fault(w), ERR_BOOK_DAMAGED);
}

static int may_try(void *arg)
{
	return writes_may_try(arg);
}

/* Half a second after the failure one process may try; the others wait for the next turn. */
static void one_process_at_a_time_tries_again(void **state)
{
	struct writes *w = *state;
	int64_t end = clock_mono_ms() + 10000;

	writes_failed(w, ERR_DISK_FULL);
	assert_false(writes_may_try(w));
	while (!writes_may_try(w) && clock_mono_ms() < end)
		clock_sleep_ms(10);
	assert_true(clock_mono_ms() < end);
	assert_int_equal(kid_run(may_try, w), 0);
}

struct wait {
	struct writes *w;
	uint32_t heard;
};

/* How long a process sleeps that would not wait longer than ten seconds. */
static int sleeps_s(void *arg)
{
	struct wait *wait = arg;
	int64_t from = clock_mono_ms();

	writes_await(wait->w, wait->heard, 10000);
	return (int)((clock_mono_ms() - from) / 1000);
}

static void a_write_wakes_who_waits_for_it(void **state)
{
	struct wait wait = {.w = *state, .heard = writes_heard(*state)};
	pid_t first = kid_start(sleeps_s, &wait), second = kid_start(sleeps_s, &wait);

	clock_sleep_ms(300); /* they sleep by now; if not, the next test is about them */
	writes_saved(*state);
	assert_in_range(kid_end(first), 0, 5);
	assert_in_range(kid_end(second), 0, 5);
}

static void a_write_between_looking_and_sleeping_is_not_missed(void **state)
{
	struct wait wait = {.w = *state, .heard = writes_heard(*state)};

	writes_saved(*state);
	assert_in_range(kid_run(sleeps_s, &wait), 0, 5);
}

/* Three and one flag: one sleeps, a writer takes the flag away, and one who has read the bell between the two lies down. */
static void a_flag_that_is_taken_away_lets_nobody_sleep(void **state)
{
	struct wait wait = {.w = *state, .heard = writes_heard(*state)};

	writes_await(*state, wait.heard - 1, 0); /* says that somebody sleeps */
	writes_saved(*state);
	wait.heard++;
	assert_in_range(kid_run(sleeps_s, &wait), 0, 5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_failure_stays_until_a_write_is_saved),
		TEST(a_fault_of_the_book_is_not_cleared_by_a_write),
		TEST(one_process_at_a_time_tries_again),
		TEST(a_write_wakes_who_waits_for_it),
		TEST(a_write_between_looking_and_sleeping_is_not_missed),
		TEST(a_flag_that_is_taken_away_lets_nobody_sleep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
