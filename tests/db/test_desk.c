/*
 * test_desk.c - what the desk says about a reservation: its money, and that the way back leaves no trace.
 */
#include "batch.h"
#include "reports.h"

#include "noon.h"
#include "tags.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t version_of(struct book *b, int64_t id)
{
	return book_int(b->db.handle, "SELECT version FROM reservations WHERE reservation_id = %lld", (long long)id);
}

/* An act on the reservation as it is now. */
static struct ticket_request act_on(struct book *b, int64_t id, enum ticket_act_kind kind)
{
	struct ticket_request r = {.kind = TICKET_ACT};
	struct ticket_act *a = &r.u.act;

	a->reservation_id = a->move.reservation_id = id;
	a->version = version_of(b, id);
	a->act = (int32_t)kind;
	a->move.kind = kind == ACT_CANCEL ? MOVE_CANCEL : MOVE_CONFIRM;
	a->move.by = BY_RESTAURANT;
	strcpy(a->actor, "user:7");
	strcpy(a->move.actor, "user:7");
	strcpy(a->note, "by the window");
	return r;
}

static enum err act(struct book *b, int64_t id, enum ticket_act_kind kind)
{
	return (enum err)noon_done(b, act_on(b, id, kind)).err;
}

/* More money than is written down. */
static enum err pay_again(struct book *b, int64_t id)
{
	struct ticket_request r = act_on(b, id, ACT_CONFIRM);

	r.u.act.move.again = 1;
	return (enum err)noon_done(b, r).err;
}

static enum err cancel_by_terms(struct book *b, int64_t id)
{
	struct ticket_request r = act_on(b, id, ACT_CANCEL);

	r.u.act.move.by_terms = 1;
	return (enum err)noon_done(b, r).err;
}

static int64_t payments(struct book *b, const char *where)
{
	return book_int(b->db.handle, "SELECT count(*) FROM payments WHERE %s", where);
}

static void give_back(struct book *b, int64_t payment)
{
	assert_int_equal(reports_given_back(&b->db, 1, payment, 0, "user:7", 1935802800), ERR_OK);
}

/* A hold of thirty that ran out, and thirty others who sit there now; the second of them. */
static int64_t lapse(struct book *b, int64_t *other)
{
	int64_t id = noon_done(b, noon_wish(1, 30)).id;

	noon_stand_at("2031-05-06T03:10:00Z");
	*other = noon_done(b, noon_wish(2, 30)).id;
	return id;
}

static void late_money_at_the_desk_is_due_back_as_by_command(void **state)
{
	struct book *b = *state;
	int64_t other, id = lapse(b, &other);

	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_PAID_TOO_LATE);
	assert_int_equal(payments(b, "status = 'REFUND_DUE' AND due_back_amount = 150000 AND changed_by = 'user:7'"), 1);
	assert_int_equal(noon_count(b, "status = 'EXPIRED'"), 1);
	/* Said twice, by whichever way, it is owed once. */
	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_PAID_TOO_LATE);
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT)).err, ERR_PAID_TOO_LATE);
	assert_int_equal(noon_money(b, "amount"), 150000);
}

/* Its writer died after the commit: who asks again hears what they would have heard. */
static void late_money_is_refused_after_a_crash_too(void **state)
{
	struct book *b = *state;
	int64_t other, id = lapse(b, &other);
	struct ticket_outcome o;
	uint64_t late = noon_draw(b, act_on(b, id, ACT_CONFIRM)), paid;

	assert_int_equal(noon_served(b, late).err, ERR_PAID_TOO_LATE);
	assert_int_equal(batch_find_written(&b->db, TICKET_ACT, late, &o), ERR_OK);
	assert_int_equal(o.err, ERR_PAID_TOO_LATE);
	assert_int_equal(o.id, id);
	paid = noon_draw(b, act_on(b, other, ACT_CONFIRM));
	assert_int_equal(noon_served(b, paid).err, ERR_OK);
	assert_int_equal(batch_find_written(&b->db, TICKET_ACT, paid, &o), ERR_OK);
	assert_int_equal(o.err, ERR_OK);
}

static void money_for_a_hold_that_was_cancelled_meanwhile_is_due_back(void **state)
{
	struct book *b = *state;

	for (int by_command = 0; by_command < 2; by_command++) {
		int64_t id = noon_done(b, noon_wish(1 + by_command, 2)).id;
		enum err e;

		assert_int_equal(noon_done(b, noon_move(id, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
		for (int twice = 0; twice < 2; twice++) {
			e = by_command ? (enum err)noon_done(b, noon_move(id, MOVE_CONFIRM, BY_RESTAURANT)).err :
					 act(b, id, ACT_CONFIRM);
			assert_int_equal(e, ERR_PAID_TOO_LATE);
			assert_int_equal(noon_money(b, "due_back_amount"), 10000 * (by_command + 1));
		}
	}
	assert_int_equal(noon_count(b, "status = 'CANCELED'"), 2);
	assert_int_equal(book_int(b->db.handle, "SELECT sum(due_back) FROM v_money"), 20000);
}

/* What was paid and given back by its terms is not taken for late money by a finger that slips. */
static void a_cancelled_reservation_that_was_paid_is_not_paid_by_saying_so(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 2)).id;

	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_OK);
	assert_int_equal(act(b, id, ACT_CANCEL), ERR_OK);
	give_back(b, 1);
	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_BAD_MOVE);
	assert_int_equal(noon_money(b, "amount"), 10000);
	assert_int_equal(pay_again(b, id), ERR_PAID_TOO_LATE); /* unless they say that it is more */
	assert_int_equal(noon_money(b, "amount"), 20000);
	assert_int_equal(noon_money(b, "due_back_amount"), 10000);
}

static void the_same_money_said_again_is_the_same_payment(void **state)
{
	struct book *b = *state;
	int64_t other, id = lapse(b, &other);

	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_PAID_TOO_LATE);
	assert_int_equal(act(b, other, ACT_CANCEL), ERR_OK);
	/* The seats are free again, and the money is here. */
	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_OK);
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 1);
	assert_int_equal(payments(b, "status = 'PAID' AND kept_amount = 150000"), 1);
	assert_int_equal(payments(b, "1"), 1);
}

static void money_that_went_back_is_not_the_money_that_comes(void **state)
{
	struct book *b = *state;
	int64_t other, id = lapse(b, &other);

	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_PAID_TOO_LATE);
	give_back(b, 1);
	assert_int_equal(act(b, other, ACT_CANCEL), ERR_OK);
	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_OK);
	assert_int_equal(payments(b, "status = 'REFUNDED' AND refunded_amount = 150000"), 1);
	assert_int_equal(payments(b, "status = 'PAID' AND kept_amount = 150000"), 1);
}

static void staff_can_say_that_it_is_a_second_payment(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 2)).id;
	struct ticket_request r;

	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_OK);
	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_OK);
	assert_int_equal(noon_money(b, "amount"), 10000);
	r = act_on(b, id, ACT_CONFIRM);
	r.u.act.move.again = 1;
	assert_int_equal(noon_done(b, r).err, ERR_OK);
	assert_int_equal(noon_done(b, r).err, ERR_STALE); /* an answer that was lost makes no third one */
	assert_int_equal(noon_money(b, "kept_amount"), 10000);
	assert_int_equal(noon_money(b, "due_back_amount"), 10000);
	assert_int_equal(payments(b, "1"), 2);
}

static void undoing_a_cancellation_leaves_other_money_as_it_was(void **state)
{
	struct book *b = *state;
	int64_t other, id = lapse(b, &other);

	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_PAID_TOO_LATE);
	assert_int_equal(act(b, other, ACT_CANCEL), ERR_OK);
	assert_int_equal(pay_again(b, id), ERR_OK); /* a payment of its own; the late one is still due back */
	assert_int_equal(act(b, id, ACT_CANCEL), ERR_OK);
	assert_int_equal(noon_money(b, "due_back_amount"), 300000);
	assert_int_equal(act(b, id, ACT_UNDO), ERR_OK);
	assert_int_equal(noon_money(b, "due_back_amount"), 150000);
	assert_int_equal(noon_money(b, "kept_amount"), 150000);
	assert_int_equal(payments(b, "payment_id = 1 AND status = 'REFUND_DUE'"), 1);
}

static void other_money_that_went_back_meanwhile_is_no_reason_not_to_undo(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 2)).id;

	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_OK);
	assert_int_equal(pay_again(b, id), ERR_OK); /* payment 2 is due back */
	assert_int_equal(act(b, id, ACT_CANCEL), ERR_OK);
	give_back(b, 2);
	assert_int_equal(act(b, id, ACT_UNDO), ERR_OK);
	assert_int_equal(payments(b, "payment_id = 1 AND status = 'PAID' AND kept_amount = 10000"), 1);
	assert_int_equal(payments(b, "payment_id = 2 AND status = 'REFUNDED' AND refunded_amount = 10000"), 1);
	assert_int_equal(act(b, id, ACT_CANCEL), ERR_OK);
	give_back(b, 1); /* but what the act itself made due is with the guest now */
	assert_int_equal(act(b, id, ACT_UNDO), ERR_BAD_MOVE);
}

static void a_cancellation_counts_every_payment(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 2)).id;

	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_OK);
	book_exec(b->db.handle,
		  "INSERT INTO payments (reservation_id, provider, amount, status, kept_amount, paid_at, restaurant_id)"
		  " VALUES (1, 'desk', 5000, 'PAID', 5000, '2031-05-06T03:00:00Z', 1)");
	assert_int_equal(act(b, id, ACT_CANCEL), ERR_OK);
	assert_int_equal(noon_money(b, "due_back_amount"), 15000);
	assert_int_equal(act(b, id, ACT_UNDO), ERR_OK);
	assert_int_equal(cancel_by_terms(b, id), ERR_OK); /* the day itself: a half, 2,500 of it of the smaller one's 5,000 */
	assert_int_equal(noon_money(b, "due_back_amount"), 7500);
	assert_int_equal(noon_money(b, "kept_amount"), 7500);
	assert_int_equal(book_int(b->db.handle, "SELECT refund_amount FROM reservation_cancellations WHERE undone_at IS NULL"),
			 7500);
}

static void staff_who_give_back_by_the_terms_have_cancelled_all_the_same(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 2);
	int64_t id;

	book_exec(b->db.handle, "INSERT INTO mail_server (one, way, sender, updated_at) VALUES (1, 'SENDMAIL', 'a@b.kr', "
				"'2031-05-06T03:00:00Z')");
	id = noon_done(b, r).id;
	book_exec(b->db.handle, "UPDATE reservations SET guest_email = 'min@example.com' WHERE reservation_id = %lld",
		  (long long)id);
	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_OK);
	assert_int_equal(cancel_by_terms(b, id), ERR_OK);
	assert_int_equal(noon_money(b, "due_back_amount"), 5000);
	assert_int_equal(
		book_int(b->db.handle, "SELECT count(*) FROM reservation_cancellations WHERE canceled_by = 'RESTAURANT'"), 1);
	assert_int_equal(book_int(b->db.handle,
				  "SELECT count(*) FROM outbox WHERE event = 'cancelled-by-house' AND status = 'QUEUED'"
				  " AND next_attempt_at > '2031-05-06T03:00:10Z'"),
			 1);
	assert_int_equal(act(b, id, ACT_UNDO), ERR_OK);
	assert_int_equal(
		book_int(b->db.handle, "SELECT count(*) FROM outbox WHERE event LIKE 'cancelled%%' AND status = 'QUEUED'"), 0);
	assert_int_equal(noon_money(b, "kept_amount"), 10000);
}

static void tags_that_staff_change_can_be_taken_back(void **state)
{
	struct book *b = *state;
	struct ticket_request r = noon_wish(1, 2);
	int64_t id;

	r.u.book.tags = UINT32_C(1) << TAGS_nuts | UINT32_C(1) << TAGS_birthday;
	id = noon_done(b, r).id;
	assert_int_equal(noon_count(b, "tags = 'nuts,birthday'"), 1);
	assert_int_equal(act(b, id, ACT_NOTE), ERR_OK); /* a note says nothing of tags */
	assert_int_equal(noon_count(b, "tags = 'nuts,birthday' AND note IS NOT NULL"), 1);
	r = act_on(b, id, ACT_NOTE);
	r.u.act.has_tags = 1;
	r.u.act.tags = UINT32_C(1) << TAGS_egg;
	assert_int_equal(noon_done(b, r).err, ERR_OK);
	assert_int_equal(noon_count(b, "tags = 'egg'"), 1);
	r = act_on(b, id, ACT_NOTE);
	r.u.act.has_tags = 1;
	assert_int_equal(noon_done(b, r).err, ERR_OK);
	assert_int_equal(noon_count(b, "tags IS NULL"), 1);
	assert_int_equal(act(b, id, ACT_UNDO), ERR_OK);
	assert_int_equal(noon_count(b, "tags = 'egg'"), 1);
}

static void what_was_so_already_is_not_undone(void **state)
{
	struct book *b = *state;
	int64_t id = noon_done(b, noon_wish(1, 2)).id;

	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_OK);
	assert_int_equal(act(b, id, ACT_NOTE), ERR_OK);
	assert_int_equal(act(b, id, ACT_CONFIRM), ERR_OK); /* said twice: the note is still the last that was done */
	assert_int_equal(act(b, id, ACT_UNDO), ERR_OK);
	assert_int_equal(noon_count(b, "note IS NULL"), 1);
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CANCEL, BY_GUEST)).err, ERR_OK);
	assert_int_equal(act(b, id, ACT_CANCEL), ERR_OK);
	assert_int_equal(act(b, id, ACT_UNDO), ERR_BAD_MOVE); /* the guest has cancelled, not the desk */
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservation_cancellations WHERE undone_at IS NULL"), 1);
}

/* Half past six, another table if there are any, and one more or less. */
static void to_another_time(struct book *b, struct ticket_change *c, int64_t id, int party)
{
	*c = (struct ticket_change){.reservation_id = id,
				    .want = {.restaurant_id = 1,
					     .date = DAY,
					     .time = "18:30",
					     .party = party,
					     .capacity = 40,
					     .seats = 1000000,
					     .sitting_minutes = 90,
					     .starts_s = 1935824400 + 1800},
				    .terms.deposit = 5000 * party};
	c->by_staff = 1;
	strcpy(c->actor, "user:7");
	if (book_int(b->db.handle, "SELECT count(*) FROM dining_tables"))
		c->want.tables[0] = 3;
}

static void a_hold_with_nothing_due_any_more_is_theirs(void **state)
{
	struct book *b = *state;

	for (int by_guest = 0; by_guest < 2; by_guest++) {
		int64_t id = noon_done(b, noon_wish(1 + by_guest, 2)).id;
		struct ticket_request r = act_on(b, id, ACT_CHANGE), q = {.kind = TICKET_CHANGE};

		to_another_time(b, &r.u.act.change, id, 1);
		r.u.act.change.terms.deposit = 0;
		q.u.change = r.u.act.change;
		q.u.change.by_staff = 0;
		assert_int_equal(noon_done(b, by_guest ? q : r).err, ERR_OK);
		assert_int_equal(noon_count(b, "status = 'CONFIRMED' AND total_amount = 0"), by_guest + 1);
	}
	noon_stand_at("2031-05-06T05:00:00Z"); /* long past the end of the holds that they were */
	noon_done(b, noon_wish(3, 2));
	assert_int_equal(noon_count(b, "status = 'CONFIRMED'"), 2);
}

/* ---- sent again ---- */

/* A party at the door, or on the telephone. */
static struct ticket_request seat(int walk_in, int party, const char *key)
{
	struct ticket_request r = noon_wish(0, party);

	r.kind = TICKET_SEAT;
	r.u.book.who.staff_id = 7;
	r.u.book.walk_in = walk_in;
	r.u.book.terms.deposit = 0;
	strcpy(r.u.book.who.guest.name, "Lee");
	strcpy(r.u.book.key, key);
	return r;
}

/* A party that is here sits, however many may start then; but only then: it makes no seats at a time that can be booked. */
static void a_walk_in_raises_what_a_time_takes_only_once_it_has_begun(void **state)
{
	struct book *b = *state;

	assert_int_equal(noon_done(b, noon_wish(1, SEATS)).err, ERR_OK);
	assert_int_equal(noon_done(b, seat(1, 2, "early")).err, ERR_SLOT_FULL);
	assert_int_equal(book_int(b->db.handle, "SELECT max_capacity FROM restaurant_reservation_slots"), SEATS);
	noon_stand_at("2031-05-06T09:00:30Z");
	book_exec(b->db.handle,
		  "UPDATE reservations SET status = 'CONFIRMED', hold_expires_at = NULL WHERE status = 'TEMPORARY'");
	assert_int_equal(noon_done(b, seat(1, 2, "here")).err, ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT max_capacity FROM restaurant_reservation_slots"), SEATS + 2);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM audit WHERE entity = 'slot' AND actor = 'user:7'"), 1);
	assert_int_equal(noon_done(b, noon_wish(2, 1)).err, ERR_SLOT_FULL);
}

static void what_the_desk_sends_again_is_seated_once(void **state)
{
	struct book *b = *state;

	for (int walk_in = 0; walk_in < 2; walk_in++) {
		const char *key = walk_in ? "door" : "phone", *other = walk_in ? "door-2" : "phone-2";
		struct ticket_outcome first = noon_done(b, seat(walk_in, 2, key)), again;
		struct ticket_request later = seat(walk_in, 2, key);

		assert_int_equal(first.err, ERR_OK);
		if (walk_in) { /* a minute later, the time that it is */
			strcpy(later.u.book.want.time, "18:01");
			later.u.book.want.starts_s += 60;
		}
		again = noon_done(b, later);
		assert_int_equal(again.err, ERR_OK);
		assert_int_equal(again.id, first.id);
		assert_int_equal(again.made_s, 0);
		assert_int_equal(noon_done(b, seat(walk_in, 3, key)).err, ERR_KEY_REUSED);
		assert_int_equal(noon_done(b, seat(!walk_in, 2, key)).err, ERR_KEY_REUSED);
		assert_int_equal(noon_done(b, seat(walk_in, 2, other)).err, ERR_OK);
		assert_int_equal(noon_count(b, "1"), 2 * (walk_in + 1));
	}
	assert_int_equal(noon_done(b, seat(1, 2, "")).err, ERR_OK);
	assert_int_equal(noon_done(b, seat(1, 2, "")).err, ERR_OK);
	assert_int_equal(noon_count(b, "1"), 6);
}

/* ---- before their time ---- */

/* Two small tables that join: parties 1 and 2 sit there at six, 3 at the first of them at eight, and a party of four waits. */
static void let_four_wait(struct book *b)
{
	sqlite3 *h = b->db.handle;

	book_exec(h, "UPDATE restaurants SET seats = 40, sitting_minutes = 90;"
		     "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max) VALUES (1, 1, 'A', 1, "
		     "2), (2, 1,"
		     " 'B', 1, 2); INSERT INTO table_sets (set_id, restaurant_id, seats_min, seats_max) VALUES (1, 1, 3, 4);"
		     "INSERT INTO table_set_members VALUES (1, 1), (1, 2)");
	book_slot(h, 1, DAY, TIME, 40);
	book_slot(h, 2, DAY, "20:00", 40);
	for (int64_t id = 1; id <= 3; id++) {
		book_reservation(h, id, id == 3 ? 2 : 1, id, 2, "CONFIRMED", "");
		book_exec(h, id == 2 ? "UPDATE reservations SET sitting_minutes = 90, table_id = 2 WHERE reservation_id = 2" :
				       "UPDATE reservations SET sitting_minutes = 90, table_id = 1 WHERE reservation_id <> 2");
	}
	book_exec(h,
		  "INSERT INTO waitlist (restaurant_id, user_id, slot_date, slot_time, party_size, proven) VALUES (1, 4, '" DAY
		  "', '" TIME "', 4, 1)");
	noon_stand_at("2031-05-06T08:50:00Z");
}

static void a_table_where_a_later_party_sits_already_is_not_kept(void **state)
{
	struct book *b = *state;

	let_four_wait(b);
	assert_int_equal(act(b, 3, ACT_SEAT), ERR_OK);
	assert_int_equal(act(b, 1, ACT_CANCEL), ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM kept_seats"), 0);
}

static void who_sits_down_early_uses_what_was_kept_there(void **state)
{
	struct book *b = *state;

	let_four_wait(b);
	assert_int_equal(act(b, 1, ACT_CANCEL), ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM kept_seats WHERE tables = '1'"), 1);
	assert_int_equal(act(b, 3, ACT_SEAT), ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM kept_seats"), 0);
}

static void who_moves_to_another_table_has_sat_since_they_sat_down(void **state)
{
	struct book *b = *state;

	let_four_wait(b);
	assert_int_equal(act(b, 1, ACT_SEAT), ERR_OK);
	noon_stand_at("2031-05-06T09:10:00Z");
	assert_int_equal(act(b, 1, ACT_SEAT), ERR_OK);
	assert_int_equal(noon_count(b, "reservation_id = 1 AND seated_at = '2031-05-06T08:50:00Z'"), 1);
}

/* ---- without a trace ---- */

/* Every row of every table that is about the reservation, but for who changed it last, the audit, acts and messages. */
static char *picture(struct book *b, int64_t id)
{
	static const char tables[] =
		"SELECT printf('SELECT group_concat(row, char(10)) FROM (SELECT ' || group_concat('quote(' || i.name || ')', ' "
		"|| '','' || ')"
		" || ' AS row FROM %s WHERE reservation_id = ?1%s ORDER BY 1)', m.name,"
		" CASE m.name WHEN 'reservation_cancellations' THEN ' AND undone_at IS NULL' ELSE '' END), m.name"
		" FROM sqlite_schema m JOIN pragma_table_info(m.name) i WHERE m.type = 'table' AND m.name NOT IN ('audit', "
		"'outbox', 'desk_acts')"
		" AND i.name NOT IN ('version', 'changed_by', 'changed_ticket', 'updated_at')"
		" AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) c WHERE c.name = 'reservation_id') GROUP BY m.name ORDER "
		"BY m.name";
	sqlite3_str *out = sqlite3_str_new(NULL);
	sqlite3 *plain = book_plain(b->path);
	sqlite3_stmt *s, *rows;

	assert_int_equal(sqlite3_prepare_v2(plain, tables, -1, &s, NULL), SQLITE_OK);
	while (sqlite3_step(s) == SQLITE_ROW) {
		assert_int_equal(sqlite3_prepare_v2(plain, (const char *)sqlite3_column_text(s, 0), -1, &rows, NULL),
				 SQLITE_OK);
		sqlite3_bind_int64(rows, 1, id);
		assert_int_equal(sqlite3_step(rows), SQLITE_ROW);
		sqlite3_str_appendf(out, "%s: %s\n", sqlite3_column_text(s, 1), sqlite3_column_text(rows, 0));
		sqlite3_finalize(rows);
	}
	sqlite3_finalize(s);
	sqlite3_close(plain);
	return sqlite3_str_finish(out);
}

/* A column that is new is either put back by an undo, or stands here with the reason why not. */
static void the_image_of_an_act_has_every_column_or_a_reason(void **state)
{
	static const struct {
		const char *column, *why;
	} left_out[] = {
		{"reservation_id", "names it"},
		{"reservation_code", "no act changes it"},
		{"user_id", "no act changes it"},
		{"restaurant_id", "no act changes it"},
		{"card_id", "no act changes it"},
		{"guest_email", "no act changes it"},
		{"reservation_type", "no act changes it"},
		{"request_message", "the guest's"},
		{"currency", "frozen"},
		{"guarantee_amount", "frozen"},
		{"refund_policy", "frozen"},
		{"hold_expires_at", "no act changes it"},
		{"source", "no act changes it"},
		{"placed_at", "a change by the desk leaves it"},
		{"ticket", "that made it"},
		{"idempotency_key", "that made it"},
		{"desk_key", "that made it"},
		{"created_at", "of its making"},
		{"version", "rises with an undo as well"},
		{"changed_by", "of the undo"},
		{"changed_ticket", "of the undo"},
		{"updated_at", "of the undo"},
		{"is_active", "follows from the status"},
		{"change_of", "only a hold has it, and no act changes it"},
		{"change_party", "as change_of"},
		{"change_done", "as change_of"},
		{"change_version", "as change_of"},
		{"change_beside", "as change_of"},
	};
	struct book *b = *state;
	const char *set = strstr(stmt_source(SQL_UNDO), "SET (") + strlen("SET (");
	char list[1000], name[80];
	sqlite3_stmt *s;
	size_t left = 0;

	snprintf(list, sizeof list, ", %.*s, ", (int)strcspn(set, ")"), set);
	assert_int_equal(sqlite3_prepare_v2(b->db.handle, "SELECT name FROM pragma_table_xinfo('reservations')", -1, &s, NULL),
			 SQLITE_OK);
	while (sqlite3_step(s) == SQLITE_ROW) {
		const char *column = (const char *)sqlite3_column_text(s, 0);
		bool kept, reason = false;

		snprintf(name, sizeof name, ", %s, ", column);
		kept = strstr(list, name) != NULL;
		for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
			reason |= strcmp(left_out[i].column, column) == 0;
		if (kept == reason)
			fail_msg("%s is %s", column,
				 kept ? "put back, and named as left out" : "neither put back nor left out");
		left += reason;
	}
	sqlite3_finalize(s);
	assert_int_equal(left, sizeof left_out / sizeof left_out[0]); /* none that is gone */
}

#define LATEST " WHERE reservation_id = (SELECT max(reservation_id) FROM reservations)"

/* What a reservation can be like: made of a hold, then paid. */
static const struct {
	const char *name, *sql;
	int paid; /* how often */
} states[] = {
	{"a hold", "SELECT 1", 0},
	{"a hold that waits for its code", "UPDATE reservations SET unproven = 1" LATEST, 0},
	{"an offer of the waitlist",
	 "INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size, status, reservation_id, "
	 "offer_expires_at)"
	 " SELECT 1, '2031-05-06', '18:00', user_id, party_size, 'OFFERED', reservation_id, hold_expires_at FROM "
	 "reservations" LATEST "; UPDATE reservations SET source = 'WAITLIST'" LATEST,
	 0},
	{"paid", "SELECT 1", 1},
	{"paid twice", "SELECT 1", 2},
	{"said to come",
	 "UPDATE reservations SET coming_at = '2031-05-06T02:00:00Z', late_minutes = 20, here_at ="
	 " '2031-05-06T08:10:00Z', note = 'a note'" LATEST,
	 1},
	{"at two tables, the second first",
	 "UPDATE reservations SET table_id = 2" LATEST "; INSERT INTO reservation_tables SELECT reservation_id, 1, starts_at,"
	 " ends_at, 0 FROM reservations" LATEST,
	 1},
};

static int64_t make(struct book *b, size_t i, int64_t user)
{
	int64_t id;

	noon_stand_at("2031-05-06T08:00:00Z");
	id = noon_done(b, noon_wish(user, 2)).id;
	assert_true(id > 0);
	book_exec(b->db.handle, "BEGIN; %s; COMMIT", states[i].sql);
	if (states[i].paid)
		assert_int_equal(act(b, id, ACT_CONFIRM), ERR_OK);
	if (states[i].paid == 2)
		assert_int_equal(pay_again(b, id), ERR_OK);
	return id;
}

static bool do_and_undo(struct book *b, int64_t id, const char *name, enum ticket_act_kind kind, int party)
{
	struct ticket_request r = act_on(b, id, kind);
	char *before = picture(b, id), *after = NULL;
	enum err e;

	if (kind == ACT_CHANGE)
		to_another_time(b, &r.u.act.change, id, party);
	if (party == 1)
		r.u.act.change.terms.deposit = 0; /* nothing is due from one person: a hold is confirmed by it */
	e = (enum err)noon_done(b, r).err;
	if (e == ERR_OK) {
		assert_int_equal(act(b, id, ACT_UNDO), ERR_OK);
		after = picture(b, id);
		if (strcmp(before, after) != 0)
			fail_msg("%s, act %d:\n%s\nis after its undo\n%s", name, (int)kind, before, after);
	}
	sqlite3_free(before);
	sqlite3_free(after);
	return e == ERR_OK;
}

static void every_act_is_undone_without_a_trace(void **state)
{
	static const enum ticket_act_kind kinds[] = {ACT_CHANGE,   ACT_CHANGE,  ACT_ARRIVE, ACT_SEAT, ACT_LEAVE,
						     ACT_COMPLETE, ACT_NO_SHOW, ACT_CANCEL, ACT_NOTE};
	struct book *b = *state;
	int done = 0;

	for (size_t i = 0; i < COUNT(states); i++) {
		if (i + 1 == COUNT(states))
			book_exec(b->db.handle, "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_max)"
						" VALUES (1, 1, 'A', 4), (2, 1, 'B', 4), (3, 1, 'C', 4)");
		for (size_t k = 0; k < COUNT(kinds); k++) {
			int64_t id = make(b, i, (int64_t)(10 + 10 * i + k));

			if (kinds[k] == ACT_LEAVE)
				act(b, id, ACT_ARRIVE);
			if (kinds[k] == ACT_LEAVE || kinds[k] == ACT_COMPLETE || kinds[k] == ACT_NO_SHOW)
				noon_stand_at("2031-05-06T09:20:00Z");
			done += do_and_undo(b, id, states[i].name, kinds[k], k == 0 ? 1 : 3);
			noon_done(b, noon_move(id, MOVE_CANCEL, BY_GUEST)); /* seats for the next one */
		}
	}
	assert_int_equal(done, 3 * 4 + 4 * 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(late_money_at_the_desk_is_due_back_as_by_command),
		TEST(late_money_is_refused_after_a_crash_too),
		TEST(money_for_a_hold_that_was_cancelled_meanwhile_is_due_back),
		TEST(a_cancelled_reservation_that_was_paid_is_not_paid_by_saying_so),
		TEST(the_same_money_said_again_is_the_same_payment),
		TEST(money_that_went_back_is_not_the_money_that_comes),
		TEST(staff_can_say_that_it_is_a_second_payment),
		TEST(undoing_a_cancellation_leaves_other_money_as_it_was),
		TEST(other_money_that_went_back_meanwhile_is_no_reason_not_to_undo),
		TEST(a_cancellation_counts_every_payment),
		TEST(staff_who_give_back_by_the_terms_have_cancelled_all_the_same),
		TEST(tags_that_staff_change_can_be_taken_back),
		TEST(what_was_so_already_is_not_undone),
		TEST(a_hold_with_nothing_due_any_more_is_theirs),
		TEST(a_walk_in_raises_what_a_time_takes_only_once_it_has_begun),
		TEST(what_the_desk_sends_again_is_seated_once),
		TEST(a_table_where_a_later_party_sits_already_is_not_kept),
		TEST(who_sits_down_early_uses_what_was_kept_there),
		TEST(who_moves_to_another_table_has_sat_since_they_sat_down),
		TEST(every_act_is_undone_without_a_trace),
		TEST(the_image_of_an_act_has_every_column_or_a_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
