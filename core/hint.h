/*
 * room.h - the chalk marks by the door: how many seats the last booking left in a slot.
 *
 * Whoever wrote in a slot leaves a mark; whoever comes to book it looks there first.  A mark with room
 * spares him the kind question to the book, which costs more than the ticket; it promises nothing,
 * since only the pen decides.  A slot without a fresh mark, or without room, is looked up in the book.
 *
 * Each mark is one atomic word.  Two slots that share one cost a look at the book or a ticket, no more.
 */
#ifndef JARI_ROOM_H
#define JARI_ROOM_H

#include "ticket.h"

#include <stdbool.h>
#include <stddef.h>

struct hint;

size_t hint_size(void);
uint64_t hint_stamp(void);
void hint_init(void *memory);

void hint_mark(struct hint *r, const struct ticket_book *b, int64_t left);
/* Was there room for this party a moment ago? */
bool hint_for(struct hint *r, const struct ticket_book *b);

#endif
