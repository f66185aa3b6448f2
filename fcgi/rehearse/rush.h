/*
 * rush.h - a crowd at the door: many guests who press the button in the same second.
 *
 * Each behaves as the guest page does: he sends his booking over HTTP, asks after his ticket while
 * he is told to wait, comes again when the door asks him to, and takes the first yes or no for an
 * answer.  One process and one epoll set, so that the box is busy with the guests and not with us.
 */
#ifndef JARI_RUSH_H
#define JARI_RUSH_H

#include "err.h"
#include "token.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUSH_GUESTS_MAX = 5000, RUSH_WORD_SIZE = 40 };

enum rush_end {
	RUSH_ASKING,  /* no answer yet */
	RUSH_IN,      /* 201 */
	RUSH_FULL,    /* 409 SLOT_FULL */
	RUSH_REFUSED, /* anything else; `word` says what */
};

struct rush_guest {
	int64_t user_id;
	char token[TOKEN_TEXT_SIZE];
	/* How it went. */
	enum rush_end end;
	char word[RUSH_WORD_SIZE];    /* of the last answer, "" for a reservation */
	char ticket[TOKEN_TEXT_SIZE]; /* "" unless he was shown his place in the line */
	int64_t reservation_id;
	int64_t waited_us; /* from the opening until the yes or no */
	int knocks;        /* how often the door told him to come again in a moment */
	int64_t due_us;    /* when he asks next; rush.c's own */
};

struct rush_plan {
	int port;         /* on loopback */
	const char *body; /* of POST /api/reservations, everybody's */
	struct rush_guest *guests;
	size_t count;
	const volatile sig_atomic_t *stop; /* ends the rush when it becomes true */
	void (*tell)(void *arg, size_t answered); /* a few times a second */
	void *arg;
};

/*
 * Returns when every guest has his answer, when told to stop, or when nobody has heard anything for a
 * minute; who has none is still RUSH_ASKING.  ERR_NO_MEMORY, ERR_INTERNAL: it could not begin.
 */
enum err rush_run(const struct rush_plan *plan);

/* Does an appliance answer there?  Waits a second at most. */
bool rush_door_is_open(int port);

#endif
