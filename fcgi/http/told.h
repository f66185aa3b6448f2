/*
 * told.h - what another machine told us: JSON of any shape, its values by the path that leads to them.
 *
 * A provider's answer has a hundred fields and grows more; we ask for those that we know and pass over the rest.  So this is no
 * in.h, which refuses what it does not know.  The bytes go through the same strict reader.
 *
 * A path is keys and places in lists, with points between them: "amount.total", "data.0.id".
 */
#ifndef JARI_TOLD_H
#define JARI_TOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOLD_DEPTH = 32 };

struct told;

/* NULL: no JSON object or list.  told_free() takes NULL too. */
struct told *told_read(const char *bytes, size_t n);
void told_free(struct told *t);

/* What is at this path; NULL: nothing, or null.  It lives as long as the whole. */
const struct told *told_at(const struct told *t, const char *path);
/* The one at this place of the list there. */
const struct told *told_nth(const struct told *t, const char *path, size_t place);
/* "" where there is no text. */
const char *told_text(const struct told *t, const char *path);
/* A whole number, also one that is written 20000.0; false, and nothing changed, for anything else. */
bool told_number(const struct told *t, const char *path, int64_t *out);
/* How many are in the list there; "" is the whole. */
size_t told_count(const struct told *t, const char *path);

#endif
