/*
 * booking.h - reservations: reading them, and making one.  moves.h changes their status, payments.h is their money.
 */
#ifndef JARI_BOOKING_H
#define JARI_BOOKING_H

#include "clock.h"
#include "life.h"
#include "restaurants.h"
#include "text.h"
#include "ticket.h"
#include "txn.h"

enum { BOOKING_CODE_SIZE = LENGTHS_SIZE(LENGTHS_CODE) }; /* an import's may have any characters */

struct reservation {
	int64_t id, slot_id, user_id, restaurant_id, table_id; /* table 0: none */
	char code[BOOKING_CODE_SIZE], date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	int party;
	char type[24], request[TICKET_MESSAGE_SIZE];
	enum life status; /* a hold past its time reads as EXPIRED, swept or not */
	char hold_expires_at[CLOCK_ISO_SIZE];
	int64_t deposit, prepay, total;
	int deposit_party; /* how many people the deposit was paid for */
	char currency[4], refund_policy[MONEY_POLICY_SIZE], visit_status[12], guest[TICKET_NAME_SIZE];
	int64_t version;
	int64_t card_id;   /* 0: made by a login or at the desk */
	int64_t phone_key; /* of its guest; 0: none is known */
	char starts_at[CLOCK_ISO_SIZE], ends_at[CLOCK_ISO_SIZE];
	int sitting_minutes;
	char created_at[CLOCK_ISO_SIZE], updated_at[CLOCK_ISO_SIZE];
	bool from_waitlist;
	bool offered;      /* seats from the waitlist that the guest has not taken yet */
	bool unproven;     /* a hold that waits for its guest's code */
	bool coming;       /* asked before the day, the guest said that they come */
	int64_t forfeited; /* of what is paid: kept for people whom the guest took off */
	int refund_cap; /* percent that a guest who cancels gets back at most: it was moved once; 100: all that the policy says */

	/* A change of it that waits for its money, 0: none.  Or it is one itself: of which, to how many, and is it done? */
	int64_t change_id, change_of;
	int change_party;
	bool change_done;
	int64_t change_version; /* of the reservation that it changes, when it was asked for; 0: withdrawn */
};

/* Who books. */
struct booking_person {
	int64_t user_id; /* 0: nobody has booked with this number yet */
	int64_t card_id; /* 0: a login, which sees all reservations of its user */
	bool proven;     /* the number, or the address, is theirs */
	bool account;    /* they log in, so their address is known */
	char name[TICKET_NAME_SIZE];
};

/* RESERVATION_DEPOSIT, PREORDER_PREPAY */
const char *booking_type_word(enum ticket_type t);

/* Was it cancelled, and by the restaurant? */
enum err booking_cancelled_by_house(struct db *db, int64_t id, bool *was);
/* Are they at their table, or were they? */
bool booking_sits(const struct reservation *v);

/* ERR_NO_SUCH_RESERVATION when there is none. */
enum err booking_get(struct db *db, int64_t id, int64_t now_s, struct reservation *out);
bool booking_has_begun(const struct reservation *v, int64_t now_s);
/* The newest first, at most limit. */
enum err booking_of_user(struct db *db, int64_t user_id, int limit, int64_t now_s,
			 void (*each)(void *arg, const struct reservation *), void *arg);
enum err booking_of_card(struct db *db, int64_t card_id, int limit, int64_t now_s,
			 void (*each)(void *arg, const struct reservation *), void *arg);
enum err booking_items(struct db *db, int64_t id,
		       void (*each)(void *arg, int64_t menu_id, const char *name, int64_t price, int64_t quantity), void *arg);
/* Every row of a statement that selects RESERVATION of stmt.c. */
enum err booking_each(struct db *db, struct sqlite3_stmt *s, int64_t now_s, void (*each)(void *arg, const struct reservation *),
		      void *arg);
/*
 * The reservation with that code, however it is typed: case, blanks, hyphens and width do not matter.  ERR_MISTYPED_CODE when
 * there is none and its check says why; ERR_NO_SUCH_RESERVATION.
 */
enum err booking_by_code(struct db *db, const char *typed, int64_t *id);
/* 0: there is none yet. */
enum err booking_newest(struct db *db, int64_t *id);

/*
 * The reservation that a ticket has just made, from the ticket alone: what was written need not be read again.  The
 * guest's name is left empty.
 */
void booking_from_ticket(const struct ticket_book *b, const struct ticket_outcome *o, struct reservation *out);

/* From when to when it asks for a place, and the tables that it names. */
void booking_stay(const struct ticket_want *w, struct room_stay *out);

/*
 * An early refusal from the committed book, before a ticket is drawn: the outcome's err.  ERR_OK there promises nothing.
 * A key that was used for this very booking gives ERR_OK and the reservation's id in the outcome.
 */
enum err booking_precheck(struct db *db, const struct restaurant_day *day, const struct ticket_book *b, int64_t now_s,
			  struct ticket_outcome *out);

/*
 * Whose booking is it?  A guest is whoever has the number.  A login may have been ended since the door checked its
 * signature.  out->err says no.
 */
enum err booking_find_person(struct db *db, const struct ticket_book *b, struct booking_person *p, struct ticket_outcome *out);
/* How many unpaid holds a person has, and how many reservations to come; it stops at `most` of these. */
enum err booking_standing(struct db *db, int64_t user_id, int64_t most, int64_t now_s, int64_t *holds, int64_t *upcoming);
/* Their active reservation in that slot: ERR_DUPLICATE in out->err; another card's is told as that and nothing more. */
enum err booking_find_own(struct db *db, const struct booking_person *p, int64_t slot_id, int64_t now_s,
			  struct ticket_outcome *out);
/* Is there room for it?  Fills t->slot and the stay; out->err is ERR_SLOT_FULL if there is not. */
enum err booking_find_place(struct txn *t, const struct ticket_book *b, struct room_stay *stay, struct ticket_outcome *out);
/*
 * Seats from the waitlist for this person: a hold of b->hold_s, whatever is due, that no ticket asked for.  The place was
 * found by booking_find_place().
 */
enum err booking_offer(struct txn *t, const struct ticket_book *b, const struct booking_person *p, struct room_stay *stay,
		       struct ticket_outcome *out);

/* SLOT_FULL, and how many seats are left; none: there are seats, but no table fits. */
void booking_say_full(struct ticket_outcome *out, int64_t left);
/* TICKET_BOOK: holds the seats, or says why not in out->err.  Returns only faults of the book. */
enum err booking_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

#endif
