/*
 * crowd.c - a crowd at the door.
 *
 * A wire is one connection; it carries one request at a time.  Guests who rest lie in a heap by the time they are due;
 * a guest who is due and finds a wire idle asks.
 */
#include "crowd.h"

#include "buf.h"
#include "clock.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	OUT_SIZE = 1024,
	EVENTS = 256,
	SPARE_FILES = 64,
	SETTLE_MS = 200, /* lets the web server accept every kept connection before the clock starts */
	TICK_US = 5000,
	AGAIN_MS = 30,
	SPREAD_MS = 500, /* so that guests do not all come again in the same moment */
	LIMIT_MS = 20000,
	POLL_MIN_MS = 20,
	POLL_MAX_MS = 200,
};

struct wire {
	int fd;                    /* -1: not connected */
	struct crowd_guest *guest; /* whose request is under way, or NULL */
	size_t out_len, out_sent;
	char out[OUT_SIZE];
	struct buf in;
};

struct run {
	const struct crowd *c;
	struct crowd_guest *guests, **heap; /* heap: who rests, the first to be due on top */
	size_t count, heap_count, over;
	struct wire *wires, **idle;
	size_t wire_count, idle_count;
	int epoll;
	int64_t start_us, heard_us, ticked_us, last_first_us;
};

/* ---- the heap ---- */

static bool before(const struct crowd_guest *a, const struct crowd_guest *b)
{
	return a->due_us != b->due_us ? a->due_us < b->due_us : a < b;
}

static void swap(struct run *r, size_t a, size_t b)
{
	struct crowd_guest *kept = r->heap[a];

	r->heap[a] = r->heap[b];
	r->heap[b] = kept;
}

static void rest_until(struct run *r, struct crowd_guest *g, int64_t due_us)
{
	size_t i;

	assert(r->heap_count < r->count);
	i = r->heap_count++;
	g->step = CROWD_RESTING;
	g->due_us = due_us;
	r->heap[i] = g;
	for (; i > 0 && before(r->heap[i], r->heap[(i - 1) / 2]); i = (i - 1) / 2)
		swap(r, i, (i - 1) / 2);
}

static struct crowd_guest *pop(struct run *r)
{
	struct crowd_guest *top = r->heap[0];
	size_t i = 0, least;

	assert(r->heap_count > 0);
	r->heap[0] = r->heap[--r->heap_count];
	for (;; i = least) {
		least = i;
		for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < r->heap_count; child++)
			if (before(r->heap[child], r->heap[least]))
				least = child;
		if (least == i)
			return top;
		swap(r, i, least);
	}
}

/* ---- wires ---- */

static bool open_wire(struct run *r, struct wire *w)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)r->c->port)};
	struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = w};
	struct linger hard = {.l_onoff = 1, .l_linger = 0}; /* no TIME_WAIT: thousands of ports come and go */
	bool blocking = r->c->apart_ms > 0;
	int one = 1;

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	w->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | (blocking ? 0 : SOCK_NONBLOCK), 0);
	if (w->fd < 0)
		return false;
	setsockopt(w->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	if (!r->c->keep)
		setsockopt(w->fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
	if ((connect(w->fd, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS) &&
	    epoll_ctl(r->epoll, EPOLL_CTL_ADD, w->fd, &event) == 0)
		return true;
	close(w->fd);
	w->fd = -1;
	return false;
}

static void cut(struct wire *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}

/* The wire is free for the next request. */
static void release(struct run *r, struct wire *w)
{
	assert(r->idle_count < r->wire_count);
	if (!r->c->keep)
		cut(w);
	w->guest = NULL;
	w->out_len = w->out_sent = 0;
	buf_clear(&w->in);
	r->idle[r->idle_count++] = w;
}

/* ---- what a guest does next ---- */

static int64_t pause_us(const struct crowd *c)
{
	int from = c->poll_min_ms ? c->poll_min_ms : POLL_MIN_MS, to = c->poll_max_ms ? c->poll_max_ms : POLL_MAX_MS;

	return (from + random() % (to - from + 1)) * 1000;
}

/* How long to wait before asking again, in microseconds; 0: this was the outcome. */
static int64_t ask_again_us(const struct crowd *c, struct crowd_guest *g, bool understood)
{
	bool waiting = g->status == 429 && strcmp(g->code, "WAITING") == 0;
	bool unknown = !understood || g->status >= 500;

	if (c->come_again && (!understood || (g->status == 429 && !waiting) || (g->status >= 502 && g->status <= 504))) {
		g->knocks++;
		return (g->retry_s ? g->retry_s : 1) * INT64_C(1000000) + random() % (SPREAD_MS * 1000);
	}
	if (unknown && c->persist) {
		g->status = 0;
		return AGAIN_MS * 1000;
	}
	if (c->follow && waiting) {
		if (g->patience_ms)
			g->status = 0; /* asks by sending the same again, as simple clients do */
		return pause_us(c);
	}
	if ((g->patience_ms || (c->persist && g->unknown)) && strcmp(g->code, "IN_PROGRESS") == 0) {
		g->status = 0;
		return pause_us(c);
	}
	return 0;
}

static void conclude(struct run *r, struct wire *w, bool understood)
{
	struct crowd_guest *g = w->guest;
	int64_t now = clock_mono_us(), took = now - g->sent_us, again;

	if (understood && g->answers++ == 0) {
		g->first_us = took;
		g->first_status = g->status;
	}
	if (understood && r->c->answered)
		r->c->answered(r->c->arg, g, took);
	g->slowest_us = took > g->slowest_us ? took : g->slowest_us;
	g->unknown += !understood || g->status >= 500;
	g->waits += understood && g->status == 429;
	if (!understood) {
		g->status = 0;
		cut(w);
	}
	again = ask_again_us(r->c, g, understood);
	release(r, w);
	if (again) {
		rest_until(r, g, now + again);
		return;
	}
	g->step = CROWD_OVER;
	g->over_us = now - r->start_us;
	r->heard_us = now;
	r->over++;
}

/* ---- one request ---- */

static void flush(struct run *r, struct wire *w)
{
	while (w->out_sent < w->out_len) {
		ssize_t n = send(w->fd, w->out + w->out_sent, w->out_len - w->out_sent, MSG_NOSIGNAL);

		if (n < 0 && (errno == EAGAIN || errno == ENOTCONN || errno == EINTR))
			return;
		if (n < 0) {
			conclude(r, w, false);
			return;
		}
		w->out_sent += (size_t)n;
	}
}

/* The request, or the question how its ticket stands. */
static void compose(const struct crowd *c, struct wire *w, const struct crowd_guest *g)
{
	bool asks = g->status == 429 && g->ticket[0];
	const char *method = asks ? "GET" : g->method ? g->method : "POST", *body = asks ? "" : g->body;
	char path[160], login[128] = "", key[128] = "";
	int n;

	snprintf(path, sizeof path, "%s%s",
		 asks    ? "/api/tickets/" :
		 g->path ? g->path :
			   "/api/reservations",
		 asks ? g->ticket : "");
	if (g->token && *g->token)
		snprintf(login, sizeof login, "Authorization: Bearer %s\r\n", g->token);
	if (g->key)
		snprintf(key, sizeof key, "Idempotency-Key: %s\r\n", g->key);
	n = snprintf(
		w->out, sizeof w->out,
		"%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s%s%sContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
		method, path, login, key, c->keep ? "" : "Connection: close\r\n", strlen(body), body);
	assert(n > 0 && n < OUT_SIZE);
	w->out_len = (size_t)n;
	w->out_sent = 0;
}

static void ask(struct run *r, struct wire *w, struct crowd_guest *g)
{
	assert(!w->guest && g->step == CROWD_RESTING);
	w->guest = g;
	g->step = CROWD_UNDER_WAY;
	g->sent_us = clock_mono_us();
	if (!g->asked_us) {
		g->asked_us = g->sent_us - r->start_us + 1; /* 0 is never */
		r->last_first_us = g->sent_us;
	}
	compose(r->c, w, g);
	if (w->fd < 0 && !open_wire(r, w)) {
		conclude(r, w, false);
		return;
	}
	flush(r, w);
	if (r->c->apart_ms && w->fd >= 0)
		fcntl(w->fd, F_SETFL, O_NONBLOCK); /* it is on its way before another's is thought of */
}

/* Everybody who is due asks, as far as there are wires.  Returns how long until the next one is, in us. */
static int64_t ask_all_due(struct run *r)
{
	int64_t now = clock_mono_us();

	while (r->idle_count && r->heap_count && r->heap[0]->due_us <= now) {
		struct crowd_guest *g = r->heap[0];
		int64_t spaced = r->c->apart_ms * INT64_C(1000) - (now - r->last_first_us);

		if (!g->asked_us && spaced > 0)
			return spaced;
		pop(r);
		if (g->after && g->after->step != CROWD_OVER)
			rest_until(r, g, now + 1000);
		else
			ask(r, r->idle[--r->idle_count], g);
	}
	return r->idle_count && r->heap_count ? r->heap[0]->due_us - now : TICK_US;
}

/* ---- an answer ---- */

/* The value of a member, quoted or not; "" when it is not there.  Enough for our own API. */
static void member(const char *body, const char *name, char *out, size_t size)
{
	const char *at = strstr(body, name);
	size_t n;

	out[0] = '\0';
	if (!at)
		return;
	at += strlen(name);
	at += strspn(at, "\": ");
	n = strcspn(at, "\",}");
	if (n < size) {
		memcpy(out, at, n);
		out[n] = '\0';
	}
}

/* The number of a header among the first n bytes, or `absent`. */
static long header_number(const char *head, size_t n, const char *name, long absent)
{
	const char *at = strcasestr(head, name);

	return at && at < head + n ? strtol(at + strlen(name), NULL, 10) : absent;
}

static void take_answer(struct run *r, struct wire *w, const char *body)
{
	struct crowd_guest *g = w->guest;
	size_t head = (size_t)(body - w->in.data);
	long retry_s = header_number(w->in.data, head, "\r\nRetry-After:", 0);
	const char *last = strcasestr(w->in.data, "\r\nConnection: close");
	char number[24], ticket[TOKEN_TEXT_SIZE];

	g->status = atoi(w->in.data + 9);
	member(body, "\"code\"", g->code, sizeof g->code);
	member(body, "\"ticket\"", ticket, sizeof ticket);
	if (ticket[0])
		memcpy(g->ticket, ticket, sizeof ticket);
	member(body, "\"reservationId\"", number, sizeof number);
	if (number[0])
		g->reservation = strtoll(number, NULL, 10);
	if (last && last < body)
		cut(w);
	g->retry_s = retry_s > 0 && retry_s < 60 ? (int)retry_s : 0;
	conclude(r, w, true);
}

/* A whole answer, if it is there.  Bodies come with a length, or in chunks, of which the last is empty. */
static void look_at(struct run *r, struct wire *w)
{
	const char *data = w->in.data, *end = w->in.len ? strstr(data, "\r\n\r\n") : NULL;
	size_t head;
	long length;

	if (!end || !w->guest)
		return;
	head = (size_t)(end - data) + 4;
	length = header_number(data, head, "\r\nContent-Length:", -1);
	if (strncmp(data, "HTTP/1.", 7) != 0)
		conclude(r, w, false);
	else if (length >= 0 ? w->in.len >= head + (size_t)length : strstr(end, "\r\n0\r\n\r\n") != NULL)
		take_answer(r, w, data + head);
}

static void take_event(struct run *r, struct wire *w)
{
	char piece[8192];
	ssize_t n;

	if (w->fd >= 0)
		flush(r, w);
	while (w->fd >= 0) {
		n = recv(w->fd, piece, sizeof piece, 0);
		if (n < 0 && (errno == EAGAIN || errno == ENOTCONN || errno == EINTR))
			return;
		if (n <= 0) { /* the web server hung up: on an idle wire that is no news */
			if (w->guest)
				conclude(r, w, false);
			else
				cut(w);
			return;
		}
		buf_add(&w->in, piece, (size_t)n);
		if (buf_ok(&w->in))
			look_at(r, w);
		else
			conclude(r, w, false);
	}
}

/* Ends what takes longer than its guest has patience. */
static void lose_patience(struct run *r)
{
	int64_t now = clock_mono_us();

	for (size_t i = 0; i < r->wire_count; i++) {
		struct wire *w = &r->wires[i];
		struct crowd_guest *g = w->guest;

		if (!g || !g->patience_ms || now - g->sent_us < g->patience_ms * INT64_C(1000))
			continue;
		cut(w);
		release(r, w);
		g->status = 0;
		rest_until(r, g, now);
	}
}

/* ---- the run ---- */

static size_t wires_allowed(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0)
		return SPARE_FILES;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	return files.rlim_cur > 2 * SPARE_FILES ? (size_t)files.rlim_cur - SPARE_FILES : SPARE_FILES;
}

static bool prepare(struct run *r)
{
	size_t most = wires_allowed();

	r->wire_count = r->c->at_once && r->c->at_once < r->count ? r->c->at_once : r->count;
	if (r->wire_count > most)
		r->wire_count = most;
	r->epoll = epoll_create1(EPOLL_CLOEXEC);
	r->wires = calloc(r->wire_count, sizeof *r->wires);
	r->idle = calloc(r->wire_count, sizeof *r->idle);
	r->heap = calloc(r->count, sizeof *r->heap);
	if (r->epoll < 0 || !r->wires || !r->idle || !r->heap)
		return false;
	for (size_t i = r->wire_count; i-- > 0;) {
		r->wires[i].fd = -1;
		if (r->c->keep)
			open_wire(r, &r->wires[i]); /* one that fails is tried again when it is needed */
		r->idle[r->idle_count++] = &r->wires[i];
	}
	if (r->c->keep)
		clock_sleep_ms(SETTLE_MS);
	return true;
}

static void clean_up(struct run *r)
{
	for (size_t i = 0; r->wires && i < r->wire_count; i++) {
		cut(&r->wires[i]);
		buf_free(&r->wires[i].in);
	}
	free(r->wires);
	free(r->idle);
	free(r->heap);
	if (r->epoll >= 0)
		close(r->epoll);
}

/* One turn: who is due asks, who is answered is heard. */
static void turn(struct run *r)
{
	struct epoll_event events[EVENTS];
	int64_t next = ask_all_due(r), now;
	int n = epoll_wait(r->epoll, events, EVENTS,
			   next <= 0 ? 0 : (int)((next < TICK_US ? next : TICK_US) / 1000) + (next < 1000));

	for (int i = 0; i < n; i++)
		take_event(r, events[i].data.ptr);
	now = clock_mono_us();
	if (now - r->ticked_us < TICK_US && r->over < r->count)
		return;
	r->ticked_us = now;
	lose_patience(r);
	if (r->c->tick)
		r->c->tick(r->c->arg, (now - r->start_us) / 1000, r->over);
}

static bool in_time(const struct run *r)
{
	int64_t now = clock_mono_us(), limit_ms = r->c->limit_ms ? r->c->limit_ms : LIMIT_MS;

	return now - r->start_us < limit_ms * 1000 && !(r->c->stop && *r->c->stop) &&
	       !(r->c->quiet_ms && now - r->heard_us > r->c->quiet_ms * INT64_C(1000));
}

enum err crowd_run(const struct crowd *c, struct crowd_guest *guests, size_t n, bool *all)
{
	struct run r = {.c = c, .guests = guests, .count = n, .epoll = -1};
	enum err e = prepare(&r) ? ERR_OK : ERR_NO_MEMORY;

	r.start_us = r.heard_us = clock_mono_us();
	for (size_t i = 0; i < n && e == ERR_OK; i++)
		rest_until(&r, &guests[i], r.start_us + guests[i].at_ms * 1000);
	while (e == ERR_OK && r.over < n && in_time(&r))
		turn(&r);
	*all = r.over == n;
	clean_up(&r);
	return e;
}

bool crowd_door_is_open(int port)
{
	struct crowd_guest asks = {.method = "GET", .path = "/healthz"};
	bool all;

	return crowd_run(&(struct crowd){.port = port, .limit_ms = 1000}, &asks, 1, &all) == ERR_OK && all &&
	       asks.status == 200;
}
