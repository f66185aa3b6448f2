/*
 * test_outbox.c - no guest is flooded with messages, what changes often is told once, and what is urgent goes first.
 */
#include "dispatch.h"
#include "outbox.h"

#include "book.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum { MINUTE = 60, HOUR = 3600 };

/* A reservation of a guest with an address, in a house that sends mail. */
static int setup(void **state)
{
	struct book *b;

	book_setup(state);
	b = *state;
	book_exec(b->db.handle, "INSERT INTO mail_server (one, way, host, port, security, sender, updated_at)"
				" VALUES (1, 'SMTP', '127.0.0.1', 25, 'NONE', 'a@b.c', '2026-01-01T00:00:00Z')");
	book_slot(b->db.handle, 1, "2099-12-30", "12:00", 1000);
	book_slot(b->db.handle, 2, "2099-12-30", "13:00", 1000);
	book_reservation(b->db.handle, 1, 1, 1, 2, "CONFIRMED", "");
	book_exec(b->db.handle, "UPDATE reservations SET guest_email = 'guest@example.com'");
	return 0;
}

static void tell(struct book *b, enum outbox_event event, int64_t now_s)
{
	struct txn t;

	assert_int_equal(txn_begin(&t, &b->db, now_s), ERR_OK);
	assert_int_equal(outbox_tell(&t, event, 1, 1, 0), ERR_OK);
	assert_int_equal(txn_end(&t, ERR_OK), ERR_OK);
}

static void report(struct book *b, int64_t now_s, struct ticket_sent sent)
{
	struct ticket_request r = {.kind = TICKET_SENT, .u.sent = sent};
	struct ticket_outcome out = {0};
	struct txn t;

	assert_int_equal(txn_begin(&t, &b->db, now_s), ERR_OK);
	assert_int_equal(outbox_write(&t, &r, 1, &out), ERR_OK);
	assert_int_equal(txn_end(&t, ERR_OK), ERR_OK);
}

static void party(struct book *b, int people)
{
	book_exec(b->db.handle, "UPDATE reservations SET party_size = %d, version = version + 1 WHERE reservation_id = 1",
		  people);
}

static int64_t queued(struct book *b)
{
	return book_int(b->db.handle, "SELECT count(*) FROM outbox WHERE status = 'QUEUED'");
}

static bool next(struct book *b, enum dispatch_urgency urgency, int64_t after, int64_t now_s, struct dispatch_row *o)
{
	bool found = false;

	assert_int_equal(dispatch_next(&b->db, true, urgency, after, now_s, o, &found), ERR_OK);
	return found;
}

static void many_changes_are_one_message_that_rests_a_minute_and_five_at_most(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();
	struct dispatch_row o;

	tell(b, OUTBOX_CHANGED, now);
	assert_false(next(b, DISPATCH_REST, 0, now + MINUTE - 1, &o));
	for (int i = 1; i <= 9; i++) {
		party(b, 2 + i % 2);
		tell(b, OUTBOX_CHANGED, now + i * 50);
		assert_int_equal(queued(b), 1);
		assert_int_equal(next(b, DISPATCH_REST, 0, now + i * 50 + 49, &o), i * 50 + 49 >= 5 * MINUTE);
	}
}

static void a_change_while_the_letter_is_on_its_way_is_told_afterwards(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();

	tell(b, OUTBOX_CHANGED, now);
	party(b, 5); /* the letter said 2 */
	tell(b, OUTBOX_CHANGED, now + 70);
	assert_int_equal(queued(b), 1);
	report(b, now + 71, (struct ticket_sent){.outbox_id = 1, .how = SENT_OK, .attempts = 1, .state = "2099-12-30 12:00 2"});
	assert_int_equal(queued(b), 1);
	/* The same if it was not sent, because the guest knew what it said. */
	party(b, 6);
	tell(b, OUTBOX_CHANGED, now + 140);
	report(b, now + 150, (struct ticket_sent){.outbox_id = 2, .how = SENT_SKIPPED, .state = "2099-12-30 12:00 2"});
	assert_int_equal(queued(b), 1);
	report(b, now + 250,
	       (struct ticket_sent){.outbox_id = 3, .how = SENT_OK, .attempts = 1, .state = "2099-12-30 12:00 6"});
	assert_int_equal(queued(b), 0);
}

static void what_was_last_told_is_known(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();
	char told[OUTBOX_STATE_SIZE];

	assert_int_equal(dispatch_told(&b->db, 1, true, told), ERR_OK);
	assert_string_equal(told, "");
	tell(b, OUTBOX_CONFIRMED, now);
	report(b, now, (struct ticket_sent){.outbox_id = 1, .how = SENT_OK, .attempts = 1, .state = "2099-12-30 12:00 2"});
	party(b, 5);
	tell(b, OUTBOX_CANCELLED, now + 1);
	report(b, now + 1,
	       (struct ticket_sent){.outbox_id = 2, .how = SENT_LATER, .attempts = 1, .next_s = now + 31, .state = "-"});
	assert_int_equal(dispatch_told(&b->db, 1, true, told), ERR_OK);
	assert_string_equal(told, "2099-12-30 12:00 2");
	report(b, now + 31, (struct ticket_sent){.outbox_id = 2, .how = SENT_OK, .attempts = 2, .state = "-"});
	assert_int_equal(dispatch_told(&b->db, 1, true, told), ERR_OK);
	assert_string_equal(told, "-");
}

/* The desk takes back what it did when the reservation got that version. */
static void take_back(struct book *b, int64_t version, int64_t now_s)
{
	struct txn t;

	book_exec(b->db.handle, "UPDATE reservations SET version = version + 1, status = 'CONFIRMED' WHERE reservation_id = 1");
	assert_int_equal(txn_begin(&t, &b->db, now_s), ERR_OK);
	assert_int_equal(outbox_take_back(&t, 1, 1, version), ERR_OK);
	assert_int_equal(txn_end(&t, ERR_OK), ERR_OK);
}

static void cancel(struct book *b, int64_t now_s)
{
	book_exec(b->db.handle, "UPDATE reservations SET version = version + 1, status = 'CANCELED' WHERE reservation_id = 1");
	tell(b, OUTBOX_REFUSED, now_s);
}

static int64_t changes_by(struct book *b, const char *channel)
{
	return book_int(b->db.handle,
			"SELECT count(*) FROM outbox WHERE status = 'QUEUED' AND event = 'changed' AND channel = '%s'",
			channel);
}

static void what_is_taken_back_while_its_letter_is_on_its_way_is_put_right(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();
	struct ticket_sent off = {.outbox_id = 1, .how = SENT_OK, .attempts = 1, .state = "-"};
	char told[OUTBOX_STATE_SIZE];

	cancel(b, now); /* the courier has read it, and the mail server has the letter */
	take_back(b, 2, now + 21);
	assert_int_equal(queued(b), 0);
	report(b, now + 22, off);
	report(b, now + 22, off);
	assert_int_equal(dispatch_told(&b->db, 1, true, told), ERR_OK);
	assert_string_equal(told, "-");
	assert_int_equal(changes_by(b, "MAIL"), 1);
	/* The letter about a change that was taken back, the same. */
	report(b, now + 90, (struct ticket_sent){.outbox_id = 2, .how = SENT_OK, .attempts = 1, .state = "2099-12-30 12:00 2"});
	assert_int_equal(queued(b), 0);
	party(b, 4);
	tell(b, OUTBOX_CHANGED, now + 100);
	take_back(b, 4, now + 165);
	book_exec(b->db.handle, "UPDATE reservations SET party_size = 2 WHERE reservation_id = 1");
	report(b, now + 166,
	       (struct ticket_sent){.outbox_id = 3, .how = SENT_OK, .attempts = 1, .state = "2099-12-30 12:00 4"});
	assert_int_equal(changes_by(b, "MAIL"), 1);
}

static void what_one_way_has_told_already_is_put_right_that_way_alone(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();

	book_exec(b->db.handle, "UPDATE restaurants SET sms_guests = 1");
	book_exec(b->db.handle, "UPDATE users SET phone = '010-1234-5678' WHERE user_id = 1");
	cancel(b, now);
	assert_int_equal(queued(b), 2);
	report(b, now + 21, (struct ticket_sent){.outbox_id = 1, .how = SENT_OK, .attempts = 1, .state = "-"});
	take_back(b, 2, now + 22);
	assert_int_equal(changes_by(b, "MAIL"), 1);
	assert_int_equal(changes_by(b, "SMS"), 0);
	assert_int_equal(queued(b), 1);
}

static void taking_back_one_act_leaves_what_waited_before_it(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();

	tell(b, OUTBOX_CHANGED, now); /* by the guest */
	party(b, 3);
	tell(b, OUTBOX_REFUSED, now + 5); /* by the desk, which takes it back */
	take_back(b, 2, now + 9);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM outbox WHERE status = 'QUEUED' AND event = 'changed'"),
			 1);
	assert_int_equal(queued(b), 1);
}

/* This many were sent about that reservation (0: no one's) to that recipient at that time. */
static void sent(struct book *b, int count, int64_t reservation, int64_t recipient, int64_t at_s)
{
	char at[CLOCK_ISO_SIZE];

	clock_iso(at_s, at);
	book_exec(b->db.handle,
		  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO outbox "
		  "(restaurant_id, channel,"
		  " event, reservation_id, version, status, recipient, sent_at, next_attempt_at, created_at) SELECT 1, 'MAIL', "
		  "'confirmed',"
		  " nullif(%lld, 0), 1000000 + (SELECT ifnull(max(outbox_id), 0) FROM outbox) + i, 'SENT', %lld, '%s', '%s', "
		  "'%s' FROM n",
		  count, (long long)reservation, (long long)recipient, at, at, at);
}

static int64_t room(struct book *b, enum outbox_event event, int64_t recipient, bool few, int64_t now_s)
{
	struct dispatch_row o = {.id = 1, .restaurant_id = 1, .reservation_id = 1, .by_mail = true, .event = event};
	int64_t until = -1;

	assert_int_equal(dispatch_room(&b->db, &o, recipient, few, now_s, &until), ERR_OK);
	return until;
}

static void one_reservation_has_six_messages_an_hour_and_its_cancellation_still_goes(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();

	sent(b, 5, 1, 11, now - 30 * MINUTE);
	assert_int_equal(room(b, OUTBOX_CHANGED, 12, true, now), 0);
	sent(b, 1, 1, 11, now - MINUTE);
	assert_int_equal(room(b, OUTBOX_CHANGED, 12, true, now), now + 30 * MINUTE);
	assert_int_equal(room(b, OUTBOX_REFUSED, 12, true, now), 0);
	assert_int_equal(room(b, OUTBOX_CHANGED, 12, true, now + 30 * MINUTE + 1), 0);
	sent(b, 3, 1, 11, now - MINUTE);
	assert_int_equal(room(b, OUTBOX_CANCELLED, 12, true, now), now + 30 * MINUTE);
	assert_int_equal(room(b, OUTBOX_CHANGED, 12, true, now - 2 * HOUR), 0); /* of a clock that ran ahead */
}

static void one_recipient_has_a_limit_an_hour_and_a_day_and_a_lower_one_if_the_address_was_only_typed(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();

	sent(b, 5, 0, 11, now - MINUTE);
	assert_int_equal(room(b, OUTBOX_CONFIRMED, 11, true, now), now + 59 * MINUTE);
	assert_int_equal(room(b, OUTBOX_CONFIRMED, 11, false, now), 0);
	assert_int_equal(room(b, OUTBOX_CONFIRMED, 12, true, now), 0);
	sent(b, 5, 0, 11, now - MINUTE);
	assert_int_equal(room(b, OUTBOX_CONFIRMED, 11, false, now), now + 59 * MINUTE);
	for (int i = 2; i <= 5; i++)
		sent(b, 5, 0, 11, now - i * HOUR);
	assert_int_equal(room(b, OUTBOX_CONFIRMED, 11, false, now + HOUR), now + 19 * HOUR);
	assert_int_equal(room(b, OUTBOX_CONFIRMED, 11, false, now + 19 * HOUR + 1), 0);
}

static void a_cancellation_and_the_owners_sheet_go_however_many_went_there(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s(), until = -1;
	struct dispatch_row sheet = {.id = 1, .restaurant_id = 1, .by_mail = true, .event = OUTBOX_DAY_SHEET};

	sent(b, 300, 0, 11, now - MINUTE);
	assert_true(room(b, OUTBOX_OFFER, 11, true, now) > now);
	assert_int_equal(room(b, OUTBOX_REFUSED, 11, true, now), 0);
	assert_int_equal(room(b, OUTBOX_CANCELLED, 11, true, now), 0);
	assert_int_equal(dispatch_room(&b->db, &sheet, 11, false, now, &until), ERR_OK);
	assert_int_equal(until, 0);
}

static void a_change_to_what_was_tried_in_vain_is_tried_for_a_day_of_its_own(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();
	struct dispatch_row o;

	tell(b, OUTBOX_CHANGED, now - 23 * HOUR);
	report(b, now - MINUTE,
	       (struct ticket_sent){.outbox_id = 1, .how = SENT_LATER, .attempts = 19, .next_s = now + MINUTE});
	party(b, 5);
	tell(b, OUTBOX_CHANGED, now);
	assert_int_equal(queued(b), 1);
	assert_true(next(b, DISPATCH_REST, 0, now + MINUTE, &o));
	assert_int_equal(o.attempts, 0);
	assert_int_equal(o.created_s, now);
}

/* Seconds until the first message to a guest who books now from that network. */
static int64_t first_after(struct book *b, uint64_t network, int64_t now_s)
{
	static int64_t id = 1000;
	struct txn t;

	book_reservation(b->db.handle, ++id, 1, 1, 1, "EXPIRED", "");
	assert_int_equal(txn_begin(&t, &b->db, now_s), ERR_OK);
	assert_int_equal(outbox_tell_new(&t, OUTBOX_CONFIRMED, 1, id,
					 &(struct outbox_new){.has_email = true, .has_phone = true, .network = network}),
			 ERR_OK);
	assert_int_equal(txn_end(&t, ERR_OK), ERR_OK);
	assert_int_equal(book_int(b->db.handle,
				  "SELECT count(DISTINCT next_attempt_at) FROM outbox WHERE reservation_id = %lld",
				  (long long)id),
			 1);
	return book_int(b->db.handle,
			"SELECT max(strftime('%%s', next_attempt_at) - strftime('%%s', created_at)) FROM outbox"
			" WHERE reservation_id = %lld",
			(long long)id);
}

static void one_network_has_a_limit_of_first_messages_at_once_and_the_others_wait_for_their_turn(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();

	book_exec(b->db.handle, "UPDATE restaurants SET sms_guests = 1");
	for (int i = 0; i < 60; i++)
		assert_int_equal(first_after(b, 7, now), 0);
	for (int i = 1; i <= 40; i++)
		assert_in_range(first_after(b, 7, now), 10 * i - 3, 10 * i);
	assert_int_equal(first_after(b, 8, now), 0);
	assert_int_equal(first_after(b, 0, now), 0); /* they have proven who they are */
}

static void a_move_leaves_one_reminder_for_each_time_and_the_newest_row_speaks(void **state)
{
	struct dispatch_row o = {.reservation_id = 1, .event = OUTBOX_REMIND_DAY, .by_mail = true};
	struct book *b = *state;
	bool later = false;

	book_exec(b->db.handle,
		  "INSERT INTO outbox (restaurant_id, channel, event, reservation_id, planned_for, next_attempt_at, "
		  "created_at) VALUES"
		  " (1, 'MAIL', 'remind-day', 1, '2099-12-30T09:00:00Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'),"
		  " (1, 'MAIL', 'remind-day', 1, '2099-12-29T09:00:00Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')");
	assert_int_not_equal(
		book_try(b->db.handle,
			 "INSERT INTO outbox (restaurant_id, channel, event, reservation_id, planned_for, next_attempt_at,"
			 " created_at) VALUES (1, 'MAIL', 'remind-day', 1, '2099-12-29T09:00:00Z', '2026-01-01T00:00:00Z',"
			 " '2026-01-01T00:00:00Z')"),
		SQLITE_OK);
	o.id = 1;
	assert_int_equal(dispatch_superseded(&b->db, &o, &later), ERR_OK);
	assert_true(later);
	o.id = 2; /* to an earlier time */
	assert_int_equal(dispatch_superseded(&b->db, &o, &later), ERR_OK);
	assert_false(later);
}

static void add(struct book *b, const char *event, int restaurant, int64_t now_s, int count)
{
	char at[CLOCK_ISO_SIZE];

	clock_iso(now_s, at);
	book_exec(b->db.handle,
		  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO outbox "
		  "(restaurant_id, channel,"
		  " event, next_attempt_at, created_at) SELECT %d, 'MAIL', '%s', '%s', '%s' FROM n",
		  count, restaurant, event, at, at);
}

static void codes_and_offers_stand_in_queues_of_their_own_and_restaurants_take_turns(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s(), last = 0;
	struct dispatch_row o;

	book_exec(b->db.handle, "INSERT INTO restaurants (restaurant_id, name, timezone) VALUES (2, 'B', 'Asia/Seoul')");
	add(b, "test", 1, now - 100, 500);
	add(b, "offer", 1, now - 50, 1);
	add(b, "code", 1, now, 1);
	add(b, "test", 2, now, 2);
	assert_true(next(b, DISPATCH_CODES, 0, now, &o));
	assert_int_equal(o.event, OUTBOX_CODE);
	assert_true(next(b, DISPATCH_OFFERS, 0, now, &o));
	assert_int_equal(o.event, OUTBOX_OFFER);
	for (int i = 0; i < 4; i++) {
		assert_true(next(b, DISPATCH_REST, last, now, &o));
		assert_int_equal(o.restaurant_id, 1 + i % 2);
		last = o.restaurant_id;
		book_exec(b->db.handle, "UPDATE outbox SET status = 'SENT' WHERE outbox_id = %lld", (long long)o.id);
	}
	assert_true(next(b, DISPATCH_REST, last, now, &o));
	assert_int_equal(o.restaurant_id, 1);
}

static void what_was_put_off_by_a_wrong_clock_is_due_and_a_new_code_always(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();
	struct dispatch_row o;
	bool found;

	/* No room for it, said a clock that was five hours ahead. */
	tell(b, OUTBOX_CONFIRMED, now);
	report(b, now + 5 * HOUR, (struct ticket_sent){.outbox_id = 1, .how = SENT_LATER, .next_s = now + 6 * HOUR});
	assert_false(next(b, DISPATCH_REST, 0, now + MINUTE, &o));
	assert_int_equal(dispatch_ahead(&b->db, DISPATCH_REST, now + MINUTE, &o, &found), ERR_OK);
	assert_true(found);
	report(b, now + MINUTE, (struct ticket_sent){.outbox_id = 1, .how = SENT_LATER, .next_s = now + HOUR});
	assert_int_equal(dispatch_ahead(&b->db, DISPATCH_REST, now + MINUTE, &o, &found), ERR_OK);
	assert_false(found);
	/* The clock was set back by half a minute after a code was asked for. */
	add(b, "code", 1, now + 30, 1);
	assert_int_equal(dispatch_ahead(&b->db, DISPATCH_CODES, now, &o, &found), ERR_OK);
	assert_true(found);
	report(b, now, (struct ticket_sent){.outbox_id = o.id, .how = SENT_LATER, .attempts = 1, .next_s = now + 30});
	assert_int_equal(dispatch_ahead(&b->db, DISPATCH_CODES, now, &o, &found), ERR_OK);
	assert_false(found);
}

static void a_refusal_is_taken_back_and_nothing_else_that_is_over(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();

	tell(b, OUTBOX_CONFIRMED, now);
	report(b, now, (struct ticket_sent){.outbox_id = 1, .how = SENT_FAILED, .attempts = 1});
	report(b, now, (struct ticket_sent){.outbox_id = 1, .how = SENT_OK, .attempts = 1});
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM outbox WHERE status = 'FAILED'"), 1);
	report(b, now, (struct ticket_sent){.outbox_id = 1, .how = SENT_LATER, .attempts = 1, .next_s = now + 30});
	assert_int_equal(queued(b), 1);
	report(b, now, (struct ticket_sent){.outbox_id = 1, .how = SENT_OK, .attempts = 2});
	report(b, now, (struct ticket_sent){.outbox_id = 1, .how = SENT_LATER, .attempts = 2, .next_s = now + 30});
	assert_int_equal(queued(b), 0);
}

static void where_a_message_went_is_forgotten_after_a_day(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();

	sent(b, 1, 1, 11, now - 25 * HOUR);
	sent(b, 1, 1, 11, now - 23 * HOUR);
	assert_int_equal(dispatch_forget(&b->db, now), ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM outbox WHERE recipient IS NOT NULL"), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(many_changes_are_one_message_that_rests_a_minute_and_five_at_most),
		TEST(a_change_while_the_letter_is_on_its_way_is_told_afterwards),
		TEST(what_was_last_told_is_known),
		TEST(what_is_taken_back_while_its_letter_is_on_its_way_is_put_right),
		TEST(what_one_way_has_told_already_is_put_right_that_way_alone),
		TEST(taking_back_one_act_leaves_what_waited_before_it),
		TEST(one_reservation_has_six_messages_an_hour_and_its_cancellation_still_goes),
		TEST(one_recipient_has_a_limit_an_hour_and_a_day_and_a_lower_one_if_the_address_was_only_typed),
		TEST(a_cancellation_and_the_owners_sheet_go_however_many_went_there),
		TEST(a_change_to_what_was_tried_in_vain_is_tried_for_a_day_of_its_own),
		TEST(one_network_has_a_limit_of_first_messages_at_once_and_the_others_wait_for_their_turn),
		TEST(a_move_leaves_one_reminder_for_each_time_and_the_newest_row_speaks),
		TEST(codes_and_offers_stand_in_queues_of_their_own_and_restaurants_take_turns),
		TEST(what_was_put_off_by_a_wrong_clock_is_due_and_a_new_code_always),
		TEST(a_refusal_is_taken_back_and_nothing_else_that_is_over),
		TEST(where_a_message_went_is_forgotten_after_a_day),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
