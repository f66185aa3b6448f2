/*
 * pen.h - the right to write.
 *
 * One process holds the pen at a time; every write to the book and every checkpoint happens in its
 * hand.  That is not only order: Debian's SQLite 3.40.1 can corrupt a book that one process
 * checkpoints while another commits, so a writer without the pen is a danger to the file.
 *
 * A holder that dies leaves the pen to the next taker; SQLite has rolled its transaction back.  A
 * holder that is stopped keeps it until the supervisor kills it: the pen is never raced for.
 */
#ifndef JARI_PEN_H
#define JARI_PEN_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

struct pen;

size_t pen_size(void);
uint64_t pen_stamp(void);
void pen_init(void *memory);

/*
 * For a writer outside the line (the keeper, a command): ERR_OK, or ERR_BOOK_BUSY after ms.  It claims
 * the next turn, so that a busy line cannot keep it waiting.  *inherited: the last holder died.
 */
enum err pen_take(struct pen *p, int64_t ms, bool *inherited);
/* For the line: at once or not at all, and not twice in a row over somebody's claim. */
enum err pen_try(struct pen *p, bool *inherited);
void pen_release(struct pen *p);

/* Who holds it, since when (monotonic ms); 0 when nobody does. */
int pen_holder(struct pen *p);
int64_t pen_since_ms(struct pen *p);
/* How long a turn takes: the last one, or the present one once it is longer. */
int64_t pen_turn_ms(struct pen *p);

#endif
