/*
 * money.h - what is due, and what is given back.
 *
 * Every amount is a whole number of the currency's smallest unit (core/currency.h).
 */
#ifndef JARI_MONEY_H
#define JARI_MONEY_H

#include "settings.h"

enum { MONEY_POLICY_SIZE = 80 };

/* The deposit of a party, where one is asked for. */
int64_t money_deposit(const struct settings *s, int party);
/* Is one asked for?  Of parties from a size on, and of guests with this many no-shows; it may be neither. */
bool money_is_asked(const struct settings *s, int party, int no_shows);
/* Then that, else nothing. */
int64_t money_due(const struct settings *s, int party, int no_shows);
/* What dishes that are paid ahead leave of what is asked. */
int64_t money_beside(int64_t asked, int64_t dishes);

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
 * How much a guest who cancels gets back, in percent.  days_before counts calendar days at the
 * restaurant (0: the day itself), minutes_before those left to the slot (negative: it has begun).  A
 * policy that cannot be read gives everything back: the doubt is ours.
 */
int money_percent(const char *policy, int party, int64_t days_before, int64_t minutes_before);
/* So much of it.  What cannot be divided is the guest's: it is rounded up to the next smallest unit. */
int64_t money_refund(int64_t paid, int percent);

/* A deposit, and how many people it was paid for: not all of them need be in the party, nor all of the party among them. */
struct money_share {
	int64_t amount;
	int people;
};

/*
 * What is left, or due, when a guest changes the party, or goes from one service (`was`) to another (`set`).  A change costs
 * what the whole party's deposit is there, less what was paid; who was invited, or came while nothing was asked of them, need
 * pay no more than the difference.  Nothing goes back because it costs less there.  Those who are taken off take their share of
 * what was paid with them, and never more, whatever a deposit costs today; what cannot be divided stays with those who come.
 * What was paid for dishes counts against what is due, and stays: `dishes`.
 */
struct money_share money_changed(const struct settings *was, const struct settings *set, int no_shows, int64_t dishes,
				 struct money_share paid, int party, int new_party);

#endif
