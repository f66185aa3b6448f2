/*
 * log.c - one line an event on standard error.
 */
#include "log.h"

#include "clock.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[24] = "jari";
static char request[40];
static enum log_level least_level = LOG_INFO;

void log_name(const char *who)
{
	snprintf(name, sizeof name, "%s", who);
}

void log_request(const char *id)
{
	size_t n = 0;

	for (; id && *id && n < sizeof request - 1; id++)
		if (isalnum((unsigned char)*id) || *id == '-')
			request[n++] = *id;
	request[n] = '\0';
}

void log_level_set(enum log_level least)
{
	least_level = least;
}

/* Is standard error the journal?  systemd says which file it is; then the journal has a clock and knows priorities. */
static bool to_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	char own[64];
	struct stat st;

	if (!stream || fstat(STDERR_FILENO, &st) != 0)
		return false;
	snprintf(own, sizeof own, "%llu:%llu", (unsigned long long)st.st_dev, (unsigned long long)st.st_ino);
	return strcmp(own, stream) == 0;
}

/* How a line begins; returns its length. */
static int put_head(enum log_level level, char *out, size_t size)
{
	static const char *const words[] = {"debug", "info ", "warn ", "error"};
	static const int priorities[] = {7, 6, 4, 3};
	char at[CLOCK_ISO_SIZE];
	int64_t now = clock_now_ms();

	if (to_journal())
		return snprintf(out, size, "<%d>%s", priorities[level], name);
	clock_iso(now / 1000, at);
	return snprintf(out, size, "%.19s.%03dZ %s %s %d", at, (int)(now % 1000), words[level], name, (int)getpid());
}

void log_line(enum log_level level, const char *event, const char *format, ...)
{
	char line[1024];
	size_t n;
	int w;
	va_list ap;

	if (level < least_level)
		return;
	n = (size_t)put_head(level, line, sizeof line);
	w = snprintf(line + n, sizeof line - n, "%s%s %s ", request[0] ? " req=" : "", request, event);
	n += (size_t)w;
	va_start(ap, format);
	w = vsnprintf(line + n, sizeof line - n, format, ap);
	va_end(ap);
	n = w < 0 ? n : n + (size_t)w;
	if (n > sizeof line - 2)
		n = sizeof line - 2;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)line[i] < ' ')
			line[i] = '?'; /* a value must not forge a line */
	line[n++] = '\n';
	/* Nothing can be done about a log that cannot be written. */
	if (write(STDERR_FILENO, line, n) < 0)
		return;
}
