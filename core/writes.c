/*
 * writes.c - what the last writes left in the hall.
 */
#include "writes.h"

#include "clock.h"
#include "futex.h"

#include <assert.h>
#include <stdatomic.h>

enum { TRY_FIRST_MS = 500, TRY_LAST_MS = 10000 };

struct writes {
	_Atomic int32_t fault, book_fault;    /* enum err */
	_Atomic int64_t saved_ms;             /* monotonic */
	_Atomic int64_t try_ms, try_pause_ms; /* monotonic; when the next try is due, and the pause after it */
	_Atomic int32_t log_pages, log_to_empty;
	_Atomic uint32_t bell;  /* rung with every write */
	_Atomic int32_t asleep; /* somebody waits for it; a process that was killed there leaves it set, for one call in vain */
};

static void init(void *memory)
{
	struct writes *w = memory;

	atomic_store(&w->saved_ms, clock_mono_ms());
}

const struct shm_part writes_part = {sizeof(struct writes), sizeof(struct writes), init, ERR_LIST(SHM_WORD)};

void writes_saved(struct writes *w)
{
	if (atomic_load(&w->fault) != ERR_OK)
		atomic_store(&w->fault, ERR_OK);
	atomic_store_explicit(&w->saved_ms, clock_mono_ms(), memory_order_relaxed);
	atomic_fetch_add(&w->bell, 1);
	/*
	 * Once more, because the flag is for all: who has read the number above and set it, and does not sleep yet, would sleep
	 * without it, and nobody would wake them.
	 */
	if (atomic_load(&w->asleep) && atomic_exchange(&w->asleep, 0)) {
		atomic_fetch_add(&w->bell, 1);
		futex_wake(&w->bell);
	}
}

uint32_t writes_heard(struct writes *w)
{
	return atomic_load(&w->bell);
}

/* Whoever rings after `heard` was read finds asleep set; or we slept not yet, and the kernel finds another number in the bell. */
void writes_await(struct writes *w, uint32_t heard, int64_t ms)
{
	atomic_store(&w->asleep, 1);
	futex_wait(&w->bell, heard, ms);
}

int64_t writes_quiet_ms(struct writes *w)
{
	return clock_mono_ms() - atomic_load(&w->saved_ms);
}

void writes_failed(struct writes *w, enum err why)
{
	assert(why != ERR_OK);
	if (why == ERR_BOOK_UNWRITABLE && writes_fault(w) != ERR_OK)
		return; /* a more exact error is there already */
	if (atomic_exchange(&w->fault, (int32_t)why) != ERR_OK)
		return;
	atomic_store(&w->try_pause_ms, TRY_FIRST_MS);
	atomic_store(&w->try_ms, clock_mono_ms() + TRY_FIRST_MS);
}

enum err writes_fault(struct writes *w)
{
	return (enum err)atomic_load(&w->fault);
}

void writes_set_book_fault(struct writes *w, enum err why)
{
	atomic_store(&w->book_fault, (int32_t)why);
}

enum err writes_book_fault(struct writes *w)
{
	return (enum err)atomic_load(&w->book_fault);
}

bool writes_may_try(struct writes *w)
{
	int64_t now = clock_mono_ms(), due = atomic_load(&w->try_ms), pause = atomic_load(&w->try_pause_ms);

	if (pause < TRY_FIRST_MS)
		pause = TRY_FIRST_MS;
	if (now < due || !atomic_compare_exchange_strong(&w->try_ms, &due, now + pause))
		return false; /* not yet, or another process tries */
	atomic_store(&w->try_pause_ms, pause * 2 < TRY_LAST_MS ? pause * 2 : TRY_LAST_MS);
	return true;
}

int writes_log_pages(struct writes *w)
{
	return atomic_load(&w->log_pages);
}

void writes_set_log_pages(struct writes *w, int pages)
{
	atomic_store(&w->log_pages, pages);
}

void writes_empty_log(struct writes *w)
{
	atomic_store(&w->log_to_empty, 1);
}

bool writes_log_to_empty(struct writes *w)
{
	return atomic_load(&w->log_to_empty) != 0;
}

void writes_log_emptied(struct writes *w)
{
	atomic_store(&w->log_to_empty, 0);
}
