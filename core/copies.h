/*
 * copies.h - old copies of the book in its folder, and which of them go.
 */
#ifndef JARI_COPIES_H
#define JARI_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COPIES_KEPT = 3, COPIES_DAYS = 30, COPIES_DAILY = 7, COPIES_WEEKLY = 4 };

/*
 * Removes what a failed restore has left (swap_clear), an upload that was given up, and old copies: of the books before a
 * restore, their keys, and the books before an upgrade the newest COPIES_KEPT of each stay, and every one younger than
 * COPIES_DAYS.  The caller holds the lock of the folder.
 */
void copies_tidy(const char *dir, int64_t now_s);

/*
 * Which of the copies that were made night by night stay: those of the newest COPIES_DAILY days, and of the weeks before them
 * the first of each, COPIES_WEEKLY of those.  days: since 1970, newest first, none twice.  A day after today is one of a wrong
 * clock: it takes no other's place, and the newest COPIES_KEPT of those stay.
 */
void copies_choose(const int64_t *days, size_t n, int64_t today, bool *stays);

#endif
