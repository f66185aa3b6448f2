/*
 * house.h - what the owner changes: settings, hours, special days, menu, tables, openings.
 */
#ifndef JARI_HOUSE_H
#define JARI_HOUSE_H

#include "clock.h"
#include "db.h"
#include "stmt.h"
#include "text.h"

enum house_part { HOUSE_SETTINGS, HOUSE_HOURS, HOUSE_SPECIAL_DAY, HOUSE_MENU, HOUSE_TABLES, HOUSE_OPENINGS, HOUSE__PARTS };

/*
 * One change, whole or not at all, with the pen.  json is what the door has checked, in the form that the statements of
 * db/sql/house.inc read.  Reservations that were made stay as they are; every worker knows at once.
 *
 * ERR_ZONE_IN_USE: the change is of the time zone, and this many reservations and waits to come would begin at another instant.
 * They were promised that time of day by the old zone.  ERR_CURRENCY_IN_USE: it is of the currency, and this many
 * reservations to come have money in the old one, or this many payments are due back.  ERR_OUT_OF_RANGE: a price or a deposit
 * would be too large in the other currency, because its number stays.  ERR_STALE: it names a
 * dish or a table that is gone.  ERR_HOURS_OVERLAP: a special day and a day beside it overlap.
 */
enum { HOUSE_AMOUNT_MAX = 1000000000 }; /* of a price or a deposit, in the smallest unit */

struct house_open {
	int64_t upcoming, due_back;
	char day[TEXT_DATE_SIZE]; /* ERR_HOURS_OVERLAP: whose night lasts into the services of the day after */
};
enum err house_write(struct db *db, enum house_part part, int64_t restaurant_id, const char *json, const char *actor,
		     struct house_open *open);

/* A restaurant with nothing but its name yet. */
enum err house_add(struct db *db, const char *name, int64_t *id);

/* A dish is sold out, or is to be had again; of that restaurant, 0: of any.  ERR_NOT_FOUND: it is not on the menu. */
enum err house_set_sold_out(struct db *db, int64_t restaurant_id, int64_t menu_id, bool out, const char *actor);
/* The dishes that are sold out, and how many there are in all. */
enum err house_dishes_off(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg, int64_t *count);

/* How many may start at one time of one day.  ERR_SLOT_FULL: more are booked there already. */
enum err house_set_slot(struct db *db, const struct ticket_want *w, int64_t capacity, const char *actor);

#endif
