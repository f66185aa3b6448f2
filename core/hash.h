/*
 * hash.h - a small hash for tables in memory (FNV-1a).  Not for anything a stranger could profit from.
 */
#ifndef JARI_HASH_H
#define JARI_HASH_H

#include <stdint.h>

static const uint64_t HASH_START = 14695981039346656037u;

static inline uint64_t hash_number(uint64_t h, uint64_t n)
{
	return (h ^ n) * 1099511628211u;
}

/* The same where every bit of n is to change every bit of the hash. */
static inline uint64_t hash_word(uint64_t h, uint64_t n)
{
	h = (h ^ n) + UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
	return h ^ h >> 31;
}

static inline uint64_t hash_text(uint64_t h, const char *text)
{
	for (; *text; text++)
		h = hash_number(h, (unsigned char)*text);
	return h;
}

/* Folded to half its length, where every bit of it counts. */
static inline uint32_t hash_fold(uint64_t h)
{
	return (uint32_t)(h ^ h >> 32);
}

#endif
