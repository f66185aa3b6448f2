/*
 * futex.h - sleeping at a word of shared memory until another process changes it.
 */
#ifndef JARI_FUTEX_H
#define JARI_FUTEX_H

#include <stdatomic.h>
#include <stdint.h>

/* Sleeps until it is woken, at most ms; not at all if the word is no longer the one that was seen. */
void futex_wait(_Atomic uint32_t *word, uint32_t seen, int64_t ms);
/* Wakes all who sleep there; returns how many. */
long futex_wake(_Atomic uint32_t *word);

#endif
