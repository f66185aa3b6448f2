/*
 * test_proofs.c - codes are bounded: of one number, and of the whole box.
 */
#include "proofs.h"

#include "book.h"
#include "dispatch.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static enum err ask_for(struct book *b, struct ticket_prove prove, int64_t now_s)
{
	struct ticket_request r = {.kind = TICKET_PROVE, .u.prove = prove};
	struct ticket_outcome out = {0};
	struct txn t;

	r.u.prove.restaurant_id = 1;
	assert_int_equal(txn_begin(&t, &b->db, now_s), ERR_OK);
	assert_int_equal(proofs_write(&t, &r, 1, &out), ERR_OK);
	assert_int_equal(txn_end(&t, ERR_OK), ERR_OK);
	return (enum err)out.err;
}

/* A card asks for a code for that number; what the pen's holder says. */
static enum err ask_by(struct book *b, int64_t card_id, int64_t phone_key, int64_t now_s)
{
	struct ticket_prove p = {.card_id = card_id, .phone_key = phone_key};

	snprintf(p.address, sizeof p.address, "%lld", (long long)phone_key);
	return ask_for(b, p, now_s);
}

/* By a guest who has no card yet. */
static enum err ask(struct book *b, int64_t phone_key, int64_t now_s)
{
	static int64_t card = 1000000;

	return ask_by(b, ++card, phone_key, now_s);
}

static enum err ask_mail(struct book *b, const char *address, int64_t now_s)
{
	static int64_t phone = 5000000;
	struct ticket_prove p = {.card_id = phone, .phone_key = phone, .by_mail = 1};

	phone++;
	snprintf(p.address, sizeof p.address, "%s", address);
	return ask_for(b, p, now_s);
}

/* For these cards, and they wait for their codes. */
static void hold_seats(struct book *b, int64_t first, int64_t last, int64_t now)
{
	char until[CLOCK_ISO_SIZE];

	clock_iso(now + 3600, until);
	book_slot(b->db.handle, 1, "2099-01-20", "12:00", 1000);
	for (int64_t card = first; card <= last; card++) {
		book_exec(b->db.handle, "INSERT INTO users (user_id, user_type, name) VALUES (%lld, 'GUEST', '김하나')",
			  (long long)card + 1000);
		book_reservation(b->db.handle, card, 1, card + 1000, 2, "TEMPORARY", until);
		book_exec(b->db.handle, "UPDATE reservations SET card_id = reservation_id, unproven = 1");
	}
}

static void codes_are_bounded_for_one_number_and_for_the_box(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();

	assert_int_equal(ask(b, 1, now), ERR_NO_WAY_TO_REACH); /* this box sends no text messages */
	book_exec(b->db.handle, "UPDATE restaurants SET sms_guests = 1");
	for (int i = 0; i < PROOFS_MAX; i++)
		assert_int_equal(ask(b, 1, now), ERR_OK);
	assert_int_equal(ask(b, 1, now), ERR_TOO_MANY_CODES);
	assert_int_equal(ask(b, 1, now + PROOFS_EVERY_S + 1), ERR_OK);
	for (int i = 0; i <= PROOFS_A_MINUTE_OPEN - PROOFS_MAX; i++)
		assert_int_equal(ask(b, 100 + i, now), i < PROOFS_A_MINUTE_OPEN - PROOFS_MAX ? ERR_OK : ERR_TOO_MANY_CODES);
	/* Seats that wait for their code have the rest of that minute, and codes of their own. */
	hold_seats(b, 1, 80, now);
	for (int i = PROOFS_A_MINUTE_OPEN; i <= PROOFS_A_MINUTE; i++)
		assert_int_equal(ask_by(b, i - PROOFS_A_MINUTE_OPEN + 1, 1000 + i, now),
				 i < PROOFS_A_MINUTE ? ERR_OK : ERR_TOO_MANY_CODES);
	book_exec(b->db.handle, "UPDATE reservations SET unproven = NULL");
	assert_int_equal(ask(b, 9999, now + PROOFS_EVERY_S + 120), ERR_OK);
}

static void a_stranger_who_holds_seats_with_a_number_leaves_its_owner_their_codes(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();

	book_exec(b->db.handle, "UPDATE restaurants SET sms_guests = 1");
	hold_seats(b, 1, 5, now);
	for (int i = 0; i < PROOFS_MAX; i++)
		assert_int_equal(ask_by(b, 1, 7, now), ERR_OK);
	assert_int_equal(ask_by(b, 1, 7, now), ERR_TOO_MANY_CODES);
	assert_int_equal(ask_by(b, 1, 8, now), ERR_TOO_MANY_CODES); /* nor to another number */
	assert_int_equal(ask(b, 7, now), ERR_TOO_MANY_CODES);
	/* With two cards they use up what is for holds, but not the first code of a third. */
	for (int i = 0; i < PROOFS_MAX; i++)
		assert_int_equal(ask_by(b, 2, 7, now), ERR_OK);
	assert_int_equal(ask_by(b, 3, 7, now), ERR_OK);
	assert_int_equal(ask_by(b, 3, 7, now), ERR_TOO_MANY_CODES);
}

static void a_code_that_seats_wait_for_goes_before_the_others(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();
	struct dispatch_row o;
	bool found;

	book_exec(b->db.handle, "UPDATE restaurants SET sms_guests = 1");
	hold_seats(b, 1, 1, now);
	for (int i = 0; i < 20; i++)
		assert_int_equal(ask(b, 100 + i, now - 60), ERR_OK);
	assert_int_equal(ask_by(b, 1, 7, now), ERR_OK);
	assert_int_equal(dispatch_next(&b->db, false, DISPATCH_CODES, 0, now, &o, &found), ERR_OK);
	assert_true(found);
	assert_int_equal(o.proof_id, 21);
	assert_int_equal(o.created_s, now);
}

/* Forty from one network, of which a slow server has sent none, and one from another. */
static void a_flood_of_codes_from_one_network_does_not_stand_before_another_guest(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();
	struct dispatch_row o;
	bool found;

	book_exec(b->db.handle, "UPDATE restaurants SET sms_guests = 1");
	for (int i = 0; i < 40; i++)
		assert_int_equal(
			ask_for(b, (struct ticket_prove){.card_id = 1 + i, .phone_key = 100 + i, .address = "a", .network = 7},
				now - 5),
			ERR_OK);
	assert_int_equal(ask_for(b, (struct ticket_prove){.card_id = 50, .phone_key = 50, .address = "b", .network = 9}, now),
			 ERR_OK);
	for (int before = 0; before < 5; before++) {
		assert_int_equal(dispatch_next(&b->db, false, DISPATCH_CODES, 0, now, &o, &found), ERR_OK);
		assert_true(found);
		if (o.proof_id == 41)
			break;
		book_exec(b->db.handle, "UPDATE outbox SET status = 'SENT' WHERE outbox_id = %lld", (long long)o.id);
	}
	assert_int_equal(o.proof_id, 41);
	/* With nothing else to send, those beyond wait for no second. */
	book_exec(b->db.handle,
		  "UPDATE outbox SET status = 'SENT' WHERE next_attempt_at <= strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ',"
		  " %lld, 'unixepoch')",
		  (long long)now);
	assert_int_equal(dispatch_ahead(&b->db, DISPATCH_CODES, now, &o, &found), ERR_OK);
	assert_true(found);
}

static void all_spellings_of_a_mailbox_are_one_with_one_limit_of_codes_an_hour_and_a_day(void **state)
{
	static const char *const spellings[] = {"victim", "VICTIM", "v.ictim"};
	struct book *b = *state;
	int64_t now = clock_now_s(), t = now - 80000;
	int taken = 0;

	book_exec(b->db.handle, "INSERT INTO mail_server (one, way, host, port, security, sender, updated_at)"
				" VALUES (1, 'SMTP', '127.0.0.1', 25, 'NONE', 'a@b.c', '2026-01-01T00:00:00Z')");
	for (int i = 0; t < now; i++, t += 100) {
		char address[64];

		snprintf(address, sizeof address, "%s+%d@example.com", spellings[i % 3], i);
		taken += ask_mail(b, address, t) == ERR_OK;
		if (i == 35)
			assert_int_equal(taken, 2 * PROOFS_MAX); /* the first hour */
	}
	assert_int_equal(taken, 4 * PROOFS_MAX);
	assert_int_equal(ask_mail(b, "other@example.com", now), ERR_OK);
	book_exec(b->db.handle, "UPDATE proofs SET created_at = '2026-01-01T00:00:00Z'");
	assert_int_equal(proofs_forget(&b->db, now), ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM proofs WHERE mailbox IS NOT NULL"), 0);
}

/* The code of that proof is entered, and it is right. */
static enum err enter(struct book *b, int64_t proof_id, int64_t now_s)
{
	struct ticket_request r = {.kind = TICKET_CODE};
	struct ticket_outcome out = {0};
	struct txn t;

	r.u.prove = (struct ticket_prove){
		.restaurant_id = 1,
		.proof_id = proof_id,
		.right = 1,
		.card_id = book_int(b->db.handle, "SELECT card_id FROM proofs WHERE proof_id = %lld", (long long)proof_id),
		.phone_key = 1};
	assert_int_equal(txn_begin(&t, &b->db, now_s), ERR_OK);
	assert_int_equal(proofs_write(&t, &r, 1, &out), ERR_OK);
	assert_int_equal(txn_end(&t, ERR_OK), ERR_OK);
	return (enum err)out.err;
}

static void one_mailbox_proves_the_numbers_of_a_family_and_no_more(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s(), t = now - 80000;

	book_exec(b->db.handle, "INSERT INTO mail_server (one, way, host, port, security, sender, updated_at)"
				" VALUES (1, 'SMTP', '127.0.0.1', 25, 'NONE', 'a@b.c', '2026-01-01T00:00:00Z')");
	for (int i = 0; i < PROOFS_NUMBERS - 1; i++, t += 3700) {
		assert_int_equal(ask_mail(b, i % 2 ? "family@example.com" : "Fam.ily+x@example.com", t), ERR_OK);
		assert_int_equal(enter(b, i + 1, t + 10), ERR_OK);
	}
	/* Two more that were asked for before either was entered: one of them is the last. */
	assert_int_equal(ask_mail(b, "family@example.com", t), ERR_OK);
	assert_int_equal(ask_mail(b, "family@example.com", t), ERR_OK);
	assert_int_equal(enter(b, PROOFS_NUMBERS, t + 10), ERR_OK);
	assert_int_equal(enter(b, PROOFS_NUMBERS + 1, t + 10), ERR_ADDRESS_USED_UP);
	t += 3700;
	assert_int_equal(ask_mail(b, "family@example.com", t), ERR_ADDRESS_USED_UP);
	assert_int_equal(ask_mail(b, "neighbour@example.com", t), ERR_OK);
	/* A number that it has proven may be proven again, from another device. */
	assert_int_equal(ask_for(b,
				 (struct ticket_prove){.card_id = 77,
						       .by_mail = 1,
						       .phone_key = book_int(b->db.handle, "SELECT phone_key FROM proofs WHERE"
											   " proof_id = 1"),
						       .address = "family@example.com"},
				 t),
			 ERR_OK);
	assert_int_equal(ask_mail(b, "family@example.com", now + 80000), ERR_OK); /* the next day */
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
		cmocka_unit_test_setup_teardown(a_stranger_who_holds_seats_with_a_number_leaves_its_owner_their_codes,
						book_setup, book_teardown),
		cmocka_unit_test_setup_teardown(all_spellings_of_a_mailbox_are_one_with_one_limit_of_codes_an_hour_and_a_day,
						book_setup, book_teardown),
		cmocka_unit_test_setup_teardown(one_mailbox_proves_the_numbers_of_a_family_and_no_more, book_setup,
						book_teardown),
		cmocka_unit_test_setup_teardown(a_code_that_seats_wait_for_goes_before_the_others, book_setup, book_teardown),
		cmocka_unit_test_setup_teardown(a_flood_of_codes_from_one_network_does_not_stand_before_another_guest,
						book_setup, book_teardown),
		cmocka_unit_test_setup_teardown(codes_that_were_asked_for_while_the_clock_ran_ahead_count_for_nothing,
						book_setup, book_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
