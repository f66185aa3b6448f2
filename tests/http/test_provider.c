/*
 * test_provider.c - what each provider is asked, what its answers mean, and what follows from them.
 */
#include "provider.h"
#include "steps.h"
#include "token.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY "jari-abcdefghijklmnopqrstuvwxyz"

static struct pay_job job(const char *currency, int64_t amount)
{
	struct pay_job j = {
		.store_id = "store-jari",
		.channel_key = "channel-key-jari",
		.secret = "secret",
		.test = true,
		.restaurant_id = 3,
		.key = KEY,
		.amount = amount,
		.token = "token-1",
		.card = "card-1",
		.created_s = 1795000000,
		.now_s = 1795000005,
		.name = "자리 식당",
		.site = "https://jari.example",
		.code = "R20261201-0001",
		.slot = "2026-12-01 19:00",
		.party = 4,
		.refund = 5000,
		.cancellable = 20000,
		.refund_key = KEY "-r1",
	};

	snprintf(j.currency, sizeof j.currency, "%s", currency);
	return j;
}

static const char *body_of(const struct webask *a)
{
	return a->body.data ? a->body.data : "";
}

static bool has_header(const struct webask *a, const char *header)
{
	for (int i = 0; i < a->header_count; i++)
		if (strncmp(a->headers[i], header, strlen(header)) == 0)
			return true;
	return false;
}

static struct webask ask(const struct provider *p, const struct pay_job *j, enum pay_step step)
{
	struct webask a = {0};

	assert_true(p->ask(j, step, &a));
	assert_false(a.spoiled);
	assert_true(buf_ok(&a.body));
	assert_memory_equal(a.url, p->base, strlen(p->base));
	return a;
}

static struct pay_said hear(const struct provider *p, const struct pay_job *j, enum pay_step step, int status, const char *body)
{
	struct webtold t = {.status = status};
	struct pay_said said;

	buf_str(&t.body, body);
	provider_hear(p, j, step, &t, &said);
	webtold_free(&t);
	return said;
}

#define assert_end(p, j, step, status, body, word) assert_int_equal(hear(p, &(j), step, status, body).end, word)

/* ---- PortOne ---- */

static void portone_confirms_with_the_amount_and_the_currency_of_the_book(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct webask a = ask(&portone_provider, &j, ASK_CHARGE), b;

	(void)state;
	assert_string_equal(a.method, "POST");
	assert_string_equal(a.url, "https://api.portone.io/payments/" KEY "/confirm");
	assert_true(has_header(&a, "Authorization: PortOne secret"));
	assert_true(has_header(&a, "Idempotency-Key: " KEY "-charge-"));
	assert_string_equal(body_of(&a), "{\"storeId\":\"store-jari\",\"paymentToken\":\"token-1\",\"currency\":\"KRW\","
					 "\"totalAmount\":20000,\"isTest\":true}");
	assert_int_equal(a.patience_s, 60);
	/* Another token is another call; the same one later is the same. */
	b = ask(&portone_provider, &j, ASK_CHARGE);
	assert_string_equal(a.headers[0], b.headers[0]);
	webask_free(&b);
	strcpy(j.token, "token-2");
	b = ask(&portone_provider, &j, ASK_CHARGE);
	assert_string_not_equal(a.headers[0], b.headers[0]);
	webask_free(&b);
	webask_free(&a);
	j.token[0] = '\0';
	assert_false(portone_provider.ask(&j, ASK_CHARGE, &a));
}

static void portone_gives_back_what_we_believe_can_go_back(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct webask a = ask(&portone_provider, &j, ASK_REFUND);

	(void)state;
	assert_string_equal(a.url, "https://api.portone.io/payments/" KEY "/cancel");
	assert_string_equal(body_of(&a), "{\"storeId\":\"store-jari\",\"amount\":5000,\"currentCancellableAmount\":20000,"
					 "\"reason\":\"R20261201-0001\"}");
	assert_true(has_header(&a, "Idempotency-Key: " KEY "-r1-5000-20000"));
	webask_free(&a);
}

static void portone_keeps_charges_and_forgets_a_card(void **state)
{
	struct pay_job j = job("KRW", 30000);
	struct webask a;

	(void)state;
	j.purpose = INTENT_FOR_CARD;
	a = ask(&portone_provider, &j, ASK_CHARGE);
	assert_string_equal(a.url, "https://api.portone.io/billing-keys/confirm");
	assert_string_equal(body_of(&a), "{\"storeId\":\"store-jari\",\"billingIssueToken\":\"token-1\",\"isTest\":true}");
	webask_free(&a);
	assert_string_equal(hear(&portone_provider, &j, ASK_CHARGE, 200, "{\"billingKey\":\"billing-key-1\"}").card,
			    "billing-key-1");
	j.purpose = INTENT_FOR_CHARGE;
	a = ask(&portone_provider, &j, ASK_CHARGE);
	assert_string_equal(a.url, "https://api.portone.io/payments/" KEY "/billing-key");
	assert_string_equal(body_of(&a),
			    "{\"storeId\":\"store-jari\",\"billingKey\":\"card-1\",\"channelKey\":\"channel-key-jari\","
			    "\"orderName\":\"자리 식당\",\"amount\":{\"total\":30000},\"currency\":\"KRW\"}");
	webask_free(&a);
	a = ask(&portone_provider, &j, ASK_FORGET_CARD);
	assert_string_equal(a.method, "DELETE");
	assert_string_equal(a.url, "https://api.portone.io/billing-keys/card-1?storeId=store-jari");
	webask_free(&a);
	assert_end(&portone_provider, j, ASK_FORGET_CARD, 200, "{\"deletedAt\":\"x\"}", SAID_FORGOTTEN);
	assert_end(&portone_provider, j, ASK_FORGET_CARD, 404, "{\"type\":\"BILLING_KEY_NOT_FOUND\"}", SAID_FORGOTTEN);
	assert_end(&portone_provider, j, ASK_FORGET_CARD, 409, "{\"type\":\"BILLING_KEY_ALREADY_DELETED\"}", SAID_FORGOTTEN);
}

/* A guest who has kept the key of the channel for tests pays with it, and no card is charged. */
static void play_money_is_none_where_real_money_is_asked(void **state)
{
	static const char *const channels[] = {"TEST", "LIVE"};
	struct pay_job j = job("KRW", 20000);
	struct pay_said s;
	char answer[256];

	(void)state;
	for (int live = 0; live <= 1; live++)
		for (size_t i = 0; i < sizeof channels / sizeof channels[0]; i++) {
			j.test = !live;
			snprintf(answer, sizeof answer,
				 "{\"status\":\"PAID\",\"transactionId\":\"tx\",\"currency\":\"KRW\",\"channel\":{\"type\":\"%"
				 "s\"},"
				 "\"amount\":{\"total\":20000,\"cancelled\":0}}",
				 channels[i]);
			s = hear(&portone_provider, &j, ASK_LOOK, 200, answer);
			assert_int_equal(s.end, live && i == 0 ? SAID_REFUSED : SAID_CHARGED);
			assert_int_equal(s.amount, live && i == 0 ? 0 : 20000);
		}
}

static void portone_answers(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct pay_said s;

	(void)state;
	/* A confirmation does not say how much. */
	assert_end(&portone_provider, j, ASK_CHARGE, 200, "{\"pgTxId\":\"x\",\"paidAt\":\"y\"}", SAID_DOUBT);
	assert_end(&portone_provider, j, ASK_CHARGE, 409, "{\"type\":\"ALREADY_PAID\"}", SAID_DOUBT);
	assert_end(&portone_provider, j, ASK_CHARGE, 409, "{\"type\":\"INFORMATION_MISMATCH\"}", SAID_REFUSED);
	assert_end(&portone_provider, j, ASK_CHARGE, 401, "{\"type\":\"UNAUTHORIZED\"}", SAID_REFUSED);
	s = hear(&portone_provider, &j, ASK_LOOK, 401, "{\"type\":\"UNAUTHORIZED\"}");
	assert_int_equal(s.end, SAID_LATER);
	assert_in_range(s.retry_s, 10, 60); /* with a key that is wrong nobody asks every other second, for days */
	assert_end(&portone_provider, j, ASK_CHARGE, 400, "{\"type\":\"INVALID_PAYMENT_TOKEN\"}", SAID_DOUBT);
	assert_end(&portone_provider, j, ASK_CHARGE, 404, "{\"type\":\"PAYMENT_NOT_FOUND\"}", SAID_GONE);
	s = hear(&portone_provider, &j, ASK_CHARGE, 502,
		 "{\"type\":\"PG_PROVIDER\",\"message\":\"m\",\"pgMessage\":\"한도 초과\"}");
	assert_int_equal(s.end, SAID_DOUBT);
	assert_true(s.said_no);
	assert_string_equal(s.words, "PG_PROVIDER: 한도 초과");
	assert_end(&portone_provider, j, ASK_LOOK, 200, "{\"status\":\"READY\"}", SAID_OPEN);
	assert_end(&portone_provider, j, ASK_LOOK, 200, "{\"status\":\"PAY_PENDING\"}", SAID_OPEN);
	assert_end(&portone_provider, j, ASK_LOOK, 200, "{}", SAID_DOUBT);
	assert_end(&portone_provider, j, ASK_LOOK, 200, "{\"status\":\"PAID\",\"currency\":\"KRW\"}", SAID_DOUBT);
	s = hear(&portone_provider, &j, ASK_LOOK, 200,
		 "{\"status\":\"FAILED\",\"failure\":{\"reason\":\"r\",\"pgCode\":\"6000\",\"pgMessage\":\"카드사 거절\"}}");
	assert_int_equal(s.end, SAID_REFUSED);
	assert_string_equal(s.words, "6000: 카드사 거절");
	s = hear(&portone_provider, &j, ASK_LOOK, 200,
		 "{\"status\":\"PARTIAL_CANCELLED\",\"transactionId\":\"tx-1\",\"currency\":\"KRW\","
		 "\"amount\":{\"total\":20000,\"paid\":15000,\"cancelled\":5000}}");
	assert_int_equal(s.end, SAID_CHARGED);
	assert_int_equal(s.amount, 20000);
	assert_int_equal(s.returned, 5000);
	assert_string_equal(s.currency, "KRW");
	assert_string_equal(s.ref, "tx-1");
	assert_end(&portone_provider, j, ASK_REFUND, 200, "{\"cancellation\":{\"status\":\"SUCCEEDED\"}}", SAID_DOUBT);
	assert_end(&portone_provider, j, ASK_REFUND, 200, "{\"cancellation\":{\"status\":\"FAILED\"}}", SAID_REFUSED);
	assert_end(&portone_provider, j, ASK_REFUND, 409, "{\"type\":\"CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN\"}", SAID_DOUBT);
}

/* ---- Toss ---- */

static void toss_confirms_with_the_amount_of_the_book(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct webask a = ask(&toss_provider, &j, ASK_CHARGE);

	(void)state;
	assert_string_equal(a.url, "https://api.tosspayments.com/v1/payments/confirm");
	assert_true(has_header(&a, "Authorization: Basic c2VjcmV0Og=="));
	assert_true(has_header(&a, "Idempotency-Key: " KEY "-charge-"));
	assert_string_equal(body_of(&a), "{\"paymentKey\":\"token-1\",\"orderId\":\"" KEY "\",\"amount\":20000}");
	webask_free(&a);
	a = ask(&toss_provider, &j, ASK_LOOK);
	assert_string_equal(a.url, "https://api.tosspayments.com/v1/payments/orders/" KEY);
	webask_free(&a);
	strcpy(j.ref, "tgen_1");
	a = ask(&toss_provider, &j, ASK_REFUND);
	assert_string_equal(a.url, "https://api.tosspayments.com/v1/payments/tgen_1/cancel");
	assert_true(has_header(&a, "Idempotency-Key: " KEY "-r1-5000"));
	assert_string_equal(body_of(&a), "{\"cancelReason\":\"R20261201-0001\",\"cancelAmount\":5000}");
	webask_free(&a);
}

static void toss_keeps_charges_and_forgets_a_card(void **state)
{
	struct pay_job j = job("KRW", 30000);
	struct pay_said s;
	struct webask a;

	(void)state;
	j.purpose = INTENT_FOR_CARD;
	a = ask(&toss_provider, &j, ASK_CHARGE);
	assert_string_equal(body_of(&a), "{\"authKey\":\"token-1\",\"customerKey\":\"" KEY "\"}");
	webask_free(&a);
	s = hear(&toss_provider, &j, ASK_CHARGE, 200,
		 "{\"billingKey\":\"b1\",\"customerKey\":\"" KEY
		 "\",\"cardCompany\":\"신한\",\"card\":{\"number\":\"4330****123*\"}}");
	assert_int_equal(s.end, SAID_CARD);
	assert_string_equal(s.card, "b1 " KEY);
	assert_string_equal(s.label, "신한 4330****123*");
	j.purpose = INTENT_FOR_CHARGE;
	memcpy(j.card, s.card, sizeof j.card);
	a = ask(&toss_provider, &j, ASK_CHARGE);
	assert_string_equal(a.url, "https://api.tosspayments.com/v1/billing/b1");
	assert_string_equal(body_of(&a), "{\"customerKey\":\"" KEY "\",\"amount\":30000,\"orderId\":\"" KEY
					 "\",\"orderName\":\"자리 식당\"}");
	webask_free(&a);
	a = ask(&toss_provider, &j, ASK_FORGET_CARD);
	assert_string_equal(a.url, "https://api.tosspayments.com/v1/billing/b1");
	webask_free(&a);
	assert_end(&toss_provider, j, ASK_FORGET_CARD, 404, "{\"code\":\"NOT_FOUND_BILLING\"}", SAID_FORGOTTEN);
}

static void toss_answers(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct pay_said s;

	(void)state;
	s = hear(&toss_provider, &j, ASK_CHARGE, 200,
		 "{\"status\":\"DONE\",\"paymentKey\":\"tgen_1\",\"currency\":\"KRW\",\"totalAmount\":20000.0,"
		 "\"balanceAmount\":20000}");
	assert_int_equal(s.end, SAID_CHARGED);
	assert_int_equal(s.amount, 20000);
	assert_int_equal(s.returned, 0);
	assert_string_equal(s.ref, "tgen_1");
	s = hear(&toss_provider, &j, ASK_REFUND, 200,
		 "{\"status\":\"PARTIAL_CANCELED\",\"paymentKey\":\"tgen_1\",\"currency\":\"KRW\",\"totalAmount\":20000,"
		 "\"balanceAmount\":15000}");
	assert_int_equal(s.end, SAID_CHARGED);
	assert_int_equal(s.returned, 5000);
	assert_end(&toss_provider, j, ASK_LOOK, 200, "{\"status\":\"DONE\",\"totalAmount\":20000,\"balanceAmount\":-1}",
		   SAID_DOUBT);
	assert_end(&toss_provider, j, ASK_LOOK, 200, "{\"status\":\"DONE\",\"totalAmount\":20000,\"balanceAmount\":20001}",
		   SAID_DOUBT);
	assert_end(&toss_provider, j, ASK_LOOK, 200,
		   "{\"status\":\"DONE\",\"totalAmount\":9223372036854775807,\"balanceAmount\":0}", SAID_DOUBT);
	assert_end(&toss_provider, j, ASK_CHARGE, 400, "{\"code\":\"ALREADY_PROCESSED_PAYMENT\"}", SAID_DOUBT);
	assert_end(&toss_provider, j, ASK_CHARGE, 409, "{\"code\":\"IDEMPOTENT_REQUEST_PROCESSING\"}", SAID_DOUBT);
	assert_end(&toss_provider, j, ASK_CHARGE, 500, "{\"code\":\"FAILED_INTERNAL_SYSTEM_PROCESSING\"}", SAID_DOUBT);
	assert_end(&toss_provider, j, ASK_CHARGE, 404, "{\"code\":\"NOT_FOUND_PAYMENT_SESSION\"}", SAID_GONE);
	s = hear(&toss_provider, &j, ASK_CHARGE, 403, "{\"code\":\"REJECT_CARD_COMPANY\",\"message\":\"승인 거절\"}");
	assert_int_equal(s.end, SAID_REFUSED);
	assert_string_equal(s.words, "REJECT_CARD_COMPANY: 승인 거절");
	assert_end(&toss_provider, j, ASK_LOOK, 401, "{\"code\":\"UNAUTHORIZED_KEY\"}", SAID_LATER);
	assert_end(&toss_provider, j, ASK_LOOK, 200, "{\"status\":\"IN_PROGRESS\"}", SAID_OPEN);
	assert_end(&toss_provider, j, ASK_LOOK, 200, "{\"status\":\"EXPIRED\"}", SAID_GONE);
	assert_end(&toss_provider, j, ASK_LOOK, 200, "{\"status\":\"ABORTED\",\"failure\":{\"code\":\"c\"}}", SAID_REFUSED);
}

/* ---- Stripe ---- */

static bool has_field(const struct webask *a, const char *field)
{
	const char *at = strstr(body_of(a), field);
	size_t n = strlen(field);

	return at && (at == body_of(a) || at[-1] == '&') && (at[n] == '&' || !at[n]);
}

static void stripe_makes_a_session_that_is_captured_by_us(void **state)
{
	struct pay_job j = job("EUR", 1950);
	struct webask a = ask(&stripe_provider, &j, ASK_BEGIN), b;

	(void)state;
	assert_string_equal(a.url, "https://api.stripe.com/v1/checkout/sessions");
	assert_true(has_header(&a, "Stripe-Version: 2026-09-30.endive"));
	assert_true(has_header(&a, "Authorization: Bearer secret"));
	assert_true(has_header(&a, "Idempotency-Key: " KEY "-begin-0"));
	assert_true(has_field(&a, "mode=payment"));
	assert_true(has_field(&a, "client_reference_id=" KEY));
	assert_true(has_field(&a, "line_items%5B0%5D%5Bprice_data%5D%5Bcurrency%5D=eur"));
	assert_true(has_field(&a, "line_items%5B0%5D%5Bprice_data%5D%5Bunit_amount%5D=1950"));
	assert_true(has_field(&a, "payment_intent_data%5Bcapture_method%5D=manual"));
	assert_true(has_field(&a, "adaptive_pricing%5Benabled%5D=false"));
	assert_true(has_field(&a, "payment_intent_data%5Bmetadata%5D%5BpaymentId%5D=" KEY));
	assert_true(has_field(&a, "payment_intent_data%5Bmetadata%5D%5Breservation%5D=R20261201-0001"));
	assert_true(has_field(&a, "expires_at=1795002100"));
	assert_true(has_field(&a, "locale=ko"));
	assert_non_null(strstr(body_of(&a), "success_url=https%3A%2F%2Fjari.example%2Fpay%3Frestaurant%3D3%26payment%3D" KEY
					    "%26session%3D%7BCHECKOUT_SESSION_ID%7D"));
	/* Some seconds later it is the same question; long after, one that lives long enough. */
	j.now_s += 100;
	b = ask(&stripe_provider, &j, ASK_BEGIN);
	assert_string_equal(body_of(&a), body_of(&b));
	assert_string_equal(a.headers[0], b.headers[0]);
	webask_free(&b);
	j.now_s += 3600;
	b = ask(&stripe_provider, &j, ASK_BEGIN);
	assert_string_not_equal(a.headers[0], b.headers[0]);
	webask_free(&b);
	webask_free(&a);
	j.site[0] = '\0';
	assert_false(stripe_provider.ask(&j, ASK_BEGIN, &a));
}

static void stripe_amounts_in_each_currency(void **state)
{
	static const struct {
		const char *currency, *field;
		int64_t amount;
	} rows[] = {{"KRW", "amount_to_capture=20000", 20000}, {"JPY", "amount_to_capture=3000", 3000},
		    {"EUR", "amount_to_capture=1950", 1950},   {"KWD", "amount_to_capture=5250", 5250},
		    {"ISK", "amount_to_capture=50000", 500},   {"UGX", "amount_to_capture=100", 1},
		    {"MGA", "amount_to_capture=5", 500},       {"MGA", "amount_to_capture=0", 550}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pay_job j = job(rows[i].currency, rows[i].amount);
		char answer[200];
		struct pay_said s;
		struct webask a;

		strcpy(j.ref, "pi_1");
		a = ask(&stripe_provider, &j, ASK_CHARGE);
		assert_string_equal(a.url, "https://api.stripe.com/v1/payment_intents/pi_1/capture");
		assert_true(has_field(&a, rows[i].field));
		webask_free(&a);
		/* and back again */
		snprintf(answer, sizeof answer,
			 "{\"object\":\"payment_intent\",\"metadata\":{\"paymentId\":\"" KEY
			 "\"},\"id\":\"pi_1\",\"status\":\"succeeded\",\"currency\":\"%s\",\"amount_"
			 "received\":%s}",
			 rows[i].currency, strchr(rows[i].field, '=') + 1);
		s = hear(&stripe_provider, &j, ASK_CHARGE, 200, answer);
		assert_int_equal(s.end, SAID_CHARGED);
		assert_int_equal(s.amount, i == COUNT(rows) - 1 ? 0 : rows[i].amount);
		assert_string_equal(s.currency, rows[i].currency);
	}
}

#define SESSION(status, intent) \
	"{\"object\":\"checkout.session\",\"client_reference_id\":\"" KEY "\",\"id\":\"cs_1\",\"status\":\"" status \
	"\",\"payment_intent\":" intent "}"
#define INTENT(status, more) \
	"{\"object\":\"payment_intent\",\"metadata\":{\"paymentId\":\"" KEY \
	"\"},\"id\":\"pi_1\",\"currency\":\"eur\",\"status\":\"" status "\"" more "}"

static void stripe_answers(void **state)
{
	struct pay_job j = job("EUR", 1950);
	struct pay_said s;

	(void)state;
	s = hear(&stripe_provider, &j, ASK_BEGIN, 200, "{\"id\":\"cs_1\",\"url\":\"https://checkout.stripe.com/c/pay/cs_1\"}");
	assert_int_equal(s.end, SAID_BEGUN);
	assert_string_equal(s.session, "cs_1");
	assert_string_equal(s.url, "https://checkout.stripe.com/c/pay/cs_1");
	assert_end(&stripe_provider, j, ASK_LOOK, 200, SESSION("open", "null"), SAID_OPEN);
	assert_end(&stripe_provider, j, ASK_LOOK, 200, SESSION("expired", "null"), SAID_GONE);
	assert_end(&stripe_provider, j, ASK_LOOK, 200, SESSION("open", INTENT("requires_payment_method", "")), SAID_OPEN);
	assert_end(&stripe_provider, j, ASK_LOOK, 200, SESSION("expired", INTENT("requires_payment_method", "")), SAID_GONE);
	s = hear(&stripe_provider, &j, ASK_LOOK, 200,
		 SESSION("complete", INTENT("requires_capture", ",\"amount_capturable\":1950")));
	assert_int_equal(s.end, SAID_AUTHORISED);
	assert_int_equal(s.amount, 1950);
	assert_string_equal(s.ref, "pi_1");
	assert_string_equal(s.session, "cs_1");
	s = hear(&stripe_provider, &j, ASK_LOOK, 200,
		 INTENT("succeeded", ",\"amount_received\":1950,\"latest_charge\":{\"amount_refunded\":500}"));
	assert_int_equal(s.end, SAID_CHARGED);
	assert_int_equal(s.returned, 500);
	assert_end(&stripe_provider, j, ASK_VOID, 200, INTENT("canceled", ""), SAID_VOIDED);
	assert_end(&stripe_provider, j, ASK_CHARGE, 400,
		   "{\"error\":{\"type\":\"invalid_request_error\",\"code\":\"payment_intent_unexpected_state\"}}", SAID_DOUBT);
	assert_end(&stripe_provider, j, ASK_CHARGE, 409, "{\"error\":{\"type\":\"idempotency_error\"}}", SAID_DOUBT);
	s = hear(&stripe_provider, &j, ASK_CHARGE, 402,
		 "{\"error\":{\"type\":\"card_error\",\"code\":\"card_declined\",\"decline_code\":\"insufficient_funds\","
		 "\"message\":\"No.\"}}");
	assert_int_equal(s.end, SAID_REFUSED);
	assert_string_equal(s.words, "insufficient_funds: No.");
	assert_end(&stripe_provider, j, ASK_LOOK, 401, "{\"error\":{\"type\":\"invalid_request_error\"}}", SAID_LATER);
	assert_end(&stripe_provider, j, ASK_REFUND, 200, "{\"object\":\"refund\",\"status\":\"succeeded\"}", SAID_DOUBT);
	assert_end(&stripe_provider, j, ASK_REFUND, 200, "{\"object\":\"refund\",\"status\":\"failed\"}", SAID_REFUSED);
}

static void stripe_keeps_charges_and_forgets_a_card(void **state)
{
	struct pay_job j = job("EUR", 3000);
	struct pay_said s;
	struct webask a;

	(void)state;
	j.purpose = INTENT_FOR_CARD;
	a = ask(&stripe_provider, &j, ASK_BEGIN);
	assert_true(has_field(&a, "mode=setup"));
	assert_true(has_field(&a, "customer_creation=always"));
	assert_null(strstr(body_of(&a), "line_items"));
	webask_free(&a);
	s = hear(&stripe_provider, &j, ASK_LOOK, 200,
		 "{\"object\":\"checkout.session\",\"client_reference_id\":\"" KEY
		 "\",\"id\":\"cs_1\",\"status\":\"complete\",\"customer\":\"cus_1\",\"setup_"
		 "intent\":"
		 "{\"status\":\"succeeded\",\"payment_method\":{\"id\":\"pm_1\",\"card\":{\"brand\":\"visa\",\"last4\":"
		 "\"4242\"}}}}");
	assert_int_equal(s.end, SAID_CARD);
	assert_string_equal(s.card, "pm_1 cus_1");
	assert_string_equal(s.label, "visa 4242");
	j.purpose = INTENT_FOR_CHARGE;
	memcpy(j.card, s.card, sizeof j.card);
	a = ask(&stripe_provider, &j, ASK_CHARGE);
	assert_string_equal(a.url, "https://api.stripe.com/v1/payment_intents");
	assert_true(has_field(&a, "off_session=true") && has_field(&a, "confirm=true") && has_field(&a, "amount=3000"));
	assert_true(has_field(&a, "customer=cus_1") && has_field(&a, "payment_method=pm_1"));
	assert_true(has_header(&a, "Idempotency-Key: " KEY "-charge"));
	webask_free(&a);
	/* Without its name it is looked for among the payments of that customer. */
	a = ask(&stripe_provider, &j, ASK_LOOK);
	assert_non_null(strstr(a.url, "payment_intents?customer=cus_1"));
	webask_free(&a);
	assert_end(&stripe_provider, j, ASK_LOOK, 200, "{\"object\":\"list\",\"data\":[]}", SAID_GONE);
	s = hear(&stripe_provider, &j, ASK_LOOK, 200,
		 "{\"object\":\"list\",\"data\":[{\"id\":\"pi_0\",\"status\":\"succeeded\",\"metadata\":{\"paymentId\":"
		 "\"other\"}},"
		 "{\"id\":\"pi_2\",\"status\":\"succeeded\",\"currency\":\"eur\",\"amount_received\":3000,\"metadata\":{"
		 "\"paymentId\":\"" KEY "\"}}]}");
	assert_int_equal(s.end, SAID_CHARGED);
	assert_string_equal(s.ref, "pi_2");
	a = ask(&stripe_provider, &j, ASK_FORGET_CARD);
	assert_string_equal(a.method, "DELETE");
	assert_string_equal(a.url, "https://api.stripe.com/v1/customers/cus_1");
	webask_free(&a);
}

/* A guest may say that they paid with a payment of theirs for something else, or be sent back with another's session. */
static void stripe_believes_only_what_bears_our_name_of_it(void **state)
{
	struct pay_job j = job("EUR", 1950);
	struct webask a;

	(void)state;
	strcpy(j.key, "jari-anotherpaymentaltogether22");
	assert_end(&stripe_provider, j, ASK_LOOK, 200, INTENT("succeeded", ",\"amount_received\":1950"), SAID_GONE);
	assert_end(&stripe_provider, j, ASK_LOOK, 200,
		   SESSION("complete", INTENT("requires_capture", ",\"amount_capturable\":1950")), SAID_GONE);
	assert_end(&stripe_provider, j, ASK_CHARGE, 200, INTENT("succeeded", ",\"amount_received\":1950"), SAID_DOUBT);
	strcpy(j.ref, "pi_theirs");
	strcpy(j.session, "cs_ours");
	a = ask(&stripe_provider, &j, ASK_LOOK);
	assert_non_null(strstr(a.url, "/checkout/sessions/cs_ours?"));
	webask_free(&a);
}

static void a_session_that_their_clock_refuses_is_asked_for_by_their_clock(void **state)
{
	struct pay_job j = job("EUR", 1950);
	struct webtold t = {.status = 400, .date_s = j.now_s + 7200};
	struct pay_said s;
	struct webask a;

	(void)state;
	buf_str(&t.body, "{\"error\":{\"type\":\"invalid_request_error\",\"param\":\"expires_at\"}}");
	provider_hear(&stripe_provider, &j, ASK_BEGIN, &t, &s);
	webtold_free(&t);
	assert_int_equal(s.end, SAID_LATER);
	assert_int_equal(s.ahead_s, 7200);
	j.ahead_s = s.ahead_s;
	a = ask(&stripe_provider, &j, ASK_BEGIN);
	assert_true(has_field(&a, "expires_at=1795009300"));
	assert_true(has_header(&a, "Idempotency-Key: " KEY "-begin-0-clock"));
	webask_free(&a);
}

/* ---- what any answer means ---- */

static void no_whole_answer_is_doubt_unless_nothing_was_sent(void **state)
{
	static const struct provider *const all[] = {&portone_provider, &toss_provider, &stripe_provider};
	struct pay_job j = job("KRW", 20000);

	(void)state;
	for (size_t i = 0; i < COUNT(all); i++) {
		struct webtold none = {.why = "timed out"}, unsent = {.unsent = true, .why = "no such host"};
		struct pay_said s;

		assert_end(all[i], j, ASK_CHARGE, 502, "<html>bad gateway</html>", SAID_DOUBT);
		assert_end(all[i], j, ASK_CHARGE, 200, "{\"status\":\"DO", SAID_DOUBT);
		assert_end(all[i], j, ASK_CHARGE, 500, "{}", SAID_DOUBT);
		assert_end(all[i], j, ASK_CHARGE, 503, "", SAID_DOUBT);
		assert_end(all[i], j, ASK_CHARGE, 429, "{\"type\":\"TOO_MANY_REQUESTS\"}", SAID_LATER);
		provider_hear(all[i], &j, ASK_CHARGE, &none, &s);
		assert_int_equal(s.end, SAID_DOUBT);
		assert_string_equal(s.words, "timed out");
		provider_hear(all[i], &j, ASK_CHARGE, &unsent, &s);
		assert_int_equal(s.end, SAID_LATER);
	}
}

static void a_secret_with_a_line_end_is_no_header(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct webask a = {0};

	(void)state;
	strcpy(j.secret, "x\r\nHost: other");
	assert_true(portone_provider.ask(&j, ASK_LOOK, &a));
	assert_true(a.spoiled);
	webask_free(&a);
}

/* ---- events ---- */

static struct pay_event event_of(const struct provider *p, const char *body)
{
	struct told *t = told_read(body, strlen(body));
	struct pay_event e = {0};

	assert_non_null(t);
	p->event(t, &e);
	told_free(t);
	return e;
}

static void events_say_which_payment_to_look_at(void **state)
{
	struct pay_event e = event_of(&portone_provider, "{\"type\":\"Transaction.Paid\",\"data\":{\"paymentId\":\"" KEY
							 "\",\"transactionId\":\"tx\"}}");

	(void)state;
	assert_true(e.known);
	assert_string_equal(e.key, KEY);
	assert_false(event_of(&portone_provider, "{\"type\":\"BillingKey.Issued\",\"data\":{\"billingKey\":\"x\"}}").known);
	assert_false(event_of(&portone_provider, "{\"type\":7}").known);
	e = event_of(&toss_provider, "{\"eventType\":\"PAYMENT_STATUS_CHANGED\",\"data\":{\"orderId\":\"" KEY "\"}}");
	assert_true(e.known);
	assert_string_equal(e.key, KEY);
	assert_false(event_of(&toss_provider, "{\"eventType\":\"METHOD_UPDATED\",\"data\":{\"orderId\":\"" KEY "\"}}").known);
	e = event_of(&stripe_provider,
		     "{\"id\":\"evt_1\",\"type\":\"charge.refunded\",\"data\":{\"object\":{\"object\":\"charge\","
		     "\"payment_intent\":\"pi_1\",\"metadata\":{\"paymentId\":\"" KEY "\"}}}}");
	assert_true(e.known);
	assert_string_equal(e.id, "evt_1");
	assert_string_equal(e.key, KEY);
	assert_string_equal(e.ref, "pi_1");
	e = event_of(&stripe_provider,
		     "{\"id\":\"evt_2\",\"type\":\"checkout.session.completed\",\"data\":{\"object\":{\"object\":"
		     "\"checkout.session\",\"client_reference_id\":\"" KEY "\",\"payment_intent\":\"pi_2\"}}}");
	assert_true(e.known);
	assert_string_equal(e.key, KEY);
	assert_false(
		event_of(&stripe_provider, "{\"id\":\"evt_3\",\"type\":\"customer.created\",\"data\":{\"object\":{}}}").known);
}

/* ---- steps ---- */

static struct pay_said said(enum pay_end end)
{
	return (struct pay_said){.end = end, .amount = 20000, .currency = "KRW"};
}

/* What is asked after these answers, in order; ASK_NOTHING ends it. */
static enum pay_step walk(struct steps *s, const enum pay_end *ends, size_t n)
{
	enum pay_step next = s->asked;

	for (size_t i = 0; i < n; i++) {
		struct pay_said heard = said(ends[i]);

		assert_int_not_equal(next, ASK_NOTHING);
		next = steps_next(s, &heard);
	}
	return next;
}
#define WALK(s, ...) walk(s, (const enum pay_end[]){__VA_ARGS__}, COUNT(((const enum pay_end[]){__VA_ARGS__})))

static void in_doubt_it_is_looked_for_before_it_is_done(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct steps s;

	(void)state;
	assert_int_equal(steps_first(&s, &portone_provider, &j, ASK_CHARGE, 0, false), ASK_CHARGE);
	assert_int_equal(steps_first(&s, &portone_provider, &j, ASK_CHARGE, 0, true), ASK_LOOK);
	assert_int_equal(WALK(&s, SAID_CHARGED), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_CHARGED);
	steps_first(&s, &portone_provider, &j, ASK_CHARGE, 0, true);
	assert_int_equal(WALK(&s, SAID_OPEN), ASK_CHARGE);
	steps_first(&s, &stripe_provider, &j, ASK_CHARGE, 0, false);
	assert_int_equal(s.asked, ASK_LOOK);
	assert_int_equal(WALK(&s, SAID_OPEN), ASK_NOTHING); /* the guest has not been there */
	assert_int_equal(s.end.end, SAID_OPEN);
	steps_first(&s, &stripe_provider, &j, ASK_CHARGE, 0, false);
	assert_int_equal(WALK(&s, SAID_AUTHORISED), ASK_CHARGE);
	assert_int_equal(WALK(&s, SAID_CHARGED), ASK_NOTHING);
	/* The card on file: without a name for the payment it is looked for, and charged if it is not found. */
	j.purpose = INTENT_FOR_CHARGE;
	steps_first(&s, &stripe_provider, &j, ASK_CHARGE, 1, true);
	assert_int_equal(WALK(&s, SAID_GONE), ASK_CHARGE);
}

static void an_act_without_an_answer_is_looked_for_and_not_repeated(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct steps s;

	(void)state;
	steps_first(&s, &portone_provider, &j, ASK_CHARGE, 0, false);
	assert_int_equal(WALK(&s, SAID_DOUBT), ASK_LOOK);
	assert_int_equal(WALK(&s, SAID_CHARGED), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_CHARGED);
	steps_first(&s, &portone_provider, &j, ASK_CHARGE, 0, false);
	assert_int_equal(WALK(&s, SAID_DOUBT, SAID_DOUBT), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_DOUBT);
	steps_first(&s, &portone_provider, &j, ASK_CHARGE, 0, false);
	assert_int_equal(WALK(&s, SAID_DOUBT, SAID_OPEN), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_LATER);
	assert_true(steps_wait_s(&s) >= 1);
}

static void a_no_that_is_found_to_be_one_is_one(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct pay_said no = {.end = SAID_DOUBT, .said_no = true, .words = "PG_PROVIDER: 거절"};
	struct pay_said charged = said(SAID_CHARGED);
	struct steps s;

	(void)state;
	for (int round = 0; round < 3; round++) {
		/* From the second round on it is looked for first. */
		if (steps_first(&s, &portone_provider, &j, ASK_CHARGE, round, false) == ASK_LOOK)
			assert_int_equal(WALK(&s, SAID_OPEN), ASK_CHARGE);
		assert_int_equal(s.asked, ASK_CHARGE);
		assert_int_equal(steps_next(&s, &no), ASK_LOOK);
		assert_int_equal(WALK(&s, SAID_OPEN), ASK_NOTHING);
		assert_int_equal(s.end.end, round < 2 ? SAID_LATER : SAID_REFUSED);
		assert_string_equal(s.end.words, no.words);
	}
	/* What the card company says of a refund may be its bad moment too; what the provider itself refuses is refused at once. */
	j.refund = j.cancellable = 20000;
	steps_first(&s, &portone_provider, &j, ASK_REFUND, 0, false);
	assert_int_equal(steps_next(&s, &charged), ASK_REFUND);
	assert_int_equal(steps_next(&s, &no), ASK_LOOK);
	assert_int_equal(steps_next(&s, &charged), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_LATER);
	no.end = SAID_REFUSED;
	steps_first(&s, &portone_provider, &j, ASK_REFUND, 0, false);
	assert_int_equal(steps_next(&s, &charged), ASK_REFUND);
	assert_int_equal(steps_next(&s, &no), ASK_LOOK);
	assert_int_equal(steps_next(&s, &charged), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_REFUSED);
	assert_string_equal(s.end.words, no.words);
}

/* Somebody at the console gave back 4,000 of the 20,000 while ours was on its way. */
static void a_refund_that_met_another_one_sends_what_is_missing(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct pay_said none = said(SAID_CHARGED), no = {.end = SAID_REFUSED}, part = none;
	struct steps s;

	(void)state;
	j.refund = j.cancellable = 20000;
	part.returned = 4000;
	assert_int_equal(steps_first(&s, &toss_provider, &j, ASK_REFUND, 0, false), ASK_LOOK);
	assert_int_equal(steps_next(&s, &none), ASK_REFUND);
	assert_int_equal(steps_next(&s, &no), ASK_LOOK);
	assert_int_equal(steps_next(&s, &part), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_LATER);
	j.refund = j.cancellable = 20000;
	assert_int_equal(steps_first(&s, &toss_provider, &j, ASK_REFUND, 1, false), ASK_LOOK);
	assert_int_equal(steps_next(&s, &part), ASK_REFUND);
	assert_int_equal(j.refund, 16000);
}

static void another_amount_than_the_books_is_not_captured(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct pay_said more = {.end = SAID_AUTHORISED, .amount = 20001, .currency = "KRW"};
	struct pay_said other = {.end = SAID_AUTHORISED, .amount = 20000, .currency = "JPY"};
	struct steps s;

	(void)state;
	steps_first(&s, &stripe_provider, &j, ASK_CHARGE, 0, false);
	assert_int_equal(steps_next(&s, &more), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_AUTHORISED);
	assert_int_equal(s.end.amount, 20001);
	steps_first(&s, &stripe_provider, &j, ASK_CHARGE, 0, false);
	assert_int_equal(steps_next(&s, &other), ASK_NOTHING);
}

static void what_was_authorised_is_let_go(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct steps s;

	(void)state;
	assert_int_equal(steps_first(&s, &stripe_provider, &j, ASK_VOID, 0, false), ASK_LOOK);
	assert_int_equal(WALK(&s, SAID_AUTHORISED), ASK_VOID);
	assert_int_equal(WALK(&s, SAID_VOIDED), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_VOIDED);
	steps_first(&s, &stripe_provider, &j, ASK_VOID, 0, false);
	assert_int_equal(WALK(&s, SAID_OPEN), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_OPEN); /* they may still authorise */
	steps_first(&s, &stripe_provider, &j, ASK_VOID, 0, false);
	assert_int_equal(WALK(&s, SAID_CHARGED), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_CHARGED);
	/* What only we can confirm is let go by not doing so. */
	steps_first(&s, &toss_provider, &j, ASK_VOID, 0, false);
	assert_int_equal(WALK(&s, SAID_OPEN), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_VOIDED);
}

static void a_refund_that_has_happened_is_not_sent_again(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct pay_said untouched = said(SAID_CHARGED), back = said(SAID_CHARGED);
	struct steps s;

	(void)state;
	back.returned = 5000;
	assert_int_equal(steps_first(&s, &stripe_provider, &j, ASK_REFUND, 0, false), ASK_LOOK);
	assert_int_equal(steps_next(&s, &untouched), ASK_REFUND);
	assert_int_equal(WALK(&s, SAID_DOUBT), ASK_LOOK);
	assert_int_equal(steps_next(&s, &back), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_CHARGED);
	assert_int_equal(s.end.returned, 5000);
	/* In doubt: found done, whoever did it; found not done, and only then sent. */
	assert_int_equal(steps_first(&s, &stripe_provider, &j, ASK_REFUND, 1, true), ASK_LOOK);
	assert_int_equal(steps_next(&s, &back), ASK_NOTHING);
	steps_first(&s, &stripe_provider, &j, ASK_REFUND, 1, true);
	assert_int_equal(steps_next(&s, &untouched), ASK_REFUND);
	assert_int_equal(WALK(&s, SAID_DOUBT), ASK_LOOK);
	assert_int_equal(steps_next(&s, &untouched), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_LATER);
}

/* The keys are of another account by now: it would be looked for every other second, and nobody would know. */
static void a_refund_of_what_the_provider_does_not_know_is_for_a_person(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct steps s;

	(void)state;
	assert_int_equal(steps_first(&s, &portone_provider, &j, ASK_REFUND, 0, false), ASK_LOOK);
	assert_int_equal(WALK(&s, SAID_GONE), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_REFUSED);
	assert_non_null(strstr(s.end.words, "another account"));
}

static void what_somebody_gave_back_meanwhile_is_part_of_a_refund(void **state)
{
	struct pay_job j = job("KRW", 20000);
	struct pay_said part = said(SAID_CHARGED), less = said(SAID_CHARGED);
	struct steps s;

	(void)state;
	part.returned = 2000;
	/* Just then: PortOne will not have our sum of what is left.  Nothing was done, and the next round asks for what is missing. */
	steps_first(&s, &portone_provider, &j, ASK_REFUND, 0, false);
	assert_int_equal(WALK(&s, SAID_CHARGED, SAID_DOUBT), ASK_LOOK);
	assert_int_equal(steps_next(&s, &part), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_LATER);
	assert_int_equal(steps_first(&s, &portone_provider, &j, ASK_REFUND, 1, false), ASK_LOOK);
	assert_int_equal(steps_next(&s, &part), ASK_REFUND);
	assert_int_equal(j.refund, 3000);
	assert_int_equal(j.cancellable, 18000);
	/* Less than the book says: nobody can tell whether ours was among it. */
	j = job("KRW", 20000);
	j.cancellable = 15000;
	less.returned = 1000;
	steps_first(&s, &stripe_provider, &j, ASK_REFUND, 1, true);
	assert_int_equal(steps_next(&s, &less), ASK_NOTHING);
	assert_int_equal(s.end.end, SAID_REFUSED);
}

static int init(void **state)
{
	(void)state;
	unsetenv("JARI_PORTONE_URL");
	unsetenv("JARI_TOSS_URL");
	unsetenv("JARI_STRIPE_URL");
	return token_init() ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(portone_confirms_with_the_amount_and_the_currency_of_the_book),
		cmocka_unit_test(portone_gives_back_what_we_believe_can_go_back),
		cmocka_unit_test(portone_keeps_charges_and_forgets_a_card),
		cmocka_unit_test(play_money_is_none_where_real_money_is_asked),
		cmocka_unit_test(portone_answers),
		cmocka_unit_test(toss_confirms_with_the_amount_of_the_book),
		cmocka_unit_test(toss_keeps_charges_and_forgets_a_card),
		cmocka_unit_test(toss_answers),
		cmocka_unit_test(stripe_makes_a_session_that_is_captured_by_us),
		cmocka_unit_test(stripe_amounts_in_each_currency),
		cmocka_unit_test(stripe_answers),
		cmocka_unit_test(stripe_keeps_charges_and_forgets_a_card),
		cmocka_unit_test(stripe_believes_only_what_bears_our_name_of_it),
		cmocka_unit_test(a_session_that_their_clock_refuses_is_asked_for_by_their_clock),
		cmocka_unit_test(no_whole_answer_is_doubt_unless_nothing_was_sent),
		cmocka_unit_test(a_secret_with_a_line_end_is_no_header),
		cmocka_unit_test(events_say_which_payment_to_look_at),
		cmocka_unit_test(in_doubt_it_is_looked_for_before_it_is_done),
		cmocka_unit_test(an_act_without_an_answer_is_looked_for_and_not_repeated),
		cmocka_unit_test(a_no_that_is_found_to_be_one_is_one),
		cmocka_unit_test(a_refund_that_met_another_one_sends_what_is_missing),
		cmocka_unit_test(another_amount_than_the_books_is_not_captured),
		cmocka_unit_test(what_was_authorised_is_let_go),
		cmocka_unit_test(a_refund_that_has_happened_is_not_sent_again),
		cmocka_unit_test(a_refund_of_what_the_provider_does_not_know_is_for_a_person),
		cmocka_unit_test(what_somebody_gave_back_meanwhile_is_part_of_a_refund),
	};

	return cmocka_run_group_tests(tests, init, NULL);
}
