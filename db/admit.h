/*
 * admit.h - may this file be a book?
 *
 * A backup is a stranger's file: it was carried about, and anyone who had it could add a trigger that deletes reservations,
 * or put a view in the place of a table.  So nothing is admitted that jari never made.
 */
#ifndef JARI_ADMIT_H
#define JARI_ADMIT_H

#include "err.h"

enum { ADMIT_WHY = 300 };

/* Makes the one table that a backup has and a book has not: when it was made, and the key. */
extern const char admit_backup_table[];

/*
 * Is this a whole book of a version that we know, with nothing in it but what jari makes?  ERR_BOOK_FOREIGN,
 * ERR_BOOK_NEWER, ERR_BOOK_DAMAGED; ERR_BACKUP_STRANGE, and why names the first thing that does not belong there.
 */
enum err admit_file(const char *file, char why[ADMIT_WHY]);

/*
 * Takes out of a copy everything for which admit_file would refuse it, and tells each by type and name; *tables says how
 * many of them were tables, with rows.
 */
enum err admit_strip(const char *file, void (*tell)(const char *type, const char *name), int *tables);

#endif
