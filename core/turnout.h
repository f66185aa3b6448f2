/*
 * turnout.h - who waits for an opening, and how it goes: counted in the hall.
 *
 * A page that waits for a day to open asks about it once a minute; the devices that did in the last two minutes are counted by a
 * table of marks, one for each hash of a device, so two devices that share one are estimated and none is remembered.  From the
 * moment on the requests of each second are counted for ten minutes.  Every count is one atomic word: nothing here takes a lock,
 * and losing it costs a page about how it went.
 */
#ifndef JARI_TURNOUT_H
#define JARI_TURNOUT_H

#include "shm.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	TURNOUT_SECONDS = 600,   /* so long after the moment an opening is counted */
	TURNOUT_LOOK_S = 120,    /* a device that asked so long ago still looks */
	TURNOUT_AHEAD_S = 86400, /* who looks further ahead than a day is not counted */
	TURNOUT_OF_ADDRESS = 64, /* a script makes up what it says of itself; a house's guests share an address */
	TURNOUT_AT_ONCE = 8,     /* openings that are counted at a time */
};

struct turnout;

extern const struct shm_part turnout_part;

/* Which opening. */
struct turnout_key {
	int64_t restaurant_id, opens_s;
};

struct turnout_sums {
	struct turnout_key key;
	int watching; /* devices in the two minutes before `now_s`, or before the moment, if that has come */
	uint32_t early, refused, slowest_ms;
	uint32_t last_booked_ms; /* after the moment; 0: none that was told at once */
	int seconds;             /* of arrivals, up to the last with any */
	uint32_t arrivals[TURNOUT_SECONDS];
};

/* The number of a device at that address by what it says of itself: one address is TURNOUT_OF_ADDRESS devices at the most. */
uint64_t turnout_device(uint64_t address, uint64_t said);
/* A device looks at a day that is not open yet. */
void turnout_look(struct turnout *t, struct turnout_key key, uint64_t device, int64_t now_s);
/* A booking came before the moment; or after it, and was answered; or one, also one that had waited, was told that it is full. */
void turnout_early(struct turnout *t, struct turnout_key key, int64_t now_s);
void turnout_arrived(struct turnout *t, struct turnout_key key, int64_t received_ms, int64_t answered_ms, bool booked);
void turnout_refused(struct turnout *t, struct turnout_key key);

/* False: nothing was counted of it. */
bool turnout_read(struct turnout *t, struct turnout_key key, int64_t now_s, struct turnout_sums *out);
/* The one of a restaurant that began last and is not over. */
bool turnout_running(struct turnout *t, int64_t restaurant_id, int64_t now_s, struct turnout_key *out);
/* One that is over and was not taken away yet. */
bool turnout_over(struct turnout *t, int64_t now_s, struct turnout_key *out);
void turnout_forget(struct turnout *t, struct turnout_key key);

#endif
