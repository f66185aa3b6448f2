/*
 * test_edition.c - the numbers that change with the book.
 */
#include "edition.h"

#include "kid.h"
#include "unit.h"

static int make(void **state)
{
	*state = kid_share(edition_part.size);
	edition_part.init(*state);
	return 0;
}

static int leave(void **state)
{
	kid_unshare(*state, edition_part.size);
	return 0;
}

static void the_number_of_changes_changes_first_and_with_all_others(void **state)
{
	struct edition *n = *state;
	uint64_t at = edition_changes(n);

	edition_touch_day(n, 5);
	assert_true(edition_changes(n) != at);
	at = edition_changes(n);
	edition_touch_all_days(n);
	assert_true(edition_changes(n) != at);
	at = edition_changes(n);
	edition_new_settings(n);
	assert_true(edition_changes(n) != at);
}

static void only_the_day_that_was_touched_has_another_number(void **state)
{
	struct edition *n = *state;
	uint64_t day = edition_day(n, 1, "2026-11-20"), other = edition_day(n, 1, "2026-11-21"), settings = edition_settings(n);

	assert_int_not_equal(edition_day_index(1, "2026-11-20"), edition_day_index(1, "2026-11-21"));
	edition_touch_day(n, edition_day_index(1, "2026-11-20"));
	assert_int_not_equal(edition_day(n, 1, "2026-11-20"), day);
	assert_int_equal(edition_day(n, 1, "2026-11-21"), other);
	edition_touch_all_days(n);
	assert_int_not_equal(edition_day(n, 1, "2026-11-21"), other);
	assert_int_equal(edition_settings(n), settings);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_number_of_changes_changes_first_and_with_all_others),
		TEST(only_the_day_that_was_touched_has_another_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
