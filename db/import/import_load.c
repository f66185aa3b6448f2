/*
 * import_load.c - the files of an import into TEMP tables.
 *
 * A table for each file, a row for each line, a cell for each column that the tables below name.  A cell that makes no
 * sense is told and stays NULL; the row is kept, so that its children do not complain as well: with a problem nothing is
 * imported anyway.
 */
#include "import_job.h"

#include "hash.h"
#include "life.h"
#include "settings.h"

#include <assert.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum { PROGRESS_ROWS = 5000 };

extern const char embed_import_tables[];

/* clang-format off */
static const struct import_column restaurants[] = {
	{"id",            "restaurant_id|id",  CELL_ID,   0, 0, true, NULL},
	{"name",          "name",              CELL_TEXT, 0, 80, false, NULL},
	{"name_en",       "name_en",           CELL_TEXT, 0, 80, false, NULL},
	{"phone",         "phone",             CELL_TEXT, 0, 20, false, NULL},
	{"address",       "address",           CELL_TEXT, 0, 200, false, NULL},
	{"address_en",    "address_en",        CELL_TEXT, 0, 200, false, NULL},
	{"timezone",      "timezone",          CELL_ZONE, 0, 0, false, NULL},
	{"currency",      "currency",          CELL_CURRENCY, 0, 0, false, NULL},
#define X(name, min, max, fallback, help) {#name, #name, CELL_SETTING, min, max, false, #fallback},
	SETTINGS_LIST(X)
#undef X
};
static const struct import_column menus[] = {
	{"id",            "menu_id|id",        CELL_ID,   0, 0, true, NULL},
	{"restaurant_id", "restaurant_id",     CELL_ID,   0, 0, true, NULL},
	{"name",          "name|menu_name",    CELL_TEXT, 0, 80, true, NULL},
	{"name_en",       "name_en",           CELL_TEXT, 0, 80, false, NULL},
	{"description",   "description",       CELL_TEXT, 0, 200, false, NULL},
	{"price",         "price",             CELL_MONEY, 0, 0, false, NULL},
	{"position",      "position",          CELL_NUMBER, -1000000, 1000000, false, NULL},
	{"is_deleted",    "is_deleted|deleted", CELL_FLAG, 0, 0, false, NULL},
};
static const struct import_column users[] = {
	{"id",            "user_id|id",        CELL_ID,   0, 0, true, NULL},
	{"user_type",     "user_type|role|type", CELL_WORD, 0, 0, false, NULL},
	{"restaurant_id", "restaurant_id",     CELL_ID,   0, 0, false, NULL},
	{"name",          "name|user_name|username|nickname", CELL_TEXT, 0, 40, false, NULL},
	{"phone",         "phone|phone_number|tel|mobile", CELL_PHONE, 0, 40, false, NULL},
	{"email",         "email",             CELL_EMAIL, 0, 254, false, NULL},
	{"password",      "password_hash|password", CELL_WORD, 0, 0, false, NULL},
	{"language",      "language",          CELL_WORD, 0, 0, false, NULL},
	{"is_blocked",    "is_blocked|blocked", CELL_FLAG, 0, 0, false, NULL},
	{"note",          "note",              CELL_TEXT, 0, 400, false, NULL},
	{"created_at",    "created_at",        CELL_INSTANT, 0, 0, false, NULL},
	{"erased_at",     "erased_at",         CELL_INSTANT, 0, 0, false, NULL},
};
static const struct import_column slots[] = {
	{"id",            "slot_id|id",        CELL_ID,   0, 0, true, NULL},
	{"restaurant_id", "restaurant_id",     CELL_ID,   0, 0, true, NULL},
	{"slot_date",     "slot_date",         CELL_DATE, 0, 0, true, NULL},
	{"slot_time",     "slot_time",         CELL_TIME, 0, 0, true, NULL},
	{"max_capacity",  "max_capacity",      CELL_NUMBER, 0, 1000000, false, NULL},
	{"created_at",    "created_at",        CELL_INSTANT, 0, 0, false, NULL},
	{"updated_at",    "updated_at",        CELL_INSTANT, 0, 0, false, NULL},
};
static const struct import_column reservations[] = {
	{"id",            "reservation_id|id", CELL_ID,   0, 0, true, NULL},
	{"reservation_code", "reservation_code", CELL_TEXT, 0, 40, false, NULL},
	{"slot_id",       "slot_id",           CELL_ID,   0, 0, true, NULL},
	{"user_id",       "user_id",           CELL_ID,   0, 0, true, NULL},
	{"party_size",    "party_size",        CELL_NUMBER, 1, 1000, true, NULL},
	{"reservation_type", "reservation_type", CELL_WORD, 0, 0, false, NULL},
	{"status",        "status",            CELL_WORD, 0, 0, true, NULL},
	{"request_message", "request_message", CELL_TEXT, 0, 50, false, NULL},
	{"deposit_amount", "deposit_amount",   CELL_MONEY, 0, 0, false, NULL},
	{"prepay_amount", "prepay_amount",     CELL_MONEY, 0, 0, false, NULL},
	{"total_amount",  "total_amount",      CELL_MONEY, 0, 0, false, NULL},
	{"currency",      "currency",          CELL_WORD, 0, 0, false, NULL},
	{"refund_policy", "refund_policy",     CELL_POLICY, 0, 0, false, NULL},
	{"hold_expires_at", "hold_expires_at", CELL_INSTANT, 0, 0, false, NULL},
	{"visit_status",  "visit_status",      CELL_WORD, 0, 0, false, NULL},
	{"created_at",    "created_at",        CELL_INSTANT, 0, 0, false, NULL},
	{"updated_at",    "updated_at",        CELL_INSTANT, 0, 0, false, NULL},
};
static const struct import_column payments[] = {
	{"id",            "payment_id|id",     CELL_ID,   0, 0, true, NULL},
	{"reservation_id", "reservation_id",   CELL_ID,   0, 0, true, NULL},
	{"provider",      "provider|pg_provider|payment_provider", CELL_WORD, 0, 0, false, NULL},
	{"provider_payment_id", "provider_payment_id|imp_uid|payment_key|pg_tid", CELL_TEXT, 0, 80, false, NULL},
	{"amount",        "amount|paid_amount", CELL_MONEY, 0, 0, true, NULL},
	{"currency",      "currency",          CELL_WORD, 0, 0, false, NULL},
	{"status",        "status|payment_status", CELL_WORD, 0, 0, true, NULL},
	{"kept_amount",   "kept_amount",       CELL_MONEY, 0, 0, false, NULL},
	{"refunded_amount", "refunded_amount|refund_amount|cancel_amount|canceled_amount|cancelled_amount", CELL_MONEY, 0, 0, false, NULL},
	{"due_back_amount", "due_back_amount", CELL_MONEY, 0, 0, false, NULL},
	{"paid_at",       "paid_at|approved_at", CELL_INSTANT, 0, 0, false, NULL},
	{"refunded_at",   "refunded_at|canceled_at|cancelled_at", CELL_INSTANT, 0, 0, false, NULL},
	{"note",          "note",              CELL_TEXT, 0, 200, false, NULL},
	{"created_at",    "created_at|requested_at", CELL_INSTANT, 0, 0, false, NULL},
};
static const struct import_column items[] = {
	{"reservation_id", "reservation_id",   CELL_ID,   0, 0, true, NULL},
	{"menu_id",       "menu_id",           CELL_ID,   0, 0, true, NULL},
	{"menu_name",     "menu_name|name",    CELL_TEXT, 0, 80, false, NULL},
	{"unit_price",    "unit_price|price",  CELL_MONEY, 0, 0, false, NULL},
	{"quantity",      "quantity|qty",      CELL_NUMBER, 1, 1000, true, NULL},
	{"line_amount",   "line_amount",       CELL_MONEY, 0, 0, false, NULL},
};

#define COLUMNS(list) list, sizeof list / sizeof list[0]
static const struct {
	const char *name, *table;
	const struct import_column *columns;
	size_t column_count;
	const char *of_book; /* what stands in for the file when it is not there but its children are */
} files[IMPORT_TABLE__MAX] = {
[IMPORT_RESTAURANTS] =  {"restaurants.csv", "restaurants", COLUMNS(restaurants), ""},
[IMPORT_MENUS] =        {"menus.csv", "menus", COLUMNS(menus),
	"INSERT INTO in_menus (line, id, new_id) SELECT -menu_id, menu_id, menu_id FROM menus"},
[IMPORT_USERS] =        {"users.csv", "users", COLUMNS(users),
	"INSERT INTO in_users (line, id, new_id) SELECT -user_id, user_id, user_id FROM users"},
[IMPORT_SLOTS] =        {"restaurant_reservation_slots.csv", "slots", COLUMNS(slots),
	"INSERT INTO in_slots (line, id, new_id, restaurant, slot_date, slot_time) SELECT -slot_id, slot_id, slot_id, restaurant_id,"
	" slot_date, slot_time FROM restaurant_reservation_slots"},
[IMPORT_RESERVATIONS] = {"reservations.csv", "reservations", COLUMNS(reservations),
	"INSERT INTO in_reservations (line, id, new_id) SELECT -reservation_id, reservation_id, reservation_id FROM reservations"},
[IMPORT_PAYMENTS] =     {"payments.csv", "payments", COLUMNS(payments), ""},
[IMPORT_ITEMS] =        {"reservation_menu_items.csv", "items", COLUMNS(items), ""},
};
/* clang-format on */

/* Every column of restaurants that is a policy, and every state that needs no other spelling. */
static enum err complete_tables(sqlite3 *handle)
{
	char sql[160];
	enum err e = ERR_OK;

	for (size_t i = 0; i < settings_count && e == ERR_OK; i++) {
		snprintf(sql, sizeof sql, "ALTER TABLE in_restaurants ADD COLUMN %s INTEGER", settings_rows[i].name);
		e = db_exec(handle, sql);
	}
	for (int s = 0; s < LIFE__MAX && e == ERR_OK; s++) {
		const char *word = life_word((enum life)s);

		snprintf(sql, sizeof sql, "INSERT INTO spelled VALUES ('status', '%s', '%s')", word, word);
		e = db_exec(handle, sql);
	}
	return e;
}

enum err import_make_tables(struct import_job *j)
{
	enum err e = db_exec(j->db->handle, embed_import_tables);

	for (int t = 0; t < IMPORT_TABLE__MAX; t++) {
		j->files[t].name = files[t].name;
		j->files[t].table = files[t].table;
		j->files[t].columns = files[t].columns;
		j->files[t].column_count = files[t].column_count;
		assert(files[t].column_count <= IMPORT_COLUMNS_MAX);
	}
	return e == ERR_OK ? complete_tables(j->db->handle) : e;
}

void import_free_files(struct import_job *j)
{
	for (int t = 0; t < IMPORT_TABLE__MAX; t++)
		buf_free(&j->files[t].ignored);
}

/* ---- one file ---- */

struct source {
	FILE *stream;
	uint64_t *fingerprint;
};

static ssize_t read_source(void *arg, char *out, size_t n)
{
	struct source *s = arg;
	size_t got = fread(out, 1, n, s->stream);

	for (size_t i = 0; i < got; i++)
		*s->fingerprint = hash_number(*s->fingerprint, (unsigned char)out[i]);
	return got == 0 && ferror(s->stream) ? -1 : (ssize_t)got;
}

/* INSERT INTO in_users (line, id, ...) VALUES (?, ?, ...) */
static enum err prepare_row(struct import_job *j, const struct import_file *f, sqlite3_stmt **row)
{
	struct buf sql = {0};
	int rc;

	buf_fmt(&sql, "INSERT INTO in_%s (line", f->table);
	for (size_t i = 0; i < f->column_count; i++)
		buf_fmt(&sql, ", %s", f->columns[i].name);
	buf_str(&sql, ") VALUES (?");
	for (size_t i = 0; i < f->column_count; i++)
		buf_str(&sql, ", ?");
	buf_str(&sql, ")");
	rc = buf_ok(&sql) ? sqlite3_prepare_v2(j->db->handle, sql.data, -1, row, NULL) : SQLITE_NOMEM;
	buf_free(&sql);
	return db_error(j->db->handle, rc);
}

/* Which columns of the file are ours; false when one that must be there is not. */
static bool find_columns(struct import_job *j, enum import_table t, struct csv *csv)
{
	struct import_file *f = &j->files[t];
	bool all = true;

	for (size_t i = 0; i < f->column_count; i++) {
		const struct import_column *c = &f->columns[i];

		f->at[i] = csv_column(csv, c->names);
		if (f->at[i] >= 0)
			snprintf(f->spelled[i], sizeof f->spelled[i], "%s", csv_name(csv, f->at[i]));
		else if (c->needed) {
			import_problem(j, t, csv->line, "there is no column %.*s", (int)strcspn(c->names, "|"), c->names);
			all = false;
		}
	}
	for (int i = csv_unasked(csv, 0); i >= 0; i = csv_unasked(csv, i + 1))
		buf_fmt(&f->ignored, "%s%s", f->ignored.len ? ", " : "", csv_name(csv, i));
	return all;
}

/* Which deposit an empty cell stands for depends on the currency of its row. */
static bool is_amount(const struct import_column *column)
{
	return column->kind == CELL_SETTING && settings_is_money(settings_find(column->name));
}

/* A row without a readable id is reported and left out. */
static enum err load_row(struct import_job *j, enum import_table t, const struct csv *csv, sqlite3_stmt *row)
{
	const struct import_file *f = &j->files[t];
	int rc;

	assert(csv->line > 0);
	sqlite3_reset(row);
	sqlite3_clear_bindings(row);
	sqlite3_bind_int64(row, 1, csv->line);
	for (size_t i = 0; i < f->column_count; i++) {
		const struct import_column *column = &f->columns[i];
		struct import_cell c = {j, t, csv->line, column, f->spelled[i], csv_cell(csv, f->at[i]), row, (int)i + 2};

		if (!*c.cell && column->fallback && !is_amount(column))
			c.cell = column->fallback;
		if (!import_take_cell(&c) && i == 0 && column->kind == CELL_ID && strcmp(column->name, "id") == 0)
			return ERR_OK;
	}
	rc = sqlite3_step(row);
	sqlite3_reset(row);
	return db_error(j->db->handle, rc);
}

/* keep false: the rows are only read to their end, to see whether the file is whole. */
static enum err load_rows(struct import_job *j, enum import_table t, struct csv *csv, bool keep)
{
	struct import_file *f = &j->files[t];
	sqlite3_stmt *row = NULL;
	enum csv_got got = CSV_END;
	enum err e = prepare_row(j, f, &row);

	while (e == ERR_OK && (got = csv_row(csv)) == CSV_ROW) {
		if (keep)
			e = load_row(j, t, csv, row);
		f->last_line = csv->line;
		if (++f->rows % PROGRESS_ROWS == 0)
			import_progress(j, f->name, "reading", f->rows, 0);
	}
	if (got == CSV_BAD) {
		import_problem(j, t, csv->line, "%s", csv->error);
		j->unreadable = true;
	}
	sqlite3_finalize(row);
	return e;
}

static enum err load_file(struct import_job *j, enum import_table t)
{
	struct import_file *f = &j->files[t];
	struct source source = {.fingerprint = &j->fingerprint};
	struct csv csv;
	char path[4352];
	enum err e = ERR_OK;

	snprintf(path, sizeof path, "%s/%s", j->o->folder, f->name);
	source.stream = fopen(path, "rbe");
	if (!source.stream) {
		if (errno != ENOENT)
			import_problem(j, t, 0, "%s", strerror(errno));
		return ERR_OK;
	}
	f->there = true;
	j->fingerprint = hash_number(j->fingerprint, hash_text(HASH_START, f->name) >> 1 | 1);
	csv_init(&csv, read_source, &source);
	if (!csv_header(&csv)) {
		import_problem(j, t, csv.line, "%s", csv.error);
		j->unreadable = true;
	} else {
		bool all = find_columns(j, t, &csv);

		j->unreadable |= !all;
		e = load_rows(j, t, &csv, all);
	}
	csv_free(&csv);
	fclose(source.stream);
	return e == ERR_OK && !buf_ok(&f->ignored) ? ERR_NO_MEMORY : e;
}

/* Without its file, the ids of a table in other files are those of the book. */
static enum err take_from_book(struct import_job *j)
{
	static const struct {
		enum import_table table, child, other_child;
	} stand_ins[] = {
		{IMPORT_MENUS, IMPORT_ITEMS, IMPORT_ITEMS},
		{IMPORT_USERS, IMPORT_RESERVATIONS, IMPORT_RESERVATIONS},
		{IMPORT_SLOTS, IMPORT_RESERVATIONS, IMPORT_RESERVATIONS},
		{IMPORT_RESERVATIONS, IMPORT_PAYMENTS, IMPORT_ITEMS},
	};
	enum err e = ERR_OK;

	for (size_t i = 0; i < sizeof stand_ins / sizeof stand_ins[0] && e == ERR_OK; i++)
		if (!j->files[stand_ins[i].table].there &&
		    (j->files[stand_ins[i].child].there || j->files[stand_ins[i].other_child].there))
			e = db_exec(j->db->handle, files[stand_ins[i].table].of_book);
	return e;
}

enum err import_load(struct import_job *j)
{
	bool any = false;
	enum err e = ERR_OK;

	j->fingerprint = HASH_START;
	for (int t = 0; t < IMPORT_TABLE__MAX && e == ERR_OK; t++) {
		e = load_file(j, (enum import_table)t);
		any |= j->files[t].there;
	}
	if (e == ERR_OK && !any && !j->problem_count)
		import_problem(j, IMPORT_FOLDER, 0,
			       "%s has none of the files users.csv, restaurant_reservation_slots.csv, reservations.csv,"
			       " payments.csv, menus.csv, restaurants.csv, reservation_menu_items.csv",
			       j->o->folder);
	return e == ERR_OK ? take_from_book(j) : e;
}
