/*
 * durable.h - files that are on the disk when jari says so.
 *
 * A power cut keeps any part of what was not flushed: the bytes of a file without its name, a name without the bytes, one
 * rename of two.  Bytes are on the disk after fsync() of the file; names, renames and removals after fsync() of the folder.
 */
#ifndef JARI_DURABLE_H
#define JARI_DURABLE_H

#include <stdbool.h>
#include <stddef.h>

/* The file's bytes. */
bool durable_flush(const char *path);
/* Every name, rename and removal in a folder. */
bool durable_flush_folder(const char *dir);

/* The bytes first, then the new name: a power cut leaves what was at `to` before, or all of `from`. */
bool durable_rename(const char *from, const char *to);

/* A new file with these bytes, both on the disk; its name is not yet.  One that is there already is in the way. */
bool durable_write(const char *path, const void *bytes, size_t n, unsigned mode);

#endif
