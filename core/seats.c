/*
 * seats.c - which tables seat a party.
 */
#include "seats.h"

#include <assert.h>
#include <string.h>

/* The place of a table in the plan; table_count when it is not there. */
static size_t place_of(const struct seats_plan *p, int64_t id)
{
	size_t i = 0;

	while (i < p->table_count && p->tables[i].id != id)
		i++;
	return i;
}

void seats_take(const struct seats_plan *p, const int64_t *ids, size_t count, bool taken[SEATS_TABLES_MAX])
{
	assert(p->table_count <= SEATS_TABLES_MAX && count <= SEATS_JOIN_MAX);
	for (size_t i = 0; i < count; i++) {
		size_t at = place_of(p, ids[i]);

		if (at < p->table_count)
			taken[at] = true;
	}
}

/* What a party could sit at: one table, or a set. */
struct offer {
	int seats_min, seats_max;
	size_t count;
	const int64_t *ids;
};

/* Is a the better offer of the two for this party?  Meant for so many before not meant, one table before several. */
static bool better(const struct offer *a, const struct offer *b, int party)
{
	bool a_meant = party >= a->seats_min, b_meant = party >= b->seats_min;

	if (a_meant != b_meant)
		return a_meant;
	if ((a->count > 1) != (b->count > 1))
		return a->count == 1;
	return a->seats_max < b->seats_max || (a->seats_max == b->seats_max && a->count < b->count);
}

static bool is_free(const struct seats_plan *p, const struct offer *o, const bool taken[SEATS_TABLES_MAX])
{
	for (size_t i = 0; i < o->count; i++) {
		size_t at = place_of(p, o->ids[i]);

		if (at == p->table_count || taken[at])
			return false;
	}
	return o->count > 0;
}

size_t seats_pick(const struct seats_plan *p, const bool taken[SEATS_TABLES_MAX], int party, int64_t ids[SEATS_JOIN_MAX])
{
	struct offer best = {0};

	assert(party > 0 && p->table_count <= SEATS_TABLES_MAX && p->set_count <= SEATS_SETS_MAX);
	for (size_t i = 0; i < p->table_count + p->set_count; i++) {
		const struct seats_set *set = &p->sets[i < p->table_count ? 0 : i - p->table_count];
		struct offer o = {set->seats_min, set->seats_max, set->count, set->tables};

		if (i < p->table_count)
			o = (struct offer){p->tables[i].seats_min, p->tables[i].seats_max, 1, &p->tables[i].id};
		if (o.seats_max >= party && (!best.count || better(&o, &best, party)) && is_free(p, &o, taken))
			best = o;
	}
	if (best.count)
		memcpy(ids, best.ids, best.count * sizeof ids[0]);
	return best.count;
}

/* How many may sit at these tables: as many as at each of them, or as the set says that they are. */
static int seats_at(const struct seats_plan *p, const int64_t *ids, size_t count)
{
	int sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += p->tables[place_of(p, ids[i])].seats_max;
	for (size_t i = 0; i < p->set_count; i++) {
		const struct seats_set *set = &p->sets[i];
		size_t in = 0;

		for (size_t k = 0; k < set->count; k++)
			for (size_t n = 0; n < count; n++)
				in += set->tables[k] == ids[n];
		if (in == set->count && in == count && set->seats_max > sum)
			sum = set->seats_max;
	}
	return sum;
}

bool seats_may_take(const struct seats_plan *p, const bool taken[SEATS_TABLES_MAX], int party, const int64_t *ids, size_t count)
{
	struct offer wish = {.count = count, .ids = ids};

	assert(count <= SEATS_JOIN_MAX);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			if (ids[i] == ids[k])
				return false;
	return is_free(p, &wish, taken) && seats_at(p, ids, count) >= party;
}
