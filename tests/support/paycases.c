/*
 * paycases.c - money online through nginx, the cashier and a local provider: the accidents of tests/pay/CASES.md, by their numbers,
 * and at the end of each test the sums of the provider against the book.
 */
#include "paycases.h"

#include "guests.h"
#include "payer.h"
#include "talk.h"
#include "unit.h"

#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORKERS = 4, DUE = 10000, PATIENCE_MS = 30000 };

/* The calls by which a provider charges and gives back, and how it says that it will not. */
static const struct till {
	const char *provider, *charge, *give_back, *status, *no;
} tills[] = {
	{"portone", "confirm", "cancel", "502", "PG_PROVIDER"},
	{"toss", "confirm", "cancel", "403", "NOT_CANCELABLE_PAYMENT"},
	{"stripe", "intent-capture", "refund-create", "402", "insufficient_funds"},
};

static const struct till *till;
static struct payhouse house;
static char day[TEXT_DATE_SIZE];

static int set_up(void **state)
{
	(void)state;
	payer_open(&house, WORKERS);
	appliance_sql(&house.box, "UPDATE restaurants SET reservation_limit = 400");
	payer_use(&house, till->provider);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	payer_close(&house);
	return 0;
}

/* Each test has a day of its own, and room. */
static int begin(void **state)
{
	static int nth;

	(void)state;
	guests_day(nth++ % 30, day);
	return 0;
}

static int end(void **state)
{
	(void)state;
	payer_judge(&house);
	return 0;
}

static void book(struct payer *p, const char *time)
{
	payer_book(&house, p, day, time, 2);
}

static void seat_is(const struct payer *p, const char *status)
{
	char got[32];

	if (strcmp(payer_seat(p, got), status) != 0)
		fail_msg("%s of %s is %s, and not %s", p->key, house.provider, got, status);
}

/* A column of the payment's row. */
static void intent_text(const struct payer *p, const char *column, char out[256])
{
	sqlite3 *db = appliance_book(&house.box);
	sqlite3_stmt *s;
	char sql[200];

	snprintf(sql, sizeof sql, "SELECT ifnull(%s, '') FROM intents WHERE pay_key = '%s'", column, p->key);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	snprintf(out, 256, "%s", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	sqlite3_close(db);
}

/* Waits until the guest reads how it went. */
static void known(const struct payer *p, char got[HTTP_TEXT])
{
	for (int64_t until = appliance_now_ms() + PATIENCE_MS; strcmp(payer_state(p, got), "CHECKING") == 0; usleep(20000)) {
		if (appliance_now_ms() > until)
			fail_msg("%s of %s is being checked for ever", p->key, house.provider);
		payer_hasten(&house);
	}
}

static int64_t charged(const struct payer *p)
{
	return pay_money(&house.pay, p->key, "charged");
}

static int64_t returned(const struct payer *p)
{
	return pay_money(&house.pay, p->key, "returned");
}

static void cancels(const struct payer *p)
{
	const struct http_answer *a = payer_cancel(p);

	if (a->status != 200)
		fail_msg("a guest cancels: %d %s", a->status, a->body);
}

static void hold_runs_out(const struct payer *p)
{
	appliance_sql(&house.box,
		      "UPDATE reservations SET hold_expires_at = '2020-01-01T00:00:00Z' WHERE reservation_id = %lld",
		      (long long)p->id);
}

static void events_go(const char *send)
{
	char url[160];

	snprintf(url, sizeof url, "http://127.0.0.1:%d/api/payments/events", house.box.port);
	pay_post(&house.pay, "hooks", "{'send':'%s','portone':'%s/portone','toss':'%s/toss','stripe':'%s/stripe'}", send, url,
		 url, url);
}

/* ---- the way it should go ---- */

static void a_guest_pays_is_seated_and_gets_all_of_it_back_by_a_cancel(void **state)
{
	struct payer p;

	(void)state;
	book(&p, "18:00");
	payer_pays(&p);
	payer_becomes(&p, "PAID");
	seat_is(&p, "CONFIRMED");
	assert_int_equal(charged(&p), DUE);
	cancels(&p);
	payer_becomes(&p, "REFUNDED");
	assert_int_equal(returned(&p), DUE);
}

/* ---- the accidents ---- */

static void case_1_the_return_events_and_the_sweep_at_once_charge_once(void **state)
{
	enum { TIMES = 200, AT_ONCE = 40 };
	static struct http_call calls[TIMES];
	static struct http_answer answers[TIMES];
	static char body[PAY_TEXT], path[128];
	struct payer p;

	(void)state;
	book(&p, "18:00");
	payer_press(&p);
	events_go("now");
	payer_window(&p, "ok");
	for (size_t i = 0; i < TIMES; i++)
		calls[i] = payer_back_call(&p, body, path);
	http_many(house.box.port, calls, TIMES, AT_ONCE, answers);
	pay_post(&house.pay, "hooks/send", "{'times':10,'at_once':true}");
	payer_hasten(&house);
	for (size_t i = 0; i < TIMES; i++) {
		assert_int_equal(answers[i].end, HTTP_WHOLE);
		http_free(&answers[i]);
	}
	payer_becomes(&p, "PAID");
	assert_int_equal(pay_money(&house.pay, p.key, "charges"), 1);
	assert_int_equal(pay_calls(&house.pay, till->provider, till->charge, p.key), 1);
}

static void case_2_while_an_answer_is_lost_the_guest_reads_checking_and_never_failed(void **state)
{
	char got[HTTP_TEXT];
	struct payer p;

	(void)state;
	book(&p, "18:00");
	payer_press(&p);
	pay_fault(&house.pay, "{'provider':'%s','call':'%s','id':'%s','fault':'lost'}", till->provider, till->charge, p.key);
	payer_window(&p, "ok");
	payer_back(&p);
	for (int64_t until = appliance_now_ms() + PATIENCE_MS; strcmp(payer_state(&p, got), "PAID") != 0; usleep(5000)) {
		assert_string_equal(got, "CHECKING");
		assert_true(appliance_now_ms() < until);
	}
	assert_int_equal(charged(&p), DUE);
	seat_is(&p, "CONFIRMED");
}

static void case_3_what_nobody_came_back_for_is_found(void **state)
{
	struct payer lost, away;

	(void)state;
	/* Charged, and the cashier never heard so: no event, no guest. */
	book(&lost, "18:00");
	payer_press(&lost);
	pay_fault(&house.pay, "{'provider':'%s','call':'%s','id':'%s','fault':'lost'}", till->provider, till->charge, lost.key);
	payer_window(&lost, "ok");
	payer_back(&lost);
	/* Authorised, and the browser never came back. */
	book(&away, "19:00");
	payer_press(&away);
	payer_window(&away, "ok");
	payer_becomes(&lost, "PAID");
	payer_settle(&house);
	assert_true(charged(&away) == 0 || charged(&away) == DUE);
	assert_int_equal(pay_money(&house.pay, away.key, "held"), 0);
}

static void case_4_a_second_payment_given_back_leaves_the_reservation(void **state)
{
	struct payer p;
	char body[160], path[96];

	(void)state;
	const struct http_answer *a;
	char first[64];

	book(&p, "18:00");
	payer_pays(&p);
	payer_becomes(&p, "PAID");
	memcpy(first, p.key, sizeof first);
	/* One more guest: the difference is a payment of its own. */
	snprintf(path, sizeof path, "/api/reservations/%lld/change", (long long)p.id);
	snprintf(body, sizeof body, "{\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":3}", day, p.time);
	a = talk_as(&house.box, p.headers, "POST", path, body);
	if (a->status != 202)
		fail_msg("a change to three: %d %s", a->status, a->body);
	payer_pays(&p);
	assert_string_not_equal(p.key, first);
	payer_becomes(&p, "PAID");
	pay_post(&house.pay, "console", "{'provider':'%s','id':'%s','do':'refund'}", till->provider, p.key);
	events_go("hold");
	pay_post(&house.pay, "hooks/send", "{}");
	appliance_sql(&house.box, "UPDATE intents SET todo = 'LOOK', todo_at = '2020-01-01T00:00:00Z' WHERE pay_key = '%s'",
		      p.key);
	payer_becomes(&p, "REFUNDED");
	seat_is(&p, "CONFIRMED");
}

static void case_5_the_console_and_the_desk_give_back_at_once_and_the_sums_agree(void **state)
{
	struct payer p, q;

	(void)state;
	book(&p, "18:00");
	payer_pays(&p);
	book(&q, "19:00");
	payer_pays(&q);
	payer_becomes(&p, "PAID");
	payer_becomes(&q, "PAID");
	/* While ours is under way somebody at the console gives back all of it, and of the other a part. */
	pay_fault(&house.pay, "{'provider':'%s','call':'%s','fault':'late','ms':300,'times':2}", till->provider,
		  till->give_back);
	cancels(&p);
	cancels(&q);
	pay_post(&house.pay, "console", "{'provider':'%s','id':'%s','do':'refund'}", till->provider, p.key);
	pay_post(&house.pay, "console", "{'provider':'%s','id':'%s','do':'refund','amount':4000}", till->provider, q.key);
	payer_becomes(&p, "REFUNDED");
	payer_becomes(&q, "REFUNDED");
	assert_int_equal(returned(&p), DUE);
	assert_int_equal(returned(&q), DUE);
}

static void end_cashier(void)
{
	pid_t pid = payer_cashier(&house);

	assert_true(pid > 1);
	appliance_signal(pid, SIGKILL);
	WITHIN(PATIENCE_MS, payer_cashier(&house) != 0 && payer_cashier(&house) != pid);
}

static void case_6_a_refund_whose_answer_died_with_the_cashier_is_made_once(void **state)
{
	struct payer p;

	(void)state;
	/* A part of it: the second time the provider would give that back too. */
	appliance_sql(&house.box, "UPDATE restaurants SET refund_day_before_pct = 40");
	book(&p, "18:00");
	appliance_sql(&house.box, "UPDATE restaurants SET refund_day_before_pct = 100");
	payer_pays(&p);
	payer_becomes(&p, "PAID");
	pay_fault(&house.pay, "{'provider':'%s','call':'%s','id':'%s','fault':'delay','ms':5000}", till->provider,
		  till->give_back, p.key);
	cancels(&p);
	WITHIN(PATIENCE_MS, returned(&p) == DUE * 4 / 10); /* done, and not yet answered */
	end_cashier();
	payer_becomes(&p, "REFUNDED");
	assert_int_equal(pay_money(&house.pay, p.key, "returns"), 1);
}

static void case_7_an_event_that_comes_ten_times_is_answered_at_once_each_time(void **state)
{
	const struct http_answer *a;
	struct payer p;

	(void)state;
	events_go("hold");
	book(&p, "18:00");
	payer_pays(&p);
	payer_becomes(&p, "PAID");
	a = pay_post(&house.pay, "hooks/send", "{'times':10,'at_once':true,'id':'%s'}", p.key);
	assert_true(http_int(a, "sent") >= 10);
	assert_int_equal(http_int(a, "answered"), http_int(a, "sent"));
	assert_true(http_int(a, "slowest_ms") < 1000);
	if (strstr(a->body, "[200,") == NULL)
		fail_msg("an event of %s: %s", till->provider, a->body);
	payer_settle(&house);
	seat_is(&p, "CONFIRMED");
	assert_int_equal(pay_money(&house.pay, p.key, "charges"), 1);
	pay_reset(&house.pay);
}

static void case_8_an_old_tab_that_is_paid_after_a_new_try_is_used_or_let_go(void **state)
{
	struct payer old, fresh;

	(void)state;
	book(&old, "18:00");
	payer_press(&old);
	snprintf(old.redirect, sizeof old.redirect, "http://jari/pay?code=CLOSED&message=closed");
	payer_back(&old); /* they closed the window, as the browser says ... */
	fresh = old;
	payer_press(&fresh);
	assert_string_not_equal(fresh.key, old.key);
	payer_window(&old, "ok"); /* ... and pay in it all the same */
	payer_back(&old);
	payer_window(&fresh, "ok");
	payer_back(&fresh);
	payer_becomes(&fresh, "PAID");
	seat_is(&fresh, "CONFIRMED");
	payer_settle(&house);
	assert_int_equal(charged(&old) - returned(&old) + charged(&fresh) - returned(&fresh), DUE);
}

static void case_9_every_way_out_of_a_hold_ends_captured_or_let_go(void **state)
{
	struct payer cancelled, lapsed, closed;

	(void)state;
	book(&cancelled, "18:00");
	payer_press(&cancelled);
	payer_window(&cancelled, "ok");
	cancels(&cancelled);
	payer_back(&cancelled);
	book(&lapsed, "19:00");
	payer_press(&lapsed);
	payer_window(&lapsed, "ok");
	hold_runs_out(&lapsed);
	book(&closed, "20:00");
	payer_press(&closed);
	payer_window(&closed, "closed");
	payer_back(&closed);
	payer_becomes(&cancelled, "NOTHING_CHARGED");
	payer_settle(&house);
	assert_int_equal(pay_money(&house.pay, "", "held"), 0);
	assert_int_equal(charged(&cancelled), 0);
	assert_int_equal(charged(&closed), 0);
}

static void case_10_won_yen_euro_and_dinar_are_charged_to_the_digit(void **state)
{
	static const struct {
		const char *currency;
		int a_head;
	} rows[] = {{"JPY", 700}, {"EUR", 1250}, {"KWD", 1510}, {"KRW", 5000}};
	size_t first = strcmp(till->provider, "stripe") == 0 ? 0 : COUNT(rows) - 1; /* the others take won */
	struct payer p;

	(void)state;
	for (size_t i = first; i < COUNT(rows); i++) {
		appliance_sql(&house.box, "UPDATE restaurants SET currency = '%s', deposit_per_person = %d", rows[i].currency,
			      rows[i].a_head);
		book(&p, "18:00");
		payer_pays(&p);
		payer_becomes(&p, "PAID");
		assert_int_equal(charged(&p), 2 * rows[i].a_head);
		assert_string_equal(p.currency, rows[i].currency);
		cancels(&p);
		payer_becomes(&p, "REFUNDED");
	}
}

/* The guest does not come from our page to the window, or comes back with the token of another payment. */
static void case_11_a_price_of_the_browsers_own_is_refused_before_money_moves(void **state)
{
	struct payer p, cheap;
	char got[HTTP_TEXT];

	(void)state;
	book(&p, "18:00");
	payer_press(&p);
	payer_book(&house, &cheap, day, "19:00", 1);
	payer_press(&cheap);
	if (strcmp(till->provider, "stripe") != 0) {
		int64_t right = p.amount;

		p.amount = 1;
		payer_window(&p, "ok");
		payer_back(&p);
		known(&p, got);
		assert_string_equal(got, "DECLINED");
		p.amount = right;
		payer_press(&p);
	}
	payer_window(&cheap, "ok");
	memcpy(p.redirect, cheap.redirect, sizeof p.redirect);
	payer_back(&p);
	payer_settle(&house);
	assert_int_equal(charged(&p), 0);
	assert_true(strcmp(payer_state(&p, got), "PAID") != 0);
}

/* Whatever of it they hand over, and under whichever name. */
static void case_11_what_paid_for_one_reservation_pays_for_no_other(void **state)
{
	static const char *const names[] = {"txId", "session", "paymentKey"};
	struct payer first, second;
	char got[HTTP_TEXT], ref[256], body[512], path[128];

	(void)state;
	book(&first, "18:00");
	payer_pays(&first);
	payer_becomes(&first, "PAID");
	intent_text(&first, "provider_ref", ref);
	for (size_t i = 0; i < COUNT(names); i++) {
		book(&second, "19:00");
		payer_press(&second);
		memcpy(second.redirect, first.redirect, sizeof second.redirect);
		payer_back(&second);
		snprintf(body, sizeof body, "{\"%s\":\"%s\"}", names[i], ref);
		snprintf(path, sizeof path, "/api/payments/%s/back", second.key);
		http_post(house.box.port, path, body);
		payer_settle(&house);
		if (charged(&second) || strcmp(payer_state(&second, got), "PAID") == 0)
			fail_msg("%s: the %s of another payment made it %s", till->provider, names[i], got);
	}
}

static void pays_late(struct payer *p, const char *time)
{
	book(p, time);
	payer_press(p);
	pay_fault(&house.pay, "{'provider':'%s','call':'%s','id':'%s','fault':'late','ms':3500}", till->provider, till->charge,
		  p->key);
	payer_window(p, "ok");
	payer_back(p);
}

/* One of them waits; the other cancels meanwhile, and what comes for them after all goes back. */
static void case_12_a_confirmation_that_takes_longer_than_we_wait_is_looked_up(void **state)
{
	struct payer p, gone;

	(void)state;
	pays_late(&gone, "19:00");
	pays_late(&p, "18:00");
	WITHIN(PATIENCE_MS, pay_calls(&house.pay, till->provider, till->charge, gone.key) == 1);
	cancels(&gone);
	payer_becomes(&p, "PAID");
	if (strcmp(till->provider, "stripe") != 0) { /* there the card is let go before */
		WITHIN(PATIENCE_MS, charged(&gone) == DUE);
		payer_becomes(&gone, "REFUNDED");
	}
	assert_int_equal(pay_money(&house.pay, p.key, "charges"), 1);
	seat_is(&p, "CONFIRMED");
}

static void case_13_a_refund_that_is_refused_stands_in_the_desks_list(void **state)
{
	const struct http_answer *a;
	struct json_object *o, *needs;
	char path[96];
	struct payer p;

	(void)state;
	book(&p, "18:00");
	payer_pays(&p);
	payer_becomes(&p, "PAID");
	pay_fault(&house.pay, "{'provider':'%s','call':'%s','id':'%s','fault':'%s','code':'%s','times':0}", till->provider,
		  till->give_back, p.key, till->status, till->no);
	cancels(&p);
	for (int64_t until = appliance_now_ms() + PATIENCE_MS;
	     appliance_number(&house.box,
			      "SELECT count(*) FROM refunds JOIN intents USING (intent_id) WHERE pay_key = '%s' AND"
			      " refunds.state = 'FAILED'",
			      p.key) == 0;
	     usleep(20000)) {
		assert_true(appliance_now_ms() < until);
		payer_hasten(&house);
	}
	assert_int_equal(returned(&p), 0);
	a = talk_as(&house.box, house.owner, "GET", "/api/desk/payments?restaurantId=1", NULL);
	talk_says(a, 200, "");
	o = http_json(a);
	needs = json_object_object_get(o, "needs");
	assert_true(json_object_array_length(needs) >= 1);
	assert_true(*json_object_get_string(json_object_object_get(json_object_array_get_idx(needs, 0), "words")));
	snprintf(path, sizeof path, "/api/desk/refunds/%s/again",
		 json_object_get_string(json_object_object_get(json_object_array_get_idx(needs, 0), "refundId")));
	json_object_put(o);
	pay_end_faults(&house.pay);
	a = talk_as(&house.box, house.owner, "POST", path, "{}");
	if (a->status != 200)
		fail_msg("once more: %d %s", a->status, a->body);
	payer_becomes(&p, "REFUNDED");
	assert_int_equal(returned(&p), DUE);
}

static void case_14_paid_after_the_hold_is_seated_if_there_is_room_and_else_not_charged(void **state)
{
	struct payer late, too_late, other;
	char got[HTTP_TEXT];

	(void)state;
	book(&late, "18:00");
	payer_press(&late);
	payer_window(&late, "ok");
	hold_runs_out(&late);
	payer_back(&late);
	payer_becomes(&late, "PAID");
	seat_is(&late, "CONFIRMED");
	/* Nobody but them fits, and another party came meanwhile. */
	book(&too_late, "20:00");
	payer_press(&too_late);
	payer_window(&too_late, "ok");
	hold_runs_out(&too_late);
	appliance_sql(&house.box,
		      "UPDATE restaurant_reservation_slots SET max_capacity = 2 + (SELECT ifnull(sum(party_size), 0) FROM "
		      "reservations v WHERE"
		      " v.slot_id = restaurant_reservation_slots.slot_id AND v.status IN ('CONFIRMED', 'ARRIVED')) "
		      "WHERE slot_id ="
		      " (SELECT slot_id FROM reservations WHERE reservation_id = %lld)",
		      (long long)too_late.id);
	book(&other, "20:00");
	payer_back(&too_late);
	known(&too_late, got);
	assert_string_equal(got, "NOTHING_CHARGED");
	assert_int_equal(charged(&too_late), 0);
}

static void case_15_an_event_before_the_first_answer_is_kept_and_looked_at(void **state)
{
	struct payer p;

	(void)state;
	events_go("first"); /* each is sent before its cause is answered */
	book(&p, "18:00");
	payer_press(&p);
	payer_window(&p, "ok");
	payer_back(&p);
	payer_becomes(&p, "PAID");
	assert_int_equal(pay_money(&house.pay, p.key, "charges"), 1);
	seat_is(&p, "CONFIRMED");
	assert_true(appliance_number(&house.box, "SELECT count(*) FROM payment_events WHERE provider = '%s'", till->provider) >
			    0 ||
		    strcmp(till->provider, "toss") == 0);
}

static void case_16_nobody_is_asked_for_money_that_came(void **state)
{
	struct payer p;

	(void)state;
	book(&p, "18:00");
	payer_pays(&p);
	payer_becomes(&p, "PAID");
	assert_int_equal(
		appliance_number(&house.box,
				 "SELECT count(*) FROM outbox WHERE reservation_id = %lld AND status = 'QUEUED' AND event IN "
				 "('HELD', 'HELD_ENDS', 'LAPSED')",
				 (long long)p.id),
		0);
}

static void case_17_another_card_after_a_refused_one_has_the_same_seats(void **state)
{
	static const char *const cards[] = {"declined", "refused"};
	char got[HTTP_TEXT];
	struct payer p;

	(void)state;
	int64_t id;

	book(&p, "18:00");
	id = p.id;
	for (size_t i = 0; i < COUNT(cards); i++) {
		payer_press(&p);
		payer_window(&p, cards[i]);
		payer_back(&p);
		known(&p, got);
		assert_string_equal(got, "DECLINED");
		seat_is(&p, "TEMPORARY");
	}
	payer_pays(&p);
	payer_becomes(&p, "PAID");
	assert_int_equal(p.id, id);
	seat_is(&p, "CONFIRMED");
}

static void case_18_the_providers_clock_is_ahead_and_behind(void **state)
{
	static const int shifts[] = {300, -300};
	struct payer p;

	(void)state;
	for (size_t i = 0; i < COUNT(shifts); i++) {
		pay_post(&house.pay, "clock", "{'shift_s':%d}", shifts[i]);
		book(&p, "18:00");
		payer_pays(&p);
		payer_becomes(&p, "PAID");
	}
	pay_post(&house.pay, "clock", "{'shift_s':0}");
}

/* ---- every fault at every call ---- */

static const struct fault {
	const char *what, *more;
} faults[] = {
	{"lost", ""}, {"cut", ""}, {"dropped", ""},          {"409", ""},  {"429", ""},
	{"500", ""},  {"502", ""}, {"502", ",'after':true"}, {"html", ""}, {"html", ",'after':true"},
};

static void whatever_fails_once_it_is_charged_once_and_given_back_once(void **state)
{
	static struct payer p[COUNT(faults)];

	(void)state;
	for (size_t i = 0; i < COUNT(faults); i++) {
		book(&p[i], "18:00");
		payer_press(&p[i]);
		pay_fault(&house.pay, "{'provider':'%s','call':'%s','id':'%s','fault':'%s'%s}", till->provider, till->charge,
			  p[i].key, faults[i].what, faults[i].more);
		pay_fault(&house.pay, "{'provider':'%s','call':'%s','id':'%s','fault':'%s'%s}", till->provider, till->give_back,
			  p[i].key, faults[i].what, faults[i].more);
		payer_window(&p[i], "ok");
		payer_back(&p[i]);
	}
	for (size_t i = 0; i < COUNT(faults); i++) {
		payer_becomes(&p[i], "PAID");
		cancels(&p[i]);
	}
	for (size_t i = 0; i < COUNT(faults); i++) {
		payer_becomes(&p[i], "REFUNDED");
		if (pay_money(&house.pay, p[i].key, "charges") != 1 || pay_money(&house.pay, p[i].key, "returns") != 1)
			fail_msg("%s, %s%s: charged or returned twice", till->provider, faults[i].what, faults[i].more);
	}
}

static void another_amount_or_currency_than_the_books_is_never_kept(void **state)
{
	static const char *const wrong[] = {"amount", "currency"};
	char got[HTTP_TEXT];
	struct payer p;

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		book(&p, "18:00");
		payer_press(&p);
		pay_fault(&house.pay, "{'provider':'%s','call':'%s','id':'%s','fault':'%s'}", till->provider, till->charge,
			  p.key, wrong[i]);
		payer_window(&p, "ok");
		payer_back(&p);
		WITHIN(PATIENCE_MS, strcmp(payer_state(&p, got), "REFUNDED") == 0 || (payer_hasten(&house), false));
		assert_int_equal(pay_money(&house.pay, p.key, "kept"), 0);
		assert_true(strcmp(payer_seat(&p, got), "CONFIRMED") != 0);
	}
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int paycases_run(const char *provider)
{
	const struct CMUnitTest tests[] = {
		/* First: a house changes its currency only while it owes nothing and is owed nothing. */
		CASE(case_10_won_yen_euro_and_dinar_are_charged_to_the_digit),
		CASE(a_guest_pays_is_seated_and_gets_all_of_it_back_by_a_cancel),
		CASE(case_1_the_return_events_and_the_sweep_at_once_charge_once),
		CASE(case_2_while_an_answer_is_lost_the_guest_reads_checking_and_never_failed),
		CASE(case_3_what_nobody_came_back_for_is_found),
		CASE(case_4_a_second_payment_given_back_leaves_the_reservation),
		CASE(case_5_the_console_and_the_desk_give_back_at_once_and_the_sums_agree),
		CASE(case_6_a_refund_whose_answer_died_with_the_cashier_is_made_once),
		CASE(case_7_an_event_that_comes_ten_times_is_answered_at_once_each_time),
		CASE(case_8_an_old_tab_that_is_paid_after_a_new_try_is_used_or_let_go),
		CASE(case_9_every_way_out_of_a_hold_ends_captured_or_let_go),
		CASE(case_11_a_price_of_the_browsers_own_is_refused_before_money_moves),
		CASE(case_11_what_paid_for_one_reservation_pays_for_no_other),
		CASE(case_12_a_confirmation_that_takes_longer_than_we_wait_is_looked_up),
		CASE(case_13_a_refund_that_is_refused_stands_in_the_desks_list),
		CASE(case_14_paid_after_the_hold_is_seated_if_there_is_room_and_else_not_charged),
		CASE(case_15_an_event_before_the_first_answer_is_kept_and_looked_at),
		CASE(case_16_nobody_is_asked_for_money_that_came),
		CASE(case_17_another_card_after_a_refused_one_has_the_same_seats),
		CASE(case_18_the_providers_clock_is_ahead_and_behind),
		CASE(whatever_fails_once_it_is_charged_once_and_given_back_once),
		CASE(another_amount_or_currency_than_the_books_is_never_kept),
	};

	for (till = tills; strcmp(till->provider, provider) != 0; till++)
		assert_true(till < tills + COUNT(tills) - 1);
	cmocka_set_test_filter(getenv("ONLY"));
	cmocka_set_skip_filter(getenv("NOT"));
	return cmocka_run_group_tests_name(provider, tests, set_up, tear_down);
}
