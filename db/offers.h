/*
 * offers.h - seats that came free are offered to those who wait.
 *
 * Seats that come free are given in the transaction that frees them, as a hold with a countdown, to the first who waits
 * for that slot and fits.  If the first does not fit, what came free is kept for a while (kept.h), from newcomers and from
 * those behind, unless the restaurant says otherwise (waitlist_skip).  Seats that were free all along are never kept.
 *
 * Guests who have proven neither number nor address keep nothing back, and are asked only until what came free is
 * everybody's.
 */
#ifndef JARI_OFFERS_H
#define JARI_OFFERS_H

#include "txn.h"

struct waiter;

/* Gives the seats that this transaction has freed so far to those who wait for them. */
enum err offers_serve(struct txn *t);
/* Looks at every day that has waiters, a few hundred of them at a time: the next call goes on where this one ended. */
enum err offers_everywhere(struct txn *t);
/* Out of turn, because staff say so.  ERR_BAD_MOVE: they wait no longer, or have booked; ERR_PAST, ERR_SLOT_FULL. */
enum err offers_by_hand(struct txn *t, const struct waiter *w, const char *actor);

#endif
