/*
 * overview.h - the book at a glance: for `jari status` and for monitoring.
 */
#ifndef JARI_OVERVIEW_H
#define JARI_OVERVIEW_H

#include "db.h"

struct overview {
	int64_t parties_today, people_today;      /* who comes, or came */
	int64_t holds;                            /* that wait for their payment */
	int64_t messages_queued, messages_failed; /* to be sent; given up in the last week */
	int64_t waiters;                          /* on the waitlist */
	int64_t bytes, log_bytes;                 /* the book with its log; the log alone */
	int64_t backup_s;                         /* when the last backup was made; 0: none is known */
	int64_t spare_s;                          /* until when the spare has everything; 0: there is none */
};

enum err overview_read(struct db *db, const char *dir, int64_t now_s, struct overview *out);
/* Only what is told without opening the book: sizes and the last backup. */
void overview_files(const char *dir, struct overview *out);
/* Has a guest booked yet? */
enum err overview_used(struct db *db, bool *used);

#endif
