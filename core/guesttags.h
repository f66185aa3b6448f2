/*
 * guesttags.h - what a house calls a guest: VIP, regular, friend, careful, or words of its own.
 *
 * A list of tags is one text, as the book has it: VIP,window seat.  So a tag has no comma.  Capital letters make no other tag;
 * the first spelling stays.  (tags.h is what guests tap for one reservation.)
 */
#ifndef JARI_GUESTTAGS_H
#define JARI_GUESTTAGS_H

#include "err.h"
#include "lengths.h"

#include <stdbool.h>

/* Known to the pages, which have names for them in each language. */
#define GUESTTAGS_LIST(X) X(VIP) X(REGULAR) X(FRIEND) X(CAREFUL)

enum {
	GUESTTAGS_MAX = 8,
	GUESTTAGS_SIZE = GUESTTAGS_MAX * (4 * LENGTHS_GUEST_TAG + 1) + 3, /* each with its comma, and the end */
};

bool guesttags_has(const char *list, const char *tag);
/* One more, unless it is there.  ERR_BAD_GUEST_TAG, and the list stays: no tag, too long, a comma, or the ninth. */
enum err guesttags_add(char list[GUESTTAGS_SIZE], const char *tag);
/* All of the other list; ERR_BAD_GUEST_TAG where they are too many together. */
enum err guesttags_join(char list[GUESTTAGS_SIZE], const char *more);

#endif
