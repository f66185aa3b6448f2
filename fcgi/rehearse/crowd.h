/*
 * crowd.h - a crowd at the door: many guests who press the button in the same second, over HTTP on loopback.
 *
 * The one load client of jari: the rehearsal, the tests and the bench all use it.  One process and one epoll set, so
 * that the box is busy with the guests and not with us.  A guest sends a request, asks after the ticket while told to
 * wait, and keeps a history that is judged afterwards: an answer that never came, or a 5xx, is unknown, never a no.
 */
#ifndef JARI_CROWD_H
#define JARI_CROWD_H

#include "err.h"
#include "token.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CROWD_WORD_SIZE = 40, CROWD_BODY_SIZE = 256 };

enum crowd_step { CROWD_RESTING, CROWD_UNDER_WAY, CROWD_OVER };

struct crowd_guest {
	/* What it sends. */
	const char *method, *path; /* NULL: POST /api/reservations */
	const char *token, *key;   /* NULL: none; key is the Idempotency-Key */
	char body[CROWD_BODY_SIZE];
	int64_t at_ms;                   /* after the start of the crowd */
	const struct crowd_guest *after; /* sends nothing before that one has its outcome */
	int patience_ms;                 /* gives up on an answer after this and sends the same again; 0: waits */

	/* What became of it. */
	enum crowd_step step;
	int status, first_status;     /* 0: no answer */
	int retry_s;                  /* the last Retry-After; 0: none */
	char code[CROWD_WORD_SIZE];   /* the word of a refusal, "" with a success */
	char ticket[TOKEN_TEXT_SIZE]; /* "": was never shown a place in the line */
	int64_t reservation;
	int64_t asked_us, over_us;    /* when it first asked and when its outcome was there, after the start */
	int64_t first_us, slowest_us; /* how long its first answer took, and the slowest */
	int answers, waits, unknown;  /* waits: answers 429; unknown: 5xx, or none */
	int knocks;                   /* how often it was asked to come again in a moment, and did */

	int64_t due_us, sent_us; /* crowd.c's own */
};

struct crowd {
	int port;
	size_t at_once;  /* connections; 0: one for each guest */
	bool keep;       /* connections are kept and stand before the clock starts; else each request has its own */
	int apart_ms;    /* no first request sooner than this after the one before; each is on its way before the next */
	bool follow;     /* asks after the ticket until the outcome is there */
	bool persist;    /* sends again what ended unknown */
	bool come_again; /* does as Retry-After says: after a 429 without a ticket, a 502 to 504, a broken connection */
	int poll_min_ms, poll_max_ms;                     /* between two questions; 0: 20 to 200 */
	int limit_ms, quiet_ms;                           /* the whole crowd (0: 20 s); without any outcome (0: no limit) */
	const volatile sig_atomic_t *stop;                /* ends it when true; may be NULL */
	void (*tick)(void *arg, int64_t ms, size_t over); /* every few ms; may be NULL */
	void (*answered)(void *arg, const struct crowd_guest *g, int64_t took_us); /* for every answer; may be NULL */
	void *arg;
};

/*
 * Sends everybody.  *all says whether each has an outcome; who has none is not CROWD_OVER.  ERR_NO_MEMORY or
 * ERR_INTERNAL: it could not begin.
 */
enum err crowd_run(const struct crowd *c, struct crowd_guest *guests, size_t n, bool *all);

/* Does an appliance answer there?  Waits a second at most. */
bool crowd_door_is_open(int port);

#endif
