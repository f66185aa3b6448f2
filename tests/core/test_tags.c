/*
 * test_tags.c - allergies and occasions as words, as a set, and as people read them.
 */
#include "tags.h"

#include "unit.h"

#include <string.h>

static void every_tag_is_found_by_its_word_and_no_other_is(void **state)
{
	(void)state;
	for (int i = 0; i < TAGS__MAX; i++)
		assert_int_equal(tags_find(tags_word(i)), i);
	assert_int_equal(tags_find(""), TAGS__MAX);
	assert_int_equal(tags_find("nut"), TAGS__MAX);
	assert_int_equal(tags_find("Nuts"), TAGS__MAX);
	assert_int_equal(tags_find("nuts,milk"), TAGS__MAX);
}

static void a_set_is_read_as_it_was_written(void **state)
{
	char text[TAGS_SIZE];

	(void)state;
	for (int i = 0; i < TAGS__MAX; i++)
		for (int j = 0; j < TAGS__MAX; j++) {
			uint32_t set = UINT32_C(1) << i | UINT32_C(1) << j;

			tags_write(set, text);
			assert_int_equal(tags_read(text), set);
		}
	tags_write(0, text);
	assert_string_equal(text, "");
	assert_int_equal(tags_read(""), 0);
	tags_write((UINT32_C(1) << TAGS_birthday) | (UINT32_C(1) << TAGS_nuts), text);
	assert_string_equal(text, "nuts,birthday"); /* what can harm comes first, however it was tapped */
}

static void words_of_another_program_are_left_out(void **state)
{
	(void)state;
	assert_int_equal(tags_read("nuts,lactose,,milk"), UINT32_C(1) << TAGS_nuts | UINT32_C(1) << TAGS_milk);
	assert_int_equal(tags_read("nutsmilk,mil"), 0);
}

static void all_of_them_fit_the_book_and_a_mail(void **state)
{
	char text[TAGS_SIZE], said[TAGS_SAID_SIZE];
	uint32_t all = (uint32_t)((UINT64_C(1) << TAGS__MAX) - 1);

	(void)state;
	tags_write(all, text);
	assert_int_equal(tags_read(text), all);
	tags_say(all, LANG_KO, said);
	tags_say(all, LANG_EN, said);
}

static void people_read_the_allergies_first_and_by_that_name(void **state)
{
	uint32_t set = UINT32_C(1) << TAGS_milk | UINT32_C(1) << TAGS_nuts | UINT32_C(1) << TAGS_birthday;
	char said[TAGS_SAID_SIZE];

	(void)state;
	tags_say(set, LANG_EN, said);
	assert_string_equal(said, "⚠ Allergy: nuts, milk · birthday");
	tags_say(set, LANG_KO, said);
	assert_string_equal(said, "⚠ 알레르기: 견과류, 우유 · 생일");
	tags_say(UINT32_C(1) << TAGS_high_chair | UINT32_C(1) << TAGS_vegan, LANG_EN, said);
	assert_string_equal(said, "vegan · high chair");
	tags_say(0, LANG_EN, said);
	assert_string_equal(said, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_tag_is_found_by_its_word_and_no_other_is),
		cmocka_unit_test(a_set_is_read_as_it_was_written),
		cmocka_unit_test(words_of_another_program_are_left_out),
		cmocka_unit_test(all_of_them_fit_the_book_and_a_mail),
		cmocka_unit_test(people_read_the_allergies_first_and_by_that_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
