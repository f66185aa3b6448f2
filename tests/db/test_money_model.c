/*
 * test_money_model.c - ten thousand random steps of money against a model that knows only what guests handed over and what
 * they were given: paid in time, late, twice, for a change that ran out or was withdrawn, with another amount in mind; cancelled by
 * guest, desk and command; changed, undone, refunded, run out.
 *
 * After every step kept + returned + due back = received, of that reservation and of all, and what is due back stands in the
 * owner's list; in won, in odd cents and in odd fils.  A seed in JARI_SEED repeats a run.
 */
#include "batch.h"
#include "reports.h"

#include "noon.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ACCOUNTS_MAX = 6000,
	RECENT = 16,    /* reservations that something still happens to */
	CAPACITY = 14,  /* of a slot: holds that ran out find their seats sold */
	HOLD_S = 410,   /* ends at a second at which no step is taken */
	AT_SECOND = 30, /* of a minute; the terms change at full minutes */
	SEOUL_S = 9 * 3600,
};

/* What the world knows about the money of one reservation. */
struct account {
	int64_t id;
	int64_t received, kept, returned, due;
	int64_t dishes;       /* that were ordered ahead: paid with the deposit, and part of it as far as they go */
	int64_t people;       /* whom the deposit was paid for */
	int64_t asked_people; /* of a change that waits for its money: whom it is paid for then */
	int64_t forfeited;    /* of what is kept: of those who were taken off, and not given back with the rest */
	int cap, asked_cap;   /* percent; asked_cap: of a change that waits for its money */
	int64_t act_version;  /* the reservation's, after the last act of the desk that can be undone ... */
	int64_t moved;        /* ... which moved so much to what is due back */
};

/* A reservation by the book, at this moment. */
struct row {
	char status[20];
	int64_t total, party, starts_s, version;
	int64_t change, change_total;  /* a change that waits for its money; 0: none */
	int64_t ended;                 /* the newest change, if it ended without its money, or with money that is due back */
	int64_t change_in, change_due; /* what came for that or the other, and is due back of it */
};

static struct account accounts[ACCOUNTS_MAX];
static int count;
static struct account all;   /* the sum of them */
static struct account *last; /* of the step before */
static uint64_t random_state;
static int64_t now_s;
static int did[13];
static enum {
	BOOK,
	PAID,
	LATE,
	TWICE,
	SAID_AGAIN,
	CANCELLED,
	UNDONE,
	REFUNDED,
	CHANGED,
	ASKED,
	ASKED_PAID,
	WITHDRAWN,
	REFUSED
} what;

static int chance(int n)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (int)((random_state >> 33) % (unsigned)n);
}

static void stand(void)
{
	char iso[CLOCK_ISO_SIZE];

	clock_iso(now_s, iso);
	noon_stand_at(iso);
}

/* Odd cents, so that nothing can be divided. */
static const struct coin {
	char currency[4];
	int64_t units, each, large;
	int steps;
	int from;  /* a deposit is asked of parties of this size on */
	int lunch; /* a head, whatever the size */
} coins[] = {{"KRW", 1, 5000, 10000, 10000, 1, 5000},
	     {"EUR", 100, 733, 1067, 5000, 1, 250},
	     {"KWD", 1000, 1255, 3337, 4000, 1, 0},
	     {"KRW", 1, 5000, 10000, 4000, 4, 2000}},
  *coin;

static bool is_lunch(int64_t at_s)
{
	return (at_s + SEOUL_S) % 86400 < 15 * 3600;
}

static int64_t deposit_of(int64_t party, int64_t at_s)
{
	int64_t each = is_lunch(at_s) ? coin->lunch : party >= 7 ? coin->large : coin->each;

	return party >= coin->from ? party * each : 0;
}

/* What dishes leave of it. */
static int64_t beside(int64_t deposit, int64_t dishes)
{
	return deposit > dishes ? deposit - dishes : 0;
}

static struct row look(struct book *b, int64_t id);

static int64_t money_of(struct book *b, int64_t id, const char *column)
{
	return book_int(b->db.handle, "SELECT ifnull(sum(%s), 0) FROM payments WHERE reservation_id = %lld", column,
			(long long)id);
}

static void look_at_change(struct book *b, int64_t id, struct row *r)
{
	int64_t newest = book_int(b->db.handle,
				  "SELECT ifnull(max(reservation_id), 0) FROM reservations WHERE change_of = %lld"
				  " AND change_of IS NOT NULL",
				  (long long)id);

	if (!newest)
		return;
	r->change_total = look(b, newest).total;
	r->change_in = money_of(b, newest, "amount");
	r->change_due = money_of(b, newest, "due_back_amount");
	if (!r->change && (!r->change_in || r->change_due) &&
	    !book_int(b->db.handle, "SELECT ifnull(change_done, 0) FROM reservations WHERE reservation_id = %lld",
		      (long long)newest))
		r->ended = newest;
}

static struct row look(struct book *b, int64_t id)
{
	static const char sql[] =
		"SELECT CASE WHEN status = 'TEMPORARY' AND hold_expires_at <= ?2 THEN 'EXPIRED' WHEN status = 'PREPAY_CONFIRM'"
		" THEN 'CONFIRMED' ELSE status END, total_amount, "
		"party_size,"
		" CAST(strftime('%s', starts_at) AS INTEGER), version FROM reservations WHERE reservation_id = ?1";
	char now[CLOCK_ISO_SIZE];
	struct row r = {0};
	sqlite3_stmt *s;

	clock_iso(now_s, now);
	assert_int_equal(sqlite3_prepare_v2(b->db.handle, sql, -1, &s, NULL), SQLITE_OK);
	sqlite3_bind_int64(s, 1, id);
	sqlite3_bind_text(s, 2, now, -1, SQLITE_STATIC);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	snprintf(r.status, sizeof r.status, "%s", (const char *)sqlite3_column_text(s, 0));
	r.total = sqlite3_column_int64(s, 1);
	r.party = sqlite3_column_int64(s, 2);
	r.starts_s = sqlite3_column_int64(s, 3);
	r.version = sqlite3_column_int64(s, 4);
	sqlite3_finalize(s);
	if (strcmp(r.status, "CONFIRMED") == 0)
		r.change = book_int(b->db.handle,
				    "SELECT ifnull(max(reservation_id), 0) FROM reservations WHERE change_of = %lld AND"
				    " change_of IS NOT NULL AND status = 'TEMPORARY' AND hold_expires_at > '%s'",
				    (long long)id, now);
	if (strcmp(r.status, "CONFIRMED") == 0)
		look_at_change(b, id, &r);
	return r;
}

static bool is(const struct row *r, const char *status)
{
	return strcmp(r->status, status) == 0;
}

/* ---- the model ---- */

static void hand_over(struct account *a, int64_t amount)
{
	a->received += amount;
	all.received += amount;
}

static void keep(struct account *a, int64_t amount)
{
	a->kept += amount;
	all.kept += amount;
}

static void owe(struct account *a, int64_t amount)
{
	a->due += amount;
	all.due += amount;
}

/* POLICY, in words: everything until the day itself, half until two hours before, then a fifth, or a tenth from eight people on. */
/* What cannot be divided is the guest's. */
static int64_t refund_of(int64_t amount, int pct)
{
	return amount * pct / 100 + (amount * pct % 100 > 0);
}

static int percent(const struct account *a, const struct row *r)
{
	int64_t days = (r->starts_s + SEOUL_S) / 86400 - (now_s + SEOUL_S) / 86400, minutes = (r->starts_s - now_s) / 60;
	int p = minutes <= 0 ? 0 : days >= 1 ? 100 : minutes >= 120 ? 50 : r->party >= 8 ? 10 : 20;

	return p < a->cap ? p : a->cap;
}

/* ---- what is sent ---- */

static struct ticket_request act_on(const struct account *a, const struct row *r, enum ticket_act_kind kind)
{
	struct ticket_request q = {.kind = TICKET_ACT};
	struct ticket_act *act = &q.u.act;

	act->reservation_id = act->move.reservation_id = a->id;
	act->version = r->version;
	act->act = (int32_t)kind;
	act->move.kind = kind == ACT_CANCEL ? MOVE_CANCEL : MOVE_CONFIRM;
	act->move.by = BY_RESTAURANT;
	strcpy(act->actor, "user:7");
	strcpy(act->move.actor, "user:7");
	return q;
}

static void put_slot(int64_t at_s, char date[TEXT_DATE_SIZE], char time[TEXT_TIME_SIZE], int64_t *starts_s)
{
	text_put_date(text_from_days((at_s + SEOUL_S) / 86400), date);
	text_put_time((int)((at_s + SEOUL_S) % 86400 / 60), time);
	*starts_s = at_s;
}

static void set_slot(char date[TEXT_DATE_SIZE], char time[TEXT_TIME_SIZE], int64_t *starts_s)
{
	static const int64_t ahead[] = {0, 0, 1, 2, 4};
	int64_t day = (now_s + SEOUL_S) / 86400 + ahead[chance(5)];

	put_slot(day * 86400 - SEOUL_S + (chance(2) ? 18 : 12) * 3600, date, time, starts_s);
}

static void book_one(struct book *b)
{
	struct ticket_request q = noon_wish(1 + chance(2000), 1 + chance(9));
	int64_t dishes = chance(4) ? 0 : 1 + chance(12 * (int)coin->each);
	struct ticket_outcome o;

	q.u.book.want.capacity = CAPACITY;
	q.u.book.terms.hold_s = HOLD_S;
	q.u.book.terms.lock_ms = 0; /* who has just booked that time is refused by the book, not by the line */
	memcpy(q.u.book.terms.currency, coin->currency, sizeof coin->currency);
	set_slot(q.u.book.want.date, q.u.book.want.time, &q.u.book.want.starts_s);
	q.u.book.terms.deposit = beside(deposit_of(q.u.book.want.party, q.u.book.want.starts_s), dishes);
	if (dishes) {
		q.u.book.terms.type = TICKET_PREPAY;
		q.u.book.terms.prepay = dishes;
		q.u.book.items[0] = (struct ticket_item){.menu_id = 1, .unit_price = (int32_t)dishes, .quantity = 1};
		q.u.book.item_count = 1;
	}
	if (q.u.book.want.starts_s <= now_s)
		return;
	o = noon_done(b, q);
	if (o.err != ERR_OK || count == ACCOUNTS_MAX)
		return;
	accounts[count++] = (struct account){.id = o.id, .cap = 100, .dishes = dishes, .people = q.u.book.want.party};
	what = BOOK;
}

/* Staff say that money came: by the command, unless only the desk can say it. */
static enum err say_paid(struct book *b, const struct account *a, const struct row *r, bool again, int64_t amount)
{
	struct ticket_request q = act_on(a, r, ACT_CONFIRM), by_command = noon_move(a->id, MOVE_CONFIRM, BY_RESTAURANT);
	enum err e;

	by_command.u.move.amount = q.u.act.move.amount = amount;
	if (!again && chance(2))
		return (enum err)noon_done(b, by_command).err;
	q.u.act.move.again = again;
	e = (enum err)noon_done(b, q).err;
	if (e != ERR_STALE)
		return e;
	q.u.act.version = look(b, a->id).version; /* it ran out just then; they see that, and say it again */
	return (enum err)noon_done(b, q).err;
}

static void pay_for_change(struct book *b, struct account *a, const struct row *r)
{
	int64_t amount = r->change_total, fresh = r->change_due ? 0 : amount; /* what is due back is the money that is meant */
	int p = percent(a, r);
	enum err e = say_paid(b, a, r, false, chance(2) ? amount : 0);

	if (e == ERR_OK) {
		hand_over(a, fresh);
		owe(a, fresh - amount);
		keep(a, amount);
		a->people = a->asked_people;
		a->cap = a->asked_cap < p ? a->asked_cap : p;
		what = ASKED_PAID;
	} else if (e == ERR_PAID_TOO_LATE) {
		hand_over(a, fresh);
		owe(a, fresh);
		what = LATE;
	} else if (!r->change_in || r->change_due) {
		fail_msg("money for a change: %s", err_word(e));
	}
}

/* The guest has another amount in mind than what is due: nothing is written. */
static void pay_another_amount(struct book *b, const struct account *a, const struct row *r)
{
	int64_t due = r->change ? r->change_total : r->total;

	assert_int_equal(say_paid(b, a, r, false, due + 1 + chance(9)), ERR_AMOUNT_CHANGED);
	if (r->change && r->total && r->total != due) /* 0: no amount is said */
		assert_int_equal(say_paid(b, a, r, false, r->total), ERR_AMOUNT_CHANGED);
	what = REFUSED;
}

/* New money, or what is in the house already is said once more. */
static void pay(struct book *b, struct account *a, const struct row *r)
{
	bool fresh = a->received == 0 || (a->due == 0 && !is(r, "CONFIRMED")) || chance(3) == 0, again;
	bool hold = is(r, "TEMPORARY"), over = is(r, "EXPIRED") || is(r, "CANCELED");
	int64_t owed = r->total - a->kept, there;
	enum err e;

	if (chance(8) == 0) {
		pay_another_amount(b, a, r);
		return;
	}
	again = fresh && a->received > 0;
	if ((r->change || r->ended) && !again) {
		pay_for_change(b, a, r);
		return;
	}
	if (r->total == 0 || (!hold && !over && !is(r, "CONFIRMED")))
		return;
	there = fresh ? 0 : a->due < owed ? a->due : owed;
	e = say_paid(b, a, r, again, chance(2) ? r->total : 0);
	if (e == ERR_OK && is(r, "CONFIRMED")) {
		hand_over(a, again ? r->total : 0);
		owe(a, again ? r->total : 0);
		what = again ? TWICE : SAID_AGAIN;
	} else if (e == ERR_OK) {
		hand_over(a, owed - there);
		owe(a, -there);
		keep(a, owed);
		a->people = r->party;
		what = PAID;
	} else if (over && (e == ERR_PAID_TOO_LATE || !fresh)) {
		hand_over(a, fresh ? r->total : 0);
		owe(a, fresh ? r->total : 0);
		what = fresh ? LATE : SAID_AGAIN;
	} else {
		fail_msg("money for a reservation that is %s: %s", r->status, err_word(e));
	}
}

static void cancel(struct book *b, struct account *a, const struct row *r)
{
	int who = chance(4); /* guest, command, desk with everything, desk by the terms */
	bool terms = who == 0 || who == 3;
	int64_t back = terms ? refund_of(a->kept - a->forfeited, percent(a, r)) : a->kept;
	struct ticket_request q = act_on(a, r, ACT_CANCEL);
	enum err e;

	q.u.act.move.by_terms = who == 3;
	if (who < 2)
		q = noon_move(a->id, MOVE_CANCEL, who == 0 ? BY_GUEST : BY_RESTAURANT);
	e = (enum err)noon_done(b, q).err;
	what = REFUSED;
	if (e != ERR_OK || is(r, "CANCELED"))
		return;
	keep(a, -back);
	owe(a, back);
	a->act_version = who >= 2 ? look(b, a->id).version : 0;
	a->moved = back;
	what = CANCELLED;
}

static void withdraw(struct book *b, const struct row *r)
{
	assert_int_equal(noon_done(b, noon_move(r->change, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
	what = WITHDRAWN;
}

static void undo(struct book *b, struct account *a, const struct row *r)
{
	enum err e = (enum err)noon_done(b, act_on(a, r, ACT_UNDO)).err;

	what = REFUSED;
	if (e != ERR_OK)
		return;
	assert_int_equal(a->act_version, r->version);
	keep(a, a->moved);
	owe(a, -a->moved);
	what = UNDONE;
}

struct cost {
	int64_t amount, people;
};

/*
 * What a paid reservation has cost once it is so many at that time, and for how many.  Who is taken off takes their share along;
 * then all pay what the house asks there, but what is paid already, or was not asked of them where they are.  Dishes stay, and
 * count as paid.
 */
static struct cost what_it_costs(const struct account *a, const struct row *r, int64_t party, int64_t at_s)
{
	int64_t there = r->party > a->people ? r->party : a->people, fewer = r->party < a->people ? r->party : a->people;
	struct cost c = {r->total - a->dishes, a->people};
	int64_t had, more, has;

	if (party < fewer) {
		c.people -= fewer - party;
		c.amount -= c.amount * (fewer - party) / a->people;
	}
	has = c.amount + a->dishes;
	had = deposit_of(party < there ? party : there, r->starts_s);
	more = deposit_of(party, at_s) - (had > has ? had : has);
	if (more > 0 && had > has)
		return (struct cost){has + more, c.people + (party > there ? party - there : 0)};
	if (more > 0 || (c.amount == 0 && party > there)) /* paid for all of them; or they come for nothing as well */
		return (struct cost){has + (more > 0 ? more : 0), party};
	return (struct cost){has, c.people};
}

static void change(struct book *b, struct account *a, const struct row *r)
{
	bool staff = chance(3) == 0, paid = is(r, "CONFIRMED");
	struct ticket_request q = {.kind = TICKET_CHANGE}, by_desk = act_on(a, r, ACT_CHANGE);
	struct ticket_change *c = &q.u.change;
	int p = percent(a, r);
	int64_t dropped, back;
	struct cost costs;
	struct row now;
	enum err e;

	*c = (struct ticket_change){.reservation_id = a->id,
				    .want = {.restaurant_id = 1, .party = 1 + chance(9), .capacity = CAPACITY}};
	if (paid && chance(2)) /* what waits for its money is rare by chance */
		c->want.party = (int32_t)r->party + 1 + chance(3);
	c->want.seats = 1000000;
	c->want.sitting_minutes = 60;
	memcpy(c->terms.currency, coin->currency, sizeof coin->currency);
	c->terms.hold_s = HOLD_S;
	c->by_staff = staff;
	strcpy(c->actor, "test");
	set_slot(c->want.date, c->want.time, &c->want.starts_s);
	if (chance(2))
		put_slot(r->starts_s, c->want.date, c->want.time, &c->want.starts_s); /* where they are */
	c->terms.deposit = beside(deposit_of(c->want.party, c->want.starts_s), a->dishes);
	by_desk.u.act.change = *c;
	what = REFUSED;
	if (c->want.starts_s <= now_s)
		return;
	e = (enum err)noon_done(b, staff ? by_desk : q).err;
	if (e != ERR_OK)
		return;
	what = CHANGED;
	now = look(b, a->id);
	if (staff) {
		a->act_version = now.version;
		a->moved = 0;
	}
	if (!paid)
		a->people = c->want.party; /* it may cost nothing any more */
	if (staff || !paid)
		return;
	costs = what_it_costs(a, r, c->want.party, c->want.starts_s);
	if (now.change) {
		assert_int_equal(r->total + now.change_total, costs.amount);
		a->asked_cap = p;
		a->asked_people = costs.people;
		what = ASKED;
		return;
	}
	if (c->want.starts_s == r->starts_s && c->want.party == r->party)
		return; /* nothing has changed */
	a->cap = p;
	assert_int_equal(now.total, costs.amount);
	a->people = costs.people;
	dropped = r->total - now.total < a->kept - a->forfeited ? r->total - now.total : a->kept - a->forfeited;
	back = refund_of(dropped, p);
	a->forfeited += dropped - back;
	keep(a, -back);
	owe(a, back);
}

/* ---- the owner's list ---- */

struct due_list {
	int64_t sum, payment, amount, id;
	int n, pick;
	struct book *b;
};

static void add_due(void *arg, const struct stmt_cell *row, int count_of)
{
	struct due_list *l = arg;
	int64_t amount = stmt_cell(row, count_of, "amount")->number;

	l->sum += amount;
	if (l->n++ == l->pick) {
		l->payment = stmt_cell(row, count_of, "paymentId")->number;
		l->amount = amount;
	}
}

static void refund(struct book *b)
{
	struct due_list l = {.pick = chance(5)};
	int64_t id;

	assert_int_equal(reports_due(&b->db, 1, add_due, &l), ERR_OK);
	if (!l.payment)
		return;
	id = book_int(b->db.handle,
		      "SELECT ifnull(v.change_of, v.reservation_id) FROM payments JOIN reservations v USING (reservation_id)"
		      " WHERE payment_id = %lld",
		      (long long)l.payment);
	assert_int_equal(reports_given_back(&b->db, 1, l.payment, l.amount + 1, "user:7", now_s), ERR_STALE);
	assert_int_equal(reports_given_back(&b->db, 1, l.payment, l.amount, "user:7", now_s), ERR_OK);
	for (int i = count - 1; i >= 0; i--)
		if (accounts[i].id == id) {
			owe(&accounts[i], -l.amount);
			accounts[i].returned += l.amount;
			all.returned += l.amount;
			what = REFUNDED;
			return;
		}
	fail_msg("payment %lld has no reservation", (long long)l.payment);
}

/* ---- the book against the model ---- */

static void agree(struct book *b, const struct account *a, const char *sql, const char *which)
{
	sqlite3_stmt *s;

	assert_int_equal(sqlite3_prepare_v2(b->db.handle, sql, -1, &s, NULL), SQLITE_OK);
	if (sqlite3_bind_parameter_count(s))
		sqlite3_bind_int64(s, 1, a->id);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	if (sqlite3_column_int64(s, 0) != a->received || sqlite3_column_int64(s, 1) != a->kept ||
	    sqlite3_column_int64(s, 2) != a->returned || sqlite3_column_int64(s, 3) != a->due ||
	    a->received != a->kept + a->returned + a->due)
		fail_msg("%s %lld: the book has %lld in, %lld kept, %lld returned, %lld due; the world %lld, %lld, %lld, %lld",
			 which, (long long)a->id, (long long)sqlite3_column_int64(s, 0), (long long)sqlite3_column_int64(s, 1),
			 (long long)sqlite3_column_int64(s, 2), (long long)sqlite3_column_int64(s, 3), (long long)a->received,
			 (long long)a->kept, (long long)a->returned, (long long)a->due);
	sqlite3_finalize(s);
}

#define SUMS(table) \
	"SELECT ifnull(sum(amount), 0), ifnull(sum(kept_amount), 0), ifnull(sum(refunded_amount), 0), " \
	"ifnull(sum(due_back_amount), 0)" \
	" FROM payments " table

static void agree_on(struct book *b, const struct account *a)
{
	agree(b, a,
	      SUMS("WHERE reservation_id = ?1 OR reservation_id IN (SELECT c.reservation_id FROM reservations c"
		   " WHERE c.change_of = ?1 AND c.change_of IS NOT NULL)"),
	      "reservation");
}

static void agree_on_all(struct book *b)
{
	struct due_list l = {.pick = -1};
	char shown[400];

	snprintf(shown, sizeof shown,
		 "SELECT ifnull(CAST(round(sum(money_in) * %d) AS INTEGER), 0),"
		 " ifnull(CAST(round(sum(kept) * %d) AS INTEGER), 0), ifnull(CAST(round(sum(returned) * %d) AS INTEGER), 0),"
		 " ifnull(CAST(round(sum(due_back) * %d) AS INTEGER), 0) FROM v_money",
		 (int)coin->units, (int)coin->units, (int)coin->units, (int)coin->units);
	for (int i = 0; i < count; i++)
		agree_on(b, &accounts[i]);
	agree(b, &all, shown, "v_money");
	assert_int_equal(reports_due(&b->db, 1, add_due, &l), ERR_OK);
	if (l.n < 500 && l.sum != all.due)
		fail_msg("%lld is due back, the list has %lld", (long long)all.due, (long long)l.sum);
}

/* Every second time the one of the step before: what waits is paid, and what was done is undone. */
static struct account *pick(void)
{
	if (!last || chance(2))
		last = &accounts[count - 1 - chance(count < RECENT ? count : RECENT)];
	return last;
}

static void step(struct book *b)
{
	struct account *a = NULL;
	struct row r = {0};
	int kind = chance(20);

	now_s += 60 * (chance(3) ? chance(3) : chance(40) ? chance(12) : 60 * chance(12));
	stand();
	what = REFUSED;
	if (count && kind >= 4) {
		a = pick();
		r = look(b, a->id);
	}
	if (!a)
		book_one(b);
	else if (r.change && chance(3) == 0)
		withdraw(b, &r);
	else if (kind < 9 || ((r.change || r.ended) && chance(2)))
		pay(b, a, &r);
	else if (kind < 12)
		cancel(b, a, &r);
	else if (kind < 14)
		undo(b, a, &r);
	else if (kind < 15)
		refund(b);
	else
		change(b, a, &r);
	did[what]++;
	if (a)
		agree_on(b, a);
	agree(b, &all, SUMS(""), "all");
}

static void go_through(struct book *b, const struct coin *in)
{
	const char *given = getenv("JARI_SEED");
	char sql[600];

	coin = in;
	count = 0;
	last = NULL;
	all = (struct account){0};
	memset(accounts, 0, sizeof accounts);
	memset(did, 0, sizeof did);
	snprintf(sql, sizeof sql,
		 "UPDATE restaurants SET currency = '%s', deposit_per_person = %d, deposit_large_per_person = %d,"
		 " deposit_from = %d; DELETE FROM opening_hours; INSERT INTO opening_hours (restaurant_id, weekday, opens, "
		 "closes,"
		 " deposit_per_person, deposit_large_per_person) SELECT 1, d.value, '11:00', '15:00', %d, %d FROM"
		 " json_each('[1,2,3,4,5,6,7]') d UNION ALL SELECT 1, d.value, '17:00', '22:00', NULL, NULL FROM"
		 " json_each('[1,2,3,4,5,6,7]') d",
		 in->currency, (int)in->each, (int)in->large, in->from, in->lunch, in->lunch);
	assert_int_equal(sqlite3_exec(b->db.handle, sql, NULL, NULL, NULL), SQLITE_OK);
	random_state = given ? strtoull(given, NULL, 10) : UINT64_C(20261118);
	print_message("# JARI_SEED=%llu\n", (unsigned long long)random_state);
	assert_true(clock_parse_iso("2031-05-06T03:00:30Z", &now_s));
	for (int i = 0; i < in->steps; i++) {
		step(b);
		if (i % 500 == 499)
			agree_on_all(b);
	}
	agree_on_all(b);
	print_message(
		"# booked %d, paid %d, late %d, twice %d, said again %d, cancelled %d, undone %d, refunded %d, changed %d,"
		" asked %d, and paid %d, withdrawn %d, refused %d; %lld %s came in, %lld kept, %lld returned, %lld due\n",
		did[BOOK], did[PAID], did[LATE], did[TWICE], did[SAID_AGAIN], did[CANCELLED], did[UNDONE], did[REFUNDED],
		did[CHANGED], did[ASKED], did[ASKED_PAID], did[WITHDRAWN], did[REFUSED], (long long)all.received, in->currency,
		(long long)all.kept, (long long)all.returned, (long long)all.due);
	for (int i = BOOK; i <= REFUSED; i++)
		assert_true(did[i] > in->steps / 1000);
}

static void every_won_is_kept_returned_or_due_back(void **state)
{
	go_through(*state, &coins[0]);
}

static void every_odd_cent_is_kept_returned_or_due_back(void **state)
{
	go_through(*state, &coins[1]);
}

static void every_odd_fils_is_kept_returned_or_due_back(void **state)
{
	go_through(*state, &coins[2]);
}

static void every_won_of_large_parties_is_kept_returned_or_due_back(void **state)
{
	go_through(*state, &coins[3]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_won_is_kept_returned_or_due_back),
		TEST(every_odd_cent_is_kept_returned_or_due_back),
		TEST(every_odd_fils_is_kept_returned_or_due_back),
		TEST(every_won_of_large_parties_is_kept_returned_or_due_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
