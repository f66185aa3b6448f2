/*
 * sense.c - does a message still make sense?
 */
#include "sense.h"

#include <string.h>

/* Does it still make sense?  What it tells must be so now. */
static const char *lost_sense(int64_t now_s, const struct dispatch_row *row, const struct reservation *v)
{
	bool coming = v->status == LIFE_CONFIRMED || v->status == LIFE_PREPAY_CONFIRM, held = v->status == LIFE_TEMPORARY;
	int64_t starts = 0;

	clock_parse_iso(v->starts_at, &starts);
	switch (row->event) {
	case OUTBOX_CONFIRMED:
		return coming ? NULL : "no longer so";
	case OUTBOX_HELD:
		return held && !v->offered ? NULL : "no longer held";
	case OUTBOX_LAPSING:
		return !held || v->offered                               ? "no longer held" :
		       strcmp(row->planned_for, v->hold_expires_at) != 0 ? "it is held until another time" :
									   NULL;
	case OUTBOX_OFFER:
		return held && v->offered ? NULL : "the offer is over";
	case OUTBOX_CHANGED:
		return coming || held ? NULL : "no longer so";
	case OUTBOX_CANCELLED:
	case OUTBOX_REFUSED:
		return v->status == LIFE_CANCELED || v->status == LIFE_REFUND_PENDING || v->status == LIFE_REFUNDED ?
			       NULL :
			       "no longer so";
	case OUTBOX_REMIND_DAY:
	case OUTBOX_REMIND_SOON:
		return !coming                                     ? "no longer so" :
		       strcmp(row->planned_for, v->starts_at) != 0 ? "it begins at another time" :
		       starts <= now_s                             ? "it has begun" :
		       strcmp(v->visit_status, "PENDING") != 0     ? "they are here" :
								     NULL;
	case OUTBOX_CHARGED: /* it is so, whatever came since */
	case OUTBOX_HELD_CARD:
	case OUTBOX_LAPSING_CARD:
	case OUTBOX_TABLE_READY:
	case OUTBOX_CODE:
	case OUTBOX_OWNER_NEW:
	case OUTBOX_OWNER_DIGEST:
	case OUTBOX_DAY_SHEET:
	case OUTBOX_TEST:
	case OUTBOX__EVENTS:
		break;
	}
	return NULL;
}

/* What is told only after a confirmation, or after how to pay. */
static bool follows_first(enum outbox_event e)
{
	return e == OUTBOX_LAPSING || e == OUTBOX_CHANGED || e == OUTBOX_REMIND_DAY || e == OUTBOX_REMIND_SOON;
}

enum err sense_of(struct db *db, const struct dispatch_row *row, const struct reservation *v, bool typed, int64_t now_s,
		  const char **why)
{
	char told[OUTBOX_STATE_SIZE] = "", state[OUTBOX_STATE_SIZE];
	bool later = false, first = false;
	enum err e = dispatch_superseded(db, row, &later);

	*why = "a later message says more";
	if (e != ERR_OK || later)
		return e == ERR_OK ? ERR_BAD_MOVE : e;
	/* A stranger's address is not told of a change before the first message has had its turn. */
	*why = "the first message will say it";
	if (typed && follows_first(row->event))
		e = dispatch_first_waits(db, row, &first);
	if (e != ERR_OK || first)
		return e == ERR_OK ? ERR_BAD_MOVE : e;
	*why = lost_sense(now_s, row, v);
	if (*why)
		return ERR_BAD_MOVE;
	if (row->event != OUTBOX_CHANGED && row->event != OUTBOX_CANCELLED)
		return ERR_OK;
	*why = "it is as the guest was last told";
	outbox_state(v, state);
	e = dispatch_told(db, v->id, row->by_mail, told);
	if (e == ERR_OK && row->event == OUTBOX_CANCELLED && !*told && typed) {
		*why = "this address was not told of it"; /* and it may be a stranger's address: there is nothing to take back */
		return ERR_BAD_MOVE;
	}
	return e == ERR_OK && strcmp(told, state) == 0 ? ERR_BAD_MOVE : e;
}
