/*
 * big_years.c - a book of five years is as quick as a new one, and its lists are whole.
 *
 * Five years of two hundred thousand reservations, forty thousand guests and a hundred thousand payments; then what the pages
 * of staff and owner and the commands ask of it, and the steps of SQLite's machine that it takes are counted.  Time
 * would say little on a busy machine.  A hundred thousand steps take some ten milliseconds.
 */
#include "desk.h"
#include "guestlist.h"
#include "overview.h"
#include "reports.h"
#include "users.h"

#include "book.h"
#include "clock.h"
#include "staff.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum {
	DAYS = 1826,
	A_DAY = 110,
	ROWS = DAYS * A_DAY,
	TIMES = 22,
	STEPS_EACH = 100,     /* counted in hundreds */
	MONTH_STEPS = 600000, /* some of them so that a month of years ago takes no more */
	WALK_STEPS = 800000,  /* what a list of guests looks at before it stops */
	STEPS_MAX = 200000,   /* a walk over all reservations, or over the active ones, takes a million at least */
};

static const char NOW[] = "2026-11-17T03:00:00Z", TODAY[] = "2026-11-17", MONTH_AGO[] = "2026-10-18";
static int64_t now_s, steps, rows;

static int count_steps(void *arg)
{
	(void)arg;
	steps += STEPS_EACH;
	return 0;
}

static void fill(sqlite3 *h)
{
	book_exec(h,
		  "CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT "
		  "i FROM n",
		  ROWS - 1);
	book_exec(h,
		  "INSERT INTO users (user_id, user_type, name, phone, phone_key) SELECT i + 100, 'GUEST', 'Guest ' || i,"
		  " printf('010%%08d', i), 821000000000 + i FROM n WHERE i < %d",
		  ROWS / 5);
	book_exec(h,
		  "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity, "
		  "starts_at)"
		  " SELECT i + 1, 1, date('2021-12-18', (i / %d) || ' days'), printf('%%02d:%%02d', 11 + i %% %d / 2, i %% 2 * "
		  "30), 40,"
		  " date('2021-12-18', (i / %d) || ' days') || 'T09:00:00Z' FROM n WHERE i < %d",
		  TIMES, TIMES, TIMES, DAYS * TIMES);
	/* Most houses never say that a party has left: their past stays confirmed, which is active. */
	book_exec(h,
		  "INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size, reservation_type,"
		  " status, restaurant_id, starts_at, ends_at, guest_name, source) SELECT i + 1, 'R' || i, i / %d + 1, i %% %d "
		  "+ 100, 2,"
		  " 'RESERVATION_DEPOSIT', CASE i %% 10 WHEN 0 THEN 'CANCELED' WHEN 1 THEN 'NO_SHOW' ELSE 'CONFIRMED' END, 1,"
		  " s.starts_at, strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', s.starts_at, '90 minutes'), 'Guest ' || i, 'WEB'"
		  " FROM n JOIN restaurant_reservation_slots s ON s.slot_id = i / %d + 1",
		  A_DAY / TIMES, ROWS / 5, A_DAY / TIMES);
	book_exec(h, "INSERT INTO payments (payment_id, reservation_id, provider, amount, status, kept_amount, paid_at)"
		     " SELECT i + 1, i + 1, 'desk', 10000, 'PAID', 10000, '2026-01-01T00:00:00Z' FROM n WHERE i %% 2 = 1");
	book_exec(h,
		  "UPDATE payments SET status = 'REFUND_DUE', kept_amount = 0, due_back_amount = 10000 WHERE payment_id = 2");
	book_exec(h, "DROP TABLE n");
}

static int make(void **state)
{
	assert_true(clock_parse_iso(NOW, &now_s));
	book_setup_closed(state);
	book_fill(*state, fill);
	book_open(*state);
	((struct book *)*state)->damaged = true; /* those rows were not made by the rules */
	return 0;
}

static void count_row(void *arg, const struct desk_row *row)
{
	(void)arg;
	(void)row;
	rows++;
}

static void begin(struct book *b)
{
	steps = rows = 0;
	sqlite3_progress_handler(b->db.handle, STEPS_EACH, count_steps, NULL);
}

static void end_within(struct book *b, const char *what, int64_t most)
{
	sqlite3_progress_handler(b->db.handle, 0, NULL, NULL);
	printf("# %s: %lld steps, %lld rows\n", what, (long long)steps, (long long)rows);
	if (steps > most)
		fail_msg("%s took %lld steps", what, (long long)steps);
}

static void end(struct book *b, const char *what)
{
	end_within(b, what, STEPS_MAX);
}

static void count_due(void *arg, const struct stmt_cell *row, int count)
{
	(void)arg;
	assert_int_equal(stmt_cell(row, count, "paymentId")->number, 2);
	rows++;
}

static void count_person(void *arg, const struct stmt_cell *row, int count)
{
	(void)arg;
	assert_true(*stmt_cell(row, count, "email")->text && strcmp(stmt_cell(row, count, "userType")->text, "GUEST") != 0);
	rows++;
}

static void count_one(void *arg, const struct stmt_cell *row, int count)
{
	(void)arg;
	(void)row;
	(void)count;
	rows++;
}

static void the_box_at_a_glance_does_not_read_the_past(void **state)
{
	struct book *b = *state;
	struct overview o;
	int64_t owners;

	begin(b);
	assert_int_equal(overview_read(&b->db, b->dir, now_s, &o), ERR_OK);
	end(b, "overview");
	assert_int_equal(o.parties_today, A_DAY * 8 / 10);
	assert_int_equal(o.people_today, 2 * o.parties_today);
	begin(b);
	assert_int_equal(reports_due(&b->db, 1, count_due, NULL), ERR_OK);
	end(b, "money that is due back");
	assert_int_equal(rows, 1);
	book_exec(b->db.handle, "INSERT INTO users (user_type, name, email) VALUES ('STAFF', 'Staff', 'staff@example.com')");
	begin(b);
	assert_int_equal(staff_list(&b->db, 0, count_person, NULL), ERR_OK);
	assert_true(rows >= 1);
	assert_int_equal(staff_logins(&b->db, 0, now_s, count_one, NULL), ERR_OK);
	assert_int_equal(staff_count_owners(&b->db, &owners), ERR_OK);
	end(b, "staff and logins");
	assert_true(steps < 5000);
}

static void a_view_of_the_day_does_not_read_the_past(void **state)
{
	struct book *b = *state;

	begin(b);
	book_int(b->db.handle, "SELECT count(*) FROM v_today");
	end(b, "v_today");
	/* How many rows are upcoming depends on this machine's clock, so the steps allowed depend on their number. */
	begin(b);
	rows = book_int(b->db.handle, "SELECT count(*) FROM v_upcoming");
	sqlite3_progress_handler(b->db.handle, 0, NULL, NULL);
	assert_true(steps < 20000 + 100 * rows);
}

static void the_desk_finds_its_day_and_its_guests_at_once(void **state)
{
	struct book *b = *state;

	begin(b);
	assert_int_equal(desk_day(&b->db, 1, TODAY, now_s, count_row, NULL), ERR_OK);
	end(b, "a day");
	assert_int_equal(rows, A_DAY);
	begin(b);
	assert_int_equal(desk_search(&b->db, 1, "R150000", 0, now_s, count_row, NULL), ERR_OK);
	end(b, "a code");
	assert_int_equal(rows, 1);
	begin(b);
	assert_int_equal(desk_search(&b->db, 1, "01000000077", 821000000077, now_s, count_row, NULL), ERR_OK);
	end(b, "a number");
	assert_int_equal(rows, 5);
	begin(b);
	assert_int_equal(desk_search(&b->db, 1, "G", 0, now_s, count_row, NULL), ERR_OK);
	end(b, "one letter");
	assert_int_equal(rows, 50);
	begin(b);
	assert_int_equal(desk_search(&b->db, 1, "nobody", 0, now_s, count_row, NULL), ERR_OK);
	end(b, "a name that is not there");
	assert_int_equal(rows, 0);
	begin(b);
	assert_int_equal(desk_person(&b->db, 1, 821000000077, count_one, NULL), ERR_OK);
	assert_int_equal(rows, 1);
	end(b, "a person");
	begin(b);
	assert_int_equal(desk_contradicted(&b->db, 1, now_s, count_row, NULL), ERR_OK);
	end_within(b, "whom the house contradicts", 4 * STEPS_MAX); /* all that are to come, and who is present with them */
}

static void count_guest(void *arg, const struct guestlist_row *row)
{
	(void)arg;
	(void)row;
	rows++;
}

/* Whoever comes newest stands first: a page costs what it shows, and a search what it looks at. */
static void the_guests_are_listed_from_the_newest_on(void **state)
{
	struct book *b = *state;
	struct guestlist_query q = {.restaurant_id = 1};
	struct guestlist_mark after;

	begin(b);
	assert_int_equal(guestlist_read(&b->db, &q, now_s, count_guest, NULL, &after), ERR_OK);
	end(b, "the first guests");
	assert_int_equal(rows, GUESTLIST_PAGE);
	/* Three years back nearly every guest has been there since: a page then shows few, and says where to go on. */
	q.after = (struct guestlist_mark){.date = "2023-11-17", .time = "18:00", .id = 1};
	begin(b);
	assert_int_equal(guestlist_read(&b->db, &q, now_s, count_guest, NULL, &after), ERR_OK);
	end_within(b, "guests of three years ago", WALK_STEPS);
	assert_string_not_equal(after.date, "");
	q = (struct guestlist_query){.restaurant_id = 1, .name = "%nobody%"};
	begin(b);
	assert_int_equal(guestlist_read(&b->db, &q, now_s, count_guest, NULL, &after), ERR_OK);
	end_within(b, "a guest who is not there", WALK_STEPS);
	assert_int_equal(rows, 0);
	assert_string_not_equal(after.date, "");
	q = (struct guestlist_query){.restaurant_id = 1, .no_shows = true};
	begin(b);
	assert_int_equal(guestlist_read(&b->db, &q, now_s, count_guest, NULL, &after), ERR_OK);
	end(b, "who did not come");
	assert_int_equal(rows, GUESTLIST_PAGE);
	book_exec(b->db.handle,
		  "INSERT INTO restaurant_guests (user_id, restaurant_id, tags) SELECT user_id, 1, 'VIP,wine' FROM"
		  " users WHERE user_id BETWEEN 100 AND 2099");
	q = (struct guestlist_query){.restaurant_id = 1, .tag = "wine"};
	begin(b);
	assert_int_equal(guestlist_read(&b->db, &q, now_s, count_guest, NULL, &after), ERR_OK);
	end_within(b, "two thousand with a tag", WALK_STEPS);
	assert_int_equal(rows, GUESTLIST_PAGE);
	begin(b);
	assert_int_equal(guestlist_tags(&b->db, 1, count_one, NULL), ERR_OK);
	end(b, "the tags");
	assert_int_equal(rows, 2);
}

static void take_money(void *arg, const struct stmt_cell *row, int count)
{
	*(int64_t *)arg = stmt_cell(row, count, "in")->number;
	assert_int_equal(*(int64_t *)arg, stmt_cell(row, count, "kept")->number + stmt_cell(row, count, "returned")->number +
						  stmt_cell(row, count, "dueBack")->number);
}

/*
 * The page asks for a long time month by month.  A party costs as many steps in the fifth year as in the first: who came before
 * is asked of the index, which stops at the first visit that it finds.
 */
static void a_month_of_numbers_costs_a_month(void **state)
{
	static struct reports_sum sum;
	struct book *b = *state;
	struct reports_span month = {1, MONTH_AGO, TODAY};
	int64_t money = 0;
	char first[TEXT_DATE_SIZE];

	begin(b);
	assert_int_equal(reports_sum(&b->db, &month, "Asia/Seoul", now_s, &sum), ERR_OK);
	for (size_t i = 0; i < sum.day_count; i++)
		rows += sum.days[i].came.parties + sum.days[i].no_shows + sum.days[i].cancelled;
	end_within(b, "a month of numbers", MONTH_STEPS);
	assert_int_equal(sum.day_count, 31);
	assert_int_equal(rows, 31 * A_DAY);
	assert_int_equal(sum.first + sum.again, 31 * A_DAY * 8 / 10);
	begin(b);
	assert_int_equal(reports_money(&b->db, &month, take_money, &money), ERR_OK);
	end(b, "money");
	assert_int_equal(money, 31 * A_DAY / 2 * 10000);
	begin(b);
	assert_int_equal(reports_first(&b->db, 1, first), ERR_OK);
	end_within(b, "the first date", 1000);
	assert_string_equal(first, "2021-12-18");
}

static bool count_cell(void *arg, const char *cell, bool is_text, bool last)
{
	const int64_t *stop_at = arg;

	assert_non_null(cell);
	(void)is_text;
	rows += last;
	return rows != *stop_at;
}

static void a_list_has_every_row_of_its_time(void **state)
{
	struct book *b = *state;
	struct reports_span years = {1, "2024-11-17", TODAY};
	int64_t never = -1, soon = 30000, days = 731;

	rows = 0;
	assert_int_equal(reports_export(&b->db, REPORTS_RESERVATIONS, &years, count_cell, &never), ERR_OK);
	assert_int_equal(rows, 1 + days * A_DAY);
	rows = 0;
	assert_int_equal(reports_export(&b->db, REPORTS_GUESTS, &years, count_cell, &never), ERR_OK);
	assert_int_equal(rows, 1 + ROWS / 5);
	rows = 0;
	assert_int_equal(reports_export(&b->db, REPORTS_PAYMENTS, &years, count_cell, &never), ERR_OK);
	assert_int_equal(rows, 1 + days * A_DAY / 2);
	/* A caller who stops listening gets no more rows, and the statement is ready for the next caller. */
	rows = 0;
	assert_int_equal(reports_export(&b->db, REPORTS_RESERVATIONS, &years, count_cell, &soon), ERR_UNKNOWN);
	assert_int_equal(rows, soon);
	rows = 0;
	assert_int_equal(reports_export(&b->db, REPORTS_RESERVATIONS, &years, count_cell, &never), ERR_OK);
	assert_int_equal(rows, 1 + days * A_DAY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_box_at_a_glance_does_not_read_the_past),
		cmocka_unit_test(a_view_of_the_day_does_not_read_the_past),
		cmocka_unit_test(the_desk_finds_its_day_and_its_guests_at_once),
		cmocka_unit_test(a_month_of_numbers_costs_a_month),
		cmocka_unit_test(the_guests_are_listed_from_the_newest_on),
		cmocka_unit_test(a_list_has_every_row_of_its_time),
	};

	return cmocka_run_group_tests(tests, make, book_teardown);
}
