/*
 * board.h - the board in the hall: which processes are at work.
 *
 * Each worker, courier, cashier and keeper of a supervisor has a post on it; a CGI process or a command has none (-1).
 * Every field is one aligned atomic word, so that no lock is needed to write or read it and a killed process leaves
 * nothing half done.
 */
#ifndef JARI_BOARD_H
#define JARI_BOARD_H

#include "shm.h"

enum { BOARD_POSTS = 256 };

#define BOARD_KINDS(X) X(EMPTY) X(WORKER) X(KEEPER) X(COURIER) X(CODES) X(CASHIER)
enum board_kind {
#define X(name) BOARD_##name,
	BOARD_KINDS(X)
#undef X
};

struct board_post {
	enum board_kind kind;
	int pid;
	int64_t busy_since_ms; /* monotonic; 0: idle */
	bool waiting;          /* for a ticket */
	bool ready;            /* has the book open */
	uint64_t served;
};

struct board;

extern const struct shm_part board_part;

/* The supervisor writes kind and pid of a post; the process at it the rest. */
void board_seat(struct board *b, int post, enum board_kind kind, int pid);
void board_busy(struct board *b, int post);
void board_idle(struct board *b, int post); /* one more request served */
void board_rest(struct board *b, int post); /* there was nothing to serve */
void board_waiting(struct board *b, int post, bool waiting);
void board_ready(struct board *b, int post); /* has the book open */
/* The address that a worker reads for (rate_address), until it is idle again. */
void board_reads_for(struct board *b, int post, uint64_t source);
/*
 * May one more worker read for this address?  Not while it has a quarter of the workers already, at least two, and few are free:
 * a crowd behind one address reads as much as it likes while no other address waits for it.
 */
bool board_may_read(struct board *b, uint64_t source);
/* May the calling worker (already counted as waiting) wait in the line?  A quarter of them may not, so that the door stays open. */
bool board_may_wait(struct board *b);
struct board_post board_read(struct board *b, int post);

/* The courier says every few seconds that it is there; it may run in a unit of its own, without a post. */
void board_courier_here(struct board *b);
bool board_courier_seen(struct board *b); /* in the last half minute */
/* The same of the cashier: without it no payment goes on, and nothing else stands still. */
void board_cashier_here(struct board *b);
bool board_cashier_seen(struct board *b);

/* The keeper says in each of its turns that it is there. */
void board_keeper_here(struct board *b);
/* It has not for a quarter of a minute.  Where no supervisor serves there is no keeper, and that is well. */
bool board_keeper_silent(struct board *b);

/* When the supervisor started, in seconds since 1970; 0: none has. */
int64_t board_started_s(struct board *b);
void board_set_started_s(struct board *b, int64_t started_s);

#endif
