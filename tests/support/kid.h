/*
 * kid.h - other processes for a test.
 *
 * A kid must not fail a cmocka assertion: it says what it thinks by what run() returns.
 */
#ifndef JARI_TEST_KID_H
#define JARI_TEST_KID_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { KID_KILLED = 256 };

/* Memory that this process and its kids see alike, all zeros; kid_unshare gives it back. */
void *kid_share(size_t size);
void kid_unshare(void *memory, size_t size);

pid_t kid_start(int (*run)(void *arg), void *arg);
/* What run() returned, or KID_KILLED + the signal. */
int kid_end(pid_t pid);
void kid_kill(pid_t pid);
/* kid_start and kid_end. */
int kid_run(int (*run)(void *arg), void *arg);

/* Waits until the flag is set; false after ten seconds. */
bool kid_wait(_Atomic int *flag);
/* A kid's last breath. */
void kid_die(void) __attribute__((noreturn));

#endif
