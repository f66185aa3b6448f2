/*
 * test_batch.c - the pen at work: one batch, one commit, one outcome for every ticket.
 *
 * Every test stands at noon of Tuesday, 2031-05-06, in Seoul; its slot is at 18:00 of that day.
 */
#include "batch.h"

#include "book.h"
#include "booking.h"
#include "clock.h"
#include "kid.h"
#include "unit.h"
#include "users.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char DAY[] = "2031-05-06", TIME[] = "18:00", POLICY[] = "day-before=100 same-day=50 until=120m late=20 large=8:10";
enum { GUESTS = 3000, SEATS = 40 };

static struct talk {
	_Atomic int ready, go;
} * talk;

static void stand_at(const char *iso)
{
	char text[24];
	int64_t then;

	unsetenv("JARI_CLOCK_SHIFT");
	assert_true(clock_parse_iso(iso, &then));
	snprintf(text, sizeof text, "%lld", (long long)(then - clock_now_s()));
	setenv("JARI_CLOCK_SHIFT", text, 1);
}

static int setup_closed(void **state)
{
	struct book *b;
	sqlite3 *plain;

	stand_at("2031-05-06T03:00:00Z");
	talk = kid_share(sizeof *talk);
	book_setup_closed(state);
	b = *state;
	plain = book_plain(b->path);
	book_exec(plain,
		  "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		  " INSERT INTO users (user_id, user_type, name, phone) SELECT i, 'GUEST', 'guest ' || i, '0101234' || "
		  "i FROM n",
		  GUESTS);
	sqlite3_close(plain);
	return 0;
}

static int setup(void **state)
{
	struct book *b;

	setup_closed(state);
	b = *state;
	book_open(b);
	return batch_prepare(&b->db) == ERR_OK ? 0 : -1;
}

static int teardown(void **state)
{
	struct book *b = *state;
	int broken = line_check(b->hall.line);

	unsetenv("JARI_CLOCK_SHIFT");
	unsetenv("JARI_MONO_SHIFT_MS");
	unsetenv("JARI_WITHOUT");
	unsetenv("JARI_FAILPOINT");
	kid_unshare(talk, sizeof *talk);
	if (broken)
		fprintf(stderr, "L%d does not hold\n", broken);
	return book_teardown(state) || broken;
}

/* ---- what is asked ---- */

static struct ticket_request wish(int64_t user, int party)
{
	struct ticket_request r = {
		.kind = TICKET_BOOK,
		.u.book = {.restaurant_id = 1,
			   .user_id = user,
			   .token_version = 1,
			   .party = party,
			   .capacity = SEATS,
			   .seats = ROOM_UNLIMITED,
			   .sitting_minutes = 60,
			   .starts_s = 1935824400, /* 2031-05-06T09:00:00Z */
			   .hold_s = 420,
			   .lock_ms = 5000,
			   .type = TICKET_DEPOSIT,
			   .deposit = 5000 * party,
			   .today = "20310506",
			   .currency = "KRW"},
	};

	strcpy(r.u.book.date, DAY);
	strcpy(r.u.book.time, TIME);
	strcpy(r.u.book.policy, POLICY);
	return r;
}

static struct ticket_request move(int64_t id, enum ticket_move_kind kind, enum ticket_by by)
{
	return (struct ticket_request){
		.kind = TICKET_MOVE,
		.u.move =
			{.reservation_id = id, .kind = (int32_t)kind, .by = (int32_t)by, .actor = "test", .reason = "because"},
	};
}

static uint64_t draw(struct book *b, struct ticket_request r)
{
	uint64_t n = 0;

	assert_int_equal(line_draw(b->hall.line, &r, &n), ERR_OK);
	return n;
}

/* As a command goes: draws a ticket and sees it through. */
static enum err through(struct db *db, const struct ticket_request *r, int64_t ms, struct ticket_outcome *out)
{
	uint64_t number;
	enum err e = batch_prepare(db);

	if (e == ERR_OK)
		e = line_draw(db->hall->line, r, &number);
	if (e == ERR_OK)
		e = batch_wait(db, number, ms, -1, NULL, NULL, out);
	if (e != ERR_OK)
		return e;
	line_collected(db->hall->line, number);
	return (enum err)out->err;
}

static struct ticket_outcome outcome(struct book *b, uint64_t n)
{
	struct ticket_outcome got = {.err = -1};

	assert_int_equal(line_look(b->hall.line, n, &got), LINE_DONE);
	line_collected(b->hall.line, n);
	return got;
}

/* Serves one batch and gives the outcome of one of its tickets. */
static struct ticket_outcome served(struct book *b, uint64_t n)
{
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	return outcome(b, n);
}

/* The whole way of one request. */
static struct ticket_outcome done(struct book *b, struct ticket_request r)
{
	return served(b, draw(b, r));
}

static int64_t count(struct book *b, const char *where)
{
	return book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE %s", where);
}

/* ---- a batch ---- */

static void a_batch_is_served_in_the_order_of_its_tickets(void **state)
{
	struct book *b = *state;
	struct tally_read stats;
	uint64_t n[15];

	for (int i = 0; i < 15; i++)
		n[i] = draw(b, wish(100 - i, 4)); /* not the order of their ids */
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	for (int i = 0; i < 15; i++) {
		struct ticket_outcome o = outcome(b, n[i]);

		assert_int_equal(o.err, i < 10 ? ERR_OK : ERR_SLOT_FULL);
		assert_int_equal(o.id, i < 10 ? i + 1 : 0);
		if (i < 10)
			assert_in_range(clock_now_s() + 420 - o.hold_until_s, 0, 60);
	}
	tally_read(line_tally(b->hall.line), &stats);
	assert_int_equal(stats.batches, 1);
	assert_int_equal(stats.served, 15);
	assert_int_equal(count(b, "1"), 10);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservations a JOIN reservations b"
						" ON a.ticket < b.ticket AND a.reservation_id > b.reservation_id"),
			 0);
	assert_int_equal(count(b, "reservation_code = printf('R20310506-%04d', reservation_id)"), 10);
	assert_int_equal(count(b, "status = 'TEMPORARY' AND hold_expires_at LIKE '2031-05-06T03:0%'"), 10);
}

static void parties_of_all_sizes_fill_the_slot_to_the_last_seat(void **state)
{
	struct book *b = *state;
	static const int parties[] = {12, 12, 12, 5, 4, 3, 2, 1, 1};
	static const enum err ends[] = {ERR_OK,        ERR_OK,        ERR_OK,        ERR_SLOT_FULL, ERR_OK,
					ERR_SLOT_FULL, ERR_SLOT_FULL, ERR_SLOT_FULL, ERR_SLOT_FULL};
	static const int left[] = {28, 16, 4, 4, 0, 0, 0, 0, 0};
	uint64_t n[COUNT(parties)];

	for (size_t i = 0; i < COUNT(parties); i++)
		n[i] = draw(b, wish((int64_t)i + 1, parties[i]));
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	for (size_t i = 0; i < COUNT(parties); i++) {
		struct ticket_outcome o = outcome(b, n[i]);

		assert_int_equal(o.err, ends[i]);
		assert_int_equal(o.remaining, left[i]);
	}
	assert_int_equal(book_int(b->db.handle, "SELECT sum(party_size) FROM reservations WHERE is_active = 1"), SEATS);
}

static void a_long_line_takes_several_batches(void **state)
{
	struct book *b = *state;
	uint64_t first = 0, n = 0;
	struct tally_read stats;

	setenv("JARI_WITHOUT", "batch_ms", 1); /* however slow this machine is */
	for (int i = 1; i <= 2500; i++) {
		struct ticket_request r = wish(i, 1);

		r.u.book.capacity = 10000;
		n = draw(b, r);
		first = first ? first : n;
	}
	assert_int_equal(served(b, first).err, ERR_OK);
	assert_true(line_length(b->hall.line) > 0);
	assert_int_equal(served(b, n).err, ERR_OK);
	assert_int_equal(line_length(b->hall.line), 0);
	tally_read(line_tally(b->hall.line), &stats);
	assert_int_equal(stats.batches, 2);
	assert_int_equal(count(b, "1"), 2500);
	assert_int_equal(
		book_int(b->db.handle, "SELECT max(reservation_id - ticket) - min(reservation_id - ticket) FROM reservations"),
		0);
}

/* Between two good tickets one that is refused in a certain way, after it had begun to write. */
static void refuse_in_the_middle(struct book *b, struct ticket_request bad, enum err means)
{
	uint64_t before = draw(b, wish(11, 2)), middle = draw(b, bad), after = draw(b, wish(12, 2));

	assert_int_equal(served(b, middle).err, means);
	assert_int_equal(outcome(b, before).err, ERR_OK);
	assert_int_equal(outcome(b, after).err, ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE ticket = %lld", (long long)middle), 0);
	assert_int_equal(count(b, "user_id IN (11, 12) AND is_active = 1"), 2);
}

static void the_trigger_refuses_one_ticket_and_not_its_neighbours(void **state)
{
	struct book *b = *state;

	done(b, wish(1, 4));
	setenv("JARI_WITHOUT", "sum", 1); /* the look beforehand is only for a kinder answer */
	refuse_in_the_middle(b, wish(13, 35), ERR_SLOT_FULL);
}

static void the_index_refuses_one_ticket_and_not_its_neighbours(void **state)
{
	struct book *b = *state;

	done(b, wish(1, 4));
	setenv("JARI_MONO_SHIFT_MS", "10000", 1);
	setenv("JARI_WITHOUT", "duplicate", 1);
	refuse_in_the_middle(b, wish(1, 4), ERR_DUPLICATE);
}

/* The control: with neither the look nor the index, the same guest gets in twice, and the check sees it. */
static void without_look_and_index_a_guest_is_booked_twice(void **state)
{
	struct book *b = *state;

	done(b, wish(1, 4));
	setenv("JARI_MONO_SHIFT_MS", "10000", 1);
	setenv("JARI_WITHOUT", "duplicate", 1);
	book_exec(b->db.handle, "DROP INDEX reservations_person; DROP TRIGGER reservations_no_replace");
	assert_int_equal(done(b, wish(1, 4)).err, ERR_OK);
	assert_int_equal(count(b, "user_id = 1 AND is_active = 1"), 2);
	b->damaged = true;
}

/* The control: with neither the sum nor the trigger, the slot is overbooked. */
static void without_sum_and_trigger_a_slot_is_overbooked(void **state)
{
	struct book *b = *state;

	setenv("JARI_WITHOUT", "sum", 1);
	book_exec(b->db.handle, "DROP TRIGGER reservations_insert");
	assert_int_equal(done(b, wish(1, 30)).err, ERR_OK);
	assert_int_equal(done(b, wish(2, 30)).err, ERR_OK);
	b->damaged = true;
}

static void a_ticket_that_breaks_a_rule_of_the_book_ends_alone(void **state)
{
	struct book *b = *state;
	struct ticket_request bad = wish(13, 2);

	bad.u.book.type = TICKET_PREPAY;
	bad.u.book.item_count = 1;
	bad.u.book.items[0] = (struct ticket_item){.menu_id = 1, .quantity = 5000, .unit_price = 11000}; /* CHECK: up to 1000 */
	strcpy(bad.u.book.time, "19:00"); /* its slot would be new */
	refuse_in_the_middle(b, bad, ERR_INTERNAL);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM restaurant_reservation_slots"), 1);
}

static void a_slot_that_went_with_a_refused_ticket_is_made_again(void **state)
{
	struct book *b = *state;
	struct ticket_request bad = wish(1, 2);
	uint64_t first, second;

	bad.u.book.item_count = 1;
	bad.u.book.items[0] = (struct ticket_item){.menu_id = 1, .quantity = 5000, .unit_price = 1};
	first = draw(b, bad); /* it would have been the first of its slot */
	second = draw(b, wish(2, 2));
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	assert_int_equal(outcome(b, first).err, ERR_INTERNAL);
	assert_int_equal(outcome(b, second).err, ERR_OK);
	assert_int_equal(count(b, "slot_id = (SELECT slot_id FROM restaurant_reservation_slots WHERE slot_time = '18:00')"), 1);
}

static void what_was_ordered_is_kept_at_the_price_of_the_moment(void **state)
{
	struct book *b = *state;
	struct ticket_request r = wish(1, 2);
	int64_t id;

	r.u.book.type = TICKET_PREPAY;
	r.u.book.deposit = 0;
	r.u.book.prepay = 2 * 11000 + 28000;
	r.u.book.item_count = 2;
	r.u.book.items[0] = (struct ticket_item){.menu_id = 1, .quantity = 2, .unit_price = 11000};
	r.u.book.items[1] = (struct ticket_item){.menu_id = 4, .quantity = 1, .unit_price = 28000};
	strcpy(r.u.book.message, "창가 자리");
	id = done(b, r).id;
	book_exec(b->db.handle, "UPDATE menus SET price = 1, name = 'x'");
	assert_int_equal(book_int(b->db.handle,
				  "SELECT sum(line_amount) FROM reservation_menu_items WHERE reservation_id = %lld",
				  (long long)id),
			 50000);
	assert_int_equal(
		count(b, "total_amount = 50000 AND reservation_type = 'PREORDER_PREPAY' AND request_message = '창가 자리'"), 1);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservation_menu_items WHERE menu_name = 'x'"), 0);
}

static void each_party_gets_the_smallest_table_that_is_free(void **state)
{
	struct book *b = *state;
	uint64_t n[6];
	static const int parties[] = {2, 4, 2, 3, 5, 6};

	book_exec(b->db.handle, "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max) VALUES"
				" (1, 1, 'A', 1, 2), (2, 1, 'B', 1, 4), (3, 1, 'C', 1, 4), (4, 1, 'D', 3, 6)");
	for (size_t i = 0; i < COUNT(parties); i++)
		n[i] = draw(b, wish((int64_t)i + 1, parties[i]));
	batch_serve(&b->db, 1000);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(outcome(b, n[i]).err, ERR_OK);
	assert_int_equal(outcome(b, n[4]).err, ERR_SLOT_FULL); /* seats there are, but no table */
	assert_int_equal(outcome(b, n[5]).err, ERR_SLOT_FULL);
	assert_int_equal(count(b, "table_id = user_id"), 4); /* 2 at A, 4 at B; then A is gone, then B and C */
}

static void whoever_left_or_was_forgotten_is_not_in_the_book(void **state)
{
	struct book *b = *state;
	uint64_t left = draw(b, wish(1, 2)), forgotten = draw(b, wish(2, 2)), here;

	assert_true(line_leave(b->hall.line, left));
	line_detach(b->hall.line, forgotten);
	setenv("JARI_MONO_SHIFT_MS", "60001", 1);
	here = draw(b, wish(3, 2));
	assert_int_equal(served(b, here).err, ERR_OK);
	assert_int_equal(outcome(b, forgotten).err, ERR_ABANDONED);
	assert_int_equal(count(b, "1"), 1);
}

/* ---- holds, cancels, keys ---- */

static void due_holds_give_their_seats_to_the_batch_that_finds_them(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;

	book_slot(h, 1, DAY, TIME, SEATS);
	book_reservation(h, 1, 1, 1, 20, "TEMPORARY", "2031-05-06T03:00:00Z"); /* due this second */
	book_reservation(h, 2, 1, 2, 16, "TEMPORARY", "2031-05-06T03:05:00Z");
	assert_int_equal(done(b, wish(1, 24)).err, ERR_OK); /* not their own duplicate either */
	assert_int_equal(done(b, wish(3, 1)).err, ERR_SLOT_FULL);
	assert_int_equal(count(b, "reservation_id = 1 AND status = 'EXPIRED'"), 1);
	assert_int_equal(count(b, "reservation_id = 2 AND status = 'TEMPORARY'"), 1);
	stand_at("2031-05-06T03:05:01Z");
	assert_int_equal(done(b, wish(3, 16)).err, ERR_OK);
}

static void a_second_booking_of_a_guest_is_a_duplicate_of_his_first(void **state)
{
	struct book *b = *state;
	int64_t id = done(b, wish(1, 2)).id;
	struct ticket_outcome again;

	setenv("JARI_MONO_SHIFT_MS", "10000", 1); /* past the guest's lock: the book decides */
	again = done(b, wish(1, 4));
	assert_int_equal(again.err, ERR_DUPLICATE);
	assert_int_equal(again.id, id);
}

static void whoever_has_the_slot_hears_so_although_it_is_full(void **state)
{
	struct book *b = *state;
	int64_t id = done(b, wish(1, SEATS)).id;
	uint64_t again, other;

	setenv("JARI_MONO_SHIFT_MS", "10000", 1); /* past the guest's lock */
	again = draw(b, wish(1, 2));
	other = draw(b, wish(2, 2));
	assert_int_equal(served(b, again).err, ERR_DUPLICATE);
	assert_int_equal(outcome(b, again).id, id);
	assert_int_equal(outcome(b, other).err, ERR_SLOT_FULL);
}

static void a_login_that_has_ended_books_nothing(void **state)
{
	struct book *b = *state;
	struct ticket_request old = wish(1, 2);
	uint64_t n[5];

	book_exec(b->db.handle, "UPDATE users SET is_blocked = 1 WHERE user_id = 2");
	book_exec(b->db.handle, "UPDATE users SET erased_at = '2031-05-06T02:00:00Z' WHERE user_id = 3");
	old.u.book.token_version = 2;
	n[0] = draw(b, old);
	n[1] = draw(b, wish(2, 2));
	n[2] = draw(b, wish(3, 2));
	n[3] = draw(b, wish(GUESTS + 1, 2)); /* nobody's */
	n[4] = draw(b, wish(4, 2));
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	for (int i = 0; i < 4; i++)
		assert_int_equal(outcome(b, n[i]).err, ERR_UNAUTHORIZED);
	assert_int_equal(outcome(b, n[4]).err, ERR_OK);
	assert_int_equal(count(b, "1"), 1);
}

/* Somebody who has never been here: -1, -2 ... tell one from the other. */
static struct ticket_request newcomer(int64_t number, int party)
{
	struct ticket_request r = wish(number, party);

	snprintf(r.u.book.key, sizeof r.u.book.key, "key%lld", (long long)number);
	snprintf(r.u.book.guest.name, sizeof r.u.book.guest.name, "New %lld", (long long)-number);
	strcpy(r.u.book.guest.phone, "01055556666");
	r.u.book.token_version = 0;
	return r;
}

static int64_t newcomers(struct book *b)
{
	return book_int(b->db.handle, "SELECT count(*) FROM users WHERE name LIKE 'New %%'");
}

static void a_newcomer_is_written_with_his_booking(void **state)
{
	struct book *b = *state;
	uint64_t n[3] = {draw(b, newcomer(-1, 4)), draw(b, newcomer(-2, SEATS)), draw(b, newcomer(-3, 4))};

	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	assert_int_equal(outcome(b, n[0]).err, ERR_OK);
	assert_int_equal(outcome(b, n[1]).err, ERR_SLOT_FULL);
	assert_int_equal(outcome(b, n[2]).err, ERR_OK);
	assert_int_equal(newcomers(b), 2); /* who got no seats left no trace */
	assert_int_equal(count(b, "user_id = (SELECT user_id FROM users WHERE name = 'New 1' AND phone = '01055556666')"), 1);
	assert_int_equal(outcome(b, n[0]).user_id, book_int(b->db.handle, "SELECT user_id FROM users WHERE name = 'New 1'"));
	assert_int_equal(count(b, "changed_by = 'user:' || user_id"), 2);
}

static void a_newcomer_whom_the_book_refuses_is_not_in_it(void **state)
{
	struct book *b = *state;

	book_exec(b->db.handle, "CREATE TEMP TRIGGER no BEFORE INSERT ON reservations BEGIN"
				" SELECT RAISE(ABORT, 'SLOT_FULL: the last word'); END");
	assert_int_equal(done(b, newcomer(-1, 4)).err, ERR_SLOT_FULL);
	assert_int_equal(newcomers(b), 0);
}

static void a_newcomers_key_is_known_again(void **state)
{
	struct book *b = *state;
	int64_t id = done(b, newcomer(-1, 4)).id;
	struct ticket_outcome again;

	setenv("JARI_MONO_SHIFT_MS", "3600000", 1); /* the line has forgotten */
	again = done(b, newcomer(-1, 4));
	assert_int_equal(again.err, ERR_OK);
	assert_int_equal(again.id, id);
	assert_int_equal(newcomers(b), 1);
	assert_int_equal(count(b, "1"), 1);
}

static void a_batch_leaves_its_mark_by_the_door(void **state)
{
	struct book *b = *state;
	struct ticket_request ten = wish(1, 10), eleven = wish(1, 11);

	assert_false(hint_for(b->hall.hint, &ten.u.book));
	done(b, wish(1, 30));
	assert_true(hint_for(b->hall.hint, &ten.u.book));
	assert_false(hint_for(b->hall.hint, &eleven.u.book));
	assert_int_equal(done(b, wish(2, 12)).err, ERR_SLOT_FULL);
	assert_true(hint_for(b->hall.hint, &ten.u.book));
	done(b, wish(3, 1));
	assert_false(hint_for(b->hall.hint, &ten.u.book));
}

static void cancel_and_book_again_in_one_batch(void **state)
{
	struct book *b = *state;
	int64_t first = done(b, wish(1, 40)).id;
	uint64_t cancel, other, again;

	cancel = draw(b, move(first, MOVE_CANCEL, BY_GUEST));
	other = draw(b, wish(2, 4));
	setenv("JARI_MONO_SHIFT_MS", "10000", 1);
	again = draw(b, wish(1, 36));
	assert_int_equal(served(b, cancel).err, ERR_OK);
	assert_int_equal(outcome(b, other).err, ERR_OK);
	assert_int_equal(outcome(b, again).err, ERR_OK);
	assert_int_equal(count(b, "user_id = 1"), 2);
	assert_int_equal(count(b, "is_active = 1"), 2);
}

static void a_cancel_unlocks_its_guest_before_he_hears_of_it(void **state)
{
	struct book *b = *state;
	struct ticket_request r = wish(1, 2);
	uint64_t n;
	int64_t id = done(b, r).id;

	assert_int_equal(line_find(b->hall.line, &r, &n), ERR_DUPLICATE);
	assert_int_equal(done(b, move(id, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
	assert_int_equal(line_find(b->hall.line, &r, &n), ERR_OK);
	assert_int_equal(n, 0);
	assert_int_equal(done(b, r).err, ERR_OK);
}

static void a_key_names_one_reservation_for_ever(void **state)
{
	struct book *b = *state;
	struct ticket_request r = wish(1, 2), other;
	const struct restaurant_day *day;
	struct ticket_outcome o;
	struct date date;
	int64_t id;

	strcpy(r.u.book.key, "key-1");
	id = done(b, r).id;
	setenv("JARI_MONO_SHIFT_MS", "3600000", 1); /* the line has forgotten */
	o = done(b, r);
	assert_int_equal(o.err, ERR_OK);
	assert_int_equal(o.id, id);
	assert_true(text_date(DAY, &date));
	assert_int_equal(restaurants_kept(&b->db, 1, date, &day), ERR_OK);
	assert_int_equal(db_read_begin(&b->db), ERR_OK);
	assert_int_equal(booking_precheck(&b->db, day, &r.u.book, clock_now_s(), &o), ERR_OK);
	db_read_end(&b->db);
	assert_int_equal(o.id, id);
	done(b, move(id, MOVE_CANCEL, BY_GUEST));
	assert_int_equal(done(b, r).id, id); /* also when it is cancelled: the request was carried out */
	other = r;
	other.u.book.party = 3;
	setenv("JARI_MONO_SHIFT_MS", "7200000", 1);
	assert_int_equal(done(b, other).err, ERR_KEY_REUSED);
	other = r;
	other.u.book.user_id = 2; /* keys are each guest's own */
	assert_int_equal(done(b, other).err, ERR_OK);
	assert_int_equal(count(b, "1"), 2);
}

static void a_key_whose_reservation_is_cancelled_is_for_the_book_to_answer(void **state)
{
	struct book *b = *state;
	struct ticket_request r = wish(1, 2);
	uint64_t n;
	int64_t id;

	strcpy(r.u.book.key, "key-2");
	id = done(b, r).id;
	assert_int_equal(line_find(b->hall.line, &r, &n), ERR_OK);
	assert_true(n > 0);
	done(b, move(id, MOVE_CANCEL, BY_GUEST));
	assert_int_equal(line_find(b->hall.line, &r, &n), ERR_OK);
	assert_int_equal(n, 0);
	assert_int_equal(done(b, r).made_s, 0); /* not made anew, and not told as if it were */
}

static void a_fault_is_told_once_and_the_key_may_try_again(void **state)
{
	struct book *b = *state;
	struct ticket_request r = wish(1, 2);
	uint64_t n, again, cursor = 0;

	strcpy(r.u.book.key, "key-3");
	n = draw(b, r);
	assert_non_null(line_take(b->hall.line, &cursor, n + 1, &again));
	line_publish(b->hall.line, n, &(struct ticket_outcome){.err = ERR_BOOK_UNWRITABLE});
	line_advance(b->hall.line, n + 1, 1, 100);
	assert_int_equal(line_find(b->hall.line, &r, &again), ERR_OK);
	assert_int_equal(again, n);
	line_collected(b->hall.line, n);
	assert_int_equal(done(b, r).err, ERR_OK);
	assert_int_equal(count(b, "1"), 1);
}

static void another_systems_code_does_not_stop_the_book(void **state)
{
	struct book *b = *state;
	struct ticket_outcome o;

	done(b, wish(1, 2));
	book_exec(b->db.handle, "UPDATE reservations SET reservation_code = 'R20310506-0002'");
	o = done(b, wish(2, 2));
	assert_int_equal(o.err, ERR_OK);
	assert_string_not_equal(o.code, "R20310506-0002");
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE reservation_code = '%s'", o.code), 1);
	assert_int_equal(done(b, wish(3, 2)).err, ERR_OK);
}

/* ---- money ---- */

static int64_t money(struct book *b, const char *what)
{
	return book_int(b->db.handle, "SELECT ifnull(sum(%s), 0) FROM payments", what);
}

static void a_confirmed_hold_is_paid_once_however_often_it_is_said(void **state)
{
	struct book *b = *state;
	int64_t id = done(b, wish(1, 4)).id;

	assert_int_equal(done(b, move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	assert_int_equal(done(b, move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	assert_int_equal(count(b, "status = 'CONFIRMED'"), 1);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM payments"), 1);
	assert_int_equal(money(b, "amount"), 20000);
	assert_int_equal(money(b, "kept_amount"), 20000);
	stand_at("2031-05-06T05:00:00Z"); /* long past the end of the hold it was */
	done(b, wish(2, 2));
	assert_int_equal(count(b, "status = 'CONFIRMED'"), 1);
}

static void nothing_due_is_confirmed_at_once(void **state)
{
	struct book *b = *state;
	struct ticket_request r = wish(1, 4);
	struct ticket_outcome o;

	r.u.book.deposit = 0;
	o = done(b, r);
	assert_int_equal(o.hold_until_s, 0);
	assert_int_equal(count(b, "status = 'CONFIRMED' AND hold_expires_at IS NULL"), 1);
	assert_int_equal(done(b, move(o.id, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM payments"), 0);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservation_cancellations WHERE canceled_by = 'GUEST'"
						" AND refund_amount = 0 AND reason = 'because'"),
			 1);
}

static void a_prepaid_order_becomes_prepay_confirm(void **state)
{
	struct book *b = *state;
	struct ticket_request r = wish(1, 2);

	r.u.book.type = TICKET_PREPAY;
	r.u.book.deposit = 0;
	r.u.book.prepay = 13000;
	r.u.book.item_count = 1;
	r.u.book.items[0] = (struct ticket_item){.menu_id = 2, .quantity = 1, .unit_price = 13000};
	assert_int_equal(done(b, move(done(b, r).id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	assert_int_equal(count(b, "status = 'PREPAY_CONFIRM'"), 1);
	assert_int_equal(money(b, "amount"), 13000);
}

/* Pays 20,000 for four, then somebody cancels at a moment; what goes back. */
static int64_t back(struct book *b, int64_t user, enum ticket_by by, const char *when)
{
	int64_t before = money(b, "due_back_amount"), id;

	stand_at("2031-05-05T03:00:00Z");
	id = done(b, wish(user, 4)).id;
	assert_int_equal(done(b, move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	stand_at(when);
	assert_int_equal(done(b, move(id, MOVE_CANCEL, by)).err, ERR_OK);
	assert_int_equal(done(b, move(id, MOVE_CANCEL, by)).err, ERR_OK); /* said twice: it is so, and once */
	assert_int_equal(book_int(b->db.handle,
				  "SELECT count(*) FROM reservations WHERE reservation_id = %lld AND status = 'CANCELED'",
				  (long long)id),
			 1);
	return money(b, "due_back_amount") - before;
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
	assert_int_equal(money(b, "amount"), 6 * 20000);
	assert_int_equal(money(b, "kept_amount + refunded_amount + due_back_amount"), 6 * 20000);
	assert_int_equal(count(b, "is_active = 1"), 0);
	assert_int_equal(book_int(b->db.handle, "SELECT sum(refund_amount) FROM reservation_cancellations"), 64000);
}

static void what_is_over_cannot_be_cancelled_or_confirmed(void **state)
{
	struct book *b = *state;
	int64_t id = done(b, wish(1, 2)).id;

	done(b, move(id, MOVE_CANCEL, BY_GUEST));
	assert_int_equal(done(b, move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_BAD_MOVE);
	assert_int_equal(done(b, move(4711, MOVE_CANCEL, BY_GUEST)).err, ERR_NO_SUCH_RESERVATION);
	id = done(b, wish(2, 2)).id;
	stand_at("2031-05-06T03:10:00Z");
	assert_int_equal(done(b, move(id, MOVE_CANCEL, BY_GUEST)).err, ERR_BAD_MOVE); /* the hold has expired by itself */
	assert_int_equal(count(b, "status = 'EXPIRED'"), 1);
}

static void a_late_payment_finds_its_seats_still_free(void **state)
{
	struct book *b = *state;
	int64_t id = done(b, wish(1, 30)).id;

	stand_at("2031-05-06T03:10:00Z");
	done(b, wish(2, 10));
	assert_int_equal(count(b, "status = 'EXPIRED'"), 1);
	assert_int_equal(done(b, move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	assert_int_equal(count(b, "status = 'CONFIRMED'"), 1);
	assert_int_equal(money(b, "kept_amount"), 150000);
}

static void a_late_payment_whose_seats_are_gone_is_due_back(void **state)
{
	struct book *b = *state;
	int64_t id = done(b, wish(1, 30)).id;
	uint64_t neighbour, late;

	stand_at("2031-05-06T03:10:00Z");
	done(b, wish(2, 30));
	neighbour = draw(b, wish(3, 2));
	late = draw(b, move(id, MOVE_CONFIRM, BY_RESTAURANT));
	assert_int_equal(served(b, late).err, ERR_SLOT_FULL);
	assert_int_equal(outcome(b, neighbour).err, ERR_OK);
	assert_int_equal(count(b, "status = 'EXPIRED'"), 1);
	assert_int_equal(money(b, "kept_amount"), 0);
	assert_int_equal(money(b, "due_back_amount"), 150000);
	assert_int_equal(done(b, move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_SLOT_FULL);
	assert_int_equal(money(b, "due_back_amount"), 150000); /* said twice, owed once */
}

/* A hold of four whose time has run out, in a restaurant with these tables; table 1 has gone to somebody else since. */
static int64_t lost_its_table(struct book *b, const char *tables)
{
	int64_t id;

	book_exec(b->db.handle, "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max) VALUES %s",
		  tables);
	id = done(b, wish(1, 4)).id;
	assert_int_equal(count(b, "user_id = 1 AND table_id = 1"), 1);
	stand_at("2031-05-06T03:10:00Z");
	assert_int_equal(done(b, wish(2, 4)).err, ERR_OK);
	assert_int_equal(count(b, "user_id = 2 AND table_id = 1 AND is_active = 1"), 1);
	return id;
}

static void a_late_payment_whose_table_is_gone_gets_another_that_fits(void **state)
{
	struct book *b = *state;
	int64_t id = lost_its_table(b, "(1, 1, 'A', 1, 4), (2, 1, 'B', 1, 2), (3, 1, 'C', 1, 6)");

	assert_int_equal(done(b, move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	assert_int_equal(count(b, "user_id = 1 AND status = 'CONFIRMED' AND table_id = 3"), 1); /* B is too small */
	assert_int_equal(count(b, "user_id = 2 AND table_id = 1 AND is_active = 1"), 1);
	assert_int_equal(money(b, "kept_amount"), 20000);
	assert_int_equal(money(b, "due_back_amount"), 0);
}

static void a_late_payment_without_any_table_left_is_due_back(void **state)
{
	struct book *b = *state;
	int64_t id = lost_its_table(b, "(1, 1, 'A', 1, 4), (2, 1, 'B', 1, 2)");

	/* Seats there are, and a table, but none for four. */
	assert_int_equal(done(b, move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_SLOT_FULL);
	assert_int_equal(count(b, "user_id = 1 AND status = 'EXPIRED' AND table_id = 1"), 1);
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
	assert_int_equal(done(b, move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	assert_int_equal(count(b, "user_id = 1 AND status = 'CONFIRMED' AND table_id IS NULL"), 1);
	assert_int_equal(money(b, "kept_amount"), 20000);
}

/* ---- kills ---- */

struct batch_of_12 {
	struct book *b;
	const char *failpoint;
	int checkpoint_at; /* pages; 0: as many as always */
	uint64_t n[12];
};

/* Twelve parties of four, of which ten fit; then whatever the failpoint says. */
static int serve_and_die(void *arg)
{
	struct batch_of_12 *p = arg;

	if (db_open(&p->b->db, p->b->dir, &p->b->hall) != ERR_OK || batch_prepare(&p->b->db) != ERR_OK)
		return 1;
	for (int i = 0; i < 12; i++) {
		struct ticket_request r = wish(i + 10, 4);

		if (line_draw(p->b->hall.line, &r, &p->n[i]) != ERR_OK)
			return 2;
	}
	if (p->checkpoint_at)
		p->b->db.checkpoint_at = p->checkpoint_at;
	setenv("JARI_FAILPOINT", p->failpoint, 1);
	batch_serve(&p->b->db, 1000);
	return 3;
}

static void a_holder_killed_at(struct book *b, const char *failpoint, int rows_left)
{
	struct batch_of_12 *p = kid_share(sizeof *p);

	p->b = b;
	p->failpoint = failpoint;
	assert_int_equal(kid_run(serve_and_die, p), KID_KILLED + SIGKILL);
	book_open(b);
	assert_int_equal(count(b, "1"), rows_left);
	/* A newcomer must not get in front of those who were being served. */
	assert_int_equal(done(b, wish(99, 4)).err, ERR_SLOT_FULL);
	for (int i = 0; i < 12; i++) {
		struct ticket_outcome o = outcome(b, p->n[i]);

		assert_int_equal(o.err, i < 10 ? ERR_OK : ERR_SLOT_FULL);
		if (i < 10)
			assert_int_equal(book_int(b->db.handle, "SELECT reservation_id FROM reservations WHERE ticket = %lld",
						  (long long)p->n[i]),
					 o.id);
	}
	assert_int_equal(count(b, "1"), 10);
	assert_int_equal(line_length(b->hall.line), 0);
	assert_int_equal(line_suspect(b->hall.line), 0);
	assert_int_equal(pen_holder(b->hall.pen), 0);
	kid_unshare(p, sizeof *p);
}

struct two_moves {
	struct book *b;
	int64_t id;
	uint64_t n[2];
};

static int move_twice_and_die(void *arg)
{
	struct two_moves *p = arg;
	struct ticket_request confirm = move(p->id, MOVE_CONFIRM, BY_RESTAURANT),
			      cancel = move(p->id, MOVE_CANCEL, BY_RESTAURANT);

	if (db_open(&p->b->db, p->b->dir, &p->b->hall) != ERR_OK || line_draw(p->b->hall.line, &confirm, &p->n[0]) != ERR_OK ||
	    line_draw(p->b->hall.line, &cancel, &p->n[1]) != ERR_OK)
		return 1;
	setenv("JARI_FAILPOINT", "batch.committed:kill:1", 1);
	batch_serve(&p->b->db, 1000);
	return 3;
}

static void moves_that_were_committed_are_recognised(void **state)
{
	struct book *b = *state;
	struct two_moves *p = kid_share(sizeof *p);

	book_open(b);
	assert_int_equal(batch_prepare(&b->db), ERR_OK);
	p->b = b;
	p->id = done(b, wish(1, 2)).id;
	book_close(b);
	assert_int_equal(kid_run(move_twice_and_die, p), KID_KILLED + SIGKILL);
	book_open(b);
	assert_int_equal(served(b, p->n[0]).err, ERR_OK); /* not BAD_MOVE: it was carried out */
	assert_int_equal(outcome(b, p->n[1]).err, ERR_OK);
	assert_int_equal(money(b, "due_back_amount"), 10000);
	kid_unshare(p, sizeof *p);
}

static void a_holder_killed_after_begin_has_written_nothing(void **state)
{
	a_holder_killed_at(*state, "batch.begun:kill:1", 0);
}

static void a_holder_killed_among_his_tickets_has_written_nothing(void **state)
{
	a_holder_killed_at(*state, "batch.written:kill:6", 0);
}

static void a_holder_killed_before_the_commit_has_written_nothing(void **state)
{
	a_holder_killed_at(*state, "batch.before_commit:kill:1", 0);
}

static void a_commit_that_landed_is_recognised_and_not_a_duplicate(void **state)
{
	a_holder_killed_at(*state, "batch.committed:kill:1", 10);
}

static void a_holder_killed_while_he_tells_the_outcomes_told_the_truth(void **state)
{
	a_holder_killed_at(*state, "batch.published:kill:5", 10);
}

/* A checkpoint may take long on a slow card: nobody waits for it. */
static void everybody_has_his_answer_before_the_checkpoint(void **state)
{
	struct book *b = *state;
	struct batch_of_12 *p = kid_share(sizeof *p);
	int status;
	pid_t kid;

	p->b = b;
	p->failpoint = "db.checkpoint:stop:1";
	p->checkpoint_at = 1;
	kid = kid_start(serve_and_die, p);
	assert_int_equal(waitpid(kid, &status, WUNTRACED), kid);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(pen_holder(b->hall.pen), kid);
	assert_int_equal(board_get(b->hall.board, BOARD_checkpoints), 0);
	for (int i = 0; i < 12; i++)
		assert_int_equal(outcome(b, p->n[i]).err, i < 10 ? ERR_OK : ERR_SLOT_FULL);
	kid_kill(kid);
	kid_unshare(p, sizeof *p);
}

/* The log's file of this process, with a flush that fails. */
static struct {
	const sqlite3_io_methods *real;
	sqlite3_io_methods ours;
} log_file;

static int fail_sync(sqlite3_file *f, int flags)
{
	(void)f;
	(void)flags;
	return SQLITE_IOERR_FSYNC;
}

static int serve_with_a_failing_flush(void *arg)
{
	struct batch_of_12 *p = arg;
	struct db *db = &p->b->db;
	struct ticket_request r;
	struct ticket_outcome o;
	sqlite3_file *file = NULL;

	if (db_open(db, p->b->dir, &p->b->hall) != ERR_OK || batch_prepare(db) != ERR_OK)
		return 1;
	r = wish(9, 4);
	if (through(db, &r, 1000, &o) != ERR_OK) /* the log is open from here on */
		return 2;
	sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
	log_file.real = file->pMethods;
	log_file.ours = *log_file.real;
	log_file.ours.xSync = fail_sync;
	file->pMethods = &log_file.ours;
	for (int i = 0; i < 12; i++) {
		r = wish(i + 10, 4);
		if (line_draw(p->b->hall.line, &r, &p->n[i]) != ERR_OK)
			return 3;
	}
	if (batch_serve(db, 1000) != ERR_UNKNOWN || !db_poisoned(db))
		return 4;
	for (int i = 0; i < 12; i++) /* nobody is told anything */
		if (line_look(p->b->hall.line, p->n[i], &o) != LINE_RUNNING)
			return 5;
	return 0;
}

static void a_commit_of_unknown_end_is_looked_up_by_a_fresh_process(void **state)
{
	struct book *b = *state;
	struct batch_of_12 *p = kid_share(sizeof *p);

	p->b = b;
	assert_int_equal(kid_run(serve_with_a_failing_flush, p), 0);
	book_open(b);
	assert_int_equal(count(b, "1"), 10); /* it had landed, nine of the twelve */
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	for (int i = 0; i < 12; i++)
		assert_int_equal(outcome(b, p->n[i]).err, i < 9 ? ERR_OK : ERR_SLOT_FULL);
	assert_int_equal(count(b, "1"), 10);
	kid_unshare(p, sizeof *p);
}

static void a_suspect_who_is_in_the_book_is_not_told_that_nothing_could_be_saved(void **state)
{
	struct book *b = *state;
	struct batch_of_12 *p = kid_share(sizeof *p);
	uint64_t late;

	p->b = b;
	p->failpoint = "batch.committed:kill:1";
	assert_int_equal(kid_run(serve_and_die, p), KID_KILLED + SIGKILL);
	book_open(b);
	late = draw(b, wish(50, 4));
	book_exec(b->db.handle, "PRAGMA query_only=1");
	assert_int_equal(batch_serve(&b->db, 1000), ERR_BOOK_UNWRITABLE);
	for (int i = 0; i < 12; i++)
		assert_int_equal(outcome(b, p->n[i]).err, i < 10 ? ERR_OK : ERR_BOOK_UNWRITABLE);
	assert_int_equal(outcome(b, late).err, ERR_BOOK_UNWRITABLE);
	book_exec(b->db.handle, "PRAGMA query_only=0");
	assert_int_equal(count(b, "1"), 10);
	kid_unshare(p, sizeof *p);
}

struct logout_and_move {
	struct book *b;
	int64_t id;
	uint64_t logout, move;
};

static int log_out_and_confirm_and_die(void *arg)
{
	struct logout_and_move *p = arg;
	struct ticket_request confirm = move(p->id, MOVE_CONFIRM, BY_RESTAURANT);
	struct ticket_request logout = {.kind = TICKET_LOGOUT, .u.logout = {.card_id = 4711, .user_id = 1}};

	if (db_open(&p->b->db, p->b->dir, &p->b->hall) != ERR_OK || line_draw(p->b->hall.line, &logout, &p->logout) != ERR_OK ||
	    line_draw(p->b->hall.line, &confirm, &p->move) != ERR_OK)
		return 1;
	setenv("JARI_FAILPOINT", "batch.committed:kill:1", 1);
	batch_serve(&p->b->db, 1000);
	return 2;
}

static void nor_is_a_logout_or_a_move_that_is_in_the_book(void **state)
{
	struct book *b = *state;
	struct logout_and_move *p = kid_share(sizeof *p);

	book_open(b);
	assert_int_equal(batch_prepare(&b->db), ERR_OK);
	p->b = b;
	p->id = done(b, wish(1, 2)).id;
	db_close(&b->db);
	assert_int_equal(kid_run(log_out_and_confirm_and_die, p), KID_KILLED + SIGKILL);
	book_open(b);
	book_exec(b->db.handle, "PRAGMA query_only=1");
	assert_int_equal(batch_serve(&b->db, 1000), ERR_BOOK_UNWRITABLE);
	assert_int_equal(outcome(b, p->logout).err, ERR_OK);
	assert_int_equal(outcome(b, p->logout).id, 4711);
	assert_int_equal(outcome(b, p->move).err, ERR_OK);
	assert_int_equal(outcome(b, p->move).id, p->id);
	book_exec(b->db.handle, "PRAGMA query_only=0");
	kid_unshare(p, sizeof *p);
}

/* The third ticket takes more than a quarter of a second: the first three are committed and told. */
static void a_batch_that_takes_too_long_passes_the_pen_on(void **state)
{
	struct book *b = *state;
	uint64_t n[10];
	int told = 0;

	for (size_t i = 0; i < COUNT(n); i++)
		n[i] = draw(b, wish((int64_t)i + 1, 2));
	setenv("JARI_FAILPOINT", "batch.written:sleep300:3", 1);
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	unsetenv("JARI_FAILPOINT");
	for (size_t i = 0; i < COUNT(n); i++) {
		struct ticket_outcome o;
		enum line_state now = line_look(b->hall.line, n[i], &o);

		assert_int_equal(now, told == (int)i && now == LINE_DONE ? LINE_DONE : LINE_QUEUED); /* the first of them */
		told += now == LINE_DONE;
	}
	assert_int_equal(told, 3);
	assert_int_equal(count(b, "1"), told);
	assert_int_equal(line_length(b->hall.line), 10 - told);
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	for (size_t i = 0; i < COUNT(n); i++)
		assert_int_equal(outcome(b, n[i]).err, ERR_OK);
}

/* ---- a book that cannot be written ---- */

static void a_full_disk_is_told_to_everybody_in_the_batch(void **state)
{
	struct book *b = *state;
	uint64_t n[300];

	book_exec(b->db.handle, "PRAGMA max_page_count=%lld", (long long)book_int(b->db.handle, "PRAGMA page_count"));
	for (size_t i = 0; i < COUNT(n); i++) {
		struct ticket_request r = wish((int64_t)i + 1, 1);

		r.u.book.capacity = 1000;
		n[i] = draw(b, r);
	}
	assert_int_equal(batch_serve(&b->db, 1000), ERR_BOOK_UNWRITABLE);
	for (size_t i = 0; i < COUNT(n); i++)
		assert_int_equal(outcome(b, n[i]).err, ERR_BOOK_UNWRITABLE);
	assert_int_equal(count(b, "1"), 0);
	assert_int_equal(line_length(b->hall.line), 0);
	book_exec(b->db.handle, "PRAGMA max_page_count=100000"); /* somebody made room */
	assert_int_equal(done(b, wish(1, 2)).err, ERR_OK);
}

static void a_book_that_takes_nothing_at_all_is_told_as_well(void **state)
{
	struct book *b = *state;
	uint64_t a = draw(b, wish(1, 2)), c = draw(b, wish(2, 2));

	book_exec(b->db.handle, "PRAGMA query_only=1"); /* the very first write of the batch fails */
	assert_int_equal(batch_serve(&b->db, 1000), ERR_BOOK_UNWRITABLE);
	assert_int_equal(outcome(b, a).err, ERR_BOOK_UNWRITABLE);
	assert_int_equal(outcome(b, c).err, ERR_BOOK_UNWRITABLE);
	assert_int_equal(line_length(b->hall.line), 0);
	book_exec(b->db.handle, "PRAGMA query_only=0");
	assert_int_equal(done(b, wish(1, 2)).err, ERR_OK);
}

static int hold_sqlite_lock(void *arg)
{
	sqlite3 *plain = NULL;

	sqlite3_open(((struct book *)arg)->path, &plain);
	if (sqlite3_exec(plain, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
		return 1;
	atomic_store(&talk->ready, 1);
	kid_wait(&talk->go);
	return 0; /* with its process go its locks */
}

static void whoever_finds_the_book_busy_keeps_his_place(void **state)
{
	struct book *b = *state;
	pid_t kid = kid_start(hold_sqlite_lock, b);
	struct ticket_outcome o;
	uint64_t n[3];

	assert_true(kid_wait(&talk->ready));
	book_open(b);
	assert_int_equal(batch_prepare(&b->db), ERR_OK);
	for (int i = 0; i < 3; i++)
		n[i] = draw(b, wish(i + 1, 20));
	assert_int_equal(batch_serve(&b->db, 1000), ERR_BOOK_BUSY);
	for (int i = 0; i < 3; i++)
		assert_int_equal(line_look(b->hall.line, n[i], &o), LINE_QUEUED);
	assert_int_equal(pen_holder(b->hall.pen), 0);
	atomic_store(&talk->go, 1);
	assert_int_equal(kid_end(kid), 0);
	assert_int_equal(served(b, n[0]).err, ERR_OK);
	assert_int_equal(outcome(b, n[1]).err, ERR_OK);
	assert_int_equal(outcome(b, n[2]).err, ERR_SLOT_FULL);
}

struct waiter {
	struct book *b;
	uint64_t number;
	struct ticket_outcome outcome;
};

static int wait_in_line(void *arg)
{
	struct waiter *w = arg;
	struct ticket_request r = wish(1, SEATS);

	if (db_open(&w->b->db, w->b->dir, &w->b->hall) != ERR_OK || batch_prepare(&w->b->db) != ERR_OK ||
	    line_draw(w->b->hall.line, &r, &w->number) != ERR_OK)
		return 1;
	return batch_wait(&w->b->db, w->number, 8000, -1, NULL, NULL, &w->outcome) == ERR_OK ? 0 : 2;
}

static bool has_the_pen(struct book *b, pid_t pid)
{
	for (int i = 0; i < 10000; i++, clock_sleep_ms(1))
		if (pen_holder(b->hall.pen) == pid)
			return true;
	return false;
}

/* A waiter tries again and again; with the pen in hand for SQLite's two seconds each time, nobody else could write. */
static void a_foreign_writer_does_not_keep_the_pen_from_others(void **state)
{
	struct book *b = *state;
	struct waiter *w = kid_share(sizeof *w);
	pid_t foreigner = kid_start(hold_sqlite_lock, b), waiter;
	struct ticket_outcome o;
	bool inherited;
	uint64_t late;

	w->b = b;
	assert_true(kid_wait(&talk->ready));
	waiter = kid_start(wait_in_line, w);
	assert_true(has_the_pen(b, waiter));
	assert_int_equal(pen_take(b->hall.pen, 1000, &inherited), ERR_OK);
	assert_false(inherited);
	assert_int_equal(line_look(b->hall.line, w->number, &o), LINE_QUEUED);
	late = draw(b, wish(2, 4));
	pen_release(b->hall.pen);
	atomic_store(&talk->go, 1);
	assert_int_equal(kid_end(foreigner), 0);
	assert_int_equal(kid_end(waiter), 0);
	assert_int_equal(w->outcome.err, ERR_OK);
	assert_int_equal(outcome(b, late).err, ERR_SLOT_FULL); /* in the same batch, behind them */
	kid_unshare(w, sizeof *w);
}

/* ---- waiting ---- */

static void whoever_finds_the_pen_free_serves_himself_and_all_others(void **state)
{
	struct book *b = *state;
	uint64_t other = draw(b, wish(1, 2)), mine = draw(b, wish(2, 2));
	struct ticket_outcome o;

	assert_int_equal(batch_wait(&b->db, mine, 2000, -1, NULL, NULL, &o), ERR_OK);
	assert_int_equal(o.err, ERR_OK);
	assert_int_equal(outcome(b, other).err, ERR_OK);
	assert_true(outcome(b, other).id < o.id);
}

static int hold_pen(void *arg)
{
	struct book *b = arg;
	bool inherited;

	if (pen_take(b->hall.pen, 1000, &inherited) != ERR_OK)
		return 1;
	atomic_store(&talk->ready, 1);
	kid_wait(&talk->go);
	pen_release(b->hall.pen);
	return 0;
}

static bool gone(void *arg)
{
	(void)arg;
	return false;
}

static void waiting_ends_in_time_and_the_ticket_stays(void **state)
{
	struct book *b = *state;
	pid_t kid = kid_start(hold_pen, b);
	struct ticket_request r = wish(1, 2);
	struct ticket_outcome o;
	int64_t begun;
	uint64_t mine;

	assert_true(kid_wait(&talk->ready));
	book_open(b);
	assert_int_equal(batch_prepare(&b->db), ERR_OK);
	mine = draw(b, r);
	begun = clock_mono_ms();
	assert_int_equal(batch_wait(&b->db, mine, 150, -1, NULL, NULL, &o), ERR_WAITING);
	assert_in_range(clock_mono_ms() - begun, 149, 3000);
	begun = clock_mono_ms();
	assert_int_equal(batch_wait(&b->db, mine, 5000, -1, gone, NULL, &o), ERR_WAITING); /* nobody wants the answer */
	assert_true(clock_mono_ms() - begun < 4000);
	assert_int_equal(line_length(b->hall.line), 1);
	atomic_store(&talk->go, 1);
	assert_int_equal(kid_end(kid), 0);
	assert_int_equal(draw(b, r), mine); /* the same request again is the same ticket */
	assert_int_equal(batch_wait(&b->db, mine, 5000, -1, NULL, NULL, &o), ERR_OK);
	assert_int_equal(o.err, ERR_OK);
}

static void leaving_ends_the_wait(void **state)
{
	struct book *b = *state;
	struct ticket_outcome o;
	uint64_t mine = draw(b, wish(1, 2));

	line_leave(b->hall.line, mine);
	assert_int_equal(batch_wait(&b->db, mine, 1000, -1, NULL, NULL, &o), ERR_LEFT_LINE);
	assert_int_equal(batch_wait(&b->db, mine + 5, 1000, -1, NULL, NULL, &o), ERR_NO_SUCH_TICKET);
}

static void a_command_sees_its_move_through(void **state)
{
	struct book *b = *state;
	struct ticket_request r = wish(1, 2), m;
	struct ticket_outcome o;

	assert_int_equal(through(&b->db, &r, 1000, &o), ERR_OK);
	m = move(o.id, MOVE_CONFIRM, BY_RESTAURANT);
	assert_int_equal(through(&b->db, &m, 1000, &o), ERR_OK);
	m = move(4711, MOVE_CONFIRM, BY_RESTAURANT);
	assert_int_equal(through(&b->db, &m, 1000, &o), ERR_NO_SUCH_RESERVATION);
	assert_int_equal(count(b, "status = 'CONFIRMED'"), 1);
}

static void a_logout_that_the_book_refuses_takes_nobody_along(void **state)
{
	struct book *b = *state;
	struct ticket_request logout = {.kind = TICKET_LOGOUT, .u.logout = {.card_id = 4711, .user_id = 999999}};
	uint64_t before = draw(b, wish(1, 2)), theirs = draw(b, logout), after = draw(b, wish(2, 2));

	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	assert_int_equal(outcome(b, theirs).err, ERR_INTERNAL); /* there is no such user */
	assert_int_equal(outcome(b, before).err, ERR_OK);
	assert_int_equal(outcome(b, after).err, ERR_OK);
	assert_int_equal(count(b, "1"), 2);
}

static void whoever_has_a_guest_leaves_the_checkpoint_to_the_keeper(void **state)
{
	struct book *b = *state;
	struct ticket_request first = wish(1, 2), second = wish(2, 2);
	struct ticket_outcome o;
	int pages;

	assert_int_equal(through(&b->db, &first, 1000, &o), ERR_OK);
	pages = board_log_pages(b->hall.board);
	assert_true(pages > 0);
	b->db.checkpoint_at = pages; /* it is time from now on */
	assert_int_equal(through(&b->db, &second, 1000, &o), ERR_OK);
	assert_true(board_log_pages(b->hall.board) > pages);
	assert_int_equal(db_tidy(&b->db), ERR_OK);
	assert_int_equal(board_log_pages(b->hall.board), 0);
}

static void a_login_is_ended_by_a_ticket(void **state)
{
	struct book *b = *state;
	struct ticket_request one = {.kind = TICKET_LOGOUT, .u.logout = {.card_id = 4711, .user_id = 1}};
	struct ticket_request all = {.kind = TICKET_LOGOUT, .u.logout = {.user_id = 1}}; /* a token of before cards */
	struct user u;

	assert_int_equal(users_by_token(&b->db, 1, 1, 4711, &u), ERR_OK);
	assert_int_equal(done(b, one).err, ERR_OK);
	assert_int_equal(users_by_token(&b->db, 1, 1, 4711, &u), ERR_UNAUTHORIZED);
	assert_int_equal(users_by_token(&b->db, 1, 1, 4712, &u), ERR_OK); /* the other device stays logged in */
	assert_int_equal(done(b, all).err, ERR_OK);
	assert_int_equal(users_by_token(&b->db, 1, 1, 4712, &u), ERR_UNAUTHORIZED);
	assert_int_equal(users_by_token(&b->db, 1, 2, 4713, &u), ERR_OK);
}

/* The book holds a ticket of the future: numbers go on above it. */
static void tickets_are_numbered_above_those_in_the_book(void **state)
{
	struct book *b = *state;
	const int64_t future = INT64_C(4000000000000000);

	book_open(b);
	book_slot(b->db.handle, 1, DAY, TIME, SEATS);
	book_reservation(b->db.handle, 1, 1, 1, 2, "CONFIRMED", "");
	book_exec(b->db.handle, "UPDATE reservations SET ticket = %lld", (long long)future);
	assert_int_equal(batch_prepare(&b->db), ERR_OK);
	assert_int_equal(draw(b, wish(2, 2)), future + 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define TEST_CLOSED(name) cmocka_unit_test_setup_teardown(name, setup_closed, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_batch_is_served_in_the_order_of_its_tickets),
		TEST(parties_of_all_sizes_fill_the_slot_to_the_last_seat),
		TEST(a_long_line_takes_several_batches),
		TEST(the_trigger_refuses_one_ticket_and_not_its_neighbours),
		TEST(the_index_refuses_one_ticket_and_not_its_neighbours),
		TEST(without_look_and_index_a_guest_is_booked_twice),
		TEST(without_sum_and_trigger_a_slot_is_overbooked),
		TEST(a_ticket_that_breaks_a_rule_of_the_book_ends_alone),
		TEST(a_slot_that_went_with_a_refused_ticket_is_made_again),
		TEST(what_was_ordered_is_kept_at_the_price_of_the_moment),
		TEST(each_party_gets_the_smallest_table_that_is_free),
		TEST(whoever_left_or_was_forgotten_is_not_in_the_book),
		TEST(due_holds_give_their_seats_to_the_batch_that_finds_them),
		TEST(a_second_booking_of_a_guest_is_a_duplicate_of_his_first),
		TEST(whoever_has_the_slot_hears_so_although_it_is_full),
		TEST(a_login_that_has_ended_books_nothing),
		TEST(a_batch_leaves_its_mark_by_the_door),
		TEST(a_newcomer_is_written_with_his_booking),
		TEST(a_newcomer_whom_the_book_refuses_is_not_in_it),
		TEST(a_newcomers_key_is_known_again),
		TEST(cancel_and_book_again_in_one_batch),
		TEST(a_cancel_unlocks_its_guest_before_he_hears_of_it),
		TEST(a_key_names_one_reservation_for_ever),
		TEST(a_key_whose_reservation_is_cancelled_is_for_the_book_to_answer),
		TEST(a_fault_is_told_once_and_the_key_may_try_again),
		TEST(another_systems_code_does_not_stop_the_book),
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
		TEST_CLOSED(a_holder_killed_after_begin_has_written_nothing),
		TEST_CLOSED(moves_that_were_committed_are_recognised),
		TEST_CLOSED(a_holder_killed_among_his_tickets_has_written_nothing),
		TEST_CLOSED(a_holder_killed_before_the_commit_has_written_nothing),
		TEST_CLOSED(a_commit_that_landed_is_recognised_and_not_a_duplicate),
		TEST_CLOSED(a_holder_killed_while_he_tells_the_outcomes_told_the_truth),
		TEST_CLOSED(everybody_has_his_answer_before_the_checkpoint),
		TEST_CLOSED(a_commit_of_unknown_end_is_looked_up_by_a_fresh_process),
		TEST_CLOSED(a_suspect_who_is_in_the_book_is_not_told_that_nothing_could_be_saved),
		TEST_CLOSED(nor_is_a_logout_or_a_move_that_is_in_the_book),
		TEST(a_batch_that_takes_too_long_passes_the_pen_on),
		TEST(a_full_disk_is_told_to_everybody_in_the_batch),
		TEST(a_book_that_takes_nothing_at_all_is_told_as_well),
		TEST_CLOSED(whoever_finds_the_book_busy_keeps_his_place),
		TEST_CLOSED(a_foreign_writer_does_not_keep_the_pen_from_others),
		TEST(whoever_finds_the_pen_free_serves_himself_and_all_others),
		TEST_CLOSED(waiting_ends_in_time_and_the_ticket_stays),
		TEST(leaving_ends_the_wait),
		TEST(a_command_sees_its_move_through),
		TEST(a_login_is_ended_by_a_ticket),
		TEST(a_logout_that_the_book_refuses_takes_nobody_along),
		TEST(whoever_has_a_guest_leaves_the_checkpoint_to_the_keeper),
		TEST_CLOSED(tickets_are_numbered_above_those_in_the_book),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
