/*
 * logs.c - the logs in DIR do not fill the disk.
 */
#include "logs.h"

#include "log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdbool.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/* Copies all of it; what is written meanwhile may be lost with the cut: it is a log. */
static bool copy_and_cut(int fd, off_t size, const char *to)
{
	off_t done = 0;
	bool ok;
	int out;

	unlink(to);
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
	if (out < 0)
		return ftruncate(fd, 0) == 0; /* a full disk needs the room more than the lines */
	while (done < size && sendfile(out, fd, &done, (size_t)(size - done)) > 0)
		;
	ok = close(out) == 0 && done == size;
	if (!ok)
		unlink(to);
	return ftruncate(fd, 0) == 0 && ok;
}

static void bound(const char *dir, const char *name)
{
	char path[4200], older[4300];
	struct stat st;
	int fd;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > LOGS_MAX) {
		snprintf(older, sizeof older, "%s.1", path);
		if (copy_and_cut(fd, st.st_size, older))
			log_info("logs.turned", "file=%s", name);
		else
			log_warn("logs.cut", "file=%s", name);
	}
	close(fd);
}

void logs_bound(const char *dir)
{
	static const char *const names[] = {"access.log", "nginx.log", "jari.log"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		bound(dir, names[i]);
}
