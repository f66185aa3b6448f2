/*
 * pragmas.c - how a connection to a book must be set, whatever this SQLite was built with.
 */
#include "pragmas.h"

#include "db.h"
#include "log.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum {
	PLAIN = PRAGMAS_PLAIN | PRAGMAS_SERVE,
	DISTRUST = PRAGMAS_DISTRUST | PRAGMAS_SERVE,
	SERVE = PRAGMAS_SERVE,
	HEAP_LIMIT = 96 * 1024 * 1024,
};

static const struct {
	int use; /* enum pragmas_for */
	const char *name, *value, *means;
} pragmas[] = {
	{PLAIN, "busy_timeout", "2000", "2000"},
	{PLAIN, "foreign_keys", "ON", "1"},
	{PLAIN, "synchronous", "FULL", "2"},     /* an answered 201 survives a power cut */
	{PLAIN, "wal_autocheckpoint", "0", "0"}, /* only the pen's holder does */
	{PLAIN, "cache_spill", "OFF", "0"},      /* spill + ROLLBACK TO loses commits before 3.50.2 */
	{DISTRUST, "trusted_schema", "OFF", "0"},
	{DISTRUST, "cell_size_check", "ON", "1"},
	{DISTRUST, "mmap_size", "0", "0"},
	{SERVE, "cache_size", "-1000", "-1000"},
	{SERVE, "temp_store", "MEMORY", "2"},
	{SERVE, "secure_delete", "ON", "1"}, /* an erased guest does not stay in free pages */
	{SERVE, "journal_mode", NULL, "wal"},
};

static const struct {
	int use, option, value;
} configs[] = {
	{PLAIN, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1}, /* looking changes nothing */
	{DISTRUST, SQLITE_DBCONFIG_DEFENSIVE, 1},
	{DISTRUST, SQLITE_DBCONFIG_DQS_DDL, 0},
	{DISTRUST, SQLITE_DBCONFIG_DQS_DML, 0},
};

static const struct {
	int id, value;
} limits[] = {
	{SQLITE_LIMIT_LENGTH, 1000000},
	{SQLITE_LIMIT_SQL_LENGTH, 100000},
	{SQLITE_LIMIT_COLUMN, 100},
	{SQLITE_LIMIT_EXPR_DEPTH, 40},
	{SQLITE_LIMIT_COMPOUND_SELECT, 5},
	{SQLITE_LIMIT_VDBE_OP, 25000},
	{SQLITE_LIMIT_FUNCTION_ARG, 8},
	{SQLITE_LIMIT_ATTACHED, 0},
	{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 400}, /* a name to search for, in bytes */
	{SQLITE_LIMIT_VARIABLE_NUMBER, 64},
	{SQLITE_LIMIT_TRIGGER_DEPTH, 10},
};

static enum err set_config(sqlite3 *handle, int option, int value)
{
	int now = -1;

	sqlite3_db_config(handle, option, value, &now);
	if (now == value)
		return ERR_OK;
	log_error("book.config", "option=%d wanted=%d got=%d", option, value, now);
	return ERR_INTERNAL;
}

static enum err set_pragma(sqlite3 *handle, const char *name, const char *value, const char *means)
{
	char sql[64], got[64];
	enum err e = ERR_OK;

	if (value) {
		snprintf(sql, sizeof sql, "PRAGMA %s=%s", name, value);
		e = db_ask_text(handle, sql, got);
	}
	snprintf(sql, sizeof sql, "PRAGMA %s", name);
	if (e == ERR_OK)
		e = db_ask_text(handle, sql, got);
	if (e != ERR_OK || strcmp(got, means) == 0)
		return e;
	log_error("book.pragma", "%s wanted=%s got=%s", name, means, got);
	return ERR_INTERNAL;
}

enum err pragmas_set(sqlite3 *handle, enum pragmas_for use)
{
	enum err e = ERR_OK;

	for (size_t i = 0; e == ERR_OK && i < sizeof configs / sizeof configs[0]; i++)
		if (configs[i].use & (int)use)
			e = set_config(handle, configs[i].option, configs[i].value);
	for (size_t i = 0; use == PRAGMAS_SERVE && i < sizeof limits / sizeof limits[0]; i++)
		sqlite3_limit(handle, limits[i].id, limits[i].value);
	for (size_t i = 0; e == ERR_OK && i < sizeof pragmas / sizeof pragmas[0]; i++)
		if (pragmas[i].use & (int)use)
			e = set_pragma(handle, pragmas[i].name, pragmas[i].value, pragmas[i].means);
	if (use == PRAGMAS_SERVE)
		sqlite3_hard_heap_limit64(HEAP_LIMIT);
	return e;
}
