/*
 * test_schema.c - the book defends itself against the sqlite3 shell, and reads well there.
 */
#include "book.h"
#include "settings.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the sqlite3 program prints, errors included, when the owner types that. */
__attribute__((format(printf, 2, 3))) static const char *shell(const struct book *b, const char *format, ...)
{
	static char printed[1 << 17];
	char command[9000], file[4200];
	va_list ap;
	FILE *f;
	size_t n;

	snprintf(file, sizeof file, "%s.typed", b->path);
	f = fopen(file, "w");
	assert_non_null(f);
	va_start(ap, format);
	vfprintf(f, format, ap);
	va_end(ap);
	fclose(f);
	snprintf(command, sizeof command, "sqlite3 -batch -init /dev/null %s <%s 2>&1", b->path, file);
	f = popen(command, "r");
	assert_non_null(f);
	n = fread(printed, 1, sizeof printed - 1, f);
	printed[n] = '\0';
	if (pclose(f) == 127)
		fail_msg("sqlite3 is not installed");
	return printed;
}

/* The same, when nothing should be printed. */
static void accepted(const struct book *b, const char *sql)
{
	const char *printed = shell(b, "%s;", sql);

	if (*printed)
		fail_msg("%s\n%s", sql, printed);
}

#define DUMP ".dump reservations payments audit restaurant_reservation_slots\n"
#define LINE "----\n"

/* The shell answers with that sentence, and not a row is other than before. */
static void refused(const struct book *b, const char *sql, const char *sentence)
{
	char *before = strdup(shell(b, DUMP ".print ----\n%s;\n.print ----\n" DUMP, sql));
	char *said = strstr(before, LINE), *after = said ? strstr(said + 1, LINE) : NULL;

	assert_non_null(after);
	*said = *after = '\0';
	said += strlen(LINE);
	after += strlen(LINE);
	if (!strstr(said, sentence))
		fail_msg("%s\nsaid %s\nnot %s", sql, said, sentence);
	assert_string_equal(before, after);
	free(before);
}

static void prints(const struct book *b, const char *sql, const char *expected)
{
	assert_string_equal(shell(b, "%s;", sql), expected);
}

#define FULL "SLOT_FULL: the active parties of this slot would exceed its max_capacity"
#define MOVE "BAD_MOVE: a reservation cannot go from its status to that one"
#define KEPT "NEVER_DELETED: the book keeps every row"

#define ADD(id, slot, user, party, status) \
	"INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size, reservation_type, status," \
	" hold_expires_at) VALUES (" #id ", 'R" #id "', " #slot ", " #user ", " #party ", 'RESERVATION_DEPOSIT', '" status \
	"'," \
	" '2099-01-01T00:00:00Z')"

/* Slot 1 of ten seats, in it reservation 1: user 1, a party of six. */
static int setup(void **state)
{
	book_setup_closed(state);
	accepted(*state,
		 "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
		 " VALUES (1, 1, '2026-01-20', '11:00', 10), (2, 1, '2026-01-20', '12:00', 10);" ADD(1, 1, 1, 6, "CONFIRMED"));
	return 0;
}

static void overbooking_a_slot_is_refused(void **state)
{
	struct book *b = *state;

	refused(b, ADD(2, 1, 2, 5, "CONFIRMED"), FULL);
	refused(b, ADD(2, 1, 2, 5, "TEMPORARY"), FULL);
	refused(b, ADD(2, 1, 2, 5, "REFUND_PENDING"), FULL);
	refused(b,
		"INSERT OR IGNORE" /* the shell's ways around */
		" INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status)"
		" VALUES ('R2', 1, 2, 5, 'RESERVATION_DEPOSIT', 'CONFIRMED')",
		FULL);
	refused(b,
		"REPLACE INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status)"
		" VALUES ('R2', 1, 2, 5, 'RESERVATION_DEPOSIT', 'CONFIRMED')",
		FULL);
	accepted(b, ADD(2, 1, 2, 4, "TEMPORARY"));
	refused(b, "UPDATE reservations SET party_size = 5 WHERE reservation_id = 2", FULL);
	accepted(b, "UPDATE reservations SET party_size = 3 WHERE reservation_id = 2");
	accepted(b, "INSERT INTO users (user_id, user_type, name) VALUES (3, 'GUEST', '박')");
	accepted(b, ADD(3, 2, 3, 8, "CONFIRMED"));
	refused(b, "UPDATE reservations SET slot_id = 1 WHERE reservation_id = 3", FULL);
}

/* The rule is about people in seats: who has left or never came takes none. */
static void released_seats_can_be_sold_again(void **state)
{
	struct book *b = *state;

	refused(b, ADD(2, 1, 2, 5, "CONFIRMED"), FULL);
	accepted(b, "UPDATE reservations SET status = 'NO_SHOW' WHERE reservation_id = 1");
	accepted(b, ADD(2, 1, 2, 10, "CONFIRMED"));
}

static void an_expired_hold_comes_back_only_into_free_seats(void **state)
{
	struct book *b = *state;

	accepted(b, ADD(2, 1, 2, 4, "TEMPORARY"));
	accepted(b, "UPDATE reservations SET status = 'EXPIRED' WHERE reservation_id = 2");
	accepted(b, "UPDATE reservations SET party_size = 7 WHERE reservation_id = 1");
	refused(b, "UPDATE reservations SET status = 'CONFIRMED' WHERE reservation_id = 2", FULL);
	accepted(b, "UPDATE reservations SET party_size = 6 WHERE reservation_id = 1");
	accepted(b, "UPDATE reservations SET status = 'CONFIRMED' WHERE reservation_id = 2");
}

static void lowering_the_capacity_below_what_is_sold_is_refused(void **state)
{
	struct book *b = *state;

	refused(b, "UPDATE restaurant_reservation_slots SET max_capacity = 5 WHERE slot_id = 1", FULL);
	accepted(b, "UPDATE restaurant_reservation_slots SET max_capacity = 6 WHERE slot_id = 1");
	prints(b, "SELECT actor, entity, entity_id, change, from_value, to_value FROM audit WHERE entity = 'slot'",
	       "shell|slot|1|max_capacity|10|6\n");
}

static void booking_a_user_twice_into_one_slot_is_refused(void **state)
{
	struct book *b = *state;

	refused(b, ADD(2, 1, 1, 1, "CONFIRMED"), "DUPLICATE: this person has an active reservation in this slot");
	accepted(b, ADD(2, 2, 1, 1, "CONFIRMED")); /* another time is fine */
	refused(b, "UPDATE reservations SET slot_id = 1 WHERE reservation_id = 2",
		"DUPLICATE: this person has an active reservation in this slot");
}

static void cancelling_and_booking_again_works_as_often_as_one_likes(void **state)
{
	struct book *b = *state;

	accepted(b, "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = 1");
	accepted(b, ADD(2, 1, 1, 6, "TEMPORARY"));
	accepted(b, "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = 2");
	accepted(b, ADD(3, 1, 1, 6, "CONFIRMED"));
	prints(b, "SELECT count(*) FROM reservations WHERE user_id = 1 AND slot_id = 1", "3\n");
}

static void add_tables(const struct book *b)
{
	accepted(b, "INSERT INTO restaurants (restaurant_id, name) VALUES (2, '다른 집');"
		    "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_max) VALUES"
		    " (1, 1, '창가', 6), (2, 1, '작은', 2), (3, 2, '남의', 8)");
}

static void a_table_seats_one_party_at_a_time(void **state)
{
	struct book *b = *state;

	add_tables(b);
	accepted(b, "UPDATE reservations SET table_id = 1 WHERE reservation_id = 1");
	accepted(b, ADD(2, 1, 2, 2, "CONFIRMED"));
	refused(b, "UPDATE reservations SET table_id = 1 WHERE reservation_id = 2",
		"WRONG_TABLE: this table is taken at that time");
	accepted(b, "UPDATE reservations SET slot_id = 2, table_id = 1 WHERE reservation_id = 2"); /* at another time */
	prints(b, "SELECT reservation_id, table_id, starts_at, ends_at FROM reservation_tables ORDER BY 1",
	       "1|1|2026-01-20T02:00:00Z|2026-01-20T03:00:00Z\n2|1|2026-01-20T03:00:00Z|2026-01-20T04:00:00Z\n");
	/* A party that stays longer has it longer. */
	refused(b, "UPDATE reservations SET ends_at = '2026-01-20T03:00:01Z' WHERE reservation_id = 1",
		"WRONG_TABLE: this table is taken at that time");
	accepted(
		b,
		"UPDATE reservations SET ends_at = '2026-01-20T02:30:00Z', sitting_minutes = 30 WHERE reservation_id = 1"); /* they left */
	accepted(b, "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = 2");
	prints(b, "SELECT count(*) FROM reservation_tables", "1\n");
	accepted(b, "UPDATE reservations SET table_id = NULL WHERE reservation_id = 1");
	prints(b, "SELECT count(*) FROM reservation_tables", "0\n");
}

static void a_party_that_is_still_there_takes_seats(void **state)
{
	static const char full[] = "SLOT_FULL: more people would be present than there are seats";
	struct book *b = *state;

	/* Six at 11:00; at most eight may be present, and each stays for ninety minutes. */
	accepted(b, "UPDATE restaurants SET seats = 8, sitting_minutes = 90;"
		    "UPDATE reservations SET ends_at = '2026-01-20T03:30:00Z', sitting_minutes = 90 WHERE reservation_id = 1");
	refused(b, ADD(2, 2, 2, 3, "CONFIRMED"), full); /* 12:00 */
	accepted(b, ADD(2, 2, 2, 2, "CONFIRMED"));
	prints(b, "SELECT sitting_minutes, ends_at FROM reservations WHERE reservation_id = 2", "90|2026-01-20T04:30:00Z\n");
	refused(b, "UPDATE reservations SET party_size = 3 WHERE reservation_id = 2", full);
	accepted(b,
		 "UPDATE reservations SET ends_at = '2026-01-20T02:50:00Z' WHERE reservation_id = 1"); /* the six have left */
	accepted(b, "UPDATE reservations SET party_size = 8 WHERE reservation_id = 2");
	refused(b, "UPDATE reservations SET ends_at = '2026-01-20T03:10:00Z' WHERE reservation_id = 1", full);
	accepted(b, "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = 2");
	accepted(b, "UPDATE reservations SET ends_at = '2026-01-20T03:10:00Z', sitting_minutes = 70 WHERE reservation_id = 1");
}

static void tables_are_joined_by_their_set(void **state)
{
	struct book *b = *state;

	add_tables(b);
	accepted(b, "INSERT INTO table_sets (set_id, restaurant_id, seats_max) VALUES (1, 1, 9);"
		    "INSERT INTO table_set_members VALUES (1, 1), (1, 2)");
	refused(b, "INSERT INTO table_set_members VALUES (1, 3)", "WRONG_TABLE: this table belongs to another restaurant");
	accepted(b, "INSERT INTO reservation_tables VALUES (1, 1, '2026-01-20T02:00:00Z', '2026-01-20T03:00:00Z', 0),"
		    " (1, 2, '2026-01-20T02:00:00Z', '2026-01-20T03:00:00Z', 0);"
		    "UPDATE restaurant_reservation_slots SET max_capacity = 20;"
		    "UPDATE reservations SET table_id = 1, party_size = 9 WHERE reservation_id = 1");
	refused(b, "UPDATE reservations SET party_size = 10 WHERE reservation_id = 1",
		"WRONG_TABLE: these tables are too small");
	refused(b,
		"INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status, table_id)"
		" VALUES ('R2', 1, 2, 2, 'RESERVATION_DEPOSIT', 'CONFIRMED', 2)",
		"WRONG_TABLE: this table is taken at that time");
	refused(b, "UPDATE reservations SET party_size = 9, table_id = 3 WHERE reservation_id = 1",
		"WRONG_TABLE: this table belongs to another restaurant");
}

static void a_table_of_another_house_or_too_small_is_refused(void **state)
{
	struct book *b = *state;

	add_tables(b);
	refused(b, "UPDATE reservations SET table_id = 3 WHERE reservation_id = 1",
		"WRONG_TABLE: this table belongs to another restaurant");
	refused(b, "UPDATE reservations SET table_id = 2 WHERE reservation_id = 1", "WRONG_TABLE: these tables are too small");
	refused(b,
		"INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status, table_id)"
		" VALUES ('R2', 1, 2, 3, 'RESERVATION_DEPOSIT', 'CONFIRMED', 2)",
		"WRONG_TABLE: these tables are too small");
	accepted(b, "UPDATE reservations SET table_id = 1 WHERE reservation_id = 1");
	refused(b, "UPDATE reservations SET party_size = 7 WHERE reservation_id = 1",
		"WRONG_TABLE: these tables are too small");
}

/* Each state, and one it cannot jump to; all pairs are compared with core/life.c in test_life. */
static void a_status_cannot_jump(void **state)
{
	static const char *const jumps[][2] = {
		{"TEMPORARY", "COMPLETED"},      {"TEMPORARY", "NO_SHOW"},        {"TEMPORARY", "REFUNDED"},
		{"CONFIRMED", "TEMPORARY"},      {"CONFIRMED", "EXPIRED"},        {"CONFIRMED", "REFUNDED"},
		{"PREPAY_CONFIRM", "CONFIRMED"}, {"REFUND_PENDING", "CONFIRMED"}, {"REFUND_PENDING", "COMPLETED"},
		{"EXPIRED", "TEMPORARY"},        {"EXPIRED", "CANCELED"},         {"COMPLETED", "CONFIRMED"},
		{"REFUNDED", "CONFIRMED"},       {"NO_SHOW", "CONFIRMED"},        {"CANCELED", "CONFIRMED"},
	};
	struct book *b = *state;
	char sql[700];

	accepted(b, "UPDATE reservations SET status = 'CANCELED'");
	for (size_t i = 0; i < COUNT(jumps); i++) {
		snprintf(sql, sizeof sql,
			 "BEGIN; INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size,"
			 " reservation_type, status, hold_expires_at) VALUES (9, 'R9', 2, 2, 2, 'RESERVATION_DEPOSIT', '%s',"
			 " '2099-01-01T00:00:00Z'); UPDATE reservations SET status = '%s' WHERE reservation_id = 9;\nROLLBACK",
			 jumps[i][0], jumps[i][1]);
		refused(b, sql, MOVE);
	}
	refused(b, "UPDATE reservations SET status = 'SEATED'", "BAD_MOVE");
}

static void nothing_is_deleted_or_replaced(void **state)
{
	struct book *b = *state;

	accepted(b, "INSERT INTO payments (payment_id, reservation_id, provider, amount, status, kept_amount, paid_at)"
		    " VALUES (1, 1, 'desk', 30000, 'PAID', 30000, '2026-01-19T02:00:00Z')");
	refused(b, "DELETE FROM reservations WHERE reservation_id = 1", KEPT);
	refused(b, "DELETE FROM payments", KEPT);
	accepted(b, "INSERT INTO cards (card_id, ended_at) VALUES (7, '2026-01-19T02:00:00Z')");
	refused(b, "DELETE FROM cards", KEPT);
	refused(b, "DELETE FROM audit", KEPT);
	refused(b, "UPDATE audit SET actor = 'somebody else'", KEPT);
	refused(b, "REPLACE INTO audit (audit_id, at, actor, entity, entity_id, change) VALUES (1, 'x', 'x', 'x', 1, 'x')",
		KEPT);
	refused(b,
		"REPLACE INTO payments (payment_id, reservation_id, provider, amount, status)"
		" VALUES (1, 1, 'desk', 1, 'READY')",
		KEPT);
	refused(b,
		"REPLACE INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size,"
		" reservation_type, status) VALUES (1, 'R1', 2, 1, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED')",
		KEPT);
}

#define WAITER_AUDIT \
	"SELECT actor, from_value, to_value, at = '2026-01-19T04:00:00Z' FROM audit WHERE entity = 'waitlist' ORDER BY " \
	"audit_id"

/* jari raises the version, however often it writes within a second; the shell does not. */
static void who_changed_a_waiter_is_told_by_the_version(void **state)
{
	struct book *b = *state;

	accepted(b, "INSERT INTO waitlist (waitlist_id, restaurant_id, slot_date, slot_time, user_id, party_size, starts_at,"
		    " changed_by, created_at, updated_at) VALUES (1, 1, '2026-01-20', '11:00', 2, 4, '2026-01-20T02:00:00Z',"
		    " 'user:2', '2026-01-19T04:00:00Z', '2026-01-19T04:00:00Z')");
	accepted(b, ADD(2, 2, 2, 4, "TEMPORARY"));
	accepted(b, "UPDATE reservations SET source = 'WAITLIST', changed_by = 'user:7' WHERE reservation_id = 2");
	accepted(b,
		 "UPDATE waitlist SET status = 'OFFERED', reservation_id = 2, version = version + 1, changed_by = 'waitlist',"
		 " updated_at = '2026-01-19T04:00:00Z'");
	accepted(b, "UPDATE waitlist SET status = 'WAITING'");
	accepted(b, "UPDATE waitlist SET status = 'OFFERED', version = version + 1, changed_by = 'waitlist'");
	accepted(b, "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = 2"); /* the entry follows its hold */
	prints(b, WAITER_AUDIT,
	       "user:2||WAITING|1\nwaitlist|WAITING|OFFERED|1\nshell|OFFERED|WAITING|0\nwaitlist|WAITING|OFFERED|1\n"
	       "shell|OFFERED|LEFT|0\n");
}

static void a_paid_reservation_that_is_cancelled_at_the_shell_is_due_back(void **state)
{
	struct book *b = *state;

	accepted(b, "INSERT INTO payments (payment_id, reservation_id, provider, amount, status, kept_amount, paid_at)"
		    " VALUES (1, 1, 'desk', 30000, 'PAID', 30000, '2026-01-19T02:00:00Z')");
	accepted(b, "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = 1");
	prints(b, "SELECT status, kept_amount, due_back_amount FROM payments", "REFUND_DUE|0|30000\n");
	prints(b, "SELECT canceled_by, refund_amount FROM reservation_cancellations", "RESTAURANT|30000\n");
}

static void three_hundred_letters_of_any_script_fit_a_request(void **state)
{
	struct book *b = *state;
	char korean[1000] = "", sql[1100];

	for (int i = 0; i < 300; i++)
		strcat(korean, "자");
	snprintf(sql, sizeof sql, "UPDATE reservations SET request_message = '%s'", korean);
	accepted(b, sql);
	snprintf(sql, sizeof sql, "UPDATE reservations SET request_message = '%s리'", korean);
	refused(b, sql, "CHECK constraint failed: length(request_message) <= 300");
}

static void a_currency_is_not_changed_while_money_is_open(void **state)
{
	static const char other[] = "UPDATE restaurants SET currency = 'EUR'",
			  open[] = "CURRENCY_IN_USE: reservations to come have money paid or due, or money is due back";
	struct book *b = *state;

	accepted(b, "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
		    " VALUES (9, 1, date('now', '+9 days'), '11:00', 10);" ADD(
			    9, 9, 2, 2, "CONFIRMED") ";"
						     " UPDATE reservations SET deposit_amount = 10000, total_amount = 10000 "
						     "WHERE reservation_id = 9;"
						     " INSERT INTO payments (reservation_id, provider, amount, status, "
						     "kept_amount, paid_at, restaurant_id)"
						     " VALUES (9, 'desk', 10000, 'PAID', 10000, '2026-01-01T00:00:00Z', 1)");
	refused(b, other, open);
	accepted(b, "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = 9");
	refused(b, other, open); /* it is due back */
	accepted(b, "UPDATE payments SET status = 'REFUNDED', refunded_amount = 10000, due_back_amount = 0, kept_amount = 0");
	accepted(b, other);
}

static void impossible_dates_and_times_are_refused(void **state)
{
	static const char *const bad[][2] = {
		{"2026-02-30", "11:00"},       {"2026-02-29", "11:00"},    {"2026-13-01", "11:00"}, {"2026-00-10", "11:00"},
		{"2026-1-2", "11:00"},         {"20260120", "11:00"},      {"tomorrow", "11:00"},   {"", "11:00"},
		{"2026-01-20 11:00", "11:00"}, {"2026-04-31", "11:00"},    {"2026-01-21", "30:00"}, {"2026-01-21", "11:60"},
		{"2026-01-21", "1:00"},        {"2026-01-21", "11:00:00"}, {"2026-01-21", "1100"},  {"2026-01-21", "-1:00"},
	};
	struct book *b = *state;
	char sql[300];

	for (size_t i = 0; i < COUNT(bad); i++) {
		snprintf(sql, sizeof sql,
			 "INSERT INTO restaurant_reservation_slots (restaurant_id, slot_date, slot_time, max_capacity)"
			 " VALUES (1, '%s', '%s', 4)",
			 bad[i][0], bad[i][1]);
		refused(b, sql, "CHECK constraint failed: slot_");
	}
	refused(b,
		"INSERT INTO restaurant_reservation_slots (restaurant_id, slot_date, slot_time, max_capacity)"
		" VALUES (1, 'now', '11:00', 4)",
		"in a CHECK constraint");
	refused(b, "UPDATE reservations SET hold_expires_at = '2026-01-20 02:00:00'",
		"CHECK constraint failed: hold_expires_at");
	refused(b, "UPDATE reservations SET hold_expires_at = '2026-02-30T02:00:00Z'",
		"CHECK constraint failed: hold_expires_at");
	refused(b, "UPDATE reservations SET created_at = 'yesterday'", "CHECK constraint failed: created_at");
	refused(b, "INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) VALUES (1, 1, '15:00', '11:00')",
		"CHECK constraint failed: opens < closes");
	refused(b, "INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) VALUES (1, 8, '11:00', '24:00')",
		"CHECK constraint failed: weekday");
	refused(b, "INSERT INTO special_days (restaurant_id, day, opens) VALUES (1, '2026-01-20', '11:00')",
		"CHECK constraint failed");
	refused(b, ADD(2, 1, 2, 0, "CONFIRMED"), "CHECK constraint failed: party_size");
	refused(b, "UPDATE reservations SET party_size = 'six'", "cannot store TEXT value in INTEGER column");
}

static void a_hold_needs_an_end_and_a_total_is_a_sum(void **state)
{
	struct book *b = *state;

	refused(b,
		"INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status)"
		" VALUES ('R2', 1, 2, 1, 'RESERVATION_DEPOSIT', 'TEMPORARY')",
		"CHECK constraint failed: status <> 'TEMPORARY'");
	refused(b, "UPDATE reservations SET deposit_amount = 5000", "CHECK constraint failed: total_amount");
	refused(b, "UPDATE reservations SET deposit_amount = -1, total_amount = -1", "CHECK constraint failed");
	accepted(b, "UPDATE reservations SET deposit_amount = 5000, total_amount = 5000");
}

#define PAY(amount, status, kept, returned, due, at) \
	"INSERT INTO payments (reservation_id, provider, amount, status, kept_amount, refunded_amount, due_back_amount," \
	" paid_at) VALUES (1, 'desk', " #amount ", '" status "', " #kept ", " #returned ", " #due ", " at ")"

static void every_won_is_accounted_for(void **state)
{
	struct book *b = *state;

	accepted(b, PAY(30000, "READY", 0, 0, 0, "NULL"));
	accepted(b, PAY(30000, "FAILED", 0, 0, 0, "NULL"));
	accepted(b, PAY(30000, "PAID", 30000, 0, 0, "'2026-01-19T02:00:00Z'"));
	accepted(b, PAY(30000, "REFUNDED", 10000, 20000, 0, "'2026-01-19T02:00:00Z'"));
	accepted(b, PAY(30000, "REFUND_DUE", 10000, 5000, 15000, "'2026-01-19T02:00:00Z'"));
	refused(b, PAY(30000, "PAID", 29999, 0, 0, "'2026-01-19T02:00:00Z'"), "CHECK constraint failed: status IN");
	refused(b, PAY(30000, "PAID", 30000, 1, 0, "'2026-01-19T02:00:00Z'"), "CHECK constraint failed: status IN");
	refused(b, PAY(30000, "PAID", 30000, 0, 0, "NULL"), "CHECK constraint failed: status IN");
	refused(b, PAY(30000, "PAID", 20000, 0, 10000, "'2026-01-19T02:00:00Z'"), "CHECK constraint failed: (status =");
	refused(b, PAY(30000, "REFUND_DUE", 30000, 0, 0, "'2026-01-19T02:00:00Z'"), "CHECK constraint failed: (status =");
	refused(b, PAY(-1, "READY", 0, 0, 0, "NULL"), "CHECK constraint failed: amount >= 0");
	refused(b, "UPDATE payments SET kept_amount = 0 WHERE status = 'PAID'", "CHECK constraint failed");
}

static void a_payment_of_a_provider_counts_once(void **state)
{
	struct book *b = *state;
	static const char pay[] = "INSERT INTO payments (reservation_id, provider, provider_payment_id, amount, status)"
				  " VALUES (1, 'portone', 'pay-1', 1000, 'READY')";

	accepted(b, pay);
	refused(b, pay, "NEVER_DELETED: the book keeps every row");
}

static void every_change_is_written_down(void **state)
{
	struct book *b = *state;

	add_tables(b);
	accepted(b, "UPDATE reservations SET party_size = 5, table_id = 1 WHERE reservation_id = 1");
	accepted(b, "UPDATE reservations SET visit_status = 'ARRIVED' WHERE reservation_id = 1");
	accepted(b, "UPDATE reservations SET visit_status = 'ARRIVED' WHERE reservation_id = 1"); /* no change, no row */
	accepted(b, "UPDATE reservations SET status = 'COMPLETED' WHERE reservation_id = 1");
	accepted(b, "UPDATE reservations SET visit_status = 'LEFT', version = version + 1, changed_by = 'user:7',"
		    " updated_at = '2026-01-20T04:00:00Z' WHERE reservation_id = 1");
	prints(b,
	       "SELECT actor, entity, entity_id, change, from_value, to_value FROM audit WHERE entity = 'reservation' ORDER BY "
	       "audit_id",
	       "shell|reservation|1|created||CONFIRMED\n"
	       "shell|reservation|1|details|party 6, slot 1, table -, PENDING, user 1, total 0|"
	       "party 5, slot 1, table 1, PENDING, user 1, total 0\n"
	       "shell|reservation|1|details|party 5, slot 1, table 1, PENDING, user 1, total 0|"
	       "party 5, slot 1, table 1, ARRIVED, user 1, total 0\n"
	       "shell|reservation|1|status|CONFIRMED|COMPLETED\n"
	       "user:7|reservation|1|details|party 5, slot 1, table 1, ARRIVED, user 1, total 0|"
	       "party 5, slot 1, table 1, LEFT, user 1, total 0\n");
	prints(b, "SELECT at FROM audit WHERE actor = 'user:7'", "2026-01-20T04:00:00Z\n");
	prints(b, "SELECT count(*) FROM audit WHERE abs(strftime('%s', at) - strftime('%s', 'now')) > 3600 AND actor = 'shell'",
	       "0\n");
}

/* ---- views ---- */

static void v_slots_tells_what_is_taken_and_free(void **state)
{
	struct book *b = *state;

	accepted(b, ADD(2, 1, 2, 2, "TEMPORARY"));
	prints(b, "SELECT * FROM v_slots", "2026-01-20|11:00|10|8|2|2|온기 식당\n2026-01-20|12:00|10|0|10|0|온기 식당\n");
	/* A hold past its time takes no seat, swept or not. */
	accepted(b, "UPDATE reservations SET hold_expires_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE reservation_id = 2");
	prints(b, "SELECT * FROM v_slots WHERE time = '11:00'", "2026-01-20|11:00|10|6|4|1|온기 식당\n");
}

/* Two houses 26 hours apart: whatever the time is, it is another day there. */
static void v_today_goes_by_the_restaurants_own_day(void **state)
{
	struct book *b = *state;

	accepted(b,
		 "INSERT INTO restaurants (restaurant_id, name, timezone, utc_offset_minutes) VALUES (2, '동쪽', 'Etc/GMT-14', "
		 "840),"
		 " (3, '서쪽', 'Etc/GMT+12', -720);"
		 "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity) VALUES"
		 " (11, 2, date('now', '840 minutes'), '18:00', 9), (12, 2, date('now', '-720 minutes'), '18:00', 9),"
		 " (13, 3, date('now', '-720 minutes'), '19:00', 9), (14, 3, date('now', '840 minutes'), '19:00', 9);" ADD(
			 11, 11, 1, 2, "CONFIRMED") ";" ADD(12, 12, 1, 2,
							    "CONFIRMED") ";" ADD(13, 13, 2, 3,
										 "CONFIRMED") ";" ADD(14, 14, 2, 3,
												      "CONFIRMED"));
	prints(b, "SELECT time, guest, restaurant, code FROM v_today", "18:00|김하나|동쪽|R11\n19:00|이두리|서쪽|R13\n");
}

/* A house where it is half past one in the night just now, whatever the time is here. */
static void v_today_is_the_evening_before_while_its_service_lasts(void **state)
{
	struct book *b = *state;
	static const char hours[] = "UPDATE special_days SET closes = '%s' WHERE restaurant_id = 2";
	char sql[200];

	accepted(b, "INSERT INTO restaurants (restaurant_id, name, timezone, utc_offset_minutes) SELECT 2, '밤', "
		    "'Nowhere/Night', m FROM"
		    " (SELECT (90 - strftime('%H', 'now') * 60 - strftime('%M', 'now') + 2160) % 1440 - 720 AS m);"
		    "INSERT INTO special_days (restaurant_id, day, opens, closes) SELECT 2, date('now', utc_offset_minutes ||"
		    " ' minutes', '-1 day'), '18:00', '26:00' FROM restaurants WHERE restaurant_id = 2;"
		    "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
		    " SELECT 11, 2, day, '25:00', 9 FROM special_days;"
		    "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
		    " SELECT 12, 2, date(day, '+1 day'), '18:00', 9 FROM special_days;" ADD(11, 11, 1, 2, "CONFIRMED") ";" ADD(
			    12, 12, 2, 2, "CONFIRMED"));
	prints(b, "SELECT time, code FROM v_today", "25:00|R11\n");
	snprintf(sql, sizeof sql, hours, "25:15");
	accepted(b, sql);
	prints(b, "SELECT time, code FROM v_today", "18:00|R12\n");
	/* The same by its week. */
	accepted(b, "INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 2, value, '18:00', '27:00' FROM"
		    " json_each('[1,2,3,4,5,6,7]'); UPDATE special_days SET opens = NULL, closes = NULL");
	prints(b, "SELECT time, code FROM v_today", "18:00|R12\n"); /* that evening was closed */
	accepted(b, "UPDATE special_days SET as_week = 1");
	prints(b, "SELECT time, code FROM v_today", "25:00|R11\n");
}

static void v_today_v_upcoming_and_v_holds_read_well(void **state)
{
	struct book *b = *state;

	add_tables(b);
	/* Where it is noon now, of today's date in UTC: 00:00 is past and 23:59 is to come. */
	accepted(b, "UPDATE restaurants SET utc_offset_minutes = (12 - strftime('%H', 'now')) * 60,"
		    " timezone = printf('Etc/GMT%+d', strftime('%H', 'now') - 12)");
	accepted(b,
		 "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity) VALUES"
		 " (11, 1, date('now'), '00:00', 10), (12, 1, date('now'), '23:59', 10),"
		 " (13, 1, date('now', '+1 day'), '12:00', 10);" ADD(
			 11, 11, 1, 6,
			 "CONFIRMED") ";"
				      "UPDATE reservations SET table_id = 1, request_message = '창가', deposit_amount = 30000, "
				      "total_amount = 30000"
				      " WHERE reservation_id = 11;" ADD(
					      2, 12, 2, 2,
					      "TEMPORARY") ";"
							   "UPDATE reservations SET deposit_amount = 10000, total_amount = "
							   "10000, hold_expires_at ="
							   " strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+150 seconds') WHERE "
							   "reservation_id = 2;" ADD(3, 12, 1, 2, "CANCELED") ";" ADD(
								   4, 12, 1, 2,
								   "EXPIRED") ";" ADD(5, 12, 1, 2,
										      "NO_SHOW") ";" ADD(6, 13, 1, 3,
													 "CONFIRMED"));
	prints(b, "SELECT * FROM v_today",
	       "00:00|6|CONFIRMED||01011112222|30000|R11|창가|김하나|창가|온기 식당\n"
	       "23:59|2|TEMPORARY|3 min|01033334444|10000|R2||이두리||온기 식당\n"
	       "23:59|2|NO_SHOW||01011112222|0|R5||김하나||온기 식당\n");
	prints(b, "SELECT time, party, status, phone, code, guest FROM v_upcoming",
	       "23:59|2|TEMPORARY|01033334444|R2|이두리\n12:00|3|CONFIRMED|01011112222|R6|김하나\n");
	prints(b, "SELECT minutes_left, amount, currency, time, party, phone, code, guest, restaurant FROM v_holds",
	       "3|10000|KRW|23:59|2|01033334444|R2|이두리|온기 식당\n");
	/* Wide columns come last. */
	prints(b, "SELECT group_concat(name) FROM (SELECT name FROM pragma_table_info('v_today') ORDER BY cid DESC LIMIT 4)",
	       "restaurant,request,guest,table\n");
}

static void no_guest_has_come_before_the_slot_begins(void **state)
{
	struct book *b = *state;

	accepted(b, "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
		    " VALUES (13, 1, date('now', '540 minutes', '+1 day'), '12:00', 10);" ADD(6, 13, 2, 3, "CONFIRMED"));
	refused(b, "UPDATE reservations SET status = 'COMPLETED' WHERE reservation_id = 6",
		"TOO_EARLY: its time has not come yet");
	refused(b, "UPDATE reservations SET status = 'NO_SHOW' WHERE reservation_id = 6",
		"TOO_EARLY: its time has not come yet");
	accepted(b, "UPDATE reservations SET status = 'NO_SHOW' WHERE reservation_id = 1"); /* of last January */
}

static void v_guests_and_v_no_shows_tell_a_guests_history(void **state)
{
	struct book *b = *state;

	accepted(
		b,
		"UPDATE reservations SET status = 'COMPLETED';"
		"INSERT INTO restaurant_guests (user_id, restaurant_id, note) VALUES (1, 1, '땅콩');"
		"INSERT INTO users (user_id, user_type, name, erased_at) VALUES (4, 'GUEST', '-', '2026-01-01T00:00:00Z');" ADD(
			2, 2, 1, 2, "NO_SHOW") ";" ADD(3, 2, 2, 4, "CANCELED") ";" ADD(4, 2, 4, 1, "NO_SHOW"));
	prints(b, "SELECT guest, phone, reservations, visits, no_shows, canceled, last_date, note FROM v_guests",
	       "김하나|01011112222|2|1|1|0|2026-01-20|땅콩\n이두리|01033334444|1|0|0|1|2026-01-20|\n");
	prints(b, "SELECT * FROM v_no_shows WHERE guest <> '-'", "2026-01-20|12:00|2|01011112222|0|R2|김하나\n");
}

static void v_money_adds_up_by_the_restaurants_day(void **state)
{
	struct book *b = *state;

	accepted(b, PAY(30000, "PAID", 30000, 0, 0, "'2026-01-19T14:59:59Z'"));        /* 23:59:59 in Seoul */
	accepted(b, PAY(20000, "REFUNDED", 5000, 15000, 0, "'2026-01-19T15:00:00Z'")); /* midnight */
	accepted(b, PAY(10000, "REFUND_DUE", 2000, 1000, 7000, "'2026-01-20T02:00:00Z'"));
	accepted(b, PAY(99999, "READY", 0, 0, 0, "NULL"));
	prints(b, "SELECT * FROM v_money", "2026-01-20|2|30000|7000|16000|7000|KRW\n2026-01-19|1|30000|30000|0|0|KRW\n");
}

/* ---- nothing vanishes ---- */

/* Whatever unique thing it collides with, a row is not replaced. */
static void nothing_is_replaced(void **state)
{
	static const char *const tries[] = {
		"REPLACE INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size, reservation_type, "
		"status)"
		" VALUES (77, 'R1', 2, 2, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED')",
		"REPLACE INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status)"
		" VALUES ('R77', 1, 1, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED')",
		"REPLACE INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status, ticket)"
		" VALUES ('R78', 2, 2, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED', 900)",
		"REPLACE INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status, "
		"idempotency_key)"
		" VALUES ('R79', 2, 1, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED', 'k')",
		"UPDATE OR REPLACE reservations SET reservation_code = 'R1' WHERE reservation_id = 2",
		"UPDATE OR REPLACE reservations SET reservation_id = 1 WHERE reservation_id = 2",
		"UPDATE OR REPLACE reservations SET ticket = 900 WHERE reservation_id = 2",
		"UPDATE OR REPLACE reservations SET user_id = 1, idempotency_key = 'k' WHERE reservation_id = 2",
		"UPDATE OR REPLACE reservations SET user_id = 1 WHERE reservation_id = 3",
		"REPLACE INTO users (user_id, user_type, name) VALUES (1, 'GUEST', 'x')",
		"REPLACE INTO users (user_type, name, phone) VALUES ('GUEST', 'x', '+82 10 1111 2222')",
		"UPDATE OR REPLACE users SET phone = '010-1111-2222' WHERE user_id = 2",
		"UPDATE OR REPLACE users SET user_id = 1 WHERE user_id = 2",
		"DELETE FROM users WHERE user_id = 2",
		"REPLACE INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
		" VALUES (1, 1, '2027-01-01', '11:00', 1)",
		"UPDATE OR REPLACE restaurant_reservation_slots SET slot_time = '12:00' WHERE slot_id = 1",
		"UPDATE restaurant_reservation_slots SET slot_date = '2026-01-21'",
		"DELETE FROM restaurant_reservation_slots WHERE slot_id = 2",
		"REPLACE INTO payments (payment_id, reservation_id, provider, amount, status) VALUES (1, 1, 'desk', 0, "
		"'READY')",
		"REPLACE INTO payments (reservation_id, provider, provider_payment_id, amount, status) VALUES (1, 'portone', "
		"'P1', 0, 'READY')",
		"UPDATE OR REPLACE payments SET provider_payment_id = 'P1' WHERE payment_id = 2",
		"UPDATE payments SET status = 'FAILED' WHERE payment_id = 1",
		"UPDATE payments SET status = 'READY', paid_at = NULL WHERE payment_id = 1",
		"UPDATE payments SET reservation_id = 2 WHERE payment_id = 1",
		"UPDATE payments SET amount = 1, kept_amount = 1 WHERE payment_id = 1",
		"UPDATE payments SET amount = 0, kept_amount = 0 WHERE payment_id = 1",
		"UPDATE OR REPLACE payments SET payment_id = 2 WHERE payment_id = 1",
		"DELETE FROM reservation_menu_items",
		"REPLACE INTO reservation_menu_items VALUES (1, 1, 'x', 0, 1, 0)",
		"UPDATE reservation_menu_items SET unit_price = 0, line_amount = 0",
		"REPLACE INTO restaurants (restaurant_id, name) VALUES (1, 'x')",
		"REPLACE INTO menus (menu_id, restaurant_id, name, price) VALUES (1, 1, 'x', 1)",
		"DELETE FROM restaurants",
	};
	static const char rows[] =
		"SELECT count(*) || ' ' || (SELECT count(*) FROM users) || ' ' || (SELECT count(*) FROM payments) || ' ' ||"
		" (SELECT count(*) FROM restaurant_reservation_slots) || ' ' || (SELECT sum(line_amount) FROM "
		"reservation_menu_items)"
		" || ' ' || (SELECT group_concat(reservation_code) FROM reservations) FROM reservations";
	struct book *b = *state;

	accepted(
		b,
		"UPDATE reservations SET ticket = 900, idempotency_key = 'k' WHERE reservation_id = 1;" ADD(
			2, 2, 2, 1,
			"CONFIRMED") ";" ADD(3, 1, 2, 1,
					     "CONFIRMED") ";"
							  "INSERT INTO payments (payment_id, reservation_id, provider, "
							  "provider_payment_id, amount, status, kept_amount, paid_at) VALUES"
							  " (1, 1, 'portone', 'P1', 5000, 'PAID', 5000, "
							  "'2026-01-01T00:00:00Z'), (2, 2, 'portone', 'P2', 5000, 'PAID', "
							  "5000, '2026-01-01T00:00:00Z');"
							  "INSERT INTO reservation_menu_items VALUES (1, 1, 'x', 100, 2, 200)");
	prints(b, rows, "3 2 2 2 200 R1,R2,R3\n");
	for (size_t i = 0; i < COUNT(tries); i++) {
		if (!*shell(b, "%s;", tries[i]))
			fail_msg("taken: %s", tries[i]);
		prints(b, rows, "3 2 2 2 200 R1,R2,R3\n");
	}
	/* A slot that is there is left as it is, without a word. */
	accepted(b, "REPLACE INTO restaurant_reservation_slots (restaurant_id, slot_date, slot_time, max_capacity) VALUES (1, "
		    "'2026-01-20', '11:00', 1)");
	prints(b, "SELECT max_capacity FROM restaurant_reservation_slots WHERE slot_id = 1", "10\n");
	/* Money may be given back, and what is due be told. */
	accepted(b,
		 "UPDATE payments SET status = 'REFUND_DUE', kept_amount = 1000, due_back_amount = 4000 WHERE payment_id = 1;"
		 "UPDATE payments SET status = 'REFUNDED', refunded_amount = 4000, due_back_amount = 0, refunded_at = "
		 "'2026-01-02T00:00:00Z'"
		 " WHERE payment_id = 1");
}

static void money_and_settings_are_written_down(void **state)
{
	struct book *b = *state;

	accepted(b, "INSERT INTO payments (payment_id, reservation_id, provider, amount, status, kept_amount, paid_at) VALUES"
		    " (1, 1, 'desk', 5000, 'PAID', 5000, '2026-01-01T00:00:00Z');"
		    "UPDATE payments SET status = 'REFUND_DUE', kept_amount = 1000, due_back_amount = 4000");
	prints(b, "SELECT actor, change, from_value, to_value FROM audit WHERE entity = 'payment'",
	       "shell|created||PAID, reservation 1, 5000 in, 5000 kept, 0 returned, 0 due back\n"
	       "shell|changed|PAID, reservation 1, 5000 in, 5000 kept, 0 returned, 0 due back|"
	       "REFUND_DUE, reservation 1, 5000 in, 1000 kept, 0 returned, 4000 due back\n");
	accepted(b, "UPDATE restaurants SET deposit_per_person = 7000, name_en = NULL, utc_offset_minutes = 500;"
		    "INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) VALUES (1, 1, '11:00', '15:00'); DELETE "
		    "FROM opening_hours WHERE "
		    "weekday = 1;"
		    "INSERT INTO special_days (restaurant_id, day) VALUES (1, '2027-01-01');"
		    "UPDATE menus SET price = 12000 WHERE menu_id = 1");
	prints(b,
	       "SELECT entity, change, ifnull(from_value, '-'), ifnull(to_value, '-') FROM audit WHERE entity IN "
	       "('restaurant', 'menu')"
	       " AND audit_id > (SELECT max(audit_id) FROM audit WHERE entity = 'payment') ORDER BY audit_id",
	       "restaurant|name_en|Ongi Table|-\nrestaurant|deposit_per_person|5000|7000\nrestaurant|hours|-|1 11:00-15:00\n"
	       "restaurant|hours|1 11:00-15:00|-\nrestaurant|special_day|-|2027-01-01 closed\nmenu|changed|들깨 칼국수, "
	       "11000|들깨 칼국수, 12000\n");
}

/* Each setting of core/settings.h: forget one in the trigger, and this fails. */
static void no_setting_changes_in_silence(void **state)
{
	struct book *b = *state;

	for (size_t i = 0; i < settings_count; i++) {
		const struct settings_row *row = &settings_rows[i];
		int step = settings_fits(row, row->fallback ? row->fallback + 1 : 1) ? 1 : SETTINGS_SITTING_MIN;
		char sql[200], told[100];

		snprintf(sql, sizeof sql, "UPDATE restaurants SET %s = %s + CASE WHEN %s = %d THEN -1 ELSE %d END", row->name,
			 row->name, row->name, row->max, step);
		snprintf(told, sizeof told, "%s\n", row->name);
		accepted(b, sql);
		prints(b, "SELECT change FROM audit WHERE audit_id = (SELECT max(audit_id) FROM audit)", told);
	}
}

/* ---- controls: without the defence the same words go through ---- */

static void without_its_defences_the_book_would_take_anything(void **state)
{
	static const struct {
		const char *defence, *sql;
	} rows[] = {
		{"TRIGGER reservations_insert", ADD(2, 1, 2, 5, "CONFIRMED")},
		{"TRIGGER reservations_fit_update", "UPDATE reservations SET party_size = 11 WHERE reservation_id = 1"},
		{"TRIGGER slots_keep_their_people",
		 "UPDATE restaurant_reservation_slots SET max_capacity = 5 WHERE slot_id = 1"},
		{"INDEX reservations_person; DROP TRIGGER reservations_no_replace", ADD(3, 1, 1, 1, "CONFIRMED")},
		{"TRIGGER reservations_table_update", "UPDATE reservations SET table_id = 3 WHERE reservation_id = 1"},
		{"TRIGGER reservations_life", "UPDATE reservations SET status = 'EXPIRED' WHERE reservation_id = 1"},
		{"TRIGGER audit_is_ink", "UPDATE audit SET actor = 'x'"},
		{"TRIGGER audit_no_replace",
		 "REPLACE INTO audit (audit_id, at, actor, entity, entity_id, change) VALUES (1, 'x', 'x', 'x', 1, 'x')"},
		{"TRIGGER audit_stays", "DELETE FROM audit"},
		{"TRIGGER reservations_stay", "DELETE FROM reservations"},
	};
	struct book *b = *state;
	char sql[800];

	add_tables(b);
	for (size_t i = 0; i < COUNT(rows); i++) {
		/* refused as long as it stands ... */
		assert_true(*shell(b, "%s;", rows[i].sql) != '\0');
		snprintf(sql, sizeof sql, "DROP %s; %s", rows[i].defence, rows[i].sql);
		accepted(b, sql); /* ... and not a moment longer */
	}
	b->damaged = true;
}

static void no_number_leaves_the_next_one_without_room(void **state)
{
	struct book *b = *state;

	refused(b, ADD(9223372036854775807, 1, 2, 1, "CONFIRMED"), "reservation_id < 9007199254740992");
}

/* The page as it stands in the tree is a script for the shell, and makes a book with every defence but the audit of settings. */
static void the_page_is_a_script_for_the_shell(void **state)
{
	struct book *b = *state;

	assert_string_equal(shell(b,
				  ".open :memory:\n.read db/schema.sql\nATTACH '%s' AS book;"
				  "SELECT type, name FROM book.sqlite_schema b WHERE name NOT LIKE 'sqlite_s%%' AND NOT EXISTS"
				  " (SELECT 1 FROM main.sqlite_schema m WHERE m.name = b.name AND m.sql IS b.sql);",
				  b->path),
			    "trigger|restaurants_audit\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(overbooking_a_slot_is_refused),
		TEST(no_number_leaves_the_next_one_without_room),
		TEST(released_seats_can_be_sold_again),
		TEST(an_expired_hold_comes_back_only_into_free_seats),
		TEST(lowering_the_capacity_below_what_is_sold_is_refused),
		TEST(booking_a_user_twice_into_one_slot_is_refused),
		TEST(cancelling_and_booking_again_works_as_often_as_one_likes),
		TEST(a_table_seats_one_party_at_a_time),
		TEST(a_party_that_is_still_there_takes_seats),
		TEST(tables_are_joined_by_their_set),
		TEST(a_table_of_another_house_or_too_small_is_refused),
		TEST(a_status_cannot_jump),
		TEST(nothing_is_deleted_or_replaced),
		TEST(who_changed_a_waiter_is_told_by_the_version),
		TEST(a_paid_reservation_that_is_cancelled_at_the_shell_is_due_back),
		TEST(three_hundred_letters_of_any_script_fit_a_request),
		TEST(a_currency_is_not_changed_while_money_is_open),
		TEST(impossible_dates_and_times_are_refused),
		TEST(a_hold_needs_an_end_and_a_total_is_a_sum),
		TEST(every_won_is_accounted_for),
		TEST(a_payment_of_a_provider_counts_once),
		TEST(every_change_is_written_down),
		TEST(v_slots_tells_what_is_taken_and_free),
		TEST(v_today_goes_by_the_restaurants_own_day),
		TEST(v_today_is_the_evening_before_while_its_service_lasts),
		TEST(v_today_v_upcoming_and_v_holds_read_well),
		TEST(no_guest_has_come_before_the_slot_begins),
		TEST(v_guests_and_v_no_shows_tell_a_guests_history),
		TEST(v_money_adds_up_by_the_restaurants_day),
		TEST(nothing_is_replaced),
		TEST(money_and_settings_are_written_down),
		TEST(no_setting_changes_in_silence),
		TEST(without_its_defences_the_book_would_take_anything),
		TEST(the_page_is_a_script_for_the_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
