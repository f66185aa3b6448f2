/*
 * results.h - how openings went: what the hall counted and what the book has of it, written down when one is over.
 */
#ifndef JARI_RESULTS_H
#define JARI_RESULTS_H

#include "db.h"
#include "stmt.h"
#include "turnout.h"

/* A chore of the keeper: writes down each opening that is over. */
enum err results_record(struct db *db, int64_t now_s);
/* What the book has of an opening whose dates these are: bookings by guests in the minutes after the moment. */
struct results_sums {
	int64_t booked, out_of_order; /* out_of_order: bookings that were written before one with an earlier ticket */
};
enum err results_count(struct db *db, struct turnout_key key, struct results_sums *out);
/* The last ones of a restaurant, the newest first; columns have the names of their fields. */
enum err results_each(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg);

#endif
