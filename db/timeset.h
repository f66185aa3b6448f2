/*
 * timeset.h - what is put right when the clock was set.
 *
 * What lasts so many minutes follows the clock in the next transaction (txn.c).  What hangs on a time of day waits: for ten
 * minutes after a step the keeper closes nothing, reminds nobody and forgets nobody, because a clock that was set may be set
 * again.  After that it is believed, and what a clock that ran ahead has left behind is taken back.
 */
#ifndef JARI_TIMESET_H
#define JARI_TIMESET_H

#include "db.h"

/* A row dated so much later than now was written by a clock that ran ahead: less is a clock that was corrected. */
enum { TIMESET_SLACK_S = 60 };

/*
 * The keeper's look at every turn: has somebody set the clock?  A fresh keeper, which cannot know what it was before, compares it with
 * the newest row of the book.
 */
enum err timeset_look(struct db *db, int64_t now_s);
/*
 * Waits that were closed although their slot is still to come are opened again, with their rank; reminders and day sheets
 * that went out too early are planned again.  Only while the clock is believed.
 */
enum err timeset_mend(struct db *db, int64_t now_s);

#endif
