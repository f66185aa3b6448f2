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

bool room_add(struct room *r, const struct room_stay *stay)
{
	assert(stay->party > 0 && stay->starts_s < stay->ends_s);
	if (r->count == r->space) {
		size_t space = r->space ? 2 * r->space : 64;
		struct room_stay *more = realloc(r->stays, space * sizeof *more);

		if (!more)
			return false;
		r->stays = more;
		r->space = space;
	}
	r->stays[r->count++] = *stay;
	return true;
}

void room_remove(struct room *r, int64_t id)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->count; i++)
		if (r->stays[i].id != id)
			r->stays[kept++] = r->stays[i];
	r->count = kept;
}

/* The plan's rows stay as they are: they are 20 KB, and every transaction comes here twice. */
void room_init(struct room *r)
{
	r->seats = ROOM_UNLIMITED;
	r->plan.table_count = r->plan.set_count = 0;
	r->stays = NULL;
	r->count = r->space = 0;
}

void room_clear(struct room *r)
{
	free(r->stays);
	room_init(r);
}

static bool is_there(const struct room_stay *s, int64_t at_s)
{
	return s->starts_s <= at_s && at_s < s->ends_s;
}

static int present(const struct room *r, int64_t at_s)
{
	int people = 0;

	for (size_t i = 0; i < r->count; i++)
		if (is_there(&r->stays[i], at_s))
			people += r->stays[i].party;
	return people;
}

int room_left(const struct room *r, int64_t starts_s, int64_t ends_s)
{
	int most;

	assert(starts_s < ends_s);
	if (r->seats >= ROOM_UNLIMITED)
		return ROOM_UNLIMITED;
	/* Presence rises only where somebody starts. */
	most = present(r, starts_s);
	for (size_t i = 0; i < r->count; i++) {
		int64_t at = r->stays[i].starts_s;

		if (at > starts_s && at < ends_s) {
			int now = present(r, at);

			most = now > most ? now : most;
		}
	}
	return most < r->seats ? r->seats - most : 0;
}

/* The tables that somebody has while this party stays. */
static void mark_taken(const struct room *r, const struct room_stay *stay, bool taken[SEATS_TABLES_MAX])
{
	for (size_t i = 0; i < r->count; i++) {
		const struct room_stay *other = &r->stays[i];

		if (other->starts_s < stay->ends_s && stay->starts_s < other->ends_s)
			seats_take(&r->plan, other->tables, other->table_count, taken);
	}
}

bool room_fits(const struct room *r, struct room_stay *stay)
{
	bool taken[SEATS_TABLES_MAX] = {false};

	assert(stay->party > 0 && stay->starts_s < stay->ends_s);
	stay->table_count = 0;
	if (room_left(r, stay->starts_s, stay->ends_s) < stay->party)
		return false;
	if (r->plan.table_count == 0)
		return true;
	mark_taken(r, stay, taken);
	stay->table_count = seats_pick(&r->plan, taken, stay->party, stay->tables);
	return stay->table_count > 0;
}

bool room_fits_at(const struct room *r, const struct room_stay *stay)
{
	bool taken[SEATS_TABLES_MAX] = {false};

	assert(stay->party > 0 && stay->starts_s < stay->ends_s && stay->table_count > 0);
	mark_taken(r, stay, taken);
	return room_left(r, stay->starts_s, stay->ends_s) >= stay->party &&
	       seats_may_take(&r->plan, taken, stay->party, stay->tables, stay->table_count);
}
