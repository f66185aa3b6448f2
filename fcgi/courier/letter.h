/*
 * letter.h - what a message says: to whom, in which language, as mail (text, HTML, calendar entry) and as a short text.
 *
 * It is made when it is sent, from the book as it is then.  A letter that has lost its sense is not made: the reservation
 * was cancelled meanwhile, the hold is over.
 */
#ifndef JARI_LETTER_H
#define JARI_LETTER_H

#include "buf.h"
#include "db.h"
#include "dispatch.h"
#include "mailserver.h"
#include "outbox.h"
#include "token.h"

struct letter {
	char to[256];                  /* an address, or a telephone number */
	bool typed;                    /* by a guest who has not proven that it is theirs */
	char state[OUTBOX_STATE_SIZE]; /* of its reservation, also where no letter is made; "": it is about none */
	enum lang lang;
	char from_name[LENGTHS_SIZE(LENGTHS_HOUSE)], subject[500];
	struct buf text, html, calendar;
	char method[8];  /* of the calendar entry; "": there is none */
	char brief[400]; /* the short text */
	char house[LENGTHS_SIZE(LENGTHS_HOUSE)], name[TICKET_NAME_SIZE], day[40], time[24], party[8], code[BOOKING_CODE_SIZE],
		until[8], amount[40], digits[8], link[400];
};

struct letter_post {
	struct db *db;
	const unsigned char *key;
	const struct mailserver *mail; /* its sender and the address of the pages */
	int64_t now_s;
};

/*
 * ERR_OK: it is made.  ERR_BAD_MOVE: it has lost its sense, or there is no address; *why says so in a few words.
 * Others: the book cannot be read.  letter_free() in any case.
 */
enum err letter_make(const struct letter_post *p, const struct dispatch_row *row, struct letter *out, const char **why);
void letter_free(struct letter *l);

#endif
