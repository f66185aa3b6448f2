/*
 * req.c - one request, whichever way it came.
 */
#include "req.h"

#include "rate.h"
#include "text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Korean for those who say nothing or name it first; English for the rest of the world. */
static enum lang pick_language(const char *accept)
{
	const char *ko = accept ? strcasestr(accept, "ko") : NULL;
	const char *en = accept ? strcasestr(accept, "en") : NULL;

	if (!accept || !*accept || *accept == '*')
		return LANG_KO;
	return ko && (!en || ko < en) ? LANG_KO : LANG_EN;
}

void req_init(struct req *r)
{
	const char *arrived, *https, *text;

	assert(r->header && r->gone);
	arrived = r->header(r, "REQ_MSEC");
	https = r->header(r, "HTTPS");
	r->method = (text = r->header(r, "REQUEST_METHOD")) ? text : "";
	r->path = (text = r->header(r, "PATH_INFO")) ? text : "";
	r->query = (text = r->header(r, "QUERY_STRING")) ? text : "";
	r->content_type = (text = r->header(r, "CONTENT_TYPE")) ? text : "";
	r->client = (text = r->header(r, "REMOTE_ADDR")) ? text : "";
	r->id = (text = r->header(r, "REQUEST_ID")) ? text : "";
	r->https = https && strcmp(https, "on") == 0;
	text = r->header(r, "HTTP_ACCEPT_LANGUAGE");
	r->lang = pick_language(text);
	r->lang_asked = text && (strcasestr(text, "ko") || strcasestr(text, "en"));
	r->from_page = (text = r->header(r, "HTTP_JARI_PAGE")) && *text;
	r->arrived_ms = arrived ? (int64_t)(strtod(arrived, NULL) * 1000) : 0;
	r->path_id_count = 0;
	r->path_word = "";
	r->body_error = ERR_OK;
	buf_clear(&r->body);
}

/* 0 is the box itself, but not what a tunnel on it brings from elsewhere. */
static uint64_t unless_passed_on(const struct req *r, uint64_t number)
{
	static const char *const passed_on[] = {
		"HTTP_X_FORWARDED_FOR",  "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO", "HTTP_X_REAL_IP",
		"HTTP_CF_CONNECTING_IP", "HTTP_TRUE_CLIENT_IP",   "HTTP_FORWARDED",         "HTTP_VIA"};

	for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0] && !number; i++)
		if (r->header(r, passed_on[i]))
			return RATE_ELSEWHERE;
	return number;
}

uint64_t req_source(const struct req *r)
{
	return unless_passed_on(r, rate_address(r->client));
}

uint64_t req_network(const struct req *r)
{
	return unless_passed_on(r, rate_network(r->client));
}

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* [from, to) with %XX and + decoded. */
static enum err decode(const char *from, const char *to, char *out, size_t size)
{
	size_t n = 0;

	for (; from < to; from++) {
		char c = *from == '+' ? ' ' : *from;

		if (*from == '%') {
			if (to - from < 3 || hex(from[1]) < 0 || hex(from[2]) < 0)
				return ERR_BAD_TEXT;
			c = (char)(hex(from[1]) * 16 + hex(from[2]));
			from += 2;
		}
		if (c == '\0')
			return ERR_BAD_TEXT;
		if (n + 1 >= size)
			return ERR_TOO_LONG;
		out[n++] = c;
	}
	out[n] = '\0';
	return text_utf8(out, n) && !text_has_control(out) ? ERR_OK : ERR_BAD_TEXT;
}

enum err req_param(const struct req *r, const char *name, char *out, size_t size)
{
	size_t length = strlen(name);
	enum err e = ERR_MISSING_FIELD;

	assert(size > 1);
	for (const char *p = r->query, *end; *p; p = *end ? end + 1 : end) {
		end = p + strcspn(p, "&");
		if ((size_t)(end - p) <= length || strncmp(p, name, length) != 0 || p[length] != '=')
			continue;
		if (e != ERR_MISSING_FIELD)
			return ERR_DUPLICATE_KEY;
		e = decode(p + length + 1, end, out, size);
		if (e != ERR_OK)
			return e;
	}
	return e;
}

void req_read_body(struct req *r, int64_t content_length, size_t (*next)(void *front, char *out, size_t n))
{
	char chunk[8192];
	int64_t total = 0;
	size_t n;

	assert(r->body.len == 0);
	while ((n = next(r->front, chunk, sizeof chunk)) > 0) {
		total += (int64_t)n;
		if (total <= REQ_BODY_LONG)
			buf_add(&r->body, chunk, n);
	}
	if (content_length > REQ_BODY_LONG || total > REQ_BODY_LONG)
		r->body_error = ERR_TOO_LARGE;
	else if (total != content_length)
		r->body_error = ERR_BAD_REQUEST; /* cut short on its way */
	else if (!buf_ok(&r->body))
		r->body_error = ERR_NO_MEMORY;
}

void req_clear(struct req *r)
{
	buf_clear(&r->body);
}
