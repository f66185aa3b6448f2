/*
 * money.c - what is due, and what is given back.
 */
#include "money.h"

#include <assert.h>
#include <stdio.h>

#define POLICY "day-before=%d same-day=%d until=%dm late=%d large=%d:%d"

int64_t money_deposit(const struct settings *s, int party)
{
	int each = party >= s->deposit_large_from ? s->deposit_large_per_person : s->deposit_per_person;

	assert(party > 0);
	return (int64_t)each * party;
}

void money_freeze(const struct settings *s, char out[MONEY_POLICY_SIZE])
{
	snprintf(out, MONEY_POLICY_SIZE, POLICY, s->refund_day_before_pct, s->refund_same_day_pct, s->refund_cutoff_minutes,
		 s->refund_late_pct, s->refund_large_from, s->refund_late_large_pct);
}

bool money_terms(const char *policy, int party, struct money_terms *out)
{
	int day_before, same_day, until, late, large_from, late_large;

	if (sscanf(policy, POLICY, &day_before, &same_day, &until, &late, &large_from, &late_large) != 6)
		return false;
	*out = (struct money_terms){day_before, same_day, until, party >= large_from ? late_large : late};
	return true;
}

int64_t money_refund(const char *policy, int party, int64_t paid, int64_t days_before, int64_t minutes_before)
{
	struct money_terms terms;
	int pct;

	assert(paid >= 0);
	if (!money_terms(policy, party, &terms))
		return paid;
	if (minutes_before <= 0)
		pct = 0;
	else if (days_before >= 1)
		pct = terms.day_before_pct;
	else if (minutes_before >= terms.cutoff_minutes)
		pct = terms.same_day_pct;
	else
		pct = terms.late_pct;
	return paid * pct / 100;
}
