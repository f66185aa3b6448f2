/*
 * booking.c - reservations.
 */
#include "booking.h"

#include <sqlite3.h>
#include <string.h>

/* Columns as the macro RESERVATION in sql.c lists them. */
static void take_reservation(sqlite3_stmt *s, int64_t now_s, struct reservation *out)
{
	char now[CLOCK_ISO_SIZE];
	enum life status = LIFE_CANCELED;

	memset(out, 0, sizeof *out);
	out->id = sql_int(s, 0);
	sql_copy(s, 1, out->code, sizeof out->code);
	out->slot_id = sql_int(s, 2);
	out->user_id = sql_int(s, 3);
	out->restaurant_id = sql_int(s, 4);
	sql_copy(s, 5, out->date, sizeof out->date);
	sql_copy(s, 6, out->time, sizeof out->time);
	out->party = (int)sql_int(s, 7);
	sql_copy(s, 8, out->type, sizeof out->type);
	life_parse(sql_text(s, 9), &status);
	sql_copy(s, 10, out->request, sizeof out->request);
	sql_copy(s, 11, out->hold_expires_at, sizeof out->hold_expires_at);
	out->deposit = sql_int(s, 12);
	out->prepay = sql_int(s, 13);
	out->total = sql_int(s, 14);
	sql_copy(s, 15, out->currency, sizeof out->currency);
	sql_copy(s, 16, out->refund_policy, sizeof out->refund_policy);
	sql_copy(s, 17, out->visit_status, sizeof out->visit_status);
	out->table_id = sql_int(s, 18);
	out->version = sql_int(s, 19);
	sql_copy(s, 20, out->created_at, sizeof out->created_at);
	sql_copy(s, 21, out->updated_at, sizeof out->updated_at);
	sql_copy(s, 22, out->guest, sizeof out->guest);
	clock_iso(now_s, now);
	out->status = status == LIFE_TEMPORARY && strcmp(out->hold_expires_at, now) <= 0 ? LIFE_EXPIRED : status;
}

enum err booking_get(struct db *db, int64_t id, int64_t now_s, struct reservation *out)
{
	sqlite3_stmt *s = sql_use(db, SQL_RESERVATION_GET, "i", id);
	enum err e;

	if (!sql_row(db, s, &e))
		return e == ERR_OK ? ERR_NO_SUCH_RESERVATION : e;
	take_reservation(s, now_s, out);
	sql_done(s);
	return ERR_OK;
}

enum err booking_of_user(struct db *db, int64_t user_id, int limit, int64_t now_s,
			 void (*each)(void *arg, const struct reservation *), void *arg)
{
	sqlite3_stmt *s = sql_use(db, SQL_RESERVATIONS_OF_USER, "ii", user_id, (int64_t)limit);
	struct reservation r;
	enum err e;

	while (sql_row(db, s, &e)) {
		take_reservation(s, now_s, &r);
		each(arg, &r);
	}
	return e;
}

enum err booking_items(struct db *db, int64_t id,
		       void (*each)(void *arg, int64_t menu_id, const char *name, int64_t price, int64_t quantity),
		       void *arg)
{
	sqlite3_stmt *s = sql_use(db, SQL_ITEMS_OF, "i", id);
	enum err e;

	while (sql_row(db, s, &e))
		each(arg, sql_int(s, 0), sql_text(s, 1), sql_int(s, 2), sql_int(s, 3));
	return e;
}

enum err booking_expire_due(struct db *db, int64_t now_s, int *count)
{
	char now[CLOCK_ISO_SIZE];
	sqlite3_stmt *s;
	int64_t due = 0;
	enum err e;

	*count = 0;
	clock_iso(now_s, now);
	s = sql_use(db, SQL_DUE_COUNT, "t", now);
	while (sql_row(db, s, &e))
		due = sql_int(s, 0);
	if (e != ERR_OK || due == 0)
		return e;
	e = db_begin(db);
	if (e != ERR_OK)
		return e;
	e = sql_run(db, SQL_EXPIRE_DUE, "tt", now, "keeper");
	if (e == ERR_OK)
		*count = sql_changes(db);
	return db_end(db, e);
}
