/*
 * role.h - two boxes and one book: does this one serve, is it the spare, or has a spare taken its place?
 *
 * Two boxes that serve the same guests sell each seat twice, and neither notices.  So what a box is stands in its folder, as
 * durable as the book:
 *
 *	jari.db, no `replaced`      it serves
 *	spare.db, no jari.db        it is the spare: spare.db is the last copy, whole and proved
 *	`replaced`                  a spare has taken over: it serves nobody until a person says `jari takeover` here.  It may be
 *	                            the other's spare meanwhile, and have a spare.db.
 */
#ifndef JARI_ROLE_H
#define JARI_ROLE_H

#include <stdbool.h>
#include <stdint.h>

enum role { ROLE_SERVES, ROLE_SPARE, ROLE_REPLACED };

enum { ROLE_PATH = 4200, ROLE_TEXT = 300 };

enum role role_of(const char *dir);

/* The copy of the other box's book. */
void role_copy_path(const char *dir, char out[ROLE_PATH]);
/* The copy before it, in whose file the next one is put together. */
void role_older_path(const char *dir, char out[ROLE_PATH]);

/* What the folder of a replaced box says of it. */
struct role_replaced {
	int64_t when_s, epoch, last_reservation;
};
bool role_replaced(const char *dir, struct role_replaced *out);
/* From now on this box serves nobody.  False: that could not be written down. */
bool role_set_replaced(const char *dir, const struct role_replaced *r);

/* The copy that a spare has. */
struct role_copy {
	int64_t made_s, heard_s; /* of which moment it is; when the other box was last heard of */
	int64_t epoch;
	char site[208], peer[64], house[100]; /* the address of guests, where the copies come from, the restaurant; or "" */
};
/* False: there is none. */
bool role_copy(const char *dir, struct role_copy *out);
bool role_set_copy(const char *dir, const struct role_copy *c);

/* The other box speaks: the time of a file says so, which nobody need flush. */
void role_note_heard(const char *dir);

/* The copy has become the book: this box serves.  False: it does not, because `replaced` cannot be removed. */
bool role_set_serves(const char *dir);

#endif
