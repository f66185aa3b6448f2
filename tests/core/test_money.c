/*
 * test_money.c - what is due and what goes back, to the last won or cent.
 */
#include "money.h"

#include "unit.h"

#include <string.h>

static struct settings plain(void)
{
	struct settings s;

	settings_init(&s);
	return s;
}

static void a_deposit_is_by_the_head_and_more_for_many(void **state)
{
	struct settings s = plain();

	(void)state;
	assert_int_equal(money_deposit(&s, 1), 5000);
	assert_int_equal(money_deposit(&s, 6), 30000);
	assert_int_equal(money_deposit(&s, 7), 70000);
	assert_int_equal(money_deposit(&s, 12), 120000);
	s.deposit_per_person = 0;
	assert_int_equal(money_deposit(&s, 4), 0);
	s.deposit_large_per_person = 10000000;
	assert_int_equal(money_deposit(&s, 1000), INT64_C(10000000000));
}

static void a_frozen_policy_reads_as_it_was_written(void **state)
{
	struct settings s = plain();
	char policy[MONEY_POLICY_SIZE];

	(void)state;
	money_freeze(&s, policy);
	assert_string_equal(policy, "day-before=100 same-day=50 until=120m late=20 large=8:10");
	s.refund_cutoff_minutes = 10080;
	s.refund_large_from = 1000;
	s.refund_same_day_pct = s.refund_late_pct = s.refund_late_large_pct = 100;
	money_freeze(&s, policy);
	assert_string_equal(policy, "day-before=100 same-day=100 until=10080m late=100 large=1000:100");
}

static void the_refund_falls_as_the_slot_comes_near(void **state)
{
	struct settings s = plain();
	char policy[MONEY_POLICY_SIZE];
	static const struct {
		int party;
		int64_t days, minutes, back;
	} rows[] = {
		{4, 30, 43200, 20000},                                  /* long before */
		{4, 1, 600, 20000},                                     /* the day before, although only ten hours */
		{4, 0, 600, 10000},                                     /* the day itself */
		{4, 0, 120, 10000},                                     /* to the minute */
		{4, 0, 119, 4000},                                      /* too late for half */
		{7, 0, 119, 4000},                                      /* seven are not yet many */
		{8, 0, 119, 2000},                                      /* eight are */
		{8, 0, 120, 10000},    {4, 0, 1, 4000},   {4, 0, 0, 0}, /* it begins */
		{4, 0, -60, 0},        {4, -3, -5000, 0},
	};

	(void)state;
	money_freeze(&s, policy);
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(money_refund(20000, money_percent(policy, rows[i].party, rows[i].days, rows[i].minutes)),
				 rows[i].back);
}

static void a_refund_is_rounded_to_the_guest_and_never_more_than_was_paid(void **state)
{
	struct settings s = plain();
	char policy[MONEY_POLICY_SIZE];

	(void)state;
	money_freeze(&s, policy);
	assert_int_equal(money_refund(9999, money_percent(policy, 2, 0, 600)), 5000);
	assert_int_equal(money_refund(1, money_percent(policy, 2, 0, 600)), 1);
	assert_int_equal(money_refund(1, 0), 0);
	assert_int_equal(money_refund(1999, 33), 660); /* 659.67 cents */
	for (int64_t paid = 0; paid < 2000; paid++)
		for (int percent = 0; percent <= 100; percent++) {
			int64_t back = money_refund(paid, percent);

			assert_true(back <= paid && 100 * back >= paid * percent && 100 * (back - 1) < paid * percent);
		}
	assert_int_equal(money_refund(0, money_percent(policy, 2, 5, 9000)), 0);
	assert_int_equal(money_refund(INT64_C(10000000000), money_percent(policy, 2, 5, 9000)), INT64_C(10000000000));
}

static void later_settings_do_not_touch_a_frozen_policy(void **state)
{
	struct settings s = plain();
	char policy[MONEY_POLICY_SIZE];

	(void)state;
	money_freeze(&s, policy);
	s.refund_day_before_pct = 0;
	assert_int_equal(money_refund(10000, money_percent(policy, 2, 3, 5000)), 10000);
}

static void a_policy_that_cannot_be_read_gives_everything_back(void **state)
{
	static const char *const unread[] = {"", "nonsense", "day-before=100",
					     "day-before=x same-day=50 until=120m late=20 large=8:10"};

	(void)state;
	for (size_t i = 0; i < COUNT(unread); i++)
		assert_int_equal(money_refund(12345, money_percent(unread[i], 4, 0, -10)), 12345);
}

static void expect_share(const struct settings *s, struct money_share paid, int party, int new_party, int64_t amount,
			 int people)
{
	struct money_share left = money_changed(s, s, 0, 0, paid, party, new_party);

	assert_int_equal(left.amount, amount);
	assert_int_equal(left.people, people);
}

static void those_who_are_taken_off_take_their_share_and_never_more(void **state)
{
	struct settings s = plain();

	(void)state;
	s.deposit_per_person = 5000;
	s.deposit_large_from = 7;
	s.deposit_large_per_person = 10000;
	expect_share(&s, (struct money_share){70000, 7}, 7, 6, 60000, 6); /* six would pay 30,000 today */
	expect_share(&s, (struct money_share){30000, 6}, 6, 7, 70000, 7);
	expect_share(&s, (struct money_share){60000, 6}, 6, 7, 70000, 7);  /* and those six have paid sixty */
	expect_share(&s, (struct money_share){10000, 2}, 12, 2, 10000, 2); /* ten of them came for nothing */
	expect_share(&s, (struct money_share){10000, 2}, 12, 13, 20000, 3);
	expect_share(&s, (struct money_share){20000, 4}, 2, 3, 20000, 4); /* four were paid for already */
	expect_share(&s, (struct money_share){20000, 4}, 2, 1, 15000, 3);
	expect_share(&s, (struct money_share){20000, 4}, 2, 2, 20000, 4);
	expect_share(&s, (struct money_share){10000, 3}, 3, 2, 6667, 2); /* what cannot be divided stays */
	s.deposit_per_person = s.deposit_large_per_person = 0;
	expect_share(&s, (struct money_share){20000, 4}, 4, 3, 15000, 3);
	expect_share(&s, (struct money_share){20000, 4}, 4, 9, 20000, 4);
}

static void a_deposit_is_asked_of_large_parties_or_of_those_who_did_not_come(void **state)
{
	static const struct {
		int from, no_shows_from, party, no_shows;
		bool asked;
	} rows[] = {
		{1, 0, 1, 0, true},   {1, 0, 1, 99, true}, {6, 0, 5, 99, false}, {6, 0, 6, 0, true}, {0, 0, 12, 9, false},
		{0, 2, 12, 1, false}, {0, 2, 1, 2, true},  {6, 2, 5, 1, false},  {6, 2, 5, 2, true}, {6, 2, 6, 0, true},
	};
	struct settings s = plain();

	(void)state;
	s.deposit_per_person = 5000;
	s.deposit_large_from = 7;
	s.deposit_large_per_person = 10000;
	for (size_t i = 0; i < COUNT(rows); i++) {
		s.deposit_from = rows[i].from;
		s.deposit_no_shows = rows[i].no_shows_from;
		assert_int_equal(money_is_asked(&s, rows[i].party, rows[i].no_shows), rows[i].asked);
		assert_int_equal(money_due(&s, rows[i].party, rows[i].no_shows),
				 rows[i].asked ? money_deposit(&s, rows[i].party) : 0);
	}
}

static void a_party_that_grows_into_a_deposit_pays_for_all_of_it(void **state)
{
	struct settings s = plain();

	(void)state;
	s.deposit_per_person = s.deposit_large_per_person = 5000;
	s.deposit_from = 4;
	expect_share(&s, (struct money_share){0, 2}, 2, 3, 0, 3);
	expect_share(&s, (struct money_share){0, 3}, 3, 4, 20000, 4);
	expect_share(&s, (struct money_share){20000, 4}, 4, 5, 25000, 5);
	expect_share(&s, (struct money_share){20000, 4}, 4, 3, 15000, 3); /* three would pay nothing today; they have paid */
	expect_share(&s, (struct money_share){15000, 3}, 3, 5, 25000, 5); /* and do not pay twice */
	expect_share(&s, (struct money_share){10000, 2}, 2, 3, 10000, 2); /* the third comes for nothing */
	expect_share(&s, (struct money_share){5000, 1}, 3, 4, 20000, 4);  /* two came when nothing was asked of them */
	s.deposit_from = 0;
	expect_share(&s, (struct money_share){0, 2}, 2, 9, 0, 9);
	s.deposit_no_shows = 1;
	assert_int_equal(money_changed(&s, &s, 1, 0, (struct money_share){10000, 2}, 2, 3).amount, 15000);
	assert_int_equal(money_changed(&s, &s, 0, 0, (struct money_share){10000, 2}, 2, 3).amount, 10000);
}

/* From service to service, larger and smaller, each time paying what is due: never for less than the house asks, nor for more. */
static void however_often_it_is_changed_a_party_has_paid_what_it_costs_and_never_more(void **state)
{
	static const int prices[][2] = {{5000, 10000}, {20000, 20000}, {0, 0}, {1067, 1255}, {0, 3000}};
	struct settings services[COUNT(prices)];
	struct money_share paid, next;
	uint32_t random = 20261118;
	int at, to, party, new_party;

	(void)state;
	for (size_t from = 0; from < 9; from++) {
		int64_t dishes = (int64_t)(from % 3) * 7001; /* that were ordered ahead */

		for (size_t i = 0; i < COUNT(prices); i++) {
			services[i] = plain();
			services[i].deposit_per_person = prices[i][0];
			services[i].deposit_large_per_person = prices[i][1];
			services[i].deposit_large_from = 7;
			services[i].deposit_from = (int)from;
		}
		at = 0;
		party = 1;
		paid = (struct money_share){money_beside(money_due(&services[at], party, 0), dishes), party};
		for (int i = 0; i < 20000; i++) {
			int64_t due, share;

			random = random * 1664525 + 1013904223;
			to = random >> 28 & 1 ? at : (int)(random >> 8) % (int)COUNT(prices);
			new_party = 1 + (int)(random >> 16) % 12;
			next = money_changed(&services[at], &services[to], 0, dishes, paid, party, new_party);
			due = money_due(&services[to], new_party, 0);
			share = new_party < paid.people ? paid.amount - paid.amount * (paid.people - new_party) / paid.people :
							  paid.amount;
			if (next.amount + dishes < due)
				fail_msg("%d at %d, paid %lld for %d, become %d at %d for %lld of %lld", party, at,
					 (long long)paid.amount, paid.people, new_party, to, (long long)next.amount,
					 (long long)due);
			if (next.amount > due && next.amount > share)
				fail_msg("%d at %d, paid %lld for %d, become %d at %d for %lld, which is %lld", party, at,
					 (long long)paid.amount, paid.people, new_party, to, (long long)next.amount,
					 (long long)due);
			assert_in_range(next.people, 1, 12);
			at = to;
			party = new_party;
			paid = next;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deposit_is_by_the_head_and_more_for_many),
		cmocka_unit_test(a_frozen_policy_reads_as_it_was_written),
		cmocka_unit_test(the_refund_falls_as_the_slot_comes_near),
		cmocka_unit_test(a_refund_is_rounded_to_the_guest_and_never_more_than_was_paid),
		cmocka_unit_test(later_settings_do_not_touch_a_frozen_policy),
		cmocka_unit_test(a_policy_that_cannot_be_read_gives_everything_back),
		cmocka_unit_test(those_who_are_taken_off_take_their_share_and_never_more),
		cmocka_unit_test(a_deposit_is_asked_of_large_parties_or_of_those_who_did_not_come),
		cmocka_unit_test(a_party_that_grows_into_a_deposit_pays_for_all_of_it),
		cmocka_unit_test(however_often_it_is_changed_a_party_has_paid_what_it_costs_and_never_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
