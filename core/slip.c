/*
 * slip.c - a ticket of a process that never takes the pen.
 */
#include "slip.h"

#include <assert.h>

enum { PATIENCE_MS = 20000 };

bool slip_draw(struct hall *h, const struct ticket_request *r, struct slip *s)
{
	s->number = 0;
	if (hall_refresh(h) != ERR_OK || !line_seeded(h->line) || line_draw(h->line, r, &s->number) != ERR_OK)
		return false;
	s->until_ms = clock_mono_ms() + PATIENCE_MS;
	return true;
}

enum slip_state slip_look(struct hall *h, struct slip *s, int64_t ms, struct ticket_outcome *out)
{
	struct line *l = h->line;
	enum line_state state;
	uint32_t word;

	assert(s->number);
	if (shm_gone(&h->shm))
		return SLIP_LOST;
	word = line_word(l, s->number);
	state = line_look(l, s->number, out);
	if (state != LINE_DONE && state != LINE_FREE && clock_mono_ms() < s->until_ms) {
		line_ring_bell(l);
		line_touch(l, s->number);
		line_sleep(l, s->number, word, ms);
		return SLIP_WAITS;
	}
	line_detach(l, s->number);
	if (state == LINE_DONE)
		line_collected(l, s->number);
	return state == LINE_DONE ? SLIP_WRITTEN : SLIP_LOST;
}
