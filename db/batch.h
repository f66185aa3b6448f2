/*
 * batch.h - the pen at work: the waiting tickets, in order, in one transaction.
 */
#ifndef JARI_BATCH_H
#define JARI_BATCH_H

#include "db.h"
#include "ticket.h"

/*
 * Waits for the outcome of a ticket, at most wait_ms, and takes the pen whenever it finds it free: then it serves
 * every ticket that waits.  keep() (may be NULL) says whether the client still wants the answer.  post is the worker's
 * on the board, or -1.
 *   ERR_OK       the outcome is there
 *   ERR_WAITING  not yet; the ticket stays in the line and will be served
 *   ERR_UNKNOWN  this connection must not be used any more; another process will serve the ticket
 */
enum err batch_wait(struct db *db, uint64_t number, int64_t wait_ms, int post, bool (*keep)(void *), void *arg,
		    struct ticket_outcome *out);

/*
 * Serves one batch if any ticket waits and the pen is free within ms (0: at once, as part of the line).  For the
 * keeper, which comes again as long as tickets wait.
 */
enum err batch_serve(struct db *db, int64_t ms);

/* Makes sure that new tickets are numbered above those in the book. */
enum err batch_prepare(struct db *db);

/*
 * What a ticket of that kind has written, looked up in the book by its number: ERR_NOT_FOUND when it wrote nothing.
 * A booking's outcome says until when the seats are held.
 */
enum err batch_find_written(struct db *db, enum ticket_kind kind, uint64_t number, struct ticket_outcome *out);

#endif
