/*
 * rush.c - a crowd at the door.
 *
 * A wire is one kept connection; it carries one request at a time.  Everybody has his own up to
 * WIRES_MAX, which is what a small nginx can hold open; in a larger crowd the last ones wait for a
 * wire, and that wait counts like any other.
 */
#include "rush.h"

#include "buf.h"
#include "clock.h"
#include "json.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum {
	WIRES_MAX = 1000,
	SPARE_FILES = 64,
	EVENTS = 256,
	SETTLE_MS = 200, /* lets the web server accept every wire before the doors open */
	TELL_US = 100000,
	POLL_MIN_US = 500000,
	POLL_SPREAD_US = 500000,
	QUIET_US = 60000000,  /* so long without an answer to anybody: nobody will get one */
	LIMIT_US = 600000000, /* a house that lets in a few guests a second needs long for thousands */
};

struct wire {
	int fd;                   /* -1: not connected */
	struct rush_guest *guest; /* whose request is under way, or NULL */
	size_t out_len, out_sent;
	char out[1024];
	struct buf in;
};

static struct {
	const struct rush_plan *plan;
	int epoll;
	struct wire *wires, **idle;
	size_t wire_count, idle_count;
	size_t answered;
	int64_t begun_us, heard_us, told_us;
	int64_t next_due_us; /* nobody who has no request under way is due before */
} r;

static bool open_wire(struct wire *w)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)r.plan->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct epoll_event ev = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = w};
	int one = 1;

	w->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (w->fd < 0)
		return false;
	setsockopt(w->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	if ((connect(w->fd, (struct sockaddr *)&a, sizeof a) == 0 || errno == EINPROGRESS) &&
	    epoll_ctl(r.epoll, EPOLL_CTL_ADD, w->fd, &ev) == 0)
		return true;
	close(w->fd);
	w->fd = -1;
	return false;
}

/* The guest asks again at that time; the first to be due decides when we look. */
static void put_off(struct rush_guest *g, int64_t due_us)
{
	g->due_us = due_us;
	if (due_us < r.next_due_us)
		r.next_due_us = due_us;
}

static void come_again(struct rush_guest *g, int seconds)
{
	g->knocks++;
	put_off(g, clock_mono_us() + seconds * INT64_C(1000000) + random() % POLL_SPREAD_US);
}

static void release(struct wire *w)
{
	w->guest = NULL;
	w->out_len = w->out_sent = 0;
	buf_clear(&w->in);
	r.idle[r.idle_count++] = w;
}

/* The connection is gone, and with it the answer of whoever waited at it. */
static void break_off(struct wire *w)
{
	struct rush_guest *g = w->guest;

	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	if (g) {
		release(w);
		come_again(g, 1);
	}
}

static void flush(struct wire *w)
{
	while (w->out_sent < w->out_len) {
		ssize_t n = send(w->fd, w->out + w->out_sent, w->out_len - w->out_sent, MSG_NOSIGNAL);

		if (n < 0 && (errno == EAGAIN || errno == ENOTCONN || errno == EINTR))
			return;
		if (n < 0) {
			break_off(w);
			return;
		}
		w->out_sent += (size_t)n;
	}
}

/* His booking, or the question how his ticket stands.  The key makes a repeated booking the same one. */
static void ask(struct wire *w, struct rush_guest *g)
{
	int n;

	w->guest = g;
	g->due_us = INT64_MAX;
	if (g->ticket[0])
		n = snprintf(w->out, sizeof w->out, "GET /api/tickets/%s HTTP/1.1\r\nHost: localhost\r\n\r\n", g->ticket);
	else
		n = snprintf(w->out, sizeof w->out,
			     "POST /api/reservations HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
			     "Idempotency-Key: rehearsal\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
			     g->token, strlen(r.plan->body), r.plan->body);
	w->out_len = (size_t)n;
	w->out_sent = 0;
	if (w->fd < 0 && !open_wire(w))
		break_off(w);
	else
		flush(w);
}

/* Everybody whose time has come asks, in the order of the guests, as far as there are wires. */
static void ask_all_due(void)
{
	int64_t now = clock_mono_us();

	if (r.idle_count == 0 || now < r.next_due_us)
		return;
	r.next_due_us = INT64_MAX;
	for (size_t i = 0; i < r.plan->count; i++) {
		struct rush_guest *g = &r.plan->guests[i];

		if (g->due_us <= now && r.idle_count > 0)
			ask(r.idle[--r.idle_count], g);
		else if (g->due_us < r.next_due_us)
			r.next_due_us = g->due_us;
	}
}

static void finish(struct rush_guest *g, enum rush_end end)
{
	g->end = end;
	r.heard_us = clock_mono_us();
	g->waited_us = r.heard_us - r.begun_us;
	r.answered++;
}

static void take_answer(struct rush_guest *g, int status, int retry_s, const char *body, size_t n)
{
	char ticket[TOKEN_TEXT_SIZE];
	struct in in;

	in_open(&in, body, n);
	in_text(&in, "code", IN_OPTIONAL, RUSH_WORD_SIZE - 1, g->word, sizeof g->word);
	in_text(&in, "ticket", IN_OPTIONAL, TOKEN_TEXT_SIZE - 1, ticket, sizeof ticket);
	in_int(&in, "reservationId", IN_OPTIONAL, 1, INT64_MAX - 1, &g->reservation_id);
	in_close(&in);
	if (status == 201)
		finish(g, RUSH_IN);
	else if (status == 409 && strcmp(g->word, err_word(ERR_SLOT_FULL)) == 0)
		finish(g, RUSH_FULL);
	else if (status == 429 && ticket[0]) {
		memcpy(g->ticket, ticket, sizeof ticket);
		put_off(g, clock_mono_us() + POLL_MIN_US + random() % POLL_SPREAD_US);
	} else if (status == 429 || (status >= 502 && status <= 504))
		come_again(g, retry_s);
	else
		finish(g, RUSH_REFUSED);
}

/* The number of a header among the first n bytes, or `absent`. */
static long header_number(const char *head, size_t n, const char *name, long absent)
{
	const char *at = strcasestr(head, name);

	return at && at < head + n ? strtol(at + strlen(name), NULL, 10) : absent;
}

/* A whole answer, if it is there. */
static void look_at(struct wire *w)
{
	const char *data = w->in.data, *end = w->in.len ? strstr(data, "\r\n\r\n") : NULL;
	struct rush_guest *g = w->guest;
	size_t head;
	long length, retry_s;

	if (!end || !g)
		return;
	head = (size_t)(end - data) + 4;
	length = header_number(data, head, "\r\nContent-Length:", -1);
	if (strncmp(data, "HTTP/1.1 ", 9) != 0 || length < 0) {
		break_off(w);
		return;
	}
	if (w->in.len < head + (size_t)length)
		return;
	retry_s = header_number(data, head, "\r\nRetry-After:", 1);
	take_answer(g, atoi(data + 9), retry_s > 0 && retry_s < 60 ? (int)retry_s : 1, data + head, (size_t)length);
	release(w);
}

static void take_event(struct wire *w)
{
	char piece[8192];
	ssize_t n;

	if (w->fd >= 0)
		flush(w);
	while (w->fd >= 0) {
		n = recv(w->fd, piece, sizeof piece, 0);
		if (n < 0 && (errno == EAGAIN || errno == ENOTCONN || errno == EINTR))
			return;
		if (n <= 0) {
			break_off(w);
			return;
		}
		buf_add(&w->in, piece, (size_t)n);
		if (buf_ok(&w->in))
			look_at(w);
		else
			break_off(w);
	}
}

/* One turn: who is due asks, who is answered is heard. */
static void turn(void)
{
	struct epoll_event events[EVENTS];
	int64_t now;
	int n, ms = TELL_US / 1000;

	ask_all_due();
	now = clock_mono_us();
	if (r.idle_count && r.next_due_us < now + TELL_US)
		ms = r.next_due_us > now ? (int)((r.next_due_us - now) / 1000) + 1 : 0;
	n = epoll_wait(r.epoll, events, EVENTS, ms);
	for (int i = 0; i < n; i++)
		take_event(events[i].data.ptr);
	now = clock_mono_us();
	if (now - r.told_us >= TELL_US || r.answered == r.plan->count) {
		r.told_us = now;
		r.plan->tell(r.plan->arg, r.answered);
	}
}

/* As many wires as guests, the web server and our open files allow. */
static bool string_wires(void)
{
	struct rlimit files;
	rlim_t room = WIRES_MAX;

	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		if (files.rlim_cur < WIRES_MAX + SPARE_FILES) {
			files.rlim_cur = files.rlim_max < WIRES_MAX + SPARE_FILES ? files.rlim_max : WIRES_MAX + SPARE_FILES;
			setrlimit(RLIMIT_NOFILE, &files);
		}
		if (files.rlim_cur < WIRES_MAX + SPARE_FILES)
			room = files.rlim_cur > 2 * SPARE_FILES ? files.rlim_cur - SPARE_FILES : SPARE_FILES;
	}
	r.wire_count = r.plan->count < room ? r.plan->count : (size_t)room;
	r.wires = calloc(r.wire_count, sizeof *r.wires);
	r.idle = calloc(r.wire_count, sizeof *r.idle);
	if (!r.wires || !r.idle)
		return false;
	for (size_t i = r.wire_count; i-- > 0;) {
		r.wires[i].fd = -1;
		open_wire(&r.wires[i]); /* one that fails is tried again when it is needed */
		r.idle[r.idle_count++] = &r.wires[i];
	}
	return true;
}

static void cut_wires(void)
{
	for (size_t i = 0; r.wires && i < r.wire_count; i++) {
		if (r.wires[i].fd >= 0)
			close(r.wires[i].fd);
		buf_free(&r.wires[i].in);
	}
	free(r.wires);
	free(r.idle);
	close(r.epoll);
}

enum err rush_run(const struct rush_plan *plan)
{
	enum err e = ERR_OK;

	memset(&r, 0, sizeof r);
	r.plan = plan;
	r.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (r.epoll < 0)
		return ERR_INTERNAL;
	if (string_wires())
		clock_sleep_ms(SETTLE_MS);
	else
		e = ERR_NO_MEMORY;
	r.begun_us = r.heard_us = clock_mono_us();
	while (e == ERR_OK && r.answered < plan->count && !*plan->stop) {
		int64_t now = clock_mono_us();

		if (now - r.heard_us > QUIET_US || now - r.begun_us > LIMIT_US)
			break;
		turn();
	}
	cut_wires();
	return e;
}

bool rush_door_is_open(int port)
{
	static const char question[] = "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n";
	struct sockaddr_in a = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct timeval second = {.tv_sec = 1};
	char head[13] = "";
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool ok;

	if (fd < 0)
		return false;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
	ok = connect(fd, (struct sockaddr *)&a, sizeof a) == 0 &&
	     send(fd, question, sizeof question - 1, MSG_NOSIGNAL) == (ssize_t)sizeof question - 1 &&
	     recv(fd, head, sizeof head - 1, MSG_WAITALL) == (ssize_t)sizeof head - 1 && strcmp(head + 8, " 200") == 0;
	close(fd);
	return ok;
}
