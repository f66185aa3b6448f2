/*
 * cli_move.c - `jari confirm` and `jari cancel`: the desk's two words about a reservation.
 */
#include "cli.h"

#include "booking.h"
#include "changes.h"
#include "clock.h"
#include "currency.h"
#include "door.h"
#include "text.h"
#include "batch.h"

#include <stdio.h>
#include <string.h>

enum {
	QUIET_MS = 1000, /* after this a person wonders why nothing happens */
	PATIENCE_MS = 30000,
};

static const struct {
	const char *done, *not_done;
} words[] = {
	[MOVE_CONFIRM] = {"confirmed", "only a hold can be confirmed"},
	[MOVE_CANCEL] = {"canceled", "it cannot be canceled any more"},
};

static void say_why_we_wait(struct hall *hall)
{
	int holder = pen_holder(hall->pen);

	if (holder)
		fprintf(stderr, "waiting: process %d holds the pen (perhaps a `jari shell --write`)\n", holder);
	else
		fprintf(stderr, "waiting: %llu in the line\n", (unsigned long long)line_length(hall->line));
}

/* Goes through the line; after a second it says what it waits for. */
static enum err go_through(struct db *db, const struct ticket_request *r)
{
	struct ticket_outcome outcome;
	uint64_t number;
	enum err e = batch_prepare(db);

	if (e == ERR_OK)
		e = line_draw(db->hall->line, r, &number);
	if (e == ERR_OK)
		e = batch_wait(db, number, QUIET_MS, -1, NULL, NULL, &outcome);
	if (e == ERR_WAITING) {
		say_why_we_wait(db->hall);
		e = batch_wait(db, number, PATIENCE_MS - QUIET_MS, -1, NULL, NULL, &outcome);
	}
	if (e != ERR_OK)
		return e;
	line_collected(db->hall->line, number);
	return (enum err)outcome.err;
}

/* What the money is for: the reservation, or a change of it that waits for money. */
static enum err find_owed(struct db *db, const struct ticket_move *m, struct reservation *v)
{
	int64_t now_s = clock_now_s();
	enum err e = booking_get(db, m->reservation_id, now_s, v);

	return e == ERR_OK && m->kind == MOVE_CONFIRM ? changes_find_waiting(db, m->amount, now_s, v) : e;
}

/* "19.50 EUR" */
static const char *sum_of(const struct reservation *v, char out[40])
{
	char number[CURRENCY_TEXT_SIZE];

	currency_put(v->total, currency_digits(v->currency), number);
	snprintf(out, 40, "%s %s", number, v->currency);
	return out;
}

static int tell_done(const char *code, const struct ticket_move *m, const struct reservation *v)
{
	char sum[40];
	bool before = v->change_done || (v->status != LIFE_TEMPORARY && v->status != LIFE_EXPIRED);

	if (m->kind != MOVE_CONFIRM || !v->total)
		printf("%s %s\n", code, words[m->kind].done);
	else if (before)
		printf("%s %s before; no payment was written down\n", code, words[m->kind].done);
	else
		printf("%s %s: %s for %s%d\n", code, words[m->kind].done, sum_of(v, sum), v->change_of ? "a change to " : "",
		       v->change_of ? v->change_party : v->party);
	return CLI_OK;
}

/* before: what it was about, as it was then. */
static int tell(struct door *d, const char *code, const struct ticket_move *m, const struct reservation *before, enum err e)
{
	struct reservation v;
	char sum[40];

	if (e == ERR_OK)
		return tell_done(code, m, before);
	if (e == ERR_AMOUNT_CHANGED && find_owed(&d->db, m, &v) == ERR_OK)
		return cli_fail(ERR_OK, "%s: %s are due for a party of %d; nothing was written down", code, sum_of(&v, sum),
				v.change_of ? v.change_party : v.party);
	if (e == ERR_WAITING)
		return cli_fail(ERR_OK,
				"%s: not yet; its ticket is in the line and may still be carried out (`jari shell` shows)",
				code);
	if (e == ERR_BAD_MOVE && booking_get(&d->db, m->reservation_id, clock_now_s(), &v) == ERR_OK)
		return cli_fail(ERR_OK, "%s is %s; %s", v.code, life_word(v.status), words[m->kind].not_done);
	if (e == ERR_PAID_TOO_LATE)
		return cli_fail(ERR_OK, "%s: its seats are no longer theirs; the payment is written down as due back: %s", code,
				sum_of(before, sum));
	if (e == ERR_SLOT_FULL)
		return cli_fail(ERR_OK, "%s: the hold has run out, and its seats are taken by now", code);
	return cli_fail(e, "%s", code);
}

/* What came in, in the currency of the reservation; without a word as much as is due. */
static bool take_amount(const char *text, const struct reservation *v, int64_t *amount)
{
	return currency_take(text, currency_digits(v->currency), INT64_MAX / 10000, amount) && *amount > 0;
}

/* Opens DIR, finds the code, sends the move through the line.  Money is noted only if as much is due as we saw. */
static int move(const struct cli_options *o, enum ticket_move_kind kind, const char *paid)
{
	static struct door d;
	struct reservation before = {0};
	struct ticket_request r = {.kind = TICKET_MOVE,
				   .u.move = {.kind = (int32_t)kind, .by = BY_RESTAURANT, .actor = "command"}};
	int status;
	enum err e;

	if (o->count == 2 && kind == MOVE_CANCEL)
		snprintf(r.u.move.reason, sizeof r.u.move.reason, "%.*s", text_fit(o->args[1], 400), o->args[1]);
	if (!cli_enter(&d, o))
		return CLI_FAILED;
	e = booking_by_code(&d.db, o->args[0], &r.u.move.reservation_id);
	if (e == ERR_OK && paid)
		e = booking_get(&d.db, r.u.move.reservation_id, clock_now_s(), &before);
	if (e == ERR_OK && paid && !take_amount(paid, &before, &r.u.move.amount)) {
		door_leave(&d);
		return cli_fail(ERR_OK, "%s is no amount in %s; %s is", paid, before.currency,
				currency_digits(before.currency) ? "a number like 19.50" : "a number like 20000");
	}
	if (e == ERR_OK)
		e = find_owed(&d.db, &r.u.move, &before);
	if (e == ERR_OK && kind == MOVE_CONFIRM && !paid)
		r.u.move.amount = before.total;
	if (e == ERR_OK)
		e = go_through(&d.db, &r);
	status = tell(&d, o->args[0], &r.u.move, &before, e);
	door_leave(&d);
	return status;
}

int cli_confirm(const struct cli_options *o)
{
	return move(o, MOVE_CONFIRM, o->count == 2 ? o->args[1] : NULL);
}

int cli_cancel(const struct cli_options *o)
{
	return move(o, MOVE_CANCEL, NULL);
}
