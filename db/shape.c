/*
 * shape.c - the shape of a book: the words of its tables, indexes, triggers and views.
 *
 * Most of this is SQL that writes SQL: a query gives a statement a row, and run_made() runs them.
 */
#include "shape.h"

#include "db.h"
#include "hash.h"
#include "log.h"
#include "migrate.h"
#include "page.h"

#include <ctype.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/*
 * A name for what is the owner's own of a table, and is not taken: NAME_own, NAME_own2 and so on.  admit.c knows them.
 */
#define OWN_NAME(name) \
	"(WITH RECURSIVE k (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM k WHERE i < 999)" \
	" SELECT printf('%s_own%s', " name ", iif(i = 1, '', i)) AS own FROM k WHERE NOT EXISTS" \
	" (SELECT 1 FROM main.sqlite_schema e WHERE e.name = own COLLATE NOCASE) ORDER BY i LIMIT 1)"

/* What SQLite makes by itself is no part of it. */
#define OURS(t) t ".name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
/* Two tables or indexes are the same if only comments and blanks tell them apart; of triggers and views every letter counts. */
#define SAME(a, b) "iif(" a ".type IN ('table', 'index'), plain(" a ".sql) IS plain(" b ".sql), " a ".sql IS " b ".sql)"
#define SAME_IN(ref) \
	"EXISTS (SELECT 1 FROM " ref ".sqlite_schema w WHERE w.type = m.type AND w.name = m.name AND " SAME("w", "m") ")"
#define NAMED_IN(ref) "EXISTS (SELECT 1 FROM " ref ".sqlite_schema w WHERE w.type = m.type AND w.name = m.name)"
/* Has `was` tables alone? */
#define BARE "NOT EXISTS (SELECT 1 FROM was.sqlite_schema WHERE type = 'trigger')"
/* A trigger that no jari made: a repair drops it. */
#define STRANGE "m.type = 'trigger' AND NOT " NAMED_IN("was") " AND NOT " NAMED_IN("fresh") " AND NOT once_ours(m.type, m.name)"

const char shape_findings[] =
	"SELECT printf('%s %s is missing or not as jari made it', w.type, w.name) FROM fresh.sqlite_schema w"
	" LEFT JOIN main.sqlite_schema m ON m.type = w.type AND m.name = w.name WHERE " OURS(
		"w") " AND m.sql IS NOT w.sql"
		     " UNION ALL SELECT printf('trigger %s is not one of jari''s', m.name) FROM main.sqlite_schema m"
		     " WHERE m.type = 'trigger' AND NOT " NAMED_IN("fresh");

/* ---- statements that write statements ---- */

/* Calls row() with the first column of each row. */
static enum err each(sqlite3 *handle, const char *sql, void (*row)(void *, const char *), void *arg)
{
	sqlite3_stmt *s = NULL;
	const char *first;
	int rc = sqlite3_prepare_v2(handle, sql, -1, &s, NULL);

	if (rc == SQLITE_OK)
		while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
			stmt_take(s, "w*", &first);
			row(arg, first);
		}
	sqlite3_finalize(s);
	return db_error(handle, rc);
}

static void add_text(void *arg, const char *text)
{
	buf_str(arg, text);
	buf_str(arg, "\n");
}

/* Runs the statements that a query gives. */
static enum err run_made(sqlite3 *handle, const char *query)
{
	struct buf made = {0};
	enum err e = each(handle, query, add_text, &made);

	if (e == ERR_OK && made.failed)
		e = ERR_NO_MEMORY;
	if (e == ERR_OK && made.len)
		e = db_exec(handle, made.data);
	buf_free(&made);
	return e;
}

/* Takes out every trigger and view: triggers before the views that they are on. */
static enum err strip(sqlite3 *handle)
{
	return run_made(handle, "SELECT printf('DROP %s main.\"%w\";', type, name) FROM main.sqlite_schema"
				" WHERE type IN ('trigger', 'view') ORDER BY type");
}

/* ---- whose it is ---- */

/* Does a script have those words, whatever the case, with the name as a whole word behind them? */
static bool makes(const char *script, const char *words, const char *name)
{
	char text[200];
	const char *at = script;
	size_t n = (size_t)snprintf(text, sizeof text, "%s %s", words, name);

	while (n < sizeof text && (at = strcasestr(at, text))) {
		at += n;
		if (isspace((unsigned char)*at) || *at == ';')
			return true;
	}
	return false;
}

bool shape_once_ours(const char *type, const char *name)
{
	/* Triggers have names of their own; tables, indexes and views share theirs. */
	static const char *const words[] = {"TRIGGER", "TRIGGER IF EXISTS", "TABLE",         "INDEX",
					    "VIEW",    "INDEX IF EXISTS",   "VIEW IF EXISTS"};
	bool trigger = strcmp(type, "trigger") == 0;

	for (int v = 0; v <= DB_VERSION; v++)
		for (size_t i = trigger ? 0 : 2; i < (trigger ? 2 : sizeof words / sizeof words[0]); i++)
			if (makes(v ? migrate_schema(v) : page_text(), words[i], name))
				return true;
	return false;
}

/* once_ours(type, name), for statements. */
static void once_ours_function(sqlite3_context *context, int count, sqlite3_value **cells)
{
	const char *type = (const char *)sqlite3_value_text(cells[0]), *name = (const char *)sqlite3_value_text(cells[1]);

	(void)count;
	sqlite3_result_int(context, type && name && page_text() && shape_once_ours(type, name));
}

/* ---- what it should be ---- */

enum err shape_step(sqlite3 *handle, int version)
{
	enum err e = version == SHAPE_BARE ? strip(handle) : ERR_OK;

	return e == ERR_OK ? db_exec(handle, migrate_schema(version)) : e;
}

/* Tables alone: the page of that day is gone. */
static enum err make_bare(sqlite3 *handle)
{
	enum err e = strip(handle);

	return e == ERR_OK ? run_made(handle, "SELECT printf('DROP INDEX \"%w\";', name) FROM main.sqlite_schema"
					      " WHERE type = 'index' AND sql IS NOT NULL") :
			     e;
}

static enum err make_old(sqlite3 *handle, int version)
{
	enum err e = ERR_OK;

	for (int v = 1; e == ERR_OK && v <= version; v++)
		e = shape_step(handle, v);
	return e == ERR_OK && version >= SHAPE_BARE ? make_bare(handle) : e;
}

static enum err make_new(sqlite3 *handle)
{
	const char *page = page_text();

	return page ? db_exec(handle, page) : ERR_NO_MEMORY;
}

/* A book in memory as it is after the migrations up to that version. */
static enum err make_reference(sqlite3 **made, int version, const char *uri)
{
	enum err e = db_open_plain(uri, SQLITE_OPEN_URI | SQLITE_OPEN_CREATE, made);

	if (e == ERR_OK)
		e = db_exec(*made, "BEGIN");
	if (e == ERR_OK)
		e = version == DB_VERSION ? make_new(*made) : make_old(*made, version);
	if (e == ERR_OK)
		e = db_exec(*made, "COMMIT");
	if (e != ERR_OK) {
		sqlite3_close(*made);
		*made = NULL;
	}
	return e;
}

/* Both may be of one version, and SQLite attaches no book twice: each role has its own. */
static enum err attach(sqlite3 *handle, sqlite3 **made, int version, const char *role)
{
	char uri[64], sql[128];
	enum err e = ERR_OK;

	snprintf(uri, sizeof uri, "file:jari-%s-%d?mode=memory&cache=shared", role, version);
	snprintf(sql, sizeof sql, "ATTACH '%s' AS %s", uri, role);
	if (!*made)
		e = make_reference(made, version, uri);
	return e == ERR_OK ? db_exec(handle, sql) : e;
}

enum err shape_attach(sqlite3 *handle, int version)
{
	static sqlite3 *fresh, *was[DB_VERSION + 1];
	enum err e;

	sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 2); /* a statement with a stranger's words in it reaches no third file */
	page_add_plain(handle);
	sqlite3_create_function(handle, "once_ours", 2, SQLITE_UTF8, NULL, once_ours_function, NULL, NULL);
	e = attach(handle, &fresh, DB_VERSION, "fresh");
	return e == ERR_OK ? attach(handle, &was[version], version, "was") : e;
}

enum err shape_detach(sqlite3 *handle)
{
	return db_exec(handle, "DETACH was; DETACH fresh");
}

/* ---- what it is ---- */

static void complain(void *arg, const char *finding)
{
	++*(int *)arg;
	log_error("book.odd", "%s", finding);
}

enum err shape_prove(sqlite3 *handle)
{
	int findings = 0;
	enum err e = each(handle, shape_findings, complain, &findings);

	return e == ERR_OK && findings ? ERR_BOOK_ODD : e;
}

enum err shape_differs(sqlite3 *handle, int64_t *all, int64_t *tables)
{
	/* Something of `was` that is not here like that, or a trigger that would be dropped. */
	static const char count[] = "SELECT (SELECT count(*) FROM was.sqlite_schema w WHERE " OURS(
		"w") " AND NOT EXISTS (SELECT 1 FROM main.sqlite_schema m"
		     " WHERE m.type = w.type AND m.name = w.name AND " SAME(
			     "w", "m") "))"
				       " + (SELECT count(*) FROM main.sqlite_schema m WHERE " STRANGE ")";
	static const char count_tables[] = "SELECT count(*) FROM main.sqlite_schema m WHERE m.type = 'table' AND " OURS(
		"m") " AND " NAMED_IN("was") " AND NOT " SAME_IN("was");
	enum err e = db_ask(handle, count, all);

	return e == ERR_OK ? db_ask(handle, count_tables, tables) : e;
}

static void hash_row(void *arg, const char *words)
{
	uint64_t *h = arg;

	*h = hash_number(hash_text(*h, words), '\n');
}

enum err shape_hash(sqlite3 *handle, char out[SHAPE_SIZE])
{
	uint64_t h = HASH_START;
	enum err e = each(handle,
			  "SELECT m.type || ' ' || m.name || ' ' || ifnull(m.sql, '') FROM main.sqlite_schema m WHERE " OURS(
				  "m") " ORDER BY m.type, m.name",
			  hash_row, &h);

	snprintf(out, SHAPE_SIZE, "%016llx", (unsigned long long)h);
	return e;
}

/* ---- its rows ---- */

static void add_table(void *arg, const char *name)
{
	struct shape_rows *r = arg;

	if (r->count < (int)(sizeof r->of / sizeof r->of[0]) && strlen(name) < sizeof r->of[0].table)
		snprintf(r->of[r->count++].table, sizeof r->of[0].table, "%s", name);
}

static enum err count_table(sqlite3 *handle, const char *table, int64_t *rows)
{
	char *sql = sqlite3_mprintf("SELECT count(*) FROM main.\"%w\"", table);
	enum err e = sql ? db_ask(handle, sql, rows) : ERR_NO_MEMORY;

	sqlite3_free(sql);
	return e;
}

enum err shape_count(sqlite3 *handle, bool orphans, struct shape_rows *out)
{
	enum err e;

	*out = (struct shape_rows){.asked = orphans};
	e = each(handle, "SELECT m.name FROM main.sqlite_schema m WHERE m.type = 'table' AND " OURS("m"), add_table, out);
	for (int i = 0; e == ERR_OK && i < out->count; i++)
		e = count_table(handle, out->of[i].table, &out->of[i].rows);
	if (e == ERR_OK && orphans)
		e = db_ask(handle, "SELECT count(*) FROM pragma_foreign_key_check", &out->orphans);
	return e;
}

enum err shape_prove_rows(sqlite3 *handle, const struct shape_rows *had)
{
	struct shape_rows has;
	enum err e = shape_count(handle, had->asked, &has);

	for (int i = 0; e == ERR_OK && i < had->count; i++)
		for (int k = 0; k < has.count; k++)
			if (strcmp(had->of[i].table, has.of[k].table) == 0 && has.of[k].rows < had->of[i].rows) {
				log_error("book.odd", "table %s would lose rows", had->of[i].table);
				e = ERR_BOOK_ODD;
			}
	if (e == ERR_OK && has.orphans > had->orphans) {
		log_error("book.odd", "%lld rows would lose their parents", (long long)(has.orphans - had->orphans));
		e = ERR_BOOK_ODD;
	}
	return e;
}

/* ---- making it so ---- */

static void tell_gone(void *arg, const char *trigger)
{
	(void)arg;
	log_warn("book.left_out", "trigger %s is not one of jari's", trigger);
}

enum err shape_put_aside(sqlite3 *handle, struct buf *own)
{
	static const char added[] = "SELECT m.sql || ';' FROM main.sqlite_schema m WHERE m.type IN ('index', 'view')"
				    " AND m.sql IS NOT NULL AND NOT once_ours(m.type, m.name)"
				    " AND NOT " NAMED_IN("was") " ORDER BY m.type, m.rowid";
	static const char strange[] = "SELECT m.name FROM main.sqlite_schema m WHERE " STRANGE;
	/* Triggers before the views that they are on. */
	static const char goes[] = "SELECT printf('DROP %s main.\"%w\";', m.type, m.name) FROM main.sqlite_schema m"
				   " WHERE m.type IN ('index', 'view', 'trigger') AND m.sql IS NOT NULL"
				   " AND NOT " NAMED_IN("was") " AND NOT (m.type = 'index' AND " BARE
							       " AND " NAMED_IN("fresh") ") ORDER BY m.type";
	enum err e = each(handle, added, add_text, own);

	if (e == ERR_OK && own->failed)
		e = ERR_NO_MEMORY;
	if (e == ERR_OK)
		e = each(handle, strange, tell_gone, NULL);
	return e == ERR_OK ? run_made(handle, goes) : e;
}

void shape_put_back(sqlite3 *handle, const struct buf *own)
{
	const char *next = own->data;

	while (next && *next) {
		sqlite3_stmt *s = NULL;
		const char *text = next;
		int rc = sqlite3_prepare_v2(handle, text, -1, &s, &next);

		if (rc == SQLITE_OK && s)
			rc = sqlite3_step(s);
		sqlite3_finalize(s);
		if (rc != SQLITE_OK && rc != SQLITE_DONE)
			log_warn("book.left_out", "sql=\"%.60s\" why=\"%s\"", text, sqlite3_errmsg(handle));
		if (next == text)
			return;
	}
}

enum err shape_clear(sqlite3 *handle)
{
	/* Every trigger, so that all are made in one order; an index of the same words is the same index. */
	return run_made(handle, "SELECT printf('DROP %s main.\"%w\";', m.type, m.name) FROM main.sqlite_schema m"
				" WHERE m.type IN ('trigger', 'view') OR (m.type = 'index' AND m.sql IS NOT NULL"
				"  AND NOT " SAME_IN("was") " AND NOT (" BARE " AND " SAME_IN("fresh") ")) ORDER BY m.type");
}

static void tell_moved(void *arg, const char *words)
{
	(void)arg;
	log_warn("book.moved", "%s", words);
}

enum err shape_make_way(sqlite3 *handle)
{
	/* jari_old is the name that a rebuilt table has meanwhile. */
#define IN_THE_WAY \
	" FROM main.sqlite_schema m WHERE m.type = 'table' AND " OURS( \
		"m") " AND (m.name = 'jari_old' COLLATE NOCASE OR once_ours(" \
		     "m.type, m.name)) AND NOT EXISTS (SELECT 1 FROM was.sqlite_schema w WHERE w.type = 'table' AND w.name = " \
		     "m.name " \
		     "COLLATE NOCASE)"
	enum err e = each(handle,
			  "SELECT printf('table %s is not one of jari''s, and is %s from now on', m.name, " OWN_NAME(
				  "m.name") ")" IN_THE_WAY,
			  tell_moved, NULL);

	return e == ERR_OK ? run_made(handle, "SELECT printf('ALTER TABLE main.\"%w\" RENAME TO \"%w\";', m.name, " OWN_NAME(
						      "m.name") ")" IN_THE_WAY) :
			     e;
#undef IN_THE_WAY
}

/* A table gives way to one of the right words, with every column that both have. */
static enum err rebuild_tables(sqlite3 *handle)
{
	static const char remake[] =
		"SELECT printf('ALTER TABLE main.\"%w\" RENAME TO jari_old;', t.name) || t.sql || ';'"
		" || printf('INSERT INTO main.\"%w\" (%s) SELECT %s FROM jari_old;', t.name, c.both, c.both)"
		" || ifnull(printf('CREATE TABLE main.\"%w\" AS SELECT ', " OWN_NAME(
			"t.name") ") || c.keys || ', ' || c.own ||"
				  "    ' FROM jari_old WHERE coalesce(' || c.own || ', NULL) IS NOT NULL;', '')"
				  " || printf('UPDATE sqlite_sequence SET seq = max(seq, (SELECT o.seq FROM sqlite_sequence o "
				  "WHERE o.name ="
				  "    ''jari_old'')) WHERE name = %Q AND EXISTS (SELECT 1 FROM sqlite_sequence o WHERE o.name "
				  "= "
				  "''jari_old'');', t.name)"
				  " || 'DROP TABLE jari_old;'"
				  " FROM was.sqlite_schema t JOIN main.sqlite_schema m ON m.type = t.type AND m.name = t.name"
				  " JOIN (SELECT n.name AS of, group_concat(CASE WHEN w.hidden = 0 THEN printf('\"%w\"', "
				  "x.name) END) AS both,"
				  "   group_concat(CASE WHEN x.pk > 0 THEN printf('\"%w\"', x.name) END) AS keys,"
				  "   group_concat(CASE WHEN w.name IS NULL THEN printf('\"%w\"', x.name) END) AS own"
				  "  FROM main.sqlite_schema n JOIN pragma_table_xinfo(n.name, 'main') x"
				  "  LEFT JOIN pragma_table_xinfo(n.name, 'was') w ON w.name = x.name WHERE n.type = 'table' "
				  "AND x.hidden = 0"
				  "  GROUP BY n.name) c ON c.of = t.name"
				  " WHERE t.type = 'table' AND " OURS("t") " AND NOT " SAME("m", "t");
	static const char moved[] =
		"SELECT printf('column %s of table %s is not one of jari''s, and goes to table %s', x.name, t.name, " OWN_NAME(
			"t.name") ") FROM was.sqlite_schema t JOIN pragma_table_xinfo(t.name, 'main') x WHERE t.type = 'table'"
				  " AND x.hidden = 0 AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name, 'was') w"
				  " WHERE w.name = x.name)";
	enum err e = each(handle, moved, tell_moved, NULL);

	/* So that what refers to the old table refers to the new one afterwards. */
	if (e == ERR_OK)
		e = db_exec(handle, "PRAGMA legacy_alter_table=ON");
	if (e == ERR_OK)
		e = run_made(handle, remake);
	db_exec(handle, "PRAGMA legacy_alter_table=OFF");
	return e;
}

#define MISSING(ref) \
	"SELECT m.sql || ';' FROM " ref ".sqlite_schema m WHERE m.sql IS NOT NULL AND " OURS("m") " AND NOT " NAMED_IN( \
		"main") " ORDER BY instr('table index view trigger', m.type), m.rowid"

enum err shape_repair(sqlite3 *handle)
{
	enum err e = rebuild_tables(handle);

	return e == ERR_OK ? run_made(handle, MISSING("was")) : e;
}

/*
 * ALTER TABLE writes a column behind the others in the letters of its own statement, without comment and in the same line.
 * Where nothing else differs, the words of the page take their place: SQLite reads the same, and the owner reads the page.
 */
static enum err give_letters(sqlite3 *handle)
{
	static const char letters[] = "UPDATE main.sqlite_schema AS m SET sql = w.sql FROM fresh.sqlite_schema w WHERE w.type "
				      "= m.type AND w.name = m.name"
				      " AND m.type IN ('table', 'index') AND w.sql <> m.sql AND plain(w.sql) = plain(m.sql)";
	enum err e = db_exec(handle, "PRAGMA writable_schema=ON");

	if (e == ERR_OK)
		e = db_exec(handle, letters);
	db_exec(handle, "PRAGMA writable_schema=OFF");
	return e;
}

enum err shape_dress(sqlite3 *handle)
{
	enum err e = strip(handle);

	if (e == ERR_OK)
		e = run_made(handle, "SELECT printf('DROP INDEX main.\"%w\";', m.name) FROM main.sqlite_schema m"
				     " WHERE m.type = 'index' AND m.sql IS NOT NULL AND NOT " SAME_IN("fresh"));
	if (e == ERR_OK)
		e = run_made(handle, MISSING("fresh"));
	return e == ERR_OK ? give_letters(handle) : e;
}
