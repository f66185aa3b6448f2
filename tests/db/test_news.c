/*
 * test_news.c - what a desk hears of other days, and what guests say on the day.
 */
#include "news.h"

#include "desk.h"
#include "failpoint.h"
#include "noon.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAFF "user:9000"

/* Acts and reservations, the newest first: "BOOKED 2, BOOKED 1". */
struct heard {
	char text[4000];
	struct news n;
};

static void hear(void *arg, const struct stmt_cell *cells, int count)
{
	struct heard *h = arg;
	size_t n = strlen(h->text);
	int64_t id = 0;
	const char *act = "?";

	for (int i = 0; i < count; i++) {
		if (strcmp(cells[i].name, "reservationId") == 0)
			id = cells[i].number;
		if (strcmp(cells[i].name, "act") == 0)
			act = cells[i].text;
	}
	snprintf(h->text + n, sizeof h->text - n, "%s%s %lld", n ? ", " : "", act, (long long)id);
}

static struct heard *news(struct book *b, int64_t since)
{
	static struct heard h;

	h = (struct heard){0};
	assert_int_equal(db_read_begin(&b->db), ERR_OK);
	assert_int_equal(news_since(&b->db, 1, since, clock_now_s(), hear, &h, &h.n), ERR_OK);
	db_read_end(&b->db);
	return &h;
}

static enum err say(struct book *b, int64_t id, enum ticket_move_kind kind, int said, const char *actor, enum ticket_by by)
{
	struct ticket_request r = noon_move(id, kind, by);

	r.u.move.said = said;
	snprintf(r.u.move.actor, sizeof r.u.move.actor, "%s", actor);
	return (enum err)noon_done(b, r).err;
}

static int64_t said_of(struct book *b, const char *what, int64_t id)
{
	return book_int(b->db.handle, "SELECT %s FROM reservations WHERE reservation_id = %lld", what, (long long)id);
}

/* Of a party of two, paid, at 18:00 in Seoul: 09:00 by UTC. */
static int64_t booked(struct book *b, int64_t user)
{
	int64_t id;

	noon_stand_at("2031-05-06T06:00:00Z");
	id = noon_done(b, noon_wish(user, 2)).id;
	assert_true(id > 0);
	assert_int_equal(say(b, id, MOVE_CONFIRM, 0, STAFF, BY_RESTAURANT), ERR_OK);
	return id;
}

static void a_guest_is_late_from_two_hours_before_until_half_an_hour_after(void **state)
{
	static const struct {
		const char *at;
		enum err late, here;
	} times[] = {
		{"2031-05-06T06:59:59Z", ERR_NOT_THE_TIME, ERR_NOT_THE_TIME},
		{"2031-05-06T07:00:00Z", ERR_OK, ERR_NOT_THE_TIME},
		{"2031-05-06T08:29:59Z", ERR_OK, ERR_NOT_THE_TIME},
		{"2031-05-06T08:30:00Z", ERR_OK, ERR_OK},
		{"2031-05-06T09:30:00Z", ERR_OK, ERR_OK},
		{"2031-05-06T09:30:01Z", ERR_NOT_THE_TIME, ERR_OK},
		{"2031-05-07T09:00:00Z", ERR_NOT_THE_TIME, ERR_NOT_THE_TIME},
	};
	struct book *b = *state;

	for (size_t i = 0; i < COUNT(times); i++) {
		int64_t id = booked(b, (int64_t)(20 + i));

		noon_stand_at(times[i].at);
		assert_int_equal(say(b, id, MOVE_LATE, 20, "user:20", BY_GUEST), times[i].late);
		assert_int_equal(said_of(b, "ifnull(late_minutes, 0)", id), times[i].late == ERR_OK ? 20 : 0);
		assert_int_equal(say(b, id, MOVE_HERE, 1, "user:20", BY_GUEST), times[i].here);
		assert_int_equal(said_of(b, "here_at IS NOT NULL", id), times[i].here == ERR_OK);
	}
}

static void it_is_taken_back_said_twice_it_is_once_and_said_often_it_is_enough(void **state)
{
	struct book *b = *state;
	int64_t id = booked(b, 20), version;

	noon_stand_at("2031-05-06T08:45:00Z");
	assert_int_equal(say(b, id, MOVE_LATE, 10, "user:20", BY_GUEST), ERR_OK);
	version = said_of(b, "version", id);
	assert_int_equal(say(b, id, MOVE_LATE, 10, "user:20", BY_GUEST), ERR_OK);
	assert_int_equal(said_of(b, "version", id), version);
	assert_int_equal(say(b, id, MOVE_LATE, 0, "user:20", BY_GUEST), ERR_OK);
	assert_int_equal(said_of(b, "late_minutes IS NULL", id), 1);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(say(b, id, MOVE_HERE, 1, "user:20", BY_GUEST), ERR_OK);
		assert_int_equal(say(b, id, MOVE_HERE, 0, "user:20", BY_GUEST), ERR_OK);
	}
	assert_int_equal(say(b, id, MOVE_LATE, 30, "user:20", BY_GUEST), ERR_SAID_OFTEN);
	assert_int_equal(said_of(b, "late_minutes IS NULL", id), 1);
	/* Staff pass on what they heard on the telephone. */
	assert_int_equal(say(b, id, MOVE_LATE, 30, STAFF, BY_RESTAURANT), ERR_OK);
	assert_int_equal(said_of(b, "late_minutes", id), 30);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM audit WHERE change IN ('late', 'here')"), 7);
	/* The limit is what held it back. */
	setenv("JARI_WITHOUT", "said-often", 1);
	assert_int_equal(say(b, id, MOVE_LATE, 10, "user:20", BY_GUEST), ERR_OK);
	unsetenv("JARI_WITHOUT");
}

static void one_who_is_here_already_or_has_no_table_yet_says_nothing(void **state)
{
	struct book *b = *state;
	int64_t id = booked(b, 20), held;

	held = noon_done(b, noon_wish(21, 2)).id;
	noon_stand_at("2031-05-06T08:45:00Z");
	assert_int_equal(say(b, held, MOVE_LATE, 10, "user:21", BY_GUEST), ERR_BAD_MOVE);
	book_exec(b->db.handle, "UPDATE reservations SET visit_status = 'ARRIVED', arrived_at = '2031-05-06T08:44:00Z'");
	assert_int_equal(say(b, id, MOVE_LATE, 10, "user:20", BY_GUEST), ERR_BAD_MOVE);
	assert_int_equal(say(b, id, MOVE_HERE, 1, "user:20", BY_GUEST), ERR_BAD_MOVE);
}

static void what_guests_do_is_news_once_and_what_staff_do_is_none(void **state)
{
	struct book *b = *state;
	char expected[80];
	int64_t first, id, mark = news(b, -1)->n.mark;

	assert_string_equal(news(b, -1)->text, "");
	id = booked(b, 20); /* confirmed by staff */
	snprintf(expected, sizeof expected, "BOOKED %lld", (long long)id);
	assert_string_equal(news(b, mark)->text, expected);
	assert_string_equal(news(b, -1)->text, "");
	mark = news(b, mark)->n.mark;
	assert_string_equal(news(b, mark)->text, "");
	noon_stand_at("2031-05-06T08:45:00Z");
	assert_int_equal(say(b, id, MOVE_LATE, 10, STAFF, BY_RESTAURANT), ERR_OK);
	assert_string_equal(news(b, mark)->text, "");
	assert_int_equal(say(b, id, MOVE_LATE, 20, "user:20", BY_GUEST), ERR_OK);
	assert_int_equal(say(b, id, MOVE_LATE, 0, "user:20", BY_GUEST), ERR_OK);
	assert_int_equal(say(b, id, MOVE_HERE, 1, "user:20", BY_GUEST), ERR_OK);
	assert_int_equal(say(b, id, MOVE_HERE, 0, "user:20", BY_GUEST), ERR_OK);
	first = id;
	snprintf(expected, sizeof expected, "HERE %lld, IN_TIME %lld, LATE %lld", (long long)id, (long long)id, (long long)id);
	assert_string_equal(news(b, mark)->text, expected);
	mark = news(b, mark)->n.mark;
	assert_int_equal(say(b, id, MOVE_CANCEL, 0, "user:20", BY_GUEST), ERR_OK);
	snprintf(expected, sizeof expected, "CANCELED %lld", (long long)first);
	assert_string_equal(news(b, mark)->text, expected);
	mark = news(b, mark)->n.mark;
	id = booked(b, 21);
	mark = news(b, mark)->n.mark;
	assert_int_equal(say(b, id, MOVE_CANCEL, 0, STAFF, BY_RESTAURANT), ERR_OK);
	assert_string_equal(news(b, mark)->text, "");
}

static void what_waits_for_a_code_is_no_news(void **state)
{
	struct book *b = *state;
	int64_t mark = news(b, -1)->n.mark, id;

	noon_stand_at("2031-05-06T06:00:00Z");
	id = noon_done(b, noon_wish(20, 2)).id;
	book_exec(b->db.handle, "UPDATE reservations SET unproven = 1");
	assert_string_equal(news(b, mark)->text, "");
	assert_int_equal(news(b, mark)->n.holds, 0);
	book_exec(b->db.handle, "UPDATE reservations SET unproven = NULL");
	assert_int_equal(news(b, mark)->n.holds, 1);
	assert_true(id > 0);
}

static void fifty_are_shown_and_the_rest_is_counted(void **state)
{
	struct book *b = *state;
	int64_t mark = news(b, -1)->n.mark, id = booked(b, 20);
	struct heard *h;
	int shown = 1;

	for (int i = 0; i < 59; i++)
		book_exec(b->db.handle,
			  "INSERT INTO audit (at, actor, entity, entity_id, change, to_value) SELECT at, 'user:20',"
			  " 'reservation', entity_id, 'late', '10' FROM audit WHERE change = 'created' LIMIT 1");
	h = news(b, mark);
	for (const char *p = h->text; (p = strchr(p, ',')); p++)
		shown++;
	assert_int_equal(shown, NEWS_SHOWN);
	assert_int_equal(h->n.more, 10);
	assert_true(id > 0);
}

static void count_hold(void *arg, const struct desk_row *r)
{
	int64_t *ids = arg;

	ids[++ids[0]] = r->v.id;
}

static void holds_of_all_days_stand_in_the_order_in_which_they_end(void **state)
{
	struct book *b = *state;
	int64_t ids[8] = {0}, first, second;

	noon_stand_at("2031-05-06T06:00:00Z");
	first = noon_done(b, noon_wish(20, 2)).id;
	noon_stand_at("2031-05-06T06:01:00Z");
	second = noon_done(b, noon_wish(21, 2)).id;
	assert_int_equal(desk_holds(&b->db, 1, 10, clock_now_s(), count_hold, ids), ERR_OK);
	assert_int_equal(ids[0], 2);
	assert_int_equal(ids[1], first);
	assert_int_equal(ids[2], second);
	assert_int_equal(news(b, -1)->n.holds, 2);
	/* One that has run out waits no more, swept or not. */
	noon_stand_at("2031-05-06T06:07:30Z");
	memset(ids, 0, sizeof ids);
	assert_int_equal(desk_holds(&b->db, 1, 10, clock_now_s(), count_hold, ids), ERR_OK);
	assert_int_equal(ids[0], 1);
	assert_int_equal(ids[1], second);
	assert_int_equal(news(b, -1)->n.holds, 1);
	assert_int_equal(desk_holds(&b->db, 2, 10, clock_now_s(), count_hold, ids), ERR_OK);
	assert_int_equal(ids[0], 1);
}

static int setup(void **state)
{
	struct book *b;

	if (noon_setup(state) != 0)
		return -1;
	b = *state;
	book_exec(b->db.handle,
		  "INSERT INTO users (user_id, user_type, name, email, password_hash) VALUES (9000, 'STAFF', 'Kim',"
		  " 'kim@example.com', 'x')");
	return 0;
}

int main(void)
{
#define NEWS(name) cmocka_unit_test_setup_teardown(name, setup, noon_teardown)
	const struct CMUnitTest tests[] = {
		NEWS(a_guest_is_late_from_two_hours_before_until_half_an_hour_after),
		NEWS(it_is_taken_back_said_twice_it_is_once_and_said_often_it_is_enough),
		NEWS(one_who_is_here_already_or_has_no_table_yet_says_nothing),
		NEWS(what_guests_do_is_news_once_and_what_staff_do_is_none),
		NEWS(what_waits_for_a_code_is_no_news),
		NEWS(fifty_are_shown_and_the_rest_is_counted),
		NEWS(holds_of_all_days_stand_in_the_order_in_which_they_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
