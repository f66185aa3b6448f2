/*
 * test_check.c - the check finds every kind of damage, and finds none in a sound book.
 */
#include "check.h"

#include "book.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the check said: findings of the rule asked about, and of all. */
struct heard {
	const char *rule;
	int of_rule, held, told;
	char text[1000], all[8000]; /* the last finding of the rule; all of every rule */
};

static void hear(void *arg, const char *rule, const char *finding)
{
	struct heard *h = arg;

	if (!finding) {
		h->held++;
		return;
	}
	h->told++;
	snprintf(h->all + strlen(h->all), sizeof h->all - strlen(h->all), "%s\n", finding);
	if (h->rule && strcmp(rule, h->rule) == 0) {
		h->of_rule++;
		snprintf(h->text, sizeof h->text, "%s", finding);
	}
}

/* Slot 1 of ten seats, two confirmed parties, a paid deposit, a pre-ordered dish. */
static int setup(void **state)
{
	struct book *b;

	book_setup_closed(state);
	b = *state;
	b->db.handle = book_plain(b->path);
	book_slot(b->db.handle, 1, "2026-01-20", "12:00", 10);
	book_reservation(b->db.handle, 1, 1, 1, 4, "CONFIRMED", "");
	book_reservation(b->db.handle, 2, 1, 2, 4, "TEMPORARY", "2026-01-19T02:07:00Z");
	book_exec(b->db.handle,
		  "UPDATE reservations SET reservation_type = 'PREORDER_PREPAY', prepay_amount = 18000, total_amount = 18000"
		  " WHERE reservation_id = 1; INSERT INTO reservation_menu_items VALUES (1, 1, 'x', 9000, 2, 18000);"
		  "INSERT INTO payments (payment_id, reservation_id, provider, amount, status, kept_amount, paid_at)"
		  " VALUES (1, 1, 'desk', 18000, 'PAID', 18000, '2026-01-19T02:00:00Z')");
	return 0;
}

static struct check_report check(struct book *b, struct heard *h)
{
	struct check_report report;

	assert_int_equal(check_book(b->path, hear, h, &report), ERR_OK);
	return report;
}

static void a_sound_book_has_no_findings(void **state)
{
	struct heard h = {0};
	struct check_report report = check(*state, &h);

	assert_int_equal(report.findings, 0);
	assert_int_equal(h.told, 0);
	assert_int_equal(h.held, report.rules);
	assert_true(report.rules >= 13);
}

/* The owner's worst day at the shell: every defence that stands in the way is thrown out first. */
#define UNGUARDED \
	"PRAGMA ignore_check_constraints=1; PRAGMA foreign_keys=OFF;" \
	"DROP TRIGGER reservations_insert; DROP TRIGGER reservations_fit_update; DROP TRIGGER slots_keep_their_people;" \
	"DROP TRIGGER reservations_life; DROP TRIGGER reservations_stay; DROP TRIGGER audit_stays; DROP TRIGGER audit_is_ink;" \
	"DROP TRIGGER reservations_table_update; DROP TRIGGER reservations_audit_status;" \
	"DROP INDEX reservations_person; DROP TRIGGER reservations_no_replace_update; DROP TRIGGER items_are_ink;" \
	"DROP TRIGGER payments_life; DROP TRIGGER reservations_cancelled_by_shell; DROP TRIGGER " \
	"reservation_tables_free_insert; DROP TRIGGER " \
	"reservation_tables_free_update;"

#define PAID_ONLINE \
	"DROP TRIGGER intents_life; DROP TRIGGER refunds_life; DROP TRIGGER payments_intent_update;" \
	"INSERT INTO intents (intent_id, restaurant_id, reservation_id, purpose, try, pay_key, provider, currency, amount," \
	" created_at, changed_at) VALUES (1, 1, 1, 'DEPOSIT', 1, 'jari-abcdefghijklmnopqrstuvwxyz', 'toss', 'KRW', 5000," \
	" '2026-01-19T02:00:00Z', '2026-01-19T02:00:00Z');" \
	"INSERT INTO payments (payment_id, reservation_id, provider, amount, status, kept_amount, paid_at, intent_id)" \
	" VALUES (2, 1, 'toss', 5000, 'PAID', 5000, '2026-01-19T02:00:00Z', 1);"

static const struct {
	const char *rule, *damage, *words;
} damages[] = {
	{"every row has its parents", "UPDATE reservations SET user_id = 99 WHERE reservation_id = 2",
	 "reservations row 2 has no users"},
	{"no slot is overbooked", "UPDATE restaurant_reservation_slots SET max_capacity = 7",
	 "slot 1 (2026-01-20 12:00): 8 of 7 seats taken"},
	{"tags are words that jari knows", "UPDATE reservations SET tags = 'nuts,lactose' WHERE reservation_id = 2",
	 "R2: nuts,lactose"},
	{"tags are words that jari knows", "UPDATE reservations SET tags = 'nuts,\"milk' WHERE reservation_id = 2",
	 "R2: nuts,\"milk"},
	{"tags are words that jari knows",
	 "UPDATE reservations SET tags = 'nuts' WHERE reservation_id = 1; UPDATE reservations SET tags = 'milk,,egg' WHERE"
	 " reservation_id = 2",
	 "R2: milk,,egg"},
	{"no table is given twice",
	 "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_max) VALUES (1, 1, 'A', 4);"
	 "INSERT INTO reservation_tables SELECT reservation_id, 1, starts_at, ends_at, 0 FROM reservations",
	 "table 1 from 2026-01-20T03:00:00Z: reservations 1 and 2"},
	{"tables are those of their reservations",
	 "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_max) VALUES (1, 1, 'A', 4);"
	 "INSERT INTO reservation_tables VALUES (1, 1, '2026-01-20T03:00:00Z', '2026-01-20T03:30:00Z', 0)",
	 "R1: table 1 from 2026-01-20T03:00:00Z to 2026-01-20T03:30:00Z, but it is CONFIRMED and has 2026-01-20T03:00:00Z to"
	 " 2026-01-20T04:00:00Z"},
	{"who was seated from the door list is a walk-in of that house, and sits once",
	 "INSERT INTO door_parties (door_id, restaurant_id, evening, party_size, status, joined_at, ended_at, reservation_id,"
	 " updated_at) VALUES (1, 1, '2026-01-20', 2, 'SEATED', '2026-01-20T03:00:00Z', '2026-01-20T03:10:00Z', 2, '')",
	 "party 1 of the door list sits as R2"},
	{"who was seated from the door list is a walk-in of that house, and sits once",
	 "UPDATE reservations SET source = 'WALK_IN' WHERE reservation_id = 2; INSERT INTO door_parties (restaurant_id, "
	 "evening,"
	 " party_size, status, joined_at, ended_at, reservation_id, updated_at) SELECT 1, '2026-01-20', 2, 'SEATED',"
	 " '2026-01-20T03:00:00Z', '2026-01-20T03:10:00Z', 2, '' FROM json_each('[1,2]')",
	 "2 parties of the door list sit as R2"},
	{"every sitting has its end", "UPDATE reservations SET ends_at = NULL WHERE reservation_id = 2",
	 "R2 begins 2026-01-20T03:00:00Z and ends -"},
	{"every party has its whole sitting",
	 "UPDATE reservations SET created_at = '2099-01-01T00:00:00Z', ends_at = starts_at WHERE reservation_id = 2",
	 "R2 begins 2026-01-20T03:00:00Z, stays 60 minutes and ends 2026-01-20T03:00:00Z"},
	{"a cancellation gives back what it owes", "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = 1",
	 "R1 is CANCELED: 18000 kept, 0 back, nothing promised"},
	{"a cancellation gives back what it owes",
	 "INSERT INTO reservation_cancellations (reservation_id, canceled_by, refund_amount) VALUES (1, 'GUEST', 9000);"
	 "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = 1",
	 "R1 is CANCELED: 18000 kept, 0 back, 9000 promised"},
	{"a cancellation gives back what it owes",
	 "INSERT INTO reservation_cancellations (reservation_id, canceled_by, created_at) VALUES (1, 'GUEST', "
	 "'2026-01-10T00:00:00Z');"
	 "UPDATE reservations SET status = 'CANCELED', refund_policy = 'day-before=100 same-day=0' WHERE reservation_id = 1",
	 "R1 is CANCELED: 18000 kept, 0 back, 0 promised"},
	{"a payment online is money in one place", PAID_ONLINE "UPDATE payments SET status = 'READY' WHERE payment_id = 2",
	 "intent 1 is PAID, and payment 2 is READY"},
	{"a payment online is money in one place", PAID_ONLINE "UPDATE payments SET intent_id = NULL",
	 "intent 1 is PAID, and there is no payment"},
	{"a payment online is money in one place", PAID_ONLINE "UPDATE intents SET reservation_id = 7",
	 "intent 1 is for reservation 7, which is not there"},
	{"a payment online is money in one place", PAID_ONLINE "UPDATE payments SET reservation_id = 2 WHERE payment_id = 2",
	 "payment 2 of toss came by intent 1, whose reservation is another"},
	{"a payment online is money in one place",
	 PAID_ONLINE "UPDATE payments SET amount = 4999, kept_amount = 4999 WHERE"
		     " payment_id = 2",
	 "payment 2: 4999 kept, and intent 1 was for 5000"},
	{"a payment online is money in one place", PAID_ONLINE "UPDATE payments SET currency = 'USD' WHERE payment_id = 2",
	 "payment 2: 50.00 kept, and intent 1 was for 5000"},
	{"who was to pay online and has seats has paid",
	 PAID_ONLINE "UPDATE intents SET state = 'FAILED'; DROP TRIGGER payments_stay;"
		     "DELETE FROM payments",
	 "R1 is CONFIRMED and costs 18000, of which 0 came in"},
	{"a payment on trial goes back",
	 PAID_ONLINE
	 "INSERT INTO intents (restaurant_id, purpose, try, pay_key, provider, currency, amount, state, returned,"
	 " created_at, changed_at) VALUES (1, 'TRY', 1, 'jari-of-a-trial-of-the-owner', 'toss', 'KRW', 100, 'REFUNDED', 40,"
	 " '2026-01-19T02:00:00Z', '2026-01-19T02:00:00Z')",
	 "intent 2 is REFUNDED, and of 100 40 went back"},
	{"a payment on trial goes back",
	 PAID_ONLINE "INSERT INTO intents (restaurant_id, purpose, try, pay_key, provider, currency, amount, state, created_at,"
		     " changed_at) VALUES (1, 'TRY', 1, 'jari-of-a-trial-of-the-owner', 'toss', 'KRW', 100, 'REFUND_DUE',"
		     " '2026-01-19T02:00:00Z', '2026-01-19T02:00:00Z')",
	 "intent 2 is REFUND_DUE, and of 100 0 went back"},
	{"no payment has vanished", PAID_ONLINE "DROP TRIGGER intents_stay; DELETE FROM intents",
	 "intent 1 was written down and is gone"},
	{"what is due back of a payment online is on its way",
	 PAID_ONLINE
	 "DROP TRIGGER payments_owed; UPDATE payments SET status = 'REFUND_DUE', kept_amount = 0, due_back_amount = 5000"
	 " WHERE payment_id = 2; UPDATE intents SET state = 'REFUND_DUE'",
	 "payment 2: 5000 due back, 0 on its way"},
	{"no payment that may still be charged is forgotten, and no card for longer than was said",
	 PAID_ONLINE "UPDATE intents SET todo = NULL, state = 'AUTHORISED'", "intent 1 is AUTHORISED, and nobody looks at it"},
	{"no payment that may still be charged is forgotten, and no card for longer than was said",
	 PAID_ONLINE "UPDATE intents SET card_ref = 'sealed', todo = NULL", "intent 1 has a card that nobody will forget"},
	{"every reservation stands in its slot",
	 "UPDATE reservations SET starts_at = '2026-01-20T05:00:00Z', ends_at ="
	 " '2026-01-20T06:00:00Z' WHERE reservation_id = 2",
	 "R2: restaurant 1, begins 2026-01-20T05:00:00Z; its slot: 1, 2026-01-20T03:00:00Z"},
	{"no guest is booked twice into one slot", "UPDATE reservations SET user_id = 1", "user 1, slot 1: 2 reservations"},
	{"every change that waits is one of a reservation",
	 "UPDATE reservations SET change_of = 7, change_party = 2 WHERE reservation_id = 2",
	 "R2 would change reservation 7, which is not there"},
	{"every hold has its end", "UPDATE reservations SET hold_expires_at = NULL WHERE reservation_id = 2",
	 "R2 is a hold without an end"},
	{"money in = kept + returned + due back", "UPDATE payments SET kept_amount = 17999",
	 "payment 1: 18000 in, 17999 kept, 0 returned, 0 due back"},
	{"no late payment is lost", "UPDATE reservations SET status = 'EXPIRED' WHERE reservation_id = 1",
	 "payment 1 of R1: kept 18000 although the hold expired"},
	{"nothing is kept of a hold, and all that was forfeited of the rest",
	 "UPDATE reservations SET status = 'TEMPORARY', hold_expires_at = '2099-01-01T00:00:00Z' WHERE reservation_id = 1",
	 "R1 is a hold, and 18000 are kept for it"},
	{"nothing is kept of a hold, and all that was forfeited of the rest",
	 "UPDATE reservations SET status = 'REFUND_PENDING' WHERE reservation_id = 1",
	 "R1 waits for its refund, and of 18000 nothing is due back"},
	{"nothing is kept of a hold, and all that was forfeited of the rest",
	 "UPDATE reservations SET forfeited_amount = 18001 WHERE reservation_id = 1",
	 "R1: 18000 kept, although 18001 were forfeited"},
	{"totals are sums of what was ordered", "UPDATE reservation_menu_items SET quantity = 3, line_amount = 27000",
	 "R1: prepaid 18000, dishes 27000"},
	{"totals are sums of what was ordered", "DROP TRIGGER items_stay; DELETE FROM reservation_menu_items",
	 "R1: prepaid 18000, dishes 0"},
	{"every payment was written down", "DROP TRIGGER payments_audit_change; UPDATE payments SET status = 'FAILED'",
	 "payment 1: FAILED, reservation 1, 18000 in, 18000 kept, 0 returned, 0 due back, but the audit ends with PAID, "
	 "reservation 1,"
	 " 18000 in, 18000 kept, 0 returned, 0 due back"},
	{"every payment was written down", "DROP TRIGGER payments_audit_change; UPDATE payments SET reservation_id = 2",
	 "payment 1: PAID, reservation 2, 18000 in, 18000 kept, 0 returned, 0 due back, but the audit ends with PAID, "
	 "reservation 1,"
	 " 18000 in, 18000 kept, 0 returned, 0 due back"},
	{"no payment has vanished", "DROP TRIGGER payments_stay; DELETE FROM payments",
	 "payment 1 was written down and is gone"},
	{"every setting was written down",
	 "UPDATE restaurants SET hold_seconds = 100; DROP TRIGGER restaurants_audit; UPDATE restaurants SET hold_seconds = 300",
	 "restaurant 1: hold_seconds is 300, but the audit ends with 100"},
	{"every slot's seats were written down",
	 "UPDATE restaurant_reservation_slots SET max_capacity = 30; DROP TRIGGER slots_audit;"
	 "UPDATE restaurant_reservation_slots SET max_capacity = 31",
	 "slot 1 has 31 seats, but the audit ends with 30"},
	{"every detail was written down",
	 "UPDATE reservations SET party_size = 2 WHERE reservation_id = 2; DROP TRIGGER reservations_audit_change;"
	 "UPDATE reservations SET party_size = 1 WHERE reservation_id = 2",
	 "R2 has party 1, slot 1, table -, PENDING, user 2, total 0, but the audit ends with party 2, slot 1, table -, "
	 "PENDING, user 2, total 0"},
	{"every reservation stands in its slot",
	 "DROP TRIGGER slots_stay_put; DROP TRIGGER slots_moved; UPDATE restaurant_reservation_slots SET slot_date = "
	 "'2026-01-21',"
	 " starts_at = '2026-01-21T03:00:00Z'; UPDATE reservations SET starts_at = '2026-01-21T03:00:00Z', ends_at = "
	 "'2026-01-21T04:00:00Z'"
	 " WHERE reservation_id = 1",
	 "R2: restaurant 1, begins 2026-01-20T03:00:00Z; its slot: 1, 2026-01-21T03:00:00Z"},
	{"every slot to come begins at its time of day",
	 "DROP TRIGGER slots_stay_put; UPDATE restaurant_reservation_slots SET slot_date = '2031-01-21', starts_at = "
	 "'2031-01-21T04:00:00Z'",
	 "slot 1 (2031-01-21 12:00) begins 2031-01-21T04:00:00Z, which is another time in Asia/Seoul"},
	{"every offer of the waitlist is a hold",
	 "INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size, status, reservation_id) VALUES (1,"
	 " '2026-01-20', '12:00', 1, 2, 'OFFERED', 1)",
	 "entry 1 of the waitlist was offered R1, which is CONFIRMED"},
	{"nothing is kept for longer than a day, or while no guest waits",
	 "INSERT INTO kept_seats (restaurant_id, slot_date, slot_time, party_size, starts_at, ends_at, kept_until, made_at) "
	 "VALUES"
	 " (1, '2025-01-20', '12:00', 2, '2025-01-20T03:00:00Z', '2025-01-20T04:00:00Z', '2025-01-20T03:00:00Z',"
	 " '2025-01-01T00:00:00Z')",
	 "2025-01-20 12:00: 2 seats that came free at 2025-01-01T00:00:00Z are kept until 2025-01-20T03:00:00Z"},
	{"no proven guest waits for seats that are free",
	 "INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size, created_at, updated_at, proven) "
	 "VALUES (1,"
	 " '2099-01-20', '12:00', 1, 2, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 1); UPDATE audit SET at = "
	 "'2026-01-01T00:00:00Z'",
	 "2099-01-20 12:00: a party of 2 waits, and there is room for it"},
	{"blocks are of their own house, and no week's runs into the next",
	 "INSERT INTO restaurants (restaurant_id, name) VALUES (9, 'other'); INSERT INTO dining_tables (table_id, "
	 "restaurant_id,"
	 " name, seats_min, seats_max) VALUES (90, 9, 'Z', 1, 4); INSERT INTO blocks (block_id, restaurant_id, from_at, to_at)"
	 " VALUES (1, 1, '2099-01-20T18:00', '2099-01-20T20:00'); INSERT INTO block_tables VALUES (1, 90)",
	 "block 1 (2099-01-20T18:00 to 2099-01-20T20:00) has table 90, which is of another restaurant"},
	{"blocks are of their own house, and no week's runs into the next",
	 "INSERT INTO blocks (block_id, restaurant_id, from_at, to_at, weekly)"
	 " VALUES (1, 1, '2099-01-20T18:00', '2099-01-28T20:00', 1)",
	 "block 1 is weekly, and lasts from 2099-01-20T18:00 to 2099-01-28T20:00"},
	{"joined tables are two or more, and of one house",
	 "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max) VALUES (90, 1, 'Z', 1, 4);"
	 " INSERT INTO table_sets (set_id, restaurant_id, seats_min, seats_max) VALUES (5, 1, 1, 12);"
	 " INSERT INTO table_set_members VALUES (5, 90)",
	 "set 5 has 1 tables"},
	{"the book's own defences stand",
	 "CREATE TRIGGER thief AFTER INSERT ON payments BEGIN UPDATE payments SET kept_amount = 0; END", NULL},
	{"every reservation was written down", "DELETE FROM audit WHERE entity_id = 2", "R2 has no audit row for its creation"},
	{"no reservation has vanished", "DELETE FROM reservations WHERE reservation_id = 2",
	 "reservation 2 was written down and is gone"},
	{"every change was written down", "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = 2",
	 "R2 is CANCELED, but the audit ends with TEMPORARY"},
};

static void each_kind_of_damage_is_found_and_named(void **state)
{
	struct book *b = *state;
	char saved[4200];

	sqlite3_close(b->db.handle);
	b->db.handle = book_plain(b->path);
	book_exec(b->db.handle, "VACUUM INTO '%s.saved'", b->path);
	snprintf(saved, sizeof saved, "%s.saved", b->path);
	for (size_t i = 0; i < COUNT(damages); i++) {
		struct heard h = {.rule = damages[i].rule};
		struct book copy = {0};
		sqlite3 *handle;

		snprintf(copy.path, sizeof copy.path, "%s.damaged%zu", b->dir, i);
		book_copy_file(saved, copy.path);
		handle = book_plain(copy.path);
		book_exec(handle, "%s", UNGUARDED);
		book_exec(handle, "%s", damages[i].damage);
		sqlite3_close(handle);
		check(&copy, &h);
		if (!damages[i].words && strstr(h.all, "trigger thief is not one of jari's"))
			continue;
		if (!damages[i].words || h.of_rule != 1 || strcmp(h.text, damages[i].words) != 0)
			fail_msg("%s: %d findings, %s", damages[i].rule, h.of_rule, h.text);
		remove(copy.path);
	}
}

static void a_ticket_that_booked_twice_is_found(void **state)
{
	struct book *b = *state;
	struct heard h = {.rule = "no ticket booked twice"};

	/* The column's own UNIQUE cannot be dropped; the table is made anew without it, as an import might. */
	book_exec(b->db.handle, "PRAGMA foreign_keys=OFF; PRAGMA writable_schema=ON; PRAGMA legacy_alter_table=ON;"
				"UPDATE sqlite_schema SET sql = replace(sql, 'ticket           INTEGER UNIQUE',"
				" 'ticket           INTEGER       ') WHERE name = 'reservations';"
				"DELETE FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'reservations'"
				" AND name = 'sqlite_autoindex_reservations_2'; PRAGMA writable_schema=RESET");
	book_exec(b->db.handle, "DROP TRIGGER reservations_no_replace_update; UPDATE reservations SET ticket = 5");
	check(b, &h);
	assert_int_equal(h.of_rule, 1);
	assert_string_equal(h.text, "ticket 5: 2 reservations");
	b->damaged = true;
}

static void a_broken_page_is_found(void **state)
{
	struct book *b = *state;
	struct heard h = {.rule = "the file is whole"};
	int64_t page = book_int(b->db.handle, "SELECT rootpage FROM sqlite_schema WHERE name = 'menus'");
	size_t n;
	char *bytes;

	sqlite3_wal_checkpoint_v2(b->db.handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	sqlite3_close(b->db.handle);
	b->db.handle = NULL;
	bytes = book_read_file(b->path, &n);
	memset(bytes + (page - 1) * DB_PAGE_SIZE, 0x5A, DB_PAGE_SIZE);
	book_write_file(b->path, bytes, n);
	free(bytes);
	check(b, &h);
	assert_true(h.of_rule > 0);
	b->damaged = true;
}

/* A defence that is gone, and one that is not what it was. */
static void a_missing_or_altered_defence_is_found(void **state)
{
	static const struct {
		const char *sql, *words;
	} rows[] = {
		{"DROP TRIGGER reservations_insert", "trigger reservations_insert is missing or not as jari made it"},
		{"DROP INDEX reservations_person", "index reservations_person is missing or not as jari made it"},
		{"DROP VIEW v_today", "view v_today is missing or not as jari made it"},
		{"DROP TRIGGER audit_stays; CREATE TRIGGER audit_stays BEFORE DELETE ON audit BEGIN SELECT 1; END",
		 "trigger audit_stays is missing or not as jari made it"},
		{"ALTER TABLE waitlist ADD COLUMN mine TEXT", "table waitlist is missing or not as jari made it"},
	};
	struct book *b = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct heard h = {.rule = "the book's own defences stand"};

		book_exec(b->db.handle, "%s", rows[i].sql);
		check(b, &h);
		assert_int_equal(h.of_rule, i + 1);
	}
	b->damaged = true;
}

static void the_owners_own_tables_and_views_are_welcome(void **state)
{
	struct book *b = *state;
	struct heard h = {0};

	book_exec(b->db.handle,
		  "CREATE TABLE my_notes (x); CREATE VIEW my_view AS SELECT 1; CREATE INDEX mine ON my_notes (x)");
	assert_int_equal(check(b, &h).findings, 0);
}

static void a_missing_table_is_a_finding_not_a_failure(void **state)
{
	struct book *b = *state;
	struct heard h = {.rule = "no slot is overbooked"};

	book_exec(b->db.handle, "DROP TABLE restaurant_reservation_slots");
	check(b, &h);
	assert_int_equal(h.of_rule, 1);
	b->damaged = true;
}

static void a_rule_broken_many_times_is_told_some_times(void **state)
{
	struct book *b = *state;
	struct heard h = {.rule = "every hold has its end"};
	struct check_report report;

	book_slot(b->db.handle, 2, "2026-01-20", "13:00", 1000);
	book_exec(b->db.handle, "PRAGMA ignore_check_constraints=1");
	for (int i = 100; i < 150; i++) {
		book_exec(b->db.handle, "INSERT INTO users (user_id, user_type, name) VALUES (%d, 'GUEST', 'x')", i);
		book_reservation(b->db.handle, i, 2, i, 1, "TEMPORARY", "");
	}
	report = check(b, &h);
	assert_int_equal(h.of_rule, 20);
	assert_true(report.findings >= 20);
	b->damaged = true;
}

static void what_is_no_book_of_ours_is_refused(void **state)
{
	struct book *b = *state;
	struct check_report report;
	char other[4200];

	assert_int_equal(check_book("/nowhere/at/all", hear, &(struct heard){0}, &report), ERR_BOOK_UNWRITABLE);
	snprintf(other, sizeof other, "%s.other", b->path);
	book_write_file(other, "this is a letter, not a database; it is long enough to be looked at", 66);
	assert_int_equal(check_book(other, hear, &(struct heard){0}, &report), ERR_BOOK_FOREIGN);
	book_exec(b->db.handle, "PRAGMA user_version=%d", DB_VERSION + 1);
	assert_int_equal(check_book(b->path, hear, &(struct heard){0}, &report), ERR_BOOK_NEWER);
	book_exec(b->db.handle, "PRAGMA user_version=%d; PRAGMA application_id=7", DB_VERSION);
	assert_int_equal(check_book(b->path, hear, &(struct heard){0}, &report), ERR_BOOK_FOREIGN);
	book_exec(b->db.handle, "PRAGMA application_id=%d", DB_APPLICATION_ID);
}

static void a_book_in_use_can_be_checked(void **state)
{
	struct book *b = *state;
	struct heard h = {0};

	book_exec(b->db.handle, "BEGIN IMMEDIATE; UPDATE users SET note = 'x'");
	assert_int_equal(check(b, &h).findings, 0);
	book_exec(b->db.handle, "COMMIT");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_sound_book_has_no_findings),
		TEST(each_kind_of_damage_is_found_and_named),
		TEST(a_ticket_that_booked_twice_is_found),
		TEST(a_broken_page_is_found),
		TEST(a_missing_or_altered_defence_is_found),
		TEST(the_owners_own_tables_and_views_are_welcome),
		TEST(a_missing_table_is_a_finding_not_a_failure),
		TEST(a_rule_broken_many_times_is_told_some_times),
		TEST(what_is_no_book_of_ours_is_refused),
		TEST(a_book_in_use_can_be_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
