/*
 * counters.c - what is counted in the hall.
 */
#include "counters.h"

#include <assert.h>
#include <stdatomic.h>

struct counters {
	_Atomic uint64_t values[COUNTER__MAX];
};

const struct shm_part counters_part = {sizeof(struct counters), sizeof(struct counters), NULL, COUNTERS_LIST(SHM_WORD)};

static const struct counters_row rows[COUNTER__MAX] = {
#define X(name, metric, label, help) [COUNTER_##name] = {#name, metric, label, help},
	COUNTERS_LIST(X)
#undef X
};

void counters_add(struct counters *c, enum counter which, uint64_t n)
{
	assert(which < COUNTER__MAX);
	atomic_fetch_add_explicit(&c->values[which], n, memory_order_relaxed);
}

void counters_count(struct counters *c, enum counter which)
{
	counters_add(c, which, 1);
}

uint64_t counters_get(struct counters *c, enum counter which)
{
	assert(which < COUNTER__MAX);
	return atomic_load_explicit(&c->values[which], memory_order_relaxed);
}

const struct counters_row *counters_row(enum counter which)
{
	assert(which < COUNTER__MAX);
	return &rows[which];
}
