/*
 * test_timeset.c - a clock that is set forward or back, while jari runs or while it does not, leaves nothing behind.
 */
#include "timeset.h"

#include "batch.h"
#include "check.h"
#include "clock.h"
#include "forget.h"
#include "noon.h"
#include "dispatch.h"
#include "sent.h"
#include "planner.h"
#include "staff.h"
#include "unit.h"
#include "waitlist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MINUTE = 60, HOUR = 3600, A_DAY = 86400, A_YEAR = 365 * 86400, HOLD_S = 420 };

static void add(const char *variable, int64_t n)
{
	const char *was = getenv(variable);
	char text[32];

	snprintf(text, sizeof text, "%lld", (was ? strtoll(was, NULL, 10) : 0) + (long long)n);
	setenv(variable, text, 1);
}

/* set_clock() sets the wall clock alone; time_passes() moves the wall clock and the time since the machine started. */
static void set_clock(int64_t by_s)
{
	add("JARI_CLOCK_SHIFT", by_s);
}

static void time_passes(int64_t s)
{
	add("JARI_CLOCK_SHIFT", s);
	add("JARI_MONO_SHIFT_MS", s * 1000);
}

/* The keeper's turn. */
static void turn(struct book *b)
{
	int expired;

	assert_int_equal(timeset_look(&b->db, clock_now_s()), ERR_OK);
	assert_int_equal(waitlist_sweep(&b->db, clock_now_s(), &expired), ERR_OK);
	if (!clockwatch_settled(b->hall.clock))
		return;
	assert_int_equal(timeset_mend(&b->db, clock_now_s()), ERR_OK);
	assert_int_equal(planner_run(&b->db, clock_now_s()), ERR_OK);
}

/* jari is stopped and started, or the machine: nothing remembers what the clock said. */
static void restart(struct book *b)
{
	book_close(b);
	hall_remove(&b->hall);
	hall_detach(&b->hall);
	assert_int_equal(hall_attach(&b->hall, b->dir), ERR_OK);
	book_open(b);
	assert_int_equal(batch_prepare(&b->db), ERR_OK);
}

static int64_t hold(struct book *b, int64_t user)
{
	struct ticket_outcome o = noon_done(b, noon_wish(user, 2));

	assert_int_equal(o.err, ERR_OK);
	return o.id;
}

/* How long the hold has still to go; below 0: it was released. */
static int64_t left(struct book *b, int64_t id)
{
	return book_int(b->db.handle,
			"SELECT CASE status WHEN 'TEMPORARY' THEN strftime('%%s', hold_expires_at) - %lld ELSE -1 END"
			" FROM reservations WHERE reservation_id = %lld",
			(long long)clock_now_s(), (long long)id);
}

static void a_hold_lasts_its_minutes_whichever_way_the_clock_is_set(void **state)
{
	static const int64_t steps[] = {HOUR, -HOUR, A_DAY, -A_DAY, A_YEAR, -A_YEAR, 5 * MINUTE, -5 * MINUTE};
	struct book *b = *state;

	turn(b);
	for (size_t i = 0; i < COUNT(steps); i++) {
		int64_t id = hold(b, 10 + (int64_t)i);

		time_passes(MINUTE);
		set_clock(steps[i]);
		hold(b, 100 + (int64_t)i); /* the first writer follows the clock; it need not be the keeper */
		assert_in_range(left(b, id), HOLD_S - MINUTE - 5, HOLD_S - MINUTE + 1);
		assert_in_range(left(b, id + 1), HOLD_S - 5, HOLD_S);
		time_passes(HOLD_S - MINUTE + 5);
		turn(b);
		assert_int_equal(left(b, id), -1);
		time_passes(MINUTE);
		turn(b);
		assert_int_equal(left(b, id + 1), -1);
		set_clock(-steps[i]);
		turn(b);
	}
}

static void an_offer_and_a_code_last_their_minutes_too(void **state)
{
	struct book *b = *state;
	int64_t id = hold(b, 10), now = clock_now_s();

	turn(b);
	book_exec(b->db.handle,
		  "INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size, status, reservation_id,"
		  " offer_expires_at) SELECT 1, '" DAY "', '" TIME "', 10, 2, 'OFFERED', reservation_id, hold_expires_at FROM"
		  " reservations WHERE reservation_id = %lld",
		  (long long)id);
	book_exec(b->db.handle,
		  "INSERT INTO proofs (restaurant_id, card_id, phone_key, channel, address, expires_at, created_at) VALUES (1, "
		  "5, 6,"
		  " 'SMS', '6', strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', %lld, 'unixepoch', '300 seconds'),"
		  " strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', %lld, 'unixepoch'))",
		  (long long)now, (long long)now);
	set_clock(A_YEAR);
	turn(b);
	assert_in_range(book_int(b->db.handle, "SELECT strftime('%%s', offer_expires_at) - %lld FROM waitlist", (long long)now),
			A_YEAR + HOLD_S - 5, A_YEAR + HOLD_S + 5);
	assert_in_range(book_int(b->db.handle, "SELECT strftime('%%s', expires_at) - %lld FROM proofs", (long long)now),
			A_YEAR + 295, A_YEAR + 305);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM waitlist WHERE status = 'OFFERED'"), 1);
	set_clock(-A_YEAR);
	turn(b);
}

static void a_clock_that_is_corrected_little_by_little_is_not_set(void **state)
{
	struct book *b = *state;

	turn(b);
	for (int i = 0; i < 100; i++) {
		time_passes(20 * MINUTE);
		set_clock(1);
		turn(b);
	}
	assert_true(clockwatch_settled(b->hall.clock));
}

static void many_small_steps_of_the_clock_are_one(void **state)
{
	struct book *b = *state;
	int64_t id;

	turn(b);
	id = hold(b, 10);
	for (int i = 0; i < 9; i++) {
		set_clock(59);
		turn(b);
	}
	assert_false(clockwatch_settled(b->hall.clock));
	assert_in_range(left(b, id), HOLD_S - 65, HOLD_S);
}

/* It is unknown by how much the clock was set, but the book has rows of tomorrow. */
static void a_start_behind_the_newest_row_believes_no_clock_for_ten_minutes(void **state)
{
	struct book *b = *state;
	int64_t id = hold(b, 10);

	time_passes(MINUTE);
	restart(b);
	set_clock(-A_DAY);
	assert_true(clockwatch_settled(b->hall.clock));
	turn(b);
	assert_false(clockwatch_settled(b->hall.clock));
	assert_in_range(left(b, id), HOLD_S - 5, HOLD_S);
	time_passes(HOLD_S + 1);
	turn(b);
	assert_int_equal(left(b, id), -1);
	time_passes(10 * MINUTE);
	assert_true(clockwatch_settled(b->hall.clock));
}

static void hear(void *arg, const char *note)
{
	char *heard = arg;

	snprintf(heard + strlen(heard), 4096 - strlen(heard), "%s\n", note);
}

/* The hold moves with the clock, nothing else is written, and the clock is right when jari is started again. */
static void run_ahead_and_start(struct book *b, int64_t step_s)
{
	char heard[4096] = "";
	int64_t id;

	turn(b);
	id = hold(b, 10);
	set_clock(step_s);
	turn(b);
	restart(b);
	set_clock(-step_s);
	assert_int_equal(check_notes(b->path, clock_now_s(), hear, heard), ERR_OK);
	assert_non_null(strstr(heard, "holds written later than now: 1."));
	assert_non_null(strstr(heard, "rows of the audit dated later than now: 1,"));
	hold(b, 11); /* the first writer need not be the keeper */
	assert_in_range(left(b, id), HOLD_S - 5, HOLD_S);
	assert_false(clockwatch_settled(b->hall.clock));
	time_passes(HOLD_S + 1);
	turn(b);
	assert_int_equal(left(b, id), -1);
}

static void a_hold_that_followed_a_clock_which_ran_a_day_ahead_lasts_its_minutes_after_a_start(void **state)
{
	run_ahead_and_start(*state, 20 * HOUR);
}

static void a_hold_that_followed_a_clock_which_ran_a_year_ahead_lasts_its_minutes_after_a_start(void **state)
{
	run_ahead_and_start(*state, A_YEAR);
}

/* ---- the waitlist ---- */

static int64_t entries(struct book *b, const char *status)
{
	return book_int(b->db.handle, "SELECT count(*) FROM waitlist WHERE status = '%s'", status);
}

/* A slot of tomorrow that is full, and two who wait for it; a third has left. */
/* Payments that are looked at in a minute, and a refund that is sent again then. */
static void payments_that_a_clock_which_ran_ahead_put_off_are_seen_to(void **state)
{
	struct book *b = *state;
	char later[CLOCK_ISO_SIZE];

	clock_iso(clock_now_s() + MINUTE, later);
	book_exec(b->db.handle,
		  "INSERT INTO intents (restaurant_id, purpose, try, pay_key, provider, currency, amount, todo, todo_at, "
		  "created_at,"
		  " changed_at, ends_at) VALUES (1, 'TRY', 1, 'jari-a-key-of-a-payment', 'toss', 'KRW', 100, 'LOOK', '%s',"
		  " '2031-05-06T03:00:00Z', '2031-05-06T03:00:00Z', '%s');"
		  " INSERT INTO refunds (intent_id, amount, refund_key, next_at, asked_by, created_at)"
		  " VALUES (1, 100, 'r1', '%s', 'cashier', '2031-05-06T03:00:00Z')",
		  later, later, later);
	run_ahead_and_start(b, A_YEAR);
	clock_iso(clock_now_s() + HOUR, later);
	assert_int_equal(
		book_int(b->db.handle, "SELECT count(*) FROM intents WHERE todo_at < '%s' AND ends_at < '%s'", later, later),
		1);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM refunds WHERE next_at < '%s'", later), 1);
}

static void three_wait(struct book *b)
{
	book_exec(b->db.handle, "UPDATE restaurants SET reservation_limit = 4");
	book_slot(b->db.handle, 1, "2031-05-07", "18:00", 4);
	book_reservation(b->db.handle, 1, 1, 3, 4, "CONFIRMED", "");
	for (int user = 4; user < 7; user++)
		book_exec(b->db.handle,
			  "INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size, changed_by)"
			  " VALUES (1, '2031-05-07', '18:00', %d, 2, 'user:1')",
			  user);
	book_exec(b->db.handle, "UPDATE waitlist SET status = 'LEFT', changed_by = 'user:6' WHERE user_id = 6");
}

static void no_guest_is_taken_off_the_waitlist_by_a_clock_that_was_just_set(void **state)
{
	struct book *b = *state;

	three_wait(b);
	turn(b);
	set_clock(30 * HOUR);
	turn(b);
	time_passes(5 * MINUTE);
	turn(b);
	assert_int_equal(entries(b, "WAITING"), 2);
	set_clock(-30 * HOUR);
	time_passes(11 * MINUTE);
	turn(b);
	assert_int_equal(entries(b, "WAITING"), 2);
}

static void waits_that_a_clock_which_ran_ahead_has_closed_are_opened_again(void **state)
{
	struct book *b = *state;
	struct waiter w;

	three_wait(b);
	turn(b);
	set_clock(30 * HOUR);
	turn(b);
	time_passes(10 * MINUTE + 1);
	turn(b);
	assert_int_equal(entries(b, "CLOSED"), 2); /* for ten minutes the clock said so */
	set_clock(-30 * HOUR);
	turn(b);
	assert_int_equal(entries(b, "CLOSED"), 2); /* it may be set again */
	/* One of them has joined anew meanwhile. */
	book_exec(b->db.handle, "INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size, changed_by)"
				" VALUES (1, '2031-05-07', '18:00', 5, 2, 'user:1')");
	time_passes(10 * MINUTE + 1);
	turn(b);
	assert_int_equal(entries(b, "WAITING"), 2);
	assert_int_equal(entries(b, "LEFT"), 1);
	assert_int_equal(waitlist_get(&b->db, 1, &w), ERR_OK);
	assert_string_equal(w.status, "WAITING");
	assert_int_equal(w.rank, 1);
	time_passes(30 * HOUR); /* and in its time it closes */
	turn(b);
	assert_int_equal(entries(b, "WAITING"), 0);
}

/* ---- messages ---- */

static void staff_write(struct book *b)
{
	book_exec(
		b->db.handle,
		"INSERT INTO users (user_id, user_type, name, email) VALUES (90000, 'STAFF', 'Kim', 'kim@example.com');"
		"INSERT INTO audit (at, actor, entity, entity_id, change) VALUES (strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now'),"
		" 'user:90000', 'reservation', 1, 'note')");
}

/* jari was off, and starts with a clock of years later: a battery that is empty, or a box that stood in a cupboard. */
static void a_start_far_past_the_newest_row_forgets_closes_and_ends_nothing(void **state)
{
	struct book *b = *state;
	int64_t id;
	bool more;

	setenv("JARI_WITHOUT", "timesync", 1);
	book_exec(b->db.handle, "UPDATE restaurants SET retention_months = 12");
	three_wait(b);
	id = hold(b, 30);
	set_clock(14 * (int64_t)A_YEAR);
	restart(b);
	turn(b);
	assert_false(clockwatch_settled(b->hall.clock)); /* the keeper does nothing by this clock */
	assert_in_range(left(b, id), HOLD_S - 30, HOLD_S);
	time_passes(HOLD_S + MINUTE);
	turn(b);
	assert_int_equal(left(b, id), -1); /* its minutes pass by any clock */
	time_passes(HOUR);
	turn(b);
	assert_false(clockwatch_settled(b->hall.clock));
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM waitlist WHERE status = 'CLOSED'"), 0);
	staff_write(b); /* the box had been off for this long */
	turn(b);
	assert_true(clockwatch_settled(b->hall.clock));
	turn(b);
	assert_true(book_int(b->db.handle, "SELECT count(*) FROM waitlist WHERE status = 'CLOSED'") > 0);
	assert_int_equal(forget_old(&b->db, clock_now_s(), &more), ERR_OK);
	set_clock(-14 * (int64_t)A_YEAR);
	unsetenv("JARI_WITHOUT");
}

/* The owner has lost the password, and asks for another before jari is started: that is no witness of the clock. */
static void a_password_that_was_set_while_jari_was_off_believes_no_clock(void **state)
{
	struct book *b = *state;
	struct user kim;

	setenv("JARI_WITHOUT", "timesync", 1);
	staff_write(b);
	three_wait(b);
	set_clock(14 * (int64_t)A_YEAR);
	assert_int_equal(staff_get(&b->db, 90000, &kim), ERR_OK);
	assert_int_equal(staff_set_password(&b->db, &kim, "x", clock_now_s()), ERR_OK);
	assert_int_equal(staff_set_once(&b->db, 90000, "x", clock_now_s() + HOUR, "shell", clock_now_s()), ERR_OK);
	restart(b);
	turn(b);
	assert_false(clockwatch_settled(b->hall.clock));
	time_passes(HOUR);
	turn(b);
	assert_int_equal(entries(b, "CLOSED"), 0);
	set_clock(-14 * (int64_t)A_YEAR);
	unsetenv("JARI_WITHOUT");
}

/* What was written since has the date of that clock, so the newest row no longer says that it is wrong. */
static void a_clock_is_still_doubted_after_another_start(void **state)
{
	struct book *b = *state;
	char heard[4096] = "", believed[4096] = "";

	setenv("JARI_WITHOUT", "timesync", 1);
	three_wait(b);
	set_clock(14 * (int64_t)A_YEAR);
	restart(b);
	hold(b, 30);
	turn(b);
	restart(b);
	turn(b);
	time_passes(HOUR);
	turn(b);
	assert_false(clockwatch_settled(b->hall.clock));
	assert_int_equal(entries(b, "CLOSED"), 0);
	assert_int_equal(check_notes(b->path, clock_now_s(), hear, heard), ERR_OK);
	assert_non_null(strstr(heard, "days past the newest row of the book when jari started"));
	staff_write(b);
	turn(b);
	assert_true(clockwatch_settled(b->hall.clock));
	assert_int_equal(check_notes(b->path, clock_now_s(), hear, believed), ERR_OK);
	assert_null(strstr(believed, "newest row of the book"));
	restart(b);
	turn(b);
	assert_true(clockwatch_settled(b->hall.clock)); /* believed once, it stays so */
	set_clock(-14 * (int64_t)A_YEAR);
	unsetenv("JARI_WITHOUT");
}

static void has_mail(struct book *b)
{
	book_exec(b->db.handle, "INSERT INTO mail_server (one, way, host, sender, updated_at) VALUES (1, 'SMTP', 'localhost',"
				" 'table@house.example', '2031-01-01T00:00:00Z');"
				"UPDATE restaurants SET quiet_from = 0, quiet_to = 0, day_sheet_hour = 0, tell_owner = 0,"
				" notify_email = 'owner@house.example'");
}

static int64_t planned(struct book *b, const char *event)
{
	return book_int(b->db.handle, "SELECT count(*) FROM outbox WHERE event = '%s'", event);
}

static void comes_in_four_days(struct book *b)
{
	has_mail(b);
	book_slot(b->db.handle, 1, "2031-05-10", "19:00", 4);
	book_reservation(b->db.handle, 1, 1, 3, 2, "CONFIRMED", "");
	book_exec(b->db.handle,
		  "UPDATE reservations SET guest_email = 'guest@example.com', created_at = '2031-05-01T00:00:00Z'");
}

static void a_clock_that_was_just_set_reminds_no_guest(void **state)
{
	struct book *b = *state;

	comes_in_four_days(b);
	turn(b);
	set_clock(4 * A_DAY);
	turn(b);
	set_clock(-4 * A_DAY);
	turn(b);
	assert_int_equal(planned(b, "remind-day"), 0);
}

static void reminders_that_came_too_early_come_again_when_it_is_time(void **state)
{
	struct book *b = *state;

	comes_in_four_days(b);
	turn(b);
	set_clock(4 * A_DAY + 6 * HOUR + 20 * MINUTE);
	turn(b);
	time_passes(10 * MINUTE + 1);
	turn(b);
	assert_int_equal(planned(b, "remind-day"), 1);
	assert_int_equal(planned(b, "remind-soon"), 1);
	book_exec(b->db.handle, "UPDATE outbox SET status = 'SENT' WHERE event = 'remind-day'");
	set_clock(-4 * A_DAY - 6 * HOUR - 20 * MINUTE);
	turn(b);
	time_passes(10 * MINUTE + 1);
	turn(b);
	assert_int_equal(planned(b, "remind-day"), 1); /* it is not time */
	assert_int_equal(
		book_int(b->db.handle, "SELECT count(*) FROM outbox WHERE event = 'remind-soon' AND status = 'SKIPPED'"), 1);
	time_passes(3 * A_DAY + 8 * HOUR);
	turn(b);
	assert_int_equal(planned(b, "remind-day"), 2);
	assert_int_equal(planned(b, "remind-soon"), 1);
	time_passes(22 * HOUR + 20 * MINUTE);
	turn(b);
	assert_int_equal(planned(b, "remind-day"), 2);
	assert_int_equal(planned(b, "remind-soon"), 2);
}

static void the_sheet_of_a_day_is_sent_on_that_day(void **state)
{
	struct book *b = *state;

	has_mail(b);
	turn(b);
	set_clock(A_DAY);
	turn(b);
	time_passes(10 * MINUTE + 1);
	book_exec(b->db.handle, "UPDATE restaurants SET day_sheet_hour = 11");
	turn(b);
	assert_int_equal(planned(b, "day-sheet"), 1); /* tomorrow's */
	set_clock(-A_DAY);
	turn(b);
	time_passes(10 * MINUTE + 1);
	turn(b);
	assert_int_equal(planned(b, "day-sheet"), 2); /* today's */
	time_passes(A_DAY);
	turn(b);
	turn(b);
	assert_int_equal(planned(b, "day-sheet"), 3);
}

static void the_hourly_digest_goes_on(void **state)
{
	struct book *b = *state;

	has_mail(b);
	book_exec(b->db.handle, "UPDATE restaurants SET tell_owner = 2");
	set_clock(A_DAY);
	turn(b);
	assert_int_equal(planned(b, "owner-digest"), 1); /* where to begin */
	set_clock(-A_DAY);
	hold(b, 10);
	turn(b);
	time_passes(10 * MINUTE + 1);
	turn(b);
	assert_int_equal(planned(b, "owner-digest"), 2);
	hold(b, 11);
	turn(b);
	assert_int_equal(planned(b, "owner-digest"), 2); /* the hour is not over */
}

static int due(struct book *b)
{
	struct dispatch_row row;
	bool now = false, ahead = false;

	assert_int_equal(dispatch_next(&b->db, true, DISPATCH_REST, 0, clock_now_s(), &row, &now), ERR_OK);
	assert_int_equal(dispatch_ahead(&b->db, DISPATCH_REST, clock_now_s(), &row, &ahead), ERR_OK);
	return now + ahead;
}

static void message(struct book *b, int attempts, int64_t created_s, int64_t next_s)
{
	char created[CLOCK_ISO_SIZE], next[CLOCK_ISO_SIZE];

	clock_iso(created_s, created);
	clock_iso(next_s, next);
	book_exec(b->db.handle,
		  "UPDATE outbox SET status = 'SENT'; INSERT INTO outbox (restaurant_id, channel, event, attempts, created_at,"
		  " next_attempt_at) VALUES (1, 'MAIL', 'test', %d, '%s', '%s')",
		  attempts, created, next);
}

static void a_message_that_was_put_off_by_a_clock_which_ran_ahead_is_due(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s();

	message(b, 1, now - MINUTE, now + A_YEAR);
	assert_int_equal(due(b), 1);
	message(b, 3, now - MINUTE, now + 3 * HOUR);
	assert_int_equal(due(b), 1);
	message(b, 0, now + 2 * HOUR, now + 2 * HOUR);
	assert_int_equal(due(b), 1);
	/* What waits for its next try, for the morning, for a few seconds. */
	message(b, 9, now - MINUTE, now + 75 * MINUTE);
	assert_int_equal(due(b), 0);
	message(b, 0, now - MINUTE, now + 22 * HOUR);
	assert_int_equal(due(b), 0);
	message(b, 0, now + 1, now + 20);
	assert_int_equal(due(b), 0);
}

static void messages_given_up_in_the_future_are_not_shown_for_a_year(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s(), n = -1;

	message(b, 1, now + A_YEAR, now + A_YEAR);
	book_exec(b->db.handle, "UPDATE outbox SET status = 'FAILED'");
	assert_int_equal(sent_failed(&b->db, 1, now, &n), ERR_OK);
	assert_int_equal(n, 0);
	assert_int_equal(sent_failed(&b->db, 1, now + A_YEAR + A_DAY, &n), ERR_OK);
	assert_int_equal(n, 1);
}

/* ---- what jari check says ---- */

static void the_check_names_what_a_wrong_clock_did_and_finds_the_book_sound(void **state)
{
	struct book *b = *state;
	char heard[4096] = "";

	three_wait(b);
	hold(b, 10);
	assert_int_equal(check_notes(b->path, clock_now_s(), hear, heard), ERR_OK);
	assert_string_equal(heard, "");
	turn(b);
	set_clock(2 * HOUR);
	hold(b, 11);
	time_passes(HOLD_S + 1);
	turn(b);
	book_exec(b->db.handle, "UPDATE waitlist SET status = 'CLOSED', changed_by = 'keeper' WHERE user_id = 4");
	message(b, 0, clock_now_s(), clock_now_s());
	set_clock(-2 * HOUR);
	assert_int_equal(check_notes(b->path, clock_now_s(), hear, heard), ERR_OK);
	for (size_t i = 0; i < 4; i++) {
		static const char *const words[] = {
			"reservations dated later than now: 1, up to ", " 18:00, a party of 2) was a hold",
			"entries of the waitlist closed before their time: 1.", "messages dated later than now: 1, up to "};

		if (!strstr(heard, words[i]))
			fail_msg("%s is not in %s", words[i], heard);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_hold_lasts_its_minutes_whichever_way_the_clock_is_set),
		TEST(an_offer_and_a_code_last_their_minutes_too),
		TEST(a_clock_that_is_corrected_little_by_little_is_not_set),
		TEST(many_small_steps_of_the_clock_are_one),
		TEST(a_start_behind_the_newest_row_believes_no_clock_for_ten_minutes),
		TEST(a_hold_that_followed_a_clock_which_ran_a_day_ahead_lasts_its_minutes_after_a_start),
		TEST(a_hold_that_followed_a_clock_which_ran_a_year_ahead_lasts_its_minutes_after_a_start),
		TEST(payments_that_a_clock_which_ran_ahead_put_off_are_seen_to),
		TEST(no_guest_is_taken_off_the_waitlist_by_a_clock_that_was_just_set),
		TEST(a_start_far_past_the_newest_row_forgets_closes_and_ends_nothing),
		TEST(a_password_that_was_set_while_jari_was_off_believes_no_clock),
		TEST(a_clock_is_still_doubted_after_another_start),
		TEST(waits_that_a_clock_which_ran_ahead_has_closed_are_opened_again),
		TEST(a_clock_that_was_just_set_reminds_no_guest),
		TEST(reminders_that_came_too_early_come_again_when_it_is_time),
		TEST(the_sheet_of_a_day_is_sent_on_that_day),
		TEST(the_hourly_digest_goes_on),
		TEST(a_message_that_was_put_off_by_a_clock_which_ran_ahead_is_due),
		TEST(messages_given_up_in_the_future_are_not_shown_for_a_year),
		TEST(the_check_names_what_a_wrong_clock_did_and_finds_the_book_sound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
