/*
 * supervise.h - the parent of all: starts workers, courier, cashier, keeper and (for `jari up`) nginx, restarts what
 * dies, kills what hangs, and stops everything without cutting an answer short.
 *
 * SIGTERM, SIGINT  drain and stop.    SIGHUP  replace the workers one by one.
 */
#ifndef JARI_SUPERVISE_H
#define JARI_SUPERVISE_H

#include <stdbool.h>
#include <stdint.h>

struct supervise_plan {
	const char *dir;
	int workers;
	int hang_ms;            /* a worker busy for longer is killed */
	bool no_courier;        /* it and the cashier run in units of their own, with the network that this one does not have */
	const char *const *web; /* argv of the web server to run beside the workers, or NULL */
	void (*ready)(void *arg); /* called once when everything is started */
	void *arg;
};

enum { SUPERVISE_HANG_MS = 30000, SUPERVISE_WORKERS = 32 };

/*
 * How many workers a box of so many cores and so much memory is good for: SUPERVISE_WORKERS from two cores and half a gigabyte
 * on.  In a rush a worker waits for most of its time, and needs three megabytes; nginx, the disk's cache and the others want theirs.
 */
int supervise_workers_for(long cores, int64_t memory_mb);
/* Of the cores and the memory that this process may use: taskset, CPUAffinity= and MemoryMax= count. */
int supervise_workers(void);
/* What the control groups (version 2) of a process allow it, by its /proc/PID/cgroup; vastly much where they say nothing. */
int64_t supervise_limit_mb(const char *self, const char *root);

/* Returns the exit status of the whole appliance. */
int supervise_run(const struct supervise_plan *plan);

#endif
