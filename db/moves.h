/*
 * moves.h - a reservation changes its status.
 */
#ifndef JARI_MOVES_H
#define JARI_MOVES_H

#include "booking.h"

/*
 * TICKET_MOVE: the one way a status changes, but for a hold that runs out (txn.h).  Says in out->err how it went;
 * returns only faults of the book.
 */
enum err moves_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

#endif
