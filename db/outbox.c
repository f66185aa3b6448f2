/*
 * outbox.c - messages to guests and to the owner.
 */
#include "outbox.h"

#include "hours.h"
#include "log.h"
#include "rate.h"
#include "timeset.h"
#include "zone.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
	GIVEN_UP_DAYS = 7, /* so long the desk shows what could not be sent */
	LAPSING_S = 3600,  /* so long before its end at most a hold is spoken of */
	SHEET_HOURS = 4,   /* a box that was off in the morning still sends the day's sheet */
	DIGEST_EVERY_S = 3600,
	NIGHT_S = 90000, /* longer than any quiet hours: a first try waits for nothing else */
	PLAN_MAX = 100,
	HOUR_S = 3600,
	DAY_S = 86400,
};

/*
 * How many messages there are at most: about one reservation in an hour, to one recipient in an hour and in a day.  An address that
 * somebody has only typed may be a stranger's.  Offers have a little room of their own after that.  A cancellation goes to its
 * recipient however many went there: it is one for each reservation that they were told of, or the house's, and without it they
 * stand before a closed door.  The owner's sheet is one a day.
 */
enum {
	ABOUT_HOUR = 6,
	TYPED_HOUR = 5,
	TYPED_DAY = 15,
	PROVEN_HOUR = 10,
	PROVEN_DAY = 30,
	OWNER_HOUR = 20,
	OWNER_DAY = 200,
	MORE = 3
};

static const char *const words[OUTBOX__EVENTS] = {
#define X(name, word) [OUTBOX_##name] = word,
	OUTBOX_EVENTS(X)
#undef X
};

const char *outbox_word(enum outbox_event e)
{
	assert(e < OUTBOX__EVENTS);
	return words[e];
}

enum outbox_event outbox_event(const char *word)
{
	int i = 0;

	while (i < OUTBOX__EVENTS && strcmp(words[i], word) != 0)
		i++;
	return (enum outbox_event)i;
}

/* ---- writing ---- */

static enum err learn_ways(struct txn *t, int64_t restaurant_id)
{
	struct sqlite3_stmt *s;
	enum err e;

	if (t->told.restaurant_id == restaurant_id)
		return ERR_OK;
	s = stmt_use(t->db, SQL_OUTBOX_WAYS, "i", restaurant_id);
	t->told.mail = t->told.sms = t->told.owner = t->told.owner_told = false;
	while (stmt_row(t->db, s, &e))
		stmt_take(s, "bbb", &t->told.mail, &t->told.sms, &t->told.owner);
	t->told.restaurant_id = e == ERR_OK ? restaurant_id : 0;
	return e;
}

enum err outbox_ways(struct txn *t, int64_t restaurant_id, bool *mail, bool *sms)
{
	enum err e = learn_ways(t, restaurant_id);

	*mail = t->told.mail;
	*sms = t->told.sms;
	return e;
}

void outbox_state(const struct reservation *v, char out[OUTBOX_STATE_SIZE])
{
	bool on = v->status == LIFE_CONFIRMED || v->status == LIFE_PREPAY_CONFIRM || v->status == LIFE_TEMPORARY;

	if (on)
		snprintf(out, OUTBOX_STATE_SIZE, "%s %s %d", v->date, v->time, v->party);
	else
		snprintf(out, OUTBOX_STATE_SIZE, "-");
}

static enum err tell_by(struct txn *t, enum outbox_event event, bool by_mail, int64_t reservation_id, const char *when)
{
	enum err e = ERR_OK;

	if (event == OUTBOX_CHANGED)
		e = stmt_run(t->db, SQL_OUTBOX_CHANGED_AGAIN, "ittt", reservation_id, by_mail ? "MAIL" : "SMS", when, t->now);
	if (e != ERR_OK || (event == OUTBOX_CHANGED && stmt_changes(t->db) > 0))
		return e;
	return stmt_run(t->db, by_mail ? SQL_OUTBOX_TELL_MAIL : SQL_OUTBOX_TELL_SMS, "ittt", reservation_id, words[event], when,
			t->now);
}

enum err outbox_tell(struct txn *t, enum outbox_event event, int64_t restaurant_id, int64_t reservation_id, int64_t delay_s)
{
	char when[CLOCK_ISO_SIZE];
	enum err e = learn_ways(t, restaurant_id);

	assert(reservation_id > 0 && delay_s >= 0);
	if (e != ERR_OK || (!t->told.mail && !t->told.sms))
		return e;
	if (event == OUTBOX_CHANGED && delay_s < OUTBOX_REST_S)
		delay_s = OUTBOX_REST_S;
	clock_iso(t->now_s + delay_s, when);
	if (t->told.mail)
		e = tell_by(t, event, true, reservation_id, when);
	if (e == ERR_OK && t->told.sms)
		e = tell_by(t, event, false, reservation_id, when);
	return e;
}

enum err outbox_tell_new(struct txn *t, enum outbox_event event, int64_t restaurant_id, int64_t reservation_id,
			 const struct outbox_new *guest)
{
	char when[CLOCK_ISO_SIZE];
	enum err e = learn_ways(t, restaurant_id);
	bool mail = t->told.mail && guest->has_email, sms = t->told.sms && guest->has_phone;

	if (e != ERR_OK || (!mail && !sms))
		return e;
	memcpy(when, t->now, sizeof when);
	if (guest->network)
		clock_iso(t->now_s + rate_queue(t->db->hall->rate, RATE_TELL_NEAR, guest->network), when);
	if (mail)
		e = stmt_run(t->db, SQL_OUTBOX_TELL_NEW, "ittitt", restaurant_id, "MAIL", words[event], reservation_id, when,
			     t->now);
	if (e == ERR_OK && sms)
		e = stmt_run(t->db, SQL_OUTBOX_TELL_NEW, "ittitt", restaurant_id, "SMS", words[event], reservation_id, when,
			     t->now);
	return e;
}

enum err outbox_tell_owner(struct txn *t, int64_t restaurant_id, int64_t reservation_id)
{
	char key[64], when[CLOCK_ISO_SIZE];
	int64_t minute = t->now_s / 60;
	enum err e = learn_ways(t, restaurant_id);

	if (e != ERR_OK || !t->told.owner || t->told.owner_told)
		return e;
	snprintf(key, sizeof key, "new:%lld:%lld", (long long)restaurant_id, (long long)minute);
	clock_iso((minute + 1) * 60, when);
	e = stmt_run(t->db, SQL_OWNER_NEW_PUT, "iittt", restaurant_id, reservation_id, key, when, t->now);
	t->told.owner_told = e == ERR_OK;
	return e;
}

/* By that way alone the guest hears how it is, once it has rested; the letter is not sent if they know. */
static enum err tell_how_it_is(struct txn *t, int64_t restaurant_id, int64_t reservation_id, bool by_mail)
{
	char when[CLOCK_ISO_SIZE];
	enum err e = learn_ways(t, restaurant_id);

	if (e != ERR_OK || !(by_mail ? t->told.mail : t->told.sms))
		return e;
	clock_iso(t->now_s + OUTBOX_REST_S, when);
	return tell_by(t, OUTBOX_CHANGED, by_mail, reservation_id, when);
}

enum err outbox_take_back(struct txn *t, int64_t restaurant_id, int64_t reservation_id, int64_t version)
{
	static const char *const ways[] = {"SMS", "MAIL"};
	enum err e = ERR_OK;

	for (int by_mail = 0; by_mail <= 1 && e == ERR_OK; by_mail++) {
		e = stmt_run(t->db, SQL_OUTBOX_WITHDRAW, "iit", reservation_id, version, ways[by_mail]);
		if (e == ERR_OK && stmt_changes(t->db) == 0)
			e = tell_how_it_is(t, restaurant_id, reservation_id, by_mail);
	}
	return e;
}

enum err outbox_put_code(struct txn *t, int64_t restaurant_id, bool by_mail, int64_t proof_id, int64_t before_s)
{
	char when[CLOCK_ISO_SIZE];

	clock_iso(t->now_s - before_s, when);
	return stmt_run(t->db, SQL_OUTBOX_PUT, "ittittt", restaurant_id, by_mail ? "MAIL" : "SMS", words[OUTBOX_CODE], proof_id,
			NULL, when, t->now);
}

/*
 * A change that came while the letter about an earlier one was on its way found that row still waiting and left it at that; and
 * a letter about what the desk took back may have left already.  How it is is told now.
 */
static enum err tell_rest(struct txn *t, const struct ticket_sent *s)
{
	struct sqlite3_stmt *q = stmt_use(t->db, SQL_OUTBOX_TELLS, "i", s->outbox_id);
	char state[OUTBOX_STATE_SIZE];
	struct reservation v;
	bool by_mail = false;
	int64_t id = 0;
	enum err e;

	while (stmt_row(t->db, q, &e))
		stmt_take(q, "ib", &id, &by_mail);
	if (e != ERR_OK || !id)
		return e;
	e = booking_get(t->db, id, t->now_s, &v);
	if (e != ERR_OK)
		return e == ERR_NO_SUCH_RESERVATION ? ERR_OK : e;
	outbox_state(&v, state);
	return strcmp(state, "-") == 0 || strcmp(state, s->state) == 0 ? ERR_OK :
									 tell_how_it_is(t, v.restaurant_id, id, by_mail);
}

enum err outbox_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	static const char *const states[] = {
		[SENT_OK] = "SENT", [SENT_LATER] = "QUEUED", [SENT_FAILED] = "FAILED", [SENT_SKIPPED] = "SKIPPED"};
	const struct ticket_sent *s = &r->u.sent;
	char next[CLOCK_ISO_SIZE];
	enum err e;

	(void)number; /* said twice it is the same: what is sent stays so */
	assert(r->kind == TICKET_SENT && s->how >= SENT_OK && s->how <= SENT_SKIPPED);
	out->id = s->outbox_id;
	if (!s->outbox_id)
		return ERR_OK;
	clock_iso(s->next_s, next);
	if (s->how == SENT_FAILED)
		txn_touch_all(t); /* the desk shows it */
	e = stmt_run(t->db, SQL_OUTBOX_REPORT, "ititttit", s->outbox_id, states[s->how], (int64_t)s->attempts,
		     s->how == SENT_LATER ? next : NULL, s->answer, t->now, s->recipient, s->state);
	if (e != ERR_OK || !s->state[0] || stmt_changes(t->db) == 0 || s->how == SENT_LATER)
		return e;
	return tell_rest(t, s);
}

enum err outbox_put_test(struct db *db, const struct restaurant *r, int64_t now_s, int64_t *id)
{
	char now[CLOCK_ISO_SIZE];
	struct outbox_mail m;
	enum err e = outbox_get_mail(db, &m);

	if (e == ERR_OK && (strcmp(m.way, "OFF") == 0 || !r->notify_email[0]))
		e = ERR_NO_MAIL;
	if (e == ERR_OK)
		e = db_begin(db);
	if (e != ERR_OK)
		return e;
	clock_iso(now_s, now);
	e = stmt_run(db, SQL_OUTBOX_PUT, "ittittt", r->id, "MAIL", words[OUTBOX_TEST], (int64_t)0, NULL, now, now);
	*id = stmt_last_id(db);
	return db_end(db, e);
}

/* ---- by the clock ---- */

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
			e = stmt_run(p->db, SQL_PLAN_PUT, "itttt", ids[i], words[event], "MAIL", p->when, p->now);
		put += e == ERR_OK && p->mail ? stmt_changes(p->db) : 0;
		if (e == ERR_OK && p->sms)
			e = stmt_run(p->db, SQL_PLAN_PUT, "itttt", ids[i], words[event], "SMS", p->when, p->now);
		put += e == ERR_OK && p->sms ? stmt_changes(p->db) : 0;
		if (e == ERR_OK && !put)
			e = stmt_run(p->db, SQL_PLAN_SKIP, "itt", ids[i], words[event], p->now);
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

/* Those who begin within so many seconds and have not been reminded; not whoever booked later than that themselves. */
static enum err plan_reminder(const struct planning *p, enum outbox_event event, enum sql_id find, int64_t before_s)
{
	char first[CLOCK_ISO_SIZE], last[CLOCK_ISO_SIZE], until[CLOCK_ISO_SIZE], shift[32];

	if (before_s <= 0)
		return ERR_OK;
	clock_iso(p->now_s - 86400, first);
	clock_iso(p->now_s + before_s + 86400, last);
	clock_iso(p->now_s + before_s, until);
	first[TEXT_DATE_SIZE - 1] = last[TEXT_DATE_SIZE - 1] = '\0';
	snprintf(shift, sizeof shift, "-%lld seconds", (long long)before_s);
	return put_found(p, event, stmt_use(p->db, find, "ittttt", p->r->id, first, last, p->now, until, shift));
}

static enum err plan_lapsing(const struct planning *p)
{
	char until[CLOCK_ISO_SIZE];

	clock_iso(p->now_s + LAPSING_S, until);
	return put_found(p, OUTBOX_LAPSING, stmt_use(p->db, SQL_PLAN_LAPSING, "itt", p->r->id, p->now, until));
}

static enum err put_sheet(const struct planning *p, const char *key)
{
	enum err e = db_begin(p->db);

	if (e == ERR_OK)
		e = db_end(p->db, stmt_run(p->db, SQL_OUTBOX_PUT, "ittittt", p->r->id, "MAIL", words[OUTBOX_DAY_SHEET],
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
	int64_t found = 0;
	enum err e = stmt_number(db, SQL_OUTBOX_KEY, &found, "t", key);

	*put = found != 0;
	return e;
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
	struct sqlite3_stmt *s;
	enum err e;

	snprintf(first, sizeof first, "digest:%lld:", (long long)p->r->id);
	snprintf(last, sizeof last, "digest:%lld;", (long long)p->r->id); /* ; comes after : */
	s = stmt_use(p->db, SQL_DIGEST_LAST, "tt", first, last);
	while (stmt_row(p->db, s, &e))
		stmt_take(s, "im", &told, &told_s);
	if (told_s > p->now_s + TIMESET_SLACK_S)
		told_s = 0; /* told by a clock that ran ahead: nobody waits until then */
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
		memcpy(p.when, p.now, sizeof p.when); /* whoever holds seats is awake */
		e = plan_lapsing(&p);
	}
	if (e == ERR_OK && owner)
		e = plan_sheet(&p);
	return e == ERR_OK && owner && r->set.tell_owner == 2 ? plan_digest(&p) : e;
}

struct all {
	int64_t ids[64];
	int count;
};

static void keep_id(void *arg, int64_t id)
{
	struct all *a = arg;

	if (a->count < (int)(sizeof a->ids / sizeof a->ids[0]))
		a->ids[a->count++] = id;
}

enum err outbox_plan(struct db *db, int64_t now_s)
{
	struct all all = {.count = 0};
	struct outbox_mail m;
	struct restaurant r;
	enum err e = outbox_get_mail(db, &m);

	if (e == ERR_OK)
		e = restaurants_all(db, keep_id, &all);
	for (int i = 0; i < all.count && e == ERR_OK; i++) {
		e = restaurants_get(db, all.ids[i], &r);
		if (e == ERR_OK)
			e = plan_one(db, &r, strcmp(m.way, "OFF") != 0, now_s);
	}
	return e;
}

/* ---- reading ---- */

static enum err take_row(struct db *db, struct sqlite3_stmt *s, struct outbox_row *o, bool *found)
{
	const char *channel, *event;
	enum err e;

	*found = false;
	while (stmt_row(db, s, &e)) {
		*found = true;
		*o = (struct outbox_row){0};
		stmt_take(s, "iiwwitiiinmt", &o->id, &o->restaurant_id, &channel, &event, &o->reservation_id, o->planned_for,
			  sizeof o->planned_for, &o->first_reservation, &o->last_reservation, &o->proof_id, &o->attempts,
			  &o->created_s, o->key, sizeof o->key);
		o->by_mail = strcmp(channel, "MAIL") == 0;
		o->event = outbox_event(event);
	}
	return e;
}

enum err outbox_next(struct db *db, bool by_mail, enum outbox_urgency urgency, int64_t after_restaurant, int64_t now_s,
		     struct outbox_row *out, bool *found)
{
	char now[CLOCK_ISO_SIZE];

	clock_iso(now_s, now);
	return take_row(
		db, stmt_use(db, SQL_OUTBOX_NEXT, "titi", by_mail ? "MAIL" : "SMS", (int64_t)urgency, now, after_restaurant),
		out, found);
}

enum err outbox_ahead(struct db *db, enum outbox_urgency urgency, int64_t now_s, struct outbox_row *out, bool *found)
{
	char now[CLOCK_ISO_SIZE], late[CLOCK_ISO_SIZE], again[CLOCK_ISO_SIZE], night[CLOCK_ISO_SIZE];

	clock_iso(now_s, now);
	clock_iso(now_s + TIMESET_SLACK_S, late);
	clock_iso(now_s + OUTBOX_LONGEST_S * INT64_C(2), again);
	clock_iso(now_s + NIGHT_S, night);
	return take_row(db, stmt_use(db, SQL_OUTBOX_AHEAD, "itttt", (int64_t)urgency, now, late, again, night), out, found);
}

/* Is there room for one more?  Else when the oldest of them is a span ago.  Of a clock that ran ahead none counts. */
static enum err find_room(struct db *db, struct sqlite3_stmt *s, int most, int64_t span_s, int64_t *until_s)
{
	int64_t oldest = 0, count = 0;
	enum err e;

	while (stmt_row(db, s, &e))
		stmt_take(s, "im", &count, &oldest);
	if (e == ERR_OK && count >= most && oldest + span_s > *until_s)
		*until_s = oldest + span_s;
	return e;
}

enum err outbox_room(struct db *db, const struct outbox_row *o, int64_t recipient, bool few, int64_t now_s, int64_t *until_s)
{
	bool owner = !o->reservation_id, off = o->event == OUTBOX_CANCELLED || o->event == OUTBOX_REFUSED;
	int more = off || o->event == OUTBOX_OFFER ? MORE : 0, about = ABOUT_HOUR + more;
	int an_hour = (owner ? OWNER_HOUR : few ? TYPED_HOUR : PROVEN_HOUR) + more;
	int a_day = (owner ? OWNER_DAY : few ? TYPED_DAY : PROVEN_DAY) + more;
	char now[CLOCK_ISO_SIZE], hour[CLOCK_ISO_SIZE], day[CLOCK_ISO_SIZE];
	enum err e = ERR_OK;

	clock_iso(now_s, now);
	clock_iso(now_s - HOUR_S, hour);
	clock_iso(now_s - DAY_S, day);
	*until_s = 0;
	if (!owner)
		e = find_room(db,
			      stmt_use(db, SQL_OUTBOX_SENT_ABOUT, "ittit", o->reservation_id, hour, now, (int64_t)about,
				       o->by_mail ? "MAIL" : "SMS"),
			      about, HOUR_S, until_s);
	if (e != ERR_OK || off || o->event == OUTBOX_DAY_SHEET)
		return e;
	e = find_room(db, stmt_use(db, SQL_OUTBOX_SENT_TO, "itti", recipient, hour, now, (int64_t)an_hour), an_hour, HOUR_S,
		      until_s);
	if (e == ERR_OK)
		e = find_room(db, stmt_use(db, SQL_OUTBOX_SENT_TO, "itti", recipient, day, now, (int64_t)a_day), a_day, DAY_S,
			      until_s);
	return e;
}

enum err outbox_told(struct db *db, int64_t reservation_id, bool by_mail, char out[OUTBOX_STATE_SIZE])
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_OUTBOX_TOLD, "it", reservation_id, by_mail ? "MAIL" : "SMS");
	enum err e;

	out[0] = '\0';
	while (stmt_row(db, s, &e))
		stmt_take(s, "t", out, (size_t)OUTBOX_STATE_SIZE);
	return e;
}

enum err outbox_forget(struct db *db, int64_t now_s)
{
	char before[CLOCK_ISO_SIZE];
	int64_t old = 0;
	enum err e;

	clock_iso(now_s - DAY_S, before);
	e = stmt_number(db, SQL_OUTBOX_OLD_RECIPIENTS, &old, "t", before);
	if (e != ERR_OK || !old)
		return e;
	e = db_begin(db);
	return e == ERR_OK ? db_end(db, stmt_run(db, SQL_OUTBOX_FORGET, "t", before)) : e;
}

enum err outbox_person(struct db *db, int64_t reservation_id, struct outbox_person *out)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_OUTBOX_PERSON, "i", reservation_id);
	enum err e;

	*out = (struct outbox_person){.lang = LANG_KO};
	while (stmt_row(db, s, &e)) {
		const char *language;

		stmt_take(s, "ttwbb", out->email, sizeof out->email, out->phone, sizeof out->phone, &language,
			  &out->email_proven, &out->phone_proven);
		out->lang = strcmp(language, "en") == 0 ? LANG_EN : LANG_KO;
	}
	return e;
}

enum err outbox_superseded(struct db *db, const struct outbox_row *o, bool *later)
{
	int64_t found = 0;
	enum err e = stmt_number(db, SQL_OUTBOX_LATER, &found, "itti", o->reservation_id, words[o->event],
				 o->by_mail ? "MAIL" : "SMS", o->id);

	*later = found != 0;
	return e;
}

enum err outbox_first_waits(struct db *db, const struct outbox_row *o, bool *waits)
{
	int64_t found = 0;
	enum err e = stmt_number(db, SQL_OUTBOX_FIRST_WAITS, &found, "it", o->reservation_id, o->by_mail ? "MAIL" : "SMS");

	*waits = found != 0;
	return e;
}

enum err outbox_digest(struct db *db, int64_t restaurant_id, int64_t after, int64_t until, int64_t now_s,
		       void (*each)(void *arg, const struct reservation *), void *arg)
{
	return booking_each(db, stmt_use(db, SQL_DIGEST_ROWS, "iii", restaurant_id, after, until), now_s, each, arg);
}

enum err outbox_sheet(struct db *db, int64_t restaurant_id, const char *date, int64_t now_s,
		      void (*each)(void *arg, const struct reservation *), void *arg)
{
	return booking_each(db, stmt_use(db, SQL_SHEET_ROWS, "it", restaurant_id, date), now_s, each, arg);
}

enum err outbox_owner_knows(struct db *db, const struct outbox_row *o, bool *known)
{
	char first[64], last[64], over[CLOCK_ISO_SIZE];
	const char *minute = strrchr(o->key, ':');
	int64_t n = 0, found = 0;
	enum err e = ERR_OK;

	*known = false;
	if (!minute || !text_int(minute + 1, 0, INT64_MAX / 60, &n))
		return ERR_OK;
	snprintf(first, sizeof first, "new:%lld:%lld", (long long)o->restaurant_id, (long long)(n - 24 * 60));
	snprintf(last, sizeof last, "new:%lld;", (long long)o->restaurant_id); /* ; comes after : */
	clock_iso((n + 1) * 60, over);
	e = stmt_number(db, SQL_OWNER_TOLD, &found, "ttt", first, last, over);
	*known = found != 0;
	return e;
}

enum err outbox_digest_before(struct db *db, int64_t restaurant_id, const char *key, int64_t *last)
{
	char first[64];

	snprintf(first, sizeof first, "digest:%lld:", (long long)restaurant_id);
	*last = -1;
	return stmt_number(db, SQL_DIGEST_LAST, last, "tt", first, key);
}

enum err outbox_list(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_OUTBOX_LIST, "i", restaurant_id), each, arg);
}

enum err outbox_of(struct db *db, int64_t reservation_id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_OUTBOX_OF, "i", reservation_id), each, arg);
}

enum err outbox_failed(struct db *db, int64_t restaurant_id, int64_t now_s, int64_t *count)
{
	char since[CLOCK_ISO_SIZE], now[CLOCK_ISO_SIZE];

	clock_iso(now_s - GIVEN_UP_DAYS * INT64_C(86400), since);
	clock_iso(now_s, now);
	*count = 0;
	return stmt_number(db, SQL_OUTBOX_FAILED, count, "itt", restaurant_id, since, now);
}

enum err outbox_stuck(struct db *db, int64_t restaurant_id, int64_t *count, char answer[204])
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_OUTBOX_STUCK, "i", restaurant_id);
	enum err e;

	*count = 0;
	answer[0] = '\0';
	while (stmt_row(db, s, &e))
		stmt_take(s, "it", count, answer, (size_t)204);
	return e;
}

/* ---- how mail leaves the box ---- */

enum err outbox_get_mail(struct db *db, struct outbox_mail *out)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_MAIL_GET, "");
	enum err e;

	*out = (struct outbox_mail){.way = "OFF", .security = "STARTTLS", .port = 587};
	while (stmt_row(db, s, &e))
		stmt_take(s, "ttnttttt", out->way, sizeof out->way, out->host, sizeof out->host, &out->port, out->security,
			  sizeof out->security, out->login, sizeof out->login, out->password, sizeof out->password, out->sender,
			  sizeof out->sender, out->site, sizeof out->site);
	return e;
}

enum err outbox_set_mail(struct db *db, const struct outbox_mail *m, const char *actor, int64_t now_s)
{
	char now[CLOCK_ISO_SIZE];
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	clock_iso(now_s, now);
	e = stmt_run(db, SQL_WRITING_BEGIN, "t", actor);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_MAIL_SET, "ttitttttt", m->way, m->host, (int64_t)m->port, m->security, m->login,
			     m->password, m->sender, m->site, now);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_END, "");
	return db_end(db, e);
}
