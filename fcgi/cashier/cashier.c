/*
 * cashier.c - the process that speaks to payment providers.
 *
 * NOTHING TWICE.  Before each call that does something the book is told so (TOLD_START), and the call is made only when that is
 * written, and only if the book still wants it: the hold may have run out meanwhile.  From then until the report the row is in doubt.
 * Whoever finds it so, a fresh cashier after a crash for instance, looks at the provider before anything is done (steps.h), and what
 * is done again is done with the same key.  A report can come twice: its amounts are the provider's sums, not ours.
 *
 * NOBODY STANDS BEHIND A PROVIDER THAT HANGS.  One process and one thread have many payments in hand at once; each is at one of three
 * places: its ticket waits to be written, its call is under way, or its report waits.  Refunds have places of their own, fewer.
 *
 * ONE CASHIER A BOOK.  A second one, of a unit that was started beside `jari up`, waits until the first is gone.
 */
#include "cashier.h"

#include "case.h"
#include "clock.h"
#include "door.h"
#include "failpoint.h"
#include "log.h"
#include "role.h"
#include "slip.h"
#include "stop.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
	PAYMENTS = 24, /* in hand at once */
	REFUNDS = 6,
	HANDS = PAYMENTS + REFUNDS,
	LOOK_MS = 250,      /* how often the book is looked at while it is written to, or something is soon due */
	IDLE_MS = 2000,     /* the same while it is not */
	SOON_S = 4,         /* longer than that */
	TICK_MS = 20,       /* how long to wait for answers while a ticket waits, too */
	WITHOUT_MS = 10000, /* how often to look for libcurl, where it is not installed */
	DRAIN_MS = 5000,    /* how long calls may take to end when we are asked to stop */
};

enum place { FREE, STARTING, CALLING, REPORTING };

/* One payment or refund in hand. */
struct hand {
	enum place at;
	struct case_of c;
	struct steps steps;
	struct slip slip;
	struct ticket_cashier ticket; /* that is, or is to be, drawn */
};

struct cashier {
	struct door door;    /* of it: the hall and the key */
	struct db book;      /* read only */
	struct webcall *web; /* opened for the first payment: it costs a house without any nothing */
	struct hand hands[HANDS];
	int64_t look_ms; /* when to look at the book again */
	uint32_t heard;  /* of the bell of writes, before the last look */
	bool idle;       /* nothing is to be done, nor soon */
};

/* ---- tickets ---- */

static bool draw(struct cashier *c, struct hand *h)
{
	struct ticket_request r = {.kind = TICKET_CASHIER, .u.cashier = h->ticket};

	return slip_draw(&c->door.hall, &r, &h->slip);
}

static void report(struct cashier *c, struct hand *h)
{
	int64_t now_s = clock_now_s();

	case_report(&h->c, c->door.key, &h->steps, now_s, &h->ticket);
	log_info("cashier.round", "intent=%lld refund=%lld todo=%d end=%d told=%d round=%d", (long long)h->c.intent_id,
		 (long long)h->c.refund_id, (int)h->c.todo, (int)h->steps.end.end, (int)h->ticket.told, h->c.attempts + 1);
	h->at = REPORTING;
	h->slip.number = 0;
	FAILPOINT("cashier.report");
	if (draw(c, h))
		FAILPOINT("cashier.reported");
}

/* ---- one round ---- */

static void ask(struct cashier *c, struct hand *h, enum pay_step step);

static void call(struct cashier *c, struct hand *h)
{
	struct webask a = {0};

	if (!h->c.provider->ask(&h->c.job, h->steps.asked, &a)) {
		webask_free(&a);
		ask(c, h, steps_cannot(&h->steps));
		return;
	}
	FAILPOINT("cashier.call");
	h->at = CALLING;
	if (!webcall_start(c->web, &a, h)) {
		struct pay_said none = {.end = SAID_LATER, .words = "the question cannot be sent"};

		ask(c, h, steps_next(&h->steps, &none));
	}
}

/* The book is told before each call that does something. */
static void ask(struct cashier *c, struct hand *h, enum pay_step step)
{
	if (step == ASK_NOTHING) {
		report(c, h);
		return;
	}
	if (step == ASK_LOOK) {
		call(c, h);
		return;
	}
	h->ticket = (struct ticket_cashier){
		.intent_id = h->c.intent_id, .refund_id = h->c.refund_id, .told = TOLD_START, .returned = -1};
	h->at = STARTING;
	FAILPOINT("cashier.start");
	if (!draw(c, h))
		h->at = FREE; /* found again in the book */
}

static void answered(struct cashier *c, struct hand *h, const struct webtold *t)
{
	struct pay_said said;

	FAILPOINT("cashier.answered");
	h->c.job.now_s = clock_now_s();
	provider_hear(h->c.provider, &h->c.job, h->steps.asked, t, &said);
	if (said.ahead_s && !h->c.job.ahead_s) { /* once more, by their clock */
		h->c.job.ahead_s = said.ahead_s;
		call(c, h);
		return;
	}
	ask(c, h, steps_next(&h->steps, &said));
}

/* ---- what is in hand ---- */

static void look_after_start(struct cashier *c, struct hand *h)
{
	struct ticket_outcome out;

	switch (slip_look(&c->door.hall, &h->slip, 0, &out)) {
	case SLIP_WAITS:
		break;
	case SLIP_WRITTEN:
		if (out.err == ERR_OK)
			call(c, h);
		else
			h->at = FREE; /* something else is to be done by now */
		break;
	case SLIP_LOST:
		h->at = FREE;
		break;
	}
}

static void look_after_report(struct cashier *c, struct hand *h)
{
	struct ticket_outcome out;
	enum slip_state state;

	if (!h->slip.number) {
		draw(c, h);
		return;
	}
	state = slip_look(&c->door.hall, &h->slip, 0, &out);
	if (state == SLIP_LOST) {
		h->slip.number = 0;
		return;
	}
	if (state != SLIP_WRITTEN)
		return;
	if (out.err != ERR_OK)
		log_warn("cashier.refused", "intent=%lld told=%d err=%s", (long long)h->c.intent_id, (int)h->ticket.told,
			 err_word((enum err)out.err));
	h->at = FREE;
	c->look_ms = 0; /* what follows from it is perhaps due now */
}

static int count(const struct cashier *c, enum place at)
{
	int n = 0;

	for (int i = 0; i < HANDS; i++)
		n += c->hands[i].at == at;
	return n;
}

/* Until something is written: at once in a rush, and then the book is looked at when it is time. */
static void rest(struct cashier *c)
{
	int64_t early_ms;

	writes_await(c->door.hall.writes, c->heard, c->idle ? IDLE_MS : LOOK_MS);
	early_ms = c->look_ms - clock_mono_ms();
	if (early_ms > 0 && !stop_asked)
		poll(NULL, 0, early_ms < IDLE_MS ? (int)early_ms : IDLE_MS); /* ends when we are asked to stop */
}

static void work(struct cashier *c)
{
	struct webtold t = {0};
	struct hand *h;
	bool tickets;

	for (int i = 0; i < HANDS; i++)
		if (c->hands[i].at == STARTING)
			look_after_start(c, &c->hands[i]);
		else if (c->hands[i].at == REPORTING)
			look_after_report(c, &c->hands[i]);
	if (!c->web || (c->idle && count(c, FREE) == HANDS)) {
		rest(c);
		return;
	}
	tickets = count(c, STARTING) + count(c, REPORTING) > 0;
	webcall_work(c->web, tickets ? TICK_MS : LOOK_MS);
	while ((h = webcall_ended(c->web, &t))) {
		answered(c, h, &t);
		webtold_free(&t);
		t = (struct webtold){0};
	}
}

/* ---- what is due ---- */

static bool in_hand(const struct cashier *c, int64_t intent_id, int64_t refund_id)
{
	for (int i = 0; i < HANDS; i++)
		if (c->hands[i].at != FREE && c->hands[i].c.intent_id == intent_id && c->hands[i].c.refund_id == refund_id)
			return true;
	return false;
}

static struct hand *free_hand(struct cashier *c, int from, int to)
{
	for (int i = from; i < to; i++)
		if (c->hands[i].at == FREE)
			return &c->hands[i];
	return NULL;
}

/* The book has been read, and is not any more. */
static void begin(struct cashier *c, struct hand *h)
{
	enum pay_step first = steps_first(&h->steps, h->c.provider, &h->c.job, h->c.todo, h->c.attempts, h->c.doubt);

	if (!h->c.job.secret[0]) {
		steps_no_key(&h->steps, h->c.doubt);
		first = ASK_NOTHING;
	}
	ask(c, h, first);
}

/* What is taken up in one look: cases are loaded in one moment of the book, and begun after it. */
struct taken {
	struct hand *hands[HANDS];
	int count;
};

static enum err take_payments(struct cashier *c, int64_t now_s, struct taken *taken)
{
	int64_t ids[INTENTS_DUE_MAX];
	int n = 0;
	enum err e = intents_due(&c->book, now_s, ids, INTENTS_DUE_MAX, &n);

	for (int i = 0; i < n && e == ERR_OK; i++) {
		struct hand *h = free_hand(c, 0, PAYMENTS);

		if (!h)
			break;
		if (in_hand(c, ids[i], 0) || case_of_intent(&c->book, c->door.key, ids[i], now_s, &h->c) != ERR_OK)
			continue;
		h->at = STARTING;
		taken->hands[taken->count++] = h;
	}
	return e;
}

static enum err take_refunds(struct cashier *c, int64_t now_s, struct taken *taken)
{
	int64_t ids[REFUNDS * 2];
	int n = 0;
	enum err e = refunds_due(&c->book, now_s, ids, REFUNDS * 2, &n);

	for (int i = 0; i < n && e == ERR_OK; i++) {
		struct hand *h = free_hand(c, PAYMENTS, HANDS);

		if (!h)
			break;
		if (case_of_refund(&c->book, c->door.key, ids[i], now_s, &h->c) != ERR_OK || in_hand(c, h->c.intent_id, ids[i]))
			continue;
		h->at = STARTING;
		taken->hands[taken->count++] = h;
	}
	return e;
}

/* Is something due before we would look again by ourselves?  What is in hand is due, too. */
static bool is_soon(struct cashier *c, int64_t now_s)
{
	int64_t id;
	int n = 0;

	if (intents_due(&c->book, now_s + SOON_S, &id, 1, &n) != ERR_OK || n)
		return true;
	return refunds_due(&c->book, now_s + SOON_S, &id, 1, &n) != ERR_OK || n;
}

/* False, said once, and looked at again every now and then: libcurl is not there, so nothing can be asked. */
static bool can_call(struct cashier *c)
{
	static bool said;

	if (!c->web)
		c->web = webcall_open();
	if (!c->web) {
		if (!said)
			log_error("cashier.curl", "why=\"libcurl is not installed: apt install libcurl4\"");
		said = true;
		c->look_ms = clock_mono_ms() + WITHOUT_MS;
	}
	return c->web != NULL;
}

static void look(struct cashier *c)
{
	struct taken taken = {.count = 0};
	int64_t now_s = clock_now_s();
	enum err e;

	if (clock_mono_ms() < c->look_ms)
		return;
	c->look_ms = clock_mono_ms() + LOOK_MS;
	c->heard = writes_heard(c->door.hall.writes);
	if (db_read_begin(&c->book) != ERR_OK)
		return;
	e = take_payments(c, now_s, &taken);
	if (e == ERR_OK)
		e = take_refunds(c, now_s, &taken);
	c->idle = e == ERR_OK && !taken.count && !is_soon(c, now_s);
	db_read_end(&c->book);
	if (taken.count && !can_call(c))
		for (int i = 0; i < taken.count; i++)
			taken.hands[i]->at = FREE;
	for (int i = 0; i < taken.count && c->web; i++)
		begin(c, taken.hands[i]);
}

/* ---- the process ---- */

/* The box's key is the lock: it is there, need not be written, and nobody else locks it.  (The folder is swap.c's.) */
static bool alone(const char *dir, int *fd)
{
	char path[4200];

	snprintf(path, sizeof path, "%s/secret.key", dir);
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return false;
	while (flock(*fd, LOCK_EX | LOCK_NB) != 0) {
		if (stop_asked || (errno != EWOULDBLOCK && errno != EINTR))
			return false;
		clock_sleep_ms(500);
	}
	return true;
}

static bool open_all(struct cashier *c, const char *dir)
{
	memset(c, 0, sizeof *c);
	return door_open(&c->door, dir) == ERR_OK && db_open(&c->book, dir, NULL) == ERR_OK;
}

static void drain(struct cashier *c)
{
	int64_t until_ms = clock_mono_ms() + DRAIN_MS;

	while (count(c, FREE) < HANDS && clock_mono_ms() < until_ms)
		work(c);
}

int cashier_run(const char *dir, int listen_fd, int post)
{
	static struct cashier c;
	int fd;

	(void)listen_fd;
	(void)post;
	log_name("cashier");
	stop_on_term();
	if (!alone(dir, &fd))
		return stop_asked ? EXIT_SUCCESS : EXIT_FAILURE;
	if (!open_all(&c, dir))
		return EXIT_FAILURE;
	while (!stop_asked) {
		hall_refresh(&c.door.hall);
		if (c.web || clock_mono_ms() >= c.look_ms)
			board_cashier_here(c.door.hall.board);
		if (db_is_gone(&c.book) || role_of(dir) == ROLE_REPLACED)
			return EXIT_FAILURE; /* a fresh process opens what is there, if this box still serves */
		look(&c);
		work(&c);
	}
	drain(&c);
	webcall_close(c.web);
	db_close(&c.book);
	door_leave(&c.door);
	return EXIT_SUCCESS;
}

int cashier_run_alone(const char *dir)
{
	return cashier_run(dir, -1, -1);
}
