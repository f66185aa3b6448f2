/*
 * backup.h - backups of the book, and books from backups.
 */
#ifndef JARI_BACKUP_H
#define JARI_BACKUP_H

#include "err.h"

/*
 * A whole, compact copy of the book as of one moment, while guests go on booking.  It appears under
 * its name only when it is complete, checked and on the disk.
 */
enum err backup_make(const char *dir, const char *file);

/*
 * Puts a backup in the place of the book; the old one stays beside it as jari.db.before-restore-….
 * Nobody may be serving the book.  kept gets the name of the old one, or "".
 */
enum err backup_restore(const char *dir, const char *file, char kept[4200]);

#endif
