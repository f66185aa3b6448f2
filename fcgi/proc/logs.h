/*
 * logs.h - the logs in DIR do not fill the disk.
 */
#ifndef JARI_LOGS_H
#define JARI_LOGS_H

enum { LOGS_MAX = 8 * 1024 * 1024 }; /* bytes of one log; the part before it is kept once, as NAME.1 */

/*
 * Whichever log of DIR has grown past LOGS_MAX becomes NAME.1 and begins anew.  Everybody who writes it has it open for
 * appending, so it is copied and cut rather than renamed, and no process needs to be told.
 */
void logs_bound(const char *dir);

#endif
