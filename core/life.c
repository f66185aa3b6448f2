/*
 * life.c - the life of a reservation.
 */
#include "life.h"

#include <assert.h>
#include <string.h>

#define TO(word) (1u << LIFE_##word)

static const char *const words[LIFE__MAX] = {
#define X(word) [LIFE_##word] = #word,
	LIFE_LIST(X)
#undef X
};

static const unsigned moves[LIFE__MAX] = {
	[LIFE_TEMPORARY] = TO(CONFIRMED) | TO(PREPAY_CONFIRM) | TO(EXPIRED) | TO(CANCELED),
	[LIFE_CONFIRMED] = TO(COMPLETED) | TO(NO_SHOW) | TO(CANCELED) | TO(REFUND_PENDING),
	[LIFE_PREPAY_CONFIRM] = TO(COMPLETED) | TO(NO_SHOW) | TO(CANCELED) | TO(REFUND_PENDING),
	[LIFE_REFUND_PENDING] = TO(REFUNDED) | TO(CANCELED),
	[LIFE_EXPIRED] = TO(CONFIRMED) | TO(PREPAY_CONFIRM), /* a late payment that finds its seats free */
};

const char *life_word(enum life s)
{
	assert(s < LIFE__MAX);
	return words[s];
}

bool life_parse(const char *word, enum life *out)
{
	for (int s = 0; s < LIFE__MAX; s++)
		if (strcmp(words[s], word) == 0)
			return *out = (enum life)s, true;
	return false;
}

bool life_active(enum life s)
{
	assert(s < LIFE__MAX);
	return s <= LIFE_REFUND_PENDING;
}

/* The desk takes back what it said, if the seats are still free. */
static const unsigned undos[LIFE__MAX] = {
	[LIFE_CONFIRMED] = TO(TEMPORARY), /* a hold that was confirmed because a change left nothing due */
	[LIFE_COMPLETED] = TO(CONFIRMED) | TO(PREPAY_CONFIRM),
	[LIFE_NO_SHOW] = TO(CONFIRMED) | TO(PREPAY_CONFIRM),
	[LIFE_CANCELED] = TO(TEMPORARY) | TO(CONFIRMED) | TO(PREPAY_CONFIRM),
	[LIFE_EXPIRED] = TO(TEMPORARY), /* a change that the desk has ended; a hold whose guest was paying */
};

bool life_may_undo(enum life from, enum life to)
{
	assert(from < LIFE__MAX && to < LIFE__MAX);
	return undos[from] & 1u << to;
}

bool life_may(enum life from, enum life to)
{
	assert(from < LIFE__MAX && to < LIFE__MAX);
	return moves[from] & 1u << to;
}
