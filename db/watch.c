/*
 * watch.c - can bookings be saved?
 */
#include "watch.h"

#include "log.h"
#include "serving.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
	STUCK_MS = 10000,       /* a turn with the pen takes a quarter of a second */
	TRIAL_SIZE = 256 << 10, /* more than a booking writes into the log */
	QUIET_MS = 600000,      /* a disk may die while no guest books: then a page is written this often */
	LOW_BYTES = 1 << 20,    /* statvfs is not exact: with less than this free, only a write can tell */
};

int64_t watch_free_bytes(const char *dir)
{
	struct statvfs v;

	return statvfs(dir, &v) == 0 ? (int64_t)v.f_bavail * (int64_t)v.f_frsize : -1;
}

static bool is_read_only(const char *dir)
{
	struct statvfs v;

	return statvfs(dir, &v) == 0 && v.f_flag & ST_RDONLY;
}

/* A disk that cannot be asked is not taken for a full one. */
static bool is_low(const char *dir)
{
	int64_t free_bytes = watch_free_bytes(dir);

	return free_bytes >= 0 && free_bytes < LOW_BYTES;
}

enum err watch_health(struct hall *h)
{
	enum err book = writes_book_fault(h->writes), save = writes_fault(h->writes);

	if (save != ERR_OK)
		return save == ERR_UNKNOWN ? ERR_BOOK_UNWRITABLE : save;
	if (book != ERR_OK)
		return book;
	if (pen_held_ms(h->pen) > STUCK_MS)
		return ERR_PEN_STUCK;
	if (line_still_ms(h->line) > STUCK_MS)
		return ERR_LINE_STILL; /* perhaps one process after the other dies with it */
	return board_keeper_silent(h->board) && serving_pid(h->dir) ? ERR_KEEPER_GONE : ERR_OK;
}

enum err watch_reason(const char *dir, int error)
{
	if (error == EROFS || is_read_only(dir))
		return ERR_DISK_READ_ONLY;
	return error == ENOSPC || error == EDQUOT || is_low(dir) ? ERR_DISK_FULL : ERR_BOOK_UNWRITABLE;
}

static bool fill(int fd)
{
	static const char page[4096];
	int written = 0;

	while (written < TRIAL_SIZE && write(fd, page, sizeof page) == (ssize_t)sizeof page)
		written += (int)sizeof page;
	return written >= TRIAL_SIZE && fsync(fd) == 0;
}

/* A file as long as what a booking writes, flushed: on a full disk the last free pages would let a shorter one pass. */
static enum err write_trial(const char *dir)
{
	char path[4200];
	enum err e;
	int fd;

	snprintf(path, sizeof path, "%s/jari.trial", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	e = fd >= 0 && fill(fd) ? ERR_OK : watch_reason(dir, errno);
	if (fd < 0)
		return e;
	close(fd);
	unlink(path);
	return e;
}

/* A commit that changes nothing: one page of the book goes through log and flush like any booking. */
static enum err write_nothing(struct db *db)
{
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	e = stmt_run(db, SQL_WRITING_BEGIN, "t", "keeper");
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_END, "");
	return db_end(db, e);
}

/* Without a write: does the disk look as if one would fail? */
static bool looks_bad(const struct db *db)
{
	char path[4096];

	db_path(db->hall->dir, path);
	return is_read_only(db->hall->dir) || is_low(db->hall->dir) || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0;
}

enum err watch_disk(struct db *db, int64_t now_s)
{
	struct writes *w = db->hall->writes;
	enum err before = writes_fault(w), e = ERR_OK;
	bool bad = before != ERR_OK || looks_bad(db);

	(void)now_s;
	if (!(bad || writes_quiet_ms(w) > QUIET_MS) || !writes_may_try(w))
		return ERR_OK;
	if (bad)
		e = write_trial(db->hall->dir);
	if (e == ERR_OK)
		e = write_nothing(db);
	if (e == ERR_BOOK_BUSY)
		return ERR_OK; /* not known yet */
	if (e != ERR_OK)
		writes_failed(w, e);
	if (e != ERR_OK || before != ERR_OK)
		log_warn("watch.disk", "bookings %s be saved why=%s", e == ERR_OK ? "can" : "cannot", err_word(e));
	return ERR_OK;
}

void watch_book(struct db *db)
{
	writes_set_book_fault(db->hall->writes, ERR_OK);
	stmt_prove(db); /* what it finds it leaves in the hall */
}
