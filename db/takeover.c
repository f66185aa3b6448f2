/*
 * takeover.c - what a copy of the book says of itself, and the row by which a spare takes over.
 */
#include "takeover.h"

#include "db.h"
#include "pragmas.h"
#include "swap.h"
#include "token.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/* ---- looking at one ---- */

static bool has_table(sqlite3 *handle, const char *name)
{
	char sql[120];
	int64_t there = 0;

	snprintf(sql, sizeof sql, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '%s'", name);
	return db_ask(handle, sql, &there) == ERR_OK && there;
}

/* A copy that this box has not proved yet may have anything in it: every text is cut to its place. */
static enum err ask_text(sqlite3 *handle, const char *sql, char *out, size_t size)
{
	sqlite3_stmt *s = NULL;
	enum err e = db_error(handle, sqlite3_prepare_v2(handle, sql, -1, &s, NULL));

	out[0] = '\0';
	if (e == ERR_OK && sqlite3_step(s) == SQLITE_ROW)
		stmt_take(s, "t", out, size);
	sqlite3_finalize(s);
	return e;
}

static enum err look_at(sqlite3 *handle, struct takeover_book *out)
{
	enum err e = ERR_OK;

	if (has_table(handle, "takeovers")) {
		e = db_ask(handle, "SELECT ifnull(max(epoch), 0) FROM takeovers", &out->epoch);
		if (e == ERR_OK)
			e = ask_text(handle, "SELECT taken_at FROM takeovers ORDER BY epoch DESC LIMIT 1", out->taken_at,
				     sizeof out->taken_at);
	}
	if (e == ERR_OK && out->epoch)
		e = db_ask(handle, "SELECT last_reservation FROM takeovers ORDER BY epoch DESC LIMIT 1",
			   &out->last_reservation);
	else if (e == ERR_OK)
		e = db_ask(handle, "SELECT ifnull(max(reservation_id), 0) FROM reservations", &out->last_reservation);
	if (e == ERR_OK && has_table(handle, "mail_server"))
		e = ask_text(handle, "SELECT ifnull(site, '') FROM mail_server", out->site, sizeof out->site);
	if (e == ERR_OK)
		e = ask_text(handle, "SELECT name FROM restaurants ORDER BY restaurant_id LIMIT 1", out->house,
			     sizeof out->house);
	return e;
}

/* Two boxes compare it in the open; nobody finds the key by it. */
static uint64_t number_of(const unsigned char key[TOKEN_KEY_SIZE])
{
	return token_number_of(key, "the book of two boxes");
}

static enum err read_copys_key(sqlite3 *handle, struct takeover_book *out)
{
	sqlite3_stmt *s = NULL;
	unsigned char key[TOKEN_KEY_SIZE];
	const void *secret;
	int bytes = 0;
	enum err e = db_error(handle, sqlite3_prepare_v2(handle, "SELECT made_at, secret_key FROM jari_backup", -1, &s, NULL));

	if (e == ERR_OK && sqlite3_step(s) == SQLITE_ROW) {
		stmt_take(s, "tx", out->made_at, sizeof out->made_at, &secret, &bytes);
		if (bytes == TOKEN_KEY_SIZE) {
			memcpy(key, secret, TOKEN_KEY_SIZE);
			out->key = number_of(key);
			memset(key, 0, sizeof key);
		}
	}
	sqlite3_finalize(s);
	return e;
}

enum err takeover_look_at_copy(const char *file, struct takeover_book *out)
{
	sqlite3 *handle = NULL;
	int64_t version;
	enum err e = db_open_plain(file, SQLITE_OPEN_READONLY, &handle);

	*out = (struct takeover_book){0};
	if (e == ERR_OK)
		e = pragmas_set(handle, PRAGMAS_DISTRUST);
	if (e == ERR_OK)
		e = db_identify(handle, &version);
	if (e == ERR_OK)
		e = look_at(handle, out);
	if (e == ERR_OK)
		e = read_copys_key(handle, out);
	sqlite3_close(handle);
	return e;
}

enum err takeover_look_at_book(const char *dir, struct takeover_book *out)
{
	unsigned char key[TOKEN_KEY_SIZE];
	sqlite3 *handle = NULL;
	int64_t version;
	char path[4096];
	enum err e;

	*out = (struct takeover_book){0};
	db_path(dir, path);
	e = db_open_plain(path, SQLITE_OPEN_READONLY, &handle);
	if (e == ERR_OK)
		e = db_identify(handle, &version);
	if (e == ERR_OK)
		e = look_at(handle, out);
	sqlite3_close(handle);
	if (e == ERR_OK && token_read_key(dir, key))
		out->key = number_of(key);
	memset(key, 0, sizeof key);
	return e;
}

/* ---- taking over ---- */

/*
 * Numbers go on behind those that may have been given since the copy was made: of reservations (the first number behind a gap
 * of before may have been given as well), and of lists that never give one twice, also one that was empty then and so has no
 * row in sqlite_sequence.  insert: a row for it, but for the two numbers.
 */
static enum err write_gap(const char *file, const char *insert)
{
	sqlite3 *handle = NULL;
	enum err e = db_open_plain(file, 0, &handle);
	char *sql = sqlite3_mprintf("BEGIN;"
				    "%s, n, n + %d FROM (SELECT max(ifnull(max(reservation_id), 0),"
				    " (SELECT ifnull(max(first_reservation) - 1, 0) FROM _lost_numbers)) AS n"
				    " FROM reservations WHERE reservation_id < 1099511627775);"
				    "INSERT INTO sqlite_sequence (name, seq) SELECT name, 0 FROM sqlite_schema"
				    " WHERE type = 'table' AND sql LIKE '%%AUTOINCREMENT%%'"
				    " AND name NOT IN (SELECT name FROM sqlite_sequence);"
				    "UPDATE sqlite_sequence SET seq = seq + %d;"
				    "COMMIT",
				    insert, TAKEOVER_GAP, TAKEOVER_GAP);

	if (e == ERR_OK)
		e = sql ? db_exec(handle, sql) : ERR_NO_MEMORY;
	sqlite3_free(sql);
	sqlite3_close(handle);
	return e;
}

enum err takeover_write(const char *file, int64_t now_s, const char *copy_of)
{
	char now[CLOCK_ISO_SIZE], insert[300];

	clock_iso(now_s, now);
	sqlite3_snprintf(sizeof insert, insert,
			 "INSERT INTO takeovers (epoch, taken_at, copy_of, last_reservation, first_reservation)"
			 " SELECT (SELECT ifnull(max(epoch), 0) + 1 FROM takeovers), %Q, %Q",
			 now, *copy_of ? copy_of : now);
	return write_gap(file, insert);
}

enum err takeover_write_restore(const char *file, int64_t now_s)
{
	char now[CLOCK_ISO_SIZE], insert[200];

	clock_iso(now_s, now);
	sqlite3_snprintf(sizeof insert, insert,
			 "INSERT INTO restores (restored_at, last_reservation, first_reservation) SELECT %Q", now);
	return write_gap(file, insert);
}

enum err takeover_keep_epoch(const char *file, const struct takeover_book *was)
{
	sqlite3 *handle = NULL;
	enum err e = db_open_plain(file, 0, &handle);
	char *sql = sqlite3_mprintf("INSERT INTO takeovers (epoch, taken_at, copy_of, last_reservation, first_reservation)"
				    " SELECT %lld, %Q, %Q, %lld, %lld"
				    " WHERE %lld > (SELECT ifnull(max(epoch), 0) FROM takeovers)",
				    (long long)was->epoch, was->taken_at, was->taken_at, (long long)was->last_reservation,
				    (long long)was->last_reservation + TAKEOVER_GAP, (long long)was->epoch);

	if (e == ERR_OK)
		e = sql ? db_exec(handle, sql) : ERR_NO_MEMORY;
	sqlite3_free(sql);
	sqlite3_close(handle);
	return e;
}

enum err takeover_list_lost(const char *dir, int64_t after,
			    void (*tell)(void *arg, const char *code, const char *starts_at, int64_t people, const char *name),
			    void *arg)
{
	static const char list[] =
		"SELECT reservation_code, s.slot_date || ' ' || s.slot_time, party_size, ifnull(guest_name, '')"
		" FROM reservations JOIN restaurant_reservation_slots s USING (slot_id)"
		" WHERE reservation_id > ?1 AND is_active = 1 ORDER BY reservation_id";
	sqlite3 *handle = NULL;
	sqlite3_stmt *s = NULL;
	char path[4096];
	const char *code, *starts, *name;
	int64_t people;
	enum err e;

	db_path(dir, path);
	e = db_open_plain(path, SQLITE_OPEN_READONLY, &handle);
	if (e == ERR_OK)
		e = db_error(handle, sqlite3_prepare_v2(handle, list, -1, &s, NULL));
	if (e == ERR_OK)
		sqlite3_bind_int64(s, 1, after);
	while (e == ERR_OK && sqlite3_step(s) == SQLITE_ROW) {
		stmt_take(s, "wwiw", &code, &starts, &people, &name);
		tell(arg, code, starts, people, name);
	}
	sqlite3_finalize(s);
	sqlite3_close(handle);
	return e;
}

/* ---- has it changed? ---- */

void takeover_watch_close(struct takeover_watch *w)
{
	sqlite3_close(w->handle);
	*w = (struct takeover_watch){0};
}

enum err takeover_moved(struct takeover_watch *w, const char *dir, bool *moved)
{
	uint64_t id = swap_book_id(dir);
	int64_t version = 0;
	char path[4096];
	enum err e = ERR_OK;

	if (!w->handle || w->id != id) {
		takeover_watch_close(w);
		db_path(dir, path);
		e = db_open_plain(path, SQLITE_OPEN_READONLY, &w->handle);
		w->id = id;
	}
	if (e == ERR_OK)
		e = db_ask(w->handle, "PRAGMA data_version", &version);
	if (e == ERR_OK) {
		*moved |= version != w->version;
		w->version = version;
	} else {
		takeover_watch_close(w);
	}
	return e;
}
