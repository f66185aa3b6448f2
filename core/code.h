/*
 * code.h - reservation codes: what a guest reads to the restaurant over the telephone.
 *
 * A code is seven random characters and a check character, written 4KXR-7MTF.  There are seventeen characters: no two that
 * look alike, no vowels and so no words, and none of a pair that the ear confuses where the other is there (N and M, D and
 * T, B and P).  Seventeen is a prime, so one weighted sum finds every wrong character and every two that changed places.
 * There are 17^7 of them, 410 million; those that are made in one transaction have their first three characters in common.
 * Whatever else stands in a book, the codes of earlier versions (R20260120-0009) and those of an import, is a code as well:
 * the check says only that what was typed cannot be one of ours.
 */
#ifndef JARI_CODE_H
#define JARI_CODE_H

#include "lengths.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	CODE_SIZE = 10, /* "4KXR-7MTF" */
	CODE_TYPED_SIZE = LENGTHS_SIZE(LENGTHS_CODE),
	CODE_BASE = 17,    /* characters that there are */
	CODE_POOL = 32,    /* random numbers that are fetched at a time */
	CODE_ALIKE = 1024, /* codes that begin alike at the most: of 83,521, so that few are drawn twice */
	CODE_DRAWS = 10,   /* how often one that is in the book already is drawn again */
};

/* Random numbers in store, so that a batch of bookings asks the system once.  Never keep one across a fork. */
struct code_pool {
	uint32_t numbers[CODE_POOL];
	uint32_t shared; /* the first three characters of every code of this pool */
	int left;
	int shared_left; /* how many more codes get them */
};

/* An empty pool: the next code begins with other characters. */
void code_begin(struct code_pool *p);

/* A new code.  Whether it is in the book already, the book's unique index knows. */
void code_make(struct code_pool *p, char out[CODE_SIZE]);

/* What a guest typed or read to us, as the book may have it. */
struct code_typed {
	char plain[CODE_TYPED_SIZE]; /* capital letters and digits as ASCII, no blanks, no hyphens; anything else as it was */
	char grouped[CODE_SIZE];     /* as we write ours; "" when it has not our length */
	bool mistyped;               /* nearly one of ours: the length is right, the check is not */
};

/* text: at most CODE_TYPED_SIZE - 1 bytes of valid UTF-8; the rest of a longer one is left out. */
void code_read(const char *text, struct code_typed *out);

#endif
