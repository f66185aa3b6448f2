/*
 * stripe.c - Stripe Checkout with manual capture: the guest authorises on Stripe's page, and we capture or cancel.
 *
 * The guest's page is a session, which we make beforehand.  What they did there is read from its payment intent: requires_capture
 * is an authorisation, whatever payment_status says.  A session is never expired by us: the guest who stands before it would be
 * told nothing true.  They may authorise, and are then told that nothing was charged.
 *
 * Amounts are in the currency's smallest unit, as in the book; where a currency has none, or three digits, Stripe's own rules are
 * in to_theirs() and to_ours().  Every call says which version of the API it means, and every POST has a key that the book had.
 */
#include "provider.h"

#include "currency.h"
#include "signature.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define STRIPE_VERSION "2026-09-30.endive"

enum {
	PATIENCE_S = 30,
	PAGE = 100,
	SESSION_S = 35 * 60, /* how long a session lives; they allow 30 minutes at least */
	WINDOW_S = 4 * 60,   /* a session asked for again so soon is the same one */
};

/* ---- asking ---- */

/* Their name of the payment; "": not known yet.  What the guest's browser says of a session is not ours to believe. */
static const char *intent_of(const struct pay_job *j)
{
	return strncmp(j->ref, "pi_", 3) == 0 ? j->ref : "";
}

static void form(struct buf *b, const char *name, const char *value)
{
	if (b->len)
		buf_str(b, "&");
	webask_escape(b, name);
	buf_str(b, "=");
	webask_escape(b, value);
}

static void form_int(struct buf *b, const char *name, int64_t value)
{
	char text[24];

	snprintf(text, sizeof text, "%lld", (long long)value);
	form(b, name, text);
}

static void form_currency(struct buf *b, const char *name, const char *currency)
{
	char lower[4];

	for (int i = 0; i < 4; i++)
		lower[i] = (char)tolower((unsigned char)currency[i]);
	form(b, name, lower);
}

/*
 * Their smallest unit is ours but for three: the crown of Iceland and the shilling of Uganda have no decimals and are written as if
 * they had two, the ariary of Madagascar has two and is written without (docs.stripe.com/currencies).
 */
static int64_t to_theirs(const char *currency, int64_t amount)
{
	if (strcmp(currency, "ISK") == 0 || strcmp(currency, "UGX") == 0)
		return amount * 100;
	if (strcmp(currency, "MGA") == 0)
		return amount % 100 ? 0 : amount / 100; /* of nothing they make a refusal in words */
	return amount;
}

static int64_t to_ours(const char *currency, int64_t amount)
{
	if (strcmp(currency, "ISK") == 0 || strcmp(currency, "UGX") == 0)
		return amount / 100;
	return strcmp(currency, "MGA") == 0 ? amount * 100 : amount;
}

static void form_amount(struct buf *b, const char *name, const char *currency, int64_t amount)
{
	form_int(b, name, to_theirs(currency, amount));
}

static void form_about(struct buf *b, const char *before, const struct pay_job *j)
{
	char name[64], party[16];

	snprintf(name, sizeof name, "%s[paymentId]", before);
	form(b, name, j->key);
	snprintf(name, sizeof name, "%s[reservation]", before);
	if (*j->code)
		form(b, name, j->code);
	snprintf(name, sizeof name, "%s[slot]", before);
	if (*j->slot)
		form(b, name, j->slot);
	snprintf(name, sizeof name, "%s[party]", before);
	snprintf(party, sizeof party, "%d", j->party);
	if (j->party)
		form(b, name, party);
}

/* When a session is over, and the key that it is asked for with: both the same for all who ask in the same few minutes. */
static int64_t session_end(const struct pay_job *j, struct webask *a)
{
	int64_t window = j->now_s > j->created_s ? (j->now_s - j->created_s) / WINDOW_S : 0;

	webask_header(a, "Idempotency-Key: %s-begin-%lld%s", j->key, (long long)window, j->ahead_s ? "-clock" : "");
	return j->created_s + window * WINDOW_S + SESSION_S + j->ahead_s;
}

static void form_back(struct buf *b, const struct pay_job *j)
{
	char url[600];

	snprintf(url, sizeof url, "%s/pay?restaurant=%lld&payment=%s&session={CHECKOUT_SESSION_ID}", j->site,
		 (long long)j->restaurant_id, j->key);
	form(b, "success_url", url);
	snprintf(url, sizeof url, "%s/pay?restaurant=%lld&payment=%s&code=CLOSED", j->site, (long long)j->restaurant_id,
		 j->key);
	form(b, "cancel_url", url);
}

static bool ask_session(const struct pay_job *j, struct webask *a)
{
	struct buf *b = &a->body;

	if (!*j->site)
		return false;
	webask_begin(a, "POST", PATIENCE_S);
	webask_url(a, "%s/v1/checkout/sessions", provider_base(&stripe_provider));
	form(b, "mode", j->purpose == INTENT_FOR_CARD ? "setup" : "payment");
	form(b, "client_reference_id", j->key);
	form(b, "allowed_payment_method_types[0]", "card");
	form(b, "locale", j->lang == LANG_KO ? "ko" : "en");
	form_back(b, j);
	form_int(b, "expires_at", session_end(j, a));
	form_about(b, "metadata", j);
	if (j->purpose == INTENT_FOR_CARD) {
		form(b, "customer_creation", "always"); /* a card that belongs to nobody can be charged by nobody */
		form_currency(b, "currency", j->currency);
		form_about(b, "setup_intent_data[metadata]", j);
		return true;
	}
	form_currency(b, "line_items[0][price_data][currency]", j->currency);
	form_amount(b, "line_items[0][price_data][unit_amount]", j->currency, j->amount);
	form(b, "line_items[0][price_data][product_data][name]", j->name);
	form(b, "line_items[0][quantity]", "1");
	form(b, "submit_type", "book");
	form(b, "adaptive_pricing[enabled]", "false"); /* else the guest may pay in another currency than the book's */
	form(b, "payment_intent_data[capture_method]", "manual");
	form_about(b, "payment_intent_data[metadata]", j);
	return true;
}

/* A kept card is "METHOD CUSTOMER". */
static bool take_card(const struct pay_job *j, char method[PAY_REF_SIZE], char customer[PAY_REF_SIZE])
{
	return sscanf(j->card, "%203s %203s", method, customer) == 2;
}

static bool ask_card_charge(const struct pay_job *j, struct webask *a)
{
	char method[PAY_REF_SIZE], customer[PAY_REF_SIZE];
	struct buf *b = &a->body;

	if (!take_card(j, method, customer))
		return false;
	webask_url(a, "%s/v1/payment_intents", provider_base(&stripe_provider));
	form_amount(b, "amount", j->currency, j->amount);
	form_currency(b, "currency", j->currency);
	form(b, "customer", customer);
	form(b, "payment_method", method);
	form(b, "off_session", "true");
	form(b, "confirm", "true");
	form(b, "description", j->name);
	form_about(b, "metadata", j);
	form(b, "expand[0]", "latest_charge");
	return true;
}

static bool ask_charge(const struct pay_job *j, struct webask *a)
{
	webask_begin(a, "POST", PATIENCE_S);
	if (j->purpose == INTENT_FOR_CHARGE) {
		webask_header(a, "Idempotency-Key: %s-charge", j->key);
		return ask_card_charge(j, a);
	}
	provider_put_key(a, j, "capture", "");
	webask_url(a, "%s/v1/payment_intents/%s/capture", provider_base(&stripe_provider), intent_of(j));
	form_amount(&a->body, "amount_to_capture", j->currency, j->amount);
	form(&a->body, "expand[0]", "latest_charge");
	return *intent_of(j) && j->purpose != INTENT_FOR_CARD;
}

static bool ask_look(const struct pay_job *j, struct webask *a)
{
	const char *base = provider_base(&stripe_provider);
	char method[PAY_REF_SIZE], customer[PAY_REF_SIZE];

	webask_begin(a, "GET", PATIENCE_S);
	/* By the session that we made: what else it might be is not for the guest to say. */
	if (*j->session && j->purpose == INTENT_FOR_CARD)
		webask_url(a, "%s/v1/checkout/sessions/%s?expand[0]=setup_intent.payment_method", base, j->session);
	else if (*j->session)
		webask_url(a, "%s/v1/checkout/sessions/%s?expand[0]=payment_intent.latest_charge", base, j->session);
	else if (*intent_of(j))
		webask_url(a, "%s/v1/payment_intents/%s?expand[0]=latest_charge", base, intent_of(j));
	else if (j->purpose == INTENT_FOR_CHARGE && take_card(j, method, customer))
		webask_url(a, "%s/v1/payment_intents?customer=%s&limit=%d&expand[0]=data.latest_charge", base, customer, PAGE);
	else
		return false;
	return true;
}

static bool ask_void(const struct pay_job *j, struct webask *a)
{
	webask_begin(a, "POST", PATIENCE_S);
	webask_url(a, "%s/v1/payment_intents/%s/cancel", provider_base(&stripe_provider), intent_of(j));
	provider_put_key(a, j, "void", "");
	form(&a->body, "cancellation_reason", "abandoned");
	return *intent_of(j) != '\0';
}

static bool ask_refund(const struct pay_job *j, struct webask *a)
{
	webask_begin(a, "POST", PATIENCE_S);
	webask_url(a, "%s/v1/refunds", provider_base(&stripe_provider));
	webask_header(a, "Idempotency-Key: %s-%lld", j->refund_key, (long long)j->refund);
	form(&a->body, "payment_intent", intent_of(j));
	form_amount(&a->body, "amount", j->currency, j->refund);
	form(&a->body, "metadata[refund]", j->refund_key);
	return *intent_of(j) && *j->refund_key;
}

/* With the customer goes their card. */
static bool ask_forget(const struct pay_job *j, struct webask *a)
{
	char method[PAY_REF_SIZE], customer[PAY_REF_SIZE];

	if (!take_card(j, method, customer))
		return false;
	webask_begin(a, "DELETE", PATIENCE_S);
	webask_url(a, "%s/v1/customers/%s", provider_base(&stripe_provider), customer);
	return true;
}

static void ask_list(const struct pay_job *j, struct webask *a)
{
	struct buf after = {0};

	webask_begin(a, "GET", PATIENCE_S);
	if (*j->cursor) {
		buf_str(&after, "&starting_after=");
		webask_escape(&after, j->cursor);
	}
	webask_url(a, "%s/v1/payment_intents?created[gte]=%lld&created[lte]=%lld&limit=%d&expand[0]=data.latest_charge%s",
		   provider_base(&stripe_provider), (long long)j->from_s, (long long)j->until_s, PAGE,
		   after.data ? after.data : "");
	buf_free(&after);
}

static bool ask_step(const struct pay_job *j, enum pay_step step, struct webask *a)
{
	switch (step) {
	case ASK_NOTHING:
		return false;
	case ASK_BEGIN:
		return ask_session(j, a);
	case ASK_CHARGE:
		return ask_charge(j, a);
	case ASK_LOOK:
		return ask_look(j, a);
	case ASK_VOID:
		return ask_void(j, a);
	case ASK_REFUND:
		return ask_refund(j, a);
	case ASK_FORGET_CARD:
		return ask_forget(j, a);
	case ASK_LIST:
		ask_list(j, a);
		return true;
	}
	return false;
}

static bool ask(const struct pay_job *j, enum pay_step step, struct webask *a)
{
	*a = (struct webask){0};
	if (!ask_step(j, step, a)) {
		webask_free(a);
		return false;
	}
	webask_header(a, "Authorization: Bearer %s", j->secret);
	webask_header(a, "Stripe-Version: " STRIPE_VERSION);
	return true;
}

/* ---- reading ---- */

static bool is_type(const struct told *t, const char *type)
{
	return strcmp(told_text(t, "error.type"), type) == 0;
}

static void hear_wrong(enum pay_step step, int status, const struct told *t, struct pay_said *out)
{
	const char *code = told_text(t, "error.code"), *decline = told_text(t, "error.decline_code");

	provider_say(out, *decline ? decline : *code ? code : told_text(t, "error.type"), told_text(t, "error.message"));
	provider_put(out->ref, sizeof out->ref, told_text(t, "error.payment_intent.id"));
	if (status >= 500 || status == 409)
		return; /* 409: another request with our key, or for the same payment, is at work */
	if (step == ASK_FORGET_CARD && status == 404)
		out->end = SAID_FORGOTTEN;
	else if (status == 404)
		out->end = SAID_GONE;
	else if (step == ASK_BEGIN && is_type(t, "idempotency_error"))
		out->end = SAID_LATER; /* in the next few minutes' window it has another key */
	else if (step == ASK_BEGIN && strcmp(told_text(t, "error.param"), "expires_at") == 0) {
		out->end = SAID_LATER;
		out->ahead_s = 1;
	} else if (strcmp(code, "payment_intent_unexpected_state") == 0 || strcmp(code, "charge_already_captured") == 0 ||
		   strcmp(code, "charge_already_refunded") == 0 || is_type(t, "idempotency_error"))
		return; /* it is in another state than we believe: look */
	else
		out->end = SAID_REFUSED;
}

static void hear_refusal(const struct told *error, struct pay_said *out)
{
	const char *decline = told_text(error, "decline_code");

	provider_say(out, *decline ? decline : told_text(error, "code"), told_text(error, "message"));
}

static void hear_intent(const struct told *t, bool off_session, struct pay_said *out)
{
	const char *status = told_text(t, "status");

	provider_put(out->ref, sizeof out->ref, told_text(t, "id"));
	provider_put_currency(out->currency, told_text(t, "currency"));
	if (strcmp(status, "requires_capture") == 0 && provider_amount(t, "amount_capturable", &out->amount))
		out->end = SAID_AUTHORISED;
	else if (strcmp(status, "succeeded") == 0 && provider_amount(t, "amount_received", &out->amount)) {
		out->end = SAID_CHARGED;
		provider_amount(t, "latest_charge.amount_refunded", &out->returned);
	} else if (strcmp(status, "canceled") == 0)
		out->end = SAID_VOIDED;
	else if (strcmp(status, "processing") == 0)
		out->end = SAID_DOUBT;
	else if (off_session && *status) {
		out->end = SAID_REFUSED; /* it wants the guest, who is not here */
		hear_refusal(told_at(t, "last_payment_error"), out);
	} else if (*status)
		out->end = SAID_OPEN; /* also after a decline: the guest may take another card on the same page */
	out->amount = to_ours(out->currency, out->amount);
	out->returned = to_ours(out->currency, out->returned);
}

static void hear_card(const struct told *t, struct pay_said *out)
{
	const char *method = told_text(t, "setup_intent.payment_method.id"), *customer = told_text(t, "customer");

	customer = *customer ? customer : told_text(t, "setup_intent.customer");
	if (!*method || !*customer)
		return;
	if ((size_t)snprintf(out->card, sizeof out->card, "%s %s", method, customer) >= sizeof out->card) {
		out->card[0] = '\0'; /* a part of it names no card */
		return;
	}
	snprintf(out->label, sizeof out->label, "%.20s %.8s", told_text(t, "setup_intent.payment_method.card.brand"),
		 told_text(t, "setup_intent.payment_method.card.last4"));
	out->end = SAID_CARD;
}

static void hear_session(const struct told *t, struct pay_said *out)
{
	const char *status = told_text(t, "status");
	const struct told *intent = told_at(t, "payment_intent");

	if (strcmp(told_text(t, "setup_intent.status"), "succeeded") == 0)
		hear_card(t, out);
	else if (*told_text(intent, "id"))
		hear_intent(intent, false, out);
	else if (strcmp(status, "open") == 0)
		out->end = SAID_OPEN;
	/* Once it is over, nobody can pay there any more. */
	if (strcmp(status, "expired") == 0 && (out->end == SAID_OPEN || out->end == SAID_DOUBT))
		out->end = SAID_GONE;
	provider_put(out->session, sizeof out->session, told_text(t, "id"));
}

/* Of the payments of one customer the one that is ours. */
static void hear_found(const struct pay_job *j, const struct told *t, struct pay_said *out)
{
	size_t n = told_count(t, "data");

	out->end = SAID_GONE;
	for (size_t i = 0; i < n; i++) {
		const struct told *p = told_nth(t, "data", i);

		if (strcmp(told_text(p, "metadata.paymentId"), j->key) != 0)
			continue;
		out->end = SAID_DOUBT;
		hear_intent(p, true, out);
		return;
	}
}

static void hear_begun(const struct told *t, struct pay_said *out)
{
	provider_put(out->session, sizeof out->session, told_text(t, "id"));
	provider_put(out->url, sizeof out->url, told_text(t, "url"));
	if (*out->session && *out->url)
		out->end = SAID_BEGUN;
}

static void hear_refund(const struct told *t, struct pay_said *out)
{
	const char *status = told_text(t, "status");

	if (strcmp(status, "failed") != 0 && strcmp(status, "canceled") != 0)
		return; /* on its way: the look says how much has gone back */
	out->end = SAID_REFUSED;
	provider_say(out, status, told_text(t, "failure_reason"));
}

/* Every session and payment of ours bears our name of it.  One that bears another is somebody else's, whoever sent us there. */
static bool is_ours(const struct pay_job *j, const struct told *t)
{
	const char *object = told_text(t, "object");

	if (strcmp(object, "checkout.session") == 0)
		return strcmp(told_text(t, "client_reference_id"), j->key) == 0;
	return strcmp(object, "payment_intent") != 0 || strcmp(told_text(t, "metadata.paymentId"), j->key) == 0;
}

static void hear(const struct pay_job *j, enum pay_step step, int status, const struct told *t, struct pay_said *out)
{
	bool off_session = j->purpose == INTENT_FOR_CHARGE;

	if (status < 200 || status > 299) {
		hear_wrong(step, status, t, out);
		return;
	}
	switch (step) {
	case ASK_BEGIN:
		hear_begun(t, out);
		break;
	case ASK_LOOK:
		if (!is_ours(j, t))
			out->end = SAID_GONE;
		else if (strcmp(told_text(t, "object"), "checkout.session") == 0)
			hear_session(t, out);
		else if (strcmp(told_text(t, "object"), "list") == 0)
			hear_found(j, t, out);
		else
			hear_intent(t, off_session, out);
		break;
	case ASK_CHARGE:
	case ASK_VOID:
		if (is_ours(j, t))
			hear_intent(t, off_session, out);
		break;
	case ASK_REFUND:
		hear_refund(t, out);
		break;
	case ASK_FORGET_CARD:
		out->end = SAID_FORGOTTEN;
		break;
	case ASK_LIST:
		out->end = SAID_LISTED;
		break;
	case ASK_NOTHING:
		break;
	}
}

static void list(const struct told *t, pay_each_listed *each, void *arg, char next[PAY_REF_SIZE])
{
	size_t n = told_count(t, "data");

	next[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		struct pay_listed row = {0};
		struct pay_said said = {.end = SAID_DOUBT};
		const struct told *p = told_nth(t, "data", i);

		hear_intent(p, false, &said);
		memcpy(next, said.ref, PAY_REF_SIZE);
		memcpy(row.ref, said.ref, sizeof row.ref);
		memcpy(row.currency, said.currency, sizeof row.currency);
		provider_put(row.key, sizeof row.key, told_text(p, "metadata.paymentId"));
		snprintf(row.about, sizeof row.about, "%.40s %.24s %.8s", told_text(p, "metadata.reservation"),
			 told_text(p, "metadata.slot"), told_text(p, "metadata.party"));
		row.amount = said.amount;
		row.returned = said.returned;
		row.charged = said.end == SAID_CHARGED;
		told_number(p, "created", &row.at_s);
		each(arg, &row);
	}
	if (n < PAGE)
		next[0] = '\0';
}

/* ---- events ---- */

static bool is_signed(const char *secret, const struct pay_headers *h, const char *body, size_t n, int64_t now_s)
{
	return signature_stripe(secret, h->signature, body, n, now_s);
}

static void event(const struct told *t, struct pay_event *out)
{
	static const char *const known[] = {"checkout.session.completed",
					    "checkout.session.expired",
					    "payment_intent.amount_capturable_updated",
					    "payment_intent.succeeded",
					    "payment_intent.canceled",
					    "payment_intent.payment_failed",
					    "charge.refunded",
					    "charge.dispute.created"};
	const struct told *o = told_at(t, "data.object");
	const char *key = told_text(o, "client_reference_id");
	bool intent;

	provider_put(out->id, sizeof out->id, told_text(t, "id"));
	provider_put(out->type, sizeof out->type, told_text(t, "type"));
	provider_put(out->key, sizeof out->key, *key ? key : told_text(o, "metadata.paymentId"));
	intent = strcmp(told_text(o, "object"), "payment_intent") == 0;
	provider_put(out->ref, sizeof out->ref, told_text(o, intent ? "id" : "payment_intent"));
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		out->known |= strcmp(out->type, known[i]) == 0;
	out->known = out->known && (*out->key || *out->ref);
}

const struct provider stripe_provider = {
	.word = "stripe",
	.base = "https://api.stripe.com",
	.base_env = "JARI_STRIPE_URL",
	.ask = ask,
	.hear = hear,
	.list = list,
	.is_signed = is_signed,
	.event = event,
};
