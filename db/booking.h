/*
 * booking.h - reservations.
 */
#ifndef JARI_BOOKING_H
#define JARI_BOOKING_H

#include "clock.h"
#include "db.h"
#include "life.h"
#include "text.h"

struct reservation {
	int64_t id, slot_id, user_id, restaurant_id, table_id; /* table 0: none */
	char code[44], date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	int party;
	char type[24], request[204];
	enum life status; /* a hold past its time reads as EXPIRED, swept or not */
	char hold_expires_at[CLOCK_ISO_SIZE];
	int64_t deposit, prepay, total;
	char currency[4], refund_policy[80], visit_status[12], guest[164];
	int64_t version;
	char created_at[CLOCK_ISO_SIZE], updated_at[CLOCK_ISO_SIZE];
};

/* ERR_NO_SUCH_RESERVATION when there is none. */
enum err booking_get(struct db *db, int64_t id, int64_t now_s, struct reservation *out);
/* The newest first, at most limit. */
enum err booking_of_user(struct db *db, int64_t user_id, int limit, int64_t now_s,
			 void (*each)(void *arg, const struct reservation *), void *arg);
enum err booking_items(struct db *db, int64_t id,
		       void (*each)(void *arg, int64_t menu_id, const char *name, int64_t price, int64_t quantity),
		       void *arg);

/* Expires the holds that are due.  Takes the pen only if there are any; *count says how many. */
enum err booking_expire_due(struct db *db, int64_t now_s, int *count);

#endif
