/*
 * test_hall.c - a hall that is thrown away while processes use it.
 */
#include "hall.h"

#include "book.h"
#include "clock.h"
#include "kid.h"
#include "token.h"
#include "unit.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64], id[80], aside[80];
static struct hall hall, other;

static int make(void **state)
{
	(void)state;
	book_make_dir(dir);
	snprintf(id, sizeof id, "%s/hall.id", dir);
	snprintf(aside, sizeof aside, "%s/aside", dir);
	return token_init() && hall_attach(&hall, dir) == ERR_OK ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	hall_remove(&hall);
	hall_detach(&hall);
	book_remove_dir(dir);
	return 0;
}

/* A folder in the place of the name: not even root can open it for writing. */
static void hide_the_name(void)
{
	assert_int_equal(rename(id, aside), 0);
	assert_int_equal(mkdir(id, 0700), 0);
}

static void show_the_name(void)
{
	assert_int_equal(rmdir(id), 0);
	assert_int_equal(rename(aside, id), 0);
}

static void a_process_that_finds_no_new_hall_keeps_the_old_memory(void **state)
{
	bool inherited;

	(void)state;
	hide_the_name();
	hall_remove(&hall);
	for (unsigned i = 1; i <= 3; i++) {
		assert_int_equal(hall_refresh(&hall), ERR_BOOK_UNWRITABLE);
		assert_true(shm_gone(&hall.shm)); /* and it can tell that it is its own */
		counters_count(hall.counters, COUNTER_requests);
		assert_int_equal(counters_get(hall.counters, COUNTER_requests), i);
		assert_int_equal(line_length(hall.line), 0);
		assert_int_equal(pen_try(hall.pen, &inherited), ERR_OK);
		pen_release(hall.pen);
	}
}

static void as_soon_as_it_can_be_found_everybody_meets_in_the_new_hall(void **state)
{
	(void)state;
	counters_count(hall.counters, COUNTER_requests);
	hide_the_name();
	hall_remove(&hall);
	assert_int_equal(hall_refresh(&hall), ERR_BOOK_UNWRITABLE);
	show_the_name();
	assert_int_equal(hall_refresh(&hall), ERR_OK);
	assert_false(shm_gone(&hall.shm));
	assert_int_equal(counters_get(hall.counters, COUNTER_requests), 0);
	assert_int_equal(hall_attach(&other, dir), ERR_OK);
	counters_count(other.counters, COUNTER_requests);
	assert_int_equal(counters_get(hall.counters, COUNTER_requests), 1);
	hall_detach(&other);
}

static uint64_t first_ticket(uint64_t above)
{
	uint64_t first;

	assert_int_equal(hall_first_ticket(&hall, above, &first), ERR_OK);
	return first;
}

static void no_number_is_given_twice_whatever_the_clock_says(void **state)
{
	uint64_t first = first_ticket(1), second, third;

	(void)state;
	assert_in_range(first, (uint64_t)(clock_now_s() - 60) * 1000000, (uint64_t)(clock_now_s() + 60) * 1000000);
	second = first_ticket(1); /* the hall was lost in the same second */
	assert_true(second >= first + (UINT64_C(1) << 32));
	setenv("JARI_CLOCK_SHIFT", "-86400", 1); /* a box without a battery woke up yesterday */
	third = first_ticket(1);
	unsetenv("JARI_CLOCK_SHIFT");
	assert_true(third >= second + (UINT64_C(1) << 32));
	assert_int_equal(first_ticket(third + UINT64_C(1000000000000)),
			 third + UINT64_C(1000000000000)); /* the book knows more */
}

static void write_next(const char *text)
{
	char path[80];
	FILE *f;

	snprintf(path, sizeof path, "%s/tickets.next", dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void a_damaged_file_does_not_give_the_numbers(void **state)
{
	static const char *const damaged[] = {
		"99999999999999999999\n", "18446744073709551615\n", "09223372036854775807\n", "00009000000000000000\njunk",
		"00009000000000000000",   "9000000000000000\n",     "-0009000000000000000\n", "9999999999999999999999999999",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(damaged); i++) {
		write_next(damaged[i]);
		assert_in_range(first_ticket(1), (uint64_t)(clock_now_s() - 60) * 1000000,
				(uint64_t)(clock_now_s() + 60) * 1000000);
		assert_true(first_ticket(1) > (uint64_t)(clock_now_s() + 60) * 1000000); /* and what is kept is whole again */
	}
	write_next("00009000000000000000\n");
	assert_int_equal(first_ticket(1), UINT64_C(9000000000000000));
}

static void a_number_that_cannot_be_kept_is_not_given(void **state)
{
	char path[80];
	uint64_t first;

	(void)state;
	snprintf(path, sizeof path, "%s/tickets.next", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(hall_first_ticket(&hall, 1, &first), ERR_BOOK_UNWRITABLE);
	assert_int_equal(rmdir(path), 0);
}

static struct talk {
	_Atomic int ready, heard, waited;
	uint64_t number;
} * talk;

static void draw(uint64_t *number)
{
	struct ticket_request r = {.kind = TICKET_LOGOUT};

	if (!line_seeded(hall.line))
		line_seed(hall.line, 1);
	assert_int_equal(line_draw(hall.line, &r, number), ERR_OK);
}

static int sleep_by_the_bell(void *arg)
{
	uint32_t seen = line_bell(hall.line);

	(void)arg;
	atomic_store(&talk->ready, 1);
	line_await_bell(hall.line, seen, 10000);
	atomic_store(&talk->heard, line_bell(hall.line) != seen);
	return 0;
}

static int wait_for_the_ticket(void *arg)
{
	uint32_t seen = line_word(hall.line, talk->number);

	(void)arg;
	atomic_store(&talk->ready, 1);
	line_sleep(hall.line, talk->number, seen, 3000);
	atomic_store(&talk->waited, line_word(hall.line, talk->number) != seen);
	return 0;
}

/* Starts a sleeper and gives it the time to fall asleep. */
static pid_t asleep(int (*run)(void *))
{
	pid_t kid;

	atomic_store(&talk->ready, 0);
	kid = kid_start(run, NULL);
	assert_true(kid_wait(&talk->ready));
	clock_sleep_ms(100);
	return kid;
}

static void the_pen_is_passed_to_the_keeper_before_a_waiter(void **state)
{
	bool inherited;
	pid_t keeper, waiter;

	(void)state;
	talk = kid_share(sizeof *talk);
	draw(&talk->number);
	waiter = asleep(wait_for_the_ticket);
	keeper = asleep(sleep_by_the_bell);
	assert_int_equal(pen_try(hall.pen, &inherited), ERR_OK);
	hall_pass_pen(&hall);
	assert_int_equal(kid_end(keeper), 0);
	assert_true(talk->heard);
	assert_int_equal(pen_try(hall.pen, &inherited), ERR_OK); /* the keeper is awake: no process sleeps by the bell */
	hall_pass_pen(&hall);
	assert_int_equal(kid_end(waiter), 0);
	assert_true(talk->waited);
	kid_unshare(talk, sizeof *talk);
}

static void with_an_empty_line_no_process_is_woken(void **state)
{
	uint32_t rang = line_bell(hall.line);
	bool inherited;

	(void)state;
	assert_int_equal(pen_try(hall.pen, &inherited), ERR_OK);
	hall_pass_pen(&hall);
	assert_int_equal(pen_holder(hall.pen), 0);
	assert_int_equal(line_bell(hall.line), rang);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_process_that_finds_no_new_hall_keeps_the_old_memory),
		TEST(as_soon_as_it_can_be_found_everybody_meets_in_the_new_hall),
		TEST(no_number_is_given_twice_whatever_the_clock_says),
		TEST(a_damaged_file_does_not_give_the_numbers),
		TEST(a_number_that_cannot_be_kept_is_not_given),
		TEST(the_pen_is_passed_to_the_keeper_before_a_waiter),
		TEST(with_an_empty_line_no_process_is_woken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
