/*
 * money.c - what is due, and what is given back.
 */
#include "money.h"

#include <assert.h>
#include <stdio.h>

#define POLICY "day-before=%d same-day=%d until=%dm late=%d large=%d:%d"

int64_t money_deposit(const struct settings *s, int party)
{
	assert(party > 0);
	return (int64_t)party * (party >= s->deposit_large_from ? s->deposit_large_per_person : s->deposit_per_person);
}

bool money_is_asked(const struct settings *s, int party, int no_shows)
{
	assert(no_shows >= 0);
	return (s->deposit_from && party >= s->deposit_from) || (s->deposit_no_shows && no_shows >= s->deposit_no_shows);
}

int64_t money_due(const struct settings *s, int party, int no_shows)
{
	return money_is_asked(s, party, no_shows) ? money_deposit(s, party) : 0;
}

int64_t money_beside(int64_t asked, int64_t dishes)
{
	assert(asked >= 0 && dishes >= 0);
	return asked > dishes ? asked - dishes : 0;
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

int money_percent(const char *policy, int party, int64_t days_before, int64_t minutes_before)
{
	struct money_terms terms;

	if (!money_terms(policy, party, &terms))
		return 100;
	if (minutes_before <= 0)
		return 0;
	if (days_before >= 1)
		return terms.day_before_pct;
	return minutes_before >= terms.cutoff_minutes ? terms.same_day_pct : terms.late_pct;
}

int64_t money_refund(int64_t paid, int percent)
{
	assert(paid >= 0 && percent >= 0 && percent <= 100);
	return (paid * percent + 99) / 100;
}

/* What a party need not pay where it goes to: what it has paid, or what it would have to where it is, if it has paid less. */
static int64_t entitled(const struct settings *was, int no_shows, int64_t amount, int party)
{
	int64_t due = money_due(was, party, no_shows);

	return amount > due ? amount : due;
}

struct money_share money_changed(const struct settings *was, const struct settings *set, int no_shows, int64_t dishes,
				 struct money_share paid, int party, int new_party)
{
	int from, off;
	int64_t covered, more;

	assert(party > 0 && new_party > 0);
	from = party > paid.people ? party : paid.people;
	off = (party < paid.people ? party : paid.people) - new_party;
	if (paid.amount < 0 || paid.people <= 0)
		return paid; /* what a row says is not ours to doubt here */
	if (off > 0)
		paid = (struct money_share){paid.amount - paid.amount * off / paid.people, paid.people - off};
	covered = entitled(was, no_shows, paid.amount + dishes, new_party < from ? new_party : from);
	more = money_due(set, new_party, no_shows) - covered;
	if (more > 0 && covered > paid.amount + dishes) /* those who came for nothing are not paid for now either */
		return (struct money_share){paid.amount + more, paid.people + (new_party > from ? new_party - from : 0)};
	if (more > 0)
		return (struct money_share){paid.amount + more, new_party};
	return paid.amount || new_party <= from ?
		       paid :
		       (struct money_share){0, new_party}; /* the new ones come for nothing as well */
}
