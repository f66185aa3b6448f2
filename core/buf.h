/*
 * buf.h - a growing string of bytes.
 *
 * Failure to grow is sticky: later appends do nothing and buf_ok() says false, so that a writer
 * checks once at its end.  `data` is always NUL-terminated once anything was appended.
 */
#ifndef JARI_BUF_H
#define JARI_BUF_H

#include <stdbool.h>
#include <stddef.h>

struct buf {
	char *data;
	size_t len, cap;
	bool failed;
};

bool buf_ok(const struct buf *b);
void buf_clear(struct buf *b); /* empties it, keeps the memory, forgets a failure */
void buf_free(struct buf *b);
void buf_add(struct buf *b, const char *bytes, size_t n);
void buf_str(struct buf *b, const char *text);
void buf_fmt(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes space for `need` elements of so many bytes in an array that grows by one or two at a time.  False: out of memory. */
bool buf_grow(void **array, size_t *space, size_t need, size_t each);

#endif
