/*
 * http.c - a small HTTP/1.1 client for tests.
 */
#include "http.h"

#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <json-c/json.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { TIMEOUT_MS = 10000, RING = 16, EVENTS = 64 };

/* One request on its way. */
struct trip {
	int fd;        /* -1: not begun, or over */
	bool bodyless; /* an answer to HEAD */
	char *out, *in;
	size_t out_len, sent, in_len, in_size;
	int64_t begun_us, until_us;
};

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* ---- what is sent ---- */

static const char *method_of(const struct http_call *c)
{
	return c->method ? c->method : c->body ? "POST" : "GET";
}

static void compose(const struct http_call *c, int port, struct trip *t)
{
	const char *headers = c->headers ? c->headers : c->body ? "Content-Type: application/json\r\n" : "";
	size_t body_len = c->body && !c->body_len ? strlen(c->body) : c->body_len;
	char length[64] = "", *head;
	int n;

	if (c->raw) {
		t->out = malloc(c->raw_len + 1);
		assert_non_null(t->out);
		memcpy(t->out, c->raw, c->raw_len);
		t->out_len = c->raw_len;
		return;
	}
	if (c->body)
		snprintf(length, sizeof length, "Content-Length: %zu\r\n", body_len);
	n = asprintf(&head, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n%s%s\r\n", method_of(c), c->path,
		     port, length, headers);
	assert_true(n > 0);
	t->out = realloc(head, (size_t)n + body_len + 1);
	assert_non_null(t->out);
	if (body_len)
		memcpy(t->out + n, c->body, body_len);
	t->out_len = (size_t)n + body_len;
}

/* ---- what comes ---- */

/* The length of the head with its blank line, or 0. */
static size_t head_length(const char *in, size_t n)
{
	const char *end = n ? memmem(in, n, "\r\n\r\n", 4) : NULL;

	return end ? (size_t)(end - in) + 4 : 0;
}

/* The value of a header in a head, without its line's end; NULL when it is not there. */
static const char *find_header(const char *head, const char *name, size_t *length)
{
	size_t n = strlen(name);

	for (const char *line = strstr(head, "\r\n"); line && line[2]; line = strstr(line, "\r\n")) {
		line += 2;
		if (strncasecmp(line, name, n) != 0 || line[n] != ':')
			continue;
		line += n + 1;
		line += strspn(line, " \t");
		*length = strcspn(line, "\r\n");
		return line;
	}
	return NULL;
}

/* Puts the chunks in [from, from + n) together in place; true when the last one is there. */
static bool unchunk(char *from, size_t n, size_t *length)
{
	char *in = from, *end = from + n, *line;
	size_t size, total = 0;

	while ((line = memmem(in, (size_t)(end - in), "\r\n", 2))) {
		size = strtoul(in, NULL, 16);
		in = line + 2;
		if (size == 0) {
			*length = total;
			return true;
		}
		if ((size_t)(end - in) < size + 2)
			return false;
		memmove(from + total, in, size);
		total += size;
		in += size + 2;
	}
	return false;
}

/* Is the whole answer there?  eof: nothing more will come. */
static bool is_whole(const struct trip *t, bool eof)
{
	size_t head = head_length(t->in, t->in_len), n, unused;
	const char *value;
	char *copy;
	int status;
	bool whole;

	if (!head || sscanf(t->in, "HTTP/%*s %d", &status) != 1)
		return false;
	if (t->bodyless || status == 204 || status == 304)
		return true;
	copy = strndup(t->in, head);
	assert_non_null(copy);
	if ((value = find_header(copy, "Content-Length", &n)))
		whole = t->in_len - head >= strtoul(value, NULL, 10);
	else if (find_header(copy, "Transfer-Encoding", &n)) {
		char *body = malloc(t->in_len - head + 1);

		assert_non_null(body);
		memcpy(body, t->in + head, t->in_len - head);
		whole = unchunk(body, t->in_len - head, &unused);
		free(body);
	} else
		whole = eof;
	free(copy);
	return whole;
}

/* Head and body out of what came. */
static void take_apart(struct trip *t, struct http_answer *a)
{
	size_t head = head_length(t->in, t->in_len), n;
	const char *value;

	a->head = strndup(t->in ? t->in : "", head);
	a->body_len = t->in_len - head;
	a->body = malloc(a->body_len + 1);
	assert_non_null(a->head);
	assert_non_null(a->body);
	if (a->body_len)
		memcpy(a->body, t->in + head, a->body_len);
	if (sscanf(a->head, "HTTP/%*s %d", &a->status) != 1)
		a->status = 0;
	if (find_header(a->head, "Transfer-Encoding", &n) && a->end == HTTP_WHOLE && !t->bodyless)
		unchunk(a->body, a->body_len, &a->body_len);
	else if ((value = find_header(a->head, "Content-Length", &n)) && a->body_len > strtoul(value, NULL, 10))
		a->body_len = strtoul(value, NULL, 10);
	a->body[a->body_len] = '\0';
}

/* ---- the trip ---- */

static void finish(struct trip *t, enum http_end end, struct http_answer *a)
{
	*a = (struct http_answer){.end = end, .us = now_us() - t->begun_us};
	if (end == HTTP_CUT && t->in_len == 0)
		a->end = HTTP_REFUSED;
	take_apart(t, a);
	if (t->fd >= 0)
		close(t->fd);
	free(t->out);
	free(t->in);
	*t = (struct trip){.fd = -1};
}

/* Connects without waiting; false when that failed at once. */
static bool begin(struct trip *t, const struct http_call *c, int port)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	int one = 1;

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*t = (struct trip){.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
	t->begun_us = now_us();
	t->until_us = t->begun_us + 1000 * (int64_t)(c->timeout_ms ? c->timeout_ms : TIMEOUT_MS);
	t->bodyless = !c->raw && strcmp(method_of(c), "HEAD") == 0;
	assert_true(t->fd >= 0);
	compose(c, port, t);
	setsockopt(t->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	return connect(t->fd, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS;
}

/* Sends what fits.  A server that stopped reading may still have answered, so that is no end. */
static void push(struct trip *t)
{
	while (t->sent < t->out_len) {
		ssize_t n = send(t->fd, t->out + t->sent, t->out_len - t->sent, MSG_NOSIGNAL);

		if (n < 0 && errno == EAGAIN)
			return;
		t->sent = n < 0 ? t->out_len : t->sent + (size_t)n;
	}
}

/* Reads what is there; true when the trip is over, and how. */
static bool pull(struct trip *t, enum http_end *end)
{
	ssize_t n;

	for (;;) {
		if (t->in_size - t->in_len < 16384) {
			t->in_size = t->in_size * 2 + 32768;
			t->in = realloc(t->in, t->in_size);
			assert_non_null(t->in);
		}
		n = recv(t->fd, t->in + t->in_len, t->in_size - t->in_len, 0);
		if (n > 0) {
			t->in_len += (size_t)n;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		break;
	}
	if (n < 0 && errno == EAGAIN) {
		*end = HTTP_WHOLE;
		return is_whole(t, false);
	}
	*end = is_whole(t, n == 0) ? HTTP_WHOLE : HTTP_CUT;
	return true;
}

static void allow_many_files(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < r.rlim_max) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
}

/* Ends every trip that took too long; how many did. */
static size_t end_late(struct trip *trips, size_t begun, struct http_answer *answers)
{
	int64_t now = now_us();
	size_t ended = 0;

	for (size_t i = 0; i < begun; i++)
		if (trips[i].fd >= 0 && trips[i].until_us <= now) {
			finish(&trips[i], HTTP_TIMEOUT, &answers[i]);
			ended++;
		}
	return ended;
}

/* Serves the events that are there or come within a moment; how many trips ended. */
static size_t attend(int poll_fd, struct trip *trips, struct http_answer *answers)
{
	struct epoll_event events[EVENTS];
	int n = epoll_wait(poll_fd, events, EVENTS, 20);
	size_t ended = 0;
	enum http_end end;

	for (int i = 0; i < n; i++) {
		size_t which = (size_t)events[i].data.u64;
		struct trip *t = &trips[which];

		push(t);
		if (t->sent == t->out_len)
			epoll_ctl(poll_fd, EPOLL_CTL_MOD, t->fd, &(struct epoll_event){.events = EPOLLIN, .data.u64 = which});
		if (pull(t, &end)) {
			finish(t, end, &answers[which]);
			ended++;
		}
	}
	return ended;
}

void http_many(int port, const struct http_call *calls, size_t n, size_t at_once, struct http_answer *answers)
{
	struct trip *trips = calloc(n, sizeof *trips);
	int poll_fd = epoll_create1(EPOLL_CLOEXEC);
	size_t begun = 0, over = 0;

	assert_non_null(trips);
	assert_true(poll_fd >= 0);
	allow_many_files();
	while (over < n) {
		for (; begun < n && begun - over < at_once; begun++) {
			struct epoll_event e = {.events = EPOLLIN | EPOLLOUT, .data.u64 = begun};

			if (begin(&trips[begun], &calls[begun], port))
				epoll_ctl(poll_fd, EPOLL_CTL_ADD, trips[begun].fd, &e);
			else {
				finish(&trips[begun], HTTP_REFUSED, &answers[begun]);
				over++;
			}
		}
		over += attend(poll_fd, trips, answers);
		over += end_late(trips, begun, answers);
	}
	close(poll_fd);
	free(trips);
}

void http_free(struct http_answer *a)
{
	free(a->head);
	free(a->body);
	*a = (struct http_answer){0};
}

/* ---- one at a time ---- */

const struct http_answer *http_ask(int port, struct http_call call)
{
	static struct http_answer ring[RING];
	static size_t at;
	struct http_answer *a = &ring[at++ % RING];

	http_free(a);
	http_many(port, &call, 1, 1, a);
	return a;
}

const struct http_answer *http_get(int port, const char *path)
{
	return http_ask(port, (struct http_call){.path = path});
}

const struct http_answer *http_post(int port, const char *path, const char *json)
{
	return http_ask(port, (struct http_call){.path = path, .body = json});
}

/* ---- reading an answer ---- */

bool http_header(const struct http_answer *a, const char *name, char *out, size_t size)
{
	size_t n = 0;
	const char *value = a->head ? find_header(a->head, name, &n) : NULL;

	snprintf(out, size, "%.*s", (int)n, value ? value : "");
	return value != NULL;
}

bool http_header_has(const struct http_answer *a, const char *name, const char *part)
{
	char value[4096];

	return http_header(a, name, value, sizeof value) && strstr(value, part);
}

struct json_object *http_json(const struct http_answer *a)
{
	return a->body ? json_tokener_parse(a->body) : NULL;
}

const char *http_text(const struct http_answer *a, const char *key, char out[HTTP_TEXT])
{
	struct json_object *root = http_json(a), *value;

	out[0] = '\0';
	if (json_object_is_type(root, json_type_object) && json_object_object_get_ex(root, key, &value) &&
	    json_object_is_type(value, json_type_string))
		snprintf(out, HTTP_TEXT, "%s", json_object_get_string(value));
	json_object_put(root);
	return out;
}

int64_t http_int(const struct http_answer *a, const char *key)
{
	struct json_object *root = http_json(a), *value;
	int64_t n = -1;

	if (json_object_is_type(root, json_type_object) && json_object_object_get_ex(root, key, &value) &&
	    json_object_is_type(value, json_type_int))
		n = json_object_get_int64(value);
	json_object_put(root);
	return n;
}

/* ---- over and over ---- */

static void count(struct http_tally *t, const struct http_answer *a)
{
	switch (a->end) {
	case HTTP_REFUSED:
		t->refused++;
		usleep(1000); /* the server is not there: do not burn the core that others need to come back */
		return;
	case HTTP_CUT:
		t->cut++;
		return;
	case HTTP_TIMEOUT:
		t->late++;
		return;
	case HTTP_WHOLE:
		break;
	}
	t->whole++;
	if (a->status == 200)
		t->ok++;
	else if (a->status >= 500)
		t->server_errors++;
	else
		t->others++;
}

void http_hammer_start(struct http_hammer *h, int port, const char *path, int lanes)
{
	*h = (struct http_hammer){.count = lanes};
	h->tally = mmap(NULL, sizeof *h->tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(h->tally, MAP_FAILED);
	assert_true((size_t)lanes <= COUNT(h->lanes));
	for (int i = 0; i < lanes; i++) {
		h->lanes[i] = fork();
		assert_true(h->lanes[i] >= 0);
		if (h->lanes[i] > 0)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (!h->tally->stop)
			count(h->tally, http_get(port, path));
		_exit(0);
	}
}

void http_hammer_stop(struct http_hammer *h)
{
	h->tally->stop = 1;
	for (int i = 0; i < h->count; i++)
		waitpid(h->lanes[i], NULL, 0);
	h->count = 0;
}

void http_hammer_free(struct http_hammer *h)
{
	munmap(h->tally, sizeof *h->tally);
}

static int by_time(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

double http_percentile_ms(const struct http_answer *answers, size_t n, int percent)
{
	int64_t *us = calloc(n, sizeof *us), value;

	assert_non_null(us);
	for (size_t i = 0; i < n; i++)
		us[i] = answers[i].us;
	qsort(us, n, sizeof *us, by_time);
	value = us[(n - 1) * (size_t)percent / 100];
	free(us);
	return (double)value / 1000;
}
