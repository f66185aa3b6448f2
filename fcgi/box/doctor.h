/*
 * doctor.h - is the box well?  Everything that a restaurant should know of it before it hurts, a sentence each.
 *
 * `jari doctor` and the desk ask the same questions.  What only root can see, and what costs a write to find out, the command
 * sees and notes in the folder (FACT_SEEN); the desk tells what was noted.
 */
#ifndef JARI_DOCTOR_H
#define JARI_DOCTOR_H

#include "db.h"
#include "doctor_words.h"
#include "err.h"

enum doctor_code {
#define X(code, topic, level, ko, en) DOCTOR_##code,
	DOCTOR_LIST(X)
#undef X
		DOCTOR_CODES
};

enum doctor_level { DOCTOR_WELL, DOCTOR_SOON, DOCTOR_BAD };

enum { DOCTOR_TEXT = 640, DOCTOR_NOTE_DAYS = 8 };

struct doctor_finding {
	enum doctor_code code;
	enum doctor_level level;
	const char *topic, *word; /* "clock", "CLOCK_DOUBTED" */
	char text[DOCTOR_TEXT];   /* in the language that was asked for */
};

struct doctor_case {
	const char *dir, *etc; /* etc: "/etc", but for tests */
	struct db *db;         /* NULL: the book could not be opened, and `why` is the reason */
	enum err why;
	enum lang lang;
	int64_t now_s;
	bool hands; /* may write a file to see how long that takes, and look where only root may: what it sees is noted */
};

/* Everything, in the order of the list's topics; tell() gets one finding after the other. */
void doctor_examine(const struct doctor_case *c, void (*tell)(void *arg, const struct doctor_finding *f), void *arg);

/*
 * The box in one line: how old the last backup and the last copy elsewhere are, the disk, the clock, the certificate, mail.  worst:
 * the sentence about what hurts now, or "".  Returns how bad it is.
 */
enum { DOCTOR_LINE = 320 };
enum doctor_level doctor_line(const struct doctor_case *c, char line[DOCTOR_LINE], char worst[DOCTOR_TEXT]);

#endif
