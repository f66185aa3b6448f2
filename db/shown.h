/*
 * shown.h - amounts and moments as people read them, in lists and sentences that SQL writes.
 */
#ifndef JARI_SHOWN_H
#define JARI_SHOWN_H

#include <sqlite3.h>

/*
 * The functions of a connection: shown(amount, currency) is 19.50 for 1950 and EUR, and a number as it is where the currency has
 * no digits behind the point; digits(currency) says how many it has; local(instant, zone) is the moment by the clock there,
 * 2026-01-20 18:00.  (Views have the first two from _digits: the sqlite3 shell knows no function of ours.)
 */
void shown_add(sqlite3 *handle);

#endif
