/*
 * wal.h - the book's log (SQLite's write-ahead log): when it is folded into the book, and by whom.
 */
#ifndef JARI_WAL_H
#define JARI_WAL_H

#include "db.h"

/*
 * The only checkpoint in jari.  The caller holds the pen.  truncate: also give the file's space back.
 * ERR_BOOK_BUSY when a reader kept part of the log; nothing is lost, a later checkpoint goes on.
 * A fault of the disk is left on the board, and the next attempt waits as it does for a reader.
 */
enum err wal_checkpoint_locked(struct db *db, bool truncate);

/*
 * The same for the file of any book, which is about to give way: afterwards its log is empty.  Otherwise the log is as good
 * as before (ERR_BOOK_BUSY: a process reads it) and belongs to the file.  The caller holds the pen.
 */
enum err wal_fold_locked(const char *path);

/*
 * Checkpoints when the log is `times` as long as it should be; for when no guest waits for an answer any more.  What was
 * committed before stands, whatever it returns.
 */
enum err wal_tidy_locked(struct db *db, int times);
/* The same, taking the pen: for the keeper. */
enum err wal_tidy(struct db *db);

/*
 * Moves everything into jari.db itself and empties its log, at the end of a day's work, so that a copy of the
 * one file is the whole book.  Takes the pen.
 */
enum err wal_settle(struct db *db);

#endif
