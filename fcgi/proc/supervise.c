/*
 * supervise.c - the parent of all.
 *
 * It never opens the book, because a connection may not cross a fork.  Migrations run in a child of their own before
 * the others start.
 */
#include "supervise.h"

#include "children.h"
#include "clock.h"
#include "hall.h"
#include "log.h"
#include "logs.h"
#include "migrate.h"
#include "notify.h"
#include "role.h"
#include "serving.h"
#include "strangers.h"
#include "swap.h"
#include "token.h"
#include "watch.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	LOGS_EVERY_MS = 3000, /* a rush writes a megabyte a minute into them */
	BACKLOG = 4096,       /* a whole rush may connect at once; beyond it nginx answers 502 */
	TICK_MS = 100,
	WORK_MS = 300,       /* while every child is at its place: one that ends or stops is a signal, heard at once */
	REST_MS = 1000,      /* the same while none has anything in hand: what hangs from now on cannot be killed sooner */
	DRAIN_MS = 20,       /* how often to look whether the children have ended */
	MIGRATE_LOOK_MS = 5, /* how often to look whether the migration is done */
	MORE_TIME_S = 120,   /* what systemd is asked for again and again while it is not */
};

static struct {
	const struct supervise_plan *plan;
	struct hall hall;
	int listen_fd, lock_fd;
	int64_t started_s;
	enum role role; /* what this box was when its children were planned */
	sigset_t signals, before;
} s;

/* Only `jari up` keeps its logs in DIR. */
static void keep_logs(void)
{
	static int64_t due_ms;

	if (!s.plan->web || clock_mono_ms() < due_ms)
		return;
	logs_bound(s.plan->dir);
	due_ms = clock_mono_ms() + LOGS_EVERY_MS;
}

/* Waits for a signal or the next tick. */
static int wait_signal(int ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

	return sigtimedwait(&s.signals, NULL, &t);
}

/* ---- what systemd is told ---- */

static bool told_ready;

static const char *state_words(enum err e)
{
	if (s.role == ROLE_SPARE)
		return "The spare: it stands by, and serves nobody.";
	if (s.role == ROLE_REPLACED)
		return "Replaced: another box has taken over, and this one serves nobody.";
	return e == ERR_OK ? "Bookings can be saved." : err_sentence(e, LANG_EN);
}

/* Once, when the first guest can be served; then a sentence whenever it has changed. */
static void tell_state(void)
{
	static const char *last;
	const char *words;

	if (!told_ready && !children_ready())
		return;
	if (!told_ready) {
		notify_send("READY=1");
		log_info("supervise.ready", "workers=%d", s.plan->workers);
	}
	words = state_words(watch_health(&s.hall));
	if (words != last)
		notify_send("STATUS=%s", words);
	told_ready = true;
	last = words;
}

/* Called where the children have just been looked after: a supervisor that no longer does is started anew. */
static void tell_alive(void)
{
	static int64_t due_ms;
	int64_t every = notify_watchdog_ms() / 4, now = clock_mono_ms();

	if (!every || now < due_ms)
		return;
	notify_send("WATCHDOG=1");
	due_ms = now + every;
}

/*
 * How long to wait for a signal.  Whoever takes something in hand while we rest is seen at the end of it, and looked at more often
 * from then on; nobody is killed who has been stopped for less than a second (CHILDREN_STOPPED_MS), so nothing is lost by it.
 */
static int rest_ms(void)
{
	int64_t watchdog = notify_watchdog_ms() / 4;
	int ms = REST_MS;

	if (!told_ready || !children_at_rest())
		return TICK_MS;
	if (pen_holder(s.hall.pen) || line_holder(s.hall.line, &(int64_t){0}) || children_busy())
		ms = WORK_MS;
	return watchdog && watchdog < ms ? (int)watchdog : ms;
}

/* The segment was removed by another program: all processes meet again in a new one. */
static void keep_hall(void)
{
	if (!shm_gone(&s.hall.shm) || hall_refresh(&s.hall) != ERR_OK)
		return;
	board_set_started_s(s.hall.board, s.started_s);
	children_post_again();
}

/* While the children finish. */
static void look_after(void)
{
	strangers_kill_stopped(&s.hall);
	tell_alive();
	wait_signal(DRAIN_MS);
}

/* ---- before the first fork ---- */

static int fail(const char *sentence, const char *detail)
{
	fprintf(stderr, "jari: %s%s%s\n", sentence, *detail ? ": " : "", detail);
	return EXIT_FAILURE;
}

/* The socket is for us and nginx's group only: a hostile peer could crash libfcgi. */
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

/* A large book takes minutes; systemd, which would lose patience, is asked for more time meanwhile. */
static bool await_migration(pid_t pid, int *status)
{
	int64_t asked_ms = 0;
	pid_t ended;

	while ((ended = waitpid(pid, status, WNOHANG)) == 0) {
		if (clock_mono_ms() - asked_ms > MORE_TIME_S * 1000 / 4) {
			notify_send("EXTEND_TIMEOUT_USEC=%d000000\nSTATUS=Opening the book.", MORE_TIME_S);
			asked_ms = clock_mono_ms();
		}
		clock_sleep_ms(MIGRATE_LOOK_MS);
	}
	return ended == pid;
}

/* The book is made or upgraded in a child: SQLite's state may not cross a fork. */
static enum err migrate_apart(const char *dir)
{
	int status;
	bool made;
	pid_t pid = fork();

	if (pid == 0)
		_exit((int)migrate_book(dir, &made));
	if (pid < 0 || !await_migration(pid, &status) || !WIFEXITED(status) || WEXITSTATUS(status) >= ERR__MAX)
		return ERR_INTERNAL;
	return (enum err)WEXITSTATUS(status);
}

/* Once: they stay blocked while the box becomes another, and none is lost. */
static void block_signals(void)
{
	static bool blocked;

	if (blocked)
		return;
	blocked = true;
	sigemptyset(&s.signals);
	sigaddset(&s.signals, SIGTERM);
	sigaddset(&s.signals, SIGINT);
	sigaddset(&s.signals, SIGHUP);
	sigaddset(&s.signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &s.signals, &s.before);
}

static int prepare(const struct supervise_plan *plan)
{
	enum err e;

	s.plan = plan;
	if (!token_init())
		return fail("no randomness to be had", "");
	if (!serving_take(plan->dir, &s.lock_fd))
		return fail("this book is being served already, or its folder cannot be written", plan->dir);
	/* A takeover that was cut short is one: finished now, not at some moment while this box is the spare. */
	if (swap_pending(plan->dir) && swap_finish(plan->dir) != ERR_OK)
		return fail(err_sentence(ERR_RESTORE_BEGUN, LANG_EN), plan->dir);
	s.role = role_of(plan->dir);
	e = s.role == ROLE_SERVES ? migrate_apart(plan->dir) : ERR_OK; /* the others have no book, or one that is past */
	if (e != ERR_OK)
		return fail(err_sentence(e, LANG_EN), plan->dir);
	e = hall_attach(&s.hall, plan->dir);
	if (e != ERR_OK)
		return fail("no shared memory to be had", strerror(errno));
	s.started_s = clock_now_s();
	board_set_started_s(s.hall.board, s.started_s);
	board_keeper_here(s.hall.board); /* it has a moment to come, also into a segment that was there */
	if (!open_socket(plan->dir))
		return fail(errno == ENAMETOOLONG ? "the folder's name is too long for a socket (100 characters)" :
						    "cannot listen on jari.sock",
			    plan->dir);
	block_signals();
	children_plan(plan, &s.hall, s.listen_fd, &s.before, s.role != ROLE_SERVES);
	return EXIT_SUCCESS;
}

static void clean_up(void)
{
	char path[4200];

	for (int i = 0; i < BOARD_POSTS; i++)
		board_seat(s.hall.board, i, BOARD_EMPTY, 0);
	hall_remove(&s.hall);
	snprintf(path, sizeof path, "%s/jari.sock", s.plan->dir);
	unlink(path);
	close(s.listen_fd);
	close(s.lock_fd);
}

int supervise_workers_for(long cores, int64_t memory_mb)
{
	enum { PER_CORE = 16, MB_EACH = 16, LEAST = 8 };
	int64_t n = cores * PER_CORE < memory_mb / MB_EACH ? cores * PER_CORE : memory_mb / MB_EACH;

	return n < LEAST ? LEAST : n > SUPERVISE_WORKERS ? SUPERVISE_WORKERS : (int)n;
}

int64_t supervise_limit_mb(const char *self, const char *root)
{
	int64_t least = INT64_MAX, bytes;
	char line[1024] = "", path[2048], text[32];
	FILE *f = fopen(self, "re");

	while (f && fgets(line, sizeof line, f) && strncmp(line, "0::/", 4) != 0)
		line[0] = '\0';
	if (f)
		fclose(f);
	line[strcspn(line, "\n")] = '\0';
	/* From the innermost group outwards: each may say less than the one that it is in. */
	for (char *group = line + 3; line[0] && *group; *strrchr(group, '/') = '\0') {
		snprintf(path, sizeof path, "%s%s/memory.max", root, group);
		f = fopen(path, "re");
		bytes = f && fgets(text, sizeof text, f) && *text != 'm' ? strtoll(text, NULL, 10) : INT64_MAX;
		if (f)
			fclose(f);
		least = bytes < least ? bytes : least;
	}
	return least >> 20;
}

static long cores(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
}

int supervise_workers(void)
{
	/* A box that is sold with 512 MB shows less: its graphics and its kernel have some. */
	int64_t has_mb = (sysconf(_SC_PHYS_PAGES) * (int64_t)sysconf(_SC_PAGESIZE) >> 20) * 5 / 4;
	int64_t may_mb = supervise_limit_mb("/proc/self/cgroup", "/sys/fs/cgroup");

	return supervise_workers_for(cores(), may_mb < has_mb ? may_mb : has_mb);
}

/* Until it is told to stop, or this box is another now (role.h).  Returns the signal; 0: its role has changed. */
static int look_after_all(void)
{
	int signal;

	for (;;) {
		signal = wait_signal(rest_ms());
		if (signal == SIGTERM || signal == SIGINT)
			return signal;
		if (role_of(s.plan->dir) != s.role)
			return 0;
		if (signal == SIGHUP)
			children_replace();
		keep_hall();
		children_reap();
		children_kill_hung();
		strangers_kill_stopped(&s.hall);
		children_start_due();
		children_replace_next();
		keep_logs();
		tell_state();
		tell_alive();
	}
}

static void stop_all(int signal)
{
	log_info("supervise.stopping", "signal=%d", signal);
	if (signal)
		notify_send("STOPPING=1\nSTATUS=Answering the last guests.");
	children_stop(look_after);
	clean_up();
	log_info("supervise.stopped", "requests=%llu", (unsigned long long)counters_get(s.hall.counters, COUNTER_requests));
}

/* A copy that becomes the book, or a marker that this box was replaced: everybody ends, and others begin. */
static bool begin_as_another(const struct supervise_plan *plan)
{
	hall_detach(&s.hall);
	if (prepare(plan) != EXIT_SUCCESS)
		return false;
	log_warn("supervise.role", "%s", s.role == ROLE_SERVES ? "this box serves from now on." : state_words(ERR_OK));
	return true;
}

int supervise_run(const struct supervise_plan *plan)
{
	int signal;

	log_name("supervisor");
	log_level_set(LOG_INFO);
	notify_open();
	if (prepare(plan) != EXIT_SUCCESS)
		return EXIT_FAILURE;
	children_start_due();
	log_info("supervise.started", "workers=%d", plan->workers);
	if (plan->ready)
		plan->ready(plan->arg);
	while ((signal = look_after_all()) == 0) {
		stop_all(0);
		if (!begin_as_another(plan))
			return EXIT_FAILURE;
		children_start_due();
	}
	stop_all(signal);
	return EXIT_SUCCESS;
}
