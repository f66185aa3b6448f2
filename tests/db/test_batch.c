/*
 * test_batch.c - the pen at work: one batch, one commit, one outcome for every ticket.
 */
#include "batch.h"

#include "booking.h"
#include "clock.h"
#include "noon.h"
#include "unit.h"

#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a batch ---- */

static void a_batch_is_served_in_the_order_of_its_tickets(void **state)
{
	struct book *b = *state;
	struct tally_read stats;
	uint64_t n[15];

	for (int i = 0; i < 15; i++)
		n[i] = noon_draw(b, noon_wish(100 - i, 4)); /* not the order of their ids */
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	for (int i = 0; i < 15; i++) {
		struct ticket_outcome o = noon_outcome(b, n[i]);

		assert_int_equal(o.err, i < 10 ? ERR_OK : ERR_SLOT_FULL);
		assert_int_equal(o.id, i < 10 ? i + 1 : 0);
		if (i < 10)
			assert_in_range(clock_now_s() + 420 - o.hold_until_s, 0, 60);
	}
	tally_read(line_tally(b->hall.line), &stats);
	assert_int_equal(stats.batches, 1);
	assert_int_equal(stats.served, 15);
	assert_int_equal(noon_count(b, "1"), 10);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservations a JOIN reservations b"
						" ON a.ticket < b.ticket AND a.reservation_id > b.reservation_id"),
			 0);
	assert_int_equal(noon_count(b, "reservation_code LIKE '____-____'"), 10);
	assert_int_equal(book_int(b->db.handle, "SELECT count(DISTINCT substr(reservation_code, 6, 3)) > 5 FROM reservations"),
			 1);
	assert_int_equal(noon_count(b, "status = 'TEMPORARY' AND hold_expires_at LIKE '2031-05-06T03:0%'"), 10);
}

/* In an opening rush most of a network are refused, and wrote nothing. */
static void who_is_refused_does_not_count(void **state)
{
	enum { NETWORK = 77 };
	struct book *b = *state;
	int retry_s, back = 0;

	while (rate_within(b->hall.rate, RATE_MADE, NETWORK, &retry_s))
		;
	for (int i = 0; i < 30; i++) {
		struct ticket_request r = noon_wish(i + 1, 4);

		r.u.book.who.network = NETWORK;
		noon_draw(b, r);
	}
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	assert_int_equal(noon_count(b, "1"), 10);
	while (rate_within(b->hall.rate, RATE_MADE, NETWORK, &retry_s))
		back++;
	assert_in_range(back, 20, 25); /* one comes in two seconds */
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
		n[i] = noon_draw(b, noon_wish((int64_t)i + 1, parties[i]));
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	for (size_t i = 0; i < COUNT(parties); i++) {
		struct ticket_outcome o = noon_outcome(b, n[i]);

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
		struct ticket_request r = noon_wish(i, 1);

		r.u.book.want.capacity = 10000;
		n = noon_draw(b, r);
		first = first ? first : n;
	}
	assert_int_equal(noon_served(b, first).err, ERR_OK);
	assert_true(line_length(b->hall.line) > 0);
	assert_int_equal(noon_served(b, n).err, ERR_OK);
	assert_int_equal(line_length(b->hall.line), 0);
	tally_read(line_tally(b->hall.line), &stats);
	assert_int_equal(stats.batches, 2);
	assert_int_equal(noon_count(b, "1"), 2500);
	assert_int_equal(
		book_int(b->db.handle, "SELECT max(reservation_id - ticket) - min(reservation_id - ticket) FROM reservations"),
		0);
}

/* Between two good tickets one that is refused in a certain way, after it had begun to write. */
static void refuse_in_the_middle(struct book *b, struct ticket_request bad, enum err means)
{
	uint64_t before = noon_draw(b, noon_wish(11, 2)), middle = noon_draw(b, bad), after = noon_draw(b, noon_wish(12, 2));

	assert_int_equal(noon_served(b, middle).err, means);
	assert_int_equal(noon_outcome(b, before).err, ERR_OK);
	assert_int_equal(noon_outcome(b, after).err, ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE ticket = %lld", (long long)middle), 0);
	assert_int_equal(noon_count(b, "user_id IN (11, 12) AND is_active = 1"), 2);
}

static void the_trigger_refuses_one_ticket_and_not_its_neighbours(void **state)
{
	struct book *b = *state;

	noon_done(b, noon_wish(1, 4));
	setenv("JARI_WITHOUT", "sum", 1); /* the look beforehand is only for a kinder answer */
	refuse_in_the_middle(b, noon_wish(13, 35), ERR_SLOT_FULL);
}

static void the_index_refuses_one_ticket_and_not_its_neighbours(void **state)
{
	struct book *b = *state;

	noon_done(b, noon_wish(1, 4));
	setenv("JARI_MONO_SHIFT_MS", "10000", 1);
	setenv("JARI_WITHOUT", "duplicate", 1);
	refuse_in_the_middle(b, noon_wish(1, 4), ERR_DUPLICATE);
}

/* The control: with neither the look nor the index, the same guest gets in twice, and the check sees it. */
static void without_look_and_index_a_guest_is_booked_twice(void **state)
{
	struct book *b = *state;

	noon_done(b, noon_wish(1, 4));
	setenv("JARI_MONO_SHIFT_MS", "10000", 1);
	setenv("JARI_WITHOUT", "duplicate", 1);
	book_exec(b->db.handle, "DROP INDEX reservations_person; DROP TRIGGER reservations_no_replace");
	assert_int_equal(noon_done(b, noon_wish(1, 4)).err, ERR_OK);
	assert_int_equal(noon_count(b, "user_id = 1 AND is_active = 1"), 2);
	b->damaged = true;
}

/* The control: with neither the sum nor the trigger, the slot is overbooked. */
static void without_sum_and_trigger_a_slot_is_overbooked(void **state)
{
	struct book *b = *state;

	setenv("JARI_WITHOUT", "sum", 1);
	book_exec(b->db.handle, "DROP TRIGGER reservations_insert");
	assert_int_equal(noon_done(b, noon_wish(1, 30)).err, ERR_OK);
	assert_int_equal(noon_done(b, noon_wish(2, 30)).err, ERR_OK);
	b->damaged = true;
}

static void a_ticket_that_breaks_a_rule_of_the_book_ends_alone(void **state)
{
	struct book *b = *state;
	struct ticket_request bad = noon_wish(13, 2);

	bad.u.book.terms.type = TICKET_PREPAY;
	bad.u.book.item_count = 1;
	bad.u.book.items[0] = (struct ticket_item){.menu_id = 1, .quantity = 5000, .unit_price = 11000}; /* CHECK: up to 1000 */
	strcpy(bad.u.book.want.time, "19:00"); /* its slot would be new */
	bad.u.book.want.starts_s += 3600;
	refuse_in_the_middle(b, bad, ERR_INTERNAL);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM restaurant_reservation_slots"), 1);
}

/* While it waited in the line the owner chose another zone: six o'clock is another instant now, in a new slot and in an old one. */
static void a_ticket_of_another_time_zone_is_refused_alone(void **state)
{
	struct book *b = *state;
	uint64_t n = noon_draw(b, noon_wish(1, 2));

	book_exec(b->db.handle, "UPDATE restaurants SET timezone = 'Asia/Bangkok'");
	assert_int_equal(noon_served(b, n).err, ERR_NO_SUCH_TIME);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM restaurant_reservation_slots"), 0);
	book_exec(b->db.handle, "UPDATE restaurants SET timezone = 'Asia/Seoul'");
	assert_int_equal(noon_done(b, noon_wish(1, 2)).err, ERR_OK);
	n = noon_draw(b, noon_wish(2, 2));
	book_exec(b->db.handle,
		  "UPDATE reservations SET status = 'CANCELED'; UPDATE restaurant_reservation_slots SET starts_at ="
		  " strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', starts_at, '2 hours'); UPDATE restaurants SET timezone = "
		  "'Asia/Bangkok'");
	assert_int_equal(noon_served(b, n).err, ERR_NO_SUCH_TIME);
	assert_int_equal(noon_count(b, "is_active = 1"), 0);
}

static void a_slot_that_went_with_a_refused_ticket_is_made_again(void **state)
{
	struct book *b = *state;
	struct ticket_request bad = noon_wish(1, 2);
	uint64_t first, second;

	bad.u.book.item_count = 1;
	bad.u.book.items[0] = (struct ticket_item){.menu_id = 1, .quantity = 5000, .unit_price = 1};
	first = noon_draw(b, bad); /* it would have been the first of its slot */
	second = noon_draw(b, noon_wish(2, 2));
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	assert_int_equal(noon_outcome(b, first).err, ERR_INTERNAL);
	assert_int_equal(noon_outcome(b, second).err, ERR_OK);
	assert_int_equal(
		noon_count(b, "slot_id = (SELECT slot_id FROM restaurant_reservation_slots WHERE slot_time = '18:00')"), 1);
}

static void what_was_ordered_is_kept_at_the_price_of_the_moment(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 2);
	int64_t id;

	r.u.book.terms.type = TICKET_PREPAY;
	r.u.book.terms.deposit = 0;
	r.u.book.terms.prepay = 2 * 11000 + 28000;
	r.u.book.item_count = 2;
	r.u.book.items[0] = (struct ticket_item){.menu_id = 1, .quantity = 2, .unit_price = 11000};
	r.u.book.items[1] = (struct ticket_item){.menu_id = 4, .quantity = 1, .unit_price = 28000};
	strcpy(r.u.book.message, "창가 자리");
	id = noon_done(b, r).id;
	book_exec(b->db.handle, "UPDATE menus SET price = 1, name = 'x'");
	assert_int_equal(book_int(b->db.handle,
				  "SELECT sum(line_amount) FROM reservation_menu_items WHERE reservation_id = %lld",
				  (long long)id),
			 50000);
	assert_int_equal(
		noon_count(b,
			   "total_amount = 50000 AND reservation_type = 'PREORDER_PREPAY' AND request_message = '창가 자리'"),
		1);
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
		n[i] = noon_draw(b, noon_wish((int64_t)i + 1, parties[i]));
	batch_serve(&b->db, 1000);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(noon_outcome(b, n[i]).err, ERR_OK);
	assert_int_equal(noon_outcome(b, n[4]).err, ERR_SLOT_FULL); /* seats there are, but no table */
	assert_int_equal(noon_outcome(b, n[5]).err, ERR_SLOT_FULL);
	assert_int_equal(noon_count(b, "table_id = user_id"), 4); /* 2 at A, 4 at B; then A is gone, then B and C */
}

static void a_guest_who_left_or_was_forgotten_is_not_in_the_book(void **state)
{
	struct book *b = *state;
	uint64_t left = noon_draw(b, noon_wish(1, 2)), forgotten = noon_draw(b, noon_wish(2, 2)), here;

	assert_true(line_leave(b->hall.line, left));
	line_detach(b->hall.line, forgotten);
	setenv("JARI_MONO_SHIFT_MS", "60001", 1);
	here = noon_draw(b, noon_wish(3, 2));
	assert_int_equal(noon_served(b, here).err, ERR_OK);
	assert_int_equal(noon_outcome(b, forgotten).err, ERR_ABANDONED);
	assert_int_equal(noon_count(b, "1"), 1);
}

/* ---- holds, cancels, keys ---- */

static void due_holds_give_their_seats_to_the_batch_that_finds_them(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;

	book_slot(h, 1, DAY, TIME, SEATS);
	book_reservation(h, 1, 1, 1, 20, "TEMPORARY", "2031-05-06T03:00:00Z"); /* due this second */
	book_reservation(h, 2, 1, 2, 16, "TEMPORARY", "2031-05-06T03:05:00Z");
	assert_int_equal(noon_done(b, noon_wish(1, 24)).err, ERR_OK); /* not their own duplicate either */
	assert_int_equal(noon_done(b, noon_wish(3, 1)).err, ERR_SLOT_FULL);
	assert_int_equal(noon_count(b, "reservation_id = 1 AND status = 'EXPIRED'"), 1);
	assert_int_equal(noon_count(b, "reservation_id = 2 AND status = 'TEMPORARY'"), 1);
	noon_stand_at("2031-05-06T03:05:01Z");
	assert_int_equal(noon_done(b, noon_wish(3, 16)).err, ERR_OK);
}

static void a_second_booking_of_a_guest_is_a_duplicate_of_the_first(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 2)).id;
	struct ticket_outcome again;

	setenv("JARI_MONO_SHIFT_MS", "10000", 1); /* past the guest's lock: the book decides */
	again = noon_done(b, noon_wish(1, 4));
	assert_int_equal(again.err, ERR_DUPLICATE);
	assert_int_equal(again.id, id);
}

static void a_guest_who_has_the_slot_hears_so_although_it_is_full(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, SEATS)).id;
	uint64_t again, other;

	setenv("JARI_MONO_SHIFT_MS", "10000", 1); /* past the guest's lock */
	again = noon_draw(b, noon_wish(1, 2));
	other = noon_draw(b, noon_wish(2, 2));
	assert_int_equal(noon_served(b, again).err, ERR_DUPLICATE);
	assert_int_equal(noon_outcome(b, again).id, id);
	assert_int_equal(noon_outcome(b, other).err, ERR_SLOT_FULL);
}

static void a_login_that_has_ended_books_nothing(void **state)
{
	struct book *b = *state;
	struct ticket_request old = noon_wish(1, 2);
	uint64_t n[5];

	book_exec(b->db.handle, "UPDATE users SET is_blocked = 1 WHERE user_id = 2");
	book_exec(b->db.handle, "UPDATE users SET erased_at = '2031-05-06T02:00:00Z' WHERE user_id = 3");
	old.u.book.who.token_version = 2;
	n[0] = noon_draw(b, old);
	n[1] = noon_draw(b, noon_wish(2, 2));
	n[2] = noon_draw(b, noon_wish(3, 2));
	n[3] = noon_draw(b, noon_wish(GUESTS + 1, 2)); /* of no known guest */
	n[4] = noon_draw(b, noon_wish(4, 2));
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	for (int i = 0; i < 4; i++)
		assert_int_equal(noon_outcome(b, n[i]).err, ERR_UNAUTHORIZED);
	assert_int_equal(noon_outcome(b, n[4]).err, ERR_OK);
	assert_int_equal(noon_count(b, "1"), 1);
}

/* A guest who has never been here: -1, -2 ... tell one from the other. */
static struct ticket_request newcomer(int64_t number, int party)
{
	struct ticket_request r = noon_wish(number, party);

	snprintf(r.u.book.key, sizeof r.u.book.key, "key%lld", (long long)number);
	snprintf(r.u.book.who.guest.name, sizeof r.u.book.who.guest.name, "New %lld", (long long)-number);
	strcpy(r.u.book.who.guest.phone, "01055556666");
	r.u.book.who.token_version = 0;
	return r;
}

static int64_t newcomers(struct book *b)
{
	return book_int(b->db.handle, "SELECT count(*) FROM users WHERE name LIKE 'New %%'");
}

static void a_newcomer_is_written_with_their_booking(void **state)
{
	struct book *b = *state;
	uint64_t n[3] = {noon_draw(b, newcomer(-1, 4)), noon_draw(b, newcomer(-2, SEATS)), noon_draw(b, newcomer(-3, 4))};

	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	assert_int_equal(noon_outcome(b, n[0]).err, ERR_OK);
	assert_int_equal(noon_outcome(b, n[1]).err, ERR_SLOT_FULL);
	assert_int_equal(noon_outcome(b, n[2]).err, ERR_OK);
	assert_int_equal(newcomers(b), 2); /* who got no seats left no trace */
	assert_int_equal(noon_count(b, "user_id = (SELECT user_id FROM users WHERE name = 'New 1' AND phone = '01055556666')"),
			 1);
	assert_int_equal(noon_outcome(b, n[0]).user_id,
			 book_int(b->db.handle, "SELECT user_id FROM users WHERE name = 'New 1'"));
	assert_int_equal(noon_count(b, "changed_by = 'user:' || user_id"), 2);
}

static void a_newcomer_whom_the_book_refuses_is_not_in_it(void **state)
{
	struct book *b = *state;

	book_exec(b->db.handle, "CREATE TEMP TRIGGER no BEFORE INSERT ON reservations BEGIN"
				" SELECT RAISE(ABORT, 'SLOT_FULL: the last word'); END");
	assert_int_equal(noon_done(b, newcomer(-1, 4)).err, ERR_SLOT_FULL);
	assert_int_equal(newcomers(b), 0);
}

static void a_newcomers_key_is_known_again(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, newcomer(-1, 4)).id;
	struct ticket_outcome again;

	setenv("JARI_MONO_SHIFT_MS", "3600000", 1); /* the line has forgotten */
	again = noon_done(b, newcomer(-1, 4));
	assert_int_equal(again.err, ERR_OK);
	assert_int_equal(again.id, id);
	assert_int_equal(newcomers(b), 1);
	assert_int_equal(noon_count(b, "1"), 1);
}

static void a_batch_leaves_its_mark_by_the_door(void **state)
{
	struct book *b = *state;
	struct ticket_request ten = noon_wish(1, 10), eleven = noon_wish(1, 11);

	assert_false(hint_for(b->hall.hint, &ten.u.book.want));
	noon_done(b, noon_wish(1, 30));
	assert_true(hint_for(b->hall.hint, &ten.u.book.want));
	assert_false(hint_for(b->hall.hint, &eleven.u.book.want));
	assert_int_equal(noon_done(b, noon_wish(2, 12)).err, ERR_SLOT_FULL);
	assert_true(hint_for(b->hall.hint, &ten.u.book.want));
	noon_done(b, noon_wish(3, 1));
	assert_false(hint_for(b->hall.hint, &ten.u.book.want));
}

static void cancel_and_book_again_in_one_batch(void **state)
{
	struct book *b = *state;
	int64_t first = noon_done(b, noon_wish(1, 40)).id;
	uint64_t cancel, other, again;

	cancel = noon_draw(b, noon_move(first, MOVE_CANCEL, BY_GUEST));
	other = noon_draw(b, noon_wish(2, 4));
	setenv("JARI_MONO_SHIFT_MS", "10000", 1);
	again = noon_draw(b, noon_wish(1, 36));
	assert_int_equal(noon_served(b, cancel).err, ERR_OK);
	assert_int_equal(noon_outcome(b, other).err, ERR_OK);
	assert_int_equal(noon_outcome(b, again).err, ERR_OK);
	assert_int_equal(noon_count(b, "user_id = 1"), 2);
	assert_int_equal(noon_count(b, "is_active = 1"), 2);
}

static void a_cancel_unlocks_its_guest_before_they_hear_of_it(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 2);
	uint64_t n;
	int64_t id = noon_done(b, r).id;

	assert_int_equal(line_find(b->hall.line, &r, &n), ERR_DUPLICATE);
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
	assert_int_equal(line_find(b->hall.line, &r, &n), ERR_OK);
	assert_int_equal(n, 0);
	assert_int_equal(noon_done(b, r).err, ERR_OK);
}

static void a_key_names_one_reservation_for_ever(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 2), other;
	const struct restaurant_day *day;
	struct ticket_outcome o;
	struct date date;
	int64_t id;

	strcpy(r.u.book.key, "key-1");
	id = noon_done(b, r).id;
	setenv("JARI_MONO_SHIFT_MS", "3600000", 1); /* the line has forgotten */
	o = noon_done(b, r);
	assert_int_equal(o.err, ERR_OK);
	assert_int_equal(o.id, id);
	assert_true(text_date(DAY, &date));
	assert_int_equal(restaurants_kept(&b->db, 1, date, &day), ERR_OK);
	assert_int_equal(db_read_begin(&b->db), ERR_OK);
	assert_int_equal(booking_precheck(&b->db, day, &r.u.book, clock_now_s(), &o), ERR_OK);
	db_read_end(&b->db);
	assert_int_equal(o.id, id);
	noon_done(b, noon_move(id, MOVE_CANCEL, BY_GUEST));
	assert_int_equal(noon_done(b, r).id, id); /* also when it is cancelled: the request was carried out */
	other = r;
	other.u.book.want.party = 3;
	setenv("JARI_MONO_SHIFT_MS", "7200000", 1);
	assert_int_equal(noon_done(b, other).err, ERR_KEY_REUSED);
	other = r;
	other.u.book.who.user_id = 2; /* keys are each guest's own */
	assert_int_equal(noon_done(b, other).err, ERR_OK);
	assert_int_equal(noon_count(b, "1"), 2);
}

static void a_key_whose_reservation_is_cancelled_is_for_the_book_to_answer(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 2);
	uint64_t n;
	int64_t id;

	strcpy(r.u.book.key, "key-2");
	id = noon_done(b, r).id;
	assert_int_equal(line_find(b->hall.line, &r, &n), ERR_OK);
	assert_true(n > 0);
	noon_done(b, noon_move(id, MOVE_CANCEL, BY_GUEST));
	assert_int_equal(line_find(b->hall.line, &r, &n), ERR_OK);
	assert_int_equal(n, 0);
	assert_int_equal(noon_done(b, r).made_s, 0); /* not made anew, and not told as if it were */
}

static void a_fault_is_told_once_and_the_key_may_try_again(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 2);
	uint64_t n, again, cursor = 0;

	strcpy(r.u.book.key, "key-3");
	n = noon_draw(b, r);
	assert_true(line_take(b->hall.line, &cursor, n + 1, &again));
	line_publish(b->hall.line, n, &(struct ticket_outcome){.err = ERR_BOOK_UNWRITABLE});
	line_advance(b->hall.line, n + 1, 1, 100);
	assert_int_equal(line_find(b->hall.line, &r, &again), ERR_OK);
	assert_int_equal(again, n);
	line_collected(b->hall.line, n);
	assert_int_equal(noon_done(b, r).err, ERR_OK);
	assert_int_equal(noon_count(b, "1"), 1);
}

static void the_same_numbers_each_time(void *const out, const size_t n)
{
	for (size_t i = 0; i < n / sizeof(uint32_t); i++)
		memcpy((char *)out + i * sizeof(uint32_t), &(uint32_t){(uint32_t)i}, sizeof(uint32_t));
}

/* Each transaction draws the codes of the one before first. */
static void a_code_that_is_taken_is_drawn_again(void **state)
{
	static struct randombytes_implementation same;
	struct book *b = *state;
	struct ticket_outcome o;

	same = randombytes_sysrandom_implementation;
	same.buf = the_same_numbers_each_time;
	randombytes_set_implementation(&same);
	for (int64_t i = 1; i <= 5; i++) {
		o = noon_done(b, noon_wish(i, 2));
		assert_int_equal(o.err, ERR_OK);
		assert_int_equal(
			book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE reservation_code = '%s'", o.code), 1);
	}
	randombytes_set_implementation(&randombytes_sysrandom_implementation);
	assert_int_equal(noon_count(b, "1"), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_batch_is_served_in_the_order_of_its_tickets),
		TEST(who_is_refused_does_not_count),
		TEST(parties_of_all_sizes_fill_the_slot_to_the_last_seat),
		TEST(a_long_line_takes_several_batches),
		TEST(the_trigger_refuses_one_ticket_and_not_its_neighbours),
		TEST(the_index_refuses_one_ticket_and_not_its_neighbours),
		TEST(without_look_and_index_a_guest_is_booked_twice),
		TEST(without_sum_and_trigger_a_slot_is_overbooked),
		TEST(a_ticket_that_breaks_a_rule_of_the_book_ends_alone),
		TEST(a_ticket_of_another_time_zone_is_refused_alone),
		TEST(a_slot_that_went_with_a_refused_ticket_is_made_again),
		TEST(what_was_ordered_is_kept_at_the_price_of_the_moment),
		TEST(each_party_gets_the_smallest_table_that_is_free),
		TEST(a_guest_who_left_or_was_forgotten_is_not_in_the_book),
		TEST(due_holds_give_their_seats_to_the_batch_that_finds_them),
		TEST(a_second_booking_of_a_guest_is_a_duplicate_of_the_first),
		TEST(a_guest_who_has_the_slot_hears_so_although_it_is_full),
		TEST(a_login_that_has_ended_books_nothing),
		TEST(a_batch_leaves_its_mark_by_the_door),
		TEST(a_newcomer_is_written_with_their_booking),
		TEST(a_newcomer_whom_the_book_refuses_is_not_in_it),
		TEST(a_newcomers_key_is_known_again),
		TEST(cancel_and_book_again_in_one_batch),
		TEST(a_cancel_unlocks_its_guest_before_they_hear_of_it),
		TEST(a_key_names_one_reservation_for_ever),
		TEST(a_key_whose_reservation_is_cancelled_is_for_the_book_to_answer),
		TEST(a_fault_is_told_once_and_the_key_may_try_again),
		TEST(a_code_that_is_taken_is_drawn_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
