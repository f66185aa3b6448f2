/*
 * takeover.h - what a copy of the book says of itself, and the row by which a spare takes over.
 */
#ifndef JARI_TAKEOVER_H
#define JARI_TAKEOVER_H

#include "clock.h"
#include "err.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A reservation's number is in the links that guests have, so the new box begins with one that the old box cannot have come to
 * since the copy.
 */
enum { TAKEOVER_GAP = 100000 };

/* What two boxes tell each other of a book. */
struct takeover_book {
	int64_t epoch;                 /* how often a spare has taken over */
	uint64_t key;                  /* of the box's key: the same for all copies of one book, and says nothing of it */
	int64_t last_reservation;      /* of the book, or of the copy that became it at the last takeover */
	char made_at[CLOCK_ISO_SIZE];  /* of a backup */
	char taken_at[CLOCK_ISO_SIZE]; /* the last takeover; "": none */
	char site[208], house[100];    /* where guests find it, and its name; "" if the book does not say */
};

/* Of a backup, with its key in it; of a book of before takeovers, epoch 0. */
enum err takeover_look_at_copy(const char *file, struct takeover_book *out);
/* Of the book of that folder. */
enum err takeover_look_at_book(const char *dir, struct takeover_book *out);

/* In a copy that is about to be the book: one takeover more, of a copy of that moment; or a backup that came back. */
enum err takeover_write(const char *file, int64_t now_s, const char *copy_of);
enum err takeover_write_restore(const char *file, int64_t now_s);
/* The last takeover of the book that this copy is about to replace, unless the copy is from after it. */
enum err takeover_keep_epoch(const char *file, const struct takeover_book *was);

/* The reservations of that folder's book after this number: what the box that took over does not have. */
enum err takeover_list_lost(const char *dir, int64_t after,
			    void (*tell)(void *arg, const char *code, const char *starts_at, int64_t people, const char *name),
			    void *arg);

/* Has the book changed since the last time that was asked?  Reads nothing of it but a counter. */
struct takeover_watch {
	struct sqlite3 *handle;
	uint64_t id; /* of the file */
	int64_t version;
};
enum err takeover_moved(struct takeover_watch *w, const char *dir, bool *moved);
void takeover_watch_close(struct takeover_watch *w);

#endif
