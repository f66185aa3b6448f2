/*
 * test_room.c - the chalk marks by the door.
 */
#include "hint.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ticket_want wish(int64_t restaurant, const char *date, const char *time, int party)
{
	struct ticket_want b = {.restaurant_id = restaurant, .party = party};

	snprintf(b.date, sizeof b.date, "%s", date);
	snprintf(b.time, sizeof b.time, "%s", time);
	return b;
}

static int make(void **state)
{
	*state = calloc(1, hint_part.size);
	return *state ? 0 : -1;
}

static int leave(void **state)
{
	unsetenv("JARI_MONO_SHIFT_MS");
	free(*state);
	return 0;
}

static void a_mark_has_room_for_as_many_as_it_says(void **state)
{
	struct hint *r = *state;
	struct ticket_want two = wish(1, "2031-05-06", "18:00", 2), three = wish(1, "2031-05-06", "18:00", 3);

	assert_false(hint_for(r, &two)); /* no mark: the book knows */
	hint_mark(r, &two, 2);
	assert_true(hint_for(r, &two));
	assert_false(hint_for(r, &three));
	hint_mark(r, &two, 0);
	assert_false(hint_for(r, &two));
	hint_mark(r, &two, -5);
	assert_false(hint_for(r, &two));
	hint_mark(r, &two, 10000000);
	assert_true(hint_for(r, &three));
}

static void a_mark_is_for_one_slot(void **state)
{
	struct hint *r = *state;
	struct ticket_want here = wish(1, "2031-05-06", "18:00", 2), later = wish(1, "2031-05-06", "19:00", 2),
			   tomorrow = wish(1, "2031-05-07", "18:00", 2), elsewhere = wish(2, "2031-05-06", "18:00", 2);

	hint_mark(r, &here, 40);
	assert_true(hint_for(r, &here));
	assert_false(hint_for(r, &later));
	assert_false(hint_for(r, &tomorrow));
	assert_false(hint_for(r, &elsewhere));
}

static void a_mark_fades(void **state)
{
	struct hint *r = *state;
	struct ticket_want b = wish(1, "2031-05-06", "18:00", 2);

	hint_mark(r, &b, 40);
	setenv("JARI_MONO_SHIFT_MS", "800", 1);
	assert_true(hint_for(r, &b));
	setenv("JARI_MONO_SHIFT_MS", "1200", 1);
	assert_false(hint_for(r, &b));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_mark_has_room_for_as_many_as_it_says),
		TEST(a_mark_is_for_one_slot),
		TEST(a_mark_fades),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
