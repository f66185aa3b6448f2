/*
 * settings.h - a restaurant's policies: name, range and default of each.
 *
 * SETTINGS_LIST is the only place that lists those of the house; SETTINGS_OF_SERVICE says which of them a service may have
 * of its own.  The columns of `restaurants` carry the same
 * names, ranges and defaults (a test compares), db/ reads them by walking the rows, and code that
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
	X(lead_minutes,               0,   525600,      30, "bookings close this many minutes before the slot") \
	X(window_days,                0,      730,      60, "bookings open this many days ahead") \
	X(deposit_per_person,         0, 1000000000,  5000, "deposit a head; 0 asks for none") \
	X(deposit_large_from,         1,     1000,       7, "from this party size on ...") \
	X(deposit_large_per_person,   0, 1000000000, 10000, "... the deposit a head is this") \
	X(refund_day_before_pct,      0,      100,     100, "percent given back up to the day before") \
	X(refund_same_day_pct,        0,      100,      50, "percent given back on the day ...") \
	X(refund_cutoff_minutes,      0,    10080,     120, "... until this many minutes before the slot") \
	X(refund_late_pct,            0,      100,      20, "percent given back after that") \
	X(refund_large_from,          1,     1000,       8, "from this party size on ...") \
	X(refund_late_large_pct,      0,      100,      10, "... the late percentage is this") \
	X(rate_limit_per_sec,         0,   100000,       0, "bookings a second for the whole restaurant; 0 is off") \
	X(calling_code,               1,      999,      82, "country of telephone numbers that are given without one") \
	X(holds_per_guest,            0,     1000,       2, "unpaid holds of one number at a time; 0 is off") \
	X(upcoming_per_guest,         0,     1000,       4, "reservations still to come of one number; 0 is off") \
	X(retention_months,           0,      240,       0, "guests are forgotten this many months after they last came; 0: never") \
	X(mail_guests,                0,        1,       1, "mail to guests, where a mail server is set up") \
	X(sms_guests,                 0,        1,       0, "text messages to guests, by the command send-sms") \
	X(tell_owner,                 0,        2,       1, "mail about new bookings: 0 none, 1 each, 2 once an hour") \
	X(day_sheet_hour,             0,       23,       8, "the hour at which the day's sheet is mailed; 0: not at all") \
	X(remind_day_hours,           0,      168,      24, "guests are reminded this many hours before; 0: not at all") \
	X(remind_minutes,             0,     1440,      60, "and again this many minutes before; 0: not at all") \
	X(quiet_from,                 0,       23,      21, "from this hour on nothing is sent that no guest waits for ...") \
	X(quiet_to,                   0,       23,       8, "... until this hour; the same hour: no quiet time") \
	X(prove_contact,              0,        1,       0, "1: a booking is a hold until its guest has entered a code") \
	X(prove_seconds,             30,     3600,     300, "so long a booking waits for the code") \
	X(waitlist_per_guest,         0,      100,       3, "slots that one number may wait for; 0: there is no waitlist") \
	X(waitlist_offer_minutes,     1,     1440,      15, "so long an offer to a guest on the waitlist stands") \
	X(waitlist_keep_minutes,      0,     1440,      30, "so long what the first on the waitlist cannot use yet is kept from others") \
	X(waitlist_skip,              0,        1,       0, "1: seats that are too few for the first go to the next who fits") \
	X(opens_at_minute,            0,     1439,       0, "minute of the day at which a new day opens, window_days ahead") \
	X(first_weekday,              1,        7,       7, "first day of the week in calendars; 1 is Monday") \
	X(buffer_minutes,             0,      240,       0, "minutes between two parties at one table") \
	X(staff_seats,                0,    10000,       0, "seats that are not for guests online ...") \
	X(staff_seats_hours,          0,      720,       0, "... until this many hours before; 0: never") \
	X(deposit_from,               0,     1000,       1, "a deposit is asked of parties of this size on; 0: not for their size") \
	X(deposit_no_shows,           0,      100,       0, "and of guests with this many no-shows; 0: not for that") \
	X(door_call_minutes,          0,      120,      10, "so long a party at the door that was called may take to come; 0: staff say") \
	X(wait_ms,                    0,    20000,    2000, "how long a booking waits in the line before it is told its place") \
	X(user_lock_ms,               0,   600000,    5000, "how long after a success the same guest and slot is refused at the door")

/*
 * What a service (lunch, dinner) may have of its own, where it differs from the house: the setting, its name in JSON, its range.
 * The columns of `opening_hours` and `special_days` carry the same names and ranges.
 */
#define SETTINGS_OF_SERVICE(X) \
	X(slot_minutes,             "slotMinutes",            5,        720) \
	X(sitting_minutes,          "sittingMinutes",         SETTINGS_SITTING_MIN, 1440) \
	X(sitting_large_minutes,    "sittingLargeMinutes",    SETTINGS_SITTING_MIN, 1440) \
	X(reservation_limit,        "reservationLimit",       0,      10000) \
	X(party_min,                "partyMin",               1,       1000) \
	X(party_max,                "partyMax",               1,       1000) \
	X(lead_minutes,             "leadMinutes",            0,     525600) \
	X(deposit_per_person,       "depositPerPerson",       0, 1000000000) \
	X(deposit_large_per_person, "depositLargePerPerson",  0, 1000000000)
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
/* Is it an amount, in the smallest unit of the restaurant's currency? */
bool settings_is_money(const struct settings_row *row);
bool settings_fits(const struct settings_row *row, int64_t value);
void settings_put(struct settings *s, const struct settings_row *row, int value);

#endif
