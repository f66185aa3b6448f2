/*
 * json.h - JSON out: objects are built, printed once into the reply and freed by json_free.  in.h is what comes in; json-c stays
 * behind these two.
 */
#ifndef JARI_JSON_H
#define JARI_JSON_H

#include "buf.h"
#include "rows.h"
#include "stmt.h"

#include <stdbool.h>
#include <stdint.h>

struct json; /* json-c's object */

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
void json_moment(struct json *o, const char *key, int64_t at_s);            /* "2026-11-16T09:00:00Z" */
void json_moment_or_null(struct json *o, const char *key, int64_t at_s);    /* 0 is null */
void json_date(struct json *o, const char *key, struct date date);          /* "2026-11-16" */
void json_put(struct json *o, const char *key, struct json *child);         /* takes the child */
void json_put_or_null(struct json *o, const char *key, struct json *child); /* the same; NULL is null */
bool json_has(const struct json *o, const char *key);
void json_push(struct json *array, struct json *child);
struct json *json_number(int64_t value);  /* for a list of them */
struct json *json_word(const char *text); /* the same */
struct json *json_read(const char *text); /* an object that the book keeps as text; NULL: it is none */
void json_object_if(struct json *o, const char *key, const char *text); /* the same, as a member; "" is left out */
void json_tags(struct json *o, const char *key, uint32_t set);          /* of tags.h, as a list of their words */
void json_words(struct json *o, const char *key, const char *words);    /* "a,b" as a list */
void json_ids(struct json *o, const char *key, const char *ids);        /* "3,4" as a list of numbers */
/*
 * A row of the book, pushed onto a list as an object of its columns.  One whose name ends with ? is a flag, with - it is left
 * out where it is NULL, with a comma it is words with commas and becomes a list of them, with # the same of numbers.
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
#define JSON_PUT_TAGS json_tags
#define JSON_PUT_TEXT(size) json_text
#define JSON_PUT_OR_NULL(size) json_text_or_null
#define JSON_PUT_TEXT_IF(size) json_text_if
#define JSON_PUT_OBJECT_IF(size) json_object_if
#define JSON_PUT_WORDS(size) json_words

#endif
