/*
 * strangers.c - processes of this book that are not the supervisor's children, as /proc shows them.
 */
#include "strangers.h"

#include "children.h"
#include "clock.h"
#include "log.h"
#include "procfs.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { STOPPED_MS = CHILDREN_STOPPED_MS };

static bool is_stopped(int pid)
{
	char state = 0;

	return procfs_line(pid, "status", "State: %c", &state) && state == 'T';
}

/* Does that process map our segment?  A number left behind by a killed holder may be another process's by now. */
static bool is_in_hall(const struct hall *h, int pid)
{
	char path[32], line[512];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/maps", pid);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof line, f))
		found = strstr(line, h->shm.name) != NULL;
	if (f)
		fclose(f);
	return found;
}

/* Stopped for a second while holding something, and not our child: a command, or a CGI process. */
static bool is_stopped_stranger(const struct hall *h, int holder, int64_t since)
{
	return holder && since && clock_mono_ms() - since >= STOPPED_MS && !children_has(holder) && is_stopped(holder) &&
	       is_in_hall(h, holder);
}

void strangers_kill_stopped(struct hall *h)
{
	int64_t since = pen_since_ms(h->pen);
	int holder = pen_holder(h->pen);

	if (!is_stopped_stranger(h, holder, since) || pen_holder(h->pen) != holder) {
		holder = line_holder(h->line, &since);
		if (!is_stopped_stranger(h, holder, since) || line_holder(h->line, &since) != holder)
			return;
	}
	log_warn("supervise.hung", "pid=%d why=stopped_while_others_wait", holder);
	counters_count(h->counters, COUNTER_worker_hangs);
	kill(holder, SIGKILL);
}
