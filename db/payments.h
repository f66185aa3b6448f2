/*
 * payments.h - the money of a reservation: what came in, what goes back.
 *
 * Once paid, every won is accounted for: kept, given back, or due back in a list.
 */
#ifndef JARI_PAYMENTS_H
#define JARI_PAYMENTS_H

#include "booking.h"

struct payments_due {
	int64_t payment_id, paid; /* 0: nothing is paid */
	int64_t refund;           /* of it, should the reservation be cancelled now */
};

/* What is paid, and how much of it goes back: all of it when the restaurant cancels, else by the frozen policy. */
enum err payments_if_cancelled(struct db *db, const struct reservation *v, enum ticket_by by, int64_t now_s,
			       struct payments_due *out);
/* What a cancelled reservation gives back, or gave. */
enum err payments_refunded(struct db *db, int64_t reservation_id, int64_t *amount);

/* Inside a transaction. */
enum err payments_received(struct txn *t, const struct reservation *v, const char *actor);
/* It came after the hold had run out and the seats are gone: all of it is due back. */
enum err payments_too_late(struct txn *t, const struct reservation *v, const char *actor);
enum err payments_set_due_back(struct txn *t, const struct payments_due *due, const char *actor);

#endif
