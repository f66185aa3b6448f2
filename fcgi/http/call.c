/*
 * call.c - one request on its way through the door.
 */
#include "call.h"

#include "door.h"
#include "failpoint.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { PART_BYTES = 64 * 1024 };

enum err call_int(struct call *c, const char *name, int64_t min, int64_t max, int64_t fallback, int64_t *out)
{
	char text[24];
	enum err e = req_param(c->req, name, text, sizeof text);

	assert(min <= max);
	if (e == ERR_MISSING_FIELD && fallback != CALL_REQUIRED) {
		*out = fallback;
		return ERR_OK;
	}
	if (e == ERR_OK && !text_int(text, INT64_MIN, INT64_MAX, out))
		e = ERR_WRONG_TYPE;
	if (e == ERR_OK && (*out < min || *out > max))
		e = ERR_OUT_OF_RANGE;
	return e == ERR_OK ? e : reply_field(c->reply, e, name);
}

/* A text that is a date once `tail` is added to it. */
static enum err take_date(struct call *c, const char *name, size_t length, const char *tail, struct date *out)
{
	char text[TEXT_DATE_SIZE], day[2 * TEXT_DATE_SIZE];
	enum err e;

	assert(length < TEXT_DATE_SIZE);
	e = req_param(c->req, name, text, length + 1);
	if (e == ERR_OK) {
		snprintf(day, sizeof day, "%s%s", text, tail);
		e = text_date(day, out) ? ERR_OK : ERR_BAD_DATE;
	}
	return e == ERR_OK ? e : reply_field(c->reply, e == ERR_TOO_LONG ? ERR_BAD_DATE : e, name);
}

enum err call_date(struct call *c, const char *name, struct date *out)
{
	return take_date(c, name, sizeof "2026-11-16" - 1, "", out);
}

enum err call_month(struct call *c, const char *name, struct date *out)
{
	return take_date(c, name, sizeof "2026-11" - 1, "-01", out);
}

bool call_site(const struct call *c, char out[CALL_SITE_SIZE])
{
	static const char of_a_host[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-:[]";
	const char *host = c->req->header(c->req, "HTTP_HOST");

	if (!host || !*host || strlen(host) > 260 || strspn(host, of_a_host) != strlen(host))
		return false;
	snprintf(out, CALL_SITE_SIZE, "%s://%s", c->req->https ? "https" : "http", host);
	return true;
}

enum err call_body(struct call *c)
{
	return c->body.e == ERR_OK ? ERR_OK : reply_field(c->reply, c->body.e, c->body.field);
}

static enum err end(struct call *c, enum err e, int status, struct json *j)
{
	if (e == ERR_OK)
		reply_json(c->reply, status, j);
	else
		json_free(j);
	return e;
}

enum err call_answer(struct call *c, enum err e, struct json *j)
{
	return end(c, e, 200, j);
}

enum err call_made(struct call *c, enum err e, struct json *j)
{
	return end(c, e, 201, j);
}

enum err call_numbered(struct call *c, enum err e, const char *name, int64_t id)
{
	struct json *j = json_new();

	json_int(j, name, id);
	return call_made(c, e, j);
}

enum err call_done(struct call *c, enum err e)
{
	return call_answer(c, e, json_new());
}

enum err call_list(struct call *c, enum err e, const char *name, struct json *list)
{
	struct json *j = json_new();

	json_put(j, name, list);
	return call_answer(c, e, j);
}

void call_actor(const struct call *c, int64_t guest, char out[CALL_ACTOR_SIZE])
{
	snprintf(out, CALL_ACTOR_SIZE, "user:%lld", (long long)(c->who.user.id ? c->who.user.id : guest));
}

const char *call_by(struct call *c)
{
	call_actor(c, 0, c->by);
	return c->by;
}

/* False: the web server does not take it. */
static bool send_part(struct call *c)
{
	struct reply *r = c->reply;
	struct buf first = {0};
	bool ok;

	if (r->begun)
		ok = c->req->send(c->req, r->body.data, r->body.len);
	else {
		reply_print_first(r, &first);
		ok = buf_ok(&first) && c->req->send(c->req, first.data, first.len);
		buf_free(&first);
	}
	FAILPOINT("export.part");
	return ok && !WITHOUT("listener");
}

static bool part_is_full(struct call *c)
{
	struct reply *r = c->reply;
	bool ok;

	if (!c->req->send || r->body.len < PART_BYTES)
		return true;
	r->passed += r->body.len;
	ok = r->length ? send_part(c) : !c->req->gone(c->req);
	buf_clear(&r->body);
	if (c->door->post >= 0)
		board_busy(c->door->hall.board, c->door->post); /* long, but not hung */
	return ok;
}

enum err call_send_list(struct call *c, enum err (*write)(struct call *c, call_part *part, const void *list), const void *list)
{
	struct reply *r = c->reply;
	enum err e = write(c, part_is_full, list);

	if (e != ERR_OK || !r->passed)
		return e; /* none of it was let go: the body is the list */
	r->length = r->passed + r->body.len;
	r->passed = 0;
	buf_clear(&r->body);
	e = write(c, part_is_full, list);
	if (e == ERR_OK && r->passed + r->body.len != r->length)
		e = ERR_UNKNOWN;
	return e;
}

enum err call_password(struct call *c, const struct user *u, bool user_found, const char *password)
{
	const char *hash = user_found && u->password_hash[0] && !u->blocked && !u->erased ? u->password_hash : NULL;
	int64_t device = hash ? auth_known_device(c->door, c->req, u->id) : 0;
	uint64_t from = device ? (uint64_t)device : req_source(c->req);
	struct hall *h = &c->door->hall;
	bool known = device != 0, right;

	if (from && !rate_within(c->door->hall.rate, RATE_LOGIN, from, &c->reply->retry_after_s))
		return ERR_RATE_LIMITED;
	if (!hashing_try(h->hashing, known)) {
		counters_count(h->counters, COUNTER_login_busy);
		return ERR_RATE_LIMITED;
	}
	right = token_password_ok(hash, password);
	hashing_done(h->hashing, known);
	counters_count(h->counters, right ? COUNTER_logins : COUNTER_login_failures);
	return right ? ERR_OK : ERR_LOGIN_FAILED;
}

void call_trace_slot(struct call *c, int64_t restaurant_id, const char *date, const char *time, int party)
{
	struct call_trace *t = &c->trace;

	t->restaurant_id = restaurant_id;
	snprintf(t->date, sizeof t->date, "%s", date);
	snprintf(t->time, sizeof t->time, "%s", time);
	t->party = party;
}
