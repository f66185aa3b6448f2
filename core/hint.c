/*
 * hint.c - how many seats the last booking left in a slot.
 *
 * A mark: 32 bits of the slot's hash, 16 of seats left, 16 of the clock in steps of 64 ms.
 */
#include "hint.h"

#include "clock.h"
#include "hash.h"

#include <assert.h>
#include <stdatomic.h>

enum {
	LAYOUT = 1,
	MARKS = 512,
	LEFT_MAX = 0xffff,
	STEP_MS = 64,
	FRESH_STEPS = 16, /* about a second */
};

struct hint {
	_Atomic uint64_t marks[MARKS];
};

static_assert((MARKS & (MARKS - 1)) == 0 && LEFT_MAX == 0xffff, "a mark is 32 + 16 + 16 bits");

/* All zeros: no slot has a mark. */
const struct shm_part hint_part = {sizeof(struct hint), LAYOUT * 1000003u + sizeof(struct hint), NULL, NULL};

static uint64_t slot_hash(const struct ticket_want *w)
{
	return hash_text(hash_text(hash_number(HASH_START, (uint64_t)w->restaurant_id), w->date), w->time);
}

static uint64_t now_steps(void)
{
	return (uint64_t)(clock_mono_ms() / STEP_MS) & 0xffff;
}

void hint_mark(struct hint *r, const struct ticket_want *w, int64_t left)
{
	uint64_t h = slot_hash(w), seats = left < 0 ? 0 : left > LEFT_MAX ? LEFT_MAX : (uint64_t)left;

	assert(w->restaurant_id > 0 && w->date[0] && w->time[0]);
	atomic_store_explicit(&r->marks[h % MARKS], (uint64_t)hash_fold(h) << 32 | seats << 16 | now_steps(),
			      memory_order_relaxed);
}

bool hint_for(struct hint *r, const struct ticket_want *w)
{
	uint64_t h = slot_hash(w), mark = atomic_load_explicit(&r->marks[h % MARKS], memory_order_relaxed);
	uint64_t age = (now_steps() - mark) & 0xffff;

	assert(w->party > 0);
	return mark >> 32 == hash_fold(h) && age <= FRESH_STEPS && (int64_t)(mark >> 16 & 0xffff) >= w->party;
}
