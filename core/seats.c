/*
 * seats.c - which table seats a party.
 */
#include "seats.h"

#include <assert.h>

/* Is a the better table of the two for this party? */
static bool better(const struct seats_table *a, const struct seats_table *b, int party)
{
	bool a_meant = party >= a->seats_min, b_meant = party >= b->seats_min;

	if (a_meant != b_meant)
		return a_meant;
	return a->seats_max < b->seats_max;
}

int seats_pick(const struct seats_table *tables, size_t count, int party)
{
	int best = -1;

	assert(party > 0 && count <= SEATS_TABLES_MAX);
	for (size_t i = 0; i < count; i++) {
		if (tables[i].taken || tables[i].seats_max < party)
			continue;
		if (best < 0 || better(&tables[i], &tables[best], party))
			best = (int)i;
	}
	return best;
}
