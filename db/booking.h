/*
 * booking.h - reservations: reading them, and making one.  moves.h changes their status, payments.h is their money.
 */
#ifndef JARI_BOOKING_H
#define JARI_BOOKING_H

#include "clock.h"
#include "life.h"
#include "restaurants.h"
#include "rows.h"
#include "text.h"
#include "ticket.h"
#include "txn.h"

enum { BOOKING_CODE_SIZE = LENGTHS_SIZE(LENGTHS_CODE) };

struct reservation {
	ROWS_RESERVATION(ROWS_MEMBER)
};

/* Who books. */
struct booking_person {
	int64_t user_id; /* 0: no guest has booked with this number yet */
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
enum err booking_items(struct db *db, int64_t id, stmt_each *each, void *arg);
/* A row of a statement that begins with the columns of ROWS_RESERVATION; returns the column after them. */
int booking_take(struct sqlite3_stmt *s, int64_t now_s, struct reservation *out);
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
 * Whose booking is it?  The number identifies a guest.  A login may have been ended since the door checked its
 * signature.  out->err says no.
 */
enum err booking_find_person(struct db *db, const struct ticket_book *b, struct booking_person *p, struct ticket_outcome *out);
/* How often a person did not come there, up to a hundred; 0 for nobody, and where the house does not ask a deposit for it. */
enum err booking_no_shows(struct db *db, const struct restaurant *r, int64_t user_id, int *out);
/* The same of who books, before the line. */
enum err booking_no_shows_of(struct db *db, const struct restaurant *r, const struct ticket_who *who, int *out);
/* How many unpaid holds a person has, and how many reservations to come; it stops at `most` of these. */
enum err booking_standing(struct db *db, int64_t user_id, int64_t most, int64_t now_s, int64_t *holds, int64_t *upcoming);
/* Their active reservation in that slot: ERR_DUPLICATE in out->err; another card's is told as that and nothing more. */
enum err booking_find_own(struct db *db, const struct booking_person *p, int64_t slot_id, int64_t now_s,
			  struct ticket_outcome *out);
/* Is there room for it?  Fills t->slot and the stay; out->err is ERR_SLOT_FULL or ERR_TIME_BLOCKED if there is not. */
enum err booking_find_place(struct txn *t, const struct ticket_book *b, struct room_stay *stay, struct ticket_outcome *out);
/*
 * Seats from the waitlist for this person: a hold of b->hold_s, whatever is due, that no ticket asked for.  The place was
 * found by booking_find_place().
 */
enum err booking_offer(struct txn *t, const struct ticket_book *b, const struct booking_person *p, struct room_stay *stay,
		       struct ticket_outcome *out);

/* A hold waits for its money, or for a card; one that is offered or not proven yet waits for something else first. */
bool booking_has_to_pay(const struct reservation *v);
/* SLOT_FULL, and how many seats are left; none: there are seats, but no table fits.  Or TIME_BLOCKED. */
void booking_refuse(struct ticket_outcome *out, enum err why, int64_t left);
/* TICKET_BOOK: holds the seats, or says why not in out->err.  Returns only faults of the book. */
enum err booking_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

#endif
