/*
 * schema.h - the schema of a book, for tests that compare C with SQL.
 */
#ifndef JARI_SCHEMA_H
#define JARI_SCHEMA_H

#include <sqlite3.h>

/* The page; the caller frees it. */
char *schema_text(void);
/* An empty book in memory; the caller closes it. */
sqlite3 *schema_open(void);
/* The first column of the first row as an integer, or -1. */
int schema_int(sqlite3 *db, const char *sql);

#endif
