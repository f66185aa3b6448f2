/*
 * migrate.c - making a book and bringing an old one up to date.
 */
#include "migrate.h"

#include "clock.h"
#include "copies.h"
#include "copy.h"
#include "db.h"
#include "durable.h"
#include "failpoint.h"
#include "hash.h"
#include "log.h"
#include "page.h"
#include "shape.h"
#include "swap.h"
#include "version.h"

#include <assert.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { UNITS_VERSION = 11 }; /* from here on amounts are in the smallest unit */

extern const char embed_0001_init[], embed_0002_tickets[], embed_0003_people[], embed_0004_sittings[], embed_0005_ink[],
	embed_0006_once[], embed_0007_desk[], embed_0008_messages[], embed_0009_upkeep[], embed_0010_strangers[],
	embed_0011_rules[], embed_0012_desk[], embed_0013_round[], embed_demo[];

static const struct {
	const char *name, *script;
} migrations[] = {
	{"0001_init", embed_0001_init},           {"0002_tickets", embed_0002_tickets},   {"0003_people", embed_0003_people},
	{"0004_sittings", embed_0004_sittings},   {"0005_ink", embed_0005_ink},           {"0006_once", embed_0006_once},
	{"0007_desk", embed_0007_desk},           {"0008_messages", embed_0008_messages}, {"0009_upkeep", embed_0009_upkeep},
	{"0010_strangers", embed_0010_strangers}, {"0011_rules", embed_0011_rules},       {"0012_desk", embed_0012_desk},
	{"0013_round", embed_0013_round},
};
enum { PROGRESS_MS = 1000 }; /* a step that takes longer says so */
static_assert(sizeof migrations / sizeof migrations[0] == DB_VERSION, "the version is the last migration");

const char *migrate_schema(int version)
{
	assert(version >= 1 && version <= DB_VERSION);
	return migrations[version - 1].script;
}

const char *migrate_hash(int version)
{
	static char hashes[DB_VERSION][17];
	uint64_t h = HASH_START;

	assert(version >= 1 && version <= DB_VERSION);
	for (int v = 0; !*hashes[version - 1] && v < DB_VERSION; v++) {
		h = hash_text(h, migrations[v].script);
		if (v + 1 == DB_VERSION && page_text())
			h = hash_text(h, page_text());
		snprintf(hashes[v], sizeof hashes[v], "%016llx", (unsigned long long)h);
	}
	return hashes[version - 1];
}

/* ---- the copy ---- */

static void name_copy(const char *path, int64_t version, char out[4200])
{
	if (version < DB_VERSION)
		snprintf(out, 4200, "%s.before-%04d", path, (int)version + 1);
	else
		snprintf(out, 4200, "%s.before-repair", path);
}

/*
 * The file as it is now, beside itself.  It gets its name only when it is on the disk and was found whole; one that is
 * there already is believed only if it is that and the same book.
 */
static enum err keep_copy(sqlite3 *handle, const char *path, int64_t version)
{
	char copy[4200], part[4300];
	enum err e;

	name_copy(path, version, copy);
	if (access(copy, F_OK) == 0 && copy_compare(handle, copy) == ERR_OK)
		return ERR_OK;
	snprintf(part, sizeof part, "%s.part", copy);
	e = copy_make(handle, path, part);
	FAILPOINT("migrate.copied");
	if (e == ERR_OK)
		e = copy_compare(handle, part);
	if (e == ERR_OK && !durable_rename(part, copy))
		e = ERR_BOOK_UNWRITABLE;
	if (e == ERR_OK)
		log_info("book.copied", "to=%s", copy);
	else
		unlink(part);
	return e == ERR_BOOK_UNWRITABLE ? ERR_BOOK_NO_COPY : e;
}

/* ---- the upgrade ---- */

/* An upgrade under way, or a repair of a book that has the right version. */
struct upgrade {
	sqlite3 *handle;
	int64_t version, differences, odd_tables;
	struct buf own; /* the owner's indexes and views */
	struct shape_rows had;
};

static enum err note(sqlite3 *handle, int version)
{
	char stamp[CLOCK_ISO_SIZE], sql[512];

	clock_iso(clock_now_s(), stamp);
	snprintf(sql, sizeof sql,
		 "PRAGMA application_id=%d; PRAGMA user_version=%d;"
		 "INSERT INTO migrations (version, name, applied_at) VALUES (%d, '%s', '%s')",
		 DB_APPLICATION_ID, version, version, migrations[version - 1].name, stamp);
	return db_exec(handle, sql);
}

static enum err apply(sqlite3 *handle, int version)
{
	int64_t took, began = clock_mono_ms();
	enum err e = shape_step(handle, version);

	if (e == ERR_OK)
		e = note(handle, version);
	took = clock_mono_ms() - began;
	if (e == ERR_OK) /* a person who waits reads warnings only */
		log_line(took < PROGRESS_MS ? LOG_INFO : LOG_WARN, "book.migrated", "to=%s ms=%lld",
			 migrations[version - 1].name, (long long)took);
	return e;
}

/*
 * Notes in `migrations` which scripts have run, by their hashes, and the shape that they made.  Scripts before `first` ran in
 * an earlier upgrade, and their rows stay as they are.
 */
static enum err remember(sqlite3 *handle, int64_t first)
{
	char shape[SHAPE_SIZE], sql[256];
	enum err e = shape_hash(handle, shape);

	for (int v = (int)first; e == ERR_OK && v <= DB_VERSION; v++) {
		snprintf(sql, sizeof sql,
			 "UPDATE migrations SET hash = '%s', program = '%s', shape = %s%s%s WHERE version = %d",
			 migrate_hash(v), JARI_VERSION, v == DB_VERSION ? "'" : "", v == DB_VERSION ? shape : "NULL",
			 v == DB_VERSION ? "'" : "", v);
		e = db_exec(handle, sql);
	}
	return e;
}

/* Brings the book into the shape that the migrations to come expect; a new one has none. */
static enum err prepare(struct upgrade *u)
{
	enum err e = shape_put_aside(u->handle, &u->own);

	if (e == ERR_OK && u->differences > 0)
		e = shape_clear(u->handle);
	if (e == ERR_OK)
		e = shape_make_way(u->handle);
	if (e == ERR_OK)
		e = shape_count(u->handle, u->odd_tables > 0, &u->had);
	return e == ERR_OK && u->differences > 0 ? shape_repair(u->handle) : e;
}

/* A new book has the page, and no scripts to run. */
static enum err make_new(sqlite3 *handle)
{
	enum err e = page_text() ? db_exec(handle, page_text()) : ERR_NO_MEMORY;

	for (int v = 1; e == ERR_OK && v <= DB_VERSION; v++)
		e = note(handle, v);
	return e;
}

/* The book's defences stand, and nothing is lost. */
static enum err prove(struct upgrade *u)
{
	enum err e = shape_prove(u->handle);

	if (e == ERR_OK)
		e = shape_prove_rows(u->handle, &u->had);
	if (e == ERR_OK)
		shape_put_back(u->handle, &u->own);
	return e;
}

/* From an older version, or a book of this one that is not as it should be. */
static enum err change_old(struct upgrade *u)
{
	enum err e = prepare(u);

	for (int v = (int)u->version + 1; e == ERR_OK && v <= DB_VERSION; v++)
		e = apply(u->handle, v);
	if (e == ERR_OK)
		e = shape_dress(u->handle);
	return e == ERR_OK ? prove(u) : e;
}

/* Everything between BEGIN and COMMIT. */
static enum err change(struct upgrade *u)
{
	int64_t now = -1;
	enum err e = db_ask(u->handle, "PRAGMA user_version", &now);

	if (e == ERR_OK && now != u->version)
		e = ERR_BOOK_BUSY; /* a jari that does not lock the folder was faster */
	if (e == ERR_OK)
		e = u->version > 0 ? change_old(u) : make_new(u->handle);
	return e == ERR_OK ? remember(u->handle, u->version < DB_VERSION ? u->version + 1 : DB_VERSION) : e;
}

/* One transaction for all that is missing: a full disk or a kill leaves a book that the old jari serves. */
static enum err change_at_once(struct upgrade *u)
{
	enum err e = ERR_OK;

	/* A table that has to be made anew would take its children with it; what it leaves is looked at instead. */
	if (u->odd_tables > 0)
		e = db_exec(u->handle, "PRAGMA foreign_keys=OFF");
	if (e == ERR_OK)
		e = db_exec(u->handle, "BEGIN IMMEDIATE");
	if (e != ERR_OK)
		return e;
	e = change(u);
	FAILPOINT("migrate.changed");
	if (e == ERR_OK)
		e = db_exec(u->handle, "COMMIT");
	if (e != ERR_OK && !sqlite3_get_autocommit(u->handle))
		db_exec(u->handle, "ROLLBACK");
	buf_free(&u->own);
	return e;
}

/* Is it as the last jari left it, and was that a jari with our scripts? */
static enum err is_settled(sqlite3 *handle, int64_t version, bool *settled)
{
	char shape[SHAPE_SIZE], sql[160];
	int64_t same = 0;
	enum err e = ERR_OK;

	*settled = false;
	if (version != DB_VERSION)
		return ERR_OK;
	e = shape_hash(handle, shape);
	snprintf(sql, sizeof sql, "SELECT hash = '%s' AND shape = '%s' FROM migrations WHERE version = %d",
		 migrate_hash(DB_VERSION), shape, DB_VERSION);
	if (e == ERR_OK)
		e = db_ask(handle, sql, &same);
	*settled = same == 1;
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

/* A file that has pages already keeps theirs. */
static enum err choose_page(sqlite3 *handle)
{
	char sql[40];

	snprintf(sql, sizeof sql, "PRAGMA page_size=%d", DB_PAGE_SIZE);
	return db_exec(handle, sql);
}

/* A copy is made without a log; a book is only opened with one. */
static enum err give_log(sqlite3 *handle)
{
	return db_exec(handle, "PRAGMA journal_mode=WAL");
}

/* The owner must not wonder at the numbers of the audit: amounts are in cents from here on, and every one was changed. */
static void say_units(sqlite3 *handle)
{
	int64_t houses = 0;

	if (db_ask(handle, "SELECT count(*) FROM audit WHERE change = 'currency_units' AND entity = 'restaurant'", &houses) ==
		    ERR_OK &&
	    houses > 0)
		log_warn("book.units",
			 "restaurants=%d amounts are kept in the currency's smallest unit now; each was converted once",
			 (int)houses);
}

/* A book that is there already.  path NULL: no copy is kept. */
static enum err upgrade_old(struct upgrade *u, const char *path)
{
	enum err e = shape_attach(u->handle, (int)u->version);
	bool changes;

	if (e == ERR_OK)
		e = shape_differs(u->handle, &u->differences, &u->odd_tables);
	changes = u->version < DB_VERSION || u->differences > 0;
	if (e == ERR_OK && changes)
		log_warn("book.upgrade", "from=%d to=%d odd=%d a copy is kept; a large book takes a minute", (int)u->version,
			 DB_VERSION, (int)u->differences);
	if (e == ERR_OK && changes && path)
		e = keep_copy(u->handle, path, u->version);
	if (e == ERR_OK)
		e = change_at_once(u);
	if (e == ERR_OK && u->version < UNITS_VERSION)
		say_units(u->handle);
	shape_detach(u->handle);
	return e;
}

static enum err upgrade(sqlite3 *handle, int64_t version, const char *path)
{
	struct upgrade u = {.handle = handle, .version = version};
	bool settled;
	enum err e = is_settled(handle, version, &settled);

	if (e != ERR_OK || settled)
		return e;
	return version == 0 ? change_at_once(&u) : upgrade_old(&u, path);
}

static enum err migrate_locked(const char *dir, const char *path)
{
	sqlite3 *handle = NULL;
	int64_t version = 0;
	mode_t old = umask(0777 & ~shm_file_mode(dir));
	enum err e = db_open_plain(path, SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, &handle);

	umask(old);
	if (e == ERR_OK)
		e = choose_page(handle);
	if (e == ERR_OK)
		e = read_version(handle, &version);
	if (e == ERR_OK)
		e = give_log(handle); /* also to a backup that was put in its place */
	if (e == ERR_OK)
		e = upgrade(handle, version, path);
	sqlite3_close(handle);
	return e;
}

enum err migrate_file(const char *file, char why[ADMIT_WHY])
{
	sqlite3 *handle = NULL;
	int64_t version = 0;
	enum err e = db_open_plain(file, SQLITE_OPEN_URI, &handle);

	if (e == ERR_OK)
		e = read_version(handle, &version);
	if (e == ERR_OK)
		e = upgrade(handle, version, NULL);
	if (e == ERR_OK)
		e = admit_file(file, why); /* the statements that made it were written with names from a stranger's file */
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
		copies_tidy(dir, clock_now_s());
		*made = access(path, F_OK) != 0;
		e = migrate_locked(dir, path);
	}
	if (lock >= 0)
		close(lock);
	return e;
}

bool migrate_version(const char *dir, int64_t *version)
{
	sqlite3 *handle = NULL;
	char path[4096];
	enum err e;

	db_path(dir, path);
	if (access(path, R_OK) != 0)
		return false;
	e = db_open_plain(path, SQLITE_OPEN_READONLY, &handle);
	if (e == ERR_OK)
		e = db_identify(handle, version);
	sqlite3_close(handle);
	return e == ERR_OK || e == ERR_BOOK_NEWER;
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
