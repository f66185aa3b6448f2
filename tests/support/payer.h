/*
 * payer.h - guests who pay online at a real appliance, with the local providers of tests/pay; and the sum at the end.
 */
#ifndef JARI_PAYER_H
#define JARI_PAYER_H

#include "appliance.h"
#include "pay.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>

/* A house and its providers. */
struct payhouse {
	struct appliance box;
	struct pay pay;
	char owner[256]; /* headers of the owner's requests */
	const char *provider;
};

/* One guest. */
struct payer {
	struct payhouse *house;
	char headers[HTTP_TEXT + 80], date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	int64_t id, amount;
	char currency[4], key[64];
	char page[PAY_TEXT];     /* Stripe's */
	char redirect[PAY_TEXT]; /* where the provider sends the browser */
};

/* Starts both; the house takes 5,000 a head, and nobody is held back by limits.  The environment stays set. */
void payer_open(struct payhouse *h, int workers);
void payer_close(struct payhouse *h);
void payer_free(struct payhouse *h);
/* The owner says who takes the money: portone, toss or stripe.  All holds have run out by then (payer_settle). */
void payer_use(struct payhouse *h, const char *provider);

/* A new guest holds seats; the answer is a 201. */
void payer_book(struct payhouse *h, struct payer *p, const char *date, const char *time, int party);
/* They press "pay": asks, and takes over what the answer says, waiting for Stripe's page. */
void payer_press(struct payer *p);
const struct http_answer *payer_press_once(struct payer *p);
/* At the provider's window, with a card of tests/pay/README.md. */
void payer_window(struct payer *p, const char *card);
/* And back: what the page says to jari, once. */
struct http_call payer_back_call(const struct payer *p, char body[PAY_TEXT], char path[128]);
const struct http_answer *payer_back(const struct payer *p);
/* All of it: press, pay with a good card, come back. */
void payer_pays(struct payer *p);
/* The guest cancels the reservation. */
const struct http_answer *payer_cancel(const struct payer *p);

/* What a guest reads of the payment now; "" when nobody answers. */
const char *payer_state(const struct payer *p, char out[HTTP_TEXT]);
/* Waits for it, while what the cashier puts off is made due at once. */
void payer_becomes(const struct payer *p, const char *state);
/* The status of the reservation in the book. */
const char *payer_seat(const struct payer *p, char out[32]);

/* What was put off is due now. */
void payer_hasten(const struct payhouse *h);
/* Waits until nothing is left for the cashier to do, however far off it was put; every hold that is not paid has run out by then. */
void payer_settle(const struct payhouse *h);
/*
 * The providers' sums against the book's: nobody charged twice, nobody charged without seats or their money back, as the house's
 * rule has it; nothing authorised is left, nothing is forgotten; every request was right.  Then the providers forget it all.
 */
void payer_judge(const struct payhouse *h);

/* The one process that speaks to the providers; 0: there is none. */
pid_t payer_cashier(const struct payhouse *h);

#endif
