/*
 * nightly.h - the backups that make themselves, and their way out of the box.
 *
 * A timer calls it every five minutes; it does what is due and is otherwise gone in milliseconds.  It is a process of its own:
 * the keeper, which writes the rush, copies nothing.
 *
 *	DIR/backups/jari-2026-11-19.db                 one a night: 7 days and 4 weeks of them stay (copies_choose)
 *	DIR/backups/before-update-2026-11-19T021500.db what the program of before an update could open; 3 stay
 *
 * They are on the disk of the book, which saves a house that has done something wrong, not one whose disk is dead.  So the
 * owner's command `copy-away` (in DIR or /etc/jari) is given a fresh copy whenever something has changed, and every night.
 */
#ifndef JARI_NIGHTLY_H
#define JARI_NIGHTLY_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

enum { NIGHTLY_PATH = 4400, NIGHTLY_HOUR = 4, NIGHTLY_AWAY_S = 1500 /* how long copy-away may take */ };

enum nightly_away { NIGHTLY_NO_COMMAND, NIGHTLY_NOTHING_NEW, NIGHTLY_SENT, NIGHTLY_NOT_SENT };

struct nightly_report {
	char made[NIGHTLY_PATH]; /* "": none was due */
	enum err failed;         /* why the one that was due could not be made */
	int findings;            /* of its check: the book itself is not sound */
	int removed;             /* old ones */
	enum nightly_away away;
	char said[300]; /* by copy-away, when it failed */
};

/* ERR_BOOK_BUSY: another process is at it.  before_update: one that is kept by itself, at once. */
enum err nightly_run(const char *dir, int64_t now_s, bool before_update, struct nightly_report *out);

/* The newest one; false: there is none. */
bool nightly_newest(const char *dir, char out[NIGHTLY_PATH]);

#endif
