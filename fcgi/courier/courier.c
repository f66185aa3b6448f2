/*
 * courier.c - the process that sends what is in the outbox.
 *
 * NOTHING TWICE.  The report of a message that was handed over is put into the line at once, where it outlives this
 * process; and before a fresh courier looks at the outbox it draws a ticket that says nothing and waits for it, so that
 * every report drawn before is in the book by then.  What is left is the moment between the other side's taking a
 * message and our hearing of it: if we die, or the line breaks, just there, it is sent once more.  SMTP has no way
 * around that (RFC 1047); the second copy has the same Message-ID.
 *
 * A CODE DOES NOT WAIT.  Codes have a process of their own, so that neither a flood of other messages nor a server that
 * hangs on one of them delays a guest who looks at an empty field.  Each process sends one message at a time and asks again after
 * each what is most urgent.
 *
 * NO GUEST IS FLOODED.  When a letter is ready to go it is counted against its reservation and its recipient (dispatch_room), and one to an
 * address that was only typed against all such of its restaurant.  One that finds no room is put off, and when there is room it says
 * what is so then, or has lost its sense.
 *
 * MAIL AND TEXT MESSAGES SHARE THE TIME.  The way that has had less of it goes first, so that a mail server that hangs delays a text
 * message by one time-out at most, and a command that hangs a mail.
 */
#include "courier.h"

#include "clock.h"
#include "door.h"
#include "failpoint.h"
#include "letter.h"
#include "log.h"
#include "role.h"
#include "send.h"
#include "slip.h"
#include "stop.h"
#include "timeset.h"
#include "dispatch.h"
#include "mailserver.h"

#include <assert.h>
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	REST_MS = 2000,   /* how long to sleep at most while nothing is written: what was put off becomes due by the clock */
	AHEAD_MS = 10000, /* how often to look for what was put off by a wrong clock */
	FIRST_S = 30,     /* after a failure; then twice as long each time, up to DISPATCH_LONGEST_S */
	GIVE_UP_S = 86400,
	GIVE_UP_TRIES = 20, /* fewer than a day has room for */
	REPORT_MS = 20000,  /* how long to try to draw the ticket of a report */
	RUN = 3,            /* recipients refused one after the other: it is us whom the server refuses */
	RUN_S = 14400,      /* none of them longer after the one before */
};

/* What a courier process sends, in this order. */
static const struct lane {
	const char *name;
	enum dispatch_urgency first, last;
	int look_ms;    /* how often the outbox is looked at while the book is written to */
	int patience_s; /* with a mail server */
} lanes[] = {
	{"courier", DISPATCH_OFFERS, DISPATCH_REST, 500, 60},
	{"codes", DISPATCH_CODES, DISPATCH_CODES, 200, 20},
};
enum { LANES = sizeof lanes / sizeof lanes[0] };

struct courier {
	struct door door; /* of it: the hall and the key */
	struct db book;   /* read only */
	struct mailserver mail;
	char password[LENGTHS_SIZE(LENGTHS_MAIL_PASSWORD)];
	const struct lane *lane;
	int64_t last_restaurant; /* whose message went last: the next one's turn comes after it */
	int64_t ahead_ms;        /* when to look again for what a wrong clock put off */
	int64_t used_ms[2];      /* the time that text messages have had, and mail */
	struct refusal {
		struct dispatch_row row;
		int64_t recipient;
	} run[RUN]; /* refused for good, and nothing was taken since */
	int run_length;
	int64_t run_s; /* when the last of them was */
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
	int64_t until = clock_mono_ms() + REPORT_MS;
	enum slip_state state;
	struct ticket_outcome out;
	struct slip slip;

	while (!slip_draw(hall, &r, &slip)) {
		if (stop_asked || clock_mono_ms() > until)
			return false;
		clock_sleep_ms(50);
	}
	FAILPOINT("courier.reported");
	while ((state = slip_look(hall, &slip, 50, &out)) == SLIP_WAITS)
		;
	return state == SLIP_WRITTEN && out.err == ERR_OK;
}

/* Not written: it may stand in the line, and a second look before it is served would send the message again. */
static void report_surely(struct courier *c, const struct ticket_sent *s)
{
	while (!report(c, s) && !stop_asked) {
		log_warn("courier.waits", "message=%lld", (long long)s->outbox_id);
		clock_sleep_ms(c->lane->look_ms);
	}
}

/* After a day, and enough tries: by a clock that was set forward every message is older than a day. */
static bool is_hopeless(const struct dispatch_row *o, int64_t now_s)
{
	int64_t age = now_s - o->created_s;

	return o->attempts + 1 >= GIVE_UP_TRIES && (age > GIVE_UP_S || age < -TIMESET_SLACK_S);
}

/* Later and later, not everybody in the same second. */
static void put_off(const struct dispatch_row *o, int64_t now_s, struct ticket_sent *s)
{
	int64_t wait = FIRST_S;
	uint32_t chance;

	for (int i = 0; i < o->attempts && wait < DISPATCH_LONGEST_S; i++)
		wait *= 2;
	wait = wait < DISPATCH_LONGEST_S ? wait : DISPATCH_LONGEST_S;
	token_random(&chance, sizeof chance);
	wait += (int64_t)(chance % (uint32_t)(wait / 4 + 1));
	s->how = is_hopeless(o, now_s) ? SENT_FAILED : SENT_LATER;
	s->next_s = now_s + wait;
}

static void say(struct ticket_sent *s, const char *text)
{
	snprintf(s->answer, sizeof s->answer, "%.*s", text_fit(text, sizeof s->answer - 1), text);
}

/* ---- not too many ---- */

/*
 * Who gets it, as a number that says nothing without the box's key.  All spellings of a mailbox are one recipient; an address
 * that was only typed has a count of its own, so that a stranger cannot use up its owner's.
 */
static int64_t recipient_of(const struct courier *c, const struct dispatch_row *o, const struct letter *l)
{
	char plain[TEXT_MAILBOX_SIZE];
	const char *texts[] = {"recipient", o->by_mail ? "mail" : "sms", l->typed ? "typed" : "proven", plain};
	size_t n = 0;

	if (o->by_mail)
		text_mailbox(l->to, plain);
	for (const char *p = l->to; !o->by_mail && *p; p++)
		if (isdigit((unsigned char)*p))
			plain[n++] = *p;
	if (!o->by_mail)
		plain[n] = '\0';
	return token_card_of(c->door.key, texts, sizeof texts / sizeof texts[0]);
}

static bool is_counted(const struct dispatch_row *o)
{
	return o->event != OUTBOX_CODE && o->event != OUTBOX_TEST; /* proofs.c counts the one, the owner asks for the other */
}

/* A cancellation is one for each reservation that they were told of, or the house's. */
static bool is_paced(const struct dispatch_row *o, const struct letter *l)
{
	return l->typed && is_counted(o) && o->event != OUTBOX_CANCELLED && o->event != OUTBOX_REFUSED;
}

/* Looked at again every hour at least: by then it may have lost its sense.  Not all in the same second, and the older the less often. */
static void wait_until(const struct dispatch_row *o, int64_t until_s, int64_t now_s, struct ticket_sent *s)
{
	int64_t age_s = now_s - o->created_s, spread_s = 60 + (age_s > 0 ? age_s / 2 : 0);
	uint32_t chance;

	token_random(&chance, sizeof chance);
	spread_s = spread_s < DISPATCH_LONGEST_S ? spread_s : DISPATCH_LONGEST_S;
	s->how = age_s > GIVE_UP_S ? SENT_FAILED : SENT_LATER; /* given up is what the desk is shown */
	s->attempts = o->attempts;
	s->next_s = (until_s < now_s + DISPATCH_LONGEST_S ? until_s : now_s + DISPATCH_LONGEST_S) + 1 + chance % spread_s;
}

/* True: there is no room for it now, and *s says so. */
static bool holds_back(struct courier *c, const struct dispatch_row *o, const struct letter *l, int64_t now_s,
		       struct ticket_sent *s)
{
	int64_t until_s = 0;
	int retry_s = 0;

	if (!is_counted(o) || dispatch_room(&c->book, o, s->recipient, l->typed, now_s, &until_s) != ERR_OK)
		return false;
	if (until_s) {
		wait_until(o, until_s, now_s, s);
		say(s, s->how == SENT_FAILED ? "too many messages to this recipient" :
					       "put off: many messages to this recipient; the newest state is sent later");
		return true;
	}
	if (!is_paced(o, l) || rate_within(c->door.hall.rate, RATE_TELL, (uint64_t)o->restaurant_id, &retry_s))
		return false;
	wait_until(o, now_s + retry_s, now_s, s);
	say(s, s->how == SENT_FAILED ? "too many messages to addresses that were only typed" :
				       "put off: many messages to addresses that were only typed");
	return true;
}

/*
 * A server that refuses one recipient after another for good means us: a quota, a sender that it no longer likes.  Then
 * nothing is given up, and what was given up since it began is taken back.  Addresses that do not exist say nothing about us.
 */
static void weigh(struct courier *c, const struct dispatch_row *o, enum mail_end end, int64_t now_s, struct ticket_sent *s)
{
	char text[sizeof s->answer];

	if (end == MAIL_SENT || now_s - c->run_s > RUN_S)
		c->run_length = 0;
	if (end != MAIL_NEVER || (o->by_mail && mail_is_about_address(s->answer)))
		return;
	c->run_s = now_s;
	for (int i = 0; i < c->run_length; i++)
		if (c->run[i].recipient == s->recipient && c->run_length < RUN)
			return; /* the same one again */
	if (c->run_length < RUN)
		c->run[c->run_length++] = (struct refusal){.row = *o, .recipient = s->recipient};
	if (c->run_length < RUN)
		return;
	snprintf(text, sizeof text, "everybody is refused: %.170s", s->answer);
	say(s, text);
	for (int i = 0; i < RUN - 1 && c->run[i].row.id; i++) {
		struct ticket_sent back = *s;

		back.outbox_id = c->run[i].row.id;
		back.attempts = c->run[i].row.attempts + 1;
		back.state[0] = '\0';
		put_off(&c->run[i].row, now_s, &back);
		report_surely(c, &back);
		c->run[i].row.id = 0;
	}
	put_off(o, now_s, s);
}

/* ---- one message ---- */

static void hand_over(struct courier *c, const struct dispatch_row *o, struct letter *l, int64_t now_s, struct ticket_sent *s)
{
	static const enum ticket_sent_how how[] = {
		[MAIL_SENT] = SENT_OK, [MAIL_LATER] = SENT_LATER, [MAIL_NEVER] = SENT_FAILED};
	char answer[MAIL_ANSWER_SIZE] = "";
	struct send by = {.dir = c->door.dir, .mail = &c->mail, .password = c->password, .patience_s = c->lane->patience_s};
	enum mail_end end = send_letter(&by, o, l, answer);

	FAILPOINT("courier.sent");
	say(s, answer);
	s->how = (int32_t)how[end];
	if (end == MAIL_LATER)
		put_off(o, now_s, s);
	if (end != MAIL_SENT && is_paced(o, l))
		rate_give_back(c->door.hall.rate, RATE_TELL, (uint64_t)o->restaurant_id);
	weigh(c, o, end, now_s, s);
	log_info("courier.message", "id=%lld event=%s way=%s end=%d try=%d", (long long)o->id, outbox_word(o->event),
		 o->by_mail ? "mail" : "sms", (int)s->how, s->attempts);
}

static void send_one(struct courier *c, const struct dispatch_row *o, struct ticket_sent *s)
{
	struct letter_post post = {.db = &c->book, .key = c->door.key, .mail = &c->mail, .now_s = clock_now_s()};
	struct letter l;
	const char *why;
	char text[64];
	enum err e = letter_make(&post, o, &l, &why);

	*s = (struct ticket_sent){.outbox_id = o->id, .attempts = o->attempts + 1};
	memcpy(s->state, l.state, sizeof s->state);
	if (e == ERR_OK) {
		s->recipient = recipient_of(c, o, &l);
		if (!holds_back(c, o, &l, post.now_s, s))
			hand_over(c, o, &l, post.now_s, s);
		s->recipient = is_counted(o) ? s->recipient : 0;
	} else if (e == ERR_BAD_MOVE) {
		s->how = SENT_SKIPPED;
		s->attempts = o->attempts;
		say(s, why);
	} else {
		snprintf(text, sizeof text, "the book: %s", err_word(e));
		say(s, text);
		put_off(o, post.now_s, s);
	}
	letter_free(&l);
}

/* The most urgent that is due by that way. */
static enum err find_by(struct courier *c, bool by_mail, int64_t now_s, struct dispatch_row *o, bool *found)
{
	enum dispatch_urgency u = c->lane->first;
	enum err e = dispatch_next(&c->book, by_mail, u, c->last_restaurant, now_s, o, found);

	while (e == ERR_OK && !*found && u < c->lane->last)
		e = dispatch_next(&c->book, by_mail, ++u, c->last_restaurant, now_s, o, found);
	return e;
}

/* What is due: of the way that has had less time, else of the other.  A way with nothing to send saves up no time. */
static enum err find_due(struct courier *c, int64_t now_s, struct dispatch_row *o, bool *found)
{
	bool by_mail = c->used_ms[true] <= c->used_ms[false];
	enum err e = find_by(c, by_mail, now_s, o, found);

	if (e != ERR_OK || *found)
		return e;
	c->used_ms[by_mail] = c->used_ms[!by_mail];
	return find_by(c, !by_mail, now_s, o, found);
}

/* What goes next: what is due, and now and then what was put off by a wrong clock. */
static enum err find_next(struct courier *c, struct dispatch_row *o, bool *found)
{
	int64_t now_s = clock_now_s();
	enum err e = find_due(c, now_s, o, found);

	if (e != ERR_OK || *found || clock_mono_ms() < c->ahead_ms)
		return e;
	e = dispatch_ahead(&c->book, c->lane->first, now_s, o, found);
	if (e == ERR_OK && !*found)
		e = dispatch_ahead(&c->book, c->lane->last, now_s, o, found);
	if (!*found && c->lane->first != DISPATCH_CODES) /* of codes there are few, and none may wait */
		c->ahead_ms = clock_mono_ms() + AHEAD_MS;
	return e;
}

static enum err look(struct courier *c, struct dispatch_row *o, bool *found)
{
	enum err e = db_read_begin(&c->book);
	size_t n;

	*found = false;
	if (e != ERR_OK)
		return e;
	e = find_next(c, o, found);
	if (e == ERR_OK && *found)
		e = mailserver_get(&c->book, &c->mail);
	db_read_end(&c->book);
	n = c->mail.password[0] ? token_unseal(c->door.key, c->mail.password, c->password, sizeof c->password - 1) : 0;
	c->password[n] = '\0';
	return e;
}

/* One look and what it found; false: nothing, or the book is not to be had just now. */
static bool one_round(struct courier *c)
{
	struct dispatch_row o;
	struct ticket_sent s;
	int64_t begun_ms;
	bool found;

	if (look(c, &o, &found) != ERR_OK || !found)
		return false;
	begun_ms = clock_mono_ms();
	c->last_restaurant = o.restaurant_id;
	send_one(c, &o, &s);
	c->used_ms[o.by_mail] += clock_mono_ms() - begun_ms;
	report_surely(c, &s);
	return true;
}

static bool open_all(struct courier *c, const char *dir)
{
	memset(c, 0, sizeof *c);
	if (door_open(&c->door, dir) != ERR_OK)
		return false;
	return db_open(&c->book, dir, NULL) == ERR_OK;
}

/*
 * Nothing to send: sleeps until something is written.  In a rush that is at once, and the outbox is looked at no oftener than
 * look_ms.
 */
static void rest(struct courier *c, uint32_t heard, int64_t looked_ms)
{
	int64_t early_ms;

	writes_await(c->door.hall.writes, heard, REST_MS);
	early_ms = looked_ms + c->lane->look_ms - clock_mono_ms();
	if (early_ms > 0 && !stop_asked)
		clock_sleep_ms(early_ms);
}

/* Works until SIGTERM; never busy for the board's eyes: a mail server may take its time. */
static int work(const char *dir, const struct lane *lane)
{
	static struct courier c;

	log_name(lane->name);
	stop_on_term();
	if (!open_all(&c, dir))
		return EXIT_FAILURE;
	c.lane = lane;
	/* What an earlier courier reported must be in the book before we look. */
	report_surely(&c, &(struct ticket_sent){.how = SENT_OK});
	while (!stop_asked) {
		int64_t looked_ms = clock_mono_ms();
		uint32_t heard;

		hall_refresh(&c.door.hall);
		heard = writes_heard(c.door.hall.writes); /* before looking, so that no later write is missed */
		if (lane->first != DISPATCH_CODES)
			board_courier_here(c.door.hall.board);
		if (db_is_gone(&c.book) || role_of(dir) == ROLE_REPLACED)
			return EXIT_FAILURE; /* a fresh process opens what is there, if this box still serves */
		if (!one_round(&c))
			rest(&c, heard, looked_ms);
	}
	db_close(&c.book);
	door_leave(&c.door);
	return EXIT_SUCCESS;
}

int courier_run(const char *dir, int listen_fd, int post)
{
	(void)listen_fd;
	(void)post;
	return work(dir, &lanes[0]);
}

int courier_run_codes(const char *dir, int listen_fd, int post)
{
	(void)listen_fd;
	(void)post;
	return work(dir, &lanes[1]);
}

/* ---- in a unit of its own ---- */

static pid_t start(const char *dir, const struct lane *lane, const sigset_t *before)
{
	pid_t parent = getpid(), pid = fork();

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	sigprocmask(SIG_SETMASK, before, NULL);
	exit(work(dir, lane));
}

int courier_run_alone(const char *dir)
{
	int signal, status, end = EXIT_SUCCESS;
	pid_t pids[LANES];
	sigset_t set, before;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &before);
	for (size_t i = 0; i < LANES; i++)
		pids[i] = start(dir, &lanes[i], &before);
	do
		sigwait(&set, &signal);
	while (signal == SIGHUP);
	/* Told to stop, or one of them has ended, and then both begin anew. */
	for (size_t i = 0; i < LANES; i++)
		if (pids[i] > 0)
			kill(pids[i], SIGTERM);
	for (size_t i = 0; i < LANES; i++)
		if (pids[i] < 0 || waitpid(pids[i], &status, 0) != pids[i] || !WIFEXITED(status) || WEXITSTATUS(status))
			end = EXIT_FAILURE;
	return end;
}
