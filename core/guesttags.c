/*
 * guesttags.c - what a house calls a guest.
 */
#include "guesttags.h"

#include "text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const known[] = {
#define X(word) #word,
	GUESTTAGS_LIST(X)
#undef X
};

bool guesttags_has(const char *list, const char *tag)
{
	size_t length = strlen(tag);

	while (*list) {
		size_t n = strcspn(list, ",");

		if (n == length && strncasecmp(list, tag, n) == 0)
			return true;
		list += n + (list[n] == ',');
	}
	return false;
}

static int count(const char *list)
{
	int n = *list != '\0';

	for (; *list; list++)
		n += *list == ',';
	return n;
}

enum err guesttags_add(char list[GUESTTAGS_SIZE], const char *tag)
{
	size_t used = strlen(list);

	if (guesttags_has(list, tag))
		return ERR_OK;
	if (!*tag || strchr(tag, ',') || text_points(tag) > LENGTHS_GUEST_TAG || count(list) == GUESTTAGS_MAX)
		return ERR_BAD_GUEST_TAG;
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strcasecmp(known[i], tag) == 0)
			tag = known[i];
	snprintf(list + used, GUESTTAGS_SIZE - used, "%s%s", used ? "," : "", tag);
	return ERR_OK;
}

enum err guesttags_join(char list[GUESTTAGS_SIZE], const char *more)
{
	char both[GUESTTAGS_SIZE], tag[LENGTHS_SIZE(LENGTHS_GUEST_TAG)];
	enum err e = ERR_OK;

	snprintf(both, sizeof both, "%s", list);
	while (*more && e == ERR_OK) {
		size_t n = strcspn(more, ",");

		snprintf(tag, sizeof tag, "%.*s", (int)n, more);
		e = guesttags_add(both, tag);
		more += n + (more[n] == ',');
	}
	if (e == ERR_OK)
		memcpy(list, both, sizeof both);
	return e;
}
