/*
 * cli_shell.c - `jari shell`: the book in the sqlite3 shell.
 *
 * A shell that writes is a foreign program, and it may run only while this process has the pen: SQLite 3.40 can damage a
 * book that two processes write and checkpoint at the same time.  But a person at a prompt thinks, and guests book meanwhile.
 * So whenever the shell has used no processor for a moment and holds no lock of a writer, it is stopped (SIGSTOP) and the pen is
 * given back.  When there is something to read for it, the pen is taken again and it goes on.  It never runs without the pen:
 *
 *     running, we have the pen  ──quiet, no transaction──>  stopped, the pen is given back
 *                               <──────input──────────────
 *
 * A statement that only reads, however long, is stopped in the same way once a second, for a moment in which guests book.  One
 * that writes, or a transaction that is kept alive, has a limit from the moment when the pen was taken: it is interrupted, and
 * if the pen is not free then, the shell is ended.
 *
 * The shell has a process group of its own, so that a terminal's job control cannot continue it behind our back; it dies with us
 * (PR_SET_PDEATHSIG), and its transaction with it.
 */
#include "cli.h"

#include "clock.h"
#include "db.h"
#include "hall.h"
#include "holders.h"
#include "procfs.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum {
	LOOK_MS = 50,
	QUIET_MS = 200,    /* no processor used for this long: it waits for the owner to type, or for a disk */
	READING_MS = 1000, /* busy, and not writing for this long: others may write meanwhile */
	LONGEST = 5,       /* times idle_s with the pen in hand, whatever it does */
	GRACE_MS = 2000,   /* from interrupting a statement to ending the shell */
};

static struct session {
	struct hall hall;
	char path[4096];
	struct stat book;
	pid_t pid;
	int status; /* of the shell, once it has ended */
	bool lent;
	bool stopped_busy; /* lent in the middle of a statement, which goes on without input */
	int64_t used_ns, quiet_since_ms;
	int64_t taken_ms, written_ms; /* when the pen was taken; when it was last seen to write, or the pen was taken */
	bool interrupted;             /* since the pen was taken */
	struct termios terminal;
	bool has_terminal; /* and had it in the foreground */
} s;

static volatile sig_atomic_t told_to_end;

static int no_shell(void)
{
	return cli_fail(ERR_OK, "the sqlite3 shell is not installed; `apt-get install sqlite3` installs it");
}

/* This process becomes that program; it comes back only if there is no such program. */
static void exec_instead(const char *const *argv)
{
	union {
		const char *const *in;
		char *const *out;
	} u = {.in = argv};

	execvp(u.out[0], u.out);
}

static void hear(int signal)
{
	told_to_end = signal;
}

/* The terminal is left as it was found, however we end. */
static void listen_to_signals(void)
{
	struct sigaction a = {.sa_handler = hear}; /* no SA_RESTART: a wait for input ends too */

	sigaction(SIGTERM, &a, NULL);
	sigaction(SIGHUP, &a, NULL);
}

/* ---- the shell as a process ---- */

static void pen_was_taken(void)
{
	s.quiet_since_ms = s.taken_ms = s.written_ms = clock_mono_ms();
	s.interrupted = s.stopped_busy = false;
}

static void start(const char *const *argv)
{
	pid_t us = getpid();

	s.has_terminal = isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp() &&
			 tcgetattr(STDIN_FILENO, &s.terminal) == 0;
	signal(SIGTTOU, SIG_IGN); /* giving the terminal back from the background is no offence */
	s.pid = fork();
	if (s.pid == 0) {
		setpgid(0, 0);
		if (s.has_terminal)
			tcsetpgrp(STDIN_FILENO, getpid());
		signal(SIGTTOU, SIG_DFL);
		signal(SIGTSTP, SIG_IGN); /* stopped with the pen it would be killed */
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != us)
			_exit(CLI_FAILED); /* we died before it could be told to */
		exec_instead(argv);
		_exit(127);
	}
	if (s.pid > 0)
		setpgid(s.pid, s.pid);
	pen_was_taken();
}

static bool has_ended(void)
{
	return waitpid(s.pid, &s.status, WNOHANG) == s.pid;
}

/* Has it used the processor since we last looked? */
static bool has_run(void)
{
	struct timespec t = {0};
	clockid_t clock;
	int64_t ns;

	if (clock_getcpuclockid(s.pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
		return true;
	ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
	if (ns == s.used_ns)
		return false;
	s.used_ns = ns;
	return true;
}

/* It waits for a program that it started (.system), not for input: nothing would tell us when to let it go on. */
static bool has_children(void)
{
	char file[32];
	int id;

	snprintf(file, sizeof file, "task/%d/children", (int)s.pid);
	return procfs_line(s.pid, file, "%d", &id);
}

/* It may also wait for the program that reads its output. */
static bool can_write(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

	return poll(&out, 1, 0) > 0;
}

static bool has_input(int ms)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&in, 1, ms) != 0; /* also when it ended, or a signal came */
}

/* A terminal sends Ctrl-C to the shell, not to us; while it is stopped the signal waits. */
static bool has_signal(void)
{
	unsigned long long waiting = 0;

	return procfs_line(s.pid, "status", "ShdPnd: %llx", &waiting) && waiting != 0;
}

static void end_it(void)
{
	kill(s.pid, SIGKILL);
	waitpid(s.pid, &s.status, 0);
}

/* ---- the pen ---- */

/* Stops it and gives the pen back, unless it is in the middle of something.  busy: a statement that reads may be under way. */
static void lend(bool busy)
{
	int status;

	if (holders_writes(s.path, s.pid) || has_children() || (!busy && (has_input(0) || !can_write())))
		return;
	kill(s.pid, SIGSTOP);
	if (waitpid(s.pid, &status, WUNTRACED) != s.pid)
		return;
	if (!WIFSTOPPED(status)) { /* it ended instead, and was reaped */
		s.status = status;
		s.pid = 0;
		return;
	}
	if (holders_writes(s.path, s.pid)) { /* it began in that very moment */
		kill(s.pid, SIGCONT);
		return;
	}
	edition_new_settings(s.hall.edition); /* whatever was typed may have changed a setting */
	hall_pass_pen(&s.hall);
	s.lent = true;
	s.stopped_busy = busy;
}

/* False: the book it has open is not the book any more. */
static bool take_back(void)
{
	struct stat now;
	enum err e;

	do
		e = hall_take_pen(&s.hall, DB_PEN_MS);
	while (e == ERR_BOOK_BUSY && !told_to_end);
	if (e != ERR_OK)
		return false;
	s.lent = false;
	if (stat(s.path, &now) != 0 || now.st_dev != s.book.st_dev || now.st_ino != s.book.st_ino)
		return false;
	pen_was_taken();
	kill(s.pid, SIGCONT);
	return true;
}

/* When may it go on?  When there is a key or a Ctrl-C for it; in the middle of a statement, after a moment. */
static bool may_go_on(void)
{
	if (!s.stopped_busy)
		return has_input(1000) || has_signal();
	clock_sleep_ms(QUIET_MS);
	return true;
}

/* It has had the pen for too long.  False: it was interrupted before, and has it still. */
static bool interrupt(int64_t held_ms, int64_t longest_ms)
{
	if (!s.interrupted)
		kill(s.pid, SIGINT);
	s.interrupted = true;
	return held_ms < longest_ms + GRACE_MS;
}

/* One look at a shell that runs: NULL, or why it must end. */
static const char *look(int64_t idle_ms)
{
	int64_t now = clock_mono_ms();

	if (holders_writes(s.path, s.pid))
		s.written_ms = now;
	if (has_run())
		s.quiet_since_ms = now;
	if (now - s.quiet_since_ms >= idle_ms)
		return has_children() ?
			       "a program that the shell started took too long; this shell has ended so that guests can book" :
			       "nothing was typed while a transaction was open; it is rolled back, and this shell has ended "
			       "so that guests can book";
	if (now - s.taken_ms >= LONGEST * idle_ms && !interrupt(now - s.taken_ms, LONGEST * idle_ms))
		return "a transaction was open for too long; it is rolled back, and this shell has ended so that guests can "
		       "book";
	if (now - s.quiet_since_ms >= QUIET_MS)
		lend(false);
	else if (now - s.written_ms >= READING_MS)
		lend(true);
	if (s.pid && !s.lent)
		clock_sleep_ms(LOOK_MS);
	return NULL;
}

/* Until it has ended; NULL, or why we ended it. */
static const char *watch(int64_t idle_ms)
{
	const char *why = NULL;

	while (!why && s.pid && !has_ended()) {
		if (!told_to_end && s.lent && may_go_on() && !told_to_end && !take_back())
			why = "the book was moved or replaced while you typed nothing; what was not committed is undone, and "
			      "this shell has ended";
		else if (!s.lent)
			why = look(idle_ms);
		if (told_to_end)
			why = "it was told to end; what was not committed is undone";
	}
	return why;
}

static void give_back(void)
{
	if (s.has_terminal) {
		tcsetpgrp(STDIN_FILENO, getpgrp());
		tcsetattr(STDIN_FILENO, TCSADRAIN, &s.terminal);
	}
	if (!s.lent) {
		edition_new_settings(s.hall.edition);
		hall_pass_pen(&s.hall);
	}
	hall_leave(&s.hall);
}

static int shell_with_pen(const struct cli_options *o, const char *const *argv)
{
	const char *why;

	if (hall_attach(&s.hall, o->dir) != ERR_OK)
		return cli_fail(ERR_BOOK_UNWRITABLE, "%s", o->dir);
	if (hall_take_pen(&s.hall, DB_PEN_MS) != ERR_OK) {
		int holder = pen_holder(s.hall.pen);

		hall_leave(&s.hall);
		return cli_fail(ERR_OK, "process %d holds the pen; try again when it is done", holder);
	}
	if (isatty(STDIN_FILENO))
		fprintf(stderr,
			"Guests wait while a statement runs or a transaction is open.  One that is left open for %d seconds is "
			"rolled back.\n",
			o->idle_s);
	listen_to_signals();
	if (stat(s.path, &s.book) == 0)
		start(argv);
	why = s.pid > 0 ? watch((int64_t)o->idle_s * 1000) : "it cannot be started";
	if (s.pid > 0 && why)
		end_it();
	give_back();
	if (why && s.has_terminal)
		fputc('\n', stderr); /* below its prompt */
	if (why)
		return cli_fail(ERR_OK, "%s", why);
	if (WIFEXITED(s.status) && WEXITSTATUS(s.status) == 127)
		return no_shell();
	return WIFEXITED(s.status) && WEXITSTATUS(s.status) == 0 ? CLI_OK : CLI_FAILED;
}

int cli_shell(const struct cli_options *o)
{
	/* For a person who sits there; a pipe gets its answers and nothing else. */
	bool person = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	const char *banner = person ? ".print 'views: v_today  v_upcoming  v_holds  v_slots  v_guests  v_no_shows  v_money  "
				      "v_waitlist  v_messages   "
				      "(.quit leaves)'" :
				      ".output";
	const char *only = person ? ".print 'the book can only be read here; jari shell --write changes it'" : ".output";
	const char *reading[] = {"sqlite3", "-readonly", "-box", "-cmd", only, "-cmd", banner, s.path, NULL};
	/* What the setup answers is nothing to a person. */
	const char *writing[] = {"sqlite3", "-box",
				 "-cmd",    ".output /dev/null",
				 "-cmd",    db_shell_setup[0],
				 "-cmd",    db_shell_setup[1],
				 "-cmd",    ".output",
				 "-cmd",    banner,
				 s.path,    NULL};

	if (o->write ? !cli_book_writable(o) : !cli_book_there(o))
		return CLI_FAILED;
	db_path(o->dir, s.path);
	if (o->write)
		return shell_with_pen(o, writing);
	exec_instead(reading);
	return no_shell();
}
