/*
 * test_currency.c - currencies, and amounts as people write them.
 */
#include "currency.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

static void a_currency_without_known_digits_is_none(void **state)
{
	static const char *const bad[] = {"",    "E", "EU",  "EURO", "eur", "US$", "원",
					  "E R", "€", "KR1", "ZZZ",  "XXX", "CLF", "UYW"};

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_false(currency_known(bad[i]));
	assert_true(currency_known("KRW") && currency_known("EUR") && currency_known("KWD") && currency_known("ZMW"));
	assert_int_equal(currency_digits("KRW"), 0);
	assert_int_equal(currency_digits("EUR"), 2);
	assert_int_equal(currency_digits("KWD"), 3);
	assert_int_equal(currency_digits("ZZZ"), 2); /* of an old book: as its upgrade took it to have */
	assert_int_equal(currency_units("KRW"), 1);
	assert_int_equal(currency_units("KWD"), 1000);
}

static void an_amount_is_written_with_the_digits_of_its_currency(void **state)
{
	static const struct {
		int64_t amount;
		int digits;
		const char *text;
	} rows[] = {
		{0, 0, "0"},
		{20000, 0, "20000"},
		{0, 2, "0.00"},
		{5, 2, "0.05"},
		{1950, 2, "19.50"},
		{195, 3, "0.195"},
		{-5, 2, "-0.05"},
		{100000000, 2, "1000000.00"},
		{1000, 3, "1.000"},
		{-1950, 2, "-19.50"},
		{INT64_MAX, 3, "9223372036854775.807"},
	};
	char text[CURRENCY_TEXT_SIZE];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		currency_put(rows[i].amount, rows[i].digits, text);
		assert_string_equal(text, rows[i].text);
	}
}

static void an_amount_is_read_as_it_is_written(void **state)
{
	static const struct {
		const char *text;
		int digits;
		int64_t amount;
	} rows[] = {
		{"0", 0, 0},        {"20000", 0, 20000},         {"20000.00", 0, 20000},
		{"19.50", 2, 1950}, {"19.5", 2, 1950},           {"19", 2, 1900},
		{"0.05", 2, 5},     {"19.500", 2, 1950},         {"0.195", 3, 195},
		{"1.2", 3, 1200},   {"10000000", 2, 1000000000},
	};
	static const struct {
		const char *text;
		int digits;
	} bad[] = {
		{"", 2},      {".", 2},      {".50", 2},   {"19.", 2}, {"19.505", 2},      {"19.5", 0},
		{"-1", 2},    {"+1", 2},     {"1,50", 2},  {"1 5", 2}, {"1e3", 2},         {"0x10", 2},
		{"19.5o", 2}, {"019.50", 2}, {"1.2.3", 2}, {"€5", 2},  {"10000000.01", 2}, {"99999999999999999999999", 2},
	};
	int64_t amount;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_true(currency_take(rows[i].text, rows[i].digits, 1000000000, &amount));
		assert_int_equal(amount, rows[i].amount);
	}
	for (size_t i = 0; i < COUNT(bad); i++)
		if (currency_take(bad[i].text, bad[i].digits, 1000000000, &amount))
			fail_msg("%s was read as %lld", bad[i].text, (long long)amount);
}

static void every_amount_is_read_back(void **state)
{
	char text[CURRENCY_TEXT_SIZE];
	int64_t amount;

	(void)state;
	for (int digits = 0; digits <= CURRENCY_DIGITS_MAX; digits++)
		for (int64_t n = 0; n < 3000; n++) {
			currency_put(n, digits, text);
			assert_true(currency_take(text, digits, 1000000000, &amount) && amount == n);
		}
}

/* Does it stand in the text, after the word that begins the list and before the one that ends it? */
static bool lists(const char *text, const char *from, const char *to, const char *wanted)
{
	const char *begin = strstr(text, from), *end = begin ? strstr(begin + strlen(from), to) : NULL, *at;

	assert_non_null(end);
	at = strstr(begin, wanted);
	return at && at < end;
}

static void the_upgrade_and_the_views_know_the_same_digits(void **state)
{
	static const char *const codes[] = {
#define X(code) #code,
		CURRENCY_WHOLE(X) CURRENCY_CENTS(X) CURRENCY_MILLS(X)
#undef X
	};
	extern const char embed_0011_rules[], embed_schema[];
	char quoted[16], whole[16], mills[16];

	(void)state;
	for (size_t i = 0; i < COUNT(codes); i++) {
		int digits = currency_digits(codes[i]);

		snprintf(quoted, sizeof quoted, "'%s'", codes[i]);
		snprintf(whole, sizeof whole, "('%s', 0)", codes[i]);
		snprintf(mills, sizeof mills, "('%s', 3)", codes[i]);
		assert_int_equal(lists(embed_0011_rules, "CASE WHEN currency IN (", ")", quoted), digits == 3);
		assert_int_equal(lists(embed_0011_rules, "WHERE currency NOT IN (", ")", quoted), digits == 0);
		assert_int_equal(lists(embed_schema, "CREATE VIEW _digits", ";", whole), digits == 0);
		assert_int_equal(lists(embed_schema, "CREATE VIEW _digits", ";", mills), digits == 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_currency_without_known_digits_is_none),
		cmocka_unit_test(an_amount_is_written_with_the_digits_of_its_currency),
		cmocka_unit_test(an_amount_is_read_as_it_is_written),
		cmocka_unit_test(every_amount_is_read_back),
		cmocka_unit_test(the_upgrade_and_the_views_know_the_same_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
