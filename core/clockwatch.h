/*
 * clockwatch.h - has the wall clock been set while jari ran?
 *
 * It may be: by hand, or by NTP after a start without a battery.  What clock_offset_ms() said is noted in the hall, so that
 * every process can tell.
 */
#ifndef JARI_CLOCKWATCH_H
#define JARI_CLOCKWATCH_H

#include "shm.h"

struct clockwatch;

extern const struct shm_part clockwatch_part;

bool clockwatch_known(struct clockwatch *w); /* a process has noted it */
/* A transaction has compared the clock with the book: the first one of a segment does. */
bool clockwatch_compared(struct clockwatch *w);
void clockwatch_set_compared(struct clockwatch *w);
/* By how many seconds it was set since it was noted, and what it is now; 0: by less than a minute, or no process has noted it. */
int64_t clockwatch_step(struct clockwatch *w, int64_t *offset_ms);
/* step_s: what was found, 0 for none.  Only with the pen in hand, or where no process has noted it yet. */
void clockwatch_note(struct clockwatch *w, int64_t offset_ms, int64_t step_s);
/* A clock that is corrected little by little is followed; a step is left to be found. */
void clockwatch_follow(struct clockwatch *w);
/*
 * A clock that is far past the newest row of the book at the start is doubted: row is the newest audit row of before.  0: it is
 * not, or no longer.
 */
void clockwatch_doubt(struct clockwatch *w, int64_t row);
int64_t clockwatch_doubted(struct clockwatch *w);
/* A clock that was set may be set again at once: ten minutes later it is believed, unless it is doubted. */
bool clockwatch_settled(struct clockwatch *w);
/* By how many seconds it was set, noted or not, while it is not believed; 0: it is. */
int64_t clockwatch_doubtful_step(struct clockwatch *w);
int64_t clockwatch_last_step(struct clockwatch *w); /* seconds; the last one that was noted */

#endif
