/*
 * planner.c - messages that are due by the clock: reminders, holds about to lapse, the owner's sheet and digest.
 */
#include "planner.h"

#include "hours.h"
#include "mailserver.h"
#include "outbox.h"
#include "timeset.h"
#include "zone.h"

#include <stdio.h>
#include <string.h>

enum {
	LAPSING_S = 3600, /* this long before its end at most a hold is spoken of */
	SHEET_HOURS = 4,  /* a box that was off in the morning still sends the day's sheet */
	DIGEST_EVERY_S = 3600,
	PLAN_MAX = 100,
};

/* One restaurant's turn. */
struct planning {
	struct db *db;
	const struct restaurant *r;
	bool mail, sms;
	int64_t now_s;
	char now[CLOCK_ISO_SIZE], when[CLOCK_ISO_SIZE]; /* when: not in its quiet hours */
};

static enum err put_all(const struct planning *p, enum outbox_event event, const int64_t *ids, int count)
{
	enum err e = db_begin(p->db);

	if (e != ERR_OK)
		return e;
	for (int i = 0; i < count && e == ERR_OK; i++) {
		int put = 0;

		if (p->mail)
			e = stmt_run(p->db, SQL_PLAN_PUT, "itttt", ids[i], outbox_word(event), "MAIL", p->when, p->now);
		put += e == ERR_OK && p->mail ? stmt_changes(p->db) : 0;
		if (e == ERR_OK && p->sms)
			e = stmt_run(p->db, SQL_PLAN_PUT, "itttt", ids[i], outbox_word(event), "SMS", p->when, p->now);
		put += e == ERR_OK && p->sms ? stmt_changes(p->db) : 0;
		if (e == ERR_OK && !put)
			e = stmt_run(p->db, SQL_PLAN_SKIP, "itt", ids[i], outbox_word(event), p->now);
	}
	return db_end(p->db, e);
}

static enum err put_found(const struct planning *p, enum outbox_event event, struct sqlite3_stmt *s)
{
	int64_t ids[PLAN_MAX];
	int n;
	enum err e = stmt_ids(p->db, s, ids, PLAN_MAX, &n);

	return e == ERR_OK && n ? put_all(p, event, ids, n) : e;
}

/* Those who begin within this many seconds and have not been reminded; not guests who booked later than that themselves. */
static enum err plan_reminder(const struct planning *p, enum outbox_event event, enum sql_id find, int64_t before_s)
{
	char first[CLOCK_ISO_SIZE], last[CLOCK_ISO_SIZE], shift[32];

	if (before_s <= 0)
		return ERR_OK;
	clock_iso(p->now_s - 86400, first);
	clock_iso(p->now_s + before_s + 86400, last);
	first[TEXT_DATE_SIZE - 1] = last[TEXT_DATE_SIZE - 1] = '\0';
	snprintf(shift, sizeof shift, "-%lld seconds", (long long)before_s);
	return put_found(p, event, stmt_use(p->db, find, "itttmt", p->r->id, first, last, p->now, p->now_s + before_s, shift));
}

static enum err plan_lapsing(const struct planning *p)
{
	return put_found(p, OUTBOX_LAPSING, stmt_use(p->db, SQL_PLAN_LAPSING, "itm", p->r->id, p->now, p->now_s + LAPSING_S));
}

static enum err put_sheet(const struct planning *p, const char *key)
{
	enum err e = db_begin(p->db);

	if (e == ERR_OK)
		e = db_end(p->db, stmt_run(p->db, SQL_OUTBOX_PUT, "ittittt", p->r->id, "MAIL", outbox_word(OUTBOX_DAY_SHEET),
					   (int64_t)0, key, p->now, p->now));
	return e;
}

static enum err put_digest(const struct planning *p, int64_t last, const char *key)
{
	enum err e = db_begin(p->db);

	return e == ERR_OK ? db_end(p->db, stmt_run(p->db, SQL_DIGEST_PUT, "iitt", p->r->id, last, key, p->now)) : e;
}

static enum err is_put(struct db *db, const char *key, bool *put)
{
	*put = false;
	return stmt_get(db, stmt_use(db, SQL_PLAN_KEY, "t", key), ERR_OK, "b", put);
}

static enum err plan_sheet(const struct planning *p)
{
	char key[64], day[TEXT_DATE_SIZE];
	struct date today;
	int minute, hour = p->r->set.day_sheet_hour;
	bool put;
	enum err e;

	if (!hour || !zone_to_local(p->r->zone, p->now_s, &today, &minute) || minute / 60 < hour ||
	    minute / 60 >= hour + SHEET_HOURS)
		return ERR_OK;
	text_put_date(today, day);
	snprintf(key, sizeof key, "day-sheet:%lld:%s", (long long)p->r->id, day);
	e = is_put(p->db, key, &put);
	return e == ERR_OK && !put ? put_sheet(p, key) : e;
}

/* At most once an hour, what came since the last one.  The first one only notes where to begin. */
static enum err plan_digest(const struct planning *p)
{
	char first[64], last[64], key[64];
	int64_t told = -1, told_s = 0, newest = 0;
	enum err e;

	snprintf(first, sizeof first, "digest:%lld:", (long long)p->r->id);
	snprintf(last, sizeof last, "digest:%lld;", (long long)p->r->id); /* ; comes after : */
	e = stmt_get(p->db, stmt_use(p->db, SQL_DIGEST_LAST, "tt", first, last), ERR_OK, "im", &told, &told_s);
	if (told_s > p->now_s + TIMESET_SLACK_S)
		told_s = 0; /* told by a clock that ran ahead: not waited for */
	if (e != ERR_OK || p->now_s - told_s < DIGEST_EVERY_S)
		return e;
	e = told < 0 ? stmt_number(p->db, SQL_RESERVATION_LAST, &newest, "") :
		       stmt_number(p->db, SQL_DIGEST_NEW, &newest, "ii", p->r->id, told);
	if (e != ERR_OK || newest <= told)
		return e;
	snprintf(key, sizeof key, "digest:%lld:%013lld", (long long)p->r->id, (long long)newest);
	return put_digest(p, newest, key);
}

static enum err plan_one(struct db *db, const struct restaurant *r, bool has_mail, int64_t now_s)
{
	struct planning p = {
		.db = db, .r = r, .now_s = now_s, .mail = has_mail && r->set.mail_guests, .sms = r->set.sms_guests};
	bool owner = has_mail && r->notify_email[0];
	enum err e = ERR_OK;

	clock_iso(now_s, p.now);
	clock_iso(hours_awake(&r->set, r->zone, now_s), p.when);
	if (p.mail || p.sms)
		e = plan_reminder(&p, OUTBOX_REMIND_DAY, SQL_PLAN_DAY, r->set.remind_day_hours * INT64_C(3600));
	if (e == ERR_OK && (p.mail || p.sms))
		e = plan_reminder(&p, OUTBOX_REMIND_SOON, SQL_PLAN_SOON, r->set.remind_minutes * INT64_C(60));
	if (e == ERR_OK && (p.mail || p.sms)) {
		memcpy(p.when, p.now, sizeof p.when); /* a guest who holds seats is awake */
		e = plan_lapsing(&p);
	}
	if (e == ERR_OK && owner)
		e = plan_sheet(&p);
	return e == ERR_OK && owner && r->set.tell_owner == 2 ? plan_digest(&p) : e;
}

enum err planner_run(struct db *db, int64_t now_s)
{
	int64_t ids[RESTAURANTS_MAX];
	int count = 0;
	struct mailserver m;
	struct restaurant r;
	enum err e = mailserver_get(db, &m);

	if (e == ERR_OK)
		e = restaurants_all(db, ids, &count);
	for (int i = 0; i < count && e == ERR_OK; i++) {
		e = restaurants_get(db, ids[i], &r);
		if (e == ERR_OK)
			e = plan_one(db, &r, strcmp(m.way, "OFF") != 0, now_s);
	}
	return e;
}
