/*
 * doorlist.h - parties at the door: who came and does not fit yet waits here, in the order of coming, for one evening.
 *
 * A name and a number are for calling them; both are forgotten when the evening is over.
 */
#ifndef JARI_DOORLIST_H
#define JARI_DOORLIST_H

#include "booking.h"
#include "doorwait.h"

enum {
	DOORLIST_MAX = DOORWAIT_PARTIES_MAX, /* parties at one door at a time */
	DOORLIST_ENDED = 12,                 /* that are shown after they have left the list */
	DOORLIST_EVENING_S = 12 * 3600,      /* so long after they joined their evening is over */
};

struct door_party {
	int64_t id, restaurant_id, phone_key, reservation_id, version;
	char evening[TEXT_DATE_SIZE], status[16];
	int party, quoted_low, quoted_high; /* -1: they were told nothing */
	int place;                          /* 1 is the next; 0: no longer on the list */
	int passed;                         /* who came before and still waited when these were called or seated */
	int overtaken;                      /* who came later and was called or seated before these */
	char guest[TICKET_NAME_SIZE], phone[TEXT_PHONE_SIZE], changed_by[32];
	char message[8]; /* what became of the message that called them: QUEUED ...; "": there is none, so staff call out */
	enum lang lang;
	char joined_at[CLOCK_ISO_SIZE], called_at[CLOCK_ISO_SIZE], ended_at[CLOCK_ISO_SIZE];
};

typedef void doorlist_each(void *arg, const struct door_party *);

/* ERR_NO_SUCH_PARTY when there is none. */
enum err doorlist_get(struct db *db, int64_t id, struct door_party *out);
/* Who waits, in order; and who is no longer on the list this evening, the last first. */
enum err doorlist_waiting(struct db *db, int64_t restaurant_id, doorlist_each *each, void *arg);
enum err doorlist_ended(struct db *db, int64_t restaurant_id, const char *evening, doorlist_each *each, void *arg);
/* How many wait, and how many of these were called. */
enum err doorlist_count(struct db *db, int64_t restaurant_id, int64_t *waiting, int64_t *called);

/* What each of them is told at this moment. */
struct doorlist_waits {
	size_t count;
	int64_t ids[DOORLIST_MAX];
	struct doorwait waits[DOORLIST_MAX];
};
/* party > 0: and what another party of that size would be told, who came now; it is the last one. */
enum err doorlist_waits(struct db *db, const struct restaurant *r, int64_t now_s, int party, struct doorlist_waits *out);

/* "call" ...; DOOR__MAX for a word that is none. */
enum ticket_door_act doorlist_act(const char *word);
/* TICKET_DOOR */
enum err doorlist_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);
/* A walk-in that names a party of the list: may that sit down?  ERR_STALE, ERR_BAD_MOVE or ERR_NO_SUCH_PARTY in out->err. */
enum err doorlist_may_sit(struct txn *t, const struct ticket_book *b, struct ticket_outcome *out);
/* It did, as that reservation. */
enum err doorlist_seated(struct txn *t, const struct ticket_book *b, int64_t reservation_id);

/*
 * The keeper's part: who was called and did not come leaves the list, and what the evening that is over knew of people is
 * forgotten.  Takes the pen only if there is something to do.
 */
enum err doorlist_sweep(struct db *db, int64_t now_s);

#endif
