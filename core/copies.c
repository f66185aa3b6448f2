/*
 * copies.c - old copies of the book in its folder, and which of them go.
 */
#include "copies.h"

#include "log.h"
#include "swap.h"

#include <dirent.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	COPIES_MAX = 256, /* of one kind that are looked at; the others another time */
	UPLOAD_S = 3600,  /* a backup that is sent in parts makes no pause as long as this */
};

static void put_path(char out[SWAP_PATH], const char *dir, const char *name, const char *tail)
{
	snprintf(out, SWAP_PATH, "%s/%s%s", dir, name, tail);
}

/* Of a backup that was sent to the set-up page and never put in place: a whole book with its key may be in it. */
static void drop_upload(const char *dir, int64_t now_s)
{
	char path[SWAP_PATH];
	struct stat st;

	put_path(path, dir, "restore.part", "");
	/* One of a time to come was sent while the clock was wrong. */
	if (lstat(path, &st) == 0 && llabs((long long)(now_s - st.st_mtim.tv_sec)) > UPLOAD_S)
		unlink(path);
}

/* A copy that may be removed. */
struct copy {
	char name[NAME_MAX + 1];
	struct timespec since; /* its name has been there */
	bool ahead;            /* the clock was wrong then: its age is unknown */
};

static int newest_first(const void *a, const void *b)
{
	const struct copy *x = a, *y = b;

	if (x->ahead != y->ahead)
		return x->ahead ? 1 : -1; /* it takes no place of one whose age is known */
	if (x->since.tv_sec != y->since.tv_sec)
		return x->since.tv_sec < y->since.tv_sec ? 1 : -1;
	return (x->since.tv_nsec < y->since.tv_nsec) - (x->since.tv_nsec > y->since.tv_nsec);
}

static bool is_beside(const char *name)
{
	for (size_t i = 0; i < SWAP_BESIDE; i++) {
		size_t n = strlen(name), tail = strlen(swap_beside[i]);

		if (n > tail && strcmp(name + n - tail, swap_beside[i]) == 0)
			return true;
	}
	return false;
}

static void remove_copy(const char *dir, const char *name)
{
	char path[SWAP_PATH];

	put_path(path, dir, name, "");
	if (unlink(path) != 0)
		return;
	log_info("copy.removed", "file=%s", path);
	for (size_t i = 0; i < SWAP_BESIDE; i++) {
		put_path(path, dir, name, swap_beside[i]);
		unlink(path);
	}
}

/* Whether this is a copy; an empty file is none, and goes: the disk was full when it was to be made. */
static bool is_copy(const char *dir, const char *name, struct copy *out)
{
	char path[SWAP_PATH];
	struct stat st;

	put_path(path, dir, name, "");
	if (is_beside(name) || lstat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	if (st.st_size == 0)
		remove_copy(dir, name);
	snprintf(out->name, sizeof out->name, "%s", name);
	/* Not the time of its content: a book before a restore may not have been written for long. */
	out->since = st.st_ctim;
	return st.st_size > 0;
}

/* The copies of one kind, in no order. */
static size_t find_copies(const char *dir, const char *shape, struct copy *out)
{
	DIR *d = opendir(dir);
	const struct dirent *entry;
	size_t n = 0;

	while (d && n < COPIES_MAX && (entry = readdir(d)))
		if (fnmatch(shape, entry->d_name, 0) == 0)
			n += is_copy(dir, entry->d_name, &out[n]);
	if (d)
		closedir(d);
	return n;
}

static void thin_out(const char *dir, const char *shape, int64_t now_s)
{
	struct copy *copies = calloc(COPIES_MAX, sizeof *copies);
	size_t n = copies ? find_copies(dir, shape, copies) : 0;

	for (size_t i = 0; i < n; i++)
		copies[i].ahead = copies[i].since.tv_sec > now_s;
	if (n)
		qsort(copies, n, sizeof *copies, newest_first);
	for (size_t i = COPIES_KEPT; i < n; i++)
		if (now_s - copies[i].since.tv_sec > COPIES_DAYS * 86400)
			remove_copy(dir, copies[i].name);
	free(copies);
}

void copies_tidy(const char *dir, int64_t now_s)
{
	swap_clear(dir);
	if (swap_pending(dir))
		return;
	drop_upload(dir, now_s);
	thin_out(dir, "jari.db.before-restore-*", now_s);
	thin_out(dir, "secret.key.before-restore-*", now_s);
	thin_out(dir, "jari.db.before-[0-9][0-9][0-9][0-9]", now_s);
}

/* Weeks begin on Monday; 1970 began on a Thursday. */
static int64_t week_of(int64_t day)
{
	return (day + 3) / 7;
}

void copies_choose(const int64_t *days, size_t n, int64_t today, bool *stays)
{
	int ahead = 0, daily = 0, weekly = 0;

	for (size_t i = 0; i < n; i++) {
		bool week_begins = i + 1 == n || week_of(days[i + 1]) != week_of(days[i]);

		if (days[i] > today)
			stays[i] = ahead++ < COPIES_KEPT;
		else if (daily < COPIES_DAILY)
			stays[i] = daily++ < COPIES_DAILY;
		else
			stays[i] = week_begins && weekly++ < COPIES_WEEKLY;
	}
}
