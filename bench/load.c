/*
 * load.c - sends a list of HTTP requests through the crowd client and times every answer.
 *
 * Over --connections kept ones each has one request under way at a time and takes the next of the list when its answer
 * is in; with --burst there are as many connections as requests, and everything is sent at one instant.  With --fresh
 * every request has a connection of its own: guests are different people.
 *
 * With --follow an answer 429 WAITING is not the end: its ticket is asked for again, after a pause drawn from --poll-ms,
 * until the outcome is there.  So two times are kept: how long each answer took, and how long each request took until
 * its outcome.
 *
 * The list has a request a line, four fields with tabs between them, "-" for none:
 *     METHOD  PATH  TOKEN  BODY
 * The result is one line of JSON with plain names, for sh and awk to read.
 */
#include "crowd.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
	KINDS = 64, /* how many different answers are told apart */
	MAX_CONNECTIONS = 8000,
};

/* Answers of one kind: a status and a word. */
struct kind {
	int status;
	char code[CROWD_WORD_SIZE];
	long count;
};

static struct {
	const char *list, *log;
	int port, connections, limit_s, poll_min_ms, poll_max_ms;
	size_t requests;
	bool burst, follow, fresh;
} opt = {.list = "-", .connections = 64, .limit_s = 60, .poll_min_ms = 500, .poll_max_ms = 1000};

static struct {
	struct crowd_guest *guests;
	size_t count;
	uint32_t *answers_us; /* of every answer, polls too */
	size_t answers, answers_room;
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
			run.guests = room(run.guests, size = size * 2 + 1024, sizeof *run.guests);
		run.guests[lines] = (struct crowd_guest){0};
		run.guests[lines].method = field(&line);
		run.guests[lines].path = field(&line);
		run.guests[lines].token = field(&line);
		snprintf(run.guests[lines].body, sizeof run.guests[lines].body, "%s", field(&line));
		lines++;
	}
	if (lines == 0)
		die("the list is empty");
	run.count = opt.requests ? opt.requests : lines;
	run.guests = room(run.guests, run.count > lines ? run.count : lines, sizeof *run.guests);
	for (size_t i = lines; i < run.count; i++)
		run.guests[i] = run.guests[i - lines];
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
		if (run.guests[i].status)
			us[n++] = (uint32_t)(run.guests[i].over_us - run.guests[i].asked_us);
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
		const struct crowd_guest *j = &run.guests[i];

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
	int64_t last_us = 1;
	size_t settled = 0, polls = 0, broken = 0, fives = 0;
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	for (size_t i = 0; i < run.count; i++) {
		const struct crowd_guest *g = &run.guests[i];

		settled += g->step == CROWD_OVER;
		polls += g->answers > 1 ? (size_t)g->answers - 1 : 0;
		broken += g->step == CROWD_OVER && g->status == 0;
		fives += g->first_status >= 500 || g->status >= 500;
		last_us = g->over_us > last_us ? g->over_us : last_us;
	}
	printf("{\"requests\":%zu,\"settled\":%zu,\"elapsed_s\":%.4f,\"rate\":%.1f", run.count, settled, (double)last_us / 1e6,
	       (double)settled / ((double)last_us / 1e6));
	printf(",\"answers\":%zu,\"polls\":%zu,\"broken\":%zu,\"status_5xx\":%zu", run.answers, polls, broken, fives);
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
		const struct crowd_guest *g = &run.guests[i];

		fprintf(f, "%zu\t%d\t%s\t%lld\t%lld\t%lld\t%d\t%d\t%s\n", i, g->status, *g->code ? g->code : "-",
			(long long)g->asked_us, (long long)(g->first_us ? g->asked_us + g->first_us : 0), (long long)g->over_us,
			g->first_status, g->answers > 1 ? g->answers - 1 : 0, *g->ticket ? g->ticket : "-");
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
		{"port", required_argument, NULL, 'p'},     {"connections", required_argument, NULL, 'c'},
		{"requests", required_argument, NULL, 'n'}, {"list", required_argument, NULL, 'l'},
		{"log", required_argument, NULL, 'o'},      {"limit-s", required_argument, NULL, 's'},
		{"poll-ms", required_argument, NULL, 'i'},  {"burst", no_argument, NULL, 'b'},
		{"follow", no_argument, NULL, 'f'},         {"fresh", no_argument, NULL, 'r'},
		{"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0},
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

static void keep_time(void *arg, const struct crowd_guest *g, int64_t us)
{
	(void)arg;
	(void)g;
	if (run.answers == run.answers_room)
		run.answers_us = room(run.answers_us, run.answers_room = run.answers_room * 2 + 4096, sizeof *run.answers_us);
	run.answers_us[run.answers++] = (uint32_t)(us > UINT32_MAX ? UINT32_MAX : us);
}

int main(int argc, char **argv)
{
	struct crowd c = {.answered = keep_time};
	bool all;

	take_options(argc, argv);
	srandom(1); /* the same pauses in every run */
	read_list();
	c.port = opt.port;
	c.at_once = opt.burst ? 0 : (size_t)opt.connections;
	c.keep = !opt.fresh;
	c.follow = opt.follow;
	c.poll_min_ms = opt.poll_min_ms;
	c.poll_max_ms = opt.poll_max_ms;
	c.limit_ms = opt.limit_s * 1000;
	if (opt.burst && run.count > MAX_CONNECTIONS)
		die("at most %d connections", MAX_CONNECTIONS);
	if (crowd_run(&c, run.guests, run.count, &all) != ERR_OK)
		die("no memory");
	print_result();
	if (opt.log)
		write_log();
	return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
