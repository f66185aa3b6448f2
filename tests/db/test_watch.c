/*
 * test_watch.c - can bookings be saved?  What is answered, and that the asking writes nothing.
 */
#include "watch.h"

#include "book.h"
#include "serving.h"
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int set_up(void **state)
{
	unsetenv("JARI_MONO_SHIFT_MS");
	return book_setup(state);
}

static int tear_down(void **state)
{
	unsetenv("JARI_MONO_SHIFT_MS");
	return book_teardown(state);
}

static void later(int ms)
{
	char text[16];

	snprintf(text, sizeof text, "%d", ms);
	setenv("JARI_MONO_SHIFT_MS", text, 1);
}

static int64_t log_size(const struct book *b)
{
	char path[4200];
	struct stat st;

	snprintf(path, sizeof path, "%s-wal", b->path);
	return stat(path, &st) == 0 ? st.st_size : 0;
}

static void a_write_that_fails_is_a_fault_until_one_is_saved(void **state)
{
	struct book *b = *state;

	assert_int_equal(watch_health(&b->hall), ERR_OK);
	writes_failed(b->hall.writes, ERR_BOOK_UNWRITABLE);
	assert_int_equal(watch_health(&b->hall), ERR_BOOK_UNWRITABLE);
	assert_int_equal(db_begin(&b->db), ERR_OK);
	assert_int_equal(db_end(&b->db, ERR_OK), ERR_OK); /* nothing was written, so nothing is known */
	assert_int_equal(watch_health(&b->hall), ERR_BOOK_UNWRITABLE);
	assert_int_equal(book_add_guest(&b->db), ERR_OK);
	assert_int_equal(watch_health(&b->hall), ERR_OK);
}

static void a_refusal_is_no_fault(void **state)
{
	struct book *b = *state;

	assert_int_equal(db_begin(&b->db), ERR_OK);
	assert_int_equal(db_end(&b->db, ERR_SLOT_FULL), ERR_SLOT_FULL);
	assert_int_equal(watch_health(&b->hall), ERR_OK);
}

static void a_book_that_is_gone_is_a_fault_at_the_next_write(void **state)
{
	struct book *b = *state;
	char aside[4200];

	snprintf(aside, sizeof aside, "%s.aside", b->path);
	assert_int_equal(rename(b->path, aside), 0);
	assert_int_equal(db_begin(&b->db), ERR_BOOK_GONE);
	assert_int_equal(watch_health(&b->hall), ERR_BOOK_GONE);
	assert_int_equal(rename(aside, b->path), 0);
}

static void a_disk_that_cannot_be_asked_is_not_called_full(void **state)
{
	(void)state;
	assert_int_equal(watch_reason("/nowhere", ENOENT), ERR_BOOK_UNWRITABLE);
	assert_int_equal(watch_reason("/nowhere", ENOSPC), ERR_DISK_FULL);
	assert_int_equal(watch_reason("/nowhere", EROFS), ERR_DISK_READ_ONLY);
}

static void while_all_is_well_nothing_is_written(void **state)
{
	struct book *b = *state;
	int64_t before = log_size(b);

	for (int i = 0; i < 100; i++) {
		later(i * 1000);
		board_keeper_here(b->hall.board);
		assert_int_equal(watch_disk(&b->db, clock_now_s()), ERR_OK);
		assert_int_equal(watch_health(&b->hall), ERR_OK);
	}
	assert_int_equal(log_size(b), before);
}

static void a_disk_that_no_process_writes_to_is_tried_now_and_then(void **state)
{
	struct book *b = *state;
	int64_t before = log_size(b);

	later(601000);
	watch_disk(&b->db, clock_now_s());
	assert_true(log_size(b) > before);
	before = log_size(b);
	watch_disk(&b->db, clock_now_s());
	assert_int_equal(log_size(b), before);
}

/* Something is in the way of the trial, and goes away. */
static void a_fault_passes_without_a_booking(void **state)
{
	struct book *b = *state;
	char trial[128];

	snprintf(trial, sizeof trial, "%s/jari.trial", b->dir);
	assert_int_equal(mkdir(trial, 0700), 0);
	writes_failed(b->hall.writes, ERR_BOOK_UNWRITABLE);
	later(1000);
	watch_disk(&b->db, clock_now_s());
	assert_int_equal(watch_health(&b->hall), ERR_BOOK_UNWRITABLE);
	assert_int_equal(rmdir(trial), 0);
	watch_disk(&b->db, clock_now_s()); /* not yet: the pause is not over */
	assert_int_equal(watch_health(&b->hall), ERR_BOOK_UNWRITABLE);
	later(12000);
	watch_disk(&b->db, clock_now_s());
	assert_int_equal(writes_fault(b->hall.writes), ERR_OK);
	assert_int_not_equal(access(trial, F_OK), 0);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM writing"), 0);
}

static void one_process_tries_after_growing_pauses(void **state)
{
	struct book *b = *state;
	int tries = 0;

	writes_failed(b->hall.writes, ERR_BOOK_UNWRITABLE);
	for (int s = 0; s < 100; s++) {
		later(s * 1000);
		tries += writes_may_try(b->hall.writes);
		assert_false(writes_may_try(b->hall.writes)); /* another process does already */
	}
	assert_in_range(tries, 10, 16);
}

static void a_line_that_stands_still_is_a_fault(void **state)
{
	struct ticket_request r = {.kind = TICKET_MOVE};
	struct book *b = *state;
	uint64_t n, cursor = 0;

	line_seed(b->hall.line, 1);
	later(20000);
	assert_int_equal(watch_health(&b->hall), ERR_OK); /* no worker waits */
	assert_int_equal(line_draw(b->hall.line, &r, &n), ERR_OK);
	later(29000);
	assert_int_equal(watch_health(&b->hall), ERR_OK);
	later(31000);
	assert_int_equal(watch_health(&b->hall), ERR_LINE_STILL);
	assert_true(line_take(b->hall.line, &cursor, n + 1, &n));
	assert_int_equal(watch_health(&b->hall), ERR_LINE_STILL); /* it was taken, and its holder died */
	line_publish(b->hall.line, n, &(struct ticket_outcome){.err = ERR_INTERNAL});
	line_advance(b->hall.line, n + 1, 1, 1);
	assert_int_equal(watch_health(&b->hall), ERR_OK);
}

static void a_pen_that_is_held_for_long_is_a_fault(void **state)
{
	struct book *b = *state;

	assert_int_equal(hall_take_pen(&b->hall, 100), ERR_OK);
	later(9000);
	assert_int_equal(watch_health(&b->hall), ERR_OK);
	later(11000);
	assert_int_equal(watch_health(&b->hall), ERR_PEN_STUCK);
	hall_pass_pen(&b->hall);
	assert_int_equal(watch_health(&b->hall), ERR_OK);
}

static void a_silent_keeper_is_a_fault_while_a_supervisor_serves(void **state)
{
	struct book *b = *state;
	int lock;

	later(60000);
	assert_int_equal(watch_health(&b->hall), ERR_OK); /* a CGI program, or a command */
	assert_true(serving_take(b->dir, &lock));
	board_set_started_s(b->hall.board, clock_now_s());
	assert_int_equal(watch_health(&b->hall), ERR_KEEPER_GONE);
	board_keeper_here(b->hall.board);
	assert_int_equal(watch_health(&b->hall), ERR_OK);
	later(80000);
	assert_int_equal(watch_health(&b->hall), ERR_KEEPER_GONE);
	close(lock); /* it was killed: what it left on the board says nothing, and a CGI program serves without a keeper */
	assert_int_equal(watch_health(&b->hall), ERR_OK);
}

static void a_book_that_lacks_a_column_is_a_fault_for_good(void **state)
{
	struct book *b = *state;

	watch_book(&b->db);
	assert_int_equal(watch_health(&b->hall), ERR_OK);
	b->damaged = true;
	book_exec(b->db.handle, "ALTER TABLE cards RENAME TO cards_no_more");
	watch_book(&b->db);
	assert_int_equal(watch_health(&b->hall), ERR_BOOK_DAMAGED);
	assert_int_equal(book_add_guest(&b->db), ERR_OK);
	assert_int_equal(watch_health(&b->hall), ERR_BOOK_DAMAGED); /* some things can be saved; the book is not whole */
}

static void a_disk_tells_what_is_free(void **state)
{
	struct book *b = *state;

	assert_true(watch_free_bytes(b->dir) > 0);
	assert_int_equal(watch_free_bytes("/nowhere/at/all"), -1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_write_that_fails_is_a_fault_until_one_is_saved),
		TEST(a_refusal_is_no_fault),
		TEST(a_book_that_is_gone_is_a_fault_at_the_next_write),
		TEST(a_disk_that_cannot_be_asked_is_not_called_full),
		TEST(while_all_is_well_nothing_is_written),
		TEST(a_disk_that_no_process_writes_to_is_tried_now_and_then),
		TEST(a_fault_passes_without_a_booking),
		TEST(one_process_tries_after_growing_pauses),
		TEST(a_line_that_stands_still_is_a_fault),
		TEST(a_pen_that_is_held_for_long_is_a_fault),
		TEST(a_silent_keeper_is_a_fault_while_a_supervisor_serves),
		TEST(a_book_that_lacks_a_column_is_a_fault_for_good),
		TEST(a_disk_tells_what_is_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
