/*
 * blocks.c - times at which nothing new is taken.
 */
#include "blocks.h"

#include "buf.h"
#include "offers.h"
#include "slots.h"
#include "zone.h"

#include <assert.h>
#include <string.h>

enum {
	DAY = 24 * 60,
	KEPT_HOUSES = 4,
	LONG_AGO_S = 3 * 86400, /* what ended before that concerns no stay that is asked for now */
};

bool blocks_minutes(const char *at, int64_t *minutes)
{
	char day[TEXT_DATE_SIZE];
	struct date date;
	int minute;

	if (strlen(at) != BLOCKS_AT_SIZE - 1 || at[TEXT_DATE_SIZE - 1] != 'T')
		return false;
	memcpy(day, at, sizeof day - 1);
	day[sizeof day - 1] = '\0';
	if (!text_date(day, &date) || !text_time(at + TEXT_DATE_SIZE, &minute) || minute >= DAY)
		return false;
	*minutes = text_days(date) * DAY + minute;
	return true;
}

void blocks_put_minutes(int64_t minutes, char at[BLOCKS_AT_SIZE])
{
	text_put_date(text_from_days(minutes / DAY), at);
	at[TEXT_DATE_SIZE - 1] = 'T';
	text_put_time((int)(minutes % DAY), at + TEXT_DATE_SIZE);
}

/* The instant of that local time; of one that the clock skips, the next that there is; of one that it shows twice, the later. */
static bool to_instant(const char *zone, int64_t local, bool later, int64_t *out)
{
	static const int back_s[] = {3600, 1800};
	struct date day;
	int minute, skipped = 0;

	while (skipped < DAY && !zone_to_utc(zone, text_from_days(local / DAY), (int)(local % DAY), out)) {
		local++;
		skipped++;
	}
	for (size_t i = 0; later && skipped < DAY && i < sizeof back_s / sizeof back_s[0]; i++)
		if (zone_to_local(zone, *out + back_s[i], &day, &minute) && text_days(day) * DAY + minute == local) {
			*out += back_s[i];
			break;
		}
	return skipped < DAY;
}

/* ---- the live ones of a house, cached ---- */

struct live {
	int64_t id;
	int64_t from, to; /* local minutes */
	bool weekly, online;
	size_t first, count; /* of its tables */
};

struct house {
	int64_t restaurant_id;
	const struct edition *of;
	uint64_t edition;
	int64_t until_ms;
	char zone[64];
	struct live *blocks;
	size_t count, space;
	int64_t *tables;
	size_t table_count, table_space;
};

static enum err take_live(struct house *h, struct sqlite3_stmt *s, int64_t *last)
{
	const char *from, *to;
	struct live b = {.first = h->table_count};
	int64_t id, table;

	stmt_take(s, "iwwbbi", &id, &from, &to, &b.weekly, &b.online, &table);
	if (!blocks_minutes(from, &b.from) || !blocks_minutes(to, &b.to) || b.from >= b.to)
		return ERR_OK; /* jari check names it */
	if (!buf_grow((void **)&h->blocks, &h->space, h->count + 1, sizeof *h->blocks) ||
	    !buf_grow((void **)&h->tables, &h->table_space, h->table_count + 1, sizeof *h->tables))
		return ERR_NO_MEMORY;
	b.id = id;
	if (id != *last)
		h->blocks[h->count++] = b;
	*last = id;
	if (table) {
		h->tables[h->table_count++] = table;
		h->blocks[h->count - 1].count++;
	}
	return ERR_OK;
}

static enum err read_live(struct db *db, struct house *h)
{
	struct sqlite3_stmt *s;
	int64_t last = 0;
	enum err e, kept = ERR_OK;

	h->count = h->table_count = 0;
	s = stmt_use(db, SQL_BLOCKS_LIVE, "im", h->restaurant_id, clock_now_s() - LONG_AGO_S);
	while (stmt_row(db, s, &e))
		kept = kept == ERR_OK ? take_live(h, s, &last) : kept;
	e = e == ERR_OK ? kept : e;
	return e == ERR_OK && h->count ? restaurants_zone(db, h->restaurant_id, h->zone) : e;
}

/* A change that jari made counts at once (the edition of the settings), one made at the sqlite3 shell after a moment. */
static enum err find_live(struct db *db, int64_t restaurant_id, const struct house **out)
{
	static struct house kept[KEPT_HOUSES];
	struct house *h = &kept[(uint64_t)restaurant_id % KEPT_HOUSES];
	const struct edition *of = db->hall ? db->hall->edition : NULL; /* a copy that is only looked at has no hall */
	uint64_t edition = of ? edition_settings(db->hall->edition) : 0;
	int64_t now = clock_mono_ms();
	enum err e;

	*out = h;
	if (of && h->restaurant_id == restaurant_id && h->of == of && h->edition == edition && now < h->until_ms &&
	    !db->settings_changed)
		return ERR_OK;
	h->restaurant_id = restaurant_id;
	h->of = of;
	h->edition = edition;
	e = read_live(db, h);
	/* What this transaction has changed is not yet so for others. */
	h->until_ms = e == ERR_OK && !db->settings_changed ? now + RESTAURANTS_KEPT_MS : 0;
	return e;
}

/* ---- into the room ---- */

/* Adds those of its weeks that touch the time from `first` to `end`, in local minutes. */
static enum err put_block(const struct house *h, const struct live *b, int64_t first, int64_t end, struct room *room)
{
	int64_t week = b->weekly && b->to <= first ? (first - b->to) / BLOCKS_WEEK + 1 : 0;

	for (;; week++) {
		int64_t from = b->from + week * BLOCKS_WEEK, to = b->to + week * BLOCKS_WEEK;
		struct room_block block = {.id = b->id, .online = b->online};

		if (from >= end)
			return ERR_OK;
		if (to > first && to_instant(h->zone, from, false, &block.starts_s) &&
		    to_instant(h->zone, to, true, &block.ends_s) && block.starts_s < block.ends_s &&
		    !room_block(room, &block, h->tables + b->first, b->count))
			return ERR_NO_MEMORY;
		if (!b->weekly)
			return ERR_OK;
	}
}

static enum err put_blocks(const struct house *h, int64_t first, int64_t end, struct room *room)
{
	enum err e = ERR_OK;

	room_unblock(room);
	for (size_t i = 0; i < h->count && e == ERR_OK; i++)
		e = put_block(h, &h->blocks[i], first, end, room);
	return e;
}

enum err blocks_any(struct db *db, int64_t restaurant_id, bool *any)
{
	const struct house *h;
	enum err e = find_live(db, restaurant_id, &h);

	*any = h->count > 0;
	return e;
}

/* A stay begins in the night of its day at the latest, and lasts for a day at most. */
enum err blocks_look(struct db *db, int64_t restaurant_id, int64_t day, struct room *room)
{
	const struct house *h;
	enum err e = find_live(db, restaurant_id, &h);

	return e == ERR_OK ? put_blocks(h, (day - 1) * DAY, (day + 4) * DAY, room) : e;
}

enum err blocks_each(struct db *db, int64_t restaurant_id, int64_t now_s, stmt_each *each, void *arg)
{
	char zone[64], now[BLOCKS_AT_SIZE];
	struct date day;
	int minute;
	enum err e = restaurants_zone(db, restaurant_id, zone);

	if (e != ERR_OK)
		return e;
	if (!zone_to_local(zone, now_s, &day, &minute))
		return ERR_INTERNAL;
	blocks_put_minutes(text_days(day) * DAY + minute, now);
	return stmt_rows(db, stmt_use(db, SQL_BLOCKS_OF, "it", restaurant_id, now), each, arg);
}

/* ---- a new one ---- */

/* Does a stay lie in one of the blocks of the room, at a table that it names? */
static bool lies_in(const struct room *room, const struct room_stay *stay)
{
	for (size_t i = 0; i < room->block_count; i++) {
		const struct room_block *b = &room->blocks[i];
		struct seats_mask tables = {{0}};

		seats_take(&room->plan, stay->tables, stay->table_count, &tables);
		if (b->starts_s < stay->ends_s && stay->starts_s < b->ends_s && (b->house || seats_meet(&tables, &b->tables)))
			return true;
	}
	return false;
}

/* The reservations to come that lie in it, of a year at most. */
static enum err find_inside(struct txn *t, int64_t restaurant_id, struct block *b, int64_t *ids, int *count)
{
	static struct room room; /* static for its size only */
	struct house h = {.restaurant_id = restaurant_id, .tables = b->tables};
	struct live live = {.weekly = b->weekly, .online = b->online, .count = b->table_count};
	int64_t now = t->now_s / 60, end;
	enum err e = restaurants_zone(t->db, restaurant_id, h.zone);
	bool known = blocks_minutes(b->from, &live.from) && blocks_minutes(b->to, &live.to);

	assert(known);
	room_init(&room);
	end = (live.from > now ? live.from : now) + BLOCKS_LONGEST;
	if (e == ERR_OK)
		e = restaurants_plan(t->db, restaurant_id, &room.plan);
	if (e == ERR_OK)
		e = put_block(&h, &live, now - 2 * DAY, end, &room);
	if (e == ERR_OK)
		e = slots_read_stays(t->db, restaurant_id, (live.from > now ? live.from : now) / DAY - 2, end / DAY + 1, t->now,
				     t->now, &room);
	for (size_t i = 0; e == ERR_OK && i < room.count && *count < BLOCKS_CONTRADICTS_MAX; i++)
		if (lies_in(&room, &room.stays[i]))
			ids[(*count)++] = room.stays[i].id;
	room_clear(&room);
	return e;
}

static enum err insert(struct txn *t, int64_t restaurant_id, const struct block *b, int64_t *id)
{
	int64_t live = 0, known = 0;
	enum err e;

	e = stmt_number(t->db, SQL_BLOCKS_COUNT, &live, "im", restaurant_id, t->now_s);
	if (e == ERR_OK && live >= BLOCKS_MAX)
		return ERR_TOO_MANY_BLOCKS;
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_BLOCK_ADD, "ittiitt", restaurant_id, b->from, b->to, (int64_t)b->weekly,
			     (int64_t)b->online, b->reason, t->now);
	if (e == ERR_OK)
		*id = stmt_last_id(t->db);
	for (size_t i = 0; i < b->table_count && e == ERR_OK; i++) {
		e = stmt_number(t->db, SQL_TABLE_IS_OF, &known, "ii", b->tables[i], restaurant_id);
		if (e == ERR_OK && !known)
			return ERR_NO_SUCH_TABLE;
		if (e == ERR_OK)
			e = stmt_run(t->db, SQL_BLOCK_TABLE_ADD, "ii", *id, b->tables[i]);
	}
	return e;
}

enum err blocks_add(struct db *db, int64_t restaurant_id, struct block *b, const char *actor, int64_t *id,
		    int64_t ids[BLOCKS_CONTRADICTS_MAX], int *count)
{
	struct txn t;
	enum err e = txn_begin(&t, db, clock_now_s());

	*count = 0;
	if (e != ERR_OK)
		return e;
	e = stmt_run(db, SQL_WRITING_BEGIN, "t", actor);
	if (e == ERR_OK)
		e = insert(&t, restaurant_id, b, id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_END, "");
	if (e == ERR_OK)
		e = find_inside(&t, restaurant_id, b, ids, count);
	db_touch_settings(db);
	txn_touch_all(&t);
	return txn_end(&t, e);
}

enum err blocks_lift(struct db *db, int64_t restaurant_id, int64_t id, const char *actor)
{
	struct txn t;
	int64_t live = 0;
	enum err e = txn_begin(&t, db, clock_now_s());

	if (e != ERR_OK)
		return e;
	e = stmt_number(db, SQL_BLOCK_IS_LIVE, &live, "ii", id, restaurant_id);
	if (e == ERR_OK && !live)
		e = ERR_NOT_FOUND;
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_BEGIN, "t", actor);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_BLOCK_LIFT, "it", id, t.now);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_END, "");
	db_touch_settings(db);
	txn_touch_all(&t);
	t.opened_more = true;
	t.opened_new = restaurant_id;
	if (e == ERR_OK)
		e = offers_serve(&t);
	return txn_end(&t, e);
}
