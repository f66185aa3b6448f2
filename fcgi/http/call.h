/*
 * call.h - one request on its way through the door, with everything that its route asked to be checked.
 *
 * The door fills it before the handler runs; what a row of the route table does not ask for stays empty.  A handler
 * reads its parameters and fields from here, and answers with reply_json() or by returning an error.
 */
#ifndef JARI_CALL_H
#define JARI_CALL_H

#include "auth.h"
#include "booking.h"
#include "in.h"
#include "doorlist.h"
#include "waitlist.h"

struct route;

/* What a booking or a change is about, for the web server's log: who asks why a guest was refused finds it there. */
struct call_trace {
	uint64_t ticket; /* its number, which opens nothing without its signature; 0: none was drawn */
	int64_t restaurant_id;
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	int party; /* 0: no slot is known */
};

enum { CALL_ACTOR_SIZE = 32 };

struct call {
	struct door *door;
	struct db *db; /* the door's */
	struct req *req;
	struct reply *reply;
	const struct route *route;
	int64_t now_s;
	int64_t received_ms;            /* when the web server had the whole request, or when we got it, if it did not say */
	uint64_t changes;               /* board_changes before the book was read */
	bool hall_lost;                 /* the shared memory is gone and cannot be made anew: no writes */
	struct auth who;                /* the caller, by the token that the row asks for */
	struct in body;                 /* a row that takes JSON: opened, and closed by the door */
	struct restaurant restaurant;   /* a row about a restaurant */
	struct reservation reservation; /* a row about a reservation ... */
	struct waiter waiter;           /* a row about an entry of the waitlist ... */
	struct door_party party;        /* a row about a party of the door list; with its restaurant */
	char tag[20];                   /* a row that is LIVE: the ETag of its answer, if it is one */
	int64_t line;                   /* ... and how many waited in the line when it was made */
	char by[CALL_ACTOR_SIZE];       /* what call_by() returns */
	struct call_trace trace;        /* what the handler knows by the time it answers */
	int64_t opened_s;               /* when the day opened that a booking is for, if that moment was told; else 0 */
	bool gone;                      /* the client has hung up: the answer is not read */
	bool by_guest;                  /* ... asked for by its guest (login or manage token), not by staff */
};

/*
 * A parameter of the query.  These name the field in the answer when something is wrong with it: ERR_MISSING_FIELD,
 * ERR_DUPLICATE_KEY, ERR_WRONG_TYPE, ERR_OUT_OF_RANGE, ERR_BAD_DATE ...  A parameter that may be left out comes with a
 * fallback; CALL_REQUIRED has none.
 */
#define CALL_REQUIRED INT64_MIN
enum err call_int(struct call *c, const char *name, int64_t min, int64_t max, int64_t fallback, int64_t *out);
enum err call_date(struct call *c, const char *name, struct date *out);
/* "2026-11" as its first day. */
enum err call_month(struct call *c, const char *name, struct date *out);

/* Our own address as the caller knows it, "https://host:port"; false when they did not say. */
enum { CALL_SITE_SIZE = 280 };
bool call_site(const struct call *c, char out[CALL_SITE_SIZE]);

/* Who calls, as the audit names them: user:12.  Without a login it is the guest of that user. */
void call_actor(const struct call *c, int64_t guest, char out[CALL_ACTOR_SIZE]);
/* The same of a login, in the memory of the call. */
const char *call_by(struct call *c);

/*
 * Is this the password of that user?  An unknown e-mail address takes as long as a wrong password.  Tries are limited by
 * address, not by account: an attacker cannot keep the owner out.  One password is checked at a time, so a
 * flood of logins gets 429 and leaves the cores to bookings; a device that has logged in before has a place of its own.
 */
enum err call_password(struct call *c, const struct user *u, bool user_found, const char *password);

/* The slot that is asked for; date and time have been read by text_date and text_time. */
void call_trace_slot(struct call *c, int64_t restaurant_id, const char *date, const char *time, int party);

/* Endings: e, or 200 with an object that has nothing to say; or with one list, which is taken; or with any object, also taken. */
enum err call_done(struct call *c, enum err e);
enum err call_list(struct call *c, enum err e, const char *name, struct json *list);
enum err call_answer(struct call *c, enum err e, struct json *j);
/* The same with 201; with the number of what was made. */
enum err call_made(struct call *c, enum err e, struct json *j);
enum err call_numbered(struct call *c, enum err e, const char *name, int64_t id);

/* What was wrong with the body, its field named in the answer; ERR_OK when nothing was. */
enum err call_body(struct call *c);

/*
 * A list of any length, in the memory of a part.  write() appends it to the body and calls part() after each row, which
 * takes the body away when that is a good deal; false: the client is gone.  A list that never was a good deal is sent like any
 * answer.  A longer one is written twice: first only its bytes are counted, then it is sent with that length, so that a
 * client notices when this process dies in the middle.  The caller sees to it that both are the same (db_read_begin).  An
 * error after the first part breaks the answer off.
 */
typedef bool call_part(struct call *c);
enum err call_send_list(struct call *c, enum err (*write)(struct call *c, call_part *part, const void *list), const void *list);

#endif
