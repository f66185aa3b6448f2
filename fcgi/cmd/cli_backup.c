/*
 * cli_backup.c - a copy of the book, and a copy in the place of the book: backup, restore.
 */
#include "cli.h"

#include "backup.h"
#include "clock.h"
#include "drill.h"
#include "facts.h"
#include "log.h"
#include "nightly.h"
#include "serving.h"
#include "setup.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What is on the book's own disk is lost with it; a stick that is not mounted is noticed by that as well. */
static bool on_same_disk(const char *dir, const char *file)
{
	char folder[4096];
	struct stat book, copy;

	cli_folder_of(file, folder);
	return stat(dir, &book) == 0 && stat(folder, &copy) == 0 && book.st_dev == copy.st_dev;
}

/* In a folder the copy has the day in its name, and a second one of the same day takes its place. */
static bool name_backup(const char *given, char out[4096])
{
	time_t now = (time_t)clock_now_s();
	struct tm day;
	struct stat st;

	if (stat(given, &st) != 0 || !S_ISDIR(st.st_mode)) {
		snprintf(out, 4096, "%s", given);
		return false;
	}
	localtime_r(&now, &day);
	snprintf(out, 4096, "%s%sjari-%04d-%02d-%02d.db", given, given[strlen(given) - 1] == '/' ? "" : "/", day.tm_year + 1900,
		 day.tm_mon + 1, day.tm_mday);
	return true;
}

/* A file of another user in a folder like /tmp, where only its owner may replace it. */
static bool is_in_the_way(const char *file, const struct stat *folder)
{
	const struct passwd *owner;
	struct stat st;

	if (lstat(file, &st) != 0 || !(folder->st_mode & S_ISVTX))
		return false;
	if (geteuid() == 0 || st.st_uid == geteuid() || folder->st_uid == geteuid())
		return false;
	owner = getpwuid(st.st_uid);
	cli_fail(ERR_OK, "%s belongs to %s and cannot be replaced; no backup was made", file,
		 owner ? owner->pw_name : "another user");
	return true;
}

/* Can a backup be put there?  If not it says what is wrong with the place: a full disk is the least likely. */
static bool backup_place_ready(const char *file)
{
	char folder[4096], part[4200];
	struct stat st;

	cli_folder_of(file, folder);
	snprintf(part, sizeof part, "%s.part", file);
	if (stat(folder, &st) != 0)
		return cli_fail(ERR_OK, "there is no folder %s (%s); no backup was made.  Is the stick mounted?", folder,
				strerror(errno)) == CLI_OK;
	if (!S_ISDIR(st.st_mode) || access(folder, W_OK | X_OK) != 0)
		return cli_fail(ERR_OK, "nothing can be written into %s (%s); no backup was made", folder,
				S_ISDIR(st.st_mode) ? strerror(errno) : "it is not a folder") == CLI_OK;
	return !is_in_the_way(file, &st) && !is_in_the_way(part, &st);
}

/* One on another disk is a copy away from the book as well. */
static void note_made(const char *dir, const char *file)
{
	facts_put(dir, FACT_BACKUP, clock_now_s(), "");
	if (!on_same_disk(dir, file))
		facts_put(dir, FACT_AWAY, clock_now_s(), "");
}

/* ---- those that make themselves ---- */

static int tell_made(const struct nightly_report *r)
{
	if (r->failed != ERR_OK)
		return cli_fail(r->failed, "no backup was made");
	if (r->findings)
		return cli_fail(ERR_OK, "%s was made, and the book is not sound: `jari check` names %d things", r->made,
				r->findings);
	if (*r->made)
		printf("saved %s, opened and checked%s\n", r->made, r->removed ? "; old ones are gone" : "");
	return CLI_OK;
}

static int tell_away(const struct nightly_report *r)
{
	if (r->away == NIGHTLY_NOT_SENT)
		return cli_fail(ERR_OK, "copy-away failed: %s", r->said);
	if (r->away == NIGHTLY_SENT)
		printf("copy-away has taken a copy\n");
	return CLI_OK;
}

/* A second one that comes while the first is at it has nothing to do. */
static int make_due(const struct cli_options *o)
{
	static struct nightly_report report;
	enum err e;
	int made, away;

	if (cli_be_owner(o) != CLI_OK)
		return CLI_FAILED;
	e = nightly_run(o->dir, clock_now_s(), o->before_update, &report);
	if (e == ERR_BOOK_BUSY && !o->before_update)
		return CLI_OK;
	if (e != ERR_OK)
		return cli_fail(e, "no backup was made in %s/backups", o->dir);
	made = tell_made(&report);
	away = tell_away(&report);
	return made == CLI_OK ? away : made;
}

int cli_drill(const struct cli_options *o)
{
	static struct drill_report report;
	char newest[NIGHTLY_PATH], words[DRILL_TEXT];
	const char *file = o->count ? o->args[0] : newest;

	if (!cli_book_there(o) || cli_be_owner(o) != CLI_OK)
		return CLI_FAILED;
	if (!o->count && !nightly_newest(o->dir, newest))
		return cli_fail(ERR_OK, "there is no backup in %s/backups yet; `jari backup --due` makes one, or name a FILE",
				o->dir);
	if (access(file, R_OK) != 0)
		return cli_fail(ERR_OK, "%s: %s", file, strerror(errno));
	log_level_set(LOG_NONE);
	/* A file that a person names may be any: what is wrong with it is for their eyes only. */
	drill_run(o->dir, file, clock_now_s(), !o->count, &report);
	log_level_set(LOG_WARN);
	drill_say(&report, file, words);
	printf("%s\n", words);
	return report.outcome == DRILL_WELL ? CLI_OK : CLI_FAILED;
}

/* ---- one that a person asks for ---- */

static int make_one(const struct cli_options *o)
{
	char file[4096];
	bool of_the_day = name_backup(o->args[0], file);
	enum err e;

	if (!backup_place_ready(file))
		return CLI_FAILED;
	if (!o->force && !of_the_day && access(file, F_OK) == 0)
		return cli_fail(ERR_OK, "%s is there already and was kept; no backup was made.  --force replaces it", file);
	if (!o->same_disk && on_same_disk(o->dir, file))
		return cli_fail(
			ERR_OK,
			"%s would be on the same disk as the book, and lost with it; no backup was made.  Is the other disk"
			" mounted?  --same-disk makes one there nevertheless",
			file);
	e = backup_make(o->dir, file);
	if (e == ERR_BACKUP_STRANGE)
		return cli_fail(
			ERR_OK,
			"saved %s without the tables named above: jari saves only what it can restore.  Move them to a file"
			" of their own (sqlite3 .dump), drop them from the book, and make the backup again",
			file);
	if (e != ERR_OK)
		return cli_fail(e, "no backup was made of %s to %s", o->dir, file);
	note_made(o->dir, file);
	printf("saved %s\n", file);
	return CLI_OK;
}

int cli_backup(const struct cli_options *o)
{
	bool by_itself = o->due || o->before_update;

	if (by_itself == (o->count == 1))
		return CLI_USAGE;
	if (!cli_book_there(o))
		return cli_fail(ERR_OK, "no backup was made");
	return by_itself ? make_due(o) : make_one(o);
}

/* A backup that was found, but not where it is to go, would make a second book that is not served. */
static bool restore_said_well(const struct cli_options *o)
{
	const char *file = o->args[0];
	struct stat st;

	if (access(file, R_OK) != 0 || stat(file, &st) != 0)
		return cli_fail(ERR_OK, "%s: %s", file, strerror(errno)) == CLI_OK;
	if (!S_ISREG(st.st_mode))
		return cli_fail(ERR_OK, "%s is not a file; name the backup itself", file) == CLI_OK;
	if (!o->dir_said && !setup_found(o->dir) && strcmp(o->dir, CLI_SERVICE_DIR) != 0)
		return cli_fail(ERR_OK,
				"there is no book in %s; say with --dir DIR which book gives way, or where the new one is to "
				"be.  Nothing was changed",
				o->dir) == CLI_OK;
	return true;
}

/* "trigger evil is not one of jari's": how to be rid of it, unless its name would be strange in a shell. */
static void tell_drop(const char *file, const char *why)
{
	char type[24], name[104];
	int end = 0;

	if (sscanf(why, "%23[a-z] %103[A-Za-z0-9_]%n", type, name, &end) == 2 && why[end] == ' ')
		cli_fail(ERR_OK, "if you made it yourself: cp %s COPY; sqlite3 COPY 'DROP %s %s'; jari restore COPY ...", file,
			 type, name);
	else
		cli_fail(ERR_OK, "if you made it yourself: drop it from a copy of the file with sqlite3, and restore the copy");
}

static void tell_refused(const char *file, enum err e, const struct backup_report *r)
{
	if (e == ERR_RESTORE_BEGUN) {
		cli_fail(e, "begun, not finished: %s", file);
		return;
	}
	if (e != ERR_BACKUP_STRANGE) {
		cli_fail(backup_refusal(e), "nothing was changed; %s cannot be restored", file);
		return;
	}
	cli_fail(ERR_OK, "nothing was changed; %s cannot be restored: %s", file, r->why);
	tell_drop(file, r->why);
}

/* "start it with ..."; a service's folder is not started by hand. */
void cli_tell_start(const char *dir)
{
	printf("no jari serves it yet: start it with `jari up --dir %s`, or `sudo systemctl start jari` if it is the "
	       "service's\n",
	       dir);
}

static void tell_restored(const struct cli_options *o, const struct backup_report *r, bool served)
{
	char full[PATH_MAX];
	const char *dir = realpath(o->dir, full) ? full : o->dir;

	printf("restored %s/jari.db from %s%s%s: %lld reservations, %lld of them still to come; %lld logins of owner and "
	       "staff\n",
	       dir, o->args[0], *r->made_at ? ", made at " : "", r->made_at, (long long)r->reservations, (long long)r->upcoming,
	       (long long)r->logins);
	if (r->key)
		printf("links and QR codes that were sent work again; not in a backup: certificates of the web server\n");
	else
		printf("this backup has no key: links that were sent work only if %s/secret.key is the old one\n", dir);
	if (*r->kept)
		printf("the book that was there is %s\n", r->kept);
	if (served)
		printf("jari goes on with it\n");
	else
		cli_tell_start(dir);
}

/* As the owner of the folder; a new one is the service's.  What jari itself serves just now stays whose it is. */
static bool restore_folder_ready(const struct cli_options *o, bool served)
{
	return (served || cli_give_folder(o) == CLI_OK) && cli_make_folder(o->dir);
}

int cli_restore(const struct cli_options *o)
{
	struct backup_report report = {0};
	bool new = access(o->dir, F_OK) != 0, served = serving_pid(o->dir) != 0;
	enum err e = ERR_OK;

	if (!restore_said_well(o))
		return CLI_FAILED;
	if (!restore_folder_ready(o, served)) {
		if (new)
			rmdir(o->dir);
		return CLI_FAILED;
	}
	log_level_set(LOG_NONE);                         /* what is wrong with the file is told in a sentence */
	e = backup_restore(o->dir, o->args[0], &report); /* those who serve notice, and open the new book */
	log_level_set(LOG_WARN);
	if (e == ERR_OK)
		tell_restored(o, &report, served);
	else
		tell_refused(o->args[0], e, &report);
	if (e != ERR_OK && new)
		rmdir(o->dir);
	return e == ERR_OK ? CLI_OK : CLI_FAILED;
}
