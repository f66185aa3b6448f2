/*
 * pen.h - the right to write.
 *
 * One process holds the pen at a time, and only the holder writes to the book or checkpoints it.
 * This is more than order: Debian's SQLite 3.40.1 can corrupt a book that one process checkpoints
 * while another commits, so a writer without the pen is a danger to the file.
 *
 * A holder that dies leaves the pen to the next taker; SQLite has rolled its transaction back.  A
 * holder that is stopped keeps it until the supervisor kills it: no process races a stopped holder.
 *
 * Callers outside core/ take the pen by hall_take_pen() and give it back by hall_pass_pen().
 */
#ifndef JARI_PEN_H
#define JARI_PEN_H

#include "err.h"
#include "shm.h"

#include <stdbool.h>
#include <stdint.h>

struct pen;

extern const struct shm_part pen_part;

/*
 * For a writer outside the line (the keeper's chores, a command): ERR_OK, or ERR_BOOK_BUSY after ms.
 * It claims the next turn, so that a busy line cannot starve it.  *inherited: the last holder died.
 */
enum err pen_take(struct pen *p, int64_t ms, bool *inherited);
/* For the line: at once or not at all.  Refused if the line had the last turn and another writer claims the next. */
enum err pen_try(struct pen *p, bool *inherited);
void pen_release(struct pen *p);
bool pen_is_ours(struct pen *p); /* for asserts: does this process hold it? */

/* The holder's process id and since when (monotonic ms); 0 when no process holds it. */
int pen_holder(struct pen *p);
int64_t pen_since_ms(struct pen *p);
/* How long its present holder has had it, in ms; 0 when no process holds it, or its holder has died. */
int64_t pen_held_ms(struct pen *p);
/* How long a turn takes: the last one, or the present one if that is already longer. */
int64_t pen_turn_ms(struct pen *p);

#endif
