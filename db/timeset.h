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
/* A clock this much past the newest row at the start is doubted: nothing is done by it that cannot be taken back. */
enum { TIMESET_FAR_S = 2 * 86400 };

struct txn;

/*
 * The first transaction of a fresh segment cannot know what the clock said before: jari was stopped, perhaps the machine
 * too.  So it compares the clock with the newest row of the book, before it releases a hold.  A clock that is behind that row is
 * behind now, or ran ahead then; in ten minutes it is believed.  A clock that is days past it was wrong all the time, or the box
 * was off as long: it is believed ten minutes after the start if systemd says that the network sets it, or when staff have
 * done something at the desk.  The doubt is a row of the audit, so that it outlasts another start.
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
