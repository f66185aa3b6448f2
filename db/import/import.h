/*
 * import.h - taking over an existing book that was exported as CSV.
 *
 * Every row is kept.  What breaks a rule of this book is repaired, said in the report and written
 * into the audit; what cannot be understood, or has lost its parent, is named by file and line, and
 * then nothing at all is imported.  docs/import.md tells the owner the rules.
 */
#ifndef JARI_IMPORT_H
#define JARI_IMPORT_H

#include "buf.h"
#include "db.h"

struct import_options {
	const char *folder;
	bool dry_run; /* everything is done, reported and rolled back */
	int64_t now_s;
	/* NULL, or called now and then while a long file is read. */
	void (*progress)(void *arg, const char *file, const char *doing, int64_t row, int64_t rows);
	void *arg;
};

struct import_report {
	int64_t rows, repairs, problems;
	struct buf text; /* whole lines for a person: the problems, or else what was imported and repaired */
};

/*
 * One transaction, with the pen in hand.  ERR_BAD_REQUEST: the folder cannot be imported as it is and
 * the report tells why; any other failure is one of the book.  out->text is the caller's to free,
 * whatever the outcome.
 */
enum err import_folder(struct db *db, const struct import_options *o, struct import_report *out);

#endif
