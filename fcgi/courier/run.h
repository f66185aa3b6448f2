/*
 * run.h - another program, for a message: what it reads, how long it may take, how it ended.
 */
#ifndef JARI_RUN_H
#define JARI_RUN_H

#include <stdbool.h>
#include <stddef.h>

enum { RUN_LATER = 75 /* EX_TEMPFAIL */, RUN_TIMED_OUT = 124, RUN_NOT_FOUND = 127 };

/* A test runs nothing of the box that it is on: the owner's copy-away would take a test's book for the restaurant's. */
#ifdef JARI_TESTING
#define RUN_ETC "/nonexistent"
#else
#define RUN_ETC "/etc/jari"
#endif

/*
 * A command of the owner's: DIR/name, or /etc/jari/name.  False when there is none that we may run: it must belong to us or
 * to root, and no other user may be able to change it.
 */
enum { RUN_PATH = 4200 };
bool run_find(const char *dir, const char *name, char path[RUN_PATH]);

/*
 * Runs argv with these bytes on its standard input and at most size - 1 bytes of its standard output in out (what it says
 * on standard error, if it says nothing else).  Returns its exit status; RUN_TIMED_OUT after this many seconds, when it is
 * killed with all its children; 128 and a signal.
 */
int run_program(const char *const argv[], const char *input, size_t n, int seconds, char *out, size_t size);

#endif
