/*
 * kid.c - other processes for a test.
 */
#include "kid.h"

#include "clock.h"
#include "unit.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void *kid_share(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(memory != MAP_FAILED);
	return memory;
}

void kid_unshare(void *memory, size_t size)
{
	munmap(memory, size);
}

pid_t kid_start(int (*run)(void *arg), void *arg)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(run(arg));
	}
	return pid;
}

int kid_end(pid_t pid)
{
	int status = 0;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : KID_KILLED + WTERMSIG(status);
}

void kid_kill(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(kid_end(pid), KID_KILLED + SIGKILL);
}

int kid_run(int (*run)(void *arg), void *arg)
{
	return kid_end(kid_start(run, arg));
}

bool kid_wait(_Atomic int *flag)
{
	for (int i = 0; i < 10000 && !atomic_load(flag); i++)
		clock_sleep_ms(1);
	return atomic_load(flag) != 0;
}

void kid_die(void)
{
	kill(getpid(), SIGKILL);
	for (;;)
		pause();
}
