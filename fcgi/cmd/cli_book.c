/*
 * cli_book.c - commands on the book: init, check, backup, restore, staff, token, shell, cgi.
 */
#include "cli.h"

#include "auth.h"
#include "check.h"
#include "clock.h"
#include "backup.h"
#include "overview.h"
#include "door.h"
#include "front_cgi.h"
#include "setup.h"
#include "log.h"
#include "restaurants.h"
#include "supervise.h"
#include "text.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void count_span(void *arg, const struct week_span *span)
{
	(void)span;
	++*(int *)arg;
}

struct closed {
	struct db *db;
	const char *before;
	int restaurants;
};

static void tell_if_closed(void *arg, int64_t id)
{
	struct closed *c = arg;
	struct restaurant r;
	int spans = 0;

	c->restaurants++;
	if (restaurants_get(c->db, id, &r) == ERR_OK && restaurants_week(c->db, id, count_span, &spans) == ERR_OK && spans == 0)
		printf("%s%s has no opening hours yet, so that nobody can book: Settings, Opening hours, at the desk\n",
		       c->before, r.name);
}

void cli_tell_closed(const char *dir, const char *before)
{
	struct db db;
	struct closed c = {.db = &db, .before = before};

	if (db_open(&db, dir, NULL) != ERR_OK)
		return;
	if (restaurants_all(&db, tell_if_closed, &c) == ERR_OK && c.restaurants == 0)
		printf("%sthere is no restaurant in the book yet: the first page of the desk asks for it (`jari up` and "
		       "`jari link` print the link)\n",
		       before);
	db_close(&db);
}

int cli_init(const struct cli_options *o)
{
	struct setup_made made;
	enum err e;

	if (o->demo && o->name)
		return CLI_USAGE;
	if (cli_leave_root(o) != CLI_OK || !cli_make_folder(o->dir))
		return CLI_FAILED;
	e = setup_make(o->dir, o->demo, o->name, &made);
	if (e != ERR_OK)
		return cli_not_made(o, e);
	printf("%s %s/jari.db\n", made.book ? "made" : "found", o->dir);
	if (made.password[0])
		printf("owner %s, one-time password %s\n", made.owner, made.password);
	cli_tell_closed(o->dir, "next: ");
	return CLI_OK;
}

static void tell(void *arg, const char *rule, const char *finding)
{
	(void)arg;
	if (finding)
		printf("WRONG  %s: %s\n", rule, finding);
	else
		printf("ok     %s\n", rule);
}

static void tell_note(void *arg, const char *note)
{
	(void)arg;
	printf("note   %s\n", note);
}

int cli_check(const struct cli_options *o)
{
	char path[4096];
	struct check_report report;
	enum err e;

	if (o->count == 0 && !cli_book_there(o))
		return CLI_FAILED;
	db_path(o->dir, path);
	if (o->count)
		snprintf(path, sizeof path, "%s", o->args[0]);
	if (access(path, F_OK) != 0)
		return cli_fail(ERR_OK, "%s: %s", path, strerror(errno));
	e = check_book(path, tell, NULL, &report);
	if (e != ERR_OK)
		return cli_fail(e, "%s", path);
	check_notes(path, clock_now_s(), tell_note, NULL); /* a rule has said so if it cannot be read */
	if (o->count == 0)
		cli_tell_closed(o->dir, "note   ");
	printf("%d rules, %d findings\n", report.rules, report.findings);
	return report.findings ? CLI_FAILED : CLI_OK;
}

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

int cli_backup(const struct cli_options *o)
{
	char file[4096];
	bool of_the_day = name_backup(o->args[0], file);
	enum err e;

	if (!cli_book_there(o))
		return cli_fail(ERR_OK, "no backup was made");
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
	overview_note_backup(o->dir, clock_now_s());
	printf("saved %s\n", file);
	return CLI_OK;
}

/* A backup that was found, but not where it is to go, would make a second book that nobody serves. */
static bool restore_said_well(const struct cli_options *o)
{
	const char *file = o->args[0];
	struct stat st;

	if (access(file, R_OK) != 0 || stat(file, &st) != 0)
		return cli_fail(ERR_OK, "%s: %s", file, strerror(errno)) == CLI_OK;
	if (!S_ISREG(st.st_mode))
		return cli_fail(ERR_OK, "%s is not a file; name the backup itself", file) == CLI_OK;
	if (!o->dir_said && !setup_found(o->dir))
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
	printf("nobody serves it yet: start it with `jari up --dir %s`, or `sudo systemctl start jari` if it is the "
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

/* As whoever owns the folder; a new one is the service's.  What jari itself serves just now stays whose it is. */
static bool restore_folder_ready(const struct cli_options *o, bool served)
{
	return (served || cli_give_folder(o) == CLI_OK) && cli_make_folder(o->dir);
}

int cli_restore(const struct cli_options *o)
{
	struct backup_report report = {0};
	bool new = access(o->dir, F_OK) != 0, served = supervise_running(o->dir) != 0;
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

bool cli_enter(struct door *d, const struct cli_options *o)
{
	char key[4200];
	enum err e;

	if (!cli_book_writable(o))
		return false;
	snprintf(key, sizeof key, "%s/secret.key", o->dir);
	if (access(key, R_OK) != 0) {
		cli_fail(ERR_OK, "%s: %s; %s", key, strerror(errno),
			 errno == ENOENT ? "`jari init` makes a new one, and everybody has to log in again" :
					   "run the same as the user whose book it is, or as root");
		return false;
	}
	e = door_open(d, o->dir);
	if (e == ERR_OK)
		e = door_open_book(d);
	if (e == ERR_OK)
		return true;
	door_leave(d);
	cli_fail(e, "%s", o->dir);
	return false;
}

static int staff_add(struct door *d, const struct cli_options *o)
{
	char password[512], hash[TOKEN_HASH_SIZE];
	bool own = o->password != NULL;
	int64_t id;
	enum err e;

	if (!text_email(o->args[1]))
		return cli_fail(ERR_BAD_EMAIL, "%s", o->args[1]);
	if (text_points(o->args[2]) > 40 || text_has_control(o->args[2]))
		return cli_fail(ERR_BAD_NAME, "%s", o->args[2]);
	if (own && !cli_ask_password(o, password))
		return cli_fail(ERR_OK, "no password was given");
	if (own && strlen(password) < TOKEN_PASSWORD_MIN)
		return cli_fail(ERR_OK, "a password has at least %d characters", TOKEN_PASSWORD_MIN);
	if (!own)
		token_make_password(password);
	if (!token_hash_password(password, hash))
		return cli_fail(ERR_NO_MEMORY, "staff add");
	e = users_add_login(&d->db, USER_STAFF, o->args[2], o->args[1], hash, !own, clock_now_s(), &id);
	if (e == ERR_DUPLICATE)
		return cli_fail(ERR_OK, "somebody logs in as %s already; `jari staff passwd` sets a new password", o->args[1]);
	if (e != ERR_OK)
		return cli_fail(e, "staff add");
	printf("added %s%s%s\n", o->args[1], own ? "" : ", one-time password ", own ? "" : password);
	return CLI_OK;
}

static int staff_passwd(struct door *d, const struct cli_options *o)
{
	char password[512], hash[TOKEN_HASH_SIZE];
	struct user u;
	enum err e = users_by_login(&d->db, o->args[1], &u);

	if (e == ERR_NOT_FOUND)
		return cli_fail(ERR_OK, "nobody logs in as %s; `jari staff list` shows who does", o->args[1]);
	if (e != ERR_OK)
		return cli_fail(e, "staff passwd");
	if (!cli_ask_password(o, password))
		return cli_fail(ERR_OK, "no password was given");
	if (strlen(password) < TOKEN_PASSWORD_MIN)
		return cli_fail(ERR_OK, "a password has at least %d characters", TOKEN_PASSWORD_MIN);
	if (!token_hash_password(password, hash))
		return cli_fail(ERR_NO_MEMORY, "staff passwd");
	e = users_set_password(&d->db, &u, hash, clock_now_s());
	if (e != ERR_OK)
		return cli_fail(e, "staff passwd");
	printf("%s has a new password; earlier logins have ended\n", o->args[1]);
	return CLI_OK;
}

static void print_staff(void *arg, int64_t id, const char *type, const char *name, const char *email)
{
	(void)arg;
	printf("%lld\t%s\t%s\t%s\n", (long long)id, type, email, name);
}

static bool staff_said_well(const struct cli_options *o)
{
	static const struct {
		const char *what, *takes;
		int count;
	} ways[] = {{"add", "an e-mail and a name: jari staff add EMAIL NAME", 3},
		    {"passwd", "an e-mail: jari staff passwd EMAIL", 2},
		    {"list", "nothing more", 1}};

	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		if (strcmp(o->args[0], ways[i].what) != 0)
			continue;
		if (o->count != ways[i].count)
			cli_fail(ERR_OK, "staff %s takes %s", ways[i].what, ways[i].takes);
		return o->count == ways[i].count;
	}
	cli_fail(ERR_OK, "staff can add, passwd or list, not %s", o->args[0]);
	return false;
}

int cli_staff(const struct cli_options *o)
{
	static struct door d;
	const char *what = o->args[0];
	int status;

	if (!staff_said_well(o))
		return CLI_USAGE;
	if (!cli_enter(&d, o))
		return CLI_FAILED;
	if (what[0] == 'a')
		status = staff_add(&d, o);
	else if (what[0] == 'p')
		status = staff_passwd(&d, o);
	else
		status = users_list_staff(&d.db, 0, print_staff, NULL) == ERR_OK ? CLI_OK : CLI_FAILED;
	door_leave(&d);
	return status;
}

static void print_token(void *arg, int64_t id, uint32_t version)
{
	struct door *d = arg;
	struct user u = {.id = id, .type = USER_ACCOUNT, .token_version = version};
	char token[TOKEN_TEXT_SIZE];
	int64_t seconds, login = 0;

	auth_sign_login(d, &u, clock_now_s(), token, &seconds, &login);
	printf("%lld\t%s\n", (long long)id, token);
}

int cli_token(const struct cli_options *o)
{
	static struct door d;
	char hash[TOKEN_HASH_SIZE];
	enum err e;

	if (o->users == 0)
		return CLI_USAGE;
	if (!cli_enter(&d, o))
		return CLI_FAILED;
	if (o->password && !token_hash_password(o->password, hash))
		return cli_fail(ERR_NO_MEMORY, "token");
	e = users_make_load_test(&d.db, o->users, o->password ? hash : NULL, clock_now_s(), print_token, &d);
	door_leave(&d);
	return e == ERR_OK ? CLI_OK : cli_fail(e, "token");
}

int cli_cgi(const struct cli_options *o)
{
	static struct door d;
	static struct req r;
	static struct reply reply;
	enum err e;

	log_name("cgi");
	front_cgi_read(&r);
	reply_clear(&reply);
	e = supervise_by_another(o->dir) ? ERR_BOOK_SERVED : door_open(&d, o->dir);
	if (e == ERR_OK)
		door_serve(&d, &r, &reply);
	else
		reply_error(&reply, e, r.lang);
	front_cgi_write(&reply);
	if (e == ERR_OK) {
		hall_stay(&d.hall);
		door_close(&d);
	}
	return CLI_OK;
}
