/*
 * procfs.h - what the kernel says of a process.
 */
#ifndef JARI_PROCFS_H
#define JARI_PROCFS_H

#include <stdbool.h>

/* The first line of /proc/PID/FILE that has this form, as sscanf() takes it.  False: there is none, or no such process. */
bool procfs_line(int pid, const char *file, const char *form, ...) __attribute__((format(scanf, 3, 4)));

#endif
