/*
 * line.h - the line at the door: tickets in shared memory, strictly first come, first served.
 *
 * A guest draws a ticket; the pen's holder takes the waiting tickets in order, writes them in
 * one transaction, and publishes their outcomes.  The protocol stands in line.c.
 */
#ifndef JARI_LINE_H
#define JARI_LINE_H

#include "tally.h"
#include "ticket.h"
#include "shm.h"

#include <stdbool.h>

enum {
	LINE_PLACES = 8192,
	LINE_ABANDON_MS = 60000, /* a ticket not asked after for this long is dropped */
	LINE_KEEP_MS = 60000,    /* an outcome that was not collected is kept this long */
};

struct line;

extern const struct shm_part line_part;

/* The first number must lie above every ticket ever drawn; until it is given no ticket can be drawn. */
bool line_seeded(struct line *l);
void line_seed(struct line *l, uint64_t first);

/* ---- guests ---- */

/*
 * Is this guest's request for that slot in the line, or just answered?
 *   ERR_OK, *number > 0    yes, the same request: go on with that ticket, the place is kept
 *   ERR_OK, *number == 0   no: draw one
 *   ERR_IN_PROGRESS        another request of theirs for that slot is being waited for right now
 *   ERR_DUPLICATE          they were told of their success less than lock_ms ago; *number is that ticket
 */
enum err line_find(struct line *l, const struct ticket_request *r, uint64_t *number);

/* The same question and, if the answer is no, a new ticket.  Also ERR_LINE_FULL. */
enum err line_draw(struct line *l, const struct ticket_request *r, uint64_t *number);

#define LINE_STATES(X) X(FREE) X(QUEUED) X(RUNNING) X(DONE) X(LEFT)
enum line_state {
#define X(name) LINE_##name,
	LINE_STATES(X)
#undef X
};

/* LINE_FREE: not known (any more).  Copies the outcome of a LINE_DONE ticket. */
enum line_state line_look(struct line *l, uint64_t number, struct ticket_outcome *outcome);
/* The request of a ticket that is still known. */
bool line_request(struct line *l, uint64_t number, struct ticket_request *out);
/* The guest was told how it ended: the place may be used again, the guest's lock begins. */
void line_collected(struct line *l, uint64_t number);
/* Its guest asks after it: it is not abandoned. */
void line_touch(struct line *l, uint64_t number);
/* Leaves the line; false when it is too late, the ticket is being or has been served. */
bool line_leave(struct line *l, uint64_t number);

struct line_view {
	uint64_t position; /* 1: the next to be served; those who left do not count */
	int waiting;       /* tickets for the same slot, this one included */
	int eta_s;
};
/* held_ms: how long the pen's present holder has had it. */
void line_view(struct line *l, uint64_t number, int64_t held_ms, struct line_view *out);

/* ---- waiting: a futex word for each ticket, never a condition variable ---- */

uint32_t line_word(struct line *l, uint64_t number);
/* Sleeps until the word differs from `seen`, at most ms; until then the ticket counts as waited for. */
void line_sleep(struct line *l, uint64_t number, uint32_t seen, int64_t ms);
/* No client waits for this ticket any more. */
void line_detach(struct line *l, uint64_t number);

/* ---- the pen's holder ---- */

uint64_t line_length(struct line *l);
uint64_t line_tail(struct line *l);

/*
 * The first ticket to serve with number in [*cursor, end), if there is one; *cursor is left behind it.  Start
 * with *cursor 0.  Those who left or were abandoned are passed over (the latter get their outcome).
 */
bool line_take(struct line *l, uint64_t *cursor, uint64_t end, uint64_t *number);
/* Tickets below this may have been committed by a holder that died before it told a guest. */
uint64_t line_suspect(struct line *l);
void line_set_suspect(struct line *l, uint64_t below);
/* The holder begins to write a ticket that it took: how many holders have died while they did.  It lived. */
int line_begin_writing(struct line *l, uint64_t number);
void line_end_writing(struct line *l, uint64_t number);
/* Stores the outcome, marks it done, wakes its waiter. */
void line_publish(struct line *l, uint64_t number, const struct ticket_outcome *outcome);
/* A ticket taken but not served goes back to its place. */
void line_put_back(struct line *l, uint64_t number);
/* Everything below is served; counts the batch. */
void line_advance(struct line *l, uint64_t to, int served, int64_t took_us);
/* The guest's success no longer keeps them out of this slot: they cancelled. */
void line_unlock_guest(struct line *l, int64_t user_id, int64_t restaurant_id, const char *date, const char *time);

/* Wakes a process that will take the pen for the tickets that are left: a waiter, or else the keeper. */
void line_call_next(struct line *l);
/* The keeper's bell: how often it has rung; sleeps until it rings once more, at most ms. */
uint32_t line_bell(struct line *l);
void line_await_bell(struct line *l, uint32_t heard, int64_t ms);
bool line_ring_bell(struct line *l); /* did it wake the keeper? */

/* ---- for watching ---- */

struct tally *line_tally(struct line *l);
/* How long the first ticket has waited while no other was served either; 0: none waits. */
int64_t line_still_ms(struct line *l);

/* Tests the invariants of line.c; 0, or the number of the first that does not hold.  The caller holds the lock, or no ticket is drawn. */
int line_check(struct line *l);

/* The process inside the lock, and since when (monotonic ms); 0 when none is. */
int line_holder(struct line *l, int64_t *since_ms);

#endif
