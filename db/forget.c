/*
 * forget.c - forgetting guests.
 */
#include "forget.h"

#include "buf.h"
#include "clock.h"
#include "offers.h"

#include <sqlite3.h>

enum {
	FORGET_MAX = 200, /* guests in one go ... */
	MERGED_MAX = 100, /* who were merged into one of them */
	FORGET_MS = 40,   /* ... and how long the pen is held for them; the keeper comes again */
};

/* Seats that were kept for them are for the next who wait. */
static enum err open_days(struct txn *t, int64_t user_id)
{
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_WAITS_TO_ERASE, "i", user_id);
	enum err e;

	while (stmt_row(t->db, s, &e)) {
		const char *date;
		int64_t restaurant_id;

		stmt_take(s, "iw", &restaurant_id, &date);
		txn_open_day(t, restaurant_id, date);
	}
	return e;
}

/* What the owner added: the book writes the statements, one for each table that is there. */
static enum err erase_own(struct db *db, int64_t user_id)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_ERASE_OWN, "i", user_id);
	struct buf made = {0};
	enum err e;

	while (stmt_row(db, s, &e)) {
		const char *erase;

		stmt_take(s, "w", &erase);
		buf_fmt(&made, "%s;", erase);
	}
	if (e == ERR_OK && made.len)
		e = buf_ok(&made) ? db_exec(db->handle, made.data) : ERR_NO_MEMORY;
	buf_free(&made);
	return e;
}

/* What is found by the number comes before the user, who has it. */
static enum err erase_one(struct txn *t, int64_t user_id, const char *actor)
{
	static const enum sql_id by_number[] = {SQL_ERASE_DOOR,     SQL_ERASE_ANSWERS, SQL_ERASE_PROOFS,
						SQL_ERASE_CARDS,    SQL_ERASE_KNOWN,   SQL_ERASE_REASONS,
						SQL_ERASE_PAYMENTS, SQL_ERASE_ACTS,    SQL_ERASE_MERGES};
	struct db *db = t->db;
	enum err e = open_days(t, user_id);

	for (size_t i = 0; i < sizeof by_number / sizeof by_number[0] && e == ERR_OK; i++)
		e = stmt_run(db, by_number[i], "i", user_id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_ERASE_INTENTS, "itt", user_id, t->now, actor);
	if (e == ERR_OK)
		e = erase_own(db, user_id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_ERASE_USER, "it", user_id, t->now);
	if (e == ERR_OK && !stmt_changes(db))
		e = ERR_NOT_FOUND;
	if (e == ERR_OK)
		e = stmt_run(db, SQL_ERASE_RESERVATIONS, "itt", user_id, actor, t->now);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_ERASE_DAY_NOTES, "itt", user_id, actor, t->now);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_ERASE_WAITS, "itt", user_id, actor, t->now);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_AUDIT_HOUSE, "tttittti", t->now, actor, "user", user_id, "erased", NULL, NULL, (int64_t)0);
	return e;
}

/* And those whom staff said to be the same person. */
static enum err erase(struct txn *t, int64_t user_id, const char *actor)
{
	int64_t ids[MERGED_MAX];
	int n = 0;
	enum err e = stmt_ids(t->db, stmt_use(t->db, SQL_MERGED_INTO, "i", user_id), ids, MERGED_MAX, &n);

	if (e == ERR_OK)
		e = erase_one(t, user_id, actor);
	for (int i = 0; i < n && e == ERR_OK; i++)
		e = erase_one(t, ids[i], actor);
	return e;
}

/* Screens that may show the forgotten guest are told, and the pages that had their name leave the log. */
static enum err end_erasing(struct txn *t, enum err e)
{
	if (e == ERR_OK)
		e = offers_serve(t);
	txn_touch_all(t);
	writes_empty_log(t->db->hall->writes);
	return txn_end(t, e);
}

/* Of a guest who is forgotten the book no longer tells whose the money is. */
static enum err check_owed(struct txn *t, int64_t user_id)
{
	int64_t owed = 0;
	enum err e = stmt_number(t->db, SQL_OWED_TO_PERSON, &owed, "i", user_id);

	return e == ERR_OK && owed > 0 ? ERR_REFUND_FIRST : e;
}

enum err forget_guest(struct db *db, int64_t user_id, const char *actor, int64_t now_s)
{
	struct txn t;
	enum err e = txn_begin(&t, db, now_s);

	if (e != ERR_OK)
		return e;
	e = check_owed(&t, user_id);
	return e == ERR_OK ? end_erasing(&t, erase(&t, user_id, actor)) : txn_end(&t, e);
}

/* Those who only proved a number. */
static enum err forget_cards(struct db *db, int64_t now_s, const char *now)
{
	int64_t any = 0;
	struct txn t;
	enum err e = stmt_number(db, SQL_CARDS_FORGETTABLE, &any, "t", now);

	if (e == ERR_OK && any)
		e = txn_begin(&t, db, now_s);
	return e == ERR_OK && any ? end_erasing(&t, stmt_run(db, SQL_CARDS_FORGET, "t", now)) : e;
}

enum err forget_old(struct db *db, int64_t now_s, bool *more)
{
	int64_t ids[FORGET_MAX], until;
	char now[CLOCK_ISO_SIZE];
	int n = 0, done = 0;
	struct txn t;
	enum err e;

	*more = line_length(db->hall->line) > 0;
	if (*more)
		return ERR_OK;
	clock_iso(now_s, now);
	e = stmt_ids(db, stmt_use(db, SQL_FORGETTABLE, "ti", now, (int64_t)FORGET_MAX), ids, FORGET_MAX, &n);
	if (e == ERR_OK && !n)
		return forget_cards(db, now_s, now);
	if (e == ERR_OK)
		e = txn_begin(&t, db, now_s);
	if (e != ERR_OK)
		return e;
	until = clock_mono_ms() + FORGET_MS;
	while (e == ERR_OK && done < n && (done == 0 || clock_mono_ms() < until))
		e = erase(&t, ids[done++], "keeper");
	*more = done < n || n == FORGET_MAX;
	return end_erasing(&t, e);
}
