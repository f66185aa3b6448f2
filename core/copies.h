/*
 * copies.h - old copies of the book in its folder, and which of them go.
 */
#ifndef JARI_COPIES_H
#define JARI_COPIES_H

#include <stdint.h>

enum { COPIES_KEPT = 3, COPIES_DAYS = 30 };

/*
 * Removes what a failed restore has left (swap_clear), an upload that was given up, and old copies: of the books before a
 * restore, their keys, and the books before an upgrade the newest COPIES_KEPT of each stay, and every one younger than
 * COPIES_DAYS.  The caller holds the lock of the folder.
 */
void copies_tidy(const char *dir, int64_t now_s);

#endif
