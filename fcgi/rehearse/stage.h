/*
 * stage.h - a copy of the book in a folder of its own, and the real appliance serving it.
 *
 * The book itself is only read, once, as for a backup.  Everything the stage needs lies under one
 * temporary folder that no other user may enter; stage_clear leaves nothing of it.
 */
#ifndef JARI_STAGE_H
#define JARI_STAGE_H

#include "cli.h"

#include <signal.h>
#include <sys/types.h>

enum { STAGE_DIR_SIZE = 128 };

struct stage {
	char dir[STAGE_DIR_SIZE]; /* "": there is none */
	pid_t pid;                /* of the appliance; 0: it does not run */
	int port;                 /* on loopback */
	bool in_memory;           /* the folder lies on no disk */
};

/* Copies the book of `from` into a new folder under TMPDIR or /tmp, with a key and an owner. */
enum err stage_make(struct stage *s, const char *from);

/*
 * Starts `jari up` there and waits until its door is open.  False: it does not open, and what it had
 * to say is said; or *stop became true.
 */
bool stage_start(struct stage *s, const struct cli_options *o, const volatile sig_atomic_t *stop);

/* Stops the appliance as Ctrl-C would; one that does not end is killed with everything it started. */
void stage_stop(struct stage *s);

/* Stops it if it runs; its shared memory and its folder are gone. */
void stage_clear(struct stage *s);

#endif
