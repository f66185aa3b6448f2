/*
 * sense.h - does a message still make sense?
 */
#ifndef JARI_SENSE_H
#define JARI_SENSE_H

#include "dispatch.h"

/*
 * ERR_OK: there is something to say.  ERR_BAD_MOVE: a later message will say it, it is no longer so, or the guest knows it; *why says
 * which.  typed: its address was only typed, and may be a stranger's.
 */
enum err sense_of(struct db *db, const struct dispatch_row *row, const struct reservation *v, bool typed, int64_t now_s,
		  const char **why);

#endif
