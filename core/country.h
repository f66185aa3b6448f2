/*
 * country.h - what is usual in a country, so that a new restaurant need not be asked for each of it.
 *
 * A proposal, never a rule: the owner sees all of it and may change all of it.
 */
#ifndef JARI_COUNTRY_H
#define JARI_COUNTRY_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

struct country {
	char code[3]; /* ISO 3166 */
	const char *ko, *en;
	const char *zone; /* where most of its people live */
	char currency[4];
	int calling_code;
	int first_weekday; /* 1 is Monday */
	const char *phone; /* a mobile number as people there write it */
};

extern const struct country countries[];
extern const size_t country_count;

/* NULL: none that we know. */
const struct country *country_find(const char *code);
bool country_known(const char *code);

/* The language that a house there speaks first, of those that we have. */
enum lang country_lang(const struct country *c);

/* A number as a guest of this house would write it: of its country, else of one with its calling code; "" where none is known. */
const char *country_phone(const char *code, int calling_code);

#endif
