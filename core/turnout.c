/*
 * turnout.c - who waits for an opening, and how it goes.
 */
#include "turnout.h"

#include "hash.h"
#include "rate.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

enum { LAYOUT = 1, MARKS = 4096 };

struct counted {
	_Atomic int64_t restaurant_id, opens_s; /* 0: this place is free */
	_Atomic uint32_t early, refused, slowest_ms, last_booked_ms;
	_Atomic uint32_t arrivals[TURNOUT_SECONDS];
	_Atomic uint32_t marks[MARKS]; /* the second in which a device of this hash last looked */
};

struct turnout {
	struct counted places[TURNOUT_AT_ONCE];
};

/* All zeros: every place is free. */
const struct shm_part turnout_part = {sizeof(struct turnout), LAYOUT * 1000003u + sizeof(struct turnout), NULL, NULL};

static bool is(struct counted *c, struct turnout_key key)
{
	return atomic_load_explicit(&c->opens_s, memory_order_relaxed) == key.opens_s &&
	       atomic_load_explicit(&c->restaurant_id, memory_order_relaxed) == key.restaurant_id;
}

static struct counted *find(struct turnout *t, struct turnout_key key)
{
	for (int i = 0; i < TURNOUT_AT_ONCE; i++)
		if (is(&t->places[i], key))
			return &t->places[i];
	return NULL;
}

static void empty(struct counted *c)
{
	atomic_store(&c->early, 0);
	atomic_store(&c->refused, 0);
	atomic_store(&c->slowest_ms, 0);
	atomic_store(&c->last_booked_ms, 0);
	for (int i = 0; i < TURNOUT_SECONDS; i++)
		atomic_store_explicit(&c->arrivals[i], 0, memory_order_relaxed);
	for (int i = 0; i < MARKS; i++)
		atomic_store_explicit(&c->marks[i], 0, memory_order_relaxed);
}

/*
 * A free place; else the opening that is furthest away gives way to one that comes sooner.  Two processes that begin the same
 * one at the same time may take two places, of which the first is found from then on: a count or two is lost.
 */
static struct counted *begin(struct turnout *t, struct turnout_key key)
{
	struct counted *give = NULL;
	int64_t furthest = key.opens_s, was;

	for (int i = 0; i < TURNOUT_AT_ONCE; i++) {
		was = atomic_load(&t->places[i].opens_s);
		if (!was || was > furthest) {
			give = &t->places[i];
			furthest = was;
		}
		if (!was)
			break;
	}
	if (!give || !atomic_compare_exchange_strong(&give->opens_s, &furthest, -1))
		return NULL;
	empty(give);
	atomic_store(&give->restaurant_id, key.restaurant_id);
	atomic_store(&give->opens_s, key.opens_s);
	return give;
}

static struct counted *place_of(struct turnout *t, struct turnout_key key)
{
	struct counted *c = find(t, key);

	assert(key.restaurant_id > 0 && key.opens_s > 0);
	return c ? c : begin(t, key);
}

static void add_one(_Atomic uint32_t *count)
{
	atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}

uint64_t turnout_device(uint64_t address, uint64_t said)
{
	uint64_t mixed = hash_word(HASH_START, said);
	bool one = address > RATE_ELSEWHERE; /* not the box itself, nor a tunnel that brings guests from everywhere */

	return hash_word(hash_word(HASH_START, address), one ? mixed % TURNOUT_OF_ADDRESS : mixed);
}

void turnout_look(struct turnout *t, struct turnout_key key, uint64_t device, int64_t now_s)
{
	struct counted *c = key.opens_s - now_s <= TURNOUT_AHEAD_S ? place_of(t, key) : NULL;

	if (c)
		atomic_store_explicit(&c->marks[device % MARKS], (uint32_t)now_s, memory_order_relaxed);
}

void turnout_early(struct turnout *t, struct turnout_key key, int64_t now_s)
{
	struct counted *c = key.opens_s - now_s <= TURNOUT_AHEAD_S ? place_of(t, key) : NULL;

	if (c)
		add_one(&c->early);
}

static void raise_to(_Atomic uint32_t *most, int64_t value)
{
	uint32_t was = atomic_load_explicit(most, memory_order_relaxed);

	while (value > was && !atomic_compare_exchange_weak(most, &was, (uint32_t)value))
		;
}

void turnout_arrived(struct turnout *t, struct turnout_key key, int64_t received_ms, int64_t answered_ms, bool booked)
{
	int64_t second = received_ms / 1000 - key.opens_s;
	struct counted *c = second >= 0 && second < TURNOUT_SECONDS ? place_of(t, key) : NULL;

	if (!c)
		return;
	add_one(&c->arrivals[second]);
	raise_to(&c->slowest_ms, answered_ms - received_ms);
	if (booked)
		raise_to(&c->last_booked_ms, answered_ms - key.opens_s * 1000);
}

void turnout_refused(struct turnout *t, struct turnout_key key)
{
	struct counted *c = find(t, key);

	if (c)
		add_one(&c->refused);
}

/* How many devices it takes on average to hit this many of all marks: some hit the same one. */
static int estimate(int hit)
{
	double devices = 0;

	for (int i = 0; i < hit; i++)
		devices += (double)MARKS / (MARKS - i);
	return (int)(devices + 0.5);
}

bool turnout_read(struct turnout *t, struct turnout_key key, int64_t now_s, struct turnout_sums *out)
{
	struct counted *c = find(t, key);
	int64_t until = now_s < key.opens_s ? now_s : key.opens_s;
	int hit = 0;

	*out = (struct turnout_sums){.key = key};
	if (!c)
		return false;
	for (int i = 0; i < MARKS; i++)
		hit += atomic_load_explicit(&c->marks[i], memory_order_relaxed) + TURNOUT_LOOK_S >= until;
	for (int i = 0; i < TURNOUT_SECONDS; i++) {
		out->arrivals[i] = atomic_load_explicit(&c->arrivals[i], memory_order_relaxed);
		if (out->arrivals[i])
			out->seconds = i + 1;
	}
	out->watching = estimate(hit);
	out->early = atomic_load(&c->early);
	out->refused = atomic_load(&c->refused);
	out->slowest_ms = atomic_load(&c->slowest_ms);
	out->last_booked_ms = atomic_load(&c->last_booked_ms);
	return true;
}

bool turnout_running(struct turnout *t, int64_t restaurant_id, int64_t now_s, struct turnout_key *out)
{
	*out = (struct turnout_key){restaurant_id, 0};
	for (int i = 0; i < TURNOUT_AT_ONCE; i++) {
		int64_t opens = atomic_load(&t->places[i].opens_s);

		if (atomic_load(&t->places[i].restaurant_id) == restaurant_id && opens > out->opens_s && opens <= now_s &&
		    now_s < opens + TURNOUT_SECONDS)
			out->opens_s = opens;
	}
	return out->opens_s > 0;
}

bool turnout_over(struct turnout *t, int64_t now_s, struct turnout_key *out)
{
	for (int i = 0; i < TURNOUT_AT_ONCE; i++) {
		int64_t opens = atomic_load(&t->places[i].opens_s);

		if (opens > 0 && opens + TURNOUT_SECONDS <= now_s) {
			*out = (struct turnout_key){atomic_load(&t->places[i].restaurant_id), opens};
			return true;
		}
	}
	return false;
}

void turnout_forget(struct turnout *t, struct turnout_key key)
{
	struct counted *c = find(t, key);

	if (c)
		atomic_store(&c->opens_s, 0);
}
