/*
 * ticket.h - what a ticket carries: the whole request, and later its outcome.
 *
 * Plain bytes of fixed size, no pointers: a ticket lies in shared memory and outlives the HTTP
 * request that drew it.  The door has checked everything in a request that needs no lock; the pen's
 * holder decides only what needs the book to stand still.
 */
#ifndef JARI_TICKET_H
#define JARI_TICKET_H

#include "clock.h"
#include "err.h"
#include "money.h"
#include "text.h"

#include <stdint.h>

enum {
	TICKET_ITEMS_MAX = 20,
	TICKET_MESSAGE_SIZE = 204, /* 50 code points */
	TICKET_KEY_SIZE = 81,
	TICKET_REASON_SIZE = 404, /* 100 code points */
	TICKET_CODE_SIZE = 44,    /* a reservation code: 40 characters at most */
};

/*
 * Every kind of ticket, one row each:
 *   KIND, area       db/AREA.c has AREA_write(), which carries it out; api_answer_AREA() tells how it ended
 *   entity, change   of the audit row that carries its number, so that a later process finds what it did
 */
#define TICKET_LIST(X) \
	X(BOOK, booking, "reservation", "created")   /* hold seats */ \
	X(MOVE, moves, "reservation", "status")      /* a reservation changes its status */ \
	X(CHANGE, changes, "reservation", "details") /* another time, another size */ \
	X(LOGOUT, users, "card", "ended")            /* a login or a guest's card ends */

enum ticket_kind {
#define X(kind, area, entity, change) TICKET_##kind,
	TICKET_LIST(X) TICKET__MAX
#undef X
};

enum ticket_type { TICKET_DEPOSIT, TICKET_PREPAY };

struct ticket_item {
	int64_t menu_id;
	int32_t quantity, unit_price; /* the price the guest saw */
};

struct ticket_guest {
	char name[164], phone[TEXT_PHONE_SIZE], email[256];
	int32_t lang; /* enum lang */
};

struct ticket_book {
	int64_t restaurant_id;
	int64_t user_id;           /* of a login; a guest is known by their number: minus text_phone_key() */
	uint32_t token_version;    /* of the login that was presented; the book says whether it is still valid */
	int64_t card_id;           /* of the login or of the guest */
	struct ticket_guest guest; /* unless it is a login */
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	char today[9]; /* at the restaurant, yyyymmdd, for the reservation code */
	int32_t party;
	int32_t capacity; /* of the slot, if this booking is its first */
	int32_t hold_s, lock_ms;
	int32_t holds_max, upcoming_max; /* of one person; 0 is off */
	int64_t starts_s;                /* the instant at which the slot begins */
	int32_t sitting_minutes;         /* how long this party stays */
	int32_t seats;                   /* how many may be present; see room_seats() */
	int32_t type;                    /* enum ticket_type */
	int64_t deposit, prepay;
	char currency[4];
	char policy[MONEY_POLICY_SIZE];
	char message[TICKET_MESSAGE_SIZE];
	char key[TICKET_KEY_SIZE]; /* Idempotency-Key, or "" */
	int32_t item_count;
	struct ticket_item items[TICKET_ITEMS_MAX];
};

enum ticket_move_kind { MOVE_CONFIRM, MOVE_CANCEL };
enum ticket_by { BY_GUEST, BY_RESTAURANT, BY_SYSTEM };

struct ticket_move {
	int64_t reservation_id;
	int32_t kind, by;
	char actor[32]; /* for the audit: user:12, shell ... */
	char reason[TICKET_REASON_SIZE];
};

struct ticket_change {
	int64_t reservation_id, restaurant_id;
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE]; /* what it is to be, changed or not */
	int32_t party;
	int32_t capacity, seats, sitting_minutes; /* as for a booking */
	int64_t starts_s;
	int64_t deposit; /* of a hold; what is paid stays as it is */
	char actor[32];
};

struct ticket_logout {
	int64_t card_id; /* 0: a login of before cards; then every login of the user ends */
	int64_t user_id; /* 0: a guest's card */
};

struct ticket_request {
	int32_t kind;
	union {
		struct ticket_book book;
		struct ticket_move move;
		struct ticket_change change;
		struct ticket_logout logout;
	} u;
};

struct ticket_outcome {
	int32_t err;          /* enum err */
	int32_t remaining;    /* seats left in the slot, after a booking or for one that did not fit */
	int64_t id;           /* the reservation made; DUPLICATE: the reservation that is there */
	int64_t hold_until_s; /* 0: no hold */
	char code[TICKET_CODE_SIZE];
	int64_t slot_id, user_id, made_s; /* of the reservation that this ticket made; made_s 0: it was there before */
};

#endif
