/*
 * req.h - one request, whichever way it came.
 *
 * Two thin fronts fill it: front_fcgi.c (a FastCGI worker) and front_cgi.c (one process a request).
 * Nothing behind them knows which.  Every text lives until the answer is sent.
 */
#ifndef JARI_REQ_H
#define JARI_REQ_H

#include "buf.h"
#include "err.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	REQ_BODY_MAX = 16 * 1024,   /* of most addresses, as nginx.conf.example has it */
	REQ_BODY_LONG = 128 * 1024, /* of those that take a whole list: sixty dishes in two languages */
	REQ_PATH_IDS = 2,
};

struct req {
	const char *method;
	const char *path;  /* normalised by the web server: no //, no .., decoded */
	const char *query; /* as sent; "" when there is none */
	const char *content_type;
	const char *client; /* address */
	const char *id;     /* the web server's request id, or "" */
	bool https;
	enum lang lang;
	bool lang_asked; /* the client named one of ours; else it is only our guess */
	bool from_page;  /* one of our pages asks (Jari-Page); see reply.h */

	/* A header by its CGI name ("HTTP_AUTHORIZATION"), or NULL. */
	const char *(*header)(const struct req *, const char *cgi_name);
	/* Has the client hung up?  A write whose client is gone is not carried out. */
	bool (*gone)(const struct req *);
	/* Sends a part of a long answer; false when the client is gone.  NULL: this front can send an answer only whole. */
	bool (*send)(const struct req *, const char *bytes, size_t n);
	void *front; /* the front's own */

	int64_t arrived_ms; /* when the web server passed it on, wall clock; 0: unknown */

	struct buf body;
	enum err body_error; /* ERR_TOO_LARGE, ERR_BAD_REQUEST when the body came short */

	int64_t path_ids[REQ_PATH_IDS]; /* the {id}s of the route, in order */
	int path_id_count;
	const char *path_word; /* the {word} of the route */
};

/*
 * A number for where it comes from, for the limits: 0 is this machine itself.  What a tunnel or proxy on this machine passes
 * on comes from elsewhere, and as long as the web server was not told whom to believe, all of it from one place.
 */
uint64_t req_source(const struct req *r);
/* The same for its network, of which one person may have many addresses. */
uint64_t req_network(const struct req *r);

/* Fills what both fronts read the same way, from headers and parameters by their CGI names. */
void req_init(struct req *r);

/*
 * A parameter of the query, decoded.  ERR_MISSING_FIELD, ERR_DUPLICATE_KEY, ERR_TOO_LONG,
 * ERR_BAD_TEXT (broken %XX, broken UTF-8, control characters).
 */
enum err req_param(const struct req *r, const char *name, char *out, size_t size);

/* Reads the body through next() to its very end, also where it is refused: FastCGI needs that. */
void req_read_body(struct req *r, int64_t content_length, size_t (*next)(void *front, char *out, size_t n));

void req_clear(struct req *r);

#endif
