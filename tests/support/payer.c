/*
 * payer.c - guests who pay online at a real appliance.
 */
#include "payer.h"

#include "talk.h"
#include "unit.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_MS = 30000, HASTEN_MS = 150 };

/* ---- the house ---- */

/* As a page asks: once more, when a worker died with the question in its hand. */
static const struct http_answer *insist(const struct payhouse *h, struct http_call call)
{
	const struct http_answer *a = http_ask(h->box.port, call);

	for (int i = 0; i < 50 && (a->end != HTTP_WHOLE || a->status == 502 || a->status == 503); i++) {
		usleep(100000);
		a = http_ask(h->box.port, call);
	}
	return a;
}

void payer_open(struct payhouse *h, int workers)
{
	static const char *const urls[] = {"JARI_PORTONE_URL", "JARI_TOSS_URL", "JARI_STRIPE_URL"};

	*h = (struct payhouse){.provider = ""};
	pay_open(&h->pay);
	for (size_t i = 0; i < COUNT(urls); i++)
		setenv(urls[i], h->pay.url, 1);
	setenv("JARI_PATIENCE_S", "2", 1);
	appliance_new(&h->box);
	appliance_up(&h->box, workers);
	talk_add_staff(&h->box, "owner@example.com", h->owner);
	appliance_sql(&h->box, "UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com'; UPDATE restaurants SET"
			       " deposit_per_person = 5000, deposit_large_per_person = 5000, quiet_from = 0, quiet_to = 0,"
			       " holds_per_guest = 0, upcoming_per_guest = 0, prove_contact = 0");
	talk_log_in(&h->box, "owner@example.com", h->owner);
}

void payer_close(struct payhouse *h)
{
	appliance_down(&h->box);
	pay_close(&h->pay);
	payer_free(h);
}

void payer_free(struct payhouse *h)
{
	appliance_free(&h->box);
	pay_free(&h->pay);
}

void payer_use(struct payhouse *h, const char *provider)
{
	char body[1024];
	const struct http_answer *a;

	/* The keys of the one before go with it: what was begun there is over first. */
	if (*h->provider && strcmp(h->provider, provider) != 0)
		payer_settle(h);
	h->provider = provider;
	snprintf(body, sizeof body,
		 "{\"provider\":\"%s\",\"test\":true,\"storeId\":\"store-jari\",\"channelKey\":\"channel-key-jari\","
		 "\"clientKey\":\"test_ck_jari\",\"secret\":\"%s\",\"webhookSecret\":\"%s\"}",
		 provider,
		 strcmp(provider, "portone") == 0 ? "portone-secret-of-the-tests" :
		 strcmp(provider, "toss") == 0    ? "test_sk_jari" :
						    "sk_test_jari",
		 strcmp(provider, "stripe") == 0 ? "whsec_amFyaS1zdHJpcGUtd2ViaG9vay1zZWNyZXQ" :
						   "whsec_amFyaS1wb3J0b25lLXdlYmhvb2stc2VjcmV0");
	a = insist(h, (struct http_call){.method = "PUT",
					 .path = "/api/desk/payments/settings?restaurantId=1",
					 .headers = h->owner,
					 .body = body});
	if (a->status != 200)
		fail_msg("the owner chooses %s: %d %s", provider, a->status, a->body);
}

/* ---- a guest ---- */

void payer_book(struct payhouse *h, struct payer *p, const char *date, const char *time, int party)
{
	static int people;
	char body[512], token[HTTP_TEXT];
	const struct http_answer *a;

	*p = (struct payer){.house = h};
	snprintf(p->date, sizeof p->date, "%s", date);
	snprintf(p->time, sizeof p->time, "%s", time);
	people++;
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,"
		 "\"reservationType\":\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Guest %d\",\"phone\":\"010-6%03d-%04d\"}}",
		 date, time, party, people, people / 1000, people % 10000);
	snprintf(token, sizeof token, "Content-Type: application/json\r\nIdempotency-Key: payer-%d-%d\r\n", (int)getpid(),
		 people);
	a = insist(h, (struct http_call){.path = "/api/reservations", .headers = token, .body = body});
	if (a->status != 201 && a->status != 200)
		fail_msg("%s %s for %d: %d %s", date, time, party, a->status, a->body ? a->body : "");
	p->id = http_int(a, "reservationId");
	snprintf(p->headers, sizeof p->headers, "X-Manage-Token: %s\r\nContent-Type: application/json\r\n",
		 http_text(a, "manageToken", token));
}

static const char *text_of(struct json_object *o, const char *name)
{
	const char *text = json_object_get_string(json_object_object_get(o, name));

	return text ? text : "";
}

const struct http_answer *payer_press_once(struct payer *p)
{
	char path[128];
	const struct http_answer *a;
	struct json_object *o;

	snprintf(path, sizeof path, "/api/reservations/%lld/payments", (long long)p->id);
	a = insist(p->house, (struct http_call){.path = path, .headers = p->headers, .body = "{\"lang\":\"en\"}"});
	if (a->status != 200 && a->status != 201)
		return a;
	o = http_json(a);
	snprintf(p->key, sizeof p->key, "%s", text_of(o, "paymentId"));
	snprintf(p->currency, sizeof p->currency, "%s", text_of(o, "currency"));
	p->amount = json_object_get_int64(json_object_object_get(o, "amount"));
	snprintf(p->page, sizeof p->page, "%s", text_of(json_object_object_get(o, "page"), "sessionUrl"));
	json_object_put(o);
	return a;
}

void payer_press(struct payer *p)
{
	const struct http_answer *a;

	p->page[0] = '\0';
	a = payer_press_once(p);
	if (a->status != 200 && a->status != 201)
		fail_msg("to pay: %d %s", a->status, a->body ? a->body : "");
	for (int64_t until = appliance_now_ms() + PATIENCE_MS; strcmp(p->house->provider, "stripe") == 0 && !*p->page;
	     usleep(20000), payer_press_once(p))
		if (appliance_now_ms() > until)
			fail_msg("no page of Stripe's: %s", payer_press_once(p)->body);
}

void payer_window(struct payer *p, const char *card)
{
	const struct pay *pay = &p->house->pay;
	char session[PAY_TEXT];

	if (strcmp(p->house->provider, "portone") == 0)
		pay_guest(pay, p->redirect,
			  "{'provider':'portone','do':'pay','paymentId':'%s','storeId':'store-jari','channelKey':"
			  "'channel-key-jari','orderName':'deposit','totalAmount':%lld,'currency':'%s','redirectUrl':'http://"
			  "jari/pay',"
			  "'card':'%s'}",
			  p->key, (long long)p->amount, p->currency, card);
	else if (strcmp(p->house->provider, "toss") == 0)
		pay_guest(pay, p->redirect,
			  "{'provider':'toss','do':'pay','orderId':'%s','orderName':'deposit','amount':%lld,'currency':'%s',"
			  "'successUrl':'http://jari/pay','failUrl':'http://jari/pay','card':'%s'}",
			  p->key, (long long)p->amount, p->currency, card);
	else
		pay_guest(pay, p->redirect, "{'session':'%s','card':'%s'}", pay_said(p->page, "session", session), card);
}

/* One member of the body of "back", if the redirect has it. */
static void add_said(const struct payer *p, const char *said, const char *name, char body[PAY_TEXT])
{
	char value[PAY_TEXT];
	size_t n = strlen(body);

	if (*pay_said(p->redirect, said, value))
		snprintf(body + n, PAY_TEXT - n, "%s\"%s\":\"%.1500s\"", n > 1 ? "," : "", name, value);
}

struct http_call payer_back_call(const struct payer *p, char body[PAY_TEXT], char path[128])
{
	char amount[PAY_TEXT];

	snprintf(body, PAY_TEXT, "{");
	add_said(p, "paymentToken", "token", body);
	add_said(p, "txId", "txId", body);
	add_said(p, "paymentKey", "paymentKey", body);
	add_said(p, "session", "session", body);
	add_said(p, "code", "code", body);
	add_said(p, "message", "message", body);
	if (*pay_said(p->redirect, "amount", amount))
		snprintf(body + strlen(body), PAY_TEXT - strlen(body), ",\"amount\":%.20s", amount);
	strcat(body, "}");
	snprintf(path, 128, "/api/payments/%s/back", p->key);
	return (struct http_call){.method = "POST", .path = path, .body = body};
}

const struct http_answer *payer_back(const struct payer *p)
{
	char body[PAY_TEXT], path[128];
	const struct http_answer *a = insist(p->house, payer_back_call(p, body, path));

	if (a->status != 200 && a->status != 202)
		fail_msg("back from %s with %s: %d %s", p->house->provider, body, a->status, a->body ? a->body : "");
	return a;
}

void payer_pays(struct payer *p)
{
	payer_press(p);
	payer_window(p, "ok");
	payer_back(p);
}

const struct http_answer *payer_cancel(const struct payer *p)
{
	char path[128];

	snprintf(path, sizeof path, "/api/reservations/%lld/cancel", (long long)p->id);
	return insist(p->house, (struct http_call){.path = path, .headers = p->headers, .body = "{}"});
}

/* ---- how it stands ---- */

/* What the cashier still has before it: for the words of a test that fails. */
static const char *unfinished(const struct payhouse *h, char out[2048])
{
	sqlite3 *db = appliance_book(&h->box);
	sqlite3_stmt *s;
	size_t n = 0;

	out[0] = '\0';
	assert_int_equal(
		sqlite3_prepare_v2(
			db,
			"SELECT i.pay_key || ' ' || i.state || ' todo ' || ifnull(i.todo, '-') || ' ' || ifnull(i.todo_at, '') "
			"|| ' tries ' ||"
			" i.attempts || ifnull(' refund ' || r.state || ' of ' || r.amount || ' tries ' || r.attempts, '') || "
			"ifnull(': ' ||"
			" ifnull(r.words, i.words), '') FROM intents i LEFT JOIN refunds r ON r.intent_id = i.intent_id AND "
			"r.state ="
			" 'QUEUED' WHERE i.todo IS NOT NULL AND i.todo <> 'FORGET_CARD' OR r.refund_id IS NOT NULL LIMIT 8",
			-1, &s, NULL),
		SQLITE_OK);
	while (sqlite3_step(s) == SQLITE_ROW)
		n += (size_t)snprintf(out + n, 2048 - n, "\n%.240s", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	sqlite3_close(db);
	return out;
}

const char *payer_state(const struct payer *p, char out[HTTP_TEXT])
{
	char path[128];

	snprintf(path, sizeof path, "/api/payments/%s", p->key);
	return http_text(http_get(p->house->box.port, path), "state", out);
}

void payer_becomes(const struct payer *p, const char *state)
{
	char got[HTTP_TEXT], words[2048];
	int64_t until = appliance_now_ms() + PATIENCE_MS, hasten = 0;

	for (; strcmp(payer_state(p, got), state) != 0; usleep(10000)) {
		if (appliance_now_ms() > until)
			fail_msg("%s of %s is %s, and not %s:%s", p->key, p->house->provider, got, state,
				 unfinished(p->house, words));
		if (appliance_now_ms() > hasten) {
			payer_hasten(p->house);
			hasten = appliance_now_ms() + HASTEN_MS;
		}
	}
}

const char *payer_seat(const struct payer *p, char out[32])
{
	sqlite3 *db = appliance_book(&p->house->box);
	sqlite3_stmt *s;

	assert_int_equal(sqlite3_prepare_v2(db, "SELECT status FROM reservations WHERE reservation_id = ?", -1, &s, NULL),
			 SQLITE_OK);
	sqlite3_bind_int64(s, 1, p->id);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	snprintf(out, 32, "%s", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	sqlite3_close(db);
	return out;
}

void payer_hasten(const struct payhouse *h)
{
	appliance_sql(
		&h->box,
		"UPDATE intents SET todo_at = '2020-01-01T00:00:00Z' WHERE todo IS NOT NULL AND todo <> 'FORGET_CARD' AND"
		" todo_at > '2020-01-01T00:00:00Z'; UPDATE refunds SET next_at = '' WHERE state = 'QUEUED' AND next_at > ''");
}

void payer_settle(const struct payhouse *h)
{
	int64_t until = appliance_now_ms() + PATIENCE_MS;
	char words[2048];

	/* A hold's end is long past, and so is the week in which it is looked at. */
	appliance_sql(&h->box, "UPDATE reservations SET hold_expires_at = '2020-01-01T00:00:00Z' WHERE status = 'TEMPORARY';"
			       "UPDATE intents SET ends_at = '2020-01-01T00:00:00Z' WHERE todo IS NOT NULL");
	for (; appliance_number(&h->box,
				"SELECT (SELECT count(*) FROM intents WHERE todo IS NOT NULL AND todo <> 'FORGET_CARD') + "
				"(SELECT count(*) FROM refunds WHERE state = 'QUEUED')");
	     usleep(50000)) {
		if (appliance_now_ms() > until)
			fail_msg("the cashier does not come to an end:%s", unfinished(h, words));
		payer_hasten(h);
	}
}

pid_t payer_cashier(const struct payhouse *h)
{
	pid_t pid = 0;

	return appliance_pids(&h->box, BOARD_CASHIER, &pid, 1) ? pid : 0;
}

/* ---- the sum at the end ---- */

static int64_t number_of(struct json_object *o, const char *name)
{
	return json_object_get_int64(json_object_object_get(o, name));
}

/* What the book says of that payment, in the currency in which the provider has it. */
static int64_t book_sum(const struct payhouse *h, const char *column, struct json_object *row)
{
	return appliance_number(
		&h->box,
		"SELECT ifnull(sum(p.%s), 0) FROM payments p JOIN intents i USING (intent_id) WHERE i.pay_key = '%s'"
		" AND p.currency = '%s'",
		column, text_of(row, "id"), text_of(row, "currency"));
}

/* One payment of the provider's against the book. */
static void judge_one(const struct payhouse *h, struct json_object *row)
{
	const char *id = text_of(row, "id");
	int64_t charged = number_of(row, "charged"), returned = number_of(row, "returned");
	int64_t known = appliance_number(&h->box, "SELECT count(*) FROM intents WHERE pay_key = '%s'", id);
	int64_t received, back, due, seats;

	if (known != 1)
		fail_msg("the provider has a payment that the book does not know: %s", json_object_get_string(row));
	if (number_of(row, "charges") > 1)
		fail_msg("charged twice: %s", json_object_get_string(row));
	if (number_of(row, "held"))
		fail_msg("authorised, and never let go: %s", json_object_get_string(row));
	received = book_sum(h, "amount", row);
	back = book_sum(h, "refunded_amount", row);
	due = book_sum(h, "due_back_amount", row);
	if (received != charged || back != returned)
		fail_msg("the book has %lld, and %lld returned: %s", (long long)received, (long long)back,
			 json_object_get_string(row));
	/* What is kept is for seats, or by the rule of a cancel; what is due back stands in a list. */
	seats = appliance_number(
		&h->box,
		"SELECT count(*) FROM intents i JOIN reservations v USING (reservation_id) WHERE i.pay_key = '%s' AND"
		" v.status NOT IN ('EXPIRED', 'TEMPORARY')",
		id);
	if (charged - returned - due > 0 && !seats)
		fail_msg("charged without seats: %s", json_object_get_string(row));
}

void payer_judge(const struct payhouse *h)
{
	struct json_object *o, *rows;

	payer_settle(h);
	o = http_json(pay_control(&h->pay, "GET", "money", NULL));
	rows = json_object_object_get(o, "payments");
	for (size_t i = 0; i < json_object_array_length(rows); i++)
		judge_one(h, json_object_array_get_idx(rows, i));
	json_object_put(o);
	assert_int_equal(appliance_number(&h->box,
					  "SELECT count(*) FROM intents WHERE state IN ('READY', 'AUTHORISED') AND purpose <> "
					  "'CARD'"),
			 0);
	pay_expect_right(&h->pay);
	pay_reset(&h->pay);
}
