/*
 * holders.h - which process holds SQLite's locks of a book.
 */
#ifndef JARI_HOLDERS_H
#define JARI_HOLDERS_H

#include <stdbool.h>

/*
 * Is that process writing to the book at path, checkpointing or repairing it?  Only for a process without a connection of its
 * own, which would lose its locks by this.
 */
bool holders_writes(const char *path, int pid);
/* A process that reads the book at path just now, so that its log cannot begin anew; 0 when there is none. */
int holders_reader(const char *path);

#endif
