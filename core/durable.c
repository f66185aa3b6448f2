/*
 * durable.c - files that are on the disk when jari says so.
 */
#include "durable.h"

#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool flush(const char *path, int flags)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
	bool ok = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

bool durable_flush(const char *path)
{
	return flush(path, O_NOFOLLOW);
}

bool durable_flush_folder(const char *dir)
{
	return flush(dir, O_DIRECTORY); /* it may be a link to one */
}

/* The folder that this file is in. */
static bool flush_beside(const char *path)
{
	char copy[4400];

	snprintf(copy, sizeof copy, "%s", path);
	return durable_flush_folder(dirname(copy));
}

bool durable_rename(const char *from, const char *to)
{
	return durable_flush(from) && rename(from, to) == 0 && flush_beside(to);
}

bool durable_write(const char *path, const void *bytes, size_t n, unsigned mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
	bool ok = fd >= 0 && write(fd, bytes, n) == (ssize_t)n && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	if (fd >= 0 && !ok)
		unlink(path);
	return ok;
}
