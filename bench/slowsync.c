/*
 * slowsync.c - a slow disk: preloaded, it delays every flush of the book by SLOWSYNC_MS milliseconds.
 *
 * Only jari.db and its -wal are slow; the real flush is still made.  The delay is a sleep, as it is
 * with a real card: the processor is free meanwhile.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int flush(int);

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

static void delay(int fd)
{
	const char *ms_text = getenv("SLOWSYNC_MS");
	long ms = ms_text ? atol(ms_text) : 0;
	char link[64], name[4096];
	ssize_t n;

	if (ms <= 0)
		return;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, name, sizeof name - 1);
	if (n <= 0)
		return;
	name[n] = '\0';
	if (ends_with(name, "/jari.db") || ends_with(name, "/jari.db-wal"))
		nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

/* ISO C knows no conversion from the object pointer of dlsym to a function's. */
static flush *real(const char *name)
{
	union {
		void *object;
		flush *function;
	} found = {.object = dlsym(RTLD_NEXT, name)};

	if (!found.function)
		abort();
	return found.function;
}

int fsync(int fd)
{
	delay(fd);
	return real("fsync")(fd);
}

int fdatasync(int fd)
{
	delay(fd);
	return real("fdatasync")(fd);
}
