/*
 * role.c - two boxes and one book: which of them is this?
 */
#include "role.h"

#include "clock.h"
#include "durable.h"
#include "facts.h"
#include "owner.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void role_copy_path(const char *dir, char out[ROLE_PATH])
{
	snprintf(out, ROLE_PATH, "%s/spare.db", dir);
}

void role_older_path(const char *dir, char out[ROLE_PATH])
{
	snprintf(out, ROLE_PATH, "%s/spare.db.older", dir);
}

enum role role_of(const char *dir)
{
	char path[ROLE_PATH];

	/* Whatever is in it: a file that cannot be read any more still says that there was a takeover. */
	snprintf(path, sizeof path, "%s/replaced", dir);
	if (access(path, F_OK) == 0)
		return ROLE_REPLACED;
	snprintf(path, sizeof path, "%s/jari.db", dir);
	if (access(path, F_OK) == 0)
		return ROLE_SERVES;
	role_copy_path(dir, path);
	return access(path, F_OK) == 0 ? ROLE_SPARE : ROLE_SERVES;
}

/* ---- replaced ---- */

bool role_replaced(const char *dir, struct role_replaced *out)
{
	char words[ROLE_TEXT];
	long long epoch = 0, last = 0;

	*out = (struct role_replaced){.when_s = facts_get(dir, FACT_REPLACED, words, sizeof words)};
	if (sscanf(words, "%lld %lld", &epoch, &last) == 2) {
		out->epoch = epoch;
		out->last_reservation = last;
	}
	return role_of(dir) == ROLE_REPLACED;
}

/* A full disk has room for a name where it has none for words, and the name is what counts. */
static bool mark_replaced(const char *dir)
{
	char path[ROLE_PATH];
	int fd;

	snprintf(path, sizeof path, "%s/replaced", dir);
	if (!owner_enter(dir))
		return false;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
	owner_leave();
	if (fd < 0)
		return false;
	close(fd);
	return durable_flush_folder(dir);
}

bool role_set_replaced(const char *dir, const struct role_replaced *r)
{
	char words[ROLE_TEXT];

	snprintf(words, sizeof words, "%lld %lld", (long long)r->epoch, (long long)r->last_reservation);
	return facts_put(dir, FACT_REPLACED, r->when_s, words) || mark_replaced(dir);
}

/* ---- the spare ---- */

static void put_heard(const char *dir, char out[ROLE_PATH])
{
	snprintf(out, ROLE_PATH, "%s/spare.heard", dir);
}

void role_note_heard(const char *dir)
{
	char path[ROLE_PATH];
	int fd;

	put_heard(dir, path);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
	if (fd < 0)
		return;
	futimens(fd, NULL);
	close(fd);
}

/* The next field of a text that is parted by tabs. */
static const char *take(const char *from, char *out, size_t size)
{
	size_t n = strcspn(from, "\t");

	snprintf(out, size, "%.*s", (int)n, from);
	return from[n] ? from + n + 1 : from + n;
}

bool role_copy(const char *dir, struct role_copy *out)
{
	char words[ROLE_TEXT + 200], number[24], path[ROLE_PATH];
	const char *p = words;
	struct stat st;

	*out = (struct role_copy){.made_s = facts_get(dir, FACT_SPARE, words, sizeof words)};
	put_heard(dir, path);
	if (stat(path, &st) == 0)
		out->heard_s = st.st_mtime;
	p = take(p, number, sizeof number);
	p = take(p, out->site, sizeof out->site);
	p = take(p, out->peer, sizeof out->peer);
	take(p, out->house, sizeof out->house);
	out->epoch = strtoll(number, NULL, 10);
	role_copy_path(dir, path);
	return access(path, F_OK) == 0;
}

/* A tab or a line's end in a name would be read as the next field. */
static void put(char *out, size_t size, const char *text, const char *end)
{
	size_t n = strlen(out);

	for (; *text && n < size - 2; text++)
		out[n++] = (unsigned char)*text < ' ' ? ' ' : *text;
	out[n] = '\0';
	strncat(out, end, size - n - 1);
}

bool role_set_copy(const char *dir, const struct role_copy *c)
{
	char words[ROLE_TEXT + 180];

	snprintf(words, sizeof words, "%lld\t", (long long)c->epoch);
	put(words, sizeof words, c->site, "\t");
	put(words, sizeof words, c->peer, "\t");
	put(words, sizeof words, c->house, "");
	return facts_put(dir, FACT_SPARE, c->made_s, words);
}

bool role_set_serves(const char *dir)
{
	char path[ROLE_PATH];

	/* First: a box that is cut off after it serves, and what it had as a spare only costs room. */
	facts_forget(dir, FACT_REPLACED);
	if (!durable_flush_folder(dir) || role_of(dir) != ROLE_SERVES)
		return false;
	role_copy_path(dir, path);
	unlink(path);
	role_older_path(dir, path);
	unlink(path);
	facts_forget(dir, FACT_SPARE);
	put_heard(dir, path);
	unlink(path);
	facts_forget(dir, FACT_MIRROR); /* of a spare that it had when it served before */
	facts_forget(dir, FACT_MIRROR_BAD);
	durable_flush_folder(dir);
	return true;
}
