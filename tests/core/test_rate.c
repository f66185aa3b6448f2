/*
 * test_rate.c - token buckets: a burst passes, a flood does not, and strangers do not pay for it.
 */
#include "rate.h"

#include "kid.h"
#include "unit.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int make_rate(void **state)
{
	setenv("JARI_MONO_SHIFT_MS", "0", 1);
	*state = kid_share(rate_part.size);
	rate_part.init(*state);
	return 0;
}

static int leave_rate(void **state)
{
	unsetenv("JARI_MONO_SHIFT_MS");
	kid_unshare(*state, rate_part.size);
	return 0;
}

static void pass_ms(int ms)
{
	char text[24];

	snprintf(text, sizeof text, "%d", ms);
	setenv("JARI_MONO_SHIFT_MS", text, 1);
}

/* How many of n requests at this moment are let in. */
static int let_in(struct rate *r, enum rate_kind kind, uint64_t id, int per_s, int burst, int n)
{
	int ok = 0, retry;

	while (n-- > 0)
		ok += rate_take(r, kind, id, per_s, burst, &retry);
	return ok;
}

static void a_burst_passes_and_no_more(void **state)
{
	int retry = 0;

	assert_in_range(let_in(*state, RATE_USER, 1, 1, 60, 200), 60, 61);
	assert_false(rate_take(*state, RATE_USER, 1, 1, 60, &retry));
	assert_int_equal(retry, 1);
}

static void the_bucket_fills_again_with_time(void **state)
{
	assert_in_range(let_in(*state, RATE_RESTAURANT, 1, 10, 10, 100), 10, 12);
	pass_ms(500);
	assert_in_range(let_in(*state, RATE_RESTAURANT, 1, 10, 10, 100), 4, 7);
	pass_ms(3600000); /* never fuller than full */
	assert_in_range(let_in(*state, RATE_RESTAURANT, 1, 10, 10, 100), 10, 12);
}

static void a_long_wait_is_told_in_seconds(void **state)
{
	int retry = 0;

	assert_true(rate_take(*state, RATE_USER, 5, 1, 1, &retry));
	assert_int_equal(retry, 0); /* untouched when let in */
	assert_false(rate_take(*state, RATE_USER, 5, 1, 1, &retry));
	assert_int_equal(retry, 1);
}

static void everybody_has_their_own_bucket(void **state)
{
	assert_in_range(let_in(*state, RATE_USER, 1, 1, 3, 50), 3, 4);
	assert_in_range(let_in(*state, RATE_USER, 2, 1, 3, 50), 3, 4);
	assert_in_range(let_in(*state, RATE_RESTAURANT, 1, 1, 3, 50), 3, 4);
	assert_in_range(let_in(*state, RATE_ADDRESS, 1, 1, 3, 50), 3, 4);
}

static void a_crowd_of_strangers_is_let_in_and_frees_no_client(void **state)
{
	int refused = 0, retry, mine;

	/* More guests than buckets, each once: the first request of each always passes. */
	assert_in_range(let_in(*state, RATE_USER, 7, 1, 5, 100), 5, 6);
	for (uint64_t id = 1000; id < 61000; id++)
		refused += !rate_take(*state, RATE_USER, id, 1, 5, &retry);
	assert_int_equal(refused, 0);
	/* The flooder's empty bucket is the last to be given away, so the crowd does not fill it. */
	mine = let_in(*state, RATE_USER, 7, 1, 5, 100);
	assert_in_range(mine, 0, 3);
}

/* A limit of hours is not washed away by those that fill within seconds, nor by many that are hardly used. */
static void a_crowd_does_not_wash_a_slow_bucket_away(void **state)
{
	int retry = 0, left = 0;

	for (int i = 0; i < 6; i++) /* of ten */
		assert_true(rate_within(*state, RATE_FIND_ANY, 7, &retry));
	for (uint64_t id = 1000; id < 61000; id++) {
		rate_within(*state, RATE_ADDRESS, id, &retry);
		rate_within(*state, RATE_FIND_NEAR, id, &retry);
	}
	while (left < 100 && rate_within(*state, RATE_FIND_ANY, 7, &retry))
		left++;
	assert_int_equal(left, 4);
	assert_in_range(retry, 1700, 1800);
	pass_ms(1801000);
	assert_true(rate_within(*state, RATE_FIND_ANY, 7, &retry));
	assert_false(rate_within(*state, RATE_FIND_ANY, 7, &retry));
}

/* Where the last token was taken: the end of what differs from the memory before. */
static size_t place_of(struct rate *r, uint64_t id)
{
	unsigned char *before = malloc(rate_part.size), *now = (unsigned char *)r;
	size_t at = rate_part.size;
	int retry;

	assert_non_null(before);
	memcpy(before, now, rate_part.size);
	assert_true(rate_within(r, RATE_FIND_ANY, id, &retry));
	while (at > 0 && before[at - 1] == now[at - 1])
		at--;
	free(before);
	return at / 128; /* four buckets of 32 bytes lie beside each other */
}

static void who_lies_beside_whom_is_different_in_every_hall(void **state)
{
	struct rate *other = kid_share(rate_part.size);
	int same = 0;

	rate_part.init(other);
	for (uint64_t id = 1; id <= 64; id++)
		same += place_of(*state, id) == place_of(other, id);
	assert_in_range(same, 0, 8);
	kid_unshare(other, rate_part.size);
}

static void what_is_given_back_was_not_taken(void **state)
{
	int retry;

	for (int i = 0; i < 100; i++) {
		assert_true(rate_within(*state, RATE_FIND_NEAR, 1, &retry));
		rate_give_back(*state, RATE_FIND_NEAR, 1);
	}
	rate_give_back(*state, RATE_FIND_NEAR, 1); /* never fuller than full */
	for (int i = 0; i < 5; i++)
		assert_true(rate_within(*state, RATE_FIND_NEAR, 1, &retry));
	assert_false(rate_within(*state, RATE_FIND_NEAR, 1, &retry));
}

static void what_is_queued_comes_one_after_the_other_and_within_a_day(void **state)
{
	for (int i = 0; i < 60; i++)
		assert_int_equal(rate_queue(*state, RATE_TELL_NEAR, 1), 0);
	for (int i = 1; i <= 100; i++)
		assert_in_range(rate_queue(*state, RATE_TELL_NEAR, 1), i * 10 - 1, i * 10);
	assert_int_equal(rate_queue(*state, RATE_TELL_NEAR, 2), 0); /* another network */
	pass_ms(500000);
	assert_in_range(rate_queue(*state, RATE_TELL_NEAR, 1), 509, 510);
	for (int i = 0; i < 20000; i++)
		assert_in_range(rate_queue(*state, RATE_TELL_NEAR, 1), 510, RATE_QUEUE_S);
	assert_int_equal(rate_queue(*state, RATE_TELL_NEAR, 1), RATE_QUEUE_S);
	pass_ms(500000 + (RATE_QUEUE_S + 700) * 1000); /* and no deeper: then it is over */
	assert_int_equal(rate_queue(*state, RATE_TELL_NEAR, 1), 0);
}

static void loopback_is_exempt_however_it_is_spelled(void **state)
{
	static const char *const ours[] = {"127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1", "::FFFF:127.0.0.1"};

	(void)state;
	for (size_t i = 0; i < COUNT(ours); i++)
		assert_int_equal(rate_address(ours[i]), 0);
}

static void what_is_no_address_is_limited_all_together(void **state)
{
	static const char *const others[] = {"", "unix:", "127.0.0.1.example", "127"};

	(void)state;
	for (size_t i = 0; i < COUNT(others); i++)
		assert_int_equal(rate_address(others[i]), RATE_ELSEWHERE);
}

static void addresses_are_hosts_in_ipv4_and_networks_in_ipv6(void **state)
{
	(void)state;
	assert_true(rate_address("192.0.2.1") != 0);
	assert_true(rate_address("192.0.2.1") != rate_address("192.0.2.2"));
	assert_true(rate_address("192.0.2.1") == rate_address("::ffff:192.0.2.1"));
	assert_true(rate_address("2001:db8:1:2::1") != 0);
	assert_true(rate_address("2001:db8:1:2::1") == rate_address("2001:db8:1:2:ffff::9"));
	assert_true(rate_address("2001:db8:1:2::1") != rate_address("2001:db8:1:3::1"));
	assert_true(rate_network("192.0.2.1") == rate_network("192.0.2.254"));
	assert_true(rate_network("192.0.2.1") != rate_network("192.0.3.1"));
	assert_true(rate_network("2001:db8:1:2::1") == rate_network("2001:db8:1:ffff::1"));
	assert_true(rate_network("2001:db8:1::1") != rate_network("2001:db8:2::1"));
	assert_int_equal(rate_network("127.0.0.1"), 0);
	assert_int_equal(rate_network("unix:"), RATE_ELSEWHERE);
}

enum { KIDS = 6 };

struct crowd {
	_Atomic long let_in;
	_Alignas(64) char rate[];
};

static int flood(void *arg)
{
	struct crowd *c = arg;
	int retry;

	for (int i = 0; i < 20000; i++)
		c->let_in += rate_take((struct rate *)(void *)c->rate, RATE_RESTAURANT, 1, 1, 500, &retry);
	return 0;
}

static int die_in_the_flood(void *arg)
{
	flood(arg);
	kid_die();
}

static void many_processes_share_one_bucket_although_some_are_killed(void **state)
{
	size_t size = sizeof(struct crowd) + rate_part.size;
	struct crowd *c = kid_share(size);
	pid_t kids[KIDS], victims[KIDS];

	(void)state;
	rate_part.init(c->rate);
	for (int i = 0; i < KIDS; i++) {
		kids[i] = kid_start(flood, c);
		victims[i] = kid_start(die_in_the_flood, c);
	}
	for (int i = 0; i < KIDS; i++) {
		usleep(1000);
		kid_kill(victims[i]);
	}
	for (int i = 0; i < KIDS; i++)
		assert_int_equal(kid_end(kids[i]), 0);
	assert_in_range(c->let_in, 500 - KIDS, 520); /* who was killed may not have counted its last; time passes too */
	kid_unshare(c, size);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_rate, leave_rate)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_burst_passes_and_no_more),
		TEST(the_bucket_fills_again_with_time),
		TEST(a_long_wait_is_told_in_seconds),
		TEST(everybody_has_their_own_bucket),
		TEST(a_crowd_of_strangers_is_let_in_and_frees_no_client),
		TEST(a_crowd_does_not_wash_a_slow_bucket_away),
		TEST(who_lies_beside_whom_is_different_in_every_hall),
		TEST(what_is_given_back_was_not_taken),
		TEST(what_is_queued_comes_one_after_the_other_and_within_a_day),
		TEST(loopback_is_exempt_however_it_is_spelled),
		TEST(what_is_no_address_is_limited_all_together),
		TEST(addresses_are_hosts_in_ipv4_and_networks_in_ipv6),
		cmocka_unit_test(many_processes_share_one_bucket_although_some_are_killed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
