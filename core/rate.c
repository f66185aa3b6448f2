/*
 * rate.c - token buckets in shared memory.
 *
 * Buckets are found by hash, WAYS beside each other.  When all of them are in use by others the one that will be full
 * soonest is given away: its owner needed it least, and gets a full one next time.  One that takes hours to fill is so not
 * washed away by a crowd whose buckets fill within seconds.
 *
 * Strangers choose many of the keys (a telephone number, a code, an address).  Which of them lie beside each other depends on
 * a random number of this hall, so that none can be chosen to push a certain bucket out.
 */
#include "rate.h"

#include "clock.h"
#include "lock.h"
#include "token.h"

#include <arpa/inet.h>
#include <assert.h>
#include <string.h>
#include <strings.h>

enum { LAYOUT = 3, BUCKETS = 16384, WAYS = 4 };

struct bucket {
	uint64_t key; /* 0: free */
	int64_t at_us;
	int64_t level_us; /* tokens, each worth the microseconds that it takes to come */
	int64_t full_us;
};

struct rate {
	pthread_mutex_t lock; /* guards the buckets; a leaf */
	uint64_t salt;        /* drawn once, before the segment is published */
	struct bucket buckets[BUCKETS];
};

static void init(void *memory)
{
	struct rate *r = memory;

	lock_init(&r->lock);
	token_random(&r->salt, sizeof r->salt);
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

/* How long until it is full again? */
static int64_t lacks_us(const struct bucket *b, int64_t now)
{
	return b->key ? b->full_us - b->level_us - (now - b->at_us) : INT64_MIN;
}

/* The bucket of this key as it is now, or one that can be given away, filled. */
static struct bucket *find_locked(struct rate *r, uint64_t key, int64_t now, int64_t full)
{
	struct bucket *set, *give;

	assert(key && full > 0);
	set = give = &r->buckets[mix(key ^ r->salt) % (BUCKETS / WAYS) * WAYS];
	for (int i = 0; i < WAYS; i++) {
		if (set[i].key == key) {
			set[i].level_us += now - set[i].at_us;
			set[i].level_us = set[i].level_us < full ? set[i].level_us : full;
			set[i].at_us = now;
			set[i].full_us = full;
			return &set[i];
		}
		if (lacks_us(&set[i], now) < lacks_us(give, now))
			give = &set[i];
	}
	*give = (struct bucket){.key = key, .at_us = now, .level_us = full, .full_us = full};
	return give;
}

static uint64_t key_of(enum rate_kind kind, uint64_t id)
{
	return mix(id * RATE__MAX + (uint64_t)kind + 1) | 1;
}

static const struct {
	int token_ms, burst;
} limits[RATE__MAX] = {
#define X(kind, token_ms, burst) [RATE_##kind] = {token_ms, burst},
	RATE_LIST(X)
#undef X
};

static bool take(struct rate *r, uint64_t key, int64_t cost, int burst, int *retry_s)
{
	int64_t now = clock_mono_us();
	struct bucket *b;
	bool ok;

	assert(cost > 0 && burst > 0);
	lock_take(&r->lock); /* inherited from a killed holder: a bucket at most one token wrong */
	b = find_locked(r, key, now, cost * burst);
	ok = b->level_us >= cost;
	if (ok)
		b->level_us -= cost;
	else
		*retry_s = (int)((cost - b->level_us + 999999) / 1000000);
	lock_release(&r->lock);
	return ok;
}

bool rate_within(struct rate *r, enum rate_kind kind, uint64_t id, int *retry_s)
{
	assert(kind < RATE__MAX);
	return take(r, key_of(kind, id), limits[kind].token_ms * INT64_C(1000), limits[kind].burst, retry_s);
}

bool rate_take(struct rate *r, enum rate_kind kind, uint64_t id, int per_s, int burst, int *retry_s)
{
	assert(per_s > 0);
	return take(r, key_of(kind, id), 1000000 / per_s, burst, retry_s);
}

int rate_queue(struct rate *r, enum rate_kind kind, uint64_t id)
{
	int64_t now = clock_mono_us(), cost, wait_us;
	struct bucket *b;

	assert(kind < RATE__MAX && limits[kind].burst > 0);
	cost = limits[kind].token_ms * INT64_C(1000);
	lock_take(&r->lock);
	b = find_locked(r, key_of(kind, id), now, cost * limits[kind].burst);
	if (b->level_us > -(int64_t)RATE_QUEUE_S * 1000000)
		b->level_us -= cost;
	wait_us = b->level_us < 0 ? -b->level_us : 0;
	lock_release(&r->lock);
	return wait_us / 1000000 < RATE_QUEUE_S ? (int)((wait_us + 999999) / 1000000) : RATE_QUEUE_S;
}

void rate_give_back(struct rate *r, enum rate_kind kind, uint64_t id)
{
	int64_t now = clock_mono_us(), cost, full;
	struct bucket *b;

	assert(kind < RATE__MAX && limits[kind].burst > 0);
	cost = limits[kind].token_ms * INT64_C(1000);
	full = cost * limits[kind].burst;
	lock_take(&r->lock);
	b = find_locked(r, key_of(kind, id), now, full);
	b->level_us = b->level_us + cost < full ? b->level_us + cost : full;
	lock_release(&r->lock);
}

/* The bits of an address that count.  0: loopback. */
static uint64_t number_of(const char *address, int bits_4, int bits_6)
{
	unsigned char bytes[16];
	uint64_t half = 0;

	if (inet_pton(AF_INET, address, bytes) == 1) {
		if (bytes[0] == 127)
			return 0;
		half = (uint64_t)bytes[0] << 24 | (uint64_t)bytes[1] << 16 | (uint64_t)bytes[2] << 8 | bytes[3];
		return mix(half >> (32 - bits_4)) | 1;
	}
	if (strncasecmp(address, "::ffff:", 7) == 0 && inet_pton(AF_INET, address + 7, bytes) == 1)
		return number_of(address + 7, bits_4, bits_6); /* a server with one socket for both says it so */
	if (strcmp(address, "::1") == 0)
		return 0;
	if (inet_pton(AF_INET6, address, bytes) != 1)
		return RATE_ELSEWHERE;
	for (int i = 0; i < bits_6 / 8; i++)
		half = half << 8 | bytes[i];
	return mix(half) | 1;
}

uint64_t rate_address(const char *address)
{
	return number_of(address, 32, 64);
}

uint64_t rate_network(const char *address)
{
	return number_of(address, 24, 48);
}
