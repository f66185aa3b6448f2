/*
 * overview.c - the book at a glance.
 */
#include "overview.h"

#include "clock.h"
#include "durable.h"
#include "log.h"
#include "owner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_size : 0;
}

/* DIR/backup.last holds the moment, so that a backup that was carried away is still known. */
static int64_t last_backup(const char *dir)
{
	char path[4200], text[CLOCK_ISO_SIZE] = "";
	int64_t when = 0;
	int fd;

	snprintf(path, sizeof path, "%s/backup.last", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof text - 1) > 0)
		clock_parse_iso(text, &when);
	close(fd);
	return when;
}

/* A new file each time: whose the last one was does not matter, and root's belongs to the owner of the folder. */
void overview_note_backup(const char *dir, int64_t now_s)
{
	char path[4200], part[4200], text[CLOCK_ISO_SIZE];
	bool ok;

	clock_iso(now_s, text);
	snprintf(path, sizeof path, "%s/backup.last", dir);
	snprintf(part, sizeof part, "%s/backup.last.part", dir);
	if (!owner_enter(dir))
		return;
	unlink(part);
	ok = durable_write(part, text, strlen(text), 0640) && durable_rename(part, path);
	owner_leave();
	if (!ok)
		log_warn("backup.not_noted", "file=%s why=\"%s\"", path, strerror(errno));
}

void overview_files(const char *dir, struct overview *out)
{
	char path[4096], log[4200];

	*out = (struct overview){0};
	db_path(dir, path);
	snprintf(log, sizeof log, "%s-wal", path);
	out->log_bytes = size_of(log);
	out->bytes = size_of(path) + out->log_bytes;
	out->backup_s = last_backup(dir);
}

enum err overview_read(struct db *db, const char *dir, int64_t now_s, struct overview *out)
{
	char now[CLOCK_ISO_SIZE];
	struct sqlite3_stmt *s;
	enum err e;

	overview_files(dir, out);
	clock_iso(now_s, now);
	s = stmt_use(db, SQL_OVERVIEW, "t", now);
	while (stmt_row(db, s, &e))
		stmt_take(s, "iiiiii", &out->parties_today, &out->people_today, &out->holds, &out->messages_queued,
			  &out->messages_failed, &out->waiters);
	return e;
}

enum err overview_used(struct db *db, bool *used)
{
	int64_t there = 1;
	enum err e = stmt_number(db, SQL_BOOK_USED, &there, "");

	*used = there != 0;
	return e;
}
