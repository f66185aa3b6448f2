/*
 * settings.c - a restaurant's policies.
 */
#include "settings.h"

#include <assert.h>
#include <string.h>

const struct settings_row settings_rows[] = {
#define X(name, min, max, fallback, help) {#name, offsetof(struct settings, name), min, max, fallback, help},
	SETTINGS_LIST(X)
#undef X
};
const size_t settings_count = sizeof settings_rows / sizeof settings_rows[0];

void settings_init(struct settings *s)
{
	for (size_t i = 0; i < settings_count; i++)
		settings_put(s, &settings_rows[i], settings_rows[i].fallback);
}

const struct settings_row *settings_find(const char *name)
{
	for (size_t i = 0; i < settings_count; i++)
		if (strcmp(settings_rows[i].name, name) == 0)
			return &settings_rows[i];
	return NULL;
}

static bool is_sitting(const struct settings_row *row)
{
	return row->offset == offsetof(struct settings, sitting_minutes) ||
	       row->offset == offsetof(struct settings, sitting_large_minutes);
}

bool settings_is_money(const struct settings_row *row)
{
	return strncmp(row->name, "deposit_", 8) == 0 && strstr(row->name, "_per_person") != NULL;
}

bool settings_fits(const struct settings_row *row, int64_t value)
{
	assert(row->min <= row->max);
	return value >= row->min && value <= row->max && (value == 0 || value >= SETTINGS_SITTING_MIN || !is_sitting(row));
}

void settings_put(struct settings *s, const struct settings_row *row, int value)
{
	assert(settings_fits(row, value));
	memcpy((char *)s + row->offset, &value, sizeof value);
}
