/*
 * test_payments.c - payments online: before they are money, when they become it, and on their way back.
 */
#include "batch.h"
#include "charges.h"
#include "payevents.h"
#include "refunds.h"

#include "noon.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOON "2031-05-06T03:00:00Z"
#define OVER "2031-05-06T03:10:00Z" /* when a hold of noon has run out */

static void take_payments(struct book *b, const char *provider)
{
	book_exec(b->db.handle,
		  "INSERT INTO payment_settings (restaurant_id, provider, store_id, channel_key, client_key, secret,"
		  " guarantee_terms, updated_at) VALUES (1, '%s', 's', 'c', 'k', 'sealed', 'terms', '" NOON "')",
		  provider);
}

/* ---- what is said ---- */

static struct ticket_request pay(enum ticket_pay_act act, int64_t reservation_id)
{
	struct ticket_request r = {.kind = TICKET_PAY};

	r.u.pay = (struct ticket_pay){.act = (int32_t)act, .by = BY_GUEST, .reservation_id = reservation_id, .actor = "user:1"};
	memset(r.u.pay.seed, (int)(reservation_id % 200), sizeof r.u.pay.seed);
	strcpy(r.u.pay.site, "https://house.example");
	return r;
}

static int64_t begun(struct book *b, int64_t reservation_id)
{
	struct ticket_outcome o = noon_done(b, pay(PAY_BEGIN, reservation_id));

	assert_int_equal(o.err, ERR_OK);
	assert_true(o.id > 0);
	return o.id;
}

static struct intents_row intent(struct book *b, int64_t id)
{
	struct intents_row i;

	assert_int_equal(intents_get(&b->db, id, &i), ERR_OK);
	return i;
}

static enum err back(struct book *b, int64_t id, const char *token, const char *code)
{
	struct ticket_request r = pay(PAY_BACK, 0);

	strcpy(r.u.pay.pay_key, intent(b, id).pay_key);
	strcpy(r.u.pay.token, token);
	strcpy(r.u.pay.code, code);
	strcpy(r.u.pay.words, code);
	return (enum err)noon_done(b, r).err;
}

static struct ticket_request told(int64_t id, enum ticket_told what)
{
	struct ticket_request r = {.kind = TICKET_CASHIER};

	r.u.cashier = (struct ticket_cashier){.intent_id = id, .told = (int32_t)what, .returned = -1};
	return r;
}

static enum err tell(struct book *b, int64_t id, enum ticket_told what)
{
	return (enum err)noon_done(b, told(id, what)).err;
}

static struct ticket_request charged(int64_t id, int64_t amount, const char *currency, int64_t returned)
{
	struct ticket_request r = told(id, TOLD_CHARGED);

	r.u.cashier.amount = amount;
	r.u.cashier.returned = returned;
	strcpy(r.u.cashier.currency, currency);
	snprintf(r.u.cashier.ref, sizeof r.u.cashier.ref, "ref-%lld", (long long)id);
	return r;
}

static enum err charge(struct book *b, int64_t id, int64_t amount)
{
	return (enum err)noon_done(b, charged(id, amount, "KRW", -1)).err;
}

static struct ticket_request of_refund(struct book *b, int64_t refund, enum ticket_told what, int64_t returned)
{
	struct refunds_row row;
	struct ticket_request r;

	assert_int_equal(refunds_get(&b->db, refund, &row), ERR_OK);
	r = told(row.intent_id, what);
	r.u.cashier.refund_id = refund;
	r.u.cashier.returned = returned;
	strcpy(r.u.cashier.words, what == TOLD_REFUND_REFUSED ? "not enough on the account" : "");
	return r;
}

/* ---- what is there ---- */

static int64_t number(struct book *b, const char *sql)
{
	return book_int(b->db.handle, "%s", sql);
}

static int64_t refund(struct book *b)
{
	return number(b, "SELECT ifnull(max(refund_id), 0) FROM refunds");
}

static int64_t is_refund(struct book *b, const char *where)
{
	return book_int(b->db.handle, "SELECT count(*) FROM refunds WHERE %s", where);
}

/* Is that hold of a user one until then?  The clock ticks meanwhile. */
static bool is_held_until(struct book *b, int64_t user, const char *iso)
{
	return book_int(b->db.handle,
			"SELECT count(*) FROM reservations WHERE user_id = %lld AND status = 'TEMPORARY' AND hold_expires_at "
			"BETWEEN '%s'"
			" AND strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', '%s', '50 seconds')",
			(long long)user, iso, iso) == 1;
}

/* Is that what is to be done, and is it due? */
static void assert_todo(struct book *b, int64_t id, enum intent_todo todo)
{
	struct intents_row i = intent(b, id);
	int64_t ids[INTENTS_DUE_MAX];
	int count;
	bool due = false;

	assert_int_equal(i.todo, todo);
	assert_int_equal(intents_due(&b->db, clock_now_s(), ids, INTENTS_DUE_MAX, &count), ERR_OK);
	for (int k = 0; k < count; k++)
		due |= ids[k] == id;
	assert_int_equal(due, todo != INTENT_TO__NOTHING);
}

/* A hold of that party at noon, with its payment authorised. */
static int64_t authorised(struct book *b, int64_t user, int party, int64_t *reservation)
{
	int64_t id;

	*reservation = noon_done(b, noon_wish(user, party)).id;
	id = begun(b, *reservation);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	return id;
}

static int64_t paid(struct book *b, int64_t user, int party, int64_t *reservation)
{
	int64_t id = authorised(b, user, party, reservation);

	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(charge(b, id, party * 5000), ERR_OK);
	assert_int_equal(intent(b, id).state, INTENT_PAID);
	return id;
}

/* ---- a guest pays ---- */

static void the_button_is_one_payment_however_often_it_is_pressed(void **state)
{
	struct book *b = *state;
	int64_t one, two;
	struct intents_row i;

	one = noon_done(b, noon_wish(1, 4)).id;
	assert_int_equal(noon_done(b, pay(PAY_BEGIN, one)).err, ERR_PAID_AT_THE_HOUSE);
	take_payments(b, "portone");
	two = noon_done(b, noon_wish(2, 2)).id;
	assert_int_equal(begun(b, one), begun(b, one));
	assert_int_not_equal(begun(b, one), begun(b, two));
	i = intent(b, begun(b, one));
	assert_int_equal(i.amount, 20000);
	assert_string_equal(i.currency, "KRW");
	assert_string_equal(i.told, "READY");
	assert_int_equal(strlen(i.pay_key), 31);
	assert_int_equal(strncmp(i.pay_key, "jari-", 5), 0);
	assert_int_equal(number(b, "SELECT count(*) FROM payments"), 0); /* it is no money yet */
	assert_int_equal(noon_done(b, noon_move(two, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
	assert_int_equal(noon_done(b, pay(PAY_BEGIN, two)).err, ERR_PAYMENT_NOT_DUE);
	assert_int_equal(noon_done(b, pay(PAY_BEGIN, 4711)).err, ERR_NO_SUCH_RESERVATION);
}

static void who_comes_back_is_charged_and_has_their_seats(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "portone");
	id = authorised(b, 1, 4, &v);
	assert_int_equal(intent(b, id).state, INTENT_AUTHORISED);
	assert_string_equal(intent(b, id).told, "CHECKING");
	assert_todo(b, id, INTENT_TO_CHARGE);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK); /* the page was loaded again */
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_true(intent(b, id).doubt);
	for (int k = 0; k < 3; k++) { /* the return, a look and an event */
		assert_int_equal(charge(b, id, 20000), ERR_OK);
		assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
		assert_int_equal(number(b, "SELECT count(*) FROM payments WHERE provider = 'portone' AND status = 'PAID'"), 1);
		assert_int_equal(noon_money(b, "kept_amount"), 20000);
	}
	assert_false(intent(b, id).doubt);
	assert_todo(b, id, INTENT_TO__NOTHING);
	assert_int_equal(number(b, "SELECT count(*) FROM intents WHERE token IS NOT NULL"), 0);
	assert_int_equal(noon_done(b, pay(PAY_BEGIN, v)).err, ERR_PAYMENT_NOT_DUE);
	assert_int_equal(tell(b, id, TOLD_GONE), ERR_OK); /* late, and wrong */
	assert_int_equal(intent(b, id).state, INTENT_PAID);
}

/* An event asks for a look, and the provider says that nothing was charged: it is not asked for ever. */
static void what_was_charged_is_looked_at_once_whatever_the_provider_says(void **state)
{
	static const enum ticket_told said[] = {TOLD_OPEN, TOLD_GONE, TOLD_REFUSED, TOLD_AUTHORISED, TOLD_VOIDED};
	struct book *b = *state;
	int64_t id, v;

	take_payments(b, "portone");
	id = paid(b, 1, 4, &v);
	for (size_t i = 0; i < COUNT(said); i++) {
		book_exec(b->db.handle,
			  "UPDATE intents SET todo = 'LOOK', todo_at = '2020-01-01T00:00:00Z' WHERE intent_id = %lld",
			  (long long)id);
		assert_int_equal(tell(b, id, said[i]), ERR_OK);
		assert_todo(b, id, INTENT_TO__NOTHING);
		assert_int_equal(intent(b, id).state, INTENT_PAID);
	}
}

static void a_hold_is_stretched_once_while_it_is_being_paid(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "portone");
	v = noon_done(b, noon_wish(1, 4)).id;
	id = begun(b, v);
	noon_stand_at("2031-05-06T03:06:30Z"); /* shortly before its end */
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_true(is_held_until(b, 1, "2031-05-06T03:08:30Z"));
	noon_stand_at("2031-05-06T03:07:50Z");
	assert_int_equal(tell(b, id, TOLD_REFUSED), ERR_OK);
	id = begun(b, v);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_true(is_held_until(b, 1, "2031-05-06T03:08:30Z")); /* not for every card they try */
}

/* A stranger brings what is no token, each time when the hold has just run out. */
static void a_hold_that_ran_out_is_not_held_again_for_every_card(void **state)
{
	struct book *b = *state;
	int64_t v, first, second;

	take_payments(b, "toss");
	v = noon_done(b, noon_wish(1, 4)).id;
	first = begun(b, v);
	noon_stand_at(OVER);
	noon_done(b, noon_wish(2, 2)); /* it is released */
	assert_int_equal(back(b, first, "made-up", ""), ERR_OK);
	assert_int_equal(tell(b, first, TOLD_START), ERR_OK);
	assert_true(is_held_until(b, 1, "2031-05-06T03:12:00Z"));
	assert_int_equal(tell(b, first, TOLD_REFUSED), ERR_OK);
	second = begun(b, v);
	assert_int_not_equal(first, second);
	noon_stand_at("2031-05-06T03:14:00Z");
	noon_done(b, noon_wish(3, 2));
	assert_int_equal(noon_count(b, "user_id = 1 AND status = 'EXPIRED'"), 1);
	assert_int_equal(back(b, second, "made-up", ""), ERR_OK);
	assert_int_equal(tell(b, second, TOLD_START), ERR_BAD_MOVE);
	assert_int_equal(noon_count(b, "user_id = 1 AND status = 'EXPIRED'"), 1);
	assert_string_equal(intent(b, second).told, "NOTHING_CHARGED");
}

/* The button and the way back, all day long: neither fills the book, nor asks the provider without end. */
static void who_presses_and_comes_back_all_day_costs_little(void **state)
{
	struct book *b = *state;
	int64_t v, id, rows, looks = 0;

	take_payments(b, "portone");
	v = noon_done(b, noon_wish(1, 4)).id;
	id = begun(b, v);
	rows = number(b, "SELECT count(*) FROM audit");
	for (int k = 0; k < 40; k++) {
		assert_int_equal(begun(b, v), id);
		assert_int_equal(back(b, id, "", ""), ERR_OK);
		if (intent(b, id).todo_s <= clock_now_s()) {
			assert_int_equal(tell(b, id, TOLD_OPEN), ERR_OK);
			looks++;
		}
	}
	assert_int_equal(number(b, "SELECT count(*) FROM audit"), rows);
	assert_in_range(looks, 10, 15);
	assert_true(intent(b, id).todo_s <= clock_now_s() + 60);
}

static void after_a_refusal_another_card_gets_the_same_seats(void **state)
{
	struct book *b = *state;
	int64_t v, first, second;
	char key[TICKET_PAY_KEY_SIZE];

	take_payments(b, "toss");
	v = noon_done(b, noon_wish(1, 4)).id;
	first = begun(b, v);
	strcpy(key, intent(b, first).pay_key);
	assert_int_equal(back(b, first, "", "REJECT_CARD_COMPANY"), ERR_OK);
	assert_string_equal(intent(b, first).told, "DECLINED");
	assert_string_equal(intent(b, first).words, "REJECT_CARD_COMPANY");
	second = begun(b, v);
	assert_int_not_equal(first, second);
	assert_string_not_equal(key, intent(b, second).pay_key);
	assert_int_equal(back(b, second, "sealed-token", ""), ERR_OK);
	assert_int_equal(tell(b, second, TOLD_START), ERR_OK);
	assert_int_equal(charge(b, second, 20000), ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
	/* The old tab: its card was authorised after all.  It is not confirmed, and stays no money. */
	assert_int_equal(back(b, first, "late-token", ""), ERR_OK);
	assert_todo(b, first, INTENT_TO_LOOK);
	assert_int_equal(tell(b, first, TOLD_AUTHORISED), ERR_OK);
	assert_todo(b, first, INTENT_TO__NOTHING);
	assert_int_equal(noon_money(b, "amount"), 20000);
}

/* Toss counts won only: of nineteen dollars and a half it would know nothing. */
static void a_currency_that_the_company_does_not_take_is_paid_at_the_house(void **state)
{
	struct book *b = *state;
	int64_t v;

	take_payments(b, "toss");
	book_exec(b->db.handle, "UPDATE restaurants SET currency = 'USD'");
	v = noon_done(b, noon_wish(1, 4)).id;
	book_exec(b->db.handle, "UPDATE reservations SET currency = 'USD'");
	assert_int_equal(noon_done(b, pay(PAY_BEGIN, v)).err, ERR_PAID_AT_THE_HOUSE);
	book_exec(b->db.handle, "UPDATE payment_settings SET provider = 'stripe'");
	assert_int_equal(noon_done(b, pay(PAY_BEGIN, v)).err, ERR_OK);
}

static void tries_have_an_end(void **state)
{
	struct book *b = *state;
	int64_t v;

	take_payments(b, "toss");
	v = noon_done(b, noon_wish(1, 4)).id;
	for (int k = 0; k < 20; k++)
		assert_int_equal(back(b, begun(b, v), "", "NO"), ERR_OK);
	assert_int_equal(noon_done(b, pay(PAY_BEGIN, v)).err, ERR_TOO_MANY_TRIES);
}

/* ---- too late ---- */

static void who_comes_too_late_is_seated_before_the_card_is_charged(void **state)
{
	struct book *b = *state;
	int64_t v, id, other;

	take_payments(b, "portone");
	v = noon_done(b, noon_wish(1, 30)).id;
	id = begun(b, v);
	noon_stand_at(OVER);
	other = noon_done(b, noon_wish(2, 2)).id; /* the hold is released */
	assert_int_equal(noon_count(b, "status = 'EXPIRED'"), 1);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_true(is_held_until(b, 1, "2031-05-06T03:12:00Z"));
	assert_int_equal(noon_done(b, noon_wish(3, 20)).err, ERR_SLOT_FULL); /* nobody can have them meanwhile */
	assert_int_equal(charge(b, id, 150000), ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED' AND user_id = 1"), 1);
	assert_true(other > 0);
}

static void where_the_seats_are_gone_nothing_is_charged(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "portone");
	v = noon_done(b, noon_wish(1, 30)).id;
	id = begun(b, v);
	noon_stand_at(OVER);
	noon_done(b, noon_wish(2, 30));
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_BAD_MOVE); /* the call must not be made */
	assert_int_equal(intent(b, id).state, INTENT_VOIDED);
	assert_string_equal(intent(b, id).told, "NOTHING_CHARGED");
	assert_todo(b, id, INTENT_TO__NOTHING);
	assert_int_equal(number(b, "SELECT count(*) FROM payments"), 0);
}

static void at_stripe_the_card_is_let_go(void **state)
{
	struct book *b = *state;
	struct ticket_request page;
	int64_t v, id;

	take_payments(b, "stripe");
	v = noon_done(b, noon_wish(1, 30)).id;
	id = begun(b, v);
	assert_string_equal(intent(b, id).told, "BEGIN");
	assert_todo(b, id, INTENT_TO_BEGIN);
	page = told(id, TOLD_BEGUN);
	strcpy(page.u.cashier.ref, "cs_1");
	strcpy(page.u.cashier.url, "https://checkout.stripe.com/c/pay/cs_1");
	assert_int_equal(noon_done(b, page).err, ERR_OK);
	assert_string_equal(intent(b, id).told, "READY");
	noon_stand_at(OVER);
	noon_done(b, noon_wish(2, 30));
	assert_int_equal(back(b, id, "", ""), ERR_OK);
	assert_todo(b, id, INTENT_TO_LOOK);
	assert_int_equal(tell(b, id, TOLD_AUTHORISED), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_BAD_MOVE);
	assert_todo(b, id, INTENT_TO_VOID);
	assert_string_equal(intent(b, id).told, "NOTHING_CHARGED");
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_VOIDED), ERR_OK);
	assert_int_equal(intent(b, id).state, INTENT_VOIDED);
}

static void money_whose_seats_are_gone_goes_back_at_once(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "portone");
	id = authorised(b, 1, 30, &v);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	noon_stand_at(OVER); /* the provider took its time */
	noon_done(b, noon_wish(2, 30));
	assert_int_equal(charge(b, id, 150000), ERR_OK);
	assert_int_equal(intent(b, id).state, INTENT_REFUND_DUE);
	assert_string_equal(intent(b, id).told, "REFUND_ON_ITS_WAY");
	assert_int_equal(noon_money(b, "due_back_amount"), 150000);
	assert_int_equal(is_refund(b, "state = 'QUEUED' AND amount = 150000"), 1);
	assert_int_equal(noon_count(b, "status = 'EXPIRED' AND user_id = 1"), 1);
	assert_int_equal(charge(b, id, 150000), ERR_OK);
	assert_int_equal(is_refund(b, "1"), 1); /* said twice, sent once */
}

static void another_amount_is_no_payment(void **state)
{
	struct book *b = *state;
	int64_t v, w, id, other;

	take_payments(b, "portone");
	id = authorised(b, 1, 4, &v);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(charge(b, id, 1), ERR_OK);
	other = authorised(b, 2, 4, &w);
	assert_int_equal(tell(b, other, TOLD_START), ERR_OK);
	assert_int_equal(noon_done(b, charged(other, 20000, "USD", -1)).err, ERR_OK);
	assert_int_equal(noon_count(b, "status = 'TEMPORARY'"), 2);
	assert_int_equal(noon_money(b, "kept_amount"), 0);
	assert_int_equal(is_refund(b, "state = 'QUEUED' AND amount = 1"), 1);
	assert_int_equal(is_refund(b, "state = 'QUEUED' AND amount = 20000"), 1);
	assert_string_equal(intent(b, id).words, "another amount than was asked for");
}

/* The cashier does not capture it, and would ask for ever. */
static void another_amount_that_is_only_authorised_is_let_go(void **state)
{
	struct book *b = *state;
	struct ticket_request r;
	int64_t v, id;

	take_payments(b, "stripe");
	v = noon_done(b, noon_wish(1, 4)).id;
	id = begun(b, v);
	assert_int_equal(tell(b, id, TOLD_BEGUN), ERR_OK);
	assert_int_equal(back(b, id, "", ""), ERR_OK);
	r = told(id, TOLD_AUTHORISED);
	r.u.cashier.amount = 15000;
	strcpy(r.u.cashier.currency, "KRW");
	assert_int_equal(noon_done(b, r).err, ERR_OK);
	assert_todo(b, id, INTENT_TO_VOID);
	assert_int_equal(tell(b, id, TOLD_VOIDED), ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 0);
}

static void one_payment_pays_for_one_reservation(void **state)
{
	struct book *b = *state;
	struct ticket_request r;
	int64_t v, w, id, other;

	take_payments(b, "stripe");
	id = authorised(b, 1, 4, &v);
	other = authorised(b, 2, 4, &w);
	assert_int_equal(charge(b, id, 20000), ERR_OK);
	r = charged(other, 20000, "KRW", -1);
	snprintf(r.u.cashier.ref, sizeof r.u.cashier.ref, "ref-%lld", (long long)id); /* the first one's */
	assert_int_equal(noon_done(b, r).err, ERR_BAD_MOVE);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
	assert_int_equal(noon_money(b, "amount"), 20000);
}

static void money_for_what_is_paid_already_goes_back(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "portone");
	id = authorised(b, 1, 4, &v);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(noon_done(b, noon_move(v, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK); /* in cash */
	assert_int_equal(charge(b, id, 20000), ERR_OK);
	assert_int_equal(noon_money(b, "kept_amount"), 20000);
	assert_int_equal(noon_money(b, "due_back_amount"), 20000);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1); /* its refund is none of the reservation's business */
	assert_int_equal(noon_done(b, of_refund(b, refund(b), TOLD_REFUNDED, 20000)).err, ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
	assert_int_equal(noon_money(b, "refunded_amount"), 20000);
}

static void a_party_that_grew_meanwhile_pays_for_all_of_them(void **state)
{
	struct book *b = *state;
	int64_t v, first, second;

	take_payments(b, "portone");
	v = noon_done(b, noon_wish(1, 4)).id;
	first = begun(b, v);
	book_exec(b->db.handle,
		  "UPDATE reservations SET deposit_amount = 30000, total_amount = 30000 WHERE reservation_id = %lld",
		  (long long)v);
	second = begun(b, v);
	assert_int_equal(intent(b, first).state, INTENT_FAILED);
	assert_int_equal(intent(b, second).amount, 30000);
	assert_int_equal(back(b, second, "sealed-token", ""), ERR_OK);
	book_exec(b->db.handle,
		  "UPDATE reservations SET deposit_amount = 35000, total_amount = 35000 WHERE reservation_id = %lld",
		  (long long)v);
	assert_int_equal(tell(b, second, TOLD_START), ERR_BAD_MOVE);
	assert_int_equal(intent(b, second).state, INTENT_VOIDED);
}

/* ---- no answer ---- */

static void what_nobody_knows_is_looked_for_before_it_is_done_again(void **state)
{
	struct book *b = *state;
	struct ticket_request lost;
	int64_t v, id;

	take_payments(b, "portone");
	id = authorised(b, 1, 4, &v);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	lost = told(id, TOLD_UNKNOWN);
	lost.u.cashier.retry_s = clock_now_s() + 5;
	assert_int_equal(noon_done(b, lost).err, ERR_OK);
	assert_string_equal(intent(b, id).told, "CHECKING"); /* never: failed */
	noon_stand_at("2031-05-06T03:01:00Z");
	assert_todo(b, id, INTENT_TO_LOOK);
	assert_int_equal(tell(b, id, TOLD_OPEN), ERR_OK); /* it had not arrived: once more */
	assert_todo(b, id, INTENT_TO_CHARGE);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(noon_done(b, lost).err, ERR_OK);
	assert_int_equal(charge(b, id, 20000), ERR_OK); /* it had */
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
}

static void what_was_begun_and_is_not_wanted_any_more_is_looked_for_first(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "portone");
	id = authorised(b, 1, 30, &v);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK); /* and the cashier died */
	noon_stand_at(OVER);
	noon_done(b, noon_wish(2, 30));
	assert_int_equal(tell(b, id, TOLD_START), ERR_BAD_MOVE);
	assert_int_equal(intent(b, id).state, INTENT_AUTHORISED); /* it may be charged, for all that is known */
	assert_todo(b, id, INTENT_TO_LOOK);
	assert_int_equal(charge(b, id, 150000), ERR_OK);
	assert_int_equal(noon_money(b, "due_back_amount"), 150000);
}

/* Nobody comes back, and no event arrives. */
static void a_payment_that_nobody_came_back_for_is_swept(void **state)
{
	static const char *const looks[] = {"2031-05-06T03:07:00Z", "2031-05-06T03:08:00Z", "2031-05-06T03:12:00Z",
					    "2031-05-06T03:42:00Z"};
	struct book *b = *state;
	int64_t v, id, days = 0;

	setenv("JARI_WITHOUT", "follow", 1); /* it is the time that passes, and nobody sets the clock */
	take_payments(b, "stripe");
	v = noon_done(b, noon_wish(1, 4)).id;
	id = begun(b, v);
	assert_int_equal(tell(b, id, TOLD_BEGUN), ERR_OK);
	for (size_t k = 0; k < sizeof looks / sizeof looks[0]; k++) {
		int64_t at_s = 0;

		assert_true(clock_parse_iso(looks[k], &at_s));
		assert_in_range(intent(b, id).todo_s, at_s, at_s + 50);
		noon_stand_at(looks[k]);
		book_exec(b->db.handle, "UPDATE intents SET ends_at = '2031-05-06T03:07:00Z'");
		assert_int_equal(tell(b, id, TOLD_OPEN), ERR_OK);
	}
	for (; intent(b, id).todo == INTENT_TO_LOOK && days < 20; days++) {
		char at[CLOCK_ISO_SIZE];

		clock_iso(intent(b, id).todo_s, at);
		noon_stand_at(at);
		assert_int_equal(tell(b, id, TOLD_OPEN), ERR_OK);
	}
	assert_in_range(days, 6, 8);
	assert_int_equal(intent(b, id).state, INTENT_FAILED);
	noon_stand_at(NOON);
}

static void who_sets_the_clock_back_makes_nobody_wait(void **state)
{
	struct book *b = *state;
	struct txn t;
	int64_t v, id;

	take_payments(b, "portone");
	id = authorised(b, 1, 4, &v);
	noon_stand_at("2031-05-06T01:00:30Z"); /* some seconds have passed */
	assert_int_equal(txn_begin(&t, &b->db, clock_now_s()), ERR_OK);
	assert_int_equal(txn_end(&t, txn_follow(&t, -7200, NOON)), ERR_OK);
	assert_todo(b, id, INTENT_TO_CHARGE);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(charge(b, id, 20000), ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
}

static void an_event_makes_us_look_and_moves_nothing(void **state)
{
	struct book *b = *state;
	struct ticket_request r = {.kind = TICKET_EVENT};
	int64_t v, id;

	take_payments(b, "portone");
	v = noon_done(b, noon_wish(1, 4)).id;
	id = begun(b, v);
	r.u.event = (struct ticket_event){.provider = INTENT_PORTONE, .id = "evt-1", .type = "Transaction.Paid"};
	strcpy(r.u.event.reference, intent(b, id).pay_key);
	for (int k = 0; k < 10; k++)
		assert_int_equal(noon_done(b, r).err, ERR_OK);
	assert_int_equal(number(b, "SELECT count(*) FROM payment_events"), 1);
	assert_int_equal(intent(b, id).state, INTENT_READY);
	assert_int_equal(number(b, "SELECT count(*) FROM payments"), 0);
	noon_stand_at("2031-05-06T03:00:10Z");
	assert_todo(b, id, INTENT_TO_LOOK);
	assert_int_equal(tell(b, id, TOLD_OPEN), ERR_OK);
	assert_int_equal(noon_done(b, r).id, 0); /* heard before */
	assert_int_equal(intent(b, id).todo_s > clock_now_s() + 60, true);
	strcpy(r.u.event.id, "evt-2");
	strcpy(r.u.event.reference, "jari-of-somebody-else-and-unknown");
	assert_int_equal(noon_done(b, r).err, ERR_OK);
	assert_int_equal(number(b, "SELECT count(*) FROM payment_events"), 2);
	noon_stand_at("2031-06-20T03:00:00Z");
	assert_int_equal(intents_tidy(&b->db, clock_now_s()), ERR_OK);
	assert_int_equal(number(b, "SELECT count(*) FROM payment_events"), 0);
}

/* Where a provider signs nothing, a guest who knows the name of their payment makes up events of it: rows, and questions. */
static void made_up_events_about_one_payment_are_few_rows(void **state)
{
	struct book *b = *state;
	struct ticket_request r = {.kind = TICKET_EVENT};
	int64_t id;

	take_payments(b, "toss");
	id = begun(b, noon_done(b, noon_wish(1, 4)).id);
	r.u.event = (struct ticket_event){.provider = INTENT_TOSS, .type = "PAYMENT_STATUS_CHANGED"};
	strcpy(r.u.event.reference, intent(b, id).pay_key);
	for (int k = 0; k < 60; k++) {
		snprintf(r.u.event.id, sizeof r.u.event.id, "made-up-%d", k);
		assert_int_equal(noon_done(b, r).err, ERR_OK);
	}
	assert_int_equal(number(b, "SELECT count(*) FROM payment_events"), 40);
}

/* ---- later than anybody waits ---- */

/* The provider does at last what it was asked four times, when nobody hoped for it any more. */
static void a_charge_that_arrives_after_the_last_try_is_found(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "portone");
	id = authorised(b, 1, 4, &v);
	for (int k = 0; k < 4; k++) {
		assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
		assert_int_equal(tell(b, id, TOLD_UNKNOWN), ERR_OK);
		assert_int_equal(tell(b, id, TOLD_OPEN), ERR_OK);
	}
	assert_int_equal(intent(b, id).state, INTENT_VOIDED);
	assert_string_equal(intent(b, id).told, "CHECKING"); /* what was sent may arrive yet */
	noon_stand_at("2031-05-06T03:02:00Z");
	assert_todo(b, id, INTENT_TO_LOOK);
	assert_int_equal(charge(b, id, 20000), ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
	assert_todo(b, id, INTENT_TO__NOTHING);
}

/* They cancel while the company takes its time with the charge: it may still come, and then it goes back. */
static void who_cancels_while_the_charge_is_under_way_gets_it_back(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "toss");
	id = authorised(b, 1, 4, &v);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(noon_done(b, noon_move(v, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
	assert_int_equal(tell(b, id, TOLD_UNKNOWN), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_OPEN), ERR_OK); /* not done, says the company */
	assert_int_equal(tell(b, id, TOLD_START), ERR_BAD_MOVE);
	assert_string_equal(intent(b, id).told, "CHECKING");
	noon_stand_at("2031-05-06T03:02:00Z");
	assert_todo(b, id, INTENT_TO_LOOK);
	assert_int_equal(tell(b, id, TOLD_OPEN), ERR_OK);
	assert_string_equal(intent(b, id).told, "NOTHING_CHARGED");
	assert_int_equal(intent(b, id).todo, INTENT_TO_LOOK); /* and once more, later */
	assert_int_equal(charge(b, id, 20000), ERR_OK);
	assert_int_equal(noon_money(b, "due_back_amount"), 20000);
}

/* Toss knows of no payment as long as its guest is in the window, and there they still are when the hold ends. */
static void who_is_in_the_window_when_the_hold_ends_is_waited_for(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "toss");
	v = noon_done(b, noon_wish(1, 4)).id;
	id = begun(b, v);
	noon_stand_at("2031-05-06T03:07:30Z");
	assert_todo(b, id, INTENT_TO_LOOK);
	assert_int_equal(tell(b, id, TOLD_GONE), ERR_OK);
	assert_int_equal(intent(b, id).state, INTENT_READY);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(charge(b, id, 20000), ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
	/* And who never comes is not waited for all day. */
	v = noon_done(b, noon_wish(2, 4)).id;
	id = begun(b, v);
	noon_stand_at("2031-05-06T03:20:00Z");
	assert_int_equal(tell(b, id, TOLD_GONE), ERR_OK);
	assert_int_equal(intent(b, id).state, INTENT_FAILED);
	assert_todo(b, id, INTENT_TO__NOTHING);
	/* Who comes even later is looked at once, and does not read for days that we are checking. */
	assert_int_equal(back(b, id, "late-token", ""), ERR_OK);
	assert_string_equal(intent(b, id).told, "CHECKING");
	assert_int_equal(tell(b, id, TOLD_OPEN), ERR_OK);
	assert_string_equal(intent(b, id).told, "NOTHING_CHARGED");
}

/* Back without a token, or by an address that was typed: for a moment it is being checked, and then they may pay. */
static void who_comes_back_with_nothing_may_go_there_again(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "portone");
	v = noon_done(b, noon_wish(1, 4)).id;
	id = begun(b, v);
	assert_int_equal(back(b, id, "", ""), ERR_OK);
	for (int k = 0; k < 3; k++) {
		char at[CLOCK_ISO_SIZE];

		assert_string_equal(intent(b, id).told, "CHECKING");
		assert_todo(b, id, INTENT_TO_LOOK);
		assert_int_equal(tell(b, id, TOLD_OPEN), ERR_OK);
		clock_iso(clock_now_s() + 6, at);
		noon_stand_at(at);
	}
	assert_string_equal(intent(b, id).told, "READY");
	assert_int_equal(begun(b, v), id);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(charge(b, id, 20000), ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
}

/* Stripe's page is over after half an hour; a link to pay by is good for a day. */
static void a_page_that_is_over_is_made_anew(void **state)
{
	struct book *b = *state;
	int64_t v, id, second;

	take_payments(b, "stripe");
	v = noon_done(b, noon_wish(1, 4)).id;
	assert_int_equal(noon_done(b, pay(PAY_LINK, v)).err, ERR_OK);
	id = begun(b, v);
	assert_int_equal(tell(b, id, TOLD_BEGUN), ERR_OK);
	noon_stand_at("2031-05-06T03:40:00Z");
	assert_todo(b, id, INTENT_TO_LOOK);
	assert_int_equal(tell(b, id, TOLD_GONE), ERR_OK);
	second = begun(b, v);
	assert_int_not_equal(second, id);
	assert_todo(b, second, INTENT_TO_BEGIN);
}

/* The same with tokens that nobody refuses in so many words. */
static void seats_are_not_held_again_after_a_payment_that_came_to_nothing(void **state)
{
	struct book *b = *state;
	int64_t v, first, second;

	take_payments(b, "portone");
	v = noon_done(b, noon_wish(1, 4)).id;
	first = begun(b, v);
	noon_stand_at(OVER);
	noon_done(b, noon_wish(2, 2)); /* it is released */
	assert_int_equal(back(b, first, "made-up", ""), ERR_OK);
	for (int k = 0; k < 4; k++) {
		assert_int_equal(tell(b, first, TOLD_START), ERR_OK);
		assert_int_equal(tell(b, first, TOLD_OPEN), ERR_OK);
	}
	assert_int_equal(intent(b, first).state, INTENT_VOIDED);
	second = begun(b, v);
	assert_int_not_equal(first, second);
	noon_stand_at("2031-05-06T03:14:00Z");
	noon_done(b, noon_wish(3, 2));
	assert_int_equal(back(b, second, "made-up", ""), ERR_OK);
	assert_int_equal(tell(b, second, TOLD_START), ERR_BAD_MOVE);
	assert_int_equal(noon_count(b, "user_id = 1 AND status = 'EXPIRED'"), 1);
}

/* Each look is a question to the provider, who answers so many of them to the whole house. */
static void what_is_over_is_not_looked_at_without_end(void **state)
{
	struct ticket_request event = {.kind = TICKET_EVENT};
	struct book *b = *state;
	int64_t v, failed, done, looks = 0, heard = 0;

	take_payments(b, "toss");
	v = noon_done(b, noon_wish(1, 4)).id;
	failed = begun(b, v);
	assert_int_equal(back(b, failed, "", "NO"), ERR_OK);
	done = paid(b, 2, 4, &v);
	event.u.event = (struct ticket_event){.provider = INTENT_TOSS, .type = "PAYMENT_STATUS_CHANGED"}; /* signed by nobody */
	strcpy(event.u.event.reference, intent(b, done).pay_key);
	for (int k = 0; k < 60; k++) {
		char at[CLOCK_ISO_SIZE];

		clock_iso(clock_now_s() + 3, at);
		noon_stand_at(at);
		assert_int_equal(back(b, failed, "any", ""), ERR_OK);
		if (intent(b, failed).todo_s <= clock_now_s()) {
			assert_int_equal(tell(b, failed, TOLD_GONE), ERR_OK);
			looks++;
		}
		assert_int_equal(noon_done(b, event).err, ERR_OK);
		if (intent(b, done).todo == INTENT_TO_LOOK && intent(b, done).todo_s <= clock_now_s()) {
			assert_int_equal(noon_done(b, charged(done, 20000, "KRW", 0)).err, ERR_OK);
			heard++;
		}
	}
	assert_in_range(looks, 10, 25);
	assert_in_range(heard, 10, 25);
	assert_int_equal(number(b, "SELECT count(*) FROM payment_events"), 0); /* nor do they fill the disk */
}

/* Guest 1, who booked for four, comes as another number of people. */
static struct ticket_request change_to(int64_t v, int party)
{
	struct ticket_request c = {.kind = TICKET_CHANGE}, wish = noon_wish(1, 4);

	c.u.change = (struct ticket_change){
		.reservation_id = v, .want = wish.u.book.want, .terms = wish.u.book.terms, .actor = "user:1"};
	c.u.change.want.party = party;
	return c;
}

/* Where the seats of a change are gone, the card is not charged at all. */
static void a_change_that_no_longer_fits_is_not_charged(void **state)
{
	struct book *b = *state;
	struct ticket_request c;
	int64_t v, id, rows;

	take_payments(b, "portone");
	paid(b, 1, 4, &v);
	c = change_to(v, 6);
	assert_int_equal(noon_done(b, c).err, ERR_OK);
	id = begun(b, v);
	noon_stand_at(OVER);
	assert_int_equal(noon_done(b, noon_wish(2, 36)).err, ERR_OK);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	rows = number(b, "SELECT count(*) FROM payments");
	assert_int_equal(tell(b, id, TOLD_START), ERR_BAD_MOVE);
	assert_int_equal(intent(b, id).state, INTENT_VOIDED);
	assert_int_equal(number(b, "SELECT count(*) FROM payments"), rows);
	assert_int_equal(noon_count(b, "party_size = 4 AND status = 'CONFIRMED'"), 1);
}

/* The hold ran out, and its seats are free: the change is tried, taken back, and charged. */
static void a_change_that_still_fits_is_charged(void **state)
{
	struct book *b = *state;
	struct ticket_request c;
	int64_t v, id;

	take_payments(b, "portone");
	paid(b, 1, 4, &v);
	c = change_to(v, 6);
	assert_int_equal(noon_done(b, c).err, ERR_OK);
	id = begun(b, v);
	noon_stand_at(OVER);
	assert_int_equal(noon_done(b, noon_wish(2, 2)).err, ERR_OK);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(noon_count(b, "party_size = 4 AND status = 'CONFIRMED'"), 1); /* it is not theirs before */
	assert_int_equal(charge(b, id, 10000), ERR_OK);
	assert_int_equal(noon_count(b, "party_size = 6 AND status = 'CONFIRMED' AND total_amount = 30000"), 1);
	assert_int_equal(noon_money(b, "kept_amount"), 30000);
}

/* ---- back again ---- */

static void a_guests_cancel_sends_the_money_back(void **state)
{
	struct book *b = *state;
	struct refunds_row row;
	int64_t v, id, r;

	noon_stand_at("2031-05-05T03:00:00Z");
	take_payments(b, "portone");
	id = paid(b, 1, 4, &v);
	assert_int_equal(noon_done(b, noon_move(v, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CANCELED'"), 1);
	r = refund(b);
	assert_int_equal(refunds_get(&b->db, r, &row), ERR_OK);
	assert_int_equal(row.amount, 20000);
	assert_int_equal(row.cancellable, 20000);
	assert_int_equal(noon_done(b, of_refund(b, r, TOLD_START, -1)).err, ERR_OK);
	assert_int_equal(refunds_get(&b->db, r, &row), ERR_OK);
	assert_true(row.doubt);
	assert_int_equal(row.cancellable, 20000); /* the same, should it have to be sent again */
	for (int k = 0; k < 2; k++)
		assert_int_equal(noon_done(b, of_refund(b, r, TOLD_REFUNDED, 20000)).err, ERR_OK);
	assert_int_equal(is_refund(b, "state = 'DONE'"), 1);
	assert_int_equal(noon_money(b, "refunded_amount"), 20000);
	assert_int_equal(intent(b, id).state, INTENT_REFUNDED);
	assert_int_equal(noon_done(b, of_refund(b, r, TOLD_START, -1)).err, ERR_BAD_MOVE); /* not once more */
}

static struct ticket_request at_the_desk(struct book *b, int64_t id, enum ticket_act_kind act)
{
	struct ticket_request r = {.kind = TICKET_ACT, .u.act = {.reservation_id = id, .act = (int32_t)act, .actor = "user:9"}};

	r.u.act.version = book_int(b->db.handle, "SELECT version FROM reservations WHERE reservation_id = %lld", (long long)id);
	r.u.act.move = (struct ticket_move){
		.reservation_id = id, .kind = MOVE_CANCEL, .by = BY_RESTAURANT, .actor = "user:9", .reason = "flood"};
	return r;
}

static void what_the_desk_takes_back_is_not_sent(void **state)
{
	struct book *b = *state;
	int64_t v, id, ids[4];
	int count;

	take_payments(b, "portone");
	id = paid(b, 1, 4, &v);
	assert_int_equal(noon_done(b, at_the_desk(b, v, ACT_CANCEL)).err, ERR_OK);
	assert_int_equal(refunds_due(&b->db, clock_now_s(), ids, 4, &count), ERR_OK);
	assert_int_equal(count, 0); /* it may be undone for a moment */
	assert_int_equal(noon_done(b, at_the_desk(b, v, ACT_UNDO)).err, ERR_OK);
	assert_int_equal(is_refund(b, "state = 'WITHDRAWN'"), 1);
	assert_int_equal(intent(b, id).state, INTENT_PAID);
	assert_int_equal(noon_done(b, of_refund(b, refund(b), TOLD_START, -1)).err, ERR_BAD_MOVE);
	assert_int_equal(noon_done(b, at_the_desk(b, v, ACT_CANCEL)).err, ERR_OK);
	noon_stand_at("2031-05-06T03:01:00Z");
	assert_int_equal(refunds_due(&b->db, clock_now_s(), ids, 4, &count), ERR_OK);
	assert_int_equal(count, 1);
	assert_int_equal(noon_done(b, of_refund(b, ids[0], TOLD_START, -1)).err, ERR_OK);
	assert_int_equal(noon_done(b, at_the_desk(b, v, ACT_UNDO)).err, ERR_BAD_MOVE); /* it is on its way */
	assert_int_equal(noon_money(b, "due_back_amount"), 20000);
}

static void a_refund_that_is_refused_waits_for_a_person(void **state)
{
	struct book *b = *state;
	struct ticket_request again = pay(PAY_AGAIN, 0), by_hand = pay(PAY_BY_HAND, 0);
	struct refunds_row row;
	int64_t v, id, r;

	noon_stand_at("2031-05-05T03:00:00Z");
	take_payments(b, "stripe");
	id = paid(b, 1, 4, &v);
	noon_done(b, noon_move(v, MOVE_CANCEL, BY_GUEST));
	again.u.pay.refund_id = by_hand.u.pay.refund_id = r = refund(b);
	assert_int_equal(noon_done(b, of_refund(b, r, TOLD_START, -1)).err, ERR_OK);
	assert_int_equal(noon_done(b, by_hand).err, ERR_ON_ITS_WAY_BACK); /* nobody knows yet */
	assert_int_equal(noon_done(b, of_refund(b, r, TOLD_REFUND_REFUSED, -1)).err, ERR_OK);
	assert_int_equal(is_refund(b, "state = 'FAILED' AND words = 'not enough on the account'"), 1);
	assert_int_equal(noon_count(b, "status = 'CANCELED'"), 1); /* the cancel stands, and the money is owed */
	assert_int_equal(noon_money(b, "due_back_amount"), 20000);
	assert_int_equal(noon_done(b, again).err, ERR_OK);
	assert_int_equal(refunds_get(&b->db, r, &row), ERR_OK);
	assert_string_equal(row.state, "QUEUED");
	assert_non_null(strstr(row.refund_key, "-r1x")); /* another key: the old one would be refused again */
	assert_int_equal(noon_done(b, of_refund(b, r, TOLD_START, -1)).err, ERR_OK);
	assert_int_equal(noon_done(b, of_refund(b, r, TOLD_REFUND_REFUSED, -1)).err, ERR_OK);
	assert_int_equal(noon_done(b, by_hand).err, ERR_OK);
	assert_int_equal(noon_money(b, "refunded_amount"), 20000);
	assert_int_equal(intent(b, id).state, INTENT_REFUNDED);
	by_hand.u.pay.restaurant_id = 2; /* staff of another restaurant */
	assert_int_equal(noon_done(b, by_hand).err, ERR_PAYMENT_UNKNOWN);
}

/* Of two refunds the first was refused, and the answer to the second was lost. */
static void needs_one(void *arg, const struct stmt_cell *cells, int count)
{
	(void)cells;
	(void)count;
	++*(int *)arg;
}

/* A key that is wrong refuses no refund: it is asked again and again, and nothing goes back. */
static void a_refund_that_does_not_go_out_is_for_somebody_too(void **state)
{
	struct book *b = *state;
	struct ticket_request r;
	int64_t v, needy = 0;
	int listed = 0;

	take_payments(b, "portone");
	paid(b, 1, 4, &v);
	assert_int_equal(noon_done(b, noon_move(v, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
	r = of_refund(b, refund(b), TOLD_REFUND_UNKNOWN, -1);
	strcpy(r.u.cashier.words, "UNAUTHORIZED");
	assert_int_equal(noon_done(b, r).err, ERR_OK);
	/* The rows say when by the clock of the machine. */
	assert_int_equal(refunds_needy(&b->db, number(b, "SELECT unixepoch()") + 60, &needy), ERR_OK);
	assert_int_equal(needy, 0);
	assert_int_equal(refunds_needy(&b->db, number(b, "SELECT unixepoch()") + 7200, &needy), ERR_OK);
	assert_int_equal(needy, 1);
	assert_int_equal(refunds_need(&b->db, 1, number(b, "SELECT unixepoch()") + 7200, needs_one, &listed), ERR_OK);
	assert_int_equal(listed, 1);
}

static void what_went_back_was_the_one_that_was_sent(void **state)
{
	struct book *b = *state;
	struct refunds_row row;
	int64_t v, id, first, second;

	noon_stand_at("2031-05-05T03:00:00Z");
	take_payments(b, "stripe");
	id = paid(b, 1, 4, &v);
	book_exec(b->db.handle, "UPDATE payments SET due_back_amount = 5000, kept_amount = 15000, status = 'REFUND_DUE'");
	first = refund(b);
	assert_int_equal(noon_done(b, of_refund(b, first, TOLD_START, -1)).err, ERR_OK);
	assert_int_equal(noon_done(b, of_refund(b, first, TOLD_REFUND_REFUSED, 0)).err, ERR_OK);
	book_exec(b->db.handle, "UPDATE payments SET due_back_amount = 10000, kept_amount = 10000");
	second = refund(b);
	assert_int_not_equal(first, second);
	assert_int_equal(noon_done(b, of_refund(b, second, TOLD_START, -1)).err, ERR_OK);
	assert_int_equal(noon_done(b, charged(id, 20000, "KRW", 5000)).err, ERR_OK);
	assert_int_equal(refunds_get(&b->db, first, &row), ERR_OK);
	assert_string_equal(row.state, "FAILED");
	assert_int_equal(refunds_get(&b->db, second, &row), ERR_OK);
	assert_string_equal(row.state, "DONE");
	/* A part of the other one goes back in the console: what is left of it is sent. */
	assert_int_equal(noon_done(b, charged(id, 20000, "KRW", 7000)).err, ERR_OK);
	assert_int_equal(is_refund(b, "state = 'WITHDRAWN' AND amount = 5000"), 1);
	assert_int_equal(is_refund(b, "state = 'QUEUED' AND amount = 3000"), 1);
	assert_int_equal(noon_money(b, "kept_amount"), 10000);
}

static void a_refund_in_the_providers_console_is_noticed(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "portone");
	id = paid(b, 1, 4, &v);
	assert_int_equal(noon_done(b, charged(id, 20000, "KRW", 5000)).err, ERR_OK);
	assert_int_equal(noon_money(b, "refunded_amount"), 5000);
	assert_int_equal(noon_money(b, "kept_amount"), 15000);
	/* While one of ours is under way, somebody gives back the rest there: it adds up, and nothing goes back twice. */
	assert_int_equal(noon_done(b, noon_move(v, MOVE_CANCEL, BY_RESTAURANT)).err, ERR_OK);
	assert_int_equal(noon_done(b, of_refund(b, refund(b), TOLD_START, -1)).err, ERR_OK);
	assert_int_equal(noon_done(b, charged(id, 20000, "KRW", 20000)).err, ERR_OK);
	assert_int_equal(is_refund(b, "state = 'DONE'"), 1);
	assert_int_equal(noon_done(b, of_refund(b, refund(b), TOLD_REFUNDED, 20000)).err, ERR_OK);
	assert_int_equal(noon_money(b, "refunded_amount"), 20000);
	assert_int_equal(noon_money(b, "due_back_amount"), 0);
	assert_int_equal(noon_done(b, charged(id, 20000, "KRW", 20000)).err, ERR_OK);
	assert_int_equal(noon_money(b, "refunded_amount"), 20000);
}

static void money_marked_as_given_back_is_not_sent_as_well(void **state)
{
	struct book *b = *state;
	int64_t v;

	noon_stand_at("2031-05-05T03:00:00Z");
	take_payments(b, "portone");
	paid(b, 1, 4, &v);
	noon_done(b, noon_move(v, MOVE_CANCEL, BY_GUEST));
	book_exec(b->db.handle, "UPDATE payments SET status = 'REFUNDED', refunded_amount = refunded_amount + due_back_amount, "
				"due_back_amount = 0,"
				" refunded_at = '2031-05-05T03:00:00Z'");
	assert_int_equal(is_refund(b, "state = 'BY_HAND'"), 1);
	assert_int_equal(noon_done(b, of_refund(b, refund(b), TOLD_START, -1)).err, ERR_BAD_MOVE);
}

/* ---- by other ways ---- */

static void a_change_that_costs_more_is_paid_in_the_same_way(void **state)
{
	struct book *b = *state;
	struct ticket_request c;
	int64_t v, id;

	noon_stand_at("2031-05-05T03:00:00Z");
	take_payments(b, "portone");
	paid(b, 1, 4, &v);
	c = change_to(v, 6);
	assert_int_equal(noon_done(b, c).err, ERR_OK);
	assert_int_equal(noon_count(b, "change_of IS NOT NULL AND status = 'TEMPORARY'"), 1);
	id = begun(b, v);
	assert_int_equal(intent(b, id).amount, 10000);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(charge(b, id, 10000), ERR_OK);
	assert_int_equal(noon_count(b, "party_size = 6 AND status = 'CONFIRMED' AND total_amount = 30000"), 1);
	assert_int_equal(
		book_int(b->db.handle, "SELECT sum(kept_amount) FROM payments WHERE reservation_id = %lld", (long long)v),
		30000);
	assert_int_equal(charge(b, id, 10000), ERR_OK);
	assert_int_equal(noon_money(b, "amount"), 30000);
}

static void a_change_of_what_was_cancelled_meanwhile_is_not_charged(void **state)
{
	struct book *b = *state;
	struct ticket_request c;
	int64_t v, id;

	take_payments(b, "portone");
	paid(b, 1, 4, &v);
	c = change_to(v, 6);
	assert_int_equal(noon_done(b, c).err, ERR_OK);
	id = begun(b, v);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_int_equal(noon_done(b, noon_move(v, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_BAD_MOVE); /* the call must not be made */
	assert_int_equal(intent(b, id).state, INTENT_VOIDED);
	assert_int_equal(noon_money(b, "amount"), 20000);
}

/* The desk took the money of a change while its guest was in the window: their card is not charged as well. */
static void a_change_that_the_desk_took_is_not_charged(void **state)
{
	struct book *b = *state;
	struct ticket_request c = {.kind = TICKET_CHANGE}, desk;
	struct ticket_request wish = noon_wish(1, 4);
	int64_t v, id;

	take_payments(b, "portone");
	paid(b, 1, 4, &v);
	c.u.change = (struct ticket_change){
		.reservation_id = v, .want = wish.u.book.want, .terms = wish.u.book.terms, .actor = "user:1"};
	c.u.change.want.party = 6;
	assert_int_equal(noon_done(b, c).err, ERR_OK);
	id = begun(b, v);
	desk = at_the_desk(b, v, ACT_CONFIRM);
	desk.u.act.move.kind = MOVE_CONFIRM;
	assert_int_equal(noon_done(b, desk).err, ERR_OK);
	assert_int_equal(noon_money(b, "kept_amount"), 30000);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_BAD_MOVE); /* the call must not be made */
	assert_int_equal(intent(b, id).state, INTENT_VOIDED);
	assert_int_equal(noon_money(b, "amount"), 30000);
}

static void the_money_of_a_change_that_no_longer_fits_goes_back(void **state)
{
	struct book *b = *state;
	struct ticket_request c;
	int64_t v, id;

	take_payments(b, "portone");
	paid(b, 1, 4, &v);
	c = change_to(v, 6);
	assert_int_equal(noon_done(b, c).err, ERR_OK);
	id = begun(b, v);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	noon_stand_at(OVER);
	assert_int_equal(noon_done(b, noon_wish(2, 36)).err, ERR_OK);
	assert_int_equal(charge(b, id, 10000), ERR_OK);
	assert_int_equal(noon_count(b, "party_size = 4 AND status = 'CONFIRMED'"), 1);
	assert_int_equal(noon_money(b, "due_back_amount"), 10000);
	assert_int_equal(is_refund(b, "state = 'QUEUED' AND amount = 10000"), 1);
}

static void a_link_holds_the_seats_as_long_as_it_is_good(void **state)
{
	struct book *b = *state;
	int64_t v;

	take_payments(b, "portone");
	book_exec(b->db.handle, "UPDATE payment_settings SET phone_hold_hours = 4");
	v = noon_done(b, noon_wish(1, 4)).id;
	assert_int_equal(noon_done(b, pay(PAY_LINK, v)).err, ERR_OK);
	assert_true(is_held_until(b, 1, "2031-05-06T07:00:00Z"));
	assert_int_equal(back(b, begun(b, v), "sealed-token", ""), ERR_OK);
	assert_true(is_held_until(b, 1, "2031-05-06T07:00:00Z")); /* longer than a stretch already */
	book_exec(b->db.handle, "UPDATE payment_settings SET phone_hold_hours = 12");
	v = noon_done(b, noon_wish(2, 4)).id;
	assert_int_equal(noon_done(b, pay(PAY_LINK, v)).err, ERR_OK);
	assert_int_equal(noon_count(b, "user_id = 2 AND hold_expires_at = '2031-05-06T09:00:00Z'"), 1); /* when it begins */
	v = noon_done(b, noon_wish(3, 4)).id;
	noon_stand_at(OVER);
	assert_int_equal(noon_done(b, pay(PAY_LINK, v)).err, ERR_PAYMENT_NOT_DUE);
}

static void a_trial_goes_back_by_itself(void **state)
{
	struct book *b = *state;
	struct ticket_request r = pay(PAY_TRY, 0);
	int64_t id;

	take_payments(b, "toss");
	r.u.pay.restaurant_id = 1;
	r.u.pay.amount = 100;
	id = noon_done(b, r).id;
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(charge(b, id, 100), ERR_OK);
	assert_int_equal(intent(b, id).state, INTENT_REFUND_DUE);
	assert_int_equal(noon_done(b, of_refund(b, refund(b), TOLD_START, -1)).err, ERR_OK);
	assert_int_equal(noon_done(b, of_refund(b, refund(b), TOLD_REFUNDED, 100)).err, ERR_OK);
	assert_int_equal(intent(b, id).state, INTENT_REFUNDED);
	assert_int_equal(intent(b, id).money.returned, 100);
	assert_int_equal(number(b, "SELECT count(*) FROM payments"), 0); /* it is nobody's deposit */
}

/* ---- a card as guarantee ---- */

static int64_t guaranteed(struct book *b, int64_t user, int64_t *v)
{
	struct ticket_request r = noon_wish(user, 4), card;
	struct ticket_outcome o;
	int64_t id;

	r.u.book.terms.deposit = 0;
	r.u.book.terms.guarantee = 80000;
	o = noon_done(b, r);
	assert_true(o.hold_until_s > 0); /* it waits for a card */
	*v = o.id;
	id = begun(b, o.id);
	assert_int_equal(intent(b, id).purpose, INTENT_FOR_CARD);
	assert_int_equal(intent(b, id).amount, 80000);
	assert_string_equal(intent(b, id).terms, "terms");
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	card = told(id, TOLD_CARD);
	strcpy(card.u.cashier.secret, "sealed-card");
	strcpy(card.u.cashier.label, "**** 4242");
	assert_int_equal(noon_done(b, card).err, ERR_OK);
	assert_int_equal(noon_done(b, card).err, ERR_OK);
	assert_string_equal(intent(b, id).told, "PAID");
	return id;
}

static void a_card_is_kept_and_nothing_charged(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "portone");
	id = guaranteed(b, 1, &v);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED' AND total_amount = 0"), 1);
	assert_int_equal(number(b, "SELECT count(*) FROM payments"), 0);
	noon_stand_at("2031-05-08T09:00:00Z"); /* two days after its time it is forgotten */
	assert_todo(b, id, INTENT_TO_FORGET_CARD);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_FORGOTTEN), ERR_OK);
	assert_int_equal(number(b, "SELECT count(*) FROM intents WHERE card_ref IS NOT NULL"), 0);
	assert_int_equal(intent(b, id).state, INTENT_VOIDED);
}

/* A hold that waits for a card, and the card's intent. */
static int64_t card_asked(struct book *b, int64_t user, int64_t *v)
{
	struct ticket_request r = noon_wish(user, 4);

	r.u.book.terms.deposit = 0;
	r.u.book.terms.guarantee = 80000;
	*v = noon_done(b, r).id;
	return begun(b, *v);
}

static struct ticket_request card_kept(int64_t id)
{
	struct ticket_request r = told(id, TOLD_CARD);

	strcpy(r.u.cashier.secret, "sealed-card");
	strcpy(r.u.cashier.label, "**** 4242");
	return r;
}

/* A reload while the provider keeps the card: what was begun stays in doubt. */
static void a_card_that_is_brought_twice_is_kept_once(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "toss");
	id = card_asked(b, 1, &v);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_true(intent(b, id).doubt);
	assert_int_equal(back(b, id, "another-token", ""), ERR_OK);
	assert_true(intent(b, id).doubt);
	assert_string_equal(intent(b, id).token, "sealed-token");
	assert_int_equal(noon_done(b, card_kept(id)).err, ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
}

/* They said that they gave up, and left the card in another tab. */
static void a_card_that_nobody_waits_for_is_forgotten(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "stripe");
	id = card_asked(b, 1, &v);
	assert_int_equal(back(b, id, "", "CLOSED"), ERR_OK);
	assert_int_equal(intent(b, id).state, INTENT_FAILED);
	noon_stand_at(OVER);
	assert_todo(b, id, INTENT_TO_LOOK);
	assert_int_equal(noon_done(b, card_kept(id)).err, ERR_OK);
	assert_todo(b, id, INTENT_TO_FORGET_CARD);
	assert_string_equal(intent(b, id).card_ref, "sealed-card");
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_FORGOTTEN), ERR_OK);
	assert_todo(b, id, INTENT_TO__NOTHING);
	assert_int_equal(intent(b, id).state, INTENT_FAILED);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 0);
}

/* The party grew while the provider kept the card: it is good for those who were asked about, and the others owe one. */
static void a_card_for_fewer_people_gives_no_seats(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "portone");
	id = card_asked(b, 1, &v);
	assert_int_equal(back(b, id, "sealed-token", ""), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	book_exec(b->db.handle, "UPDATE reservations SET guarantee_amount = 240000 WHERE reservation_id = %lld", (long long)v);
	assert_int_equal(noon_done(b, card_kept(id)).err, ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 0);
	assert_todo(b, id, INTENT_TO_FORGET_CARD);
}

/* Once it is confirmed, its guest may bring fewer, and more only by the restaurant's word. */
static void a_card_that_was_left_is_good_for_no_more_people(void **state)
{
	struct book *b = *state;
	struct ticket_request c = {.kind = TICKET_CHANGE}, wish = noon_wish(1, 5);
	int64_t v;

	take_payments(b, "portone");
	guaranteed(b, 1, &v);
	c.u.change = (struct ticket_change){.reservation_id = v, .want = wish.u.book.want, .actor = "user:1"};
	assert_int_equal(noon_done(b, c).err, ERR_CARD_FOR_FEWER);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED' AND party_size = 4"), 1);
	c.u.change.want.party = 3;
	assert_int_equal(noon_done(b, c).err, ERR_OK);
	c.u.change.want.party = 5;
	c.u.change.by_staff = 1;
	assert_int_equal(noon_done(b, c).err, ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED' AND party_size = 5 AND guarantee_amount = 80000"), 1);
}

/* Booked for one, and then for as many as fit: the card has to be good for all of them. */
static void a_hold_that_grows_asks_for_a_card_that_is_good_for_all(void **state)
{
	struct book *b = *state;
	struct ticket_request c;
	int64_t v, first, second;

	take_payments(b, "portone");
	first = card_asked(b, 1, &v);
	c = change_to(v, 12);
	c.u.change.terms.deposit = 0;
	c.u.change.terms.guarantee = 240000;
	assert_int_equal(noon_done(b, c).err, ERR_OK);
	assert_int_equal(noon_count(b, "status = 'TEMPORARY' AND party_size = 12 AND guarantee_amount = 240000"), 1);
	second = begun(b, v);
	assert_int_not_equal(first, second);
	assert_int_equal(intent(b, second).amount, 240000);
	assert_int_equal(intent(b, first).state, INTENT_FAILED);
}

/* What the provider says of a payment makes no sense to us: it is asked again, though not at once. */
static void what_the_book_refuses_is_not_asked_for_all_the_time(void **state)
{
	struct book *b = *state;
	struct ticket_request other;
	int64_t v, w, id;

	take_payments(b, "portone");
	paid(b, 1, 4, &v);
	w = noon_done(b, noon_wish(2, 4)).id;
	id = begun(b, w);
	noon_stand_at(OVER);
	assert_todo(b, id, INTENT_TO_LOOK);
	other = charged(id, 20000, "KRW", -1);
	strcpy(other.u.cashier.ref, "ref-1"); /* of the other payment */
	assert_int_equal(noon_done(b, other).err, ERR_BAD_MOVE);
	assert_int_equal(intent(b, id).todo, INTENT_TO_LOOK);
	assert_true(intent(b, id).todo_s > clock_now_s() + 30);
}

static enum err ask_charge(struct book *b, int64_t v, int64_t amount, int64_t most, int64_t *id)
{
	struct ticket_request r = pay(PAY_CHARGE, v);
	struct ticket_outcome o;

	r.u.pay.amount = amount;
	r.u.pay.most = most;
	o = noon_done(b, r);
	*id = o.id;
	return (enum err)o.err;
}

static void a_person_charges_it_once_its_time_has_come_and_no_more_than_was_shown(void **state)
{
	struct book *b = *state;
	int64_t v, id, charge_id;

	take_payments(b, "portone");
	id = guaranteed(b, 1, &v);
	assert_int_equal(ask_charge(b, v, 50000, 80000, &charge_id), ERR_TOO_EARLY);
	noon_stand_at("2031-05-06T10:00:00Z");
	assert_int_equal(ask_charge(b, v, 80001, 80000, &charge_id), ERR_CHARGE_OVER);
	assert_int_equal(ask_charge(b, v, 50000, 80000, &charge_id), ERR_OK);
	assert_todo(b, charge_id, INTENT_TO_CHARGE);
	assert_string_equal(intent(b, charge_id).card_ref, "sealed-card");
	assert_int_equal(tell(b, charge_id, TOLD_START), ERR_OK);
	assert_int_equal(charge(b, charge_id, 50000), ERR_OK);
	assert_int_equal(noon_money(b, "kept_amount"), 50000);
	assert_int_equal(ask_charge(b, v, 30001, 30000, &charge_id), ERR_CHARGE_OVER); /* together no more */
	assert_int_equal(ask_charge(b, v, 30000, 30000, &charge_id), ERR_OK);
	assert_int_equal(tell(b, charge_id, TOLD_START), ERR_OK);
	assert_int_equal(tell(b, charge_id, TOLD_REFUSED), ERR_OK);
	assert_int_equal(intent(b, charge_id).state, INTENT_FAILED);
	noon_stand_at("2031-05-08T09:00:00Z");
	assert_int_equal(ask_charge(b, v, 1000, 30000, &charge_id), ERR_CHARGE_OVER); /* it is over */
	assert_int_equal(intent(b, id).state, INTENT_AUTHORISED);
}

/* Two tablets, or one whose answer was lost. */
static void a_card_is_charged_once_for_what_was_seen_once(void **state)
{
	struct book *b = *state;
	int64_t v, first, again;

	take_payments(b, "portone");
	guaranteed(b, 1, &v);
	noon_stand_at("2031-05-06T10:00:00Z");
	assert_int_equal(ask_charge(b, v, 20000, 80000, &first), ERR_OK);
	assert_int_equal(ask_charge(b, v, 20000, 80000, &again), ERR_STALE);
	assert_int_equal(tell(b, first, TOLD_START), ERR_OK);
	assert_int_equal(charge(b, first, 20000), ERR_OK);
	assert_int_equal(ask_charge(b, v, 20000, 80000, &again), ERR_STALE);
	assert_int_equal(noon_money(b, "amount"), 20000);
	assert_int_equal(ask_charge(b, v, 20000, 60000, &again), ERR_OK); /* they saw it, and want more */
}

/* Else whoever left a card for tomorrow, and then comes in two weeks, has left none. */
static void a_card_is_kept_until_its_hours_after_the_new_time(void **state)
{
	struct book *b = *state;
	struct ticket_request c = {.kind = TICKET_CHANGE}, wish = noon_wish(1, 4);
	int64_t v, id, before_s, charge_id;

	take_payments(b, "portone");
	id = guaranteed(b, 1, &v);
	before_s = intent(b, id).charge_until_s;
	c.u.change = (struct ticket_change){
		.reservation_id = v, .want = wish.u.book.want, .terms = wish.u.book.terms, .actor = "user:1"};
	strcpy(c.u.change.want.date, "2031-05-20");
	c.u.change.want.starts_s += 14 * 86400;
	assert_int_equal(noon_done(b, c).err, ERR_OK);
	assert_int_equal(intent(b, id).charge_until_s, before_s + 14 * 86400);
	assert_int_equal(intent(b, id).todo_s, before_s + 14 * 86400);
	assert_int_equal(intent(b, id).todo, INTENT_TO_FORGET_CARD);
	setenv("JARI_WITHOUT", "follow", 1); /* it is the time that passes */
	noon_stand_at("2031-05-20T10:00:00Z");
	assert_int_equal(ask_charge(b, v, 50000, 80000, &charge_id), ERR_OK);
	assert_int_equal(tell(b, charge_id, TOLD_START), ERR_OK);
}

static void a_charge_that_was_asked_for_in_time_is_not_begun_after_it(void **state)
{
	struct book *b = *state;
	int64_t v, charge_id;

	take_payments(b, "portone");
	guaranteed(b, 1, &v);
	noon_stand_at("2031-05-06T10:00:00Z");
	assert_int_equal(ask_charge(b, v, 50000, 80000, &charge_id), ERR_OK);
	noon_stand_at("2031-05-08T09:00:00Z"); /* the cashier was away */
	assert_int_equal(tell(b, charge_id, TOLD_START), ERR_BAD_MOVE);
	assert_int_equal(intent(b, charge_id).state, INTENT_FAILED);
	assert_int_equal(number(b, "SELECT count(*) FROM payments"), 0);
}

/* A charge that nobody has answered is not over because the provider knows nothing of it yet. */
static void a_charge_of_a_card_that_arrives_late_is_found_and_not_made_twice(void **state)
{
	struct book *b = *state;
	int64_t v, id, again;

	take_payments(b, "portone");
	guaranteed(b, 1, &v);
	noon_stand_at("2031-05-06T10:00:00Z");
	assert_int_equal(ask_charge(b, v, 50000, 80000, &id), ERR_OK);
	for (int k = 0; k < 4; k++) {
		assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
		assert_int_equal(tell(b, id, TOLD_UNKNOWN), ERR_OK);
		assert_int_equal(tell(b, id, TOLD_GONE), ERR_OK);
		assert_int_equal(ask_charge(b, v, 50000, 80000, &again), ERR_STALE);
	}
	noon_stand_at("2031-05-06T10:02:00Z");
	assert_todo(b, id, INTENT_TO_LOOK);
	assert_int_equal(charge(b, id, 50000), ERR_OK);
	assert_int_equal(noon_money(b, "kept_amount"), 50000);
	/* One that never arrives frees the card for another. */
	assert_int_equal(ask_charge(b, v, 30000, 30000, &id), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	noon_stand_at("2031-05-06T10:20:00Z");
	assert_int_equal(tell(b, id, TOLD_UNKNOWN), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_GONE), ERR_OK);
	assert_int_equal(intent(b, id).state, INTENT_FAILED);
	assert_int_equal(ask_charge(b, v, 30000, 30000, &again), ERR_OK);
}

/* By it the charge is found where its answer was lost. */
static void a_card_is_not_forgotten_while_it_is_being_charged(void **state)
{
	struct book *b = *state;
	int64_t v, card, id;

	take_payments(b, "stripe");
	card = guaranteed(b, 1, &v);
	noon_stand_at("2031-05-08T02:59:30Z"); /* shortly before its hours are over */
	assert_int_equal(ask_charge(b, v, 50000, 80000, &id), ERR_OK);
	assert_int_equal(tell(b, id, TOLD_START), ERR_OK);
	noon_stand_at("2031-05-08T09:00:00Z");
	assert_int_equal(tell(b, card, TOLD_START), ERR_BAD_MOVE);
	assert_string_equal(intent(b, id).card_ref, "sealed-card");
	assert_int_equal(charge(b, id, 50000), ERR_OK);
	noon_stand_at("2031-05-08T09:02:00Z");
	assert_todo(b, card, INTENT_TO_FORGET_CARD);
	assert_int_equal(tell(b, card, TOLD_START), ERR_OK);
	assert_int_equal(tell(b, card, TOLD_FORGOTTEN), ERR_OK);
}

static void a_card_is_not_charged_for_what_the_house_cancelled(void **state)
{
	struct book *b = *state;
	int64_t v, id;

	take_payments(b, "portone");
	guaranteed(b, 1, &v);
	assert_int_equal(noon_done(b, noon_move(v, MOVE_CANCEL, BY_RESTAURANT)).err, ERR_OK);
	noon_stand_at("2031-05-06T10:00:00Z");
	assert_int_equal(ask_charge(b, v, 50000, 80000, &id), ERR_CHARGE_OVER);
}

/* ---- at the shell ---- */

static void the_book_defends_its_payments(void **state)
{
	struct book *b = *state;
	int64_t v;
	struct sqlite3 *h = b->db.handle;

	take_payments(b, "portone");
	paid(b, 1, 4, &v);
	assert_int_not_equal(book_try(h, "DELETE FROM intents"), 0);
	assert_int_not_equal(book_try(h, "UPDATE intents SET state = 'READY'"), 0);
	assert_int_not_equal(book_try(h, "UPDATE intents SET state = 'REFUND_DUE'"), 0); /* its payment says it */
	assert_int_not_equal(book_try(h, "UPDATE intents SET amount = 1"), 0);
	assert_int_not_equal(book_try(h, "UPDATE payments SET intent_id = NULL"), 0);
	/* The restaurant cancels at the shell: what came by a card goes back to it. */
	book_exec(h, "UPDATE reservations SET status = 'REFUND_PENDING'");
	book_exec(h, "UPDATE reservations SET status = 'CANCELED'");
	assert_int_equal(is_refund(b, "state = 'QUEUED' AND amount = 20000"), 1);
	assert_int_not_equal(book_try(h, "DELETE FROM refunds"), 0);
	assert_int_not_equal(book_try(h, "UPDATE refunds SET amount = 1"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_button_is_one_payment_however_often_it_is_pressed),
		TEST(who_comes_back_is_charged_and_has_their_seats),
		TEST(what_was_charged_is_looked_at_once_whatever_the_provider_says),
		TEST(a_hold_is_stretched_once_while_it_is_being_paid),
		TEST(a_hold_that_ran_out_is_not_held_again_for_every_card),
		TEST(who_presses_and_comes_back_all_day_costs_little),
		TEST(after_a_refusal_another_card_gets_the_same_seats),
		TEST(a_currency_that_the_company_does_not_take_is_paid_at_the_house),
		TEST(tries_have_an_end),
		TEST(who_comes_too_late_is_seated_before_the_card_is_charged),
		TEST(where_the_seats_are_gone_nothing_is_charged),
		TEST(at_stripe_the_card_is_let_go),
		TEST(money_whose_seats_are_gone_goes_back_at_once),
		TEST(another_amount_is_no_payment),
		TEST(another_amount_that_is_only_authorised_is_let_go),
		TEST(one_payment_pays_for_one_reservation),
		TEST(money_for_what_is_paid_already_goes_back),
		TEST(a_party_that_grew_meanwhile_pays_for_all_of_them),
		TEST(what_nobody_knows_is_looked_for_before_it_is_done_again),
		TEST(what_was_begun_and_is_not_wanted_any_more_is_looked_for_first),
		TEST(a_payment_that_nobody_came_back_for_is_swept),
		TEST(who_sets_the_clock_back_makes_nobody_wait),
		TEST(an_event_makes_us_look_and_moves_nothing),
		TEST(made_up_events_about_one_payment_are_few_rows),
		TEST(a_charge_that_arrives_after_the_last_try_is_found),
		TEST(who_cancels_while_the_charge_is_under_way_gets_it_back),
		TEST(who_is_in_the_window_when_the_hold_ends_is_waited_for),
		TEST(who_comes_back_with_nothing_may_go_there_again),
		TEST(a_page_that_is_over_is_made_anew),
		TEST(seats_are_not_held_again_after_a_payment_that_came_to_nothing),
		TEST(what_is_over_is_not_looked_at_without_end),
		TEST(a_change_that_no_longer_fits_is_not_charged),
		TEST(a_change_that_still_fits_is_charged),
		TEST(a_guests_cancel_sends_the_money_back),
		TEST(what_the_desk_takes_back_is_not_sent),
		TEST(a_refund_that_is_refused_waits_for_a_person),
		TEST(a_refund_that_does_not_go_out_is_for_somebody_too),
		TEST(what_went_back_was_the_one_that_was_sent),
		TEST(a_refund_in_the_providers_console_is_noticed),
		TEST(money_marked_as_given_back_is_not_sent_as_well),
		TEST(a_change_that_costs_more_is_paid_in_the_same_way),
		TEST(a_change_of_what_was_cancelled_meanwhile_is_not_charged),
		TEST(a_change_that_the_desk_took_is_not_charged),
		TEST(the_money_of_a_change_that_no_longer_fits_goes_back),
		TEST(a_link_holds_the_seats_as_long_as_it_is_good),
		TEST(a_trial_goes_back_by_itself),
		TEST(a_card_is_kept_and_nothing_charged),
		TEST(a_card_that_is_brought_twice_is_kept_once),
		TEST(a_card_that_nobody_waits_for_is_forgotten),
		TEST(a_card_for_fewer_people_gives_no_seats),
		TEST(a_card_that_was_left_is_good_for_no_more_people),
		TEST(a_hold_that_grows_asks_for_a_card_that_is_good_for_all),
		TEST(what_the_book_refuses_is_not_asked_for_all_the_time),
		TEST(a_person_charges_it_once_its_time_has_come_and_no_more_than_was_shown),
		TEST(a_card_is_charged_once_for_what_was_seen_once),
		TEST(a_card_is_kept_until_its_hours_after_the_new_time),
		TEST(a_charge_that_was_asked_for_in_time_is_not_begun_after_it),
		TEST(a_charge_of_a_card_that_arrives_late_is_found_and_not_made_twice),
		TEST(a_card_is_not_forgotten_while_it_is_being_charged),
		TEST(a_card_is_not_charged_for_what_the_house_cancelled),
		TEST(the_book_defends_its_payments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
