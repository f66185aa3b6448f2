/*
 * rate.c - token buckets in shared memory.
 *
 * Buckets are found by hash, WAYS beside each other.  When all of them are in use by others the fullest
 * is given away: its owner needed it least, and gets a full one next time.
 */
#include "rate.h"

#include "clock.h"
#include "lock.h"

#include <arpa/inet.h>
#include <assert.h>
#include <string.h>
#include <strings.h>

enum { LAYOUT = 1, BUCKETS = 16384, WAYS = 4 };

struct bucket {
	uint64_t key; /* 0: free */
	int64_t at_us;
	int64_t level_us; /* tokens, each worth 1e6 / per_s microseconds */
};

struct rate {
	pthread_mutex_t lock; /* guards everything; a leaf */
	struct bucket buckets[BUCKETS];
};

static void init(void *memory)
{
	struct rate *r = memory;

	lock_init(&r->lock);
}

const struct shm_part rate_part = {sizeof(struct rate),
				   LAYOUT * 1000003u + sizeof(struct rate) * 31u + offsetof(struct rate, buckets), init,
				   RATE_LIST(SHM_WORD)};

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* The bucket of this key, or one that can be given away, filled. */
static struct bucket *find_locked(struct rate *r, uint64_t key, int64_t now, int64_t full)
{
	struct bucket *set = &r->buckets[mix(key) % (BUCKETS / WAYS) * WAYS], *give = &set[0];

	assert(key && full > 0);
	for (int i = 0; i < WAYS; i++) {
		if (set[i].key == key)
			return &set[i];
		if (set[i].key == 0 || set[i].level_us + (now - set[i].at_us) > give->level_us + (now - give->at_us))
			give = &set[i];
	}
	*give = (struct bucket){.key = key, .at_us = now, .level_us = full};
	return give;
}

bool rate_within(struct rate *r, enum rate_kind kind, uint64_t id, int *retry_s)
{
	static const struct {
		int per_s, burst;
	} limits[RATE__MAX] = {
#define X(kind, per_s, burst) [RATE_##kind] = {per_s, burst},
		RATE_LIST(X)
#undef X
	};

	assert(kind < RATE__MAX && limits[kind].per_s > 0);
	return rate_take(r, kind, id, limits[kind].per_s, limits[kind].burst, retry_s);
}

bool rate_take(struct rate *r, enum rate_kind kind, uint64_t id, int per_s, int burst, int *retry_s)
{
	uint64_t key = mix(id * RATE__MAX + (uint64_t)kind + 1) | 1;
	int64_t now = clock_mono_us(), cost, full;
	struct bucket *b;
	bool ok;

	assert(per_s > 0 && burst > 0);
	cost = 1000000 / per_s;
	full = cost * burst;
	lock_take(&r->lock); /* inherited from a killed holder: a bucket at most one token wrong */
	b = find_locked(r, key, now, full);
	b->level_us += now - b->at_us;
	b->at_us = now;
	if (b->level_us > full)
		b->level_us = full;
	ok = b->level_us >= cost;
	if (ok)
		b->level_us -= cost;
	else
		*retry_s = (int)((cost - b->level_us + 999999) / 1000000);
	lock_release(&r->lock);
	return ok;
}

uint64_t rate_address(const char *address)
{
	unsigned char bytes[16];
	uint64_t half;

	if (inet_pton(AF_INET, address, bytes) == 1)
		return bytes[0] == 127 ?
			       0 :
			       mix((uint64_t)bytes[0] << 24 | (uint64_t)bytes[1] << 16 | (uint64_t)bytes[2] << 8 | bytes[3]) |
				       1;
	if (strncasecmp(address, "::ffff:", 7) == 0 && inet_pton(AF_INET, address + 7, bytes) == 1)
		return rate_address(address + 7); /* a server with one socket for both says it so */
	if (strcmp(address, "::1") == 0)
		return 0;
	if (inet_pton(AF_INET6, address, bytes) != 1)
		return RATE_ELSEWHERE;
	memcpy(&half, bytes, sizeof half);
	return mix(half) | 1;
}
