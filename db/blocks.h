/*
 * blocks.h - times at which nothing new is taken: for the whole house or for some tables, online or at all, once or each week.
 *
 * A block is written in the restaurant's local time, so each week's begins at the same time of day.  What lies in it stays.
 */
#ifndef JARI_BLOCKS_H
#define JARI_BLOCKS_H

#include "booking.h"

enum {
	BLOCKS_MAX = 200,               /* that a restaurant may have at a time */
	BLOCKS_TABLES_MAX = 100,        /* that one of them may name */
	BLOCKS_LONGEST = 366 * 24 * 60, /* minutes */
	BLOCKS_WEEK = 7 * 24 * 60,
	BLOCKS_AT_SIZE = TEXT_DATE_SIZE + TEXT_TIME_SIZE, /* 2026-11-17T18:00 */
	BLOCKS_CONTRADICTS_MAX = 200,
};

/* A block as it is asked for. */
struct block {
	char from[BLOCKS_AT_SIZE], to[BLOCKS_AT_SIZE]; /* local times */
	bool weekly, online;
	char reason[LENGTHS_SIZE(LENGTHS_BLOCK)]; /* "": none is given */
	size_t table_count;                       /* 0: the house */
	int64_t tables[BLOCKS_TABLES_MAX];
};

/* "2026-11-17T18:00" as minutes since 1970, as if there were no zones. */
bool blocks_minutes(const char *at, int64_t *minutes);
void blocks_put_minutes(int64_t minutes, char at[BLOCKS_AT_SIZE]);

/* Is anything blocked, whenever? */
enum err blocks_any(struct db *db, int64_t restaurant_id, bool *any);
/* Puts what is blocked around that day into the room, in the place of what it has. */
enum err blocks_look(struct db *db, int64_t restaurant_id, int64_t day, struct room *room);

/* Those that last or are to come: block_id, from, to, weekly, online, reason, its tables as 3,5. */
enum err blocks_each(struct db *db, int64_t restaurant_id, int64_t now_s, stmt_each *each, void *arg);

/*
 * With the pen, at once for every worker.  *id is its number; ids are the reservations that lie in it and stay, the first
 * first.  ERR_NO_SUCH_TABLE, ERR_TOO_MANY_BLOCKS.
 */
enum err blocks_add(struct db *db, int64_t restaurant_id, struct block *b, const char *actor, int64_t *id,
		    int64_t ids[BLOCKS_CONTRADICTS_MAX], int *count);
/* restaurant_id 0: of whichever.  ERR_NOT_FOUND: there is none of that number that was not lifted.  Those who wait may have what comes free. */
enum err blocks_lift(struct db *db, int64_t restaurant_id, int64_t id, const char *actor);

#endif
