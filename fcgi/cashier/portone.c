/*
 * portone.c - PortOne V2, with manual approval: the guest's browser brings a token, and the card is charged when we confirm it,
 * with the amount and the currency of the book.
 *
 * The answer to a confirmation does not say how much was charged, so after each call that moves money the payment is looked up,
 * and what is found counts.  A refund says how much can still go back (currentCancellableAmount): if that is no longer so, PortOne
 * refuses it, which makes a repeated one safe.
 */
#include "provider.h"

#include "clock.h"
#include "json.h"
#include "signature.h"

#include <stdio.h>
#include <string.h>

enum { CONFIRM_S = 60, PATIENCE_S = 30, PAGE = 100 };

/* ---- asking ---- */

static void put_body(struct webask *a, struct json *o)
{
	webask_header(a, "Content-Type: application/json");
	json_print(o, &a->body);
	json_free(o);
}

static struct json *body_of(const struct pay_job *j)
{
	struct json *o = json_new();

	json_text_if(o, "storeId", j->store_id);
	return o;
}

static void ask_confirm(const struct pay_job *j, struct webask *a)
{
	struct json *o = body_of(j);

	webask_url(a, "%s/payments/%s/confirm", provider_base(&portone_provider), j->key);
	json_text(o, "paymentToken", j->token);
	json_text(o, "currency", j->currency);
	json_int(o, "totalAmount", j->amount);
	json_flag(o, "isTest", j->test);
	put_body(a, o);
}

static void ask_card(const struct pay_job *j, struct webask *a)
{
	struct json *o = body_of(j);

	webask_url(a, "%s/billing-keys/confirm", provider_base(&portone_provider));
	json_text(o, "billingIssueToken", j->token);
	json_flag(o, "isTest", j->test);
	put_body(a, o);
}

static void ask_card_charge(const struct pay_job *j, struct webask *a)
{
	struct json *o = body_of(j), *amount = json_new();

	webask_url(a, "%s/payments/%s/billing-key", provider_base(&portone_provider), j->key);
	json_text(o, "billingKey", j->card);
	json_text_if(o, "channelKey", j->channel_key);
	json_text(o, "orderName", j->name);
	json_int(amount, "total", j->amount);
	json_put(o, "amount", amount);
	json_text(o, "currency", j->currency);
	put_body(a, o);
}

static bool ask_charge(const struct pay_job *j, struct webask *a)
{
	bool again = j->purpose == INTENT_FOR_CHARGE; /* a card that is kept: no guest is here, and no other token */

	webask_begin(a, "POST", CONFIRM_S);
	if (again ? !*j->card : !*j->token)
		return false;
	provider_put_key(a, j, "charge", again ? "" : j->token);
	if (j->purpose == INTENT_FOR_CARD)
		ask_card(j, a);
	else if (j->purpose == INTENT_FOR_CHARGE)
		ask_card_charge(j, a);
	else
		ask_confirm(j, a);
	return true;
}

static bool ask_look(const struct pay_job *j, struct webask *a)
{
	struct buf query = {0};

	if (j->purpose == INTENT_FOR_CARD)
		return false; /* a key that nobody was told cannot be looked up */
	webask_begin(a, "GET", PATIENCE_S);
	if (*j->store_id) {
		buf_str(&query, "?storeId=");
		webask_escape(&query, j->store_id);
	}
	webask_url(a, "%s/payments/%s%s", provider_base(&portone_provider), j->key, query.data ? query.data : "");
	buf_free(&query);
	return true;
}

static void ask_refund(const struct pay_job *j, struct webask *a)
{
	struct json *o = body_of(j);

	webask_begin(a, "POST", CONFIRM_S);
	webask_header(a, "Idempotency-Key: %s-%lld-%lld", j->refund_key, (long long)j->refund, (long long)j->cancellable);
	webask_url(a, "%s/payments/%s/cancel", provider_base(&portone_provider), j->key);
	json_int(o, "amount", j->refund);
	json_int(o, "currentCancellableAmount", j->cancellable);
	json_text(o, "reason", *j->code ? j->code : "jari");
	put_body(a, o);
}

static void ask_forget(const struct pay_job *j, struct webask *a)
{
	struct buf path = {0};

	webask_begin(a, "DELETE", PATIENCE_S);
	webask_escape(&path, j->card);
	if (*j->store_id) {
		buf_str(&path, "?storeId=");
		webask_escape(&path, j->store_id);
	}
	webask_url(a, "%s/billing-keys/%s", provider_base(&portone_provider), path.data ? path.data : "");
	buf_free(&path);
}

/* The body of this GET is a parameter of its query. */
static void ask_list(const struct pay_job *j, struct webask *a)
{
	struct json *o = body_of(j);
	struct buf text = {0}, escaped = {0};
	char from[CLOCK_ISO_SIZE], until[CLOCK_ISO_SIZE];

	webask_begin(a, "GET", PATIENCE_S);
	clock_iso(j->from_s, from);
	clock_iso(j->until_s, until);
	json_text(o, "from", from);
	json_text(o, "until", until);
	json_text_if(o, "cursor", j->cursor);
	json_int(o, "size", PAGE);
	json_print(o, &text);
	json_free(o);
	webask_escape(&escaped, text.data ? text.data : "");
	webask_url(a, "%s/payments-by-cursor?requestBody=%s", provider_base(&portone_provider),
		   escaped.data ? escaped.data : "");
	buf_free(&text);
	buf_free(&escaped);
}

static bool ask_step(const struct pay_job *j, enum pay_step step, struct webask *a)
{
	switch (step) {
	case ASK_CHARGE:
		return ask_charge(j, a);
	case ASK_LOOK:
		return ask_look(j, a);
	case ASK_REFUND:
		ask_refund(j, a);
		return true;
	case ASK_FORGET_CARD:
		ask_forget(j, a);
		return true;
	case ASK_LIST:
		ask_list(j, a);
		return true;
	case ASK_NOTHING:
	case ASK_BEGIN:
	case ASK_VOID:
		return false; /* begun in the browser; and what is not confirmed lapses by itself */
	}
	return false;
}

static bool ask(const struct pay_job *j, enum pay_step step, struct webask *a)
{
	if (!ask_step(j, step, a))
		return false;
	webask_header(a, "Authorization: PortOne %s", j->secret);
	return true;
}

/* ---- reading ---- */

/* What surely was not done, by their word for why; after everything else the payment is looked up. */
static const struct wrong {
	const char *type;
	enum pay_end end;
} wrongs[] = {
	{"INVALID_REQUEST", SAID_REFUSED},
	{"INFORMATION_MISMATCH", SAID_REFUSED}, /* the browser paid another amount than the book's */
	{"UNAUTHORIZED", SAID_REFUSED},         /* our key is wrong */
	{"FORBIDDEN", SAID_REFUSED},
	{"CHANNEL_NOT_FOUND", SAID_REFUSED},
	{"PAYMENT_NOT_FOUND", SAID_GONE},
	{"BILLING_KEY_ALREADY_ISSUED", SAID_REFUSED},
	{"BILLING_KEY_NOT_FOUND", SAID_REFUSED},
	{"BILLING_KEY_ALREADY_DELETED", SAID_REFUSED},
};

static enum pay_end wrong_end(enum pay_step step, const char *type)
{
	static const char no_key[] = "BILLING_KEY_NOT_FOUND", key_gone[] = "BILLING_KEY_ALREADY_DELETED";

	if (step == ASK_FORGET_CARD && (strcmp(type, no_key) == 0 || strcmp(type, key_gone) == 0))
		return SAID_FORGOTTEN;
	for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++)
		if (strcmp(type, wrongs[i].type) == 0)
			return wrongs[i].end;
	return SAID_DOUBT;
}

static void hear_wrong(enum pay_step step, int status, const struct told *t, struct pay_said *out)
{
	const char *type = told_text(t, "type"), *words = told_text(t, "pgMessage");

	provider_say(out, type, *words ? words : told_text(t, "message"));
	out->end = status < 500 ? wrong_end(step, type) : SAID_DOUBT;
	out->said_no = strcmp(type, "PG_PROVIDER") == 0 || strcmp(type, "INVALID_PAYMENT_TOKEN") == 0;
}

static void hear_payment(const struct told *t, struct pay_said *out)
{
	const char *status = told_text(t, "status");

	provider_put(out->ref, sizeof out->ref, told_text(t, "transactionId"));
	provider_put_line(out->about, sizeof out->about, told_text(t, "orderName"));
	if (strcmp(status, "PAID") == 0 || strcmp(status, "PARTIAL_CANCELLED") == 0 || strcmp(status, "CANCELLED") == 0) {
		provider_put_currency(out->currency, told_text(t, "currency"));
		if (provider_amount(t, "amount.total", &out->amount) && provider_amount(t, "amount.cancelled", &out->returned))
			out->end = SAID_CHARGED;
	} else if (strcmp(status, "FAILED") == 0) {
		const char *words = told_text(t, "failure.pgMessage");

		out->end = SAID_REFUSED;
		provider_say(out, told_text(t, "failure.pgCode"), *words ? words : told_text(t, "failure.reason"));
	} else if (*status) {
		out->end = SAID_OPEN; /* READY, PAY_PENDING, and whatever they may think of */
	}
}

/*
 * The browser names the channel.  One for tests belongs to the same store, and its payments look like others; but no money has moved.
 * (What we confirm says isTest, so this is a channel that does not wait for us.)
 */
static void refuse_play_money(const struct pay_job *j, const struct told *t, struct pay_said *out)
{
	if (out->end != SAID_CHARGED || j->test || strcmp(told_text(t, "channel.type"), "TEST") != 0)
		return;
	*out = (struct pay_said){.end = SAID_REFUSED};
	provider_say(out, "TEST", "paid by a channel for tests: no money has moved");
}

static void hear(const struct pay_job *j, enum pay_step step, int status, const struct told *t, struct pay_said *out)
{
	if (status < 200 || status > 299) {
		hear_wrong(step, status, t, out);
		return;
	}
	switch (step) {
	case ASK_LOOK:
		hear_payment(t, out);
		refuse_play_money(j, t, out);
		break;
	case ASK_CHARGE:
		provider_put(out->card, sizeof out->card, told_text(t, "billingKey"));
		if (j->purpose == INTENT_FOR_CARD && *out->card)
			out->end = SAID_CARD;
		break;
	case ASK_REFUND:
		/* Asked for, or done: the look says how much has gone back. */
		if (strcmp(told_text(t, "cancellation.status"), "FAILED") == 0) {
			out->end = SAID_REFUSED;
			provider_say(out, "FAILED", told_text(t, "cancellation.reason"));
		}
		break;
	case ASK_FORGET_CARD:
		out->end = SAID_FORGOTTEN;
		break;
	case ASK_LIST:
		out->end = SAID_LISTED;
		break;
	case ASK_NOTHING:
	case ASK_BEGIN:
	case ASK_VOID:
		break;
	}
}

/* "2026-01-20T02:00:00.123Z" to the second; 0: it is none. */
static int64_t instant(const char *text)
{
	char iso[CLOCK_ISO_SIZE];
	int64_t s = 0;

	snprintf(iso, sizeof iso, "%.19sZ", text);
	return clock_parse_iso(iso, &s) ? s : 0;
}

static void list(const struct told *t, pay_each_listed *each, void *arg, char next[PAY_REF_SIZE])
{
	size_t n = told_count(t, "items");

	next[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		struct pay_listed row = {0};
		struct pay_said said = {.end = SAID_DOUBT};
		const struct told *p = told_nth(t, "items", i);

		provider_put(next, PAY_REF_SIZE, told_text(p, "cursor"));
		p = told_at(p, "payment");
		hear_payment(p, &said);
		provider_put(row.key, sizeof row.key, told_text(p, "id"));
		memcpy(row.about, said.about, sizeof row.about);
		memcpy(row.ref, said.ref, sizeof row.ref);
		memcpy(row.currency, said.currency, sizeof row.currency);
		row.amount = said.amount;
		row.returned = said.returned;
		row.charged = said.end == SAID_CHARGED;
		row.at_s = instant(told_text(p, "paidAt"));
		each(arg, &row);
	}
	if (n < PAGE)
		next[0] = '\0';
}

/* ---- events ---- */

static bool is_signed(const char *secret, const struct pay_headers *h, const char *body, size_t n, int64_t now_s)
{
	return signature_standard(secret, h->id, h->timestamp, h->signature, body, n, now_s);
}

static void event(const struct told *t, struct pay_event *out)
{
	static const char transaction[] = "Transaction.";

	provider_put(out->type, sizeof out->type, told_text(t, "type"));
	provider_put(out->key, sizeof out->key, told_text(t, "data.paymentId"));
	provider_put(out->ref, sizeof out->ref, told_text(t, "data.transactionId"));
	out->known = strncmp(out->type, transaction, sizeof transaction - 1) == 0 && *out->key;
}

const struct provider portone_provider = {
	.word = "portone",
	.base = "https://api.portone.io",
	.base_env = "JARI_PORTONE_URL",
	.confirms = true,
	.ask = ask,
	.hear = hear,
	.list = list,
	.is_signed = is_signed,
	.event = event,
};
