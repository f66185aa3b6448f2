/*
 * front_fcgi.c - the FastCGI front.
 *
 * One request a connection, always: libfcgi does not drain an unread body, and on a kept connection
 * what is left of it would be read as the next request, forged by the client.  So every body is read
 * to its end and no connection is kept.
 */
#include "front_fcgi.h"

#include "log.h"

#include <errno.h>
#include <fcgiapp.h>
#include <poll.h>
#include <stdlib.h>

static FCGX_Request request;
static struct buf out;

bool front_fcgi_init(int listen_fd)
{
	return FCGX_Init() == 0 && FCGX_InitRequest(&request, listen_fd, FCGI_FAIL_ACCEPT_ON_INTR) == 0;
}

static const char *header(const struct req *r, const char *cgi_name)
{
	(void)r;
	return FCGX_GetParam(cgi_name, request.envp);
}

/* nginx never sends an abort record, it closes the connection. */
static bool gone(const struct req *r)
{
	struct pollfd p = {.fd = request.ipcFd, .events = POLLRDHUP};

	(void)r;
	return poll(&p, 1, 0) > 0 && p.revents & (POLLRDHUP | POLLHUP | POLLERR);
}

static size_t next(void *front, char *to, size_t n)
{
	int got;

	(void)front;
	got = FCGX_GetStr(to, (int)n, request.in);
	return got > 0 ? (size_t)got : 0;
}

bool front_fcgi_accept(struct req *r)
{
	const char *length;
	int rc = FCGX_Accept_r(&request);

	if (rc < 0) {
		if (rc != -EAGAIN && rc != -EINTR)
			log_warn("front.accept", "rc=%d", rc);
		return false;
	}
	r->header = header;
	r->gone = gone;
	req_init(r);
	length = header(r, "CONTENT_LENGTH");
	req_read_body(r, length && *length ? strtoll(length, NULL, 10) : 0, next);
	return true;
}

void front_fcgi_finish(struct req *r, const struct reply *reply)
{
	buf_clear(&out);
	reply_print(reply, &out);
	if (buf_ok(&out))
		FCGX_PutStr(out.data, (int)out.len, request.out);
	else
		FCGX_PutS("Status: 503\r\nRetry-After: 1\r\n\r\n", request.out);
	request.keepConnection = 0;
	/* libfcgi would wait up to 2 s for the web server to hang up.  What was written to a unix socket is delivered anyway. */
	FCGX_Detach(&request);
	FCGX_Finish_r(&request);
	req_clear(r);
}
