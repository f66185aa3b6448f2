/*
 * moves.h - a reservation changes its status.
 */
#ifndef JARI_MOVES_H
#define JARI_MOVES_H

#include "booking.h"

enum { MOVES_SECOND_THOUGHT_S = 20 }; /* what the desk does is told so much later: it may be undone */

/*
 * TICKET_MOVE: the one way a status changes, but for a hold that runs out (txn.h).  Says in out->err how it went;
 * returns only faults of the book.
 */
enum err moves_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

/* The same for a reservation that the caller has read, between its own txn_mark() and txn_undo(). */
enum err moves_apply(struct txn *t, const struct ticket_move *m, const struct reservation *v, int64_t number);
/*
 * It was refused: undoes it with txn_undo().  Money that was said to have come in for a reservation that is over stays in the
 * book, as due back; then *why becomes ERR_PAID_TOO_LATE.
 */
enum err moves_refuse(struct txn *t, const struct ticket_move *m, const struct reservation *v, int64_t number, enum err *why);

/*
 * The money of an intent is in the house, as that payment, kept: the reservation (or change) that it was for is theirs.  *why: it
 * cannot be any more, and nothing has changed.
 */
enum err moves_paid(struct txn *t, const struct reservation *v, int64_t amount, int64_t payment, const char *actor,
		    enum err *why);
/* A hold that ran out while its guest was paying is one again, until then, if its seats are still free; else *why. */
enum err moves_hold_again(struct txn *t, const struct reservation *v, int64_t until_s, const char *actor, enum err *why);

#endif
