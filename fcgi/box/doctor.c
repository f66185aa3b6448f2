/*
 * doctor.c - is the box well?
 */
#include "doctor.h"

#include "clock.h"
#include "eyes.h"
#include "facts.h"
#include "mailserver.h"
#include "overview.h"
#include "refunds.h"
#include "role.h"
#include "serving.h"
#include "watch.h"

#include <assert.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
	MISSED_S = 26 * 3600, /* one a day, and two hours for it */
	DRILL_S = 40 * 86400, /* one a month, and some days for it */
	SPARE_S = 180,        /* it is heard of every ten seconds, and that is noted once a minute */
	LOST_S = 7 * 86400,
	FULL_MB = 100,   /* less is soon nothing */
	LOW_MB = 1000,   /* logs alone may fill this in a week */
	QUICK_US = 40,   /* no disk on the market is as quick, unless it keeps what it was given by a battery */
	SLOW_US = 60000, /* a batch of bookings waits for one flush */
	ROOM = 4000,     /* connections of nginx: two a guest, and a rush is a thousand guests */
	TLS_SOON_DAYS = 14,
	TLS_BAD_DAYS = 5, /* of 45 to 90: a renewal is tried from a third of the life on */
	PATH = 4400,
};

static const struct row {
	const char *word, *topic;
	enum doctor_level level;
	const char *ko, *en;
} rows[] = {
#define X(code, topic, level, ko, en) {#code, topic, DOCTOR_##level, ko, en},
	DOCTOR_LIST(X)
#undef X
};

/* One examination. */
struct exam {
	const struct doctor_case *c;
	struct hall *hall; /* NULL: nobody serves, or nobody could tell */
	bool served;
	struct overview book;
	struct mailserver mail;
	struct eyes eyes;
	bool eyes_known;
	void (*tell)(void *, const struct doctor_finding *);
	void *arg;
};

/* Fills {a} and {b} in. */
static void fill(const char *text, const char *a, const char *b, char out[DOCTOR_TEXT])
{
	size_t n = 0;

	while (*text && n < DOCTOR_TEXT - 1) {
		const char *in = strncmp(text, "{a}", 3) == 0 ? a : strncmp(text, "{b}", 3) == 0 ? b : NULL;

		if (!in) {
			out[n++] = *text++;
			continue;
		}
		n += (size_t)snprintf(out + n, DOCTOR_TEXT - n, "%s", in);
		n = n < DOCTOR_TEXT ? n : DOCTOR_TEXT - 1;
		text += 3;
	}
	out[n] = '\0';
}

static void find(const struct exam *x, enum doctor_code code, const char *a, const char *b)
{
	const struct row *row = &rows[code];
	struct doctor_finding f = {.code = code, .level = row->level, .topic = row->topic, .word = row->word};

	fill(x->c->lang == LANG_KO ? row->ko : row->en, a, b, f.text);
	x->tell(x->arg, &f);
}

static void find_number(const struct exam *x, enum doctor_code code, int64_t a)
{
	char text[24];

	snprintf(text, sizeof text, "%lld", (long long)a);
	find(x, code, text, "");
}

/* "3 h", as people say it. */
static const char *age(const struct exam *x, int64_t since_s, char out[32])
{
	static const struct {
		int64_t up_to, unit;
		const char *ko, *en;
	} units[] = {{7200, 60, "분", " min"}, {172800, 3600, "시간", " h"}, {INT64_MAX, 86400, "일", " days"}};
	int64_t s = x->c->now_s > since_s ? x->c->now_s - since_s : 0;
	size_t i = 0;

	while (s >= units[i].up_to)
		i++;
	snprintf(out, 32, "%lld%s", (long long)(s / units[i].unit), x->c->lang == LANG_KO ? units[i].ko : units[i].en);
	return out;
}

/* ---- jari itself ---- */

static void look_at_serving(const struct exam *x)
{
	enum err sick = x->hall ? watch_health(x->hall) : ERR_OK;

	if (role_of(x->c->dir) != ROLE_SERVES)
		return; /* look_at_spare says what it is */
	if (!x->c->db)
		find(x, DOCTOR_BOOK_SHUT, err_sentence(x->c->why, x->c->lang), "");
	find(x, x->served ? DOCTOR_SERVED : DOCTOR_NOT_SERVED, "", "");
	if (x->hall && x->served)
		find(x, sick == ERR_OK ? DOCTOR_LINE_WELL : DOCTOR_LINE_SICK, err_sentence(sick, x->c->lang), "");
}

static void look_at_clock(const struct exam *x)
{
	struct clockwatch *w = x->hall ? x->hall->clock : NULL;
	int64_t step = w ? clockwatch_last_step(w) : 0;

	if (w && clockwatch_doubted(w))
		find_number(x, DOCTOR_CLOCK_DOUBTED, step / 86400);
	else if (w && !clockwatch_settled(w) && step)
		find_number(x, DOCTOR_CLOCK_SET, step);
	else if (x->eyes_known && x->eyes.by_network == 0)
		find(x, DOCTOR_CLOCK_ALONE, "", "");
	else
		find(x, DOCTOR_CLOCK_WELL, "", "");
}

/* ---- the disk ---- */

static const char *forgetful(const char *dir)
{
	struct statfs v;

	if (statfs(dir, &v) != 0)
		return NULL;
	return v.f_type == TMPFS_MAGIC ? "tmpfs" : v.f_type == RAMFS_MAGIC ? "ramfs" : NULL;
}

static void look_at_flush(const struct exam *x)
{
	int us = x->eyes_known ? x->eyes.flush_us : EYES_UNKNOWN;
	char ms[24];

	if (us == EYES_UNKNOWN)
		return;
	snprintf(ms, sizeof ms, "%d.%02d", us / 1000, us % 1000 / 10);
	find(x, us < QUICK_US ? DOCTOR_FLUSH_QUICK : us > SLOW_US ? DOCTOR_FLUSH_SLOW : DOCTOR_FLUSH_WELL, ms, "");
}

static void look_at_disk(const struct exam *x)
{
	int64_t bytes = watch_free_bytes(x->c->dir), mb = bytes >> 20, need = x->book.bytes * 3 >> 20;
	const char *memory = forgetful(x->c->dir);
	struct statvfs v;
	char gb[24];

	if (statvfs(x->c->dir, &v) == 0 && v.f_flag & ST_RDONLY) {
		find(x, DOCTOR_DISK_READ_ONLY, "", "");
		return;
	}
	snprintf(gb, sizeof gb, "%.1f", (double)mb / 1024);
	if (memory)
		find(x, DOCTOR_DISK_FORGETS, memory, "");
	else if (mb < FULL_MB)
		find_number(x, DOCTOR_DISK_FULL, mb);
	else if (mb < LOW_MB || mb < need)
		find_number(x, DOCTOR_DISK_LOW, mb);
	else
		find(x, DOCTOR_DISK_WELL, gb, "");
	if (!memory)
		look_at_flush(x);
}

/* True when something was said of it. */
static bool look_at_file(const struct exam *x, const char *name, const struct stat *folder)
{
	char path[PATH];
	struct stat st;

	snprintf(path, sizeof path, "%s/%s", x->c->dir, name);
	if (lstat(path, &st) != 0)
		return false;
	if (st.st_uid != folder->st_uid && !(st.st_mode & S_IWGRP && st.st_gid == folder->st_gid)) {
		find(x, DOCTOR_FILES_FOREIGN, path, x->c->dir);
		return true;
	}
	/* A folder that is shut to the others shuts what is in it. */
	if (!(st.st_mode & S_IRWXO) || !(folder->st_mode & S_IXOTH))
		return false;
	find(x, DOCTOR_FILES_OPEN, path, path);
	return true;
}

static void look_at_files(const struct exam *x)
{
	static const char *const names[] = {"jari.db", "jari.db-wal", "secret.key"};
	struct stat folder;
	bool said = false;

	if (stat(x->c->dir, &folder) != 0)
		return;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		said |= look_at_file(x, names[i], &folder);
	if (!said)
		find(x, DOCTOR_FILES_WELL, "", "");
}

/* ---- copies ---- */

/* Since when there has been something to lose. */
static int64_t book_since(const struct exam *x)
{
	char path[PATH];
	struct stat st;

	snprintf(path, sizeof path, "%s/secret.key", x->c->dir);
	return stat(path, &st) == 0 ? st.st_mtime : x->c->now_s;
}

static void look_at_backup(const struct exam *x)
{
	char why[400], ago[32];
	int64_t last = x->book.backup_s, failed = facts_get(x->c->dir, FACT_BACKUP_BAD, why, sizeof why);

	if (failed && failed >= last)
		find(x, DOCTOR_BACKUP_FAILED, age(x, failed, ago), why);
	else if (last && x->c->now_s - last > MISSED_S)
		find(x, DOCTOR_BACKUP_OLD, age(x, last, ago), "");
	else if (last)
		find(x, DOCTOR_BACKUP_WELL, age(x, last, ago), "");
	else
		find(x, x->c->now_s - book_since(x) > MISSED_S ? DOCTOR_BACKUP_NONE : DOCTOR_BACKUP_NEW, "", "");
}

static void look_at_copies(const struct exam *x)
{
	char why[400], ago[32];
	int64_t last = facts_get(x->c->dir, FACT_AWAY, NULL, 0), failed = facts_get(x->c->dir, FACT_AWAY_BAD, why, sizeof why);

	if (failed && failed >= last)
		find(x, DOCTOR_AWAY_FAILED, age(x, failed, ago), why);
	else if (!last)
		find(x, DOCTOR_AWAY_NONE, "", "");
	else
		find(x, x->c->now_s - last > MISSED_S ? DOCTOR_AWAY_OLD : DOCTOR_AWAY_WELL, age(x, last, ago), "");
}

/* A few seconds count here. */
static const char *short_age(const struct exam *x, int64_t since_s, char out[32])
{
	int64_t s = x->c->now_s > since_s ? x->c->now_s - since_s : 0;

	if (s >= 120)
		return age(x, since_s, out);
	snprintf(out, 32, x->c->lang == LANG_KO ? "%lld초" : "%lld s", (long long)s);
	return out;
}

/* A house with one box hears nothing of it. */
static void look_at_spare(const struct exam *x)
{
	char why[400], ago[32];
	int64_t last = x->book.spare_s, failed = facts_get(x->c->dir, FACT_MIRROR_BAD, why, sizeof why);
	struct role_replaced gone;

	if (role_replaced(x->c->dir, &gone)) {
		find(x, DOCTOR_BOX_REPLACED, short_age(x, gone.when_s, ago), "");
		return;
	}
	if (failed && x->c->now_s - last > SPARE_S)
		find(x, DOCTOR_SPARE_FAILED, short_age(x, last ? last : failed, ago), why);
	else if (last)
		find(x, x->c->now_s - last > SPARE_S ? DOCTOR_SPARE_OLD : DOCTOR_SPARE_WELL, short_age(x, last, ago), "");
	last = facts_get(x->c->dir, FACT_LOST, why, sizeof why);
	if (last && x->c->now_s - last < LOST_S) {
		why[strlen(why) - (*why != '\0')] = '\0'; /* " 57, 58," */
		find(x, DOCTOR_LOST_SEEN, why + strspn(why, " "), short_age(x, last, ago));
	}
}

static void look_at_drill(const struct exam *x)
{
	char why[400], ago[32];
	int64_t last = facts_get(x->c->dir, FACT_DRILL, NULL, 0),
		failed = facts_get(x->c->dir, FACT_DRILL_BAD, why, sizeof why);

	if (failed && failed >= last)
		find(x, DOCTOR_DRILL_FAILED, age(x, failed, ago), why);
	else
		find(x, last && x->c->now_s - last < DRILL_S ? DOCTOR_DRILL_WELL : DOCTOR_DRILL_NONE, age(x, last, ago), "");
}

/* ---- the door and the post ---- */

static void look_at_certificate(const struct exam *x)
{
	int64_t end = x->eyes.certificate_s, days = (end - x->c->now_s) / 86400;

	if (end == EYES_UNKNOWN)
		return;
	if (!end)
		find(x, DOCTOR_TLS_NONE, "", "");
	else
		find_number(x,
			    days < TLS_BAD_DAYS  ? DOCTOR_TLS_OVER :
			    days < TLS_SOON_DAYS ? DOCTOR_TLS_SOON :
						   DOCTOR_TLS_WELL,
			    days);
}

static void look_at_door(const struct exam *x)
{
	if (!x->eyes_known)
		return;
	look_at_certificate(x);
	if (x->eyes.connections != EYES_UNKNOWN)
		find_number(x, x->eyes.connections < ROOM ? DOCTOR_NGINX_SMALL : DOCTOR_NGINX_WELL, x->eyes.connections);
	if (x->eyes.tunnel)
		find(x, x->eyes.tunnel == 2 ? DOCTOR_TUNNEL_LOCAL : DOCTOR_TUNNEL_WELL, x->eyes.tunnel_name, "");
}

static void look_at_post(const struct exam *x)
{
	if (x->hall && x->served)
		find(x, board_courier_seen(x->hall->board) ? DOCTOR_COURIER_WELL : DOCTOR_COURIER_GONE, "", "");
	if (!x->c->db)
		return;
	if (strcmp(x->mail.way, "OFF") == 0)
		find(x, DOCTOR_MAIL_OFF, "", "");
	else if (x->book.messages_failed)
		find_number(x, DOCTOR_MAIL_FAILED, x->book.messages_failed);
	else
		find(x, DOCTOR_MAIL_WELL, "", "");
}

/* What is asked first, for whatever is told of it. */
static struct exam begin(const struct doctor_case *c)
{
	struct exam x = {.c = c};

	assert(c->dir);
	x.served = serving_pid(c->dir) != 0;
	x.hall = c->db ? c->db->hall : NULL;
	overview_files(c->dir, &x.book);
	snprintf(x.mail.way, sizeof x.mail.way, "OFF");
	if (c->db) {
		overview_read(c->db, c->dir, c->now_s, &x.book);
		mailserver_get(c->db, &x.mail);
	}
	if (c->hands) {
		eyes_look(c->dir, c->etc, &x.eyes);
		eyes_note(c->dir, c->now_s, &x.eyes);
	}
	x.eyes_known = c->hands || eyes_noted(c->dir, c->now_s, &x.eyes);
	return x;
}

/* A house where nobody pays online hears nothing of it. */
static void look_at_money(const struct exam *x)
{
	struct paysettings set;
	bool online = false;
	int64_t failed = 0;

	for (int p = INTENT_DESK + 1; x->c->db && p < INTENT_PROVIDERS_MAX && !online; p++)
		if (paysettings_next(x->c->db, (enum intent_provider)p, 0, &set, &online) != ERR_OK)
			return;
	if (online && x->hall && x->served)
		find(x, board_cashier_seen(x->hall->board) ? DOCTOR_CASHIER_WELL : DOCTOR_CASHIER_GONE, "", "");
	if (x->c->db && refunds_needy(x->c->db, x->c->now_s, &failed) == ERR_OK && failed)
		find_number(x, DOCTOR_REFUNDS_FAILED, failed);
}

static void look_at_all(const struct exam *x)
{
	look_at_serving(x);
	look_at_clock(x);
	look_at_disk(x);
	look_at_files(x);
	look_at_backup(x);
	look_at_copies(x);
	look_at_drill(x);
	look_at_spare(x);
	look_at_door(x);
	look_at_post(x);
	look_at_money(x);
}

void doctor_examine(const struct doctor_case *c, void (*tell)(void *arg, const struct doctor_finding *f), void *arg)
{
	struct exam x = begin(c);

	x.tell = tell;
	x.arg = arg;
	look_at_all(&x);
}

/* ---- one line ---- */

struct line {
	enum doctor_level level;
	char *worst;
	bool clock_right;
};

static void take_worst(void *arg, const struct doctor_finding *f)
{
	struct line *l = arg;

	l->clock_right &= strcmp(f->topic, "clock") != 0 || f->level == DOCTOR_WELL;
	if (f->level == DOCTOR_BAD && l->level != DOCTOR_BAD)
		snprintf(l->worst, DOCTOR_TEXT, "%s", f->text);
	l->level = f->level > l->level ? f->level : l->level;
}

static void add_part(char line[DOCTOR_LINE], const char *before, const char *value, const char *after)
{
	size_t n = strlen(line);

	snprintf(line + n, DOCTOR_LINE - n, "%s%s%s%s", n ? " · " : "", before, value, after);
}

static void add_age(const struct exam *x, char line[DOCTOR_LINE], const char *what, int64_t since_s)
{
	bool ko = x->c->lang == LANG_KO;
	char ago[32];

	if (since_s)
		add_part(line, what, age(x, since_s, ago), ko ? " 전" : " ago");
	else
		add_part(line, what, ko ? "없음" : "none", "");
}

enum doctor_level doctor_line(const struct doctor_case *c, char line[DOCTOR_LINE], char worst[DOCTOR_TEXT])
{
	struct line l = {.worst = worst, .clock_right = true};
	struct exam x = begin(c);
	bool ko = c->lang == LANG_KO;
	char number[32];

	line[0] = worst[0] = '\0';
	x.tell = take_worst;
	x.arg = &l;
	look_at_all(&x);
	add_age(&x, line, ko ? "백업 " : "Backup ", x.book.backup_s);
	add_age(&x, line, ko ? "외부 사본 " : "copy elsewhere ", facts_get(c->dir, FACT_AWAY, NULL, 0));
	if (x.book.spare_s)
		add_part(line, ko ? "예비 기기 " : "spare ", short_age(&x, x.book.spare_s, number), ko ? " 전" : " ago");
	snprintf(number, sizeof number, "%.1f", (double)(watch_free_bytes(c->dir) >> 20) / 1024);
	add_part(line, ko ? "디스크 여유 " : "", number, ko ? " GB" : " GB free");
	add_part(line, ko ? "시계 " : "clock ",
		 l.clock_right ? (ko ? "정상" : "right") : (ko ? "확인 필요" : "to be looked at"), "");
	if (x.eyes_known && x.eyes.certificate_s > 0) {
		snprintf(number, sizeof number, "%lld", (long long)((x.eyes.certificate_s - c->now_s) / 86400));
		add_part(line, ko ? "인증서 " : "certificate ", number, ko ? "일" : " days");
	}
	add_part(line, ko ? "메일 " : "mail ", strcmp(x.mail.way, "OFF") == 0 ? (ko ? "꺼짐" : "off") : (ko ? "켜짐" : "on"),
		 "");
	return l.level;
}
