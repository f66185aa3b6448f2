/*
 * wording.h - days, times and sums in a guest's language, and the phrases with them filled in.
 */
#ifndef JARI_WORDING_H
#define JARI_WORDING_H

#include "letter.h"

enum { WORDING_BRIEF_BYTES = 90 }; /* of EUC-KR, which is what a text message of one part holds in Korea */

/* 1월 20일(화), Tue 20 Jan; "" for what is no date. */
void wording_day(const char *date, enum lang lang, char out[40]);
/*
 * A slot.  After midnight its evening is named: 1월 20일(화) and 밤 12:30, the night of Tue 20 Jan and 00:30.  The clock's hours
 * past 24 are nobody's.
 */
enum { WORDING_TIME_SIZE = 24 };
void wording_slot(const char *date, const char *time, enum lang lang, char day[40], char out[WORDING_TIME_SIZE]);
/* An instant as a time of day there. */
void wording_time(const char *zone, const char *iso, char out[8]);
void wording_amount(int64_t amount, const char *currency, enum lang lang, char out[40]);

/* A phrase with what the letter knows in the places of its %h, %n ... (phrases.h). */
void wording_fill(const struct letter *l, const char *words, char *out, size_t size);
/* The short text of a letter; names are cut until it has one part. */
void wording_brief(struct letter *l, const char *words);
/* How many bytes a text has in EUC-KR. */
size_t wording_bytes(const char *text);

#endif
