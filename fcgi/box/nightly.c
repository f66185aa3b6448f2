/*
 * nightly.c - the backups that make themselves, and their way out of the box.
 */
#include "nightly.h"

#include "backup.h"
#include "check.h"
#include "copies.h"
#include "facts.h"
#include "log.h"
#include "role.h"
#include "run.h"
#include "text.h"
#include "watch.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NIGHTS_MAX = 400, STAMP = 32 };

static const char NIGHT[] = "jari-", BEFORE[] = "before-update-", END[] = ".db";

/* One run. */
struct turn {
	const char *dir;
	int64_t now_s;
	char folder[NIGHTLY_PATH - 300];
	struct nightly_report *out;
};

static void put_path(const struct turn *t, const char *name, char out[NIGHTLY_PATH])
{
	snprintf(out, NIGHTLY_PATH, "%s/%s", t->folder, name);
}

/* ---- which night it is ---- */

/* A night is called after the day on which it ends; until four in the morning it is still the one of the day before. */
static int64_t night_of(int64_t now_s)
{
	time_t then = (time_t)(now_s - NIGHTLY_HOUR * 3600);
	struct tm day;

	localtime_r(&then, &day);
	return text_days((struct date){day.tm_year + 1900, day.tm_mon + 1, day.tm_mday});
}

static void name_night(int64_t day, char out[STAMP])
{
	char date[TEXT_DATE_SIZE];

	text_put_date(text_from_days(day), date);
	snprintf(out, STAMP, "%s%s%s", NIGHT, date, END);
}

/* The day in a name; false: it is no copy of a night. */
static bool read_night(const char *name, int64_t *day)
{
	char date[TEXT_DATE_SIZE];
	struct date d;

	if (strncmp(name, NIGHT, strlen(NIGHT)) != 0 || strlen(name) != strlen(NIGHT) + 10 + strlen(END))
		return false;
	snprintf(date, sizeof date, "%.10s", name + strlen(NIGHT));
	if (strcmp(name + strlen(NIGHT) + 10, END) != 0 || !text_date(date, &d))
		return false;
	*day = text_days(d);
	return true;
}

static int latest_first(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x < y) - (x > y);
}

/* The nights of which there is a copy, newest first. */
static size_t list_nights(const struct turn *t, int64_t days[NIGHTS_MAX])
{
	DIR *d = opendir(t->folder);
	const struct dirent *entry;
	size_t n = 0;

	while (d && n < NIGHTS_MAX && (entry = readdir(d)))
		n += read_night(entry->d_name, &days[n]);
	if (d)
		closedir(d);
	qsort(days, n, sizeof days[0], latest_first);
	return n;
}

/* ---- making one ---- */

static void note_finding(void *arg, const char *rule, const char *finding)
{
	(void)arg;
	if (finding)
		log_warn("backup.finding", "rule=\"%s\"", rule);
}

/* It is opened and every rule is proved on it: a copy of a book that is not sound is kept, and said to be one. */
static void prove(struct turn *t)
{
	struct check_report report = {0};
	char words[120];
	enum err e = check_book(t->out->made, note_finding, NULL, &report);

	t->out->findings = e == ERR_OK ? report.findings : 1;
	if (!t->out->findings) {
		facts_put(t->dir, FACT_BACKUP, t->now_s, "");
		return;
	}
	snprintf(words, sizeof words, "the book is not sound, `jari check` finds %d things", t->out->findings);
	facts_put(t->dir, FACT_BACKUP_BAD, t->now_s, words);
}

static void make(struct turn *t, const char *name)
{
	enum err e;

	put_path(t, name, t->out->made);
	e = backup_make(t->dir, t->out->made);
	if (e == ERR_BACKUP_STRANGE) /* without the owner's own tables, which the log names */
		e = ERR_OK;
	if (e == ERR_OK) {
		prove(t);
		return;
	}
	t->out->made[0] = '\0';
	t->out->failed = e == ERR_BOOK_UNWRITABLE ? watch_reason(t->folder, errno) : e;
	facts_put(t->dir, FACT_BACKUP_BAD, t->now_s, err_sentence(t->out->failed, LANG_EN));
}

/* ---- old ones go ---- */

static void remove_copy(struct turn *t, const char *name)
{
	char path[NIGHTLY_PATH];

	put_path(t, name, path);
	t->out->removed += unlink(path) == 0;
}

static void thin_out_nights(struct turn *t, int64_t tonight)
{
	static int64_t days[NIGHTS_MAX];
	bool stays[NIGHTS_MAX];
	char name[STAMP];
	size_t n = list_nights(t, days);

	copies_choose(days, n, tonight, stays);
	for (size_t i = 0; i < n; i++)
		if (!stays[i]) {
			name_night(days[i], name);
			remove_copy(t, name);
		}
}

static bool is_before_update(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return strncmp(entry->d_name, BEFORE, strlen(BEFORE)) == 0 && n > strlen(END) &&
	       strcmp(entry->d_name + n - strlen(END), END) == 0;
}

/* Their names end with the moment, so that the order of the letters is that of time. */
static void thin_out_updates(struct turn *t)
{
	struct dirent **all;
	int n = scandir(t->folder, &all, NULL, alphasort), kept = 0;

	for (int i = n - 1; i >= 0; i--) {
		if (is_before_update(all[i]) && kept++ >= COPIES_KEPT)
			remove_copy(t, all[i]->d_name);
		free(all[i]);
	}
	if (n >= 0)
		free(all);
}

/* ---- out of the box ---- */

/* What the command says, without what would break a line. */
static void keep_words(struct turn *t, int status, const char *said)
{
	size_t n = 0;

	for (; *said && n < sizeof t->out->said - 1; said++)
		t->out->said[n++] = (unsigned char)*said < ' ' ? ' ' : *said;
	t->out->said[n] = '\0';
	if (!n)
		snprintf(t->out->said, sizeof t->out->said, "copy-away ended with %d", status);
}

static void send_away(struct turn *t, const char *command, const char *file, const char *kind, const char *state)
{
	const char *const argv[] = {command, file, kind, NULL};
	char said[300];
	int status = run_program(argv, "", 0, NIGHTLY_AWAY_S, said, sizeof said);

	if (status == 0) {
		t->out->away = NIGHTLY_SENT;
		facts_put(t->dir, FACT_AWAY, t->now_s, state);
		return;
	}
	t->out->away = NIGHTLY_NOT_SENT;
	keep_words(t, status, said);
	facts_put(t->dir, FACT_AWAY_BAD, t->now_s, t->out->said);
}

/* In memory where the unit gives us a folder there: a copy every five minutes wears a card out. */
static void choose_scratch(const struct turn *t, char out[NIGHTLY_PATH])
{
	const char *memory = getenv("RUNTIME_DIRECTORY");
	char book[NIGHTLY_PATH];
	struct stat st;

	snprintf(book, sizeof book, "%s/jari.db", t->dir);
	if (memory && memory[0] == '/' && !strchr(memory, ':') && stat(book, &st) == 0 &&
	    watch_free_bytes(memory) > st.st_size * 3)
		snprintf(out, NIGHTLY_PATH, "%s/jari-latest.db", memory);
	else
		put_path(t, "jari-latest.db", out);
}

static void send_change(struct turn *t, const char *command, const char *state)
{
	char file[NIGHTLY_PATH];
	enum err e;

	choose_scratch(t, file);
	e = backup_make(t->dir, file);
	if (e == ERR_OK || e == ERR_BACKUP_STRANGE) {
		send_away(t, command, file, "change", state);
	} else {
		t->out->away = NIGHTLY_NOT_SENT;
		snprintf(t->out->said, sizeof t->out->said, "%s", err_sentence(e, LANG_EN));
		facts_put(t->dir, FACT_AWAY_BAD, t->now_s, t->out->said);
	}
	unlink(file);
}

static void copy_away(struct turn *t)
{
	char command[RUN_PATH], state[40] = "", before[40];
	int64_t newest = 0;

	/* What a box has that was replaced must not take the place of what the new one sends. */
	if (role_of(t->dir) != ROLE_SERVES || !run_find(t->dir, "copy-away", command))
		return;
	/* Asked before the copy is made: what happens meanwhile is then copied once more, rather than not at all. */
	if (backup_newest(t->dir, &newest) == ERR_OK)
		snprintf(state, sizeof state, "row %lld", (long long)newest);
	facts_get(t->dir, FACT_AWAY, before, sizeof before);
	t->out->away = NIGHTLY_NOTHING_NEW;
	if (t->out->made[0])
		send_away(t, command, t->out->made, "night", state);
	else if (!*state || strcmp(state, before) != 0)
		send_change(t, command, state);
}

/* ---- one run ---- */

/* Shut: a backup is the book and its key. */
static int lock_folder(struct turn *t)
{
	int fd;

	snprintf(t->folder, sizeof t->folder, "%s/backups", t->dir);
	if (mkdir(t->folder, 0700) != 0 && errno != EEXIST)
		return -1;
	fd = open(t->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
		close(fd);
		errno = EBUSY;
		return -1;
	}
	return fd;
}

static void make_due(struct turn *t, bool before_update)
{
	int64_t tonight = night_of(t->now_s);
	char name[64], path[NIGHTLY_PATH];
	struct tm at;
	time_t then = (time_t)t->now_s;

	name_night(tonight, name);
	if (before_update) {
		gmtime_r(&then, &at);
		snprintf(name, sizeof name, "%s%04d-%02d-%02dT%02d%02d%02d%s", BEFORE, at.tm_year + 1900, at.tm_mon + 1,
			 at.tm_mday, at.tm_hour, at.tm_min, at.tm_sec, END);
	}
	put_path(t, name, path);
	if (before_update || access(path, F_OK) != 0)
		make(t, name);
	if (!t->out->made[0])
		return;
	thin_out_nights(t, tonight);
	thin_out_updates(t);
}

enum err nightly_run(const char *dir, int64_t now_s, bool before_update, struct nightly_report *out)
{
	struct turn t = {.dir = dir, .now_s = now_s, .out = out};
	int lock;

	*out = (struct nightly_report){.failed = ERR_OK};
	lock = lock_folder(&t);
	if (lock < 0)
		return errno == EBUSY ? ERR_BOOK_BUSY : watch_reason(dir, errno);
	make_due(&t, before_update);
	if (!before_update) /* an update does not wait for a slow line */
		copy_away(&t);
	close(lock);
	return ERR_OK;
}

bool nightly_newest(const char *dir, char out[NIGHTLY_PATH])
{
	static int64_t days[NIGHTS_MAX];
	struct turn t = {.dir = dir};
	char name[STAMP];

	snprintf(t.folder, sizeof t.folder, "%s/backups", dir);
	if (!list_nights(&t, days))
		return false;
	name_night(days[0], name);
	put_path(&t, name, out);
	return true;
}
