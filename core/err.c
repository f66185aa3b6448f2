/*
 * err.c - the table behind err.h.
 */
#include "err.h"

#include <assert.h>
#include <string.h>

static const struct {
	const char *word;
	int status;
	const char *ko, *en;
} rows[ERR__MAX] = {
#define X(word, status, ko, en) [ERR_##word] = {#word, status, ko, en},
	ERR_LIST(X)
#undef X
};

const char *err_word(enum err e)
{
	assert(e < ERR__MAX);
	return rows[e].word;
}

int err_status(enum err e)
{
	assert(e < ERR__MAX);
	return rows[e].status;
}

const char *err_sentence(enum err e, enum lang lang)
{
	assert(e < ERR__MAX);
	return lang == LANG_KO ? rows[e].ko : rows[e].en;
}

enum err err_from_text(const char *text)
{
	size_t n;

	assert(text);
	n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
	for (int e = 1; e < ERR__MAX; e++)
		if (strlen(rows[e].word) == n && memcmp(rows[e].word, text, n) == 0)
			return (enum err)e;
	return ERR_OK;
}
