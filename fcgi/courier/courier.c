/*
 * courier.c - the process that touches the network.
 *
 * NOTHING TWICE.  The report of a message that was handed over is put into the line at once, where it outlives this
 * process; and before a fresh courier looks at the outbox it draws a ticket that says nothing and waits for it, so that
 * every report drawn before is in the book by then.  What is left is the moment between the other side's taking a
 * message and our hearing of it: if we die, or the line breaks, just there, it is sent once more.  SMTP has no way
 * around that (RFC 1047); the second copy has the same Message-ID.
 */
#include "courier.h"

#include "clock.h"
#include "door.h"
#include "failpoint.h"
#include "json.h"
#include "letter.h"
#include "log.h"
#include "mail.h"
#include "run.h"
#include "timeset.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	LOOK_MS = 500, /* how often the outbox is looked at */
	DUE_MAX = 16,  /* messages in one look */
	FIRST_S = 30,  /* after a failure; then twice as long each time, up to OUTBOX_LONGEST_S */
	GIVE_UP_S = 86400,
	GIVE_UP_TRIES = 20, /* fewer than a day has room for */
	HOOK_S = 20,
	REPORT_MS = 20000, /* how long to wait for a report to be written before looking again */
};

static volatile sig_atomic_t stopping;

static void on_stop(int signal)
{
	(void)signal;
	stopping = 1;
}

struct courier {
	struct door door; /* of it: the hall and the key */
	struct db book;   /* read only */
	struct outbox_mail mail;
	char password[256];
};

/* ---- reporting ---- */

/*
 * Draws the ticket and waits until the keeper has written it, without ever taking the pen.  False: not written yet, or it
 * was lost with its segment; to report it once more does no harm, because only what is still queued changes.
 */
static bool report(struct courier *c, const struct ticket_sent *what)
{
	struct ticket_request r = {.kind = TICKET_SENT, .u.sent = *what};
	struct hall *hall = &c->door.hall;
	struct line *l;
	struct ticket_outcome out;
	int64_t until = clock_mono_ms() + REPORT_MS;
	enum line_state state = LINE_QUEUED;
	uint64_t number;

	while (hall_refresh(hall) != ERR_OK || !line_seeded(hall->line) || line_draw(hall->line, &r, &number) != ERR_OK) {
		if (stopping || clock_mono_ms() > until)
			return false;
		clock_sleep_ms(50);
	}
	l = hall->line;
	FAILPOINT("courier.reported");
	while (clock_mono_ms() < until && !shm_gone(&hall->shm)) {
		uint32_t word = line_word(l, number);

		state = line_look(l, number, &out);
		if (state == LINE_DONE || state == LINE_FREE)
			break;
		line_ring_bell(l);
		line_touch(l, number);
		line_sleep(l, number, word, 50);
	}
	line_detach(l, number);
	if (state == LINE_DONE)
		line_collected(l, number);
	return state == LINE_DONE;
}

/* After a day, and enough tries: by a clock that was set forward every message is older than a day. */
static bool is_hopeless(const struct outbox_row *o, int64_t now_s)
{
	int64_t age = now_s - o->created_s;

	return o->attempts + 1 >= GIVE_UP_TRIES && (age > GIVE_UP_S || age < -TIMESET_SLACK_S);
}

/* Later and later, not everybody in the same second. */
static void put_off(const struct outbox_row *o, int64_t now_s, struct ticket_sent *s)
{
	int64_t wait = FIRST_S;
	uint32_t chance;

	for (int i = 0; i < o->attempts && wait < OUTBOX_LONGEST_S; i++)
		wait *= 2;
	wait = wait < OUTBOX_LONGEST_S ? wait : OUTBOX_LONGEST_S;
	token_random(&chance, sizeof chance);
	wait += (int64_t)(chance % (uint32_t)(wait / 4 + 1));
	s->how = is_hopeless(o, now_s) ? SENT_FAILED : SENT_LATER;
	s->next_s = now_s + wait;
}

static void say(struct ticket_sent *s, const char *text)
{
	size_t n = strlen(text);

	n = n < sizeof s->answer ? n : sizeof s->answer - 1;
	while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	memcpy(s->answer, text, n);
	s->answer[n] = '\0';
}

/* ---- sending ---- */

static enum mail_end send_mail(struct courier *c, const struct outbox_row *o, struct letter *l, char answer[MAIL_ANSWER_SIZE])
{
	const char *at = strchr(c->mail.sender, '@');
	char id[320], ca[4200];
	struct buf message = {0};
	struct mail m = {
		.from = c->mail.sender,
		.from_name = l->from_name,
		.to = l->to,
		.subject = l->subject,
		.id = id,
		.text = l->text.data,
		.html = l->html.data,
		.calendar = l->calendar.len ? l->calendar.data : "",
		.method = l->method,
		.now_s = clock_now_s(),
	};
	enum mail_end end = MAIL_NEVER;

	if (strcmp(c->mail.way, "OFF") == 0) {
		snprintf(answer, MAIL_ANSWER_SIZE, "no mail server is set up");
		return MAIL_LATER;
	}
	snprintf(id, sizeof id, "jari.%lld.%lld@%s", (long long)o->id, (long long)o->created_s, at ? at + 1 : "localhost");
	snprintf(ca, sizeof ca, "%s/mail-ca.pem", c->door.dir);
	if (mail_make(&message, &m))
		end = mail_send(&c->mail, c->password, access(ca, R_OK) == 0 ? ca : NULL, l->to, &message, answer);
	else
		snprintf(answer, MAIL_ANSWER_SIZE, "an address or a name that no mail can carry");
	buf_free(&message);
	return end;
}

/* Ours to run: it belongs to us or to root, and nobody else can change it. */
static bool is_safe(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && (st.st_uid == geteuid() || st.st_uid == 0) &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH)) && access(path, X_OK) == 0;
}

static struct json *vars_json(const struct letter *l)
{
	struct json *j = json_new();

	json_text(j, "restaurant", l->house);
	json_text(j, "name", l->name);
	json_text(j, "day", l->day);
	json_text(j, "time", l->time);
	json_text(j, "party", l->party);
	json_text(j, "code", l->code);
	json_text(j, "until", l->until);
	json_text(j, "amount", l->amount);
	json_text(j, "digits", l->digits);
	json_text(j, "link", l->link);
	return j;
}

/* The command gets one JSON on its standard input; nothing personal is in its arguments. */
static enum mail_end send_sms(struct courier *c, const struct outbox_row *o, const struct letter *l,
			      char answer[MAIL_ANSWER_SIZE])
{
	char path[4200], key[48];
	const char *argv[] = {path, NULL};
	struct buf input = {0};
	struct json *j;
	int status;

	snprintf(path, sizeof path, "%s/send-sms", c->door.dir);
	if (!is_safe(path))
		snprintf(path, sizeof path, "/etc/jari/send-sms");
	if (!is_safe(path)) {
		snprintf(answer, MAIL_ANSWER_SIZE, "no command send-sms that belongs to us and that only its owner can change");
		return MAIL_LATER;
	}
	j = json_new();
	snprintf(key, sizeof key, "jari-%lld-%lld", (long long)o->id, (long long)o->created_s);
	json_text(j, "id", key);
	json_text(j, "kind", outbox_word(o->event));
	json_text(j, "to", l->to);
	json_text(j, "lang", l->lang == LANG_KO ? "ko" : "en");
	json_text(j, "text", l->brief);
	json_put(j, "vars", vars_json(l));
	json_print(j, &input);
	json_free(j);
	status = buf_ok(&input) ? run_program(argv, input.data, input.len, HOOK_S, answer, MAIL_ANSWER_SIZE) : RUN_LATER;
	buf_free(&input);
	for (char *p = answer; *p; p++)
		*p = (unsigned char)*p < 0x20 ? ' ' : *p;
	if (status && !*answer)
		snprintf(answer, MAIL_ANSWER_SIZE, "send-sms: exit %d", status);
	return status == 0 ? MAIL_SENT : status == RUN_LATER || status == RUN_TIMED_OUT ? MAIL_LATER : MAIL_NEVER;
}

static void send_one(struct courier *c, const struct outbox_row *o, struct ticket_sent *s)
{
	static const enum ticket_sent_how how[] = {
		[MAIL_SENT] = SENT_OK, [MAIL_LATER] = SENT_LATER, [MAIL_NEVER] = SENT_FAILED};
	struct letter_post post = {.db = &c->book, .key = c->door.key, .mail = &c->mail, .now_s = clock_now_s()};
	char answer[MAIL_ANSWER_SIZE] = "";
	struct letter l;
	const char *why;
	enum mail_end end = MAIL_LATER;
	enum err e = letter_make(&post, o, &l, &why);

	*s = (struct ticket_sent){.outbox_id = o->id, .attempts = o->attempts + 1};
	if (e == ERR_BAD_MOVE) {
		s->how = SENT_SKIPPED;
		s->attempts = o->attempts;
		say(s, why);
		letter_free(&l);
		return;
	}
	if (e == ERR_OK)
		end = o->by_mail ? send_mail(c, o, &l, answer) : send_sms(c, o, &l, answer);
	else
		snprintf(answer, sizeof answer, "the book: %s", err_word(e));
	FAILPOINT("courier.sent");
	letter_free(&l);
	say(s, answer);
	s->how = (int32_t)how[end];
	if (end == MAIL_LATER)
		put_off(o, post.now_s, s);
	log_info("courier.message", "id=%lld event=%s way=%s end=%d try=%d", (long long)o->id, outbox_word(o->event),
		 o->by_mail ? "mail" : "sms", (int)s->how, s->attempts);
}

static enum err look(struct courier *c, int *count, struct outbox_row due[DUE_MAX])
{
	enum err e = db_read_begin(&c->book);
	size_t n;

	*count = 0;
	if (e != ERR_OK)
		return e;
	e = outbox_due(&c->book, clock_now_s(), due, DUE_MAX, count);
	if (e == ERR_OK && *count)
		e = outbox_get_mail(&c->book, &c->mail);
	db_read_end(&c->book);
	n = c->mail.password[0] ? token_unseal(c->door.key, c->mail.password, c->password, sizeof c->password - 1) : 0;
	c->password[n] = '\0';
	return e;
}

/* One look and what it found; false: the book or the line is not to be had just now. */
static bool one_round(struct courier *c)
{
	struct outbox_row due[DUE_MAX];
	struct ticket_sent s;
	int count;

	if (look(c, &count, due) != ERR_OK)
		return false;
	for (int i = 0; i < count && !stopping; i++) {
		send_one(c, &due[i], &s);
		board_courier_here(c->door.hall.board);
		/* Not written: it stands in the line, and a second look before it is served would send it again. */
		while (!report(c, &s) && !stopping)
			log_warn("courier.waits", "message=%lld", (long long)s.outbox_id);
	}
	return true;
}

static bool open_all(struct courier *c, const char *dir)
{
	memset(c, 0, sizeof *c);
	if (door_open(&c->door, dir) != ERR_OK)
		return false;
	return db_open(&c->book, dir, NULL) == ERR_OK;
}

int courier_run(const char *dir, int listen_fd, int place)
{
	static struct courier c;
	struct sigaction ignore = {.sa_handler = SIG_IGN}, stop = {.sa_handler = on_stop};

	(void)listen_fd;
	(void)place; /* never busy for the board's eyes: a mail server may take its time */
	log_name("courier");
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGHUP, &ignore, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
	if (!open_all(&c, dir))
		return EXIT_FAILURE;
	/* What an earlier courier reported must be in the book before we look. */
	while (!stopping && !report(&c, &(struct ticket_sent){.how = SENT_OK}))
		;
	while (!stopping) {
		hall_refresh(&c.door.hall);
		board_courier_here(c.door.hall.board);
		if (db_is_gone(&c.book))
			return EXIT_FAILURE; /* a fresh process opens what is there */
		one_round(&c);
		clock_sleep_ms(LOOK_MS);
	}
	db_close(&c.book);
	door_leave(&c.door);
	return EXIT_SUCCESS;
}
