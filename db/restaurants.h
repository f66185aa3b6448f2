/*
 * restaurants.h - a restaurant, its hours, its tables and its menu, as the book has them.
 */
#ifndef JARI_RESTAURANTS_H
#define JARI_RESTAURANTS_H

#include "db.h"
#include "hours.h"
#include "intent.h"
#include "lengths.h"
#include "money.h"
#include "opening.h"
#include "seats.h"
#include "settings.h"

struct restaurant {
	int64_t id;
	/* What ends in _en is in the language that the house does not speak first (for a house in Seoul: English). */
	char name[LENGTHS_SIZE(LENGTHS_HOUSE)], name_en[LENGTHS_SIZE(LENGTHS_HOUSE)], phone[LENGTHS_SIZE(LENGTHS_HOUSE_PHONE)];
	char address[LENGTHS_SIZE(LENGTHS_ADDRESS)], address_en[LENGTHS_SIZE(LENGTHS_ADDRESS)];
	char payment_text[LENGTHS_SIZE(LENGTHS_PAYMENT_TEXT)]; /* how a deposit can be paid */
	char notify_email[256];                                /* of the owner, for messages */
	/* what it says itself on top of its messages */
	char message_text[LENGTHS_SIZE(LENGTHS_MESSAGE_TEXT)], message_text_en[LENGTHS_SIZE(LENGTHS_MESSAGE_TEXT)];
	char zone[64], currency[4], country[3]; /* country "": not said */
	enum lang lang;                         /* that the house speaks first */
	int64_t paused_until_s;                 /* 0: not paused */
	enum intent_provider provider;          /* who takes its payments */
	bool pay_test;                          /* and no money moves */
	int64_t guarantee;                      /* a head, at most, of a card in the place of a deposit; 0: not so */
	bool service_sittings;                  /* a service has times or sittings of its own */
	struct settings set;                    /* of the house; hours_settings() has those of a service */
};

/* ERR_NO_SUCH_RESTAURANT when there is none. */
enum err restaurants_get(struct db *db, int64_t id, struct restaurant *out);

/*
 * How many may be present, in whichever service; ROOM_UNLIMITED where only those count who start.  Where services have times or
 * sittings of their own, stays of several lengths overlap, so those present are counted.
 */
int restaurants_seats(const struct restaurant *r);

/* Are guests told until when their table is theirs?  Only where the owner said how long parties stay. */
bool restaurants_tells_end(const struct restaurant *r);

/* What it says in this language: its own words, or the other ones where it has them and speaks another language itself. */
const char *restaurants_words(const struct restaurant *r, enum lang lang, const char *own, const char *other);

/* Its time zone alone; out has 64 bytes. */
enum err restaurants_zone(struct db *db, int64_t id, char out[64]);

/* How long a request waits in the line; 0 for a restaurant that is not there. */
enum err restaurants_wait_ms(struct db *db, int64_t id, int64_t *ms);

/* Has it ever had hours?  One that has not is set up first; one that has none any more is closed every day. */
enum err restaurants_was_open(struct db *db, int64_t id, bool *was);

/* The services of one date: its own if it is a special day, else those of its weekday; with the special day's note and deposit. */
enum err restaurants_day(struct db *db, int64_t id, struct date date, struct hours_day *out);

/* The settings that count at a time of a date: those of its service. */
enum err restaurants_at(struct db *db, const struct restaurant *r, const char *date, const char *time, struct settings *out);

/*
 * Which evening is it now, and which minute of it?  After midnight it is still the evening before while a service of that
 * lasts: its 24:45.
 */
enum err restaurants_evening(struct db *db, const struct restaurant *r, int64_t now_s, struct date *evening, int *minute);

/* A restaurant with the hours of one of its days. */
struct restaurant_day {
	struct restaurant restaurant;
	struct date date;
	struct hours_day hours;
	char policy[MONEY_POLICY_SIZE]; /* its refund rules, as they are frozen into a reservation */
	bool has_tables;                /* it seats parties at tables */
	struct opening opening;
};

enum { RESTAURANTS_KEPT_MS = 200 };

/*
 * A cached copy, because in a rush everybody asks for one day of one restaurant.  A change that jari made counts at
 * once (the board's edition), an edit in an sqlite3 shell after RESTAURANTS_KEPT_MS.  The next call may change
 * what *out points to.
 */
enum err restaurants_kept(struct db *db, int64_t id, struct date date, const struct restaurant_day **out);

/* Hours of the week, special days from one date to the other (without hours: closed), the menu. */
enum err restaurants_week(struct db *db, int64_t id, stmt_each *each, void *arg);
enum err restaurants_special(struct db *db, int64_t id, struct date from, struct date to, stmt_each *each, void *arg);
/* What guests are told of some days, from one date on: out[0] is of that date, "" where there is nothing to say. */
typedef char restaurants_note[LENGTHS_SIZE(LENGTHS_DAY_NOTE)];
enum err restaurants_notes(struct db *db, int64_t id, struct date from, int count, restaurants_note *out);
enum err restaurants_menu(struct db *db, int64_t id, stmt_each *each, void *arg);

/* ERR_NO_SUCH_MENU when the restaurant has no such dish (any more). */
enum err restaurants_price(struct db *db, int64_t id, int64_t menu_id, int64_t *price);

/* Its tables and the sets that may be joined; none: it seats people, not parties at tables. */
enum err restaurants_plan(struct db *db, int64_t id, struct seats_plan *out);

/* The one that a page without further word is about; ERR_NO_SUCH_RESTAURANT in an empty book. */
enum err restaurants_first(struct db *db, int64_t *id);
/* Every restaurant's id, in order. */
enum { RESTAURANTS_MAX = 200 };
enum err restaurants_all(struct db *db, int64_t ids[RESTAURANTS_MAX], int *count);

/* Writes today's offset from UTC where it changed, so that the views know what day it is. */
enum err restaurants_keep_offsets(struct db *db, int64_t now_s);

#endif
