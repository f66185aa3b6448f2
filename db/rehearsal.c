/*
 * rehearsal.c - what a rehearsal asks of the copy it plays on.
 */
#include "rehearsal.h"

#include "clock.h"
#include "openings.h"
#include "users.h"

#include <assert.h>
#include <stdio.h>

enum err rehearsal_tickets(struct db *db, int64_t restaurant, const char *date, const char *time, uint64_t from,
			   void (*each)(void *arg, const struct rehearsal_ticket *), void *arg)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_TICKETS_OF_SLOT, "itti", restaurant, date, time, (int64_t)from);
	enum err e;

	while (stmt_row(db, s, &e)) {
		struct rehearsal_ticket t;

		stmt_take(s, "iiin", &t.ticket, &t.user_id, &t.reservation_id, &t.party);
		each(arg, &t);
	}
	return e;
}

enum err rehearsal_stage(struct db *db, int64_t restaurant, int64_t now_s, int64_t hold_s)
{
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	db_touch_settings(db);
	e = stmt_run(db, SQL_STAGE_RESTAURANT, "ii", restaurant, hold_s);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_STAGE_HOLDS, "mm", now_s, now_s + hold_s);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_STAGE_MAIL, "");
	if (e == ERR_OK)
		e = stmt_run(db, SQL_STAGE_OUTBOX, "");
	return db_end(db, e);
}

enum err rehearsal_open(struct db *db, int64_t restaurant, const struct openings_row *row)
{
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	db_touch_settings(db);
	e = stmt_run(db, SQL_STAGE_OPENINGS, "idd", restaurant, row->first, row->last);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_STAGE_OPENING, "iddm", restaurant, row->first, row->last, row->opens_s);
	return db_end(db, e);
}

/* One load-test guest, found or made, inside the caller's transaction. */
static enum err load_test_user(struct db *db, int number, const char *hash, const char *now, struct user *out)
{
	char email[64], name[32];
	enum err e;

	assert(number > 0);
	snprintf(email, sizeof email, "loadtest.user%04d@example.com", number);
	snprintf(name, sizeof name, "Load test %04d", number);
	e = users_by_login(db, email, out);
	if (e == ERR_OK && hash) {
		e = stmt_run(db, SQL_PASSWORD_SET, "iti", out->id, hash, (int64_t)out->token_version);
		out->token_version++;
	}
	if (e != ERR_NOT_FOUND)
		return e;
	e = stmt_run(db, SQL_LOGIN_ADD, "ttttit", users_type_word(USER_ACCOUNT), name, email, hash, (int64_t)0, now);
	return e == ERR_OK ? users_by_login(db, email, out) : e;
}

enum err rehearsal_make_users(struct db *db, int count, const char *password_hash, int64_t now_s,
			      void (*each)(void *arg, int64_t id, uint32_t version), void *arg)
{
	char now[CLOCK_ISO_SIZE];
	struct user u;
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	clock_iso(now_s, now);
	for (int i = 1; i <= count && e == ERR_OK; i++) {
		e = load_test_user(db, i, password_hash, now, &u);
		if (e == ERR_OK)
			each(arg, u.id, u.token_version);
	}
	return db_end(db, e);
}
