/*
 * test_admit.c - a backup is a stranger's file: what jari never made does not come back with it.
 */
#include "admit.h"

#include "backup.h"
#include "book.h"
#include "migrate.h"
#include "shape.h"
#include "unit.h"

#include <glob.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char file[128];
static struct backup_report came_back;

static int setup(void **state)
{
	struct book *b;

	book_setup_closed(state);
	b = *state;
	snprintf(file, sizeof file, "%s/backup.db", b->dir);
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	return 0;
}

/* Changes the backup as a stranger who has the file could. */
static void tamper(const char *sql)
{
	sqlite3 *h = book_plain(file);

	sqlite3_db_config(h, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	book_exec(h, "%s", sql);
	sqlite3_close(h);
}

static const enum err ANYHOW = ERR_OK; /* SQLite itself may see it first */

/* Restoring says e and names what it is about; the book is as it was. */
static void is_refused(struct book *b, enum err e, const char *names)
{
	size_t before_n, after_n;
	char *before = book_read_file(b->path, &before_n), *after;
	enum err said;

	said = backup_restore(b->dir, file, &came_back);
	assert_int_not_equal(said, ERR_OK);
	if (e != ANYHOW)
		assert_int_equal(said, e);
	if (!strstr(came_back.why, names))
		fail_msg("\"%s\" does not name %s", came_back.why, names);
	after = book_read_file(b->path, &after_n);
	assert_int_equal(before_n, after_n);
	assert_memory_equal(before, after, before_n);
	free(before);
	free(after);
}

static void a_foreign_trigger_is_refused_by_name(void **state)
{
	tamper("CREATE TRIGGER evil AFTER INSERT ON reservations BEGIN DELETE FROM waitlist; END");
	is_refused(*state, ERR_BACKUP_STRANGE, "trigger evil is not one of jari's");
}

static void a_foreign_view_table_and_index_are_refused_by_name(void **state)
{
	tamper("CREATE VIEW sheep AS SELECT 1");
	is_refused(*state, ERR_BACKUP_STRANGE, "view sheep is not one of jari's");
	tamper("DROP VIEW sheep; CREATE TABLE wolf (x)");
	is_refused(*state, ERR_BACKUP_STRANGE, "table wolf is not one of jari's");
	tamper("DROP TABLE wolf; CREATE INDEX hedge ON users (name)");
	is_refused(*state, ERR_BACKUP_STRANGE, "index hedge is not one of jari's");
	tamper("DROP INDEX hedge");
	assert_int_equal(backup_restore(((struct book *)*state)->dir, file, &came_back), ERR_OK);
}

/* Of jari's name, and not of jari's words. */
static void a_changed_trigger_and_a_changed_view_are_refused_by_name(void **state)
{
	tamper("DROP TRIGGER audit_is_ink; CREATE TRIGGER audit_is_ink BEFORE INSERT ON users BEGIN DELETE FROM audit; END");
	is_refused(*state, ERR_BACKUP_STRANGE, "trigger audit_is_ink is not as jari made it");
}

static void a_view_in_the_place_of_a_table_is_refused_by_name(void **state)
{
	tamper("PRAGMA foreign_keys=OFF; PRAGMA legacy_alter_table=ON; ALTER TABLE menus RENAME TO tmp;"
	       "CREATE VIEW menus AS SELECT * FROM tmp");
	is_refused(*state, ERR_BACKUP_STRANGE, "is not");
}

static void a_virtual_table_is_refused_by_name(void **state)
{
	tamper("PRAGMA writable_schema=ON;"
	       "INSERT INTO sqlite_schema VALUES ('table', 'ghost', 'ghost', 0, 'CREATE VIRTUAL TABLE ghost USING fts5(x)')");
	is_refused(*state, ERR_BACKUP_STRANGE, "table ghost is not one of jari's");
	tamper("PRAGMA writable_schema=ON; DELETE FROM sqlite_schema WHERE name = 'ghost'; UPDATE sqlite_schema SET rootpage = "
	       "0,"
	       " sql = 'CREATE VIRTUAL TABLE writing USING fts5(x)' WHERE name = 'writing'");
	is_refused(*state, ERR_BACKUP_STRANGE, "table writing is not one of jari's"); /* though there is one of that name */
}

/* SQLite does what the text says, whatever the other columns say. */
static void a_schema_that_lies_is_refused(void **state)
{
	tamper("PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql ="
	       " 'CREATE TRIGGER v_today AFTER INSERT ON users BEGIN DELETE FROM audit; END' WHERE name = 'v_today'");
	is_refused(*state, ANYHOW, "");
	tamper("PRAGMA writable_schema=ON; DELETE FROM sqlite_schema WHERE name = 'v_today';"
	       "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'menus') WHERE name = "
	       "'audit'");
	is_refused(*state, ANYHOW, "");
}

/* A hash in the file says that the file is as jari made it; the file is not asked. */
static void a_file_that_praises_itself_is_looked_at_all_the_same(void **state)
{
	struct book *b = *state;
	char shape[SHAPE_SIZE];
	sqlite3 *h = book_plain(file);

	book_exec(h, "DROP TABLE jari_backup; DROP INDEX reservations_person");
	assert_int_equal(shape_hash(h, shape), ERR_OK);
	book_exec(h, "UPDATE migrations SET shape = '%s' WHERE version = %d", shape, DB_VERSION);
	sqlite3_close(h);
	assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
	h = book_plain(b->path);
	assert_int_equal(book_int(h, "SELECT count(*) FROM sqlite_schema WHERE name = 'reservations_person'"), 1);
	sqlite3_close(h);
}

/* A statement that a repair writes with the name in it stays one statement. */
static void a_column_with_a_hostile_name_is_only_a_name(void **state)
{
	struct book *b = *state;
	char why[ADMIT_WHY];
	sqlite3 *h = book_plain(file);
	int n = 0;

	book_add_nasty(h, "users");
	sqlite3_close(h);
	while (book_nasty_names[n])
		n++;
	assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
	assert_int_not_equal(access("/dev/shm/jari-nasty.db", F_OK), 0);
	h = book_plain(b->path);
	assert_int_equal(book_int(h, "SELECT count(*) FROM sqlite_schema WHERE name IN ('loot', 'evil_view', 'jari_old')"), 0);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users"), 2);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users_own"), 2);
	assert_int_equal(book_int(h, "SELECT count(*) FROM pragma_table_info('users_own')"), 1 + n); /* and the key */
	sqlite3_close(h);
	assert_int_equal(admit_file(b->path, why), ERR_OK);
}

/* Whatever a statement says, it cannot reach another file. */
static void no_third_file_is_attached_to_a_book_that_is_compared(void **state)
{
	struct book *b = *state;
	sqlite3 *h = NULL;

	assert_int_equal(db_open_plain(b->path, SQLITE_OPEN_URI, &h), ERR_OK);
	assert_int_equal(shape_attach(h, DB_VERSION), ERR_OK);
	assert_int_not_equal(book_try(h, "ATTACH ':memory:' AS z"), SQLITE_OK);
	assert_int_equal(shape_detach(h), ERR_OK);
	sqlite3_close(h);
}

/* What comes out of an upgrade is looked at like what went in. */
static void a_book_that_an_upgrade_made_strange_is_refused(void **state)
{
	char why[ADMIT_WHY];

	(void)state;
	tamper("CREATE TABLE loot (x)");
	assert_int_equal(migrate_file(file, why), ERR_BACKUP_STRANGE);
	assert_non_null(strstr(why, "table loot is not one of jari's"));
}

/* In an older backup the names are looked at, and everything that acts is made anew. */
static void an_older_backup_brings_no_foreign_trigger_either(void **state)
{
	struct book *b = *state;
	sqlite3 *h;

	unlink(file);
	h = book_make_version(file, 2);
	book_exec(h, "INSERT INTO users (user_id, user_type, name, phone) VALUES (11, 'GUEST', '김하나', '01011112222');"
		     "CREATE TRIGGER evil AFTER UPDATE ON users BEGIN DELETE FROM audit; END");
	sqlite3_close(h);
	is_refused(b, ERR_BACKUP_STRANGE, "trigger evil is not one of jari's");
	tamper("DROP TRIGGER evil; DROP TRIGGER audit_is_ink;"
	       "CREATE TRIGGER audit_is_ink AFTER UPDATE ON users BEGIN UPDATE users SET name = 'x'; END");
	assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
	h = book_plain(b->path);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users WHERE name = '김하나'"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM sqlite_schema WHERE name = 'audit_is_ink' AND sql LIKE '%%NEVER%%'"),
			 1);
	sqlite3_close(h);
}

/* Drafts of the migrations made books too. */
static void every_book_of_an_earlier_jari_is_admitted(void **state)
{
	static const char *const shapes[] = {"tests/db/books/*.db", "tests/db/books/*.backup"};
	char why[ADMIT_WHY];
	glob_t g;
	int n = 0;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(glob(shapes[i], 0, NULL, &g), 0);
		for (size_t k = 0; k < g.gl_pathc; k++, n++)
			if (admit_file(g.gl_pathv[k], why) != ERR_OK)
				fail_msg("%s: %s", g.gl_pathv[k], why);
		globfree(&g);
	}
	assert_true(n >= 10);
}

/* What the owner added at the shell stays in the book, and the backup can be restored; a table more is said. */
static void a_backup_of_a_book_with_additions_can_be_restored(void **state)
{
	struct book *b = *state;
	sqlite3 *h = book_plain(b->path);

	book_exec(h, "CREATE VIEW \"my \"\"view\" AS SELECT 1; CREATE INDEX mine ON users (name)");
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	book_exec(h, "CREATE TABLE notes (user INTEGER REFERENCES users, text UNIQUE); INSERT INTO notes VALUES (1, 'salt')");
	assert_int_equal(book_int(h, "SELECT count(*) FROM sqlite_schema WHERE name IN ('my \"view', 'mine')"), 2);
	sqlite3_close(h);
	assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	h = book_plain(b->path);
	book_exec(h, "CREATE TABLE notes (text UNIQUE); INSERT INTO notes VALUES ('salt')");
	sqlite3_close(h);
	assert_int_equal(backup_make(b->dir, file), ERR_BACKUP_STRANGE);
	assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_foreign_trigger_is_refused_by_name),
		TEST(a_foreign_view_table_and_index_are_refused_by_name),
		TEST(a_changed_trigger_and_a_changed_view_are_refused_by_name),
		TEST(a_view_in_the_place_of_a_table_is_refused_by_name),
		TEST(a_virtual_table_is_refused_by_name),
		TEST(a_schema_that_lies_is_refused),
		TEST(a_file_that_praises_itself_is_looked_at_all_the_same),
		TEST(a_column_with_a_hostile_name_is_only_a_name),
		TEST(no_third_file_is_attached_to_a_book_that_is_compared),
		TEST(a_book_that_an_upgrade_made_strange_is_refused),
		TEST(an_older_backup_brings_no_foreign_trigger_either),
		TEST(every_book_of_an_earlier_jari_is_admitted),
		TEST(a_backup_of_a_book_with_additions_can_be_restored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
