/*
 * api_house.c - what the owner changes: settings, hours, special days, menu, tables, staff.
 */
#include "route.h"

#include "api.h"
#include "desk.h"
#include "house.h"
#include "staff.h"
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
	enum err e = staff_list(c->db, c->who.user.restaurant_id, json_row, staff);

	if (e == ERR_OK)
		e = desk_tables(c->db, c->restaurant.id, json_row, tables);
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
	if (e == ERR_DUPLICATE && lists[part]) /* two tables have swapped their names */
		return reply_field(c->reply, ERR_NAMED_TWICE, lists[part]);
	return e == ERR_STALE && lists[part] ? reply_field(c->reply, e, lists[part]) : e;
}

/* Reservations to come that the house as it is now would not take; the menu contradicts none. */
static enum err answer_contradicted(struct call *c, enum house_part part)
{
	struct json *rows = json_list(), *j = json_new();
	enum err e = db_read_begin(c->db);

	if (e == ERR_OK) {
		if (part != HOUSE_MENU)
			e = desk_contradicted(c->db, c->restaurant.id, c->now_s, api_add_row, rows);
		db_read_end(c->db);
	}
	json_put(j, "contradicted", rows);
	reply_json(c->reply, 200, j);
	return e;
}

/* Takes the change, which is written whole or not at all. */
static enum err write_part(struct call *c, enum house_part part, struct json *change)
{
	struct buf text = {0};
	struct house_open open = {0};
	char actor[32];
	enum err e = call_body(c);

	json_print(change, &text);
	json_free(change);
	call_actor(c, 0, actor);
	if (e == ERR_OK)
		e = buf_ok(&text) ? house_write(c->db, part, c->restaurant.id, text.data, actor, &open) : ERR_NO_MEMORY;
	buf_free(&text);
	return e == ERR_OK ? answer_contradicted(c, part) : refuse_part(c, part, e, &open);
}

enum err api_house_add(struct call *c)
{
	struct json *j;
	char name[LENGTHS_SIZE(LENGTHS_HOUSE)];
	int64_t id = 0;
	enum err e;

	in_only(&c->body, "name", NULL);
	in_text(&c->body, "name", IN_REQUIRED, LENGTHS_HOUSE, name, sizeof name);
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

static const struct fact {
	const char *field, *column;
	size_t max;
	bool needed;
	void (*take)(struct in *in, const char *key, enum in_need need, size_t max_points, char *out, size_t size);
	bool (*is_good)(const char *text); /* NULL: any text will do */
	enum err wrong;
} facts[] = {
	{"name", "name", LENGTHS_HOUSE, true, in_text, NULL, ERR_OK},
	{"nameEn", "name_en", LENGTHS_HOUSE, false, in_text, NULL, ERR_OK},
	{"phone", "phone", LENGTHS_HOUSE_PHONE, false, in_text, NULL, ERR_OK},
	{"address", "address", LENGTHS_ADDRESS, false, in_text, NULL, ERR_OK},
	{"addressEn", "address_en", LENGTHS_ADDRESS, false, in_text, NULL, ERR_OK},
	{"paymentText", "payment_text", LENGTHS_PAYMENT_TEXT, false, in_lines, NULL, ERR_OK},
	{"notifyEmail", "notify_email", LENGTHS_EMAIL, false, in_text, text_email, ERR_BAD_EMAIL},
	{"messageText", "message_text", LENGTHS_MESSAGE_TEXT, false, in_lines, NULL, ERR_OK},
	{"messageTextEn", "message_text_en", LENGTHS_MESSAGE_TEXT, false, in_lines, NULL, ERR_OK},
	{"timezone", "timezone", 60, true, in_text, zone_is_public, ERR_BAD_ZONE},
	{"currency", "currency", 3, true, in_text, text_currency, ERR_BAD_CURRENCY},
};
static const size_t fact_count = sizeof facts / sizeof facts[0];

static bool is_setting(const char *key)
{
	bool known = strcmp(key, "pausedUntil") == 0;
	char name[48];

	for (size_t i = 0; i < fact_count && !known; i++)
		known = strcmp(key, facts[i].field) == 0;
	for (size_t i = 0; i < settings_count && !known; i++) {
		camel(settings_rows[i].name, name);
		known = strcmp(key, name) == 0;
	}
	return known;
}

static void take_facts(struct in *in, struct json *change)
{
	char text[LENGTHS_SIZE(LENGTHS_PAYMENT_TEXT)];

	for (const struct fact *f = facts; f < facts + fact_count; f++) {
		if (!in_has(in, f->field))
			continue;
		f->take(in, f->field, f->needed ? IN_REQUIRED : IN_OPTIONAL, f->max, text, sizeof text);
		if (in->e == ERR_OK && *text && f->is_good && !f->is_good(text))
			in_fail(in, f->wrong, f->field);
		json_text(change, f->column, text);
	}
}

/* The numbers; *set is what they were and becomes what they will be. */
static void take_numbers(struct in *in, struct settings *set, struct json *change)
{
	char name[48];
	int64_t value = 0;

	for (const struct settings_row *row = settings_rows; row < settings_rows + settings_count; row++) {
		camel(row->name, name);
		if (!in_has(in, name))
			continue;
		in_int(in, name, IN_REQUIRED, row->min, row->max, &value);
		if (in->e == ERR_OK && !settings_fits(row, value))
			in_fail(in, ERR_OUT_OF_RANGE, name);
		if (in->e == ERR_OK)
			settings_put(set, row, (int)value);
		json_int(change, row->name, value);
	}
	if (in_has(in, "callingCode") && !text_calling_code(set->calling_code))
		in_fail(in, ERR_OUT_OF_RANGE, "callingCode");
	if (set->party_min > set->party_max && (in_has(in, "partyMin") || in_has(in, "partyMax")))
		in_fail(in, ERR_OUT_OF_RANGE, in_has(in, "partyMin") ? "partyMin" : "partyMax");
}

enum err api_house_settings(struct call *c)
{
	struct settings set = c->restaurant.set;
	struct json *j = json_new();
	struct in *in = &c->body;
	char pause[CLOCK_ISO_SIZE];
	int64_t until;

	in_only_known(in, is_setting);
	take_facts(in, j);
	take_numbers(in, &set, j);
	if (in_has(in, "pausedUntil")) {
		in_text(in, "pausedUntil", IN_OPTIONAL, 20, pause, sizeof pause);
		if (*pause && !clock_parse_iso(pause, &until))
			in_fail(in, ERR_BAD_TIME, "pausedUntil");
		json_text(j, "paused_until", pause);
	}
	return write_part(c, HOUSE_SETTINGS, j);
}

/* Spans of hours, while they are read. */
struct week {
	bool special; /* of one day, so that they name no weekday */
	struct json *list;
	size_t count;
	struct {
		int64_t weekday;
		int opens;
	} seen[HOURS_MAX];
};

/* One of them: of a weekday, or of a special day. */
static void take_span(struct in *in, void *arg)
{
	struct week *w = arg;
	char opens[16], closes[16], label[16];
	struct json *j = json_new();
	int64_t weekday = 0;
	int from = 0, to = 0;

	in_only(in, "weekday", "opens", "closes", "label", NULL);
	in_int(in, "weekday", w->special ? IN_OPTIONAL : IN_REQUIRED, 1, 7, &weekday);
	in_text(in, "opens", IN_REQUIRED, 5, opens, sizeof opens);
	in_text(in, "closes", IN_REQUIRED, 5, closes, sizeof closes);
	in_text(in, "label", IN_OPTIONAL, 10, label, sizeof label);
	if (in->e == ERR_OK && !text_time(opens, &from))
		in_fail(in, ERR_BAD_TIME, "opens");
	if (in->e == ERR_OK && strcmp(closes, "24:00") != 0 && (!text_time(closes, &to) || to <= from))
		in_fail(in, ERR_BAD_TIME, "closes");
	for (size_t i = 0; i < w->count; i++)
		if (w->seen[i].weekday == weekday && w->seen[i].opens == from)
			in_fail(in, ERR_NAMED_TWICE, "hours");
	w->seen[w->count].weekday = weekday;
	w->seen[w->count++].opens = from;
	if (weekday)
		json_int(j, "weekday", weekday);
	json_text(j, "opens", opens);
	json_text(j, "closes", closes);
	json_text(j, "label",
		  strcmp(label, "lunch") == 0 || strcmp(label, "dinner") == 0 || strcmp(label, "breakfast") == 0 ? label : "");
	json_push(w->list, j);
}

enum err api_house_hours(struct call *c)
{
	struct week week = {.list = json_list()};
	struct json *j = json_new();

	in_only(&c->body, "hours", NULL);
	in_list(&c->body, "hours", IN_NAMED, HOURS_MAX, take_span, &week);
	json_put(j, "hours", week.list);
	return write_part(c, HOUSE_HOURS, j);
}

enum err api_house_special_day(struct call *c)
{
	struct week spans = {.special = true, .list = json_list()};
	struct json *j = json_new();
	struct in *in = &c->body;
	char day[16], note[LENGTHS_SIZE(LENGTHS_DAY_NOTE)];
	struct date date;
	int64_t closed = 0;

	in_only(in, "day", "closed", "hours", "note", NULL);
	in_text(in, "day", IN_REQUIRED, 10, day, sizeof day);
	if (in->e == ERR_OK && !text_date(day, &date))
		in_fail(in, ERR_BAD_DATE, "day");
	in_int(in, "closed", IN_OPTIONAL, 0, 1, &closed);
	in_list(in, "hours", IN_OPTIONAL, 6, take_span, &spans);
	in_text(in, "note", IN_OPTIONAL, LENGTHS_DAY_NOTE, note, sizeof note);
	json_text(j, "day", day);
	json_int(j, "closed", closed);
	json_text_or_null(j, "note", note);
	json_put(j, "hours", spans.list);
	return write_part(c, HOUSE_SPECIAL_DAY, j);
}

static void take_dish(struct in *in, void *arg)
{
	char name[LENGTHS_SIZE(LENGTHS_DISH)], name_en[LENGTHS_SIZE(LENGTHS_DISH)];
	char about[LENGTHS_SIZE(LENGTHS_DESCRIPTION)], about_en[LENGTHS_SIZE(LENGTHS_DESCRIPTION)];
	int64_t id = 0, price = 0, sold_out = 0;
	struct json *j = json_new();

	in_only(in, "menuId", "name", "nameEn", "description", "descriptionEn", "price", "soldOut", NULL);
	in_int(in, "menuId", IN_OPTIONAL, 1, INT64_MAX - 1, &id);
	in_text(in, "name", IN_REQUIRED, LENGTHS_DISH, name, sizeof name);
	in_text(in, "nameEn", IN_OPTIONAL, LENGTHS_DISH, name_en, sizeof name_en);
	in_lines(in, "description", IN_OPTIONAL, LENGTHS_DESCRIPTION, about, sizeof about);
	in_lines(in, "descriptionEn", IN_OPTIONAL, LENGTHS_DESCRIPTION, about_en, sizeof about_en);
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
	in_list(&c->body, "menu", IN_NAMED, MENU_MAX, take_dish, list);
	json_put(j, "menu", list);
	return write_part(c, HOUSE_MENU, j);
}

/* The tables of a request, by which its joins are judged. */
struct plan {
	struct json *tables, *sets;
	size_t count;
	struct {
		char name[LENGTHS_SIZE(LENGTHS_TABLE)];
		int64_t seats;
	} known[TABLES_MAX];
};

/* The place of that name among the tables; their count when there is none. */
static size_t find_table(const struct plan *p, const char *name)
{
	size_t i = 0;

	while (i < p->count && strcmp(p->known[i].name, name) != 0)
		i++;
	return i;
}

static void take_table(struct in *in, void *arg)
{
	int64_t id = 0, least = 1, most = 0, x = -1, y = -1;
	struct json *j = json_new();
	struct plan *p = arg;
	char name[LENGTHS_SIZE(LENGTHS_TABLE)];

	in_only(in, "tableId", "name", "seatsMin", "seatsMax", "x", "y", NULL);
	in_int(in, "tableId", IN_OPTIONAL, 1, INT64_MAX - 1, &id);
	in_text(in, "name", IN_REQUIRED, LENGTHS_TABLE, name, sizeof name);
	in_int(in, "seatsMax", IN_REQUIRED, 1, 1000, &most);
	in_int(in, "seatsMin", IN_OPTIONAL, 1, most ? most : 1, &least);
	in_int(in, "x", IN_OPTIONAL, 0, 100, &x);
	in_int(in, "y", IN_OPTIONAL, 0, 100, &y);
	if (in->e == ERR_OK && find_table(p, name) < p->count)
		in_fail(in, ERR_NAMED_TWICE, "tables");
	if (id)
		json_int(j, "tableId", id);
	json_text(j, "name", name);
	json_int(j, "seatsMin", least);
	json_int(j, "seatsMax", most);
	if (x >= 0 && y >= 0) {
		json_int(j, "x", x);
		json_int(j, "y", y);
	}
	json_push(p->tables, j);
	if (in->e == ERR_OK) {
		memcpy(p->known[p->count].name, name, sizeof name);
		p->known[p->count++].seats = most;
	}
}

/* Tables that are joined, while they are read. */
struct join {
	const struct plan *plan;
	struct json *names;
	size_t count, at[TICKET_TABLES];
	int64_t sum, largest;
};

static void take_member(struct in *in, void *arg)
{
	struct join *t = arg;
	struct json *j = json_new();
	char name[LENGTHS_SIZE(LENGTHS_TABLE)];
	size_t at;

	in_only(in, "name", NULL);
	in_text(in, "name", IN_REQUIRED, LENGTHS_TABLE, name, sizeof name);
	json_text(j, "name", name);
	json_push(t->names, j);
	if (in->e != ERR_OK)
		return;
	at = find_table(t->plan, name);
	for (size_t i = 0; i < t->count; i++)
		if (t->at[i] == at)
			in_fail(in, ERR_BAD_JOIN, "sets");
	if (at == t->plan->count) {
		in_fail(in, ERR_BAD_JOIN, "sets");
		return;
	}
	t->at[t->count++] = at;
	t->sum += t->plan->known[at].seats;
	if (t->plan->known[at].seats > t->largest)
		t->largest = t->plan->known[at].seats;
}

static void take_set(struct in *in, void *arg)
{
	struct plan *p = arg;
	struct join t = {.plan = p, .names = json_list()};
	struct json *j = json_new();
	int64_t least = 1, most = 0;

	in_only(in, "tables", "seatsMin", "seatsMax", NULL);
	in_list(in, "tables", IN_REQUIRED, TICKET_TABLES, take_member, &t);
	in_int(in, "seatsMax", IN_REQUIRED, 1, 1000, &most);
	in_int(in, "seatsMin", IN_OPTIONAL, 1, most ? most : 1, &least);
	if (in->e == ERR_OK && (t.count < 2 || most < t.largest || most > 2 * t.sum))
		in_fail(in, ERR_BAD_JOIN, "sets");
	json_put(j, "tables", t.names);
	json_int(j, "seatsMin", least);
	json_int(j, "seatsMax", most);
	json_push(p->sets, j);
}

enum err api_house_tables(struct call *c)
{
	static struct plan plan;
	struct json *j = json_new();
	bool joins = in_has(&c->body, "sets");

	plan = (struct plan){.tables = json_list(), .sets = json_list()};
	in_only(&c->body, "tables", "sets", NULL);
	in_list(&c->body, "tables", IN_NAMED, TABLES_MAX, take_table, &plan);
	in_list(&c->body, "sets", IN_OPTIONAL, SETS_MAX, take_set, &plan);
	json_put(j, "tables", plan.tables);
	if (joins)
		json_put(j, "sets", plan.sets);
	else
		json_free(plan.sets); /* they stay */
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
	e = staff_set_once(c->db, user_id, hash, c->now_s + STAFF_LINK_S, actor, c->now_s);
	if (e != ERR_OK)
		return e;
	j = json_new();
	json_int(j, "userId", user_id);
	json_text(j, "email", email);
	json_text(j, "password", password);
	json_int(j, "minutes", STAFF_LINK_S / 60);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

/* Name and login address of a staff member. */
static void read_person(struct in *in, char name[TICKET_NAME_SIZE], char email[256])
{
	in_text(in, "email", IN_REQUIRED, LENGTHS_EMAIL, email, 256);
	in_text(in, "name", IN_REQUIRED, LENGTHS_NAME, name, TICKET_NAME_SIZE);
	if (in->e == ERR_OK && !text_email(email))
		in_fail(in, ERR_BAD_EMAIL, "email");
}

enum err api_staff_rename(struct call *c)
{
	char email[256], name[TICKET_NAME_SIZE], actor[CALL_ACTOR_SIZE];
	struct json *j;
	enum err e;

	in_only(&c->body, "email", "name", NULL);
	read_person(&c->body, name, email);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	call_actor(c, 0, actor);
	e = staff_rename(c->db, c->req->path_ids[0], name, email, actor, c->now_s);
	if (e == ERR_DUPLICATE)
		return reply_field(c->reply, ERR_BAD_EMAIL, "email"); /* another login has it */
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
	char email[256], name[TICKET_NAME_SIZE], type[16];
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
	e = staff_add(c->db, strcmp(type, "OWNER") == 0 ? USER_OWNER : USER_STAFF, name, email, NULL, true, c->now_s, &id);
	if (e == ERR_DUPLICATE)
		return reply_field(c->reply, ERR_BAD_EMAIL, "email"); /* another login has it */
	return e == ERR_OK ? hand_link(c, id, email) : e;
}

/* {word}: link, logout, remove. */
enum err api_staff_act(struct call *c)
{
	int64_t id = c->req->path_ids[0];
	char email[256], actor[32];
	struct staff_by by;
	struct user u;
	enum err e;

	in_only(&c->body, "email", NULL);
	in_text(&c->body, "email", IN_OPTIONAL, LENGTHS_EMAIL, email, sizeof email);
	e = call_body(c);
	if (e == ERR_OK)
		e = staff_get(c->db, id, &u);
	if (e != ERR_OK)
		return e;
	call_actor(c, 0, actor);
	if (strcmp(c->req->path_word, "link") == 0)
		return hand_link(c, id, email);
	if (strcmp(c->req->path_word, "remove") == 0 && id == c->who.user.id)
		return ERR_BAD_MOVE; /* the last owner must stay */
	if (strcmp(c->req->path_word, "remove") != 0 && strcmp(c->req->path_word, "logout") != 0)
		return ERR_NOT_FOUND;
	by = (struct staff_by){c->who.user.id, c->who.login, c->who.user.token_version};
	return call_done(c, staff_log_out(c->db, &by, id, strcmp(c->req->path_word, "remove") == 0, actor, c->now_s));
}
