/*
 * timeset.c - what is put right when the clock was set.
 */
#include "timeset.h"

#include "clock.h"
#include "log.h"
#include "txn.h"
#include "waitlist.h"

/* A hold that was written later than now would last as much longer: it begins again. */
enum err timeset_first(struct txn *t)
{
	int64_t newest = 0, now_s = clock_now_s();
	char now[CLOCK_ISO_SIZE], late[CLOCK_ISO_SIZE];
	enum err e = stmt_number(t->db, SQL_NEWEST_ROW, &newest, "");

	if (e != ERR_OK || newest - now_s <= TIMESET_SLACK_S)
		return e;
	log_warn("clock.behind", "seconds=%lld of=the_newest_row", (long long)(newest - now_s));
	clock_iso(now_s, now);
	clock_iso(now_s + TIMESET_SLACK_S, late);
	e = stmt_run(t->db, SQL_HOLDS_BEGIN_AGAIN, "tt", now, late);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_OFFERS_FOLLOW, "");
	t->clock_step_s = now_s - newest;
	txn_touch_all(t);
	return e;
}

enum err timeset_look(struct db *db, int64_t now_s)
{
	struct board *b = db->hall->board;
	int64_t offset_ms, step = board_clock_step(b, &offset_ms);
	enum err e = ERR_OK;
	struct txn t;

	if (step || !board_clock_compared(b)) {
		e = txn_begin(&t, db, now_s); /* does what is to be done */
		if (e == ERR_OK)
			e = txn_end(&t, ERR_OK);
	}
	if (e == ERR_OK && !board_clock_known(b))
		board_note_clock(b, offset_ms, 0);
	else if (e == ERR_OK)
		board_note_drift(b);
	return e;
}

enum err timeset_mend(struct db *db, int64_t now_s)
{
	char soon[CLOCK_ISO_SIZE], late[CLOCK_ISO_SIZE];
	int64_t any = 0;
	int waits = 0, plans = 0;
	struct txn t;
	enum err e;

	clock_iso(now_s + WAITLIST_CLOSE_S + TIMESET_SLACK_S, soon);
	clock_iso(now_s + TIMESET_SLACK_S, late);
	e = stmt_number(db, SQL_TO_MEND, &any, "tt", soon, late);
	if (e != ERR_OK || !any)
		return e;
	e = txn_begin(&t, db, now_s);
	if (e != ERR_OK)
		return e;
	e = stmt_run(db, SQL_WAITS_REOPEN, "tt", soon, t.now);
	waits = e == ERR_OK ? stmt_changes(db) : 0;
	if (e == ERR_OK)
		e = stmt_run(db, SQL_PLANS_ASIDE, "t", late);
	plans = e == ERR_OK ? stmt_changes(db) : 0;
	txn_touch_all(&t);
	e = txn_end(&t, e);
	if (e == ERR_OK)
		log_warn("clock.mended", "waits=%d messages=%d", waits, plans);
	return e;
}
