/*
 * pragmas.h - how a connection to a book must be set, by what it is for.
 */
#ifndef JARI_PRAGMAS_H
#define JARI_PRAGMAS_H

#include "err.h"

struct sqlite3;

enum pragmas_for {
	PRAGMAS_PLAIN = 1,    /* any book file, as it is: what keeps it from harm, and nothing more */
	PRAGMAS_DISTRUST = 2, /* a file that a stranger may have made: nothing in it may do more than hold rows */
	PRAGMAS_SERVE = 4,    /* the book: all of it, and limits for every statement */
};

/* Sets what that use asks for and reads each back; a connection that is not exactly as it should be is ERR_INTERNAL. */
enum err pragmas_set(struct sqlite3 *handle, enum pragmas_for use);

#endif
