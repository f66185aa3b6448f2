/*
 * in.c - the body of a request.
 */
#include "in.h"

#include "lengths.h"
#include "tags.h"

#include <assert.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- the strict reader: recursive descent over RFC 8259, no output but yes or no ---- */

struct scan {
	const char *p, *end;
	size_t keys;
	int depth, deepest;
	bool too_deep;
};

static void blanks(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
		s->p++;
}

static bool take(struct scan *s, char c)
{
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

static bool word(struct scan *s, const char *w)
{
	size_t n = strlen(w);

	if ((size_t)(s->end - s->p) < n || memcmp(s->p, w, n) != 0)
		return false;
	s->p += n;
	return true;
}

static bool digits(struct scan *s)
{
	const char *first = s->p;

	while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
		s->p++;
	return s->p > first;
}

static bool number(struct scan *s)
{
	take(s, '-');
	if (!take(s, '0') && !digits(s))
		return false;
	if (take(s, '.') && !digits(s))
		return false;
	if (take(s, 'e') || take(s, 'E')) {
		if (!take(s, '+'))
			take(s, '-');
		return digits(s);
	}
	return true;
}

/* Four hex digits, or -1. */
static int unit(struct scan *s)
{
	int value = 0;

	if (s->end - s->p < 4)
		return -1;
	for (int i = 0; i < 4; i++, s->p++) {
		const char *hex = "0123456789abcdef", *at;
		char c = *s->p >= 'A' && *s->p <= 'F' ? (char)(*s->p + 32) : *s->p;

		at = c ? strchr(hex, c) : NULL;
		if (!at)
			return -1;
		value = value * 16 + (int)(at - hex);
	}
	return value;
}

/* Behind a backslash.  A NUL or half a surrogate pair is no character. */
static bool escape(struct scan *s)
{
	int u;

	if (s->p == s->end)
		return false;
	if (*s->p != 'u')
		return *s->p && strchr("\"\\/bfnrt", *s->p++);
	s->p++;
	u = unit(s);
	if (u <= 0 || (u >= 0xDC00 && u <= 0xDFFF))
		return false;
	if (u < 0xD800 || u > 0xDBFF)
		return true;
	if (!word(s, "\\u"))
		return false;
	u = unit(s);
	return u >= 0xDC00 && u <= 0xDFFF;
}

static bool string(struct scan *s)
{
	if (!take(s, '"'))
		return false;
	while (s->p < s->end) {
		unsigned char c = (unsigned char)*s->p++;

		if (c == '"')
			return true;
		if (c < 0x20 || (c == '\\' && !escape(s)))
			return false;
	}
	return false;
}

static bool value(struct scan *s);

static bool members(struct scan *s)
{
	blanks(s);
	if (take(s, '}'))
		return true;
	do {
		blanks(s);
		if (!string(s))
			return false;
		s->keys++;
		blanks(s);
		if (!take(s, ':') || !value(s))
			return false;
	} while (take(s, ','));
	return take(s, '}');
}

static bool elements(struct scan *s)
{
	blanks(s);
	if (take(s, ']'))
		return true;
	do {
		if (!value(s))
			return false;
	} while (take(s, ','));
	return take(s, ']');
}

static bool value(struct scan *s)
{
	bool ok;

	blanks(s);
	if (s->p == s->end)
		return false;
	if (*s->p == '{' || *s->p == '[') {
		if (++s->depth > s->deepest) {
			s->too_deep = true;
			return false;
		}
		ok = *s->p++ == '{' ? members(s) : elements(s);
		s->depth--;
	} else if (*s->p == '"') {
		ok = string(s);
	} else if (*s->p == '-' || (*s->p >= '0' && *s->p <= '9')) {
		ok = number(s);
	} else {
		ok = word(s, "true") || word(s, "false") || word(s, "null");
	}
	blanks(s);
	return ok;
}

enum err in_strict_to(int depth, const char *bytes, size_t n, size_t *keys)
{
	struct scan s = {.p = bytes, .end = bytes + n, .deepest = depth};

	if (!text_utf8(bytes, n) || (n && memchr(bytes, '\0', n)))
		return ERR_BAD_TEXT;
	if (!value(&s) || s.p != s.end)
		return ERR_BAD_JSON;
	*keys = s.keys;
	return ERR_OK;
}

enum err in_strict(const char *bytes, size_t n, size_t *keys)
{
	return in_strict_to(IN_DEPTH, bytes, n, keys);
}

/* ---- its fields ---- */

void in_fail(struct in *in, enum err e, const char *field)
{
	assert(e != ERR_OK);
	if (in->e != ERR_OK)
		return;
	in->e = e;
	snprintf(in->field, sizeof in->field, "%s", field);
}

/* Keys that json-c kept; fewer than were written means that some were written twice. */
static size_t count_keys(struct json_object *o)
{
	size_t n = 0;

	if (json_object_is_type(o, json_type_object)) {
		json_object_object_foreach(o, key, child)
		{
			(void)key;
			n += 1 + count_keys(child);
		}
	} else if (json_object_is_type(o, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(o); i++)
			n += count_keys(json_object_array_get_idx(o, i));
	}
	return n;
}

void in_open(struct in *in, const char *bytes, size_t n)
{
	static struct json_tokener *t; /* kept: making one costs as much as a small document */
	struct json_object *root;
	size_t keys = 0;
	enum err e = in_strict(bytes ? bytes : "", n, &keys);

	*in = (struct in){0};
	if (e != ERR_OK) {
		in_fail(in, e, "");
		return;
	}
	if (!t)
		t = json_tokener_new_ex(IN_DEPTH + 1);
	if (!t) {
		in_fail(in, ERR_NO_MEMORY, "");
		return;
	}
	/* Without JSON_TOKENER_STRICT: in_strict() has proved more than it asks for, and json-c 0.18 takes every byte
	 * from 0x80 on for a control character under it. */
	json_tokener_reset(t);
	root = json_tokener_parse_ex(t, bytes, (int)n);
	if (!json_object_is_type(root, json_type_object) || json_tokener_get_error(t) != json_tokener_success)
		in_fail(in, ERR_BAD_JSON, "");
	else if (count_keys(root) != keys)
		in_fail(in, ERR_DUPLICATE_KEY, "");
	in->root = root;
}

void in_close(struct in *in)
{
	json_object_put(in->root);
	in->root = NULL;
}

/* A stranger's key is not echoed at length. */
static void fail_unknown(struct in *in, const char *key)
{
	in_fail(in, ERR_UNKNOWN_FIELD, strlen(key) < sizeof in->field ? key : "");
}

void in_only(struct in *in, ...)
{
	if (in->e != ERR_OK)
		return;
	json_object_object_foreach(in->root, key, child)
	{
		const char *known;
		va_list ap;

		(void)child;
		va_start(ap, in);
		while ((known = va_arg(ap, const char *)) && strcmp(known, key) != 0)
			;
		va_end(ap);
		if (!known) {
			fail_unknown(in, key);
			return;
		}
	}
}

void in_only_known(struct in *in, bool (*known)(const char *key))
{
	if (in->e != ERR_OK)
		return;
	json_object_object_foreach(in->root, key, child)
	{
		(void)child;
		if (!known(key)) {
			fail_unknown(in, key);
			return;
		}
	}
}

/* The field, or NULL when it is absent, null, or something was wrong already. */
static struct json_object *field(struct in *in, const char *key, enum in_need need, enum json_type type)
{
	struct json_object *v = NULL;

	if (in->e != ERR_OK)
		return NULL;
	json_object_object_get_ex(in->root, key, &v);
	if (!v) {
		if (need != IN_OPTIONAL)
			in_fail(in, ERR_MISSING_FIELD, key);
		return NULL;
	}
	if (!json_object_is_type(v, type)) {
		in_fail(in, ERR_WRONG_TYPE, key);
		return NULL;
	}
	return v;
}

/* Copies n bytes; a CR LF, or a CR alone, is a line feed.  False: there is no room for them. */
static bool copy_lines(char *out, size_t size, const char *text, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; i < n && used < size; i++)
		if (text[i] != '\r' || i + 1 == n || text[i + 1] != '\n')
			out[used++] = text[i] == '\r' ? '\n' : text[i];
	if (used == size)
		return false;
	out[used] = '\0';
	return true;
}

/* Every text that is taken.  Where `out` has LENGTHS_SIZE bytes, only the number of code points decides. */
static void take_text(struct in *in, const char *key, enum in_need need, bool lines, size_t max_points, char *out, size_t size)
{
	struct json_object *v = field(in, key, need, json_type_string);
	const char *text;
	enum err e = ERR_OK;
	size_t n;

	assert(size > 1 && max_points > 0);
	out[0] = '\0';
	if (!v)
		return;
	text = json_object_get_string(v);
	if (!lines && text_has_control(text))
		e = ERR_BAD_TEXT;
	text = text_trimmed(text, lines ? " \r\n" : " ", &n);
	if (e == ERR_OK && (!copy_lines(out, size, text, n) || text_points(out) > max_points))
		e = ERR_TOO_LONG;
	if (e == ERR_OK && lines && text_has_control_but_lines(out))
		e = ERR_BAD_TEXT;
	if (e == ERR_OK && !n && need == IN_REQUIRED)
		e = ERR_MISSING_FIELD;
	if (e == ERR_OK)
		return;
	out[0] = '\0';
	in_fail(in, e, key);
}

void in_text(struct in *in, const char *key, enum in_need need, size_t max_points, char *out, size_t size)
{
	take_text(in, key, need, false, max_points, out, size);
}

void in_lines(struct in *in, const char *key, enum in_need need, size_t max_points, char *out, size_t size)
{
	take_text(in, key, need, true, max_points, out, size);
}

void in_int(struct in *in, const char *key, enum in_need need, int64_t min, int64_t max, int64_t *out)
{
	struct json_object *v = field(in, key, need, json_type_int);
	int64_t n;

	assert(min <= max);
	if (!v)
		return;
	n = json_object_get_int64(v); /* saturates, which is out of every range we ask for */
	if (n < min || n > max || n == INT64_MAX || n == INT64_MIN)
		in_fail(in, ERR_OUT_OF_RANGE, key);
	else
		*out = n;
}

void in_flag(struct in *in, const char *key, enum in_need need, bool *out)
{
	struct json_object *v = field(in, key, need, json_type_boolean);

	if (v)
		*out = json_object_get_boolean(v);
}

void in_numbers(struct in *in, const char *key, enum in_need need, size_t max, void (*each)(void *arg, int64_t number),
		void *arg)
{
	struct json_object *list = field(in, key, need, json_type_array);
	size_t n = list ? json_object_array_length(list) : 0;

	if (n > max)
		in_fail(in, ERR_OUT_OF_RANGE, key);
	for (size_t i = 0; i < n && in->e == ERR_OK; i++) {
		struct json_object *v = json_object_array_get_idx(list, i);
		int64_t number = json_object_get_int64(v);

		if (!json_object_is_type(v, json_type_int))
			in_fail(in, ERR_WRONG_TYPE, key);
		else if (number < 1 || number == INT64_MAX)
			in_fail(in, ERR_OUT_OF_RANGE, key);
		else
			each(arg, number);
	}
}

void in_yes(struct in *in, const char *key, bool *out)
{
	struct json_object *v = NULL;
	int64_t number = *out;

	if (in->e == ERR_OK && json_object_object_get_ex(in->root, key, &v) && json_object_is_type(v, json_type_boolean)) {
		*out = json_object_get_boolean(v);
		return;
	}
	in_int(in, key, IN_OPTIONAL, 0, 1, &number);
	*out = number != 0;
}

static void take_one(struct in *in, struct json_object *o, const char *key, void (*each)(struct in *item, void *arg), void *arg)
{
	struct in item = {.root = o};

	if (!json_object_is_type(o, json_type_object))
		in_fail(&item, ERR_WRONG_TYPE, key);
	else
		each(&item, arg);
	if (item.e != ERR_OK)
		in_fail(in, item.e, item.field);
}

void in_object(struct in *in, const char *key, enum in_need need, void (*each)(struct in *item, void *arg), void *arg)
{
	struct json_object *o = field(in, key, need, json_type_object);

	if (o)
		take_one(in, o, key, each, arg);
}

void in_list(struct in *in, const char *key, enum in_need need, size_t max, void (*each)(struct in *item, void *arg), void *arg)
{
	struct json_object *list = field(in, key, need, json_type_array);
	size_t n = list ? json_object_array_length(list) : 0;

	if (n > max || (list && n == 0 && need == IN_REQUIRED)) {
		in_fail(in, n ? ERR_OUT_OF_RANGE : ERR_MISSING_FIELD, key);
		return;
	}
	for (size_t i = 0; i < n && in->e == ERR_OK; i++)
		take_one(in, json_object_array_get_idx(list, i), key, each, arg);
}

void in_tags(struct in *in, const char *key, uint32_t *out)
{
	struct json_object *list = field(in, key, IN_OPTIONAL, json_type_array);
	size_t n = list ? json_object_array_length(list) : 0;

	for (size_t i = 0; i < n && in->e == ERR_OK; i++) {
		struct json_object *word = json_object_array_get_idx(list, i);
		int tag = TAGS__MAX;

		if (!json_object_is_type(word, json_type_string))
			in_fail(in, ERR_WRONG_TYPE, key);
		else
			tag = tags_find(json_object_get_string(word));
		if (tag == TAGS__MAX)
			in_fail(in, ERR_BAD_TAG, key);
		else
			*out |= UINT32_C(1) << tag;
	}
}

/* Blanks at the ends of a word are cut, as those of a text are. */
static enum err take_word(struct json_object *v, size_t max_points, enum err (*each)(void *arg, const char *word), void *arg)
{
	char word[LENGTHS_SIZE(LENGTHS_NAME)];
	const char *text;
	size_t n;

	assert(LENGTHS_SIZE(max_points) <= sizeof word);
	if (!json_object_is_type(v, json_type_string))
		return ERR_WRONG_TYPE;
	text = json_object_get_string(v);
	if (text_has_control(text))
		return ERR_BAD_TEXT;
	text = text_trimmed(text, " ", &n);
	if (n >= LENGTHS_SIZE(max_points))
		return ERR_TOO_LONG;
	snprintf(word, sizeof word, "%.*s", (int)n, text);
	return text_points(word) > max_points ? ERR_TOO_LONG : each(arg, word);
}

void in_words(struct in *in, const char *key, size_t max_points, enum err (*each)(void *arg, const char *word), void *arg)
{
	struct json_object *list = field(in, key, IN_OPTIONAL, json_type_array);
	size_t n = list ? json_object_array_length(list) : 0;

	for (size_t i = 0; i < n && in->e == ERR_OK; i++) {
		enum err e = take_word(json_object_array_get_idx(list, i), max_points, each, arg);

		if (e != ERR_OK)
			in_fail(in, e, key);
	}
}

bool in_has(const struct in *in, const char *key)
{
	struct json_object *v = NULL;

	return in->e == ERR_OK && json_object_object_get_ex(in->root, key, &v) && v;
}

void in_phone(struct in *in, const char *key, enum in_need need, char out[TEXT_PHONE_SIZE])
{
	char text[LENGTHS_SIZE(LENGTHS_PHONE)];

	in_text(in, key, need, LENGTHS_PHONE, text, sizeof text);
	if (in->e == ERR_OK && *text && !text_phone(text, out))
		in_fail(in, ERR_BAD_PHONE, key);
}

void in_email(struct in *in, const char *key, enum in_need need, char *out, size_t size)
{
	in_text(in, key, need, LENGTHS_EMAIL, out, size);
	if (in->e == ERR_OK && *out && !text_email(out))
		in_fail(in, ERR_BAD_EMAIL, key);
}

void in_date(struct in *in, const char *key, enum in_need need, struct date *out)
{
	char text[16];

	in_text(in, key, need, TEXT_DATE_SIZE - 1, text, sizeof text);
	if (in->e == ERR_OK && *text && !text_date(text, out))
		in_fail(in, ERR_BAD_DATE, key);
}

void in_lang(struct in *in, const char *key, int32_t *lang)
{
	char word[LENGTHS_SIZE(2)];

	in_text(in, key, IN_OPTIONAL, 2, word, sizeof word);
	if (in->e == ERR_OK && *word && strcmp(word, "ko") != 0 && strcmp(word, "en") != 0)
		in_fail(in, ERR_BAD_LANGUAGE, key);
	if (*word)
		*lang = strcmp(word, "en") == 0 ? LANG_EN : LANG_KO;
}

void in_slot(struct in *in, enum in_need need, struct in_slot *out)
{
	char day[40], time[16]; /* what is longer than a date is none */

	snprintf(day, sizeof day, "%s", out->day);
	snprintf(time, sizeof time, "%s", out->time);
	out->date = (struct date){.year = 2000, .month = 1, .day = 1};
	out->minute = 0;
	if (need != IN_OPTIONAL || in_has(in, "slotDate"))
		in_text(in, "slotDate", IN_REQUIRED, sizeof day - 1, day, sizeof day);
	if (in->e == ERR_OK && !text_date(day, &out->date))
		in_fail(in, ERR_BAD_DATE, "slotDate");
	if (need != IN_OPTIONAL || in_has(in, "slotTime"))
		in_text(in, "slotTime", IN_REQUIRED, 8, time, sizeof time);
	if (in->e == ERR_OK && !text_time(time, &out->minute))
		in_fail(in, ERR_BAD_TIME, "slotTime");
	text_put_date(out->date, out->day);
	text_put_time(out->minute, out->time);
}
