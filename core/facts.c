/*
 * facts.c - what is known of a book's folder and must outlive every process.
 */
#include "facts.h"

#include "clock.h"
#include "durable.h"
#include "log.h"
#include "owner.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FACT_PATH = 4200, FACT_SIZE = 512 };

static const char *const files[] = {
#define X(name, file) file,
	FACTS_LIST(X)
#undef X
};

static void put_path(char out[FACT_PATH], const char *dir, enum fact fact, const char *tail)
{
	assert(fact < FACTS);
	snprintf(out, FACT_PATH, "%s/%s%s", dir, files[fact], tail);
}

/* A new file each time: whose the last one was does not matter. */
bool facts_put(const char *dir, enum fact fact, int64_t now_s, const char *words)
{
	char path[FACT_PATH], part[FACT_PATH], stamp[CLOCK_ISO_SIZE], text[FACT_SIZE];
	bool ok;

	clock_iso(now_s, stamp);
	snprintf(text, sizeof text, "%s%s%s", stamp, *words ? " " : "", words);
	put_path(path, dir, fact, "");
	put_path(part, dir, fact, ".part");
	if (!owner_enter(dir))
		return false;
	unlink(part);
	ok = durable_write(part, text, strlen(text), 0640) && durable_rename(part, path);
	owner_leave();
	if (!ok)
		log_warn("fact.not_noted", "file=%s why=\"%s\"", path, strerror(errno));
	return ok;
}

int64_t facts_get(const char *dir, enum fact fact, char *words, size_t size)
{
	char path[FACT_PATH], text[FACT_SIZE] = "", stamp[CLOCK_ISO_SIZE];
	int64_t when = 0;
	int fd;

	if (words)
		words[0] = '\0';
	put_path(path, dir, fact, "");
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof text - 1) < CLOCK_ISO_SIZE - 1)
		text[0] = '\0';
	close(fd);
	snprintf(stamp, sizeof stamp, "%.*s", CLOCK_ISO_SIZE - 1, text);
	if (!clock_parse_iso(stamp, &when))
		return 0;
	if (words && text[CLOCK_ISO_SIZE - 1] == ' ')
		snprintf(words, size, "%s", text + CLOCK_ISO_SIZE);
	return when;
}

void facts_forget(const char *dir, enum fact fact)
{
	char path[FACT_PATH];

	put_path(path, dir, fact, "");
	if (!owner_enter(dir))
		return;
	unlink(path);
	owner_leave();
}
