/*
 * admit.c - may this file be a book?
 */
#include "admit.h"

#include "buf.h"
#include "copy.h"
#include "db.h"
#include "pragmas.h"
#include "shape.h"

#include <ctype.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/*
 * Everything that any version of jari has ever made, in a database in memory.  Text is compared without blanks and quotes:
 * SQLite writes a statement anew when a table changes, and not every version of it does so in the same way.
 */
#define PLAIN(text) "replace(replace(replace(replace(" text ", ' ', ''), char(10), ''), char(9), ''), '\"', '')"

static const char make_list[] = "CREATE TEMP TABLE made (type TEXT, name TEXT, sql TEXT, plain TEXT, version INTEGER)";
#define ADD_TO_LIST(from) \
	"INSERT INTO temp.made SELECT type, name, sql, " PLAIN( \
		"coalesce(sql, '')") ", %d FROM " from ".sqlite_schema WHERE type IN ('table', 'index', 'trigger', 'view')"

/* ?1 type, ?2 name: has jari ever made one?  ?3 text, ?4 version: as it is? */
static const char ask_known[] = "SELECT 1 FROM temp.made WHERE type = ?1 AND name = ?2 LIMIT 1";
static const char ask_same[] = "SELECT 1 FROM temp.made WHERE type = ?1 AND name = ?2 AND version = ?4 AND plain = " PLAIN(
	"?3") " LIMIT 1";

static const char list_all[] = "SELECT coalesce(type, ''), coalesce(name, ''), coalesce(sql, '') FROM sqlite_schema";

const char admit_backup_table[] = "CREATE TABLE jari_backup (made_at TEXT NOT NULL, secret_key BLOB)";

/* One row of a schema. */
struct thing {
	const char *type, *name, *sql;
	int64_t version; /* of its book */
};

static enum err note_version(sqlite3 *handle, int version)
{
	char note[600];
	enum err e = shape_step(handle, version);

	snprintf(note, sizeof note, ADD_TO_LIST("main"), version);
	return e == ERR_OK ? db_exec(handle, note) : e;
}

static enum err note_page(sqlite3 *handle)
{
	char note[600];
	enum err e = shape_attach(handle, DB_VERSION);

	snprintf(note, sizeof note, ADD_TO_LIST("fresh"), DB_VERSION);
	if (e == ERR_OK)
		e = db_exec(handle, note);
	return e == ERR_OK ? shape_detach(handle) : e;
}

/* Made once, and there for as long as this process is. */
static enum err make_known(sqlite3 **known)
{
	static sqlite3 *handle;
	enum err e = ERR_OK;

	if (!handle) {
		e = db_open_plain(":memory:", SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, &handle);
		if (e == ERR_OK)
			e = db_exec(handle, make_list);
		for (int v = 1; e == ERR_OK && v <= DB_VERSION; v++)
			e = note_version(handle, v);
		if (e == ERR_OK)
			e = note_page(handle);
	}
	if (e != ERR_OK) {
		sqlite3_close(handle);
		handle = NULL;
	}
	*known = handle;
	return e;
}

static sqlite3_stmt *ask(sqlite3 *known, const char *sql, const struct thing *t)
{
	sqlite3_stmt *s = NULL;

	if (sqlite3_prepare_v2(known, sql, -1, &s, NULL) != SQLITE_OK)
		return NULL;
	sqlite3_bind_text(s, 1, t->type, -1, SQLITE_TRANSIENT);
	sqlite3_bind_text(s, 2, t->name, -1, SQLITE_TRANSIENT);
	if (sqlite3_bind_parameter_count(s) >= 4) {
		sqlite3_bind_text(s, 3, t->sql, -1, SQLITE_TRANSIENT);
		sqlite3_bind_int64(s, 4, t->version);
	}
	return s;
}

static bool has(sqlite3 *known, const char *sql, const struct thing *t)
{
	sqlite3_stmt *s = ask(known, sql, t);
	bool found = s && sqlite3_step(s) == SQLITE_ROW;

	sqlite3_finalize(s);
	return found;
}

/* What SQLite itself puts into a file. */
static bool is_of_sqlite(const struct thing *t)
{
	if (strcmp(t->type, "index") == 0)
		return !*t->sql && strncmp(t->name, "sqlite_autoindex_", 17) == 0;
	return strcmp(t->type, "table") == 0 && strncmp(t->sql, "CREATE TABLE sqlite_", 20) == 0 &&
	       (strcmp(t->name, "sqlite_sequence") == 0 || strncmp(t->name, "sqlite_stat", 11) == 0);
}

/* The columns of a schema say what they like; SQLite does what the text says. */
static bool is_what_it_says(const struct thing *t)
{
	static const struct {
		const char *type, *begins;
	} kinds[] = {
		{"table", "CREATE TABLE "},     {"index", "CREATE INDEX "}, {"index", "CREATE UNIQUE INDEX "},
		{"trigger", "CREATE TRIGGER "}, {"view", "CREATE VIEW "},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcmp(t->type, kinds[i].type) == 0 && strncmp(t->sql, kinds[i].begins, strlen(kinds[i].begins)) == 0)
			return true;
	return false;
}

/*
 * What is the owner's own of TABLE, a column or a table in its place, an upgrade puts into TABLE_own, TABLE_own2 and so on
 * (shape.c): rows that are read only with TABLE's.
 */
static bool is_own(sqlite3 *known, const struct thing *t)
{
	char of[100];
	size_t n = strlen(t->name);

	while (n > 0 && isdigit((unsigned char)t->name[n - 1]))
		n--;
	if (strcmp(t->type, "table") != 0 || n <= 4 || n >= sizeof of || strncmp(t->name + n - 4, "_own", 4) != 0)
		return false;
	snprintf(of, sizeof of, "%.*s", (int)n - 4, t->name);
	return has(known, ask_known, &(struct thing){.type = t->type, .name = of});
}

/* NULL, or what is wrong with it. */
static const char *judge(sqlite3 *known, const struct thing *t)
{
	bool acts = strcmp(t->type, "trigger") == 0 || strcmp(t->type, "view") == 0;
	bool once = t->version < DB_VERSION && shape_once_ours(t->type, t->name); /* the page of its day had it */

	if (is_of_sqlite(t) || (strcmp(t->name, "jari_backup") == 0 && strcmp(t->sql, admit_backup_table) == 0))
		return NULL;
	if (!is_what_it_says(t) || (!has(known, ask_known, t) && !is_own(known, t) && !once))
		return "is not one of jari's";
	/* An older book has its triggers and views made anew (shape.h); books of some early versions need that. */
	if (acts && t->version == DB_VERSION && !has(known, ask_same, t))
		return "is not as jari made it";
	return NULL;
}

/* Looks at everything in it, up to the first thing that does not belong there. */
static enum err judge_all(sqlite3 *book, sqlite3 *known, char why[ADMIT_WHY])
{
	sqlite3_stmt *s = NULL;
	struct thing t;
	const char *wrong = NULL;
	int64_t version = 0;
	enum err e = db_identify(book, &version);
	int rc;

	if (e == ERR_OK)
		e = db_error(book, sqlite3_prepare_v2(book, list_all, -1, &s, NULL));
	if (e != ERR_OK)
		return e;
	while (!wrong && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		t.version = version;
		stmt_take(s, "www", &t.type, &t.name, &t.sql);
		wrong = judge(known, &t);
		if (wrong)
			snprintf(why, ADMIT_WHY, "%.20s %.100s %s", t.type, t.name, wrong);
	}
	e = wrong ? ERR_BACKUP_STRANGE : db_error(book, rc);
	sqlite3_finalize(s);
	return e;
}

/* First what is in it, then whether it is whole: the second question makes SQLite look into every table. */
enum err admit_file(const char *file, char why[ADMIT_WHY])
{
	sqlite3 *book = NULL;
	sqlite3 *known;
	enum err e = db_open_plain(file, SQLITE_OPEN_READONLY, &book);

	why[0] = '\0';
	if (e == ERR_OK)
		e = pragmas_set(book, PRAGMAS_DISTRUST);
	if (e == ERR_OK)
		e = make_known(&known);
	if (e == ERR_OK)
		e = judge_all(book, known, why);
	if (e == ERR_OK)
		e = copy_prove_whole(book);
	sqlite3_close(book);
	return e;
}

/* The statements that take out what does not belong there: triggers, indexes and views before tables. */
static enum err list_strange(sqlite3 *book, sqlite3 *known, int64_t version, struct buf *drops,
			     void (*tell)(const char *type, const char *name), int *tables)
{
	static const char list[] = "SELECT coalesce(type, ''), coalesce(name, ''), coalesce(sql, ''),"
				   " printf('DROP %s IF EXISTS main.\"%w\";', type, name) FROM sqlite_schema"
				   " ORDER BY instr('trigger index view table', type)";
	sqlite3_stmt *s = NULL;
	const char *drop;
	struct thing t;
	int rc = sqlite3_prepare_v2(book, list, -1, &s, NULL);

	while (rc == SQLITE_OK || rc == SQLITE_ROW) {
		rc = sqlite3_step(s);
		if (rc != SQLITE_ROW)
			break;
		t.version = version;
		stmt_take(s, "wwww", &t.type, &t.name, &t.sql, &drop);
		if (!judge(known, &t))
			continue;
		buf_str(drops, drop);
		*tables += strcmp(t.type, "table") == 0;
		tell(t.type, t.name);
	}
	sqlite3_finalize(s);
	return drops->failed ? ERR_NO_MEMORY : db_error(book, rc);
}

enum err admit_strip(const char *file, void (*tell)(const char *type, const char *name), int *tables)
{
	sqlite3 *book = NULL, *known;
	struct buf drops = {0};
	int64_t version = 0;
	enum err e = db_open_plain(file, 0, &book);

	*tables = 0;
	if (e == ERR_OK)
		e = pragmas_set(book, PRAGMAS_DISTRUST);
	if (e == ERR_OK)
		e = make_known(&known);
	if (e == ERR_OK)
		e = db_identify(book, &version);
	if (e == ERR_OK)
		e = list_strange(book, known, version, &drops, tell, tables);
	if (e == ERR_OK && drops.len)
		e = db_exec(book, "PRAGMA foreign_keys=OFF");
	if (e == ERR_OK && drops.len)
		e = db_exec(book, drops.data);
	buf_free(&drops);
	sqlite3_close(book);
	return e;
}
