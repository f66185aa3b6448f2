/*
 * migrate.h - making a book and bringing an old one up to date.
 *
 * A new book is made of the page (page.h).  Migrations are numbered.  All that a book misses is one transaction, and before it
 * the file is copied to jari.db.before-NNNN.  A book of the present version that is not as this program makes it (another draft,
 * a change at the shell) is put right in the same way, with a copy in jari.db.before-repair.  Connections are closed
 * again before this returns: call it in a process of its own or before any fork.
 */
#ifndef JARI_MIGRATE_H
#define JARI_MIGRATE_H

#include "admit.h"
#include "err.h"

#include <stdbool.h>
#include <stdint.h>

/* Makes DIR/jari.db if there is none (*made says so), or brings it to the present version. */
enum err migrate_book(const char *dir, bool *made);

/*
 * Makes a book of the present version of a copy that is not in use yet: no copy of it is kept.  What came out is looked at
 * once more (admit.h).
 */
enum err migrate_file(const char *file, char why[ADMIT_WHY]);

/* The version of the book in that folder, whichever jari it is for; false if there is none that can be read. */
bool migrate_version(const char *dir, int64_t *version);

/* Fills an empty book with the demo restaurant. */
enum err migrate_demo(const char *dir);

/* Adds a restaurant with every default and no hours yet, if there is none of that name. */
enum err migrate_add_restaurant(const char *dir, const char *name);

/* The script of one migration; a hash of it and of all before it (of the last one: and of the page), as text. */
const char *migrate_schema(int version);
const char *migrate_hash(int version);

#endif
