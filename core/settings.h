/*
 * settings.h - a restaurant's policies: name, range and default of each.
 *
 * SETTINGS_LIST is the only place that lists them.  The columns of `restaurants` carry the same
 * names, ranges and defaults (a test compares), db/ reads them by walking the rows, and whoever
 * lets a person change one asks settings_fits() first.
 */
#ifndef JARI_SETTINGS_H
#define JARI_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No reservation is shorter, so no sitting is; 0 leaves it to another setting. */
enum { SETTINGS_SITTING_MIN = 5 };

/* clang-format off */
#define SETTINGS_LIST(X) \
	/* name                     min       max  default  meaning */ \
	X(reservation_limit,          0,    10000,      20, "people who may start in one slot") \
	X(slot_minutes,               5,      720,      60, "minutes from one slot to the next") \
	X(seats,                      0,    10000,       0, "people in the house at once; 0: as many as start in one slot") \
	X(sitting_minutes,            0,     1440,       0, "how long a party stays, from 5 minutes on; 0: one slot") \
	X(sitting_large_from,         1,     1000,       7, "from this party size on ...") \
	X(sitting_large_minutes,      0,     1440,       0, "... a party stays so long, from 5 minutes on; 0: as long as others") \
	X(hold_seconds,               1,    86400,     420, "how long a hold waits for its payment") \
	X(party_min,                  1,     1000,       1, "smallest party") \
	X(party_max,                  1,     1000,      12, "largest party that can book by itself") \
	X(lead_minutes,               0,   525600,      30, "bookings close so many minutes before the slot") \
	X(window_days,                0,      730,      60, "bookings open so many days ahead") \
	X(deposit_per_person,         0, 10000000,    5000, "deposit a head; 0 asks for none") \
	X(deposit_large_from,         1,     1000,       7, "from this party size on ...") \
	X(deposit_large_per_person,   0, 10000000,   10000, "... the deposit a head is this") \
	X(refund_day_before_pct,      0,      100,     100, "percent given back up to the day before") \
	X(refund_same_day_pct,        0,      100,      50, "percent given back on the day ...") \
	X(refund_cutoff_minutes,      0,    10080,     120, "... until so many minutes before the slot") \
	X(refund_late_pct,            0,      100,      20, "percent given back after that") \
	X(refund_large_from,          1,     1000,       8, "from this party size on ...") \
	X(refund_late_large_pct,      0,      100,      10, "... the late percentage is this") \
	X(rate_limit_per_sec,         0,   100000,       0, "bookings a second for the whole restaurant; 0 is off") \
	X(calling_code,               1,      999,      82, "country of telephone numbers that are given without one") \
	X(holds_per_guest,            0,     1000,       2, "unpaid holds of one number at a time; 0 is off") \
	X(upcoming_per_guest,         0,     1000,       4, "reservations still to come of one number; 0 is off") \
	X(retention_months,           0,      240,       0, "guests are forgotten so many months after they last came; 0: never") \
	X(mail_guests,                0,        1,       1, "mail to guests, where a mail server is set up") \
	X(sms_guests,                 0,        1,       0, "text messages to guests, by the command send-sms") \
	X(tell_owner,                 0,        2,       1, "mail about new bookings: 0 none, 1 each, 2 once an hour") \
	X(day_sheet_hour,             0,       23,       8, "the hour at which the day's sheet is mailed; 0: not at all") \
	X(remind_day_hours,           0,      168,      24, "guests are reminded so many hours before; 0: not at all") \
	X(remind_minutes,             0,     1440,      60, "and again so many minutes before; 0: not at all") \
	X(quiet_from,                 0,       23,      21, "from this hour on nothing is sent that nobody waits for ...") \
	X(quiet_to,                   0,       23,       8, "... until this hour; the same hour: no quiet time") \
	X(prove_contact,              0,        1,       0, "1: a booking is a hold until its guest has entered a code") \
	X(prove_seconds,             30,     3600,     300, "so long a booking waits for the code") \
	X(waitlist_per_guest,         0,      100,       3, "slots that one number may wait for; 0: there is no waitlist") \
	X(waitlist_offer_minutes,     1,     1440,      15, "so long an offer to a guest on the waitlist stands") \
	X(waitlist_keep_minutes,      0,     1440,      30, "so long what the first on the waitlist cannot use yet is kept from others") \
	X(waitlist_skip,              0,        1,       0, "1: seats that are too few for the first go to the next who fits") \
	X(wait_ms,                    0,    20000,    2000, "how long a booking waits in the line before it is told its place") \
	X(user_lock_ms,               0,   600000,    5000, "how long after a success the same guest and slot is refused at the door")
/* clang-format on */

/* ", reservation_limit, slot_minutes, ...": for statements that name them all. */
#define SETTINGS_COLUMN(name, min, max, fallback, help) ", " #name
#define SETTINGS_COLUMNS SETTINGS_LIST(SETTINGS_COLUMN)

struct settings {
#define X(name, min, max, fallback, help) int name;
	SETTINGS_LIST(X)
#undef X
};

struct settings_row {
	const char *name;
	size_t offset; /* of an int in struct settings */
	int min, max, fallback;
	const char *help;
};

extern const struct settings_row settings_rows[];
extern const size_t settings_count;

void settings_init(struct settings *s); /* every default */
/* NULL when there is no setting of that name. */
const struct settings_row *settings_find(const char *name);
bool settings_fits(const struct settings_row *row, int64_t value);
void settings_put(struct settings *s, const struct settings_row *row, int value);

#endif
