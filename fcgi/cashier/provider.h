/*
 * provider.h - payment providers: a row each, whose functions make the questions and read the answers.
 *
 * Nothing here speaks to the network or to the book.  A question is made from what the book says of a payment (struct pay_job), and
 * an answer, bytes, becomes what the cashier may rely on (struct pay_said).  A provider's own states and words for errors stay in
 * its file.
 */
#ifndef JARI_PROVIDER_H
#define JARI_PROVIDER_H

#include "buf.h"
#include "err.h"
#include "intent.h"
#include "told.h"
#include "webcall.h"

#include <stdbool.h>
#include <stdint.h>

/* What can be asked of a provider. */
enum pay_step { ASK_NOTHING, ASK_BEGIN, ASK_CHARGE, ASK_LOOK, ASK_VOID, ASK_REFUND, ASK_FORGET_CARD, ASK_LIST };

/* What an answer means. */
enum pay_end {
	SAID_DOUBT,      /* nobody knows whether it was done, or the answer does not say how much: look */
	SAID_LATER,      /* surely not done, and not for a reason of this payment: ask again later */
	SAID_REFUSED,    /* surely not done, and it will not be: *words* says why */
	SAID_BEGUN,      /* the guest can go there: session, url */
	SAID_OPEN,       /* it is known, and nothing was authorised yet */
	SAID_GONE,       /* there is no such payment, or it ran out: nothing was charged */
	SAID_AUTHORISED, /* the guest has done their part; amount and currency are what can be charged */
	SAID_CHARGED,    /* amount, currency, and of it what went back so far, whoever sent it back */
	SAID_VOIDED,     /* was authorised, and can be charged no more */
	SAID_CARD,       /* the card is kept: card, label */
	SAID_FORGOTTEN,  /* the card is not kept any more */
	SAID_LISTED,
};

enum {
	PAY_KEY_SIZE = 80,
	PAY_REF_SIZE = 204,
	PAY_TOKEN_SIZE = 504,
	PAY_SECRET_SIZE = 204,
	PAY_CARD_SIZE = 304,
	PAY_LABEL_SIZE = 44,
	PAY_SESSION_URL_SIZE = 1504,
	PAY_WORDS_SIZE = 204,
};

/* A payment, as its provider's file needs it. */
struct pay_job {
	/* the restaurant's settings */
	char store_id[PAY_SECRET_SIZE], channel_key[PAY_SECRET_SIZE], secret[PAY_SECRET_SIZE];
	bool test;
	int64_t restaurant_id;
	/* the intent */
	enum intent_purpose purpose;
	char key[PAY_KEY_SIZE]; /* our name of it */
	int64_t amount;
	char currency[4];
	char ref[PAY_REF_SIZE], session[PAY_REF_SIZE]; /* the provider's names of it, as far as they are known */
	char token[PAY_TOKEN_SIZE];                    /* that the guest's browser brought back */
	char card[PAY_CARD_SIZE];                      /* INTENT_FOR_CHARGE, ASK_FORGET_CARD: as SAID_CARD told it */
	int attempts;                                  /* at what is to be done now */
	int64_t created_s;
	char name[200], site[220]; /* what the guest reads that they pay for; our address as they know it */
	enum lang lang;
	char code[40], slot[24]; /* of the reservation, for the provider's list: no name, no number */
	int party;
	/* ASK_REFUND */
	int64_t refund, cancellable; /* how much, and how much we believe could go back before it */
	char refund_key[PAY_KEY_SIZE];
	/* ASK_LIST */
	int64_t from_s, until_s;
	char cursor[PAY_REF_SIZE];

	int64_t now_s;
	int64_t ahead_s; /* of the provider's clock, where it refused a time of ours; else 0 */
};

struct pay_said {
	enum pay_end end;
	int64_t amount, returned;
	char currency[4];
	char ref[PAY_REF_SIZE], session[PAY_REF_SIZE], url[PAY_SESSION_URL_SIZE];
	char card[PAY_CARD_SIZE], label[PAY_LABEL_SIZE];
	char words[PAY_WORDS_SIZE]; /* the provider's own, for the desk */
	char about[160];            /* what the guest read that they pay for */
	bool said_no;               /* SAID_DOUBT: it was refused in words, which a look that finds nothing done confirms */
	int retry_s;                /* SAID_LATER: as they ask; 0: they did not say */
	int64_t ahead_s;            /* our time was refused: by so much their clock is ahead */
};

/* One payment of a provider's list. */
struct pay_listed {
	char key[PAY_KEY_SIZE], ref[PAY_REF_SIZE], currency[4];
	char about[160]; /* what we sent along, to know the reservation by */
	int64_t amount, returned;
	int64_t at_s;
	bool charged;    /* money moved */
	bool incomplete; /* how much is to be looked up */
};
/* next: where the next page begins; "": this is the last. */
typedef void pay_each_listed(void *arg, const struct pay_listed *row);

/* What an event is about. */
struct pay_event {
	char id[PAY_REF_SIZE], type[64];
	char key[PAY_KEY_SIZE], ref[PAY_REF_SIZE]; /* our name of the payment, or theirs; "" each */
	bool known;                                /* a type that we act on; all others are ignored */
};

/* The headers that an event is signed with; NULL: absent. */
struct pay_headers {
	const char *id, *timestamp, *signature;
};

struct provider {
	const char *word;            /* in the book and in addresses */
	const char *base, *base_env; /* where its API is; in builds for testing this variable says another place */
	/*
	 * The guest authorises in the browser, and it is charged when we confirm, never else.  Where not, what was authorised has to be
	 * given up by a call, or the guest's bank holds it for days.
	 */
	bool confirms;
	/* False: this step is none of its calls, or lacks what it needs. */
	bool (*ask)(const struct pay_job *j, enum pay_step step, struct webask *out);
	/* *out is empty.  The answer came whole: with a status, and with JSON (NULL: none that can be read). */
	void (*hear)(const struct pay_job *j, enum pay_step step, int status, const struct told *t, struct pay_said *out);
	void (*list)(const struct told *t, pay_each_listed *each, void *arg, char next[PAY_REF_SIZE]);
	/* Is it theirs?  NULL: its events are not signed. */
	bool (*is_signed)(const char *secret, const struct pay_headers *h, const char *body, size_t n, int64_t now_s);
	void (*event)(const struct told *t, struct pay_event *out);
};

extern const struct provider portone_provider, toss_provider, stripe_provider;

/* NULL: desk, or nothing that we know. */
const struct provider *provider_find(const char *word);
const char *provider_base(const struct provider *p);

/* The answer of a call, whole or not, as what it means. */
void provider_hear(const struct provider *p, const struct pay_job *j, enum pay_step step, const struct webtold *t,
		   struct pay_said *out);

/* For the providers' files. */
bool provider_amount(const struct told *t, const char *path, int64_t *out); /* false: none that could be money */
void provider_put_line(char *out, size_t size, const char *text); /* cut between letters, without control characters */
void provider_say(struct pay_said *out, const char *code, const char *message); /* the words: one line, cut between letters */
void provider_put(char *out, size_t size, const char *text);                    /* a text that does not fit is "" */
void provider_put_currency(char out[4], const char *text);                      /* as three capitals; else "" */
/*
 * The key by which a repeated call is known for the same one, from what the book had before the first.  about: what else of the call
 * may change from one time to the next.  A provider that keeps a fault of its own under a key would give nothing else for a day, so
 * an act that cannot be done twice (confirm, capture, cancel) has another key after some rounds.
 */
void provider_put_key(struct webask *a, const struct pay_job *j, const char *act, const char *about);

#endif
