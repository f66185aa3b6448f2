/*
 * tape.c - every change of some folders, in order.
 */
#include "tape.h"

#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILES = 512, PIDS = 256 };

/* The folders as they are now. */
struct entry {
	char path[TAPE_PATH];
	ino_t ino;
	int file;
};
static struct {
	struct entry entries[FILES];
	int count;
} now;
static struct {
	ino_t ino;
	size_t n;
	char *bytes;
} files[FILES];
static pid_t watched[PIDS];

static struct tape_event *tell(struct tape *t, enum tape_kind kind, int file)
{
	if (t->count == t->room) {
		t->room = t->room ? t->room * 2 : 256;
		t->events = realloc(t->events, t->room * sizeof *t->events);
		assert_non_null(t->events);
	}
	t->events[t->count] = (struct tape_event){.kind = kind, .file = file};
	return &t->events[t->count++];
}

/* ---- what has changed ---- */

/* The whole of a file, by any of its names. */
static char *slurp(const char *path, size_t *n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *bytes = NULL;
	struct stat st;

	*n = 0;
	if (fd >= 0 && fstat(fd, &st) == 0) {
		bytes = malloc((size_t)st.st_size + 1);
		assert_non_null(bytes);
		for (ssize_t got; (got = pread(fd, bytes + *n, (size_t)st.st_size - *n, (off_t)*n)) > 0;)
			*n += (size_t)got;
	}
	close(fd);
	return bytes;
}

static void look_at_data(struct tape *t, int file, const char *path)
{
	size_t n, same = 0, tail = 0, old = files[file].n;
	char *bytes = slurp(path, &n);
	struct tape_event *e;

	while (same < n && same < old && bytes[same] == files[file].bytes[same])
		same++;
	while (tail < n - same && n == old && bytes[n - 1 - tail] == files[file].bytes[n - 1 - tail])
		tail++;
	if (same == n && n == old) {
		free(bytes);
		return;
	}
	e = tell(t, TAPE_DATA, file);
	e->n = n;
	e->offset = same;
	e->count = n - same - tail;
	e->bytes = malloc(e->count + 1);
	assert_non_null(e->bytes);
	memcpy(e->bytes, bytes + same, e->count);
	free(files[file].bytes);
	files[file].bytes = bytes;
	files[file].n = n;
}

static const struct entry *named(const struct entry *in, int count, const char *path)
{
	for (int i = 0; i < count; i++)
		if (strcmp(in[i].path, path) == 0)
			return &in[i];
	return NULL;
}

/* A file that has a name, or else the newest that had this number: the disk gives numbers away again. */
static int file_of(const struct tape *t, ino_t ino)
{
	for (int i = 0; i < now.count; i++)
		if (now.entries[i].ino == ino)
			return now.entries[i].file;
	for (int i = t->files - 1; i >= 0; i--)
		if (files[i].ino == ino)
			return i;
	return -1;
}

/* Regular files by name; what no power cut leaves behind is left out. */
static int list(const struct tape *t, struct entry out[FILES])
{
	int n = 0;

	for (const char *const *folder = t->folders; *folder; folder++) {
		DIR *d = opendir(*folder);
		struct dirent *found;
		struct stat st;

		while (d && (found = readdir(d))) {
			size_t length = strlen(found->d_name);

			if (length > 4 && strcmp(found->d_name + length - 4, "-shm") == 0)
				continue;
			snprintf(out[n].path, TAPE_PATH, "%s/%.100s", *folder, found->d_name);
			if (lstat(out[n].path, &st) != 0 || !S_ISREG(st.st_mode))
				continue;
			out[n].ino = st.st_ino;
			assert_true(++n < FILES);
		}
		if (d)
			closedir(d);
	}
	return n;
}

/* One system call has happened: at most one name has come and at most one has gone, or two were exchanged. */
static void look_at_names(struct tape *t)
{
	static struct entry fresh[FILES];
	const char *gone = "";
	int n = list(t, fresh);

	for (int i = 0; i < now.count; i++)
		if (!named(fresh, n, now.entries[i].path))
			gone = now.entries[i].path;
	for (int i = 0; i < n; i++) {
		const struct entry *was = named(now.entries, now.count, fresh[i].path);
		struct tape_event *e;

		if (was && was->ino == fresh[i].ino) {
			fresh[i].file = was->file;
			continue;
		}
		fresh[i].file = -1;
		for (int j = 0; j < now.count; j++)
			if (now.entries[j].ino == fresh[i].ino)
				fresh[i].file = now.entries[j].file;
		if (fresh[i].file < 0) {
			assert_true(t->files < FILES);
			fresh[i].file = t->files;
			files[t->files].n = 0;
			files[t->files].bytes = NULL;
			files[t->files++].ino = fresh[i].ino;
		}
		e = tell(t, TAPE_NAMES, fresh[i].file);
		memcpy(e->to, fresh[i].path, TAPE_PATH);
		snprintf(e->from, TAPE_PATH, "%s", gone);
		gone = "";
		look_at_data(t, fresh[i].file, fresh[i].path);
	}
	if (*gone)
		snprintf(tell(t, TAPE_NAMES, -1)->from, TAPE_PATH, "%s", gone);
	memcpy(now.entries, fresh, sizeof now.entries);
	now.count = n;
}

/* ---- system calls ---- */

enum what { NOTHING, OPENS, NAMES, DATA, FLUSHES };

struct call {
	enum what what;
	int fd; /* which argument is the file that changes */
};

static struct call classify(const struct __ptrace_syscall_info *info)
{
	const uint64_t *a = info->entry.args;

	switch (info->entry.nr) {
#ifdef SYS_open
	case SYS_open:
		return (struct call){a[1] & (O_CREAT | O_TRUNC) ? OPENS : NOTHING, 0};
	case SYS_creat:
		return (struct call){OPENS, 0};
	case SYS_rename:
	case SYS_link:
	case SYS_unlink:
		return (struct call){NAMES, 0};
#endif
#ifdef SYS_renameat
	case SYS_renameat:
#endif
	case SYS_renameat2:
	case SYS_linkat:
	case SYS_unlinkat:
		return (struct call){NAMES, 0};
	case SYS_openat:
		return (struct call){a[2] & (O_CREAT | O_TRUNC) ? OPENS : NOTHING, 0};
#ifdef SYS_ftruncate64
	case SYS_ftruncate64:
	case SYS_sendfile64:
#endif
	case SYS_write:
	case SYS_pwrite64:
	case SYS_writev:
	case SYS_pwritev:
	case SYS_ftruncate:
	case SYS_fallocate:
	case SYS_sendfile:
		return (struct call){DATA, (int)a[0]};
	case SYS_copy_file_range:
		return (struct call){DATA, (int)a[2]};
	case SYS_fsync:
	case SYS_fdatasync:
		return (struct call){FLUSHES, (int)a[0]};
	default:
		return (struct call){NOTHING, 0};
	}
}

/* Is the file behind this descriptor in one of the folders, or one of them? */
static bool is_ours(const struct tape *t, pid_t pid, int fd, char path[64], char name[PATH_MAX])
{
	ssize_t n;

	snprintf(path, 64, "/proc/%d/fd/%d", (int)pid, fd);
	n = readlink(path, name, PATH_MAX - 1);
	name[n > 0 ? n : 0] = '\0';
	for (const char *const *folder = t->folders; *folder; folder++)
		if (strncmp(name, *folder, strlen(*folder)) == 0)
			return !strstr(name, "-shm");
	return false;
}

static void after(struct tape *t, pid_t pid, struct call call, int64_t result)
{
	char path[64], name[PATH_MAX];
	struct stat st;
	int file;

	if (call.what == NAMES || call.what == OPENS)
		look_at_names(t);
	if (call.what == NAMES)
		return;
	if (call.what == OPENS)
		call.fd = (int)result;
	if (!is_ours(t, pid, call.fd, path, name) || stat(path, &st) != 0)
		return;
	if (S_ISDIR(st.st_mode)) {
		snprintf(tell(t, TAPE_FLUSH_NAMES, -1)->to, TAPE_PATH, "%.150s", name);
		return;
	}
	file = file_of(t, st.st_ino);
	if (!S_ISREG(st.st_mode) || file < 0)
		return;
	look_at_data(t, file, path);
	if (call.what == FLUSHES)
		tell(t, TAPE_FLUSH, file);
}

/* ---- the processes ---- */

static bool ask(pid_t pid, struct __ptrace_syscall_info *info)
{
	return ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof *info, info) > 0;
}

static int place_of(pid_t pid)
{
	for (int i = 0; i < PIDS; i++)
		if (watched[i] == pid)
			return i;
	return -1;
}

/* A system call begins: one that changes something is seen to its end before any other process goes on. */
static void step(struct tape *t, pid_t pid)
{
	struct __ptrace_syscall_info info;
	struct call call;
	int status;

	if (!ask(pid, &info) || info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return;
	call = classify(&info);
	if (call.what == NOTHING || ptrace(PTRACE_SYSCALL, pid, 0, 0) != 0)
		return;
	if (waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status) && ask(pid, &info) &&
	    info.op == PTRACE_SYSCALL_INFO_EXIT && !info.exit.is_error)
		after(t, pid, call, info.exit.rval);
}

static void stopped(struct tape *t, pid_t pid, int status)
{
	int signal = WSTOPSIG(status), place = place_of(pid);

	if (place < 0) {
		place = place_of(0);
		assert_true(place >= 0);
		watched[place] = pid;
		if (signal == SIGSTOP)
			signal = 0; /* that is how a new child reports */
	}
	if (signal == (SIGTRAP | 0x80))
		step(t, pid);
	if (status >> 16 || signal == (SIGTRAP | 0x80))
		signal = 0;
	ptrace(PTRACE_SYSCALL, pid, 0, (long)signal);
}

int tape_until(struct tape *t, pid_t pid, int ms)
{
	for (int idle_us = 0; idle_us / 1000 < ms;) {
		int status, place;
		pid_t who = waitpid(-1, &status, __WALL | WNOHANG);

		if (who <= 0) {
			usleep(100);
			idle_us += 100;
			continue;
		}
		if (WIFSTOPPED(status)) {
			stopped(t, who, status);
			continue;
		}
		place = place_of(who);
		if (place >= 0)
			watched[place] = 0;
		if (who == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	return -1;
}

pid_t tape_spawn(const char *log, const char *const *argv)
{
	union {
		const char *const *in;
		char *const *out;
	} words = {.in = argv};
	pid_t pid = fork();
	int status, fd;

	assert_true(pid >= 0);
	if (pid == 0) {
		fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
		dup2(fd, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		execvp(words.out[0], words.out);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, __WALL), pid);
	watched[place_of(0)] = pid;
	assert_int_equal(ptrace(PTRACE_SETOPTIONS, pid, 0,
				PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
					PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL),
			 0);
	ptrace(PTRACE_SYSCALL, pid, 0, 0);
	return pid;
}

void tape_begin(struct tape *t, const char *const *folders)
{
	*t = (struct tape){.folders = folders};
	now.count = 0;
	look_at_names(t);
	t->before = t->count;
}

void tape_stop(void)
{
	int status;

	for (int i = 0; i < PIDS; i++) {
		if (watched[i] > 0 && kill(watched[i], SIGKILL) == 0)
			while (waitpid(watched[i], &status, __WALL) == watched[i] && WIFSTOPPED(status))
				;
		watched[i] = 0;
	}
}

bool tape_whole(struct tape *t)
{
	size_t told = t->count;

	look_at_names(t);
	for (int i = 0; i < now.count; i++)
		look_at_data(t, now.entries[i].file, now.entries[i].path);
	return t->count == told;
}

void tape_free(struct tape *t)
{
	tape_stop();
	for (size_t i = 0; i < t->count; i++)
		free(t->events[i].bytes);
	for (int i = 0; i < t->files; i++) {
		free(files[i].bytes);
		files[i].bytes = NULL;
	}
	free(t->events);
	*t = (struct tape){0};
}
