/*
 * dispatch.c - what the courier asks the book: what goes next, whether there is room for it, and what it is about.
 */
#include "dispatch.h"

#include "timeset.h"

#include <stdio.h>
#include <string.h>

enum {
	NIGHT_S = 90000, /* longer than any quiet hours: a first try waits for nothing else */
	HOUR_S = 3600,
	DAY_S = 86400,
};

/*
 * How many messages there are at most: about one reservation in an hour, to one recipient in an hour and in a day.  An address that
 * a guest has only typed may be a stranger's.  Offers have a little room of their own after that.  A cancellation goes to its
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

static enum err take_row(struct db *db, struct sqlite3_stmt *s, struct dispatch_row *o, bool *found)
{
	const char *channel, *event;
	enum err e;

	*found = false;
	while (stmt_row(db, s, &e)) {
		*found = true;
		*o = (struct dispatch_row){0};
		stmt_take(s, "iiwwitiiinmti", &o->id, &o->restaurant_id, &channel, &event, &o->reservation_id, o->planned_for,
			  sizeof o->planned_for, &o->first_reservation, &o->last_reservation, &o->proof_id, &o->attempts,
			  &o->created_s, o->key, sizeof o->key, &o->door_id);
		o->by_mail = strcmp(channel, "MAIL") == 0;
		o->event = outbox_event(event);
	}
	return e;
}

enum err dispatch_next(struct db *db, bool by_mail, enum dispatch_urgency urgency, int64_t after_restaurant, int64_t now_s,
		       struct dispatch_row *out, bool *found)
{
	return take_row(
		db,
		stmt_use(db, SQL_DISPATCH_NEXT, "timi", by_mail ? "MAIL" : "SMS", (int64_t)urgency, now_s, after_restaurant),
		out, found);
}

enum err dispatch_ahead(struct db *db, enum dispatch_urgency urgency, int64_t now_s, struct dispatch_row *out, bool *found)
{
	return take_row(db,
			stmt_use(db, SQL_DISPATCH_AHEAD, "immmm", (int64_t)urgency, now_s, now_s + TIMESET_SLACK_S,
				 now_s + DISPATCH_LONGEST_S * INT64_C(2), now_s + NIGHT_S),
			out, found);
}

/* Is there room for one more?  Else when the oldest of them is a span ago.  Of a clock that ran ahead none counts. */
static enum err find_room(struct db *db, struct sqlite3_stmt *s, int most, int64_t span_s, int64_t *until_s)
{
	int64_t oldest = 0, count = 0;
	enum err e = stmt_get(db, s, ERR_OK, "im", &count, &oldest);

	if (e == ERR_OK && count >= most && oldest + span_s > *until_s)
		*until_s = oldest + span_s;
	return e;
}

enum err dispatch_room(struct db *db, const struct dispatch_row *o, int64_t recipient, bool few, int64_t now_s,
		       int64_t *until_s)
{
	bool owner = !o->reservation_id && !o->door_id, off = o->event == OUTBOX_CANCELLED || o->event == OUTBOX_REFUSED;
	int more = off || o->event == OUTBOX_OFFER ? MORE : 0, about = ABOUT_HOUR + more;
	int an_hour = (owner ? OWNER_HOUR : few ? TYPED_HOUR : PROVEN_HOUR) + more;
	int a_day = (owner ? OWNER_DAY : few ? TYPED_DAY : PROVEN_DAY) + more;
	char hour[CLOCK_ISO_SIZE];
	enum err e = ERR_OK;

	clock_iso(now_s - HOUR_S, hour);
	*until_s = 0;
	if (!owner)
		e = find_room(db,
			      stmt_use(db, SQL_DISPATCH_SENT_ABOUT, "itmit", o->reservation_id, hour, now_s, (int64_t)about,
				       o->by_mail ? "MAIL" : "SMS"),
			      about, HOUR_S, until_s);
	if (e != ERR_OK || off || o->event == OUTBOX_DAY_SHEET)
		return e;
	e = find_room(db, stmt_use(db, SQL_DISPATCH_SENT_TO, "itmi", recipient, hour, now_s, (int64_t)an_hour), an_hour, HOUR_S,
		      until_s);
	if (e == ERR_OK)
		e = find_room(db, stmt_use(db, SQL_DISPATCH_SENT_TO, "immi", recipient, now_s - DAY_S, now_s, (int64_t)a_day),
			      a_day, DAY_S, until_s);
	return e;
}

enum err dispatch_told(struct db *db, int64_t reservation_id, bool by_mail, char out[OUTBOX_STATE_SIZE])
{
	out[0] = '\0';
	return stmt_get(db, stmt_use(db, SQL_DISPATCH_TOLD, "it", reservation_id, by_mail ? "MAIL" : "SMS"), ERR_OK, "t", out,
			(size_t)OUTBOX_STATE_SIZE);
}

enum err dispatch_forget(struct db *db, int64_t now_s)
{
	return db_sweep(db, SQL_DISPATCH_OLD_RECIPIENTS, SQL_DISPATCH_FORGET, now_s - DAY_S);
}

enum err dispatch_person(struct db *db, int64_t reservation_id, struct dispatch_person *out)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_DISPATCH_PERSON, "i", reservation_id);
	enum err e;

	*out = (struct dispatch_person){.lang = LANG_KO};
	while (stmt_row(db, s, &e)) {
		const char *language;

		stmt_take(s, "ttwbb", out->email, sizeof out->email, out->phone, sizeof out->phone, &language,
			  &out->email_proven, &out->phone_proven);
		out->lang = strcmp(language, "en") == 0 ? LANG_EN : LANG_KO;
	}
	return e;
}

enum err dispatch_superseded(struct db *db, const struct dispatch_row *o, bool *later)
{
	*later = false;
	return stmt_get(db,
			stmt_use(db, SQL_DISPATCH_LATER, "itti", o->reservation_id, outbox_word(o->event),
				 o->by_mail ? "MAIL" : "SMS", o->id),
			ERR_OK, "b", later);
}

enum err dispatch_first_waits(struct db *db, const struct dispatch_row *o, bool *waits)
{
	*waits = false;
	return stmt_get(db, stmt_use(db, SQL_DISPATCH_FIRST_WAITS, "it", o->reservation_id, o->by_mail ? "MAIL" : "SMS"),
			ERR_OK, "b", waits);
}

enum err dispatch_digest(struct db *db, int64_t restaurant_id, int64_t after, int64_t until, int64_t now_s,
			 void (*each)(void *arg, const struct reservation *), void *arg)
{
	return booking_each(db, stmt_use(db, SQL_DIGEST_ROWS, "iii", restaurant_id, after, until), now_s, each, arg);
}

enum err dispatch_sheet(struct db *db, int64_t restaurant_id, const char *date, int64_t now_s,
			void (*each)(void *arg, const struct reservation *), void *arg)
{
	return booking_each(db, stmt_use(db, SQL_SHEET_ROWS, "it", restaurant_id, date), now_s, each, arg);
}

enum err dispatch_owner_knows(struct db *db, const struct dispatch_row *o, bool *known)
{
	char first[64], last[64];
	const char *minute = strrchr(o->key, ':');
	int64_t n = 0, found = 0;
	enum err e = ERR_OK;

	*known = false;
	if (!minute || !text_int(minute + 1, 0, INT64_MAX / 60, &n))
		return ERR_OK;
	snprintf(first, sizeof first, "new:%lld:%lld", (long long)o->restaurant_id, (long long)(n - 24 * 60));
	snprintf(last, sizeof last, "new:%lld;", (long long)o->restaurant_id); /* ; comes after : */
	e = stmt_number(db, SQL_OWNER_TOLD, &found, "ttm", first, last, (n + 1) * 60);
	*known = found != 0;
	return e;
}

enum err dispatch_digest_before(struct db *db, int64_t restaurant_id, const char *key, int64_t *last)
{
	char first[64];

	snprintf(first, sizeof first, "digest:%lld:", (long long)restaurant_id);
	*last = -1;
	return stmt_number(db, SQL_DIGEST_LAST, last, "tt", first, key);
}
