/*
 * slots.c - what is free on a day.
 */
#include "slots.h"

#include "blocks.h"
#include "clock.h"
#include "failpoint.h"
#include "kept.h"
#include "openings.h"
#include "sitters.h"
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

/* The rules of today, and those by which a ticket was drawn. */
static struct room_rules rules_now(const struct restaurant *r, int64_t now_s)
{
	const struct settings *s = &r->set;

	return room_rules(restaurants_seats(r), s->buffer_minutes, s->staff_seats, s->staff_seats_hours, now_s);
}

static struct room_rules rules_of(const struct ticket_want *w, int64_t now_s)
{
	return room_rules(w->seats, w->buffer_minutes, w->staff_seats, w->staff_seats_hours, now_s);
}

/* Does what came free stay with those who wait for a while, or may it be passed on at once? */
static bool keeps_back(const struct restaurant *r)
{
	return !r->set.waitlist_skip && !WITHOUT("waiters");
}

/* What is kept of a day and sat on the seats of staff. */
struct adding {
	const char *date;
	struct slots_day *day;
	int *by_staff;
};

static void add_of_staff(void *arg, const struct kept_row *k)
{
	struct adding *a = arg;
	struct slot_view *v = k->stay.by_staff && kept_from(k, KEPT_NEWCOMER) && strcmp(k->date, a->date) == 0 ?
				      find(a->day, k->time) :
				      NULL;

	if (v)
		a->by_staff[v - a->day->slots] += k->stay.party;
}

/* Seats that are kept from guests online, where only those count who start. */
static enum err take_staff_seats_off(struct db *db, const struct restaurant *r, struct date date, int64_t now_s,
				     struct slots_day *day)
{
	struct room_rules rules = rules_now(r, now_s);
	char text[TEXT_DATE_SIZE], now[CLOCK_ISO_SIZE];
	int by_staff[HOURS_TIMES_MAX] = {0};
	struct adding added = {.date = text, .day = day, .by_staff = by_staff};
	struct sqlite3_stmt *s;
	enum err e;

	if (!rules.staff_seats || rules.seats < ROOM_UNLIMITED)
		return ERR_OK;
	text_put_date(date, text);
	clock_iso(now_s, now);
	s = stmt_use(db, SQL_SLOTS_BY_STAFF, "itt", r->id, text, now);
	while (stmt_row(db, s, &e)) {
		struct slot_view *v;
		const char *time;
		int party;

		stmt_take(s, "wn", &time, &party);
		v = find(day, time);
		if (v)
			by_staff[v - day->slots] += party;
	}
	if (e == ERR_OK && keeps_back(r))
		e = kept_each(db, r->id, text, now, add_of_staff, &added);
	for (size_t i = 0; i < day->count && e == ERR_OK; i++) {
		struct slot_view *v = &day->slots[i];
		int kept = room_kept_from(&rules, ROOM_ONLINE, v->starts_s, by_staff[i]);

		v->remaining = v->remaining > kept ? v->remaining - kept : 0;
	}
	return e;
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

	stmt_take(s, "immnib", &next.id, &next.starts_s, &next.ends_s, &next.party, &table, &next.by_staff);
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

/*
 * Adds who is in the house on these days and has not left at that instant.  with_night: those too who came after midnight of the
 * evening before the first day.  (Nobody stays longer than a day.)
 */
static enum err read_stays(struct db *db, int64_t restaurant, int64_t first, int64_t last, bool with_night, const char *now,
			   const char *from, struct room *room)
{
	struct room_stay stay = {0};
	bool enough = true;
	struct sqlite3_stmt *s = stmt_use(db, SQL_STAYS_BETWEEN, "idtdtt", restaurant, text_from_days(first - with_night),
					  with_night ? "24:00" : "", text_from_days(last), now, from);
	enum err e;

	while (stmt_row(db, s, &e))
		enough &= take_stay(room, s, &stay);
	if (e == ERR_OK && stay.id)
		enough &= room_add(room, &stay);
	return e == ERR_OK && !enough ? ERR_NO_MEMORY : e;
}

enum err slots_read_stays(struct db *db, int64_t restaurant, int64_t first, int64_t last, const char *now, const char *from,
			  struct room *room)
{
	return read_stays(db, restaurant, first, last, true, now, from, room);
}

enum { EAST_S = 14 * 3600 }; /* no clock on earth is further ahead of UTC */
enum { SPAN_DAYS = 5 };      /* of which the house is remembered: a month is read day by day, and memory stays small */

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
 * The house around that day, by these rules, in house.room: who was there the day before may stay past midnight
 * (the instant `from`), and until_day is where the stays that are asked for end.  What was read for another day is not read
 * again, so a month reads every stay about once.
 */
static enum err read_house(struct db *db, int64_t restaurant, int64_t day, int64_t until_day, const char *from,
			   const struct room_rules *rules, int64_t now_s)
{
	char now[CLOCK_ISO_SIZE];
	enum err e = begin_house(db, restaurant, now_s);

	house.room.rules = *rules;
	if (e == ERR_OK)
		e = blocks_look(db, restaurant, day, &house.room);
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
	e = read_stays(db, restaurant, house.last + 1, until_day, house.last < house.first, now, from, &house.room);
	house.last = until_day;
	if (e != ERR_OK)
		house.db = NULL;
	return e;
}

/* Tables at which a party sits, its time over or not, are not for who walks in: a block that the caller takes back. */
static enum err block_sat_at(struct db *db, int64_t restaurant_id, int64_t now_s, const struct room_stay *stay,
			     struct room *room)
{
	int64_t ids[SEATS_TABLES_MAX];
	int count = 0;
	enum err e = room->plan.table_count ? sitters_tables(db, restaurant_id, now_s, ids, SEATS_TABLES_MAX, &count) : ERR_OK;

	if (e != ERR_OK || !count)
		return e;
	return room_block(room, &(struct room_block){.starts_s = stay->starts_s, .ends_s = stay->ends_s}, ids, (size_t)count) ?
		       ERR_OK :
		       ERR_NO_MEMORY;
}

enum err slots_longest_stay(struct db *db, const struct ticket_want *w, const struct room_stay *wish, int64_t now_s,
			    int *minutes)
{
	struct room_rules rules = rules_of(w, now_s);
	struct room_stay stay = *wish;
	size_t blocks;
	struct date day;
	enum err e = ERR_OK;

	*minutes = 0;
	if (!text_date(w->date, &day))
		return ERR_INTERNAL;
	e = read_house(db, w->restaurant_id, text_days(day), text_days(day) + 2, "", &rules, now_s);
	blocks = house.room.block_count;
	if (e == ERR_OK && !wish->table_count)
		e = block_sat_at(db, w->restaurant_id, now_s, wish, &house.room);
	for (int n = (int)(wish->ends_s - wish->starts_s) / 60; e == ERR_OK && n >= SLOTS_SHORTEST && !*minutes; n--) {
		stay.ends_s = stay.starts_s + n * INT64_C(60);
		if (wish->table_count ? room_fits_at(&house.room, ROOM_WALK_IN, &stay) == ROOM_FITS :
					room_fits(&house.room, ROOM_WALK_IN, &stay))
			*minutes = n;
	}
	if (e == ERR_OK)
		house.room.block_count = blocks;
	return e;
}

enum err slots_house(struct db *db, const struct ticket_want *w, int64_t self, int64_t now_s, const struct room **out)
{
	struct room_rules rules = rules_of(w, now_s);
	struct date day;
	enum err e;

	*out = &house.room;
	if (!text_date(w->date, &day))
		return ERR_INTERNAL;
	e = read_house(db, w->restaurant_id, text_days(day), text_days(day) + 2, "", &rules, now_s);
	house.db = NULL; /* the next question finds it whole */
	if (e == ERR_OK && self)
		room_remove(&house.room, self);
	return e;
}

static int64_t end_of(const struct slot_view *v)
{
	return v->starts_s + v->sitting_minutes * INT64_C(60);
}

/* Reads the house for the stays that may begin on that day: up to the day on which the last of them ends. */
static enum err read_house_of_day(struct db *db, const struct restaurant *r, struct date date, int64_t now_s,
				  const struct slots_day *day)
{
	int64_t days = text_days(date), until = days, midnight, last_s = 0;
	struct room_rules rules = rules_now(r, now_s);
	char from[CLOCK_ISO_SIZE] = "";

	if (zone_to_utc(r->zone, date, 0, &midnight)) /* a table that is left before midnight may still be at rest */
		clock_iso(midnight - rules.buffer_s, from);
	for (size_t i = 0; i < day->count; i++)
		last_s = end_of(&day->slots[i]) > last_s ? end_of(&day->slots[i]) : last_s;
	while (until < days + 2 &&
	       (!zone_to_utc(r->zone, text_from_days(until + 1), 0, &midnight) || last_s + rules.buffer_s > midnight))
		until++;
	return read_house(db, r->id, days, until, from, &rules, now_s);
}

/*
 * The largest party that could begin at that time, where so many may start; `stay` is that of one guest.  Who is online is
 * bound to the sizes of the service.
 */
static int largest_party(const struct settings *set, const struct slot_view *v, enum room_who who, int may_start)
{
	int64_t large_s = v->starts_s + set->sitting_large_minutes * INT64_C(60);
	int free = room_free(&house.room, who, v->starts_s, v->starts_s + room_sitting(set, 1) * INT64_C(60)), most = free;
	bool online = who == ROOM_ONLINE;

	if (large_s > v->starts_s && room_free(&house.room, who, v->starts_s, large_s) > most)
		most = room_free(&house.room, who, v->starts_s, large_s);
	for (size_t i = 0; i < house.room.plan.set_count; i++) /* joined tables may seat more than each of them */
		most = house.room.plan.sets[i].seats_max > most && free ? house.room.plan.sets[i].seats_max : most;
	most = most < may_start ? most : may_start;
	for (int party = online && most > set->party_max ? set->party_max : most; party >= (online ? set->party_min : 1);
	     party--) {
		struct room_stay stay = {.party = party, .starts_s = v->starts_s};

		stay.ends_s = stay.starts_s + room_sitting(set, party) * INT64_C(60);
		if (room_fits(&house.room, who, &stay))
			return party;
	}
	return 0;
}

/* What is left at each time; may_start: at those that may be booked.  The house of that day has been read. */
static void sum_up(const struct restaurant *r, const struct slots_day *day, enum room_who who, const int *may_start,
		   struct slots_free *out)
{
	const struct hours_span *span = NULL;
	struct settings set = r->set;

	for (size_t i = 0; i < day->count; i++) {
		const struct slot_view *v = &day->slots[i];
		int free;

		if (v->span != span)
			hours_settings(&r->set, v->span, &set);
		span = v->span;
		free = room_free(&house.room, who, v->starts_s, v->starts_s + room_sitting(&set, 1) * INT64_C(60));
		out[i] = (struct slots_free){.largest = largest_party(&set, v, who, may_start[i])};
		out[i].seats = free < may_start[i] ? free : may_start[i];
		if (out[i].seats < out[i].largest || !out[i].largest)
			out[i].seats = out[i].largest;
	}
}

/* Seats and tables of the whole house: a slot is available only if the party fits from its beginning to its end. */
static enum err fit_room(struct db *db, const struct restaurant *r, struct date date, int party, enum room_who who,
			 int64_t now_s, struct slots_day *day, struct slots_free *sums)
{
	char text[TEXT_DATE_SIZE], now[CLOCK_ISO_SIZE];
	int may_start[HOURS_TIMES_MAX];
	size_t added;
	enum err e = read_house_of_day(db, r, date, now_s, day);

	text_put_date(date, text);
	clock_iso(now_s, now);
	added = house.room.count;
	if (e == ERR_OK && who == ROOM_ONLINE && keeps_back(r))
		e = add_kept_stays(db, r->id, text, now, KEPT_NEWCOMER, &house.room);
	for (size_t i = 0; i < day->count; i++)
		may_start[i] = who == ROOM_ONLINE && !day->slots[i].begins ? 0 : day->slots[i].remaining;
	for (size_t i = 0; e == ERR_OK && (room_matters(&house.room) || house.room.block_count) && i < day->count; i++) {
		struct slot_view *v = &day->slots[i];
		struct room_stay stay = {.party = party, .starts_s = v->starts_s, .ends_s = end_of(v)};
		int left;

		v->blocked = room_blocked(&house.room, who, stay.starts_s, stay.ends_s);
		left = room_left(&house.room, who, stay.starts_s, stay.ends_s);
		v->remaining = left < v->remaining ? left : v->remaining;
		v->available &= v->remaining >= party && room_fits(&house.room, who, &stay);
	}
	if (e == ERR_OK && sums)
		sum_up(r, day, who, may_start, sums);
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
static enum err look_at_one(struct db *db, const struct restaurant_day *day, int minute, int party, int64_t now_s,
			    struct slot_view *out)
{
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE], now[CLOCK_ISO_SIZE];
	const struct restaurant *r = &day->restaurant;
	struct txn_kept of_waiters = {0};
	int64_t left, taken;
	struct sqlite3_stmt *s;
	struct settings set;
	bool keeps = false;
	enum err e;

	text_put_date(day->date, date);
	text_put_time(minute, time);
	clock_iso(now_s, now);
	hours_settings(&r->set, hours_service(&day->hours, &r->set, minute), &set);
	left = set.reservation_limit;
	*out = (struct slot_view){.minute = minute, .capacity = set.reservation_limit};
	s = stmt_use(db, SQL_SLOT_NOW, "ittt", r->id, date, time, now);
	while (stmt_row(db, s, &e)) {
		stmt_take(s, "inib", &out->slot_id, &out->capacity, &taken, &keeps);
		left = out->capacity - taken;
	}
	if (e == ERR_OK && keeps && keeps_back(r))
		e = kept_of_slot(db, r->id, date, time, now, KEPT_NEWCOMER, &of_waiters);
	left -= of_waiters.people;
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
	bool blocks = false;
	enum err e = book_version(db, &version);

	assert(party > 0);
	if (e != ERR_OK)
		return e;
	e = blocks_any(db, r->id, &blocks);
	if (e != ERR_OK)
		return e;
	if (!day->has_tables && !blocks && !r->set.staff_seats && restaurants_seats(r) == ROOM_UNLIMITED &&
	    !is_kept(db, version, r, day->date, party, now_s))
		return look_at_one(db, day, minute, party, now_s, out);
	e = slots_of_day_kept(db, r, day->date, party, now_s, &slots);
	v = e == ERR_OK ? slots_at(slots, minute) : NULL;
	*out = v ? *v : (struct slot_view){.minute = minute, .available = true};
	return e;
}

/* The times of that day, each by the settings of its service, before anybody has come. */
static void list_times(const struct restaurant *r, struct date date, int party, struct slots_day *out)
{
	struct hours_time times[HOURS_TIMES_MAX];
	const struct hours_span *span = NULL;
	struct settings set = r->set;

	out->count = hours_times(&out->hours, r->set.slot_minutes, r->zone, date, times);
	for (size_t i = 0; i < out->count; i++) {
		struct slot_view *v = &out->slots[i];

		if (times[i].span != span)
			hours_settings(&r->set, times[i].span, &set);
		span = times[i].span;
		*v = (struct slot_view){
			.minute = times[i].minute,
			.span = span,
			.sitting_minutes = room_sitting(&set, party),
			.capacity = set.reservation_limit,
			.remaining = set.reservation_limit,
		};
		zone_to_utc(r->zone, date, v->minute, &v->starts_s);
	}
}

/* sums: for each time what is left of it, or NULL. */
static enum err look_at_day(struct db *db, const struct restaurant *r, struct date date, int party, enum room_who who,
			    int64_t now_s, struct slots_day *out, struct slots_free *sums)
{
	char day[TEXT_DATE_SIZE], now[CLOCK_ISO_SIZE];
	int64_t starts;
	enum err e;

	assert(party > 0 && r->id > 0);
	e = restaurants_day(db, r->id, date, &out->hours);
	if (e != ERR_OK)
		return e;
	list_times(r, date, party, out);
	text_put_date(date, day);
	clock_iso(now_s, now);
	e = count_seats(db, r->id, day, now, out);
	if (e == ERR_OK && who == ROOM_ONLINE)
		e = take_staff_seats_off(db, r, date, now_s, out);
	if (e == ERR_OK && who == ROOM_ONLINE && keeps_back(r))
		e = kept_each(db, r->id, day, now, take_kept_off,
			      &(struct keeping){.date = day, .day = out, .asks = KEPT_NEWCOMER});
	if (e != ERR_OK)
		return e;
	e = openings_look(db, r, date, now_s, &out->open, &out->opens_s);
	if (e != ERR_OK)
		return e;
	for (size_t i = 0; i < out->count; i++) {
		struct slot_view *v = &out->slots[i];

		v->begins = out->open == ERR_OK && r->paused_until_s <= now_s &&
			    hours_check(&r->set, &out->hours, r->zone, date, v->minute, now_s, &starts) == ERR_OK;
		v->available = v->begins && v->remaining >= party && hours_takes(v->span, party);
	}
	e = count_waiters(db, r->id, day, out);
	return e == ERR_OK ? fit_room(db, r, date, party, who, now_s, out, sums) : e;
}

enum err slots_of_day(struct db *db, const struct restaurant *r, struct date date, int party, int64_t now_s,
		      struct slots_day *out)
{
	return look_at_day(db, r, date, party, ROOM_ONLINE, now_s, out, NULL);
}

enum err slots_for_desk(struct db *db, const struct restaurant *r, struct date date, int64_t now_s, struct slots_desk *out)
{
	enum err e = look_at_day(db, r, date, 1, ROOM_ONLINE, now_s, &out->day, out->online);

	return e == ERR_OK ? look_at_day(db, r, date, 1, ROOM_STAFF, now_s, &out->day, out->staff) : e;
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
	t->slot.kept = (struct txn_kept){0};
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

/*
 * The house of that day, for stays that end by that instant; the plan and the stays are read once for a transaction.  A stay that
 * ends after the day that follows, in any zone, began after midnight and lasts long: then a day more is looked at.
 */
static enum err learn_house(struct txn *t, int64_t restaurant_id, const char *date, int64_t ends_s,
			    const struct room_rules *rules)
{
	struct room *room = &t->house.room;
	struct date day;
	bool same, by_night;
	enum err e;

	assert(strlen(date) < sizeof t->house.date);
	if (!text_date(date, &day))
		return ERR_INTERNAL;
	by_night = ends_s > (text_days(day) + 2) * 86400 - EAST_S;
	same = t->house.restaurant_id == restaurant_id && strcmp(t->house.date, date) == 0 &&
	       room->rules.seats == rules->seats && t->house.by_night >= by_night;
	room->rules = *rules;
	if (same)
		return ERR_OK;
	t->house.restaurant_id = 0;
	t->house.with_kept = KEPT_PAST;
	e = txn_release_day(t, restaurant_id, date);
	if (t->slot.restaurant_id == restaurant_id && t->slot.no_tables)
		room->plan.table_count = room->plan.set_count = 0;
	else if (e == ERR_OK)
		e = restaurants_plan(t->db, restaurant_id, &room->plan);
	room_empty(room);
	if (e == ERR_OK)
		e = blocks_look(t->db, restaurant_id, text_days(day), room);
	if (e == ERR_OK && room_matters(room)) /* those of the day before may stay past midnight */
		e = read_stays(t->db, restaurant_id, text_days(day) - 1, text_days(day) + 1 + by_night, true, t->now, "", room);
	if (e != ERR_OK)
		return e;
	strcpy(t->house.date, date);
	t->house.by_night = by_night;
	t->house.restaurant_id = restaurant_id;
	return ERR_OK;
}

enum err slots_left(struct txn *t, const struct ticket_want *w, enum room_who who, const struct txn_kept *of_waiters,
		    int64_t *left)
{
	struct room_rules rules = rules_of(w, t->now_s);
	int64_t by_staff = 0;
	enum err e = ERR_OK;

	assert(t->slot.restaurant_id == w->restaurant_id);
	*left = t->slot.capacity - t->slot.taken - of_waiters->people;
	if (w->seats < ROOM_UNLIMITED || !room_kept_from(&rules, who, w->starts_s, 0))
		return ERR_OK;
	if (t->slot.id)
		e = stmt_number(t->db, SQL_SLOT_BY_STAFF, &by_staff, "i", t->slot.id);
	*left -= room_kept_from(&rules, who, w->starts_s, (int)(by_staff + of_waiters->by_staff));
	return e;
}

static enum err set_kept(struct txn *t, int64_t restaurant_id, const char *date, int64_t asks)
{
	if (t->house.with_kept == asks || (!t->slot.keeps && t->house.with_kept == KEPT_PAST))
		return ERR_OK;
	if (t->house.with_kept != KEPT_PAST)
		room_remove(&t->house.room, ROOM_KEPT);
	t->house.with_kept = asks;
	return asks == KEPT_PAST ? ERR_OK : add_kept_stays(t->db, restaurant_id, date, t->now, asks, &t->house.room);
}

static enum err word_of(enum room_why why)
{
	static const enum err words[] = {
		[ROOM_FITS] = ERR_OK,
		[ROOM_BLOCKED] = ERR_TIME_BLOCKED,
		[ROOM_NO_SUCH_TABLE] = ERR_WRONG_TABLE,
		[ROOM_TOO_SMALL] = ERR_TABLE_TOO_SMALL,
		[ROOM_TAKEN] = ERR_TABLE_TAKEN,
		[ROOM_FULL] = ERR_SLOT_FULL,
	};

	return words[why];
}

/* Whichever tables fit. */
static enum err find_any(struct txn *t, const struct ticket_want *w, enum room_who who, struct room_stay *stay, enum err *why)
{
	struct room *room = &t->house.room;
	size_t blocks = room->block_count;
	enum err e = who == ROOM_WALK_IN ? block_sat_at(t->db, w->restaurant_id, t->now_s, stay, room) : ERR_OK;

	if (e == ERR_OK && (room_fits(room, who, stay) || WITHOUT("room")))
		*why = ERR_OK;
	room->block_count = blocks;
	return e;
}

enum err slots_find_room(struct txn *t, const struct ticket_want *w, enum room_who who, int64_t asks, struct room_stay *stay,
			 int *left, enum err *why)
{
	struct room_rules rules = rules_of(w, t->now_s);
	struct room *room = &t->house.room;
	enum err e = learn_house(t, w->restaurant_id, w->date, stay->ends_s, &rules);

	*left = ROOM_UNLIMITED;
	*why = ERR_SLOT_FULL;
	if (e == ERR_OK)
		e = set_kept(t, w->restaurant_id, w->date, asks);
	if (e != ERR_OK)
		return e;
	if (stay->id) /* it gives back what it has */
		room_remove(room, stay->id);
	*left = room_left(room, who, stay->starts_s, stay->ends_s);
	if (!stay->table_count)
		e = find_any(t, w, who, stay, why);
	else
		*why = WITHOUT("room") ? ERR_OK : word_of(room_fits_at(room, who, stay));
	if (*why != ERR_OK && room_blocked(room, who, stay->starts_s, stay->ends_s))
		*why = ERR_TIME_BLOCKED;
	return e;
}

enum err slots_sit_beside(struct txn *t, const struct ticket_want *w, const struct room_stay *stay, int64_t id, int64_t table)
{
	struct room_rules rules = rules_of(w, t->now_s);
	enum err e = learn_house(t, w->restaurant_id, w->date, stay->ends_s, &rules);

	if (e == ERR_OK)
		room_beside(&t->house.room, id, table);
	return e;
}

enum err slots_is_blocked(struct txn *t, const struct ticket_want *w, enum room_who who, bool *blocked)
{
	struct room_rules rules = rules_of(w, t->now_s);
	enum err e = learn_house(t, w->restaurant_id, w->date, 0, &rules);

	*blocked = e == ERR_OK &&
		   room_blocked(&t->house.room, who, w->starts_s, w->starts_s + w->sitting_minutes * INT64_C(60));
	return e;
}

enum err slots_find_tables(struct txn *t, int64_t restaurant_id, const char *date, struct room_stay *stay)
{
	struct room_rules rules = room_rules(ROOM_UNLIMITED, 0, 0, 0, t->now_s);
	struct room *room = &t->house.room;
	enum err e = learn_house(t, restaurant_id, date, stay->ends_s, &rules);

	stay->table_count = 0;
	if (e != ERR_OK)
		return e;
	room_remove(room, stay->id);
	room_find_tables(room, stay);
	return room_add(room, stay) ? ERR_OK : ERR_NO_MEMORY;
}

enum err slots_could_fit(struct txn *t, const struct ticket_want *w, enum room_who who, bool *could)
{
	struct room_rules rules = rules_of(w, t->now_s);
	enum err e;

	assert(t->slot.restaurant_id == w->restaurant_id);
	e = learn_house(t, t->slot.restaurant_id, t->slot.date, 0, &rules);
	*could = e == ERR_OK && w->party <= t->slot.capacity && room_could_fit(&t->house.room, who, w->party);
	return e;
}

enum err slots_note_stay(struct txn *t, const struct ticket_want *w, const struct room_stay *stay, int64_t *left)
{
	struct room *room = &t->house.room;
	enum err e = slots_left(t, w, ROOM_ONLINE, &t->slot.kept, left);
	int of_house;

	if (e != ERR_OK || !room_matters(room))
		return e;
	if (!room_add(room, stay))
		t->house.restaurant_id = 0; /* look again */
	of_house = room_left(room, ROOM_ONLINE, stay->starts_s, stay->ends_s);
	*left = of_house < *left ? of_house : *left;
	return ERR_OK;
}
