/*
 * test_life.c - states and moves in C are those the book's trigger allows.
 */
#include "life.h"

#include "schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void words_and_states_are_one_to_one(void **state)
{
	static const char *const bad[] = {"", "temporary", "CONFIRMED ", "CANCELLED", "PREPAID_CONFIRMED", "TEMP"};
	enum life s = LIFE_NO_SHOW;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_false(life_parse(bad[i], &s));
	assert_int_equal(s, LIFE_NO_SHOW);
	for (int i = 0; i < LIFE__MAX; i++) {
		assert_true(life_parse(life_word((enum life)i), &s));
		assert_int_equal(s, i);
	}
}

/* 'A>B' -> its two states; false when that is not what stands there. */
static bool read_move(const char *quoted, enum life *from, enum life *to)
{
	char a[32], b[32];

	return sscanf(quoted, "'%31[A-Z_]>%31[A-Z_]'", a, b) == 2 && life_parse(a, from) && life_parse(b, to);
}

static void the_list_in_the_trigger_is_the_list_in_c(void **state)
{
	char *text = schema_text();
	char *list = NULL;
	bool listed[LIFE__MAX][LIFE__MAX] = {{false}};
	enum life from, to;
	int n = 0;

	(void)state;
	for (char *p = text; (p = strstr(p, "CREATE TRIGGER reservations_life")); p++)
		list = p; /* the last migration has the last word */
	assert_non_null(list);
	list = strstr(list, "NOT IN (");
	assert_non_null(list);
	*strstr(list, "BEGIN") = '\0';
	for (char *p = list; (p = strchr(p, '\'')); p = strchr(p + 1, '\'') + 1, n++) {
		if (strncmp(p, "'>'", 3) == 0)
			continue;
		if (!read_move(p, &from, &to))
			fail_msg("no move: %.40s", p);
		assert_false(listed[from][to]);
		listed[from][to] = true;
	}
	assert_true(n > 10);
	for (int a = 0; a < LIFE__MAX; a++)
		for (int b = 0; b < LIFE__MAX; b++)
			if (listed[a][b] != (life_may((enum life)a, (enum life)b) || life_may_undo((enum life)a, (enum life)b)))
				fail_msg("%s>%s", life_word((enum life)a), life_word((enum life)b));
	free(text);
}

/* A book with one slot, and in it a reservation of number 1 in the given state. */
static sqlite3 *book_with(const char *status)
{
	sqlite3 *db = schema_open();
	char sql[700];

	snprintf(sql, sizeof sql,
		 "INSERT INTO restaurants (restaurant_id, name) VALUES (1, 'x');"
		 "INSERT INTO users (user_id, user_type, name) VALUES (1, 'GUEST', 'x');"
		 "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
		 " VALUES (1, 1, '2026-01-20', '11:00', 4);"
		 "INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size,"
		 " reservation_type, status, hold_expires_at)"
		 " VALUES (1, 'R1', 1, 1, 4, 'RESERVATION_DEPOSIT', '%s', '2026-01-20T02:00:00Z')",
		 status);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	return db;
}

static void the_book_allows_the_same_moves(void **state)
{
	char sql[100];

	(void)state;
	for (int from = 0; from < LIFE__MAX; from++) {
		sqlite3 *db = book_with(life_word((enum life)from));

		for (int to = 0; to < LIFE__MAX; to++) {
			bool may = from == to || life_may((enum life)from, (enum life)to);

			snprintf(sql, sizeof sql, "SAVEPOINT s; UPDATE reservations SET status = '%s'",
				 life_word((enum life)to));
			assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), may ? SQLITE_OK : SQLITE_CONSTRAINT);
			if (!may)
				assert_memory_equal(sqlite3_errmsg(db), "BAD_MOVE: ", 10);
			assert_int_equal(sqlite3_exec(db, "ROLLBACK TO s", NULL, NULL, NULL), SQLITE_OK);
		}
		sqlite3_close(db);
	}
}

static void the_book_counts_the_same_states_as_taken(void **state)
{
	(void)state;
	for (int s = 0; s < LIFE__MAX; s++) {
		sqlite3 *db = book_with(life_word((enum life)s));

		assert_int_equal(schema_int(db, "SELECT count(*) FROM reservations WHERE is_active = 1"),
				 life_active((enum life)s));
		sqlite3_close(db);
	}
}

static void the_end_is_the_end(void **state)
{
	static const enum life ends[] = {LIFE_COMPLETED, LIFE_REFUNDED, LIFE_NO_SHOW, LIFE_CANCELED};

	(void)state;
	for (size_t i = 0; i < COUNT(ends); i++)
		for (int to = 0; to < LIFE__MAX; to++)
			assert_false(life_may(ends[i], (enum life)to));
	for (int s = 0; s < LIFE__MAX; s++) {
		assert_false(life_may((enum life)s, LIFE_TEMPORARY));
		assert_false(life_may((enum life)s, (enum life)s));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_and_states_are_one_to_one),
		cmocka_unit_test(the_list_in_the_trigger_is_the_list_in_c),
		cmocka_unit_test(the_book_allows_the_same_moves),
		cmocka_unit_test(the_book_counts_the_same_states_as_taken),
		cmocka_unit_test(the_end_is_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
