/*
 * sent.c - what became of the messages, for the desk.
 */
#include "sent.h"

#include "clock.h"
#include "stmt.h"

enum { GIVEN_UP_DAYS = 7 }; /* this long the desk shows what could not be sent */

enum err sent_list(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_SENT_LIST, "i", restaurant_id), each, arg);
}

enum err sent_of(struct db *db, int64_t reservation_id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_SENT_OF, "i", reservation_id), each, arg);
}

enum err sent_failed(struct db *db, int64_t restaurant_id, int64_t now_s, int64_t *count)
{
	char since[CLOCK_ISO_SIZE], now[CLOCK_ISO_SIZE];

	clock_iso(now_s - GIVEN_UP_DAYS * INT64_C(86400), since);
	clock_iso(now_s, now);
	*count = 0;
	return stmt_number(db, SQL_SENT_FAILED, count, "itt", restaurant_id, since, now);
}

enum err sent_stuck(struct db *db, int64_t restaurant_id, int64_t *count, char answer[204])
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_SENT_STUCK, "i", restaurant_id);
	enum err e;

	*count = 0;
	answer[0] = '\0';
	while (stmt_row(db, s, &e))
		stmt_take(s, "it", count, answer, (size_t)204);
	return e;
}
