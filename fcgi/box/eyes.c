/*
 * eyes.c - what only root can see of the box, or what costs a write to see.
 */
#include "eyes.h"

#include "certificate.h"
#include "clock.h"
#include "doctor.h"
#include "facts.h"
#include "owner.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <unistd.h>

enum { PATH = 4400, LINE = 4096, FLUSHES = 9, PAGE = 4096 };

/* ---- nginx: the site of jari, its certificate, its socket for a tunnel, how many connections it has room for ---- */

struct site {
	bool found, socket;
	char certificate[PATH];
};

static char *value_of(char *line, const char *name)
{
	size_t n = strlen(name);
	char *end;

	while (isspace((unsigned char)*line))
		line++;
	if (strncmp(line, name, n) != 0 || !isspace((unsigned char)line[n]))
		return NULL;
	line += n;
	while (isspace((unsigned char)*line))
		line++;
	end = strchr(line, ';');
	if (end)
		*end = '\0';
	return end ? line : NULL;
}

static void read_site(const char *path, struct site *s)
{
	struct site here = {0};
	char line[LINE], *v;
	FILE *f = fopen(path, "re");

	while (f && fgets(line, sizeof line, f)) {
		here.found |= strstr(line, "jari_workers") != NULL;
		if ((v = value_of(line, "listen")) && strncmp(v, "unix:", 5) == 0)
			here.socket = true;
		if ((v = value_of(line, "real_ip_header"))) /* a tunnel that knows ports alone has one of its own */
			here.socket = true;
		if ((v = value_of(line, "ssl_certificate")) && !here.certificate[0])
			snprintf(here.certificate, sizeof here.certificate, "%s", v);
	}
	if (f)
		fclose(f);
	if (!here.found)
		return;
	s->found = true;
	s->socket |= here.socket;
	if (here.certificate[0])
		memcpy(s->certificate, here.certificate, sizeof s->certificate);
}

static void read_sites(const char *etc, struct site *s)
{
	char folder[PATH], path[PATH + 260];
	const struct dirent *entry;
	DIR *d;

	snprintf(folder, sizeof folder, "%s/nginx/sites-enabled", etc);
	d = opendir(folder);
	while (d && (entry = readdir(d)))
		if (entry->d_name[0] != '.') {
			snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
			read_site(path, s);
		}
	if (d)
		closedir(d);
}

static int read_connections(const char *etc)
{
	char path[PATH], line[LINE], *v;
	int n = 512; /* what nginx takes when nobody says */
	FILE *f;

	snprintf(path, sizeof path, "%s/nginx/nginx.conf", etc);
	f = fopen(path, "re");
	if (!f)
		return EYES_UNKNOWN;
	while (fgets(line, sizeof line, f)) {
		char *in = strchr(line, '{'); /* events { worker_connections 768; } may stand on one line */

		if ((v = value_of(in ? in + 1 : line, "worker_connections")))
			n = atoi(v);
	}
	fclose(f);
	return n;
}

/* ---- a tunnel that runs on this box ---- */

static bool is_tunnel(const char *name)
{
	static const char *const names[] = {"cloudflared", "tailscaled", "ngrok", "frpc"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static void find_tunnel(char out[16])
{
	DIR *d = opendir("/proc");
	const struct dirent *entry;

	out[0] = '\0';
	while (d && !out[0] && (entry = readdir(d))) {
		char path[300], name[16] = "";
		FILE *f;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof path, "/proc/%s/comm", entry->d_name);
		f = fopen(path, "re");
		if (!f)
			continue;
		if (fscanf(f, "%15s", name) == 1 && is_tunnel(name))
			memcpy(out, name, sizeof name);
		fclose(f);
	}
	if (d)
		closedir(d);
}

/* ---- the disk and the clock ---- */

static int by_time(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* A page written in its place and flushed, as the book's log does it; the middle of several. */
static int time_flushes(int fd)
{
	static const char page[PAGE];
	int us[FLUSHES];

	for (int i = 0; i < FLUSHES; i++) {
		int64_t begun = clock_mono_us();

		if (pwrite(fd, page, sizeof page, (off_t)i * PAGE) != PAGE || fdatasync(fd) != 0)
			return EYES_UNKNOWN;
		us[i] = (int)(clock_mono_us() - begun);
	}
	qsort(us, FLUSHES, sizeof us[0], by_time);
	return us[FLUSHES / 2];
}

static int look_at_flush(const char *dir)
{
	char path[PATH];
	int fd, us = EYES_UNKNOWN;

	snprintf(path, sizeof path, "%s/doctor.trial", dir);
	if (!owner_enter(dir))
		return us;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0) {
		us = time_flushes(fd);
		close(fd);
		unlink(path);
	}
	owner_leave();
	return us;
}

static int look_at_clock(void)
{
	struct timex t = {0};
	int state = adjtimex(&t);

	return state == -1 ? EYES_UNKNOWN : state != TIME_ERROR;
}

void eyes_look(const char *dir, const char *etc, struct eyes *out)
{
	struct site site = {0};

	*out = (struct eyes){.certificate_s = EYES_UNKNOWN, .connections = EYES_UNKNOWN};
	read_sites(etc, &site);
	if (site.found) {
		out->connections = read_connections(etc);
		if (!site.certificate[0])
			out->certificate_s = 0;
		else if (!certificate_end(site.certificate, &out->certificate_s))
			out->certificate_s = EYES_UNKNOWN;
	}
	find_tunnel(out->tunnel_name);
	out->tunnel = !out->tunnel_name[0] ? 0 : site.socket || !site.found ? 1 : 2;
	out->flush_us = look_at_flush(dir);
	out->by_network = look_at_clock();
}

/* ---- what was seen ---- */

static bool read_note(const char *words, struct eyes *out)
{
	long long end;

	*out = (struct eyes){0};
	if (sscanf(words, "%lld %d %d %d %d %15s", &end, &out->connections, &out->flush_us, &out->by_network, &out->tunnel,
		   out->tunnel_name) < 5)
		return false;
	out->certificate_s = end;
	return true;
}

void eyes_note(const char *dir, int64_t now_s, struct eyes *seen)
{
	struct eyes before;
	char words[200];

	if (eyes_noted(dir, now_s, &before)) {
		if (seen->certificate_s == EYES_UNKNOWN && seen->connections != EYES_UNKNOWN)
			seen->certificate_s = before.certificate_s; /* it is root's to read */
		if (seen->flush_us == EYES_UNKNOWN)
			seen->flush_us = before.flush_us;
	}
	snprintf(words, sizeof words, "%lld %d %d %d %d %s", (long long)seen->certificate_s, seen->connections, seen->flush_us,
		 seen->by_network, seen->tunnel, seen->tunnel_name);
	facts_put(dir, FACT_SEEN, now_s, words);
}

bool eyes_noted(const char *dir, int64_t now_s, struct eyes *out)
{
	char words[200];
	int64_t when = facts_get(dir, FACT_SEEN, words, sizeof words);

	return when && now_s - when < DOCTOR_NOTE_DAYS * INT64_C(86400) && read_note(words, out);
}
