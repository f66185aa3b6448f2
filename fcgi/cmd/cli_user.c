/*
 * cli_user.c - as root: whose book it is, and becoming that user.
 *
 * Serving a restaurant needs no root.  A command that makes or serves a book becomes the user whom --user (or
 * JARI_USER) names, else the owner of the folder, else the user jari that `make install` makes.  root itself must be named.
 */
#include "cli.h"

#include "owner.h"
#include "setup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char USUAL[] = "jari";

/* What is theirs already is not touched: a chown renews the ctime, by which copies are old or young (swap.c). */
static void give(int folder, const char *name, uid_t uid, gid_t gid)
{
	struct stat st;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && (st.st_uid != uid || st.st_gid != gid))
		(void)!fchownat(folder, name, uid, gid, AT_SYMLINK_NOFOLLOW);
}

/*
 * Everything in the folder, but nothing that a link in it points to.  A folder that is theirs already keeps its group: it is the
 * web server's, which goes through to the socket.
 */
static void give_folder(const char *dir, uid_t uid, gid_t gid)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	struct stat st;
	bool theirs = stat(dir, &st) == 0 && st.st_uid == uid;

	while (d && (entry = readdir(d)))
		if (strcmp(entry->d_name, "..") != 0 && !(theirs && strcmp(entry->d_name, ".") == 0))
			give(dirfd(d), entry->d_name, uid, gid);
	if (d)
		closedir(d);
}

static bool is_empty(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	bool empty = true;

	while (d && empty && (entry = readdir(d)))
		empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	if (d)
		closedir(d);
	return empty;
}

/* `--dir /etc` is a slip of the keyboard: a folder is given away only if it is a book's, or empty. */
static bool may_give(const struct passwd *who, const char *dir)
{
	struct stat st;

	if (stat(dir, &st) != 0 || st.st_uid == who->pw_uid || setup_found(dir) || is_empty(dir))
		return true;
	cli_fail(ERR_OK, "%s has other things in it and no book, and would become %s's; choose a new folder with --dir", dir,
		 who->pw_name);
	return false;
}

/* The folder, which is made if need be, becomes that user's with all that is in it. */
static bool hand_over(const struct passwd *who, const char *dir)
{
	if (!may_give(who, dir) || !cli_make_folder(dir))
		return false;
	give_folder(dir, who->pw_uid, who->pw_gid);
	return true;
}

static int cannot_reach(const struct passwd *who, const char *dir)
{
	return cli_fail(ERR_OK, "the user %s cannot reach %s (%s); choose a folder that they can with --dir", who->pw_name, dir,
			strerror(errno));
}

/* Becomes that user for good. */
static int become(const struct passwd *who, const char *dir)
{
	if (!hand_over(who, dir))
		return CLI_FAILED;
	if (initgroups(who->pw_name, who->pw_gid) != 0 || setgid(who->pw_gid) != 0 || setuid(who->pw_uid) != 0 ||
	    setuid(0) == 0)
		return cli_fail(ERR_OK, "cannot become the user %s: %s", who->pw_name, strerror(errno));
	return access(dir, R_OK | W_OK | X_OK) == 0 ? CLI_OK : cannot_reach(who, dir);
}

/* NULL: no user but root is in question. */
static const struct passwd *owner_of(const char *dir)
{
	struct stat st;

	return stat(dir, &st) == 0 && st.st_uid != 0 ? getpwuid(st.st_uid) : getpwnam(USUAL);
}

static const char *named_user(const struct cli_options *o)
{
	return o->user ? o->user : getenv("JARI_USER");
}

/* Who is to have the book; *who is NULL if that is the user we are. */
static int choose_user(const struct cli_options *o, const struct passwd **who)
{
	const char *name = named_user(o);

	*who = NULL;
	if (geteuid() != 0)
		return o->user ? cli_fail(ERR_OK, "--user is for root; you are not") : CLI_OK;
	if (name && strcmp(name, "root") == 0)
		return CLI_OK;
	*who = name ? getpwnam(name) : owner_of(o->dir);
	if (*who)
		return CLI_OK;
	if (name)
		return cli_fail(ERR_OK, "there is no user %s here; `useradd --system %s` makes one", name, name);
	return cli_fail(
		ERR_OK,
		"you are root, and jari need not be: make a user for it with `useradd --system %s` (`make install` does)"
		" and say the same again, or choose one with --user NAME; %s becomes theirs.  `--user root` if it must be",
		USUAL, o->dir);
}

int cli_leave_root(const struct cli_options *o)
{
	const struct passwd *who;
	int status = choose_user(o, &who);

	return status == CLI_OK && who ? become(who, o->dir) : status;
}

/* The folder keeps its group, which is the web server's: nothing is given to anybody here. */
int cli_be_owner_of(const char *path)
{
	const struct passwd *who;
	struct stat st;

	if (geteuid() != 0 || stat(path, &st) != 0 || st.st_uid == 0)
		return CLI_OK;
	who = getpwuid(st.st_uid);
	if (who ? initgroups(who->pw_name, who->pw_gid) == 0 : setgroups(0, NULL) == 0)
		if (setgid(who ? who->pw_gid : st.st_gid) == 0 && setuid(st.st_uid) == 0)
			return CLI_OK;
	return cli_fail(ERR_OK, "cannot become the owner of %s: %s", path, strerror(errno));
}

int cli_be_owner(const struct cli_options *o)
{
	return cli_be_owner_of(o->dir);
}

int cli_give_folder(const struct cli_options *o)
{
	const struct passwd *who;
	struct stat st;
	bool reached;
	int status;

	if (!named_user(o) && stat(o->dir, &st) == 0 && st.st_uid != 0)
		return CLI_OK; /* it is a user's already, with the group that they chose */
	status = choose_user(o, &who);
	if (status != CLI_OK || !who)
		return status;
	if (!hand_over(who, o->dir) || !owner_enter(o->dir))
		return CLI_FAILED;
	reached = faccessat(AT_FDCWD, o->dir, R_OK | W_OK | X_OK, AT_EACCESS) == 0;
	owner_leave();
	return reached ? CLI_OK : cannot_reach(who, o->dir);
}

const char *cli_usual_user(void)
{
	return getpwnam(USUAL) ? USUAL : NULL;
}
