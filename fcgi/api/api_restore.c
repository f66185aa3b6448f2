/*
 * api_restore.c - a backup in the place of a book that is not used yet: the other way to open a restaurant.
 *
 * The file comes in parts that fit into ordinary requests, each by the owner's login, so no stranger can make the box keep
 * anything.  They are put together in DIR/restore.part.  Once there is a reservation, only `jari restore` on the box itself
 * replaces the book: a stolen login cannot take an evening away.
 */
#include "route.h"

#include "backup.h"
#include "log.h"
#include "overview.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RESTORE_MAX = 64 << 20 }; /* what a slow card copies before the web server gives up; more goes by the command */

static void part_path(const struct call *c, char out[4200])
{
	snprintf(out, 4200, "%s/restore.part", c->door->dir);
}

static enum err nobody_booked(struct call *c)
{
	bool used = true;
	enum err e = overview_used(c->db, &used);

	return e == ERR_OK && used ? ERR_BOOK_IN_USE : e;
}

/* The body behind what has come so far; what has come before is not written again. */
static enum err add_part(const struct call *c, int64_t at)
{
	const struct buf *body = &c->req->body;
	char path[4200];
	struct stat st;
	enum err e = ERR_OK;
	int fd;

	part_path(c, path);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (at ? 0 : O_TRUNC), 0600);
	if (fd < 0 || fstat(fd, &st) != 0)
		e = ERR_BOOK_UNWRITABLE;
	else if (st.st_size != at)
		e = ERR_BACKUP_PARTS;
	else if (pwrite(fd, body->data, body->len, at) != (ssize_t)body->len) /* the disk is full */
		e = ERR_BOOK_UNWRITABLE;
	if (fd >= 0)
		close(fd);
	if (e == ERR_BOOK_UNWRITABLE)
		unlink(path);
	return e;
}

enum err api_restore_part(struct call *c)
{
	struct json *j;
	int64_t at = 0, of = 0;
	enum err e = call_int(c, "of", 1, INT64_MAX, CALL_REQUIRED, &of);

	if (e == ERR_OK && of > RESTORE_MAX)
		e = ERR_BACKUP_LARGE;
	if (e == ERR_OK)
		e = call_int(c, "at", 0, of - 1, CALL_REQUIRED, &at);
	if (e == ERR_OK && (c->req->body.len == 0 || (int64_t)c->req->body.len > of - at))
		e = ERR_BACKUP_PARTS;
	if (e == ERR_OK)
		e = nobody_booked(c);
	if (e == ERR_OK)
		e = add_part(c, at);
	if (e != ERR_OK)
		return e;
	j = json_new();
	json_int(j, "bytes", at + (int64_t)c->req->body.len);
	return call_answer(c, ERR_OK, j);
}

enum err api_restore(struct call *c)
{
	struct backup_report report;
	struct stat st = {0};
	char path[4200];
	int64_t bytes = 0;
	struct json *j;
	enum err e;

	in_only(&c->body, "bytes", NULL);
	in_int(&c->body, "bytes", IN_REQUIRED, 1, RESTORE_MAX, &bytes);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	part_path(c, path);
	if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size != bytes)
		return ERR_BACKUP_PARTS;
	e = backup_refusal(backup_restore_serving(&c->door->hall, c->door->dir, path, true, &report));
	unlink(path);
	if (e != ERR_OK)
		return e;
	log_info("book.restored", "by=user:%lld bytes=%lld", (long long)c->who.user.id, (long long)bytes);
	j = json_new();
	json_text_or_null(j, "madeAt", report.made_at);
	json_int(j, "reservations", report.reservations);
	json_int(j, "upcoming", report.upcoming);
	json_int(j, "logins", report.logins);
	json_flag(j, "links", report.key);
	return call_answer(c, ERR_OK, j);
}
