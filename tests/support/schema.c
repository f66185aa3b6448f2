/*
 * schema.c - the book's schema, for tests that compare C with SQL.
 */
#include "schema.h"

#include "page.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

char *schema_text(void)
{
	char *text = strdup(page_text());

	assert_non_null(text);
	return text;
}

/* db.c has the real one; an empty book has nothing to convert. */
static void no_utc(sqlite3_context *context, int n, sqlite3_value **args)
{
	(void)context;
	(void)n;
	(void)args;
}

/* Made once in each program, and copied for every test. */
static sqlite3 *made_once(void)
{
	static sqlite3 *first;
	char *text, *why = NULL;

	if (first)
		return first;
	text = schema_text();
	assert_int_equal(sqlite3_open(":memory:", &first), SQLITE_OK);
	sqlite3_create_function(first, "utc_of", 4, SQLITE_UTF8, NULL, no_utc, NULL, NULL);
	if (sqlite3_exec(first, text, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s", why);
	free(text);
	return first;
}

sqlite3 *schema_open(void)
{
	sqlite3_backup *copy;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	sqlite3_create_function(db, "utc_of", 4, SQLITE_UTF8, NULL, no_utc, NULL, NULL);
	copy = sqlite3_backup_init(db, "main", made_once(), "main");
	assert_non_null(copy);
	assert_int_equal(sqlite3_backup_step(copy, -1), SQLITE_DONE);
	sqlite3_backup_finish(copy);
	return db;
}

int schema_int(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st;
	int value = -1;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	if (sqlite3_step(st) == SQLITE_ROW)
		value = sqlite3_column_int(st, 0);
	sqlite3_finalize(st);
	return value;
}
