/*
 * kill_pay.c - whoever writes is killed at each ticket of a payment and of a refund, and then anybody at any time: never charged
 * twice, never charged without seats or the money on its way back, never forgotten.  (The cashier at each of its own steps:
 * e2e_cashier.)
 *
 *   PAY_STEPS=10000 build/debug/tests/kill/kill_pay    as many random steps; 300 where nothing is said
 *   PAY_SEED=7                                         those of that run again
 */
#include "guests.h"
#include "payer.h"
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 4, PATIENCE_MS = 30000 };

static struct payhouse house;
static char fuse[APPLIANCE_PATH], day[TEXT_DATE_SIZE];
static const char *const providers[] = {"portone", "toss", "stripe"};

static int end(void **state)
{
	(void)state;
	unsetenv("JARI_FAILPOINT");
	unsetenv("JARI_FAILPOINT_FUSE");
	payer_free(&house);
	return 0;
}

static void up(void)
{
	guests_day(0, day);
	payer_open(&house, WORKERS);
	appliance_sql(&house.box, "UPDATE restaurants SET reservation_limit = 1000");
}

/* ---- one step after the other ---- */

static void lay(void)
{
	appliance_write(fuse, "");
}

/* Somebody has passed there and was killed; where nobody comes by at this step, the fuse is taken away. */
static bool burnt(void)
{
	return unlink(fuse) != 0;
}

static void one_payment(const char *provider, const char *point, int *burns)
{
	struct payer p;

	payer_use(&house, provider);
	payer_book(&house, &p, day, "18:00", 2);
	lay();
	payer_press(&p);
	*burns += burnt();
	payer_window(&p, "ok");
	lay();
	payer_back(&p);
	payer_becomes(&p, "PAID");
	*burns += burnt();
	lay();
	payer_cancel(&p);
	payer_becomes(&p, "REFUNDED");
	*burns += burnt();
	if (pay_money(&house.pay, p.key, "charges") != 1 || pay_money(&house.pay, p.key, "returns") != 1)
		fail_msg("%s, killed at %s: not charged once and given back once", provider, point);
}

/* What the test lays before a guest's own request may hit the worker that answers it: they ask again, as a page does. */
static void kill_at(const char *point)
{
	char spec[64];
	int burns = 0;

	snprintf(spec, sizeof spec, "%s:kill:1", point);
	snprintf(fuse, sizeof fuse, "/tmp/jari-fuse-%d", (int)getpid());
	unlink(fuse);
	setenv("JARI_FAILPOINT", spec, 1);
	setenv("JARI_FAILPOINT_FUSE", fuse, 1);
	up();
	for (size_t k = 0; k < COUNT(providers); k++)
		one_payment(providers[k], point, &burns);
	payer_judge(&house);
	payer_close(&house);
	if (burns < (int)COUNT(providers))
		fail_msg("at %s only %d were killed", point, burns);
}

/* Keeper or worker, whoever writes. */
static void the_writer_is_killed_before_its_commit(void **state)
{
	(void)state;
	kill_at("batch.before_commit");
}

static void the_writer_is_killed_after_its_commit(void **state)
{
	(void)state;
	kill_at("batch.committed");
}

/* ---- anything, at any time ---- */

enum { GUESTS = 12, PACE_US = 12000 };

static unsigned seed;
static int kills;

static int any(int n)
{
	seed = seed * 1103515245u + 12345u;
	return (int)((seed >> 16) % (unsigned)n);
}

static void kill_somebody(void)
{
	static const enum board_kind kinds[] = {BOARD_CASHIER, BOARD_CASHIER, BOARD_KEEPER, BOARD_WORKER};
	pid_t pids[WORKERS + 2];
	int n = appliance_pids(&house.box, kinds[any(COUNT(kinds))], pids, COUNT(pids));

	if (n) {
		appliance_signal(pids[any(n)], SIGKILL);
		kills++;
	}
}

static void some_fault(const struct payer *p)
{
	static const char *const calls[] = {"confirm",     "get",        "find",          "cancel",         "intent-capture",
					    "session-get", "intent-get", "refund-create", "session-create", "intent-cancel"};
	static const char *const faults[] = {"lost", "cut",  "dropped", "409",  "429",  "500",
					     "502",  "html", "delay",   "late", "twice"};

	pay_fault(&house.pay, "{'provider':'%s','call':'%s','fault':'%s','ms':%d}", p->house->provider,
		  calls[any(COUNT(calls))], faults[any(COUNT(faults))], 50 + any(400));
}

/* The guest's own requests may meet a worker that dies: what matters is the sum at the end. */
static void try_back(const struct payer *p)
{
	char body[PAY_TEXT], path[128];

	http_ask(house.box.port, payer_back_call(p, body, path));
}

static void take_hold(const struct payer *p)
{
	if (any(3) == 0)
		appliance_sql(&house.box,
			      "UPDATE reservations SET hold_expires_at = '2020-01-01T00:00:00Z' WHERE reservation_id = %lld AND"
			      " status = 'TEMPORARY'",
			      (long long)p->id);
}

static void open_window(struct payer *p)
{
	static const char *const cards[] = {"ok", "ok", "ok", "declined", "refused", "closed"};

	if (*p->key && (strcmp(p->house->provider, "stripe") != 0 || *p->page))
		payer_window(p, cards[any(COUNT(cards))]);
}

static void at_the_console(const struct payer *p)
{
	int64_t kept = pay_money(&house.pay, p->key, "kept");

	if (kept > 1)
		pay_post(&house.pay, "console", "{'provider':'%s','id':'%s','do':'refund','amount':%d}", p->house->provider,
			 p->key, 1 + any((int)kept));
}

/* What a guest does next, mostly. */
static void go_on(struct payer *p)
{
	if (!*p->key || (strcmp(p->house->provider, "stripe") == 0 && !*p->page))
		payer_press_once(p);
	else if (!*p->redirect)
		open_window(p);
	else
		try_back(p);
}

static void step(struct payer *p)
{
	switch (any(20)) {
	case 0: /* once more from the beginning, in another tab */
		p->page[0] = p->redirect[0] = '\0';
		payer_press_once(p);
		break;
	case 1:
		open_window(p);
		break;
	case 2:
		payer_cancel(p);
		break;
	case 3:
		if (*p->key)
			at_the_console(p);
		break;
	case 4:
	case 5:
		some_fault(p);
		break;
	case 6:
		take_hold(p);
		break;
	case 7:
		if (any(3) == 0)
			kill_somebody();
		break;
	case 8:
	case 9:
		payer_hasten(&house);
		break;
	default:
		go_on(p);
		break;
	}
}

static void some_steps(int n)
{
	static struct payer guests[GUESTS];

	memset(guests, 0, sizeof guests);
	for (int i = 0; i < n; i++) {
		struct payer *p = &guests[any(GUESTS)];

		if (!p->id || any(25) == 0)
			payer_book(&house, p, day, "18:00", 2);
		else
			step(p);
		usleep((useconds_t)any(2 * PACE_US)); /* the others have their turn too */
		if (i % 1000 == 999)
			payer_settle(&house);
	}
}

/* After all of it, and with one more of them dead, the next guest pays and gets it back as if nothing had been. */
static void another_guest(void)
{
	struct payer p;

	kill_somebody();
	payer_book(&house, &p, day, "20:00", 2);
	payer_pays(&p);
	payer_becomes(&p, "PAID");
	payer_cancel(&p);
	payer_becomes(&p, "REFUNDED");
}

static void whatever_guests_providers_and_kills_do_the_sums_agree(void **state)
{
	const char *steps = getenv("PAY_STEPS"), *again = getenv("PAY_SEED");
	int n = steps ? atoi(steps) : 300;
	int64_t charges = 0, returns = 0;

	(void)state;
	seed = again ? (unsigned)atoi(again) : (unsigned)time(NULL);
	print_message("# PAY_SEED=%u\n", seed);
	up();
	for (size_t k = 0; k < COUNT(providers); k++) {
		payer_use(&house, providers[k]);
		pay_post(&house.pay, "hooks",
			 "{'send':'now','portone':'http://127.0.0.1:%d/api/payments/events/portone','toss':"
			 "'http://127.0.0.1:%d/api/payments/events/toss','stripe':'http://127.0.0.1:%d/api/payments/events/"
			 "stripe'}",
			 house.box.port, house.box.port, house.box.port);
		some_steps(n / (int)COUNT(providers));
		pay_end_faults(&house.pay);
		another_guest();
		payer_settle(&house);
		charges += pay_money(&house.pay, "", "charges");
		returns += pay_money(&house.pay, "", "returns");
		payer_judge(&house);
	}
	print_message("# %d steps, %d kills, %lld charges, %lld returns\n", n, kills, (long long)charges, (long long)returns);
	assert_true(charges > 0 && returns > 0 && kills > 0);
	payer_close(&house);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(the_writer_is_killed_before_its_commit, end),
		cmocka_unit_test_teardown(the_writer_is_killed_after_its_commit, end),
		cmocka_unit_test_teardown(whatever_guests_providers_and_kills_do_the_sums_agree, end),
	};

	cmocka_set_test_filter(getenv("ONLY"));
	return cmocka_run_group_tests_name("kill_pay", tests, NULL, NULL);
}
