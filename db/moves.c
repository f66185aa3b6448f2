/*
 * moves.c - a reservation changes its status.
 */
#include "moves.h"

#include "payments.h"
#include "slots.h"

#include <assert.h>
#include <string.h>

/* A change of status under way. */
struct moving {
	struct txn *t;
	const struct ticket_move *m;
	const struct reservation *v; /* as it was before */
	int64_t number;              /* of the ticket */
};

static enum err set_status(const struct moving *w, enum life to)
{
	assert(life_may(w->v->status, to));
	return stmt_run(w->t->db, SQL_MOVE, "ittti", w->v->id, life_word(to), w->m->actor, w->t->now, w->number);
}

/* A hold that ran out gave up its table as well: the party gets whichever fits now. */
static enum err find_table_again(const struct moving *w)
{
	int64_t table;
	enum err e = slots_choose_table(w->t, w->v->restaurant_id, w->v->slot_id, w->v->party, &table);

	if (e != ERR_OK)
		return e;
	return stmt_run(w->t->db, SQL_TABLE_SET, "iitti", w->v->id, table, w->m->actor, w->t->now, w->number);
}

static enum err confirm(const struct moving *w)
{
	const struct reservation *v = w->v;
	bool prepaid = strcmp(v->type, booking_type_word(TICKET_PREPAY)) == 0;
	enum life to = prepaid ? LIFE_PREPAY_CONFIRM : LIFE_CONFIRMED;
	enum err e = ERR_OK;

	if (v->status == to)
		return ERR_OK; /* said twice: it is so */
	if (!life_may(v->status, to))
		return ERR_BAD_MOVE;
	if (v->status == LIFE_EXPIRED)
		e = txn_release_day(w->t, v->restaurant_id, v->date);
	if (e == ERR_OK && v->status == LIFE_EXPIRED && v->table_id)
		e = find_table_again(w);
	if (e == ERR_OK)
		e = set_status(w, to);
	return e == ERR_OK ? payments_received(w->t, v) : e;
}

/* Once this is committed, the guest's lock on that slot is lifted. */
static void remember_freed(struct txn *t, const struct reservation *v)
{
	struct txn_freed *f = &t->freed[t->freed_count];

	if (t->freed_count == TXN_FREED_MAX)
		return;
	*f = (struct txn_freed){.user_id = v->user_id, .phone_key = v->phone_key, .restaurant_id = v->restaurant_id};
	memcpy(f->date, v->date, sizeof f->date);
	memcpy(f->time, v->time, sizeof f->time);
	t->freed_count++;
}

static enum err cancel(const struct moving *w)
{
	static const char *const by[] = {[BY_GUEST] = "GUEST", [BY_RESTAURANT] = "RESTAURANT", [BY_SYSTEM] = "SYSTEM"};
	struct payments_due due;
	enum err e;

	assert(w->m->by >= BY_GUEST && w->m->by <= BY_SYSTEM);
	if (w->v->status == LIFE_CANCELED)
		return ERR_OK;
	if (!life_may(w->v->status, LIFE_CANCELED))
		return ERR_BAD_MOVE;
	e = payments_if_cancelled(w->t->db, w->v, (enum ticket_by)w->m->by, w->t->now_s, &due);
	/* The seats are free at once; the money stands in the list of what is due back. */
	if (e == ERR_OK && due.refund > 0)
		e = payments_set_due_back(w->t, &due);
	if (e == ERR_OK && due.refund > 0)
		e = set_status(w, LIFE_REFUND_PENDING);
	if (e == ERR_OK)
		e = set_status(w, LIFE_CANCELED);
	if (e == ERR_OK)
		e = stmt_run(w->t->db, SQL_CANCELLATION_ADD, "ittit", w->v->id, by[w->m->by], w->m->reason, due.refund,
			     w->t->now);
	if (e == ERR_OK)
		remember_freed(w->t, w->v);
	return e;
}

/* Refused: nothing of it stays but the money, if it came after the hold had run out. */
static enum err undo(const struct moving *w)
{
	enum err e = txn_undo(w->t);

	if (e == ERR_OK && w->m->kind == MOVE_CONFIRM && w->v->status == LIFE_EXPIRED)
		e = payments_too_late(w->t, w->v);
	return e;
}

enum err moves_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	struct reservation v;
	struct moving w = {.t = t, .m = &r->u.move, .v = &v, .number = (int64_t)number};
	enum err e = booking_get(t->db, r->u.move.reservation_id, t->now_s, &v);

	assert(r->kind == TICKET_MOVE);
	out->id = r->u.move.reservation_id;
	if (e == ERR_NO_SUCH_RESERVATION) {
		out->err = (int32_t)e;
		return ERR_OK;
	}
	if (e == ERR_OK)
		e = txn_mark(t);
	if (e != ERR_OK)
		return e;
	e = w.m->kind == MOVE_CONFIRM ? confirm(&w) : cancel(&w);
	txn_forget(t); /* seats and tables may be free or taken now */
	if (!txn_refuses_one(e))
		return e == ERR_OK ? txn_keep(t) : e;
	out->err = (int32_t)e;
	return undo(&w);
}
