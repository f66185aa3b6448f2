/*
 * test_batch_waiting.c - who serves and who waits: for the pen, for an outcome, and until when.
 */
#include "batch.h"

#include "clock.h"
#include "kid.h"
#include "noon.h"
#include "unit.h"
#include "users.h"
#include "wal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void a_process_that_finds_the_pen_free_serves_itself_and_all_others(void **state)
{
	struct book *b = *state;
	uint64_t other = noon_draw(b, noon_wish(1, 2)), mine = noon_draw(b, noon_wish(2, 2));
	struct ticket_outcome o;

	assert_int_equal(batch_wait(&b->db, mine, 2000, -1, NULL, NULL, &o), ERR_OK);
	assert_int_equal(o.err, ERR_OK);
	assert_int_equal(noon_outcome(b, other).err, ERR_OK);
	assert_true(noon_outcome(b, other).id < o.id);
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
	struct ticket_request r = noon_wish(1, 2);
	struct ticket_outcome o;
	int64_t begun;
	uint64_t mine;

	assert_true(kid_wait(&talk->ready));
	book_open(b);
	assert_int_equal(batch_prepare(&b->db), ERR_OK);
	mine = noon_draw(b, r);
	begun = clock_mono_ms();
	assert_int_equal(batch_wait(&b->db, mine, 150, -1, NULL, NULL, &o), ERR_WAITING);
	assert_in_range(clock_mono_ms() - begun, 149, 3000);
	begun = clock_mono_ms();
	assert_int_equal(batch_wait(&b->db, mine, 5000, -1, gone, NULL, &o), ERR_WAITING); /* the client is gone */
	assert_true(clock_mono_ms() - begun < 4000);
	assert_int_equal(line_length(b->hall.line), 1);
	atomic_store(&talk->go, 1);
	assert_int_equal(kid_end(kid), 0);
	assert_int_equal(noon_draw(b, r), mine); /* the same request again is the same ticket */
	assert_int_equal(batch_wait(&b->db, mine, 5000, -1, NULL, NULL, &o), ERR_OK);
	assert_int_equal(o.err, ERR_OK);
}

/* A batch of more than a quarter of a second is committed before it comes to the caller's own ticket. */
static void serving_others_ends_in_time_as_well(void **state)
{
	struct book *b = *state;
	uint64_t n[3];
	struct ticket_outcome o;
	int64_t begun = clock_mono_ms();

	for (int i = 0; i < 3; i++)
		n[i] = noon_draw(b, noon_wish(i + 1, 2));
	setenv("JARI_FAILPOINT", "batch.written:sleep300:1", 1);
	assert_int_equal(batch_wait(&b->db, n[2], 100, -1, NULL, NULL, &o), ERR_WAITING);
	unsetenv("JARI_FAILPOINT");
	assert_true(clock_mono_ms() - begun >= 300);
	assert_int_equal(noon_outcome(b, n[0]).err, ERR_OK);
	assert_int_equal(line_look(b->hall.line, n[1], &o), LINE_QUEUED);
	assert_int_equal(line_look(b->hall.line, n[2], &o), LINE_QUEUED);
	assert_int_equal(pen_holder(b->hall.pen), 0);
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	assert_int_equal(noon_outcome(b, n[2]).err, ERR_OK);
}

static void leaving_ends_the_wait(void **state)
{
	struct book *b = *state;
	struct ticket_outcome o;
	uint64_t mine = noon_draw(b, noon_wish(1, 2));

	line_leave(b->hall.line, mine);
	assert_int_equal(batch_wait(&b->db, mine, 1000, -1, NULL, NULL, &o), ERR_LEFT_LINE);
	assert_int_equal(batch_wait(&b->db, mine + 5, 1000, -1, NULL, NULL, &o), ERR_NO_SUCH_TICKET);
}

static void a_command_sees_its_move_through(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 2), m;
	struct ticket_outcome o;

	assert_int_equal(noon_through(&b->db, &r, 1000, &o), ERR_OK);
	m = noon_move(o.id, MOVE_CONFIRM, BY_RESTAURANT);
	assert_int_equal(noon_through(&b->db, &m, 1000, &o), ERR_OK);
	m = noon_move(4711, MOVE_CONFIRM, BY_RESTAURANT);
	assert_int_equal(noon_through(&b->db, &m, 1000, &o), ERR_NO_SUCH_RESERVATION);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
}

static void a_logout_that_the_book_refuses_takes_no_other_ticket_along(void **state)
{
	struct book *b = *state;
	struct ticket_request logout = {.kind = TICKET_LOGOUT, .u.logout = {.card_id = 4711, .user_id = 999999}};
	uint64_t before = noon_draw(b, noon_wish(1, 2)), theirs = noon_draw(b, logout), after = noon_draw(b, noon_wish(2, 2));

	noon_serve_all(b);
	assert_int_equal(noon_outcome(b, theirs).err, ERR_INTERNAL); /* there is no such user */
	assert_int_equal(noon_outcome(b, before).err, ERR_OK);
	assert_int_equal(noon_outcome(b, after).err, ERR_OK);
	assert_int_equal(noon_count(b, "1"), 2);
}

static void a_booking_whose_message_cannot_be_written_takes_no_other_ticket_along(void **state)
{
	struct book *b = *state;
	uint64_t n[3];

	/* The time is in the book now: a single statement, without a savepoint, writes each of the others. */
	assert_int_equal(noon_done(b, noon_wish(9, 2)).err, ERR_OK);
	book_exec(b->db.handle, "INSERT INTO mail_server (one, way, host, port, security, sender, updated_at)"
				" VALUES (1, 'SMTP', '127.0.0.1', 25, 'NONE', 'a@b.c', '2026-01-01T00:00:00Z')");
	book_exec(b->db.handle, "CREATE TRIGGER test_refuses BEFORE INSERT ON outbox WHEN (SELECT user_id FROM reservations"
				" WHERE reservation_id = NEW.reservation_id) = 2 BEGIN SELECT RAISE(ABORT, 'unexpected'); END");
	for (int i = 0; i < 3; i++) {
		struct ticket_request r = noon_wish(i + 1, 2);

		strcpy(r.u.book.who.guest.email, "guest@example.com");
		n[i] = noon_draw(b, r);
	}
	noon_serve_all(b);
	for (int i = 0; i < 3; i++)
		assert_int_equal(noon_outcome(b, n[i]).err, i == 1 ? ERR_INTERNAL : ERR_OK);
	assert_int_equal(noon_count(b, "1"), 3);
	assert_int_equal(noon_count(b, "user_id = 2"), 0); /* nothing of it is left */
	assert_int_equal(line_length(b->hall.line), 0);
	assert_int_equal(line_suspect(b->hall.line), 0);
	book_exec(b->db.handle, "DROP TRIGGER test_refuses");
}

static void a_worker_that_has_a_guest_leaves_the_checkpoint_to_the_keeper(void **state)
{
	struct book *b = *state;
	struct ticket_request first = noon_wish(1, 2), second = noon_wish(2, 2);
	struct ticket_outcome o;
	int pages;

	assert_int_equal(noon_through(&b->db, &first, 1000, &o), ERR_OK);
	pages = writes_log_pages(b->hall.writes);
	assert_true(pages > 0);
	b->db.checkpoint_at = pages; /* it is time from now on */
	assert_int_equal(noon_through(&b->db, &second, 1000, &o), ERR_OK);
	assert_true(writes_log_pages(b->hall.writes) > pages);
	assert_int_equal(wal_tidy(&b->db), ERR_OK);
	assert_int_equal(writes_log_pages(b->hall.writes), 0);
}

static void a_login_is_ended_by_a_ticket(void **state)
{
	struct book *b = *state;
	struct ticket_request one = {.kind = TICKET_LOGOUT, .u.logout = {.card_id = 4711, .user_id = 1}};
	struct ticket_request all = {.kind = TICKET_LOGOUT, .u.logout = {.user_id = 1}}; /* a token of before cards */
	struct user u;

	assert_int_equal(users_by_token(&b->db, 1, 1, 4711, &u), ERR_OK);
	assert_int_equal(noon_done(b, one).err, ERR_OK);
	assert_int_equal(users_by_token(&b->db, 1, 1, 4711, &u), ERR_UNAUTHORIZED);
	assert_int_equal(users_by_token(&b->db, 1, 1, 4712, &u), ERR_OK); /* the other device stays logged in */
	assert_int_equal(noon_done(b, all).err, ERR_OK);
	assert_int_equal(users_by_token(&b->db, 1, 1, 4712, &u), ERR_UNAUTHORIZED);
	assert_int_equal(users_by_token(&b->db, 1, 2, 4713, &u), ERR_OK);
}

/* What tablets and months know of each day stays as it is, however often a guest says goodbye. */
static void a_guest_who_leaves_is_no_news_of_any_day(void **state)
{
	struct book *b = *state;
	struct ticket_request guest = {.kind = TICKET_LOGOUT, .u.logout = {.card_id = 4712}};
	struct ticket_request staff = {.kind = TICKET_LOGOUT, .u.logout = {.card_id = 4711, .user_id = 1}};
	uint64_t before = edition_changes(b->hall.edition);

	book_slot(b->db.handle, 1, DAY, TIME, SEATS);
	book_reservation(b->db.handle, 1, 1, 1, 2, "CONFIRMED", "");
	book_exec(b->db.handle, "UPDATE reservations SET card_id = 4712");
	for (int i = 0; i < 3; i++)
		assert_int_equal(noon_done(b, guest).err, ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM audit WHERE entity = 'card'"), 1);
	assert_int_equal(edition_changes(b->hall.edition), before);
	assert_int_equal(noon_done(b, staff).err, ERR_OK);
	assert_int_not_equal(edition_changes(b->hall.edition), before);
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
	assert_int_equal(noon_draw(b, noon_wish(2, 2)), future + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_guest_who_leaves_is_no_news_of_any_day),
		TEST(a_process_that_finds_the_pen_free_serves_itself_and_all_others),
		TEST_CLOSED(waiting_ends_in_time_and_the_ticket_stays),
		TEST(serving_others_ends_in_time_as_well),
		TEST(leaving_ends_the_wait),
		TEST(a_command_sees_its_move_through),
		TEST(a_login_is_ended_by_a_ticket),
		TEST(a_logout_that_the_book_refuses_takes_no_other_ticket_along),
		TEST(a_booking_whose_message_cannot_be_written_takes_no_other_ticket_along),
		TEST(a_worker_that_has_a_guest_leaves_the_checkpoint_to_the_keeper),
		TEST_CLOSED(tickets_are_numbered_above_those_in_the_book),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
