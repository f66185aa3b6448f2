/*
 * board.h - the board in the hall: which processes are at work, and what has been counted.
 *
 * Every field is one aligned atomic word, so that no lock is needed to write or read it and a killed process leaves
 * nothing half done.
 */
#ifndef JARI_BOARD_H
#define JARI_BOARD_H

#include "shm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOARD_PLACES = 256 }; /* workers and keeper */

/* clang-format off */
#define BOARD_COUNTERS(X) \
	X(requests,         "requests answered") \
	X(answers_2xx,      "answers with a 2xx status") \
	X(answers_4xx,      "answers with a 4xx status") \
	X(answers_5xx,      "answers with a 5xx status") \
	X(stale_requests,   "requests refused because their client had gone or had waited too long") \
	X(worker_starts,    "workers started") \
	X(worker_deaths,    "workers that died by themselves") \
	X(worker_hangs,     "workers killed because they hung") \
	X(logins,           "logins") \
	X(login_failures,   "logins refused") \
	X(login_busy,       "logins put off because another was being checked") \
	X(holds_expired,    "holds expired") \
	X(pen_takes,        "times the pen was taken") \
	X(pen_inherited,    "times the pen was taken over from a dead holder") \
	X(checkpoints,      "checkpoints of the book") \
	X(outcomes_ok,        "tickets that ended well") \
	X(outcomes_full,      "tickets refused for lack of seats") \
	X(outcomes_duplicate, "tickets refused as duplicates") \
	X(outcomes_other,     "tickets that ended otherwise") \
	X(answers_waiting,    "answers that told a guest their place in the line") \
	X(answers_limited,    "answers that told a client to slow down") \
	X(user_lock_hits,     "requests refused at the door because the same one was in flight")
/* clang-format on */

enum board_counter {
#define X(name, help) BOARD_##name,
	BOARD_COUNTERS(X) BOARD__MAX
#undef X
};

enum board_kind { BOARD_EMPTY, BOARD_WORKER, BOARD_KEEPER };

struct board_place {
	enum board_kind kind;
	int pid;
	int64_t busy_since_ms; /* monotonic; 0: idle */
	bool waiting;          /* for a ticket */
	uint64_t served;
};

struct board;

extern const struct shm_part board_part;

/* The supervisor writes kind and pid of a place; the process in it the rest. */
void board_seat(struct board *b, int place, enum board_kind kind, int pid);
void board_busy(struct board *b, int place);
void board_idle(struct board *b, int place); /* one more request served */
void board_rest(struct board *b, int place); /* there was nothing to serve */
void board_waiting(struct board *b, int place, bool waiting);
/* May the asking worker, which is counted already, wait in the line?  A quarter of them may not, so that the door stays open. */
bool board_may_wait(struct board *b);
struct board_place board_read(struct board *b, int place);

/* Raised whenever jari has changed hours or policies: every process that caches them reads them again. */
uint64_t board_edition(struct board *b);
void board_new_edition(struct board *b);

/* Pages in the book's log after the last commit. */
int board_log_pages(struct board *b);
void board_set_log_pages(struct board *b, int pages);

void board_count(struct board *b, enum board_counter c);
void board_add(struct board *b, enum board_counter c, uint64_t n);
uint64_t board_get(struct board *b, enum board_counter c);
const char *board_counter_name(enum board_counter c);
const char *board_counter_help(enum board_counter c);

/* One password is hashed at a time, so that a flood of logins leaves the cores to bookings. */
bool board_hash_try(struct board *b);
void board_hash_done(struct board *b);

#endif
