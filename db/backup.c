/*
 * backup.c - backups of the book, and books from backups.
 */
#include "backup.h"

#include "clock.h"
#include "db.h"
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
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
		e = db_ask(handle, "SELECT integrity_check = 'ok' FROM pragma_integrity_check(1)", &whole);
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

enum err backup_make(const char *dir, const char *file)
{
	char path[4096], part[4200];
	enum err e;

	db_path(dir, path);
	snprintf(part, sizeof part, "%s.part", file);
	unlink(part);
	e = vacuum_into(path, part);
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

/* A copy is made without a log; a book is only opened with one. */
static enum err give_log(const char *file)
{
	sqlite3 *handle = NULL;
	enum err e = db_open_plain(file, 0, &handle);

	if (e == ERR_OK)
		e = db_exec(handle, "PRAGMA journal_mode=WAL");
	sqlite3_close(handle);
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

enum err backup_restore(const char *dir, const char *file, char kept[4200])
{
	char path[4096], fresh[4200], beside[4200];
	enum err e;

	kept[0] = '\0';
	db_path(dir, path);
	snprintf(fresh, sizeof fresh, "%s.restored", path);
	unlink(fresh);
	e = look_at(file);
	if (e == ERR_OK)
		e = vacuum_into(file, fresh);
	if (e == ERR_OK)
		e = give_log(fresh);
	if (e == ERR_OK)
		e = flush(fresh);
	if (e != ERR_OK) {
		unlink(fresh);
		return e;
	}
	if (access(path, F_OK) == 0) {
		/* The old book whole, its log included, under a name that says when. */
		name_kept(path, beside);
		e = look_at(path) == ERR_OK ? vacuum_into(path, beside) : move_aside(path, beside);
		if (e != ERR_OK) {
			unlink(fresh);
			return e;
		}
		snprintf(kept, 4200, "%s", beside);
	}
	snprintf(beside, sizeof beside, "%s-wal", path);
	unlink(beside);
	snprintf(beside, sizeof beside, "%s-shm", path);
	unlink(beside);
	/* A backup is private; a book may be shared with the group of its folder. */
	if (chmod(fresh, shm_file_mode(dir)) != 0 || rename(fresh, path) != 0)
		return ERR_BOOK_UNWRITABLE;
	return flush(path);
}
