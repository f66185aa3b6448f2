/*
 * test_settings.c - the policies in C are those of the restaurants table, range and default alike.
 */
#include "settings.h"

#include "schema.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static int open_book(void **state)
{
	*state = schema_open();
	return 0;
}

static int close_book(void **state)
{
	return sqlite3_close(*state);
}

/* Does the book take a restaurant with this value?  Other policies keep their defaults, but the
 * largest party, which must not be below the smallest. */
static bool book_takes(sqlite3 *db, const char *name, int64_t value)
{
	char sql[200];
	int rc;

	snprintf(sql, sizeof sql, "INSERT INTO restaurants (name, %s%s) VALUES ('x', %lld%s)", name,
		 strcmp(name, "party_min") == 0 ? ", party_max" : "", (long long)value,
		 strcmp(name, "party_min") == 0 ? ", 1000" : "");
	rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
	assert_true(rc == SQLITE_OK || rc == SQLITE_CONSTRAINT);
	return rc == SQLITE_OK;
}

static void defaults_are_those_of_the_book(void **state)
{
	char sql[200];

	for (size_t i = 0; i < settings_count; i++) {
		snprintf(sql, sizeof sql,
			 "SELECT dflt_value FROM pragma_table_info('restaurants') "
			 "WHERE name = '%s' AND type = 'INTEGER' AND \"notnull\" = 1",
			 settings_rows[i].name);
		assert_int_equal(schema_int(*state, sql), settings_rows[i].fallback);
	}
}

static void ranges_are_those_of_the_book(void **state)
{
	for (size_t i = 0; i < settings_count; i++) {
		const struct settings_row *row = &settings_rows[i];
		const struct {
			int64_t value;
			bool fits;
		} edges[] = {{row->min, true}, {row->max, true}, {row->min - 1LL, false}, {row->max + 1LL, false}};

		for (size_t k = 0; k < COUNT(edges); k++) {
			if (book_takes(*state, row->name, edges[k].value) != edges[k].fits)
				fail_msg("%s = %lld", row->name, (long long)edges[k].value);
			assert_true(settings_fits(row, edges[k].value) == edges[k].fits);
		}
	}
}

static void a_sitting_is_none_or_as_long_as_a_reservation(void **state)
{
	static const char *const names[] = {"sitting_minutes", "sitting_large_minutes"};

	for (size_t i = 0; i < COUNT(names); i++)
		for (int64_t value = 0; value <= 6; value++) {
			bool fits = value == 0 || value >= SETTINGS_SITTING_MIN;

			assert_true(settings_fits(settings_find(names[i]), value) == fits);
			assert_true(book_takes(*state, names[i], value) == fits);
		}
}

static void no_policy_of_the_book_is_forgotten(void **state)
{
	int columns = schema_int(*state, "SELECT count(*) FROM pragma_table_info('restaurants') WHERE type = 'INTEGER' "
					 "AND name NOT IN ('restaurant_id', 'utc_offset_minutes', 'service_sittings')");

	assert_int_equal(columns, settings_count);
}

static void every_row_has_its_own_name_and_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < settings_count; i++) {
		const struct settings_row *row = &settings_rows[i];

		assert_ptr_equal(settings_find(row->name), row);
		assert_true(row->min < row->max && settings_fits(row, row->fallback));
		assert_true(strlen(row->help) > 5);
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(row->offset, settings_rows[k].offset);
	}
	assert_null(settings_find(""));
	assert_null(settings_find("reservation_limit "));
	assert_null(settings_find("RESERVATION_LIMIT"));
	assert_null(settings_find("restaurant_id"));
}

static void a_value_put_is_the_value_got(void **state)
{
	struct settings s;

	(void)state;
	settings_init(&s);
	assert_int_equal(s.reservation_limit, 20);
	assert_int_equal(s.hold_seconds, 420);
	assert_int_equal(s.user_lock_ms, 5000);
	for (size_t i = 0; i < settings_count; i++) {
		assert_int_equal(*(const int *)((const char *)&s + (&settings_rows[i])->offset), settings_rows[i].fallback);
		settings_put(&s, &settings_rows[i], settings_rows[i].max);
	}
	for (size_t i = 0; i < settings_count; i++)
		assert_int_equal(*(const int *)((const char *)&s + (&settings_rows[i])->offset), settings_rows[i].max);
	assert_int_equal(s.wait_ms, 20000);
}

static void a_value_beyond_an_int_does_not_fit(void **state)
{
	static const int64_t absurd[] = {INT64_MIN, INT64_MAX, 4294967296 + 20, -4294967296 + 20};

	(void)state;
	for (size_t i = 0; i < settings_count; i++)
		for (size_t k = 0; k < COUNT(absurd); k++)
			assert_false(settings_fits(&settings_rows[i], absurd[k]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(defaults_are_those_of_the_book, open_book, close_book),
		cmocka_unit_test_setup_teardown(ranges_are_those_of_the_book, open_book, close_book),
		cmocka_unit_test_setup_teardown(a_sitting_is_none_or_as_long_as_a_reservation, open_book, close_book),
		cmocka_unit_test_setup_teardown(no_policy_of_the_book_is_forgotten, open_book, close_book),
		cmocka_unit_test(every_row_has_its_own_name_and_place),
		cmocka_unit_test(a_value_put_is_the_value_got),
		cmocka_unit_test(a_value_beyond_an_int_does_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
