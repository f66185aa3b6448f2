/*
 * rate.h - how often is too often: token buckets in shared memory.
 *
 * A bucket holds up to `burst` tokens and gains `per_s` of them a second; every request takes one.
 * The table is fixed: a bucket that has filled up again limits no client and may be given away.
 */
#ifndef JARI_RATE_H
#define JARI_RATE_H

#include "shm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What is counted: the milliseconds after which there is one more token, and how many may be used at once.  A restaurant's
 * own limit is its setting.  docs/strangers.md says why these numbers.
 */
#define RATE_LIST(X) \
	X(USER, 50, 60)              /* one login */ \
	X(ADDRESS, 5, 2000)          /* one client address; a whole carrier may stand behind it */ \
	X(EARLY, 100, 300)           /* bookings before their day opens, from one address */ \
	X(WAIT, 60000, 20)           /* waits of guests who have proven nothing, from one address */ \
	X(WAIT_NEAR, 30000, 40)      /* the same from one network */ \
	X(LOGIN, 1000, 20)           /* passwords tried from one address, or on a device that has logged in before */ \
	X(FIND, 30000, 20)           /* code and number that do not belong together, from one address */ \
	X(FIND_NEAR, 1800000, 5)     /* the same of one number, or of one code, from one network */ \
	X(FIND_ANY, 1800000, 10)     /* and beyond that from all networks together */ \
	X(PROVE, 60000, 20)          /* six digits that are asked for at one address */ \
	X(PROVE_NEAR, 30000, 40)     /* the same at one network */ \
	X(PROVE_HOLD, 3000, 20)      /* the same with seats that wait for them; a whole carrier may stand behind it */ \
	X(PROVE_HOLD_NEAR, 2000, 30) /* the same at one network */ \
	X(CODE_NEAR, 5000, 3)        /* six digits of one network; those beyond let other networks' go first */ \
	X(TELL_NEAR, 10000, 60) /* first messages to who has proven nothing, booked from one network; later ones are queued */ \
	X(TELL, 4000, 300)      /* all messages of one restaurant to addresses that were only typed */ \
	X(MADE, 2000, 2000)     /* what guests of one network write: bookings, changes, payments again */ \
	X(DOOR, 2000, 30)       /* looks at one place of the door list */ \
	X(RESTAURANT, 0, 0)

enum rate_kind {
#define X(kind, token_ms, burst) RATE_##kind,
	RATE_LIST(X) RATE__MAX
#undef X
};

struct rate;

extern const struct shm_part rate_part;

/* Takes a token by the limits above.  False: too often, and *retry_s says when to come back. */
bool rate_within(struct rate *r, enum rate_kind kind, uint64_t id, int *retry_s);
/* The token that was taken was not needed: what it stood for is not to be counted. */
void rate_give_back(struct rate *r, enum rate_kind kind, uint64_t id);
/* Takes a token, or the next one that no other request waits for: in how many seconds it comes, RATE_QUEUE_S at most. */
int rate_queue(struct rate *r, enum rate_kind kind, uint64_t id);
enum { RATE_QUEUE_S = 86400 };
/* The same as rate_within() with limits of the caller's. */
bool rate_take(struct rate *r, enum rate_kind kind, uint64_t id, int per_s, int burst, int *retry_s);

enum { RATE_ELSEWHERE = 1 }; /* the number of a client without an address */

/*
 * A number for a client's address: an IPv6 host counts with its whole /64.  0: loopback, which is exempt.  Whatever is no
 * address (a web server that listens on a socket says "unix:") is RATE_ELSEWHERE, one number for all.
 */
uint64_t rate_address(const char *address);
/* The same for what one person may have many addresses of: an IPv4 /24, an IPv6 /48. */
uint64_t rate_network(const char *address);

#endif
