/*
 * lock.c - a robust, process-shared mutex.
 */
#include "lock.h"

#include <assert.h>
#include <errno.h>
#include <time.h>

enum { STEP_MS = 20 };

void lock_init(pthread_mutex_t *m)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(m, &a);
	pthread_mutexattr_destroy(&a);
}

static enum lock_got got(pthread_mutex_t *m, int rc)
{
	if (rc == EOWNERDEAD) {
		/* Without this the next unlock would make the lock unusable for ever. */
		pthread_mutex_consistent(m);
		return LOCK_INHERITED;
	}
	assert(rc == 0 || rc == EBUSY || rc == ETIMEDOUT);
	return rc == 0 ? LOCK_TAKEN : LOCK_BUSY;
}

/*
 * Never an endless sleep: a waiter that is killed just after it was woken takes the wake-up with it, and
 * if a third takes the free lock meanwhile the kernel cannot know that a process still sleeps.  (Seen:
 * once in some twenty storms of kills.)  A process that wakes by the clock looks again.
 */
enum lock_got lock_take(pthread_mutex_t *m)
{
	enum lock_got how = lock_try(m);

	while (how == LOCK_BUSY)
		how = lock_wait(m, STEP_MS);
	return how;
}

enum lock_got lock_try(pthread_mutex_t *m)
{
	return got(m, pthread_mutex_trylock(m));
}

enum lock_got lock_wait(pthread_mutex_t *m, int64_t ms)
{
	struct timespec until;

	assert(ms >= 0);
	/* Monotonic: a jump of the wall clock must not make a process wait for a day. */
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += (long)(ms % 1000 * 1000000);
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	return got(m, pthread_mutex_clocklock(m, CLOCK_MONOTONIC, &until));
}

void lock_release(pthread_mutex_t *m)
{
	int rc = pthread_mutex_unlock(m);

	assert(rc == 0);
	(void)rc;
}
