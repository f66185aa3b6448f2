/*
 * sent.c - what became of the messages, for the desk.
 */
#include "sent.h"

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
	*count = 0;
	return stmt_number(db, SQL_SENT_FAILED, count, "imm", restaurant_id, now_s - GIVEN_UP_DAYS * INT64_C(86400), now_s);
}

enum err sent_stuck(struct db *db, int64_t restaurant_id, int64_t *count, char answer[204])
{
	*count = 0;
	answer[0] = '\0';
	return stmt_get(db, stmt_use(db, SQL_SENT_STUCK, "i", restaurant_id), ERR_OK, "it", count, answer, (size_t)204);
}
