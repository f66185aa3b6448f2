/*
 * e2e_cashier.c - the cashier at work: each provider from hold to paid and back, killed at each of its steps, and away.
 */
#include "appliance.h"
#include "guests.h"
#include "pay.h"
#include "paysettings.h"
#include "talk.h"
#include "token.h"
#include "unit.h"

#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SOON_MS = 30000 };

static struct appliance box;
static struct pay pay;
static char fuse[APPLIANCE_PATH], clock_file[APPLIANCE_PATH];

static const struct keys {
	const char *provider, *secret, *store, *channel, *client, *hook, *currency;
} all[] = {
	{"portone", "portone-secret-of-the-tests", "store-jari", "channel-key-jari", "",
	 "whsec_amFyaS1wb3J0b25lLXdlYmhvb2stc2VjcmV0", "KRW"},
	{"toss", "test_sk_jari", "", "", "test_ck_jari", "", "KRW"},
	{"stripe", "sk_test_jari", "", "", "", "whsec_amFyaS1zdHJpcGUtd2ViaG9vay1zZWNyZXQ", "KRW"},
};
enum { PORTONE, TOSS, STRIPE };

static void settle_on(const struct keys *k)
{
	unsigned char key[TOKEN_KEY_SIZE];
	char secret[400], hook[400] = "";

	assert_true(token_read_key(box.dir, key));
	token_seal(key, k->secret, strlen(k->secret), secret);
	if (*k->hook)
		token_seal(key, k->hook, strlen(k->hook), hook);
	appliance_sql(
		&box,
		"INSERT OR REPLACE INTO payment_settings (restaurant_id, provider, test, store_id, channel_key, client_key,"
		" secret, webhook_secret, updated_at) VALUES (1, '%s', 1, nullif('%s', ''), nullif('%s', ''), nullif('%s', ''),"
		" '%s', nullif('%s', ''), '2026-01-01T00:00:00Z')",
		k->provider, k->store, k->channel, k->client, secret, hook);
}

/* Each way with each provider is for `make torture`; else every way once. */
static bool thorough(void)
{
	return getenv("JARI_EVERY_CALL") != NULL;
}

/* ---- a guest ---- */

struct guest {
	int64_t reservation;
	char manage[HTTP_TEXT], key[80], session[HTTP_TEXT], name[200];
	int64_t amount;
};

static const struct http_answer *as_guest(const struct guest *g, const char *method, const char *path, const char *body)
{
	char headers[HTTP_TEXT + 80];

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nX-Manage-Token: %s\r\n", g->manage);
	return http_ask(box.port, (struct http_call){.method = method, .path = path, .headers = headers, .body = body});
}

static void hold_for(struct guest *g, bool deposit)
{
	static int count;
	char date[TEXT_DATE_SIZE], body[400], headers[120];
	const struct http_answer *a;

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: cashier-%d\r\n", count);
	guests_day(2 + count / 18, date);
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"19:00\",\"partySize\":2,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Kim\",\"phone\":\"010-7300-%04d\"}}",
		 date, count++);
	a = http_ask(box.port, (struct http_call){.path = "/api/reservations", .headers = headers, .body = body});
	if (a->status != 201)
		fail_msg("%d %s", a->status, a->body);
	*g = (struct guest){.reservation = http_int(a, "reservationId"), .amount = http_int(a, "amountDue")};
	http_text(a, "manageToken", g->manage);
	assert_int_equal(g->amount > 0, deposit);
}

static void hold(struct guest *g)
{
	hold_for(g, true);
}

static const char *state_of(const struct guest *g, char out[HTTP_TEXT])
{
	char path[120];

	snprintf(path, sizeof path, "/api/payments/%s", g->key);
	return http_text(http_get(box.port, path), "state", out);
}

static bool is_state(const struct guest *g, const char *state)
{
	char word[HTTP_TEXT];

	return strcmp(state_of(g, word), state) == 0;
}

static void press_pay(struct guest *g, const struct keys *k)
{
	char path[80], word[HTTP_TEXT], *at;
	const struct http_answer *a;

	snprintf(path, sizeof path, "/api/reservations/%lld/payments", (long long)g->reservation);
	a = as_guest(g, "POST", path, "{}");
	if (a->status / 100 != 2)
		fail_msg("%d %s", a->status, a->body);
	snprintf(g->key, sizeof g->key, "%.79s", http_text(a, "paymentId", word));
	snprintf(g->name, sizeof g->name, "%.199s", http_text(a, "orderName", word));
	if (strcmp(k->provider, "stripe") != 0)
		return;
	WITHIN(SOON_MS, is_state(g, "READY"));
	a = as_guest(g, "POST", path, "{}");
	at = strstr(a->body, "session=");
	assert_non_null(at);
	snprintf(g->session, sizeof g->session, "%.*s", (int)strcspn(at + 8, "\"&"), at + 8);
}

/* At the provider's window, with that card; then back at ours. */
static void authorise(const struct guest *g, const struct keys *k, const char *card)
{
	char redirect[PAY_TEXT], token[PAY_TEXT], tx[PAY_TEXT], path[120], body[2 * PAY_TEXT];

	if (strcmp(k->provider, "portone") == 0)
		pay_guest(&pay, redirect,
			  "{'provider':'portone','do':'pay','paymentId':'%s','storeId':'store-jari','channelKey':'channel-key-"
			  "jari',"
			  "'orderName':'%s','totalAmount':%lld,'currency':'KRW','redirectUrl':'http://x/','card':'%s'}",
			  g->key, g->name, (long long)g->amount, card);
	else if (strcmp(k->provider, "toss") == 0)
		pay_guest(&pay, redirect,
			  "{'provider':'toss','do':'pay','orderId':'%s','orderName':'%s','amount':%lld,'currency':'KRW',"
			  "'successUrl':'http://x/','failUrl':'http://x/','card':'%s'}",
			  g->key, g->name, (long long)g->amount, card);
	else
		pay_guest(&pay, redirect, "{'provider':'stripe','session':'%s','card':'%s'}", g->session, card);
	if (strcmp(k->provider, "portone") == 0)
		snprintf(body, sizeof body, "{\"token\":\"%s\",\"txId\":\"%s\"}", pay_said(redirect, "paymentToken", token),
			 pay_said(redirect, "txId", tx));
	else if (strcmp(k->provider, "toss") == 0)
		snprintf(body, sizeof body, "{\"paymentKey\":\"%s\",\"amount\":%lld}", pay_said(redirect, "paymentKey", token),
			 (long long)g->amount);
	else
		snprintf(body, sizeof body, "{\"session\":\"%s\"}", pay_said(redirect, "session", token));
	snprintf(path, sizeof path, "/api/payments/%s/back", g->key);
	assert_int_equal(http_post(box.port, path, body)->status, 200);
}

static const char *status_of(const struct guest *g, char out[HTTP_TEXT])
{
	char path[80];

	snprintf(path, sizeof path, "/api/reservations/%lld", (long long)g->reservation);
	return http_text(as_guest(g, "GET", path, NULL), "status", out);
}

static void cancel(const struct guest *g)
{
	char path[80];

	snprintf(path, sizeof path, "/api/reservations/%lld/cancel", (long long)g->reservation);
	assert_int_equal(as_guest(g, "POST", path, "{}")->status, 200);
}

/* A part, so that a provider would give it back twice if it were asked twice. */
static int64_t back_of(const struct guest *g)
{
	return g->amount * 40 / 100;
}

/* ---- the tests ---- */

static void a_deposit_is_charged_once_and_goes_back_once(void **state)
{
	char word[HTTP_TEXT];

	(void)state;
	for (size_t i = 0; i < COUNT(all); i++) {
		struct guest g;

		settle_on(&all[i]);
		hold(&g);
		press_pay(&g, &all[i]);
		authorise(&g, &all[i], "ok");
		WITHIN(SOON_MS, is_state(&g, "PAID"));
		assert_string_equal(status_of(&g, word), "CONFIRMED");
		assert_int_equal(pay_money(&pay, g.key, "charges"), 1);
		assert_int_equal(pay_money(&pay, g.key, "charged"), g.amount);
		cancel(&g);
		WITHIN(SOON_MS, is_state(&g, "REFUNDED"));
		assert_int_equal(pay_money(&pay, g.key, "returned"), back_of(&g));
		assert_int_equal(pay_money(&pay, g.key, "held"), 0);
	}
}

static void a_card_that_is_refused_may_be_followed_by_another(void **state)
{
	char word[HTTP_TEXT];

	(void)state;
	for (size_t i = 0; i < COUNT(all); i++) {
		struct guest g;

		settle_on(&all[i]);
		hold(&g);
		press_pay(&g, &all[i]);
		authorise(&g, &all[i], "refused");
		WITHIN(SOON_MS, is_state(&g, "DECLINED"));
		press_pay(&g, &all[i]);
		authorise(&g, &all[i], "ok");
		WITHIN(SOON_MS, is_state(&g, "PAID"));
		assert_string_equal(status_of(&g, word), "CONFIRMED");
		assert_int_equal(pay_money(&pay, g.key, "charges"), 1);
	}
}

/* What a provider does with a call that jari does not hear the answer of. */
static void an_answer_that_is_lost_is_found(void **state)
{
	static const char *const charge[] = {"confirm", "confirm", "intent-capture"};
	static const char *const refund[] = {"cancel", "cancel", "refund-create"};
	static const char *const faults[] = {"lost", "502", "cut", "html"};

	(void)state;
	for (size_t i = 0; i < COUNT(all); i++)
		for (size_t f = 0; f < COUNT(faults); f++) {
			struct guest g;

			if (f != i && !thorough())
				continue;
			settle_on(&all[i]);
			hold(&g);
			press_pay(&g, &all[i]);
			pay_fault(&pay, "{'provider':'%s','call':'%s','fault':'%s','after':true}", all[i].provider, charge[i],
				  faults[f]);
			pay_fault(&pay, "{'provider':'%s','call':'%s','fault':'%s','after':true}", all[i].provider, refund[i],
				  faults[f]);
			authorise(&g, &all[i], "ok");
			WITHIN(SOON_MS, is_state(&g, "PAID"));
			cancel(&g);
			WITHIN(SOON_MS, is_state(&g, "REFUNDED"));
			assert_int_equal(pay_money(&pay, g.key, "charges"), 1);
			assert_int_equal(pay_money(&pay, g.key, "returns"), 1);
			assert_int_equal(pay_money(&pay, g.key, "returned"), back_of(&g));
			pay_end_faults(&pay);
		}
}

/* A provider that is not to be reached for a while: asked again, never twice. */
static void a_provider_that_is_away_is_asked_again(void **state)
{
	(void)state;
	for (size_t i = thorough() ? 0 : STRIPE; i < COUNT(all); i++) {
		struct guest g;

		settle_on(&all[i]);
		hold(&g);
		press_pay(&g, &all[i]);
		pay_fault(&pay, "{'provider':'%s','fault':'dropped','times':2}", all[i].provider);
		authorise(&g, &all[i], "ok");
		WITHIN(SOON_MS, is_state(&g, "PAID"));
		assert_int_equal(pay_money(&pay, g.key, "charges"), 1);
		pay_end_faults(&pay);
	}
}

/* Its key is in the book no more: what it has goes back by hand, and the desk is told why. */
static void without_its_key_a_provider_is_not_asked(void **state)
{
	struct guest g;

	(void)state;
	settle_on(&all[TOSS]);
	hold(&g);
	press_pay(&g, &all[TOSS]);
	authorise(&g, &all[TOSS], "ok");
	WITHIN(SOON_MS, is_state(&g, "PAID"));
	settle_on(&all[PORTONE]);
	cancel(&g);
	WITHIN(SOON_MS, appliance_number(&box,
					 "SELECT count(*) FROM refunds JOIN intents USING (intent_id) WHERE pay_key = '%s' AND"
					 " refunds.state = 'FAILED' AND refunds.words LIKE 'no key%%'",
					 g.key) == 1);
	assert_int_equal(pay_calls(&pay, "toss", "cancel", g.key), 0);
}

/* ---- what providers say by themselves ---- */

static void send_hooks(const char *when, const char *bad)
{
	pay_post(&pay, "hooks",
		 "{'send':'%s','portone':'http://127.0.0.1:%d/api/payments/events/portone','toss':'http://127.0.0.1:%d/api/"
		 "payments/"
		 "events/toss','stripe':'http://127.0.0.1:%d/api/payments/events/stripe'%s}",
		 when, box.port, box.port, box.port, bad);
}

static int64_t events(void)
{
	return appliance_number(&box, "SELECT count(*) FROM payment_events");
}

static void an_event_is_stored_once_and_makes_the_cashier_look(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(all); i++) {
		const struct http_answer *a;
		int64_t before;
		struct guest g;

		settle_on(&all[i]);
		send_hooks("hold", "");
		hold(&g);
		press_pay(&g, &all[i]);
		authorise(&g, &all[i], "ok");
		WITHIN(SOON_MS, is_state(&g, "PAID"));
		before = events();
		/* Somebody at the provider's console: nothing but the event tells of it today. */
		pay_post(&pay, "console", "{'provider':'%s','id':'%s','do':'refund','amount':1000}", all[i].provider, g.key);
		a = pay_post(&pay, "hooks/send", "{'times':10,'at_once':true,'order':'reversed','id':'%s'}", g.key);
		assert_null(strstr(a->body, "503"));
		assert_true(http_int(a, "answered") == http_int(a, "sent") && http_int(a, "sent") >= 10);
		assert_true(http_int(a, "slowest_ms") < 5000); /* it is a busy machine */
		if (i != TOSS)                                 /* Toss signs nothing: it is heard, and not kept */
			WITHIN(SOON_MS, events() > before);
		assert_true((events() - before) * 10 <= http_int(a, "sent"));
		WITHIN(SOON_MS, appliance_number(&box, "SELECT refunded_amount FROM payments WHERE provider_payment_id = '%s'",
						 g.key) == 1000);
		assert_int_equal(pay_money(&pay, g.key, "charges"), 1);
		send_hooks("off", "");
	}
}

/* Toss signs nothing: a stranger may say anything of any payment, and the book keeps none of it. */
static void an_event_of_a_payment_that_nobody_made_is_not_kept(void **state)
{
	int64_t before;
	char body[200];

	(void)state;
	settle_on(&all[TOSS]);
	before = events();
	for (int i = 0; i < 5; i++) {
		snprintf(body, sizeof body, "{\"eventType\":\"PAYMENT_STATUS_CHANGED\",\"data\":{\"orderId\":\"made-up-%d\"}}",
			 i);
		assert_int_equal(http_post(box.port, "/api/payments/events/toss", body)->status, 200);
	}
	assert_int_equal(events(), before);
}

/* The key of one company is none of another's business. */
static void a_key_is_told_to_the_company_that_it_is_of_and_no_other(void **state)
{
	static const char path[] = "/api/desk/payments/settings?restaurantId=1";
	char owner[TALK_HEADERS];

	(void)state;
	settle_on(&all[PORTONE]);
	talk_add_staff(&box, "keys@example.com", owner);
	appliance_sql(&box, "UPDATE users SET user_type = 'OWNER' WHERE email = 'keys@example.com'");
	talk_log_in(&box, "keys@example.com", owner);
	assert_int_equal(talk_as(&box, owner, "PUT", path, "{\"provider\":\"portone\"}")->status, 200);
	assert_int_equal(talk_as(&box, owner, "PUT", path, "{\"provider\":\"stripe\"}")->status, 400);
	assert_int_equal(talk_as(&box, owner, "PUT", path, "{\"provider\":\"desk\"}")->status, 200);
	assert_int_equal(talk_as(&box, owner, "PUT", path, "{\"provider\":\"stripe\"}")->status, 400);
}

/* The house has another provider now: it goes back where it was paid, by the keys of before; and they are there to return to. */
static void what_was_paid_at_one_provider_goes_back_there(void **state)
{
	static const char path[] = "/api/desk/payments/settings?restaurantId=1";
	char owner[TALK_HEADERS];
	struct guest g;

	(void)state;
	settle_on(&all[PORTONE]);
	hold(&g);
	press_pay(&g, &all[PORTONE]);
	authorise(&g, &all[PORTONE], "ok");
	WITHIN(SOON_MS, is_state(&g, "PAID"));
	talk_log_in(&box, "keys@example.com", owner);
	assert_int_equal(talk_as(&box, owner, "PUT", path,
				 "{\"provider\":\"toss\",\"clientKey\":\"test_ck_jari\",\"secret\":\"test_sk_jari\"}")
				 ->status,
			 200);
	cancel(&g);
	WITHIN(SOON_MS, is_state(&g, "REFUNDED"));
	assert_int_equal(pay_money(&pay, g.key, "returned"), back_of(&g));
	assert_int_equal(talk_as(&box, owner, "PUT", path, "{\"provider\":\"portone\"}")->status, 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM payment_keys WHERE provider = 'toss'"), 1);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM payment_keys"), 1);
	appliance_sql(&box, "DELETE FROM payment_keys");
}

static void an_event_that_is_not_the_providers_changes_nothing(void **state)
{
	static const char *const bad[] = {"signature", "secret", "old", "future", "body", "unsigned"};
	static const size_t sign[] = {PORTONE, STRIPE};

	(void)state;
	for (size_t i = 0; i < COUNT(sign); i++) {
		const struct keys *k = &all[sign[i]];
		int64_t before;
		struct guest g;

		settle_on(k);
		send_hooks("hold", "");
		hold(&g);
		press_pay(&g, k);
		authorise(&g, k, "ok");
		WITHIN(SOON_MS, is_state(&g, "PAID"));
		before = events();
		for (size_t b = 0; b < COUNT(bad); b++) {
			const struct http_answer *a = pay_post(&pay, "hooks/send", "{'id':'%s','bad':'%s'}", g.key, bad[b]);

			if (!strstr(a->body, "403") || strstr(a->body, "200"))
				fail_msg("%s, %s: %s", k->provider, bad[b], a->body);
		}
		assert_int_equal(events(), before);
		/* Of a kind that nobody knows: heard, and not kept. */
		pay_post(&pay, "hooks/send", "{'id':'%s','bad':'type'}", g.key);
		assert_int_equal(events(), before);
		send_hooks("off", "");
	}
}

static void what_is_no_event_is_said_so(void **state)
{
	static char long_body[70 * 1024];

	(void)state;
	settle_on(&all[TOSS]);
	memset(long_body, ' ', sizeof long_body - 1);
	assert_int_equal(http_post(box.port, "/api/payments/events/toss", "{}")->status, 200);
	assert_int_equal(http_post(box.port, "/api/payments/events/toss", "no json")->status, 200);
	assert_int_equal(http_post(box.port, "/api/payments/events/toss", long_body)->status, 413);
	assert_int_equal(http_post(box.port, "/api/payments/events/stripe", "{}")->status, 404); /* nobody has it */
	assert_int_equal(http_post(box.port, "/api/payments/events/desk", "{}")->status, 404);
	assert_int_equal(http_post(box.port, "/api/payments/events/nobody", "{}")->status, 404);
}

/* ---- the book and the provider's list ---- */

static struct ran *reconcile(void)
{
	static struct ran ran;

	appliance_run(&box, &ran, NULL, "reconcile", "--dir", box.dir, "--days", "2", NULL);
	return &ran;
}

static void pay_for(struct guest *g, const struct keys *k)
{
	hold(g);
	press_pay(g, k);
	authorise(g, k, "ok");
	WITHIN(SOON_MS, is_state(g, "PAID"));
}

static void sums_that_differ_from_the_providers_are_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(all); i++) {
		struct guest g;
		struct ran *ran;

		pay_reset(&pay);
		settle_on(&all[i]);
		pay_for(&g, &all[i]);
		ran = reconcile(); /* of all that were paid before, the provider has forgotten every one */
		assert_int_equal(ran->exit, 1);
		if (!strstr(ran->out, "  1 payment, ") || !strstr(ran->out, "only the book"))
			fail_msg("%s%s", ran->out, ran->err);
		assert_null(strstr(ran->out, g.key));
		pay_post(&pay, "console", "{'provider':'%s','id':'%s','do':'refund','amount':1000}", all[i].provider, g.key);
		ran = reconcile();
		assert_true(strstr(ran->out, "sums differ") && strstr(ran->out, g.key));
	}
}

/* A backup of yesterday stands in the place of the book. */
/* After a restore a guest of Stripe's has paid at a second page: one name, two payments, and the book knows one of them. */
static void a_payment_that_was_paid_twice_is_named(void **state)
{
	struct guest g;

	(void)state;
	settle_on(&all[STRIPE]);
	pay_for(&g, &all[STRIPE]);
	assert_null(strstr(reconcile()->out, "the book lacks"));
	appliance_sql(&box, "UPDATE intents SET provider_ref = 'pi_of_the_second_page' WHERE pay_key = '%s'", g.key);
	assert_int_equal(reconcile()->exit, 1);
	assert_non_null(strstr(reconcile()->out, "the book lacks  pi_"));
}

static void paid_bookings_that_the_book_lacks_are_named(void **state)
{
	char file[APPLIANCE_PATH];
	static struct ran ran;
	struct guest lost;

	(void)state;
	settle_on(&all[PORTONE]);
	appliance_path(&box, "yesterday.db", file);
	appliance_run(&box, &ran, NULL, "backup", "--dir", box.dir, "--same-disk", file, NULL);
	assert_int_equal(ran.exit, 0);
	pay_for(&lost, &all[PORTONE]);
	assert_null(strstr(reconcile()->out, "the book lacks"));
	appliance_run(&box, &ran, NULL, "restore", "--dir", box.dir, file, NULL);
	if (ran.exit)
		fail_msg("%d %s%s", ran.exit, ran.out, ran.err);
	assert_int_equal(reconcile()->exit, 1);
	assert_true(strstr(reconcile()->out, "the book lacks") && strstr(reconcile()->out, lost.key));
	assert_non_null(strstr(reconcile()->out, "19:00, 2")); /* and for what: slot and party */
	assert_true(appliance_answers(&box, SOON_MS));
	/* A wrong key is said, and is no agreement. */
	appliance_sql(&box, "UPDATE payment_settings SET secret = NULL");
	assert_int_equal(reconcile()->exit, 1);
	assert_non_null(strstr(reconcile()->out, "did not tell its list: UNAUTHORIZED"));
}

/* It is there again, another process than the one before. */
static pid_t cashier_pid(void)
{
	pid_t pid = 0;

	return appliance_pids(&box, BOARD_CASHIER, &pid, 1) == 1 ? pid : 0;
}

/* Whoever passes there next after a fuse is laid is killed. */
static void arm(const char *point)
{
	char spec[80];

	snprintf(spec, sizeof spec, "%s:kill", point);
	setenv("JARI_FAILPOINT", spec, 1);
	setenv("JARI_FAILPOINT_FUSE", fuse, 1);
}

static void killed_at_each_step_it_charges_once_and_gives_back_once(void **state)
{
	static const char *const points[] = {"cashier.start", "cashier.call", "cashier.answered", "cashier.report",
					     "cashier.reported"};

	(void)state;
	for (size_t p = 0; p < (thorough() ? COUNT(points) : 2); p++) {
		appliance_down(&box);
		arm(points[p]);
		appliance_up(&box, 4);
		for (size_t i = 0; i < COUNT(all); i++) {
			struct guest g;

			if (i % 2 != p && !thorough())
				continue;
			settle_on(&all[i]);
			hold(&g);
			press_pay(&g, &all[i]);
			appliance_write(fuse, "");
			authorise(&g, &all[i], "ok");
			WITHIN(SOON_MS, access(fuse, F_OK) != 0); /* it was killed there */
			WITHIN(SOON_MS, is_state(&g, "PAID"));
			assert_int_equal(pay_money(&pay, g.key, "charges"), 1);
			appliance_write(fuse, "");
			cancel(&g);
			WITHIN(SOON_MS, access(fuse, F_OK) != 0);
			WITHIN(SOON_MS, is_state(&g, "REFUNDED"));
			assert_int_equal(pay_money(&pay, g.key, "returns"), 1);
			assert_int_equal(pay_money(&pay, g.key, "returned"), back_of(&g));
			assert_int_equal(pay_money(&pay, g.key, "held"), 0);
		}
	}
	appliance_down(&box);
	unsetenv("JARI_FAILPOINT");
	unsetenv("JARI_FAILPOINT_FUSE");
	appliance_up(&box, 4);
}

/* Stopped, it harms nobody but who pays; the supervisor puts another in its place. */
static void stopped_it_is_replaced_and_nothing_else_waits(void **state)
{
	struct guest g, other;
	pid_t pid;

	(void)state;
	settle_on(&all[PORTONE]);
	WITHIN(SOON_MS, (pid = cashier_pid()) > 0);
	appliance_signal(pid, SIGSTOP);
	hold(&g);
	press_pay(&g, &all[PORTONE]);
	authorise(&g, &all[PORTONE], "ok");
	hold(&other);
	WITHIN(SOON_MS, is_state(&g, "PAID"));
	assert_int_equal(pay_money(&pay, g.key, "charges"), 1);
	assert_int_not_equal(cashier_pid(), pid);
}

/* ---- a card in the place of a deposit ---- */

static void shift_clock(int64_t days)
{
	char text[24];

	snprintf(text, sizeof text, "%lld", (long long)days * 86400);
	appliance_write(clock_file, text);
}

/* The guest leaves a card at the provider's window, and comes back. */
static void leave_card(const struct guest *g, const struct keys *k)
{
	char redirect[PAY_TEXT], token[PAY_TEXT], path[120], body[PAY_TEXT + 40];

	if (strcmp(k->provider, "portone") == 0)
		pay_guest(&pay, redirect,
			  "{'provider':'portone','do':'key','storeId':'store-jari','channelKey':'channel-key-jari','"
			  "billingKeyMethod':"
			  "'CARD','issueId':'%s','redirectUrl':'http://x/'}",
			  g->key);
	else if (strcmp(k->provider, "toss") == 0)
		pay_guest(&pay, redirect,
			  "{'provider':'toss','do':'key','customerKey':'%s','successUrl':'http://x/','failUrl':'http://x/'}",
			  g->key);
	else
		pay_guest(&pay, redirect, "{'provider':'stripe','session':'%s'}", g->session);
	if (strcmp(k->provider, "portone") == 0)
		snprintf(body, sizeof body, "{\"token\":\"%s\"}", pay_said(redirect, "billingIssueToken", token));
	else if (strcmp(k->provider, "toss") == 0)
		snprintf(body, sizeof body, "{\"authKey\":\"%s\"}", pay_said(redirect, "authKey", token));
	else
		snprintf(body, sizeof body, "{\"session\":\"%s\"}", g->session);
	snprintf(path, sizeof path, "/api/payments/%s/back", g->key);
	assert_int_equal(http_post(box.port, path, body)->status, 200);
}

static int64_t effects(const char *what)
{
	const struct http_answer *a = pay_control(&pay, "GET", "effects", NULL);
	int64_t n = 0;
	char mark[40];

	snprintf(mark, sizeof mark, "\"what\":\"%s\"", what);
	for (const char *at = a->body; (at = strstr(at, mark)); at++)
		n++;
	return n;
}

static void a_card_is_kept_charged_by_a_person_and_forgotten(void **state)
{
	struct guest guests[COUNT(all)];
	char owner[TALK_HEADERS], path[120], word[HTTP_TEXT];

	(void)state;
	talk_add_staff(&box, "owner@example.com", owner);
	appliance_sql(&box, "UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com'");
	pay_reset(&pay);
	for (size_t i = 0; i < COUNT(all); i++) {
		shift_clock(0);
		settle_on(&all[i]);
		appliance_sql(&box, "UPDATE payment_settings SET guarantee = 1, guarantee_amount = 15000, guarantee_hours = "
				    "480, guarantee_terms = 'no-shows'");
		hold_for(&guests[i], false);
		press_pay(&guests[i], &all[i]);
		leave_card(&guests[i], &all[i]);
		WITHIN(SOON_MS, is_state(&guests[i], "PAID"));
		assert_string_equal(status_of(&guests[i], word), "CONFIRMED");
		assert_int_equal(effects("KEY"), (int64_t)i + 1);
		assert_int_equal(pay_money(&pay, "", "charged"), (int64_t)i * 10000);
		/* They did not come. */
		shift_clock(12);
		talk_log_in(&box, "owner@example.com", owner);
		snprintf(path, sizeof path, "/api/desk/reservations/%lld/charge", (long long)guests[i].reservation);
		assert_int_equal(talk_as(&box, owner, "POST", path, "{\"amount\":30001,\"most\":30000}")->status, 409);
		assert_int_equal(talk_as(&box, owner, "POST", path, "{\"amount\":10000,\"most\":30000}")->status, 202);
		/* The answer was lost, and they press once more. */
		assert_int_equal(talk_as(&box, owner, "POST", path, "{\"amount\":10000,\"most\":30000}")->status, 409);
		WITHIN(SOON_MS,
		       appliance_number(&box, "SELECT count(*) FROM payments WHERE reservation_id = %lld AND amount = 10000",
					(long long)guests[i].reservation) == 1);
		assert_int_equal(pay_money(&pay, "", "charged"), ((int64_t)i + 1) * 10000);
		shift_clock(50);
		WITHIN(SOON_MS, effects("KEY-GONE") == (int64_t)i + 1);
		WITHIN(SOON_MS, appliance_number(&box, "SELECT count(*) FROM intents WHERE card_ref IS NOT NULL") == 0);
	}
}

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_path(&box, "clock", clock_file);
	setenv("JARI_CLOCK_FILE", clock_file, 1);
	shift_clock(0);
	pay_open(&pay);
	setenv("JARI_PORTONE_URL", pay.url, 1);
	setenv("JARI_TOSS_URL", pay.url, 1);
	setenv("JARI_STRIPE_URL", pay.url, 1);
	appliance_path(&box, "fuse", fuse);
	appliance_up(&box, 4);
	appliance_sql(&box, "UPDATE restaurants SET refund_day_before_pct = 40");
	return token_init() ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	pay_close(&pay);
	return 0;
}

/* From a network that has used up what it may write; as plain CGI, so that the address can be chosen. */
static int post_from_rush(struct hall *hall, const struct guest *g, const char *path)
{
	static struct ran ran;
	const char *status;
	int retry_s;

	while (rate_within(hall->rate, RATE_MADE, rate_network("203.0.113.77"), &retry_s))
		;
	setenv("REQUEST_METHOD", "POST", 1);
	setenv("PATH_INFO", path, 1);
	setenv("CONTENT_TYPE", "application/json", 1);
	setenv("CONTENT_LENGTH", "2", 1);
	setenv("HTTP_X_MANAGE_TOKEN", g->manage, 1);
	setenv("REMOTE_ADDR", "203.0.113.5", 1);
	appliance_run(&box, &ran, "{}", "cgi", "--dir", box.dir, NULL);
	unsetenv("REMOTE_ADDR");
	status = strstr(ran.out, "Status: ");
	return status ? atoi(status + 8) : 0;
}

/* They share the address of a carrier with all who lost it; the hold was counted when it was made. */
static void who_won_the_rush_can_pay(void **state)
{
	struct hall *hall = guests_hall(&box);
	struct guest g;
	char begin[80], back[140];

	(void)state;
	settle_on(&all[PORTONE]);
	hold(&g);
	snprintf(begin, sizeof begin, "/api/reservations/%lld/payments", (long long)g.reservation);
	assert_int_equal(post_from_rush(hall, &g, begin), 201);
	assert_int_equal(post_from_rush(hall, &g, begin), 429);
	press_pay(&g, &all[PORTONE]);
	snprintf(back, sizeof back, "/api/payments/%s/back", g.key);
	assert_int_equal(post_from_rush(hall, &g, back), 200);
	assert_int_equal(post_from_rush(hall, &g, back), 429);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deposit_is_charged_once_and_goes_back_once),
		cmocka_unit_test(who_won_the_rush_can_pay),
		cmocka_unit_test(a_card_that_is_refused_may_be_followed_by_another),
		cmocka_unit_test(an_answer_that_is_lost_is_found),
		cmocka_unit_test(a_provider_that_is_away_is_asked_again),
		cmocka_unit_test(without_its_key_a_provider_is_not_asked),
		cmocka_unit_test(an_event_is_stored_once_and_makes_the_cashier_look),
		cmocka_unit_test(an_event_of_a_payment_that_nobody_made_is_not_kept),
		cmocka_unit_test(a_key_is_told_to_the_company_that_it_is_of_and_no_other),
		cmocka_unit_test(what_was_paid_at_one_provider_goes_back_there),
		cmocka_unit_test(an_event_that_is_not_the_providers_changes_nothing),
		cmocka_unit_test(what_is_no_event_is_said_so),
		cmocka_unit_test(sums_that_differ_from_the_providers_are_named),
		cmocka_unit_test(a_payment_that_was_paid_twice_is_named),
		cmocka_unit_test(paid_bookings_that_the_book_lacks_are_named),
		cmocka_unit_test(stopped_it_is_replaced_and_nothing_else_waits),
		cmocka_unit_test(killed_at_each_step_it_charges_once_and_gives_back_once),
		cmocka_unit_test(a_card_is_kept_charged_by_a_person_and_forgotten),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
