/*
 * in.h - the body of a request: its fields, by name and exact type.
 *
 * json-c is lax even in its strict mode (duplicate keys, 'single quotes', NaN, raw control characters, \u0000, broken
 * UTF-8), so every byte first passes a reader of our own that takes RFC 8259 and nothing else.  Fields are then taken through
 * a struct in, which remembers the first thing that was wrong and the field it was about.
 */
#ifndef JARI_IN_H
#define JARI_IN_H

#include "err.h"
#include "text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IN_DEPTH = 8 };

/* Refuses what json-c lets through and should not.  Pure; the fuzzer runs this. */
enum err in_strict(const char *bytes, size_t n, size_t *keys);
/* The same for what is nested deeper than a body of ours may be. */
enum err in_strict_to(int depth, const char *bytes, size_t n, size_t *keys);

struct in {
	struct json_object *root; /* json-c's */
	enum err e;
	char field[40];
};

/* Takes a body that must be one JSON object. */
void in_open(struct in *in, const char *bytes, size_t n);
void in_close(struct in *in);
/* Refuses every key but these; the list ends with NULL. */
void in_only(struct in *in, ...) __attribute__((sentinel));
/* The same, where too many are known to list them. */
void in_only_known(struct in *in, bool (*known)(const char *key));
/* Remembers the first failure. */
void in_fail(struct in *in, enum err e, const char *field);

/*
 * null counts as absent.  A text has no control characters and at most max_points code points, blanks
 * at its ends are cut; absent leaves "".  What is written in lines may have line feeds, and CR LF becomes one.
 */
enum in_need {
	IN_OPTIONAL,
	IN_REQUIRED, /* neither a text nor a list may be empty */
	IN_NAMED,    /* a list must be there, and may be empty */
};
void in_text(struct in *in, const char *key, enum in_need need, size_t max_points, char *out, size_t size);
void in_lines(struct in *in, const char *key, enum in_need need, size_t max_points, char *out, size_t size);
void in_int(struct in *in, const char *key, enum in_need need, int64_t min, int64_t max, int64_t *out);
void in_flag(struct in *in, const char *key, enum in_need need, bool *out); /* true or false */
/* The same, or 1 or 0, as earlier clients say it; absent leaves it. */
void in_yes(struct in *in, const char *key, bool *out);
/* A list of numbers above 0: ids. */
void in_numbers(struct in *in, const char *key, enum in_need need, size_t max, void (*each)(void *arg, int64_t number),
		void *arg);
/* A list of objects: each() takes one of them as it would a whole body. */
void in_list(struct in *in, const char *key, enum in_need need, size_t max, void (*each)(struct in *item, void *arg),
	     void *arg);
/* A list of words of tags.h, as a set of them. */
void in_tags(struct in *in, const char *key, uint32_t *out);
/* A list of words of one line each; what each() does not take is wrong with the field. */
void in_words(struct in *in, const char *key, size_t max_points, enum err (*each)(void *arg, const char *word), void *arg);
/* An object in the object. */
void in_object(struct in *in, const char *key, enum in_need need, void (*each)(struct in *item, void *arg), void *arg);
bool in_has(const struct in *in, const char *key);

/* Texts of a kind.  Absent leaves "" or, of a date and a language, what is there. */
void in_phone(struct in *in, const char *key, enum in_need need, char out[TEXT_PHONE_SIZE]);
void in_email(struct in *in, const char *key, enum in_need need, char *out, size_t size);
void in_date(struct in *in, const char *key, enum in_need need, struct date *out);
void in_lang(struct in *in, const char *key, int32_t *lang); /* "ko" or "en" */

/* slotDate and slotTime.  IN_OPTIONAL: the texts that are there already stand for those that are absent. */
struct in_slot {
	char day[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	struct date date;
	int minute;
};
void in_slot(struct in *in, enum in_need need, struct in_slot *out);

#endif
