/*
 * book.c - a book of its own for a test.
 */
#include "book.h"

#include "check.h"
#include "clock.h"
#include "migrate.h"
#include "token.h"
#include "unit.h"

#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void book_make_dir(char dir[64])
{
	snprintf(dir, 64, "/dev/shm/jari-test-XXXXXX");
	if (!mkdtemp(dir))
		snprintf(dir, 64, "/tmp/jari-test-XXXXXX");
	if (access(dir, W_OK) != 0 && !mkdtemp(dir))
		fail_msg("no directory to work in");
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

void book_remove_dir(const char *dir)
{
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void book_open(struct book *b)
{
	assert_int_equal(db_open(&b->db, b->dir, &b->hall), ERR_OK);
}

void book_close(struct book *b)
{
	db_close(&b->db);
}

/* The bytes of a new book, made once in each test program: to migrate one for every test takes most of its time. */
static const char *new_book(size_t *size)
{
	static char *bytes;
	static size_t n;
	char dir[64], path[4096];
	sqlite3 *plain;
	bool made;

	if (!bytes) {
		book_make_dir(dir);
		db_path(dir, path);
		assert_int_equal(migrate_book(dir, &made), ERR_OK);
		assert_true(made);
		assert_int_equal(migrate_demo(dir), ERR_OK);
		plain = book_plain(path);
		book_exec(plain, "INSERT INTO users (user_id, user_type, name, phone) VALUES"
				 " (1, 'GUEST', '김하나', '01011112222'), (2, 'GUEST', '이두리', '01033334444')");
		sqlite3_wal_checkpoint_v2(plain, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
		sqlite3_close(plain);
		bytes = book_read_file(path, &n);
		book_remove_dir(dir);
	}
	*size = n;
	return bytes;
}

int book_setup_closed(void **state)
{
	struct book *b = calloc(1, sizeof *b);
	const char *bytes;
	size_t n;

	assert_non_null(b);
	assert_true(token_init());
	book_make_dir(b->dir);
	db_path(b->dir, b->path);
	bytes = new_book(&n);
	book_write_file(b->path, bytes, n);
	assert_int_equal(hall_attach(&b->hall, b->dir), ERR_OK);
	*state = b;
	return 0;
}

int book_setup(void **state)
{
	book_setup_closed(state);
	book_open(*state);
	return 0;
}

static void say_finding(void *arg, const char *rule, const char *finding)
{
	(void)arg;
	if (finding)
		fprintf(stderr, "check: %s: %s\n", rule, finding);
}

int book_teardown(void **state)
{
	struct book *b = *state;
	struct check_report report = {0};
	enum err e = ERR_OK;

	book_close(b);
	if (!b->damaged)
		e = check_book(b->path, say_finding, NULL, &report);
	hall_remove(&b->hall);
	hall_detach(&b->hall);
	book_remove_dir(b->dir);
	free(b);
	return e == ERR_OK && report.findings == 0 ? 0 : -1;
}

__attribute__((format(printf, 2, 0))) static int try_text(sqlite3 *handle, const char *format, va_list ap)
{
	char *sql = NULL;
	int rc;

	assert_true(vasprintf(&sql, format, ap) >= 0);
	sqlite3_extended_result_codes(handle, 1);
	rc = sqlite3_exec(handle, sql, NULL, NULL, NULL);
	free(sql);
	return rc;
}

int book_try(sqlite3 *handle, const char *format, ...)
{
	va_list ap;
	int rc;

	va_start(ap, format);
	rc = try_text(handle, format, ap);
	va_end(ap);
	return rc;
}

void book_exec(sqlite3 *handle, const char *format, ...)
{
	va_list ap;
	int rc;

	va_start(ap, format);
	rc = try_text(handle, format, ap);
	va_end(ap);
	if (rc != SQLITE_OK)
		fail_msg("%s: %s", format, sqlite3_errmsg(handle));
}

int64_t book_int(sqlite3 *handle, const char *format, ...)
{
	sqlite3_stmt *s = NULL;
	char *sql = NULL;
	int64_t value = -1;
	va_list ap;

	va_start(ap, format);
	assert_true(vasprintf(&sql, format, ap) >= 0);
	va_end(ap);
	if (sqlite3_prepare_v2(handle, sql, -1, &s, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
	if (sqlite3_step(s) == SQLITE_ROW)
		value = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	free(sql);
	return value;
}

const char *const book_nasty_names[] = {
	"q\" FROM jari_old; DROP TABLE jari_old; CREATE TABLE main.loot AS SELECT * FROM main.users; CREATE VIEW main.evil_view"
	" AS SELECT 1; --",
	"q\" FROM jari_old; ATTACH '/dev/shm/jari-nasty.db' AS z; CREATE TABLE z.loot (x); --",
	"my \"note\"",
	"it's",
	"a]b[c",
	"a`b",
	"a;b",
	"a\nb",
	"%s%w%n",
	"단골, 메모",
	NULL,
};

void book_add_nasty(sqlite3 *handle, const char *table)
{
	for (int i = 0; book_nasty_names[i]; i++) {
		char *sql = sqlite3_mprintf("ALTER TABLE %s ADD COLUMN \"%w\" TEXT; UPDATE %s SET \"%w\" = 'mine'", table,
					    book_nasty_names[i], table, book_nasty_names[i]);

		assert_non_null(sql);
		assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
		sqlite3_free(sql);
	}
}

sqlite3 *book_plain(const char *path)
{
	sqlite3 *handle = NULL;

	assert_int_equal(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL), SQLITE_OK);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_busy_timeout(handle, 5000);
	return handle;
}

sqlite3 *book_make_version(const char *path, int version)
{
	static const char *const names[] = {"0001_init", "0002_tickets"};
	sqlite3 *h = book_plain(path);

	assert_in_range(version, 1, 2);
	for (int v = 1; v <= version; v++) {
		assert_int_equal(sqlite3_exec(h, migrate_schema(v), NULL, NULL, NULL), SQLITE_OK);
		book_exec(h, "INSERT INTO migrations VALUES (%d, '%s', '2026-01-01T00:00:00Z')", v, names[v - 1]);
	}
	book_exec(h, "PRAGMA application_id=%d; PRAGMA user_version=%d", DB_APPLICATION_ID, version);
	return h;
}

bool book_whole(sqlite3 *handle)
{
	sqlite3_stmt *s = NULL;
	bool ok = sqlite3_prepare_v2(handle, "PRAGMA integrity_check(3)", -1, &s, NULL) == SQLITE_OK &&
		  sqlite3_step(s) == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(s, 0), "ok") == 0;

	sqlite3_finalize(s);
	return ok;
}

void book_slot(sqlite3 *handle, int64_t slot, const char *date, const char *time, int seats)
{
	book_exec(handle,
		  "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
		  " VALUES (%lld, 1, '%s', '%s', %d)",
		  (long long)slot, date, time, seats);
}

void book_reservation(sqlite3 *handle, int64_t id, int64_t slot, int64_t user, int party, const char *status,
		      const char *hold_expires_at)
{
	book_exec(handle,
		  "INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size,"
		  " reservation_type, status, hold_expires_at)"
		  " VALUES (%lld, 'R%lld', %lld, %lld, %d, 'RESERVATION_DEPOSIT', '%s', nullif('%s', ''))",
		  (long long)id, (long long)id, (long long)slot, (long long)user, party, status, hold_expires_at);
}

enum err book_add_guest(struct db *db)
{
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	e = stmt_run(db, SQL_GUEST_ADD, "ttittt", "가나다라마바사아자차카타파하가나다라마바사아자차카타파하", "01099998888",
		     clock_mono_us() * 64 + getpid() % 64, (const char *)NULL, "ko", "2026-01-20T02:00:00Z");
	return db_end(db, e);
}

void book_write_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

char *book_read_file(const char *path, size_t *n)
{
	FILE *f = fopen(path, "r");
	char *bytes;
	long size;

	if (!f)
		fail_msg("%s cannot be read", path);
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	bytes = calloc(1, (size_t)size + 1);
	assert_non_null(bytes);
	*n = fread(bytes, 1, (size_t)size, f);
	fclose(f);
	return bytes;
}

void book_copy_file(const char *from, const char *to)
{
	size_t n;
	char *bytes = book_read_file(from, &n);

	book_write_file(to, bytes, n);
	free(bytes);
}

void book_fill(struct book *b, void (*fill)(sqlite3 *handle))
{
	sqlite3 *h = book_plain(b->path);
	sqlite3_stmt *s;
	char *triggers[200];
	int n = 0;

	assert_int_equal(sqlite3_prepare_v2(h, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'", -1, &s, NULL),
			 SQLITE_OK);
	while (sqlite3_step(s) == SQLITE_ROW) {
		assert_true(n < (int)(sizeof triggers / sizeof triggers[0]));
		assert_true(asprintf(&triggers[n++], "DROP TRIGGER %s;%s", sqlite3_column_text(s, 0),
				     sqlite3_column_text(s, 1)) > 0);
	}
	sqlite3_finalize(s);
	book_exec(h, "PRAGMA synchronous=OFF; PRAGMA cache_size=-200000; PRAGMA foreign_keys=OFF; BEGIN");
	for (int i = 0; i < n; i++) {
		*strchr(triggers[i], ';') = '\0';
		book_exec(h, "%s", triggers[i]);
	}
	fill(h);
	for (int i = 0; i < n; i++) {
		book_exec(h, "%s", triggers[i] + strlen(triggers[i]) + 1);
		free(triggers[i]);
	}
	book_exec(h, "COMMIT");
	sqlite3_close(h);
}
