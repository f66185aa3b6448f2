/*
 * desk.h - what staff see and do: a day, who comes, and every act on a reservation.
 */
#ifndef JARI_DESK_H
#define JARI_DESK_H

#include "booking.h"

/* A reservation with all that staff need to know about it. */
struct desk_row {
	struct reservation v;
	ROWS_DESK(ROWS_MEMBER)
	char contradicts[8]; /* desk_contradicted: what the house would not take: HOURS, PARTY, SEATS, TABLE */
};

typedef void desk_each(void *arg, const struct desk_row *);

/* Every reservation of that date but holds that ran out, by time. */
enum err desk_day(struct db *db, int64_t restaurant_id, const char *date, int64_t now_s, desk_each *each, void *arg);
/* Every hold that waits for money, of all days, the one that ends first on top. */
enum err desk_holds(struct db *db, int64_t restaurant_id, int64_t limit, int64_t now_s, desk_each *each, void *arg);
/* ERR_NO_SUCH_RESERVATION when there is none. */
enum err desk_one(struct db *db, int64_t id, int64_t now_s, struct desk_row *out);
/* By code, by telephone number (phone_key > 0), else by a part of the name. */
enum err desk_search(struct db *db, int64_t restaurant_id, const char *text, int64_t phone_key, int64_t now_s, desk_each *each,
		     void *arg);
/* Reservations to come that the house as it is now would not take, with the reason; at most a hundred. */
enum err desk_contradicted(struct db *db, int64_t restaurant_id, int64_t now_s, desk_each *each, void *arg);
/* Its tables, and where they stand. */
enum err desk_tables(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg);
/* Whose number is this?  No row unless its guest has, or had, a reservation or a wait at this restaurant. */
enum err desk_person(struct db *db, int64_t restaurant_id, int64_t phone_key, stmt_each *each, void *arg);
/* What a guest has, or had, at this restaurant, the newest first; at most fifty. */
enum err desk_of_guest(struct db *db, int64_t restaurant_id, int64_t guest_id, int64_t now_s, desk_each *each, void *arg);

/* The tables that a reservation would have again if its last act were undone, 0 behind the last. */
enum err desk_undo_tables(struct db *db, int64_t id, int64_t tables[TICKET_TABLES]);

/* "arrive" ...; ACT__MAX for a word that is none. */
enum ticket_act_kind desk_act(const char *word);

/*
 * TICKET_ACT: what the desk says about a reservation, if it was not changed since (ERR_STALE).  Every act leaves what was
 * before it, and the last one can be undone.
 */
enum err desk_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

#endif
