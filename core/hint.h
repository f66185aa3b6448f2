/*
 * hint.h - how many seats the last booking left in a slot.
 *
 * A process that writes in a slot leaves a mark; a request to book it looks there first.  A mark that shows room saves the
 * early check of the book, which costs more than the ticket.  It promises nothing: only the pen's holder decides.  A slot
 * without a fresh mark, or without room, is looked up in the book.
 *
 * Each mark is one atomic word.  Two slots that share one cost a look at the book or a ticket, no more.
 */
#ifndef JARI_HINT_H
#define JARI_HINT_H

#include "ticket.h"
#include "shm.h"

#include <stdbool.h>
#include <stddef.h>

struct hint;

extern const struct shm_part hint_part;

void hint_mark(struct hint *r, const struct ticket_want *w, int64_t left);
/* Was there room for this party a moment ago? */
bool hint_for(struct hint *r, const struct ticket_want *w);

#endif
