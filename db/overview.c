/*
 * overview.c - the book at a glance.
 */
#include "overview.h"

#include "facts.h"

#include <stdio.h>
#include <sys/stat.h>

static int64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_size : 0;
}

void overview_files(const char *dir, struct overview *out)
{
	char path[4096], log[4200];

	*out = (struct overview){0};
	db_path(dir, path);
	snprintf(log, sizeof log, "%s-wal", path);
	out->log_bytes = size_of(log);
	out->bytes = size_of(path) + out->log_bytes;
	out->backup_s = facts_get(dir, FACT_BACKUP, NULL, 0);
	out->spare_s = facts_get(dir, FACT_MIRROR, NULL, 0);
}

enum err overview_read(struct db *db, const char *dir, int64_t now_s, struct overview *out)
{
	overview_files(dir, out);
	return stmt_get(db, stmt_use(db, SQL_OVERVIEW, "m", now_s), ERR_OK, "iiiiii", &out->parties_today, &out->people_today,
			&out->holds, &out->messages_queued, &out->messages_failed, &out->waiters);
}

enum err overview_used(struct db *db, bool *used)
{
	*used = true;
	return stmt_get(db, stmt_use(db, SQL_BOOK_USED, ""), ERR_OK, "b", used);
}
