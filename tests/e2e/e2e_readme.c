/*
 * e2e_readme.c - the lines of docs/sql.md do what it says, and README.md needs none of them.
 */
#include "appliance.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct appliance box;
static struct ran ran;
static char page[65536], readme[65536], sql[16384];

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_read("docs/sql.md", page, sizeof page);
	appliance_read("README.md", readme, sizeof readme);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_free(&box);
	return 0;
}

/* ---- helpers ---- */

/* The n-th block of SQL on the page, from 0 on. */
static const char *block(int n)
{
	const char *at = page, *end;

	do {
		at = strstr(at, "```sql\n");
		assert_non_null(at);
		at += strlen("```sql\n");
	} while (n-- > 0);
	end = strstr(at, "```");
	assert_non_null(end);
	assert_true((size_t)(end - at) < sizeof sql);
	snprintf(sql, sizeof sql, "%.*s", (int)(end - at), at);
	return sql;
}

static void paste(const char *text)
{
	appliance_run(&box, &ran, text, "shell", "--write", "--dir", box.dir, NULL);
}

static void make_named(void)
{
	appliance_run(&box, &ran, NULL, "init", "--name", "My restaurant", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
}

static void set_up_restaurant(void)
{
	paste(block(0));
	if (ran.exit != 0)
		fail_msg("%s%s", ran.out, ran.err);
}

/* The restaurant's day this many days from now, as the API answers. */
static const struct http_answer *slots_in(int days)
{
	char path[128], date[16];
	sqlite3 *db = appliance_book(&box);
	sqlite3_stmt *s;

	assert_int_equal(sqlite3_prepare_v2(db, "SELECT date('now', '+540 minutes', ?1 || ' days')", -1, &s, NULL), SQLITE_OK);
	sqlite3_bind_int(s, 1, days);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	snprintf(date, sizeof date, "%s", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	sqlite3_close(db);
	snprintf(path, sizeof path, "/api/reservations/slots?restaurantId=1&slotDate=%s&partySize=2", date);
	return http_get(box.port, path);
}

static int open_days_of_seven(void)
{
	int open = 0;

	for (int i = 1; i <= 7; i++)
		open += strstr(slots_in(i)->body, "\"closed\":false") != NULL;
	return open;
}

/* ---- tests ---- */

static void a_restaurant_without_hours_is_pointed_out(void **state)
{
	static const char words[] = "My restaurant has no opening hours yet";
	char log[APPLIANCE_PATH], text[4096];

	(void)state;
	make_named();
	assert_non_null(strstr(ran.out, words));
	assert_non_null(strstr(ran.out, "Settings, Opening hours, at the desk"));
	assert_null(strstr(readme, "```sql"));
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	assert_non_null(strstr(ran.out, words));
	appliance_up(&box, 2);
	appliance_path(&box, "up.log", log);
	assert_non_null(strstr(appliance_read(log, text, sizeof text), words));
	appliance_down(&box);
	set_up_restaurant();
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	assert_null(strstr(ran.out, "no opening hours"));
}

static void the_lines_of_the_readme_open_a_restaurant(void **state)
{
	(void)state;
	make_named();
	appliance_up(&box, 2);
	assert_int_equal(open_days_of_seven(), 0);
	set_up_restaurant();
	/* Monday is closed; a date that the page uses for a special day may be one of the seven. */
	WITHIN(2000, open_days_of_seven() >= 5);
	assert_true(open_days_of_seven() <= 6);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM opening_hours"), 12);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM opening_hours WHERE weekday = 1"), 0);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM special_days"), 2);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM menus WHERE is_deleted = 0"), 1);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM dining_tables"), 2);
	assert_int_equal(appliance_number(&box, "SELECT reservation_limit FROM restaurants"), 30);
	assert_int_equal(appliance_number(&box, "SELECT paused_until IS NULL FROM restaurants"), 1);
	appliance_down(&box);
}

/* The desk's lines, among them one for a refund: so a paid and canceled reservation has its code. */
static void the_lines_for_the_desk_work_and_overbooking_is_refused(void **state)
{
	(void)state;
	make_named();
	set_up_restaurant();
	appliance_sql(
		&box,
		"INSERT INTO users (user_id, user_type, name) VALUES (70, 'GUEST', 'Lee');"
		"INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
		" VALUES (70, 1, date('now', '+2 days'), '18:00', 4);"
		"INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status,"
		" deposit_amount, total_amount, hold_expires_at) VALUES ('R20260120-0007', 70, 70, 2,"
		" 'RESERVATION_DEPOSIT', 'TEMPORARY', 10000, 10000, strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '+1 hour'))");
	appliance_run(&box, &ran, NULL, "confirm", "R20260120-0007", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	appliance_run(&box, &ran, NULL, "cancel", "R20260120-0007", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	assert_int_equal(appliance_number(&box, "SELECT sum(due_back_amount) FROM payments"), 10000);
	paste(block(1));
	if (ran.exit != 0)
		fail_msg("%s%s", ran.out, ran.err);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE reservation_code = 'PHONE-1'"), 1);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE status = 'COMPLETED'"),
			 0); /* not yet */
	assert_int_equal(appliance_number(&box, "SELECT sum(due_back_amount) FROM payments"), 0);
	assert_int_equal(appliance_number(&box, "SELECT sum(refunded_amount) FROM payments"), 10000);
	appliance_check(&box);

	block(1);
	appliance_replace(sql, sizeof sql, "PHONE-1", "PHONE-2");
	appliance_replace(sql, sizeof sql, "phone_of IS NULL), 4,", "phone_of IS NULL), 400,");
	appliance_replace(sql, sizeof sql, "821012345678", "821012345679");
	appliance_replace(sql, sizeof sql, "010-1234-5678", "010-1234-5679");
	paste(sql);
	assert_int_not_equal(ran.exit, 0);
	assert_non_null(strstr(ran.err, "SLOT_FULL: "));
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE reservation_code = 'PHONE-2'"), 0);
	appliance_check(&box);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_restaurant_without_hours_is_pointed_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_lines_of_the_readme_open_a_restaurant, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_lines_for_the_desk_work_and_overbooking_is_refused, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
