/*
 * cli_status.c - `jari status`: who is at work, who holds the pen, what was counted, how much memory.
 */
#include "cli.h"

#include "clock.h"
#include "db.h"
#include "facts.h"
#include "hall.h"
#include "holders.h"
#include "overview.h"
#include "procfs.h"
#include "serving.h"
#include "version.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONG_MS = 1000 };

/* Proportional memory of one process in kB: its own pages, and its share of the shared ones. */
static long pss_kb(int pid)
{
	long kb = 0;

	procfs_line(pid, "smaps_rollup", "Pss: %ld", &kb);
	return kb;
}

static int parent_of(int pid)
{
	int parent = 0;

	procfs_line(pid, "status", "PPid: %d", &parent);
	return parent;
}

/* A process and all its descendants. */
static long tree_kb(int root, int *processes)
{
	DIR *d = opendir("/proc");
	struct dirent *entry;
	long kb = 0;

	while (d && (entry = readdir(d))) {
		int pid = atoi(entry->d_name), up = pid;

		while (up > 1 && up != root)
			up = parent_of(up);
		if (pid < 1 || up != root)
			continue;
		kb += pss_kb(pid);
		++*processes;
	}
	if (d)
		closedir(d);
	return kb;
}

/* A process that uses the network: of this supervisor, of a unit of its own, or none. */
static void print_network(struct board *b, const char *what, enum board_kind kind, bool seen, const char *without)
{
	int pid = 0;

	for (int i = 0; i < BOARD_POSTS && !pid; i++) {
		struct board_post p = board_read(b, i);

		pid = p.kind == kind ? p.pid : 0;
	}
	if (pid)
		printf("%-12s process %d%s\n", what, pid, seen ? "" : ", not heard of for half a minute");
	else
		printf("%-12s %s\n", what, seen ? "in a unit of its own" : without);
}

static void print_workers(struct board *b)
{
	int workers = 0, busy = 0;
	uint64_t served = 0;
	int64_t longest = 0, now = clock_mono_ms();

	for (int i = 0; i < BOARD_POSTS; i++) {
		struct board_post p = board_read(b, i);

		if (p.kind != BOARD_WORKER)
			continue;
		workers++;
		served += p.served;
		if (p.busy_since_ms) {
			busy++;
			longest = now - p.busy_since_ms > longest ? now - p.busy_since_ms : longest;
		}
	}
	printf("workers      %d, %d busy (longest %lld ms), %llu requests\n", workers, busy, (long long)longest,
	       (unsigned long long)served);
}

static void print_line(struct line *l)
{
	struct tally_read st;

	tally_read(line_tally(l), &st);
	printf("line         %llu waiting; waits p50 %.1f, p95 %.1f, p99 %.1f ms\n", (unsigned long long)line_length(l),
	       tally_percentile(&st, 0.5), tally_percentile(&st, 0.95), tally_percentile(&st, 0.99));
	printf("batches      %llu, %.1f tickets on average, %llu at most\n", (unsigned long long)st.batches,
	       st.batches ? (double)st.served / (double)st.batches : 0.0, (unsigned long long)st.longest_batch);
}

static void print_age(const char *what, int64_t seconds, const char *after)
{
	if (seconds < 120)
		printf("%s%lld s%s\n", what, (long long)seconds, after);
	else if (seconds < 7200)
		printf("%s%lld min%s\n", what, (long long)seconds / 60, after);
	else if (seconds < 172800)
		printf("%s%lld h%s\n", what, (long long)seconds / 3600, after);
	else
		printf("%s%lld days%s\n", what, (long long)seconds / 86400, after);
}

/* Only where there is one. */
static void print_spare(const char *dir)
{
	char why[300];
	int64_t now = clock_now_s(), last = facts_get(dir, FACT_MIRROR, NULL, 0),
		bad = facts_get(dir, FACT_MIRROR_BAD, why, sizeof why);

	if (last)
		print_age("the spare    has everything up to ", now - last, " ago");
	if (bad)
		printf("the spare    does not get its copy: %s\n", why);
}

/* A clock that was just set: what waits until it is believed. */
static void print_clock(struct clockwatch *w)
{
	int64_t step = clockwatch_last_step(w);

	if (clockwatch_settled(w))
		return;
	if (clockwatch_doubted(w)) {
		printf("clock        %lld days past the newest row of the book: is it right?  Until the network sets it, or "
		       "staff have"
		       " done something at the desk, no guest is reminded, forgotten or taken off the waitlist\n",
		       (long long)step / 86400);
		return;
	}
	printf("clock        set %s by %lld s: is it right now?  For ten minutes no guest is reminded, forgotten or taken off "
	       "the waitlist\n",
	       step < 0 ? "back" : "forward", (long long)(step < 0 ? -step : step));
}

/* The log grows long while a process reads the book and does not end. */
static void print_log(const char *dir)
{
	char path[4096], log[4200];
	struct stat st;
	int reader;

	db_path(dir, path);
	snprintf(log, sizeof log, "%s-wal", path);
	if (stat(log, &st) != 0 || st.st_size < (off_t)DB_LOG_LONG_PAGES * DB_PAGE_SIZE)
		return;
	printf("its log      %.1f MB", (double)st.st_size / 1e6);
	reader = holders_reader(path);
	if (reader)
		printf("; process %d reads the book and keeps the log from beginning anew", reader);
	printf("\n");
}

/* What the owner asks first. */
static void print_house(const struct cli_options *o, bool served)
{
	int64_t now = clock_now_s();
	char path[4200];
	struct overview house;
	struct stat st;
	struct db db;

	printf("jari         %s, for books of version %d\n", JARI_VERSION, DB_VERSION);
	snprintf(path, sizeof path, "%s/jari.sock", o->dir);
	if (served && stat(path, &st) == 0)
		print_age("up for       ", now - st.st_mtime, "");
	if (db_open(&db, o->dir, NULL) != ERR_OK)
		return;
	if (overview_read(&db, o->dir, now, &house) == ERR_OK) {
		printf("today        %lld %s, %lld %s\n", (long long)house.parties_today,
		       house.parties_today == 1 ? "party" : "parties", (long long)house.people_today,
		       house.people_today == 1 ? "person" : "people");
		printf("holds        %lld %s for payment\n", (long long)house.holds, house.holds == 1 ? "waits" : "wait");
		printf("messages     %lld to be sent, %lld given up in the last week\n", (long long)house.messages_queued,
		       (long long)house.messages_failed);
		printf("the book     %.1f MB\n", (double)house.bytes / 1e6);
		print_log(o->dir);
		if (house.backup_s)
			print_age("last backup  ", now - house.backup_s, " ago");
		else
			printf("last backup  none yet; `jari backup FILE` makes one\n");
	}
	db_close(&db);
}

/* Who has it for longer than guests are used to, the owner must know as well. */
static void print_pen(struct pen *pen, bool all)
{
	int holder = pen_holder(pen);
	int64_t ms = pen_held_ms(pen);

	if (holder && (all || ms > LONG_MS))
		printf("pen          held by %d for %lld ms\n", holder, (long long)ms);
	else if (all)
		printf("pen          free\n");
}

/* For the person who looks after the box. */
static void print_all(struct hall *hall, int supervisor)
{
	int processes = 0;
	long kb = tree_kb(supervisor, &processes);

	print_workers(hall->board);
	print_line(hall->line);
	printf("memory       %.1f MB (PSS of %d processes)\n", (double)kb / 1024, processes);
	for (int c = 0; c < COUNTER__MAX; c++)
		printf("%-20s %llu\n", counters_row((enum counter)c)->name,
		       (unsigned long long)counters_get(hall->counters, (enum counter)c));
}

int cli_status(const struct cli_options *o)
{
	static struct hall hall;
	int pid;
	enum err e;

	if (cli_tell_role(o))
		return CLI_FAILED;
	if (!cli_book_writable(o)) /* or we could not even see whether it is being served */
		return CLI_FAILED;
	pid = serving_pid(o->dir);
	if (!pid) {
		print_house(o, false);
		printf("serving      no: %s is not being served\n", o->dir);
		cli_tell_start(o->dir);
		return CLI_FAILED;
	}
	e = hall_attach(&hall, o->dir);
	if (e != ERR_OK)
		return cli_fail(e, "%s", o->dir);
	print_house(o, true);
	print_network(hall.board, "courier", BOARD_COURIER, board_courier_seen(hall.board), "none: no message leaves the box");
	print_network(hall.board, "cashier", BOARD_CASHIER, board_cashier_seen(hall.board), "none: no payment online goes on");
	print_spare(o->dir);
	print_clock(hall.clock);
	print_pen(hall.pen, o->all);
	printf("serving      %s, supervisor %d%s\n", o->dir, pid, o->all ? "\n" : " (--all tells more)");
	if (o->all)
		print_all(&hall, pid);
	hall_leave(&hall);
	return CLI_OK;
}
