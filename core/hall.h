/*
 * hall.h - everything that the processes of one book share, in one segment.
 */
#ifndef JARI_HALL_H
#define JARI_HALL_H

#include "board.h"
#include "clockwatch.h"
#include "counters.h"
#include "edition.h"
#include "glance.h"
#include "hashing.h"
#include "hint.h"
#include "line.h"
#include "pen.h"
#include "rate.h"
#include "shm.h"
#include "turnout.h"
#include "writes.h"

/* Its parts as they lie in the segment: the name here, and the file that describes it. */
#define HALL_PARTS(X) \
	X(pen, pen) \
	X(board, board) \
	X(counters, counters) \
	X(edition, edition) \
	X(writes, writes) \
	X(clock, clockwatch) \
	X(hashing, hashing) \
	X(line, line) \
	X(rate, rate) \
	X(hint, hint) \
	X(glance, glance) \
	X(turnout, turnout)

struct hall {
	struct shm shm;
	char dir[4096];
#define X(name, file) struct file *name;
	HALL_PARTS(X)
#undef X
};

enum err hall_attach(struct hall *h, const char *dir);
void hall_detach(struct hall *h);
/* For a process that serves one request: the next finds the line and the limits as it leaves them. */
void hall_stay(struct hall *h);
/* For a command: detaches, and leaves no segment behind that only commands were in. */
void hall_leave(struct hall *h);
/* Of the layout: processes with another one cannot meet in one hall. */
uint64_t hall_stamp(void);
/* Attaches again if the segment was removed by another program. */
enum err hall_refresh(struct hall *h);

/*
 * The number from which this hall's line may draw: above `above`, above the clock, and above every number that any
 * hall of this book was ever given, should the clock have been set back.  DIR/tickets.next remembers it.
 */
enum err hall_first_ticket(struct hall *h, uint64_t above, uint64_t *first);

/*
 * The one way to take the pen.  ms > 0: claims the next turn and waits at most that long; attaches again first if
 * the segment was removed, because its pen would be a second one for the same book.  ms == 0: at once or not at all,
 * as part of the line; ERR_UNKNOWN if the segment was removed, because the caller's ticket went with it.
 * ERR_BOOK_BUSY: another process has the pen.  ERR_BOOK_UNWRITABLE: a restore was begun and cannot be finished (swap.h).
 */
enum err hall_take_pen(struct hall *h, int64_t ms);
/*
 * Gives the pen back and, if tickets wait, wakes the next writer: the keeper if it sleeps, because it has no guest of
 * its own to answer and finds the book's pages still in its cache; otherwise a waiting worker.
 */
void hall_pass_pen(struct hall *h);
/* Gives the pen back without waking a process: only for the keeper, which comes again while tickets wait. */
void hall_drop_pen(struct hall *h);

/* Throws the segment away.  Only for the last process, with the pen in hand or as the only one left. */
void hall_remove(struct hall *h);

#endif
