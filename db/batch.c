/*
 * batch.c - the pen at work.
 *
 * A batch is one BEGIN IMMEDIATE ... COMMIT: holds that have run out are released, then every waiting ticket is written
 * or refused, in the order of its number.  One flush for all of them is what makes a slow card fast.  Only after the
 * commit are outcomes published and waiters woken.
 *
 * EXACTLY ONE OUTCOME.  From before the commit until everything is published, line_suspect() says up to which number
 * tickets may be in the book without their clients knowing.  The next holder of the pen looks these up first:
 * the reservation that a ticket made, or the audit row of what else it did, carries its number.
 *
 * ONE BAD TICKET.  A process that dies leaves its tickets to the next one.  If a ticket itself is what ends them, it would
 * end every process there is and close the house; so the line counts who died while writing it, and the third is not tried.
 * A ticket that breaks a rule of the book where no savepoint guards it (its message cannot be written) costs its neighbours a
 * second turn, in which each has a savepoint of its own, and nothing more.
 */
#include "batch.h"

#include "booking.h"
#include "changes.h"
#include "charges.h"
#include "desk.h"
#include "doorlist.h"
#include "failpoint.h"
#include "guestlist.h"
#include "log.h"
#include "moves.h"
#include "offers.h"
#include "outbox.h"
#include "payevents.h"
#include "proofs.h"
#include "users.h"
#include "waitlist.h"
#include "wal.h"

#include <assert.h>

enum {
	BATCH_MAX = 2000,
	BATCH_MS = 250,    /* a batch that has been writing for this long commits; the rest is the next batch */
	STEP_MS = 50,      /* a waiter looks for itself this often, in case the process that should wake it died */
	LATE = 4,          /* a worker checkpoints only at this multiple of the keeper's WAL limit */
	DEATHS_MAX = 2,    /* a ticket that killed this many holders is not written again */
	SLOW_TURN_MS = 20, /* the reserve of workers waits only while a turn with the pen takes less than this */
};

/* A row per kind of ticket: how it is carried out, and which audit row tells that it was. */
static const struct kind {
	enum err (*write)(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);
	const char *entity, *change;
} kinds[TICKET__MAX] = {
#define X(kind, area, entity, change) [TICKET_##kind] = {area##_write, entity, change},
	TICKET_LIST(X)
#undef X
};

/* One batch from its beginning to its end. */
struct batch {
	struct db *db;
	struct line *line;
	struct txn txn;
	int64_t started_us;
	uint64_t end;                  /* the line's tail when it began */
	uint64_t reached;              /* every ticket below was taken */
	bool careful;                  /* a ticket has spoiled the batch once: each has a savepoint now */
	struct ticket_request request; /* of the ticket that was taken last */
	int count;
	struct {
		uint64_t number;
		enum ticket_kind kind;
		struct ticket_outcome outcome;
	} tickets[BATCH_MAX];
};

enum err batch_find_written(struct db *db, enum ticket_kind kind, uint64_t number, struct ticket_outcome *out)
{
	struct sqlite3_stmt *s;
	const char *word;
	enum err e;

	assert(kind < TICKET__MAX);
	s = stmt_use(db, SQL_TICKET_WRITTEN, "itt", (int64_t)number, kinds[kind].entity, kinds[kind].change);
	if (!stmt_row(db, s, &e))
		return e == ERR_OK ? ERR_NOT_FOUND : e;
	*out = (struct ticket_outcome){0};
	stmt_take(s, "imw", &out->id, &out->hold_until_s, &word);
	if (kind == TICKET_ACT) /* money that came too late is written down, and refused all the same */
		out->err = (int32_t)err_from_text(word);
	stmt_done(s);
	return ERR_OK;
}

static enum err find_if_suspect(struct batch *b, int i)
{
	uint64_t number;

	assert(i >= 0 && i < b->count);
	number = b->tickets[i].number;
	if (number >= line_suspect(b->line))
		return ERR_NOT_FOUND;
	return batch_find_written(b->db, b->tickets[i].kind, number, &b->tickets[i].outcome);
}

static enum err write_ticket(struct batch *b, int i)
{
	const struct ticket_request *r = &b->request;
	uint64_t number = b->tickets[i].number;
	enum err e = find_if_suspect(b, i);
	int deaths;

	if (e != ERR_NOT_FOUND)
		return e;
	b->tickets[i].outcome = (struct ticket_outcome){0};
	deaths = line_begin_writing(b->line, number);
	if (deaths >= DEATHS_MAX && !WITHOUT("deaths")) {
		log_error("batch.deadly", "ticket=%llu kind=%d deaths=%d: refused", (unsigned long long)number, r->kind,
			  deaths);
		b->tickets[i].outcome.err = ERR_INTERNAL;
		e = ERR_OK;
	} else {
		FAILPOINT("batch.writing");
		e = kinds[r->kind].write(&b->txn, r, number, &b->tickets[i].outcome);
	}
	/* Seats that it freed are given to those who wait for them before the next ticket can have them. */
	if (e == ERR_OK)
		e = offers_serve(&b->txn);
	line_end_writing(b->line, number);
	return e;
}

/*
 * What it breaks is its own outcome; what is wrong with the disk or the file is everybody's.  The savepoint has a name of its
 * own: the one that the ticket opened, and may not have closed, goes with it.
 */
static enum err write_carefully(struct batch *b, int i)
{
	enum err e = stmt_run(b->db, SQL_TICKET_MARK, "");

	if (e == ERR_OK)
		e = write_ticket(b, i);
	if (e == ERR_OK)
		return stmt_run(b->db, SQL_TICKET_KEEP, "");
	if (!txn_refuses_one(e))
		return e;
	log_error("batch.refused", "ticket=%llu kind=%d why=%s", (unsigned long long)b->tickets[i].number,
		  (int)b->tickets[i].kind, err_word(e));
	b->tickets[i].outcome = (struct ticket_outcome){.err = (int32_t)e};
	txn_forget(&b->txn);
	b->txn.told.restaurant_id = 0; /* the owner's message may be gone with it */
	e = stmt_run(b->db, SQL_TICKET_UNDO, "");
	return e == ERR_OK ? stmt_run(b->db, SQL_TICKET_KEEP, "") : e;
}

static bool has_time(const struct batch *b)
{
	return b->count == 0 || clock_mono_us() - b->started_us < BATCH_MS * INT64_C(1000) || WITHOUT("batch_ms");
}

/* Takes the next waiting ticket below b->end into the batch; false when there is none, or the batch is full. */
static bool take_next(struct batch *b)
{
	uint64_t number;
	bool known;

	if (b->count == BATCH_MAX || !line_take(b->line, &b->reached, b->end, &number))
		return false;
	known = line_request(b->line, number, &b->request);
	assert(known && b->request.kind >= 0 && b->request.kind < TICKET__MAX);
	assert(b->count == 0 || number > b->tickets[b->count - 1].number);
	b->tickets[b->count].number = number;
	b->tickets[b->count].kind = (enum ticket_kind)b->request.kind;
	b->count++;
	return true;
}

static enum err write_all(struct batch *b)
{
	enum err e = offers_serve(&b->txn); /* seats that came free meanwhile */

	while (e == ERR_OK && has_time(b) && take_next(b)) {
		e = b->careful ? write_carefully(b, b->count - 1) : write_ticket(b, b->count - 1);
		FAILPOINT("batch.written");
	}
	return e;
}

static void count_outcome(struct counters *counters, enum err e)
{
	counters_count(counters, e == ERR_OK        ? COUNTER_outcomes_ok :
				 e == ERR_SLOT_FULL ? COUNTER_outcomes_full :
				 e == ERR_DUPLICATE ? COUNTER_outcomes_duplicate :
						      COUNTER_outcomes_other);
}

/* Those who come next learn how much room is left; and a booking that is refused wrote nothing, so it does not count. */
static void leave_hint(struct batch *b, int i)
{
	const struct ticket_outcome *o = &b->tickets[i].outcome;
	const struct ticket_book *book = &b->request.u.book;

	if (b->tickets[i].kind != TICKET_BOOK || (!o->made_s && !o->err) ||
	    !line_request(b->line, b->tickets[i].number, &b->request))
		return;
	if (o->made_s || o->err == ERR_SLOT_FULL)
		hint_mark(b->db->hall->hint, &book->want, o->remaining);
	if (o->err && book->who.network)
		rate_give_back(b->db->hall->rate, RATE_MADE, book->who.network);
}

static void publish(struct batch *b)
{
	struct hall *h = b->db->hall;

	assert(pen_is_ours(b->db->hall->pen) && b->reached <= b->end);
	for (int i = 0; i < b->count; i++) {
		struct ticket_outcome *o = &b->tickets[i].outcome;

		leave_hint(b, i);
		count_outcome(h->counters, (enum err)o->err);
		line_publish(b->line, b->tickets[i].number, o);
		FAILPOINT("batch.published");
	}
	line_advance(b->line, b->reached, b->count, clock_mono_us() - b->started_us);
	line_set_suspect(b->line, 0);
}

/* Before a guest is told: a guest who hears of a cancel may book again in the same moment. */
static void unlock_freed(struct batch *b)
{
	for (int i = 0; i < b->txn.freed_count; i++) {
		const struct txn_freed *f = &b->txn.freed[i];

		line_unlock_guest(b->line, f->user_id, f->restaurant_id, f->date, f->time);
		if (f->phone_key)
			line_unlock_guest(b->line, -f->phone_key, f->restaurant_id, f->date, f->time);
	}
}

static enum err put_all_back(struct batch *b)
{
	for (int i = 0; i < b->count; i++)
		line_put_back(b->line, b->tickets[i].number);
	return ERR_BOOK_BUSY;
}

/*
 * The batch could not be committed.  ERR_UNKNOWN: no ticket gets an outcome; a fresh process will look.  ERR_BOOK_BUSY
 * (a foreign writer): the tickets keep their places.  Otherwise every ticket up to b->end is told that nothing can be
 * saved, except those that an earlier holder committed before it died.
 */
static enum err give_up(struct batch *b, enum err e)
{
	if (e == ERR_UNKNOWN)
		return e;
	if (e == ERR_BOOK_BUSY)
		return put_all_back(b); /* still suspect: an earlier holder's commit may be among them */
	while (take_next(b))
		;
	for (int i = 0; i < b->count; i++) {
		enum err found = find_if_suspect(b, i);

		if (found == ERR_NOT_FOUND)
			b->tickets[i].outcome = (struct ticket_outcome){.err = (int32_t)e};
		else if (found != ERR_OK)
			return put_all_back(b); /* the book cannot be asked now: they stay in the line, and stay suspect */
	}
	publish(b);
	return e;
}

/* From the beginning of the transaction to its end. */
static enum err try_batch(struct batch *b, bool careful)
{
	enum err e;

	b->started_us = clock_mono_us();
	b->reached = 0;
	b->count = 0;
	b->careful = careful;
	e = txn_begin_locked(&b->txn, b->db, clock_now_s());
	FAILPOINT("batch.begun");
	if (e != ERR_OK)
		return e;
	e = write_all(b);
	/* What an earlier holder may have committed stays suspect until it is published. */
	if (e == ERR_OK && b->reached > line_suspect(b->line))
		line_set_suspect(b->line, b->reached);
	FAILPOINT("batch.before_commit");
	e = txn_end_locked(&b->txn, e);
	FAILPOINT("batch.committed");
	return e;
}

/* One batch.  The caller holds the pen.  hurry: the caller's own guest waits, so it leaves checkpoints to the keeper. */
static enum err serve_locked(struct db *db, bool hurry)
{
	static struct batch b; /* static for its size only: nothing of it lives on */
	enum err e;

	assert(pen_is_ours(db->hall->pen));
	b.db = db;
	b.line = db->hall->line;
	b.end = line_tail(b.line);
	e = try_batch(&b, false);
	if (txn_refuses_one(e) && b.count > 0) {
		put_all_back(&b); /* it was rolled back: not one of them is in the book */
		e = try_batch(&b, true);
	}
	if (e != ERR_OK)
		return give_up(&b, e);
	unlock_freed(&b);
	publish(&b);
	wal_tidy_locked(db, hurry ? LATE : 1); /* after everybody else has an answer */
	return ERR_OK;
}

/* How long to sleep before looking again; 0: not at all.  The reserve waits only while turns with the pen are short. */
static int64_t patience_ms(struct hall *h, int post)
{
	if (post < 0 || board_may_wait(h->board))
		return STEP_MS;
	return pen_turn_ms(h->pen) < SLOW_TURN_MS ? SLOW_TURN_MS : 0;
}

/* Takes the pen if it is free, serves one batch, and passes it on: our own guest does not wait for a second one. */
static enum err lead(struct db *db)
{
	enum err e = hall_take_pen(db->hall, 0);

	if (e != ERR_OK)
		return e;
	if (line_length(db->hall->line))
		e = serve_locked(db, true);
	if (e == ERR_OK)
		hall_pass_pen(db->hall);
	else
		hall_drop_pen(db->hall); /* the waiting workers try again by themselves, within STEP_MS */
	return e;
}

enum err batch_wait(struct db *db, uint64_t number, int64_t wait_ms, int post, bool (*keep)(void *), void *arg,
		    struct ticket_outcome *out)
{
	struct hall *h = db->hall;
	int64_t until = clock_mono_ms() + wait_ms, left, step;
	enum line_state state;
	enum err e = ERR_WAITING;
	bool slept = false, led = false;

	assert(!db->reading && number);
	board_waiting(h->board, post, true);
	for (;;) {
		uint32_t word = line_word(h->line, number);

		state = line_look(h->line, number, out);
		if (state == LINE_DONE || state == LINE_FREE || state == LINE_LEFT)
			break;
		/* Behind a long line a batch that we led ends before it comes to our own ticket; the pen was passed on. */
		if (led && (clock_mono_ms() >= until || (keep && !keep(arg))))
			break;
		e = lead(db);
		led = e == ERR_OK;
		if (e == ERR_UNKNOWN)
			break;
		if (led)
			continue;
		e = ERR_WAITING;
		left = until - clock_mono_ms();
		step = patience_ms(h, post);
		if (left <= 0 || step == 0 || (slept && keep && !keep(arg)))
			break;
		line_sleep(h->line, number, word, left < step ? left : step);
		slept = true;
	}
	board_waiting(h->board, post, false);
	if (state == LINE_DONE)
		return ERR_OK;
	line_detach(h->line, number);
	/* No worker waits for it now; tell the keeper, in case none waits at all. */
	line_ring_bell(h->line);
	return e == ERR_UNKNOWN   ? e :
	       state == LINE_LEFT ? ERR_LEFT_LINE :
	       state == LINE_FREE ? ERR_NO_SUCH_TICKET :
				    ERR_WAITING;
}

enum err batch_prepare(struct db *db)
{
	int64_t newest = 0;
	uint64_t first;
	enum err e;

	if (line_seeded(db->hall->line))
		return ERR_OK;
	e = stmt_number(db, SQL_TICKET_MAX, &newest, "");
	if (e == ERR_OK)
		e = hall_first_ticket(db->hall, (uint64_t)newest + 1, &first);
	if (e == ERR_OK)
		line_seed(db->hall->line, first);
	return e;
}

enum err batch_serve(struct db *db, int64_t ms)
{
	enum err e;

	assert(!db->reading);
	if (line_length(db->hall->line) == 0)
		return ERR_OK;
	e = hall_take_pen(db->hall, ms);
	if (e != ERR_OK)
		return e;
	if (line_length(db->hall->line))
		e = serve_locked(db, false);
	hall_drop_pen(db->hall);
	return e;
}
