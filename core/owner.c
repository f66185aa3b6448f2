/*
 * owner.c - root does a folder's work as the user whose folder it is.
 */
#include "owner.h"

#include "log.h"

#include <assert.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GROUPS_MAX = 256 };

static struct {
	bool inside;
	gid_t gid, groups[GROUPS_MAX];
	int count;
} root;

/* Groups first: once we are not root any more we may not choose them. */
static bool become(const struct stat *st)
{
	const struct passwd *user = getpwuid(st->st_uid);

	if (user ? initgroups(user->pw_name, user->pw_gid) != 0 : setgroups(0, NULL) != 0)
		return false;
	return setegid(user ? user->pw_gid : st->st_gid) == 0 && seteuid(st->st_uid) == 0;
}

bool owner_enter(const char *path)
{
	struct stat st;

	assert(!root.inside);
	if (geteuid() != 0)
		return true;
	if (stat(path, &st) != 0)
		return false;
	if (st.st_uid == 0)
		return true;
	root.gid = getegid();
	root.count = getgroups(GROUPS_MAX, root.groups);
	root.inside = root.count >= 0;
	if (root.inside && become(&st))
		return true;
	log_error("owner.failed", "uid=%d why=\"%s\"", (int)st.st_uid, strerror(errno));
	owner_leave();
	return false;
}

void owner_leave(void)
{
	bool back;

	if (!root.inside)
		return;
	back = seteuid(0) == 0 && setegid(root.gid) == 0 && setgroups((size_t)root.count, root.groups) == 0;
	assert(back);
	(void)back;
	root.inside = false;
}
