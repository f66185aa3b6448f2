/*
 * guestlist.h - who the guests of a restaurant are: the list of them, what staff correct, and two who are one person.
 *
 * A restaurant knows only guests of its own, who have or had a reservation or a wait there, and what it writes about them stays
 * with it.  A number belongs to the box: so another number of a guest who is known elsewhere, too, takes along what this
 * restaurant has of them, and nothing else.
 */
#ifndef JARI_GUESTLIST_H
#define JARI_GUESTLIST_H

#include "booking.h"
#include "guesttags.h"
#include "txn.h"

struct guestlist_row {
	int64_t id, version;         /* version: of what the house knows of them; 0: nothing yet */
	char name[TICKET_NAME_SIZE]; /* as staff corrected it, else as it was given here last */
	char phone[TEXT_PHONE_SIZE], email[256];
	char note[LENGTHS_SIZE(LENGTHS_GUEST_NOTE)], tags[GUESTTAGS_SIZE];
	bool blocked, logs_in;                                     /* logs_in: with an account of their own */
	int64_t visits, no_shows, cancelled, upcoming;             /* here */
	char last[TEXT_DATE_SIZE];                                 /* when they last came; "": never */
	char next_date[TEXT_DATE_SIZE], next_time[TEXT_TIME_SIZE]; /* when they come next; "": nothing is booked */
};

/* ERR_NOT_FOUND for everybody else's guests. */
enum err guestlist_get(struct db *db, int64_t restaurant_id, int64_t id, int64_t now_s, struct guestlist_row *out);

/* Where a list goes on: behind this reservation, or this guest, of that slot. */
struct guestlist_mark {
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE]; /* date "": at the beginning */
	int64_t id;
};

enum { GUESTLIST_PAGE = 50, GUESTLIST_WALK = 5000, GUESTLIST_TAGGED = 5000 };

struct guestlist_query {
	int64_t restaurant_id;
	const char *name;       /* a part of it; NULL: any */
	const char *digits;     /* some of the number's; NULL: any */
	int64_t phone_key;      /* the whole number; 0: it was not given */
	const char *tag;        /* NULL: any */
	bool blocked, no_shows; /* those alone */
	struct guestlist_mark after;
};

/*
 * The next GUESTLIST_PAGE guests with a number, whoever was or is here last first.  It looks at GUESTLIST_WALK reservations and no
 * more; *after says where to go on, also when there were fewer guests; its date is "" at the end.
 */
enum err guestlist_read(struct db *db, const struct guestlist_query *q, int64_t now_s,
			void (*each)(void *arg, const struct guestlist_row *), void *arg, struct guestlist_mark *after);
/* The tags that are in use, and of how many guests; among the first GUESTLIST_TAGGED. */
enum err guestlist_tags(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg);
/* Who was merged into this guest here, the newest first. */
enum err guestlist_merges(struct db *db, int64_t restaurant_id, int64_t id, stmt_each *each, void *arg);

/* What is in the way of two being one: reservations of the same slot, first the one's, then the other's; slots both wait for. */
enum err guestlist_meeting(struct db *db, const struct ticket_guest_edit *g, int64_t *ids, int most, int *count,
			   stmt_each *waits, void *arg);

/*
 * TICKET_GUEST: staff correct who a guest is (ERR_GUEST_EXISTS: the number is another guest's of this restaurant, whose id is in
 * the outcome), say that two are one person, or take that back.
 */
enum err guestlist_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

#endif
