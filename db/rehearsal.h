/*
 * rehearsal.h - what a rehearsal asks of the copy it plays on.
 */
#ifndef JARI_REHEARSAL_H
#define JARI_REHEARSAL_H

#include "db.h"

struct rehearsal_ticket {
	int64_t ticket, user_id, reservation_id;
	int party;
};

/* Every active reservation of that slot whose ticket is at least `from`, in the order of the line. */
enum err rehearsal_tickets(struct db *db, int64_t restaurant, const char *date, const char *time, uint64_t from,
			   void (*each)(void *arg, const struct rehearsal_ticket *), void *arg);

/*
 * Makes a copy of the book a stage, never the book itself: nothing runs out for the next hold_s
 * seconds, a pause of that restaurant is lifted, and no message that waits to be sent leaves the house.
 */
enum err rehearsal_stage(struct db *db, int64_t restaurant, int64_t now_s, int64_t hold_s);

/* On the copy: these dates open for guests at that instant, and by no other opening. */
struct openings_row;
enum err rehearsal_open(struct db *db, int64_t restaurant, const struct openings_row *row);

/*
 * Load-test accounts loadtest.user0001@example.com to N, in one transaction; those that exist are used again.  each() gets
 * every id and its token version.  hash NULL: they cannot log in.
 */
enum err rehearsal_make_users(struct db *db, int count, const char *password_hash, int64_t now_s,
			      void (*each)(void *arg, int64_t id, uint32_t version), void *arg);

#endif
