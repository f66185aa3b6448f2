/*
 * test_books.c - books that earlier versions of jari made open, are sound, and have every row.
 *
 * tests/db/books has one of each state, made by that jari itself (books/make).  Some of them ran migrations that were
 * edited afterwards.
 */
#include "migrate.h"

#include "backup.h"
#include "book.h"
#include "check.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BOOKS "tests/db/books/"

static const struct state {
	const char *commit;
	int version;
	bool backup; /* its backups have the key */
} states[] = {
	{"3668007", 1, false}, {"e2ecafa", 1, false}, {"115ad8e", 2, false}, {"cebf280", 3, false}, {"d539c5a", 4, false},
	{"cb9b659", 5, false}, {"a2f5533", 5, true},  {"96d9a1f", 8, true},  {"4fb8a85", 8, true},  {"8ef5b02", 8, true},
	{"1226049", 9, true},  {"78d2bcd", 10, true}, {"209d35b", 11, true}, {"4a2f761", 12, true},
};

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

static void say(void *arg, const char *rule, const char *finding)
{
	if (finding)
		fprintf(stderr, "%s: %s: %s\n", (const char *)arg, rule, finding);
}

/* What must be the same before and after: who booked what, and the money. */
static const char reservations_of[] =
	"SELECT group_concat(reservation_id || reservation_code || party_size || status || total_amount || slot_id) FROM"
	" (SELECT * FROM reservations ORDER BY reservation_id)";
static const char *const counted[] = {"users",    "restaurants", "restaurant_reservation_slots", "menus", "opening_hours",
				      "payments", "waitlist",    "reservation_cancellations"};

struct facts {
	char reservations[2000];
	int64_t rows[COUNT(counted)];
};

static struct facts facts_of(const char *book)
{
	struct facts f = {0};
	sqlite3_stmt *s;
	sqlite3 *h = book_plain(book);

	assert_int_equal(sqlite3_prepare_v2(h, reservations_of, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	snprintf(f.reservations, sizeof f.reservations, "%s", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	for (size_t i = 0; i < COUNT(counted); i++)
		f.rows[i] = book_int(h, "SELECT count(*) FROM %s", counted[i]);
	sqlite3_close(h);
	return f;
}

static void is_sound_with(const struct state *s, const struct facts *before)
{
	char name[16];
	struct check_report report;
	struct facts after = facts_of(path);

	snprintf(name, sizeof name, "%s", s->commit);
	assert_true(strlen(before->reservations) > 300);
	assert_string_equal(after.reservations, before->reservations);
	assert_memory_equal(after.rows, before->rows, sizeof after.rows);
	assert_int_equal(check_book(path, say, name, &report), ERR_OK);
	assert_int_equal(report.findings, 0);
}

static void book_of(const struct state *s, const char *kind, char out[100])
{
	snprintf(out, 100, BOOKS "%s.%s", s->commit, kind);
}

/* Its copy is a book of the old version, in one file, private like the book. */
static void copy_is_whole(const struct state *s, const struct facts *before)
{
	char copy[4200];
	struct facts kept;
	struct stat st;
	sqlite3 *h;

	snprintf(copy, sizeof copy, "%s.before-%04d", path, s->version + 1);
	assert_int_equal(stat(copy, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	kept = facts_of(copy);
	assert_memory_equal(&kept, before, sizeof kept);
	h = book_plain(copy);
	assert_int_equal(book_int(h, "PRAGMA user_version"), s->version);
	assert_int_equal(book_int(h, "SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'delete'"), 1);
	assert_true(book_whole(h));
	sqlite3_close(h);
}

static void is_upgraded(const struct state *s)
{
	char from[100];
	struct facts before;
	bool made;
	sqlite3 *h;

	make(NULL);
	book_of(s, "db", from);
	book_copy_file(from, path);
	assert_int_equal(chmod(path, 0600), 0);
	before = facts_of(path);
	assert_int_equal(migrate_book(dir, &made), ERR_OK);
	assert_false(made);
	is_sound_with(s, &before);
	copy_is_whole(s, &before);
	h = book_plain(path);
	/* An index of an earlier draft is gone, and the book knows who made it what it is. */
	assert_int_equal(book_int(h, "SELECT count(*) FROM sqlite_schema WHERE name = 'reservations_one_active'"), 0);
	assert_int_equal(book_int(h, "SELECT count(*) FROM migrations WHERE version > %d AND hash IS NOT NULL", s->version),
			 DB_VERSION - s->version);
	/* Books remember since version 9. */
	assert_int_equal(book_int(h, "SELECT count(*) FROM migrations WHERE version <= %d AND hash IS NULL", s->version),
			 s->version < 9 ? s->version : 0);
	sqlite3_close(h);
	leave(NULL);
}

static void every_earlier_book_is_upgraded_and_sound(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(states); i++)
		is_upgraded(&states[i]);
}

/* An owner could set this once: every booking failed, or every page with a price on it. */
static void settings_that_no_restaurant_can_have_are_mended(void **state)
{
	struct check_report report;
	bool made;
	sqlite3 *h;

	(void)state;
	make(NULL);
	book_copy_file(BOOKS "1226049.db", path);
	h = book_plain(path);
	book_exec(h, "UPDATE restaurants SET sitting_minutes = 3, sitting_large_minutes = 4, currency = 'eur'");
	/* And fewer seats than were sold; by these rules the book was broken then. */
	book_exec(h, "DROP TRIGGER slots_stay_put; UPDATE restaurant_reservation_slots SET slot_date = '2099-01-20', slot_time "
		     "= '12:00',"
		     " starts_at = '2099-01-20T03:00:00Z' WHERE slot_id = (SELECT slot_id FROM reservations WHERE is_active = "
		     "1 LIMIT 1);"
		     "UPDATE reservations SET starts_at = '2099-01-20T03:00:00Z', ends_at = '2099-01-20T04:00:00Z', "
		     "sitting_minutes = 60"
		     " WHERE slot_id = (SELECT slot_id FROM restaurant_reservation_slots WHERE slot_date = '2099-01-20');"
		     "UPDATE restaurants SET seats = 1");
	sqlite3_close(h);
	assert_int_equal(migrate_book(dir, &made), ERR_OK);
	h = book_plain(path);
	assert_int_equal(book_int(h, "SELECT count(*) FROM restaurants WHERE sitting_minutes = 5 AND sitting_large_minutes = 5"
				     " AND currency = 'EUR'"),
			 book_int(h, "SELECT count(*) FROM restaurants"));
	assert_true(book_int(h, "SELECT max(promised_present) FROM restaurant_reservation_slots") > 1);
	sqlite3_close(h);
	assert_int_equal(check_book(path, say, "mended", &report), ERR_OK);
	assert_int_equal(report.findings, 0);
	leave(NULL);
}

/* Every amount of the book, and what it is multiplied with: one row each. */
static const char *const amounts[] = {
	"SELECT deposit_per_person FROM restaurants",
	"SELECT deposit_large_per_person FROM restaurants",
	"SELECT price FROM menus ORDER BY menu_id",
	"SELECT unit_price FROM reservation_menu_items ORDER BY reservation_id, menu_id",
	"SELECT line_amount FROM reservation_menu_items ORDER BY reservation_id, menu_id",
	"SELECT refund_amount FROM reservation_cancellations ORDER BY cancellation_id",
	"SELECT total_amount FROM reservations ORDER BY reservation_id",
	"SELECT deposit_amount FROM reservations ORDER BY reservation_id",
	"SELECT prepay_amount FROM reservations ORDER BY reservation_id",
	"SELECT forfeited_amount FROM reservations ORDER BY reservation_id",
	"SELECT amount FROM payments ORDER BY payment_id",
	"SELECT kept_amount FROM payments ORDER BY payment_id",
	"SELECT refunded_amount FROM payments ORDER BY payment_id",
	"SELECT due_back_amount FROM payments ORDER BY payment_id",
};

/* All of them, in order; how many there are. */
static size_t read_amounts(sqlite3 *h, int64_t out[500])
{
	size_t n = 0;

	for (size_t i = 0; i < COUNT(amounts); i++) {
		sqlite3_stmt *s;

		assert_int_equal(sqlite3_prepare_v2(h, amounts[i], -1, &s, NULL), SQLITE_OK);
		while (sqlite3_step(s) == SQLITE_ROW && n < 500)
			out[n++] = sqlite3_column_int64(s, 0);
		sqlite3_finalize(s);
	}
	return n;
}

/*
 * A book of whole euros: its menu, deposits, payments, refunds and cancellations.  Some of it was odd, so that half of it could
 * not be divided then.
 */
static void make_it(sqlite3 *h, const char *currency, bool odd)
{
	char sql[600], drop[8000];
	sqlite3_stmt *s;

	book_exec(h, "UPDATE payments SET refunded_amount = refunded_amount + due_back_amount, due_back_amount = 0,"
		     " status = 'REFUNDED', refunded_at = paid_at WHERE payment_id = (SELECT min(payment_id) FROM payments"
		     " WHERE status = 'REFUND_DUE')");
	assert_int_equal(sqlite3_prepare_v2(h,
					    "SELECT group_concat('DROP TRIGGER ' || name, ';') FROM sqlite_schema"
					    " WHERE type = 'trigger'",
					    -1, &s, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	snprintf(drop, sizeof drop, "%s", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	assert_int_equal(sqlite3_exec(h, drop, NULL, NULL, NULL), SQLITE_OK);
	snprintf(sql, sizeof sql,
		 "UPDATE restaurants SET currency = '%s'; UPDATE reservations SET currency = '%s'; UPDATE payments SET "
		 "currency = '%s'",
		 currency, currency, currency);
	assert_int_equal(sqlite3_exec(h, sql, NULL, NULL, NULL), SQLITE_OK);
	if (odd)
		book_exec(h,
			  "UPDATE payments SET amount = 25001, kept_amount = 12501, refunded_amount = 12500 WHERE status = "
			  "'REFUNDED';"
			  "UPDATE reservations SET refund_policy = replace(refund_policy, 'day-before=100', 'day-before=50'),"
			  " starts_at = '2099-01-20T03:00:00Z' WHERE reservation_id ="
			  " (SELECT reservation_id FROM payments WHERE status = 'REFUNDED');"
			  "UPDATE restaurant_reservation_slots SET starts_at = '2099-01-20T03:00:00Z' WHERE slot_id ="
			  " (SELECT slot_id FROM reservations WHERE starts_at = '2099-01-20T03:00:00Z');"
			  "UPDATE reservations SET starts_at = '2099-01-20T03:00:00Z', ends_at = '2099-01-20T04:00:00Z'"
			  " WHERE slot_id = (SELECT slot_id FROM reservations WHERE starts_at = '2099-01-20T03:00:00Z');"
			  "UPDATE restaurant_reservation_slots SET slot_date = '2099-01-20', slot_time = '12:00'"
			  " WHERE starts_at = '2099-01-20T03:00:00Z';"
			  "UPDATE reservation_cancellations SET refund_amount = 12500 WHERE reservation_id ="
			  " (SELECT reservation_id FROM payments WHERE status = 'REFUNDED')");
}

static void is_converted_once(const char *currency, int64_t units)
{
	static int64_t before[500], after[500];
	struct check_report report;
	size_t n, sums = 0;
	bool made;
	sqlite3 *h;

	make(NULL);
	book_copy_file(BOOKS "78d2bcd.db", path);
	h = book_plain(path);
	make_it(h, currency, units > 1);
	n = read_amounts(h, before);
	sqlite3_close(h);
	for (int start = 0; start < 2; start++) { /* the second time nothing is left to do */
		assert_int_equal(migrate_book(dir, &made), ERR_OK);
		h = book_plain(path);
		assert_int_equal(read_amounts(h, after), n);
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(after[i], before[i] * units);
			sums += before[i] > 0;
		}
		assert_int_equal(book_int(h,
					  "SELECT count(*) FROM audit WHERE actor = 'upgrade' AND change = 'currency_units'"
					  " AND to_value = '%s 1/%d'",
					  currency, (int)units),
				 units > 1);
		sqlite3_close(h);
	}
	assert_true(sums > 60);
	assert_int_equal(check_book(path, say, "units", &report), ERR_OK);
	assert_int_equal(report.findings, 0);
	leave(NULL);
}

static void amounts_of_a_book_of_whole_units_are_converted_once(void **state)
{
	(void)state;
	is_converted_once("EUR", 100);
	is_converted_once("KWD", 1000);
	is_converted_once("KRW", 1);
	is_converted_once("JPY", 1);
}

/* "In English" was the second of two names, whatever the house spoke; now its own language is the first. */
static void a_house_that_is_not_korean_says_first_what_it_said_in_english(void **state)
{
	struct check_report report;
	bool made;
	sqlite3 *h;

	(void)state;
	make(NULL);
	book_copy_file(BOOKS "78d2bcd.db", path);
	h = book_plain(path);
	book_exec(h, "UPDATE restaurants SET calling_code = 49, name = '하나', name_en = 'Hana', address = '베를린', "
		     "address_en = NULL,"
		     " message_text = '어서 오세요', message_text_en = 'Welcome';"
		     "UPDATE menus SET name = '국수', name_en = 'Noodles' WHERE menu_id = 1;"
		     "UPDATE menus SET name = 'Tea', name_en = NULL WHERE menu_id = 2");
	sqlite3_close(h);
	assert_int_equal(migrate_book(dir, &made), ERR_OK);
	h = book_plain(path);
	assert_int_equal(book_int(h,
				  "SELECT count(*) FROM restaurants WHERE language = 'en' AND country = 'DE' AND name = 'Hana'"
				  " AND name_en = '하나' AND address = '베를린' AND address_en IS NULL"
				  " AND message_text = 'Welcome' AND message_text_en = '어서 오세요'"),
			 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM menus WHERE (menu_id, name, name_en) IN ((1, 'Noodles', '국수'))"
				     " OR (menu_id = 2 AND name = 'Tea' AND name_en IS NULL)"),
			 2);
	sqlite3_close(h);
	assert_int_equal(check_book(path, say, "language", &report), ERR_OK);
	assert_int_equal(report.findings, 0);
	leave(NULL);
}

static void is_restored(const struct state *s)
{
	char from[100], file[4200];
	struct backup_report report;
	struct facts before;

	make(NULL);
	book_of(s, s->backup ? "backup" : "db", from);
	snprintf(file, sizeof file, "%s/of-old", dir);
	book_copy_file(from, file);
	before = facts_of(file);
	if (backup_restore(dir, file, &report) != ERR_OK)
		fail_msg("%s: %s", from, report.why);
	assert_int_equal(report.key, s->backup);
	is_sound_with(s, &before);
	leave(NULL);
}

static void earlier_backups_are_restored_and_sound(void **state)
{
	(void)state;
	for (size_t i = 1; i < COUNT(states); i += 2) /* one of each kind, with a key and without */
		is_restored(&states[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_earlier_book_is_upgraded_and_sound),
		cmocka_unit_test(settings_that_no_restaurant_can_have_are_mended),
		cmocka_unit_test(amounts_of_a_book_of_whole_units_are_converted_once),
		cmocka_unit_test(a_house_that_is_not_korean_says_first_what_it_said_in_english),
		cmocka_unit_test(earlier_backups_are_restored_and_sound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
