/*
 * test_glance.c - an answer is found under its own version or not at all, even while others write.
 */
#include "glance.h"

#include "hash.h"
#include "kid.h"
#include "unit.h"

#include <stdlib.h>

static int make(void **state)
{
	*state = kid_share(glance_part.size);
	return 0;
}

static int leave(void **state)
{
	kid_unshare(*state, glance_part.size);
	return 0;
}

static void an_answer_is_found_under_its_version_only(void **state)
{
	struct glance *g = *state;
	uint64_t answer = 7;

	assert_false(glance_find(g, 1, 0, &answer)); /* a new one is all zeros */
	assert_false(glance_find(g, 1, 11, &answer));
	glance_keep(g, 1, 11, 42);
	assert_true(glance_find(g, 1, 11, &answer));
	assert_int_equal(answer, 42);
	assert_false(glance_find(g, 1, 12, &answer));
	assert_false(glance_find(g, 2, 11, &answer));
	glance_keep(g, 1, 12, 0);
	assert_false(glance_find(g, 1, 11, &answer));
	assert_true(glance_find(g, 1, 12, &answer));
	assert_int_equal(answer, 0);
}

static uint64_t right_answer(uint64_t version)
{
	return hash_word(99, version) >> 20;
}

/* Everybody writes and reads one place under a few versions; returns how many answers were wrong. */
static int write_and_read(void *arg)
{
	unsigned seed = (unsigned)rand();
	uint64_t answer;
	int wrong = 0;

	for (int i = 0; i < 200000; i++) {
		uint64_t version = hash_word(5, (uint64_t)rand_r(&seed) % 4);

		if (glance_find(arg, 3, version, &answer))
			wrong += answer != right_answer(version);
		else
			glance_keep(arg, 3, version, right_answer(version));
	}
	return wrong ? 1 : 0;
}

static void no_reader_meets_half_of_two_answers(void **state)
{
	pid_t kids[4];

	for (size_t i = 0; i < COUNT(kids); i++) {
		srand((unsigned)i);
		kids[i] = kid_start(write_and_read, *state);
	}
	for (size_t i = 0; i < COUNT(kids); i++)
		assert_int_equal(kid_end(kids[i]), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_answer_is_found_under_its_version_only, make, leave),
		cmocka_unit_test_setup_teardown(no_reader_meets_half_of_two_answers, make, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
