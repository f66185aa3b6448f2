/*
 * import_slots.c - the slots of an import.
 *
 * A slot is its restaurant, date and time, whatever its id: two of one moment, or one that the book
 * has already, become one.
 */
#include "import_job.h"

#include <sqlite3.h>
#include <string.h>

struct slot_columns {
	int id, restaurant, date, time, capacity, created, updated;
};

/* A slot at the end of j->slots; its index + 1, 0 when memory is out. */
static int64_t keep_slot(struct import_job *j, const struct import_slot *slot)
{
	struct import_slot *wider = import_grow(j, j->slots, j->slot_count, sizeof *wider);

	if (!wider)
		return 0;
	j->slots = wider;
	wider[j->slot_count] = *slot;
	import_map_put(j, &j->slot_at, slot->id, (int64_t)++j->slot_count);
	return (int64_t)j->slot_count;
}

/* The slot of that moment that is in the book, or was read before; index + 1, or 0. */
static int64_t same_slot(struct import_job *j, const struct import_slot *slot)
{
	struct import_slot found = *slot;
	sqlite3_stmt *s =
	    import_use(j, IMPORT_SLOT_FIND, "itt", j->restaurants[slot->restaurant].id, slot->date, slot->time);
	int64_t at;

	found.id = 0;
	found.line = 0;
	while (import_step(j, s)) {
		found.id = sqlite3_column_int64(s, 0);
		found.capacity = sqlite3_column_int64(s, 1);
	}
	if (!found.id)
		return 0;
	if (import_map_get(&j->slot_at, found.id, &at))
		return at;
	found.sold = import_ask(j, IMPORT_SLOT_SOLD, "i", found.id);
	return keep_slot(j, &found);
}

static void add_slot(struct import_job *j, struct import_file *f, const struct slot_columns *c, int64_t from,
		     struct import_slot *slot)
{
	const struct restaurant *r = &j->restaurants[slot->restaurant];
	char created[CLOCK_ISO_SIZE], updated[CLOCK_ISO_SIZE];

	slot->capacity = r->set.reservation_limit;
	if (*csv_cell(&f->csv, c->capacity) && !import_number(j, f, c->capacity, 0, 1000000, &slot->capacity))
		return;
	if (!import_instant(j, f, c->created, r->zone, created) || !import_instant(j, f, c->updated, r->zone, updated))
		return;
	if (!*created)
		strcpy(created, j->now);
	if (!*updated)
		strcpy(updated, created);
	import_map_put(j, &j->ids[IMPORT_SLOTS], from, keep_slot(j, slot));
	import_run(j, f, IMPORT_SLOT_ADD, "iittitt", slot->id, r->id, slot->date, slot->time, slot->capacity, created,
		   updated);
	f->added++;
}

static void take_slot(struct import_job *j, struct import_file *f, const struct slot_columns *c)
{
	struct import_slot slot = {.line = f->csv.line};
	int64_t from, other, same;
	bool ok;

	if (!import_id(j, f, c->id, &from))
		return;
	if (import_map_get(&j->ids[IMPORT_SLOTS], from, &other)) {
		import_problem(j, f, "%s %lld is there twice", f->id, (long long)from);
		return;
	}
	import_map_put(j, &j->ids[IMPORT_SLOTS], from, 0);
	ok = import_restaurant(j, f, c->restaurant, &slot.restaurant);
	ok &= import_date(j, f, c->date, slot.date);
	ok &= import_time(j, f, c->time, slot.time);
	if (!ok || j->e != ERR_OK)
		return;
	same = same_slot(j, &slot);
	if (same) {
		import_map_put(j, &j->ids[IMPORT_SLOTS], from, same);
		import_repaired(j, REPAIR_MERGED, f, f->csv.line,
				"slot %lld (%s %s) is one with slot %lld of the book.", (long long)from, slot.date,
				slot.time, (long long)j->slots[same - 1].id);
		return;
	}
	slot.id = !j->keep_ids || import_ask(j, IMPORT_SLOT_THERE, "i", from) ? j->next_id[IMPORT_SLOTS]++ : from;
	add_slot(j, f, c, from, &slot);
}

/* Without slots in the folder, its reservations are in those of the book. */
static void take_slots_of_book(struct import_job *j)
{
	sqlite3_stmt *s = import_use(j, IMPORT_SLOT_ALL, "");

	while (import_step(j, s)) {
		struct import_slot slot = {.id = sqlite3_column_int64(s, 0), .capacity = sqlite3_column_int64(s, 1)};

		slot.restaurant = import_restaurant_at(j, sqlite3_column_int64(s, 2));
		snprintf(slot.date, sizeof slot.date, "%s", (const char *)sqlite3_column_text(s, 3));
		snprintf(slot.time, sizeof slot.time, "%s", (const char *)sqlite3_column_text(s, 4));
		slot.sold = import_ask(j, IMPORT_SLOT_SOLD, "i", slot.id);
		import_map_put(j, &j->ids[IMPORT_SLOTS], slot.id, keep_slot(j, &slot));
	}
}

void import_slots(struct import_job *j)
{
	struct import_file *f = &j->files[IMPORT_SLOTS];
	struct slot_columns c;

	if (!import_open(j, IMPORT_SLOTS)) {
		if (j->files[IMPORT_RESERVATIONS].there)
			take_slots_of_book(j);
		return;
	}
	c = (struct slot_columns){
	    .id = import_need(j, f, f->id_names),
	    .restaurant = import_need(j, f, "restaurant_id"),
	    .date = import_need(j, f, "slot_date"),
	    .time = import_need(j, f, "slot_time"),
	    .capacity = csv_column(&f->csv, "max_capacity"),
	    .created = csv_column(&f->csv, "created_at"),
	    .updated = csv_column(&f->csv, "updated_at"),
	};
	while (import_next(j, f, "reading"))
		take_slot(j, f, &c);
	import_close(j, f);
}
