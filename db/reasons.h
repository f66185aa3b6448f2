/*
 * reasons.h - why staff cannot have the place that they ask for, by name, and which tables they could have instead.
 *
 * The pen has refused; this looks at the book once more, for the people at the desk alone.  It decides nothing.
 */
#ifndef JARI_REASONS_H
#define JARI_REASONS_H

#include "sitters.h"

enum {
	REASONS_MAX = 12,
	REASONS_FREE_MAX = 12,
	REASONS_NAMES_SIZE = SEATS_JOIN_MAX * SITTERS_TABLE_SIZE, /* of tables: "3 + 4" */
};

/*
 * TABLE_TOO_SMALL  the tables that are named have `seats`
 * TABLE_TAKEN      a party has that table from then until then
 * BLOCKED          nothing new is taken: for that table, or table 0, the house
 * STARTS           no more than `seats` may still start at that time
 * PRESENT          no more than `seats` may still be present
 * NO_TABLE         none that is large enough is free; those follow with who has them
 */
#define REASONS_KINDS(X) X(TABLE_TOO_SMALL) X(TABLE_TAKEN) X(BLOCKED) X(STARTS) X(PRESENT) X(NO_TABLE)
enum reason_kind {
#define X(word) REASON_##word,
	REASONS_KINDS(X) REASON__MAX
#undef X
};

struct reason {
	enum reason_kind kind;
	int64_t table_id, reservation_id; /* 0: none */
	int seats;
	char from[CLOCK_ISO_SIZE], until[CLOCK_ISO_SIZE];
	char table[REASONS_NAMES_SIZE], guest[TICKET_NAME_SIZE], block[LENGTHS_SIZE(LENGTHS_BLOCK)];
};

/* A table, or tables that may be joined, which the party could have. */
struct reason_free {
	int seats;
	size_t count;
	int64_t tables[SEATS_JOIN_MAX];
	char names[REASONS_NAMES_SIZE];
};

/* What was refused. */
struct reasons_ask {
	const struct ticket_want *want;
	enum room_who who;
	int64_t self;   /* the reservation that is to have the place; 0: a new one */
	int64_t beside; /* a party whose tables are not in its way; 0: none */
	bool sits;      /* it would sit down now */
	/* A swap: the tables that it gives up, and does the other party sit, so that it would sit down there? */
	const int64_t *own; /* NULL: no swap */
	bool other_sits;
};

struct reasons {
	int count, free_count;
	struct reason list[REASONS_MAX];
	struct reason_free free[REASONS_FREE_MAX];
};

const char *reasons_word(enum reason_kind kind);
enum err reasons_find(struct db *db, const struct reasons_ask *ask, int64_t now_s, struct reasons *out);

#endif
