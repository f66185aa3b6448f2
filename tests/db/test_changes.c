/*
 * test_changes.c - a change keeps its terms: what has begun stays, refunds never rise by moving, more people owe more.
 */
#include "batch.h"
#include "booking.h"
#include "forget.h"

#include "noon.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { WEEK_S = 7 * 86400, STARTS_S = 1935824400 }; /* 2031-05-06T09:00:00Z */

static struct ticket_request wish(int64_t id, const char *date, const char *time, int party, int64_t starts_s)
{
	struct ticket_request r = {.kind = TICKET_CHANGE,
				   .u.change = {.reservation_id = id,
						.want = {.restaurant_id = 1,
							 .party = party,
							 .capacity = SEATS,
							 .seats = ROOM_UNLIMITED,
							 .sitting_minutes = 60,
							 .starts_s = starts_s},
						.terms = {.deposit = 5000 * party, .hold_s = 420},
						.actor = "test"}};

	strcpy(r.u.change.want.date, date);
	strcpy(r.u.change.want.time, time);
	return r;
}

static struct ticket_request sized(int64_t id, int party)
{
	return wish(id, DAY, TIME, party, STARTS_S);
}

static struct ticket_request next_week(int64_t id, int party)
{
	return wish(id, "2031-05-13", TIME, party, STARTS_S + WEEK_S);
}

/* Booked and paid a week before, 100 % back until the day itself. */
static int64_t paid(struct book *b, int64_t user, int party)
{
	int64_t id = noon_done(b, noon_wish(user, party)).id;

	assert_int_equal(noon_done(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_OK);
	return id;
}

static struct reservation got(struct book *b, int64_t id)
{
	struct reservation v;

	assert_int_equal(booking_get(&b->db, id, clock_now_s(), &v), ERR_OK);
	return v;
}

static enum err say(struct book *b, int64_t id, enum ticket_move_kind kind)
{
	return (enum err)noon_done(b, noon_move(id, kind, kind == MOVE_CANCEL ? BY_GUEST : BY_RESTAURANT)).err;
}

static void expect_money(struct book *b, int64_t in, int64_t kept, int64_t due)
{
	assert_int_equal(noon_money(b, "amount"), in);
	assert_int_equal(noon_money(b, "kept_amount"), kept);
	assert_int_equal(noon_money(b, "due_back_amount"), due);
	assert_int_equal(noon_money(b, "amount - kept_amount - refunded_amount - due_back_amount"), 0);
}

static void nothing_that_has_begun_is_changed_by_its_guest(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2);
	struct ticket_request r = next_week(id, 2);

	noon_stand_at("2031-05-06T10:00:00Z"); /* an hour after it began */
	assert_int_equal(noon_done(b, r).err, ERR_BEGUN);
	assert_int_equal(noon_done(b, next_week(id, 1)).err, ERR_BEGUN);
	assert_string_equal(got(b, id).date, DAY);
	assert_int_equal(say(b, id, MOVE_CANCEL), ERR_OK);
	expect_money(b, 10000, 10000, 0); /* who does not come gets nothing back */
}

/* They read what goes back, and pressed when the time for it was over: they are asked again. */
static void who_cancels_gets_what_they_were_told_or_is_asked_again(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2);
	struct ticket_request r = noon_move(id, MOVE_CANCEL, BY_GUEST);

	r.u.move.amount = 5000; /* 50 % */
	noon_stand_at("2031-05-06T08:30:00Z");
	assert_int_equal(noon_done(b, r).err, ERR_AMOUNT_CHANGED);
	assert_int_equal(got(b, id).status, LIFE_CONFIRMED);
	expect_money(b, 10000, 10000, 0);
	r.u.move.amount = 2000; /* 20 % */
	assert_int_equal(noon_done(b, r).err, ERR_OK);
	expect_money(b, 10000, 8000, 2000);
}

static void the_refund_never_rises_by_moving(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), early;

	assert_int_equal(noon_done(b, next_week(id, 2)).err, ERR_OK); /* on the day itself: 50 % */
	assert_string_equal(got(b, id).date, "2031-05-13");
	assert_int_equal(got(b, id).refund_cap, 50);
	assert_int_equal(say(b, id, MOVE_CANCEL), ERR_OK);
	expect_money(b, 10000, 5000, 5000);
	noon_stand_at("2031-05-01T03:00:00Z");
	early = paid(b, 2, 2);
	assert_int_equal(noon_done(b, next_week(early, 2)).err, ERR_OK); /* in time: nothing is lost */
	assert_int_equal(noon_done(b, sized(early, 2)).err, ERR_OK);
	assert_int_equal(got(b, early).refund_cap, 100);
	noon_stand_at("2031-05-06T08:30:00Z"); /* too late for more than 20 % */
	assert_int_equal(noon_done(b, next_week(early, 2)).err, ERR_OK);
	assert_int_equal(say(b, early, MOVE_CANCEL), ERR_OK);
	expect_money(b, 20000, 13000, 7000);
}

static void those_who_are_taken_off_are_given_back_by_the_policy(void **state)
{
	struct book *b = *state;
	int64_t id;

	noon_stand_at("2031-05-01T03:00:00Z");
	id = paid(b, 1, 4);
	assert_int_equal(noon_done(b, sized(id, 3)).err, ERR_OK); /* 100 % */
	expect_money(b, 20000, 15000, 5000);
	assert_int_equal(got(b, id).total, 15000);
	noon_stand_at("2031-05-06T03:00:00Z");
	assert_int_equal(noon_done(b, sized(id, 1)).err, ERR_OK); /* 50 % of 10,000 */
	expect_money(b, 20000, 10000, 10000);
	assert_int_equal(got(b, id).forfeited, 5000);
	assert_int_equal(say(b, id, MOVE_CANCEL), ERR_OK); /* 50 % of 5,000: what is lost is lost */
	expect_money(b, 20000, 7500, 12500);
}

static void what_was_lost_once_is_no_part_of_what_comes_back_later(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 4);

	assert_int_equal(noon_done(b, sized(id, 3)).err, ERR_OK); /* 50 % of 5,000 */
	expect_money(b, 20000, 17500, 2500);
	assert_int_equal(noon_done(b, next_week(id, 3)).err, ERR_OK);
	assert_int_equal(noon_done(b, next_week(id, 4)).err, ERR_OK);
	assert_int_equal(got(b, got(b, id).change_id).total, 5000);
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_OK);
	expect_money(b, 25000, 22500, 2500);
	assert_int_equal(say(b, id, MOVE_CANCEL), ERR_OK); /* 50 % of 20,000 */
	expect_money(b, 25000, 12500, 12500);
}

static void a_larger_party_waits_for_what_it_owes(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 1), hold;
	struct reservation v;

	assert_int_equal(noon_done(b, sized(id, 12)).err, ERR_OK);
	v = got(b, id);
	assert_int_equal(v.party, 1);
	assert_int_equal(v.total, 5000);
	hold = v.change_id;
	assert_true(hold);
	assert_int_equal(got(b, hold).total, 115000); /* twelve pay 10,000 each */
	assert_int_equal(got(b, hold).party, 11);
	assert_int_equal(noon_count(b, "is_active = 1"), 2);
	assert_int_equal(noon_done(b, noon_wish(2, 29)).err, ERR_SLOT_FULL); /* 40 - 12 are left */
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_OK);                  /* by the reservation's own number */
	v = got(b, id);
	assert_int_equal(v.party, 12);
	assert_int_equal(v.total, 120000);
	assert_int_equal(v.change_id, 0);
	assert_int_equal(v.refund_cap, 50);
	assert_int_equal(noon_count(b, "is_active = 1"), 1);
	expect_money(b, 120000, 120000, 0);
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_OK);
	assert_int_equal(say(b, hold, MOVE_CONFIRM), ERR_OK);
	expect_money(b, 120000, 120000, 0); /* said twice: it is so */
	assert_int_equal(noon_done(b, noon_wish(2, 28)).err, ERR_OK);
	assert_int_equal(say(b, id, MOVE_CANCEL), ERR_OK);
	expect_money(b, 120000, 60000, 60000);
}

static void a_change_that_lapses_has_changed_nothing(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 1), hold, version;

	assert_int_equal(noon_done(b, sized(id, 12)).err, ERR_OK);
	hold = got(b, id).change_id;
	version = got(b, id).version;
	noon_stand_at("2031-05-06T03:08:00Z");
	assert_int_equal(noon_done(b, noon_wish(2, 39)).err, ERR_OK); /* the seats are everybody's */
	assert_int_equal(got(b, id).party, 1);
	assert_int_equal(got(b, id).version, version + 1); /* a client that saw it must read again that money is due */
	assert_int_equal(got(b, id).change_id, 0);
	assert_int_equal(got(b, hold).status, LIFE_EXPIRED);
	assert_int_not_equal(say(b, hold, MOVE_CONFIRM), ERR_OK); /* its money comes after all */
	assert_int_not_equal(say(b, hold, MOVE_CONFIRM), ERR_OK);
	expect_money(b, 5000 + 115000, 5000, 115000);
	assert_int_equal(got(b, id).party, 1);
}

static void late_money_that_finds_its_seats_changes_it_after_all(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 1), hold;

	assert_int_equal(noon_done(b, sized(id, 12)).err, ERR_OK);
	hold = got(b, id).change_id;
	noon_stand_at("2031-05-06T03:08:00Z");
	assert_int_equal(noon_done(b, noon_wish(2, 28)).err, ERR_OK);
	assert_int_equal(say(b, hold, MOVE_CONFIRM), ERR_OK);
	assert_int_equal(got(b, id).party, 12);
	expect_money(b, 120000, 120000, 0);
}

static void money_for_what_is_another_reservation_meanwhile_is_due_back(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), hold;

	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
	hold = got(b, id).change_id;
	noon_stand_at("2031-05-06T03:01:00Z");
	assert_int_equal(noon_done(b, next_week(id, 2)).err, ERR_OK); /* costs no more: at once, and ends what was asked */
	assert_int_equal(got(b, id).change_id, 0);
	assert_int_equal(got(b, hold).status, LIFE_EXPIRED);
	assert_int_not_equal(say(b, hold, MOVE_CONFIRM), ERR_OK);
	assert_int_equal(got(b, id).party, 2);
	expect_money(b, 20000, 10000, 10000);
}

static void a_change_is_withdrawn_and_ends_with_its_reservation(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), hold;

	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
	hold = got(b, id).change_id;
	assert_int_equal(say(b, hold, MOVE_CANCEL), ERR_OK);
	assert_int_equal(say(b, hold, MOVE_CANCEL), ERR_OK);
	assert_int_equal(got(b, id).change_id, 0);
	assert_int_equal(got(b, id).status, LIFE_CONFIRMED);
	assert_int_equal(noon_done(b, sized(id, 5)).err, ERR_OK);
	hold = got(b, id).change_id;
	assert_int_equal(noon_done(b, sized(id, 6)).err, ERR_OK); /* one at a time: the newer one */
	assert_int_equal(got(b, hold).status, LIFE_EXPIRED);
	hold = got(b, id).change_id;
	assert_int_equal(say(b, id, MOVE_CANCEL), ERR_OK);
	assert_int_equal(noon_count(b, "is_active = 1"), 0);
	assert_int_not_equal(say(b, hold, MOVE_CONFIRM), ERR_OK);
	expect_money(b, 10000 + 20000, 5000, 5000 + 20000);
}

static void asking_again_makes_no_hold_longer(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), hold;

	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
	hold = got(b, id).change_id;
	noon_stand_at("2031-05-06T03:06:00Z");
	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
	assert_int_equal(got(b, id).change_id, hold);
	noon_stand_at("2031-05-06T03:08:00Z");
	assert_int_equal(noon_done(b, noon_wish(2, 38)).err, ERR_OK);
}

static struct ticket_request act(struct book *b, int64_t id, enum ticket_act_kind kind)
{
	struct ticket_request r = {
		.kind = TICKET_ACT,
		.u.act = {.reservation_id = id, .version = got(b, id).version, .act = (int32_t)kind, .actor = "user:1"}};

	r.u.act.move = noon_move(id, kind == ACT_CANCEL ? MOVE_CANCEL : MOVE_CONFIRM, BY_RESTAURANT).u.move;
	return r;
}

static void the_desk_ends_it_and_takes_its_money(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), hold;

	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
	hold = got(b, id).change_id;
	assert_int_equal(noon_done(b, act(b, hold, ACT_CANCEL)).err, ERR_OK);
	assert_int_equal(got(b, hold).status, LIFE_EXPIRED);
	assert_int_equal(got(b, id).party, 2);
	assert_int_equal(noon_done(b, sized(id, 5)).err, ERR_OK);
	assert_int_equal(noon_done(b, act(b, id, ACT_CONFIRM)).err, ERR_OK);
	assert_int_equal(got(b, id).party, 5);
	expect_money(b, 25000, 25000, 0);
}

/* The desk cancels, closes or moves the reservation while a change waits, and thinks better of it. */
static void undo_brings_back_the_change_that_waited(void **state)
{
	static const enum ticket_act_kind kinds[] = {ACT_CANCEL, ACT_COMPLETE, ACT_NO_SHOW, ACT_CHANGE};
	struct book *b = *state;

	for (size_t i = 0; i < COUNT(kinds); i++) {
		int64_t id, hold;
		struct ticket_request r;

		noon_stand_at("2031-05-06T08:58:00Z");
		id = paid(b, 1 + (int64_t)i, 2);
		assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
		hold = got(b, id).change_id;
		noon_stand_at("2031-05-06T09:01:00Z"); /* no guest is late before it begins */
		r = act(b, id, kinds[i]);
		r.u.act.change = next_week(id, 3).u.change;
		r.u.act.change.by_staff = 1;
		assert_int_equal(noon_done(b, r).err, ERR_OK);
		assert_int_equal(got(b, hold).status, LIFE_EXPIRED);
		assert_int_equal(noon_done(b, act(b, id, ACT_UNDO)).err, ERR_OK);
		assert_int_equal(got(b, id).status, LIFE_CONFIRMED);
		assert_int_equal(got(b, id).change_id, hold);
		assert_int_equal(noon_done(b, act(b, id, ACT_CONFIRM)).err, ERR_OK);
		assert_int_equal(got(b, id).party, 4);
	}
	expect_money(b, 80000, 80000, 0);
}

static void a_change_whose_seats_are_gone_does_not_come_back(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), hold;

	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
	hold = got(b, id).change_id;
	assert_int_equal(noon_done(b, act(b, id, ACT_CANCEL)).err, ERR_OK);
	assert_int_equal(noon_done(b, noon_wish(2, 37)).err, ERR_OK);
	assert_int_equal(noon_done(b, act(b, id, ACT_UNDO)).err, ERR_OK); /* there is room for two of the four */
	assert_int_equal(got(b, id).status, LIFE_CONFIRMED);
	assert_int_equal(got(b, id).change_id, 0);
	assert_int_equal(say(b, hold, MOVE_CONFIRM), ERR_PAID_TOO_LATE);
	expect_money(b, 20000, 10000, 10000);
}

static void a_change_whose_time_is_over_does_not_come_back(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2);

	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
	assert_int_equal(noon_done(b, act(b, id, ACT_CANCEL)).err, ERR_OK);
	noon_stand_at("2031-05-06T03:08:00Z");
	assert_int_equal(noon_done(b, act(b, id, ACT_UNDO)).err, ERR_OK);
	assert_int_equal(got(b, id).change_id, 0);
}

/* The change itself is taken off at the desk; what came for it meanwhile, and was due back, is its money. */
static void undo_of_its_withdrawal_brings_it_back(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), hold;

	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
	hold = got(b, id).change_id;
	assert_int_equal(noon_done(b, act(b, hold, ACT_CANCEL)).err, ERR_OK);
	assert_int_equal(say(b, hold, MOVE_CONFIRM), ERR_PAID_TOO_LATE);
	assert_int_equal(noon_done(b, act(b, hold, ACT_UNDO)).err, ERR_OK);
	assert_int_equal(got(b, id).change_id, hold);
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_OK);
	expect_money(b, 20000, 20000, 0);
	assert_int_equal(noon_done(b, sized(id, 6)).err, ERR_OK);
	hold = got(b, id).change_id;
	assert_int_equal(noon_done(b, act(b, hold, ACT_CANCEL)).err, ERR_OK);
	noon_stand_at("2031-05-06T03:08:00Z");
	assert_int_equal(noon_done(b, act(b, hold, ACT_UNDO)).err, ERR_BAD_MOVE);
	assert_int_equal(got(b, id).party, 4);
}

static void another_time_is_held_whole_and_is_not_booked_twice(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), hold;
	struct ticket_request again = noon_wish(1, 1);

	assert_int_equal(noon_done(b, next_week(id, 3)).err, ERR_OK);
	hold = got(b, id).change_id;
	assert_int_equal(got(b, hold).party, 3);
	strcpy(again.u.book.want.date, "2031-05-13");
	again.u.book.want.starts_s += WEEK_S;
	assert_int_equal(noon_done(b, again).err, ERR_DUPLICATE);
	assert_int_equal(say(b, hold, MOVE_CONFIRM), ERR_OK);
	assert_string_equal(got(b, id).date, "2031-05-13");
	assert_int_equal(got(b, id).party, 3);
	assert_int_equal(noon_done(b, again).err, ERR_DUPLICATE);
	assert_int_equal(noon_done(b, noon_wish(1, 1)).err, ERR_OK); /* the old time is free for them */
}

static void what_does_not_fit_leaves_everything_as_it_was(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), hold;

	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
	hold = got(b, id).change_id;
	assert_int_equal(noon_done(b, noon_wish(2, 36)).err, ERR_OK);
	assert_int_equal(noon_done(b, sized(id, 5)).err, ERR_SLOT_FULL);
	assert_int_equal(got(b, id).change_id, hold); /* what was asked before still waits */
	assert_int_equal(say(b, hold, MOVE_CONFIRM), ERR_OK);
	assert_int_equal(got(b, id).party, 4);
}

static void a_change_that_waits_counts_as_a_hold(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 2), change;
	int64_t id = paid(b, 1, 2);

	r.u.book.terms.holds_max = 1;
	strcpy(r.u.book.want.time, "19:00");
	r.u.book.want.starts_s += 3600;
	change = sized(id, 4);
	change.u.change.terms.holds_max = 1;
	assert_int_equal(noon_done(b, change).err, ERR_OK);
	assert_int_equal(noon_done(b, r).err, ERR_TOO_MANY_HOLDS);
	change.u.change.want.party = 5;
	assert_int_equal(noon_done(b, change).err, ERR_OK); /* in the place of the other */
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_OK);
	assert_int_equal(noon_done(b, r).err, ERR_OK);
	change.u.change.want.party = 6;
	assert_int_equal(noon_done(b, change).err, ERR_TOO_MANY_HOLDS);
}

static void a_proven_party_of_eight_waits(struct book *b)
{
	book_exec(b->db.handle,
		  "INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size, changed_by, proven)"
		  " VALUES (1, '" DAY "', '" TIME "', 3, 8, 'user:3', 1)");
}

/* The house is full, and a guest whose number is proven waits. */
static void a_guest_who_asks_anew_has_the_seats_that_they_held_before(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2);

	assert_int_equal(noon_done(b, sized(id, 5)).err, ERR_OK);
	assert_int_equal(noon_done(b, noon_wish(2, 35)).err, ERR_OK);
	a_proven_party_of_eight_waits(b);
	noon_stand_at("2031-05-06T03:05:00Z"); /* what is given up is kept no longer than it was had */
	assert_int_equal(noon_done(b, sized(id, 3)).err, ERR_OK);
	assert_int_equal(got(b, got(b, id).change_id).party, 1);
	assert_int_equal(book_int(b->db.handle, "SELECT sum(party_size) FROM kept_seats"), 2); /* the rest is for who waits */
	assert_int_equal(noon_done(b, noon_wish(4, 1)).err, ERR_SLOT_FULL);
	book_exec(b->db.handle,
		  "DELETE FROM kept_seats"); /* by the machine's own clock, which the check asks, it lasts for years */
}

static void the_seats_of_a_change_are_kept_when_the_visit_ends(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), hold;

	noon_stand_at("2031-05-06T08:58:00Z");
	assert_int_equal(noon_done(b, sized(id, 5)).err, ERR_OK);
	hold = got(b, id).change_id;
	assert_int_equal(noon_done(b, noon_wish(2, 35)).err, ERR_OK);
	a_proven_party_of_eight_waits(b);
	noon_stand_at("2031-05-06T09:01:00Z");
	assert_int_equal(noon_done(b, act(b, id, ACT_COMPLETE)).err, ERR_OK);
	assert_int_equal(got(b, hold).status, LIFE_EXPIRED);
	assert_int_equal(book_int(b->db.handle, "SELECT sum(party_size) FROM kept_seats"), 5);
	book_exec(b->db.handle, "DELETE FROM kept_seats");
}

static struct ticket_request at_hour(int64_t user, int hour)
{
	struct ticket_request r = noon_wish(user, 2);

	snprintf(r.u.book.want.time, sizeof r.u.book.want.time, "%d:00", hour);
	r.u.book.want.starts_s += (hour - 18) * 3600;
	r.u.book.terms.upcoming_max = 2;
	return r;
}

static void a_change_that_waits_takes_no_reservations_place_in_the_count(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2);

	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
	assert_int_equal(noon_done(b, at_hour(1, 19)).err, ERR_OK);
	assert_int_equal(noon_done(b, at_hour(1, 20)).err, ERR_TOO_MANY_UPCOMING);
}

static int64_t table_of(struct book *b, int64_t id)
{
	return book_int(b->db.handle, "SELECT ifnull(table_id, 0) FROM reservations WHERE reservation_id = %lld",
			(long long)id);
}

static void tables_are_held_with_it(void **state)
{
	struct book *b = *state;
	int64_t id, hold;

	book_exec(b->db.handle, "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max) VALUES"
				" (1, 1, 'A', 1, 4), (2, 1, 'B', 1, 4), (3, 1, 'C', 1, 4);"
				"INSERT INTO table_sets (set_id, restaurant_id, seats_min, seats_max) VALUES (1, 1, 5, 8);"
				"INSERT INTO table_set_members (set_id, table_id) VALUES (1, 1), (1, 2)");
	assert_int_equal(noon_done(b, noon_wish(2, 2)).err, ERR_OK);
	assert_int_equal(noon_count(b, "user_id = 2 AND table_id = 3"), 1); /* the one that is in no set */
	id = paid(b, 1, 2);
	assert_int_equal(table_of(b, id), 1);
	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK); /* they have room where they are */
	assert_int_equal(table_of(b, got(b, id).change_id), 0);
	assert_int_equal(noon_done(b, sized(id, 6)).err, ERR_OK);
	hold = got(b, id).change_id;
	assert_int_equal(table_of(b, hold), 2);
	assert_int_equal(noon_done(b, noon_wish(3, 2)).err, ERR_SLOT_FULL);
	assert_int_equal(say(b, hold, MOVE_CONFIRM), ERR_OK);
	assert_int_equal(
		book_int(b->db.handle, "SELECT count(*) FROM reservation_tables WHERE reservation_id = %lld", (long long)id),
		2);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservation_tables"), 3);
}

static void a_change_is_found_again_by_its_ticket(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), hold;
	struct ticket_outcome o;
	uint64_t asked = noon_draw(b, sized(id, 4)), confirmed;

	assert_int_equal(noon_served(b, asked).err, ERR_OK);
	hold = got(b, id).change_id;
	confirmed = noon_draw(b, noon_move(hold, MOVE_CONFIRM, BY_RESTAURANT));
	assert_int_equal(noon_served(b, confirmed).err, ERR_OK);
	assert_int_equal(batch_find_written(&b->db, TICKET_CHANGE, asked, &o), ERR_OK);
	assert_int_equal(o.id, id);
	assert_int_equal(batch_find_written(&b->db, TICKET_MOVE, confirmed, &o), ERR_OK);
	assert_int_equal(o.id, hold);
	assert_int_equal(noon_done(b, sized(id, 5)).err, ERR_OK);
	confirmed = noon_draw(b, act(b, id, ACT_CONFIRM));
	assert_int_equal(noon_served(b, confirmed).id, id);
	assert_int_equal(batch_find_written(&b->db, TICKET_ACT, confirmed, &o), ERR_OK);
	assert_int_equal(o.id, id);
}

/* ---- money that is said ---- */

static struct ticket_request said(struct book *b, int64_t id, int64_t amount)
{
	struct ticket_request r = act(b, id, ACT_CONFIRM);

	r.u.act.move.amount = amount;
	return r;
}

static enum err command(struct book *b, int64_t id, int64_t amount)
{
	struct ticket_request r = noon_move(id, MOVE_CONFIRM, BY_RESTAURANT);

	r.u.move.amount = amount;
	return (enum err)noon_done(b, r).err;
}

static void money_for_a_change_that_ended_unseen_is_not_lost(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 4);
	struct ticket_request seen;

	assert_int_equal(noon_done(b, sized(id, 6)).err, ERR_OK);
	seen = act(b, id, ACT_CONFIRM);
	assert_int_equal(say(b, got(b, id).change_id, MOVE_CANCEL), ERR_OK);
	assert_int_equal(noon_done(b, seen).err, ERR_STALE);
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_PAID_TOO_LATE); /* by the code: they do not want it any more */
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_PAID_TOO_LATE);
	expect_money(b, 30000, 20000, 10000);
	assert_int_equal(got(b, id).party, 4);
	assert_int_equal(noon_done(b, sized(id, 5)).err, ERR_OK);
	seen = act(b, id, ACT_CONFIRM);
	noon_stand_at("2031-05-06T03:08:00Z");
	assert_int_equal(noon_done(b, seen).err, ERR_STALE); /* it ran out */
	assert_int_equal(command(b, id, 20000), ERR_OK);     /* of the reservation itself: said twice */
	assert_int_equal(got(b, id).party, 4);
	assert_int_equal(command(b, id, 5000), ERR_OK); /* the seats are still free */
	assert_int_equal(got(b, id).party, 5);
	expect_money(b, 35000, 25000, 10000);
}

static void only_the_amount_that_was_seen_is_written_down(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2);
	struct ticket_request seen;

	assert_int_equal(noon_done(b, sized(id, 3)).err, ERR_OK);
	seen = act(b, id, ACT_CONFIRM);
	assert_int_equal(noon_done(b, sized(id, 12)).err, ERR_OK);
	assert_int_equal(noon_done(b, seen).err, ERR_STALE);
	assert_int_equal(noon_done(b, said(b, id, 5000)).err, ERR_AMOUNT_CHANGED);
	assert_int_equal(command(b, id, 5000), ERR_AMOUNT_CHANGED);
	assert_int_equal(command(b, id, 10000), ERR_AMOUNT_CHANGED);
	expect_money(b, 10000, 10000, 0);
	assert_int_equal(noon_done(b, said(b, id, 110000)).err, ERR_OK);
	expect_money(b, 120000, 120000, 0);
}

static void a_second_payment_is_not_that_of_a_change(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), hold;
	struct ticket_request again;

	assert_int_equal(noon_done(b, sized(id, 3)).err, ERR_OK);
	hold = got(b, id).change_id;
	again = act(b, id, ACT_CONFIRM);
	again.u.act.move.again = 1;
	assert_int_equal(noon_done(b, again).err, ERR_OK);
	assert_int_equal(got(b, id).change_id, hold);
	expect_money(b, 20000, 10000, 10000);
}

/* The hold stands, but its tables have gone: what came is due back, until it is said again and they fit. */
static void one_payment_is_counted_once_however_often_it_is_said(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2);

	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
	book_exec(b->db.handle, "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max) VALUES"
				" (1, 1, 'A', 1, 2)");
	edition_touch_all_days(b->db.hall->edition);
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_PAID_TOO_LATE);
	expect_money(b, 20000, 10000, 10000);
	book_exec(b->db.handle, "UPDATE dining_tables SET seats_max = 4");
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_OK);
	assert_int_equal(got(b, id).party, 4);
	expect_money(b, 20000, 20000, 0);
	assert_int_equal(say(b, id, MOVE_CANCEL), ERR_OK);
	expect_money(b, 20000, 10000, 10000);
}

static void late_money_brings_no_terms_back(void **state)
{
	struct book *b = *state;
	int64_t id, other;

	noon_stand_at("2031-05-01T03:00:00Z");
	id = paid(b, 1, 2);
	other = paid(b, 2, 2);
	assert_int_equal(noon_done(b, next_week(id, 3)).err, ERR_OK); /* 100 % */
	assert_int_equal(noon_done(b, next_week(other, 3)).err, ERR_OK);
	noon_stand_at("2031-05-06T03:00:00Z");
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_OK);
	assert_int_equal(got(b, id).refund_cap, 50);
	noon_stand_at("2031-05-06T09:30:00Z"); /* half an hour after it began */
	assert_int_equal(say(b, other, MOVE_CONFIRM), ERR_PAID_TOO_LATE);
	assert_string_equal(got(b, other).date, DAY);
	expect_money(b, 30000, 25000, 5000);
}

static void money_for_a_hold_whose_meal_has_begun_is_due_back(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 2)).id;

	noon_stand_at("2031-05-06T09:00:00Z");
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_PAID_TOO_LATE);
	expect_money(b, 10000, 0, 10000);
}

static void what_was_changed_in_the_same_second_is_another_reservation(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 4), hold;

	assert_int_equal(noon_done(b, sized(id, 6)).err, ERR_OK);
	hold = got(b, id).change_id;
	assert_int_equal(noon_done(b, sized(id, 2)).err, ERR_OK);
	assert_int_equal(say(b, hold, MOVE_CONFIRM), ERR_PAID_TOO_LATE);
	assert_int_equal(got(b, id).party, 2);
}

static void asking_again_holds_no_seats_for_longer_and_not_for_ever(void **state)
{
	static const char *const later[] = {"2031-05-06T03:08:00Z", "2031-05-06T03:16:00Z", "2031-05-06T03:24:00Z"};
	struct book *b = *state;
	int64_t id = paid(b, 1, 1);
	struct ticket_request by_desk = sized(id, 3);
	char end[CLOCK_ISO_SIZE];

	assert_int_equal(noon_done(b, sized(id, 11)).err, ERR_OK);
	memcpy(end, got(b, got(b, id).change_id).hold_expires_at, sizeof end);
	noon_stand_at("2031-05-06T03:05:00Z");
	assert_int_equal(noon_done(b, sized(id, 12)).err, ERR_OK);
	assert_string_equal(got(b, got(b, id).change_id).hold_expires_at, end);
	assert_int_equal(say(b, got(b, id).change_id, MOVE_CANCEL), ERR_OK); /* nor after a withdrawal */
	assert_int_equal(noon_done(b, sized(id, 11)).err, ERR_OK);
	assert_string_equal(got(b, got(b, id).change_id).hold_expires_at, end);
	for (size_t i = 0; i < COUNT(later); i++) {
		noon_stand_at(later[i]);
		assert_int_equal(noon_done(b, sized(id, 12)).err, i < 2 ? ERR_OK : ERR_TOO_MANY_CHANGES);
	}
	assert_int_equal(got(b, id).change_id, 0);
	by_desk.u.change.by_staff = 1;
	assert_int_equal(noon_done(b, by_desk).err, ERR_OK);
	assert_int_equal(got(b, id).party, 3);
}

/* A guest who taps and taps leaves a few rows, not as many as a script can ask for. */
static void changes_that_are_asked_for_and_never_paid_are_few_rows(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 1);

	for (int i = 0; i < 50; i++)
		assert_int_equal(noon_done(b, sized(id, 11 + i % 2)).err, ERR_OK);
	for (int i = 0; i < 10; i++)
		assert_int_equal(noon_done(b, sized(id, 11 + i % 2)).err, i % 2 ? ERR_OK : ERR_TOO_MANY_CHANGES);
	assert_int_equal(got(b, got(b, id).change_id).change_party, 12); /* the last one that was taken waits on */
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE change_of IS NOT NULL"), 50);
}

/* Each change is rows that stay: a script that moves to and fro all day does not fill the disk. */
static void who_changes_without_end_is_asked_to_call(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 2);
	int64_t id;
	int n = 0;

	r.u.book.terms.deposit = 0;
	id = noon_done(b, r).id;
	book_exec(b->db.handle, "UPDATE restaurants SET deposit_per_person = 0, deposit_large_per_person = 0");
	while (n < 200 && noon_done(b, sized(id, 3 + n % 2)).err == ERR_OK)
		n++;
	assert_in_range(n, 140, 150);
	assert_int_equal(noon_done(b, sized(id, 5)).err, ERR_TOO_MANY_CHANGES);
	r = sized(id, 5);
	r.u.change.by_staff = 1;
	assert_int_equal(noon_done(b, r).err, ERR_OK);
	assert_int_equal(say(b, id, MOVE_CANCEL), ERR_OK);
}

static void a_share_is_what_was_paid_whatever_it_costs_today(void **state)
{
	struct book *b = *state;
	struct ticket_request by_desk;
	int64_t id;

	noon_stand_at("2031-05-01T03:00:00Z");
	id = paid(b, 1, 4);
	book_exec(b->db.handle, "UPDATE restaurants SET deposit_per_person = 0, deposit_large_per_person = 0");
	assert_int_equal(noon_done(b, sized(id, 3)).err, ERR_OK);
	expect_money(b, 20000, 15000, 5000);
	by_desk = sized(id, 12);
	by_desk.u.change.by_staff = 1;
	assert_int_equal(noon_done(b, by_desk).err, ERR_OK);
	assert_int_equal(noon_done(b, sized(id, 3)).err, ERR_OK); /* those nine have paid nothing */
	expect_money(b, 20000, 15000, 5000);
	assert_int_equal(got(b, id).party, 3);
}

/* From a dear day to one that costs nothing and back: what they have paid is not asked for again. */
static void who_moves_to_a_cheaper_service_and_back_has_paid(void **state)
{
	struct book *b = *state;
	int64_t id;

	noon_stand_at("2031-05-01T03:00:00Z");
	id = paid(b, 1, 4);
	book_exec(b->db.handle, "INSERT INTO special_days (restaurant_id, day, as_week, deposit_per_person,"
				" deposit_large_per_person) VALUES (1, '2031-05-13', 1, 0, 0)");
	assert_int_equal(noon_done(b, next_week(id, 4)).err, ERR_OK);
	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
	assert_int_equal(got(b, id).change_id, 0);
	expect_money(b, 20000, 20000, 0);
	/* With one guest more they owe for that one. */
	assert_int_equal(noon_done(b, next_week(id, 4)).err, ERR_OK);
	assert_int_equal(noon_done(b, sized(id, 5)).err, ERR_OK);
	assert_int_equal(got(b, got(b, id).change_id).total, 5000);
}

/* From five thousand won a head to a thousand: what the four cost there is paid, and six of them cost six thousand. */
static void who_comes_along_to_a_cheaper_service_costs_what_it_costs_there(void **state)
{
	struct book *b = *state;
	int64_t id;

	noon_stand_at("2031-05-01T03:00:00Z");
	id = paid(b, 1, 1);
	book_exec(b->db.handle, "INSERT INTO special_days (restaurant_id, day, as_week, deposit_per_person,"
				" deposit_large_per_person) VALUES (1, '2031-05-13', 1, 1000, 1000)");
	assert_int_equal(noon_done(b, next_week(id, 4)).err, ERR_OK);
	assert_int_equal(got(b, id).change_id, 0);
	assert_int_equal(got(b, id).party, 4);
	assert_int_equal(noon_done(b, next_week(id, 6)).err, ERR_OK);
	assert_int_equal(got(b, got(b, id).change_id).total, 1000);
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_OK);
	expect_money(b, 6000, 6000, 0);
	assert_int_equal(got(b, id).deposit_party, 6);
	/* Back where it costs more, all of them owe the difference. */
	assert_int_equal(noon_done(b, sized(id, 6)).err, ERR_OK);
	assert_int_equal(got(b, got(b, id).change_id).total, 24000);
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_OK);
	assert_int_equal(got(b, id).deposit_party, 6);
	assert_int_equal(noon_done(b, sized(id, 3)).err, ERR_OK);
	expect_money(b, 30000, 15000, 15000);
}

/* Of six a deposit is asked, of five it is not: who goes down and up again has paid for one, and owes for five. */
static void a_deposit_of_large_parties_is_not_lost_on_the_way_down_and_up(void **state)
{
	static const int down_and_up[] = {1, 2, 5};
	struct book *b = *state;
	int64_t id;

	noon_stand_at("2031-05-01T03:00:00Z");
	book_exec(b->db.handle, "UPDATE restaurants SET deposit_per_person = 5000, deposit_large_per_person = 5000,"
				" deposit_from = 6");
	id = paid(b, 1, 6);
	for (size_t i = 0; i < COUNT(down_and_up); i++)
		assert_int_equal(noon_done(b, sized(id, down_and_up[i])).err, ERR_OK);
	expect_money(b, 30000, 5000, 25000);
	assert_int_equal(noon_done(b, sized(id, 6)).err, ERR_OK);
	assert_int_equal(got(b, got(b, id).change_id).total, 25000);
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_OK);
	assert_int_equal(got(b, id).total, 30000);
	assert_int_equal(got(b, id).deposit_party, 6);
}

/* Prices of today are in won; these were imported with euros. */
static void no_guest_owes_in_another_currency_than_they_paid_in(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), hold = noon_done(b, noon_wish(2, 2)).id;

	book_exec(b->db.handle, "UPDATE reservations SET currency = 'EUR'");
	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_BAD_MOVE);
	assert_int_equal(noon_done(b, next_week(id, 2)).err, ERR_OK); /* costs no more */
	assert_int_equal(noon_done(b, sized(hold, 4)).err, ERR_OK);
	assert_int_equal(got(b, hold).total, 10000);
}

static void a_change_of_nothing_leaves_the_terms(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2), version = got(b, id).version;

	assert_int_equal(noon_done(b, sized(id, 2)).err, ERR_OK); /* on the day itself: 50 % */
	assert_int_equal(got(b, id).refund_cap, 100);
	assert_int_equal(got(b, id).version, version);
}

static void who_sits_at_the_table_neither_moves_nor_cancels_by_link(void **state)
{
	struct book *b = *state;
	int64_t id = paid(b, 1, 2);

	book_exec(b->db.handle, "UPDATE reservations SET visit_status = 'SEATED'");
	assert_int_equal(noon_done(b, next_week(id, 2)).err, ERR_BEGUN);
	assert_int_equal(say(b, id, MOVE_CANCEL), ERR_BEGUN);
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CANCEL, BY_RESTAURANT)).err, ERR_OK);
}

static void seats_from_the_waitlist_are_not_changed_before_they_are_paid(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 2)).id;

	book_exec(b->db.handle, "UPDATE reservations SET source = 'WAITLIST'");
	assert_int_equal(noon_done(b, next_week(id, 12)).err, ERR_BAD_MOVE);
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_OK);
	assert_int_equal(noon_done(b, next_week(id, 2)).err, ERR_OK);
}

/* A stranger books with another's address, where guests must enter a code, and changes it: that is no letter more. */
static void what_waits_for_its_code_is_changed_without_a_message(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 2)).id;

	book_exec(b->db.handle,
		  "INSERT INTO mail_server (one, way, host, port, security, sender, updated_at) VALUES (1, 'SMTP',"
		  " '127.0.0.1', 25, 'NONE', 'a@b.c', '2026-01-01T00:00:00Z');"
		  " UPDATE reservations SET guest_email = 'guest@example.com', unproven = 1");
	assert_int_equal(noon_done(b, sized(id, 3)).err, ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM outbox"), 0);
	book_exec(b->db.handle, "UPDATE reservations SET unproven = NULL");
	assert_int_equal(noon_done(b, sized(id, 4)).err, ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM outbox WHERE event = 'changed'"), 1);
}

static void a_guest_is_forgotten_while_a_change_waits(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 2);
	int64_t id;

	strcpy(r.u.book.key, "a key");
	id = noon_done(b, r).id;
	assert_int_equal(say(b, id, MOVE_CONFIRM), ERR_OK);
	assert_int_equal(noon_done(b, sized(id, 12)).err, ERR_OK);
	assert_true(got(b, id).change_id);
	assert_int_equal(forget_guest(&b->db, got(b, id).user_id, "test", clock_now_s()), ERR_OK);
	assert_int_equal(noon_count(b, "guest_name = '-'"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_that_has_begun_is_changed_by_its_guest),
		TEST(who_cancels_gets_what_they_were_told_or_is_asked_again),
		TEST(the_refund_never_rises_by_moving),
		TEST(those_who_are_taken_off_are_given_back_by_the_policy),
		TEST(what_was_lost_once_is_no_part_of_what_comes_back_later),
		TEST(a_larger_party_waits_for_what_it_owes),
		TEST(a_change_that_lapses_has_changed_nothing),
		TEST(late_money_that_finds_its_seats_changes_it_after_all),
		TEST(money_for_what_is_another_reservation_meanwhile_is_due_back),
		TEST(a_change_is_withdrawn_and_ends_with_its_reservation),
		TEST(asking_again_makes_no_hold_longer),
		TEST(the_desk_ends_it_and_takes_its_money),
		TEST(undo_brings_back_the_change_that_waited),
		TEST(a_change_whose_seats_are_gone_does_not_come_back),
		TEST(a_change_whose_time_is_over_does_not_come_back),
		TEST(undo_of_its_withdrawal_brings_it_back),
		TEST(another_time_is_held_whole_and_is_not_booked_twice),
		TEST(what_does_not_fit_leaves_everything_as_it_was),
		TEST(a_change_that_waits_counts_as_a_hold),
		TEST(a_guest_who_asks_anew_has_the_seats_that_they_held_before),
		TEST(the_seats_of_a_change_are_kept_when_the_visit_ends),
		TEST(a_change_that_waits_takes_no_reservations_place_in_the_count),
		TEST(tables_are_held_with_it),
		TEST(a_change_is_found_again_by_its_ticket),
		TEST(money_for_a_change_that_ended_unseen_is_not_lost),
		TEST(only_the_amount_that_was_seen_is_written_down),
		TEST(a_second_payment_is_not_that_of_a_change),
		TEST(one_payment_is_counted_once_however_often_it_is_said),
		TEST(late_money_brings_no_terms_back),
		TEST(money_for_a_hold_whose_meal_has_begun_is_due_back),
		TEST(what_was_changed_in_the_same_second_is_another_reservation),
		TEST(asking_again_holds_no_seats_for_longer_and_not_for_ever),
		TEST(changes_that_are_asked_for_and_never_paid_are_few_rows),
		TEST(who_changes_without_end_is_asked_to_call),
		TEST(a_share_is_what_was_paid_whatever_it_costs_today),
		TEST(who_moves_to_a_cheaper_service_and_back_has_paid),
		TEST(who_comes_along_to_a_cheaper_service_costs_what_it_costs_there),
		TEST(a_deposit_of_large_parties_is_not_lost_on_the_way_down_and_up),
		TEST(no_guest_owes_in_another_currency_than_they_paid_in),
		TEST(a_change_of_nothing_leaves_the_terms),
		TEST(who_sits_at_the_table_neither_moves_nor_cancels_by_link),
		TEST(seats_from_the_waitlist_are_not_changed_before_they_are_paid),
		TEST(what_waits_for_its_code_is_changed_without_a_message),
		TEST(a_guest_is_forgotten_while_a_change_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
