/*
 * test_txn.c - what a write transaction does at its two ends: the days that it changed are told after the commit.
 */
#include "txn.h"

#include "noon.h"
#include "outbox.h"
#include "unit.h"
#include "users.h"

/* The number that a screen of that day is answered 304 by. */
static uint64_t tag(struct book *b)
{
	return edition_day(b->hall.edition, 1, DAY);
}

/* A screen that asks between the write and the commit must not get the new number with what the book said before. */
static void no_screen_hears_of_a_login_that_ended_before_it_is_committed(void **state)
{
	struct ticket_request r = {.kind = TICKET_LOGOUT, .u.logout = {.user_id = 1}};
	struct book *b = *state;
	struct ticket_outcome out = {0};
	uint64_t before = tag(b);
	struct txn t;

	assert_int_equal(txn_begin(&t, &b->db, clock_now_s()), ERR_OK);
	assert_int_equal(users_write(&t, &r, 1, &out), ERR_OK);
	assert_int_equal(tag(b), before);
	assert_int_equal(txn_end(&t, ERR_OK), ERR_OK);
	assert_true(tag(b) != before);
}

static void no_screen_hears_of_a_message_that_was_given_up_before_it_is_committed(void **state)
{
	struct ticket_request r = {.kind = TICKET_SENT, .u.sent = {.outbox_id = 7, .how = SENT_FAILED, .attempts = 1}};
	struct book *b = *state;
	struct ticket_outcome out = {0};
	uint64_t before = tag(b);
	struct txn t;

	assert_int_equal(txn_begin(&t, &b->db, clock_now_s()), ERR_OK);
	assert_int_equal(outbox_write(&t, &r, 1, &out), ERR_OK);
	assert_int_equal(tag(b), before);
	assert_int_equal(txn_end(&t, ERR_OK), ERR_OK);
	assert_true(tag(b) != before);
}

static void what_is_rolled_back_is_told_to_no_screen(void **state)
{
	struct book *b = *state;
	uint64_t before = tag(b);
	struct txn t;

	assert_int_equal(txn_begin(&t, &b->db, clock_now_s()), ERR_OK);
	txn_touch_all(&t);
	assert_int_equal(txn_end(&t, ERR_INTERNAL), ERR_INTERNAL);
	assert_int_equal(tag(b), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(no_screen_hears_of_a_login_that_ended_before_it_is_committed),
		TEST(no_screen_hears_of_a_message_that_was_given_up_before_it_is_committed),
		TEST(what_is_rolled_back_is_told_to_no_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
