/*
 * webcall.c - calls of another machine's API.
 */
#include "webcall.h"

#include "curlib.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ANSWER_MAX = 4 * 1024 * 1024 }; /* a page of a list has some hundred kilobytes */

/* One call in hand. */
struct hand {
	CURL *h;
	struct curl_slist *headers;
	struct webask ask;
	struct webtold told;
	char detail[CURL_ERROR_SIZE];
	void *owner;
	const struct curlib *curl;
};

struct webcall {
	const struct curlib *curl;
	CURLM *multi;
};

/* ---- the question ---- */

void webask_begin(struct webask *a, const char *method, int patience_s)
{
	*a = (struct webask){.method = method, .patience_s = patience_s};
}

void webask_url(struct webask *a, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(a->url, sizeof a->url, format, ap);
	va_end(ap);
	a->spoiled |= n < 0 || n >= (int)sizeof a->url;
}

void webask_header(struct webask *a, const char *format, ...)
{
	va_list ap;
	int n;

	assert(a->header_count < WEBCALL_HEADERS);
	va_start(ap, format);
	n = vsnprintf(a->headers[a->header_count], sizeof a->headers[0], format, ap);
	va_end(ap);
	/* A line end would begin a header of its own. */
	a->spoiled |= n < 0 || n >= (int)sizeof a->headers[0] || strpbrk(a->headers[a->header_count], "\r\n");
	a->header_count++;
}

void webask_free(struct webask *a)
{
	buf_free(&a->body);
}

void webask_escape(struct buf *out, const char *text)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";

	for (; *text; text++)
		buf_fmt(out, strchr(plain, *text) ? "%c" : "%%%02X", (unsigned char)*text);
}

void webtold_free(struct webtold *t)
{
	buf_free(&t->body);
}

/* ---- the answer ---- */

static size_t take_body(char *bytes, size_t size, size_t count, void *arg)
{
	struct hand *c = arg;
	size_t n = size * count;

	if (c->told.body.len + n > ANSWER_MAX)
		return 0; /* libcurl breaks off */
	buf_add(&c->told.body, bytes, n);
	return buf_ok(&c->told.body) ? n : 0;
}

static size_t take_header(char *line, size_t size, size_t count, void *arg)
{
	static const char date[] = "date:";
	struct hand *c = arg;
	size_t n = size * count;
	char value[64];

	if (n > sizeof date - 1 && strncasecmp(line, date, sizeof date - 1) == 0) {
		snprintf(value, sizeof value, "%.*s", (int)(n - sizeof date + 1), line + sizeof date - 1);
		c->told.date_s = (int64_t)c->curl->getdate(value, NULL);
		c->told.date_s = c->told.date_s > 0 ? c->told.date_s : 0;
	}
	return n;
}

/* ---- calling ---- */

struct webcall *webcall_open(void)
{
	const struct curlib *curl = curlib();
	struct webcall *w = curl ? calloc(1, sizeof *w) : NULL;

	if (!w)
		return NULL;
	w->curl = curl;
	w->multi = curl->multi_init();
	if (!w->multi) {
		free(w);
		return NULL;
	}
	return w;
}

void webcall_close(struct webcall *w)
{
	if (!w)
		return;
	w->curl->multi_cleanup(w->multi);
	free(w);
}

/* A test does not wait a minute to see what comes after it. */
static long patience_of(const struct webask *a)
{
#ifdef JARI_TESTING
	const char *shorter = getenv("JARI_PATIENCE_S");

	if (shorter)
		return atol(shorter);
#endif
	return (long)a->patience_s;
}

static void set_up(struct hand *c)
{
	const struct curlib *curl = c->curl;
	const struct webask *a = &c->ask;

	for (int i = 0; i < a->header_count; i++)
		c->headers = curl->append(c->headers, a->headers[i]);
	curl->set(c->h, CURLOPT_URL, a->url);
#ifdef JARI_TESTING
	curl->set(c->h, CURLOPT_PROTOCOLS_STR, "https,http");
#else
	curl->set(c->h, CURLOPT_PROTOCOLS_STR, a->plain ? "https,http" : "https");
#endif
	curl->set(c->h, CURLOPT_CUSTOMREQUEST, a->method);
	if (a->body.len || strcmp(a->method, "POST") == 0) {
		curl->set(c->h, CURLOPT_POSTFIELDS, a->body.len ? a->body.data : "");
		curl->set(c->h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)a->body.len);
	}
	curl->set(c->h, CURLOPT_HTTPHEADER, c->headers);
	curl->set(c->h, CURLOPT_USERAGENT, "jari");
	curl->set(c->h, CURLOPT_FORBID_REUSE, 1L);
	curl->set(c->h, CURLOPT_FRESH_CONNECT, 1L);
	curl->set(c->h, CURLOPT_NOPROXY, "127.0.0.1,localhost");
	curl->set(c->h, CURLOPT_CONNECTTIMEOUT, 10L);
	curl->set(c->h, CURLOPT_TIMEOUT, patience_of(a));
	curl->set(c->h, CURLOPT_NOSIGNAL, 1L);
	curl->set(c->h, CURLOPT_WRITEFUNCTION, take_body);
	curl->set(c->h, CURLOPT_WRITEDATA, c);
	curl->set(c->h, CURLOPT_HEADERFUNCTION, take_header);
	curl->set(c->h, CURLOPT_HEADERDATA, c);
	curl->set(c->h, CURLOPT_ERRORBUFFER, c->detail);
	curl->set(c->h, CURLOPT_PRIVATE, c);
}

static void drop(struct hand *c)
{
	if (c->h)
		c->curl->cleanup(c->h);
	c->curl->free_all(c->headers);
	webask_free(&c->ask);
	webtold_free(&c->told);
	free(c);
}

bool webcall_start(struct webcall *w, struct webask *ask, void *owner)
{
	struct hand *c = calloc(1, sizeof *c);

	assert(ask->method && ask->patience_s > 0);
	if (!c || ask->spoiled || !buf_ok(&ask->body)) {
		webask_free(ask);
		free(c);
		return false;
	}
	*c = (struct hand){.ask = *ask, .owner = owner, .curl = w->curl, .h = w->curl->init()};
	*ask = (struct webask){0};
	if (c->h) {
		set_up(c);
		if (w->curl->multi_add(w->multi, c->h) == CURLM_OK)
			return true;
	}
	drop(c);
	return false;
}

void webcall_work(struct webcall *w, int ms)
{
	int running, ready;

	w->curl->multi_poll(w->multi, NULL, 0, ms, &ready);
	w->curl->multi_perform(w->multi, &running);
}

/* Did it fail before a byte of it could have arrived? */
static bool never_left(CURLcode e)
{
	switch ((int)e) {
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_UNSUPPORTED_PROTOCOL:
		return true;
	default:
		return false;
	}
}

static void conclude(struct hand *c, CURLcode e)
{
	curl_off_t wait_s = 0;
	long status = 0;

	c->curl->get(c->h, CURLINFO_RESPONSE_CODE, &status);
	c->curl->get(c->h, CURLINFO_RETRY_AFTER, &wait_s);
	c->told.status = e == CURLE_OK ? (int)status : 0;
	c->told.unsent = e != CURLE_OK && never_left(e);
	c->told.retry_after_s = wait_s > 0 && wait_s < 86400 ? (int)wait_s : 0;
	if (e != CURLE_OK)
		snprintf(c->told.why, sizeof c->told.why, "%.*s", WEBCALL_WHY_SIZE - 1,
			 *c->detail ? c->detail : c->curl->strerror(e));
}

void *webcall_ended(struct webcall *w, struct webtold *out)
{
	CURLMsg *m;
	int left;

	while ((m = w->curl->multi_read(w->multi, &left))) {
		char *mine = NULL;
		struct hand *c;
		void *owner;
		CURLcode e;

		if (m->msg != CURLMSG_DONE)
			continue;
		e = m->data.result; /* the message is gone with its handle */
		w->curl->get(m->easy_handle, CURLINFO_PRIVATE, &mine);
		c = (void *)mine;
		w->curl->multi_remove(w->multi, c->h);
		conclude(c, e);
		owner = c->owner;
		*out = c->told;
		c->told = (struct webtold){0};
		drop(c);
		return owner;
	}
	return NULL;
}

bool webcall_once(struct webcall *w, struct webask *ask, struct webtold *out)
{
	int mark;

	if (!webcall_start(w, ask, &mark))
		return false;
	while (!webcall_ended(w, out))
		webcall_work(w, 1000);
	return true;
}
