/*
 * test_json.c - what is written as JSON reads back.
 */
#include "in.h"
#include "json.h"

#include "unit.h"

#include <string.h>

static void what_is_written_reads_back(void **state)
{
	static const char text[] = "\"자리\" \\ / </script> \xF0\x9F\x98\x80 \xE2\x80\xA8";
	struct json *o = json_new(), *list = json_list(), *item = json_new();
	struct buf b = {0};
	struct in in;
	int64_t n = 0;
	size_t keys = 0;

	(void)state;
	json_int(o, "n", INT64_C(-9007199254740993));
	json_flag(o, "yes", true);
	json_text(o, "t", text);
	json_text_or_null(o, "nothing", "");
	json_text_or_null(o, "something", "x");
	json_text(item, "empty", "");
	json_push(list, item);
	json_push(list, json_new());
	json_put(o, "list", list);
	json_print(o, &b);
	json_free(o);
	assert_true(buf_ok(&b));
	assert_int_equal(in_strict(b.data, b.len, &keys), ERR_OK);
	assert_int_equal(keys, 7);
	assert_non_null(strstr(b.data, "\"n\":-9007199254740993,\"yes\":true,"));
	assert_non_null(strstr(b.data, "\"nothing\":null,\"something\":\"x\",\"list\":[{\"empty\":\"\"},{}]"));
	assert_null(strstr(b.data, "</script>")); /* cannot end a script block */
	in_open(&in, b.data, b.len);
	in_int(&in, "n", IN_REQUIRED, INT64_MIN, INT64_MAX, &n);
	assert_int_equal(in.e, ERR_OK);
	assert_true(n == INT64_C(-9007199254740993));
	in_close(&in);
	buf_free(&b);
}

static void control_characters_are_written_escaped(void **state)
{
	struct json *o = json_new();
	struct buf b = {0};
	size_t keys;

	(void)state;
	json_text(o, "t", "a\n\t\001\037b");
	json_print(o, &b);
	json_free(o);
	assert_int_equal(in_strict(b.data, b.len, &keys), ERR_OK);
	assert_string_equal(b.data, "{\"t\":\"a\\n\\t\\u0001\\u001fb\"}");
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_reads_back),
		cmocka_unit_test(control_characters_are_written_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
