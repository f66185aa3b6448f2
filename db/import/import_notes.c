/*
 * import_notes.c - what an import has to say: each sentence once, with the lines of the files that it is about.
 *
 * A file of ten thousand rows is wrong in the same way ten thousand times.  A person needs the way, how often, and a few
 * lines to look at.
 */
#include "import_notes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The note with this sentence; NULL: there is none. */
static struct import_note *find(struct import_notes *n, const char *file, const char *sentence)
{
	for (size_t i = 0; i < n->count; i++)
		if (n->list[i].file == file && strcmp(n->list[i].sentence, sentence) == 0)
			return &n->list[i];
	return NULL;
}

/* A new one; NULL: no memory, and then it is only counted. */
static struct import_note *add(struct import_notes *n, const char *file, const char *sentence)
{
	struct import_note *list = realloc(n->list, (n->count + 1) * sizeof *list);
	char *copy = strdup(sentence);

	if (list)
		n->list = list;
	if (!list || !copy) {
		free(copy);
		return NULL;
	}
	n->list[n->count] = (struct import_note){.sentence = copy, .file = file};
	return &n->list[n->count++];
}

void import_notes_add(struct import_notes *n, size_t told, const char *file, int64_t line, const char *sentence)
{
	struct import_note *note = find(n, file, sentence);

	assert(told > 0);
	n->rows++;
	if (!note && n->count < told)
		note = add(n, file, sentence);
	if (!note) {
		n->untold++;
		return;
	}
	if (note->count < IMPORT_NOTE_LINES)
		note->lines[note->count] = line;
	note->count++;
}

/* "users.csv line 7: ", "users.csv lines 7, 8 and 240 more: ", "users.csv: " */
static void put_place(const struct import_note *note, struct buf *out)
{
	int64_t named = note->count < IMPORT_NOTE_LINES ? note->count : IMPORT_NOTE_LINES;

	if (!note->file)
		return;
	buf_str(out, note->file);
	if (note->lines[0] > 0)
		buf_str(out, note->count > 1 ? " lines" : " line");
	for (int64_t i = 0; i < named && note->lines[i] > 0; i++)
		buf_fmt(out, "%s %lld", i ? "," : "", (long long)note->lines[i]);
	if (note->count > named)
		buf_fmt(out, " and %lld more", (long long)(note->count - named));
	buf_str(out, ": ");
}

void import_notes_put(const struct import_notes *n, const char *indent, struct buf *out)
{
	for (size_t i = 0; i < n->count; i++) {
		buf_str(out, indent);
		put_place(&n->list[i], out);
		buf_fmt(out, "%s\n", n->list[i].sentence);
	}
	if (n->untold)
		buf_fmt(out, "%s... and %lld more like these.\n", indent, (long long)n->untold);
}

void import_notes_free(struct import_notes *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->list[i].sentence);
	free(n->list);
	*n = (struct import_notes){0};
}
