/*
 * failpoint.c - places where a test may kill, stop or delay a process.
 */
#include "failpoint.h"

#ifdef JARI_TESTING

#include "clock.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void failpoint_hit(const char *name)
{
	static int passed;
	const char *spec = getenv("JARI_FAILPOINT"), *fuse = getenv("JARI_FAILPOINT_FUSE");
	size_t n = strlen(name);
	const char *action, *nth;

	if (!spec || strncmp(spec, name, n) != 0 || spec[n] != ':')
		return;
	action = spec + n + 1;
	nth = strchr(action, ':');
	if (++passed < (nth ? atoi(nth + 1) : 1))
		return;
	if (fuse ? unlink(fuse) != 0 : passed > (nth ? atoi(nth + 1) : 1))
		return;
	if (strncmp(action, "kill", 4) == 0)
		kill(getpid(), SIGKILL);
	else if (strncmp(action, "stop", 4) == 0)
		kill(getpid(), SIGSTOP);
	else if (strncmp(action, "sleep", 5) == 0)
		clock_sleep_ms(atoi(action + 5));
}

_Bool failpoint_fails(const char *name)
{
	const char *spec = getenv("JARI_FAILPOINT");
	size_t n = strlen(name);

	if (!spec || strncmp(spec, name, n) != 0 || strcmp(spec + n, ":fail") != 0)
		return 0;
	errno = EIO;
	return 1;
}

_Bool failpoint_without(const char *mechanism)
{
	const char *off = getenv("JARI_WITHOUT");

	return off && strcmp(off, mechanism) == 0;
}

#else
typedef int failpoint_is_empty; /* a translation unit is never quite empty */
#endif
