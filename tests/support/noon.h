/*
 * noon.h - a book at noon, and tickets that are drawn and served there.
 *
 * Every test stands at noon of Tuesday, 2031-05-06, in Seoul; its slot is at 18:00 of that day, with forty seats.
 */
#ifndef JARI_NOON_H
#define JARI_NOON_H

#include "book.h"
#include "line.h"
#include "ticket.h"

#include <stdatomic.h>

#define DAY "2031-05-06"
#define TIME "18:00"
#define POLICY "day-before=100 same-day=50 until=120m late=20 large=8:10"
enum { GUESTS = 3000, SEATS = 40 };

/* Shared with the children of a test. */
extern struct noon_talk {
	_Atomic int ready, go;
} * talk;

void noon_stand_at(const char *iso);
int noon_setup(void **state);
int noon_setup_closed(void **state); /* the book is not open yet: children open it themselves */
int noon_teardown(void **state);
#define TEST(name) cmocka_unit_test_setup_teardown(name, noon_setup, noon_teardown)
#define TEST_CLOSED(name) cmocka_unit_test_setup_teardown(name, noon_setup_closed, noon_teardown)

struct ticket_request noon_wish(int64_t user, int party);
struct ticket_request noon_move(int64_t id, enum ticket_move_kind kind, enum ticket_by by);
uint64_t noon_draw(struct book *b, struct ticket_request r);
/* Serves batch after batch, as the keeper does, until no ticket waits: on a slow machine one batch ends before its last ticket. */
void noon_serve_all(struct book *b);
/* Serves one batch and gives the outcome of one of its tickets. */
struct ticket_outcome noon_served(struct book *b, uint64_t n);
struct ticket_outcome noon_outcome(struct book *b, uint64_t n);
/* The whole way of one request. */
struct ticket_outcome noon_done(struct book *b, struct ticket_request r);
/* As a command goes: draws a ticket and sees it through. */
enum err noon_through(struct db *db, const struct ticket_request *r, int64_t ms, struct ticket_outcome *out);
/* Reservations; and the sum of a column of the payments. */
int64_t noon_count(struct book *b, const char *where);
int64_t noon_money(struct book *b, const char *what);

#endif
