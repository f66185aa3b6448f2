/*
 * door.c - the door.
 */
#include "door.h"

#include "auth.h"
#include "clock.h"
#include "log.h"
#include "route.h"
#include "batch.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
	/* Older than this at the door, the web server (fastcgi_read_timeout 30s) is about to give up on it. */
	STALE_MS = 25000,
};

static enum err read_key(const char *dir, unsigned char key[TOKEN_KEY_SIZE])
{
	char path[4200];
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "%s/secret.key", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, key, TOKEN_KEY_SIZE);
	if (fd >= 0)
		close(fd);
	if (n == TOKEN_KEY_SIZE)
		return ERR_OK;
	log_error("door.no_key", "file=%s", path);
	return ERR_INTERNAL;
}

enum err door_open(struct door *d, const char *dir)
{
	enum err e;

	memset(d, 0, sizeof *d);
	d->place = -1;
	snprintf(d->dir, sizeof d->dir, "%s", dir);
	if (!token_init())
		return ERR_INTERNAL;
	e = read_key(dir, d->key);
	return e == ERR_OK ? hall_attach(&d->hall, dir) : e;
}

void door_close(struct door *d)
{
	if (d->book_open)
		db_close(&d->db);
	hall_detach(&d->hall);
}

static enum err need_book(struct door *d)
{
	enum err e;

	if (d->book_open)
		return batch_prepare(&d->db);
	e = db_open(&d->db, d->dir, &d->hall);
	if (e == ERR_OK && (e = batch_prepare(&d->db)) != ERR_OK)
		db_close(&d->db);
	d->book_open = e == ERR_OK;
	return e;
}

void door_warm(struct door *d)
{
	if (need_book(d) == ERR_OK)
		sql_prepare_all(&d->db);
}

bool door_spoiled(const struct door *d)
{
	return d->book_open && db_poisoned(&d->db);
}

static bool is_json(const char *content_type)
{
	static const char json[] = "application/json";
	size_t n = sizeof json - 1;

	return strncasecmp(content_type, json, n) == 0 && (content_type[n] == '\0' || content_type[n] == ';' || content_type[n] == ' ');
}

/* What the row of the route asks of the request, before its handler sees it. */
static enum err admit(struct door *d, const struct req *r, const struct route *route, struct user *user)
{
	enum err e;

	if (r->body_error != ERR_OK)
		return r->body_error;
	if (route->needs & WRITES) {
		if (r->gone(r) || (r->arrived_ms && clock_age_ms(r->arrived_ms) > STALE_MS)) {
			board_count(d->hall.board, BOARD_stale_requests);
			return ERR_TOO_LATE;
		}
		e = auth_same_site(r);
		if (e != ERR_OK)
			return e;
	}
	if (route->needs & TAKES_JSON && !is_json(r->content_type))
		return ERR_WRONG_MEDIA_TYPE;
	e = need_book(d);
	if (e == ERR_OK && route->needs & MAY_HAVE_TOKEN) {
		if (auth_token(d, r, user) != ERR_OK)
			*user = (struct user){0};
		return ERR_OK;
	}
	if (e == ERR_OK)
		e = db_read_begin(&d->db); /* one moment of the book for everything this request reads */
	if (e != ERR_OK)
		return e;
	if (!(route->needs & (NEEDS_GUEST | NEEDS_STAFF)))
		return ERR_OK;
	e = auth_user(d, r, user);
	if (e != ERR_OK)
		return e;
	return route->needs & NEEDS_STAFF && user->type < USER_STAFF ? ERR_FORBIDDEN : ERR_OK;
}

static void count(struct board *b, const struct reply *reply)
{
	board_count(b, BOARD_requests);
	board_count(b, reply->status < 300 ? BOARD_answers_2xx : reply->status < 500 ? BOARD_answers_4xx : BOARD_answers_5xx);
}

void door_serve(struct door *d, struct req *r, struct reply *reply)
{
	const struct route *route;
	struct user user;
	char allow[32];
	enum err e;
	bool hall_lost;

	log_request(r->id);
	reply_clear(reply);
	hall_lost = hall_refresh(&d->hall) != ERR_OK;
	route = route_find(r, &e, allow);
	if (route)
		e = hall_lost && route->needs & WRITES ? ERR_NO_MEMORY : admit(d, r, route, &user);
	if (e == ERR_METHOD_NOT_ALLOWED)
		reply_header(reply, "Allow", allow);
	if (route && e == ERR_OK)
		e = route->handle(d, r, route->needs & (NEEDS_GUEST | NEEDS_STAFF | MAY_HAVE_TOKEN) ? &user : NULL, reply);
	if (d->book_open)
		db_read_end(&d->db);
	if (e == ERR_OK && !buf_ok(&reply->body))
		e = ERR_NO_MEMORY;
	if (e != ERR_OK)
		reply_error(reply, e, r->lang);
	if (e == ERR_WAITING)
		board_count(d->hall.board, BOARD_answers_waiting);
	if (e == ERR_RATE_LIMITED)
		board_count(d->hall.board, BOARD_answers_limited);
	if (reply->status >= 500)
		log_warn("door.fault", "method=%s route=%s code=%s", r->method, route ? route->path : "-", err_word(e));
	count(d->hall.board, reply);
	log_request(NULL);
}
