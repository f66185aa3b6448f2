/*
 * paysettings.h - who takes payments for a restaurant, and by which keys.
 */
#ifndef JARI_PAYSETTINGS_H
#define JARI_PAYSETTINGS_H

#include "db.h"
#include "intent.h"
#include "lengths.h"
#include "token.h"

/* Keys are pasted, and have ASCII letters only. */
enum {
	PAYSETTINGS_KEY_MAX = 200,
	PAYSETTINGS_KEY_SIZE = PAYSETTINGS_KEY_MAX + 1,
	PAYSETTINGS_SECRET_SIZE = TOKEN_SEALED_SIZE(PAYSETTINGS_KEY_MAX),
};

struct paysettings {
	int64_t restaurant_id;
	enum intent_provider provider; /* INTENT_DESK until the owner has said */
	bool test;                     /* no money moves */
	char store_id[PAYSETTINGS_KEY_SIZE], channel_key[PAYSETTINGS_KEY_SIZE], client_key[PAYSETTINGS_KEY_SIZE]; /* public */
	char secret[PAYSETTINGS_SECRET_SIZE],
		webhook_secret[PAYSETTINGS_SECRET_SIZE];          /* sealed; "=" in paysettings_set(): as it was */
	bool guarantee;                                           /* a card instead of a deposit ... */
	int64_t guarantee_amount;                                 /* ... so much a head at most ... */
	int guarantee_hours;                                      /* ... until so long after the slot ... */
	char guarantee_terms[LENGTHS_SIZE(LENGTHS_PAYMENT_TEXT)]; /* ... on these terms */
	int phone_hold_hours;                                     /* a link to pay by is good so long */
	int stretch_s; /* once, a hold lasts so long from when its payment is authorised */
};

/* Of a restaurant that has not said anything: the desk takes the money. */
enum err paysettings_get(struct db *db, int64_t restaurant_id, struct paysettings *out);
/* With the keys of one that it has, or had: what was paid there goes back from there.  *found: there are some. */
enum err paysettings_of(struct db *db, int64_t restaurant_id, enum intent_provider provider, struct paysettings *out,
			bool *found);
/* Every restaurant that has that provider, or had, one after the other: the first after `after`; *found: there is one. */
enum err paysettings_next(struct db *db, enum intent_provider provider, int64_t after, struct paysettings *out, bool *found);
enum err paysettings_set(struct db *db, const struct paysettings *p, const char *actor, int64_t now_s);

/* Does a guest pay online here?  For pages, which say nothing about it where nobody does. */
bool paysettings_online(const struct paysettings *p);
/* Is this currency one that the provider takes as jari asks for it? */
bool paysettings_takes(const struct paysettings *p, const char *currency);

#endif
