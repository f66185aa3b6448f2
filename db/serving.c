/*
 * serving.c - DIR/serve.lock: which process serves the book of this folder.
 */
#include "serving.h"

#include "clock.h"
#include "db.h"
#include "migrate.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { LOCK_WAIT_MS = 2000, LOCK_LOOK_MS = 5, KIND_SIZE = 40 };

/* Which jari this is, for others: what it makes of a book, and how its shared memory lies. */
static void write_kind(char out[KIND_SIZE])
{
	snprintf(out, KIND_SIZE, "%s-%016llx", migrate_hash(DB_VERSION), (unsigned long long)hall_stamp());
}

/* "PID KIND" of the process that holds the lock; false: none does.  Early versions wrote the pid alone. */
static bool read_lock(const char *dir, int *pid, char kind[KIND_SIZE])
{
	char path[4200], text[64] = "";
	bool held;
	int fd;

	snprintf(path, sizeof path, "%s/serve.lock", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	*pid = 0;
	kind[0] = '\0';
	held = flock(fd, LOCK_SH | LOCK_NB) != 0 && read(fd, text, sizeof text - 1) > 0 &&
	       sscanf(text, "%d %39s", pid, kind) >= 1;
	close(fd);
	return held;
}

int serving_pid(const char *dir)
{
	char kind[KIND_SIZE];
	int pid;

	return read_lock(dir, &pid, kind) ? pid : 0;
}

bool serving_by_another(const char *dir)
{
	char kind[KIND_SIZE], ours[KIND_SIZE];
	int pid;

	write_kind(ours);
	return read_lock(dir, &pid, kind) && strcmp(kind, ours) != 0;
}

/*
 * A command that asks who serves holds the lock for a moment, shared: that is no supervisor, so it is waited for.  A
 * supervisor holds it alone, so where a shared lock is refused too, the book is being served.
 */
static bool lock_alone(int fd)
{
	int64_t end_ms = clock_mono_ms() + LOCK_WAIT_MS;

	while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (flock(fd, LOCK_SH | LOCK_NB) != 0 || clock_mono_ms() > end_ms)
			return false;
		flock(fd, LOCK_UN);
		clock_sleep_ms(LOCK_LOOK_MS);
	}
	return true;
}

bool serving_take(const char *dir, int *fd)
{
	char path[4200], kind[KIND_SIZE];

	write_kind(kind);
	snprintf(path, sizeof path, "%s/serve.lock", dir);
	*fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, shm_file_mode(dir));
	return *fd >= 0 && lock_alone(*fd) && ftruncate(*fd, 0) == 0 && dprintf(*fd, "%d %s\n", (int)getpid(), kind) > 0;
}
