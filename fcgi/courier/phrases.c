/*
 * phrases.c - the words of every message.
 */
#include "phrases.h"

#include <assert.h>

static const struct phrases all[OUTBOX__EVENTS][2] = {
#define P(event, lang, subject, lead, button, brief) [OUTBOX_##event][LANG_##lang] = {subject, lead, button, brief},
#include "phrases.inc"
#undef P
};

const struct phrases *phrases_of(enum outbox_event event, enum lang lang)
{
	assert(event < OUTBOX__EVENTS && all[event][lang].subject);
	return &all[event][lang];
}
