/*
 * intent.h - a payment before it is money: its states, the moves between them, who makes which, and what each does to the money.
 *
 * An intent is written before a provider hears of it.  From PAID on there is money, and all of it is accounted for at every
 * moment: kept + returned + due back = received.  The book's trigger intents_life has the same list of moves; a test compares.
 */
#ifndef JARI_INTENT_H
#define JARI_INTENT_H

#include <stdbool.h>
#include <stdint.h>

/* Who takes the money, with the word of the book and the API.  DESK: people, by cash, terminal or transfer; it has no intents. */
#define INTENT_PROVIDERS(X) X(DESK, "desk") X(PORTONE, "portone") X(TOSS, "toss") X(STRIPE, "stripe")
enum intent_provider {
#define X(name, word) INTENT_##name,
	INTENT_PROVIDERS(X) INTENT_PROVIDERS_MAX
#undef X
};

/* What it is for. */
#define INTENT_PURPOSES(X) \
	X(DEPOSIT) /* what a reservation, or a change of one, costs */ \
	X(CARD)    /* a card is kept, and nothing charged */ \
	X(CHARGE)  /* a card that was kept is charged, because a person said so */ \
	X(TRY)     /* the owner tries whether it works */
enum intent_purpose {
#define X(word) INTENT_FOR_##word,
	INTENT_PURPOSES(X) INTENT_FOR__MAX
#undef X
};

/* What the cashier is to do about it. */
#define INTENT_TODOS(X) \
	X(BEGIN)       /* make the provider's page for it */ \
	X(CHARGE)      /* confirm or capture; of a CARD: keep the card that the token stands for */ \
	X(LOOK)        /* ask the provider how it stands */ \
	X(VOID)        /* let go of what was authorised, or see to it that nothing was */ \
	X(FORGET_CARD) /* delete the card at the provider */
enum intent_todo {
#define X(word) INTENT_TO_##word,
	INTENT_TODOS(X) INTENT_TO__NOTHING
#undef X
};

#define INTENT_LIST(X) \
	X(READY)      /* the guest is at the provider, or on the way */ \
	X(AUTHORISED) /* the provider would pay; it is charged when we confirm, and only then */ \
	X(PAID)       /* charged */ \
	X(REFUND_DUE) /* charged, and something of it is due back */ \
	X(REFUNDED)   /* charged, something of it went back, and nothing more is due */ \
	X(VOIDED)     /* authorised, and never charged */ \
	X(FAILED)     /* nothing came of it */

enum intent {
#define X(word) INTENT_##word,
	INTENT_LIST(X) INTENT__MAX
#undef X
};

/*
 * Who moves it.  A provider's event is nobody's word: it is unsigned by the guest, may be late, repeated or made up, and says no
 * amount.  It makes the cashier look, and moves nothing.
 */
#define INTENT_WHO(X) \
	X(GUEST)   /* by what they do on the page */ \
	X(CASHIER) /* what the provider answered, or was found to say */ \
	X(DESK)    /* staff, the owner, a command */ \
	X(KEEPER)  /* a time that ran out */ \
	X(EVENT)

enum intent_who {
#define X(word) INTENT_BY_##word,
	INTENT_WHO(X) INTENT_BY__MAX
#undef X
};

struct intent_money {
	int64_t received, kept, returned, due_back;
};

const char *intent_provider_word(enum intent_provider p);
bool intent_provider_parse(const char *word, enum intent_provider *out);
const char *intent_purpose_word(enum intent_purpose p);
bool intent_purpose_parse(const char *word, enum intent_purpose *out);
/* INTENT_TO__NOTHING: NULL */
const char *intent_todo_word(enum intent_todo t);
enum intent_todo intent_todo_parse(const char *word);

const char *intent_word(enum intent s);
bool intent_parse(const char *word, enum intent *out);
bool intent_charged(enum intent s); /* there is money */

bool intent_may(enum intent from, enum intent to, enum intent_who who);

#endif
