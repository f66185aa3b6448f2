/*
 * house.c - what the owner changes.
 */
#include "house.h"

#include "currency.h"
#include "offers.h"
#include "services.h"
#include "slots.h"
#include "zone.h"

#include <assert.h>
#include <string.h>

enum { STEPS = 9, SLOTS_AT_ONCE = 200, SEATED_AT_ONCE = 50 };

/* The statements of each change, in order; 0 ends them. */
static const enum sql_id steps[HOUSE__PARTS][STEPS] = {
	[HOUSE_SETTINGS] = {SQL_HOUSE_SET, SQL_HOUSE_RULES},
	[HOUSE_HOURS] = {SQL_HOURS_CLEAR, SQL_HOURS_PUT},
	[HOUSE_SPECIAL_DAY] = {SQL_SPECIAL_CLEAR, SQL_SPECIAL_PUT},
	[HOUSE_MENU] = {SQL_MENU_DROP, SQL_MENU_SET, SQL_MENU_PUT},
	[HOUSE_OPENINGS] = {SQL_OPENINGS_DROP, SQL_OPENINGS_PUT},
	[HOUSE_TABLES] = {SQL_TABLES_DROP, SQL_TABLES_RENAME, SQL_TABLES_SET, SQL_TABLES_PUT, SQL_SETS_DROP, SQL_SETS_SET,
			  SQL_SETS_PUT, SQL_SET_MEMBERS_PUT},
};

/* How many rows a change names that are not there any more, or twice; 0: none can be. */
static const enum sql_id strangers[HOUSE__PARTS] = {[HOUSE_MENU] = SQL_MENU_STRANGERS, [HOUSE_TABLES] = SQL_TABLES_STRANGERS};

/* ---- another time zone ---- */

/* The instant at which that time of that day begins there; "" where the clock skips it. */
static void begins(const char *zone, const char *date, const char *time, char out[CLOCK_ISO_SIZE])
{
	struct date day;
	int64_t starts_s;
	int minute;

	out[0] = '\0';
	if (text_date(date, &day) && text_time(time, &minute) && zone_to_utc(zone, day, minute, &starts_s))
		clock_iso(starts_s, out);
}

/* The new zone, "" when there is none; *upcoming counts those to come who were promised another instant than it has. */
static enum err check_zone(struct txn *t, int64_t restaurant_id, const char *json, char zone[64], int64_t *upcoming)
{
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_ZONE_NEW, "it", restaurant_id, json);
	const char *date, *time, *promised;
	char starts[CLOCK_ISO_SIZE];
	enum err e;

	zone[0] = '\0';
	e = stmt_get(t->db, s, ERR_OK, "t", zone, (size_t)64);
	if (e != ERR_OK || !*zone)
		return e;
	s = stmt_use(t->db, SQL_ZONE_UPCOMING, "it", restaurant_id, t->now);
	while (stmt_row(t->db, s, &e)) {
		stmt_take(s, "www", &date, &time, &promised);
		begins(zone, date, time, starts);
		*upcoming += strcmp(starts, promised) != 0;
	}
	return e == ERR_OK && *upcoming ? ERR_ZONE_IN_USE : e;
}

/* Up to SLOTS_AT_ONCE slots from the number *last on, of which the one after them is the next. */
static enum err move_some(struct txn *t, int64_t restaurant_id, const char *zone, int64_t *last, size_t *count)
{
	struct {
		int64_t id;
		char starts[CLOCK_ISO_SIZE];
	} slots[SLOTS_AT_ONCE];
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_SLOTS_TO_COME, "itii", restaurant_id, t->now, *last,
					  (int64_t)SLOTS_AT_ONCE);
	const char *date, *time;
	size_t n = 0;
	enum err e;

	while (stmt_row(t->db, s, &e)) {
		stmt_take(s, "iww", last, &date, &time);
		slots[n].id = *last;
		begins(zone, date, time, slots[n++].starts);
	}
	for (size_t i = 0; i < n && e == ERR_OK; i++)
		if (*slots[i].starts)
			e = stmt_run(t->db, SQL_SLOT_MOVE, "itt", slots[i].id, slots[i].starts, t->now);
	*count = n;
	return e;
}

/* Slots that were booked and are empty again move along; what lies in the past stays as it was. */
static enum err move_slots(struct txn *t, int64_t restaurant_id, const char *zone)
{
	int64_t last = 0;
	size_t n = SLOTS_AT_ONCE;
	enum err e = stmt_run(t->db, SQL_RESTAURANT_OFFSET_SET, "ii", restaurant_id,
			      (int64_t)zone_offset_minutes(zone, t->now_s));

	while (n == SLOTS_AT_ONCE && e == ERR_OK)
		e = move_some(t, restaurant_id, zone, &last, &n);
	return e;
}

/* ---- another currency ---- */

/* What the change makes of it; was is "" where the currency stays. */
struct coin {
	char was[4], is[4];
};

/* Amounts in the old one would be added to amounts in the new one: none may be open. */
static enum err check_currency(struct txn *t, int64_t restaurant_id, const char *json, struct coin *coin,
			       struct house_open *open)
{
	enum err e;

	*coin = (struct coin){0};
	e = stmt_get(t->db, stmt_use(t->db, SQL_CURRENCY_OPEN, "itt", restaurant_id, json, t->now), ERR_OK, "ttii", coin->was,
		     sizeof coin->was, coin->is, sizeof coin->is, &open->upcoming, &open->due_back);
	return e == ERR_OK && (open->upcoming || open->due_back) ? ERR_CURRENCY_IN_USE : e;
}

/* Prices and deposits keep the number that people read, whatever the digits of the new currency. */
static enum err scale(struct txn *t, int64_t restaurant_id, const struct coin *coin)
{
	static const enum sql_id all[] = {SQL_CURRENCY_SCALE, SQL_CURRENCY_SCALE_HOURS, SQL_CURRENCY_SCALE_DAYS,
					  SQL_CURRENCY_SCALE_MENU};
	int64_t was = currency_units(coin->was), is = currency_units(coin->is), largest = 0;
	enum err e = ERR_OK;

	if (was == is)
		return ERR_OK;
	e = stmt_number(t->db, SQL_CURRENCY_LARGEST, &largest, "iii", restaurant_id, is, was);
	if (e == ERR_OK && largest > HOUSE_AMOUNT_MAX)
		e = ERR_OUT_OF_RANGE;
	for (size_t i = 0; i < sizeof all / sizeof all[0] && e == ERR_OK; i++)
		e = stmt_run(t->db, all[i], "iii", restaurant_id, is, was);
	return e;
}

/* ---- tables for those who were booked before ---- */

static enum err give_tables(struct txn *t, int64_t restaurant_id, const char *actor, const char *date, struct room_stay *stay)
{
	enum err e = slots_find_tables(t, restaurant_id, date, stay);

	for (size_t i = 0; i < stay->table_count && e == ERR_OK; i++)
		e = stmt_run(t->db, SQL_TABLE_TAKE, "iimm", stay->id, stay->tables[i], stay->starts_s, stay->ends_s);
	if (e == ERR_OK && stay->table_count)
		e = stmt_run(t->db, SQL_TABLE_GIVE, "iitt", stay->id, stay->tables[0], actor, t->now);
	return e;
}

/* The next of them from the number *last on, this many at most. */
static enum err seat_some(struct txn *t, int64_t restaurant_id, const char *actor, int64_t *last)
{
	struct {
		struct room_stay stay;
		char date[TEXT_DATE_SIZE];
	} found[SEATED_AT_ONCE];
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_WITHOUT_TABLE, "itii", restaurant_id, t->now, *last,
					  (int64_t)SEATED_AT_ONCE);
	size_t n = 0;
	enum err e;

	while (stmt_row(t->db, s, &e)) {
		struct room_stay *stay = &found[n].stay;

		*stay = (struct room_stay){0};
		stmt_take(s, "immnt", &stay->id, &stay->starts_s, &stay->ends_s, &stay->party, found[n].date,
			  sizeof found[n].date);
		*last = stay->id;
		n += stay->starts_s && stay->starts_s < stay->ends_s;
	}
	for (size_t i = 0; i < n && e == ERR_OK; i++)
		e = give_tables(t, restaurant_id, actor, found[i].date, &found[i].stay);
	return e;
}

/*
 * A house gets its first tables, or more: the reservations to come that have none sit down in the order of their making.  For
 * whom none is left, seats are kept free (room.c), and the owner is told.
 */
static enum err seat_all(struct txn *t, int64_t restaurant_id, const char *actor)
{
	int64_t last = 0, before;
	enum err e;

	txn_forget(t); /* the tables are others now */
	do {
		before = last;
		e = seat_some(t, restaurant_id, actor, &last);
	} while (last > before && e == ERR_OK);
	txn_forget(t);
	return e;
}

/* ---- room that the house makes ---- */

/* How many a house may seat, at what and for how long. */
struct size {
	struct settings set;
	int seats; /* that may be taken at once */
	struct seats_plan plan;
};

static enum err measure(struct db *db, int64_t restaurant_id, struct size *out)
{
	struct restaurant r;
	enum err e = restaurants_get(db, restaurant_id, &r);

	if (e != ERR_OK)
		return e;
	out->set = r.set;
	out->seats = restaurants_seats(&r);
	return restaurants_plan(db, restaurant_id, &out->plan);
}

/* Is there a table, or a join of them, that was not there before or seats more now? */
static bool has_more_tables(const struct seats_plan *before, const struct seats_plan *after)
{
	if (after->set_count > before->set_count || (before->table_count && !after->table_count))
		return true;
	for (size_t i = 0; i < after->table_count; i++) {
		size_t k = 0;

		while (k < before->table_count && before->tables[k].id != after->tables[i].id)
			k++;
		if (k == before->table_count || after->tables[i].seats_max > before->tables[k].seats_max ||
		    after->tables[i].open_to < before->tables[k].open_to)
			return true;
	}
	for (size_t i = 0; i < after->set_count; i++)
		if (after->sets[i].seats_max > before->sets[i].seats_max)
			return true;
	return false;
}

/*
 * More may come, or sit, or they stay for a shorter time.  Only then those who wait have another chance of half an hour: not
 * each time that the owner saves a word of the settings.
 */
static bool makes_room(const struct size *before, const struct size *after)
{
	const struct settings *was = &before->set, *is = &after->set;

	return is->reservation_limit > was->reservation_limit || after->seats > before->seats ||
	       room_sitting(is, 1) < room_sitting(was, 1) || room_sitting(is, 1000) < room_sitting(was, 1000) ||
	       (is->sitting_large_minutes && is->sitting_large_from > was->sitting_large_from) ||
	       is->buffer_minutes < was->buffer_minutes || is->staff_seats < was->staff_seats ||
	       is->staff_seats_hours > was->staff_seats_hours || has_more_tables(&before->plan, &after->plan);
}

/* ---- one change ---- */

static enum err take_steps(struct txn *t, enum house_part part, int64_t restaurant_id, const char *json, const char *actor,
			   struct house_open *open)
{
	int64_t strange = 0;
	char zone[64] = "";
	struct coin coin = {0};
	enum err e = ERR_OK;

	if (part == HOUSE_SETTINGS)
		e = check_zone(t, restaurant_id, json, zone, &open->upcoming);
	if (e == ERR_OK && part == HOUSE_SETTINGS)
		e = check_currency(t, restaurant_id, json, &coin, open);
	if (e == ERR_OK && *coin.was)
		e = scale(t, restaurant_id, &coin); /* before the steps: deposits that the change names are in the new one */
	if (e == ERR_OK && strangers[part])
		e = stmt_number(t->db, strangers[part], &strange, "it", restaurant_id, json);
	if (e == ERR_OK && strange)
		e = ERR_STALE;
	for (int i = 0; i < STEPS && steps[part][i] && e == ERR_OK; i++)
		e = stmt_run(t->db, steps[part][i], "it", restaurant_id, json);
	if (e == ERR_OK && *coin.was)
		e = stmt_run(t->db, SQL_CURRENCY_FOLLOW, "it", restaurant_id, t->now);
	if (e == ERR_OK && part == HOUSE_TABLES)
		e = seat_all(t, restaurant_id, actor);
	return e == ERR_OK && *zone ? move_slots(t, restaurant_id, zone) : e;
}

/* Hours and special days: what follows from them. */
static enum err change_services(struct txn *t, enum house_part part, int64_t restaurant_id, const char *json, const char *actor,
				struct house_open *open)
{
	struct services_slots slots = {0};
	bool more = false;
	enum err e = services_learn(t, restaurant_id, &slots);

	if (e == ERR_OK)
		e = take_steps(t, part, restaurant_id, json, actor, open);
	if (e == ERR_OK)
		e = services_check(t, restaurant_id, open->day);
	if (e == ERR_OK)
		e = services_follow(t, &slots, &more);
	if (more)
		t->opened_new = restaurant_id;
	services_free(&slots);
	txn_forget(t); /* slots let others start than it may remember */
	return e;
}

enum err house_write(struct db *db, enum house_part part, int64_t restaurant_id, const char *json, const char *actor,
		     struct house_open *open)
{
	static struct size before, after; /* static for their size only */
	struct txn t;
	enum err e = txn_begin(&t, db, clock_now_s());

	assert(part < HOUSE__PARTS && json && actor);
	*open = (struct house_open){0};
	if (e != ERR_OK)
		return e;
	e = measure(db, restaurant_id, &before);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_BEGIN, "t", actor);
	if (e == ERR_OK)
		e = part == HOUSE_HOURS || part == HOUSE_SPECIAL_DAY ?
			    change_services(&t, part, restaurant_id, json, actor, open) :
			    take_steps(&t, part, restaurant_id, json, actor, open);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_END, "");
	db_touch_settings(db);
	if (e == ERR_OK)
		e = measure(db, restaurant_id, &after);
	t.opened_more = part != HOUSE_MENU; /* more seats or tables are for those who wait */
	if (e == ERR_OK && makes_room(&before, &after))
		t.opened_new = restaurant_id;
	if (e == ERR_OK)
		e = offers_serve(&t);
	return txn_end(&t, e);
}

enum err house_add(struct db *db, const char *name, int64_t *id)
{
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	e = stmt_run(db, SQL_RESTAURANT_ADD, "t", name);
	if (e == ERR_OK)
		*id = stmt_last_id(db);
	db_touch_settings(db);
	return db_end(db, e);
}

enum err house_set_slot(struct db *db, const struct ticket_want *w, int64_t capacity, const char *actor)
{
	struct txn t;
	bool more = false;
	enum err e = txn_begin(&t, db, clock_now_s());

	if (e != ERR_OK)
		return e;
	e = stmt_run(db, SQL_WRITING_BEGIN, "t", actor);
	if (e == ERR_OK)
		e = slots_learn(&t, w);
	if (e == ERR_OK)
		e = slots_create(&t, w->capacity, w->starts_s);
	more = capacity > t.slot.capacity;
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_SLOT, "i", t.slot.id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_SLOT_SET, "iit", t.slot.id, capacity, t.now);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_END, "");
	txn_forget(&t);
	txn_touch_day(&t, w->restaurant_id, w->date);
	txn_open_day(&t, w->restaurant_id, w->date);
	t.opened_new = more ? w->restaurant_id : 0;
	if (e == ERR_OK)
		e = offers_serve(&t);
	return txn_end(&t, e);
}

enum err house_set_sold_out(struct db *db, int64_t restaurant_id, int64_t menu_id, bool out, const char *actor)
{
	int64_t there = 0;
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	e = stmt_number(db, SQL_DISH_THERE, &there, "ii", menu_id, restaurant_id);
	if (e == ERR_OK && !there)
		e = ERR_NOT_FOUND;
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_BEGIN, "t", actor);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_DISH_SOLD_OUT, "ii", menu_id, (int64_t)out);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_END, "");
	db_touch_settings(db);
	return db_end(db, e);
}

enum err house_dishes_off(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg, int64_t *count)
{
	enum err e = stmt_number(db, SQL_DISHES_COUNT, count, "i", restaurant_id);

	return e == ERR_OK ? stmt_rows(db, stmt_use(db, SQL_DISHES_OFF, "i", restaurant_id), each, arg) : e;
}
