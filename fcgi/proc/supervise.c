/*
 * supervise.c - the parent of all.
 *
 * It never opens the book, because a connection may not cross a fork.  Migrations run in a child of their own before
 * the others start.
 */
#include "supervise.h"

#include "clock.h"
#include "courier.h"
#include "db.h"
#include "hall.h"
#include "keeper.h"
#include "log.h"
#include "logs.h"
#include "migrate.h"
#include "notify.h"
#include "token.h"
#include "watch.h"
#include "worker.h"

#include <assert.h>
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
	LOGS_EVERY_MS = 3000, /* a rush writes a megabyte a minute into them */
	BACKLOG = 4096,       /* a whole rush may connect at once; beyond it nginx answers 502 */
	TICK_MS = 100,
	BACKOFF_FIRST_MS = 10,
	BACKOFF_MAX_MS = 5000,
	STEADY_MS = 10000, /* a child that lived this long starts again without delay */
	PLACE_WAIT_MS = 2000,
	PLACE_LOOK_MS = 5,
	MIGRATE_LOOK_MS = 5, /* how often to look whether the migration is done */
	MORE_TIME_S = 120,   /* what systemd is asked for again and again while it is not */
	STOPPED_MS = 1000,   /* how long a child may be stopped (SIGSTOP) before it is killed */
};

/*
 * A row for each kind of child, in the order in which they are stopped: the web server first, so that no request comes
 * any more; then the workers; the couriers, whose reports the keeper still writes; the keeper last, because it serves whoever is still in the line.
 */
static const struct kind {
	const char *name;
	enum board_kind board; /* BOARD_EMPTY: has no place on the board */
	int (*run)(const char *dir, int listen_fd, int post);
	bool per_worker;  /* as many as the plan says; else one */
	bool replaceable; /* by SIGHUP, one by one */
	int stop, last;   /* the signal that asks it to finish, and the one for when it does not */
	int drain_ms;     /* how long it may take to finish what it has in hand */
	int nice;         /* in a rush everybody waits for the keeper, which writes: the others let it go first */
} kinds[] = {
	{"web", BOARD_EMPTY, NULL, false, false, SIGQUIT, SIGTERM, 10000, 0}, /* plan->web; SIGQUIT is graceful for nginx */
	{"worker", BOARD_WORKER, worker_run, true, true, SIGTERM, SIGKILL, 25000, 2},
	{"courier", BOARD_COURIER, courier_run, false, false, SIGTERM, SIGKILL, 3000, 5},
	{"codes", BOARD_CODES, courier_run_codes, false, false, SIGTERM, SIGKILL, 3000, 2},
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
	uint64_t served; /* what its place had served when it started */
};

static struct {
	const struct supervise_plan *plan;
	struct hall hall;
	int listen_fd, lock_fd;
	struct child children[BOARD_POSTS + 1];
	int count;
	int replacing; /* the child being replaced by SIGHUP, or -1 */
	bool may_nice;
	int64_t started_s;
	sigset_t signals, before;
} s;

/* A sandbox may kill whoever changes priorities: somebody tries it whom nobody misses. */
static bool try_nice(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(nice(1) == -1 ? EXIT_FAILURE : EXIT_SUCCESS);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

/* One entry for each child that the plan wants. */
static void plan_children(void)
{
	int post = 0;

	for (size_t k = 0; k < KINDS; k++) {
		int wanted = kinds[k].per_worker ? s.plan->workers : kinds[k].run || s.plan->web ? 1 : 0;

		if ((kinds[k].board == BOARD_COURIER || kinds[k].board == BOARD_CODES) && s.plan->no_courier)
			wanted = 0;

		for (int i = 0; i < wanted; i++) {
			bool on_board = kinds[k].board != BOARD_EMPTY;

			assert(s.count < BOARD_POSTS);
			s.children[s.count++] = (struct child){.kind = &kinds[k], .post = on_board ? post++ : -1};
		}
	}
}

/* In the child: its own signals, and an end when the parent ends. */
static void be_child(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	sigprocmask(SIG_SETMASK, &s.before, NULL);
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
		exit(c->kind->run(s.plan->dir, s.listen_fd, c->post));
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
	c->served = board_read(s.hall.board, c->post).served;
	board_seat(s.hall.board, c->post, c->kind->board, pid);
	counters_count(s.hall.counters, COUNTER_worker_starts);
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
	bool worked = c->post >= 0 && board_read(s.hall.board, c->post).served != c->served;

	assert(c->pid > 0);
	if (c->post >= 0)
		board_seat(s.hall.board, c->post, BOARD_EMPTY, 0);
	else if (!clean)
		kill(-c->pid, SIGQUIT); /* nginx's workers outlive a killed master and would keep its port */
	if (!clean) {
		counters_count(s.hall.counters, COUNTER_worker_deaths);
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

static void reap(void)
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

/* A child that is stopped, or has been busy for too long, is killed, never raced: see pen.h. */
static void kill_hung(void)
{
	int64_t now = clock_mono_ms();

	for (int i = 0; i < s.count; i++) {
		struct child *c = &s.children[i];
		int64_t busy_since = c->post >= 0 ? board_read(s.hall.board, c->post).busy_since_ms : 0;
		bool stopped = c->post >= 0 && c->stopped_ms && now - c->stopped_ms > STOPPED_MS;
		bool hung = busy_since && now - busy_since > s.plan->hang_ms;

		if (!c->pid || !(stopped || hung))
			continue;
		log_warn("supervise.hung", "post=%d pid=%d why=%s", c->post, (int)c->pid, stopped ? "stopped" : "busy");
		counters_count(s.hall.counters, COUNTER_worker_hangs);
		kill(c->pid, SIGKILL);
		c->stopped_ms = 0;
	}
}

/* The state letter of /proc/PID/stat; 'T' is stopped. */
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

/* Does that process map our segment?  A number left behind by a killed holder may be another process's by now. */
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

/* Stopped for a second while holding something, and not our child: a command, or a CGI process. */
static bool is_stopped_stranger(int holder, int64_t since)
{
	return holder && since && clock_mono_ms() - since >= STOPPED_MS && !child_of(holder) && state_of(holder) == 'T' &&
	       is_in_hall(holder);
}

/* With the pen in its hand nobody else writes; inside the line's lock nobody else even draws a ticket. */
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
	counters_count(s.hall.counters, COUNTER_worker_hangs);
	kill(holder, SIGKILL);
}

static void start_due(void)
{
	int64_t now = clock_mono_ms();

	for (int i = s.count - 1; i >= 0; i--) /* the web server last: there is somebody to answer its first request */
		if (!s.children[i].pid && s.children[i].start_again_ms <= now)
			start(&s.children[i]);
}

/* SIGHUP: one child at a time is asked to go; it is back before the next one is asked. */
static void replace_next(void)
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

/* Can a guest be served?  A worker accepts requests with the book open, and the keeper is at work. */
static bool is_ready(void)
{
	bool worker = false, keeper = false;

	for (int i = 0; i < s.count; i++) {
		struct child *c = &s.children[i];
		bool ready = c->pid && c->post >= 0 && board_read(s.hall.board, c->post).ready;

		worker |= ready && c->kind->board == BOARD_WORKER;
		keeper |= ready && c->kind->board == BOARD_KEEPER;
	}
	return worker && keeper;
}

/* Once, when the first guest can be served; then a sentence whenever it has changed. */
static void tell_state(void)
{
	static bool ready;
	static enum err last = ERR__MAX;
	enum err e = watch_health(&s.hall);

	if (!ready && !is_ready())
		return;
	if (!ready) {
		notify_send("READY=1");
		log_info("supervise.ready", "workers=%d", s.plan->workers);
	}
	if (e != last)
		notify_send("STATUS=%s", e == ERR_OK ? "Bookings can be saved." : err_sentence(e, LANG_EN));
	ready = true;
	last = e;
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

/* ---- stopping ---- */

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
static void stop_kind(const struct kind *kind)
{
	int64_t until = clock_mono_ms() + kind->drain_ms;

	signal_kind(kind, kind->stop);
	while (signal_kind(kind, 0)) {
		if (clock_mono_ms() > until)
			signal_kind(kind, kind->last);
		reap();
		kill_hung();
		kill_stopped_holder();
		tell_alive();
		if (signal_kind(kind, 0))
			wait_signal(20);
	}
}

/* The segment was removed by somebody else: everybody meets again in a new one. */
static void keep_hall(void)
{
	if (!shm_gone(&s.hall.shm) || hall_refresh(&s.hall) != ERR_OK)
		return;
	board_set_started_s(s.hall.board, s.started_s);
	for (int i = 0; i < s.count; i++)
		if (s.children[i].pid && s.children[i].post >= 0)
			board_seat(s.hall.board, s.children[i].post, s.children[i].kind->board, s.children[i].pid);
}

/* ---- before the first fork ---- */

static int fail(const char *sentence, const char *detail)
{
	fprintf(stderr, "jari: %s%s%s\n", sentence, *detail ? ": " : "", detail);
	return EXIT_FAILURE;
}

/* Which jari this is, for others: what it makes of a book, and how its shared memory lies. */
static void write_kind(char out[40])
{
	snprintf(out, 40, "%s-%016llx", migrate_hash(DB_VERSION), (unsigned long long)hall_stamp());
}

/* "PID KIND" of the process that holds the lock; false: none does.  A jari from before kinds wrote its pid alone. */
static bool read_place(const char *dir, int *pid, char kind[40])
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

int supervise_running(const char *dir)
{
	char kind[40];
	int pid;

	return read_place(dir, &pid, kind) ? pid : 0;
}

bool supervise_by_another(const char *dir)
{
	char kind[40], ours[40];
	int pid;

	write_kind(ours);
	return read_place(dir, &pid, kind) && strcmp(kind, ours) != 0;
}

/*
 * A command that asks who serves holds the lock for a moment, shared: that is no supervisor, so it is waited for.  A
 * supervisor holds it alone, so where a shared lock is refused too, the book is being served.
 */
static bool lock_place(int fd)
{
	int64_t end_ms = clock_mono_ms() + PLACE_WAIT_MS;

	while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (flock(fd, LOCK_SH | LOCK_NB) != 0 || clock_mono_ms() > end_ms)
			return false;
		flock(fd, LOCK_UN);
		clock_sleep_ms(PLACE_LOOK_MS);
	}
	return true;
}

/* One supervisor a book. */
static bool take_place(const char *dir)
{
	char path[4200], kind[40];

	write_kind(kind);
	snprintf(path, sizeof path, "%s/serve.lock", dir);
	s.lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, shm_file_mode(dir));
	if (s.lock_fd < 0 || !lock_place(s.lock_fd))
		return false;
	if (ftruncate(s.lock_fd, 0) != 0 || dprintf(s.lock_fd, "%d %s\n", (int)getpid(), kind) < 0)
		return false;
	return true;
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
	s.started_s = clock_now_s();
	board_set_started_s(s.hall.board, s.started_s);
	board_keeper_here(s.hall.board); /* it has a moment to come, also into a segment that was there */
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
	plan_children();
	s.may_nice = try_nice();
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
	close(s.lock_fd);
}

int supervise_run(const struct supervise_plan *plan)
{
	int signal;

	log_name("supervisor");
	log_level_set(LOG_INFO);
	notify_open();
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
		keep_logs();
		tell_state();
		tell_alive();
	}
	log_info("supervise.stopping", "signal=%d", signal);
	notify_send("STOPPING=1\nSTATUS=Answering the last guests.");
	for (size_t k = 0; k < KINDS; k++)
		stop_kind(&kinds[k]);
	clean_up();
	log_info("supervise.stopped", "requests=%llu", (unsigned long long)counters_get(s.hall.counters, COUNTER_requests));
	return EXIT_SUCCESS;
}
