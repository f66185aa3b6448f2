/*
 * booking.c - reservations: reading them, and making one.
 */
#include "booking.h"

#include "failpoint.h"
#include "slots.h"
#include "token.h"
#include "users.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

const char *booking_type_word(enum ticket_type t)
{
	static const char *const words[] = {[TICKET_DEPOSIT] = "RESERVATION_DEPOSIT", [TICKET_PREPAY] = "PREORDER_PREPAY"};

	assert(t == TICKET_DEPOSIT || t == TICKET_PREPAY);
	return words[t];
}

/* Columns as the macro RESERVATION in stmt.c lists them. */
static void take_reservation(sqlite3_stmt *s, int64_t now_s, struct reservation *out)
{
	char now[CLOCK_ISO_SIZE];
	enum life status = LIFE_CANCELED;

	memset(out, 0, sizeof *out);
	out->id = stmt_int(s, 0);
	stmt_copy(s, 1, out->code, sizeof out->code);
	out->slot_id = stmt_int(s, 2);
	out->user_id = stmt_int(s, 3);
	out->restaurant_id = stmt_int(s, 4);
	stmt_copy(s, 5, out->date, sizeof out->date);
	stmt_copy(s, 6, out->time, sizeof out->time);
	out->party = (int)stmt_int(s, 7);
	stmt_copy(s, 8, out->type, sizeof out->type);
	life_parse(stmt_text(s, 9), &status);
	stmt_copy(s, 10, out->request, sizeof out->request);
	stmt_copy(s, 11, out->hold_expires_at, sizeof out->hold_expires_at);
	out->deposit = stmt_int(s, 12);
	out->prepay = stmt_int(s, 13);
	out->total = stmt_int(s, 14);
	stmt_copy(s, 15, out->currency, sizeof out->currency);
	stmt_copy(s, 16, out->refund_policy, sizeof out->refund_policy);
	stmt_copy(s, 17, out->visit_status, sizeof out->visit_status);
	out->table_id = stmt_int(s, 18);
	out->version = stmt_int(s, 19);
	stmt_copy(s, 20, out->created_at, sizeof out->created_at);
	stmt_copy(s, 21, out->updated_at, sizeof out->updated_at);
	stmt_copy(s, 22, out->guest, sizeof out->guest);
	clock_iso(now_s, now);
	out->status = status == LIFE_TEMPORARY && strcmp(out->hold_expires_at, now) <= 0 ? LIFE_EXPIRED : status;
}

enum err booking_get(struct db *db, int64_t id, int64_t now_s, struct reservation *out)
{
	sqlite3_stmt *s = stmt_use(db, SQL_RESERVATION_GET, "i", id);
	enum err e;

	if (!stmt_row(db, s, &e))
		return e == ERR_OK ? ERR_NO_SUCH_RESERVATION : e;
	take_reservation(s, now_s, out);
	stmt_done(s);
	return ERR_OK;
}

enum err booking_of_user(struct db *db, int64_t user_id, int limit, int64_t now_s,
			 void (*each)(void *arg, const struct reservation *), void *arg)
{
	sqlite3_stmt *s = stmt_use(db, SQL_RESERVATIONS_OF_USER, "ii", user_id, (int64_t)limit);
	struct reservation r;
	enum err e;

	while (stmt_row(db, s, &e)) {
		take_reservation(s, now_s, &r);
		each(arg, &r);
	}
	return e;
}

enum err booking_items(struct db *db, int64_t id,
		       void (*each)(void *arg, int64_t menu_id, const char *name, int64_t price, int64_t quantity), void *arg)
{
	sqlite3_stmt *s = stmt_use(db, SQL_ITEMS_OF, "i", id);
	enum err e;

	while (stmt_row(db, s, &e))
		each(arg, stmt_int(s, 0), stmt_text(s, 1), stmt_int(s, 2), stmt_int(s, 3));
	return e;
}

enum err booking_by_code(struct db *db, const char *code, int64_t *id)
{
	enum err e;

	*id = 0;
	e = stmt_number(db, SQL_RESERVATION_BY_CODE, id, "t", code);
	return e == ERR_OK && *id == 0 ? ERR_NO_SUCH_RESERVATION : e;
}

void booking_from_ticket(const struct ticket_book *b, const struct ticket_outcome *o, struct reservation *out)
{
	assert(o->err == ERR_OK && o->made_s);
	memset(out, 0, sizeof *out);
	out->id = o->id;
	out->slot_id = o->slot_id;
	out->user_id = o->user_id;
	out->restaurant_id = b->restaurant_id;
	memcpy(out->code, o->code, sizeof out->code);
	memcpy(out->date, b->date, sizeof out->date);
	memcpy(out->time, b->time, sizeof out->time);
	out->party = b->party;
	snprintf(out->type, sizeof out->type, "%s", booking_type_word((enum ticket_type)b->type));
	memcpy(out->request, b->message, sizeof b->message);
	out->status = o->hold_until_s ? LIFE_TEMPORARY : LIFE_CONFIRMED;
	if (o->hold_until_s)
		clock_iso(o->hold_until_s, out->hold_expires_at);
	out->deposit = b->deposit;
	out->prepay = b->prepay;
	out->total = b->deposit + b->prepay;
	memcpy(out->currency, b->currency, sizeof out->currency);
	memcpy(out->refund_policy, b->policy, sizeof out->refund_policy);
	snprintf(out->visit_status, sizeof out->visit_status, "PENDING");
	out->version = 1;
	clock_iso(o->made_s, out->created_at);
	clock_iso(o->made_s, out->updated_at);
}

/* ---- before the line ---- */

/* Were these dishes ordered with it, and no others? */
static enum err same_items(struct db *db, int64_t id, const struct ticket_book *b, bool *same)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_ITEMS_OF, "i", id);
	int found = 0;
	enum err e;

	*same = true;
	while (stmt_row(db, s, &e)) {
		int i = 0;

		while (i < b->item_count && (b->items[i].menu_id != stmt_int(s, 0) || b->items[i].quantity != stmt_int(s, 3)))
			i++;
		*same &= i < b->item_count;
		found++;
	}
	*same &= found == b->item_count;
	return e;
}

/* A key that was used before: for the same booking it gives the same answer. */
static enum err find_key(struct db *db, const struct ticket_book *b, struct ticket_outcome *out)
{
	sqlite3_stmt *s = b->user_id < 0 ? stmt_use(db, SQL_BY_KEY_OF_GUEST, "ttt", b->guest.phone, b->guest.name, b->key) :
					   stmt_use(db, SQL_BY_KEY, "it", b->user_id, b->key);
	bool same, same_dishes = true;
	enum err e;

	assert(b->key[0]);
	if (!stmt_row(db, s, &e))
		return e;
	out->id = stmt_int(s, 0);
	clock_parse_iso(stmt_text(s, 5), &out->hold_until_s);
	same = stmt_int(s, 1) == b->party && stmt_int(s, 2) == b->restaurant_id && strcmp(stmt_text(s, 3), b->date) == 0 &&
	       strcmp(stmt_text(s, 4), b->time) == 0 && strcmp(stmt_text(s, 7), b->message) == 0 &&
	       strcmp(stmt_text(s, 6), booking_type_word((enum ticket_type)b->type)) == 0;
	stmt_done(s);
	e = same_items(db, out->id, b, &same_dishes);
	if (e == ERR_OK && !(same && same_dishes))
		out->err = ERR_KEY_REUSED;
	return e;
}

static void say_full(struct ticket_outcome *out, int64_t left)
{
	assert(out->err == ERR_OK);
	out->err = ERR_SLOT_FULL;
	out->remaining = left > 0 ? (int32_t)left : 0;
}

enum err booking_precheck(struct db *db, const struct restaurant_day *day, const struct ticket_book *b, int64_t now_s,
			  struct ticket_outcome *out)
{
	const struct slots_day *slots;
	const struct slot_view *v;
	char now[CLOCK_ISO_SIZE];
	int minute;
	enum err e = ERR_OK;

	assert(db->reading); /* one moment for everything below */
	*out = (struct ticket_outcome){0};
	if (b->key[0])
		e = find_key(db, b, out);
	if (e != ERR_OK || out->id)
		return e == ERR_OK ? (enum err)out->err : e;
	e = slots_of_day_kept(db, &day->restaurant, day->date, b->party, now_s, &slots);
	if (e != ERR_OK || !text_time(b->time, &minute) || !(v = slots_at(slots, minute)))
		return e;
	clock_iso(now_s, now);
	if (v->slot_id && b->user_id > 0)
		e = stmt_number(db, SQL_ACTIVE_OF_USER_NOW, &out->id, "iit", b->user_id, v->slot_id, now);
	if (e != ERR_OK || out->id)
		return e == ERR_OK ? ERR_DUPLICATE : e;
	if (v->available)
		return ERR_OK;
	say_full(out, v->remaining < b->party ? v->remaining : 0); /* 0: there are seats, but no table fits */
	return ERR_SLOT_FULL;
}

/* ---- inside the transaction ---- */

/* The login may have been ended since the door checked its signature. */
static enum err check_guest(struct db *db, const struct ticket_book *b, struct ticket_outcome *out)
{
	struct user u;
	enum err e;

	if (b->user_id < 0)
		return ERR_OK; /* a newcomer is written with the booking */
	e = users_by_token(db, b->user_id, b->token_version, &u);
	if (e != ERR_UNAUTHORIZED)
		return e;
	out->err = ERR_UNAUTHORIZED;
	return ERR_OK;
}

/* Report DUPLICATE in preference to SLOT_FULL. */
static enum err find_own(struct txn *t, const struct ticket_book *b, struct ticket_outcome *out)
{
	int64_t id = 0;
	enum err e = ERR_OK;

	if (t->slot.id && b->user_id > 0 && !WITHOUT("duplicate"))
		e = stmt_number(t->db, SQL_ACTIVE_OF_USER, &id, "ii", b->user_id, t->slot.id);
	if (id)
		*out = (struct ticket_outcome){.err = ERR_DUPLICATE, .id = id};
	return e;
}

/* Everything that must be looked up before the insert; out->err says no, out->id that it is there already. */
static enum err decide(struct txn *t, const struct ticket_book *b, int64_t *table, struct ticket_outcome *out)
{
	enum err e = check_guest(t->db, b, out);

	if (e == ERR_OK && out->err == ERR_OK && b->key[0])
		e = find_key(t->db, b, out);
	if (e != ERR_OK || out->err != ERR_OK || out->id)
		return e;
	e = slots_learn(t, b->restaurant_id, b->date, b->time, b->capacity);
	if (e == ERR_OK && t->slot.taken + b->party > t->slot.capacity && !WITHOUT("sum"))
		say_full(out, t->slot.capacity - t->slot.taken);
	if (e == ERR_OK && out->err == ERR_OK) {
		e = slots_choose_table(t, b->restaurant_id, t->slot.id, b->party, table);
		if (e == ERR_SLOT_FULL) {
			say_full(out, 0);
			e = ERR_OK;
		}
	}
	return e == ERR_OK && out->err == ERR_SLOT_FULL ? find_own(t, b, out) : e;
}

/*
 * A reservation code: R, the day it was made, the number of its row.  Another system's code (an import) may be there
 * already; then it gets a tail.
 */
static void make_code(const struct ticket_book *b, int64_t id, bool tail, char out[TICKET_CODE_SIZE])
{
	int n = snprintf(out, TICKET_CODE_SIZE, "R%s-%04lld", b->today, (long long)id);

	if (tail && n > 0 && n + 8 < TICKET_CODE_SIZE) {
		out[n++] = '-';
		token_random_hex(out + n, 6);
	}
}

static enum err insert_items(struct txn *t, const struct ticket_book *b, int64_t id)
{
	enum err e = ERR_OK;

	for (int i = 0; i < b->item_count && e == ERR_OK; i++)
		e = stmt_run(t->db, SQL_ITEM_ADD, "iiii", id, b->items[i].menu_id, (int64_t)b->items[i].unit_price,
			     (int64_t)b->items[i].quantity);
	return e;
}

/* The rows themselves. */
static enum err insert(struct txn *t, const struct ticket_book *b, int64_t table, uint64_t number, struct ticket_outcome *out)
{
	char until[CLOCK_ISO_SIZE], actor[32];
	bool due = b->deposit + b->prepay > 0;
	enum err e = ERR_OK;

	clock_iso(t->now_s + b->hold_s, until);
	out->user_id = b->user_id;
	if (b->user_id < 0)
		e = users_add_guest(t, &b->guest, number, &out->user_id);
	snprintf(actor, sizeof actor, "user:%lld", (long long)out->user_id);
	if (e == ERR_OK)
		e = slots_create(t, b->capacity);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_RESERVATION_ADD, "itiiitttiitttiittt", out->id, out->code, t->slot.id, out->user_id,
			     (int64_t)b->party, booking_type_word((enum ticket_type)b->type), due ? "TEMPORARY" : "CONFIRMED",
			     b->message[0] ? b->message : NULL, b->deposit, b->prepay, b->currency, b->policy,
			     due ? until : NULL, table, (int64_t)number, b->key[0] ? b->key : NULL, actor, t->now);
	if (e == ERR_OK)
		e = insert_items(t, b, out->id);
	out->hold_until_s = due ? t->now_s + b->hold_s : 0;
	out->slot_id = t->slot.id;
	out->made_s = t->now_s;
	return e;
}

/*
 * Writes one ticket, or refuses it in out->err and leaves nothing behind.  It runs between txn_mark() and txn_undo()
 * unless it is a single statement, which SQLite rolls back itself.
 */
static enum err write_one(struct txn *t, const struct ticket_book *b, int64_t table, uint64_t number, bool tail,
			  struct ticket_outcome *out)
{
	bool single = t->slot.id && b->item_count == 0 && b->user_id > 0;
	enum err e = t->next_id ? ERR_OK : stmt_number(t->db, SQL_NEXT_ID, &t->next_id, "");

	assert(t->slot.restaurant_id == b->restaurant_id);
	if (e == ERR_OK && !single)
		e = txn_mark(t);
	if (e != ERR_OK)
		return e;
	*out = (struct ticket_outcome){.id = t->next_id};
	make_code(b, out->id, tail, out->code);
	e = insert(t, b, table, number, out);
	if (e == ERR_OK) {
		t->next_id++;
		t->slot.taken += b->party;
		out->remaining = (int32_t)(t->slot.capacity - t->slot.taken);
		return single ? ERR_OK : txn_keep(t);
	}
	/* The book's own rules had the last word: this ticket is refused, its neighbours are not touched. */
	*out = (struct ticket_outcome){.err = (int32_t)e};
	if (!txn_refuses_one(e))
		return e;
	if (!single)
		return txn_undo(t);
	txn_forget(t);
	return ERR_OK;
}

enum err booking_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	const struct ticket_book *b = &r->u.book;
	int64_t table = 0;
	enum err e;

	assert(r->kind == TICKET_BOOK && b->party > 0 && b->item_count <= TICKET_ITEMS_MAX);
	e = decide(t, b, &table, out);
	if (e != ERR_OK || out->err != ERR_OK || out->id)
		return e;
	e = write_one(t, b, table, number, false, out);
	if (e != ERR_OK)
		return e;
	if (out->err == ERR_CODE_TAKEN || out->err == ERR_DUPLICATE)
		e = slots_learn(t, b->restaurant_id, b->date, b->time, b->capacity);
	if (e == ERR_OK && out->err == ERR_CODE_TAKEN)
		return write_one(t, b, table, number, true, out);
	return e == ERR_OK && out->err == ERR_DUPLICATE ? find_own(t, b, out) : e;
}
