/*
 * case.h - one payment or refund from the book to its provider's question, and from the answer to the ticket that reports it.
 */
#ifndef JARI_CASE_H
#define JARI_CASE_H

#include "refunds.h"
#include "steps.h"
#include "ticket.h"

struct case_of {
	int64_t intent_id, refund_id; /* refund_id 0: it is about the payment itself */
	const struct provider *provider;
	struct pay_job job;
	enum pay_step todo;
	int attempts;
	bool doubt;
};

/* Between db_read_begin and db_read_end.  ERR_NOT_FOUND: there is nothing to do about it, or nobody to ask. */
enum err case_of_intent(struct db *db, const unsigned char *key, int64_t intent_id, int64_t now_s, struct case_of *out);
enum err case_of_refund(struct db *db, const unsigned char *key, int64_t refund_id, int64_t now_s, struct case_of *out);

/* What came of a round, as the ticket that says so. */
void case_report(const struct case_of *c, const unsigned char *key, const struct steps *s, int64_t now_s,
		 struct ticket_cashier *out);

#endif
