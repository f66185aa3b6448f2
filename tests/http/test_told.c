/*
 * test_told.c - JSON that another machine sent.
 */
#include "told.h"

#include "unit.h"

#include <string.h>

static struct told *read_text(const char *text)
{
	return told_read(text, strlen(text));
}

static void values_are_found_by_their_path(void **state)
{
	struct told *t = read_text("{\"a\":{\"b\":[{\"c\":7},{\"c\":8.0,\"d\":\"자리\"}]},\"n\":null,\"x\":1.5,\"t\":true}");
	int64_t n = -1;

	(void)state;
	assert_non_null(t);
	assert_true(told_number(t, "a.b.0.c", &n));
	assert_int_equal(n, 7);
	assert_true(told_number(t, "a.b.1.c", &n));
	assert_int_equal(n, 8);
	assert_string_equal(told_text(t, "a.b.1.d"), "자리");
	assert_string_equal(told_text(told_nth(t, "a.b", 1), "d"), "자리");
	assert_int_equal(told_count(t, "a.b"), 2);
	assert_false(told_number(t, "x", &n) || told_number(t, "t", &n) || told_number(t, "a", &n));
	assert_int_equal(n, 8);
	assert_null(told_at(t, "n"));
	assert_null(told_at(t, "a.b.2"));
	assert_null(told_at(t, "a.b.c"));
	assert_null(told_nth(t, "a", 0));
	assert_string_equal(told_text(t, "n.deeper.still"), "");
	assert_string_equal(told_text(NULL, "a"), "");
	assert_int_equal(told_count(t, "a"), 0);
	told_free(t);
}

static void a_number_that_is_too_large_is_none_of_money(void **state)
{
	struct told *t = read_text("[1e300, -1e300, 9007199254740993.0, 20000.00, 1e400]");
	int64_t n = -1;

	(void)state;
	assert_non_null(t);
	assert_false(told_number(t, "0", &n) || told_number(t, "1", &n) || told_number(t, "2", &n) || told_number(t, "4", &n));
	assert_true(told_number(t, "3", &n));
	assert_int_equal(n, 20000);
	told_free(t);
}

static void what_is_no_json_is_nothing(void **state)
{
	static const char *const texts[] = {
		"", "<html>", "{\"a\":1", "{\"a\":1}x", "{'a':1}", "\"a\"", "7", "{\"a\":\"\\ud800\"}", "{\"a\":NaN}"};
	char deep[200];
	struct told *t;

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		assert_null(read_text(texts[i]));
	memset(deep, '[', sizeof deep);
	assert_null(told_read(deep, sizeof deep));
	memset(deep + TOLD_DEPTH, ']', TOLD_DEPTH);
	t = told_read(deep, 2 * TOLD_DEPTH);
	assert_non_null(t);
	told_free(t);
	assert_null(told_read(NULL, 0));
	told_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_found_by_their_path),
		cmocka_unit_test(a_number_that_is_too_large_is_none_of_money),
		cmocka_unit_test(what_is_no_json_is_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
