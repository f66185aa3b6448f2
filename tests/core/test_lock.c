/*
 * test_lock.c - the mutex in shared memory outlives its holder.
 */
#include "lock.h"

#include "clock.h"
#include "kid.h"
#include "unit.h"

#include <errno.h>
#include <stdatomic.h>

struct hint {
	pthread_mutex_t lock;
	_Atomic int held, leave;
};

static int make_room(void **state)
{
	struct hint *r = kid_share(sizeof *r);

	lock_init(&r->lock);
	*state = r;
	return 0;
}

static int leave_room(void **state)
{
	kid_unshare(*state, sizeof(struct hint));
	return 0;
}

static int hold_until_told(void *arg)
{
	struct hint *r = arg;

	lock_take(&r->lock);
	atomic_store(&r->held, 1);
	kid_wait(&r->leave);
	lock_release(&r->lock);
	return 0;
}

static int die_holding(void *arg)
{
	lock_take(&((struct hint *)arg)->lock);
	kid_die();
}

static void a_killed_holder_leaves_the_lock_to_the_next(void **state)
{
	struct hint *r = *state;

	for (int i = 0; i < 50; i++) {
		assert_true(kid_run(die_holding, r) > KID_KILLED);
		assert_int_equal(i % 3 == 0 ? lock_take(&r->lock) :
				 i % 3 == 1 ? lock_try(&r->lock) :
					      lock_wait(&r->lock, 1000),
				 LOCK_INHERITED);
		lock_release(&r->lock);
		assert_int_equal(lock_try(&r->lock), LOCK_TAKEN); /* inherited once, then like any other */
		lock_release(&r->lock);
	}
}

static void a_waiter_wakes_when_the_holder_is_killed(void **state)
{
	struct hint *r = *state;
	pid_t holder = kid_start(hold_until_told, r);
	pid_t killer;
	int64_t begun;

	assert_true(kid_wait(&r->held));
	killer = kid_start(die_holding, r); /* a second one in the queue: it takes over and dies too */
	begun = clock_mono_ms();
	kid_kill(holder);
	assert_true(kid_end(killer) > KID_KILLED);
	assert_int_equal(lock_wait(&r->lock, 5000), LOCK_INHERITED);
	assert_true(clock_mono_ms() - begun < 4000);
	lock_release(&r->lock);
}

static void a_held_lock_is_busy_and_waiting_for_it_ends(void **state)
{
	struct hint *r = *state;
	pid_t holder = kid_start(hold_until_told, r);
	int64_t begun, waited;

	assert_true(kid_wait(&r->held));
	assert_int_equal(lock_try(&r->lock), LOCK_BUSY);
	begun = clock_mono_ms();
	assert_int_equal(lock_wait(&r->lock, 80), LOCK_BUSY);
	waited = clock_mono_ms() - begun;
	assert_in_range(waited, 79, 2000);
	atomic_store(&r->leave, 1);
	assert_int_equal(lock_wait(&r->lock, 5000), LOCK_TAKEN);
	lock_release(&r->lock);
	assert_int_equal(kid_end(holder), 0);
}

/* The control: the same death without pthread_mutex_consistent makes the lock useless for ever. */
static void without_the_repair_the_lock_would_be_lost(void **state)
{
	struct hint *r = *state;

	assert_true(kid_run(die_holding, r) > KID_KILLED);
	assert_int_equal(pthread_mutex_lock(&r->lock), EOWNERDEAD);
	pthread_mutex_unlock(&r->lock);
	assert_int_equal(pthread_mutex_lock(&r->lock), ENOTRECOVERABLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_killed_holder_leaves_the_lock_to_the_next, make_room, leave_room),
		cmocka_unit_test_setup_teardown(a_waiter_wakes_when_the_holder_is_killed, make_room, leave_room),
		cmocka_unit_test_setup_teardown(a_held_lock_is_busy_and_waiting_for_it_ends, make_room, leave_room),
		cmocka_unit_test_setup_teardown(without_the_repair_the_lock_would_be_lost, make_room, leave_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
