/*
 * wire.c - lines and bytes between two boxes.
 */
#include "wire.h"

#include "clock.h"
#include "stop.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STEP_MS = 200 }; /* how soon a process that is to stop does */

void wire_open(struct wire *w, int in, int out)
{
	w->in = in;
	w->out = out;
	w->at = w->have = 0;
	w->last = false;
	fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
	fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
}

/* False when the time is over, or the process is to stop. */
static bool wait_for(const struct wire *w, int fd, short what, int64_t until_ms)
{
	struct pollfd p = {.fd = fd, .events = what};
	int64_t left;

	while ((!stop_asked || w->last) && (left = until_ms - clock_mono_ms()) > 0)
		if (poll(&p, 1, left < STEP_MS ? (int)left : STEP_MS) > 0)
			return true;
	return false;
}

static bool fill(struct wire *w, int64_t until_ms)
{
	ssize_t n;

	assert(w->at == w->have);
	for (;;) {
		if (!wait_for(w, w->in, POLLIN, until_ms))
			return false;
		n = read(w->in, w->kept, sizeof w->kept);
		if (n > 0)
			break;
		if (n == 0 || (errno != EAGAIN && errno != EINTR))
			return false;
	}
	w->at = 0;
	w->have = (size_t)n;
	return true;
}

bool wire_read(struct wire *w, void *out, size_t n, int64_t until_ms)
{
	char *to = out;

	while (n) {
		size_t part = w->have - w->at < n ? w->have - w->at : n;

		if (!part && !fill(w, until_ms))
			return false;
		memcpy(to, w->kept + w->at, part);
		w->at += part;
		to += part;
		n -= part;
	}
	return true;
}

bool wire_line(struct wire *w, char *out, size_t size, int64_t until_ms)
{
	size_t n = 0;
	char c;

	while (wire_read(w, &c, 1, until_ms)) {
		if (c == '\n') {
			out[n] = '\0';
			return true;
		}
		if (n == size - 1 || c == '\0')
			return false;
		out[n++] = c;
	}
	return false;
}

bool wire_write(struct wire *w, const void *bytes, size_t n, int64_t until_ms)
{
	const char *from = bytes;
	ssize_t done;

	while (n) {
		if (!wait_for(w, w->out, POLLOUT, until_ms))
			return false;
		done = write(w->out, from, n);
		if (done < 0 && errno != EAGAIN && errno != EINTR)
			return false;
		if (done > 0) {
			from += done;
			n -= (size_t)done;
		}
	}
	return true;
}

bool wire_say(struct wire *w, int64_t until_ms, const char *format, ...)
{
	char line[WIRE_LINE];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(line, sizeof line, format, ap);
	va_end(ap);
	return n > 0 && n < (int)sizeof line && wire_write(w, line, (size_t)n, until_ms);
}
