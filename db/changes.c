/*
 * changes.c - a reservation gets another time or another size, and keeps its terms.
 *
 * What costs no more is changed at once.  What costs more waits for its money: a hold takes what is needed beyond what the
 * reservation has, and the reservation stands untouched.  When the money is there, the hold ends and the reservation is
 * changed in the same transaction: the seats that the hold gives back are those that the change asks for.
 */
#include "changes.h"

#include "failpoint.h"
#include "kept.h"
#include "money.h"
#include "moves.h"
#include "outbox.h"
#include "payments.h"
#include "sitters.h"
#include "slots.h"

#include <assert.h>
#include <string.h>

enum {
	HOLDS_LOOK_MAX = 1000, /* reservations to come that are looked at for holds */
	CHANGED_MAX = 150,     /* versions after which it is the house that changes it: each writes rows that stay */
	UNPAID_MAX = 3,        /* times that a reservation may wait for the money of a change, and not get it ... */
	ASKED_MAX = 50,        /* ... and changes that are asked for in those times: each is a row that later ones read */
};

/* A change under way. */
struct changing {
	struct txn *t;
	const struct ticket_change *c;
	const struct reservation *v; /* as it was before */
	int64_t number;              /* of the ticket */
	int64_t deposit;             /* that it has afterwards */
	int64_t guarantee;           /* likewise: the most that a card may be charged instead */
	int deposit_party;           /* how many it is then paid for; 0: as many as there are */
	int refund_cap;              /* below 0: it stays */
	int64_t forfeited;           /* of what is paid, for those who are taken off */
	bool paid;                   /* it was held, and its money is here */
	bool waits;                  /* for its money: the reservation keeps what it has meanwhile */
	bool sits;                   /* the party is at its table */
	struct kept_place given_up;  /* what a guest has asked for before, and gives up for this */
	struct ticket_outcome *out;
};

static bool is_same_slot(const struct changing *w)
{
	return strcmp(w->v->date, w->c->want.date) == 0 && strcmp(w->v->time, w->c->want.time) == 0;
}

/*
 * Are the seats that it has part of what it asks for?  Not so if it waits and is to be somewhere else, or longer: until the
 * money is there it has both.
 */
static bool keeps_its_seats(const struct changing *w)
{
	return !w->waits || (is_same_slot(w) && w->c->want.sitting_minutes == w->v->sitting_minutes);
}

/*
 * Whom the new place is for.  Who asks for no more than they have, or has paid for what they held, is not concerned by what is said
 * about new guests.
 */
static enum room_who who_sits(const struct changing *w, int64_t own)
{
	if (w->c->want.party <= own || w->paid)
		return ROOM_HOLDER;
	if (!w->c->by_staff)
		return ROOM_ONLINE;
	return w->v->walked_in ? ROOM_WALK_IN : ROOM_STAFF;
}

/*
 * Nobody is counted who is there already: it asks for no more people, no longer, and at the same time.  Who was let in beyond
 * the seats stays so as long as it keeps its time.
 */
static enum room_count counts(const struct changing *w)
{
	const struct reservation *v = w->v;
	bool no_more = keeps_its_seats(w) && is_same_slot(w) && w->c->want.party <= v->party;

	if (w->c->overbook[0])
		return ROOM_BEYOND;
	if (!no_more || (w->c->want.sitting_minutes > v->sitting_minutes && !v->overbook[0]))
		return ROOM_COUNTED;
	return v->overbook[0] ? ROOM_BEYOND : ROOM_PEOPLE_ARE;
}

/* Beside whom it sits on purpose, as long as it keeps that table. */
static enum err stay_beside(const struct changing *w, struct room_stay *stay)
{
	struct sqlite3_stmt *s = stmt_use(w->t->db, SQL_TABLES_SHARED, "i", w->v->id);
	struct {
		int64_t id, table;
	} found[SITTERS_MAX];
	int n = 0;
	enum err e;

	while (stmt_row(w->t->db, s, &e))
		if (n < SITTERS_MAX) {
			stmt_take(s, "ii", &found[n].id, &found[n].table);
			n++;
		}
	for (int i = 0; i < n && e == ERR_OK; i++)
		e = slots_sit_beside(w->t, &w->c->want, stay, found[i].id, found[i].table);
	return e;
}

/* At the tables where it sits beside others on purpose it goes on doing so. */
static enum err keep_shared(const struct changing *w, struct room_stay *stay)
{
	struct sqlite3_stmt *s = stmt_use(w->t->db, SQL_OWN_SHARED, "i", w->v->id);
	enum err e;

	while (stmt_row(w->t->db, s, &e)) {
		int64_t table;

		stmt_take(s, "i", &table);
		for (size_t i = 0; i < stay->table_count; i++)
			if (stay->tables[i] == table)
				stay->shared |= (uint8_t)(1u << i);
	}
	return e;
}

/* A party that sits, or sits down now, names tables: who sits at those that it has not yet? */
static enum err join_sitters(const struct changing *w, struct room_stay *stay, enum err *why)
{
	int64_t own[TICKET_TABLES];
	struct room_stay had = {0}, fresh = *stay;
	enum err e = sitters_own(w->t->db, w->v->id, own);

	for (; had.table_count < TICKET_TABLES && own[had.table_count]; had.table_count++)
		had.tables[had.table_count] = own[had.table_count];
	if (w->sits)
		room_take_tables(&fresh, &had);
	if (e == ERR_OK)
		e = sitters_join(w->t, &w->c->want, w->v->id, w->c->share, &fresh, why);
	for (size_t i = 0; i < fresh.table_count; i++)
		for (size_t k = 0; k < stay->table_count; k++)
			if (stay->tables[k] == fresh.tables[i] && fresh.shared >> i & 1)
				stay->shared |= (uint8_t)(1u << k);
	return e;
}

/* The tables that a change of the desk names, or keeps. */
static enum err name_tables(const struct changing *w, struct room_stay *stay, enum err *why)
{
	int64_t own[TICKET_TABLES];
	enum err e = ERR_OK;

	*why = ERR_OK;
	/* Who sits, or was let in beyond the seats, is not moved by a change that says nothing of tables. */
	if (!stay->table_count && (w->c->same_tables || (is_same_slot(w) && (w->sits || stay->counts == ROOM_BEYOND)))) {
		e = sitters_own(w->t->db, w->v->id, own);
		for (; e == ERR_OK && stay->table_count < TICKET_TABLES && own[stay->table_count]; stay->table_count++)
			stay->tables[stay->table_count] = own[stay->table_count];
	}
	if (e != ERR_OK || !stay->table_count || !w->c->by_staff)
		return e;
	e = stay_beside(w, stay);
	if (e == ERR_OK)
		e = keep_shared(w, stay);
	if (e == ERR_OK && (w->sits || w->c->sits_down))
		e = join_sitters(w, stay, why);
	return e;
}

/* Is there room for as many in the slot itself?  out->err says no. */
static enum err check_slot(const struct changing *w, int64_t own, bool past, enum room_who who, bool beyond)
{
	const struct ticket_change *c = w->c;
	int64_t free_seats = 0;
	enum err e = slots_left(w->t, &c->want, who, past ? &(struct txn_kept){0} : &w->t->slot.kept, &free_seats);

	free_seats += own;
	if (e == ERR_OK && c->want.party > free_seats && c->want.party > own && !beyond)
		booking_refuse(w->out, ERR_SLOT_FULL, free_seats);
	return e;
}

/* Where the party will sit; out->err says that it does not fit. */
static enum err find_place(const struct changing *w, struct room_stay *stay)
{
	const struct ticket_change *c = w->c;
	struct txn *t = w->t;
	int64_t own;
	enum room_who who;
	bool past;
	int left;
	enum err why, e = slots_learn(t, &c->want);

	if (e != ERR_OK)
		return e;
	own = t->slot.id == w->v->slot_id && keeps_its_seats(w) ? w->v->party : 0;
	/* Seats kept for the waitlist are not for a guest who wants more than they have. */
	past = c->want.party <= own || c->want.pass_waiters || c->by_staff || WITHOUT("waiters");
	who = who_sits(w, own);
	booking_stay(&c->want, stay);
	stay->counts = counts(w);
	e = check_slot(w, own, past, who, stay->counts == ROOM_BEYOND);
	if (e != ERR_OK || w->out->err != ERR_OK)
		return e;
	stay->id = keeps_its_seats(w) ? w->v->id : 0;
	stay->by_staff = w->v->by_staff;
	e = name_tables(w, stay, &why);
	if (e == ERR_OK && why != ERR_OK)
		booking_refuse(w->out, why, 0);
	if (e != ERR_OK || why != ERR_OK)
		return e;
	e = slots_find_room(t, &c->want, who, past ? KEPT_PAST : KEPT_NEWCOMER, stay, &left, &why);
	if (e == ERR_OK && why != ERR_OK)
		booking_refuse(w->out, why, left < c->want.party ? left : 0);
	return e;
}

/* Why it is beyond the seats from now on: as before while it keeps its time. */
static const char *overbooked(const struct changing *w)
{
	if (w->c->overbook[0])
		return w->c->overbook;
	return is_same_slot(w) ? w->v->overbook : "";
}

/* The rows.  Its tables first: the reservation's own triggers then find them there. */
static enum err write_change(const struct changing *w, const struct room_stay *stay)
{
	const struct ticket_change *c = w->c;
	struct txn *t = w->t;
	enum err e = slots_create(t, c->want.capacity, c->want.starts_s);

	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_TABLES_LEAVE, "i", w->v->id);
	for (size_t i = 0; i < stay->table_count && e == ERR_OK; i++)
		e = stmt_run(t->db, stay->shared >> i & 1 ? SQL_TABLE_TAKE_SHARED : SQL_TABLE_TAKE, "iitm", w->v->id,
			     stay->tables[i], t->slot.starts, stay->ends_s);
	if (e == ERR_OK && c->overbook[0])
		e = stmt_run(t->db, SQL_AUDIT_ADD, "tttitti", t->now, c->actor, "reservation", w->v->id, "overbooked", NULL,
			     (int64_t)0);
	if (e != ERR_OK)
		return e;
	return stmt_run(t->db, SQL_CHANGE, "iiitmiiittiiiiit", w->v->id, t->slot.id, (int64_t)c->want.party, t->slot.starts,
			stay->ends_s, (int64_t)c->want.sitting_minutes, stay->tables[0], w->deposit, c->actor, t->now,
			w->number, (int64_t)w->refund_cap, w->forfeited,
			(int64_t)(!c->by_staff && (!is_same_slot(w) || c->want.party > w->v->party)), (int64_t)w->deposit_party,
			overbooked(w));
}

/* Both days have another look now, and may have seats for those who wait. */
static void tell_days(const struct changing *w)
{
	txn_touch_day(w->t, w->v->restaurant_id, w->v->date);
	txn_touch_day(w->t, w->v->restaurant_id, w->c->want.date);
	txn_open_day(w->t, w->v->restaurant_id, w->v->date);
	txn_open_day(w->t, w->v->restaurant_id, w->c->want.date); /* a smaller party leaves seats there as well */
}

/* A hold waits for money.  With nothing due any more it waits for nothing. */
static bool is_theirs_now(const struct changing *w)
{
	return w->v->status == LIFE_TEMPORARY && w->deposit + w->v->prepay + w->guarantee == 0 && !w->v->offered &&
	       !w->v->unproven;
}

static enum err carry_out(const struct changing *w)
{
	enum outbox_event event = is_theirs_now(w) ? OUTBOX_CONFIRMED : OUTBOX_CHANGED;
	const struct reservation *v = w->v;
	struct room_stay stay = {0};
	enum err e = find_place(w, &stay);

	if (e == ERR_OK && w->out->err != ERR_OK)
		return (enum err)w->out->err;
	if (e == ERR_OK)
		e = write_change(w, &stay);
	if (e == ERR_OK && w->guarantee != v->guarantee)
		e = stmt_run(w->t->db, SQL_GUARANTEE, "ii", v->id, w->guarantee);
	if (e == ERR_OK && is_theirs_now(w))
		e = stmt_run(w->t->db, SQL_MOVE, "itttii", v->id, life_word(LIFE_CONFIRMED), w->c->actor, w->t->now, w->number,
			     (int64_t)-1);
	if (e != ERR_OK)
		return e;
	txn_free_guest(w->t, v->user_id, v->phone_key, v->restaurant_id, v->date, v->time);
	tell_days(w);
	/* Another table is nothing to write home about; and an address that only waits for its code may be somebody else's. */
	if ((is_same_slot(w) && v->party == w->c->want.party) || v->unproven)
		return ERR_OK;
	return outbox_tell(w->t, event, v->restaurant_id, v->id, w->c->by_staff ? MOVES_SECOND_THOUGHT_S : 0);
}

/* ---- a change that waits for its money ---- */

/* The hold ends.  What becomes of its seats is for the caller to say, with kept_end(). */
static enum err end_hold(struct txn *t, int64_t hold_id, const char *actor, int64_t number, struct kept_place *place)
{
	struct reservation hold, v;
	enum err e = booking_get(t->db, hold_id, t->now_s, &hold);

	*place = (struct kept_place){0};
	assert(e != ERR_OK || hold.change_of);
	if (e != ERR_OK || hold.status != LIFE_TEMPORARY)
		return e; /* it is over already */
	e = booking_get(t->db, hold.change_of, t->now_s, &v);
	if (e != ERR_OK)
		return e;
	e = kept_begin(t, hold_id, place);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_CHANGE_WITHDRAWN, "itti", hold_id, actor, t->now, number);
	txn_touch_day(t, hold.restaurant_id, hold.date);
	txn_touch_day(t, v.restaurant_id, v.date); /* it owes nothing any more */
	txn_open_day(t, hold.restaurant_id, hold.date);
	txn_forget(t); /* its seats are free */
	return e;
}

enum err changes_withdraw(struct txn *t, int64_t hold_id, const char *actor, int64_t number)
{
	struct kept_place place;
	enum err e = end_hold(t, hold_id, actor, number, &place);

	return e == ERR_OK ? kept_end(t, &place, false) : e;
}

/* Of the seats that a guest gave up for this, those that the reservation or hold with that id has not are kept for others. */
static enum err keep_the_rest(const struct changing *w, int64_t id)
{
	struct kept_place place = w->given_up;

	place.reservation_id = id;
	return kept_end(w->t, &place, w->c->want.pass_waiters != 0);
}

/* Is this what they have asked for already?  Its hold gets no longer by being asked for again. */
static enum err is_asked(const struct changing *w, bool *same)
{
	struct reservation hold;
	enum err e = booking_get(w->t->db, w->v->change_id, w->t->now_s, &hold);

	*same = e == ERR_OK && hold.status == LIFE_TEMPORARY && hold.change_party == w->c->want.party &&
		strcmp(hold.date, w->c->want.date) == 0 && strcmp(hold.time, w->c->want.time) == 0;
	return e;
}

/* The newest change of it, if it ended without its money, or with money that is due back. */
static enum err find_ended(struct db *db, const struct reservation *v, int64_t now_s, struct reservation *hold)
{
	bool came, due_back;
	int64_t id = 0;
	enum err e = stmt_number(db, SQL_CHANGE_NEWEST, &id, "i", v->id);

	hold->id = 0;
	if (e != ERR_OK || !id)
		return e;
	e = booking_get(db, id, now_s, hold);
	if (e == ERR_OK)
		e = payments_came(db, id, &came, &due_back);
	if (e == ERR_OK && (hold->change_done || (came && !due_back)))
		hold->id = 0;
	return e;
}

enum err changes_find_waiting(struct db *db, int64_t amount, int64_t now_s, struct reservation *v)
{
	struct reservation hold;
	enum err e;

	if (v->change_id)
		return booking_get(db, v->change_id, now_s, v);
	if (v->change_of || (v->status != LIFE_CONFIRMED && v->status != LIFE_PREPAY_CONFIRM))
		return ERR_OK;
	e = find_ended(db, v, now_s, &hold);
	if (e == ERR_OK && hold.id && (!amount || amount == hold.total))
		*v = hold;
	return e;
}

/* The tables that it has already need not be held for it. */
static enum err leave_out_own(const struct changing *w, struct room_stay *stay)
{
	struct sqlite3_stmt *s = stmt_use(w->t->db, SQL_OWN_TABLES, "i", w->v->id);
	enum err e;

	while (stmt_row(w->t->db, s, &e)) {
		int64_t own;
		size_t kept = 0;

		stmt_take(s, "i", &own);
		for (size_t i = 0; i < stay->table_count; i++)
			if (stay->tables[i] != own)
				stay->tables[kept++] = stay->tables[i];
		stay->table_count = kept;
	}
	return e;
}

static enum err check_holds(const struct changing *w)
{
	int64_t holds, upcoming;
	enum err e;

	if (!w->c->terms.holds_max || WITHOUT("limits"))
		return ERR_OK;
	e = booking_standing(w->t->db, w->v->user_id, HOLDS_LOOK_MAX, w->t->now_s, &holds, &upcoming);
	return e == ERR_OK && holds >= w->c->terms.holds_max ? ERR_TOO_MANY_HOLDS : e;
}

/* The row of the hold, with a code of its own that cannot be guessed. */
static enum err insert_hold(const struct changing *w, int64_t id, int64_t party, int64_t table_id, const char *until,
			    const char *ends)
{
	const struct ticket_change *c = w->c;
	struct txn *t = w->t;
	char code[CODE_SIZE];
	enum err e = ERR_CODE_TAKEN;

	for (int i = 0; i <= CODE_DRAWS && e == ERR_CODE_TAKEN; i++) {
		code_make(&t->codes, code);
		e = stmt_run(t->db, SQL_CHANGE_HOLD, "iiiititttitiiiiti", id, t->slot.id, party, w->deposit - w->v->deposit,
			     until, table_id, c->actor, t->now, t->slot.starts, (int64_t)c->want.sitting_minutes, ends,
			     (int64_t)c->want.party, (int64_t)is_same_slot(w), (int64_t)w->refund_cap, w->v->id, code,
			     (int64_t)w->deposit_party);
	}
	return e;
}

/*
 * Until when it waits for its money.  While an earlier one of this reservation would still wait, as long as that: asking anew,
 * or for something else, holds no seats for longer.  After a few that were never paid, or after many, the house is asked
 * instead.
 */
static enum err find_end(const struct changing *w, char until[CLOCK_ISO_SIZE])
{
	char last[CLOCK_ISO_SIZE] = "";
	int64_t unpaid = 0, asked = 0;
	enum err e;

	clock_iso(w->t->now_s + w->c->terms.hold_s, until);
	e = stmt_get(w->t->db, stmt_use(w->t->db, SQL_CHANGES_UNPAID, "ii", w->v->id, (int64_t)ASKED_MAX), ERR_OK, "iti",
		     &unpaid, last, sizeof last, &asked);
	if (e != ERR_OK || WITHOUT("limits"))
		return e;
	if (asked >= ASKED_MAX)
		return ERR_TOO_MANY_CHANGES;
	if (strcmp(last, w->t->now) > 0) {
		if (strcmp(last, until) < 0)
			memcpy(until, last, sizeof last);
	} else if (unpaid >= UNPAID_MAX)
		e = ERR_TOO_MANY_CHANGES;
	return e;
}

static enum err write_hold(const struct changing *w, const struct room_stay *stay)
{
	const struct ticket_change *c = w->c;
	struct txn *t = w->t;
	int64_t first = stay->table_count ? stay->tables[0] : 0, party = c->want.party - (keeps_its_seats(w) ? w->v->party : 0),
		id = 0;
	char ends[CLOCK_ISO_SIZE], until[CLOCK_ISO_SIZE];
	struct room_stay held = *stay;
	enum err e = slots_create(t, c->want.capacity, c->want.starts_s);

	assert(party > 0 && w->deposit > w->v->deposit && c->terms.hold_s > 0);
	clock_iso(stay->ends_s, ends);
	if (e == ERR_OK)
		e = find_end(w, until);
	if (e == ERR_OK)
		e = stmt_number(t->db, SQL_NEXT_ID, &id, "");
	if (e == ERR_OK)
		e = insert_hold(w, id, party, first, until, ends);
	for (size_t i = 1; i < stay->table_count && e == ERR_OK; i++)
		e = stmt_run(t->db, SQL_TABLE_TAKE, "iitt", id, stay->tables[i], t->slot.starts, ends);
	if (e == ERR_OK && w->given_up.known)
		return keep_the_rest(w, id);
	held.party = (int)party;
	return e == ERR_OK && t->slot.keeps ? kept_use(t, c->want.restaurant_id, c->want.date, &held,
						       c->want.pass_waiters || c->by_staff ? KEPT_PAST : KEPT_NEWCOMER) :
					      e;
}

static enum err ask(struct changing *w)
{
	struct room_stay stay = {0};
	enum err e = check_holds(w);

	w->waits = true;
	if (e == ERR_OK)
		e = find_place(w, &stay);
	if (e == ERR_OK && w->out->err != ERR_OK)
		return (enum err)w->out->err;
	if (e == ERR_OK && keeps_its_seats(w))
		e = leave_out_own(w, &stay);
	if (e == ERR_OK)
		e = write_hold(w, &stay);
	if (e == ERR_OK)
		e = stmt_run(w->t->db, SQL_CHANGE_ASKED, "ittti", w->v->id, w->t->now, w->c->actor,
			     "a change waits for its payment", w->number);
	if (e == ERR_OK)
		e = stmt_run(w->t->db, SQL_CHANGE_RAISE, "itt", w->v->id, w->c->actor, w->t->now);
	tell_days(w);
	return e;
}

/* Prices of today are in the currency of the house; an imported reservation may have another. */
static bool has_its_currency(const struct restaurant *r, const struct reservation *v)
{
	return strcmp(r->currency, v->currency) == 0;
}

/* What was asked for, as a change: with the house as it is now. */
static enum err find_asked(struct txn *t, const struct reservation *hold, const char *actor, struct ticket_change *c)
{
	struct restaurant r;
	struct settings set;
	int64_t starts_s = 0;
	enum err e = restaurants_get(t->db, hold->restaurant_id, &r);

	if (e == ERR_OK)
		e = restaurants_at(t->db, &r, hold->date, hold->time, &set);
	if (e != ERR_OK)
		return e;
	if (!clock_parse_iso(hold->starts_at, &starts_s))
		return ERR_INTERNAL;
	*c = (struct ticket_change){
		.reservation_id = hold->change_of,
		.want = ticket_want(&set, restaurants_seats(&r), r.id, hold->date, hold->time, starts_s, hold->change_party),
	};
	c->want.sitting_minutes = hold->sitting_minutes;
	c->want.pass_waiters = hold->status == LIFE_TEMPORARY; /* they have held it */
	strncpy(c->actor, actor, sizeof c->actor - 1);
	return ERR_OK;
}

/* The rows of a hold that waits again: its tables first, as in write_change(). */
static enum err write_back(const struct changing *w, const struct reservation *hold, const struct room_stay *stay)
{
	struct txn *t = w->t;
	struct room_stay held = *stay;
	enum err e = ERR_OK;

	held.party = hold->party;
	for (size_t i = 0; i < stay->table_count && e == ERR_OK; i++)
		e = stmt_run(t->db, SQL_TABLE_TAKE, "iitt", hold->id, stay->tables[i], hold->starts_at, hold->ends_at);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_CHANGE_BACK, "ittii", hold->id, w->c->actor, t->now, w->number,
			     stay->table_count ? stay->tables[0] : (int64_t)0);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_CHANGE_RAISE, "itt", w->v->id, w->c->actor, t->now);
	if (e == ERR_OK && t->slot.keeps)
		e = kept_use(t, hold->restaurant_id, hold->date, &held, KEPT_PAST);
	txn_forget(t); /* its seats are taken again */
	tell_days(w);
	return e;
}

enum err changes_bring_back(struct txn *t, int64_t hold_id, const char *actor, int64_t number, bool *back)
{
	struct ticket_outcome out = {0};
	struct room_stay stay = {0};
	struct reservation hold, v;
	struct ticket_change c;
	struct changing w = {.t = t, .c = &c, .v = &v, .number = number, .waits = true, .paid = true, .out = &out};
	enum err e = booking_get(t->db, hold_id, t->now_s, &hold);

	*back = false;
	assert(e != ERR_OK || hold.change_of);
	if (e == ERR_OK)
		e = booking_get(t->db, hold.change_of, t->now_s, &v);
	if (e != ERR_OK || hold.status != LIFE_EXPIRED || hold.change_done || strcmp(hold.hold_expires_at, t->now) <= 0 ||
	    (v.status != LIFE_CONFIRMED && v.status != LIFE_PREPAY_CONFIRM) || v.change_id)
		return e;
	e = find_asked(t, &hold, actor, &c);
	c.want.pass_waiters = 1; /* they have held it, and it is staff who say so */
	if (e == ERR_OK)
		e = find_place(&w, &stay);
	if (e != ERR_OK || out.err != ERR_OK)
		return e;
	if (keeps_its_seats(&w))
		e = leave_out_own(&w, &stay);
	*back = e == ERR_OK;
	return e == ERR_OK ? write_back(&w, &hold, &stay) : e;
}

/*
 * May the money still change it?  What was held while it was theirs, they get; but no guest is moved to another time by money
 * that comes after the meal has begun.  Once the hold is over, the reservation must be as it was when the change was asked
 * for (its version was raised once since, when the hold ended), and what came before is due back already.
 */
static bool may_still(const struct reservation *v, const struct reservation *hold, bool came, int64_t now_s)
{
	bool held = hold->status == LIFE_TEMPORARY;

	if (v->status != LIFE_CONFIRMED && v->status != LIFE_PREPAY_CONFIRM)
		return false;
	if (booking_has_begun(v, now_s) && !(held && hold->slot_id == v->slot_id))
		return false;
	return held || (v->version <= hold->change_version + 1 && !came);
}

/* How many it is paid for once the money is here.  A hold that an earlier version made does not say it. */
static int paid_for(const struct reservation *v, const struct reservation *hold, int party)
{
	if (hold->slot_id != v->slot_id || hold->deposit_party > hold->party)
		return hold->deposit_party;
	return v->deposit_party > v->party ? party : v->deposit_party + party - v->party;
}

enum err changes_paid(struct txn *t, const struct reservation *hold, bool again, int64_t payment, const char *actor,
		      int64_t number)
{
	struct ticket_outcome out = {0};
	struct ticket_change c;
	struct reservation v;
	struct changing w = {.t = t, .c = &c, .v = &v, .number = number, .paid = true, .out = &out};
	struct kept_place place;
	bool came = false;
	enum err e;

	assert(hold->change_of);
	if (hold->change_done)
		return payment ? ERR_BAD_MOVE : ERR_OK; /* said twice: it is so; other money is not for it */
	e = find_asked(t, hold, actor, &c);
	if (e == ERR_OK)
		e = booking_get(t->db, hold->change_of, t->now_s, &v);
	if (e == ERR_OK)
		e = payments_came_before(t->db, hold->id, payment, &came);
	if (e != ERR_OK)
		return e;
	if (!may_still(&v, hold, came, t->now_s))
		return ERR_BAD_MOVE;
	w.refund_cap = payments_percent(t->db, &v, t->now_s); /* waiting with the money does not keep the terms */
	if (w.refund_cap > hold->refund_cap)
		w.refund_cap = hold->refund_cap;
	w.deposit = v.deposit + hold->total;
	w.guarantee = v.guarantee;
	w.deposit_party = paid_for(&v, hold, c.want.party);
	e = stmt_run(t->db, SQL_CHANGE_DONE, "itti", hold->id, actor, t->now, number);
	txn_forget(t); /* the seats that it held are those that are asked for now */
	if (e == ERR_OK)
		e = kept_begin(t, v.id, &place);
	if (e == ERR_OK)
		e = carry_out(&w);
	if (e == ERR_OK)
		e = kept_end(t, &place, true);
	if (e == ERR_OK && payment)
		return payments_adopt(t, &v, payment, actor);
	return e == ERR_OK ? payments_of_change(t, &v, hold, again, actor) : e;
}

/* ---- a change that is asked for ---- */

/* It asks for nothing that it has not: what is kept does not concern it, but the tables that it gets instead. */
static bool is_no_larger(const struct ticket_change *c, const struct reservation *v)
{
	return strcmp(v->date, c->want.date) == 0 && strcmp(v->time, c->want.time) == 0 && c->want.party <= v->party;
}

/*
 * What a guest's change does to the money of a reservation that is paid.  The percentage of now is the most that a later
 * cancellation gives back, and what those who are taken off give back now.
 */
static enum err set_terms(struct changing *w)
{
	const struct reservation *v = w->v;
	struct money_share share = {v->deposit, v->deposit_party};
	struct payments_due due;
	struct restaurant r;
	struct settings was, set;
	int64_t dropped, back, theirs;
	enum err e = restaurants_get(w->t->db, v->restaurant_id, &r);

	if (e == ERR_OK)
		e = restaurants_at(w->t->db, &r, v->date, v->time, &was);
	if (e == ERR_OK)
		e = restaurants_at(w->t->db, &r, w->c->want.date, w->c->want.time, &set);
	if (e == ERR_OK)
		e = payments_if_cancelled(w->t->db, v, true, w->t->now_s, &due);
	if (e != ERR_OK)
		return e;
	w->refund_cap = payments_percent(w->t->db, v, w->t->now_s);
	share = money_changed(&was, &set, w->c->terms.no_shows, v->prepay, share, v->party, w->c->want.party);
	w->deposit = share.amount;
	w->deposit_party = share.people;
	if (w->deposit > v->deposit && !has_its_currency(&r, v))
		return ERR_BAD_MOVE;
	if (w->deposit >= v->deposit)
		return ERR_OK;
	theirs = due.paid > v->forfeited ? due.paid - v->forfeited : 0;
	dropped = v->deposit - w->deposit < theirs ? v->deposit - w->deposit : theirs;
	back = money_refund(dropped, w->refund_cap);
	w->forfeited = dropped - back;
	return payments_set_due_back(w->t, v->id, back, w->c->actor);
}

/* What is not paid yet costs what a booking of today does; so does a card that nobody has left yet. */
static enum err set_price(struct changing *w)
{
	struct restaurant r;
	enum err e = restaurants_get(w->t->db, w->v->restaurant_id, &r);

	if (e != ERR_OK || !has_its_currency(&r, w->v))
		return e;
	w->deposit = w->c->terms.deposit;
	if (!w->c->by_staff && strcmp(w->v->type, booking_type_word(TICKET_DEPOSIT)) == 0)
		w->guarantee = w->c->terms.guarantee;
	return ERR_OK;
}

enum err changes_apply(struct txn *t, const struct ticket_change *c, const struct reservation *v, int64_t number,
		       struct ticket_outcome *out)
{
	bool paid = v->status == LIFE_CONFIRMED || v->status == LIFE_PREPAY_CONFIRM, asked = false;
	struct changing w = {.t = t,
			     .c = c,
			     .v = v,
			     .number = number,
			     .deposit = v->deposit,
			     .guarantee = v->guarantee,
			     .refund_cap = -1,
			     .out = out};
	enum err e = ERR_OK;

	w.sits = strcmp(v->visit_status, "SEATED") == 0;

	if ((v->status != LIFE_TEMPORARY && !paid) || v->change_of)
		return ERR_BAD_MOVE;
	if (!c->by_staff && (booking_sits(v) || booking_has_begun(v, t->now_s)))
		return ERR_BEGUN;
	if (!c->by_staff && v->version > CHANGED_MAX && !WITHOUT("changed-often"))
		return ERR_TOO_MANY_CHANGES;
	if (!c->by_staff && v->status == LIFE_TEMPORARY && v->from_waitlist)
		return ERR_BAD_MOVE; /* these seats were kept for this wish, and for longer than others are held */
	if (paid && !c->by_staff && v->guarantee && c->want.party > v->party)
		return ERR_CARD_FOR_FEWER;
	/* What a card is asked of, a change cannot become that has none, unless as much was paid. */
	if (paid && !c->by_staff && !v->guarantee && c->want.party > v->party && c->terms.guarantee > v->total)
		return ERR_CARD_WANTED;
	if (v->change_id && !c->by_staff)
		e = is_asked(&w, &asked);
	if (e != ERR_OK || asked)
		return e;
	if (paid && !c->by_staff && is_same_slot(&w) &&
	    c->want.party == v->party) /* nothing changes, and neither do its terms */
		return v->change_id ? changes_withdraw(t, v->change_id, c->actor, 0) : ERR_OK;
	/* What they ask for now is in its place: a guest may have those seats again, even if others wait. */
	if (v->change_id && !c->by_staff)
		e = end_hold(t, v->change_id, c->actor, 0, &w.given_up);
	else if (v->change_id && (!is_same_slot(&w) || c->want.party != v->party))
		e = changes_withdraw(t, v->change_id, c->actor, 0);
	if (paid)
		w.deposit_party = v->deposit_party; /* more or fewer people who cost nothing have paid nothing */
	if (e == ERR_OK && !paid)
		e = set_price(&w);
	else if (e == ERR_OK && !c->by_staff && !v->guarantee) /* a card was left for them, and stays as it is */
		e = set_terms(&w);
	if (e != ERR_OK)
		return e;
	if (paid && w.deposit > v->deposit)
		return ask(&w);
	e = carry_out(&w);
	return e == ERR_OK ? keep_the_rest(&w, v->id) : e;
}

enum err changes_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	const struct ticket_change *c = &r->u.change;
	struct kept_place place;
	struct reservation v;
	enum err e = booking_get(t->db, c->reservation_id, t->now_s, &v);

	assert(r->kind == TICKET_CHANGE && c->want.party > 0 && c->want.sitting_minutes > 0);
	out->id = c->reservation_id;
	if (e == ERR_NO_SUCH_RESERVATION) {
		out->err = (int32_t)e;
		return ERR_OK;
	}
	if (e == ERR_OK)
		e = txn_mark(t);
	if (e != ERR_OK)
		return e;
	e = kept_begin(t, v.id, &place);
	if (e == ERR_OK)
		e = changes_apply(t, c, &v, (int64_t)number, out);
	if (e == ERR_OK)
		e = kept_end(t, &place, c->want.pass_waiters || c->by_staff || is_no_larger(c, &v));
	txn_forget(t); /* seats and tables may be free or taken now */
	if (!txn_refuses_one(e))
		return e == ERR_OK ? txn_keep(t) : e;
	out->err = (int32_t)e;
	return txn_undo(t);
}
