/*
 * import_job.h - what the files of the import share: one import from its beginning to its end.
 *
 * A failure of the book or of memory ends the import at once; what is wrong with the folder is counted in `problems`
 * and does not stop the reading, so that a person sees all of it at once.
 */
#ifndef JARI_IMPORT_JOB_H
#define JARI_IMPORT_JOB_H

#include "clock.h"
#include "code.h"
#include "csv.h"
#include "import.h"
#include "import_notes.h"
#include "money.h"

struct sqlite3_stmt;

/* In the order they are read and written: parents first. */
enum import_table {
	IMPORT_RESTAURANTS,
	IMPORT_MENUS,
	IMPORT_USERS,
	IMPORT_SLOTS,
	IMPORT_RESERVATIONS,
	IMPORT_PAYMENTS,
	IMPORT_ITEMS,
	IMPORT_TABLE__MAX,
	IMPORT_FOLDER = IMPORT_TABLE__MAX, /* the folder as a whole */
};

/* clang-format off */
#define IMPORT_REPAIR_LIST(X) \
	/* what, how many different sentences are told, the title of all */ \
	X(DUPLICATE, 200, "Active duplicates of one guest and slot canceled") \
	X(OVERFULL,  200, "Slots given the seats that were sold in them") \
	X(EXPIRED,    50, "Holds past their time expired") \
	X(STATUS,     10, "States spelled otherwise") \
	X(TOTAL,     200, "Totals that were not deposit + prepayment") \
	X(CODE,       50, "Reservation codes made new") \
	X(LOGIN,     200, "Accounts that became guests") \
	X(MONEY,     200, "Payments put in order") \
	X(MERGED,     50, "Rows that are one and the same here") \
	X(ID,         50, "Ids that were taken") \
	X(CELL,      200, "Cells that did not fit")
/* clang-format on */

enum import_repair {
#define X(word, told, title) REPAIR_##word,
	IMPORT_REPAIR_LIST(X) REPAIR__MAX
#undef X
};

enum import_kind {
	CELL_ID,
	CELL_NUMBER, /* from min to max */
	CELL_DATE,
	CELL_TIME,
	CELL_MONEY,
	CELL_INSTANT,
	CELL_FLAG,
	CELL_TEXT, /* one line of at most max characters */
	CELL_WORD,
	CELL_PHONE,
	CELL_EMAIL,
	CELL_ZONE,
	CELL_CURRENCY,
	CELL_SETTING,
	CELL_POLICY,
};

/* A column that is read from a file into its TEMP table. */
struct import_column {
	const char *name;  /* in the TEMP table */
	const char *names; /* in the file, for csv_column */
	enum import_kind kind;
	int64_t min, max;
	bool needed;          /* the file must have it */
	const char *fallback; /* the cell that an empty one counts as, or NULL */
};

enum { IMPORT_COLUMNS_MAX = 64, IMPORT_KINDS_MAX = 64 };

/* A file of the folder. */
struct import_file {
	const char *name, *table; /* "users.csv", "users" for in_users */
	const struct import_column *columns;
	size_t column_count;
	bool there;
	int64_t rows, last_line, added;
	int at[IMPORT_COLUMNS_MAX];           /* columns of the file, -1: not there */
	char spelled[IMPORT_COLUMNS_MAX][80]; /* as the file spells them */
	struct buf ignored;                   /* columns that the import does not know */
};

struct import_job {
	struct db *db;
	const struct import_options *o;
	bool unreadable; /* a file is broken or lacks a column: its rows cannot be judged */
	struct import_file files[IMPORT_TABLE__MAX];
	uint64_t fingerprint; /* of all bytes of the folder, so that the same one is known again */
	int64_t policy_of;    /* the restaurant whose frozen policy is kept here */
	char policy[MONEY_POLICY_SIZE];
	struct code_pool codes;
	int64_t problem_count;
	struct {
		const void *kind; /* the step, or the words, that found it */
		struct import_notes notes;
	} problems[IMPORT_KINDS_MAX];
	struct import_notes repairs[REPAIR__MAX];
};

/* ---- import.c ---- */

/* file IMPORT_FOLDER, or line 0: that part is not told. */
void import_problem(struct import_job *j, enum import_table file, int64_t line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void import_repaired(struct import_job *j, enum import_repair kind, enum import_table file, int64_t line, const char *format,
		     ...) __attribute__((format(printf, 5, 6)));
void import_progress(const struct import_job *j, const char *file, const char *doing, int64_t row, int64_t rows);

/* ---- import_load.c ---- */

/* The TEMP tables, empty. */
enum err import_make_tables(struct import_job *j);
/* Every file into its TEMP table; what a file does not say, the book's own rows say. */
enum err import_load(struct import_job *j);
void import_free_files(struct import_job *j);

/* ---- import_cells.c ---- */

/* One cell on its way into parameter `at` of the row. */
struct import_cell {
	struct import_job *job;
	enum import_table file;
	int64_t line;
	const struct import_column *column;
	const char *name, *cell; /* as the file spells them */
	struct sqlite3_stmt *row;
	int at;
};

/* Binds it as its column wants; an empty one is NULL.  False: it makes no sense, which is told. */
bool import_take_cell(struct import_cell *c);
/* The functions that the steps call; off: they must not outlive the job. */
enum err import_set_functions(struct import_job *j, bool on);

#endif
