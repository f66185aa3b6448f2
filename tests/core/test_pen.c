/*
 * test_pen.c - one process writes at a time, even if the holder dies.
 */
#include "pen.h"

#include "clock.h"
#include "kid.h"
#include "lock.h"
#include "unit.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { KIDS = 8, STROKES = 5000, CONTROL = 20000, PEN_ROOM = 256 };

struct desk {
	_Alignas(64) char pen[PEN_ROOM];
	volatile long count; /* deliberately not atomic: only the pen guards it */
	volatile long half;  /* equals count outside the pen */
	_Atomic long deaths, inherited;
	_Atomic long done[KIDS]; /* strokes of each that are surely in the count */
	_Atomic int held, leave;
};

static int me; /* a kid's number, its own from the fork on */

static struct pen *pen_of(struct desk *d)
{
	return (struct pen *)(void *)d->pen;
}

static int make_desk(void **state)
{
	struct desk *d = kid_share(sizeof *d);

	assert_true(pen_part.size <= PEN_ROOM);
	pen_part.init(d->pen);
	*state = d;
	return 0;
}

static int leave_desk(void **state)
{
	kid_unshare(*state, sizeof(struct desk));
	return 0;
}

/* A taker that inherits repairs, as the protocol says: half tells whether a stroke was cut short. */
static bool take(struct desk *d)
{
	bool inherited = false;

	if (pen_take(pen_of(d), 60000, &inherited) != ERR_OK)
		return false;
	if (inherited) {
		atomic_fetch_add(&d->inherited, 1);
		d->count = d->half;
	}
	return true;
}

static int write_strokes(void *arg)
{
	struct desk *d = arg;
	unsigned seed = (unsigned)getpid();

	while (atomic_load(&d->done[me]) < STROKES) {
		if (!take(d))
			return 1;
		if (d->count != d->half || pen_holder(pen_of(d)) != getpid())
			return 2;
		d->count = d->count + 1;
		if (rand_r(&seed) % 2000 == 0) {
			atomic_fetch_add(&d->deaths, 1);
			kid_die(); /* with the pen in hand and the stroke half done */
		}
		d->half = d->half + 1;
		atomic_fetch_add(&d->done[me], 1);
		pen_release(pen_of(d));
	}
	return 0;
}

static void eight_writers_never_cross_although_some_are_killed(void **state)
{
	struct desk *d = *state;
	pid_t kids[KIDS];
	int running = KIDS;

	for (me = 0; me < KIDS; me++)
		kids[me] = kid_start(write_strokes, d);
	while (running > 0) {
		running = 0;
		for (int i = 0; i < KIDS; i++) {
			int end = kids[i] ? kid_end(kids[i]) : 0;

			kids[i] = 0;
			assert_true(end == 0 || end > KID_KILLED);
			if (end == 0)
				continue;
			me = i; /* a new one in its place */
			kids[i] = kid_start(write_strokes, d);
			running++;
		}
	}
	assert_true(take(d));
	assert_int_equal(d->half, KIDS * STROKES);
	assert_int_equal(d->count, KIDS * STROKES);
	pen_release(pen_of(d));
	assert_true(atomic_load(&d->deaths) > 0);
	assert_int_equal(atomic_load(&d->inherited), atomic_load(&d->deaths));
}

static int cross_without_the_pen(void *arg)
{
	struct desk *d = arg;

	atomic_fetch_add(&d->held, 1);
	while (atomic_load(&d->held) < 2)
		sched_yield();
	for (int i = 0; i < CONTROL; i++) {
		long n = d->count;

		sched_yield();
		d->count = n + 1;
	}
	return 0;
}

/* The control: the counter does lose strokes without the pen. */
static void without_the_pen_strokes_are_lost(void **state)
{
	struct desk *d = *state;
	pid_t kids[2];

	for (int i = 0; i < 2; i++)
		kids[i] = kid_start(cross_without_the_pen, d);
	for (int i = 0; i < 2; i++)
		assert_int_equal(kid_end(kids[i]), 0);
	assert_true(d->count < 2 * CONTROL);
}

static int hold_pen(void *arg)
{
	struct desk *d = arg;
	bool inherited;

	pen_take(pen_of(d), 1000, &inherited);
	atomic_store(&d->held, 1);
	kid_wait(&d->leave);
	pen_release(pen_of(d));
	return 0;
}

static void waiting_for_the_pen_ends_with_book_busy(void **state)
{
	struct desk *d = *state;
	bool inherited = true;
	pid_t holder = kid_start(hold_pen, d);
	int64_t begun;

	assert_true(kid_wait(&d->held));
	begun = clock_mono_ms();
	assert_int_equal(pen_take(pen_of(d), 60, &inherited), ERR_BOOK_BUSY);
	assert_in_range(clock_mono_ms() - begun, 59, 2000);
	assert_int_equal(pen_take(pen_of(d), 0, &inherited), ERR_BOOK_BUSY);
	assert_true(inherited); /* untouched on failure */
	assert_int_equal(pen_holder(pen_of(d)), holder);
	assert_in_range(pen_since_ms(pen_of(d)), 1, clock_mono_ms());
	assert_in_range(pen_held_ms(pen_of(d)), 59, clock_mono_ms() - begun + 2000);
	atomic_store(&d->leave, 1);
	assert_int_equal(pen_take(pen_of(d), 5000, &inherited), ERR_OK);
	assert_false(inherited);
	pen_release(pen_of(d));
	assert_int_equal(pen_holder(pen_of(d)), 0);
	assert_int_equal(pen_since_ms(pen_of(d)), 0);
	assert_int_equal(pen_held_ms(pen_of(d)), 0);
	assert_int_equal(kid_end(holder), 0);
}

static void a_holder_that_died_does_not_hold_the_pen_for_ever(void **state)
{
	struct desk *d = *state;
	pid_t holder = kid_start(hold_pen, d);

	assert_true(kid_wait(&d->held));
	setenv("JARI_MONO_SHIFT_MS", "20000", 1);
	assert_true(pen_held_ms(pen_of(d)) >= 20000);
	kid_kill(holder);
	assert_int_equal(pen_holder(pen_of(d)), holder); /* no process has come since */
	assert_int_equal(pen_held_ms(pen_of(d)), 0);
	unsetenv("JARI_MONO_SHIFT_MS");
}

static void a_killed_holder_leaves_the_pen_and_says_so(void **state)
{
	struct desk *d = *state;
	bool inherited = false;
	pid_t holder = kid_start(hold_pen, d);

	assert_true(kid_wait(&d->held));
	kid_kill(holder);
	assert_int_equal(pen_take(pen_of(d), 1000, &inherited), ERR_OK);
	assert_true(inherited);
	assert_int_equal(pen_holder(pen_of(d)), getpid());
	pen_release(pen_of(d));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(eight_writers_never_cross_although_some_are_killed, make_desk, leave_desk),
		cmocka_unit_test_setup_teardown(without_the_pen_strokes_are_lost, make_desk, leave_desk),
		cmocka_unit_test_setup_teardown(waiting_for_the_pen_ends_with_book_busy, make_desk, leave_desk),
		cmocka_unit_test_setup_teardown(a_holder_that_died_does_not_hold_the_pen_for_ever, make_desk, leave_desk),
		cmocka_unit_test_setup_teardown(a_killed_holder_leaves_the_pen_and_says_so, make_desk, leave_desk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
