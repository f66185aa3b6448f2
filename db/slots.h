/*
 * slots.h - what is free on a day.
 */
#ifndef JARI_SLOTS_H
#define JARI_SLOTS_H

#include "restaurants.h"
#include "txn.h"

struct slot_view {
	int64_t slot_id;   /* 0: not booked yet */
	int minute;        /* of the day */
	const char *label; /* of its opening hours; lives in the day's spans */
	int capacity, remaining;
	int waiting;    /* parties on the waitlist for it */
	bool available; /* for the party that asked, at this moment */
};

struct slots_day {
	struct hours_day hours;
	size_t count;
	struct slot_view slots[HOURS_TIMES_MAX];
};

/*
 * The offered times of that date with the seats left, by the committed book at this moment; due
 * holds do not count.  A closed day has no slots.
 */
enum err slots_of_day(struct db *db, const struct restaurant *r, struct date date, int party, int64_t now_s,
		      struct slots_day *out);

/*
 * The same, cached for as long as neither the book nor the second has changed: when hundreds are told that a slot is
 * full, all of them are told the same free times.
 */
enum err slots_of_day_kept(struct db *db, const struct restaurant *r, struct date date, int party, int64_t now_s,
			   const struct slots_day **out);

/*
 * One of its times, on the way to the line: a day that is cached and still right answers, else that slot alone is looked up
 * where no other can decide.  A time that is not offered has nothing against it here.
 */
enum err slots_look(struct db *db, const struct restaurant_day *day, int minute, int party, int64_t now_s,
		    struct slot_view *out);

/*
 * How many minutes a party could stay that does not fit for as long as it wishes; 0 when it is not worth sitting down.  The
 * wish has the tables that it names, if any.
 */
enum { SLOTS_SHORTEST = 20 };
enum err slots_longest_stay(struct db *db, int64_t restaurant, const char *date, int seats, const struct room_stay *wish,
			    int64_t now_s, int *minutes);

/* The offered time at that minute, or NULL. */
const struct slot_view *slots_at(const struct slots_day *day, int minute);
/* The available times nearest to that minute, the nearest first; returns how many. */
size_t slots_nearest(const struct slots_day *day, int minute, const struct slot_view **out, size_t most);

/* ---- inside a write transaction ---- */

/* Puts the slot that is wanted into t->slot, with the seats taken in it. */
enum err slots_learn(struct txn *t, const struct ticket_want *w);
/*
 * Makes the row of t->slot, which begins at that instant, if there is none yet.  ERR_NO_SUCH_TIME: it begins at another.  The
 * owner has chosen another time zone while a ticket waited in the line, or on a day on which guests came by the old one.
 */
enum err slots_create(struct txn *t, int64_t capacity, int64_t starts_s);
/*
 * Does this stay fit into the house of that day, where `seats` may be present?  Fills in its tables, unless it names them
 * already; *left is how many seats there are.  A stay that has an id is taken out first: a reservation that is changed gives back what it has.
 * past_kept: who asks may have what is kept for those who wait; else t->slot was learnt before.
 */
enum err slots_find_room(struct txn *t, int64_t restaurant_id, const char *date, int seats, int64_t asks,
			 struct room_stay *stay, int *left, bool *fits);
/* Tables of that day for a reservation from before there were any; table_count 0: none that fits is free. */
enum err slots_find_tables(struct txn *t, int64_t restaurant_id, const char *date, struct room_stay *stay);
/* Could this many ever start in t->slot, if the house of that day were empty? */
enum err slots_could_fit(struct txn *t, int seats, int party, bool *could);
/* The stay was written.  Returns how many seats are left in t->slot. */
int64_t slots_note_stay(struct txn *t, const struct room_stay *stay);

#endif
