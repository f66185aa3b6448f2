/*
 * facts.h - what is known of a book's folder and must outlive every process: a moment, and a few words about it.
 *
 * Each fact is a small file of the folder, replaced whole: "2026-11-19T04:15:00Z" and perhaps a blank and words.
 */
#ifndef JARI_FACTS_H
#define JARI_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#define FACTS_LIST(X) \
	X(BACKUP,      "backup.last")    /* the last backup, wherever it went */ \
	X(BACKUP_BAD,  "backup.failed")  /* one that could not be made, or was not sound; why */ \
	X(AWAY,        "away.last")      /* the last copy that left the box; which state of the book it has */ \
	X(AWAY_BAD,    "away.failed")    /* the last that did not; why */ \
	X(DRILL,       "drill.last")     /* the last drill; what it said */ \
	X(DRILL_BAD,   "drill.failed")   /* the last that went wrong; why */ \
	X(SEEN,        "doctor.last")    /* what only root can see of the box */ \
	X(MIRROR,      "mirror.last")    /* until then the spare has everything; where it is */ \
	X(MIRROR_BAD,  "mirror.failed")  /* the last time that it could not be reached, or refused; why */ \
	X(REPLACED,    "replaced")       /* a spare has taken over from this box; its epoch, the last reservation that it has */ \
	X(SPARE,       "spare.last")     /* this box is the spare: the moment of its copy; the epoch, the old box, the house */ \
	X(LOST,        "lost.last")      /* guests opened links that a takeover has lost; the numbers of the reservations */
/* clang-format on */
enum fact {
#define X(name, file) FACT_##name,
	FACTS_LIST(X)
#undef X
		FACTS
};

/* Root's file belongs to the owner of the folder.  False: it could not be written, which the log says. */
bool facts_put(const char *dir, enum fact fact, int64_t now_s, const char *words);
/* When it was so, and in words (which may be NULL) what is said of it; 0: not known. */
int64_t facts_get(const char *dir, enum fact fact, char *words, size_t size);
void facts_forget(const char *dir, enum fact fact);

#endif
