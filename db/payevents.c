/*
 * payevents.c - what providers tell without being asked.
 */
#include "payevents.h"

#include "failpoint.h"

#include <assert.h>

enum {
	EVENTS_AHEAD_S = 2, /* a burst of events about one payment is one look */
	EVENTS_MAX = 40,    /* about one payment: a provider has a few to tell */
};

enum err payevents_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	const struct ticket_event *v = &r->u.event;
	const char *provider = intent_provider_word((enum intent_provider)v->provider);
	struct intents_row i;
	bool named = v->id[0] != '\0';
	int64_t id = 0, told = 0, look_s;
	enum err e = ERR_OK;

	assert(r->kind == TICKET_EVENT && v->provider != INTENT_DESK);
	(void)number; /* said twice it is the same: it was heard before */
	if (named)
		e = stmt_number(t->db, SQL_EVENTS_OF, &told, "tti", provider, v->reference, (int64_t)EVENTS_MAX);
	if (e != ERR_OK || (told >= EVENTS_MAX && !WITHOUT("events-max")))
		return e;
	if (named || WITHOUT("unnamed"))
		e = stmt_run(t->db, SQL_EVENT_ADD, "ttttt", provider, v->id, v->type, v->reference, t->now);
	if (e != ERR_OK || (named && stmt_changes(t->db) == 0 && !WITHOUT("events-once")))
		return e;
	e = stmt_number(t->db, SQL_EVENT_INTENT, &id, "tt", provider, v->reference);
	if (e != ERR_OK || !id)
		return e;
	out->id = id;
	e = intents_get(t->db, id, &i);
	look_s = t->now_s + EVENTS_AHEAD_S + intents_patience(&i);
	/* Whoever has something to do with it finds out by that; only what waits is looked at now, and never later than it was to be. */
	if (e != ERR_OK || i.doubt || (i.todo != INTENT_TO__NOTHING && i.todo != INTENT_TO_LOOK) ||
	    (i.todo == INTENT_TO_LOOK && i.todo_s <= look_s))
		return e;
	return intents_todo(t, id, INTENT_TO_LOOK, look_s);
}

enum err payevents_is_known(struct db *db, enum intent_provider provider, const char *reference, bool *known)
{
	*known = false;
	return stmt_get(db, stmt_use(db, SQL_EVENT_INTENT, "tt", intent_provider_word(provider), reference), ERR_OK, "b",
			known);
}
