/*
 * dispatch.h - what the courier asks the book: what goes next, whether there is room for it, and what it is about.
 */
#ifndef JARI_DISPATCH_H
#define JARI_DISPATCH_H

#include "outbox.h"

/* No message waits longer between two tries, but for a little chance.  Whatever is put off further was so by a wrong clock. */
enum { DISPATCH_LONGEST_S = 3600 };
/* What goes first. */
enum dispatch_urgency { DISPATCH_CODES, DISPATCH_OFFERS, DISPATCH_REST };

struct dispatch_row {
	int64_t id, restaurant_id, reservation_id, proof_id, door_id;
	char planned_for[CLOCK_ISO_SIZE];            /* a reminder: when the party begins; OUTBOX_LAPSING: when the hold ends */
	int64_t first_reservation, last_reservation; /* OUTBOX_OWNER_NEW, OUTBOX_OWNER_DIGEST: that it tells of */
	bool by_mail;
	enum outbox_event event;
	int attempts;
	int64_t created_s;
	char key[64];
};

/*
 * What is to be sent now by that way, of that urgency: the oldest of the restaurant whose turn it is after that one, so that a flood
 * of one restaurant's messages leaves the others theirs.
 */
enum err dispatch_next(struct db *db, bool by_mail, enum dispatch_urgency urgency, int64_t after_restaurant, int64_t now_s,
		       struct dispatch_row *out, bool *found);
/* The same for one that was put off by a clock that ran ahead.  It walks along what is queued: ask seldom. */
enum err dispatch_ahead(struct db *db, enum dispatch_urgency urgency, int64_t now_s, struct dispatch_row *out, bool *found);

/*
 * How many messages go at most: about one reservation and to one recipient, in an hour and in a day.  *until_s: 0, or when there
 * is room for this one.  A cancellation is counted against its reservation alone.  recipient is a keyed hash of the address; few: it was only typed, and may be a stranger's.
 */
enum err dispatch_room(struct db *db, const struct dispatch_row *o, int64_t recipient, bool few, int64_t now_s,
		       int64_t *until_s);
/* What the guest of a reservation was last told that way; "": nothing; "?": something, by an earlier version. */
enum err dispatch_told(struct db *db, int64_t reservation_id, bool by_mail, char out[OUTBOX_STATE_SIZE]);
/* The keeper's part: where messages went is forgotten after a day. */
enum err dispatch_forget(struct db *db, int64_t now_s);

/* How a guest is reached. */
struct dispatch_person {
	char email[256], phone[TEXT_PHONE_SIZE];
	enum lang lang;
	bool email_proven, phone_proven; /* theirs, or given by staff; not just typed */
};
enum err dispatch_person(struct db *db, int64_t reservation_id, struct dispatch_person *out);
/* Is there a later row of the same kind for the same reservation? */
enum err dispatch_superseded(struct db *db, const struct dispatch_row *o, bool *later);
/* Does the first message about its reservation, by the same way, still wait? */
enum err dispatch_first_waits(struct db *db, const struct dispatch_row *o, bool *waits);

/* Reservations of guests with numbers in (after, until]; those of a day. */
enum err dispatch_digest(struct db *db, int64_t restaurant_id, int64_t after, int64_t until, int64_t now_s,
			 void (*each)(void *arg, const struct reservation *), void *arg);
enum err dispatch_sheet(struct db *db, int64_t restaurant_id, const char *date, int64_t now_s,
			void (*each)(void *arg, const struct reservation *), void *arg);
/* Has a later message told the owner of what came in this one's minute?  It lists what has come until it is sent. */
enum err dispatch_owner_knows(struct db *db, const struct dispatch_row *o, bool *known);
/* The number of the last reservation that the digest before this one told. */
enum err dispatch_digest_before(struct db *db, int64_t restaurant_id, const char *key, int64_t *last);

#endif
