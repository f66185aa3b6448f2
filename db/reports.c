/*
 * reports.c - the owner's numbers and lists.
 */
#include "reports.h"

#include "clock.h"

#include <assert.h>
#include <sqlite3.h>

enum err reports_days(struct db *db, const struct reports_span *s, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_REPORT_DAYS, "itt", s->restaurant_id, s->from, s->to), each, arg);
}

enum err reports_hours(struct db *db, const struct reports_span *s, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_REPORT_HOURS, "itt", s->restaurant_id, s->from, s->to), each, arg);
}

enum err reports_money(struct db *db, const struct reports_span *s, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_REPORT_MONEY, "itt", s->restaurant_id, s->from, s->to), each, arg);
}

enum err reports_lead(struct db *db, const struct reports_span *s, int64_t *hours, int64_t *of)
{
	struct sqlite3_stmt *q = stmt_use(db, SQL_REPORT_LEAD, "itt", s->restaurant_id, s->from, s->to);
	enum err e;

	*hours = *of = 0;
	while (stmt_row(db, q, &e))
		stmt_take(q, "ii", hours, of);
	return e;
}

enum err reports_export(struct db *db, enum reports_list list, const struct reports_span *s,
			bool (*each)(void *arg, const char *cell, bool is_text, bool last), void *arg)
{
	static const enum sql_id statements[REPORTS__LISTS] = {SQL_EXPORT_RESERVATIONS, SQL_EXPORT_GUESTS, SQL_EXPORT_PAYMENTS};
	struct sqlite3_stmt *q;
	bool more = true;
	int columns;
	enum err e;

	assert(list < REPORTS__LISTS);
	q = stmt_use(db, statements[list], "itt", s->restaurant_id, s->from, s->to);
	columns = sqlite3_column_count(q); /* 0 where it could not be prepared */
	for (int i = 0; i < columns; i++)
		more = each(arg, sqlite3_column_name(q, i), true, i + 1 == columns);
	while (more && stmt_row(db, q, &e))
		for (int i = 0; i < columns; i++)
			more = each(arg, stmt_text(q, i), sqlite3_column_type(q, i) == SQLITE_TEXT, i + 1 == columns);
	if (!more)
		stmt_done(q);
	return more ? e : ERR_UNKNOWN;
}

enum err reports_due(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_DUE_BACK, "i", restaurant_id), each, arg);
}

enum err reports_given_back(struct db *db, int64_t restaurant_id, int64_t payment_id, int64_t amount, const char *actor,
			    int64_t now_s)
{
	char now[CLOCK_ISO_SIZE];
	int64_t due = 0;
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	clock_iso(now_s, now);
	e = stmt_number(db, SQL_STILL_DUE, &due, "ii", payment_id, restaurant_id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_GIVEN_BACK, "iitti", payment_id, restaurant_id, now, actor, amount);
	if (e == ERR_OK && !stmt_changes(db))
		e = due ? ERR_STALE : ERR_NOT_FOUND;
	return db_end(db, e);
}
