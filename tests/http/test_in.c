/*
 * test_in.c - JSON is taken by the letter of RFC 8259, fields by exact type.
 */
#include "in.h"
#include "lengths.h"

#include "unit.h"

#define FUZZ_NO_MAIN
#include "fuzz_json.c"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum err open_n(const char *bytes, size_t n)
{
	struct in in;
	char *copy = malloc(n + !n); /* exactly as long, so that the sanitizer sees a look beyond */
	enum err e;

	assert_non_null(copy);
	memcpy(copy, bytes, n);
	in_open(&in, copy, n);
	e = in.e;
	in_close(&in);
	free(copy);
	return e;
}

#define OPEN(literal) open_n(literal, sizeof(literal) - 1)

static void is_refused(const char *bytes, size_t n, enum err expected)
{
	enum err e = open_n(bytes, n);

	if (e != expected)
		fail_msg("%.*s: %s, not %s", (int)n, bytes, err_word(e), err_word(expected));
}

#define REFUSED(literal, e) is_refused(literal, sizeof(literal) - 1, e)

static void what_is_json_is_taken(void **state)
{
	(void)state;
	assert_int_equal(OPEN("{}"), ERR_OK);
	assert_int_equal(OPEN(" \t\r\n{ } \n"), ERR_OK);
	assert_int_equal(OPEN("{\"a\":1,\"b\":[true,false,null,-0,0.5,1e5,1E-5,\"\"],\"c\":{\"a\":{}}}"), ERR_OK);
	assert_int_equal(OPEN("{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\"}"), ERR_OK);
	assert_int_equal(OPEN("{\"이름\":\"자리 \xF0\x9F\x98\x80\"}"), ERR_OK);
	assert_int_equal(OPEN("{\"a\":1e400}"), ERR_OK); /* grammar; no field of ours takes it, see below */
}

static void what_json_c_lets_through_is_refused(void **state)
{
	(void)state;
	REFUSED("{'a':1}", ERR_BAD_JSON);
	REFUSED("{\"a\":'x'}", ERR_BAD_JSON);
	REFUSED("{\"a\":NaN}", ERR_BAD_JSON);
	REFUSED("{\"a\":Infinity}", ERR_BAD_JSON);
	REFUSED("{\"a\":-Infinity}", ERR_BAD_JSON);
	REFUSED("{\"a\":\"x\ny\"}", ERR_BAD_JSON);
	REFUSED("{\"a\":\"x\001y\"}", ERR_BAD_JSON);
	REFUSED("{\"a\":\"x\037y\"}", ERR_BAD_JSON);
	REFUSED("{\"a\ty\":1}", ERR_BAD_JSON);
	REFUSED("{\"a\":\"x\\u0000y\"}", ERR_BAD_JSON);
	REFUSED("{\"a\\u0000b\":1}", ERR_BAD_JSON);
	REFUSED("{}\0", ERR_BAD_TEXT);
	REFUSED("{\"a\":\"x\0y\"}", ERR_BAD_TEXT);
	REFUSED("\0{}", ERR_BAD_TEXT);
	REFUSED("\"x\"", ERR_BAD_JSON);
	REFUSED("12", ERR_BAD_JSON);
	REFUSED("null", ERR_BAD_JSON);
	REFUSED("true", ERR_BAD_JSON);
	REFUSED("[]", ERR_BAD_JSON);
}

static void broken_utf8_is_refused(void **state)
{
	(void)state;
	REFUSED("{\"a\":\"\xC0\xAF\"}", ERR_BAD_TEXT); /* overlong */
	REFUSED("{\"a\":\"\xE0\x80\xAF\"}", ERR_BAD_TEXT);
	REFUSED("{\"a\":\"\xED\xA0\x80\"}", ERR_BAD_TEXT);     /* half a surrogate pair */
	REFUSED("{\"a\":\"\xF5\x80\x80\x80\"}", ERR_BAD_TEXT); /* beyond U+10FFFF */
	REFUSED("{\"a\":\"\xF4\x90\x80\x80\"}", ERR_BAD_TEXT);
	REFUSED("{\"a\":\"\xFF\xFE\"}", ERR_BAD_TEXT);
	REFUSED("{\"a\":\"\x80\"}", ERR_BAD_TEXT);
	REFUSED("{\"a\":\"\xEC\x9E\"}", ERR_BAD_TEXT); /* cut */
	REFUSED("{\"\xC0\xAF\":1}", ERR_BAD_TEXT);
	REFUSED("{\"a\":\"\\ud800x\"}", ERR_BAD_JSON);
	REFUSED("{\"a\":\"\\ud800\\ud800\"}", ERR_BAD_JSON);
	REFUSED("{\"a\":\"\\udc00\"}", ERR_BAD_JSON);
	REFUSED("{\"a\":\"\\ud800\"}", ERR_BAD_JSON);
	REFUSED("\xEF\xBB\xBF{}", ERR_BAD_JSON); /* a byte order mark */
}

static void broken_grammar_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		" ",
		"{",
		"}",
		"{\"a\"}",
		"{\"a\":}",
		"{\"a\":1,}",
		"{,}",
		"{\"a\":1 \"b\":2}",
		"{a:1}",
		"{1:1}",
		"{} x",
		"{}{}",
		"{\"a\":[1,2,]}",
		"{\"a\":[,1]}",
		"{\"a\":[1 2]}",
		"{\"a\":[}",
		"{\"a\":1/*x*/}",
		"{\"a\":1}//x",
		"{\"a\":012}",
		"{\"a\":+1}",
		"{\"a\":.5}",
		"{\"a\":1.}",
		"{\"a\":1e}",
		"{\"a\":1e+}",
		"{\"a\":-}",
		"{\"a\":--1}",
		"{\"a\":0x10}",
		"{\"a\":1_0}",
		"{\"a\":TRUE}",
		"{\"a\":True}",
		"{\"a\":nul}",
		"{\"a\":nullx}",
		"{\"a\":undefined}",
		"{\"a\":\"\\x41\"}",
		"{\"a\":\"\\'\"}",
		"{\"a\":\"\\u12\"}",
		"{\"a\":\"\\u12G4\"}",
		"{\"a\":\"\\\"}",
		"{\"a\":\"x}",
		"{\"a\":\"\\",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		is_refused(bad[i], strlen(bad[i]), ERR_BAD_JSON);
}

/* Every beginning of a good body is a bad one. */
static void a_truncated_body_is_refused(void **state)
{
	static const char whole[] = "{\"name\":\"\xEC\x9E\x90\xEB\xA6\xAC\\u00e9\",\"n\":[1,-2.5e3,true],\"o\":{\"k\":null}}";

	(void)state;
	assert_int_equal(OPEN(whole), ERR_OK);
	for (size_t n = 0; n < sizeof whole - 1; n++)
		assert_int_not_equal(open_n(whole, n), ERR_OK);
}

static void a_key_that_comes_twice_is_refused(void **state)
{
	(void)state;
	REFUSED("{\"a\":1,\"a\":2}", ERR_DUPLICATE_KEY);
	REFUSED("{\"a\":1,\"b\":2,\"a\":1}", ERR_DUPLICATE_KEY);
	REFUSED("{\"a\":1,\"\\u0061\":2}", ERR_DUPLICATE_KEY);
	REFUSED("{\"\\u00e9\":1,\"\xC3\xA9\":2}", ERR_DUPLICATE_KEY);
	REFUSED("{\"x\":{\"a\":1,\"a\":2}}", ERR_DUPLICATE_KEY);
	REFUSED("{\"x\":[{\"a\":1},{\"a\":1,\"a\":2}]}", ERR_DUPLICATE_KEY);
	REFUSED("{\"\":1,\"\":2}", ERR_DUPLICATE_KEY);
	assert_int_equal(OPEN("{\"a\":{\"a\":{\"a\":1}},\"b\":[{\"a\":1},{\"a\":1}]}"), ERR_OK);
}

static enum err nested(int depth, bool objects)
{
	char text[400] = "{\"a\":";
	int levels = depth - 1;

	for (int i = 0; i < levels; i++)
		strcat(text, objects && i < levels - 1 ? "{\"a\":" : "[");
	for (int i = levels; i-- > 0;)
		strcat(text, objects && i < levels - 1 ? "}" : "]");
	strcat(text, "}");
	return open_n(text, strlen(text));
}

static void eight_levels_are_taken_and_nine_are_not(void **state)
{
	char deep[70000];

	(void)state;
	assert_int_equal(IN_DEPTH, 8);
	assert_int_equal(nested(8, false), ERR_OK);
	assert_int_equal(nested(8, true), ERR_OK);
	assert_int_equal(nested(9, false), ERR_BAD_JSON);
	assert_int_equal(nested(9, true), ERR_BAD_JSON);
	memset(deep, '[', sizeof deep); /* no stack is used up by it */
	is_refused(deep, sizeof deep, ERR_BAD_JSON);
}

/* ---- fields ---- */

static struct in opened(const char *text)
{
	struct in in;

	in_open(&in, text, strlen(text));
	assert_int_equal(in.e, ERR_OK);
	return in;
}

/* in_int on {"n": value}; *out is what it gave, or -99. */
static enum err take_int(const char *value, int64_t min, int64_t max, int64_t *out)
{
	char text[200];
	struct in in;
	enum err e;

	snprintf(text, sizeof text, "{\"n\":%s}", value);
	in = opened(text);
	*out = -99;
	in_int(&in, "n", IN_REQUIRED, min, max, out);
	e = in.e;
	if (e != ERR_OK)
		assert_string_equal(in.field, "n");
	in_close(&in);
	return e;
}

static void a_number_is_a_whole_number_in_range(void **state)
{
	static const char *const wrong_type[] = {"2.0",       "2.9",  "1e2", "1e400", "\"12\"",
						 "\"12abc\"", "true", "[]",  "{}",    "\"\""};
	static const char *const out_of_range[] = {
		"0",
		"13",
		"-1",
		"2147483648",
		"9223372036854775807",
		"9223372036854775808",
		"-9223372036854775808",
		"-9223372036854775809",
		"18446744073709551615",
		"99999999999999999999999",
		"-99999999999999999999999",
	};
	int64_t n;

	(void)state;
	for (size_t i = 0; i < COUNT(wrong_type); i++) {
		assert_int_equal(take_int(wrong_type[i], 1, 12, &n), ERR_WRONG_TYPE);
		assert_int_equal(n, -99);
	}
	for (size_t i = 0; i < COUNT(out_of_range); i++) {
		assert_int_equal(take_int(out_of_range[i], 1, 12, &n), ERR_OUT_OF_RANGE);
		assert_int_equal(n, -99);
	}
	assert_int_equal(take_int("1", 1, 12, &n), ERR_OK);
	assert_int_equal(n, 1);
	assert_int_equal(take_int("12", 1, 12, &n), ERR_OK);
	assert_int_equal(n, 12);
	/* A number too large for 64 bits is out of the widest range, not the range's end. */
	assert_int_equal(take_int("99999999999999999999999", INT64_MIN, INT64_MAX, &n), ERR_OUT_OF_RANGE);
	assert_int_equal(take_int("-99999999999999999999999", INT64_MIN, INT64_MAX, &n), ERR_OUT_OF_RANGE);
}

static enum err take_text(const char *json_value, size_t max_points, char *out, size_t size)
{
	char text[3000];
	struct in in;
	enum err e;

	snprintf(text, sizeof text, "{\"t\":%s}", json_value);
	in = opened(text);
	in_text(&in, "t", IN_REQUIRED, max_points, out, size);
	e = in.e;
	in_close(&in);
	return e;
}

static void a_text_is_measured_in_code_points_and_in_bytes(void **state)
{
	char fifty[200] = "\"", more[220], out[151];

	(void)state;
	for (int i = 0; i < 50; i++)
		strcat(fifty, "자");
	snprintf(more, sizeof more, "%s리\"", fifty);
	strcat(fifty, "\"");
	assert_int_equal(take_text(fifty, 50, out, sizeof out), ERR_OK);
	assert_int_equal(strlen(out), 150);
	assert_int_equal(take_text(more, 50, out, sizeof out), ERR_TOO_LONG);
	assert_string_equal(out, "");
	assert_int_equal(take_text(fifty, 50, out, 150), ERR_TOO_LONG); /* no room for its NUL */
	assert_int_equal(take_text("\"\\ud83d\\ude00\\ud83d\\ude00\"", 2, out, sizeof out), ERR_OK);
	assert_int_equal(strlen(out), 8);
}

/* However many bytes a letter has: nothing on the way is shorter than what a field may have. */
static void a_limit_holds_for_letters_of_four_bytes(void **state)
{
	char text[2 + 4 * 501 + 1] = "\"", out[LENGTHS_SIZE(500)];

	(void)state;
	for (int i = 0; i < 500; i++)
		strcat(text, "🍜");
	strcat(text, "\"");
	assert_int_equal(take_text(text, 500, out, sizeof out), ERR_OK);
	assert_int_equal(strlen(out), 2000);
	assert_int_equal(take_text(text, 499, out, sizeof out), ERR_TOO_LONG);
}

static void lines_are_kept_and_other_controls_refused(void **state)
{
	static const struct {
		const char *given, *kept;
	} rows[] = {
		{"a\\nb", "a\nb"},      {"a\\r\\nb", "a\nb"}, {"a\\rb", "a\nb"},   {"\\r\\n a\\n\\nb \\n", "a\n\nb"},
		{"a\\tb", NULL},        {"a\\u000bb", NULL},  {"a\\u2028b", NULL}, {"a\\u001b[31mb", NULL},
		{"a\\n\\u202eb", NULL},
	};
	char text[80], out[40];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct in in;

		snprintf(text, sizeof text, "{\"t\":\"%s\"}", rows[i].given);
		in = opened(text);
		in_lines(&in, "t", IN_REQUIRED, 9, out, sizeof out);
		assert_int_equal(in.e, rows[i].kept ? ERR_OK : ERR_BAD_TEXT);
		assert_string_equal(out, rows[i].kept ? rows[i].kept : "");
		in_close(&in);
	}
}

static void blanks_at_the_ends_are_cut(void **state)
{
	char out[40];

	(void)state;
	assert_int_equal(take_text("\"  a b  \"", 3, out, sizeof out), ERR_OK);
	assert_string_equal(out, "a b");
	assert_int_equal(take_text("\"\xE3\x80\x80자\xE3\x80\x80\"", 1, out, sizeof out), ERR_OK);
	assert_string_equal(out, "자");
	assert_int_equal(take_text("\"   \"", 10, out, sizeof out), ERR_MISSING_FIELD);
	assert_int_equal(take_text("\"\"", 10, out, sizeof out), ERR_MISSING_FIELD);
}

static void a_text_has_no_control_characters_however_written(void **state)
{
	static const char *const bad[] = {"\"a\\nb\"",     "\"a\\tb\"",     "\"a\\u0001b\"", "\"a\\u007fb\"",
					  "\"a\\u0085b\"", "\"a\\u2028b\"", "\"a\\u202eb\"", "\"\\r\\nBcc: x\""};
	char out[40];

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_int_equal(take_text(bad[i], 20, out, sizeof out), ERR_BAD_TEXT);
}

static void a_text_is_a_string_and_nothing_else(void **state)
{
	static const char *const bad[] = {"1", "true", "[]", "{}", "[\"a\"]", "1.5"};
	char out[40];

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_int_equal(take_text(bad[i], 20, out, sizeof out), ERR_WRONG_TYPE);
}

static void null_is_absent(void **state)
{
	struct in in = opened("{\"a\":null,\"b\":null,\"c\":1}");
	char out[10] = "before";
	int64_t n = 7;

	(void)state;
	in_text(&in, "a", IN_OPTIONAL, 5, out, sizeof out);
	in_int(&in, "b", IN_OPTIONAL, 0, 9, &n);
	in_int(&in, "none", IN_OPTIONAL, 0, 9, &n);
	assert_int_equal(in.e, ERR_OK);
	assert_string_equal(out, "");
	assert_int_equal(n, 7);
	assert_false(in_has(&in, "a"));
	assert_false(in_has(&in, "none"));
	assert_true(in_has(&in, "c"));
	in_text(&in, "a", IN_REQUIRED, 5, out, sizeof out);
	assert_int_equal(in.e, ERR_MISSING_FIELD);
	assert_string_equal(in.field, "a");
	in_close(&in);
}

static void the_first_failure_is_the_one_that_is_told(void **state)
{
	struct in in = opened("{\"a\":1,\"b\":\"x\"}");
	int64_t n = 0;
	char out[10];

	(void)state;
	in_int(&in, "b", IN_REQUIRED, 0, 9, &n);
	in_text(&in, "a", IN_REQUIRED, 5, out, sizeof out);
	in_int(&in, "a", IN_REQUIRED, 0, 9, &n);
	in_fail(&in, ERR_PAST, "c");
	assert_int_equal(in.e, ERR_WRONG_TYPE);
	assert_string_equal(in.field, "b");
	assert_int_equal(n, 0); /* after a failure nothing is taken any more */
	in_close(&in);
	in_open(&in, "nonsense", 8); /* and a body that did not open gives failures, not crashes */
	in_only(&in, "a", NULL);
	in_text(&in, "a", IN_REQUIRED, 5, out, sizeof out);
	assert_false(in_has(&in, "a"));
	assert_int_equal(in.e, ERR_BAD_JSON);
	in_close(&in);
	in_open(&in, NULL, 0);
	assert_int_equal(in.e, ERR_BAD_JSON);
	in_close(&in);
}

static void an_unknown_key_is_refused_by_name(void **state)
{
	struct in in = opened("{\"a\":1,\"surprise\":2}");
	char text[100];

	(void)state;
	in_only(&in, "a", "b", NULL);
	assert_int_equal(in.e, ERR_UNKNOWN_FIELD);
	assert_string_equal(in.field, "surprise");
	in_close(&in);
	in = opened("{\"a\":1}");
	in_only(&in, "a", "b", NULL);
	assert_int_equal(in.e, ERR_OK);
	in_close(&in);
	snprintf(text, sizeof text, "{\"%060d\":1}", 0);
	in = opened(text);
	in_only(&in, "a", NULL);
	assert_int_equal(in.e, ERR_UNKNOWN_FIELD);
	assert_string_equal(in.field, ""); /* a long one is not thrown back */
	in_close(&in);
}

/* ---- what fuzzing has seen ---- */

static void the_corpus_passes(void **state)
{
	glob_t g;

	(void)state;
	assert_int_equal(glob("tests/fuzz/corpus/json/*", 0, NULL, &g), 0); /* tests run from the root of the tree */
	assert_true(g.gl_pathc >= 20);
	for (size_t i = 0; i < g.gl_pathc; i++)
		assert_int_equal(replay(g.gl_pathv[i]), 0);
	globfree(&g);
}

/* Each file of the corpus with every byte changed in turn: nothing crashes, nothing lax gets through. */
static void the_corpus_passes_with_any_byte_changed(void **state)
{
	static const char others[] = {'\0', '"', '\\', '{', '}', ',', '0', (char)0xC0, (char)0xFF, '\n'};
	glob_t g;

	(void)state;
	assert_int_equal(glob("tests/fuzz/corpus/json/*", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		uint8_t bytes[300];
		FILE *f = fopen(g.gl_pathv[i], "r");
		size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0;

		if (f)
			fclose(f);
		for (size_t at = 0; at < n; at++) {
			uint8_t old = bytes[at];

			for (size_t k = 0; k < sizeof others; k++) {
				bytes[at] = (uint8_t)others[k];
				LLVMFuzzerTestOneInput(bytes, n);
			}
			bytes[at] = old;
		}
	}
	globfree(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_json_is_taken),
		cmocka_unit_test(what_json_c_lets_through_is_refused),
		cmocka_unit_test(broken_utf8_is_refused),
		cmocka_unit_test(broken_grammar_is_refused),
		cmocka_unit_test(a_truncated_body_is_refused),
		cmocka_unit_test(a_key_that_comes_twice_is_refused),
		cmocka_unit_test(eight_levels_are_taken_and_nine_are_not),
		cmocka_unit_test(a_number_is_a_whole_number_in_range),
		cmocka_unit_test(a_text_is_measured_in_code_points_and_in_bytes),
		cmocka_unit_test(a_limit_holds_for_letters_of_four_bytes),
		cmocka_unit_test(lines_are_kept_and_other_controls_refused),
		cmocka_unit_test(blanks_at_the_ends_are_cut),
		cmocka_unit_test(a_text_has_no_control_characters_however_written),
		cmocka_unit_test(a_text_is_a_string_and_nothing_else),
		cmocka_unit_test(null_is_absent),
		cmocka_unit_test(the_first_failure_is_the_one_that_is_told),
		cmocka_unit_test(an_unknown_key_is_refused_by_name),
		cmocka_unit_test(the_corpus_passes),
		cmocka_unit_test(the_corpus_passes_with_any_byte_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
