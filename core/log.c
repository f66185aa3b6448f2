/*
 * log.c - one line an event on standard error.
 */
#include "log.h"

#include "clock.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
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

void log_line(enum log_level level, const char *event, const char *format, ...)
{
	static const char *const words[] = {"debug", "info ", "warn ", "error"};
	char line[1024], at[CLOCK_ISO_SIZE];
	int64_t now = clock_now_ms();
	size_t n;
	int w;
	va_list ap;

	if (level < least_level)
		return;
	clock_iso(now / 1000, at);
	w = snprintf(line, sizeof line, "%.19s.%03dZ %s %s %d%s%s %s ", at, (int)(now % 1000), words[level], name,
		     (int)getpid(), request[0] ? " req=" : "", request, event);
	n = (size_t)w;
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
