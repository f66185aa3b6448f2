/*
 * test_text.c - the parsers take all of a text or nothing of it.
 */
#include "text.h"

#include "unit.h"

#include <string.h>
#include <time.h>

static void whole_numbers_are_taken_up_to_their_limits(void **state)
{
	static const struct {
		const char *text;
		int64_t value;
	} good[] = {
		{"0", 0},
		{"7", 7},
		{"-1", -1},
		{"1000", 1000},
		{"9223372036854775807", INT64_MAX},
		{"-9223372036854775807", -INT64_MAX},
		{"-9223372036854775808", INT64_MIN},
	};
	int64_t value;

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		value = 99;
		assert_true(text_int(good[i].text, INT64_MIN, INT64_MAX, &value));
		assert_true(value == good[i].value);
	}
}

static void anything_but_a_plain_number_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"-",
		"+",
		"+1",
		" 1",
		"1 ",
		"12abc",
		"abc",
		"1.0",
		"1e3",
		"0x10",
		"00",
		"01",
		"-0",
		"-01",
		"--1",
		"1-",
		"\t1",
		"1\n",
		"9223372036854775808",
		"-9223372036854775809",
		"18446744073709551616",
		"99999999999999999999999",
		"\xEF\xBC\x91", /* a wide 1 */
	};
	int64_t value = 99;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		if (text_int(bad[i], INT64_MIN, INT64_MAX, &value))
			fail_msg("taken: %s", bad[i]);
		assert_int_equal(value, 99);
	}
}

static void a_number_out_of_range_leaves_the_result_alone(void **state)
{
	int64_t value = 99;

	(void)state;
	assert_true(text_int("1", 1, 12, &value));
	assert_true(text_int("12", 1, 12, &value));
	assert_false(text_int("0", 1, 12, &value));
	assert_false(text_int("13", 1, 12, &value));
	assert_false(text_int("-5", 1, 12, &value));
	assert_int_equal(value, 12);
}

static void days_that_exist_are_dates(void **state)
{
	static const char *const good[] = {"1970-01-01", "2024-02-29", "2000-02-29", "2026-12-31", "9999-12-31"};
	char again[TEXT_DATE_SIZE];
	struct date d;

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		assert_true(text_date(good[i], &d));
		text_put_date(d, again);
		assert_string_equal(again, good[i]);
	}
}

static void days_that_do_not_exist_are_refused(void **state)
{
	static const char *const bad[] = {
		"",           "2026-02-30", "2026-02-29",  "2100-02-29",  "2026-04-31",    "2026-00-10",       "2026-13-01",
		"2026-01-00", "2026-01-32", "1969-12-31",  "0000-01-01",  "2026-1-20",     "2026-01-2",        "26-01-20",
		"2026/01/20", "20260120",   "2026-01-20 ", " 2026-01-20", "2026-01-20x",   "2026-01-20T00:00", "-026-01-20",
		"2026-+1-20", "2026- 1-20", "2026-01--1",  "10000-01-01", "2026-01-2\xEF",
	};
	struct date d = {1, 2, 3};

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		if (text_date(bad[i], &d))
			fail_msg("taken: %s", bad[i]);
	assert_true(d.year == 1 && d.month == 2 && d.day == 3);
}

static void every_minute_of_the_day_and_of_the_night_after_is_a_time(void **state)
{
	char text[16];
	int minute;

	(void)state;
	for (int m = 0; m < NIGHT_MINUTES; m++) {
		text_put_time(m, text);
		assert_true(text_time(text, &minute));
		assert_int_equal(minute, m);
		strcat(text, ":00");
		assert_true(text_time(text, &minute));
		assert_int_equal(minute, m);
	}
	text_put_time(DAY_MINUTES - 1, text);
	assert_string_equal(text, "23:59");
	text_put_time(NIGHT_MINUTES - 1, text);
	assert_string_equal(text, "29:59");
}

static void times_that_no_clock_shows_are_refused(void **state)
{
	static const char *const bad[] = {
		"",       "30:00",     "30:00:00", "30:01", "31:00",  "23:60",       "23:59:01", "11:00:60", "11:00:0",
		"11:00:", "11:00:000", "1:00",     "11:0",  "1100",   "11-00",       "11:00 ",   " 11:00",   "+1:00",
		"-1:00",  "11:-1",     "11:+1",    "aa:bb", "11:00Z", "11:00+09:00", "99:99",
	};
	int minute = 99;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		if (text_time(bad[i], &minute))
			fail_msg("taken: %s", bad[i]);
	assert_int_equal(minute, 99);
}

static void a_closing_time_may_be_midnight_or_up_to_six_in_the_morning(void **state)
{
	static const char *const bad[] = {"30:01", "31:00", "24:00:00", "11:60", "", "24:0"};
	int minute;

	(void)state;
	assert_true(text_closing("24:00", &minute));
	assert_int_equal(minute, DAY_MINUTES);
	assert_true(text_closing("30:00", &minute));
	assert_int_equal(minute, NIGHT_MINUTES);
	assert_true(text_closing("00:00", &minute));
	assert_int_equal(minute, 0);
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_false(text_closing(bad[i], &minute));
	assert_int_equal(minute, 0);
}

/* 1970 to 2500, which has centuries that leap and centuries that do not. */
static void days_agree_with_the_c_library(void **state)
{
	(void)state;
	for (int64_t days = 0; days < 193600; days++) {
		time_t t = (time_t)days * 86400;
		struct date d = text_from_days(days);
		struct tm tm;

		gmtime_r(&t, &tm);
		assert_true(d.year == tm.tm_year + 1900 && d.month == tm.tm_mon + 1 && d.day == tm.tm_mday);
		assert_true(text_days(d) == days);
		assert_true(text_weekday(d) == (tm.tm_wday ? tm.tm_wday : 7));
	}
}

static void days_agree_with_the_c_library_to_the_last_year(void **state)
{
	(void)state;
	for (int year = 1970; year <= 9999; year++)
		for (int month = 1; month <= 12; month++) {
			struct tm tm = {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = 28};
			struct date d = {year, month, 28}, again;

			assert_true(text_days(d) == timegm(&tm) / 86400);
			again = text_from_days(text_days(d));
			assert_true(again.year == year && again.month == month && again.day == 28);
		}
}

/* Encodes without asking whether it may. */
static size_t encode(uint32_t c, char out[5])
{
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	out[n] = '\0';
	for (size_t i = n; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3F));
	out[0] = (char)(n == 1 ? c : (0xF00u >> n & 0xF0) | c);
	return n;
}

static void every_code_point_but_the_surrogates_is_utf8(void **state)
{
	char bytes[5];

	(void)state;
	for (uint32_t c = 0; c < 0x110000; c++) {
		size_t n = encode(c, bytes);
		bool surrogate = c >= 0xD800 && c <= 0xDFFF;

		assert_true(text_utf8(bytes, n) == !surrogate);
		if (n > 1)
			assert_false(text_utf8(bytes, n - 1));
	}
}

static void broken_utf8_is_refused(void **state)
{
	static const char *const bad[] = {
		"\x80",
		"\xBF",
		"a\x80",
		"\xC2",
		"\xC2g",
		"\xC2\xC2\xA0",
		"\xE3\x80",
		"\xE3\x80g",
		"\xF0\x9F\x8D",
		"\xC0\x80",
		"\xC0\xAF",
		"\xC1\xBF",
		"\xE0\x80\x80",
		"\xE0\x80\xAF",
		"\xE0\x9F\xBF", /* overlong */
		"\xF0\x80\x80\xAF",
		"\xF0\x8F\xBF\xBF",
		"\xED\xA0\x80",
		"\xED\xBF\xBF",
		"\xED\xA0\xBD\xED\xB8\x80", /* surrogates, alone and in a pair */
		"\xF4\x90\x80\x80",
		"\xF5\x80\x80\x80",
		"\xF7\xBF\xBF\xBF",
		"\xF8\x88\x80\x80\x80",
		"\xFC\x84\x80\x80\x80\x80",
		"\xFE",
		"\xFF",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		char framed[32] = "ok";

		assert_false(text_utf8(bad[i], strlen(bad[i])));
		assert_true(text_has_control(bad[i]));
		strcat(strcat(framed, bad[i]), "ok");
		assert_false(text_utf8(framed, strlen(framed)));
	}
	assert_true(text_utf8("", 0));
	assert_true(text_utf8("a\0b", 3));
}

static void a_letter_of_any_script_is_one_point(void **state)
{
	(void)state;
	assert_int_equal(text_points(""), 0);
	assert_int_equal(text_points("abc"), 3);
	assert_int_equal(text_points("자리 a"), 4);
	assert_int_equal(text_points("é\xF0\x9F\x8D\x9C"), 2);
}

static void a_text_that_is_cut_keeps_whole_letters(void **state)
{
	(void)state;
	assert_int_equal(text_fit("", 5), 0);
	assert_int_equal(text_fit("abc", 5), 3);
	assert_int_equal(text_fit("abc", 2), 2);
	assert_int_equal(text_fit("자리", 6), 6);
	assert_int_equal(text_fit("자리", 5), 3);
	assert_int_equal(text_fit("자리", 2), 0);
	assert_int_equal(text_fit("a\xF0\x9F\x8D\x9C", 4), 1);
}

static void control_characters_are_seen(void **state)
{
	static const uint32_t controls[][2] = {{1, 0x1F}, {0x7F, 0x9F}, {0x2028, 0x202E}, {0x2066, 0x2069}};
	char text[16];

	(void)state;
	for (uint32_t c = 1; c < 0x11000; c++) {
		bool control = false;

		if (c >= 0xD800 && c <= 0xDFFF)
			continue;
		for (size_t i = 0; i < COUNT(controls); i++)
			control |= c >= controls[i][0] && c <= controls[i][1];
		strcpy(text, "a");
		encode(c, text + 1);
		strcat(text, "z");
		assert_true(text_has_control(text) == control);
	}
	assert_false(text_has_control(""));
	assert_false(text_has_control("김하나, 창가 자리 부탁드려요!"));
}

static void blanks_are_cut_off_both_ends_only(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"", ""},
		{" ", ""},
		{"   ", ""},
		{"a", "a"},
		{"  a b  ", "a b"},
		{"\xE3\x80\x80 김 하나 \xE3\x80\x80", "김 하나"},
		{"\xE3\x80\x80", ""},
		{"\xE3\x80\x80\xE3\x80\x80", ""},
		{"\ta\n", "\ta\n"},
		{"\xE3\x80", "\xE3\x80"},
		{"\xE3\x81\x80", "\xE3\x81\x80"},
	};
	char text[64];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		strcpy(text, rows[i].text);
		assert_string_equal(text_trim(text), rows[i].want);
	}
}

static void phone_numbers_become_digits(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"010-1234-5678", "01012345678"},       {"+82 10 1234 5678", "+821012345678"},
		{"(02) 123.4567", "021234567"},         {"1234567", "1234567"},
		{"123456789012345", "123456789012345"}, {"+123456789012345", "+123456789012345"},
		{"(+49)30 1234567", "+49301234567"},    {"030/5550100", "0305550100"},
	};
	char out[TEXT_PHONE_SIZE];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_true(text_phone(rows[i].text, out));
		assert_string_equal(out, rows[i].want);
	}
}

static void what_is_no_phone_number_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"+",
		"123456",
		"1234567890123456",
		"++821012345678",
		"82+1012345678",
		"010-1234-5678a",
		"call me",
		"010\\1234\\5678",
		"010\t12345678",
		"0101234567\n",
		"\xEF\xBC\x91-01234567",
		"------------------------",
		"11111111111111111111111111111111111111111111111111",
		"+82#1012345678",
	};
	char out[TEXT_PHONE_SIZE] = "untouched", digits[64] = "";

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		if (text_phone(bad[i], out))
			fail_msg("taken: %s", bad[i]);
	assert_string_equal(out, "untouched");
	for (size_t n = 0; n < sizeof digits - 1; n++) {
		assert_true(text_phone(digits, out) == (n >= 7 && n <= 15));
		strcat(digits, "1");
	}
}

static void ordinary_addresses_are_mail_addresses(void **state)
{
	static const char *const good[] = {
		"a@b.kr", "hana.kim+table@example.co.kr", "loadtest.user0001@example.com", "x_y-z@sub.example.org", "1@2.3",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++)
		if (!text_email(good[i]))
			fail_msg("refused: %s", good[i]);
}

static void addresses_that_break_a_mail_header_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"@",
		"a",
		"a@",
		"@b.kr",
		"a@b",
		"a@@b.kr",
		"a@b@c.kr",
		"a b@c.kr",
		"a@b.kr\r\nBcc: x@y.kr",
		"a@b.kr\n",
		"<a@b.kr>",
		"a@b.kr,c@d.kr",
		"a;b@c.kr",
		"\"a\"@b.kr",
		"a(b)@c.kr",
		".a@b.kr",
		"a.@b.kr",
		"a..b@c.kr",
		"a@.kr",
		"a@b.",
		"a@b..kr",
		"a@-b.kr",
		"a@b.kr-",
		"a@[127.0.0.1]",
		"한글@b.kr",
		"a\x7F@b.kr",
		"a@b.kr ",
	};
	char text[400];

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		if (text_email(bad[i]))
			fail_msg("taken: %s", bad[i]);
	memset(text, 'a', sizeof text);
	strcpy(text + 65, "@b.kr"); /* a local part of 65 */
	assert_false(text_email(text));
	assert_true(text_email(text + 1));
	memset(text, 'a', sizeof text);
	text[1] = '@';
	strcpy(text + 252, ".kr"); /* 255 in all */
	assert_false(text_email(text));
	strcpy(text + 251, ".kr");
	assert_true(text_email(text));
}

static void a_calling_code_begins_no_other(void **state)
{
	static const int good[] = {1, 7, 20, 27, 30, 39, 44, 49, 81, 82, 86, 98, 212, 351, 420, 507, 852, 886, 971, 998};
	static const int bad[] = {-82, 0,   2,   8,   9,   10,  11,  21,  35,  70,   77,  83,
				  99,  100, 177, 200, 301, 491, 700, 820, 829, 1000, 8210};

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++)
		if (!text_calling_code(good[i]))
			fail_msg("%d", good[i]);
	for (size_t i = 0; i < COUNT(bad); i++)
		if (text_calling_code(bad[i]))
			fail_msg("%d", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers_are_taken_up_to_their_limits),
		cmocka_unit_test(anything_but_a_plain_number_is_refused),
		cmocka_unit_test(a_number_out_of_range_leaves_the_result_alone),
		cmocka_unit_test(days_that_exist_are_dates),
		cmocka_unit_test(days_that_do_not_exist_are_refused),
		cmocka_unit_test(every_minute_of_the_day_and_of_the_night_after_is_a_time),
		cmocka_unit_test(times_that_no_clock_shows_are_refused),
		cmocka_unit_test(a_closing_time_may_be_midnight_or_up_to_six_in_the_morning),
		cmocka_unit_test(days_agree_with_the_c_library),
		cmocka_unit_test(days_agree_with_the_c_library_to_the_last_year),
		cmocka_unit_test(every_code_point_but_the_surrogates_is_utf8),
		cmocka_unit_test(broken_utf8_is_refused),
		cmocka_unit_test(a_letter_of_any_script_is_one_point),
		cmocka_unit_test(a_text_that_is_cut_keeps_whole_letters),
		cmocka_unit_test(control_characters_are_seen),
		cmocka_unit_test(blanks_are_cut_off_both_ends_only),
		cmocka_unit_test(phone_numbers_become_digits),
		cmocka_unit_test(what_is_no_phone_number_is_refused),
		cmocka_unit_test(ordinary_addresses_are_mail_addresses),
		cmocka_unit_test(addresses_that_break_a_mail_header_are_refused),
		cmocka_unit_test(a_calling_code_begins_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
