/*
 * test_code.c - reservation codes: what the ear and the finger get wrong is noticed, and how it is typed does not matter.
 */
#include "code.h"

#include "token.h"
#include "unit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ours[] = "34679CFHJKMPRTWXY";

static int init(void **state)
{
	(void)state;
	return token_init() ? 0 : -1;
}

static bool mistyped(const char *text)
{
	struct code_typed t;

	code_read(text, &t);
	return t.mistyped;
}

static void a_code_is_two_groups_of_four_that_cannot_be_misread(void **state)
{
	struct code_pool pool = {0};
	char code[CODE_SIZE];

	(void)state;
	for (int i = 0; i < 1000; i++) {
		code_make(&pool, code);
		assert_int_equal(strlen(code), 9);
		assert_int_equal(code[4], '-');
		assert_int_equal(strspn(code, ours), 4);
		assert_int_equal(strspn(code + 5, ours), 4);
		assert_false(mistyped(code));
	}
	for (const char *p = "01258ABDEGILNOQSUVZ"; *p; p++)
		assert_null(strchr(ours, *p));
}

static void every_wrong_character_is_caught(void **state)
{
	struct code_pool pool = {0};
	char code[CODE_SIZE], wrong[CODE_SIZE];
	int tried = 0;

	(void)state;
	for (int i = 0; i < 500; i++) {
		code_make(&pool, code);
		for (int at = 0; at < 9; at++)
			for (int c = '0'; c <= 'Z' && at != 4; c++) {
				if (!isalnum(c) || c == code[at])
					continue;
				memcpy(wrong, code, sizeof wrong);
				wrong[at] = (char)c;
				assert_true(mistyped(wrong));
				tried++;
			}
	}
	assert_int_equal(tried, 500 * 8 * 35);
}

static void every_two_that_changed_places_are_caught(void **state)
{
	struct code_pool pool = {0};
	char code[CODE_SIZE], wrong[CODE_SIZE];

	(void)state;
	for (int i = 0; i < 500; i++) {
		code_make(&pool, code);
		for (int a = 0; a < 9; a++)
			for (int b = a + 1; b < 9; b++) {
				if (a == 4 || b == 4 || code[a] == code[b])
					continue;
				memcpy(wrong, code, sizeof wrong);
				wrong[a] = code[b];
				wrong[b] = code[a];
				assert_true(mistyped(wrong));
			}
	}
}

static void case_blanks_hyphens_and_width_do_not_matter(void **state)
{
	static const char *const same[] = {"4kxr-7mtf",
					   " 4 K X R 7 M T F ",
					   "4kxr7mtf",
					   "4KXR\xe2\x80\x93"
					   "7MTF",
					   "４ＫＸＲ－７ＭＴＦ",
					   "４ｋｘｒ　７ｍｔｆ",
					   "4KXR \xe2\x88\x92 7MTF",
					   "\xef\xbb\xbf"
					   "4KXR\xc2\xa0"
					   "7MTF"};
	struct code_typed t;

	(void)state;
	for (size_t i = 0; i < COUNT(same); i++) {
		code_read(same[i], &t);
		assert_string_equal(t.plain, "4KXR7MTF");
		assert_string_equal(t.grouped, "4KXR-7MTF");
	}
	assert_false(t.mistyped);
	code_read("r20260120-0009", &t);
	assert_string_equal(t.plain, "R202601200009");
	assert_string_equal(t.grouped, "");
}

static void codes_of_others_and_names_are_not_called_mistyped(void **state)
{
	static const char *const others[] = {
		"R20260120-0009", "R20260120-0009-a1b2c3", "PHONE-1", "SAME",      "Jonathan", "김민지",       "",
		"박서연 예약",    "01012345678",           "A",       "B-2026-17", "RESERVED", "\xff\xfe\xfd", "12345678"};

	(void)state;
	for (size_t i = 0; i < COUNT(others); i++)
		assert_false(mistyped(others[i]));
}

static void a_long_text_is_cut_and_breaks_nothing(void **state)
{
	char text[1000];
	struct code_typed t;

	(void)state;
	for (size_t i = 0; i + 3 < sizeof text; i += 3)
		memcpy(text + i, "\xea\xb0\x80", 4); /* 가 */
	code_read(text, &t);
	assert_in_range(strlen(t.plain), 150, CODE_TYPED_SIZE - 1);
	memset(text, 0xf0, sizeof text - 1);
	text[sizeof text - 1] = '\0';
	code_read(text, &t);
	assert_in_range(strlen(t.plain), 150, CODE_TYPED_SIZE - 1);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/*
 * Among 20,000 codes of transactions of 31 four pairs or so are equal, most of them of one transaction; and at each place every
 * character comes as often as the others.  At the first three it is drawn once a transaction, so it varies more: both bounds
 * are six deviations wide.
 */
static void codes_are_random_and_even(void **state)
{
	enum { N = 20000 };
	struct code_pool pool = {0};
	static char made[N][CODE_SIZE];
	int seen[9][128] = {{0}}, twice = 0;

	(void)state;
	for (int i = 0; i < N; i++) {
		if (i % 31 == 0)
			code_begin(&pool);
		code_make(&pool, made[i]);
		for (int at = 0; at < 9; at++)
			seen[at][(unsigned char)made[i][at]]++;
	}
	qsort(made, N, sizeof made[0], by_text);
	for (int i = 1; i < N; i++)
		twice += strcmp(made[i - 1], made[i]) == 0;
	assert_in_range(twice, 0, 20);
	for (int at = 0; at < 9; at++)
		for (const char *p = ours; *p && at != 4; p++)
			assert_in_range(seen[at][(unsigned char)*p], N / 17 - (at < 3 ? 1150 : 300),
					N / 17 + (at < 3 ? 1150 : 300));
}

/* A batch of bookings then changes a page or two of the index of codes.  An import is one transaction of any size, and there
 * are only 83,521 codes that begin alike. */
static void codes_of_one_transaction_begin_alike(void **state)
{
	struct code_pool pool = {0};
	char first[CODE_SIZE], code[CODE_SIZE];
	int alike = 0;

	(void)state;
	code_make(&pool, first);
	for (int i = 1; i < CODE_ALIKE; i++) {
		code_make(&pool, code);
		assert_memory_equal(code, first, 3);
	}
	for (int i = 0; i < 10; i++) {
		code_make(&pool, code);
		alike += memcmp(code, first, 3) == 0;
		if (i > 0)
			code_begin(&pool);
	}
	assert_in_range(alike, 0, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_code_is_two_groups_of_four_that_cannot_be_misread),
		cmocka_unit_test(every_wrong_character_is_caught),
		cmocka_unit_test(every_two_that_changed_places_are_caught),
		cmocka_unit_test(case_blanks_hyphens_and_width_do_not_matter),
		cmocka_unit_test(codes_of_others_and_names_are_not_called_mistyped),
		cmocka_unit_test(a_long_text_is_cut_and_breaks_nothing),
		cmocka_unit_test(codes_are_random_and_even),
		cmocka_unit_test(codes_of_one_transaction_begin_alike),
	};

	return cmocka_run_group_tests(tests, init, NULL);
}
