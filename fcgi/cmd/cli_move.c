/*
 * cli_move.c - `jari confirm` and `jari cancel`: the desk's two words about a reservation.
 */
#include "cli.h"

#include "booking.h"
#include "clock.h"
#include "door.h"
#include "batch.h"

#include <ctype.h>
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

/* As given, or as people type what they read: r20260120-0007. */
static enum err find_code(struct db *db, const char *given, int64_t *id)
{
	char code[44];
	size_t n = 0;
	enum err e = booking_by_code(db, given, id);

	if (e != ERR_NO_SUCH_RESERVATION)
		return e;
	for (; given[n] && n < sizeof code - 1; n++)
		code[n] = (char)toupper((unsigned char)given[n]);
	code[n] = '\0';
	return booking_by_code(db, code, id);
}

static void say_why_we_wait(struct hall *hall)
{
	int holder = pen_holder(hall->pen);

	if (holder)
		fprintf(stderr, "waiting: process %d holds the pen (perhaps somebody's `jari shell --write`)\n", holder);
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

static int tell(struct door *d, const char *code, const struct ticket_move *m, enum err e)
{
	struct reservation v;

	if (e == ERR_OK) {
		printf("%s %s\n", code, words[m->kind].done);
		return CLI_OK;
	}
	if (e == ERR_WAITING)
		return cli_fail(ERR_OK,
				"%s: not yet; its ticket is in the line and may still be carried out (`jari shell` shows)",
				code);
	if (e == ERR_BAD_MOVE && booking_get(&d->db, m->reservation_id, clock_now_s(), &v) == ERR_OK)
		return cli_fail(ERR_OK, "%s is %s; %s", v.code, life_word(v.status), words[m->kind].not_done);
	if (e == ERR_SLOT_FULL)
		return cli_fail(ERR_OK, "%s: the hold has run out, and its seats are taken by now", code);
	return cli_fail(e, "%s", code);
}

/* Opens DIR, finds the code, sends the move through the line. */
static int move(const struct cli_options *o, enum ticket_move_kind kind)
{
	static struct door d;
	struct ticket_request r = {.kind = TICKET_MOVE,
				   .u.move = {.kind = (int32_t)kind, .by = BY_RESTAURANT, .actor = "command"}};
	int status;
	enum err e;

	if (o->count == 2)
		snprintf(r.u.move.reason, sizeof r.u.move.reason, "%.400s", o->args[1]);
	if (!cli_enter(&d, o))
		return CLI_FAILED;
	e = find_code(&d.db, o->args[0], &r.u.move.reservation_id);
	if (e == ERR_OK)
		e = go_through(&d.db, &r);
	status = tell(&d, o->args[0], &r.u.move, e);
	door_leave(&d);
	return status;
}

int cli_confirm(const struct cli_options *o)
{
	return move(o, MOVE_CONFIRM);
}

int cli_cancel(const struct cli_options *o)
{
	return move(o, MOVE_CANCEL);
}
