/*
 * code.c - reservation codes.
 *
 * THE CHECK.  Characters have the values 0 to 16 in the order of `letters`.  The first seven, v0 to v6, have the weights 1 to
 * 7; the eighth is the sum of v[i] * (i + 1), modulo 17, that is, its own weight is -1.  All weights differ and none is 0
 * modulo 17.  One wrong character changes the sum by weight * difference, two that change places by the difference of
 * their weights * that of their values: products of numbers that are not 0 modulo a prime.
 *
 * NEIGHBOURS.  Codes of one transaction begin alike, so that a batch of bookings changes one or two pages of the index of
 * codes instead of one for each: in a book of 300,000 reservations that was a fifth of the writer's time.
 */
#include "code.h"

#include "token.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum {
	SHARED = 3, /* characters that the codes of one pool have in common */
	RANDOM = 7, /* with those */
	LENGTH = RANDOM + 1,
	GROUP = 4,
	SHARED_NUMBERS = CODE_BASE * CODE_BASE * CODE_BASE,
	OWN_NUMBERS = SHARED_NUMBERS * CODE_BASE,
};

static const char letters[] = "34679CFHJKMPRTWXY";

static_assert(sizeof letters - 1 == CODE_BASE, "as many as the sum is taken modulo");
static_assert(LENGTH + 2 == CODE_SIZE, "a hyphen and a NUL");
static_assert(RANDOM - SHARED == 4, "OWN_NUMBERS is that power of the base");

void code_begin(struct code_pool *p)
{
	p->left = 0;
	p->shared_left = 0;
}

static uint32_t fetch(struct code_pool *p)
{
	if (p->left <= 0) {
		token_random(p->numbers, sizeof p->numbers);
		p->left = CODE_POOL;
	}
	return p->numbers[--p->left];
}

static uint32_t draw(struct code_pool *p)
{
	if (p->shared_left <= 0) {
		p->shared_left = CODE_ALIKE;
		p->shared = fetch(p) % SHARED_NUMBERS;
	}
	p->shared_left--;
	/* 2^32 is such a multiple of that number that the first remainders are likelier by one in fifty thousand at most. */
	return fetch(p) % OWN_NUMBERS;
}

static void group(const char plain[LENGTH], char out[CODE_SIZE])
{
	memcpy(out, plain, GROUP);
	out[GROUP] = '-';
	memcpy(out + GROUP + 1, plain + GROUP, LENGTH - GROUP);
	out[CODE_SIZE - 1] = '\0';
}

void code_make(struct code_pool *p, char out[CODE_SIZE])
{
	uint32_t own = draw(p), shared = p->shared, sum = 0;
	char plain[LENGTH];

	for (uint32_t i = 0; i < RANDOM; i++) {
		uint32_t *from = i < SHARED ? &shared : &own, value = *from % CODE_BASE;

		plain[i] = letters[value];
		sum += value * (i + 1);
		*from /= CODE_BASE;
	}
	plain[RANDOM] = letters[sum % CODE_BASE];
	group(plain, out);
}

/* Is it nearly one of ours?  One character that we do not use is a slip; with more of them it is a name, or another's code. */
static bool is_mistyped(const char plain[LENGTH])
{
	unsigned sum = 0, foreign = 0, last = 0;

	for (unsigned i = 0; i < LENGTH; i++) {
		const char *at = memchr(letters, plain[i], CODE_BASE);

		foreign += !at;
		last = at ? (unsigned)(at - letters) : 0;
		sum += i < RANDOM ? last * (i + 1) : 0;
	}
	return foreign == 1 || (foreign == 0 && sum % CODE_BASE != last);
}

/* The next character, and how many bytes it takes. */
static uint32_t next(const char *text, size_t *n)
{
	unsigned char first = (unsigned char)text[0];
	uint32_t c;

	*n = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
	c = *n == 1 ? first : first & (0x7fu >> *n);
	for (size_t i = 1; i < *n; i++) {
		if (((unsigned char)text[i] & 0xc0) != 0x80) {
			*n = i; /* not UTF-8: its bytes stay as they are */
			return first;
		}
		c = c << 6 | ((unsigned char)text[i] & 0x3fu);
	}
	return c;
}

/* Blanks and hyphens, as keyboards and other programs make them. */
static bool is_gap(uint32_t c)
{
	return c == ' ' || c == '-' || c == '\t' || c == 0xa0 || (c >= 0x2000 && c <= 0x2015) || c == 0x202f || c == 0x2212 ||
	       c == 0x3000 || c == 0x30fc || c == 0xfe63 || c == 0xfeff || c == 0xff0d;
}

void code_read(const char *text, struct code_typed *out)
{
	size_t used, n = 0;

	for (; *text && n + 4 < sizeof out->plain; text += used) {
		uint32_t c = next(text, &used);

		if (is_gap(c))
			continue;
		if (c > 0xff00 && c < 0xff5f)
			c -= 0xfee0; /* the full width of a Korean or Japanese keyboard */
		if (c < 0x80) {
			out->plain[n++] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
			continue;
		}
		memcpy(out->plain + n, text, used);
		n += used;
	}
	out->plain[n] = '\0';
	out->grouped[0] = '\0';
	out->mistyped = n == LENGTH && is_mistyped(out->plain);
	if (n == LENGTH)
		group(out->plain, out->grouped);
}
