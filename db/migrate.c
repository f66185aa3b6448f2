/*
 * migrate.c - making a book and bringing an old one up to date.
 */
#include "migrate.h"

#include "clock.h"
#include "db.h"
#include "log.h"
#include "swap.h"

#include <assert.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char embed_0001_init[], embed_0002_tickets[], embed_0003_people[], embed_0004_sittings[], embed_0005_ink[],
	embed_0006_once[], embed_0007_desk[], embed_0008_messages[], embed_0009_upkeep[], embed_demo[];

static const struct {
	const char *name, *script;
} migrations[] = {
	{"0001_init", embed_0001_init},         {"0002_tickets", embed_0002_tickets},   {"0003_people", embed_0003_people},
	{"0004_sittings", embed_0004_sittings}, {"0005_ink", embed_0005_ink},           {"0006_once", embed_0006_once},
	{"0007_desk", embed_0007_desk},         {"0008_messages", embed_0008_messages}, {"0009_upkeep", embed_0009_upkeep},
};
static_assert(sizeof migrations / sizeof migrations[0] == DB_VERSION, "the version is the last migration");

const char *migrate_schema(int version)
{
	assert(version >= 1 && version <= DB_VERSION);
	return migrations[version - 1].script;
}

/* One migration, all or nothing. */
static enum err apply(sqlite3 *handle, int version)
{
	char stamp[CLOCK_ISO_SIZE], tail[256];
	int64_t now = 0;
	enum err e = db_exec(handle, "BEGIN IMMEDIATE");

	assert(version >= 1 && version <= DB_VERSION);
	if (e == ERR_OK)
		e = db_ask(handle, "PRAGMA user_version", &now);
	if (e == ERR_OK && now >= version) /* another process was faster */
		return db_exec(handle, "ROLLBACK");
	if (e != ERR_OK)
		return e;
	clock_iso(clock_now_s(), stamp);
	snprintf(tail, sizeof tail,
		 "PRAGMA application_id=%d; PRAGMA user_version=%d;"
		 "INSERT INTO migrations (version, name, applied_at) VALUES (%d, '%s', '%s')",
		 DB_APPLICATION_ID, version, version, migrations[version - 1].name, stamp);
	e = db_exec(handle, migrations[version - 1].script);
	if (e == ERR_OK)
		e = db_exec(handle, tail);
	if (e == ERR_OK)
		e = db_exec(handle, "COMMIT");
	if (e != ERR_OK && !sqlite3_get_autocommit(handle))
		db_exec(handle, "ROLLBACK");
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
	e = sql ? db_exec(handle, sql) : ERR_NO_MEMORY;
	sqlite3_free(sql);
	if (e == ERR_OK)
		log_info("book.copied", "to=%s", copy);
	return e;
}

/* Whose file is this?  A file without tables is a new book. */
static enum err read_version(sqlite3 *handle, int64_t *version)
{
	int64_t id = 0, tables = 0;
	enum err e = db_exec(handle, "BEGIN"); /* one moment for all three reads: another process may be making it */

	if (e == ERR_OK)
		e = db_ask(handle, "PRAGMA application_id", &id);
	if (e == ERR_OK)
		e = db_ask(handle, "PRAGMA user_version", version);
	if (e == ERR_OK)
		e = db_ask(handle, "SELECT count(*) FROM sqlite_schema", &tables);
	if (e == ERR_OK)
		e = db_exec(handle, "COMMIT");
	if (e != ERR_OK)
		return e;
	if (id != DB_APPLICATION_ID && (id != 0 || tables > 0))
		return ERR_BOOK_FOREIGN;
	return *version > DB_VERSION ? ERR_BOOK_NEWER : ERR_OK;
}

/* A copy is made without a log; a book is only opened with one. */
static enum err give_log(sqlite3 *handle)
{
	return db_exec(handle, "PRAGMA journal_mode=WAL");
}

static enum err apply_from(sqlite3 *handle, int64_t version)
{
	enum err e = ERR_OK;

	while (e == ERR_OK && version < DB_VERSION)
		e = apply(handle, (int)++version);
	return e;
}

static enum err migrate_locked(const char *dir, const char *path)
{
	sqlite3 *handle = NULL;
	int64_t version = 0;
	mode_t old = umask(0777 & ~shm_file_mode(dir));
	enum err e = db_open_plain(path, SQLITE_OPEN_CREATE, &handle);

	umask(old);
	if (e == ERR_OK)
		e = read_version(handle, &version);
	if (e == ERR_OK)
		e = give_log(handle); /* also to a backup that was put in its place */
	if (e == ERR_OK && version > 0 && version < DB_VERSION)
		e = keep_copy(handle, path, (int)version + 1);
	if (e == ERR_OK)
		e = apply_from(handle, version);
	sqlite3_close(handle);
	return e;
}

enum err migrate_file(const char *file)
{
	sqlite3 *handle = NULL;
	int64_t version = 0;
	enum err e = db_open_plain(file, 0, &handle);

	if (e == ERR_OK)
		e = read_version(handle, &version);
	if (e == ERR_OK)
		e = apply_from(handle, version);
	if (e == ERR_OK)
		e = give_log(handle); /* last: until then all of it is in the one file, which is about to be renamed */
	sqlite3_close(handle);
	return e;
}

enum err migrate_book(const char *dir, bool *made)
{
	char path[4096];
	/* One process at a time: a second one would take a book that is half made for an old one. */
	int lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	enum err e = ERR_BOOK_UNWRITABLE;

	db_path(dir, path);
	*made = false;
	if (lock >= 0 && flock(lock, LOCK_EX) == 0 && swap_finish(dir) == ERR_OK) {
		swap_tidy(dir, clock_now_s());
		*made = access(path, F_OK) != 0;
		e = migrate_locked(dir, path);
	}
	if (lock >= 0)
		close(lock);
	return e;
}

/* One script on a book of the present version, all or nothing. */
static enum err run_script(const char *dir, const char *script)
{
	char path[4096];
	sqlite3 *handle = NULL;
	enum err e;

	db_path(dir, path);
	e = db_open_plain(path, 0, &handle);
	if (e == ERR_OK)
		e = db_exec(handle, "BEGIN IMMEDIATE");
	if (e == ERR_OK)
		e = db_exec(handle, script);
	if (e == ERR_OK)
		e = db_exec(handle, "COMMIT");
	sqlite3_close(handle);
	return e;
}

enum err migrate_demo(const char *dir)
{
	return run_script(dir, embed_demo);
}

enum err migrate_add_restaurant(const char *dir, const char *name)
{
	char *sql = sqlite3_mprintf(
		"INSERT INTO restaurants (name, deposit_per_person, deposit_large_per_person) SELECT %Q, 0, 0 WHERE NOT EXISTS"
		" (SELECT 1 FROM restaurants WHERE name = %Q)",
		name, name);
	enum err e = sql ? run_script(dir, sql) : ERR_NO_MEMORY;

	sqlite3_free(sql);
	return e;
}
