/*
 * book.h - a book of its own for a test, and the proof at the end that it is still sound.
 */
#ifndef JARI_TEST_BOOK_H
#define JARI_TEST_BOOK_H

#include "db.h"

struct book {
	char dir[64], path[4096];
	struct hall hall;
	struct db db;
	bool damaged; /* the test broke it on purpose: no check at the end */
};

/* An empty directory in memory; book_remove_dir takes it away with everything in it. */
void book_make_dir(char dir[64]);
void book_remove_dir(const char *dir);

/* For cmocka: the demo restaurant and two guests; _closed leaves the connection to the test. */
int book_setup(void **state);
int book_setup_closed(void **state);
/* Fails the test when check_book finds anything. */
int book_teardown(void **state);

void book_open(struct book *b);
void book_close(struct book *b);

/* Statements on any connection; a failure fails the test.  book_try gives the extended code instead. */
void book_exec(struct sqlite3 *handle, const char *format, ...) __attribute__((format(printf, 2, 3)));
int book_try(struct sqlite3 *handle, const char *format, ...) __attribute__((format(printf, 2, 3)));
int64_t book_int(struct sqlite3 *handle, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Names for a column that end a statement, a string or a line where they are not quoted; a NULL ends them. */
extern const char *const book_nasty_names[];
/* Adds a column of each of those names to a table, with a value in every row. */
void book_add_nasty(struct sqlite3 *handle, const char *table);

/* A connection of any program, without jari's settings. */
struct sqlite3 *book_plain(const char *path);
/* A new book as an early jari made it, of version 1 or 2, without a restaurant; the caller fills and closes it. */
struct sqlite3 *book_make_version(const char *path, int version);
/* PRAGMA integrity_check says ok. */
bool book_whole(struct sqlite3 *handle);

/* Rows by the hundred thousand, in one transaction: the triggers step aside meanwhile, they were tried with every row elsewhere. */
void book_fill(struct book *b, void (*fill)(struct sqlite3 *handle));
/* A slot of restaurant 1 with that many seats; a reservation in it, its number as its code. */
void book_slot(struct sqlite3 *handle, int64_t slot, const char *date, const char *time, int seats);
void book_reservation(struct sqlite3 *handle, int64_t id, int64_t slot, int64_t user, int party, const char *status,
		      const char *hold_expires_at);

/* One small transaction in the pen's hand: a guest more. */
enum err book_add_guest(struct db *db);

/* Whole files. */
void book_write_file(const char *path, const void *bytes, size_t n);
char *book_read_file(const char *path, size_t *n); /* the caller frees it */
void book_copy_file(const char *from, const char *to);

#endif
