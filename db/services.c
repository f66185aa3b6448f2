/*
 * services.c - what follows when the services of a restaurant change.
 */
#include "services.h"

#include "buf.h"
#include "restaurants.h"

#include <stdlib.h>
#include <string.h>

enum { DATES_MAX = 1500 };

/* ---- how many may start ---- */

enum err services_learn(struct txn *t, int64_t restaurant_id, struct services_slots *out)
{
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_SLOTS_BY_RULE, "it", restaurant_id, t->now);
	bool enough = true;
	enum err e;

	while (stmt_row(t->db, s, &e)) {
		struct services_slot slot;

		stmt_take(s, "ii", &slot.id, &slot.capacity);
		enough = enough && buf_grow((void **)&out->list, &out->space, out->count + 1, sizeof slot);
		if (enough)
			out->list[out->count++] = slot;
	}
	return e == ERR_OK && !enough ? ERR_NO_MEMORY : e;
}

enum err services_follow(struct txn *t, const struct services_slots *slots, bool *more)
{
	enum err e = ERR_OK;

	for (size_t i = 0; i < slots->count && e == ERR_OK; i++) {
		int64_t capacity = 0;

		e = stmt_run(t->db, SQL_SLOT_FOLLOW, "it", slots->list[i].id, t->now);
		if (e == ERR_OK && stmt_changes(t->db))
			e = stmt_number(t->db, SQL_SLOT_CAPACITY, &capacity, "i", slots->list[i].id);
		*more |= capacity > slots->list[i].capacity;
	}
	return e;
}

void services_free(struct services_slots *slots)
{
	free(slots->list);
	*slots = (struct services_slots){0};
}

/* ---- nights ---- */

static bool lasts_into(const struct hours_day *night, const struct hours_day *after)
{
	for (size_t i = 0; i < night->count; i++)
		for (size_t k = 0; k < after->count; k++)
			if (night->spans[i].closes - DAY_MINUTES > after->spans[k].opens)
				return true;
	return false;
}

/* The day before with that day, and that day with the one after. */
static enum err check_around(struct txn *t, int64_t restaurant_id, struct date date, char day[TEXT_DATE_SIZE])
{
	struct hours_day before, after;
	enum err e = restaurants_day(t->db, restaurant_id, text_from_days(text_days(date) - 1), &before);

	for (int64_t i = text_days(date); i <= text_days(date) + 1 && e == ERR_OK; i++) {
		e = restaurants_day(t->db, restaurant_id, text_from_days(i), &after);
		if (e == ERR_OK && lasts_into(&before, &after)) {
			text_put_date(text_from_days(i - 1), day);
			e = ERR_HOURS_OVERLAP;
		}
		before = after;
	}
	return e;
}

enum err services_check(struct txn *t, int64_t restaurant_id, char day[TEXT_DATE_SIZE])
{
	static struct date dates[DATES_MAX]; /* static for its size only */
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_SPECIAL_DATES, "iti", restaurant_id, t->now, (int64_t)DATES_MAX);
	size_t n = 0;
	enum err e;

	while (stmt_row(t->db, s, &e)) {
		const char *date;

		stmt_take(s, "w", &date);
		n += n < DATES_MAX && text_date(date, &dates[n]);
	}
	for (size_t i = 0; i < n && e == ERR_OK; i++)
		e = check_around(t, restaurant_id, dates[i], day);
	return e;
}
