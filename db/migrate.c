/*
 * migrate.c - making a book and bringing an old one up to date.
 */
#include "migrate.h"

#include "clock.h"
#include "db.h"
#include "log.h"

#include <assert.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char embed_0001_init[], embed_demo[];

static const struct {
	const char *name, *script;
} migrations[] = {
	{"0001_init", embed_0001_init},
};
static_assert(sizeof migrations / sizeof migrations[0] == SQL_BOOK_VERSION, "the version is the last migration");

const char *migrate_schema(int version)
{
	assert(version >= 1 && version <= SQL_BOOK_VERSION);
	return migrations[version - 1].script;
}

static enum err run(sqlite3 *handle, const char *sql)
{
	return db_error(handle, sqlite3_exec(handle, sql, NULL, NULL, NULL), ERR_INTERNAL);
}

static enum err read_int(sqlite3 *handle, const char *sql, int *out)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(handle, sql, -1, &s, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(s);
	if (rc == SQLITE_ROW)
		*out = sqlite3_column_int(s, 0);
	sqlite3_finalize(s);
	return db_error(handle, rc, ERR_INTERNAL);
}

static enum err open_plain(const char *path, int flags, sqlite3 **handle)
{
	int rc = sqlite3_open_v2(path, handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE | flags, NULL);
	enum err e = db_error(*handle, rc, ERR_INTERNAL);

	if (e != ERR_OK)
		return e;
	sqlite3_busy_timeout(*handle, DB_BUSY_MS);
	sqlite3_db_config(*handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	return run(*handle, "PRAGMA wal_autocheckpoint=0; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
			    "PRAGMA cache_spill=OFF;");
}

/* One migration, all or nothing. */
static enum err apply(sqlite3 *handle, int version)
{
	char stamp[CLOCK_ISO_SIZE], tail[256];
	int now = 0;
	enum err e = run(handle, "BEGIN IMMEDIATE");

	if (e == ERR_OK)
		e = read_int(handle, "PRAGMA user_version", &now);
	if (e == ERR_OK && now >= version) /* another process was faster */
		return run(handle, "ROLLBACK");
	if (e != ERR_OK)
		return e;
	clock_iso(clock_now_s(), stamp);
	snprintf(tail, sizeof tail,
		 "PRAGMA application_id=%d; PRAGMA user_version=%d;"
		 "INSERT INTO migrations (version, name, applied_at) VALUES (%d, '%s', '%s')",
		 DB_APPLICATION_ID, version, version, migrations[version - 1].name, stamp);
	e = run(handle, migrations[version - 1].script);
	if (e == ERR_OK)
		e = run(handle, tail);
	if (e == ERR_OK)
		e = run(handle, "COMMIT");
	if (e != ERR_OK && !sqlite3_get_autocommit(handle))
		run(handle, "ROLLBACK");
	if (e == ERR_OK)
		log_info("book.migrated", "to=%s", migrations[version - 1].name);
	return e;
}

/* The file as it is now, beside itself; a copy that is already there is kept. */
static enum err keep_copy(sqlite3 *handle, const char *path, int version)
{
	char copy[4200];
	char *sql;
	enum err e;

	snprintf(copy, sizeof copy, "%s.before-%04d", path, version);
	if (access(copy, F_OK) == 0)
		return ERR_OK;
	sql = sqlite3_mprintf("VACUUM INTO %Q", copy);
	e = sql ? run(handle, sql) : ERR_NO_MEMORY;
	sqlite3_free(sql);
	if (e == ERR_OK)
		log_info("book.copied", "to=%s", copy);
	return e;
}

/* Whose file is this?  A file without tables is a new book. */
static enum err read_version(sqlite3 *handle, int *version)
{
	int id = 0, tables = 0;
	enum err e = run(handle, "BEGIN"); /* one moment, not three: another process may be making it */

	if (e == ERR_OK)
		e = read_int(handle, "PRAGMA application_id", &id);
	if (e == ERR_OK)
		e = read_int(handle, "PRAGMA user_version", version);
	if (e == ERR_OK)
		e = read_int(handle, "SELECT count(*) FROM sqlite_schema", &tables);
	if (e == ERR_OK)
		e = run(handle, "COMMIT");
	if (e != ERR_OK)
		return e;
	if (id != DB_APPLICATION_ID && (id != 0 || tables > 0))
		return ERR_BOOK_FOREIGN;
	return *version > SQL_BOOK_VERSION ? ERR_BOOK_NEWER : ERR_OK;
}

enum err migrate_book(const char *dir, bool *made)
{
	char path[4096];
	sqlite3 *handle = NULL;
	int version = 0;
	mode_t old = umask(0007);
	enum err e;

	db_path(dir, path);
	*made = access(path, F_OK) != 0;
	e = open_plain(path, SQLITE_OPEN_CREATE, &handle);
	umask(old);
	if (e == ERR_OK)
		e = read_version(handle, &version);
	if (e == ERR_OK)
		e = run(handle, "PRAGMA journal_mode=WAL"); /* also for a backup that somebody put in its place */
	if (e == ERR_OK && version > 0 && version < SQL_BOOK_VERSION)
		e = keep_copy(handle, path, version + 1);
	while (e == ERR_OK && version < SQL_BOOK_VERSION)
		e = apply(handle, ++version);
	sqlite3_close(handle);
	return e;
}

/* One script on a book of the present version, all or nothing. */
static enum err run_script(const char *dir, const char *script)
{
	char path[4096];
	sqlite3 *handle = NULL;
	enum err e;

	db_path(dir, path);
	e = open_plain(path, 0, &handle);
	if (e == ERR_OK)
		e = run(handle, "BEGIN IMMEDIATE");
	if (e == ERR_OK)
		e = run(handle, script);
	if (e == ERR_OK)
		e = run(handle, "COMMIT");
	sqlite3_close(handle);
	return e;
}

enum err migrate_demo(const char *dir)
{
	return run_script(dir, embed_demo);
}

enum err migrate_add_restaurant(const char *dir, const char *name)
{
	char *sql = sqlite3_mprintf("INSERT INTO restaurants (name) SELECT %Q WHERE NOT EXISTS"
				    " (SELECT 1 FROM restaurants WHERE name = %Q)",
				    name, name);
	enum err e = sql ? run_script(dir, sql) : ERR_NO_MEMORY;

	sqlite3_free(sql);
	return e;
}
