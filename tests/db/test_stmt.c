/*
 * test_sql.c - every statement prepares and searches, and SQL stands nowhere but in db.
 */
#include "stmt.h"

#include "book.h"
#include "import_job.h"
#include "overview.h"
#include "unit.h"

#include <glob.h>
#include <regex.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The steps of an import stand on TEMP tables and functions of its own. */
static int setup(void **state)
{
	static struct import_job job;
	int failed = book_setup(state);
	struct book *b = *state;

	job = (struct import_job){.db = &b->db};
	return failed || import_make_tables(&job) != ERR_OK || import_set_functions(&job, true) != ERR_OK;
}

static void every_statement_prepares_and_is_one_statement(void **state)
{
	struct book *b = *state;
	sqlite3_stmt *s;
	const char *rest;

	for (int i = 0; i < SQL__MAX; i++) {
		const char *text = stmt_source((enum sql_id)i);

		if (!text)
			fail_msg("statement %d has no text", i);
		if (sqlite3_prepare_v2(b->db.handle, text, -1, &s, &rest) != SQLITE_OK)
			fail_msg("%s: %s", text, sqlite3_errmsg(b->db.handle));
		assert_string_equal(rest, "");
		for (int k = 1; k <= sqlite3_bind_parameter_count(s); k++)
			if (!sqlite3_bind_parameter_name(s, k)) /* ?1 ?2 ?3 without a gap */
				fail_msg("no ?%d in %s", k, text);
		sqlite3_finalize(s);
	}
}

static void a_statement_that_cannot_be_prepared_says_what_it_met(void **state)
{
	struct book *b = *state;
	sqlite3 *other = book_plain(b->path);
	bool found;

	book_exec(other,
		  "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE menus (' WHERE name = 'menus';"
		  "PRAGMA schema_version=999");
	sqlite3_close(other);
	b->damaged = true;
	assert_int_equal(stmt_run(&b->db, SQL_BOOK_USED, ""), ERR_BOOK_DAMAGED);
	assert_int_equal(stmt_number(&b->db, SQL_BOOK_USED, &(int64_t){0}, ""), ERR_BOOK_DAMAGED);
	assert_int_equal(overview_used(&b->db, &found), ERR_BOOK_DAMAGED);
}

enum plan { PLAN_SEARCHES, PLAN_WALKS_PARTIAL, PLAN_SCANS };

/* A partial index holds the few rows that are due or active; a full one is as long as its table. */
static bool walks_partial_index(sqlite3 *handle, const char *step)
{
	const char *name = strstr(step, " INDEX ");

	return name &&
	       book_int(handle,
			"SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name = '%s' AND sql LIKE '%%WHERE%%'",
			name + strlen(" INDEX ")) == 1;
}

/* The worst step of the plan: a search, a walk along a partial index, or the reading of a whole table. */
static enum plan plan_of(sqlite3 *handle, const char *text)
{
	enum plan worst = PLAN_SEARCHES;
	char *sql = NULL;
	sqlite3_stmt *s;

	assert_true(asprintf(&sql, "EXPLAIN QUERY PLAN %s", text) > 0);
	if (sqlite3_prepare_v2(handle, sql, -1, &s, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
	while (sqlite3_step(s) == SQLITE_ROW) {
		const char *step = (const char *)sqlite3_column_text(s, 3);
		enum plan now = PLAN_SEARCHES;

		/* job has one row; the steps that make a subquery are listed too */
		if (strncmp(step, "SCAN ", 5) == 0 && strncmp(step, "SCAN (", 6) != 0 &&
		    strcmp(step, "SCAN CONSTANT ROW") != 0 && strcmp(step, "SCAN job") != 0)
			now = walks_partial_index(handle, step) ? PLAN_WALKS_PARTIAL : PLAN_SCANS;
		if (now > worst)
			worst = now;
	}
	sqlite3_finalize(s);
	free(sql);
	return worst;
}

static void no_statement_reads_a_whole_table_unless_it_says_so(void **state)
{
	struct book *b = *state;
	int wrong = 0;

	for (int i = 0; i < SQL__MAX; i++) {
		const char *text = stmt_source((enum sql_id)i);
		enum plan plan = plan_of(b->db.handle, text);
		bool says_so;

		/* A step of an import reads whole TEMP tables, unless it runs for chunk after chunk of a file; restaurants and dishes are few. */
		if (i >= SQL_IMPORT_JOB &&
		    (!strstr(text, "line BETWEEN ?1 AND ?2") || i == SQL_IMPORT_RESTAURANT_ADD || i == SQL_IMPORT_MENU_ADD))
			continue;
		says_so = strstr(text, "/*scan*/") != NULL;

		if ((plan == PLAN_SCANS && !says_so) || (plan == PLAN_SEARCHES && says_so)) {
			print_error("%s: %s\n", says_so ? "says scan and searches" : "a full scan", text);
			wrong++;
		}
	}
	assert_int_equal(wrong, 0);
}

/* The control: the plan reader knows a scan when it sees one. */
static void a_full_scan_is_recognised(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;

	assert_int_equal(plan_of(h, "SELECT * FROM reservations WHERE party_size = ?1"), PLAN_SCANS);
	assert_int_equal(plan_of(h, "UPDATE reservations SET version = 2 WHERE party_size = ?1"), PLAN_SCANS);
	assert_int_equal(plan_of(h, "SELECT u.name FROM reservations v JOIN users u ON u.name = v.reservation_code"
				    " WHERE v.reservation_id = 1"),
			 PLAN_SCANS);
	assert_int_equal(plan_of(h, "SELECT outbox_id FROM outbox WHERE status = 'QUEUED' ORDER BY next_attempt_at"),
			 PLAN_WALKS_PARTIAL);
	assert_int_equal(plan_of(h, "SELECT count(*) FROM reservations WHERE reservation_code LIKE '%x'"), PLAN_SCANS);
	assert_int_equal(plan_of(h, "SELECT * FROM reservations WHERE reservation_id = ?1"), PLAN_SEARCHES);
	assert_int_equal(plan_of(h, "SELECT 1"), PLAN_SEARCHES);
}

/* The lines of C text that carry SQL in a string. */
static int count_sql(const char *text, const char *name, bool tell)
{
	static const char pattern[] = "\"[^\"]*(SELECT .*|INSERT (OR [A-Z]+ )?INTO|DELETE FROM|UPDATE [a-z_]+ SET|PRAGMA "
				      "[a-z_]+|BEGIN IMMEDIATE|VACUUM|CREATE (TABLE|INDEX|TRIGGER|VIEW)|ATTACH '|SAVEPOINT )";
	char *copy = strdup(text);
	regex_t re;
	int found = 0;

	assert_int_equal(regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB), 0);
	for (char *save, *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (regexec(&re, line, 0, NULL, 0) != 0)
			continue;
		found++;
		if (tell)
			fprintf(stderr, "%s: %s\n", name, line);
	}
	regfree(&re);
	free(copy);
	return found;
}

static int count_sql_in(const char *pattern, bool tell)
{
	glob_t g;
	int found = 0;

	assert_int_equal(glob(pattern, 0, NULL, &g), 0); /* tests run from the root of the tree */
	for (size_t i = 0; i < g.gl_pathc; i++) {
		size_t n;
		char *text = book_read_file(g.gl_pathv[i], &n);

		found += count_sql(text, g.gl_pathv[i], tell);
		free(text);
	}
	globfree(&g);
	return found;
}

static void there_is_no_sql_outside_db(void **state)
{
	(void)state;
	assert_int_equal(count_sql_in("core/*.[ch]", true), 0);
	assert_int_equal(count_sql_in("fcgi/*/*.[ch]", true), 0);
	assert_true(count_sql_in("db/*.c", false) > 30); /* the search finds what is there */
}

static void a_row_reads_by_type_and_ends_reset(void **state)
{
	struct book *b = *state;
	sqlite3_stmt *s = stmt_use(&b->db, SQL_USER_GET, "i", (int64_t)1);
	char name[8];
	enum err e = ERR_INTERNAL;

	assert_true(stmt_row(&b->db, s, &e));
	assert_int_equal(stmt_int(s, 0), 1);
	assert_string_equal(stmt_text(s, 1), "GUEST");
	assert_true(stmt_null(s, 2));
	assert_string_equal(stmt_text(s, 2), "");
	stmt_copy(s, 3, name, sizeof name);
	assert_string_equal(stmt_text(s, 3), "김하나");
	assert_string_equal(name, "김하"); /* cut, not overrun, and between two characters */
	assert_false(stmt_row(&b->db, s, &e));
	assert_int_equal(e, ERR_OK);
	assert_false(sqlite3_stmt_busy(s));
	s = stmt_use(&b->db, SQL_USER_GET, "i", (int64_t)1);
	assert_true(stmt_row(&b->db, s, &e));
	stmt_done(s);
	assert_false(sqlite3_stmt_busy(s)); /* an open one would keep the log from being checkpointed */
}

static void a_null_text_is_null_in_the_book(void **state)
{
	struct book *b = *state;

	assert_int_equal(stmt_run(&b->db, SQL_PASSWORD_SET, "iti", (int64_t)1, "hash", (int64_t)1), ERR_OK);
	assert_int_equal(stmt_changes(&b->db), 1);
	assert_int_equal(stmt_run(&b->db, SQL_PASSWORD_SET, "iti", (int64_t)1, (const char *)NULL, (int64_t)2), ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT password_hash IS NULL FROM users WHERE user_id = 1"), 1);
	assert_int_equal(stmt_run(&b->db, SQL_PASSWORD_SET, "iti", (int64_t)99, "hash", (int64_t)1), ERR_OK);
	assert_int_equal(stmt_changes(&b->db), 0);
}

static void a_text_that_cannot_be_bound_is_an_error_and_the_statement_does_not_run(void **state)
{
	struct book *b = *state;
	char text[200];
	int limit = sqlite3_limit(b->db.handle, SQLITE_LIMIT_LENGTH, sizeof text - 2);
	sqlite3_stmt *s;
	enum err e = ERR_OK;

	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	assert_int_equal(stmt_run(&b->db, SQL_PASSWORD_SET, "iti", (int64_t)1, text, (int64_t)1), ERR_INTERNAL);
	s = stmt_use(&b->db, SQL_USER_BY_LOGIN, "t", text);
	assert_null(s);
	assert_false(stmt_row(&b->db, s, &e));
	assert_int_equal(e, ERR_INTERNAL);
	sqlite3_limit(b->db.handle, SQLITE_LIMIT_LENGTH, limit);
	assert_int_equal(book_int(b->db.handle, "SELECT token_version FROM users WHERE user_id = 1"), 1);
	assert_int_equal(stmt_run(&b->db, SQL_PASSWORD_SET, "iti", (int64_t)1, text, (int64_t)1), ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT token_version FROM users WHERE user_id = 1"), 2);
}

static void a_statement_that_cannot_be_prepared_is_an_error_not_a_crash(void **state)
{
	struct book *b = *state;
	sqlite3 *plain = book_plain(b->path);

	book_exec(plain, "DROP TABLE reservation_menu_items");
	sqlite3_close(plain);
	assert_int_equal(stmt_run(&b->db, SQL_ITEMS_OF, "i", (int64_t)1), ERR_INTERNAL);
	b->damaged = true;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_statement_prepares_and_is_one_statement),
		TEST(no_statement_reads_a_whole_table_unless_it_says_so),
		TEST(a_full_scan_is_recognised),
		cmocka_unit_test(there_is_no_sql_outside_db),
		TEST(a_row_reads_by_type_and_ends_reset),
		TEST(a_null_text_is_null_in_the_book),
		TEST(a_text_that_cannot_be_bound_is_an_error_and_the_statement_does_not_run),
		TEST(a_statement_that_cannot_be_prepared_is_an_error_not_a_crash),
		TEST(a_statement_that_cannot_be_prepared_says_what_it_met),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
