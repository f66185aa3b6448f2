/*
 * lock.h - a mutex in shared memory that survives the death of its holder.
 *
 * When a holder is killed, the next taker gets the lock and is told so: it repairs what the lock
 * guards and goes on.  There are no condition variables: a process-shared one hangs every signaller
 * once a waiter was killed inside it.
 */
#ifndef JARI_LOCK_H
#define JARI_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum lock_got { LOCK_BUSY, LOCK_TAKEN, LOCK_INHERITED }; /* inherited: its last holder died */

void lock_init(pthread_mutex_t *m);
enum lock_got lock_take(pthread_mutex_t *m);
enum lock_got lock_try(pthread_mutex_t *m);
enum lock_got lock_wait(pthread_mutex_t *m, int64_t ms);
void lock_release(pthread_mutex_t *m);

#endif
