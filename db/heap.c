/*
 * heap.c - SQLite's memory, kept at hand.
 *
 * Debian's SQLite has no lookaside: what it needs for a moment is malloc'ed and freed.  Most of that is the journal of a
 * statement, which copies each page that a booking changes into blocks of a kilobyte, fifty of them, and gives all of them
 * back.  malloc keeps seven of a size at hand; to merge and split the others was a tenth of the pen's work.
 *
 * (For processes with one thread, as jari's are.)
 */
#include "heap.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

enum {
	STEP = 16,
	MOST = 1040, /* bytes of a block that is kept */
	SHELVES = MOST / STEP,
	JOURNAL = 1024 / STEP, /* the shelf of the journal's blocks */
	JOURNAL_MAX = 64,
	OTHER_MAX = 8, /* blocks on each of the others: every process has them */
};

struct block {
	struct block *next;
};

/* A block on a shelf has as many steps as the shelf's number, or a few bytes more. */
static struct {
	struct block *first;
	int count;
} shelves[SHELVES + 1];

static sqlite3_mem_methods given; /* SQLite's own: malloc and its kin */

static void *take(int size)
{
	int steps = (size + STEP - 1) / STEP;
	struct block *b;

	if (steps > SHELVES)
		return given.xMalloc(size);
	b = shelves[steps].first;
	if (!b)
		return given.xMalloc(steps * STEP);
	shelves[steps].first = b->next;
	shelves[steps].count--;
	return b;
}

static bool has_room(int steps)
{
	return steps >= 1 && steps <= SHELVES && shelves[steps].count < (steps == JOURNAL ? JOURNAL_MAX : OTHER_MAX);
}

static void put_back(void *memory)
{
	struct block *b = memory;
	int steps = given.xSize(memory) / STEP;

	if (!has_room(steps)) {
		given.xFree(memory);
		return;
	}
	b->next = shelves[steps].first;
	shelves[steps].first = b;
	shelves[steps].count++;
}

void heap_keep(void)
{
	sqlite3_mem_methods ours;

	if (given.xMalloc || sqlite3_config(SQLITE_CONFIG_GETMALLOC, &given) != SQLITE_OK)
		return;
	ours = given;
	ours.xMalloc = take;
	ours.xFree = put_back;
	sqlite3_config(SQLITE_CONFIG_MALLOC, &ours);
}
