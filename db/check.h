/*
 * check.h - is the book sound?
 *
 * Proves on any book, running or not, what must always be true of it, and that its own defences
 * (triggers, indexes, constraints) are those of this program.  Reads only.
 */
#ifndef JARI_CHECK_H
#define JARI_CHECK_H

#include "err.h"

#include <stdint.h>

struct check_report {
	int rules, findings;
};

/*
 * path is a book file.  tell() gets one line a finding, and with finding NULL one a rule that holds.
 * ERR_OK when it could be looked at, however many findings.
 */
enum err check_book(const char *path, void (*tell)(void *arg, const char *rule, const char *finding), void *arg,
		    struct check_report *out);

/* What a wrong clock has done to a book of this version, a sentence each: nothing is broken by it. */
enum err check_notes(const char *path, int64_t now_s, void (*tell)(void *arg, const char *note), void *arg);

#endif
