/*
 * test_batch_faults.c - holders that are killed, commits of unknown end, books that cannot be written: every ticket has one outcome.
 */
#include "batch.h"

#include "clock.h"
#include "kid.h"
#include "noon.h"
#include "unit.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

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
		struct ticket_request r = noon_wish(i + 10, 4);

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
	assert_int_equal(noon_count(b, "1"), rows_left);
	/* A newcomer must not get in front of those who were being served. */
	assert_int_equal(noon_done(b, noon_wish(99, 4)).err, ERR_SLOT_FULL);
	for (int i = 0; i < 12; i++) {
		struct ticket_outcome o = noon_outcome(b, p->n[i]);

		assert_int_equal(o.err, i < 10 ? ERR_OK : ERR_SLOT_FULL);
		if (i < 10)
			assert_int_equal(book_int(b->db.handle, "SELECT reservation_id FROM reservations WHERE ticket = %lld",
						  (long long)p->n[i]),
					 o.id);
		if (i < 10 && o.made_s) /* else the answer is read from the book */
			assert_int_equal(book_int(b->db.handle,
						  "SELECT reservation_code = '%s' FROM reservations"
						  " WHERE reservation_id = %lld",
						  o.code, (long long)o.id),
					 1);
	}
	assert_int_equal(noon_count(b, "1"), 10);
	assert_int_equal(line_length(b->hall.line), 0);
	assert_int_equal(line_suspect(b->hall.line), 0);
	assert_int_equal(pen_holder(b->hall.pen), 0);
	kid_unshare(p, sizeof *p);
}

/* The third of twelve kills its writer. */
static int serve_what_is_there_and_die(void *arg)
{
	struct batch_of_12 *p = arg;

	if (db_open(&p->b->db, p->b->dir, &p->b->hall) != ERR_OK)
		return 1;
	setenv("JARI_FAILPOINT", p->failpoint, 1);
	batch_serve(&p->b->db, 1000);
	return 3;
}

static void a_ticket_that_kills_two_holders_is_refused_and_those_behind_it_are_served(void **state)
{
	struct book *b = *state;
	struct batch_of_12 *p = kid_share(sizeof *p);

	p->b = b;
	p->failpoint = "batch.writing:kill:3";
	assert_int_equal(kid_run(serve_and_die, p), KID_KILLED + SIGKILL);
	assert_int_equal(kid_run(serve_what_is_there_and_die, p), KID_KILLED + SIGKILL);
	book_open(b);
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	for (int i = 0; i < 12; i++)
		assert_int_equal(noon_outcome(b, p->n[i]).err, i == 2 ? ERR_INTERNAL : i < 11 ? ERR_OK : ERR_SLOT_FULL);
	assert_int_equal(noon_count(b, "1"), 10);
	assert_int_equal(line_length(b->hall.line), 0);
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
	struct ticket_request confirm = noon_move(p->id, MOVE_CONFIRM, BY_RESTAURANT),
			      cancel = noon_move(p->id, MOVE_CANCEL, BY_RESTAURANT);

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
	p->id = noon_done(b, noon_wish(1, 2)).id;
	book_close(b);
	assert_int_equal(kid_run(move_twice_and_die, p), KID_KILLED + SIGKILL);
	book_open(b);
	assert_int_equal(noon_served(b, p->n[0]).err, ERR_OK); /* not BAD_MOVE: it was carried out */
	assert_int_equal(noon_outcome(b, p->n[1]).err, ERR_OK);
	assert_int_equal(noon_money(b, "due_back_amount"), 10000);
	kid_unshare(p, sizeof *p);
}

static void a_holder_killed_after_begin_has_written_nothing(void **state)
{
	a_holder_killed_at(*state, "batch.begun:kill:1", 0);
}

static void a_holder_killed_among_its_tickets_has_written_nothing(void **state)
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

static void a_holder_killed_while_it_tells_the_outcomes_told_the_truth(void **state)
{
	a_holder_killed_at(*state, "batch.published:kill:5", 10);
}

/* A checkpoint may take long on a slow card: no guest waits for it. */
static void everybody_has_their_answer_before_the_checkpoint(void **state)
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
	assert_int_equal(counters_get(b->hall.counters, COUNTER_checkpoints), 0);
	for (int i = 0; i < 12; i++)
		assert_int_equal(noon_outcome(b, p->n[i]).err, i < 10 ? ERR_OK : ERR_SLOT_FULL);
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
	r = noon_wish(9, 4);
	if (noon_through(db, &r, 1000, &o) != ERR_OK) /* the log is open from here on */
		return 2;
	sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
	log_file.real = file->pMethods;
	log_file.ours = *log_file.real;
	log_file.ours.xSync = fail_sync;
	file->pMethods = &log_file.ours;
	for (int i = 0; i < 12; i++) {
		r = noon_wish(i + 10, 4);
		if (line_draw(p->b->hall.line, &r, &p->n[i]) != ERR_OK)
			return 3;
	}
	if (batch_serve(db, 1000) != ERR_UNKNOWN || !db_poisoned(db))
		return 4;
	for (int i = 0; i < 12; i++) /* no ticket has an outcome */
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
	assert_int_equal(noon_count(b, "1"), 10); /* it had landed, nine of the twelve */
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	for (int i = 0; i < 12; i++)
		assert_int_equal(noon_outcome(b, p->n[i]).err, i < 9 ? ERR_OK : ERR_SLOT_FULL);
	assert_int_equal(noon_count(b, "1"), 10);
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
	late = noon_draw(b, noon_wish(50, 4));
	book_exec(b->db.handle, "PRAGMA query_only=1");
	assert_int_equal(batch_serve(&b->db, 1000), ERR_BOOK_UNWRITABLE);
	for (int i = 0; i < 12; i++)
		assert_int_equal(noon_outcome(b, p->n[i]).err, i < 10 ? ERR_OK : ERR_BOOK_UNWRITABLE);
	assert_int_equal(noon_outcome(b, late).err, ERR_BOOK_UNWRITABLE);
	book_exec(b->db.handle, "PRAGMA query_only=0");
	assert_int_equal(noon_count(b, "1"), 10);
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
	struct ticket_request confirm = noon_move(p->id, MOVE_CONFIRM, BY_RESTAURANT);
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
	p->id = noon_done(b, noon_wish(1, 2)).id;
	db_close(&b->db);
	assert_int_equal(kid_run(log_out_and_confirm_and_die, p), KID_KILLED + SIGKILL);
	book_open(b);
	book_exec(b->db.handle, "PRAGMA query_only=1");
	assert_int_equal(batch_serve(&b->db, 1000), ERR_BOOK_UNWRITABLE);
	assert_int_equal(noon_outcome(b, p->logout).err, ERR_OK);
	assert_int_equal(noon_outcome(b, p->logout).id, 4711);
	assert_int_equal(noon_outcome(b, p->move).err, ERR_OK);
	assert_int_equal(noon_outcome(b, p->move).id, p->id);
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
		n[i] = noon_draw(b, noon_wish((int64_t)i + 1, 2));
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
	assert_int_equal(noon_count(b, "1"), told);
	assert_int_equal(line_length(b->hall.line), 10 - told);
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	for (size_t i = 0; i < COUNT(n); i++)
		assert_int_equal(noon_outcome(b, n[i]).err, ERR_OK);
}

/* ---- a book that cannot be written ---- */

static void a_full_disk_is_told_to_everybody_in_the_batch(void **state)
{
	struct book *b = *state;
	uint64_t n[300];

	book_exec(b->db.handle, "PRAGMA max_page_count=%lld", (long long)book_int(b->db.handle, "PRAGMA page_count"));
	for (size_t i = 0; i < COUNT(n); i++) {
		struct ticket_request r = noon_wish((int64_t)i + 1, 1);

		r.u.book.want.capacity = 1000;
		n[i] = noon_draw(b, r);
	}
	assert_int_equal(batch_serve(&b->db, 1000), ERR_BOOK_UNWRITABLE);
	for (size_t i = 0; i < COUNT(n); i++)
		assert_int_equal(noon_outcome(b, n[i]).err, ERR_BOOK_UNWRITABLE);
	assert_int_equal(noon_count(b, "1"), 0);
	assert_int_equal(line_length(b->hall.line), 0);
	book_exec(b->db.handle, "PRAGMA max_page_count=100000"); /* the disk has room again */
	assert_int_equal(noon_done(b, noon_wish(1, 2)).err, ERR_OK);
}

static void a_book_that_takes_nothing_at_all_is_told_as_well(void **state)
{
	struct book *b = *state;
	uint64_t a = noon_draw(b, noon_wish(1, 2)), c = noon_draw(b, noon_wish(2, 2));

	book_exec(b->db.handle, "PRAGMA query_only=1"); /* the very first write of the batch fails */
	assert_int_equal(batch_serve(&b->db, 1000), ERR_BOOK_UNWRITABLE);
	assert_int_equal(noon_outcome(b, a).err, ERR_BOOK_UNWRITABLE);
	assert_int_equal(noon_outcome(b, c).err, ERR_BOOK_UNWRITABLE);
	assert_int_equal(line_length(b->hall.line), 0);
	book_exec(b->db.handle, "PRAGMA query_only=0");
	assert_int_equal(noon_done(b, noon_wish(1, 2)).err, ERR_OK);
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

static void a_client_that_finds_the_book_busy_keeps_its_place(void **state)
{
	struct book *b = *state;
	pid_t kid = kid_start(hold_sqlite_lock, b);
	struct ticket_outcome o;
	uint64_t n[3];

	assert_true(kid_wait(&talk->ready));
	book_open(b);
	assert_int_equal(batch_prepare(&b->db), ERR_OK);
	for (int i = 0; i < 3; i++)
		n[i] = noon_draw(b, noon_wish(i + 1, 20));
	assert_int_equal(batch_serve(&b->db, 1000), ERR_BOOK_BUSY);
	for (int i = 0; i < 3; i++)
		assert_int_equal(line_look(b->hall.line, n[i], &o), LINE_QUEUED);
	assert_int_equal(pen_holder(b->hall.pen), 0);
	atomic_store(&talk->go, 1);
	assert_int_equal(kid_end(kid), 0);
	assert_int_equal(noon_served(b, n[0]).err, ERR_OK);
	assert_int_equal(noon_outcome(b, n[1]).err, ERR_OK);
	assert_int_equal(noon_outcome(b, n[2]).err, ERR_SLOT_FULL);
}

struct waiter {
	struct book *b;
	uint64_t number;
	struct ticket_outcome outcome;
};

static int wait_in_line(void *arg)
{
	struct waiter *w = arg;
	struct ticket_request r = noon_wish(1, SEATS);

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

/* A waiter tries again and again; with the pen in hand for SQLite's two seconds each time, no other process could write. */
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
	late = noon_draw(b, noon_wish(2, 4));
	pen_release(b->hall.pen);
	atomic_store(&talk->go, 1);
	assert_int_equal(kid_end(foreigner), 0);
	assert_int_equal(kid_end(waiter), 0);
	assert_int_equal(w->outcome.err, ERR_OK);
	assert_int_equal(noon_outcome(b, late).err, ERR_SLOT_FULL); /* in the same batch, behind them */
	kid_unshare(w, sizeof *w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_CLOSED(a_holder_killed_after_begin_has_written_nothing),
		TEST_CLOSED(moves_that_were_committed_are_recognised),
		TEST_CLOSED(a_ticket_that_kills_two_holders_is_refused_and_those_behind_it_are_served),
		TEST_CLOSED(a_holder_killed_among_its_tickets_has_written_nothing),
		TEST_CLOSED(a_holder_killed_before_the_commit_has_written_nothing),
		TEST_CLOSED(a_commit_that_landed_is_recognised_and_not_a_duplicate),
		TEST_CLOSED(a_holder_killed_while_it_tells_the_outcomes_told_the_truth),
		TEST_CLOSED(everybody_has_their_answer_before_the_checkpoint),
		TEST_CLOSED(a_commit_of_unknown_end_is_looked_up_by_a_fresh_process),
		TEST_CLOSED(a_suspect_who_is_in_the_book_is_not_told_that_nothing_could_be_saved),
		TEST_CLOSED(nor_is_a_logout_or_a_move_that_is_in_the_book),
		TEST(a_batch_that_takes_too_long_passes_the_pen_on),
		TEST(a_full_disk_is_told_to_everybody_in_the_batch),
		TEST(a_book_that_takes_nothing_at_all_is_told_as_well),
		TEST_CLOSED(a_client_that_finds_the_book_busy_keeps_its_place),
		TEST_CLOSED(a_foreign_writer_does_not_keep_the_pen_from_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
