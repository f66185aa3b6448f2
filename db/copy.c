/*
 * copy.c - a whole copy of a book, page by page, in a file of its own.
 */
#include "copy.h"

#include "db.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nothing is asked of the system where owner and group are right already: a sandbox may forbid the question. */
static bool give_like(int fd, const struct stat *like)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && st.st_uid == like->st_uid && st.st_gid == like->st_gid)
		return true;
	/* Root gives the copy to the owner of the book; another user may give it to the book's group at most. */
	return fchown(fd, like->st_uid, like->st_gid) == 0 || fchown(fd, (uid_t)-1, like->st_gid) == 0 ||
	       like->st_uid == geteuid();
}

/* An empty file, readable only for those who may read the book. */
static enum err make_file(const char *like, const char *to)
{
	struct stat st;
	int fd;

	unlink(to);
	fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return ERR_BOOK_UNWRITABLE;
	if (like && stat(like, &st) == 0 && give_like(fd, &st))
		fchmod(fd, st.st_mode & 0660);
	close(fd);
	return ERR_OK;
}

static enum err copy_pages(sqlite3 *from, sqlite3 *to)
{
	sqlite3_backup *b = sqlite3_backup_init(to, "main", from, "main");
	int rc;

	if (!b)
		return db_error(to, sqlite3_extended_errcode(to));
	rc = sqlite3_backup_step(b, -1); /* all of it in one read of the book: one moment */
	sqlite3_backup_finish(b);
	return rc == SQLITE_DONE ? ERR_OK : db_error(to, rc);
}

/*
 * Two bytes of the head of a book say that there is a log beside it (1 is without, 2 is with).  The copy has all of it
 * inside.
 */
static enum err say_no_log(const char *file)
{
	static const char without[2] = {1, 1};
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && pwrite(fd, without, sizeof without, 18) == (ssize_t)sizeof without;

	if (fd >= 0)
		close(fd);
	return ok ? ERR_OK : ERR_BOOK_UNWRITABLE;
}

enum err copy_make(sqlite3 *from, const char *like, const char *to)
{
	sqlite3 *handle = NULL;
	enum err e = make_file(like, to);

	if (e == ERR_OK)
		e = db_open_plain(to, 0, &handle);
	/* The caller flushes it once, and a copy that is not finished counts for nothing: no journal, which could stay behind. */
	if (e == ERR_OK)
		e = db_exec(handle, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_spill=ON");
	if (e == ERR_OK)
		e = copy_pages(from, handle);
	sqlite3_close(handle);
	if (e == ERR_OK)
		e = say_no_log(to);
	if (e != ERR_OK)
		unlink(to);
	return e;
}

/* Reads both files' rows of one table. */
static enum err compare_rows(sqlite3 *from, sqlite3 *copy, const char *table)
{
	int64_t here = -1, there = -2;
	char *sql = sqlite3_mprintf("SELECT count(*) FROM \"%w\"", table);
	enum err e = sql ? db_ask(from, sql, &here) : ERR_NO_MEMORY;

	if (e == ERR_OK)
		e = db_ask(copy, sql, &there);
	sqlite3_free(sql);
	return e == ERR_OK && here != there ? ERR_BOOK_DAMAGED : e;
}

static enum err compare_tables(sqlite3 *from, sqlite3 *copy)
{
	sqlite3_stmt *s = NULL;
	enum err e = db_error(from, sqlite3_prepare_v2(from,
						       "SELECT name FROM sqlite_schema WHERE type = 'table'"
						       " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
						       -1, &s, NULL));
	const char *table;
	int rc = SQLITE_DONE;

	while (e == ERR_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		stmt_take(s, "w", &table);
		e = compare_rows(from, copy, table);
	}
	if (e == ERR_OK)
		e = db_error(from, rc);
	sqlite3_finalize(s);
	return e;
}

enum err copy_prove_whole(sqlite3 *book)
{
	int64_t whole = 0;
	enum err e = db_ask(book, "SELECT integrity_check = 'ok' FROM pragma_integrity_check LIMIT 1", &whole);

	return e == ERR_OK && !whole ? ERR_BOOK_DAMAGED : e;
}

enum err copy_compare(sqlite3 *from, const char *file)
{
	sqlite3 *copy = NULL;
	int64_t version = -1, same = -2;
	enum err e = db_open_plain(file, 0, &copy);

	if (e == ERR_OK)
		e = copy_prove_whole(copy);
	if (e == ERR_OK)
		e = db_ask(copy, "PRAGMA user_version", &version);
	if (e == ERR_OK)
		e = db_ask(from, "PRAGMA user_version", &same);
	if (e == ERR_OK && version != same)
		e = ERR_BOOK_DAMAGED;
	if (e == ERR_OK)
		e = compare_tables(from, copy);
	sqlite3_close(copy);
	return e;
}
