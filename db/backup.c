/*
 * backup.c - backups of the book, and books from backups.
 */
#include "backup.h"

#include "clock.h"
#include "db.h"
#include "migrate.h"
#include "stmt.h"
#include "token.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool flush_one(const char *path, int flags)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
	bool ok = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* The file and the directory entry that names it are on the disk. */
static enum err flush(const char *path)
{
	char dir[4200];

	snprintf(dir, sizeof dir, "%s", path);
	return flush_one(path, 0) && flush_one(dirname(dir), O_DIRECTORY) ? ERR_OK : ERR_BOOK_UNWRITABLE;
}

/* Is this file a whole book that we can read? */
static enum err look_at(const char *file)
{
	sqlite3 *handle = NULL;
	int64_t version = 0, whole = 0;
	enum err e = db_open_plain(file, 0, &handle);

	if (e == ERR_OK)
		e = db_identify(handle, &version);
	if (e == ERR_OK)
		e = db_ask(handle, "SELECT integrity_check = 'ok' FROM pragma_integrity_check LIMIT 1", &whole);
	sqlite3_close(handle);
	return e == ERR_OK && !whole ? ERR_BOOK_DAMAGED : e;
}

/* Copies by SQLite itself: one read transaction, no other file handles on a live book. */
static enum err vacuum_into(const char *from, const char *to)
{
	sqlite3 *handle = NULL;
	char *sql = sqlite3_mprintf("VACUUM INTO %Q", to);
	enum err e = sql ? db_open_plain(from, 0, &handle) : ERR_NO_MEMORY;
	mode_t old = umask(0077);

	if (e == ERR_OK)
		e = db_exec(handle, sql);
	umask(old);
	sqlite3_free(sql);
	sqlite3_close(handle);
	return e;
}

/* ---- the key ---- */

/* Adds the key and the moment to a copy. */
static enum err put_key(const char *dir, const char *file)
{
	unsigned char key[TOKEN_KEY_SIZE];
	char stamp[CLOCK_ISO_SIZE];
	sqlite3 *handle = NULL;
	sqlite3_stmt *s = NULL;
	bool has = token_read_key(dir, key);
	enum err e = db_open_plain(file, 0, &handle);

	clock_iso(clock_now_s(), stamp);
	if (e == ERR_OK)
		e = db_exec(handle, "CREATE TABLE jari_backup (made_at TEXT NOT NULL, secret_key BLOB)");
	if (e == ERR_OK)
		e = db_error(handle, sqlite3_prepare_v2(handle, "INSERT INTO jari_backup VALUES (?1, ?2)", -1, &s, NULL));
	if (e == ERR_OK) {
		sqlite3_bind_text(s, 1, stamp, -1, SQLITE_STATIC);
		if (has)
			sqlite3_bind_blob(s, 2, key, sizeof key, SQLITE_STATIC);
		e = db_error(handle, sqlite3_step(s));
	}
	sqlite3_finalize(s);
	sqlite3_close(handle);
	memset(key, 0, sizeof key);
	return e;
}

/* Takes the key and the moment out of a copy that is to be a book. */
static enum err take_key(const char *file, unsigned char key[TOKEN_KEY_SIZE], struct backup_report *out)
{
	sqlite3 *handle = NULL;
	sqlite3_stmt *s = NULL;
	int64_t there = 0;
	enum err e = db_open_plain(file, 0, &handle);

	if (e == ERR_OK)
		e = db_ask(handle, "SELECT count(*) FROM sqlite_schema WHERE name = 'jari_backup'", &there);
	if (e == ERR_OK && there)
		e = db_error(handle, sqlite3_prepare_v2(handle, "SELECT made_at, secret_key FROM jari_backup", -1, &s, NULL));
	if (e == ERR_OK && there && sqlite3_step(s) == SQLITE_ROW) {
		snprintf(out->made_at, sizeof out->made_at, "%s", (const char *)sqlite3_column_text(s, 0));
		out->key = sqlite3_column_bytes(s, 1) == TOKEN_KEY_SIZE;
		if (out->key)
			memcpy(key, sqlite3_column_blob(s, 1), TOKEN_KEY_SIZE);
	}
	sqlite3_finalize(s);
	if (e == ERR_OK && there)
		e = db_exec(handle, "PRAGMA secure_delete=ON; DROP TABLE jari_backup");
	sqlite3_close(handle);
	return e;
}

/* What is in the book that comes back, for a sentence. */
static void count_rows(const char *file, struct backup_report *out)
{
	sqlite3 *handle = NULL;

	if (db_open_plain(file, 0, &handle) == ERR_OK) {
		db_ask(handle, "SELECT count(*) FROM reservations", &out->reservations);
		db_ask(handle,
		       "SELECT count(*) FROM reservations JOIN restaurant_reservation_slots USING (slot_id)"
		       " WHERE is_active = 1 AND slot_date >= date('now')",
		       &out->upcoming);
		db_ask(handle, "SELECT count(*) FROM users WHERE user_type IN ('STAFF', 'OWNER') AND erased_at IS NULL",
		       &out->logins);
	}
	sqlite3_close(handle);
}

/* The backup's key in the place of the folder's own, which is kept if it is another one. */
static enum err install_key(const char *dir, const unsigned char key[TOKEN_KEY_SIZE])
{
	char path[4200], part[4200], beside[4300], stamp[CLOCK_ISO_SIZE];
	unsigned char old[TOKEN_KEY_SIZE];
	bool ok, had = token_read_key(dir, old);
	int fd;

	if (had && memcmp(old, key, TOKEN_KEY_SIZE) == 0)
		return ERR_OK;
	snprintf(path, sizeof path, "%s/secret.key", dir);
	snprintf(part, sizeof part, "%s/secret.key.restored", dir);
	clock_iso(clock_now_s(), stamp);
	snprintf(beside, sizeof beside, "%s.before-restore-%s", path, stamp);
	unlink(part);
	fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	ok = fd >= 0 && write(fd, key, TOKEN_KEY_SIZE) == TOKEN_KEY_SIZE && fsync(fd) == 0;
	if (fd >= 0)
		close(fd);
	if (ok && had)
		ok = rename(path, beside) == 0;
	return ok && rename(part, path) == 0 ? flush(path) : ERR_BOOK_UNWRITABLE;
}

enum err backup_make(const char *dir, const char *file)
{
	char path[4096], part[4200];
	enum err e;

	db_path(dir, path);
	snprintf(part, sizeof part, "%s.part", file);
	unlink(part);
	e = vacuum_into(path, part);
	if (e == ERR_OK)
		e = put_key(dir, part);
	if (e == ERR_OK)
		e = look_at(part);
	if (e == ERR_OK)
		e = flush(part);
	if (e == ERR_OK && rename(part, file) != 0)
		e = ERR_BOOK_UNWRITABLE;
	if (e == ERR_OK)
		return flush(file);
	unlink(part);
	return e;
}

/* A name for the book that gives way: when, and which of that second. */
static void name_kept(const char *path, char out[4200])
{
	char stamp[CLOCK_ISO_SIZE];
	int n;

	clock_iso(clock_now_s(), stamp);
	n = snprintf(out, 4200, "%s.before-restore-%s", path, stamp);
	for (int i = 2; access(out, F_OK) == 0; i++)
		snprintf(out + n, 4200 - (size_t)n, "-%d", i);
}

/* A book that cannot be read is kept as it is, with its log if it has one. */
static enum err move_aside(const char *path, const char *beside)
{
	char log[4300], log_beside[4300];

	snprintf(log, sizeof log, "%s-wal", path);
	snprintf(log_beside, sizeof log_beside, "%s-wal", beside);
	if (rename(path, beside) != 0 || (access(log, F_OK) == 0 && rename(log, log_beside) != 0))
		return ERR_BOOK_UNWRITABLE;
	return ERR_OK;
}

/* A copy of the backup, ready to be a book. */
static enum err prepare(const char *file, const char *fresh, unsigned char key[TOKEN_KEY_SIZE], struct backup_report *out)
{
	enum err e = look_at(file);

	unlink(fresh);
	if (e == ERR_OK)
		e = vacuum_into(file, fresh);
	if (e == ERR_OK)
		e = take_key(fresh, key, out);
	if (e == ERR_OK)
		count_rows(fresh, out);
	if (e == ERR_OK)
		e = migrate_file(fresh); /* whoever serves opens only a book of its own version */
	return e == ERR_OK ? flush(fresh) : e;
}

/* The old book whole, its log included, under a name that says when. */
static enum err keep_old(const char *path, char kept[4200])
{
	enum err e = ERR_OK;

	if (access(path, F_OK) != 0)
		return ERR_OK;
	name_kept(path, kept);
	e = look_at(path) == ERR_OK ? vacuum_into(path, kept) : move_aside(path, kept);
	return e;
}

/* From here on nothing may fail half-way: the log of the old book goes, the new one comes. */
static enum err swap(const char *dir, const char *fresh, const char *path)
{
	static const char *const of_old[] = {"-wal", "-shm"};
	char beside[4200];

	/* A backup is private; a book may be shared with the group of its folder. */
	if (chmod(fresh, shm_file_mode(dir)) != 0)
		return ERR_BOOK_UNWRITABLE;
	for (size_t i = 0; i < 2; i++) {
		snprintf(beside, sizeof beside, "%s%s", path, of_old[i]);
		unlink(beside);
	}
	return rename(fresh, path) == 0 ? flush(path) : ERR_BOOK_UNWRITABLE;
}

/* A restore under way. */
struct restore {
	const char *dir, *file;
	struct hall *hall; /* NULL: nobody serves this book */
	bool only_unused;
	char path[4096], fresh[4200];
	unsigned char key[TOKEN_KEY_SIZE];
	struct backup_report *out;
};

/* The old book gives way to the fresh one.  Nobody may be writing. */
static enum err replace(const struct restore *r)
{
	enum err e = keep_old(r->path, r->out->kept);

	if (e == ERR_OK && r->out->key)
		e = install_key(r->dir, r->key);
	return e == ERR_OK ? swap(r->dir, r->fresh, r->path) : e;
}

static enum err check_unused(const char *path)
{
	sqlite3 *handle = NULL;
	int64_t used = 1;
	enum err e = db_open_plain(path, 0, &handle);

	if (e == ERR_OK)
		e = db_ask(handle, stmt_source(SQL_BOOK_USED), &used);
	sqlite3_close(handle);
	return e == ERR_OK && used ? ERR_BOOK_IN_USE : e;
}

static enum err replace_with_pen(const struct restore *r)
{
	enum err e = hall_take_pen(r->hall, DB_PEN_MS);

	if (e != ERR_OK)
		return e;
	if (r->only_unused)
		e = check_unused(r->path);
	if (e == ERR_OK)
		e = replace(r);
	hall_pass_pen(r->hall);
	return e;
}

/* One restore at a time, and none while a book is being made or upgraded: migrate.c locks the folder for that. */
static enum err restore(struct restore *r)
{
	int lock = open(r->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	enum err e = ERR_BOOK_UNWRITABLE;

	*r->out = (struct backup_report){0};
	db_path(r->dir, r->path);
	snprintf(r->fresh, sizeof r->fresh, "%s.restored", r->path);
	if (lock >= 0 && flock(lock, LOCK_EX) == 0) {
		e = prepare(r->file, r->fresh, r->key, r->out); /* this takes long, and guests go on booking */
		if (e == ERR_OK)
			e = r->hall ? replace_with_pen(r) : replace(r);
		if (e != ERR_OK)
			unlink(r->fresh);
	}
	if (lock >= 0)
		close(lock);
	memset(r->key, 0, sizeof r->key);
	return e;
}

enum err backup_restore(const char *dir, const char *file, struct backup_report *out)
{
	return restore(&(struct restore){.dir = dir, .file = file, .out = out});
}

enum err backup_restore_serving(struct hall *hall, const char *dir, const char *file, bool only_unused,
				struct backup_report *out)
{
	return restore(&(struct restore){.hall = hall, .dir = dir, .file = file, .only_unused = only_unused, .out = out});
}
