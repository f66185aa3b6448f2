/*
 * serving.h - DIR/serve.lock: which process serves the book of this folder.
 *
 * A supervisor holds the lock for as long as it lives, so a killed one serves no more the moment it is gone.  The file names
 * its process and which jari it is: its migrations and the layout of its shared memory.
 */
#ifndef JARI_SERVING_H
#define JARI_SERVING_H

#include <stdbool.h>

/* The id of the process that serves this book, or 0. */
int serving_pid(const char *dir);
/*
 * Is it another jari, with other migrations or another layout of the shared memory?  Any command of ours would disturb it:
 * bring the book up to date while it is open there, or throw its line away.
 */
bool serving_by_another(const char *dir);
/* Takes the lock; false: another process serves, or the folder cannot be written.  Closing *fd gives it back. */
bool serving_take(const char *dir, int *fd);

#endif
