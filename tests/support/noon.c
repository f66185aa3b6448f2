/*
 * noon.c - a book at noon, and tickets that are drawn and served there.
 */
#include "noon.h"

#include "batch.h"
#include "clock.h"
#include "kid.h"
#include "room.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct noon_talk *talk;

void noon_stand_at(const char *iso)
{
	char text[24];
	int64_t then;

	unsetenv("JARI_CLOCK_SHIFT");
	assert_true(clock_parse_iso(iso, &then));
	snprintf(text, sizeof text, "%lld", (long long)(then - clock_now_s()));
	setenv("JARI_CLOCK_SHIFT", text, 1);
}

int noon_setup_closed(void **state)
{
	struct book *b;
	sqlite3 *plain;

	noon_stand_at("2031-05-06T03:00:00Z");
	talk = kid_share(sizeof *talk);
	book_setup_closed(state);
	b = *state;
	plain = book_plain(b->path);
	book_exec(plain,
		  "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		  " INSERT INTO users (user_id, user_type, name, phone) SELECT i, 'GUEST', 'guest ' || i, '0101234' || "
		  "i FROM n",
		  GUESTS);
	/* The house was open this morning: a clock years past the newest row would be doubted. */
	book_exec(
		plain,
		"INSERT INTO audit (at, actor, entity, entity_id, change) VALUES ('2031-05-06T02:00:00Z', 'shell', 'house', 1,"
		" 'opened')");
	sqlite3_close(plain);
	return 0;
}

int noon_setup(void **state)
{
	struct book *b;

	noon_setup_closed(state);
	b = *state;
	book_open(b);
	return batch_prepare(&b->db) == ERR_OK ? 0 : -1;
}

int noon_teardown(void **state)
{
	struct book *b = *state;
	int broken = line_check(b->hall.line);

	unsetenv("JARI_CLOCK_SHIFT");
	unsetenv("JARI_MONO_SHIFT_MS");
	unsetenv("JARI_WITHOUT");
	unsetenv("JARI_FAILPOINT");
	kid_unshare(talk, sizeof *talk);
	if (broken)
		fprintf(stderr, "L%d does not hold\n", broken);
	return book_teardown(state) || broken;
}

struct ticket_request noon_wish(int64_t user, int party)
{
	struct ticket_request r = {
		.kind = TICKET_BOOK,
		.u.book = {.want = {.restaurant_id = 1,
				    .party = party,
				    .capacity = SEATS,
				    .seats = ROOM_UNLIMITED,
				    .sitting_minutes = 60,
				    .starts_s = 1935824400}, /* 2031-05-06T09:00:00Z */
			   .who = {.user_id = user, .token_version = 1},
			   .terms = {.hold_s = 420,
				     .lock_ms = 5000,
				     .type = TICKET_DEPOSIT,
				     .deposit = 5000 * party,
				     .currency = "KRW"}},
	};

	strcpy(r.u.book.want.date, DAY);
	strcpy(r.u.book.want.time, TIME);
	strcpy(r.u.book.terms.policy, POLICY);
	return r;
}

struct ticket_request noon_move(int64_t id, enum ticket_move_kind kind, enum ticket_by by)
{
	return (struct ticket_request){
		.kind = TICKET_MOVE,
		.u.move =
			{.reservation_id = id, .kind = (int32_t)kind, .by = (int32_t)by, .actor = "test", .reason = "because"},
	};
}

uint64_t noon_draw(struct book *b, struct ticket_request r)
{
	uint64_t n = 0;

	assert_int_equal(line_draw(b->hall.line, &r, &n), ERR_OK);
	return n;
}

enum err noon_through(struct db *db, const struct ticket_request *r, int64_t ms, struct ticket_outcome *out)
{
	uint64_t number;
	enum err e = batch_prepare(db);

	if (e == ERR_OK)
		e = line_draw(db->hall->line, r, &number);
	if (e == ERR_OK)
		e = batch_wait(db, number, ms, -1, NULL, NULL, out);
	if (e != ERR_OK)
		return e;
	line_collected(db->hall->line, number);
	return (enum err)out->err;
}

struct ticket_outcome noon_outcome(struct book *b, uint64_t n)
{
	struct ticket_outcome got = {.err = -1};

	assert_int_equal(line_look(b->hall.line, n, &got), LINE_DONE);
	line_collected(b->hall.line, n);
	return got;
}

void noon_serve_all(struct book *b)
{
	for (int i = 0; i < 100 && line_length(b->hall.line); i++)
		assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	assert_int_equal(line_length(b->hall.line), 0);
}

struct ticket_outcome noon_served(struct book *b, uint64_t n)
{
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	return noon_outcome(b, n);
}

struct ticket_outcome noon_done(struct book *b, struct ticket_request r)
{
	return noon_served(b, noon_draw(b, r));
}

int64_t noon_count(struct book *b, const char *where)
{
	return book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE %s", where);
}

int64_t noon_money(struct book *b, const char *what)
{
	return book_int(b->db.handle, "SELECT ifnull(sum(%s), 0) FROM payments", what);
}
