/*
 * proofs.h - a number or an address that is proven by a code sent to it.
 *
 * Typing a number proves nothing.  A guest who enters the six digits that were sent to it shows that it is theirs: their card
 * is then a login of that person, on whichever device, and a booking that waited for the code stands.
 */
#ifndef JARI_PROOFS_H
#define JARI_PROOFS_H

#include "booking.h"

enum {
	PROOFS_GOOD_S = 300,
	PROOFS_TRIES = 5,
	PROOFS_EVERY_S = 600,
	PROOFS_MAX = 3,             /* codes in that time to one number or one address, and of one card */
	PROOFS_MAX_HOLD = 6,        /* with those, for a card whose seats wait for the code ... */
	PROOFS_MAX_FIRST = 12,      /* ... and for its first: a stranger who holds seats too cannot use up a guest's */
	PROOFS_NUMBERS = 6,         /* numbers that one mailbox proves in a day: a family's, not a stranger's hundred */
	PROOFS_A_MINUTE = 200,      /* of the whole box: it is no one's spam relay */
	PROOFS_A_MINUTE_OPEN = 133, /* of those, for cards without such seats: strangers cannot use up the rest */
};

struct proof {
	int64_t id, restaurant_id, card_id, phone_key;
	bool by_mail, over; /* over: used, too old, or tried too often */
	char address[256];
	enum lang lang;
};

/* ERR_NOT_FOUND when there is none. */
enum err proofs_get(struct db *db, int64_t id, int64_t now_s, struct proof *out);

/*
 * TICKET_PROVE: a code is on its way; out->id is the proof, out->hold_until_s until when it is good.  ERR_TOO_MANY_CODES,
 * ERR_NO_WAY_TO_REACH.  TICKET_CODE: ERR_WRONG_CODE, ERR_CODE_OVER.  Both: ERR_ADDRESS_USED_UP.
 */
enum err proofs_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

/* Does a hold of this card wait for its code? */
enum err proofs_awaited(struct db *db, int64_t card_id, int64_t now_s, bool *awaited);
/* What this card has proven: nothing (false), its number, or the address in email. */
enum err proofs_of_card(struct db *db, int64_t card_id, int64_t phone_key, bool *proven, char email[256]);
/* All reservations of the number, or (email not "") those made with that address too; and what was made with the card itself. */
enum err proofs_reservations(struct db *db, int64_t phone_key, const char *email, int64_t card_id, int limit, int64_t now_s,
			     void (*each)(void *arg, const struct reservation *), void *arg);

/* The keeper's part: where codes went is forgotten after a day. */
enum err proofs_forget(struct db *db, int64_t now_s);

#endif
