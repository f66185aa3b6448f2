/*
 * cli_user.c - as root: whose book it is, and becoming that user.
 *
 * Nobody needs root to serve a restaurant.  A command that makes or serves a book becomes the user whom --user (or
 * JARI_USER) names, else the owner of the folder, else the user jari that `make install` makes.  root itself must be named.
 */
#include "cli.h"

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

/* Everything in the folder, but nothing that a link in it points to. */
static void give_folder(const char *dir, uid_t uid, gid_t gid)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	while (d && (entry = readdir(d)))
		if (strcmp(entry->d_name, "..") != 0)
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

/* Becomes that user for good. */
static int become(const struct passwd *who, const char *dir)
{
	if (!may_give(who, dir) || !cli_make_folder(dir))
		return CLI_FAILED;
	give_folder(dir, who->pw_uid, who->pw_gid);
	if (initgroups(who->pw_name, who->pw_gid) != 0 || setgid(who->pw_gid) != 0 || setuid(who->pw_uid) != 0 ||
	    setuid(0) == 0)
		return cli_fail(ERR_OK, "cannot become the user %s: %s", who->pw_name, strerror(errno));
	if (access(dir, R_OK | W_OK | X_OK) != 0)
		return cli_fail(ERR_OK, "the user %s cannot reach %s (%s); choose a folder that they can with --dir",
				who->pw_name, dir, strerror(errno));
	return CLI_OK;
}

/* NULL: nobody but root is in question. */
static const struct passwd *owner_of(const char *dir)
{
	struct stat st;

	return stat(dir, &st) == 0 && st.st_uid != 0 ? getpwuid(st.st_uid) : getpwnam(USUAL);
}

int cli_leave_root(const struct cli_options *o)
{
	const char *name = o->user ? o->user : getenv("JARI_USER");
	const struct passwd *who;

	if (geteuid() != 0)
		return o->user ? cli_fail(ERR_OK, "--user is for root; you are not") : CLI_OK;
	if (name && strcmp(name, "root") == 0)
		return CLI_OK;
	who = name ? getpwnam(name) : owner_of(o->dir);
	if (who)
		return become(who, o->dir);
	if (name)
		return cli_fail(ERR_OK, "there is no user %s here; `useradd --system %s` makes one", name, name);
	return cli_fail(
		ERR_OK,
		"you are root, and jari need not be: make a user for it with `useradd --system %s` (`make install` does)"
		" and say the same again, or choose one with --user NAME; %s becomes theirs.  `--user root` if it must be",
		USUAL, o->dir);
}
