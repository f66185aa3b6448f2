/*
 * room.h - what fits: the one answer to "is there room for this party, from when to when, and at which tables?"
 *
 * The day that guests see, the nearest free times, the pen's decision and a change of a reservation all ask here.  The
 * triggers of the book check the same rule once more, by other means.
 */
#ifndef JARI_ROOM_H
#define JARI_ROOM_H

#include "seats.h"
#include "settings.h"

enum {
	ROOM_UNLIMITED = 1000000, /* more seats than any house has */
	ROOM_KEPT = -1,           /* the id of seats that came free and are kept for those who wait: nobody's */
};

/* Who asks.  A holder has these seats already, or had them: what is said about new guests does not concern them. */
enum room_who { ROOM_ONLINE = SEATS_ONLINE, ROOM_STAFF = SEATS_STAFF, ROOM_WALK_IN = SEATS_WALK_IN, ROOM_HOLDER };

/* What the settings say, at one moment. */
struct room_rules {
	int seats;          /* how many may be present; ROOM_UNLIMITED: whoever may start */
	int buffer_s;       /* between two parties at one table, unless staff say which */
	int staff_seats;    /* of the seats, those that are not for guests online ... */
	int64_t released_s; /* ... but for stays that begin at this instant or before; ROOM_NEVER: for none */
};
#define ROOM_NEVER INT64_MIN

/*
 * What is counted when a stay is asked for.  ROOM_PEOPLE_ARE: it asks for no more people, nor for longer, than it has.
 * ROOM_BEYOND: the house lets them in beyond the seats, of the house and of a table; two parties at one table are not.
 */
enum room_count { ROOM_COUNTED, ROOM_PEOPLE_ARE, ROOM_BEYOND };

/* A party that is in the house, or will be. */
struct room_stay {
	int64_t id; /* of the reservation */
	int64_t starts_s, ends_s;
	int party;
	size_t table_count;
	int64_t tables[SEATS_JOIN_MAX]; /* their ids */
	bool by_staff;                  /* it sits on what is kept from guests online */
	uint8_t shared;                 /* a bit for each of its tables where it sits beside others on purpose */
	enum room_count counts;         /* of a stay that is asked for */
};

/* Nothing new from the one moment to the other. */
struct room_block {
	int64_t id; /* of the block; 0: it is none of the book */
	int64_t starts_s, ends_s;
	bool online; /* but what staff book, and who walks in */
	bool house;  /* the whole house; else these tables */
	struct seats_mask tables;
};

/* Who is there from one moment on, until the next. */
struct room_step {
	int64_t at_s;
	int people;
	int online;  /* those of them whom staff did not book */
	int without; /* those of them who have no table of the plan: they were booked before it */
	struct seats_mask taken;
};

/*
 * Who is there around some moment, and what they can sit at.  Zeros are an empty one as well.  The plan is there, and indexed,
 * before the first stay.
 */
struct room {
	struct room_rules rules;
	struct seats_plan plan;
	struct room_stay *stays;
	size_t count, space;
	struct room_step *steps; /* the same stays, moment by moment, rising: a question looks only at its own moments */
	size_t step_count, step_space;
	struct room_block *blocks;
	size_t block_count, block_space;
};

/* How long a party of that size stays, in minutes. */
int room_sitting(const struct settings *s, int party);
/* How many may be present by these settings; ROOM_UNLIMITED where only those count who start. */
int room_seats(const struct settings *s);
/* The rules of a house where `seats` may be present; hours 0: staff_seats are never released. */
struct room_rules room_rules(int seats, int buffer_minutes, int staff_seats, int staff_hours, int64_t now_s);
/* How many seats are kept from who asks for a stay that begins then, if staff have this many people there. */
int room_kept_from(const struct room_rules *rules, enum room_who who, int64_t starts_s, int by_staff);
/* Does anything but the slot's own sum decide?  If not, nobody's stay needs to be looked up. */
bool room_matters(const struct room *r);

/* Why a stay does not fit at the tables that it names: the first of these that is true. */
enum room_why { ROOM_FITS, ROOM_BLOCKED, ROOM_NO_SUCH_TABLE, ROOM_TOO_SMALL, ROOM_TAKEN, ROOM_FULL };
/* Does it fit at the tables that it names?  Staff name them, who see who else is without one, and how long a table rests. */
enum room_why room_fits_at(const struct room *r, enum room_who who, const struct room_stay *stay);

/* False: out of memory. */
bool room_add(struct room *r, const struct room_stay *stay);
void room_remove(struct room *r, int64_t id);
/* ids: of its tables; without any it is the house that is blocked.  False: out of memory. */
bool room_block(struct room *r, const struct room_block *block, const int64_t *ids, size_t count);
void room_unblock(struct room *r); /* no blocks */
void room_init(struct room *r);    /* nobody, no tables */
void room_empty(struct room *r);   /* nobody; tables and blocks stay */
void room_clear(struct room *r);   /* frees it and begins anew */

/* That table is in nobody's way any more although that reservation has it: who is asked for sits there beside it. */
void room_beside(struct room *r, int64_t id, int64_t table);

/* Do both last at one moment? */
bool room_overlaps(const struct room_stay *a, const struct room_stay *b);
/*
 * A part of stay a that is not in stay b; false: there is none.  It is the time before b begins; else the people that a has
 * more than b; else the time after b has ended.
 */
bool room_minus(const struct room_stay *a, const struct room_stay *b, struct room_stay *out);

/* Takes those tables out of a stay; false: it had none of them. */
bool room_take_tables(struct room_stay *from, const struct room_stay *taken);

/* Could so many ever sit here, if the house were empty? */
bool room_could_fit(const struct room *r, enum room_who who, int party);
/* Does the block concern who asks for a stay from the one moment to the other? */
bool room_concerns(const struct room_block *b, enum room_who who, int64_t starts_s, int64_t ends_s);
/* Is the whole house blocked for that stay? */
bool room_blocked(const struct room *r, enum room_who who, int64_t starts_s, int64_t ends_s);
/* The seats that stay free from the one moment to the other; none where the house is blocked. */
int room_left(const struct room *r, enum room_who who, int64_t starts_s, int64_t ends_s);
/* The same as far as there are tables to sit at: what nobody can be given is not counted. */
int room_free(const struct room *r, enum room_who who, int64_t starts_s, int64_t ends_s);
/* Tables for a reservation that has none, whoever else is still without one; false: there are none. */
bool room_find_tables(const struct room *r, struct room_stay *stay);
/*
 * Does this party fit, and whoever is without a table still finds one?  Fills in where it sits: table_count 0 where there are no
 * tables.
 */
bool room_fits(const struct room *r, enum room_who who, struct room_stay *stay);

#endif
