/*
 * ownerlist.h - the owner's lists: what came, and the day's reservations.
 */
#ifndef JARI_OWNERLIST_H
#define JARI_OWNERLIST_H

#include "dispatch.h"
#include "mailpage.h"

/* Into g->rows and g->count; ERR_BAD_MOVE for a list that has nothing to say. */
enum err ownerlist_put(struct mailpage *g, const struct dispatch_row *row);

#endif
