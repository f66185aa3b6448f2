/*
 * glance.h - answers that all processes keep for each other: what a day looks like at a glance.
 *
 * A month is thirty days, each of which costs a tenth of a millisecond or more, and everybody asks for the same ones.  The
 * process that has looked up a day leaves its answer here.  It is found under a version, a number made of everything that the
 * answer depends on, and no reader finds it under another.  So nothing here has to be taken back, and losing it costs a look at
 * the book.
 */
#ifndef JARI_GLANCE_H
#define JARI_GLANCE_H

#include "shm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct glance;

extern const struct shm_part glance_part;

/* `what` says where it is kept; whatever has the same place gives way. */
bool glance_find(struct glance *g, uint64_t what, uint64_t version, uint64_t *answer);
void glance_keep(struct glance *g, uint64_t what, uint64_t version, uint64_t answer);

#endif
