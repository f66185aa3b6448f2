/*
 * mailpage.h - a message as the two parts of a mail: text and HTML.
 */
#ifndef JARI_MAILPAGE_H
#define JARI_MAILPAGE_H

#include "letter.h"
#include "restaurants.h"

/* A button: it leads to a page that asks, never to an act. */
struct mailpage_link {
	const char *label;
	char url[440];
};

struct mailpage {
	const struct letter_post *p;
	const struct restaurant *r;
	const struct reservation *v; /* NULL: it is about none */
	struct letter *l;
	struct mailpage_link links[2];
	char lead[900];
	int64_t back;     /* what is given back to the guest */
	struct buf *rows; /* of a sheet or digest, as text; NULL: none */
	int count;        /* of them */
};

/* Of two texts the one in the language of the letter. */
const char *mailpage_both(const struct letter *l, const char *ko, const char *en);
/* Into text and html of g->l. */
void mailpage_write(const struct mailpage *g);

#endif
