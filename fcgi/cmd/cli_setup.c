/*
 * cli_setup.c - `jari setup`: behind the nginx of the system, under a name, with a certificate.
 *
 * What a person would type into /etc/nginx by hand, once.  What stands there afterwards is theirs to change: a site that is no
 * longer as jari wrote it is left alone.
 */
#include "cli.h"

#include "durable.h"
#include "setup.h"
#include "site.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CONF_MAX = 1 << 17 };

static const char AVAILABLE[] = "/etc/nginx/sites-available/jari", ENABLED[] = "/etc/nginx/sites-enabled/jari",
		  DEFAULT[] = "/etc/nginx/sites-enabled/default", CONF[] = "/etc/nginx/nginx.conf";

/* ---- small things ---- */

/* Its exit status; what it says goes to the terminal. */
static int run(const char *const argv[])
{
	union {
		const char *const *in;
		char *const *out;
	} args = {.in = argv};
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		execvp(args.out[0], args.out);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static bool there_is(const char *program)
{
	const char *const argv[] = {"sh", "-c", "command -v -- \"$0\" >/dev/null", program, NULL};

	return run(argv) == 0;
}

/* The caller frees it; NULL when it cannot be read. */
static char *read_text(const char *path)
{
	char *text = calloc(1, CONF_MAX);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 && text ? read(fd, text, CONF_MAX - 1) : -1;

	if (fd >= 0)
		close(fd);
	if (n >= 0)
		return text;
	free(text);
	return NULL;
}

/* Whole or not at all: nginx may be reading it. */
static bool write_text(const char *path, const char *text)
{
	char part[256];

	snprintf(part, sizeof part, "%s.jari-part", path);
	unlink(part);
	return durable_write(part, text, strlen(text), 0644) && durable_rename(part, path);
}

/* A name as DNS has them, or an address; "_" is every name. */
static bool is_name(const char *name)
{
	if (strcmp(name, "_") == 0)
		return true;
	if (!isalnum((unsigned char)*name) || strlen(name) > 253)
		return false;
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '.' && *p != '-')
			return false;
	return true;
}

/* ---- the site ---- */

static bool name_of_site(const char *site, char out[256])
{
	const char *at = strstr(site, "\n\tserver_name ");

	return at && sscanf(at, "\n\tserver_name %255[^; ]", out) == 1;
}

/* Is this a site as we write it, under whatever name? */
static bool is_untouched(const char *site)
{
	char name[256];
	char *ours = name_of_site(site, name) ? site_text(name) : NULL;
	bool same = ours && strcmp(ours, site) == 0;

	free(ours);
	return same;
}

/* False: it was changed by hand, and stays. */
static bool put_site(const char *name, bool force, bool *kept)
{
	char *there = read_text(AVAILABLE), *fresh = site_text(name);
	char now[256];
	bool ok = fresh != NULL;

	*kept = there && !force && !is_untouched(there);
	if (*kept)
		ok = name_of_site(there, now) && strcmp(now, name) == 0;
	else
		ok = ok && write_text(AVAILABLE, fresh);
	free(there);
	free(fresh);
	return ok;
}

/* Debian's own page answers every name that no other site has. */
static void drop_default(void)
{
	char target[256] = "";

	if (readlink(DEFAULT, target, sizeof target - 1) > 0 && strstr(target, "sites-available/default"))
		unlink(DEFAULT);
}

static bool enable_site(void)
{
	return symlink("../sites-available/jari", ENABLED) == 0 || errno == EEXIST;
}

/* ---- room for a rush ---- */

/* Puts `line` in the place of the line that begins with this word; false: there is none. */
static bool replace_line(char *text, const char *word, const char *line)
{
	char *at = text, *end;
	size_t n = strlen(line);

	for (; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		end = at + strspn(at, " \t");
		if (strncmp(end, word, strlen(word)) == 0 && isspace((unsigned char)end[strlen(word)]))
			break;
	}
	if (!at)
		return false;
	end = strchr(at, '\n');
	if (!end || strlen(text) + n >= CONF_MAX)
		return false;
	memmove(at + n, end, strlen(end) + 1);
	memcpy(at, line, n);
	return true;
}

/* A rush is a thousand guests with two connections each; Debian's nginx has room for 768. */
static bool make_room(char *conf)
{
	bool files = strstr(conf, "worker_rlimit_nofile") != NULL;
	const char *processes = files ? "worker_processes auto;" : "worker_processes auto;\nworker_rlimit_nofile 16000;";

	return replace_line(conf, "worker_processes", processes) &&
	       replace_line(conf, "worker_connections", "\tworker_connections 10240;");
}

static int has_room(const char *conf)
{
	const char *at = strstr(conf, "worker_connections");

	return at && atoi(at + strlen("worker_connections")) >= 4096;
}

/* ---- jari setup nginx ---- */

static int make_book(const struct cli_options *o)
{
	struct cli_options init = *o;

	init.name = NULL;
	if (setup_found(o->dir))
		return CLI_OK;
	init.name = "My restaurant";
	return run((const char *const[]){"/proc/self/exe", "init", "--dir", o->dir, "--name", init.name, NULL});
}

static int test_nginx(char *before)
{
	const char *const test[] = {"nginx", "-t", "-q", NULL};

	if (run(test) == 0)
		return CLI_OK;
	if (before)
		write_text(CONF, before);
	unlink(ENABLED);
	return cli_fail(ERR_OK, "nginx refuses the site, so it was taken out again; what it said stands above");
}

static int put_into_nginx(const char *name, bool force)
{
	char *before = read_text(CONF), *conf = read_text(CONF);
	bool kept = false, roomy = conf && has_room(conf);
	int status = CLI_FAILED;

	if (!conf)
		cli_fail(ERR_OK, "%s: %s; `apt-get install nginx` installs it", CONF, strerror(errno));
	else if (!put_site(name, force, &kept))
		cli_fail(ERR_OK,
			 kept ? "%s was changed by hand and is for another name; it stays.  --force writes it anew" :
				"%s cannot be written",
			 AVAILABLE);
	else if (!enable_site())
		cli_fail(ERR_OK, "%s: %s", ENABLED, strerror(errno));
	else {
		drop_default();
		if (!roomy && make_room(conf))
			write_text(CONF, conf);
		status = test_nginx(roomy ? NULL : before);
	}
	if (status == CLI_OK && kept)
		printf("%s was changed by hand, and stays as it is\n", AVAILABLE);
	free(before);
	free(conf);
	return status;
}

static void tell_link(const struct cli_options *o, const char *name)
{
	char url[300];

	snprintf(url, sizeof url, "http://%s", name);
	if (strcmp(name, "_") == 0)
		run((const char *const[]){"/proc/self/exe", "link", "owner@jari.local", "--dir", o->dir, NULL});
	else
		run((const char *const[]){"/proc/self/exe", "link", "owner@jari.local", "--dir", o->dir, "--url", url, NULL});
}

static int setup_nginx(const struct cli_options *o)
{
	const char *name = o->name ? o->name : "_";
	bool fresh = !setup_found(o->dir);

	if (!is_name(name))
		return cli_fail(ERR_OK, "%s is no name of a site; say it like --name book.example.com", name);
	if (make_book(o) != CLI_OK || put_into_nginx(name, o->force) != CLI_OK)
		return CLI_FAILED;
	if (run((const char *const[]){"systemctl", "reload-or-restart", "nginx", NULL}) != 0 ||
	    run((const char *const[]){"systemctl", "enable", "--now", "-q", "jari", "jari-courier", "jari-cashier", NULL}) != 0)
		return cli_fail(ERR_OK, "not everything started; `systemctl status jari nginx` says why");
	printf("guests book at http://%s/\n", strcmp(name, "_") == 0 ? "the address of this box" : name);
	if (fresh)
		tell_link(o, name);
	return CLI_OK;
}

/* ---- jari setup tls ---- */

static int setup_tls(void)
{
	char name[256] = "", *site = read_text(AVAILABLE);
	bool named = site && name_of_site(site, name) && strcmp(name, "_") != 0;

	free(site);
	if (!named)
		return cli_fail(ERR_OK, "a certificate is for a name: `jari setup nginx --name book.example.com` first");
	if (!there_is("certbot"))
		return cli_fail(ERR_OK,
				"certbot is not here: `apt-get install certbot python3-certbot-nginx`, and say the same again. "
				" %s must lead to "
				"this box from the internet, on port 80",
				name);
	return run((const char *const[]){"certbot", "--nginx", "--redirect", "-d", name, NULL}) == 0 ? CLI_OK : CLI_FAILED;
}

int cli_setup(const struct cli_options *o)
{
	bool nginx = strcmp(o->args[0], "nginx") == 0;

	if (!nginx && strcmp(o->args[0], "tls") != 0)
		return CLI_USAGE;
	if (geteuid() != 0)
		return cli_fail(ERR_OK, "this changes /etc/nginx: say it with sudo");
	return nginx ? setup_nginx(o) : setup_tls();
}
