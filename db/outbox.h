/*
 * outbox.h - messages to guests and to the owner: what happened is written here in the transaction in which it happened,
 * and the courier sends it.
 *
 * A row says nothing personal.  It is looked at again when it is sent: a reminder of a reservation that was cancelled
 * meanwhile is skipped.  With no mail server and no command for text messages nothing is written at all.
 */
#ifndef JARI_OUTBOX_H
#define JARI_OUTBOX_H

#include "booking.h"
#include "token.h"

/* Every event, with the word that the book and the command for text messages know it by. */
#define OUTBOX_EVENTS(X) \
	X(CONFIRMED, "confirmed") \
	X(HELD, "held")       /* seats wait for their payment */ \
	X(LAPSING, "lapsing") /* and will not wait much longer */ \
	X(CHANGED, "changed") \
	X(CANCELLED, "cancelled") /* by the guest */ \
	X(REFUSED, "cancelled-by-house") \
	X(CHARGED, "charged")     /* a card that was given as guarantee */ \
	X(HELD_CARD, "held-card") /* as HELD and LAPSING, where a card is waited for; rows have the other words */ \
	X(LAPSING_CARD, "lapsing-card") \
	X(OFFER, "offer") /* seats from the waitlist */ \
	X(REMIND_DAY, "remind-day") \
	X(REMIND_SOON, "remind-soon") \
	X(TABLE_READY, "table-ready") /* for a party at the door */ \
	X(CODE, "code")               /* six digits that prove a number or address */ \
	X(OWNER_NEW, "owner-new") \
	X(OWNER_DIGEST, "owner-digest") \
	X(DAY_SHEET, "day-sheet") \
	X(TEST, "test")

enum outbox_event {
#define X(name, word) OUTBOX_##name,
	OUTBOX_EVENTS(X) OUTBOX__EVENTS
#undef X
};

/* A change is told when it has rested this long: a guest who tries five times gets one message, with what it came to. */
enum { OUTBOX_REST_S = 60 };

/* What a guest is told about a reservation: "2026-01-20 18:00 2", and "-" where it is off. */
enum { OUTBOX_STATE_SIZE = sizeof(((struct ticket_sent *)0)->state) };
void outbox_state(const struct reservation *v, char out[OUTBOX_STATE_SIZE]);

const char *outbox_word(enum outbox_event e);
enum outbox_event outbox_event(const char *word); /* OUTBOX__EVENTS: none of them */

/*
 * The guest of that reservation is told, not before delay_s from now; nothing where the house sends no messages.  A change rests,
 * and if one is waiting to be told, this is part of it.
 */
enum err outbox_tell(struct txn *t, enum outbox_event e, int64_t restaurant_id, int64_t reservation_id, int64_t delay_s);
/*
 * The same for a reservation that was just made, whose guest is known: the fewest steps in a rush.  A guest who has proven nothing
 * may have typed another's address.  Their network has some messages at once; those beyond wait for their turn (RATE_TELL_NEAR).
 */
struct outbox_new {
	bool has_email, has_phone;
	uint64_t network; /* they came from; 0: not known, or the guest is */
};
enum err outbox_tell_new(struct txn *t, enum outbox_event e, int64_t restaurant_id, int64_t reservation_id,
			 const struct outbox_new *guest);
/*
 * The owner is told of new reservations, if they want each: one message for those of a minute, when it is over.  No
 * owner reads five hundred mails after a rush.
 */
enum err outbox_tell_owner(struct txn *t, int64_t restaurant_id, int64_t reservation_id);
/*
 * A change or cancellation is taken back: what is queued about it since that version is not sent, and where nothing is, mail and
 * text message each for itself, the guest may have heard of it and is told how it is.
 */
enum err outbox_take_back(struct txn *t, int64_t restaurant_id, int64_t reservation_id, int64_t version);
/* How can messages reach guests of this restaurant? */
enum err outbox_ways(struct txn *t, int64_t restaurant_id, bool *mail, bool *sms);
/*
 * A code, by the way that its proof names.  It goes before those of the last before_s seconds.  Of one network (0: not known) a
 * few go in the order of asking; those beyond let the codes of other networks go first, and wait for nothing else.
 */
enum err outbox_put_code(struct txn *t, int64_t restaurant_id, bool by_mail, int64_t proof_id, int64_t before_s,
			 uint64_t network);

/* TICKET_SENT: the courier reports. */
enum err outbox_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

/* A test message to the owner's address; ERR_NO_MAIL where no mail server is set, ERR_NO_OWN_MAIL where no address is. */
enum err outbox_put_test(struct db *db, const struct restaurant *r, int64_t now_s, int64_t *id);

#endif
