/*
 * slots.c - what is free on a day.
 */
#include "slots.h"

#include "clock.h"
#include "failpoint.h"
#include "kept.h"
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
		struct slot_view *v;
		const char *time;
		int64_t capacity, taken, id;

		stmt_take(s, "wiii", &time, &capacity, &taken, &id);
		v = find(day, time);
		if (!v)
			continue;
		v->slot_id = id;
		v->capacity = (int)capacity;
		v->remaining = capacity > taken ? (int)(capacity - taken) : 0;
	}
	return e;
}

/* Does what came free stay with those who wait for a while, or may it be passed on at once? */
static bool keeps_back(const struct restaurant *r)
{
	return !r->set.waitlist_skip && !WITHOUT("waiters");
}

/* What is kept of a day. */
struct keeping {
	const char *date;
	struct slots_day *day;
	struct room *room;
	int64_t asks;
	bool enough;
};

static void take_kept_off(void *arg, const struct kept_row *k)
{
	struct keeping *q = arg;
	struct slot_view *v = kept_from(k, q->asks) && strcmp(k->date, q->date) == 0 ? find(q->day, k->time) : NULL;

	if (v)
		v->remaining = v->remaining > k->stay.party ? v->remaining - k->stay.party : 0;
}

static void add_kept(void *arg, const struct kept_row *k)
{
	struct keeping *q = arg;

	if (kept_from(k, q->asks))
		q->enough &= room_add(q->room, &k->stay);
}

/* Newcomers, and those who came to the list later, find the house with what is kept in it. */
static enum err add_kept_stays(struct db *db, int64_t restaurant, const char *date, const char *now, int64_t asks,
			       struct room *room)
{
	struct keeping q = {.room = room, .asks = asks, .enough = true};
	enum err e = room_matters(room) ? kept_each(db, restaurant, date, now, add_kept, &q) : ERR_OK;

	return e == ERR_OK && !q.enough ? ERR_NO_MEMORY : e;
}

static enum err count_waiters(struct db *db, int64_t restaurant, const char *date, struct slots_day *day)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_WAITERS_OF_DAY, "it", restaurant, date);
	enum err e;

	while (stmt_row(db, s, &e)) {
		struct slot_view *v;
		const char *time;

		stmt_take(s, "w", &time);
		v = find(day, time);
		if (v)
			v->waiting++;
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

/* One row of STAYS_BETWEEN: the tables of a stay come one after the other. */
static bool take_stay(struct room *room, struct sqlite3_stmt *s, struct room_stay *stay)
{
	struct room_stay next = {0};
	bool enough = true;
	int64_t table;

	stmt_take(s, "immni", &next.id, &next.starts_s, &next.ends_s, &next.party, &table);
	if (stay->id != next.id) {
		enough = !stay->id || room_add(room, stay);
		*stay = next;
		if (!stay->starts_s || stay->starts_s >= stay->ends_s)
			stay->id = 0; /* not a time of the opening hours */
	}
	if (table && stay->table_count < SEATS_JOIN_MAX)
		stay->tables[stay->table_count++] = table;
	return enough;
}

/* Adds who is in the house on these days and has not left at that instant. */
static enum err read_stays(struct db *db, int64_t restaurant, int64_t first, int64_t last, const char *now, const char *from,
			   struct room *room)
{
	char first_date[TEXT_DATE_SIZE], last_date[TEXT_DATE_SIZE];
	struct room_stay stay = {0};
	struct sqlite3_stmt *s;
	bool enough = true;
	enum err e;

	text_put_date(text_from_days(first), first_date);
	text_put_date(text_from_days(last), last_date);
	s = stmt_use(db, SQL_STAYS_BETWEEN, "itttt", restaurant, first_date, last_date, now, from);
	while (stmt_row(db, s, &e))
		enough &= take_stay(room, s, &stay);
	if (e == ERR_OK && stay.id)
		enough &= room_add(room, &stay);
	return e == ERR_OK && !enough ? ERR_NO_MEMORY : e;
}

enum { SPAN_DAYS = 5 }; /* of which the house is remembered: a month is read day by day, and memory stays small */

/* The house around the day that was asked for last, and of which moment of the book it is. */
static struct {
	const struct db *db; /* NULL: none */
	int64_t restaurant, now_s, version;
	int64_t first, last; /* days whose stays are there */
	struct room room;
} house;

/* The tables as the book has them now, without guests. */
static enum err begin_house(struct db *db, int64_t restaurant, int64_t now_s)
{
	int64_t version = 0;
	enum err e = book_version(db, &version);
	bool same = house.db == db && house.restaurant == restaurant && house.version == version;

	if (e != ERR_OK || (same && house.now_s == now_s))
		return e;
	house.db = NULL;
	if (!same)
		e = restaurants_plan(db, restaurant, &house.room.plan);
	if (e != ERR_OK)
		return e;
	house.db = db;
	house.restaurant = restaurant;
	house.now_s = now_s;
	house.version = version;
	house.first = 0;
	house.last = -1;
	return ERR_OK;
}

/*
 * The house around that day, where `seats` may be present, in house.room: who was there the day before may stay past midnight
 * (the instant `from`), and until_day is where the stays that are asked for end.  What was read for another day is not read
 * again, so a month reads every stay about once.
 */
static enum err read_house(struct db *db, int64_t restaurant, int64_t day, int64_t until_day, const char *from, int seats,
			   int64_t now_s)
{
	char now[CLOCK_ISO_SIZE];
	enum err e = begin_house(db, restaurant, now_s);

	house.room.seats = seats;
	if (e != ERR_OK || !room_matters(&house.room))
		return e;
	/* Stays that ended before `from` are not read, so what is added begins with this day or later. */
	if (day - 1 < house.first || day - 1 > house.last || until_day - house.first >= SPAN_DAYS) {
		room_empty(&house.room);
		house.first = day - 1;
		house.last = day - 2;
	}
	if (until_day <= house.last)
		return ERR_OK;
	clock_iso(now_s, now);
	e = read_stays(db, restaurant, house.last + 1, until_day, now, from, &house.room);
	house.last = until_day;
	if (e != ERR_OK)
		house.db = NULL;
	return e;
}

enum err slots_longest_stay(struct db *db, int64_t restaurant, const char *date, int seats, const struct room_stay *wish,
			    int64_t now_s, int *minutes)
{
	struct room_stay stay = *wish;
	struct date day;
	enum err e = ERR_OK;

	*minutes = 0;
	if (!text_date(date, &day))
		return ERR_INTERNAL;
	e = read_house(db, restaurant, text_days(day), text_days(day) + 1, "", seats, now_s);
	for (int n = (int)(wish->ends_s - wish->starts_s) / 60; e == ERR_OK && n >= SLOTS_SHORTEST && !*minutes; n--) {
		stay.ends_s = stay.starts_s + n * INT64_C(60);
		if (wish->table_count ? room_fits_at(&house.room, &stay) : room_fits(&house.room, &stay))
			*minutes = n;
	}
	return e;
}

/* Reads the house for the stays that may begin on that day. */
static enum err read_house_of_day(struct db *db, const struct restaurant *r, struct date date, int party, int64_t now_s,
				  const struct slots_day *day)
{
	int64_t days = text_days(date), midnight, last_s;
	int last_minute = day->count ? day->slots[day->count - 1].minute : 0, seats = room_seats(&r->set);
	char from[CLOCK_ISO_SIZE] = "";
	bool past_midnight = true;

	if (zone_to_utc(r->zone, date, 0, &midnight))
		clock_iso(midnight, from);
	if (zone_to_utc(r->zone, text_from_days(days + 1), 0, &midnight) && zone_to_utc(r->zone, date, last_minute, &last_s))
		past_midnight = last_s + room_sitting(&r->set, party) * INT64_C(60) > midnight;
	return read_house(db, r->id, days, past_midnight ? days + 1 : days, from, seats, now_s);
}

/* Seats and tables of the whole house: a slot is available only if the party fits from its beginning to its end. */
static enum err fit_room(struct db *db, const struct restaurant *r, struct date date, int party, int64_t now_s,
			 struct slots_day *day)
{
	char text[TEXT_DATE_SIZE], now[CLOCK_ISO_SIZE];
	size_t added;
	enum err e = read_house_of_day(db, r, date, party, now_s, day);

	text_put_date(date, text);
	clock_iso(now_s, now);
	added = house.room.count;
	if (e == ERR_OK && keeps_back(r))
		e = add_kept_stays(db, r->id, text, now, KEPT_NEWCOMER, &house.room);
	for (size_t i = 0; e == ERR_OK && room_matters(&house.room) && i < day->count; i++) {
		struct slot_view *v = &day->slots[i];
		struct room_stay stay = {.party = party};
		int left;

		if (!zone_to_utc(r->zone, date, v->minute, &stay.starts_s))
			continue;
		stay.ends_s = stay.starts_s + room_sitting(&r->set, party) * INT64_C(60);
		left = room_left(&house.room, stay.starts_s, stay.ends_s);
		v->remaining = left < v->remaining ? left : v->remaining;
		v->available &= v->remaining >= party && room_fits(&house.room, &stay);
	}
	if (house.room.count > added) /* the house is remembered without */
		room_remove(&house.room, ROOM_KEPT);
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

/* A slot where nothing but its own sum and what is kept of it decide. */
static enum err look_at_one(struct db *db, const struct restaurant *r, struct date date, int minute, int party, int64_t now_s,
			    struct slot_view *out)
{
	char day[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE], now[CLOCK_ISO_SIZE];
	int64_t left = r->set.reservation_limit, taken, of_waiters = 0;
	struct sqlite3_stmt *s;
	bool keeps = false;
	enum err e;

	text_put_date(date, day);
	text_put_time(minute, time);
	clock_iso(now_s, now);
	*out = (struct slot_view){.minute = minute, .capacity = r->set.reservation_limit};
	s = stmt_use(db, SQL_SLOT_NOW, "ittt", r->id, day, time, now);
	while (stmt_row(db, s, &e)) {
		stmt_take(s, "inib", &out->slot_id, &out->capacity, &taken, &keeps);
		left = out->capacity - taken;
	}
	if (e == ERR_OK && keeps && keeps_back(r))
		e = kept_of_slot(db, r->id, day, time, now, KEPT_NEWCOMER, &of_waiters);
	left -= of_waiters;
	out->remaining = left > 0 ? (int)left : 0;
	out->available = left >= party;
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
	enum err e;

	assert(party > 0 && r->id > 0);
	e = restaurants_day(db, r->id, date, &out->hours);
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
	if (e == ERR_OK && keeps_back(r))
		e = kept_each(db, r->id, day, now, take_kept_off,
			      &(struct keeping){.date = day, .day = out, .asks = KEPT_NEWCOMER});
	if (e != ERR_OK)
		return e;
	for (size_t i = 0; i < out->count; i++) {
		struct slot_view *v = &out->slots[i];

		v->available = v->remaining >= party && r->paused_until_s <= now_s &&
			       hours_check(&r->set, &out->hours, r->zone, date, v->minute, now_s, &starts) == ERR_OK;
	}
	e = count_waiters(db, r->id, day, out);
	return e == ERR_OK ? fit_room(db, r, date, party, now_s, out) : e;
}

/* ---- inside a write transaction ---- */

static enum err find_slot(struct txn *t, int64_t restaurant_id, const char *date, const char *time, int64_t capacity)
{
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_SLOT_LEARN, "ittt", restaurant_id, date, time, t->now);
	int64_t keeps = 0;
	bool has_tables;
	enum err e;

	t->slot.id = 0;
	t->slot.capacity = capacity;
	t->slot.taken = 0;
	t->slot.no_tables = false;
	while (stmt_row(t->db, s, &e)) {
		stmt_take(s, "iitiib", &t->slot.id, &t->slot.capacity, t->slot.starts, sizeof t->slot.starts, &t->slot.taken,
			  &keeps, &has_tables);
		t->slot.no_tables = !has_tables;
	}
	if (e == ERR_OK && !t->slot.id)
		e = stmt_number(t->db, SQL_HOUSE_KEEPS, &keeps, "it", restaurant_id, t->now);
	t->slot.keeps = keeps != 0;
	t->slot.kept = 0;
	return e == ERR_OK && keeps ? kept_of_slot(t->db, restaurant_id, date, time, t->now, KEPT_NEWCOMER, &t->slot.kept) : e;
}

enum err slots_learn(struct txn *t, const struct ticket_want *w)
{
	enum err e;

	assert(w->restaurant_id > 0 && sizeof w->date == sizeof t->slot.date && sizeof w->time == sizeof t->slot.time);
	if (t->slot.restaurant_id == w->restaurant_id && strcmp(t->slot.date, w->date) == 0 &&
	    strcmp(t->slot.time, w->time) == 0)
		return ERR_OK;
	t->slot.restaurant_id = 0;
	e = txn_release_day(t, w->restaurant_id, w->date);
	if (e == ERR_OK)
		e = find_slot(t, w->restaurant_id, w->date, w->time, w->capacity);
	if (e != ERR_OK)
		return e;
	memcpy(t->slot.date, w->date, sizeof t->slot.date);
	memcpy(t->slot.time, w->time, sizeof t->slot.time);
	t->slot.restaurant_id = w->restaurant_id;
	return ERR_OK;
}

/* Does that time of that day begin at that instant, by the zone as it is now? */
static enum err check_instant(struct txn *t, int64_t starts_s)
{
	struct date date;
	char zone[64];
	int64_t instant = 0;
	int minute;
	enum err e = restaurants_zone(t->db, t->slot.restaurant_id, zone);

	if (e != ERR_OK)
		return e;
	return text_date(t->slot.date, &date) && text_time(t->slot.time, &minute) &&
			       zone_to_utc(zone, date, minute, &instant) && instant == starts_s ?
		       ERR_OK :
		       ERR_NO_SUCH_TIME;
}

enum err slots_create(struct txn *t, int64_t capacity, int64_t starts_s)
{
	char starts[CLOCK_ISO_SIZE];
	enum err e;

	assert(t->slot.restaurant_id);
	clock_iso(starts_s, starts);
	if (t->slot.id)
		return strcmp(starts, t->slot.starts) == 0 ? ERR_OK : ERR_NO_SUCH_TIME;
	e = check_instant(t, starts_s);
	if (e != ERR_OK)
		return e;
	memcpy(t->slot.starts, starts, sizeof starts);
	e = stmt_run(t->db, SQL_SLOT_ADD, "ittitt", t->slot.restaurant_id, t->slot.date, t->slot.time, capacity, t->now,
		     t->slot.starts);
	if (e == ERR_OK)
		t->slot.id = stmt_last_id(t->db);
	return e;
}

static enum err learn_house(struct txn *t, int64_t restaurant_id, const char *date, int seats)
{
	struct room *room = &t->house.room;
	struct date day;
	enum err e;

	assert(strlen(date) < sizeof t->house.date);
	if (t->house.restaurant_id == restaurant_id && strcmp(t->house.date, date) == 0 && room->seats == seats)
		return ERR_OK;
	room->seats = seats;
	t->house.restaurant_id = 0;
	t->house.with_kept = KEPT_PAST;
	e = txn_release_day(t, restaurant_id, date);
	if (t->slot.restaurant_id == restaurant_id && t->slot.no_tables)
		room->plan.table_count = room->plan.set_count = 0;
	else if (e == ERR_OK)
		e = restaurants_plan(t->db, restaurant_id, &room->plan);
	room_empty(room);
	if (e == ERR_OK && !text_date(date, &day))
		e = ERR_INTERNAL;
	if (e == ERR_OK && room_matters(room)) /* those of the day before may stay past midnight */
		e = read_stays(t->db, restaurant_id, text_days(day) - 1, text_days(day) + 1, t->now, "", room);
	if (e != ERR_OK)
		return e;
	strcpy(t->house.date, date);
	t->house.restaurant_id = restaurant_id;
	return ERR_OK;
}

enum err slots_find_room(struct txn *t, int64_t restaurant_id, const char *date, int seats, int64_t asks,
			 struct room_stay *stay, int *left, bool *fits)
{
	enum err e = learn_house(t, restaurant_id, date, seats);

	*left = ROOM_UNLIMITED;
	*fits = false;
	if (e == ERR_OK && t->house.with_kept != asks && (t->slot.keeps || t->house.with_kept != KEPT_PAST)) {
		if (t->house.with_kept != KEPT_PAST)
			room_remove(&t->house.room, ROOM_KEPT);
		t->house.with_kept = asks;
		e = asks == KEPT_PAST ? ERR_OK : add_kept_stays(t->db, restaurant_id, date, t->now, asks, &t->house.room);
	}
	if (e != ERR_OK)
		return e;
	if (stay->id) /* it gives back what it has */
		room_remove(&t->house.room, stay->id);
	*left = room_left(&t->house.room, stay->starts_s, stay->ends_s);
	*fits = (stay->table_count ? room_fits_at(&t->house.room, stay) : room_fits(&t->house.room, stay)) || WITHOUT("room");
	return ERR_OK;
}

enum err slots_find_tables(struct txn *t, int64_t restaurant_id, const char *date, struct room_stay *stay)
{
	struct room *room = &t->house.room;
	enum err e = learn_house(t, restaurant_id, date, ROOM_UNLIMITED);

	stay->table_count = 0;
	if (e != ERR_OK)
		return e;
	room_remove(room, stay->id);
	room_find_tables(room, stay);
	return room_add(room, stay) ? ERR_OK : ERR_NO_MEMORY;
}

enum err slots_could_fit(struct txn *t, int seats, int party, bool *could)
{
	enum err e;

	assert(t->slot.restaurant_id);
	e = learn_house(t, t->slot.restaurant_id, t->slot.date, seats);
	*could = e == ERR_OK && party <= t->slot.capacity && room_could_fit(&t->house.room, party);
	return e;
}

int64_t slots_note_stay(struct txn *t, const struct room_stay *stay)
{
	struct room *room = &t->house.room;
	int64_t of_slot = t->slot.capacity - t->slot.taken - t->slot.kept;
	int left;

	if (!room_matters(room))
		return of_slot;
	if (!room_add(room, stay))
		t->house.restaurant_id = 0; /* look again */
	left = room_left(room, stay->starts_s, stay->ends_s);
	return left < of_slot ? left : of_slot;
}
