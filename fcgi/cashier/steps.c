/*
 * steps.c - what a provider is asked next.
 */
#include "steps.h"

#include <assert.h>
#include <string.h>

enum {
	NO_IS_NO = 3, /* said so often, and nothing was ever found done */
	FIRST_S = 2,
	LONGEST_S = 300,
};

/* Stripe's guest does their part on a page that answers to nobody: whether they have is only to be looked up. */
static bool must_look(const struct steps *s, bool doubt)
{
	if (s->todo == ASK_BEGIN || s->todo == ASK_FORGET_CARD)
		return false;
	if (s->todo == ASK_LOOK || s->todo == ASK_VOID || s->todo == ASK_REFUND)
		return true; /* money goes back out of the payment that the provider has under our name */
	if (s->provider->confirms && s->job->purpose == INTENT_FOR_CARD)
		return false; /* there is nothing to look at */
	return doubt || s->attempts ||
	       (s->todo == ASK_CHARGE && !s->provider->confirms && s->job->purpose != INTENT_FOR_CHARGE);
}

enum pay_step steps_first(struct steps *s, const struct provider *p, struct pay_job *job, enum pay_step todo, int attempts,
			  bool doubt)
{
	assert(todo != ASK_NOTHING && todo != ASK_LIST);
	*s = (struct steps){.provider = p, .job = job, .todo = todo, .attempts = attempts};
	s->goal = job->cancellable - job->refund;
	s->asked = must_look(s, doubt) ? ASK_LOOK : todo;
	return s->asked;
}

static enum pay_step over(struct steps *s, const struct pay_said *said, enum pay_end end)
{
	s->end = *said;
	s->end.end = end;
	return ASK_NOTHING;
}

/* It was tried, and a look finds nothing done.  What the provider said when it was tried says why. */
static enum pay_step not_done(struct steps *s, const struct pay_said *look)
{
	bool no = s->act.end == SAID_REFUSED || (s->act.said_no && s->attempts + 1 >= NO_IS_NO);
	struct pay_said said = *look;

	memcpy(said.words, s->act.words, sizeof said.words);
	said.retry_s = s->act.retry_s;
	return over(s, &said, no ? SAID_REFUSED : SAID_LATER);
}

static enum pay_step act(struct steps *s, const struct pay_said *look)
{
	if (*look->ref)
		memcpy(s->job->ref, look->ref, sizeof s->job->ref);
	return s->asked = s->todo;
}

static enum pay_step looked_to_charge(struct steps *s, const struct pay_said *said)
{
	bool ready = said->end == SAID_AUTHORISED;

	if (s->job->purpose == INTENT_FOR_CARD)
		return over(s, said, said->end);
	/* Where we confirm, or charge a card that is kept, it is ours to do as long as it is not done. */
	if (s->provider->confirms || s->job->purpose == INTENT_FOR_CHARGE)
		ready |= said->end == SAID_OPEN || said->end == SAID_GONE;
	/* Another amount than the book's is never captured: the book is told of it. */
	if (said->end == SAID_AUTHORISED && (said->amount != s->job->amount || strcmp(said->currency, s->job->currency) != 0))
		ready = false;
	if (!ready)
		return over(s, said, said->end);
	return s->acted ? not_done(s, said) : act(s, said);
}

static enum pay_step looked_to_void(struct steps *s, const struct pay_said *said)
{
	bool open = said->end == SAID_OPEN || said->end == SAID_GONE || said->end == SAID_AUTHORISED;

	if (s->provider->confirms && open)
		return over(s, said, SAID_VOIDED); /* nobody will confirm it */
	if (said->end != SAID_AUTHORISED)
		return over(s, said, said->end);
	return s->acted ? not_done(s, said) : act(s, said);
}

/* What somebody gave back at the provider's console meanwhile is part of it: what is missing is sent, and no more. */
static enum pay_step looked_to_refund(struct steps *s, const struct pay_said *said)
{
	int64_t left = said->amount - said->returned;

	if (said->end == SAID_GONE) { /* keys of another account: it is not there, however often it is looked for */
		over(s, said, SAID_REFUSED);
		provider_say(&s->end, "", "the provider does not know this payment: are the keys of another account?");
		return ASK_NOTHING;
	}
	if (said->end != SAID_CHARGED)
		return over(s, said, said->end == SAID_DOUBT ? SAID_DOUBT : SAID_LATER);
	if (left <= s->goal)
		return over(s, said, SAID_CHARGED);
	if (left > s->job->cancellable) { /* whether ours was among what went back cannot be told: for a person to see */
		over(s, said, SAID_REFUSED);
		provider_say(&s->end, "", "the provider has given back less than the book says");
		return ASK_NOTHING;
	}
	if (s->acted) /* refused, because somebody gave a part of it back?  Then what is missing can still go. */
		return left < s->job->cancellable ? over(s, said, SAID_LATER) : not_done(s, said);
	s->job->refund = left - s->goal;
	s->job->cancellable = left;
	return act(s, said);
}

static enum pay_step looked(struct steps *s, const struct pay_said *said)
{
	s->looked = true;
	if (said->end == SAID_DOUBT || said->end == SAID_LATER)
		return over(s, said, said->end);
	if (s->todo == ASK_CHARGE)
		return looked_to_charge(s, said);
	if (s->todo == ASK_VOID)
		return looked_to_void(s, said);
	if (s->todo == ASK_REFUND)
		return looked_to_refund(s, said);
	return over(s, said, said->end);
}

enum pay_step steps_next(struct steps *s, const struct pay_said *said)
{
	assert(s->asked != ASK_NOTHING);
	if (s->asked == ASK_LOOK)
		return looked(s, said);
	s->acted = true;
	s->act = *said;
	if (s->todo == ASK_REFUND && said->end == SAID_REFUSED)
		return s->asked = ASK_LOOK; /* the sum is another than we believed, or they will not: the look says which */
	if (said->end != SAID_DOUBT || s->todo == ASK_BEGIN || s->todo == ASK_FORGET_CARD)
		return over(s, said, said->end);
	if (s->provider->confirms && s->job->purpose == INTENT_FOR_CARD)
		return over(s, said, s->attempts + 1 >= NO_IS_NO ? SAID_REFUSED : SAID_DOUBT);
	if (*said->ref)
		memcpy(s->job->ref, said->ref, sizeof s->job->ref);
	return s->asked = ASK_LOOK;
}

enum pay_step steps_cannot(struct steps *s)
{
	struct pay_said none = {.words = "nothing to do it with"};

	if (s->asked == ASK_LOOK) /* a card that nobody was told of; a session that was never made */
		return over(s, &none, s->provider->confirms ? SAID_OPEN : SAID_GONE);
	if (!s->looked && (s->todo == ASK_CHARGE || s->todo == ASK_REFUND))
		return s->asked = ASK_LOOK;
	return over(s, &none, SAID_REFUSED);
}

void steps_no_key(struct steps *s, bool doubt)
{
	struct pay_said none = {.end = SAID_LATER};

	provider_say(&none, "", "no key for this provider: please look at the settings of payments");
	/* A person sees to a refund; a charge that nobody has begun comes to nothing; all else waits for a key. */
	if (s->todo == ASK_REFUND || (s->todo == ASK_CHARGE && !doubt && !s->attempts))
		none.end = SAID_REFUSED;
	over(s, &none, none.end);
}

int steps_wait_s(const struct steps *s)
{
	int wait = FIRST_S;

	for (int i = 0; i < s->attempts && wait < LONGEST_S; i++)
		wait *= 2;
	wait = wait < LONGEST_S ? wait : LONGEST_S;
	return s->end.retry_s > wait ? s->end.retry_s : wait;
}
