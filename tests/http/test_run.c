/*
 * test_run.c - another program for a message: what it says, and what is left when none can be started.
 */
#include "run.h"

#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int no_more_processes;

/* In the place of the C library's, so that it can fail: root has no limit of processes. */
pid_t fork(void)
{
	if (!no_more_processes)
		return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	errno = EAGAIN;
	return -1;
}

static int open_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void no_descriptor_is_left_when_no_process_can_be_made(void **state)
{
	static const char *const argv[] = {"/bin/true", NULL};
	char out[64];
	int before = open_descriptors();

	(void)state;
	no_more_processes = 1;
	assert_int_equal(run_program(argv, "", 0, 5, out, sizeof out), RUN_LATER);
	no_more_processes = 0;
	assert_int_equal(open_descriptors(), before);
	assert_int_equal(run_program(argv, "", 0, 5, out, sizeof out), 0);
	assert_int_equal(open_descriptors(), before);
}

static void a_long_reason_is_cut_and_not_dropped(void **state)
{
	static const char *const argv[] = {"/bin/sh", "-c", "printf 'tls: %0400d' 7 >&2; exit 69", NULL};
	char out[40];

	(void)state;
	assert_int_equal(run_program(argv, "", 0, 5, out, sizeof out), 69);
	assert_memory_equal(out, "tls: 000", 8);
	assert_int_equal(strlen(out), sizeof out - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_descriptor_is_left_when_no_process_can_be_made),
		cmocka_unit_test(a_long_reason_is_cut_and_not_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
