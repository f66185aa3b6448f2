/*
 * kept.h - seats that came free, kept for a while for those who wait.
 *
 * A place that a reservation gives up while a guest waits for that time becomes a row of kept_seats, for as long as the
 * reservation had it and no longer than the house says: what was taken for a minute is kept for a minute.  Until its one
 * deadline the row is held for the first proven guest who waits and could sit there, and each of them has no more held
 * than their party needs.  Newcomers, and those who came to the list later, find it taken; staff look past it.  A guest
 * who is given seats there uses it up.  A row past its deadline counts for nothing, whether the keeper has come by or not.
 */
#ifndef JARI_KEPT_H
#define JARI_KEPT_H

#include "txn.h"

/* A live row. */
struct kept_row {
	int64_t id, until_s;
	int64_t held_for; /* the proven guest on the waitlist whom it is held for; 0: none, every guest may have it */
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	struct room_stay stay;
};

/* Who asks for seats: a guest by their place on the list, which is its waitlist_id, or one of these. */
#define KEPT_PAST INT64_C(0)    /* staff, and houses that keep nothing back: they find nothing kept */
#define KEPT_NEWCOMER INT64_MAX /* everybody on the list came before them */

/* Where a reservation sits, as kept_begin() found it. */
struct kept_place {
	bool known;    /* a guest waits, so it was looked up */
	bool active;   /* it has seats */
	bool by_house; /* the caller says: staff take it back, so the next who waits is asked, deadline or not */
	int64_t reservation_id, restaurant_id;
	int64_t until_s; /* of an offer that was not taken: the deadline of its seats; else 0 */
	int64_t since_s; /* since when its guest has it; 0: the desk booked it */
	int keep_s;      /* how long what it gives up is kept: as long as it had it, at most what the house says */
	int left_s;      /* how long what was not taken is left to everybody */
	int64_t there_s; /* from when on it is in the house: before its time, if they sat down before it */
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	struct room_stay stay; /* as it is booked */
};

/* Every live row around that day, those that end first first. */
enum err kept_each(struct db *db, int64_t restaurant_id, const char *date, const char *now,
		   void (*each)(void *arg, const struct kept_row *), void *arg);
/* Is that row taken for who asks? */
bool kept_from(const struct kept_row *k, int64_t asks);
/* The people of one slot who are kept from who asks; of them, those who sat on what is kept from guests online (staff). */
enum err kept_of_slot(struct db *db, int64_t restaurant_id, const char *date, const char *time, const char *now, int64_t asks,
		      struct txn_kept *out);
/* What was read is remembered as long as the book stays as it is; a rollback must say so. */
void kept_forget(void);

/* Seats that came free while a stay lasts, and whose time is not over. */
struct kept_overlap {
	bool any;
	bool holds; /* some are kept from newcomers */
	int seats;  /* that the party could use, and that are not kept from who asks */
};

enum err kept_overlaps(struct txn *t, int64_t restaurant_id, const char *date, const struct room_stay *stay, int64_t asks,
		       struct kept_overlap *out);
/*
 * When was an offer that overlaps that stay last given up after the deadline of its seats, within the last left_s: since then
 * they are left to everybody.  0: none was.
 */
enum err kept_left_since(struct txn *t, int64_t restaurant_id, const struct room_stay *stay, int left_s, int64_t *at_s);

/*
 * Around whatever may free a reservation's seats, inside the caller's savepoint: what it then no longer has is kept, and the
 * day is opened for those who wait.  past: who acts may have what is kept (staff).
 */
enum err kept_begin(struct txn *t, int64_t reservation_id, struct kept_place *before);
enum err kept_end(struct txn *t, const struct kept_place *before, bool past);

/*
 * Seats were given away: what was kept of them no longer is.  t->used_until_s is the earliest deadline among it, or 0.
 * Only of what is not kept from who asks.
 */
enum err kept_use(struct txn *t, int64_t restaurant_id, const char *date, const struct room_stay *stay, int64_t asks);

#endif
