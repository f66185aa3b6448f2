/*
 * test_proofs.c - codes are bounded: of one number, and of the whole box.
 */
#include "proofs.h"

#include "book.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* Asks for a code for that number; what the pen's holder says. */
static enum err ask(struct book *b, int64_t phone_key, int64_t now_s)
{
	struct ticket_request r = {.kind = TICKET_PROVE};
	struct ticket_outcome out = {0};
	struct txn t;

	r.u.prove = (struct ticket_prove){.restaurant_id = 1, .card_id = 5, .phone_key = phone_key};
	snprintf(r.u.prove.address, sizeof r.u.prove.address, "%lld", (long long)phone_key);
	assert_int_equal(txn_begin(&t, &b->db, now_s), ERR_OK);
	assert_int_equal(proofs_write(&t, &r, (uint64_t)phone_key, &out), ERR_OK);
	assert_int_equal(txn_end(&t, ERR_OK), ERR_OK);
	return (enum err)out.err;
}

static void codes_are_bounded_for_one_number_and_for_the_box(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();

	assert_int_equal(ask(b, 1, now), ERR_NO_WAY_TO_REACH); /* nobody sends text messages here */
	book_exec(b->db.handle, "UPDATE restaurants SET sms_guests = 1");
	for (int i = 0; i < PROOFS_MAX; i++)
		assert_int_equal(ask(b, 1, now), ERR_OK);
	assert_int_equal(ask(b, 1, now), ERR_TOO_MANY_CODES);
	assert_int_equal(ask(b, 1, now + PROOFS_EVERY_S + 1), ERR_OK);
	for (int i = 0; i <= PROOFS_A_MINUTE - PROOFS_MAX; i++)
		assert_int_equal(ask(b, 100 + i, now), i < PROOFS_A_MINUTE - PROOFS_MAX ? ERR_OK : ERR_TOO_MANY_CODES);
	assert_int_equal(ask(b, 9999, now + PROOFS_EVERY_S + 120), ERR_OK);
}

static void codes_that_were_asked_for_while_the_clock_ran_ahead_count_for_nothing(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s(), ahead = now + 365 * INT64_C(86400);

	book_exec(b->db.handle, "UPDATE restaurants SET sms_guests = 1");
	for (int i = 0; i < PROOFS_MAX; i++)
		assert_int_equal(ask(b, 1, ahead), ERR_OK);
	for (int i = 0; i < PROOFS_A_MINUTE; i++)
		ask(b, 100 + i, ahead);
	assert_int_equal(ask(b, 9999, ahead), ERR_TOO_MANY_CODES);
	assert_int_equal(ask(b, 1, now), ERR_OK);
	assert_int_equal(ask(b, 9999, now), ERR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(codes_are_bounded_for_one_number_and_for_the_box, book_setup, book_teardown),
		cmocka_unit_test_setup_teardown(codes_that_were_asked_for_while_the_clock_ran_ahead_count_for_nothing,
						book_setup, book_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
