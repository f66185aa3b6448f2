/*
 * sitters.h - who sits at a table just now, however long their time is over.
 *
 * The room (room.h) counts a party until the end of its stay.  Whether it has left only staff know: until they say so nobody
 * else is seated at its table, unless on purpose.
 */
#ifndef JARI_SITTERS_H
#define JARI_SITTERS_H

#include "booking.h"

enum {
	SITTERS_MAX = 16,           /* that are named at a time */
	SITTERS_GONE_S = 12 * 3600, /* so long after the end of its stay a party is taken for gone */
	SITTERS_LONGEST_S = 86400,  /* no stay is longer */
	SITTERS_TABLE_SIZE = LENGTHS_SIZE(LENGTHS_TABLE),
};

struct sitter {
	int64_t id, version, table_id;
	int party;
	char guest[TICKET_NAME_SIZE], table[SITTERS_TABLE_SIZE], seated_at[CLOCK_ISO_SIZE];
};

/* Who sits at these tables (0 behind the last), but for the reservation `self`; at most SITTERS_MAX. */
enum err sitters_at(struct db *db, const int64_t tables[TICKET_TABLES], int64_t self, int64_t now_s,
		    struct sitter out[SITTERS_MAX], int *count);
/*
 * A stay that names its tables begins now: who sits there already?  *why is ERR_TABLE_TAKEN, unless `share` says that they sit
 * together on purpose; then stay->shared says at which tables, and in the room these are not in its way (slots_sit_beside()).
 */
enum err sitters_join(struct txn *t, const struct ticket_want *w, int64_t self, bool share, struct room_stay *stay,
		      enum err *why);
/* The tables of a restaurant at which a party sits; at most `most`. */
enum err sitters_tables(struct db *db, int64_t restaurant_id, int64_t now_s, int64_t *out, int most, int *count);
/* Does this party sit at a table with another, and neither on purpose? */
enum err sitters_alone(struct db *db, int64_t id, int64_t now_s, bool *alone);
/* The tables of a reservation, 0 behind the last. */
enum err sitters_own(struct db *db, int64_t id, int64_t tables[TICKET_TABLES]);

#endif
