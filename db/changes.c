/*
 * changes.c - a reservation gets another time or another size.
 */
#include "changes.h"

#include "failpoint.h"
#include "moves.h"
#include "outbox.h"
#include "slots.h"

#include <assert.h>
#include <string.h>

/* Where the party will sit; out->err says that it does not fit. */
static enum err find_place(struct txn *t, const struct ticket_change *c, const struct reservation *v, struct room_stay *stay,
			   struct ticket_outcome *out)
{
	int64_t own, free_seats;
	bool fits;
	int left;
	enum err e = slots_learn(t, c->restaurant_id, c->date, c->time, c->capacity);

	if (e != ERR_OK)
		return e;
	own = t->slot.id == v->slot_id ? v->party : 0;
	free_seats = t->slot.capacity - t->slot.taken + own;
	/* More seats than they have, where somebody waits for them: those come first. */
	if (t->slot.waited_for && c->party > own && !c->pass_waiters && !c->by_staff && !WITHOUT("waiters"))
		free_seats = 0;
	if (c->party > free_seats) {
		booking_say_full(out, free_seats);
		return ERR_OK;
	}
	*stay = (struct room_stay){.id = v->id, .party = c->party, .starts_s = c->starts_s};
	stay->ends_s = c->starts_s + c->sitting_minutes * INT64_C(60);
	while (stay->table_count < TICKET_TABLES && c->tables[stay->table_count]) {
		stay->tables[stay->table_count] = c->tables[stay->table_count];
		stay->table_count++;
	}
	e = slots_find_room(t, c->restaurant_id, c->date, c->seats, stay, &left, &fits);
	if (e == ERR_OK && !fits)
		booking_say_full(out, left < c->party ? left : 0);
	return e;
}

/* The rows.  Its tables first: the reservation's own triggers then find them there. */
static enum err write_change(struct txn *t, const struct ticket_change *c, const struct reservation *v,
			     const struct room_stay *stay, int64_t number)
{
	char ends[CLOCK_ISO_SIZE];
	int64_t deposit = v->status == LIFE_TEMPORARY ? c->deposit : v->deposit;
	enum err e = slots_create(t, c->capacity, c->starts_s);

	clock_iso(stay->ends_s, ends);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_TABLES_LEAVE, "i", v->id);
	for (size_t i = 0; i < stay->table_count && e == ERR_OK; i++)
		e = stmt_run(t->db, SQL_TABLE_TAKE, "iitt", v->id, stay->tables[i], t->slot.starts, ends);
	if (e != ERR_OK)
		return e;
	return stmt_run(t->db, SQL_CHANGE, "iiittiiitti", v->id, t->slot.id, (int64_t)c->party, t->slot.starts, ends,
			(int64_t)c->sitting_minutes, stay->tables[0], deposit, c->actor, t->now, number);
}

enum err changes_apply(struct txn *t, const struct ticket_change *c, const struct reservation *v, int64_t number,
		       struct ticket_outcome *out)
{
	struct room_stay stay = {0};
	enum err e;

	if (v->status != LIFE_TEMPORARY && v->status != LIFE_CONFIRMED && v->status != LIFE_PREPAY_CONFIRM)
		return ERR_BAD_MOVE;
	e = find_place(t, c, v, &stay, out);
	if (e == ERR_OK && out->err != ERR_OK)
		return (enum err)out->err;
	if (e == ERR_OK)
		e = write_change(t, c, v, &stay, number);
	if (e != ERR_OK)
		return e;
	txn_free_guest(t, v->user_id, v->phone_key, v->restaurant_id, v->date, v->time);
	txn_touch_day(t, v->restaurant_id, v->date);
	txn_touch_day(t, v->restaurant_id, c->date);
	txn_open_day(t, v->restaurant_id, v->date);
	txn_open_day(t, v->restaurant_id, c->date); /* a smaller party leaves seats there as well */
	if (strcmp(v->date, c->date) == 0 && strcmp(v->time, c->time) == 0 && v->party == c->party)
		return ERR_OK; /* another table is nothing to write home about */
	return outbox_tell(t, OUTBOX_CHANGED, v->restaurant_id, v->id, c->by_staff ? MOVES_SECOND_THOUGHT_S : 0);
}

enum err changes_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	const struct ticket_change *c = &r->u.change;
	struct reservation v;
	enum err e = booking_get(t->db, c->reservation_id, t->now_s, &v);

	assert(r->kind == TICKET_CHANGE && c->party > 0 && c->sitting_minutes > 0);
	out->id = c->reservation_id;
	if (e == ERR_NO_SUCH_RESERVATION) {
		out->err = (int32_t)e;
		return ERR_OK;
	}
	if (e == ERR_OK)
		e = txn_mark(t);
	if (e != ERR_OK)
		return e;
	e = changes_apply(t, c, &v, (int64_t)number, out);
	txn_forget(t); /* seats and tables may be free or taken now */
	if (!txn_refuses_one(e))
		return e == ERR_OK ? txn_keep(t) : e;
	out->err = (int32_t)e;
	return txn_undo(t);
}
