/*
 * txn.h - one write transaction of the pen's holder, and what it has learnt on the way.
 *
 * It begins by releasing the holds that have run out, so that nothing inside it counts such a seat as taken; if there
 * are more than RELEASE_MAX, the rest are released per day, before that day is counted.  While it lasts no other process
 * writes, so what it has looked up once stays true: a batch for one hot slot looks that slot up once.
 */
#ifndef JARI_TXN_H
#define JARI_TXN_H

#include "clock.h"
#include "code.h"
#include "db.h"
#include "room.h"
#include "text.h"

enum { TXN_FREED_MAX = 256, TXN_DAYS_MAX = 16 };

struct txn_day {
	int64_t restaurant_id;
	char date[TEXT_DATE_SIZE];
};

/* A guest whose success in a slot is over: cancelled. */
struct txn_freed {
	int64_t user_id, phone_key, restaurant_id;
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
};

/* People whose seats came free and are kept; of them, those whom staff had booked. */
struct txn_kept {
	int64_t people, by_staff;
};

struct txn {
	struct db *db;
	int64_t now_s;
	char now[CLOCK_ISO_SIZE];
	int expired;   /* holds released so far */
	bool more_due; /* more have run out than were released at the beginning */

	/* What was learnt; txn_forget() drops it. */
	struct {
		int64_t restaurant_id; /* 0: no slot is known */
		char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
		int64_t id, capacity, taken; /* id 0: not booked yet */
		char starts[CLOCK_ISO_SIZE];
		bool keeps;           /* its restaurant keeps seats for those who wait, of whichever slot */
		struct txn_kept kept; /* seats of this one that newcomers cannot have */
		bool no_tables;       /* its restaurant has none, for sure */
	} slot;
	struct {
		int64_t restaurant_id; /* 0: none was looked up */
		char date[TEXT_DATE_SIZE];
		bool by_night;     /* it reaches a day further, for stays that begin after midnight */
		struct room room;  /* who is there around that day */
		int64_t with_kept; /* and what is kept from who asks so (kept.h); 0: nothing */
	} house;
	int64_t next_id; /* of the next reservation; 0: not asked yet */
	struct code_pool codes;
	struct {
		int64_t restaurant_id; /* 0: not asked yet */
		bool mail, sms, owner; /* who is told of what happens there, and how */
		bool owner_told;       /* a row of this minute is there */
	} told;

	/* Days on which seats may have come free; offers_serve() gives them to those who wait. */
	struct txn_day opened[TXN_DAYS_MAX];
	int opened_count;
	bool opened_more;     /* on more days than that */
	int64_t opened_new;   /* by this restaurant itself, which has more seats or tables now; 0: by none */
	int waits;            /* is a guest on the waitlist, or anything kept, wherever; -1: not asked yet */
	int64_t used_until_s; /* see kept_use() */
	int64_t asked_id;     /* the guest on the waitlist who is offered seats just now; 0: none */

	int64_t clock_step_s, clock_offset_ms; /* it found the clock set; noted once it is committed */
	bool clock_first;                      /* no transaction of this segment was before it */
	int64_t clock_doubted;                 /* the audit row that says so: the clock is not believed */
	bool touched_all;
	uint8_t touched[EDITION_DAYS / 8]; /* places of the days that it changed; told once it is committed */

	/* Once it is committed, these may book the slot again at once.  Those beyond the limit wait user_lock_ms. */
	struct txn_freed freed[TXN_FREED_MAX];
	int freed_count;
};

/* Takes the pen first; txn_end gives it back. */
enum err txn_begin(struct txn *t, struct db *db, int64_t now_s);
enum err txn_end(struct txn *t, enum err e);
/* For a caller that holds the pen and keeps it. */
enum err txn_begin_locked(struct txn *t, struct db *db, int64_t now_s);
enum err txn_end_locked(struct txn *t, enum err e);

/* The clock says `step` seconds more than `then`: holds, offers and codes keep the minutes that they had. */
enum err txn_follow(struct txn *t, int64_t step, const char *then);
/* Something of that day is written: its number rises after the commit, and tablets read it again. */
void txn_touch_day(struct txn *t, int64_t restaurant_id, const char *date);
/* The same of every day: a login that ended, a message that was given up. */
void txn_touch_all(struct txn *t);
/* Seats of that day may have come free. */
void txn_open_day(struct txn *t, int64_t restaurant_id, const char *date);
/* Once it is committed, the guest's lock on that slot is lifted. */
void txn_free_guest(struct txn *t, int64_t user_id, int64_t phone_key, int64_t restaurant_id, const char *date,
		    const char *time);

/* After part of it was rolled back, or something was changed that is kept here. */
void txn_forget(struct txn *t);

/*
 * Each ticket of a batch is undone alone: txn_mark() before it, then txn_keep() or txn_undo().
 */
enum err txn_mark(struct txn *t);
enum err txn_keep(struct txn *t);
enum err txn_undo(struct txn *t);
/*
 * Does this failure end one ticket rather than the whole transaction?  A rule of the book said no; and a ticket that
 * breaks a rule which the door should have checked must not take its neighbours along.
 */
bool txn_refuses_one(enum err e);

/* Before anything of that day is counted. */
enum err txn_release_day(struct txn *t, int64_t restaurant_id, const char *date);
/* Have holds run out that the book still has as such? */
enum err txn_is_due(struct db *db, int64_t now_s, bool *due);

#endif
