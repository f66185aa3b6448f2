/*
 * cli_import.c - jari import: an existing book, exported as CSV.
 */
#include "cli.h"

#include "clock.h"
#include "import.h"
#include "wal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One line that is written over and over; only for a person who watches. */
static void show_progress(void *arg, const char *file, const char *doing, int64_t row, int64_t rows)
{
	bool *shown = arg;

	*shown = true;
	if (rows)
		fprintf(stderr, "\r\033[K%s %s: %lld of %lld", doing, file, (long long)row, (long long)rows);
	else
		fprintf(stderr, "\r\033[K%s %s: %lld", doing, file, (long long)row);
}

static int tell(const struct cli_options *o, enum err e, const struct import_report *report)
{
	if (e == ERR_BAD_REQUEST) {
		fputs(report->text.data ? report->text.data : "", stderr);
		fprintf(stderr, "jari: %lld problem%s in %s; nothing was imported\n", (long long)report->problems,
			report->problems == 1 ? "" : "s", o->args[0]);
		return CLI_FAILED;
	}
	if (e != ERR_OK)
		return cli_fail(e, "nothing was imported");
	fputs(report->text.data, stdout);
	return fflush(stdout) == 0 ? CLI_OK : cli_fail(ERR_OK, "the report could not be written: %s", strerror(errno));
}

int cli_import(const struct cli_options *o)
{
	static struct hall hall;
	struct import_options how = {.dry_run = o->dry_run, .now_s = clock_now_s()};
	struct import_report report = {0};
	struct stat st;
	struct db db;
	bool shown = false;
	int status;
	enum err e;

	how.folder = o->args[0];
	if (stat(how.folder, &st) == 0 && !S_ISDIR(st.st_mode))
		return cli_fail(ERR_OK, "%s is not a folder", how.folder);
	if (access(how.folder, R_OK | X_OK) != 0)
		return cli_fail(ERR_OK, "%s: %s", how.folder, strerror(errno));
	if (!cli_book_writable(o))
		return CLI_FAILED;
	if (isatty(STDERR_FILENO)) {
		how.progress = show_progress;
		how.arg = &shown;
	}
	e = hall_attach(&hall, o->dir);
	if (e != ERR_OK)
		return cli_fail(e, "%s", o->dir);
	e = db_open(&db, o->dir, &hall);
	if (e != ERR_OK) {
		hall_leave(&hall);
		return cli_fail(e, "%s", o->dir);
	}
	e = import_folder(&db, &how, &report);
	if (shown)
		fputs("\r\033[K", stderr);
	status = tell(o, e, &report);
	if (e == ERR_OK && !o->dry_run)
		wal_settle(&db); /* its log is as long as the import was */
	buf_free(&report.text);
	db_close(&db);
	hall_leave(&hall);
	return status;
}
