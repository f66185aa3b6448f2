/*
 * holders.c - which process holds SQLite's locks of a book.
 *
 * They are locks on bytes of the log's index (jari.db-shm), at the offsets that SQLite's file format gives them.
 */
#include "holders.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITES_FROM = 120, WRITES = 3 /* the writer's, the checkpointer's, the repairer's */, READS_FROM = 123, READS_TO = 127 };

bool holders_writes(const char *path, int pid)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = WRITES_FROM, .l_len = WRITES};
	char shm[4200];
	int fd;
	bool found;

	snprintf(shm, sizeof shm, "%s-shm", path);
	fd = open(shm, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return false;
	found = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK && lock.l_pid == pid;
	close(fd);
	return found;
}

int holders_reader(const char *path)
{
	char shm[4200], line[200];
	unsigned long long inode, from, to;
	struct stat st;
	int pid, found = 0;
	FILE *f;

	snprintf(shm, sizeof shm, "%s-shm", path);
	if (stat(shm, &st) != 0)
		return 0;
	f = fopen("/proc/locks", "re"); /* opening the index itself would take our own locks away */
	while (f && !found && fgets(line, sizeof line, f))
		if (sscanf(line, "%*d: POSIX %*s %*s %d %*x:%*x:%llu %llu %llu", &pid, &inode, &from, &to) == 4 &&
		    inode == st.st_ino && to >= READS_FROM && from <= READS_TO && pid != getpid())
			found = pid;
	if (f)
		fclose(f);
	return found;
}
