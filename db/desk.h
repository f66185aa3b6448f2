/*
 * desk.h - what staff see and do: a day, who comes, and every act on a reservation.
 */
#ifndef JARI_DESK_H
#define JARI_DESK_H

#include "booking.h"

/* A reservation with all that staff need to know about it. */
struct desk_row {
	int64_t id, version, user_id, restaurant_id;
	char code[BOOKING_CODE_SIZE], date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	char starts_at[CLOCK_ISO_SIZE], ends_at[CLOCK_ISO_SIZE];
	int party;
	char status[20], visit_status[12], guest[TICKET_NAME_SIZE], phone[TEXT_PHONE_SIZE];
	char request[TICKET_MESSAGE_SIZE], note[TICKET_NOTE_SIZE], guest_note[LENGTHS_SIZE(LENGTHS_GUEST_NOTE)];
	int64_t total, paid, due_back;
	char hold_expires_at[CLOCK_ISO_SIZE], source[12];
	char arrived_at[CLOCK_ISO_SIZE], seated_at[CLOCK_ISO_SIZE], left_at[CLOCK_ISO_SIZE];
	int64_t change_of, change_due; /* the hold of a change: of which, to how many; a change of it waits for so much money */
	char change_of_code[BOOKING_CODE_SIZE];
	int change_party;
	bool blocked, coming; /* coming: asked before the day, they said so */
	int visits, no_shows; /* of that person, up to a hundred */
	char tables[120];     /* ids with commas */
	char dishes[1024];
	char changed_by[40], changed_at[CLOCK_ISO_SIZE];
	char undo[24];       /* the act that can be undone, or "" */
	char contradicts[8]; /* desk_contradicted: what the house would not take: HOURS, PARTY, SEATS, TABLE */
};

struct desk_table {
	int64_t id;
	char name[LENGTHS_SIZE(LENGTHS_TABLE)];
	int seats_min, seats_max, x, y; /* where it stands; -1: not placed */
};

/* One line of a history. */
struct desk_event {
	char at[CLOCK_ISO_SIZE];
	const char *actor, *name, *change, *from, *to, *reason;
};

struct desk_person {
	int64_t id;
	char name[TICKET_NAME_SIZE], note[LENGTHS_SIZE(LENGTHS_GUEST_NOTE)];
	bool blocked;
	int visits, no_shows;
};

typedef void desk_each(void *arg, const struct desk_row *);

/* Every reservation of that date but holds that ran out, by time. */
enum err desk_day(struct db *db, int64_t restaurant_id, const char *date, int64_t now_s, desk_each *each, void *arg);
/* ERR_NO_SUCH_RESERVATION when there is none. */
enum err desk_one(struct db *db, int64_t id, int64_t now_s, struct desk_row *out);
/* By code, by telephone number (phone_key > 0), else by a part of the name. */
enum err desk_search(struct db *db, int64_t restaurant_id, const char *text, int64_t phone_key, int64_t now_s, desk_each *each,
		     void *arg);
/* Reservations to come that the house as it is now would not take, with the reason; at most a hundred. */
enum err desk_contradicted(struct db *db, int64_t restaurant_id, int64_t now_s, desk_each *each, void *arg);
enum err desk_tables(struct db *db, int64_t restaurant_id, void (*each)(void *arg, const struct desk_table *), void *arg);
/* Who did what when, the newest first; entity as in the audit: "reservation", "restaurant" ... */
enum err desk_history(struct db *db, const char *entity, int64_t id, void (*each)(void *arg, const struct desk_event *),
		      void *arg);
/* Whose number is this?  ERR_NOT_FOUND when nobody's who has, or had, a reservation or a wait at this restaurant. */
enum err desk_person(struct db *db, int64_t restaurant_id, int64_t phone_key, struct desk_person *out);
/* What this restaurant thinks of such a guest.  Takes the pen. */
struct desk_opinion {
	int64_t user_id, restaurant_id;
	const char *note; /* NULL: stays as it is */
	int64_t blocked;  /* 0, 1; -1: stays as it is */
};
enum err desk_set_person(struct db *db, const struct desk_opinion *o, const char *actor, int64_t now_s);

/* "arrive" ...; ACT__MAX for a word that is none. */
enum ticket_act_kind desk_act(const char *word);

/*
 * TICKET_ACT: what the desk says about a reservation, if nobody has changed it since (ERR_STALE).  Every act leaves what was
 * before it, and the last one can be undone.
 */
enum err desk_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

#endif
