/*
 * kept.c - seats that came free, kept for a while for those who wait.
 */
#include "kept.h"

#include "blocks.h"
#include "failpoint.h"
#include "restaurants.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES_SIZE = SEATS_JOIN_MAX * 21 };

/* ---- tables as a text: 3,4 ---- */

static void take_tables(const char *text, struct room_stay *stay)
{
	char *end;

	stay->table_count = 0;
	while (*text && stay->table_count < SEATS_JOIN_MAX) {
		stay->tables[stay->table_count++] = strtoll(text, &end, 10);
		text = *end == ',' ? end + 1 : "";
	}
}

static void put_tables(const struct room_stay *stay, char out[TABLES_SIZE])
{
	size_t n = 0;

	*out = '\0';
	for (size_t i = 0; i < stay->table_count; i++)
		n += (size_t)snprintf(out + n, TABLES_SIZE - n, "%s%lld", i ? "," : "", (long long)stay->tables[i]);
}

/* ---- reading ---- */

enum {
	ROWS_MAX = 500, /* around one day; those that end first */
	/*
	 * Of the proven guests who wait for one time with one size, those who have something held come first: no more than
	 * there are rows.  So however many wait, each such queue is read as far as its first who has nothing.
	 */
	QUEUES_MAX = 400,
	HOLDERS_MAX = ROWS_MAX + QUEUES_MAX,
};

/* What is kept around the day that was asked for last, and of which moment of the book it is. */
static struct {
	const struct db *db; /* NULL: none */
	int64_t restaurant_id, version;
	char date[TEXT_DATE_SIZE], now[CLOCK_ISO_SIZE];
	struct kept_row rows[ROWS_MAX];
	int count;
} seen;

void kept_forget(void)
{
	seen.db = NULL;
}

static enum err read_rows(struct db *db, int64_t restaurant_id, const char *date, const char *now)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_KEPT_AROUND, "itti", restaurant_id, date, now, (int64_t)ROWS_MAX);
	enum err e;

	seen.count = 0;
	while (stmt_row(db, s, &e)) {
		struct kept_row *k = &seen.rows[seen.count];

		const char *tables;

		*k = (struct kept_row){.stay.id = ROOM_KEPT};
		stmt_take(s, "imttmmnwb", &k->id, &k->until_s, k->date, sizeof k->date, k->time, sizeof k->time,
			  &k->stay.starts_s, &k->stay.ends_s, &k->stay.party, &tables, &k->stay.by_staff);
		take_tables(tables, &k->stay);
		seen.count += k->until_s && k->stay.starts_s && k->stay.ends_s;
	}
	return e;
}

/* ---- for whom a row is held ---- */

/* A proven guest on the waitlist, as far as it was looked. */
struct holder {
	int64_t id;
	int row;  /* the last that is held for them, a number of seen.rows, and then as `before` says; -1: none */
	int next; /* who came after them to the same queue; -1: not read */
};

/* The proven guests who wait for one time with one size. */
struct queue {
	struct room_stay stay;
	int first; /* of matching.holders */
	bool read; /* to its end */
};

/* What find_holders() works with; static for its size only. */
static struct {
	struct db *db;
	const struct restaurant *r;
	struct seats_plan plan;
	int64_t day; /* whose hours these are; INT64_MIN: none */
	struct hours_day hours;
	struct room blocked; /* nobody and no tables: what is blocked around that day */
	struct queue queues[QUEUES_MAX];
	struct holder holders[HOLDERS_MAX];
	int queue_count, holder_count;
	int before[ROWS_MAX]; /* the row that was held for the same guest before this one; -1: none */
} matching;

static int add_holder(int64_t id)
{
	assert(matching.holder_count < HOLDERS_MAX);
	matching.holders[matching.holder_count] = (struct holder){.id = id, .row = -1, .next = -1};
	return matching.holder_count++;
}

/* The first moment from that one on at which a guest may begin who could use some row; INT64_MAX: none. */
static int64_t next_start(int64_t at_s)
{
	const struct settings *set = &matching.r->set;
	int longest = set->slot_minutes > set->sitting_minutes ? set->slot_minutes : set->sitting_minutes;
	int64_t first = INT64_MAX;

	longest = longest > set->sitting_large_minutes ? longest : set->sitting_large_minutes;
	longest = matching.r->service_sittings ? DAY_MINUTES : longest; /* no stay is longer */
	for (const struct kept_row *k = seen.rows; k < seen.rows + seen.count; k++) {
		int64_t from = k->stay.starts_s - longest * INT64_C(60) + 1;

		from = from > at_s ? from : at_s;
		if (from < k->stay.ends_s && from < first)
			first = from;
	}
	return first;
}

/* The hours of a day, and what is blocked around it. */
static enum err read_day(struct date date)
{
	bool any = false;
	enum err e;

	if (matching.day == text_days(date))
		return ERR_OK;
	matching.day = INT64_MIN;
	room_unblock(&matching.blocked);
	e = restaurants_day(matching.db, matching.r->id, date, &matching.hours);
	if (e == ERR_OK)
		e = blocks_any(matching.db, matching.r->id, &any);
	if (e == ERR_OK && any)
		e = blocks_look(matching.db, matching.r->id, text_days(date), &matching.blocked);
	if (e == ERR_OK)
		matching.day = text_days(date);
	return e;
}

/* Do they wait in vain, for a time that the house has closed since, or that is blocked?  Then nothing is kept for them. */
static enum err waits_in_vain(const char *date, const char *time, const struct room_stay *stay, bool *in_vain)
{
	struct date day;
	int minute;
	enum err e;

	if (!text_date(date, &day) || !text_time(time, &minute))
		return ERR_INTERNAL;
	e = read_day(day);
	*in_vain = e == ERR_OK && !WITHOUT("hours") &&
		   (!hours_service(&matching.hours, &matching.r->set, minute) ||
		    room_blocked(&matching.blocked, ROOM_ONLINE, stay->starts_s, stay->ends_s));
	return e;
}

/* The first queue from that time and size on, and who is the first in it; *id 0: there is none. */
static enum err read_queue(const struct room_stay *from, struct room_stay *stay, int64_t *id, bool *in_vain)
{
	char starts[CLOCK_ISO_SIZE], date[TEXT_DATE_SIZE] = "", time[TEXT_TIME_SIZE] = "";
	struct settings set = matching.r->set;
	struct sqlite3_stmt *s;
	enum err e;

	clock_iso(from->starts_s, starts);
	s = stmt_use(matching.db, SQL_PROVEN_QUEUE, "iti", matching.r->id, starts, (int64_t)from->party);
	*id = 0;
	while (stmt_row(matching.db, s, &e)) {
		*stay = (struct room_stay){0};
		stmt_take(s, "mnitt", &stay->starts_s, &stay->party, id, date, sizeof date, time, sizeof time);
		if (!stay->starts_s)
			*id = 0;
	}
	if (e == ERR_OK && *id && matching.r->service_sittings)
		e = restaurants_at(matching.db, matching.r, date, time, &set);
	if (e != ERR_OK || !*id)
		return e;
	stay->ends_s = stay->starts_s + room_sitting(&set, stay->party) * INT64_C(60);
	return waits_in_vain(date, time, stay, in_vain);
}

/* Every queue that may use some row, with its first. */
static enum err read_queues(void)
{
	struct room_stay at = {.starts_s = next_start(0)}, stay;
	bool in_vain;
	int64_t id;
	enum err e = ERR_OK;

	for (int i = 0; e == ERR_OK && at.starts_s < INT64_MAX && i < QUEUES_MAX; i++) {
		e = read_queue(&at, &stay, &id, &in_vain);
		if (e != ERR_OK || !id)
			break;
		at.starts_s = next_start(stay.starts_s);
		at.party = 0;
		if (at.starts_s > stay.starts_s) /* nothing is kept then */
			continue;
		at.party = stay.party + 1;
		if (!in_vain)
			matching.queues[matching.queue_count++] = (struct queue){.stay = stay, .first = add_holder(id)};
	}
	return e;
}

/* The next guest in the same queue; -1: none. */
static enum err follow(struct queue *q, int holder, int *out)
{
	int64_t id = 0;
	enum err e = ERR_OK;

	if (matching.holders[holder].next < 0 && !q->read && matching.holder_count < HOLDERS_MAX) {
		e = stmt_number(matching.db, SQL_PROVEN_NEXT, &id, "imii", matching.r->id, q->stay.starts_s,
				(int64_t)q->stay.party, matching.holders[holder].id);
		q->read = !id;
		if (id)
			matching.holders[holder].next = add_holder(id);
	}
	*out = matching.holders[holder].next;
	return e;
}

/* The seats of a row that a party of that stay could use: of its tables if there are some, else as many as it has.  0: none. */
static int usable(const struct kept_row *k, const struct room_stay *stay)
{
	if (!room_overlaps(&k->stay, stay))
		return 0;
	return k->stay.table_count ? seats_usable(&matching.plan, k->stay.tables, k->stay.table_count, stay->party) :
				     k->stay.party;
}

/* Have they still less held than their party needs, at the time of that row? */
static bool needs_more(const struct kept_row *k, const struct room_stay *stay, const struct holder *h)
{
	int held = 0;

	for (int i = h->row; i >= 0 && held < stay->party; i = matching.before[i])
		if (room_overlaps(&seen.rows[i].stay, &k->stay))
			held += usable(&seen.rows[i], stay);
	return held < stay->party;
}

/* A row is held for the first who could use it and has not enough. */
static enum err find_holder(int row)
{
	struct kept_row *k = &seen.rows[row];
	struct holder *first = NULL;
	enum err e = ERR_OK;

	for (struct queue *q = matching.queues; q < matching.queues + matching.queue_count && e == ERR_OK; q++) {
		int i = usable(k, &q->stay) ? q->first : -1;

		while (e == ERR_OK && i >= 0 && !needs_more(k, &q->stay, &matching.holders[i]))
			e = follow(q, i, &i);
		if (i >= 0 && (!first || matching.holders[i].id < first->id))
			first = &matching.holders[i];
	}
	if (e != ERR_OK || !first)
		return e;
	k->held_for = first->id;
	matching.before[row] = first->row;
	first->row = row;
	return ERR_OK;
}

/* Seats that are open to every guest hold none back, so they are held for none. */
static enum err find_holders(struct db *db, int64_t restaurant_id, int64_t now_s)
{
	struct restaurant r;
	bool tables = false;
	enum err e = seen.count ? restaurants_get(db, restaurant_id, &r) : ERR_OK;

	if (e != ERR_OK || !seen.count)
		return e;
	matching.db = db;
	matching.r = &r;
	matching.queue_count = matching.holder_count = 0;
	matching.day = INT64_MIN;
	e = read_queues();
	for (int i = 0; i < seen.count; i++)
		tables |= seen.rows[i].stay.table_count > 0;
	if (e == ERR_OK && tables)
		e = restaurants_plan(db, restaurant_id, &matching.plan);
	for (int i = 0; i < seen.count && matching.queue_count && e == ERR_OK; i++)
		if (seen.rows[i].until_s > now_s)
			e = find_holder(i);
	return e;
}

/* Reads what is kept around that day, unless it is there already. */
static enum err look_around(struct db *db, int64_t restaurant_id, const char *date, const char *now)
{
	int64_t version = 0, now_s = 0;
	enum err e = stmt_number(db, SQL_DATA_VERSION, &version, "");

	version = version << 32 ^ stmt_total_changes(db);
	if (e != ERR_OK || (seen.db == db && seen.restaurant_id == restaurant_id && seen.version == version &&
			    strcmp(seen.date, date) == 0 && strcmp(seen.now, now) == 0))
		return e;
	seen.db = NULL;
	if (!clock_parse_iso(now, &now_s))
		return ERR_INTERNAL;
	e = read_rows(db, restaurant_id, date, now);
	if (e == ERR_OK)
		e = find_holders(db, restaurant_id, now_s);
	if (e != ERR_OK)
		return e;
	seen.db = db;
	seen.restaurant_id = restaurant_id;
	seen.version = version;
	snprintf(seen.date, sizeof seen.date, "%s", date);
	snprintf(seen.now, sizeof seen.now, "%s", now);
	return ERR_OK;
}

enum err kept_each(struct db *db, int64_t restaurant_id, const char *date, const char *now,
		   void (*each)(void *arg, const struct kept_row *), void *arg)
{
	enum err e = look_around(db, restaurant_id, date, now);

	for (int i = 0; i < seen.count && e == ERR_OK; i++)
		each(arg, &seen.rows[i]);
	return e;
}

bool kept_from(const struct kept_row *k, int64_t asks)
{
	return k->held_for && k->held_for < asks;
}

struct of_slot {
	const char *date, *time;
	int64_t asks;
	struct txn_kept *out;
};

static void add_of_slot(void *arg, const struct kept_row *k)
{
	struct of_slot *sum = arg;

	if (!kept_from(k, sum->asks) || strcmp(k->date, sum->date) != 0 || strcmp(k->time, sum->time) != 0)
		return;
	sum->out->people += k->stay.party;
	sum->out->by_staff += k->stay.by_staff ? k->stay.party : 0;
}

enum err kept_of_slot(struct db *db, int64_t restaurant_id, const char *date, const char *time, const char *now, int64_t asks,
		      struct txn_kept *out)
{
	*out = (struct txn_kept){0};
	return kept_each(db, restaurant_id, date, now, add_of_slot,
			 &(struct of_slot){.date = date, .time = time, .asks = asks, .out = out});
}

struct overlapping {
	const struct room_stay *stay;
	int64_t asks;
	struct kept_overlap *out;
};

static void note_overlap(void *arg, const struct kept_row *k)
{
	struct overlapping *o = arg;

	if (room_overlaps(&k->stay, o->stay)) {
		o->out->any = true;
		o->out->holds |= k->held_for != 0;
		o->out->seats += kept_from(k, o->asks) ? 0 : usable(k, o->stay);
	}
}

enum err kept_overlaps(struct txn *t, int64_t restaurant_id, const char *date, const struct room_stay *stay, int64_t asks,
		       struct kept_overlap *out)
{
	struct overlapping o = {.stay = stay, .asks = asks, .out = out};

	*out = (struct kept_overlap){0};
	return kept_each(t->db, restaurant_id, date, t->now, note_overlap, &o);
}

enum err kept_left_since(struct txn *t, int64_t restaurant_id, const struct room_stay *stay, int left_s, int64_t *at_s)
{
	*at_s = 0;
	return stmt_number(t->db, SQL_LEFT_SINCE, at_s, "immmt", restaurant_id, stay->starts_s, stay->ends_s, t->now_s - left_s,
			   t->now);
}

/* ---- seats are given up ---- */

/* No guest waits and nothing is kept: seats that come free are open to all, and no row needs to be read. */
static enum err anybody_waits(struct txn *t, bool *waits)
{
	int64_t any = t->waits;
	enum err e = t->waits < 0 ? stmt_number(t->db, SQL_ANYTHING_WAITED_FOR, &any, "") : ERR_OK;

	if (e == ERR_OK)
		t->waits = any != 0;
	*waits = any > 0;
	return e;
}

static enum err look(struct txn *t, int64_t reservation_id, struct kept_place *p)
{
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_KEPT_PLACE, "i", reservation_id);
	const char *tables;
	int minutes, left;
	enum err e;

	while (stmt_row(t->db, s, &e)) {
		p->reservation_id = reservation_id;
		p->stay = (struct room_stay){0};
		stmt_take(s, "ittbmmnwmnnmmb", &p->restaurant_id, p->date, sizeof p->date, p->time, sizeof p->time, &p->active,
			  &p->stay.starts_s, &p->stay.ends_s, &p->stay.party, &tables, &p->until_s, &minutes, &left,
			  &p->since_s, &p->there_s, &p->stay.by_staff);
		take_tables(tables, &p->stay);
		p->active = p->active && p->stay.starts_s && p->stay.ends_s;
		p->keep_s = minutes * 60;
		p->left_s = left * 60;
		if (p->since_s && t->now_s - p->since_s < p->keep_s)
			p->keep_s = t->now_s > p->since_s ? (int)(t->now_s - p->since_s) : 0;
		p->known = true;
	}
	return e;
}

enum err kept_begin(struct txn *t, int64_t reservation_id, struct kept_place *before)
{
	bool waits = false;
	enum err e = anybody_waits(t, &waits);

	*before = (struct kept_place){.reservation_id = reservation_id};
	return e == ERR_OK && waits ? look(t, reservation_id, before) : e;
}

/* Was it booked when it was left to everybody?  Then it stays so, however often it is booked and given up. */
static enum err was_left(struct txn *t, const struct kept_place *p, const struct room_stay *freed, bool *left)
{
	int64_t at_s = 0;
	enum err e = p->until_s || !p->since_s ? ERR_OK : kept_left_since(t, p->restaurant_id, freed, p->left_s, &at_s);

	*left = at_s && at_s <= p->since_s && !WITHOUT("left");
	return e;
}

/* An offer ran out after the deadline of its seats, or its guest gave it up then. */
static enum err leave_to_all(struct txn *t, const struct kept_place *p)
{
	enum err e;

	if (!p->until_s || p->until_s > t->now_s || p->by_house)
		return ERR_OK;
	e = stmt_run(t->db, SQL_LEFT_SET, "immt", p->restaurant_id, p->stay.starts_s, p->stay.ends_s, t->now);
	return e == ERR_OK ? stmt_run(t->db, SQL_LEFT_CLEAN, "it", p->restaurant_id, t->now) : e;
}

/* A table at which a party that was to come later sits already does not come free.  any: something else does. */
static enum err leave_out_sat_at(struct txn *t, struct room_stay *freed, bool *any)
{
	struct room_stay sat = {0};
	enum err e = ERR_OK;

	for (size_t i = 0; i < freed->table_count && e == ERR_OK; i++) {
		int64_t is = 0;

		e = stmt_number(t->db, SQL_KEPT_SAT_AT, &is, "imm", freed->tables[i], freed->starts_s, freed->ends_s);
		if (is)
			sat.tables[sat.table_count++] = freed->tables[i];
	}
	*any = !room_take_tables(freed, &sat) || freed->table_count;
	return e;
}

/* What came free is kept from now on, with the deadline that it has already if it was offered before. */
static enum err keep(struct txn *t, const struct kept_place *p, struct room_stay *freed)
{
	char tables[TABLES_SIZE];
	int64_t until_s = p->until_s ? p->until_s : t->now_s + p->keep_s;
	bool left, any;
	enum err e = was_left(t, p, freed, &left);

	txn_open_day(t, p->restaurant_id, p->date);
	if (e == ERR_OK)
		e = leave_to_all(t, p);
	freed->starts_s = freed->starts_s < t->now_s ? t->now_s : freed->starts_s;
	if (e != ERR_OK || left || freed->starts_s >= freed->ends_s || until_s < t->now_s || WITHOUT("keep"))
		return e;
	e = leave_out_sat_at(t, freed, &any);
	if (e != ERR_OK || !any)
		return e;
	put_tables(freed, tables);
	return stmt_run(t->db, SQL_KEPT_ADD, "ittimmtmti", p->restaurant_id, p->date, p->time, (int64_t)freed->party,
			freed->starts_s, freed->ends_s, tables, until_s, t->now,
			(int64_t)(freed->by_staff && !WITHOUT("staff-kept")));
}

/* The stay from the moment on at which they are there. */
static struct room_stay there(const struct kept_place *p)
{
	struct room_stay stay = p->stay;

	stay.starts_s = p->there_s ? p->there_s : stay.starts_s;
	return stay;
}

/* It needs the seats that it did not have before, and every table where it sits. */
static enum err use(struct txn *t, const struct kept_place *before, const struct kept_place *after, int64_t asks)
{
	struct room_stay had = there(before), has = there(after), more = has;
	enum err e = ERR_OK;

	if (!before->active || room_minus(&has, &had, &more))
		e = kept_use(t, after->restaurant_id, after->date, &more, asks);
	has.party = 0;
	return e == ERR_OK && has.table_count ? kept_use(t, after->restaurant_id, after->date, &has, asks) : e;
}

enum err kept_end(struct txn *t, const struct kept_place *before, bool past)
{
	struct kept_place after = {0};
	struct room_stay freed = before->stay;
	bool frees = before->active;
	enum err e = before->known ? look(t, before->reservation_id, &after) : ERR_OK;

	if (e != ERR_OK || !before->known)
		return e;
	if (frees && after.active)
		frees = room_minus(&before->stay, &after.stay, &freed);
	if (after.active)
		e = use(t, before, &after, past ? KEPT_PAST : KEPT_NEWCOMER);
	return e == ERR_OK && frees ? keep(t, before, &freed) : e;
}

/* ---- seats are given away ---- */

enum { USE_MAX = 64 }; /* rows that one party can be seated on: it has no more people than a few of them */

struct used {
	const struct room_stay *stay;
	int left, count;
	int64_t asks, until_s;
	struct kept_row rows[USE_MAX]; /* the new rows; one with no seats left is deleted */
};

/* A place with tables is used by who sits at one of them; one without, by as many as it seats. */
static void use_row(void *arg, const struct kept_row *k)
{
	struct used *u = arg;
	struct kept_row row = *k;
	bool at_it = room_take_tables(&row.stay, u->stay);
	int people = u->left < row.stay.party ? u->left : row.stay.party;

	if (kept_from(k, u->asks) || !room_overlaps(&k->stay, u->stay) || (k->stay.table_count && !at_it) ||
	    (people == 0 && !at_it) || u->count == USE_MAX)
		return;
	row.stay.party -= people;
	u->left -= people;
	u->until_s = u->until_s && u->until_s < k->until_s ? u->until_s : k->until_s;
	u->rows[u->count++] = row;
}

enum err kept_use(struct txn *t, int64_t restaurant_id, const char *date, const struct room_stay *stay, int64_t asks)
{
	static struct used u; /* static for its size only */
	char tables[TABLES_SIZE];
	enum err e;

	u = (struct used){.stay = stay, .asks = asks, .left = stay->party};
	t->used_until_s = 0;
	e = kept_each(t->db, restaurant_id, date, t->now, use_row, &u);
	for (int i = 0; i < u.count && e == ERR_OK; i++) {
		put_tables(&u.rows[i].stay, tables);
		e = u.rows[i].stay.party ?
			    stmt_run(t->db, SQL_KEPT_SET, "iit", u.rows[i].id, (int64_t)u.rows[i].stay.party, tables) :
			    stmt_run(t->db, SQL_KEPT_END, "i", u.rows[i].id);
	}
	t->used_until_s = u.until_s;
	if (u.count) {
		txn_forget(t);                        /* it may remember them as kept */
		txn_open_day(t, restaurant_id, date); /* they may have been the last that kept others back */
	}
	return e;
}
