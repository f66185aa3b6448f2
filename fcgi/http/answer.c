/*
 * answer.c - an answer by way of the line.
 */
#include "answer.h"

#include "batch.h"
#include "route.h"

#include <assert.h>

enum { RETRY_MAX_S = 4 }; /* the longest pause we ask a waiting client for */

enum err answer_outcome(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	enum err e;

	assert(ticket->kind >= 0 && ticket->kind < TICKET__MAX && c->door->answers);
	if (outcome->made_s) /* just made: the ticket itself has all that the answer says */
		return c->door->answers[ticket->kind](c, ticket, outcome);
	e = db_read_begin(c->db);
	if (e != ERR_OK)
		return e;
	e = c->door->answers[ticket->kind](c, ticket, outcome);
	db_read_end(c->db);
	return e;
}

void answer_trace(struct call *c, const struct ticket_request *ticket, uint64_t number)
{
	const struct ticket_book *b = &ticket->u.book;
	const struct ticket_change *change = &ticket->u.change;

	c->trace.ticket = number;
	if (ticket->kind == TICKET_BOOK || ticket->kind == TICKET_SEAT || ticket->kind == TICKET_WAIT)
		call_trace_slot(c, b->want.restaurant_id, b->want.date, b->want.time, b->want.party);
	if (ticket->kind == TICKET_CHANGE)
		call_trace_slot(c, change->want.restaurant_id, change->want.date, change->want.time, change->want.party);
}

enum err answer_waiting(struct call *c, uint64_t number)
{
	struct json *j = reply_extra(c->reply);
	struct line_view view;
	char ticket[TOKEN_TEXT_SIZE];

	assert(number);
	token_sign(c->door->key, &(struct token){.purpose = TOKEN_TICKET, .id = (int64_t)number}, ticket);
	line_view(c->door->hall.line, number, pen_held_ms(c->door->hall.pen), &view);
	json_text(j, "ticket", ticket);
	json_int(j, "position", (int64_t)view.position);
	json_int(j, "waitingCount", view.waiting);
	json_int(j, "etaSeconds", view.eta_s);
	c->reply->retry_after_s = view.eta_s > RETRY_MAX_S ? RETRY_MAX_S : view.eta_s;
	return ERR_WAITING;
}

static bool wanted(void *arg)
{
	const struct req *r = arg;

	return !r->gone(r);
}

static enum err wait_and_answer(struct call *c, uint64_t number, bool again, int64_t wait_ms)
{
	struct line *l = c->door->hall.line;
	struct ticket_request ticket;
	struct ticket_outcome outcome;
	enum err e;

	assert(c->route->flags & MAY_WAIT && !c->db->reading && number);
	if (!line_request(l, number, &ticket))
		return ERR_NO_SUCH_TICKET;
	answer_trace(c, &ticket, number);
	e = batch_wait(c->db, number, wait_ms, c->door->post, wanted, c->req, &outcome);
	if (e == ERR_WAITING)
		return answer_waiting(c, number);
	if (e != ERR_OK)
		return e;
	line_collected(c->door->hall.line, number);
	if (again)
		outcome.made_s = 0;
	return answer_outcome(c, &ticket, &outcome);
}

enum err answer_again(struct call *c, uint64_t number, int64_t wait_ms)
{
	return wait_and_answer(c, number, true, wait_ms);
}

enum err answer_draw(struct call *c, const struct ticket_request *ticket, int64_t wait_ms)
{
	uint64_t number;
	enum err e = line_draw(c->door->hall.line, ticket, &number);

	return e == ERR_OK ? wait_and_answer(c, number, false, wait_ms) : e;
}
