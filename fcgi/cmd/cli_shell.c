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
 * The shell has a process group of its own, so that a terminal's job control cannot continue it behind our back; it dies with us
 * (PR_SET_PDEATHSIG), and its transaction with it.
 */
#include "cli.h"

#include "clock.h"
#include "db.h"
#include "hall.h"

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
	QUIET_MS = 200, /* no processor used for this long: it waits for the owner to type, or for a disk */
};

static struct session {
	struct hall hall;
	char path[4096];
	struct stat book;
	pid_t pid;
	int status; /* of the shell, once it has ended */
	bool lent;
	int64_t used_ns, quiet_since_ms;
	struct termios terminal;
	bool has_terminal; /* and had it in the foreground */
} s;

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

/* ---- the shell as a process ---- */

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
	s.quiet_since_ms = clock_mono_ms();
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
	char path[64];
	FILE *f;
	int id = 0;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)s.pid, (int)s.pid);
	f = fopen(path, "re");
	if (f) {
		if (fscanf(f, "%d", &id) != 1)
			id = 0;
		fclose(f);
	}
	return id != 0;
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

static void end_it(void)
{
	kill(s.pid, SIGKILL);
	waitpid(s.pid, &s.status, 0);
}

/* ---- the pen ---- */

/* Stops it and gives the pen back, unless it is in the middle of something. */
static void lend(void)
{
	int status;

	if (db_is_written_by(s.path, s.pid) || has_children() || has_input(0) || !can_write())
		return;
	kill(s.pid, SIGSTOP);
	if (waitpid(s.pid, &status, WUNTRACED) != s.pid)
		return;
	if (!WIFSTOPPED(status)) { /* it ended instead, and was reaped */
		s.status = status;
		s.pid = 0;
		return;
	}
	if (db_is_written_by(s.path, s.pid)) { /* it began in that very moment */
		kill(s.pid, SIGCONT);
		return;
	}
	board_new_edition(s.hall.board); /* whatever was typed may have changed a setting */
	hall_pass_pen(&s.hall);
	s.lent = true;
}

/* False: the book it has open is not the book any more. */
static bool take_back(void)
{
	struct stat now;
	enum err e;

	do
		e = hall_take_pen(&s.hall, DB_PEN_MS);
	while (e == ERR_BOOK_BUSY);
	if (e != ERR_OK)
		return false;
	s.lent = false;
	if (stat(s.path, &now) != 0 || now.st_dev != s.book.st_dev || now.st_ino != s.book.st_ino)
		return false;
	s.quiet_since_ms = clock_mono_ms();
	kill(s.pid, SIGCONT);
	return true;
}

/* One look at a shell that runs.  False: it was left in the middle of a transaction. */
static bool look(int64_t idle_ms)
{
	int64_t now = clock_mono_ms();

	if (has_run())
		s.quiet_since_ms = now;
	else if (now - s.quiet_since_ms >= idle_ms)
		return false;
	else if (now - s.quiet_since_ms >= QUIET_MS)
		lend();
	if (s.pid && !s.lent)
		clock_sleep_ms(LOOK_MS);
	return true;
}

/* Until it has ended; NULL, or why we ended it. */
static const char *watch(int64_t idle_ms)
{
	while (s.pid && !has_ended()) {
		if (s.lent && has_input(1000) && !take_back())
			return "the book was moved or replaced while you typed nothing; what was not committed is undone, and "
			       "this shell has ended";
		if (!s.lent && !look(idle_ms))
			return "nothing was typed while a transaction was open; it is rolled back, and this shell has ended so "
			       "that guests can book";
	}
	return NULL;
}

static void give_back(void)
{
	if (s.has_terminal) {
		tcsetpgrp(STDIN_FILENO, getpgrp());
		tcsetattr(STDIN_FILENO, TCSADRAIN, &s.terminal);
	}
	if (!s.lent) {
		board_new_edition(s.hall.board);
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
	const char *banner = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) ?
				     ".print 'views: v_today  v_upcoming  v_holds  v_slots  v_guests  v_no_shows  v_money  "
				     "v_waitlist  v_messages   "
				     "(.quit leaves)'" :
				     ".output";
	const char *reading[] = {"sqlite3", "-readonly", "-box", "-cmd", banner, s.path, NULL};
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
