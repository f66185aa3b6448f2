/*
 * test_batch_money.c - what the pen does with money: payments, refunds, and payments that come late.
 */
#include "batch.h"

#include "noon.h"
#include "unit.h"

static void a_confirmed_hold_is_paid_once_however_often_it_is_said(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 4)).id;

	assert_int_equal(noon_done(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM payments"), 1);
	assert_int_equal(noon_money(b, "amount"), 20000);
	assert_int_equal(noon_money(b, "kept_amount"), 20000);
	noon_stand_at("2031-05-06T05:00:00Z"); /* long past the end of the hold it was */
	noon_done(b, noon_wish(2, 2));
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
}

static void nothing_due_is_confirmed_at_once(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 4);
	struct ticket_outcome o;

	r.u.book.terms.deposit = 0;
	o = noon_done(b, r);
	assert_int_equal(o.hold_until_s, 0);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED' AND hold_expires_at IS NULL"), 1);
	assert_int_equal(noon_done(b, noon_move(o.id, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM payments"), 0);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservation_cancellations WHERE canceled_by = 'GUEST'"
						" AND refund_amount = 0 AND reason = 'because'"),
			 1);
}

static void a_prepaid_order_becomes_prepay_confirm(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 2);

	r.u.book.terms.type = TICKET_PREPAY;
	r.u.book.terms.deposit = 0;
	r.u.book.terms.prepay = 13000;
	r.u.book.item_count = 1;
	r.u.book.items[0] = (struct ticket_item){.menu_id = 2, .quantity = 1, .unit_price = 13000};
	assert_int_equal(noon_done(b, noon_move(noon_done(b, r).id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	assert_int_equal(noon_count(b, "status = 'PREPAY_CONFIRM'"), 1);
	assert_int_equal(noon_money(b, "amount"), 13000);
}

/* Pays 20,000 for four, then the guest or staff cancels at a moment; what goes back. */
static int64_t back(struct book *b, int64_t user, enum ticket_by by, const char *when)
{
	int64_t before = noon_money(b, "due_back_amount"), id;

	noon_stand_at("2031-05-05T03:00:00Z");
	id = noon_done(b, noon_wish(user, 4)).id;
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	noon_stand_at(when);
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CANCEL, by)).err, ERR_OK);
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CANCEL, by)).err, ERR_OK); /* said twice: it is so, and once */
	assert_int_equal(book_int(b->db.handle,
				  "SELECT count(*) FROM reservations WHERE reservation_id = %lld AND status = 'CANCELED'",
				  (long long)id),
			 1);
	return noon_money(b, "due_back_amount") - before;
}

static void a_cancel_gives_back_what_the_frozen_policy_says(void **state)
{
	struct book *b = *state;

	assert_int_equal(back(b, 1, BY_GUEST, "2031-05-05T14:59:00Z"), 20000); /* a minute to midnight in Seoul */
	assert_int_equal(back(b, 2, BY_GUEST, "2031-05-05T15:00:00Z"), 10000); /* the day itself */
	assert_int_equal(back(b, 3, BY_GUEST, "2031-05-06T07:00:00Z"), 10000); /* two hours before */
	assert_int_equal(back(b, 4, BY_GUEST, "2031-05-06T07:01:00Z"), 4000);
	assert_int_equal(back(b, 5, BY_GUEST, "2031-05-06T09:00:00Z"), 0); /* it begins */
	assert_int_equal(back(b, 6, BY_RESTAURANT, "2031-05-06T08:59:00Z"), 20000);
	assert_int_equal(noon_money(b, "amount"), 6 * 20000);
	assert_int_equal(noon_money(b, "kept_amount + refunded_amount + due_back_amount"), 6 * 20000);
	assert_int_equal(noon_count(b, "is_active = 1"), 0);
	assert_int_equal(book_int(b->db.handle, "SELECT sum(refund_amount) FROM reservation_cancellations"), 64000);
}

static void what_is_over_cannot_be_cancelled_or_confirmed(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 2)).id;

	noon_done(b, noon_move(id, MOVE_CANCEL, BY_GUEST));
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_PAID_TOO_LATE);
	assert_int_equal(noon_done(b, noon_move(4711, MOVE_CANCEL, BY_GUEST)).err, ERR_NO_SUCH_RESERVATION);
	id = noon_done(b, noon_wish(2, 2)).id;
	noon_stand_at("2031-05-06T03:10:00Z");
	/* The hold has expired by itself. */
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CANCEL, BY_GUEST)).err, ERR_BAD_MOVE);
	assert_int_equal(noon_count(b, "status = 'EXPIRED'"), 1);
}

static void a_late_payment_finds_its_seats_still_free(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 30)).id;

	noon_stand_at("2031-05-06T03:10:00Z");
	noon_done(b, noon_wish(2, 10));
	assert_int_equal(noon_count(b, "status = 'EXPIRED'"), 1);
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
	assert_int_equal(noon_money(b, "kept_amount"), 150000);
}

static void a_late_payment_whose_seats_are_gone_is_due_back(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 30)).id;
	uint64_t neighbour, late;

	noon_stand_at("2031-05-06T03:10:00Z");
	noon_done(b, noon_wish(2, 30));
	neighbour = noon_draw(b, noon_wish(3, 2));
	late = noon_draw(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT));
	assert_int_equal(noon_served(b, late).err, ERR_PAID_TOO_LATE);
	assert_int_equal(noon_outcome(b, neighbour).err, ERR_OK);
	assert_int_equal(noon_count(b, "status = 'EXPIRED'"), 1);
	assert_int_equal(noon_money(b, "kept_amount"), 0);
	assert_int_equal(noon_money(b, "due_back_amount"), 150000);
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_PAID_TOO_LATE);
	assert_int_equal(noon_money(b, "due_back_amount"), 150000); /* said twice, owed once */
}

/* A hold of four whose time has run out, in a restaurant with these tables; table 1 has gone to another party since. */
static int64_t lost_its_table(struct book *b, const char *tables)
{
	int64_t id;

	book_exec(b->db.handle, "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max) VALUES %s",
		  tables);
	id = noon_done(b, noon_wish(1, 4)).id;
	assert_int_equal(noon_count(b, "user_id = 1 AND table_id = 1"), 1);
	noon_stand_at("2031-05-06T03:10:00Z");
	assert_int_equal(noon_done(b, noon_wish(2, 4)).err, ERR_OK);
	assert_int_equal(noon_count(b, "user_id = 2 AND table_id = 1 AND is_active = 1"), 1);
	return id;
}

static void a_late_payment_whose_table_is_gone_gets_another_that_fits(void **state)
{
	struct book *b = *state;
	int64_t id = lost_its_table(b, "(1, 1, 'A', 1, 4), (2, 1, 'B', 1, 2), (3, 1, 'C', 1, 6)");

	assert_int_equal(noon_done(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	assert_int_equal(noon_count(b, "user_id = 1 AND status = 'CONFIRMED' AND table_id = 3"), 1); /* B is too small */
	assert_int_equal(noon_count(b, "user_id = 2 AND table_id = 1 AND is_active = 1"), 1);
	assert_int_equal(noon_money(b, "kept_amount"), 20000);
	assert_int_equal(noon_money(b, "due_back_amount"), 0);
}

static void a_late_payment_without_any_table_left_is_due_back(void **state)
{
	struct book *b = *state;
	int64_t id = lost_its_table(b, "(1, 1, 'A', 1, 4), (2, 1, 'B', 1, 2)");

	/* Seats there are, and a table, but none for four. */
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_PAID_TOO_LATE);
	assert_int_equal(noon_count(b, "user_id = 1 AND status = 'EXPIRED' AND table_id = 1"), 1);
	assert_int_equal(book_int(b->db.handle,
				  "SELECT count(*) FROM payments WHERE status = 'REFUND_DUE'"
				  " AND reservation_id = %lld AND due_back_amount = 20000",
				  (long long)id),
			 1);
}

static void a_late_payment_in_a_restaurant_without_tables_any_more_needs_none(void **state)
{
	struct book *b = *state;
	int64_t id = lost_its_table(b, "(1, 1, 'A', 1, 4)");

	book_exec(b->db.handle, "UPDATE dining_tables SET is_deleted = 1");
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	assert_int_equal(noon_count(b, "user_id = 1 AND status = 'CONFIRMED' AND table_id IS NULL"), 1);
	assert_int_equal(noon_money(b, "kept_amount"), 20000);
}

static void money_that_the_shell_wrote_down_for_a_hold_goes_back_when_the_guest_cancels(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 4)).id;

	book_exec(
		b->db.handle,
		"INSERT INTO payments (reservation_id, provider, amount, currency, status, kept_amount, paid_at, restaurant_id)"
		" VALUES (%lld, 'desk', 7000, 'KRW', 'PAID', 7000, '2031-05-06T03:00:00Z', 1)",
		(long long)id);
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CANCELED'"), 1);
	assert_int_equal(noon_money(b, "due_back_amount"), 7000);
}

static void less_money_than_was_forfeited_gives_nothing_back(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 4)).id;

	assert_int_equal(noon_done(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	book_exec(b->db.handle, "UPDATE reservations SET forfeited_amount = 5000");
	book_exec(b->db.handle, "UPDATE payments SET kept_amount = 3000, due_back_amount = 17000, status = 'REFUND_DUE'");
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
	assert_int_equal(noon_money(b, "kept_amount"), 3000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_confirmed_hold_is_paid_once_however_often_it_is_said),
		TEST(nothing_due_is_confirmed_at_once),
		TEST(a_prepaid_order_becomes_prepay_confirm),
		TEST(a_cancel_gives_back_what_the_frozen_policy_says),
		TEST(what_is_over_cannot_be_cancelled_or_confirmed),
		TEST(a_late_payment_finds_its_seats_still_free),
		TEST(a_late_payment_whose_seats_are_gone_is_due_back),
		TEST(a_late_payment_whose_table_is_gone_gets_another_that_fits),
		TEST(a_late_payment_without_any_table_left_is_due_back),
		TEST(a_late_payment_in_a_restaurant_without_tables_any_more_needs_none),
		TEST(money_that_the_shell_wrote_down_for_a_hold_goes_back_when_the_guest_cancels),
		TEST(less_money_than_was_forfeited_gives_nothing_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
