/*
 * test_err.c - every failure has one word, one status and two sentences.
 */
#include "err.h"

#include "schema.h"
#include "text.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static void no_word_repeats(void **state)
{
	(void)state;
	for (int a = 0; a < ERR__MAX; a++)
		for (int b = a + 1; b < ERR__MAX; b++)
			assert_string_not_equal(err_word((enum err)a), err_word((enum err)b));
}

static void every_failure_speaks_both_languages(void **state)
{
	(void)state;
	for (int e = ERR_OK + 1; e < ERR__MAX; e++) {
		const char *ko = err_sentence((enum err)e, LANG_KO), *en = err_sentence((enum err)e, LANG_EN);

		assert_true(text_utf8(ko, strlen(ko)) && !text_has_control(ko));
		assert_true(text_points(ko) < strlen(ko)); /* it is Korean */
		assert_true(text_points(en) == strlen(en) && strlen(en) > 5);
		assert_int_equal(ko[strlen(ko) - 1], '.');
		assert_int_equal(en[strlen(en) - 1], '.');
	}
}

static void every_failure_is_a_client_or_server_error(void **state)
{
	(void)state;
	assert_int_equal(err_status(ERR_OK), 200);
	for (int e = ERR_OK + 1; e < ERR__MAX; e++)
		assert_in_range(err_status((enum err)e), 400, 599);
	assert_int_equal(err_status(ERR_SLOT_FULL), 409);
	assert_int_equal(err_status(ERR_WAITING), 429);
	assert_int_equal(err_status(ERR_LINE_FULL), 503);
}

static void every_word_is_found_at_the_head_of_a_text(void **state)
{
	char text[80];

	(void)state;
	for (int e = ERR_OK + 1; e < ERR__MAX; e++) {
		assert_int_equal(err_from_text(err_word((enum err)e)), e);
		strcpy(text, err_word((enum err)e));
		strcat(text, ": why");
		assert_int_equal(err_from_text(text), e);
	}
	assert_int_equal(err_from_text("SLOT_FULL: x"), ERR_SLOT_FULL);
}

static void a_text_that_only_looks_like_a_word_is_none(void **state)
{
	static const char *const texts[] = {"",
					    "SLOT_FULLX",
					    "SLOT_FULL_: x",
					    "SLOT",
					    "SLOT_",
					    "slot_full: x",
					    " SLOT_FULL",
					    "x SLOT_FULL",
					    ": SLOT_FULL",
					    "OK",
					    "UNIQUE constraint failed"};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		assert_int_equal(err_from_text(texts[i]), ERR_OK);
}

static void every_word_the_book_raises_is_known(void **state)
{
	static const char raise[] = "RAISE(ABORT, '";
	char *text = schema_text();
	int n = 0;

	(void)state;
	for (const char *p = text; (p = strstr(p, raise)); n++) {
		p += sizeof raise - 1;
		if (err_from_text(p) == ERR_OK)
			fail_msg("no such word: %.20s", p);
	}
	assert_true(n > 5);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_word_repeats),
		cmocka_unit_test(every_failure_speaks_both_languages),
		cmocka_unit_test(every_failure_is_a_client_or_server_error),
		cmocka_unit_test(every_word_is_found_at_the_head_of_a_text),
		cmocka_unit_test(a_text_that_only_looks_like_a_word_is_none),
		cmocka_unit_test(every_word_the_book_raises_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
