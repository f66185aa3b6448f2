/*
 * timeset.c - what is put right when the clock was set.
 */
#include "timeset.h"

#include "clock.h"
#include "failpoint.h"
#include "log.h"
#include "txn.h"
#include "waitlist.h"

#include <unistd.h>

/* Is the machine's clock set by the network?  systemd makes this file when it first was. */
static bool is_synchronized(void)
{
	return !WITHOUT("timesync") && access("/run/systemd/timesync/synchronized", F_OK) == 0;
}

/* Holds, offers and codes keep the minutes that they had at the newest row: it may have been yesterday by a right clock. */
static enum err doubt(struct txn *t, int64_t newest, int64_t now_s)
{
	char then[CLOCK_ISO_SIZE];
	enum err e;

	log_warn("clock.far_ahead", "days=%lld of=the_newest_row", (long long)(now_s - newest) / 86400);
	clock_iso(newest, then);
	e = txn_follow(t, now_s - newest, then);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_CLOCK_IS_DOUBTED, "mt", now_s, then);
	if (e == ERR_OK)
		t->clock_doubted = stmt_last_id(t->db);
	return e;
}

/* A doubt that an earlier run wrote down lasts until staff have done something, through any number of starts. */
static enum err recall_doubt(struct txn *t)
{
	int64_t row = 0, there = 0;
	enum err e = stmt_number(t->db, SQL_CLOCK_WAS_DOUBTED, &row, "");

	if (e == ERR_OK && row)
		e = stmt_number(t->db, SQL_STAFF_WROTE_SINCE, &there, "i", row);
	if (e != ERR_OK || !row || there)
		return e;
	t->clock_doubted = row;
	return stmt_number(t->db, SQL_CLOCK_DOUBTED_BY, &t->clock_step_s, "i", row);
}

/* Staff have done something since: they have seen which day it is. */
static enum err look_for_staff(struct db *db)
{
	struct clockwatch *w = db->hall->clock;
	int64_t row = clockwatch_doubted(w), there = 0;
	enum err e = ERR_OK;

	if (row && !is_synchronized())
		e = stmt_number(db, SQL_STAFF_WROTE_SINCE, &there, "i", row);
	if (e == ERR_OK && row && (there || is_synchronized()))
		clockwatch_doubt(w, 0);
	return e;
}

/* A hold that was written later than now would last as much longer: it begins again. */
enum err timeset_first(struct txn *t)
{
	int64_t newest = 0, latest = 0, now_s = clock_now_s();
	char late[CLOCK_ISO_SIZE];
	enum err e = stmt_number(t->db, SQL_NEWEST_ROW, &newest, "");

	if (e == ERR_OK)
		e = stmt_number(t->db, SQL_LATEST_ROW, &latest, "");
	if (e == ERR_OK && latest && now_s - latest > TIMESET_FAR_S)
		return doubt(t, latest, now_s);
	if (e == ERR_OK)
		e = recall_doubt(t);
	if (e != ERR_OK || newest - now_s <= TIMESET_SLACK_S)
		return e;
	log_warn("clock.behind", "seconds=%lld of=the_newest_row", (long long)(newest - now_s));
	clock_iso(now_s + TIMESET_SLACK_S, late);
	e = stmt_run(t->db, SQL_HOLDS_BEGIN_AGAIN, "mt", now_s, late);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_OFFERS_FOLLOW, "i", (int64_t)0);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_KEPT_FORGET, "t", late);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_INTENTS_AT_ONCE, "m", now_s);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_REFUNDS_AT_ONCE, "t", late);
	t->clock_step_s = now_s - newest;
	txn_touch_all(t);
	return e;
}

enum err timeset_look(struct db *db, int64_t now_s)
{
	struct clockwatch *w = db->hall->clock;
	int64_t offset_ms, step = clockwatch_step(w, &offset_ms);
	enum err e = ERR_OK;
	struct txn t;

	if (step || !clockwatch_compared(w)) {
		e = txn_begin(&t, db, now_s); /* does what is to be done */
		if (e == ERR_OK)
			e = txn_end(&t, ERR_OK);
	}
	if (e == ERR_OK && !clockwatch_known(w))
		clockwatch_note(w, offset_ms, 0);
	else if (e == ERR_OK)
		clockwatch_follow(w);
	return e == ERR_OK ? look_for_staff(db) : e;
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
