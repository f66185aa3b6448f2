/*
 * reply.h - the answer, built whole and sent once.
 *
 * An error replaces everything that was there, so that no client ever gets half of one answer and half
 * of another.  The one exception is a list too long to build whole (call_send_list): it leaves in parts, after its length, and if
 * something goes wrong after the first one the front breaks the connection, so that no client takes a part for the whole.
 *
 * A browser writes every answer of 400 and above into its console in red.  A place in the line, a full time, a number that is
 * not known and a login that is over are no faults, so a page that asks with `Jari-Page` is told them as 200, with the status
 * that they have in `Jari-Status` and the same body.  All other clients, and everything behind this file, see the status alone.
 */
#ifndef JARI_REPLY_H
#define JARI_REPLY_H

#include "buf.h"
#include "err.h"
#include "json.h"

struct reply {
	int status;
	const char *type;   /* of the body */
	struct buf headers; /* whole lines, each with its CRLF */
	struct buf body;
	enum err error;     /* what reply_error was told, for the counters and the log */
	char field[40];     /* which field an error is about */
	int retry_after_s;  /* for 429 and 503; 0: a second */
	struct json *extra; /* what an error says beyond code, message and field */
	size_t length;      /* of the body of a list that leaves in parts, once it is counted; otherwise 0 */
	size_t passed;      /* of it: the bytes that were counted or sent, and are no longer in the body */
	bool to_page;       /* a refusal travels as 200 */
	bool begun;         /* head and first part have left: the body is what comes next */
	bool cut;           /* begun, and cannot be ended */
};

void reply_clear(struct reply *r);
void reply_json(struct reply *r, int status, struct json *j); /* prints and frees it */
/* Header values are ours, never a client's. */
void reply_header(struct reply *r, const char *name, const char *value);
/* A handler names the field and returns the error: return reply_field(reply, ERR_BAD_DATE, "slotDate"). */
enum err reply_field(struct reply *r, enum err e, const char *field);
/* What an error says beyond code and message; made at the first call. */
struct json *reply_extra(struct reply *r);
void reply_error(struct reply *r, enum err e, enum lang lang);
/* Status line (as CGI writes it), headers, blank line, body; of an answer that has begun only the body. */
void reply_print(const struct reply *r, struct buf *out);
/* The same for the first part of an answer of r->length bytes; from now on it has begun. */
void reply_print_first(struct reply *r, struct buf *out);

#endif
