/*
 * doorwait.h - how long will a party at the door wait?
 *
 * The rest of the evening is played many times.  In each play every party at a table stays as long as parties stay here, by the
 * tables that were left tonight; reservations come, or do not; and those who wait are seated in their order, at a table or at
 * joined ones.  What most plays say is the range that a guest is told.
 *
 * Pure: the same house gives the same answer, and a guest who asks again a minute later hears nearly the same.
 */
#ifndef JARI_DOORWAIT_H
#define JARI_DOORWAIT_H

#include "seats.h"

enum {
	DOORWAIT_STAYS_MAX = 600,
	DOORWAIT_PARTIES_MAX = 60,
	DOORWAIT_TURNS_MAX = 64,
	DOORWAIT_STEP = 5, /* minutes; a range begins and ends at a multiple of it */
};

/* A party that sits at a table, or will. */
struct doorwait_stay {
	int64_t id;
	int64_t starts_s, ends_s; /* since when, or when they come; and when the book thinks that they leave */
	int party;
	bool sits;
	size_t table_count; /* 0: anywhere */
	int64_t tables[SEATS_JOIN_MAX];
};

/* A table that was left tonight: how long they were to stay, and how long they stayed. */
struct doorwait_turn {
	int planned_min, stayed_min;
};

struct doorwait_party {
	int64_t id;
	int party, sitting_min; /* sitting_min: how long they are to stay */
};

struct doorwait_house {
	const struct seats_plan *plan; /* indexed; without tables only people are counted */
	int seats;                     /* how many may be present */
	int buffer_s;                  /* that a table rests before a reservation */
	int64_t now_s, last_s;         /* last_s: from then on no party is seated any more */
	const struct doorwait_stay *stays;
	size_t stay_count;
	const struct doorwait_turn *turns;
	size_t turn_count;
	const struct doorwait_party *parties; /* in their order */
	size_t party_count;
};

/*
 * DOORWAIT_RANGE: between `low` and `high` minutes from now.  DOORWAIT_OPEN: not before `low` minutes, and nobody can promise that
 * it is tonight.  DOORWAIT_NEVER: they are too many for every table.
 */
enum doorwait_how { DOORWAIT_RANGE, DOORWAIT_OPEN, DOORWAIT_NEVER };
struct doorwait {
	enum doorwait_how how;
	int low, high;
};

/* One answer for each party that waits. */
void doorwait_tell(const struct doorwait_house *h, struct doorwait *out);

#endif
