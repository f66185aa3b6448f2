/*
 * waitlist.h - guests who want a slot that is full: the list, joining and leaving it.  offers.h gives them seats.
 */
#ifndef JARI_WAITLIST_H
#define JARI_WAITLIST_H

#include "booking.h"

enum {
	WAITLIST_SLOT_MAX = 500,    /* parties for one slot ... */
	WAITLIST_UNPROVEN_MAX = 20, /* ... of which have proven nothing; more are not asked in one evening */
	WAITLIST_UNPROVEN_EACH = 3, /* slots that one unproven number may wait for, whatever the setting says */
	WAITLIST_CLOSE_S = 300,     /* before its slot begins */
	WAITLIST_AGAIN_S = 43200,   /* after an offer, before the same guest may wait for that slot again ... */
	WAITLIST_NOES = 3,          /* ... unless they said no, and not more often than this */
};

struct waiter {
	int64_t id, restaurant_id, user_id, card_id, reservation_id; /* card 0: a login, the desk */
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE], status[16];
	int party, rank; /* 1 is the next; 0: no longer waiting */
	bool removed;    /* by staff; they did not leave themselves */
	char guest[TICKET_NAME_SIZE], email[256], phone[TEXT_PHONE_SIZE];
	char starts_at[CLOCK_ISO_SIZE], offer_expires_at[CLOCK_ISO_SIZE], created_at[CLOCK_ISO_SIZE];
};

typedef void waitlist_each(void *arg, const struct waiter *);

/* ERR_NO_SUCH_WAIT when there is none. */
enum err waitlist_get(struct db *db, int64_t id, struct waiter *out);
/* The newest first. */
enum err waitlist_of_card(struct db *db, int64_t card_id, waitlist_each *each, void *arg);
enum err waitlist_of_user(struct db *db, int64_t user_id, waitlist_each *each, void *arg);
/* Those who wait or were offered seats on that day, by slot. */
enum err waitlist_of_day(struct db *db, int64_t restaurant_id, const char *date, waitlist_each *each, void *arg);

/* TICKET_WAIT: joins.  TICKET_WAITER: leaves, or is offered seats by hand; or everybody of a slot leaves. */
enum err waitlist_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

/*
 * The keeper's part, in a transaction of its own: releases holds that have run out, passes their seats on, closes slots
 * that begin, takes away what is no longer kept, and looks whether something else (a setting, the shell) has made room.
 * Takes the pen only if there is something to do.
 */
enum err waitlist_sweep(struct db *db, int64_t now_s, int *expired);

#endif
