/*
 * slots.c - what is free on a day.
 */
#include "slots.h"

#include "clock.h"
#include "failpoint.h"
#include "zone.h"

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

/* What comes free in a slot that somebody waits for is theirs, unless it is of no use to them and may be passed on. */
static bool keeps_back(const struct restaurant *r, const struct slot_view *v)
{
	return v->waiting && !r->set.waitlist_skip && !WITHOUT("waiters");
}

static enum err count_waiters(struct db *db, const struct restaurant *r, const char *date, struct slots_day *day)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_WAITERS_OF_DAY, "it", r->id, date);
	enum err e;

	while (stmt_row(db, s, &e)) {
		struct slot_view *v = find(day, stmt_text(s, 0));

		if (v)
			v->waiting++;
		if (v && keeps_back(r, v))
			v->available = false;
	}
	return e;
}

/* Reads who is in the house around that day, if that matters there. */
static enum err read_stays(struct db *db, int64_t restaurant, const char *date, const char *now, struct room *room)
{
	struct sqlite3_stmt *s;
	struct room_stay stay = {0};
	bool enough = true;
	enum err e;

	room->count = 0;
	if (!room_matters(room))
		return ERR_OK;
	s = stmt_use(db, SQL_STAYS_AROUND, "itt", restaurant, date, now);
	while (stmt_row(db, s, &e)) { /* the tables of a reservation come one after the other */
		struct room_stay *last = room->count ? &room->stays[room->count - 1] : NULL;
		bool same = last && last->id == stmt_int(s, 0);

		if (!same) {
			stay = (struct room_stay){.id = stmt_int(s, 0), .party = (int)stmt_int(s, 3)};
			if (clock_parse_iso(stmt_text(s, 1), &stay.starts_s) && clock_parse_iso(stmt_text(s, 2), &stay.ends_s))
				enough &= room_add(room, &stay);
			last = room->count ? &room->stays[room->count - 1] : NULL;
		}
		if (last && last->id == stmt_int(s, 0) && !stmt_null(s, 4) && last->table_count < SEATS_JOIN_MAX)
			last->tables[last->table_count++] = stmt_int(s, 4);
	}
	return e == ERR_OK && !enough ? ERR_NO_MEMORY : e;
}

/* The house around that day, where `seats` may be present. */
static enum err read_room(struct db *db, int64_t restaurant, const char *date, int seats, const char *now, struct room *room)
{
	enum err e = restaurants_plan(db, restaurant, &room->plan);

	room->seats = seats;
	return e == ERR_OK ? read_stays(db, restaurant, date, now, room) : e;
}

enum err slots_longest_stay(struct db *db, int64_t restaurant, const char *date, int seats, const struct room_stay *wish,
			    int64_t now_s, int *minutes)
{
	static struct room room;
	struct room_stay stay = *wish;
	char now[CLOCK_ISO_SIZE];
	enum err e;

	clock_iso(now_s, now);
	*minutes = 0;
	e = read_room(db, restaurant, date, seats, now, &room);
	for (int n = (int)(wish->ends_s - wish->starts_s) / 60; e == ERR_OK && n >= SLOTS_SHORTEST && !*minutes; n--) {
		stay.ends_s = stay.starts_s + n * INT64_C(60);
		if (wish->table_count ? room_fits_at(&room, &stay) : room_fits(&room, &stay))
			*minutes = n;
	}
	return e;
}

/* Seats and tables of the whole house: a slot is available only if the party fits from its beginning to its end. */
static enum err fit_room(struct db *db, const struct restaurant *r, struct date date, const char *now, int party,
			 struct slots_day *day)
{
	static struct room room;
	char text[TEXT_DATE_SIZE];
	enum err e;

	text_put_date(date, text);
	e = read_room(db, r->id, text, room_seats(&r->set), now, &room);
	for (size_t i = 0; e == ERR_OK && room_matters(&room) && i < day->count; i++) {
		struct slot_view *v = &day->slots[i];
		struct room_stay stay = {.party = party};
		int left;

		if (!zone_to_utc(r->zone, date, v->minute, &stay.starts_s))
			continue;
		stay.ends_s = stay.starts_s + room_sitting(&r->set, party) * INT64_C(60);
		left = room_left(&room, stay.starts_s, stay.ends_s);
		v->remaining = left < v->remaining ? left : v->remaining;
		v->available &= v->remaining >= party && room_fits(&room, &stay);
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

/* The day that was looked up last, and what it was the answer to. */
static struct {
	const struct db *db; /* NULL: none */
	int64_t restaurant, days, now_s, version, paused_until_s;
	struct settings set;
	int party;
	struct slots_day day;
} kept;

static bool is_kept(const struct db *db, int64_t version, const struct restaurant *r, struct date date, int party,
		    int64_t now_s)
{
	return kept.db == db && kept.restaurant == r->id && kept.days == text_days(date) && kept.now_s == now_s &&
	       kept.version == version && kept.party == party && kept.paused_until_s == r->paused_until_s &&
	       memcmp(&kept.set, &r->set, sizeof kept.set) == 0;
}

enum err slots_of_day_kept(struct db *db, const struct restaurant *r, struct date date, int party, int64_t now_s,
			   const struct slots_day **out)
{
	int64_t version = 0;
	enum err e = book_version(db, &version);

	assert(party > 0);
	*out = &kept.day;
	if (e != ERR_OK || is_kept(db, version, r, date, party, now_s))
		return e;
	kept.db = NULL;
	e = slots_of_day(db, r, date, party, now_s, &kept.day);
	if (e == ERR_OK) {
		kept.db = db;
		kept.restaurant = r->id;
		kept.days = text_days(date);
		kept.now_s = now_s;
		kept.version = version;
		kept.party = party;
		kept.paused_until_s = r->paused_until_s;
		kept.set = r->set;
	}
	return e;
}

/* A slot where nothing but its own sum and those who wait for it decide. */
static enum err look_at_one(struct db *db, const struct restaurant *r, struct date date, int minute, int party, int64_t now_s,
			    struct slot_view *out)
{
	char day[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE], now[CLOCK_ISO_SIZE];
	int64_t left = r->set.reservation_limit;
	struct sqlite3_stmt *s;
	enum err e;

	text_put_date(date, day);
	text_put_time(minute, time);
	clock_iso(now_s, now);
	*out = (struct slot_view){.minute = minute, .capacity = r->set.reservation_limit};
	s = stmt_use(db, SQL_SLOT_NOW, "ittt", r->id, day, time, now);
	while (stmt_row(db, s, &e)) {
		out->slot_id = stmt_int(s, 0);
		out->capacity = (int)stmt_int(s, 1);
		left = out->capacity - stmt_int(s, 2);
		out->waiting = (int)stmt_int(s, 3);
	}
	out->remaining = left > 0 ? (int)left : 0;
	out->available = left >= party && !keeps_back(r, out);
	return e;
}

enum err slots_look(struct db *db, const struct restaurant_day *day, int minute, int party, int64_t now_s,
		    struct slot_view *out)
{
	const struct restaurant *r = &day->restaurant;
	const struct slots_day *slots;
	const struct slot_view *v;
	int64_t version = 0;
	enum err e = book_version(db, &version);

	assert(party > 0);
	if (e != ERR_OK)
		return e;
	if (!day->has_tables && room_seats(&r->set) == ROOM_UNLIMITED && !is_kept(db, version, r, day->date, party, now_s))
		return look_at_one(db, r, day->date, minute, party, now_s, out);
	e = slots_of_day_kept(db, r, day->date, party, now_s, &slots);
	v = e == ERR_OK ? slots_at(slots, minute) : NULL;
	*out = v ? *v : (struct slot_view){.minute = minute, .available = true};
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
	e = count_waiters(db, r, day, out);
	return e == ERR_OK ? fit_room(db, r, date, now, party, out) : e;
}

/* ---- inside a write transaction ---- */

static enum err find_slot(struct txn *t, int64_t restaurant_id, const char *date, const char *time, int64_t capacity)
{
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_SLOT_LEARN, "itt", restaurant_id, date, time);
	int64_t waiting = 0;
	enum err e;

	t->slot.id = 0;
	t->slot.capacity = capacity;
	t->slot.taken = 0;
	t->slot.no_tables = false;
	while (stmt_row(t->db, s, &e)) {
		t->slot.id = stmt_int(s, 0);
		t->slot.capacity = stmt_int(s, 1);
		stmt_copy(s, 2, t->slot.starts, sizeof t->slot.starts);
		t->slot.taken = stmt_int(s, 3);
		waiting = stmt_int(s, 4);
		t->slot.no_tables = !stmt_int(s, 5);
	}
	if (e == ERR_OK && !t->slot.id)
		e = stmt_number(t->db, SQL_SLOT_WAITED_FOR, &waiting, "itt", restaurant_id, date, time);
	t->slot.waited_for = waiting != 0;
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

static enum err learn_house(struct txn *t, int64_t restaurant_id, const char *date, int seats)
{
	struct room *room = &t->house.room;
	enum err e;

	assert(strlen(date) < sizeof t->house.date);
	if (t->house.restaurant_id == restaurant_id && strcmp(t->house.date, date) == 0 && room->seats == seats)
		return ERR_OK;
	room->seats = seats;
	t->house.restaurant_id = 0;
	e = txn_release_day(t, restaurant_id, date);
	if (t->slot.restaurant_id == restaurant_id && t->slot.no_tables)
		room->plan.table_count = room->plan.set_count = 0;
	else if (e == ERR_OK)
		e = restaurants_plan(t->db, restaurant_id, &room->plan);
	if (e == ERR_OK)
		e = read_stays(t->db, restaurant_id, date, t->now, room);
	if (e != ERR_OK)
		return e;
	strcpy(t->house.date, date);
	t->house.restaurant_id = restaurant_id;
	return ERR_OK;
}

enum err slots_find_room(struct txn *t, int64_t restaurant_id, const char *date, int seats, struct room_stay *stay, int *left,
			 bool *fits)
{
	enum err e = learn_house(t, restaurant_id, date, seats);

	*left = ROOM_UNLIMITED;
	*fits = false;
	if (e != ERR_OK)
		return e;
	if (stay->id) /* it gives back what it has */
		room_remove(&t->house.room, stay->id);
	*left = room_left(&t->house.room, stay->starts_s, stay->ends_s);
	*fits = (stay->table_count ? room_fits_at(&t->house.room, stay) : room_fits(&t->house.room, stay)) || WITHOUT("room");
	return ERR_OK;
}

int64_t slots_note_stay(struct txn *t, const struct room_stay *stay)
{
	struct room *room = &t->house.room;
	int64_t of_slot = t->slot.capacity - t->slot.taken;
	int left;

	if (!room_matters(room))
		return of_slot;
	if (!room_add(room, stay))
		t->house.restaurant_id = 0; /* look again */
	left = room_left(room, stay->starts_s, stay->ends_s);
	return left < of_slot ? left : of_slot;
}
