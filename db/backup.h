/*
 * backup.h - backups of the book, and books from backups.
 *
 * A backup is one file with everything that a new box needs: the book, and the secret key in a table of its own, so that
 * every link and QR code that was sent goes on working.  It is for the owner's eyes only.
 */
#ifndef JARI_BACKUP_H
#define JARI_BACKUP_H

#include "admit.h"
#include "clock.h"
#include "err.h"

#include <stdbool.h>
#include <stdint.h>

struct hall;

/*
 * A whole copy of the book as of one moment, while guests go on booking, and also from a disk that cannot be written.
 * It appears under its name only when it is complete, checked and on the disk.
 * ERR_BACKUP_STRANGE: it was made, but without the tables that the owner added.
 */
enum err backup_make(const char *dir, const char *file);

/* What came back. */
struct backup_report {
	char kept[4400];              /* the book that was there, or "" */
	char made_at[CLOCK_ISO_SIZE]; /* of the backup; "": it does not say */
	int64_t reservations, upcoming, logins;
	bool key;            /* with the key: links that were sent work */
	char why[ADMIT_WHY]; /* of ERR_BACKUP_STRANGE: what in it is not jari's */
};

/*
 * Puts a backup in the place of the book; the old one stays beside it as jari.db.before-restore-…, the old key, if it is
 * another one, as secret.key.before-restore-….  Root does it as the owner of the book.  The file may be one that can only
 * be read, or a book on a disk that can only be read; its log and the key beside it are taken along.
 *
 * Killed or cut off at any moment, the folder has the old book or the new one, whole and with its key (swap.h).
 */
enum err backup_restore(const char *dir, const char *file, struct backup_report *out);
/*
 * The same for a process that is in the hall already: the backup is looked at, copied and brought up to date beside the book, and the pen is held
 * only while it takes its place.  only_unused: ERR_BOOK_IN_USE if a guest has booked by then.
 */
enum err backup_restore_serving(struct hall *hall, const char *dir, const char *file, bool only_unused,
				struct backup_report *out);

/* The same as backup_restore for a spare: the copy becomes the book, with one takeover more in it (takeover.h). */
enum err backup_take_over(const char *dir, const char *file, struct backup_report *out);

/* The newest row of the audit: while it is the same, nothing has happened in the book. */
enum err backup_newest(const char *dir, int64_t *row);

/* A book that was restored aside, beside the one that it came from. */
struct backup_gap {
	int64_t there, then, now; /* reservations in it; of those, how many the live book has; how many that has by now */
};
enum err backup_compare(const char *file, const char *dir, struct backup_gap *out);

/* db_open and the like speak of the book; this turns their error into the one that speaks of a backup. */
enum err backup_refusal(enum err e);

#endif
