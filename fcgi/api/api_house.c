/*
 * api_house.c - the owner looks at the restaurant, adds one, and what every change of it goes through.
 */
#include "route.h"

#include "api.h"
#include "desk.h"
#include "staff.h"

enum { SPECIAL_DAYS = 3 * 366 }; /* how far ahead those are told that are set */

/* What the guest's page does not need: settings with their ranges, joined tables, staff. */
enum err api_house(struct call *c)
{
	static struct seats_plan plan;
	struct json *j = json_new(), *staff = json_list(), *tables = json_list(), *hours = json_list(), *special = json_list();
	struct date today = text_from_days(c->now_s / 86400 - 1);
	enum err e = restaurants_plan(c->db, c->restaurant.id, &plan);

	if (e == ERR_OK)
		e = desk_tables(c->db, c->restaurant.id, json_row, tables);
	if (e == ERR_OK && c->who.user.type >= USER_OWNER)
		e = staff_list(c->db, c->who.user.restaurant_id, json_row, staff);
	if (e == ERR_OK)
		e = restaurants_week(c->db, c->restaurant.id, json_row, hours);
	if (e == ERR_OK)
		e = restaurants_special(c->db, c->restaurant.id, today, text_from_days(text_days(today) + SPECIAL_DAYS),
					json_row, special);
	json_put(j, "hours", hours);
	json_put(j, "specialDays", special);
	json_put(j, "settings", api_settings_json(&c->restaurant.set));
	json_put(j, "tables", tables);
	json_put(j, "sets", api_tables_sets(&plan));
	json_put(j, "staff", staff);
	json_put(j, "roles", api_staff_roles());
	json_moment_or_null(j, "pausedUntil", c->restaurant.paused_until_s > c->now_s ? c->restaurant.paused_until_s : 0);
	json_text_or_null(j, "notifyEmail", c->restaurant.notify_email);
	json_text_or_null(j, "messageText", c->restaurant.message_text);
	json_text_or_null(j, "messageTextEn", c->restaurant.message_text_en);
	if (e == ERR_OK)
		e = api_add_openings(c, j);
	return call_answer(c, e, j);
}

/* Which field of the body names rows of the book. */
static const char *const lists[HOUSE__PARTS] = {[HOUSE_MENU] = "menu", [HOUSE_TABLES] = "tables"};

/* The book has refused it: which field was it about? */
static enum err refuse_part(struct call *c, enum house_part part, enum err e, const struct house_open *open)
{
	if (e == ERR_ZONE_IN_USE || e == ERR_CURRENCY_IN_USE)
		json_int(reply_extra(c->reply), "upcoming", open->upcoming);
	if (e == ERR_CURRENCY_IN_USE)
		json_int(reply_extra(c->reply), "dueBack", open->due_back);
	if (e == ERR_ZONE_IN_USE || e == ERR_CURRENCY_IN_USE)
		return reply_field(c->reply, e, e == ERR_ZONE_IN_USE ? "timezone" : "currency");
	if (e == ERR_HOURS_OVERLAP && *open->day) {
		json_text(reply_extra(c->reply), "day", open->day);
		return reply_field(c->reply, e, part == HOUSE_HOURS ? "hours" : "services");
	}
	if (e == ERR_OUT_OF_RANGE && in_has(&c->body, "currency"))
		return reply_field(c->reply, e, "currency");
	if (e == ERR_DUPLICATE && lists[part]) /* two tables have swapped their names */
		return reply_field(c->reply, ERR_NAMED_TWICE, lists[part]);
	return e == ERR_STALE && lists[part] ? reply_field(c->reply, e, lists[part]) : e;
}

/* Reservations to come that the house as it is now would not take; the menu contradicts none. */
static enum err answer_contradicted(struct call *c, enum house_part part)
{
	struct json *rows = json_list();
	enum err e = db_read_begin(c->db);

	if (e == ERR_OK) {
		if (part != HOUSE_MENU)
			e = desk_contradicted(c->db, c->restaurant.id, c->now_s, api_add_row, rows);
		db_read_end(c->db);
	}
	return call_list(c, e, "contradicted", rows);
}

enum err api_house_write(struct call *c, enum house_part part, struct json *change)
{
	struct buf text = {0};
	struct house_open open = {0};
	enum err e = call_body(c);

	json_print(change, &text);
	json_free(change);
	if (e == ERR_OK)
		e = buf_ok(&text) ? house_write(c->db, part, c->restaurant.id, text.data, call_by(c), &open) : ERR_NO_MEMORY;
	buf_free(&text);
	return e == ERR_OK ? answer_contradicted(c, part) : refuse_part(c, part, e, &open);
}

enum err api_house_add(struct call *c)
{
	char name[LENGTHS_SIZE(LENGTHS_HOUSE)];
	int64_t id = 0;
	enum err e;

	in_only(&c->body, "name", NULL);
	in_text(&c->body, "name", IN_REQUIRED, LENGTHS_HOUSE, name, sizeof name);
	e = call_body(c);
	if (e == ERR_OK)
		e = house_add(c->db, name, &id);
	return call_numbered(c, e, "restaurantId", id);
}
