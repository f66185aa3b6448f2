/*
 * edition.c - numbers in the hall that change when the book does.
 */
#include "edition.h"

#include "clock.h"
#include "hash.h"

#include <assert.h>
#include <stdatomic.h>

struct edition {
	_Atomic uint64_t begun, changes, settings, all_days, days[EDITION_DAYS];
};

static void init(void *memory)
{
	struct edition *n = memory;

	uint64_t begun = (uint64_t)clock_now_ms() << 20; /* another number than the segment before had */

	atomic_store(&n->begun, begun);
	atomic_store(&n->all_days, begun);
}

const struct shm_part edition_part = {sizeof(struct edition), sizeof(struct edition), init, NULL};

uint64_t edition_changes(struct edition *n)
{
	return atomic_load(&n->changes);
}

uint64_t edition_mark(struct edition *n)
{
	return atomic_load(&n->begun) + atomic_load(&n->changes);
}

uint64_t edition_settings(struct edition *n)
{
	return atomic_load(&n->settings);
}

void edition_new_settings(struct edition *n)
{
	atomic_fetch_add(&n->changes, 1);
	atomic_fetch_add(&n->settings, 1);
}

unsigned edition_day_index(int64_t restaurant_id, const char *date)
{
	return (unsigned)(hash_text(HASH_START + (uint64_t)restaurant_id, date) % EDITION_DAYS);
}

uint64_t edition_day(struct edition *n, int64_t restaurant_id, const char *date)
{
	return atomic_load(&n->all_days) + atomic_load(&n->days[edition_day_index(restaurant_id, date)]);
}

void edition_touch_day(struct edition *n, unsigned index)
{
	assert(index < EDITION_DAYS);
	atomic_fetch_add(&n->changes, 1);
	atomic_fetch_add(&n->days[index], 1);
}

void edition_touch_all_days(struct edition *n)
{
	atomic_fetch_add(&n->changes, 1);
	atomic_fetch_add(&n->all_days, 1);
}
