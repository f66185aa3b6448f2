/*
 * watch.h - can bookings be saved?
 *
 * The answer is put together from what is known already: what became of the last write, the pen, the keeper, the disk.
 * Asking it writes nothing, however often it is asked.  The keeper tries a write of its own only while something is wrong,
 * after growing pauses, so that the answer changes back by itself; and after ten minutes without a booking, because a disk
 * may have died meanwhile.
 */
#ifndef JARI_WATCH_H
#define JARI_WATCH_H

#include "db.h"

/* ERR_OK: bookings can be saved.  Otherwise why not, in a word for the person who runs the box. */
enum err watch_health(struct hall *h);

/* The keeper's chore: looks at disk and book, and tries to write if something is wrong with them. */
enum err watch_disk(struct db *db, int64_t now_s);
/* A keeper that starts: does the book have everything that jari asks of it? */
void watch_book(struct db *db);

/* The word for a failed write, by its errno. */
enum err watch_reason(const char *dir, int error);

/* What is free on the disk of that folder, in bytes; -1: it does not say. */
int64_t watch_free_bytes(const char *dir);

#endif
