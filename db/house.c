/*
 * house.c - what the owner changes.
 */
#include "house.h"

#include "slots.h"
#include "waitlist.h"

#include <assert.h>

enum { STEPS = 8 };

/* The statements of each change, in order; 0 ends them. */
static const enum sql_id steps[HOUSE__PARTS][STEPS] = {
	[HOUSE_SETTINGS] = {SQL_HOUSE_SET, SQL_HOUSE_RULES},
	[HOUSE_HOURS] = {SQL_HOURS_CLEAR, SQL_HOURS_PUT},
	[HOUSE_SPECIAL_DAY] = {SQL_SPECIAL_CLEAR, SQL_SPECIAL_PUT},
	[HOUSE_MENU] = {SQL_MENU_DROP, SQL_MENU_SET, SQL_MENU_PUT},
	[HOUSE_TABLES] = {SQL_TABLES_DROP, SQL_TABLES_RENAME, SQL_TABLES_SET, SQL_TABLES_PUT, SQL_SETS_DROP, SQL_SETS_PUT,
			  SQL_SET_MEMBERS_PUT},
};

enum err house_write(struct db *db, enum house_part part, int64_t restaurant_id, const char *json, const char *actor)
{
	struct txn t;
	enum err e = txn_begin(&t, db, clock_now_s());

	assert(part < HOUSE__PARTS && json && actor);
	if (e != ERR_OK)
		return e;
	e = stmt_run(db, SQL_WRITING_BEGIN, "t", actor);
	for (int i = 0; i < STEPS && steps[part][i] && e == ERR_OK; i++)
		e = stmt_run(db, steps[part][i], "it", restaurant_id, json);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_END, "");
	db_touch_settings(db);
	t.opened_more = true; /* more seats or tables are for those who wait */
	if (e == ERR_OK)
		e = waitlist_serve(&t);
	return txn_end(&t, e);
}

enum err house_add(struct db *db, const char *name, int64_t *id)
{
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	e = stmt_run(db, SQL_RESTAURANT_ADD, "t", name);
	if (e == ERR_OK)
		*id = stmt_last_id(db);
	db_touch_settings(db);
	return db_end(db, e);
}

enum err house_set_slot(struct db *db, const struct house_slot *s, int64_t capacity, const char *actor)
{
	struct txn t;
	enum err e = txn_begin(&t, db, clock_now_s());

	if (e != ERR_OK)
		return e;
	e = stmt_run(db, SQL_WRITING_BEGIN, "t", actor);
	if (e == ERR_OK)
		e = slots_learn(&t, s->restaurant_id, s->date, s->time, s->limit);
	if (e == ERR_OK)
		e = slots_create(&t, s->limit, s->starts_s);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_SLOT_SET, "iit", t.slot.id, capacity, t.now);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_END, "");
	txn_forget(&t);
	txn_touch_day(&t, s->restaurant_id, s->date);
	txn_open_day(&t, s->restaurant_id, s->date);
	if (e == ERR_OK)
		e = waitlist_serve(&t);
	return txn_end(&t, e);
}
