/*
 * tags.c - what a guest taps instead of writing it.
 */
#include "tags.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *word, *ko, *en;
	enum tags_kind kind;
} rows[TAGS__MAX] = {
#define X(word, kind, ko, en) {#word, ko, en, TAGS_##kind},
	TAGS_LIST(X)
#undef X
};

static_assert(TAGS__MAX <= 32, "a set has a bit for each");

const char *tags_word(int tag)
{
	assert(tag >= 0 && tag < TAGS__MAX);
	return rows[tag].word;
}

int tags_find(const char *word)
{
	int i = 0;

	while (i < TAGS__MAX && strcmp(rows[i].word, word) != 0)
		i++;
	return i;
}

static bool has(uint32_t set, int tag)
{
	return set >> tag & 1;
}

/* Text appended to out, which the sizes of tags.h have room for: a test writes them all. */
static void put(char *out, size_t size, const char *text)
{
	size_t used = strlen(out);

	assert(used + strlen(text) < size);
	memcpy(out + used, text, strlen(text) + 1);
}

void tags_write(uint32_t set, char out[TAGS_SIZE])
{
	out[0] = '\0';
	for (int i = 0; i < TAGS__MAX; i++) {
		if (!has(set, i))
			continue;
		put(out, TAGS_SIZE, out[0] ? "," : "");
		put(out, TAGS_SIZE, rows[i].word);
	}
}

uint32_t tags_read(const char *text)
{
	uint32_t set = 0;

	while (*text) {
		size_t n = strcspn(text, ",");

		for (int i = 0; i < TAGS__MAX; i++)
			if (strlen(rows[i].word) == n && memcmp(rows[i].word, text, n) == 0)
				set |= (uint32_t)1 << i;
		text += n + (text[n] == ',');
	}
	return set;
}

void tags_say(uint32_t set, enum lang lang, char out[TAGS_SAID_SIZE])
{
	int last = -1;

	out[0] = '\0';
	for (int i = 0; i < TAGS__MAX; i++) {
		bool allergy = rows[i].kind == TAGS_ALLERGY;

		if (!has(set, i))
			continue;
		if (last < 0 && allergy)
			put(out, TAGS_SAID_SIZE, lang == LANG_KO ? "⚠ 알레르기: " : "⚠ Allergy: ");
		else if (last >= 0)
			put(out, TAGS_SAID_SIZE, allergy ? ", " : " · ");
		put(out, TAGS_SAID_SIZE, lang == LANG_KO ? rows[i].ko : rows[i].en);
		last = i;
	}
}
