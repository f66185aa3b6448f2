/*
 * news.h - what guests have done since a desk last looked, on whichever day.
 *
 * A mark is the number of a row of the audit: it says how far a desk has looked, and nothing about a person.
 */
#ifndef JARI_NEWS_H
#define JARI_NEWS_H

#include "db.h"

enum { NEWS_SHOWN = 50, NEWS_COUNTED = 500 };

struct news {
	int64_t mark;  /* of the newest row there is: who has seen these has seen all up to it */
	int64_t holds; /* how many wait for money */
	int64_t more;  /* beyond those that were shown; NEWS_COUNTED at most are counted */
};

/* The newest NEWS_SHOWN after `since`, the newest first; below 0: none, only how far and how many. */
enum err news_since(struct db *db, int64_t restaurant_id, int64_t since, int64_t now_s, stmt_each *each, void *arg,
		    struct news *out);
#endif
