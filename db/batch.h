/*
 * serve.h - the pen at work: the waiting tickets, in order, in one transaction.
 */
#ifndef JARI_SERVE_H
#define JARI_SERVE_H

#include "db.h"
#include "ticket.h"

/*
 * Waits for the outcome of a ticket, at most wait_ms, and takes the pen whenever it finds it free:
 * then it serves everybody who waits.  keep() (may be NULL) says whether anybody still wants the
 * answer.  place is the worker's on the board, or -1.
 *   ERR_OK       the outcome is there
 *   ERR_WAITING  not yet; the ticket stays in the line and will be served
 *   ERR_UNKNOWN  the connection is spoiled; the ticket will be served by another process
 */
enum err batch_wait(struct db *db, uint64_t number, int64_t wait_ms, int place, bool (*keep)(void *), void *arg,
		    struct ticket_outcome *out);

/*
 * One batch if anybody waits and the pen is free within ms (0: at once, as one of the line).  For the keeper,
 * who comes again as long as anybody waits.
 */
enum err batch_serve(struct db *db, int64_t ms);

/* Makes sure that tickets are numbered above those in the book. */
enum err batch_prepare(struct db *db);

#endif
