/*
 * json.h - JSON in and out; json-c stays behind this wall.
 *
 * In: json-c is lax even in its strict mode (duplicate keys, 'single quotes', NaN, raw control
 * characters, \u0000, broken UTF-8), so every byte first passes a reader of our own that takes
 * RFC 8259 and nothing else.  Fields are then taken by name and exact type through a struct in,
 * which remembers the first thing that was wrong and the field it was about.
 *
 * Out: objects are built, printed once into the reply and freed by json_free.
 */
#ifndef JARI_JSON_H
#define JARI_JSON_H

#include "buf.h"
#include "err.h"
#include "rows.h"
#include "stmt.h"

#include <stdbool.h>
#include <stdint.h>

struct json; /* json-c's object */

enum { JSON_DEPTH = 8 };

/* Refuses what json-c lets through and should not.  Pure; the fuzzer runs this. */
enum err json_strict(const char *bytes, size_t n, size_t *keys);

struct in {
	struct json *root;
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
/* A list of objects: each() takes one of them as it would a whole body. */
void in_list(struct in *in, const char *key, enum in_need need, size_t max, void (*each)(struct in *item, void *arg),
	     void *arg);
/* An object in the object. */
void in_object(struct in *in, const char *key, enum in_need need, void (*each)(struct in *item, void *arg), void *arg);
bool in_has(const struct in *in, const char *key);

/* slotDate and slotTime.  IN_OPTIONAL: the texts that are there already stand for those that are absent. */
struct in_slot {
	char day[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	struct date date;
	int minute;
};
void in_slot(struct in *in, enum in_need need, struct in_slot *out);

/* A key is a word of the program: it outlives the object and is written into it once. */
struct json *json_new(void);
struct json *json_list(void);
void json_free(struct json *j);
void json_int(struct json *o, const char *key, int64_t value);
void json_flag(struct json *o, const char *key, bool value);
void json_text(struct json *o, const char *key, const char *value);
void json_text_or_null(struct json *o, const char *key, const char *value); /* "" is null */
void json_int_if(struct json *o, const char *key, int64_t value);           /* 0 is left out */
void json_text_if(struct json *o, const char *key, const char *value);      /* "" is left out */
void json_put(struct json *o, const char *key, struct json *child);         /* takes the child */
bool json_has(const struct json *o, const char *key);
void json_push(struct json *array, struct json *child);
struct json *json_number(int64_t value); /* for a list of them */
/*
 * A row of the book, pushed onto a list as an object of its columns.  One whose name ends with ? is a flag, with - it is left
 * out where it is NULL.
 */
stmt_each json_row;
/* The same into an object. */
stmt_each json_take_row;

void json_print(const struct json *j, struct buf *out);

/* The fields of a list of rows.h that guests or staff see: from *v into the object j. */
#define JSON_TO_GUEST(member, kind, sql, key, seen) \
	if (ROWS_SEEN_##seen & ROWS_SEEN_GUEST) \
		JSON_PUT_##kind(j, key, v->member);
#define JSON_TO_DESK(member, kind, sql, key, seen) \
	if (ROWS_SEEN_##seen & ROWS_SEEN_DESK) \
		JSON_PUT_##kind(j, key, v->member);
#define JSON_PUT_LONG json_int
#define JSON_PUT_INT json_int
#define JSON_PUT_LONG_IF json_int_if
#define JSON_PUT_INT_IF json_int_if
#define JSON_PUT_FLAG json_flag
#define JSON_PUT_SET json_flag
#define JSON_PUT_LIFE(j, key, value) json_text(j, key, life_word(value))
#define JSON_PUT_TEXT(size) json_text
#define JSON_PUT_OR_NULL(size) json_text_or_null
#define JSON_PUT_TEXT_IF(size) json_text_if

#endif
