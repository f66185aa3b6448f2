/*
 * tally.h - how long tickets waited and how many went in a batch, counted in shared memory.
 *
 * Every field is one atomic word.  A reader may see a batch half counted; nothing is decided by it but
 * the guess of how long a ticket will take.
 */
#ifndef JARI_TALLY_H
#define JARI_TALLY_H

#include <stdint.h>

enum { TALLY_BUCKETS = 40 };

struct tally {
	_Atomic uint64_t us_per_ticket; /* moving average */
	_Atomic uint64_t batches, served, longest_batch, waited_ms;
	_Atomic uint64_t waits[TALLY_BUCKETS], sizes[TALLY_BUCKETS];
};

void tally_wait(struct tally *t, int64_t ms);
void tally_batch(struct tally *t, int served, int64_t took_us);

/*
 * A guess how long the ticket at that position will wait, at least a second.  A holder that has had the pen for long
 * (an owner at the shell) is not in the average.  When it ends is unknown, so the guess is as long again as it took so far.
 */
int tally_eta_s(const struct tally *t, uint64_t position, int64_t held_ms);

/* What was counted, for those who watch. */
struct tally_read {
	uint64_t batches, served, longest_batch, waited_ms;
	uint64_t waits[TALLY_BUCKETS]; /* how long tickets waited, by tally_bucket_ms */
	uint64_t sizes[TALLY_BUCKETS]; /* of batches: bucket i is up to 2^i */
};
void tally_read(struct tally *t, struct tally_read *out);
double tally_bucket_ms(int bucket); /* its upper bound */
/* The wait in ms that the given share of tickets did not exceed; 0 when there are none. */
double tally_percentile(const struct tally_read *r, double share);

#endif
