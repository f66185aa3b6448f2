/*
 * openings.h - from when on dates can be booked online, as the book has it.  core/opening.h has the rule.
 */
#ifndef JARI_OPENINGS_H
#define JARI_OPENINGS_H

#include "opening.h"
#include "stmt.h"

struct db;
struct restaurant;

/* The earliest opening that covers the date; 0: none does. */
enum err openings_of_date(struct db *db, int64_t restaurant_id, struct date date, int64_t *opens_s);

/*
 * May guests book that date in this second?  *open is ERR_OK, ERR_NOT_YET, in *opens_s since when or from when on, or
 * ERR_TOO_FAR.  It is what a page shows: whether a booking is taken is decided by when its request came.
 */
enum err openings_look(struct db *db, const struct restaurant *r, struct date date, int64_t now_s, enum err *open,
		       int64_t *opens_s);

struct openings_row {
	struct date first, last;
	int64_t opens_s;
};
/* Every one of the restaurant, by its moment. */
enum err openings_each(struct db *db, int64_t restaurant_id, void (*each)(void *arg, const struct openings_row *), void *arg);
/* The next moment at which guests can book something new; opens_s 0: none that is told. */
enum err openings_next(struct db *db, const struct restaurant *r, int64_t now_s, struct openings_row *out);
/* The last date of which a guest is told anything: by the window, or by an opening. */
enum err openings_last(struct db *db, const struct restaurant *r, struct date today, struct date *last);
/* Is it in the book already? */
enum err openings_stands(struct db *db, int64_t restaurant_id, const struct openings_row *row, bool *stands);

#endif
