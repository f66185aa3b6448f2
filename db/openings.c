/*
 * openings.c - from when on dates can be booked online, as the book has it.
 */
#include "openings.h"

#include "restaurants.h"
#include "zone.h"

#include <assert.h>

enum err openings_of_date(struct db *db, int64_t restaurant_id, struct date date, int64_t *opens_s)
{
	assert(restaurant_id > 0);
	*opens_s = 0;
	return stmt_number(db, SQL_OPENING_OF_DATE, opens_s, "id", restaurant_id, date);
}

enum err openings_look(struct db *db, const struct restaurant *r, struct date date, int64_t now_s, enum err *open,
		       int64_t *opens_s)
{
	struct opening o;
	int64_t row_s;
	enum err e = openings_of_date(db, r->id, date, &row_s);

	if (e != ERR_OK)
		return e;
	o = opening_of(&r->set, r->zone, date, row_s);
	*open = opening_check(&o, now_s * 1000, 0, opens_s);
	return *open == ERR_NOT_YET || *open == ERR_TOO_FAR ? ERR_OK : *open;
}

static bool take_row(struct sqlite3_stmt *s, struct openings_row *out)
{
	const char *first, *last;

	stmt_take(s, "wwm", &first, &last, &out->opens_s);
	return text_date(first, &out->first) && text_date(last, &out->last);
}

enum err openings_each(struct db *db, int64_t restaurant_id, void (*each)(void *arg, const struct openings_row *), void *arg)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_OPENINGS_OF, "i", restaurant_id);
	struct openings_row row;
	enum err e;

	while (stmt_row(db, s, &e))
		if (take_row(s, &row))
			each(arg, &row);
	return e;
}

/* The next day that opens by the daily rule: one with hours, that no opening covers. */
static enum err next_by_rule(struct db *db, const struct restaurant *r, int64_t now_s, struct openings_row *out)
{
	struct hours_day hours;
	struct date today;
	int64_t row_s;
	int minute;
	enum err e = ERR_OK;

	*out = (struct openings_row){0};
	if (!r->set.opens_at_minute || !zone_to_local(r->zone, now_s, &today, &minute))
		return ERR_OK;
	for (int i = 0; i < OPENING_TOLD_DAYS && e == ERR_OK; i++) {
		struct date opens = text_from_days(text_days(today) + i);
		struct date date = text_from_days(text_days(opens) + r->set.window_days);
		int64_t opens_s;

		if (!opening_instant(r->zone, opens, r->set.opens_at_minute, &opens_s) || opens_s <= now_s)
			continue;
		e = openings_of_date(db, r->id, date, &row_s);
		if (e == ERR_OK)
			e = restaurants_day(db, r->id, date, &hours);
		if (e == ERR_OK && !row_s && hours.count) {
			*out = (struct openings_row){date, date, opens_s};
			return ERR_OK;
		}
	}
	return e;
}

enum err openings_next(struct db *db, const struct restaurant *r, int64_t now_s, struct openings_row *out)
{
	struct openings_row row = {0};
	struct sqlite3_stmt *s;
	enum err e = next_by_rule(db, r, now_s, out);

	if (e != ERR_OK)
		return e;
	s = stmt_use(db, SQL_OPENING_NEXT, "im", r->id, now_s);
	while (stmt_row(db, s, &e))
		if (take_row(s, &row) && (!out->opens_s || row.opens_s <= out->opens_s))
			*out = row;
	return e;
}

enum err openings_last(struct db *db, const struct restaurant *r, struct date today, struct date *last)
{
	int64_t days = text_days(today) + r->set.window_days + (r->set.opens_at_minute ? OPENING_TOLD_DAYS : 0), covered = 0;
	enum err e = stmt_number(db, SQL_OPENINGS_LAST, &covered, "i", r->id);

	*last = text_from_days(covered > days ? covered : days);
	return e;
}

enum err openings_stands(struct db *db, int64_t restaurant_id, const struct openings_row *row, bool *stands)
{
	*stands = false;
	return stmt_get(db, stmt_use(db, SQL_OPENING_STANDS, "iddm", restaurant_id, row->first, row->last, row->opens_s),
			ERR_OK, "b", stands);
}
