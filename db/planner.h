/*
 * planner.h - messages that are due by the clock: reminders, holds about to lapse, the owner's sheet and digest.
 */
#ifndef JARI_PLANNER_H
#define JARI_PLANNER_H

#include "db.h"

/* The keeper's part: writes what is due by now. */
enum err planner_run(struct db *db, int64_t now_s);

#endif
