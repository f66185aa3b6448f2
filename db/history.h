/*
 * history.h - the audit as people read it: of one reservation, of a house.
 */
#ifndef JARI_HISTORY_H
#define JARI_HISTORY_H

#include "db.h"

/*
 * A row of the audit, with the names that it speaks of, as they are now.  Texts are "" where there is none, and gone after the
 * call that has them.
 */
struct history_row {
	int64_t id;
	const char *at, *actor;  /* user:12, keeper ... */
	const char *name, *role; /* of a user who acted: STAFF, GUEST ... */
	bool forgotten;          /* that user was */
	const char *entity;      /* reservation, table ... */
	const char *change;      /* which of its values, or what happened to it */
	const char *from, *to;   /* as the triggers of schema.sql write them */
	const char *about;       /* what the row is about, as a JSON object, or "" */
};
typedef void history_each(void *arg, const struct history_row *r);

/* The newest first: what became of a reservation and of its money, at most HISTORY_ROWS. */
enum { HISTORY_ROWS = 400 };
enum err history_reservation(struct db *db, int64_t id, history_each *each, void *arg);

/*
 * The newest first: what was changed in a house, from before the row of that number on, at most HISTORY_ROWS; box: with what
 * concerns every house of it.
 */
struct history_of {
	int64_t restaurant_id, before;
	bool box;
};
enum err history_house(struct db *db, const struct history_of *of, history_each *each, void *arg);
/* The currency of amounts that were written just before that row; whole: they were whole units of it still. */
enum err history_coin(struct db *db, const struct history_of *of, char currency[4], bool *whole);

#endif
