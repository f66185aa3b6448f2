/*
 * children.c - the supervisor's children: started, watched, replaced, stopped.
 */
#include "children.h"

#include "cashier.h"
#include "clock.h"
#include "closed.h"
#include "courier.h"
#include "keeper.h"
#include "log.h"
#include "worker.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	BACKOFF_FIRST_MS = 10,
	BACKOFF_MAX_MS = 5000,
	STEADY_MS = 10000, /* a child that lived this long starts again without delay */
};

/*
 * A row for each kind of child, in the order in which they are stopped: the web server first, so that no request comes
 * any more; then the workers; the couriers and the cashier, whose reports the keeper still writes; the keeper
 * last, because it serves the tickets that are still in the line.
 */
static const struct kind {
	const char *name;
	enum board_kind board; /* BOARD_EMPTY: has no post on the board */
	int (*run)(const char *dir, int listen_fd, int post);
	bool per_worker;  /* as many as the plan says; else one */
	bool replaceable; /* by SIGHUP, one by one */
	int stop, last;   /* the signal that asks it to finish, and the one for when it does not */
	int drain_ms;     /* how long it may take to finish what it has in hand */
	int nice;         /* in a rush every guest waits for the keeper, which writes: the others let it go first */
} kinds[] = {
	{"web", BOARD_EMPTY, NULL, false, false, SIGQUIT, SIGTERM, 10000, 0}, /* plan->web; SIGQUIT is graceful for nginx */
	{"worker", BOARD_WORKER, worker_run, true, true, SIGTERM, SIGKILL, 25000, 2},
	{"courier", BOARD_COURIER, courier_run, false, false, SIGTERM, SIGKILL, 3000, 5},
	{"codes", BOARD_CODES, courier_run_codes, false, false, SIGTERM, SIGKILL, 3000, 2},
	{"cashier", BOARD_CASHIER, cashier_run, false, false, SIGTERM, SIGKILL, 8000, 2},
	{"keeper", BOARD_KEEPER, keeper_run, false, false, SIGTERM, SIGKILL, 25000, 0},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

struct child {
	const struct kind *kind;
	int post;  /* on the board; -1: none */
	pid_t pid; /* 0: not running */
	int64_t started_ms;
	int64_t start_again_ms; /* when to start it, if it is not running */
	int64_t stopped_ms;     /* since when it has been stopped; 0: it has not */
	int backoff_ms;
	uint64_t served; /* what its post had served when it started */
};

static struct {
	const struct supervise_plan *plan;
	struct hall *hall;
	int listen_fd;
	struct child children[BOARD_POSTS + 1];
	int count;
	int replacing; /* the child being replaced by SIGHUP, or -1 */
	bool may_nice, closed;
	sigset_t mask; /* of a child's signals */
} s;

/* Some sandboxes kill a process that calls nice(), so it is tried in a throwaway child. */
static bool try_nice(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(nice(1) == -1 ? EXIT_FAILURE : EXIT_SUCCESS);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

static bool uses_network(enum board_kind kind)
{
	return kind == BOARD_COURIER || kind == BOARD_CODES || kind == BOARD_CASHIER;
}

/* A box that serves nobody only says so: web server and workers, of which two are enough. */
static int wanted_of(const struct kind *kind)
{
	enum { SAY_SO = 2 };

	if (uses_network(kind->board) && s.plan->no_courier)
		return 0;
	if (s.closed && kind->run && kind->board != BOARD_WORKER)
		return 0;
	if (kind->per_worker)
		return s.closed ? SAY_SO : s.plan->workers;
	return kind->run || s.plan->web ? 1 : 0;
}

/* One entry for each child that the plan wants. */
void children_plan(const struct supervise_plan *plan, struct hall *hall, int listen_fd, const sigset_t *mask, bool closed)
{
	int post = 0;

	s.plan = plan;
	s.hall = hall;
	s.listen_fd = listen_fd;
	s.mask = *mask;
	s.replacing = -1;
	s.closed = closed;
	s.count = 0;
	s.may_nice = try_nice();
	for (size_t k = 0; k < KINDS; k++)
		for (int i = wanted_of(&kinds[k]); i > 0; i--) {
			bool on_board = kinds[k].board != BOARD_EMPTY;

			assert(s.count < BOARD_POSTS);
			s.children[s.count++] = (struct child){.kind = &kinds[k], .post = on_board ? post++ : -1};
		}
}

/* In the child: its own signals, and an end when the parent ends. */
static void be_child(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	sigprocmask(SIG_SETMASK, &s.mask, NULL);
}

static void exec_web(void)
{
	union {
		const char *const *in;
		char *const *out;
	} argv = {.in = s.plan->web};

	setpgid(0, 0); /* Ctrl-C is ours to pass on, as a graceful quit */
	execv(argv.out[0], argv.out);
	_exit(127);
}

static void start(struct child *c)
{
	pid_t parent = getpid(), pid = fork();

	assert(!c->pid);
	if (pid == 0) {
		be_child(parent);
		if (s.may_nice && c->kind->nice && nice(c->kind->nice) == -1)
			log_warn("supervise.nice", "what=%s why=\"%s\"", c->kind->name, strerror(errno));
		if (!c->kind->run)
			exec_web();
		exit((s.closed ? closed_run : c->kind->run)(s.plan->dir, s.listen_fd, c->post));
	}
	if (pid < 0) {
		log_error("supervise.fork", "why=\"%s\"", strerror(errno));
		c->start_again_ms = clock_mono_ms() + BACKOFF_MAX_MS;
		return;
	}
	c->pid = pid;
	c->started_ms = clock_mono_ms();
	c->stopped_ms = 0;
	if (c->post < 0)
		return;
	c->served = board_read(s.hall->board, c->post).served;
	board_seat(s.hall->board, c->post, c->kind->board, pid);
	counters_count(s.hall->counters, COUNTER_worker_starts);
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

static void child_ended(struct child *c, int status)
{
	bool clean = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	/* Delays are for children that cannot start; one that has served is replaced at once, or the door would close. */
	bool worked = c->post >= 0 && board_read(s.hall->board, c->post).served != c->served;

	assert(c->pid > 0);
	if (c->post >= 0)
		board_seat(s.hall->board, c->post, BOARD_EMPTY, 0);
	else if (!clean)
		kill(-c->pid, SIGQUIT); /* nginx's workers outlive a killed master and would keep its port */
	if (!clean) {
		counters_count(s.hall->counters, COUNTER_worker_deaths);
		log_warn("supervise.died", "what=%s post=%d pid=%d %s=%d", c->kind->name, c->post, (int)c->pid,
			 WIFSIGNALED(status) ? "signal" : "exit", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	}
	put_off(c, clean || worked);
	if (c - s.children == s.replacing)
		s.replacing++; /* the next one's turn comes when this one is back */
}

static struct child *child_of(pid_t pid)
{
	for (int i = 0; i < s.count; i++)
		if (s.children[i].pid == pid)
			return &s.children[i];
	return NULL;
}

void children_reap(void)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
		struct child *c = child_of(pid);

		if (!c)
			continue;
		if (WIFSTOPPED(status))
			c->stopped_ms = clock_mono_ms();
		else if (WIFCONTINUED(status))
			c->stopped_ms = 0;
		else
			child_ended(c, status);
	}
}

void children_kill_hung(void)
{
	int64_t now = clock_mono_ms();

	for (int i = 0; i < s.count; i++) {
		struct child *c = &s.children[i];
		int64_t busy_since = c->post >= 0 ? board_read(s.hall->board, c->post).busy_since_ms : 0;
		bool stopped = c->post >= 0 && c->stopped_ms && now - c->stopped_ms > CHILDREN_STOPPED_MS;
		bool hung = busy_since && now - busy_since > s.plan->hang_ms;

		if (!c->pid || !(stopped || hung))
			continue;
		log_warn("supervise.hung", "post=%d pid=%d why=%s", c->post, (int)c->pid, stopped ? "stopped" : "busy");
		counters_count(s.hall->counters, COUNTER_worker_hangs);
		kill(c->pid, SIGKILL);
		c->stopped_ms = 0;
	}
}

void children_start_due(void)
{
	int64_t now = clock_mono_ms();

	for (int i = s.count - 1; i >= 0; i--) /* the web server last: workers are there to answer its first request */
		if (!s.children[i].pid && s.children[i].start_again_ms <= now)
			start(&s.children[i]);
}

/* SIGHUP: one child at a time is asked to go; it is back before the next one is asked. */
void children_replace_next(void)
{
	if (s.replacing < 0)
		return;
	while (s.replacing < s.count && !s.children[s.replacing].kind->replaceable)
		s.replacing++;
	if (s.replacing >= s.count) {
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

bool children_at_rest(void)
{
	for (int i = 0; i < s.count; i++)
		if (!s.children[i].pid || s.children[i].stopped_ms)
			return false;
	return s.replacing < 0;
}

bool children_busy(void)
{
	for (int i = 0; i < s.count; i++)
		if (s.children[i].post >= 0 && board_read(s.hall->board, s.children[i].post).busy_since_ms)
			return true;
	return false;
}

bool children_ready(void)
{
	bool worker = false, keeper = s.closed;

	for (int i = 0; i < s.count; i++) {
		struct child *c = &s.children[i];
		bool ready = c->pid && c->post >= 0 && board_read(s.hall->board, c->post).ready;

		worker |= ready && c->kind->board == BOARD_WORKER;
		keeper |= ready && c->kind->board == BOARD_KEEPER;
	}
	return worker && keeper;
}

/* Sends it to every child of that kind that runs; returns how many. */
static int signal_kind(const struct kind *kind, int signal)
{
	int n = 0;

	for (int i = 0; i < s.count; i++)
		if (s.children[i].kind == kind && s.children[i].pid) {
			kill(s.children[i].pid, signal); /* 0 only asks */
			n++;
		}
	return n;
}

/* Asks the children of that kind to finish, waits for them, and ends those that do not. */
static void stop_kind(const struct kind *kind, void (*meanwhile)(void))
{
	int64_t until = clock_mono_ms() + kind->drain_ms;

	signal_kind(kind, kind->stop);
	while (signal_kind(kind, 0)) {
		if (clock_mono_ms() > until)
			signal_kind(kind, kind->last);
		children_reap();
		children_kill_hung();
		if (signal_kind(kind, 0))
			meanwhile();
	}
}

void children_stop(void (*meanwhile)(void))
{
	for (size_t k = 0; k < KINDS; k++)
		stop_kind(&kinds[k], meanwhile);
}

void children_replace(void)
{
	if (s.replacing < 0)
		s.replacing = 0;
}

bool children_has(pid_t pid)
{
	return child_of(pid) != NULL;
}

void children_post_again(void)
{
	for (int i = 0; i < s.count; i++)
		if (s.children[i].pid && s.children[i].post >= 0)
			board_seat(s.hall->board, s.children[i].post, s.children[i].kind->board, s.children[i].pid);
}
