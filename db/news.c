/*
 * news.c - what guests have done since a desk last looked.
 */
#include "news.h"

#include <assert.h>

/* Passes the first on, and counts the others. */
struct counting {
	stmt_each *each;
	void *arg;
	int64_t count;
};

static void pass_on(void *arg, const struct stmt_cell *cells, int count)
{
	struct counting *c = arg;

	if (c->count++ < NEWS_SHOWN)
		c->each(c->arg, cells, count);
}

enum err news_since(struct db *db, int64_t restaurant_id, int64_t since, int64_t now_s, stmt_each *each, void *arg,
		    struct news *out)
{
	struct counting c = {.each = each, .arg = arg};
	enum err e;

	assert(db->reading); /* the mark belongs to the rows */
	*out = (struct news){0};
	e = stmt_get(db, stmt_use(db, SQL_NEWS_MARK, ""), ERR_OK, "i", &out->mark);
	if (e != ERR_OK)
		return e;
	e = stmt_get(db, stmt_use(db, SQL_HOLDS_COUNT, "mi", now_s, restaurant_id), ERR_OK, "i", &out->holds);
	if (e != ERR_OK || since < 0)
		return e;
	e = stmt_rows(db, stmt_use(db, SQL_NEWS, "iimi", restaurant_id, since, now_s, (int64_t)(NEWS_SHOWN + NEWS_COUNTED)),
		      pass_on, &c);
	out->more = c.count > NEWS_SHOWN ? c.count - NEWS_SHOWN : 0;
	return e;
}
