/*
 * life.h - the life of a reservation: its states and the moves allowed between them.
 *
 * The book's trigger reservations_life holds the same list; a test compares them.
 */
#ifndef JARI_LIFE_H
#define JARI_LIFE_H

#include <stdbool.h>

#define LIFE_LIST(X) \
	X(TEMPORARY) /* a hold: seats taken, money not in yet */ \
	X(CONFIRMED) \
	X(PREPAY_CONFIRM) \
	X(REFUND_PENDING) \
	X(EXPIRED) /* from here on the seats are free */ \
	X(COMPLETED) \
	X(REFUNDED) \
	X(NO_SHOW) \
	X(CANCELED)

enum life {
#define X(word) LIFE_##word,
	LIFE_LIST(X) LIFE__MAX
#undef X
};

const char *life_word(enum life s);
bool life_parse(const char *word, enum life *out);
bool life_active(enum life s); /* are the seats taken? */
bool life_may(enum life from, enum life to);
bool life_may_undo(enum life from, enum life to); /* only by the desk, and only to what it was before */

#endif
