/*
 * drill.h - is this backup one that would help?
 *
 * A backup that was never restored is a hope.  The drill restores one aside, proves every rule on it, opens it with this
 * program, compares it with the live book, and throws it away.
 */
#ifndef JARI_DRILL_H
#define JARI_DRILL_H

#include "backup.h"

enum drill_outcome {
	DRILL_WELL,
	DRILL_REFUSED, /* it cannot be restored: `e`, and perhaps back.why */
	DRILL_UNSOUND, /* `findings` rules are broken in it */
	DRILL_SHUT,    /* it was restored, and this program cannot open it: `e` */
	DRILL_GAP,     /* it has not the reservations that the live book had by then */
	DRILL_NO_ROOM, /* nothing could be restored aside: `e` */
};

struct drill_report {
	enum drill_outcome outcome;
	enum err e;
	int rules, findings;
	struct backup_report back;
	struct backup_gap gap;
};

/* noted: what came of it stands in the folder, and at the desk. */
void drill_run(const char *dir, const char *file, int64_t now_s, bool noted, struct drill_report *out);
/* The same as a sentence. */
enum { DRILL_TEXT = 480 };
void drill_say(const struct drill_report *r, const char *file, char out[DRILL_TEXT]);

#endif
