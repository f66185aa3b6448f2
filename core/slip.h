/*
 * slip.h - a ticket of a process that never takes the pen: drawn, and looked after until it is written.
 *
 * What such a process (courier, cashier) has to report is written by the keeper or a worker.  The ticket outlives the process that
 * drew it.
 */
#ifndef JARI_SLIP_H
#define JARI_SLIP_H

#include "hall.h"

struct slip {
	uint64_t number; /* 0: none */
	int64_t until_ms;
};

/* SLIP_LOST: not written in all this time, or gone with its segment; what it says may be said once more. */
enum slip_state { SLIP_WAITS, SLIP_WRITTEN, SLIP_LOST };

/* False: the line is not ready, or full. */
bool slip_draw(struct hall *h, const struct ticket_request *r, struct slip *s);
/* Calls a writer, and sleeps at most ms while the ticket waits.  SLIP_WRITTEN: *out is how it ended. */
enum slip_state slip_look(struct hall *h, struct slip *s, int64_t ms, struct ticket_outcome *out);

#endif
