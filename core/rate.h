/*
 * rate.h - how often is too often: token buckets in shared memory.
 *
 * A bucket holds up to `burst` tokens and gains `per_s` of them a second; every request takes one.
 * The table is fixed: a bucket that has filled up again is nobody's and may be given away.
 */
#ifndef JARI_RATE_H
#define JARI_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rate_kind { RATE_USER = 1, RATE_ADDRESS, RATE_RESTAURANT };

struct rate;

size_t rate_size(void);
uint64_t rate_stamp(void);
void rate_init(void *memory);

/* False: too often.  *retry_s then says when to come back. */
bool rate_take(struct rate *r, enum rate_kind kind, uint64_t id, int per_s, int burst, int *retry_s);

/* A number for a client's address: an IPv6 host counts with its whole /64.  0: loopback, which is exempt. */
uint64_t rate_address(const char *address);

#endif
