/*
 * owner.h - root does a folder's work as the user whose folder it is.
 *
 * What root makes in the folder of another user, that user's processes cannot open: a book that root restored would be
 * never served.
 */
#ifndef JARI_OWNER_H
#define JARI_OWNER_H

#include <stdbool.h>

/* From here to owner_leave, as the owner of this file or folder.  Nothing changes unless we are root. */
bool owner_enter(const char *path);
void owner_leave(void);

#endif
