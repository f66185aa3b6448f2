/*
 * swap.h - another book, and its key, in the place of the present ones: all of it or nothing.
 *
 * A restore changes several names in DIR, and no system call changes two at once.  So everything that comes is written
 * and flushed beside its place first:
 *
 *	jari.db.restored                   the book that comes, in one file, whole and of the present version
 *	secret.key.restored                its key, if that is another one
 *
 * Then DIR/restore.todo appears, by one rename.  From that moment on the new book is the book: a process that finds
 * the file does what is left to do before it opens or writes anything, and takes the file away as the last step:
 *
 *	jari.db          -> jari.db.before-restore-TIME     a second name for the same file: nothing is copied
 *	secret.key       -> secret.key.before-restore-TIME
 *	jari.db-wal      -> jari.db.before-restore-TIME-wal, if anything is in it
 *	jari.db.restored    -> jari.db
 *	secret.key.restored -> secret.key
 *
 * Each step may be done twice and each may be the last one before a crash or a power cut.  The finder is the next process
 * that opens the book (db_open), takes the pen (hall_take_pen) or begins a command.
 *
 * A step that fails (a broken disk) is no crash.  As long as the old book still has its log, the names are put back and the
 * note goes: the old book is served on.  Later the note stays, and no process gets the pen until one has finished.
 */
#ifndef JARI_SWAP_H
#define JARI_SWAP_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

enum { SWAP_PATH = 4400 };

struct swap {
	char tail[64]; /* of the names under which the old ones are kept: ".before-restore-TIME" */
	bool key;      /* secret.key.restored comes as well */
};

/* What comes. */
void swap_book_path(const char *dir, char out[SWAP_PATH]);
void swap_key_path(const char *dir, char out[SWAP_PATH]);

/* A tail that no file of the folder has yet. */
void swap_choose_tail(struct swap *s, const char *dir, int64_t now_s);
/* Where the old book will be. */
void swap_kept_path(const struct swap *s, const char *dir, char out[SWAP_PATH]);

/*
 * Makes the exchange.  The caller holds the pen and has flushed what comes.  ERR_OK: it is done, and on the disk.
 * ERR_RESTORE_BEGUN, and *begun: the next process has to finish it.  Any other error: nothing has changed.
 */
enum err swap_make(const struct swap *s, const char *dir, bool *begun);

/*
 * Which file the book is; 0: none.  A process that asks before swap_finish, and again when it has opened or read what it
 * wanted, and is told the same, had no exchange between.
 */
uint64_t swap_book_id(const char *dir);

/* Is one under way, or left half done? */
bool swap_pending(const char *dir);
/* Finishes one that a crash has left half done; waits for one under way.  ERR_OK also when there is none. */
enum err swap_finish(const char *dir);

/* Removes what a restore that failed or died before its exchange has left; the caller holds the lock of the folder. */
void swap_clear(const char *dir);

/* What SQLite puts beside a book. */
enum { SWAP_BESIDE = 3 };
extern const char *const swap_beside[SWAP_BESIDE];

#endif
