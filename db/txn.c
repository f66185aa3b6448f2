/*
 * txn.c - one write transaction of the pen's holder.
 */
#include "txn.h"

#include "failpoint.h"
#include "kept.h"
#include "log.h"
#include "timeset.h"
#include "wal.h"

#include <assert.h>
#include <string.h>

enum {
	RELEASE_MAX = 500, /* holds in one go; the pen is not held for a whole house that ran out in one second */
	NEVER_S = 172800,  /* so far ahead no hold ends: a day by the settings, and a night before an offer's begins */
};

static enum err expire(struct txn *t, int64_t id)
{
	struct kept_place place;
	enum err e = kept_begin(t, id, &place);

	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_MOVE, "itttii", id, "EXPIRED", "keeper", t->now, (int64_t)0, (int64_t)-1);
	return e == ERR_OK ? kept_end(t, &place, false) : e;
}

/* Ends every hold that the statement names.  One row is one UPDATE: a second statement would cost each worker its memory. */
static enum err release(struct txn *t, struct sqlite3_stmt *due)
{
	int64_t ids[RELEASE_MAX];
	int n;
	enum err e = stmt_ids(t->db, due, ids, RELEASE_MAX, &n);

	for (int i = 0; i < n && e == ERR_OK; i++)
		e = expire(t, ids[i]);
	t->more_due = n == RELEASE_MAX;
	t->expired += e == ERR_OK ? n : 0;
	return e;
}

static enum err release_due(struct txn *t)
{
	char never[CLOCK_ISO_SIZE];
	int64_t any = 0;
	enum err e;

	clock_iso(t->now_s + NEVER_S, never);
	e = stmt_number(t->db, SQL_IS_DUE, &any, "tt", t->now, never);
	/* Usually there are none, and to ask for that costs half of looking for them. */
	return e == ERR_OK && any ? release(t, stmt_use(t->db, SQL_DUE, "tit", t->now, (int64_t)RELEASE_MAX, never)) : e;
}

enum err txn_release_day(struct txn *t, int64_t restaurant_id, const char *date)
{
	bool more = t->more_due;
	enum err e = ERR_OK;

	while (more && e == ERR_OK) {
		e = release(t, stmt_use(t->db, SQL_DUE_OF_DAY, "titi", t->now, restaurant_id, date, (int64_t)RELEASE_MAX));
		more = t->more_due;
		t->more_due = true; /* there may be others on other days */
	}
	return e;
}

static void init(struct txn *t, struct db *db, int64_t now_s)
{
	t->db = db;
	t->now_s = now_s;
	t->expired = 0;
	t->more_due = false;
	code_begin(&t->codes);
	t->freed_count = 0;
	t->opened_count = 0;
	t->opened_more = false;
	t->opened_new = 0;
	t->waits = -1;
	t->used_until_s = 0;
	t->told.restaurant_id = 0;
	t->clock_step_s = 0;
	t->clock_first = false;
	t->clock_doubted = 0;
	t->touched_all = false;
	memset(t->touched, 0, sizeof t->touched);
	clock_iso(now_s, t->now);
	room_init(&t->house.room);
	txn_forget(t);
}

enum err txn_follow(struct txn *t, int64_t step, const char *then)
{
	enum err e = stmt_run(t->db, SQL_HOLDS_FOLLOW, "it", step, then);

	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_OFFERS_FOLLOW, "i", step);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_KEPT_FOLLOWS, "i", step);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_LEFT_FOLLOWS, "i", step);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_PROOFS_FOLLOW, "it", step, then);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_INTENTS_FOLLOW, "i", step);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_REFUNDS_FOLLOW, "i", step);
	t->clock_step_s = step;
	txn_touch_all(t);
	return e;
}

/*
 * A guest was promised a number of minutes, not a time of day.  So when the clock was set, the ends of holds, offers and
 * codes move by the same step, before anything is released by the new time.
 */
static enum err follow_clock(struct txn *t)
{
	int64_t step = clockwatch_step(t->db->hall->clock, &t->clock_offset_ms);
	char then[CLOCK_ISO_SIZE]; /* what the clock would say if it had not been set */
	enum err e;

	t->clock_first = !clockwatch_compared(t->db->hall->clock);
	if (t->clock_first && !step)
		return timeset_first(t);
	if (!step || WITHOUT("follow"))
		return ERR_OK;
	log_warn("clock.set", "by_seconds=%lld", (long long)step);
	clock_iso(clock_now_s() - step, then);
	e = txn_follow(t, step, then);
	return e == ERR_OK ? stmt_run(t->db, SQL_CLOCK_WAS_SET, "it", step, then) : e;
}

enum err txn_begin_locked(struct txn *t, struct db *db, int64_t now_s)
{
	enum err e = db_begin_locked(db);

	init(t, db, now_s);
	if (e != ERR_OK)
		return e;
	e = follow_clock(t);
	if (e == ERR_OK)
		e = release_due(t);
	return e == ERR_OK ? ERR_OK : txn_end_locked(t, e);
}

static void tell_days(const struct txn *t)
{
	struct edition *n = t->db->hall->edition;

	for (unsigned i = 0; i < EDITION_DAYS; i++)
		if (t->touched[i / 8] & 1u << i % 8)
			edition_touch_day(n, i);
	if (t->expired || t->touched_all) /* of whichever days */
		edition_touch_all_days(n);
}

enum err txn_end_locked(struct txn *t, enum err e)
{
	assert(t->db && pen_is_ours(t->db->hall->pen));
	room_clear(&t->house.room);
	e = db_end_locked(t->db, e);
	if (e == ERR_OK && t->clock_first)
		clockwatch_set_compared(t->db->hall->clock);
	if (e == ERR_OK && t->clock_step_s)
		clockwatch_note(t->db->hall->clock, t->clock_offset_ms, t->clock_step_s);
	if (e == ERR_OK && t->clock_doubted)
		clockwatch_doubt(t->db->hall->clock, t->clock_doubted);
	if (e == ERR_OK)
		tell_days(t);
	if (e == ERR_OK && t->expired)
		counters_add(t->db->hall->counters, COUNTER_holds_expired, (uint64_t)t->expired);
	return e;
}

void txn_touch_day(struct txn *t, int64_t restaurant_id, const char *date)
{
	unsigned place = edition_day_index(restaurant_id, date);

	t->touched[place / 8] |= (uint8_t)(1u << place % 8);
}

void txn_touch_all(struct txn *t)
{
	t->touched_all = true;
}

void txn_open_day(struct txn *t, int64_t restaurant_id, const char *date)
{
	struct txn_day *d = &t->opened[t->opened_count];

	for (int i = 0; i < t->opened_count; i++)
		if (t->opened[i].restaurant_id == restaurant_id && strcmp(t->opened[i].date, date) == 0)
			return;
	t->opened_more |= t->opened_count == TXN_DAYS_MAX;
	if (t->opened_more)
		return;
	assert(strlen(date) < sizeof d->date);
	d->restaurant_id = restaurant_id;
	strcpy(d->date, date);
	t->opened_count++;
}

enum err txn_begin(struct txn *t, struct db *db, int64_t now_s)
{
	enum err e = hall_take_pen(db->hall, DB_PEN_MS);

	assert(!db->reading);
	if (e != ERR_OK)
		return e;
	e = txn_begin_locked(t, db, now_s);
	if (e != ERR_OK)
		hall_pass_pen(db->hall);
	return e;
}

enum err txn_end(struct txn *t, enum err e)
{
	e = txn_end_locked(t, e);
	if (e == ERR_OK)
		wal_tidy_locked(t->db, 1);
	hall_pass_pen(t->db->hall);
	return e;
}

void txn_free_guest(struct txn *t, int64_t user_id, int64_t phone_key, int64_t restaurant_id, const char *date,
		    const char *time)
{
	struct txn_freed *f = &t->freed[t->freed_count];

	assert(strlen(date) < sizeof f->date && strlen(time) < sizeof f->time);
	if (t->freed_count == TXN_FREED_MAX)
		return;
	*f = (struct txn_freed){.user_id = user_id, .phone_key = phone_key, .restaurant_id = restaurant_id};
	strcpy(f->date, date);
	strcpy(f->time, time);
	t->freed_count++;
}

void txn_forget(struct txn *t)
{
	t->slot.restaurant_id = 0;
	t->house.restaurant_id = 0;
	room_empty(&t->house.room);
	t->house.with_kept = KEPT_PAST;
	kept_forget();
	t->next_id = 0;
}

enum err txn_mark(struct txn *t)
{
	return stmt_run(t->db, SQL_SAVEPOINT, "");
}

enum err txn_keep(struct txn *t)
{
	return stmt_run(t->db, SQL_RELEASE, "");
}

enum err txn_undo(struct txn *t)
{
	enum err e = stmt_run(t->db, SQL_ROLLBACK_TO, "");

	txn_forget(t);
	return e == ERR_OK ? txn_keep(t) : e;
}

bool txn_refuses_one(enum err e)
{
	return e == ERR_DUPLICATE || e == ERR_SLOT_FULL || e == ERR_TIME_BLOCKED || e == ERR_WRONG_TABLE || e == ERR_BAD_MOVE ||
	       e == ERR_NOT_THE_TIME || e == ERR_SAID_OFTEN || e == ERR_KEY_REUSED || e == ERR_CODE_TAKEN ||
	       e == ERR_TOO_EARLY || e == ERR_ALREADY_WAITING || e == ERR_INTERNAL || e == ERR_NEVER_DELETED ||
	       e == ERR_NO_SUCH_TIME || e == ERR_BEGUN || e == ERR_TOO_MANY_HOLDS || e == ERR_TOO_MANY_UPCOMING ||
	       e == ERR_AMOUNT_CHANGED || e == ERR_TOO_MANY_CHANGES || e == ERR_TABLE_TAKEN || e == ERR_TABLE_TOO_SMALL ||
	       e == ERR_CARD_FOR_FEWER || e == ERR_CARD_WANTED;
}

enum err txn_is_due(struct db *db, int64_t now_s, bool *due)
{
	*due = false;
	return stmt_get(db, stmt_use(db, SQL_IS_DUE, "mm", now_s, now_s + NEVER_S), ERR_OK, "b", due);
}
