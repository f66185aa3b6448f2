/*
 * test_import.c - an existing book comes in whole, repaired where it breaks a rule, or not at all.
 *
 * Each test writes the files of a small folder, imports them into a book of its own with one owner
 * (user 1) and one restaurant (1, Asia/Seoul, 20 seats), at 2026-01-10 09:00 in Seoul.  After each
 * the book must be sound in every way that `jari check` knows.
 */
#include "import.h"

#include "check.h"
#include "clock.h"
#include "migrate.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char NOW[] = "2026-01-10T00:00:00Z";
static const char SLOTS[] = "slot_id,restaurant_id,slot_date,slot_time,max_capacity\n"
			    "5,1,2026-02-01,12:00:00,20\n"
			    "6,1,2026-02-01,13:00,20\n";
static const char USERS[] = "user_id,name,phone,email\n"
			    "11,김하나,010-1111-2222,hana@example.com\n"
			    "12,이두리,010-3333-4444,duri@example.com\n"
			    "13,박세나,,\n";
#define HEAD \
	"reservation_id,reservation_code,slot_id,user_id,party_size,reservation_type,status," \
	"deposit_amount,prepay_amount,total_amount,hold_expires_at,created_at\n"

/* A code that jari made. */
#define OURS "reservation_code GLOB '[3-Y][3-Y][3-Y][3-Y]-[3-Y][3-Y][3-Y][3-Y]'"

extern const char embed_import_tables[];

static char dir[64], folder[80], path[128];
static struct hall hall;
static struct db db;
static struct import_report report;

static void run(const char *sql)
{
	char *why = NULL;

	if (sqlite3_exec(db.handle, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
}

/* The first column of the first row as text, "" when there is none; good until the next call but three. */
static const char *ask(const char *sql)
{
	static char out[4][512];
	static int at;
	sqlite3_stmt *s;
	char *text = out[at++ % 4];

	*text = '\0';
	if (sqlite3_prepare_v2(db.handle, sql, -1, &s, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db.handle));
	if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_text(s, 0))
		snprintf(text, sizeof out[0], "%s", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	return text;
}

static void file(const char *name, const char *text)
{
	char where[200];
	FILE *f;

	snprintf(where, sizeof where, "%s/%s", folder, name);
	f = fopen(where, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
	assert_int_equal(fclose(f), 0);
}

static void no_file(const char *name)
{
	char where[200];

	snprintf(where, sizeof where, "%s/%s", folder, name);
	unlink(where);
}

static int begin(void **state)
{
	bool made;

	(void)state;
	strcpy(dir, "/tmp/jari-import-XXXXXX");
	assert_non_null(mkdtemp(dir));
	snprintf(folder, sizeof folder, "%s/export", dir);
	snprintf(path, sizeof path, "%s/jari.db", dir);
	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(migrate_book(dir, &made), ERR_OK);
	assert_int_equal(hall_attach(&hall, dir), ERR_OK);
	assert_int_equal(db_open(&db, dir, &hall), ERR_OK);
	run("INSERT INTO restaurants (restaurant_id, name) VALUES (1, '온기 식당');"
	    "INSERT INTO users (user_id, user_type, name, email) VALUES (1, 'OWNER', 'Owner', 'owner@jari.local')");
	return 0;
}

static void print_finding(void *arg, const char *rule, const char *finding)
{
	(void)arg;
	if (finding)
		print_error("%s: %s\n", rule, finding);
}

static int end(void **state)
{
	struct check_report found;
	char command[128];

	(void)state;
	assert_string_equal(ask("PRAGMA cache_spill"), "0");
	assert_string_equal(ask("PRAGMA cache_size"), "-1000");
	db_close(&db);
	assert_int_equal(check_book(path, print_finding, NULL, &found), ERR_OK);
	assert_true(found.rules > 10);
	assert_int_equal(found.findings, 0);
	hall_remove(&hall);
	hall_detach(&hall);
	buf_free(&report.text);
	snprintf(command, sizeof command, "rm -rf %s", dir);
	return system(command);
}

static enum err import_as(bool dry_run)
{
	struct import_options o = {.folder = folder, .dry_run = dry_run};

	assert_true(clock_parse_iso(NOW, &o.now_s));
	buf_free(&report.text);
	return import_folder(&db, &o, &report);
}

static void import_well(void)
{
	enum err e = import_as(false);

	if (e != ERR_OK)
		fail_msg("%s: %s", err_word(e), report.text.data);
	assert_int_equal(report.problems, 0);
}

static void reported(const char *words)
{
	if (!report.text.data || !strstr(report.text.data, words))
		fail_msg("\"%s\" is not in the report:\n%s", words, report.text.data ? report.text.data : "");
}

/* Every row of every table as text. */
static char *dump(void)
{
	sqlite3_stmt *tables, *s;
	struct buf out = {0};
	char sql[200];

	assert_int_equal(sqlite3_prepare_v2(db.handle, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", -1,
					    &tables, NULL),
			 SQLITE_OK);
	while (sqlite3_step(tables) == SQLITE_ROW) {
		snprintf(sql, sizeof sql, "SELECT * FROM \"%s\" ORDER BY 1, 2", (const char *)sqlite3_column_text(tables, 0));
		assert_int_equal(sqlite3_prepare_v2(db.handle, sql, -1, &s, NULL), SQLITE_OK);
		while (sqlite3_step(s) == SQLITE_ROW)
			for (int i = 0; i < sqlite3_column_count(s); i++)
				buf_fmt(&out, "%s|",
					sqlite3_column_text(s, i) ? (const char *)sqlite3_column_text(s, i) : "NULL");
		sqlite3_finalize(s);
		buf_str(&out, "\n");
	}
	sqlite3_finalize(tables);
	assert_true(buf_ok(&out));
	return out.data;
}

/* The folder must be refused with these words, and the book must be as before. */
static void refused(const char *words)
{
	char *before = dump(), *after;

	assert_int_equal(import_as(false), ERR_BAD_REQUEST);
	assert_true(report.problems > 0);
	reported(words);
	after = dump();
	assert_string_equal(before, after);
	free(before);
	free(after);
}

static void a_whole_folder_keeps_its_ids_in_an_empty_book(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("menus.csv", "menu_id,restaurant_id,name,price\n31,1,칼국수,11000\n");
	file("reservations.csv",
	     HEAD "101,R20260105-0101,5,11,4,RESERVATION_DEPOSIT,CONFIRMED,20000,,20000,,2026-01-05 10:00:00\n"
		  "102,R20260106-0102,6,12,2,PREORDER_PREPAY,PREPAY_CONFIRM,,22000,22000,,2026-01-06T01:00:00Z\n"
		  "103,R20260107-0103,5,13,1,RESERVATION_DEPOSIT,COMPLETED,5000,0,5000,,2026-01-07 09:00:00.123456\n");
	file("payments.csv", "payment_id,reservation_id,provider,amount,status,paid_at\n"
			     "901,101,portone,20000,PAID,2026-01-05 10:03:00\n");
	file("reservation_menu_items.csv", "reservation_id,menu_id,menu_name,unit_price,quantity,line_amount\n"
					   "102,31,들깨 칼국수,11000,2,22000\n");
	import_well();
	assert_string_equal(ask("SELECT group_concat(user_id) FROM users"), "1,11,12,13");
	assert_string_equal(ask("SELECT group_concat(reservation_id) FROM reservations"), "101,102,103");
	assert_string_equal(ask("SELECT user_type FROM users WHERE user_id = 11"), "ACCOUNT");
	assert_string_equal(ask("SELECT user_type FROM users WHERE user_id = 13"), "GUEST");
	assert_string_equal(ask("SELECT phone FROM users WHERE user_id = 11"), "01011112222");
	assert_string_equal(ask("SELECT slot_time FROM restaurant_reservation_slots WHERE slot_id = 5"), "12:00");
	/* MySQL's times are the restaurant's, those with Z are not. */
	assert_string_equal(ask("SELECT created_at FROM reservations WHERE reservation_id = 101"), "2026-01-05T01:00:00Z");
	assert_string_equal(ask("SELECT created_at FROM reservations WHERE reservation_id = 102"), "2026-01-06T01:00:00Z");
	assert_string_equal(ask("SELECT created_at FROM reservations WHERE reservation_id = 103"), "2026-01-07T00:00:00Z");
	assert_string_equal(ask("SELECT paid_at FROM payments WHERE payment_id = 901"), "2026-01-05T01:03:00Z");
	assert_string_equal(ask("SELECT kept_amount FROM payments"), "20000");
	assert_string_equal(ask("SELECT menu_name || quantity FROM reservation_menu_items WHERE menu_id = 31"), "들깨 칼국수2");
	assert_string_equal(ask("SELECT DISTINCT source || changed_by FROM reservations"), "IMPORTimport");
	assert_true(strlen(ask("SELECT refund_policy FROM reservations WHERE reservation_id = 101")) > 10);
	assert_int_equal(report.repairs, 0);
	assert_int_equal(report.rows, 11);
	reported("Ids are those of the files.");
	reported("3 reservations, of which 2 are active for 6 people");
}

static void the_seeds_duplicates_are_canceled_and_none_is_lost(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	/* Double clicks left rows without amounts; the third is the one that was paid. */
	file("reservations.csv", HEAD "1,PENDING,5,11,4,RESERVATION_DEPOSIT,CONFIRMED,,,,,2026-01-05 10:00:00\n"
				      "7,PENDING,5,11,4,RESERVATION_DEPOSIT,CONFIRMED,NULL,NULL,NULL,,2026-01-05 10:00:00\n"
				      "8,R-8,5,11,4,RESERVATION_DEPOSIT,CONFIRMED,20000,,20000,,2026-01-05 10:00:01\n"
				      "9,R-9,5,11,4,RESERVATION_DEPOSIT,CANCELED,20000,,20000,,2026-01-04 10:00:01\n");
	file("payments.csv", "payment_id,reservation_id,amount,status,paid_at\n1,8,20000,DONE,2026-01-05 10:02:00\n");
	import_well();
	assert_string_equal(ask("SELECT count(*) FROM reservations"), "4");
	assert_string_equal(ask("SELECT reservation_id FROM reservations WHERE is_active = 1"), "8");
	assert_string_equal(ask("SELECT group_concat(reservation_id) FROM reservations WHERE status = 'CANCELED'"), "1,7,9");
	assert_string_equal(ask("SELECT from_value || '>' || to_value || ': ' || reason FROM audit WHERE entity_id = 7"
				" AND entity = 'reservation' AND change = 'status'"),
			    "CONFIRMED>CANCELED: import: an active duplicate of reservation 8, same guest and slot");
	assert_string_equal(ask("SELECT group_concat(reservation_id || canceled_by) FROM reservation_cancellations"),
			    "1SYSTEM,7SYSTEM");
	assert_string_equal(ask("SELECT count(*) FROM audit WHERE entity = 'reservation' AND entity_id = 9"), "1");
	reported("Active duplicates of one guest and slot canceled: 2");
	reported("reservations.csv line 3: reservation 7 (CONFIRMED) is a second active one of the same guest at "
		 "2026-02-01 12:00;"
		 " 8 stays, which is paid, and this one became CANCELED.");
	/* The one that went can be booked again, the one that stays cannot. */
	assert_int_not_equal(
		sqlite3_exec(db.handle,
			     "INSERT INTO reservations (reservation_code, slot_id, user_id, party_size,"
			     " reservation_type, status) VALUES ('X', 5, 11, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED')",
			     NULL, NULL, NULL),
		SQLITE_OK);
}

/* Who of reservations 1 and 2 stays? */
static const char *who_stays(const char *first, const char *second, const char *payments, const char *items)
{
	char text[1000];
	static char stays[8];

	begin(NULL);
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("menus.csv", "menu_id,restaurant_id,name,price\n31,1,칼국수,11000\n");
	snprintf(text, sizeof text,
		 HEAD "1,A,5,11,2,RESERVATION_DEPOSIT,%s,2026-01-05 10:00:00\n"
		      "2,B,5,11,2,RESERVATION_DEPOSIT,%s,2026-01-05 10:00:00\n",
		 first, second);
	file("reservations.csv", text);
	if (payments)
		file("payments.csv", payments);
	if (items)
		file("reservation_menu_items.csv", items);
	import_well();
	assert_string_equal(ask("SELECT count(*) FROM reservations WHERE is_active = 1"), "1");
	snprintf(stays, sizeof stays, "%.7s", ask("SELECT reservation_id FROM reservations WHERE is_active = 1"));
	end(NULL);
	return stays;
}

static void the_paid_one_stays_then_the_referred_one_then_the_oldest(void **state)
{
	static const char held[] = "TEMPORARY,10000,,10000,2026-01-11 00:00:00", confirmed[] = "CONFIRMED,10000,,10000,";

	(void)state;
	assert_string_equal(who_stays(confirmed, confirmed, NULL, NULL), "1");
	assert_string_equal(who_stays(held, confirmed, NULL, NULL), "2");
	assert_string_equal(who_stays(confirmed, held, NULL, NULL), "1");
	assert_string_equal(who_stays("CONFIRMED,,,,", confirmed, NULL, NULL), "2");
	assert_string_equal(who_stays(confirmed, confirmed,
				      "payment_id,reservation_id,amount,status,paid_at\n"
				      "1,2,10000,PAID,2026-01-05\n",
				      NULL),
			    "2");
	assert_string_equal(who_stays(held, held, "payment_id,reservation_id,amount,status,paid_at\n1,2,10000,READY,\n", NULL),
			    "2");
	assert_string_equal(who_stays(held, held, NULL, "reservation_id,menu_id,quantity\n2,31,1\n"), "2");
	assert_string_equal(who_stays(held, held, NULL, NULL), "1");
	assert_string_equal(who_stays(confirmed, "REFUND_PENDING,10000,,10000,", NULL, NULL), "1");
}

static void money_of_a_canceled_duplicate_is_due_back(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv", HEAD "1,A,5,11,2,RESERVATION_DEPOSIT,CONFIRMED,10000,,10000,,2026-01-05 10:00:00\n"
				      "2,B,5,11,2,RESERVATION_DEPOSIT,CONFIRMED,10000,,10000,,2026-01-05 10:00:01\n");
	file("payments.csv", "payment_id,reservation_id,amount,status,paid_at\n"
			     "1,1,10000,PAID,2026-01-05 10:01:00\n2,2,10000,PAID,2026-01-05 10:02:00\n");
	import_well();
	assert_string_equal(ask("SELECT status FROM reservations WHERE reservation_id = 2"), "CANCELED");
	assert_string_equal(ask("SELECT status || kept_amount || '/' || due_back_amount FROM payments WHERE payment_id = 2"),
			    "REFUND_DUE0/10000");
	assert_string_equal(ask("SELECT refund_amount FROM reservation_cancellations"), "10000");
	reported("payment 2: 10000 KRW are due back, because reservation 2 was a duplicate.");
	reported("Money in 20000 KRW = kept 10000 + given back 0 + due back 10000.");
}

static void an_over_full_slot_keeps_its_people(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", "slot_id,restaurant_id,slot_date,slot_time,max_capacity\n"
						 "5,1,2026-02-01,12:00:00,4\n6,1,2026-02-01,13:00:00,4\n");
	file("reservations.csv",
	     HEAD "1,A,5,11,3,,CONFIRMED,,,,,\n2,B,5,12,3,,CONFIRMED,,,,,\n3,C,5,13,3,,TEMPORARY,,,,2026-01-10 09:30:00,\n"
		  "4,D,6,11,4,,CONFIRMED,,,,,\n5,E,6,12,9,,CANCELED,,,,,\n");
	import_well();
	assert_string_equal(ask("SELECT max_capacity FROM restaurant_reservation_slots WHERE slot_id = 5"), "9");
	assert_string_equal(ask("SELECT max_capacity FROM restaurant_reservation_slots WHERE slot_id = 6"), "4");
	assert_string_equal(ask("SELECT count(*) FROM reservations WHERE is_active = 1"), "4");
	assert_string_equal(ask("SELECT group_concat(actor || ' ' || from_value || '>' || to_value) FROM audit"
				" WHERE entity = 'slot'"),
			    "import 4>9");
	reported("restaurant_reservation_slots.csv line 2: slot 5 (2026-02-01 12:00) has 9 people on 4 seats;"
		 " it keeps them and has 9 seats now.");
}

static void states_spelled_otherwise_are_mapped(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv",
	     HEAD "1,A,5,11,1,,CANCELLED,,,,,\n2,B,5,11,1,,PREPAID_CONFIRMED,,,,,\n3,C,5,12,1,,confirmed,,,,,\n"
		  "4,D,5,12,1,,no-show,,,,,\n5,E,5,13,1,,Refunded,,,,,\n");
	import_well();
	assert_string_equal(ask("SELECT group_concat(status) FROM (SELECT status FROM reservations ORDER BY reservation_id)"),
			    "CANCELED,PREPAY_CONFIRM,CONFIRMED,NO_SHOW,REFUNDED");
	reported("reservations.csv line 2: CANCELLED is written CANCELED here.");
	reported("States spelled otherwise: 5");
}

/* What other systems keep apart: the reservation was confirmed, and staff noted whether they came. */
static void a_visit_or_a_no_show_of_the_past_is_not_lost(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", "slot_id,restaurant_id,slot_date,slot_time,max_capacity\n"
						 "4,1,2026-01-09,12:00,20\n5,1,2026-02-01,12:00,20\n");
	file("reservations.csv", "reservation_id,slot_id,user_id,party_size,status,visit_status\n"
				 "1,4,11,2,CONFIRMED,no-show\n2,4,12,2,PREPAY_CONFIRM,Visited\n3,4,13,2,done,\n"
				 "4,5,11,2,CONFIRMED,NO_SHOW\n5,5,12,2,CONFIRMED,checked in\n6,5,13,2,CANCELED,No Show\n");
	import_well();
	assert_string_equal(
		ask("SELECT group_concat(status || '/' || visit_status) FROM (SELECT * FROM reservations ORDER BY "
		    "reservation_id)"),
		"NO_SHOW/PENDING,COMPLETED/LEFT,COMPLETED/PENDING,CONFIRMED/PENDING,CONFIRMED/ARRIVED,CANCELED/PENDING");
	reported("reservations.csv line 2: CONFIRMED with visit_status no-show, of a day that is past, is written NO_SHOW "
		 "here.");
	reported("reservations.csv line 3: PREPAY_CONFIRM with visit_status Visited, of a day that is past, is written "
		 "COMPLETED here.");
	reported("reservations.csv line 5: visit_status \"NO_SHOW\" became PENDING: the day is still to come.");
	assert_string_equal(ask("SELECT no_shows FROM v_guests WHERE guest = '김하나'"), "1");
}

/* People were there; that they were too many is no reason to forget them. */
static void history_is_never_refused_for_too_few_seats(void **state)
{
	char text[4000] = HEAD, line[64];

	(void)state;
	run("UPDATE restaurants SET seats = 6, sitting_minutes = 120 WHERE restaurant_id = 1");
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", "slot_id,restaurant_id,slot_date,slot_time,max_capacity\n"
						 "1,1,2025-12-01,18:00,4\n2,1,2025-12-01,19:00,4\n3,1,2026-02-01,18:00,4\n"
						 "4,1,2026-02-01,19:00,4\n");
	for (int i = 0; i < 12; i++) {
		snprintf(line, sizeof line, "%d,R-%d,%d,%d,4,,CONFIRMED,,,,,\n", i + 1, i, i / 3 + 1, 11 + i % 3);
		strcat(text, line);
	}
	file("reservations.csv", text);
	import_well();
	assert_string_equal(ask("SELECT count(*) FROM reservations WHERE status = 'CONFIRMED'"), "12");
	assert_string_equal(ask("SELECT seats FROM restaurants"), "6");
	reported("2026-02-01 19:00: 24 people are there at once on 6 seats; they are kept, and no other party is let in.");
	/* And no other user is. */
	run("UPDATE restaurant_reservation_slots SET max_capacity = 40; INSERT INTO users (user_id, user_type, name) VALUES "
	    "(99, 'GUEST', 'Lee')");
	assert_int_not_equal(
		sqlite3_exec(db.handle,
			     "INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type,"
			     " status) VALUES ('X', 4, 99, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED')",
			     NULL, NULL, NULL),
		SQLITE_OK);
}

/* One sentence, how often, and where to look; not a hundred times the same. */
static void what_is_wrong_in_the_same_way_is_said_once(void **state)
{
	struct buf text = {0};
	const char *again;

	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	buf_str(&text, HEAD);
	for (int i = 0; i < 300; i++)
		buf_fmt(&text, "%d,,5,%d,1,,%s,,,,,\n", i + 1, i < 40 ? 4000 + i : 11, i < 40 ? "CANCELED" : "MAYBE");
	file("reservations.csv", text.data);
	buf_free(&text);
	refused("reservations.csv lines 42, 43, 44, 45, 46 and 255 more: status \"MAYBE\" is not a state that a reservation "
		"can have;"
		" known are CANCELED, CANCEL, CANCELLED, COMPLETED, ");
	again = strstr(report.text.data, "MAYBE");
	assert_null(strstr(again + 1, "MAYBE"));
	reported("reservations.csv line 2: user_id 4000 is not in users.csv");
	reported("... and 20 more like these.");
	assert_int_equal(report.problems, 300);
}

/* The book's own refusals as well, not one a run.  */
static void every_row_that_the_book_refuses_is_named(void **state)
{
	(void)state;
	run("CREATE TRIGGER strict BEFORE INSERT ON reservations WHEN NEW.party_size = 7"
	    " BEGIN SELECT RAISE(ABORT, 'SEVEN: no parties of seven'); END");
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv", HEAD "1,A,5,11,7,,CONFIRMED,,,,,\n2,B,5,12,2,,CONFIRMED,,,,,\n3,C,6,11,7,,CONFIRMED,,,,,\n");
	refused("reservations.csv lines 2, 4: the book refuses this row: SEVEN: no parties of seven");
	assert_int_equal(report.problems, 2);
	run("DROP TRIGGER strict");
}

/* docs/import.md lists every word that is understood. */
static void the_docs_list_every_known_word(void **state)
{
	static const char *const columns[] = {"('status', '", "('visit', '", "('payment', '"};
	static char page[65536];
	char word[40];
	FILE *f = fopen("docs/import.md", "re");

	(void)state;
	assert_non_null(f);
	page[fread(page, 1, sizeof page - 1, f)] = '\0';
	fclose(f);
	for (size_t i = 0; i < COUNT(columns); i++)
		for (const char *at = embed_import_tables; (at = strstr(at, columns[i])); at++) {
			snprintf(word, sizeof word, "`%.*s`", (int)strcspn(at + strlen(columns[i]), "'"),
				 at + strlen(columns[i]));
			if (!strstr(page, word))
				fail_msg("%s is not in docs/import.md", word);
		}
}

static void an_unknown_state_is_named_and_nothing_is_imported(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv", HEAD "1,A,5,11,1,,CONFIRMED,,,,,\n2,B,6,11,1,,MAYBE,,,,,\n3,C,6,12,1,,,,,,,\n");
	refused("reservations.csv line 3: status \"MAYBE\" is not a state");
	reported("reservations.csv line 4: status \"\" is not a state");
	assert_int_equal(report.problems, 2);
}

#define LONG_WORD "예약이취소되었는지아닌지잘모르겠는상태라고적혀있는아주길고긴말이라서끝까지보이지않아야한다고생각함"

/* What a file says is quoted in part, and no letter in half. */
static void a_long_korean_cell_is_quoted_in_whole_letters(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv", HEAD "1,A,5,11,1,," LONG_WORD ",,,,,\n2,B,5," LONG_WORD ",1,,CONFIRMED,,,,,\n");
	refused("예약이취소");
	assert_int_equal(report.problems, 2);
	assert_true(text_utf8(report.text.data, report.text.len));
	assert_null(strstr(report.text.data, LONG_WORD));
}

static void past_holds_expire_and_their_money_is_due_back(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	/* 09:00 at the restaurant: one hold ends right now, one by its age, one of no age at all. */
	file("reservations.csv", HEAD "1,A,5,11,1,,TEMPORARY,5000,,5000,2026-01-10 09:00:00,2026-01-10 08:53:00\n"
				      "2,B,5,12,1,,TEMPORARY,,,,,2026-01-10 08:53:00\n"
				      "3,C,5,13,1,,TEMPORARY,,,,,\n"
				      "4,D,6,11,1,,TEMPORARY,,,,,2026-01-10 08:53:01\n"
				      "5,E,6,12,1,,TEMPORARY,,,,2026-01-10T00:00:01Z,\n");
	file("payments.csv", "payment_id,reservation_id,amount,status,paid_at\n1,1,5000,PAID,2026-01-10 08:59:00\n");
	import_well();
	assert_string_equal(ask("SELECT group_concat(reservation_id) FROM reservations WHERE status = 'EXPIRED'"), "1,2,3");
	assert_string_equal(ask("SELECT hold_expires_at FROM reservations WHERE reservation_id = 4"), "2026-01-10T00:00:01Z");
	assert_string_equal(ask("SELECT from_value || reason FROM audit WHERE entity_id = 2 AND change = 'status'"),
			    "TEMPORARYimport: its hold ended at 2026-01-10T00:00:00Z");
	assert_string_equal(ask("SELECT status FROM payments"), "REFUND_DUE");
	reported("Holds past their time expired: 3");
	reported("because reservation 1 had expired.");
}

static void a_past_hold_does_not_stand_in_the_way_of_a_duplicate(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv", HEAD "1,A,5,11,1,,TEMPORARY,,,,2026-01-09 09:00:00,\n2,B,5,11,1,,CONFIRMED,,,,,\n");
	import_well();
	assert_string_equal(ask("SELECT group_concat(status) FROM (SELECT status FROM reservations ORDER BY reservation_id)"),
			    "EXPIRED,CONFIRMED");
	assert_string_equal(ask("SELECT count(*) FROM reservation_cancellations"), "0");
}

static void totals_are_made_to_fit(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv",
	     HEAD "1,A,5,11,1,RESERVATION_DEPOSIT,CONFIRMED,5000.00,0,99999,,\n2,B,5,12,1,RESERVATION_DEPOSIT,"
		  "CONFIRMED,NULL,,,,\n"
		  "3,C,5,13,1,PREORDER_PREPAY,PREPAY_CONFIRM,,,12000,,\n4,D,6,11,1,,CONFIRMED,,7000,,,\n");
	import_well();
	assert_string_equal(ask("SELECT total_amount FROM reservations WHERE reservation_id = 1"), "5000");
	assert_string_equal(ask("SELECT total_amount FROM reservations WHERE reservation_id = 2"), "0");
	assert_string_equal(ask("SELECT prepay_amount FROM reservations WHERE reservation_id = 3"), "12000");
	assert_string_equal(ask("SELECT reservation_type FROM reservations WHERE reservation_id = 4"), "PREORDER_PREPAY");
	assert_string_equal(ask("SELECT from_value || '>' || to_value FROM audit WHERE change = 'total_amount'"), "99999>5000");
	reported("Totals that were not deposit + prepayment: 1");
	reported("a total of 99999 with a deposit of 5000 and a prepayment of 0 became 5000.");
}

static void codes_that_are_missing_pending_or_taken_are_made_new(void **state)
{
	char sentence[200];

	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv",
	     HEAD "1,,5,11,1,,COMPLETED,,,,,2026-01-05T23:30:00Z\n2,pending,5,11,1,,COMPLETED,,,,,2026-01-05 10:00:00\n"
		  "3,SAME,5,11,1,,COMPLETED,,,,,2026-01-05 10:00:00\n12345,SAME,5,11,1,,COMPLETED,,,,,2026-01-05 10:00:00\n"
		  "5,R20260106-0001,5,11,1,,COMPLETED,,,,,2026-01-05 10:00:00\n");
	import_well();
	assert_string_equal(ask("SELECT reservation_code FROM reservations WHERE reservation_id = 3"), "SAME");
	assert_string_equal(ask("SELECT reservation_code FROM reservations WHERE reservation_id = 5"), "R20260106-0001");
	assert_string_equal(ask("SELECT count(DISTINCT reservation_code) FROM reservations"), "5");
	assert_string_equal(ask("SELECT count(*) FROM reservations WHERE reservation_id IN (1, 2, 12345) AND " OURS), "3");
	snprintf(sentence, sizeof sentence, "reservation 12345 had the code SAME, which is taken, and has %s now.",
		 ask("SELECT reservation_code FROM reservations WHERE reservation_id = 12345"));
	reported(sentence);
	reported("reservation 1 had no code");
}

static void payments_are_mapped_so_that_every_won_is_accounted_for(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv",
	     HEAD "1,A,5,11,1,,CONFIRMED,,,,,2026-01-05 10:00:00\n2,B,5,12,1,,CANCELED,,,,,2026-01-05 10:00:00\n");
	file("payments.csv", "paymentId,reservationId,provider,providerPaymentId,amount,status,refundedAmount,"
			     "keptAmount,paidAt,createdAt\n"
			     "1,1,portone,p-1,10000,COMPLETED,,,2026-01-05 10:00:00,2026-01-05 09:59:00\n"
			     "2,2,PORTONE,p-2,10000,refunded,5000,5000,2026-01-05 10:00:00,\n"
			     "3,2,,,10000,REFUNDED,,,,2026-01-05 09:59:00\n"
			     "4,2,desk,,10000,CANCELLED,,,,\n"
			     "5,2,desk,,10000,CANCELED,,,2026-01-05 10:00:00,\n"
			     "6,2,desk,,10000,REFUND_PENDING,2000,,2026-01-05 10:00:00,\n"
			     "7,1,kakaopay,k-7,10000,PAID,0,777,2026-01-05 10:00:00,\n"
			     "8,1,portone,p-1,10000,PAID,,,2026-01-05 10:00:00,\n"
			     "9,1,desk,,NULL,ready,,,,\n"
			     "10,1,desk,,10000,FAIL,,,,\n");
	import_well();
#define PAYMENT(id) \
	ask("SELECT provider || ' ' || status || ' ' || kept_amount || '/' || refunded_amount || '/' || " \
	    "due_back_amount" \
	    " FROM payments WHERE payment_id = " id)
	assert_string_equal(PAYMENT("1"), "portone PAID 10000/0/0");
	assert_string_equal(PAYMENT("2"), "portone REFUNDED 5000/5000/0");
	assert_string_equal(PAYMENT("3"), "desk REFUNDED 0/10000/0");
	assert_string_equal(PAYMENT("4"), "desk FAILED 0/0/0");
	assert_string_equal(PAYMENT("5"), "desk REFUNDED 0/10000/0");
	assert_string_equal(PAYMENT("6"), "desk REFUND_DUE 0/2000/8000");
	assert_string_equal(PAYMENT("7"), "desk PAID 10000/0/0");
	assert_string_equal(PAYMENT("8"), "portone PAID 10000/0/0");
	assert_string_equal(PAYMENT("9"), "desk READY 0/0/0");
	assert_string_equal(PAYMENT("10"), "desk FAILED 0/0/0");
	assert_string_equal(ask("SELECT note FROM payments WHERE payment_id = 7"), "KAKAOPAY k-7");
	assert_string_equal(ask("SELECT provider_payment_id IS NULL FROM payments WHERE payment_id = 8"), "1");
	assert_string_equal(ask("SELECT paid_at FROM payments WHERE payment_id = 3"), "2026-01-05T00:59:00Z");
	reported("payment 7 of 10000: kept, refunded and due back did not fit and became 10000, 0 and 0.");
	reported("payment 3 says not when it was paid; 2026-01-05T00:59:00Z is taken.");
	reported("Money in 70000 KRW = kept 35000 + given back 27000 + due back 8000.");
}

static void an_unknown_payment_state_is_named(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv", HEAD "1,A,5,11,1,,CONFIRMED,,,,,\n");
	file("payments.csv", "payment_id,reservation_id,amount,status\n1,1,-5,PAID\n2,1,10,BARTER\n");
	refused("payments.csv line 2: amount is \"-5\"; it must be an amount");
	reported("payments.csv line 3: status \"BARTER\" is not a state that a payment can have");
}

static void one_address_is_one_account(void **state)
{
	(void)state;
	file("users.csv", "userId,role,userName,phoneNumber,email,password\n"
			  "11,USER,김하나,,Hana@example.com,$2a$10$abc\n"
			  "12,USER,김하나,,hana@EXAMPLE.com,$2a$10$abc\n"
			  "13,STAFF,박세나,12,not an address,\n"
			  "14,ACCOUNT,최오너,010.5555.6666,owner@jari.local,\n"
			  "15,WIZARD,,+82 10 1234 5678,w@example.com,\n");
	import_well();
	assert_string_equal(ask("SELECT group_concat(user_type) FROM (SELECT * FROM users ORDER BY user_id)"),
			    "OWNER,ACCOUNT,GUEST,GUEST,GUEST,ACCOUNT");
	assert_string_equal(ask("SELECT count(*) FROM users WHERE password_hash IS NOT NULL"), "0");
	assert_string_equal(ask("SELECT email FROM users WHERE user_id = 12"), "hana@EXAMPLE.com");
	assert_string_equal(ask("SELECT name FROM users WHERE user_id = 15"), "손님 15");
	assert_string_equal(ask("SELECT phone FROM users WHERE user_id = 15"), "+821012345678");
	assert_string_equal(ask("SELECT phone IS NULL FROM users WHERE user_id = 13"), "1");
	assert_string_equal(ask("SELECT from_value || to_value FROM audit WHERE entity = 'user' AND entity_id = 12"),
			    "ACCOUNTGUEST");
	reported("users.csv line 3: user 12 has the e-mail address of an earlier account and became a guest.");
	reported("users.csv line 4: user 13 has no e-mail address to log in with and became a guest.");
	reported("Passwords of another system cannot be used here");
}

static void an_id_of_the_staff_is_given_away_no_more(void **state)
{
	(void)state;
	file("users.csv", "user_id,name\n1,김하나\n2,이두리\n40,박세나\n");
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv", HEAD "1,A,5,1,1,,CONFIRMED,,,,,\n2,B,5,2,1,,CONFIRMED,,,,,\n");
	import_well();
	assert_string_equal(ask("SELECT name FROM users WHERE user_id = 1"), "Owner");
	assert_string_equal(ask("SELECT name FROM users WHERE user_id = 41"), "김하나");
	assert_string_equal(ask("SELECT user_id FROM reservations WHERE reservation_id = 1"), "41");
	assert_string_equal(ask("SELECT user_id FROM reservations WHERE reservation_id = 2"), "2");
	reported("user_id 1 is taken in the book and became 41.");
	reported("Ids are those of the files, except where they were taken (see above).");
}

static void in_a_used_book_ids_are_mapped_and_references_follow(void **state)
{
	(void)state;
	run("INSERT INTO users (user_id, user_type, name) VALUES (11, 'GUEST', '먼저 온 손님');"
	    "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
	    " VALUES (5, 1, '2026-02-01', '13:00', 10);"
	    "INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size, "
	    "reservation_type, status)"
	    " VALUES (101, 'A', 5, 11, 8, 'RESERVATION_DEPOSIT', 'CONFIRMED');"
	    "INSERT INTO menus (menu_id, restaurant_id, name, price) VALUES (31, 1, '식혜', 4000)");
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("menus.csv", "menu_id,restaurant_id,name,price\n31,1,칼국수,11000\n");
	file("reservations.csv",
	     HEAD "101,A,5,11,4,,CONFIRMED,,,,,2026-01-05 10:00:00\n102,B,6,11,4,PREORDER_PREPAY,CONFIRMED,,11000,,,\n");
	file("payments.csv", "payment_id,reservation_id,amount,status,paid_at\n1,102,11000,PAID,2026-01-05\n");
	file("reservation_menu_items.csv", "reservation_id,menu_id,quantity\n102,31,1\n");
	import_well();
	assert_string_equal(ask("SELECT count(*) FROM reservations"), "3");
	assert_string_equal(ask("SELECT party_size FROM reservations WHERE reservation_id = 101"), "8");
	/* 12:00 is a new slot, 13:00 is the one that the book had; it is over-full now and keeps its people. */
	assert_string_equal(ask("SELECT count(*) FROM restaurant_reservation_slots"), "2");
	assert_string_equal(ask("SELECT slot_time FROM reservations JOIN restaurant_reservation_slots USING (slot_id)"
				" WHERE reservation_code = 'B'"),
			    "13:00");
	assert_string_equal(ask("SELECT max_capacity FROM restaurant_reservation_slots WHERE slot_id = 5"), "12");
	assert_string_equal(ask("SELECT u.name FROM reservations v JOIN users u USING (user_id) WHERE reservation_code = 'B'"),
			    "김하나");
	assert_string_equal(ask("SELECT reservation_code FROM payments JOIN reservations USING (reservation_id)"), "B");
	assert_string_equal(ask("SELECT menu_name || unit_price FROM reservation_menu_items"), "칼국수11000");
	assert_string_equal(ask("SELECT count(*) FROM reservations WHERE reservation_id = 102 AND " OURS), "1");
	reported("Ids are new ones, because the book was in use.");
	reported("slot 6 (2026-02-01 13:00) is one with slot 5 of the book.");
	reported("has 12 people on 10 seats");
}

static void files_that_are_not_there_mean_the_rows_of_the_book(void **state)
{
	(void)state;
	run("INSERT INTO users (user_id, user_type, name) VALUES (11, 'GUEST', '먼저 온 손님'), (12, 'GUEST', '나중 "
	    "손님');"
	    "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
	    " VALUES (5, 1, '2026-02-01', '13:00', 10);"
	    "INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size, "
	    "reservation_type, status)"
	    " VALUES (101, 'A', 5, 11, 8, 'RESERVATION_DEPOSIT', 'CONFIRMED')");
	file("reservations.csv", HEAD "7,X,5,11,4,,CONFIRMED,,,,,\n8,Y,5,11,4,,CONFIRMED,,,,,\n9,Z,5,12,2,,CONFIRMED,,,,,\n");
	import_well();
	/* Guest 11 has a reservation in the book: that one stays. */
	assert_string_equal(ask("SELECT group_concat(reservation_code) FROM (SELECT * FROM reservations WHERE is_active = 1"
				" ORDER BY reservation_id)"),
			    "A,Z");
	reported("101 stays, which is in the book already");
	no_file("reservations.csv");
	file("payments.csv", "payment_id,reservation_id,amount,status,paid_at\n1,101,40000,PAID,2026-01-05 10:00:00\n");
	import_well();
	assert_string_equal(ask("SELECT reservation_id || paid_at FROM payments"), "1012026-01-05T01:00:00Z");
	file("payments.csv", "payment_id,reservation_id,amount,status,paid_at\n1,999,40000,PAID,2026-01-05 10:00:00\n");
	refused("payments.csv line 2: reservation_id 999 is not in the book");
}

static void a_row_without_its_parent_is_named_and_nothing_is_imported(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv",
	     "slot_id,restaurant_id,slot_date,slot_time\n5,1,2026-02-01,12:00\n6,77,2026-02-01,13:00\n");
	file("menus.csv", "menu_id,restaurant_id,name,price\n31,78,칼국수,11000\n");
	file("reservations.csv", HEAD "1,A,5,11,1,,CONFIRMED,,,,,\n2,B,50,11,1,,CONFIRMED,,,,,\n3,C,5,99,1,,CONFIRMED,,"
				      ",,,\n4,D,6,11,1,,CONFIRMED,,,,,\n");
	file("payments.csv", "payment_id,reservation_id,amount,status,paid_at\n1,44,10000,PAID,2026-01-05\n");
	file("reservation_menu_items.csv", "reservation_id,menu_id,quantity\n1,32,1\n");
	refused("restaurant_reservation_slots.csv line 3: restaurant_id 77 is neither in restaurants.csv nor in the book");
	reported("menus.csv line 2: restaurant_id 78 is neither");
	reported("reservations.csv line 3: slot_id 50 is not in restaurant_reservation_slots.csv");
	reported("reservations.csv line 4: user_id 99 is not in users.csv");
	reported("payments.csv line 2: reservation_id 44 is not in reservations.csv");
	reported("reservation_menu_items.csv line 2: menu_id 32 is not in menus.csv");
	assert_int_equal(report.problems, 6); /* the children of a bad row do not complain as well */
}

static void restaurants_come_along(void **state)
{
	(void)state;
	file("restaurants.csv", "restaurant_id,name,timezone,reservation_limit,hold_seconds,party_max,rating\n"
				"1,다른 식당,Europe/Berlin,30,600,20,4.5\n9,온기 식당,,,,,\n10,다른 식당,,,,,\n");
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv",
	     "slot_id,restaurant_id,slot_date,slot_time\n5,1,2026-02-01,12:00\n6,9,2026-02-01,12:00\n");
	file("reservations.csv",
	     HEAD "1,A,5,11,1,,TEMPORARY,,,,,2026-01-10 00:51:00\n2,B,6,11,1,,CONFIRMED,,,,,2026-01-10 08:00:00\n");
	import_well();
	assert_string_equal(ask("SELECT group_concat(restaurant_id || name || reservation_limit) FROM restaurants"),
			    "1온기 식당20,10다른 식당20,11다른 식당30");
	assert_string_equal(
		ask("SELECT restaurant_id || ' ' || max_capacity FROM restaurant_reservation_slots WHERE slot_id = 5"),
		"11 30");
	assert_string_equal(ask("SELECT restaurant_id FROM restaurant_reservation_slots WHERE slot_id = 6"), "1");
	assert_string_equal(ask("SELECT utc_offset_minutes FROM restaurants WHERE restaurant_id = 11"), "60");
	/* Berlin's own clock, and its own ten minutes of hold. */
	assert_string_equal(ask("SELECT created_at || status || hold_expires_at FROM reservations WHERE reservation_id = 1"),
			    "2026-01-09T23:51:00ZTEMPORARY2026-01-10T00:01:00Z");
	reported("restaurant_id 1 is taken in the book and became 11.");
	reported("restaurant 9 is restaurant 1 of the book, whose settings stay as they are.");
	reported("Columns of restaurants.csv that were ignored: rating");
}

static void bad_restaurants_are_named(void **state)
{
	(void)state;
	file("restaurants.csv", "restaurant_id,name,timezone,party_max\n2,둘,Mars/Olympus,\n3,셋,,5000\n4,,,\nx,다섯,,\n");
	refused("restaurants.csv line 2: timezone \"Mars/Olympus\" is not known here");
	reported("restaurants.csv line 3: party_max is \"5000\"; it must be a whole number from 1 to 1000");
	reported("restaurants.csv line 4: the restaurant has no name");
	reported("restaurants.csv line 5: restaurant_id is \"x\"");
	file("restaurants.csv", "restaurant_id,name,currency,sitting_minutes,calling_code\n2,둘,US$,,\n3,셋,,3,\n4,넷,,,821\n");
	refused("restaurants.csv line 2: currency is \"US$\"; it must be a currency, three capital letters like KRW");
	reported("restaurants.csv line 3: sitting_minutes is \"3\"; it must be 0, or five minutes and more");
	reported("restaurants.csv line 4: calling_code is \"821\"; it must be the calling code of a country, like 82");
	file("restaurants.csv", "restaurant_id,name,party_min\n2,둘,50\n");
	refused("restaurants.csv line 2: the book refuses this row");
}

static void amounts_have_the_digits_of_their_currency(void **state)
{
	(void)state;
	file("restaurants.csv", "restaurant_id,name,timezone,currency,calling_code,deposit_per_person\n"
				"2,Hana Table,Europe/Berlin,EUR,49,7.50\n3,Souk,Asia/Kuwait,KWD,965,\n");
	file("menus.csv", "menu_id,restaurant_id,name,price\n31,2,Bibimbap,19.50\n32,3,Hummus,1.25\n33,2,Tea,4\n");
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", "slot_id,restaurant_id,slot_date,slot_time,max_capacity\n"
						 "5,2,2026-02-01,12:00,20\n6,3,2026-02-01,12:00,20\n");
	file("reservations.csv", "reservation_id,slot_id,user_id,party_size,status,reservation_type,deposit_amount,prepay_"
				 "amount,total_amount,currency\n"
				 "101,5,11,2,CONFIRMED,,15.00,,15,\n102,6,12,2,PREPAY_CONFIRM,PREPAY,,2.500,2.5,\n103,5,12,1,"
				 "CONFIRMED,,9.99,,10,usd\n");
	file("payments.csv", "payment_id,reservation_id,amount,status,paid_at,refunded_amount\n"
			     "1,101,15,PAID,2026-01-05 10:00:00,\n2,102,2.5,REFUNDED,2026-01-05 10:00:00,1.255\n");
	file("reservation_menu_items.csv", "reservation_id,menu_id,unit_price,quantity,line_amount\n102,32,1.250,2,2.60\n");
	import_well();
	assert_string_equal(ask("SELECT group_concat(deposit_per_person || '/' || deposit_large_per_person || language)"
				" FROM restaurants WHERE restaurant_id > 1"),
			    "750/0en,0/0en");
	assert_string_equal(ask("SELECT group_concat(price) FROM menus WHERE menu_id > 30"), "1950,1250,400");
	assert_string_equal(ask("SELECT group_concat(total_amount || currency) FROM reservations"), "1500EUR,2500KWD,999USD");
	assert_string_equal(ask("SELECT group_concat(kept_amount || '+' || refunded_amount || currency) FROM payments"),
			    "1500+0EUR,1245+1255KWD");
	assert_string_equal(ask("SELECT unit_price || '/' || line_amount FROM reservation_menu_items"), "1250/2500");
	reported("reservation 103: a total of 10.00 with a deposit of 9.99 and a prepayment of 0.00 became 9.99.");
	reported("2 times 1.250 is not 2.600 and became 2.500.");
	reported("Money in 15.00 EUR = kept 15.00 + given back 0.00 + due back 0.00.");
	reported("Money in 2.500 KWD = kept 1.245 + given back 1.255 + due back 0.000.");
}

static void amounts_with_more_digits_than_their_currency_are_named(void **state)
{
	(void)state;
	file("restaurants.csv", "restaurant_id,name,currency,deposit_per_person\n2,Hana Table,EUR,7.505\n");
	refused("restaurants.csv line 2: deposit_per_person has more digits behind the point than EUR");
	file("restaurants.csv", "restaurant_id,name,currency,deposit_per_person\n2,Hana Table,EUR,7.50\n");
	file("menus.csv", "menu_id,restaurant_id,name,price\n31,2,Bibimbap,19.505\n32,1,칼국수,11000.5\n33,1,떡,2000.00\n");
	refused("menus.csv line 2: price has more digits behind the point than EUR");
	reported("menus.csv line 3: price has more digits behind the point than KRW");
	file("menus.csv", "menu_id,restaurant_id,name,price\n31,2,Bibimbap,19.50\n");
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv",
	     "reservation_id,slot_id,user_id,party_size,status,deposit_amount,currency\n101,5,11,2,CONFIRMED,15.505,EUR\n"
	     "102,6,12,2,CONFIRMED,15,ZZZ\n");
	refused("reservations.csv line 3: currency \"ZZZ\" is not known here");
	file("reservations.csv",
	     "reservation_id,slot_id,user_id,party_size,status,deposit_amount,currency\n101,5,11,2,CONFIRMED,15.505,EUR\n");
	refused("reservations.csv line 2: deposit_amount has more digits behind the point than EUR");
}

static void a_dry_run_tells_all_and_changes_nothing(void **state)
{
	char *before, *after, *plan;

	(void)state;
	run("INSERT INTO users (user_id, user_type, name) VALUES (2, 'GUEST', '손님');"
	    "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
	    " VALUES (1, 1, '2026-02-01', '13:00', 10);"
	    "INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status, "
	    "hold_expires_at)"
	    " VALUES ('H', 1, 2, 8, 'RESERVATION_DEPOSIT', 'TEMPORARY', '2026-01-09T00:00:00Z')");
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv", HEAD "1,A,5,11,1,,CONFIRMED,,,,,\n2,B,5,11,1,,CONFIRMED,,,,,\n3,C,6,12,30,,CONFIRMED,,,,,\n");
	before = dump();
	assert_int_equal(import_as(true), ERR_OK);
	after = dump();
	assert_string_equal(before, after);
	reported("Active duplicates of one guest and slot canceled: 1");
	reported("has 30 people on 10 seats");
	reported("This was a dry run: nothing was changed.");
	/* The plan is what then happens. */
	plan = strdup(report.text.data);
	assert_non_null(plan);
	strstr(plan, "This was")[0] = '\0';
	import_well();
	assert_memory_equal(report.text.data, plan, strlen(plan));
	assert_string_equal(ask("SELECT count(*) FROM reservations"), "4");
	free(before);
	free(after);
	free(plan);
}

static void the_same_folder_twice_is_refused(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv", HEAD "1,A,5,11,1,,CONFIRMED,,,,,2026-01-05 10:00:00\n");
	import_well();
	refused("was imported before, at 2026-01-10T00:00:00Z");
	/* A later export of the same system is another folder with the same reservations. */
	file("reservations.csv",
	     HEAD "1,A,5,11,1,,CONFIRMED,,,,,2026-01-05 10:00:00\n2,B,5,12,1,,CONFIRMED,,,,,2026-01-06 10:00:00\n");
	refused("reservations.csv line 2: reservation 1 (A) was imported before and is in the book");
	/* Another restaurant's book that happens to have the same code is not. */
	file("reservations.csv", HEAD "1,A,5,11,1,,CONFIRMED,,,,,2026-01-05 10:00:01\n");
	import_well();
	assert_string_equal(ask("SELECT count(*) FROM reservations"), "2");
	assert_string_equal(ask("SELECT group_concat(entity_id) FROM audit WHERE entity = 'import'"), "1,2");
}

static void broken_files_are_named_by_their_line(void **state)
{
	(void)state;
	file("users.csv", "user_id,name\n11,\"김하나\n12,이두리\n");
	file("reservations.csv", "reservation_id,slot_id\n1,2,3\n");
	refused("users.csv line 2: a quote that is never closed");
	reported("reservations.csv line 2: 3 cells where the first row names 2 columns");
	file("users.csv", "name\n김하나\n");
	file("reservations.csv", "reservation_id\n1\n");
	refused("users.csv line 1: there is no column user_id");
	file("users.csv", "");
	refused("users.csv line 1: the file is empty");
}

static void cells_that_make_no_sense_are_named(void **state)
{
	(void)state;
	file("users.csv", "user_id,name,created_at,is_blocked\n11,하나,yesterday,\n11,둘,,\n-3,셋,,\n14,넷,2025-02-30 "
			  "10:00:00,\n15,다섯,,perhaps\n");
	file("restaurant_reservation_slots.csv",
	     "slot_id,restaurant_id,slot_date,slot_time,max_capacity\n"
	     "5,1,2026-02-30,12:00,20\n6,1,2026-02-01,31:00,20\n7,1,2026-02-01,13:00,many\n");
	file("reservations.csv",
	     HEAD "1,A,5,11,0,,CONFIRMED,,,,,\n2,B,5,11,2,FREE,CONFIRMED,,,,,\n3,C,5,11,2,,CONFIRMED,12.,,,,\n");
	refused("users.csv line 2: created_at is \"yesterday\"");
	reported("users.csv line 3: user_id 11 is there twice");
	reported("users.csv line 4: user_id is \"-3\"");
	reported("users.csv line 5: created_at is \"2025-02-30 10:00:00\"");
	reported("users.csv line 6: is_blocked is \"perhaps\"");
	reported("slots.csv line 2: slot_date is \"2026-02-30\"");
	reported("slots.csv line 3: slot_time is \"31:00\"");
	reported("slots.csv line 4: max_capacity is \"many\"");
	reported("reservations.csv line 2: party_size is \"0\"");
	reported("reservations.csv line 3: reservation_type \"FREE\"");
	reported("reservations.csv line 4: deposit_amount is \"12.\"");
}

static void long_texts_are_cut_and_odd_columns_listed(void **state)
{
	char text[2000], name[400] = "";

	(void)state;
	for (int i = 0; i < 41; i++)
		strcat(name, "가");
	snprintf(text, sizeof text, "user_id,name,points,birthday,note\n11,%s,3,,\"첫 줄\n둘째 줄\"\n", name);
	file("users.csv", text);
	import_well();
	assert_string_equal(ask("SELECT length(name) FROM users WHERE user_id = 11"), "40");
	assert_string_equal(ask("SELECT note FROM restaurant_guests WHERE user_id = 11 AND restaurant_id = 1"),
			    "첫 줄 둘째 줄");
	reported("users.csv line 2: name was cut to 40 characters.");
	reported("Columns of users.csv that were ignored: points, birthday");
}

static void slots_of_one_moment_are_one_slot(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv",
	     "slotId,restaurantId,slotDate,slotTime,maxCapacity\n5,1,2026-02-01,12:00:00,4\n6,1,2026-02-01,12:00,4\n");
	file("reservations.csv", HEAD "1,A,5,11,3,,CONFIRMED,,,,,\n2,B,6,12,3,,CONFIRMED,,,,,\n3,C,6,11,3,,CONFIRMED,,,,,\n");
	import_well();
	assert_string_equal(ask("SELECT group_concat(slot_id || ' ' || max_capacity) FROM restaurant_reservation_slots"),
			    "5 6");
	assert_string_equal(ask("SELECT group_concat(reservation_id) FROM reservations WHERE is_active = 1 AND slot_id = 5"),
			    "1,2");
	reported("slot 6 (2026-02-01 12:00) is one with slot 5 of the book.");
}

static void moments_are_read_in_many_spellings(void **state)
{
	static const char *const pairs[][2] = {
		{"2025-12-31 13:00:00", "2025-12-31T04:00:00Z"},
		{"2025-12-31T13:00:00", "2025-12-31T04:00:00Z"},
		{"2025-12-31T13:00:00Z", "2025-12-31T13:00:00Z"},
		{"2025-12-31T13:00:00+09:00", "2025-12-31T04:00:00Z"},
		{"2025-12-31 13:00:00-0130", "2025-12-31T14:30:00Z"},
		{"2025-12-31 13:00", "2025-12-31T04:00:00Z"},
		{"2025-12-31", "2025-12-30T15:00:00Z"},
		{"2025-12-31T13:00:00.999999Z", "2025-12-31T13:00:00Z"},
		{"0000-00-00 00:00:00", "2026-01-10T00:00:00Z"},
		{"NULL", "2026-01-10T00:00:00Z"},
		{"1988-05-08 02:30:00", "1988-05-07T17:30:00Z"}, /* skipped by Seoul's clock that night */
	};
	static const char *const bad[] = {"2025-12-31 13",        "2025-12-31 24:00:00",  "2025-12-31 13:60:00",
					  "2025-12-31x13:00:00",  "2025-12-31 13:00:00 ", "2025-12-31 13:00:00+9",
					  "2025-12-31 13:00:00.", "1969-12-31",           "20251231"};
	char text[200], question[80];

	(void)state;
	for (size_t i = 0; i < COUNT(pairs); i++) {
		snprintf(text, sizeof text, "user_id,name,created_at\n%zu,하나,%s\n", i + 100, pairs[i][0]);
		file("users.csv", text);
		import_well();
		snprintf(question, sizeof question, "SELECT created_at FROM users ORDER BY user_id DESC");
		assert_string_equal(ask(question), pairs[i][1]);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		snprintf(text, sizeof text, "user_id,name,created_at\n11,하나,%s\n", bad[i]);
		file("users.csv", text);
		refused("users.csv line 2: created_at is");
	}
}

static void an_empty_folder_is_refused(void **state)
{
	(void)state;
	refused("has none of the files users.csv");
}

static void nothing_of_the_books_defences_is_taken_down(void **state)
{
	char before[64];

	(void)state;
	snprintf(before, sizeof before, "%s", ask("SELECT count(*) || ' ' || sum(length(sql)) FROM sqlite_schema"));
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv", HEAD "1,A,5,11,30,,CONFIRMED,,,,,\n2,B,5,11,30,,CONFIRMED,,,,,\n");
	import_well();
	assert_string_equal(ask("SELECT count(*) || ' ' || sum(length(sql)) FROM sqlite_schema"), before);
	assert_int_not_equal(
		sqlite3_exec(db.handle, "UPDATE reservations SET party_size = 31 WHERE reservation_id = 1", NULL, NULL, NULL),
		SQLITE_OK);
}

static void dishes_of_one_kind_are_added_up(void **state)
{
	(void)state;
	file("users.csv", USERS);
	file("restaurant_reservation_slots.csv", SLOTS);
	file("menus.csv", "menu_id,restaurant_id,name,price,is_deleted\n31,1,칼국수,11000,0\n32,1,식혜,4000,1\n");
	file("reservations.csv", HEAD "1,A,5,11,2,PREORDER_PREPAY,PREPAY_CONFIRM,,37000,37000,,\n");
	file("reservation_menu_items.csv",
	     "reservation_id,menu_id,quantity,line_amount\n1,31,2,22000\n1,31,1,11000\n1,32,1,9\n");
	import_well();
	assert_string_equal(
		ask("SELECT group_concat(menu_id || ':' || quantity || ':' || line_amount) FROM reservation_menu_items"),
		"31:3:33000,32:1:4000");
	reported("reservation 1 has this dish twice");
	reported("1 times 4000 is not 9 and became 4000.");
}

/* A number is one person, however it is spelled and however often the other system has it. */
static void one_number_is_one_person(void **state)
{
	(void)state;
	file("users.csv", "user_id,name,phone,email,is_blocked\n"
			  "11,김하나,010-1111-2222,,0\n"
			  "12,Hana Kim,+82 10 1111 2222,,1\n"
			  "13,하나,01011112222,hana@example.com,0\n"
			  "14,이두리,010-3333-4444,duri@example.com,0\n"
			  "15,둘,01033334444,other@example.com,0\n");
	file("restaurant_reservation_slots.csv", SLOTS);
	file("reservations.csv", HEAD "21,A1,5,11,2,,CONFIRMED,0,0,0,,2026-01-05 10:00:00\n"
				      "22,A2,5,12,3,,CONFIRMED,5000,0,5000,,2026-01-05 11:00:00\n"
				      "23,A3,6,13,2,,CONFIRMED,0,0,0,,2026-01-05 12:00:00\n"
				      "24,A4,5,14,2,,CONFIRMED,0,0,0,,2026-01-05 12:00:00\n"
				      "25,A5,5,15,2,,CONFIRMED,0,0,0,,2026-01-05 12:00:00\n");
	import_well();
	assert_string_equal(ask("SELECT count(*) FROM users WHERE user_id > 1"), "5");
	assert_string_equal(ask("SELECT group_concat(user_id || '>' || phone_of) FROM users WHERE phone_of IS NOT NULL"),
			    "11>13,12>13,15>14"); /* the login has the number */
	assert_string_equal(ask("SELECT group_concat(user_id) FROM (SELECT user_id FROM reservations ORDER BY reservation_id)"),
			    "13,13,13,14,15");
	assert_string_equal(
		ask("SELECT group_concat(guest_name) FROM (SELECT guest_name FROM reservations ORDER BY reservation_id)"),
		"김하나,Hana Kim,하나,이두리,둘");
	/* Two active ones in one slot came to light. */
	assert_string_equal(ask("SELECT status FROM reservations WHERE reservation_id = 21"), "CANCELED");
	assert_string_equal(ask("SELECT status FROM reservations WHERE reservation_id = 22"), "CONFIRMED");
	assert_string_equal(ask("SELECT is_blocked FROM restaurant_guests WHERE user_id = 13 AND restaurant_id = 1"), "1");
	assert_string_equal(ask("SELECT count(*) FROM audit WHERE change = 'phone_of'"), "3");
	reported("user 12 has the telephone number of user 13 of the book and is the same person.");
	reported("user 15 has the telephone number of user 14 of the book, but a login of their own");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(a_whole_folder_keeps_its_ids_in_an_empty_book),
		TEST(the_seeds_duplicates_are_canceled_and_none_is_lost),
		cmocka_unit_test(the_paid_one_stays_then_the_referred_one_then_the_oldest),
		TEST(money_of_a_canceled_duplicate_is_due_back),
		TEST(an_over_full_slot_keeps_its_people),
		TEST(states_spelled_otherwise_are_mapped),
		TEST(a_visit_or_a_no_show_of_the_past_is_not_lost),
		TEST(history_is_never_refused_for_too_few_seats),
		TEST(what_is_wrong_in_the_same_way_is_said_once),
		TEST(every_row_that_the_book_refuses_is_named),
		TEST(the_docs_list_every_known_word),
		TEST(an_unknown_state_is_named_and_nothing_is_imported),
		TEST(a_long_korean_cell_is_quoted_in_whole_letters),
		TEST(past_holds_expire_and_their_money_is_due_back),
		TEST(a_past_hold_does_not_stand_in_the_way_of_a_duplicate),
		TEST(one_number_is_one_person),
		TEST(totals_are_made_to_fit),
		TEST(codes_that_are_missing_pending_or_taken_are_made_new),
		TEST(payments_are_mapped_so_that_every_won_is_accounted_for),
		TEST(an_unknown_payment_state_is_named),
		TEST(one_address_is_one_account),
		TEST(an_id_of_the_staff_is_given_away_no_more),
		TEST(in_a_used_book_ids_are_mapped_and_references_follow),
		TEST(files_that_are_not_there_mean_the_rows_of_the_book),
		TEST(a_row_without_its_parent_is_named_and_nothing_is_imported),
		TEST(restaurants_come_along),
		TEST(bad_restaurants_are_named),
		TEST(amounts_have_the_digits_of_their_currency),
		TEST(amounts_with_more_digits_than_their_currency_are_named),
		TEST(a_dry_run_tells_all_and_changes_nothing),
		TEST(the_same_folder_twice_is_refused),
		TEST(broken_files_are_named_by_their_line),
		TEST(cells_that_make_no_sense_are_named),
		TEST(long_texts_are_cut_and_odd_columns_listed),
		TEST(slots_of_one_moment_are_one_slot),
		TEST(moments_are_read_in_many_spellings),
		TEST(an_empty_folder_is_refused),
		TEST(nothing_of_the_books_defences_is_taken_down),
		TEST(dishes_of_one_kind_are_added_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
