/*
 * cli_move.c - `jari confirm` and `jari cancel`: the desk's two words about a reservation.
 */
#include "cli.h"

#include "booking.h"
#include "door.h"
#include "serve.h"

#include <stdio.h>
#include <string.h>

enum { PATIENCE_MS = 30000 };

/* Opens the door of DIR, finds the code, sends the move through the line like everybody's. */
static int move(const struct cli_options *o, enum ticket_move_kind kind, const char *done)
{
	static struct door d;
	struct ticket_request r = {.kind = TICKET_MOVE, .u.move = {.kind = (int32_t)kind, .by = BY_RESTAURANT, .actor = "command"}};
	struct ticket_outcome outcome;
	enum err e;

	if (o->count < 1 || o->count > 2)
		return CLI_USAGE;
	if (o->count == 2)
		snprintf(r.u.move.reason, sizeof r.u.move.reason, "%.400s", o->args[1]);
	if (!cli_enter(&d, o))
		return CLI_FAILED;
	e = booking_by_code(&d.db, o->args[0], &r.u.move.reservation_id);
	if (e == ERR_OK)
		e = serve_through(&d.db, &r, PATIENCE_MS, &outcome);
	door_close(&d);
	if (e != ERR_OK)
		return cli_fail(e, "%s", o->args[0]);
	printf("%s %s\n", o->args[0], done);
	return CLI_OK;
}

int cli_confirm(const struct cli_options *o)
{
	return o->count > 1 ? CLI_USAGE : move(o, MOVE_CONFIRM, "confirmed");
}

int cli_cancel(const struct cli_options *o)
{
	return move(o, MOVE_CANCEL, "canceled");
}
