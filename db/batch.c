/*
 * serve.c - the pen at work.
 *
 * A batch is one BEGIN IMMEDIATE ... COMMIT: due holds expire, then every waiting ticket is written or
 * refused, in the order of its number.  One flush for all of them is what makes a slow card fast.
 * Only after the commit are outcomes published and waiters woken.
 *
 * EXACTLY ONE OUTCOME.  From before the commit until everything is published, line_suspect() says up
 * to which number tickets may be in the book without anybody knowing.  Whoever serves next looks these
 * up by their number first: the reservation carries it, and so do a guest's row and the audit of a move.
 */
#include "batch.h"

#include "booking.h"
#include "failpoint.h"
#include "log.h"
#include "users.h"

#include <assert.h>
#include <stdlib.h>

enum {
	BATCH_MAX = 2000,
	STEP_MS = 50,     /* a waiter looks for itself so often, in case whoever should wake it died */
	LATE = 4,         /* times as long a log as the keeper would let grow */
	SLOW_MS = 20,     /* a turn with the pen takes so long: the reserve does not wait for it */
};

static struct batch {
	uint64_t numbers[BATCH_MAX];
	const struct ticket_request *requests[BATCH_MAX]; /* in the line; ours until they are published */
	struct ticket_outcome outcomes[BATCH_MAX];
	int count;
	/* Guests whose cancelled success no longer locks them out, once it is committed. */
	struct reservation *unlock;
	int unlock_count, unlock_cap;
} batch;

static void remember_unlock(const struct reservation *v)
{
	struct reservation *p = batch.unlock;

	if (batch.unlock_count == batch.unlock_cap) {
		int cap = batch.unlock_cap ? batch.unlock_cap * 2 : 16;

		p = realloc(p, (size_t)cap * sizeof *p);
		if (!p)
			return; /* he waits five seconds; nothing is lost */
		batch.unlock = p;
		batch.unlock_cap = cap;
	}
	p[batch.unlock_count++] = *v;
}

/* Has an earlier holder written this ticket before he died?  ERR_NOT_FOUND: no. */
static enum err find_written(struct db *db, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	bool moved = false;
	enum err e = ERR_NOT_FOUND;

	*out = (struct ticket_outcome){0};
	switch ((enum ticket_kind)r->kind) {
	case TICKET_BOOK:
		e = booking_by_ticket(db, number, out);
		return e == ERR_NO_SUCH_RESERVATION ? ERR_NOT_FOUND : e;
	case TICKET_GUEST:
		return users_by_ticket(db, number, &out->id);
	case TICKET_MOVE:
		out->id = r->u.move.reservation_id;
		e = booking_was_moved(db, out->id, number, &moved);
		return e == ERR_OK && !moved ? ERR_NOT_FOUND : e;
	}
	return e;
}

static enum err write_move(struct db *db, const struct ticket_move *m, uint64_t number, int64_t now_s,
			   struct ticket_outcome *out)
{
	struct reservation v;
	enum err e = booking_move(db, m, number, now_s, out, &v);

	if (e == ERR_OK && out->err == ERR_OK && m->kind == MOVE_CANCEL)
		remember_unlock(&v);
	return e;
}

static enum err write_ticket(struct db *db, const struct ticket_request *r, uint64_t number, int64_t now_s,
			     struct ticket_outcome *out)
{
	const struct ticket_guest *g = &r->u.guest;
	enum err e = number < line_suspect(db->hall->line) ? find_written(db, r, number, out) : ERR_NOT_FOUND;

	if (e != ERR_NOT_FOUND)
		return e;
	*out = (struct ticket_outcome){0};
	switch ((enum ticket_kind)r->kind) {
	case TICKET_BOOK:
		return booking_write(db, &r->u.book, number, now_s, out);
	case TICKET_GUEST:
		e = users_add_guest_locked(db, g->name, g->phone, g->email[0] ? g->email : NULL, (enum lang)g->lang, number,
					 now_s, &out->id);
		if (e != ERR_INTERNAL)
			return e;
		out->err = (int32_t)e; /* a rule of the book: his neighbours have nothing to do with it */
		return ERR_OK;
	case TICKET_MOVE:
		return write_move(db, &r->u.move, number, now_s, out);
	}
	*out = (struct ticket_outcome){.err = ERR_INTERNAL};
	return ERR_OK;
}

/* Writes everybody below `end`, as many as fit in a batch; *reached is where it stopped. */
static enum err write_all(struct db *db, uint64_t end, uint64_t *reached)
{
	const struct ticket_request *r;
	int64_t now_s = clock_now_s();
	uint64_t cursor = 0, number;
	int expired;
	enum err e = booking_expire_due_locked(db, now_s, &expired);

	if (e == ERR_OK && expired)
		board_add(db->hall->board, BOARD_holds_expired, (uint64_t)expired);
	while (e == ERR_OK && batch.count < BATCH_MAX && (r = line_take(db->hall->line, &cursor, end, &number))) {
		batch.numbers[batch.count] = number;
		batch.requests[batch.count] = r;
		e = write_ticket(db, r, number, now_s, &batch.outcomes[batch.count]);
		batch.count++;
		FAILPOINT("batch.written");
	}
	*reached = cursor;
	return e;
}

static void count_outcome(struct board *b, enum err e)
{
	board_count(b, e == ERR_OK          ? BOARD_outcomes_ok :
		       e == ERR_SLOT_FULL ? BOARD_outcomes_full :
		       e == ERR_DUPLICATE ? BOARD_outcomes_duplicate :
					    BOARD_outcomes_other);
}

static void mark_hint(struct hint *hint, const struct ticket_request *r, const struct ticket_outcome *o)
{
	if (r->kind == TICKET_BOOK && (o->made_s || o->err == ERR_SLOT_FULL))
		hint_mark(hint, &r->u.book, o->remaining);
}

static void publish(struct db *db, uint64_t reached, int64_t started_us)
{
	struct line *l = db->hall->line;

	/* Before anybody is told: whoever hears of his cancel may book again in the same moment. */
	for (int i = 0; i < batch.unlock_count; i++)
		line_unlock_guest(l, batch.unlock[i].user_id, batch.unlock[i].restaurant_id, batch.unlock[i].date,
				  batch.unlock[i].time);
	for (int i = 0; i < batch.count; i++) {
		mark_hint(db->hall->hint, batch.requests[i], &batch.outcomes[i]);
		count_outcome(db->hall->board, (enum err)batch.outcomes[i].err);
		line_publish(l, batch.numbers[i], &batch.outcomes[i]);
		FAILPOINT("batch.published");
	}
	line_advance(l, reached, batch.count, clock_mono_us() - started_us);
	line_set_suspect(l, 0);
}

static enum err put_all_back(struct line *l)
{
	for (int i = 0; i < batch.count; i++)
		line_put_back(l, batch.numbers[i]);
	return ERR_BOOK_BUSY;
}

/*
 * The batch could not be committed.  Unknown: nobody is told anything, a fresh process will look.
 * Busy (a foreign writer): they keep their places.  Otherwise everybody up to `end` hears that nothing
 * can be saved, but for those whom an earlier holder booked before he died.
 */
static enum err give_up(struct db *db, enum err e, uint64_t reached, uint64_t end, int64_t started_us)
{
	struct line *l = db->hall->line;

	if (e == ERR_UNKNOWN)
		return e;
	if (e == ERR_BOOK_BUSY)
		return put_all_back(l); /* still suspect: an earlier holder's commit may be among them */
	while (batch.count < BATCH_MAX &&
	       (batch.requests[batch.count] = line_take(l, &reached, end, &batch.numbers[batch.count])))
		batch.count++;
	for (int i = 0; i < batch.count; i++) {
		enum err found = batch.numbers[i] < line_suspect(l) ?
					 find_written(db, batch.requests[i], batch.numbers[i], &batch.outcomes[i]) :
					 ERR_NOT_FOUND;

		if (found == ERR_NOT_FOUND)
			batch.outcomes[i] = (struct ticket_outcome){.err = (int32_t)e};
		else if (found != ERR_OK)
			return put_all_back(l); /* nobody can tell now: they stay, and stay suspect */
	}
	batch.unlock_count = 0;
	publish(db, reached, started_us);
	return e;
}

/* One batch.  The caller holds the pen.  A worker whose guest waits tidies only if nobody else has for long. */
static enum err serve_batch_locked(struct db *db, bool hurry)
{
	struct line *l = db->hall->line;
	uint64_t end = line_tail(l), reached = 0;
	int64_t started_us = clock_mono_us();
	enum err e = db_begin_locked(db);

	batch.count = 0;
	batch.unlock_count = 0;
	FAILPOINT("batch.begun");
	if (e == ERR_BOOK_BUSY)
		return e;
	if (e == ERR_OK) {
		e = write_all(db, end, &reached);
		/* What an earlier holder may have committed stays suspect until it is published. */
		if (e == ERR_OK && reached > line_suspect(l))
			line_set_suspect(l, reached);
		FAILPOINT("batch.before_commit");
		e = db_end_locked(db, e);
		FAILPOINT("batch.committed");
	}
	if (e != ERR_OK)
		return give_up(db, e, reached, end, started_us);
	publish(db, reached, started_us);
	db_tidy_locked(db, hurry ? LATE : 1); /* after everybody else has his answer */
	return ERR_OK;
}

/* Serves one batch.  ERR_OK: the pen is still in our hand.  ERR_BOOK_BUSY: somebody else has it. */
static enum err lead(struct db *db, int64_t ms, bool hurry)
{
	struct hall *h = db->hall;
	bool inherited;
	enum err e = ms > 0 ? pen_take(h->pen, ms, &inherited) : pen_try(h->pen, &inherited);

	if (e != ERR_OK)
		return e;
	if (shm_gone(&h->shm)) {
		/* Thrown away behind our back: its pen is nobody's. */
		pen_release(h->pen);
		return ERR_UNKNOWN;
	}
	board_count(h->board, BOARD_pen_takes);
	if (inherited) {
		board_count(h->board, BOARD_pen_inherited);
		log_warn("pen.inherited", "its last holder died");
	}
	if (line_length(h->line))
		e = serve_batch_locked(db, hurry);
	if (e != ERR_OK)
		pen_release(h->pen);
	return e;
}

/* How long to sleep before looking again; 0: not at all.  The reserve waits only while the pen moves quickly. */
static int64_t patience_ms(struct hall *h, int place)
{
	if (place < 0 || board_may_wait(h->board))
		return STEP_MS;
	return pen_turn_ms(h->pen) < SLOW_MS ? SLOW_MS : 0;
}

enum err batch_wait(struct db *db, uint64_t number, int64_t wait_ms, int place, bool (*keep)(void *), void *arg,
		    struct ticket_outcome *out)
{
	struct hall *h = db->hall;
	int64_t until = clock_mono_ms() + wait_ms, left, step;
	enum line_state state;
	enum err e = ERR_WAITING;
	bool slept = false;

	assert(!db->reading);
	board_waiting(h->board, place, true);
	for (;;) {
		uint32_t word = line_word(h->line, number);

		state = line_look(h->line, number, out);
		if (state == LINE_DONE || state == LINE_FREE || state == LINE_LEFT)
			break;
		e = lead(db, 0, true);
		if (e == ERR_UNKNOWN)
			break;
		if (e == ERR_OK) {
			hall_pass_pen(h); /* our own guest is not kept waiting for other people's */
			continue;
		}
		e = ERR_WAITING;
		left = until - clock_mono_ms();
		step = patience_ms(h, place);
		if (left <= 0 || step == 0 || (slept && keep && !keep(arg)))
			break;
		line_sleep(h->line, number, word, left < step ? left : step);
		slept = true;
	}
	board_waiting(h->board, place, false);
	if (state == LINE_DONE)
		return ERR_OK;
	line_detach(h->line, number);
	/* Nobody waits for it now; the keeper is told, in case nobody waits at all. */
	line_ring_bell(h->line);
	return e == ERR_UNKNOWN ? e : state == LINE_LEFT ? ERR_LEFT_LINE : state == LINE_FREE ? ERR_NO_SUCH_TICKET : ERR_WAITING;
}

enum err batch_prepare(struct db *db)
{
	uint64_t newest, first;
	enum err e;

	if (line_seeded(db->hall->line))
		return ERR_OK;
	e = booking_max_ticket(db, &newest);
	if (e == ERR_OK)
		e = hall_first_ticket(db->hall, newest + 1, &first);
	if (e == ERR_OK)
		line_seed(db->hall->line, first);
	return e;
}

enum err batch_serve(struct db *db, int64_t ms)
{
	enum err e = ERR_OK;

	if (line_length(db->hall->line) == 0)
		return ERR_OK;
	e = lead(db, ms, false);
	if (e == ERR_OK)
		pen_release(db->hall->pen);
	return e;
}
