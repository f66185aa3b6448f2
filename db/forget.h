/*
 * forget.h - forgetting guests.
 *
 * Everything in the book that says who a guest is goes for good; rows, counts and money stay.  What is erased stays out of the
 * log too: once it is committed, the keeper empties the log at its next look.  Copies of the book that were made before know
 * nothing of it.
 */
#ifndef JARI_FORGET_H
#define JARI_FORGET_H

#include "db.h"

/*
 * ERR_NOT_FOUND when there is no such guest, or they are forgotten already; ERR_REFUND_FIRST while money is due back to them.
 * Takes the pen.
 */
enum err forget_guest(struct db *db, int64_t user_id, const char *actor, int64_t now_s);
/*
 * The same for guests who came, waited or proved a number last longer ago than the restaurants want to remember
 * (retention_months), and to whom no money is due back; some at a time, and none while guests are in the line.  *more: come again soon.
 */
enum err forget_old(struct db *db, int64_t now_s, bool *more);

#endif
