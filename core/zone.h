/*
 * zone.h - the restaurant's clock on the wall.
 *
 * Slots are local dates and times, instants are UTC.  A time that the clock skips in spring does
 * not exist and is refused; one that it shows twice in autumn means the first.  Zones are those of
 * the system's tzdata; an unknown name is an error, never silently UTC.
 */
#ifndef JARI_ZONE_H
#define JARI_ZONE_H

#include "text.h"

bool zone_exists(const char *zone);
/* May a restaurant be given it?  Not a name that only this machine knows: guests' browsers would not. */
bool zone_is_public(const char *zone);
/*
 * False when that local time does not exist, or the zone is unknown.  A minute past midnight (up to NIGHT_MINUTES) is a time of
 * the day after: 24:30 is its 00:30, whatever the clock does in between.
 */
bool zone_to_utc(const char *zone, struct date day, int minute, int64_t *utc_s);
/* False only when the zone is unknown. */
bool zone_to_local(const char *zone, int64_t utc_s, struct date *day, int *minute_of_day);
int zone_offset_minutes(const char *zone, int64_t utc_s); /* east of UTC; 0 for an unknown zone */

#endif
