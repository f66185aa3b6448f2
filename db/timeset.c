/*
 * timeset.c - what is put right when the clock was set.
 */
#include "timeset.h"

#include "clock.h"
#include "log.h"
#include "txn.h"
#include "waitlist.h"

/* Holds that were written later than now would last as much longer: they begin again. */
static enum err begin_holds_again(struct db *db, int64_t now_s)
{
	char late[CLOCK_ISO_SIZE];
	struct txn t;
	enum err e = txn_begin(&t, db, now_s);

	if (e != ERR_OK)
		return e;
	clock_iso(now_s + TIMESET_SLACK_S, late);
	e = stmt_run(db, SQL_HOLDS_BEGIN_AGAIN, "tt", t.now, late);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_OFFERS_FOLLOW, "");
	txn_touch_all(&t);
	return txn_end(&t, e);
}

/*
 * Nobody has noted the clock: jari has just been started, perhaps the machine too.  Either the clock is behind now, or it
 * ran ahead before; in ten minutes we believe it.
 */
static enum err look_first(struct db *db, int64_t now_s, int64_t offset_ms)
{
	int64_t newest = 0, behind;
	enum err e = stmt_number(db, SQL_NEWEST_ROW, &newest, "");

	if (e != ERR_OK)
		return e;
	behind = newest - now_s > TIMESET_SLACK_S ? newest - now_s : 0;
	if (behind) {
		log_warn("clock.behind", "seconds=%lld of=the_newest_row", (long long)behind);
		e = begin_holds_again(db, now_s);
	}
	if (e == ERR_OK)
		board_note_clock(db->hall->board, offset_ms, -behind);
	return e;
}

enum err timeset_look(struct db *db, int64_t now_s)
{
	struct board *b = db->hall->board;
	int64_t offset_ms, step = board_clock_step(b, &offset_ms);
	struct txn t;
	enum err e;

	if (!board_clock_known(b))
		return look_first(db, now_s, offset_ms);
	if (!step) {
		board_note_drift(b);
		return ERR_OK;
	}
	e = txn_begin(&t, db, now_s); /* does what is to be done */
	return e == ERR_OK ? txn_end(&t, ERR_OK) : e;
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
