/*
 * slots.c - what is free on a day.
 */
#include "slots.h"

#include "clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const struct slot_view *slots_at(const struct slots_day *day, int minute)
{
	for (size_t i = 0; i < day->count; i++)
		if (day->slots[i].minute == minute)
			return &day->slots[i];
	return NULL;
}

size_t slots_nearest(const struct slots_day *day, int minute, const struct slot_view **out, size_t most)
{
	bool used[HOURS_TIMES_MAX] = {false};
	size_t n = 0;

	for (; n < most; n++) {
		const struct slot_view *best = NULL;

		for (size_t k = 0; k < day->count; k++) {
			const struct slot_view *v = &day->slots[k];

			if (v->available && !used[k] && v->minute != minute &&
			    (!best || abs(v->minute - minute) < abs(best->minute - minute)))
				best = v;
		}
		if (!best)
			break;
		used[best - day->slots] = true;
		out[n] = best;
	}
	return n;
}

static struct slot_view *find(struct slots_day *day, const char *time)
{
	const struct slot_view *v;
	int minute;

	if (!text_time(time, &minute))
		return NULL;
	v = slots_at(day, minute);
	return v ? &day->slots[v - day->slots] : NULL; /* NULL: booked under other hours than today's */
}

/* Seats: what each slot that exists has sold. */
static enum err count_seats(struct db *db, int64_t restaurant, const char *date, const char *now, struct slots_day *day)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_SLOTS_OF_DAY, "itt", restaurant, date, now);
	enum err e;

	while (stmt_row(db, s, &e)) {
		struct slot_view *v = find(day, stmt_text(s, 0));
		int64_t left;

		if (!v)
			continue;
		left = stmt_int(s, 1) - stmt_int(s, 2);
		v->slot_id = stmt_int(s, 3);
		v->capacity = (int)stmt_int(s, 1);
		v->remaining = left > 0 ? (int)left : 0;
	}
	return e;
}

/* Tables: a slot is available only if a free one fits. */
static enum err fit_tables(struct db *db, int64_t restaurant, const char *date, const char *now, int party,
			   struct slots_day *day)
{
	static bool taken[HOURS_TIMES_MAX][SEATS_TABLES_MAX];
	struct seats_table tables[SEATS_TABLES_MAX];
	struct sqlite3_stmt *s;
	size_t n;
	enum err e = restaurants_tables(db, restaurant, tables, &n);

	if (e != ERR_OK || n == 0)
		return e;
	memset(taken, 0, sizeof taken);
	s = stmt_use(db, SQL_TABLES_TAKEN_OF_DAY, "itt", restaurant, date, now);
	while (stmt_row(db, s, &e)) {
		struct slot_view *v = find(day, stmt_text(s, 0));

		for (size_t t = 0; v && t < n; t++)
			if (tables[t].id == stmt_int(s, 1))
				taken[v - day->slots][t] = true;
	}
	for (size_t i = 0; e == ERR_OK && i < day->count; i++) {
		for (size_t t = 0; t < n; t++)
			tables[t].taken = taken[i][t];
		if (seats_pick(tables, n, party) < 0)
			day->slots[i].available = false;
	}
	return e;
}

/* Has anything in the book changed since?  Other connections' commits, and our own. */
static enum err book_version(struct db *db, int64_t *version)
{
	enum err e = stmt_number(db, SQL_DATA_VERSION, version, "");

	*version = *version << 32 ^ stmt_total_changes(db);
	return e;
}

enum err slots_of_day_kept(struct db *db, const struct restaurant *r, struct date date, int party, int64_t now_s,
			   const struct slots_day **out)
{
	static struct {
		const struct db *db;
		int64_t restaurant, days, now_s, version, paused_until_s;
		struct settings set;
		int party;
		struct slots_day day;
	} kept;
	int64_t version = 0, days = text_days(date);
	enum err e = book_version(db, &version);

	assert(party > 0);
	*out = &kept.day;
	if (e != ERR_OK || (kept.db == db && kept.restaurant == r->id && kept.days == days && kept.now_s == now_s &&
			    kept.version == version && kept.party == party && kept.paused_until_s == r->paused_until_s &&
			    memcmp(&kept.set, &r->set, sizeof kept.set) == 0))
		return e;
	kept.db = NULL;
	e = slots_of_day(db, r, date, party, now_s, &kept.day);
	if (e == ERR_OK) {
		kept.db = db;
		kept.restaurant = r->id;
		kept.days = days;
		kept.now_s = now_s;
		kept.version = version;
		kept.party = party;
		kept.paused_until_s = r->paused_until_s;
		kept.set = r->set;
	}
	return e;
}

enum err slots_of_day(struct db *db, const struct restaurant *r, struct date date, int party, int64_t now_s,
		      struct slots_day *out)
{
	struct hours_time times[HOURS_TIMES_MAX];
	char day[TEXT_DATE_SIZE], now[CLOCK_ISO_SIZE];
	int64_t starts;
	enum err e = restaurants_day(db, r->id, date, &out->hours);

	assert(party > 0 && r->id > 0);
	if (e != ERR_OK)
		return e;
	out->count = hours_times(&out->hours, r->set.slot_minutes, r->zone, date, times);
	for (size_t i = 0; i < out->count; i++)
		out->slots[i] = (struct slot_view){
			.minute = times[i].minute,
			.label = times[i].label,
			.capacity = r->set.reservation_limit,
			.remaining = r->set.reservation_limit,
		};
	text_put_date(date, day);
	clock_iso(now_s, now);
	e = count_seats(db, r->id, day, now, out);
	if (e != ERR_OK)
		return e;
	for (size_t i = 0; i < out->count; i++) {
		struct slot_view *v = &out->slots[i];

		v->available = v->remaining >= party && r->paused_until_s <= now_s &&
			       hours_check(&r->set, &out->hours, r->zone, date, v->minute, now_s, &starts) == ERR_OK;
	}
	return fit_tables(db, r->id, day, now, party, out);
}

/* ---- inside a write transaction ---- */

static enum err find_slot(struct txn *t, int64_t restaurant_id, const char *date, const char *time, int64_t capacity)
{
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_SLOT_FIND, "itt", restaurant_id, date, time);
	enum err e;

	t->slot.id = 0;
	t->slot.capacity = capacity;
	t->slot.taken = 0;
	while (stmt_row(t->db, s, &e)) {
		t->slot.id = stmt_int(s, 0);
		t->slot.capacity = stmt_int(s, 1);
		stmt_copy(s, 2, t->slot.starts, sizeof t->slot.starts);
	}
	return e;
}

enum err slots_learn(struct txn *t, int64_t restaurant_id, const char *date, const char *time, int64_t capacity)
{
	enum err e;

	assert(restaurant_id > 0 && strlen(date) < sizeof t->slot.date && strlen(time) < sizeof t->slot.time);
	if (t->slot.restaurant_id == restaurant_id && strcmp(t->slot.date, date) == 0 && strcmp(t->slot.time, time) == 0)
		return ERR_OK;
	t->slot.restaurant_id = 0;
	e = txn_release_day(t, restaurant_id, date);
	if (e == ERR_OK)
		e = find_slot(t, restaurant_id, date, time, capacity);
	if (e == ERR_OK && t->slot.id)
		e = stmt_number(t->db, SQL_SLOT_TAKEN, &t->slot.taken, "i", t->slot.id);
	if (e != ERR_OK)
		return e;
	strcpy(t->slot.date, date);
	strcpy(t->slot.time, time);
	t->slot.restaurant_id = restaurant_id;
	return ERR_OK;
}

enum err slots_create(struct txn *t, int64_t capacity, int64_t starts_s)
{
	enum err e;

	assert(t->slot.restaurant_id);
	if (t->slot.id)
		return ERR_OK;
	clock_iso(starts_s, t->slot.starts);
	e = stmt_run(t->db, SQL_SLOT_ADD, "ittitt", t->slot.restaurant_id, t->slot.date, t->slot.time, capacity, t->now,
		     t->slot.starts);
	if (e == ERR_OK)
		t->slot.id = stmt_last_id(t->db);
	return e;
}

static enum err learn_tables(struct txn *t, int64_t restaurant_id)
{
	enum err e;

	if (t->tables.restaurant_id == restaurant_id)
		return ERR_OK;
	e = restaurants_tables(t->db, restaurant_id, t->tables.table, &t->tables.count);
	t->tables.restaurant_id = e == ERR_OK ? restaurant_id : 0;
	return e;
}

enum err slots_choose_table(struct txn *t, int64_t restaurant_id, int64_t slot_id, int party, int64_t *table)
{
	struct seats_table *tables = t->tables.table;
	struct sqlite3_stmt *s;
	int best;
	enum err e = learn_tables(t, restaurant_id);

	assert(party > 0);
	*table = 0;
	if (e != ERR_OK || t->tables.count == 0)
		return e;
	for (size_t i = 0; i < t->tables.count; i++)
		tables[i].taken = false;
	s = stmt_use(t->db, SQL_TABLES_TAKEN_OF_SLOT, "i", slot_id);
	while (stmt_row(t->db, s, &e))
		for (size_t i = 0; i < t->tables.count; i++)
			if (tables[i].id == stmt_int(s, 0))
				tables[i].taken = true;
	if (e != ERR_OK)
		return e;
	best = seats_pick(tables, t->tables.count, party);
	if (best < 0)
		return ERR_SLOT_FULL;
	*table = tables[best].id;
	return ERR_OK;
}
