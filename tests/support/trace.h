/*
 * trace.h - kills a process at a system call of the test's choice.
 *
 * Only calls that change files count: what lies between two of them leaves the same files behind.
 */
#ifndef JARI_TEST_TRACE_H
#define JARI_TEST_TRACE_H

#include <stdbool.h>

enum trace_kind {
	TRACE_NOTHING, /* it failed and changed nothing */
	TRACE_WRITE,   /* the bytes of a file */
	TRACE_FLUSH,
	TRACE_NAME, /* a file is made, named, renamed, removed, cut off, given away */
};

enum { TRACE_MAX = 20000 };

/* What run(arg) does, in a process of its own, call by call; how many, or -1 if it did not end with 0. */
int trace_list(int (*run)(void *arg), void *arg, unsigned char kinds[TRACE_MAX]);
/* The same, killed when it is about to make the nth call (from 0); false if it came to its end before. */
bool trace_kill(int (*run)(void *arg), void *arg, int nth);

#endif
