/*
 * api_house.c - what the owner changes: settings, hours, special days, menu, tables, staff.
 */
#include "route.h"

#include "api.h"
#include "desk.h"
#include "house.h"
#include "zone.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { HOURS_MAX = 40, MENU_MAX = 60, TABLES_MAX = 100, SETS_MAX = 40 };

/* ---- reading ---- */

/* reservation_limit as reservationLimit. */
static void camel(const char *name, char out[48])
{
	size_t n = 0;

	for (; *name && n < 47; name++) {
		if (*name == '_' && name[1]) {
			name++;
			out[n++] = (char)(*name - 'a' + 'A');
		} else
			out[n++] = *name;
	}
	out[n] = '\0';
}

static struct json *settings_json(const struct settings *s)
{
	struct json *list = json_list();
	char name[48];

	for (size_t i = 0; i < settings_count; i++) {
		const struct settings_row *row = &settings_rows[i];
		struct json *j = json_new();
		int value;

		memcpy(&value, (const char *)s + row->offset, sizeof value);
		camel(row->name, name);
		json_text(j, "name", name);
		json_int(j, "value", value);
		json_int(j, "min", row->min);
		json_int(j, "max", row->max);
		json_text(j, "help", row->help);
		json_push(list, j);
	}
	return list;
}

static void add_staff(void *arg, int64_t id, const char *type, const char *name, const char *email)
{
	struct json *j = json_new();

	json_int(j, "userId", id);
	json_text(j, "userType", type);
	json_text(j, "name", name);
	json_text(j, "email", email);
	json_push(arg, j);
}

static struct json *sets_json(const struct seats_plan *plan)
{
	struct json *list = json_list();

	for (size_t i = 0; i < plan->set_count; i++) {
		struct json *j = json_new(), *ids = json_list();

		for (size_t k = 0; k < plan->sets[i].count; k++)
			json_push(ids, json_number(plan->sets[i].tables[k]));
		json_put(j, "tableIds", ids);
		json_int(j, "seatsMin", plan->sets[i].seats_min);
		json_int(j, "seatsMax", plan->sets[i].seats_max);
		json_push(list, j);
	}
	return list;
}

/* What the guest's page does not need: settings with their ranges, joined tables, staff. */
enum err api_house(struct call *c)
{
	static struct seats_plan plan;
	struct json *j, *staff = json_list(), *tables = json_list();
	char paused[CLOCK_ISO_SIZE] = "";
	enum err e = users_list_staff(c->db, add_staff, staff);

	if (e == ERR_OK)
		e = desk_tables(c->db, c->restaurant.id, api_add_table, tables);
	if (e == ERR_OK)
		e = restaurants_plan(c->db, c->restaurant.id, &plan);
	if (e != ERR_OK) {
		json_free(staff);
		json_free(tables);
		return e;
	}
	j = json_new();
	json_put(j, "settings", settings_json(&c->restaurant.set));
	json_put(j, "tables", tables);
	json_put(j, "sets", sets_json(&plan));
	json_put(j, "staff", staff);
	if (c->restaurant.paused_until_s > c->now_s)
		clock_iso(c->restaurant.paused_until_s, paused);
	json_text_or_null(j, "pausedUntil", paused);
	json_text_or_null(j, "notifyEmail", c->restaurant.notify_email);
	json_text_or_null(j, "messageText", c->restaurant.message_text);
	json_text_or_null(j, "messageTextEn", c->restaurant.message_text_en);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

/* ---- writing ---- */

/* The change is written, and the reservations that lie outside of the hours now are named. */
static enum err write_part(struct call *c, enum house_part part, struct json *change)
{
	struct json *rows, *j;
	struct buf text = {0};
	struct date today;
	char day[TEXT_DATE_SIZE], actor[32];
	int minute;
	enum err e = call_body(c);

	json_print(change, &text);
	json_free(change);
	call_actor(c, 0, actor);
	if (e == ERR_OK)
		e = buf_ok(&text) ? house_write(c->db, part, c->restaurant.id, text.data, actor) : ERR_NO_MEMORY;
	buf_free(&text);
	if (e == ERR_DUPLICATE || e == ERR_INTERNAL)
		return ERR_BAD_REQUEST; /* a name twice, hours that overlap: the book's own rules */
	if (e != ERR_OK)
		return e;
	if (!zone_to_local(c->restaurant.zone, c->now_s, &today, &minute))
		return ERR_INTERNAL;
	text_put_date(today, day);
	rows = json_list();
	e = db_read_begin(c->db);
	if (e == ERR_OK) {
		e = desk_contradicted(c->db, c->restaurant.id, day, c->now_s, api_add_row, rows);
		db_read_end(c->db);
	}
	j = json_new();
	json_put(j, "contradicted", rows);
	reply_json(c->reply, 200, j);
	return e;
}

enum err api_house_add(struct call *c)
{
	struct json *j;
	char name[324];
	int64_t id = 0;
	enum err e;

	in_only(&c->body, "name", NULL);
	in_text(&c->body, "name", IN_REQUIRED, 80, name, sizeof name);
	e = call_body(c);
	if (e == ERR_OK)
		e = house_add(c->db, name, &id);
	if (e != ERR_OK)
		return e;
	j = json_new();
	json_int(j, "restaurantId", id);
	reply_json(c->reply, 201, j);
	return ERR_OK;
}

enum err api_house_settings(struct call *c)
{
	static const struct {
		const char *field, *column;
		size_t max;
		bool needed;
	} texts[] = {
		{"name", "name", 80, true},
		{"nameEn", "name_en", 80, false},
		{"phone", "phone", 30, false},
		{"address", "address", 120, false},
		{"addressEn", "address_en", 120, false},
		{"paymentText", "payment_text", 400, false},
		{"notifyEmail", "notify_email", 254, false},
		{"messageText", "message_text", 300, false},
		{"messageTextEn", "message_text_en", 300, false},
		{"timezone", "timezone", 60, true},
		{"currency", "currency", 3, true},
	};
	struct json *j = json_new();
	struct in *in = &c->body;
	char text[2004], name[48], pause[CLOCK_ISO_SIZE];
	struct date day;
	int64_t value, until;
	int minute;

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		if (!in_has(in, texts[i].field))
			continue;
		in_text(in, texts[i].field, IN_REQUIRED, texts[i].max, text, sizeof text);
		if (in->e == ERR_MISSING_FIELD && !texts[i].needed)
			in->e = ERR_OK; /* emptied */
		if (in->e == ERR_OK && strcmp(texts[i].field, "timezone") == 0 && !zone_to_local(text, c->now_s, &day, &minute))
			in_fail(in, ERR_OUT_OF_RANGE, "timezone");
		if (in->e == ERR_OK && *text && strcmp(texts[i].field, "notifyEmail") == 0 && !text_email(text))
			in_fail(in, ERR_BAD_EMAIL, "notifyEmail");
		json_text(j, texts[i].column, text);
	}
	for (size_t i = 0; i < settings_count; i++) {
		const struct settings_row *row = &settings_rows[i];

		camel(row->name, name);
		if (!in_has(in, name))
			continue;
		in_int(in, name, IN_REQUIRED, row->min, row->max, &value);
		json_int(j, row->name, value);
	}
	if (in_has(in, "pausedUntil")) {
		in_text(in, "pausedUntil", IN_OPTIONAL, 20, pause, sizeof pause);
		if (*pause && !clock_parse_iso(pause, &until))
			in_fail(in, ERR_BAD_TIME, "pausedUntil");
		json_text(j, "paused_until", pause);
	}
	return write_part(c, HOUSE_SETTINGS, j);
}

/* One span of hours: of a weekday, or of a special day. */
static void take_span(struct in *in, void *arg)
{
	char opens[16], closes[16], label[16];
	struct json *j = json_new();
	int64_t weekday = 0;
	int from = 0, to = 0;

	in_only(in, "weekday", "opens", "closes", "label", NULL);
	in_int(in, "weekday", IN_OPTIONAL, 1, 7, &weekday);
	in_text(in, "opens", IN_REQUIRED, 5, opens, sizeof opens);
	in_text(in, "closes", IN_REQUIRED, 5, closes, sizeof closes);
	in_text(in, "label", IN_OPTIONAL, 10, label, sizeof label);
	if (in->e == ERR_OK && !text_time(opens, &from))
		in_fail(in, ERR_BAD_TIME, "opens");
	if (in->e == ERR_OK && strcmp(closes, "24:00") != 0 && (!text_time(closes, &to) || to <= from))
		in_fail(in, ERR_BAD_TIME, "closes");
	if (weekday)
		json_int(j, "weekday", weekday);
	json_text(j, "opens", opens);
	json_text(j, "closes", closes);
	json_text(j, "label",
		  strcmp(label, "lunch") == 0 || strcmp(label, "dinner") == 0 || strcmp(label, "breakfast") == 0 ? label : "");
	json_push(arg, j);
}

enum err api_house_hours(struct call *c)
{
	struct json *j = json_new(), *list = json_list();

	in_only(&c->body, "hours", NULL);
	in_list(&c->body, "hours", IN_REQUIRED, HOURS_MAX, take_span, list);
	json_put(j, "hours", list);
	return write_part(c, HOUSE_HOURS, j);
}

enum err api_house_special_day(struct call *c)
{
	struct json *j = json_new(), *list = json_list();
	struct in *in = &c->body;
	char day[16], note[324];
	struct date date;
	int64_t closed = 0;

	in_only(in, "day", "closed", "hours", "note", NULL);
	in_text(in, "day", IN_REQUIRED, 10, day, sizeof day);
	if (in->e == ERR_OK && !text_date(day, &date))
		in_fail(in, ERR_BAD_DATE, "day");
	in_int(in, "closed", IN_OPTIONAL, 0, 1, &closed);
	in_list(in, "hours", IN_OPTIONAL, 6, take_span, list);
	in_text(in, "note", IN_OPTIONAL, 80, note, sizeof note);
	json_text(j, "day", day);
	json_int(j, "closed", closed);
	json_text_or_null(j, "note", note);
	json_put(j, "hours", list);
	return write_part(c, HOUSE_SPECIAL_DAY, j);
}

static void take_dish(struct in *in, void *arg)
{
	char name[324], name_en[324], about[804], about_en[804];
	int64_t id = 0, price = 0, sold_out = 0;
	struct json *j = json_new();

	in_only(in, "menuId", "name", "nameEn", "description", "descriptionEn", "price", "soldOut", NULL);
	in_int(in, "menuId", IN_OPTIONAL, 1, INT64_MAX - 1, &id);
	in_text(in, "name", IN_REQUIRED, 80, name, sizeof name);
	in_text(in, "nameEn", IN_OPTIONAL, 80, name_en, sizeof name_en);
	in_text(in, "description", IN_OPTIONAL, 200, about, sizeof about);
	in_text(in, "descriptionEn", IN_OPTIONAL, 200, about_en, sizeof about_en);
	in_int(in, "price", IN_REQUIRED, 0, 10000000, &price);
	in_int(in, "soldOut", IN_OPTIONAL, 0, 1, &sold_out);
	if (id)
		json_int(j, "menuId", id);
	json_text(j, "name", name);
	json_text_or_null(j, "nameEn", name_en);
	json_text_or_null(j, "description", about);
	json_text_or_null(j, "descriptionEn", about_en);
	json_int(j, "price", price);
	json_int(j, "soldOut", sold_out);
	json_push(arg, j);
}

enum err api_house_menu(struct call *c)
{
	struct json *j = json_new(), *list = json_list();

	in_only(&c->body, "menu", NULL);
	in_list(&c->body, "menu", IN_REQUIRED, MENU_MAX, take_dish, list);
	json_put(j, "menu", list);
	return write_part(c, HOUSE_MENU, j);
}

static void take_table(struct in *in, void *arg)
{
	int64_t id = 0, least = 1, most = 0, x = -1, y = -1;
	struct json *j = json_new();
	char name[84];

	in_only(in, "tableId", "name", "seatsMin", "seatsMax", "x", "y", NULL);
	in_int(in, "tableId", IN_OPTIONAL, 1, INT64_MAX - 1, &id);
	in_text(in, "name", IN_REQUIRED, 20, name, sizeof name);
	in_int(in, "seatsMax", IN_REQUIRED, 1, 1000, &most);
	in_int(in, "seatsMin", IN_OPTIONAL, 1, most ? most : 1, &least);
	in_int(in, "x", IN_OPTIONAL, 0, 100, &x);
	in_int(in, "y", IN_OPTIONAL, 0, 100, &y);
	if (id)
		json_int(j, "tableId", id);
	json_text(j, "name", name);
	json_int(j, "seatsMin", least);
	json_int(j, "seatsMax", most);
	if (x >= 0 && y >= 0) {
		json_int(j, "x", x);
		json_int(j, "y", y);
	}
	json_push(arg, j);
}

static void take_member(struct in *in, void *arg)
{
	struct json *j = json_new();
	char name[84];

	in_only(in, "name", NULL);
	in_text(in, "name", IN_REQUIRED, 20, name, sizeof name);
	json_text(j, "name", name);
	json_push(arg, j);
}

static void take_set(struct in *in, void *arg)
{
	struct json *j = json_new(), *members = json_list();
	int64_t least = 1, most = 0;

	in_only(in, "tables", "seatsMin", "seatsMax", NULL);
	in_list(in, "tables", IN_REQUIRED, TICKET_TABLES, take_member, members);
	in_int(in, "seatsMax", IN_REQUIRED, 1, 1000, &most);
	in_int(in, "seatsMin", IN_OPTIONAL, 1, most ? most : 1, &least);
	json_put(j, "tables", members);
	json_int(j, "seatsMin", least);
	json_int(j, "seatsMax", most);
	json_push(arg, j);
}

enum err api_house_tables(struct call *c)
{
	struct json *j = json_new(), *tables = json_list(), *sets = json_list();

	in_only(&c->body, "tables", "sets", NULL);
	in_list(&c->body, "tables", IN_REQUIRED, TABLES_MAX, take_table, tables);
	in_list(&c->body, "sets", IN_OPTIONAL, SETS_MAX, take_set, sets);
	json_put(j, "tables", tables);
	json_put(j, "sets", sets);
	return write_part(c, HOUSE_TABLES, j);
}

/* ---- people ---- */

/* A one-time password, as the page needs it for a link: its owner chooses another there. */
static enum err hand_link(struct call *c, int64_t user_id, const char *email)
{
	char password[TOKEN_PASSWORD_SIZE], hash[TOKEN_HASH_SIZE], actor[32];
	struct json *j;
	enum err e;

	token_make_password(password);
	if (!token_hash_password(password, hash))
		return ERR_NO_MEMORY;
	call_actor(c, 0, actor);
	e = users_set_once(c->db, user_id, hash, c->now_s + USERS_LINK_S, actor, c->now_s);
	if (e != ERR_OK)
		return e;
	j = json_new();
	json_int(j, "userId", user_id);
	json_text(j, "email", email);
	json_text(j, "password", password);
	json_int(j, "minutes", USERS_LINK_S / 60);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

/* Whom somebody of the house is, and what they log in with. */
static void read_person(struct in *in, char name[164], char email[256])
{
	in_text(in, "email", IN_REQUIRED, 254, email, 256);
	in_text(in, "name", IN_REQUIRED, 40, name, 164);
	if (in->e == ERR_OK && !text_email(email))
		in_fail(in, ERR_BAD_EMAIL, "email");
}

enum err api_staff_rename(struct call *c)
{
	char email[256], name[164], actor[CALL_ACTOR_SIZE];
	struct json *j;
	enum err e;

	in_only(&c->body, "email", "name", NULL);
	read_person(&c->body, name, email);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	call_actor(c, 0, actor);
	e = users_rename(c->db, c->req->path_ids[0], name, email, actor, c->now_s);
	if (e == ERR_DUPLICATE)
		return reply_field(c->reply, ERR_BAD_EMAIL, "email"); /* somebody logs in with it already */
	if (e != ERR_OK)
		return e;
	j = json_new();
	json_text(j, "name", name);
	json_text(j, "email", email);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

enum err api_staff_add(struct call *c)
{
	char email[256], name[164], type[16];
	struct in *in = &c->body;
	int64_t id = 0;
	enum err e;

	in_only(in, "email", "name", "userType", NULL);
	read_person(in, name, email);
	in_text(in, "userType", IN_OPTIONAL, 10, type, sizeof type);
	if (in->e == ERR_OK && *type && strcmp(type, "STAFF") != 0 && strcmp(type, "OWNER") != 0)
		in_fail(in, ERR_OUT_OF_RANGE, "userType");
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	e = users_add_login(c->db, strcmp(type, "OWNER") == 0 ? USER_OWNER : USER_STAFF, name, email, NULL, true, c->now_s,
			    &id);
	if (e == ERR_DUPLICATE)
		return reply_field(c->reply, ERR_BAD_EMAIL, "email"); /* somebody logs in with it already */
	return e == ERR_OK ? hand_link(c, id, email) : e;
}

/* {word}: link, logout, remove. */
enum err api_staff_act(struct call *c)
{
	int64_t id = c->req->path_ids[0];
	char email[256], actor[32];
	struct user u;
	enum err e;

	in_only(&c->body, "email", NULL);
	in_text(&c->body, "email", IN_OPTIONAL, 254, email, sizeof email);
	e = call_body(c);
	if (e == ERR_OK)
		e = users_staff(c->db, id, &u);
	if (e != ERR_OK)
		return e;
	call_actor(c, 0, actor);
	if (strcmp(c->req->path_word, "link") == 0)
		return hand_link(c, id, email);
	if (strcmp(c->req->path_word, "remove") == 0 && id == c->who.user.id)
		return ERR_BAD_MOVE; /* somebody must keep the key */
	if (strcmp(c->req->path_word, "remove") != 0 && strcmp(c->req->path_word, "logout") != 0)
		return ERR_NOT_FOUND;
	e = users_log_out(c->db, id, strcmp(c->req->path_word, "remove") == 0, actor, c->now_s);
	if (e == ERR_OK)
		reply_json(c->reply, 200, json_new());
	return e;
}
