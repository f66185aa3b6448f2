/*
 * front_cgi.c - the plain CGI front.
 */
#include "front_cgi.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int64_t unread; /* of the announced body: a CGI program may not wait for an end of file */

static const char *header(const struct req *r, const char *cgi_name)
{
	(void)r;
	return getenv(cgi_name);
}

/* A web server that no longer wants the answer closes our output; nothing tells us before we write. */
static bool gone(const struct req *r)
{
	(void)r;
	return false;
}

static size_t next(void *front, char *to, size_t n)
{
	ssize_t got;

	(void)front;
	if (unread <= 0)
		return 0;
	if ((int64_t)n > unread)
		n = (size_t)unread;
	do
		got = read(STDIN_FILENO, to, n);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return 0;
	unread -= got;
	return (size_t)got;
}

void front_cgi_read(struct req *r)
{
	const char *length = getenv("CONTENT_LENGTH");

	unread = length ? strtoll(length, NULL, 10) : 0;
	r->header = header;
	r->gone = gone;
	r->send = NULL; /* a web server takes our end for the end of the answer, so half of one must not leave */
	req_init(r);
	req_read_body(r, unread, next);
}

/* What nginx.conf.example adds to every answer.  Here there may be no nginx in front. */
static const char safe[] =
	"Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src"
	" 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none';"
	" frame-ancestors 'none'\r\n"
	"X-Content-Type-Options: nosniff\r\n"
	"Referrer-Policy: no-referrer\r\n";

void front_cgi_write(struct reply *reply)
{
	struct buf out = {0};
	size_t sent = 0;

	buf_str(&reply->headers, safe);
	reply_print(reply, &out);
	while (buf_ok(&out) && sent < out.len) {
		ssize_t n = write(STDOUT_FILENO, out.data + sent, out.len - sent);

		if (n < 0 && errno != EINTR)
			break;
		sent += n > 0 ? (size_t)n : 0;
	}
	buf_free(&out);
}
