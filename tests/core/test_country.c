/*
 * test_country.c - what is usual in a country.
 */
#include "country.h"

#include "currency.h"
#include "text.h"
#include "unit.h"
#include "zone.h"

#include <stdio.h>
#include <string.h>

static void every_country_has_a_zone_a_currency_and_a_calling_code_that_there_are(void **state)
{
	(void)state;
	assert_true(country_count > 60);
	for (const struct country *c = countries; c < countries + country_count; c++) {
		if (!zone_is_public(c->zone) || !currency_known(c->currency) || !text_calling_code(c->calling_code))
			fail_msg("%s: %s, %s, %d", c->code, c->zone, c->currency, c->calling_code);
		assert_true(strlen(c->code) == 2 && c->ko[0] && c->en[0] && c->first_weekday >= 1 && c->first_weekday <= 7);
		assert_true(c == countries || strcmp(c[-1].code, c->code) < 0);
		assert_ptr_equal(country_find(c->code), c);
	}
	assert_false(country_known("") || country_known("kr") || country_known("ZZ"));
}

/* The example of a phone field must be a number that the field takes, with the country's own code in front. */
static void every_example_of_a_number_is_a_number_of_its_country(void **state)
{
	char plain[TEXT_PHONE_SIZE], code[8];

	(void)state;
	for (const struct country *c = countries; c < countries + country_count; c++) {
		char key[32];

		if (!text_phone(c->phone, plain))
			fail_msg("%s: %s", c->code, c->phone);
		snprintf(code, sizeof code, "%d", c->calling_code);
		snprintf(key, sizeof key, "%lld", (long long)text_phone_key(plain, c->calling_code));
		assert_memory_equal(key, code, strlen(code));
		assert_string_equal(country_phone(c->code, c->calling_code), c->phone);
	}
}

static void a_house_is_shown_a_number_as_its_calling_code_wants_it(void **state)
{
	(void)state;
	assert_string_equal(country_phone("DE", 49), "01512 3456789");
	assert_string_equal(country_phone("DE", 82), "010-1234-5678"); /* the code counts: numbers are read by it */
	assert_string_equal(country_phone("", 49), "01512 3456789");
	assert_string_equal(country_phone("", 299), "");
	assert_int_equal(country_lang(country_find("KR")), LANG_KO);
	assert_int_equal(country_lang(country_find("DE")), LANG_EN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_country_has_a_zone_a_currency_and_a_calling_code_that_there_are),
		cmocka_unit_test(every_example_of_a_number_is_a_number_of_its_country),
		cmocka_unit_test(a_house_is_shown_a_number_as_its_calling_code_wants_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
