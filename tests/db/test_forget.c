/*
 * test_forget.c - whom the book forgets, and whom not.
 */
#include "forget.h"

#include "batch.h"
#include "book.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

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
	assert_int_equal(forget_old(&b->db, NOW, &more), ERR_OK);
	assert_int_equal(remembered(b), 2); /* 0 is for ever */
	book_exec(b->db.handle, "UPDATE reservations SET overbook_reason = 'her birthday'");
	book_exec(b->db.handle, "INSERT INTO desk_acts (reservation_id, act, actor, at, before) VALUES (1, 'note', 'user:7',"
				" '2024-12-01T00:00:00Z', '{\"overbook\":\"her birthday\"}')");
	book_exec(b->db.handle, "UPDATE restaurants SET retention_months = 12");
	assert_int_equal(forget_old(&b->db, NOW, &more), ERR_OK);
	/* That they were let in beyond the seats stays, why they were does not. */
	assert_int_equal(book_int(b->db.handle, "SELECT reservation_id FROM reservations WHERE overbook_reason = '-'"), 1);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM desk_acts WHERE before LIKE '%%birthday%%'"), 0);
	assert_int_equal(book_int(b->db.handle, "SELECT user_id FROM users WHERE erased_at IS NOT NULL"), 1);
	assert_int_equal(remembered(b), 1);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE guest_name = '-'"), 1);
	book_exec(b->db.handle, "UPDATE restaurants SET retention_months = 1");
	assert_int_equal(forget_old(&b->db, NOW, &more), ERR_OK);
	assert_int_equal(remembered(b), 0);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE status = 'COMPLETED'"), 2);
}

static void a_guest_who_is_still_to_come_or_has_never_come_is_not_forgotten(void **state)
{
	struct book *b = *state;
	bool more;

	book_exec(b->db.handle, "UPDATE restaurants SET retention_months = 1");
	book_slot(b->db.handle, 1, "2024-12-01", "18:00", 20);
	book_slot(b->db.handle, 2, "2026-02-01", "18:00", 20);
	book_reservation(b->db.handle, 1, 1, 1, 2, "COMPLETED", "2024-12-01T00:00:00Z");
	book_reservation(b->db.handle, 2, 2, 1, 2, "CONFIRMED", "2024-12-01T00:00:00Z");
	assert_int_equal(forget_old(&b->db, NOW, &more), ERR_OK);
	assert_int_equal(remembered(b), 2);
	assert_int_equal(forget_guest(&b->db, 99, "shell", NOW), ERR_NOT_FOUND);
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
	assert_int_equal(forget_old(&b->db, NOW, &more), ERR_OK);
	assert_true(more);
	assert_int_equal(remembered(b), 1002);
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	do {
		assert_int_equal(forget_old(&b->db, NOW, &more), ERR_OK);
		turns++;
	} while (more);
	assert_int_equal(remembered(b), 2); /* who have never come */
	assert_in_range(turns, 1, 200);
}

/* ---- everything ---- */

/* A guest of every kind of row there is: users 50 (and 51, the same number from long ago), reservation 9. */
static void make_guest(sqlite3 *h)
{
	book_slot(h, 1, "2026-01-19", "18:00", 20);
	book_exec(
		h,
		"INSERT INTO users (user_id, user_type, name, phone, email) VALUES (50, 'GUEST', 'm', '01055550000', 'm@e.kr');"
		"INSERT INTO users (user_id, user_type, name, phone, phone_of) VALUES (51, 'GUEST', 'm', '01055550000', 50);"
		"INSERT INTO cards (card_id, user_id, phone_key, proven_by) VALUES (7, NULL, 821055550000, 'MAIL'), (8, 50, "
		"NULL, NULL);"
		"INSERT INTO proofs (restaurant_id, card_id, phone_key, channel, expires_at, created_at) VALUES"
		" (1, 7, 821055550000, 'MAIL', '2026-01-19T00:00:00Z', '2026-01-19T00:00:00Z');"
		"INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size) VALUES (1, '2026-01-21', "
		"'18:00', 50, 2);"
		"INSERT INTO restaurant_guests (user_id, restaurant_id, is_blocked) VALUES (50, 1, 1)");
	book_reservation(h, 9, 1, 50, 2, "CANCELED", "2026-01-19T00:00:00Z");
	book_exec(h, "INSERT INTO reservation_cancellations (reservation_id, canceled_by) VALUES (9, 'GUEST');"
		     "INSERT INTO payments (reservation_id, provider, amount, status) VALUES (9, 'desk', 0, 'READY');"
		     "INSERT INTO desk_acts (reservation_id, act, actor, at, before) VALUES (9, 'note', 'user:1', "
		     "'2026-01-19T00:00:00Z',"
		     " json_object('name', 'MARK', 'note', 'MARK', 'status', 'CONFIRMED'));"
		     "INSERT INTO outbox (restaurant_id, channel, event, reservation_id, next_attempt_at, created_at) VALUES"
		     " (1, 'MAIL', 'confirmed', 9, '2026-01-19T00:00:00Z', '2026-01-19T00:00:00Z');"
		     "INSERT INTO outbox (restaurant_id, channel, event, proof_id, next_attempt_at, created_at) SELECT"
		     " 1, 'MAIL', 'code', proof_id, '2026-01-19T00:00:00Z', '2026-01-19T00:00:00Z' FROM proofs");
}

/*
 * Columns of text that say nothing about a person.  Every other one is filled with the mark, so a new column is taken for
 * personal until it stands here.
 */
static const char NOT_PERSONAL[] =
	" password_hash password_until language user_type erased_at created_at updated_at reservation_code reservation_type "
	"status currency"
	" refund_policy hold_expires_at visit_status source changed_by starts_at ends_at arrived_at seated_at left_at "
	"coming_at here_at"
	" canceled_by undone_at provider provider_payment_id paid_at refunded_at act actor at before slot_date slot_time"
	" offer_expires_at channel expires_at proven_at proven_by ended_at made_at event dedupe_key next_attempt_at sent_at "
	"tried_at told kept_until placed_at planned_for ";

/* Tries the mark in every other column of the guest's rows of a table; a CHECK may refuse it. */
static int mark(sqlite3 *h, const char *table, const char *which)
{
	sqlite3_stmt *s;
	char sql[300], word[80];
	int marked = 0;

	snprintf(sql, sizeof sql, "SELECT name FROM pragma_table_info('%s') WHERE type = 'TEXT'", table);
	assert_int_equal(sqlite3_prepare_v2(h, sql, -1, &s, NULL), SQLITE_OK);
	while (sqlite3_step(s) == SQLITE_ROW) {
		const char *column = (const char *)sqlite3_column_text(s, 0);

		snprintf(word, sizeof word, " %s ", column);
		if (strstr(NOT_PERSONAL, word))
			continue;
		snprintf(sql, sizeof sql, "UPDATE %s SET %s = 'MARK' WHERE %s", table, column, which);
		if (sqlite3_exec(h, sql, NULL, NULL, NULL) != SQLITE_OK)
			fail_msg("%s: %s", sql, sqlite3_errmsg(h));
		marked++;
	}
	sqlite3_finalize(s);
	return marked;
}

/* Where a text is in the whole book: "table.column", or "" when it is nowhere. */
static const char *find(sqlite3 *h, const char *text)
{
	static char where[200];
	sqlite3_stmt *s;

	where[0] = '\0';
	assert_int_equal(
		sqlite3_prepare_v2(
			h,
			"SELECT m.name, c.name FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type = 'table'"
			" AND m.name NOT LIKE 'sqlite%'",
			-1, &s, NULL),
		SQLITE_OK);
	while (!*where && sqlite3_step(s) == SQLITE_ROW) {
		const char *table = (const char *)sqlite3_column_text(s, 0), *column = (const char *)sqlite3_column_text(s, 1);

		if (book_int(h, "SELECT count(*) FROM \"%s\" WHERE CAST(\"%s\" AS TEXT) LIKE '%%%s%%'", table, column, text))
			snprintf(where, sizeof where, "%s.%s", table, column);
	}
	sqlite3_finalize(s);
	return where;
}

static void a_guest_who_is_erased_is_in_no_column_of_the_book(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;
	int marked;

	make_guest(h);
	book_exec(h, "INSERT INTO guest_merges (restaurant_id, from_user, into_user, actor, at, moved, before) VALUES"
		     " (1, 60, 50, 'user:1', '2026-01-19T00:00:00Z', '{}', '{\"from\":{\"note\":\"MARK\"}}'),"
		     " (1, 50, 61, 'user:1', '2026-01-19T00:00:00Z', '{}', '{\"from\":{\"note\":\"MARK\"}}')");
	book_exec(
		h,
		"INSERT INTO intents (reservation_id, restaurant_id, purpose, try, pay_key, state, provider, currency, amount,"
		" card_ref, card_label, words, charge_until, todo, todo_at, created_at, changed_at) VALUES (9, 1, 'CARD', 1,"
		" 'jari-the-key-of-a-payment', 'AUTHORISED', 'toss', 'KRW', 100, 'sealed', 'MARK 1234', 'MARK', "
		"'2026-02-19T00:00:00Z', 'FORGET_CARD', '2026-02-19T00:00:00Z', '2026-01-19T00:00:00Z', "
		"'2026-01-19T00:00:00Z')");
	marked = mark(h, "users", "user_id IN (50, 51)") + mark(h, "reservations", "reservation_id = 9") +
		 mark(h, "reservation_cancellations", "reservation_id = 9") + mark(h, "payments", "reservation_id = 9") +
		 mark(h, "waitlist", "user_id = 50") + mark(h, "restaurant_guests", "user_id = 50") +
		 mark(h, "cards", "card_id IN (7, 8)") + mark(h, "proofs", "card_id = 7") + mark(h, "outbox", "1");
	assert_in_range(marked, 16, 60);
	book_exec(h, "UPDATE users SET phone = '01055550000', phone_key = CASE user_id WHEN 50 THEN 821055550000 END WHERE "
		     "user_id IN (50, 51)");
	assert_string_not_equal(find(h, "MARK"), "");
	assert_string_not_equal(find(h, "1055550000"), "");
	assert_int_equal(forget_guest(&b->db, 50, "user:1", NOW), ERR_OK);
	assert_string_equal(find(h, "MARK"), "");
	assert_string_equal(find(h, "1055550000"), "");
	assert_int_equal(book_int(h, "SELECT count(*) FROM waitlist WHERE status = 'LEFT' AND user_id = 50"),
			 1); /* keeps no guest back */
	assert_int_equal(book_int(h, "SELECT blocked_by FROM users WHERE user_id = 50"), 0);
	assert_int_equal(book_int(h, "SELECT todo_at < '2026-01-21' FROM intents WHERE todo = 'FORGET_CARD'"),
			 1); /* their card too */
	assert_int_equal(book_int(h, "SELECT count(*) FROM reservations WHERE user_id = 50 AND status = 'CANCELED'"), 1);
	assert_true(writes_log_to_empty(b->hall.writes));
}

/* An upgrade puts columns that the owner added into tables of their own. */
static void what_the_owner_added_about_them_is_forgotten_too(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;

	make_guest(h);
	book_exec(h, "CREATE TABLE users_own AS SELECT user_id, 'birthday ' || user_id AS born FROM users;"
		     "CREATE TABLE users_own2 AS SELECT user_id, 'MARK' AS wine FROM users WHERE user_id = 51;"
		     "CREATE TABLE reservations_own AS SELECT reservation_id, 'MARK' AS cake FROM reservations;"
		     "CREATE TABLE waitlist_own AS SELECT waitlist_id, 'MARK' AS why FROM waitlist;"
		     "CREATE TABLE users_own3 (their INTEGER, own TEXT); INSERT INTO users_own3 VALUES (50, 'of another key')");
	assert_int_equal(forget_guest(&b->db, 50, "user:1", NOW), ERR_OK);
	assert_int_equal(
		book_int(h,
			 "SELECT (SELECT count(*) FROM users_own WHERE user_id IN (50, 51)) + (SELECT count(*) FROM users_own2)"
			 " + (SELECT count(*) FROM reservations_own) + (SELECT count(*) FROM waitlist_own)"),
		0);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users_own WHERE user_id = 1"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users_own3"), 1);
}

static void who_only_waited_or_only_proved_a_number_is_forgotten_too(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;
	bool more;

	book_exec(
		h,
		"UPDATE restaurants SET retention_months = 12;"
		"INSERT INTO users (user_id, user_type, name, phone, created_at) VALUES (60, 'GUEST', 'waited', '01066660000',"
		" '2024-01-01T00:00:00Z'), (61, 'GUEST', 'waits', '01066661111', '2024-01-01T00:00:00Z'), (62, 'GUEST', 'never "
		"came',"
		" '01066662222', '2024-01-01T00:00:00Z');"
		"INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size, status) VALUES"
		" (1, '2024-12-01', '18:00', 60, 2, 'CLOSED'), (1, '2026-01-21', '18:00', 61, 2, 'WAITING');"
		"INSERT INTO cards (card_id, phone_key, proven_by, proven_at, email) VALUES"
		" (7, 821077770000, 'MAIL', '2024-12-01T00:00:00Z', 'only@proved.kr'),"
		" (8, 821077771111, 'MAIL', '2025-12-01T00:00:00Z', 'lately@proved.kr'),"
		" (9, 821066661111, 'MAIL', '2024-12-01T00:00:00Z', 'still@waits.kr')");
	do
		assert_int_equal(forget_old(&b->db, NOW, &more), ERR_OK);
	while (more);
	assert_int_equal(forget_old(&b->db, NOW, &more), ERR_OK); /* guests first, then cards */
	assert_int_equal(book_int(h, "SELECT group_concat(user_id) = '60,62' FROM users WHERE erased_at IS NOT NULL"), 1);
	assert_string_equal(find(h, "only@proved"), "");
	assert_string_equal(find(h, "821077770000"), "");
	assert_int_equal(book_int(h, "SELECT count(*) FROM cards WHERE phone_key IS NOT NULL AND email IS NOT NULL"), 2);
}

static void a_guest_who_is_owed_money_is_remembered_until_they_have_it(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;
	bool more;

	book_slot(h, 1, "2024-12-01", "18:00", 20);
	book_reservation(h, 1, 1, 1, 2, "CANCELED", "2024-12-01T00:00:00Z");
	book_exec(
		h,
		"UPDATE restaurants SET retention_months = 12; INSERT INTO payments (reservation_id, provider, amount, status,"
		" due_back_amount, paid_at, restaurant_id) VALUES (1, 'desk', 20000, 'REFUND_DUE', 20000,"
		" '2024-12-01T00:00:00Z', 1)");
	assert_int_equal(forget_guest(&b->db, 1, "user:9", NOW), ERR_REFUND_FIRST);
	assert_int_equal(forget_old(&b->db, NOW, &more), ERR_OK);
	assert_int_equal(
		book_int(h, "SELECT count(*) FROM users WHERE user_id = 1 AND phone IS NOT NULL AND erased_at IS NULL"), 1);
	book_exec(h, "UPDATE payments SET status = 'REFUNDED', refunded_amount = 20000, due_back_amount = 0");
	assert_int_equal(forget_old(&b->db, NOW, &more), ERR_OK);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users WHERE user_id = 1 AND erased_at IS NOT NULL"), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, book_setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_guest_who_is_erased_is_in_no_column_of_the_book),
		TEST(what_the_owner_added_about_them_is_forgotten_too),
		TEST(who_only_waited_or_only_proved_a_number_is_forgotten_too),
		TEST(guests_are_forgotten_after_the_months_that_the_owner_set),
		TEST(many_who_are_due_are_forgotten_soon_and_never_while_guests_are_in_the_line),
		TEST(a_guest_who_is_owed_money_is_remembered_until_they_have_it),
		TEST(a_guest_who_is_still_to_come_or_has_never_come_is_not_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
