/*
 * import_notes.h - what an import has to say: each sentence once, with the lines of the files that it is about.
 */
#ifndef JARI_IMPORT_NOTES_H
#define JARI_IMPORT_NOTES_H

#include "buf.h"

#include <stdint.h>

enum { IMPORT_NOTE_LINES = 5 }; /* that are named; the others are counted */

/* A sentence, and where it is true.  lines of 0: of the file, or the folder, as a whole. */
struct import_note {
	char *sentence;
	const char *file; /* its name, or NULL */
	int64_t count, lines[IMPORT_NOTE_LINES];
};

/* Sentences of one kind. */
struct import_notes {
	struct import_note *list;
	size_t count;
	int64_t rows;   /* what was noted in all */
	int64_t untold; /* of those, beyond the sentences that are told */
};

/* At most `told` sentences are kept; more of the same lines of one that is kept cost nothing. */
void import_notes_add(struct import_notes *n, size_t told, const char *file, int64_t line, const char *sentence);
/* One line for each sentence, and one for what is not told. */
void import_notes_put(const struct import_notes *n, const char *indent, struct buf *out);
void import_notes_free(struct import_notes *n);

#endif
