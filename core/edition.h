/*
 * edition.h - numbers in the hall that change when the book does: one for the settings, one for each day.
 *
 * A process that caches, or a tablet that asks again and again, compares numbers instead of reading the book.
 */
#ifndef JARI_EDITION_H
#define JARI_EDITION_H

#include "shm.h"

enum { EDITION_DAYS = 256 };

struct edition;

extern const struct shm_part edition_part;

/*
 * Changes before any of the numbers below does.  A reader that notes it, then begins to read the book, then asks for the
 * others and finds this one unchanged, knows that what it reads is as new as they are.
 */
uint64_t edition_changes(struct edition *n);

/* The same for a client: another number after every change, and with every new segment. */
uint64_t edition_mark(struct edition *n);

/* Raised whenever jari has changed hours or policies: every process that caches them reads them again. */
uint64_t edition_settings(struct edition *n);
void edition_new_settings(struct edition *n);

/*
 * What a day looks like from outside: the number changes whenever something of that day was written, and with every new
 * segment.  Days share numbers by their hash, so one may change for another day's sake.
 */
uint64_t edition_day(struct edition *n, int64_t restaurant_id, const char *date);
unsigned edition_day_index(int64_t restaurant_id, const char *date); /* below EDITION_DAYS */
void edition_touch_day(struct edition *n, unsigned index);
void edition_touch_all_days(struct edition *n);

#endif
