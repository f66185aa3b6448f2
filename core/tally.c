/*
 * tally.c - how long tickets waited and how many went in a batch.
 */
#include "tally.h"

#include <assert.h>
#include <stdatomic.h>

enum { ETA_MAX_S = 24 * 3600 };
enum { LARGEST_BATCH = 20 }; /* the bucket of every batch above 2^19 tickets, which no line holds */
static_assert(LARGEST_BATCH < (int)TALLY_BUCKETS, "a batch has its bucket");

/* Bucket i holds waits up to 0.1 ms x 1.5^i. */
double tally_bucket_ms(int bucket)
{
	double ms = 0.1;

	while (bucket-- > 0)
		ms *= 1.5;
	return ms;
}

void tally_wait(struct tally *t, int64_t ms)
{
	int i = 0;

	for (double bound = 0.1; i < TALLY_BUCKETS - 1 && bound < (double)ms; i++)
		bound *= 1.5;
	atomic_fetch_add(&t->waits[i], 1);
	atomic_fetch_add(&t->waited_ms, ms > 0 ? (uint64_t)ms : 0);
}

void tally_batch(struct tally *t, int served, int64_t took_us)
{
	uint64_t each, average = atomic_load(&t->us_per_ticket);
	int bucket = 0;

	assert(served > 0 && took_us >= 0);
	each = (uint64_t)took_us / (uint64_t)served;
	atomic_store(&t->us_per_ticket, average ? (average * 7 + each) / 8 : each);
	atomic_fetch_add(&t->batches, 1);
	atomic_fetch_add(&t->served, (uint64_t)served);
	if ((uint64_t)served > atomic_load(&t->longest_batch))
		atomic_store(&t->longest_batch, (uint64_t)served);
	while (bucket < LARGEST_BATCH && served > 1 << bucket)
		bucket++;
	atomic_fetch_add(&t->sizes[bucket], 1);
}

int tally_eta_s(const struct tally *t, uint64_t position, int64_t held_ms)
{
	uint64_t ms = position * atomic_load(&t->us_per_ticket) / 1000;

	if (held_ms > 0)
		ms += (uint64_t)held_ms;
	return ms < 1000 ? 1 : ms < ETA_MAX_S * UINT64_C(1000) ? (int)((ms + 999) / 1000) : ETA_MAX_S;
}

void tally_read(struct tally *t, struct tally_read *out)
{
	out->batches = atomic_load(&t->batches);
	out->served = atomic_load(&t->served);
	out->longest_batch = atomic_load(&t->longest_batch);
	out->waited_ms = atomic_load(&t->waited_ms);
	for (int i = 0; i < TALLY_BUCKETS; i++) {
		out->waits[i] = atomic_load(&t->waits[i]);
		out->sizes[i] = atomic_load(&t->sizes[i]);
	}
}

double tally_percentile(const struct tally_read *r, double share)
{
	uint64_t total = 0, seen = 0;

	for (int i = 0; i < TALLY_BUCKETS; i++)
		total += r->waits[i];
	for (int i = 0; total && i < TALLY_BUCKETS; i++) {
		seen += r->waits[i];
		if ((double)seen >= share * (double)total)
			return tally_bucket_ms(i);
	}
	return 0;
}
