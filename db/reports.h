/*
 * reports.h - the owner's numbers and lists.
 */
#ifndef JARI_REPORTS_H
#define JARI_REPORTS_H

#include "db.h"
#include "text.h"

/* Which restaurant, from which date to which. */
struct reports_span {
	int64_t restaurant_id;
	const char *from, *to;
};

enum {
	REPORTS_DAYS_MAX = 801,
	REPORTS_HOURS = NIGHT_MINUTES / 60, /* of an evening, which lasts past midnight */
};

/* How a party came to its place: the words of reservations.source. */
#define REPORTS_SOURCES(X) X(WEB) X(DESK) X(WALK_IN) X(WAITLIST) X(IMPORT)
enum reports_source {
#define X(word) REPORTS_##word,
	REPORTS_SOURCES(X) REPORTS__SOURCES
#undef X
};
extern const char *const reports_sources[REPORTS__SOURCES];

/* How many days ahead a party was booked, by the restaurant's calendar: up to 0, 1, 3, 7, 14, 28, or more. */
enum { REPORTS_LEADS = 7 };
extern const int reports_lead_days[REPORTS_LEADS - 1];

/* How many parties, and how many people they were. */
struct reports_count {
	int64_t parties, covers;
};

/*
 * Some dates in numbers.  Who came, or is to come, counts in everything; who did not come and who cancelled only under their
 * own names.  A hold that was given up before it was anybody's counts nowhere.
 */
struct reports_sum {
	size_t day_count;
	struct {
		struct reports_count came;
		int64_t no_shows, cancelled;
	} days[REPORTS_DAYS_MAX];                     /* from the first date on */
	struct reports_count hours[8][REPORTS_HOURS]; /* by weekday (1 is Monday) and the hour they began */
	struct reports_count sources[REPORTS__SOURCES];
	int64_t leads[REPORTS_LEADS]; /* parties that somebody booked; the last: longer ahead than the list says */
	int64_t begun;        /* parties that came, of those whose time has come: with the no-shows all who were to come */
	int64_t first, again; /* parties whose guest came for the first time, or had come before */
	int64_t unknown;      /* and those who left no number */
};

/* Reads all of it in one pass.  At most REPORTS_DAYS_MAX dates. */
enum err reports_sum(struct db *db, const struct reports_span *s, const char *zone, int64_t now_s, struct reports_sum *out);
enum err reports_money(struct db *db, const struct reports_span *s, stmt_each *each, void *arg);
/* The first date of which the book knows anything; "": there is none. */
enum err reports_first(struct db *db, int64_t restaurant_id, char out[TEXT_DATE_SIZE]);

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
