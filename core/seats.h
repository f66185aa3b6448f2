/*
 * seats.h - which tables seat a party.
 */
#ifndef JARI_SEATS_H
#define JARI_SEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEATS_TABLES_MAX = 200, SEATS_SETS_MAX = 200, SEATS_JOIN_MAX = 8, SEATS_WORDS = (SEATS_TABLES_MAX + 63) / 64 };

/* Who asks for a table; and to whom one is open: to those named and to everybody after them. */
#define SEATS_WHO(X) X(ONLINE) X(STAFF) X(WALK_IN)
enum seats_who {
#define X(name) SEATS_##name,
	SEATS_WHO(X) SEATS__WHO
#undef X
};

/* Some of a plan's tables, a bit for each by the plan's order. */
struct seats_mask {
	uint64_t words[SEATS_WORDS];
};

struct seats_table {
	int64_t id;
	int seats_min, seats_max;
	enum seats_who open_to;
};

/* Tables that may be pushed together. */
struct seats_set {
	int seats_min, seats_max;
	size_t count;
	int64_t tables[SEATS_JOIN_MAX];
};

struct seats_plan {
	size_t table_count, set_count;
	struct seats_table tables[SEATS_TABLES_MAX];
	struct seats_set sets[SEATS_SETS_MAX];
	struct seats_mask
		masks[SEATS_SETS_MAX];        /* the sets again, by seats_index; empty: a table of it is not there (any more) */
	struct seats_mask joining;            /* the tables of all sets: they are filled last */
	struct seats_mask closed[SEATS__WHO]; /* those that are not for who asks */
};

/* The word of the book for it ("ONLINE", "STAFF", "WALK_IN"); false: there is no such word. */
bool seats_who(const char *word, enum seats_who *out);

/* Once tables and sets are filled in: looks up which tables the sets are made of, and who may have which. */
void seats_index(struct seats_plan *p);

/* Adds those tables to the taken ones; ids that the plan does not know are passed over. */
void seats_take(const struct seats_plan *p, const int64_t *ids, size_t count, struct seats_mask *taken);
bool seats_none(const struct seats_mask *m);
/* Have they a table in common? */
bool seats_meet(const struct seats_mask *a, const struct seats_mask *b);
void seats_join(struct seats_mask *to, const struct seats_mask *more);

/*
 * The smallest free table that fits, the first of equals, and one that can be joined with others only when no other fits; else
 * the smallest set whose tables are all free.  A table for at least four is not given to two as long as another fits; when no
 * other does, no party is sent away.  Returns how many tables, 0 when nothing fits, and their ids, the first of a set first.
 */
size_t seats_pick(const struct seats_plan *p, const struct seats_mask *taken, int party, int64_t ids[SEATS_JOIN_MAX]);

/* How many may sit at the tables that are not taken, each by itself. */
int seats_free(const struct seats_plan *p, const struct seats_mask *taken);
/* The seats at these tables, if one of them, alone or in a set, seats the party; else 0. */
int seats_usable(const struct seats_plan *p, const int64_t *ids, size_t count, int party);

/* Are these tables of the plan, each of them once? */
bool seats_known(const struct seats_plan *p, const int64_t *ids, size_t count);
/* How many may sit at these tables, which the plan knows: as many as at each of them, or as the set says that they are. */
int seats_at(const struct seats_plan *p, const int64_t *ids, size_t count);

#endif
