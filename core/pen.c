/*
 * pen.c - the right to write.
 */
#include "pen.h"

#include "clock.h"
#include "failpoint.h"
#include "lock.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum {
	LAYOUT = 3,
	CLAIM_STEP_MS = 50, /* a claim is renewed this often and lasts twice as long */
	ASK_AFTER_MS = 1000,
};

struct pen {
	pthread_mutex_t lock;
	_Atomic int32_t holder; /* written by the holder; stale for a moment around taking and releasing */
	_Atomic int64_t since_ms, turn_ms;
	_Atomic int64_t claimed_until_ms; /* a writer outside the line waits; runs out if it is killed */
	_Atomic int32_t line_was_last;
};

static void init(void *memory)
{
	struct pen *p = memory;

	lock_init(&p->lock);
}

const struct shm_part pen_part = {sizeof(struct pen),
				  LAYOUT * 1000003u + sizeof(struct pen) * 31u + offsetof(struct pen, since_ms), init, NULL};

static void taken(struct pen *p, enum lock_got got, bool by_line, bool *inherited)
{
	atomic_store(&p->since_ms, clock_mono_ms());
	atomic_store(&p->holder, (int32_t)getpid());
	atomic_store(&p->line_was_last, by_line);
	*inherited = got == LOCK_INHERITED;
}

enum err pen_take(struct pen *p, int64_t ms, bool *inherited)
{
	int64_t until, left = ms;
	enum lock_got got;

	assert(ms >= 0);
	until = clock_mono_ms() + ms;
	got = WITHOUT("pen") ? LOCK_TAKEN : lock_try(&p->lock);
	while (got == LOCK_BUSY && left > 0) {
		atomic_store(&p->claimed_until_ms, clock_mono_ms() + 2 * CLAIM_STEP_MS);
		got = lock_wait(&p->lock, left < CLAIM_STEP_MS ? left : CLAIM_STEP_MS);
		left = until - clock_mono_ms();
	}
	if (got == LOCK_BUSY)
		return ERR_BOOK_BUSY;
	atomic_store(&p->claimed_until_ms, 0);
	taken(p, got, false, inherited);
	return ERR_OK;
}

enum err pen_try(struct pen *p, bool *inherited)
{
	enum lock_got got;

	if (atomic_load(&p->line_was_last) && atomic_load(&p->claimed_until_ms) > clock_mono_ms())
		return ERR_BOOK_BUSY;
	got = WITHOUT("pen") ? LOCK_TAKEN : lock_try(&p->lock);
	if (got == LOCK_BUSY)
		return ERR_BOOK_BUSY;
	taken(p, got, true, inherited);
	return ERR_OK;
}

void pen_release(struct pen *p)
{
	assert(pen_is_ours(p));
	atomic_store(&p->turn_ms, clock_mono_ms() - atomic_load(&p->since_ms));
	atomic_store(&p->holder, 0);
	if (!WITHOUT("pen"))
		lock_release(&p->lock);
}

bool pen_is_ours(struct pen *p)
{
	return atomic_load(&p->holder) == (int32_t)getpid() || WITHOUT("pen");
}

int pen_holder(struct pen *p)
{
	return atomic_load(&p->holder);
}

int64_t pen_since_ms(struct pen *p)
{
	return atomic_load(&p->holder) ? atomic_load(&p->since_ms) : 0;
}

/* The name of a holder that died stays until the next one takes the pen; a turn is too short to ask after. */
static bool has_died(int32_t holder, int64_t held_ms)
{
	return held_ms >= ASK_AFTER_MS && kill(holder, 0) != 0 && errno == ESRCH;
}

int64_t pen_held_ms(struct pen *p)
{
	int32_t holder = atomic_load(&p->holder);
	int64_t ms = clock_mono_ms() - atomic_load(&p->since_ms);

	return holder && ms > 0 && !has_died(holder, ms) ? ms : 0;
}

int64_t pen_turn_ms(struct pen *p)
{
	int64_t age = pen_held_ms(p), last = atomic_load(&p->turn_ms);

	return age > last ? age : last;
}
