/*
 * api_tickets.c - the tickets themselves: asking after one, leaving the line.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "batch.h"

door_answer *const api_answers[TICKET__MAX] = {
#define X(kind, area, entity, change) [TICKET_##kind] = api_answer_##area,
	TICKET_LIST(X)
#undef X
};

/*
 * A ticket that the line no longer knows may still have made a reservation: the book has its number.  Only bookings
 * are told: a guest's introduction would log in any holder of the ticket.
 */
static enum err answer_from_book(struct call *c, uint64_t number)
{
	struct ticket_request ticket = {.kind = TICKET_BOOK};
	struct ticket_outcome outcome;
	enum err e = batch_find_written(c->db, TICKET_BOOK, number, &outcome);

	c->trace.ticket = number;
	if (e == ERR_NOT_FOUND)
		return ERR_NO_SUCH_TICKET;
	return e == ERR_OK ? answer_outcome(c, &ticket, &outcome) : e;
}

enum err api_draw(struct call *c, const struct ticket_request *ticket, int64_t restaurant_id)
{
	int64_t wait_ms;
	enum err e = restaurants_wait_ms(c->db, restaurant_id, &wait_ms);

	return e == ERR_OK ? answer_draw(c, ticket, wait_ms) : e;
}

static bool read_ticket(const struct call *c, uint64_t *number)
{
	struct token t;

	if (!token_check(c->door->key, TOKEN_TICKET, c->req->path_word, c->now_s, &t))
		return false;
	*number = (uint64_t)t.id;
	return true;
}

enum err api_ticket_get(struct call *c)
{
	struct line *l = c->door->hall.line;
	struct ticket_request ticket;
	struct ticket_outcome outcome;
	uint64_t number;

	if (!read_ticket(c, &number))
		return ERR_NO_SUCH_TICKET;
	if (!line_request(l, number, &ticket))
		return answer_from_book(c, number);
	answer_trace(c, &ticket, number);
	line_touch(l, number);
	switch (line_look(l, number, &outcome)) {
	case LINE_QUEUED:
	case LINE_RUNNING:
		return answer_waiting(c, number);
	case LINE_DONE:
		line_collected(l, number);
		outcome.made_s = 0; /* it may have been paid for or cancelled since: read it from the book */
		return answer_outcome(c, &ticket, &outcome);
	case LINE_LEFT:
		return ERR_LEFT_LINE;
	case LINE_FREE:
		break;
	}
	return answer_from_book(c, number);
}

enum err api_ticket_leave(struct call *c)
{
	struct line *l = c->door->hall.line;
	struct ticket_request ticket;
	struct json *j;
	uint64_t number;
	bool known;

	if (!read_ticket(c, &number))
		return ERR_NO_SUCH_TICKET;
	c->trace.ticket = number;
	known = line_request(l, number, &ticket);
	if (!line_leave(l, number))
		return api_ticket_get(c);                                     /* too late: this is how it ended */
	if (known && ticket.kind == TICKET_BOOK && ticket.u.book.who.network) /* it wrote nothing, and does not count */
		rate_give_back(c->door->hall.rate, RATE_MADE, ticket.u.book.who.network);
	j = json_new();
	json_flag(j, "left", true);
	return call_answer(c, ERR_OK, j);
}
