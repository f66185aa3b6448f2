/*
 * waitlist.c - guests who want a slot that is full: joining the list, leaving it, and what passes by the clock.
 */
#include "waitlist.h"

#include "kept.h"
#include "moves.h"
#include "offers.h"
#include "outbox.h"
#include "slots.h"
#include "users.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { LOOK_EVERY_MS = 10000 };

/* ---- reading ---- */

static void take_waiter(struct sqlite3_stmt *s, struct waiter *w)
{
	*w = (struct waiter){0};
	stmt_take(s, "iittntiittttittnb", &w->id, &w->restaurant_id, w->date, sizeof w->date, w->time, sizeof w->time,
		  &w->party, w->status, sizeof w->status, &w->user_id, &w->card_id, w->guest, sizeof w->guest, w->email,
		  sizeof w->email, w->phone, sizeof w->phone, w->starts_at, sizeof w->starts_at, &w->reservation_id,
		  w->offer_expires_at, sizeof w->offer_expires_at, w->created_at, sizeof w->created_at, &w->rank, &w->removed);
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

/* ---- joining and leaving ---- */

/*
 * Two who let their offers run out and wait again would have the seats between them for ever.  Who said no may wait again, a
 * few times: the seats went on to the next at once, with the deadline that they had.
 */
static enum err check_offered(struct txn *t, const struct ticket_book *b, const struct booking_person *p,
			      struct ticket_outcome *out)
{
	int64_t offered = 0;
	enum err e;

	e = stmt_number(t->db, SQL_WAS_OFFERED, &offered, "iittmi", p->user_id, b->want.restaurant_id, b->want.date,
			b->want.time, t->now_s - WAITLIST_AGAIN_S, (int64_t)WAITLIST_NOES);
	if (e == ERR_OK && offered)
		out->err = ERR_OFFERED_BEFORE;
	return e;
}

/* What keeps a guest from waiting for this slot; out->id: they are on the list already. */
static enum err may_join(struct txn *t, const struct ticket_book *b, const struct booking_person *p, struct ticket_outcome *out)
{
	struct ticket_outcome room = {0};
	struct room_stay stay = {0};
	struct sqlite3_stmt *s;
	enum room_who who = b->who.staff_id ? ROOM_STAFF : ROOM_ONLINE;
	bool could = false, blocked = false;
	enum err e = slots_learn(t, &b->want);

	if (e == ERR_OK)
		e = booking_find_own(t->db, p, t->slot.id, t->now_s, out);
	if (e != ERR_OK || out->err != ERR_OK)
		return e;
	s = stmt_use(t->db, SQL_WAIT_OF_PERSON, "iitt", p->user_id, b->want.restaurant_id, b->want.date, b->want.time);
	while (stmt_row(t->db, s, &e)) {
		int64_t id, card_id;
		bool same;

		stmt_take(s, "ii", &id, &card_id);
		same = !p->card_id || card_id == p->card_id;
		out->id = same ? id : 0;
		out->err = same ? ERR_OK : ERR_ALREADY_WAITING;
	}
	if (e == ERR_OK && out->err == ERR_OK && !out->id && !b->who.staff_id)
		e = check_offered(t, b, p, out);
	if (e != ERR_OK || out->err != ERR_OK || out->id)
		return e;
	e = slots_could_fit(t, &b->want, who, &could);
	if (e == ERR_OK && !could)
		out->err = ERR_NEVER_FITS;
	if (e != ERR_OK || !could)
		return e;
	e = booking_find_place(t, b, &stay, &room);
	if (e == ERR_OK && room.err == ERR_OK)
		out->err = ERR_HAS_ROOM;
	if (e == ERR_OK && room.err != ERR_OK)
		e = slots_is_blocked(t, &b->want, who, &blocked);
	if (blocked) /* no guest is to wait for what the house does not give */
		out->err = ERR_TIME_BLOCKED;
	return e;
}

/* Guests who have proven nothing have a share of each slot's list; a code takes them past it, where one can be sent. */
static enum err check_share(struct txn *t, const struct ticket_book *b, struct ticket_outcome *out)
{
	int64_t unproven = 0;
	bool mail = false, sms = false;
	enum err e = stmt_number(t->db, SQL_UNPROVEN_OF_SLOT, &unproven, "itt", b->want.restaurant_id, b->want.date,
				 b->want.time);

	if (e != ERR_OK || unproven < WAITLIST_UNPROVEN_MAX)
		return e;
	e = outbox_ways(t, b->want.restaurant_id, &mail, &sms);
	out->err = b->who.user_id < 0 && (sms || (mail && b->who.guest.email[0])) ? ERR_PROVE_FIRST : ERR_WAITLIST_FULL;
	return e;
}

/* How many one person, and all together, may wait. */
static enum err check_limits(struct txn *t, const struct ticket_book *b, const struct booking_person *p, bool proven,
			     struct ticket_outcome *out)
{
	int64_t most = proven || b->terms.waits_max < WAITLIST_UNPROVEN_EACH ? b->terms.waits_max : WAITLIST_UNPROVEN_EACH;
	int64_t waits = 0, there = 0;
	enum err e = stmt_number(t->db, SQL_WAITS_OF_PERSON, &waits, "it", p->user_id, t->now);

	if (e == ERR_OK)
		e = stmt_number(t->db, SQL_WAITS_OF_SLOT, &there, "itt", b->want.restaurant_id, b->want.date, b->want.time);
	if (e != ERR_OK)
		return e;
	if (waits >= most && !b->who.staff_id)
		out->err = ERR_TOO_MANY_WAITS;
	else if (there >= WAITLIST_SLOT_MAX)
		out->err = ERR_WAITLIST_FULL;
	else if (!proven)
		return check_share(t, b, out);
	return ERR_OK;
}

static enum err add(struct txn *t, const struct ticket_book *b, const struct booking_person *p, bool proven, uint64_t number,
		    struct ticket_outcome *out)
{
	int64_t user = p->user_id;
	char actor[32];
	enum err e = user ? ERR_OK : users_add_guest(t, &b->who.guest, -b->who.user_id, &user);

	snprintf(actor, sizeof actor, "user:%lld", (long long)(b->who.staff_id ? b->who.staff_id : user));
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_WAIT_ADD, "ittiimttiitti", b->want.restaurant_id, b->want.date, b->want.time, user,
			     (int64_t)b->want.party, b->want.starts_s, p->name, b->who.guest.email,
			     b->who.staff_id ? (int64_t)0 : p->card_id, (int64_t)number, actor, t->now, (int64_t)proven);
	if (e == ERR_OK)
		out->id = stmt_last_id(t->db);
	return e;
}

static enum err join(struct txn *t, const struct ticket_book *b, uint64_t number, struct ticket_outcome *out)
{
	struct booking_person p;
	bool proven;
	enum err e = booking_find_person(t->db, b, &p, out);

	/* Every stranger can make up an account: it is the number or the address that counts, or that staff know them. */
	proven = b->who.staff_id || (b->who.user_id < 0 && p.proven);
	if (e == ERR_OK && out->err == ERR_OK && b->terms.prove_s && !p.proven)
		out->err = ERR_PROVE_FIRST;
	if (e == ERR_OK && out->err == ERR_OK)
		e = may_join(t, b, &p, out);
	if (e == ERR_OK && out->err == ERR_OK && !out->id)
		e = check_limits(t, b, &p, proven, out);
	if (e != ERR_OK || out->err != ERR_OK || out->id)
		return e;
	e = add(t, b, &p, proven, number, out);
	t->waits = 1;
	txn_forget(t); /* what is kept, and from whom, may be other now */
	txn_touch_day(t, b->want.restaurant_id, b->want.date);
	txn_open_day(t, b->want.restaurant_id, b->want.date); /* what newcomers cannot have may be theirs */
	return e;
}

/* Seats that were offered are given back with the place on the list. */
static enum err leave(struct txn *t, const struct ticket_waiter *q, const struct waiter *w, uint64_t number)
{
	struct ticket_move m = {.reservation_id = w->reservation_id, .kind = MOVE_CANCEL, .by = q->by};
	struct kept_place place;
	struct reservation v;
	enum err e;

	if (strcmp(w->status, "WAITING") == 0)
		return stmt_run(t->db, SQL_WAIT_SET, "ittt", w->id, "LEFT", q->actor, t->now);
	if (strcmp(w->status, "OFFERED") != 0)
		return ERR_BAD_MOVE;
	memcpy(m.actor, q->actor, sizeof m.actor);
	e = booking_get(t->db, w->reservation_id, t->now_s, &v);
	if (e == ERR_OK)
		e = kept_begin(t, v.id, &place);
	place.by_house = q->by != BY_GUEST;
	if (e == ERR_OK)
		e = moves_apply(t, &m, &v, (int64_t)number);
	return e == ERR_OK ? kept_end(t, &place, true) : e;
}

/* Everybody who waits for a slot or was offered it leaves; the first of them stands in the audit for the act. */
static enum err clear(struct txn *t, const struct ticket_waiter *q, uint64_t number, struct waiter *first)
{
	static struct waiter list[WAITLIST_SLOT_MAX + WAITLIST_UNPROVEN_MAX]; /* static for its size only */
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_WAITERS_OF_SLOT, "itti", q->restaurant_id, q->date, q->time,
					  (int64_t)sizeof list / sizeof list[0]);
	size_t n = 0;
	enum err e;

	while (stmt_row(t->db, s, &e))
		if (n < sizeof list / sizeof list[0])
			take_waiter(s, &list[n++]);
	for (size_t i = 0; i < n && e == ERR_OK; i++)
		e = leave(t, q, &list[i], number);
	if (n)
		*first = list[0];
	return e == ERR_OK && !n ? ERR_NO_SUCH_WAIT : e;
}

static enum err act(struct txn *t, const struct ticket_waiter *q, uint64_t number, struct ticket_outcome *out)
{
	static const char *const words[] = {
		[WAITER_LEAVES] = "left", [WAITER_IS_OFFERED] = "offered by hand", [WAITER_ALL_LEAVE] = "all of the slot left"};
	struct waiter w;
	enum err e;

	assert(q->act >= WAITER_LEAVES && q->act <= WAITER_ALL_LEAVE);
	e = q->act == WAITER_ALL_LEAVE ? clear(t, q, number, &w) : waitlist_get(t->db, q->waitlist_id, &w);
	out->id = q->waitlist_id;
	if (e == ERR_OK && q->act == WAITER_LEAVES)
		e = leave(t, q, &w, number);
	else if (e == ERR_OK && q->act == WAITER_IS_OFFERED)
		e = offers_by_hand(t, &w, q->actor);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_AUDIT_ADD, "tttitti", t->now, q->actor, "waitlist", w.id, "act", words[q->act],
			     (int64_t)number);
	if (e == ERR_OK) {
		out->id = w.id;
		txn_touch_day(t, w.restaurant_id, w.date);
		txn_open_day(t, w.restaurant_id, w.date); /* the one who left may have kept others back */
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
 * A guest waits, and the book has changed since the last look.  What changes without a write (a pause that ends) is
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

static enum err sweep(struct txn *t, const char *soon, bool over, bool freed)
{
	enum err e = over ? stmt_run(t->db, SQL_WAITS_CLOSE, "tt", soon, t->now) : ERR_OK;

	if (e == ERR_OK && freed)
		e = stmt_run(t->db, SQL_KEPT_CLEAN, "t", t->now);
	if (e == ERR_OK && (over || freed))
		txn_touch_all(t);
	return e == ERR_OK ? offers_everywhere(t) : e;
}

enum err waitlist_sweep(struct db *db, int64_t now_s, int *expired)
{
	bool due = false, worth = false;
	char soon[CLOCK_ISO_SIZE];
	int64_t over = 0, freed = 0;
	struct txn t;
	enum err e = txn_is_due(db, now_s, &due);

	*expired = 0;
	clock_iso(now_s + WAITLIST_CLOSE_S, soon);
	if (e == ERR_OK)
		e = stmt_number(db, SQL_KEPT_OVER, &freed, "m", now_s);
	if (e == ERR_OK)
		e = is_worth_it(db, &worth);
	if (e == ERR_OK && clockwatch_settled(db->hall->clock)) /* a clock that was just set closes nothing */
		e = stmt_number(db, SQL_WAITS_OVER, &over, "t", soon);
	if (e != ERR_OK || (!due && !worth && !over && !freed))
		return e;
	e = txn_begin(&t, db, now_s);
	if (e != ERR_OK)
		return e;
	e = txn_end(&t, sweep(&t, soon, over != 0, freed != 0));
	*expired = e == ERR_OK ? t.expired : 0;
	return e;
}
