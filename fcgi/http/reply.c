/*
 * reply.c - the answer, built whole and sent once.
 */
#include "reply.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void reply_clear(struct reply *r)
{
	r->status = 200;
	r->type = "application/json; charset=utf-8";
	r->error = ERR_OK;
	r->field[0] = '\0';
	r->retry_after_s = 0;
	json_free(r->extra);
	r->extra = NULL;
	r->begun = r->cut = r->to_page = false;
	r->length = r->passed = 0;
	buf_clear(&r->headers);
	buf_clear(&r->body);
}

void reply_json(struct reply *r, int status, struct json *j)
{
	assert(j && status >= 200 && status < 600);
	r->status = status;
	buf_clear(&r->body);
	json_print(j, &r->body);
	json_free(j);
}

void reply_header(struct reply *r, const char *name, const char *value)
{
	assert(!strpbrk(value, "\r\n"));
	buf_fmt(&r->headers, "%s: %s\r\n", name, value);
}

enum err reply_field(struct reply *r, enum err e, const char *field)
{
	assert(e != ERR_OK && field);
	snprintf(r->field, sizeof r->field, "%s", field);
	return e;
}

struct json *reply_extra(struct reply *r)
{
	if (!r->extra)
		r->extra = json_new();
	return r->extra;
}

void reply_error(struct reply *r, enum err e, enum lang lang)
{
	struct json *j = reply_extra(r);
	char seconds[16];

	assert(e != ERR_OK);
	r->extra = NULL;
	r->error = e;
	r->type = "application/json; charset=utf-8";
	json_text(j, "code", err_word(e));
	json_text(j, "message", err_sentence(e, lang));
	if (r->field[0])
		json_text(j, "field", r->field);
	snprintf(seconds, sizeof seconds, "%d", r->retry_after_s > 0 ? r->retry_after_s : 1);
	if (err_status(e) == 429 || err_status(e) == 503)
		reply_header(r, "Retry-After", seconds);
	reply_json(r, err_status(e), j);
}

/* Some clients insist on a reason. */
static const char *reason(int status)
{
	static const struct {
		int status;
		const char *reason;
	} known[] = {
		{200, "OK"},
		{201, "Created"},
		{202, "Accepted"},
		{304, "Not Modified"},
		{400, "Bad Request"},
		{401, "Unauthorized"},
		{403, "Forbidden"},
		{404, "Not Found"},
		{405, "Method Not Allowed"},
		{409, "Conflict"},
		{410, "Gone"},
		{413, "Content Too Large"},
		{415, "Unsupported Media Type"},
		{429, "Too Many Requests"},
		{503, "Service Unavailable"},
	};
	size_t i = 0;

	while (i < sizeof known / sizeof known[0] && known[i].status != status)
		i++;
	assert(i < sizeof known / sizeof known[0]); /* every status of err.h is there */
	return known[i].reason;
}

static void print_head(const struct reply *r, size_t length, struct buf *out)
{
	bool quiet = r->to_page && r->status >= 400 && r->status < 500;
	int status = quiet ? 200 : r->status;

	buf_fmt(out, "Status: %d %s\r\nContent-Type: %s\r\nCache-Control: no-store\r\n", status, reason(status), r->type);
	if (quiet)
		buf_fmt(out, "Jari-Status: %d\r\n", r->status);
	if (r->headers.len)
		buf_add(out, r->headers.data, r->headers.len);
	buf_fmt(out, "Content-Length: %zu\r\n\r\n", length);
}

static void print_body(const struct reply *r, struct buf *out)
{
	if (r->body.len)
		buf_add(out, r->body.data, r->body.len);
}

void reply_print(const struct reply *r, struct buf *out)
{
	if (!r->begun)
		print_head(r, r->body.len, out);
	print_body(r, out);
}

void reply_print_first(struct reply *r, struct buf *out)
{
	assert(!r->begun && r->length >= r->body.len);
	print_head(r, r->length, out);
	print_body(r, out);
	r->begun = true;
}
