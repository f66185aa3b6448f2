/*
 * reports.c - the owner's numbers and lists.
 */
#include "reports.h"

#include "life.h"
#include "zone.h"

#include <assert.h>
#include <sqlite3.h>
#include <string.h>

const char *const reports_sources[REPORTS__SOURCES] = {
#define X(word) #word,
	REPORTS_SOURCES(X)
#undef X
};
const int reports_lead_days[REPORTS_LEADS - 1] = {0, 1, 3, 7, 14, 28};

/* A row of REPORT_PARTIES. */
struct party {
	const char *date, *time, *status, *source;
	int64_t size, booked_s; /* when somebody booked it; 0: nobody did */
	bool begun, known, again;
};

static void add(struct reports_count *c, const struct party *p)
{
	c->parties++;
	c->covers += p->size;
}

static enum reports_source source_of(const char *word)
{
	return (enum reports_source)text_word(reports_sources, REPORTS__SOURCES - 1, word);
}

static size_t lead_of(const char *zone, struct date date, int64_t booked_s)
{
	size_t i = 0;
	struct date day;
	int minute;

	if (zone_to_local(zone, booked_s, &day, &minute))
		while (i < REPORTS_LEADS - 1 && text_days(date) - text_days(day) > reports_lead_days[i])
			i++;
	return i;
}

static void count_came(struct reports_sum *out, const struct party *p, const char *zone, struct date date, int minute)
{
	add(&out->hours[text_weekday(date)][minute / 60], p);
	add(&out->sources[source_of(p->source)], p);
	if (p->booked_s)
		out->leads[lead_of(zone, date, p->booked_s)]++;
	out->begun += p->begun;
	if (!p->known)
		out->unknown++;
	else if (p->again)
		out->again++;
	else
		out->first++;
}

static void count_party(struct reports_sum *out, const struct party *p, const char *zone, int64_t first_day)
{
	enum life status;
	struct date date;
	int64_t day;
	int minute;

	if (!text_date(p->date, &date) || !text_time(p->time, &minute) || !life_parse(p->status, &status))
		return; /* the book takes no such row */
	day = text_days(date) - first_day;
	assert(day >= 0 && (size_t)day < out->day_count);
	if (status == LIFE_NO_SHOW) {
		out->days[day].no_shows++;
	} else if (status == LIFE_CANCELED || status == LIFE_REFUNDED) {
		out->days[day].cancelled++;
	} else {
		add(&out->days[day].came, p);
		count_came(out, p, zone, date, minute);
	}
}

enum err reports_sum(struct db *db, const struct reports_span *s, const char *zone, int64_t now_s, struct reports_sum *out)
{
	struct date first, last;
	struct sqlite3_stmt *q;
	struct party p;
	enum err e;

	memset(out, 0, sizeof *out);
	if (!text_date(s->from, &first) || !text_date(s->to, &last) || text_days(last) < text_days(first) ||
	    text_days(last) - text_days(first) >= REPORTS_DAYS_MAX)
		return ERR_OUT_OF_RANGE;
	out->day_count = (size_t)(text_days(last) - text_days(first) + 1);
	q = stmt_use(db, SQL_REPORT_PARTIES, "ittm", s->restaurant_id, s->from, s->to, now_s);
	while (stmt_row(db, q, &e)) {
		stmt_take(q, "wwiwwbmsb", &p.date, &p.time, &p.size, &p.status, &p.source, &p.begun, &p.booked_s, &p.known,
			  &p.again);
		count_party(out, &p, zone, text_days(first));
	}
	return e;
}

enum err reports_money(struct db *db, const struct reports_span *s, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_REPORT_MONEY, "itt", s->restaurant_id, s->from, s->to), each, arg);
}

enum err reports_first(struct db *db, int64_t restaurant_id, char out[TEXT_DATE_SIZE])
{
	*out = '\0';
	return stmt_get(db, stmt_use(db, SQL_REPORT_FIRST, "i", restaurant_id), ERR_OK, "t", out, (size_t)TEXT_DATE_SIZE);
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
	int64_t due = 0;
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	e = stmt_number(db, SQL_STILL_DUE, &due, "ii", payment_id, restaurant_id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_GIVEN_BACK, "iimti", payment_id, restaurant_id, now_s, actor, amount);
	if (e == ERR_OK && !stmt_changes(db))
		e = due ? ERR_STALE : ERR_NOT_FOUND;
	return db_end(db, e);
}
