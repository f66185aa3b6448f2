/*
 * site.c - the nginx of `jari up`.
 */
#include "site.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char embed_nginx[];

/* The pages: --www, or beside the program as in a checkout, or as installed.  False: errno says why not. */
static bool find_www(const char *given, char out[SITE_PATH])
{
	static const char *const beside[] = {"/../www", "/../../www", "/../share/jari/www"};
	char exe[SITE_PATH], candidate[SITE_PATH + 64];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
	int why = ENOENT;

	if (given)
		return realpath(given, out) != NULL;
	if (n <= 0)
		return false;
	exe[n] = '\0';
	*strrchr(exe, '/') = '\0';
	for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
		snprintf(candidate, sizeof candidate, "%s%s/style.css", exe, beside[i]);
		if (access(candidate, R_OK) != 0) {
			why = errno == EACCES ? EACCES : why;
			continue;
		}
		*strrchr(candidate, '/') = '\0';
		return realpath(candidate, out) != NULL;
	}
	errno = why;
	return false;
}

/* As root we have become another user by now, who may not see what root has installed in a folder of its own. */
static int no_www(int why)
{
	const struct passwd *who = getpwuid(geteuid());

	if (why != EACCES || !who)
		return cli_fail(ERR_OK, "the pages are not there; --www FOLDER says where");
	return cli_fail(ERR_OK,
			"the user %s may not read the pages; put jari where everybody may (`make install`), or name a copy of "
			"the pages with --www FOLDER",
			who->pw_name);
}

static bool find_nginx(char out[SITE_PATH])
{
	static const char *const places[] = {"/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"};

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		if (access(places[i], X_OK) == 0) {
			snprintf(out, SITE_PATH, "%s", places[i]);
			return true;
		}
	return false;
}

/* Copies text to out with every `from` replaced by `to`; false unless it occurs exactly once. */
static bool replace_once(char **text, const char *from, const char *to)
{
	char *at = strstr(*text, from), *fresh;

	if (!at || strstr(at + 1, from))
		return false;
	if (asprintf(&fresh, "%.*s%s%s", (int)(at - *text), *text, to, at + strlen(from)) < 0)
		return false;
	free(*text);
	*text = fresh;
	return true;
}

/* Between quotes nginx takes blanks, but still looks for these: variables, the quotes' end, a pattern of files. */
static bool nginx_reads(const char *path)
{
	for (const char *p = path; *p; p++)
		if ((unsigned char)*p < ' ' || strchr("\"\\$*?[", *p))
			return false;
	return true;
}

static bool write_file(const char *dir, const char *name, const char *text)
{
	char path[SITE_PATH + 64];
	FILE *f;
	bool ok;
	int fd;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0640);
	f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f)
		return false;
	ok = fputs(text, f) >= 0;
	return fclose(f) == 0 && ok;
}

/* nginx.conf.example with this place's names. */
static bool write_site(const struct site *site)
{
	char listen4[128], listen6[128], root[SITE_PATH + 2], socket_path[SITE_PATH + 32];
	char access_log[SITE_PATH + 32], error_log[SITE_PATH + 32];
	char *text = strdup(embed_nginx);
	bool ok;

	assert(site->port > 0 && site->dir[0]);
	snprintf(listen4, sizeof listen4, "listen %s%s%d;", site->bind ? site->bind : "", site->bind ? ":" : "", site->port);
	snprintf(listen6, sizeof listen6, "%slisten [::]:%d;", site->ipv6 ? "" : "# ", site->port);
	snprintf(root, sizeof root, "\"%s\"", site->www);
	snprintf(socket_path, sizeof socket_path, "\"unix:%s/jari.sock\"", site->dir);
	snprintf(access_log, sizeof access_log, "\"%s/access.log\"", site->dir);
	snprintf(error_log, sizeof error_log, "\"%s/nginx.log\"", site->dir);
	ok = text && replace_once(&text, "listen 80;", listen4) && replace_once(&text, "listen [::]:80;", listen6) &&
	     replace_once(&text, "server_name jari.example;", "server_name _;") &&
	     replace_once(&text, "/usr/local/share/jari/www", root) &&
	     replace_once(&text, "unix:/var/lib/jari/jari.sock", socket_path) &&
	     replace_once(&text, "/var/log/nginx/jari.log", access_log) &&
	     replace_once(&text, "/var/log/nginx/jari-error.log", error_log) && write_file(site->dir, "site.conf", text);
	free(text);
	return ok;
}

char *site_text(const char *name)
{
	char www[SITE_PATH], server[300], *text = strdup(embed_nginx);
	bool ok = text && find_www(NULL, www) && nginx_reads(www);

	snprintf(server, sizeof server, "\n\tserver_name %s;", name);
	ok = ok && replace_once(&text, "\n\tserver_name jari.example;", server) &&
	     replace_once(&text, "/usr/local/share/jari/www", www);
	if (ok && access("/proc/net/if_inet6", R_OK) != 0)
		ok = replace_once(&text, "\tlisten [::]:80;", "\t# listen [::]:80;");
	if (ok)
		return text;
	free(text);
	return NULL;
}

static bool write_conf(const struct site *site)
{
	const char *d = site->dir;
	char *text;
	bool ok =
		asprintf(
			&text,
			"# Written by `jari up`, anew at every start.\n"
			"daemon off;\n"
			"%s"
			"worker_processes auto;\n"
			"worker_rlimit_nofile 16000;\n"
			"pid \"%s/nginx.pid\";\n"
			"error_log \"%s/nginx.log\" warn;\n"
			"events { worker_connections 10240; }\n" /* two a guest; one of two nginx workers may get them all, and half-sent requests wait in them */
			"http {\n"
			"\tinclude /etc/nginx/mime.types;\n"
			"\tdefault_type application/octet-stream;\n"
			"\tclient_body_temp_path \"%s/tmp/body\";\n"
			"\tproxy_temp_path \"%s/tmp/proxy\";\n"
			"\tfastcgi_temp_path \"%s/tmp/fastcgi\";\n"
			"\tuwsgi_temp_path \"%s/tmp/uwsgi\";\n"
			"\tscgi_temp_path \"%s/tmp/scgi\";\n"
			"\tinclude \"%s/site.conf\";\n"
			"\taccess_log off;\n" /* the site has its own */
			"}\n",
			/* A master that is root must not give its workers to a user who cannot enter DIR. */
			geteuid() == 0 ? "user root;\n" : "", d, d, d, d, d, d, d, d) >= 0;

	if (!ok)
		return false;
	ok = write_file(d, "nginx.conf", text);
	free(text);
	return ok;
}

/* Can nginx listen there?  0, or why not. */
static int try_listen(const struct sockaddr *a, socklen_t size)
{
	int fd = socket(a->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1, why = 0;

	if (fd < 0)
		return 0; /* nginx will know better */
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (a->sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
	if (bind(fd, a, size) != 0)
		why = errno;
	close(fd);
	return why;
}

/* Checked before nginx starts, to give a better message than nginx's. */
static int look_at_port(const struct site *site)
{
	struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)site->port)};
	struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)site->port)};
	int why;

	if (site->bind && inet_pton(AF_INET, site->bind, &four.sin_addr) != 1)
		return cli_fail(ERR_OK, "--bind takes an address of this machine like 127.0.0.1, not %s", site->bind);
	why = try_listen((struct sockaddr *)&four, sizeof four);
	if (!why && site->ipv6)
		why = try_listen((struct sockaddr *)&six, sizeof six);
	switch (why) {
	case 0:
		return CLI_OK;
	case EADDRINUSE:
		return cli_fail(ERR_OK, "port %d is in use; choose another with --port (make run PORT=8081)", site->port);
	case EACCES:
		return cli_fail(ERR_OK, "port %d is for root only; choose one from 1024 on with --port", site->port);
	case EADDRNOTAVAIL:
		return cli_fail(ERR_OK, "%s is no address of this machine; choose another with --bind", site->bind);
	default:
		return cli_fail(ERR_OK, "no program can listen on port %d: %s", site->port, strerror(why));
	}
}

int site_choose(const struct cli_options *o, struct site *site)
{
	site->port = o->port;
	site->bind = o->bind;
	site->ipv6 = !o->bind && access("/proc/net/if_inet6", R_OK) == 0;
	if (!find_nginx(site->nginx))
		return cli_fail(ERR_OK, "nginx is not installed; `apt-get install nginx` installs it");
	if (!find_www(o->www, site->www))
		return no_www(errno);
	return look_at_port(site);
}

int site_write(const struct cli_options *o, struct site *site)
{
	char path[SITE_PATH + 64];

	if (!cli_make_folder(o->dir))
		return CLI_FAILED;
	if (!realpath(o->dir, site->dir))
		return cli_fail(ERR_OK, "%s: %s", o->dir, strerror(errno));
	if (strlen(site->dir) > 95)
		return cli_fail(ERR_OK, "%s: the folder's name is too long for a socket; use a shorter one", site->dir);
	if (!nginx_reads(site->dir) || !nginx_reads(site->www))
		return cli_fail(ERR_OK, "%s: nginx cannot read a folder's name with any of \" \\ $ * ? [ in it; use another",
				nginx_reads(site->dir) ? site->www : site->dir);
	snprintf(path, sizeof path, "%s/tmp", site->dir);
	if (mkdir(path, 0770) != 0 && errno != EEXIST)
		return cli_fail(ERR_BOOK_UNWRITABLE, "%s", path);
	if (!write_site(site) || !write_conf(site))
		return cli_fail(ERR_BOOK_UNWRITABLE, "cannot write the nginx configuration into %s", site->dir);
	return CLI_OK;
}
