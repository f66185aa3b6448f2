/*
 * pen.c - the right to write.
 */
#include "pen.h"

#include "clock.h"
#include "lock.h"

#include <stdatomic.h>
#include <unistd.h>

enum { LAYOUT = 1 };

struct pen {
	pthread_mutex_t lock;
	_Atomic int32_t holder;   /* written by the holder; stale for a moment around taking and releasing */
	_Atomic int64_t since_ms;
};

size_t pen_size(void)
{
	return sizeof(struct pen);
}

uint64_t pen_stamp(void)
{
	return LAYOUT * 1000003u + sizeof(struct pen) * 31u + offsetof(struct pen, since_ms);
}

void pen_init(void *memory)
{
	struct pen *p = memory;

	lock_init(&p->lock);
}

enum err pen_take(struct pen *p, int64_t ms, bool *inherited)
{
	enum lock_got got = ms > 0 ? lock_wait(&p->lock, ms) : lock_try(&p->lock);

	if (got == LOCK_BUSY)
		return ERR_BOOK_BUSY;
	atomic_store(&p->since_ms, clock_mono_ms());
	atomic_store(&p->holder, (int32_t)getpid());
	*inherited = got == LOCK_INHERITED;
	return ERR_OK;
}

void pen_release(struct pen *p)
{
	atomic_store(&p->holder, 0);
	lock_release(&p->lock);
}

int pen_holder(struct pen *p)
{
	return atomic_load(&p->holder);
}

int64_t pen_since_ms(struct pen *p)
{
	return atomic_load(&p->holder) ? atomic_load(&p->since_ms) : 0;
}
