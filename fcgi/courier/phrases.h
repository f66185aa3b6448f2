/*
 * phrases.h - the words of every message, in both languages.
 *
 * In them
 *   %h the restaurant   %n the guest   %d the day   %t the time   %p the party   %c the code of the reservation
 *   %u until when       %a what is due %k the six digits
 */
#ifndef JARI_PHRASES_H
#define JARI_PHRASES_H

#include "err.h"
#include "outbox.h"

struct phrases {
	const char *subject, *lead, *button;
	const char *brief; /* for text messages: with the longest names it has 90 bytes of EUC-KR, because %h and %n are cut */
};

const struct phrases *phrases_of(enum outbox_event event, enum lang lang);

#endif
