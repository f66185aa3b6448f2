/*
 * test_buf.c - a growing string keeps every byte and remembers that it failed.
 */
#include "buf.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

static void appended_parts_stand_in_order(void **state)
{
	struct buf b = {0};

	(void)state;
	buf_str(&b, "{");
	buf_add(&b, "abcdef", 3);
	buf_str(&b, "");
	buf_fmt(&b, "%d%%%s", 42, "}");
	assert_true(buf_ok(&b));
	assert_string_equal(b.data, "{abc42%}");
	assert_int_equal(b.len, 8);
	buf_free(&b);
	assert_null(b.data);
}

static void bytes_may_be_nul(void **state)
{
	struct buf b = {0};

	(void)state;
	buf_add(&b, "a\0b", 3);
	buf_str(&b, "c");
	assert_int_equal(b.len, 4);
	assert_memory_equal(b.data, "a\0bc", 5);
	buf_free(&b);
}

/* Every length meets every edge of the doubling at least once, by both ways of appending. */
static void growth_loses_nothing_at_any_length(void **state)
{
	char want[1300];

	(void)state;
	memset(want, 'x', sizeof want);
	for (int n = 0; n < (int)sizeof want; n++) {
		struct buf added = {0}, formatted = {0};

		buf_add(&added, want, (size_t)n);
		buf_str(&added, "!");
		buf_fmt(&formatted, "%.*s", n, want);
		buf_fmt(&formatted, "%c", '!');
		assert_int_equal(added.len, n + 1);
		assert_int_equal(strlen(added.data), n + 1);
		assert_string_equal(added.data, formatted.data);
		assert_int_equal(added.len, formatted.len);
		buf_free(&added);
		buf_free(&formatted);
	}
}

static void nothing_appended_is_still_a_text(void **state)
{
	struct buf b = {0};

	(void)state;
	buf_add(&b, NULL, 0);
	assert_true(buf_ok(&b));
	assert_string_equal(b.data, "");
	buf_free(&b);
}

static void failure_is_sticky_and_keeps_what_was_there(void **state)
{
	struct buf b = {0};

	(void)state;
	buf_str(&b, "kept");
	buf_add(&b, "x", SIZE_MAX / 2);
	assert_false(buf_ok(&b));
	buf_str(&b, "more");
	buf_fmt(&b, "%d", 1);
	assert_false(buf_ok(&b));
	assert_string_equal(b.data, "kept");
	assert_int_equal(b.len, 4);
	buf_free(&b);
}

static void absurd_lengths_do_not_wrap_around(void **state)
{
	static const size_t lengths[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 4, SIZE_MAX / 2 + 1, SIZE_MAX / 4};

	(void)state;
	for (size_t i = 0; i < COUNT(lengths); i++) {
		struct buf b = {0};

		buf_str(&b, "1234");
		buf_add(&b, "x", lengths[i]);
		assert_false(buf_ok(&b));
		assert_int_equal(b.len, 4);
		buf_free(&b);
	}
}

static void clearing_forgets_text_and_failure_and_keeps_the_memory(void **state)
{
	struct buf b = {0};
	const char *memory;

	(void)state;
	buf_clear(&b);
	buf_str(&b, "old");
	memory = b.data;
	buf_add(&b, "x", SIZE_MAX);
	buf_clear(&b);
	assert_true(buf_ok(&b));
	assert_string_equal(b.data, "");
	buf_str(&b, "new");
	assert_ptr_equal(b.data, memory);
	assert_string_equal(b.data, "new");
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(appended_parts_stand_in_order),
		cmocka_unit_test(bytes_may_be_nul),
		cmocka_unit_test(growth_loses_nothing_at_any_length),
		cmocka_unit_test(nothing_appended_is_still_a_text),
		cmocka_unit_test(failure_is_sticky_and_keeps_what_was_there),
		cmocka_unit_test(absurd_lengths_do_not_wrap_around),
		cmocka_unit_test(clearing_forgets_text_and_failure_and_keeps_the_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
