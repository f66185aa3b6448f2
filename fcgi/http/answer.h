/*
 * queue.h - an answer by way of the line.
 *
 * Whatever a request wants written becomes a ticket; its answer is how the ticket ends, given by the
 * request itself if that is soon enough, else by GET /api/tickets/{ticket}.
 */
#ifndef JARI_QUEUE_H
#define JARI_QUEUE_H

#include "booking.h"
#include "door.h"
#include "ticket.h"

enum { ANSWER_WAIT_MS = 2000 };

/* Draws a ticket for a request that is not a booking, waits, answers. */
enum err answer_write(struct door *d, struct req *r, const struct ticket_request *ticket, struct reply *reply);
/*
 * Waits for a ticket and answers: the outcome, or 429 WAITING with the place in the line.  What a ticket that was
 * found made is read from the book: it may have been paid, cancelled or over since.
 */
enum answer_ticket { ANSWER_DRAWN, ANSWER_FOUND };
enum err answer_answer(struct door *d, struct req *r, uint64_t number, enum answer_ticket how, int64_t wait_ms,
		      struct reply *reply);
/* The answer that an outcome means. */
enum err answer_outcome(struct door *d, struct req *r, const struct ticket_request *ticket,
		       const struct ticket_outcome *outcome, struct reply *reply);

/* Name, phone and e-mail of somebody who introduces himself, into a struct ticket_guest. */
void api_take_guest(struct in *in, void *guest);
/* What a guest's introduction or a login answers. */
void api_welcome(struct door *d, const struct req *r, const struct user *u, struct reply *reply);
struct json *api_reservation_json(const struct reservation *v);
/*
 * By manage token, by the guest's own login, or by staff.  Everybody else gets the answer that a
 * reservation that does not exist gets.
 */
enum err api_may_see(struct door *d, const struct req *r, const struct reservation *v);

#endif
