/*
 * test_board.c - the board counts exactly, whoever writes and whoever dies.
 */
#include "board.h"

#include "clock.h"
#include "kid.h"
#include "unit.h"

#include <string.h>

static int make_board(void **state)
{
	void *b = kid_share(board_part.size);

	board_part.init(b);
	*state = b;
	return 0;
}

static int leave_board(void **state)
{
	kid_unshare(*state, board_part.size);
	return 0;
}

static int count_much(void *arg)
{
	for (int i = 0; i < 20000; i++) {
		board_count(arg, BOARD_requests);
		board_add(arg, BOARD_holds_expired, 3);
	}
	return 0;
}

static void counts_of_many_processes_add_up(void **state)
{
	pid_t kids[4];

	for (size_t i = 0; i < COUNT(kids); i++)
		kids[i] = kid_start(count_much, *state);
	for (size_t i = 0; i < COUNT(kids); i++)
		assert_int_equal(kid_end(kids[i]), 0);
	assert_int_equal(board_get(*state, BOARD_requests), 80000);
	assert_int_equal(board_get(*state, BOARD_holds_expired), 240000);
	assert_int_equal(board_get(*state, BOARD_logins), 0);
}

static void a_place_tells_who_sits_there_and_since_when_it_is_busy(void **state)
{
	struct board_place p = board_read(*state, 3);
	int64_t begun = clock_mono_ms();

	assert_int_equal(p.kind, BOARD_EMPTY);
	board_seat(*state, 3, BOARD_WORKER, 4242);
	board_busy(*state, 3);
	p = board_read(*state, 3);
	assert_int_equal(p.kind, BOARD_WORKER);
	assert_int_equal(p.pid, 4242);
	assert_in_range(p.busy_since_ms, begun, clock_mono_ms());
	assert_int_equal(p.served, 0);
	board_idle(*state, 3);
	p = board_read(*state, 3);
	assert_int_equal(p.busy_since_ms, 0);
	assert_int_equal(p.served, 1);
	assert_int_equal(board_read(*state, 2).kind, BOARD_EMPTY);
	assert_int_equal(board_read(*state, BOARD_PLACES - 1).kind, BOARD_EMPTY);
}

/* A worker that died busy must not make its successor look hung. */
static void a_new_sitter_begins_idle(void **state)
{
	board_seat(*state, 0, BOARD_WORKER, 1);
	board_busy(*state, 0);
	board_seat(*state, 0, BOARD_KEEPER, 2);
	assert_int_equal(board_read(*state, 0).busy_since_ms, 0);
	assert_int_equal(board_read(*state, 0).kind, BOARD_KEEPER);
}

static int try_to_hash(void *arg)
{
	return board_hash_try(arg, false);
}

static int die_hashing(void *arg)
{
	if (!board_hash_try(arg, false))
		return 1;
	kid_die();
}

static void one_password_is_hashed_at_a_time(void **state)
{
	assert_true(board_hash_try(*state, false));
	assert_int_equal(kid_run(try_to_hash, *state), 0);
	board_hash_done(*state, false);
	assert_int_equal(kid_run(try_to_hash, *state), 1);
}

static void a_worker_killed_while_hashing_blocks_nobody(void **state)
{
	assert_true(kid_run(die_hashing, *state) > KID_KILLED);
	for (int i = 0; i < 3; i++) {
		assert_true(board_hash_try(*state, false));
		board_hash_done(*state, false);
	}
}

static void every_counter_has_a_name_of_its_own_and_help(void **state)
{
	(void)state;
	for (int i = 0; i < BOARD__MAX; i++) {
		const char *name = board_counter_name((enum board_counter)i);

		assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_"), strlen(name));
		/* The counters of one metric stand together, and the first of them says what it is. */
		if (i == 0 ||
		    strcmp(board_counter_metric((enum board_counter)i), board_counter_metric((enum board_counter)(i - 1))) != 0)
			assert_true(strlen(board_counter_help((enum board_counter)i)) > 4);
		else
			assert_true(strlen(board_counter_label((enum board_counter)i)) > 4);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(name, board_counter_name((enum board_counter)k));
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_board, leave_board)

static void one_address_reads_with_a_share_of_the_workers_when_few_are_free(void **state)
{
	enum { WORKERS = 16, SHARE = 4 };
	struct board *b = *state;

	for (int i = 0; i < WORKERS; i++)
		board_seat(b, i, BOARD_WORKER, 100 + i);
	for (int i = 0; i < SHARE; i++) {
		assert_true(board_may_read(b, 77));
		board_busy(b, i);
		board_reads_for(b, i, 77);
	}
	assert_true(board_may_read(b, 77)); /* twelve are free: nobody waits for them */
	for (int i = SHARE; i < WORKERS - 2; i++)
		board_busy(b, i);
	assert_false(board_may_read(b, 77)); /* two are not many */
	assert_true(board_may_read(b, 78));
	board_idle(b, 0); /* and reads for nobody any more */
	assert_true(board_may_read(b, 77));
	board_busy(b, 0);
	assert_true(board_may_read(b, 77));
	board_reads_for(b, 0, 77);
	assert_false(board_may_read(b, 77));
	board_seat(b, 1, BOARD_WORKER, 900); /* one of them was killed, and another has its place */
	assert_true(board_may_read(b, 77));
}

static void the_number_of_changes_changes_first_and_with_all_others(void **state)
{
	struct board *b = *state;
	uint64_t at = board_changes(b);

	board_touch_day(b, 5);
	assert_true(board_changes(b) != at);
	at = board_changes(b);
	board_touch_all_days(b);
	assert_true(board_changes(b) != at);
	at = board_changes(b);
	board_new_edition(b);
	assert_true(board_changes(b) != at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(counts_of_many_processes_add_up),
		TEST(a_place_tells_who_sits_there_and_since_when_it_is_busy),
		TEST(a_new_sitter_begins_idle),
		TEST(one_password_is_hashed_at_a_time),
		TEST(a_worker_killed_while_hashing_blocks_nobody),
		TEST(every_counter_has_a_name_of_its_own_and_help),
		TEST(one_address_reads_with_a_share_of_the_workers_when_few_are_free),
		TEST(the_number_of_changes_changes_first_and_with_all_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
