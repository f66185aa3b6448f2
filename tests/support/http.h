/*
 * http.h - a small HTTP/1.1 client for tests: one request or a thousand at once, over loopback.
 *
 * It believes nothing: an answer counts as whole only when every byte that its head announced has
 * come.  Whatever happens on the way is an outcome, never a failed assertion.
 */
#ifndef JARI_HTTP_H
#define JARI_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct json_object;

struct http_call {
	const char *method;  /* NULL: GET, or POST where there is a body */
	const char *path;    /* with its query */
	const char *headers; /* whole lines, each with its CRLF; NULL: none, or JSON's type where there is a body */
	const char *body;
	size_t body_len; /* 0: the length of the text in body */
	const char *raw; /* sent as it is in the place of everything above */
	size_t raw_len;
	int timeout_ms; /* 0: ten seconds */
};

enum http_end {
	HTTP_WHOLE,   /* everything that was announced came */
	HTTP_REFUSED, /* no server listens, or the connection was closed before a single byte */
	HTTP_CUT,     /* it ended in the middle of an answer */
	HTTP_TIMEOUT,
};

struct http_answer {
	enum http_end end;
	int status;      /* 0 when no head came */
	char *head;      /* status line and headers */
	char *body;      /* ends with a NUL that does not count */
	size_t body_len; /* chunks are put together */
	int64_t us;      /* from connect to the last byte */
};

/*
 * Asks all n, at most at_once of them at a time, and waits for the last.  Each answer is the caller's
 * and goes back by http_free.
 */
void http_many(int port, const struct http_call *calls, size_t n, size_t at_once, struct http_answer *answers);
void http_free(struct http_answer *a);

/* One call.  The answer lives until sixteen more have been asked. */
const struct http_answer *http_ask(int port, struct http_call call);
const struct http_answer *http_get(int port, const char *path);
const struct http_answer *http_post(int port, const char *path, const char *json);

/* Copies the value of a header, "" when there is none; false then. */
bool http_header(const struct http_answer *a, const char *name, char *out, size_t size);
/* Does the header's value contain this? */
bool http_header_has(const struct http_answer *a, const char *name, const char *part);

/* The body as JSON; NULL when it is none.  The caller's. */
struct json_object *http_json(const struct http_answer *a);
/* A member of the body's object: its text ("" when there is none), or its number (-1). */
enum { HTTP_TEXT = 1300 }; /* the longest text an answer carries: what a guest asks for */
const char *http_text(const struct http_answer *a, const char *key, char out[HTTP_TEXT]);
int64_t http_int(const struct http_answer *a, const char *key);

/* GETs one path over and over from several processes, until told to stop; what came of it. */
struct http_tally {
	_Atomic int stop;
	_Atomic long whole, refused, cut, late; /* by enum http_end */
	_Atomic long ok, server_errors, others; /* the whole ones by status: 200, 5xx, anything else */
};

struct http_hammer {
	struct http_tally *tally; /* shared with the lanes */
	pid_t lanes[32];
	int count;
};

void http_hammer_start(struct http_hammer *h, int port, const char *path, int lanes);
/* Waits for the answers in hand; the tally stays readable until http_hammer_free. */
void http_hammer_stop(struct http_hammer *h);
void http_hammer_free(struct http_hammer *h);

/* Nearest-rank percentile of the latencies of n answers, in milliseconds. */
double http_percentile_ms(const struct http_answer *answers, size_t n, int percent);

#endif
