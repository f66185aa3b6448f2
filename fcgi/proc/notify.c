/*
 * notify.c - what systemd is told.
 */
#include "notify.h"

#include "log.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct {
	struct sockaddr_un to;
	socklen_t size; /* 0: there is no systemd */
	int fd;
	int64_t watchdog_ms;
} n = {.fd = -1};

static void read_socket(const char *path)
{
	size_t length = path ? strlen(path) : 0;

	if (length < 2 || length >= sizeof n.to.sun_path || (*path != '/' && *path != '@'))
		return;
	n.to.sun_family = AF_UNIX;
	memcpy(n.to.sun_path, path, length + 1);
	if (*path == '@')
		n.to.sun_path[0] = '\0'; /* a name in no file system */
	n.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (n.fd >= 0)
		n.size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
}

void notify_open(void)
{
	const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");

	read_socket(getenv("NOTIFY_SOCKET"));
	if (n.size && usec && (!pid || atoll(pid) == getpid()))
		n.watchdog_ms = strtoll(usec, NULL, 10) / 1000;
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

void notify_send(const char *format, ...)
{
	char text[512];
	va_list ap;
	int length;

	if (!n.size)
		return;
	va_start(ap, format);
	length = vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	if (length < 0 || length >= (int)sizeof text)
		return;
	/* Never blocks: a manager that does not read is no reason to stop serving. */
	if (sendto(n.fd, text, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT, (const struct sockaddr *)&n.to, n.size) < 0)
		log_warn("notify.failed", "why=\"%s\"", strerror(errno));
}

int64_t notify_watchdog_ms(void)
{
	return n.watchdog_ms;
}
