/*
 * counters.h - what is counted in the hall, for /metrics and `jari status --all`.
 */
#ifndef JARI_COUNTERS_H
#define JARI_COUNTERS_H

#include "shm.h"

/* clang-format off */
#define COUNTERS_LIST(X) \
	/* name             metric           its label                    what is counted */ \
	X(requests,           "requests",      "",                          "requests answered") \
	X(answers_2xx,        "answers",       "class=\"2xx\"",             "answers by the class of their status") \
	X(answers_3xx,        "answers",       "class=\"3xx\"",             "") \
	X(answers_4xx,        "answers",       "class=\"4xx\"",             "") \
	X(answers_5xx,        "answers",       "class=\"5xx\"",             "") \
	X(answers_waiting,    "told_to_wait",  "why=\"line\"",              "answers that told a guest their place, or a client to slow down") \
	X(answers_limited,    "told_to_wait",  "why=\"limit\"",             "") \
	X(stale_requests,     "stale_requests", "",                         "requests refused because their client had gone or had waited too long") \
	X(days_read,          "days_read",     "",                          "days of a month that were read in the book: no process had kept them") \
	X(user_lock_hits,     "user_lock_hits", "",                         "requests refused at the door because the same one was in flight") \
	X(worker_starts,      "worker_events", "event=\"start\"",           "workers that started, died by themselves, were killed because they hung") \
	X(worker_deaths,      "worker_events", "event=\"death\"",           "") \
	X(worker_hangs,       "worker_events", "event=\"hang\"",            "") \
	X(logins,             "logins",        "result=\"ok\"",             "logins by how they ended") \
	X(login_failures,     "logins",        "result=\"refused\"",        "") \
	X(login_busy,         "logins",        "result=\"busy\"",           "") \
	X(outcomes_ok,        "tickets",       "outcome=\"ok\"",            "tickets by how they ended") \
	X(outcomes_full,      "tickets",       "outcome=\"full\"",          "") \
	X(outcomes_duplicate, "tickets",       "outcome=\"duplicate\"",     "") \
	X(outcomes_other,     "tickets",       "outcome=\"other\"",         "") \
	X(holds_expired,      "holds_expired", "",                          "holds that ran out") \
	X(pen_takes,          "pen_takes",     "",                          "times the pen was taken") \
	X(pen_inherited,      "pen_inherited", "",                          "times the pen was taken over from a dead holder") \
	X(checkpoints,        "checkpoints",   "",                          "checkpoints of the book")
/* clang-format on */

enum counter {
#define X(name, metric, label, help) COUNTER_##name,
	COUNTERS_LIST(X) COUNTER__MAX
#undef X
};

struct counters;

extern const struct shm_part counters_part;

void counters_count(struct counters *c, enum counter which);
void counters_add(struct counters *c, enum counter which, uint64_t n);
uint64_t counters_get(struct counters *c, enum counter which);

/* Several counters may be one metric, told apart by a label; its help stands with the first of them. */
struct counters_row {
	const char *name, *metric, *label, *help;
};
const struct counters_row *counters_row(enum counter which);

#endif
