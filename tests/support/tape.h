/*
 * tape.h - every change of some folders, in order, as the processes of a command make it.
 *
 * The processes are traced, and no two of them are inside a system call that changes a file at the same time: after each
 * one the folders are compared with what they were before.  So nothing depends on how a program writes, by SQLite, by
 * stdio or by itself.  What goes through mapped memory is not seen; of a book that is the -shm file alone, which no
 * power cut leaves behind anyway.
 */
#ifndef JARI_TAPE_H
#define JARI_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { TAPE_PATH = 160 };

enum tape_kind {
	TAPE_NAMES,       /* `to` means the file from now on, `from` means nothing any more; either may be "" */
	TAPE_DATA,        /* the file has n bytes; those from offset on are these */
	TAPE_FLUSH,       /* of the file */
	TAPE_FLUSH_NAMES, /* of the folder `to` */
};

struct tape_event {
	enum tape_kind kind;
	int file;
	char from[TAPE_PATH], to[TAPE_PATH];
	size_t n, offset, count;
	char *bytes;
};

struct tape {
	const char *const *folders; /* ended by NULL; folders in them are not looked at */
	struct tape_event *events;
	size_t count, room;
	size_t before; /* the first events, this many, make the folders as they were when recording began; all of that is flushed */
	int files;
};

/* Writes down what is in the folders now. */
void tape_begin(struct tape *t, const char *const *folders);
/* Starts a program; tape_until watches it and its descendants. */
pid_t tape_spawn(const char *log, const char *const *argv);
/* Records until this process has ended: its exit status, or 128 and its signal; -1 when nothing has happened for ms. */
int tape_until(struct tape *t, pid_t pid, int ms);
/* Kills all that still runs. */
void tape_stop(void);
/* Are the folders what the tape says?  Then nothing went past it. */
bool tape_whole(struct tape *t);
void tape_free(struct tape *t);

#endif
