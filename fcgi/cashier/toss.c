/*
 * toss.c - Toss Payments, payment window v2: the guest comes back with a paymentKey, and the card is charged when we confirm it
 * with the amount of the book.  Won only.
 *
 * A payment is looked up by orderId, which is our own name of it.  A repeated refund is the same one by its Idempotency-Key, which
 * Toss remembers for fifteen days.
 */
#include "provider.h"

#include "clock.h"
#include "json.h"
#include "text.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { CONFIRM_S = 60, PATIENCE_S = 30, PAGE = 100, SEOUL_S = 9 * 3600 };

/* ---- asking ---- */

static void put_body(struct webask *a, struct json *o)
{
	webask_header(a, "Content-Type: application/json");
	json_print(o, &a->body);
	json_free(o);
}

static void put_login(const struct pay_job *j, struct webask *a)
{
	char login[PAY_SECRET_SIZE + 2], text[sodium_base64_ENCODED_LEN(sizeof login, sodium_base64_VARIANT_ORIGINAL)];

	snprintf(login, sizeof login, "%s:", j->secret);
	sodium_bin2base64(text, sizeof text, (const unsigned char *)login, strlen(login), sodium_base64_VARIANT_ORIGINAL);
	webask_header(a, "Authorization: Basic %s", text);
	sodium_memzero(login, sizeof login);
}

static void ask_confirm(const struct pay_job *j, struct webask *a)
{
	struct json *o = json_new();

	webask_url(a, "%s/v1/payments/confirm", provider_base(&toss_provider));
	json_text(o, "paymentKey", j->token);
	json_text(o, "orderId", j->key);
	json_int(o, "amount", j->amount);
	put_body(a, o);
}

/* The customerKey that the browser gave is our name of the payment. */
static void ask_card(const struct pay_job *j, struct webask *a)
{
	struct json *o = json_new();

	webask_url(a, "%s/v1/billing/authorizations/issue", provider_base(&toss_provider));
	json_text(o, "authKey", j->token);
	json_text(o, "customerKey", j->key);
	put_body(a, o);
}

/* A kept card is "BILLINGKEY CUSTOMERKEY". */
static bool take_card(const struct pay_job *j, struct buf *key, const char **customer)
{
	char text[sizeof j->card];
	char *gap;

	memcpy(text, j->card, sizeof text);
	gap = strchr(text, ' ');
	if (!gap)
		return false;
	*gap = '\0';
	*customer = j->card + (gap - text) + 1;
	webask_escape(key, text);
	return buf_ok(key) && key->data;
}

static bool ask_card_charge(const struct pay_job *j, struct webask *a)
{
	struct buf key = {0};
	const char *customer;
	bool ok = take_card(j, &key, &customer);

	if (ok) {
		struct json *o = json_new();

		webask_url(a, "%s/v1/billing/%s", provider_base(&toss_provider), key.data);
		json_text(o, "customerKey", customer);
		json_int(o, "amount", j->amount);
		json_text(o, "orderId", j->key);
		json_text(o, "orderName", j->name);
		put_body(a, o);
	}
	buf_free(&key);
	return ok;
}

static bool ask_charge(const struct pay_job *j, struct webask *a)
{
	webask_begin(a, "POST", CONFIRM_S);
	provider_put_key(a, j, "charge", j->purpose == INTENT_FOR_CHARGE ? "" : j->token);
	if (j->purpose == INTENT_FOR_CHARGE)
		return ask_card_charge(j, a);
	if (!*j->token)
		return false;
	if (j->purpose == INTENT_FOR_CARD)
		ask_card(j, a);
	else
		ask_confirm(j, a);
	return true;
}

static bool ask_refund(const struct pay_job *j, struct webask *a)
{
	struct buf path = {0};
	struct json *o;

	if (!*j->ref)
		return false;
	webask_begin(a, "POST", CONFIRM_S);
	webask_escape(&path, j->ref);
	webask_url(a, "%s/v1/payments/%s/cancel", provider_base(&toss_provider), path.data ? path.data : "");
	buf_free(&path);
	webask_header(a, "Idempotency-Key: %s-%lld", j->refund_key, (long long)j->refund);
	o = json_new();
	json_text(o, "cancelReason", *j->code ? j->code : "jari");
	json_int(o, "cancelAmount", j->refund);
	put_body(a, o);
	return true;
}

static bool ask_forget(const struct pay_job *j, struct webask *a)
{
	struct buf key = {0};
	const char *customer;
	bool ok = take_card(j, &key, &customer);

	webask_begin(a, "DELETE", PATIENCE_S);
	webask_url(a, "%s/v1/billing/%s", provider_base(&toss_provider), ok ? key.data : "");
	buf_free(&key);
	return ok;
}

/* Their times are Seoul's, without a zone. */
static void put_seoul(int64_t utc_s, char out[CLOCK_ISO_SIZE])
{
	clock_iso(utc_s + SEOUL_S, out);
	out[CLOCK_ISO_SIZE - 2] = '\0'; /* the Z */
}

static void ask_list(const struct pay_job *j, struct webask *a)
{
	char from[CLOCK_ISO_SIZE], until[CLOCK_ISO_SIZE];
	struct buf after = {0};

	webask_begin(a, "GET", PATIENCE_S);
	put_seoul(j->from_s, from);
	put_seoul(j->until_s, until);
	if (*j->cursor) {
		buf_str(&after, "&startingAfter=");
		webask_escape(&after, j->cursor);
	}
	webask_url(a, "%s/v1/transactions?startDate=%s&endDate=%s&limit=%d%s", provider_base(&toss_provider), from, until, PAGE,
		   after.data ? after.data : "");
	buf_free(&after);
}

static bool ask_step(const struct pay_job *j, enum pay_step step, struct webask *a)
{
	switch (step) {
	case ASK_CHARGE:
		return ask_charge(j, a);
	case ASK_LOOK:
		webask_begin(a, "GET", PATIENCE_S);
		webask_url(a, "%s/v1/payments/orders/%s", provider_base(&toss_provider), j->key);
		return j->purpose != INTENT_FOR_CARD;
	case ASK_REFUND:
		return ask_refund(j, a);
	case ASK_FORGET_CARD:
		return ask_forget(j, a);
	case ASK_LIST:
		ask_list(j, a);
		return true;
	case ASK_NOTHING:
	case ASK_BEGIN:
	case ASK_VOID:
		return false; /* begun in the browser; and what is not confirmed lapses after ten minutes */
	}
	return false;
}

static bool ask(const struct pay_job *j, enum pay_step step, struct webask *a)
{
	if (!ask_step(j, step, a))
		return false;
	put_login(j, a);
	return true;
}

/* ---- reading ---- */

static bool is_word(const char *word, const char *const list[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(word, list[i]) == 0)
			return true;
	return false;
}
#define IS_ONE_OF(word, ...) \
	is_word(word, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void hear_wrong(enum pay_step step, int status, const struct told *t, struct pay_said *out)
{
	const char *code = told_text(t, "code");

	provider_say(out, code, told_text(t, "message"));
	/* Another request with our key is at work; done before; a fault of theirs. */
	if (status >= 500 || status == 409 || IS_ONE_OF(code, "ALREADY_PROCESSED_PAYMENT", "ALREADY_CANCELED_PAYMENT"))
		return;
	if (IS_ONE_OF(code, "PROVIDER_ERROR", "CARD_PROCESSING_ERROR", "NOT_CANCELABLE_AMOUNT"))
		out->said_no = true;
	else if (IS_ONE_OF(code, "NOT_FOUND_PAYMENT", "NOT_FOUND_PAYMENT_SESSION", "NOT_FOUND"))
		out->end = SAID_GONE;
	else
		out->end = SAID_REFUSED;
	if (step == ASK_FORGET_CARD && (status == 404 || IS_ONE_OF(code, "NOT_FOUND_BILLING", "ALREADY_DELETED_BILLING_KEY")))
		out->end = SAID_FORGOTTEN;
}

static void hear_charged(const struct told *t, struct pay_said *out)
{
	int64_t left;

	provider_put_currency(out->currency, told_text(t, "currency"));
	if (!provider_amount(t, "totalAmount", &out->amount) || !provider_amount(t, "balanceAmount", &left) ||
	    left > out->amount)
		return;
	out->returned = out->amount - left;
	out->end = SAID_CHARGED;
}

static void hear_payment(const struct told *t, struct pay_said *out)
{
	const char *status = told_text(t, "status");

	provider_put(out->ref, sizeof out->ref, told_text(t, "paymentKey"));
	provider_put_line(out->about, sizeof out->about, told_text(t, "orderName"));
	if (IS_ONE_OF(status, "DONE", "CANCELED", "PARTIAL_CANCELED"))
		hear_charged(t, out);
	else if (strcmp(status, "ABORTED") == 0) {
		out->end = SAID_REFUSED;
		provider_say(out, told_text(t, "failure.code"), told_text(t, "failure.message"));
	} else if (strcmp(status, "EXPIRED") == 0)
		out->end = SAID_GONE;
	else if (*status)
		out->end = SAID_OPEN; /* READY; IN_PROGRESS: the guest has done their part */
}

static void hear_card(const struct told *t, struct pay_said *out)
{
	const char *key = told_text(t, "billingKey"), *customer = told_text(t, "customerKey");
	const char *company = told_text(t, "cardCompany");

	if (!*key || !*customer)
		return;
	if ((size_t)snprintf(out->card, sizeof out->card, "%s %s", key, customer) >= sizeof out->card) {
		out->card[0] = '\0'; /* a part of it names no card */
		return;
	}
	snprintf(out->label, sizeof out->label, "%.*s %.20s", text_fit(company, 20), company, told_text(t, "card.number"));
	out->end = SAID_CARD;
}

static void hear(const struct pay_job *j, enum pay_step step, int status, const struct told *t, struct pay_said *out)
{
	if (status < 200 || status > 299)
		hear_wrong(step, status, t, out);
	else if (step == ASK_FORGET_CARD)
		out->end = SAID_FORGOTTEN;
	else if (step == ASK_LIST)
		out->end = SAID_LISTED;
	else if (j->purpose == INTENT_FOR_CARD)
		hear_card(t, out);
	else
		hear_payment(t, out);
}

/* Transactions: a payment and each cancel of it is one, so only which payments there are is told by them. */
static void list(const struct told *t, pay_each_listed *each, void *arg, char next[PAY_REF_SIZE])
{
	size_t n = told_count(t, "");

	next[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		struct pay_listed row = {.charged = true, .incomplete = true};
		const struct told *p = told_nth(t, "", i);

		provider_put(next, PAY_REF_SIZE, told_text(p, "transactionKey"));
		provider_put(row.key, sizeof row.key, told_text(p, "orderId"));
		provider_put(row.ref, sizeof row.ref, told_text(p, "paymentKey"));
		provider_put_currency(row.currency, told_text(p, "currency"));
		if (strcmp(told_text(p, "status"), "DONE") == 0)
			each(arg, &row);
	}
	if (n < PAGE)
		next[0] = '\0';
}

/* ---- events ---- */

static void event(const struct told *t, struct pay_event *out)
{
	provider_put(out->type, sizeof out->type, told_text(t, "eventType"));
	provider_put(out->key, sizeof out->key, told_text(t, "data.orderId"));
	provider_put(out->ref, sizeof out->ref, told_text(t, "data.paymentKey"));
	out->known = IS_ONE_OF(out->type, "PAYMENT_STATUS_CHANGED", "CANCEL_STATUS_CHANGED") && *out->key;
}

const struct provider toss_provider = {
	.word = "toss",
	.base = "https://api.tosspayments.com",
	.base_env = "JARI_TOSS_URL",
	.confirms = true,
	.ask = ask,
	.hear = hear,
	.list = list,
	.event = event,
};
