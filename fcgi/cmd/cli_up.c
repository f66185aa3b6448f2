/*
 * cli_up.c - `jari up`: the appliance in the foreground, with an nginx of its own.
 */
#include "cli.h"

#include "log.h"
#include "role.h"
#include "serving.h"
#include "setup.h"
#include "site.h"
#include "supervise.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct up {
	struct site site;
	struct setup_made made;
	bool announced;
};

/* The password is stored nowhere else, so always print it. */
static void tell_password(const struct up *up)
{
	const struct site *site = &up->site;
	char address[128], lan[INET_ADDRSTRLEN];
	const char *host = site->bind ? site->bind : cli_find_lan(lan, sizeof lan) ? lan : "localhost";

	if (!up->made.password[0])
		return;
	snprintf(address, sizeof address, "http://%s:%d", host, site->port);
	printf("\n  %s\n", up->made.book ? "first run: you are the owner" : "the owner's password is still to be chosen");
	cli_show_link(address, up->made.owner, up->made.password);
}

/* In a child, because a process that forks workers must not have opened the book. */
static void tell_closed_apart(const char *dir)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		cli_tell_closed(dir, "\n  note     ");
		fflush(stdout);
		_exit(EXIT_SUCCESS);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

/* Everything is started: where to go, and the first time how to get in. */
static void announce(void *arg)
{
	struct up *up = arg;
	const struct site *site = &up->site;
	const char *host = site->bind ? site->bind : "localhost";
	char desk[SITE_PATH + 24], lan[INET_ADDRSTRLEN];

	up->announced = true;
	printf("\n  guests   http://%s:%d/\n", host, site->port);
	if (!site->bind && cli_find_lan(lan, sizeof lan))
		printf("  phones   http://%s:%d/   (in the same network; --bind 127.0.0.1 keeps to this machine)\n", lan,
		       site->port);
	snprintf(desk, sizeof desk, "%s/desk/index.html", site->www);
	if (access(desk, R_OK) == 0)
		printf("  desk     http://%s:%d/desk/\n", host, site->port);
	tell_password(up);
	printf("\n  the book %s/jari.db   (Ctrl-C stops)\n\n", site->dir);
	fflush(stdout);
}

/* The log goes to DIR; the terminal keeps what people need to read. */
static void log_to_file(const char *dir)
{
	char path[SITE_PATH + 64];
	int fd;

	snprintf(path, sizeof path, "%s/jari.log", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0640);
	if (fd >= 0 && dup2(fd, STDERR_FILENO) >= 0)
		close(fd);
}

/* The book comes last, because its one-time password is printed only once. */
static int prepare(const struct cli_options *o, struct up *up)
{
	enum err e;

	if (site_choose(o, &up->site) != CLI_OK || site_write(o, &up->site) != CLI_OK)
		return CLI_FAILED;
	cli_ask_spare(up->site.dir);
	if (cli_tell_role(o)) /* it only says what it is */
		return CLI_OK;
	e = setup_make_apart(o->dir, o->demo, &up->made);
	if (e != ERR_OK) {
		tell_password(up);
		return cli_not_made(o, e);
	}
	tell_closed_apart(o->dir);
	return CLI_OK;
}

/* A slip in --dir must not look as if every reservation were gone: nothing is made unless it is asked for. */
static int no_book(const struct cli_options *o)
{
	return cli_fail(
		ERR_OK,
		"there is no book in %s; say where it is with --dir DIR, or make one: `jari init --dir %s` a new one, `jari "
		"up --demo` one to play with",
		o->dir, o->dir);
}

int cli_up(const struct cli_options *o)
{
	static struct up up;
	const struct site *site = &up.site;
	char conf[SITE_PATH + 64], early[SITE_PATH + 64];
	const char *argv[] = {site->nginx, "-p", site->dir, "-c", conf, "-e", early, NULL};
	int status;

	if (serving_pid(o->dir))
		return cli_fail(ERR_OK, "%s is being served already, by process %d", o->dir, serving_pid(o->dir));
	if (!o->demo && !setup_found(o->dir))
		return no_book(o);
	if (cli_leave_root(o) != CLI_OK || prepare(o, &up) != CLI_OK)
		return CLI_FAILED;
	snprintf(conf, sizeof conf, "%s/nginx.conf", site->dir);
	snprintf(early, sizeof early, "%s/nginx.log", site->dir);
	log_to_file(site->dir);
	status = supervise_run(&(struct supervise_plan){
		.dir = site->dir,
		.workers = o->workers,
		.hang_ms = o->hang_ms,
		.no_courier = o->no_courier,
		.web = argv,
		.ready = announce,
		.arg = &up,
	});
	if (!up.announced) {
		tell_password(&up);
		printf("\n  jari did not start; the end of %s/jari.log says why\n\n", site->dir);
	} else if (status == CLI_OK)
		printf("\n  stopped; everything is in the book\n");
	return status;
}
