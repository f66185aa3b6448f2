/*
 * payevents.h - what providers tell without being asked.
 *
 * An event is nobody's word: it may be late, repeated or made up.  It is stored once and makes the cashier look; it moves nothing.
 * One without a name was signed by nobody, and is not stored: a stranger could send as many as the disk has room for.
 */
#ifndef JARI_PAYEVENTS_H
#define JARI_PAYEVENTS_H

#include "intents.h"

enum { PAYEVENTS_KEPT_DAYS = 30 };

/* TICKET_EVENT.  out->id: the intent that is looked at; 0: none, or it was heard before. */
enum err payevents_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

/* Is there a payment that it may be about?  Where events are not signed, whoever wants to sends them of anything. */
enum err payevents_is_known(struct db *db, enum intent_provider provider, const char *reference, bool *known);

#endif
