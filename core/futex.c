/*
 * futex.c - sleeping at a word of shared memory.
 */
#include "futex.h"

#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * The call that reads a timespec as the C library lays it out.  Where long has 32 bits the old call reads 32-bit
 * seconds: of ours it would see tv_sec and 0 ns, and a wait of less than a second would end at once.
 */
#ifdef SYS_futex_time64
enum { FUTEX_CALL = SYS_futex_time64 };
#else
enum { FUTEX_CALL = SYS_futex };
#endif
static_assert(sizeof(time_t) == 8, "time_t has 64 bits: build with -D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64");

long futex_wake(_Atomic uint32_t *word)
{
	return syscall(FUTEX_CALL, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void futex_wait(_Atomic uint32_t *word, uint32_t seen, int64_t ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000 * 1000000)};

	syscall(FUTEX_CALL, word, FUTEX_WAIT, seen, &t, NULL, 0);
}
