/*
 * daynotes.h - what staff tell each other about a day.
 */
#ifndef JARI_DAYNOTES_H
#define JARI_DAYNOTES_H

#include "clock.h"
#include "db.h"
#include "lengths.h"

struct daynote {
	char note[LENGTHS_SIZE(LENGTHS_SHIFT_NOTE)]; /* "": there is none */
	char by[LENGTHS_SIZE(LENGTHS_NAME)];         /* who wrote it last */
	char at[CLOCK_ISO_SIZE];
	int64_t version; /* 0: that day never had one */
};

enum err daynotes_get(struct db *db, int64_t restaurant_id, const char *day, struct daynote *out);
/*
 * Takes the pen.  "" takes it away; the same words change nothing.  ERR_STALE: it is not of that version any more, or with
 * DAYNOTES_ANY whatever it is.  *out is what it is then.
 */
#define DAYNOTES_ANY (-1)
enum err daynotes_set(struct db *db, int64_t restaurant_id, const char *day, const char *note, int64_t version,
		      const char *actor, int64_t now_s, struct daynote *out);

#endif
