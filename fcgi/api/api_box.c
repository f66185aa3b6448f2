/*
 * api_box.c - the box at a glance, for its owner; and who is logged in.
 */
#include "route.h"

#include "auth.h"
#include "backup.h"
#include "doctor.h"
#include "facts.h"
#include "log.h"
#include "mailserver.h"
#include "overview.h"
#include "run.h"
#include "staff.h"
#include "version.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

static void add_disk(struct json *j, const char *dir)
{
	struct statvfs v;

	if (statvfs(dir, &v) != 0)
		return;
	json_int(j, "diskFreeMB", (int64_t)(v.f_bavail * v.f_frsize >> 20));
}

static void add_check(void *arg, const struct doctor_finding *f)
{
	static const char *const levels[] = {"well", "soon", "bad"};
	struct json *j = json_new();

	json_text(j, "about", f->topic);
	json_text(j, "code", f->word);
	json_text(j, "level", levels[f->level]);
	json_text(j, "text", f->text);
	json_push(arg, j);
}

/* What `jari doctor` says; what only root can see, as it was last seen. */
static struct json *list_checks(struct call *c)
{
	struct json *list = json_list();

	doctor_examine(&(struct doctor_case){.dir = c->door->dir, .db = c->db, .lang = c->req->lang, .now_s = c->now_s},
		       add_check, list);
	return list;
}

enum err api_box_line(struct call *c)
{
	static const char *const levels[] = {"well", "soon", "bad"};
	char line[DOCTOR_LINE], worst[DOCTOR_TEXT];
	enum doctor_level level = doctor_line(
		&(struct doctor_case){.dir = c->door->dir, .db = c->db, .lang = c->req->lang, .now_s = c->now_s}, line, worst);
	struct json *j = json_new();

	json_text(j, "level", levels[level]);
	json_text(j, "text", line);
	json_text_if(j, "worst", worst);
	return call_answer(c, ERR_OK, j);
}

/* ---- a backup, to take away ---- */

static enum err write_file(struct call *c, call_part *part, const void *list)
{
	char bytes[1 << 14];
	ssize_t n;
	off_t at = 0;

	while ((n = pread(*(const int *)list, bytes, sizeof bytes, at)) > 0) {
		buf_add(&c->reply->body, bytes, (size_t)n);
		at += n;
		if (!part(c))
			break;
	}
	return n < 0 ? ERR_UNKNOWN : ERR_OK;
}

/* It has no name any more while it is sent: nothing is left of it, however this ends. */
static enum err make_copy(struct call *c, int *fd)
{
	char path[4200];
	enum err e;

	snprintf(path, sizeof path, "%s/download-%d.db", c->door->dir, (int)getpid());
	e = backup_make(c->door->dir, path);
	if (e == ERR_OK || e == ERR_BACKUP_STRANGE)
		*fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	unlink(path);
	if (*fd >= 0)
		return ERR_OK;
	return e == ERR_OK || e == ERR_BACKUP_STRANGE ? ERR_BOOK_UNWRITABLE : e;
}

/* Book and key in one file: a tablet that lies about is not enough to take them away. */
enum err api_backup(struct call *c)
{
	char password[516], date[CLOCK_ISO_SIZE], disposition[80];
	struct user u;
	int fd = -1;
	enum err e;

	in_only(&c->body, "password", NULL);
	in_text(&c->body, "password", IN_REQUIRED, TOKEN_PASSWORD_MAX, password, sizeof password);
	e = call_body(c);
	if (e == ERR_OK)
		e = users_get(c->db, c->who.user.id, &u);
	if (e == ERR_OK)
		e = call_password(c, &u, true, password);
	memset(password, 0, sizeof password);
	if (e == ERR_OK)
		e = make_copy(c, &fd);
	if (e != ERR_OK)
		return e;
	log_info("backup.downloaded", "by=user:%lld", (long long)u.id);
	clock_iso(c->now_s, date);
	snprintf(disposition, sizeof disposition, "attachment; filename=\"jari-%.10s.db\"", date);
	reply_header(c->reply, "Content-Disposition", disposition);
	c->reply->type = "application/octet-stream";
	e = call_send_list(c, write_file, &fd);
	close(fd);
	if (e == ERR_OK && !c->gone && !c->reply->cut)
		facts_put(c->door->dir, FACT_AWAY, c->now_s, "");
	return e;
}

enum err api_box(struct call *c)
{
	char path[RUN_PATH];
	struct json *j, *logins = json_list();
	struct overview book;
	struct mailserver m;
	enum err e = overview_read(c->db, c->door->dir, c->now_s, &book);

	if (e == ERR_OK)
		e = mailserver_get(c->db, &m);
	if (e == ERR_OK)
		e = staff_logins(c->db, c->who.user.restaurant_id, c->now_s - AUTH_STAFF_HOURS * INT64_C(3600), json_row,
				 logins);
	if (e != ERR_OK) {
		json_free(logins);
		return e;
	}
	j = json_new();
	json_moment(j, "now", c->now_s);
	json_text(j, "version", JARI_VERSION);
	json_int(j, "bookBytes", book.bytes);
	json_moment_or_null(j, "lastBackup", book.backup_s);
	add_disk(j, c->door->dir);
	json_text(j, "mail", m.way);
	json_flag(j, "smsCommand", run_find(c->door->dir, "send-sms", path));
	json_flag(j, "courier", board_courier_seen(c->door->hall.board));
	json_flag(j, "cashier", board_cashier_seen(c->door->hall.board));
	json_put(j, "checks", list_checks(c));
	json_put(j, "sessions", logins);
	return call_answer(c, ERR_OK, j);
}

enum err api_session_end(struct call *c)
{
	enum err e;

	in_only(&c->body, NULL);
	e = call_body(c);
	if (e == ERR_OK)
		e = staff_end_login(c->db, c->req->path_ids[0], call_by(c), c->now_s);
	return call_done(c, e);
}
