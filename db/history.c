/*
 * history.c - the audit as people read it.
 */
#include "history.h"

#include "stmt.h"

static enum err each_row(struct db *db, struct sqlite3_stmt *s, history_each *each, void *arg)
{
	struct history_row r;
	enum err e;

	while (stmt_row(db, s, &e)) {
		stmt_take(s, "iwwwwbwwwww", &r.id, &r.at, &r.actor, &r.name, &r.role, &r.forgotten, &r.entity, &r.change,
			  &r.from, &r.to, &r.about);
		each(arg, &r);
	}
	return e;
}

enum err history_reservation(struct db *db, int64_t id, history_each *each, void *arg)
{
	return each_row(db, stmt_use(db, SQL_HISTORY_RESERVATION, "ii", id, (int64_t)HISTORY_ROWS), each, arg);
}

enum err history_house(struct db *db, const struct history_of *of, history_each *each, void *arg)
{
	return each_row(
		db,
		stmt_use(db, SQL_HISTORY_HOUSE, "iiii", of->restaurant_id, of->before, (int64_t)HISTORY_ROWS, (int64_t)of->box),
		each, arg);
}

enum err history_coin(struct db *db, const struct history_of *of, char currency[4], bool *whole)
{
	return stmt_get(db, stmt_use(db, SQL_HISTORY_COIN, "ii", of->restaurant_id, of->before), ERR_OK, "tb", currency,
			(size_t)4, whole);
}
