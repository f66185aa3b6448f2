/*
 * ticket.c - what a ticket carries.
 */
#include "ticket.h"

#include "room.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

struct ticket_want ticket_want(const struct settings *set, int seats, int64_t restaurant_id, const char *date, const char *time,
			       int64_t starts_s, int party)
{
	struct ticket_want w = {
		.restaurant_id = restaurant_id,
		.starts_s = starts_s,
		.party = party,
		.sitting_minutes = room_sitting(set, party),
		.capacity = set->reservation_limit,
		.seats = seats,
		.buffer_minutes = set->buffer_minutes,
		.staff_seats = set->staff_seats,
		.staff_seats_hours = set->staff_seats_hours,
		.pass_waiters = set->waitlist_skip,
	};

	assert(restaurant_id > 0 && strlen(date) < sizeof w.date && strlen(time) < sizeof w.time);
	strcpy(w.date, date);
	strcpy(w.time, time);
	return w;
}

struct ticket_who ticket_who_guest(const struct ticket_guest *guest, int64_t card_id, int64_t phone_key)
{
	assert(phone_key >= 0);
	return (struct ticket_who){.user_id = -phone_key, .card_id = card_id, .guest = *guest};
}

struct ticket_who ticket_who_login(int64_t user_id, uint32_t token_version, int64_t login)
{
	assert(user_id > 0);
	return (struct ticket_who){.user_id = user_id, .token_version = token_version, .card_id = login};
}

struct ticket_terms ticket_terms(const struct settings *set, const char currency[4], const char *policy, int64_t deposit)
{
	struct ticket_terms t = {
		.deposit = deposit,
		.type = TICKET_DEPOSIT,
		.hold_s = set->hold_seconds,
		.lock_ms = set->user_lock_ms,
		.holds_max = set->holds_per_guest,
		.upcoming_max = set->upcoming_per_guest,
		.waits_max = set->waitlist_per_guest,
	};

	memcpy(t.currency, currency, sizeof t.currency);
	if (policy)
		memcpy(t.policy, policy, sizeof t.policy);
	else
		money_freeze(set, t.policy);
	return t;
}
