/*
 * test_token.c - a token cannot be forged, bent, reused for another purpose or kept past its end.
 */
#include "token.h"

#include "clock.h"
#include "unit.h"

#include <string.h>

static const unsigned char key[TOKEN_KEY_SIZE] = {1, 2, 3};
static const struct token login = {TOKEN_LOGIN, 4711, 3, 2000, INT64_C(1) << 45};

static int init(void **state)
{
	(void)state;
	return token_init() ? 0 : -1;
}

static void a_token_says_what_was_signed(void **state)
{
	static const struct token tokens[] = {
		{TOKEN_LOGIN, 1, 1, 2000, 0},
		{TOKEN_MANAGE, INT64_MAX, 0, 0, 0},
		{TOKEN_TICKET, 0, UINT32_MAX, INT64_MAX, 0},
		{TOKEN_LOGIN, 5, 2, 3000, INT64_C(1) << 52},
		{TOKEN_LOGIN, -1, 0x80000001, 1001, INT64_MIN},
		{TOKEN_MANAGE, INT64_MIN, 7, 0, 0},
	};
	char text[TOKEN_TEXT_SIZE];
	struct token got;

	(void)state;
	for (size_t i = 0; i < COUNT(tokens); i++) {
		token_sign(key, &tokens[i], text);
		assert_true(strlen(text) < TOKEN_TEXT_SIZE);
		assert_int_equal(strlen(text),
				 strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"));
		assert_true(token_check(key, tokens[i].purpose, text, 1000, &got));
		assert_true(got.purpose == tokens[i].purpose && got.id == tokens[i].id);
		assert_true(got.version == tokens[i].version && got.expires_s == tokens[i].expires_s &&
			    got.card == tokens[i].card);
	}
}

static void refused(const unsigned char *with, enum token_purpose purpose, const char *text, int64_t now_s)
{
	struct token got = {TOKEN_TICKET, 99, 99, 99, 99};

	if (token_check(with, purpose, text, now_s, &got))
		fail_msg("taken: %s", text);
	assert_true(got.purpose == TOKEN_TICKET && got.id == 99 && got.version == 99 && got.expires_s == 99);
}

/* A link that was sent before logins had cards: its text does not change. */
static void a_token_without_a_card_is_as_it_always_was(void **state)
{
	char text[TOKEN_TEXT_SIZE];

	(void)state;
	token_sign(key, &(struct token){.purpose = TOKEN_MANAGE, .id = 7}, text);
	assert_int_equal(strlen(text), (21 + 32 + 2) / 3 * 4 - 1);
}

static void what_is_sealed_comes_back_and_nothing_else_does(void **state)
{
	static const char secret[] = "이름\0 01012345678";
	char text[TOKEN_SEALED_SIZE(sizeof secret)], other[TOKEN_SEALED_SIZE(sizeof secret)], got[64];
	unsigned char stranger[TOKEN_KEY_SIZE] = {1};

	(void)state;
	token_seal(key, secret, sizeof secret, text);
	token_seal(key, secret, sizeof secret, other);
	assert_string_not_equal(text, other); /* not even that two are the same can be seen */
	assert_int_equal(token_unseal(key, text, got, sizeof got), sizeof secret);
	assert_memory_equal(got, secret, sizeof secret);
	assert_int_equal(token_unseal(key, text, got, sizeof secret - 1), 0);
	assert_int_equal(token_unseal(stranger, text, got, sizeof got), 0);
	assert_int_equal(token_unseal(key, "", got, sizeof got), 0);
	for (size_t i = 0; text[i]; i++) {
		char was = text[i];

		text[i] = was == 'A' ? 'B' : 'A';
		assert_int_equal(token_unseal(key, text, got, sizeof got), 0);
		text[i] = '\0';
		assert_int_equal(token_unseal(key, text, got, sizeof got), 0);
		text[i] = was;
	}
}

static void the_number_of_a_card_follows_from_the_texts_and_the_key(void **state)
{
	static const char *const ab_c[] = {"ab", "c"}, *const a_bc[] = {"a", "bc"};
	unsigned char stranger[TOKEN_KEY_SIZE] = {1};
	int64_t card = token_card_of(key, ab_c, 2);

	(void)state;
	assert_int_equal(card, token_card_of(key, ab_c, 2));
	assert_true(card != token_card_of(key, a_bc, 2) && card != token_card_of(stranger, ab_c, 2));
	assert_true(token_new_card() != token_new_card());
	for (int i = 0; i < 1000; i++) {
		card = token_new_card();
		assert_true(card > UINT32_MAX && card < INT64_C(1) << 53);
	}
}

static void no_bit_can_be_flipped(void **state)
{
	char text[TOKEN_TEXT_SIZE];

	(void)state;
	token_sign(key, &login, text);
	for (size_t i = 0; text[i]; i++)
		for (int bit = 0; bit < 8; bit++) {
			char was = text[i];

			text[i] = (char)((unsigned char)was ^ 1u << bit);
			refused(key, TOKEN_LOGIN, text, 1000);
			text[i] = was;
		}
	assert_true(token_check(key, TOKEN_LOGIN, text, 1000, &(struct token){0}));
}

static void no_character_can_be_cut_or_added(void **state)
{
	char text[TOKEN_TEXT_SIZE], other[TOKEN_TEXT_SIZE + 8];

	(void)state;
	token_sign(key, &login, text);
	for (size_t n = 0; n < strlen(text); n++) {
		memcpy(other, text, n);
		other[n] = '\0';
		refused(key, TOKEN_LOGIN, other, 1000);
		strcpy(other + n, text + n + 1);
		refused(key, TOKEN_LOGIN, other, 1000);
	}
	for (const char *extra = "A=. \n0"; *extra; extra++) {
		strcpy(other, text);
		other[strlen(text) + 1] = '\0';
		other[strlen(text)] = *extra;
		refused(key, TOKEN_LOGIN, other, 1000);
		other[0] = *extra;
		strcpy(other + 1, text);
		refused(key, TOKEN_LOGIN, other, 1000);
	}
}

static void a_token_for_one_purpose_is_worth_nothing_for_another(void **state)
{
	static const enum token_purpose all[] = {TOKEN_LOGIN, TOKEN_MANAGE, TOKEN_TICKET};
	char text[TOKEN_TEXT_SIZE];

	(void)state;
	for (size_t i = 0; i < COUNT(all); i++) {
		token_sign(key, &(struct token){.purpose = all[i], .id = 1}, text);
		for (size_t k = 0; k < COUNT(all); k++)
			if (i != k)
				refused(key, all[k], text, 1000);
	}
}

static void a_token_ends_on_its_second(void **state)
{
	char text[TOKEN_TEXT_SIZE];
	struct token got;

	(void)state;
	token_sign(key, &login, text);
	assert_true(token_check(key, TOKEN_LOGIN, text, 1999, &got));
	refused(key, TOKEN_LOGIN, text, 2000);
	refused(key, TOKEN_LOGIN, text, INT64_MAX);
	token_sign(key, &(struct token){.purpose = TOKEN_LOGIN, .expires_s = -1}, text);
	refused(key, TOKEN_LOGIN, text, 1000);
	token_sign(key, &(struct token){.purpose = TOKEN_MANAGE}, text);
	assert_true(token_check(key, TOKEN_MANAGE, text, INT64_MAX, &got));
}

static void another_box_refuses_it(void **state)
{
	unsigned char other[TOKEN_KEY_SIZE];
	char text[TOKEN_TEXT_SIZE];

	(void)state;
	token_sign(key, &login, text);
	for (size_t i = 0; i < TOKEN_KEY_SIZE; i++) {
		memcpy(other, key, sizeof other);
		other[i] ^= 0x80;
		refused(other, TOKEN_LOGIN, text, 1000);
	}
}

static void garbage_is_refused(void **state)
{
	static const char *const bad[] = {"", "=", "A", "Bearer", "null", "....", "한글", "\xFF\xFE", "%00", " "};
	static char vast[100000];
	char zeros[TOKEN_TEXT_SIZE];

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		refused(key, TOKEN_LOGIN, bad[i], 1000);
	memset(vast, 'A', sizeof vast - 1);
	refused(key, TOKEN_LOGIN, vast, 1000);
	for (size_t n = 0; n < sizeof zeros; n++) {
		memset(zeros, 'A', n);
		zeros[n] = '\0';
		refused(key, TOKEN_LOGIN, zeros, 1000);
	}
}

static void random_digits_are_hex_and_differ(void **state)
{
	char a[33], b[33];

	(void)state;
	memset(a, '!', sizeof a);
	token_random_hex(a, 32);
	token_random_hex(b, 32);
	assert_int_equal(strlen(a), 32);
	assert_int_equal(strspn(a, "0123456789abcdef"), 32);
	assert_string_not_equal(a, b);
	token_random_hex(a, 0);
	assert_string_equal(a, "");
	token_random(a, 32);
	token_random(b, 32);
	assert_memory_not_equal(a, b, 32);
}

static void only_the_right_password_opens(void **state)
{
	char hash[TOKEN_HASH_SIZE], again[TOKEN_HASH_SIZE];

	(void)state;
	assert_true(token_hash_password("비밀 secret", hash));
	assert_true(token_hash_password("비밀 secret", again));
	assert_string_not_equal(hash, again);
	assert_memory_equal(hash, "$argon2id$v=19$m=19456,t=2,", 27);
	assert_true(token_password_ok(hash, "비밀 secret"));
	assert_true(token_password_ok(again, "비밀 secret"));
	assert_false(token_password_ok(hash, "비밀 Secret"));
	assert_false(token_password_ok(hash, "비밀 secret "));
	assert_false(token_password_ok(hash, ""));
	assert_false(token_password_ok("", "비밀 secret"));
	assert_false(token_password_ok("not a hash", "비밀 secret"));
	assert_false(token_password_ok(NULL, "비밀 secret"));
	assert_false(token_password_ok(NULL, ""));
}

/* The quickest of a few, so that a busy box does not decide. */
static int64_t quickest_no_us(const char *hash)
{
	int64_t best = INT64_MAX;

	for (int i = 0; i < 5; i++) {
		int64_t begun = clock_mono_us(), took;

		assert_false(token_password_ok(hash, "wrong"));
		took = clock_mono_us() - begun;
		best = took < best ? took : best;
	}
	return best;
}

static void an_unknown_user_takes_as_long_as_a_wrong_password(void **state)
{
	char hash[TOKEN_HASH_SIZE];
	int64_t wrong, unknown;

	(void)state;
	assert_true(token_hash_password("right", hash));
	wrong = quickest_no_us(hash);
	unknown = quickest_no_us(NULL);
	assert_true(unknown > wrong / 3 && unknown < wrong * 3);
}

static void a_code_is_six_digits_of_one_number_card_and_box(void **state)
{
	static const unsigned char one[TOKEN_KEY_SIZE] = {1}, two[TOKEN_KEY_SIZE] = {2};
	char a[TOKEN_CODE_SIZE], b[TOKEN_CODE_SIZE];
	int same = 0;

	(void)state;
	token_code(one, 5, 77, a);
	token_code(one, 5, 77, b);
	assert_string_equal(a, b);
	assert_true(strspn(a, "0123456789") == 6 && !a[6]);
	for (int i = 0; i < 1000; i++) {
		token_code(one, i, 77, a);
		token_code(two, i, 77, b);
		same += token_same_text(a, b);
		token_code(one, i, 78, b);
		same += token_same_text(a, b);
		token_code(one, i + 1000, 77, b);
		same += token_same_text(a, b);
	}
	assert_true(same < 5); /* one in a million, three thousand times */
	assert_true(token_same_text("123456", "123456"));
	assert_false(token_same_text("12345", "123456"));
	assert_false(token_same_text("", "123456"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_token_says_what_was_signed),
		cmocka_unit_test(a_token_without_a_card_is_as_it_always_was),
		cmocka_unit_test(what_is_sealed_comes_back_and_nothing_else_does),
		cmocka_unit_test(the_number_of_a_card_follows_from_the_texts_and_the_key),
		cmocka_unit_test(no_bit_can_be_flipped),
		cmocka_unit_test(no_character_can_be_cut_or_added),
		cmocka_unit_test(a_token_for_one_purpose_is_worth_nothing_for_another),
		cmocka_unit_test(a_token_ends_on_its_second),
		cmocka_unit_test(another_box_refuses_it),
		cmocka_unit_test(garbage_is_refused),
		cmocka_unit_test(random_digits_are_hex_and_differ),
		cmocka_unit_test(only_the_right_password_opens),
		cmocka_unit_test(an_unknown_user_takes_as_long_as_a_wrong_password),
		cmocka_unit_test(a_code_is_six_digits_of_one_number_card_and_box),
	};

	return cmocka_run_group_tests(tests, init, NULL);
}
