/*
 * swap.c - another book, and its key, in the place of the present ones.
 */
#include "swap.h"

#include "clock.h"
#include "durable.h"
#include "failpoint.h"
#include "log.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char BOOK[] = "jari.db", KEY[] = "secret.key", RESTORED[] = ".restored", TODO[] = "restore.todo";
static const char FIRST_LINE[] = "jari restores a book; the next start finishes it";
static const char TAIL[] = ".before-restore-";

const char *const swap_beside[SWAP_BESIDE] = {"-journal", "-wal", "-shm"};

/* DIR/name + tail + more */
static void path_of(char out[SWAP_PATH], const char *dir, const char *name, const char *tail, const char *more)
{
	snprintf(out, SWAP_PATH, "%s/%s%s%s", dir, name, tail, more);
}

static bool is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

void swap_book_path(const char *dir, char out[SWAP_PATH])
{
	path_of(out, dir, BOOK, RESTORED, "");
}

void swap_key_path(const char *dir, char out[SWAP_PATH])
{
	path_of(out, dir, KEY, RESTORED, "");
}

void swap_kept_path(const struct swap *s, const char *dir, char out[SWAP_PATH])
{
	path_of(out, dir, BOOK, s->tail, "");
}

void swap_choose_tail(struct swap *s, const char *dir, int64_t now_s)
{
	char stamp[CLOCK_ISO_SIZE], book[SWAP_PATH], key[SWAP_PATH];

	clock_iso(now_s, stamp);
	snprintf(s->tail, sizeof s->tail, "%s%s", TAIL, stamp);
	for (int i = 2;; i++) {
		path_of(book, dir, BOOK, s->tail, "");
		path_of(key, dir, KEY, s->tail, "");
		if (!is_there(book) && !is_there(key))
			return;
		snprintf(s->tail, sizeof s->tail, "%s%s-%d", TAIL, stamp, i);
	}
}

/* ---- the steps ---- */

/*
 * A second name for a file that is about to give way.  Where the file system knows no second names (FAT), the first one is
 * taken away; restore.todo makes up for the moment without it.
 */
static bool keep(const char *path, const char *kept)
{
	if (is_there(kept) || !is_there(path))
		return true; /* done before the crash; or there was none */
	return !FAILS("swap.keep") && (link(path, kept) == 0 || rename(path, kept) == 0);
}

static bool put(const char *from, const char *to)
{
	/* It is not there: done before the crash. */
	return !is_there(from) || (!FAILS("swap.put") && rename(from, to) == 0);
}

/* The log belongs to the old book: to the one that comes it would be damage. */
static bool part_from_log(const struct swap *s, const char *dir)
{
	char log[SWAP_PATH], kept[SWAP_PATH], shm[SWAP_PATH];
	struct stat st;

	path_of(log, dir, BOOK, "-wal", "");
	path_of(kept, dir, BOOK, s->tail, "-wal");
	path_of(shm, dir, BOOK, "-shm", "");
	unlink(shm);
	if (lstat(log, &st) != 0)
		return true;
	return (st.st_size > 0 && !is_there(kept) ? rename(log, kept) : unlink(log)) == 0;
}

/* The first steps.  They can be undone. */
static bool keep_old(const struct swap *s, const char *dir)
{
	char path[SWAP_PATH], kept[SWAP_PATH], fresh[SWAP_PATH];

	path_of(path, dir, BOOK, "", "");
	path_of(kept, dir, BOOK, s->tail, "");
	swap_book_path(dir, fresh);
	if (is_there(fresh) && !keep(path, kept))
		return false;
	path_of(path, dir, KEY, "", "");
	path_of(kept, dir, KEY, s->tail, "");
	swap_key_path(dir, fresh);
	if (s->key && is_there(fresh) && (FAILS("swap.keep.key") || !keep(path, kept)))
		return false;
	/* A rename onto the only name of the old file that reached the disk would be its end. */
	return durable_flush_folder(dir);
}

/*
 * A process that opened the old book just before has perhaps begun a log where the new one's will be, so the log is taken
 * away twice.  Once the new book is in its place, a log that is found belongs to it: restore.todo may come back after a
 * power cut, when guests have booked.  So the old log has left the disk before the new book comes.
 */
static bool put_book(const struct swap *s, const char *dir)
{
	char book[SWAP_PATH], fresh[SWAP_PATH];

	path_of(book, dir, BOOK, "", "");
	swap_book_path(dir, fresh);
	if (!is_there(fresh))
		return true;
	if (!part_from_log(s, dir) || !durable_flush_folder(dir) || !put(fresh, book))
		return false;
	FAILPOINT("swap.between");
	return part_from_log(s, dir);
}

/* The steps after the first log has gone.  The processes that have it open cannot find it again: nothing is undone. */
static bool put_new(const struct swap *s, const char *dir)
{
	char key[SWAP_PATH], fresh[SWAP_PATH];

	path_of(key, dir, KEY, "", "");
	swap_key_path(dir, fresh);
	return put_book(s, dir) && (!s->key || put(fresh, key)) && durable_flush_folder(dir);
}

static bool put_back(const struct swap *s, const char *dir, const char *name)
{
	char path[SWAP_PATH], kept[SWAP_PATH];

	path_of(path, dir, name, "", "");
	path_of(kept, dir, name, s->tail, "");
	if (!is_there(kept))
		return true;
	return is_there(path) ? unlink(kept) == 0 : rename(kept, path) == 0;
}

/* ---- restore.todo ---- */

/* It appears whole, and locked by us: a process that finds it waits until we are done or dead.  -1: it could not be made. */
static int begin(const struct swap *s, const char *dir)
{
	char part[SWAP_PATH], todo[SWAP_PATH], text[256];
	int fd;

	path_of(part, dir, TODO, ".part", "");
	path_of(todo, dir, TODO, "", "");
	snprintf(text, sizeof text, "%s\n%s\n%s\nend\n", FIRST_LINE, s->tail, s->key ? "book and key" : "book");
	unlink(part);
	if (!durable_write(part, text, strlen(text), 0600))
		return -1;
	fd = open(part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0 && flock(fd, LOCK_EX) == 0 && rename(part, todo) == 0) {
		if (durable_flush_folder(dir))
			return fd;
		unlink(todo); /* perhaps it is on the disk and perhaps not; nothing has been changed yet */
	}
	if (fd >= 0)
		close(fd);
	unlink(part);
	return -1;
}

/* A removal that does not reach the disk does no harm: every step is done, and none is done twice. */
static bool end(const char *dir)
{
	char todo[SWAP_PATH];

	path_of(todo, dir, TODO, "", "");
	if (FAILS("swap.end") || unlink(todo) != 0)
		return false;
	durable_flush_folder(dir);
	return true;
}

/*
 * The old names again, and then no note, all on the disk: guests may book in the old book as soon as we return true.  A note
 * that could come back with the next power cut is put back at once, and everything waits for the end of the exchange.
 */
static bool undo(const struct swap *s, const char *dir)
{
	char part[SWAP_PATH], todo[SWAP_PATH];

	path_of(part, dir, TODO, ".part", "");
	path_of(todo, dir, TODO, "", "");
	if (FAILS("swap.end") || !put_back(s, dir, KEY) || !put_back(s, dir, BOOK) || !durable_flush_folder(dir) ||
	    rename(todo, part) != 0)
		return false;
	if (!durable_flush_folder(dir)) {
		rename(part, todo);
		return false;
	}
	unlink(part); /* a process that waits for its lock finds a note without a name: there is nothing to do */
	return true;
}

/* With the lock of restore.todo. */
static bool make_locked(const struct swap *s, const char *dir, bool *begun)
{
	int error;

	if (keep_old(s, dir))
		return put_new(s, dir) && (WITHOUT("restore.todo") || end(dir));
	error = errno;
	*begun = WITHOUT("restore.todo") || !undo(s, dir);
	errno = error;
	return false;
}

enum err swap_make(const struct swap *s, const char *dir, bool *begun)
{
	bool done;
	int fd = -1;

	assert(s->tail[0]);
	*begun = false;
	if (!WITHOUT("restore.todo") && (fd = begin(s, dir)) < 0)
		return ERR_BOOK_UNWRITABLE;
	*begun = true;
	done = make_locked(s, dir, begun);
	if (!done)
		log_error(*begun ? "restore.unfinished" : "restore.undone", "dir=%s why=\"%s\"", dir, strerror(errno));
	if (fd >= 0)
		close(fd);
	if (done)
		return ERR_OK;
	return *begun ? ERR_RESTORE_BEGUN : ERR_BOOK_UNWRITABLE;
}

/* Only what we could have written ourselves. */
static bool understand(char *text, struct swap *out)
{
	char *rest, *first = strtok_r(text, "\n", &rest), *tail = strtok_r(NULL, "\n", &rest);
	char *what = strtok_r(NULL, "\n", &rest), *last = strtok_r(NULL, "\n", &rest);

	if (!last || strcmp(first, FIRST_LINE) != 0 || strcmp(last, "end") != 0)
		return false;
	if (strlen(tail) >= sizeof out->tail || strncmp(tail, TAIL, strlen(TAIL)) != 0 || strchr(tail, '/'))
		return false;
	snprintf(out->tail, sizeof out->tail, "%s", tail);
	out->key = strcmp(what, "book and key") == 0;
	return out->key || strcmp(what, "book") == 0;
}

/* With the lock of restore.todo. */
static enum err finish_locked(const char *dir, int fd)
{
	char text[512] = "";
	struct swap s = {0};
	ssize_t n = pread(fd, text, sizeof text - 1, 0);

	if (n <= 0 || !understand(text, &s)) {
		log_error("restore.strange", "file=%s/%s jari did not write it; look at the folder and remove it", dir, TODO);
		return ERR_BOOK_UNWRITABLE;
	}
	if (!keep_old(&s, dir) || !put_new(&s, dir) || !end(dir)) {
		log_error("restore.unfinished", "dir=%s why=\"%s\"", dir, strerror(errno));
		return ERR_BOOK_UNWRITABLE;
	}
	log_warn("restore.finished", "dir=%s a restore was cut short; the book before it is %s%s", dir, BOOK, s.tail);
	return ERR_OK;
}

uint64_t swap_book_id(const char *dir)
{
	char book[SWAP_PATH];
	struct stat st;

	path_of(book, dir, BOOK, "", "");
	return stat(book, &st) == 0 ? (uint64_t)st.st_ino : 0;
}

bool swap_pending(const char *dir)
{
	char todo[SWAP_PATH];

	path_of(todo, dir, TODO, "", "");
	return access(todo, F_OK) == 0;
}

enum err swap_finish(const char *dir)
{
	char todo[SWAP_PATH];
	struct stat st;
	enum err e = ERR_OK;
	int fd;

	path_of(todo, dir, TODO, "", "");
	fd = open(todo, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); /* a pipe of that name would wait for ever */
	if (fd < 0)
		return swap_pending(dir) ? ERR_BOOK_UNWRITABLE :
					   ERR_OK; /* if we may not enter the folder, opening the book will say so */
	if (flock(fd, LOCK_EX) != 0 || fstat(fd, &st) != 0)
		e = ERR_BOOK_UNWRITABLE;
	else if (!S_ISREG(st.st_mode)) {
		log_error("restore.strange", "file=%s it is not a file; look at the folder and remove it", todo);
		e = ERR_BOOK_UNWRITABLE;
	} else if (st.st_nlink > 0) /* otherwise another process has finished it while we waited */
		e = finish_locked(dir, fd);
	close(fd);
	return e;
}

/* ---- what stays behind ---- */

void swap_clear(const char *dir)
{
	char path[SWAP_PATH];

	if (swap_pending(dir))
		return; /* they are still to come */
	swap_book_path(dir, path);
	unlink(path);
	for (size_t i = 0; i < SWAP_BESIDE; i++) {
		path_of(path, dir, BOOK, RESTORED, swap_beside[i]);
		unlink(path);
	}
	swap_key_path(dir, path);
	unlink(path);
	path_of(path, dir, TODO, ".part", "");
	unlink(path);
}
