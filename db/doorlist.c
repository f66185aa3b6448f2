/*
 * doorlist.c - parties at the door.
 */
#include "doorlist.h"

#include "blocks.h"
#include "failpoint.h"
#include "kept.h"
#include "moves.h"
#include "outbox.h"
#include "room.h"
#include "zone.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
	AHEAD_S = 8 * 3600, /* reservations that begin later are in no party's way */
	LATE_S = 1800,      /* a reservation that is so late no longer keeps its tables */
	SAT_S = 12 * 3600,  /* so long after its time a party is taken for gone */
	OPEN_S = 4 * 3600,  /* outside its hours a house is taken to seat parties for so long */
	SWEEP_MAX = 50,
};

static const char *const words[DOOR__MAX] = {
#define X(name, word) [DOOR_##name] = word,
	TICKET_DOOR_ACTS(X)
#undef X
};

enum ticket_door_act doorlist_act(const char *word)
{
	return (enum ticket_door_act)text_word(words, DOOR__MAX, word);
}

/* ---- reading ---- */

static void take_party(struct sqlite3_stmt *s, struct door_party *p)
{
	bool english;

	*p = (struct door_party){0};
	stmt_take(s, "iitnttibttnnttniitnnt", &p->id, &p->restaurant_id, p->evening, sizeof p->evening, &p->party, p->guest,
		  sizeof p->guest, p->phone, sizeof p->phone, &p->phone_key, &english, p->status, sizeof p->status,
		  p->joined_at, sizeof p->joined_at, &p->quoted_low, &p->quoted_high, p->called_at, sizeof p->called_at,
		  p->ended_at, sizeof p->ended_at, &p->passed, &p->reservation_id, &p->version, p->changed_by,
		  sizeof p->changed_by, &p->place, &p->overtaken, p->message, sizeof p->message);
	p->lang = english ? LANG_EN : LANG_KO;
}

static enum err tell_each(struct db *db, struct sqlite3_stmt *s, doorlist_each *each, void *arg)
{
	struct door_party p;
	enum err e;

	while (stmt_row(db, s, &e)) {
		take_party(s, &p);
		each(arg, &p);
	}
	return e;
}

static void keep_party(void *arg, const struct door_party *p)
{
	*(struct door_party *)arg = *p;
}

enum err doorlist_get(struct db *db, int64_t id, struct door_party *out)
{
	enum err e;

	out->id = 0;
	e = tell_each(db, stmt_use(db, SQL_DOOR_GET, "i", id), keep_party, out);
	return e == ERR_OK && !out->id ? ERR_NO_SUCH_PARTY : e;
}

enum err doorlist_waiting(struct db *db, int64_t restaurant_id, doorlist_each *each, void *arg)
{
	return tell_each(db, stmt_use(db, SQL_DOOR_WAITING, "i", restaurant_id), each, arg);
}

enum err doorlist_ended(struct db *db, int64_t restaurant_id, const char *evening, doorlist_each *each, void *arg)
{
	return tell_each(db, stmt_use(db, SQL_DOOR_ENDED, "iti", restaurant_id, evening, (int64_t)DOORLIST_ENDED), each, arg);
}

enum err doorlist_count(struct db *db, int64_t restaurant_id, int64_t *waiting, int64_t *called)
{
	*waiting = *called = 0;
	return stmt_get(db, stmt_use(db, SQL_DOOR_COUNT, "i", restaurant_id), ERR_OK, "ii", waiting, called);
}

static bool is_waiting(const struct door_party *p)
{
	return p->place > 0;
}

/* ---- how long they wait ---- */

/* The house as doorwait.h asks for it; static for its size only. */
static struct {
	struct room room; /* its plan, and what is blocked */
	struct doorwait_stay stays[DOORWAIT_STAYS_MAX];
	struct doorwait_turn turns[DOORWAIT_TURNS_MAX];
	struct doorwait_party parties[DOORWAIT_PARTIES_MAX];
	struct doorwait_house house;
} look;

/* One row for each table of a stay. */
static void take_stay(struct sqlite3_stmt *s)
{
	struct doorwait_stay *v = look.house.stay_count ? &look.stays[look.house.stay_count - 1] : NULL;
	int64_t id, starts_s, minutes, table;
	bool sits;
	int party;

	stmt_take(s, "ibmini", &id, &sits, &starts_s, &minutes, &party, &table);
	if (!v || v->id != id) {
		if (look.house.stay_count == DOORWAIT_STAYS_MAX)
			return;
		v = &look.stays[look.house.stay_count++];
		*v = (struct doorwait_stay){
			.id = id, .starts_s = starts_s, .ends_s = starts_s + minutes * 60, .party = party, .sits = sits};
	}
	if (table && v->table_count < SEATS_JOIN_MAX)
		v->tables[v->table_count++] = table;
}

static enum err read_stays(struct db *db, int64_t restaurant_id, const char *evening, int64_t now_s)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_DOOR_STAYS, "itmmmm", restaurant_id, evening, now_s, now_s - SAT_S,
					  now_s - LATE_S, now_s + AHEAD_S);
	enum err e;

	look.house.stay_count = 0;
	while (stmt_row(db, s, &e))
		take_stay(s);
	return e;
}

static enum err read_turns(struct db *db, int64_t restaurant_id, const char *evening)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_DOOR_TURNS, "iti", restaurant_id, evening, (int64_t)DOORWAIT_TURNS_MAX);
	size_t n = 0;
	enum err e;

	for (; stmt_row(db, s, &e); n++)
		stmt_take(s, "nn", &look.turns[n].planned_min, &look.turns[n].stayed_min);
	look.house.turn_count = n;
	return e;
}

static void add_party(int64_t id, int party, const struct settings *set)
{
	if (look.house.party_count < DOORWAIT_PARTIES_MAX)
		look.parties[look.house.party_count++] = (struct doorwait_party){id, party, room_sitting(set, party)};
}

static enum err read_parties(struct db *db, int64_t restaurant_id, const struct settings *set)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_DOOR_SIZES, "i", restaurant_id);
	enum err e;

	look.house.party_count = 0;
	while (stmt_row(db, s, &e)) {
		int64_t id;
		int party;

		stmt_take(s, "in", &id, &party);
		add_party(id, party, set);
	}
	return e;
}

/* Tables that are blocked from now on are not for who waits; a whole house that is, seats nobody. */
static enum err read_plan(struct db *db, int64_t restaurant_id, int64_t day, int64_t now_s)
{
	struct seats_plan *plan = &look.room.plan;
	enum err e;

	room_clear(&look.room);
	e = restaurants_plan(db, restaurant_id, plan);
	if (e == ERR_OK)
		e = blocks_look(db, restaurant_id, day, &look.room);
	for (size_t i = 0; e == ERR_OK && i < look.room.block_count; i++) {
		const struct room_block *b = &look.room.blocks[i];

		if (room_concerns(b, ROOM_WALK_IN, now_s, now_s + OPEN_S) && !b->house)
			seats_join(&plan->closed[SEATS_WALK_IN], &b->tables);
	}
	return e;
}

/* Until when parties are seated this evening. */
static enum err read_hours(struct db *db, const struct restaurant *r, struct date evening, int64_t now_s)
{
	struct hours_day hours;
	int64_t at_s;
	enum err e = restaurants_day(db, r->id, evening, &hours);

	look.house.last_s = now_s;
	for (size_t i = 0; e == ERR_OK && i < hours.count; i++) {
		const struct hours_span *span = &hours.spans[i];

		if (zone_to_utc(r->zone, evening, span->has_last ? span->last : span->closes, &at_s) &&
		    at_s > look.house.last_s)
			look.house.last_s = at_s;
	}
	if (look.house.last_s == now_s || look.house.last_s > now_s + AHEAD_S)
		look.house.last_s = now_s + OPEN_S;
	return e;
}

static enum err read_house(struct db *db, const struct restaurant *r, int64_t now_s, struct settings *set)
{
	char day[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	struct date evening;
	int minute;
	enum err e = restaurants_evening(db, r, now_s, &evening, &minute);

	if (e != ERR_OK)
		return e;
	text_put_date(evening, day);
	text_put_time(minute, time);
	e = restaurants_at(db, r, day, time, set);
	if (e == ERR_OK)
		e = read_plan(db, r->id, text_days(evening), now_s);
	if (e == ERR_OK)
		e = read_hours(db, r, evening, now_s);
	if (e == ERR_OK)
		e = read_stays(db, r->id, day, now_s);
	if (e == ERR_OK)
		e = read_turns(db, r->id, day);
	look.house.seats = r->set.seats ? r->set.seats : r->set.reservation_limit; /* as for every walk-in */
	look.house.buffer_s = set->buffer_minutes * 60;
	return e;
}

enum err doorlist_waits(struct db *db, const struct restaurant *r, int64_t now_s, int party, struct doorlist_waits *out)
{
	struct settings set;
	enum err e;

	assert(db->reading);
	look.house = (struct doorwait_house){
		.plan = &look.room.plan, .now_s = now_s, .stays = look.stays, .turns = look.turns, .parties = look.parties};
	e = read_house(db, r, now_s, &set);
	if (e == ERR_OK)
		e = read_parties(db, r->id, &set);
	if (e != ERR_OK)
		return e;
	if (party)
		add_party(INT32_MAX, party, &set);
	doorwait_tell(&look.house, out->waits);
	out->count = look.house.party_count;
	for (size_t i = 0; i < out->count; i++)
		out->ids[i] = look.parties[i].id;
	return ERR_OK;
}

/* ---- joining, being called, leaving ---- */

/* An act under way. */
struct at_door {
	struct txn *t;
	const struct ticket_door *q;
	struct door_party p; /* as it was before */
	uint64_t number;
};

static enum err join(struct at_door *w, struct ticket_outcome *out)
{
	const struct ticket_door *q = w->q;
	struct db *db = w->t->db;
	int64_t waiting = 0, called = 0;
	enum err e = q->key[0] ? stmt_number(db, SQL_DOOR_BY_KEY, &out->id, "it", q->restaurant_id, q->key) : ERR_OK;

	if (e != ERR_OK || out->id)
		return e;
	e = doorlist_count(db, q->restaurant_id, &waiting, &called);
	if (e == ERR_OK && waiting >= DOORLIST_MAX && !WITHOUT("door-bound"))
		return ERR_DOOR_FULL;
	if (e == ERR_OK)
		e = stmt_run(db, SQL_DOOR_ADD, "itittittiitt", q->restaurant_id, q->evening, (int64_t)q->party, q->guest.name,
			     q->guest.phone, q->phone_key, q->guest.lang == LANG_EN ? "en" : "ko", w->t->now, (int64_t)q->low,
			     (int64_t)q->high, q->key, q->actor);
	if (e == ERR_OK)
		out->id = stmt_last_id(db);
	memcpy(w->p.evening, q->evening, sizeof w->p.evening);
	return e;
}

/* They are more than they said, or left a number after all; their place is their own. */
static enum err change(struct at_door *w)
{
	const struct ticket_door *q = w->q;

	static_assert(GUEST_NAME == 1 && GUEST_PHONE == 2, "as DOOR_CHANGE has them");
	return is_waiting(&w->p) ? stmt_run(w->t->db, SQL_DOOR_CHANGE, "ittiitti", w->p.id, q->actor, w->t->now,
					    (int64_t)q->party, (int64_t)q->named, q->guest.name, q->guest.phone, q->phone_key) :
				   ERR_BAD_MOVE;
}

static enum err count_before(struct txn *t, const struct door_party *p, int64_t *before)
{
	*before = 0;
	return WITHOUT("door-order") ? ERR_OK : stmt_number(t->db, SQL_DOOR_BEFORE, before, "ii", p->restaurant_id, p->id);
}

/* "Your table is ready", to the number that they left.  Every call is a message of its own. */
static enum err tell(struct at_door *w)
{
	bool mail = false, sms = false;
	char key[64];
	enum err e = w->p.phone[0] ? outbox_ways(w->t, w->p.restaurant_id, &mail, &sms) : ERR_OK;

	if (e != ERR_OK || !sms)
		return e;
	snprintf(key, sizeof key, "door:%lld:%lld", (long long)w->p.id, (long long)w->p.version);
	return stmt_run(w->t->db, SQL_DOOR_TELL, "ititt", w->p.restaurant_id, outbox_word(OUTBOX_TABLE_READY), w->p.id, key,
			w->t->now);
}

static enum err call(struct at_door *w)
{
	int64_t before;
	enum err e = is_waiting(&w->p) ? count_before(w->t, &w->p, &before) : ERR_BAD_MOVE;

	if (e == ERR_OK)
		e = stmt_run(w->t->db, SQL_DOOR_CALL, "itti", w->p.id, w->q->actor, w->t->now, before);
	return e == ERR_OK ? tell(w) : e;
}

static enum err end(struct at_door *w, const char *status)
{
	enum err e;

	if (strcmp(w->p.status, status) == 0) /* said twice: it is so */
		return ERR_OK;
	if (!is_waiting(&w->p))
		return ERR_BAD_MOVE;
	e = stmt_run(w->t->db, SQL_DOOR_UNTELL, "i", w->p.id);
	return e == ERR_OK ? stmt_run(w->t->db, SQL_DOOR_END, "ittt", w->p.id, w->q->actor, w->t->now, status) : e;
}

/* They stand at the door again: that the house has cancelled is no news to them. */
static enum err cancel_quietly(struct at_door *w, const struct reservation *v)
{
	struct ticket_move m = {.reservation_id = v->id, .kind = MOVE_CANCEL, .by = BY_RESTAURANT};
	enum err e;

	memcpy(m.actor, w->q->actor, sizeof m.actor);
	e = moves_apply(w->t, &m, v, (int64_t)w->number);
	if (e == ERR_OK)
		e = stmt_run(w->t->db, SQL_OUTBOX_WITHDRAW, "iit", v->id, v->version, "SMS");
	return e == ERR_OK ? stmt_run(w->t->db, SQL_OUTBOX_WITHDRAW, "iit", v->id, v->version, "MAIL") : e;
}

/* The walk-in that they are is taken out again, unless staff have done so already. */
static enum err unseat(struct at_door *w)
{
	struct kept_place place;
	struct reservation v;
	enum err e = booking_get(w->t->db, w->p.reservation_id, w->t->now_s, &v);

	if (e != ERR_OK || !life_active(v.status))
		return e == ERR_OK && v.status != LIFE_CANCELED ? ERR_BAD_MOVE : e;
	e = kept_begin(w->t, v.id, &place);
	place.by_house = true;
	if (e == ERR_OK)
		e = cancel_quietly(w, &v);
	return e == ERR_OK ? kept_end(w->t, &place, true) : e;
}

/* What was said last is taken back, of whoever said it; they have the place that they had. */
static enum err undo(struct at_door *w)
{
	int64_t waiting = 0, called = 0;
	enum err e = ERR_OK;

	if (strcmp(w->p.status, "WAITING") == 0 || strcmp(w->p.status, "CLOSED") == 0)
		return ERR_BAD_MOVE;
	if (!is_waiting(&w->p))
		e = doorlist_count(w->t->db, w->p.restaurant_id, &waiting, &called);
	if (e == ERR_OK && waiting >= DOORLIST_MAX)
		return ERR_DOOR_FULL;
	if (e == ERR_OK && strcmp(w->p.status, "SEATED") == 0)
		e = unseat(w);
	if (e == ERR_OK)
		e = stmt_run(w->t->db, SQL_DOOR_UNTELL, "i", w->p.id);
	return e == ERR_OK ? stmt_run(w->t->db, SQL_DOOR_BACK, "itt", w->p.id, w->q->actor, w->t->now) : e;
}

static enum err act(struct at_door *w, struct ticket_outcome *out)
{
	switch ((enum ticket_door_act)w->q->act) {
	case DOOR_JOIN:
		return join(w, out);
	case DOOR_CHANGE:
		return change(w);
	case DOOR_CALL:
		return call(w);
	case DOOR_LEAVE:
		return end(w, "LEFT");
	case DOOR_NO_SHOW:
		return strcmp(w->p.status, "WAITING") == 0 ? ERR_BAD_MOVE : end(w, "NO_SHOW"); /* nobody called them */
	case DOOR_UNDO:
		return undo(w);
	case DOOR__MAX:
		break;
	}
	return ERR_INTERNAL;
}

/* The party as the desk saw it. */
static enum err find(struct at_door *w)
{
	enum err e = doorlist_get(w->t->db, w->q->door_id, &w->p);

	return e == ERR_OK && w->q->version >= 0 && w->q->version != w->p.version ? ERR_STALE : e;
}

enum err doorlist_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	struct at_door w = {.t = t, .q = &r->u.door, .number = number};
	enum err e = txn_mark(t);

	assert(r->kind == TICKET_DOOR && r->u.door.act >= 0 && r->u.door.act < DOOR__MAX);
	if (e != ERR_OK)
		return e;
	out->id = w.q->act == DOOR_JOIN ? 0 : w.q->door_id;
	e = w.q->act == DOOR_JOIN ? ERR_OK : find(&w);
	if (e == ERR_OK)
		e = act(&w, out);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_AUDIT_ADD, "tttitti", t->now, w.q->actor, "door", out->id, "act", words[w.q->act],
			     (int64_t)number);
	txn_forget(t); /* seats and tables may be free now */
	if (e == ERR_OK) {
		txn_touch_day(t, w.q->restaurant_id, w.p.evening);
		return txn_keep(t);
	}
	if (e != ERR_NO_SUCH_PARTY && e != ERR_STALE && e != ERR_DOOR_FULL && !txn_refuses_one(e))
		return e;
	*out = (struct ticket_outcome){.err = (int32_t)e, .id = out->id};
	return txn_undo(t);
}

/* ---- sitting down: a walk-in, as any other ---- */

enum err doorlist_may_sit(struct txn *t, const struct ticket_book *b, struct ticket_outcome *out)
{
	struct door_party p;
	enum err e = doorlist_get(t->db, b->door_id, &p);

	if (e == ERR_OK && (p.version != b->door_version || p.restaurant_id != b->want.restaurant_id))
		e = ERR_STALE;
	if (e == ERR_OK && !is_waiting(&p))
		e = ERR_BAD_MOVE;
	if (e != ERR_NO_SUCH_PARTY && e != ERR_STALE && e != ERR_BAD_MOVE)
		return e;
	out->err = (int32_t)e;
	return ERR_OK;
}

enum err doorlist_seated(struct txn *t, const struct ticket_book *b, int64_t reservation_id)
{
	struct door_party p;
	int64_t before = 0, joined_s = t->now_s;
	char actor[32], how[48];
	enum err e = doorlist_get(t->db, b->door_id, &p);

	snprintf(actor, sizeof actor, "user:%lld", (long long)b->who.staff_id);
	if (e == ERR_OK)
		e = count_before(t, &p, &before);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_DOOR_UNTELL, "i", p.id);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_DOOR_SEAT, "ittii", p.id, actor, t->now, before, reservation_id);
	if (e != ERR_OK)
		return e;
	clock_parse_iso(p.joined_at, &joined_s);
	snprintf(how, sizeof how, "%lld %lld", (long long)(t->now_s - joined_s) / 60,
		 (long long)(before > p.passed ? before : p.passed));
	txn_touch_day(t, p.restaurant_id, p.evening);
	return stmt_run(t->db, SQL_AUDIT_ADD, "tttitti", t->now, actor, "reservation", reservation_id, "door", how, (int64_t)0);
}

/* ---- the keeper's part ---- */

struct over {
	int64_t id, restaurant_id;
	char evening[TEXT_DATE_SIZE];
	bool closed; /* the evening is over; else they were called and did not come */
};

static enum err find_over(struct db *db, int64_t now_s, struct over out[SWEEP_MAX], int *count)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_DOOR_OVER, "mm", now_s, now_s - DOORLIST_EVENING_S);
	enum err e;

	for (*count = 0; stmt_row(db, s, &e);) {
		struct over *o = &out[*count];

		stmt_take(s, "iitb", &o->id, &o->restaurant_id, o->evening, sizeof o->evening, &o->closed);
		*count += *count < SWEEP_MAX - 1;
	}
	return e;
}

static enum err sweep(struct txn *t, const char *evening)
{
	struct over over[SWEEP_MAX];
	int count;
	enum err e = find_over(t->db, t->now_s, over, &count);

	for (int i = 0; i < count && e == ERR_OK; i++) {
		e = stmt_run(t->db, SQL_DOOR_UNTELL, "i", over[i].id);
		if (e == ERR_OK)
			e = stmt_run(t->db, SQL_DOOR_END, "ittt", over[i].id, "keeper", t->now,
				     over[i].closed ? "CLOSED" : "NO_SHOW");
		txn_touch_day(t, over[i].restaurant_id, over[i].evening);
	}
	return e == ERR_OK ? stmt_run(t->db, SQL_DOOR_FORGET, "t", evening) : e;
}

enum err doorlist_sweep(struct db *db, int64_t now_s)
{
	struct over over[SWEEP_MAX];
	char evening[CLOCK_ISO_SIZE];
	int64_t named = 0;
	int count = 0;
	struct txn t;
	enum err e = find_over(db, now_s, over, &count);

	clock_iso(now_s - DOORLIST_EVENING_S, evening);
	if (e == ERR_OK)
		e = stmt_number(db, SQL_DOOR_NAMES_OVER, &named, "t", evening);
	if (e != ERR_OK || (!count && !named))
		return e;
	e = txn_begin(&t, db, now_s);
	return e == ERR_OK ? txn_end(&t, sweep(&t, evening)) : e;
}
