/*
 * import.c - taking over an existing book that was exported as CSV.
 *
 * The order of things: every file is read through once, so that a broken one is known before anybody
 * is kept waiting; then, with the pen in hand and in one transaction, parents before children, the
 * reservations twice (import_reservations.c tells why); the report at the end.
 */
#include "import.h"

#include "import_job.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct {
	const char *name, *id, *id_names;
	enum import_sql max;
} tables[IMPORT_TABLE__MAX] = {
[IMPORT_RESTAURANTS] =  {"restaurants.csv", "restaurant_id", "restaurant_id|id", IMPORT_RESTAURANT_MAX},
[IMPORT_MENUS] =        {"menus.csv", "menu_id", "menu_id|id", IMPORT_MENU_MAX},
[IMPORT_USERS] =        {"users.csv", "user_id", "user_id|id", IMPORT_USER_MAX},
[IMPORT_SLOTS] =        {"restaurant_reservation_slots.csv", "slot_id", "slot_id|id", IMPORT_SLOT_MAX},
[IMPORT_RESERVATIONS] = {"reservations.csv", "reservation_id", "reservation_id|id", IMPORT_BOOKING_MAX},
[IMPORT_PAYMENTS] =     {"payments.csv", "payment_id", "payment_id|id", IMPORT_PAYMENT_MAX},
[IMPORT_ITEMS] =        {"reservation_menu_items.csv", NULL, NULL, IMPORT_SQL__MAX},
};

static const char *const repair_titles[REPAIR__MAX] = {
#define X(word, told, title) [REPAIR_##word] = title,
	IMPORT_REPAIR_LIST(X)
#undef X
};
/* clang-format on */

/*
 * A long import dirties more pages than fit into memory, so they may be spilled into the log early.
 * That is switched off everywhere else because SQLite before 3.50.2 can lose a commit in which a
 * spill met a ROLLBACK TO; here nothing is ever rolled back but the whole.
 */
static enum err set_spill(struct db *db, bool on)
{
	const char *sql =
	    on ? "PRAGMA cache_spill=ON; PRAGMA cache_size=-32000" : "PRAGMA cache_spill=OFF; PRAGMA cache_size=-1000";

	return db_error(db->handle, sqlite3_exec(db->handle, sql, NULL, NULL, NULL));
}

/* What must be known of the book before the first row. */
static void prepare(struct import_job *j)
{
	char mark[24];
	sqlite3_stmt *s;

	import_run(j, NULL, IMPORT_EXPIRE_DUE, "t", j->now);
	j->keep_ids = !import_ask(j, IMPORT_BOOK_IN_USE, "");
	for (int t = 0; t < IMPORT_TABLE__MAX; t++) {
		if (!tables[t].id)
			continue;
		j->next_id[t] = import_ask(j, tables[t].max, "") + 1;
		if (j->keep_ids && j->next_id[t] <= j->files[t].max_id)
			j->next_id[t] = j->files[t].max_id + 1;
	}
	snprintf(mark, sizeof mark, "%016llx", (unsigned long long)j->fingerprint);
	s = import_use(j, IMPORT_SEEN, "t", mark);
	while (import_step(j, s))
		import_problem(j, NULL, "%s was imported before, at %s; a second time would book everybody twice",
			       j->o->folder, (const char *)sqlite3_column_text(s, 0));
}

static void read_all(struct import_job *j)
{
	import_restaurants(j);
	import_menus(j);
	import_users(j);
	import_slots(j);
	j->planning = true;
	import_plan_reservations(j);
	import_plan_payments(j);
	import_plan_items(j);
	j->planning = false;
}

static void write_all(struct import_job *j)
{
	char mark[24], what[200];

	import_settle(j);
	import_add_reservations(j);
	import_add_payments(j);
	import_add_items(j);
	snprintf(mark, sizeof mark, "%016llx", (unsigned long long)j->fingerprint);
	snprintf(what, sizeof what, "%lld users, %lld slots, %lld reservations, %lld payments, %lld dishes",
		 (long long)j->files[IMPORT_USERS].added, (long long)j->files[IMPORT_SLOTS].added,
		 (long long)j->files[IMPORT_RESERVATIONS].added, (long long)j->files[IMPORT_PAYMENTS].added,
		 (long long)j->files[IMPORT_MENUS].added);
	import_audit(j, "import", import_ask(j, IMPORT_COUNT, "") + 1, "imported", NULL, mark, what);
}

/* Inside the transaction.  ERR_BAD_REQUEST when there is a problem. */
static enum err carry_out(struct import_job *j)
{
	prepare(j);
	if (j->e == ERR_OK && !j->problem_count)
		read_all(j);
	if (j->e == ERR_OK && !j->problem_count)
		write_all(j);
	for (int i = 0; i < IMPORT_SQL__MAX; i++) {
		sqlite3_finalize(j->statements[i]);
		j->statements[i] = NULL;
	}
	return j->e == ERR_OK && j->problem_count ? ERR_BAD_REQUEST : j->e;
}

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
		int64_t told = 0;

		if (!j->repair_count[k])
			continue;
		for (const char *p = j->repairs[k].data; p && (p = strchr(p, '\n')); p++)
			told++;
		out->repairs += j->repair_count[k];
		buf_fmt(&out->text, "\n%s: %lld\n", repair_titles[k], (long long)j->repair_count[k]);
		if (j->repairs[k].data)
			buf_str(&out->text, j->repairs[k].data);
		if (told < j->repair_count[k])
			buf_fmt(&out->text, "    ... and %lld more like these.\n",
				(long long)(j->repair_count[k] - told));
	}
	if (j->passwords)
		buf_str(&out->text,
			"\nPasswords of another system cannot be used here: nobody who was imported has one yet.\n");
}

static void tell_totals(const struct import_job *j, struct import_report *out)
{
	int64_t active = 0, people = 0, total = 0;

	for (size_t i = 0; i < j->booking_count; i++) {
		const struct import_booking *b = &j->bookings[i];

		total += b->line != 0;
		if (b->line && life_active(b->is)) {
			active++;
			people += b->party;
		}
	}
	buf_fmt(&out->text, "\n%lld reservations, of which %lld are active for %lld people.  %lld repairs.\n",
		(long long)total, (long long)active, (long long)people, (long long)out->repairs);
	if (j->files[IMPORT_PAYMENTS].there)
		buf_fmt(&out->text, "Money in %lld = kept %lld + given back %lld + due back %lld.\n",
			(long long)j->money_in, (long long)j->money_kept, (long long)j->money_back,
			(long long)j->money_due);
	buf_fmt(&out->text, "Ids are %s.\n",
		!j->keep_ids ? "new ones, because the book was in use" :
		j->repair_count[REPAIR_ID] ? "those of the files, except where they were taken (see above)" :
					     "those of the files");
}

static enum err tell(const struct import_job *j, enum err e, struct import_report *out)
{
	int64_t told = 0;

	out->problems = j->problem_count;
	if (j->problem_count) {
		for (const char *p = j->problems.data; p && (p = strchr(p, '\n')); p++)
			told++;
		buf_str(&out->text, j->problems.data ? j->problems.data : "");
		if (told < j->problem_count)
			buf_fmt(&out->text, "... and %lld more.\n", (long long)(j->problem_count - told));
		return ERR_BAD_REQUEST;
	}
	if (e != ERR_OK)
		return e;
	tell_files(j, out);
	tell_repairs(j, out);
	tell_totals(j, out);
	buf_str(&out->text,
		j->o->dry_run ? "This was a dry run: nothing was changed.\n" : "Everything is in the book.\n");
	return buf_ok(&out->text) ? ERR_OK : ERR_NO_MEMORY;
}

static void free_job(struct import_job *j)
{
	for (int t = 0; t < IMPORT_TABLE__MAX; t++) {
		buf_free(&j->files[t].ignored);
		free(j->ids[t].cells);
	}
	for (int k = 0; k < REPAIR__MAX; k++)
		buf_free(&j->repairs[k]);
	buf_free(&j->problems);
	free(j->restaurants);
	free(j->restaurant_at.cells);
	free(j->restaurant_used.cells);
	free(j->slots);
	free(j->slot_at.cells);
	free(j->bookings);
	free(j->codes.cells);
	free(j->items.cells);
	free(j);
}

/* The transaction around it all.  A dry run ends like a failure: rolled back. */
static enum err write_book(struct import_job *j)
{
	enum err e = set_spill(j->db, true), restored;

	if (e == ERR_OK)
		e = db_begin(j->db);
	if (e == ERR_OK) {
		e = carry_out(j);
		if (e == ERR_OK && j->o->dry_run)
			db_end(j->db, ERR_BAD_REQUEST);
		else
			e = db_end(j->db, e);
	}
	restored = set_spill(j->db, false);
	return e == ERR_OK ? restored : e;
}

enum err import_folder(struct db *db, const struct import_options *o, struct import_report *out)
{
	struct import_job *j = calloc(1, sizeof *j);
	enum err e;

	*out = (struct import_report){0};
	if (!j)
		return ERR_NO_MEMORY;
	j->db = db;
	j->o = o;
	clock_iso(o->now_s, j->now);
	for (int t = 0; t < IMPORT_TABLE__MAX; t++) {
		j->files[t].name = tables[t].name;
		j->files[t].id = tables[t].id;
		j->files[t].id_names = tables[t].id_names;
	}
	import_look(j);
	e = j->e;
	if (e == ERR_OK && !j->problem_count)
		e = write_book(j);
	e = tell(j, e, out);
	free_job(j);
	return e;
}
