/*
 * crowd.h - a crowd at the door: guests who press the button, poll their tickets, give up and come back.
 *
 * One process and one epoll set.  Every guest has a history, and what it means is judged afterwards: an
 * answer that never came, or a 5xx, is unknown, never a no.
 */
#ifndef JARI_CROWD_H
#define JARI_CROWD_H

#include "appliance.h"
#include "hall.h"
#include "text.h"
#include "token.h"

enum { CROWD_TICKET = TOKEN_TEXT_SIZE, CROWD_USERS_FROM = 10000 };

struct crowd_guest {
	/* What it does. */
	const char *token;
	char body[256];
	const char *key;		 /* Idempotency-Key, or NULL */
	const char *path;		 /* NULL: /api/reservations */
	const char *method;		 /* NULL: POST */
	int64_t at_ms;			 /* after the start of the crowd */
	const struct crowd_guest *after; /* does nothing before that one has its outcome */
	int patience_ms;		 /* gives up on an answer after so long and sends the same again; 0: waits */

	/* What became of it. */
	int status; /* of the last answer; 0: none yet */
	int first_status;
	char code[32]; /* the word of a refusal, "" with a success */
	char ticket[CROWD_TICKET];
	int64_t reservation;
	int64_t first_us, slowest_us; /* to its first answer, and of any answer */
	int64_t over_us;	      /* when its outcome was there, after the start */
	int answers, waits, unknown;

	/* On the way. */
	int fd, step;
	int64_t due_us, sent_us;
	char out[1024], in[8192];
	size_t out_len, sent, in_len;
};

struct crowd {
	int port;
	size_t at_once;		      /* open connections; 0: everybody */
	int apart_ms;		      /* nobody sends his first request sooner than this after the one before him */
	bool follow;		      /* asks after its ticket until the outcome is there */
	bool persist;		      /* sends again what ended unknown */
	int poll_min_ms, poll_max_ms; /* between two questions; 0: 20 to 200 */
	int limit_ms;		      /* the whole crowd; 0: twenty seconds */
	void (*tick)(void *arg, int64_t ms); /* called every few milliseconds with the time since the start */
	void *arg;
};

/* Sends everybody; false when somebody had no outcome in time. */
bool crowd_run(const struct crowd *c, struct crowd_guest *guests, size_t n);

/* How many ended with this status and word (NULL: any). */
int crowd_count(const struct crowd_guest *guests, size_t n, int status, const char *code);
/* How many ended with a 5xx or without an answer, at any step. */
int crowd_unknown(const struct crowd_guest *guests, size_t n);
void crowd_print(const char *what, const struct crowd_guest *guests, size_t n);

/* Accounts CROWD_USERS_FROM and on in the book; crowd_token is the login of one, for ever. */
void crowd_users(const struct appliance *a, int n);
const char *crowd_token(const struct appliance *a, int user);

/* The nth open day of the demo restaurant from the day after tomorrow on. */
void crowd_day(int nth, char out[TEXT_DATE_SIZE]);
/* A guest who wants seats at the demo restaurant. */
void crowd_wants(const struct appliance *a, struct crowd_guest *g, int user, const char *date, const char *time,
		 int party);

/* ---- what must be true afterwards ---- */

/* Words of the first thing that is wrong, "" when nothing is. */
struct crowd_verdict {
	char text[512];
};

/*
 * The history against the book: every 201 is there, for that guest; no refusal is; nothing double, no slot
 * over its capacity; nobody without an outcome; the line is empty and whole.
 */
struct crowd_verdict crowd_judge(const struct appliance *a, const struct crowd_guest *guests, size_t n);
/*
 * Of equal parties for one slot the first tickets won: those in the book are the first that were drawn since
 * `first`, without a gap.
 */
struct crowd_verdict crowd_judge_first(const struct appliance *a, const char *date, const char *time, uint64_t first,
				       int winners);
/* Fails the test unless the verdict is empty. */
void crowd_expect(struct crowd_verdict v);

/* The line of a running appliance; the hall stays attached to it until the next call. */
struct hall *crowd_hall(const struct appliance *a);

#endif
