/*
 * test_restaurants.c - a restaurant's policies, hours, tables and menu as the book has them.
 */
#include "restaurants.h"

#include "book.h"
#include "clock.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct date monday = {2026, 1, 19}, tuesday = {2026, 1, 20}, sunday = {2026, 1, 25};

static int64_t instant(const char *iso)
{
	int64_t t = 0;

	assert_true(clock_parse_iso(iso, &t));
	return t;
}

static void the_demo_restaurant_reads_as_written(void **state)
{
	struct book *b = *state;
	struct restaurant r;

	assert_int_equal(restaurants_get(&b->db, 1, &r), ERR_OK);
	assert_int_equal(r.id, 1);
	assert_string_equal(r.name, "온기 식당");
	assert_string_equal(r.name_en, "Ongi Table");
	assert_string_equal(r.zone, "Asia/Seoul");
	assert_string_equal(r.currency, "KRW");
	assert_int_equal(r.paused_until_s, 0);
	assert_int_equal(r.set.reservation_limit, 40);
	assert_int_equal(r.set.hold_seconds, 420);
}

static void an_unknown_restaurant_is_no_restaurant(void **state)
{
	struct book *b = *state;
	struct restaurant r;

	assert_int_equal(restaurants_get(&b->db, 2, &r), ERR_NO_SUCH_RESTAURANT);
	assert_int_equal(restaurants_get(&b->db, -1, &r), ERR_NO_SUCH_RESTAURANT);
}

static void every_policy_is_read_from_its_column(void **state)
{
	struct book *b = *state;
	struct restaurant r;

	book_exec(b->db.handle, "UPDATE restaurants SET party_max = 1000");
	for (size_t i = 0; i < settings_count; i++) {
		const struct settings_row *row = &settings_rows[i];
		int value = strcmp(row->name, "party_max") == 0 ? row->max : row->min;

		book_exec(b->db.handle, "UPDATE restaurants SET %s = %d", row->name, value);
		assert_int_equal(restaurants_get(&b->db, 1, &r), ERR_OK);
		assert_int_equal(*(const int *)((const char *)&r.set + (row)->offset), value);
	}
}

static void a_pause_is_read_as_its_end(void **state)
{
	struct book *b = *state;
	struct restaurant r;

	book_exec(b->db.handle, "UPDATE restaurants SET paused_until = '2026-01-20T03:00:00Z'");
	assert_int_equal(restaurants_get(&b->db, 1, &r), ERR_OK);
	assert_int_equal(r.paused_until_s, instant("2026-01-20T03:00:00Z"));
}

static int kept_limit(struct book *b, struct date date)
{
	const struct restaurant_day *day;

	assert_int_equal(restaurants_kept(&b->db, 1, date, &day), ERR_OK);
	return day->restaurant.set.reservation_limit;
}

static void what_jari_wrote_counts_at_once_and_a_strangers_edit_soon(void **state)
{
	struct book *b = *state;
	sqlite3 *stranger = book_plain(b->path);

	assert_int_equal(kept_limit(b, tuesday), 40);
	book_exec(stranger, "UPDATE restaurants SET reservation_limit = 50");
	assert_int_equal(kept_limit(b, tuesday), 40);
	assert_int_equal(kept_limit(b, sunday), 50); /* a day that was not asked for yet */
	setenv("JARI_MONO_SHIFT_MS", "250", 1);
	assert_int_equal(kept_limit(b, tuesday), 50);
	book_exec(stranger, "UPDATE restaurants SET reservation_limit = 60");
	assert_int_equal(kept_limit(b, tuesday), 50);
	assert_int_equal(book_add_guest(&b->db), ERR_OK); /* jari writes, but no setting: they are not read again */
	assert_int_equal(kept_limit(b, tuesday), 50);
	assert_int_equal(db_begin(&b->db), ERR_OK);
	db_touch_settings(&b->db);
	assert_int_equal(db_end(&b->db, ERR_BAD_REQUEST), ERR_BAD_REQUEST); /* rolled back: nothing has changed */
	assert_int_equal(kept_limit(b, tuesday), 50);
	assert_int_equal(db_begin(&b->db), ERR_OK);
	db_touch_settings(&b->db);
	assert_int_equal(db_end(&b->db, ERR_OK), ERR_OK); /* a new edition */
	assert_int_equal(kept_limit(b, tuesday), 60);
	unsetenv("JARI_MONO_SHIFT_MS");
	sqlite3_close(stranger);
}

static void a_kept_day_has_its_own_hours(void **state)
{
	struct book *b = *state;
	const struct restaurant_day *day;

	for (int i = 0; i < 2; i++) { /* read, then remembered */
		assert_int_equal(restaurants_kept(&b->db, 1, tuesday, &day), ERR_OK);
		assert_int_equal(b->db.reading, 0);
		assert_int_equal(sqlite3_stmt_status(b->db.statements[SQL_READ], SQLITE_STMTSTATUS_RUN, 0),
				 i == 0 ? 1 : 2); /* a remembered one costs no read */
		assert_int_equal(day->hours.count, 2);
		assert_int_equal(restaurants_kept(&b->db, 1, monday, &day), ERR_OK);
		assert_int_equal(day->hours.count, 0);
	}
	for (int i = 0; i < 2; i++) /* an unknown one is asked for every time */
		assert_int_equal(restaurants_kept(&b->db, 9, tuesday, &day), ERR_NO_SUCH_RESTAURANT);
	assert_int_equal(restaurants_kept(&b->db, INT64_MAX - 1, tuesday, &day), ERR_NO_SUCH_RESTAURANT);
}

static size_t spans(struct book *b, struct date date, struct hours_day *day)
{
	assert_int_equal(restaurants_day(&b->db, 1, date, day), ERR_OK);
	return day->count;
}

static void a_day_has_the_hours_of_its_weekday(void **state)
{
	struct book *b = *state;
	struct hours_day day;

	assert_int_equal(spans(b, monday, &day), 0);
	assert_int_equal(spans(b, tuesday, &day), 2);
	assert_int_equal(day.spans[0].opens, 11 * 60);
	assert_int_equal(day.spans[0].closes, 15 * 60);
	assert_string_equal(day.spans[0].label, "lunch");
	assert_int_equal(day.spans[1].closes, 22 * 60);
	assert_int_equal(spans(b, sunday, &day), 2);
	assert_int_equal(day.spans[1].closes, 21 * 60);
	assert_int_equal(restaurants_day(&b->db, 99, tuesday, &day), ERR_OK);
	assert_int_equal(day.count, 0);
}

static void a_special_day_replaces_the_weekly_hours(void **state)
{
	struct book *b = *state;
	struct hours_day day;

	book_exec(b->db.handle, "INSERT INTO special_days (restaurant_id, day, opens, closes, label) VALUES"
				" (1, '2026-01-20', '18:00', '24:00', 'dinner'), (1, '2026-01-19', '10:00', '11:00', ''),"
				" (1, '2026-01-19', '08:00', '09:00', 'breakfast')");
	assert_int_equal(spans(b, tuesday, &day), 1);
	assert_int_equal(day.spans[0].opens, 18 * 60);
	assert_int_equal(day.spans[0].closes, 24 * 60);
	assert_int_equal(spans(b, monday, &day), 2); /* also one that its week closes */
	assert_int_equal(day.spans[0].opens, 8 * 60);
	assert_string_equal(day.spans[0].label, "breakfast");
	assert_int_equal(spans(b, sunday, &day), 2); /* and no other day */
}

static void a_special_day_without_hours_is_closed(void **state)
{
	struct book *b = *state;
	struct hours_day day;

	book_exec(b->db.handle, "INSERT INTO special_days (restaurant_id, day, note) VALUES (1, '2026-01-20', '설날')");
	assert_int_equal(spans(b, tuesday, &day), 0);
}

struct heard {
	int count;
	char text[400];
};

static void hear_span(void *arg, const struct stmt_cell *row, int count)
{
	struct heard *h = arg;

	h->count++;
	assert_in_range(stmt_cell(row, count, "weekday")->number, 2, 7);
}

static void hear_special(void *arg, const struct stmt_cell *row, int count)
{
	struct heard *h = arg;
	size_t n = strlen(h->text);

	h->count++;
	snprintf(h->text + n, sizeof h->text - n, "%s %s-%s %s;", stmt_cell(row, count, "day")->text,
		 stmt_cell(row, count, "opens")->text, stmt_cell(row, count, "closes")->text,
		 stmt_cell(row, count, "note")->text);
}

static int count_steps(void *arg)
{
	*(int64_t *)arg += 1000;
	return 0;
}

/* While the owner saves a year with services of its own, every guest waits for the pen: each row costs the same. */
static void a_year_of_special_days_costs_a_day_of_them_each(void **state)
{
	struct book *b = *state;
	int64_t steps = 0;

	sqlite3_progress_handler(b->db.handle, 1000, count_steps, &steps);
	book_exec(b->db.handle,
		  "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2189) INSERT INTO"
		  " special_days (restaurant_id, day, opens, closes) SELECT 1, date('2031-01-01', (i / 6) || ' days'),"
		  " printf('%%02d:00', 9 + i %% 6), printf('%%02d:00', 10 + i %% 6) FROM n");
	sqlite3_progress_handler(b->db.handle, 0, NULL, NULL);
	assert_in_range(steps, 2190, 2190 * 500);
}

static void the_week_and_the_special_days_are_listed(void **state)
{
	struct book *b = *state;
	struct heard week = {0}, special = {0};

	book_exec(b->db.handle, "INSERT INTO special_days (restaurant_id, day, opens, closes, note) VALUES"
				" (1, '2026-01-25', NULL, NULL, '쉼'), (1, '2026-01-20', '10:00', '12:00', NULL),"
				" (1, '2026-01-19', NULL, NULL, 'before'), (1, '2026-01-26', NULL, NULL, 'after')");
	assert_int_equal(restaurants_week(&b->db, 1, hear_span, &week), ERR_OK);
	assert_int_equal(week.count, 12);
	assert_int_equal(restaurants_special(&b->db, 1, tuesday, sunday, hear_special, &special), ERR_OK);
	assert_string_equal(special.text, "2026-01-20 10:00-12:00 ;2026-01-25 - 쉼;");
}

static void hear_dish(void *arg, const struct stmt_cell *row, int count)
{
	struct heard *h = arg;
	size_t n = strlen(h->text);

	h->count++;
	snprintf(h->text + n, sizeof h->text - n, "%s:%s ", stmt_cell(row, count, "menuId")->text,
		 stmt_cell(row, count, "price")->text);
	if (stmt_cell(row, count, "menuId")->number == 10)
		assert_int_equal(stmt_cell(row, count, "description")->kind, STMT_NULL);
}

static void the_menu_comes_in_its_order_without_what_is_gone(void **state)
{
	struct book *b = *state;
	struct heard menu = {0};
	int64_t price = 0;

	book_exec(b->db.handle, "UPDATE menus SET is_deleted = 1 WHERE menu_id BETWEEN 2 AND 8;"
				"UPDATE menus SET position = 0, description = NULL WHERE menu_id = 10");
	assert_int_equal(restaurants_menu(&b->db, 1, hear_dish, &menu), ERR_OK);
	assert_string_equal(menu.text, "10:4000 1:11000 9:15000 ");
	assert_int_equal(restaurants_price(&b->db, 1, 9, &price), ERR_OK);
	assert_int_equal(price, 15000);
	assert_int_equal(restaurants_price(&b->db, 1, 2, &price), ERR_NO_SUCH_MENU);
	assert_int_equal(restaurants_price(&b->db, 2, 9, &price), ERR_NO_SUCH_MENU); /* another house's */
}

static void tables_come_smallest_first_and_sets_whole(void **state)
{
	struct book *b = *state;
	struct seats_plan plan;

	assert_int_equal(restaurants_plan(&b->db, 1, &plan), ERR_OK);
	assert_int_equal(plan.table_count + plan.set_count, 0);
	book_exec(b->db.handle,
		  "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max, is_deleted)"
		  " VALUES (1, 1, 'A', 4, 6, 0), (2, 1, 'B', 1, 2, 0), (3, 1, 'C', 1, 1, 1), (4, 1, 'D', 1, 4, 0);"
		  "INSERT INTO table_sets (set_id, restaurant_id, seats_min, seats_max, is_deleted)"
		  " VALUES (1, 1, 5, 8, 0), (2, 1, 2, 3, 0), (3, 1, 1, 9, 1);"
		  "INSERT INTO table_set_members VALUES (1, 1), (1, 4), (2, 2), (2, 3), (3, 1), (3, 2)");
	assert_int_equal(restaurants_plan(&b->db, 1, &plan), ERR_OK);
	assert_int_equal(plan.table_count, 3);
	assert_int_equal(plan.tables[0].id, 2);
	assert_int_equal(plan.tables[1].id, 4);
	assert_int_equal(plan.tables[2].id, 1);
	assert_int_equal(plan.tables[2].seats_min, 4);
	assert_int_equal(plan.tables[2].seats_max, 6);
	assert_int_equal(plan.set_count, 1); /* one has a table that is gone, one is gone itself */
	assert_int_equal(plan.sets[0].count, 2);
	assert_true(plan.sets[0].tables[0] == 1 && plan.sets[0].tables[1] == 4 && plan.sets[0].seats_max == 8);
}

static int64_t offset_of(struct book *b, int id)
{
	return book_int(b->db.handle, "SELECT utc_offset_minutes FROM restaurants WHERE restaurant_id = %d", id);
}

static void the_offset_from_utc_follows_the_seasons(void **state)
{
	struct book *b = *state;
	uint64_t takes;

	book_exec(b->db.handle,
		  "INSERT INTO restaurants (restaurant_id, name, timezone) VALUES (2, 'Berlin', 'Europe/Berlin')");
	assert_int_equal(restaurants_keep_offsets(&b->db, instant("2026-01-20T00:00:00Z")), ERR_OK);
	assert_int_equal(offset_of(b, 1), 540);
	assert_int_equal(offset_of(b, 2), 60);
	assert_int_equal(restaurants_keep_offsets(&b->db, instant("2026-03-29T00:59:59Z")), ERR_OK);
	assert_int_equal(offset_of(b, 2), 60);
	assert_int_equal(restaurants_keep_offsets(&b->db, instant("2026-03-29T01:00:00Z")), ERR_OK);
	assert_int_equal(offset_of(b, 2), 120);
	takes = counters_get(b->hall.counters, COUNTER_pen_takes);
	assert_int_equal(restaurants_keep_offsets(&b->db, instant("2026-03-29T02:00:00Z")), ERR_OK);
	assert_int_equal(counters_get(b->hall.counters, COUNTER_pen_takes), takes); /* nothing to write, no guest disturbed */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, book_setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_demo_restaurant_reads_as_written),
		TEST(an_unknown_restaurant_is_no_restaurant),
		TEST(every_policy_is_read_from_its_column),
		TEST(a_pause_is_read_as_its_end),
		TEST(what_jari_wrote_counts_at_once_and_a_strangers_edit_soon),
		TEST(a_kept_day_has_its_own_hours),
		TEST(a_day_has_the_hours_of_its_weekday),
		TEST(a_special_day_replaces_the_weekly_hours),
		TEST(a_special_day_without_hours_is_closed),
		TEST(a_year_of_special_days_costs_a_day_of_them_each),
		TEST(the_week_and_the_special_days_are_listed),
		TEST(the_menu_comes_in_its_order_without_what_is_gone),
		TEST(tables_come_smallest_first_and_sets_whole),
		TEST(the_offset_from_utc_follows_the_seasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
