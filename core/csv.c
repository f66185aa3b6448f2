/*
 * csv.c - comma-separated values: reading and writing.
 */
#include "csv.h"

#include "text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { END = -1, FAILED = -2 }; /* beside the bytes that peek() and next() give */

/* What follows a cell. */
enum after { ANOTHER, LAST, BROKEN };

void csv_init(struct csv *c, csv_read *read, void *arg)
{
	*c = (struct csv){.read = read, .arg = arg, .next_line = 1};
}

void csv_free(struct csv *c)
{
	buf_free(&c->names);
	buf_free(&c->cells);
}

static enum after complain(struct csv *c, int64_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));
static enum after complain(struct csv *c, int64_t line, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(c->error, sizeof c->error, format, ap);
	va_end(ap);
	c->line = line;
	return BROKEN;
}

static int peek(struct csv *c)
{
	if (c->at == c->have) {
		ssize_t n = c->read(c->arg, c->chunk, sizeof c->chunk);

		if (n <= 0)
			return n < 0 ? FAILED : END;
		c->at = 0;
		c->have = (size_t)n;
	}
	return (unsigned char)c->chunk[c->at];
}

static int next(struct csv *c)
{
	int ch = peek(c);

	if (ch >= 0)
		c->at++;
	if (ch == '\n')
		c->next_line++;
	return ch;
}

static enum after put(struct csv *c, int ch)
{
	char byte = (char)ch;

	if (ch == '\0')
		return complain(c, c->next_line, "a NUL byte; is this a text file in UTF-8?");
	if (c->cells.len >= CSV_ROW_MAX)
		return complain(c, c->line, "a row of more than %d bytes; is a quote missing?", CSV_ROW_MAX);
	buf_add(&c->cells, &byte, 1);
	return buf_ok(&c->cells) ? ANOTHER : complain(c, c->line, "out of memory");
}

/* The comma or the line end after a cell, ch being its first byte. */
static enum after finish(struct csv *c, int ch)
{
	switch (ch) {
	case ',':
		return ANOTHER;
	case '\n':
	case END:
		return LAST;
	case FAILED:
		return complain(c, c->next_line, "the file cannot be read on");
	case '\r':
		if (next(c) == '\n')
			return LAST;
		return complain(c, c->next_line, "a carriage return without a line feed");
	default:
		return complain(c, c->next_line, "something follows a closing quote; a quote inside quotes is written twice");
	}
}

static enum after take_quoted(struct csv *c)
{
	int64_t opened = c->next_line;
	int ch;

	for (;;) {
		ch = next(c);
		if (ch == END)
			return complain(c, opened, "a quote that is never closed");
		if (ch == FAILED)
			return finish(c, ch);
		if (ch == '"') {
			if (peek(c) != '"')
				return finish(c, next(c));
			next(c);
		}
		if (put(c, ch) == BROKEN)
			return BROKEN;
	}
}

static enum after take_plain(struct csv *c, int ch)
{
	while (ch != ',' && ch != '\n' && ch != '\r' && ch >= 0) {
		if (ch == '"')
			return complain(c, c->next_line, "a quote inside a cell that does not begin with one");
		if (put(c, ch) == BROKEN)
			return BROKEN;
		ch = next(c);
	}
	return finish(c, ch);
}

static enum after take_cell(struct csv *c)
{
	size_t begin = c->cells.len;
	enum after after;
	int ch;

	if (c->count == CSV_COLUMNS_MAX)
		return complain(c, c->line, "more than %d columns", CSV_COLUMNS_MAX);
	ch = next(c);
	c->column[c->count].cell = begin;
	c->column[c->count].quoted = ch == '"';
	after = ch == '"' ? take_quoted(c) : take_plain(c, ch);
	if (after == BROKEN)
		return BROKEN;
	if (!text_utf8(c->cells.data ? c->cells.data + begin : "", c->cells.len - begin))
		return complain(c, c->line, "cell %zu is not UTF-8 text; save the file as UTF-8", c->count + 1);
	buf_add(&c->cells, "", 1);
	c->count++;
	return buf_ok(&c->cells) ? after : complain(c, c->line, "out of memory");
}

/* The cells of one line, an empty one included. */
static enum csv_got take_row(struct csv *c)
{
	enum after after;
	int ch = peek(c);

	buf_clear(&c->cells);
	c->count = 0;
	c->line = c->next_line;
	if (ch == END)
		return CSV_END;
	do
		after = take_cell(c);
	while (after == ANOTHER);
	return after == BROKEN ? CSV_BAD : CSV_ROW;
}

static bool blank(const struct csv *c)
{
	return c->count == 1 && c->cells.len == 1 && !c->column[0].quoted;
}

enum csv_got csv_row(struct csv *c)
{
	enum csv_got got;

	assert(c->read);
	if (c->error[0])
		return CSV_BAD;
	do
		got = take_row(c);
	while (got == CSV_ROW && c->columns != 1 && blank(c));
	if (got == CSV_ROW && c->columns && c->count != c->columns) {
		complain(c, c->line, "%zu cells where the first row names %zu columns", c->count, c->columns);
		return CSV_BAD;
	}
	return got;
}

/* slotId, SLOT_ID and slot_id are one name: lower case, an underscore where a hump began. */
static void plain_name(const char *name, char *out, size_t size)
{
	size_t n = 0;

	for (const char *p = name; *p && n + 2 < size; p++) {
		bool upper = *p >= 'A' && *p <= 'Z';

		if (upper && p > name && ((p[-1] >= 'a' && p[-1] <= 'z') || (p[-1] >= '0' && p[-1] <= '9')))
			out[n++] = '_';
		out[n++] = upper ? (char)(*p - 'A' + 'a') : *p;
	}
	out[n] = '\0';
}

static int find(const struct csv *c, const char *plain, size_t before)
{
	char name[80];

	for (size_t i = 0; i < before; i++) {
		plain_name(c->names.data + c->column[i].name, name, sizeof name);
		if (strcmp(name, plain) == 0)
			return (int)i;
	}
	return -1;
}

static bool skip_mark(struct csv *c)
{
	static const char mark[] = "\xEF\xBB\xBF";

	if (peek(c) != 0xEF)
		return true;
	for (int i = 0; i < 3; i++)
		if (next(c) != (unsigned char)mark[i])
			return complain(c, 1, "the first row is not UTF-8 text; save the file as UTF-8"), false;
	return true;
}

bool csv_header(struct csv *c)
{
	char name[80];
	enum csv_got got;

	if (!skip_mark(c))
		return false;
	got = csv_row(c);
	if (got == CSV_END)
		complain(c, 1, "the file is empty; its first row must name the columns");
	if (got != CSV_ROW)
		return false;
	for (size_t i = 0; i < c->count; i++) {
		const char *cell = c->cells.data + c->column[i].cell;

		plain_name(cell, name, sizeof name);
		c->column[i].name = c->names.len;
		if (!*name || find(c, name, i) >= 0)
			return complain(c, c->line, "the column \"%.*s\" %s", text_fit(cell, 40), cell,
					*name ? "is there twice" : "has no name"),
			       false;
		buf_add(&c->names, cell, strlen(cell) + 1);
		if (!buf_ok(&c->names))
			return complain(c, c->line, "out of memory"), false;
	}
	c->columns = c->count;
	return true;
}

int csv_column(struct csv *c, const char *names)
{
	char one[80];
	int column = -1;

	for (const char *p = names; *p && column < 0;) {
		size_t n = strcspn(p, "|");

		assert(n < sizeof one);
		memcpy(one, p, n);
		one[n] = '\0';
		column = find(c, one, c->columns);
		p += n + (p[n] == '|');
	}
	if (column >= 0)
		c->column[column].asked = true;
	return column;
}

const char *csv_name(const struct csv *c, int column)
{
	assert(column >= 0 && (size_t)column < c->columns);
	return c->names.data + c->column[column].name;
}

int csv_unasked(const struct csv *c, int column)
{
	for (; (size_t)column < c->columns; column++)
		if (!c->column[column].asked)
			return column;
	return -1;
}

const char *csv_cell(const struct csv *c, int column)
{
	const char *cell;

	if (column < 0)
		return "";
	assert((size_t)column < c->count);
	cell = c->cells.data + c->column[column].cell;
	if (!c->column[column].quoted && (strcmp(cell, "NULL") == 0 || strcmp(cell, "null") == 0 || strcmp(cell, "\\N") == 0))
		return "";
	return cell;
}

/* ---- writing ---- */

/* In the letters of a Korean or Japanese keyboard as well: some spreadsheets take them for the same. */
static bool begins_formula(const char *cell)
{
	static const char *const wide[] = {"\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"}; /* ＝ ＋ － ＠ */

	for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
		if (strncmp(cell, wide[i], 3) == 0)
			return true;
	return *cell && strchr("=+-@\t\r\n", *cell);
}

void csv_put(struct buf *out, const char *cell, bool is_text, bool last)
{
	if (!is_text)
		buf_str(out, cell);
	else {
		buf_str(out, begins_formula(cell) ? "\"'" : "\"");
		for (; *cell; cell++) {
			if (*cell == '"')
				buf_str(out, "\"");
			buf_add(out, cell, 1);
		}
		buf_str(out, "\"");
	}
	buf_str(out, last ? "\r\n" : ",");
}
