/*
 * premiere.h - the guests of an opening, for `jari rehearse --opening`: pages that wait, guests who press too early because
 * their clock is wrong, guests with a second device, and everybody in the second after the moment.
 */
#ifndef JARI_PREMIERE_H
#define JARI_PREMIERE_H

#include "crowd.h"
#include "review.h"

enum {
	PREMIERE_LEAD_MS = 7000, /* from when the moment is set until it comes */
	PREMIERE_SPREAD_MS = 1000,
};

/* Everybody who sends something: the guests first, then what else they and others send. */
struct premiere {
	struct crowd_guest *crowd;
	size_t guests, pages, early, seconds; /* of the crowd, in this order */
};

/*
 * Makes the crowd out of these guests, who press at opens_ms by our clock or up to a second later.  False: no memory.  slots: the
 * address that a waiting page asks.
 */
bool premiere_make(struct premiere *p, const struct crowd_guest *guests, size_t n, const char *slots);
/* When each sends, if the clock of the crowd starts now and the moment comes after lead_ms. */
void premiere_time(struct premiere *p, int64_t lead_ms);
/* What became of it: a guest with two devices has the better of both answers. */
void premiere_judge(const struct premiere *p, struct crowd_guest *guests, struct review_opening *out);
size_t premiere_size(const struct premiere *p);
void premiere_free(struct premiere *p);

#endif
