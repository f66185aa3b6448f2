/*
 * api_daynote.c - staff: the note of a day, and which dishes are sold out.
 */
#include "route.h"

#include "api.h"
#include "daynotes.h"

/* null where that day never had one: a first note is of version 0. */
static struct json *note_json(const struct daynote *n)
{
	struct json *j;

	if (!n->version)
		return NULL;
	j = json_new();
	json_text(j, "note", n->note);
	json_text_or_null(j, "by", n->by);
	json_text(j, "at", n->at);
	json_int(j, "version", n->version);
	return j;
}

enum err api_add_daynote(struct call *c, const char *day, struct json *j)
{
	struct daynote n;
	enum err e = daynotes_get(c->db, c->restaurant.id, day, &n);

	json_put_or_null(j, "dayNote", note_json(&n));
	return e;
}

enum err api_daynote_set(struct call *c)
{
	char day[TEXT_DATE_SIZE], text[LENGTHS_SIZE(LENGTHS_SHIFT_NOTE)];
	int64_t version = DAYNOTES_ANY;
	struct date date;
	struct daynote n;
	struct json *j;
	enum err e;

	in_only(&c->body, "date", "note", "version", NULL);
	in_date(&c->body, "date", IN_REQUIRED, &date);
	in_lines(&c->body, "note", IN_OPTIONAL, LENGTHS_SHIFT_NOTE, text, sizeof text);
	in_int(&c->body, "version", IN_OPTIONAL, 0, INT64_MAX - 1, &version);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	text_put_date(date, day);
	e = daynotes_set(c->db, c->restaurant.id, day, text, version, call_by(c), c->now_s, &n);
	if (e == ERR_STALE)
		json_put_or_null(reply_extra(c->reply), "dayNote", note_json(&n));
	if (e != ERR_OK)
		return e;
	j = json_new();
	json_put_or_null(j, "dayNote", note_json(&n));
	return call_answer(c, ERR_OK, j);
}

enum err api_add_dishes(struct call *c, struct json *j)
{
	struct json *off = json_list();
	int64_t count = 0;
	enum err e = house_dishes_off(c->db, c->restaurant.id, json_row, off, &count);

	json_int(j, "dishes", count);
	json_put(j, "dishesOff", off);
	return e;
}

/* From then on no guest can order it; those who have keep it. */
enum err api_dish_sold_out(struct call *c)
{
	bool out = false;
	int64_t id = c->req->path_ids[0];
	struct json *j;
	enum err e;

	in_only(&c->body, "soldOut", NULL);
	in_yes(&c->body, "soldOut", &out);
	if (c->body.e == ERR_OK && !in_has(&c->body, "soldOut"))
		in_fail(&c->body, ERR_MISSING_FIELD, "soldOut");
	e = call_body(c);
	if (e == ERR_OK)
		e = house_set_sold_out(c->db, c->who.user.restaurant_id, id, out, call_by(c));
	if (e != ERR_OK)
		return e;
	j = json_new();
	json_int(j, "menuId", id);
	json_flag(j, "soldOut", out);
	return call_answer(c, ERR_OK, j);
}
