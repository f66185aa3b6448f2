/*
 * booking.h - reservations.
 */
#ifndef JARI_BOOKING_H
#define JARI_BOOKING_H

#include "clock.h"
#include "db.h"
#include "life.h"
#include "restaurants.h"
#include "text.h"
#include "ticket.h"

struct reservation {
	int64_t id, slot_id, user_id, restaurant_id, table_id; /* table 0: none */
	char code[44], date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	int party;
	char type[24], request[204];
	enum life status; /* a hold past its time reads as EXPIRED, swept or not */
	char hold_expires_at[CLOCK_ISO_SIZE];
	int64_t deposit, prepay, total;
	char currency[4], refund_policy[80], visit_status[12], guest[164];
	int64_t version;
	char created_at[CLOCK_ISO_SIZE], updated_at[CLOCK_ISO_SIZE];
};

/* ERR_NO_SUCH_RESERVATION when there is none. */
enum err booking_get(struct db *db, int64_t id, int64_t now_s, struct reservation *out);
/* The newest first, at most limit. */
enum err booking_of_user(struct db *db, int64_t user_id, int limit, int64_t now_s,
			 void (*each)(void *arg, const struct reservation *), void *arg);
enum err booking_items(struct db *db, int64_t id,
		       void (*each)(void *arg, int64_t menu_id, const char *name, int64_t price, int64_t quantity),
		       void *arg);

/* What is paid, and how much of it a guest who cancels at this moment gets back. */
enum err booking_refund_now(struct db *db, const struct reservation *v, int64_t now_s, int64_t *paid, int64_t *refund);

/* What a cancelled one gives back, or gave. */
enum err booking_refunded(struct db *db, int64_t id, int64_t *amount);

/* ERR_NO_SUCH_RESERVATION when there is none. */
enum err booking_by_code(struct db *db, const char *code, int64_t *id);

/*
 * The reservation that a ticket has just made, from the ticket alone: what was written needs not be
 * read again.  Its guest's name is left empty.
 */
void booking_from_ticket(const struct ticket_book *b, const struct ticket_outcome *o, struct reservation *out);

/*
 * The kind no, before a ticket is drawn: by the committed book at this moment.  ERR_OK promises
 * nothing.  ERR_DUPLICATE and ERR_SLOT_FULL fill the outcome; ERR_KEY_REUSED; a key that was used for
 * this very booking gives ERR_OK and the reservation's id in the outcome.
 */
enum err booking_precheck(struct db *db, const struct restaurant_day *day, const struct ticket_book *b, int64_t now_s,
			  struct ticket_outcome *out);

/* The newest ticket in the book. */
enum err booking_max_ticket(struct db *db, uint64_t *out);
/* The reservation that this ticket made: ERR_NO_SUCH_RESERVATION when it made none. */
enum err booking_by_ticket(struct db *db, uint64_t ticket, struct ticket_outcome *out);

/* The following are for the pen's holder, inside his transaction. */

enum err booking_expire_due_locked(struct db *db, int64_t now_s, int *count);
/* Holds the seats, or says why not in out->err.  Returns only faults of the book. */
enum err booking_write(struct db *db, const struct ticket_book *b, uint64_t ticket, int64_t now_s,
		       struct ticket_outcome *out);
/* The one way a status changes.  Says in out->err how it went; *moved is the reservation as it was. */
enum err booking_move(struct db *db, const struct ticket_move *m, uint64_t ticket, int64_t now_s,
		      struct ticket_outcome *out, struct reservation *moved);
/* Has this ticket's move been written already? */
enum err booking_was_moved(struct db *db, int64_t id, uint64_t ticket, bool *done);

/* Expires the holds that are due.  Takes the pen only if there are any; *count says how many. */
enum err booking_expire_due(struct db *db, int64_t now_s, int *count);

#endif
