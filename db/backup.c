/*
 * backup.c - backups of the book, and books from backups.
 */
#include "backup.h"

#include "admit.h"
#include "clock.h"
#include "copies.h"
#include "copy.h"
#include "db.h"
#include "durable.h"
#include "failpoint.h"
#include "log.h"
#include "migrate.h"
#include "owner.h"
#include "pragmas.h"
#include "stmt.h"
#include "swap.h"
#include "takeover.h"
#include "token.h"
#include "wal.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading a file that may not be written ---- */

/*
 * Opens a book to be copied.  SQLite reads a book with a log only if it may write beside it, or finds the log's index
 * there; ERR_BOOK_UNWRITABLE if it can do neither, without a word in the log of errors.
 */
static enum err open_source(const char *file, sqlite3 **handle)
{
	enum err e = db_open_plain(file, SQLITE_OPEN_READONLY, handle);
	int rc;

	if (e == ERR_OK)
		e = pragmas_set(*handle, PRAGMAS_DISTRUST);
	if (e != ERR_OK)
		return e;
	rc = sqlite3_exec(*handle, "SELECT 1 FROM sqlite_schema LIMIT 1", NULL, NULL, NULL);
	if ((rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_READONLY)
		return ERR_BOOK_UNWRITABLE;
	return db_error(*handle, rc);
}

static bool copy_bytes(const char *from, const char *to)
{
	static char bytes[1 << 16];
	int in = open(from, O_RDONLY | O_CLOEXEC), out = -1;
	ssize_t n = -1;

	if (in >= 0)
		out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	while (out >= 0 && (n = read(in, bytes, sizeof bytes)) > 0)
		if (write(out, bytes, (size_t)n) != n) {
			n = -1;
			break;
		}
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return n == 0;
}

/* Moves the log of a copy into its file. */
static enum err fold_copy(const char *file)
{
	sqlite3 *handle = NULL;
	enum err e = db_open_plain(file, 0, &handle);

	if (e == ERR_OK)
		e = pragmas_set(handle, PRAGMAS_DISTRUST);
	if (e == ERR_OK)
		e = db_exec(handle, "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE");
	sqlite3_close(handle);
	return e;
}

/*
 * From a disk or folder that may only be read, without the index of the log: no process can write there either, so the
 * bytes of the file and of what belongs to it are one moment of the book.
 */
static enum err copy_files(const char *from, const char *like, const char *to)
{
	static const char *const tails[] = {"", "-wal", "-journal"};
	char source[SWAP_PATH], copy[SWAP_PATH];
	struct stat st;
	enum err e;

	for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
		snprintf(source, sizeof source, "%s%s", from, tails[i]);
		snprintf(copy, sizeof copy, "%s%s", to, tails[i]);
		unlink(copy);
		if ((i == 0 || access(source, F_OK) == 0) && !copy_bytes(source, copy))
			return ERR_BOOK_UNWRITABLE;
	}
	e = fold_copy(to);
	if (e == ERR_OK && like && geteuid() == 0 && (stat(like, &st) != 0 || lchown(to, st.st_uid, st.st_gid) != 0))
		e = ERR_BOOK_UNWRITABLE;
	return e;
}

/* A copy in one file, as of one moment, while others go on writing; it gets the owner of `like`. */
static enum err copy_book(const char *from, const char *like, const char *to)
{
	sqlite3 *handle = NULL;
	enum err e = open_source(from, &handle);

	if (e == ERR_OK)
		e = copy_make(handle, like, to);
	else if (e == ERR_BOOK_UNWRITABLE)
		e = copy_files(from, like, to);
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
		e = db_exec(handle, admit_backup_table);
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
	int64_t there = 0, version = 0;
	const void *secret;
	int bytes;
	enum err e = db_open_plain(file, 0, &handle);

	if (e == ERR_OK)
		e = db_ask(handle, "SELECT count(*) FROM sqlite_schema WHERE name = 'jari_backup'", &there);
	if (e == ERR_OK && there)
		e = db_error(handle, sqlite3_prepare_v2(handle, "SELECT made_at, secret_key FROM jari_backup", -1, &s, NULL));
	if (e == ERR_OK && there && sqlite3_step(s) == SQLITE_ROW) {
		stmt_take(s, "tx", out->made_at, sizeof out->made_at, &secret, &bytes);
		out->key = bytes == TOKEN_KEY_SIZE;
		if (out->key)
			memcpy(key, secret, TOKEN_KEY_SIZE);
	}
	sqlite3_finalize(s);
	if (e == ERR_OK && there)
		e = db_exec(handle, "PRAGMA secure_delete=ON; DROP TABLE jari_backup");
	/* What a stranger's file says of its own shape is not believed: the upgrade compares it, and puts it right. */
	if (e == ERR_OK)
		e = db_identify(handle, &version);
	if (e == ERR_OK && version == DB_VERSION)
		e = db_exec(handle, "UPDATE migrations SET shape = NULL");
	sqlite3_close(handle);
	return e;
}

/*
 * A book that is restored as it is has its key beside it, under a name with the same end: secret.key, or
 * secret.key.before-restore-TIME.
 */
static bool read_key_beside(const char *file, unsigned char key[TOKEN_KEY_SIZE])
{
	static const char book[] = "jari.db", beside[] = "secret.key";
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	char path[SWAP_PATH];
	ssize_t n = -1;
	int fd;

	if (strncmp(name, book, strlen(book)) != 0)
		return false;
	snprintf(path, sizeof path, "%.*s%s%s", (int)(name - file), file, beside, name + strlen(book));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0) {
		n = read(fd, key, TOKEN_KEY_SIZE);
		close(fd);
	}
	return n == TOKEN_KEY_SIZE;
}

/* What is in the book that comes back, for a sentence; it is one of today by now. */
static void count_rows(const char *file, struct backup_report *out)
{
	sqlite3 *handle = NULL;
	char now[CLOCK_ISO_SIZE], upcoming[120];

	clock_iso(clock_now_s(), now);
	snprintf(upcoming, sizeof upcoming, "SELECT count(*) FROM reservations WHERE is_active = 1 AND starts_at > '%s'", now);
	if (db_open_plain(file, 0, &handle) == ERR_OK) {
		db_ask(handle, "SELECT count(*) FROM reservations", &out->reservations);
		db_ask(handle, upcoming, &out->upcoming);
		db_ask(handle, "SELECT count(*) FROM users WHERE user_type IN ('STAFF', 'OWNER') AND erased_at IS NULL",
		       &out->logins);
	}
	sqlite3_close(handle);
}

/* ---- making one ---- */

static void drop(const char *file)
{
	static const char *const tails[] = {"", "-journal", "-wal", "-shm"};
	char path[SWAP_PATH];

	for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
		snprintf(path, sizeof path, "%s%s", file, tails[i]);
		unlink(path);
	}
}

static void tell_left_out(const char *type, const char *name)
{
	log_warn("backup.left_out", "%s %s is not one of jari's: it stays in the book, and is not in the backup", type, name);
}

/*
 * A restore takes nothing that jari did not make, so what the owner added is not in a backup: it could not be restored on
 * the day when it is needed.  A table has rows that are then saved nowhere, and *tables says so.
 */
static enum err look_at(const char *part, int *tables)
{
	char why[ADMIT_WHY];
	enum err e = admit_strip(part, tell_left_out, tables);

	if (e == ERR_OK)
		e = admit_file(part, why);
	return e == ERR_BACKUP_STRANGE ? ERR_BOOK_ODD : e;
}

/* The book and the key that belongs to it: a restore that comes between them would leave the old one's copy the new key. */
static enum err copy_with_key(const char *dir, const char *part)
{
	enum { TRIES = 5 };
	char path[4096];
	uint64_t id;
	enum err e;

	db_path(dir, path);
	for (int i = 0; i < TRIES; i++) {
		drop(part);
		id = swap_book_id(dir);
		e = swap_finish(dir);
		if (e == ERR_OK)
			e = copy_book(path, NULL, part);
		FAILPOINT("backup.copied");
		if (e == ERR_OK)
			e = put_key(dir, part);
		if (swap_book_id(dir) == id)
			return e;
	}
	return ERR_BOOK_BUSY;
}

enum err backup_make(const char *dir, const char *file)
{
	char part[SWAP_PATH];
	int tables = 0;
	enum err e;

	snprintf(part, sizeof part, "%s.part", file);
	e = copy_with_key(dir, part);
	if (e == ERR_OK)
		e = look_at(part, &tables);
	if (e == ERR_OK && !durable_rename(part, file))
		e = ERR_BOOK_UNWRITABLE;
	if (e != ERR_OK)
		drop(part);
	return e == ERR_OK && tables ? ERR_BACKUP_STRANGE : e;
}

/* ---- putting one back ---- */

/* A restore under way. */
struct restore {
	const char *dir, *file;
	struct hall *hall;
	bool only_unused, takeover;
	char path[4096], fresh[SWAP_PATH];
	unsigned char key[TOKEN_KEY_SIZE];
	bool key_beside; /* it was beside the file; one in the file would take its place */
	struct swap swap;
	struct backup_report *out;
};

/* The copy gets the owner that the book, or else the folder, has. */
static const char *owned_like(const struct restore *r)
{
	return access(r->path, F_OK) == 0 ? r->path : r->dir;
}

/*
 * What comes is for the user who serves: the same user, or one of the group that the book or the folder has.  A backup is
 * private; a book, with its key, may be shared with the group of its folder.
 */
static enum err share(const struct restore *r, const char *path)
{
	struct stat like, folder, st;
	mode_t mode = shm_file_mode(r->dir);

	if (stat(owned_like(r), &like) != 0 || stat(r->dir, &folder) != 0 || stat(path, &st) != 0)
		return ERR_BOOK_UNWRITABLE;
	if (st.st_gid != like.st_gid && chown(path, (uid_t)-1, like.st_gid) != 0 && chown(path, (uid_t)-1, folder.st_gid) != 0)
		log_info("restore.group", "file=%s it stays in our own group", path);
	if (chmod(path, mode) != 0 || !durable_flush(path) || stat(path, &st) != 0)
		return ERR_BOOK_UNWRITABLE;
	if (like.st_uid == 0 || like.st_uid == st.st_uid)
		return ERR_OK;
	return mode & S_IWGRP && (st.st_gid == like.st_gid || st.st_gid == folder.st_gid) ? ERR_OK : ERR_BOOK_OF_ANOTHER;
}

/* The key that comes, beside its place, unless it is the one that is there. */
static enum err bring_key(struct restore *r)
{
	char path[SWAP_PATH];
	unsigned char old[TOKEN_KEY_SIZE];

	if (!r->out->key || (token_read_key(r->dir, old) && memcmp(old, r->key, TOKEN_KEY_SIZE) == 0))
		return ERR_OK;
	r->swap.key = true;
	swap_key_path(r->dir, path);
	if (!durable_write(path, r->key, TOKEN_KEY_SIZE, 0600))
		return ERR_BOOK_UNWRITABLE;
	return share(r, path);
}

/*
 * A backup may be from before this box took over.  Without that takeover in the book that comes, the box of before, when it
 * returns, would meet one that is no newer than itself, and serve beside it.
 */
static enum err keep_epoch(const struct restore *r)
{
	struct takeover_book was;

	if (access(r->path, F_OK) != 0 || takeover_look_at_book(r->dir, &was) != ERR_OK || !was.epoch)
		return ERR_OK;
	return takeover_keep_epoch(r->fresh, &was);
}

/* A table of today, so after the upgrade; the log that this gave it is folded for the write, and given anew. */
static enum err write_gap(struct restore *r)
{
	enum err e = fold_copy(r->fresh);

	if (e == ERR_OK && r->takeover)
		e = takeover_write(r->fresh, clock_now_s(), r->out->made_at);
	else if (e == ERR_OK && (e = keep_epoch(r)) == ERR_OK)
		e = takeover_write_restore(r->fresh, clock_now_s());
	return e == ERR_OK ? migrate_file(r->fresh, r->out->why) : e;
}

/* Makes the copy a book: as the owner of the folder. */
static enum err prepare(struct restore *r)
{
	enum err e = admit_file(r->fresh, r->out->why);

	if (e == ERR_OK)
		e = take_key(r->fresh, r->key, r->out);
	r->out->key |= r->key_beside;
	if (e == ERR_OK)
		e = migrate_file(r->fresh, r->out->why); /* workers open only a book of their own version */
	if (e == ERR_OK)
		e = write_gap(r);
	if (e == ERR_OK)
		count_rows(r->fresh, r->out);
	if (e == ERR_OK)
		e = share(r, r->fresh);
	return e == ERR_OK ? bring_key(r) : e;
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

/*
 * The old book gives way to the fresh one.  Its log is moved into it first, if no process is reading and it is not damaged:
 * what is kept is then one file.  Nothing is copied here, because guests wait.
 */
static enum err replace_locked(struct restore *r)
{
	bool there = access(r->path, F_OK) == 0, begun = false;
	enum err e = r->only_unused ? check_unused(r->path) : ERR_OK;

	if (e != ERR_OK)
		return e;
	if (there)
		wal_fold_locked(r->path);
	swap_choose_tail(&r->swap, r->dir, clock_now_s());
	if (there)
		swap_kept_path(&r->swap, r->dir, r->out->kept);
	e = swap_make(&r->swap, r->dir, &begun);
	if (e != ERR_OK && !begun)
		r->out->kept[0] = '\0';
	return e;
}

static enum err replace(struct restore *r)
{
	enum err e = hall_take_pen(r->hall, DB_PEN_MS);

	if (e != ERR_OK)
		return e;
	e = replace_locked(r);
	hall_pass_pen(r->hall);
	return e;
}

/* A folder that is not served has a pen too: commands write with it. */
static enum err replace_alone(struct restore *r)
{
	struct hall hall = {0};
	enum err e = hall_attach(&hall, r->dir);

	r->hall = &hall;
	if (e == ERR_OK)
		e = replace(r);
	hall_leave(&hall);
	return e;
}

/* One restore at a time, and none while a book is being made or upgraded: migrate.c locks the folder for that. */
static enum err restore_locked(struct restore *r)
{
	enum err e = swap_finish(r->dir);

	if (e != ERR_OK)
		return e;
	swap_clear(r->dir);
	/* We read the file with our own rights, because only root may be able to; the rest we do as the owner of the book. */
	e = copy_book(r->file, owned_like(r), r->fresh);
	r->key_beside = read_key_beside(r->file, r->key);
	if (e == ERR_OK && !owner_enter(owned_like(r)))
		e = ERR_BOOK_UNWRITABLE;
	if (e == ERR_OK) {
		e = prepare(r); /* this takes long, and guests go on booking */
		if (e == ERR_OK)
			e = r->hall ? replace(r) : replace_alone(r);
		owner_leave();
	}
	if (e == ERR_OK)
		copies_tidy(r->dir, clock_now_s());
	else
		swap_clear(r->dir);
	return e;
}

static enum err restore(struct restore *r)
{
	int lock = open(r->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	enum err e = ERR_BOOK_UNWRITABLE;

	*r->out = (struct backup_report){0};
	db_path(r->dir, r->path);
	swap_book_path(r->dir, r->fresh);
	if (lock >= 0 && flock(lock, LOCK_EX) == 0)
		e = restore_locked(r);
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

enum err backup_take_over(const char *dir, const char *file, struct backup_report *out)
{
	return restore(&(struct restore){.dir = dir, .file = file, .takeover = true, .out = out});
}

enum err backup_refusal(enum err e)
{
	if (e == ERR_BOOK_FOREIGN || e == ERR_BOOK_DAMAGED)
		return ERR_NOT_A_BACKUP;
	return e == ERR_BOOK_NEWER ? ERR_BACKUP_NEWER : e;
}

/* ---- what a copy is worth ---- */

static enum err ask_book(const char *path, const char *sql, int64_t *out)
{
	sqlite3 *handle = NULL;
	enum err e = db_open_plain(path, SQLITE_OPEN_READONLY, &handle);

	if (e == ERR_OK)
		e = db_ask(handle, sql, out);
	sqlite3_close(handle);
	return e;
}

enum err backup_newest(const char *dir, int64_t *row)
{
	char path[4096];

	db_path(dir, path);
	return ask_book(path, "SELECT ifnull(max(audit_id), 0) FROM audit", row);
}

enum err backup_compare(const char *file, const char *dir, struct backup_gap *out)
{
	char path[4096], sql[120];
	int64_t last = 0;
	enum err e = ask_book(file, "SELECT count(*) FROM reservations", &out->there);

	db_path(dir, path);
	if (e == ERR_OK)
		e = ask_book(file, "SELECT ifnull(max(reservation_id), 0) FROM reservations", &last);
	snprintf(sql, sizeof sql, "SELECT count(*) FROM reservations WHERE reservation_id <= %lld", (long long)last);
	if (e == ERR_OK)
		e = ask_book(path, sql, &out->then);
	if (e == ERR_OK)
		e = ask_book(path, "SELECT count(*) FROM reservations", &out->now);
	return e;
}
