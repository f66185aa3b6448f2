/*
 * changes.h - a reservation gets another time or another size, in one step: the old seats are given back only if the new
 * ones are there, and paid.
 */
#ifndef JARI_CHANGES_H
#define JARI_CHANGES_H

#include "booking.h"

/*
 * TICKET_CHANGE: the same rules as for a booking; what it has itself does not stand in its way.  A guest changes nothing that has
 * begun, and keeps the terms of what is paid: see set_terms().
 */
enum err changes_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

/* The same for a reservation that the caller has read, between its own txn_mark() and txn_undo(). */
enum err changes_apply(struct txn *t, const struct ticket_change *c, const struct reservation *v, int64_t number,
		       struct ticket_outcome *out);

/*
 * A change that costs more waits for its money, as a hold with change_of.  The money is there: the reservation is changed, and
 * the payment is its own.  If the hold has run out meanwhile it gets what is free now; ERR_SLOT_FULL or ERR_BAD_MOVE when that
 * cannot be.  Its terms are those of now, if they are worse than when it was asked for.  again: as of
 * payments_of_change().  payment: the row of the money, where it came by an intent; else 0.  The caller stands between txn_mark()
 * and txn_undo().
 */
enum err changes_paid(struct txn *t, const struct reservation *hold, bool again, int64_t payment, const char *actor,
		      int64_t number);
/*
 * Money comes in for a reservation, and v becomes what it is for: the hold of a change that waits for it.  Where none waits and
 * the reservation is paid, it is for the newest change, unless that is done or its money was given back; or amount is another.
 */
enum err changes_find_waiting(struct db *db, int64_t amount, int64_t now_s, struct reservation *v);
/*
 * The desk takes back what ended it: it waits again, as long as it would have waited.  *back: false if that time is over, or its
 * seats are others' by now; nothing is written then.
 */
enum err changes_bring_back(struct txn *t, int64_t hold_id, const char *actor, int64_t number, bool *back);
/* It is not wanted any more; nothing has changed. */
enum err changes_withdraw(struct txn *t, int64_t hold_id, const char *actor, int64_t number);

#endif
