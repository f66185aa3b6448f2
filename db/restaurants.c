/*
 * restaurants.c - a restaurant as the book has it.
 */
#include "restaurants.h"

#include "clock.h"
#include "openings.h"
#include "room.h"
#include "zone.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { KEPT_DAYS = 8 };

/* Its own columns, then every setting in the order of settings_rows. */
enum err restaurants_get(struct db *db, int64_t id, struct restaurant *out)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_RESTAURANT_GET, "i", id);
	const char *language, *provider;
	int column;
	enum err e;

	if (!stmt_row(db, s, &e))
		return e == ERR_OK ? ERR_NO_SUCH_RESTAURANT : e;
	memset(out, 0, sizeof *out);
	out->id = id;
	column = stmt_take(s, "tttttttmtttttwbwbi*", out->name, sizeof out->name, out->name_en, sizeof out->name_en, out->phone,
			   sizeof out->phone, out->address, sizeof out->address, out->address_en, sizeof out->address_en,
			   out->zone, sizeof out->zone, out->currency, sizeof out->currency, &out->paused_until_s,
			   out->payment_text, sizeof out->payment_text, out->notify_email, sizeof out->notify_email,
			   out->message_text, sizeof out->message_text, out->message_text_en, sizeof out->message_text_en,
			   out->country, sizeof out->country, &language, &out->service_sittings, &provider, &out->pay_test,
			   &out->guarantee);
	if (!intent_provider_parse(provider, &out->provider))
		out->provider = INTENT_DESK;
	out->lang = strcmp(language, "en") == 0 ? LANG_EN : LANG_KO;
	for (size_t i = 0; i < settings_count; i++)
		settings_put(&out->set, &settings_rows[i], (int)stmt_int(s, column + (int)i));
	stmt_done(s);
	return ERR_OK;
}

int restaurants_seats(const struct restaurant *r)
{
	return r->service_sittings && !r->set.seats ? r->set.reservation_limit : room_seats(&r->set);
}

bool restaurants_tells_end(const struct restaurant *r)
{
	return r->set.sitting_minutes || r->set.sitting_large_minutes || r->service_sittings;
}

const char *restaurants_words(const struct restaurant *r, enum lang lang, const char *own, const char *other)
{
	return lang == r->lang || !*other ? own : other;
}

enum err restaurants_zone(struct db *db, int64_t id, char out[64])
{
	return stmt_get(db, stmt_use(db, SQL_RESTAURANT_ZONE, "i", id), ERR_NO_SUCH_RESTAURANT, "t", out, (size_t)64);
}

enum err restaurants_wait_ms(struct db *db, int64_t id, int64_t *ms)
{
	*ms = 0;
	return stmt_number(db, SQL_RESTAURANT_WAIT_MS, ms, "i", id);
}

enum err restaurants_was_open(struct db *db, int64_t id, bool *was)
{
	*was = false;
	return stmt_get(db, stmt_use(db, SQL_RESTAURANT_WAS_OPEN, "i", id), ERR_OK, "b", was);
}

/* Rows of one day, while they are read. */
struct reading {
	struct hours_day *day;
	size_t rows;            /* with hours or without */
	struct hours_span week; /* as_week: what such a row says of the services of its week */
	bool as_week;
};

/* A row is a service; or it has no hours. */
static void take_row(struct sqlite3_stmt *s, struct reading *r)
{
	struct hours_day *day = r->day;
	struct hours_span span = {0};
	const char *note, *opens, *closes, *last;
	bool as_week;
	int column = stmt_take(s, "wbwwtw*", &note, &as_week, &opens, &closes, span.label, sizeof span.label, &last);

	for (int i = 0; i < HOURS__OWN; i++)
		if (stmt_int(s, column + i) >= 0)
			hours_set_own(&span, (enum hours_own)i, (int)stmt_int(s, column + i));
	r->rows++;
	if (!*day->note)
		snprintf(day->note, sizeof day->note, "%s", note);
	span.has_last = text_closing(last, &span.last);
	if (as_week) {
		r->as_week = true;
		r->week = span;
	} else if (day->count < HOURS_SPANS_MAX && text_time(opens, &span.opens) && text_closing(closes, &span.closes)) {
		day->spans[day->count++] = span;
	}
}

static enum err take_rows(struct db *db, struct sqlite3_stmt *s, struct reading *r)
{
	enum err e;

	while (stmt_row(db, s, &e))
		take_row(s, r);
	return e;
}

/* A day as its week, with a deposit of its own: that counts in each of its services. */
static void put_deposit(struct hours_day *day, const struct hours_span *of_day)
{
	static const enum hours_own deposits[] = {HOURS_OWN_deposit_per_person, HOURS_OWN_deposit_large_per_person};

	for (size_t i = 0; i < day->count; i++)
		for (size_t k = 0; k < sizeof deposits / sizeof deposits[0]; k++)
			if (of_day->own & 1u << deposits[k])
				hours_set_own(&day->spans[i], deposits[k], of_day->numbers[deposits[k]]);
}

enum err restaurants_day(struct db *db, int64_t id, struct date date, struct hours_day *out)
{
	struct reading r = {.day = out};
	enum err e;

	out->count = 0;
	out->note[0] = '\0';
	e = take_rows(db, stmt_use(db, SQL_SPECIAL_OF_DAY, "id", id, date), &r);
	if (e != ERR_OK || (r.rows > 0 && !r.as_week))
		return e;
	out->count = 0;
	e = take_rows(db, stmt_use(db, SQL_HOURS_OF_WEEKDAY, "ii", id, (int64_t)text_weekday(date)), &r);
	if (r.as_week)
		put_deposit(out, &r.week);
	return e;
}

enum err restaurants_at(struct db *db, const struct restaurant *r, const char *date, const char *time, struct settings *out)
{
	struct hours_day hours;
	struct date day;
	int minute;
	enum err e;

	if (!text_date(date, &day) || !text_time(time, &minute))
		return ERR_INTERNAL;
	e = restaurants_day(db, r->id, day, &hours);
	hours_settings(&r->set, e == ERR_OK ? hours_service(&hours, &r->set, minute) : NULL, out);
	return e;
}

enum err restaurants_evening(struct db *db, const struct restaurant *r, int64_t now_s, struct date *evening, int *minute)
{
	struct hours_day hours;
	enum err e = ERR_OK;

	if (!zone_to_local(r->zone, now_s, evening, minute))
		return ERR_INTERNAL;
	if (*minute + DAY_MINUTES >= NIGHT_MINUTES)
		return ERR_OK;
	e = restaurants_day(db, r->id, text_from_days(text_days(*evening) - 1), &hours);
	if (e == ERR_OK && hours_evenings_back(&hours, *minute)) {
		*evening = text_from_days(text_days(*evening) - 1);
		*minute += DAY_MINUTES;
	}
	return e;
}

static enum err read_day(struct db *db, int64_t id, struct restaurant_day *out)
{
	const struct restaurant *r = &out->restaurant;
	int64_t tables = 0, row_s = 0;
	enum err e = db_read_begin(db);

	if (e != ERR_OK)
		return e;
	e = restaurants_get(db, id, &out->restaurant);
	if (e == ERR_OK)
		e = restaurants_day(db, id, out->date, &out->hours);
	if (e == ERR_OK)
		e = stmt_number(db, SQL_HAS_TABLES, &tables, "i", id);
	if (e == ERR_OK)
		e = openings_of_date(db, id, out->date, &row_s);
	db_read_end(db);
	out->has_tables = tables != 0;
	if (e == ERR_OK)
		out->opening = opening_of(&r->set, r->zone, out->date, row_s);
	money_freeze(&out->restaurant.set, out->policy);
	return e;
}

enum err restaurants_kept(struct db *db, int64_t id, struct date date, const struct restaurant_day **out)
{
	static struct kept {
		struct restaurant_day day;
		const struct edition *from;
		uint64_t edition;
		int64_t until_ms;
	} kept[KEPT_DAYS];
	int64_t now = clock_mono_ms();
	struct kept *k;
	uint64_t edition;
	enum err e;

	assert(db->hall && id > 0);
	k = &kept[((uint64_t)text_days(date) + (uint64_t)id) % KEPT_DAYS];
	edition = edition_settings(db->hall->edition);
	*out = &k->day;
	if (now < k->until_ms && k->edition == edition && k->from == db->hall->edition && k->day.restaurant.id == id &&
	    text_days(k->day.date) == text_days(date))
		return ERR_OK;
	*k = (struct kept){.day.date = date, .from = db->hall->edition, .edition = edition};
	e = read_day(db, id, &k->day);
	if (e == ERR_OK)
		k->until_ms = now + RESTAURANTS_KEPT_MS;
	return e;
}

enum err restaurants_week(struct db *db, int64_t id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_HOURS_OF_WEEK, "i", id), each, arg);
}

enum err restaurants_special(struct db *db, int64_t id, struct date from, struct date to, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_SPECIAL_FROM, "idd", id, from, to), each, arg);
}

enum err restaurants_notes(struct db *db, int64_t id, struct date from, int count, restaurants_note *out)
{
	struct sqlite3_stmt *s;
	enum err e;

	assert(count > 0);
	memset(out, 0, (size_t)count * sizeof out[0]);
	s = stmt_use(db, SQL_SPECIAL_NOTES, "idd", id, from, text_from_days(text_days(from) + count - 1));
	while (stmt_row(db, s, &e)) {
		const char *day, *note;
		struct date date;

		stmt_take(s, "ww", &day, &note);
		if (text_date(day, &date))
			snprintf(out[text_days(date) - text_days(from)], sizeof out[0], "%s", note);
	}
	return e;
}

enum err restaurants_menu(struct db *db, int64_t id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_MENU_OF, "i", id), each, arg);
}

enum err restaurants_price(struct db *db, int64_t id, int64_t menu_id, int64_t *price)
{
	enum err e;

	*price = -1;
	e = stmt_number(db, SQL_MENU_PRICE, price, "ii", menu_id, id);
	return e == ERR_OK && *price < 0 ? ERR_NO_SUCH_MENU : e;
}

static enum err read_sets(struct db *db, int64_t restaurant_id, struct seats_plan *out)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_TABLE_SETS_OF, "i", restaurant_id);
	int64_t last = 0;
	enum err e;

	while (stmt_row(db, s, &e)) {
		struct seats_set *set, made = {0};
		int64_t id, table;

		stmt_take(s, "inni", &id, &made.seats_min, &made.seats_max, &table);
		if (id != last && out->set_count < SEATS_SETS_MAX)
			out->sets[out->set_count++] = made;
		last = id;
		set = &out->sets[out->set_count - 1];
		if (set->count < SEATS_JOIN_MAX)
			set->tables[set->count++] = table;
	}
	return e;
}

enum err restaurants_plan(struct db *db, int64_t id, struct seats_plan *out)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_TABLES_OF, "i", id);
	const char *open_to;
	enum err e;

	out->table_count = out->set_count = 0;
	while (stmt_row(db, s, &e))
		if (out->table_count < SEATS_TABLES_MAX) {
			struct seats_table *t = &out->tables[out->table_count++];

			*t = (struct seats_table){0};
			stmt_take(s, "innw", &t->id, &t->seats_min, &t->seats_max, &open_to);
			seats_who(open_to, &t->open_to);
		}
	if (e == ERR_OK && out->table_count)
		e = read_sets(db, id, out);
	seats_index(out);
	return e;
}

enum err restaurants_first(struct db *db, int64_t *id)
{
	enum err e;

	*id = 0;
	e = stmt_number(db, SQL_RESTAURANT_FIRST, id, "");
	return e == ERR_OK && !*id ? ERR_NO_SUCH_RESTAURANT : e;
}

enum err restaurants_all(struct db *db, int64_t ids[RESTAURANTS_MAX], int *count)
{
	return stmt_ids(db, stmt_use(db, SQL_RESTAURANT_ZONES, ""), ids, RESTAURANTS_MAX, count);
}

enum err restaurants_keep_offsets(struct db *db, int64_t now_s)
{
	struct {
		int64_t id;
		int offset;
	} changed[16];
	size_t n = 0;
	struct sqlite3_stmt *s = stmt_use(db, SQL_RESTAURANT_ZONES, "");
	enum err e;

	while (stmt_row(db, s, &e)) {
		const char *zone;
		int64_t id;
		int was, offset;

		stmt_take(s, "iwn", &id, &zone, &was);
		offset = zone_offset_minutes(zone, now_s);
		if (offset != was && n < sizeof changed / sizeof changed[0]) {
			changed[n].id = id;
			changed[n++].offset = offset;
		}
	}
	if (e != ERR_OK || n == 0)
		return e;
	e = db_begin(db);
	if (e != ERR_OK)
		return e;
	for (size_t i = 0; i < n && e == ERR_OK; i++)
		e = stmt_run(db, SQL_RESTAURANT_OFFSET_SET, "ii", changed[i].id, (int64_t)changed[i].offset);
	return db_end(db, e);
}
