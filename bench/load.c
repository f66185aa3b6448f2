/*
 * load.c - sends a list of HTTP requests over kept connections and times every answer.
 *
 * One process and one epoll set, so that on a small box it takes little away from what it measures.
 * All connections stand before the clock starts.  Each then has one request under way at a time and
 * takes the next of the list when its answer is in; with --burst there are as many connections as
 * requests, and everything is sent at one instant.  With --fresh every request has a connection of its
 * own, opened when the one before it is answered: guests are different people.
 *
 * With --follow an answer 429 WAITING is not the end: its ticket is asked for again, after a pause
 * drawn from --poll-ms, until the outcome is there.  So two times are kept: how long each answer
 * took, and how long each request took until its outcome.
 *
 * The list has a request a line, four fields with tabs between them, "-" for none:
 *     METHOD  PATH  TOKEN  BODY
 * The result is one line of JSON with plain names, for sh and awk to read.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
	OUT_SIZE = 2048,
	IN_SIZE = 16384,
	CODE_SIZE = 32,
	TICKET_SIZE = 80,
	KINDS = 64, /* how many different answers are told apart */
	EVENTS = 256,
	MAX_CONNECTIONS = 8000,
	SETTLE_MS = 200, /* lets the server accept every connection before the first request */
};

/* One request of the list and what became of it. */
struct job {
	const char *method, *path, *token, *body;
	char ticket[TICKET_SIZE]; /* while it waits in the line */
	char code[CODE_SIZE];
	int first_status, status; /* 0: no answer */
	int polls;
	int64_t start_us, first_us, end_us;
};

struct connection {
	int fd;
	bool busy;
	size_t job;
	int64_t sent_us;
	size_t out_len, out_sent, in_len;
	char out[OUT_SIZE], in[IN_SIZE];
};

/* A ticket to ask for again. */
struct poll_due {
	int64_t at_us;
	size_t job;
};

/* Answers of one kind: a status and a word. */
struct kind {
	int status;
	char code[CODE_SIZE];
	long count;
};

static struct {
	const char *list, *log;
	int port, connections, limit_s, poll_min_ms, poll_max_ms;
	size_t requests;
	bool burst, follow, fresh;
} opt = {.list = "-", .connections = 64, .limit_s = 60, .poll_min_ms = 500, .poll_max_ms = 1000};

static struct {
	struct job *jobs;
	size_t count, next, done;
	struct connection *connections;
	int *idle, idle_count;
	struct poll_due *heap;
	size_t heap_count;
	uint32_t *answers_us; /* of every answer, polls too */
	size_t answers, answers_room;
	long polls, broken;
	int epoll;
	int64_t begun_us, ended_us;
} run;

static void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void die(const char *format, ...)
{
	va_list ap;

	fputs("load: ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(EXIT_FAILURE);
}

static void *room(void *old, size_t count, size_t size)
{
	void *fresh = reallocarray(old, count ? count : 1, size);

	if (!fresh)
		die("no memory");
	return fresh;
}

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* ---- the list ---- */

static char *read_all(const char *path)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	char *text = NULL;
	size_t used = 0, size = 0, n;

	if (!f)
		die("%s: %s", path, strerror(errno));
	do {
		if (size - used < 65536)
			text = room(text, size = size * 2 + 131072, 1);
		n = fread(text + used, 1, size - used - 1, f);
		used += n;
	} while (n > 0);
	text[used] = '\0';
	if (f != stdin)
		fclose(f);
	return text;
}

static const char *field(char **line)
{
	char *value = strsep(line, "\t");

	if (!value)
		die("a line of the list has fewer than four fields");
	return strcmp(value, "-") == 0 ? "" : value;
}

/* The list, from its start again when more requests are asked for than it has. */
static void read_list(void)
{
	char *text = read_all(opt.list), *line;
	size_t lines = 0, size = 0;

	while ((line = strsep(&text, "\n"))) {
		if (!*line)
			continue;
		if (lines == size)
			run.jobs = room(run.jobs, size = size * 2 + 1024, sizeof *run.jobs);
		run.jobs[lines] = (struct job){0};
		run.jobs[lines].method = field(&line);
		run.jobs[lines].path = field(&line);
		run.jobs[lines].token = field(&line);
		run.jobs[lines].body = field(&line);
		lines++;
	}
	if (lines == 0)
		die("the list is empty");
	run.count = opt.requests ? opt.requests : lines;
	run.jobs = room(run.jobs, run.count > lines ? run.count : lines, sizeof *run.jobs);
	for (size_t i = lines; i < run.count; i++)
		run.jobs[i] = run.jobs[i - lines];
}

/* ---- polls that are due ---- */

static void heap_swap(size_t a, size_t b)
{
	struct poll_due kept = run.heap[a];

	run.heap[a] = run.heap[b];
	run.heap[b] = kept;
}

static void heap_push(int64_t at_us, size_t job)
{
	size_t i = run.heap_count++;

	run.heap[i] = (struct poll_due){at_us, job};
	for (; i > 0 && run.heap[i].at_us < run.heap[(i - 1) / 2].at_us; i = (i - 1) / 2)
		heap_swap(i, (i - 1) / 2);
}

static size_t heap_pop(void)
{
	size_t job = run.heap[0].job, i = 0, least;

	run.heap[0] = run.heap[--run.heap_count];
	for (;; i = least) {
		least = i;
		for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < run.heap_count; child++)
			if (run.heap[child].at_us < run.heap[least].at_us)
				least = child;
		if (least == i)
			return job;
		heap_swap(i, least);
	}
}

/* ---- connections ---- */

/* Loopback answers at once, so that a blocking connect is the simple way. */
static void open_connection(struct connection *c)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)opt.port)};
	struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
	int one = 1;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0)
		die("socket: %s", strerror(errno));
	if (connect(c->fd, (struct sockaddr *)&a, sizeof a) != 0)
		die("port %d: %s", opt.port, strerror(errno));
	setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	fcntl(c->fd, F_SETFL, O_NONBLOCK);
	if (epoll_ctl(run.epoll, EPOLL_CTL_ADD, c->fd, &e) != 0)
		die("epoll: %s", strerror(errno));
}

static void reopen(struct connection *c)
{
	close(c->fd);
	open_connection(c);
}

static void want(struct connection *c, uint32_t events)
{
	struct epoll_event e = {.events = events, .data.ptr = c};

	epoll_ctl(run.epoll, EPOLL_CTL_MOD, c->fd, &e);
}

/* Sends what is left.  A request fits the socket's buffer but for odd moments. */
static void push(struct connection *c)
{
	ssize_t n = send(c->fd, c->out + c->out_sent, c->out_len - c->out_sent, MSG_NOSIGNAL);
	bool was_blocked = c->out_sent > 0;

	if (n > 0)
		c->out_sent += (size_t)n;
	if (c->out_sent < c->out_len)
		want(c, EPOLLIN | EPOLLOUT);
	else if (was_blocked)
		want(c, EPOLLIN);
}

static void write_request(struct connection *c, const struct job *j, bool poll)
{
	const char *body = poll ? "" : j->body;
	int n =
	    snprintf(c->out, sizeof c->out, "%s %s%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: application/json\r\n",
		     poll ? "GET" : j->method, poll ? "/api/tickets/" : j->path, poll ? j->ticket : "", opt.port);

	if (*j->token)
		n += snprintf(c->out + n, sizeof c->out - (size_t)n, "Authorization: Bearer %s\r\n", j->token);
	if (*body)
		n += snprintf(c->out + n, sizeof c->out - (size_t)n,
			      "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
	n += snprintf(c->out + n, sizeof c->out - (size_t)n, "\r\n%s", body);
	if ((size_t)n >= sizeof c->out)
		die("a request is longer than %d bytes", OUT_SIZE);
	c->out_len = (size_t)n;
}

static void begin(struct connection *c, size_t job, bool poll)
{
	struct job *j = &run.jobs[job];

	c->busy = true;
	c->job = job;
	c->in_len = c->out_sent = 0;
	write_request(c, j, poll);
	c->sent_us = now_us();
	if (!poll)
		j->start_us = c->sent_us;
	run.polls += poll;
	j->polls += poll;
	push(c);
}

/* Gives free connections something to do: a ticket that is due, or the next of the list. */
static void hand_out(void)
{
	int64_t now = now_us();

	while (run.idle_count > 0) {
		struct connection *c = &run.connections[run.idle[run.idle_count - 1]];

		if (run.heap_count > 0 && run.heap[0].at_us <= now) {
			run.idle_count--;
			begin(c, heap_pop(), true);
		} else if (run.next < run.count) {
			run.idle_count--;
			begin(c, run.next++, false);
		} else {
			return;
		}
	}
}

/* ---- answers ---- */

static void keep_time(int64_t us)
{
	if (run.answers == run.answers_room)
		run.answers_us = room(run.answers_us, run.answers_room = run.answers_room * 2 + 4096, sizeof(uint32_t));
	run.answers_us[run.answers++] = (uint32_t)(us > UINT32_MAX ? UINT32_MAX : us);
}

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

static void settle(struct job *j, int status, const char *body, int64_t now)
{
	j->status = status;
	j->end_us = now;
	if (!j->first_us) {
		j->first_us = now;
		j->first_status = status;
	}
	member(body, "\"code\"", j->code, sizeof j->code);
	if (opt.follow && status == 429 && strcmp(j->code, "WAITING") == 0) {
		member(body, "\"ticket\"", j->ticket, sizeof j->ticket);
		if (*j->ticket) {
			int spread = opt.poll_max_ms - opt.poll_min_ms + 1;

			heap_push(now + (opt.poll_min_ms + (int)(random() % spread)) * 1000, (size_t)(j - run.jobs));
			return;
		}
	}
	run.done++;
}

static void release(struct connection *c)
{
	c->busy = false;
	run.idle[run.idle_count++] = (int)(c - run.connections);
}

/* A connection that broke: its request has no answer. */
static void broke(struct connection *c)
{
	run.broken++;
	settle(&run.jobs[c->job], 0, "", now_us());
	reopen(c);
	release(c);
}

/*
 * Where the answer ends: its length, 0 while more is to come, -1 when it cannot be understood.
 * Bodies come with a length, or in chunks, of which the last is empty.
 */
static ssize_t answer_length(const struct connection *c, const char **body)
{
	const char *end = strstr(c->in, "\r\n\r\n"), *at;
	size_t head;

	if (!end)
		return c->in_len < IN_SIZE - 1 ? 0 : -1;
	*body = end + 4;
	head = (size_t)(*body - c->in);
	at = strcasestr(c->in, "\r\nContent-Length:");
	if (at && at < end) {
		size_t whole = head + strtoul(at + 17, NULL, 10);

		if (whole >= IN_SIZE)
			return -1;
		return c->in_len >= whole ? (ssize_t)whole : 0;
	}
	at = strstr(end, "\r\n0\r\n\r\n");
	if (at)
		return at + 7 - c->in;
	return c->in_len < IN_SIZE - 1 ? 0 : -1;
}

static void answered(struct connection *c, const char *body)
{
	int64_t now = now_us();
	const char *last = strcasestr(c->in, "\r\nConnection: close");
	int status = strncmp(c->in, "HTTP/1.1 ", 9) == 0 ? atoi(c->in + 9) : 0;

	keep_time(now - c->sent_us);
	settle(&run.jobs[c->job], status, body, now);
	if (opt.fresh || (last && last < body))
		reopen(c);
	release(c);
}

static void take(struct connection *c)
{
	const char *body = "";
	ssize_t n = recv(c->fd, c->in + c->in_len, IN_SIZE - 1 - c->in_len, 0), whole;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (!c->busy) { /* the server closed an idle connection */
		reopen(c);
		return;
	}
	if (n <= 0) {
		broke(c);
		return;
	}
	c->in_len += (size_t)n;
	c->in[c->in_len] = '\0';
	whole = answer_length(c, &body);
	if (whole > 0)
		answered(c, body);
	else if (whole < 0)
		broke(c);
}

/* ---- the run ---- */

static int until_due(void)
{
	int64_t now = now_us(), end = run.begun_us + (int64_t)opt.limit_s * 1000000;
	int64_t due = run.idle_count > 0 && run.heap_count > 0 ? run.heap[0].at_us : end;

	if (due > end)
		due = end;
	return due <= now ? 0 : (int)((due - now + 999) / 1000);
}

static void go(void)
{
	struct epoll_event events[EVENTS];

	run.begun_us = now_us();
	while (run.done < run.count && now_us() - run.begun_us < (int64_t)opt.limit_s * 1000000) {
		int n;

		hand_out();
		n = epoll_wait(run.epoll, events, EVENTS, until_due());
		for (int i = 0; i < n; i++) {
			struct connection *c = events[i].data.ptr;

			if (c->busy && c->out_sent < c->out_len && events[i].events & EPOLLOUT)
				push(c);
			if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))
				take(c);
		}
	}
	run.ended_us = now_us();
}

static void prepare(void)
{
	int n = opt.burst ? (int)run.count : opt.connections;

	if (n > MAX_CONNECTIONS)
		die("at most %d connections", MAX_CONNECTIONS);
	run.epoll = epoll_create1(EPOLL_CLOEXEC);
	run.connections = calloc((size_t)n, sizeof *run.connections);
	if (!run.connections)
		die("no memory");
	run.idle = room(NULL, (size_t)n, sizeof *run.idle);
	run.heap = room(NULL, run.count, sizeof *run.heap);
	for (int i = 0; i < n; i++) {
		open_connection(&run.connections[i]);
		run.idle[n - 1 - i] = i;
	}
	run.idle_count = n;
	nanosleep(&(struct timespec){.tv_nsec = SETTLE_MS * 1000000L}, NULL);
}

/* ---- the result ---- */

static int by_size(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void print_times(const char *name, uint32_t *us, size_t n)
{
	static const struct {
		const char *name;
		size_t per_mille;
	} points[] = {{"p50", 500}, {"p95", 950}, {"p99", 990}, {"max", 1000}};

	qsort(us, n, sizeof *us, by_size);
	for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
		size_t at = n * points[i].per_mille / 1000;

		printf(",\"%s_%s_ms\":%.2f", name, points[i].name, n ? us[at < n ? at : n - 1] / 1000.0 : 0.0);
	}
}

static void print_outcome_times(void)
{
	uint32_t *us = room(NULL, run.count, sizeof *us);
	size_t n = 0;

	for (size_t i = 0; i < run.count; i++)
		if (run.jobs[i].status)
			us[n++] = (uint32_t)(run.jobs[i].end_us - run.jobs[i].start_us);
	print_times("outcome", us, n);
	free(us);
}

static void count_kind(struct kind kinds[KINDS], int status, const char *code)
{
	int i = 0;

	while (i < KINDS - 1 && kinds[i].count && (kinds[i].status != status || strcmp(kinds[i].code, code) != 0))
		i++;
	kinds[i].status = status;
	snprintf(kinds[i].code, sizeof kinds[i].code, "%s", code);
	kinds[i].count++;
}

static void print_kinds(void)
{
	static struct kind statuses[KINDS], codes[KINDS], firsts[KINDS];

	for (size_t i = 0; i < run.count; i++) {
		const struct job *j = &run.jobs[i];

		count_kind(firsts, j->first_status, "");
		count_kind(statuses, j->status, "");
		if (*j->code)
			count_kind(codes, 0, j->code);
	}
	for (int i = 0; i < KINDS && statuses[i].count; i++)
		printf(",\"status_%d\":%ld", statuses[i].status, statuses[i].count);
	for (int i = 0; i < KINDS && codes[i].count; i++)
		printf(",\"code_%s\":%ld", codes[i].code, codes[i].count);
	for (int i = 0; i < KINDS && firsts[i].count; i++)
		printf(",\"first_%d\":%ld", firsts[i].status, firsts[i].count);
}

static void print_result(void)
{
	double elapsed_s = (double)(run.ended_us - run.begun_us) / 1e6;
	struct rusage used;
	long fives = 0;

	getrusage(RUSAGE_SELF, &used);
	for (size_t i = 0; i < run.count; i++)
		fives += run.jobs[i].first_status >= 500 || run.jobs[i].status >= 500;
	printf("{\"requests\":%zu,\"settled\":%zu,\"elapsed_s\":%.4f,\"rate\":%.1f", run.count, run.done, elapsed_s,
	       (double)run.done / elapsed_s);
	printf(",\"answers\":%zu,\"polls\":%ld,\"broken\":%ld,\"status_5xx\":%ld", run.answers, run.polls, run.broken,
	       fives);
	print_times("answer", run.answers_us, run.answers);
	print_outcome_times();
	print_kinds();
	printf(",\"cpu_s\":%.3f}\n", (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
					 (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
}

/* A line for each request; times in microseconds from the start of the run, 0 for never. */
static void write_log(void)
{
	FILE *f = fopen(opt.log, "we");

	if (!f)
		die("%s: %s", opt.log, strerror(errno));
	fputs("index\tstatus\tcode\tstart_us\tfirst_us\tend_us\tfirst_status\tpolls\tticket\n", f);
	for (size_t i = 0; i < run.count; i++) {
		const struct job *j = &run.jobs[i];

		fprintf(f, "%zu\t%d\t%s\t%lld\t%lld\t%lld\t%d\t%d\t%s\n", i, j->status, *j->code ? j->code : "-",
			(long long)(j->start_us ? j->start_us - run.begun_us : 0),
			(long long)(j->first_us ? j->first_us - run.begun_us : 0),
			(long long)(j->end_us ? j->end_us - run.begun_us : 0), j->first_status, j->polls,
			*j->ticket ? j->ticket : "-");
	}
	if (fclose(f) != 0)
		die("%s: %s", opt.log, strerror(errno));
}

static const char help[] =
    "usage: load --port PORT [--list FILE] [--connections N | --burst] [--requests N] [--follow] [--fresh]\n"
    "            [--poll-ms MIN-MAX] [--limit-s S] [--log FILE]\n\n"
    "Sends the requests of FILE (METHOD, PATH, TOKEN, BODY with tabs between; - is none) to 127.0.0.1:PORT and\n"
    "prints one line of JSON.  --burst opens a connection for each request and sends all at once; --follow asks\n"
    "for the ticket of a 429 WAITING until its outcome is known; --log writes a line for each request.\n";

static int number(const char *text, int min, int max)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < min || n > max)
		die("%s: a whole number from %d to %d is wanted", text, min, max);
	return (int)n;
}

static void poll_range(const char *text)
{
	if (sscanf(text, "%d-%d", &opt.poll_min_ms, &opt.poll_max_ms) != 2 || opt.poll_min_ms < 1 ||
	    opt.poll_max_ms < opt.poll_min_ms || opt.poll_max_ms > 60000)
		die("%s: a range like 500-1000 is wanted", text);
}

static void take_options(int argc, char **argv)
{
	static const struct option options[] = {
	    {"port", required_argument, NULL, 'p'},	{"connections", required_argument, NULL, 'c'},
	    {"requests", required_argument, NULL, 'n'}, {"list", required_argument, NULL, 'l'},
	    {"log", required_argument, NULL, 'o'},	{"limit-s", required_argument, NULL, 's'},
	    {"poll-ms", required_argument, NULL, 'i'},	{"burst", no_argument, NULL, 'b'},
	    {"follow", no_argument, NULL, 'f'},		{"fresh", no_argument, NULL, 'r'},
	    {"help", no_argument, NULL, 'h'},		{NULL, 0, NULL, 0},
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (c) {
		case 'p':
			opt.port = number(optarg, 1, 65535);
			break;
		case 'c':
			opt.connections = number(optarg, 1, MAX_CONNECTIONS);
			break;
		case 'n':
			opt.requests = (size_t)number(optarg, 1, 10000000);
			break;
		case 's':
			opt.limit_s = number(optarg, 1, 3600);
			break;
		case 'i':
			poll_range(optarg);
			break;
		case 'l':
			opt.list = optarg;
			break;
		case 'o':
			opt.log = optarg;
			break;
		case 'b':
			opt.burst = true;
			break;
		case 'f':
			opt.follow = true;
			break;
		case 'r':
			opt.fresh = true;
			break;
		case 'h':
			fputs(help, stdout);
			exit(EXIT_SUCCESS);
		default:
			fputs(help, stderr);
			exit(2);
		}
	if (!opt.port || optind < argc) {
		fputs(help, stderr);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	take_options(argc, argv);
	srandom(1); /* the same pauses in every run */
	read_list();
	prepare();
	go();
	print_result();
	if (opt.log)
		write_log();
	return run.done == run.count ? EXIT_SUCCESS : EXIT_FAILURE;
}
