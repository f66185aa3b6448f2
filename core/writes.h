/*
 * writes.h - what the last writes left in the hall: can bookings be saved, and how long is the book's log?
 *
 * Nothing is written to the disk in order to know.  Each write leaves its outcome here, and the next one that reaches the
 * disk clears a failure.  What is wrong with the book itself stays until a keeper has looked again.
 */
#ifndef JARI_WRITES_H
#define JARI_WRITES_H

#include "shm.h"

struct writes;

extern const struct shm_part writes_part;

void writes_saved(struct writes *w); /* and wakes who waits for it */
void writes_failed(struct writes *w, enum err why);
enum err writes_fault(struct writes *w);   /* ERR_OK: the last write was saved */
int64_t writes_quiet_ms(struct writes *w); /* how long ago that was */
void writes_set_book_fault(struct writes *w, enum err why);
enum err writes_book_fault(struct writes *w);
/* While writes fail, one process at a time tries, after growing pauses: is it time, and is it the caller's turn? */
bool writes_may_try(struct writes *w);

/* Pages in the book's log after the last commit. */
int writes_log_pages(struct writes *w);
void writes_set_log_pages(struct writes *w, int pages);
/* A guest was erased: until the log is emptied, it has the pages from before. */
void writes_empty_log(struct writes *w);
bool writes_log_to_empty(struct writes *w);
void writes_log_emptied(struct writes *w);

/*
 * Sleeping until something is written: for those who act on what is in the book.  heard is what writes_heard() said before the
 * book was looked at; a write since then ends the wait at once.  At most ms, so a writer that dies between commit and bell, or
 * a shell, which does not know the bell, costs no more than that.
 */
uint32_t writes_heard(struct writes *w);
void writes_await(struct writes *w, uint32_t heard, int64_t ms);

#endif
