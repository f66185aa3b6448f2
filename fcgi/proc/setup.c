/*
 * setup.c - making the folder a book lives in.
 */
#include "setup.h"

#include "clock.h"
#include "db.h"
#include "durable.h"
#include "migrate.h"
#include "restaurants.h"
#include "role.h"
#include "staff.h"
#include "swap.h"
#include "token.h"
#include "users.h"
#include "wal.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char OWNER_EMAIL[] = "owner@jari.local";

/* The key appears whole or not at all, and an existing one is never touched. */
static enum err make_key(const char *dir)
{
	char path[4200], part[4200];
	unsigned char key[TOKEN_KEY_SIZE];
	bool ok;

	snprintf(path, sizeof path, "%s/secret.key", dir);
	if (access(path, F_OK) == 0)
		return ERR_OK;
	snprintf(part, sizeof part, "%s/secret.key.%d", dir, (int)getpid());
	token_random(key, sizeof key);
	ok = durable_write(part, key, sizeof key, 0600) && (link(part, path) == 0 || errno == EEXIST);
	unlink(part);
	/* Its name too: a book whose key a power cut takes away has lost every link that was sent. */
	return ok && durable_flush_folder(dir) ? ERR_OK : ERR_BOOK_UNWRITABLE;
}

/* No book, but a key or a copy that says there was one, or is to be one (a spare's): a new one in its place would look as if nothing had happened. */
static bool lost_book(const char *dir)
{
	char path[4096], sign[4200];
	glob_t copies;
	bool lost;

	db_path(dir, path);
	if (access(path, F_OK) == 0)
		return false;
	snprintf(sign, sizeof sign, "%s/secret.key", dir);
	lost = access(sign, F_OK) == 0 || role_of(dir) == ROLE_SPARE;
	snprintf(sign, sizeof sign, "%s.before-*", path);
	if (glob(sign, GLOB_NOSORT, NULL, &copies) == 0)
		lost = true;
	globfree(&copies);
	return lost;
}

bool setup_found(const char *dir)
{
	char path[4096];

	db_path(dir, path);
	return access(path, F_OK) == 0 || errno == EACCES || lost_book(dir);
}

/*
 * An owner with a one-time password, unless there is one.  invite: an owner who has not opened the last link gets another; it was
 * not seen, or it is too late for it.
 */
static enum err make_owner(struct db *db, bool invite, struct setup_made *out)
{
	char hash[TOKEN_HASH_SIZE];
	int64_t owners = 0, id = 0;
	enum err e = staff_count_owners(db, &owners);

	if (e == ERR_OK && owners && invite)
		e = staff_invited_owner(db, &id, out->owner, sizeof out->owner);
	if (e == ERR_NOT_FOUND || (e == ERR_OK && owners && !invite))
		return ERR_OK;
	if (e != ERR_OK)
		return e;
	token_make_password(out->password);
	e = token_hash_password(out->password, hash) ? ERR_OK : ERR_NO_MEMORY;
	if (e == ERR_OK && !id) {
		snprintf(out->owner, sizeof out->owner, "%s", OWNER_EMAIL);
		e = staff_add(db, USER_OWNER, "Owner", OWNER_EMAIL, NULL, true, "setup", clock_now_s(), &id);
	}
	if (e == ERR_OK)
		e = staff_set_once(db, id, hash, clock_now_s() + STAFF_LINK_S, "setup", clock_now_s());
	if (e != ERR_OK)
		out->password[0] = '\0'; /* it opens nothing */
	return e;
}

static enum err finish_book(const char *dir, bool invite, struct setup_made *out)
{
	struct hall hall = {0};
	struct db db;
	enum err e = hall_attach(&hall, dir);

	if (e != ERR_OK)
		return e;
	e = db_open(&db, dir, &hall);
	if (e == ERR_OK) {
		e = make_owner(&db, invite, out);
		if (e == ERR_OK)
			e = restaurants_keep_offsets(&db, clock_now_s());
		if (e == ERR_OK && out->book)
			wal_settle(&db);
		db_close(&db);
	}
	hall_leave(&hall);
	return e;
}

static enum err make(const char *dir, bool demo, const char *name, bool invite, struct setup_made *out)
{
	enum err e;

	memset(out, 0, sizeof *out);
	if (mkdir(dir, 0770) != 0 && errno != EEXIST)
		return ERR_BOOK_UNWRITABLE;
	e = swap_finish(dir);
	if (e != ERR_OK)
		return e;
	if (lost_book(dir))
		return ERR_BOOK_GONE;
	/* The key comes last: where there is a key, there was a book. */
	e = migrate_book(dir, &out->book);
	if (e == ERR_OK)
		e = make_key(dir);
	if (e == ERR_OK && out->book && demo)
		e = migrate_demo(dir);
	if (e == ERR_OK && name)
		e = migrate_add_restaurant(dir, name);
	return e == ERR_OK ? finish_book(dir, invite, out) : e;
}

enum err setup_make(const char *dir, bool demo, const char *name, struct setup_made *out)
{
	return make(dir, demo, name, false, out);
}

enum err setup_make_apart(const char *dir, bool demo, struct setup_made *out)
{
	int pipe_fd[2], status;
	enum err e;
	ssize_t n;
	pid_t pid;

	if (pipe(pipe_fd) != 0)
		return ERR_INTERNAL;
	pid = fork();
	if (pid == 0) {
		e = make(dir, demo, NULL, true, out);
		_exit(write(pipe_fd[1], out, sizeof *out) == (ssize_t)sizeof *out ? (int)e : (int)ERR_INTERNAL);
	}
	close(pipe_fd[1]);
	n = pid > 0 ? read(pipe_fd[0], out, sizeof *out) : -1;
	close(pipe_fd[0]);
	if (n != (ssize_t)sizeof *out || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status) >= ERR__MAX)
		return ERR_INTERNAL;
	return (enum err)WEXITSTATUS(status);
}
