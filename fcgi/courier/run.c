/*
 * run.c - another program, for a message.
 */
#include "run.h"

#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEP_MS = 100 };

struct running {
	pid_t pid;
	int in, out, said; /* our ends: its standard input, output and error; -1: closed */
};

/* In the child: a group of its own, nothing of ours but the three pipes, and an environment that says nothing. */
static void be_program(const char *const argv[], const int in[2], const int out[2], const int said[2])
{
	static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin", lang[] = "LANG=C.UTF-8";
	char *environment[] = {path, lang, NULL};
	union {
		const char *const *in;
		char *const *out;
	} args = {.in = argv};
	sigset_t none;

	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || dup2(said[1], 2) < 0)
		_exit(RUN_NOT_FOUND);
	execve(argv[0], args.out, environment);
	_exit(RUN_NOT_FOUND);
}

static void shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_both(const int p[2])
{
	close(p[0]);
	close(p[1]);
}

static bool start(struct running *r, const char *const argv[])
{
	int in[2], out[2], said[2];

	if (pipe2(in, O_CLOEXEC) != 0)
		return false;
	if (pipe2(out, O_CLOEXEC) != 0) {
		close_both(in);
		return false;
	}
	if (pipe2(said, O_CLOEXEC) != 0) {
		close_both(in);
		close_both(out);
		return false;
	}
	r->pid = fork();
	if (r->pid == 0)
		be_program(argv, in, out, said);
	close(in[0]);
	close(out[1]);
	close(said[1]);
	*r = (struct running){.pid = r->pid, .in = in[1], .out = out[0], .said = said[0]};
	fcntl(r->in, F_SETFL, O_NONBLOCK);
	if (r->pid < 0) {
		shut(&r->in);
		shut(&r->out);
		shut(&r->said);
	}
	return r->pid > 0;
}

/* What comes, as much of it as there is room for; the rest is read and forgotten, so that the program never blocks. */
static void take(int *fd, char *out, size_t size, size_t *used)
{
	char bytes[1024];
	ssize_t n = read(*fd, bytes, sizeof bytes);

	if (n <= 0) {
		if (n == 0 || errno != EINTR)
			shut(fd);
		return;
	}
	if (*used + (size_t)n >= size)
		n = (ssize_t)(size - 1 - *used);
	memcpy(out + *used, bytes, (size_t)n);
	*used += (size_t)n;
}

static void give(struct running *r, const char **input, size_t *n)
{
	ssize_t done = *n ? write(r->in, *input, *n) : 0;

	if (done > 0) {
		*input += done;
		*n -= (size_t)done;
	}
	if (!*n || (done < 0 && errno != EAGAIN && errno != EINTR))
		shut(&r->in);
}

/* Until it has closed both of its ends, or the time is over. */
static void talk(struct running *r, const char *input, size_t n, int64_t until_ms, char *out, size_t size)
{
	char said[256] = "";
	size_t used = 0, said_used = 0, cut;

	while ((r->out >= 0 || r->said >= 0) && clock_mono_ms() < until_ms) {
		struct pollfd p[3] = {
			{.fd = r->in, .events = POLLOUT}, {.fd = r->out, .events = POLLIN}, {.fd = r->said, .events = POLLIN}};

		if (poll(p, 3, STEP_MS) <= 0)
			continue;
		if (r->in >= 0 && p[0].revents)
			give(r, &input, &n);
		if (r->out >= 0 && p[1].revents)
			take(&r->out, out, size, &used);
		if (r->said >= 0 && p[2].revents)
			take(&r->said, said, sizeof said, &said_used);
	}
	out[used] = '\0';
	said[said_used] = '\0';
	if (!used) {
		cut = said_used < size ? said_used : size - 1;
		memcpy(out, said, cut);
		out[cut] = '\0';
	}
}

static bool is_safe(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && (st.st_uid == geteuid() || st.st_uid == 0) &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH)) && access(path, X_OK) == 0;
}

bool run_find(const char *dir, const char *name, char path[RUN_PATH])
{
	snprintf(path, RUN_PATH, "%s/%s", dir, name);
	if (is_safe(path))
		return true;
	snprintf(path, RUN_PATH, RUN_ETC "/%s", name);
	return is_safe(path);
}

int run_program(const char *const argv[], const char *input, size_t n, int seconds, char *out, size_t size)
{
	int64_t until = clock_mono_ms() + seconds * INT64_C(1000);
	struct running r = {.in = -1, .out = -1, .said = -1};
	int status = 0;
	bool late;

	assert(argv[0] && size > 0);
	out[0] = '\0';
	if (!start(&r, argv))
		return RUN_LATER;
	talk(&r, input, n, until, out, size);
	shut(&r.in);
	while (waitpid(r.pid, &status, WNOHANG) == 0 && clock_mono_ms() < until)
		clock_sleep_ms(5);
	late = clock_mono_ms() >= until && kill(r.pid, 0) == 0;
	kill(-r.pid, SIGKILL); /* whatever it has started and left behind */
	if (late)
		waitpid(r.pid, &status, 0);
	shut(&r.out);
	shut(&r.said);
	if (late)
		return RUN_TIMED_OUT;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
