/*
 * rate.h - how often is too often: token buckets in shared memory.
 *
 * A bucket holds up to `burst` tokens and gains `per_s` of them a second; every request takes one.
 * The table is fixed: a bucket that has filled up again is nobody's and may be given away.
 */
#ifndef JARI_RATE_H
#define JARI_RATE_H

#include "shm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is counted: tokens a second, and how many may be used at once.  A restaurant's own limit is its setting. */
#define RATE_LIST(X) \
	X(USER, 20, 60)       /* one login */ \
	X(ADDRESS, 200, 2000) /* one client address; a whole carrier may stand behind it */ \
	X(FIND, 1, 10)        /* tries to find one reservation by its code and number */ \
	X(LOGIN, 1, 20)       /* passwords tried from one address, or on a device that has logged in before */ \
	X(RESTAURANT, 0, 0)

enum rate_kind {
#define X(kind, per_s, burst) RATE_##kind,
	RATE_LIST(X) RATE__MAX
#undef X
};

struct rate;

extern const struct shm_part rate_part;

/* Takes a token by the limits above.  False: too often, and *retry_s says when to come back. */
bool rate_within(struct rate *r, enum rate_kind kind, uint64_t id, int *retry_s);
/* The same with limits of the caller's. */
bool rate_take(struct rate *r, enum rate_kind kind, uint64_t id, int per_s, int burst, int *retry_s);

enum { RATE_ELSEWHERE = 1 }; /* the number of whoever has no address */

/*
 * A number for a client's address: an IPv6 host counts with its whole /64.  0: loopback, which is exempt.  Whatever is no
 * address (a web server that listens on a socket says "unix:") is RATE_ELSEWHERE, one number for all.
 */
uint64_t rate_address(const char *address);

#endif
