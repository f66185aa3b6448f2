/*
 * big_bounded.c - no guest can make the pen slow: what a ticket costs does not depend on how much there is of anything.
 *
 * A book with a million rows of the worst kind, all of one number, one name and one slot; then every kind of ticket, and
 * the steps of SQLite's machine that it takes are counted.  Time would say little on a busy machine.
 */
#include "batch.h"

#include "book.h"
#include "booking.h"
#include "clock.h"
#include "dispatch.h"
#include "outbox.h"
#include "unit.h"
#include "waitlist.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROWS = 1000000,
	STEPS_EACH = 100,      /* counted in hundreds */
	STEPS_MAX = 20000,     /* a transaction with one ticket; a walk over the million takes fifty times that at least */
	STEPS_WAITING = 60000, /* a cancellation where five thousand wait: each slot asks one of each size */
};

static int64_t steps, most = STEPS_MAX;

static int count_steps(void *arg)
{
	(void)arg;
	steps += STEPS_EACH;
	return 0;
}

static void fill(sqlite3 *h)
{
	book_slot(h, 1, "2031-05-06", "18:00", 40);
	book_exec(h, "UPDATE restaurant_reservation_slots SET starts_at = '2031-05-06T09:00:00Z'");
	book_exec(
		h,
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		" INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size, reservation_type, "
		"status,"
		" hold_expires_at, idempotency_key, restaurant_id, starts_at, guest_name, card_id)"
		" SELECT i, 'R' || i, 1, 1, 2, 'RESERVATION_DEPOSIT', CASE i %% 3 WHEN 0 THEN 'CANCELED' WHEN 1 THEN 'EXPIRED'"
		" ELSE 'REFUNDED' END, '2026-01-01T00:00:00Z', 'key-' || i, 1, '2031-05-06T09:00:00Z', '김하나', 7 FROM n",
		ROWS);
	book_exec(h,
		  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		  " INSERT INTO users (user_type, name, phone, phone_key, phone_of) SELECT 'GUEST', '김하나', '01011112222', "
		  "821011112222, 1 FROM n",
		  ROWS / 10);
}

static struct ticket_outcome serve(struct book *b, struct ticket_request r, const char *what)
{
	struct ticket_outcome o = {0};
	uint64_t number;

	assert_int_equal(line_draw(b->hall.line, &r, &number), ERR_OK);
	steps = 0;
	sqlite3_progress_handler(b->db.handle, STEPS_EACH, count_steps, NULL);
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	sqlite3_progress_handler(b->db.handle, 0, NULL, NULL);
	assert_int_equal(line_look(b->hall.line, number, &o), LINE_DONE);
	line_collected(b->hall.line, number);
	printf("# %s: %lld steps, %s\n", what, (long long)steps, err_word((enum err)o.err));
	if (steps > most)
		fail_msg("%s took %lld steps", what, (long long)steps);
	return o;
}

static struct ticket_request wish(int64_t phone_key, const char *time, const char *key)
{
	struct ticket_request r = {
		.kind = TICKET_BOOK,
		.u.book = {.want = {.restaurant_id = 1,
				    .party = 2,
				    .capacity = 40,
				    .seats = 60,
				    .sitting_minutes = 90,
				    .date = "2031-05-06"},
			   .who = {.user_id = -phone_key, .card_id = 7, .guest = {.name = "김하나", .phone = "01011112222"}},
			   .terms = {.hold_s = 420,
				     .holds_max = 2,
				     .upcoming_max = 4,
				     .type = TICKET_DEPOSIT,
				     .deposit = 10000,
				     .currency = "KRW"}},
	};

	assert_true(clock_parse_iso("2031-05-06T00:00:00Z", &r.u.book.want.starts_s));
	r.u.book.want.starts_s += (atoi(time) - 9) * 3600; /* in Seoul */
	snprintf(r.u.book.want.time, sizeof r.u.book.want.time, "%s", time);
	snprintf(r.u.book.key, sizeof r.u.book.key, "%s", key);
	return r;
}

static struct ticket_request move(int64_t id, enum ticket_move_kind kind)
{
	return (struct ticket_request){
		.kind = TICKET_MOVE,
		.u.move = {.reservation_id = id, .kind = (int32_t)kind, .by = BY_RESTAURANT, .actor = "test"}};
}

static void a_million_rows_of_the_worst_kind_cost_a_ticket_nothing(void **state)
{
	struct book *b = *state;
	struct ticket_outcome o;
	char shift[24];
	int64_t then, paid;

	assert_true(clock_parse_iso("2031-05-06T03:00:00Z", &then));
	snprintf(shift, sizeof shift, "%lld", (long long)(then - clock_now_s()));
	setenv("JARI_CLOCK_SHIFT", shift, 1);
	book_fill(b, fill);
	book_open(b);
	assert_int_equal(batch_prepare(&b->db), ERR_OK);
	o = serve(b, wish(821011112222, "18:00", "a"), "the number with a million rows, in their slot");
	assert_int_equal(o.err, ERR_OK);
	paid = o.id;
	assert_int_equal(serve(b, wish(821011112222, "18:00", "b"), "the same again").err, ERR_DUPLICATE);
	assert_int_equal(serve(b, wish(821011112222, "18:00", "key-500000"), "a key that was used").id, 500000);
	assert_int_equal(serve(b, wish(821011112222, "19:00", "c"), "another slot").err, ERR_OK);
	assert_int_equal(serve(b, wish(821011112222, "20:00", "d"), "one hold too many").err, ERR_TOO_MANY_HOLDS);
	assert_int_equal(serve(b, wish(821055556666, "18:00", "e"), "a new guest").err, ERR_OK);
	assert_int_equal(serve(b, move(paid, MOVE_CONFIRM), "money").err, ERR_OK);
	assert_int_equal(serve(b, move(paid, MOVE_CANCEL), "a cancel").err, ERR_OK);
	serve(b, (struct ticket_request){.kind = TICKET_LOGOUT, .u.logout = {.card_id = 7}}, "a logout");
	db_close(&b->db);
	unsetenv("JARI_CLOCK_SHIFT");
	b->damaged = true; /* those rows were not made by the rules */
}

enum { WAITING_SLOTS = 20, WAITING_EACH = 250 };

static void fill_waiting(sqlite3 *h)
{
	for (int i = 0; i < WAITING_SLOTS; i++) {
		char time[24];

		snprintf(time, sizeof time, "%02d:%02d", 12 + i / 2, i % 2 * 30);
		book_slot(h, i + 1, "2031-05-06", time, 40);
		book_exec(h,
			  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO users "
			  "(user_id,"
			  " user_type, name) SELECT 10000 + %d * %d + i, 'GUEST', 'W' FROM n",
			  WAITING_EACH, i, WAITING_EACH);
		book_exec(
			h,
			"INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size, starts_at, guest_name,"
			" proven) SELECT 1, '2031-05-06', '%s', user_id, 12, strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', '2031-05-06 "
			"%s',"
			" '-9 hours'), 'W', user_id %% 2 FROM users WHERE user_id > 10000 + %d AND user_id <= 10000 + %d",
			time, time, i * WAITING_EACH, (i + 1) * WAITING_EACH);
	}
	book_exec(h,
		  "UPDATE restaurant_reservation_slots SET starts_at = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', slot_date || ' ' ||"
		  " slot_time, '-9 hours'); INSERT INTO users (user_id, user_type, name) VALUES (9000, 'GUEST', 'Full')");
	for (int party = 4; party <= 34; party += 30)
		book_exec(h,
			  "INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size, "
			  "reservation_type,"
			  " status, restaurant_id, starts_at, ends_at, sitting_minutes, guest_name) SELECT %d * 100 + slot_id,"
			  " 'F' || %d || '-' || slot_id, slot_id, %d, %d, 'RESERVATION_DEPOSIT', 'CONFIRMED', 1, starts_at,"
			  " strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', starts_at, '30 minutes'), 30, 'F' FROM "
			  "restaurant_reservation_slots",
			  party, party, party == 4 ? 1 : 9000, party);
}

/* Five thousand wait, none of whom fits: each slot asks one of each size, and what came free is kept. */
static void thousands_who_wait_cost_a_cancellation_little(void **state)
{
	struct book *b = *state;
	char shift[24];
	int64_t then;

	assert_true(clock_parse_iso("2031-05-06T01:00:00Z", &then));
	snprintf(shift, sizeof shift, "%lld", (long long)(then - clock_now_s()));
	setenv("JARI_CLOCK_SHIFT", shift, 1);
	book_fill(b, fill_waiting);
	book_open(b);
	most = STEPS_WAITING;
	assert_int_equal(batch_prepare(&b->db), ERR_OK);
	assert_int_equal(serve(b, move(401, MOVE_CANCEL), "a cancel where five thousand wait").err, ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM kept_seats"), 1);
	most = STEPS_MAX;
	assert_int_equal(serve(b, wish(821055556666, "12:00", "w"), "a booking where five thousand wait").err, ERR_OK);
	db_close(&b->db);
	unsetenv("JARI_CLOCK_SHIFT");
	b->damaged = true;
}

/* All of them are proven, of every size, and stay for two hours; ten parties leave. */
static void fill_proven(sqlite3 *h)
{
	fill_waiting(h);
	book_exec(h, "UPDATE restaurants SET sitting_minutes = 120, seats = 40;"
		     " UPDATE waitlist SET proven = 1, party_size = 5 + user_id %% 8");
}

static void thousands_of_proven_guests_cost_a_booking_of_their_day_little(void **state)
{
	struct book *b = *state;
	char shift[24], what[60];
	int64_t then;

	assert_true(clock_parse_iso("2031-05-06T01:00:00Z", &then));
	snprintf(shift, sizeof shift, "%lld", (long long)(then - clock_now_s()));
	setenv("JARI_CLOCK_SHIFT", shift, 1);
	book_fill(b, fill_proven);
	book_open(b);
	assert_int_equal(batch_prepare(&b->db), ERR_OK);
	for (int i = 1; i <= 10; i++) {
		snprintf(what, sizeof what, "cancel %d where five thousand proven wait", i);
		most = STEPS_WAITING;
		assert_int_equal(serve(b, move(400 + i, MOVE_CANCEL), what).err, ERR_OK);
	}
	assert_in_range(book_int(b->db.handle, "SELECT count(*) FROM kept_seats"), 4, 10); /* some fit, and were offered it */
	most = STEPS_MAX;
	serve(b, wish(821055556666, "12:00", "o"), "a booking that finds seats kept for them");
	assert_int_equal(serve(b, wish(821055556666, "23:00", "p"), "a booking of another time").err, ERR_OK);
	db_close(&b->db);
	unsetenv("JARI_CLOCK_SHIFT");
	b->damaged = true;
}

enum { SAID_NO = 50000 };

/* One number was on the list fifty thousand times, was offered seats each time and said no before their deadline. */
static void fill_said_no(sqlite3 *h)
{
	fill_waiting(h);
	book_exec(h,
		  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO reservations"
		  " (reservation_id, reservation_code, slot_id, user_id, party_size, reservation_type, status, source,"
		  " restaurant_id, starts_at, ends_at, sitting_minutes, guest_name, created_at, updated_at) SELECT 100000 + i,"
		  " 'N' || i, 1, 1, 4, 'RESERVATION_DEPOSIT', 'CANCELED', 'WAITLIST', 1, '2031-05-06T03:00:00Z',"
		  " '2031-05-06T03:30:00Z', 30, 'N', '2031-05-05T23:00:00Z', '2031-05-06T00:59:00Z' FROM n",
		  SAID_NO);
	book_exec(
		h,
		"INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size, starts_at, guest_name,"
		" status, reservation_id, kept_until, created_at, updated_at) SELECT 1, '2031-05-06', '12:00', 1, 4, starts_at,"
		" 'N', 'LEFT', reservation_id, '2031-05-06T00:59:30Z', created_at, updated_at FROM reservations"
		" WHERE reservation_id > 100000");
	book_exec(h, "INSERT INTO reservation_cancellations (reservation_id, canceled_by, refund_amount, created_at)"
		     " SELECT reservation_id, 'GUEST', 0, updated_at FROM reservations WHERE reservation_id > 100000");
}

static void a_number_that_said_no_a_thousand_times_costs_no_guest_anything(void **state)
{
	struct book *b = *state;
	struct ticket_request wait = wish(821011112222, "12:00", "n");
	char shift[24];
	int64_t then;

	assert_true(clock_parse_iso("2031-05-06T01:00:00Z", &then));
	snprintf(shift, sizeof shift, "%lld", (long long)(then - clock_now_s()));
	setenv("JARI_CLOCK_SHIFT", shift, 1);
	book_fill(b, fill_said_no);
	book_open(b);
	assert_int_equal(batch_prepare(&b->db), ERR_OK);
	most = STEPS_WAITING;
	assert_int_equal(serve(b, move(401, MOVE_CANCEL), "a cancel after fifty thousand said no").err, ERR_OK);
	wait.kind = TICKET_WAIT;
	wait.u.book.want.party = 12;
	wait.u.book.terms.waits_max = 3;
	assert_int_equal(serve(b, wait, "the number that said no waits once more").err, ERR_OFFERED_BEFORE);
	most = STEPS_MAX;
	db_close(&b->db);
	unsetenv("JARI_CLOCK_SHIFT");
	b->damaged = true;
}

/* Ten thousand holds run out in one second: the pen is given on long before they are all released. */
static void a_whole_house_that_runs_out_at_once_does_not_keep_the_pen(void **state)
{
	struct book *b = *state;
	sqlite3 *h = book_plain(b->path);
	int swept, times = 0;
	int64_t now = clock_now_s();
	struct txn t;

	book_exec(h, "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 3002)"
		     " INSERT INTO users (user_id, user_type, name) SELECT i, 'GUEST', 'guest ' || i FROM n");
	book_slot(h, 1, "2031-05-06", "18:00", 10000);
	book_slot(h, 2, "2031-05-07", "18:00", 10000);
	book_exec(h, "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 3002)"
		     " INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status,"
		     " hold_expires_at) SELECT 'R' || i, CASE WHEN i = 3002 THEN 2 ELSE 1 END, i, 1, 'RESERVATION_DEPOSIT', "
		     "'TEMPORARY',"
		     " CASE WHEN i = 3002 THEN '2026-01-01T00:00:01Z' ELSE '2026-01-01T00:00:00Z' END FROM n");
	sqlite3_close(h);
	book_open(b);
	assert_int_equal(txn_begin(&t, &b->db, now), ERR_OK);
	assert_true(t.expired > 0 && t.expired <= 500 && t.more_due);
	/* What is looked at is right all the same. */
	assert_int_equal(txn_release_day(&t, 1, "2031-05-07"), ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE slot_id = 2 AND status = 'EXPIRED'"),
			 1);
	assert_int_equal(txn_end(&t, ERR_OK), ERR_OK);
	do {
		assert_int_equal(waitlist_sweep(&b->db, now, &swept), ERR_OK);
		assert_true(swept <= 500 && times++ < 20);
	} while (swept);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE status = 'TEMPORARY'"), 0);
}

/* A hundred thousand messages, half of them to one address in the last hour, half put off, and a code behind them. */
static void fill_outbox(sqlite3 *h)
{
	book_exec(h,
		  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
		  " INSERT INTO outbox (restaurant_id, channel, event, status, recipient, sent_at, next_attempt_at, created_at)"
		  " SELECT 1, 'MAIL', 'confirmed', CASE i %% 2 WHEN 1 THEN 'QUEUED' ELSE 'SENT' END, CASE i %% 2 WHEN 0 THEN 7 "
		  "END,"
		  " CASE i %% 2 WHEN 0 THEN '2031-05-06T02:50:00Z' END, '2031-05-06T03:30:00Z', '2031-05-06T02:50:00Z' FROM n");
	book_exec(h, "INSERT INTO outbox (restaurant_id, channel, event, next_attempt_at, created_at) VALUES"
		     " (1, 'MAIL', 'code', '2031-05-06T03:00:00Z', '2031-05-06T03:00:00Z')");
}

static void a_long_outbox_costs_the_courier_nothing(void **state)
{
	struct dispatch_row o, letter = {.restaurant_id = 1, .reservation_id = 1, .by_mail = true, .event = OUTBOX_CONFIRMED};
	int64_t now, until;
	struct book *b = *state;
	bool code, rest;

	assert_true(clock_parse_iso("2031-05-06T03:00:00Z", &now));
	book_fill(b, fill_outbox);
	book_open(b);
	steps = 0;
	sqlite3_progress_handler(b->db.handle, STEPS_EACH, count_steps, NULL);
	assert_int_equal(dispatch_next(&b->db, true, DISPATCH_CODES, 0, now, &o, &code), ERR_OK);
	assert_int_equal(dispatch_next(&b->db, true, DISPATCH_REST, 0, now, &o, &rest), ERR_OK);
	assert_int_equal(dispatch_room(&b->db, &letter, 7, false, now, &until), ERR_OK);
	sqlite3_progress_handler(b->db.handle, 0, NULL, NULL);
	assert_true(code && !rest && until > now);
	printf("# what goes next, and is there room: %lld steps\n", (long long)steps);
	assert_true(steps <= STEPS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_million_rows_of_the_worst_kind_cost_a_ticket_nothing, book_setup_closed,
						book_teardown),
		cmocka_unit_test_setup_teardown(thousands_who_wait_cost_a_cancellation_little, book_setup_closed,
						book_teardown),
		cmocka_unit_test_setup_teardown(thousands_of_proven_guests_cost_a_booking_of_their_day_little,
						book_setup_closed, book_teardown),
		cmocka_unit_test_setup_teardown(a_number_that_said_no_a_thousand_times_costs_no_guest_anything,
						book_setup_closed, book_teardown),
		cmocka_unit_test_setup_teardown(a_whole_house_that_runs_out_at_once_does_not_keep_the_pen, book_setup_closed,
						book_teardown),
		cmocka_unit_test_setup_teardown(a_long_outbox_costs_the_courier_nothing, book_setup_closed, book_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
