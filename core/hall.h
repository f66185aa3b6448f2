/*
 * hall.h - everything that the processes of one book share, in one segment.
 */
#ifndef JARI_HALL_H
#define JARI_HALL_H

#include "board.h"
#include "line.h"
#include "pen.h"
#include "rate.h"
#include "hint.h"
#include "shm.h"

struct hall {
	struct shm shm;
	char dir[4096];
	struct board *board;
	struct pen *pen;
	struct line *line;
	struct rate *rate;
	struct hint *hint;
};

enum err hall_attach(struct hall *h, const char *dir);
void hall_detach(struct hall *h);
/* Attaches again if the segment was removed behind our back. */
enum err hall_refresh(struct hall *h);
/*
 * The number from which this hall's line may draw: above `above`, above the clock, and above every number that any
 * hall of this book was ever given, should the clock have been set back.  DIR/tickets.next remembers.
 */
enum err hall_first_ticket(struct hall *h, uint64_t above, uint64_t *first);

/*
 * Gives the pen back and sees to it that somebody takes it for those who wait: the keeper if he sleeps, who
 * has no guest of his own to answer and finds the book's pages still in his memory, or else a waiter.
 */
void hall_pass_pen(struct hall *h);
/* Throws the segment away.  Only for the last one out, with the pen in hand or nobody left. */
void hall_remove(struct hall *h);

#endif
