/*
 * stage.c - a copy of the book and the real appliance serving it.
 */
#include "stage.h"

#include "clock.h"
#include "backup.h"
#include "crowd.h"
#include "hall.h"
#include "setup.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/magic.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	OPEN_MS = 20000,   /* how long the appliance may take to open its door */
	STOP_MS = 45000,   /* its own patience with nginx and workers is shorter */
	ORPHAN_MS = 10000, /* how long what it started may outlive it */
	STEP_MS = 20,
	WARM_UP = 4,     /* questions a worker before the doors open */
	TMPDIR_MAX = 60, /* a longer TMPDIR leaves no room for the socket's name */
};

static bool make_folder(struct stage *s)
{
	const char *tmp = getenv("TMPDIR");
	struct statfs fs;
	char shape[STAGE_DIR_SIZE];

	if (!tmp || tmp[0] != '/' || strlen(tmp) > TMPDIR_MAX || access(tmp, W_OK | X_OK) != 0)
		tmp = "/tmp";
	snprintf(shape, sizeof shape, "%s/jari-rehearse-XXXXXX", tmp);
	if (!mkdtemp(shape))
		return false;
	memcpy(s->dir, shape, sizeof shape);
	s->in_memory = statfs(s->dir, &fs) == 0 && ((unsigned)fs.f_type == TMPFS_MAGIC || (unsigned)fs.f_type == RAMFS_MAGIC);
	return true;
}

enum err stage_make(struct stage *s, const char *from)
{
	char book[STAGE_DIR_SIZE + 16];
	struct setup_made made;
	enum err e;

	*s = (struct stage){.pid = 0};
	if (!make_folder(s))
		return ERR_BOOK_UNWRITABLE;
	snprintf(book, sizeof book, "%s/jari.db", s->dir);
	e = backup_make(from, book);
	if (e == ERR_BACKUP_STRANGE) /* a rehearsal needs no table of the owner's own */
		e = ERR_OK;
	return e == ERR_OK ? setup_make(s->dir, false, NULL, &made) : e;
}

/* A port that is free at this moment. */
static int free_port(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), port = 0;

	if (fd < 0)
		return 0;
	if (bind(fd, (struct sockaddr *)&a, sizeof a) == 0 && getsockname(fd, (struct sockaddr *)&a, &n) == 0)
		port = ntohs(a.sin_port);
	close(fd);
	return port;
}

/*
 * In the child: Ctrl-C is the rehearsal's to hear, so the appliance leaves its group; it does not
 * outlive the rehearsal; and it speaks into a file, for the case that it has to be quoted.
 */
static void become_appliance(const struct stage *s, const struct cli_options *o, pid_t parent)
{
	char port[12], workers[12], said[STAGE_DIR_SIZE + 16];
	char jari[] = "jari", up[] = "up", dir_is[] = "--dir", port_is[] = "--port", bind_is[] = "--bind",
	     loopback[] = "127.0.0.1", workers_is[] = "--workers", www_is[] = "--www", silent[] = "--no-courier";
	char dir[STAGE_DIR_SIZE], www[4096];
	char *argv[] = {jari,     up,     dir_is,     dir,     port_is, port, bind_is,
			loopback, silent, workers_is, workers, www_is,  www,  NULL};
	int fd;

	if (geteuid() == 0)
		setenv("JARI_USER", "root", 1); /* a rehearsal is play: a copy, on this machine only, for a minute */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	signal(SIGPIPE, SIG_DFL);
	snprintf(dir, sizeof dir, "%s", s->dir);
	snprintf(port, sizeof port, "%d", s->port);
	snprintf(workers, sizeof workers, "%d", o->workers);
	snprintf(www, sizeof www, "%s", o->www ? o->www : "");
	if (!o->www)
		argv[11] = NULL;
	snprintf(said, sizeof said, "%s/said", s->dir);
	fd = open(said, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
	if (fd >= 0) {
		dup2(fd, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
		close(fd);
	}
	execv("/proc/self/exe", argv);
	_exit(127);
}

/* What the appliance had to say before it ended. */
static void quote(const struct stage *s)
{
	char path[STAGE_DIR_SIZE + 16], text[2048];
	size_t n;
	FILE *f;

	snprintf(path, sizeof path, "%s/said", s->dir);
	f = fopen(path, "re");
	if (!f)
		return;
	n = fread(text, 1, sizeof text, f);
	fwrite(text, 1, n, stderr);
	fclose(f);
}

/* Has the appliance ended?  Then its process id is forgotten. */
static bool ended(struct stage *s)
{
	if (s->pid && waitpid(s->pid, NULL, WNOHANG) == s->pid)
		s->pid = 0;
	return s->pid == 0;
}

bool stage_start(struct stage *s, const struct cli_options *o, const volatile sig_atomic_t *stop)
{
	int64_t until = clock_mono_ms() + OPEN_MS;
	pid_t parent = getpid();
	int asked = 0;

	assert(s->dir[0] && !s->pid);
	s->port = free_port();
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* should it have to be killed, what it started becomes ours to wait for */
	s->pid = fork();
	if (s->pid == 0)
		become_appliance(s, o, parent);
	if (s->pid < 0) {
		s->pid = 0;
		return cli_fail(ERR_OK, "no process for the appliance: %s", strerror(errno)), false;
	}
	setpgid(s->pid, s->pid); /* parent and child both call it; the first one counts */
	while (!*stop && !ended(s) && clock_mono_ms() < until) {
		/* Workers open the book at their first request; on opening night they have been up for long. */
		if (crowd_door_is_open(s->port) && ++asked >= WARM_UP * o->workers)
			return true;
		if (asked == 0)
			clock_sleep_ms(STEP_MS);
	}
	if (!*stop) {
		cli_fail(ERR_OK, "the appliance did not open its door on the copy");
		quote(s);
	}
	return false;
}

void stage_stop(struct stage *s)
{
	int64_t until = clock_mono_ms() + STOP_MS;
	pid_t group = s->pid;

	if (s->pid)
		kill(s->pid, SIGTERM);
	while (!ended(s) && clock_mono_ms() < until)
		clock_sleep_ms(STEP_MS);
	if (s->pid) {
		kill(-group, SIGKILL); /* workers and keeper with it; nginx hears of its parent's death */
		s->pid = 0;
	}
	until = clock_mono_ms() + ORPHAN_MS;
	while (clock_mono_ms() < until && (waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD))
		clock_sleep_ms(STEP_MS);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	remove(path);
	return 0; /* go on: whatever can go goes */
}

void stage_clear(struct stage *s)
{
	static struct hall hall;

	stage_stop(s);
	if (!s->dir[0])
		return;
	if (hall_attach(&hall, s->dir) == ERR_OK) {
		hall_remove(&hall);
		hall_detach(&hall);
	}
	nftw(s->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	s->dir[0] = '\0';
}
