/*
 * front_cgi.c - the plain CGI front.
 */
#include "front_cgi.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
static const char safe[] = "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n";

/* The policies of nginx.conf.example, word by word: of every page, and of /pay by the provider whose script it loads. */
static const struct {
	const char *provider, *policy;
} policies[] = {
	{"",
	 "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self';"
	 " manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
	{"portone",
	 "default-src 'none'; script-src 'self' https://cdn.portone.io; style-src 'self'; img-src 'self' data:; connect-src"
	 " 'self' https://cdn.portone.io https://checkout-service.prod.iamport.co https://tx-gateway-service.prod.iamport.co"
	 " https://service.iamport.kr https://coretelemetry.prod.iamport.co; frame-src https://payment-bridge.prod.iamport.co"
	 " https://checkout-service.prod.iamport.co https://service.iamport.kr; form-action 'self'"
	 " https://tx-gateway-service.prod.iamport.co https://service.iamport.kr https://stdpay.inicis.com"
	 " https://stgstdpay.inicis.com https://online-payment.kakaopay.com; base-uri 'none'; frame-ancestors 'none'"},
	{"toss",
	 "default-src 'none'; script-src 'self' https://js.tosspayments.com; style-src 'self'; img-src 'self' data:;"
	 " connect-src 'self' https://*.tosspayments.com; form-action 'self' https://*.tosspayments.com; base-uri 'none';"
	 " frame-ancestors 'none'"},
};

const char *front_cgi_policy(const char *provider)
{
	for (size_t i = 1; i < sizeof policies / sizeof policies[0]; i++)
		if (strcmp(policies[i].provider, provider) == 0)
			return policies[i].policy;
	return policies[0].policy;
}

/* A page that loads the script of a provider says whose, as nginx is told. */
static void put_policy(struct buf *headers)
{
	static const char name[] = "Jari-Provider: ";
	const char *at = headers->len ? strstr(headers->data, name) : NULL;
	char provider[16] = "";

	if (at)
		snprintf(provider, sizeof provider, "%.*s", (int)strcspn(at + sizeof name - 1, "\r"), at + sizeof name - 1);
	buf_fmt(headers, "Content-Security-Policy: %s\r\n", front_cgi_policy(provider));
}

void front_cgi_write(struct reply *reply)
{
	struct buf out = {0};
	size_t sent = 0;

	put_policy(&reply->headers);
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
