/*
 * buf.c - a growing string of bytes.
 */
#include "buf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool buf_ok(const struct buf *b)
{
	return !b->failed;
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	b->failed = false;
	if (b->data)
		b->data[0] = '\0';
}

void buf_free(struct buf *b)
{
	free(b->data);
	*b = (struct buf){0};
}

/* Makes room for n more bytes and the NUL. */
static bool grow(struct buf *b, size_t n)
{
	size_t cap = b->cap ? b->cap : 256;
	char *p;

	if (b->failed || n >= SIZE_MAX / 4 - b->len)
		return b->failed = true, false;
	while (cap < b->len + n + 1)
		cap *= 2;
	if (cap == b->cap)
		return true;
	p = realloc(b->data, cap);
	if (!p)
		return b->failed = true, false;
	b->data = p;
	b->cap = cap;
	return true;
}

void buf_add(struct buf *b, const char *bytes, size_t n)
{
	if (!grow(b, n))
		return;
	if (n)
		memcpy(b->data + b->len, bytes, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void buf_str(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

__attribute__((format(printf, 2, 0))) static void add_formatted(struct buf *b, const char *format, va_list ap)
{
	va_list again;
	int n;

	if (b->failed || !grow(b, 0))
		return;
	va_copy(again, ap);
	n = vsnprintf(b->data + b->len, b->cap - b->len, format, again);
	va_end(again);
	/* It mostly fits at once. */
	if (n >= 0 && (size_t)n >= b->cap - b->len && grow(b, (size_t)n))
		n = vsnprintf(b->data + b->len, b->cap - b->len, format, ap);
	if (n < 0 || b->failed) {
		b->failed = true;
		b->data[b->len] = '\0';
		return;
	}
	b->len += (size_t)n;
}

void buf_fmt(struct buf *b, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	add_formatted(b, format, ap);
	va_end(ap);
}

bool buf_grow(void **array, size_t *space, size_t need, size_t each)
{
	size_t more = *space ? 2 * *space : 64;
	void *larger;

	if (need <= *space)
		return true;
	assert(need <= more);
	larger = realloc(*array, more * each);
	if (!larger)
		return false;
	*array = larger;
	*space = more;
	return true;
}
