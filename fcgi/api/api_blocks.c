/*
 * api_blocks.c - staff block a time: for the house or for tables, online or at all, once or each week.
 */
#include "route.h"

#include "api.h"
#include "blocks.h"
#include "desk.h"
#include "zone.h"

#include <string.h>

enum { DAY = 24 * 60 };

/* ---- what there is ---- */

enum err api_blocks_json(struct call *c, struct json *list)
{
	return blocks_each(c->db, c->restaurant.id, c->now_s, json_row, list);
}

enum err api_blocks(struct call *c)
{
	struct json *list = json_list();

	return call_list(c, api_blocks_json(c, list), "blocks", list);
}

/* ---- a new one ---- */

/* Now, by the restaurant's clock, in minutes. */
static bool local_now(const struct call *c, int64_t *minutes)
{
	struct date day;
	int minute;

	if (!zone_to_local(c->restaurant.zone, c->now_s, &day, &minute))
		return false;
	*minutes = text_days(day) * DAY + minute;
	return true;
}

/* "No more for tonight": from now to the end of the evening, which may be yesterday's; without a service, to midnight. */
static enum err take_tonight(struct call *c, int64_t now, struct block *b)
{
	struct hours_day hours = {0};
	struct date evening;
	int64_t closes = 0;
	int minute;
	enum err e = db_read_begin(c->db);

	if (e != ERR_OK)
		return e;
	e = restaurants_evening(c->db, &c->restaurant, c->now_s, &evening, &minute);
	if (e == ERR_OK)
		e = restaurants_day(c->db, c->restaurant.id, evening, &hours);
	db_read_end(c->db);
	if (e != ERR_OK)
		return e;
	for (size_t i = 0; i < hours.count; i++)
		if (text_days(evening) * DAY + hours.spans[i].closes > closes)
			closes = text_days(evening) * DAY + hours.spans[i].closes;
	if (closes <= now)
		closes = (now / DAY + 1) * DAY;
	b->online = true;
	blocks_put_minutes(now, b->from);
	blocks_put_minutes(closes, b->to);
	return e;
}

static void take_table(void *arg, int64_t id)
{
	struct block *b = arg;

	b->tables[b->table_count++] = id;
}

static void take_time(struct in *in, const char *key, char out[BLOCKS_AT_SIZE], int64_t *minutes)
{
	char text[LENGTHS_SIZE(BLOCKS_AT_SIZE)] = "";

	*minutes = 0;
	in_text(in, key, IN_REQUIRED, BLOCKS_AT_SIZE, text, sizeof text);
	if (in->e == ERR_OK && !blocks_minutes(text, minutes))
		in_fail(in, ERR_BAD_DATE, key);
	if (in->e == ERR_OK)
		memcpy(out, text, BLOCKS_AT_SIZE);
}

static void take_block(struct in *in, int64_t now, struct block *b)
{
	int64_t from, to;

	in_only(in, "from", "to", "online", "tables", "weekly", "reason", NULL);
	take_time(in, "from", b->from, &from);
	take_time(in, "to", b->to, &to);
	b->online = true;
	in_flag(in, "online", IN_OPTIONAL, &b->online);
	in_flag(in, "weekly", IN_OPTIONAL, &b->weekly);
	in_text(in, "reason", IN_OPTIONAL, LENGTHS_BLOCK, b->reason, sizeof b->reason);
	in_numbers(in, "tables", IN_OPTIONAL, BLOCKS_TABLES_MAX, take_table, b);
	if (in->e != ERR_OK)
		return;
	if (to <= from)
		in_fail(in, ERR_WRONG_WAY_ROUND, "to");
	else if (to - from > BLOCKS_LONGEST)
		in_fail(in, ERR_OUT_OF_RANGE, "to");
	else if (!b->weekly && to <= now)
		in_fail(in, ERR_PAST, "to");
	else if (b->weekly && to - from > BLOCKS_WEEK)
		in_fail(in, ERR_OUT_OF_RANGE, "weekly");
}

/* The number of the block, and who lies in it: they stay. */
static enum err answer_made(struct call *c, const struct block *b, int64_t id, const int64_t *ids, int count)
{
	struct json *j = json_new(), *rows = json_list();
	enum err e = db_read_begin(c->db);

	json_int(j, "blockId", id);
	json_text(j, "from", b->from);
	json_text(j, "to", b->to);
	for (int i = 0; i < count && e == ERR_OK; i++) {
		static struct desk_row row; /* static for its size only */

		e = desk_one(c->db, ids[i], c->now_s, &row);
		if (e == ERR_OK)
			json_push(rows, api_row_json(&row));
	}
	json_put(j, "contradicts", rows);
	if (c->db->reading)
		db_read_end(c->db);
	return call_made(c, e, j);
}

enum err api_block_add(struct call *c)
{
	struct block b = {0};
	int64_t ids[BLOCKS_CONTRADICTS_MAX], id = 0, now;
	bool tonight = false;
	int count = 0;
	enum err e;

	if (!local_now(c, &now))
		return ERR_INTERNAL;
	in_flag(&c->body, "tonight", IN_OPTIONAL, &tonight);
	if (tonight)
		in_only(&c->body, "tonight", NULL);
	else
		take_block(&c->body, now, &b);
	e = call_body(c);
	if (e == ERR_OK && tonight)
		e = take_tonight(c, now, &b);
	if (e == ERR_OK)
		e = blocks_add(c->db, c->restaurant.id, &b, call_by(c), &id, ids, &count);
	if (e == ERR_NO_SUCH_TABLE)
		return reply_field(c->reply, e, "tables");
	return e == ERR_OK ? answer_made(c, &b, id, ids, count) : e;
}

enum err api_block_lift(struct call *c)
{
	return call_done(c, blocks_lift(c->db, c->who.user.restaurant_id, c->req->path_ids[0], call_by(c)));
}
