/*
 * seats.h - which tables seat a party.
 */
#ifndef JARI_SEATS_H
#define JARI_SEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEATS_TABLES_MAX = 200, SEATS_SETS_MAX = 200, SEATS_JOIN_MAX = 8 };

struct seats_table {
	int64_t id;
	int seats_min, seats_max;
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
};

/* Marks those tables in taken[], which goes by the plan's order; ids that the plan does not know are passed over. */
void seats_take(const struct seats_plan *p, const int64_t *ids, size_t count, bool taken[SEATS_TABLES_MAX]);

/*
 * The smallest free table that fits, the first of equals; else the smallest set whose tables are all free.  A table for at
 * least four is not given to two as long as another fits; when no other does, nobody is sent away.  Returns how many
 * tables, 0 when nothing fits, and their ids, the first of a set first.
 */
size_t seats_pick(const struct seats_plan *p, const bool taken[SEATS_TABLES_MAX], int party, int64_t ids[SEATS_JOIN_MAX]);

/* Are these tables free, each of them once, and together enough for the party? */
bool seats_may_take(const struct seats_plan *p, const bool taken[SEATS_TABLES_MAX], int party, const int64_t *ids,
		    size_t count);

#endif
