/*
 * test_guesttags.c - what a house calls a guest: eight tags at most, each once, known ones in one spelling.
 */
#include "guesttags.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

static void tags_are_kept_in_the_order_in_which_they_came_and_each_once(void **state)
{
	char list[GUESTTAGS_SIZE] = "";

	(void)state;
	assert_int_equal(guesttags_add(list, "창가 자리"), ERR_OK);
	assert_int_equal(guesttags_add(list, "vip"), ERR_OK);
	assert_int_equal(guesttags_add(list, "VIP"), ERR_OK);
	assert_int_equal(guesttags_add(list, "Window"), ERR_OK);
	assert_int_equal(guesttags_add(list, "wINDOW"), ERR_OK);
	assert_string_equal(list, "창가 자리,VIP,Window");
	assert_true(guesttags_has(list, "window"));
	assert_true(guesttags_has(list, "창가 자리"));
	assert_false(guesttags_has(list, "창가"));
	assert_false(guesttags_has(list, ""));
	assert_false(guesttags_has("", "VIP"));
}

static void what_is_no_tag_is_refused_and_the_list_stays(void **state)
{
	static const char twenty[] = "가나다라마바사아자차카타파하가나다라마바",
			  more[] = "가나다라마바사아자차카타파하가나다라마바사";
	char list[GUESTTAGS_SIZE] = "VIP";

	(void)state;
	assert_int_equal(guesttags_add(list, ""), ERR_BAD_GUEST_TAG);
	assert_int_equal(guesttags_add(list, "a,b"), ERR_BAD_GUEST_TAG);
	assert_int_equal(guesttags_add(list, more), ERR_BAD_GUEST_TAG);
	assert_string_equal(list, "VIP");
	assert_int_equal(guesttags_add(list, twenty), ERR_OK);
}

/* The longest list there can be has room, byte for byte. */
static void eight_tags_of_twenty_letters_fit_and_no_ninth(void **state)
{
	char list[GUESTTAGS_SIZE] = "", tag[LENGTHS_SIZE(LENGTHS_GUEST_TAG)];

	(void)state;
	for (int i = 0; i < GUESTTAGS_MAX; i++) {
		tag[0] = '\0';
		for (int k = 0; k < LENGTHS_GUEST_TAG - 1; k++)
			strcat(tag, "🍜");
		memcpy(tag + strlen(tag), (char[]){(char)('0' + i), '\0'}, 2);
		assert_int_equal(guesttags_add(list, tag), ERR_OK);
	}
	assert_true(strlen(list) < sizeof list);
	assert_int_equal(guesttags_add(list, "ninth"), ERR_BAD_GUEST_TAG);
	assert_int_equal(guesttags_add(list, tag), ERR_OK); /* it is there */
}

static void two_lists_are_joined_whole_or_not_at_all(void **state)
{
	char list[GUESTTAGS_SIZE] = "VIP,a,b,c,d";

	(void)state;
	assert_int_equal(guesttags_join(list, "vip,B,e,f"), ERR_OK);
	assert_string_equal(list, "VIP,a,b,c,d,e,f");
	assert_int_equal(guesttags_join(list, "g,h"), ERR_BAD_GUEST_TAG);
	assert_string_equal(list, "VIP,a,b,c,d,e,f");
	assert_int_equal(guesttags_join(list, ""), ERR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_are_kept_in_the_order_in_which_they_came_and_each_once),
		cmocka_unit_test(what_is_no_tag_is_refused_and_the_list_stays),
		cmocka_unit_test(eight_tags_of_twenty_letters_fit_and_no_ninth),
		cmocka_unit_test(two_lists_are_joined_whole_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
