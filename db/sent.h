/*
 * sent.h - what became of the messages, for the desk.
 */
#ifndef JARI_SENT_H
#define JARI_SENT_H

#include "stmt.h"

/* The last messages, and those of one reservation. */
enum err sent_list(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg);
enum err sent_of(struct db *db, int64_t reservation_id, stmt_each *each, void *arg);
/* Given up in the last days. */
enum err sent_failed(struct db *db, int64_t restaurant_id, int64_t now_s, int64_t *count);
/* Refused more than once and still waiting (100 at most), and what the other side said last. */
enum err sent_stuck(struct db *db, int64_t restaurant_id, int64_t *count, char answer[204]);

#endif
