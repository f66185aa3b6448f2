/*
 * guests.h - guests for a crowd (crowd.h), and what must be true after one.
 */
#ifndef JARI_TEST_GUESTS_H
#define JARI_TEST_GUESTS_H

#include "appliance.h"
#include "crowd.h"
#include "hall.h"
#include "http.h"
#include "text.h"

enum { GUESTS_FROM = 10000 };

/* Sends all guests; false when one had no outcome in time. */
bool guests_run(const struct crowd *c, struct crowd_guest *guests, size_t n);
/* How many ended with this status and word (NULL: any). */
size_t guests_count(const struct crowd_guest *guests, size_t n, int status, const char *code);
/* How many ended with a 5xx or without an answer, at any step. */
int guests_unknown(const struct crowd_guest *guests, size_t n);
void guests_print(const char *what, const struct crowd_guest *guests, size_t n);

/* Accounts GUESTS_FROM and on in the book; guests_token is the login of one, for ever. */
void guests_users(const struct appliance *a, int n);
const char *guests_token(const struct appliance *a, int user);

/* The nth open day of the demo restaurant from the day after tomorrow on. */
void guests_day(int nth, char out[TEXT_DATE_SIZE]);
/* A guest who wants seats at the demo restaurant. */
void guests_wants(const struct appliance *a, struct crowd_guest *g, int user, const char *date, const char *time, int party);

/* A new guest, with a number of their own, books one seat at the demo restaurant: 201. */
struct http_call guests_newcomer(void);

/* The same, with what they are given; and their link, opened at a box. */
struct guests_booked {
	char manage[HTTP_TEXT], code[HTTP_TEXT];
	int64_t id;
};
struct guests_booked guests_book(int port);
const struct http_answer *guests_open(int port, const struct guests_booked *b);

/* ---- what must be true afterwards ---- */

/* Words of the first thing that is wrong, "" when nothing is. */
struct guests_verdict {
	char text[512];
};

/*
 * The history against the book: every 201 is there, for that guest; no refusal is; nothing double, no slot
 * over its capacity; no guest without an outcome; the line is empty and whole.
 */
struct guests_verdict guests_judge(const struct appliance *a, const struct crowd_guest *guests, size_t n);
/*
 * Of equal parties for one slot the first tickets won: those in the book are the first that were drawn since
 * `first`, without a gap.
 */
struct guests_verdict guests_judge_first(const struct appliance *a, const char *date, const char *time, uint64_t first,
					 int winners);
/* Fails the test unless the verdict is empty. */
void guests_expect(struct guests_verdict v);

/* The line of a running appliance; the hall stays attached to it until the next call. */
struct hall *guests_hall(const struct appliance *a);

#endif
