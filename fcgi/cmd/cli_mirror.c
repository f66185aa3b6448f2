/*
 * cli_mirror.c - two boxes: `jari mirror` on the one that serves, `jari takeover` on the spare.
 */
#include "cli.h"

#include "backup.h"
#include "clock.h"
#include "log.h"
#include "mirror.h"
#include "notify.h"
#include "receive.h"
#include "role.h"
#include "serving.h"
#include "takeover.h"
#include "webcall.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ASK_S = 4, HEARD_S = 30, LOCK_MS = 15000, SAID = 800 };

/* ---- mirror ---- */

static void tell_ready(void)
{
	notify_send("READY=1");
}

int cli_mirror(const struct cli_options *o)
{
	struct mirror_to to;
	char dir[PATH_MAX];

	if (!realpath(o->dir, dir))
		return cli_fail(ERR_OK, "%s: %s; `sudo install -d -o jari -g www-data -m 750 %s` makes it", o->dir,
				strerror(errno), o->dir);
	if (o->receive) {
		log_level_set(LOG_NONE); /* what it says goes to the other box */
		return receive_run(dir, STDIN_FILENO, STDOUT_FILENO);
	}
	if (role_of(dir) == ROLE_SERVES && !cli_book_there(o))
		return CLI_FAILED;
	if (!mirror_find(dir, &to))
		return cli_fail(ERR_OK,
				"no spare is set up: /etc/jari/mirror says where it is, like jari@192.168.0.11, and docs/box.md"
				" what else it takes");
	if (access(to.key, R_OK) != 0 || access(to.hosts, R_OK) != 0)
		return cli_fail(ERR_OK, "%s: %s; docs/box.md says how to make it, and for whom",
				access(to.key, R_OK) != 0 ? to.key : to.hosts, strerror(errno));
	log_level_set(LOG_INFO);
	notify_open();
	return mirror_run(dir, o->every ? o->every : MIRROR_EVERY_S, tell_ready);
}

void cli_ask_spare(const char *dir)
{
	struct mirror_to to;
	pid_t pid;

	if (role_of(dir) != ROLE_SERVES || !mirror_find(dir, &to))
		return;
	fflush(stdout);
	pid = fork(); /* a process that forks workers must not have opened the book */
	if (pid == 0) {
		mirror_ask(dir);
		_exit(EXIT_SUCCESS);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

/* ---- what a box says that serves nobody ---- */

/* As a person at this box says it. */
static const char *local(int64_t s, char out[32])
{
	time_t then = (time_t)s;
	struct tm at;

	localtime_r(&then, &at);
	strftime(out, 32, "%Y-%m-%d %H:%M:%S", &at);
	return out;
}

static void print_lost(void *arg, const char *code, const char *starts_at, int64_t people, const char *name)
{
	int *n = arg;

	if (!(*n)++)
		printf("only this box has these bookings:\n");
	printf("  %s  %s  for %lld  %s\n", code, starts_at, (long long)people, name);
}

static void tell_replaced(const struct cli_options *o, const struct role_replaced *gone)
{
	char when[32];
	int n = 0;

	printf("replaced     a spare took over from this box at %s: it serves nobody, and its guests read where to call\n",
	       local(gone->when_s, when));
	if (takeover_list_lost(o->dir, gone->last_reservation, print_lost, &n) == ERR_OK)
		printf("%s\n", n ? "call these guests, or enter the bookings on the other box" :
				   "the other box has every booking of this one");
	printf("to make this box the spare of the other: docs/box.md, A second box\n");
}

bool cli_tell_role(const struct cli_options *o)
{
	struct role_replaced gone;
	struct role_copy copy;
	char made[32], heard[32];

	if (role_of(o->dir) == ROLE_SERVES)
		return false;
	if (role_replaced(o->dir, &gone))
		tell_replaced(o, &gone);
	if (role_copy(o->dir, &copy))
		printf("the spare    of %s: the last copy is of %s, the other box was last heard of at %s\n"
		       "             if that is broken: switch it off, and say `jari takeover` here\n",
		       copy.house, local(copy.made_s, made), copy.heard_s ? local(copy.heard_s, heard) : "(never)");
	return true;
}

/* ---- takeover: does the old box still serve? ---- */

enum answer { SILENT, SERVES, ENDED, STRANGE };

/* One address, and what came of it in a sentence. */
static enum answer ask_one(struct webcall *w, const char *site, char said[SAID])
{
	struct webask ask;
	struct webtold told = {0};
	enum answer a = STRANGE;
	int n = (int)strlen(site);

	while (n > 0 && site[n - 1] == '/')
		n--;
	webask_begin(&ask, "GET", ASK_S);
	ask.plain = true;
	webask_url(&ask, "%.*s/healthz", n, site);
	if (!webcall_once(w, &ask, &told) || (!told.status && told.unsent)) {
		snprintf(said, SAID, "%.220s: no answer (%s)", site, told.why);
		a = SILENT;
	} else if (!told.status) {
		snprintf(said, SAID, "%.220s: something is there, and gives no whole answer (%s)", site, told.why);
	} else if (told.body.len && strstr(told.body.data, err_word(ERR_BOX_SPARE))) {
		snprintf(said, SAID, "%s: that is a spare, like this one", site);
		a = SILENT;
	} else if (told.body.len && strstr(told.body.data, err_word(ERR_BOX_REPLACED))) {
		snprintf(said, SAID, "%s: that box knows that it was replaced", site);
		a = ENDED;
	} else if (told.body.len && strstr(told.body.data, "\"status\"")) {
		snprintf(said, SAID, "%s: jari answers there (HTTP %d)", site, told.status);
		a = SERVES;
	} else {
		snprintf(said, SAID, "%s: a web server answers there, and no jari behind it (HTTP %d)", site, told.status);
	}
	webtold_free(&told);
	return a;
}

/* Every address that is known; false: it must not be. */
static bool ask_all(const struct cli_options *o, const struct role_copy *c)
{
	char sites[3][220] = {"", "", ""}, said[SAID];
	bool v6 = strchr(c->peer, ':') != NULL, known = false, doubt = false, serves = false, ended = false;
	struct webcall *w = webcall_open();

	if (o->url) {
		snprintf(sites[0], sizeof sites[0], "%s", o->url);
	} else {
		snprintf(sites[0], sizeof sites[0], "%s", c->site);
		if (c->peer[0]) {
			snprintf(sites[1], sizeof sites[1], v6 ? "http://[%s]" : "http://%s", c->peer);
			snprintf(sites[2], sizeof sites[2], v6 ? "http://[%s]:8080" : "http://%s:8080", c->peer);
		}
	}
	for (int i = 0; w && i < 3; i++) {
		enum answer a;

		if (!sites[i][0])
			continue;
		a = ask_one(w, sites[i], said);
		printf("asked %s\n", said);
		known = true;
		serves |= a == SERVES;
		doubt |= a == STRANGE;
		ended |= a == ENDED;
	}
	if (w)
		webcall_close(w);
	fflush(stdout);
	if (serves)
		return cli_fail(
			       ERR_OK,
			       "the old box still serves, so this one does not take over: two boxes would sell each seat twice."
			       "  Switch the old one off first, or stop jari there") == CLI_OK;
	if (o->old_box_off || ended)
		return true;
	if (doubt)
		return cli_fail(ERR_OK,
				"it cannot be known whether the old box serves.  Look at it, switch it off, and say the same "
				"with --old-box-is-off") == CLI_OK;
	if (clock_now_s() - c->heard_s < HEARD_S)
		return cli_fail(ERR_OK,
				"the old box was heard of %lld s ago, so it is on, and perhaps serves at an address that is "
				"not known "
				"here.  Switch it off, or stop jari there, and say the same with --old-box-is-off",
				(long long)(clock_now_s() - c->heard_s)) == CLI_OK;
	if (!known)
		return cli_fail(ERR_OK,
				"no address of the old box is known, so it cannot be asked: say --url ADDRESS, or switch it "
				"off and say --old-box-is-off") == CLI_OK;
	return true;
}

/* ---- takeover ---- */

static void tell_taken(const struct cli_options *o, const struct role_copy *c, const struct backup_report *r, bool served)
{
	char when[32];
	int64_t age = clock_now_s() - c->made_s;

	printf("this box has taken over, with the book of %s, %lld s ago: %lld reservations, %lld of them still to come\n",
	       local(c->made_s, when), (long long)age, (long long)r->reservations, (long long)r->upcoming);
	printf("what was booked, changed or cancelled on the old box after that moment is not in it:\n"
	       "  - a guest who opens the link of such a booking reads that they should call, and the desk is told\n"
	       "  - the mails of new bookings in the owner's mailbox name the last ones\n"
	       "  - `jari reconcile` names payments online that the book lacks\n"
	       "  - on the old box, should it start again, `jari status` lists them\n");
	if (*r->kept)
		printf("the book that was here is %s\n", r->kept);
	printf("now let the router, or the name, lead guests to this box%s%s\n", *c->site ? ": " : "", c->site);
	printf("and leave the old box off until it can reach this one: it then serves nobody, and says so\n");
	if (served)
		printf("jari goes on with it\n");
	else
		cli_tell_start(o->dir);
}

/* One that does not end by itself: whoever sends it must not be able to keep this box from taking over. */
static void end_copy(int lock)
{
	char text[24] = "";

	if (pread(lock, text, sizeof text - 1, 0) > 0 && atoi(text) > 1)
		kill(atoi(text), SIGKILL);
}

/* A copy that comes just now is waited for; none comes after. */
static int lock_spare(const char *dir)
{
	int64_t from_ms = clock_mono_ms();
	char path[ROLE_PATH];
	bool ended = false;
	int fd;

	snprintf(path, sizeof path, "%s/spare.lock", dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (clock_mono_ms() - from_ms > LOCK_MS * 2) {
			close(fd);
			return -1;
		}
		if (!ended && clock_mono_ms() - from_ms > LOCK_MS) {
			end_copy(fd);
			ended = true;
		}
		clock_sleep_ms(20);
	}
	if (fd >= 0 && ftruncate(fd, 0) != 0) /* the process that it names has ended, and another may get its number */
		cli_fail(ERR_OK, "%s: %s", path, strerror(errno));
	return fd;
}

/* With the lock: what is asked is asked of the copy that becomes the book. */
static int take_over(const struct cli_options *o)
{
	struct backup_report report = {0};
	struct role_copy copy;
	char file[ROLE_PATH];
	bool served = serving_pid(o->dir) != 0;
	enum err e;

	if (!role_copy(o->dir, &copy))
		return cli_fail(
			ERR_OK,
			"there is no copy of another box in %s: this is no spare.  `jari restore FILE` makes a book of a "
			"backup",
			o->dir);
	if (role_of(o->dir) == ROLE_SERVES)
		return cli_fail(ERR_OK, "this box serves a book of its own already");
	if (!ask_all(o, &copy))
		return CLI_FAILED;
	role_older_path(o->dir, file); /* it takes the room that the book needs */
	unlink(file);
	role_copy_path(o->dir, file);
	log_level_set(LOG_NONE);
	e = backup_take_over(o->dir, file, &report);
	log_level_set(LOG_WARN);
	if (e == ERR_RESTORE_BEGUN)
		return cli_fail(
			ERR_OK,
			"begun, not finished: the disk stopped it.  Look at the disk, and say `jari takeover` again; this "
			"box may serve as soon as jari starts again");
	if (e != ERR_OK)
		return cli_fail(backup_refusal(e), "nothing was changed; %s cannot be made the book", file);
	if (!role_set_serves(o->dir))
		return cli_fail(
			ERR_OK,
			"the copy is the book now, but this box still serves nobody, because %s/replaced cannot be removed: "
			"look at the disk, and say `jari takeover` again",
			o->dir);
	tell_taken(o, &copy, &report, served);
	return CLI_OK;
}

int cli_takeover(const struct cli_options *o)
{
	int lock, status;

	if (access(o->dir, W_OK | X_OK) != 0)
		return cli_fail(ERR_OK, "%s: %s", o->dir, strerror(errno));
	lock = lock_spare(o->dir);
	if (lock < 0)
		return cli_fail(ERR_OK, "a copy is coming in just now, and does not end; please try again");
	status = take_over(o);
	close(lock);
	return status;
}
