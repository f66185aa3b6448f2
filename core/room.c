/*
 * room.c - what fits.
 */
#include "room.h"

#include "buf.h"

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

struct room_rules room_rules(int seats, int buffer_minutes, int staff_seats, int staff_hours, int64_t now_s)
{
	return (struct room_rules){.seats = seats,
				   .buffer_s = buffer_minutes * 60,
				   .staff_seats = staff_seats,
				   .released_s = staff_hours ? now_s + staff_hours * INT64_C(3600) : ROOM_NEVER};
}

int room_kept_from(const struct room_rules *rules, enum room_who who, int64_t starts_s, int by_staff)
{
	if (who != ROOM_ONLINE || starts_s <= rules->released_s || by_staff >= rules->staff_seats)
		return 0;
	return rules->staff_seats - by_staff;
}

bool room_matters(const struct room *r)
{
	return r->rules.seats < ROOM_UNLIMITED || r->plan.table_count > 0;
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
		r->steps[i].online += stay->by_staff ? 0 : stay->party;
		r->steps[i].without += without ? stay->party : 0;
		seats_join(&r->steps[i].taken, &tables);
	}
}

bool room_add(struct room *r, const struct room_stay *stay)
{
	assert(stay->party > 0 && stay->starts_s < stay->ends_s);
	if (!buf_grow((void **)&r->stays, &r->space, r->count + 1, sizeof *r->stays) ||
	    !buf_grow((void **)&r->steps, &r->step_space, r->step_count + 2, sizeof *r->steps))
		return false;
	r->stays[r->count++] = *stay;
	put_on_steps(r, stay);
	return true;
}

static void step_anew(struct room *r)
{
	r->step_count = 0;
	for (size_t i = 0; i < r->count; i++)
		put_on_steps(r, &r->stays[i]);
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
	step_anew(r);
}

void room_beside(struct room *r, int64_t id, int64_t table)
{
	struct room_stay one = {.table_count = 1, .tables = {table}};
	bool any = false;

	for (size_t i = 0; i < r->count; i++)
		if (r->stays[i].id == id)
			any |= room_take_tables(&r->stays[i], &one);
	if (any)
		step_anew(r);
}

bool room_block(struct room *r, const struct room_block *block, const int64_t *ids, size_t count)
{
	struct room_block *b;

	assert(block->starts_s < block->ends_s);
	if (!buf_grow((void **)&r->blocks, &r->block_space, r->block_count + 1, sizeof *r->blocks))
		return false;
	b = &r->blocks[r->block_count++];
	*b = *block;
	b->house = count == 0;
	seats_take(&r->plan, ids, count, &b->tables);
	return true;
}

void room_unblock(struct room *r)
{
	r->block_count = 0;
}

/* The plan's rows stay as they are: they are 28 KB, and every transaction comes here twice. */
void room_init(struct room *r)
{
	r->rules = (struct room_rules){.seats = ROOM_UNLIMITED, .released_s = ROOM_NEVER};
	r->plan.table_count = r->plan.set_count = 0;
	r->stays = NULL;
	r->steps = NULL;
	r->blocks = NULL;
	r->space = r->step_space = r->block_space = r->block_count = 0;
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
	free(r->blocks);
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

bool room_could_fit(const struct room *r, enum room_who who, int party)
{
	struct seats_mask taken = {{0}};
	int64_t tables[SEATS_JOIN_MAX];
	bool never = r->rules.released_s == ROOM_NEVER;

	assert(party > 0 && who != ROOM_HOLDER);
	seats_join(&taken, &r->plan.closed[who]);
	return party <= r->rules.seats - (never ? room_kept_from(&r->rules, who, 0, 0) : 0) &&
	       (r->plan.table_count == 0 || seats_pick(&r->plan, &taken, party, tables) > 0);
}

/*
 * The most people from the one moment to the other (at the latter some may leave), and all the tables that are taken then, or
 * so shortly before or after that they are still to rest.
 */
static struct room_step busiest(const struct room *r, int64_t starts_s, int64_t ends_s, int buffer_s)
{
	struct room_step all = {.at_s = starts_s};
	size_t first;

	assert(starts_s < ends_s);
	first = steps_until(r, starts_s - buffer_s);
	for (size_t i = first ? first - 1 : 0; i < r->step_count && r->steps[i].at_s < ends_s + buffer_s; i++) {
		const struct room_step *s = &r->steps[i];

		seats_join(&all.taken, &s->taken);
		if (s->at_s >= ends_s || (i + 1 < r->step_count && r->steps[i + 1].at_s <= starts_s))
			continue; /* not there together with them */
		all.people = s->people > all.people ? s->people : all.people;
		all.online = s->online > all.online ? s->online : all.online;
		all.without = s->without > all.without ? s->without : all.without;
	}
	return all;
}

bool room_concerns(const struct room_block *b, enum room_who who, int64_t starts_s, int64_t ends_s)
{
	return who != ROOM_HOLDER && (who == ROOM_ONLINE || !b->online) && b->starts_s < ends_s && starts_s < b->ends_s;
}

bool room_blocked(const struct room *r, enum room_who who, int64_t starts_s, int64_t ends_s)
{
	for (size_t i = 0; i < r->block_count; i++)
		if (r->blocks[i].house && room_concerns(&r->blocks[i], who, starts_s, ends_s))
			return true;
	return false;
}

/* What guests online have, and all that is kept from them, are seats that they cannot have. */
static int left_of(const struct room *r, enum room_who who, const struct room_step *then)
{
	int online = then->online + room_kept_from(&r->rules, who, then->at_s, 0),
	    gone = online > then->people ? online : then->people;

	if (r->rules.seats >= ROOM_UNLIMITED)
		return ROOM_UNLIMITED;
	return gone < r->rules.seats ? r->rules.seats - gone : 0;
}

int room_left(const struct room *r, enum room_who who, int64_t starts_s, int64_t ends_s)
{
	struct room_step then = busiest(r, starts_s, ends_s, 0);

	return room_blocked(r, who, starts_s, ends_s) ? 0 : left_of(r, who, &then);
}

/* Do those who have no table still find seats, once this stay has its tables as well? */
static bool leaves_enough(const struct room *r, const struct room_step *then, const struct room_stay *stay)
{
	struct seats_mask taken = then->taken;

	seats_take(&r->plan, stay->tables, stay->table_count, &taken);
	return !then->without || seats_free(&r->plan, &taken) >= then->without;
}

static void take_blocked(const struct room *r, enum room_who who, const struct room_stay *stay, struct seats_mask *taken)
{
	for (size_t i = 0; i < r->block_count; i++)
		if (room_concerns(&r->blocks[i], who, stay->starts_s, stay->ends_s))
			seats_join(taken, &r->blocks[i].tables);
}

/* The tables that who asks cannot have then, whether a party sits there or not. */
static void take_closed(const struct room *r, enum room_who who, const struct room_stay *stay, struct seats_mask *taken)
{
	seats_join(taken, &r->plan.closed[who]);
	take_blocked(r, who, stay, taken);
}

/* Tables by all the rules; `then` is the stay without any buffer. */
static bool pick(const struct room *r, enum room_who who, const struct room_step *then, struct room_stay *stay)
{
	struct seats_mask taken = then->taken;

	if (r->rules.buffer_s)
		taken = busiest(r, stay->starts_s, stay->ends_s, r->rules.buffer_s).taken;
	take_closed(r, who, stay, &taken);
	stay->table_count = seats_pick(&r->plan, &taken, stay->party, stay->tables);
	return stay->table_count > 0;
}

int room_free(const struct room *r, enum room_who who, int64_t starts_s, int64_t ends_s)
{
	struct room_stay stay = {.starts_s = starts_s, .ends_s = ends_s};
	struct seats_mask taken = busiest(r, starts_s, ends_s, r->rules.buffer_s).taken;
	int left = room_left(r, who, starts_s, ends_s), tables;

	if (r->plan.table_count == 0)
		return left;
	take_closed(r, who, &stay, &taken);
	tables = seats_free(&r->plan, &taken) - busiest(r, starts_s, ends_s, 0).without;
	tables = tables > 0 ? tables : 0;
	return tables < left ? tables : left;
}

/* For a party that has seats already: as for a guest, and if that is not to be had, whichever is free. */
static bool pick_for_holder(const struct room *r, const struct room_step *then, struct room_stay *stay)
{
	if (!pick(r, ROOM_ONLINE, then, stay))
		stay->table_count = seats_pick(&r->plan, &then->taken, stay->party, stay->tables);
	return stay->table_count > 0;
}

bool room_find_tables(const struct room *r, struct room_stay *stay)
{
	struct room_step then = busiest(r, stay->starts_s, stay->ends_s, 0);

	return pick_for_holder(r, &then, stay);
}

/* Are there people enough already, so that this party would be too many? */
static bool is_full(const struct room *r, enum room_who who, const struct room_step *then, const struct room_stay *stay)
{
	return stay->counts == ROOM_COUNTED && left_of(r, who, then) < stay->party;
}

bool room_fits(const struct room *r, enum room_who who, struct room_stay *stay)
{
	struct room_step then = busiest(r, stay->starts_s, stay->ends_s, 0);
	bool found;

	assert(stay->party > 0);
	stay->table_count = 0;
	if (room_blocked(r, who, stay->starts_s, stay->ends_s) || is_full(r, who, &then, stay))
		return false;
	if (r->plan.table_count == 0)
		return true;
	found = who == ROOM_HOLDER ? pick_for_holder(r, &then, stay) : pick(r, who, &then, stay);
	return stay->counts == ROOM_BEYOND || (found && leaves_enough(r, &then, stay));
}

enum room_why room_fits_at(const struct room *r, enum room_who who, const struct room_stay *stay)
{
	struct room_step then = busiest(r, stay->starts_s, stay->ends_s, 0);
	struct seats_mask blocked = {{0}}, wish = {{0}};

	assert(stay->party > 0 && stay->table_count > 0);
	take_blocked(r, who, stay, &blocked);
	seats_take(&r->plan, stay->tables, stay->table_count, &wish);
	if (room_blocked(r, who, stay->starts_s, stay->ends_s) || seats_meet(&blocked, &wish))
		return ROOM_BLOCKED;
	if (!seats_known(&r->plan, stay->tables, stay->table_count))
		return ROOM_NO_SUCH_TABLE;
	if (stay->counts != ROOM_BEYOND && seats_at(&r->plan, stay->tables, stay->table_count) < stay->party)
		return ROOM_TOO_SMALL;
	if (seats_meet(&then.taken, &wish))
		return ROOM_TAKEN;
	return is_full(r, who, &then, stay) ? ROOM_FULL : ROOM_FITS;
}
