/*
 * test_signature.c - whose events are believed.  The signatures were made by the npm packages standardwebhooks 1.1.1 and stripe 23.1.0.
 */
#include "signature.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

#define NOW 1795000000
#define STAMP "1795000000"

static const char portone_secret[] = "whsec_amFyaS1wb3J0b25lLXdlYmhvb2stc2VjcmV0";
static const char portone_body[] =
	"{\"type\":\"Transaction.Paid\",\"timestamp\":\"2026-11-18T23:06:40.000Z\",\"data\":{\"paymentId\":"
	"\"jari-abcdefghijklmnopqrstuvwxyz\",\"transactionId\":\"tx-1\",\"storeId\":\"store-jari\"}}";
static const char portone_right[] = "v1,zjjpEdNFEofYWBoOiif9xWdfAvPcpOpB+EfP5lxLEdE=";
static const char korean_body[] = "{\"type\":\"x\",\"text\":\"자리 \\u00e9\"}";
static const char korean_right[] = "v1,fxtKganRnm3uJl7mLatt7hazeSkAnyvO/2ehRU8HGUU=";

static const char stripe_secret[] = "whsec_amFyaS1zdHJpcGUtd2ViaG9vay1zZWNyZXQ";
static const char stripe_body[] = "{\"id\":\"evt_1\",\"object\":\"event\",\"api_version\":\"2026-09-30.endive\",\"type\":"
				  "\"charge.refunded\",\"data\":{\"object\":{"
				  "\"id\":\"ch_1\",\"object\":\"charge\",\"payment_intent\":\"pi_1\",\"metadata\":{\"payment\":"
				  "\"jari-abcdefghijklmnopqrstuvwxyz\"}}}}";
#define STRIPE_V1 "v1=37603bc3271c3ed4548ceae7b41f54b8ff4ec8892100be49dd78e77d083218f8"
static const char stripe_right[] = "t=" STAMP "," STRIPE_V1;
static const char stripe_korean[] = "t=" STAMP ",v1=2b4a42e156aeb338f3dccffd7a70c8e0fbc0d917f495f191963cb68aea5d5932";

static bool portone(const char *id, const char *stamp, const char *signatures, const char *body, int64_t now_s)
{
	return signature_standard(portone_secret, id, stamp, signatures, body, strlen(body), now_s);
}

static bool stripe(const char *header, const char *body, int64_t now_s)
{
	return signature_stripe(stripe_secret, header, body, strlen(body), now_s);
}

static void what_their_own_packages_signed_is_believed(void **state)
{
	(void)state;
	assert_true(portone("msg_1", STAMP, portone_right, portone_body, NOW));
	assert_true(portone("msg_2", STAMP, korean_right, korean_body, NOW));
	assert_true(stripe(stripe_right, stripe_body, NOW));
	assert_true(stripe(stripe_korean, korean_body, NOW));
}

static void one_right_signature_of_several_is_enough(void **state)
{
	char many[300];

	(void)state;
	snprintf(many, sizeof many, "v1,AAAA v2,x %s v1,%s", korean_right, portone_right + 3);
	assert_true(portone("msg_1", STAMP, many, portone_body, NOW));
	assert_true(stripe("t=" STAMP ",v1=00,v0=11," STRIPE_V1, stripe_body, NOW));
}

static void whatever_was_changed_is_not_believed(void **state)
{
	char body[sizeof portone_body];

	(void)state;
	memcpy(body, portone_body, sizeof body);
	for (size_t i = 0; i < sizeof body - 1; i++) {
		body[i] ^= 1;
		assert_false(portone("msg_1", STAMP, portone_right, body, NOW));
		body[i] ^= 1;
	}
	assert_false(portone("msg_2", STAMP, portone_right, portone_body, NOW));
	assert_false(portone("msg_1", "1795000001", portone_right, portone_body, NOW));
	assert_false(signature_standard("whsec_bm90aGluZw==", "msg_1", STAMP, portone_right, portone_body, strlen(portone_body),
					NOW));
	assert_false(stripe("t=1795000001," STRIPE_V1, stripe_body, NOW));
	assert_false(stripe(stripe_right, korean_body, NOW));
	assert_false(signature_stripe("whsec_other", stripe_right, stripe_body, strlen(stripe_body), NOW));
}

static void every_character_of_a_signature_counts(void **state)
{
	char standard[sizeof portone_right], header[sizeof stripe_right];

	(void)state;
	memcpy(standard, portone_right, sizeof standard);
	for (size_t i = 0; i < sizeof standard - 1; i++) {
		standard[i] = standard[i] == 'A' ? 'B' : 'A';
		assert_false(portone("msg_1", STAMP, standard, portone_body, NOW));
		standard[i] = portone_right[i];
	}
	memcpy(header, stripe_right, sizeof header);
	for (size_t i = 0; i < sizeof header - 1; i++) {
		header[i] = header[i] == 'A' ? 'B' : 'A'; /* also an A in the place of an a: it is not what they send */
		assert_false(stripe(header, stripe_body, NOW));
		header[i] = stripe_right[i];
	}
}

static void five_minutes_and_no_more(void **state)
{
	(void)state;
	assert_true(portone("msg_1", STAMP, portone_right, portone_body, NOW + 299));
	assert_true(portone("msg_1", STAMP, portone_right, portone_body, NOW - 299));
	assert_false(portone("msg_1", STAMP, portone_right, portone_body, NOW + 301));
	assert_false(portone("msg_1", STAMP, portone_right, portone_body, NOW - 301));
	assert_true(stripe(stripe_right, stripe_body, NOW + 299));
	assert_false(stripe(stripe_right, stripe_body, NOW + 301));
	assert_false(stripe(stripe_right, stripe_body, NOW - 301));
}

static void what_is_no_signature_is_refused(void **state)
{
	static const char *const standard[] = {"",
					       "v1",
					       "v1,",
					       "v1,=",
					       "zjjpEdNFEofYWBoOiif9xWdfAvPcpOpB+EfP5lxLEdE=",
					       "v2,zjjpEdNFEofYWBoOiif9xWdfAvPcpOpB+EfP5lxLEdE=",
					       "v1,zjjpEdNFEofYWBoOiif9xWdfAvPcpOpB+EfP5lxLEdE=AAAA",
					       " "};
	static const char *const headers[] = {"",
					      "t=" STAMP,
					      STRIPE_V1,
					      "t=," STRIPE_V1,
					      "t=x," STRIPE_V1,
					      "t=" STAMP "," STRIPE_V1 "00",
					      "t=1,t=" STAMP "," STRIPE_V1,
					      "t=" STAMP ",v0=37603bc3271c3ed4548ceae7b41f54b8ff4ec8892100be49dd78e77d083218f8",
					      "t=99999999999999999999999999999," STRIPE_V1};

	(void)state;
	for (size_t i = 0; i < COUNT(standard); i++)
		assert_false(portone("msg_1", STAMP, standard[i], portone_body, NOW));
	assert_false(portone(NULL, STAMP, portone_right, portone_body, NOW));
	assert_false(portone("msg_1", NULL, portone_right, portone_body, NOW));
	assert_false(portone("msg_1", STAMP, NULL, portone_body, NOW));
	assert_false(portone("msg_1", " " STAMP, portone_right, portone_body, NOW));
	assert_false(signature_standard("", "msg_1", STAMP, portone_right, portone_body, strlen(portone_body), NOW));
	for (size_t i = 0; i < COUNT(headers); i++)
		assert_false(stripe(headers[i], stripe_body, NOW));
	assert_false(stripe(NULL, stripe_body, NOW));
	assert_false(signature_stripe("", stripe_right, stripe_body, strlen(stripe_body), NOW));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_their_own_packages_signed_is_believed),
		cmocka_unit_test(one_right_signature_of_several_is_enough),
		cmocka_unit_test(whatever_was_changed_is_not_believed),
		cmocka_unit_test(every_character_of_a_signature_counts),
		cmocka_unit_test(five_minutes_and_no_more),
		cmocka_unit_test(what_is_no_signature_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
