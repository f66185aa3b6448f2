/*
 * parcel.h - a copy of the book on its way to the spare: only the pages that the spare has not.
 *
 * A booking changes a dozen pages of four kilobytes, so that is what travels, and what is written there: no card is worn out by
 * a whole book every few seconds.  The copy is put together beside the last one, in the file of the one before that, and a hash
 * over all of it tells that it is whole; only then do the two change names.
 */
#ifndef JARI_PARCEL_H
#define JARI_PARCEL_H

#include "wire.h"

enum { PARCEL_PAGE = 4096, PARCEL_HASH = 32, PARCEL_HASH_TEXT = 65 };

/* What is known of a file: a sum for each page, and a hash over all. */
struct parcel {
	int64_t size;
	size_t pages;
	uint64_t *sums;
	char hash[PARCEL_HASH_TEXT]; /* in hexadecimal; "": nothing is known */
};

void parcel_free(struct parcel *p);
/* False: the file cannot be read, or there is no memory. */
bool parcel_look(const char *file, struct parcel *out);
/* The hash alone; "" if there is no such file. */
void parcel_hash(const char *file, char out[PARCEL_HASH_TEXT]);

/* How many pages of `now` the one who has `before` lacks; before NULL: all. */
size_t parcel_count(const struct parcel *now, const struct parcel *before);
/* Sends these pages of the file. */
bool parcel_send(struct wire *w, const char *file, const struct parcel *now, const struct parcel *before, int64_t until_ms);

/* What was announced. */
struct parcel_head {
	int64_t size, count;
	char hash[PARCEL_HASH_TEXT];
};
enum parcel_end { PARCEL_WHOLE, PARCEL_CUT, PARCEL_WRONG, PARCEL_NO_ROOM };
/*
 * Takes the pages that come, the others from `base` (there may be none), and writes what is new into `to`, which may be a file of
 * any content.  quiet_ms: how long a page may take to come.  *written: how many pages were.
 */
enum parcel_end parcel_take(struct wire *w, const struct parcel_head *head, const char *base, const char *to, int quiet_ms,
			    size_t *written);

#endif
