/*
 * timeset.h - what is put right when the clock was set.
 *
 * Holds, offers and codes last a number of minutes; the next transaction moves their ends by the step of the clock (txn.c).
 * Waits, reminders and forgetting depend on a time of day.  For ten minutes after a step the keeper does none of that work,
 * because a clock that was set may be set again.  After that it believes the clock, and takes back what it did too early
 * while the clock ran ahead.
 */
#ifndef JARI_TIMESET_H
#define JARI_TIMESET_H

#include "db.h"

/* A row dated this much later than now was written while the clock ran ahead.  NTP corrects a clock by less. */
enum { TIMESET_SLACK_S = 60 };

struct txn;

/*
 * The first transaction of a fresh segment cannot know what the clock said before: jari was stopped, perhaps the machine
 * too.  So it compares the clock with the newest row of the book, before it releases a hold.  A clock that is behind that row is
 * behind now, or ran ahead then; in ten minutes it is believed.
 */
enum err timeset_first(struct txn *t);
/* The keeper asks at every turn whether the clock was set: a transaction does what is to be done. */
enum err timeset_look(struct db *db, int64_t now_s);
/*
 * Waits that were closed although their slot is still to come are opened again, with their rank; reminders and day sheets
 * that went out too early are planned again.  Only while the clock is believed.
 */
enum err timeset_mend(struct db *db, int64_t now_s);

#endif
