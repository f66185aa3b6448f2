/*
 * waitlist.c - guests who want a slot that is full, and the seats that come free for them.
 */
#include "waitlist.h"

#include "failpoint.h"
#include "moves.h"
#include "outbox.h"
#include "room.h"
#include "slots.h"
#include "users.h"
#include "zone.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
	ASK_MAX = 200,     /* who is looked at in one go; the sweep comes again */
	OFFER_MIN_S = 120, /* nobody answers faster */
	LOOK_EVERY_MS = 10000,
	SHARE = 4, /* of the time that is left until the slot, an offer takes at most this part */
};

/* ---- reading ---- */

static void take_waiter(struct sqlite3_stmt *s, struct waiter *w)
{
	*w = (struct waiter){
		.id = stmt_int(s, 0),
		.restaurant_id = stmt_int(s, 1),
		.party = (int)stmt_int(s, 4),
		.user_id = stmt_int(s, 6),
		.card_id = stmt_int(s, 7),
		.reservation_id = stmt_int(s, 12),
		.rank = (int)stmt_int(s, 15),
	};
	stmt_copy(s, 2, w->date, sizeof w->date);
	stmt_copy(s, 3, w->time, sizeof w->time);
	stmt_copy(s, 5, w->status, sizeof w->status);
	stmt_copy(s, 8, w->guest, sizeof w->guest);
	stmt_copy(s, 9, w->email, sizeof w->email);
	stmt_copy(s, 10, w->phone, sizeof w->phone);
	stmt_copy(s, 11, w->starts_at, sizeof w->starts_at);
	stmt_copy(s, 13, w->offer_expires_at, sizeof w->offer_expires_at);
	stmt_copy(s, 14, w->created_at, sizeof w->created_at);
}

static enum err tell_each(struct db *db, struct sqlite3_stmt *s, waitlist_each *each, void *arg)
{
	struct waiter w;
	enum err e;

	while (stmt_row(db, s, &e)) {
		take_waiter(s, &w);
		each(arg, &w);
	}
	return e;
}

enum err waitlist_get(struct db *db, int64_t id, struct waiter *out)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_WAITER_GET, "i", id);
	enum err e;

	if (!stmt_row(db, s, &e))
		return e == ERR_OK ? ERR_NO_SUCH_WAIT : e;
	take_waiter(s, out);
	stmt_done(s);
	return ERR_OK;
}

enum err waitlist_of_card(struct db *db, int64_t card_id, waitlist_each *each, void *arg)
{
	return tell_each(db, stmt_use(db, SQL_WAITERS_OF_CARD, "i", card_id), each, arg);
}

enum err waitlist_of_user(struct db *db, int64_t user_id, waitlist_each *each, void *arg)
{
	return tell_each(db, stmt_use(db, SQL_WAITERS_OF_USER, "i", user_id), each, arg);
}

enum err waitlist_of_day(struct db *db, int64_t restaurant_id, const char *date, waitlist_each *each, void *arg)
{
	return tell_each(db, stmt_use(db, SQL_WAITERS_AT_DESK, "it", restaurant_id, date), each, arg);
}

/* ---- offering ---- */

/* Somebody who may be asked. */
struct asked {
	int64_t id, user_id, card_id, starts_s;
	int party;
	bool blocked;
	char time[TEXT_TIME_SIZE], name[164], email[256];
};

static bool take_asked(struct sqlite3_stmt *s, struct asked *a)
{
	*a = (struct asked){
		.id = stmt_int(s, 0),
		.party = (int)stmt_int(s, 2),
		.user_id = stmt_int(s, 3),
		.card_id = stmt_int(s, 4),
		.blocked = stmt_int(s, 8) != 0,
	};
	stmt_copy(s, 1, a->time, sizeof a->time);
	stmt_copy(s, 5, a->name, sizeof a->name);
	stmt_copy(s, 6, a->email, sizeof a->email);
	return clock_parse_iso(stmt_text(s, 7), &a->starts_s);
}

/*
 * How long the seats are kept: shorter near the slot, and at night until the morning and as long again, because nobody
 * is woken for it.
 */
static int64_t offer_seconds(const struct restaurant *r, int64_t now_s, int64_t starts_s)
{
	int64_t whole = r->set.waitlist_offer_minutes * INT64_C(60), left = starts_s - now_s;
	int64_t awake = hours_awake(&r->set, r->zone, now_s), s = left / SHARE < whole ? left / SHARE : whole;

	s = s < OFFER_MIN_S ? OFFER_MIN_S : s;
	if (awake > now_s)
		s += awake - now_s;
	return s < left ? s : left;
}

/* The hold that they are offered, as a booking by the settings of today. */
static void make_offer(const struct restaurant *r, const char *date, const struct asked *a, int64_t now_s,
		       struct ticket_book *b)
{
	struct date today = {0};
	int minute;

	*b = (struct ticket_book){
		.restaurant_id = r->id,
		.user_id = a->user_id,
		.card_id = a->card_id,
		.party = a->party,
		.capacity = r->set.reservation_limit,
		.hold_s = (int32_t)offer_seconds(r, now_s, a->starts_s),
		.starts_s = a->starts_s,
		.sitting_minutes = room_sitting(&r->set, a->party),
		.seats = room_seats(&r->set),
		.type = TICKET_DEPOSIT,
		.deposit = money_deposit(&r->set, a->party),
		.pass_waiters = 1,
	};
	snprintf(b->date, sizeof b->date, "%s", date);
	memcpy(b->time, a->time, sizeof b->time);
	memcpy(b->currency, r->currency, sizeof b->currency);
	memcpy(b->guest.email, a->email, sizeof b->guest.email);
	money_freeze(&r->set, b->policy);
	zone_to_local(r->zone, now_s, &today, &minute);
	snprintf(b->today, sizeof b->today, "%04u%02u%02u", (unsigned)today.year % 10000, (unsigned)today.month % 100,
		 (unsigned)today.day % 100);
}

/* The hold is written: whoever was asked is told. */
static enum err write_offer(struct txn *t, const struct asked *a, const struct ticket_book *b, const struct ticket_outcome *out,
			    const char *actor, int64_t awake_s)
{
	char until[CLOCK_ISO_SIZE];
	enum err e;

	clock_iso(out->hold_until_s, until);
	e = stmt_run(t->db, SQL_WAIT_OFFER, "iittt", a->id, out->id, until, actor, t->now);
	if (e == ERR_OK)
		e = outbox_tell(t, OUTBOX_OFFER, b->restaurant_id, out->id, awake_s - t->now_s);
	t->slot.restaurant_id = 0; /* one less waits for it */
	return e;
}

/* The hold and its entry, both or neither: what one waiter's rows break must not stop everybody else. */
static enum err hold_for(struct txn *t, const struct asked *a, const struct ticket_book *b, const struct booking_person *p,
			 struct room_stay *stay, const char *actor, int64_t awake_s, bool *fits)
{
	struct ticket_outcome out = {0};
	enum err e = txn_mark(t);

	if (e != ERR_OK)
		return e;
	e = booking_offer(t, b, p, stay, &out);
	if (e == ERR_OK && out.err == ERR_OK)
		e = write_offer(t, a, b, &out, actor, awake_s);
	FAILPOINT("waitlist.offered");
	*fits = e == ERR_OK && out.err == ERR_OK;
	if (*fits)
		return txn_keep(t);
	return e == ERR_OK || txn_refuses_one(e) ? txn_undo(t) : e;
}

/*
 * Tries to give somebody their seats; *fits says whether there was room.  Whoever has booked the slot by other means, or
 * may not come here, waits no longer.
 */
static enum err offer(struct txn *t, const struct restaurant *r, const char *date, const struct asked *a, const char *actor,
		      bool *fits)
{
	struct booking_person p = {.user_id = a->user_id, .card_id = a->card_id};
	struct ticket_outcome out = {0};
	struct room_stay stay = {0};
	struct ticket_book b;
	enum err e;

	*fits = true;
	make_offer(r, date, a, t->now_s, &b);
	memcpy(p.name, a->name, sizeof p.name);
	e = slots_learn(t, b.restaurant_id, b.date, b.time, b.capacity);
	if (e == ERR_OK)
		e = booking_find_own(t->db, &p, t->slot.id, t->now_s, &out);
	if (e == ERR_OK && (out.err != ERR_OK || a->blocked))
		return stmt_run(t->db, SQL_WAIT_SET, "ittt", a->id, "LEFT", actor, t->now);
	if (e == ERR_OK)
		e = booking_find_place(t, &b, &stay, &out);
	*fits = e == ERR_OK && out.err == ERR_OK;
	return *fits ? hold_for(t, a, &b, &p, &stay, actor, hours_awake(&r->set, r->zone, t->now_s), fits) : e;
}

/* The times for which somebody waits whom nothing fits: those behind them wait too. */
struct held_back {
	char times[ASK_MAX][TEXT_TIME_SIZE];
	int count;
};

static bool is_held_back(const struct held_back *h, const char *time)
{
	for (int i = 0; i < h->count; i++)
		if (strcmp(h->times[i], time) == 0)
			return true;
	return false;
}

static enum err ask_all(struct txn *t, const struct restaurant *r, const char *date, const struct asked *list, int count)
{
	struct held_back back = {.count = 0};
	enum err e = ERR_OK;
	bool fits;

	for (int i = 0; i < count && e == ERR_OK; i++) {
		if (is_held_back(&back, list[i].time))
			continue;
		e = offer(t, r, date, &list[i], "waitlist", &fits);
		if (e == ERR_OK && !fits && !r->set.waitlist_skip)
			memcpy(back.times[back.count++], list[i].time, TEXT_TIME_SIZE);
	}
	return e;
}

static enum err promote(struct txn *t, int64_t restaurant_id, const char *date)
{
	static struct asked list[ASK_MAX]; /* static for its size only */
	char soon[CLOCK_ISO_SIZE];
	struct sqlite3_stmt *s;
	struct restaurant r;
	int count = 0;
	enum err e;

	clock_iso(t->now_s + WAITLIST_CLOSE_S, soon);
	s = stmt_use(t->db, SQL_WAITERS_TO_ASK, "itti", restaurant_id, date, soon, (int64_t)ASK_MAX);
	while (stmt_row(t->db, s, &e))
		if (count < ASK_MAX && take_asked(s, &list[count]))
			count++;
	if (e != ERR_OK || !count || WITHOUT("promote"))
		return e;
	txn_forget(t); /* seats and tables are free that it may remember as taken */
	e = restaurants_get(t->db, restaurant_id, &r);
	if (e == ERR_OK && r.paused_until_s <= t->now_s)
		e = ask_all(t, &r, date, list, count);
	return e;
}

static enum err promote_everywhere(struct txn *t)
{
	struct txn_day days[200];
	struct sqlite3_stmt *s;
	char from[CLOCK_ISO_SIZE];
	int n = 0;
	enum err e;

	clock_iso(t->now_s - 86400, from);
	from[TEXT_DATE_SIZE - 1] = '\0';
	s = stmt_use(t->db, SQL_WAITED_DAYS, "t", from);
	while (stmt_row(t->db, s, &e))
		if (n < (int)(sizeof days / sizeof days[0])) {
			days[n].restaurant_id = stmt_int(s, 0);
			stmt_copy(s, 1, days[n++].date, sizeof days[0].date);
		}
	for (int i = 0; i < n && e == ERR_OK; i++)
		e = promote(t, days[i].restaurant_id, days[i].date);
	return e;
}

enum err waitlist_serve(struct txn *t)
{
	enum err e = ERR_OK;

	if (t->opened_more)
		e = promote_everywhere(t);
	else
		for (int i = 0; i < t->opened_count && e == ERR_OK; i++)
			e = promote(t, t->opened[i].restaurant_id, t->opened[i].date);
	t->opened_count = 0;
	t->opened_more = false;
	return e;
}

/* ---- joining and leaving ---- */

/* What keeps somebody from waiting for this slot; out->id: they are on the list already. */
static enum err may_join(struct txn *t, const struct ticket_book *b, const struct booking_person *p, struct ticket_outcome *out)
{
	struct ticket_outcome room = {0};
	struct room_stay stay = {0};
	int64_t waits = 0, there = 0;
	struct sqlite3_stmt *s;
	enum err e = slots_learn(t, b->restaurant_id, b->date, b->time, b->capacity);

	if (e == ERR_OK)
		e = booking_find_own(t->db, p, t->slot.id, t->now_s, out);
	if (e != ERR_OK || out->err != ERR_OK)
		return e;
	s = stmt_use(t->db, SQL_WAIT_OF_PERSON, "iitt", p->user_id, b->restaurant_id, b->date, b->time);
	while (stmt_row(t->db, s, &e)) {
		bool same = !p->card_id || stmt_int(s, 1) == p->card_id;

		out->id = same ? stmt_int(s, 0) : 0;
		out->err = same ? ERR_OK : ERR_ALREADY_WAITING;
	}
	if (e != ERR_OK || out->err != ERR_OK || out->id)
		return e;
	e = booking_find_place(t, b, &stay, &room);
	if (e == ERR_OK && room.err == ERR_OK)
		out->err = ERR_HAS_ROOM;
	if (e == ERR_OK && out->err == ERR_OK)
		e = stmt_number(t->db, SQL_WAITS_OF_PERSON, &waits, "it", p->user_id, t->now);
	if (e == ERR_OK && out->err == ERR_OK)
		e = stmt_number(t->db, SQL_WAITS_OF_SLOT, &there, "itt", b->restaurant_id, b->date, b->time);
	if (e == ERR_OK && out->err == ERR_OK && waits >= b->waits_max && !b->staff_id)
		out->err = ERR_TOO_MANY_WAITS;
	if (e == ERR_OK && out->err == ERR_OK && there >= WAITLIST_SLOT_MAX)
		out->err = ERR_WAITLIST_FULL;
	return e;
}

static enum err add(struct txn *t, const struct ticket_book *b, const struct booking_person *p, uint64_t number,
		    struct ticket_outcome *out)
{
	int64_t user = p->user_id;
	char starts[CLOCK_ISO_SIZE], actor[32];
	enum err e = user ? ERR_OK : users_add_guest(t, &b->guest, -b->user_id, &user);

	clock_iso(b->starts_s, starts);
	snprintf(actor, sizeof actor, "user:%lld", (long long)(b->staff_id ? b->staff_id : user));
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_WAIT_ADD, "ittiitttiitt", b->restaurant_id, b->date, b->time, user, (int64_t)b->party,
			     starts, p->name, b->guest.email, b->staff_id ? (int64_t)0 : p->card_id, (int64_t)number, actor,
			     t->now);
	if (e == ERR_OK)
		out->id = stmt_last_id(t->db);
	return e;
}

static enum err join(struct txn *t, const struct ticket_book *b, uint64_t number, struct ticket_outcome *out)
{
	struct booking_person p;
	enum err e = booking_find_person(t->db, b, &p, out);

	/* Whoever waits keeps others back: where guests prove who they are, nobody made up does. */
	if (e == ERR_OK && out->err == ERR_OK && b->prove_s && !p.proven)
		out->err = ERR_PROVE_FIRST;
	if (e == ERR_OK && out->err == ERR_OK)
		e = may_join(t, b, &p, out);
	if (e != ERR_OK || out->err != ERR_OK || out->id)
		return e;
	e = add(t, b, &p, number, out);
	t->slot.restaurant_id = 0; /* somebody waits for it now */
	txn_touch_day(t, b->restaurant_id, b->date);
	return e;
}

/* Seats that were offered are given back with the place on the list. */
static enum err leave(struct txn *t, const struct ticket_waiter *q, const struct waiter *w, uint64_t number)
{
	struct ticket_move m = {.reservation_id = w->reservation_id, .kind = MOVE_CANCEL, .by = q->by};
	struct reservation v;
	enum err e;

	if (strcmp(w->status, "WAITING") == 0)
		return stmt_run(t->db, SQL_WAIT_SET, "ittt", w->id, "LEFT", q->actor, t->now);
	if (strcmp(w->status, "OFFERED") != 0)
		return ERR_BAD_MOVE;
	memcpy(m.actor, q->actor, sizeof m.actor);
	e = booking_get(t->db, w->reservation_id, t->now_s, &v);
	return e == ERR_OK ? moves_apply(t, &m, &v, (int64_t)number) : e;
}

/* By hand, whoever stands before them: staff know why. */
static enum err offer_by_hand(struct txn *t, const struct ticket_waiter *q, const struct waiter *w)
{
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_WAITER_TO_ASK, "i", w->id);
	struct restaurant r;
	struct asked a;
	bool fits = false, known = false;
	enum err e;

	while (stmt_row(t->db, s, &e))
		known = take_asked(s, &a);
	if (e == ERR_OK && (!known || strcmp(w->status, "WAITING") != 0))
		return ERR_BAD_MOVE;
	if (e == ERR_OK && a.starts_s <= t->now_s)
		return ERR_PAST;
	if (e == ERR_OK)
		e = restaurants_get(t->db, w->restaurant_id, &r);
	if (e == ERR_OK)
		e = offer(t, &r, w->date, &a, q->actor, &fits);
	return e == ERR_OK && !fits ? ERR_SLOT_FULL : e;
}

static enum err act(struct txn *t, const struct ticket_waiter *q, uint64_t number, struct ticket_outcome *out)
{
	struct waiter w;
	enum err e = waitlist_get(t->db, q->waitlist_id, &w);

	out->id = q->waitlist_id;
	if (e != ERR_OK)
		return e;
	e = q->act == WAITER_LEAVES ? leave(t, q, &w, number) : offer_by_hand(t, q, &w);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_AUDIT_ADD, "tttitti", t->now, q->actor, "waitlist", w.id, "act",
			     q->act == WAITER_LEAVES ? "left" : "offered by hand", (int64_t)number);
	if (e == ERR_OK) {
		txn_touch_day(t, w.restaurant_id, w.date);
		txn_open_day(t, w.restaurant_id, w.date); /* whoever left may have kept others back */
	}
	txn_forget(t);
	return e;
}

enum err waitlist_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	enum err e = txn_mark(t);

	assert(r->kind == TICKET_WAIT || r->kind == TICKET_WAITER);
	if (e != ERR_OK)
		return e;
	e = r->kind == TICKET_WAIT ? join(t, &r->u.book, number, out) : act(t, &r->u.waiter, number, out);
	if (e == ERR_OK)
		return txn_keep(t);
	if (e != ERR_NO_SUCH_WAIT && e != ERR_PAST && !txn_refuses_one(e))
		return e;
	*out = (struct ticket_outcome){.err = (int32_t)e, .id = out->id};
	return txn_undo(t);
}

/* ---- the keeper's part ---- */

/*
 * Somebody waits, and the book is other than at the last look.  What changes without a write (a pause that ends) is
 * noticed when it is time to look anyway.
 */
static enum err is_worth_it(struct db *db, bool *worth)
{
	static int64_t seen, looked_ms;
	int64_t version = 0, waiting = 0;
	enum err e = stmt_number(db, SQL_DATA_VERSION, &version, "");

	version = version << 32 ^ stmt_total_changes(db);
	*worth = version != seen || clock_mono_ms() - looked_ms > LOOK_EVERY_MS;
	if (e == ERR_OK && *worth)
		e = stmt_number(db, SQL_ANYBODY_WAITS, &waiting, "");
	if (e != ERR_OK || !*worth)
		return e;
	seen = version;
	looked_ms = clock_mono_ms();
	*worth = waiting != 0;
	return ERR_OK;
}

static enum err sweep(struct txn *t, const char *soon, bool over)
{
	enum err e = over ? stmt_run(t->db, SQL_WAITS_CLOSE, "tt", soon, t->now) : ERR_OK;

	if (e == ERR_OK && over)
		txn_touch_all(t);
	return e == ERR_OK ? promote_everywhere(t) : e;
}

enum err waitlist_sweep(struct db *db, int64_t now_s, int *expired)
{
	bool due = false, worth = false;
	char soon[CLOCK_ISO_SIZE];
	int64_t over = 0;
	struct txn t;
	enum err e = txn_is_due(db, now_s, &due);

	*expired = 0;
	clock_iso(now_s + WAITLIST_CLOSE_S, soon);
	if (e == ERR_OK)
		e = is_worth_it(db, &worth);
	if (e == ERR_OK && board_clock_settled(db->hall->board)) /* a clock that was just set closes nothing */
		e = stmt_number(db, SQL_WAITS_OVER, &over, "t", soon);
	if (e != ERR_OK || (!due && !worth && !over))
		return e;
	e = txn_begin(&t, db, now_s);
	if (e != ERR_OK)
		return e;
	e = txn_end(&t, sweep(&t, soon, over != 0));
	*expired = e == ERR_OK ? t.expired : 0;
	return e;
}
