/*
 * api_box.c - the box at a glance, for its owner; and who is logged in.
 */
#include "route.h"

#include "auth.h"
#include "doctor.h"
#include "mailserver.h"
#include "overview.h"
#include "run.h"
#include "staff.h"
#include "version.h"

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

enum err api_box(struct call *c)
{
	char path[RUN_PATH], when[CLOCK_ISO_SIZE] = "", now[CLOCK_ISO_SIZE];
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
	clock_iso(c->now_s, now);
	if (book.backup_s)
		clock_iso(book.backup_s, when);
	json_text(j, "now", now);
	json_text(j, "version", JARI_VERSION);
	json_int(j, "bookBytes", book.bytes);
	json_text_or_null(j, "lastBackup", when);
	add_disk(j, c->door->dir);
	json_text(j, "mail", m.way);
	json_flag(j, "smsCommand", run_find(c->door->dir, "send-sms", path));
	json_flag(j, "courier", board_courier_seen(c->door->hall.board));
	json_put(j, "checks", list_checks(c));
	json_put(j, "sessions", logins);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

enum err api_session_end(struct call *c)
{
	char actor[32];
	enum err e;

	in_only(&c->body, NULL);
	e = call_body(c);
	call_actor(c, 0, actor);
	if (e == ERR_OK)
		e = staff_end_login(c->db, c->req->path_ids[0], actor, c->now_s);
	return call_done(c, e);
}
