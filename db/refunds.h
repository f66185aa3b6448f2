/*
 * refunds.h - money that goes back by the way it came: what is queued, what failed.
 *
 * A row is made by the book itself, in the transaction in which something of an online payment becomes due back (trigger
 * payments_owed).  Of one payment they go back one after the other.
 */
#ifndef JARI_REFUNDS_H
#define JARI_REFUNDS_H

#include "intents.h"

struct refunds_row {
	int64_t id, intent_id, payment_id; /* payment_id 0: of a trial */
	int64_t amount;
	int64_t cancellable; /* what we believe the provider still has of it: for its compare-and-swap */
	int64_t returned;    /* and what it has given back */
	char refund_key[TICKET_PAY_KEY_SIZE + 12];
	char state[12];
	bool doubt; /* it was begun and nobody said how it went: look at the payment first */
	int attempts;
	char words[TICKET_PAY_WORDS_SIZE];
};

/* For the cashier: what is due, longest due first, one of a payment at a time. */
enum err refunds_due(struct db *db, int64_t now_s, int64_t *ids, int most, int *count);
/* ERR_NOT_FOUND */
enum err refunds_get(struct db *db, int64_t id, struct refunds_row *out);

/* How many need somebody: the provider has refused them, or they have not gone out for an hour because of what it says. */
enum err refunds_needy(struct db *db, int64_t now_s, int64_t *count);
/* For the desk: those; and the newest payments and refunds.  Columns have the names of their fields. */
enum err refunds_need(struct db *db, int64_t restaurant_id, int64_t now_s, stmt_each *each, void *arg);
enum err refunds_newest(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg);

/* Inside a transaction. */

/* Those of a reservation that were not sent yet wait so long: the desk may take back what it said. */
enum err refunds_wait(struct txn *t, int64_t reservation_id, int64_t seconds);
/* The desk: once more, with a new key; or it went back in another way. */
enum err refunds_again(struct txn *t, int64_t id, const char *actor);
enum err refunds_by_hand(struct txn *t, int64_t id, const char *actor);
/* The provider says that so much of a payment went back so far; what is new is refunds of ours, then somebody at its console. */
enum err refunds_settle(struct txn *t, const struct intents_row *i, int64_t returned);

#endif
