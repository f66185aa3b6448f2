/*
 * test_reports.c - whom the book forgets, and whom not.
 */
#include "reports.h"

#include "batch.h"
#include "book.h"
#include "unit.h"

#include <sqlite3.h>

static const int64_t NOW = 1768874400; /* 2026-01-20 11:00 in Seoul */

static int64_t remembered(struct book *b)
{
	return book_int(b->db.handle, "SELECT count(*) FROM users WHERE user_type = 'GUEST' AND erased_at IS NULL");
}

static void guests_are_forgotten_after_the_months_that_the_owner_set(void **state)
{
	struct book *b = *state;
	bool more;

	book_slot(b->db.handle, 1, "2024-12-01", "18:00", 20);
	book_slot(b->db.handle, 2, "2025-12-01", "18:00", 20);
	book_reservation(b->db.handle, 1, 1, 1, 2, "COMPLETED", "2024-12-01T00:00:00Z");
	book_reservation(b->db.handle, 2, 2, 2, 2, "COMPLETED", "2024-12-01T00:00:00Z");
	assert_int_equal(remembered(b), 2);
	assert_int_equal(reports_forget(&b->db, NOW, &more), ERR_OK);
	assert_int_equal(remembered(b), 2); /* 0 is for ever */
	book_exec(b->db.handle, "UPDATE restaurants SET retention_months = 12");
	assert_int_equal(reports_forget(&b->db, NOW, &more), ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT user_id FROM users WHERE erased_at IS NOT NULL"), 1);
	assert_int_equal(remembered(b), 1);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE guest_name = '-'"), 1);
	book_exec(b->db.handle, "UPDATE restaurants SET retention_months = 1");
	assert_int_equal(reports_forget(&b->db, NOW, &more), ERR_OK);
	assert_int_equal(remembered(b), 0);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE status = 'COMPLETED'"), 2);
}

static void whoever_is_still_to_come_or_has_never_come_is_not_forgotten(void **state)
{
	struct book *b = *state;
	bool more;

	book_exec(b->db.handle, "UPDATE restaurants SET retention_months = 1");
	book_slot(b->db.handle, 1, "2024-12-01", "18:00", 20);
	book_slot(b->db.handle, 2, "2026-02-01", "18:00", 20);
	book_reservation(b->db.handle, 1, 1, 1, 2, "COMPLETED", "2024-12-01T00:00:00Z");
	book_reservation(b->db.handle, 2, 2, 1, 2, "CONFIRMED", "2024-12-01T00:00:00Z");
	assert_int_equal(reports_forget(&b->db, NOW, &more), ERR_OK);
	assert_int_equal(remembered(b), 2);
	assert_int_equal(reports_erase(&b->db, 99, "shell", NOW), ERR_NOT_FOUND);
}

/* The keeper comes again after a second while there are more; every ten minutes it would never keep up. */
static void many_who_are_due_are_forgotten_soon_and_never_while_guests_are_in_the_line(void **state)
{
	struct ticket_request logout = {.kind = TICKET_LOGOUT, .u.logout = {.user_id = 1}};
	struct book *b = *state;
	int turns = 0;
	uint64_t number;
	bool more;

	book_exec(b->db.handle, "UPDATE restaurants SET retention_months = 1");
	book_slot(b->db.handle, 1, "2024-12-01", "18:00", 10000);
	book_exec(
		b->db.handle,
		"WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 1099)"
		" INSERT INTO users (user_id, user_type, name, phone) SELECT i, 'GUEST', 'guest ' || i, '0101234' || i FROM n");
	book_exec(b->db.handle,
		  "INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status)"
		  " SELECT 'R' || user_id, 1, user_id, 2, 'RESERVATION_DEPOSIT', 'COMPLETED' FROM users WHERE user_id >= 100");
	assert_int_equal(batch_prepare(&b->db), ERR_OK);
	assert_int_equal(line_draw(b->hall.line, &logout, &number), ERR_OK);
	assert_int_equal(reports_forget(&b->db, NOW, &more), ERR_OK);
	assert_true(more);
	assert_int_equal(remembered(b), 1002);
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	do {
		assert_int_equal(reports_forget(&b->db, NOW, &more), ERR_OK);
		turns++;
	} while (more);
	assert_int_equal(remembered(b), 2); /* who have never come */
	assert_in_range(turns, 1, 200);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, book_setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(guests_are_forgotten_after_the_months_that_the_owner_set),
		TEST(many_who_are_due_are_forgotten_soon_and_never_while_guests_are_in_the_line),
		TEST(whoever_is_still_to_come_or_has_never_come_is_not_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
