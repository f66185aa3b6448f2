/*
 * steps.h - what a provider is asked next: from what is to be done, and from what it has answered so far.
 *
 * In doubt we look before we act, and after an act that nobody answered we look again; we act at most once in a round.  What is
 * found counts, whatever we believed.  A round ends with one pay_said, which is reported to the book.
 */
#ifndef JARI_STEPS_H
#define JARI_STEPS_H

#include "provider.h"

struct steps {
	const struct provider *provider;
	struct pay_job *job;
	enum pay_step todo;  /* ASK_BEGIN, ASK_CHARGE, ASK_VOID, ASK_LOOK, ASK_REFUND, ASK_FORGET_CARD */
	enum pay_step asked; /* the question that is in hand */
	int attempts;        /* rounds before this one */
	int64_t goal;        /* ASK_REFUND: how much is left at the provider when it is done */
	bool looked, acted;  /* in this round */
	struct pay_said act; /* what was heard then */
	struct pay_said end; /* what the round came to */
};

/* doubt: it may have been done already, by a round of which we have heard nothing. */
enum pay_step steps_first(struct steps *s, const struct provider *p, struct pay_job *job, enum pay_step todo, int attempts,
			  bool doubt);
/* ASK_NOTHING: the round is over, and s->end is what it came to. */
enum pay_step steps_next(struct steps *s, const struct pay_said *said);
/* The question in hand cannot be asked: something that it needs is not known. */
enum pay_step steps_cannot(struct steps *s);
/* Nobody can be asked: the key for this provider was taken out, or belongs to another.  What it came to is in s->end. */
void steps_no_key(struct steps *s, bool doubt);
/* How long to wait until the next round. */
int steps_wait_s(const struct steps *s);

#endif
