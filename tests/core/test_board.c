/*
 * test_board.c - who is at work, whichever process writes and whichever dies.
 */
#include "board.h"

#include "clock.h"
#include "kid.h"
#include "unit.h"

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

static void a_post_tells_who_is_at_it_and_since_when_it_is_busy(void **state)
{
	struct board_post p = board_read(*state, 3);
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
	assert_int_equal(board_read(*state, BOARD_POSTS - 1).kind, BOARD_EMPTY);
}

/* A worker that died busy must not make its successor look hung. */
static void a_successor_begins_idle(void **state)
{
	board_seat(*state, 0, BOARD_WORKER, 1);
	board_busy(*state, 0);
	board_seat(*state, 0, BOARD_KEEPER, 2);
	assert_int_equal(board_read(*state, 0).busy_since_ms, 0);
	assert_int_equal(board_read(*state, 0).kind, BOARD_KEEPER);
}

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
	assert_true(board_may_read(b, 77)); /* twelve are free: no worker waits for them */
	for (int i = SHARE; i < WORKERS - 2; i++)
		board_busy(b, i);
	assert_false(board_may_read(b, 77)); /* two are not many */
	assert_true(board_may_read(b, 78));
	board_idle(b, 0); /* and reads no more */
	assert_true(board_may_read(b, 77));
	board_busy(b, 0);
	assert_true(board_may_read(b, 77));
	board_reads_for(b, 0, 77);
	assert_false(board_may_read(b, 77));
	board_seat(b, 1, BOARD_WORKER, 900); /* one of them was killed, and another has its post */
	assert_true(board_may_read(b, 77));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_board, leave_board)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_post_tells_who_is_at_it_and_since_when_it_is_busy),
		TEST(a_successor_begins_idle),
		TEST(one_address_reads_with_a_share_of_the_workers_when_few_are_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
