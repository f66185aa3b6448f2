/*
 * reconcile.h - the book and the provider's list, side by side.
 *
 * Both should name the same payments with the same sums.  After a disaster, when a backup stands in the place of the book, the
 * provider's list is what names the paid bookings that the book lacks: each payment was sent along with what it was for.
 */
#ifndef JARI_RECONCILE_H
#define JARI_RECONCILE_H

#include "provider.h"

#include "paysettings.h"

enum reconcile_what {
	RECONCILE_MISSING,  /* the provider was paid, and the book knows nothing of it */
	RECONCILE_NOT_PAID, /* both know it; the provider was paid, the book was not told */
	RECONCILE_SUMS,     /* the sums differ */
	RECONCILE_ONLY_OURS /* the book was paid, and the provider knows nothing of it */
};

struct reconcile_line {
	enum reconcile_what what;
	char key[PAY_KEY_SIZE], currency[4], about[160];
	int64_t paid, returned;           /* by the provider */
	int64_t book_paid, book_returned; /* by the book */
	int64_t at_s;                     /* 0: not known */
};

struct reconcile_sum {
	int64_t payments, differ;
	char words[PAY_WORDS_SIZE]; /* what the provider said where it did not tell its list; "": it did */
};

typedef void reconcile_tell(void *arg, const struct reconcile_line *line);

/* One restaurant, from that instant on.  *out->words says why it could not be asked; an error is the book's. */
enum err reconcile(struct db *db, const unsigned char *key, const struct paysettings *set, int64_t from_s, int64_t now_s,
		   reconcile_tell *tell, void *arg, struct reconcile_sum *out);

#endif
