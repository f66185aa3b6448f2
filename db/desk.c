/*
 * desk.c - what staff see and do.
 */
#include "desk.h"

#include "changes.h"
#include "kept.h"
#include "moves.h"
#include "outbox.h"

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
	int i = 0;

	while (i < ACT__MAX && strcmp(words[i], word) != 0)
		i++;
	return (enum ticket_act_kind)i;
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
	char now[CLOCK_ISO_SIZE];

	clock_iso(now_s, now);
	return each_row(db, stmt_use(db, SQL_DESK_DAY, "tit", now, restaurant_id, date), now_s, each, arg);
}

enum err desk_holds(struct db *db, int64_t restaurant_id, int64_t limit, int64_t now_s, desk_each *each, void *arg)
{
	char now[CLOCK_ISO_SIZE];

	clock_iso(now_s, now);
	return each_row(db, stmt_use(db, SQL_DESK_HOLDS, "tii", now, restaurant_id, limit), now_s, each, arg);
}

static void keep_row(void *arg, const struct desk_row *r)
{
	*(struct desk_row *)arg = *r;
}

enum err desk_one(struct db *db, int64_t id, int64_t now_s, struct desk_row *out)
{
	char now[CLOCK_ISO_SIZE];
	enum err e;

	clock_iso(now_s, now);
	out->v.id = 0;
	e = each_row(db, stmt_use(db, SQL_DESK_ONE, "ti", now, id), now_s, keep_row, out);
	return e == ERR_OK && !out->v.id ? ERR_NO_SUCH_RESERVATION : e;
}

/* %name%, with its own % and _ meaning themselves. */
static void make_pattern(const char *text, char *out, size_t size)
{
	size_t n = 0;

	out[n++] = '%';
	for (; *text && n + 4 < size; text++) {
		if (*text == '%' || *text == '_' || *text == '\\')
			out[n++] = '\\';
		out[n++] = *text;
	}
	out[n++] = '%';
	out[n] = '\0';
}

enum err desk_search(struct db *db, int64_t restaurant_id, const char *text, int64_t phone_key, int64_t now_s, desk_each *each,
		     void *arg)
{
	char now[CLOCK_ISO_SIZE], pattern[400];
	int64_t id = 0;
	enum err e;

	clock_iso(now_s, now);
	e = booking_by_code(db, text, &id);
	if (e == ERR_OK)
		return each_row(db, stmt_use(db, SQL_DESK_FOUND, "tii", now, id, restaurant_id), now_s, each, arg);
	if (e != ERR_NO_SUCH_RESERVATION && e != ERR_MISTYPED_CODE)
		return e;
	if (phone_key > 0)
		return each_row(db, stmt_use(db, SQL_DESK_BY_PHONE, "tii", now, phone_key, restaurant_id), now_s, each, arg);
	make_pattern(text, pattern, sizeof pattern);
	return each_row(db, stmt_use(db, SQL_DESK_BY_NAME, "tti", now, pattern, restaurant_id), now_s, each, arg);
}

enum err desk_contradicted(struct db *db, int64_t restaurant_id, int64_t now_s, desk_each *each, void *arg)
{
	struct {
		int64_t id;
		char why[8];
	} found[CONTRADICTED_MAX];
	char now[CLOCK_ISO_SIZE];
	struct sqlite3_stmt *s;
	struct desk_row r;
	size_t n = 0;
	enum err e;

	clock_iso(now_s, now);
	s = stmt_use(db, SQL_CONTRADICTED, "tii", now, restaurant_id, (int64_t)CONTRADICTED_MAX);
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

enum err desk_history(struct db *db, const char *entity, int64_t id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_DESK_HISTORY, "ti", entity, id), each, arg);
}

enum err desk_person(struct db *db, int64_t restaurant_id, int64_t phone_key, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_PERSON_BY_PHONE, "ii", phone_key, restaurant_id), each, arg);
}

enum err desk_of_guest(struct db *db, int64_t restaurant_id, int64_t guest_id, int64_t now_s, desk_each *each, void *arg)
{
	char now[CLOCK_ISO_SIZE];

	clock_iso(now_s, now);
	return each_row(db, stmt_use(db, SQL_DESK_OF_GUEST, "tii", now, guest_id, restaurant_id), now_s, each, arg);
}

/* ---- doing ---- */

/* An act under way. */
struct acting {
	struct txn *t;
	const struct ticket_act *a;
	const struct reservation *v; /* as it was before */
	int64_t number;
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
	return w->a->change.want.tables[0] ? changes_apply(w->t, &w->a->change, w->v, w->number, w->out) : ERR_OK;
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

/* The rows as the act found them. */
static enum err put_back(const struct acting *w, int64_t act_id, bool cancelled)
{
	struct db *db = w->t->db;
	int64_t change_id = 0;
	bool back;
	enum err e = stmt_run(db, SQL_TABLES_LEAVE, "i", w->v->id);

	if (e == ERR_OK)
		e = stmt_run(db, SQL_UNDO_TABLES, "i", act_id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_UNDO, "iitti", w->v->id, act_id, w->a->actor, w->t->now, w->number);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_UNDO_PAYMENTS, "it", act_id, w->a->actor);
	if (e == ERR_OK && cancelled)
		e = stmt_run(db, SQL_UNDO_OFFER, "itt", act_id, w->a->actor, w->t->now);
	if (e == ERR_OK && cancelled)
		e = stmt_run(db, SQL_UNDO_CANCELLATION, "it", w->v->id, w->t->now);
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

static enum err undo(const struct acting *w)
{
	enum ticket_act_kind kind;
	int64_t act_id;
	enum err e = find_last(w, &act_id, &kind);

	if (e == ERR_OK)
		e = w->v->change_of && kind == ACT_CANCEL ? ask_again(w) : put_back(w, act_id, kind == ACT_CANCEL);
	if (e == ERR_OK)
		e = stmt_run(w->t->db, SQL_ACT_UNDONE, "it", act_id, w->t->now);
	return e == ERR_OK && (kind == ACT_CANCEL || kind == ACT_CHANGE) ?
		       outbox_take_back(w->t, w->v->restaurant_id, w->v->id, w->v->version) :
		       e;
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
	enum err e;

	switch ((enum ticket_act_kind)w->a->act) {
	case ACT_CHANGE:
		return changes_apply(w->t, &w->a->change, v, w->number, w->out);
	case ACT_ARRIVE:
		return is_coming(v) && visit_is(v, "PENDING") ? set(w, SQL_ACT_ARRIVE) : ERR_BAD_MOVE;
	case ACT_SEAT:
		if (!is_coming(v) || visit_is(v, "LEFT"))
			return ERR_BAD_MOVE;
		e = take_tables(w);
		return e == ERR_OK ? set(w, SQL_ACT_SEAT) : e;
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
	case ACT_UNDO:
		return undo(w);
	case ACT__MAX:
		break;
	}
	return ERR_INTERNAL;
}

/* What was before is written first; what it came to, last. */
static enum err record(const struct acting *w)
{
	struct db *db = w->t->db;
	bool undoing = w->a->act == ACT_UNDO;
	int64_t act_id = 0;
	enum err e = ERR_OK;

	if (!undoing)
		e = stmt_run(db, SQL_ACT_ADD, "ittt", w->v->id, words[w->a->act], w->a->actor, w->t->now);
	if (e == ERR_OK && !undoing)
		act_id = stmt_last_id(db);
	if (e == ERR_OK)
		e = act(w);
	if (e == ERR_OK && !undoing)
		e = stmt_run(db, SQL_ACT_DONE, "i", act_id);
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

enum err desk_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	struct kept_place place;
	struct reservation v;
	struct acting w = {.t = t, .a = &r->u.act, .v = &v, .number = (int64_t)number, .out = out};
	enum err e = booking_get(t->db, r->u.act.reservation_id, t->now_s, &v);

	assert(r->kind == TICKET_ACT && r->u.act.act < ACT__MAX);
	out->id = r->u.act.reservation_id;
	if (e == ERR_OK && v.version != w.a->version)
		e = ERR_STALE;
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
	e = kept_begin(t, v.id, &place);
	place.by_house = true;
	if (e == ERR_OK)
		e = record(&w);
	if (e == ERR_OK)
		e = kept_end(t, &place, true); /* who left early, did not come, or was moved */
	txn_forget(t);                         /* seats and tables may be free or taken now */
	if (e == ERR_OK)
		txn_touch_day(t, v.restaurant_id, v.date);
	if (e == ERR_OK && booking_sits(&v)) /* who sat down before their time and does so no more had seats until then */
		txn_open_day(t, v.restaurant_id, v.date);
	return txn_refuses_one(e) ? refuse(&w, e) : e == ERR_OK ? txn_keep(t) : e;
}
