/*
 * services.h - what follows when the services of a restaurant change: its week, or its special days.
 */
#ifndef JARI_SERVICES_H
#define JARI_SERVICES_H

#include "txn.h"

/* The slots to come that let as many start as the house or their service says. */
struct services_slots {
	struct services_slot {
		int64_t id, capacity;
	} * list;
	size_t count, space;
};

/* Before the change: which slots those are. */
enum err services_learn(struct txn *t, int64_t restaurant_id, struct services_slots *out);
/* After it: they let as many start as it says now.  *more: one of them lets more. */
enum err services_follow(struct txn *t, const struct services_slots *slots, bool *more);
void services_free(struct services_slots *slots);

/*
 * Does the night of a special day, or of the day before one, last into services of the day after?  ERR_HOURS_OVERLAP, and whose
 * night it is.  (What one change names itself, the door has compared.)
 */
enum err services_check(struct txn *t, int64_t restaurant_id, char day[TEXT_DATE_SIZE]);

#endif
