/*
 * import.c - taking over an existing book that was exported as CSV.
 *
 * The files are read into TEMP tables without holding a guest up (import_load.c).  Then, with the pen in hand and in one
 * transaction, the steps of db/sql/import.inc find what cannot be imported, plan what is put in order, and write it.
 * Every row goes into the book in its final state, so the book's own defences stand all the time: no index and no
 * trigger ever meets a row that it would refuse.
 */
#include "import.h"

#include "import_job.h"
#include "txn.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PROBLEMS_TOLD = 20, /* of each kind */
	SENTENCE_SIZE = 2000,
	CHUNK_LINES = 5000,
	DRAWS_MAX = 100,
};

enum action { PROBLEM, REPAIR, RUN, INSERT, UNTIL_DONE };

static const struct step {
	enum sql_id sql;
	enum action action;
	int repair; /* enum import_repair */
	enum import_table file;
} steps[] = {
#define REPAIR_0 0
#define SQL(name, ...)
#define STEP(name, action, repair, file, ...) {SQL_##name, action, REPAIR_##repair, IMPORT_##file},
#include "sql/import.inc"
#undef STEP
#undef SQL
#undef REPAIR_0
};
enum { STEPS = sizeof steps / sizeof steps[0] };

/* ---- what is told ---- */

/* The notes of this kind of problem; what comes after the last kind shares its place. */
static struct import_notes *problems_of(struct import_job *j, const void *kind)
{
	size_t i = 0;

	while (i < IMPORT_KINDS_MAX - 1 && j->problems[i].kind && j->problems[i].kind != kind)
		i++;
	j->problems[i].kind = kind;
	return &j->problems[i].notes;
}

static const char *name_of(const struct import_job *j, enum import_table file)
{
	return file < IMPORT_TABLE__MAX ? j->files[file].name : NULL;
}

static void note_problem(struct import_job *j, const void *kind, enum import_table file, int64_t line, const char *sentence)
{
	j->problem_count++;
	import_notes_add(problems_of(j, kind), PROBLEMS_TOLD, name_of(j, file), line, sentence);
}

void import_problem(struct import_job *j, enum import_table file, int64_t line, const char *format, ...)
{
	char sentence[SENTENCE_SIZE];
	va_list ap;

	va_start(ap, format);
	vsnprintf(sentence, sizeof sentence, format, ap);
	va_end(ap);
	note_problem(j, format, file, line, sentence);
}

static const struct {
	size_t told;
	const char *title;
} repairs[REPAIR__MAX] = {
#define X(word, told, title) [REPAIR_##word] = {told, title},
	IMPORT_REPAIR_LIST(X)
#undef X
};

void import_repaired(struct import_job *j, enum import_repair kind, enum import_table file, int64_t line, const char *format,
		     ...)
{
	char sentence[SENTENCE_SIZE];
	va_list ap;

	assert(kind < REPAIR__MAX);
	va_start(ap, format);
	vsnprintf(sentence, sizeof sentence, format, ap);
	va_end(ap);
	import_notes_add(&j->repairs[kind], repairs[kind].told, line > 0 ? name_of(j, file) : NULL, line, sentence);
}

void import_progress(const struct import_job *j, const char *file, const char *doing, int64_t row, int64_t rows)
{
	if (j->o->progress)
		j->o->progress(j->o->arg, file, doing, row, rows);
}

/* ---- the steps ---- */

/* Every row of the statement is a line and a sentence. */
static enum err tell_rows(struct import_job *j, const struct step *s)
{
	sqlite3_stmt *rows = stmt_use(j->db, s->sql, "");
	enum err e;

	while (stmt_row(j->db, rows, &e)) {
		const char *sentence;
		int64_t line;

		stmt_take(rows, "iw", &line, &sentence);
		if (s->action == PROBLEM)
			note_problem(j, s, s->file, line, sentence);
		else
			import_repaired(j, (enum import_repair)s->repair, s->file, line, "%s", sentence);
	}
	return e;
}

/* Lines of the file into the book.  *refused: the book refuses one of them, and none was written. */
static enum err insert_lines(struct import_job *j, const struct step *s, int64_t first, int64_t last, bool *refused)
{
	enum err e = stmt_run(j->db, s->sql, "ii", first, last);

	*refused = e != ERR_OK && (sqlite3_extended_errcode(j->db->handle) & 0xff) == SQLITE_CONSTRAINT;
	if (e == ERR_OK)
		j->files[s->file].added += stmt_changes(j->db);
	return *refused ? ERR_OK : e;
}

/* SQLite has undone the whole chunk: one line after the other, so that every one that the book refuses is named. */
static enum err name_refused(struct import_job *j, const struct step *s, int64_t first, int64_t last)
{
	bool refused = false;
	enum err e = ERR_OK;

	for (int64_t line = first; line <= last && e == ERR_OK; line++) {
		e = insert_lines(j, s, line, line, &refused);
		if (refused)
			import_problem(j, s->file, line, "the book refuses this row: %s", db_message(j->db));
	}
	return e;
}

/* What is refused does not stop it: the others may be, too. */
static enum err insert_file(struct import_job *j, const struct step *s)
{
	const struct import_file *f = &j->files[s->file];
	bool refused = false;
	enum err e = ERR_OK;

	for (int64_t first = 1; first <= f->last_line && e == ERR_OK; first += CHUNK_LINES) {
		int64_t last = first + CHUNK_LINES - 1;

		e = insert_lines(j, s, first, last, &refused);
		if (refused)
			e = name_refused(j, s, first, last < f->last_line ? last : f->last_line);
		if (last < f->last_line)
			import_progress(j, f->name, "writing", last, f->last_line);
	}
	return e;
}

/* A code that is drawn twice is left out by the unique index of the plan, and drawn again. */
static enum err run_until_done(struct import_job *j, const struct step *s)
{
	int64_t left = 1;
	enum err e = ERR_OK;

	for (int n = 0; e == ERR_OK && left && n < DRAWS_MAX; n++) {
		e = stmt_run(j->db, s->sql, "");
		if (e == ERR_OK)
			e = stmt_number(j->db, SQL_IMPORT_CODELESS, &left, "");
	}
	return e;
}

static enum err take_step(struct import_job *j, const struct step *s)
{
	switch (s->action) {
	case PROBLEM:
	case REPAIR:
		return tell_rows(j, s);
	case RUN:
		return stmt_run(j->db, s->sql, "");
	case INSERT:
		return insert_file(j, s);
	case UNTIL_DONE:
		return run_until_done(j, s);
	}
	return ERR_INTERNAL;
}

/* All of them in order.  Problems are collected as long as only problems are looked for, so that all are seen at once. */
static enum err take_steps(struct import_job *j)
{
	enum err e = ERR_OK;

	for (size_t i = 0; i < STEPS && e == ERR_OK; i++) {
		if (steps[i].action != PROBLEM && j->problem_count)
			return ERR_BAD_REQUEST;
		import_progress(j, "step", "planning", (int64_t)i + 1, STEPS);
		e = take_step(j, &steps[i]);
	}
	return e == ERR_OK && j->problem_count ? ERR_BAD_REQUEST : e;
}

static enum err write_done(struct import_job *j)
{
	char what[200];

	snprintf(what, sizeof what, "%lld users, %lld slots, %lld reservations, %lld payments, %lld dishes",
		 (long long)j->files[IMPORT_USERS].added, (long long)j->files[IMPORT_SLOTS].added,
		 (long long)j->files[IMPORT_RESERVATIONS].added, (long long)j->files[IMPORT_PAYMENTS].added,
		 (long long)j->files[IMPORT_MENUS].added);
	return stmt_run(j->db, SQL_IMPORT_DONE, "t", what);
}

/* Inside the transaction.  ERR_BAD_REQUEST when there is a problem. */
static enum err carry_out(struct import_job *j, const char *now)
{
	char mark[24];
	enum err e;

	db_touch_settings(j->db);
	snprintf(mark, sizeof mark, "%016llx", (unsigned long long)j->fingerprint);
	e = stmt_run(j->db, SQL_IMPORT_JOB, "ttt", now, j->o->folder, mark);
	if (e == ERR_OK)
		e = take_steps(j);
	return e == ERR_OK ? write_done(j) : e;
}

/* ---- the report ---- */

static void tell_files(const struct import_job *j, struct import_report *out)
{
	buf_fmt(&out->text, "%-34s %9s %9s\n", "file", "rows", "added");
	for (int t = 0; t < IMPORT_TABLE__MAX; t++) {
		const struct import_file *f = &j->files[t];

		if (f->there)
			buf_fmt(&out->text, "%-34s %9lld %9lld\n", f->name, (long long)f->rows, (long long)f->added);
		else
			buf_fmt(&out->text, "%-34s %9s\n", f->name, "not there");
		out->rows += f->rows;
	}
	for (int t = 0; t < IMPORT_TABLE__MAX; t++)
		if (j->files[t].ignored.len)
			buf_fmt(&out->text, "\nColumns of %s that were ignored: %s\n", j->files[t].name,
				j->files[t].ignored.data);
}

static void tell_repairs(const struct import_job *j, struct import_report *out)
{
	for (int k = 0; k < REPAIR__MAX; k++) {
		if (!j->repairs[k].rows)
			continue;
		out->repairs += j->repairs[k].rows;
		buf_fmt(&out->text, "\n%s: %lld\n", repairs[k].title, (long long)j->repairs[k].rows);
		import_notes_put(&j->repairs[k], "    ", &out->text);
	}
}

/* The only row of a statement, as numbers. */
static enum err ask_row(struct import_job *j, enum sql_id sql, int64_t *out, int n)
{
	sqlite3_stmt *s = stmt_use(j->db, sql, "");
	enum err e;

	while (stmt_row(j->db, s, &e))
		for (int i = 0; i < n; i++)
			out[i] = stmt_int(s, i);
	return e;
}

/* A line for each currency. */
static enum err tell_money(struct import_job *j, struct import_report *out)
{
	sqlite3_stmt *s = stmt_use(j->db, SQL_IMPORT_MONEY, "");
	const char *line;
	enum err e;

	while (stmt_row(j->db, s, &e)) {
		stmt_take(s, "w", &line);
		buf_fmt(&out->text, "%s\n", line);
	}
	return e;
}

static enum err tell_totals(struct import_job *j, struct import_report *out)
{
	int64_t total[3] = {0}, passwords = 0, keep = 0;
	enum err e = ask_row(j, SQL_IMPORT_TOTAL, total, 3);

	if (e == ERR_OK)
		e = ask_row(j, SQL_IMPORT_PASSWORDS, &passwords, 1);
	if (e == ERR_OK)
		e = ask_row(j, SQL_IMPORT_KEEPS_IDS, &keep, 1);
	if (passwords)
		buf_str(&out->text, "\nPasswords of another system cannot be used here: the imported logins have none yet.\n");
	buf_fmt(&out->text, "\n%lld reservations, of which %lld are active for %lld people.  %lld repairs.\n",
		(long long)total[0], (long long)total[1], (long long)total[2], (long long)out->repairs);
	if (e == ERR_OK && j->files[IMPORT_PAYMENTS].there)
		e = tell_money(j, out);
	buf_fmt(&out->text, "Ids are %s.\n",
		!keep                      ? "new ones, because the book was in use" :
		j->repairs[REPAIR_ID].rows ? "those of the files, except where they were taken (see above)" :
					     "those of the files");
	return e;
}

static enum err tell_all(struct import_job *j, struct import_report *out)
{
	enum err e;

	tell_files(j, out);
	tell_repairs(j, out);
	e = tell_totals(j, out);
	buf_str(&out->text, j->o->dry_run ? "This was a dry run: nothing was changed.\n" : "Everything is in the book.\n");
	return e == ERR_OK && !buf_ok(&out->text) ? ERR_NO_MEMORY : e;
}

static void tell_problems(const struct import_job *j, struct import_report *out)
{
	out->problems = j->problem_count;
	for (int i = 0; i < IMPORT_KINDS_MAX; i++)
		import_notes_put(&j->problems[i].notes, "", &out->text);
}

/* ---- the whole ---- */

/*
 * A long import dirties more pages than fit into memory, so they may be spilled into the log early.  That is switched
 * off everywhere else because SQLite before 3.50.2 can lose a commit in which a spill met a ROLLBACK TO; here nothing is
 * ever rolled back but the whole.  TEMP tables lie in a file; going back to memory drops them.
 */
static enum err set_up(struct db *db, bool importing)
{
	return db_exec(db->handle, importing ? "PRAGMA cache_spill=ON; PRAGMA cache_size=-32000; PRAGMA temp_store=FILE;"
					       "PRAGMA temp.cache_size=-16000" :
					       "PRAGMA cache_spill=OFF; PRAGMA cache_size=-1000; PRAGMA temp_store=MEMORY");
}

static enum err load(struct import_job *j)
{
	enum err e = import_make_tables(j);

	if (e == ERR_OK)
		e = import_set_functions(j, true);
	if (e != ERR_OK)
		return e;
	e = db_read_begin(j->db); /* one transaction for all rows, though only TEMP tables are written */
	if (e != ERR_OK)
		return e;
	e = import_load(j);
	db_read_end(j->db);
	return e == ERR_OK && j->unreadable ? ERR_BAD_REQUEST : e;
}

/* A dry run ends like a failure: rolled back.  The report is told before, while the plan is there. */
static enum err write_book(struct import_job *j, struct import_report *out)
{
	struct txn t;
	enum err e = txn_begin(&t, j->db, j->o->now_s), ended;

	if (e != ERR_OK)
		return e;
	e = carry_out(j, t.now);
	if (e == ERR_OK)
		e = tell_all(j, out);
	ended = txn_end(&t, e == ERR_OK && j->o->dry_run ? ERR_BAD_REQUEST : e);
	return e == ERR_OK && !j->o->dry_run ? ended : e;
}

enum err import_folder(struct db *db, const struct import_options *o, struct import_report *out)
{
	struct import_job *j = calloc(1, sizeof *j);
	enum err e, restored;

	assert(!db->reading);
	*out = (struct import_report){0};
	if (!j)
		return ERR_NO_MEMORY;
	j->db = db;
	j->o = o;
	e = set_up(db, true);
	if (e == ERR_OK)
		e = load(j);
	if (e == ERR_OK)
		e = write_book(j, out);
	if (j->problem_count) {
		buf_clear(&out->text);
		tell_problems(j, out);
		e = ERR_BAD_REQUEST;
	}
	stmt_finalize_all(db); /* statements on tables that are about to go */
	import_set_functions(j, false);
	restored = set_up(db, false);
	import_free_files(j);
	for (int k = 0; k < REPAIR__MAX; k++)
		import_notes_free(&j->repairs[k]);
	for (int i = 0; i < IMPORT_KINDS_MAX; i++)
		import_notes_free(&j->problems[i].notes);
	free(j);
	return e == ERR_OK ? restored : e;
}
