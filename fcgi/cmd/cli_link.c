/*
 * cli_link.c - the one-time link by which owner and staff get in: as text and as a QR code in the terminal.
 */
#include "cli.h"

#include "clock.h"
#include "door.h"
#include "mailserver.h"
#include "serving.h"
#include "staff.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <qrencode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { QUIET = 2 }; /* modules around a code */

bool cli_find_lan(char *out, size_t size)
{
	struct ifaddrs *list, *at;
	bool found = false;

	if (getifaddrs(&list) != 0)
		return false;
	for (at = list; at && !found; at = at->ifa_next) {
		struct sockaddr_in a;

		if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET || at->ifa_flags & IFF_LOOPBACK ||
		    !(at->ifa_flags & IFF_RUNNING))
			continue;
		memcpy(&a, at->ifa_addr, sizeof a);
		found = inet_ntop(AF_INET, &a.sin_addr, out, (socklen_t)size) != NULL;
	}
	freeifaddrs(list);
	return found;
}

static bool is_dark(const QRcode *code, int x, int y)
{
	return x >= 0 && y >= 0 && x < code->width && y < code->width && code->data[y * code->width + x] & 1;
}

/*
 * Two rows of modules to a line of text.  On a terminal black on white in colours of its own, whatever its theme is; in a
 * file, where there are no colours, light on dark, as most terminals are that will show it.
 */
static void print_code(const char *text)
{
	static const char *const by_light[] = {"\u2588", "\u2584", "\u2580", " "}, *const by_dark[] = {" ", "\u2580", "\u2584",
												       "\u2588"};
	QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L);
	bool colours = isatty(STDOUT_FILENO);
	const char *const *blocks = colours ? by_dark : by_light;

	if (!code)
		return;
	for (int y = -QUIET; y < code->width + QUIET; y += 2) {
		printf("      %s", colours ? "\033[38;5;16;48;5;231m" : "");
		for (int x = -QUIET; x < code->width + QUIET; x++)
			printf("%s", blocks[2 * is_dark(code, x, y + 1) + is_dark(code, x, y)]);
		printf("%s\n", colours ? "\033[0m" : "");
	}
	QRcode_free(code);
}

void cli_show_link(const char *site, const char *email, const char *password)
{
	char link[640];

	snprintf(link, sizeof link, "%s/desk/#welcome=%s/%s", site, email, password);
	printf("\n  open this within %d minutes and choose a password (it works once):\n\n      %s\n\n", STAFF_LINK_S / 60,
	       link);
	print_code(link);
	printf("\n  (%s, one-time password %s )\n", email, password);
	fflush(stdout);
}

/* On this machine: as DIR/site.conf of `jari up` says; port 80 where it does not. */
static void find_machine(const struct cli_options *o, char *out, size_t size)
{
	char path[4200], line[256], host[64] = "localhost", lan[64];
	int port = 80, a, b, c, d, n;
	FILE *f;

	snprintf(path, sizeof path, "%s/site.conf", o->dir);
	f = fopen(path, "re");
	if (cli_find_lan(lan, sizeof lan))
		snprintf(host, sizeof host, "%s", lan);
	while (f && fgets(line, sizeof line, f)) {
		if (sscanf(line, " listen %d.%d.%d.%d:%d;", &a, &b, &c, &d, &n) == 5) {
			snprintf(host, sizeof host, "%d.%d.%d.%d", a, b, c, d);
			port = n;
			break;
		}
		if (sscanf(line, " listen %d;", &n) == 1) {
			port = n;
			break;
		}
	}
	if (f)
		fclose(f);
	snprintf(out, size, "http://%s:%d", host, port);
}

/* Where the pages are: as --url says, else the address that mails to guests have, else this machine's. */
static void find_site(struct door *d, const struct cli_options *o, char *out, size_t size)
{
	struct mailserver mail;
	size_t n;

	if (o->url)
		snprintf(out, size, "%s", o->url);
	else if (mailserver_get(&d->db, &mail) == ERR_OK && mail.site[0])
		snprintf(out, size, "%s", mail.site);
	else
		find_machine(o, out, size);
	for (n = strlen(out); n && out[n - 1] == '/'; n--)
		out[n - 1] = '\0';
}

static enum err set_once(struct door *d, int64_t user, char password[TOKEN_PASSWORD_SIZE])
{
	char hash[TOKEN_HASH_SIZE];

	token_make_password(password);
	if (!token_hash_password(password, hash))
		return ERR_NO_MEMORY;
	return staff_set_once(&d->db, user, hash, clock_now_s() + STAFF_LINK_S, "shell", clock_now_s());
}

/* A link to a book that is not served leads nowhere, and it would end the logins that are open. */
static bool is_served(const struct cli_options *o)
{
	if (o->url || serving_pid(o->dir))
		return true;
	cli_fail(
		ERR_OK,
		"%s is not being served, so that the link would lead nowhere: start jari first (`jari up`, or `systemctl start "
		"jari`); --url ADDRESS if another web server serves it",
		o->dir);
	return false;
}

int cli_link(const struct cli_options *o)
{
	char password[TOKEN_PASSWORD_SIZE], site[256];
	struct door d;
	struct user u;
	enum err e;

	if (o->url && strncmp(o->url, "https://", 8) != 0 && strncmp(o->url, "http://", 7) != 0)
		return cli_fail(ERR_OK, "--url takes an address like https://book.example.com, not %s", o->url);
	if (!cli_book_writable(o) || !is_served(o) || !cli_enter(&d, o))
		return CLI_FAILED;
	e = users_by_login(&d.db, o->args[0], &u);
	if (e == ERR_OK)
		e = set_once(&d, u.id, password);
	if (e == ERR_OK) {
		find_site(&d, o, site, sizeof site);
		cli_show_link(site, o->args[0], password);
		printf("  logins of %s that were open have ended\n", o->args[0]);
	} else if (e == ERR_NOT_FOUND)
		cli_fail(ERR_OK, "there is no login %s; `jari staff list` shows who does", o->args[0]);
	else
		cli_fail(e, "link");
	door_leave(&d);
	return e == ERR_OK ? CLI_OK : CLI_FAILED;
}
