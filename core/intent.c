/*
 * intent.c - the states of a payment and its moves.
 */
#include "intent.h"

#include "text.h"

#include <assert.h>
#include <stddef.h>

static const char *const words[INTENT__MAX] = {
#define X(word) [INTENT_##word] = #word,
	INTENT_LIST(X)
#undef X
};

static const char *const providers[INTENT_PROVIDERS_MAX] = {
#define X(name, word) [INTENT_##name] = word,
	INTENT_PROVIDERS(X)
#undef X
};

static const char *const purposes[INTENT_FOR__MAX] = {
#define X(word) [INTENT_FOR_##word] = #word,
	INTENT_PURPOSES(X)
#undef X
};

static const char *const todos[INTENT_TO__NOTHING] = {
#define X(word) [INTENT_TO_##word] = #word,
	INTENT_TODOS(X)
#undef X
};

#define BY(who) (1u << INTENT_BY_##who)

/*
 * A row for each move.  What was said to be over can still turn out to be charged (an answer that was lost, an old tab): the
 * provider's word is the last, so FAILED and VOIDED lead to PAID, and the money finds its seats or goes back.
 */
static const struct move {
	enum intent from, to;
	unsigned who;
} moves[] = {
	{INTENT_READY, INTENT_AUTHORISED, BY(GUEST) | BY(CASHIER)},
	{INTENT_READY, INTENT_PAID, BY(CASHIER)},                            /* a channel that charges at once */
	{INTENT_READY, INTENT_FAILED, BY(GUEST) | BY(CASHIER) | BY(KEEPER)}, /* declined, given up, never came back */
	{INTENT_AUTHORISED, INTENT_PAID, BY(CASHIER)},
	{INTENT_AUTHORISED, INTENT_VOIDED, BY(CASHIER)}, /* only who has looked knows that it was not charged */
	{INTENT_AUTHORISED, INTENT_FAILED, BY(CASHIER)},
	{INTENT_VOIDED, INTENT_PAID, BY(CASHIER)},
	{INTENT_FAILED, INTENT_PAID, BY(CASHIER)},
	{INTENT_PAID, INTENT_REFUND_DUE, BY(GUEST) | BY(CASHIER) | BY(DESK)},     /* a cancel; too late for its seats */
	{INTENT_PAID, INTENT_REFUNDED, BY(CASHIER)},                              /* in the provider's console */
	{INTENT_REFUND_DUE, INTENT_PAID, BY(DESK)},                               /* a cancel that is taken back */
	{INTENT_REFUND_DUE, INTENT_REFUNDED, BY(CASHIER) | BY(DESK)},             /* by the provider; by hand */
	{INTENT_REFUNDED, INTENT_REFUND_DUE, BY(GUEST) | BY(CASHIER) | BY(DESK)}, /* the next part of it */
};

const char *intent_provider_word(enum intent_provider p)
{
	assert(p < INTENT_PROVIDERS_MAX);
	return providers[p];
}

bool intent_provider_parse(const char *word, enum intent_provider *out)
{
	*out = (enum intent_provider)text_word(providers, INTENT_PROVIDERS_MAX, word);
	return *out < INTENT_PROVIDERS_MAX;
}

const char *intent_purpose_word(enum intent_purpose p)
{
	assert(p < INTENT_FOR__MAX);
	return purposes[p];
}

bool intent_purpose_parse(const char *word, enum intent_purpose *out)
{
	*out = (enum intent_purpose)text_word(purposes, INTENT_FOR__MAX, word);
	return *out < INTENT_FOR__MAX;
}

const char *intent_todo_word(enum intent_todo t)
{
	return t < INTENT_TO__NOTHING ? todos[t] : NULL;
}

enum intent_todo intent_todo_parse(const char *word)
{
	return (enum intent_todo)text_word(todos, INTENT_TO__NOTHING, word);
}

const char *intent_word(enum intent s)
{
	assert(s < INTENT__MAX);
	return words[s];
}

bool intent_parse(const char *word, enum intent *out)
{
	int s = text_word(words, INTENT__MAX, word);

	if (s < INTENT__MAX)
		*out = (enum intent)s;
	return s < INTENT__MAX;
}

bool intent_charged(enum intent s)
{
	assert(s < INTENT__MAX);
	return s == INTENT_PAID || s == INTENT_REFUND_DUE || s == INTENT_REFUNDED;
}

bool intent_may(enum intent from, enum intent to, enum intent_who who)
{
	assert(from < INTENT__MAX && to < INTENT__MAX && who < INTENT_BY__MAX);
	for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++)
		if (moves[i].from == from && moves[i].to == to)
			return moves[i].who & 1u << who;
	return false;
}
