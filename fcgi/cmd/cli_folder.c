/*
 * cli_folder.c - the folder of a book: is it there, is it ours, and if not what to do.
 */
#include "cli.h"

#include "door.h"
#include "role.h"
#include "swap.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void cli_folder_of(const char *file, char out[4096])
{
	const char *slash = strrchr(file, '/');

	if (!slash)
		snprintf(out, 4096, ".");
	else
		snprintf(out, 4096, "%.*s", slash == file ? 1 : (int)(slash - file), file);
}

/* errno says why we may not; who may? */
static bool not_ours(const char *path)
{
	const char *why = strerror(errno);
	char folder[4096];
	const struct passwd *owner = NULL;
	struct stat st;

	if (errno == EROFS) {
		cli_fail(ERR_OK, "%s cannot be written: %s.  Nothing can be saved just now; mount the disk for writing first",
			 path, why);
		return false;
	}
	if (stat(path, &st) == 0 && st.st_uid != geteuid())
		owner = getpwuid(st.st_uid);
	if (owner && S_ISDIR(st.st_mode))
		snprintf(folder, sizeof folder, "%s", path);
	else
		cli_folder_of(path, folder);
	if (owner && st.st_uid == 0 && cli_usual_user()) /* root made it by mistake: what root adds, the service cannot open */
		cli_fail(ERR_OK, "%s belongs to root: %s; `sudo chown -R %s %s` gives it to the user who serves", path, why,
			 cli_usual_user(), folder);
	else if (owner)
		cli_fail(ERR_OK, "%s belongs to %s: %s; run the same as `sudo -u %s jari ...`", path, owner->pw_name, why,
			 owner->pw_name);
	else
		cli_fail(ERR_OK, "%s: %s; run the same as the user whose book it is, or as root", path, why);
	return false;
}

int cli_not_made(const struct cli_options *o, enum err e)
{
	if (role_of(o->dir) == ROLE_SPARE)
		return cli_fail(ERR_OK, "%s is the folder of a spare: `jari takeover` makes the copy in it the book", o->dir);
	if (e != ERR_BOOK_GONE)
		return cli_fail(e, "%s", o->dir);
	return cli_fail(
		ERR_OK,
		"there was a book in %s, its key or a copy is there, and it is gone; put jari.db back, or bring it back with"
		" `jari restore FILE --dir %s`; for a new one choose another folder with --dir",
		o->dir, o->dir);
}

/* Can we write into this folder?  If not it says why, and whose it is. */
static bool is_folder_writable(const char *dir)
{
	return access(dir, R_OK | W_OK | X_OK) == 0 || not_ours(dir);
}

bool cli_make_folder(const char *dir)
{
	struct stat st;
	bool made = mkdir(dir, 0770) == 0 || errno == EEXIST;

	if (!made)
		cli_fail(ERR_OK, "the folder %s cannot be made: %s; choose another with --dir", dir, strerror(errno));
	if (made && stat(dir, &st) == 0 && !S_ISDIR(st.st_mode)) {
		cli_fail(ERR_OK, "%s is not a folder; choose another with --dir", dir);
		made = false;
	}
	return made && is_folder_writable(dir);
}

bool cli_book_there(const struct cli_options *o)
{
	char path[4096];

	db_path(o->dir, path);
	if (swap_finish(o->dir) != ERR_OK)
		return cli_fail(ERR_OK, "a restore of %s was cut short and cannot be finished: %s", o->dir, strerror(errno)) ==
		       CLI_OK;
	if (access(path, R_OK) == 0)
		return true;
	if (errno == EACCES)
		return not_ours(access(o->dir, X_OK) == 0 ? path : o->dir);
	cli_fail(ERR_OK, "there is no book in %s (%s); say where it is with --dir DIR; `jari init` makes a book", o->dir,
		 strerror(errno));
	return false;
}

bool cli_book_writable(const struct cli_options *o)
{
	char path[4096];

	db_path(o->dir, path);
	return cli_book_there(o) && is_folder_writable(o->dir) && (access(path, W_OK) == 0 || not_ours(path));
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
