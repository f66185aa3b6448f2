/*
 * intents.h - payments before they are money: what guests and the desk ask, and what the cashier finds to do.
 *
 * An intent is a row before the provider hears of it.  The cashier only reads the book: it takes what is due (intents_due,
 * refunds_due), says START by a ticket, calls, and says by a ticket what came of it.  What that means is decided here and in
 * charges.c, in the transaction that writes it.
 */
#ifndef JARI_INTENTS_H
#define JARI_INTENTS_H

#include "booking.h"
#include "intent.h"
#include "paysettings.h"

struct intents_row {
	int64_t id, restaurant_id, reservation_id; /* 0: of a trial */
	enum intent_purpose purpose;
	enum intent state;
	enum intent_provider provider;
	bool test;
	char pay_key[TICKET_PAY_KEY_SIZE];
	char currency[4];
	int64_t amount;
	struct intent_money money; /* of its payment; all 0 while there is none */
	enum lang lang;
	enum intent_todo todo; /* INTENT_TO__NOTHING */
	int64_t todo_s;
	bool doubt; /* somebody has begun with it and has not said how it went: look first */
	int attempts, looks;
	bool back; /* the guest has come back from the provider */
	bool stretched;
	int64_t created_s, ends_s, charge_until_s;
	int64_t card_of;
	char site[TICKET_PAY_SITE_SIZE], provider_ref[TICKET_PAY_REF_SIZE], session_ref[TICKET_PAY_REF_SIZE];
	char session_url[TICKET_PAY_URL_SIZE];
	char token[TICKET_PAY_TOKEN_SIZE], card_ref[TICKET_PAY_TOKEN_SIZE]; /* sealed; of a CHARGE: the card that it charges */
	char card_label[TICKET_PAY_LABEL_SIZE];
	char told[20]; /* how it stands, as a person is told: see _intents_told */
	char words[TICKET_PAY_WORDS_SIZE];
	char terms[LENGTHS_SIZE(LENGTHS_PAYMENT_TEXT)];
};

/* ERR_PAYMENT_UNKNOWN: there is none. */
enum err intents_get(struct db *db, int64_t id, struct intents_row *out);
enum err intents_by_key(struct db *db, const char *pay_key, struct intents_row *out);
/* Did anybody begin to pay for it before? */
enum err intents_tried(struct db *db, int64_t reservation_id, bool *out);
/* The newest trial of a restaurant; out->id 0: none yet. */
enum err intents_trial(struct db *db, int64_t restaurant_id, struct intents_row *out);

/* What was charged last to a card that was left as guarantee for it. */
enum err intents_charged(struct db *db, int64_t reservation_id, int64_t *amount);

/* ---- what the cashier asks; between db_read_begin and db_read_end ---- */

/* What is due: at most `most` of them, longest due first.  The caller leaves out what it has in hand. */
enum { INTENTS_DUE_MAX = 64 };
enum err intents_due(struct db *db, int64_t now_s, int64_t *ids, int most, int *count);
/* What of a restaurant's provider is paid, with numbers above `after`, begun since then: a page of them. */
enum err intents_paid_since(struct db *db, const struct paysettings *set, int64_t since_s, int64_t after, int64_t *ids,
			    int most, int *count);
/* And what it is about. */
struct intents_about {
	char code[CODE_SIZE], date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE]; /* "" of a trial */
	int party;
	char house[LENGTHS_SIZE(LENGTHS_HOUSE)]; /* in the guest's language */
	char guest[TICKET_NAME_SIZE], phone[TEXT_PHONE_SIZE], email[256];
};
enum err intents_about(struct db *db, const struct intents_row *i, struct intents_about *out);
/* What the guest and their bank read: "모퉁이 식당 예약금 (2026-01-20 18:00, 2명)"; out is cut to what every provider takes. */
enum { INTENTS_NAME_SIZE = 100 };
void intents_order_name(const struct intents_row *i, const struct intents_about *a, char out[INTENTS_NAME_SIZE]);

/* ---- writing ---- */

/* TICKET_PAY.  out->id is the intent's. */
enum err intents_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

/* Inside a transaction: what charges.c and the chores share. */

/* The next thing to do about it, at that moment; INTENT_TO__NOTHING: nothing. */
enum err intents_todo(struct txn *t, int64_t id, enum intent_todo todo, int64_t at_s);
/* So long the next look may wait that somebody asks for: each is a question to the provider. */
int intents_patience(const struct intents_row *i);
/* It moves; ERR_BAD_MOVE where the table says no. */
enum err intents_move(struct txn *t, const struct intents_row *i, enum intent to, enum intent_who who, const char *actor);
/* Its hold lasts stretch_s from now on, once for a reservation. */
enum err intents_stretch(struct txn *t, const struct intents_row *i, const struct reservation *v);

/* A chore of the keeper: those that nobody came back for are given up, old events go. */
enum err intents_tidy(struct db *db, int64_t now_s);

#endif
