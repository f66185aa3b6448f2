/*
 * copy.h - a whole copy of a book, page by page, in a file of its own.
 *
 * VACUUM INTO would be shorter, but SQLite 3.40 cannot do it from a file that it may only read and that has a generated
 * column.  The copy is one file without a log, so that every jari that could open the book opens the copy too.
 */
#ifndef JARI_COPY_H
#define JARI_COPY_H

#include "err.h"

struct sqlite3;

/*
 * Copies what `from` has open, as of one moment, to the new file `to`, which the caller flushes (durable_rename).  The
 * copy has the mode and, where we may say so, the owner of the book at `like`; `like` NULL: ours alone.  A file that is at
 * `to` is replaced; after a failure there is none.
 */
enum err copy_make(struct sqlite3 *from, const char *like, const char *to);

/* SQLite looks at every page, row and index of what `book` has open; ERR_BOOK_DAMAGED. */
enum err copy_prove_whole(struct sqlite3 *book);

/* Is this file whole, and has it every table of `from` with as many rows?  ERR_BOOK_DAMAGED if it has not. */
enum err copy_compare(struct sqlite3 *from, const char *file);

#endif
