/*
 * board.c - the board in the hall.
 */
#include "board.h"

#include "clock.h"

#include <assert.h>
#include <stdatomic.h>

enum {
	COURIER_SILENT_MS = 30000,
	KEEPER_SILENT_MS = 15000, /* longer than a chore waits for the pen */
};

enum { LAYOUT = 10 }; /* raise with every change of meaning that no size shows */

struct post {
	_Atomic int32_t kind, pid, waiting, ready;
	_Atomic int64_t busy_since_ms;
	_Atomic uint64_t served;
	_Atomic uint64_t source; /* whom it reads for; 0: for no guest */
};

struct board {
	struct post posts[BOARD_POSTS];
	_Atomic int64_t courier_ms, keeper_ms, cashier_ms; /* monotonic; when they were last heard of */
	_Atomic int64_t started_s;
};

static void init(void *memory)
{
	struct board *b = memory;

	atomic_store(&b->keeper_ms, clock_mono_ms()); /* it has a moment to come */
}

const struct shm_part board_part = {sizeof(struct board), LAYOUT * 1000003u + sizeof(struct board), init,
				    BOARD_KINDS(SHM_NAME)};

void board_seat(struct board *b, int post, enum board_kind kind, int pid)
{
	struct post *p;

	assert(post >= 0 && post < BOARD_POSTS);
	p = &b->posts[post];
	atomic_store(&p->busy_since_ms, 0);
	atomic_store(&p->waiting, 0);
	atomic_store(&p->ready, 0);
	atomic_store(&p->source, 0);
	atomic_store(&p->pid, pid);
	atomic_store(&p->kind, (int32_t)kind);
}

void board_busy(struct board *b, int post)
{
	assert(post >= 0 && post < BOARD_POSTS);
	atomic_store(&b->posts[post].busy_since_ms, clock_mono_ms());
}

void board_rest(struct board *b, int post)
{
	assert(post >= 0 && post < BOARD_POSTS);
	if (atomic_load_explicit(&b->posts[post].source, memory_order_relaxed))
		atomic_store_explicit(&b->posts[post].source, 0, memory_order_relaxed);
	atomic_store(&b->posts[post].busy_since_ms, 0);
}

void board_idle(struct board *b, int post)
{
	board_rest(b, post);
	atomic_fetch_add(&b->posts[post].served, 1);
}

void board_waiting(struct board *b, int post, bool waiting)
{
	assert(post < BOARD_POSTS);
	if (post >= 0)
		atomic_store(&b->posts[post].waiting, waiting);
}

void board_ready(struct board *b, int post)
{
	assert(post >= 0 && post < BOARD_POSTS);
	if (!atomic_load_explicit(&b->posts[post].ready, memory_order_relaxed)) /* said again and again */
		atomic_store(&b->posts[post].ready, 1);
}

bool board_may_wait(struct board *b)
{
	int workers = 0, waiting = 0, reserve;

	for (int i = 0; i < BOARD_POSTS; i++) {
		if (atomic_load(&b->posts[i].kind) != BOARD_WORKER)
			continue;
		workers++;
		waiting += atomic_load(&b->posts[i].waiting);
	}
	reserve = workers < 8 ? workers / 2 : workers / 4;
	return waiting <= workers - reserve || workers == 0;
}

void board_reads_for(struct board *b, int post, uint64_t source)
{
	assert(post >= 0 && post < BOARD_POSTS);
	atomic_store_explicit(&b->posts[post].source, source, memory_order_relaxed);
}

bool board_may_read(struct board *b, uint64_t source)
{
	int workers = 0, idle = 0, theirs = 0, share;

	for (int i = 0; i < BOARD_POSTS; i++) {
		struct post *p = &b->posts[i];

		if (atomic_load_explicit(&p->kind, memory_order_relaxed) != BOARD_WORKER)
			continue;
		workers++;
		idle += atomic_load_explicit(&p->busy_since_ms, memory_order_relaxed) == 0;
		theirs += atomic_load_explicit(&p->source, memory_order_relaxed) == source;
	}
	share = workers < 8 ? 2 : workers / 4;
	return theirs < share || idle > workers / 8;
}

struct board_post board_read(struct board *b, int post)
{
	struct post *p;

	assert(post >= 0 && post < BOARD_POSTS);
	p = &b->posts[post];
	return (struct board_post){
		.kind = (enum board_kind)atomic_load(&p->kind),
		.pid = atomic_load(&p->pid),
		.busy_since_ms = atomic_load(&p->busy_since_ms),
		.waiting = atomic_load(&p->waiting) != 0,
		.ready = atomic_load(&p->ready) != 0,
		.served = atomic_load(&p->served),
	};
}

void board_courier_here(struct board *b)
{
	atomic_store(&b->courier_ms, clock_mono_ms());
}

bool board_courier_seen(struct board *b)
{
	int64_t at = atomic_load(&b->courier_ms);

	return at && clock_mono_ms() - at < COURIER_SILENT_MS;
}

void board_cashier_here(struct board *b)
{
	atomic_store(&b->cashier_ms, clock_mono_ms());
}

bool board_cashier_seen(struct board *b)
{
	int64_t at = atomic_load(&b->cashier_ms);

	return at && clock_mono_ms() - at < COURIER_SILENT_MS;
}

void board_keeper_here(struct board *b)
{
	atomic_store(&b->keeper_ms, clock_mono_ms());
}

bool board_keeper_silent(struct board *b)
{
	return clock_mono_ms() - atomic_load(&b->keeper_ms) > KEEPER_SILENT_MS;
}

int64_t board_started_s(struct board *b)
{
	return atomic_load(&b->started_s);
}

void board_set_started_s(struct board *b, int64_t started_s)
{
	atomic_store(&b->started_s, started_s);
}
