/*
 * text.h - parsers that take all of a text or nothing of it.
 *
 * Every one returns false and leaves its out parameter alone when a single character is not as it
 * should be: no leading blanks, no trailing garbage, no "12abc" that means 12.
 */
#ifndef JARI_TEXT_H
#define JARI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct date {
	int year, month, day;
};

enum {
	TEXT_DATE_SIZE = 11, /* "2026-01-20" */
	TEXT_TIME_SIZE = 6,  /* "11:00" */
	TEXT_PHONE_SIZE = 20,
	DAY_MINUTES = 24 * 60,
	NIGHT_MINUTES = 30 * 60, /* an evening's clock goes on past midnight: 24:30 is half past, the day after */
};

bool text_int(const char *text, int64_t min, int64_t max, int64_t *out);
bool text_date(const char *text, struct date *out);      /* a day that exists, 1970 to 9999 */
bool text_time(const char *text, int *minute_of_day);    /* HH:MM or HH:MM:00, 00:00 to 29:59 */
bool text_closing(const char *text, int *minute_of_day); /* HH:MM up to 30:00 */
void text_put_date(struct date d, char out[TEXT_DATE_SIZE]);
void text_put_time(int minute_of_day, char out[TEXT_TIME_SIZE]);

/* Days since 1970-01-01, and back; 1 is Monday and 7 Sunday. */
int64_t text_days(struct date d);
struct date text_from_days(int64_t days);
int text_weekday(struct date d);

/* UTF-8 in shortest form, no surrogates, up to U+10FFFF. */
bool text_utf8(const char *bytes, size_t n);
/* The first code point of a text; its length in bytes, or 0 at the end and where it is no UTF-8. */
size_t text_point(const char *text, uint32_t *out);
/* Code points of a valid UTF-8 text. */
size_t text_points(const char *text);
/* True when there is a control character (C0, DEL, C1, line or paragraph separator, bidi override). */
bool text_has_control(const char *text);
/* The same, but line feeds are none. */
bool text_has_control_but_lines(const char *text);
/* What is left without `blanks` and the ideographic blank at both ends: where it begins, and its bytes. */
const char *text_trimmed(const char *text, const char *blanks, size_t *bytes);
/* How many bytes of a text are shown where there is room for that many, no letter in half; for "%.*s". */
int text_fit(const char *text, size_t room);
/* Cuts blanks (ASCII and ideographic) off both ends, in place; returns the new start. */
char *text_trim(char *text);

/* Digits with an optional leading +; blanks, dots, hyphens and brackets are dropped. 7 to 15 digits. */
bool text_phone(const char *text, char out[TEXT_PHONE_SIZE]);
/*
 * A number that text_phone() has taken, as digits with its country: 821012345678 for 010-1234-5678 as for
 * +82 10 1234 5678.  calling_code is the country of numbers that are given without one.
 */
int64_t text_phone_key(const char *phone, int calling_code);
/*
 * May it be the calling code of a country?  The codes of the E.164 plan are such that none begins another: 82 is one, so
 * 820 to 829 are not, and neither is 8.
 */
bool text_calling_code(int code);
/* One @, a dot in the domain, nothing that could break a mail header. */
bool text_email(const char *text);
/*
 * The mailbox of an address: spellings that most servers take for the same (capital letters, dots and +anything before the @) are the
 * same here.  For counting alone; nothing is sent there.
 */
enum { TEXT_MAILBOX_SIZE = 256 };
void text_mailbox(const char *email, char out[TEXT_MAILBOX_SIZE]);

/* The place of a word in a list; `count`: it is not there. */
int text_word(const char *const *list, int count, const char *word);

#endif
