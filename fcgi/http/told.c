/*
 * told.c - what another machine told us.
 */
#include "told.h"

#include "in.h"
#include "text.h"

#include <assert.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

enum { KEY_SIZE = 64 };
static const double WHOLE_MAX = 9007199254740992.0; /* 2^53: beyond it a double leaves out whole numbers */

/* struct told is json-c's object under our name. */
static struct json_object *real(const struct told *t)
{
	union {
		const struct told *ours;
		struct json_object *theirs;
	} u = {.ours = t};

	return u.theirs;
}

struct told *told_read(const char *bytes, size_t n)
{
	struct json_tokener *t;
	struct json_object *o;
	size_t keys;

	if (in_strict_to(TOLD_DEPTH, bytes ? bytes : "", n, &keys) != ERR_OK)
		return NULL;
	t = json_tokener_new_ex(TOLD_DEPTH + 1);
	if (!t)
		return NULL;
	o = json_tokener_parse_ex(t, bytes, (int)n);
	json_tokener_free(t);
	if (json_object_is_type(o, json_type_object) || json_object_is_type(o, json_type_array))
		return (struct told *)o;
	json_object_put(o);
	return NULL;
}

void told_free(struct told *t)
{
	json_object_put(real(t));
}

static struct json_object *step(struct json_object *o, const char *key)
{
	struct json_object *child = NULL;
	int64_t place;

	if (json_object_is_type(o, json_type_object))
		json_object_object_get_ex(o, key, &child);
	else if (json_object_is_type(o, json_type_array) && text_int(key, 0, INT32_MAX, &place))
		child = json_object_array_get_idx(o, (size_t)place);
	return child;
}

const struct told *told_at(const struct told *t, const char *path)
{
	struct json_object *o = real(t);
	char key[KEY_SIZE];

	while (o && *path) {
		size_t n = strcspn(path, ".");

		assert(n > 0 && n < sizeof key); /* paths are words of the program */
		memcpy(key, path, n);
		key[n] = '\0';
		o = step(o, key);
		path += n + (path[n] == '.');
	}
	return (const struct told *)o;
}

const struct told *told_nth(const struct told *t, const char *path, size_t place)
{
	struct json_object *o = real(told_at(t, path));

	return json_object_is_type(o, json_type_array) ? (const struct told *)json_object_array_get_idx(o, place) : NULL;
}

const char *told_text(const struct told *t, const char *path)
{
	struct json_object *o = real(told_at(t, path));

	return json_object_is_type(o, json_type_string) ? json_object_get_string(o) : "";
}

bool told_number(const struct told *t, const char *path, int64_t *out)
{
	struct json_object *o = real(told_at(t, path));

	if (json_object_is_type(o, json_type_double)) {
		double d = json_object_get_double(o);

		if (!(d > -WHOLE_MAX && d < WHOLE_MAX) || (double)(int64_t)d < d || (double)(int64_t)d > d)
			return false;
		*out = (int64_t)d;
		return true;
	}
	if (!json_object_is_type(o, json_type_int))
		return false;
	*out = json_object_get_int64(o);
	return true;
}

size_t told_count(const struct told *t, const char *path)
{
	struct json_object *o = real(told_at(t, path));

	return json_object_is_type(o, json_type_array) ? json_object_array_length(o) : 0;
}
