/*
 * csv.h - comma-separated values as RFC 4180 has them: reading and writing.
 *
 * Commas between the cells, a cell in double quotes may hold commas, line breaks and doubled quotes;
 * lines end with LF or CRLF; a UTF-8 mark at the very beginning is skipped.  The first row names the
 * columns, and every other row has exactly as many cells.  Nothing is guessed: a quote in the middle
 * of a cell, a bare carriage return, a NUL or a byte that is not UTF-8 ends the reading, and `error`
 * and `line` say where.  An empty line is no row, unless there is only one column.
 *
 *	csv_init(&c, read_file, f);
 *	if (csv_header(&c)) {
 *		name = csv_column(&c, "name|user_name");
 *		while ((got = csv_row(&c)) == CSV_ROW)
 *			... csv_cell(&c, name) ...
 *	}
 *	csv_free(&c);
 */
#ifndef JARI_CSV_H
#define JARI_CSV_H

#include "buf.h"

#include <stdint.h>
#include <sys/types.h>

enum {
	CSV_COLUMNS_MAX = 100,
	CSV_ROW_MAX = 1 << 20, /* bytes; a quote that is never closed ends here at the latest */
	CSV_CHUNK = 16384,
};

enum csv_got { CSV_ROW, CSV_END, CSV_BAD };

/* Up to n bytes of the text; 0 at its end, -1 when it cannot be read. */
typedef ssize_t csv_read(void *arg, char *out, size_t n);

struct csv {
	csv_read *read;
	void *arg;
	struct buf names, cells; /* each ends with a NUL */
	size_t columns, count;   /* of the header, of the present row */
	struct {
		size_t name, cell; /* offsets into names and cells */
		bool quoted, asked;
	} column[CSV_COLUMNS_MAX];
	int64_t line; /* where the present row begins, from 1 */
	char error[160];
	/* private */
	int64_t next_line;
	size_t at, have;
	char chunk[CSV_CHUNK];
};

void csv_init(struct csv *c, csv_read *read, void *arg);
void csv_free(struct csv *c);

/* The first row.  False: `error` says why. */
bool csv_header(struct csv *c);
/* The next row; its cells live until the one after it. */
enum csv_got csv_row(struct csv *c);

/*
 * The column of that name, or of the first of several ("phone|tel") that is there; -1 when none is.
 * slot_id also finds slotId and SLOT_ID.
 */
int csv_column(struct csv *c, const char *names);
/* As the header spells it. */
const char *csv_name(const struct csv *c, int column);
/* The first column from `column` on that was never asked for; -1 when there is none. */
int csv_unasked(const struct csv *c, int column);

/* "" for a column of -1, and for the NULL of a database: NULL, null or \N without quotes. */
const char *csv_cell(const struct csv *c, int column);

/* The UTF-8 mark of a file that is written: without it a Korean Excel takes the text for another alphabet. */
#define CSV_MARK "\xef\xbb\xbf"
/*
 * Writes one cell and what follows it, a comma or the line's end.  A text that begins as a formula does would be carried out by
 * a spreadsheet: it gets an apostrophe, which spreadsheets show as text.
 */
void csv_put(struct buf *out, const char *cell, bool is_text, bool last);

#endif
