/*
 * slots.h - what is free on a day.
 */
#ifndef JARI_SLOTS_H
#define JARI_SLOTS_H

#include "restaurants.h"
#include "txn.h"

struct slot_view {
	int64_t slot_id;               /* 0: not booked yet */
	int minute;                    /* of the evening */
	const struct hours_span *span; /* its service; lives in the day's hours */
	int64_t starts_s;              /* the instant */
	int sitting_minutes;           /* how long the party that asked would stay */
	int capacity, remaining;
	int waiting;    /* parties on the waitlist for it */
	bool begins;    /* it may be booked at this moment, by a party that fits */
	bool available; /* for the party that asked, at this moment */
	bool blocked;   /* for who asks: nothing new is taken for that time */
};

struct slots_day {
	struct hours_day hours;
	enum err open;   /* may guests book it at this moment?  ERR_OK, ERR_NOT_YET or ERR_TOO_FAR (opening.h) */
	int64_t opens_s; /* ERR_NOT_YET: when they may */
	size_t count;
	struct slot_view slots[HOURS_TIMES_MAX];
};

/*
 * The offered times of that date with the seats left for guests online, by the committed book at this moment; due
 * holds do not count.  A closed day has no slots.
 */
enum err slots_of_day(struct db *db, const struct restaurant *r, struct date date, int party, int64_t now_s,
		      struct slots_day *out);
/*
 * What the desk shows of a day: its times as staff find them, and of each time how many seats guests online can still book,
 * and staff, and the largest party of each; 0: none of any size.  A party that is not larger may still be refused, where a
 * service has a smallest one, or where a large party stays for a shorter time.
 */
struct slots_free {
	int seats, largest;
};
struct slots_desk {
	struct slots_day day;
	struct slots_free online[HOURS_TIMES_MAX], staff[HOURS_TIMES_MAX];
};
enum err slots_for_desk(struct db *db, const struct restaurant *r, struct date date, int64_t now_s, struct slots_desk *out);

/*
 * The same for guests online, cached for as long as neither the book nor the second has changed: when hundreds are told that a slot is
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
 * How many minutes a walk-in could stay that does not fit for as long as it wishes; 0 when it is not worth sitting down.  The
 * wish has the tables that it names, if any.
 */
enum { SLOTS_SHORTEST = 20 };
enum err slots_longest_stay(struct db *db, const struct ticket_want *w, const struct room_stay *wish, int64_t now_s,
			    int *minutes);

/* The house around what is wanted, without reservation `self`, by the committed book; good until the next question. */
enum err slots_house(struct db *db, const struct ticket_want *w, int64_t self, int64_t now_s, const struct room **out);

/* Adds who is in the house on these days, and in the night before, and has not left at that instant. */
enum err slots_read_stays(struct db *db, int64_t restaurant, int64_t first, int64_t last, const char *now, const char *from,
			  struct room *room);

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
 * How many more may start in t->slot, which is the one that is wanted: what is kept for those who wait, and for
 * staff where only those count who start, comes off.
 */
enum err slots_left(struct txn *t, const struct ticket_want *w, enum room_who who, const struct txn_kept *of_waiters,
		    int64_t *left);
/*
 * Does this stay fit into the house of the wanted day?  Fills in its tables, unless it names them already; *left is how many
 * seats there are, *why is ERR_OK, ERR_SLOT_FULL or ERR_TIME_BLOCKED, or what is wrong
 * with a table that it names.  A stay that has an id is taken out first: a reservation
 * that is changed gives back what it has.  asks: see kept.h; t->slot was learnt before, unless it is KEPT_PAST.
 */
enum err slots_find_room(struct txn *t, const struct ticket_want *w, enum room_who who, int64_t asks, struct room_stay *stay,
			 int *left, enum err *why);
/*
 * For that stay, a table is in nobody's way although that reservation has it: they sit there together on purpose.  It holds until
 * txn_forget(), which the caller calls before the next ticket.
 */
enum err slots_sit_beside(struct txn *t, const struct ticket_want *w, const struct room_stay *stay, int64_t id, int64_t table);
/* Is the house blocked for what is wanted, however many seats there are? */
enum err slots_is_blocked(struct txn *t, const struct ticket_want *w, enum room_who who, bool *blocked);
/* Tables of that day for a reservation from before there were any; table_count 0: none that fits is free. */
enum err slots_find_tables(struct txn *t, int64_t restaurant_id, const char *date, struct room_stay *stay);
/* Could this many ever start in t->slot, if the house of that day were empty? */
enum err slots_could_fit(struct txn *t, const struct ticket_want *w, enum room_who who, bool *could);
/* The stay was written.  *left is how many seats are left in t->slot for guests online. */
enum err slots_note_stay(struct txn *t, const struct ticket_want *w, const struct room_stay *stay, int64_t *left);

#endif
