/*
 * changes.h - a reservation gets another time or another size, in one step: the old seats are given back only if the new
 * ones are there.
 */
#ifndef JARI_CHANGES_H
#define JARI_CHANGES_H

#include "booking.h"

/* TICKET_CHANGE: the same rules as for a booking; what it has itself does not stand in its way. */
enum err changes_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

/* The same for a reservation that the caller has read, between its own txn_mark() and txn_undo(). */
enum err changes_apply(struct txn *t, const struct ticket_change *c, const struct reservation *v, int64_t number,
		       struct ticket_outcome *out);

#endif
