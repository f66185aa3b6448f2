/*
 * seats.c - which tables seat a party.
 */
#include "seats.h"

#include "text.h"

#include <assert.h>
#include <string.h>

bool seats_who(const char *word, enum seats_who *out)
{
	static const char *const words[] = {
#define X(name) #name,
		SEATS_WHO(X)
#undef X
	};
	int i = text_word(words, SEATS__WHO, word);

	if (i < SEATS__WHO)
		*out = (enum seats_who)i;
	return i < SEATS__WHO;
}

/* The place of a table in the plan; table_count when it is not there. */
static size_t place_of(const struct seats_plan *p, int64_t id)
{
	size_t i = 0;

	while (i < p->table_count && p->tables[i].id != id)
		i++;
	return i;
}

static bool has(const struct seats_mask *m, size_t place)
{
	return m->words[place / 64] >> place % 64 & 1;
}

static void put(struct seats_mask *m, size_t place)
{
	m->words[place / 64] |= UINT64_C(1) << place % 64;
}

bool seats_meet(const struct seats_mask *a, const struct seats_mask *b)
{
	uint64_t both = 0;

	for (size_t i = 0; i < SEATS_WORDS; i++)
		both |= a->words[i] & b->words[i];
	return both != 0;
}

bool seats_none(const struct seats_mask *m)
{
	return !seats_meet(m, m);
}

void seats_join(struct seats_mask *to, const struct seats_mask *more)
{
	for (size_t i = 0; i < SEATS_WORDS; i++)
		to->words[i] |= more->words[i];
}

/* False when the plan does not know one of them. */
static bool add_all(const struct seats_plan *p, const int64_t *ids, size_t count, struct seats_mask *out)
{
	bool all = true;

	assert(p->table_count <= SEATS_TABLES_MAX);
	for (size_t i = 0; i < count; i++) {
		size_t at = place_of(p, ids[i]);

		all &= at < p->table_count;
		if (at < p->table_count)
			put(out, at);
	}
	return all;
}

void seats_take(const struct seats_plan *p, const int64_t *ids, size_t count, struct seats_mask *taken)
{
	add_all(p, ids, count, taken);
}

void seats_index(struct seats_plan *p)
{
	static const struct seats_mask empty;

	p->joining = empty;
	for (size_t i = 0; i < p->set_count; i++) {
		const struct seats_set *set = &p->sets[i];

		p->masks[i] = empty;
		if (!add_all(p, set->tables, set->count, &p->masks[i]))
			p->masks[i] = empty;
		seats_join(&p->joining, &p->masks[i]);
	}
	for (int who = 0; who < SEATS__WHO; who++) {
		p->closed[who] = empty;
		for (size_t i = 0; i < p->table_count; i++)
			if ((int)p->tables[i].open_to > who)
				put(&p->closed[who], i);
	}
}

/* What a party could sit at: one table, or a set. */
struct offer {
	int seats_min, seats_max;
	size_t count; /* of tables; 0: nothing */
	const int64_t *ids;
	bool joins; /* it is one table that others may need for a set */
};

/*
 * Is a the better offer of the two for this party?  Prefers a table whose seats_min allows this party, then a single table over a
 * set, then one that is in no set.
 */
static bool better(const struct offer *a, const struct offer *b, int party)
{
	bool a_meant = party >= a->seats_min, b_meant = party >= b->seats_min;

	if (a_meant != b_meant)
		return a_meant;
	if ((a->count > 1) != (b->count > 1))
		return a->count == 1;
	if (a->joins != b->joins)
		return b->joins;
	return a->seats_max < b->seats_max || (a->seats_max == b->seats_max && a->count < b->count);
}

static void consider(struct offer *best, struct offer o, int party)
{
	if (o.seats_max >= party && (!best->count || better(&o, best, party)))
		*best = o;
}

int seats_usable(const struct seats_plan *p, const int64_t *ids, size_t count, int party)
{
	struct seats_mask those = {{0}};
	bool seats_them = false;
	int sum = 0;

	add_all(p, ids, count, &those);
	for (size_t i = 0; i < p->table_count; i++)
		if (has(&those, i)) {
			seats_them |= p->tables[i].seats_max >= party;
			sum += p->tables[i].seats_max;
		}
	for (size_t i = 0; i < p->set_count && !seats_them; i++)
		seats_them = p->sets[i].seats_max >= party && seats_meet(&p->masks[i], &those);
	return seats_them ? sum : 0;
}

size_t seats_pick(const struct seats_plan *p, const struct seats_mask *taken, int party, int64_t ids[SEATS_JOIN_MAX])
{
	struct offer best = {0};

	assert(party > 0 && p->table_count <= SEATS_TABLES_MAX && p->set_count <= SEATS_SETS_MAX);
	for (size_t i = 0; i < p->table_count; i++) {
		const struct seats_table *t = &p->tables[i];

		if (!has(taken, i))
			consider(&best, (struct offer){t->seats_min, t->seats_max, 1, &t->id, has(&p->joining, i)}, party);
	}
	for (size_t i = 0; i < p->set_count; i++) {
		const struct seats_set *set = &p->sets[i];

		if (!seats_none(&p->masks[i]) && !seats_meet(&p->masks[i], taken))
			consider(&best, (struct offer){set->seats_min, set->seats_max, set->count, set->tables, false}, party);
	}
	if (best.count)
		memcpy(ids, best.ids, best.count * sizeof ids[0]);
	return best.count;
}

int seats_free(const struct seats_plan *p, const struct seats_mask *taken)
{
	int sum = 0;

	for (size_t i = 0; i < p->table_count; i++)
		sum += has(taken, i) ? 0 : p->tables[i].seats_max;
	return sum;
}

int seats_at(const struct seats_plan *p, const int64_t *ids, size_t count)
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

bool seats_known(const struct seats_plan *p, const int64_t *ids, size_t count)
{
	assert(count <= SEATS_JOIN_MAX);
	for (size_t i = 0; i < count; i++) {
		if (place_of(p, ids[i]) == p->table_count)
			return false;
		for (size_t k = 0; k < i; k++)
			if (ids[i] == ids[k])
				return false;
	}
	return count > 0;
}
