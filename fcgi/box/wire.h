/*
 * wire.h - lines and bytes between two boxes, through two pipes, each within its time.
 *
 * The other end is not trusted: it may send nothing, half of something, or without an end.
 */
#ifndef JARI_WIRE_H
#define JARI_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WIRE_LINE = 400 };

struct wire {
	int in, out;
	bool last;       /* also a process that is to stop says this to its end */
	size_t at, have; /* of kept: what was read and not taken yet */
	char kept[8192];
};

/* Both ends are made not to block. */
void wire_open(struct wire *w, int in, int out);
/* n bytes; false: they did not come by then (clock_mono_ms), or the other end is gone. */
bool wire_read(struct wire *w, void *out, size_t n, int64_t until_ms);
/* A line without its end; false also when it is longer than the room for it. */
bool wire_line(struct wire *w, char *out, size_t size, int64_t until_ms);
bool wire_write(struct wire *w, const void *bytes, size_t n, int64_t until_ms);
bool wire_say(struct wire *w, int64_t until_ms, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
