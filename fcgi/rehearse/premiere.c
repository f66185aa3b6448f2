/*
 * premiere.c - the guests of an opening, for `jari rehearse --opening`.
 */
#include "premiere.h"

#include "err.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	PAGE_OF = 2,    /* of so many guests one has a page that asks while it waits */
	EARLY_OF = 5,   /* ... one presses before the moment as well, by a clock that is ahead */
	SECOND_OF = 10, /* ... one presses on a second device at the same time */
};

size_t premiere_size(const struct premiere *p)
{
	return p->guests + p->pages + p->early + p->seconds;
}

bool premiere_make(struct premiere *p, const struct crowd_guest *guests, size_t n, const char *slots)
{
	struct crowd_guest *g;

	assert(n > 0);
	*p = (struct premiere){
		.guests = n, .pages = n / PAGE_OF, .early = (n + EARLY_OF - 1) / EARLY_OF, .seconds = n / SECOND_OF};
	p->crowd = calloc(premiere_size(p), sizeof *p->crowd);
	if (!p->crowd)
		return false;
	memcpy(p->crowd, guests, n * sizeof *guests);
	g = p->crowd + n;
	for (size_t i = 0; i < p->pages; i++)
		*g++ = (struct crowd_guest){.method = "GET", .path = slots};
	/* The same request with the same key: pressed again at the moment it must be as good as one that was never early. */
	for (size_t i = 0; i < p->early; i++)
		*g++ = guests[i * EARLY_OF];
	for (size_t i = 0; i < p->seconds; i++) {
		*g = guests[i * SECOND_OF];
		g++->key = "second-device";
	}
	return true;
}

void premiere_time(struct premiere *p, int64_t lead_ms)
{
	struct crowd_guest *g = p->crowd;
	int64_t early_ms;

	assert(lead_ms > 0);
	early_ms = lead_ms / 2;
	for (size_t i = 0; i < p->guests; i++, g++)
		g->at_ms = lead_ms + (int64_t)(i * PREMIERE_SPREAD_MS / p->guests);
	for (size_t i = 0; i < p->pages; i++, g++)
		g->at_ms = (int64_t)i * early_ms / (int64_t)p->pages;
	for (size_t i = 0; i < p->early; i++, g++)
		g->at_ms = early_ms / 2 + (int64_t)i * early_ms / 2 / (int64_t)p->early;
	for (size_t i = 0; i < p->seconds; i++, g++)
		g->at_ms = p->crowd[i * SECOND_OF].at_ms;
}

static bool says(const struct crowd_guest *g, enum err e)
{
	return strcmp(g->code, err_word(e)) == 0;
}

/* Which of two answers says more: the table, a clear no, or that the other device is being served. */
static int worth(const struct crowd_guest *g)
{
	return g->status == 201 ? 2 : says(g, ERR_SLOT_FULL);
}

void premiere_judge(const struct premiere *p, struct crowd_guest *guests, struct review_opening *out)
{
	const struct crowd_guest *page = p->crowd + p->guests, *early = page + p->pages, *second = early + p->early;

	memcpy(guests, p->crowd, p->guests * sizeof *guests);
	*out = (struct review_opening){.pages = p->pages, .early = p->early, .seconds = p->seconds};
	for (size_t i = 0; i < p->pages; i++)
		out->pages_failed += page[i].status != 200;
	for (size_t i = 0; i < p->early; i++) {
		out->early_in += early[i].status == 201;
		out->early_told += says(&early[i], ERR_NOT_YET);
	}
	for (size_t i = 0; i < p->seconds; i++) {
		struct crowd_guest *g = &guests[i * SECOND_OF];

		/* Both hear of the one reservation; two of them would be two places for one guest. */
		out->twice += g->status == 201 && second[i].status == 201 && g->reservation != second[i].reservation;
		if (worth(&second[i]) > worth(g)) {
			int64_t at_ms = g->at_ms;

			*g = second[i];
			g->at_ms = at_ms;
		}
	}
}

void premiere_free(struct premiere *p)
{
	free(p->crowd);
	p->crowd = NULL;
}
