/*
 * test_migrate.c - a new book is whole, a foreign one is left alone, a failed migration changes nothing.
 */
#include "migrate.h"

#include "book.h"
#include "check.h"
#include "kid.h"
#include "unit.h"

#include <glob.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64], path[4096];

static int make(void **state)
{
	(void)state;
	book_make_dir(dir);
	db_path(dir, path);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	book_remove_dir(dir);
	return 0;
}

static enum err migrate(bool *made)
{
	return migrate_book(dir, made);
}

static void say(void *arg, const char *rule, const char *finding)
{
	(void)arg;
	if (finding)
		fprintf(stderr, "check: %s: %s\n", rule, finding);
}

static void book_is_sound(void)
{
	struct check_report report;

	assert_int_equal(check_book(path, say, NULL, &report), ERR_OK);
	assert_int_equal(report.findings, 0);
	assert_true(report.rules > 10);
}

static void a_new_book_is_ours_current_and_in_wal_mode(void **state)
{
	struct stat st;
	sqlite3 *h;
	bool made = false;

	(void)state;
	assert_int_equal(migrate(&made), ERR_OK);
	assert_true(made);
	h = book_plain(path);
	assert_int_equal(book_int(h, "PRAGMA application_id"), DB_APPLICATION_ID);
	assert_int_equal(book_int(h, "PRAGMA user_version"), DB_VERSION);
	assert_int_equal(book_int(h, "SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM migrations"), DB_VERSION);
	assert_int_equal(book_int(h, "SELECT count(*) FROM restaurants"), 0);
	sqlite3_close(h);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0007, 0); /* guests' names are not for everybody on the box */
	book_is_sound();
}

static void a_second_run_changes_nothing(void **state)
{
	size_t before_n, after_n;
	char *before, *after;
	sqlite3 *h;
	bool made = true;

	(void)state;
	assert_int_equal(migrate(&made), ERR_OK);
	assert_int_equal(migrate_demo(dir), ERR_OK);
	h = book_plain(path);
	sqlite3_wal_checkpoint_v2(h, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	sqlite3_close(h);
	before = book_read_file(path, &before_n);
	assert_int_equal(migrate(&made), ERR_OK);
	assert_false(made);
	after = book_read_file(path, &after_n);
	assert_int_equal(before_n, after_n);
	assert_memory_equal(before, after, before_n);
	free(before);
	free(after);
	book_is_sound();
}

/* Migrating that file says e, and not a byte of it changes. */
static void is_refused_untouched(enum err e)
{
	size_t before_n, after_n;
	char *before = book_read_file(path, &before_n), *after;
	bool made;

	assert_int_equal(migrate(&made), e);
	after = book_read_file(path, &after_n);
	assert_int_equal(before_n, after_n);
	assert_memory_equal(before, after, before_n);
	free(before);
	free(after);
}

static void another_programs_file_is_refused_untouched(void **state)
{
	sqlite3 *h = book_plain(path);

	(void)state;
	book_exec(h, "CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x')");
	sqlite3_close(h);
	is_refused_untouched(ERR_BOOK_FOREIGN);
	h = book_plain(path);
	book_exec(h, "PRAGMA application_id=12345");
	sqlite3_close(h);
	is_refused_untouched(ERR_BOOK_FOREIGN);
}

static void what_is_no_database_is_refused_untouched(void **state)
{
	char text[5000];

	(void)state;
	memset(text, '#', sizeof text);
	book_write_file(path, text, sizeof text);
	is_refused_untouched(ERR_BOOK_FOREIGN);
}

static void a_newer_book_is_refused_untouched(void **state)
{
	sqlite3 *h;
	bool made;

	(void)state;
	assert_int_equal(migrate(&made), ERR_OK);
	h = book_plain(path);
	book_exec(h, "PRAGMA user_version=%d", DB_VERSION + 1);
	sqlite3_wal_checkpoint_v2(h, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	sqlite3_close(h);
	is_refused_untouched(ERR_BOOK_NEWER);
}

static void a_failing_migration_leaves_the_file_as_it_was(void **state)
{
	sqlite3 *h = book_plain(path);
	bool made;

	(void)state;
	/* The last thing the script makes is a view of this name: all before it succeeds and is undone. */
	book_exec(h, "PRAGMA application_id=%d; CREATE TABLE v_money (x); INSERT INTO v_money VALUES (42)", DB_APPLICATION_ID);
	sqlite3_close(h);
	assert_int_equal(migrate(&made), ERR_INTERNAL);
	assert_false(made);
	h = book_plain(path);
	assert_int_equal(book_int(h, "SELECT count(*) FROM sqlite_schema"), 1);
	assert_int_equal(book_int(h, "SELECT x FROM v_money"), 42);
	assert_int_equal(book_int(h, "PRAGMA user_version"), 0);
	assert_true(book_whole(h));
	book_exec(h, "DROP TABLE v_money"); /* and once the cause is gone it goes through */
	sqlite3_close(h);
	assert_int_equal(migrate(&made), ERR_OK);
	book_is_sound();
}

static size_t copies(void)
{
	char pattern[100];
	size_t n;
	glob_t g;

	snprintf(pattern, sizeof pattern, "%s/jari.db.before-*", dir);
	n = glob(pattern, 0, NULL, &g) == 0 ? g.gl_pathc : 0;
	globfree(&g);
	return n;
}

/* A book as version 1 left it, with a guest and a booking that came by tickets and one that did not. */
static void make_first_version(void)
{
	sqlite3 *h = book_make_version(path, 1);

	book_exec(h, "PRAGMA journal_mode=WAL;"
		     "INSERT INTO restaurants (restaurant_id, name) VALUES (1, '온기');"
		     "INSERT INTO users (user_id, user_type, name, ticket) VALUES (11, 'GUEST', '김하나', 500), (12, 'GUEST', "
		     "'둘', NULL);");
	book_slot(h, 1, "2026-01-20", "11:00", 4);
	book_reservation(h, 7, 1, 11, 2, "CONFIRMED", "");
	book_reservation(h, 8, 1, 12, 2, "CONFIRMED", "");
	book_reservation(h, 9, 1, 12, 2, "CANCELED", "");
	book_exec(h, "UPDATE reservations SET ticket = 501 WHERE reservation_id = 7");
	sqlite3_close(h);
}

static void an_older_book_is_copied_first_and_upgraded(void **state)
{
	char copy[4200];
	sqlite3 *h;
	bool made;

	(void)state;
	make_first_version();
	assert_int_equal(migrate(&made), ERR_OK);
	assert_false(made);
	assert_int_equal(copies(), 1);
	snprintf(copy, sizeof copy, "%s.before-0002", path);
	h = book_plain(copy);
	assert_int_equal(book_int(h, "PRAGMA user_version"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM reservations"), 3);
	sqlite3_close(h);
	h = book_plain(path);
	assert_int_equal(book_int(h, "PRAGMA user_version"), DB_VERSION);
	assert_int_equal(book_int(h, "SELECT count(*) FROM reservations"), 3);
	/* Every ticket that had done something is found in the audit, and nothing else has one. */
	assert_int_equal(book_int(h, "SELECT count(*) FROM audit WHERE ticket IS NOT NULL"), 2);
	assert_int_equal(book_int(h, "SELECT entity_id FROM audit WHERE ticket = 501 AND entity = 'reservation'"), 7);
	assert_int_equal(book_int(h, "SELECT entity_id FROM audit WHERE ticket = 500 AND entity = 'user'"), 11);
	/* A guest is still in a slot once, and may have been there before. */
	assert_int_not_equal(
		book_try(h, "INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type,"
			    " status) VALUES ('X', 1, 11, 1, 'RESERVATION_DEPOSIT', 'CONFIRMED')"),
		SQLITE_OK);
	assert_int_not_equal(book_try(h, "UPDATE audit SET ticket = 1"), SQLITE_OK);
	sqlite3_close(h);
	book_is_sound();
}

/* A book as version 2 left it, with one number under many spellings and names, in one slot and in several. */
static void make_second_version(void)
{
	sqlite3 *h = book_make_version(path, 2);

	book_exec(h,
		  "PRAGMA journal_mode=WAL;"
		  "INSERT INTO restaurants (restaurant_id, name, timezone) VALUES (1, '온기', 'Europe/Berlin');"
		  "UPDATE restaurants SET utc_offset_minutes = 60;"
		  "INSERT INTO users (user_id, user_type, name, phone, email, note, is_blocked) VALUES"
		  " (1, 'OWNER', '주인', NULL, 'owner@example.com', NULL, 0),"
		  " (11, 'GUEST', '김하나', '01011112222', NULL, NULL, 0), (12, 'GUEST', 'Hana Kim', '00821011112222', "
		  "'h@example.com', NULL, 0),"
		  " (13, 'GUEST', '김하나', '+8201011112222', NULL, '땅콩', 0), (14, 'GUEST', '하나', '+821011112222', NULL, "
		  "NULL, 1),"
		  " (15, 'ACCOUNT', '계정', '+491710000001', 'a@example.com', NULL, 0), (16, 'GUEST', '계정', '+491710000001', "
		  "NULL, NULL, 0),"
		  " (17, 'ACCOUNT', '다른 계정', '+491710000001', 'b@example.com', NULL, 0), (18, 'GUEST', '이두리', "
		  "'+491719999999', NULL, NULL, 0);");
	book_slot(h, 1, "2026-07-20", "11:00", 40);        /* summer: 09:00 UTC */
	book_slot(h, 2, "2026-12-20", "11:00", 40);        /* winter: 10:00 UTC */
	book_reservation(h, 1, 1, 11, 2, "CONFIRMED", ""); /* one number four times in slot 1: 3 is paid and stays */
	book_reservation(h, 2, 1, 12, 2, "TEMPORARY", "2099-01-01T00:00:00Z");
	book_reservation(h, 3, 1, 13, 2, "CONFIRMED", "");
	book_reservation(h, 4, 1, 14, 2, "CONFIRMED", "");
	book_reservation(h, 5, 2, 14, 2, "CONFIRMED", ""); /* and once in slot 2 */
	book_reservation(h, 6, 1, 15, 2, "CONFIRMED", ""); /* an account and a guest with its number */
	book_reservation(h, 7, 1, 16, 2, "CONFIRMED", "");
	book_reservation(h, 8, 1, 17, 2, "CONFIRMED", ""); /* another account with that number stays another person */
	book_reservation(h, 9, 2, 18, 2, "CONFIRMED", "");
	book_exec(h, "UPDATE reservations SET idempotency_key = 'same' WHERE reservation_id IN (3, 5, 9);"
		     "INSERT INTO payments (payment_id, reservation_id, provider, amount, status, kept_amount, paid_at) VALUES"
		     " (1, 3, 'desk', 10000, 'PAID', 10000, '2026-01-01T00:00:00Z'), (2, 4, 'desk', 7000, 'PAID', 7000, "
		     "'2026-01-02T00:00:00Z')");
	sqlite3_close(h);
}

static void numbers_that_were_there_twice_become_one_person(void **state)
{
	char copy[4200];
	sqlite3 *h;
	bool made;

	(void)state;
	make_second_version();
	assert_int_equal(migrate(&made), ERR_OK);
	snprintf(copy, sizeof copy, "%s.before-0003", path);
	h = book_plain(copy);
	assert_int_equal(book_int(h, "PRAGMA user_version"), 2);
	sqlite3_close(h);
	h = book_plain(path);
	/* No row is lost. */
	assert_int_equal(book_int(h, "SELECT count(*) FROM users"), 9);
	assert_int_equal(book_int(h, "SELECT count(*) FROM reservations"), 9);
	assert_int_equal(book_int(h, "SELECT count(*) FROM payments"), 2);
	/* One person per number; the login keeps it, and a second login stays a person of its own. */
	assert_int_equal(book_int(h, "SELECT count(*) FROM users WHERE phone_of = 11 AND user_id IN (12, 13, 14)"), 3);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users WHERE phone_of = 15 AND user_id IN (16, 17)"), 2);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users WHERE phone_of IS NULL"), 4);
	assert_int_equal(book_int(h, "SELECT count(*) FROM reservations WHERE user_id = 11"), 5);
	assert_int_equal(book_int(h, "SELECT count(*) FROM reservations WHERE user_id = 15"), 2);
	assert_int_equal(book_int(h, "SELECT user_id FROM reservations WHERE reservation_id = 8"), 17);
	/* What was known of any of them is known of the one. */
	assert_int_equal(book_int(h, "SELECT is_blocked = 1 AND note = '땅콩' FROM restaurant_guests WHERE user_id = 11"), 1);
	assert_int_equal(book_int(h, "SELECT blocked_by = 1 AND is_blocked = 0 AND note IS NULL FROM users WHERE user_id = 11"),
			 1);
	/* The paid one stays; the others are cancelled, their money is due back, and it is said why. */
	assert_int_equal(
		book_int(h, "SELECT reservation_id FROM reservations WHERE user_id = 11 AND slot_id = 1 AND is_active = 1"), 3);
	assert_int_equal(book_int(h, "SELECT count(*) FROM reservations WHERE status = 'CANCELED'"), 4); /* 1, 2, 4 and 7 */
	assert_int_equal(book_int(h, "SELECT due_back_amount FROM payments WHERE payment_id = 2 AND status = 'REFUND_DUE'"),
			 7000);
	assert_int_equal(book_int(h, "SELECT kept_amount FROM payments WHERE payment_id = 1 AND status = 'PAID'"), 10000);
	assert_int_equal(
		book_int(h, "SELECT count(*) FROM reservation_cancellations WHERE reason LIKE '%%same number and slot%%'"), 4);
	assert_int_equal(book_int(h, "SELECT count(*) FROM audit WHERE actor = 'upgrade' AND change = 'phone_of'"), 5);
	/* Each keeps the name it was given and the card of the guest who gave it. */
	assert_int_equal(book_int(h, "SELECT count(*) FROM reservations WHERE (reservation_id, guest_name, card_id) IN"
				     " (VALUES (2, 'Hana Kim', 12), (5, '하나', 14), (9, '이두리', 18))"),
			 3);
	assert_int_equal(book_int(h, "SELECT count(*) FROM reservations WHERE card_id IS NULL"), 2);
	assert_int_equal(book_int(h, "SELECT count(*) FROM reservations WHERE idempotency_key = 'same'"), 2); /* 3 and 9 */
	/* When it begins, by the rules of the zone on that day. */
	assert_int_equal(
		book_int(h, "SELECT count(*) FROM reservations WHERE starts_at = '2026-07-20T09:00:00Z' AND slot_id = 1"), 7);
	assert_int_equal(
		book_int(h, "SELECT count(*) FROM reservations WHERE starts_at = '2026-12-20T10:00:00Z' AND slot_id = 2"), 2);
	assert_int_equal(book_int(h, "SELECT count(*) FROM payments WHERE restaurant_id = 1"), 2);
	/* From now on by the book itself. */
	assert_int_not_equal(book_try(h, "INSERT INTO users (user_type, name, phone) VALUES ('GUEST', 'x', '010 1111 2222')"),
			     SQLITE_OK);
	/* In another country the same digits are another number. */
	book_exec(h, "UPDATE restaurants SET calling_code = 49");
	assert_int_equal(book_int(h, "SELECT phone_key FROM users WHERE user_id = 11"), INT64_C(491011112222));
	sqlite3_close(h);
	book_is_sound();
}

/* A book as version 7 left it: a guest on the waitlist and a message, both written at the shell, and reservations. */
static void a_book_of_before_messages_keeps_what_it_has(void **state)
{
	sqlite3 *h = NULL;
	bool made;

	(void)state;
	assert_int_equal(db_open_plain(path, SQLITE_OPEN_CREATE, &h), ERR_OK);
	book_exec(h, "PRAGMA journal_mode=WAL");
	for (int v = 1; v <= 7; v++)
		assert_int_equal(sqlite3_exec(h, migrate_schema(v), NULL, NULL, NULL), SQLITE_OK);
	book_exec(h,
		  "INSERT INTO restaurants (restaurant_id, name, hold_seconds) VALUES (1, 'old', 600);"
		  "INSERT INTO users (user_id, user_type, name, phone) VALUES (1, 'GUEST', '하나', '010-1111-2222'), (2, "
		  "'GUEST', '두리',"
		  " '010-1111-3333');"
		  "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity) "
		  "VALUES (1, 1,"
		  " '2099-07-20', '18:00', 4);"
		  "INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size, reservation_type, "
		  "status)"
		  " VALUES (1, 'R1', 1, 1, 4, 'RESERVATION_DEPOSIT', 'CONFIRMED');"
		  "INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size) VALUES (1, '2099-07-20', "
		  "'18:00', 2, 2);"
		  "INSERT INTO outbox (channel, user_id, reservation_id, template, next_attempt_at, last_error, dedupe_key) "
		  "VALUES ('MAIL', 1,"
		  " 1, 'hello', '2026-01-01T00:00:00Z', 'x', 'k');"
		  "INSERT INTO cards (card_id, user_id, ended_at) VALUES (77, 1, '2026-01-01T00:00:00Z');"
		  "PRAGMA application_id=%d; PRAGMA user_version=7",
		  DB_APPLICATION_ID);
	sqlite3_close(h);
	assert_int_equal(migrate(&made), ERR_OK);
	assert_int_equal(copies(), 1);
	h = book_plain(path);
	assert_int_equal(book_int(h, "SELECT hold_seconds = 600 AND mail_guests = 1 AND sms_guests = 0 AND prove_contact = 0 "
				     "FROM restaurants"),
			 1);
	assert_int_equal(book_int(h, "SELECT guest_name = '두리' AND starts_at = '2099-07-20T09:00:00Z' AND status = 'WAITING' "
				     "FROM waitlist"),
			 1);
	assert_int_equal(book_int(h, "SELECT event = 'hello' AND restaurant_id = 1 AND reservation_id = 1 AND last_answer = "
				     "'x' FROM outbox"),
			 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM cards WHERE card_id = 77 AND ended_at IS NOT NULL"), 1);
	/* Nothing of it can be taken away or put in twice. */
	assert_int_not_equal(book_try(h, "DELETE FROM waitlist"), SQLITE_OK);
	assert_int_not_equal(book_try(h, "DELETE FROM outbox"), SQLITE_OK);
	assert_int_not_equal(
		book_try(h, "INSERT OR REPLACE INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size)"
			    " VALUES (1, '2099-07-20', '18:00', 2, 3)"),
		SQLITE_OK);
	sqlite3_close(h);
	book_is_sound();
}

/* ---- the page ---- */

/* Everything that the book has, one row each; triggers in the order in which they were made, which is that of their running. */
static const char all_letters[] =
	"SELECT group_concat(words, char(10)) FROM (SELECT type || ' ' || name || ' ' || tbl_name || ' ' ||"
	" ifnull(sql, '-') || CASE type WHEN 'trigger' THEN (SELECT count(*) FROM sqlite_schema o WHERE"
	" o.type = 'trigger' AND o.rowid < m.rowid) ELSE '' END AS words FROM sqlite_schema m WHERE"
	" name NOT LIKE 'sqlite_s%' ORDER BY type, name)";
/* And what SQLite made of it. */
static const char all_columns[] =
	"SELECT group_concat(words, char(10)) FROM (SELECT m.name || ' ' || c.cid || c.name || c.type || c.\"notnull\" ||"
	" ifnull(c.dflt_value, '-') || c.pk || c.hidden AS words FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c"
	" WHERE m.type = 'table' ORDER BY m.name, c.cid)";

static char *text_of(const char *book, const char *sql)
{
	sqlite3 *h = book_plain(book);
	sqlite3_stmt *s;
	char *text;

	assert_int_equal(sqlite3_prepare_v2(h, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	text = strdup((const char *)sqlite3_column_text(s, 0));
	assert_non_null(text);
	sqlite3_finalize(s);
	sqlite3_close(h);
	return text;
}

static void a_book_that_went_through_every_migration_is_a_new_one_to_the_letter(void **state)
{
	static const char *const questions[] = {all_letters, all_columns};
	char *old[COUNT(questions)], *new;
	bool made;

	(void)state;
	make_first_version();
	assert_int_equal(migrate(&made), ERR_OK);
	for (size_t i = 0; i < COUNT(questions); i++)
		old[i] = text_of(path, questions[i]);
	leave(NULL);
	make(NULL);
	assert_int_equal(migrate(&made), ERR_OK);
	assert_true(made);
	for (size_t i = 0; i < COUNT(questions); i++) {
		new = text_of(path, questions[i]);
		assert_true(strlen(new) > 4000);
		assert_string_equal(old[i], new);
		free(old[i]);
		free(new);
	}
}

/* A table keeps its rows and gets the page's letters, whatever its own looked like. */
static void letters_that_mean_the_same_become_those_of_the_page(void **state)
{
	char *before, *after;
	sqlite3 *h;
	bool made;

	(void)state;
	assert_int_equal(migrate(&made), ERR_OK);
	before = text_of(path, all_letters);
	h = book_plain(path);
	book_exec(
		h,
		"INSERT INTO restaurants (restaurant_id, name) VALUES (1, 'x'); PRAGMA writable_schema=ON;"
		"UPDATE sqlite_schema SET sql = replace(replace(sql, '  ', ' '), 'TABLE restaurants', 'TABLE \"restaurants\"')"
		" WHERE name IN ('restaurants', 'reservations')");
	sqlite3_close(h);
	assert_int_equal(migrate(&made), ERR_OK);
	after = text_of(path, all_letters);
	assert_string_equal(after, before);
	assert_int_equal(copies(), 0); /* nothing was in danger */
	free(before);
	free(after);
	book_is_sound();
}

/* ---- the copy ---- */

static char copy[4200];

static void name_copy(void)
{
	snprintf(copy, sizeof copy, "%s.before-0002", path);
}

static void copy_is_the_old_book(void)
{
	sqlite3 *h = book_plain(copy);

	assert_int_equal(book_int(h, "PRAGMA user_version"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM reservations"), 3);
	assert_true(book_whole(h));
	sqlite3_close(h);
}

static void a_copy_that_is_empty_or_damaged_or_of_another_day_is_made_again(void **state)
{
	size_t n;
	char *bytes;
	bool made;
	sqlite3 *h;

	(void)state;
	name_copy();
	make_first_version();
	book_write_file(copy, "", 0);
	assert_int_equal(migrate(&made), ERR_OK);
	copy_is_the_old_book();
	for (int i = 0; i < 2; i++) { /* again, on the book as it was: torn in the middle, and with a row less */
		bytes = book_read_file(copy, &n);
		book_remove_dir(dir);
		assert_int_equal(mkdir(dir, 0700), 0);
		book_write_file(path, bytes, n);
		book_write_file(copy, bytes, i == 0 ? n / 2 : n);
		free(bytes);
		if (i == 1) {
			h = book_plain(copy);
			book_exec(h, "DROP TRIGGER reservations_stay; DELETE FROM reservations WHERE reservation_id = 9");
			sqlite3_close(h);
		}
		assert_int_equal(migrate(&made), ERR_OK);
		copy_is_the_old_book();
	}
	assert_int_equal(copies(), 1);
	book_is_sound();
}

static void the_copy_is_as_private_as_the_book(void **state)
{
	struct stat st;
	mode_t old;
	bool made;

	(void)state;
	name_copy();
	make_first_version();
	assert_int_equal(chmod(path, 0600), 0);
	old = umask(0);
	assert_int_equal(migrate(&made), ERR_OK);
	umask(old);
	assert_int_equal(stat(copy, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static int migrate_without_room(void *bytes)
{
	struct rlimit small = {.rlim_cur = *(rlim_t *)bytes, .rlim_max = *(rlim_t *)bytes};
	bool made;

	signal(SIGXFSZ, SIG_IGN);
	return setrlimit(RLIMIT_FSIZE, &small) == 0 ? (int)migrate(&made) : -1;
}

static void settle_file(void)
{
	sqlite3 *h = book_plain(path);

	assert_int_equal(book_int(h, "PRAGMA user_version"), 1); /* SQLite finds the log when it first reads */
	assert_int_equal(sqlite3_wal_checkpoint_v2(h, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL), SQLITE_OK);
	sqlite3_close(h);
}

static void without_room_for_a_copy_nothing_is_upgraded(void **state)
{
	size_t before_n, after_n;
	char *before, *after;
	rlim_t room = 40960;
	bool made;

	(void)state;
	make_first_version();
	settle_file();
	before = book_read_file(path, &before_n);
	assert_int_equal(kid_run(migrate_without_room, &room), ERR_BOOK_NO_COPY);
	after = book_read_file(path, &after_n);
	assert_int_equal(before_n, after_n);
	assert_memory_equal(before, after, before_n);
	free(before);
	free(after);
	assert_int_equal(copies(), 0); /* nor is half of one left */
	assert_int_equal(migrate(&made), ERR_OK);
	book_is_sound();
}

/* ---- one transaction ---- */

static int migrate_up_to(void *failpoint)
{
	bool made;

	setenv("JARI_FAILPOINT", failpoint, 1);
	migrate(&made);
	return 1; /* it should have been killed */
}

static void an_upgrade_that_is_killed_leaves_the_old_book(void **state)
{
	static char points[][32] = {"migrate.copied:kill:1", "migrate.changed:kill:1"};
	bool made;
	sqlite3 *h;

	(void)state;
	make_first_version();
	for (size_t i = 0; i < COUNT(points); i++) {
		assert_int_equal(kid_run(migrate_up_to, points[i]), KID_KILLED + SIGKILL);
		h = book_plain(path);
		assert_int_equal(book_int(h, "PRAGMA user_version"), 1);
		assert_int_equal(book_int(h, "SELECT count(*) FROM migrations"), 1);
		assert_int_equal(book_int(h, "SELECT count(*) FROM sqlite_schema WHERE name = 'cards'"), 0);
		sqlite3_close(h);
	}
	assert_int_equal(migrate(&made), ERR_OK);
	assert_int_equal(copies(), 1);
	book_is_sound();
}

/* There is room for the copy, and then for some of the steps. */
static void a_disk_that_fills_up_leaves_the_old_book(void **state)
{
	rlim_t room;
	size_t n;
	bool made;
	sqlite3 *h;

	(void)state;
	make_first_version();
	settle_file();
	free(book_read_file(path, &n));
	room = n + 4096;
	assert_int_equal(kid_run(migrate_without_room, &room), ERR_BOOK_UNWRITABLE);
	h = book_plain(path);
	assert_int_equal(book_int(h, "PRAGMA user_version"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM migrations"), 1);
	assert_true(book_whole(h));
	sqlite3_close(h);
	assert_int_equal(migrate(&made), ERR_OK);
	book_is_sound();
}

static void a_step_that_fails_undoes_those_before_it(void **state)
{
	bool made;
	sqlite3 *h;

	(void)state;
	make_first_version();
	h = book_plain(path);
	/* 0007 notes itself there when it is done. */
	book_exec(h, "INSERT INTO migrations VALUES (7, 'early', '2026-01-01T00:00:00Z')");
	sqlite3_close(h);
	assert_int_equal(migrate(&made), ERR_INTERNAL);
	h = book_plain(path);
	assert_int_equal(book_int(h, "PRAGMA user_version"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM sqlite_schema WHERE name IN ('cards', 'table_sets', 'writing')"), 0);
	book_exec(h, "DELETE FROM migrations WHERE version = 7");
	sqlite3_close(h);
	assert_int_equal(migrate(&made), ERR_OK);
	book_is_sound();
}

/* ---- the shape ---- */

static void what_was_taken_from_a_book_is_put_back(void **state)
{
	bool made;
	sqlite3 *h;

	(void)state;
	assert_int_equal(migrate(&made), ERR_OK);
	assert_int_equal(migrate_demo(dir), ERR_OK);
	h = book_plain(path);
	book_exec(
		h,
		"DROP TRIGGER reservations_insert; DROP INDEX reservations_person; DROP VIEW v_today; DROP TRIGGER audit_stays;"
		"DROP TRIGGER restaurants_audit;"
		"CREATE TRIGGER mischief AFTER INSERT ON users BEGIN UPDATE users SET note = 'x'; END;"
		"ALTER TABLE restaurants DROP COLUMN message_text_en");
	sqlite3_close(h);
	assert_int_equal(migrate(&made), ERR_OK);
	book_is_sound();
	h = book_plain(path);
	assert_int_equal(book_int(h, "SELECT count(*) FROM restaurants WHERE reservation_limit = 40"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM opening_hours"), 12);
	sqlite3_close(h);
	snprintf(copy, sizeof copy, "%s.before-repair", path);
	assert_int_equal(access(copy, F_OK), 0);
}

static void a_copy_is_kept_before_a_trigger_that_is_not_ours_goes(void **state)
{
	bool made;
	sqlite3 *h;

	(void)state;
	assert_int_equal(migrate(&made), ERR_OK);
	h = book_plain(path);
	book_exec(h, "CREATE TRIGGER mischief AFTER INSERT ON users BEGIN UPDATE users SET note = 'x'; END");
	sqlite3_close(h);
	assert_int_equal(migrate(&made), ERR_OK);
	book_is_sound();
	snprintf(copy, sizeof copy, "%s.before-repair", path);
	assert_int_equal(access(copy, F_OK), 0);
	h = book_plain(copy);
	assert_int_equal(book_int(h, "SELECT count(*) FROM sqlite_schema WHERE name = 'mischief'"), 1);
	sqlite3_close(h);
}

static void what_the_owner_added_stays(void **state)
{
	bool made;
	sqlite3 *h;

	(void)state;
	make_first_version();
	h = book_plain(path);
	/* v_waitlist: a name that a later jari takes. */
	book_exec(h, "CREATE VIEW my_evening AS SELECT count(*) AS n FROM reservations; CREATE VIEW v_waitlist AS SELECT 1;"
		     "CREATE INDEX my_index ON reservations (currency); CREATE TABLE my_notes (text);"
		     "INSERT INTO my_notes VALUES ('salt'); ALTER TABLE users ADD COLUMN birthday TEXT;"
		     "UPDATE users SET birthday = '1990-01-01' WHERE user_id = 11");
	sqlite3_close(h);
	for (int i = 0; i < 2; i++)
		assert_int_equal(migrate(&made), ERR_OK);
	book_is_sound();
	h = book_plain(path);
	assert_int_equal(book_int(h, "SELECT n FROM my_evening"), 3);
	assert_int_equal(book_int(h, "SELECT count(*) FROM my_notes"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM sqlite_schema WHERE name = 'my_index'"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users_own WHERE user_id = 11 AND birthday = '1990-01-01'"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM v_waitlist"), 0);
	sqlite3_close(h);
}

/* Not only of this version: the old book is repaired before it is upgraded. */
static void a_column_with_a_hostile_name_does_not_stop_the_upgrade(void **state)
{
	bool made;
	sqlite3 *h;

	(void)state;
	make_first_version();
	h = book_plain(path);
	book_add_nasty(h, "users");
	sqlite3_close(h);
	assert_int_equal(migrate(&made), ERR_OK);
	book_is_sound();
	h = book_plain(path);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users_own WHERE \"my \"\"note\"\"\" = 'mine' AND \"it's\" = 'mine'"
				     " AND \"a\nb\" = 'mine' AND \"단골, 메모\" = 'mine'"),
			 2);
	assert_int_equal(book_int(h, "SELECT count(*) FROM sqlite_schema WHERE name IN ('loot', 'evil_view')"), 0);
	sqlite3_close(h);
	assert_int_not_equal(access("/dev/shm/jari-nasty.db", F_OK), 0);
}

/* The table that took the first is there already. */
static void a_second_column_of_the_owner_finds_a_place_too(void **state)
{
	bool made;
	sqlite3 *h;

	(void)state;
	make_first_version();
	assert_int_equal(migrate(&made), ERR_OK);
	for (int i = 1; i <= 3; i++) {
		h = book_plain(path);
		book_exec(h, "ALTER TABLE users ADD COLUMN vip%d TEXT; UPDATE users SET vip%d = 'x' WHERE user_id = 11", i, i);
		sqlite3_close(h);
		assert_int_equal(migrate(&made), ERR_OK);
	}
	book_is_sound();
	h = book_plain(path);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users_own a JOIN users_own2 b USING (user_id) JOIN users_own3 c"
				     " USING (user_id) WHERE vip1 || vip2 || vip3 = 'xxx'"),
			 1);
	sqlite3_close(h);
}

/* Of a table, a table for a while (0003), a view, and of what a repair uses. */
static void a_table_of_the_owner_gives_way_to_a_later_one_of_its_name(void **state)
{
	static const char *const names[] = {"Cards", "upgrade_twice", "v_waitlist", "jari_old"};
	bool made;
	sqlite3 *h;

	(void)state;
	make_first_version();
	h = book_plain(path);
	for (size_t i = 0; i < COUNT(names); i++)
		book_exec(h, "CREATE TABLE %s (name TEXT PRIMARY KEY); INSERT INTO %s VALUES ('mine')", names[i], names[i]);
	book_exec(h,
		  "CREATE TABLE lines (card TEXT REFERENCES Cards); INSERT INTO lines VALUES ('mine');"
		  "ALTER TABLE users ADD COLUMN birthday TEXT; DROP VIEW v_today; CREATE VIEW v_today AS SELECT * FROM gone");
	sqlite3_close(h);
	for (int i = 0; i < 2; i++)
		assert_int_equal(migrate(&made), ERR_OK);
	book_is_sound();
	h = book_plain(path);
	for (size_t i = 0; i < COUNT(names); i++)
		assert_int_equal(book_int(h, "SELECT count(*) FROM %s_own WHERE name = 'mine'", names[i]), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM lines JOIN Cards_own ON name = card"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
	sqlite3_close(h);
}

static void a_book_that_another_draft_made_is_not_opened_before_it_is_put_right(void **state)
{
	struct db db;
	bool made;
	sqlite3 *h;

	(void)state;
	assert_int_equal(migrate(&made), ERR_OK);
	assert_int_equal(db_open(&db, dir, NULL), ERR_OK);
	db_close(&db);
	h = book_plain(path);
	assert_int_equal(book_int(h, "SELECT count(*) FROM migrations WHERE hash IS NOT NULL"), DB_VERSION);
	book_exec(h, "UPDATE migrations SET hash = '0123456789abcdef' WHERE version = %d", DB_VERSION);
	sqlite3_close(h);
	assert_int_equal(db_open(&db, dir, NULL), ERR_BOOK_OLDER);
	assert_int_equal(migrate(&made), ERR_OK);
	assert_int_equal(db_open(&db, dir, NULL), ERR_OK);
	db_close(&db);
	book_is_sound();
}

static void a_directory_that_is_not_there_is_unwritable(void **state)
{
	bool made;

	(void)state;
	assert_int_equal(migrate_book("/nowhere/at/all", &made), ERR_BOOK_UNWRITABLE);
}

static int migrate_in_kid(void *arg)
{
	bool made;

	(void)arg;
	return migrate(&made) == ERR_OK ? 0 : 1;
}

static void two_that_make_the_book_at_once_make_one(void **state)
{
	pid_t kids[6];
	sqlite3 *h;
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(kids); i++)
		kids[i] = kid_start(migrate_in_kid, NULL);
	for (size_t i = 0; i < COUNT(kids); i++)
		failed += kid_end(kids[i]);
	assert_int_equal(failed, 0);
	h = book_plain(path);
	assert_int_equal(book_int(h, "SELECT count(*) FROM migrations"), DB_VERSION);
	sqlite3_close(h);
	assert_int_equal(copies(), 0); /* the half-made book was not taken for an old one */
	book_is_sound();
}

static void the_demo_is_a_restaurant_with_hours_and_ten_dishes(void **state)
{
	sqlite3 *h;
	bool made;

	(void)state;
	assert_int_equal(migrate(&made), ERR_OK);
	assert_int_equal(migrate_demo(dir), ERR_OK);
	assert_int_not_equal(migrate_demo(dir), ERR_OK); /* only once */
	h = book_plain(path);
	assert_int_equal(book_int(h, "SELECT count(*) FROM restaurants WHERE reservation_limit = 40"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM menus"), 10);
	assert_int_equal(book_int(h, "SELECT count(DISTINCT weekday) FROM opening_hours"), 6);
	assert_int_equal(book_int(h, "SELECT count(DISTINCT label) FROM opening_hours"), 2);
	sqlite3_close(h);
	book_is_sound();
}

static void a_restaurant_is_added_once_by_its_name(void **state)
{
	sqlite3 *h;
	bool made;

	(void)state;
	assert_int_equal(migrate(&made), ERR_OK);
	assert_int_equal(migrate_add_restaurant(dir, "O'Brien; DROP TABLE users"), ERR_OK);
	assert_int_equal(migrate_add_restaurant(dir, "O'Brien; DROP TABLE users"), ERR_OK);
	assert_int_not_equal(migrate_add_restaurant(dir, ""), ERR_OK);
	h = book_plain(path);
	assert_int_equal(book_int(h, "SELECT count(*) FROM restaurants"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users"), 0);
	sqlite3_close(h);
	book_is_sound();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_new_book_is_ours_current_and_in_wal_mode),
		TEST(a_second_run_changes_nothing),
		TEST(another_programs_file_is_refused_untouched),
		TEST(what_is_no_database_is_refused_untouched),
		TEST(a_newer_book_is_refused_untouched),
		TEST(a_failing_migration_leaves_the_file_as_it_was),
		TEST(an_older_book_is_copied_first_and_upgraded),
		TEST(numbers_that_were_there_twice_become_one_person),
		TEST(a_book_of_before_messages_keeps_what_it_has),
		TEST(a_book_that_went_through_every_migration_is_a_new_one_to_the_letter),
		TEST(letters_that_mean_the_same_become_those_of_the_page),
		TEST(a_directory_that_is_not_there_is_unwritable),
		TEST(two_that_make_the_book_at_once_make_one),
		TEST(the_demo_is_a_restaurant_with_hours_and_ten_dishes),
		TEST(a_restaurant_is_added_once_by_its_name),
		TEST(a_copy_that_is_empty_or_damaged_or_of_another_day_is_made_again),
		TEST(the_copy_is_as_private_as_the_book),
		TEST(without_room_for_a_copy_nothing_is_upgraded),
		TEST(an_upgrade_that_is_killed_leaves_the_old_book),
		TEST(a_disk_that_fills_up_leaves_the_old_book),
		TEST(a_step_that_fails_undoes_those_before_it),
		TEST(what_was_taken_from_a_book_is_put_back),
		TEST(a_copy_is_kept_before_a_trigger_that_is_not_ours_goes),
		TEST(what_the_owner_added_stays),
		TEST(a_column_with_a_hostile_name_does_not_stop_the_upgrade),
		TEST(a_second_column_of_the_owner_finds_a_place_too),
		TEST(a_table_of_the_owner_gives_way_to_a_later_one_of_its_name),
		TEST(a_book_that_another_draft_made_is_not_opened_before_it_is_put_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
