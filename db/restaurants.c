/*
 * restaurants.c - a restaurant as the book has it.
 */
#include "restaurants.h"

#include "clock.h"
#include "zone.h"

#include <assert.h>
#include <string.h>

enum { KEPT_DAYS = 8 };

/* Its own columns, then every setting in the order of settings_rows. */
enum err restaurants_get(struct db *db, int64_t id, struct restaurant *out)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_RESTAURANT_GET, "i", id);
	int column;
	enum err e;

	if (!stmt_row(db, s, &e))
		return e == ERR_OK ? ERR_NO_SUCH_RESTAURANT : e;
	memset(out, 0, sizeof *out);
	out->id = id;
	column = stmt_take(s, "tttttttmtttt*", out->name, sizeof out->name, out->name_en, sizeof out->name_en, out->phone,
			   sizeof out->phone, out->address, sizeof out->address, out->address_en, sizeof out->address_en,
			   out->zone, sizeof out->zone, out->currency, sizeof out->currency, &out->paused_until_s,
			   out->payment_text, sizeof out->payment_text, out->notify_email, sizeof out->notify_email,
			   out->message_text, sizeof out->message_text, out->message_text_en, sizeof out->message_text_en);
	for (size_t i = 0; i < settings_count; i++)
		settings_put(&out->set, &settings_rows[i], (int)stmt_int(s, column + (int)i));
	stmt_done(s);
	return ERR_OK;
}

enum err restaurants_zone(struct db *db, int64_t id, char out[64])
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_RESTAURANT_ZONE, "i", id);
	enum err e;

	if (!stmt_row(db, s, &e))
		return e == ERR_OK ? ERR_NO_SUCH_RESTAURANT : e;
	stmt_take(s, "t", out, (size_t)64);
	stmt_done(s);
	return ERR_OK;
}

enum err restaurants_wait_ms(struct db *db, int64_t id, int64_t *ms)
{
	*ms = 0;
	return stmt_number(db, SQL_RESTAURANT_WAIT_MS, ms, "i", id);
}

enum err restaurants_was_open(struct db *db, int64_t id, bool *was)
{
	int64_t any = 0;
	enum err e = stmt_number(db, SQL_RESTAURANT_WAS_OPEN, &any, "i", id);

	*was = any != 0;
	return e;
}

/* False for a row without hours. */
static bool take_span(struct sqlite3_stmt *s, struct hours_span *out)
{
	const char *opens, *closes;

	stmt_take(s, "wwt", &opens, &closes, out->label, sizeof out->label);
	return text_time(opens, &out->opens) && text_closing(closes, &out->closes);
}

/* Fills the day from the rows of s; *rows says how many there were, with or without hours. */
static enum err take_day(struct db *db, struct sqlite3_stmt *s, struct hours_day *out, size_t *rows)
{
	enum err e;

	assert(out);
	*rows = 0;
	out->count = 0;
	while (stmt_row(db, s, &e)) {
		++*rows;
		if (out->count < HOURS_SPANS_MAX && take_span(s, &out->spans[out->count]))
			out->count++;
	}
	return e;
}

enum err restaurants_day(struct db *db, int64_t id, struct date date, struct hours_day *out)
{
	char day[TEXT_DATE_SIZE];
	size_t rows;
	enum err e;

	text_put_date(date, day);
	e = take_day(db, stmt_use(db, SQL_SPECIAL_OF_DAY, "it", id, day), out, &rows);
	if (e != ERR_OK || rows > 0)
		return e;
	return take_day(db, stmt_use(db, SQL_HOURS_OF_WEEKDAY, "ii", id, (int64_t)text_weekday(date)), out, &rows);
}

static enum err read_day(struct db *db, int64_t id, struct restaurant_day *out)
{
	int64_t tables = 0;
	enum err e = db_read_begin(db);

	if (e != ERR_OK)
		return e;
	e = restaurants_get(db, id, &out->restaurant);
	if (e == ERR_OK)
		e = restaurants_day(db, id, out->date, &out->hours);
	if (e == ERR_OK)
		e = stmt_number(db, SQL_HAS_TABLES, &tables, "i", id);
	db_read_end(db);
	out->has_tables = tables != 0;
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
	char first[TEXT_DATE_SIZE], last[TEXT_DATE_SIZE];

	text_put_date(from, first);
	text_put_date(to, last);
	return stmt_rows(db, stmt_use(db, SQL_SPECIAL_FROM, "itt", id, first, last), each, arg);
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
	enum err e;

	out->table_count = out->set_count = 0;
	while (stmt_row(db, s, &e))
		if (out->table_count < SEATS_TABLES_MAX) {
			struct seats_table *t = &out->tables[out->table_count++];

			*t = (struct seats_table){0};
			stmt_take(s, "inn", &t->id, &t->seats_min, &t->seats_max);
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

enum err restaurants_all(struct db *db, void (*each)(void *arg, int64_t id), void *arg)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_RESTAURANT_ZONES, "");
	enum err e;

	while (stmt_row(db, s, &e)) {
		int64_t id;

		stmt_take(s, "i--", &id);
		each(arg, id);
	}
	return e;
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
