/*
 * charges.h - what the cashier says: that it begins a call, and what a provider answered.
 *
 * Only the book judges.  An amount or a currency other than what was asked for is never a payment of anything; money whose seats
 * are gone goes back in the transaction that hears of it.  Every report can come twice, late, and after another.
 */
#ifndef JARI_CHARGES_H
#define JARI_CHARGES_H

#include "intents.h"

/* TICKET_CASHIER.  out->err ERR_BAD_MOVE: of a START, the call must not be made (any more). */
enum err charges_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

#endif
