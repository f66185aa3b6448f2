/*
 * import_parents.c - restaurants and menus of an import, and how a row finds its parents.
 *
 * These go into the book as they are read.  A row with a problem still takes its place in the map of
 * ids, so that its children do not all complain as well: with a problem nothing is imported anyway.
 */
#include "import_job.h"

#include "zone.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* A restaurant of the book, by its id there; index + 1, or 0 when there is none. */
static int64_t load_restaurant(struct import_job *j, int64_t id)
{
	struct restaurant *wider;
	int64_t at;
	enum err e;

	if (import_map_get(&j->restaurant_at, id, &at))
		return at;
	wider = import_grow(j, j->restaurants, j->restaurant_count, sizeof *wider);
	if (!wider)
		return 0;
	j->restaurants = wider;
	e = restaurants_get(j->db, id, &wider[j->restaurant_count]);
	if (e != ERR_OK) {
		if (e != ERR_NO_SUCH_RESTAURANT)
			j->e = e;
		return 0;
	}
	import_map_put(j, &j->restaurant_at, id, (int64_t)++j->restaurant_count);
	return (int64_t)j->restaurant_count;
}

size_t import_restaurant_at(struct import_job *j, int64_t id)
{
	int64_t at = load_restaurant(j, id);

	return at ? (size_t)at - 1 : 0; /* every slot has its restaurant; without memory j->e stops all */
}

bool import_restaurant(struct import_job *j, struct import_file *f, int column, size_t *index)
{
	int64_t from, to, at;

	if (!import_id(j, f, column, &from))
		return false;
	if (!import_map_get(&j->ids[IMPORT_RESTAURANTS], from, &to))
		to = from;
	at = to ? load_restaurant(j, to) : 0;
	if (at == 0) {
		import_problem(j, f, "%s %lld is neither in restaurants.csv nor in the book", csv_name(&f->csv, column),
			       (long long)from);
		return false;
	}
	*index = (size_t)at - 1;
	return true;
}

bool import_parent(struct import_job *j, struct import_file *f, int column, enum import_table t, int64_t *value)
{
	int64_t from;

	if (!import_id(j, f, column, &from))
		return false;
	if (import_map_get(&j->ids[t], from, value))
		return true;
	import_problem(j, f, "%s %lld is not in %s", csv_name(&f->csv, column), (long long)from,
		       j->files[t].there ? j->files[t].name : "the book");
	return false;
}

const char *import_zone(struct import_job *j)
{
	int64_t first = import_ask(j, IMPORT_FIRST_RESTAURANT, ""), at = first ? load_restaurant(j, first) : 0;

	return at ? j->restaurants[at - 1].zone : "Asia/Seoul";
}

/* The columns of a new restaurant beside its policies. */
struct restaurant_row {
	int64_t id;
	char name[324], name_en[324], phone[84], address[804], address_en[804], zone[164], currency[16];
	int64_t policy[40];
};

static const char *const restaurant_texts[] = {"name",	     "name_en",	 "phone",   "address",
					       "address_en", "timezone", "currency"};
enum { RESTAURANT_TEXTS = sizeof restaurant_texts / sizeof restaurant_texts[0] };

/* The policies are walked, not listed: settings.c is the only place that knows them all. */
static void add_restaurant(struct import_job *j, const struct import_file *f, const struct restaurant_row *r)
{
	const char *texts[] = {r->name, r->name_en, r->phone, r->address, r->address_en, r->zone, r->currency};
	struct buf sql = {0};
	sqlite3_stmt *s = NULL;
	int at = 1, rc;

	buf_str(&sql, "INSERT INTO restaurants (restaurant_id");
	for (size_t i = 0; i < RESTAURANT_TEXTS; i++)
		buf_fmt(&sql, ", %s", restaurant_texts[i]);
	for (size_t i = 0; i < settings_count; i++)
		buf_fmt(&sql, ", %s", settings_rows[i].name);
	buf_str(&sql, ", utc_offset_minutes) VALUES (?");
	for (size_t i = 0; i < RESTAURANT_TEXTS + settings_count + 1; i++)
		buf_str(&sql, ", ?");
	buf_str(&sql, ")");
	rc = buf_ok(&sql) ? sqlite3_prepare_v2(j->db->handle, sql.data, -1, &s, NULL) : SQLITE_NOMEM;
	buf_free(&sql);
	if (rc == SQLITE_OK) {
		sqlite3_bind_int64(s, at++, r->id);
		for (size_t i = 0; i < RESTAURANT_TEXTS; i++)
			sqlite3_bind_text(s, at++, import_or_null(texts[i]), -1, SQLITE_TRANSIENT);
		for (size_t i = 0; i < settings_count; i++)
			sqlite3_bind_int64(s, at++, r->policy[i]);
		sqlite3_bind_int64(s, at++, zone_offset_minutes(r->zone, j->o->now_s));
		rc = sqlite3_step(s);
	}
	if ((rc & 0xff) == SQLITE_CONSTRAINT) {
		import_problem(j, f, "the book refuses this row: %s", sqlite3_errmsg(j->db->handle));
		j->e = ERR_BAD_REQUEST;
	} else
		j->e = db_error(j->db->handle, rc);
	sqlite3_finalize(s);
}

static bool read_restaurant(struct import_job *j, struct import_file *f, const int *columns, const int *policies,
			    struct restaurant_row *r)
{
	bool ok = true;

	import_text(j, f, columns[0], 80, r->name, sizeof r->name);
	import_text(j, f, columns[1], 80, r->name_en, sizeof r->name_en);
	import_text(j, f, columns[2], 20, r->phone, sizeof r->phone);
	import_text(j, f, columns[3], 200, r->address, sizeof r->address);
	import_text(j, f, columns[4], 200, r->address_en, sizeof r->address_en);
	import_text(j, f, columns[5], 40, r->zone, sizeof r->zone);
	import_text(j, f, columns[6], 3, r->currency, sizeof r->currency);
	if (!*r->name) {
		import_problem(j, f, "the restaurant has no name");
		ok = false;
	}
	if (!*r->zone)
		strcpy(r->zone, "Asia/Seoul");
	if (!*r->currency)
		strcpy(r->currency, "KRW");
	if (!zone_exists(r->zone)) {
		import_problem(j, f, "timezone \"%.40s\" is not known here", r->zone);
		ok = false;
	}
	for (size_t i = 0; i < settings_count; i++) {
		r->policy[i] = settings_rows[i].fallback;
		if (*csv_cell(&f->csv, policies[i]))
			ok &=
			    import_number(j, f, policies[i], settings_rows[i].min, settings_rows[i].max, &r->policy[i]);
	}
	return ok;
}

/*
 * A restaurant of the same name as one that the book had before is that restaurant: the book knows its
 * policies better.  Two of one name in the file are two.
 */
static void take_restaurant(struct import_job *j, struct import_file *f, int id, const int *columns,
			    const int *policies)
{
	struct restaurant_row r = {0};
	int64_t from, same, used;
	bool ok;

	if (!import_id(j, f, id, &from))
		return;
	ok = read_restaurant(j, f, columns, policies, &r);
	same = import_ask(j, IMPORT_RESTAURANT_BY_NAME, "t", r.name);
	if (ok && same && !import_map_get(&j->restaurant_used, same, &used)) {
		import_map_put(j, &j->restaurant_used, same, 1);
		import_repaired(j, REPAIR_MERGED, f, f->csv.line,
				"restaurant %lld is restaurant %lld of the book, whose settings stay as they are.",
				(long long)from, (long long)same);
		import_map_put(j, &j->ids[IMPORT_RESTAURANTS], from, same);
		return;
	}
	r.id = import_new_id(j, IMPORT_RESTAURANTS, from, IMPORT_RESTAURANT_THERE);
	import_map_put(j, &j->ids[IMPORT_RESTAURANTS], from, r.id);
	if (!ok || !r.id || j->e != ERR_OK)
		return;
	import_map_put(j, &j->restaurant_used, r.id, 1);
	add_restaurant(j, f, &r);
	f->added++;
}

void import_restaurants(struct import_job *j)
{
	struct import_file *f = &j->files[IMPORT_RESTAURANTS];
	int id, columns[RESTAURANT_TEXTS], policies[40];

	assert(settings_count <= sizeof policies / sizeof policies[0]);
	if (!import_open(j, IMPORT_RESTAURANTS))
		return;
	id = import_need(j, f, f->id_names);
	for (size_t i = 0; i < RESTAURANT_TEXTS; i++)
		columns[i] = csv_column(&f->csv, restaurant_texts[i]);
	for (size_t i = 0; i < settings_count; i++)
		policies[i] = csv_column(&f->csv, settings_rows[i].name);
	while (import_next(j, f, "reading"))
		take_restaurant(j, f, id, columns, policies);
	import_close(j, f);
}

void import_ids_of_book(struct import_job *j, enum import_table t, enum import_sql all)
{
	sqlite3_stmt *s = import_use(j, all, "");

	while (import_step(j, s))
		import_map_put(j, &j->ids[t], sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 0));
}

struct menu_columns {
	int id, restaurant, name, name_en, description, price, position, deleted;
};

static void take_menu(struct import_job *j, struct import_file *f, const struct menu_columns *c)
{
	char name[324], name_en[324], description[804];
	int64_t from, id, price, position = 0;
	size_t restaurant = 0;
	bool deleted = false, ok;

	if (!import_id(j, f, c->id, &from))
		return;
	id = import_new_id(j, IMPORT_MENUS, from, IMPORT_MENU_THERE);
	import_map_put(j, &j->ids[IMPORT_MENUS], from, id);
	ok = id && import_restaurant(j, f, c->restaurant, &restaurant);
	import_text(j, f, c->name, 80, name, sizeof name);
	import_text(j, f, c->name_en, 80, name_en, sizeof name_en);
	import_text(j, f, c->description, 200, description, sizeof description);
	if (!*name) {
		import_problem(j, f, "the dish has no name");
		ok = false;
	}
	ok &= import_money(j, f, c->price, &price);
	ok &= import_flag(j, f, c->deleted, &deleted);
	if (*csv_cell(&f->csv, c->position))
		ok &= import_number(j, f, c->position, -1000000, 1000000, &position);
	if (!ok || j->e != ERR_OK)
		return;
	import_run(j, f, IMPORT_MENU_ADD, "iitttiii", id, j->restaurants[restaurant].id, name, import_or_null(name_en),
		   import_or_null(description), price, position, (int64_t)deleted);
	f->added++;
}

void import_menus(struct import_job *j)
{
	struct import_file *f = &j->files[IMPORT_MENUS];
	struct menu_columns c;

	if (!import_open(j, IMPORT_MENUS)) {
		if (j->files[IMPORT_ITEMS].there)
			import_ids_of_book(j, IMPORT_MENUS, IMPORT_MENU_ALL);
		return;
	}
	c = (struct menu_columns){
	    .id = import_need(j, f, f->id_names),
	    .restaurant = import_need(j, f, "restaurant_id"),
	    .name = import_need(j, f, "name|menu_name"),
	    .name_en = csv_column(&f->csv, "name_en"),
	    .description = csv_column(&f->csv, "description"),
	    .price = csv_column(&f->csv, "price"),
	    .position = csv_column(&f->csv, "position"),
	    .deleted = csv_column(&f->csv, "is_deleted|deleted"),
	};
	while (import_next(j, f, "reading"))
		take_menu(j, f, &c);
	import_close(j, f);
}
