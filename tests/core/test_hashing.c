/*
 * test_hashing.c - one password at a time, also after a kill.
 */
#include "hashing.h"

#include "kid.h"
#include "unit.h"

static int make(void **state)
{
	*state = kid_share(hashing_part.size);
	hashing_part.init(*state);
	return 0;
}

static int leave(void **state)
{
	kid_unshare(*state, hashing_part.size);
	return 0;
}

static int try_to_hash(void *arg)
{
	return hashing_try(arg, false);
}

static int die_hashing(void *arg)
{
	if (!hashing_try(arg, false))
		return 1;
	kid_die();
}

static void one_password_is_hashed_at_a_time(void **state)
{
	assert_true(hashing_try(*state, false));
	assert_int_equal(kid_run(try_to_hash, *state), 0);
	hashing_done(*state, false);
	assert_int_equal(kid_run(try_to_hash, *state), 1);
}

static void a_worker_killed_while_hashing_blocks_no_other(void **state)
{
	assert_true(kid_run(die_hashing, *state) > KID_KILLED);
	for (int i = 0; i < 3; i++) {
		assert_true(hashing_try(*state, false));
		hashing_done(*state, false);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_password_is_hashed_at_a_time),
		TEST(a_worker_killed_while_hashing_blocks_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
