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

enum { BOARD_PLACES = 256 /* workers, couriers, keeper */, BOARD_DAYS = 256 };

/* clang-format off */
#define BOARD_COUNTERS(X) \
	/* name             metric           its label                    what is counted */ \
	X(requests,           "requests",      "",                          "requests answered") \
	X(answers_2xx,        "answers",       "class=\"2xx\"",             "answers by the class of their status") \
	X(answers_3xx,        "answers",       "class=\"3xx\"",             "") \
	X(answers_4xx,        "answers",       "class=\"4xx\"",             "") \
	X(answers_5xx,        "answers",       "class=\"5xx\"",             "") \
	X(answers_waiting,    "told_to_wait",  "why=\"line\"",              "answers that told a guest their place, or a client to slow down") \
	X(answers_limited,    "told_to_wait",  "why=\"limit\"",             "") \
	X(stale_requests,     "stale_requests", "",                         "requests refused because their client had gone or had waited too long") \
	X(days_read,          "days_read",     "",                          "days of a month that were read in the book: no process had kept them") \
	X(user_lock_hits,     "user_lock_hits", "",                         "requests refused at the door because the same one was in flight") \
	X(worker_starts,      "worker_events", "event=\"start\"",           "workers that started, died by themselves, were killed because they hung") \
	X(worker_deaths,      "worker_events", "event=\"death\"",           "") \
	X(worker_hangs,       "worker_events", "event=\"hang\"",            "") \
	X(logins,             "logins",        "result=\"ok\"",             "logins by how they ended") \
	X(login_failures,     "logins",        "result=\"refused\"",        "") \
	X(login_busy,         "logins",        "result=\"busy\"",           "") \
	X(outcomes_ok,        "tickets",       "outcome=\"ok\"",            "tickets by how they ended") \
	X(outcomes_full,      "tickets",       "outcome=\"full\"",          "") \
	X(outcomes_duplicate, "tickets",       "outcome=\"duplicate\"",     "") \
	X(outcomes_other,     "tickets",       "outcome=\"other\"",         "") \
	X(holds_expired,      "holds_expired", "",                          "holds that ran out") \
	X(pen_takes,          "pen_takes",     "",                          "times the pen was taken") \
	X(pen_inherited,      "pen_inherited", "",                          "times the pen was taken over from a dead holder") \
	X(checkpoints,        "checkpoints",   "",                          "checkpoints of the book")
/* clang-format on */

enum board_counter {
#define X(name, metric, label, help) BOARD_##name,
	BOARD_COUNTERS(X) BOARD__MAX
#undef X
};

#define BOARD_KINDS(X) X(EMPTY) X(WORKER) X(KEEPER) X(COURIER) X(CODES)
enum board_kind {
#define X(name) BOARD_##name,
	BOARD_KINDS(X)
#undef X
};

struct board_place {
	enum board_kind kind;
	int pid;
	int64_t busy_since_ms; /* monotonic; 0: idle */
	bool waiting;          /* for a ticket */
	bool ready;            /* has the book open */
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
void board_ready(struct board *b, int place); /* has the book open */
/* Whom a worker reads for, by the number of where they are (rate_address), until it is idle again. */
void board_reads_for(struct board *b, int place, uint64_t source);
/*
 * May one more worker read for them?  Not while they have a quarter of the workers already, at least two, and few are free:
 * a crowd behind one address reads as much as it likes as long as nobody else waits for it.
 */
bool board_may_read(struct board *b, uint64_t source);
/* May the asking worker, which is counted already, wait in the line?  A quarter of them may not, so that the door stays open. */
bool board_may_wait(struct board *b);
struct board_place board_read(struct board *b, int place);

/*
 * A number that changes before any of the numbers below does.  Who notes it, then begins to read the book, then asks for the
 * others and finds this one unchanged, knows that what is read is as new as they are.
 */
uint64_t board_changes(struct board *b);

/* Raised whenever jari has changed hours or policies: every process that caches them reads them again. */
uint64_t board_edition(struct board *b);
void board_new_edition(struct board *b);

/*
 * What a day looks like from outside: the number changes whenever something of that day was written, and with every new
 * segment.  Days share places by their hash, so a number may change for another day's sake.
 */
uint64_t board_day(struct board *b, int64_t restaurant_id, const char *date);
unsigned board_day_place(int64_t restaurant_id, const char *date); /* below BOARD_DAYS */
void board_touch_day(struct board *b, unsigned place);
void board_touch_all_days(struct board *b);

/* The courier says every few seconds that it is there; it may run in a unit of its own, without a place. */
void board_courier_here(struct board *b);
bool board_courier_seen(struct board *b); /* in the last half minute */

/*
 * Can bookings be saved?  Nobody writes to the disk in order to know: each write leaves its outcome here, and the next one
 * that reaches the disk takes a failure away again.  What is wrong with the book itself stays until a keeper has looked anew.
 */
void board_saved(struct board *b);
void board_not_saved(struct board *b, enum err why);
enum err board_save_fault(struct board *b); /* ERR_OK: the last write was saved */
int64_t board_quiet_ms(struct board *b);    /* how long ago that was */
void board_set_book_fault(struct board *b, enum err why);
enum err board_book_fault(struct board *b);
/* While something cannot be saved one process at a time tries, after growing pauses: is it time, and is it ours to try? */
bool board_may_try(struct board *b);

/* The keeper says in each of its turns that it is there. */
void board_keeper_here(struct board *b);
/* The supervisor runs, but its keeper has not been heard of for a quarter of a minute. */
bool board_keeper_lost(struct board *b);

/* When the supervisor started, in seconds since 1970; 0: nobody serves. */
int64_t board_started_s(struct board *b);
void board_set_started_s(struct board *b, int64_t started_s);

/*
 * The wall clock may be set while we run: by hand, by NTP after a start without a battery.  What clock_offset_ms() said
 * is noted here, so that every process can tell.
 */
bool board_clock_known(struct board *b); /* a process has noted it */
/* A transaction has compared the clock with the book: the first one of a segment does. */
bool board_clock_compared(struct board *b);
void board_set_clock_compared(struct board *b);
/* By how many seconds it was set since it was noted, and what it is now; 0: by less than a minute, or no process has noted it. */
int64_t board_clock_step(struct board *b, int64_t *offset_ms);
/* step_s: what was found, 0 for none.  Only with the pen in hand, or where nobody has noted it yet. */
void board_note_clock(struct board *b, int64_t offset_ms, int64_t step_s);
/* A clock that is corrected little by little is followed; a step is left to be found. */
void board_note_drift(struct board *b);
/*
 * A clock that is far past the newest row of the book at the start is doubted: row is the newest audit row of before.  0: it is
 * not, or no longer.
 */
void board_doubt_clock(struct board *b, int64_t row);
int64_t board_clock_doubted(struct board *b);
/* A clock that was set may be set again at once: ten minutes later it is believed, unless it is doubted. */
bool board_clock_settled(struct board *b);
int64_t board_clock_last_step(struct board *b); /* seconds; the last one that was noted */

/* Pages in the book's log after the last commit. */
int board_log_pages(struct board *b);
void board_set_log_pages(struct board *b, int pages);
/* Somebody was erased: until the log is emptied, it has the pages from before. */
void board_empty_log(struct board *b);
bool board_log_to_empty(struct board *b);
void board_log_emptied(struct board *b);

void board_count(struct board *b, enum board_counter c);
void board_add(struct board *b, enum board_counter c, uint64_t n);
uint64_t board_get(struct board *b, enum board_counter c);
const char *board_counter_name(enum board_counter c);
const char *board_counter_metric(enum board_counter c); /* several counters may be one metric, told apart by a label */
const char *board_counter_label(enum board_counter c);
const char *board_counter_help(enum board_counter c); /* of the metric, with its first counter */

/*
 * One password is hashed at a time, so that a flood of logins leaves the cores to bookings; and one more for devices
 * that have logged in before, so that the flood does not lock their people out.
 */
bool board_hash_try(struct board *b, bool known);
void board_hash_done(struct board *b, bool known);

#endif
