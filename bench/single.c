/*
 * single.c - one commit a booking: the usual way, as the yardstick for the batches of the pen.
 *
 *     single BOOK RESTAURANT DATE TIME BOOKINGS FIRST_USER
 *
 * One process books for one user after another, each in a transaction of its own, on the same
 * schema, with the same triggers and the same durability as jari.  No web server, no line and no
 * other writer are in its way, so it is the best that one commit a booking can do.  Prints
 * milliseconds a booking.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PARTY = 1 };

static sqlite3 *book;

static void fail(const char *what)
{
	fprintf(stderr, "single: %s: %s\n", what, sqlite3_errmsg(book));
	exit(EXIT_FAILURE);
}

static void run(const char *sql)
{
	if (sqlite3_exec(book, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(sql);
}

static sqlite3_stmt *prepare(const char *sql)
{
	sqlite3_stmt *s;

	if (sqlite3_prepare_v2(book, sql, -1, &s, NULL) != SQLITE_OK)
		fail(sql);
	return s;
}

static sqlite3_int64 ask(sqlite3_stmt *s)
{
	int rc = sqlite3_step(s);
	sqlite3_int64 value = rc == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;

	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		fail(sqlite3_sql(s));
	sqlite3_reset(s);
	return value;
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct {
	sqlite3_stmt *add_slot, *slot, *active, *taken, *insert;
} statements;

static void prepare_all(char **slot)
{
	statements.add_slot = prepare(
		"INSERT OR IGNORE INTO restaurant_reservation_slots (restaurant_id, slot_date, slot_time, max_capacity)"
		" SELECT restaurant_id, ?2, ?3, reservation_limit FROM restaurants WHERE restaurant_id = ?1");
	statements.slot = prepare("SELECT slot_id FROM restaurant_reservation_slots WHERE restaurant_id = ?1 AND "
				  "slot_date = ?2 AND slot_time = ?3");
	statements.active = prepare("SELECT 1 FROM reservations WHERE user_id = ?1 AND slot_id = ?2 AND is_active = 1");
	statements.taken = prepare("SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = ?1 AND is_active = 1");
	statements.insert = prepare(
		"INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status,"
		" deposit_amount, total_amount, hold_expires_at, changed_by)"
		" VALUES ('S' || ?1, ?2, ?1, ?3, 'RESERVATION_DEPOSIT', 'TEMPORARY', 5000, 5000,"
		" strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+420 seconds'), 'user:' || ?1)");
	for (int i = 0; i < 3; i++) {
		sqlite3_bind_text(statements.add_slot, i + 1, slot[i], -1, SQLITE_STATIC);
		sqlite3_bind_text(statements.slot, i + 1, slot[i], -1, SQLITE_STATIC);
	}
}

static void book_one(sqlite3_int64 user)
{
	sqlite3_int64 slot;

	run("BEGIN IMMEDIATE");
	ask(statements.add_slot);
	slot = ask(statements.slot);
	sqlite3_bind_int64(statements.active, 1, user);
	sqlite3_bind_int64(statements.active, 2, slot);
	sqlite3_bind_int64(statements.taken, 1, slot);
	if (ask(statements.active) == 0 && ask(statements.taken) >= 0) {
		sqlite3_bind_int64(statements.insert, 1, user);
		sqlite3_bind_int64(statements.insert, 2, slot);
		sqlite3_bind_int(statements.insert, 3, PARTY);
		ask(statements.insert);
	}
	run("COMMIT");
}

int main(int argc, char **argv)
{
	int bookings = argc == 7 ? atoi(argv[5]) : 0;
	double begun;

	if (bookings < 1) {
		fprintf(stderr, "usage: single BOOK RESTAURANT DATE TIME BOOKINGS FIRST_USER\n");
		return 2;
	}
	if (sqlite3_open_v2(argv[1], &book, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		fail(argv[1]);
	run("PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA wal_autocheckpoint=0; PRAGMA cache_spill=OFF;"
	    "PRAGMA busy_timeout=2000");
	prepare_all(argv + 2);
	begun = now_ms();
	for (int i = 0; i < bookings; i++)
		book_one(atoll(argv[6]) + i);
	printf("%.3f\n", (now_ms() - begun) / bookings);
	/* What is prepared and open goes with the process. */
	return EXIT_SUCCESS;
}
