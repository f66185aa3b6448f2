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
#include <unistd.h>

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

static bool send(const struct req *r, const char *bytes, size_t n)
{
	return FCGX_PutStr(bytes, (int)n, request.out) == (int)n && !gone(r);
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
	r->send = send;
	req_init(r);
	length = header(r, "CONTENT_LENGTH");
	req_read_body(r, length && *length ? strtoll(length, NULL, 10) : 0, next);
	return true;
}

/*
 * nginx takes a FastCGI connection that ends without a last record for the end of the answer.  A record of a version that
 * there is not makes it break the client's connection, which is how a client learns that this is not all.  What nginx has read
 * and not sent yet is lost with it, at worst all of it with the head.
 */
static void spoil(void)
{
	static const unsigned char nonsense[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

	FCGX_FFlush(request.out);
	(void)!write(request.ipcFd, nonsense, sizeof nonsense);
	FCGX_Free(&request, 1);
}

void front_fcgi_finish(struct req *r, const struct reply *reply)
{
	bool whole;

	buf_clear(&out);
	reply_print(reply, &out);
	whole = buf_ok(&out) && !reply->cut;
	if (whole)
		FCGX_PutStr(out.data, (int)out.len, request.out);
	else if (!reply->begun)
		FCGX_PutS("Status: 503\r\nRetry-After: 1\r\n\r\n", request.out);
	request.keepConnection = 0;
	/* libfcgi would wait up to 2 s for the web server to hang up.  What was written to a unix socket is delivered anyway. */
	FCGX_Detach(&request);
	if (reply->begun && !whole)
		spoil();
	else
		FCGX_Finish_r(&request);
	req_clear(r);
}
