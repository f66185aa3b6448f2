/*
 * page.h - the whole schema of a book as this program has it: db/schema.sql, and in it what core/settings.h says.
 */
#ifndef JARI_PAGE_H
#define JARI_PAGE_H

struct sqlite3;

/* The statements that make a new book; NULL when there is no memory. */
const char *page_text(void);

/* plain(sql), for statements: without comments and needless blanks, which SQLite does not look at either, and without quotes. */
void page_add_plain(struct sqlite3 *handle);

#endif
