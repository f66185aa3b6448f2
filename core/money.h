/*
 * money.h - what is due, and what is given back.
 */
#ifndef JARI_MONEY_H
#define JARI_MONEY_H

#include "settings.h"

enum { MONEY_POLICY_SIZE = 80 };

/* The deposit of a party. */
int64_t money_deposit(const struct settings *s, int party);

/*
 * The refund rules as one line, frozen into a reservation when it is made:
 *   day-before=100 same-day=50 until=120m late=20 large=8:10
 */
void money_freeze(const struct settings *s, char out[MONEY_POLICY_SIZE]);

/* What a frozen line says to a party of this size. */
struct money_terms {
	int day_before_pct, same_day_pct, cutoff_minutes, late_pct;
};

/* False for a policy that cannot be read. */
bool money_terms(const char *policy, int party, struct money_terms *out);

/*
 * How much of `paid` a guest who cancels gets back.  days_before counts calendar days at the
 * restaurant (0: the day itself), minutes_before those left to the slot (negative: it has begun).  A
 * policy that cannot be read gives everything back: the doubt is ours.
 */
int64_t money_refund(const char *policy, int party, int64_t paid, int64_t days_before, int64_t minutes_before);

#endif
