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
	X(OFFER, "offer") /* seats from the waitlist */ \
	X(REMIND_DAY, "remind-day") \
	X(REMIND_SOON, "remind-soon") \
	X(CODE, "code") /* six digits that prove a number or address */ \
	X(OWNER_NEW, "owner-new") \
	X(OWNER_DIGEST, "owner-digest") \
	X(DAY_SHEET, "day-sheet") \
	X(TEST, "test")

enum outbox_event {
#define X(name, word) OUTBOX_##name,
	OUTBOX_EVENTS(X) OUTBOX__EVENTS
#undef X
};

/* No message waits longer between two tries, but for a little chance.  Whatever is put off further was so by a wrong clock. */
enum { OUTBOX_LONGEST_S = 3600 };
/* A change is told when it has rested so long: a guest who tries five times gets one message, with what it came to. */
enum { OUTBOX_REST_S = 60 };

/* What goes first. */
enum outbox_urgency { OUTBOX_CODES, OUTBOX_OFFERS, OUTBOX_REST };

/* What a guest is told about a reservation: "2026-01-20 18:00 2", and "-" where it is off. */
enum { OUTBOX_STATE_SIZE = sizeof(((struct ticket_sent *)0)->state) };
void outbox_state(const struct reservation *v, char out[OUTBOX_STATE_SIZE]);

const char *outbox_word(enum outbox_event e);
enum outbox_event outbox_event(const char *word); /* OUTBOX__EVENTS: none of them */

/* ---- writing, inside a transaction ---- */

/*
 * The guest of that reservation is told, not before delay_s from now; nothing where nobody sends messages.  A change rests,
 * and if one is waiting to be told, this is part of it.
 */
enum err outbox_tell(struct txn *t, enum outbox_event e, int64_t restaurant_id, int64_t reservation_id, int64_t delay_s);
/*
 * The same for a reservation that was just made, whose guest is known: the fewest steps in a rush.  A guest who has proven nothing
 * may have typed another's address.  Their network has so many messages at once; those beyond wait for their turn (RATE_TELL_NEAR).
 */
struct outbox_new {
	bool has_email, has_phone;
	uint64_t network; /* they came from; 0: not known, or the guest is */
};
enum err outbox_tell_new(struct txn *t, enum outbox_event e, int64_t restaurant_id, int64_t reservation_id,
			 const struct outbox_new *guest);
/*
 * The owner is told of new reservations, if they want each: one message for those of a minute, when it is over.  Nobody
 * reads five hundred mails after a rush.
 */
enum err outbox_tell_owner(struct txn *t, int64_t restaurant_id, int64_t reservation_id);
/*
 * A change or cancellation is taken back: what is queued about it since that version is not sent, and where nothing is, mail and
 * text message each for itself, the guest may have heard of it and is told how it is.
 */
enum err outbox_take_back(struct txn *t, int64_t restaurant_id, int64_t reservation_id, int64_t version);
/* How can messages reach guests of this restaurant? */
enum err outbox_ways(struct txn *t, int64_t restaurant_id, bool *mail, bool *sms);
/* A code, by the way that its proof names.  It goes before those of the last before_s seconds. */
enum err outbox_put_code(struct txn *t, int64_t restaurant_id, bool by_mail, int64_t proof_id, int64_t before_s);

/* TICKET_SENT: the courier reports. */
enum err outbox_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

/* The keeper's part: reminders, holds about to lapse, the owner's sheet and digest, as the clock has it. */
enum err outbox_plan(struct db *db, int64_t now_s);

/* A test message to the owner's address; ERR_NO_MAIL where no mail server or address is set. */
enum err outbox_put_test(struct db *db, const struct restaurant *r, int64_t now_s, int64_t *id);

/* ---- reading ---- */

struct outbox_row {
	int64_t id, restaurant_id, reservation_id, proof_id;
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
enum err outbox_next(struct db *db, bool by_mail, enum outbox_urgency urgency, int64_t after_restaurant, int64_t now_s,
		     struct outbox_row *out, bool *found);
/* The same for one that was put off by a clock that ran ahead.  It walks along what is queued: ask seldom. */
enum err outbox_ahead(struct db *db, enum outbox_urgency urgency, int64_t now_s, struct outbox_row *out, bool *found);

/*
 * Nobody is flooded: so many messages about one reservation and to one recipient, in an hour and in a day.  *until_s: 0, or when there
 * is room for this one.  A cancellation is counted against its reservation alone.  recipient is a keyed hash of the address; few: it was only typed, and may be a stranger's.
 */
enum err outbox_room(struct db *db, const struct outbox_row *o, int64_t recipient, bool few, int64_t now_s, int64_t *until_s);
/* What the guest of a reservation was last told that way; "": nothing; "?": something, by an earlier version. */
enum err outbox_told(struct db *db, int64_t reservation_id, bool by_mail, char out[OUTBOX_STATE_SIZE]);
/* The keeper's part: where messages went is forgotten after a day. */
enum err outbox_forget(struct db *db, int64_t now_s);

/* How a guest is reached. */
struct outbox_person {
	char email[256], phone[TEXT_PHONE_SIZE];
	enum lang lang;
	bool email_proven, phone_proven; /* theirs, or given by staff; not just typed by somebody */
};
enum err outbox_person(struct db *db, int64_t reservation_id, struct outbox_person *out);
/* Is there a later row of the same kind for the same reservation? */
enum err outbox_superseded(struct db *db, const struct outbox_row *o, bool *later);
/* Does the first message about its reservation, by the same way, still wait? */
enum err outbox_first_waits(struct db *db, const struct outbox_row *o, bool *waits);

/* Reservations of guests with numbers in (after, until]; those of a day. */
enum err outbox_digest(struct db *db, int64_t restaurant_id, int64_t after, int64_t until, int64_t now_s,
		       void (*each)(void *arg, const struct reservation *), void *arg);
enum err outbox_sheet(struct db *db, int64_t restaurant_id, const char *date, int64_t now_s,
		      void (*each)(void *arg, const struct reservation *), void *arg);
/* Has a later message told the owner of what came in this one's minute?  It lists what has come until it is sent. */
enum err outbox_owner_knows(struct db *db, const struct outbox_row *o, bool *known);
/* The number of the last reservation that the digest before this one told. */
enum err outbox_digest_before(struct db *db, int64_t restaurant_id, const char *key, int64_t *last);

/* The last messages, and those of one reservation, for the desk. */
enum err outbox_list(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg);
enum err outbox_of(struct db *db, int64_t reservation_id, stmt_each *each, void *arg);
/* Given up in the last days. */
enum err outbox_failed(struct db *db, int64_t restaurant_id, int64_t now_s, int64_t *count);
/* Refused more than once and still waiting (100 at most), and what the other side said last. */
enum err outbox_stuck(struct db *db, int64_t restaurant_id, int64_t *count, char answer[204]);

/* ---- how mail leaves the box ---- */

struct outbox_mail {
	char way[12]; /* OFF, SMTP, SENDMAIL */
	char host[256], security[12], login[LENGTHS_SIZE(LENGTHS_MAIL_LOGIN)], sender[256], site[204];
	char password[TOKEN_SEALED_SIZE(LENGTHS_SIZE(LENGTHS_MAIL_PASSWORD))]; /* sealed; "=" in outbox_set_mail(): as it was */
	int port;
};
/* way OFF where nobody has said. */
enum err outbox_get_mail(struct db *db, struct outbox_mail *out);
enum err outbox_set_mail(struct db *db, const struct outbox_mail *m, const char *actor, int64_t now_s);

#endif
