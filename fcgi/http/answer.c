/*
 * queue.c - an answer by way of the line.
 */
#include "answer.h"

#include "auth.h"
#include "clock.h"
#include "route.h"
#include "batch.h"
#include "slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALTERNATIVES = 3 };

static void put_alternative(struct json *list, const char *date, const struct slot_view *v)
{
	struct json *j = json_new();
	char time[TEXT_TIME_SIZE];

	text_put_time(v->minute, time);
	json_text(j, "slotDate", date);
	json_text(j, "slotTime", time);
	json_int(j, "remaining", v->remaining);
	json_push(list, j);
}

/* The free times of the day nearest to the one that is full. */
static struct json *alternatives(struct door *d, const struct ticket_book *b)
{
	bool used[HOURS_TIMES_MAX] = {false};
	const struct slots_day *day;
	struct json *list = json_list();
	const struct restaurant_day *rest;
	struct date date;
	int minute;

	if (!text_date(b->date, &date) || !text_time(b->time, &minute) ||
	    restaurants_kept(&d->db, b->restaurant_id, date, &rest) != ERR_OK ||
	    slots_of_day_kept(&d->db, &rest->restaurant, date, b->party, clock_now_s(), &day) != ERR_OK)
		return list;
	for (int i = 0; i < ALTERNATIVES; i++) {
		const struct slot_view *best = NULL;

		for (size_t k = 0; k < day->count; k++) {
			const struct slot_view *v = &day->slots[k];

			if (v->available && !used[k] && v->minute != minute &&
			    (!best || abs(v->minute - minute) < abs(best->minute - minute)))
				best = v;
		}
		if (!best)
			break;
		put_alternative(list, b->date, best);
		used[best - day->slots] = true;
	}
	return list;
}

/* A newcomer's booking is his introduction as well. */
static enum err welcome(struct door *d, struct req *r, const struct ticket_outcome *outcome, int64_t user_id,
			struct json *j, struct reply *reply)
{
	struct user u = {.id = user_id, .type = USER_GUEST, .token_version = 1};
	char token[TOKEN_TEXT_SIZE];
	int64_t seconds;
	enum err e = outcome->made_s ? ERR_OK : users_get(&d->db, user_id, &u);

	if (e != ERR_OK)
		return e;
	auth_sign_login(d, &u, clock_now_s(), token, &seconds);
	auth_set_cookie(reply, r->https, token, seconds);
	json_text(j, "accessToken", token);
	return ERR_OK;
}

static enum err booked(struct door *d, struct req *r, const struct ticket_request *ticket,
		       const struct ticket_outcome *outcome, int status, struct reply *reply)
{
	struct reservation v;
	char token[TOKEN_TEXT_SIZE];
	struct json *j;
	enum err e = ERR_OK;

	if (outcome->made_s)
		booking_from_ticket(&ticket->u.book, outcome, &v);
	else
		e = booking_get(&d->db, outcome->id, clock_now_s(), &v);
	if (e != ERR_OK)
		return e;
	j = api_reservation_json(&v);
	if (ticket->kind == TICKET_BOOK || ticket->u.move.by == BY_GUEST) { /* not for the staff who cancelled */
		auth_sign_manage(d, v.id, token);
		json_text(j, "manageToken", token);
	}
	if (ticket->kind == TICKET_BOOK && ticket->u.book.user_id < 0)
		e = welcome(d, r, outcome, v.user_id, j, reply);
	if (e != ERR_OK)
		json_free(j);
	else
		reply_json(reply, status, j);
	return e;
}

static enum err introduced(struct door *d, struct req *r, int64_t id, struct reply *reply)
{
	struct user u;
	enum err e = users_get(&d->db, id, &u);

	if (e == ERR_OK)
		api_welcome(d, r, &u, reply);
	return e;
}

static void explain(struct door *d, const struct ticket_request *ticket, const struct ticket_outcome *outcome,
		    struct reply *reply)
{
	struct reservation v;

	if (ticket->kind != TICKET_BOOK)
		return;
	if (outcome->err == ERR_SLOT_FULL) {
		json_int(reply_extra(reply), "remaining", outcome->remaining);
		json_put(reply_extra(reply), "alternatives", alternatives(d, &ticket->u.book));
	}
	if (outcome->err == ERR_DUPLICATE && outcome->id && booking_get(&d->db, outcome->id, clock_now_s(), &v) == ERR_OK) {
		json_int(reply_extra(reply), "reservationId", v.id);
		json_text(reply_extra(reply), "reservationCode", v.code);
	}
}

enum err answer_outcome(struct door *d, struct req *r, const struct ticket_request *ticket,
		       const struct ticket_outcome *outcome, struct reply *reply)
{
	if (outcome->err != ERR_OK) {
		explain(d, ticket, outcome, reply);
		return (enum err)outcome->err;
	}
	switch ((enum ticket_kind)ticket->kind) {
	case TICKET_BOOK:
		return booked(d, r, ticket, outcome, 201, reply);
	case TICKET_GUEST:
		return introduced(d, r, outcome->id, reply);
	case TICKET_MOVE:
		return booked(d, r, ticket, outcome, 200, reply);
	}
	return ERR_INTERNAL;
}

/* Still in the line: where, and how long it may take. */
static enum err waiting(struct door *d, uint64_t number, struct reply *reply)
{
	struct json *j = reply_extra(reply);
	struct line_view view;
	char ticket[TOKEN_TEXT_SIZE];

	token_sign(d->key, &(struct token){.purpose = TOKEN_TICKET, .id = (int64_t)number}, ticket);
	line_view(d->hall.line, number, &view);
	json_text(j, "ticket", ticket);
	json_int(j, "position", (int64_t)view.position);
	json_int(j, "waitingCount", view.waiting);
	json_int(j, "etaSeconds", view.eta_s);
	reply->retry_after_s = view.eta_s > 4 ? 4 : view.eta_s;
	return ERR_WAITING;
}

static bool wanted(void *arg)
{
	const struct req *r = arg;

	return !r->gone(r);
}

enum err answer_answer(struct door *d, struct req *r, uint64_t number, enum answer_ticket how, int64_t wait_ms,
		      struct reply *reply)
{
	struct ticket_request ticket;
	struct ticket_outcome outcome;
	enum err e;

	db_read_end(&d->db); /* nobody waits with a moment of the book in his hand */
	if (!line_request(d->hall.line, number, &ticket))
		return ERR_NO_SUCH_TICKET;
	e = batch_wait(&d->db, number, wait_ms, d->place, wanted, r, &outcome);
	if (e == ERR_WAITING)
		return waiting(d, number, reply);
	if (e != ERR_OK)
		return e;
	line_collected(d->hall.line, number);
	if (how == ANSWER_FOUND)
		outcome.made_s = 0;
	if (!outcome.made_s)
		e = db_read_begin(&d->db);
	return e == ERR_OK ? answer_outcome(d, r, &ticket, &outcome, reply) : e;
}

enum err answer_write(struct door *d, struct req *r, const struct ticket_request *ticket, struct reply *reply)
{
	uint64_t number;
	enum err e = line_draw(d->hall.line, ticket, &number);

	return e == ERR_OK ? answer_answer(d, r, number, ANSWER_DRAWN, ANSWER_WAIT_MS, reply) : e;
}

/* ---- the tickets themselves ---- */

/* A ticket the line no longer knows may still have made a reservation: the book has its number. */
static enum err from_book(struct door *d, struct req *r, uint64_t number, struct reply *reply)
{
	struct ticket_request ticket = {.kind = TICKET_BOOK};
	struct ticket_outcome outcome;
	enum err e = booking_by_ticket(&d->db, number, &outcome);

	if (e == ERR_NO_SUCH_RESERVATION)
		return ERR_NO_SUCH_TICKET;
	return e == ERR_OK ? answer_outcome(d, r, &ticket, &outcome, reply) : e;
}

static bool read_ticket(const struct door *d, const struct req *r, uint64_t *number)
{
	struct token t;

	if (!token_check(d->key, TOKEN_TICKET, r->path_word, clock_now_s(), &t))
		return false;
	*number = (uint64_t)t.id;
	return true;
}

enum err api_ticket_get(struct door *d, struct req *r, const struct user *user, struct reply *reply)
{
	struct ticket_request ticket;
	struct ticket_outcome outcome;
	uint64_t number;
	enum line_state state;

	(void)user;
	if (!read_ticket(d, r, &number))
		return ERR_NO_SUCH_TICKET;
	if (!line_request(d->hall.line, number, &ticket))
		return from_book(d, r, number, reply);
	state = line_look(d->hall.line, number, &outcome);
	line_touch(d->hall.line, number);
	switch (state) {
	case LINE_QUEUED:
	case LINE_RUNNING:
		return waiting(d, number, reply);
	case LINE_DONE:
		line_collected(d->hall.line, number);
		outcome.made_s = 0;
		return answer_outcome(d, r, &ticket, &outcome, reply);
	case LINE_LEFT:
		return ERR_LEFT_LINE;
	case LINE_FREE:
		break;
	}
	return from_book(d, r, number, reply);
}

enum err api_ticket_leave(struct door *d, struct req *r, const struct user *user, struct reply *reply)
{
	struct json *j;
	uint64_t number;

	if (!read_ticket(d, r, &number))
		return ERR_NO_SUCH_TICKET;
	if (!line_leave(d->hall.line, number))
		return api_ticket_get(d, r, user, reply); /* too late: this is how it ended */
	j = json_new();
	json_flag(j, "left", true);
	reply_json(reply, 200, j);
	return ERR_OK;
}
