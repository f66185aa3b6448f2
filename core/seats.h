/*
 * seats.h - which table seats a party.
 */
#ifndef JARI_SEATS_H
#define JARI_SEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEATS_TABLES_MAX = 200 };

struct seats_table {
	int64_t id;
	int seats_min, seats_max;
	bool taken;
};

/*
 * The smallest free table that fits, the first of equals; -1 when there is none.  A table for at
 * least four is not given to two as long as another fits; when no other does, nobody is sent away.
 */
int seats_pick(const struct seats_table *tables, size_t count, int party);

#endif
