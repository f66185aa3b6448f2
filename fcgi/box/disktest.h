/*
 * disktest.h - does this disk keep what it says that it has written?
 *
 * Some cards and sticks answer a flush before the bytes are safe.  Software cannot see that; a person who pulls the plug can.
 * One process writes numbered pages, flushes each and only then tells its number.  After the plug was pulled, every number that
 * was told must be there.
 */
#ifndef JARI_DISKTEST_H
#define JARI_DISKTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DISKTEST_PAGE = 4096, DISKTEST_RING = 4096 /* pages: 16 MB, then from the front again */, DISKTEST_PATH = 4400 };

struct disktest {
	int fd;
	uint64_t run, next; /* next: the number of the next page; numbers begin with 1 */
};

/* The file in that folder. */
void disktest_path(const char *folder, char out[DISKTEST_PATH]);
/* Begins anew; false: errno says why it cannot. */
bool disktest_begin(struct disktest *t, const char *folder);
/* One more page, flushed.  False: the disk refuses. */
bool disktest_write(struct disktest *t);
void disktest_end(struct disktest *t);

struct disktest_found {
	uint64_t newest;  /* the highest number of a whole page; 0: none */
	uint64_t lost;    /* the lowest that should be there and is not; 0: none is missing */
	uint64_t missing; /* how many */
};
/* told: the highest number that a person has seen; 0: none was noted.  False: there is no such file. */
bool disktest_look(const char *folder, uint64_t told, struct disktest_found *out);
void disktest_remove(const char *folder);

#endif
