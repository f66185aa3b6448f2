/*
 * room.c - what fits.
 */
#include "room.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int room_sitting(const struct settings *s, int party)
{
	assert(party > 0);
	if (s->sitting_large_minutes && party >= s->sitting_large_from)
		return s->sitting_large_minutes;
	return s->sitting_minutes ? s->sitting_minutes : s->slot_minutes;
}

int room_seats(const struct settings *s)
{
	if (s->seats)
		return s->seats;
	return s->sitting_minutes > s->slot_minutes || s->sitting_large_minutes > s->slot_minutes ? s->reservation_limit :
												    ROOM_UNLIMITED;
}

bool room_matters(const struct room *r)
{
	return r->seats < ROOM_UNLIMITED || r->plan.table_count > 0;
}

/* Room for one element more, of so many bytes; false: out of memory. */
static bool grow(void **array, size_t *space, size_t need, size_t each)
{
	size_t more = *space ? 2 * *space : 64;
	void *larger;

	if (need <= *space)
		return true;
	larger = realloc(*array, more * each);
	if (!larger)
		return false;
	*array = larger;
	*space = more;
	return true;
}

/* How many steps begin at that moment or before. */
static size_t steps_until(const struct room *r, int64_t at_s)
{
	size_t low = 0, high = r->step_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->steps[middle].at_s <= at_s)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The place of the step that begins just then; a new one goes on with what the one before it has. */
static size_t cut_at(struct room *r, int64_t at_s)
{
	size_t n = steps_until(r, at_s);

	if (n > 0 && r->steps[n - 1].at_s == at_s)
		return n - 1;
	assert(r->step_count < r->step_space);
	memmove(&r->steps[n + 1], &r->steps[n], (r->step_count - n) * sizeof r->steps[0]);
	r->steps[n] = n > 0 ? r->steps[n - 1] : (struct room_step){0};
	r->steps[n].at_s = at_s;
	r->step_count++;
	return n;
}

static void put_on_steps(struct room *r, const struct room_stay *stay)
{
	struct seats_mask tables = {{0}};
	size_t first = cut_at(r, stay->starts_s), end = cut_at(r, stay->ends_s);
	bool without;

	seats_take(&r->plan, stay->tables, stay->table_count, &tables);
	without = seats_none(&tables) && stay->id != ROOM_KEPT;
	for (size_t i = first; i < end; i++) {
		r->steps[i].people += stay->party;
		r->steps[i].without += without ? stay->party : 0;
		seats_join(&r->steps[i].taken, &tables);
	}
}

bool room_add(struct room *r, const struct room_stay *stay)
{
	assert(stay->party > 0 && stay->starts_s < stay->ends_s);
	if (!grow((void **)&r->stays, &r->space, r->count + 1, sizeof *r->stays) ||
	    !grow((void **)&r->steps, &r->step_space, r->step_count + 2, sizeof *r->steps))
		return false;
	r->stays[r->count++] = *stay;
	put_on_steps(r, stay);
	return true;
}

void room_remove(struct room *r, int64_t id)
{
	size_t kept = 0, before = r->count;

	for (size_t i = 0; i < r->count; i++)
		if (r->stays[i].id != id)
			r->stays[kept++] = r->stays[i];
	if (kept == before)
		return;
	r->count = kept;
	r->step_count = 0;
	for (size_t i = 0; i < r->count; i++)
		put_on_steps(r, &r->stays[i]);
}

/* The plan's rows stay as they are: they are 28 KB, and every transaction comes here twice. */
void room_init(struct room *r)
{
	r->seats = ROOM_UNLIMITED;
	r->plan.table_count = r->plan.set_count = 0;
	r->stays = NULL;
	r->steps = NULL;
	r->space = r->step_space = 0;
	room_empty(r);
}

void room_empty(struct room *r)
{
	r->count = r->step_count = 0;
}

void room_clear(struct room *r)
{
	free(r->stays);
	free(r->steps);
	room_init(r);
}

bool room_overlaps(const struct room_stay *a, const struct room_stay *b)
{
	return a->starts_s < b->ends_s && b->starts_s < a->ends_s;
}

bool room_take_tables(struct room_stay *from, const struct room_stay *taken)
{
	size_t kept = 0, had = from->table_count;

	for (size_t i = 0; i < had; i++) {
		size_t k = 0;

		while (k < taken->table_count && taken->tables[k] != from->tables[i])
			k++;
		if (k == taken->table_count)
			from->tables[kept++] = from->tables[i];
	}
	from->table_count = kept;
	return kept < had;
}

bool room_minus(const struct room_stay *a, const struct room_stay *b, struct room_stay *out)
{
	*out = *a;
	if (!room_overlaps(a, b))
		return true;
	if (a->starts_s < b->starts_s) {
		out->ends_s = b->starts_s;
	} else if (a->party > b->party) {
		out->party = a->party - b->party;
		room_take_tables(out, b);
	} else {
		out->starts_s = b->ends_s;
	}
	return out->starts_s < out->ends_s;
}

bool room_could_fit(const struct room *r, int party)
{
	const struct seats_mask taken = {{0}};
	int64_t tables[SEATS_JOIN_MAX];

	assert(party > 0);
	return party <= r->seats && (r->plan.table_count == 0 || seats_pick(&r->plan, &taken, party, tables) > 0);
}

/* The most people and all the tables taken from the one moment to the other; at the latter some may leave. */
static struct room_step busiest(const struct room *r, int64_t starts_s, int64_t ends_s)
{
	struct room_step all = {.at_s = starts_s};
	size_t first;

	assert(starts_s < ends_s);
	first = steps_until(r, starts_s);
	for (size_t i = first ? first - 1 : 0; i < r->step_count && r->steps[i].at_s < ends_s; i++) {
		const struct room_step *s = &r->steps[i];

		all.people = s->people > all.people ? s->people : all.people;
		all.without = s->without > all.without ? s->without : all.without;
		seats_join(&all.taken, &s->taken);
	}
	return all;
}

static int left_of(const struct room *r, int people)
{
	if (r->seats >= ROOM_UNLIMITED)
		return ROOM_UNLIMITED;
	return people < r->seats ? r->seats - people : 0;
}

int room_left(const struct room *r, int64_t starts_s, int64_t ends_s)
{
	return left_of(r, busiest(r, starts_s, ends_s).people);
}

/* Do those who have no table still find seats, once this stay has its tables as well? */
static bool leaves_enough(const struct room *r, const struct room_step *then, const struct room_stay *stay)
{
	struct seats_mask taken = then->taken;

	seats_take(&r->plan, stay->tables, stay->table_count, &taken);
	return !then->without || seats_free(&r->plan, &taken) >= then->without;
}

bool room_find_tables(const struct room *r, struct room_stay *stay)
{
	struct room_step then = busiest(r, stay->starts_s, stay->ends_s);

	stay->table_count = seats_pick(&r->plan, &then.taken, stay->party, stay->tables);
	return stay->table_count > 0;
}

bool room_fits(const struct room *r, struct room_stay *stay)
{
	struct room_step then = busiest(r, stay->starts_s, stay->ends_s);

	assert(stay->party > 0);
	stay->table_count = 0;
	if (left_of(r, then.people) < stay->party)
		return false;
	if (r->plan.table_count == 0)
		return true;
	stay->table_count = seats_pick(&r->plan, &then.taken, stay->party, stay->tables);
	return stay->table_count > 0 && leaves_enough(r, &then, stay);
}

bool room_fits_at(const struct room *r, const struct room_stay *stay)
{
	struct room_step then = busiest(r, stay->starts_s, stay->ends_s);

	assert(stay->party > 0 && stay->table_count > 0);
	return left_of(r, then.people) >= stay->party &&
	       seats_may_take(&r->plan, &then.taken, stay->party, stay->tables, stay->table_count);
}
