/*
 * answer.h - an answer by way of the line.
 *
 * Whatever a request wants written becomes a ticket; its answer is how the ticket ends, given by the request itself if
 * that is soon enough, else by GET /api/tickets/{ticket}.
 */
#ifndef JARI_ANSWER_H
#define JARI_ANSWER_H

#include "call.h"
#include "ticket.h"

/* Draws a ticket, waits for it at most wait_ms, answers. */
enum err answer_draw(struct call *c, const struct ticket_request *ticket, int64_t wait_ms);
/*
 * Waits for a ticket that an earlier request of the same guest drew.  What it made is read from the book: it may have
 * been paid for, cancelled or released since.
 */
enum err answer_again(struct call *c, uint64_t number, int64_t wait_ms);
/* What the log is to say of this ticket. */
void answer_trace(struct call *c, const struct ticket_request *ticket, uint64_t number);
/* 429 WAITING: the ticket, its place in the line, and how long it may take. */
enum err answer_waiting(struct call *c, uint64_t number);
/* The answer that an outcome means, told by the door's function for its kind. */
enum err answer_outcome(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome);

#endif
