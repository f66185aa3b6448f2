/*
 * rehearsal.c - what a rehearsal asks of the copy it plays on.
 */
#include "rehearsal.h"

#include "clock.h"

enum err rehearsal_tickets(struct db *db, int64_t restaurant, const char *date, const char *time, uint64_t from,
			   void (*each)(void *arg, const struct rehearsal_ticket *), void *arg)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_TICKETS_OF_SLOT, "itti", restaurant, date, time, (int64_t)from);
	enum err e;

	while (stmt_row(db, s, &e)) {
		struct rehearsal_ticket t = {
			.ticket = stmt_int(s, 0),
			.user_id = stmt_int(s, 1),
			.reservation_id = stmt_int(s, 2),
			.party = (int)stmt_int(s, 3),
		};

		each(arg, &t);
	}
	return e;
}

enum err rehearsal_stage(struct db *db, int64_t restaurant, int64_t now_s, int64_t hold_s)
{
	char now[CLOCK_ISO_SIZE], until[CLOCK_ISO_SIZE];
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	db_touch_settings(db);
	clock_iso(now_s, now);
	clock_iso(now_s + hold_s, until);
	e = stmt_run(db, SQL_STAGE_RESTAURANT, "ii", restaurant, hold_s);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_STAGE_HOLDS, "tt", now, until);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_STAGE_MAIL, "");
	if (e == ERR_OK)
		e = stmt_run(db, SQL_STAGE_OUTBOX, "");
	return db_end(db, e);
}
