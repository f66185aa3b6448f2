/*
 * reasons.c - why staff cannot have the place that they ask for.
 */
#include "reasons.h"

#include "slots.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const char *reasons_word(enum reason_kind kind)
{
	static const char *const words[] = {
#define X(word) [REASON_##word] = #word,
		REASONS_KINDS(X)
#undef X
	};

	assert(kind < REASON__MAX);
	return words[kind];
}

/* A question under way. */
struct asking {
	struct db *db;
	const struct reasons_ask *ask;
	const struct room *room; /* without the party that asks */
	struct room_stay stay;
	int64_t now_s;
	struct reasons *out;
	enum err e;
};

static void add(struct asking *q, const struct reason *r)
{
	if (q->out->count < REASONS_MAX)
		q->out->list[q->out->count++] = *r;
}

static void put_name(struct asking *q, int64_t table, char *out, size_t size)
{
	enum err e;

	out[0] = '\0';
	e = stmt_get(q->db, stmt_use(q->db, SQL_TABLE_NAME, "i", table), ERR_OK, "t", out, size);
	q->e = q->e == ERR_OK ? e : q->e;
}

/* "3 + 4" */
static void put_names(struct asking *q, const int64_t *tables, size_t count, char out[REASONS_NAMES_SIZE])
{
	char name[SITTERS_TABLE_SIZE];
	size_t n = 0;

	out[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		put_name(q, tables[i], name, sizeof name);
		n += (size_t)snprintf(out + n, REASONS_NAMES_SIZE - n, "%s%s", i ? " + " : "", name);
	}
}

static void put_guest(struct asking *q, struct reason *r)
{
	struct reservation v;
	enum err e = booking_get(q->db, r->reservation_id, q->now_s, &v);

	if (e == ERR_OK)
		memcpy(r->guest, v.guest, sizeof r->guest);
	q->e = q->e == ERR_OK ? e : q->e;
}

static bool sits_at(const struct room_stay *stay, int64_t table)
{
	size_t i = 0;

	while (i < stay->table_count && stay->tables[i] != table)
		i++;
	return i < stay->table_count;
}

static void tell_taken(struct asking *q, int64_t table)
{
	for (size_t i = 0; i < q->room->count; i++) {
		const struct room_stay *o = &q->room->stays[i];
		struct reason r = {.kind = REASON_TABLE_TAKEN, .table_id = table, .reservation_id = o->id};

		if (!room_overlaps(o, &q->stay) || !sits_at(o, table) || o->id == q->ask->beside || o->id <= 0)
			continue;
		clock_iso(o->starts_s, r.from);
		clock_iso(o->ends_s, r.until);
		put_name(q, table, r.table, sizeof r.table);
		put_guest(q, &r);
		add(q, &r);
	}
}

/* Blocks of the house (table 0), or of a table. */
static void tell_blocks(struct asking *q, int64_t table)
{
	struct seats_mask one = {{0}};

	seats_take(&q->room->plan, &table, table ? 1 : 0, &one);
	for (size_t i = 0; i < q->room->block_count; i++) {
		const struct room_block *b = &q->room->blocks[i];
		struct reason r = {.kind = REASON_BLOCKED, .table_id = table};
		enum err e;

		if (!room_concerns(b, q->ask->who, q->stay.starts_s, q->stay.ends_s) ||
		    (table ? b->house || !seats_meet(&b->tables, &one) : !b->house))
			continue;
		clock_iso(b->starts_s, r.from);
		clock_iso(b->ends_s, r.until);
		if (table)
			put_name(q, table, r.table, sizeof r.table);
		e = stmt_get(q->db, stmt_use(q->db, SQL_BLOCK_REASON, "i", b->id), ERR_OK, "t", r.block, sizeof r.block);
		q->e = q->e == ERR_OK ? e : q->e;
		add(q, &r);
	}
}

/* How many may start, and how many may be present. */
static void tell_people(struct asking *q, int64_t left)
{
	bool blocked = room_blocked(q->room, q->ask->who, q->stay.starts_s, q->stay.ends_s);
	int present = room_left(q->room, q->ask->who, q->stay.starts_s, q->stay.ends_s);

	if (left < q->stay.party)
		add(q, &(struct reason){.kind = REASON_STARTS, .seats = left > 0 ? (int)left : 0});
	if (!blocked && present < q->stay.party)
		add(q, &(struct reason){.kind = REASON_PRESENT, .seats = present});
}

static void tell_tables(struct asking *q)
{
	const struct room_stay *stay = &q->stay;
	const struct seats_plan *plan = &q->room->plan;
	struct reason small = {.kind = REASON_TABLE_TOO_SMALL, .table_id = stay->table_count == 1 ? stay->tables[0] : 0};

	if (seats_known(plan, stay->tables, stay->table_count) &&
	    seats_at(plan, stay->tables, stay->table_count) < stay->party) {
		small.seats = seats_at(plan, stay->tables, stay->table_count);
		put_names(q, stay->tables, stay->table_count, small.table);
		add(q, &small);
	}
	for (size_t i = 0; i < stay->table_count; i++) {
		tell_blocks(q, stay->tables[i]);
		tell_taken(q, stay->tables[i]);
	}
}

/* None is named: those that would be large enough, and who has them. */
static void tell_no_table(struct asking *q)
{
	const struct seats_plan *plan = &q->room->plan;

	add(q, &(struct reason){.kind = REASON_NO_TABLE});
	for (size_t i = 0; i < plan->table_count; i++)
		if (plan->tables[i].seats_max >= q->stay.party) {
			tell_blocks(q, plan->tables[i].id);
			tell_taken(q, plan->tables[i].id);
		}
}

/* ---- instead ---- */

static bool is_any_of(const int64_t *tables, size_t count, const int64_t *list, int n)
{
	for (size_t i = 0; i < count; i++)
		for (int k = 0; k < n; k++)
			if (tables[i] == list[k])
				return true;
	return false;
}

static void offer(struct asking *q, const int64_t *tables, size_t count, const int64_t *sat, int sat_count)
{
	struct reason_free *f = &q->out->free[q->out->free_count];
	struct room_stay stay = q->stay;

	stay.table_count = count;
	memcpy(stay.tables, tables, count * sizeof tables[0]);
	if (q->out->free_count == REASONS_FREE_MAX || is_any_of(tables, count, sat, sat_count) ||
	    room_fits_at(q->room, q->ask->who, &stay) != ROOM_FITS)
		return;
	*f = (struct reason_free){.seats = seats_at(&q->room->plan, tables, count), .count = count};
	memcpy(f->tables, tables, count * sizeof tables[0]);
	put_names(q, tables, count, f->names);
	q->out->free_count++;
}

static void offer_tables(struct asking *q)
{
	const struct seats_plan *plan = &q->room->plan;
	int64_t sat[SEATS_TABLES_MAX + TICKET_TABLES];
	int n = 0;

	if (q->ask->sits || q->ask->own)
		q->e = sitters_tables(q->db, q->ask->want->restaurant_id, q->now_s, sat, SEATS_TABLES_MAX, &n);
	for (int i = 0; q->ask->own && i < TICKET_TABLES && q->ask->own[i]; i++) /* its own are no others */
		sat[n++] = q->ask->own[i];
	for (size_t i = 0; i < plan->table_count && q->e == ERR_OK; i++)
		offer(q, &plan->tables[i].id, 1, sat, n);
	for (size_t i = 0; i < plan->set_count && q->e == ERR_OK; i++)
		if (!seats_none(&plan->masks[i]))
			offer(q, plan->sets[i].tables, plan->sets[i].count, sat, n);
}

/* How many may still start in the slot beside the party itself. */
static enum err count_left(struct asking *q, int64_t *left)
{
	const struct ticket_want *w = q->ask->want;
	int64_t slot_id = 0, capacity = w->capacity, taken = 0;
	struct reservation v = {0};
	enum err e = stmt_get(q->db, stmt_use(q->db, SQL_SLOT_NOW, "ittm", w->restaurant_id, w->date, w->time, q->now_s),
			      ERR_OK, "iii-", &slot_id, &capacity, &taken);

	if (e == ERR_OK && q->ask->self)
		e = booking_get(q->db, q->ask->self, q->now_s, &v);
	*left = capacity - taken + (v.id && v.slot_id == slot_id && life_active(v.status) ? v.party : 0);
	return e;
}

enum err reasons_find(struct db *db, const struct reasons_ask *ask, int64_t now_s, struct reasons *out)
{
	struct asking q = {.db = db, .ask = ask, .now_s = now_s, .out = out};
	int64_t left = ROOM_UNLIMITED;

	out->count = out->free_count = 0;
	booking_stay(ask->want, &q.stay);
	q.e = slots_house(db, ask->want, ask->self, now_s, &q.room);
	if (q.e == ERR_OK && ask->who != ROOM_WALK_IN)
		q.e = count_left(&q, &left);
	if (q.e != ERR_OK)
		return q.e;
	tell_blocks(&q, 0);
	tell_people(&q, left);
	if (q.stay.table_count)
		tell_tables(&q);
	else if (!out->count && q.room->plan.table_count)
		tell_no_table(&q);
	if (q.room->plan.table_count && left >= q.stay.party) /* no table helps where no more may start */
		offer_tables(&q);
	return q.e;
}
