/*
 * webcall.h - calls of another machine's API over HTTPS, several of them in hand at once.
 *
 * One thread, one process: calls are started, and whoever started them comes back for those that have ended.  No connection is
 * kept: libcurl would send a request again by itself when a kept one turns out to be dead, and whether to repeat a call that moves
 * money is not its to decide.  No redirect is followed.
 */
#ifndef JARI_WEBCALL_H
#define JARI_WEBCALL_H

#include "buf.h"

#include <stdint.h>

enum { WEBCALL_URL_SIZE = 1600, WEBCALL_HEADERS = 6, WEBCALL_HEADER_SIZE = 400, WEBCALL_WHY_SIZE = 160 };

/* What is asked.  Plain bytes but for the body, which is webask_free()'s. */
struct webask {
	const char *method; /* "GET", "POST", "DELETE" */
	char url[WEBCALL_URL_SIZE];
	char headers[WEBCALL_HEADERS][WEBCALL_HEADER_SIZE];
	int header_count;
	struct buf body; /* empty: none */
	int patience_s;
	bool spoiled; /* something did not fit: it is not sent */
	bool plain;   /* nothing in it is secret: it may go by http as well */
};

void webask_begin(struct webask *a, const char *method, int patience_s);
void webask_url(struct webask *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void webask_header(struct webask *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void webask_free(struct webask *a);
/* Appends a text as it stands in a URL or a form: all but letters, digits and -_.~ as %XX. */
void webask_escape(struct buf *out, const char *text);

/* What came of it. */
struct webtold {
	int status;        /* of HTTP; 0: no whole answer came */
	bool unsent;       /* it never left this box: no name was found, no connection made */
	int retry_after_s; /* 0: not said */
	int64_t date_s;    /* by the other machine's clock; 0: not said */
	struct buf body;
	char why[WEBCALL_WHY_SIZE]; /* no answer: what went wrong, by libcurl */
};

void webtold_free(struct webtold *t);

struct webcall;

/* NULL: libcurl is not installed, or there is no memory. */
struct webcall *webcall_open(void);
void webcall_close(struct webcall *w);
/* Takes the question, whatever becomes of it.  False: it could not be begun. */
bool webcall_start(struct webcall *w, struct webask *ask, void *owner);
/* Works on what is in hand for so long at most, less if one ends. */
void webcall_work(struct webcall *w, int ms);
/* One that has ended: whose it was, and what came of it.  NULL: none has. */
void *webcall_ended(struct webcall *w, struct webtold *out);

/* One call, waited for. */
bool webcall_once(struct webcall *w, struct webask *ask, struct webtold *out);

#endif
