/*
 * reports.h - the owner's numbers and lists.
 */
#ifndef JARI_REPORTS_H
#define JARI_REPORTS_H

#include "db.h"

/* Which restaurant, from which date to which. */
struct reports_span {
	int64_t restaurant_id;
	const char *from, *to;
};

enum err reports_days(struct db *db, const struct reports_span *s, stmt_each *each, void *arg);
/* Covers by the hour they began. */
enum err reports_hours(struct db *db, const struct reports_span *s, stmt_each *each, void *arg);
enum err reports_money(struct db *db, const struct reports_span *s, stmt_each *each, void *arg);
/* The average time from booking to visit, in hours, and the number of reservations that it is of. */
enum err reports_lead(struct db *db, const struct reports_span *s, int64_t *hours, int64_t *of);

enum reports_list { REPORTS_RESERVATIONS, REPORTS_GUESTS, REPORTS_PAYMENTS, REPORTS__LISTS };

/*
 * Every row, however many, cell by cell; row 0 has the names of the columns.  last: the row ends here.  When each() says
 * false the rest is left out and the answer is ERR_UNKNOWN.
 */
enum err reports_export(struct db *db, enum reports_list list, const struct reports_span *s,
			bool (*each)(void *arg, const char *cell, bool is_text, bool last), void *arg);

/* Money that has to go back. */
enum err reports_due(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg);
/*
 * It went back.  amount: so much, and if another amount is due by now nothing is written (ERR_STALE); 0: all of it.
 * ERR_NOT_FOUND when nothing of that payment is due.  Takes the pen.
 */
enum err reports_given_back(struct db *db, int64_t restaurant_id, int64_t payment_id, int64_t amount, const char *actor,
			    int64_t now_s);

#endif
