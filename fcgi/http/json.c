/*
 * json.c - JSON out.
 */
#include "json.h"

#include <assert.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* struct json is json-c's object under our name. */
static struct json_object *real(const struct json *j)
{
	union {
		const struct json *ours;
		struct json_object *theirs;
	} u = {.ours = j};

	return u.theirs;
}

static struct json *ours(struct json_object *o)
{
	return (struct json *)o;
}

struct json *json_new(void)
{
	return ours(json_object_new_object());
}

struct json *json_list(void)
{
	return ours(json_object_new_array());
}

void json_free(struct json *j)
{
	json_object_put(real(j));
}

/* Keys are words of the program, each written once into its object: neither copied nor looked for. */
static void add(struct json *o, const char *key, struct json_object *v)
{
	json_object_object_add_ex(real(o), key, v, JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY);
}

struct json *json_number(int64_t v)
{
	return ours(json_object_new_int64(v));
}

struct json *json_word(const char *text)
{
	return ours(json_object_new_string(text));
}

struct json *json_read(const char *text)
{
	struct json_object *o = *text == '{' ? json_tokener_parse(text) : NULL;

	if (o && !json_object_is_type(o, json_type_object)) {
		json_object_put(o);
		o = NULL;
	}
	return ours(o);
}

void json_object_if(struct json *o, const char *key, const char *text)
{
	struct json *child = *text ? json_read(text) : NULL;

	if (child)
		json_put(o, key, child);
}

void json_int(struct json *o, const char *key, int64_t v)
{
	add(o, key, json_object_new_int64(v));
}

void json_flag(struct json *o, const char *key, bool v)
{
	add(o, key, json_object_new_boolean(v));
}

void json_text(struct json *o, const char *key, const char *v)
{
	assert(o && key && v);
	add(o, key, json_object_new_string(v));
}

void json_text_or_null(struct json *o, const char *key, const char *v)
{
	add(o, key, *v ? json_object_new_string(v) : NULL);
}

void json_int_if(struct json *o, const char *key, int64_t v)
{
	if (v)
		json_int(o, key, v);
}

void json_text_if(struct json *o, const char *key, const char *v)
{
	if (*v)
		json_text(o, key, v);
}

void json_moment(struct json *o, const char *key, int64_t at_s)
{
	char text[CLOCK_ISO_SIZE];

	clock_iso(at_s, text);
	json_text(o, key, text);
}

void json_moment_or_null(struct json *o, const char *key, int64_t at_s)
{
	if (at_s)
		json_moment(o, key, at_s);
	else
		json_put_or_null(o, key, NULL);
}

void json_date(struct json *o, const char *key, struct date date)
{
	char text[TEXT_DATE_SIZE];

	text_put_date(date, text);
	json_text(o, key, text);
}

void json_put(struct json *o, const char *key, struct json *child)
{
	assert(o && key && child);
	add(o, key, real(child));
}

void json_put_or_null(struct json *o, const char *key, struct json *child)
{
	assert(o && key);
	add(o, key, real(child));
}

bool json_has(const struct json *o, const char *key)
{
	return json_object_object_get_ex(real(o), key, NULL);
}

void json_push(struct json *array, struct json *child)
{
	assert(array && child);
	json_object_array_add(real(array), real(child));
}

void json_tags(struct json *o, const char *key, uint32_t set)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < TAGS__MAX; i++)
		if (set >> i & 1)
			json_object_array_add(list, json_object_new_string(tags_word(i)));
	add(o, key, list);
}

static struct json_object *words_of(const char *words)
{
	struct json_object *list = json_object_new_array();

	while (*words) {
		size_t n = strcspn(words, ",");

		json_object_array_add(list, json_object_new_string_len(words, (int)n));
		words += n + (words[n] == ',');
	}
	return list;
}

void json_words(struct json *o, const char *key, const char *words)
{
	add(o, key, words_of(words));
}

static struct json_object *ids_of(const char *ids)
{
	struct json_object *list = json_object_new_array();
	char *end;

	for (; *ids; ids = *end == ',' ? end + 1 : end)
		json_object_array_add(list, json_object_new_int64(strtoll(ids, &end, 10)));
	return list;
}

void json_ids(struct json *o, const char *key, const char *ids)
{
	add(o, key, ids_of(ids));
}

/* The name is copied: a statement that is prepared anew forgets it. */
static void add_cell(struct json_object *o, const struct stmt_cell *c)
{
	struct json_object *v = NULL;
	char key[40];
	size_t n = strlen(c->name);
	char last = c->name[n - 1];

	assert(n > 1 && n < sizeof key);
	memcpy(key, c->name, n + 1);
	if (strchr("?-,#", last))
		key[n - 1] = '\0';
	if (last == '-' && c->kind == STMT_NULL)
		return;
	if (last == '?')
		v = json_object_new_boolean(c->number != 0);
	else if (last == ',')
		v = words_of(c->text);
	else if (last == '#')
		v = ids_of(c->text);
	else if (c->kind == STMT_NUMBER)
		v = json_object_new_int64(c->number);
	else if (c->kind == STMT_TEXT)
		v = json_object_new_string(c->text);
	json_object_object_add_ex(o, key, v, JSON_C_OBJECT_ADD_KEY_IS_NEW);
}

void json_take_row(void *object, const struct stmt_cell *cells, int count)
{
	for (int i = 0; i < count; i++)
		add_cell(real(object), &cells[i]);
}

void json_row(void *list, const struct stmt_cell *cells, int count)
{
	struct json *j = json_new();

	json_take_row(j, cells, count);
	json_push(list, j);
}

void json_print(const struct json *j, struct buf *out)
{
	size_t n;
	const char *text = json_object_to_json_string_length(real(j), JSON_C_TO_STRING_PLAIN, &n);

	if (text)
		buf_add(out, text, n);
	else
		out->failed = true;
}
