/*
 * desk.c - what staff see and do.
 */
#include "desk.h"

#include "changes.h"
#include "failpoint.h"
#include "kept.h"
#include "moves.h"
#include "outbox.h"
#include "sitters.h"
#include "slots.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { CONTRADICTED_MAX = 100 };

static const char *const words[ACT__MAX] = {
#define X(name, word) [ACT_##name] = word,
	TICKET_ACTS(X)
#undef X
};

enum ticket_act_kind desk_act(const char *word)
{
	return (enum ticket_act_kind)text_word(words, ACT__MAX, word);
}

/* ---- seeing ---- */

static void take_row(struct sqlite3_stmt *s, int64_t now_s, struct desk_row *out)
{
	int column = booking_take(s, now_s, &out->v);

	ROWS_DESK(ROWS_TAKE)
	out->contradicts[0] = '\0';
}

static enum err each_row(struct db *db, struct sqlite3_stmt *s, int64_t now_s, desk_each *each, void *arg)
{
	struct desk_row r;
	enum err e;

	while (stmt_row(db, s, &e)) {
		take_row(s, now_s, &r);
		each(arg, &r);
	}
	return e;
}

enum err desk_day(struct db *db, int64_t restaurant_id, const char *date, int64_t now_s, desk_each *each, void *arg)
{
	return each_row(db, stmt_use(db, SQL_DESK_DAY, "mit", now_s, restaurant_id, date), now_s, each, arg);
}

enum err desk_holds(struct db *db, int64_t restaurant_id, int64_t limit, int64_t now_s, desk_each *each, void *arg)
{
	return each_row(db, stmt_use(db, SQL_DESK_HOLDS, "mii", now_s, restaurant_id, limit), now_s, each, arg);
}

static void keep_row(void *arg, const struct desk_row *r)
{
	*(struct desk_row *)arg = *r;
}

enum err desk_one(struct db *db, int64_t id, int64_t now_s, struct desk_row *out)
{
	enum err e;

	out->v.id = 0;
	e = each_row(db, stmt_use(db, SQL_DESK_ONE, "mi", now_s, id), now_s, keep_row, out);
	return e == ERR_OK && !out->v.id ? ERR_NO_SUCH_RESERVATION : e;
}

enum err desk_search(struct db *db, int64_t restaurant_id, const char *text, int64_t phone_key, int64_t now_s, desk_each *each,
		     void *arg)
{
	char pattern[400];
	int64_t id = 0;
	enum err e;

	e = booking_by_code(db, text, &id);
	if (e == ERR_OK)
		return each_row(db, stmt_use(db, SQL_DESK_FOUND, "mii", now_s, id, restaurant_id), now_s, each, arg);
	if (e != ERR_NO_SUCH_RESERVATION && e != ERR_MISTYPED_CODE)
		return e;
	if (phone_key > 0)
		return each_row(db, stmt_use(db, SQL_DESK_BY_PHONE, "mii", now_s, phone_key, restaurant_id), now_s, each, arg);
	stmt_pattern(text, pattern, sizeof pattern);
	return each_row(db, stmt_use(db, SQL_DESK_BY_NAME, "mti", now_s, pattern, restaurant_id), now_s, each, arg);
}

enum err desk_contradicted(struct db *db, int64_t restaurant_id, int64_t now_s, desk_each *each, void *arg)
{
	struct {
		int64_t id;
		char why[8];
	} found[CONTRADICTED_MAX];
	struct desk_row r;
	size_t n = 0;
	struct sqlite3_stmt *s = stmt_use(db, SQL_CONTRADICTED, "mii", now_s, restaurant_id, (int64_t)CONTRADICTED_MAX);
	enum err e;

	for (; stmt_row(db, s, &e); n++)
		stmt_take(s, "it", &found[n].id, found[n].why, sizeof found[n].why);
	for (size_t i = 0; i < n && e == ERR_OK; i++) {
		e = desk_one(db, found[i].id, now_s, &r);
		memcpy(r.contradicts, found[i].why, sizeof r.contradicts);
		if (e == ERR_OK)
			each(arg, &r);
	}
	return e;
}

enum err desk_tables(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_DESK_TABLES, "i", restaurant_id), each, arg);
}

enum err desk_person(struct db *db, int64_t restaurant_id, int64_t phone_key, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_PERSON_BY_PHONE, "ii", phone_key, restaurant_id), each, arg);
}

enum err desk_of_guest(struct db *db, int64_t restaurant_id, int64_t guest_id, int64_t now_s, desk_each *each, void *arg)
{
	return each_row(db, stmt_use(db, SQL_DESK_OF_GUEST, "mii", now_s, guest_id, restaurant_id), now_s, each, arg);
}

/* ---- doing ---- */

/* An act under way. */
struct acting {
	struct txn *t;
	const struct ticket_act *a;
	const struct reservation *v;     /* as it was before */
	const struct reservation *other; /* ACT_SWAP: the party that it changes tables with */
	int64_t number;
	int64_t act_id; /* of the row that can be undone */
	struct ticket_outcome *out;
};

static bool is_coming(const struct reservation *v)
{
	return v->status == LIFE_CONFIRMED || v->status == LIFE_PREPAY_CONFIRM;
}

static bool visit_is(const struct reservation *v, const char *word)
{
	return strcmp(v->visit_status, word) == 0;
}

static enum err set(const struct acting *w, enum sql_id statement)
{
	return stmt_run(w->t->db, statement, "itti", w->v->id, w->a->actor, w->t->now, w->number);
}

/* Other tables for the same time and party, as a change that changes nothing else. */
static enum err take_tables(const struct acting *w)
{
	struct ticket_change change = w->a->change;

	change.sits_down = 1;
	return changes_apply(w->t, &change, w->v, w->number, w->out);
}

/* At its own tables: who sits there still?  With `share` they sit together from now on. */
static enum err take_own_tables(const struct acting *w)
{
	struct sitter sitters[SITTERS_MAX];
	int64_t own[TICKET_TABLES];
	int count = 0;
	enum err e = sitters_own(w->t->db, w->v->id, own);

	if (e == ERR_OK)
		e = sitters_at(w->t->db, own, w->v->id, w->t->now_s, sitters, &count);
	if (e == ERR_OK && count && !w->a->change.share && !WITHOUT("sitters"))
		return ERR_TABLE_TAKEN;
	for (int i = 0; i < count && w->a->change.share && e == ERR_OK; i++)
		e = stmt_run(w->t->db, SQL_TABLE_SHARE, "ii", w->v->id, sitters[i].table_id);
	return e;
}

static enum err seat(const struct acting *w)
{
	enum err e = ERR_OK;

	if (!is_coming(w->v) || visit_is(w->v, "LEFT"))
		return ERR_BAD_MOVE;
	if (w->a->change.want.tables[0])
		e = take_tables(w);
	else if (!visit_is(w->v, "SEATED")) /* said twice: it is so */
		e = take_own_tables(w);
	return e == ERR_OK ? set(w, SQL_ACT_SEAT) : e;
}

/* The last act that nothing has come after: which, and what it was.  ERR_BAD_MOVE when it cannot be taken back. */
static enum err find_last(const struct acting *w, int64_t *act_id, enum ticket_act_kind *kind)
{
	struct sqlite3_stmt *s = stmt_use(w->t->db, SQL_ACT_LAST, "i", w->v->id);
	const char *word;
	int64_t moved_on = 0;
	enum err e;

	if (!stmt_row(w->t->db, s, &e))
		return e == ERR_OK ? ERR_BAD_MOVE : e;
	stmt_take(s, "iw", act_id, &word);
	*kind = desk_act(word);
	stmt_done(s);
	if (*kind == ACT_CONFIRM)
		return ERR_BAD_MOVE; /* the money is in the till; it is given back by cancelling */
	e = stmt_number(w->t->db, SQL_UNDO_TOO_LATE, &moved_on, "i", *act_id);
	return e == ERR_OK && moved_on ? ERR_BAD_MOVE : e;
}

enum err desk_undo_tables(struct db *db, int64_t id, int64_t tables[TICKET_TABLES])
{
	int count = 0;

	memset(tables, 0, TICKET_TABLES * sizeof tables[0]);
	return stmt_ids(db, stmt_use(db, SQL_UNDO_WHERE, "i", id), tables, TICKET_TABLES, &count);
}

/* Whatever was said: who sits at the end sits alone at each table, or there on purpose. */
static enum err check_alone(const struct acting *w, int64_t id)
{
	bool alone = true;
	enum err e = sitters_alone(w->t->db, id, w->t->now_s, &alone);

	return e == ERR_OK && !alone && !WITHOUT("sitters") ? ERR_TABLE_TAKEN : e;
}

/* The rows of reservation `id` as the act found them. */
static enum err put_back(const struct acting *w, int64_t id, int64_t act_id, int64_t number, bool cancelled)
{
	struct db *db = w->t->db;
	int64_t change_id = 0;
	bool back;
	enum err e = stmt_run(db, SQL_TABLES_LEAVE, "i", id);

	if (e == ERR_OK)
		e = stmt_run(db, SQL_UNDO_TABLES, "i", act_id);
	if (e == ERR_WRONG_TABLE) /* it was theirs, so it fits them: it was given to others since */
		e = ERR_TABLE_TAKEN;
	if (e == ERR_OK)
		e = stmt_run(db, SQL_UNDO, "iitti", id, act_id, w->a->actor, w->t->now, number);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_UNDO_PAYMENTS, "it", act_id, w->a->actor);
	if (e == ERR_OK && cancelled)
		e = stmt_run(db, SQL_UNDO_OFFER, "itt", act_id, w->a->actor, w->t->now);
	if (e == ERR_OK && cancelled)
		e = stmt_run(db, SQL_UNDO_CANCELLATION, "it", id, w->t->now);
	if (e == ERR_OK)
		e = check_alone(w, id);
	if (e == ERR_OK)
		e = stmt_number(db, SQL_UNDO_CHANGE, &change_id, "i", act_id);
	/* If its seats are gone meanwhile, the reservation comes back without it. */
	return e == ERR_OK && change_id ? changes_bring_back(w->t, change_id, w->a->actor, 0, &back) : e;
}

/* A change that waited for its money is no reservation of its own: it comes back as it was asked for, or not at all. */
static enum err ask_again(const struct acting *w)
{
	bool back;
	enum err e = changes_bring_back(w->t, w->v->id, w->a->actor, w->number, &back);

	return e == ERR_OK && !back ? ERR_BAD_MOVE : e;
}

static enum err note_act(const struct acting *w, int64_t id, enum ticket_act_kind kind)
{
	return stmt_run(w->t->db, SQL_AUDIT_ADD, "tttitti", w->t->now, w->a->actor, "reservation", id, "act", words[kind],
			(int64_t)0);
}

/* Two parties have their own tables again, or neither has. */
static enum err swap_back(const struct acting *w, int64_t act_id)
{
	int64_t other_act = 0, other_id = 0;
	enum err e = stmt_get(w->t->db, stmt_use(w->t->db, SQL_ACT_OTHER, "i", act_id), ERR_OK, "ii", &other_act, &other_id);

	if (e != ERR_OK || !other_act)
		return e == ERR_OK ? ERR_BAD_MOVE : e;
	e = stmt_run(w->t->db, SQL_TABLES_LEAVE, "i", other_id);
	if (e == ERR_OK)
		e = put_back(w, w->v->id, act_id, w->number, false);
	if (e == ERR_OK)
		e = put_back(w, other_id, other_act, 0, false);
	if (e == ERR_OK)
		e = stmt_run(w->t->db, SQL_ACT_UNDONE, "it", other_act, w->t->now);
	return e == ERR_OK ? note_act(w, other_id, ACT_UNDO) : e;
}

static enum err undo(const struct acting *w)
{
	enum ticket_act_kind kind;
	int64_t act_id;
	enum err e = find_last(w, &act_id, &kind);

	if (e == ERR_OK && kind == ACT_SWAP)
		e = swap_back(w, act_id);
	else if (e == ERR_OK)
		e = w->v->change_of && kind == ACT_CANCEL ? ask_again(w) :
							    put_back(w, w->v->id, act_id, w->number, kind == ACT_CANCEL);
	if (e == ERR_OK)
		e = stmt_run(w->t->db, SQL_ACT_UNDONE, "it", act_id, w->t->now);
	return e == ERR_OK && (kind == ACT_CANCEL || kind == ACT_CHANGE) ?
		       outbox_take_back(w->t, w->v->restaurant_id, w->v->id, w->v->version) :
		       e;
}

/* ---- two parties change tables ---- */

/* A party with the tables that it is to have. */
static enum err stay_at(const struct reservation *v, const int64_t tables[TICKET_TABLES], struct room_stay *stay)
{
	*stay = (struct room_stay){.id = v->id,
				   .party = v->party,
				   .by_staff = v->by_staff,
				   .counts = v->overbook[0] ? ROOM_BEYOND : ROOM_PEOPLE_ARE};
	for (; stay->table_count < TICKET_TABLES && tables[stay->table_count]; stay->table_count++)
		stay->tables[stay->table_count] = tables[stay->table_count];
	return clock_parse_iso(v->starts_at, &stay->starts_s) && clock_parse_iso(v->ends_at, &stay->ends_s) ? ERR_OK :
													      ERR_INTERNAL;
}

static enum err want_of(const struct acting *w, const struct reservation *v, const struct room_stay *stay,
			struct ticket_want *out)
{
	struct restaurant r;
	struct settings set;
	enum err e = restaurants_get(w->t->db, v->restaurant_id, &r);

	if (e == ERR_OK)
		e = restaurants_at(w->t->db, &r, v->date, v->time, &set);
	if (e == ERR_OK)
		*out = ticket_want(&set, restaurants_seats(&r), r.id, v->date, v->time, stay->starts_s, v->party);
	return e;
}

/* Is `to` free for this party but for `other`, which gives it up? */
static enum err check_swap(const struct acting *w, const struct reservation *v, const int64_t to[TICKET_TABLES], int64_t other)
{
	struct room_stay stay;
	struct ticket_want want;
	int left;
	enum err why = ERR_OK, e = stay_at(v, to, &stay);

	if (e == ERR_OK)
		e = want_of(w, v, &stay, &want);
	for (size_t i = 0; e == ERR_OK && i < stay.table_count; i++)
		e = slots_sit_beside(w->t, &want, &stay, other, to[i]);
	if (e == ERR_OK)
		e = slots_find_room(w->t, &want, ROOM_HOLDER, KEPT_PAST, &stay, &left, &why);
	if (e == ERR_OK)
		e = why;
	return e != ERR_OK || room_add(&w->t->house.room, &stay) ? e : ERR_NO_MEMORY;
}

/* Rows of one of the two; those that both had are gone already. */
static enum err move_to(const struct acting *w, const struct reservation *v, const int64_t to[TICKET_TABLES], int64_t number)
{
	enum err e = ERR_OK;

	for (int i = 0; i < TICKET_TABLES && to[i] && e == ERR_OK; i++)
		e = stmt_run(w->t->db, SQL_TABLE_TAKE, "iitt", v->id, to[i], v->starts_at, v->ends_at);
	return e == ERR_OK ? stmt_run(w->t->db, SQL_ACT_TABLES, "ittii", v->id, w->a->actor, w->t->now, number, to[0]) : e;
}

static bool have_common(const int64_t a[TICKET_TABLES], const int64_t b[TICKET_TABLES])
{
	for (int i = 0; i < TICKET_TABLES && a[i]; i++)
		for (int k = 0; k < TICKET_TABLES && b[k]; k++)
			if (a[i] == b[k])
				return true;
	return false;
}

static bool may_swap(const struct reservation *v)
{
	return (is_coming(v) || v->status == LIFE_TEMPORARY) && !v->change_of && !visit_is(v, "LEFT");
}

/* Both, with the row of each that an undo of either finds. */
static enum err write_swap(const struct acting *w, const int64_t mine[TICKET_TABLES], const int64_t theirs[TICKET_TABLES])
{
	struct db *db = w->t->db;
	int64_t other_act = 0;
	enum err e = stmt_run(db, SQL_ACT_ADD, "ittt", w->other->id, words[ACT_SWAP], w->a->actor, w->t->now);

	if (e == ERR_OK)
		other_act = stmt_last_id(db);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_TABLES_LEAVE, "i", w->v->id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_TABLES_LEAVE, "i", w->other->id);
	if (e == ERR_OK)
		e = move_to(w, w->v, theirs, w->number);
	if (e == ERR_OK)
		e = move_to(w, w->other, mine, 0);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_ACT_DONE, "i", other_act);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_ACT_PAIR, "ii", other_act, w->act_id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_ACT_PAIR, "ii", w->act_id, other_act);
	return e == ERR_OK ? note_act(w, w->other->id, ACT_SWAP) : e;
}

static enum err swap(const struct acting *w)
{
	const struct reservation *v = w->v, *o = w->other;
	int64_t mine[TICKET_TABLES], theirs[TICKET_TABLES];
	enum err e = sitters_own(w->t->db, v->id, mine);

	if (e == ERR_OK)
		e = sitters_own(w->t->db, o->id, theirs);
	if (e != ERR_OK)
		return e;
	if (!may_swap(v) || !may_swap(o) || o->id == v->id || o->restaurant_id != v->restaurant_id ||
	    strcmp(o->date, v->date) != 0 || !mine[0] || !theirs[0] || have_common(mine, theirs))
		return ERR_BAD_MOVE;
	e = check_swap(w, v, theirs, o->id);
	if (e == ERR_OK)
		e = check_swap(w, o, mine, v->id);
	if (e == ERR_OK)
		e = write_swap(w, mine, theirs);
	return e == ERR_OK ? check_alone(w, o->id) : e;
}

/* A change that waits for its money ends with it, and those who wait may have its seats. */
static enum err end_visit(const struct acting *w, enum sql_id sql)
{
	enum err e = w->v->change_id ? changes_withdraw(w->t, w->v->change_id, w->a->actor, 0) : ERR_OK;

	return e == ERR_OK ? set(w, sql) : e;
}

static enum err set_note(const struct acting *w)
{
	const struct ticket_act *a = w->a;
	char tags[TAGS_SIZE];

	tags_write(a->tags, tags);
	return stmt_run(w->t->db, SQL_ACT_NOTE, "ittittt", w->v->id, a->actor, w->t->now, w->number, a->note, a->name,
			a->has_tags ? tags : NULL);
}

static enum err act(const struct acting *w)
{
	const struct reservation *v = w->v;

	switch ((enum ticket_act_kind)w->a->act) {
	case ACT_CHANGE:
		return changes_apply(w->t, &w->a->change, v, w->number, w->out);
	case ACT_ARRIVE:
		return is_coming(v) && visit_is(v, "PENDING") ? set(w, SQL_ACT_ARRIVE) : ERR_BAD_MOVE;
	case ACT_SEAT:
		return seat(w);
	case ACT_LEAVE:
		return is_coming(v) && !visit_is(v, "PENDING") ? set(w, SQL_ACT_LEAVE) : ERR_BAD_MOVE;
	case ACT_COMPLETE:
		return is_coming(v) ? end_visit(w, SQL_ACT_COMPLETE) : ERR_BAD_MOVE;
	case ACT_NO_SHOW:
		return is_coming(v) && visit_is(v, "PENDING") ? end_visit(w, SQL_ACT_NO_SHOW) : ERR_BAD_MOVE;
	case ACT_CONFIRM:
	case ACT_CANCEL:
		return moves_apply(w->t, &w->a->move, v, w->number);
	case ACT_NOTE:
		return set_note(w);
	case ACT_SWAP:
		return swap(w);
	case ACT_UNDO:
		return undo(w);
	case ACT__MAX:
		break;
	}
	return ERR_INTERNAL;
}

/* Where they sit, and for how long. */
struct place {
	char tables[200]; /* their ids: 3,4 */
	int64_t minutes;
};

static enum err find_place(const struct acting *w, struct place *p)
{
	*p = (struct place){.tables = "-"};
	return stmt_get(w->t->db, stmt_use(w->t->db, SQL_ACT_PLACE, "i", w->v->id), ERR_OK, "ti", p->tables, sizeof p->tables,
			&p->minutes);
}

/* What was before is written first; what it came to, last. */
static enum err record(struct acting *w)
{
	struct db *db = w->t->db;
	bool undoing = w->a->act == ACT_UNDO;
	struct place was;
	enum err e = find_place(w, &was);

	if (e == ERR_OK && !undoing)
		e = stmt_run(db, SQL_ACT_ADD, "ittt", w->v->id, words[w->a->act], w->a->actor, w->t->now);
	if (e == ERR_OK && !undoing)
		w->act_id = stmt_last_id(db);
	if (e == ERR_OK)
		e = act(w);
	if (e == ERR_OK && !undoing)
		e = stmt_run(db, SQL_ACT_DONE, "i", w->act_id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_AUDIT_PLACE, "ttitii", w->t->now, w->a->actor, w->v->id, was.tables, was.minutes,
			     w->number);
	/* Of the reservation that was spoken of, although the money was for a change of it. */
	return e == ERR_OK ? stmt_run(db, SQL_AUDIT_ADD, "tttitti", w->t->now, w->a->actor, "reservation", w->a->reservation_id,
				      "act", words[w->a->act], w->number) :
			     e;
}

/* Nothing of it stays, but money that came for what is over; that was said, and by whom, is written down with it. */
static enum err refuse(const struct acting *w, enum err why)
{
	bool money = w->a->act == ACT_CONFIRM;
	enum err e = money ? moves_refuse(w->t, &w->a->move, w->v, w->number, &why) : txn_undo(w->t);

	*w->out = (struct ticket_outcome){.err = (int32_t)why, .id = w->v->id, .remaining = w->out->remaining};
	if (e != ERR_OK || why != ERR_PAID_TOO_LATE)
		return e;
	txn_touch_day(w->t, w->v->restaurant_id, w->v->date);
	return stmt_run(w->t->db, SQL_AUDIT_ADD, "tttitti", w->t->now, w->a->actor, "reservation", w->v->id, "act",
			err_word(why), w->number);
}

/* Both as the desk saw them; out->id is the one that is not. */
static enum err read_other(struct txn *t, const struct ticket_act *a, struct reservation *other, struct ticket_outcome *out)
{
	enum err e = booking_get(t->db, a->with_id, t->now_s, other);

	if (e == ERR_OK && other->version != a->with_version) {
		out->id = a->with_id;
		e = ERR_STALE;
	}
	return e;
}

/* The act, and what is kept of the seats that it frees. */
static enum err act_and_keep(struct acting *w)
{
	struct kept_place place, others = {0};
	enum err e = kept_begin(w->t, w->v->id, &place);

	place.by_house = true;
	if (e == ERR_OK && w->a->act == ACT_SWAP)
		e = kept_begin(w->t, w->other->id, &others);
	others.by_house = true;
	if (e == ERR_OK)
		e = record(w);
	if (e == ERR_OK)
		e = check_alone(w, w->v->id);
	if (e == ERR_OK)
		e = kept_end(w->t, &place, true); /* who left early, did not come, or was moved */
	return e == ERR_OK ? kept_end(w->t, &others, true) : e;
}

enum err desk_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	struct reservation v, other;
	struct acting w = {.t = t, .a = &r->u.act, .v = &v, .other = &other, .number = (int64_t)number, .out = out};
	enum err e = booking_get(t->db, r->u.act.reservation_id, t->now_s, &v);

	assert(r->kind == TICKET_ACT && r->u.act.act < ACT__MAX);
	out->id = r->u.act.reservation_id;
	if (e == ERR_OK && v.version != w.a->version)
		e = ERR_STALE;
	if (e == ERR_OK && w.a->act == ACT_SWAP)
		e = read_other(t, w.a, &other, out);
	if (e == ERR_NO_SUCH_RESERVATION || e == ERR_STALE) {
		out->err = (int32_t)e;
		return ERR_OK;
	}
	if (e == ERR_OK && w.a->act == ACT_CONFIRM && !w.a->move.again)
		e = changes_find_waiting(t->db, w.a->move.amount, t->now_s, &v);
	if (e == ERR_OK)
		e = txn_mark(t);
	if (e != ERR_OK)
		return e;
	e = act_and_keep(&w);
	txn_forget(t); /* seats and tables may be free or taken now */
	if (e == ERR_OK)
		txn_touch_day(t, v.restaurant_id, v.date);
	if (e == ERR_OK && booking_sits(&v)) /* who sat down before their time and does so no more had seats until then */
		txn_open_day(t, v.restaurant_id, v.date);
	return txn_refuses_one(e) ? refuse(&w, e) : e == ERR_OK ? txn_keep(t) : e;
}
