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
#include "code.h"
#include "err.h"
#include "guesttags.h"
#include "lengths.h"
#include "money.h"
#include "text.h"

#include <stdint.h>

enum {
	TICKET_ITEMS_MAX = 20,
	TICKET_MESSAGE_SIZE = LENGTHS_SIZE(LENGTHS_REQUEST),
	TICKET_KEY_SIZE = 81,
	TICKET_REASON_SIZE = LENGTHS_SIZE(LENGTHS_REASON),
	TICKET_NOTE_SIZE = LENGTHS_SIZE(LENGTHS_NOTE),
	TICKET_OVERBOOK_SIZE = LENGTHS_SIZE(LENGTHS_OVERBOOK),
	TICKET_TABLES = 8, /* that one party may sit at: SEATS_JOIN_MAX */
	TICKET_NAME_SIZE = LENGTHS_SIZE(LENGTHS_NAME),
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
	X(LOGOUT, users, "card", "ended")            /* a login or a guest's card ends */ \
	X(PASSWORD, users, "user", "password")       /* a person chooses a new password */ \
	X(SEAT, booking, "reservation", "created")   /* the desk books for a guest, or seats who walks in; as BOOK */ \
	X(ACT, desk, "reservation", "act")           /* the desk says what happens to a reservation */ \
	X(GUEST, guestlist, "user", "guest")         /* the desk says who a guest is, or that two are one person */ \
	X(WAIT, waitlist, "waitlist", "created")     /* a guest wants a slot that is full; as BOOK */ \
	X(WAITER, waitlist, "waitlist", "act")       /* a guest who waits leaves, or is offered seats by hand */ \
	X(DOOR, doorlist, "door", "act")             /* a party at the door joins the list, is called, leaves */ \
	X(PROVE, proofs, "proof", "asked")           /* a code is sent to a number or address */ \
	X(CODE, proofs, "proof", "entered")          /* a code was entered */ \
	X(SENT, outbox, "outbox", "sent")            /* the courier reports what became of a message */ \
	X(PAY, intents, "intent", "asked")           /* somebody wants to pay, comes back from paying, wants money back */ \
	X(CASHIER, charges, "intent", "told")        /* the cashier begins a call, or reports what a provider said */ \
	X(EVENT, payevents, "event", "heard")        /* a provider says that something happened */

enum ticket_kind {
#define X(kind, area, entity, change) TICKET_##kind,
	TICKET_LIST(X) TICKET__MAX
#undef X
};

#define TICKET_TYPES(X) X(DEPOSIT) X(PREPAY)
enum ticket_type {
#define X(name) TICKET_##name,
	TICKET_TYPES(X)
#undef X
};

struct ticket_item {
	int64_t menu_id;
	int32_t quantity, unit_price; /* the price the guest saw */
};

struct ticket_guest {
	char name[TICKET_NAME_SIZE], phone[TEXT_PHONE_SIZE], email[256];
	int32_t lang; /* enum lang */
};

/* What is wanted: a slot, for how many.  ticket_want() fills it. */
struct ticket_want {
	int64_t restaurant_id;
	int64_t starts_s; /* the instant at which the slot begins */
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	int32_t party;
	int32_t sitting_minutes;       /* how long this party stays */
	int32_t capacity;              /* of the slot, if this booking is its first */
	int32_t seats;                 /* how many may be present; see room_seats() */
	int32_t buffer_minutes;        /* between two parties at one table */
	int32_t staff_seats;           /* that are not for guests online ... */
	int32_t staff_seats_hours;     /* ... until this long before; see room_rules() */
	int32_t pass_waiters;          /* may be booked although a guest waits for the slot */
	int64_t tables[TICKET_TABLES]; /* where the desk wants them; 0: whichever fit */
};

/* Whose it is.  ticket_who_guest() and ticket_who_login() fill it. */
struct ticket_who {
	int64_t user_id;           /* of a login; a guest is known by their number: minus text_phone_key(); 0: they left none */
	int64_t card_id;           /* of the login or of the guest */
	int64_t staff_id;          /* who says so at the desk; 0: the guest */
	uint32_t token_version;    /* of the login that was presented; the book says whether it is still valid */
	struct ticket_guest guest; /* unless it is a login */
	uint64_t network;          /* rate_network() of the client; 0: the box itself, the desk, or not known */
};

/* On which terms: the restaurant's settings of the moment at which it was asked for.  ticket_terms() fills it. */
struct ticket_terms {
	int64_t deposit, prepay;
	int64_t guarantee; /* instead of a deposit: the most that a card may be charged */
	int32_t type;      /* enum ticket_type */
	int32_t hold_s;    /* how long it waits for its money */
	int32_t prove_s;   /* a card that has proven nothing waits so long for its code; 0: it need not */
	int32_t lock_ms;
	int32_t holds_max, upcoming_max, waits_max; /* of one person; 0 is off */
	int32_t no_shows;                           /* of the guest, where the house asks a deposit for them; else 0 */
	char currency[4];
	char policy[MONEY_POLICY_SIZE];
};

/* TICKET_BOOK, TICKET_SEAT and TICKET_WAIT. */
struct ticket_book {
	struct ticket_want want;
	struct ticket_who who;
	struct ticket_terms terms;
	char key[TICKET_KEY_SIZE]; /* Idempotency-Key, or "" */
	int32_t walk_in;           /* TICKET_SEAT: they are here */
	int32_t by_hand;           /* staff offer it to a guest who waits: what staff may book, they may have */
	int32_t item_count;        /* TICKET_BOOK */
	uint32_t tags;             /* tags.h */
	/* What most bookings do not have comes last: line.c keeps it apart, and touches none of it where it is empty. */
	union { /* the desk orders no dishes, and a guest writes no note */
		struct ticket_item items[TICKET_ITEMS_MAX];
		char note[TICKET_NOTE_SIZE]; /* TICKET_SEAT */
	};
	char message[TICKET_MESSAGE_SIZE];
	char overbook[TICKET_OVERBOOK_SIZE]; /* TICKET_SEAT: why they are let in beyond the seats; "": not */
	int32_t share;                       /* TICKET_SEAT: beside whoever sits at the tables that it names */
	int64_t door_id, door_version; /* TICKET_SEAT: the party of the door list that sits down, as the desk saw it; 0: none */
};

/*
 * MOVE_TAKE: a guest takes the seats that they were offered.  MOVE_COMING: asked before the day, they say that they come.
 * MOVE_LATE, MOVE_HERE: on the day they say that they are late, or at the door.
 */
#define TICKET_MOVES(X) X(CONFIRM) X(CANCEL) X(TAKE) X(COMING) X(LATE) X(HERE)
enum ticket_move_kind {
#define X(name) MOVE_##name,
	TICKET_MOVES(X)
#undef X
};

#define TICKET_BY(X) X(GUEST) X(RESTAURANT) X(SYSTEM)
enum ticket_by {
#define X(name) BY_##name,
	TICKET_BY(X)
#undef X
};

struct ticket_move {
	int64_t reservation_id;
	int32_t kind, by;
	int32_t hold_s;   /* MOVE_TAKE: how long it then waits for its payment */
	int32_t by_terms; /* MOVE_CANCEL: the frozen policy says what goes back, guest or staff cancel; else all of it */
	int32_t again;    /* MOVE_CONFIRM: more money than what is written down; only in a ticket of the desk */
	int32_t said;     /* MOVE_LATE: so many minutes; MOVE_HERE: 1; 0 takes it back */
	int64_t amount;   /* MOVE_CONFIRM: that was seen to be due, MOVE_CANCEL: seen to go back; 0: not said */
	int64_t payment;  /* MOVE_CONFIRM: the row of the money that came, by an intent; 0: the desk says that it came */
	char actor[32];   /* for the audit: user:12, shell ... */
	char reason[TICKET_REASON_SIZE];
};

struct ticket_change {
	int64_t reservation_id;
	struct ticket_want want;   /* what it is to be, changed or not */
	struct ticket_terms terms; /* of a party of this size today; a change that costs more waits hold_s for its money */
	char actor[32];
	int32_t by_staff;
	int32_t same_tables;                 /* it names none, and is to stay where it is */
	int32_t sits_down;                   /* with it the party sits down */
	int32_t share;                       /* beside whoever sits at the tables that it names */
	char overbook[TICKET_OVERBOOK_SIZE]; /* why they are let in beyond the seats; "": not */
};

struct ticket_logout {
	int64_t card_id; /* 0: a login of before cards; then every login of the user ends */
	int64_t user_id; /* 0: a guest's card */
};

struct ticket_password {
	int64_t user_id;
	uint32_t token_version; /* as it was when the old password was checked: each is used once */
	char hash[128];         /* of the new one: TOKEN_HASH_SIZE */
	int64_t login;          /* that it begins, and on what; 0: not staff */
	char device[48];
};

/* What the desk says; the word is also the last part of its address. */
#define TICKET_ACTS(X) \
	X(CHANGE, "change") \
	X(ARRIVE, "arrive") \
	X(SEAT, "seat") \
	X(LEAVE, "leave") \
	X(COMPLETE, "complete") \
	X(NO_SHOW, "no-show") \
	X(CONFIRM, "confirm") \
	X(CANCEL, "cancel") \
	X(NOTE, "note") \
	X(SWAP, "swap") \
	X(UNDO, "undo")

enum ticket_act_kind {
#define X(name, word) ACT_##name,
	TICKET_ACTS(X) ACT__MAX
#undef X
};

struct ticket_act {
	int64_t reservation_id, version; /* as the desk saw it */
	int32_t act;
	int64_t with_id, with_version; /* ACT_SWAP: whose tables it gets for its own */
	struct ticket_change change;   /* ACT_CHANGE, and the tables of ACT_SEAT */
	struct ticket_move move;       /* ACT_CONFIRM, ACT_CANCEL */
	char actor[32];
	char name[TICKET_NAME_SIZE], note[TICKET_NOTE_SIZE]; /* ACT_NOTE */
	int32_t has_tags;                                    /* ACT_NOTE: it changes them */
	uint32_t tags;
};

#define TICKET_GUEST_ACTS(X) X(CORRECT) X(MERGE) X(UNMERGE)
enum ticket_guest_act {
#define X(name) GUEST_##name,
	TICKET_GUEST_ACTS(X)
#undef X
};

/* What of a guest is named; the rest stays as it is. */
enum { GUEST_NAME = 1, GUEST_PHONE = 2, GUEST_EMAIL = 4, GUEST_NOTE = 8, GUEST_TAGS = 16, GUEST_BLOCKED = 32 };

struct ticket_guest_edit {
	int64_t guest_id, restaurant_id;
	int64_t version;      /* of what the house knows of them, as the desk saw it; -1: not said */
	int64_t into;         /* GUEST_MERGE: whom they are */
	int64_t merge_id;     /* GUEST_UNMERGE: which; 0: the last */
	int64_t phone_key;    /* GUEST_PHONE */
	int32_t act, named;   /* named: GUEST_CORRECT, a set */
	int32_t blocked;      /* 0, 1 */
	int32_t calling_code; /* of the restaurant */
	char actor[32];
	char name[TICKET_NAME_SIZE], phone[TEXT_PHONE_SIZE], email[256];
	char tags[GUESTTAGS_SIZE];
	char note[LENGTHS_SIZE(LENGTHS_GUEST_NOTE)];
};

#define TICKET_WAITER_ACTS(X) X(LEAVES) X(IS_OFFERED) X(ALL_LEAVE)
enum ticket_waiter_act {
#define X(name) WAITER_##name,
	TICKET_WAITER_ACTS(X)
#undef X
};

struct ticket_waiter {
	int64_t waitlist_id;
	int32_t act, by; /* by: enum ticket_by */
	char actor[32];
	int64_t restaurant_id; /* WAITER_ALL_LEAVE: of which slot */
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
};

/* What becomes of a party at the door; the word is also the last part of its address.  It sits down by a TICKET_SEAT. */
#define TICKET_DOOR_ACTS(X) \
	X(JOIN, "join") \
	X(CHANGE, "change") \
	X(CALL, "call") \
	X(LEAVE, "leave") \
	X(NO_SHOW, "no-show") \
	X(UNDO, "undo")

enum ticket_door_act {
#define X(name, word) DOOR_##name,
	TICKET_DOOR_ACTS(X) DOOR__MAX
#undef X
};

struct ticket_door {
	int64_t door_id, version; /* as the desk saw it; version -1: a guest says so, who sees no versions */
	int64_t restaurant_id;
	int32_t act, by; /* by: enum ticket_by */
	char actor[32];
	/* DOOR_JOIN, DOOR_CHANGE */
	int64_t phone_key; /* 0: no number */
	int32_t party;     /* DOOR_CHANGE: 0: as it is */
	int32_t named;     /* DOOR_CHANGE: a set of GUEST_NAME, GUEST_PHONE */
	int32_t low, high; /* minutes that they are told; -1: nothing can be said */
	char evening[TEXT_DATE_SIZE];
	char key[TICKET_KEY_SIZE];
	struct ticket_guest guest;
};

struct ticket_prove {
	int64_t proof_id; /* TICKET_CODE: which; else it is made */
	int64_t restaurant_id, card_id, phone_key;
	int32_t by_mail, right; /* right: TICKET_CODE, the door has compared them */
	int32_t lang, hold_s;   /* hold_s: how long a booking that waited for the code then waits for its payment */
	uint64_t network;       /* TICKET_PROVE: where it was asked for; 0: that is not known */
	char address[256];
};

#define TICKET_HOWS(X) X(OK) X(LATER) X(FAILED) X(SKIPPED)
enum ticket_sent_how {
#define X(name) SENT_##name,
	TICKET_HOWS(X)
#undef X
};

struct ticket_sent {
	int64_t outbox_id; /* 0: nothing; the courier asks whether its earlier reports are in the book */
	int32_t how, attempts;
	int64_t next_s;    /* SENT_LATER: when to try again */
	int64_t recipient; /* SENT_OK: a keyed hash of where it went; 0: it is not counted */
	char state[32];    /* of its reservation, as the letter saw it (outbox_state) */
	char answer[204];  /* what the other side said */
};

/*
 * What is asked of the book about a payment.  Said twice it is the same: a payment that is under way is not begun again, and who
 * came back is back.
 *   BEGIN   a guest presses "pay": the intent that lives, or a new one
 *   BACK    they come back from the provider, with what it gave them; with a code it was refused, or they gave up
 *   LINK    the desk sends a link to pay by: the hold lasts as long as the link
 *   CHARGE  a person at the desk charges a card that was given as guarantee
 *   TRY     the owner tries whether it works; what is paid goes back by itself
 *   AGAIN, BY_HAND   a refund that the provider would not make: is sent once more; went back in another way
 */
#define TICKET_PAYS(X) X(BEGIN) X(BACK) X(LINK) X(CHARGE) X(TRY) X(AGAIN) X(BY_HAND)
enum ticket_pay_act {
#define X(name) PAY_##name,
	TICKET_PAYS(X)
#undef X
};

enum {
	TICKET_PAY_KEY_SIZE = 40,    /* what a provider knows a payment by: "jari-" and 26 characters */
	TICKET_PAY_REF_SIZE = 204,   /* what a provider calls it */
	TICKET_PAY_WORDS_SIZE = 204, /* what it said, 200 bytes at most */
	TICKET_PAY_SITE_SIZE = 208,
	TICKET_PAY_URL_SIZE = 1504, /* Stripe's page */
	TICKET_PAY_SEED_SIZE = 32,
	TICKET_PAY_TOKEN_SIZE = 728, /* what a guest brings back, sealed: 500 bytes */
	TICKET_PAY_LABEL_SIZE = 44,
	TICKET_PAY_EVENT_SIZE = 101,
};

struct ticket_pay {
	int32_t act, by;        /* enum ticket_pay_act, ticket_by */
	int64_t reservation_id; /* BEGIN, LINK, CHARGE */
	int64_t restaurant_id;  /* TRY */
	int64_t refund_id;      /* AGAIN, BY_HAND */
	int64_t amount;         /* CHARGE, TRY */
	int64_t most;           /* CHARGE: what could still be charged, as they saw it: said twice, it is charged once */
	int32_t lang;           /* enum lang, of the guest */
	unsigned char
		seed[TICKET_PAY_SEED_SIZE]; /* token_pay_seed(): what the keys of this reservation's payments follow from */
	char pay_key[TICKET_PAY_KEY_SIZE];  /* BACK */
	char token[TICKET_PAY_TOKEN_SIZE];  /* BACK: what it gave to confirm it with, sealed; "": nothing */
	char code[64];                      /* BACK: why it came to nothing; "": it did not */
	char words[TICKET_PAY_WORDS_SIZE];  /* ... in the provider's words */
	char site[TICKET_PAY_SITE_SIZE];    /* BEGIN, TRY: as the guest's browser knows us */
	char actor[32];
};

/*
 * What the cashier says.  It names an intent, or a refund of it.
 *
 * START comes before every call that moves money, and is waited for: the book says in the outcome whether the call may still
 * be made (ERR_OK), or what is to be done instead stands in `todo` by then (ERR_BAD_MOVE).  From then on until the next report the
 * row is in doubt (intents_job.doubt): whoever finds it so looks before anything else.
 *
 * All other words are reports.  Amounts are absolute, so a report that comes twice or late does no harm.
 */
#define TICKET_TOLD(X) \
	X(START) \
	X(BEGUN)          /* ref: the session, url: its page */ \
	X(OPEN)           /* the provider knows of it, and nothing has been authorised yet; or the guest has not come to it */ \
	X(AUTHORISED)     /* it would pay if we confirmed; token: if it was found with one */ \
	X(CHARGED)        /* amount, currency: what was paid; returned: of it so far, by whomever; ref */ \
	X(REFUSED)        /* nothing was charged, and by this payment nothing will be; words */ \
	X(GONE)           /* there is no such payment, or its time is over; nothing was charged */ \
	X(VOIDED)         /* what was authorised was let go */ \
	X(UNKNOWN)        /* no answer: looked for again at retry_s; words */ \
	X(CARD)           /* a card is kept: card sealed, label */ \
	X(FORGOTTEN)      /* and is no more */ \
	X(REFUNDED)       /* this refund went back; returned: of the payment so far, this included */ \
	X(REFUND_REFUSED) /* the provider will not; words */ \
	X(REFUND_UNKNOWN) /* no answer: sent again with the same key at retry_s; words */
enum ticket_told {
#define X(name) TOLD_##name,
	TICKET_TOLD(X)
#undef X
};

struct ticket_cashier {
	int64_t intent_id, refund_id; /* refund_id 0: it is about the payment itself */
	int32_t told;                 /* enum ticket_told */
	int64_t amount, returned;     /* returned -1: not known */
	int64_t retry_s;
	char currency[4];
	char ref[TICKET_PAY_REF_SIZE];
	char words[TICKET_PAY_WORDS_SIZE];
	char label[TICKET_PAY_LABEL_SIZE];
	char url[TICKET_PAY_URL_SIZE];
	char secret[TICKET_PAY_TOKEN_SIZE]; /* CARD: the card, AUTHORISED: a token; sealed */
};

/* An event whose signature was right, or of a provider that does not sign. */
struct ticket_event {
	int32_t provider; /* enum intent_provider */
	char id[TICKET_PAY_EVENT_SIZE], type[64];
	char reference[TICKET_PAY_REF_SIZE]; /* a pay_key, or what the provider calls the payment or its session */
};

struct ticket_request {
	int32_t kind;
	union {
		struct ticket_book book;
		struct ticket_move move;
		struct ticket_change change;
		struct ticket_logout logout;
		struct ticket_password password;
		struct ticket_act act;
		struct ticket_guest_edit guest;
		struct ticket_waiter waiter;
		struct ticket_door door;
		struct ticket_prove prove;
		struct ticket_sent sent;
		struct ticket_pay pay;
		struct ticket_cashier cashier;
		struct ticket_event event;
	} u;
};

struct ticket_outcome {
	int32_t err;                      /* enum err */
	int32_t remaining;                /* seats left in the slot, after a booking or for one that did not fit */
	int64_t id;                       /* the reservation made; DUPLICATE: the reservation that is there */
	int64_t hold_until_s;             /* 0: no hold */
	char code[CODE_SIZE];             /* of that reservation */
	int64_t slot_id, user_id, made_s; /* of the reservation that this ticket made; made_s 0: it was there before */
	int32_t unproven;                 /* it waits for its guest's code */
};

/*
 * How long they stay and how many may start: by the settings of the service.  `seats`, how many may be present, is the
 * house's.  The instant is hours_check()'s.
 */
struct ticket_want ticket_want(const struct settings *set, int seats, int64_t restaurant_id, const char *date, const char *time,
			       int64_t starts_s, int party);
/* A person with a number; phone_key 0: without. */
struct ticket_who ticket_who_guest(const struct ticket_guest *guest, int64_t card_id, int64_t phone_key);
struct ticket_who ticket_who_login(int64_t user_id, uint32_t token_version, int64_t login);
/* policy: what money_freeze() says, where that is known already; else NULL. */
struct ticket_terms ticket_terms(const struct settings *set, const char currency[4], const char *policy, int64_t deposit);

#endif
