/*
 * supervise.c - the parent of all.
 *
 * It never opens the book: a connection may not cross a fork.  Migrations run in a child of their
 * own before the workers start.
 */
#include "supervise.h"

#include "clock.h"
#include "hall.h"
#include "keeper.h"
#include "log.h"
#include "migrate.h"
#include "token.h"
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	BACKLOG = 4096, /* a whole rush may knock at once; beyond it nginx answers 502 */
	TICK_MS = 100,
	BACKOFF_FIRST_MS = 10,
	BACKOFF_MAX_MS = 5000,
	STEADY_MS = 10000,  /* a child that lived this long starts again without delay */
	STOPPED_MS = 1000,  /* how long a child may be stopped (SIGSTOP) before it is killed */
	DRAIN_MS = 25000,   /* how long workers may take to finish what they have in hand */
	WEB_DRAIN_MS = 10000,
};

struct child {
	pid_t pid;              /* 0: not running */
	int64_t started_ms;
	int64_t start_again_ms; /* when to start it, if it is not running */
	int64_t stopped_ms;     /* since when it has been stopped; 0: it has not */
	int backoff_ms;
	uint64_t served;        /* what its place had served when it started */
};

static struct {
	const struct supervise_plan *plan;
	struct hall hall;
	int listen_fd, lock_fd;
	struct child children[BOARD_PLACES]; /* workers, then the keeper */
	struct child web;
	int replacing; /* place of the worker being replaced by SIGHUP, or -1 */
	sigset_t signals, before;
} s;

static int keeper_place(void)
{
	return s.plan->workers;
}

/* In the child: its own signals, and no life without a parent. */
static void be_child(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	sigprocmask(SIG_SETMASK, &s.before, NULL);
}

static void started(struct child *c, pid_t pid)
{
	c->pid = pid;
	c->started_ms = clock_mono_ms();
	c->stopped_ms = 0;
}

static void start_place(int place)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0) {
		be_child(parent);
		exit(place == keeper_place() ? keeper_run(s.plan->dir, place) : worker_run(s.plan->dir, s.listen_fd, place));
	}
	if (pid < 0) {
		log_error("supervise.fork", "why=\"%s\"", strerror(errno));
		s.children[place].start_again_ms = clock_mono_ms() + BACKOFF_MAX_MS;
		return;
	}
	started(&s.children[place], pid);
	s.children[place].served = board_read(s.hall.board, place).served;
	board_seat(s.hall.board, place, place == keeper_place() ? BOARD_KEEPER : BOARD_WORKER, pid);
	board_count(s.hall.board, BOARD_worker_starts);
}

static void start_web(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0) {
		union {
			const char *const *in;
			char *const *out;
		} argv = {.in = s.plan->web};

		be_child(parent);
		setpgid(0, 0); /* Ctrl-C is ours to pass on, as a graceful quit */
		execv(argv.out[0], argv.out);
		_exit(127);
	}
	if (pid > 0)
		started(&s.web, pid);
}

/* A child has ended; when does the next one start? */
static void put_off(struct child *c, bool expected)
{
	int64_t now = clock_mono_ms();

	if (expected || now - c->started_ms > STEADY_MS)
		c->backoff_ms = 0;
	c->start_again_ms = now + c->backoff_ms;
	c->backoff_ms = c->backoff_ms ? c->backoff_ms * 2 : BACKOFF_FIRST_MS;
	if (c->backoff_ms > BACKOFF_MAX_MS)
		c->backoff_ms = BACKOFF_MAX_MS;
	c->pid = 0;
}

static void child_ended(struct child *c, int place, int status)
{
	bool clean = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	/* Delays are for those who cannot start; one who did his work is replaced at once, or the door would close. */
	bool worked = place >= 0 && board_read(s.hall.board, place).served != c->served;

	if (place >= 0)
		board_seat(s.hall.board, place, BOARD_EMPTY, 0);
	else if (!clean)
		kill(-c->pid, SIGQUIT); /* nginx's workers outlive a killed master and would keep its port */
	if (!clean) {
		board_count(s.hall.board, BOARD_worker_deaths);
		log_warn("supervise.died", "what=%s place=%d pid=%d %s=%d",
			 place < 0 ? "web" : place == keeper_place() ? "keeper" : "worker", place, (int)c->pid,
			 WIFSIGNALED(status) ? "signal" : "exit", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	}
	put_off(c, clean || worked);
	if (place >= 0 && place == s.replacing)
		s.replacing++; /* the next one's turn comes when this one is back */
}

static struct child *child_of(pid_t pid, int *place)
{
	*place = -1;
	if (pid == s.web.pid)
		return &s.web;
	for (int i = 0; i <= s.plan->workers; i++)
		if (s.children[i].pid == pid) {
			*place = i;
			return &s.children[i];
		}
	return NULL;
}

static void reap(void)
{
	int status, place;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
		struct child *c = child_of(pid, &place);

		if (!c)
			continue;
		if (WIFSTOPPED(status))
			c->stopped_ms = clock_mono_ms();
		else if (WIFCONTINUED(status))
			c->stopped_ms = 0;
		else
			child_ended(c, place, status);
	}
}

/* Whoever is stopped or has been busy for too long is killed, never raced: see pen.h. */
static void kill_hung(void)
{
	int64_t now = clock_mono_ms();

	for (int i = 0; i <= s.plan->workers; i++) {
		struct child *c = &s.children[i];
		struct board_place p = board_read(s.hall.board, i);
		bool stopped = c->stopped_ms && now - c->stopped_ms > STOPPED_MS;
		bool hung = p.busy_since_ms && now - p.busy_since_ms > s.plan->hang_ms;

		if (!c->pid || !(stopped || hung))
			continue;
		log_warn("supervise.hung", "place=%d pid=%d why=%s", i, (int)c->pid, stopped ? "stopped" : "busy");
		board_count(s.hall.board, BOARD_worker_hangs);
		kill(c->pid, SIGKILL);
		c->stopped_ms = 0;
	}
}

/* 'T' for a stopped process, as /proc tells it. */
static char state_of(int pid)
{
	char path[64], line[512];
	const char *p = NULL;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fgets(line, sizeof line, f))
		p = strrchr(line, ')');
	fclose(f);
	return p && p[1] ? p[2] : 0;
}

/* Has that process our hall in its memory?  A number left by a holder who was killed may be anybody's by now. */
static bool is_in_hall(int pid)
{
	char path[32], line[512];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/maps", pid);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof line, f))
		found = strstr(line, s.hall.shm.name) != NULL;
	if (f)
		fclose(f);
	return found;
}

/* Stopped for a second with something in its hand, and not our child (a command, a CGI process). */
static bool is_stopped_stranger(int holder, int64_t since)
{
	int place;

	return holder && since && clock_mono_ms() - since >= STOPPED_MS && !child_of(holder, &place) &&
	       state_of(holder) == 'T' && is_in_hall(holder);
}

/* With the pen nobody else writes; inside the queue lock nobody else even draws a ticket. */
static void kill_stopped_holder(void)
{
	int64_t since = pen_since_ms(s.hall.pen);
	int holder = pen_holder(s.hall.pen);

	if (!is_stopped_stranger(holder, since) || pen_holder(s.hall.pen) != holder) {
		holder = line_holder(s.hall.line, &since);
		if (!is_stopped_stranger(holder, since) || line_holder(s.hall.line, &since) != holder)
			return;
	}
	log_warn("supervise.hung", "pid=%d why=stopped_while_others_wait", holder);
	board_count(s.hall.board, BOARD_worker_hangs);
	kill(holder, SIGKILL);
}

static void start_due(void)
{
	int64_t now = clock_mono_ms();

	for (int i = 0; i <= s.plan->workers; i++)
		if (!s.children[i].pid && s.children[i].start_again_ms <= now)
			start_place(i);
	if (s.plan->web && !s.web.pid && s.web.start_again_ms <= now)
		start_web();
}

/* SIGHUP: one worker at a time is asked to go; it is replaced before the next one is. */
static void replace_next(void)
{
	if (s.replacing < 0)
		return;
	if (s.replacing >= s.plan->workers) {
		s.replacing = -1;
		log_info("supervise.replaced", "workers=%d", s.plan->workers);
		return;
	}
	if (s.replacing > 0 && !s.children[s.replacing - 1].pid)
		return;
	if (s.children[s.replacing].pid)
		kill(s.children[s.replacing].pid, SIGTERM);
	else
		s.replacing++;
}

/* Waits for a signal or the next tick. */
static int wait_signal(int ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

	return sigtimedwait(&s.signals, NULL, &t);
}

static bool anyone_left(int first, int last)
{
	for (int i = first; i <= last; i++)
		if (s.children[i].pid)
			return true;
	return false;
}

/* The web server first, gracefully: it takes no more requests and waits for the answers in hand. */
static void stop_web(void)
{
	int64_t until = clock_mono_ms() + WEB_DRAIN_MS;

	if (!s.web.pid)
		return;
	kill(s.web.pid, SIGQUIT);
	while (s.web.pid && clock_mono_ms() < until) {
		reap();
		if (s.web.pid)
			wait_signal(20);
	}
	if (s.web.pid)
		kill(s.web.pid, SIGTERM);
}

static void signal_places(int first, int last, int signal)
{
	for (int i = first; i <= last; i++)
		if (s.children[i].pid)
			kill(s.children[i].pid, signal);
}

/* Asks the children at these places to finish, waits for them, and ends those who do not. */
static void stop_places(int first, int last)
{
	int64_t until = clock_mono_ms() + DRAIN_MS;

	signal_places(first, last, SIGTERM);
	while (anyone_left(first, last)) {
		if (clock_mono_ms() > until)
			signal_places(first, last, SIGKILL);
		reap();
		kill_hung();
		kill_stopped_holder();
		if (anyone_left(first, last))
			wait_signal(20);
	}
}

/* Shared memory removed behind our back: everybody meets again in the new segment. */
static void keep_hall(void)
{
	if (!shm_gone(&s.hall.shm) || hall_refresh(&s.hall) != ERR_OK)
		return;
	board_supervisor_set(s.hall.board, getpid());
	for (int i = 0; i <= s.plan->workers; i++)
		if (s.children[i].pid)
			board_seat(s.hall.board, i, i == keeper_place() ? BOARD_KEEPER : BOARD_WORKER, s.children[i].pid);
}

/* ---- before the first fork ---- */

static int fail(const char *sentence, const char *detail)
{
	fprintf(stderr, "jari: %s%s%s\n", sentence, *detail ? ": " : "", detail);
	return EXIT_FAILURE;
}

int supervise_running(const char *dir)
{
	char path[4200], text[16] = "";
	int fd, pid = 0;

	snprintf(path, sizeof path, "%s/serve.lock", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (flock(fd, LOCK_SH | LOCK_NB) != 0 && read(fd, text, sizeof text - 1) > 0)
		pid = atoi(text);
	close(fd);
	return pid;
}

/* One supervisor a book. */
static bool take_place(const char *dir)
{
	char path[4200];

	snprintf(path, sizeof path, "%s/serve.lock", dir);
	s.lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0660);
	if (s.lock_fd < 0 || flock(s.lock_fd, LOCK_EX | LOCK_NB) != 0)
		return false;
	if (ftruncate(s.lock_fd, 0) != 0 || dprintf(s.lock_fd, "%d\n", (int)getpid()) < 0)
		return false;
	return true;
}

/* The socket is ours and nginx's group's, nobody else's: a peer of it could harm libfcgi. */
static bool open_socket(const char *dir)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	mode_t old;
	bool ok;

	if (snprintf(a.sun_path, sizeof a.sun_path, "%s/jari.sock", dir) >= (int)sizeof a.sun_path) {
		errno = ENAMETOOLONG;
		return false;
	}
	s.listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (s.listen_fd < 0)
		return false;
	unlink(a.sun_path);
	old = umask(0117);
	ok = bind(s.listen_fd, (struct sockaddr *)&a, sizeof a) == 0 && listen(s.listen_fd, BACKLOG) == 0;
	umask(old);
	return ok;
}

/* The book is made or brought up to date in a child: SQLite's state may not cross a fork. */
static enum err migrate_apart(const char *dir)
{
	int status;
	bool made;
	pid_t pid = fork();

	if (pid == 0)
		_exit((int)migrate_book(dir, &made));
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) >= ERR__MAX)
		return ERR_INTERNAL;
	return (enum err)WEXITSTATUS(status);
}

static int prepare(const struct supervise_plan *plan)
{
	enum err e;

	s.plan = plan;
	s.replacing = -1;
	if (!token_init())
		return fail("no randomness to be had", "");
	if (!take_place(plan->dir))
		return fail("this book is being served already, or its folder cannot be written", plan->dir);
	e = migrate_apart(plan->dir);
	if (e != ERR_OK)
		return fail(err_sentence(e, LANG_EN), plan->dir);
	e = hall_attach(&s.hall, plan->dir);
	if (e != ERR_OK)
		return fail("no shared memory to be had", strerror(errno));
	if (!open_socket(plan->dir))
		return fail(errno == ENAMETOOLONG ? "the folder's name is too long for a socket (100 characters)" :
						    "cannot listen on jari.sock",
			    plan->dir);
	sigemptyset(&s.signals);
	sigaddset(&s.signals, SIGTERM);
	sigaddset(&s.signals, SIGINT);
	sigaddset(&s.signals, SIGHUP);
	sigaddset(&s.signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &s.signals, &s.before);
	board_supervisor_set(s.hall.board, getpid());
	return EXIT_SUCCESS;
}

static void clean_up(void)
{
	char path[4200];

	for (int i = 0; i < BOARD_PLACES; i++)
		board_seat(s.hall.board, i, BOARD_EMPTY, 0);
	board_supervisor_set(s.hall.board, 0);
	hall_remove(&s.hall);
	snprintf(path, sizeof path, "%s/jari.sock", s.plan->dir);
	unlink(path);
	close(s.lock_fd);
}

int supervise_run(const struct supervise_plan *plan)
{
	int signal;

	log_name("supervisor");
	log_level_set(LOG_INFO);
	if (prepare(plan) != EXIT_SUCCESS)
		return EXIT_FAILURE;
	start_due();
	log_info("supervise.started", "workers=%d", plan->workers);
	if (plan->ready)
		plan->ready(plan->arg);
	for (;;) {
		signal = wait_signal(TICK_MS);
		if (signal == SIGTERM || signal == SIGINT)
			break;
		if (signal == SIGHUP && s.replacing < 0)
			s.replacing = 0;
		keep_hall();
		reap();
		kill_hung();
		kill_stopped_holder();
		start_due();
		replace_next();
	}
	log_info("supervise.stopping", "signal=%d", signal);
	stop_web();
	stop_places(0, plan->workers - 1);
	stop_places(keeper_place(), keeper_place()); /* last: it serves who is still in the line */
	clean_up();
	log_info("supervise.stopped", "requests=%llu", (unsigned long long)board_get(s.hall.board, BOARD_requests));
	return EXIT_SUCCESS;
}
