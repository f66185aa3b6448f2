/*
 * review.h - a rehearsal told to the owner: sentences, a bar while it runs, a picture of the waits.
 *
 * In Korean where the environment asks for Korean, else in English.
 */
#ifndef JARI_REVIEW_H
#define JARI_REVIEW_H

#include "restaurants.h"

/* What is played, and what is known before the doors open. */
struct review_scene {
	struct restaurant restaurant;
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	int party, capacity, remaining;
	bool chosen;    /* the slot is our choice, not the owner's */
	bool paused;    /* the restaurant takes no bookings just now */
	bool in_memory; /* the copy lies on no disk */
	size_t guests;
	/* Of an opening: its dates, and its moment by the restaurant's clock; "": it is a plain rush. */
	char opens_first[TEXT_DATE_SIZE], opens_last[TEXT_DATE_SIZE], opens_at[TEXT_DATE_SIZE + TEXT_TIME_SIZE];
};

/* How an opening went, besides. */
struct review_opening {
	size_t pages, pages_failed;         /* that waited, and asked for the day meanwhile */
	size_t early, early_told, early_in; /* pressed before the moment; were told when it is; got in */
	size_t seconds, twice;              /* guests with a second device; those who got two tables by it */
};

/* How it went. */
struct review_play {
	size_t in, full, refused, unanswered; /* together: all guests */
	size_t shown;                         /* were told their place in the line */
	size_t knocked;                       /* were asked to come again in a moment */
	const char *refusal;                  /* the word of one who was refused */
	int64_t *waits_us;                    /* of those who were answered, rising */
	size_t wait_count;
	/* What the copy's book says afterwards. */
	size_t written;  /* reservations made by the rush */
	size_t missing;  /* guests who were told yes and are not in the book, or not as they were told */
	uint64_t drawn;  /* tickets */
	bool in_order;   /* the reservations carry the first tickets drawn, and no refused guest holds one of these */
	bool seats_left; /* a guest was refused although the party still fits */
	int taken, capacity;
	int findings;                         /* of `jari check` */
	const struct review_opening *opening; /* NULL: a plain rush */
};

void review_open(const struct review_scene *s);

/* While it runs: a bar on a terminal, else a line now and then. */
void review_progress(size_t answered, size_t guests);

/* The numbers, the picture and the promises.  True when every promise was kept. */
bool review_close(const struct review_play *p);

/* It was stopped before its end. */
void review_stopped(void);

#endif
