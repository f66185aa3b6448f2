/*
 * heap.h - SQLite's memory, kept at hand.
 */
#ifndef JARI_HEAP_H
#define JARI_HEAP_H

/* From the next block on.  Once SQLite is in use it does nothing. */
void heap_keep(void);

#endif
