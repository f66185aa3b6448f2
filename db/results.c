/*
 * results.c - how openings went.
 */
#include "results.h"

#include "buf.h"
#include "openings.h"
#include "slots.h"
#include "zone.h"

#include <assert.h>

enum { DAYS_LOOKED_AT = 62 }; /* for a time that is still free */

/* The dates that opened in that moment: those of the book's openings, or the one of the daily rule. */
static enum err dates_of(struct db *db, const struct restaurant *r, int64_t opens_s, struct openings_row *out)
{
	const char *first, *last;
	struct date opened;
	int minute;
	bool any = false;
	struct sqlite3_stmt *s = stmt_use(db, SQL_OPENING_AT, "im", r->id, opens_s);
	enum err e;

	while (stmt_row(db, s, &e)) {
		stmt_take(s, "ww", &first, &last);
		any = text_date(first, &out->first) && text_date(last, &out->last);
	}
	if (e == ERR_OK && !any && zone_to_local(r->zone, opens_s, &opened, &minute))
		out->first = out->last = text_from_days(text_days(opened) + r->set.window_days);
	out->opens_s = opens_s;
	return e;
}

static enum err count(struct db *db, int64_t restaurant_id, const struct openings_row *row, struct results_sums *out)
{
	*out = (struct results_sums){0};
	return stmt_get(db,
			stmt_use(db, SQL_RESULT_COUNT, "iddmm", restaurant_id, row->first, row->last, row->opens_s,
				 row->opens_s + TURNOUT_SECONDS),
			ERR_OK, "ii", &out->booked, &out->out_of_order);
}

enum err results_count(struct db *db, struct turnout_key key, struct results_sums *out)
{
	struct openings_row row = {0};
	struct restaurant r;
	enum err e = restaurants_get(db, key.restaurant_id, &r);

	if (e == ERR_OK)
		e = dates_of(db, &r, key.opens_s, &row);
	return e == ERR_OK ? count(db, key.restaurant_id, &row, out) : e;
}

/* Can a party of two, or the smallest that may come, still book one of its times? */
static enum err has_room(struct db *db, const struct restaurant *r, const struct openings_row *row, int64_t now_s, bool *room)
{
	static struct slots_day day; /* static for its size only */
	int party = r->set.party_min > 2 ? r->set.party_min : r->set.party_max < 2 ? r->set.party_max : 2;
	int64_t first = text_days(row->first), last = text_days(row->last);
	enum err e = ERR_OK;

	*room = last - first >= DAYS_LOOKED_AT;
	for (int64_t d = first; d <= last && !*room && e == ERR_OK; d++) {
		e = slots_of_day(db, r, text_from_days(d), party, now_s, &day);
		for (size_t i = 0; i < day.count && e == ERR_OK; i++)
			*room |= day.slots[i].available;
	}
	return e;
}

static void put_arrivals(const struct turnout_sums *sums, struct buf *out)
{
	buf_str(out, "[");
	for (int i = 0; i < sums->seconds; i++)
		buf_fmt(out, "%s%u", i ? "," : "", (unsigned)sums->arrivals[i]);
	buf_str(out, "]");
}

/* Everything is read before the pen is taken. */
static enum err record(struct db *db, struct turnout_key key, const struct turnout_sums *sums, int64_t now_s)
{
	struct openings_row row = {0};
	struct results_sums book;
	struct buf arrivals = {0};
	struct restaurant r;
	bool room = true;
	enum err e = restaurants_get(db, key.restaurant_id, &r);

	if (e == ERR_OK)
		e = dates_of(db, &r, key.opens_s, &row);
	if (e == ERR_OK)
		e = count(db, r.id, &row, &book);
	if (e == ERR_OK && book.booked)
		e = has_room(db, &r, &row, now_s, &room);
	if (e != ERR_OK)
		return e;
	put_arrivals(sums, &arrivals);
	e = buf_ok(&arrivals) ? db_begin(db) : ERR_NO_MEMORY;
	if (e == ERR_OK) {
		e = stmt_run(db, SQL_RESULT_PUT, "imiitiiiiim", r.id, key.opens_s, (int64_t)sums->watching,
			     (int64_t)sums->early, arrivals.data, book.booked, (int64_t)sums->refused,
			     room ? INT64_C(-1) : (int64_t)sums->last_booked_ms, (int64_t)sums->slowest_ms, book.out_of_order,
			     now_s);
		e = db_end(db, e);
	}
	buf_free(&arrivals);
	return e;
}

enum err results_record(struct db *db, int64_t now_s)
{
	static struct turnout_sums sums; /* static for its size only */
	struct turnout *t = db->hall->turnout;
	struct turnout_key key;
	enum err e = ERR_OK;

	while (e == ERR_OK && turnout_over(t, now_s, &key)) {
		if (turnout_read(t, key, now_s, &sums) && (sums.seconds || sums.watching || sums.early))
			e = record(db, key, &sums, now_s);
		e = e == ERR_NO_SUCH_RESTAURANT ? ERR_OK : e;
		if (e == ERR_OK)
			turnout_forget(t, key);
	}
	return e;
}

enum err results_each(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_RESULTS_OF, "i", restaurant_id), each, arg);
}
