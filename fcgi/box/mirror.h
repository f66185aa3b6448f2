/*
 * mirror.h - a second box that is seconds behind: its copy of the book, and whether it has taken over.
 *
 * A process of its own keeps one connection of ssh to the spare, where a key that can do nothing else runs `jari mirror --receive`
 * (receive.h says what the two speak).  Whenever the book has changed, a backup is made and the pages of it travel that the
 * spare has not.  It takes no pen and writes nothing into the book: a spare that is slow, away or broken costs no guest anything.
 *
 * /etc/jari or the folder of the book has
 *
 *	mirror          one line, where the spare is: jari@192.168.0.11, or ssh://jari@192.168.0.11:2222
 *	mirror.key      the key, for the user who serves alone
 *	mirror.hosts    by which the spare is known, as ssh-keyscan prints it
 *
 * Each contact tells whether the spare has taken over meanwhile.  Then this box has been replaced, and says so in its folder
 * (role.h), where whoever serves sees it.
 */
#ifndef JARI_MIRROR_H
#define JARI_MIRROR_H

#include <stdbool.h>

enum { MIRROR_EVERY_S = 5, MIRROR_ASK_MS = 5000, MIRROR_PATH = 4300 };

struct mirror_to {
	char spare[256], key[MIRROR_PATH], hosts[MIRROR_PATH];
};
/* False: no spare is set up for this book. */
bool mirror_find(const char *dir, struct mirror_to *out);

/*
 * Until SIGTERM; returns the exit status.  every_s: copies go at most so often, and never take more than a tenth of a core.
 * known() is called once, when the spare was heard for the first time or five seconds have passed.
 */
int mirror_run(const char *dir, int every_s, void (*known)(void));

/* Before a box serves: has the spare taken over meanwhile?  Takes five seconds at most, and nothing where no spare is set up. */
void mirror_ask(const char *dir);

#endif
