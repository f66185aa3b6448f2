/*
 * test_booking.c - reservations read from the book, and holds that end at their second.
 */
#include "booking.h"

#include "book.h"
#include "unit.h"
#include "waitlist.h"

#include <sqlite3.h>
#include <string.h>

static int64_t instant(const char *iso)
{
	int64_t t = 0;

	assert_true(clock_parse_iso(iso, &t));
	return t;
}

/* Slot 1 of ten seats, a hold of user 1 for four until 02:07:00, a confirmed party of user 2. */
static int setup(void **state)
{
	struct book *b;

	book_setup(state);
	b = *state;
	book_slot(b->db.handle, 1, "2026-01-20", "12:00", 10);
	book_reservation(b->db.handle, 1, 1, 1, 4, "TEMPORARY", "2026-01-19T02:07:00Z");
	book_reservation(b->db.handle, 2, 1, 2, 6, "CONFIRMED", "");
	return 0;
}

static void a_reservation_reads_as_written(void **state)
{
	struct book *b = *state;
	struct reservation r;

	book_exec(b->db.handle,
		  "UPDATE reservations SET request_message = '창가', deposit_amount = 20000, total_amount = 20000,"
		  " refund_policy = 'p' WHERE reservation_id = 1");
	assert_int_equal(booking_get(&b->db, 1, instant("2026-01-19T02:00:00Z"), &r), ERR_OK);
	assert_int_equal(r.id, 1);
	assert_int_equal(r.restaurant_id, 1);
	assert_int_equal(r.slot_id, 1);
	assert_int_equal(r.user_id, 1);
	assert_int_equal(r.party, 4);
	assert_int_equal(r.status, LIFE_TEMPORARY);
	assert_int_equal(r.total, 20000);
	assert_string_equal(r.code, "R1");
	assert_string_equal(r.date, "2026-01-20");
	assert_string_equal(r.time, "12:00");
	assert_string_equal(r.type, "RESERVATION_DEPOSIT");
	assert_string_equal(r.request, "창가");
	assert_string_equal(r.hold_expires_at, "2026-01-19T02:07:00Z");
	assert_string_equal(r.guest, "김하나");
	assert_string_equal(r.currency, "KRW");
	assert_string_equal(r.visit_status, "PENDING");
	assert_string_equal(r.refund_policy, "p");
}

static void an_unknown_reservation_is_none(void **state)
{
	struct book *b = *state;
	struct reservation r;
	int64_t id = -1;

	assert_int_equal(booking_get(&b->db, 99, 0, &r), ERR_NO_SUCH_RESERVATION);
	assert_int_equal(booking_by_code(&b->db, "R99", &id), ERR_NO_SUCH_RESERVATION);
	assert_int_equal(booking_by_code(&b->db, "R2", &id), ERR_OK);
	assert_int_equal(id, 2);
}

/* Ours, those of earlier versions and those of an import. */
static void a_code_is_found_however_it_is_typed(void **state)
{
	static const struct {
		const char *code, *typed[4];
	} codes[] = {
		{"4KXR-7MTF", {"4kxr7mtf", " 4KXR 7MTF ", "４ＫＸＲ－７ＭＴＦ", "4kxr-7mtf"}},
		{"R20260120-0009", {"r20260120-0009", "R202601200009", "R 20260120 0009", "ｒ２０２６０１２０－０００９"}},
		{"R20260120-0009-a1b2c3",
		 {"R20260120-0009-A1B2C3", "r202601200009a1b2c3", "R20260120 0009 a1b2c3", "R20260120-0009-a1b2c3"}},
		{"Tbl 7/b", {"tbl7/B", "TBL-7/B", "Tbl 7/b", "tbl 7/b"}},
		{"abcd-1234", {"ABCD1234", "abcd 1234", "ABCD-1234", "abcd-1234"}},
		{"예약 12-3", {"예약123", "예약-123", "예약 12-3", "예약１２３"}},
		{"9HPX-JJJJ", {"9hpxjjjj", "9HPX-JJJJ", "9hpx jjjj", "9hpx-jjjj"}}, /* an import's that fails our check */
	};
	struct book *b = *state;
	int64_t id;

	for (size_t i = 0; i < COUNT(codes); i++) {
		book_exec(b->db.handle, "UPDATE reservations SET reservation_code = '%s' WHERE reservation_id = 2",
			  codes[i].code);
		for (size_t k = 0; k < COUNT(codes[i].typed); k++) {
			assert_int_equal(booking_by_code(&b->db, codes[i].typed[k], &id), ERR_OK);
			assert_int_equal(id, 2);
		}
	}
	assert_int_equal(booking_by_code(&b->db, "4KXR-7MTF", &id), ERR_NO_SUCH_RESERVATION);
	assert_int_equal(booking_by_code(&b->db, "4KXR-7MTG", &id), ERR_MISTYPED_CODE);
}

/* Of two that differ only so, the one that is typed letter by letter. */
static void a_code_that_is_typed_exactly_comes_first(void **state)
{
	struct book *b = *state;
	int64_t id;

	book_exec(b->db.handle,
		  "UPDATE reservations SET reservation_code = CASE reservation_id WHEN 1 THEN 'ab-1' ELSE 'A-B1' END"
		  " WHERE reservation_id IN (1, 2)");
	assert_int_equal(booking_by_code(&b->db, "A-B1", &id), ERR_OK);
	assert_int_equal(id, 2);
	assert_int_equal(booking_by_code(&b->db, "ab-1", &id), ERR_OK);
	assert_int_equal(id, 1);
}

/* No count depends on the sweeper. */
static void a_due_hold_reads_as_expired_from_its_second_on(void **state)
{
	struct book *b = *state;
	struct reservation r;

	assert_int_equal(booking_get(&b->db, 1, instant("2026-01-19T02:06:59Z"), &r), ERR_OK);
	assert_int_equal(r.status, LIFE_TEMPORARY);
	assert_int_equal(booking_get(&b->db, 1, instant("2026-01-19T02:07:00Z"), &r), ERR_OK);
	assert_int_equal(r.status, LIFE_EXPIRED);
	assert_int_equal(booking_get(&b->db, 2, instant("2030-01-01T00:00:00Z"), &r), ERR_OK);
	assert_int_equal(r.status, LIFE_CONFIRMED);
}

struct heard {
	int count;
	int64_t ids[8];
};

static void hear(void *arg, const struct reservation *r)
{
	struct heard *h = arg;

	h->ids[h->count++] = r->id;
}

static void a_guests_reservations_come_newest_first(void **state)
{
	struct book *b = *state;
	struct heard all = {0}, two = {0}, none = {0};

	book_slot(b->db.handle, 2, "2026-01-20", "13:00", 10);
	book_reservation(b->db.handle, 3, 2, 1, 1, "CANCELED", "");
	book_reservation(b->db.handle, 4, 2, 1, 1, "CONFIRMED", "");
	assert_int_equal(booking_of_user(&b->db, 1, 8, 0, hear, &all), ERR_OK);
	assert_int_equal(all.count, 3);
	assert_int_equal(all.ids[0], 4);
	assert_int_equal(all.ids[2], 1);
	assert_int_equal(booking_of_user(&b->db, 1, 2, 0, hear, &two), ERR_OK);
	assert_int_equal(two.count, 2);
	assert_int_equal(booking_of_user(&b->db, 99, 8, 0, hear, &none), ERR_OK);
	assert_int_equal(none.count, 0);
}

static void hear_item(void *arg, const struct stmt_cell *row, int count)
{
	struct heard *h = arg;

	h->ids[h->count++] = stmt_cell(row, count, "menuId")->number;
	assert_string_equal(stmt_cell(row, count, "name")->text, "옛 이름");
	assert_int_equal(stmt_cell(row, count, "unitPrice")->number, 9000);
	assert_int_equal(stmt_cell(row, count, "quantity")->number, 2);
}

static void dishes_keep_the_name_and_price_of_their_day(void **state)
{
	struct book *b = *state;
	struct heard h = {0};

	book_exec(b->db.handle, "INSERT INTO reservation_menu_items VALUES (1, 1, '옛 이름', 9000, 2, 18000);"
				"UPDATE menus SET price = 1, name = 'x' WHERE menu_id = 1");
	assert_int_equal(booking_items(&b->db, 1, hear_item, &h), ERR_OK);
	assert_int_equal(h.count, 1);
	assert_int_equal(h.ids[0], 1);
}

static int expire(struct book *b, const char *now)
{
	int count = -1;

	assert_int_equal(waitlist_sweep(&b->db, instant(now), &count), ERR_OK);
	return count;
}

static void a_hold_expires_at_its_second_and_not_before(void **state)
{
	struct book *b = *state;
	uint64_t takes = counters_get(b->hall.counters, COUNTER_pen_takes);

	assert_int_equal(expire(b, "2026-01-19T02:06:59Z"), 0);
	assert_int_equal(counters_get(b->hall.counters, COUNTER_pen_takes), takes); /* nothing due: the pen is left alone */
	assert_int_equal(expire(b, "2026-01-19T02:07:00Z"), 1);
	assert_int_equal(counters_get(b->hall.counters, COUNTER_pen_takes), takes + 1);
	assert_int_equal(expire(b, "2026-01-19T02:07:01Z"), 0);
	assert_int_equal(book_int(b->db.handle, "SELECT status = 'EXPIRED' AND version = 2 AND is_active IS NULL"
						" FROM reservations WHERE reservation_id = 1"),
			 1);
	assert_int_equal(book_int(b->db.handle, "SELECT status = 'CONFIRMED' FROM reservations WHERE reservation_id = 2"), 1);
}

static void an_expiry_is_written_down_as_the_keepers(void **state)
{
	struct book *b = *state;

	assert_int_equal(expire(b, "2026-01-19T02:30:00Z"), 1);
	assert_int_equal(book_int(b->db.handle,
				  "SELECT count(*) FROM audit WHERE actor = 'keeper' AND entity_id = 1 AND change = 'status'"
				  " AND from_value = 'TEMPORARY' AND to_value = 'EXPIRED' AND at = '2026-01-19T02:30:00Z'"),
			 1);
}

static void expired_seats_and_the_guest_are_free_again(void **state)
{
	struct book *b = *state;

	assert_int_equal(expire(b, "2026-01-19T02:07:00Z"), 1);
	book_reservation(b->db.handle, 3, 1, 1, 4, "TEMPORARY", "2026-01-19T03:00:00Z");
}

/* A clock that was thirty days ahead made it; the clock is right again. */
static void a_hold_of_a_wrong_clock_ends_with_it(void **state)
{
	struct book *b = *state;
	int64_t now = clock_now_s(), due = now + 30 * 86400 + 420, soon = now + 400;
	char ends[CLOCK_ISO_SIZE], honest[CLOCK_ISO_SIZE];
	int expired = 0;

	clock_iso(due, ends);
	clock_iso(soon, honest);
	book_slot(b->db.handle, 50, "2031-05-06", "18:00", 40);
	book_reservation(b->db.handle, 50, 50, 1, 2, "TEMPORARY", ends);
	book_reservation(b->db.handle, 51, 50, 2, 2, "TEMPORARY", honest);
	assert_int_equal(waitlist_sweep(&b->db, now + 30 * 86400, &expired),
			 ERR_OK); /* under that clock the other one had ended */
	assert_int_equal(
		book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE status = 'EXPIRED' AND reservation_id = 50"),
		0);
	assert_int_equal(waitlist_sweep(&b->db, now, &expired), ERR_OK);
	assert_int_equal(expired, 1);
	assert_int_equal(book_int(b->db.handle,
				  "SELECT count(*) FROM reservations WHERE status = 'EXPIRED' AND reservation_id IN (50, 51)"),
			 2);
}

static void many_due_holds_expire_together(void **state)
{
	struct book *b = *state;

	book_slot(b->db.handle, 2, "2026-01-20", "13:00", 100);
	for (int i = 10; i < 60; i++) {
		book_exec(b->db.handle, "INSERT INTO users (user_id, user_type, name) VALUES (%d, 'GUEST', 'x')", i);
		book_reservation(b->db.handle, i, 2, i, 2, "TEMPORARY",
				 i % 2 ? "2026-01-19T02:07:00Z" : "2026-01-19T02:07:01Z");
	}
	assert_int_equal(expire(b, "2026-01-19T02:07:00Z"), 26);
	assert_int_equal(expire(b, "2026-01-19T02:07:01Z"), 25);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_reservation_reads_as_written),
		TEST(an_unknown_reservation_is_none),
		TEST(a_code_is_found_however_it_is_typed),
		TEST(a_code_that_is_typed_exactly_comes_first),
		TEST(a_due_hold_reads_as_expired_from_its_second_on),
		TEST(a_guests_reservations_come_newest_first),
		TEST(dishes_keep_the_name_and_price_of_their_day),
		TEST(a_hold_expires_at_its_second_and_not_before),
		TEST(an_expiry_is_written_down_as_the_keepers),
		TEST(expired_seats_and_the_guest_are_free_again),
		TEST(a_hold_of_a_wrong_clock_ends_with_it),
		TEST(many_due_holds_expire_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
