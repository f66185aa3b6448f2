/*
 * booking.c - reservations.
 */
#include "booking.h"

#include "failpoint.h"
#include "slots.h"
#include "users.h"
#include "zone.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/* By enum ticket_type. */
static const char *const types[] = {"RESERVATION_DEPOSIT", "PREORDER_PREPAY"};

/* Columns as the macro RESERVATION in sql.c lists them. */
static void take_reservation(sqlite3_stmt *s, int64_t now_s, struct reservation *out)
{
	char now[CLOCK_ISO_SIZE];
	enum life status = LIFE_CANCELED;

	memset(out, 0, sizeof *out);
	out->id = sql_int(s, 0);
	sql_copy(s, 1, out->code, sizeof out->code);
	out->slot_id = sql_int(s, 2);
	out->user_id = sql_int(s, 3);
	out->restaurant_id = sql_int(s, 4);
	sql_copy(s, 5, out->date, sizeof out->date);
	sql_copy(s, 6, out->time, sizeof out->time);
	out->party = (int)sql_int(s, 7);
	sql_copy(s, 8, out->type, sizeof out->type);
	life_parse(sql_text(s, 9), &status);
	sql_copy(s, 10, out->request, sizeof out->request);
	sql_copy(s, 11, out->hold_expires_at, sizeof out->hold_expires_at);
	out->deposit = sql_int(s, 12);
	out->prepay = sql_int(s, 13);
	out->total = sql_int(s, 14);
	sql_copy(s, 15, out->currency, sizeof out->currency);
	sql_copy(s, 16, out->refund_policy, sizeof out->refund_policy);
	sql_copy(s, 17, out->visit_status, sizeof out->visit_status);
	out->table_id = sql_int(s, 18);
	out->version = sql_int(s, 19);
	sql_copy(s, 20, out->created_at, sizeof out->created_at);
	sql_copy(s, 21, out->updated_at, sizeof out->updated_at);
	sql_copy(s, 22, out->guest, sizeof out->guest);
	clock_iso(now_s, now);
	out->status = status == LIFE_TEMPORARY && strcmp(out->hold_expires_at, now) <= 0 ? LIFE_EXPIRED : status;
}

enum err booking_get(struct db *db, int64_t id, int64_t now_s, struct reservation *out)
{
	sqlite3_stmt *s = sql_use(db, SQL_RESERVATION_GET, "i", id);
	enum err e;

	if (!sql_row(db, s, &e))
		return e == ERR_OK ? ERR_NO_SUCH_RESERVATION : e;
	take_reservation(s, now_s, out);
	sql_done(s);
	return ERR_OK;
}

enum err booking_of_user(struct db *db, int64_t user_id, int limit, int64_t now_s,
			 void (*each)(void *arg, const struct reservation *), void *arg)
{
	sqlite3_stmt *s = sql_use(db, SQL_RESERVATIONS_OF_USER, "ii", user_id, (int64_t)limit);
	struct reservation r;
	enum err e;

	while (sql_row(db, s, &e)) {
		take_reservation(s, now_s, &r);
		each(arg, &r);
	}
	return e;
}

enum err booking_items(struct db *db, int64_t id,
		       void (*each)(void *arg, int64_t menu_id, const char *name, int64_t price, int64_t quantity),
		       void *arg)
{
	sqlite3_stmt *s = sql_use(db, SQL_ITEMS_OF, "i", id);
	enum err e;

	while (sql_row(db, s, &e))
		each(arg, sql_int(s, 0), sql_text(s, 1), sql_int(s, 2), sql_int(s, 3));
	return e;
}

/* A statement with one number in its only row. */
static enum err one_int(struct db *db, sqlite3_stmt *s, int64_t *out)
{
	enum err e;

	while (sql_row(db, s, &e))
		*out = sql_int(s, 0);
	return e;
}

enum err booking_by_code(struct db *db, const char *code, int64_t *id)
{
	enum err e;

	*id = 0;
	e = one_int(db, sql_use(db, SQL_RESERVATION_BY_CODE, "t", code), id);
	return e == ERR_OK && *id == 0 ? ERR_NO_SUCH_RESERVATION : e;
}

enum err booking_max_ticket(struct db *db, uint64_t *out)
{
	int64_t n = 0;
	enum err e = one_int(db, sql_use(db, SQL_MAX_TICKET, ""), &n);

	*out = (uint64_t)n;
	return e;
}

enum err booking_by_ticket(struct db *db, uint64_t ticket, struct ticket_outcome *out)
{
	sqlite3_stmt *s = sql_use(db, SQL_BY_TICKET, "i", (int64_t)ticket);
	enum err e;

	if (!sql_row(db, s, &e))
		return e == ERR_OK ? ERR_NO_SUCH_RESERVATION : e;
	*out = (struct ticket_outcome){.err = ERR_OK, .id = sql_int(s, 0)};
	clock_parse_iso(sql_text(s, 1), &out->hold_until_s);
	sql_done(s);
	return ERR_OK;
}

/* A key that was used before: for the same booking it gives the same answer. */
static enum err find_key(struct db *db, const struct ticket_book *b, struct ticket_outcome *out)
{
	sqlite3_stmt *s = b->user_id < 0 ? sql_use(db, SQL_BY_KEY_OF_GUEST, "ttt", b->guest.phone, b->guest.name, b->key) :
					   sql_use(db, SQL_BY_KEY, "it", b->user_id, b->key);
	enum err e;

	if (!sql_row(db, s, &e))
		return e;
	out->id = sql_int(s, 0);
	clock_parse_iso(sql_text(s, 5), &out->hold_until_s);
	if (sql_int(s, 1) != b->party || sql_int(s, 2) != b->restaurant_id || strcmp(sql_text(s, 3), b->date) != 0 ||
	    strcmp(sql_text(s, 4), b->time) != 0 || strcmp(sql_text(s, 6), types[b->type]) != 0)
		out->err = ERR_KEY_REUSED;
	sql_done(s);
	return ERR_OK;
}

struct slot {
	int64_t id, capacity; /* id 0: nobody has booked it yet */
};

/*
 * What the pen's holder has learnt within his transaction, in which nobody else writes: a batch for one
 * hot slot looks it up once.  Every transaction begins knowing nothing, and so does everybody after a
 * ticket that was rolled back.
 */
static struct {
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	int64_t restaurant; /* of the slot; 0: no slot is known */
	struct slot slot;
	int64_t taken; /* seats in it */
	int64_t tables_of; /* the restaurant whose tables these are; 0: none are known */
	struct seats_table tables[SEATS_TABLES_MAX];
	size_t table_count;
	int64_t next_id; /* of the next reservation; 0: not asked yet */
} known;

static void know_nothing(void)
{
	known.restaurant = 0;
	known.tables_of = 0;
	known.next_id = 0;
}

static enum err find_slot(struct db *db, const struct ticket_book *b, struct slot *out)
{
	sqlite3_stmt *s = sql_use(db, SQL_SLOT_FIND, "itt", b->restaurant_id, b->date, b->time);
	enum err e;

	*out = (struct slot){.capacity = b->capacity};
	while (sql_row(db, s, &e))
		*out = (struct slot){.id = sql_int(s, 0), .capacity = sql_int(s, 1)};
	return e;
}

/* The ticket's slot into known, with the seats taken in it. */
static enum err know_slot(struct db *db, const struct ticket_book *b)
{
	enum err e;

	if (known.restaurant == b->restaurant_id && strcmp(known.date, b->date) == 0 && strcmp(known.time, b->time) == 0)
		return ERR_OK;
	known.restaurant = 0;
	known.taken = 0;
	e = find_slot(db, b, &known.slot);
	if (e == ERR_OK && known.slot.id)
		e = one_int(db, sql_use(db, SQL_SLOT_TAKEN, "i", known.slot.id), &known.taken);
	if (e != ERR_OK)
		return e;
	memcpy(known.date, b->date, sizeof known.date);
	memcpy(known.time, b->time, sizeof known.time);
	known.restaurant = b->restaurant_id;
	return ERR_OK;
}

static enum err know_next_id(struct db *db)
{
	return known.next_id ? ERR_OK : one_int(db, sql_use(db, SQL_NEXT_ID, ""), &known.next_id);
}

static enum err know_tables(struct db *db, int64_t restaurant)
{
	enum err e;

	if (known.tables_of == restaurant)
		return ERR_OK;
	e = restaurants_tables(db, restaurant, known.tables, &known.table_count);
	known.tables_of = e == ERR_OK ? restaurant : 0;
	return e;
}

static void say_full(struct ticket_outcome *out, int64_t left)
{
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
		e = one_int(db, sql_use(db, SQL_ACTIVE_OF_USER_NOW, "iit", b->user_id, v->slot_id, now), &out->id);
	if (e != ERR_OK || out->id)
		return e == ERR_OK ? ERR_DUPLICATE : e;
	if (v->available)
		return ERR_OK;
	say_full(out, v->remaining < b->party ? v->remaining : 0); /* seats, but no table */
	return ERR_SLOT_FULL;
}

enum err booking_expire_due_locked(struct db *db, int64_t now_s, int *count)
{
	char now[CLOCK_ISO_SIZE];
	int64_t due = 0;
	enum err e;

	know_nothing();
	clock_iso(now_s, now);
	*count = 0;
	e = one_int(db, sql_use(db, SQL_DUE_COUNT, "t", now), &due);
	if (e != ERR_OK || due == 0)
		return e; /* mostly: an UPDATE of nothing would open every index for writing */
	e = sql_run(db, SQL_EXPIRE_DUE, "tt", now, "keeper");
	*count = e == ERR_OK ? sql_changes(db) : 0;
	return e;
}

/* A restaurant with tables: the one for this party.  *table 0: none needed.  SLOT_FULL when none is free. */
static enum err choose_table(struct db *db, int64_t restaurant, int64_t slot_id, int party, int64_t *table,
			     struct ticket_outcome *out)
{
	sqlite3_stmt *s;
	int best;
	enum err e = know_tables(db, restaurant);

	*table = 0;
	if (e != ERR_OK || known.table_count == 0)
		return e;
	for (size_t i = 0; i < known.table_count; i++)
		known.tables[i].taken = false;
	s = sql_use(db, SQL_TABLES_TAKEN_OF_SLOT, "i", slot_id);
	while (sql_row(db, s, &e))
		for (size_t i = 0; i < known.table_count; i++)
			if (known.tables[i].id == sql_int(s, 0))
				known.tables[i].taken = true;
	best = seats_pick(known.tables, known.table_count, party);
	if (best < 0)
		say_full(out, 0);
	else
		*table = known.tables[best].id;
	return e;
}

/*
 * A code ends with the number of its row.  Another system's code (an import) may be there already; then
 * it gets a tail.
 */
static void make_code(const struct ticket_book *b, int64_t id, bool tail, char out[44])
{
	int n = snprintf(out, 44, "R%s-%04lld", b->today, (long long)id);

	if (tail && n > 0 && n + 8 < 44) {
		out[n++] = '-';
		token_random_hex(out + n, 6);
	}
}

/* The rows themselves, inside the ticket's savepoint. */
static enum err insert(struct db *db, const struct ticket_book *b, int64_t table, uint64_t ticket, int64_t now_s,
		       struct ticket_outcome *out)
{
	const struct ticket_guest *g = &b->guest;
	char now[CLOCK_ISO_SIZE], until[CLOCK_ISO_SIZE], actor[32];
	bool due = b->deposit + b->prepay > 0;
	enum err e = ERR_OK;

	clock_iso(now_s, now);
	clock_iso(now_s + b->hold_s, until);
	out->user_id = b->user_id;
	if (b->user_id < 0)
		e = users_add_guest_locked(db, g->name, g->phone, g->email[0] ? g->email : NULL, (enum lang)g->lang, ticket, now_s,
					 &out->user_id);
	snprintf(actor, sizeof actor, "user:%lld", (long long)out->user_id);
	if (e == ERR_OK && known.slot.id == 0) {
		e = sql_run(db, SQL_SLOT_ADD, "ittit", b->restaurant_id, b->date, b->time, (int64_t)b->capacity, now);
		known.slot.id = sql_last_id(db);
	}
	if (e == ERR_OK)
		e = sql_run(db, SQL_RESERVATION_ADD, "itiiitttiitttiittt", out->id, out->code, known.slot.id, out->user_id,
			    (int64_t)b->party, types[b->type], due ? "TEMPORARY" : "CONFIRMED",
			    b->message[0] ? b->message : NULL, b->deposit, b->prepay, b->currency, b->policy,
			    due ? until : NULL, table, (int64_t)ticket, b->key[0] ? b->key : NULL, actor, now);
	for (int i = 0; i < b->item_count && e == ERR_OK; i++)
		e = sql_run(db, SQL_ITEM_ADD, "iiii", out->id, b->items[i].menu_id, (int64_t)b->items[i].unit_price,
			    (int64_t)b->items[i].quantity);
	out->hold_until_s = due ? now_s + b->hold_s : 0;
	out->slot_id = known.slot.id;
	out->made_s = now_s;
	return e;
}

/*
 * Does this end the one ticket, rather than the whole transaction?  A rule of the book that said no; and
 * a ticket that breaks one which the door should have checked must not take its neighbours along.
 */
static bool is_answer(enum err e)
{
	return e == ERR_DUPLICATE || e == ERR_SLOT_FULL || e == ERR_WRONG_TABLE || e == ERR_BAD_MOVE || e == ERR_INTERNAL ||
	       e == ERR_NEVER_DELETED;
}

/* His login may have ended since the door looked at its signature. */
static enum err check_guest(struct db *db, const struct ticket_book *b, struct ticket_outcome *out)
{
	struct user u;
	enum err e;

	if (b->user_id < 0)
		return ERR_OK; /* he comes with his booking */
	e = users_get(db, b->user_id, &u);
	if (e == ERR_NOT_FOUND || (e == ERR_OK && !users_may_enter(&u, b->token_version))) {
		out->err = ERR_UNAUTHORIZED;
		return ERR_OK;
	}
	return e;
}

/* He has this slot already: that is told rather than that it is full. */
static enum err find_own(struct db *db, const struct ticket_book *b, struct ticket_outcome *out)
{
	int64_t id = 0;
	enum err e = ERR_OK;

	if (known.slot.id && b->user_id > 0 && !WITHOUT("duplicate"))
		e = one_int(db, sql_use(db, SQL_ACTIVE_OF_USER, "ii", b->user_id, known.slot.id), &id);
	if (id)
		*out = (struct ticket_outcome){.err = ERR_DUPLICATE, .id = id};
	return e;
}

/* Everything that must be looked up before the insert; out->err says no, out->id that it is there already. */
static enum err decide(struct db *db, const struct ticket_book *b, int64_t *table, struct ticket_outcome *out)
{
	enum err e = check_guest(db, b, out);

	if (e == ERR_OK && out->err == ERR_OK && b->key[0])
		e = find_key(db, b, out);
	if (e != ERR_OK || out->err != ERR_OK || out->id)
		return e;
	e = know_slot(db, b);
	if (e == ERR_OK && known.taken + b->party > known.slot.capacity && !WITHOUT("sum"))
		say_full(out, known.slot.capacity - known.taken);
	if (e == ERR_OK && out->err == ERR_OK)
		e = choose_table(db, b->restaurant_id, known.slot.id, b->party, table, out);
	return e == ERR_OK && out->err == ERR_SLOT_FULL ? find_own(db, b, out) : e;
}

void booking_from_ticket(const struct ticket_book *b, const struct ticket_outcome *o, struct reservation *out)
{
	memset(out, 0, sizeof *out);
	out->id = o->id;
	out->slot_id = o->slot_id;
	out->user_id = o->user_id;
	out->restaurant_id = b->restaurant_id;
	memcpy(out->code, o->code, sizeof out->code);
	memcpy(out->date, b->date, sizeof out->date);
	memcpy(out->time, b->time, sizeof out->time);
	out->party = b->party;
	snprintf(out->type, sizeof out->type, "%s", types[b->type]);
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

/*
 * One ticket, written or refused in out->err with nothing of it left: in a savepoint of its own, but for the one
 * that is a single statement, which SQLite undoes by itself.
 */
static enum err write_one(struct db *db, const struct ticket_book *b, int64_t table, uint64_t ticket, bool tail,
			  int64_t now_s, struct ticket_outcome *out)
{
	bool single = known.slot.id && b->item_count == 0 && b->user_id > 0;
	enum err e = know_next_id(db);

	if (e == ERR_OK && !single)
		e = sql_run(db, SQL_SAVEPOINT, "");
	if (e != ERR_OK)
		return e;
	*out = (struct ticket_outcome){.id = known.next_id};
	make_code(b, out->id, tail, out->code);
	e = insert(db, b, table, ticket, now_s, out);
	if (e == ERR_OK) {
		known.next_id++;
		known.taken += b->party;
		out->remaining = (int32_t)(known.slot.capacity - known.taken);
		return single ? ERR_OK : sql_run(db, SQL_RELEASE, "");
	}
	know_nothing();
	/* The book's own rules had the last word: this ticket is refused, its neighbours are not touched. */
	*out = (struct ticket_outcome){.err = (int32_t)e};
	if (!is_answer(e))
		return e;
	if (single)
		return ERR_OK;
	e = sql_run(db, SQL_ROLLBACK_TO, "");
	return e == ERR_OK ? sql_run(db, SQL_RELEASE, "") : e;
}

enum err booking_write(struct db *db, const struct ticket_book *b, uint64_t ticket, int64_t now_s,
		       struct ticket_outcome *out)
{
	int64_t table = 0;
	enum err e;

	*out = (struct ticket_outcome){0};
	e = decide(db, b, &table, out);
	if (e != ERR_OK || out->err != ERR_OK || out->id)
		return e;
	e = write_one(db, b, table, ticket, false, now_s, out);
	if (e != ERR_OK || out->err != ERR_DUPLICATE)
		return e;
	/* Something unique is there already: this guest in this slot, which is an answer, or else our code. */
	e = know_slot(db, b);
	if (e == ERR_OK)
		e = find_own(db, b, out);
	return e == ERR_OK && out->id == 0 ? write_one(db, b, table, ticket, true, now_s, out) : e;
}

/* ---- changes of status ---- */

/* A change of status on its way: what, of which reservation, by which ticket, when. */
struct moving {
	const struct ticket_move *m;
	const struct reservation *v;
	int64_t ticket, now_s;
	char now[CLOCK_ISO_SIZE];
};

static enum err set_status(struct db *db, const struct moving *w, enum life to)
{
	return sql_run(db, SQL_MOVE, "ittti", w->v->id, life_word(to), w->m->actor, w->now, w->ticket);
}

/* A hold that expired gave its table away as well: the party gets whichever fits now. */
static enum err find_table_again(struct db *db, const struct moving *w, struct ticket_outcome *out)
{
	int64_t table;
	enum err e = choose_table(db, w->v->restaurant_id, w->v->slot_id, w->v->party, &table, out);

	if (e != ERR_OK || out->err != ERR_OK)
		return e == ERR_OK ? (enum err)out->err : e;
	return sql_run(db, SQL_TABLE_SET, "iitt", w->v->id, table, w->m->actor, w->now);
}

static enum err confirm(struct db *db, const struct moving *w, struct ticket_outcome *out)
{
	const struct reservation *v = w->v;
	enum life to = strcmp(v->type, types[TICKET_PREPAY]) == 0 ? LIFE_PREPAY_CONFIRM : LIFE_CONFIRMED;
	enum err e = ERR_OK;

	if (v->status == to)
		return ERR_OK; /* said twice: it is so */
	if (!life_may(v->status, to)) {
		out->err = ERR_BAD_MOVE;
		return ERR_OK;
	}
	if (v->status == LIFE_EXPIRED && v->table_id)
		e = find_table_again(db, w, out);
	if (e == ERR_OK)
		e = set_status(db, w, to);
	if (e == ERR_OK && v->total > 0)
		e = sql_run(db, SQL_PAYMENT_ADD, "iitt", v->id, v->total, v->currency, w->now);
	return e;
}

/* How much goes back to the guest: all of it when the restaurant cancels, else by the frozen policy. */
static int64_t refund_of(struct db *db, const struct ticket_move *m, const struct reservation *v, int64_t paid, int64_t now_s)
{
	struct restaurant r;
	struct date day, today;
	int minute, now_minute;
	int64_t starts;

	if (m->by != BY_GUEST || restaurants_get(db, v->restaurant_id, &r) != ERR_OK || !text_date(v->date, &day) ||
	    !text_time(v->time, &minute) || !zone_to_utc(r.zone, day, minute, &starts) ||
	    !zone_to_local(r.zone, now_s, &today, &now_minute))
		return paid;
	return money_refund(v->refund_policy, v->party, paid, text_days(day) - text_days(today), (starts - now_s) / 60);
}

enum err booking_refund_now(struct db *db, const struct reservation *v, int64_t now_s, int64_t *paid, int64_t *refund)
{
	struct ticket_move m = {.by = BY_GUEST};
	sqlite3_stmt *s = sql_use(db, SQL_PAID_OF, "i", v->id);
	int64_t sum = 0;
	enum err e;

	while (sql_row(db, s, &e))
		sum = sql_int(s, 1);
	if (e != ERR_OK)
		return e;
	*paid = sum;
	*refund = sum > 0 ? refund_of(db, &m, v, sum, now_s) : 0;
	return ERR_OK;
}

enum err booking_refunded(struct db *db, int64_t id, int64_t *amount)
{
	*amount = 0;
	return one_int(db, sql_use(db, SQL_REFUND_OF, "i", id), amount);
}

static enum err cancel(struct db *db, const struct moving *w, struct ticket_outcome *out)
{
	static const char *const by[] = {"GUEST", "RESTAURANT", "SYSTEM"};
	sqlite3_stmt *s;
	int64_t payment = 0, paid = 0, refund = 0;
	enum err e;

	if (w->v->status == LIFE_CANCELED)
		return ERR_OK;
	if (!life_may(w->v->status, LIFE_CANCELED)) {
		out->err = ERR_BAD_MOVE;
		return ERR_OK;
	}
	s = sql_use(db, SQL_PAID_OF, "i", w->v->id);
	while (sql_row(db, s, &e)) {
		payment = sql_int(s, 0);
		paid = sql_int(s, 1);
	}
	if (e == ERR_OK && paid > 0)
		refund = refund_of(db, w->m, w->v, paid, w->now_s);
	/* The money is due back, in a list; the seats are free at once. */
	if (e == ERR_OK && refund > 0)
		e = sql_run(db, SQL_PAYMENT_DUE_BACK, "ii", payment, refund);
	if (e == ERR_OK && refund > 0)
		e = set_status(db, w, LIFE_REFUND_PENDING);
	if (e == ERR_OK)
		e = set_status(db, w, LIFE_CANCELED);
	if (e == ERR_OK)
		e = sql_run(db, SQL_CANCELLATION_ADD, "ittit", w->v->id, by[w->m->by], w->m->reason, refund, w->now);
	return e;
}

enum err booking_was_moved(struct db *db, int64_t id, uint64_t ticket, bool *done)
{
	int64_t found = 0;
	enum err e = one_int(db, sql_use(db, SQL_MOVED_BY_TICKET, "ii", id, (int64_t)ticket), &found);

	*done = found != 0;
	return e;
}

/* Refused: nothing of it stays but the money, if it came too late: that is due back. */
static enum err undo(struct db *db, const struct moving *w)
{
	enum err e = sql_run(db, SQL_ROLLBACK_TO, "");

	if (e == ERR_OK && w->m->kind == MOVE_CONFIRM && w->v->status == LIFE_EXPIRED && w->v->total > 0)
		e = sql_run(db, SQL_PAYMENT_LATE, "iitt", w->v->id, w->v->total, w->v->currency, w->now);
	return e;
}

enum err booking_move(struct db *db, const struct ticket_move *m, uint64_t ticket, int64_t now_s,
		      struct ticket_outcome *out, struct reservation *moved)
{
	struct moving w = {.m = m, .v = moved, .ticket = (int64_t)ticket, .now_s = now_s};
	enum err e = booking_get(db, m->reservation_id, now_s, moved);

	know_nothing();
	clock_iso(now_s, w.now);
	*out = (struct ticket_outcome){.id = m->reservation_id};
	if (e == ERR_NO_SUCH_RESERVATION) {
		out->err = (int32_t)e;
		return ERR_OK;
	}
	if (e == ERR_OK)
		e = sql_run(db, SQL_SAVEPOINT, "");
	if (e != ERR_OK)
		return e;
	e = m->kind == MOVE_CONFIRM ? confirm(db, &w, out) : cancel(db, &w, out);
	if (is_answer(e)) {
		out->err = (int32_t)e;
		e = undo(db, &w);
	}
	return e == ERR_OK ? sql_run(db, SQL_RELEASE, "") : e;
}

enum err booking_expire_due(struct db *db, int64_t now_s, int *count)
{
	char now[CLOCK_ISO_SIZE];
	int64_t due = 0;
	enum err e;

	*count = 0;
	clock_iso(now_s, now);
	e = one_int(db, sql_use(db, SQL_DUE_COUNT, "t", now), &due);
	if (e != ERR_OK || due == 0)
		return e;
	e = db_begin(db);
	if (e != ERR_OK)
		return e;
	return db_end(db, booking_expire_due_locked(db, now_s, count));
}
