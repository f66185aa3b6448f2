/*
 * payments.h - the money of a reservation: what came in, what goes back.
 *
 * Once paid, every won is accounted for: kept, given back, or due back in a list.  A payment is one row, however often it is
 * said: what stands there as due back is the money that is spoken of, unless staff say that more has come.
 */
#ifndef JARI_PAYMENTS_H
#define JARI_PAYMENTS_H

#include "booking.h"

struct payments_due {
	int64_t paid;   /* of all payments, what is kept */
	int64_t refund; /* of it, should the reservation be cancelled now */
	int64_t owed;   /* what else came in and is due back to them already */
};

/*
 * How much of it a guest who cancels now gets back, in percent: by the policy frozen into the reservation, and no more than
 * when they last moved it.  In doubt everything goes back.
 */
int payments_percent(struct db *db, const struct reservation *v, int64_t now_s);
/* What is kept of its payments, and how much of that goes back: by the frozen policy (by_terms), else all of it. */
enum err payments_if_cancelled(struct db *db, const struct reservation *v, bool by_terms, int64_t now_s,
			       struct payments_due *out);
/* Did anything ever come in for it, and is some of that still due back? */
enum err payments_came(struct db *db, int64_t reservation_id, bool *any, bool *due_back);
/* Did anything but that payment? */
enum err payments_came_before(struct db *db, int64_t reservation_id, int64_t payment, bool *any);
/* What a cancelled reservation gives back, or gave. */
enum err payments_refunded(struct db *db, int64_t reservation_id, int64_t *amount);

/* Inside a transaction. */

/*
 * What the reservation costs came in, and is kept.  What is still due back to its guest is that money: it came before, too
 * late, and is in the house.  again: no, it is other money, and what is due back stays so.
 */
enum err payments_received(struct txn *t, const struct reservation *v, bool again, const char *actor);
/*
 * What a larger party owed came in: other money than what it has paid, and kept.  What is due back of its hold is that money:
 * it was said before, when the change did not fit.  again: it is more than that, which stays due back.
 */
enum err payments_of_change(struct txn *t, const struct reservation *v, const struct reservation *hold, bool again,
			    const char *actor);
/* The same where it came by an intent: that row is the reservation's from now on. */
enum err payments_adopt(struct txn *t, const struct reservation *v, int64_t payment, const char *actor);
/*
 * It came for a reservation that is no longer theirs, or a second time: all of it is due back.  *written: it stands in that
 * list, by this or because it was said before.  again: it is more than what was said before; without that a reservation that
 * was paid once is not believed to be paid once more.
 */
enum err payments_not_theirs(struct txn *t, const struct reservation *v, bool again, const char *actor, bool *written);
/* So much of what is kept is due back, the newest payment first. */
enum err payments_set_due_back(struct txn *t, int64_t reservation_id, int64_t amount, const char *actor);

#endif
